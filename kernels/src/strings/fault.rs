//! What kernels find wrong with rows of strings: `RowFault` of `characters.cuh`.

/// A row that is not null is not UTF-8, or longer than the operation takes.
pub(super) const NOT_UTF8: i64 = 1;
/// The result is larger than any memory.
pub(super) const TOO_LARGE: i64 = 2;
/// There are other characters than ASCII, and the launch had no tables of them.
pub(super) const NEEDS_TABLES: i64 = 4;
