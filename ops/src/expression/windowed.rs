//! Aggregates of an expression over windows of rows.

use super::{Expr, Node, RollingWindow, Statistic};
use columnade_columns::{Error, Result};
use columnade_kernels::aggregation::Aggregation;

/// What an expression has besides aggregates.
#[derive(Default)]
struct Parts {
    /// Aggregates that windows have.
    aggregates: bool,
    /// Row functions, and aggregates of groups of their own.
    row_functions: bool,
    /// Columns outside of both.
    columns: bool,
}

impl Expr {
    /// The expression with the aggregates of windows in place of its aggregates: `col("x").sum()` as
    /// `col("x").rolling_sum(window)`. Row functions and aggregates [`over`](Self::over) groups stay what they are.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let range = col("y").max() - col("y").min();
    /// assert_eq!(show(range.in_windows(&2.into())?)?, "<NA> 1 5");
    /// assert!((col("y") - col("y").mean()).in_windows(&2.into()).is_err());
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// `NotImplemented` for aggregates that windows do not have, those of other aggregates, row functions or some of the rows,
    /// values that are not aggregated beside others, and an expression without an aggregate.
    ///
    /// # Source
    /// pandas `Rolling.agg`, Polars `DataFrame.rolling(…).agg`.
    pub fn in_windows(&self, window: &RollingWindow) -> Result<Expr> {
        self.check_levels()?;
        let mut parts = Parts::default();
        let made = windowed(self, window, &mut parts).map_err(|()| not_of_windows(self))?;
        let is_of_rows = parts.columns && parts.aggregates;
        if is_of_rows || !(parts.aggregates || parts.row_functions) {
            return Err(not_of_windows(self));
        }
        Ok(made)
    }
}

fn not_of_windows(expr: &Expr) -> Error {
    Error::NotImplemented { feature: format!("the expression {expr} of windows") }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the others compute with their operands")]
fn windowed(expr: &Expr, window: &RollingWindow, parts: &mut Parts) -> Result<Expr, ()> {
    Ok(match expr.node() {
        Node::Aggregate(aggregation, values) => {
            parts.aggregates = true;
            let (values, window) = (of_rows(values)?, window.clone());
            match aggregation {
                Aggregation::Sum => values.rolling_sum(window),
                Aggregation::Mean => values.rolling_mean(window),
                Aggregation::Min => values.rolling_min(window),
                Aggregation::Max => values.rolling_max(window),
                Aggregation::Count => values.rolling_count(window),
                Aggregation::SumWide | Aggregation::Size | Aggregation::SumLow | Aggregation::SumHigh => {
                    return Err(());
                }
            }
        }
        Node::Statistic(statistic, arguments) => {
            parts.aggregates = true;
            let [values, others @ ..] = &**arguments else { return Err(()) };
            of_statistic(statistic, of_rows(values)?, others, window.clone())?
        }
        Node::Len => return Err(()),
        Node::RowFunction(..) | Node::Over(..) => {
            parts.row_functions = true;
            expr.clone()
        }
        Node::Column(_) => {
            parts.columns = true;
            expr.clone()
        }
        _ => {
            let operands = expr.children();
            let mut children = Vec::with_capacity(operands.len());
            for operand in operands {
                children.push(windowed(operand, window, parts)?);
            }
            expr.with_children(children)
        }
    })
}

fn of_statistic(
    statistic: &Statistic,
    values: Expr,
    others: &[Expr],
    window: RollingWindow,
) -> Result<Expr, ()> {
    Ok(match (statistic, others) {
        (Statistic::Var { ddof }, []) => values.rolling_var_ddof(*ddof, window),
        (Statistic::Std { ddof }, []) => values.rolling_std_ddof(*ddof, window),
        (Statistic::Sem { ddof }, []) => values.rolling_sem_ddof(*ddof, window),
        (Statistic::Skew, []) => values.rolling_skew(window),
        (Statistic::Kurt, []) => values.rolling_kurt(window),
        (Statistic::NUnique, []) => values.rolling_nunique(window),
        (Statistic::Quantile { q, interpolation }, []) => values.rolling_quantile(*q, *interpolation, window),
        (Statistic::First, []) => values.rolling_first(window),
        (Statistic::Last, []) => values.rolling_last(window),
        (Statistic::Cov { ddof: 1 }, [other]) => values.rolling_cov(of_rows(other)?, window),
        (Statistic::Corr, [other]) => values.rolling_corr(of_rows(other)?, window),
        _ => return Err(()),
    })
}

/// Values that each row has by itself: others would be computed of all rows, and not of those of a window.
fn of_rows(expr: &Expr) -> Result<Expr, ()> {
    if is_of_row(expr) { Ok(expr.clone()) } else { Err(()) }
}

fn is_of_row(expr: &Expr) -> bool {
    !matches!(
        expr.node(),
        Node::Aggregate(..)
            | Node::Statistic(..)
            | Node::RowFunction(..)
            | Node::Over(..)
            | Node::Filter(..)
            | Node::Len
    ) && expr.children().into_iter().all(is_of_row)
}
