//! Bins within groups and of durations, frequencies of labels, with results of pandas 3.1.1, on every device.

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar, TimeUnit};
use columnade_ops::expression::{col, hours, len};

use super::tests::{execs, frame, minutes_of};
use super::{Edge, Grouper, Origin};
use crate::dataframe::DataFrame;
use crate::date_range_periods;
use crate::frame::Frame;
use crate::index::Index;

/// Rows of two groups, and of a null one.
fn rows(exec: &Exec) -> DataFrame {
    let k = [Some("a"), Some("a"), Some("b"), Some("b"), Some("b"), Some("a"), None];
    let k = Column::from_options(k, exec).unwrap();
    let n = Column::from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], exec).unwrap();
    let w = Column::from_values(["x", "é", "z", "u", "v", "p", "q"], exec).unwrap();
    frame(&[10, 140, 75, 2820, 2970, 300, 9000], &[("k", k), ("n", n), ("w", w)], exec)
}

fn keys_and_minutes(index: &Index, exec: &Exec) -> Vec<(String, i64)> {
    let keys = index.columns(exec).unwrap()[0].to_scalars().unwrap();
    let times = Index::of_owned(&["t".into()], vec![index.columns(exec).unwrap()[1].clone()], exec);
    keys.iter().map(ToString::to_string).zip(minutes_of(&times, exec)).collect()
}

#[test]
fn bins_of_groups_match_pandas() {
    for exec in execs() {
        let frame = rows(&exec);
        let b = |times: &[i64]| times.iter().map(|time| ("b".to_owned(), *time)).collect::<Vec<_>>();
        let a = |times: &[i64]| times.iter().map(|time| ("a".to_owned(), *time)).collect::<Vec<_>>();
        let halves = || frame.group_by("k").resample("12h");
        let usual = [3.0, 0.0, 0.0, 4.0, 5.0];
        for (bins, of_a, sums_of_a, of_b, sums_of_b) in [
            (halves(), vec![0], vec![9.0], vec![0, 720, 1440, 2160, 2880], usual.to_vec()),
            (
                halves().closed(Edge::Right),
                vec![0],
                vec![9.0],
                vec![0, 720, 1440, 2160, 2880],
                usual.to_vec(),
            ),
            (
                halves().label(Edge::Right),
                vec![720],
                vec![9.0],
                vec![720, 1440, 2160, 2880, 3600],
                usual.to_vec(),
            ),
            (
                halves().origin(Origin::Start),
                vec![10],
                vec![9.0],
                vec![75, 795, 1515, 2235, 2955],
                usual.to_vec(),
            ),
            (
                halves().origin(Origin::End),
                vec![300],
                vec![9.0],
                vec![90, 810, 1530, 2250, 2970],
                vec![3.0, 0.0, 0.0, 0.0, 9.0],
            ),
            (
                halves().offset(hours(1)),
                vec![-660, 60],
                vec![1.0, 8.0],
                vec![60, 780, 1500, 2220, 2940],
                usual.to_vec(),
            ),
        ] {
            let found = bins.select("n").sum().unwrap();
            assert_eq!(found.column("n").unwrap().to_vec::<f64>().unwrap(), [sums_of_a, sums_of_b].concat());
            assert_eq!(keys_and_minutes(found.index(), &exec), [a(&of_a), b(&of_b)].concat());
        }
        // The keys are no columns, and text has no sum.
        assert_eq!(halves().sum().unwrap().columns(), ["n"]);
        assert_eq!(halves().last().unwrap().columns(), ["n", "w"]);
        let months = frame.group_by("k").resample("ME");
        let months = months.agg([col("n").mean(), col("w").last().alias("last"), len()]).unwrap();
        assert_eq!(months.column("n").unwrap().to_vec::<f64>().unwrap(), [3.0, 4.0]);
        assert_eq!(months.column("last").unwrap().to_vec::<String>().unwrap(), ["p", "v"]);
        assert_eq!(halves().size().unwrap().to_vec::<i64>().unwrap(), [3, 1, 0, 0, 1, 1]);
        let with_null = frame.group_by("k").dropna(false).sort(true).resample("D").size().unwrap();
        assert_eq!(with_null.to_vec::<i64>().unwrap(), [3, 1, 1, 1, 1]);
        let some = frame.rows_where(col("n").gt(3));
        assert!(some.resample("D").sum().is_ok());
        let some = frame.group_by("k").rows_where(col("n").gt(4)).resample("D").select("n").sum().unwrap();
        assert_eq!(some.column("n").unwrap().to_vec::<f64>().unwrap(), [5.0, 6.0]);
        let none = frame.slice(0, 0).unwrap().group_by("k").resample("D");
        assert_eq!((none.sum().unwrap().shape(), none.ffill(None).unwrap().len()), ((0, 1), 0));
    }
}

#[test]
fn rows_of_bins_of_groups_match_pandas() {
    for exec in execs() {
        let k = Column::from_values(["a", "b", "a"], &exec).unwrap();
        let n = Column::from_slice(&[1.0, 2.0, 3.0], &exec).unwrap();
        let rows = frame(&[0, 120, 180], &[("k", k), ("n", n)], &exec);
        let hours = rows.group_by("k").resample("1h");
        let values = |found: &DataFrame| found.column("n").unwrap().to_options::<f64>().unwrap();
        let (one, two, three) = (Some(1.0), Some(2.0), Some(3.0));
        let exact = hours.asfreq().unwrap();
        assert_eq!(values(&exact), [one, None, None, three, two]);
        assert_eq!(exact.columns(), ["n"]);
        let labels = keys_and_minutes(exact.index(), &exec);
        let labels: Vec<(&str, i64)> = labels.iter().map(|(key, time)| (key.as_str(), *time)).collect();
        assert_eq!(labels, [("a", 0), ("a", 60), ("a", 120), ("a", 180), ("b", 120)]);
        assert_eq!(values(&hours.ffill(None).unwrap()), [one, one, one, three, two]);
        assert_eq!(values(&hours.ffill(Some(1)).unwrap()), [one, one, None, three, two]);
        assert_eq!(values(&hours.bfill(None).unwrap()), [one, three, three, three, two]);
        let lines = values(&hours.interpolate().unwrap());
        assert_eq!(lines, [one, Some(1.0 + 2.0 / 3.0), Some(1.0 + 4.0 / 3.0), three, two]);
    }
}

#[test]
fn bins_of_durations_match_pandas() {
    for exec in execs() {
        for unit in [TimeUnit::Second, TimeUnit::Nano] {
            let dtype = DType::Duration(unit);
            let minute = 60 * unit.per_second();
            let of_minutes = |minutes: &[i64]| {
                let times: Vec<i64> = minutes.iter().map(|minutes| minutes * minute).collect();
                Column::from_slice(&times, &exec).unwrap().reinterpret(&dtype).unwrap()
            };
            let n = Column::from_slice(&[5_i64, 1, 3, 2, 4], &exec).unwrap();
            let columns = ColumnAccessor::from_columns([("n", n)]).unwrap();
            let rows = DataFrame::from_frame(Frame::new(columns, exec.clone()));
            let index = Index::of_owned(&["d".into()], vec![of_minutes(&[230, 10, 70, 50, 185])], &exec);
            let rows = rows.with_index(&index).unwrap();
            let hours_of = || rows.resample("1h");
            let left: [&[i64]; 2] = [&[10, 70, 130, 190], &[3, 3, 4, 5]];
            let right: [&[i64]; 2] = [&[10, 70, 130, 190, 250], &[1, 5, 0, 4, 5]];
            for (bins, [labels, sums]) in [
                (hours_of(), left),
                (hours_of().closed(Edge::Right), right),
                (hours_of().label(Edge::Right), left),
                (hours_of().offset(hours(1)), [&[70, 130, 190, 250], &[3, 3, 4, 5]]),
                (hours_of().origin(Origin::Epoch), left),
                (rows.resample("D"), [&[10], &[15]]),
            ] {
                let found = bins.sum().unwrap();
                assert_eq!(found.column("n").unwrap().to_vec::<i64>().unwrap(), sums);
                let index = &found.index().columns(&exec).unwrap()[0];
                assert_eq!(index.dtype(), dtype);
                let index = index.reinterpret(&DType::Int64).unwrap().to_vec::<i64>().unwrap();
                assert_eq!(index, labels.iter().map(|label| label * minute).collect::<Vec<_>>());
            }
            let n = |found: &DataFrame| found.column("n").unwrap().to_options::<i64>().unwrap();
            let exact = n(&rows.resample("30min").asfreq().unwrap());
            assert_eq!(exact, [Some(1), None, Some(3), None, None, None, None, None]);
            let before = n(&hours_of().closed(Edge::Right).ffill(None).unwrap());
            assert_eq!(before, [1, 3, 3, 4, 5].map(Some));
            let error = rows.resample("ME").sum().unwrap_err();
            assert!(error.kind() == ErrorKind::Value && error.to_string().contains("such as 24h"), "{error}");
        }
    }
}

#[test]
fn a_grouper_alone_has_all_bins() {
    for exec in execs() {
        let k = Column::from_slice(&[1_i64, 2, 3, 4, 5], &exec).unwrap();
        let rows = frame(&[230, 50, 70, 10, 185], &[("n", k)], &exec);
        let groups = rows.group_by_with([Grouper::every("1h")]).unwrap();
        let found = groups
            .clone()
            .as_index(true)
            .agg([col("n").sum(), col("n").mean().alias("mean"), len()])
            .unwrap();
        assert_eq!(minutes_of(found.index(), &exec), [0, 60, 120, 180]);
        assert_eq!(found.column("n").unwrap().to_vec::<i64>().unwrap(), [6, 3, 0, 6]);
        let means = found.column("mean").unwrap().to_options::<f64>().unwrap();
        assert_eq!(means, [Some(3.0), Some(3.0), None, Some(3.0)]);
        assert_eq!(found.column("len").unwrap().to_vec::<i64>().unwrap(), [2, 1, 0, 2]);
        assert_eq!(groups.agg(len()).unwrap().columns(), ["t", "len"]);
        // Rows of groups are those that there are.
        assert_eq!(groups.head(1).unwrap().column("n").unwrap().to_vec::<i64>().unwrap(), [1, 2, 3]);
        let empty = rows.slice(0, 0).unwrap().group_by_with([Grouper::every("1h")]).unwrap();
        assert_eq!(empty.agg(len()).unwrap().shape(), (0, 2));
    }
}

#[test]
fn inferred_frequencies_match_pandas() {
    let dtype = DType::Timestamp(TimeUnit::Second);
    let frequency = |index: &Index| index.as_datetime().unwrap().inferred_freq().unwrap();
    for (start, periods, given, expected) in [
        ("2024-01-31", 6, "ME", Some("ME")),
        ("2024-01-01", 5, "MS", Some("MS")),
        ("2024-01-01", 5, "2MS", Some("2MS")),
        ("2024-01-01", 5, "QS-FEB", Some("QS-FEB")),
        ("2024-01-01", 5, "QE-FEB", Some("QE-NOV")),
        ("2024-01-01", 4, "BQE-NOV", Some("BQE-NOV")),
        ("2024-01-01", 4, "BYS", Some("YS-JAN")),
        ("2020-06-30", 4, "YE-JUN", Some("YE-JUN")),
        ("2024-01-01", 4, "W-WED", Some("W-WED")),
        ("2024-01-01", 4, "3D", Some("3D")),
        ("2024-01-01", 9, "B", Some("B")),
        ("2024-01-01", 5, "WOM-3FRI", Some("WOM-3FRI")),
        ("2024-01-01", 5, "BMS", Some("MS")),
        ("2024-01-01", 5, "BME", Some("BME")),
        ("2024-01-01", 5, "6h", Some("6h")),
        ("2024-01-01", 5, "90min", Some("90min")),
        ("2024-01-01", 5, "45s", Some("45s")),
        ("2024-01-01", 5, "SME", None),
        ("2024-01-01", 2, "D", None),
    ] {
        let times = date_range_periods(&dtype, start, periods, given).unwrap();
        let index = Index::from_series(&times).unwrap();
        assert_eq!(frequency(&index).as_deref(), expected, "{given}");
    }
    let days = date_range_periods(&dtype, "2024-01-01", 9, "B").unwrap();
    let days = Index::from_series(&days.take([0, 1, 2, 4]).unwrap()).unwrap();
    assert_eq!(frequency(&days), None);
    let days = date_range_periods(&DType::Date32, "2024-01-31", 4, "ME").unwrap();
    assert_eq!(frequency(&Index::from_series(&days).unwrap()).as_deref(), Some("ME"));
    let exec = Exec::host();
    let hours = Column::from_slice(&[10_i64, 70, 130], &exec).unwrap();
    let hours = hours.reinterpret(&DType::Duration(TimeUnit::Milli)).unwrap();
    let Index::Timedelta(index) = Index::of_owned(&[columnade_columns::Label::NULL], vec![hours], &exec)
    else {
        panic!("an index of durations")
    };
    assert_eq!(index.inferred_freq().unwrap().as_deref(), Some("60ms"));
}

#[test]
fn frequencies_that_are_not_implemented_are_named() {
    let exec = Exec::host();
    let frame = rows(&exec);
    for name in ["C", "bh", "cbh", "CBMS", "CBME"] {
        let error = frame.resample(name).select("n").sum().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
        assert!(error.to_string().contains(&format!("the frequency {name}")), "{error}");
    }
    for name in ["WOM", "WOM-5MON", "WOM-MON", "WOM-2XXX", "LWOM", "LWOM-1MON"] {
        let error = frame.resample(name).select("n").sum().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Value, "{error}");
    }
    let scalar = frame.resample("WOM-1MON").select("n").sum().unwrap().index().get(0).unwrap();
    assert!(matches!(scalar, Scalar::Timestamp(..)));
}
