//! Two dimensions.

use super::producer::Producer;
use super::{column, counting, execs};
use crate::arrow::c::CopyPolicy;
use crate::dlpack::{ManagedTensor, TensorRequest};
use crate::{Column, ColumnAccessor, DType, Error, ErrorSubject, TensorFault};
use columnade_buffers::{Exec, MemoryResource};
use columnade_tests::Nulls;
use std::slice;

fn frame(dtype: &DType, rows: usize, columns: usize, exec: &Exec) -> ColumnAccessor {
    let columns = (0..columns).map(|at| {
        let values = column(dtype, rows + at + 3, Nulls::NoMask, exec);
        (format!("c{at}"), values.slice(at % 4, rows).unwrap())
    });
    ColumnAccessor::from_columns(columns).unwrap()
}

fn layout(tensor: &ManagedTensor) -> ([i64; 2], [i64; 2]) {
    let tensor = tensor.tensor().unwrap();
    assert_eq!(tensor.ndim, 2);
    // SAFETY: two dimensions, and the tensor is there.
    let two = |numbers| unsafe { *slice::from_raw_parts(numbers, 2).first_chunk().unwrap() };
    (two(tensor.shape), two(tensor.strides))
}

#[test]
fn frames_of_one_dtype_export_as_column_major_tensors() {
    for exec in execs() {
        for dtype in [DType::Int8, DType::Int64, DType::Float32, DType::Bool] {
            for (rows, columns) in [(0, 3), (1, 1), (33, 1), (65, 4), (600, 3)] {
                let frame = frame(&dtype, rows, columns, &exec);
                let mut tensor = frame.to_dlpack(&TensorRequest::default(), &exec).unwrap();
                let (shape, strides) = layout(&tensor);
                assert_eq!(shape.map(|size| usize::try_from(size).unwrap()), [rows, columns]);
                assert!(strides[0] == 1 && strides[1] >= i64::try_from(rows).unwrap());
                assert_eq!(
                    tensor.is_copied().unwrap(),
                    columns > 1 || dtype == DType::Bool,
                    "{dtype} {rows} {columns}"
                );
                assert_eq!(tensor.tensor().unwrap().data.is_null(), rows == 0);
                let back = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap();
                assert_eq!((back.rows(), back.len()), (rows, columns));
                for (back, column) in back.columns().iter().zip(frame.columns()) {
                    assert_eq!(back.dtype(), dtype);
                    assert_eq!(back.to_scalars().unwrap(), column.to_scalars().unwrap());
                }
            }
        }
    }
}

#[test]
fn imported_frame_is_exported_without_copy() {
    for exec in execs() {
        let (exec, counter) = counting(&exec);
        let frame = frame(&DType::Int32, 40, 3, &exec);
        let mut tensor = frame.to_dlpack(&TensorRequest::default(), &exec).unwrap();
        let address = tensor.tensor().unwrap().data;
        let back = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::Never, &exec).unwrap();
        let before = counter.statistics().unwrap().allocations;
        let again = back.slice(3, 30).unwrap().to_dlpack(&TensorRequest::default(), &exec).unwrap();
        assert_eq!(counter.statistics().unwrap().allocations, before);
        assert_eq!(layout(&again), ([30, 3], [1, 40]));
        assert!(again.is_read_only().unwrap() && !again.is_copied().unwrap());
        assert_eq!(again.tensor().unwrap().data, address.wrapping_byte_add(4 * 3));
        // In another order they are not at one distance.
        let shuffled =
            back.select_by_index([0, 2, 1]).unwrap().to_dlpack(&TensorRequest::default(), &exec).unwrap();
        assert!(shuffled.is_copied().unwrap());
        let backwards =
            back.select_by_index([2, 1, 0]).unwrap().to_dlpack(&TensorRequest::default(), &exec).unwrap();
        assert!(backwards.is_copied().unwrap());
    }
}

#[test]
fn frame_of_overlapping_columns_is_copied() {
    for exec in execs() {
        let comes_back = |frame: &ColumnAccessor| {
            let mut tensor = frame.to_dlpack(&TensorRequest::default(), &exec).unwrap();
            let rows = i64::try_from(frame.rows()).unwrap();
            assert_eq!(layout(&tensor).1, [1, rows.max(1)]);
            assert_eq!(tensor.is_copied().unwrap(), rows > 0);
            let back = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::Never, &exec).unwrap();
            assert_eq!((back.rows(), back.len()), (frame.rows(), frame.len()));
            for (back, column) in back.columns().iter().zip(frame.columns()) {
                assert_eq!(back.to_scalars().unwrap(), column.to_scalars().unwrap());
            }
            let never = TensorRequest { copy: CopyPolicy::Never, ..TensorRequest::default() };
            assert_eq!(frame.to_dlpack(&never, &exec).is_ok(), rows == 0);
        };
        for rows in [0, 1, 5, 100] {
            let one = column(&DType::Int64, rows, Nulls::NoMask, &exec);
            let clones = (0..3_i64).map(|at| (at, one.clone()));
            comes_back(&ColumnAccessor::from_columns(clones).unwrap());
        }
        // A tensor whose columns are one, as broadcasts are.
        let broadcast = Producer { shape: &[5, 3], strides: Some(&[1, 0]), ..Producer::default() };
        comes_back(
            &ColumnAccessor::from_dlpack(&mut broadcast.tensor(&exec), CopyPolicy::Never, &exec).unwrap(),
        );
        // Columns that overlap without being one go as they are.
        let overlapping = Producer { shape: &[5, 3], strides: Some(&[1, 2]), ..Producer::default() };
        let frame =
            ColumnAccessor::from_dlpack(&mut overlapping.tensor(&exec), CopyPolicy::Never, &exec).unwrap();
        let tensor = frame.to_dlpack(&TensorRequest::default(), &exec).unwrap();
        assert_eq!(layout(&tensor), ([5, 3], [1, 2]));
        assert!(!tensor.is_copied().unwrap());
    }
}

#[test]
fn frames_without_common_dtype_are_refused() {
    for exec in execs() {
        let request = TensorRequest::default();
        let none = ColumnAccessor::with_rows(3).to_dlpack(&request, &exec);
        assert!(matches!(none, Err(Error::Tensor { fault: TensorFault::NoColumns, .. })));
        let mixed = [
            ("a", column(&DType::Int8, 4, Nulls::NoMask, &exec)),
            ("b", column(&DType::Int16, 4, Nulls::NoMask, &exec)),
        ];
        let mixed = ColumnAccessor::from_columns(mixed).unwrap().to_dlpack(&request, &exec).unwrap_err();
        assert!(matches!(&mixed, Error::Context { subject: ErrorSubject::Column(column), source }
            if column == "b" && matches!(**source, Error::DTypeMismatch { .. })));
        // What is no tensor at all is named first, wherever it stands.
        let [a, b, text] = [DType::Int64, DType::Float64, DType::Utf8];
        let columns = [("a", a), ("b", b), ("text", text)]
            .map(|(name, dtype)| (name, Column::full_null(&dtype, 4, &exec).unwrap()));
        let no_type = ColumnAccessor::from_columns(columns).unwrap().to_dlpack(&request, &exec).unwrap_err();
        assert!(
            matches!(&no_type, Error::Context { subject: ErrorSubject::Column(column), source } if column == "text"
            && matches!(**source, Error::Tensor { fault: TensorFault::DType { dtype: DType::Utf8, .. }, .. }))
        );
        let nulls = [("a", column(&DType::Int8, 40, Nulls::Some, &exec))];
        let nulls = ColumnAccessor::from_columns(nulls).unwrap().to_dlpack(&request, &exec).unwrap_err();
        assert!(nulls.to_string().contains("fill_null"), "{nulls}");
        let never = TensorRequest { copy: CopyPolicy::Never, ..request };
        let apart = frame(&DType::Int8, 4, 2, &exec).to_dlpack(&never, &exec);
        assert!(matches!(apart, Err(Error::Tensor { fault: TensorFault::NeedsCopy { .. }, .. })));
    }
}

/// A shape, strides, and which number comes first.
type Case = (&'static [i64], Option<&'static [i64]>, u64);

/// Shapes and strides of a producer's, on numbers that tell where they are; against a naive reader.
#[test]
fn tensors_of_any_strides_are_imported() {
    for exec in execs() {
        let cases: [Case; 15] = [
            (&[], None, 3),
            (&[10], None, 0),
            (&[10], Some(&[1]), 5),
            (&[10], Some(&[3]), 1),
            (&[10], Some(&[-2]), 30),
            (&[10], Some(&[0]), 7),
            (&[1], Some(&[-77]), 2),
            (&[5, 4], None, 0),
            (&[5, 4], Some(&[1, 5]), 2),
            (&[5, 4], Some(&[1, 9]), 0),
            (&[5, 4], Some(&[-4, 1]), 30),
            (&[5, 4], Some(&[2, -11]), 40),
            (&[5, 0], None, 0),
            (&[0, 5], Some(&[9, 9]), 0),
            (&[4, 3], Some(&[0, 1]), 0),
        ];
        for (shape, strides, first) in cases {
            let producer = Producer { shape, strides, byte_offset: first * 8, ..Producer::default() };
            let mut tensor = producer.tensor(&exec);
            let read = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap();
            assert!(tensor.is_taken());
            let [rows, columns] = [shape.first().copied().unwrap_or(1), shape.get(1).copied().unwrap_or(1)];
            let strides = match (strides, shape.len()) {
                (Some(&[row]), _) => [row, 0],
                (Some(strides), _) => [strides[0], strides[1]],
                (None, 2) => [shape[1], 1],
                (None, _) => [1, 0],
            };
            assert_eq!(
                (read.rows(), read.len()),
                (usize::try_from(rows).unwrap(), usize::try_from(columns).unwrap())
            );
            for (column, at) in read.columns().iter().zip(0..) {
                let expected =
                    (0..rows).map(|row| i64::try_from(first).unwrap() + row * strides[0] + at * strides[1]);
                assert_eq!(
                    column.data().unwrap().to_vec::<i64>(&exec).unwrap(),
                    expected.collect::<Vec<i64>>(),
                    "{shape:?} {strides:?} column {at}"
                );
            }
        }
    }
}

#[test]
fn lanes_become_columns() {
    for exec in execs() {
        let producer = Producer { shape: &[6], strides: Some(&[2]), lanes: 2, ..Producer::default() };
        let mut tensor = producer.tensor(&exec);
        assert!(Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).is_err());
        let read = ColumnAccessor::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap();
        for (column, first) in read.columns().iter().zip([0, 1]) {
            let expected: Vec<i64> = (0..6).map(|row| first + row * 4).collect();
            assert_eq!(column.data().unwrap().to_vec::<i64>(&exec).unwrap(), expected);
        }
        assert_eq!(read.len(), 2);
    }
}

#[test]
fn misaligned_numbers_are_copied() {
    for exec in execs() {
        let producer = Producer { shape: &[9], byte_offset: 1, ..Producer::default() };
        let mut tensor = producer.tensor(&exec);
        let refused = Column::from_dlpack(&mut tensor, CopyPolicy::Never, &exec);
        assert!(matches!(refused, Err(Error::Tensor { fault: TensorFault::NeedsCopy { .. }, .. })));
        let read = Column::from_dlpack(&mut tensor, CopyPolicy::IfNeeded, &exec).unwrap();
        let bytes: Vec<u8> = (0_i64..10).flat_map(i64::to_ne_bytes).collect();
        assert_eq!(read.data().unwrap().to_vec::<u8>(&exec).unwrap(), bytes[1..73]);
    }
}
