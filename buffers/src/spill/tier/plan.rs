//! How many blocks, and which parts of blocks, hold so many bytes.

use smallvec::SmallVec;

/// What a chunk's size is a multiple of.
const CHUNK_STEP: usize = 256;

/// Larger chunks begin at pages, so that a file can be written from them directly.
const PAGED_FROM: usize = 32 << 10;

/// Blocks and chunks for some bytes, to be filled in this order: all but the last are filled to the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// Whole blocks.
    pub(super) blocks: usize,
    /// Sizes of chunks: what a block is cut into for those who need less.
    pub(super) chunks: SmallVec<[usize; 2]>,
}

impl Plan {
    /// The room for `len` bytes in blocks of `block` bytes, a power of two.
    ///
    /// What is left over after whole blocks takes a chunk, or half a block and a chunk: at most half of
    /// it is wasted, and never more than a quarter of a block.
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

    /// Bytes of all of it.
    pub(super) fn bytes(&self, block: usize) -> usize {
        self.blocks * block + self.chunks.iter().sum::<usize>()
    }
}

/// The size of the smallest chunk that holds `len` bytes, at most half a block.
///
/// A block is cut into equal chunks; their numbers are such that there are four sizes to a doubling.
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

/// The largest number up to `number` of which only the first three binary digits are not zero.
fn grid(number: usize) -> usize {
    let dropped = number.ilog2().saturating_sub(2);
    number >> dropped << dropped
}
