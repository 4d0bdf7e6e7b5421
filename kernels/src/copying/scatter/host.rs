//! Host implementation of `scatter`: finds the source row of each target row, then builds the result in one pass.

use crate::bits::BitSlice;
use crate::strings_view::build_strings;
use crate::{ColumnData, FixedData, Result, RowMap, RowWidth, View, access, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

/// Marks a target row that is not replaced.
const UNCHANGED: u64 = u64::MAX;

pub(super) fn scatter(source: &View<'_>, map: &RowMap, target: &View<'_>, exec: &Exec) -> Result<ColumnData> {
    let guards = access(&[*source, *target], exec)?;
    let (new, old) = (&guards[0], &guards[1]);
    let len = target.len();
    let mut origins = Buffer::uninit(len * 8, exec)?;
    let mut origins = origins.write(exec)?;
    let origins = &mut origins.as_mut_slice::<u64>()[..len];
    find_origins(map, origins, exec)?;
    let origins = &*origins;
    let validity = if new.validity().is_some() || old.validity().is_some() {
        Some(merge_bits(origins, new.validity(), old.validity(), exec)?)
    } else {
        None
    };
    Ok(match target {
        View::Fixed(fixed) => {
            let storage = fixed.storage;
            let data = dispatch_width!(storage, T => merge_values(origins, new.values::<T>(), old.values::<T>(), exec)?,
                bit => merge_bits(origins, Some(new.value_bits()), Some(old.value_bits()), exec)?);
            ColumnData::Fixed(FixedData { storage, len, data, validity })
        }
        View::String(_) => {
            let (new, old) = (new.strings(), old.strings());
            let value = |row: usize| match origins[row] {
                UNCHANGED => old.span(row),
                origin => new.span(origin as usize),
            };
            ColumnData::String(build_strings(len, validity, exec, value)?)
        }
    })
}

/// Sequential, because the last of several source rows for one target row wins.
fn find_origins(map: &RowMap, origins: &mut [u64], exec: &Exec) -> Result<()> {
    origins.fill(UNCHANGED);
    let guard = map.rows.read(exec)?;
    match map.width {
        RowWidth::U32 => {
            for (origin, &row) in guard.as_slice::<u32>()[..map.len].iter().enumerate() {
                if row != RowMap::NONE_U32 {
                    origins[row as usize] = origin as u64;
                }
            }
        }
        RowWidth::U64 => {
            for (origin, &row) in guard.as_slice::<u64>()[..map.len].iter().enumerate() {
                if row != RowMap::NONE_U64 {
                    origins[row as usize] = origin as u64;
                }
            }
        }
    }
    Ok(())
}

fn merge_values<T: Pod + Send + Sync>(origins: &[u64], new: &[T], old: &[T], exec: &Exec) -> Result<Buffer> {
    morsel::build_values(origins.len(), exec, |rows, out| {
        for ((out, &origin), old) in out.iter_mut().zip(&origins[rows.clone()]).zip(&old[rows]) {
            *out = if origin == UNCHANGED { *old } else { new[origin as usize] };
        }
    })
}

/// An absent bitmask is all ones.
fn merge_bits(
    origins: &[u64],
    new: Option<BitSlice<'_>>,
    old: Option<BitSlice<'_>>,
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_bits(origins.len(), exec, |rows, out| {
        for (k, (out, origins)) in out.iter_mut().zip(origins[rows.clone()].chunks(64)).enumerate() {
            let mut word = old.map_or(u64::MAX, |old| old.word(rows.start / 64 + k));
            for (bit, &origin) in origins.iter().enumerate().filter(|(_, origin)| **origin != UNCHANGED) {
                let set = new.is_none_or(|new| new.get(origin as usize));
                word = word & !(1 << bit) | u64::from(set) << bit;
            }
            *out = word;
        }
    })
}
