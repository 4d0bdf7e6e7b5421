//! Aggregates by column: what `agg` takes beside expressions.

use columnade_columns::{AsLabel, Label};
use columnade_ops::expression::{Expr, col, len};

use crate::selection::IntoExprs;
use crate::selection::argument::{ByColumn, TupleByColumn};

/// An aggregate of a column, for [`agg`](crate::GroupBy::agg) of columns by their labels. What has arguments, or is of several
/// columns, is an expression: [`Expr::quantile`], [`Expr::corr`].
///
/// ```
/// use columnade::df;
/// use columnade::expressions::Aggregate::{Count, Max, Mean, Sum};
///
/// let frame = df! { "k" => ["a", "b", "a"], "n" => [1_i64, 2, 3], "x" => [0.5, 1.0, 1.5] }?;
/// let made = frame.group_by("k").agg((("n", [Sum, Mean]), ("x", Max)))?;
/// assert_eq!(made.columns(), ["k", "n_sum", "n_mean", "x"]);
/// assert_eq!(made.column("n_sum")?.to_vec::<i64>()?, [4, 2]);
/// let counts = frame.agg(["n", "x"].map(|label| (label, Count)))?;
/// assert_eq!(counts.column("x")?.to_vec::<i64>()?, [3]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pandas `DataFrame.agg({"a": ["sum", "mean"]})`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Aggregate {
    /// [`Expr::sum`].
    Sum,
    /// [`Expr::product`].
    Product,
    /// [`Expr::mean`].
    Mean,
    /// [`Expr::min`].
    Min,
    /// [`Expr::max`].
    Max,
    /// [`Expr::count`].
    Count,
    /// The number of rows: [`len`].
    Size,
    /// [`Expr::var`].
    Var,
    /// [`Expr::std`].
    Std,
    /// [`Expr::sem`].
    Sem,
    /// [`Expr::skew`].
    Skew,
    /// [`Expr::kurt`].
    Kurt,
    /// [`Expr::median`].
    Median,
    /// [`Expr::nunique`].
    NUnique,
    /// [`Expr::mode`].
    Mode,
    /// [`Expr::first`].
    First,
    /// [`Expr::last`].
    Last,
    /// [`Expr::any`].
    Any,
    /// [`Expr::all`].
    All,
    /// [`Expr::collect`].
    Collect,
}

impl Aggregate {
    /// All of them.
    #[cfg(test)]
    const ALL: [Aggregate; 20] = [
        Aggregate::Sum,
        Aggregate::Product,
        Aggregate::Mean,
        Aggregate::Min,
        Aggregate::Max,
        Aggregate::Count,
        Aggregate::Size,
        Aggregate::Var,
        Aggregate::Std,
        Aggregate::Sem,
        Aggregate::Skew,
        Aggregate::Kurt,
        Aggregate::Median,
        Aggregate::NUnique,
        Aggregate::Mode,
        Aggregate::First,
        Aggregate::Last,
        Aggregate::Any,
        Aggregate::All,
        Aggregate::Collect,
    ];

    /// Its name: that of the method of [`Expr`].
    pub const fn name(self) -> &'static str {
        match self {
            Aggregate::Sum => "sum",
            Aggregate::Product => "product",
            Aggregate::Mean => "mean",
            Aggregate::Min => "min",
            Aggregate::Max => "max",
            Aggregate::Count => "count",
            Aggregate::Size => "size",
            Aggregate::Var => "var",
            Aggregate::Std => "std",
            Aggregate::Sem => "sem",
            Aggregate::Skew => "skew",
            Aggregate::Kurt => "kurt",
            Aggregate::Median => "median",
            Aggregate::NUnique => "nunique",
            Aggregate::Mode => "mode",
            Aggregate::First => "first",
            Aggregate::Last => "last",
            Aggregate::Any => "any",
            Aggregate::All => "all",
            Aggregate::Collect => "collect",
        }
    }

    /// The aggregate of an expression.
    pub fn of(self, values: Expr) -> Expr {
        match self {
            Aggregate::Sum => values.sum(),
            Aggregate::Product => values.product(),
            Aggregate::Mean => values.mean(),
            Aggregate::Min => values.min(),
            Aggregate::Max => values.max(),
            Aggregate::Count => values.count(),
            Aggregate::Size => len(),
            Aggregate::Var => values.var(),
            Aggregate::Std => values.std(),
            Aggregate::Sem => values.sem(),
            Aggregate::Skew => values.skew(),
            Aggregate::Kurt => values.kurt(),
            Aggregate::Median => values.median(),
            Aggregate::NUnique => values.nunique(),
            Aggregate::Mode => values.mode(),
            Aggregate::First => values.first(),
            Aggregate::Last => values.last(),
            Aggregate::Any => values.any(),
            Aggregate::All => values.all(),
            Aggregate::Collect => values.collect(),
        }
    }
}

/// One aggregate of a column, which keeps its label, or several, which are called after the label and their names: `n_sum`.
pub trait IntoAggregates {
    /// The aggregates, and whether their names are part of labels.
    fn into_aggregates(self) -> (Vec<Aggregate>, bool);
}

impl IntoAggregates for Aggregate {
    fn into_aggregates(self) -> (Vec<Aggregate>, bool) {
        (vec![self], false)
    }
}

impl<const N: usize> IntoAggregates for [Aggregate; N] {
    fn into_aggregates(self) -> (Vec<Aggregate>, bool) {
        (self.to_vec(), true)
    }
}

impl IntoAggregates for &[Aggregate] {
    fn into_aggregates(self) -> (Vec<Aggregate>, bool) {
        (self.to_vec(), true)
    }
}

impl IntoAggregates for Vec<Aggregate> {
    fn into_aggregates(self) -> (Vec<Aggregate>, bool) {
        (self, true)
    }
}

/// The aggregates of one column, under their labels.
fn of_column(label: &Label, aggregates: impl IntoAggregates, made: &mut Vec<Expr>) {
    let (aggregates, are_named) = aggregates.into_aggregates();
    made.extend(aggregates.into_iter().map(|aggregate| {
        let expr = aggregate.of(col(label.clone()));
        if !are_named {
            return expr.alias(label.clone());
        }
        let mut parts = label.parts().to_vec();
        if let Some(last) = parts.last_mut() {
            *last = format!("{last}_{}", aggregate.name()).into();
        }
        // As many levels as the label has.
        expr.alias(Label::from_parts(parts).unwrap_or_else(|_| label.clone()))
    }));
}

impl<L: AsLabel, A: IntoAggregates, I: IntoIterator<Item = (L, A)>> IntoExprs<ByColumn> for I {
    fn into_exprs(self) -> Vec<Expr> {
        let mut made = Vec::new();
        for (label, aggregates) in self {
            of_column(&label.to_label(), aggregates, &mut made);
        }
        made
    }
}

/// One of a tuple of columns, which may have different numbers of aggregates.
macro_rules! tuples_by_column {
    ($(($($label:ident $aggregates:ident)*))*) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($label: AsLabel, $aggregates: IntoAggregates),*> IntoExprs<TupleByColumn>
            for ($(($label, $aggregates),)*)
        {
            fn into_exprs(self) -> Vec<Expr> {
                let mut made = Vec::new();
                #[expect(non_snake_case, reason = "a value is named as its type")]
                let ($(($label, $aggregates),)*) = self;
                $(of_column(&$label.to_label(), $aggregates, &mut made);)*
                made
            }
        })*
    };
}

tuples_by_column! {
    (A B) (A B C D) (A B C D E F) (A B C D E F G H) (A B C D E F G H I J) (A B C D E F G H I J K L)
    (A B C D E F G H I J K L M N) (A B C D E F G H I J K L M N O P)
}

#[cfg(test)]
mod tests {
    use super::Aggregate::{Max, Mean, NUnique, Sum};
    use super::*;
    use crate::df;
    use crate::testing::on_every_device;
    use columnade_columns::Result;

    /// Each gives what the method of its name gives.
    #[test]
    fn aggregates_by_column_are_those_of_expressions() {
        on_every_device(|device| {
            let frame = df! {
                "k" => [1_i64, 2, 1, 1, 2, 1],
                "n" => [Some(3_i64), None, Some(1), Some(3), Some(7), Some(2)],
            };
            let frame = frame.expect("columns");
            for aggregate in Aggregate::ALL {
                let made = frame.group_by("k").agg([("n", aggregate)]).expect("an aggregate");
                let expected = frame.group_by("k").agg(aggregate.of(col("n")).alias("n")).expect("the same");
                assert!(made.equals(&expected).expect("values"), "{aggregate:?} on {device}");
                let named = frame.group_by("k").agg([("n", [aggregate])]).expect("a name");
                assert_eq!(named.columns()[1].to_string(), format!("n_{}", aggregate.name()));
                let text = aggregate.of(col("n")).to_string();
                assert!(
                    text.contains(&format!("{}(", aggregate.name()))
                        || matches!(aggregate, Aggregate::Size | Aggregate::Median),
                    "{text}"
                );
            }
        });
    }

    #[test]
    fn labels_have_names_of_several_aggregates() {
        let frame = df! { "k" => ["a", "b", "a"], "n" => [1_i64, 2, 3], "x" => [0.5, 1.0, 1.5] };
        let frame = frame.expect("columns");
        let labels =
            |exprs: Vec<Expr>| -> Vec<String> { exprs.iter().map(|expr| expr.label().to_string()).collect() };
        assert_eq!(
            labels([("n", [Sum, Mean]), ("x", [Max, Sum])].into_exprs()),
            ["n_sum", "n_mean", "x_max", "x_sum"]
        );
        assert_eq!(
            labels(vec![("n".to_owned(), vec![Sum]), ("x".to_owned(), vec![])].into_exprs()),
            ["n_sum"]
        );
        assert_eq!(
            labels((("n", [Sum, Mean]), ("x", Max), ("k", &[NUnique][..])).into_exprs()),
            ["n_sum", "n_mean", "x", "k_nunique"]
        );
        let levels: Vec<Expr> = [(("p", "q"), [Sum])].into_exprs();
        assert_eq!(levels[0].label(), Label::from(("p", "q_sum")));
        let made = frame.agg((("n", [Sum, Mean]), ("x", Max))).expect("one row");
        assert_eq!(made.columns(), ["n_sum", "n_mean", "x"]);
        let of_all: Result<Vec<f64>> = made
            .column("n_mean")
            .expect("a column")
            .values()
            .to_options()
            .map(|values| values.into_iter().flatten().collect());
        assert_eq!(of_all.expect("a mean"), [2.0]);
        let missing = frame.group_by("k").agg([("tax", Sum)]).expect_err("no column").to_string();
        assert!(missing.contains("\"tax\""), "{missing}");
        let twice = frame.agg([("n", [Sum, Sum])]).expect_err("a label twice").to_string();
        assert!(twice.contains("n_sum"), "{twice}");
    }
}
