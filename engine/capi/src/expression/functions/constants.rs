//! Constants that have no syntax of their own, and casts.

use columnade::expressions::Literal;
use columnade::{DType, lit, lit_decimal};

use super::{Call, Function, function};
use crate::expression::constant;
use crate::expression::error::Problem;

/// Units of durations, in nanoseconds.
const UNITS: [(&str, i128); 7] = [
    ("ns", 1),
    ("us", 1_000),
    ("ms", 1_000_000),
    ("s", 1_000_000_000),
    ("min", 60_000_000_000),
    ("h", 3_600_000_000_000),
    ("d", 86_400_000_000_000),
];

fn duration(a: &Call<'_>) -> Result<Literal, Problem> {
    let (number, unit): (i64, i128) =
        (a.int(0)?, a.word(1, &UNITS, "'ns', 'us', 'ms', 's', 'min', 'h' or 'd'")?);
    Ok(Literal::Duration(i128::from(number) * unit))
}

pub(super) const FUNCTIONS: &[Function] = &[
    function("date", (1, 1), |a| constant(&DType::Date32, &a.string(0)?)),
    function("decimal", (1, 1), |a| Ok(lit_decimal(&a.string(0)?)?)),
    function("duration", (2, 2), |a| Ok(lit(duration(a)?))),
    function("literal", (2, 2), |a| constant(&a.dtype(1)?, &a.string(0)?)),
    function("cast", (2, 2), |a| Ok(a.x().cast(a.dtype(1)?))),
    function("try_cast", (2, 2), |a| Ok(a.x().try_cast(a.dtype(1)?))),
];
