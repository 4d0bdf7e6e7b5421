//! Tests that hold with and without a GPU. The suites that run on every device test GPUs themselves.

use super::{TOOLKIT_VERSION, count, release};
use crate::{Device, Error, Exec, Rmm, current_resource};

#[test]
fn missing_driver_is_no_device_error() {
    let Err(error) = count() else { return };
    let device = Device::Cuda(0);
    assert!(matches!(&error, Error::NoDevice { device: Device::Cuda(0), reason } if !reason.is_empty()));
    assert_eq!(device.require(), Err(error.clone()));
    assert_eq!(device.memory_info(), Err(error.clone()));
    assert_eq!(Exec::new(device).unwrap_err(), error);
    assert_eq!(current_resource(device).unwrap_err(), error);
    assert_eq!(Rmm::cuda_async(0, None, None).unwrap_err(), error);
}

#[test]
fn ordinal_out_of_range_is_no_device_error() {
    let error = Device::Cuda(u32::MAX).require().unwrap_err();
    assert!(matches!(error, Error::NoDevice { device: Device::Cuda(u32::MAX), .. }), "{error}");
}

#[test]
fn release_display_is_major_dot_minor() {
    assert_eq!((release(TOOLKIT_VERSION), release(12_080)), ("13.0".to_owned(), "12.8".to_owned()));
}

/// Stacked RMM resources, on every GPU.
#[test]
fn rmm_resources_allocate_on_their_gpu() {
    for ordinal in 0..count().unwrap_or(0) {
        let exec = Exec::new(Device::Cuda(ordinal)).unwrap();
        let cuda = Rmm::cuda(ordinal).unwrap();
        let resources = [
            Rmm::cuda_async(ordinal, Some(1 << 20), None).unwrap(),
            cuda.pool(1 << 20, Some(1 << 24)).unwrap(),
            cuda.arena(Some(1 << 26)).unwrap(),
            cuda.binning(10, 20).unwrap(),
            cuda,
        ];
        for resource in resources {
            let exec = exec.with_resource(std::sync::Arc::new(resource));
            let values: Vec<u32> = (0..10_000).collect();
            let buffer = crate::Buffer::from_slice(&values, &exec).unwrap();
            assert_eq!(buffer.to_vec::<u32>(&exec).unwrap(), values);
        }
        let info = Device::Cuda(ordinal).memory_info().unwrap();
        let too_much = crate::Buffer::uninit(info.total * 2, &exec).unwrap_err();
        assert!(matches!(too_much, Error::OutOfMemory { free: Some(_), .. }), "{too_much}");
    }
}

/// A deallocation preserves the thread's current context, also when there is none.
#[test]
fn deallocation_preserves_current_context() {
    use cudarc::driver::result::ctx;
    for ordinal in 0..count().unwrap_or(0) {
        let exec = Exec::new(Device::Cuda(ordinal)).unwrap();
        let buffer = crate::Buffer::from_slice(&[1_u8; 100], &exec).unwrap();
        drop(buffer.lease().unwrap());
        std::thread::spawn(move || {
            assert_eq!(ctx::get_current().unwrap(), None);
            let kept = crate::CallersContext::keep();
            drop(buffer);
            assert!(ctx::get_current().unwrap().is_some(), "the memory's GPU was bound");
            drop(kept);
            assert_eq!(ctx::get_current().unwrap(), None);
        })
        .join()
        .unwrap();
    }
}
