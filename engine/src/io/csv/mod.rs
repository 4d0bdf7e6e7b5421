//! CSV: text of rows whose fields are separated by a character.

mod format;
mod options;
mod read;
mod records;
#[cfg(test)]
mod tests;
mod types;
mod write;

pub use options::BadRows;
use options::Options;
pub use read::{CsvProgress, CsvReader, CsvStatistics, read_csv};
pub use write::CsvWriteOptions;

/// The names of files that are read of a folder.
const ENDINGS: [&str; 3] = [".csv", ".csv.gz", ".csv.zst"];
