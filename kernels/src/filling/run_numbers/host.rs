//! Host implementation of `run_numbers`.

use crate::{Element, Fixed, FixedData, Result, Storage, View, morsel};
use columnade_buffers::Exec;

pub(super) fn run_numbers(
    starts: &Fixed<'_>,
    rows: usize,
    storage: Storage,
    exec: &Exec,
) -> Result<FixedData> {
    let view = View::Fixed(*starts);
    let guard = view.read(exec)?;
    let starts = guard.values::<i64>();
    let data = if storage == Storage::U32 {
        morsel::build_values(rows, exec, |range, out| numbers(starts, range.start, out, |run| run as u32))?
    } else {
        morsel::build_values(rows, exec, |range, out| numbers(starts, range.start, out, |run| run as i64))?
    };
    Ok(FixedData { storage, len: rows, data, validity: None })
}

/// The runs of the rows from `first` on.
fn numbers<T: Element>(starts: &[i64], first: usize, out: &mut [T], number: fn(usize) -> T) {
    let at = |row: usize| row as i64;
    // The last run that begins at the first row or before.
    let mut run = starts.partition_point(|&start| start <= at(first)).saturating_sub(1);
    let mut done = 0;
    while done < out.len() {
        let end = starts
            .get(run + 1)
            .map_or(out.len(), |&next| usize::try_from(next - at(first)).unwrap_or(0).clamp(done, out.len()));
        out[done..end].fill(number(run));
        (done, run) = (end, run + 1);
    }
}
