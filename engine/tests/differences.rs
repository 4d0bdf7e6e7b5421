//! The deliberate differences from pandas: each row of the table in docs/frames.md has a case here, with what pandas 3.1.1
//! gives in a comment, on every device.

use columnade::expressions::{ExponentialWindow, LocalTimes};
use columnade::prelude::*;
use columnade::{
    DatetimeIndex, Edge, Error, ErrorKind, GroupKey, LabelJoin, Sample, SetOrder, date_range,
    date_range_periods, set_default_device,
};

type Tested = columnade::Result<()>;

const TABLE: &str = include_str!("../../docs/frames.md");

/// The beginning of a row, and its case.
type Case = (&'static str, fn() -> Tested);

const CASES: &[Case] = &[
    ("evenly spaced integers become a range", integers_are_no_range),
    ("a text selects one time if the labels have its resolution", text_is_a_period),
    ("`loc` and `iloc` return a row as a series", one_row_is_a_frame),
    ("assignment by `loc` adds rows", assignment_adds_no_rows),
    ("a period before or after all times", period_outside_is_missing),
    ("slices of texts in descending times", descending_times_have_slices),
    ("a label of another kind than the labels", other_kind_is_an_error),
    ("NaN and null are one label", nan_and_null_are_two_labels),
    ("NaN is missing in every aggregate", nan_is_a_value),
    ("`==` of unequal labels is an error", unequal_labels_compare_to_null),
    ("labels of different kinds are joined as objects", kinds_are_not_joined),
    ("a right join of labels without a sign with others", join_keeps_dtype_of_side),
    ("`sample` takes the rows of numpy's generators", samples_agree_on_devices),
    ("a union that is not sorted", union_appends_what_is_missing),
    ("`merge` by levels of the row labels", merged_levels_are_columns),
    ("`insert` and `pop` change the frame", frames_stay_what_they_are),
    ("`combine_first`, `update` and others pair labels", repeated_labels_are_refused),
    ("`reindex` with new columns", new_columns_have_no_dtype),
    ("days in a time zone ignore `origin` and `offset`", days_of_zones_have_offsets),
    ("`first` and `last` of bins go by the order of times", first_goes_by_rows),
    ("a midnight that clocks skip", skipped_midnight_is_next_time),
    ("a mask whose rows are evenly spaced keeps `freq`", masks_lose_freq),
    ("a list of labels of a level orders rows", lists_order_rows),
    ("`rolling(on=…)` keeps the column of times", times_of_windows_are_left_out),
    ("windows and bins of frames with columns", columns_without_aggregate_are_left_out),
    ("an offset of `resample` that moves the first bin", bins_begin_before_first_time),
    ("`transform` and the others of groups", null_keys_keep_dtype),
    ("`map` calls a function with missing values too", map_skips_nulls),
    ("`map` of a function runs anywhere", functions_run_on_host),
];

#[test]
fn every_row_of_table_has_case_that_holds() -> Tested {
    let (_, table) = TABLE.split_once("## Deliberate differences from pandas").expect("the table");
    let rows: Vec<&str> = table.lines().filter_map(|line| line.strip_prefix("| ")).skip(2).collect();
    for row in &rows {
        assert!(CASES.iter().any(|(start, _)| row.starts_with(start)), "no case for: {row}");
    }
    for device in Device::available() {
        set_default_device(device)?;
        let mut wrong = Vec::new();
        for (start, holds) in CASES {
            assert!(rows.iter().any(|row| row.starts_with(start)), "no row for: {start}");
            // All of them, and not the first one alone.
            match std::panic::catch_unwind(holds) {
                Ok(Ok(())) => {}
                Ok(Err(error)) => wrong.push(format!("{start}: {error}")),
                Err(_) => wrong.push(format!("{start}: the panic is above")),
            }
        }
        assert!(wrong.is_empty(), "{device}: {wrong:#?}");
    }
    Ok(())
}

fn said<T>(found: columnade::Result<T>, kind: ErrorKind, text: &str) {
    let found = found.err().map(|error| (error.kind(), error.to_string()));
    let is_said = found.as_ref().is_some_and(|(found, said)| *found == kind && said.contains(text));
    assert!(is_said, "{found:?}, not {kind:?} with {text}");
}

fn labels(index: &Index) -> columnade::Result<Vec<String>> {
    (0..index.len()).map(|row| Ok(index.get(row)?.to_string())).collect()
}

fn numbers() -> columnade::Result<DataFrame> {
    df! { "k" => ["a", "b", "c"], "n" => [1_i64, 2, 3] }?.set_index("k")
}

fn hours(start: &str, rows: usize) -> columnade::Result<Series> {
    date_range_periods(&DType::Timestamp(TimeUnit::Second), start, rows, "1h")
}

/// `pd.DataFrame({"k": [0, 1]}).set_index("k").index` and `s[[True, True]].index` are ranges.
fn integers_are_no_range() -> Tested {
    let frame = df! { "k" => [0_i64, 1], "n" => [5, 6] }?.set_index("k")?;
    assert!(matches!(frame.index(), Index::Single(_)));
    assert!(matches!(frame.reset_index()?.filter(col("n").gt(5))?.index(), Index::Single(_)));
    Ok(())
}

/// `s.loc["2024-01-02"]` of labels of days is a scalar, of hours a series.
fn text_is_a_period() -> Tested {
    let days = date_range(&DType::Date32, "2024-01-01", "2024-01-03", "D")?;
    let days = Series::new([1, 2, 3])?.with_index(&Index::from_series(&days)?)?;
    assert_eq!(days.loc("2024-01-02")?.to_vec::<i32>()?, [2]);
    let times = Index::from_series(&hours("2024-01-01 23:00:00", 3)?)?;
    let times = Series::new([1, 2, 3])?.with_index(&times)?;
    assert_eq!(times.loc("2024-01-02")?.to_vec::<i32>()?, [2, 3]);
    assert_eq!(times.loc("2024-01-02 00")?.to_vec::<i32>()?, [2]);
    Ok(())
}

/// `df.loc["a"]` and `df.iloc[0]` are series, and `df["n"].loc["a"]` is 1.
fn one_row_is_a_frame() -> Tested {
    let frame = numbers()?;
    assert_eq!((frame.loc("a")?.shape(), frame.iloc(0)?.shape()), ((1, 1), (1, 1)));
    assert_eq!(frame.column("n")?.loc("a")?.to_vec::<i64>()?, [1]);
    assert_eq!((frame.at("a", "n")?, frame.iat(0, 0)?), (1_i64.into(), 1_i64.into()));
    Ok(())
}

/// `df.loc["z", "n"] = 9` appends a row.
fn assignment_adds_no_rows() -> Tested {
    let found = numbers()?.set_loc("z", "n", 9);
    assert!(matches!(found, Err(Error::MissingLabels { .. })));
    said(found, ErrorKind::Key, "z");
    Ok(())
}

/// `s.loc["2023"]` is a `KeyError` of sorted labels, and no rows of others.
fn period_outside_is_missing() -> Tested {
    let sorted = hours("2024-01-01 00:00:00", 3)?;
    for times in [sorted.clone(), sorted.take([1, 0, 2])?] {
        let series = Series::new([1, 2, 3])?.with_index(&Index::from_series(&times)?)?;
        said(series.loc("2023"), ErrorKind::Key, "2023");
        said(series.loc("2025"), ErrorKind::Key, "2025");
    }
    Ok(())
}

/// `s.loc["2024-01-03":"2024-01-02"]` of times that descend is a `KeyError`.
fn descending_times_have_slices() -> Tested {
    let days = date_range(&DType::Date32, "2024-01-01", "2024-01-04", "D")?.take([3, 2, 1, 0])?;
    let series = Series::new([4, 3, 2, 1])?.with_index(&Index::from_series(&days)?)?;
    assert_eq!(series.loc("2024-01-03"..="2024-01-02")?.to_vec::<i32>()?, [3, 2]);
    Ok(())
}

/// `df.loc[1]` of labels "a", "b", "c" is a `KeyError`, `1 in df.index` is false.
fn other_kind_is_an_error() -> Tested {
    said(numbers()?.loc(1), ErrorKind::Type, "int");
    Ok(())
}

/// `pd.Index([nan, None, 1.0]).unique()` has two labels.
fn nan_and_null_are_two_labels() -> Tested {
    let index = Index::new([Some(f64::NAN), None, Some(1.0), None])?;
    assert_eq!(index.unique()?.len(), 3);
    Ok(())
}

/// `pd.Series([1, nan]).sum()` is 1, and windows skip NaN.
fn nan_is_a_value() -> Tested {
    let series = Series::new([1.0, f64::NAN, 2.0])?;
    let is_nan = |value: Scalar| matches!(value, Scalar::Float64(value) if value.is_nan());
    assert!(is_nan(series.sum()?) && is_nan(series.mean()?));
    assert!(is_nan(series.rolling(2).min_periods(1).sum()?.get(1)?));
    // pandas: ewm(alpha=0.5).mean() is 1, 1, 1.8.
    let found = series.ewm_mean(ExponentialWindow::alpha(0.5))?.to_vec::<f64>()?;
    assert!((found[2] - 1.8).abs() < 1e-12, "{found:?}");
    Ok(())
}

/// `==` is a `ValueError`, `.eq` false for "b" and "c".
fn unequal_labels_compare_to_null() -> Tested {
    let left = Series::new([1, 2])?.with_index(&Index::new(["a", "b"])?)?;
    let right = Series::new([1, 2])?.with_index(&Index::new(["a", "c"])?)?;
    assert_eq!(left.eq(&right)?.to_options::<bool>()?, [Some(true), None, None]);
    Ok(())
}

/// `pd.Index([1]).union(pd.Index(["a"]))` is of objects, and that of 2⁵³ + 1 and 0.5 has the label 2⁵³.
fn kinds_are_not_joined() -> Tested {
    said(Index::new([1_i64])?.union(&Index::new(["a"])?), ErrorKind::Type, "utf8");
    said(Index::new([(1_i64 << 53) + 1])?.union(&Index::new([0.5])?), ErrorKind::Value, "float64");
    Ok(())
}

/// `pd.Index([2, 1], dtype="uint8").join(pd.Index([1, 3], dtype="int8"), how="right")` is of `uint8`.
fn join_keeps_dtype_of_side() -> Tested {
    let unsigned = Series::new([5, 6])?.with_index(&Index::new([2_u8, 1])?)?;
    let signed = Series::new([7, 8])?.with_index(&Index::new([1_i8, 3])?)?;
    for (how, dtype) in [(LabelJoin::Left, DType::UInt8), (LabelJoin::Right, DType::Int8)] {
        let (left, right) = unsigned.align(&signed, how)?;
        assert_eq!((left.index().dtypes(), right.index().dtypes()), (vec![dtype.clone()], vec![dtype]));
    }
    let (left, _) = unsigned.align(&signed, LabelJoin::Right)?;
    assert_eq!(left.to_options::<i32>()?, [Some(6), None]);
    Ok(())
}

/// `pd.Series(range(100)).sample(3, random_state=1)` takes the rows 80, 84 and 33.
fn samples_agree_on_devices() -> Tested {
    let rows = Series::new((0_i64..100).collect::<Vec<_>>())?;
    let found = rows.sample(Sample::n(3).seed(1))?.to_vec::<i64>()?;
    let host = rows.to_device(Device::Host)?.sample(Sample::n(3).seed(1))?.to_vec::<i64>()?;
    assert_eq!(found, host);
    assert_ne!(found, [80, 84, 33]);
    Ok(())
}

/// `pd.Index([3, 1, 3]).union(pd.Index([2, 2, 1]), sort=False)` is 3, 3, 1, 2, 2.
fn union_appends_what_is_missing() -> Tested {
    let union = Index::new([3_i64, 1, 3])?.union_with(&Index::new([2_i64, 2, 1])?, SetOrder::Appearance)?;
    assert_eq!(labels(&union)?, ["3", "1", "3", "2", "2"]);
    Ok(())
}

/// `a.merge(b, on="k")` of two frames with a level "k" keeps the level.
fn merged_levels_are_columns() -> Tested {
    let merged = numbers()?.merge(&numbers()?.rename([("n", "m")])?, &Merge::inner().on("k"))?;
    assert_eq!(merged.columns(), ["k", "n", "m"]);
    assert!(matches!(merged.index(), Index::Range(_)));
    Ok(())
}

/// `df.insert(0, "m", …)` and `df.pop("n")` change `df`.
fn frames_stay_what_they_are() -> Tested {
    let frame = numbers()?;
    assert_eq!(frame.insert(0, "m", [7, 8, 9])?.columns(), ["m", "n"]);
    assert_eq!(frame.pop("n")?.1.columns().len(), 0);
    assert_eq!(frame.columns(), ["n"]);
    Ok(())
}

/// `combine_first` of frames pairs labels that come twice each with each; that of series, and `update`, refuse them.
fn repeated_labels_are_refused() -> Tested {
    let twice = Series::new([Some(1), None])?.with_index(&Index::new(["a", "a"])?)?;
    let other = Series::new([5, 6, 7])?.with_index(&Index::new(["a", "a", "b"])?)?;
    said(twice.combine_first(&other), ErrorKind::Value, "a");
    said(twice.update(&other), ErrorKind::Value, "a");
    assert_eq!(twice.combine_first(&other.head(2)?)?.to_vec::<i32>()?, [1, 6]);
    Ok(())
}

/// `df.reindex(columns=["n", "z"])` has a column z of `float64`.
fn new_columns_have_no_dtype() -> Tested {
    assert_eq!(numbers()?.reindex_columns(["n", "z"])?.column("z")?.dtype(), DType::Null);
    Ok(())
}

fn in_zone(series: &Series, zone: &str) -> columnade::Result<Series> {
    series.dt().tz_localize(zone, LocalTimes::default())
}

/// `s.resample("D", offset="6h").sum()` of times in a zone has bins from midnight on.
fn days_of_zones_have_offsets() -> Tested {
    let times = hours("2024-01-01 00:00:00", 12)?;
    let sums = |times: Series| -> columnade::Result<Vec<i64>> {
        let frame = df! { "t" => times, "n" => [1_i64; 12] }?;
        let bins = frame.resample("D").on("t").offset(columnade::expressions::hours(6));
        bins.sum()?.column("n")?.to_vec::<i64>()
    };
    assert_eq!(sums(times.clone())?, [6, 6]);
    assert_eq!(sums(in_zone(&times, "Europe/Oslo")?)?, [6, 6]);
    Ok(())
}

/// `s.resample("D").first()` of the hours 1 and 0, in this order, is the value of hour 0.
fn first_goes_by_rows() -> Tested {
    let times = hours("2024-01-01 00:00:00", 2)?.take([1, 0])?;
    let frame = df! { "t" => times.into_values(), "n" => [5_i64, 6] }?;
    let bins = frame.resample("D").on("t");
    assert_eq!(bins.first()?.column("n")?.to_vec::<i64>()?, [5]);
    assert_eq!(bins.last()?.column("n")?.to_vec::<i64>()?, [6]);
    assert_eq!(frame.sort_values("t")?.resample("D").on("t").first()?.column("n")?.to_vec::<i64>()?, [6]);
    Ok(())
}

/// Clocks of Sao Paulo went from 2018-11-03 23:59:59 to 2018-11-04 01:00:00: `resample("D")` is an error.
fn skipped_midnight_is_next_time() -> Tested {
    let times = in_zone(&hours("2018-11-03 22:00:00", 2)?, "America/Sao_Paulo")?;
    let later = in_zone(&hours("2018-11-04 05:00:00", 1)?, "America/Sao_Paulo")?;
    let times = columnade::concat([&times.rename("t").to_frame(), &later.rename("t").to_frame()])?;
    let frame = times.with_column("n", [1_i64, 2, 4])?;
    let days = frame.resample("D").on("t").label(Edge::Left).sum()?;
    assert_eq!(days.column("n")?.to_vec::<i64>()?, [3, 4]);
    assert!(labels(days.index())?[1].starts_with("2018-11-04 01:00:00"), "{days}");
    Ok(())
}

/// `s[np.array([True, True, False])].index.freq` is a day.
fn masks_lose_freq() -> Tested {
    let days = Index::date_range(&DType::Date32, "2024-01-01", "2024-01-03", "D")?;
    let series = Series::new([1, 2, 3])?.with_index(&days)?;
    let freq = |index: &Index| index.as_datetime().and_then(DatetimeIndex::freq);
    assert_eq!(freq(series.index()).as_deref(), Some("D"));
    assert_eq!(freq(series.loc(&Series::new([true, true, false])?.with_index(&days)?)?.index()), None);
    Ok(())
}

/// `df.loc[(slice(None), [1, 2]), :]` is 5, 6, 7 of sorted labels, as the list ascends.
fn lists_order_rows() -> Tested {
    let frame = df! { "k" => ["a", "b", "c"], "m" => [1, 2, 1], "n" => [5, 6, 7] }?.set_index(["k", "m"])?;
    assert_eq!(frame.loc((.., [1, 2]))?.column("n")?.to_vec::<i32>()?, [5, 7, 6]);
    Ok(())
}

/// `df.rolling("2h", on="t").sum()` has the columns t and n.
fn times_of_windows_are_left_out() -> Tested {
    let frame = df! { "t" => hours("2024-01-01 00:00:00", 3)?, "k" => [1, 1, 1], "n" => [1_i64, 2, 3] }?;
    assert_eq!(frame.rolling("2h").on("t").sum()?.columns(), ["k", "n"]);
    let groups = frame.group_by("k").rolling("2h").on("t").sum()?;
    assert_eq!(groups.columns(), ["n"]);
    assert_eq!(groups.index().dtypes(), [DType::Int32, DType::Int64]);
    Ok(())
}

/// `df.rolling(2).sum()` and `df.resample("h").mean()` with a column of texts are errors.
fn columns_without_aggregate_are_left_out() -> Tested {
    let frame = df! { "word" => ["x", "y", "z"], "n" => [1_i64, 2, 3] }?;
    assert_eq!(frame.rolling(2).sum()?.columns(), ["n"]);
    assert_eq!(frame.ewm(ExponentialWindow::com(1.0)).mean()?.columns(), ["n"]);
    let hourly = frame.with_index(&Index::from_series(&hours("2024-01-01 00:00:00", 3)?)?)?;
    assert_eq!(hourly.resample("2h").mean()?.columns(), ["n"]);
    said(hourly.resample("2h").select("word").mean(), ErrorKind::Type, "word");
    Ok(())
}

/// `df.resample("24h", origin="end_day", offset="-30min").sum()` is a `ValueError`: values fall before the first bin.
fn bins_begin_before_first_time() -> Tested {
    let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-03-30 14:02:00", 2, "3h")?;
    let frame = df! { "t" => times, "n" => [1_i64, 2] }?;
    for (frequency, origin, offset) in [
        ("24h", Origin::EndDay, -30),
        ("24h", Origin::End, -60),
        ("5h", Origin::End, -90),
        ("7h", Origin::EndDay, -3000),
    ] {
        let bins = frame.resample(frequency).on("t").origin(origin).offset(minutes(offset));
        let sums = bins.sum()?;
        assert_eq!(sums.column("n")?.sum()?, 3_i64.into(), "{frequency} {offset}");
        assert!(sums.len() <= 2, "{sums}");
    }
    Ok(())
}

/// `df.groupby("k").cumcount()` and `transform("sum")` are of `float64` where a key is missing.
fn null_keys_keep_dtype() -> Tested {
    let frame = df! { "k" => [Some("a"), None, Some("a")], "n" => [1_i64, 2, 3] }?;
    let sums = frame.group_by_with([GroupKey::values(&frame.column("k")?)])?.transform(col("n").sum())?;
    let sums = sums.column("n")?;
    assert_eq!((sums.dtype(), sums.to_options::<i64>()?), (DType::Int64, vec![Some(4), None, Some(4)]));
    Ok(())
}

/// `pd.Series([1, None]).map(lambda x: 9)` is 9, 9.
fn map_skips_nulls() -> Tested {
    let series = Series::new([Some(1), None])?.to_device(Device::Host)?;
    assert_eq!(series.map(|_: i32| 9)?.to_options::<i32>()?, [Some(9), None]);
    Ok(())
}

/// cuDF compiles the function for the device.
fn functions_run_on_host() -> Tested {
    let series = Series::new([1, 2])?;
    let found = series.map(|x: i32| x + 1);
    if series.device() == Device::Host {
        assert_eq!(found?.to_vec::<i32>()?, [2, 3]);
    } else {
        said(found, ErrorKind::NotImplemented, "a function of Rust");
    }
    Ok(())
}
