//! Arrow IPC: files (also called Feather version 2) and streams.

mod dictionaries;
mod message;
mod read;
mod scan;
#[cfg(test)]
mod tests;
mod write;

pub use message::batch_of_stream;
pub use read::{IpcProgress, IpcReader, read_ipc};
pub use write::{IpcCompression, IpcFormat, IpcWriteOptions, IpcWriter};

/// The names of files that are read of a folder.
const ENDINGS: [&str; 4] = [".arrow", ".feather", ".ipc", ".arrows"];
