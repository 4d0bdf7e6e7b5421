//! Host implementation of `search_sorted`.

use super::{Ranges, SearchSide};
use crate::{Fixed, Result, View, morsel};
use columnade_buffers::{Buffer, Exec};

pub(super) fn search_sorted(
    values: &Fixed<'_>,
    needles: &Fixed<'_>,
    ranges: &Ranges<'_>,
    side: SearchSide,
    exec: &Exec,
) -> Result<Buffer> {
    let guards =
        [values, needles, &ranges.starts, &ranges.ends].map(|column| View::Fixed(*column).read(exec));
    let [values, needles, starts, ends] = guards;
    let (values, needles, starts, ends) = (values?, needles?, starts?, ends?);
    let (values, needles) = (values.values::<i64>(), needles.values::<i64>());
    let (starts, ends) = (starts.values::<i64>(), ends.values::<i64>());
    let cut = |bound: i64| usize::try_from(bound.max(0)).unwrap_or(usize::MAX).min(values.len());
    morsel::build_values(needles.len(), exec, |rows, out| {
        for (out, row) in out.iter_mut().zip(rows) {
            let (start, needle) = (cut(starts[row]), needles[row]);
            let range = &values[start..cut(ends[row]).max(start)];
            let before = match side {
                SearchSide::Left => range.partition_point(|&value| value < needle),
                SearchSide::Right => range.partition_point(|&value| value <= needle),
            };
            *out = (start + before) as i64;
        }
    })
}
