//! Columns one after the other.

use super::{CategoricalColumn, Column};
use crate::{Error, Result};
use columnade_buffers::Exec;
use columnade_kernels::View;
use columnade_kernels::copying::concat::concat;

const OP: &str = "concat";

impl Column {
    /// The rows of all columns, one column after the other. Dictionaries are unified; the only column is returned as
    /// it is.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] unless the columns have one dtype; [`Error::InvalidArgument`] without columns;
    /// [`Error::Memory`].
    ///
    /// # Device
    /// One copy a column; dictionaries that differ go through the host.
    ///
    /// # Source
    /// cudf/concatenate.hpp `concatenate`.
    pub fn concat(columns: &[&Column], exec: &Exec) -> Result<Column> {
        let [first, rest @ ..] = columns else {
            let reason = "there are none, so there is no dtype".to_owned();
            return Err(Error::InvalidArgument { op: OP, name: "columns", reason });
        };
        if rest.is_empty() {
            return Ok((*first).clone());
        }
        if let Some(other) = rest.iter().find(|column| column.dtype().logical() != first.dtype().logical()) {
            return Err(Error::DTypeMismatch { op: OP, left: first.dtype(), right: other.dtype() });
        }
        let categorical: Vec<&CategoricalColumn> = columns
            .iter()
            .filter_map(|column| if let Column::Categorical(column) = column { Some(column) } else { None })
            .collect();
        let joined = if categorical.is_empty() {
            joined(columns, exec)?
        } else if categorical.len() == columns.len() {
            let unified: Vec<Column> =
                CategoricalColumn::unify(&categorical, exec)?.into_iter().map(Column::Categorical).collect();
            joined(&unified.iter().collect::<Vec<_>>(), exec)?
        } else {
            let plain =
                columns.iter().find(|column| !matches!(column, Column::Categorical(_))).unwrap_or(first);
            return Err(Error::DTypeMismatch { op: OP, left: first.dtype(), right: plain.dtype() });
        };
        let no_nulls = columns.iter().all(|column| column.known_null_count() == Some(0));
        Ok(if no_nulls { joined.without_mask() } else { joined })
    }
}

fn joined(columns: &[&Column], exec: &Exec) -> Result<Column> {
    let views: Vec<View<'_>> = columns.iter().map(|column| column.view()).collect();
    columns[0].with_data(concat(&views, exec)?)
}
