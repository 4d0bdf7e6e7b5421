//! Tests of `mul_wide` on every device of the build.

use super::mul_wide;
use crate::elementwise::Operand;
use crate::test_values::{TestColumn, as_i128, assert_rows, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn expected(lhs: Option<Value>, rhs: Option<Value>) -> Option<Value> {
    Some(Value::I128(as_i128(lhs?) * as_i128(rhs?)))
}

#[test]
fn mul_wide_is_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(16);
        for (i, n) in SIZES.into_iter().enumerate() {
            let lhs = TestColumn::random(Storage::I64, n, 2, Nulls::ALL[i % 4], &mut rng, &exec);
            let rhs = TestColumn::random(Storage::I64, n, 0, Nulls::ALL[i / 4], &mut rng, &exec);
            let pairs = lhs.rows.iter().zip(&rhs.rows);
            let both: Vec<_> = pairs.map(|(&a, &b)| expected(a, b)).collect();
            let result = mul_wide(lhs.view().into(), rhs.view().into(), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &both, &format!("n={n} {device}"));
            let least = Value::I64(i64::MIN);
            let one: Vec<_> = lhs.rows.iter().map(|&a| expected(a, Some(least))).collect();
            let result = mul_wide(lhs.view().into(), least.into(), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &one, &format!("by a value, n={n} {device}"));
            let result = mul_wide(Operand::Null(Storage::I64), rhs.view().into(), &exec).unwrap();
            assert_rows(&rows_of(&result, &exec), &vec![None; n], &"a null operand");
        }
    }
}

#[test]
fn mul_wide_of_other_storage_is_unsupported() {
    let exec = Exec::host();
    let one = Operand::Value(Value::I32(1));
    let error = Error::UnsupportedStorage { storage: Storage::I32 };
    assert_eq!(mul_wide(one, one, &exec).unwrap_err(), error);
}
