//! Constants beside columns of every dtype.

use super::{
    Expr, Literal, all_horizontal, any_horizontal, coalesce, col, date, days, evaluate, hours, lit,
    lit_decimal, microseconds, milliseconds, minutes, nanoseconds, seconds, when,
};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Scalar, TimeUnit, TimeZone};
use std::cmp::Ordering;

/// The order of two numbers written without exponents: an oracle that knows no dtype.
fn order(left: &str, right: &str) -> Ordering {
    let parts = |text: &str| {
        let (negative, rest) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
        let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
        let digits = format!("{whole:0>60}{fraction:0<60}");
        let is_zero = digits.bytes().all(|digit| digit == b'0');
        (negative && !is_zero, digits)
    };
    match (parts(left), parts(right)) {
        ((false, a), (false, b)) => a.cmp(&b),
        ((true, a), (true, b)) => b.cmp(&a),
        ((true, _), (false, _)) => Ordering::Less,
        ((false, _), (true, _)) => Ordering::Greater,
    }
}

fn columns() -> Vec<(DType, Vec<String>)> {
    let texts = |values: &[&str]| values.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
    let mut columns: Vec<(DType, Vec<String>)> = Vec::new();
    for (dtype, min, max) in [
        (DType::Int8, i128::from(i8::MIN), i128::from(i8::MAX)),
        (DType::Int16, i16::MIN.into(), i16::MAX.into()),
        (DType::Int32, i32::MIN.into(), i32::MAX.into()),
        (DType::Int64, i64::MIN.into(), i64::MAX.into()),
        (DType::UInt8, 0, u8::MAX.into()),
        (DType::UInt16, 0, u16::MAX.into()),
        (DType::UInt32, 0, u32::MAX.into()),
        (DType::UInt64, 0, u64::MAX.into()),
    ] {
        let near = [min, min + 1, -1, 0, 1, 2, 127, (1 << 53) + 1, 1 << 53, max - 1, max];
        let within = near.into_iter().filter(|value| (min..=max).contains(value));
        columns.push((dtype, within.map(|value| value.to_string()).collect()));
    }
    let decimal = |precision, scale| DType::decimal(precision, scale).unwrap();
    columns.push((decimal(5, 2), texts(&["-999.99", "-0.50", "0.00", "1.10", "1.50", "127.00", "999.99"])));
    columns.push((decimal(20, 3), texts(&["-0.001", "1.100", "1.099", "1.101", "99999999999999999.999"])));
    let most = "9".repeat(38);
    columns.push((decimal(38, 0), texts(&[&most, "1", "0", "-1", &format!("1{}", "0".repeat(30))])));
    // Floats that these texts write exactly.
    let floats = ["-0.5", "0", "1.5", "127", "127.5", "16777216", "16777218"];
    columns.push((DType::Float32, texts(&floats)));
    columns.push((
        DType::Float64,
        texts(&[&floats[..], &["9007199254740992", "9007199254740994", "9223372036854775808"]].concat()),
    ));
    columns
}

/// Literals with the numbers that they mean.
fn literals() -> Vec<(Literal, String)> {
    let mut literals: Vec<(Literal, String)> = Vec::new();
    for value in [
        0,
        1,
        -1,
        127,
        128,
        -128,
        -129,
        255,
        256,
        1000,
        16_777_217,
        (1 << 53) + 1,
        i128::from(i64::MAX),
        i128::from(i64::MAX) + 1,
        i128::from(i64::MIN) - 1,
        i128::from(u64::MAX),
        i128::from(u64::MAX) + 1,
        i128::MAX,
        i128::MIN,
    ] {
        literals.push((Literal::Int(value), value.to_string()));
    }
    for value in [0.0, -0.0, 1.5, -0.5, -1.5, 127.0, 127.5, 1e-10, 1e30, -1e30] {
        literals.push((Literal::Float(value), value.to_string()));
    }
    // Its shortest text ends in 6000.
    literals.push((Literal::Float(2.0f64.powi(63)), "9223372036854775808".to_owned()));
    for text in ["0.1", "1.50", "-0.001", "99999.995", &"9".repeat(38), &format!("0.{}1", "0".repeat(36))] {
        let expr = lit_decimal(text).unwrap();
        let super::Node::Literal(literal) = expr.node() else { panic!("{expr} is no literal") };
        literals.push((literal.clone(), text.to_owned()));
    }
    literals
}

#[test]
fn comparison_with_number_of_any_size_is_by_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (dtype, texts) in columns() {
            let null = || Scalar::Null(dtype.clone());
            let mut scalars = vec![null(), null()];
            scalars.extend(texts.iter().map(|text| Scalar::parse(&dtype, text).unwrap()));
            let column = Column::from_scalars(&dtype, &scalars, &exec).unwrap();
            let column = column.slice(1, texts.len() + 1).unwrap();
            let frame = ColumnAccessor::from_columns([("x", column)]).unwrap();
            for (literal, text) in literals() {
                let value = || lit(literal.clone());
                let exprs = [
                    (col("x").lt(value()), [true, false, false]),
                    (col("x").le(value()), [true, true, false]),
                    (col("x").gt(value()), [false, false, true]),
                    (col("x").ge(value()), [false, true, true]),
                    (col("x").eq(value()), [false, true, false]),
                    (col("x").ne(value()), [true, false, true]),
                    (value().lt(col("x")), [false, false, true]),
                    (value().eq(col("x")), [false, true, false]),
                ];
                let asked: Vec<Expr> = exprs.iter().map(|(expr, _)| expr.clone()).collect();
                let found = evaluate(&asked, &frame, &exec).unwrap();
                for ((expr, holds), (_, found)) in exprs.iter().zip(found) {
                    let truth = |value: &String| match order(value, &text) {
                        Ordering::Less => holds[0],
                        Ordering::Equal => holds[1],
                        Ordering::Greater => holds[2],
                    };
                    let mut expected = vec![Scalar::Null(DType::Bool)];
                    expected.extend(texts.iter().map(|value| Scalar::Bool(truth(value))));
                    assert_eq!(found.to_scalars().unwrap(), expected, "{expr}, {dtype} on {device}");
                }
            }
        }
    }
}

/// Times as numbers of nanoseconds, which their text says.
#[test]
fn comparison_with_text_of_finer_and_far_times_is_by_value() {
    const DAY: i128 = 86_400_000_000_000;
    let zone = TimeZone::utc();
    let texts: [(&str, i128); 9] = [
        ("0001-01-01 00:00:00", -719_162 * DAY),
        ("1677-09-21 00:12:43.145224", -9_223_372_036_854_776_000),
        ("1969-12-31 23:59:59.9995", -500_000),
        ("1970-01-01 00:00:00.000000001", 1),
        ("1970-01-01 00:00:00.0005", 500_000),
        ("1970-01-01 12:00:00", DAY / 2),
        ("1970-01-02 00:00:00", DAY),
        ("2262-04-11 23:47:16.854776", 9_223_372_036_854_776_000),
        ("9999-12-31 00:00:00", 2_932_896 * DAY),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let units = TimeUnit::ALL.map(|unit| (1_000_000_000 / i128::from(unit.per_second()), Some(unit)));
        for (per, unit) in units.into_iter().chain([(DAY, None)]) {
            let counts: [i64; 7] = [-719_162, -1, 0, 1, 500, 43_200_000, 2_932_896];
            let scalar = |count: i64, is_zoned: bool| match unit {
                None => Scalar::Date32(i32::try_from(count).unwrap()),
                Some(unit) if is_zoned => Scalar::TimestampTz(count, unit, zone.clone()),
                Some(unit) => Scalar::Timestamp(count, unit),
            };
            for is_zoned in [false, true] {
                let mut scalars: Vec<Scalar> = counts.iter().map(|&count| scalar(count, is_zoned)).collect();
                let dtype = scalars[0].dtype();
                scalars.push(Scalar::Null(dtype.clone()));
                let column = Column::from_scalars(&dtype, &scalars, &exec).unwrap();
                let frame = ColumnAccessor::from_columns([("x", column)]).unwrap();
                for (text, nanos) in texts {
                    let text =
                        if dtype == scalar(0, false).dtype() { text.to_owned() } else { format!("{text}Z") };
                    let value = || lit(text.clone());
                    let exprs = [
                        (col("x").lt(value()), [true, false, false]),
                        (col("x").le(value()), [true, true, false]),
                        (col("x").gt(value()), [false, false, true]),
                        (col("x").ge(value()), [false, true, true]),
                        (col("x").eq(value()), [false, true, false]),
                        (col("x").ne(value()), [true, false, true]),
                        (value().lt(col("x")), [false, false, true]),
                        (col("x").is_in([value()]), [false, true, false]),
                    ];
                    let asked: Vec<Expr> = exprs.iter().map(|(expr, _)| expr.clone()).collect();
                    let found = evaluate(&asked, &frame, &exec).unwrap();
                    for ((expr, holds), (_, found)) in exprs.iter().zip(found) {
                        let truth = |count: &i64| match (i128::from(*count) * per).cmp(&nanos) {
                            Ordering::Less => holds[0],
                            Ordering::Equal => holds[1],
                            Ordering::Greater => holds[2],
                        };
                        let mut expected: Vec<Scalar> =
                            counts.iter().map(|count| Scalar::Bool(truth(count))).collect();
                        expected.push(Scalar::Null(DType::Bool));
                        assert_eq!(found.to_scalars().unwrap(), expected, "{expr}, {dtype} on {device}");
                    }
                }
            }
        }
    }
}

#[test]
fn comparison_with_nan_and_infinity_is_as_of_floats() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for dtype in [DType::Int8, DType::UInt64, DType::decimal(7, 2).unwrap(), DType::Float32] {
            let one = Column::from_scalars(&dtype, &[Scalar::parse(&dtype, "1").unwrap()], &exec).unwrap();
            let frame = ColumnAccessor::from_columns([("x", one)]).unwrap();
            let inf = f64::INFINITY;
            for (expr, expected) in [
                (col("x").lt(f64::NAN), false),
                (col("x").ge(f64::NAN), false),
                (col("x").eq(f64::NAN), false),
                (col("x").ne(f64::NAN), true),
                (col("x").lt(inf), true),
                (col("x").gt(inf), false),
                (col("x").gt(-inf), true),
                (col("x").eq(-inf), false),
                (col("x").lt(1e300), true),
                (col("x").gt(-1e300), true),
                (col("x").ne(1e300), true),
                (col("x").lt(1e-300), false),
                (col("x").gt(-1e-300), true),
            ] {
                let (_, found) = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0);
                assert_eq!(found.get(0).unwrap(), Scalar::Bool(expected), "{expr}, {dtype} on {device}");
            }
        }
    }
}

fn frame(exec: &Exec) -> ColumnAccessor {
    let text = |dtype: &DType, text: &str| {
        let scalars = [Scalar::parse(dtype, text).unwrap(), Scalar::Null(dtype.clone())];
        Column::from_scalars(dtype, &scalars, exec).unwrap()
    };
    ColumnAccessor::from_columns([
        ("b", text(&DType::Bool, "true")),
        ("i8", text(&DType::Int8, "7")),
        ("u8", text(&DType::UInt8, "7")),
        ("i64", text(&DType::Int64, "7")),
        ("f32", text(&DType::Float32, "0.5")),
        ("f64", text(&DType::Float64, "0.5")),
        ("m", text(&DType::decimal(7, 2).unwrap(), "10.50")),
        ("d", text(&DType::Date32, "2024-02-01")),
        ("t", text(&DType::Timestamp(TimeUnit::Second), "2024-02-01 00:00:00")),
        ("p", text(&DType::Duration(TimeUnit::Milli), "00:00:01.500")),
        ("s", text(&DType::Utf8, "y")),
    ])
    .unwrap()
}

/// The dtype and the first value of an expression over [`frame`]; the second is null.
fn show(expr: &Expr, exec: &Exec) -> String {
    let (_, column) = evaluate(std::slice::from_ref(expr), &frame(exec), exec).unwrap().swap_remove(0);
    assert!(column.get(1).unwrap().is_null(), "{expr}");
    format!("{}: {}", column.dtype(), column.get(0).unwrap())
}

#[test]
fn arithmetic_with_literal_has_dtype_of_column_or_of_both() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let decimal = |text| lit_decimal(text).unwrap();
        for (expr, expected) in [
            (col("i8") + 1, "int8: 8"),
            (col("i8") + 300, "int64: 307"),
            (col("u8") - 1, "uint8: 6"),
            (col("u8") + -1, "int64: 6"),
            (col("i64") * 1.5, "float64: 10.5"),
            (lit(1.5) * col("i64"), "float64: 10.5"),
            (col("i64") * 2.0, "float64: 14.0"),
            (col("i8") + 0.5, "float64: 7.5"),
            (col("i64") + decimal("0.5"), "decimal(21,1): 7.5"),
            (col("f32") + 1, "float32: 1.5"),
            (col("f32") * 0.1, "float32: 0.05"),
            (col("f32") + 16_777_217, "float64: 16777217.5"),
            (col("f32") * 1e300, "float64: 5e299"),
            (col("f64") + 1, "float64: 1.5"),
            (col("f64") + decimal("0.1"), "float64: 0.6"),
            (col("m") * 1.1, "decimal(9,3): 11.550"),
            (col("m") - 0.25, "decimal(8,2): 10.25"),
            (col("m") * 1e300, "float64: 1.0500000000000001e301"),
            (col("m") + 1, "decimal(8,2): 11.50"),
            (col("b").lt(2), "bool: true"),
            (col("b").eq(1.0), "bool: true"),
            (when(col("i8").gt(0).or(col("i8").is_null())).then(col("i8")).otherwise(1000), "int64: 7"),
            (
                when(col("i8").gt(0).or(col("i8").is_null())).then(col("m")).otherwise(0.5),
                "decimal(7,2): 10.50",
            ),
            (when(col("i8").is_null()).then(lit(Literal::Null)).otherwise(col("i8")), "int8: 7"),
            (when(col("i8").is_null()).then(lit(Literal::Null)).otherwise("s"), "utf8: s"),
            (when(col("i8").gt(0)).then(1.5).otherwise(lit(Literal::Null)), "float64: 1.5"),
            (when(col("i8").gt(0)).then(300).otherwise(lit(Literal::Null)), "int64: 300"),
            (
                when(col("i8").lt(0)).then(date("2024-02-01").unwrap()).otherwise(Literal::Null),
                "date32: <NA>",
            ),
            (when(col("i8").is_null()).then(Literal::Null).otherwise(Literal::Null), "null: <NA>"),
        ] {
            assert_eq!(show(&expr, &exec), expected, "{expr} on {device}");
        }
    }
}

#[test]
fn arithmetic_with_duration_keeps_dates_and_units() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (expr, expected) in [
            (col("d") + days(30), "date32: 2024-03-02"),
            (days(30) + col("d"), "date32: 2024-03-02"),
            (col("d") - hours(48), "date32: 2024-01-30"),
            (col("d") + hours(25), "timestamp[s]: 2024-02-02 01:00:00"),
            (col("d") + milliseconds(1), "timestamp[ms]: 2024-02-01 00:00:00.001"),
            (col("d") + lit(Scalar::Duration(86_400, TimeUnit::Second)), "timestamp[s]: 2024-02-02 00:00:00"),
            (col("d") - date("2024-01-31").unwrap(), "duration[s]: 1 days 00:00:00"),
            (col("t") + days(1), "timestamp[s]: 2024-02-02 00:00:00"),
            (col("t") - minutes(1), "timestamp[s]: 2024-01-31 23:59:00"),
            (col("t") + microseconds(5), "timestamp[us]: 2024-02-01 00:00:00.000005"),
            (col("t") + std::time::Duration::from_secs(3), "timestamp[s]: 2024-02-01 00:00:03"),
            (col("p") + seconds(1), "duration[ms]: 00:00:02.500"),
            (col("p") - nanoseconds(1), "duration[ns]: 00:00:01.499999999"),
            (col("p").eq(milliseconds(1500)), "bool: true"),
            (col("p").gt(nanoseconds(1_500_000_001)), "bool: false"),
            (col("p").ge(nanoseconds(1_499_999_999)), "bool: true"),
            (col("p").lt(days(i64::MAX)), "bool: true"),
            (col("p").gt(days(i64::MIN)), "bool: true"),
            (col("t") - days(1) - date("2024-01-31").unwrap(), "duration[s]: 00:00:00"),
        ] {
            assert_eq!(show(&expr, &exec), expected, "{expr} on {device}");
        }
    }
}

#[test]
fn literal_of_other_kind_is_an_error_that_names_the_cure() {
    let exec = Exec::host();
    for (expr, cure) in [
        (col("i64") + "1", "without quotes"),
        (col("i64").gt("1"), "without quotes"),
        (col("s").eq(1), "write it in quotes, or cast"),
        (col("d") + 30, "days(30)"),
        (col("t").gt(5), "in quotes"),
        (col("p") + 5, "days(30)"),
        (col("i64") + days(1), "durations go with"),
        (col("d") + days(i64::MAX), "does not fit"),
    ] {
        let error = evaluate(std::slice::from_ref(&expr), &frame(&exec), &exec).unwrap_err();
        assert!(error.to_string().contains(cure), "{expr}: {error}");
    }
    let error = evaluate(&[lit(300).cast(DType::Int8)], &frame(&exec), &exec).unwrap_err();
    assert!(matches!(error, Error::Context { .. }) && error.to_string().contains("wider"), "{error}");
}

/// Nulls and no items of a constant list or struct have the dtype of what it is beside.
#[test]
fn items_within_constants_take_the_common_dtype() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let list = |items: &[Option<i32>]| Scalar::List {
            item: Box::new(DType::Int32),
            values: items.iter().map(|item| item.map_or(Scalar::Null(DType::Int32), Scalar::Int32)).collect(),
        };
        let dtype = DType::list(DType::Int32);
        let rows = [list(&[Some(1)]), list(&[]), list(&[None]), Scalar::Null(dtype.clone())];
        let column = Column::from_scalars(&dtype, &rows, &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("x", column)]).unwrap();
        let of_nulls = |count: usize| {
            lit(Scalar::List { item: Box::new(DType::Null), values: vec![Scalar::Null(DType::Null); count] })
        };
        let of = |item: Scalar| lit(Scalar::List { item: Box::new(item.dtype()), values: vec![item] });
        for (expr, expected) in [
            (col("x").eq(of_nulls(0)), "false true false <NA>"),
            (of_nulls(1).eq(col("x")), "false false true <NA>"),
            (col("x").ne(of_nulls(2)), "true true true <NA>"),
            (col("x").fill_null(of_nulls(0)).eq(of_nulls(0)), "false true false true"),
            (col("x").eq(of(Scalar::Int64(1))), "true false false <NA>"),
            (of(Scalar::Int64(i64::MAX)).eq(col("x")), "false false false <NA>"),
        ] {
            let (_, made) = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0);
            let made = made.to_device(&Exec::host()).unwrap().to_scalars().unwrap();
            let made: Vec<_> = made.iter().map(ToString::to_string).collect();
            assert_eq!(made.join(" "), expected, "{expr} on {device}");
        }
        assert!(evaluate(&[col("x").eq(of(Scalar::from("1")))], &frame, &exec).is_err(), "{device}");
    }
}

/// A column of nothing but nulls, as CSV and JSON have them, takes the dtype of a literal.
#[test]
fn columns_of_nulls_take_the_dtype_of_literals() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("n", Column::full_null(&DType::Null, 2, &exec).unwrap()),
            ("c", Column::from_values([true, false], &exec).unwrap()),
        ])
        .unwrap();
        let n = || col("n");
        let cases: Vec<(Expr, DType, &str)> = vec![
            (n().fill_null(7), DType::Int64, "7 7"),
            (n().fill_null("a"), DType::Utf8, "a a"),
            (n() + 1, DType::Int64, "<NA> <NA>"),
            (n() * 1.5, DType::Float64, "<NA> <NA>"),
            (coalesce([n(), lit(2.5)]), DType::Float64, "2.5 2.5"),
            (when(col("c")).then(lit(0)).otherwise(n()), DType::Int64, "0 <NA>"),
            (when(col("c")).then(n()).otherwise(lit("x")), DType::Utf8, "<NA> x"),
            (n().clip(0, 5), DType::Int64, "<NA> <NA>"),
            (n().gt(1), DType::Bool, "<NA> <NA>"),
        ];
        for (expr, dtype, expected) in cases {
            let found = evaluate(std::slice::from_ref(&expr), &frame, &exec);
            let found = found.unwrap_or_else(|error| panic!("{device} {expr}: {error}")).swap_remove(0).1;
            assert_eq!(found.dtype(), dtype, "{device} {expr}");
            let values: Vec<String> = found.to_scalars().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(values.join(" "), expected, "{device} {expr}");
        }
    }
}

#[test]
fn functions_of_numbers_refuse_what_casts_to_numbers() {
    let exec = Exec::host();
    let day = Column::from_slice(&[1_i32, 2, 4], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
    let frame = ColumnAccessor::from_columns([
        ("text", Column::from_values(["1.5", "2", "3"], &exec).unwrap()),
        ("day", day),
        ("x", Column::from_slice(&[1.0, 2.0, 4.0], &exec).unwrap()),
    ])
    .unwrap();
    for label in ["text", "day"] {
        let x = || col(label);
        for expr in [
            x().rolling_cov(col("x"), 2),
            col("x").rolling_corr(x(), 2),
            x().is_close(x(), 0.1, 0.1),
            any_horizontal([x()]),
            all_horizontal([x(), col("x")]),
        ] {
            let error = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Type, "{expr}: {error}");
            assert!(
                error.to_string().contains(&format!("dtype {}", frame.get(label).unwrap().dtype())),
                "{error}"
            );
        }
    }
    let found = evaluate(&[any_horizontal([col("x")])], &frame, &exec).unwrap().swap_remove(0).1;
    assert_eq!(found.to_options::<bool>().unwrap(), [Some(true); 3]);
}
