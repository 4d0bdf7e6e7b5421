//! Tensors that are not what they should be: an error that names the field, and the tensor stays its producer's.

use super::execs;
use super::producer::Producer;
use crate::arrow::c::CopyPolicy;
use crate::dlpack::{DLDataType, DLDevice, DLPackVersion};
use crate::{Column, ColumnAccessor, Error, TensorFault};
use columnade_buffers::Device;
use std::sync::atomic::Ordering;

fn element(code: u8, bits: u8, lanes: u16) -> DLDataType {
    DLDataType { code, bits, lanes }
}

fn device(device_type: i32, device_id: i32) -> DLDevice {
    DLDevice { device_type, device_id }
}

#[test]
fn errors_name_the_field_and_release_nothing() {
    let base = Producer::default();
    let cases: Vec<(&str, Producer<'_>)> = vec![
        ("version", Producer { version: Some(DLPackVersion { major: 2, minor: 0 }), ..base.clone() }),
        ("version", Producer { version: Some(DLPackVersion { major: 0, minor: 9 }), ..base.clone() }),
        ("ndim", Producer { ndim: Some(-1), ..base.clone() }),
        ("ndim", Producer { ndim: Some(3), ..base.clone() }),
        ("ndim", Producer { ndim: Some(i32::MAX), ..base.clone() }),
        ("shape", Producer { is_without_shape: true, ..base.clone() }),
        ("shape[0]", Producer { shape: &[-1], ..base.clone() }),
        ("shape[0]", Producer { shape: &[i64::MAX], ..base.clone() }),
        ("shape[0]", Producer { shape: &[i64::MAX / 8, 2], ..base.clone() }),
        ("shape[1]", Producer { shape: &[1, i64::MIN], ..base.clone() }),
        ("shape[1]", Producer { shape: &[1, 1 << 40], strides: Some(&[0, 0]), ..base.clone() }),
        ("shape", Producer { shape: &[1, 1], lanes: 2, ..base.clone() }),
        ("strides[0]", Producer { shape: &[3], strides: Some(&[i64::MAX]), ..base.clone() }),
        ("strides", Producer { shape: &[1 << 30], strides: Some(&[1 << 40]), ..base.clone() }),
        ("data", Producer { is_without_data: true, ..base.clone() }),
        ("byte_offset", Producer { byte_offset: u64::MAX, ..base.clone() }),
        ("byte_offset", Producer { shape: &[1 << 58], strides: Some(&[-1]), ..base.clone() }),
        ("byte_offset", Producer { shape: &[1 << 55], ..base.clone() }),
        ("dtype", Producer { element: Some(element(2, 8, 1)), ..base.clone() }),
        ("dtype", Producer { element: Some(element(0, 128, 1)), ..base.clone() }),
        ("dtype", Producer { element: Some(element(1, 1, 1)), ..base.clone() }),
        ("dtype", Producer { element: Some(element(4, 16, 1)), ..base.clone() }),
        ("dtype", Producer { element: Some(element(5, 64, 1)), ..base.clone() }),
        ("dtype", Producer { element: Some(element(6, 1, 1)), ..base.clone() }),
        ("dtype", Producer { element: Some(element(255, 0, 9)), ..base.clone() }),
        ("dtype.lanes", Producer { element: Some(element(0, 64, 0)), ..base.clone() }),
        ("device", Producer { device: Some(device(0, 0)), ..base.clone() }),
        ("device", Producer { device: Some(device(-7, 0)), ..base.clone() }),
        ("device", Producer { device: Some(device(17, 0)), ..base.clone() }),
        ("device", Producer { device: Some(device(2, -1)), ..base.clone() }),
        ("device", Producer { device: Some(device(2, 1000)), ..base.clone() }),
        ("device", Producer { device: Some(device(1, 7)), ..base.clone() }),
        ("device", Producer { device: Some(device(1, -3)), ..base.clone() }),
        ("device", Producer { device: Some(device(3, i32::MIN)), ..base.clone() }),
        ("device", Producer { device: Some(device(12, 1)), ..base.clone() }),
        ("device", Producer { device: Some(device(12, -1)), ..base.clone() }),
        ("device", Producer { device: Some(device(13, -1)), ..base.clone() }),
    ];
    for exec in execs() {
        for (field, producer) in &cases {
            let before = producer.deleted.load(Ordering::SeqCst);
            let mut tensor = producer.tensor(&exec);
            let error = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap_err();
            match &error {
                Error::Tensor { interface: "DLPack", field: found, .. } => {
                    assert_eq!(found, field, "{error}");
                }
                other => panic!("{field}: {other}"),
            }
            assert!(!tensor.is_taken());
            assert_eq!(producer.deleted.load(Ordering::SeqCst), before);
            drop(tensor);
            assert_eq!(producer.deleted.load(Ordering::SeqCst), before + 1);
        }
    }
}

#[test]
fn errors_show_original_numbers() {
    let text = |producer: Producer<'_>| {
        let exec = columnade_buffers::Exec::host();
        let mut tensor = producer.tensor(&exec);
        Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap_err().to_string()
    };
    let far = text(Producer { byte_offset: u64::MAX - 7, ..Producer::default() });
    assert!(far.contains("byte_offset: 18446744073709551608"), "{far}");
    let long = text(Producer { shape: &[1 << 30], strides: Some(&[1 << 40]), ..Producer::default() });
    assert!(long.contains(&format!("strides: {}", 1_i64 << 40)), "{long}");
}

#[test]
fn more_rows_than_memory_is_refused() {
    for exec in execs() {
        let producer = Producer { shape: &[1 << 56], strides: Some(&[0]), ..Producer::default() };
        let mut tensor = producer.tensor(&exec);
        assert!(Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).is_err());
        assert!(!tensor.is_taken());
    }
}

#[test]
fn managed_memory_belongs_to_its_gpu() {
    let managed = device(DLDevice::TYPE_CUDA_MANAGED, 0);
    match Device::Cuda(0).require() {
        Ok(()) => assert_eq!(managed.device(), Ok(Device::Cuda(0))),
        Err(_) => assert!(matches!(
            managed.device(),
            Err(Error::Tensor { fault: TensorFault::Device { device_type: 13, .. }, .. })
        )),
    }
    for exec in execs().into_iter().filter(|exec| exec.device() != Device::Cuda(0)) {
        let producer = Producer { device: Some(managed), ..Producer::default() };
        let mut tensor = producer.tensor(&exec);
        assert!(Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).is_err());
        assert!(!tensor.is_taken());
    }
}

#[test]
#[cfg_attr(miri, ignore = "leaks a tensor without a deleter")]
fn unusual_valid_tensors_are_accepted() {
    for exec in execs() {
        let here = DLDevice::of(exec.device());
        let odd = [
            Producer { version: None, ..Producer::default() },
            Producer { version: Some(DLPackVersion { major: 1, minor: 99 }), ..Producer::default() },
            Producer {
                device: Some(DLDevice { device_id: here.device_id.max(0), ..here }),
                ..Producer::default()
            },
        ];
        for producer in odd {
            let mut tensor = producer.tensor(&exec);
            let read = Column::from_dlpack(&mut tensor, CopyPolicy::Never, &exec).unwrap();
            assert_eq!(read.size(), 100);
            let taken = Column::from_dlpack(&mut tensor, CopyPolicy::Never, &exec);
            assert!(matches!(taken, Err(Error::Tensor { field, .. }) if field == "tensor"));
            drop(read);
        }
        // No deleter to call; the memory is leaked, as the producer wants it.
        let producer = Producer { is_without_deleter: true, ..Producer::default() };
        drop(Column::from_dlpack(&mut producer.tensor(&exec), CopyPolicy::Never, &exec).unwrap());
        // Empty ones have no memory, whatever they say.
        let producer =
            Producer { shape: &[0], is_without_data: true, byte_offset: u64::MAX, ..Producer::default() };
        assert!(
            Column::from_dlpack(&mut producer.tensor(&exec), CopyPolicy::Never, &exec).unwrap().is_empty()
        );
        assert_eq!(producer.deleted.load(Ordering::SeqCst), 1);
    }
}
