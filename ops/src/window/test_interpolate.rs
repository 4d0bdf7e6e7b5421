//! Interpolated times against a naive reference, on every device, whole and by group.

use crate::cast::{CastMode, cast};
use crate::expression::{col, evaluate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Scalar, TimeUnit, TimeZone};
use columnade_tests::Rng;

/// Each null between two values as the one on the line between them, rounded down.
fn interpolated(values: &[Option<i64>]) -> Vec<Option<i64>> {
    (0..values.len())
        .map(|row| {
            if values[row].is_some() {
                return values[row];
            }
            let last = (0..row).rev().find(|&row| values[row].is_some())?;
            let next = (row..values.len()).find(|&row| values[row].is_some())?;
            let (a, b) = (i128::from(values[last]?), i128::from(values[next]?));
            let (place, distance) =
                (i128::try_from(row - last).unwrap(), i128::try_from(next - last).unwrap());
            Some(i64::try_from(a + ((b - a) * place).div_euclid(distance)).unwrap())
        })
        .collect()
}

fn counts(column: &Column, exec: &Exec) -> Vec<Option<i64>> {
    cast(column, &DType::Int64, CastMode::Checked, exec).unwrap().to_options::<i64>().unwrap()
}

#[test]
fn times_between_others_are_on_the_line_in_whole_units() {
    let berlin = TimeZone::new("Europe/Berlin").unwrap();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        for n in [0, 1, 31, 33, 64, 257] {
            for (dtype, most) in [
                (DType::Date32, 20_000),
                (DType::Timestamp(TimeUnit::Nano), 4_000_000_000_000_000_000),
                (DType::Timestamp(TimeUnit::Second), 2_000_000_000),
                (DType::TimestampTz(TimeUnit::Micro, berlin.clone()), 2_000_000_000_000_000),
                (DType::Duration(TimeUnit::Milli), 1000),
                (DType::Time(TimeUnit::Second), 86_399),
            ] {
                let is_signed = !matches!(dtype, DType::Time(_));
                let values: Vec<Option<i64>> = (0..n + 3)
                    .map(|_| {
                        let value = i64::try_from(rng.below(most)).unwrap();
                        let value = if is_signed && rng.below(2) == 0 { -value } else { value };
                        (rng.below(5) < 2).then_some(value)
                    })
                    .collect();
                let column = Column::from_options(values.clone(), &exec).unwrap();
                let column = cast(&column, &dtype, CastMode::Checked, &exec).unwrap().slice(3, n).unwrap();
                let group: Vec<i64> = (0..n).map(|row| i64::from(row % 3 == 0)).collect();
                let group = Column::from_slice(&group, &exec).unwrap();
                let frame = ColumnAccessor::from_columns([("t", column), ("g", group)]).unwrap();
                let what = format!("{dtype}, {n} rows on {device}");
                let found = evaluate(&[col("t").interpolate()], &frame, &exec).unwrap().swap_remove(0).1;
                assert_eq!(found.dtype(), dtype, "{what}");
                assert_eq!(counts(&found, &exec), interpolated(&values[3..]), "{what}");
                let by_group = col("t").interpolate().over([col("g")]);
                let found = evaluate(&[by_group], &frame, &exec).unwrap().swap_remove(0).1;
                let found = counts(&found, &exec);
                for of_third in [true, false] {
                    let rows: Vec<usize> = (0..n).filter(|row| (row % 3 == 0) == of_third).collect();
                    let of_group: Vec<Option<i64>> = rows.iter().map(|&row| values[row + 3]).collect();
                    let found: Vec<Option<i64>> = rows.iter().map(|&row| found[row]).collect();
                    assert_eq!(found, interpolated(&of_group), "{what}");
                }
                let near =
                    evaluate(&[col("t").interpolate_limit(1)], &frame, &exec).unwrap().swap_remove(0).1;
                assert_eq!(near.dtype(), dtype, "{what}");
            }
        }
    }
}

#[test]
fn interpolated_float32_stays_and_what_is_no_number_is_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let x = Column::from_options([Some(1.0_f32), None, None, Some(2.5), None], &exec).unwrap();
        let word = Column::from_values(["a", "b", "c", "d", "e"], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("x", x), ("w", word)]).unwrap();
        let found = evaluate(&[col("x").interpolate()], &frame, &exec).unwrap().swap_remove(0).1;
        assert_eq!(found.dtype(), DType::Float32);
        let shown: Vec<String> = found.to_scalars().unwrap().iter().map(Scalar::to_string).collect();
        assert_eq!(shown, ["1.0", "1.5", "2.0", "2.5", "<NA>"], "{device}");
        let refused = evaluate(&[col("w").interpolate()], &frame, &exec).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Type);
    }
}
