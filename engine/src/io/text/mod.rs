//! Files of text that rows are read from, line by line: cut into chunks of whole rows, which are decoded in parallel.

mod chunks;
mod compression;
mod encoding;
mod in_paths;
mod read;
mod rows;
mod scan;
mod write;

pub(super) use chunks::{Chunk, Chunks, Quoting, TextSource, line_end, lines_before};
pub use compression::TextCompression;
pub(super) use compression::{TextSink, known};
pub use encoding::EncodingErrors;
pub(super) use encoding::{TextEncoding, UnknownEncoding, encoding_of};
pub(super) use in_paths::InPaths;
pub use read::{BadRows, TextProgress, TextStatistics};
pub(super) use read::{ReportProgress, TextRead, Widening};
pub(super) use rows::{Decoded, Failed, Rows, TextFormat};
pub(super) use scan::TextScan;
pub use write::WriteProgress;
pub(super) use write::{Blocks, TextFile, write_blocks};
