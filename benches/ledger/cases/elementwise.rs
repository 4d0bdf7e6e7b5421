//! Expressions, casts and aggregates of whole columns.

use columnade_columns::{ColumnAccessor, DType};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::expression::{
    ExponentialWindow, Expr, RollingWindow, col, evaluate, evaluate_mask, lit, when,
};
use columnade_ops::groupby::{GroupOptions, aggregate};

use super::case;
use crate::Case;
use crate::inputs::Inputs;

pub(super) fn cases<'a>(inputs: &'a Inputs<'a>) -> Vec<Case<'a>> {
    let (frame, exec) = (&inputs.frame, inputs.exec);
    let n = inputs.rows as u64;
    let bit = n.div_ceil(8);
    let expression = |name, bytes, masks, expr: Expr| {
        case(name, bytes * n + inputs.masks(masks), move || {
            evaluate(std::slice::from_ref(&expr), frame, exec)
        })
    };
    let whole = |name, bytes, masks, aggregates: Vec<Expr>| {
        case(name, bytes * n + inputs.masks(masks), move || {
            aggregate(frame, None, &[], &aggregates, GroupOptions::default(), exec)
        })
    };
    vec![
        expression("add two float64 columns", 24, 3, (col("a") + col("b")).alias("x")),
        expression("a * (1 - b) + a", 24, 3, (col("a") * (lit(1.0) - col("b")) + col("a")).alias("x")),
        expression("(a + b) * (c + d)", 40, 5, ((col("a") + col("b")) * (col("c") + col("d"))).alias("x")),
        expression(
            "when a > b then a otherwise b",
            24,
            3,
            when(col("a").gt(col("b"))).then(col("a")).otherwise(col("b")).alias("x"),
        ),
        expression("year of a timestamp", 12, 2, col("at").dt().year().alias("x")),
        case("compare with a literal", 8 * n + bit + inputs.masks(2), || {
            evaluate_mask(&col("a").gt(0.5), frame, exec)
        }),
        case("two comparisons and their conjunction", 16 * n + bit + inputs.masks(3), || {
            evaluate_mask(&col("a").gt(0.5).and(col("n").lt(1_i64 << 26)), frame, exec)
        }),
        case("cast int64 to float64", 16 * n + inputs.masks(2), || {
            cast(frame.get("n")?, &DType::Float64, CastMode::Checked, exec)
        }),
        expression(
            "fill nulls with a literal",
            if inputs.has_nulls { 16 } else { 0 },
            1,
            col("a").fill_null(0.0).alias("x"),
        ),
        whole("sum of float64", 8, 1, vec![col("a").sum()]),
        whole(
            "sum, min, max, mean, count of int64",
            8,
            1,
            vec![
                col("n").sum().alias("sum"),
                col("n").min().alias("min"),
                col("n").max().alias("max"),
                col("n").mean().alias("mean"),
                col("n").count().alias("count"),
            ],
        ),
        case("sum of a * b where n < 2^26", 24 * n + inputs.masks(3), || {
            let filter = col("n").lt(1_i64 << 26);
            aggregate(
                frame,
                Some(&filter),
                &[],
                &[(col("a") * col("b")).sum()],
                GroupOptions::default(),
                exec,
            )
        }),
        case("sum of the items of lists", 12 * n + 8 * inputs.items + inputs.masks(2), || {
            evaluate(&[col("lists").list().sum().alias("x")], frame, exec)
        }),
        expression("cumulative sum of int64", 16, 2, col("n").cum_sum().alias("x")),
        expression("cumulative sum of float64", 16, 2, col("a").cum_sum().alias("x")),
        expression("shift by one row", 16, 2, col("a").shift(1).alias("x")),
        expression("rolling sum of 50 rows", 16, 2, col("a").rolling_sum(50).alias("x")),
        expression("rolling kurtosis of 50 rows", 16, 2, col("a").rolling_kurt(50).alias("x")),
        expression("rolling distinct values of 50 rows", 16, 2, col("some").rolling_nunique(50).alias("x")),
        expression("rolling median of 50 rows", 16, 2, col("a").rolling_median(50).alias("x")),
        expression(
            "median of all rows so far",
            16,
            2,
            col("a").rolling_median(RollingWindow::expanding()).alias("x"),
        ),
        expression(
            "exponentially weighted mean",
            16,
            2,
            col("a").ewm_mean(ExponentialWindow::span(20.0)).alias("x"),
        ),
        expression(
            "exponentially weighted mean, not adjusted",
            16,
            2,
            col("a").ewm_mean(ExponentialWindow::span(20.0).adjust(false)).alias("x"),
        ),
        expression(
            "exponentially weighted variance",
            16,
            2,
            col("a").ewm_var(ExponentialWindow::span(20.0)).alias("x"),
        ),
        expression(
            "rolling maximum of 50 rows of 1000 groups",
            24,
            3,
            col("a").rolling_max(50).over("some").alias("x"),
        ),
        expression(
            "checked product and sum of int64",
            24,
            3,
            col("few").checked_mul(col("some")).checked_add(col("few")).alias("x"),
        ),
        case("membership in 10 integers", 8 * n + bit + inputs.masks(2), || {
            evaluate_mask(&col("some").is_in([3_i64, 5, 8, 13, 21, 34, 55, 89, 144, 233]), frame, exec)
        }),
        case("equality of two frames", 32 * n + inputs.masks(4), || {
            let pair: ColumnAccessor = frame.select(["a", "n"])?;
            for column in pair.columns() {
                columnade_ops::comparing::equals(column, column, exec)?;
            }
            Ok(())
        }),
    ]
}
