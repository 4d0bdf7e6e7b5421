//! Functions of numbers, of missing values, and choices.

use columnade::{
    Expr, all_horizontal, any_horizontal, max_horizontal, mean_horizontal, min_horizontal, sum_horizontal,
};

use super::{Call, Function, Growth, MANY, function};
use crate::expression::error::Problem;

/// The number of digits after the point.
fn decimals(a: &Call<'_>) -> Result<i32, Problem> {
    a.int_or(1, 0)
}

/// The first that is not null, built from the end: the first operand of `fill_null` occurs twice, so that a chain from the
/// front would double with every argument.
fn coalesce(a: &Call<'_>) -> Expr {
    a.rest(1)
        .into_iter()
        .rev()
        .reduce(|rest, value| value.fill_null(rest))
        .map_or(a.x(), |rest| a.x().fill_null(rest))
}

/// Old and new values in turn, from an argument on.
fn pairs(a: &Call<'_>, from: usize) -> Result<Vec<(Expr, Expr)>, Problem> {
    let values = a.rest(from);
    if values.len() % 2 == 1 {
        return a.wrong(from + values.len() - 1, "followed by the value that replaces it");
    }
    Ok(values
        .chunks_exact(2)
        .filter_map(|pair| Some((pair.first()?.clone(), pair.get(1)?.clone())))
        .collect())
}

/// A tree over as many comparisons as there are arguments.
fn tree(arguments: usize) -> Growth {
    // Each comparison is a node, and the tests of pairs are.
    Growth { levels: 2 + arguments.next_power_of_two().ilog2() as usize, copies: 1, of_first: 3 * arguments }
}

/// A level for each argument.
fn chain(arguments: usize) -> Growth {
    Growth { levels: arguments, copies: 1, of_first: 2 * arguments }
}

/// A sum of all arguments, each without its nulls, over their number.
fn sequence(arguments: usize) -> Growth {
    Growth::of_each(arguments + 5, 5)
}

/// A choice between a value and its limit.
const LIMIT: Growth = Growth::of_each(3, 2);

/// A choice by whether the argument is NaN.
fn without_nan(_: usize) -> Growth {
    Growth::of_each(3, 2)
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("abs", (1, 1), |a| Ok(a.x().abs())),
    function("neg", (1, 1), |a| Ok(a.x().neg())),
    function("round", (1, 2), |a| Ok(a.x().round(decimals(a)?))),
    function("floor", (1, 1), |a| Ok(a.x().floor())),
    function("ceil", (1, 1), |a| Ok(a.x().ceil())),
    function("trunc", (1, 1), |a| Ok(a.x().trunc())),
    function("sign", (1, 1), |a| Ok(a.x().sign())),
    function("sqrt", (1, 1), |a| Ok(a.x().sqrt())),
    function("cbrt", (1, 1), |a| Ok(a.x().cbrt())),
    function("pow", (2, 2), |a| Ok(a.x().pow(a.arg(1)))),
    function("exp", (1, 1), |a| Ok(a.x().exp())),
    function("expm1", (1, 1), |a| Ok(a.x().expm1())),
    function("ln", (1, 1), |a| Ok(a.x().ln())),
    function("log", (2, 2), |a| Ok(a.x().log(a.number(1)?))),
    function("log1p", (1, 1), |a| Ok(a.x().log1p())),
    function("log2", (1, 1), |a| Ok(a.x().log2())),
    function("log10", (1, 1), |a| Ok(a.x().log10())),
    function("sin", (1, 1), |a| Ok(a.x().sin())),
    function("cos", (1, 1), |a| Ok(a.x().cos())),
    function("tan", (1, 1), |a| Ok(a.x().tan())),
    function("asin", (1, 1), |a| Ok(a.x().asin())),
    function("acos", (1, 1), |a| Ok(a.x().acos())),
    function("atan", (1, 1), |a| Ok(a.x().atan())),
    function("atan2", (2, 2), |a| Ok(a.x().atan2(a.arg(1)))),
    function("sinh", (1, 1), |a| Ok(a.x().sinh())),
    function("cosh", (1, 1), |a| Ok(a.x().cosh())),
    function("tanh", (1, 1), |a| Ok(a.x().tanh())),
    function("asinh", (1, 1), |a| Ok(a.x().asinh())),
    function("acosh", (1, 1), |a| Ok(a.x().acosh())),
    function("atanh", (1, 1), |a| Ok(a.x().atanh())),
    // Each limit is compared with the value and is chosen or not.
    function("clip", (3, 3), |a| Ok(a.x().clip(a.arg(1), a.arg(2)))).growing(|_| Growth::of_each(6, 4)),
    function("clip_min", (2, 2), |a| Ok(a.x().clip_min(a.arg(1)))).growing(|_| LIMIT),
    function("clip_max", (2, 2), |a| Ok(a.x().clip_max(a.arg(1)))).growing(|_| LIMIT),
    function("bit_and", (2, 2), |a| Ok(a.x().bit_and(a.arg(1)))),
    function("bit_or", (2, 2), |a| Ok(a.x().bit_or(a.arg(1)))),
    function("bit_xor", (2, 2), |a| Ok(a.x().bit_xor(a.arg(1)))),
    function("bit_not", (1, 1), |a| Ok(a.x().bit_not())),
    function("shift_left", (2, 2), |a| Ok(a.x().shift_left(a.arg(1)))),
    function("shift_right", (2, 2), |a| Ok(a.x().shift_right(a.arg(1)))),
    function("checked_add", (2, 2), |a| Ok(a.x().checked_add(a.arg(1)))),
    function("checked_sub", (2, 2), |a| Ok(a.x().checked_sub(a.arg(1)))),
    function("checked_mul", (2, 2), |a| Ok(a.x().checked_mul(a.arg(1)))),
    function("checked_floor_div", (2, 2), |a| Ok(a.x().checked_floor_div(a.arg(1)))),
    function("checked_neg", (1, 1), |a| Ok(a.x().checked_neg())),
    function("checked_abs", (1, 1), |a| Ok(a.x().checked_abs())),
    function("fill_nan", (2, 2), |a| Ok(a.x().fill_nan(a.arg(1)))).growing(without_nan),
    function("nan_to_null", (1, 1), |a| Ok(a.x().nan_to_null())).growing(without_nan),
    function("degrees", (1, 1), |a| Ok(a.x().degrees())),
    function("radians", (1, 1), |a| Ok(a.x().radians())),
    function("is_nan", (1, 1), |a| Ok(a.x().is_nan())),
    function("is_finite", (1, 1), |a| Ok(a.x().is_finite())),
    function("is_infinite", (1, 1), |a| Ok(a.x().is_infinite())),
    function("is_null", (1, 1), |a| Ok(a.x().is_null())),
    function("is_not_null", (1, 1), |a| Ok(a.x().is_not_null())),
    function("eq_missing", (2, 2), |a| Ok(a.x().eq_missing(a.arg(1)))),
    function("ne_missing", (2, 2), |a| Ok(a.x().ne_missing(a.arg(1)))),
    // A null is tested for and replaced, so that the value occurs twice.
    function("fill_null", (2, 2), |a| Ok(a.x().fill_null(a.arg(1)))).growing(|_| Growth::of_each(2, 2)),
    function("coalesce", (1, MANY), |a| Ok(coalesce(a)))
        .growing(|arguments| Growth::of_each(2 * arguments, 2)),
    function("min_horizontal", (1, MANY), |a| Ok(min_horizontal(a.rest(0)))),
    function("max_horizontal", (1, MANY), |a| Ok(max_horizontal(a.rest(0)))),
    function("sum_horizontal", (1, MANY), |a| Ok(sum_horizontal(a.rest(0)))).growing(sequence),
    function("mean_horizontal", (1, MANY), |a| Ok(mean_horizontal(a.rest(0)))).growing(sequence),
    function("all_horizontal", (1, MANY), |a| Ok(all_horizontal(a.rest(0)))).growing(sequence),
    function("any_horizontal", (1, MANY), |a| Ok(any_horizontal(a.rest(0)))).growing(sequence),
    function("between", (3, 3), |a| Ok(a.x().between(a.arg(1), a.arg(2)))).growing(|_| Growth::of_each(2, 2)),
    function("is_in", (1, MANY), |a| Ok(a.x().is_in(a.rest(1)))).growing(tree),
    function("replace", (3, MANY), |a| Ok(a.x().replace(pairs(a, 1)?))).growing(chain),
    function("replace_or", (4, MANY), |a| Ok(a.x().replace_or(pairs(a, 2)?, a.arg(1)))).growing(chain),
];
