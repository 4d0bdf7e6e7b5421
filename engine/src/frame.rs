//! Columns by label, with their execution context.

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{self as columns, AsLabel, Column, ColumnAccessor, DType, Label};
use columnade_ops::expression::{Expr, columns_of, evaluate};

use crate::error::{Error, InOperation, Result};

/// Columns of one length by label, with the context that new columns are made in.
///
/// A clone is another handle of the same memory; [`shallow_copy`](Self::shallow_copy) and [`deep_copy`](Self::deep_copy) are
/// copies.
///
/// # Source
/// cuDF `Frame`.
#[derive(Clone, Debug)]
pub struct Frame {
    columns: ColumnAccessor,
    exec: Exec,
}

impl Frame {
    /// The columns, processed in `exec`.
    pub fn new(columns: ColumnAccessor, exec: Exec) -> Self {
        Self { columns, exec }
    }

    /// The columns by label.
    pub fn accessor(&self) -> &ColumnAccessor {
        &self.columns
    }

    /// The columns, whose memory may be written.
    pub(crate) fn accessor_mut(&mut self) -> (&mut ColumnAccessor, &Exec) {
        (&mut self.columns, &self.exec)
    }

    /// Device, stream and memory resource of operations on this frame.
    pub fn exec(&self) -> &Exec {
        &self.exec
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.rows()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The labels in order.
    pub fn labels(&self) -> &[Label] {
        self.columns.labels()
    }

    /// The dtypes in order.
    pub fn dtypes(&self) -> Vec<DType> {
        self.columns.columns().iter().map(Column::dtype).collect()
    }

    /// A copy that shares memory until either of both is written: see [`Column::shallow_copy`].
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// cuDF `Frame.copy(deep=False)`.
    pub fn shallow_copy(&self) -> Result<Self> {
        self.each_column("shallow_copy", Column::shallow_copy)
    }

    /// A copy that shares no memory, except dictionaries, which are immutable.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// cuDF `Frame.copy(deep=True)`.
    pub fn deep_copy(&self) -> Result<Self> {
        self.each_column("deep_copy", Column::deep_copy)
    }

    /// Applies `change` to each column, and retries when memory runs out.
    fn each_column(
        &self,
        operation: &'static str,
        change: impl Fn(&Column, &Exec) -> columns::Result<Column>,
    ) -> Result<Self> {
        let change = |column: &Column| with_retry_no_split(&self.exec, |exec| change(column, exec));
        let columns = self.columns.map(self.len(), change).operation(operation)?;
        Ok(self.with_columns(columns))
    }

    /// Other columns in the same context.
    #[must_use]
    pub(crate) fn with_columns(&self, columns: ColumnAccessor) -> Self {
        Self { columns, exec: self.exec.clone() }
    }

    /// The column of a label.
    pub(crate) fn column(&self, operation: &'static str, label: impl AsLabel) -> Result<&Column> {
        self.check_labels(operation, [&label])?;
        self.columns.get(label).operation(operation)
    }

    /// An error that names every label that is not there.
    pub(crate) fn check_labels<L: AsLabel>(
        &self,
        operation: &'static str,
        labels: impl IntoIterator<Item = L>,
    ) -> Result<()> {
        let missing: Vec<Label> = labels
            .into_iter()
            .filter(|label| !self.columns.contains(label))
            .map(|label| label.to_label())
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(Error::MissingColumns { operation, missing, available: self.labels().to_vec() })
    }

    /// An error that names every column that the expressions read and that is not there, and one for a deep expression.
    pub(crate) fn check_expressions(&self, operation: &'static str, exprs: &[Expr]) -> Result<()> {
        exprs.iter().try_for_each(Expr::check_levels).operation(operation)?;
        self.check_labels(operation, columns_of(exprs))
    }

    /// The values of expressions over the rows, by label.
    pub(crate) fn evaluate(&self, operation: &'static str, exprs: &[Expr]) -> Result<Vec<(Label, Column)>> {
        self.check_expressions(operation, exprs)?;
        evaluate(exprs, &self.columns, &self.exec).operation(operation)
    }

    /// The frame on the device of `exec`: what is there already is shared.
    pub(crate) fn to_device(&self, operation: &'static str, exec: &Exec) -> Result<Self> {
        let columns = self.columns.map(self.len(), |column| column.to_device(exec)).operation(operation)?;
        Ok(Self { columns, exec: exec.clone() })
    }
}
