//! Columns one after the other.

use crate::cast::{CastMode, cast};
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, Result, promote};

/// The rows of all columns, one column after the other. Columns of different dtypes are brought to the one that
/// [`promote::common`] gives; dictionaries are unified, and decoded beside columns of their values.
///
/// # Errors
/// [`Error::DTypeMismatch`](columnade_columns::Error::DTypeMismatch) when there is no common dtype;
/// [`Error::InvalidArgument`](columnade_columns::Error::InvalidArgument) without columns;
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Source
/// cudf/concatenate.hpp `concatenate`, pandas `concat`.
pub fn concat(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let Some((first, rest)) = columns.split_first() else { return Column::concat(columns, exec) };
    if rest.iter().all(|column| column.dtype().same_values(&first.dtype())) {
        return Column::concat(columns, exec);
    }
    let aligned = align("concat", columns, exec)?;
    Column::concat(&aligned.iter().collect::<Vec<_>>(), exec)
}

/// The columns, brought to one dtype, and to one dictionary where all are categorical.
pub(super) fn align(op: &'static str, columns: &[&Column], exec: &Exec) -> Result<Vec<Column>> {
    let logical = |column: &Column| column.dtype().logical().clone();
    let Some((first, rest)) = columns.split_first() else { return Ok(Vec::new()) };
    let mut dtype = logical(first);
    for column in rest {
        dtype = promote::common(op, &dtype, &logical(column))?;
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
