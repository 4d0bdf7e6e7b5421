//! Size classes of blocks.

/// A size class: multiples of 64 bytes up to 256, then four per doubling, so that a block is at most a
/// quarter larger than its contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SizeClass {
    /// The index of the class, from the smallest.
    pub(super) index: usize,
    /// Bytes of a block.
    pub(super) bytes: usize,
}

const STEP: usize = 64;
/// Classes up to this size are multiples of `STEP`.
const LINEAR: usize = 256;
/// The largest block is `1 << LARGEST` bytes.
const LARGEST: u32 = 47;

impl SizeClass {
    /// The number of classes.
    pub(super) const COUNT: usize = LINEAR / STEP + 4 * (LARGEST - LINEAR.ilog2()) as usize;

    /// The smallest class whose blocks have at least `bytes` bytes, if there is one.
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
