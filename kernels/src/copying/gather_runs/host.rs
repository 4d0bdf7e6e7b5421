//! Host implementation of `gather_runs`.

use super::MapNulls;
use crate::bits::BitSlice;
use crate::parallel::for_each_part;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::view::access;
use crate::{Error, Fixed, FixedData, Result, View, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

pub(super) fn gather_runs(
    source: &Fixed<'_>,
    begins: &Fixed<'_>,
    sources: &Fixed<'_>,
    rows: usize,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<FixedData> {
    let views = [View::Fixed(*source), View::Fixed(*begins), View::Fixed(*sources)];
    let guards = access(&views, exec)?;
    let [source_guard, begins, sources] = guards.as_slice() else {
        return Err(Error::Internal { invariant: "each view has a guard" });
    };
    let runs = Runs { begins: begins.values::<i64>(), sources: sources.values::<i64>() };
    let valid = source_guard.validity();
    let masked = valid.is_some() || nulls == MapNulls::Possible;
    let storage = source.storage;
    let (data, validity) = dispatch_width!(storage, T => {
        let values = source_guard.values::<T>();
        if masked {
            let (data, validity) = gather_masked(values, valid, &runs, rows, exec)?;
            (data, Some(validity))
        } else {
            let copy = |rows: std::ops::Range<usize>, out: &mut [T]| runs.copy(rows.start, values, out);
            (morsel::build_values(rows, exec, copy)?, None)
        }
    }, bit => return Err(Error::UnsupportedStorage { storage }));
    Ok(FixedData { storage, len: rows, data, validity })
}

/// Values and validity of the same rows.
fn gather_masked<T: Pod + Default + Send + Sync>(
    values: &[T],
    valid: Option<BitSlice<'_>>,
    runs: &Runs<'_>,
    rows: usize,
    exec: &Exec,
) -> Result<(Buffer, Buffer)> {
    let mut data = Buffer::uninit(rows.saturating_mul(size_of::<T>()), exec)?;
    let mut validity = Buffer::uninit(rows.div_ceil(64) * 8, exec)?;
    if rows > 0 {
        let (mut data, mut validity) = (data.write(exec)?, validity.write(exec)?);
        let data = data.as_mut_slice::<T>().chunks_mut(HOST_MORSEL_ROWS);
        let validity = validity.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64);
        for_each_part(data.zip(validity), |morsel, (data, validity)| {
            let first = morsel * HOST_MORSEL_ROWS;
            runs.copy(first, values, data);
            runs.mark(first, data.len(), valid, validity);
            if first + data.len() == rows
                && let Some(last) = validity.last_mut()
            {
                *last &= morsel::last_word_mask(rows);
            }
        });
    }
    Ok((data, validity.slice(0, rows.div_ceil(8))))
}

struct Runs<'a> {
    begins: &'a [i64],
    sources: &'a [i64],
}

/// A run, or what is left of it, within some rows of the result.
struct Part {
    /// The first source row, or less than 0 for no row.
    source: i64,
    /// Its place among the rows.
    at: usize,
    /// How many rows of the result it has there.
    count: usize,
}

/// Values that are copied for each run, whether it has them or not: runs are short, and their lengths not foreseen.
const WIDTH: usize = 4;

impl Runs<'_> {
    /// The parts of the runs in `rows` rows of the result from `first` on.
    fn parts(&self, first: usize, rows: usize) -> impl Iterator<Item = Part> {
        let start = first as i64;
        // The last run that begins at the first row or before.
        let run = self.begins.partition_point(|&begin| begin <= start).saturating_sub(1);
        let (begins, sources) = (&self.begins[run..], &self.sources[run..]);
        let ends = begins.iter().skip(1).copied().chain([i64::MAX]);
        let mut at = 0;
        begins.iter().zip(sources).zip(ends).map_while(move |((&begin, &source), next)| {
            if at >= rows {
                return None;
            }
            let end = usize::try_from(next - start).unwrap_or(0).min(rows);
            let moved = source.wrapping_add(start + at as i64 - begin);
            let part =
                Part { source: if source < 0 { -1 } else { moved }, at, count: end.saturating_sub(at) };
            at += part.count;
            Some(part)
        })
    }

    /// The values of the rows from `first` on; zeros for no row.
    fn copy<T: Pod + Default>(&self, first: usize, values: &[T], out: &mut [T]) {
        for Part { source, at, count } in self.parts(first, out.len()) {
            let from = source.max(0) as usize;
            let some = values.get(from..).and_then(|rest| rest.first_chunk::<WIDTH>());
            let place = out.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<WIDTH>());
            if let (Some(some), Some(place), true) = (some, place, count <= WIDTH) {
                // The next run overwrites what this one does not have.
                *place = if source < 0 { [T::default(); WIDTH] } else { *some };
                continue;
            }
            let out = &mut out[at..at + count];
            match values.get(from..from + count) {
                Some(values) if source >= 0 => out.copy_from_slice(values),
                _ => out.fill(T::default()),
            }
        }
    }

    /// The validity of `rows` rows from `first` on.
    fn mark(&self, first: usize, rows: usize, valid: Option<BitSlice<'_>>, out: &mut [u64]) {
        out.fill(u64::MAX);
        let mut clear = |row: usize, is_null: bool| out[row / 64] &= !(u64::from(is_null) << (row % 64));
        for Part { source, at, count } in self.parts(first, rows) {
            let Some(valid) = valid else {
                clear(at.min(rows - 1), source < 0 && count > 0);
                continue;
            };
            for k in 0..count {
                clear(at + k, source < 0 || !valid.get(source as usize + k));
            }
        }
    }
}
