//! Parquet: which files, which row groups, which columns; decoded in parallel and handed to columns as Arrow arrays.

mod error;
mod prune;
mod read;
mod write;

pub use error::ParquetError;
pub use read::{ParquetPaths, ParquetReader, ReadProgress, ReadStatistics, read_parquet};
pub use write::{Compression, ParquetWriteOptions, ParquetWriter};
