//! How columns are named in arguments.

use columnade_ops::expression::{Expr, col};

/// A column by its label, or an expression over columns: `"a"` or `col("a") * 2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector(pub(crate) Expr);

impl From<&str> for Selector {
    fn from(label: &str) -> Self {
        Self(col(label))
    }
}

impl From<&String> for Selector {
    fn from(label: &String) -> Self {
        Self(col(label.as_str()))
    }
}

impl From<String> for Selector {
    fn from(label: String) -> Self {
        Self(col(label))
    }
}

impl From<Expr> for Selector {
    fn from(expr: Expr) -> Self {
        Self(expr)
    }
}

/// The expressions that selectors stand for.
pub(crate) fn expressions<S: Into<Selector>>(selectors: impl IntoIterator<Item = S>) -> Vec<Expr> {
    selectors.into_iter().map(|selector| selector.into().0).collect()
}

/// One or several labels: `"a"` or `["a", "b"]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(pub(crate) Vec<String>);

impl From<&str> for Labels {
    fn from(label: &str) -> Self {
        Self(vec![label.to_owned()])
    }
}

impl From<String> for Labels {
    fn from(label: String) -> Self {
        Self(vec![label])
    }
}

impl<S: Into<String>> From<Vec<S>> for Labels {
    fn from(labels: Vec<S>) -> Self {
        Self(labels.into_iter().map(Into::into).collect())
    }
}

impl<S: Into<String>, const N: usize> From<[S; N]> for Labels {
    fn from(labels: [S; N]) -> Self {
        Self(labels.into_iter().map(Into::into).collect())
    }
}

impl<S: Clone + Into<String>> From<&[S]> for Labels {
    fn from(labels: &[S]) -> Self {
        Self(labels.iter().cloned().map(Into::into).collect())
    }
}
