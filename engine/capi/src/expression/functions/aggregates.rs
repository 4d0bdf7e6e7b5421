//! Aggregates.

use columnade::expressions::Interpolation;

use super::{Call, Function, Growth, MANY, function};
use crate::expression::error::Problem;

fn interpolation(a: &Call<'_>, at: usize) -> Result<Interpolation, Problem> {
    if !a.has(at) {
        return Ok(Interpolation::Linear);
    }
    let words = [
        ("linear", Interpolation::Linear),
        ("lower", Interpolation::Lower),
        ("higher", Interpolation::Higher),
        ("nearest", Interpolation::Nearest),
        ("midpoint", Interpolation::Midpoint),
    ];
    a.word(at, &words, "'linear', 'lower', 'higher', 'nearest' or 'midpoint'")
}

/// An aggregate where there are enough values, and null else.
fn where_enough(_: usize) -> Growth {
    Growth::of_each(4, 2)
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("len", (0, 0), |_| Ok(columnade::len())),
    function("count", (1, 1), |a| Ok(a.x().count())),
    function("sum", (1, 1), |a| Ok(a.x().sum())),
    function("min", (1, 1), |a| Ok(a.x().min())),
    function("max", (1, 1), |a| Ok(a.x().max())),
    function("mean", (1, 1), |a| Ok(a.x().mean())),
    function("median", (1, 1), |a| Ok(a.x().median())),
    function("var", (1, 2), |a| Ok(a.x().var_ddof(a.int_or(1, 1)?))),
    function("std", (1, 2), |a| Ok(a.x().std_ddof(a.int_or(1, 1)?))),
    function("sem", (1, 2), |a| Ok(a.x().sem_ddof(a.int_or(1, 1)?))),
    function("skew", (1, 1), |a| Ok(a.x().skew())),
    function("kurt", (1, 1), |a| Ok(a.x().kurt())),
    function("cov", (2, 3), |a| Ok(a.x().cov_ddof(a.arg(1), a.int_or(2, 1)?))),
    function("corr", (2, 2), |a| Ok(a.x().corr(a.arg(1)))),
    function("kendall", (2, 2), |a| Ok(a.x().kendall(a.arg(1)))),
    function("quantile", (2, 3), |a| Ok(a.x().quantile_with(a.number(1)?, interpolation(a, 2)?))),
    function("quantiles", (2, MANY), |a| Ok(a.x().quantiles(a.numbers(1)?))),
    function("histogram", (3, MANY), |a| Ok(a.x().histogram(a.numbers(1)?))),
    function("sum_min_count", (2, 2), |a| Ok(a.x().sum_min_count(a.int(1)?))).growing(where_enough),
    function("product_min_count", (2, 2), |a| Ok(a.x().product_min_count(a.int(1)?))).growing(where_enough),
    function("product", (1, 1), |a| Ok(a.x().product())),
    function("any", (1, 1), |a| Ok(a.x().any())),
    function("all", (1, 1), |a| Ok(a.x().all())),
    function("nunique", (1, 1), |a| Ok(a.x().nunique())),
    function("mode", (1, 1), |a| Ok(a.x().mode())),
    function("first", (1, 1), |a| Ok(a.x().first())),
    function("last", (1, 1), |a| Ok(a.x().last())),
    function("nth", (2, 2), |a| Ok(a.x().nth(a.int(1)?))),
    function("arg_min", (1, 1), |a| Ok(a.x().arg_min())),
    function("arg_max", (1, 1), |a| Ok(a.x().arg_max())),
    function("collect", (1, 1), |a| Ok(a.x().collect())),
    function("collect_unique", (1, 1), |a| Ok(a.x().collect_unique())),
    function("top_k", (2, 2), |a| Ok(a.x().top_k(a.int(1)?))),
    function("bottom_k", (2, 2), |a| Ok(a.x().bottom_k(a.int(1)?))),
    function("filter", (2, 2), |a| Ok(a.x().filter(a.arg(1)))),
];
