//! Group-by, joins and sorts.

use columnade_columns::{Column, ColumnAccessor, Error, Result};
use columnade_kernels::joining::hash_join::NullEquality;
use columnade_kernels::joining::merge_join::merge_join;
use columnade_kernels::searching::search_sorted::{Ranges, SearchSide, search_sorted};
use columnade_kernels::{Fixed, View};
use columnade_ops::correlation::corr;
use columnade_ops::distinct::{Keep, is_in, unique};
use columnade_ops::expression::{Expr, Rank, col, evaluate, len};
use columnade_ops::groupby::{GroupOptions, aggregate};
use columnade_ops::join::{
    Asof, AsofStrategy, JoinKind, JoinSide, PairCondition, asof_join, hash_join, join_rows, join_rows_where,
};
use columnade_ops::sort::{NullOrder, Order, SortColumn, SortKey, Ties, argsort, sort_by, top_k};

use super::case;
use crate::Case;
use crate::inputs::Inputs;

/// A pass of a radix sort takes 8 bits.
fn radix(rows: u64, bytes: u64, bits: u64) -> u64 {
    rows * (bytes + 2 * bits.div_ceil(8) * (bytes + 4))
}

fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::Internal { invariant: "the column has fixed width" }),
    }
}

/// The means, then the products of deviations from them.
fn correlations<'a>(inputs: &'a Inputs<'a>) -> Case<'a> {
    let ideal = 2 * (24 * inputs.rows as u64 + 3 * inputs.masks(1));
    case("correlations of 3 columns", ideal, || corr(&inputs.frame.select(["a", "b", "c"])?, inputs.exec))
}

fn sort<'a>(
    inputs: &'a Inputs<'a>,
    name: &'static str,
    ideal: u64,
    keys: &'static [&'static str],
) -> Case<'a> {
    case(name, ideal + keys.len() as u64 * inputs.masks(1), move || {
        let columns: Vec<&Column> = keys.iter().map(|key| inputs.frame.get(key)).collect::<Result<_, _>>()?;
        let key = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
        argsort(&columns.into_iter().map(key).collect::<Vec<_>>(), inputs.exec)
    })
}

pub(super) fn cases<'a>(inputs: &'a Inputs<'a>) -> Vec<Case<'a>> {
    let (frame, exec) = (&inputs.frame, inputs.exec);
    let n = inputs.rows as u64;
    let mask = inputs.masks(1);
    let group = |name, bytes: u64, columns: u64, keys: Vec<Expr>, aggregates: Vec<Expr>| {
        case(name, bytes * n + columns * mask, move || {
            aggregate(frame, None, &keys, &aggregates, GroupOptions::default(), exec)
        })
    };
    let three = || vec![col("n").sum().alias("sum"), col("n").max().alias("max"), len().alias("len")];
    let join = |name, bytes: u64, kind: JoinKind| {
        case(name, bytes * n + 2 * mask, move || {
            let (left, right) = (frame.get("unique")?, inputs.right.get("unique")?);
            hash_join(&[left], &[right], kind, NullEquality::Unequal, exec)
        })
    };
    let sort = |name, ideal, keys| sort(inputs, name, ideal, keys);
    vec![
        group("group by 10 values, 3 aggregates of int64", 16, 2, vec![col("few")], three()),
        group("group by 1000 values, 3 aggregates of int64", 16, 2, vec![col("some")], three()),
        // Each group is read and written once more.
        group("group by as many values as rows, 3 aggregates", 16 + 32, 2, vec![col("many")], three()),
        group(
            "group by 10 values, sums of 2 float64",
            24,
            3,
            vec![col("few")],
            vec![col("a").sum(), col("b").sum()],
        ),
        group("group by 2 keys, sum of int64", 24, 3, vec![col("few"), col("some")], vec![col("n").sum()]),
        group("group by 10 strings, sum of int64", 4 + 5 + 8, 2, vec![col("code")], vec![col("n").sum()]),
        group("median of float64 by 1000 groups", 16 + 32, 2, vec![col("some")], vec![col("a").median()]),
        case("sum over groups of 1000 values, for each row", 24 * n + 3 * mask, || {
            evaluate(&[col("n").sum().over("some").alias("x")], frame, exec)
        }),
        correlations(inputs),
        case("distinct rows of 1 column", 16 * n + mask, || {
            unique(&frame.select(["some"])?, ["some"], Keep::First, exec)
        }),
        case("membership in as many values", 16 * n + n.div_ceil(8) + 2 * mask, || {
            is_in(frame.get("unique")?, inputs.right.get("unique")?, NullEquality::Unequal, exec)
        }),
        join("inner join of unique keys, row maps", 24, JoinKind::Inner),
        join("left join of unique keys, row maps", 24, JoinKind::Left),
        join("full join of unique keys, row maps", 24, JoinKind::Full),
        // Two matches a row on average.
        case("inner join of keys with duplicates, row maps", (16 + 16) * n + 2 * mask, || {
            let keys = frame.get("many")?;
            hash_join(&[keys], &[keys], JoinKind::Inner, NullEquality::Unequal, exec)
        }),
        case("left join of 2 keys, row maps", 40 * n + 4 * mask, || {
            let keys = ["unique", "few"].map(|key| frame.get(key));
            let [unique, few] = keys;
            let keys = [unique?, few?];
            hash_join(&keys, &keys, JoinKind::Left, NullEquality::Unequal, exec)
        }),
        join("semi join of unique keys, row map", 20, JoinKind::Semi),
        join("anti join of unique keys, row map", 16, JoinKind::Anti),
        case(
            "inner join of unique keys, 2 columns of each side",
            (24 + 2 * 24 + 2 * 24) * n + 8 * mask,
            || {
                let left = frame.select(["unique", "a"])?;
                let sides =
                    [&left, &inputs.right].map(|columns| JoinSide { columns, keys: &[0], output: &[0, 1] });
                join_rows(sides[0], sides[1], JoinKind::Inner, NullEquality::Unequal, exec)
            },
        ),
        // Of half of the rows.
        case("semi join of unique keys where a < x", (16 + 16 + 8) * n + 5 * mask, || {
            let condition = PairCondition {
                predicate: col("a").lt(col("x")),
                columns: vec![("a".into(), 0, 1), ("x".into(), 1, 1)],
            };
            let left = frame.select(["unique", "a"])?;
            let sides = [&left, &inputs.right].map(|columns| JoinSide { columns, keys: &[0], output: &[0] });
            join_rows_where(sides[0], sides[1], JoinKind::Semi, NullEquality::Unequal, &condition, exec)
        }),
        case("join with the nearest row before", (8 + 8 + 16 + 16) * n + 2 * mask, || {
            let left = frame.select(["many", "a"])?;
            let right = ColumnAccessor::from_columns([("ascending", inputs.ascending.clone())])?;
            let asof = Asof { strategy: AsofStrategy::Backward, allow_exact_matches: true, tolerance: None };
            asof_join(
                JoinSide { columns: &left, keys: &[0], output: &[0, 1] },
                JoinSide { columns: &right, keys: &[0], output: &[0] },
                &asof,
                NullEquality::Unequal,
                exec,
            )
        }),
        case("inner merge join of sorted labels, row maps", 16 * n + 8 * n, || {
            let [left, right] = [fixed(&inputs.ascending)?, fixed(&inputs.ascending)?];
            Ok(merge_join(&left, &right, JoinKind::Inner, exec)?)
        }),
        case("binary search for as many values", 8 * n + 24 * n + 8 * n, || {
            let [values, needles, starts, ends] =
                [&inputs.ascending, frame.get("many")?, &inputs.range[0], &inputs.range[1]].map(fixed);
            let ranges = Ranges { starts: starts?, ends: ends? };
            Ok(search_sorted(&values?, &needles?, &ranges, SearchSide::Left, exec)?)
        }),
        case("100 rows of the greatest int64", 8 * n + mask, || {
            let key = SortColumn { position: 0, order: Order::Descending, nulls: NullOrder::Last };
            top_k(&frame.select(["n", "a", "b"])?, &[key], 100, Ties::First, exec)
        }),
        case("rank of int64 below 2^27", radix(n, 8, 27) + 8 * n + 2 * mask, || {
            evaluate(&[col("n").rank(Rank::default()).alias("x")], frame, exec)
        }),
        sort("argsort of int64 below 2^27", radix(n, 8, 27), &["n"]),
        sort("argsort of float64", radix(n, 8, 64), &["a"]),
        sort("argsort of 2 int64 keys, 14 bits", radix(n, 16, 14), &["few", "some"]),
        case("sort 3 columns by int64 below 2^27", radix(n, 8, 27) + 3 * (20 * n + 2 * mask), || {
            let rows = frame.select(["n", "a", "b"])?;
            sort_by(
                &rows,
                &[SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last }],
                exec,
            )
        }),
    ]
}
