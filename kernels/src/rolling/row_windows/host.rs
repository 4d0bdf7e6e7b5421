//! Host implementation of `row_windows`.

use crate::parallel::for_each_part;
use crate::searching::search_sorted::Ranges;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, View};
use columnade_buffers::{Buffer, Exec};

pub(super) fn row_windows(ranges: &Ranges<'_>, before: i64, after: i64, exec: &Exec) -> Result<[Buffer; 2]> {
    let rows = ranges.starts.len;
    let mut starts = Buffer::uninit(rows * size_of::<i64>(), exec)?;
    let mut ends = Buffer::uninit(rows * size_of::<i64>(), exec)?;
    if rows > 0 {
        let [first, last] = [&ranges.starts, &ranges.ends].map(|column| View::Fixed(*column).read(exec));
        let (first, last) = (first?, last?);
        let (lows, highs, valid) = (first.values::<i64>(), last.values::<i64>(), first.validity());
        let (mut starts, mut ends) = (starts.write(exec)?, ends.write(exec)?);
        let starts = starts.as_mut_slice::<i64>()[..rows].chunks_mut(HOST_MORSEL_ROWS);
        let ends = ends.as_mut_slice::<i64>()[..rows].chunks_mut(HOST_MORSEL_ROWS);
        for_each_part(starts.zip(ends), |morsel, (starts, ends)| {
            let base = morsel * HOST_MORSEL_ROWS;
            for (k, (start, end)) in starts.iter_mut().zip(ends).enumerate() {
                let row = base + k;
                let number = i64::try_from(row).unwrap_or(i64::MAX);
                (*start, *end) = if valid.is_none_or(|valid| valid.get(row)) {
                    (lows[row].max(number - before), highs[row].min(number + after + 1))
                } else {
                    (0, 0)
                };
            }
        });
    }
    Ok([starts, ends])
}
