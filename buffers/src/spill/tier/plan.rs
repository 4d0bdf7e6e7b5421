//! The blocks and chunks for a number of bytes.

use smallvec::SmallVec;

/// The granularity of chunk sizes.
const CHUNK_STEP: usize = 256;

/// Larger chunks are page-aligned, so that a file can be written from them directly.
const PAGED_FROM: usize = 32 << 10;

/// Blocks and chunks for a number of bytes, filled in this order; only the last may be partially used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Whole blocks.
    pub(super) blocks: usize,
    /// Sizes of chunks, which are parts of a block.
    pub(super) chunks: SmallVec<[usize; 2]>,
}

impl Plan {
    /// The plan for `len` bytes with blocks of `block` bytes, a power of two.
    ///
    /// The rest after whole blocks takes a chunk, or half a block and a chunk. At most half of the rest is
    /// wasted, and never more than a quarter of a block.
    pub(super) fn new(len: usize, block: usize) -> Self {
        debug_assert!(block.is_power_of_two() && block >= 4 * PAGED_FROM);
        let (mut blocks, rest) = (len / block, len % block);
        let mut chunks = SmallVec::new();
        let half = block / 2;
        if rest > half + block / 4 {
            blocks += 1;
        } else if rest > half {
            chunks.extend([half, chunk_holding(rest - half, block)]);
        } else if rest > 0 {
            chunks.push(chunk_holding(rest, block));
        }
        Self { blocks, chunks }
    }

    /// The sum of all blocks and chunks.
    pub(super) fn bytes(&self, block: usize) -> usize {
        self.blocks * block + self.chunks.iter().sum::<usize>()
    }
}

/// The smallest chunk size of at least `len` bytes, at most half a block.
///
/// A block is split into equal chunks; there are four sizes per doubling.
fn chunk_holding(len: usize, block: usize) -> usize {
    let mut number = grid(block / len.max(CHUNK_STEP));
    loop {
        let bytes = block / number;
        let step = if bytes >= PAGED_FROM { super::memory::PAGE_BYTES } else { CHUNK_STEP };
        let chunk = bytes / step * step;
        if chunk >= len {
            return chunk;
        }
        number = grid(number - 1);
    }
}

/// The largest number up to `number` with only its first three binary digits nonzero.
fn grid(number: usize) -> usize {
    let dropped = number.ilog2().saturating_sub(2);
    number >> dropped << dropped
}
