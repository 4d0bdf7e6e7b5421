//! DLPack 1.x: columns and frames of numbers as tensors, and tensors as columns and frames.
//!
//! | | to | from |
//! | --- | --- | --- |
//! | a column, one dimension | [`Column::to_dlpack`], writable: [`Column::to_dlpack_mut`] | [`Column::from_dlpack`] |
//! | a frame of one dtype, two dimensions | [`ColumnAccessor::to_dlpack`] | [`ColumnAccessor::from_dlpack`] |
//!
//! A [`ManagedTensor`] is exchanged with other libraries as a pointer, [`RawTensor`].
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
//! An export shares the values, held by a [`Lease`](columnade_buffers::Lease) until the consumer calls the deleter, on any
//! thread. They are flagged as read-only unless the caller requests otherwise: a consumer that writes them anyway changes
//! every column that shares them. The form before 1.0 has no flags. Booleans, which are bytes in DLPack, are copied, and
//! whatever the [request](TensorRequest) asks to copy. Strides and shapes are never null, and the address is that of the
//! first value.
//!
//! Nulls are refused, since DLPack cannot represent them, as are dtypes without a DLPack type.
//!
//! # What is imported
//! Tensors have up to two dimensions; lanes of vectors count as one. They may be on the host, in page-locked memory, on
//! GPUs, in managed memory or on the simulator. Memory is shared if the values of each column are contiguous, and never
//! written, whatever the flags say. The deleter runs after the last column that uses the memory is dropped and the work
//! queued with it is done. A failed import leaves its source unchanged.
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
