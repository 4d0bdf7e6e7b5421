//! Columns one after the other.

use crate::cast::{CastMode, cast};
use columnade_buffers::Exec;
use columnade_columns::{Column, Result, promote};

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
    let all_categorical = columns.iter().all(|column| matches!(column, Column::Categorical(_)));
    let logical = |column: &Column| column.dtype().logical().clone();
    if rest.iter().all(|column| column.dtype() == first.dtype())
        || all_categorical && rest.iter().all(|column| logical(column) == logical(first))
    {
        return Column::concat(columns, exec);
    }
    let mut dtype = logical(first);
    for column in rest {
        dtype = promote::common("concat", &dtype, &logical(column))?;
    }
    let cast = columns
        .iter()
        .map(|column| cast(column, &dtype, CastMode::Checked, exec))
        .collect::<Result<Vec<_>>>()?;
    Column::concat(&cast.iter().collect::<Vec<_>>(), exec)
}
