//! Descriptions out and in on every device but the host.

mod hostile;
mod round_trips;
mod streams;
mod variants;

use super::{CudaArray, CudaArrayExport, CudaArrayImport, CudaArrayInterface};
use crate::test_dtypes::scalars;
use crate::{Column, DType, Result, TimeUnit};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng};

fn execs() -> Vec<Exec> {
    let devices = Device::available().into_iter().filter(|device| *device != Device::Host);
    devices.map(|device| Exec::new(device).unwrap()).collect()
}

/// The dtypes that NumPy has types for.
fn dtypes() -> Vec<DType> {
    let times = TimeUnit::ALL.into_iter().flat_map(|unit| [DType::Timestamp(unit), DType::Duration(unit)]);
    DType::NUMERIC.into_iter().chain([DType::Bool]).chain(times).collect()
}

fn column(dtype: &DType, n: usize, nulls: Nulls, exec: &Exec) -> Column {
    let rows = scalars(dtype, n, nulls, &mut Rng::new(n as u64 + 1));
    Column::from_scalars(dtype, &rows, exec).unwrap()
}

fn export(column: &Column, exec: &Exec) -> CudaArray {
    column.to_cuda_array(&CudaArrayExport::default(), exec).unwrap()
}

/// A description of memory that `keep` keeps.
fn import(interface: &CudaArrayInterface, keep: CudaArray, exec: &Exec) -> Result<Column> {
    // SAFETY: the description is of memory that is kept, with a stream that is kept too.
    unsafe { Column::from_cuda_array(interface, keep, &CudaArrayImport::default(), exec) }
}
