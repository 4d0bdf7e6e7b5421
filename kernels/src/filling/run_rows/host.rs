//! Host implementation of `run_rows`.

use crate::{Element, Fixed, Result, RowMap, RowWidth, View, morsel};
use columnade_buffers::Exec;

pub(super) fn run_rows(
    begins: &Fixed<'_>,
    sources: &Fixed<'_>,
    rows: usize,
    width: RowWidth,
    exec: &Exec,
) -> Result<RowMap> {
    let (begins, sources) = (View::Fixed(*begins), View::Fixed(*sources));
    let (begins, sources) = (begins.read(exec)?, sources.read(exec)?);
    let runs = Runs { begins: begins.values::<i64>(), sources: sources.values::<i64>() };
    let rows_of = match width {
        RowWidth::U32 => {
            morsel::build_values(rows, exec, |range, out| runs.write(range.start, out, |row| row as u32))?
        }
        RowWidth::U64 => {
            morsel::build_values(rows, exec, |range, out| runs.write(range.start, out, |row| row as u64))?
        }
    };
    Ok(RowMap { rows: rows_of, width, len: rows })
}

struct Runs<'a> {
    begins: &'a [i64],
    sources: &'a [i64],
}

/// Rows that are written for each run, whether it has them or not: runs are short, and their lengths not foreseen.
const WIDTH: usize = 4;

impl Runs<'_> {
    /// The source rows of the rows from `first` on.
    fn write<T: Element>(&self, first: usize, out: &mut [T], index: impl Fn(i64) -> T + Copy) {
        let first = first as i64;
        // The last run that begins at the first row or before.
        let run = self.begins.partition_point(|&begin| begin <= first).saturating_sub(1);
        let (begins, sources) = (&self.begins[run..], &self.sources[run..]);
        let ends = begins.iter().skip(1).copied().chain([i64::MAX]);
        let mut done = 0;
        for ((&begin, &source), next) in begins.iter().zip(sources).zip(ends) {
            let end = usize::try_from(next - first).unwrap_or(0).min(out.len());
            let row = source.wrapping_add(first + done as i64 - begin);
            let Some(rest) = out.get_mut(done..) else { break };
            let count = end.saturating_sub(done);
            if let Some(some) = rest.first_chunk_mut::<WIDTH>() {
                // The next run overwrites what this one does not have.
                *some = std::array::from_fn(|k| index(row.wrapping_add(k as i64)));
            } else if rest.is_empty() {
                break;
            }
            if count > WIDTH || rest.len() < WIDTH {
                for (out, k) in rest[..count].iter_mut().zip(0..) {
                    *out = index(row.wrapping_add(k));
                }
            }
            done += count;
        }
    }
}
