//! Concatenates columns.

use crate::cast::{CastMode, cast};
use crate::out_of_core::{Driver, MemoryEstimate, whole_or};
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Label, Result, promote};

/// Concatenates the rows of all columns. Different dtypes are cast to their common dtype, see
/// [`promote::common`]. Dictionaries are unified; they are decoded if another column has plain values.
///
/// Columns that do not fit the budget together are assembled in a lower tier: see [`Column::assemble`].
///
/// # Errors
/// [`Error::DTypeMismatch`](columnade_columns::Error::DTypeMismatch) if there is no common dtype;
/// [`Error::InvalidArgument`](columnade_columns::Error::InvalidArgument) without columns;
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Source
/// cudf/concatenate.hpp `concatenate`, pandas `concat`.
pub fn concat(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let estimate = || {
        let bytes = columns.iter().map(|column| column.row_bytes()).sum::<Result<_>>()?;
        Ok(MemoryEstimate::new(bytes, bytes))
    };
    let whole = |exec: &Exec| concat_whole(columns, exec);
    whole_or(columns, exec, estimate, whole, |driver| concat_chunks(columns, driver))
}

fn concat_whole(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let Some((first, rest)) = columns.split_first() else { return Column::concat(columns, exec) };
    let dtype = first.dtype();
    // Codes are unified when they are concatenated.
    let values = |dtype: &DType| {
        if let DType::Dictionary(dictionary) = dtype { dictionary.values.clone() } else { dtype.clone() }
    };
    if rest
        .iter()
        .all(|column| column.dtype().same_values(&dtype) && values(&column.dtype()) == values(&dtype))
    {
        return Column::concat(columns, exec);
    }
    let aligned = align(columns, exec)?;
    Column::concat(&aligned.iter().collect::<Vec<_>>(), exec)
}

/// [`concat`] of columns that exceed the budget together.
fn concat_chunks(columns: &[&Column], driver: Driver<'_>) -> Result<Column> {
    let Some((first, rest)) = columns.split_first() else { return Column::concat(columns, driver.exec) };
    let mut dtype = first.dtype().logical().clone();
    for column in rest {
        dtype = promote::common(&dtype, column.dtype().logical())?;
    }
    let coded = |column: &Column| matches!(column, Column::Categorical(column) if column.dictionary().dtype() == dtype);
    if columns.iter().all(|column| coded(column)) {
        return Column::assemble(
            &columns.iter().map(|&column| column.clone()).collect::<Vec<_>>(),
            driver.exec,
        );
    }
    let estimate = |rows: &ColumnAccessor| {
        let input = rows.row_bytes()?;
        Ok(MemoryEstimate::new(input, input + size_of::<i128>() * rows.rows()))
    };
    let mut parts = Vec::with_capacity(columns.len());
    for column in columns {
        parts.extend(
            driver
                .column_chunks(column, estimate, |rows, exec| cast(rows, &dtype, CastMode::Checked, exec))?,
        );
    }
    Column::assemble(&parts, driver.exec)
}

/// Checks that labelled columns have a dtype in common; the error names the first that has none with those before it.
///
/// # Errors
/// [`Error::DTypeMismatch`](columnade_columns::Error::DTypeMismatch).
pub(crate) fn check_common<'a>(columns: impl IntoIterator<Item = (&'a Label, &'a Column)>) -> Result<()> {
    let mut common: Option<DType> = None;
    for (label, column) in columns {
        let dtype = column.dtype().logical().clone();
        common = Some(match common {
            None => dtype,
            Some(before) => promote::common(&before, &dtype).map_err(|error| error.in_column(label))?,
        });
    }
    Ok(())
}

/// The columns cast to one dtype, and to one dictionary if all are categorical.
pub(super) fn align(columns: &[&Column], exec: &Exec) -> Result<Vec<Column>> {
    let logical = |column: &Column| column.dtype().logical().clone();
    let Some((first, rest)) = columns.split_first() else { return Ok(Vec::new()) };
    let mut dtype = logical(first);
    for column in rest {
        dtype = promote::common(&dtype, &logical(column))?;
    }
    let categorical: Vec<&CategoricalColumn> = columns
        .iter()
        .filter_map(|column| if let Column::Categorical(column) = column { Some(column) } else { None })
        .filter(|column| column.dictionary().dtype() == dtype)
        .collect();
    if categorical.len() == columns.len() {
        let unified = CategoricalColumn::unify(&categorical, exec)?;
        return Ok(unified.into_iter().map(Column::Categorical).collect());
    }
    columns.iter().map(|column| cast(column, &dtype, CastMode::Checked, exec)).collect()
}
