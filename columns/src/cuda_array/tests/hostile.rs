//! Descriptions that mean nothing: an error that names the entry.

use super::{column, execs, export, import};
use crate::cuda_array::CudaArrayInterface;
use crate::tensor::TensorFault;
use crate::{Column, DType, Error};
use columnade_buffers::{Device, Exec};
use columnade_tests::Nulls;
use std::thread;
use std::time::{Duration, Instant};

type Change = fn(&mut CudaArrayInterface);

fn masked(interface: &mut CudaArrayInterface, change: Change) {
    let mut mask = interface.clone();
    mask.typestr = "|b1".to_owned();
    mask.descr = None;
    change(&mut mask);
    interface.mask = Some(Box::new(mask));
}

const CASES: [(&str, Change); 25] = [
    ("version", |array| array.version = 4),
    ("version", |array| array.version = -1),
    ("typestr", |array| array.typestr = String::new()),
    ("typestr", |array| array.typestr = ">i8".to_owned()),
    ("typestr", |array| array.typestr = ">f2".to_owned()),
    ("typestr", |array| array.typestr = "<c16".to_owned()),
    ("typestr", |array| array.typestr = "<M8[D]".to_owned()),
    ("typestr", |array| array.typestr = "<M8".to_owned()),
    ("typestr", |array| array.typestr = "é".to_owned()),
    ("descr", |array| array.descr = Some(vec![])),
    ("descr", |array| {
        array.descr = Some(vec![("x".to_owned(), "<i4".to_owned()), ("y".to_owned(), "<i4".to_owned())]);
    }),
    ("shape", |array| array.shape = vec![1, 1]),
    ("shape[0]", |array| array.shape = vec![-4]),
    ("shape[0]", |array| array.shape = vec![i64::MAX]),
    ("strides", |array| array.strides = Some(vec![8, 8])),
    ("strides[0]", |array| array.strides = Some(vec![3])),
    ("strides[0]", |array| array.strides = Some(vec![i64::MIN + 1])),
    ("data", |array| array.data.address = 0),
    ("stream", |array| array.stream = Some(0)),
    ("stream", |array| array.stream = Some(-3)),
    ("mask.typestr", |array| masked(array, |mask| mask.typestr = "<M8[ns]".to_owned())),
    ("mask.shape", |array| masked(array, |mask| mask.shape = vec![3])),
    ("mask.strides", |array| masked(array, |mask| mask.strides = Some(vec![]))),
    ("mask.mask", |array| masked(array, |mask| mask.mask = Some(Box::new(mask.clone())))),
    ("mask.data", |array| masked(array, |mask| mask.data.address = 0)),
];

#[test]
fn errors_name_the_invalid_entry() {
    for exec in execs() {
        let values = column(&DType::Int64, 10, Nulls::NoMask, &exec);
        for (field, change) in CASES {
            let array = export(&values, &exec);
            let mut interface = array.interface().clone();
            change(&mut interface);
            let error = import(&interface, array, &exec).unwrap_err();
            match &error {
                Error::Tensor { interface: "CUDA array interface", field: found, .. } => {
                    assert_eq!(found, field, "{error}");
                }
                other => panic!("{field}: {other}"),
            }
            // What keeps the memory goes with the error, on a thread of its own at times.
            let start = Instant::now();
            while !values.data().unwrap().is_unique() && start.elapsed() < Duration::from_mins(1) {
                thread::sleep(Duration::from_millis(1));
            }
            assert!(values.data().unwrap().is_unique(), "{field}");
        }
    }
}

#[test]
fn host_memory_is_refused() {
    for exec in execs() {
        let array = export(&column(&DType::Int64, 10, Nulls::NoMask, &exec), &exec);
        let interface = array.interface().clone();
        let refused: Result<Column, Error> = import(&interface, array, &Exec::host());
        assert!(matches!(refused, Err(Error::Tensor { field, .. }) if field == "data"));
    }
}

/// What the device can tell of memory that it does not have: a GPU that reads all memory of the host cannot.
#[test]
fn memory_that_the_device_does_not_have_is_refused() {
    for exec in execs() {
        let device = exec.device();
        let refused = |change: &dyn Fn(&mut CudaArrayInterface)| {
            let array = export(&column(&DType::Int64, 64, Nulls::NoMask, &exec), &exec);
            let mut interface = array.interface().clone();
            change(&mut interface);
            match import(&interface, array, &exec) {
                Err(Error::Tensor {
                    field, fault: TensorFault::Unreadable { found, needed, .. }, ..
                }) => Some((field, found, needed)),
                Err(other) => panic!("{other}"),
                Ok(_) => None,
            }
        };
        assert_eq!(refused(&|_| ()), None);
        assert_eq!(refused(&|array| array.shape = vec![1]), None);
        // Its last value, the first value after it, and another one before it. GPUs and the simulator know where an
        // allocation begins and ends.
        let last = |array: &mut CudaArrayInterface| {
            array.data.address += 63 * 8;
            array.shape = vec![1];
        };
        assert_eq!(refused(&last), None);
        assert_eq!(refused(&|array| array.strides = Some(vec![-8])).is_none(), device == Device::Host);
        let own = [1_u64, 2];
        let on_stack = own.as_ptr().addr();
        if device != Device::Sim && device.readable_bytes(on_stack).unwrap().is_none() {
            continue;
        }
        let foreign = |array: &mut CudaArrayInterface| {
            array.data.address = on_stack;
            array.shape = vec![2];
        };
        assert_eq!(refused(&foreign), Some(("data".to_owned(), 0, 16)));
        let far = |array: &mut CudaArrayInterface| array.shape = vec![1 << 40];
        let (field, found, needed) = refused(&far).unwrap();
        assert_eq!((field.as_str(), needed), ("data", 1 << 43));
        assert!(found >= 64 * 8, "{found}");
        let wide = |array: &mut CudaArrayInterface| array.strides = Some(vec![1 << 40]);
        assert_eq!(refused(&wide).unwrap().0, "data");
        let mask = |array: &mut CudaArrayInterface| {
            masked(array, |mask| mask.data.address = 64);
        };
        assert_eq!(refused(&mask).unwrap(), ("mask.data".to_owned(), 0, 64));
    }
}
