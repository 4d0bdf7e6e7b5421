//! Values of one width, decoded into the rows of their column.

use std::ops::Range;

use super::codes::{Codes, Run};
use super::pages::Sink;

/// Rows of a column whose values have `WIDTH` bytes in the file, and `of` makes values of memory of them.
pub(super) struct Fixed<'a, T, F, const WIDTH: usize> {
    rows: &'a mut [T],
    /// The next row.
    row: usize,
    dictionary: Vec<T>,
    of: F,
}

impl<'a, T, F, const WIDTH: usize> Fixed<'a, T, F, WIDTH> {
    pub(super) fn new(rows: &'a mut [T], of: F) -> Self {
        Self { rows, row: 0, dictionary: Vec::new(), of }
    }
}

impl<T: Copy + Default, F, const WIDTH: usize> Fixed<'_, T, F, WIDTH> {
    /// Rows without values before `row` get zeros.
    fn skip_to(&mut self, row: usize) -> Option<()> {
        self.rows.get_mut(self.row..row)?.fill(T::default());
        self.row = row;
        Some(())
    }

    /// The rows that are left have no values.
    pub(super) fn finish(mut self) -> Option<()> {
        self.skip_to(self.rows.len())
    }
}

impl<T: Copy + Default, F: Fn([u8; WIDTH]) -> T, const WIDTH: usize> Sink for Fixed<'_, T, F, WIDTH> {
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()> {
        let (values, rest) = bytes.as_chunks();
        if values.len() != count || !rest.is_empty() {
            return None;
        }
        self.dictionary = values.iter().map(|bytes| (self.of)(*bytes)).collect();
        Some(())
    }

    fn plain(&mut self, mut bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()> {
        for range in ranges {
            let (values, rest) = bytes.split_at_checked(range.len().checked_mul(WIDTH)?)?;
            bytes = rest;
            self.skip_to(range.start)?;
            let Self { rows, of, .. } = self;
            for (row, bytes) in rows.get_mut(range.clone())?.iter_mut().zip(values.as_chunks().0) {
                *row = of(*bytes);
            }
            self.row = range.end;
        }
        Some(())
    }

    fn coded(&mut self, bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()> {
        // Without values there are no bits either.
        let (&width, bytes) = bytes.split_first().unwrap_or((&0, &[]));
        let mut codes = Codes::new(bytes, usize::from(width))?;
        for range in ranges {
            self.skip_to(range.start)?;
            let Self { rows, dictionary, .. } = self;
            let mut rows = rows.get_mut(range.clone())?.iter_mut();
            codes.read(rows.len(), |run| {
                match run {
                    Run::Repeated(code, count) => {
                        let value = *dictionary.get(usize::try_from(code).ok()?)?;
                        rows.by_ref().take(count).for_each(|row| *row = value);
                    }
                    Run::Packed(codes) => {
                        // The codes first: a zip takes of its first part, and then finds that the second has ended.
                        for (code, row) in codes.iter().zip(rows.by_ref()) {
                            *row = *dictionary.get(usize::try_from(*code).ok()?)?;
                        }
                    }
                }
                Some(())
            })?;
            self.row = range.end;
        }
        Some(())
    }
}

/// A number that has its first byte first, in 64 bits; of at most 8 bytes.
pub(super) fn number64<const WIDTH: usize>(bytes: [u8; WIDTH]) -> u64 {
    let sign = if bytes.first().is_some_and(|first| *first >= 0x80) { 0xff } else { 0 };
    let mut wide = [sign; 8];
    wide[8 - WIDTH..].copy_from_slice(&bytes);
    u64::from_be_bytes(wide)
}

/// A number that has its first byte first, in 128 bits; of at most 16 bytes.
pub(super) fn number128<const WIDTH: usize>(bytes: [u8; WIDTH]) -> i128 {
    let sign = if bytes.first().is_some_and(|first| *first >= 0x80) { 0xff } else { 0 };
    let mut wide = [sign; 16];
    wide[16 - WIDTH..].copy_from_slice(&bytes);
    i128::from_be_bytes(wide)
}
