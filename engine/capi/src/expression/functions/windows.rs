//! Functions of rows that depend on other rows.

use columnade::expressions::{Closed, ExponentialWindow, Interpolation, Rank, RankMethod, RollingWindow};
use columnade::row_number;

use super::{Call, Function, Growth, MANY, function};
use crate::expression::error::Problem;

/// How values are ranked, from an argument on.
fn rank(a: &Call<'_>, from: usize) -> Result<Rank, Problem> {
    let words = [
        ("average", RankMethod::Average),
        ("min", RankMethod::Min),
        ("max", RankMethod::Max),
        ("dense", RankMethod::Dense),
        ("first", RankMethod::First),
    ];
    let method = if a.has(from) {
        a.word(from, &words, "'average', 'min', 'max', 'dense' or 'first'")?
    } else {
        RankMethod::Average
    };
    Ok(Rank { method, descending: a.flag_or(from + 1, false)?, pct: a.flag_or(from + 2, false)? })
}

/// A number of rows, how many values a window needs, and which of its ends belong to it, from an argument on.
fn rows(a: &Call<'_>, from: usize) -> Result<RollingWindow, Problem> {
    bounded(RollingWindow::rows(a.int(from)?), a, from + 1)
}

/// Times and a span of time, how many values a window needs, and which of its ends belong to it.
fn span(a: &Call<'_>) -> Result<RollingWindow, Problem> {
    bounded(RollingWindow::time(a.arg(1), a.span(2)?), a, 3)
}

/// All rows so far, and how many values they need.
fn so_far(a: &Call<'_>) -> Result<RollingWindow, Problem> {
    bounded(RollingWindow::expanding(), a, 1)
}

fn bounded(window: RollingWindow, a: &Call<'_>, from: usize) -> Result<RollingWindow, Problem> {
    let ends = [
        ("right", Closed::Right),
        ("left", Closed::Left),
        ("both", Closed::Both),
        ("neither", Closed::Neither),
    ];
    let window = if a.has(from) { window.min_periods(a.int(from)?) } else { window };
    if !a.has(from + 1) {
        return Ok(window);
    }
    Ok(window.closed(a.word(from + 1, &ends, "'right', 'left', 'both' or 'neither'")?))
}

/// The weights of a number.
type Decay = fn(f64) -> ExponentialWindow;

/// How weights fall, whether means are adjusted, whether weights fall by values alone, and how many values are needed.
fn weights(a: &Call<'_>, from: usize) -> Result<ExponentialWindow, Problem> {
    let decays: [(&str, Decay); 4] = [
        ("alpha", ExponentialWindow::alpha),
        ("span", ExponentialWindow::span),
        ("com", ExponentialWindow::com),
        ("halflife", ExponentialWindow::halflife),
    ];
    let decay = a.word(from, &decays, "'alpha', 'span', 'com' or 'halflife'")?;
    Ok(decay(a.number(from + 1)?)
        .adjust(a.flag_or(from + 2, true)?)
        .ignore_na(a.flag_or(from + 3, false)?)
        .min_periods(a.int_or(from + 4, 1)?))
}

/// A difference from a shifted value: both are the argument.
fn difference(_: usize) -> Growth {
    Growth::of_each(4, 2)
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("over", (2, MANY), |a| Ok(a.x().over(a.rest(1)))),
    function("row_number", (0, 0), |_| Ok(row_number())),
    function("is_duplicated", (1, 1), |a| Ok(a.x().is_duplicated())).growing(difference),
    function("is_unique", (1, 1), |a| Ok(a.x().is_unique())).growing(difference),
    function("is_first_distinct", (1, 1), |a| Ok(a.x().is_first_distinct())).growing(difference),
    function("is_last_distinct", (1, 1), |a| Ok(a.x().is_last_distinct())).growing(difference),
    function("rank", (1, 4), |a| Ok(a.x().rank(rank(a, 1)?))),
    function("shift", (1, 2), |a| Ok(a.x().shift(a.int_or(1, 1)?))),
    function("diff", (1, 2), |a| Ok(a.x().diff(a.int_or(1, 1)?))).growing(difference),
    function("pct_change", (1, 2), |a| Ok(a.x().pct_change(a.int_or(1, 1)?))).growing(difference),
    function("fill_forward", (1, 2), |a| Ok(a.x().fill_forward(a.optional_int(1)?))),
    function("fill_backward", (1, 2), |a| Ok(a.x().fill_backward(a.optional_int(1)?))),
    function("interpolate", (1, 1), |a| Ok(a.x().interpolate())),
    function("interpolate_limit", (2, 2), |a| Ok(a.x().interpolate_limit(a.int(1)?))).growing(difference),
    function("shift_or", (3, 3), |a| Ok(a.x().shift_or(a.int(1)?, a.arg(2)))).growing(difference),
    function("cum_sum", (1, 1), |a| Ok(a.x().cum_sum())),
    function("cum_min", (1, 1), |a| Ok(a.x().cum_min())),
    function("cum_max", (1, 1), |a| Ok(a.x().cum_max())),
    function("cum_product", (1, 1), |a| Ok(a.x().cum_product())),
    function("cum_count", (1, 1), |a| Ok(a.x().cum_count())),
    function("rolling_sum", (2, 4), |a| Ok(a.x().rolling_sum(rows(a, 1)?))),
    function("rolling_mean", (2, 4), |a| Ok(a.x().rolling_mean(rows(a, 1)?))),
    function("rolling_min", (2, 4), |a| Ok(a.x().rolling_min(rows(a, 1)?))),
    function("rolling_max", (2, 4), |a| Ok(a.x().rolling_max(rows(a, 1)?))),
    function("rolling_count", (2, 4), |a| Ok(a.x().rolling_count(rows(a, 1)?))),
    function("rolling_var", (2, 4), |a| Ok(a.x().rolling_var(rows(a, 1)?))),
    function("rolling_std", (2, 4), |a| Ok(a.x().rolling_std(rows(a, 1)?))),
    function("rolling_skew", (2, 4), |a| Ok(a.x().rolling_skew(rows(a, 1)?))),
    function("rolling_kurt", (2, 4), |a| Ok(a.x().rolling_kurt(rows(a, 1)?))),
    function("rolling_median", (2, 4), |a| Ok(a.x().rolling_median(rows(a, 1)?))),
    function("rolling_first", (2, 4), |a| Ok(a.x().rolling_first(rows(a, 1)?))),
    function("rolling_last", (2, 4), |a| Ok(a.x().rolling_last(rows(a, 1)?))),
    function("rolling_nunique", (2, 4), |a| Ok(a.x().rolling_nunique(rows(a, 1)?))),
    function("rolling_rank", (2, 5), |a| Ok(a.x().rolling_rank(rank(a, 2)?, a.int::<u64>(1)?))),
    function("rolling_quantile", (3, 5), |a| {
        Ok(a.x().rolling_quantile(a.number(1)?, Interpolation::Linear, rows(a, 2)?))
    }),
    function("rolling_sum_by", (3, 5), |a| Ok(a.x().rolling_sum(span(a)?))),
    function("rolling_mean_by", (3, 5), |a| Ok(a.x().rolling_mean(span(a)?))),
    function("rolling_min_by", (3, 5), |a| Ok(a.x().rolling_min(span(a)?))),
    function("rolling_max_by", (3, 5), |a| Ok(a.x().rolling_max(span(a)?))),
    function("rolling_count_by", (3, 5), |a| Ok(a.x().rolling_count(span(a)?))),
    function("rolling_var_by", (3, 5), |a| Ok(a.x().rolling_var(span(a)?))),
    function("rolling_std_by", (3, 5), |a| Ok(a.x().rolling_std(span(a)?))),
    function("rolling_skew_by", (3, 5), |a| Ok(a.x().rolling_skew(span(a)?))),
    function("rolling_kurt_by", (3, 5), |a| Ok(a.x().rolling_kurt(span(a)?))),
    function("rolling_median_by", (3, 5), |a| Ok(a.x().rolling_median(span(a)?))),
    function("rolling_first_by", (3, 5), |a| Ok(a.x().rolling_first(span(a)?))),
    function("rolling_nunique_by", (3, 5), |a| Ok(a.x().rolling_nunique(span(a)?))),
    function("rolling_last_by", (3, 5), |a| Ok(a.x().rolling_last(span(a)?))),
    function("expanding_sum", (1, 2), |a| Ok(a.x().rolling_sum(so_far(a)?))),
    function("expanding_mean", (1, 2), |a| Ok(a.x().rolling_mean(so_far(a)?))),
    function("expanding_min", (1, 2), |a| Ok(a.x().rolling_min(so_far(a)?))),
    function("expanding_max", (1, 2), |a| Ok(a.x().rolling_max(so_far(a)?))),
    function("expanding_count", (1, 2), |a| Ok(a.x().rolling_count(so_far(a)?))),
    function("expanding_var", (1, 2), |a| Ok(a.x().rolling_var(so_far(a)?))),
    function("expanding_std", (1, 2), |a| Ok(a.x().rolling_std(so_far(a)?))),
    function("expanding_skew", (1, 2), |a| Ok(a.x().rolling_skew(so_far(a)?))),
    function("expanding_kurt", (1, 2), |a| Ok(a.x().rolling_kurt(so_far(a)?))),
    function("expanding_median", (1, 2), |a| Ok(a.x().rolling_median(so_far(a)?))),
    function("expanding_first", (1, 2), |a| Ok(a.x().rolling_first(so_far(a)?))),
    function("expanding_nunique", (1, 2), |a| Ok(a.x().rolling_nunique(so_far(a)?))),
    function("expanding_last", (1, 2), |a| Ok(a.x().rolling_last(so_far(a)?))),
    function("ewm_mean", (3, 6), |a| Ok(a.x().ewm_mean(weights(a, 1)?))),
    function("ewm_var", (3, 6), |a| Ok(a.x().ewm_var(weights(a, 1)?))),
    function("ewm_std", (3, 6), |a| Ok(a.x().ewm_std(weights(a, 1)?))),
    function("ewm_cov", (4, 7), |a| Ok(a.x().ewm_cov(a.arg(1), weights(a, 2)?))),
    function("ewm_corr", (4, 7), |a| Ok(a.x().ewm_corr(a.arg(1), weights(a, 2)?))),
];
