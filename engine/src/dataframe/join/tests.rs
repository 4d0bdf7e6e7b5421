//! Kinds and options of joins on every device, against nested loops.

use super::super::DataFrame;
use super::{MaintainOrder, Merge, MergeAsof, Validate};
use crate::builders::categories;
use crate::expressions::Literal;
use crate::testing::on_every_device;
use crate::{Error, Expr, builders, col, df, lit};
use columnade_columns::{DType, ErrorKind, Scalar, TimeUnit};
use columnade_tests::Rng;

type Key = Option<i64>;
type Row = (Option<usize>, Option<usize>);

/// The pairs of a join by a nested loop: all that match, and what is kept of each side without a match.
fn naive(left: &[Key], right: &[Key], nulls_equal: bool, keep: [bool; 2], order: MaintainOrder) -> Vec<Row> {
    let is_match = |l: usize, r: usize| left[l] == right[r] && (nulls_equal || left[l].is_some());
    let (lefts, rights) = (0..left.len(), 0..right.len());
    let mut rows: Vec<Row> = lefts
        .clone()
        .flat_map(|l| rights.clone().filter(move |&r| is_match(l, r)).map(move |r| (Some(l), Some(r))))
        .collect();
    let found = rows.clone();
    if keep[0] {
        rows.extend(lefts.filter(|l| found.iter().all(|row| row.0 != Some(*l))).map(|l| (Some(l), None)));
    }
    if keep[1] {
        rows.extend(rights.filter(|r| found.iter().all(|row| row.1 != Some(*r))).map(|r| (None, Some(r))));
    }
    let none_last = |row: Option<usize>| row.unwrap_or(usize::MAX);
    match order {
        MaintainOrder::LeftRight => rows.sort_by_key(|row| (none_last(row.0), none_last(row.1))),
        MaintainOrder::RightLeft => rows.sort_by_key(|row| (none_last(row.1), none_last(row.0))),
    }
    rows
}

fn keyed(keys: &[Key], key: &str, number: &str) -> DataFrame {
    let numbers: Vec<i64> = (0_i64..).take(keys.len()).collect();
    let frame = DataFrame::new([(key, keys.to_vec())]).and_then(|frame| frame.with_column(number, numbers));
    frame.expect("two columns")
}

fn numbers(frame: &DataFrame, label: &str) -> Vec<Option<usize>> {
    let values = frame.column(label).and_then(|column| column.to_options::<i64>()).expect("numbers");
    values.into_iter().map(|value| value.map(|value| usize::try_from(value).expect("small"))).collect()
}

fn rows_of(joined: &DataFrame) -> Vec<Row> {
    numbers(joined, "l").into_iter().zip(numbers(joined, "r")).collect()
}

/// Kinds with rows of both sides, and which rows they keep without a match.
fn kinds() -> [(&'static str, Merge, [bool; 2], MaintainOrder); 4] {
    use MaintainOrder::{LeftRight, RightLeft};
    [
        ("inner", Merge::inner(), [false, false], LeftRight),
        ("left", Merge::left(), [true, false], LeftRight),
        ("right", Merge::right(), [false, true], RightLeft),
        ("outer", Merge::outer(), [true, true], LeftRight),
    ]
}

#[test]
fn every_kind_and_order_matches_nested_loop() {
    on_every_device(|device| {
        let mut rng = Rng::new(81);
        for (n, m) in [(0, 0), (0, 4), (4, 0), (1, 1), (31, 65), (64, 33), (300, 7), (5, 129)] {
            let mut keys = |rows: usize| -> Vec<Key> {
                (0..=rows)
                    .map(|_| Some(rng.below(40)).filter(|&key| key > 2))
                    .map(|key| Some(i64::try_from(key?).expect("small")))
                    .collect()
            };
            let (left_keys, right_keys) = (keys(n), keys(m));
            // Slices, so that columns have an odd offset.
            let left = keyed(&left_keys, "k", "l").slice(1, n).expect("rows");
            let right = keyed(&right_keys, "k", "r").slice(1, m).expect("rows");
            let shifted = |rows: Vec<Row>| -> Vec<Row> {
                rows.into_iter().map(|(l, r)| (l.map(|l| l + 1), r.map(|r| r + 1))).collect()
            };
            for (name, merge, keep, natural) in kinds() {
                for order in [None, Some(MaintainOrder::LeftRight), Some(MaintainOrder::RightLeft)] {
                    for nulls_equal in [true, false] {
                        let expected = naive(
                            &left_keys[1..],
                            &right_keys[1..],
                            nulls_equal,
                            keep,
                            order.unwrap_or(natural),
                        );
                        let merge = merge.clone().on("k").nulls_equal(nulls_equal).indicator("from");
                        let merge = order.into_iter().fold(merge, Merge::maintain_order);
                        let what = format!("{name} {n} x {m}, {order:?}, nulls {nulls_equal}, {device}");
                        let joined = left.merge(&right, &merge).expect("one key");
                        assert_eq!(joined.columns(), ["k", "l", "r", "from"], "{what}");
                        assert_eq!(rows_of(&joined), shifted(expected.clone()), "{what}");
                        let key = |&(l, r): &Row| match (l, r) {
                            (Some(l), _) => left_keys[1 + l],
                            (None, r) => r.and_then(|r| right_keys[1 + r]),
                        };
                        let found = joined.column("k").and_then(|k| k.to_options::<i64>()).expect("keys");
                        assert_eq!(found, expected.iter().map(key).collect::<Vec<_>>(), "{what}");
                        let from = |&(l, r): &Row| match (l, r) {
                            (Some(_), Some(_)) => "both",
                            (Some(_), None) => "left_only",
                            _ => "right_only",
                        };
                        let sides = joined.column("from").and_then(|c| c.to_vec::<String>()).expect("sides");
                        assert_eq!(sides, expected.iter().map(from).collect::<Vec<_>>(), "{what}");

                        let both = left.merge(&right, &merge.coalesce(false)).expect("one key");
                        assert_eq!(both.columns(), ["k_x", "l", "k_y", "r", "from"], "{what}");
                        let kept = |label: &str| {
                            both.column(label).and_then(|k| k.to_options::<i64>()).expect("keys")
                        };
                        let of = |keys: &[Key], row: Option<usize>| row.and_then(|row| keys[1 + row]);
                        let of_left: Vec<Key> = expected.iter().map(|row| of(&left_keys, row.0)).collect();
                        let of_right: Vec<Key> = expected.iter().map(|row| of(&right_keys, row.1)).collect();
                        assert_eq!((kept("k_x"), kept("k_y")), (of_left, of_right), "{what}");
                    }
                }
            }
        }
    });
}

#[test]
fn cross_join_has_every_pair_in_order() {
    on_every_device(|device| {
        for (n, m) in [(0, 0), (0, 3), (3, 0), (1, 1), (33, 65)] {
            let (left, right) = (keyed(&vec![None; n], "k", "l"), keyed(&vec![Some(1); m], "k", "r"));
            for order in [None, Some(MaintainOrder::LeftRight), Some(MaintainOrder::RightLeft)] {
                let merge = order.into_iter().fold(Merge::cross(), Merge::maintain_order);
                let joined = left.merge(&right, &merge).expect("a product");
                assert_eq!(joined.columns(), ["k_x", "l", "k_y", "r"]);
                let mut expected: Vec<Row> =
                    (0..n).flat_map(|l| (0..m).map(move |r| (Some(l), Some(r)))).collect();
                if order == Some(MaintainOrder::RightLeft) {
                    expected.sort_by_key(|row| (row.1, row.0));
                }
                assert_eq!(rows_of(&joined), expected, "{n} x {m} {order:?} on {device}");
            }
        }
    });
}

#[test]
fn keys_of_other_labels_are_kept_or_coalesced() {
    on_every_device(|_| {
        let left = df! { "a" => [1_i32, 2, 4], "v" => ["x", "y", "z"] }.expect("left");
        let right = df! { "b" => [4_i64, 1, 9], "v" => [10, 11, 12] }.expect("right");
        let keyed = |merge: Merge| merge.left_on("a").right_on("b");
        let kept = left.merge(&right, &keyed(Merge::outer())).expect("kept");
        assert_eq!(kept.columns(), ["a", "v_x", "b", "v_y"]);
        let options = |frame: &DataFrame, label: &str| {
            frame.column(label).and_then(|c| c.to_options::<i64>()).expect("integers")
        };
        assert_eq!(options(&kept, "b"), [Some(1), None, Some(4), Some(9)]);
        let once = left.merge(&right, &keyed(Merge::outer()).coalesce(true)).expect("coalesced");
        assert_eq!(once.columns(), ["a", "v_x", "v_y"]);
        assert_eq!(once.column("a").expect("a key").dtype(), DType::Int64);
        assert_eq!(options(&once, "a"), [Some(1), Some(2), Some(4), Some(9)]);
        let of_right = left.merge(&right, &keyed(Merge::right()).coalesce(true)).expect("right");
        assert_eq!(options(&of_right, "a"), [Some(4), Some(1), Some(9)]);
        let of_left = left.merge(&right, &keyed(Merge::left()).coalesce(true)).expect("left");
        assert_eq!(options(&of_left, "a"), [Some(1), Some(2), Some(4)]);
    });
}

#[test]
fn expressions_are_keys() {
    on_every_device(|_| {
        let left = df! { "n" => [10_i64, 23, 35, 47] }.expect("left");
        let right = df! { "tens" => [4_i64, 2, 2], "r" => [0_i64, 1, 2] }.expect("right");
        let merge = Merge::inner().left_on(col("n") / 10).right_on(col("tens").cast(DType::Float64) + 0.7);
        let joined = left.merge(&right, &merge).expect("keys of floats");
        assert_eq!(joined.columns(), ["n", "tens", "r"]);
        assert_eq!(joined.column("n").and_then(|c| c.to_vec::<i64>()).expect("n"), [47]);
        let merge = Merge::left()
            .left_on([col("n").floor_div(10), col("n") * 2 - col("n") * 2])
            .right_on([col("tens"), col("tens") - col("tens")]);
        let joined = left.merge(&right, &merge).expect("two keys");
        let found = joined.column("r").and_then(|c| c.to_options::<i64>()).expect("r");
        assert_eq!(found, [None, Some(1), Some(2), None, Some(0)]);
        let on = left.merge(&left, &Merge::semi().on(col("n") + 1)).expect("one key");
        assert_eq!(on.len(), 4);
        let missing = left.merge(&right, &Merge::inner().on(col("tax") + 1));
        assert!(matches!(missing, Err(Error::MissingColumns { .. })));
    });
}

#[test]
fn keys_of_floats_times_and_dictionaries_promote() {
    on_every_device(|device| {
        let check = |left: DataFrame, right: DataFrame, dtype: DType, expected: &[(i64, i64)]| {
            let number = |frame: DataFrame, label: &str| {
                let numbers: Vec<i64> = (0_i64..).take(frame.len()).collect();
                frame.with_column(label, numbers).expect("numbers")
            };
            let (left, right) = (number(left, "l"), number(right, "r"));
            let joined = left.merge(&right, &Merge::inner().on("k")).expect("keys of one family");
            let column = |label: &str| joined.column(label).and_then(|c| c.to_vec::<i64>()).expect("numbers");
            let pairs: Vec<(i64, i64)> = column("l").into_iter().zip(column("r")).collect();
            assert_eq!(pairs, expected, "{dtype} on {device}");
            assert_eq!(joined.column("k").expect("a key").dtype(), dtype, "on {device}");
        };
        let floats = df! { "k" => [0.5_f32, f32::NAN, -0.0, 0.1] }.expect("floats");
        let doubles = df! { "k" => [0.1_f64, 0.0, f64::NAN, 0.5] }.expect("doubles");
        check(floats, doubles, DType::Float64, &[(0, 3), (1, 2), (2, 1)]);

        let seconds = builders::timestamps(vec![Some(60_i64), None, Some(-1)], TimeUnit::Second);
        let millis =
            builders::timestamps(vec![Some(-1_000_i64), Some(60_001), Some(60_000), None], TimeUnit::Milli);
        let (seconds, millis) = (df! { "k" => seconds }.expect("s"), df! { "k" => millis }.expect("ms"));
        check(seconds, millis, DType::Timestamp(TimeUnit::Milli), &[(0, 2), (1, 3), (2, 0)]);

        let words = df! { "k" => builders::categories(["ß", "a", "中"]) }.expect("a dictionary");
        let plain = df! { "k" => ["中", "b", "ß", "ß"] }.expect("strings");
        check(words.clone(), plain.clone(), words.dtypes()[0].clone(), &[(0, 2), (0, 3), (2, 0)]);
        check(plain, words, DType::Utf8, &[(0, 2), (2, 0), (3, 0)]);
        let others = df! { "k" => builders::categories(["x", "中", "ß"]) }.expect("a dictionary");
        let words = df! { "k" => builders::categories(["ß", "a", "中"]) }.expect("a dictionary");
        let all = words.merge(&others, &Merge::outer().on("k")).expect("two dictionaries");
        let keys = all.column("k").and_then(|c| c.to_vec::<String>()).expect("keys");
        assert_eq!(keys, ["ß", "a", "中", "x"]);
        assert!(matches!(all.dtypes()[0], DType::Dictionary(_)));
    });
}

/// They are in the unit of the side that their rows are of.
#[test]
fn keys_beyond_the_range_of_the_finer_unit_match_nothing() {
    on_every_device(|device| {
        let times = |counts: Vec<Option<i64>>, unit| builders::timestamps(counts, unit);
        let seconds = times(vec![Some(60), Some(99_999_999_999), None], TimeUnit::Second);
        let nanos = times(vec![Some(1), Some(60_000_000_000), None], TimeUnit::Nano);
        let seconds = df! { "k" => seconds, "l" => [0_i64, 1, 2] }.expect("seconds");
        let nanos = df! { "k" => nanos, "r" => [0_i64, 1, 2] }.expect("nanoseconds");
        let (second, nano) = (DType::Timestamp(TimeUnit::Second), DType::Timestamp(TimeUnit::Nano));
        for (merge, dtype, keys, other, expected) in [
            (Merge::inner(), &nano, vec![Some(60_000_000_000), None], "r", vec![Some(1), Some(2)]),
            (
                Merge::left(),
                &second,
                vec![Some(60), Some(99_999_999_999), None],
                "r",
                vec![Some(1), None, Some(2)],
            ),
            (
                Merge::right(),
                &nano,
                vec![Some(1), Some(60_000_000_000), None],
                "l",
                vec![None, Some(0), Some(2)],
            ),
        ] {
            let joined = seconds.merge(&nanos, &merge.clone().on("k")).expect("times");
            let key = joined.column("k").expect("the key");
            let what = format!("{merge:?} on {device}");
            assert_eq!(key.dtype(), *dtype, "{what}");
            let counts = key.cast(DType::Int64).and_then(|counts| counts.to_options::<i64>());
            assert_eq!(counts.expect("counts"), keys, "{what}");
            let found = joined.column(other).and_then(|c| c.to_options::<i64>()).expect("numbers");
            assert_eq!(found, expected, "{what}");
        }
        let swapped = nanos.merge(&seconds, &Merge::right().on("k")).expect("times");
        assert_eq!(swapped.column("k").expect("the key").dtype(), second, "on {device}");
        assert_eq!(seconds.merge(&nanos, &Merge::anti().on("k")).expect("times").len(), 1, "on {device}");
        let error = seconds.merge(&nanos, &Merge::outer().on("k")).expect_err("both in nanoseconds");
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error} on {device}");
        let text = error.to_string();
        assert!(text.starts_with("merge: column \"k\"") && text.contains("5138-11-16"), "{text}");
        let near =
            seconds.filter(col("l").ne(1)).and_then(|near| near.merge(&nanos, &Merge::outer().on("k")));
        assert_eq!(near.expect("all fit").column("k").expect("the key").dtype(), nano, "on {device}");
    });
}

#[test]
fn validate_names_keys_and_a_repeated_value() {
    on_every_device(|_| {
        let many = df! { "a" => [1, 2, 1, 2], "b" => ["x", "ß", "y", "ß"] }.expect("left");
        let one = df! { "a" => [1, 2], "b" => ["x", "ß"] }.expect("right");
        let keyed = Merge::inner().on(["a", "b"]);
        let joined = |left: &DataFrame, right: &DataFrame, validate| {
            left.merge(right, &keyed.clone().validate(validate)).map(|frame| frame.len())
        };
        assert_eq!(joined(&many, &one, Validate::ManyToOne).expect("unique right"), 3);
        assert_eq!(joined(&one, &many, Validate::OneToMany).expect("unique left"), 3);
        assert_eq!(joined(&one, &one, Validate::OneToOne).expect("unique"), 2);
        for (left, right, validate, side) in [
            (&many, &one, Validate::OneToOne, "left"),
            (&one, &many, Validate::OneToOne, "right"),
            (&many, &one, Validate::OneToMany, "left"),
            (&one, &many, Validate::ManyToOne, "right"),
        ] {
            let error = joined(left, right, validate).expect_err("a repeated key");
            assert_eq!(
                error.to_string(),
                format!(
                    "merge: the key \"a\", \"b\" of the {side} frame is not unique: (2, ß) occurs more than once"
                )
            );
            assert_eq!(error.kind(), ErrorKind::Value);
        }
        // Nulls count if they are equal.
        let nulls = df! { "a" => [None, None, Some(1)] }.expect("nulls");
        let merge = Merge::inner().on("a").validate(Validate::OneToOne);
        let Err(Error::DuplicateKey { key, .. }) = nulls.merge(&nulls, &merge) else { panic!("two nulls") };
        assert_eq!(key, [Scalar::Null(DType::Int32)]);
        assert_eq!(nulls.merge(&nulls, &merge.nulls_equal(false)).expect("unique").len(), 1);
    });
}

#[test]
fn options_that_do_not_go_with_kind_are_refused() {
    let frame = df! { "a" => [1] }.expect("a column");
    for (merge, name) in [
        (Merge::cross().on("a"), "keys"),
        (Merge::cross().validate(Validate::OneToOne), "validate"),
        (Merge::inner().condition(col("a_x").lt(col("a_y"))).validate(Validate::OneToOne), "validate"),
        (Merge::cross().indicator("i"), "indicator"),
        (Merge::semi().on("a").indicator("i"), "indicator"),
        (Merge::anti().on("a").maintain_order(MaintainOrder::RightLeft), "maintain_order"),
    ] {
        let error = frame.merge(&frame, &merge).expect_err("not with this kind");
        assert_eq!(error.kind(), ErrorKind::Value);
        assert!(error.to_string().starts_with(&format!("merge: {name}: ")), "{error}");
    }
    let taken = frame.merge(&frame, &Merge::inner().on("a").indicator("a"));
    assert!(taken.expect_err("a label twice").to_string().contains("\"a\""));
}

#[test]
fn condition_reads_labels_of_inner_join() {
    on_every_device(|device| {
        let left = df! { "k" => [1, 1, 2, 3], "v" => [5, 6, 7, 8], "l" => [0_i64, 1, 2, 3] }.expect("left");
        let right = df! { "k" => [1, 1, 2, 4], "v" => [5, 9, 7, 8], "r" => [0_i64, 1, 2, 3] }.expect("right");
        let differ = col("v_x").ne(col("v_y"));
        let rows = |merge: Merge| {
            let joined = left.merge(&right, &merge.on("k").condition(differ.clone())).expect("a condition");
            assert_eq!(joined.columns(), ["k", "v_x", "l", "v_y", "r"]);
            rows_of(&joined)
        };
        let matched = [(Some(0), Some(1)), (Some(1), Some(0)), (Some(1), Some(1))];
        assert_eq!(rows(Merge::inner()), matched, "{device}");
        let kept = [(Some(2), None), (Some(3), None)];
        assert_eq!(rows(Merge::left()), [&matched[..], &kept].concat(), "{device}");
        let rest = [(None, Some(2)), (None, Some(3))];
        assert_eq!(rows(Merge::outer()), [&matched[..], &kept, &rest].concat(), "{device}");
        let by_right = [(Some(1), Some(0)), (Some(0), Some(1)), (Some(1), Some(1)), rest[0], rest[1]];
        assert_eq!(rows(Merge::right()), by_right, "{device}");
        let of_left = |merge: Merge| {
            let joined = left.merge(&right, &merge.on("k").condition(differ.clone())).expect("a condition");
            assert_eq!(joined.columns(), ["k", "v", "l"]);
            numbers(&joined, "l")
        };
        assert_eq!(of_left(Merge::semi()), [Some(0), Some(1)], "{device}");
        // A column of the left frame has the label that a suffix gives another one.
        let doubled = left.with_column("v_x", col("l")).expect("a column");
        let semi = Merge::semi().on("k").condition(col("v_x").eq(1).and(col("v_y").is_not_null()));
        assert_eq!(
            numbers(&doubled.merge(&right, &semi).expect("its own label"), "l"),
            [Some(1)],
            "{device}"
        );
        assert!(doubled.merge(&right, &Merge::inner().on("k").condition(col("v_x").eq(1))).is_err());
        assert_eq!(of_left(Merge::anti()), [Some(2), Some(3)], "{device}");

        let before = Merge::inner().condition(col("l").gt(col("r"))).maintain_order(MaintainOrder::RightLeft);
        let joined = left.merge(&right, &before).expect("no keys");
        let expected = [(1, 0), (2, 0), (3, 0), (2, 1), (3, 1), (3, 2)].map(|(l, r)| (Some(l), Some(r)));
        assert_eq!(rows_of(&joined), expected, "{device}");
        let product =
            left.merge(&right, &Merge::cross().condition((col("l") + col("r")).eq(5))).expect("pairs");
        assert_eq!(rows_of(&product), [(Some(2), Some(3)), (Some(3), Some(2))], "{device}");

        let unknown = left.merge(&right, &Merge::inner().on("k").condition(col("v").eq(1)));
        let text = unknown.expect_err("labels with suffixes").to_string();
        assert!(text.starts_with("merge: there is no column \"v\"; there is \"k\", \"v_x\""), "{text}");
    });
}

/// Outputs of pandas 2 `merge_asof(direction, allow_exact_matches, by, tolerance)`, 0 for no tolerance.
#[test]
fn merge_asof_equals_pandas() {
    type Case = (&'static str, bool, bool, i64, [Option<i64>; 6]);
    let cases: [Case; 12] = [
        ("backward", true, false, 0, [None, Some(1), Some(3), Some(3), Some(4), Some(5)]),
        ("backward", true, true, 0, [None, Some(1), Some(3), Some(1), Some(4), Some(4)]),
        ("backward", true, true, 2, [None, Some(1), Some(3), Some(1), Some(4), None]),
        ("backward", false, false, 0, [None, Some(1), Some(1), Some(1), Some(4), Some(5)]),
        ("backward", false, true, 2, [None, Some(1), None, Some(1), Some(4), None]),
        ("forward", true, false, 0, [Some(0), Some(2), Some(2), Some(2), Some(5), None]),
        ("forward", true, true, 2, [Some(0), None, Some(2), None, None, None]),
        ("forward", false, true, 0, [Some(0), Some(5), Some(4), Some(5), None, None]),
        ("nearest", true, false, 2, [Some(0), Some(1), Some(3), Some(3), Some(4), Some(5)]),
        ("nearest", true, true, 0, [Some(0), Some(1), Some(3), Some(1), Some(4), Some(4)]),
        ("nearest", true, true, 2, [Some(0), Some(1), Some(3), Some(1), Some(4), None]),
        ("nearest", false, true, 0, [Some(0), Some(1), Some(4), Some(1), Some(4), Some(4)]),
    ];
    on_every_device(|device| {
        let left =
            df! { "t" => [1_i64, 4, 5, 5, 9, 12], "k" => ["a", "b", "a", "b", "a", "a"] }.expect("left");
        let right = df! {
            "t" => [2_i32, 3, 5, 5, 7, 11],
            "k" => builders::categories(["a", "b", "a", "a", "a", "b"]),
            "w" => [0_i64, 1, 2, 3, 4, 5],
        };
        let right = right.expect("right");
        for (strategy, allow_exact_matches, is_by, tolerance, expected) in cases {
            let merge = match strategy {
                "backward" => MergeAsof::backward(),
                "forward" => MergeAsof::forward(),
                _ => MergeAsof::nearest(),
            };
            let merge = merge.on("t").allow_exact_matches(allow_exact_matches);
            let merge = if is_by { merge.by("k") } else { merge };
            let merge = if tolerance > 0 { merge.tolerance(tolerance) } else { merge };
            let joined = left.merge_asof(&right, &merge).expect("sorted keys");
            let labels: &[&str] = if is_by { &["t", "k", "w"] } else { &["t", "k_x", "k_y", "w"] };
            assert_eq!(joined.columns(), labels);
            let found = joined.column("w").and_then(|w| w.to_options::<i64>()).expect("numbers");
            assert_eq!(found, expected, "{strategy} {allow_exact_matches} {is_by} {tolerance} on {device}");
        }
    });
}

/// Rows of the nearest time of day, of those with an equal time of day and among all, one by one.
#[test]
fn merge_asof_of_times_of_day_matches_naive_reference() {
    on_every_device(|_| {
        let mut rng = Rng::new(83);
        let time = |minute: u64| format!("{:02}:{:02}:00", minute / 60, minute % 60);
        let (mut left, mut right): (Vec<u64>, Vec<u64>) =
            ((0..65).map(|_| rng.below(1440)).collect(), (0..33).map(|_| rng.below(1440)).collect());
        left.extend([0, 1439]);
        right.extend([0, 1439]);
        left.sort_unstable();
        right.sort_unstable();
        let by = |rng: &mut Rng, n: usize| -> Vec<u64> { (0..n).map(|_| 60 * rng.below(3)).collect() };
        let (left_by, right_by) = (by(&mut rng, left.len()), by(&mut rng, right.len()));
        let frame = |times: &[u64], by: &[u64], number: &str, unit| {
            let text = |minutes: &[u64]| minutes.iter().map(|minute| time(*minute)).collect::<Vec<_>>();
            let rows: Vec<i64> = (0_i64..).take(times.len()).collect();
            let frame = DataFrame::new([("t", text(times)), ("k", text(by))]).expect("texts");
            let times = [col("t").cast(DType::Time(unit)), col("k").cast(DType::Time(unit))];
            frame.with_columns(times).and_then(|frame| frame.with_column(number, rows)).expect("times")
        };
        let units = [(TimeUnit::Second, TimeUnit::Second), (TimeUnit::Milli, TimeUnit::Nano)];
        for (of_left, of_right) in units {
            let (l, r) = (frame(&left, &left_by, "l", of_left), frame(&right, &right_by, "r", of_right));
            for (merge, direction) in
                [(MergeAsof::backward(), 0), (MergeAsof::forward(), 1), (MergeAsof::nearest(), 2)]
            {
                for (within, tolerance) in [(1440, None), (7, Some(Literal::Duration(7 * 60_000_000_000)))] {
                    for by_key in [false, true] {
                        let mut merge = merge.clone().on("t");
                        if by_key {
                            merge = merge.by("k");
                        }
                        if let Some(tolerance) = tolerance.clone() {
                            merge = merge.tolerance(tolerance);
                        }
                        let found = l.merge_asof(&r, &merge).expect("sorted times");
                        let expected: Vec<Option<usize>> = (0..left.len())
                            .map(|row| {
                                let rows = || {
                                    (0..right.len())
                                        .filter(|other| !by_key || right_by[*other] == left_by[row])
                                };
                                let before = rows().rfind(|other| right[*other] <= left[row]);
                                let after = rows().find(|other| right[*other] >= left[row]);
                                let distance = |other: usize| right[other].abs_diff(left[row]);
                                let nearest = match (direction, before, after) {
                                    (0, before, _) => before,
                                    (1, _, after) => after,
                                    (_, Some(before), Some(after)) => {
                                        Some(if distance(before) <= distance(after) { before } else { after })
                                    }
                                    (_, before, after) => before.or(after),
                                };
                                nearest.filter(|other| distance(*other) <= within)
                            })
                            .collect();
                        assert_eq!(
                            numbers(&found, "r"),
                            expected,
                            "{direction} {within} {by_key} {of_right:?}"
                        );
                    }
                }
            }
        }
    });
}

#[test]
fn merge_asof_of_text_and_categories_finds_rows_before_and_after() {
    on_every_device(|_| {
        let words = |words: [&'static str; 3]| df! { "w" => words, "at" => [0, 1, 2] }.expect("words");
        let (left, right) = (words(["a", "ca", "é"]), words(["b", "c", "d"]));
        let found = |left: &DataFrame, right: &DataFrame, merge: MergeAsof| {
            let joined = left.merge_asof(right, &merge.on("w")).expect("in order");
            assert_eq!(joined.columns(), ["w", "at_x", "at_y"]);
            joined.column("at_y").and_then(|at| at.to_options::<i32>()).expect("numbers")
        };
        assert_eq!(found(&left, &right, MergeAsof::backward()), [None, Some(1), Some(2)]);
        assert_eq!(found(&left, &right, MergeAsof::forward()), [Some(0), Some(2), None]);
        let sizes = |sizes: [&'static str; 3]| {
            let sizes = categories(sizes).among(["low", "mid", "high"]).ordered();
            df! { "at" => [0, 1, 2] }.and_then(|frame| frame.with_column("w", sizes)).expect("sizes")
        };
        let (left, right) = (sizes(["low", "mid", "high"]), sizes(["mid", "mid", "high"]));
        let found = |merge: MergeAsof| {
            let joined = left.merge_asof(&right, &merge.on("w")).expect("in order");
            joined.column("at_y").and_then(|at| at.to_options::<i32>()).expect("numbers")
        };
        assert_eq!(found(MergeAsof::backward()), [None, Some(1), Some(2)]);
        assert_eq!(found(MergeAsof::forward()), [Some(0), Some(0), Some(2)]);
        let inner = MergeAsof::forward().allow_exact_matches(false);
        assert_eq!(found(inner), [Some(0), Some(2), None]);
    });
}

#[test]
fn keys_and_conditions_with_aggregates_are_of_the_rows_of_their_frame() {
    on_every_device(|_| {
        let left = df! { "t" => [10, 12, 15], "v" => [1, 2, 3] }.expect("a frame");
        let right = df! { "u" => [100, 103, 106], "w" => [1, 3, 5] }.expect("a frame");
        let since = |label: &str| col(label) - col(label).min();
        let merge = MergeAsof::backward().left_on(since("t")).right_on(since("u"));
        let joined = left.merge_asof(&right, &merge).expect("in order");
        assert_eq!(joined.column("w").and_then(|w| w.to_vec::<i32>()).expect("numbers"), [1, 1, 3]);
        let pairs = |condition: Expr| {
            let joined = left.merge(&right, &Merge::inner().condition(condition)).expect("pairs");
            let numbers = |label| joined.column(label).and_then(|it| it.to_vec::<i32>()).expect("numbers");
            numbers("v").into_iter().zip(numbers("w")).collect::<Vec<_>>()
        };
        // The mean of 1, 3 and 5, whatever the pairs are.
        assert_eq!(pairs(col("v").ge(col("w").mean())), [(3, 1), (3, 3), (3, 5)]);
        assert_eq!(pairs(col("v").cum_sum().lt(col("w"))), [(1, 3), (1, 5), (2, 5)]);
        assert_eq!(pairs(since("t").eq(since("u") - 1)), [(2, 3), (3, 5)]);
    });
}

#[test]
fn merge_asof_of_unsorted_or_unordered_key_is_refused() {
    let sorted = df! { "t" => [1, 2, 3], "w" => ["a", "b", "c"] }.expect("sorted");
    let unsorted = df! { "t" => [1, 3, 2] }.expect("unsorted");
    let merge = MergeAsof::backward().on("t");
    for (left, right) in [(&sorted, &unsorted), (&unsorted, &sorted)] {
        let error = left.merge_asof(right, &merge).expect_err("unsorted");
        let expected =
            "merge_asof: column \"t\": not sorted in ascending order: row 2 is less than the row before";
        assert_eq!(error.to_string(), expected);
    }
    for merge in [MergeAsof::nearest().on("w"), MergeAsof::backward().on("w").tolerance(1)] {
        let error = sorted.merge_asof(&sorted, &merge).expect_err("no distances");
        assert_eq!(
            error.to_string(),
            "merge_asof: column \"w\": utf8 has an order but no distances, which the nearest row and a tolerance need"
        );
        assert_eq!(error.kind(), ErrorKind::Type);
    }
    let unsorted = df! { "w" => ["b", "a"] }.expect("unsorted");
    let error = sorted.merge_asof(&unsorted, &MergeAsof::forward().on("w")).expect_err("unsorted");
    assert!(error.to_string().contains("column \"w\": not sorted in ascending order: row 1"), "{error}");
    let error = sorted.merge_asof(&sorted, &MergeAsof::backward().by("t")).expect_err("no ordered key");
    assert!(error.to_string().starts_with("merge_asof: on: "), "{error}");
    let error = sorted.merge_asof(&sorted, &merge.clone().tolerance("x")).expect_err("a tolerance of text");
    assert!(error.to_string().starts_with("merge_asof: "), "{error}");
    for negative in [lit(-1), lit(-0.5), lit(Literal::Duration(-1))] {
        let error = sorted.merge_asof(&sorted, &merge.clone().tolerance(negative)).expect_err("below 0");
        assert!(error.to_string().starts_with("merge_asof: tolerance: -"), "{error}");
        assert_eq!(error.kind(), ErrorKind::Value);
    }
    assert_eq!(sorted.merge_asof(&sorted, &merge.clone().tolerance(0)).expect("equal keys").len(), 3);
    let text = df! { "t" => ["x"] }.expect("text");
    assert!(matches!(
        sorted.merge_asof(&text, &merge),
        Err(Error::KeyMismatch { operation: "merge_asof", .. })
    ));
}
