//! Bins of times on every device, against a naive reference.

use super::{aggregate_bins, time_bins};
use crate::expression::{Expr, col, len};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng};

/// The bin of a time, looked for in all of them.
fn bin(time: i64, edges: &[i64], right: bool) -> Option<usize> {
    (0..edges.len().saturating_sub(1)).find(|&bin| {
        let (low, high) = (edges[bin], edges[bin + 1]);
        if right { low < time && time <= high } else { low <= time && time < high }
    })
}

#[test]
fn bins_of_times_and_their_aggregates_match_reference() {
    let edges = [-40_i64, -10, -9, 0, 25, 30, 64];
    let bins = edges.len() - 1;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(43);
        for n in [0, 1, 31, 32, 33, 63, 64, 65, 700] {
            for nulls in Nulls::ALL {
                for right in [false, true] {
                    let mask = nulls.mask(n + 3, &mut rng);
                    let times: Vec<Option<i64>> = (0..n + 3)
                        .map(|row| {
                            let time = i64::try_from(rng.below(120)).unwrap() - 50;
                            mask.as_ref().is_none_or(|mask| mask[row]).then_some(time)
                        })
                        .collect();
                    let values: Vec<Option<i64>> =
                        (0..n + 3).map(|row| (row % 5 != 4).then_some(i64::try_from(row).unwrap())).collect();
                    let unit = DType::Timestamp(TimeUnit::Second);
                    let column =
                        Column::from_options(times.clone(), &exec).unwrap().reinterpret(&unit).unwrap();
                    let column = column.slice(3, n).unwrap();
                    let x = Column::from_options(values.clone(), &exec).unwrap().slice(3, n).unwrap();
                    let numbers = time_bins(&column, &edges, right, &exec).unwrap();
                    let of_row = |row: usize| times[row].and_then(|time| bin(time, &edges, right));
                    let expected: Vec<_> =
                        (3..n + 3).map(|row| of_row(row).map(|bin| i64::try_from(bin).unwrap())).collect();
                    assert_eq!(numbers.to_options::<i64>().unwrap(), expected, "{device} {n} {right}");

                    let frame = ColumnAccessor::from_columns([("bin", x)]).unwrap();
                    let x = || col("bin");
                    let aggregates = [
                        x().sum(),
                        len().alias("len"),
                        x().max().alias("max"),
                        (x().sum() + 1).alias("more"),
                    ];
                    let found = aggregate_bins(&frame, &numbers, bins, &aggregates, &exec).unwrap();
                    assert_eq!(found.labels(), ["bin", "len", "max", "more"]);
                    let mut expected = [const { Vec::new() }; 4];
                    for bin in 0..bins {
                        let rows: Vec<usize> = (3..n + 3).filter(|&row| of_row(row) == Some(bin)).collect();
                        let of_bin: Vec<i64> = rows.iter().filter_map(|&row| values[row]).collect();
                        let sum: i64 = of_bin.iter().sum();
                        expected[0].push(Some(sum));
                        expected[1].push(Some(i64::try_from(rows.len()).unwrap()));
                        expected[2].push(of_bin.iter().max().copied());
                        expected[3].push(Some(sum + 1));
                    }
                    for (column, expected) in found.columns().iter().zip(expected) {
                        assert_eq!(column.to_options::<i64>().unwrap(), expected, "{device} {n} {right}");
                    }
                }
            }
        }
    }
}

#[test]
fn bins_keep_strings_and_refuse_what_is_no_time() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let days = Column::from_values([4_i32, 1, 4], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        let words = Column::from_values(["é", "b", "c"], &exec).unwrap();
        let numbers = time_bins(&days, &[0, 2, 4, 6], false, &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("w", words.clone())]).unwrap();
        let first: [Expr; 1] = [col("w").first()];
        let found = aggregate_bins(&frame, &numbers, 3, &first, &exec).unwrap();
        let null = Scalar::Null(DType::Utf8);
        assert_eq!(found.columns()[0].to_scalars().unwrap(), ["b".into(), null, "é".into()]);
        // No bins at all.
        let none = time_bins(&days, &[7], false, &exec).unwrap();
        assert_eq!(aggregate_bins(&frame, &none, 0, &first, &exec).unwrap().rows(), 0);
        let error = time_bins(&words, &[0, 1], true, &exec).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type);
    }
}
