//! Rows keep their labels: a column of the frame says which row each one was.

use columnade_columns::{DType, Scalar};
use columnade_ops::distinct::Keep;
use columnade_ops::expression::{col, len};
use columnade_ops::sort::Ties;

use super::{Index, RangeIndex};
use crate::dataframe::{DataFrame, DropNulls, Merge, SortBy, Unique, concat};
use crate::error::Result;
use crate::series::Series;
use crate::testing::{managed, on_every_device};

/// `rows` rows: their numbers, numbers with nulls that repeat, strings, and lists.
fn frame(rows: i64) -> Result<DataFrame> {
    DataFrame::new([("row", (0..rows).collect::<Vec<i64>>())])?
        .with_column("n", (0..rows).map(|row| (row % 7 != 3).then_some(row * 37 % 11)).collect::<Vec<_>>())?
        .with_column("word", (0..rows).map(|row| format!("ß{}", row * 13 % 17)).collect::<Vec<_>>())?
        .with_column(
            "list",
            (0..rows).map(|row| vec![row; usize::try_from(row % 3).unwrap_or(0)]).collect::<Vec<_>>(),
        )
}

/// The labels of a frame must be what `label` says of the rows that its column `row` names.
fn assert_labels(operation: &str, frame: &DataFrame, label: impl Fn(i64) -> Scalar) {
    let rows = frame.column("row").and_then(|rows| rows.to_vec::<i64>()).expect("numbers");
    let expected: Vec<Scalar> = rows.into_iter().map(label).collect();
    let labels = frame.index().to_scalars().expect("labels").swap_remove(0);
    assert_eq!(labels, expected, "{operation}");
}

type Operation = (&'static str, fn(&DataFrame) -> Result<DataFrame>);

/// What picks or reorders rows.
const OPERATIONS: &[Operation] = &[
    ("filter", |frame| frame.filter(col("n").gt(4))),
    ("filter, windowed", |frame| frame.filter(col("n").ge(col("n").mean()))),
    ("filter_columns", |frame| frame.filter_columns(col("n").lt(9), ["row", "list", "n", "word"])),
    ("head", |frame| frame.head(40)),
    ("tail", |frame| frame.tail(33)),
    ("slice", |frame| frame.slice(frame.len() / 3, frame.len() / 2)),
    ("drop_nulls", |frame| frame.drop_nulls(..)),
    ("drop_nulls, all null", |frame| frame.drop_nulls(DropNulls::all())),
    ("drop_nulls, too many asked for", |frame| frame.drop_nulls(DropNulls::thresh(9))),
    ("unique", |frame| frame.unique(["n", "word"])),
    ("unique, last", |frame| frame.unique(Unique::new().subset("n").keep(Keep::Last))),
    ("sort_values", |frame| frame.sort_values(["n", "word"])),
    ("sort_values, lists", |frame| frame.sort_values([SortBy::descending("list"), "row".into()])),
    ("sort_head", |frame| frame.sort_head(20, "word")),
    ("nlargest, all ties", |frame| frame.nlargest(5, "n", Ties::All)),
    ("nsmallest, last", |frame| frame.nsmallest(9, "n", Ties::Last)),
    ("explode", |frame| {
        let lists = frame.select("list")?;
        frame.with_column("list", lists.column("list")?)?.explode("list")
    }),
    ("group head", |frame| frame.group_by("word").head(2)),
    ("group tail of some rows", |frame| frame.group_by("word").rows_where(col("n").gt(2)).tail(1)),
    ("take", |frame| frame.take((0..i64::try_from(frame.len() / 2).unwrap_or(0)).rev())),
    ("sort_index", |frame| frame.sort_index(crate::dataframe::SortOrder::descending())),
    ("select, with_column", |frame| {
        frame.with_column("m", col("n") + 1)?.select(["row", "n", "word", "list"])
    }),
    ("shallow and deep copy", |frame| frame.shallow_copy()?.deep_copy()),
];

#[test]
fn operations_on_range_keep_labels_of_rows() {
    on_every_device(|_| {
        for rows in [0, 1, 33, 65, 700] {
            let whole = frame(rows).expect("a frame");
            let range = RangeIndex::new(5, -3, whole.len()).map(Index::from).expect("labels fit");
            for (name, operation) in OPERATIONS {
                let made = operation(&whole).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert_labels(name, &made, Scalar::Int64);
                let relabelled = whole.with_index(&range).and_then(|frame| operation(&frame));
                let relabelled = relabelled.unwrap_or_else(|error| panic!("{name}: {error}"));
                if *name != "sort_index" {
                    assert_labels(name, &relabelled, |row| Scalar::Int64(5 - 3 * row));
                }
            }
        }
    });
}

#[test]
fn chained_operations_keep_labels_of_rows() {
    on_every_device(|_| {
        let whole = frame(700).expect("a frame").slice(3, 690).expect("rows");
        let words =
            Series::new((0..690).map(|row| format!("é{}", row + 3)).collect::<Vec<_>>()).expect("strings");
        let words = whole.with_index(&Index::from_series(&words).expect("labels")).expect("a label each");
        for (name, operation) in OPERATIONS {
            for (next_name, next) in OPERATIONS.iter().step_by(4) {
                // A list is exploded once only.
                if *name == "explode" && next_name.contains("explode") || next_name.contains("lists") {
                    continue;
                }
                let names = format!("{name}, {next_name}");
                let made = operation(&words)
                    .and_then(|frame| next(&frame))
                    .unwrap_or_else(|e| panic!("{names}: {e}"));
                assert_labels(&names, &made, |row| format!("é{row}").as_str().into());
            }
        }
    });
}

#[test]
fn labels_are_not_computed_before_they_are_looked_at() {
    on_every_device(|_| {
        let whole = frame(700).expect("a frame");
        let kept = whole.filter(col("n").gt(4)).and_then(|rows| rows.sort_values("word")).expect("rows");
        let kept = kept.with_column("m", col("n") * 2).and_then(|rows| rows.head(100)).expect("rows");
        assert!(!kept.index().is_materialised());
        // Rows of a range are unique, and in order where they were not reordered, without a look.
        assert!(kept.index().is_unique().expect("a fact"));
        let exploded = whole.explode("list").expect("rows");
        assert!(!exploded.index().is_unique().expect("a fact"), "labels repeat");
        let filtered = whole.filter(col("n").gt(4)).expect("rows");
        assert!(filtered.index().is_monotonic_increasing().expect("a fact"));
        assert!(!kept.index().is_materialised() && !filtered.index().is_materialised());
        assert_eq!(kept.to_string().lines().count(), 2 + 11 + 1, "{kept}");
        assert!(!kept.index().is_materialised(), "only printed rows are gathered");
        let again = kept.clone();
        assert_labels("look", &kept, Scalar::Int64);
        let _ = kept.index().columns(kept.exec()).expect("labels");
        assert!(
            kept.index().is_materialised() && again.index().is_materialised(),
            "computed once for all handles"
        );
        assert!(matches!(whole.filter(col("row").ge(0)).expect("all rows").index(), Index::Range(_)));
    });
}

#[test]
fn operations_that_make_rows_start_a_new_range() {
    on_every_device(|_| {
        let whole = frame(65).expect("a frame").filter(col("n").gt(2)).expect("rows");
        let is_range = |frame: Result<DataFrame>| {
            let frame = frame.expect("a frame");
            frame.index().equals(&Index::of_rows(frame.len())).expect("compares")
                && matches!(frame.index(), Index::Range(_))
        };
        assert!(is_range(whole.group_by("word").agg(len())));
        assert!(is_range(whole.group_by("word").sort(true).agg(len())));
        assert!(is_range(
            whole.merge(&whole.select(["word", "n"]).expect("columns"), &Merge::inner().on("word"))
        ));
        assert!(is_range(Ok(whole.ignore_index())));
        assert!(is_range(whole.agg(col("n").sum())));
        assert!(is_range(whole.mode()));
    });
}

#[test]
fn concat_puts_labels_one_after_the_other() {
    on_every_device(|_| {
        let whole = frame(65).expect("a frame");
        let halves = [whole.head(30).expect("rows"), whole.tail(35).expect("rows")];
        let both = concat(&halves).expect("rows");
        assert!(matches!(both.index(), Index::Range(_)), "ranges that follow each other are one");
        assert_labels("concat", &both, Scalar::Int64);
        let none = whole.head(0).expect("no rows");
        assert!(matches!(
            concat([&none, &halves[0], &none, &halves[1]]).expect("rows").index(),
            Index::Range(_)
        ));
        let reversed = concat([&halves[1], &halves[0]]).expect("rows");
        assert_labels("concat", &reversed, Scalar::Int64);
        let kept = reversed.filter(col("n").gt(4)).expect("rows");
        let again = concat([&kept, &kept.head(3).expect("rows")]).expect("rows");
        assert!(!again.index().is_materialised());
        assert_labels("concat", &again, Scalar::Int64);
        assert!(!again.index().is_unique().expect("a fact"));

        let named = |name: &str| {
            whole.head(2).and_then(|rows| rows.set_index("word")?.rename_axis(name)).expect("labels")
        };
        assert_eq!(concat([&named("a"), &named("a")]).expect("rows").index().name(), "a");
        assert_eq!(
            *concat([&named("a"), &named("b")]).expect("rows").index().name(),
            columnade_columns::Label::NULL
        );
        let narrow = Index::new([1_i32, 2]).expect("numbers");
        let numbers = concat([
            &halves[0].head(2).expect("rows"),
            &halves[0].head(2).and_then(|rows| rows.with_index(&narrow)).expect("labels"),
        ]);
        let numbers = numbers.expect("rows");
        assert_eq!(numbers.index().dtypes(), [DType::Int64]);
        assert_eq!(numbers.index().to_scalars().expect("labels"), [[0, 1, 1, 2].map(Scalar::Int64)]);
        let words = named("a").reset_index().and_then(|rows| rows.rename([("a", "word")])).expect("columns");
        let words =
            words.select(["row", "n", "word", "list"]).and_then(|rows| rows.with_index(named("a").index()));
        let refused = concat([&halves[0], &words.expect("labels")]).expect_err("strings after numbers");
        assert_eq!(refused.kind(), columnade_columns::ErrorKind::Type);
    });
}

#[test]
fn series_operations_keep_labels_of_rows() {
    on_every_device(|_| {
        let n = frame(65).and_then(|frame| frame.column("n")).expect("numbers");
        let values = n.to_options::<i64>().expect("numbers");
        let assert_values = |made: Result<Series>| {
            let made = made.expect("rows");
            let labels = made.index().to_scalars().expect("labels").swap_remove(0);
            let of_labels: Vec<Option<i64>> = labels
                .iter()
                .map(|label| match label {
                    Scalar::Int64(row) => values[usize::try_from(*row).expect("a row")],
                    other => panic!("{other}"),
                })
                .collect();
            assert_eq!(made.to_options::<i64>().expect("numbers"), of_labels);
        };
        assert_values(n.drop_nulls());
        assert_values(n.unique());
        assert_values(n.sort_values(..));
        assert_values(n.nlargest(7, Ties::All));
        assert_values(n.nsmallest(7, Ties::Last));
        assert_values(
            n.slice(31, 33)
                .and_then(|n| n.drop_nulls()?.sort_values(crate::dataframe::SortOrder::descending())),
        );
        let lists = frame(33).and_then(|frame| frame.column("list")?.explode()).expect("items");
        let labels = lists.index().to_scalars().expect("labels").swap_remove(0);
        for (label, item) in labels.iter().zip(lists.to_options::<i64>().expect("items")) {
            assert!(item.is_none_or(|item| *label == Scalar::Int64(item)));
        }
    });
}

#[test]
fn rows_beyond_limit_keep_labels() {
    for device in columnade_buffers::Device::available() {
        let (exec, _) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "1MiB")]);
        let rows = 60_000;
        crate::options::set_default_exec(exec);
        let numbers = |multiply: i64| (0..rows).map(|row: i64| row * multiply % 60_013).collect::<Vec<_>>();
        let whole =
            DataFrame::new([("row", numbers(1)), ("a", numbers(7919)), ("b", numbers(31))]).expect("a frame");
        let sorted = whole.sort_values("a").expect("sorts");
        assert_labels("sort", &sorted, Scalar::Int64);
        let kept = sorted.filter(col("b").gt(20_000)).expect("rows");
        assert_labels("filter", &kept, Scalar::Int64);
        assert_labels("sort_head", &whole.sort_head(500, "b").expect("rows"), Scalar::Int64);
    }
    crate::options::set_default_exec(columnade_buffers::Exec::host());
}
