//! Tests of `null_test` on every device of the build.

use super::{NullTest, null_test};
use crate::test_values::{TestColumn, assert_rows, rows_of};
use crate::{Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

#[test]
fn null_test_of_every_size_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(19);
        for (n, nulls) in SIZES.into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            for offset in [0, 7] {
                let column = TestColumn::random(Storage::F32, n, offset, nulls, &mut rng, &exec);
                for test in [NullTest::IsNull, NullTest::IsValid] {
                    let result = null_test(test, &column.view().into(), &exec).unwrap();
                    assert!(result.validity.is_none());
                    let bit =
                        |row: &Option<Value>| Some(Value::Bit(row.is_none() == (test == NullTest::IsNull)));
                    let expected: Vec<_> = column.rows.iter().map(bit).collect();
                    assert_rows(
                        &rows_of(&result, &exec),
                        &expected,
                        &format!("{test:?} n={n} {nulls:?} {device}"),
                    );
                }
            }
        }
    }
}
