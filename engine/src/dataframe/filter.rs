//! Selection of rows by a condition.

use columnade_ops::expression::Expr;
use columnade_ops::filter::filter;

use super::DataFrame;
use crate::error::{InOperation, Result};

impl DataFrame {
    /// The rows for which `predicate` is true, in order. Rows for which it is null are dropped.
    ///
    /// # Errors
    /// [`Error::MissingColumns`](crate::Error::MissingColumns); [`Error::Operation`](crate::Error::Operation) for a
    /// predicate that is not boolean or does not support the dtypes, and when memory runs out.
    ///
    /// # Source
    /// pandas boolean indexing, `query`.
    #[expect(clippy::needless_pass_by_value, reason = "a predicate is written where it is used")]
    pub fn filter(&self, predicate: Expr) -> Result<Self> {
        self.filtered("filter", &predicate)
    }

    /// [`filter`](Self::filter) for the method `operation`, which its errors name.
    pub(crate) fn filtered(&self, operation: &'static str, predicate: &Expr) -> Result<Self> {
        let frame = self.frame();
        frame.check_expressions(operation, std::slice::from_ref(predicate))?;
        let columns = filter(frame.accessor(), predicate, frame.exec()).operation(operation)?;
        Ok(self.with_rows(columns))
    }
}
