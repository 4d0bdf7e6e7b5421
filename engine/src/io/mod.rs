//! Files.

mod file;
mod parquet;
#[cfg(test)]
#[cfg(feature = "failpoints")]
mod tests;

pub use parquet::{
    Compression, ParquetError, ParquetPaths, ParquetReader, ParquetWriteOptions, ParquetWriter, ReadProgress,
    ReadStatistics, read_parquet,
};
