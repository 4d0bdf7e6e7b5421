//! Every number chosen by measurement, with where and when it was measured.

/// Rows of a host morsel: what one task of a parallel loop takes. A multiple of 64, so that no two tasks share
/// a word of a bit mask. 64 Ki rows of 8 bytes are half of a 1 MiB second-level cache.
pub const HOST_MORSEL_ROWS: usize = 64 * 1024;

/// Threads of a block for kernels with one thread a row.
pub const BLOCK_THREADS: u32 = 256;
