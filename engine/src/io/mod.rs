//! Files.

mod adopt;
mod csv;
mod error;
mod file;
mod frames;
mod ipc;
mod parquet;
mod paths;
#[cfg(test)]
#[cfg(feature = "failpoints")]
mod tests;
mod text;

pub use csv::{BadRows, CsvProgress, CsvReader, CsvStatistics, CsvWriteOptions, read_csv};
pub use error::FileError;
pub use ipc::{IpcCompression, IpcReader, IpcWriteOptions, read_ipc};
pub use parquet::{
    Compression, ParquetError, ParquetReader, ParquetWriteOptions, ParquetWriter, ReadProgress,
    ReadStatistics, read_parquet,
};
pub use paths::FilePaths;
