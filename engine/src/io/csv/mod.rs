//! CSV: text of rows whose fields are separated by a character.

mod empties;
mod encode;
mod files;
mod format;
mod options;
mod plain;
mod read;
mod records;
#[cfg(test)]
mod test_empties;
#[cfg(test)]
mod test_encodings;
#[cfg(test)]
mod test_instants;
#[cfg(test)]
mod test_plain;
#[cfg(test)]
mod tests;
pub(super) mod types;
mod write;

pub use options::DuplicateNames;
use options::Options;
pub use read::{CsvReader, read_csv};
pub(super) use write::as_written;
pub use write::{CsvWriteOptions, CsvWriter};

/// The names of files that are read of a folder.
const ENDINGS: [&str; 3] = [".csv", ".csv.gz", ".csv.zst"];
