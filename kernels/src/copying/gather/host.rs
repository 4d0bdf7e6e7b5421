//! Host twin of `gather`.

use super::MapNulls;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{ColumnData, Error, Fixed, FixedData, Result, RowMap, RowWidth, View, bits::BitSlice};
use columnade_buffers::{Buffer, Exec, Pod};
use rayon::prelude::*;

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
    let View::Fixed(fixed) = source else {
        return Err(Error::NotImplemented { op: "gather", feature: "text" });
    };
    let rows = map.rows.read(exec)?;
    match map.width {
        RowWidth::U32 => gather_fixed(fixed, &rows.as_slice::<u32>()[..map.len], nulls, exec),
        RowWidth::U64 => gather_fixed(fixed, &rows.as_slice::<u64>()[..map.len], nulls, exec),
    }
}

fn gather_fixed<I: Index>(source: &Fixed<'_>, map: &[I], nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let guard = View::Fixed(*source).read(exec)?;
    let data = dispatch_width!(source.storage, T => gather_values(guard.values::<T>(), map, exec)?,
        bit => gather_bits(Some(guard.value_bits()), map, exec)?);
    let masked = source.validity.is_some() || nulls == MapNulls::Possible;
    let validity = if masked { Some(gather_bits(guard.validity(), map, exec)?) } else { None };
    Ok(ColumnData::Fixed(FixedData { storage: source.storage, len: map.len(), data, validity }))
}

fn gather_values<T: Pod + Default + Send + Sync, I: Index>(
    source: &[T],
    map: &[I],
    exec: &Exec,
) -> Result<Buffer> {
    let mut out = Buffer::uninit(size_of_val(map) / size_of::<I>() * size_of::<T>(), exec)?;
    let mut guard = out.write(exec)?;
    let out_rows = &mut guard.as_mut_slice::<T>()[..map.len()];
    out_rows.par_chunks_mut(HOST_MORSEL_ROWS).zip(map.par_chunks(HOST_MORSEL_ROWS)).for_each(|(out, map)| {
        for (out, index) in out.iter_mut().zip(map) {
            *out = index.row().map_or_else(T::default, |row| source[row]);
        }
    });
    drop(guard);
    Ok(out)
}

/// Gathers bits; without a source every row that the map names is set.
fn gather_bits<I: Index>(source: Option<BitSlice<'_>>, map: &[I], exec: &Exec) -> Result<Buffer> {
    let mut out = Buffer::uninit(map.len().div_ceil(8), exec)?;
    let mut guard = out.write(exec)?;
    guard
        .as_mut_slice::<u8>()
        .par_chunks_mut(HOST_MORSEL_ROWS / 8)
        .zip(map.par_chunks(HOST_MORSEL_ROWS))
        .for_each(|(out, map)| {
            for (byte, rows) in out.iter_mut().zip(map.chunks(8)) {
                let set = |index: &I| index.row().is_some_and(|row| source.is_none_or(|bits| bits.get(row)));
                *byte = rows.iter().enumerate().fold(0, |byte, (k, index)| byte | u8::from(set(index)) << k);
            }
        });
    drop(guard);
    Ok(out)
}
