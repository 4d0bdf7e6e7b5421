//! Casts from and to strings, as expressions.

use super::tests::texts;
use crate::expression::{Expr, col, evaluate, when};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    CategoricalColumn, Column, ColumnAccessor, DType, Error, Scalar, TimeUnit, TimeZone,
};

fn frame(name: &str, values: Column) -> ColumnAccessor {
    ColumnAccessor::from_columns([(name, values)]).unwrap()
}

fn value(expr: Expr, rows: &ColumnAccessor) -> Result<Column, Error> {
    value_on(expr, rows, &Exec::host())
}

fn value_on(expr: Expr, rows: &ColumnAccessor, exec: &Exec) -> Result<Column, Error> {
    Ok(evaluate(&[expr], rows, exec)?.swap_remove(0).1)
}

#[test]
fn values_of_every_dtype_are_read_as_they_are_written() {
    for device in Device::available() {
        check_dtypes(&Exec::new(device).unwrap());
    }
}

fn check_dtypes(exec: &Exec) {
    let zone = TimeZone::new("Europe/Berlin").unwrap();
    for (dtype, values) in [
        (DType::Bool, ["true", "false"]),
        (DType::Int8, ["-128", "127"]),
        (DType::UInt64, ["0", "18446744073709551615"]),
        (DType::Float32, ["0.1", "-3.5"]),
        (DType::Float64, ["1e300", "-0.0"]),
        (DType::decimal(7, 2).unwrap(), ["-0.05", "99999.99"]),
        (DType::decimal(38, 0).unwrap(), ["-1", "99999999999999999999999999999999999999"]),
        (DType::Date32, ["1969-12-31", "2024-02-29"]),
        (DType::Timestamp(TimeUnit::Second), ["1969-12-31 23:59:59", "2024-02-29 13:45:10"]),
        (
            DType::Timestamp(TimeUnit::Nano),
            ["1969-12-31 23:59:59.999999999", "2024-02-29 13:45:10.000000001"],
        ),
        (
            DType::TimestampTz(TimeUnit::Milli, zone),
            ["2024-07-01 12:00:00.500+02:00", "2024-01-01 00:00:00.000+01:00"],
        ),
        (
            DType::TimestampTz(TimeUnit::Nano, TimeZone::utc()),
            ["2262-04-11 23:47:16.854775807Z", "1677-09-21 00:12:43.145224192Z"],
        ),
        (
            DType::TimestampTz(TimeUnit::Second, TimeZone::new("-03:30").unwrap()),
            ["2024-07-01 12:00:00-03:30", "0001-12-31 23:59:59-03:30"],
        ),
        (DType::Duration(TimeUnit::Micro), ["2 days 03:04:05.000006", "-00:00:01.000000"]),
        (DType::Time(TimeUnit::Second), ["00:00:00", "23:59:59"]),
        (DType::Time(TimeUnit::Nano), ["00:00:00.000000001", "12:34:56.000000000"]),
    ] {
        let scalars: Vec<Scalar> = std::iter::once(Scalar::Null(dtype.clone()))
            .chain(values.iter().map(|text| Scalar::parse(&dtype, text).unwrap()))
            .collect();
        let rows = frame("a", Column::from_scalars(&dtype, &scalars, exec).unwrap());
        let written = value_on(col("a").cast(DType::Utf8), &rows, exec).unwrap();
        assert_eq!(texts(&written), ["<NA>", values[0], values[1]], "{dtype}");
        let read = value_on(col("a").cast(DType::Utf8).cast(dtype.clone()), &rows, exec).unwrap();
        assert_eq!(read.dtype(), dtype);
        assert_eq!(read.to_scalars().unwrap(), scalars, "{dtype}");
        let dictionary =
            Column::Categorical(CategoricalColumn::encode(&written).unwrap()).to_device(exec).unwrap();
        let read = value_on(col("a").cast(dtype.clone()), &frame("a", dictionary), exec).unwrap();
        assert_eq!(read.to_scalars().unwrap(), scalars, "{dtype} of a dictionary");
    }
}

#[test]
fn times_beyond_the_range_of_a_unit_are_an_overflow_with_row_and_value() {
    let zone = || TimeZone::new("Europe/Rome").unwrap();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (text, to, finest) in [
            ("3000-01-01", DType::Timestamp(TimeUnit::Nano), true),
            ("1000-01-01 00:00:00.5", DType::Timestamp(TimeUnit::Nano), true),
            ("3000-01-01 00:00:00Z", DType::TimestampTz(TimeUnit::Nano, zone()), true),
            ("300000 days 00:00:00", DType::Duration(TimeUnit::Nano), true),
            ("3000-01-41", DType::Timestamp(TimeUnit::Nano), false),
            ("x", DType::Duration(TimeUnit::Nano), false),
            ("25:00:00", DType::Time(TimeUnit::Nano), false),
        ] {
            let column = Column::from_options([None, Some(text), Some("y")], &exec).unwrap();
            let rows = frame("a", column);
            let error = value_on(col("a").cast(to.clone()), &rows, &exec).unwrap_err();
            let (row, value) = (1, text.to_owned());
            let expected = if finest {
                Error::ValueOverflow { row, value, dtype: to.clone() }
            } else {
                Error::Unparsable { row, value, dtype: to.clone() }
            };
            assert!(error.to_string().ends_with(&expected.to_string()), "{error}: {text} on {device}");
            let tried = value_on(col("a").try_cast(to), &rows, &exec).unwrap();
            assert_eq!(texts(&tried), ["<NA>"; 3], "{text} on {device}");
        }
    }
}

#[test]
fn text_that_is_no_value_is_an_error_with_row_and_value_or_null() {
    for device in Device::available() {
        check_wrong_text(&Exec::new(device).unwrap());
    }
}

fn check_wrong_text(exec: &Exec) {
    let words = Column::from_options([None, Some("7"), Some("x"), Some("8")], exec).unwrap();
    let kinds = Column::Categorical(CategoricalColumn::encode(&words).unwrap()).to_device(exec).unwrap();
    for column in [words, kinds] {
        let rows = frame("a", column.clone());
        let error = value_on(col("a").cast(DType::Int64) + 1, &rows, exec).unwrap_err();
        let expected = Error::Unparsable { row: 2, value: "x".to_owned(), dtype: DType::Int64 };
        assert_eq!(error, expected.in_expression("(a.cast(int64) + 1)"));
        assert!(error.to_string().ends_with("row 2: \"x\" is not a value of int64"), "{error}");
        assert_eq!(
            texts(&value_on(col("a").try_cast(DType::Int64) + 1, &rows, exec).unwrap()),
            ["<NA>", "8", "<NA>", "9"]
        );
        let small = value_on(col("a").try_cast(DType::Duration(TimeUnit::Second)), &rows, exec).unwrap();
        assert_eq!(texts(&small), ["<NA>"; 4]);
        // A value of the dictionary that no row has is no error.
        let some = frame("a", column.slice(0, 2).unwrap());
        assert_eq!(texts(&value_on(col("a").cast(DType::Int64), &some, exec).unwrap()), ["<NA>", "7"]);
    }
}

#[test]
fn casts_of_text_are_operands_and_keep_dictionaries_apart() {
    let rows = frame("a", Column::from_options([Some(1.5_f64), None, Some(-2.0)], &Exec::host()).unwrap());
    let written = when(col("a").gt(0)).then(col("a").cast(DType::Utf8)).otherwise("none");
    assert_eq!(texts(&value(written, &rows).unwrap()), ["1.5", "none", "none"]);
    let text = value(col("a").cast(DType::Utf8), &rows).unwrap();
    let dtype = CategoricalColumn::encode(&text).unwrap();
    let dtype = Column::Categorical(dtype).dtype();
    let kinds = value(col("a").cast(DType::Utf8).cast(dtype.clone()), &rows).unwrap();
    assert_eq!(kinds.dtype(), dtype);
    assert_eq!(texts(&kinds), ["1.5", "<NA>", "-2.0"]);
    assert_eq!(
        texts(&value(col("k").cast(DType::Utf8), &frame("k", kinds)).unwrap()),
        ["1.5", "<NA>", "-2.0"]
    );
}

#[test]
fn numbers_that_do_not_fit_are_null_where_asked() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let numbers = Column::from_options((0..40).map(|n| (n % 7 != 3).then_some(n * 10)), &exec).unwrap();
        let rows = frame("a", numbers);
        let small = evaluate(&[col("a").try_cast(DType::Int8)], &rows, &exec).unwrap().swap_remove(0).1;
        let expected =
            (0..40).map(|n| if n % 7 == 3 || n > 12 { "<NA>".to_owned() } else { (n * 10).to_string() });
        assert_eq!(texts(&small), expected.collect::<Vec<_>>(), "{device}");
    }
}

#[test]
fn casts_of_text_that_are_not_there_are_named() {
    let rows = frame("a", Column::from_values(["x"], &Exec::host()).unwrap());
    let error = value(col("a").cast(DType::list(DType::Int8)), &rows).unwrap_err();
    let expected = "expression a.cast(list<int8>): cast from utf8 to list<int8> is not implemented";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn instants_of_zones_that_are_not_known_are_written_in_utc() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let dtype = DType::TimestampTz(TimeUnit::Milli, TimeZone::new("Europe/Atlantis").unwrap());
        let values = [Scalar::Null(dtype.clone()), Scalar::parse(&dtype, "2024-07-01 12:00:00Z").unwrap()];
        let rows = frame("a", Column::from_scalars(&dtype, &values, &exec).unwrap());
        let written = value_on(col("a").cast(DType::Utf8), &rows, &exec).unwrap();
        assert_eq!(texts(&written), ["<NA>", "2024-07-01 12:00:00.000Z[Europe/Atlantis]"], "{device}");
        // As scalars are shown.
        assert_eq!(texts(&written)[1], values[1].to_string());
    }
}

#[test]
fn instants_at_changes_of_offset_are_written_as_scalars_are_shown() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for zone in ["Europe/Berlin", "America/St_Johns", "UTC", "+05:45", "Asia/Kolkata"] {
            for unit in [TimeUnit::Second, TimeUnit::Milli, TimeUnit::Micro, TimeUnit::Nano] {
                let dtype = DType::TimestampTz(unit, TimeZone::new(zone).unwrap());
                // Hours around a change, and from 1883 to 2056.
                let seconds = (0..8).map(|hour| 1_711_846_800 + 3600 * (hour - 4));
                let seconds = seconds.chain((0..40).map(|step| -2_750_000_001 + 137_000_003 * step));
                let values: Vec<Scalar> = seconds
                    .map(|second| {
                        Scalar::TimestampTz(second * unit.per_second(), unit, TimeZone::new(zone).unwrap())
                    })
                    .collect();
                let rows = frame("a", Column::from_scalars(&dtype, &values, &exec).unwrap());
                let written = value_on(col("a").cast(DType::Utf8), &rows, &exec).unwrap();
                let expected: Vec<String> = values.iter().map(Scalar::to_string).collect();
                assert_eq!(texts(&written), expected, "{dtype} on {device}");
                let read = value_on(col("a").cast(DType::Utf8).cast(dtype.clone()), &rows, &exec).unwrap();
                assert_eq!(read.to_scalars().unwrap(), values, "{dtype} on {device}");
            }
        }
    }
}
