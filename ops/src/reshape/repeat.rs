//! Which rows repeated rows are.

use super::rows::{map_of, product, whole};
use crate::cast::{CastMode, cast};
use crate::expression::col;
use crate::groupby::grouped_rows::starts;
use crate::groupby::{GroupOptions, aggregate};
use crate::selection::{Step, range_labels};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};

/// How often each row comes.
#[derive(Clone, Copy, Debug)]
pub enum RepeatCounts<'a> {
    /// As often as every other.
    Same(usize),
    /// As often as the count of the row: integers, not negative and not null.
    Each(&'a Column),
}

/// The rows of a frame of `rows` rows, each as often as `counts` says: `a b` with `2 1` becomes `a a b`.
///
/// # Shapes and units
/// n rows → as many as the sum of the counts.
///
/// # Errors
/// [`Error::LengthMismatch`] for another number of counts than rows; [`Error::UnsupportedDType`] for counts that are no
/// integers; [`Error::InvalidArgument`] for a null or negative one; [`Error::Overflow`] for more than `i64::MAX` rows;
/// [`Error::Memory`].
///
/// # Device
/// One reduction and one scan of the counts; the rows are found when they are gathered.
///
/// # Source
/// cudf/filling.hpp `repeat`, pandas `Series.repeat`.
pub fn repeat_rows(rows: usize, counts: RepeatCounts<'_>, exec: &Exec) -> Result<Step> {
    let step = |begins: Column, len: usize| {
        if len == 0 { Step::Slice { offset: 0, len } } else { Step::Repeat { begins, len } }
    };
    match counts {
        RepeatCounts::Same(1) => Ok(Step::Slice { offset: 0, len: rows }),
        RepeatCounts::Same(count) => {
            let len = product(rows, count)?;
            Ok(step(range_labels(0, whole(count)?, if len == 0 { 0 } else { rows }, exec)?, len))
        }
        RepeatCounts::Each(counts) => {
            if counts.size() != rows {
                return Err(Error::LengthMismatch { expected: rows, found: counts.size() });
            }
            if !counts.dtype().is_integer() {
                return Err(Error::UnsupportedDType { dtype: counts.dtype() });
            }
            let counts = cast(counts, &DType::Int64, CastMode::Checked, exec)?;
            let len = total_of(&counts, exec)?;
            Ok(step(starts(&counts.without_mask(), exec)?, len))
        }
    }
}

/// The rows of a frame of `rows` rows `count` times, one copy after the other: `a b` becomes `a b a b`.
///
/// # Shapes and units
/// n rows → `count` · n rows.
///
/// # Errors
/// [`Error::Overflow`] for more than `i64::MAX` rows; [`Error::Memory`].
///
/// # Source
/// cudf/reshape.hpp `tile`, `numpy.tile`.
pub fn tile_rows(rows: usize, count: usize, exec: &Exec) -> Result<Step> {
    let len = product(rows, count)?;
    if count == 1 || len == 0 {
        return Ok(Step::Slice { offset: 0, len });
    }
    let map = map_of(len, col("row") % whole(rows)?, exec)?;
    Ok(Step::Rows { map, distinct: false, ordered: false })
}

/// From this many rows on a sum of `int64` might have wrapped around: less than 2⁶³ by more than a sum of floats is off.
const MOST_ROWS: f64 = 9.2e18;

/// The sum of the counts, `int64`, none of which is null or negative.
fn total_of(counts: &Column, exec: &Exec) -> Result<usize> {
    let invalid = |reason: String| Err(Error::InvalidArgument { name: "counts", reason });
    if counts.null_count(exec)? > 0 {
        return invalid("one of them is null".to_owned());
    }
    let frame = ColumnAccessor::from_columns([("count", counts.clone())])?;
    let count = || col("count");
    let asked = [
        count().min().alias("least"),
        count().sum().alias("total"),
        count().cast(DType::Float64).sum().alias("about"),
    ];
    let made = aggregate(&frame, None, &[], &asked, GroupOptions::default(), exec)?;
    let value = |label: &str| made.get(label)?.get(0);
    if let Scalar::Int64(least) = value("least")?
        && least < 0
    {
        return invalid(format!("{least} is negative"));
    }
    match (value("about")?, value("total")?) {
        (Scalar::Float64(about), Scalar::Int64(total)) if about < MOST_ROWS => {
            usize::try_from(total).map_err(|_| Error::Overflow { dtype: DType::Int64 })
        }
        _ => Err(Error::Overflow { dtype: DType::Int64 }),
    }
}
