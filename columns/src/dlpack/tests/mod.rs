//! Tensors out and in on every device, hostile ones, and when each side frees its memory.

mod frames;
mod halves;
mod hostile;
mod lifetime;
mod producer;
mod requests;
mod round_trips;

use super::{ManagedTensor, TensorRequest};
use crate::arrow::c::CopyPolicy;
use crate::test_dtypes::{scalars, slices};
use crate::test_execs::{counting, execs};
use crate::{Column, DType, NumericColumn};
use columnade_buffers::Exec;
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::{FixedData, Value};
use columnade_tests::{Nulls, Rng};

const SIZES: [usize; 8] = [0, 1, 31, 33, 64, 65, 513, 1100];

/// The dtypes that DLPack has types for.
fn dtypes() -> Vec<DType> {
    DType::NUMERIC.into_iter().chain([DType::Bool]).collect()
}

fn column(dtype: &DType, n: usize, nulls: Nulls, exec: &Exec) -> Column {
    let rows = scalars(dtype, n, nulls, &mut Rng::new(n as u64 + 1));
    Column::from_scalars(dtype, &rows, exec).unwrap()
}

fn export(column: &Column, exec: &Exec) -> ManagedTensor {
    column.to_dlpack(&TensorRequest::default(), exec).unwrap()
}

fn import(tensor: &mut ManagedTensor, exec: &Exec) -> Column {
    Column::from_dlpack(tensor, CopyPolicy::IfNeeded, exec).unwrap()
}

/// The numbers 0, 1, …, still being written by `exec`'s stream.
fn being_written(n: usize, exec: &Exec) -> Column {
    let FixedData { data, .. } = sequence(Value::I64(0), Value::I64(1), n, exec).unwrap();
    Column::Numeric(NumericColumn::new(DType::Int64, data, None, 0, n).unwrap())
}

fn numbers(n: usize) -> Vec<i64> {
    (0..).take(n).collect()
}
