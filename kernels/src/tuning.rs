//! Tuning constants.

/// Rows of a host morsel, the work of one task of a parallel loop. A multiple of 64, so that no two tasks
/// share a word of a bitmask. 64 Ki rows of 8 bytes are half of a 1 MiB L2 cache.
pub const HOST_MORSEL_ROWS: usize = 64 * 1024;

/// Keys of at most this many bits, and of fewer values than rows, are grouped through an array over all keys.
pub(crate) const GROUP_DIRECT_BITS: u32 = 22;

/// From this many rows on, a sample decides whether grouping partitions them first.
pub(crate) const GROUP_PARTITION_ROWS: usize = 1 << 20;

/// Rows of a partition: its table of 16-byte slots, half full, stays in a 1 MiB L2 cache.
pub(crate) const GROUP_PARTITION_TABLE_ROWS: usize = 32 * 1024;

/// The most ranges of rows with states of their own.
pub(crate) const AGGREGATE_RANGES: usize = 32;

/// A join uses a table without hashing if there are at most this many possible keys, …
pub(crate) const JOIN_DENSE_KEYS: usize = 1 << 20;

/// … or this many for each row of the build side: as much memory as a hash table of them.
pub(crate) const JOIN_DENSE_KEYS_PER_ROW: usize = 256;

/// From this many rows of the side that a hash table is made of, both sides of a join are partitioned first. Of 1e7 left
/// rows and 3e5, 1e6 and 1e7 right ones with keys of 64 random bits, it takes 1.15, 0.97 and 0.42 of the processor time of a
/// single table, and all of it is parallel.
pub(crate) const JOIN_PARTITION_ROWS: usize = 1 << 19;

/// Rows of the other side that are partitioned at a time, at least: it bounds the memory that they take.
pub(crate) const JOIN_PROBE_BLOCK_ROWS: usize = 1 << 22;

/// Scratch arrays of a device operation share blocks that double from this size …
pub(crate) const SCRATCH_BLOCK_LEAST: usize = 4 << 10;

/// … to this one. A larger array is an allocation of its own: for rows that many, allocations cost little beside the work.
pub(crate) const SCRATCH_BLOCK_MOST: usize = 64 << 10;
