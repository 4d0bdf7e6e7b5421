//! Tuning constants; those of one kernel are in its `cuda.rs`.

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

policy! {
    /// Of launches.
    pub struct LaunchPolicy {
        /// Threads of a block, unless a kernel chooses otherwise: eight blocks fill a multiprocessor, with 32 registers a thread.
        pub const THREADS: usize = 256;
    }

    /// Of element-wise kernels (`vectors.cuh`).
    pub struct VectorPolicy {
        /// Bytes of the result of one thread: the widest load and store of a GPU.
        pub const BYTES: i32 = 16;
    }

    /// Of several columns in one launch (`targets.cuh`).
    pub struct TargetsPolicy {
        /// Descriptors in the arguments of a kernel, which are at most 4 KiB.
        pub const MOST: usize = 64;
    }

    /// Of sums of positions (`primitives.cuh`).
    pub struct ScanPolicy {
        /// Up to so many values, one block scans them: CUB takes two launches and scratch memory for them.
        pub const ONE_BLOCK: i64 = 8192;
        /// Values of a thread in a round of that block.
        pub const THREAD_VALUES: i32 = 4;
    }

    /// Of scans of tiles (`look_back.cuh`).
    pub struct LookBackPolicy {
        /// Tiles of a group, at most as many as a block has threads: more make links of the chain fewer, and their values, which
        /// each tile reads, more.
        pub const GROUP: i64 = 128;
        /// With small limits.
        pub const SMALL_GROUP: i64 = 2;
    }

    /// Of runs of rows (`runs.cuh`).
    pub struct RunPolicy {
        /// Neighbouring positions of a thread.
        pub const ITEMS: i32 = 4;
        /// With more runs than this for each position of a tile, most of them empty, each position is searched instead of each
        /// run read.
        pub const MOST_RUNS: i64 = 16;
    }

    /// Of key columns (`rows.cuh`, `key_ranges.cuh`).
    pub struct KeyPolicy {
        /// The most key columns: their descriptors travel in the arguments of a kernel, which are at most 4 KiB.
        pub const MOST: usize = 16;
        /// The most blocks that measure a column, each with two atomics: two on each of 132 multiprocessors.
        pub const MEASURE_BLOCKS: u32 = 264;
    }

    /// Of tables of keys (`key_lookup.cuh`).
    pub struct LookupPolicy {
        /// Rows of a thread whose loads are in flight together.
        pub const ITEMS: i32 = 4;
        /// The most blocks that find the range of the keys, each with two atomics: two on each of 132 multiprocessors.
        pub const RANGE_BLOCKS: u32 = 264;
    }

    /// Of string columns (`strings.cuh`, `string_rows.cuh`, `assembled_bytes.cuh`).
    pub struct StringPolicy {
        /// Bytes of output that a block assembles in shared memory at a time.
        pub const STAGE: i32 = 8192;
        /// Bytes of a row that one lane copies; the whole block copies rows with more.
        pub const LANE_BYTES: i64 = 64;
        /// Bytes of shared memory in which a warp stages its rows: 96 a row.
        pub const WARP_STAGE: i32 = 3072;
        /// The bytes of its rows that a warp assembles in shared memory; rows of more go to global memory byte by byte.
        pub const MADE_BYTES: i32 = 2048;
    }

    /// Of constants in the arguments of entries (`literals.cuh`).
    pub struct LiteralPolicy {
        /// The bytes that travel with a launch; more are in memory of the device.
        pub const INLINE_BYTES: usize = 64;
    }

    /// Of what strings fail to be parsed (`parsed_rows.cuh`).
    pub struct ParsePolicy {
        /// The lowest bits of a failure are its byte, those above its row.
        pub const BYTE_BITS: u32 = 24;
    }

    /// Of regular expressions (`automaton.cuh`).
    pub struct AutomatonPolicy {
        /// Words of shared memory for the automata of a launch; larger ones stay in global memory. What else a block assembles
        /// strings with leaves so much of 48 KB.
        pub const SHARED_WORDS: i32 = 3840;
        /// The most blocks of a launch whose threads each take several rows, so that few of them copy an automaton.
        pub const BLOCKS: u32 = 512;
    }
}
