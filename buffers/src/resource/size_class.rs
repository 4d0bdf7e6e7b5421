//! Sizes that blocks come in.

/// A size of blocks: multiples of 64 bytes to 256, then four to each doubling, so that a block is at most a
/// quarter larger than what it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SizeClass {
    /// Which class, counted from the smallest.
    pub(super) index: usize,
    /// Bytes of a block.
    pub(super) bytes: usize,
}

const STEP: usize = 64;
/// Up to here classes are multiples of `STEP`.
const LINEAR: usize = 256;
/// The largest block is `1 << LARGEST` bytes.
const LARGEST: u32 = 47;

impl SizeClass {
    /// How many classes there are.
    pub(super) const COUNT: usize = LINEAR / STEP + 4 * (LARGEST - LINEAR.ilog2()) as usize;

    /// The smallest class whose blocks hold `bytes` bytes, if there is one.
    pub(super) fn holding(bytes: usize) -> Option<Self> {
        if bytes <= LINEAR {
            let index = bytes.saturating_sub(1) / STEP;
            return Some(Self { index, bytes: (index + 1) * STEP });
        }
        if bytes > 1 << LARGEST {
            return None;
        }
        let last = bytes - 1;
        let doubling = last.ilog2();
        let quarter = (last >> (doubling - 2)) & 3;
        let index = LINEAR / STEP + 4 * (doubling - LINEAR.ilog2()) as usize + quarter;
        Some(Self { index, bytes: (quarter + 5) << (doubling - 2) })
    }

    /// The class of this index.
    pub(super) fn at(index: usize) -> Self {
        debug_assert!(index < Self::COUNT);
        let linear = LINEAR / STEP;
        let bytes = match index.checked_sub(linear) {
            None => (index + 1) * STEP,
            Some(above) => (above % 4 + 5) << (LINEAR.ilog2() as usize - 2 + above / 4),
        };
        Self { index, bytes }
    }
}
