//! Streams of frames, and of the chunks of a column.

mod export;
mod read;

pub use export::{export_column_device_stream, export_column_stream, export_device_stream, export_stream};
pub use read::{ColumnStreamReader, DeviceColumnStreamReader, DeviceStreamReader, StreamReader};

use std::ffi::c_int;

/// `EIO`: what fails in the middle of a stream and is nothing of the below.
const EIO: c_int = 5;
/// `ENOMEM`.
const ENOMEM: c_int = 12;
/// `EINVAL`.
const EINVAL: c_int = 22;
/// `EOVERFLOW`.
const EOVERFLOW: c_int = 75;
/// `ENOSYS`.
const ENOSYS: c_int = 38;
