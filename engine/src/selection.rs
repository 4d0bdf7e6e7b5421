//! Column selectors.

use columnade_columns::Label;
use columnade_ops::expression::{Expr, col};

/// A column by its label, or an expression over columns: `"a"` or `col("a") * 2`. A label that is not a string is written
/// `col(1998)` or [`Label::from`].
#[derive(Clone, Debug)]
pub struct Selector(pub(crate) Expr);

macro_rules! from_labels {
    ($($ty:ty),*) => {
        $(
            impl From<$ty> for Selector {
                fn from(label: $ty) -> Self {
                    Self(col(label))
                }
            }

            impl From<$ty> for Labels {
                fn from(label: $ty) -> Self {
                    Self(vec![label.into()])
                }
            }
        )*
    };
}

from_labels!(&str, &String, String, &Label, Label);

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
pub struct Labels(pub(crate) Vec<Label>);

impl<S: Into<Label>> From<Vec<S>> for Labels {
    fn from(labels: Vec<S>) -> Self {
        Self(labels.into_iter().map(Into::into).collect())
    }
}

impl<S: Into<Label>, const N: usize> From<[S; N]> for Labels {
    fn from(labels: [S; N]) -> Self {
        Self(labels.into_iter().map(Into::into).collect())
    }
}

impl<S: Clone + Into<Label>> From<&[S]> for Labels {
    fn from(labels: &[S]) -> Self {
        Self(labels.iter().cloned().map(Into::into).collect())
    }
}
