//! Constants whose value stays on its device, on every device.

use super::{Expr, Literal, col, evaluate, lit, when};
use crate::categories::encode;
use crate::filter::filter;
use crate::groupby::{GroupOptions, aggregate};
use crate::test_frames::{KEYS, frame};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, DeviceScalar, Error, Scalar};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

/// The dtype and the values of an expression, as text.
fn texts(expr: &Expr, rows: &ColumnAccessor, exec: &Exec) -> (DType, Vec<String>) {
    let (_, column) = evaluate(std::slice::from_ref(expr), rows, exec).unwrap().swap_remove(0);
    let column = column.to_device(&Exec::host()).unwrap();
    (column.dtype(), column.to_scalars().unwrap().iter().map(ToString::to_string).collect())
}

fn only(values: Column) -> DeviceScalar {
    DeviceScalar::new(values).unwrap()
}

#[test]
fn row_of_every_dtype_is_repeated() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        let others = frame(40, 12, Nulls::Some, &mut rng, &exec);
        for n in [0, 1, 31, 32, 33, 65, 700] {
            let rows = frame(n, 12, Nulls::Some, &mut rng, &exec);
            for key in KEYS {
                for row in [0, 17, 39] {
                    let column = others.get(key).unwrap();
                    let one = DeviceScalar::from_row(column, row).unwrap();
                    let (_, repeated) = texts(&lit(one.clone()), &rows, &exec);
                    let value = column.to_device(&Exec::host()).unwrap().get(row).unwrap();
                    assert_eq!(repeated, vec![value.to_string(); n], "{key} {row} {n} on {device}");
                    // Values of one dtype are equal where their texts are, but for zeros.
                    let (_, equal) = texts(&col(key).eq(lit(one)), &rows, &exec);
                    let values = rows.get(key).unwrap().to_device(&Exec::host()).unwrap();
                    let is_zero = |scalar: &Scalar| matches!(scalar, Scalar::Float64(0.0));
                    let expected = values.to_scalars().unwrap().into_iter().map(|other| {
                        let equal =
                            other.to_string() == value.to_string() || is_zero(&other) && is_zero(&value);
                        if other.is_null() || value.is_null() { "<NA>".to_owned() } else { equal.to_string() }
                    });
                    assert_eq!(equal, expected.collect::<Vec<_>>(), "{key} == {value} {n} on {device}");
                }
            }
        }
    }
}

#[test]
fn operators_and_functions_take_row_as_column() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = ColumnAccessor::from_columns([
            ("n", Column::from_options([Some(-1_i32), None, Some(40)], &exec).unwrap()),
            ("f", Column::from_slice(&[0.5, -2.0, 4.0], &exec).unwrap()),
            ("s", Column::from_values(["tea", "oat", "ß"], &exec).unwrap()),
        ])
        .unwrap();
        let wide = || lit(only(Column::from_slice(&[1_i64 << 40], &exec).unwrap()));
        let half = || lit(only(Column::from_slice(&[0.5], &exec).unwrap()));
        let text = || lit(only(Column::from_values(["oat"], &exec).unwrap()));
        let null = || lit(only(Column::full_null(&DType::Int64, 1, &exec).unwrap()));
        let euros = Scalar::Decimal { value: 125, precision: 5, scale: 2 };
        let euros = || lit(DeviceScalar::from_scalar(&euros, &exec).unwrap());
        let float = DType::Float64;
        for (expr, dtype, expected) in [
            (col("n") + wide(), DType::Int64, ["1099511627775", "<NA>", "1099511627816"]),
            // Two scalars of one dtype are two steps.
            (
                wide() - lit(only(Column::from_slice(&[3_i64], &exec).unwrap())),
                DType::Int64,
                ["1099511627773"; 3],
            ),
            (wide() - 1, DType::Int64, ["1099511627775"; 3]),
            (col("n") * half(), float.clone(), ["-0.5", "<NA>", "20.0"]),
            (half().lt(col("f")), DType::Bool, ["false", "false", "true"]),
            (col("n") + null(), DType::Int64, ["<NA>"; 3]),
            (col("n").fill_null(wide()), DType::Int64, ["-1", "1099511627776", "40"]),
            (col("s") + text(), DType::Utf8, ["teaoat", "oatoat", "ßoat"]),
            (col("s").eq(text()), DType::Bool, ["false", "true", "false"]),
            (text().str().upper(), DType::Utf8, ["OAT"; 3]),
            (when(col("f").gt(half())).then(text()).otherwise(col("s")), DType::Utf8, ["tea", "oat", "oat"]),
            (euros() * 2, DType::decimal(6, 2).unwrap(), ["2.50"; 3]),
            (half().cast(DType::Utf8), DType::Utf8, ["0.5"; 3]),
            (col("f").sum() * half(), float.clone(), ["1.25"; 3]),
            (half().is_null(), DType::Bool, ["false"; 3]),
        ] {
            let (found, values) = texts(&expr, &rows, &exec);
            assert_eq!((found, values.as_slice()), (dtype, expected.map(str::to_owned).as_slice()), "{expr}");
        }
        let kept = filter(&rows, &col("n").lt(wide()).and(col("f").ge(half())), &exec).unwrap();
        assert_eq!(kept.rows(), 2);
        let by = aggregate(
            &rows,
            None,
            &[col("s")],
            &[(col("f") * half()).sum().filter(col("n").le(wide())).alias("x")],
            GroupOptions::default(),
            &exec,
        )
        .unwrap();
        assert_eq!(by.get("x").unwrap().to_scalars().unwrap(), [0.25, 0.0, 2.0].map(Scalar::Float64));
    }
}

/// A scalar goes to the rows' device; where the host has a value, it is a constant as any other.
#[test]
fn row_of_another_device_is_copied() {
    for device in Device::available() {
        let (exec, host) = (Exec::new(device).unwrap(), Exec::host());
        for (of_scalar, of_rows) in [(&exec, &host), (&host, &exec)] {
            let one = only(Column::from_slice(&[3_i64], of_scalar).unwrap());
            let rows = Column::from_slice(&[1_i64, 2], of_rows).unwrap();
            let rows = ColumnAccessor::from_columns([("x", rows)]).unwrap();
            assert_eq!(texts(&(col("x") * lit(one)), &rows, of_rows).1, ["3", "6"], "{device}");
        }
    }
}

#[test]
fn equal_scalars_are_one_step_and_others_are_not() {
    let exec = Exec::host();
    let one = only(Column::from_slice(&[3_i64], &exec).unwrap());
    let literal = Literal::from(one.clone());
    assert_eq!(literal, literal.clone());
    assert_ne!(literal, Literal::from(one));
    assert_eq!(lit(literal).to_string(), "scalar of int64");
}

/// The sizes with an order that is not that of their texts.
fn sizes(codes: &[i8], values: &[&str], exec: &Exec) -> Column {
    let values = Column::from_values(values.iter().copied(), exec).unwrap();
    let codes = Column::from_slice(codes, exec).unwrap();
    Column::Categorical(CategoricalColumn::new(&codes, Arc::new(values)).unwrap().as_ordered())
}

#[test]
fn category_of_another_frame_keeps_its_order() {
    const SIZES: [&str; 3] = ["small", "mid", "big"];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = sizes(&[0, 2, 1, 0], &SIZES, &exec);
        let text = Column::from_values(["tea", "oat", "ß", "x"], &exec).unwrap();
        let rows = ColumnAccessor::from_columns([("size", column.clone()), ("text", text)]).unwrap();
        let one = |code: i8| lit(only(sizes(&[code], &SIZES, &exec)));
        let plain = |text: &str| lit(only(Column::from_values([text], &exec).unwrap()));
        let unordered = |text: &str| {
            lit(only(
                encode(&Column::from_values([text], &exec).unwrap(), &exec).map(Column::Categorical).unwrap(),
            ))
        };
        let codes = [0, 2, 1, 0];
        let by_order = |holds: &dyn Fn(i32) -> bool| codes.map(|code| holds(code).to_string());
        for (expr, expected) in [
            (col("size").ge(one(1)), by_order(&|code| code >= 1)),
            (one(1).gt(col("size")), by_order(&|code| code < 1)),
            (col("size").eq(one(2)), by_order(&|code| code == 2)),
            (col("size").ne(one(2)), by_order(&|code| code != 2)),
            (col("size").le(plain("mid")), by_order(&|code| code <= 1)),
            (plain("mid").lt(col("size")), by_order(&|code| code > 1)),
            (col("size").le(unordered("mid")), by_order(&|code| code <= 1)),
            (col("size").lt(one(0)), by_order(&|_| false)),
            (one(0).lt(one(2)), by_order(&|_| true)),
            (one(2).gt(lit("mid")), by_order(&|_| true)),
            (col("text").eq(one(0)), by_order(&|_| false)),
        ] {
            assert_eq!(texts(&expr, &rows, &exec), (DType::Bool, expected.to_vec()), "{expr} on {device}");
        }
        let dtype = column.dtype();
        for (expr, expected) in [
            (one(1), ["mid"; 4]),
            (
                when(col("size").gt(one(0))).then(one(1)).otherwise(col("size")),
                ["small", "mid", "mid", "small"],
            ),
            (
                when(col("size").gt(one(0))).then(plain("mid")).otherwise(col("size")),
                ["small", "mid", "mid", "small"],
            ),
            (
                when(col("text").eq("ß")).then(lit(Literal::Null)).otherwise(col("size")).fill_null(one(2)),
                ["small", "big", "big", "small"],
            ),
        ] {
            let expected = expected.map(str::to_owned).to_vec();
            assert_eq!(texts(&expr, &rows, &exec), (dtype.clone(), expected), "{expr} on {device}");
        }
        let upper = texts(&one(1).str().upper(), &rows, &exec).1;
        assert_eq!(upper, ["MID"; 4], "{device}");
        let refused = |expr: Expr| evaluate(&[expr], &rows, &exec).unwrap_err().without_context();
        let other = lit(only(sizes(&[0], &["mid", "small"], &exec)));
        assert!(matches!(refused(col("size").lt(other)), Error::InvalidArgument { name: "categories", .. }));
        assert!(matches!(refused(col("size").lt(plain("huge"))), Error::UnknownCategory { .. }));
        // Numbers in an order of their own.
        let numbers = Column::from_slice(&[30_i64, 10, 20], &exec).unwrap();
        let of = |codes: &[i8]| {
            let codes = Column::from_slice(codes, &exec).unwrap();
            Column::Categorical(
                CategoricalColumn::new(&codes, Arc::new(numbers.clone())).unwrap().as_ordered(),
            )
        };
        let rows = ColumnAccessor::from_columns([("n", of(&[0, 1, 2]))]).unwrap();
        let one = || lit(only(of(&[1])));
        assert_eq!(texts(&col("n").lt(one()), &rows, &exec).1, ["true", "false", "false"], "{device}");
        assert_eq!(texts(&(one() + 1), &rows, &exec).1, ["11"; 3], "{device}");
    }
}
