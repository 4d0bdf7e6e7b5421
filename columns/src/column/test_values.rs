//! Values read as Rust values, against the scalars that the column was built from.

use crate::calendar::Date;
use crate::test_execs::execs;
use crate::{
    Column, DType, Decimal, DecimalStorage, DictionaryType, Error, IntoColumn, Native, RowValue, Scalar,
    Time, TimeUnit, TimeZone, Timedelta, Timestamp,
};
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
            $(check::<$ty>(&<$ty as Native>::DTYPE, |row| {
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
    let mismatch = Error::RustType { dtype: DType::Int64, fits: "i64".to_owned(), asked: "i32".to_owned() };
    assert_eq!(column.to_options::<i32>().unwrap_err(), mismatch);
    assert_eq!(column.slice(0, 1).unwrap().to_vec::<i32>().unwrap_err(), mismatch);
    assert_eq!(i64::try_from(column.get(0).unwrap()), Ok(1));
    assert_eq!(i32::try_from(column.get(0).unwrap()).unwrap_err(), mismatch);
    assert!(matches!(i64::try_from(column.get(1).unwrap()).unwrap_err(), Error::InvalidArgument { .. }));
    assert_eq!(String::try_from(Scalar::from("é")), Ok("é".to_owned()));
}

#[test]
fn times_decimals_and_binary_read_with_their_unit_and_scale() {
    let counts = [0, 1, -1, i64::MAX, i64::MIN, 86_400];
    let count = |row: usize| counts[row % counts.len()];
    for unit in [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano] {
        let time = |row| Timestamp { value: count(row), unit };
        check::<Timestamp>(&DType::Timestamp(unit), |row| (time(row), Scalar::Timestamp(count(row), unit)));
        let zone = TimeZone::new("Europe/Rome").unwrap();
        let zoned = |row| Scalar::TimestampTz(count(row), unit, zone.clone());
        check::<Timestamp>(&DType::TimestampTz(unit, zone.clone()), |row| (time(row), zoned(row)));
        let clock = |row: usize| [0, 1, unit.per_day() - 1][row % 3];
        let of_day = |row| Time { value: clock(row), unit };
        check::<Time>(&DType::Time(unit), |row| (of_day(row), Scalar::Time(clock(row), unit)));
        let span = |row| Timedelta { value: count(row), unit };
        check::<Timedelta>(&DType::Duration(unit), |row| (span(row), Scalar::Duration(count(row), unit)));
    }
    for (precision, scale) in [(7, 2), (9, 0), (18, 18), (18, -3), (38, 0), (38, 5)] {
        let most = 10_i128.pow(precision) - 1;
        let value = |row: usize| [0, 1, -1, most, -most][row % 5];
        let precision = u8::try_from(precision).unwrap();
        let scalar = |row| Scalar::Decimal { value: value(row), precision, scale };
        let wide = DType::decimal_stored(precision, scale, DecimalStorage::Bits128).unwrap();
        for dtype in [DType::decimal(precision, scale).unwrap(), wide] {
            check::<Decimal>(&dtype, |row| (Decimal { value: value(row), scale }, scalar(row)));
            assert_eq!(i128::fits(&dtype), scale == 0, "{dtype}");
            if scale == 0 {
                check::<i128>(&dtype, |row| (value(row), scalar(row)));
            }
        }
    }
    let narrow = DType::decimal_stored(7, 2, DecimalStorage::Bits32).unwrap();
    check::<Decimal>(&narrow, |row| {
        let value = [1999, -1, 9_999_999][row % 3];
        (Decimal { value, scale: 2 }, Scalar::Decimal { value, precision: 7, scale: 2 })
    });
    let bytes = |row: usize| [&b"\xff\x00"[..], b"", b"abc"][row % 3].to_vec();
    check::<Vec<u8>>(&DType::Binary, |row| (bytes(row), Scalar::Binary(bytes(row))));
}

#[test]
fn lists_read_as_vectors_of_their_items() {
    let item = |row: usize, at: usize| i64::try_from(row * 10 + at).unwrap();
    let list = |row: usize| (0..row % 4).map(|at| item(row, at)).collect::<Vec<_>>();
    let scalar = |values: Vec<Scalar>, item: DType| Scalar::List { item: Box::new(item), values };
    check::<Vec<i64>>(&DType::list(DType::Int64), |row| {
        (list(row), scalar(list(row).into_iter().map(Scalar::Int64).collect(), DType::Int64))
    });
    let word = |row: usize, at: usize| at.is_multiple_of(2).then(|| "é".repeat((row + at) % 3));
    check::<Vec<Option<String>>>(&DType::list(DType::Utf8), |row| {
        let words: Vec<_> = (0..row % 5).map(|at| word(row, at)).collect();
        let scalars = words.iter().map(|word| match word {
            Some(word) => Scalar::Utf8(word.clone()),
            None => Scalar::Null(DType::Utf8),
        });
        (words.clone(), scalar(scalars.collect(), DType::Utf8))
    });
    check::<Vec<Vec<Timestamp>>>(&DType::list(DType::list(DType::Timestamp(TimeUnit::Milli))), |row| {
        let unit = TimeUnit::Milli;
        let times = |at: usize| (0..at).map(|value| item(row, value)).collect::<Vec<_>>();
        let lists = (0..row % 3).map(|at| {
            let scalars = times(at).into_iter().map(|value| Scalar::Timestamp(value, unit));
            scalar(scalars.collect(), DType::Timestamp(unit))
        });
        let values = (0..row % 3)
            .map(|at| times(at).into_iter().map(|value| Timestamp { value, unit }).collect())
            .collect();
        (values, scalar(lists.collect(), DType::list(DType::Timestamp(unit))))
    });
}

#[test]
fn null_items_and_every_dtype_have_a_type_that_reads_them() {
    for exec in execs() {
        let lists = vec![vec![Some(1_i64), None], vec![], vec![Some(2)]];
        let column = crate::from_iter(lists.clone()).into_column(&exec).unwrap();
        assert_eq!(column.to_vec::<Vec<Option<i64>>>().unwrap(), lists);
        let error = column.to_vec::<Vec<i64>>().unwrap_err().to_string();
        assert!(error.contains("row 0") && error.contains("Vec<Option<i64>>"), "{error}");
        assert_eq!(column.slice(1, 2).unwrap().to_vec::<Vec<i64>>().unwrap(), [vec![], vec![2]]);
        assert_eq!(column.to_vec::<Scalar>().unwrap(), column.to_scalars().unwrap());
        let some = Column::from_options([Some(1_i64), None], &exec).unwrap();
        assert_eq!(some.to_vec::<Option<i64>>().unwrap(), [Some(1), None]);
        assert_eq!(some.to_vec::<Scalar>().unwrap(), some.to_scalars().unwrap());
        assert_eq!(some.to_options::<Scalar>().unwrap(), [Some(Scalar::Int64(1)), None]);
    }
    let exec = Exec::host();
    for dtype in crate::test_dtypes::dtypes() {
        let column = Column::full_null(&dtype, 2, &exec).unwrap();
        assert_eq!(column.to_vec::<Scalar>().unwrap(), column.to_scalars().unwrap(), "{dtype}");
        let error = column.to_options::<Vec<Vec<Vec<bool>>>>().unwrap_err().to_string();
        assert!(error.starts_with(&format!("values of {dtype} are read as ")), "{error}");
        assert!(error.ends_with(", not as Vec<Vec<Vec<bool>>>"), "{error}");
    }
    let price = Scalar::Decimal { value: 150, precision: 5, scale: 2 };
    assert_eq!(Decimal::try_from(price.clone()), Ok(Decimal { value: 150, scale: 2 }));
    assert_eq!(
        i128::try_from(price).unwrap_err().to_string(),
        "values of decimal(5,2) are read as Decimal, not as i128"
    );
    let time = Timestamp { value: 7, unit: TimeUnit::Micro };
    assert_eq!(Timestamp::try_from(Scalar::from(time)), Ok(time));
    let span = Timedelta { value: -7, unit: TimeUnit::Nano };
    assert_eq!(Timedelta::try_from(Scalar::from(span)), Ok(span));
}
