//! Arrow's C interfaces: data, stream, device data and device stream.
//!
//! Libraries that support these structs exchange columns and frames with this one without a copy, in the memory of the
//! device that they are on. No C code is involved: the structs are declared in Rust, and no consumer or producer is
//! linked.
//!
//! | to | from | of |
//! | --- | --- | --- |
//! | [`Column::to_arrow_c`], [`ColumnAccessor::to_arrow_c`] | [`Column::from_arrow_c`], [`ColumnAccessor::from_arrow_c`] | the host |
//! | [`Column::to_arrow_c_device`], [`ColumnAccessor::to_arrow_c_device`] | [`Column::from_arrow_c_device`], [`ColumnAccessor::from_arrow_c_device`] | the device that the columns are on |
//! | | [`Column::from_arrow_c_to_device`], [`ColumnAccessor::from_arrow_c_to_device`] | the host, to a device |
//! | [`export_stream`], [`export_device_stream`] | [`StreamReader`], [`DeviceStreamReader`] | a sequence of frames |
//! | [`export_column_stream`], [`export_column_device_stream`] | [`ColumnStreamReader`], [`DeviceColumnStreamReader`] | the chunks of one column |
//!
//! A frame is a struct array, as the interface defines for record batches.
//!
//! # What is exported
//! Every exported buffer is leased ([`Lease`](columnade_buffers::Lease)): it is neither moved nor written until the
//! consumer releases the array, even if the column is dropped. Then it can be spilled and written in place again. Children may be moved out of their parents and released before or after them, on any thread.
//!
//! # What is imported
//! Memory is shared if possible, and never written. The producer's callback runs after the last column that uses the
//! memory is dropped and the work queued with it is done. A failed import leaves its source unchanged.
//!
//! ```
//! use columnade_columns::arrow::c::{ExportOptions, ImportOptions};
//! use columnade_columns::{Column, ColumnAccessor};
//!
//! let frame = ColumnAccessor::from_columns([("id", Column::from_vec(vec![1_i64, 2, 3]))])?;
//! let (schema, mut array) = frame.to_arrow_c(&ExportOptions::default())?;
//! let back = ColumnAccessor::from_arrow_c(&schema, &mut array, &ImportOptions::default())?;
//! assert!(array.is_released());
//! assert_eq!(back.get("id")?.to_scalars()?, frame.get("id")?.to_scalars()?);
//! # Ok::<(), columnade_columns::Error>(())
//! ```
//!
//! # Source
//! The Arrow C data, stream and device data interfaces.

mod abi;
mod device;
mod export;
mod format;
mod import;
mod options;
mod owned;
mod path;
mod schema;
mod stream;
#[cfg(test)]
mod tests;
mod tree;
mod violation;

pub use abi::{
    ARROW_DEVICE_CPU, ARROW_DEVICE_CUDA, ARROW_DEVICE_CUDA_HOST, ARROW_DEVICE_CUDA_MANAGED,
    ARROW_DEVICE_EXT_DEV, ARROW_FLAG_DICTIONARY_ORDERED, ARROW_FLAG_MAP_KEYS_SORTED, ARROW_FLAG_NULLABLE,
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, ArrowDeviceType, ArrowSchema,
};
pub use options::{
    CopyPolicy, DecimalWidth, ExportOptions, Handover, ImportOptions, NullCounts, OffsetLayout, Validation,
};
pub use owned::{Owned, OwnedArray, OwnedDeviceArray, OwnedDeviceStream, OwnedSchema, OwnedStream, Struct};
pub use stream::{
    ColumnStreamReader, DeviceColumnStreamReader, DeviceStreamReader, StreamReader,
    export_column_device_stream, export_column_stream, export_device_stream, export_stream,
};
pub use violation::Violation;

#[cfg(doc)]
use crate::{Column, ColumnAccessor};
