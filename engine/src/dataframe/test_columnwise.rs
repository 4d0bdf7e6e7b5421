//! Functions of every column and of rows by their groups, with results of pandas 3.1.1, on every device.

use columnade_buffers::Device;
use columnade_columns::{DType, ErrorKind, Label, Scalar};
use columnade_ops::expression::{Rank, col};

use super::DataFrame;
use crate::index::Index;
use crate::options::DisplayOptions;
use crate::series::Series;
use crate::testing::{ints, on_every_device, values};

type Numbers = [Option<i64>; 8];

/// Groups with nulls, whose first rows are between others so that a slice has them.
fn grouped() -> DataFrame {
    let keys = ["z", "b", "a", "", "b", "a", "b", "", "a", "z"].map(|key| (!key.is_empty()).then_some(key));
    let n = [99, 3, -1, 5, -1, 1, 7, 2, 4, 99].map(|n| (n >= 0).then_some(n));
    let s = [Some("q"), Some("x"), None, Some("y"), Some("z"), None, Some("w"), Some("v"), None, Some("q")];
    let frame = crate::df! { "k" => keys, "n" => n.map(|n: Option<i64>| n), "s" => s }.expect("columns");
    frame.slice(1, 8).expect("rows")
}

#[test]
fn rows_by_their_groups_match_pandas() {
    on_every_device(|device| {
        let frame = grouped();
        let groups = frame.group_by("k");
        let numbers = |found: crate::Result<DataFrame>, expected: Numbers, what: &str| {
            let found = found.expect("rows");
            assert_eq!(found.index().to_scalars().expect("labels")[0][0], 1_i64.into(), "{what} {device}");
            assert_eq!(values(&found, "n"), ints(&expected), "{what} {device}");
        };
        let plain = frame.select(["k", "n"]).expect("columns");
        let of_numbers = plain.group_by("k");

        let up_to = |row: [i64; 3]| [Some(3), None, None, None, Some(1), Some(row[0]), None, Some(row[1])];
        numbers(of_numbers.cum_sum(), up_to([10, 5, 0]), "cum_sum");
        numbers(of_numbers.cum_min(), up_to([3, 1, 0]), "cum_min");
        numbers(of_numbers.cum_max(), up_to([7, 4, 0]), "cum_max");
        numbers(of_numbers.cum_product(), up_to([21, 4, 0]), "cum_product");
        numbers(groups.shift(1), [None, None, None, Some(3), None, None, None, Some(1)], "shift");
        numbers(of_numbers.diff(1), [None, None, None, None, None, None, None, Some(3)], "diff");
        numbers(
            groups.fill_forward(None),
            [Some(3), None, None, Some(3), Some(1), Some(7), None, Some(4)],
            "fill_forward",
        );
        numbers(
            groups.fill_backward(Some(1)),
            [Some(3), Some(1), None, Some(7), Some(1), Some(7), None, Some(4)],
            "fill_backward",
        );
        let texts =
            |found: DataFrame| found.column("s").and_then(|s| s.to_options::<String>()).expect("texts");
        let expected = [Some("z"), None, None, Some("w"), None, None, None, None];
        assert_eq!(texts(groups.shift(-1).expect("rows")), expected.map(|text| text.map(str::to_owned)));
        let expected = [Some("x"), None, None, Some("z"), None, Some("w"), None, None];
        assert_eq!(
            texts(groups.fill_forward(Some(1)).expect("rows")),
            expected.map(|text| text.map(str::to_owned))
        );
        let floats = |found: DataFrame, label: &str| {
            found.column(label).and_then(|x| x.to_options::<f64>()).expect("floats")
        };
        let ranks = groups.rank(Rank::default()).expect("rows");
        assert_eq!(floats(ranks, "n"), [Some(1.0), None, None, None, Some(1.0), Some(2.0), None, Some(2.0)]);
        let change = of_numbers.pct_change(1).expect("rows");
        assert_eq!(floats(change, "n"), [None, None, None, None, None, None, None, Some(3.0)]);

        let made =
            groups.transform([col("n").sum().alias("sum"), col("n").mean().alias("mean")]).expect("rows");
        assert_eq!(
            values(&made, "sum"),
            ints(&[Some(10), Some(5), None, Some(10), Some(5), Some(10), None, Some(5)])
        );
        assert_eq!(
            floats(made, "mean"),
            [Some(5.0), Some(2.5), None, Some(5.0), Some(2.5), Some(5.0), None, Some(2.5)]
        );
        // Nulls are a group, and filtered rows are none.
        let with_nulls = frame.group_by("k").dropna(false).transform(col("n").sum()).expect("rows");
        assert_eq!(values(&with_nulls, "n")[2], 7_i64.into());
        let some = frame.group_by("k").rows_where(col("n").gt(2)).transform(col("n").sum()).expect("rows");
        assert_eq!(values(&some, "n"), ints(&[Some(10), None, Some(10), Some(4)]));
        let none = frame.slice(0, 0).expect("no rows");
        assert_eq!(none.group_by("k").shift(1).expect("no rows").shape(), (0, 2));
        assert_eq!(none.group_by("k").transform(col("n").sum()).expect("no rows").shape(), (0, 1));
    });
}

#[test]
fn functions_of_every_column_match_pandas() {
    on_every_device(|_| {
        let frame = crate::df! {
            "a" => [None, Some(2_i64), None, Some(-5), Some(8)],
            "b" => [Some(1.26), None, Some(-2.55), Some(4.0), None],
        }
        .expect("columns");
        let a = |found: crate::Result<DataFrame>| values(&found.expect("columns"), "a");
        assert_eq!(a(frame.fill_forward(Some(1))), ints(&[None, Some(2), Some(2), Some(-5), Some(8)]));
        assert_eq!(a(frame.fill_backward(None)), ints(&[Some(2), Some(2), Some(-5), Some(-5), Some(8)]));
        assert_eq!(a(frame.clip(-1, 4)), ints(&[None, Some(2), None, Some(-1), Some(4)]));
        assert_eq!(a(frame.cum_sum()), ints(&[None, Some(2), None, Some(-3), Some(5)]));
        assert_eq!(a(frame.diff(1)), ints(&[None, None, None, None, Some(13)]));
        assert_eq!(a(frame.shift(-2)), ints(&[None, Some(-5), Some(8), None, None]));
        assert_eq!(a(frame.abs()), ints(&[None, Some(2), None, Some(5), Some(8)]));
        let floats = |found: crate::Result<DataFrame>, label: &str| {
            found.and_then(|found| found.column(label)?.to_options::<f64>()).expect("floats")
        };
        let ranks = floats(frame.rank(Rank::default()), "a");
        assert_eq!(ranks, [None, Some(2.0), None, Some(1.0), Some(3.0)]);
        assert_eq!(floats(frame.interpolate(), "a"), [None, Some(2.0), Some(-1.5), Some(-5.0), Some(8.0)]);
        assert_eq!(floats(frame.round(1), "b")[0], Some(1.3));
        assert_eq!(frame.first_valid_index().expect("labels"), Some(0_i64.into()));
        assert_eq!(
            frame.select("a").and_then(|a| a.first_valid_index()).expect("labels"),
            Some(1_i64.into())
        );
        assert_eq!(frame.column("b").and_then(|b| b.last_valid_index()).expect("labels"), Some(3_i64.into()));
        let none = crate::df! { "a" => [None::<i64>, None] }.expect("nulls");
        assert_eq!(none.last_valid_index().expect("labels"), None);
        assert_eq!(none.slice(0, 0).and_then(|none| none.first_valid_index()).expect("labels"), None);

        let levels = DataFrame::new([(("a", 1), [1]), (("b", 2), [2])]).expect("columns");
        assert_eq!(levels.add_prefix("x").expect("texts").columns(), [("xa", "x1"), ("xb", "x2")]);
        let words = crate::df! { "w" => ["x"] }.expect("a word");
        let error = words.diff(1).expect_err("no differences").to_string();
        assert!(error.starts_with("diff: ") && error.contains("utf8"), "{error}");
    });
}

#[test]
fn values_are_mapped_by_pairs_series_and_functions() {
    on_every_device(|device| {
        let all = Series::new([Some("q"), Some("b"), Some("a"), None, Some("c"), Some("b")]).expect("texts");
        let texts = all.slice(1, 5).expect("rows").rename("t");
        let labels = Index::new(["a", "b"]).expect("labels");
        let found = texts.map(&Series::new([10, 20]).and_then(|n| n.with_index(&labels)).expect("rows"));
        let found = found.expect("values");
        assert_eq!(found.to_options::<i32>().expect("n"), [Some(20), Some(10), None, None, Some(20)]);
        assert_eq!(found.name(), &Label::from("t"));
        assert_eq!(found.index().get(0).expect("a label"), 1_i64.into());
        let pairs = texts.map([("a", 1_i64)]).expect("values");
        assert_eq!(pairs.to_options::<i64>().expect("n"), [None, Some(1), None, None, None]);
        let twice = Index::new(["a", "a"]).expect("labels");
        let error = texts.map(&Series::new([1, 2]).and_then(|n| n.with_index(&twice)).expect("rows"));
        assert!(error.expect_err("a label twice").to_string().contains("more than once"));
        let made = texts.map(|text: String| text + "!");
        if device == Device::Host {
            let made = made.and_then(|made| made.to_options::<String>()).expect("texts");
            assert_eq!(made[..3], [Some("b!".to_owned()), Some("a!".to_owned()), None]);
            let error = texts.map(|n: i64| n).expect_err("no integers").to_string();
            assert!(error.starts_with("map: column \"t\""), "{error}");
        } else {
            assert_eq!(made.expect_err("on a device").kind(), ErrorKind::NotImplemented);
        }
        let none = texts.slice(0, 0).and_then(|none| none.map([("a", 1_i64)])).expect("no values");
        assert_eq!((none.len(), none.dtype()), (0, DType::Int64));
    });
}

#[test]
fn frames_are_written_as_text_html_and_markdown() {
    on_every_device(|_| {
        let rows: Vec<i64> = (0..70).collect();
        let words: Vec<String> =
            rows.iter().map(|row| "日".repeat(usize::try_from(row % 5).expect("few"))).collect();
        let frame = crate::df! { "n" => rows.clone(), "w" => words }.expect("columns");
        let levels = Index::from_arrays([("a", rows.iter().map(|row| row / 40).collect()), ("b", rows)]);
        let frame = frame.with_index(&levels.expect("levels")).expect("labels");
        let four = DisplayOptions {
            max_rows: 4,
            min_rows: 4,
            max_columns: 1,
            max_colwidth: 5,
            ..DisplayOptions::default()
        };
        let text = frame.to_string_with(four).expect("text");
        assert_eq!(text.lines().count(), 7, "{text}");
        assert_eq!(frame.to_string_with(DisplayOptions::all()).expect("text").lines().count(), 72);
        // Of a width of 5 two wide characters and an ellipsis.
        let wide = frame.to_string_with(DisplayOptions { max_columns: 9, ..four }).expect("text");
        assert!(wide.contains("日日…") && !wide.contains("日日日"), "{wide}");
        let markdown = frame.to_markdown(four).expect("text");
        let expected = [
            "| a | b | n | … |",
            "| ---: | ---: | ---: | :--- |",
            "| 0 | 0 | 0 | … |",
            "|  | 1 | 1 | … |",
            "| … | … | … | … |",
            "| 1 | 68 | 68 | … |",
            "|  | 69 | 69 | … |",
        ];
        assert_eq!(markdown.lines().collect::<Vec<_>>(), expected);
        let two = DataFrame::new([(("p", "<x>"), [1]), (("p", "y"), [2])]).expect("columns");
        let html = two.to_html(DisplayOptions::default()).expect("text");
        let head =
            "<tr><th></th><th>p</th><th>p</th></tr>\n    <tr><th></th><th>&lt;x&gt;</th><th>y</th></tr>";
        assert!(html.contains(head) && html.contains("<tr><th>0</th><td>1</td><td>2</td></tr>"), "{html}");
        let of_series = frame.column("n").and_then(|n| n.to_markdown(four)).expect("text");
        assert_eq!(of_series.lines().count(), 7);

        let info = frame.info().expect("text");
        let lines: Vec<&str> = info.lines().collect();
        assert_eq!(lines[0], "70 rows × 2 columns");
        assert!(lines[1].starts_with("row labels: int64, int64, "), "{info}");
        assert_eq!(
            lines[2].split_whitespace().collect::<Vec<_>>(),
            ["column", "not", "null", "dtype", "bytes"]
        );
        assert_eq!(lines[3].split_whitespace().take(3).collect::<Vec<_>>(), ["n", "70", "int64"]);
        let bytes = frame.memory_usage().expect("bytes");
        assert_eq!(bytes.loc("n").and_then(|n| n.get(0)).expect("bytes"), Scalar::Int64(560));
        assert!(matches!(bytes.get(0).expect("bytes"), Scalar::Int64(bytes) if bytes >= 1120));
    });
}
