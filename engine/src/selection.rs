//! One or several columns, labels or expressions, as methods take them.

use columnade_columns::Label;
use columnade_ops::expression::{Expr, col};

use crate::dataframe::SortBy;

/// A column by its label, or an expression over columns: `"a"` or `col("a") * 2`. A label that is not a string is written
/// `col(1998)` or [`Label::from`], one of several levels `col(("tea", "price"))`.
#[derive(Clone, Debug)]
pub struct Selector(pub(crate) Expr);

macro_rules! from_labels {
    ($($ty:ty),*) => {
        $(impl From<$ty> for Selector {
            fn from(label: $ty) -> Self {
                Self(col(label))
            }
        })*
    };
}

from_labels!(&str, &&str, &String, String, &Label, Label);

impl From<Expr> for Selector {
    fn from(expr: Expr) -> Self {
        Self(expr)
    }
}

impl From<&Expr> for Selector {
    fn from(expr: &Expr) -> Self {
        Self(expr.clone())
    }
}

/// The kinds of arguments that methods tell apart. Inferred, never written.
pub mod argument {
    /// One value.
    #[derive(Clone, Copy, Debug)]
    pub struct One;
    /// An array, a vector, a slice or another iterator.
    #[derive(Clone, Copy, Debug)]
    pub struct Many;
    /// A tuple.
    #[derive(Clone, Copy, Debug)]
    pub struct Tuple;
    /// The values of a column.
    #[derive(Clone, Copy, Debug)]
    pub struct Values;
    /// An expression.
    #[derive(Clone, Copy, Debug)]
    pub struct Computed;
    /// Several expressions.
    #[derive(Clone, Copy, Debug)]
    pub struct ComputedMany;
    /// Columns and their aggregates.
    #[derive(Clone, Copy, Debug)]
    pub struct ByColumn;
    /// A tuple of columns and their aggregates.
    #[derive(Clone, Copy, Debug)]
    pub struct TupleByColumn;
}

use argument::{Many, One, Tuple};

/// One or several columns: what [`select`](crate::DataFrame::select) and [`group_by`](crate::DataFrame::group_by) take.
///
/// | argument | columns |
/// | --- | --- |
/// | `"a"` | one, by its label |
/// | `col("a") * 2` | one, computed |
/// | `["a", "b"]`, a vector, a slice, an iterator | several of one kind |
/// | `("a", col("b") * 2)` | several of both kinds, up to eight |
///
/// In a list of expressions `"a".into()` is the constant `"a"`: write `col("a")` there, or a tuple. The parameter tells
/// these cases apart, and is inferred.
///
/// ```compile_fail,E0277
/// # let frame = columnade::df! { "a" => [1] }.unwrap();
/// frame.group_by(1998); // `{integer}` selects no columns: a label that is not a string is `col(1998)`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` selects no columns",
    label = "expected a label, an expression, or several of them",
    note = "one column is `\"a\"` or `col(\"a\") * 2`, several are `[\"a\", \"b\"]`",
    note = "labels and expressions together are a tuple of at most 8: `(\"a\", col(\"b\") * 2)`; more are `vec![col(\"a\"), …]`",
    note = "a label that is not a string is `col(1998)`"
)]
pub trait IntoSelectors<Kind> {
    /// The columns, in order.
    fn into_selectors(self) -> Vec<Selector>;
}

impl<S: Into<Selector>> IntoSelectors<One> for S {
    fn into_selectors(self) -> Vec<Selector> {
        vec![self.into()]
    }
}

impl<S: Into<Selector>, I: IntoIterator<Item = S>> IntoSelectors<Many> for I {
    fn into_selectors(self) -> Vec<Selector> {
        self.into_iter().map(Into::into).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($name: Into<Selector>),*> IntoSelectors<Tuple> for ($($name,)*) {
            fn into_selectors(self) -> Vec<Selector> {
                #[expect(non_snake_case, reason = "a value is named as its type")]
                let ($($name,)*) = self;
                vec![$($name.into()),*]
            }
        })*
    };
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

/// The expressions that selectors stand for.
pub(crate) fn expressions<A>(selectors: impl IntoSelectors<A>) -> Vec<Expr> {
    selectors.into_selectors().into_iter().map(|Selector(expr)| expr).collect()
}

/// One or several expressions: what [`agg`](crate::GroupBy::agg) and [`with_columns`](crate::DataFrame::with_columns) take.
///
/// `col("a").sum()`, or an array, a vector, an iterator or a tuple (of up to eight) of expressions; or labels with
/// [aggregates](crate::expressions::Aggregate): `[("a", Sum), ("b", Max)]`, or a tuple of them. The parameter is inferred.
///
/// ```compile_fail,E0277
/// # let frame = columnade::df! { "a" => [1] }.unwrap();
/// frame.agg("a"); // `&str` is not an expression: a column is `col("a")`, its sum `col("a").sum()`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an expression",
    label = "expected an expression, or several of them",
    note = "a column is `col(\"a\")`, its sum `col(\"a\").sum()`, a constant `lit(1)`",
    note = "several expressions are an array or a vector: `[col(\"a\").sum(), col(\"b\").mean()]`"
)]
pub trait IntoExprs<Kind> {
    /// The expressions, in order.
    fn into_exprs(self) -> Vec<Expr>;
}

impl IntoExprs<One> for Expr {
    fn into_exprs(self) -> Vec<Expr> {
        vec![self]
    }
}

impl<I: IntoIterator<Item = Expr>> IntoExprs<Many> for I {
    fn into_exprs(self) -> Vec<Expr> {
        self.into_iter().collect()
    }
}

/// One of a tuple of expressions. Labels are none: `"a"` as an expression would be the constant.
macro_rules! tuples_of_exprs {
    ($(($($name:ident)*))*) => {
        $(#[diagnostic::do_not_recommend]
        impl IntoExprs<Tuple> for ($(tuples_of_exprs!(@ $name),)*) {
            fn into_exprs(self) -> Vec<Expr> {
                let ($($name,)*) = self;
                vec![$($name),*]
            }
        })*
    };
    (@ $name:ident) => { Expr };
}

tuples_of_exprs! { (a) (a b) (a b c) (a b c d) (a b c d e) (a b c d e f) (a b c d e f g) (a b c d e f g h) }

/// One or several labels: what [`drop`](crate::DataFrame::drop) takes.
///
/// `"a"`, `1998`, an array, a vector or an iterator of labels; a tuple is one label of several levels. The parameter is
/// inferred.
///
/// ```compile_fail,E0277
/// # let frame = columnade::df! { "a" => [1] }.unwrap();
/// frame.drop(columnade::col("a")); // `Expr` is not a label: one label is `"a"`, several are `["a", "b"]`
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a label",
    label = "expected a label, or several of them",
    note = "one label is `\"a\"`, several are `[\"a\", \"b\"]`"
)]
pub trait IntoLabels<Kind> {
    /// The labels, in order.
    fn into_labels(self) -> Vec<Label>;
}

impl<L: Into<Label>> IntoLabels<One> for L {
    fn into_labels(self) -> Vec<Label> {
        vec![self.into()]
    }
}

impl<L: Into<Label>, I: IntoIterator<Item = L>> IntoLabels<Many> for I {
    fn into_labels(self) -> Vec<Label> {
        self.into_iter().map(Into::into).collect()
    }
}

/// One or several columns to sort by: what [`sort_values`](crate::DataFrame::sort_values) takes.
///
/// A label sorts ascending, nulls last; [`SortBy`] says otherwise. Several are an array, a vector or an iterator of one
/// kind. The parameter is inferred.
///
/// ```compile_fail,E0277
/// # let frame = columnade::df! { "a" => [1] }.unwrap();
/// frame.sort_values(columnade::col("a")); // rows cannot be sorted by `Expr`: add it by `with_column` first
/// ```
#[diagnostic::on_unimplemented(
    message = "rows cannot be sorted by `{Self}`",
    label = "expected a label, a `SortBy`, or several of one kind",
    note = "write `\"a\"`, `[\"a\", \"b\"]`, `SortBy::descending(\"a\")` or `[\"a\".into(), SortBy::descending(\"b\")]`",
    note = "to sort by an expression, add it by `with_column` first"
)]
pub trait IntoSortBy<Kind> {
    /// The columns, the first of which decides first.
    fn into_sort_by(self) -> Vec<SortBy>;
}

impl<K: Into<SortBy>> IntoSortBy<One> for K {
    fn into_sort_by(self) -> Vec<SortBy> {
        vec![self.into()]
    }
}

impl<K: Into<SortBy>, I: IntoIterator<Item = K>> IntoSortBy<Many> for I {
    fn into_sort_by(self) -> Vec<SortBy> {
        self.into_iter().map(Into::into).collect()
    }
}
