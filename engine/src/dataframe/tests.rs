//! Frames on every device, against values worked out by hand or by loops.

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Label, Scalar, TimeUnit};
use columnade_ops::expression::{Literal, col, len, lit, when};

use super::{DataFrame, Merge, SortBy, concat};
use crate::error::{Error, Result};
use crate::options::{DisplayOptions, display_options, set_display_options};
use crate::series::Series;
use crate::testing::{ints, on_every_device, values};

/// Three columns with a null each.
fn frame() -> DataFrame {
    DataFrame::empty()
        .and_then(|frame| frame.with_column("k", [Some("b"), Some("a"), None, Some("b"), Some("é")]))
        .and_then(|frame| frame.with_column("n", [Some(3_i64), None, Some(5), Some(-1), Some(0)]))
        .and_then(|frame| frame.with_column("x", [Some(0.5), Some(f64::NAN), None, Some(-0.0), Some(2.0)]))
        .expect("columns of one length")
}

fn texts(values: &[Option<&str>]) -> Vec<Scalar> {
    values.iter().map(|value| value.map_or(Scalar::Null(DType::Utf8), Scalar::from)).collect()
}

fn error<T>(result: Result<T>) -> Error {
    result.err().expect("an error")
}

#[test]
fn new_frame_has_shape_and_dtypes() {
    on_every_device(|device| {
        let frame = frame();
        assert_eq!(frame.shape(), (5, 3));
        assert_eq!(frame.columns(), ["k", "n", "x"]);
        assert_eq!(frame.dtypes(), [DType::Utf8, DType::Int64, DType::Float64]);
        assert_eq!(frame.device(), device);
        assert!(frame.memory_bytes() >= 5 * 8 * 2);
    });
}

#[test]
fn new_accepts_series_and_vectors() {
    on_every_device(|_| {
        let series = Series::new(vec![true, false]).expect("booleans");
        let frame = DataFrame::new([("a", series.clone()), ("b", series)]).expect("one length");
        assert_eq!(values(&frame, "b"), [Scalar::Bool(true), Scalar::Bool(false)]);
        let frame = DataFrame::new([("a", &[1_u8, 2][..]), ("b", &[3, 4])]).expect("one length");
        assert_eq!(values(&frame, "b"), [Scalar::UInt8(3), Scalar::UInt8(4)]);
    });
}

#[test]
fn new_refuses_unequal_lengths_and_duplicate_labels() {
    on_every_device(|_| {
        let differs = error(DataFrame::new([("a", vec![1_i64]), ("b", vec![1, 2])]));
        assert_eq!(differs.kind(), ErrorKind::Value);
        let text = differs.to_string();
        assert!(text.contains("\"b\"") && text.contains('1') && text.contains('2'), "{text}");

        let twice = error(DataFrame::new([("a", vec![1_i64]), ("a", vec![2])]));
        assert!(twice.to_string().contains("\"a\""), "{twice}");
        assert!(frame().with_column("z", vec![1_i64]).is_err());
    });
}

#[test]
fn select_drop_and_rename_change_columns() {
    on_every_device(|_| {
        let frame = frame();
        assert_eq!(frame.select(["x", "k"]).expect("labels").columns(), ["x", "k"]);
        assert_eq!(frame.drop(["k", "x"]).expect("labels").columns(), ["n"]);
        assert_eq!(frame.drop("n").expect("label").columns(), ["k", "x"]);
        assert_eq!(frame.rename([("k", "n"), ("n", "k")]).expect("exchange").columns(), ["n", "k", "x"]);
        assert_eq!(error(frame.rename([("k", "n")])).kind(), ErrorKind::Value);

        let doubled = frame.select([(col("n") * lit(2)).alias("twice")]).expect("arithmetic");
        assert_eq!(values(&doubled, "twice"), ints(&[Some(6), None, Some(10), Some(-2), Some(0)]));

        let missing = error(frame.select(["y", "k", "z"]));
        assert_eq!(missing.kind(), ErrorKind::Key);
        assert_eq!(missing.to_string(), r#"select: there is no column "y", "z"; there is "k", "n", "x""#);
        assert!(error(frame.select(["k", "k"])).to_string().contains("\"k\""));
    });
}

#[test]
fn with_columns_replaces_in_position() {
    on_every_device(|_| {
        let frame = frame();
        let made = frame
            .with_columns([
                (col("n") + lit(1)).alias("n"),
                when(col("n").gt(lit(0))).then(lit(1)).otherwise(lit(0)).alias("positive"),
            ])
            .expect("expressions fit");
        assert_eq!(made.columns(), ["k", "n", "x", "positive"]);
        assert_eq!(values(&made, "n"), ints(&[Some(4), None, Some(6), Some(0), Some(1)]));
        // Both read the frame as it was, and a null condition takes the other branch.
        let positive: Vec<String> = values(&made, "positive").iter().map(Scalar::to_string).collect();
        assert_eq!(positive, ["1", "0", "1", "0", "0"]);
        let twice =
            frame.with_columns([col("n").alias("new"), col("x").alias("new")]).expect_err("one label");
        assert_eq!(twice.kind(), ErrorKind::Value);
        assert!(frame.rename([("n", "a"), ("n", "b")]).is_err());
    });
}

#[test]
fn head_tail_and_slice_select_rows_by_position() {
    on_every_device(|_| {
        let frame = frame();
        for (rows, expected) in [(0, 0), (2, 2), (5, 5), (9, 5)] {
            assert_eq!(frame.head(rows).expect("head").len(), expected);
            assert_eq!(frame.tail(rows).expect("tail").len(), expected);
        }
        let tail = frame.tail(2).expect("tail");
        assert_eq!(values(&tail, "n"), ints(&[Some(-1), Some(0)]));
        assert_eq!(tail.index().get(0).expect("a label"), Scalar::Int64(3));
        assert_eq!(values(&frame.slice(1, 3).expect("inside"), "k"), texts(&[Some("a"), None, Some("b")]));
        assert_eq!(error(frame.slice(3, 3)).kind(), ErrorKind::Index);
    });
}

#[test]
fn filter_keeps_true_rows() {
    on_every_device(|_| {
        let frame = frame();
        // Neither a null nor NaN is greater than anything.
        let rows = frame.filter(col("x").gt(lit(0.0))).expect("a condition");
        assert_eq!(values(&rows, "k"), texts(&[Some("b"), Some("é")]));
        assert_eq!(frame.filter(col("k").eq("b")).expect("text").len(), 2);
        assert_eq!(frame.filter(lit(false)).expect("nothing").shape(), (0, 3));
        assert_eq!(values(&frame.filter(col("k").is_null()).expect("nulls"), "n"), ints(&[Some(5)]));

        let wrong = error(frame.filter(col("n") + lit(1)));
        assert_eq!(wrong.kind(), ErrorKind::Type);
        assert_eq!(wrong.to_string(), "filter: expression (n + 1): a boolean is expected, not int64");
    });
}

#[test]
fn groups_come_in_first_appearance_or_sorted_order() {
    on_every_device(|_| {
        let frame = frame();
        let totals = frame.group_by(["k"]).agg([col("n").sum(), len().alias("rows")]).expect("sums");
        assert_eq!(values(&totals, "k"), texts(&[Some("b"), Some("a"), Some("é")]));
        assert_eq!(values(&totals, "n"), ints(&[Some(2), Some(0), Some(0)]));
        assert_eq!(values(&totals, "rows"), ints(&[Some(2), Some(1), Some(1)]));

        let sorted = frame.group_by(["k"]).sort(true).dropna(false).agg([col("n").max()]).expect("maxima");
        assert_eq!(values(&sorted, "k"), texts(&[Some("a"), Some("b"), Some("é"), None]));
        assert_eq!(values(&sorted, "n"), ints(&[None, Some(3), Some(0), Some(5)]));

        let some =
            frame.group_by(["k"]).rows_where(col("n").ge(lit(0))).agg([col("n").count()]).expect("counts");
        assert_eq!(values(&some, "k"), texts(&[Some("b"), Some("é")]));
        assert_eq!(values(&some, "n"), ints(&[Some(1), Some(1)]));
    });
}

#[test]
fn agg_without_keys_gives_one_row() {
    on_every_device(|_| {
        let frame = frame();
        let made = frame.agg([col("n").sum(), col("x").count().alias("xs")]).expect("one row");
        assert_eq!((values(&made, "n"), values(&made, "xs")), (ints(&[Some(7)]), ints(&[Some(4)])));
        let none = frame
            .rows_where(lit(false))
            .agg([col("n").sum(), col("n").min().alias("least")])
            .expect("one row");
        assert_eq!((values(&none, "n"), values(&none, "least")), (ints(&[Some(0)]), ints(&[None])));
        assert_eq!(error(frame.agg([col("q").sum()])).kind(), ErrorKind::Key);
        assert_eq!(error(frame.agg([col("k").sum()])).kind(), ErrorKind::Type);
    });
}

#[test]
fn sort_is_stable_with_nulls_last() {
    on_every_device(|_| {
        let frame = frame();
        let by_key = frame.sort_values(["k"]).expect("text");
        assert_eq!(values(&by_key, "n"), ints(&[None, Some(3), Some(-1), Some(0), Some(5)]));
        let down = frame.sort_values([SortBy::descending("n")]).expect("numbers");
        assert_eq!(values(&down, "n"), ints(&[Some(5), Some(3), Some(0), Some(-1), None]));
        let nulls_first = frame.sort_values([SortBy::descending("n").nulls_first()]).expect("numbers");
        assert_eq!(values(&nulls_first, "n"), ints(&[None, Some(5), Some(3), Some(0), Some(-1)]));
        let nan_largest =
            frame.sort_values([SortBy::descending("x"), SortBy::ascending("n")]).expect("floats");
        assert_eq!(values(&nan_largest, "k"), texts(&[Some("a"), Some("é"), Some("b"), Some("b"), None]));
    });
}

/// Pairs of rows with equal keys in the order that a merge promises, by two loops.
fn pairs(left: &[Option<i64>], right: &[Option<i64>], nulls_equal: bool) -> Vec<(usize, Option<usize>)> {
    let mut rows = Vec::new();
    for (l, key) in left.iter().enumerate() {
        let equal = |other: &Option<i64>| key == other && (nulls_equal || key.is_some());
        let matches: Vec<usize> = (0..right.len()).filter(|&r| equal(&right[r])).collect();
        rows.extend(matches.iter().map(|&r| (l, Some(r))));
        if matches.is_empty() {
            rows.push((l, None));
        }
    }
    rows
}

#[test]
fn merge_matches_nested_loop_reference() {
    let left_keys = [Some(1), None, Some(2), Some(1), Some(9)];
    let right_keys = [Some(1), Some(3), Some(1), None, Some(2), None];
    on_every_device(|_| {
        let left = DataFrame::new([("k", left_keys)])
            .and_then(|f| f.with_column("l", (0..5_i64).collect::<Vec<_>>()));
        let right = DataFrame::new([("k", right_keys)])
            .and_then(|f| f.with_column("r", (0..6_i64).collect::<Vec<_>>()));
        let (left, right) = (left.expect("left"), right.expect("right"));
        for nulls_equal in [true, false] {
            let pairs = pairs(&left_keys, &right_keys, nulls_equal);
            let with_nulls = |merge: Merge| if nulls_equal { merge } else { merge.nulls_equal(false) };
            let index = |row: usize| i64::try_from(row).expect("small");
            let l = |rows: &[(usize, Option<usize>)]| {
                ints(&rows.iter().map(|p| Some(index(p.0))).collect::<Vec<_>>())
            };
            let r = |rows: &[(usize, Option<usize>)]| {
                ints(&rows.iter().map(|p| p.1.map(index)).collect::<Vec<_>>())
            };

            let all = left.merge(&right, &with_nulls(Merge::left().on("k"))).expect("left");
            assert_eq!(all.columns(), ["k", "l", "r"]);
            assert_eq!((values(&all, "l"), values(&all, "r")), (l(&pairs), r(&pairs)));

            let matched: Vec<_> = pairs.iter().copied().filter(|pair| pair.1.is_some()).collect();
            let inner = left.merge(&right, &with_nulls(Merge::inner().on("k"))).expect("inner");
            assert_eq!((values(&inner, "l"), values(&inner, "r")), (l(&matched), r(&matched)));

            let mut once = matched.clone();
            once.dedup_by_key(|pair| pair.0);
            let semi = left.merge(&right, &with_nulls(Merge::semi().on("k"))).expect("semi");
            assert_eq!(semi.columns(), ["k", "l"]);
            assert_eq!(values(&semi, "l"), l(&once));

            let unmatched: Vec<_> = pairs.iter().copied().filter(|pair| pair.1.is_none()).collect();
            let anti = left.merge(&right, &with_nulls(Merge::anti().on("k"))).expect("anti");
            assert_eq!(values(&anti, "l"), l(&unmatched));
        }
    });
}

#[test]
fn merge_suffixes_labels_and_keeps_keys() {
    on_every_device(|_| {
        let left = DataFrame::new([("a", vec![1_i64, 2]), ("v", vec![5, 6])]).expect("left");
        let right = DataFrame::new([("b", vec![2_i64, 1]), ("v", vec![7, 8])]).expect("right");
        let keyed = Merge::inner().left_on("a").right_on("b");
        let joined = left.merge(&right, &keyed).expect("two labels");
        assert_eq!(joined.columns(), ["a", "v_x", "b", "v_y"]);
        assert_eq!(values(&joined, "v_y"), ints(&[Some(8), Some(7)]));
        let renamed = left.merge(&right, &keyed.clone().suffixes("", "_right")).expect("suffixes");
        assert_eq!(renamed.columns(), ["a", "v", "b", "v_right"]);
        let several =
            left.merge(&right, &Merge::inner().left_on(["a", "v"]).right_on(["b", "v"])).expect("two keys");
        assert_eq!((several.len(), several.columns().len()), (0, 3));

        assert!(left.merge(&right, &Merge::inner()).is_err());
        assert_eq!(error(left.merge(&right, &Merge::inner().on("a"))).kind(), ErrorKind::Key);
        let text = DataFrame::new([("b", ["1"])]).expect("text");
        let mismatch = error(left.merge(&text, &keyed));
        assert_eq!(mismatch.kind(), ErrorKind::Type);
        let expected = r#"merge: the key "a" of the left frame is int64, the key "b" of the right frame is utf8; cast one of them"#;
        assert_eq!(mismatch.to_string(), expected);
    });
}

#[test]
fn concat_appends_rows() {
    on_every_device(|_| {
        let frame = frame();
        let twice = concat([&frame, &frame.slice(1, 2).expect("inside")]).expect("same columns");
        assert_eq!(values(&twice, "n"), ints(&[Some(3), None, Some(5), Some(-1), Some(0), None, Some(5)]));
        assert_eq!(values(&twice, "k")[5..], texts(&[Some("a"), None]));
        assert!(concat([]).is_err());
        assert_eq!(error(concat([&frame, &frame.drop("x").expect("label")])).kind(), ErrorKind::Key);
        let other = DataFrame::new([("k", vec![1_i64])]).expect("numbers");
        assert!(concat([&other, &frame.select(["k"]).expect("label")]).is_err());
    });
}

#[test]
fn arrow_rs_round_trip_is_equal() {
    on_every_device(|device| {
        let batch = frame().to_arrow().expect("export");
        assert_eq!((batch.num_rows(), batch.num_columns()), (5, 3));
        let back = DataFrame::from_arrow(&batch).expect("import");
        assert_eq!(back.device(), device);
        for label in ["k", "n"] {
            assert_eq!(values(&back, label), values(&frame(), label));
        }
    });
}

#[test]
fn mixed_devices_are_refused() {
    on_every_device(|device| {
        let frame = frame();
        let host = frame.to_device(columnade_buffers::Device::Host).expect("the host is there");
        assert_eq!(values(&host, "n"), values(&frame, "n"));
        let back = host.to_device(device).expect("available");
        assert_eq!(values(&back, "k"), values(&frame, "k"));
        if device != columnade_buffers::Device::Host {
            assert!(frame.merge(&host, &Merge::inner().on("n")).is_err());
        }
    });
}

#[test]
fn display_of_frames() {
    on_every_device(|_| {
        let text = frame().to_string();
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        assert_eq!(lines.len(), 8, "{text}");
        assert!(
            lines[0].contains('k') && lines[1].contains("utf8") && lines[1].contains("float64"),
            "{text}"
        );
        assert_eq!(lines[4].split_whitespace().collect::<Vec<_>>(), ["2", "<NA>", "5", "<NA>"]);
        assert_eq!(lines[7], "[5 rows × 3 columns]");

        let long = DataFrame::new([("n", (0..1000_i64).collect::<Vec<_>>())]).expect("numbers").to_string();
        assert!(long.contains('…') && long.contains("999") && !long.contains("500"), "{long}");
        assert_eq!(long.lines().count(), 2 + 11 + 1, "{long}");

        let wide = DataFrame::new((0..30).map(|k| (format!("c{k}"), vec![k]))).expect("numbers").to_string();
        assert!(wide.contains("c0") && wide.contains("c29") && !wide.contains("c15"), "{wide}");
    });
}

#[test]
fn non_string_labels_select_and_print() {
    on_every_device(|_| {
        let years = DataFrame::new([(1998, vec![1_i64, 2]), (1999, vec![3, 4])]).expect("distinct labels");
        assert_eq!(years.columns(), [1998, 1999]);
        let total = years.select([(col(1998) + col(1999)).alias("total")]).expect("numbers");
        assert_eq!(values(&total, "total"), ints(&[Some(4), Some(6)]));
        let sorted = years.sort_values([SortBy::descending(1999)]).expect("a label");
        assert_eq!(values(&sorted, 1998), ints(&[Some(2), Some(1)]));
        let missing = years.column("1998").expect_err("a number is no text");
        assert_eq!(missing.to_string(), r#"column: there is no column "1998"; there is 1998, 1999"#);
        let refused = years.to_arrow().expect_err("Arrow has names");
        assert_eq!(refused.kind(), ErrorKind::Type);
        let text = "to_arrow: the column label 1998 is not a string: rename the column";
        assert_eq!(refused.to_string(), text);
        assert!(years.rename([(1998, "a"), (1999, "b")]).expect("labels").to_arrow().is_ok());

        let joined = years.merge(&years, &Merge::inner().on(Label::from(1998))).expect("a key");
        assert_eq!(joined.columns(), [Label::from(1998), "1999_x".into(), "1999_y".into()]);
        let both = concat([&years, &years]).expect("the same labels");
        assert_eq!(values(&both, 1999), ints(&[Some(3), Some(4), Some(3), Some(4)]));
    });
}

#[test]
fn two_level_labels_in_every_operation() {
    on_every_device(|_| {
        let column = || vec![1_i64, 1, 2];
        let sales = DataFrame::new([(("tea", "price"), column()), (("tea", "units"), vec![5, 6, 7])])
            .and_then(|frame| frame.with_column("day", column()))
            .expect("labels of two levels");
        assert_eq!(sales.columns(), [("tea", "price"), ("tea", "units"), ("day", "")]);
        assert_eq!(sales.frame().accessor().levels().count(), 2);
        let text = sales.head(1).expect("rows").to_string();
        let header: Vec<&str> = text.lines().take(3).map(str::trim).collect();
        assert_eq!(header, ["tea    tea    day", "price  units", "int64  int64  int64"]);

        let units = || col(("tea", "units"));
        let days = sales.group_by([col(("day", ""))]).agg([units().sum(), len()]).expect("a key");
        assert_eq!(days.columns(), [("day", ""), ("tea", "units"), ("len", "")]);
        assert_eq!(values(&days, ("tea", "units")), ints(&[Some(11), Some(7)]));
        let joined = days.merge(&days, &Merge::left().on(Label::from(("day", "")))).expect("a key");
        let suffixed = [("tea_x", "units"), ("len_x", ""), ("tea_y", "units"), ("len_y", "")];
        assert_eq!(joined.columns()[1..], suffixed);
        assert_eq!(
            joined.drop(Label::from("tea_x")).map(|frame| frame.shape().1).ok(),
            None,
            "labels are whole"
        );
        let kept = sales.filter(units().gt(lit(5))).expect("a predicate");
        assert_eq!((kept.len(), kept.frame().accessor().levels().is_multi()), (2, true));
        assert!(sales.to_arrow().is_err());
    });
}

#[test]
fn fill_null_and_drop_nulls_remove_nulls() {
    on_every_device(|_| {
        let frame = frame();
        let refused = error(frame.fill_null_strict(7));
        assert_eq!(
            refused.to_string(),
            "fill_null_strict: column \"k\": literal: 7 does not fit utf8; write it in quotes, or cast the column \
             to a number"
        );
        assert_eq!(refused.kind(), ErrorKind::Value);
        let numbers = frame.select(["n", "x"]).and_then(|numbers| numbers.fill_null(7)).expect("numbers");
        assert_eq!(values(&numbers, "n"), ints(&[Some(3), Some(7), Some(5), Some(-1), Some(0)]));
        assert!(values(&numbers, "x")[1].to_string().contains("NaN"), "a value");
        assert_eq!(values(&frame.drop_nulls(..).expect("rows"), "n"), ints(&[Some(3), Some(-1), Some(0)]));
        let named = frame.drop_nulls(["k", "x"]).expect("labels");
        assert_eq!(values(&named, "n"), ints(&[Some(3), None, Some(-1), Some(0)]));
        assert!(matches!(error(frame.drop_nulls("z")), Error::MissingColumns { .. }));
        assert!(matches!(error(frame.drop_nulls(["k", "k"])), Error::Operation { .. }));
    });
}

#[test]
fn merge_of_numeric_keys_of_other_dtypes_has_common_dtype() {
    on_every_device(|device| {
        let left = DataFrame::new([("k", vec![3_i32, -1, 2])])
            .and_then(|frame| frame.with_column("u", [7_u64, u64::MAX, 1]))
            .expect("columns of one length");
        let right = DataFrame::new([("k", vec![2_i64, 3, 1 << 40])])
            .and_then(|frame| frame.with_column("u", [-1_i64, 7, 1]))
            .expect("columns of one length");
        let inner = left.merge(&right, &Merge::inner().on("k")).expect("keys of integers");
        assert_eq!(inner.dtypes()[0], DType::Int64, "{device}");
        assert_eq!(values(&inner, "k"), ints(&[Some(3), Some(2)]), "{device}");
        assert_eq!(inner.columns(), ["k", "u_x", "u_y"]);
        let outer = right.merge(&left, &Merge::left().on("k")).expect("keys of integers");
        assert_eq!(values(&outer, "k"), ints(&[Some(2), Some(3), Some(1 << 40)]), "{device}");

        let mixed = left.merge(&right, &Merge::inner().on("u")).expect("keys of integers");
        assert_eq!(mixed.dtypes()[1], DType::decimal(20, 0).expect("a decimal"), "{device}");
        let texts: Vec<String> = values(&mixed, "u").iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["7", "1"], "{device}");

        let both = left.merge(&right, &Merge::inner().left_on("k").right_on("u")).expect("keys of integers");
        assert_eq!(both.columns(), ["k_x", "u_x", "k_y", "u_y"]);
        assert_eq!(both.dtypes(), [DType::Int32, DType::UInt64, DType::Int64, DType::Int64], "{device}");
        assert_eq!(values(&both, "k_x"), [Scalar::Int32(-1)], "{device}");

        let semi = left.merge(&right, &Merge::semi().on("k")).expect("keys of integers");
        assert_eq!(values(&semi, "k"), [Scalar::Int32(3), Scalar::Int32(2)], "{device}");

        let words = left.with_column("k", ["a", "b", "c"]).expect("a column");
        let refused = error(words.merge(&right, &Merge::inner().on("k")));
        assert!(matches!(refused, Error::KeyMismatch { .. }), "{refused}");
    });
}

#[test]
fn fill_null_fills_columns_that_value_fits() {
    on_every_device(|device| {
        let dtypes = [
            ("i8", DType::Int8),
            ("u64", DType::UInt64),
            ("f32", DType::Float32),
            ("m", DType::decimal(5, 2).expect("a decimal")),
            ("b", DType::Bool),
            ("d", DType::Date32),
            ("p", DType::Duration(TimeUnit::Second)),
            ("s", DType::Utf8),
            ("l", DType::list(DType::Int8)),
            ("none", DType::Null),
        ];
        let exec = Exec::new(device).expect("a device");
        let columns =
            dtypes.clone().map(|(label, dtype)| (label, Column::full_null(&dtype, 2, &exec).expect("nulls")));
        let columns = ColumnAccessor::from_columns(columns).expect("columns of one length");
        let frame = DataFrame::from_accessor(columns, &exec);
        let days = columnade_ops::expression::days;
        for (value, filled) in [
            (Literal::from(0), &["i8", "u64", "f32", "m"][..]),
            (Literal::from(-1), &["i8", "f32", "m"]),
            (Literal::from(200), &["u64", "f32", "m"]),
            (Literal::from(10_000), &["u64", "f32"]),
            (Literal::from(2.0), &["i8", "u64", "f32", "m"]),
            (Literal::from(0.25), &["f32", "m"]),
            (Literal::from(true), &["b"]),
            (Literal::from("1995-03-15"), &["d", "s"]),
            (Literal::from("x"), &["s"]),
            (days(1), &["p"]),
            (Literal::Null, &[]),
        ] {
            let made = frame.fill_null(value.clone()).expect("memory");
            for (label, dtype) in &dtypes {
                let column = made.column(*label).expect("a column");
                if *label == "none" && value != Literal::Null {
                    // A column of nothing but nulls has no dtype that a value would not fit.
                    assert_eq!(column.null_count().expect("memory"), 0, "{value} on {device}");
                    assert_ne!(column.dtype(), *dtype, "{value} on {device}");
                    continue;
                }
                let expected = if filled.contains(label) { 0 } else { 2 };
                assert_eq!(
                    column.null_count().expect("memory"),
                    expected,
                    "{label} with {value} on {device}"
                );
                assert_eq!(column.dtype(), *dtype, "{label} with {value} on {device}");
            }
            if value == Literal::Null {
                // It changes nothing, whatever the dtype.
                assert!(frame.fill_null_strict(value).is_ok(), "{device}");
                continue;
            }
            let strict = error(frame.fill_null_strict(value)).to_string();
            assert!(strict.contains("column \""), "{strict}");
        }
    });
}

#[test]
fn display_has_a_width_and_digits_of_floats() {
    on_every_device(|_| {
        let columns = (0..9_i64).map(|at| (format!("c{at}"), vec![at, 10 * at]));
        let frame = DataFrame::new(columns.collect::<Vec<_>>()).expect("columns");
        let all = DisplayOptions::all();
        for width in 0..60 {
            let text = frame.to_string_with(DisplayOptions { width, ..all }).expect("text");
            let heading = text.lines().next().expect("a line");
            let shown = heading.split_whitespace().filter(|label| *label != "…").count();
            // Row labels of one character, columns of five, an ellipsis, and two characters between them.
            let fit = if width > 9 * 7 { 9 } else { width.saturating_sub(1 + 3) / 7 };
            assert_eq!(shown, fit, "width {width}: {text}");
            let widest = text.lines().map(|line| line.chars().count()).max().expect("lines");
            assert!(widest <= width.max(1 + 3), "width {width}: {text}");
            assert_eq!(heading.contains('…'), fit < 9, "width {width}: {text}");
        }
        let middle = frame.to_string_with(DisplayOptions { width: 25, ..all }).expect("text");
        let heading: Vec<_> = middle.lines().next().expect("a line").split_whitespace().collect();
        assert_eq!(heading, ["c0", "c1", "…", "c8"], "{middle}");
        // Columns that are left out by their number are in the middle too.
        let options = DisplayOptions { width: 18, max_columns: 4, ..all };
        let middle = frame.to_string_with(options).expect("text");
        let heading: Vec<_> = middle.lines().next().expect("a line").split_whitespace().collect();
        assert_eq!(heading, ["c0", "…", "c8"], "{middle}");

        let floats = crate::df! {
            "x" => [Some(2.0 / 3.0), None, Some(1e300), Some(f64::NAN)],
            "l" => [vec![0.125, 1.0], vec![], vec![-0.0], vec![f64::INFINITY]],
        };
        let floats = floats.expect("columns").set_index("x").expect("labels");
        let text = floats.to_string_with(DisplayOptions { precision: Some(2), ..all }).expect("text");
        let lines: Vec<Vec<&str>> =
            text.lines().skip(2).map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[0], ["0.67", "[0.12,", "1.00]"], "{text}");
        assert_eq!(lines[1], ["<NA>", "[]"], "{text}");
        assert_eq!(lines[2], ["1.00e300", "[-0.00]"], "{text}");
        assert_eq!(lines[3], ["NaN", "[inf]"], "{text}");
        let whole = floats.to_string_with(DisplayOptions { precision: Some(0), ..all }).expect("text");
        assert!(whole.contains("[0, 1]"), "{whole}");
    });
}

#[test]
fn display_cuts_wide_cells_and_escapes_line_breaks() {
    on_every_device(|_| {
        let [fits, wide] = [50, 51].map(|len| "é".repeat(len));
        let frame = DataFrame::new([("s", [fits.as_str(), &wide, "a\nb\r\tc"])]).expect("strings");
        let text = frame.to_string();
        let cut = format!("{}…", "é".repeat(49));
        assert!(text.contains(&fits) && text.contains(&cut) && !text.contains(&wide), "{text}");
        assert!(text.contains(r"a\nb\r\tc"), "{text}");
        let before = display_options();
        set_display_options(DisplayOptions { max_colwidth: 4, ..before });
        let narrow = frame.to_string();
        set_display_options(before);
        assert!(narrow.contains("ééé…") && !narrow.contains("éééé") && narrow.contains(r"a\n…"), "{narrow}");
    });
}

#[test]
fn indexing_gives_columns_with_their_labels() {
    on_every_device(|_| {
        let frame = frame().filter(col("k").eq("b")).expect("a filter");
        assert_eq!(frame["n"].to_options::<i64>().expect("int64"), [Some(3), Some(-1)]);
        assert_eq!(frame["n"].index().get(1).expect("a label"), 3_i64.into());
        let (first, again) = (&frame["n"], &frame[Label::from("n")]);
        assert!(std::ptr::eq(first, again), "made once");
        let copy = frame.with_column("n", [8_i64, 9]).expect("two rows");
        assert_eq!(copy["n"].to_vec::<i64>().expect("int64"), [8, 9]);
        assert_eq!(
            frame.clone()["k"].to_options::<String>().expect("text"),
            [Some("b".into()), Some("b".into())]
        );
    });
}

#[test]
#[should_panic(expected = "column: there is no column \"m\"")]
fn indexing_by_a_missing_label_panics() {
    let _ = &frame()["m"];
}
