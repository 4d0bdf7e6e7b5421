//! JSON: lines of which each is an object of one row, and documents, which are made lines before they are decoded.

mod document;
mod format;
mod layout;
mod read;
mod shape;
#[cfg(test)]
mod test_documents;
#[cfg(test)]
mod test_nested_values;
#[cfg(test)]
mod tests;
mod whole;
mod write;

pub(super) use document::DocumentFault;
pub use layout::JsonLayout;
pub use read::{JsonReader, read_json};
pub use write::{JsonWriteOptions, JsonWriter};

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
