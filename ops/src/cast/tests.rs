//! Casts between dtypes.

use super::{CastMode, cast, decode};
use crate::expression::{col, evaluate};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{
    CategoricalColumn, Column, ColumnAccessor, DType, DecimalStorage, Error, ErrorKind, NumericColumn,
    Scalar, TimeUnit, TimeZone,
};
use std::sync::Arc;

fn decimal(precision: u8, scale: i8) -> DType {
    DType::decimal(precision, scale).unwrap()
}

/// `texts` as a column of `dtype`, with a null in front and sliced from row 3 on.
fn column(dtype: &DType, texts: &[&str], exec: &Exec) -> Column {
    let null = || Scalar::Null(dtype.clone());
    let mut scalars = vec![null(), null(), null(), null()];
    scalars.extend(texts.iter().map(|text| Scalar::parse(dtype, text).unwrap()));
    Column::from_scalars(dtype, &scalars, exec).unwrap().slice(3, texts.len() + 1).unwrap()
}

pub(super) fn texts(column: &Column) -> Vec<String> {
    column.to_scalars().unwrap().iter().map(ToString::to_string).collect()
}

#[test]
fn cast_keeps_values() {
    use DType::{Bool, Date32, Float32, Float64, Int8, Int32, Int64, Timestamp, UInt64};
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let (second, nano) = (Timestamp(TimeUnit::Second), Timestamp(TimeUnit::Nano));
        for (from, input, to, expected) in [
            (Int8, vec!["-3", "127"], Float64, vec!["-3.0", "127.0"]),
            (Float64, vec!["-3.9", "2.5"], Int32, vec!["-3", "2"]),
            (Bool, vec!["true", "false"], Int64, vec!["1", "0"]),
            (Float32, vec!["0.0", "0.5"], Bool, vec!["false", "true"]),
            (Int8, vec!["-3", "12"], decimal(15, 2), vec!["-3.00", "12.00"]),
            (UInt64, vec!["18446744073709551615"], decimal(38, 2), vec!["18446744073709551615.00"]),
            (Bool, vec!["true"], decimal(3, 1), vec!["1.0"]),
            (decimal(15, 2), vec!["1.25", "-1.25"], decimal(38, 4), vec!["1.2500", "-1.2500"]),
            (decimal(15, 2), vec!["1.25", "-1.25"], decimal(10, 1), vec!["1.3", "-1.3"]),
            (decimal(38, 3), vec!["1.500", "-2.499"], Int8, vec!["2", "-2"]),
            (decimal(15, 2), vec!["0.10", "-7.25"], Float64, vec!["0.1", "-7.25"]),
            (Float64, vec!["0.1", "-2.345", "1e10"], decimal(15, 2), vec!["0.10", "-2.35", "10000000000.00"]),
            (Date32, vec!["1969-12-31"], nano.clone(), vec!["1969-12-31 00:00:00.000000000"]),
            (second.clone(), vec!["1969-12-31 23:59:59"], Date32, vec!["1969-12-31"]),
            (
                nano.clone(),
                vec!["1969-12-31 23:59:59.999999999"],
                second.clone(),
                vec!["1969-12-31 23:59:59"],
            ),
            (Int32, vec!["-1"], Date32, vec!["1969-12-31"]),
            (Date32, vec!["1970-01-11"], Int8, vec!["10"]),
            (Int8, vec!["60"], second, vec!["1970-01-01 00:01:00"]),
        ] {
            let cast = cast(&column(&from, &input, &exec), &to, CastMode::Checked, &exec).unwrap();
            assert_eq!(cast.dtype(), to);
            let expected: Vec<&str> = [vec!["<NA>"], expected].concat();
            assert_eq!(texts(&cast), expected, "{from} to {to} on {device}");
        }
    }
}

#[test]
fn cast_of_value_out_of_range_is_overflow() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (from, input, to) in [
            (DType::Int32, "300", DType::Int8),
            (DType::Float64, "NaN", DType::Int64),
            (DType::Int64, "1000", decimal(4, 2)),
            (decimal(15, 2), "100.00", decimal(3, 1)),
            (DType::Float64, "1e30", decimal(15, 2)),
            (DType::Float64, "NaN", decimal(15, 2)),
            (DType::Timestamp(TimeUnit::Second), "9999-01-01 00:00:00", DType::Timestamp(TimeUnit::Nano)),
            (DType::Duration(TimeUnit::Second), "200000 days 00:00:00", DType::Duration(TimeUnit::Nano)),
            (decimal(15, 2), "200.00", DType::Int8),
        ] {
            let refused = cast(&column(&from, &[input], &exec), &to, CastMode::Checked, &exec).unwrap_err();
            let value = Scalar::parse(&from, input).unwrap().to_string();
            assert_eq!(
                refused,
                Error::ValueOverflow { row: 1, value, dtype: to },
                "{from} {input} on {device}"
            );
        }
        let wrapped =
            cast(&column(&DType::Int32, &["300"], &exec), &DType::Int8, CastMode::Wrap, &exec).unwrap();
        assert_eq!(texts(&wrapped), ["<NA>", "44"]);
    }
}

#[test]
fn cast_between_unrelated_dtypes_is_an_error() {
    let exec = Exec::host();
    let kind = |from: &DType, text: &str, to: &DType| {
        cast(&column(from, &[text], &exec), to, CastMode::Checked, &exec).unwrap_err().kind()
    };
    assert_eq!(kind(&DType::Bool, "true", &DType::Date32), ErrorKind::Type);
    assert_eq!(kind(&DType::Date32, "1970-01-01", &DType::Bool), ErrorKind::Type);
    assert_eq!(kind(&decimal(5, 2), "1.00", &DType::Date32), ErrorKind::Type);
    assert_eq!(kind(&DType::Time(TimeUnit::Micro), "00:00:01", &DType::Date32), ErrorKind::Type);
    assert_eq!(kind(&DType::Date32, "1970-01-01", &DType::Time(TimeUnit::Micro)), ErrorKind::Type);
    let zoned = |unit| DType::TimestampTz(unit, TimeZone::new("Europe/Berlin").unwrap());
    let micro = TimeUnit::Micro;
    for (from, text) in [
        (DType::Timestamp(micro), "1970-01-01 00:00:00"),
        (zoned(micro), "1970-01-01 00:00:00Z"),
        (DType::Duration(micro), "00:00:01"),
    ] {
        for to in [DType::Timestamp(micro), zoned(micro), DType::Duration(micro), DType::Bool] {
            // A timestamp with a time zone has a local time; the reverse may be ambiguous.
            if (&from, &to) == (&zoned(micro), &DType::Timestamp(micro)) {
                let local = cast(&column(&from, &[text], &exec), &to, CastMode::Checked, &exec).unwrap();
                assert_eq!(texts(&local), ["<NA>", "1970-01-01 01:00:00.000000"]);
                assert_eq!(kind(&to, "1970-01-01 00:00:00", &from), ErrorKind::Type, "{to} to {from}");
            } else if from != to && (&to, &from) != (&zoned(micro), &DType::Timestamp(micro)) {
                assert_eq!(kind(&from, text, &to), ErrorKind::Type, "{from} to {to}");
                let back = cast(&Column::full_null(&to, 1, &exec).unwrap(), &from, CastMode::Checked, &exec);
                assert_eq!(back.unwrap_err().kind(), ErrorKind::Type, "{to} to {from}");
            }
        }
        assert_eq!(kind(&from, text, &DType::list(DType::Int8)), ErrorKind::NotImplemented);
    }
    assert_eq!(
        kind(
            &DType::Int8,
            "5",
            &DType::Decimal { precision: 39, scale: 0, storage: DecimalStorage::Bits128 }
        ),
        ErrorKind::Value
    );
    assert_eq!(kind(&DType::Utf8, "5", &DType::list(DType::Int8)), ErrorKind::NotImplemented);
    assert_eq!(kind(&DType::Utf8, "x", &DType::Int64), ErrorKind::Value);
}

#[test]
fn cast_of_durations_time_zones_and_nulls_converts() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let zone = |name| TimeZone::new(name).unwrap();
        for (from, input, to, expected) in [
            (
                DType::Duration(TimeUnit::Second),
                "-00:00:01",
                DType::Duration(TimeUnit::Micro),
                "-00:00:01.000000",
            ),
            (
                DType::Duration(TimeUnit::Milli),
                "-00:00:01.500",
                DType::Duration(TimeUnit::Second),
                "-00:00:02",
            ),
            (DType::Duration(TimeUnit::Milli), "00:00:01.500", DType::Int64, "1500"),
            (DType::Int16, "-3", DType::Duration(TimeUnit::Second), "-00:00:03"),
            (
                DType::TimestampTz(TimeUnit::Second, zone("UTC")),
                "1970-01-01 12:00:00Z",
                DType::TimestampTz(TimeUnit::Milli, zone("+05:30")),
                "1970-01-01 17:30:00.000+05:30",
            ),
            (
                DType::TimestampTz(TimeUnit::Second, zone("UTC")),
                "1970-01-01 12:00:00Z",
                DType::TimestampTz(TimeUnit::Second, zone("+05:30")),
                "1970-01-01 17:30:00+05:30",
            ),
            (DType::Int32, "7", DType::TimestampTz(TimeUnit::Second, zone("UTC")), "1970-01-01 00:00:07Z"),
        ] {
            let made = cast(&column(&from, &[input], &exec), &to, CastMode::Checked, &exec).unwrap();
            assert_eq!(made.dtype(), to);
            assert_eq!(texts(&made), ["<NA>", expected], "{from} to {to} on {device}");
        }
        let nulls = Column::full_null(&DType::Null, 2, &exec).unwrap();
        for to in [DType::Int8, DType::Utf8, DType::list(DType::Bool)] {
            let made = cast(&nulls, &to, CastMode::Checked, &exec).unwrap();
            assert_eq!((made.dtype(), made.null_count(&exec)), (to, Ok(2)));
        }
    }
}

#[test]
fn cast_of_dictionary_decodes_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let data = Buffer::from_slice(&[0_i8, 1, 2, 1, 0], &exec).unwrap();
        let mask = Buffer::from_slice(&[0b1_0111_u8], &exec).unwrap();
        let codes = Column::Numeric(NumericColumn::new(DType::Int8, data, Some(mask), 1, 4).unwrap());
        let dictionary = Arc::new(Column::from_values(["é", "", "z"], &exec).unwrap());
        let words = CategoricalColumn::new(&codes, dictionary).unwrap();
        assert_eq!(texts(&decode(&words, &exec).unwrap()), ["", "z", "<NA>", "é"]);
        let days = Arc::new(column(&DType::Date32, &["1970-01-02", "2000-01-01", "1969-01-01"], &exec));
        let days = Arc::new(days.slice(1, 3).unwrap().without_mask());
        let days = Column::Categorical(CategoricalColumn::new(&codes, days).unwrap());
        let decoded = cast(&days, &DType::Int32, CastMode::Checked, &exec).unwrap();
        assert_eq!(texts(&decoded), ["10957", "-365", "<NA>", "1"]);
        let nulls = Column::full_null(&DType::dictionary(DType::Utf8), 2, &exec).unwrap();
        assert_eq!(texts(&cast(&nulls, &DType::Utf8, CastMode::Checked, &exec).unwrap()), ["<NA>", "<NA>"]);
    }
}

#[test]
fn cast_to_dictionary_encodes_values_of_any_dtype() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let numbers = Column::from_options([Some(7_i64), Some(-1), None, Some(7), Some(300)], &exec).unwrap();
        let numbers = numbers.slice(1, 4).unwrap();
        let frame = ColumnAccessor::from_columns([("n", numbers.clone())]).unwrap();
        let of = |text: &str| text.parse::<DType>().unwrap();
        for (to, values) in [
            ("dictionary<int32, int64>", "-1 <NA> 7 300"),
            ("dictionary<int8, int16, ordered>", "-1 <NA> 7 300"),
            ("dictionary<int8, float64>", "-1.0 <NA> 7.0 300.0"),
            ("dictionary<int64, duration[ms]>", "-00:00:00.001 <NA> 00:00:00.007 00:00:00.300"),
        ] {
            let to = of(to);
            let found = cast(&numbers, &to, CastMode::Checked, &exec).unwrap();
            assert_eq!((found.dtype(), texts(&found).join(" ")), (to.clone(), values.to_owned()), "{device}");
            let found = evaluate(&[col("n").cast(to.clone())], &frame, &exec).unwrap().swap_remove(0).1;
            assert_eq!((found.dtype(), texts(&found).join(" ")), (to.clone(), values.to_owned()), "{device}");
            let Column::Categorical(found) = found else { panic!("{to}") };
            assert_eq!(found.dictionary().size(), 3, "{device}");
        }
        let error = cast(&numbers, &of("dictionary<int32, int8>"), CastMode::Checked, &exec).unwrap_err();
        let value = "300".to_owned();
        let dtype = of("dictionary<int32, int8>");
        assert_eq!(error, Error::ValueOverflow { row: 3, value, dtype }, "{device}");
    }
}

#[test]
fn numbers_and_times_are_cast_into_each_other_alone_and_in_expressions() {
    use DType::{Bool, Date32, Duration, Float32, Float64, Time, Timestamp};
    let berlin = |unit| DType::TimestampTz(unit, TimeZone::new("Europe/Berlin").unwrap());
    let (second, milli, nano) = (TimeUnit::Second, TimeUnit::Milli, TimeUnit::Nano);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (from, input, to, expected) in [
            (Bool, vec!["true", "false"], decimal(3, 1), vec!["1.0", "0.0"]),
            (decimal(5, 2), vec!["0.00", "0.40", "-7.00"], Bool, vec!["false", "true", "true"]),
            (decimal(38, 0), vec!["0", "1"], Bool, vec!["false", "true"]),
            (Float64, vec!["1.9", "-1.9"], Duration(second), vec!["00:00:01", "-00:00:01"]),
            (Float32, vec!["1500"], Duration(milli), vec!["00:00:01.500"]),
            (
                Float64,
                vec!["60.5", "-0.5"],
                Timestamp(second),
                vec!["1970-01-01 00:01:00", "1970-01-01 00:00:00"],
            ),
            (Float64, vec!["3600"], berlin(second), vec!["1970-01-01 02:00:00+01:00"]),
            (Float32, vec!["-1.0", "365.25"], Date32, vec!["1969-12-31", "1971-01-01"]),
            (Float64, vec!["86399.9"], Time(second), vec!["23:59:59"]),
            (Date32, vec!["1970-01-11"], Float32, vec!["10.0"]),
            (Timestamp(milli), vec!["1970-01-01 00:00:00.250"], Float64, vec!["250.0"]),
            (berlin(second), vec!["1970-01-01 01:00:00+01:00"], Float64, vec!["0.0"]),
            (Duration(second), vec!["-00:00:07"], Float64, vec!["-7.0"]),
            (Time(second), vec!["00:01:00"], Float32, vec!["60.0"]),
            (Date32, vec!["1969-12-31"], decimal(5, 2), vec!["-1.00"]),
            (Timestamp(nano), vec!["1970-01-01 00:00:00.000000012"], decimal(38, 3), vec!["12.000"]),
            (Duration(milli), vec!["00:00:00.007"], decimal(4, 1), vec!["7.0"]),
            (Time(second), vec!["01:00:00"], Timestamp(milli), vec!["1970-01-01 01:00:00.000"]),
            (Time(nano), vec!["23:59:59.999999999"], Timestamp(second), vec!["1970-01-01 23:59:59"]),
            (Duration(second), vec!["23:59:59"], Time(nano), vec!["23:59:59.000000000"]),
            (Duration(nano), vec!["00:00:00.000000999"], Time(milli), vec!["00:00:00.000"]),
            (Time(milli), vec!["01:00:00.500"], Duration(nano), vec!["01:00:00.500000000"]),
        ] {
            let what = format!("{from} to {to} on {device}");
            let column = column(&from, &input, &exec);
            let expected: Vec<&str> = [vec!["<NA>"], expected].concat();
            let made = cast(&column, &to, CastMode::Checked, &exec).unwrap();
            assert_eq!(
                (made.dtype(), texts(&made)),
                (to.clone(), expected.iter().map(ToString::to_string).collect()),
                "{what}"
            );
            let frame = ColumnAccessor::from_columns([("a", column)]).unwrap();
            for expr in [col("a").cast(to.clone()), col("a").try_cast(to.clone())] {
                let made = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1;
                assert_eq!(
                    (made.dtype(), texts(&made).join(" ")),
                    (to.clone(), expected.join(" ")),
                    "{what}"
                );
            }
        }
        for (from, input, to) in [
            (Float64, "NaN", Duration(second)),
            (Float64, "1e19", Timestamp(nano)),
            (Float64, "1e10", Date32),
            (Float64, "86400", Time(second)),
            (Timestamp(second), "2024-01-01 00:00:00", decimal(4, 0)),
            (Duration(second), "1 days 00:00:00", Time(nano)),
            (Duration(second), "-00:00:01", Time(second)),
            (Bool, "true", decimal(1, 1)),
        ] {
            let value = Scalar::parse(&from, input).unwrap().to_string();
            let expected = Error::ValueOverflow { row: 1, value, dtype: to.clone() };
            let column = column(&from, &[input], &exec);
            assert_eq!(cast(&column, &to, CastMode::Checked, &exec).unwrap_err(), expected, "{device}");
            let frame = ColumnAccessor::from_columns([("a", column)]).unwrap();
            let refused = evaluate(&[col("a").cast(to.clone())], &frame, &exec).unwrap_err();
            assert_eq!(refused.without_context(), expected, "{device}");
            let null = evaluate(&[col("a").try_cast(to)], &frame, &exec).unwrap().swap_remove(0).1;
            assert_eq!(null.null_count(&exec).unwrap(), 2, "{device}");
        }
    }
}
