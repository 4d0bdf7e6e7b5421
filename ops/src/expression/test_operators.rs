//! Operators that take several kinds of dtypes, against naive values, on every device.

use super::{Expr, col, evaluate, lit};
use crate::expression::Literal;
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_tests::Rng;

fn decimals(values: &[Option<i128>], precision: u8, scale: i8, exec: &Exec) -> Column {
    let dtype = DType::decimal(precision, scale).unwrap();
    let scalar = |value: &Option<i128>| match value {
        Some(value) => Scalar::Decimal { value: *value, precision, scale },
        None => Scalar::Null(dtype.clone()),
    };
    Column::from_scalars(&dtype, &values.iter().map(scalar).collect::<Vec<_>>(), exec).unwrap()
}

fn evaluated(expr: Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    let (_, column) = evaluate(&[expr], frame, exec)?.swap_remove(0);
    column.to_device(&Exec::host())
}

fn digits(column: &Column) -> Vec<Option<i128>> {
    let digits = |scalar: &Scalar| match scalar {
        Scalar::Decimal { value, .. } => Some(*value),
        Scalar::Null(_) => None,
        other => panic!("{other} is no decimal"),
    };
    column.to_scalars().unwrap().iter().map(digits).collect()
}

fn on_every_device(test: impl Fn(&Exec)) {
    for device in Device::available() {
        test(&Exec::new(device).unwrap());
    }
}

/// Quotient rounded down and remainder of integers of one scale; `None` for a zero divisor.
fn floored(a: i128, b: i128) -> Option<(i128, i128)> {
    let (quotient, rest) = (a.checked_div(b)?, a.checked_rem(b)?);
    let is_below = rest != 0 && (rest < 0) != (b < 0);
    Some((quotient - i128::from(is_below), rest + if is_below { b } else { 0 }))
}

#[test]
fn quotients_and_remainders_of_decimals_are_those_of_integers_of_one_scale() {
    let mut rng = Rng::new(5);
    // Precision and scale of both sides: of 64 and 128 bits, of negative scales, and beyond 38 digits together.
    let shapes =
        [(9, 2, 9, 2), (18, 4, 4, 0), (20, 3, 12, 7), (38, 0, 2, 2), (5, -2, 7, 1), (38, 10, 38, 10)];
    for (p1, s1, p2, s2) in shapes {
        for rows in [0, 1, 33, 65] {
            let mut side = |precision: u8| -> Vec<Option<i128>> {
                let digits =
                    |rng: &mut Rng| u32::try_from(rng.below(u64::from(precision.min(17)))).unwrap() + 1;
                let value = |rng: &mut Rng| {
                    let most = 10_i128.pow(digits(rng));
                    let value = i128::from(rng.below(u64::MAX)) % most;
                    if rng.below(2) == 0 { value } else { -value }
                };
                (0..rows)
                    .map(|_| match rng.below(8) {
                        0 => None,
                        1 => Some(0),
                        _ => Some(value(&mut rng)),
                    })
                    .collect()
            };
            let (a, b) = (side(p1), side(p2));
            let scale = s1.max(s2);
            let at = |value: i128, from: i8| value * 10_i128.pow(u32::try_from(scale - from).unwrap());
            let expected: Vec<Option<(i128, i128)>> =
                a.iter().zip(&b).map(|(a, b)| floored(at((*a)?, s1), at((*b)?, s2))).collect();
            on_every_device(|exec| {
                let frame = [("a", decimals(&a, p1, s1, exec)), ("b", decimals(&b, p2, s2, exec))];
                let frame = ColumnAccessor::from_columns(frame).unwrap();
                let quotient = evaluated(col("a").floor_div(col("b")), &frame, exec).unwrap();
                let rest = evaluated(col("a") % col("b"), &frame, exec).unwrap();
                assert!(matches!(quotient.dtype(), DType::Decimal { scale: 0, .. }), "{}", quotient.dtype());
                assert!(matches!(rest.dtype(), DType::Decimal { scale: found, .. } if found == scale));
                let context = format!("({p1},{s1}) by ({p2},{s2}), {rows} rows on {}", exec.device());
                let first = expected.iter().map(|pair| pair.map(|pair| pair.0)).collect::<Vec<_>>();
                let second = expected.iter().map(|pair| pair.map(|pair| pair.1)).collect::<Vec<_>>();
                assert_eq!(digits(&quotient), first, "{context}");
                assert_eq!(digits(&rest), second, "{context}");
            });
        }
    }
}

#[test]
fn quotients_of_decimals_overflow_where_their_scale_does_not_fit() {
    on_every_device(|exec| {
        let large = decimals(&[Some(10_i128.pow(37))], 38, 0, exec);
        let small = decimals(&[Some(1)], 38, 38, exec);
        let frame = ColumnAccessor::from_columns([("a", large), ("b", small)]).unwrap();
        for expr in [col("a") % col("b"), col("a").floor_div(col("b"))] {
            let error = evaluated(expr, &frame, exec).unwrap_err();
            assert!(matches!(error.without_context(), Error::Overflow { .. }));
        }
    });
}

#[test]
fn decimals_and_other_numbers_have_quotients_and_remainders() {
    on_every_device(|exec| {
        let a = decimals(&[Some(-750), None, Some(725)], 5, 2, exec);
        let n = Column::from_options([Some(2_i64), Some(3), None], exec).unwrap();
        let frame = ColumnAccessor::from_columns([("a", a), ("n", n)]).unwrap();
        let shown = |expr: Expr| {
            let column = evaluated(expr, &frame, exec).unwrap();
            column.to_scalars().unwrap().iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(shown(col("a") % 2), "0.50 <NA> 1.25");
        assert_eq!(shown(col("a").floor_div(2)), "-4 <NA> 3");
        assert_eq!(shown(col("a") % col("n")), "0.50 <NA> <NA>");
        assert_eq!(shown(lit(8) % col("a")), "-7.00 <NA> 0.75");
        assert_eq!(shown(col("a") % 0), "<NA> <NA> <NA>");
        assert_eq!(shown(col("a") % 0.7), "0.20 <NA> 0.25");
    });
}

#[test]
fn strings_are_joined_by_plus() {
    on_every_device(|exec| {
        let words = Column::from_options([Some("tea"), None, Some(""), Some("né")], exec).unwrap();
        let coded = evaluate(
            &[col("w").cat().encode()],
            &ColumnAccessor::from_columns([("w", words.clone())]).unwrap(),
            exec,
        );
        let nulls = Column::full_null(&DType::Null, 4, exec).unwrap();
        let columns = [("w", words), ("c", coded.unwrap().swap_remove(0).1), ("z", nulls)];
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        let joined = |expr: Expr| evaluated(expr, &frame, exec).unwrap();
        let texts = |expr: Expr| joined(expr).to_options::<String>().unwrap();
        let some = |texts: [Option<&str>; 4]| texts.map(|text| text.map(str::to_owned)).to_vec();
        assert_eq!(texts(col("w") + "é"), some([Some("teaé"), None, Some("é"), Some("néé")]));
        assert_eq!(texts(lit("é") + col("c")), some([Some("étea"), None, Some("é"), Some("éné")]));
        assert_eq!(texts(col("c") + col("w")), some([Some("teatea"), None, Some(""), Some("néné")]));
        assert_eq!(texts(lit("a") + "b"), some([Some("ab"); 4]));
        for null in [col("w") + lit(Literal::Null), col("z") + col("w"), col("w") + col("z")] {
            let made = joined(null);
            assert_eq!((made.dtype(), made.null_count(&Exec::host()).unwrap()), (DType::Utf8, 4));
        }
        for refused in [col("w") + 1, col("w") - "a", col("w") * 2] {
            assert!(evaluated(refused, &frame, exec).is_err());
        }
        let none = frame.slice(0, 0).unwrap();
        assert_eq!(evaluated(col("w") + "a", &none, exec).unwrap().size(), 0);
    });
}

#[test]
fn logical_operators_combine_the_bits_of_integers() {
    let (a, b) = ([Some(6_i32), None, Some(-1)], [Some(3_i64), Some(1), Some(0)]);
    let naive = |op: fn(i64, i64) -> i64| -> Vec<Option<i64>> {
        a.iter().zip(b).map(|(a, b)| Some(op(i64::from((*a)?), b?))).collect()
    };
    on_every_device(|exec| {
        let flags = [Some(true), None, Some(false)];
        let columns = [
            ("a", Column::from_options(a, exec).unwrap()),
            ("b", Column::from_options(b, exec).unwrap()),
            ("f", Column::from_options(flags, exec).unwrap()),
        ];
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        let of = |expr: Expr| evaluated(expr, &frame, exec).unwrap().to_options::<i64>().unwrap();
        assert_eq!(of(col("a") & col("b")), naive(|a, b| a & b));
        assert_eq!(of(col("a") | col("b")), naive(|a, b| a | b));
        assert_eq!(of(col("a") ^ col("b")), naive(|a, b| a ^ b));
        assert_eq!(of(2 & col("b")), [Some(2), Some(0), Some(0)]);
        assert_eq!(of(col("b") & lit(Literal::Null)), [None; 3]);
        let truth = |expr: Expr| evaluated(expr, &frame, exec).unwrap().to_options::<bool>().unwrap();
        assert_eq!(truth(col("f") ^ true), [Some(false), None, Some(true)]);
        assert_eq!(truth(col("f") & false), [Some(false); 3]);
        for refused in [col("f") & 1, col("a") & true, col("a") & 1.5, col("f") | col("a")] {
            let error = evaluated(refused, &frame, exec).unwrap_err();
            assert!(matches!(
                error.without_context(),
                Error::NotBoolean { .. } | Error::InvalidArgument { .. }
            ));
        }
    });
}

#[test]
fn arithmetic_of_booleans_is_that_of_0_and_1() {
    on_every_device(|exec| {
        let columns = [
            ("f", Column::from_options([Some(true), None, Some(false), Some(true)], exec).unwrap()),
            ("g", Column::from_options([Some(true), Some(true), Some(false), Some(false)], exec).unwrap()),
            ("d", decimals(&[Some(5), Some(7), None, Some(9)], 3, 1, exec)),
        ];
        let frame = ColumnAccessor::from_columns(columns).unwrap();
        let of = |expr: Expr| evaluated(expr, &frame, exec).unwrap();
        let whole = |expr: Expr| of(expr).to_options::<i64>().unwrap();
        assert_eq!(whole(col("f") + col("g")), [Some(2), None, Some(0), Some(1)]);
        assert_eq!(whole(col("f") - col("g")), [Some(0), None, Some(0), Some(1)]);
        assert_eq!(whole(col("f") * col("g")), [Some(1), None, Some(0), Some(0)]);
        assert_eq!(whole(col("f") + 1), [Some(2), None, Some(1), Some(2)]);
        assert_eq!(whole(col("f").floor_div(col("g"))), [Some(1), None, None, None]);
        assert_eq!(of(col("f") / 2).to_options::<f64>().unwrap(), [Some(0.5), None, Some(0.0), Some(0.5)]);
        assert_eq!(digits(&of(col("d") * col("g"))), [Some(5), Some(7), None, Some(0)]);
        assert_eq!(digits(&of(col("d") + col("f"))), [Some(15), None, None, Some(19)]);
    });
}
