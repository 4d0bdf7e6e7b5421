//! Files.

mod parquet;

pub use parquet::{
    Compression, ParquetError, ParquetPaths, ParquetReader, ParquetWriteOptions, ParquetWriter, ReadProgress,
    ReadStatistics, read_parquet,
};
