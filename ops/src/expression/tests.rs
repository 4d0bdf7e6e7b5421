//! Dtypes and values of expressions, on every device.

use super::branches::Matters;
use super::evaluate::evaluate_with;
use super::{
    Expr, col, columns_of, date, evaluate, evaluate_mask, lit, lit_decimal, max_horizontal, min_horizontal,
    when,
};
use crate::out_of_core::Driver;
use crate::test_frames::{self, assert_lines, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng};

/// `dtype` decimals of the given digits.
fn decimals(values: &[Option<i128>], precision: u8, scale: i8, exec: &Exec) -> Column {
    let dtype = DType::decimal(precision, scale).unwrap();
    let scalars: Vec<Scalar> = values
        .iter()
        .map(|value| {
            value.map_or(Scalar::Null(dtype.clone()), |value| Scalar::Decimal { value, precision, scale })
        })
        .collect();
    Column::from_scalars(&dtype, &scalars, exec).unwrap()
}

fn dates(days: &[Option<i32>], exec: &Exec) -> Column {
    let scalars: Vec<Scalar> =
        days.iter().map(|d| d.map_or(Scalar::Null(DType::Date32), Scalar::Date32)).collect();
    Column::from_scalars(&DType::Date32, &scalars, exec).unwrap()
}

fn frame(exec: &Exec) -> ColumnAccessor {
    ColumnAccessor::from_columns([
        ("i", Column::from_options([Some(1i64), None, Some(3), Some(-4)], exec).unwrap()),
        ("b", Column::from_options([Some(5i8), Some(6), Some(127), None], exec).unwrap()),
        ("f", Column::from_options([Some(0.5f64), Some(f64::NAN), None, Some(-2.0)], exec).unwrap()),
        ("s", Column::from_options([Some("é"), Some("abc"), None, Some("")], exec).unwrap()),
        ("t", Column::from_options([Some("é"), Some("abd"), Some("x"), Some("a")], exec).unwrap()),
        ("m", decimals(&[Some(1050), Some(-1), None, Some(99999)], 15, 2, exec)),
        ("n", decimals(&[Some(5), Some(10), Some(7), Some(0)], 15, 2, exec)),
        ("d", dates(&[Some(0), Some(9204), None, Some(-1)], exec)),
    ])
    .unwrap()
}

/// The dtype and the values of an expression over [`frame`], as text.
fn show(expr: &Expr, exec: &Exec) -> String {
    let (_, column) = evaluate(std::slice::from_ref(expr), &frame(exec), exec).unwrap().swap_remove(0);
    let values: Vec<String> = column
        .to_device(&Exec::host())
        .unwrap()
        .to_scalars()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    format!("{}: {}", column.dtype(), values.join(" "))
}

fn fails(expr: &Expr) -> Error {
    let exec = Exec::host();
    let mut error = evaluate(std::slice::from_ref(expr), &frame(&exec), &exec).unwrap_err();
    while let Error::Context { source, .. } = error {
        error = *source;
    }
    error
}

#[test]
fn evaluate_gives_expected_values_and_dtypes() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (expr, expected) in [
            (col("i") + 1, "int64: 2 <NA> 4 -3"),
            (col("i") - col("i").min(), "int64: 5 <NA> 7 0"),
            (col("b") + 1, "int8: 6 7 -128 <NA>"),
            (col("i") * col("b"), "int64: 5 <NA> 381 <NA>"),
            (col("i") / 2, "float64: 0.5 <NA> 1.5 -2.0"),
            (col("i").floor_div(2), "int64: 0 <NA> 1 -2"),
            (col("i") % 0, "int64: <NA> <NA> <NA> <NA>"),
            (-col("i"), "int64: -1 <NA> -3 4"),
            (col("f") + 1.0, "float64: 1.5 NaN <NA> -1.0"),
            (col("m") + col("n"), "decimal(16,2): 10.55 0.09 <NA> 999.99"),
            (lit(1) - col("n"), "decimal(16,2): 0.95 0.90 0.93 1.00"),
            (col("m") * col("n"), "decimal(30,4): 0.5250 -0.0010 <NA> 0.0000"),
            (
                col("m") * (lit(1) - col("n")) * (lit(1) + col("n")),
                "decimal(38,6): 10.473750 -0.009900 <NA> 999.990000",
            ),
            (col("m") * lit_decimal("0.5").unwrap(), "decimal(16,3): 5.250 -0.005 <NA> 499.995"),
            (col("i").gt(0), "bool: true <NA> true false"),
            (col("f").ne(col("f")), "bool: false true <NA> false"),
            (col("m").lt(lit_decimal("10.505").unwrap()), "bool: true true <NA> false"),
            (col("m").ge(0), "bool: true false <NA> true"),
            (col("i").gt(0).and(col("b").gt(5)), "bool: false <NA> true false"),
            (col("i").gt(0) | col("b").gt(5), "bool: true true true <NA>"),
            (!col("i").gt(0), "bool: false <NA> false true"),
            (col("i").is_null(), "bool: false true false false"),
            (col("s").is_not_null(), "bool: true true false true"),
            (col("s").eq("é"), "bool: true false <NA> false"),
            (col("s").lt(col("t")), "bool: false true <NA> true"),
            (lit("b").gt(col("t")), "bool: false true false true"),
            (col("s").str().starts_with("ab"), "bool: false true <NA> false"),
            (col("s").str().ends_with(""), "bool: true true <NA> true"),
            (col("t").str().contains("b"), "bool: false true false false"),
            (col("t").str().like("_b%"), "bool: false true false false"),
            (col("i").is_in([3, 1]), "bool: true <NA> true false"),
            (col("i").between(1, 3), "bool: true <NA> true false"),
            (col("d").le(date("1995-03-15").unwrap()), "bool: true true <NA> true"),
            (col("d").lt("1970-01-01"), "bool: false false <NA> true"),
            (col("d").dt().year(), "int32: 1970 1995 <NA> 1969"),
            (col("d").dt().month(), "int32: 1 3 <NA> 12"),
            (when(col("i").gt(0)).then(col("b")).otherwise(0), "int8: 5 0 127 0"),
            (when(col("i").gt(0)).then(col("i")).otherwise(col("f")), "float64: 1.0 NaN 3.0 -2.0"),
            (col("i").cast(DType::Float64), "float64: 1.0 <NA> 3.0 -4.0"),
            (col("m").cast(DType::Float64), "float64: 10.5 -0.01 <NA> 999.99"),
            (col("m").cast(DType::decimal(15, 1).unwrap()), "decimal(15,1): 10.5 0.0 <NA> 1000.0"),
            (
                col("d").cast(DType::Timestamp(TimeUnit::Second)).cast(DType::Date32),
                "date32: 1970-01-01 1995-03-15 <NA> 1969-12-31",
            ),
            (lit(2) * lit(3), "int64: 6 6 6 6"),
            (lit(true), "bool: true true true true"),
            (lit(Scalar::Int64(5)).cast(DType::Int8), "int8: 5 5 5 5"),
            (lit(7).cast(DType::decimal(5, 2).unwrap()), "decimal(5,2): 7.00 7.00 7.00 7.00"),
            (col("b").cast(DType::decimal(5, 2).unwrap()), "decimal(5,2): 5.00 6.00 127.00 <NA>"),
            (col("m").cast(DType::decimal(5, 1).unwrap()), "decimal(5,1): 10.5 0.0 <NA> 1000.0"),
            (col("i").cast(DType::decimal(3, 2).unwrap()), "decimal(3,2): 1.00 <NA> 3.00 -4.00"),
            (col("m").cast(DType::decimal(38, 2).unwrap()).cast(DType::Int64), "int64: 11 0 <NA> 1000"),
            (col("i").is_in(0..5000), "bool: true <NA> true false"),
            (col("i").is_in(Vec::<i64>::new()), "bool: false <NA> false false"),
            (col("i"), "int64: 1 <NA> 3 -4"),
        ] {
            assert_eq!(show(&expr, &exec), expected, "{expr} on {device}");
        }
    }
}

#[test]
fn decimal_division_rounds_half_away_from_zero() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // 10.50 / 0.05, −0.01 / 0.10, null / 0.07, 999.99 / 0.00.
        let text = show(&(col("m") / col("n")), &exec);
        let values: Vec<&str> = text.split(": ").nth(1).unwrap().split(' ').collect();
        assert!(values[0].starts_with("210.000000"), "{text}");
        assert!(values[1].starts_with("-0.100000"), "{text}");
        assert_eq!(values[2..], ["<NA>", "<NA>"], "{text}");
        let sixth = show(&(col("n") / 3).cast(DType::decimal(18, 4).unwrap()), &exec);
        assert_eq!(sixth, "decimal(18,4): 0.0167 0.0333 0.0233 0.0000");
    }
}

#[test]
fn string_test_of_dictionary_compares_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let host = Exec::host();
        let codes = Column::from_options([Some(1i32), Some(0), None, Some(2), Some(1)], &host).unwrap();
        let values = Column::from_options([Some("AIR"), Some("RAIL"), Some("é")], &host).unwrap();
        let column = CategoricalColumn::new(&codes, values.into()).map(Column::Categorical).unwrap();
        let frame = ColumnAccessor::from_columns([("mode", column.to_device(&exec).unwrap())]).unwrap();
        for (expr, expected) in [
            (col("mode").eq("RAIL"), "true false <NA> false true"),
            (col("mode").ge("B"), "true false <NA> true true"),
            (col("mode").str().ends_with("R"), "false true <NA> false false"),
            (col("mode").is_null(), "false false true false false"),
        ] {
            let mask = evaluate_mask(&expr, &frame, &exec).unwrap().to_device(&host).unwrap();
            let values: Vec<String> = mask.to_scalars().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(values.join(" "), expected, "{expr} on {device}");
        }
    }
}

/// No float is between 2⁵³ and its successor, and no integer dtype holds all of both.
#[test]
fn comparison_of_signed_and_unsigned_integers_is_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let signed = [i64::MAX, (1 << 53) + 1, -1, i64::MIN, 0];
        let unsigned = [i64::MAX as u64 + 1, 1 << 53, u64::MAX, 1 << 63, 0];
        let frame = ColumnAccessor::from_columns([
            ("i", Column::from_slice(&signed, &exec).unwrap()),
            ("u", Column::from_slice(&unsigned, &exec).unwrap()),
        ])
        .unwrap();
        for (expr, expected) in [
            (col("i").lt(col("u")), "true false true true false"),
            (col("i").eq(col("u")), "false false false false true"),
            (col("u").gt(col("i")), "true false true true false"),
            (col("u").le(col("i")), "false true false false true"),
        ] {
            let mask = evaluate_mask(&expr, &frame, &exec).unwrap();
            let values: Vec<String> = mask.to_scalars().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(values.join(" "), expected, "{expr} on {device}");
        }
    }
}

#[test]
fn arithmetic_on_dictionary_of_numbers_uses_values() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let cents = DType::decimal(5, 2).unwrap();
        let codes = Column::from_options([Some(1i8), Some(0), None, Some(1)], &exec).unwrap();
        let dictionary =
            |values: Column| CategoricalColumn::new(&codes, values.into()).map(Column::Categorical).unwrap();
        let numbers = Column::from_slice(&[700_i64, 150], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([
            ("n", dictionary(numbers.clone())),
            ("price", dictionary(numbers.reinterpret(&cents).unwrap())),
        ])
        .unwrap();
        for (expr, expected) in [
            (col("n").eq(lit(150)), "true false <NA> true"),
            (col("price").gt(lit(2)), "false true <NA> false"),
            (col("n") + lit(1), "151 701 <NA> 151"),
            (col("price") * lit(2), "3.00 14.00 <NA> 3.00"),
        ] {
            let (_, column) = evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0);
            let values: Vec<String> = column.to_scalars().unwrap().iter().map(ToString::to_string).collect();
            assert_eq!(values.join(" "), expected, "{expr} on {device}");
        }
    }
}

#[test]
fn evaluate_of_invalid_expression_is_an_error() {
    assert!(matches!(fails(&(col("nope") + 1)), Error::ColumnNotFound { label, .. } if label == "nope"));
    assert!(matches!(fails(&(col("s") + 1)), Error::InvalidArgument { name: "literal", .. }));
    assert!(matches!(fails(&(col("s") + col("i"))), Error::UnsupportedDType { .. }));
    assert!(matches!(fails(&lit(300).cast(DType::Int8)), Error::InvalidArgument { name: "literal", .. }));
    assert!(matches!(fails(&col("i").eq(col("s"))), Error::DTypeMismatch { .. }));
    assert!(matches!(fails(&(!col("i"))), Error::NotBoolean { .. }));
    assert!(matches!(fails(&col("i").dt().year()), Error::UnsupportedDType { .. }));
    assert!(matches!(fails(&col("d").dt().hour()), Error::UnsupportedDType { .. }));
    let narrow = DType::decimal(2, 0).unwrap();
    let overflow = |expr: Expr, (row, value): (usize, &str), expected: &DType| {
        let error = evaluate(std::slice::from_ref(&expr), &frame(&Exec::host()), &Exec::host()).unwrap_err();
        let expected = Error::ValueOverflow { row, value: value.to_owned(), dtype: expected.clone() };
        assert_eq!(error, expected.in_expression(&expr));
    };
    // 999.99 and 127 have more than two digits.
    overflow(col("m").cast(narrow.clone()), (3, "999.99"), &narrow);
    overflow(col("b").cast(narrow.clone()), (2, "127"), &narrow);
    // An operation within an expression is named by its own dtype.
    overflow(lit(1) + col("m").cast(narrow.clone()).cast(DType::Float64), (3, "999.99"), &narrow);
    // 999.99 is no int8.
    overflow(col("m").cast(DType::Int8), (3, "999.99"), &DType::Int8);
    // The year 9999 has no nanoseconds: an error, and not another year.
    let nanos = DType::Timestamp(TimeUnit::Nano);
    overflow(date("9999-12-31").unwrap().cast(nanos.clone()), (0, "9999-12-31"), &nanos);
    assert!(matches!(fails(&col("d").eq("1995-13-40")), Error::Parse { .. }));
    let text =
        evaluate(&[col("s") + col("i")], &frame(&Exec::host()), &Exec::host()).unwrap_err().to_string();
    assert!(text.contains("(s + i)") && text.contains("utf8"), "{text}");
    assert!(lit_decimal("1.2.3").is_err() && lit_decimal("").is_err() && date("yesterday").is_err());
}

#[test]
fn expression_has_display_label_and_columns() {
    let expr = (col("price") * (lit(1) - col("discount"))).sum();
    assert_eq!(expr.to_string(), "(price * (1 - discount)).sum()");
    assert_eq!(expr.clone().alias("revenue").label(), "revenue");
    assert_eq!(col("x").mean().label(), "x");
    assert_eq!(columns_of([&expr, &col("price")]), ["price", "discount"]);
}

#[test]
fn trees_that_differ_in_one_node_are_not_the_same() {
    let x = || col("x");
    let trees: Vec<fn() -> [Expr; 2]> = vec![
        || [col("x"), col("y")],
        || [lit(1), lit(2)],
        || [col("x") + 1, col("x") - 1],
        || [col("x") + 1, col("x") + 2],
        || [col("x").checked_add(1), col("x") + 1],
        || [col("x").lt(1), col("x").le(1)],
        || [col("x") & col("y"), col("x") | col("y")],
        || [col("x").round(1), col("x").round(2)],
        || [col("x").cast(DType::Int8), col("x").cast(DType::Int16)],
        || [col("x").is_null(), col("x").is_not_null()],
        || [col("x").dt().year(), col("x").dt().month()],
        || [col("x").str().like("a%"), col("x").str().like("b%")],
        || [col("x").str().starts_with("a"), col("x").str().ends_with("a")],
        || [max_horizontal([col("x"), col("y")]), min_horizontal([col("x"), col("y")])],
        || [max_horizontal([col("x"), col("y")]), max_horizontal([col("x")])],
        || [col("x").sum(), col("x").min()],
        || [col("x").median(), col("x").var()],
        || [col("x").shift(1), col("x").shift(2)],
        || [col("x").sum().over("k"), col("x").sum().over("l")],
        || [col("x").str().upper(), col("x").str().lower()],
        || [col("x").alias("a"), col("x").alias("b")],
        || [when(col("x")).then(1).otherwise(2), when(col("x")).then(1).otherwise(3)],
    ];
    for tree in trees {
        let ([a, b], [again, _]) = (tree(), tree());
        assert!(a.is_same(&again), "{a}");
        assert!(!a.is_same(&b) && !b.is_same(&a), "{a} and {b}");
    }
    let members = Column::from_slice(&[1_i64, 2], &Exec::host()).unwrap();
    let is_in = x().is_in(&members);
    assert!(is_in.is_same(&is_in.clone()) && !is_in.is_same(&x().is_in(&members)));
}

#[test]
fn evaluate_of_frame_larger_than_budget_stays_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(81);
        let rows = test_frames::frame(6000, 1000, Nulls::Some, &mut rng, &exec);
        let exprs = [
            col("i64") * 3 + col("u16"),
            col("text"),
            col("f64").is_null().alias("none"),
            (col("price") * col("price")).alias("squares"),
            lit(7).alias("seven"),
        ];
        let all = |rows: &ColumnAccessor, exec: &Exec| {
            ColumnAccessor::from_columns(evaluate(&exprs, rows, exec).unwrap()).unwrap()
        };
        let whole = all(&rows, &exec);
        // About 700 rows at a time.
        let driver = Driver::new(&exec).with_budget(rows.row_bytes().unwrap() / 4);
        let chunked =
            ColumnAccessor::from_columns(evaluate_with(&exprs, Matters::Values, &rows, driver).unwrap())
                .unwrap();
        assert!(chunked.dtypes().eq(whole.dtypes()));
        assert_lines(&lines(&chunked), &lines(&whole), "700 rows at a time");
        let limit = share_of(rows.row_bytes().unwrap(), 8, device);
        let (manager, tight) = limited(&exec, limit);
        let source = moved(&rows, &tight);
        let (peak, values) = peak_of(&manager, || all(&source, &tight));
        assert!(peak <= limit, "{peak} of {limit} on {device}");
        assert_lines(&lines(&values), &lines(&whole), &device.to_string());
    }
}

#[test]
fn evaluate_of_zeros_of_both_signs_keeps_signs() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame =
            ColumnAccessor::from_columns([("x", Column::from_slice(&[1.0f64], &exec).unwrap())]).unwrap();
        // 1 / (x * 0.0) is inf, 1 / (x * -0.0) is -inf; negation is lowered to a subtraction from −0.0.
        let inverse = |zero: f64| lit(1.0) / (col("x") * lit(zero));
        let exprs = [-col("x"), inverse(0.0), inverse(-0.0), inverse(0.0).alias("again")];
        let values: Vec<Scalar> = evaluate(&exprs, &frame, &exec)
            .unwrap()
            .iter()
            .map(|(_, column)| column.to_device(&Exec::host()).unwrap().get(0).unwrap())
            .collect();
        let inf = f64::INFINITY;
        assert_eq!(values, [-1.0, inf, -inf, inf].map(Scalar::Float64), "on {device}");
    }
}
