//! Names and availability of devices.

use std::error::Error as _;

use crate::device::{defer, report_deferred};
use crate::{Device, Error, Exec};

#[test]
fn names_round_trip() {
    for (name, device) in [("host", Device::Host), ("sim", Device::Sim), ("cuda:0", Device::Cuda(0))] {
        assert_eq!(name.parse(), Ok(device));
        assert_eq!(device.to_string(), name);
    }
    assert_eq!("cuda".parse(), Ok(Device::Cuda(0)));
    assert_eq!("cuda:17".parse(), Ok(Device::Cuda(17)));
    for name in ["", "gpu", "cuda:", "cuda:-1", "cuda:x", "HOST", "host "] {
        let error = name.parse::<Device>().unwrap_err();
        assert!(matches!(&error, Error::Option { value, .. } if value == name), "{error}");
        assert!(error.to_string().contains("cuda:<ordinal>"), "{error}");
    }
}

#[test]
fn the_host_is_always_there() {
    Device::Host.require().unwrap();
    assert_eq!(Exec::new(Device::Host).unwrap().device(), Device::Host);
    assert!(Device::Host.memory_info().unwrap().total > 0);
}

#[test]
fn a_missing_device_says_why() {
    let available = Device::available();
    for device in [Device::Sim, Device::Cuda(99)].into_iter().filter(|device| !available.contains(device)) {
        let error = Exec::new(device).unwrap_err();
        assert_eq!(device.require().unwrap_err(), error);
        assert!(matches!(&error, Error::NoDevice { device: named, .. } if *named == device), "{error}");
        assert!(error.source().is_none() && error.to_string().starts_with(&device.to_string()));
    }
}

#[test]
fn streams_of_the_host_are_trivial() {
    let exec = Exec::host();
    let other = exec.with_new_stream().unwrap();
    assert_ne!(exec.stream(), other.stream());
    assert!(exec.stream().as_raw().is_null());
    let event = exec.stream().record().unwrap();
    assert!(event.is_done().unwrap());
    event.synchronize().unwrap();
    other.stream().wait(&event).unwrap();
    other.synchronize().unwrap();
}

#[test]
fn what_a_drop_meets_is_reported_once() {
    // Devices that no test uses, for the errors are the process's.
    let (device, other) = (Device::Cuda(1000), Device::Cuda(1001));
    let error = |code| Error::Device { device, call: "free", code, text: "no".to_owned() };
    defer(device, error(1));
    defer(device, error(2));
    report_deferred(other).unwrap();
    assert_eq!(report_deferred(device), Err(error(1)));
    report_deferred(device).unwrap();
}
