//! Tests of `compare` and `search` on every device of the build.

use super::{Search, StringOperand, compare, search};
use crate::elementwise::compare::CompareOp;
use crate::test_columns::{Kind, TestColumn};
use crate::test_values::{assert_rows, rows_of};
use crate::{Error, OffsetWidth, StringsView, Value, View};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn strings(column: &TestColumn) -> StringsView<'_> {
    match column.view() {
        View::String(text) => text,
        View::Fixed(_) => panic!("not a string column"),
    }
}

/// The reference implementation, character by character.
fn expected(op: CompareOp, lhs: Option<&[u8]>, rhs: Option<&[u8]>) -> Option<Value> {
    let chars = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().chars().collect::<Vec<_>>();
    Some(Value::Bit(op.holds(chars(lhs?).cmp(&chars(rhs?)))))
}

#[test]
fn compare_string_of_every_operation_width_null_pattern_and_offset_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(20);
        for op in CompareOp::ALL {
            for (i, n) in SIZES.into_iter().enumerate() {
                let (narrow, wide) = (Kind::String(OffsetWidth::I32), Kind::String(OffsetWidth::I64));
                let lhs = TestColumn::random(narrow, n, 3, Nulls::ALL[i % 4], &mut rng, &exec);
                let rhs = TestColumn::random(wide, n, 0, Nulls::ALL[i / 4], &mut rng, &exec);
                let value = rng.text(3);
                let context = format!("{op:?} n={n} {device}");
                let check = |lhs: StringOperand<'_>, rhs: StringOperand<'_>, expected: Vec<Option<Value>>| {
                    let result = compare(op, lhs, rhs, &exec).unwrap();
                    assert_rows(&rows_of(&result, &exec), &expected, &context);
                };
                let pairs = lhs.rows.iter().zip(&rhs.rows);
                let both = pairs.map(|(a, b)| expected(op, a.as_deref(), b.as_deref())).collect();
                check(strings(&lhs).into(), strings(&rhs).into(), both);
                let bytes = Some(value.as_bytes());
                let right = lhs.rows.iter().map(|a| expected(op, a.as_deref(), bytes)).collect();
                check(strings(&lhs).into(), StringOperand::Value(value.as_bytes()), right);
                let left = rhs.rows.iter().map(|b| expected(op, bytes, b.as_deref())).collect();
                check(StringOperand::Value(value.as_bytes()), strings(&rhs).into(), left);
                check(strings(&lhs).into(), StringOperand::Null, vec![None; n]);
            }
        }
    }
}

/// Whether `lhs` has `rhs`, letter by letter.
fn has(how: Search, lhs: Option<&[u8]>, rhs: Option<&[u8]>) -> Option<Value> {
    let (lhs, rhs) = (lhs?, rhs?);
    let is_at = |at: usize| (0..rhs.len()).all(|k| lhs.get(at + k) == Some(&rhs[k]));
    Some(Value::Bit(match how {
        Search::StartsWith => is_at(0),
        Search::EndsWith => lhs.len() >= rhs.len() && is_at(lhs.len() - rhs.len()),
        Search::Contains => (0..=lhs.len()).any(is_at),
    }))
}

#[test]
fn search_in_every_place_matches_a_search_letter_by_letter() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(22);
        for how in Search::ALL {
            let (mut found, mut missing) = (0, 0);
            for (i, n) in SIZES.into_iter().enumerate() {
                let (narrow, wide) = (Kind::String(OffsetWidth::I32), Kind::String(OffsetWidth::I64));
                let (left, right) = if i % 2 == 0 { (narrow, wide) } else { (wide, narrow) };
                let strings_of = TestColumn::random(left, n, 3, Nulls::ALL[i % 4], &mut rng, &exec);
                let parts = TestColumn::random(right, n, 5, Nulls::ALL[i / 4], &mut rng, &exec);
                let mut check =
                    |lhs: StringOperand<'_>, rhs: StringOperand<'_>, expected: &[Option<Value>]| {
                        let result = search(how, lhs, rhs, &exec).unwrap();
                        assert_rows(&rows_of(&result, &exec), expected, &format!("{how:?} n={n} {device}"));
                        found += expected.iter().filter(|value| **value == Some(Value::Bit(true))).count();
                        missing += expected.iter().filter(|value| **value == Some(Value::Bit(false))).count();
                    };
                let pairs = strings_of.rows.iter().zip(&parts.rows);
                let both: Vec<_> = pairs.map(|(a, b)| has(how, a.as_deref(), b.as_deref())).collect();
                check(strings(&strings_of).into(), strings(&parts).into(), &both);
                for value in [b"".as_slice(), b"a", "\u{e4}".as_bytes(), &[b'x'; 70]] {
                    let some = Some(value);
                    let right: Vec<_> =
                        strings_of.rows.iter().map(|a| has(how, a.as_deref(), some)).collect();
                    check(strings(&strings_of).into(), StringOperand::Value(value), &right);
                    let left: Vec<_> = parts.rows.iter().map(|b| has(how, some, b.as_deref())).collect();
                    check(StringOperand::Value(value), strings(&parts).into(), &left);
                }
                check(strings(&strings_of).into(), StringOperand::Null, &vec![None; n]);
            }
            assert!(found > 100 && missing > 100, "{how:?}: {found} found, {missing} missing");
        }
    }
}

#[test]
fn compare_string_of_unequal_lengths_is_length_mismatch() {
    let exec = Exec::host();
    let column =
        |n| TestColumn::random(Kind::String(OffsetWidth::I32), n, 0, Nulls::NoMask, &mut Rng::new(21), &exec);
    let (three, four) = (column(3), column(4));
    let error = compare(CompareOp::Eq, strings(&three).into(), strings(&four).into(), &exec).unwrap_err();
    assert_eq!(error, Error::LengthMismatch { left: 3, right: 4 });
}
