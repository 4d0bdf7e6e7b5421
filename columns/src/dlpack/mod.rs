//! DLPack 1.x: columns and frames of numbers as tensors, and tensors as columns and frames.
//!
//! | | to | from |
//! | --- | --- | --- |
//! | a column, one dimension | [`Column::to_dlpack`], to be written by its holder [`Column::to_dlpack_mut`] | [`Column::from_dlpack`] |
//! | a frame of one dtype, two dimensions | [`ColumnAccessor::to_dlpack`] | [`ColumnAccessor::from_dlpack`] |
//!
//! A [`ManagedTensor`] goes to another library as the pointer that it is, [`RawTensor`], and comes from one that way.
//!
//! ```
//! use columnade_buffers::Exec;
//! use columnade_columns::Column;
//! use columnade_columns::arrow::c::CopyPolicy;
//! use columnade_columns::dlpack::{DLDevice, TensorRequest};
//!
//! let exec = Exec::host();
//! let column = Column::from_vec(vec![1_i64, 2, 3]);
//! let mut tensor = column.to_dlpack(&TensorRequest::default(), &exec)?;
//! let seen = tensor.tensor()?;
//! assert_eq!((seen.ndim, seen.device), (1, DLDevice::CPU));
//! let back = Column::from_dlpack(&mut tensor, CopyPolicy::Never, &exec)?;
//! assert_eq!(back.to_scalars()?, column.to_scalars()?);
//! # Ok::<(), columnade_columns::Error>(())
//! ```
//!
//! # What is exported
//! The values where they are, held by a [`Lease`](columnade_buffers::Lease) until the consumer calls the deleter, on
//! whatever thread. They are flagged as read-only unless the caller asked for more: a consumer that writes them
//! nevertheless changes them for every column that shares them. The form from before 1.0 has no flags. Copied are
//! booleans, which have a byte there, and what the [request](TensorRequest) wants copied. Strides and shapes are
//! never null, and the address is that of the first value.
//!
//! Nulls are refused: there is no place for them. So are dtypes that DLPack has no type for.
//!
//! # What is imported
//! Tensors of up to two dimensions, the lanes of vectors being one of them: of the host, page-locked memory, GPUs,
//! managed memory and the simulator's. Memory is shared where a column's values are contiguous, and never
//! written, whatever the flags say. The deleter runs when the last column that uses the memory is dropped and the work
//! queued with it is done. An import that fails leaves its source as it was.
//!
//! # Source
//! `dlpack/dlpack.h` 1.3 and the Python array API standard, "Data interchange mechanisms".

mod abi;
mod device;
mod element;
mod export;
mod import;
mod owned;
mod request;
#[cfg(test)]
mod tests;

pub use abi::{
    DLDataType, DLDevice, DLDeviceType, DLManagedTensor, DLManagedTensorVersioned, DLPackVersion, DLTensor,
};
pub use abi::{FLAG_IS_COPIED, FLAG_IS_SUBBYTE_TYPE_PADDED, FLAG_READ_ONLY};
pub use owned::{ManagedTensor, RawTensor};
pub use request::{ConsumerStream, StreamHandle, TensorRequest};

use crate::tensor::Interface;
#[cfg(doc)]
use crate::{Column, ColumnAccessor};

const DLPACK: Interface = Interface::new("DLPack");
