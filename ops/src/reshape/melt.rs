//! Columns as rows of one column.

use super::rows::{product, repeat, tile};
use crate::copying::{check_common, concat};
use crate::out_of_core::by_position;
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{AsLabel, Column, ColumnAccessor, DType, Label, Result, Scalar};

/// The columns that [`melt`] gives.
#[derive(Clone, Debug)]
pub struct Melted {
    /// The columns that identify rows, once for each melted column.
    pub ids: ColumnAccessor,
    /// The label of the column that each value is from, a column for each level of the labels.
    pub variables: Vec<Column>,
    /// The values.
    pub values: Column,
}

/// The values of the columns `values` below each other, with the labels of their columns, and the columns `ids` repeated
/// beside them.
///
/// Values are brought to their common dtype. Labels are strings, unless all are of one other dtype.
///
/// # Shapes and units
/// columns: n rows, k of them in `values` → k · n rows: those of the first column, then those of the second. A result that
/// exceeds the budget is made in chunks.
///
/// # Errors
/// [`ColumnNotFound`](columnade_columns::Error::ColumnNotFound) and
/// [`DuplicateLabel`](columnade_columns::Error::DuplicateLabel);
/// [`DTypeMismatch`](columnade_columns::Error::DTypeMismatch) for values without a common dtype, with the column;
/// [`Memory`](columnade_columns::Error::Memory).
///
/// # Source
/// pandas `melt`, Polars `unpivot`.
pub fn melt<I: AsLabel, V: AsLabel>(
    columns: &ColumnAccessor,
    ids: impl IntoIterator<Item = I>,
    values: impl IntoIterator<Item = V>,
    exec: &Exec,
) -> Result<Melted> {
    let (ids, melted) = (columns.select(ids)?, columns.select(values)?);
    check_common(melted.iter())?;
    let (rows, count) = (columns.rows(), melted.len());
    product(rows, count)?;
    let levels = melted.labels().iter().map(AsLabel::depth).max().unwrap_or(1);
    let labels = with_retry_no_split(exec, |exec| {
        (0..levels).map(|level| label_column(melted.labels(), level, exec)).collect::<Result<Vec<_>>>()
    })?;
    let values = match melted.columns() {
        [] => Column::full_null(&DType::Null, 0, exec)?,
        columns => concat(&columns.iter().collect::<Vec<_>>(), exec)?,
    };
    let variables = repeat(&by_position(&labels, count)?, rows, exec)?.columns().to_vec();
    Ok(Melted { ids: tile(&ids, count, exec)?, variables, values })
}

/// The labels of columns as columns, one for each level: of the dtype of the labels if they have one in common, else as text.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
pub fn label_columns(labels: &[Label], exec: &Exec) -> Result<Vec<Column>> {
    let depth = labels.iter().map(AsLabel::depth).max().unwrap_or(1);
    with_retry_no_split(exec, |exec| (0..depth).map(|level| label_column(labels, level, exec)).collect())
}

/// One level of labels as a column: of their dtype if they have one in common, else as text.
pub(super) fn label_column(labels: &[Label], level: usize, exec: &Exec) -> Result<Column> {
    let parts = || labels.iter().map(|label| label.parts().get(level));
    let mut dtypes = parts().filter_map(|part| part.and_then(columnade_columns::LabelPart::dtype));
    let dtype = dtypes.next().filter(|first| dtypes.all(|other| other == *first)).unwrap_or(DType::Utf8);
    let scalar = |part: Option<&columnade_columns::LabelPart>| match part {
        Some(part) if part.dtype().is_some() && dtype == DType::Utf8 => Scalar::Utf8(part.to_string()),
        Some(part) => part.to_scalar().unwrap_or_else(|| Scalar::Null(dtype.clone())),
        None => Scalar::Null(dtype.clone()),
    };
    Column::from_scalars(&dtype, &parts().map(scalar).collect::<Vec<_>>(), exec)
}
