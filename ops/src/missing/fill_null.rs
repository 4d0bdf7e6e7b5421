//! Replaces nulls.

use crate::cast::{CastMode, cast_values};
use crate::copying::{broadcast, copy_if_else};
use crate::expression::{Literal, adopt, col};
use crate::groupby::grouped_rows::compute;
use crate::out_of_core::{Driver, MemoryEstimate};
use columnade_buffers::Exec;
use columnade_columns::{
    BooleanColumn, Column, ColumnAccessor, DType, DeviceScalar, Error, Result, Scalar, promote,
};

/// Replaces the nulls of `column` by `value`; a column without nulls is shared. NaN is a value. Rows that
/// exceed the budget are filled in chunks.
///
/// A literal takes the dtype of the column, or that of a dictionary's values; filling with null changes
/// nothing. A column of nothing but nulls, whose dtype is `null`, takes the dtype of the literal; lists and
/// structs take the common dtype of their items. A dictionary gets the value if it has not got it; one that
/// is ordered has to have it.
///
/// # Shapes and units
/// column: n rows → n rows of its dtype, without nulls.
///
/// # Errors
/// [`Error::InvalidArgument`] and [`Error::DTypeMismatch`] for a value that does not fit the column's dtype;
/// [`Error::Overflow`] for a decimal with too many digits; [`Error::UnsupportedDType`] for a nested column
/// and a value of another dtype;
/// [`Error::Memory`].
///
/// # Device
/// One synchronisation if the number of nulls is not known. The value is written for every row, and the rows
/// are selected from both columns, as by [`copy_if_else`].
///
/// # Source
/// `cudf/replace.hpp`: `replace_nulls`, pandas `fillna`, Polars `fill_null`.
pub fn fill_null(column: &Column, value: &Literal, exec: &Exec) -> Result<Column> {
    if takes_common_dtype(&column.dtype(), value) {
        return compute(&[("x", column)], col("x").fill_null(value.clone()), exec);
    }
    let Some(filler) = filler(value, column, exec)? else { return Ok(column.clone()) };
    if column.null_count(exec)? == 0 {
        return Ok(column.clone());
    }
    let estimate = |rows: &ColumnAccessor| {
        let (input, filler) = (rows.row_bytes()?, filler.column().row_bytes()?);
        Ok(MemoryEstimate::new(input, filler.saturating_mul(rows.rows()).saturating_add(2 * input)))
    };
    let parts = Driver::new(exec).column_chunks(column, estimate, |rows, exec| fill(rows, &filler, exec))?;
    Column::assemble(&parts, exec)
}

/// Whether the column and the value, or what is within them, take a common dtype: those of nulls without one, and of lists and
/// structs whose items have other dtypes.
fn takes_common_dtype(dtype: &DType, value: &Literal) -> bool {
    let differs = |scalar: &Scalar| {
        !scalar.dtype().same_values(dtype) && promote::common(dtype, &scalar.dtype()).is_ok()
    };
    *dtype == DType::Null
        || matches!(value, Literal::Scalar(scalar) if dtype.is_nested() && !scalar.is_null() && differs(scalar))
}

fn fill(column: &Column, filler: &DeviceScalar, exec: &Exec) -> Result<Column> {
    let Some(mask) = column.mask() else { return Ok(column.clone()) };
    let valid = BooleanColumn::new(mask.clone(), None, column.offset(), column.size())?;
    let fillers = broadcast(filler, column.size(), exec)?;
    // Every row is selected from a valid row.
    Ok(copy_if_else(&Column::Boolean(valid), column, &fillers, exec)?.without_mask())
}

/// `value` as a value of the dtype of `of`, on the device; `None` for null.
fn filler(value: &Literal, of: &Column, exec: &Exec) -> Result<Option<DeviceScalar>> {
    let dtype = &of.dtype();
    if dtype.is_nested() {
        return match adopt(value, dtype) {
            Ok(scalar) if scalar.is_null() => Ok(None),
            Ok(scalar) if scalar.is_of(dtype) => {
                DeviceScalar::new(Column::from_scalars(dtype, &[scalar], exec)?).map(Some)
            }
            _ => Err(Error::UnsupportedDType { dtype: dtype.clone() }),
        };
    }
    let scalar = adopt(value, dtype)?;
    if scalar.is_null() {
        return Ok(None);
    }
    if let Column::Categorical(values) = of
        && values.is_ordered()
        && values.dictionary().size() > 0
        && scalar.is_of(dtype)
    {
        // Another value has no place in the order.
        return DeviceScalar::new(Column::Categorical(values.with_value(&scalar, exec)?)).map(Some);
    }
    let column = match (&scalar, dtype) {
        _ if scalar.is_of(dtype) => Column::from_scalars(dtype, &[scalar], exec)?,
        // No digit is lost; the cast checks that they fit. A constant has no row to name.
        (Scalar::Decimal { scale, .. }, DType::Decimal { scale: kept, .. }) if scale <= kept => {
            let given = Column::from_scalars(&scalar.dtype(), &[scalar], exec)?;
            cast_values(&given, dtype, CastMode::Checked, exec)?
        }
        _ => return Err(Error::DTypeMismatch { left: dtype.clone(), right: scalar.dtype() }),
    };
    DeviceScalar::new(column).map(Some)
}
