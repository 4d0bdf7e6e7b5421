//! Files of text that rows are read from, line by line: cut into chunks of whole rows, which are decoded in parallel.

mod chunks;
mod compression;
mod rows;

pub(super) use chunks::{Chunk, Chunks, Quoting};
pub(super) use compression::{TextCompression, compressed};
pub(super) use rows::{Decoded, Failed, Rows, TextFormat};
