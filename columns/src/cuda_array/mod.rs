//! The CUDA Array Interface, version 3: columns as descriptions of device memory, and such descriptions as columns.
//!
//! | | to | from |
//! | --- | --- | --- |
//! | a column, leased as long as the result lives | [`Column::to_cuda_array`], writable: [`Column::to_cuda_array_mut`] | [`Column::from_cuda_array`] |
//! | a column, exposed permanently | [`Column::expose_cuda_array`] | |
//! | a two-dimensional array | | [`ColumnAccessor::from_cuda_array`] |
//! | one column of a frame | [`ColumnAccessor::to_cuda_array_mut`], [`ColumnAccessor::expose_cuda_array`] | |
//! | without `unsafe` | | [`ForeignCudaArray`] |
//!
//! A [`CudaArrayInterface`] has the members of the Python attribute `__cuda_array_interface__`. The interface does not
//! express ownership: the exporter keeps the [`CudaArray`], or the exposed column, as long as the description may be in
//! use. It describes memory of GPUs only, and of the simulator, which counts as a GPU.
//!
//! # Nulls
//! A column with nulls has a mask: an array with one byte per row, made for the export. Some consumers ignore masks
//! silently and others refuse them; [`MaskPolicy::Refuse`] makes nulls an error of the export.
//!
//! # Streams
//! A consumer that synchronises with the published stream has waited for all work that fills the memory. The stream
//! lives at least as long as the [`CudaArray`], and for ever if the column is exposed. An import waits for the described
//! stream, and work that is queued there later waits for the reads of the import. With [`StreamEntry`] an export omits the
//! stream, and an import ignores it.
//!
//! # Source
//! Numba, "CUDA Array Interface (Version 3)"; cuDF `Column.__cuda_array_interface__`.

mod descriptor;
mod export;
mod foreign;
mod import;
#[cfg(test)]
mod tests;
mod typestr;

pub use descriptor::{CudaArrayInterface, DevicePointer};
pub use export::{CudaArray, CudaArrayExport, MaskPolicy, StreamEntry};
pub use foreign::ForeignCudaArray;
pub use import::{CudaArrayImport, MaskLayout};

use crate::tensor::Interface;
#[cfg(doc)]
use crate::{Column, ColumnAccessor};

const CUDA_ARRAY: Interface = Interface::new("CUDA array interface");
/// For the entries of a mask.
const MASK: Interface = CUDA_ARRAY.within("mask.");
