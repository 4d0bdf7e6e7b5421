//! Orders, summaries, bins and counts on every device, against outputs of pandas 3.1.1.

use columnade_columns::{DType, ErrorKind, Scalar};
use columnade_ops::sort::{SearchSide, Ties};
use columnade_tests::Rng;

use super::{DataFrame, Describe, SortBy, SortOrder, merge_sorted};
use crate::builders::categories;
use crate::error::Result;
use crate::series::{CutOptions, Series, ValueCounts};
use crate::testing::on_every_device;

fn close(found: &Series, expected: &[Option<f64>]) {
    let found = found.to_options::<f64>().expect("floats");
    let is_close = |(found, expected): (&Option<f64>, &Option<f64>)| match (found, expected) {
        (Some(found), Some(expected)) => {
            (found - expected).abs() <= 1e-9 * expected.abs().max(1.0) || found.is_nan() && expected.is_nan()
        }
        (found, expected) => found.is_none() && expected.is_none(),
    };
    assert!(
        found.len() == expected.len() && found.iter().zip(expected).all(is_close),
        "{found:?} is not {expected:?}"
    );
}

fn texts(series: &Series) -> Vec<String> {
    series.to_scalars().expect("values").iter().map(ToString::to_string).collect()
}

fn column(frame: &DataFrame, label: &str) -> Series {
    frame.column(label).expect("the column is there")
}

fn kind<T>(result: Result<T>) -> ErrorKind {
    result.err().expect("an error").kind()
}

#[test]
fn nlargest_keeps_ties_as_pandas() {
    on_every_device(|_| {
        let values = [Some(3.0), Some(1.0), Some(3.0), None, Some(2.0), Some(3.0), Some(1.0), None];
        let frame = DataFrame::empty()
            .and_then(|frame| frame.with_column("x", values))
            .and_then(|frame| frame.with_column("row", [0, 1, 2, 3, 4, 5, 6, 7]))
            .expect("columns of one length");
        // pandas sorts as keep="first" where all rows are wanted; here the last ones come first then too.
        for (ties, n, largest, smallest) in [
            (Ties::First, 0, &[][..], &[][..]),
            (Ties::First, 2, &[0, 2], &[1, 6]),
            (Ties::First, 4, &[0, 2, 5, 4], &[1, 6, 4, 0]),
            (Ties::First, 7, &[0, 2, 5, 4, 1, 6, 3], &[1, 6, 4, 0, 2, 5, 3]),
            (Ties::First, 10, &[0, 2, 5, 4, 1, 6, 3, 7], &[1, 6, 4, 0, 2, 5, 3, 7]),
            (Ties::Last, 1, &[5], &[6]),
            (Ties::Last, 2, &[5, 2], &[6, 1]),
            (Ties::Last, 4, &[5, 2, 0, 4], &[6, 1, 4, 5]),
            (Ties::All, 0, &[], &[]),
            (Ties::All, 1, &[0, 2, 5], &[1, 6]),
            (Ties::All, 4, &[0, 2, 5, 4], &[1, 6, 4, 0, 2, 5]),
            (Ties::All, 7, &[0, 2, 5, 4, 1, 6, 3, 7], &[1, 6, 4, 0, 2, 5, 3, 7]),
        ] {
            let rows = |found: Result<DataFrame>| {
                column(&found.expect("rows"), "row").to_vec::<i32>().expect("ints")
            };
            assert_eq!(rows(frame.nlargest(n, "x", ties)), largest, "{n} largest, {ties:?}");
            assert_eq!(rows(frame.nsmallest(n, "x", ties)), smallest, "{n} smallest, {ties:?}");
            let series = column(&frame, "x").nlargest(n, ties).expect("values");
            assert_eq!(
                series.to_options::<f64>().expect("floats"),
                largest.iter().map(|row| values[usize::try_from(*row).expect("a row")]).collect::<Vec<_>>()
            );
        }
        let two =
            crate::df! { "a" => [1, 3, 3, 2, 3, 1], "b" => [5, 1, 2, 9, 1, 5], "row" => [0, 1, 2, 3, 4, 5] };
        let two = two.expect("a frame");
        for (ties, n, largest, smallest) in [
            (Ties::First, 3, &[2, 1, 4][..], &[0, 5, 3][..]),
            (Ties::Last, 2, &[2, 4], &[0, 5]),
            (Ties::All, 2, &[2, 1, 4], &[0, 5]),
            (Ties::All, 1, &[2], &[0, 5]),
        ] {
            let rows = |found: Result<DataFrame>| {
                column(&found.expect("rows"), "row").to_vec::<i32>().expect("ints")
            };
            assert_eq!(rows(two.nlargest(n, ["a", "b"], ties)), largest, "{n} largest, {ties:?}");
            let mut found = rows(two.nsmallest(n, ["a", "b"], ties));
            found.sort_unstable();
            let mut smallest = smallest.to_vec();
            smallest.sort_unstable();
            assert_eq!(found, smallest, "{n} smallest, {ties:?}");
        }
    });
}

#[test]
fn orders_of_frames_and_series_agree() {
    on_every_device(|_| {
        let frame =
            crate::df! { "k" => [Some("b"), None, Some("a"), Some("é"), Some("b")], "n" => [1, 2, 3, 4, 0] };
        let frame = frame.expect("a frame");
        let by = [SortBy::descending("k").nulls_first(), SortBy::ascending("n")];
        assert_eq!(frame.argsort(by.clone()).and_then(|s| s.to_vec::<i64>()).expect("rows"), [1, 3, 4, 0, 2]);
        let sorted = frame.sort_values(by.clone()).expect("sorted");
        assert!(
            sorted.is_sorted(by.clone()).expect("compared")
                && !frame.is_sorted(by.clone()).expect("compared")
        );
        assert_eq!(
            sorted.head(2).expect("rows").difference(&frame.sort_head(2, by).expect("rows")).expect("same"),
            None
        );
        let series = column(&frame, "k");
        let order = SortOrder::descending().nulls_first();
        assert_eq!(texts(&series.sort_values(order).expect("sorted")), ["<NA>", "é", "b", "b", "a"]);
        assert_eq!(series.argsort(..).and_then(|s| s.to_vec::<i64>()).expect("rows"), [2, 0, 4, 3, 1]);
        assert!(series.sort_values(order).and_then(|s| s.is_sorted(order)).expect("compared"));
        assert!(!series.is_sorted(..).expect("compared"));
    });
}

#[test]
fn search_sorted_matches_pandas() {
    on_every_device(|_| {
        let series = Series::new([1_i64, 1, 3, 5, 8]).expect("numbers");
        let needles = Series::new([0_i64, 1, 2, 8, 9]).expect("numbers");
        let found = |side| series.search_sorted(&needles, side).and_then(|found| found.to_vec::<i64>());
        assert_eq!(found(SearchSide::Left).expect("found"), [0, 0, 2, 4, 5]);
        assert_eq!(found(SearchSide::Right).expect("found"), [0, 2, 2, 5, 5]);
    });
}

#[test]
fn merge_of_sorted_frames_is_sorted() {
    on_every_device(|_| {
        let part = |t: Vec<Option<i32>>, of: i32| {
            let of = vec![of; t.len()];
            DataFrame::empty().and_then(|f| f.with_column("t", t)).and_then(|f| f.with_column("of", of))
        };
        let a = part(vec![Some(5), Some(3), Some(3), None], 0).expect("a frame");
        let b = part(vec![Some(4), Some(3), Some(-1)], 1).expect("a frame");
        let c = part(vec![], 2).expect("a frame");
        let by = SortBy::descending("t");
        let merged = merge_sorted([&a, &b, &c], by.clone()).expect("merged");
        assert_eq!(texts(&column(&merged, "t")), ["5", "4", "3", "3", "3", "-1", "<NA>"]);
        assert_eq!(column(&merged, "of").to_vec::<i32>().expect("numbers"), [0, 1, 0, 0, 1, 1, 0]);
        let all = super::concat([&a, &b, &c]).and_then(|all| all.sort_values(by)).expect("sorted");
        assert_eq!(merged.difference(&all.ignore_index()).expect("compared"), None);
    });
}

#[test]
fn describe_of_numbers_matches_pandas() {
    on_every_device(|_| {
        let series = Series::new([1_i64, 2, 3, 4, 10]).expect("numbers").rename("n");
        let summary = series.describe(..).expect("a summary");
        assert_eq!(
            texts(&column(&summary, "statistic")),
            ["count", "mean", "std", "min", "25%", "50%", "75%", "max"]
        );
        let expected = [5.0, 4.0, 3.535_533_905_932_737_8, 1.0, 2.0, 3.0, 4.0, 10.0].map(Some);
        close(&column(&summary, "n"), &expected);
        let shares = Describe::new().percentiles([0.999, 0.1, 1.0 / 3.0]);
        let summary = series.describe(shares).expect("a summary");
        assert_eq!(
            texts(&column(&summary, "statistic")),
            ["count", "mean", "std", "min", "10%", "33.33%", "99.9%", "max"]
        );
        close(&column(&summary, "n").slice(4, 3).expect("rows"), &[1.4, 7.0 / 3.0, 9.976].map(Some));
        // Without values.
        let none = Series::new([None::<f64>]).expect("nulls").describe(..).expect("a summary");
        close(&column(&none, "value"), &[Some(0.0), None, None, None, None, None, None, None]);
    });
}

#[test]
fn describe_of_frame_matches_pandas() {
    on_every_device(|_| {
        let days = ["2020-01-01", "2020-01-03", "", "2020-01-05"];
        let days: Vec<Scalar> = days
            .iter()
            .map(|day| Scalar::parse(&DType::Date32, day).unwrap_or(Scalar::Null(DType::Date32)))
            .collect();
        let exec = crate::options::default_exec().expect("a device");
        let days = columnade_columns::Column::from_scalars(&DType::Date32, &days, &exec).expect("days");
        let frame = DataFrame::empty()
            .and_then(|frame| frame.with_column("n", [Some(3), Some(1), Some(2), None]))
            .and_then(|frame| frame.with_column("w", [Some("b"), Some("a"), Some("b"), None]))
            .and_then(|frame| frame.with_column("f", [true, false, true, true]))
            .and_then(|frame| frame.with_column("t", days))
            .expect("columns of one length");
        let summary = frame.describe(..).expect("a summary");
        assert_eq!(summary.columns(), ["statistic", "n", "t"]);
        let summary = frame.describe(Describe::new().include_all()).expect("a summary");
        assert_eq!(
            texts(&column(&summary, "statistic")),
            ["count", "unique", "top", "freq", "mean", "std", "min", "25%", "50%", "75%", "max"]
        );
        let n = [3.0, 2.0, 1.0, 1.0, 1.5, 2.0, 2.5, 3.0].map(Some);
        close(&column(&summary, "n"), &[&n[..1], &[None; 3], &n[1..]].concat());
        let none = ["<NA>"; 7];
        assert_eq!(texts(&column(&summary, "w")), [&["3", "2", "b", "2"][..], &none].concat());
        assert_eq!(texts(&column(&summary, "f")), [&["4", "2", "true", "3"][..], &none].concat());
        let days = ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-04", "2020-01-05"];
        let found = texts(&column(&summary, "t"));
        assert_eq!(found[..4], ["3", "<NA>", "<NA>", "<NA>"]);
        assert!(found[4].starts_with("2020-01-03"), "{found:?}");
        assert_eq!(found[5..], [&["<NA>"][..], &days].concat());
        // Only categories.
        let words = frame.select(["w"]).and_then(|words| words.describe(..)).expect("a summary");
        assert_eq!(texts(&column(&words, "w")), ["3", "2", "b", "2"]);
        assert_eq!(kind(frame.describe(Describe::new().percentiles([0.5, 0.5]))), ErrorKind::Value);
        assert_eq!(kind(frame.describe(Describe::new().percentiles([f64::NAN]))), ErrorKind::Value);
        assert_eq!(kind(DataFrame::empty().and_then(|frame| frame.describe(..))), ErrorKind::Value);
    });
}

#[test]
fn statistics_of_frames_match_pandas() {
    on_every_device(|_| {
        let frame = DataFrame::empty()
            .and_then(|frame| frame.with_column("x", [Some(1.0), Some(2.0), Some(3.0), None, Some(5.0)]))
            .and_then(|frame| frame.with_column("y", [Some(2.0), Some(1.0), Some(4.0), Some(3.0), None]))
            .and_then(|frame| frame.with_column("z", [5, 4, 3, 2, 1]))
            .expect("columns of one length");
        let corr = frame.corr().expect("correlations");
        assert_eq!(texts(&column(&corr, "column")), ["x", "y", "z"]);
        let r = 0.654_653_670_707_977_2;
        close(&column(&corr, "x"), &[1.0, r, -1.0].map(Some));
        close(&column(&corr, "y"), &[r, 1.0, -0.6].map(Some));
        close(&column(&corr, "z"), &[-1.0, -0.6, 1.0].map(Some));
        let cov = frame.cov().expect("covariances");
        close(&column(&cov, "x"), &[35.0 / 12.0, 1.0, -35.0 / 12.0].map(Some));
        close(&column(&cov, "y"), &[1.0, 5.0 / 3.0, -1.0].map(Some));
        let mode = frame.mode().expect("modes");
        assert_eq!(mode.len(), 5);
        close(&column(&mode, "x"), &[Some(1.0), Some(2.0), Some(3.0), Some(5.0), None]);
        assert_eq!(column(&mode, "z").to_vec::<i32>().expect("numbers"), [1, 2, 3, 4, 5]);
        let (min, max) = (frame.idxmin().expect("labels"), frame.idxmax().expect("labels"));
        let row = |frame: &DataFrame| {
            ["x", "y", "z"].map(|label| column(frame, label).to_vec::<i64>().expect("numbers")[0])
        };
        assert_eq!((row(&min), row(&max)), ([0, 1, 4], [4, 2, 0]));
        let tail = frame.tail(3).and_then(|tail| tail.idxmin()).expect("labels");
        assert_eq!(row(&tail), [2, 3, 4]);
        assert_eq!(column(&frame, "x").tail(3).and_then(|x| x.idxmax()).expect("a label"), 4_i64.into());
        let quantiles = frame.quantile([0.25, 0.5]).expect("quantiles");
        close(&column(&quantiles, "x"), &[1.75, 2.5].map(Some));
        close(&column(&quantiles, "y"), &[1.75, 2.5].map(Some));
        close(&column(&quantiles, "z"), &[2.0, 3.0].map(Some));
        let labels = [[0.25, 0.5].map(Scalar::Float64)];
        assert_eq!(quantiles.index().to_scalars().expect("labels"), labels);
        assert_eq!(kind(frame.quantile([1.5])), ErrorKind::Value);
        let none = frame.slice(0, 0).expect("no rows");
        assert_eq!((none.mode().expect("modes").len(), none.quantile([0.5]).expect("nulls").len()), (0, 1));
        assert!(none.idxmin().and_then(|row| row.column("x")?.get(0)).expect("null").is_null());
    });
}

#[test]
fn cut_matches_pandas() {
    on_every_device(|_| {
        let x = Series::new([1, 7, 5, 4, 6, 3]).expect("numbers");
        let named = |cut: CutOptions, names: &[&str], rows: [i64; 6]| {
            let found = x.cut(cut.clone()).expect("bins");
            let expected: Vec<&str> =
                rows.iter().map(|row| usize::try_from(*row).map_or("<NA>", |row| names[row])).collect();
            assert_eq!(texts(&found), expected, "{cut:?}");
            assert!(found.cat().is_ordered().expect("categories"));
            assert_eq!(texts(&found.cat().categories().expect("categories")), names, "{cut:?}");
            let codes = x.cut_codes(cut).and_then(|codes| codes.to_options::<i64>()).expect("codes");
            assert_eq!(codes, rows.map(|row| (row >= 0).then_some(row)));
        };
        let thirds = ["(0.994, 3.0]", "(3.0, 5.0]", "(5.0, 7.0]"];
        named(CutOptions::bins(3), &thirds, [0, 2, 1, 1, 2, 0]);
        named(
            CutOptions::bins(3).precision(1),
            &["(1.0, 3.0]", "(3.0, 5.0]", "(5.0, 7.0]"],
            [0, 2, 1, 1, 2, 0],
        );
        let left = ["[1.0, 3.0)", "[3.0, 5.0)", "[5.0, 7.006)"];
        named(CutOptions::bins(3).right(false), &left, [0, 2, 2, 1, 2, 1]);
        named(CutOptions::edges([0, 3, 5]), &["(0, 3]", "(3, 5]"], [0, -1, 1, 1, -1, 0]);
        named(CutOptions::edges([0, 3, 5]).labels(["lo", "hi"]), &["lo", "hi"], [0, -1, 1, 1, -1, 0]);
        let lowest = ["(0.999, 3.0]", "(3.0, 5.0]"];
        named(CutOptions::edges([1, 3, 5]).include_lowest(true), &lowest, [0, -1, 1, 1, -1, 0]);
        named(CutOptions::edges([1, 3, 5]).right(false), &["[1, 3)", "[3, 5)"], [0, -1, -1, 1, -1, 1]);
        let quarters = ["(0.999, 3.25]", "(3.25, 4.5]", "(4.5, 5.75]", "(5.75, 7.0]"];
        named(CutOptions::quantiles([0.0, 0.25, 0.5, 0.75, 1.0]), &quarters, [0, 3, 2, 1, 3, 0]);
        named(CutOptions::quantiles([0.0, 0.5, 1.0]), &["(0.999, 4.5]", "(4.5, 7.0]"], [0, 1, 1, 0, 1, 0]);
        // One value, and edges that need more digits to differ.
        for (values, cut, names) in [
            (vec![5.0, 5.0], CutOptions::bins(2), ["(4.995, 5.0]", "(5.0, 5.005]"]),
            (vec![0.0, 0.0], CutOptions::bins(2), ["(-0.001, 0.0]", "(0.0, 0.001]"]),
            (vec![-5.0, -5.0], CutOptions::bins(2), ["(-5.005, -5.0]", "(-5.0, -4.995]"]),
            (
                vec![0.123_456_7, 0.123_499_9, 0.123_51],
                CutOptions::bins(2).precision(2),
                ["(0.12346, 0.12348]", "(0.12348, 0.12351]"],
            ),
        ] {
            let found = Series::new(values).and_then(|values| values.cut(cut)).expect("bins");
            assert_eq!(texts(&found.cat().categories().expect("categories")), names);
        }
        let ones = Series::new([1.0, 1.0, 1.0, 2.0]).expect("numbers");
        let quarters = CutOptions::quantiles([0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(kind(ones.cut(quarters.clone())), ErrorKind::Value);
        let dropped = quarters.drop_duplicates(true);
        let found = ones.cut(dropped.clone()).expect("bins");
        assert_eq!(texts(&found), ["(0.999, 1.25]", "(0.999, 1.25]", "(0.999, 1.25]", "(1.25, 2.0]"]);
        // One edge, and none, make no bins.
        for values in [ones.slice(0, 3), ones.slice(0, 0), Series::new([None::<f64>, None])] {
            let values = values.expect("numbers");
            let found = values.cut(dropped.clone()).expect("no bins");
            assert_eq!((found.len(), found.null_count().expect("a count")), (values.len(), values.len()));
            assert_eq!(found.cat().categories().expect("categories").len(), 0);
            assert!(values.cut(dropped.clone().labels(["a"])).is_err());
        }
    });
}

#[test]
fn cut_of_bad_arguments_is_refused() {
    on_every_device(|_| {
        let x = Series::new([Some(1.0), None, Some(f64::INFINITY)]).expect("numbers");
        let none = x.slice(1, 1).expect("a null");
        for cut in [
            CutOptions::bins(0),
            CutOptions::bins(2),
            CutOptions::edges([1.0]),
            CutOptions::edges([1.0, 1.0]),
            CutOptions::edges([1.0, f64::NAN]),
            CutOptions::quantiles([0.0, 2.0]),
            CutOptions::edges([0, 1, 2]).labels(["a"]),
            CutOptions::edges([0, 1, 2]).labels(["a", "a"]),
        ] {
            assert_eq!(kind(x.cut(cut.clone())), ErrorKind::Value, "{cut:?}");
        }
        assert_eq!(kind(none.cut(CutOptions::bins(1))), ErrorKind::Value);
        assert_eq!(kind(none.cut(CutOptions::quantiles([0.0, 1.0]))), ErrorKind::Value);
        let words = Series::new(["a"]).expect("words");
        assert_eq!(kind(words.cut(CutOptions::bins(1))), ErrorKind::Type);
    });
}

#[test]
fn value_counts_match_pandas() {
    on_every_device(|_| {
        let v = [Some(3.0), Some(1.0), Some(2.0), Some(3.0), Some(4.0), None];
        let v = Series::new(v).expect("numbers").rename("v");
        let options = ValueCounts::new;
        for (options, values, counts) in [
            (options(), &["3.0", "1.0", "2.0", "4.0"][..], &["2", "1", "1", "1"][..]),
            (options().dropna(false), &["3.0", "1.0", "2.0", "4.0", "<NA>"], &["2", "1", "1", "1", "1"]),
            (options().sort(false), &["3.0", "1.0", "2.0", "4.0"], &["2", "1", "1", "1"]),
            (options().ascending(true), &["1.0", "2.0", "4.0", "3.0"], &["1", "1", "1", "2"]),
            (options().normalize(true), &["3.0", "1.0", "2.0", "4.0"], &["0.4", "0.2", "0.2", "0.2"]),
            (options().bins(3), &["(0.996, 2.0]", "(2.0, 3.0]", "(3.0, 4.0]"], &["2", "2", "1"]),
            (options().bins(3).sort(false), &["(0.996, 2.0]", "(2.0, 3.0]", "(3.0, 4.0]"], &["2", "2", "1"]),
        ] {
            let label = if options == ValueCounts::new().normalize(true) { "proportion" } else { "count" };
            let found = v.value_counts_with(options.clone()).expect("counts");
            assert_eq!(texts(&column(&found, "v")), values, "{options:?}");
            assert_eq!(texts(&column(&found, label)), counts, "{options:?}");
        }
        let shares = v.value_counts_with(options().bins(3).normalize(true)).expect("shares");
        close(&column(&shares, "proportion"), &[1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0].map(Some));
        let shares = v.value_counts_with(options().dropna(false).normalize(true)).expect("shares");
        let sixth = Some(1.0 / 6.0);
        close(&column(&shares, "proportion"), &[Some(1.0 / 3.0), sixth, sixth, sixth, sixth]);
        let sizes =
            Series::new(categories(["a", "b", "a"]).among(["a", "b", "c"])).expect("categories").rename("s");
        let all = sizes.value_counts_with(options().observed(false)).expect("counts");
        assert_eq!(texts(&column(&all, "s")), ["a", "b", "c"]);
        assert_eq!(column(&all, "count").to_vec::<i64>().expect("counts"), [2, 1, 0]);
        assert_eq!(sizes.value_counts_with(options()).expect("counts").len(), 2);
        assert_eq!(kind(sizes.value_counts_with(options().bins(2))), ErrorKind::Type);
    });
}

/// Polars 2.1: `Series([1, 2, 2, 9, None, 11]).hist([0, 2, 5, 10])` counts 3, 0 and 1.
#[test]
fn histogram_matches_polars() {
    on_every_device(|_| {
        let x = Series::new([Some(1), Some(2), Some(2), Some(9), None, Some(11)]).expect("numbers");
        let found = x.hist([0, 2, 5, 10]).expect("a histogram");
        assert_eq!(column(&found, "count").to_vec::<i64>().expect("counts"), [3, 0, 1]);
        assert_eq!(texts(&column(&found, "bin")), ["(-0.001, 2.0]", "(2.0, 5.0]", "(5.0, 10.0]"]);
        assert_eq!(kind(x.hist([1.0, 0.0])), ErrorKind::Value);
    });
}

/// The mean of the ranks of equal values, by counting.
fn ranks(values: &[f64]) -> Vec<f64> {
    let count = |keep: &dyn Fn(f64) -> bool| values.iter().filter(|value| keep(**value)).count();
    let number = |count: usize| f64::from(u32::try_from(count).expect("few"));
    let rank = |value: f64| {
        let equal = number(count(&|other| other.total_cmp(&value).is_eq()));
        number(count(&|other| other < value)) + f64::midpoint(equal, 1.0)
    };
    values.iter().map(|value| rank(*value)).collect()
}

#[test]
fn rank_correlations_match_reference() {
    on_every_device(|_| {
        let mut rng = Rng::new(7);
        for rows in [2, 3, 40, 200] {
            let mut sample = || -> Vec<Option<f64>> {
                let value = |rng: &mut Rng| f64::from(u32::try_from(rng.below(9)).expect("small"));
                (0..rows).map(|_| (rng.below(5) > 0).then(|| value(&mut rng))).collect()
            };
            let (x, y) = (sample(), sample());
            let both: Vec<(f64, f64)> = x.iter().zip(&y).filter_map(|(x, y)| Some(((*x)?, (*y)?))).collect();
            let (left, right): (Vec<f64>, Vec<f64>) = both.iter().copied().unzip();
            let (left, right) = (ranks(&left), ranks(&right));
            let frame = crate::df! { "x" => x, "y" => y }.expect("columns");
            let of_ranks = crate::df! { "x" => left, "y" => right }.expect("columns");
            let expected =
                of_ranks.column("x").and_then(|x| x.corr(&of_ranks.column("y")?)).expect("a number");
            let number =
                |value: &Scalar| if let Scalar::Float64(value) = value { Some(*value) } else { None };
            let same = |found: Scalar| match (number(&found), number(&expected)) {
                (Some(found), Some(expected)) => {
                    (found - expected).abs() < 1e-12 || (found.is_nan() && expected.is_nan())
                }
                (found, expected) => found == expected,
            };
            let found = frame.spearman().and_then(|found| found.column("y")?.get(0)).expect("a number");
            assert!(same(found.clone()), "{rows} rows: {found}, not {expected}");
            let found = frame.column("x").and_then(|x| x.spearman(&frame.column("y")?)).expect("a number");
            assert!(same(found.clone()), "{rows} rows: {found}, not {expected}");
        }
        let x = Series::new([1.0, 4.0, 2.0, 8.0]).expect("numbers");
        let expected =
            Series::new([4.0, 2.0, 8.0]).and_then(|later| later.corr(&Series::new([1.0, 4.0, 2.0])?));
        let (Scalar::Float64(found), Ok(Scalar::Float64(expected))) =
            (x.autocorr(1).expect("a number"), expected)
        else {
            panic!("numbers");
        };
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
        assert!(x.autocorr(4).expect("no pairs").is_null());
    });
}

#[test]
fn counts_of_rows_match_reference() {
    on_every_device(|_| {
        let mut rng = Rng::new(8);
        for rows in [0, 1, 100] {
            let keys: Vec<Option<i64>> =
                (0..rows).map(|_| (rng.below(5) > 0).then(|| rng.below(3).cast_signed())).collect();
            let words: Vec<&str> = (0..rows).map(|_| if rng.below(2) == 0 { "ü" } else { "" }).collect();
            let frame = crate::df! { "count" => keys.clone(), "w" => words.clone() }.expect("columns");
            for (dropna, ascending) in [(true, false), (false, true)] {
                let mut counts: Vec<((Option<i64>, &str), i64)> = Vec::new();
                for row in keys.iter().copied().zip(words.iter().copied()) {
                    match counts.iter_mut().find(|(known, _)| *known == row) {
                        _ if dropna && row.0.is_none() => {}
                        Some((_, count)) => *count += 1,
                        None => counts.push((row, 1)),
                    }
                }
                counts.sort_by_key(|(_, count)| if ascending { *count } else { -count });
                let options = ValueCounts::new().dropna(dropna).ascending(ascending);
                let found = frame.value_counts_with(options.clone()).expect("counts");
                let wanted: Vec<i64> = counts.iter().map(|(_, count)| *count).collect();
                assert_eq!(
                    (found.to_vec::<i64>().expect("counts"), found.name().as_text()),
                    (wanted, Some("count"))
                );
                let labels = found.index().to_scalars().expect("labels");
                for (at, ((key, word), _)) in counts.iter().enumerate() {
                    let key = key.map_or(Scalar::Null(DType::Int64), Scalar::Int64);
                    assert_eq!((&labels[0][at], &labels[1][at]), (&key, &Scalar::from(*word)));
                }
                let shares = frame.value_counts_with(options.normalize(true)).expect("shares");
                assert_eq!((shares.len(), shares.name().as_text()), (counts.len(), Some("proportion")));
                if !counts.is_empty() {
                    let total = shares.sum().expect("a number");
                    assert!(
                        matches!(total, Scalar::Float64(total) if (total - 1.0).abs() < 1e-12),
                        "{total}"
                    );
                }
            }
        }
    });
}

/// `pandas.cut` with `right` names the bins of edges; a value is in the bin whose edges are around it.
#[test]
fn bins_of_columns_are_those_of_their_values() {
    on_every_device(|_| {
        let mut rng = Rng::new(15);
        let edges = [-3, 0, 4];
        for rows in [0, 1, 33, 65] {
            let mut values = |least: f64| -> Vec<Option<f64>> {
                let value = |rng: &mut Rng| match rng.below(8) {
                    0 => None,
                    1 => Some(f64::NAN),
                    2 => Some(-0.0),
                    other => Some(least + f64::from(u32::try_from(other).expect("small"))),
                };
                (0..rows + 3).map(|_| value(&mut rng)).collect()
            };
            let (x, y) = (values(-7.0), values(-4.0));
            let k: Vec<i64> = (0..).take(x.len()).collect();
            let frame = crate::df! { "k" => k, "x" => x.clone(), "y" => y.clone() }.expect("columns");
            let frame = frame.slice(3, rows).expect("rows");
            let bins = frame.cut(["y", "x"], CutOptions::edges(edges)).expect("bins");
            assert_eq!(bins.columns(), ["k", "x", "y"]);
            assert!(bins.index().equals(frame.index()).expect("labels"));
            assert!(column(&bins, "k").equals(&column(&frame, "k")).expect("numbers"));
            for (label, values) in [("x", &x), ("y", &y)] {
                let bin = |value: &Option<f64>| {
                    let is_in = |at: &usize| {
                        value.is_some_and(|v| v > f64::from(edges[*at]) && v <= f64::from(edges[*at + 1]))
                    };
                    (0..2)
                        .find(is_in)
                        .map_or("<NA>".to_owned(), |at| format!("({}, {}]", edges[at], edges[at + 1]))
                };
                let expected: Vec<String> = values[3..].iter().map(bin).collect();
                assert_eq!(texts(&column(&bins, label)), expected, "{label} of {rows} rows");
            }
        }
        let frame =
            crate::df! { "x" => [2.0, 7.0, 1.0, 8.0, 2.0, 8.0], "y" => [0, 1, 2, 3, 4, 5] }.expect("columns");
        let halves = frame.qcut(["x", "y"], 2).expect("halves");
        // `pandas.qcut(x, 2)`.
        let low = ["(0.999, 4.5]", "(4.5, 8.0]"];
        assert_eq!(texts(&column(&halves, "x")), [low[0], low[1], low[0], low[1], low[0], low[1]]);
        let low = ["(-0.001, 2.5]", "(2.5, 5.0]"];
        assert_eq!(texts(&column(&halves, "y")), [low[0], low[0], low[0], low[1], low[1], low[1]]);
        let twice = frame.qcut("x", [0.5, 0.5]).expect_err("quantiles that are equal").to_string();
        assert!(twice.starts_with("qcut: column \"x\": "), "{twice}");
    });
}
