//! Tests of `math` on every device of the build.

use super::{MathOp, math};
use crate::elementwise::Operand;
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

/// Functions of numbers, correctly rounded: computed with 400 bits by mpmath 1.4.
#[rustfmt::skip]
#[expect(clippy::approx_constant, clippy::unreadable_literal, reason = "results as printed")]
const KNOWN: &[(MathOp, f64, f64, f64)] = &[
    (MathOp::Exp, 1.0, 0.0, 2.718281828459045),
    (MathOp::Exp, -1.0, 0.0, 0.36787944117144233),
    (MathOp::Exp, 0.5, 0.0, 1.6487212707001282),
    (MathOp::Exp, 700.25, 0.0, 1.3022997366991783e+304),
    (MathOp::Exp, -700.75, 0.0, 4.657381420117245e-305),
    (MathOp::Exp, 1e-10, 0.0, 1.0000000001),
    (MathOp::Exp, 12.3, 0.0, 219695.9886721379),
    (MathOp::Expm1, 1e-12, 0.0, 1.0000000000005e-12),
    (MathOp::Expm1, -1e-09, 0.0, -9.999999995e-10),
    (MathOp::Expm1, 0.3, 0.0, 0.3498588075760031),
    (MathOp::Expm1, -0.7, 0.0, -0.5034146962085905),
    (MathOp::Expm1, 5.5, 0.0, 243.69193226422038),
    (MathOp::Expm1, 300.0, 0.0, 1.9424263952412558e+130),
    (MathOp::Log, 2.0, 0.0, 0.6931471805599453),
    (MathOp::Log, 10.0, 0.0, 2.302585092994046),
    (MathOp::Log, 0.1, 0.0, -2.3025850929940455),
    (MathOp::Log, 1.0000001, 0.0, 9.999999505838704e-08),
    (MathOp::Log, 1e+300, 0.0, 690.7755278982137),
    (MathOp::Log, 5e-324, 0.0, -744.4400719213812),
    (MathOp::Log, 0.99, 0.0, -0.01005033585350145),
    (MathOp::Log1p, 1e-12, 0.0, 9.999999999995e-13),
    (MathOp::Log1p, -1e-09, 0.0, -1.0000000005000001e-09),
    (MathOp::Log1p, 0.5, 0.0, 0.4054651081081644),
    (MathOp::Log1p, -0.99, 0.0, -4.605170185988091),
    (MathOp::Log1p, 10000000000.0, 0.0, 23.025850930040455),
    (MathOp::Log1p, 3.0, 0.0, 1.3862943611198906),
    (MathOp::Log2, 8.0, 0.0, 3.0),
    (MathOp::Log2, 3.0, 0.0, 1.584962500721156),
    (MathOp::Log2, 0.1, 0.0, -3.321928094887362),
    (MathOp::Log2, 1e-300, 0.0, -996.5784284662087),
    (MathOp::Log2, 1e+300, 0.0, 996.5784284662087),
    (MathOp::Log2, 1.5, 0.0, 0.5849625007211562),
    (MathOp::Log10, 1000.0, 0.0, 3.0),
    (MathOp::Log10, 3.0, 0.0, 0.47712125471966244),
    (MathOp::Log10, 0.1, 0.0, -1.0),
    (MathOp::Log10, 1e-300, 0.0, -300.0),
    (MathOp::Log10, 1e+300, 0.0, 300.0),
    (MathOp::Log10, 1.5, 0.0, 0.17609125905568124),
    (MathOp::Cbrt, 27.0, 0.0, 3.0),
    (MathOp::Cbrt, -8.0, 0.0, -2.0),
    (MathOp::Cbrt, 0.1, 0.0, 0.4641588833612779),
    (MathOp::Cbrt, 1e+300, 0.0, 1e+100),
    (MathOp::Cbrt, -1e-300, 0.0, -1e-100),
    (MathOp::Cbrt, 2.0, 0.0, 1.2599210498948732),
    (MathOp::Sin, 1.0, 0.0, 0.8414709848078965),
    (MathOp::Sin, -0.5, 0.0, -0.479425538604203),
    (MathOp::Sin, 3.141592653589793, 0.0, 1.2246467991473532e-16),
    (MathOp::Sin, 1000000.0, 0.0, -0.34999350217129294),
    (MathOp::Sin, 1e+22, 0.0, -0.8522008497671888),
    (MathOp::Sin, -123456.789, 0.0, 0.9986640823432246),
    (MathOp::Sin, 1e-08, 0.0, 1e-08),
    (MathOp::Cos, 1.0, 0.0, 0.5403023058681398),
    (MathOp::Cos, -0.5, 0.0, 0.8775825618903728),
    (MathOp::Cos, 1.5707963267948966, 0.0, 6.123233995736766e-17),
    (MathOp::Cos, 1000000.0, 0.0, 0.9367521275331447),
    (MathOp::Cos, 1e+22, 0.0, 0.523214785395139),
    (MathOp::Cos, -123456.789, 0.0, 0.05167253271870138),
    (MathOp::Cos, 1e-08, 0.0, 1.0),
    (MathOp::Tan, 1.0, 0.0, 1.5574077246549023),
    (MathOp::Tan, -0.5, 0.0, -0.5463024898437905),
    (MathOp::Tan, 1.5707963267948966, 0.0, 1.633123935319537e+16),
    (MathOp::Tan, 1000000.0, 0.0, -0.373624453987599),
    (MathOp::Tan, 1e+22, 0.0, -1.6287782256068988),
    (MathOp::Tan, -12.5, 0.0, 0.0664682418632742),
    (MathOp::Tan, 1e-08, 0.0, 1e-08),
    (MathOp::Asin, 0.5, 0.0, 0.5235987755982989),
    (MathOp::Asin, -0.999, 0.0, -1.526071239626163),
    (MathOp::Asin, 1e-09, 0.0, 1e-09),
    (MathOp::Asin, 0.25, 0.0, 0.25268025514207865),
    (MathOp::Acos, 0.5, 0.0, 1.0471975511965979),
    (MathOp::Acos, -0.999, 0.0, 3.09686756642106),
    (MathOp::Acos, 1e-09, 0.0, 1.5707963257948967),
    (MathOp::Acos, 0.99, 0.0, 0.1415394733244273),
    (MathOp::Atan, 0.5, 0.0, 0.4636476090008061),
    (MathOp::Atan, -3.0, 0.0, -1.2490457723982544),
    (MathOp::Atan, 10000000000.0, 0.0, 1.5707963266948965),
    (MathOp::Atan, 1e-09, 0.0, 1e-09),
    (MathOp::Sinh, 0.5, 0.0, 0.5210953054937474),
    (MathOp::Sinh, -3.0, 0.0, -10.017874927409903),
    (MathOp::Sinh, 1e-09, 0.0, 1e-09),
    (MathOp::Sinh, 700.5, 0.0, 8.360929810337492e+303),
    (MathOp::Sinh, 20.0, 0.0, 242582597.70489514),
    (MathOp::Cosh, 0.5, 0.0, 1.1276259652063807),
    (MathOp::Cosh, -3.0, 0.0, 10.067661995777765),
    (MathOp::Cosh, 1e-09, 0.0, 1.0),
    (MathOp::Cosh, 700.5, 0.0, 8.360929810337492e+303),
    (MathOp::Cosh, 20.0, 0.0, 242582597.70489514),
    (MathOp::Tanh, 0.5, 0.0, 0.46211715726000974),
    (MathOp::Tanh, -3.0, 0.0, -0.9950547536867305),
    (MathOp::Tanh, 1e-09, 0.0, 1e-09),
    (MathOp::Tanh, 18.0, 0.0, 0.9999999999999996),
    (MathOp::Asinh, 0.5, 0.0, 0.48121182505960347),
    (MathOp::Asinh, -3.0, 0.0, -1.8184464592320668),
    (MathOp::Asinh, 1e-09, 0.0, 1e-09),
    (MathOp::Asinh, 10000000000.0, 0.0, 23.7189981105004),
    (MathOp::Asinh, 1e+300, 0.0, 691.4686750787737),
    (MathOp::Acosh, 1.5, 0.0, 0.9624236501192069),
    (MathOp::Acosh, 1.0000001, 0.0, 0.0004472135919037347),
    (MathOp::Acosh, 20.0, 0.0, 3.6882538673612966),
    (MathOp::Acosh, 10000000000.0, 0.0, 23.7189981105004),
    (MathOp::Acosh, 1e+300, 0.0, 691.4686750787737),
    (MathOp::Atanh, 0.5, 0.0, 0.5493061443340549),
    (MathOp::Atanh, -0.999, 0.0, -3.8002011672501994),
    (MathOp::Atanh, 1e-09, 0.0, 1e-09),
    (MathOp::Atanh, 0.1, 0.0, 0.10033534773107558),
    (MathOp::Pow, 2.0, 10.0, 1024.0),
    (MathOp::Pow, 10.0, 2.0, 100.0),
    (MathOp::Pow, 10.0, -3.0, 0.001),
    (MathOp::Pow, 1.0000001, 10000000.0, 2.7182816941320818),
    (MathOp::Pow, 2.0, 0.5, 1.4142135623730951),
    (MathOp::Pow, 0.1, 0.1, 0.7943282347242815),
    (MathOp::Pow, -2.0, 3.0, -8.0),
    (MathOp::Pow, -1.5, -3.0, -0.2962962962962963),
    (MathOp::Pow, 1e-300, 0.9, 9.999999999999847e-271),
    (MathOp::Pow, 1.5, 1700.5, 2.774508273377268e+299),
    (MathOp::Pow, 3.7, -2.2, 0.05622846232438557),
    (MathOp::Atan2, 1.0, 2.0, 0.4636476090008061),
    (MathOp::Atan2, 1.0, -2.0, 2.677945044588987),
    (MathOp::Atan2, -1.0, -2.0, -2.677945044588987),
    (MathOp::Atan2, -1.0, 2.0, -0.4636476090008061),
    (MathOp::Atan2, 1e-300, 3.0, 3.3333333333333334e-301),
];

/// Units in the last place that a function may be wrong by.
const ULPS: f64 = 4.0;

fn is_near(found: f64, expected: f64) -> bool {
    let unit = expected.abs().next_up() - expected.abs();
    (found - expected).abs() <= ULPS * unit
}

fn column(values: &[f64], exec: &Exec) -> TestColumn {
    let values: Vec<Value> = values.iter().map(|&v| Value::F64(v)).collect();
    TestColumn::new(Storage::F64, &values, None, 0, exec)
}

#[test]
fn math_of_known_numbers_is_within_four_units_in_the_last_place() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for op in MathOp::ALL {
            let known: Vec<_> = KNOWN.iter().filter(|known| known.0 == op).collect();
            assert!(known.len() >= 4, "{op:?}");
            let lhs = column(&known.iter().map(|known| known.1).collect::<Vec<_>>(), &exec);
            let rhs = column(&known.iter().map(|known| known.2).collect::<Vec<_>>(), &exec);
            let found = rows_of(&math(op, lhs.view().into(), rhs.view().into(), &exec).unwrap(), &exec);
            for (found, (_, a, b, expected)) in found.iter().zip(known) {
                let Some(Value::F64(found)) = *found else { panic!("{op:?}({a}, {b}) is {found:?}") };
                assert!(
                    is_near(found, *expected),
                    "{op:?}({a}, {b}) is {found:?}, not {expected:?} on {device}"
                );
            }
        }
    }
}

#[test]
fn math_of_special_numbers_follows_ieee_754() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let cases: [(MathOp, &[(f64, f64)]); 15] = [
        (MathOp::Exp, &[(0.0, 1.0), (inf, inf), (-inf, 0.0), (nan, nan), (710.0, inf), (-800.0, 0.0)]),
        (MathOp::Expm1, &[(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -1.0), (nan, nan)]),
        (MathOp::Log, &[(1.0, 0.0), (0.0, -inf), (-0.0, -inf), (-1.0, nan), (inf, inf), (nan, nan)]),
        (MathOp::Log1p, &[(0.0, 0.0), (-0.0, -0.0), (-1.0, -inf), (-2.0, nan), (inf, inf)]),
        (MathOp::Log2, &[(1.0, 0.0), (1024.0, 10.0), (0.0, -inf), (-1.0, nan)]),
        (MathOp::Log10, &[(1.0, 0.0), (0.0, -inf), (-1.0, nan)]),
        (MathOp::Cbrt, &[(0.0, 0.0), (-0.0, -0.0), (-inf, -inf), (nan, nan)]),
        (MathOp::Sin, &[(0.0, 0.0), (-0.0, -0.0), (inf, nan), (nan, nan)]),
        (MathOp::Cos, &[(0.0, 1.0), (-inf, nan), (nan, nan)]),
        (MathOp::Tan, &[(0.0, 0.0), (-0.0, -0.0), (inf, nan)]),
        (MathOp::Asin, &[(0.0, 0.0), (-0.0, -0.0), (1.5, nan)]),
        (MathOp::Acos, &[(1.0, 0.0), (-1.5, nan)]),
        (MathOp::Asinh, &[(0.0, 0.0), (-0.0, -0.0), (inf, inf), (-inf, -inf), (nan, nan)]),
        (MathOp::Acosh, &[(1.0, 0.0), (0.5, nan), (-inf, nan), (inf, inf), (nan, nan)]),
        (MathOp::Atanh, &[(0.0, 0.0), (-0.0, -0.0), (1.0, inf), (-1.0, -inf), (1.5, nan)]),
    ];
    let powers = [
        (0.0, 0.0, 1.0),
        (nan, 0.0, 1.0),
        (1.0, nan, 1.0),
        (-8.0, 1.0 / 3.0, nan),
        (0.0, -1.0, inf),
        (-0.0, -1.0, -inf),
        (2.0, inf, inf),
        (-2.0, -inf, 0.0),
        (2.0, 10.0, 1024.0),
        (10.0, 3.0, 1000.0),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let check = |op: MathOp, lhs: Vec<f64>, rhs: Vec<f64>, expected: Vec<f64>| {
            let (lhs, rhs) = (column(&lhs, &exec), column(&rhs, &exec));
            let found = rows_of(&math(op, lhs.view().into(), rhs.view().into(), &exec).unwrap(), &exec);
            let expected: Vec<_> = expected.into_iter().map(|v| Some(Value::F64(v))).collect();
            assert_rows(&found, &expected, &format!("{op:?} on {device}"));
        };
        for (op, rows) in cases {
            let (lhs, expected): (Vec<_>, Vec<_>) = rows.iter().copied().unzip();
            check(op, lhs.clone(), lhs, expected);
        }
        let part = |k: usize| powers.iter().map(|row| [row.0, row.1, row.2][k]).collect();
        check(MathOp::Pow, part(0), part(1), part(2));
    }
}

#[test]
fn math_of_every_size_storage_null_pattern_and_operand_matches_its_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(61);
        for storage in [Storage::F32, Storage::F64] {
            for (i, n) in SIZES.into_iter().enumerate() {
                let lhs = TestColumn::random(storage, n, [0, 3][i % 2], Nulls::ALL[i % 4], &mut rng, &exec);
                let rhs = TestColumn::random(storage, n, [5, 0][i % 2], Nulls::ALL[i / 4], &mut rng, &exec);
                let value = if storage == Storage::F32 { Value::F32(1.5) } else { Value::F64(1.5) };
                for op in [MathOp::Exp, MathOp::Sin, MathOp::Pow] {
                    for (right, constant) in [(Operand::from(rhs.view()), None), (value.into(), Some(value))]
                    {
                        let found = rows_of(&math(op, lhs.view().into(), right, &exec).unwrap(), &exec);
                        assert_eq!(found.len(), n);
                        for (row, found) in found.into_iter().enumerate() {
                            let right = constant.or(rhs.rows[row]);
                            let expected = reference(op, lhs.rows[row], right);
                            let same = match (found, expected) {
                                (None, None) => true,
                                (Some(found), Some(expected)) => is_same(found, expected),
                                _ => false,
                            };
                            assert!(
                                same,
                                "{op:?} {storage} n={n} row {row}: {found:?}, not {expected:?} on {device}"
                            );
                        }
                    }
                }
            }
        }
    }
}

fn reference(op: MathOp, lhs: Option<Value>, rhs: Option<Value>) -> Option<f64> {
    let float = |value: Value| match value {
        Value::F32(v) => f64::from(v),
        Value::F64(v) => v,
        other => panic!("{other:?} is no float"),
    };
    let lhs = float(lhs?);
    Some(match op {
        MathOp::Exp => lhs.exp(),
        MathOp::Sin => lhs.sin(),
        _ => lhs.powf(float(rhs?)),
    })
}

fn is_same(found: Value, expected: f64) -> bool {
    match found {
        Value::F32(found) => {
            let expected = expected as f32;
            found.to_bits() == expected.to_bits() || found.is_nan() && expected.is_nan()
                // A result near the middle of two 32-bit floats.
                || [found.next_up().to_bits(), found.next_down().to_bits()].contains(&expected.to_bits())
        }
        Value::F64(found) => {
            found.to_bits() == expected.to_bits()
                || found.is_nan() && expected.is_nan()
                || is_near(found, expected)
        }
        _ => false,
    }
}

#[test]
fn math_of_other_storages_or_lengths_is_an_error() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let of = |storage, n| TestColumn::random(storage, n, 0, Nulls::NoMask, &mut Rng::new(3), &exec);
        let (floats, short, integers) = (of(Storage::F64, 4), of(Storage::F64, 3), of(Storage::I64, 4));
        let unsupported = Error::UnsupportedStorage { storage: Storage::I64 };
        let pow = |lhs: &TestColumn, rhs: &TestColumn| {
            math(MathOp::Pow, lhs.view().into(), rhs.view().into(), &exec).unwrap_err()
        };
        assert_eq!(pow(&integers, &integers), unsupported);
        assert_eq!(pow(&floats, &integers), unsupported);
        assert_eq!(pow(&floats, &short), Error::LengthMismatch { left: 4, right: 3 });
        let null = math(MathOp::Pow, floats.view().into(), Operand::Null(Storage::F64), &exec).unwrap();
        assert_rows(&rows_of(&null, &exec), &[None; 4], &"a null exponent");
    }
}
