//! Comparison of the rows of two columns, whatever their dtype.

use crate::cast::decode;
use crate::expression::{Comparison, Expr, col, when};
use crate::groupby::grouped_rows::compute;
use crate::join::comparable;
use crate::keys::{Numbering, is_compound, numbered};
use crate::sort::NullOrder;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};

/// Whether the rows of two columns are equal, `bool` without nulls: nulls equal nulls, NaNs NaNs, −0.0 equals 0.0.
///
/// Dtypes are those that keys of a join may have.
///
/// # Errors
/// [`Error::DTypeMismatch`]; [`Error::Memory`].
///
/// # Source
/// Polars `eq_missing`.
pub(crate) fn equal_rows(left: &Column, right: &Column, exec: &Exec) -> Result<Column> {
    let (left, right) = comparable(left, right, exec)?;
    if left.dtype() == DType::Null {
        return Column::from_scalar(&true.into(), left.size(), exec);
    }
    let flat = |column: Column| {
        if let Column::Categorical(categorical) = &column { decode(categorical, exec) } else { Ok(column) }
    };
    let (left, right) = (flat(left)?, flat(right)?);
    let mut equal = col("a").eq(col("b"));
    if left.dtype().is_float() {
        equal = equal | (col("a").ne(col("a")) & col("b").ne(col("b")));
    }
    let (a, b) = (col("a").is_null(), col("b").is_null());
    let equal = when(a.clone() | b.clone()).then(a & b).otherwise(equal);
    Ok(compute(&[("a", &left), ("b", &right)], equal, exec)?.without_mask())
}

/// A comparison of the rows of two columns of a compound dtype; null where one of them is null. A null within a value equals
/// a null, and is greater than every other value; NaN equals NaN.
///
/// # Errors
/// [`Error::DTypeMismatch`] for different dtypes; [`Error::Memory`].
///
/// # Source
/// Polars and DuckDB, comparison of lists and structs.
pub(crate) fn compare_compound(op: Comparison, left: &Column, right: &Column, exec: &Exec) -> Result<Column> {
    let dtypes = (left.dtype(), right.dtype());
    if !is_compound(&dtypes.0) || !dtypes.0.same_values(&dtypes.1) {
        return Err(Error::DTypeMismatch { left: dtypes.0, right: dtypes.1 });
    }
    let numbering = match op {
        Comparison::Eq | Comparison::Ne => Numbering::Equality,
        Comparison::Lt | Comparison::Le | Comparison::Gt | Comparison::Ge => {
            Numbering::Order(NullOrder::Last)
        }
    };
    let both = crate::copying::concat(&[left, right], exec)?;
    let both = numbered(&both, numbering, exec)?;
    let (left, right) = (both.slice(0, left.size())?, both.slice(left.size(), right.size())?);
    let compared: fn(Expr, Expr) -> Expr = match op {
        Comparison::Eq => |a, b| a.eq(b),
        Comparison::Ne => |a, b| a.ne(b),
        Comparison::Lt => |a, b| a.lt(b),
        Comparison::Le => |a, b| a.le(b),
        Comparison::Gt => |a, b| a.gt(b),
        Comparison::Ge => |a, b| a.ge(b),
    };
    compute(&[("a", &left), ("b", &right)], compared(col("a"), col("b")), exec)
}
