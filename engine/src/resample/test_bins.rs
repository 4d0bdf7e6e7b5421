//! Bins as pandas 3.0 makes them, on every device.

use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Scalar, TimeUnit, TimeZone};
use columnade_ops::expression::{Literal, col};

use super::{Edge, Origin};
use crate::dataframe::DataFrame;
use crate::frame::Frame;

/// A line for each case: the frequency, the time zone, the first time with the number of times and the seconds between them,
/// the sides with the origin and the offset, and what pandas gives for the values 1, 2, …: labels and sums.
const CASES: &str = include_str!("bins_of_pandas.txt");

fn numbers(text: &str) -> Vec<i64> {
    text.split_whitespace().map(|number| number.parse().unwrap()).collect()
}

fn side(text: &str) -> Option<Edge> {
    match text {
        "L" => Some(Edge::Left),
        "R" => Some(Edge::Right),
        other => {
            assert_eq!(other, "None");
            None
        }
    }
}

#[test]
fn bins_and_labels_match_pandas() {
    assert!(CASES.lines().count() >= 70);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for case in CASES.lines() {
            let parts: Vec<&str> = case.split('|').map(str::trim).collect();
            let [frequency, zone, times, options, labels, sums] = parts[..] else { panic!("{case}") };
            let [start, count, step] = numbers(times)[..] else { panic!("{case}") };
            let zone = (zone != "-").then(|| TimeZone::new(zone).unwrap());
            for unit in [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Nano] {
                let scale = unit.per_second();
                let dtype = match &zone {
                    Some(zone) => DType::TimestampTz(unit, zone.clone()),
                    None => DType::Timestamp(unit),
                };
                let options: Vec<&str> = options.split_whitespace().collect();
                let origin = match options[2] {
                    "start_day" => Origin::StartDay,
                    "epoch" => Origin::Epoch,
                    "start" => Origin::Start,
                    "end" => Origin::End,
                    "end_day" => Origin::EndDay,
                    seconds => {
                        let seconds = seconds.parse().unwrap();
                        Origin::Timestamp(match &zone {
                            Some(zone) => Scalar::TimestampTz(seconds, TimeUnit::Second, zone.clone()),
                            None => Scalar::Timestamp(seconds, TimeUnit::Second),
                        })
                    }
                };
                // The order of the rows is of no importance, and a null is in no bin.
                let rows = (0..count).rev().map(|row| Some(((start + row * step) * scale, row + 1)));
                let rows: Vec<Option<(i64, i64)>> = std::iter::once(None).chain(rows).collect();
                let t: Vec<Option<i64>> = rows.iter().map(|row| row.map(|(time, _)| time)).collect();
                let n: Vec<i64> = rows.iter().map(|row| row.map_or(99, |(_, n)| n)).collect();
                let t = Column::from_options(t, &exec).unwrap().reinterpret(&dtype).unwrap();
                let columns = [("t", t), ("n", Column::from_slice(&n, &exec).unwrap())];
                let columns = ColumnAccessor::from_columns(columns).unwrap();
                let frame = DataFrame::from_frame(Frame::new(columns, exec.clone()));
                let offset: i128 = options[3].parse().unwrap();
                let mut bins = frame.resample(frequency).on("t").origin(origin);
                bins = bins.offset(Literal::Duration(offset * 1_000_000_000));
                if let Some(closed) = side(options[0]) {
                    bins = bins.closed(closed);
                }
                if let Some(label) = side(options[1]) {
                    bins = bins.label(label);
                }
                let found = bins.agg(col("n").sum()).unwrap();
                assert_eq!(
                    found.column("n").unwrap().to_vec::<i64>().unwrap(),
                    numbers(sums),
                    "{device} {case}"
                );
                let index = &found.index().columns(&exec).unwrap()[0];
                assert_eq!(index.dtype(), dtype);
                let index = index.reinterpret(&DType::Int64).unwrap().to_vec::<i64>().unwrap();
                let expected: Vec<i64> = numbers(labels).iter().map(|label| label * scale).collect();
                assert_eq!(index, expected, "{device} {case}");
            }
        }
    }
}
