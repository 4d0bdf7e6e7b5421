//! How accumulators read rows: block by block, widened to a few types.

use crate::bits::BitSlice;
use crate::elementwise::lane::{Lane, map};
use crate::expression::Register;
use crate::expression::evaluate::{MORSEL_ROWS, Morsel};
use crate::{Element, ViewGuard};
use columnade_buffers::Pod;

/// Rows of a block, at most: their widened values stay in the first-level cache.
pub(crate) const BLOCK_ROWS: usize = MORSEL_ROWS;

/// Consecutive rows to be aggregated, at most [`BLOCK_ROWS`].
#[derive(Clone, Copy)]
pub(crate) enum Block<'a> {
    /// Rows of a column in host memory.
    Column { guard: &'a ViewGuard<'a>, first: usize, rows: usize },
    /// The rows of a morsel of an expression.
    Morsel { morsel: &'a Morsel<'a>, register: Register },
}

/// Reads the values of a block, with a place for those that are not in memory as they are read.
pub(crate) type Reader<K> = for<'s> fn(Block<'s>, &'s mut Vec<K>) -> &'s [K];

impl<'a> Block<'a> {
    /// The number of rows.
    pub(crate) fn rows(self) -> usize {
        match self {
            Block::Column { rows, .. } => rows,
            Block::Morsel { morsel, .. } => morsel.rows(),
        }
    }

    /// The values, whose storage type is that of `T`.
    fn lane<T: Element>(self) -> Lane<'a, T> {
        match self {
            Block::Column { guard, first, rows } => Lane::Slice(&guard.values::<T>()[first..first + rows]),
            Block::Morsel { morsel, register } => morsel.lane(register),
        }
    }

    /// The values of bits.
    fn bits(self) -> BitSlice<'a> {
        match self {
            Block::Column { guard, first, rows } => guard.value_bits().slice(first, rows),
            Block::Morsel { morsel, register } => {
                BitSlice::new(bytemuck::cast_slice(morsel.bits(register)), 0, morsel.rows())
            }
        }
    }

    /// The values, of type `T`, widened.
    pub(super) fn widen<T: Element, K: Pod>(self, scratch: &mut Vec<K>, widen: impl Fn(T) -> K) -> &[K] {
        match self.lane::<T>() {
            Lane::Slice(values) => {
                // What was there before is written over, so that only a longer block makes memory.
                scratch.resize(values.len(), bytemuck::Zeroable::zeroed());
                map(values, scratch, widen);
            }
            Lane::Scalar(value) => {
                scratch.clear();
                scratch.resize(self.rows(), widen(value));
            }
        }
        scratch
    }
}

/// Reads values of type `T` where they are.
pub(super) fn in_place<'s, T: Element>(block: Block<'s>, scratch: &'s mut Vec<T>) -> &'s [T] {
    match block.lane::<T>() {
        Lane::Slice(values) => values,
        Lane::Scalar(value) => {
            scratch.clear();
            scratch.resize(block.rows(), value);
            scratch
        }
    }
}

/// Reads bits as 0 and 1.
pub(super) fn bits<'s>(block: Block<'s>, scratch: &'s mut Vec<i64>) -> &'s [i64] {
    let bits = block.bits();
    scratch.clear();
    for (word, first) in bits.words().zip((0..bits.len()).step_by(64)) {
        scratch.extend((0..(bits.len() - first).min(64)).map(|k| (word >> k & 1).cast_signed()));
    }
    scratch
}

/// Reads no values, one for each row.
pub(super) fn nothing<'s>(block: Block<'s>, scratch: &'s mut Vec<()>) -> &'s [()] {
    scratch.resize(block.rows(), ());
    scratch
}

/// Reads the numbers of rows: in the column, or in the morsel.
pub(super) fn row_numbers<'s>(block: Block<'s>, scratch: &'s mut Vec<u64>) -> &'s [u64] {
    let first = match block {
        Block::Column { first, .. } => first as u64,
        Block::Morsel { .. } => 0,
    };
    scratch.clear();
    scratch.extend(first..first + block.rows() as u64);
    scratch
}
