//! Aggregates and rows of bins, with results of pandas, on every device.

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Label, Scalar, TimeUnit};
use columnade_ops::expression::{Interpolation, col, hours, len};

use super::{Edge, Grouper};
use crate::dataframe::{DataFrame, GroupKey};
use crate::error::Error;
use crate::frame::Frame;
use crate::index::Index;
use crate::series::Series;

const START: i64 = 1_704_067_200; // 2024-01-01 00:00

pub(super) fn execs() -> Vec<Exec> {
    Device::available().into_iter().map(|device| Exec::new(device).unwrap()).collect()
}

fn at_minutes(minutes: &[i64], exec: &Exec) -> Column {
    let times: Vec<i64> = minutes.iter().map(|minutes| START + minutes * 60).collect();
    Column::from_slice(&times, exec).unwrap().reinterpret(&DType::Timestamp(TimeUnit::Second)).unwrap()
}

/// A frame with times as labels under the name `t`.
pub(super) fn frame(minutes: &[i64], columns: &[(&str, Column)], exec: &Exec) -> DataFrame {
    let columns = ColumnAccessor::from_columns(columns.iter().cloned()).unwrap();
    let frame = DataFrame::from_frame(Frame::new(columns, exec.clone()));
    let index = Index::of_owned(&["t".into()], vec![at_minutes(minutes, exec)], exec);
    frame.with_index(&index).unwrap()
}

fn floats(series: &Series) -> Vec<Option<f64>> {
    series.to_options::<f64>().unwrap()
}

pub(super) fn minutes_of(index: &Index, exec: &Exec) -> Vec<i64> {
    let times = index.columns(exec).unwrap()[0].reinterpret(&DType::Int64).unwrap().to_vec::<i64>().unwrap();
    times.iter().map(|time| (time - START) / 60).collect()
}

#[test]
fn aggregates_of_bins_match_pandas() {
    for exec in execs() {
        let x = [Some(4.0), Some(1.0), Some(3.0), None, Some(8.0)];
        let x = Column::from_options(x, &exec).unwrap();
        let word = Column::from_values(["é", "b", "a", "d", "c"], &exec).unwrap();
        let frame = frame(&[10, 50, 185, 210, 225], &[("x", x), ("w", word)], &exec);
        let x = frame.column("x").unwrap();
        let bins = x.resample("1h");
        let some = |of_first: f64, of_last: f64| vec![Some(of_first), None, None, Some(of_last)];
        for (found, expected) in [
            (bins.sum(), vec![Some(5.0), Some(0.0), Some(0.0), Some(11.0)]),
            (bins.mean(), some(2.5, 5.5)),
            (bins.median(), some(2.5, 5.5)),
            (bins.std(), some(2.121_320_343_559_642_4, 3.535_533_905_932_737_8)),
            (bins.var(), some(4.5, 12.5)),
            (bins.min(), some(1.0, 3.0)),
            (bins.max(), some(4.0, 8.0)),
            (bins.first(), some(4.0, 3.0)),
            (bins.last(), some(1.0, 8.0)),
            (bins.quantile(0.25, Interpolation::Linear), some(1.75, 4.25)),
        ] {
            let found = found.unwrap();
            assert_eq!(floats(&found), expected);
            assert_eq!(minutes_of(found.index(), &exec), [0, 60, 120, 180]);
            assert_eq!((found.name(), found.index().name()), (&Label::from("x"), &Label::from("t")));
            assert!(matches!(found.index(), Index::Datetime(_)));
        }
        assert_eq!(bins.count().unwrap().to_vec::<i64>().unwrap(), [2, 0, 0, 2]);
        assert_eq!(bins.nunique().unwrap().to_vec::<i64>().unwrap(), [2, 0, 0, 2]);
        assert_eq!(bins.size().unwrap().to_vec::<i64>().unwrap(), [2, 0, 0, 3]);
        let bars = bins.ohlc().unwrap();
        assert_eq!(bars.columns(), ["open", "high", "low", "close"]);
        assert_eq!(floats(&bars.column("high").unwrap()), some(4.0, 8.0));

        let bins = frame.resample("1h");
        assert_eq!(bins.sum().unwrap().columns(), ["x"]);
        assert_eq!(bins.max().unwrap().columns(), ["x", "w"]);
        let first = bins.select("w").first().unwrap();
        let null = Scalar::Null(DType::Utf8);
        let expected = ["é".into(), null.clone(), null, "a".into()];
        assert_eq!(first.column("w").unwrap().to_scalars().unwrap(), expected);
        let range = (col("x").max() - col("x").min()).alias("range");
        let found = frame.resample("2h").agg([range, len()]).unwrap();
        assert_eq!(floats(&found.column("range").unwrap()), [Some(3.0), Some(5.0)]);
        assert_eq!(found.column("len").unwrap().to_vec::<i64>().unwrap(), [2, 3]);
    }
}

#[test]
fn durations_are_summed_and_averaged_as_numbers_are() {
    for exec in execs() {
        let spans = Column::from_options([Some(60_i64), Some(30), None, Some(-10)], &exec).unwrap();
        let spans = spans.reinterpret(&DType::Duration(TimeUnit::Second)).unwrap();
        let words = Column::from_values(["a", "b", "c", "d"], &exec).unwrap();
        let frame = frame(&[10, 50, 65, 130], &[("d", spans), ("w", words)], &exec);
        let bins = frame.resample("1h");
        let of = |frame: DataFrame| {
            assert_eq!(frame.columns(), ["d"]);
            let spans = frame.column("d").unwrap();
            assert_eq!(spans.dtype(), DType::Duration(TimeUnit::Second));
            spans.cast(DType::Int64).unwrap().to_options::<i64>().unwrap()
        };
        assert_eq!(of(bins.sum().unwrap()), [Some(90), Some(0), Some(-10)]);
        assert_eq!(of(bins.mean().unwrap()), [Some(45), None, Some(-10)]);
        assert_eq!(of(bins.median().unwrap()), [Some(45), None, Some(-10)]);
        assert_eq!(of(bins.quantile(0.0, Interpolation::Linear).unwrap()), [Some(30), None, Some(-10)]);
        assert_eq!(bins.product().unwrap().shape(), (3, 0));
    }
}

#[test]
fn rows_at_the_times_of_bins_match_pandas() {
    for exec in execs() {
        let x = Column::from_slice(&[2.0, 7.0, 1.0, 5.0], &exec).unwrap();
        let w = Column::from_values(["d", "c", "é", "b"], &exec).unwrap();
        let frame = frame(&[300, 120, 0, 90], &[("x", x), ("w", w)], &exec);
        let x = frame.column("x").unwrap();
        let bins = x.resample("1h");
        let (a, b, c) = (Some(1.0), Some(7.0), Some(2.0));
        for (found, expected) in [
            (bins.asfreq(), [a, None, b, None, None, c]),
            (bins.ffill(None), [a, a, b, b, b, c]),
            (bins.ffill(Some(1)), [a, a, b, b, None, c]),
            (bins.bfill(None), [a, Some(5.0), b, c, c, c]),
            (bins.bfill(Some(1)), [a, Some(5.0), b, None, c, c]),
            (bins.interpolate(), [a, Some(3.0), b, Some(16.0 / 3.0), Some(11.0 / 3.0), c]),
        ] {
            let found = found.unwrap();
            assert_eq!(minutes_of(found.index(), &exec), [0, 60, 120, 180, 240, 300]);
            for (found, expected) in floats(&found).iter().zip(expected) {
                let is_near = |found: f64| expected.is_some_and(|expected| (found - expected).abs() < 1e-12);
                assert!(found.map_or(expected.is_none(), is_near), "{found:?} {expected:?}");
            }
        }
        // pandas: resample("1h", closed="right", label="right").ffill()
        let right = x.resample("1h").closed(Edge::Right).label(Edge::Right);
        assert_eq!(floats(&right.ffill(None).unwrap()), [a, a, b, b, b, c]);
        let both = frame.resample("1h").interpolate().unwrap();
        let null = Scalar::Null(DType::Utf8);
        let expected = ["é".into(), null.clone(), "c".into(), null.clone(), null, "d".into()];
        assert_eq!(both.column("w").unwrap().to_scalars().unwrap(), expected);
        let twice = frame.take([0, 0]).unwrap();
        assert!(matches!(twice.resample("1h").asfreq(), Err(Error::DuplicateLabels { .. })));
        assert_eq!(twice.resample("1h").count().unwrap().len(), 1);
    }
}

#[test]
fn groups_by_bins_and_other_keys_match_pandas() {
    for exec in execs() {
        // pandas: groupby(["k", Grouper(freq="1h")]).n.sum(), where hours that k has no rows of are not there.
        let k = Column::from_options([Some("a"), Some("b"), None, Some("a"), Some("a")], &exec).unwrap();
        let n = Column::from_slice(&[1_i64, 2, 3, 4, 5], &exec).unwrap();
        let frame = frame(&[0, 50, 70, 185, 230], &[("k", k), ("n", n)], &exec);
        let keys = || [GroupKey::from("k"), Grouper::every("1h").into()];
        let found = frame.group_by_with(keys()).unwrap().agg(col("n").sum()).unwrap();
        assert_eq!(found.columns(), ["k", "t", "n"]);
        assert_eq!(found.column("n").unwrap().to_vec::<i64>().unwrap(), [1, 2, 9]);
        let index = Index::from_series(&found.column("t").unwrap()).unwrap();
        assert_eq!(minutes_of(&index, &exec), [0, 0, 180]);
        let rows = frame.group_by_with(keys()).unwrap().head(1).unwrap();
        assert_eq!(rows.columns(), ["k", "n"]);
        assert_eq!(rows.column("n").unwrap().to_vec::<i64>().unwrap(), [1, 2, 4]);
        let bins = Grouper::every("1h").label(Edge::Right).closed(Edge::Right).offset(hours(2));
        let found = frame.group_by_with([bins]).unwrap().sort(true).as_index(true).agg(len()).unwrap();
        assert_eq!(minutes_of(found.index(), &exec), [0, 60, 120, 180, 240]);
        assert_eq!(found.column("len").unwrap().to_vec::<i64>().unwrap(), [1, 1, 1, 0, 2]);
        let error = frame.group_by_with([Grouper::every("1h").on("n")]).unwrap_err();
        assert!(error.to_string().contains("\"n\"") && error.kind() == ErrorKind::Type, "{error}");
    }
}

#[test]
fn bins_of_nothing_and_of_dates() {
    for exec in execs() {
        let empty = frame(&[], &[("x", Column::from_slice::<i64>(&[], &exec).unwrap())], &exec);
        let found = empty.resample("ME").sum().unwrap();
        assert_eq!((found.shape(), found.dtypes()), ((0, 1), vec![DType::Int64]));
        assert!(matches!(found.index(), Index::Datetime(_)));
        assert_eq!(empty.resample("1h").interpolate().unwrap().len(), 0);
        let null = Column::from_options([None::<i64>, None], &exec).unwrap();
        let t = null.reinterpret(&DType::Timestamp(TimeUnit::Nano)).unwrap();
        let columns = ColumnAccessor::from_columns([("t", t), ("x", null)]).unwrap();
        let nulls = DataFrame::from_frame(Frame::new(columns, exec.clone()));
        assert_eq!(nulls.resample("D").on("t").sum().unwrap().len(), 0);

        // 31 January, 1 and 29 February, 2 March 2024: pandas sums 1, 5, 4 of the ends of months, 1, 5, 0, 4 of quarters.
        let days = Column::from_slice(&[19_753_i32, 19_754, 19_782, 19_784], &exec).unwrap();
        let days = days.reinterpret(&DType::Date32).unwrap();
        let n = Column::from_slice(&[1_i64, 2, 3, 4], &exec).unwrap();
        let columns = ColumnAccessor::from_columns([("day", days), ("n", n)]).unwrap();
        let frame = DataFrame::from_frame(Frame::new(columns, exec.clone()));
        let months = frame.resample("ME").on("day").sum().unwrap();
        assert_eq!(months.column("n").unwrap().to_vec::<i64>().unwrap(), [1, 5, 4]);
        assert_eq!(months.index().get(1).unwrap().to_string(), "2024-02-29");
        let weeks = frame.resample("10D").on("day").sum().unwrap();
        assert_eq!(weeks.column("n").unwrap().to_vec::<i64>().unwrap(), [3, 0, 3, 4]);
        let error = frame.resample("12h").on("day").sum().unwrap_err();
        assert!(error.to_string().contains("43200 s is no multiple of the unit of date32"), "{error}");
    }
}

#[test]
fn wrong_resamplings_are_refused() {
    let exec = Exec::host();
    let frame = frame(&[0, 60], &[("x", Column::from_slice(&[1_i64, 2], &exec).unwrap())], &exec);
    let said = |error: Error, kind: ErrorKind, text: &str| {
        assert_eq!(error.kind(), kind, "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    said(frame.resample("1H").sum().unwrap_err(), ErrorKind::Value, "character 1: write h");
    said(frame.resample("M").sum().unwrap_err(), ErrorKind::Value, "ME for ends of months");
    said(frame.resample("bh").sum().unwrap_err(), ErrorKind::NotImplemented, "the frequency bh");
    said(frame.resample("1ns").sum().unwrap_err(), ErrorKind::Value, "1 ns is no multiple of the unit");
    said(frame.resample("1h").on("y").sum().unwrap_err(), ErrorKind::Key, "there is no column");
    said(frame.resample("1h").on("x").sum().unwrap_err(), ErrorKind::Type, "int64");
    said(frame.ignore_index().resample("1h").sum().unwrap_err(), ErrorKind::Type, "int64");
    said(frame.resample("1h").offset(3).sum().unwrap_err(), ErrorKind::Value, "a duration is expected");
    let zoned = Scalar::TimestampTz(0, TimeUnit::Second, columnade_columns::TimeZone::utc());
    said(frame.resample("1h").origin(zoned).sum().unwrap_err(), ErrorKind::Value, "no time zone");
    said(frame.resample("1h").agg(col("x")).unwrap_err(), ErrorKind::Value, "agg");
    assert_eq!(frame.resample("1h").offset(hours(1)).sum().unwrap().len(), 2);
    let far = Column::from_slice(&[0_i64, i64::MAX / 2], &exec).unwrap();
    let far = far.reinterpret(&DType::Timestamp(TimeUnit::Nano)).unwrap();
    let columns = ColumnAccessor::from_columns([("t", far)]).unwrap();
    let far = DataFrame::from_frame(Frame::new(columns, exec.clone())).resample("1us").on("t");
    said(far.size().unwrap_err(), ErrorKind::Value, "bins from the first to the last time are more than");
}
