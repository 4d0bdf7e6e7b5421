//! Host implementation of `gather`.

use super::MapNulls;
use crate::bits::BitSlice;
use crate::strings_view::{Span, build_strings};
use crate::{ColumnData, FixedData, Result, RowMap, RowWidth, View, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

/// An index of a row map.
trait Index: Pod + Send + Sync {
    /// The source row; `None` for all ones.
    fn row(self) -> Option<usize>;
}

impl Index for u32 {
    fn row(self) -> Option<usize> {
        (self != RowMap::NONE_U32).then_some(self as usize)
    }
}

impl Index for u64 {
    fn row(self) -> Option<usize> {
        (self != RowMap::NONE_U64).then_some(self as usize)
    }
}

pub(super) fn gather(source: &View<'_>, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let rows = map.rows.read(exec)?;
    match map.width {
        RowWidth::U32 => gather_column(source, &rows.as_slice::<u32>()[..map.len], nulls, exec),
        RowWidth::U64 => gather_column(source, &rows.as_slice::<u64>()[..map.len], nulls, exec),
    }
}

fn gather_column<I: Index>(source: &View<'_>, map: &[I], nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let guard = source.read(exec)?;
    let masked = guard.validity().is_some() || nulls == MapNulls::Possible;
    let validity = if masked { Some(gather_bits(guard.validity(), map, exec)?) } else { None };
    Ok(match source {
        View::Fixed(fixed) => {
            let storage = fixed.storage;
            let data = dispatch_width!(storage, T => gather_values(guard.values::<T>(), map, exec)?,
                bit => gather_bits(Some(guard.value_bits()), map, exec)?);
            ColumnData::Fixed(FixedData { storage, len: map.len(), data, validity })
        }
        View::String(_) => {
            let strings = guard.strings();
            let value = |i: usize| map[i].row().map_or_else(Span::default, |row| strings.span(row));
            ColumnData::String(build_strings(map.len(), validity, exec, value)?)
        }
    })
}

fn gather_values<T: Pod + Default + Send + Sync, I: Index>(
    source: &[T],
    map: &[I],
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_values(map.len(), exec, |rows, out| {
        for (out, index) in out.iter_mut().zip(&map[rows]) {
            *out = index.row().map_or_else(T::default, |row| source[row]);
        }
    })
}

/// Gathers bits; without a source every row that the map refers to is set.
fn gather_bits<I: Index>(source: Option<BitSlice<'_>>, map: &[I], exec: &Exec) -> Result<Buffer> {
    morsel::build_bits(map.len(), exec, |rows, out| {
        for (word, rows) in out.iter_mut().zip(map[rows].chunks(64)) {
            let set = |index: &I| index.row().is_some_and(|row| source.is_none_or(|bits| bits.get(row)));
            *word = rows.iter().enumerate().fold(0, |word, (k, index)| word | u64::from(set(index)) << k);
        }
    })
}
