//! Values that [`Expr::is_in`] looks for.

use super::{Expr, Literal, Node, lit};
use columnade_columns::Column;
use std::fmt;
use std::sync::Arc;

/// The values of a column. They are equal only to themselves, so that they are compared without being read.
#[derive(Clone)]
pub struct Members(Arc<Column>);

impl Members {
    /// The column.
    pub fn column(&self) -> &Column {
        &self.0
    }
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Members({:p}, {self})", Arc::as_ptr(&self.0))
    }
}

impl fmt::Display for Members {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values of {}", self.0.size(), self.0.dtype())
    }
}

impl From<Column> for Members {
    fn from(column: Column) -> Self {
        Self(Arc::new(column))
    }
}

/// What [`Expr::is_in`] takes: an array, a vector or an iterator of values, or a column. The parameter is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a list of values nor a column",
    label = "expected several values, or a series",
    note = "`col(\"a\").is_in([1, 2])`, `col(\"a\").is_in(&frame.column(\"b\")?)`"
)]
pub trait IntoMembers<Kind> {
    /// Whether `value` is one of these.
    fn contain(self, value: Expr) -> Expr;
}

/// The kind of listed values.
#[derive(Clone, Copy, Debug)]
pub struct ListedValues;
/// The kind of the values of a column.
#[derive(Clone, Copy, Debug)]
pub struct ColumnValues;

impl<T: Into<Expr>, I: IntoIterator<Item = T>> IntoMembers<ListedValues> for I {
    fn contain(self, value: Expr) -> Expr {
        let mut tests: Vec<Expr> = self.into_iter().map(|other| value.clone().eq(other)).collect();
        // A balanced tree: thousands of values must not become thousands of levels.
        while tests.len() > 1 {
            let mut pairs = Vec::with_capacity(tests.len().div_ceil(2));
            let mut rest = tests.into_iter();
            while let Some(first) = rest.next() {
                pairs.push(match rest.next() {
                    Some(second) => first.or(second),
                    None => first,
                });
            }
            tests = pairs;
        }
        tests.pop().unwrap_or_else(|| value.is_null().and(lit(Literal::Null)))
    }
}

impl IntoMembers<ColumnValues> for Column {
    fn contain(self, value: Expr) -> Expr {
        Expr::new(Node::IsIn(value, self.into()))
    }
}

impl IntoMembers<ColumnValues> for &Column {
    fn contain(self, value: Expr) -> Expr {
        self.clone().contain(value)
    }
}
