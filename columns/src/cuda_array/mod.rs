//! The CUDA Array Interface, version 3: columns as descriptions of device memory, and such descriptions as columns.
//!
//! | | to | from |
//! | --- | --- | --- |
//! | a column, held as long as the result lives | [`Column::to_cuda_array`], to be written too [`Column::to_cuda_array_mut`] | [`Column::from_cuda_array`] |
//! | a column, exposed for good | [`Column::expose_cuda_array`] | |
//! | two dimensions | | [`ColumnAccessor::from_cuda_array`] |
//! | a column of several | [`ColumnAccessor::to_cuda_array_mut`], [`ColumnAccessor::expose_cuda_array`] | |
//! | for who cannot promise anything | | [`ForeignCudaArray`] |
//!
//! A [`CudaArrayInterface`] is what the Python attribute `__cuda_array_interface__` says, as plain values. The
//! interface has nobody who owns the memory: whoever gives a description away keeps the [`CudaArray`], or the exposed
//! column, as long as the description may be in use. Only memory of GPUs has one, and of the simulator, as if it were
//! one.
//!
//! # Nulls
//! A column with nulls has a mask: an array of a byte for each row, made for the export. Consumers are known that
//! ignore masks without a word, and others that refuse them: [`MaskPolicy::Refuse`] makes nulls an error here.
//!
//! # Streams
//! Whoever synchronises with the published stream has waited for all work that fills the memory. The stream lives at
//! least as long as the [`CudaArray`], and for good where the column is exposed. What is imported waits for the described
//! stream, and what is queued there afterwards waits for what the import itself reads. [`StreamEntry`] leaves out, or
//! ignores, what the interface says on it.
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
