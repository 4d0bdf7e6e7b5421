//! JSON lines: a row is an object on a line of its own.

mod format;
mod read;
mod shape;
#[cfg(test)]
mod tests;
mod write;

pub use read::{JsonReader, read_json};
pub use write::JsonWriteOptions;

/// The names of files that are read of a folder.
const ENDINGS: [&str; 9] = [
    ".jsonl",
    ".jsonl.gz",
    ".jsonl.zst",
    ".ndjson",
    ".ndjson.gz",
    ".ndjson.zst",
    ".json",
    ".json.gz",
    ".json.zst",
];
