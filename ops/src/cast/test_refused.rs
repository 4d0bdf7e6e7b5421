//! Casts that fail name the first row and its value, by themselves and within expressions, on every device.

use super::{CastMode, cast};
use crate::expression::{Expr, Literal, col, evaluate, lit, when};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{
    Column, ColumnAccessor, DType, Error, ErrorKind, ListColumn, Scalar, StructColumn, TimeUnit, TimeZone,
};

/// A dtype, a value that fits, one that does not, and the dtype that it does not fit.
fn pairs() -> Vec<(DType, &'static str, &'static str, DType)> {
    let decimal = |precision, scale| DType::decimal(precision, scale).unwrap();
    let berlin = |unit| DType::TimestampTz(unit, TimeZone::new("Europe/Berlin").unwrap());
    let (second, nano) = (TimeUnit::Second, TimeUnit::Nano);
    vec![
        (DType::Int64, "-7", "300", DType::Int8),
        (DType::Int32, "7", "-1", DType::UInt64),
        (DType::UInt64, "7", "18446744073709551615", DType::Int64),
        (DType::Float64, "1.75", "NaN", DType::Int32),
        (DType::Float32, "-1.5", "inf", DType::Int64),
        (DType::Int64, "12", "1000", decimal(4, 2)),
        (DType::Float64, "0.25", "1e30", decimal(15, 2)),
        (decimal(15, 2), "1.25", "100.00", decimal(3, 1)),
        (decimal(15, 2), "1.25", "200.00", DType::Int8),
        (decimal(38, 0), "1", "99999999999999999999999", DType::Int64),
        (DType::Timestamp(second), "2024-02-29 00:00:00", "9999-01-01 00:00:00", DType::Timestamp(nano)),
        (berlin(second), "2024-02-29 00:00:00+01:00", "9999-01-01 00:00:00+01:00", berlin(nano)),
        (berlin(second), "2024-02-29 00:00:00+01:00", "9999-01-01 00:00:00+01:00", DType::Timestamp(nano)),
        (DType::Date32, "2024-02-29", "9999-01-01", DType::Timestamp(nano)),
        (DType::Duration(second), "1 days 00:00:00", "200000 days 00:00:00", DType::Duration(nano)),
        (DType::Date32, "1970-01-02", "2024-02-29", DType::Int8),
        (DType::Int64, "5", "86400", DType::Time(second)),
    ]
}

/// Values of which row `bad` and all after it, but for nulls, do not fit; two rows before the first are cut off.
fn values(dtype: &DType, good: &str, wrong: &str, rows: usize, bad: Option<usize>, exec: &Exec) -> Column {
    let parse = |text: &str| Scalar::parse(dtype, text).unwrap();
    let hidden = [parse(wrong), parse(wrong)];
    let shown = (0..rows).map(|row| match bad {
        Some(bad) if row >= bad && (row == bad || row % 3 > 0) => parse(wrong),
        _ if row % 5 == 3 => Scalar::Null(dtype.clone()),
        _ => parse(good),
    });
    let all: Vec<Scalar> = hidden.into_iter().chain(shown).collect();
    Column::from_scalars(dtype, &all, exec).unwrap().slice(2, rows).unwrap()
}

fn value_of(expr: &Expr, columns: &[(&str, &Column)], exec: &Exec) -> Result<Column, Error> {
    let frame = columns.iter().map(|(label, column)| (*label, Column::clone(column)));
    let frame = ColumnAccessor::from_columns(frame).unwrap();
    Ok(evaluate(std::slice::from_ref(expr), &frame, exec)?.swap_remove(0).1)
}

#[test]
fn first_row_that_does_not_fit_is_named_with_its_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // Kernels of a device take longer, and are searched alike.
        let all = [(1, 0), (2, 1), (33, 0), (33, 31), (65, 64), (300, 257), (3000, 2100)];
        let cases = if device == Device::Host { &all[..] } else { &all[3..4] };
        for (from, good, wrong, to) in pairs() {
            let shown = Scalar::parse(&from, wrong).unwrap().to_string();
            for &(rows, bad) in cases {
                let what = format!("{from} to {to} on {device}, row {bad} of {rows}");
                let column = values(&from, good, wrong, rows, Some(bad), &exec);
                let expected = Error::ValueOverflow { row: bad, value: shown.clone(), dtype: to.clone() };
                assert_eq!(expected.kind(), ErrorKind::Overflow);
                let refused = cast(&column, &to, CastMode::Checked, &exec).unwrap_err();
                assert_eq!(refused, expected, "{what}");
                let expr = col("a").cast(to.clone());
                let refused = value_of(&expr, &[("a", &column)], &exec).unwrap_err();
                assert_eq!(refused, expected.clone().in_expression(&expr), "{what}");
                // As an operand, beside steps that fit.
                let expr = col("a").cast(to.clone()).is_null().and(col("a").is_not_null());
                let refused = value_of(&expr, &[("a", &column)], &exec).unwrap_err();
                assert_eq!(refused, expected.in_expression(&expr), "{what}");
                let made = value_of(&col("a").try_cast(to.clone()), &[("a", &column)], &exec).unwrap();
                assert!(matches!(made.get(bad).unwrap(), Scalar::Null(_)), "{what}");
            }
            let fits = values(&from, good, wrong, 70, None, &exec);
            let made = cast(&fits, &to, CastMode::Checked, &exec).unwrap();
            assert_eq!((made.size(), made.null_count(&exec).unwrap()), (70, 14), "{from} to {to}");
        }
    }
}

#[test]
fn rows_of_branches_that_are_not_taken_and_of_filters_are_not_named() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for rows in [5, 40, 2500] {
            let numbers: Vec<i64> = (0..rows)
                .map(|row| if row % 2 == 0 { 1000 } else { i64::from(row == rows - 1 - rows % 2) * 400 })
                .collect();
            let odd: Vec<bool> = (0..rows).map(|row| row % 2 == 1).collect();
            let (numbers, odd) =
                (Column::from_slice(&numbers, &exec).unwrap(), Column::from_values(odd, &exec).unwrap());
            let columns = [("x", &numbers), ("odd", &odd)];
            let last = usize::try_from(rows - 1 - rows % 2).unwrap();
            let expected = Error::ValueOverflow { row: last, value: "400".to_owned(), dtype: DType::Int8 };
            let cast = col("x").cast(DType::Int8);
            let expr = when(col("odd")).then(cast.clone()).otherwise(lit(Literal::Null));
            let refused = value_of(&expr, &columns, &exec).unwrap_err();
            assert_eq!(refused.without_context(), expected, "{device}");
            let frame = columns.map(|(label, column)| (label, column.clone()));
            let frame = ColumnAccessor::from_columns(frame).unwrap();
            let options = GroupOptions::default();
            let sum = cast.sum().alias("sum");
            let refused = aggregate(&frame, Some(&col("odd")), &[], &[sum], options, &exec).unwrap_err();
            assert_eq!(refused.without_context(), expected, "{device}");
        }
    }
}

#[test]
fn value_is_that_of_the_cast_and_not_of_the_column() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = Column::from_options([Some(1_i64), None, Some(50), Some(60)], &exec).unwrap();
        let expr = (col("a") * 5).cast(DType::Int8) + 1;
        let refused = value_of(&expr, &[("a", &column)], &exec).unwrap_err();
        let expected = Error::ValueOverflow { row: 2, value: "250".to_owned(), dtype: DType::Int8 };
        assert_eq!(refused, expected.in_expression(&expr), "{device}");
        let text = refused.to_string();
        assert!(text.ends_with("row 2: 250 does not fit int8"), "{text}");
    }
}

#[test]
fn items_and_fields_that_do_not_fit_are_named_with_the_row_of_the_whole() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for rows in [4_usize, 33, 300] {
            let bad = rows - 2;
            // Lists of no to two items, of which a null one has what does not fit.
            let lengths: Vec<usize> = (0..rows).map(|row| if row == bad { 2 } else { row % 3 }).collect();
            let items: Vec<i64> = (0..rows)
                .flat_map(|row| {
                    (0..lengths[row]).map(move |item| if row == bad && item == 1 { 999 } else { 7 })
                })
                .collect();
            let texts: Vec<String> = items
                .iter()
                .map(|item| if *item == 999 { "x".to_owned() } else { item.to_string() })
                .collect();
            let numbers = Column::from_slice(&items, &exec).unwrap();
            let texts = Column::from_values(texts.iter().map(String::as_str), &exec).unwrap();
            let listed = |items: &Column| {
                Column::List(
                    ListColumn::from_lengths(items, lengths.iter().map(|&n| Some(n)), &exec).unwrap(),
                )
            };
            let to = DType::list(DType::Int8);
            let overflow = Error::ValueOverflow { row: bad, value: "999".to_owned(), dtype: DType::Int8 };
            let unparsable = Error::Unparsable { row: bad, value: "x".to_owned(), dtype: DType::Int8 };
            for (column, expected) in [(listed(&numbers), &overflow), (listed(&texts), &unparsable)] {
                assert_eq!(&cast(&column, &to, CastMode::Checked, &exec).unwrap_err(), expected, "{device}");
                let refused = value_of(&col("a").cast(to.clone()), &[("a", &column)], &exec).unwrap_err();
                assert_eq!(&refused.without_context(), expected, "{device}");
                let sliced = column.slice(1, rows - 1).unwrap();
                let refused = cast(&sliced, &to, CastMode::Checked, &exec).unwrap_err();
                assert!(refused.to_string().starts_with(&format!("row {}: ", bad - 1)), "{refused}");
            }
            let of_structs = (0..rows).map(|row| if row >= bad { -1_i64 } else { 1 }).collect::<Vec<_>>();
            let x = Column::from_slice(&of_structs, &exec).unwrap();
            let column = Column::Struct(StructColumn::new([("x", x)], None, 0, rows).unwrap());
            let to = DType::structure([("x", DType::UInt8)]);
            let refused = cast(&column, &to, CastMode::Checked, &exec).unwrap_err();
            let expected = Error::ValueOverflow { row: bad, value: "-1".to_owned(), dtype: DType::UInt8 };
            assert_eq!(refused, expected, "{device}");
        }
    }
}

#[test]
fn zones_that_are_not_known_are_refused_by_casts() {
    let dtype = |zone| DType::TimestampTz(TimeUnit::Micro, TimeZone::new(zone).unwrap());
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let columns = [
            Column::from_slice(&[1_i64, 2], &exec).unwrap(),
            Column::from_values(["2024-01-01", "2024-01-02"], &exec).unwrap(),
            Column::from_slice(&[1_i64], &exec).unwrap().reinterpret(&dtype("UTC")).unwrap(),
            Column::full_null(&DType::Null, 2, &exec).unwrap(),
        ];
        for column in columns {
            let of = column.dtype();
            let error = cast(&column, &dtype("Europe/Atlantis"), CastMode::Checked, &exec).unwrap_err();
            assert!(error.to_string().contains("IANA"), "{device} {of}: {error}");
            let rows = ColumnAccessor::from_columns([("a", column)]).unwrap();
            let error = evaluate(&[col("a").cast(dtype("Europe/Atlantis"))], &rows, &exec).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Value, "{device} {of}");
            let text = error.to_string();
            assert!(text.contains("a.cast(") && text.contains("Atlantis"), "{device} {of}: {text}");
        }
        // Values that have the zone keep it.
        let there =
            Column::from_slice(&[1_i64], &exec).unwrap().reinterpret(&dtype("Europe/Atlantis")).unwrap();
        let to = DType::TimestampTz(TimeUnit::Nano, TimeZone::new("Europe/Atlantis").unwrap());
        assert_eq!(cast(&there, &to, CastMode::Checked, &exec).unwrap().dtype(), to, "{device}");
    }
}
