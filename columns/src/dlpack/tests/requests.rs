//! What consumers ask for: devices, streams, and writing.

use super::{being_written, column, execs, export, import, numbers};
use crate::arrow::c::CopyPolicy;
use crate::dlpack::{ConsumerStream, DLDevice, TensorRequest};
use crate::{Column, DType, Error, TensorFault};
use columnade_buffers::{Device, Exec};
use columnade_tests::Nulls;
use std::slice;

fn device_request(dl_device: DLDevice) -> TensorRequest {
    TensorRequest { dl_device: Some(dl_device), ..TensorRequest::default() }
}

#[test]
fn export_copies_to_host_and_no_other_device() {
    for exec in execs() {
        let values = column(&DType::Int32, 40, Nulls::NoMask, &exec).slice(3, 30).unwrap();
        let mut here = values.to_dlpack(&device_request(DLDevice::CPU), &exec).unwrap();
        assert_eq!(
            (here.device().unwrap(), here.is_copied().unwrap()),
            (Device::Host, exec.device() != Device::Host)
        );
        assert_eq!(import(&mut here, &Exec::host()).to_scalars().unwrap(), values.to_scalars().unwrap());
        let same = values.to_dlpack(&device_request(DLDevice::of(exec.device())), &exec).unwrap();
        assert!(!same.is_copied().unwrap());
        let elsewhere = values.to_dlpack(&device_request(DLDevice { device_type: 10, device_id: 0 }), &exec);
        assert!(matches!(
            elsewhere,
            Err(Error::Tensor { fault: TensorFault::Device { device_type: 10, .. }, .. })
        ));
        if exec.device() != Device::Host {
            let never = TensorRequest { copy: CopyPolicy::Never, ..device_request(DLDevice::CPU) };
            let refused = values.to_dlpack(&never, &exec);
            assert!(matches!(refused, Err(Error::Tensor { fault: TensorFault::NeedsCopy { .. }, .. })));
            let stream = TensorRequest { stream: ConsumerStream::of(&exec), ..device_request(DLDevice::CPU) };
            assert!(
                matches!(values.to_dlpack(&stream, &exec), Err(Error::Tensor { field, .. }) if field == "stream")
            );
            let refused =
                Column::from_dlpack(&mut export(&values, &exec), CopyPolicy::IfNeeded, &Exec::host());
            assert!(matches!(refused, Err(Error::Memory(_))));
        }
    }
}

#[test]
fn request_streams_follow_array_api_numbers() {
    // SAFETY: none of these is a handle.
    let stream = |number| unsafe { ConsumerStream::from_number(number) };
    for number in [None, Some(-1), Some(1), Some(2)] {
        assert_eq!(stream(number).unwrap().number(), number);
    }
    for number in [0, -2, i64::MIN] {
        assert!(
            matches!(stream(Some(number)), Err(Error::Tensor { fault: TensorFault::Stream { number: found, .. }, .. })
            if found == number)
        );
    }
    let values = Column::from_vec(vec![1_i64]);
    let on_the_host = TensorRequest { stream: ConsumerStream::LegacyDefault, ..TensorRequest::default() };
    assert!(values.to_dlpack(&on_the_host, &Exec::host()).is_err());
}

/// Run again with lazy streams by [`super::lifetime::lazily`].
#[test]
fn consumer_stream_waits_for_writes() {
    for exec in execs().into_iter().filter(|exec| exec.device() != Device::Host) {
        let n = 5000;
        for stream in [None, Some(ConsumerStream::LegacyDefault), Some(ConsumerStream::Unspecified)] {
            let producer = exec.with_new_stream().unwrap();
            let values = being_written(n, &producer);
            let consumer = exec.with_new_stream().unwrap();
            let stream = stream.unwrap_or(ConsumerStream::of(&consumer));
            if stream.number().is_none_or(|number| number == 1) && exec.device() != Device::Sim {
                // Our own streams do not wait for CUDA's default ones.
                continue;
            }
            // Exported on a third stream, read on the consumer's.
            let mut tensor =
                values.to_dlpack(&TensorRequest { stream, ..TensorRequest::default() }, &exec).unwrap();
            let read = import(&mut tensor, &consumer);
            drop((values, producer));
            assert_eq!(read.data().unwrap().to_vec::<i64>(&consumer).unwrap(), numbers(n));
        }
    }
}

#[test]
fn consumer_writes_reach_only_exported_column() {
    let exec = Exec::host();
    let mut values = Column::from_vec(vec![1_i64, 2, 3, 4]).slice(1, 3).unwrap();
    let other = values.clone();
    let tensor = values.to_dlpack_mut(&TensorRequest::default(), &exec).unwrap();
    assert_eq!((tensor.is_read_only().unwrap(), tensor.is_copied().unwrap()), (false, false));
    // SAFETY: three numbers that the tensor lets its holder write.
    let seen = unsafe { slice::from_raw_parts_mut(tensor.tensor().unwrap().data.cast::<i64>(), 3) };
    seen[0] = 20;
    assert_eq!(values.to_scalars().unwrap(), [20_i64, 3, 4].map(crate::Scalar::from));
    assert_eq!(other.to_scalars().unwrap(), [2_i64, 3, 4].map(crate::Scalar::from));
    drop(tensor);
    // The memory has no other owner now, and a second export copies nothing.
    let address = values.data().unwrap().read(&exec).unwrap().as_ptr();
    let again = values.to_dlpack_mut(&TensorRequest::default(), &exec).unwrap();
    assert_eq!(again.tensor().unwrap().data.cast_const().cast(), address.wrapping_add(8 * values.offset()));
    let always = TensorRequest { copy: CopyPolicy::Always, ..TensorRequest::default() };
    assert!(values.to_dlpack_mut(&always, &exec).unwrap().is_copied().unwrap());
    let mut truths = column(&DType::Bool, 4, Nulls::NoMask, &exec);
    assert!(truths.to_dlpack_mut(&TensorRequest::default(), &exec).unwrap().is_copied().unwrap());
}
