//! Groups one by one on every device, against rows grouped one by one.

use columnade_columns::{ErrorKind, Label, Scalar};
use columnade_ops::expression::{Interpolation, col, len, row_number};
use columnade_tests::{Rng, SIZES};

use super::{DataFrame, SortBy};
use crate::error::{Error, Result};
use crate::index::Index;
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

#[test]
fn labels_of_extremes_match_reference() {
    on_every_device(|_| {
        let mut rng = Rng::new(55);
        for rows in SIZES.into_iter().filter(|&rows| rows < 700) {
            let (frame, made) = sample(rows, &mut rng);
            let size = i64::try_from(rows).expect("few");
            let x: Vec<Option<f64>> = (0..rows)
                .map(|_| match rng.below(6) {
                    0 => None,
                    1 => Some(f64::NAN),
                    other => Some(f64::from(u32::try_from(other).expect("small"))),
                })
                .collect();
            let labels: Vec<i64> = (0..size).map(|row| 1000 - row).collect();
            let frame = frame.with_column("x", x.clone()).expect("a column");
            let frame = frame.with_index(&Index::new(labels).expect("labels")).expect("labels");
            for least in [None, Some(9)] {
                let taken: Vec<(Key, i64)> =
                    made.iter().filter(|(_, n)| least.is_none_or(|least| *n > least)).cloned().collect();
                let groups = frame.group_by(["s", "k"]);
                let groups = match least {
                    Some(least) => groups.rows_where(col("n").gt(least)),
                    None => groups,
                };
                for sign in [1.0, -1.0] {
                    let found = if sign > 0.0 { groups.idxmin("x") } else { groups.idxmax("x") };
                    let expected = naive(&taken, false).into_iter().map(|(_, rows)| {
                        let mut best: Option<(f64, i64)> = None;
                        for row in rows {
                            // NaN is one only of NaNs.
                            if let Some(value) = x[usize::try_from(row).expect("a row")]
                                && best.is_none_or(|(least, _)| {
                                    sign * value < sign * least || (least.is_nan() && !value.is_nan())
                                })
                            {
                                best = Some((value, row));
                            }
                        }
                        best.map(|(_, row)| 1000 - row)
                    });
                    let found = found.expect("labels");
                    assert_eq!(found.columns(), ["s", "k", "x"]);
                    let found = found.column("x").expect("x").to_options::<i64>().expect("labels");
                    assert_eq!(found, expected.collect::<Vec<_>>(), "{rows} rows, {least:?}");
                }
            }
        }
        let levels = crate::df! { "a" => [1, 2], "b" => [1, 2], "n" => [1, 2] }.expect("columns");
        let levels = levels.set_index(["a", "b"]).expect("levels");
        assert_eq!(levels.group_by("n").idxmin("n").expect_err("two levels").kind(), ErrorKind::Value);
    });
}

#[test]
fn quantiles_of_groups_are_those_of_each() {
    on_every_device(|_| {
        let (frame, _) = sample(130, &mut Rng::new(56));
        let qs = [0.0, 0.3, 1.0];
        for interpolation in [Interpolation::Linear, Interpolation::Higher] {
            for sort in [false, true] {
                let by = || frame.group_by(["s", "k"]).sort(sort);
                let found = by().quantiles(["n", "k"], qs, interpolation);
                // A key is a column of the values too, under its label.
                assert_eq!(found.expect_err("k twice").kind(), ErrorKind::Value);
                let found = by().quantiles("n", qs, interpolation).expect("quantiles");
                assert_eq!(found.columns(), ["s", "k", "q", "n"]);
                let mut expected: Vec<String> = Vec::new();
                for (key, rows) in by().groups().expect("groups") {
                    let n = rows.column("n").expect("n");
                    for q in qs {
                        let value = n.quantile_with(q, interpolation).expect("a quantile");
                        expected.push(format!("{} {} {q:?} {value}", key[0], key[1]));
                    }
                }
                let columns = ["s", "k", "q", "n"].map(|label| values(&found, label));
                let row = |row: usize| columns.each_ref().map(|column| column[row].to_string()).join(" ");
                assert_eq!((0..found.len()).map(row).collect::<Vec<_>>(), expected);
                let labelled =
                    by().as_index(true).quantiles(["n", "k"], qs, interpolation).expect("labelled");
                assert_eq!(labelled.index().level_count(), 3);
                assert_eq!(values(&labelled, "n"), columns[3]);
            }
        }
        let none =
            frame.group_by("k").as_index(true).quantiles("n", [], Interpolation::Linear).expect("none");
        assert_eq!((none.len(), none.columns()), (0, [Label::from("n")].as_slice()));
        let empty = frame.slice(0, 0).expect("no rows");
        assert!(empty.group_by("k").quantiles("n", qs, Interpolation::Linear).expect("none").is_empty());
        let whole =
            frame.rows_where(col("n").gt(100)).quantiles("n", [0.5], Interpolation::Lower).expect("one");
        assert_eq!((whole.columns().len(), values(&whole, "n")), (2, vec![Scalar::Int64(115)]));
    });
}

#[test]
fn applied_results_are_under_their_keys() {
    on_every_device(|_| {
        let (frame, made) = sample(100, &mut Rng::new(57));
        let frame =
            frame.with_index(&Index::new((500..600).collect::<Vec<i64>>()).expect("labels")).expect("labels");
        let expected = naive(&made, false);
        let key = |key: &Key| [Scalar::from(key.0.clone().expect("no null")), Scalar::Int64(key.1)];
        let groups = || frame.group_by(["s", "k"]);

        let sums = groups().apply(|_: &[Scalar], rows: &DataFrame| rows.column("n")?.sum()).expect("sums");
        let wanted: Vec<i64> = expected.iter().map(|(_, rows)| rows.iter().sum()).collect();
        assert_eq!((sums.to_vec::<i64>().expect("sums"), sums.name()), (wanted, &Label::NULL));
        let labels = sums.index().to_scalars().expect("labels");
        assert_eq!(sums.index().names(), ["s", "k"]);
        for (group, (of, _)) in expected.iter().enumerate() {
            assert_eq!([labels[0][group].clone(), labels[1][group].clone()], key(of));
        }

        let first = |_: &[Scalar], rows: &DataFrame| rows.column("n")?.head(2);
        let values = groups().apply(first).expect("values");
        assert_eq!((values.name().as_text(), values.index().names().len()), (Some("n"), 3));
        let firsts = expected.iter().flat_map(|(of, rows)| rows.iter().take(2).map(move |row| (of, *row)));
        let labels = values.index().to_scalars().expect("labels");
        let numbers = values.to_vec::<i64>().expect("numbers");
        for (at, (of, row)) in firsts.clone().enumerate() {
            assert_eq!((numbers[at], labels[2][at].clone()), (row, Scalar::Int64(500 + row)));
            assert_eq!([labels[0][at].clone(), labels[1][at].clone()], key(of));
        }
        assert_eq!(values.len(), firsts.count());

        // Some groups without rows, and columns that not all frames have.
        let some = |key: &[Scalar], rows: &DataFrame| {
            let rows = rows.head(usize::from(key[1] != Scalar::Int64(0)))?;
            if key[1] == Scalar::Int64(1) { rows.select("n") } else { rows.select("k") }
        };
        let rows = groups().apply(some).expect("rows");
        let wanted = expected.iter().filter(|((_, k), _)| *k != 0).count();
        assert_eq!((rows.len(), rows.index().level_count()), (wanted, 3));
        assert_eq!(rows.columns().len(), 2);

        let none = frame.slice(0, 0).expect("no rows");
        let none = || none.group_by(["s", "k"]);
        assert_eq!(none().apply(first).expect("none").index().level_count(), 3);
        assert_eq!(none().apply(some).expect("none").columns(), frame.columns());
        let sums = none().apply(|_: &[Scalar], rows: &DataFrame| rows.column("n")?.sum()).expect("none");
        assert_eq!((sums.len(), sums.index().level_count()), (0, 2));
        let whole = frame.rows_where(col("n").gt(97)).apply(first).expect("one group");
        assert_eq!((whole.to_vec::<i64>().expect("n"), whole.index().level_count()), (vec![98, 99], 1));
    });
}
