//! Rows as columns.

use columnade_columns::{AsLabel, Column, ColumnAccessor, Label, LabelPart, Levels};
use columnade_ops::reshape::{self, Pivoted};

use super::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::selection::IntoLabels;

/// Which columns have the keys of rows and columns and the values for [`DataFrame::pivot`].
///
/// # Source
/// pandas `DataFrame.pivot(index=…, columns=…, values=…)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pivot {
    index: Vec<Label>,
    columns: Vec<Label>,
    values: Option<Vec<Label>>,
}

impl Pivot {
    /// No keys: one row and one column.
    pub fn new() -> Self {
        Self::default()
    }

    /// Columns whose values are the keys of the rows.
    #[must_use]
    pub fn index<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { index: labels.into_labels(), ..self }
    }

    /// Columns whose values become the labels of columns.
    #[must_use]
    pub fn columns<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { columns: labels.into_labels(), ..self }
    }

    /// Columns of values. Default: all that have no keys.
    #[must_use]
    pub fn values<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { values: Some(labels.into_labels()), ..self }
    }
}

impl DataFrame {
    /// A row for each key of `index` and a column for each key of `columns`, in ascending order, with the values in between;
    /// null where there is no row with both. Null keys are keys, after the others.
    ///
    /// The keys of rows are the first columns of the result. Columns of one column of values are called as their keys; those of
    /// several have labels of several levels, the label of the values first.
    ///
    /// ```
    /// use columnade::{Pivot, df};
    ///
    /// let frame = df! {
    ///     "city" => ["Oslo", "Rome", "Oslo"], "month" => [5_i64, 5, 6], "degrees" => [9_i64, 18, 14],
    /// }?;
    /// let table = frame.pivot(&Pivot::new().index("city").columns("month").values("degrees"))?;
    /// assert_eq!(table.column("city")?.to_vec::<String>()?, ["Oslo", "Rome"]);
    /// assert_eq!(table.column(5)?.to_vec::<i64>()?, [9, 18]);
    /// assert_eq!(table.column(6)?.to_options::<i64>()?, [Some(14), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for two rows with the same keys, for keys that are no labels, and when memory
    /// runs out.
    ///
    /// # Device
    /// The keys of columns are copied to the host, since they are labels.
    ///
    /// # Source
    /// pandas `DataFrame.pivot`, Polars `DataFrame.pivot`.
    pub fn pivot(&self, options: &Pivot) -> Result<Self> {
        const OPERATION: &str = "pivot";
        let accessor = self.frame().accessor();
        let keys = || options.index.iter().chain(&options.columns);
        if keys().next().is_none() {
            let reason = "none is named, nor an index: their values become labels of the table";
            return Err(Error::argument(OPERATION, "columns", reason));
        }
        self.frame().check_labels(OPERATION, keys())?;
        let is_key = |label: &&Label| keys().any(|key| key == *label);
        let others = || accessor.labels().iter().filter(|label| !is_key(label)).cloned().collect();
        let values: Vec<Label> = options.values.clone().unwrap_or_else(others);
        self.frame().check_labels(OPERATION, &values)?;
        let select = |labels: &[Label]| accessor.select(labels).operation(OPERATION);
        let [rows, columns, values] = [select(&options.index)?, select(&options.columns)?, select(&values)?];
        let pivoted = reshape::pivot(&rows, &columns, &values, self.exec()).operation(OPERATION)?;
        let heads = heads(OPERATION, &pivoted.columns)?;
        let names = columns.labels().iter().cloned().map(Some).collect();
        self.table(OPERATION, pivoted, values.labels(), &heads, names)
    }

    /// The columns of a table, whose keys of columns are `heads` with these names.
    pub(super) fn table(
        &self,
        operation: &'static str,
        pivoted: Pivoted,
        values: &[Label],
        heads: &[Vec<LabelPart>],
        names: Vec<Option<Label>>,
    ) -> Result<Self> {
        let several = values.len() > 1 || names.is_empty();
        let value_depth = if several { values.iter().map(AsLabel::depth).max().unwrap_or(0) } else { 0 };
        let depth = (value_depth + names.len()).max(1);
        let mut levels: Vec<Option<Label>> = vec![None; depth - names.len()];
        levels.extend(names);
        let mut table =
            ColumnAccessor::with_levels(pivoted.rows.rows(), Levels::named(levels).operation(operation)?);
        let padded = |parts: Vec<LabelPart>| {
            let padding = depth.saturating_sub(parts.len());
            Label::from_parts(parts.into_iter().chain(std::iter::repeat_n(LabelPart::from(""), padding)))
        };
        for (label, column) in pivoted.rows.iter() {
            let label = padded(label.parts().to_vec()).operation(operation)?;
            table.insert(label, column.clone()).operation(operation)?;
        }
        for (value, columns) in values.iter().zip(pivoted.values) {
            for (head, column) in heads.iter().zip(columns) {
                let mut parts = Vec::with_capacity(depth);
                if several {
                    parts.extend(value.parts().iter().cloned());
                    parts.resize(value_depth, LabelPart::from(""));
                }
                parts.extend(head.iter().cloned());
                let label = Label::from_parts(parts).operation(operation)?;
                table.insert(label, column).operation(operation)?;
            }
        }
        Ok(Self::from_frame(Frame::new(table, self.exec().clone())))
    }
}

/// The keys of columns as parts of labels, one list a key.
pub(super) fn heads(operation: &'static str, keys: &ColumnAccessor) -> Result<Vec<Vec<LabelPart>>> {
    let mut heads = vec![Vec::with_capacity(keys.len()); keys.rows()];
    for (label, column) in keys.iter() {
        let parts = parts(column).map_err(|error| error.in_column(label)).operation(operation)?;
        for (head, part) in heads.iter_mut().zip(parts) {
            head.push(part);
        }
    }
    Ok(heads)
}

fn parts(column: &Column) -> columnade_columns::Result<Vec<LabelPart>> {
    column.to_scalars()?.iter().map(LabelPart::try_from).collect()
}
