//! Columns as rows.

use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::reshape;

use super::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::selection::IntoLabels;

/// Which columns [`DataFrame::melt`] makes rows of. Without settings all, none of which identify rows.
///
/// # Source
/// pandas `melt(id_vars=…, value_vars=…, var_name=…, value_name=…)`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Melt {
    id_vars: Vec<Label>,
    value_vars: Option<Vec<Label>>,
    var_name: Option<Label>,
    value_name: Option<Label>,
}

impl Melt {
    /// All columns become rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Columns that identify rows, and are repeated.
    #[must_use]
    pub fn id_vars<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { id_vars: labels.into_labels(), ..self }
    }

    /// Columns that become rows. Default: all that do not identify rows.
    #[must_use]
    pub fn value_vars<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { value_vars: Some(labels.into_labels()), ..self }
    }

    /// What the column of labels is called. Default: as the level of the column labels, or `variable`; of several levels
    /// `variable_0` and so on.
    #[must_use]
    pub fn var_name(self, label: impl Into<Label>) -> Self {
        Self { var_name: Some(label.into()), ..self }
    }

    /// What the column of values is called. Default: `value`.
    #[must_use]
    pub fn value_name(self, label: impl Into<Label>) -> Self {
        Self { value_name: Some(label.into()), ..self }
    }
}

impl DataFrame {
    /// The values of several columns below each other in one column, next to the label of their column; the other columns
    /// are repeated.
    ///
    /// ```
    /// use columnade::{Melt, df};
    ///
    /// let frame = df! { "city" => ["Oslo", "Rome"], "may" => [9_i64, 18], "june" => [14_i64, 22] }?;
    /// let rows = frame.melt(&Melt::new().id_vars("city").var_name("month").value_name("degrees"))?;
    /// assert_eq!(rows.column("city")?.to_vec::<String>()?, ["Oslo", "Rome", "Oslo", "Rome"]);
    /// assert_eq!(rows.column("month")?.to_vec::<String>()?, ["may", "may", "june", "june"]);
    /// assert_eq!(rows.column("degrees")?.to_vec::<i64>()?, [9, 18, 14, 22]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for values without a common dtype, for a label that comes twice, and when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.melt`, Polars `DataFrame.unpivot`.
    pub fn melt(&self, options: &Melt) -> Result<Self> {
        const OPERATION: &str = "melt";
        let columns = self.frame().accessor();
        let ids = &options.id_vars;
        self.frame().check_labels(OPERATION, ids)?;
        let values = match &options.value_vars {
            Some(labels) => labels.clone(),
            None => columns.labels().iter().filter(|label| !ids.contains(label)).cloned().collect(),
        };
        self.frame().check_labels(OPERATION, &values)?;
        let melted = reshape::melt(columns, ids, &values, self.exec()).operation(OPERATION)?;
        let mut rows = ColumnAccessor::with_rows(melted.values.size());
        for (label, column) in melted.ids.iter() {
            rows.insert(label.clone(), column.clone()).operation(OPERATION)?;
        }
        let names = columns.levels().names();
        let several = melted.variables.len() > 1;
        for (level, variable) in melted.variables.into_iter().enumerate() {
            let name = match (&options.var_name, names.get(level)) {
                (Some(name), _) if !several => name.clone(),
                (_, Some(Some(name))) => name.clone(),
                _ if several => format!("variable_{level}").into(),
                _ => "variable".into(),
            };
            rows.insert(name, variable).operation(OPERATION)?;
        }
        let name = options.value_name.clone().unwrap_or_else(|| "value".into());
        rows.insert(name, melted.values).operation(OPERATION)?;
        Ok(Self::from_frame(Frame::new(rows, self.exec().clone())))
    }
}
