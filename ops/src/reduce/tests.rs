//! Reductions of typed columns.

use super::{Aggregation, reduce};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, DType, ErrorKind};
use std::sync::Arc;

/// Sum, min, max, mean, count and size as text, `-` where there is none.
fn all(column: &Column, exec: &Exec) -> Vec<String> {
    Aggregation::ALL
        .iter()
        .map(|&aggregation| match reduce(aggregation, column, exec) {
            Ok(reduced) => {
                assert_eq!(reduced.dtype(), aggregation.dtype(&column.dtype()).unwrap());
                assert_eq!(reduced.size(), 1);
                reduced.get(0).unwrap().to_string()
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Type, "{error}");
                "-".to_owned()
            }
        })
        .collect()
}

#[test]
fn every_aggregation_of_every_kind() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let cents = DType::decimal(15, 2).unwrap();
        let ints = Column::from_options([Some(9_i64), Some(3), None, Some(-4)], &exec).unwrap();
        let ints = ints.slice(1, 3).unwrap();
        let words = Column::from_options([Some("b"), None, Some("é"), Some("a")], &exec).unwrap();
        let codes = Column::from_slice(&[0_i8, 1, 0], &exec).unwrap();
        let dictionary = Arc::new(Column::from_values(["m", "b"], &exec).unwrap());
        let category = Column::Categorical(CategoricalColumn::new(&codes, dictionary).unwrap());
        for (column, expected) in [
            (ints.clone(), ["-1", "-4", "3", "-0.5", "2", "3"]),
            (ints.reinterpret(&cents).unwrap(), ["-0.01", "-0.04", "0.03", "-0.005", "2", "3"]),
            (
                Column::from_values([true, false, true, true], &exec).unwrap(),
                ["3", "false", "true", "0.75", "4", "4"],
            ),
            (Column::from_slice(&[f64::NAN, 1.5], &exec).unwrap(), ["NaN", "1.5", "1.5", "NaN", "2", "2"]),
            (Column::from_slice(&[200_u8, 100], &exec).unwrap(), ["300", "100", "200", "150.0", "2", "2"]),
            (words, ["-", "a", "é", "-", "3", "4"]),
            (category, ["-", "b", "m", "-", "3", "3"]),
            (Column::full_null(&DType::Int8, 2, &exec).unwrap(), ["0", "<NA>", "<NA>", "<NA>", "0", "2"]),
            (Column::full_null(&DType::Utf8, 0, &exec).unwrap(), ["-", "<NA>", "<NA>", "-", "0", "0"]),
            (Column::full_null(&DType::Date32, 0, &exec).unwrap(), ["-", "<NA>", "<NA>", "-", "0", "0"]),
        ] {
            assert_eq!(all(&column, &exec), expected, "{} {device}", column.dtype());
        }
    }
}

#[test]
fn sums_of_decimals_do_not_overflow_64_bits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let most = 999_999_999_999_999_999_i64;
        let column = Column::from_slice(&vec![most; 100], &exec).unwrap();
        let column = column.reinterpret(&DType::decimal(18, 0).unwrap()).unwrap();
        let sum = reduce(Aggregation::Sum, &column, &exec).unwrap();
        assert_eq!(sum.get(0).unwrap().to_string(), "99999999999999999900", "{device}");
    }
}
