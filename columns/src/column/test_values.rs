//! Values read as Rust values, against the scalars that the column was built from.

use crate::calendar::Date;
use crate::test_execs::execs;
use crate::{Column, DType, DictionaryType, Error, RowValue, Scalar};
use columnade_buffers::Exec;
use columnade_kernels::Storage;
use std::fmt;

/// Rows of every null pattern and slice of these values on every device: read as `T`, they are what was put in.
fn check<T: RowValue + PartialEq + fmt::Debug>(dtype: &DType, value: impl Fn(usize) -> (T, Scalar)) {
    for exec in execs() {
        for rows in [0, 1, 31, 32, 33, 63, 64, 65, 1025] {
            for nulls in [0, 1, 2, 3] {
                let is_null = |row: usize| nulls == 1 || (nulls > 1 && row % nulls == 1);
                let scalar = |row| if is_null(row) { Scalar::Null(dtype.clone()) } else { value(row).1 };
                let scalars: Vec<Scalar> = (0..rows).map(scalar).collect();
                let column = Column::from_scalars(dtype, &scalars, &exec).unwrap();
                for (start, len) in
                    [(0, rows), (rows.min(7), rows.saturating_sub(9)), (rows / 2, rows - rows / 2)]
                {
                    let slice = column.slice(start, len).unwrap();
                    let expected: Vec<Option<T>> =
                        (start..start + len).map(|row| (!is_null(row)).then(|| value(row).0)).collect();
                    assert_eq!(slice.to_options::<T>().unwrap(), expected, "{dtype} {rows} {nulls} {start}");
                    let all: Option<Vec<T>> = expected.into_iter().collect();
                    assert_eq!(slice.to_vec::<T>().ok(), all, "{dtype} {rows} {nulls} {start}");
                }
            }
        }
    }
}

#[test]
fn rows_of_every_dtype_read_as_rust_values() {
    macro_rules! numbers {
        ($($ty:ty),*) => {
            $(check::<$ty>(&<$ty as RowValue>::DTYPE, |row| {
                let value = [<$ty>::MIN, <$ty>::MAX, <$ty>::default()][row % 3];
                (value, Scalar::from(value))
            });)*
        };
    }
    numbers!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64);
    check::<bool>(&DType::Bool, |row| (row % 3 == 0, Scalar::Bool(row % 3 == 0)));
    let string = |row: usize| ["", "a", "é日", "longer than the others"][row % 4].repeat(row % 3);
    check::<String>(&DType::Utf8, |row| (string(row), Scalar::Utf8(string(row))));
    for codes in [Storage::I8, Storage::I16, Storage::I32, Storage::I64] {
        let dictionary = DictionaryType { codes, values: DType::Utf8, ordered: false };
        let dtype = DType::Dictionary(Box::new(dictionary));
        check::<String>(&dtype, |row| (string(row), Scalar::Utf8(string(row))));
    }
    check::<Date>(&DType::Date32, |row| {
        let date = [(1970, 1, 1), (1969, 12, 31), (2000, 2, 29), (9999, 12, 31)][row % 4];
        let days = [0, -1, 11_016, 2_932_896][row % 4];
        (Date { year: date.0, month: date.1, day: date.2 }, Scalar::Date32(days))
    });
}

#[test]
fn values_of_another_type_and_nulls_without_options_are_errors() {
    let exec = Exec::host();
    let column = Column::from_options([Some(1_i64), None], &exec).unwrap();
    let error = column.to_vec::<i64>().unwrap_err();
    assert!(error.to_string().contains("1 of 2 rows are null"), "{error}");
    let mismatch = Error::DTypeMismatch { left: DType::Int32, right: DType::Int64 };
    assert_eq!(column.to_options::<i32>().unwrap_err(), mismatch);
    assert_eq!(column.slice(0, 1).unwrap().to_vec::<i32>().unwrap_err(), mismatch);
    assert_eq!(i64::try_from(column.get(0).unwrap()), Ok(1));
    assert_eq!(i32::try_from(column.get(0).unwrap()).unwrap_err(), mismatch);
    assert!(matches!(i64::try_from(column.get(1).unwrap()).unwrap_err(), Error::InvalidArgument { .. }));
    assert_eq!(String::try_from(Scalar::from("é")), Ok("é".to_owned()));
}
