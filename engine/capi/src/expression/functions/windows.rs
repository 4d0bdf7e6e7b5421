//! Functions of rows that depend on other rows.

use columnade::expressions::{Closed, Rank, RankMethod, RollingWindow};
use columnade::row_number;

use super::{Call, Function, Growth, MANY, function};
use crate::expression::error::Problem;

fn rank(a: &Call<'_>) -> Result<Rank, Problem> {
    let words = [
        ("average", RankMethod::Average),
        ("min", RankMethod::Min),
        ("max", RankMethod::Max),
        ("dense", RankMethod::Dense),
        ("first", RankMethod::First),
    ];
    let method = if a.has(1) {
        a.word(1, &words, "'average', 'min', 'max', 'dense' or 'first'")?
    } else {
        RankMethod::Average
    };
    Ok(Rank { method, descending: a.flag_or(2, false)?, pct: false })
}

/// A number of rows, how many values a window needs, and which of its ends belong to it.
fn rows(a: &Call<'_>) -> Result<RollingWindow, Problem> {
    let ends = [
        ("right", Closed::Right),
        ("left", Closed::Left),
        ("both", Closed::Both),
        ("neither", Closed::Neither),
    ];
    let mut window = RollingWindow::rows(a.int(1)?);
    if a.has(2) {
        window = window.min_periods(a.int(2)?);
    }
    if a.has(3) {
        window = window.closed(a.word(3, &ends, "'right', 'left', 'both' or 'neither'")?);
    }
    Ok(window)
}

/// A difference from a shifted value: both are the argument.
fn difference(_: usize) -> Growth {
    Growth { levels: 4, copies: 2 }
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("over", (2, MANY), |a| Ok(a.x().over(a.rest(1)))),
    function("row_number", (0, 0), |_| Ok(row_number())),
    function("rank", (1, 3), |a| Ok(a.x().rank(rank(a)?))),
    function("shift", (1, 2), |a| Ok(a.x().shift(a.int_or(1, 1)?))),
    function("diff", (1, 2), |a| Ok(a.x().diff(a.int_or(1, 1)?))).growing(difference),
    function("pct_change", (1, 2), |a| Ok(a.x().pct_change(a.int_or(1, 1)?))).growing(difference),
    function("fill_forward", (1, 2), |a| Ok(a.x().fill_forward(a.optional_int(1)?))),
    function("fill_backward", (1, 2), |a| Ok(a.x().fill_backward(a.optional_int(1)?))),
    function("interpolate", (1, 1), |a| Ok(a.x().interpolate())),
    function("cum_sum", (1, 1), |a| Ok(a.x().cum_sum())),
    function("cum_min", (1, 1), |a| Ok(a.x().cum_min())),
    function("cum_max", (1, 1), |a| Ok(a.x().cum_max())),
    function("cum_product", (1, 1), |a| Ok(a.x().cum_product())),
    function("cum_count", (1, 1), |a| Ok(a.x().cum_count())),
    function("rolling_sum", (2, 4), |a| Ok(a.x().rolling_sum(rows(a)?))),
    function("rolling_mean", (2, 4), |a| Ok(a.x().rolling_mean(rows(a)?))),
    function("rolling_min", (2, 4), |a| Ok(a.x().rolling_min(rows(a)?))),
    function("rolling_max", (2, 4), |a| Ok(a.x().rolling_max(rows(a)?))),
    function("rolling_count", (2, 4), |a| Ok(a.x().rolling_count(rows(a)?))),
    function("rolling_var", (2, 4), |a| Ok(a.x().rolling_var(rows(a)?))),
    function("rolling_std", (2, 4), |a| Ok(a.x().rolling_std(rows(a)?))),
    function("rolling_median", (2, 4), |a| Ok(a.x().rolling_median(rows(a)?))),
    function("rolling_first", (2, 4), |a| Ok(a.x().rolling_first(rows(a)?))),
    function("rolling_last", (2, 4), |a| Ok(a.x().rolling_last(rows(a)?))),
];
