//! Names and availability of devices.

use std::error::Error as _;

use crate::device::{defer, report_deferred};
use crate::{Device, Error, Exec};

#[test]
fn device_names_round_trip() {
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
fn host_is_always_available() {
    Device::Host.require().unwrap();
    assert_eq!(Exec::new(Device::Host).unwrap().device(), Device::Host);
    assert!(Device::Host.memory_info().unwrap().total > 0);
}

#[test]
fn missing_device_is_no_device_error_with_reason() {
    let available = Device::available();
    for device in [Device::Sim, Device::Cuda(99)].into_iter().filter(|device| !available.contains(device)) {
        let error = Exec::new(device).unwrap_err();
        assert_eq!(device.require().unwrap_err(), error);
        assert!(matches!(&error, Error::NoDevice { device: named, .. } if *named == device), "{error}");
        assert!(error.source().is_none() && error.to_string().starts_with(&device.to_string()));
    }
}

#[test]
fn host_events_are_complete_at_once() {
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
fn drop_error_is_returned_once_by_next_call() {
    // Devices that no test uses, because deferred errors belong to the process.
    let (device, other) = (Device::Cuda(1000), Device::Cuda(1001));
    let error = |code| Error::Device { device, call: "free", code, text: "no".to_owned() };
    defer(device, error(1));
    defer(device, error(2));
    report_deferred(other).unwrap();
    assert_eq!(report_deferred(device), Err(error(1)));
    report_deferred(device).unwrap();
}
