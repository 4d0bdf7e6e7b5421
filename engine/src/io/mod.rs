//! Files.

mod adopt;
mod appended;
mod batches;
mod csv;
mod error;
mod file;
mod frames;

mod hive;
mod ipc;
mod json;
mod merge;
mod nested;
mod nesting;
mod panics;
mod parquet;
mod paths;
mod scan;
#[cfg(test)]
mod test_appended;
#[cfg(test)]
mod test_first_rows;
#[cfg(test)]
mod test_limits;
#[cfg(test)]
mod test_merge;
#[cfg(test)]
mod test_named_columns;
#[cfg(test)]
#[cfg(feature = "failpoints")]
mod tests;
mod text;
mod wide_integers;

pub use csv::{CsvReader, CsvWriteOptions, CsvWriter, DuplicateNames, read_csv};
pub use error::FileError;
pub use ipc::{
    IpcCompression, IpcFormat, IpcProgress, IpcReader, IpcWriteOptions, IpcWriter, batch_of_stream, read_ipc,
};
pub use json::{JsonLayout, JsonReader, JsonWriteOptions, JsonWriter, read_json};
pub use panics::silence_decoder_panics;
pub use parquet::{
    Compression, ParquetError, ParquetReader, ParquetScan, ParquetWriteOptions, ParquetWriter, ReadProgress,
    ReadStatistics, read_parquet,
};
pub use paths::FilePaths;
pub use scan::FrameScan;
pub use text::{BadRows, EncodingErrors, TextCompression, TextProgress, TextStatistics, WriteProgress};
