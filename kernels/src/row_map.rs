//! Row maps: the source row of each output row.

use crate::{Element, Result};
use columnade_buffers::{Buffer, Exec, Pod};

/// Width of the indices of a [`RowMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum RowWidth {
    /// `u32` indices: sources of fewer than 2³² − 1 rows.
    U32 = 4,
    /// `u64` indices.
    U64 = 8,
}

impl RowWidth {
    /// The narrowest width for a source of `rows` rows; all ones is reserved for "no match".
    pub fn for_rows(rows: usize) -> RowWidth {
        if rows < u32::MAX as usize && !crate::limits::are_small() { RowWidth::U32 } else { RowWidth::U64 }
    }

    /// Bytes of one index.
    pub const fn bytes(self) -> usize {
        match self {
            RowWidth::U32 => 4,
            RowWidth::U64 => 8,
        }
    }
}

/// An index of a [`RowMap`].
pub(crate) trait RowIndex: Pod + Ord + Send + Sync {
    /// The width.
    const WIDTH: RowWidth;
    /// The index that means "no such row".
    const NONE: Self;
    /// The index of a row; `row` is not all ones.
    fn of(row: usize) -> Self;
    /// The row.
    fn row(self) -> usize;
}

impl RowIndex for u32 {
    const WIDTH: RowWidth = RowWidth::U32;
    const NONE: Self = RowMap::NONE_U32;
    #[inline]
    fn of(row: usize) -> Self {
        row as u32
    }
    #[inline]
    fn row(self) -> usize {
        self as usize
    }
}

impl RowIndex for u64 {
    const WIDTH: RowWidth = RowWidth::U64;
    const NONE: Self = RowMap::NONE_U64;
    #[inline]
    fn of(row: usize) -> Self {
        row as u64
    }
    #[inline]
    fn row(self) -> usize {
        self as usize
    }
}

/// Indices of source rows; an index of all ones means "no such row" and gathers a null.
#[derive(Clone, Debug)]
pub struct RowMap {
    /// The indices, `len` of them.
    pub rows: Buffer,
    /// The width of the indices.
    pub width: RowWidth,
    /// The number of indices.
    pub len: usize,
}

impl RowMap {
    /// The index that means "no such row" in a map of `u32`.
    pub const NONE_U32: u32 = u32::MAX;
    /// The index that means "no such row" in a map of `u64`.
    pub const NONE_U64: u64 = u64::MAX;

    /// A map of the given indices on `exec`'s device.
    ///
    /// # Errors
    /// [`crate::Error::Memory`].
    pub fn from_u32(rows: &[u32], exec: &Exec) -> Result<RowMap> {
        Ok(RowMap { rows: Buffer::from_slice(rows, exec)?, width: RowWidth::U32, len: rows.len() })
    }

    /// A map of the given indices on `exec`'s device.
    ///
    /// # Errors
    /// [`crate::Error::Memory`].
    pub fn from_u64(rows: &[u64], exec: &Exec) -> Result<RowMap> {
        Ok(RowMap { rows: Buffer::from_slice(rows, exec)?, width: RowWidth::U64, len: rows.len() })
    }

    /// A map of `len` rows, none of which exists.
    ///
    /// # Errors
    /// [`crate::Error::Memory`].
    pub fn none(len: usize, width: RowWidth, exec: &Exec) -> Result<RowMap> {
        let none = match width {
            RowWidth::U32 => crate::Value::U32(Self::NONE_U32),
            RowWidth::U64 => crate::Value::U64(Self::NONE_U64),
        };
        Ok(RowMap { rows: crate::filling::fill::fill(none, len, exec)?.data, width, len })
    }

    /// The first `len` rows of the map, at most all of them, without a copy.
    #[must_use]
    pub fn head(&self, len: usize) -> RowMap {
        self.slice(0, len.min(self.len))
    }

    /// `len` rows of the map from `start` on, which it has, without a copy.
    #[must_use]
    pub fn slice(&self, start: usize, len: usize) -> RowMap {
        let bytes = |rows| rows * self.width.bytes();
        RowMap { rows: self.rows.slice(bytes(start), bytes(len)), width: self.width, len }
    }

    /// The indices on the host, `None` for "no such row". Synchronises.
    ///
    /// # Errors
    /// [`crate::Error::Memory`] if the copy fails.
    pub fn to_vec(&self, exec: &Exec) -> Result<Vec<Option<u64>>> {
        Ok(match self.width {
            RowWidth::U32 => self
                .indices::<u32>(exec)?
                .into_iter()
                .map(|r| (r != Self::NONE_U32).then_some(u64::from(r)))
                .collect(),
            RowWidth::U64 => {
                self.indices::<u64>(exec)?.into_iter().map(|r| (r != Self::NONE_U64).then_some(r)).collect()
            }
        })
    }

    fn indices<T: Element>(&self, exec: &Exec) -> Result<Vec<T>> {
        Ok(self.rows.slice(0, self.len * size_of::<T>()).to_vec::<T>(exec)?)
    }
}
