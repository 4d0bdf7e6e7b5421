//! Groups one by one on every device, against rows grouped one by one.

use columnade_columns::{ErrorKind, Scalar};
use columnade_ops::expression::{col, len, row_number};
use columnade_tests::{Rng, SIZES};

use super::{DataFrame, SortBy};
use crate::error::{Error, Result};
use crate::testing::{on_every_device, values};

type Key = (Option<String>, i64);

/// Keys with nulls, a number for each row, and the same as rows.
fn sample(rows: usize, rng: &mut Rng) -> (DataFrame, Vec<(Key, i64)>) {
    let name = |rng: &mut Rng| match rng.below(4) {
        0 => None,
        1 => Some("a".to_owned()),
        2 => Some("ü".to_owned()),
        _ => Some(String::new()),
    };
    let made: Vec<(Key, i64)> = (0..i64::try_from(rows).expect("few"))
        .map(|n| ((name(rng), rng.below(3).cast_signed()), n))
        .collect();
    let names: Vec<Option<&str>> = made.iter().map(|((name, _), _)| name.as_deref()).collect();
    let numbers: Vec<i64> = made.iter().map(|((_, k), _)| *k).collect();
    let n: Vec<i64> = made.iter().map(|(_, n)| *n).collect();
    (crate::df! { "s" => names, "k" => numbers, "n" => n }.expect("columns"), made)
}

/// The groups in order of their first rows, by looking at each row.
fn naive(rows: &[(Key, i64)], keeps_nulls: bool) -> Vec<(Key, Vec<i64>)> {
    let mut groups: Vec<(Key, Vec<i64>)> = Vec::new();
    for (key, n) in rows.iter().filter(|((name, _), _)| keeps_nulls || name.is_some()) {
        match groups.iter_mut().find(|(found, _)| found == key) {
            Some((_, rows)) => rows.push(*n),
            None => groups.push((key.clone(), vec![*n])),
        }
    }
    groups
}

fn found(groups: Result<Vec<(Vec<Scalar>, DataFrame)>>) -> Vec<(Key, Vec<i64>)> {
    let key = |key: &[Scalar]| match key {
        [Scalar::Utf8(name), Scalar::Int64(k)] => (Some(name.clone()), *k),
        [Scalar::Null(_), Scalar::Int64(k)] => (None, *k),
        other => panic!("{other:?}"),
    };
    let rows = |frame: &DataFrame| frame.column("n").expect("a column").to_vec::<i64>().expect("numbers");
    groups.expect("groups").iter().map(|(keys, frame)| (key(keys), rows(frame))).collect()
}

#[test]
fn groups_have_their_rows_in_order() {
    on_every_device(|_| {
        let mut rng = Rng::new(52);
        for rows in SIZES.into_iter().filter(|&rows| rows < 700) {
            let (frame, made) = sample(rows, &mut rng);
            for keeps_nulls in [false, true] {
                let by = || frame.group_by(["s", "k"]).dropna(!keeps_nulls);
                let expected = naive(&made, keeps_nulls);
                assert_eq!(found(by().groups()), expected, "{rows} rows");
                let mut sorted = expected;
                // Nulls last.
                sorted.sort_by_key(|((name, k), _)| (name.is_none(), name.clone(), *k));
                assert_eq!(found(by().sort(true).groups()), sorted, "{rows} rows");
            }
            let some = frame.group_by(["s", "k"]).rows_where(col("n").gt(9));
            let expected: Vec<_> = made.iter().filter(|(_, n)| *n > 9).cloned().collect();
            assert_eq!(found(some.groups()), naive(&expected, false), "{rows} rows");
        }
    });
}

#[test]
fn chosen_rows_of_groups_match_pandas() {
    on_every_device(|_| {
        let frame =
            crate::df! { "k" => [Some("b"), Some("a"), Some("b"), None, Some("b")], "n" => [1, 2, 3, 4, 5] };
        let frame = frame.expect("columns");
        let by = || frame.group_by("k");
        let n = |frame: Result<DataFrame>| {
            frame.expect("rows").column("n").expect("n").to_vec::<i32>().expect("n")
        };
        // DataFrame.groupby("k").nth(n)
        assert_eq!(
            [0, 1, 2, 3, -1, -3].map(|nth| n(by().nth(nth))),
            [vec![1, 2], vec![3], vec![5], vec![], vec![2, 5], vec![1]]
        );
        assert_eq!(n(by().dropna(false).nth(0)), [1, 2, 4]);
        assert_eq!([i64::MIN, i64::MAX].map(|nth| n(by().nth(nth))), [Vec::<i32>::new(), vec![]]);
        // DataFrame.groupby("k").filter(lambda group: len(group) > 1)
        assert_eq!(n(by().filter(len().gt(1))), [1, 3, 5]);
        assert_eq!(n(by().filter(col("n").mean().lt(3.0))), [2]);
        assert_eq!(n(by().rows_where(col("n").lt(5)).filter(len().eq(2))), [1, 3]);
        // DataFrame.groupby("k").get_group("b")
        assert_eq!(n(by().get_group("b")), [1, 3, 5]);
        let labels = by().get_group("b").expect("rows").index().to_scalars().expect("labels");
        assert_eq!(labels, [[0_i64, 2, 4].map(Scalar::Int64)]);
        assert_eq!(n(by().dropna(false).get_group(Scalar::Null(columnade_columns::DType::Utf8))), [4]);
        assert_eq!(n(frame.group_by(("k", col("n").gt(2).alias("large"))).get_group(("b", true))), [3, 5]);
        for key in [Scalar::from("z"), Scalar::Null(columnade_columns::DType::Utf8)] {
            let missing = by().get_group(key.clone()).expect_err("no such group");
            assert!(
                matches!(&missing, Error::MissingLabels { missing, .. } if *missing == [[key]]),
                "{missing}"
            );
        }
        assert_eq!(by().get_group(("a", 1)).expect_err("two values").kind(), ErrorKind::Value);
    });
}

#[test]
fn apply_puts_results_together() {
    on_every_device(|_| {
        let (frame, made) = sample(100, &mut Rng::new(53));
        let last = |key: &[Scalar], rows: &DataFrame| {
            assert_eq!(values(rows, "k")[0], key[1]);
            rows.sort_values(SortBy::descending("n"))?.head(1)
        };
        let found = frame.group_by(["s", "k"]).apply(last).expect("rows");
        let expected: Vec<i64> = naive(&made, false).iter().map(|(_, rows)| rows[rows.len() - 1]).collect();
        assert_eq!(found.column("n").expect("n").to_vec::<i64>().expect("n"), expected);
        assert_eq!(values(&found, "n").len(), found.index().len());

        let refuses = |_: &[Scalar], rows: &DataFrame| rows.select("tax");
        assert_eq!(frame.group_by("k").apply(refuses).expect_err("no column").kind(), ErrorKind::Key);
        let none = frame.filter(row_number().lt(0)).expect("no rows");
        assert!(none.group_by("k").groups().expect("none").is_empty());
        let applied = none.group_by("k").apply(last).expect("no rows");
        assert_eq!((applied.len(), applied.columns()), (0, frame.columns()));
    });
}

#[test]
fn aggregates_of_one_label_are_refused() {
    on_every_device(|_| {
        let (frame, _) = sample(5, &mut Rng::new(54));
        let twice = || [col("n").sum(), col("n").max()];
        for error in [frame.group_by("k").agg(twice()), frame.agg(twice())] {
            let error = error.expect_err("one label twice");
            assert_eq!(error.kind(), ErrorKind::Value, "{error}");
            assert!(error.to_string().contains("\"n\""), "{error}");
        }
    });
}
