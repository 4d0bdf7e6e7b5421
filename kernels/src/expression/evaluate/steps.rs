//! One step of a program over one morsel.

use super::decimal;
use super::morsel::{MORSEL_WORDS, Morsel, Overflow, RegisterValues};
use crate::copying::copy_if_else::host::blend;
use crate::datetime::extract::host::Times;
use crate::elementwise::binary;
use crate::elementwise::cast;
use crate::elementwise::cast::host::{Narrowing, to_bits};
use crate::elementwise::compare_exact::host::{apply_float, apply_scaled};
use crate::elementwise::divide_decimals;
use crate::elementwise::lane::Lane;
use crate::elementwise::number::Number;
use crate::elementwise::round::host::Round;
use crate::elementwise::unary::host::Unary;
use crate::elementwise::{compare, logical, math};
use crate::expression::{Op, Register, Step, Table};
use crate::searching::key_set::host::{self as key_set, dispatch_key};
use crate::strings::compare_string::host::StringLane;
use crate::strings::matches::pattern::LikePattern;
use crate::{Element, Error, Result, Storage, Value, datetime, strings};
use std::borrow::Cow;

/// Computes `step` from the registers of `morsel` into `out`. Returns the valid rows that overflow, if there are some.
pub(super) fn run(step: &Step, morsel: &Morsel<'_>, out: &mut RegisterValues) -> Result<Option<Overflow>> {
    let rows = morsel.rows();
    match &step.op {
        Op::Constant(value) => constant(*value, out),
        &Op::Binary { op, lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            dispatch!(step.storage, T => {
                let (left, right) = (morsel.lane::<T>(lhs), morsel.lane::<T>(rhs));
                binary::host::apply(op, left, right, out.values_mut(rows));
                if op.nulls_zero_divisor(step.storage) && !matches!(right, Lane::Scalar(divisor) if divisor != T::ZERO) {
                    null_zeros(right, rows, out);
                }
            }, bit => return Err(Error::UnsupportedStorage { storage: step.storage }));
        }
        &Op::Unary { op, arg } => {
            intersect(&[arg], morsel, out);
            dispatch!(step.storage, T => T::apply(op, &values::<T>(morsel, arg), out.values_mut(rows)),
                bit => return Err(Error::UnsupportedStorage { storage: step.storage }));
        }
        &Op::Math { op, lhs, rhs } => floats(op, lhs, rhs, step.storage, morsel, out)?,
        &Op::CompareScaled { op, lhs, rhs, factor } => {
            intersect(&[lhs, rhs], morsel, out);
            let words = out.values_mut::<u64>(MORSEL_WORDS);
            match morsel.storage(lhs) {
                Storage::I64 => {
                    apply_scaled::<i64>(op, morsel.lane(lhs), morsel.lane(rhs), factor, rows, words);
                }
                _ => apply_scaled::<i128>(op, morsel.lane(lhs), morsel.lane(rhs), factor, rows, words),
            }
        }
        &Op::CompareFloat { op, lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            let words = out.values_mut::<u64>(MORSEL_WORDS);
            match morsel.storage(lhs) {
                Storage::U64 => apply_float::<u64>(op, morsel.lane(lhs), morsel.lane(rhs), rows, words),
                _ => apply_float::<i64>(op, morsel.lane(lhs), morsel.lane(rhs), rows, words),
            }
        }
        &Op::MulWide { lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            decimal::mul_wide(morsel.lane(lhs), morsel.lane(rhs), out.values_mut(rows));
        }
        &Op::Compare { op, lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            let storage = morsel.storage(lhs);
            let words = out.values_mut::<u64>(MORSEL_WORDS);
            dispatch!(storage, T => compare::host::apply::<T>(op, morsel.lane(lhs), morsel.lane(rhs), rows, words),
            bit => for (word, (&a, &b)) in words.iter_mut().zip(morsel.bits(lhs).iter().zip(morsel.bits(rhs))) {
                *word = compare::host::apply_word(op, a, b);
            });
        }
        &Op::And { lhs, rhs } => kleene(logical::LogicalOp::And, lhs, rhs, morsel, out),
        &Op::Or { lhs, rhs } => kleene(logical::LogicalOp::Or, lhs, rhs, morsel, out),
        &Op::Not { arg } => {
            intersect(&[arg], morsel, out);
            for (word, bits) in out.values_mut::<u64>(MORSEL_WORDS).iter_mut().zip(morsel.bits(arg)) {
                *word = !bits;
            }
        }
        &Op::IsNull { arg } => {
            out.set_all_valid();
            let words = out.values_mut::<u64>(MORSEL_WORDS);
            match morsel.validity(arg) {
                None => words.fill(0),
                Some(valid) => words.iter_mut().zip(valid).for_each(|(word, valid)| *word = !valid),
            }
        }
        &Op::Cast { arg } => {
            intersect(&[arg], morsel, out);
            cast_values(arg, step.storage, morsel, out)?;
        }
        &Op::Select { condition, then, otherwise } => {
            select(condition, then, otherwise, step.storage, morsel, out);
        }
        &Op::Extract { part, unit, arg } => {
            intersect(&[arg], morsel, out);
            let out = out.values_mut::<i32>(rows);
            let times = Times::new(unit, || values(morsel, arg), || values(morsel, arg));
            datetime::extract::host::apply(part, &times, 0..rows, out);
        }
        Op::StringCompare { op, arg, literal } => {
            intersect(&[*arg], morsel, out);
            let (strings, rows) = morsel.strings(*arg);
            let (lhs, rhs) = (StringLane::Rows(strings), StringLane::Value(literal));
            strings::compare_string::host::apply(*op, lhs, rhs, rows, out.values_mut(MORSEL_WORDS));
        }
        &Op::StringCompareColumns { op, lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            let ((lhs, rows), (rhs, _)) = (morsel.strings(lhs), morsel.strings(rhs));
            let (lhs, rhs) = (StringLane::Rows(lhs), StringLane::Rows(rhs));
            strings::compare_string::host::apply(op, lhs, rhs, rows, out.values_mut(MORSEL_WORDS));
        }
        Op::StringMatch { op, arg, pattern } => {
            intersect(&[*arg], morsel, out);
            let (strings, rows) = morsel.strings(*arg);
            let pattern = LikePattern::new(*op, pattern);
            strings::matches::host::apply(&pattern, strings, rows, out.values_mut(MORSEL_WORDS));
        }
        Op::Decimal { .. }
        | Op::Checked { .. }
        | Op::DivideDecimal { .. }
        | Op::CastChecked { .. }
        | Op::ExtractChecked { .. }
        | Op::Round { .. }
        | Op::LocalTime { .. }
        | Op::AddMonths { .. }
        | Op::Rescale { .. } => return checked(step, morsel, out),
        Op::Lookup { codes, table } => {
            intersect(&[*codes], morsel, out);
            lookup(*codes, table, morsel, out);
        }
        Op::IsIn { arg, keys } => {
            intersect(&[*arg], morsel, out);
            let words = out.values_mut(MORSEL_WORDS);
            dispatch_key!(morsel.storage(*arg), T => key_set::apply::<T>(&keys.0, morsel.lane(*arg), rows, words),
                other => return Err(Error::UnsupportedStorage { storage: morsel.storage(*arg) }));
        }
    }
    Ok(None)
}

fn floats(
    op: math::MathOp,
    lhs: Register,
    rhs: Register,
    storage: Storage,
    morsel: &Morsel<'_>,
    out: &mut RegisterValues,
) -> Result<()> {
    intersect(&[lhs, rhs], morsel, out);
    let rows = morsel.rows();
    match storage {
        Storage::F32 => {
            math::host::apply::<f32>(op, morsel.lane(lhs), morsel.lane(rhs), out.values_mut(rows));
        }
        Storage::F64 => {
            math::host::apply::<f64>(op, morsel.lane(lhs), morsel.lane(rhs), out.values_mut(rows));
        }
        storage => return Err(Error::UnsupportedStorage { storage }),
    }
    Ok(())
}

/// [`run`] of a step that may overflow.
fn checked(step: &Step, morsel: &Morsel<'_>, out: &mut RegisterValues) -> Result<Option<Overflow>> {
    let rows = morsel.rows();
    match step.op {
        Op::Decimal { op, lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            Ok(decimal::run(op, morsel.lane(lhs), morsel.lane(rhs), rows, out))
        }
        Op::Checked { op, lhs, rhs } => {
            intersect(&[lhs, rhs], morsel, out);
            let mut overflow = [0; MORSEL_WORDS];
            dispatch_integer!(step.storage, T => {
                let (left, right) = (morsel.lane::<T>(lhs), morsel.lane::<T>(rhs));
                let values = out.values_mut(rows);
                binary::host::apply(op, left, right, values);
                binary::host::overflows(op, left, right, None, values, &mut overflow[..rows.div_ceil(64)]);
                if op.nulls_zero_divisor(step.storage) && !matches!(right, Lane::Scalar(divisor) if divisor != T::ZERO) {
                    null_zeros(right, rows, out);
                }
            }, other => return Err(Error::UnsupportedStorage { storage: step.storage }));
            Ok(decimal::overflowed(overflow, out))
        }
        Op::DivideDecimal { lhs, rhs, power } => {
            intersect(&[lhs, rhs], morsel, out);
            let mut overflow = [0; MORSEL_WORDS];
            let (left, right) = (morsel.lane(lhs), morsel.lane(rhs));
            divide_decimals::host::apply(left, right, power, out.values_mut(rows), &mut overflow);
            null_zeros::<i128>(right, rows, out);
            Ok(decimal::overflowed(overflow, out))
        }
        Op::CastChecked { arg } => {
            intersect(&[arg], morsel, out);
            cast_values(arg, step.storage, morsel, out)?;
            let mut overflow = [0; MORSEL_WORDS];
            dispatch!(morsel.storage(arg), S => cast::host::overflows(&values::<S>(morsel, arg), step.storage, &mut overflow),
                bit => {});
            Ok(decimal::overflowed(overflow, out))
        }
        Op::ExtractChecked { part, unit, arg } => {
            intersect(&[arg], morsel, out);
            let mut overflow = [0; MORSEL_WORDS];
            let times = Times::new(unit, || values(morsel, arg), || values(morsel, arg));
            datetime::extract::host::apply(part, &times, 0..rows, out.values_mut(rows));
            datetime::extract::host::overflows(&times, &mut overflow[..rows.div_ceil(64)]);
            Ok(decimal::overflowed(overflow, out))
        }
        Op::Round { arg, decimals } => {
            intersect(&[arg], morsel, out);
            let mut overflow = [0; MORSEL_WORDS];
            dispatch!(step.storage, T => <T as Round>::round(&values::<T>(morsel, arg), decimals, out.values_mut(rows), &mut overflow),
                bit => return Err(Error::UnsupportedStorage { storage: step.storage }));
            Ok(decimal::overflowed(overflow, out))
        }
        Op::Rescale { arg, power, digits } => {
            intersect(&[arg], morsel, out);
            decimal::rescale(step.storage, power, digits, arg, morsel, out)
        }
        Op::AddMonths { days, months } => {
            intersect(&[days, months], morsel, out);
            let mut overflow = [0u64; MORSEL_WORDS];
            let (days, months) = (morsel.lane(days), morsel.lane(months));
            datetime::add_months::host::apply(days, months, out.values_mut(rows), &mut overflow);
            Ok(decimal::overflowed(overflow, out))
        }
        Op::LocalTime { unit, ref zone, arg } => {
            intersect(&[arg], morsel, out);
            let mut overflow = [0u64; MORSEL_WORDS];
            let times = values(morsel, arg);
            datetime::local_time::host::apply(&times, unit, zone, out.values_mut(rows), &mut overflow);
            Ok(decimal::overflowed(overflow, out))
        }
        _ => Err(Error::Internal { invariant: "other steps cannot overflow" }),
    }
}

/// Fills words with the bits `test(row)`; bits beyond the last row are zero.
pub(super) fn pack_words(rows: usize, out: &mut [u64], test: impl Fn(usize) -> bool) {
    for (word, out) in out.iter_mut().enumerate().take(rows.div_ceil(64)) {
        let first = word * 64;
        *out =
            (first..rows.min(first + 64)).fold(0, |bits, row| bits | u64::from(test(row)) << (row - first));
    }
}

/// The values of a register, one per row.
fn values<'m, T: Element>(morsel: &'m Morsel<'_>, register: Register) -> Cow<'m, [T]> {
    match morsel.lane(register) {
        Lane::Slice(values) => Cow::Borrowed(values),
        Lane::Scalar(value) => Cow::Owned(vec![value; morsel.rows()]),
    }
}

/// Boolean constants are written out, other constants are lanes; a null constant only needs its mask.
fn constant(value: Option<Value>, out: &mut RegisterValues) {
    match value {
        None => out.validity_mut().fill(0),
        Some(_) => out.set_all_valid(),
    }
    let ones = value == Some(Value::Bit(true));
    out.values_mut::<u64>(MORSEL_WORDS).fill(if ones { u64::MAX } else { 0 });
}

/// The result is null if any of these registers is null.
fn intersect(registers: &[Register], morsel: &Morsel<'_>, out: &mut RegisterValues) {
    out.set_all_valid();
    for &register in registers {
        if let Some(valid) = morsel.validity(register) {
            and_validity(out, valid);
        }
    }
}

fn and_validity(out: &mut RegisterValues, valid: &[u64; MORSEL_WORDS]) {
    if out.validity().is_none() {
        *out.validity_mut() = *valid;
    } else {
        out.validity_mut().iter_mut().zip(valid).for_each(|(word, valid)| *word &= valid);
    }
}

/// Makes the rows of a zero divisor null.
fn null_zeros<T: compare::host::Compare>(divisor: Lane<'_, T>, rows: usize, out: &mut RegisterValues) {
    let mut nonzero = [0; MORSEL_WORDS];
    compare::host::apply(compare::CompareOp::Ne, divisor, Lane::Scalar(T::ZERO), rows, &mut nonzero);
    and_validity(out, &nonzero);
}

fn kleene(
    op: logical::LogicalOp,
    lhs: Register,
    rhs: Register,
    morsel: &Morsel<'_>,
    out: &mut RegisterValues,
) {
    let (a, b) = (morsel.bits(lhs), morsel.bits(rhs));
    let (a_valid, b_valid) = (morsel.validity(lhs), morsel.validity(rhs));
    let word = |k: usize| {
        let valid = |mask: Option<&[u64; MORSEL_WORDS]>| mask.map_or(u64::MAX, |mask| mask[k]);
        logical::host::apply_word(op, (a[k], valid(a_valid)), (b[k], valid(b_valid)))
    };
    if a_valid.is_none() && b_valid.is_none() {
        out.set_all_valid();
    } else {
        let validity = out.validity_mut();
        for (k, valid) in validity.iter_mut().enumerate() {
            *valid = word(k).1;
        }
    }
    for (k, bits) in out.values_mut::<u64>(MORSEL_WORDS).iter_mut().enumerate() {
        *bits = word(k).0;
    }
}

fn cast_values(arg: Register, to: Storage, morsel: &Morsel<'_>, out: &mut RegisterValues) -> Result<()> {
    let (from, rows) = (morsel.storage(arg), morsel.rows());
    dispatch!(from, S => {
        let lane = morsel.lane::<S>(arg);
        let constant;
        let values = match lane {
            Lane::Slice(values) => values,
            Lane::Scalar(value) => {
                constant = vec![value; rows];
                &constant
            }
        };
        match to {
            Storage::Bit => to_bits(values, out.values_mut(MORSEL_WORDS)),
            to => Narrowing::new(to)?.apply(values, out.values_mut(to.bytes(rows))),
        }
    }, bit => {
        let bits = morsel.bits(arg);
        match to {
            Storage::Bit => out.values_mut::<u64>(MORSEL_WORDS).copy_from_slice(bits),
            to => Narrowing::new(to)?.apply_bits(bits, out.values_mut(to.bytes(rows))),
        }
    });
    Ok(())
}

/// A lane in blocks of 64 rows; each block of a scalar is the same one.
struct Blocks<'m, T> {
    values: &'m [T],
    scalar: Option<[T; 64]>,
}

impl<'m, T: Copy> Blocks<'m, T> {
    fn new(lane: Lane<'m, T>) -> Self {
        match lane {
            Lane::Slice(values) => Self { values, scalar: None },
            Lane::Scalar(value) => Self { values: &[], scalar: Some([value; 64]) },
        }
    }

    fn get(&self, block: usize, rows: usize) -> &[T] {
        match &self.scalar {
            Some(scalar) => &scalar[..rows],
            None => &self.values[block * 64..][..rows],
        }
    }
}

fn select(
    condition: Register,
    then: Register,
    otherwise: Register,
    storage: Storage,
    morsel: &Morsel<'_>,
    out: &mut RegisterValues,
) {
    let rows = morsel.rows();
    let mut taken = [0; MORSEL_WORDS];
    let valid = morsel.validity(condition);
    for (k, (taken, bits)) in taken.iter_mut().zip(morsel.bits(condition)).enumerate() {
        *taken = bits & valid.map_or(u64::MAX, |mask| mask[k]);
    }
    let (yes, no) = (morsel.validity(then), morsel.validity(otherwise));
    if yes.is_none() && no.is_none() {
        out.set_all_valid();
    } else {
        let mask = |side: Option<&[u64; MORSEL_WORDS]>, k: usize| side.map_or(u64::MAX, |mask| mask[k]);
        for (k, word) in out.validity_mut().iter_mut().enumerate() {
            *word = taken[k] & mask(yes, k) | !taken[k] & mask(no, k);
        }
    }
    dispatch_width!(storage, T => {
        let (yes, no) = (morsel.bytes_lane::<T>(then), morsel.bytes_lane::<T>(otherwise));
        let (yes, no) = (Blocks::new(yes), Blocks::new(no));
        for (block, out) in out.values_mut::<T>(rows).chunks_mut(64).enumerate() {
            blend(taken[block], yes.get(block, out.len()), no.get(block, out.len()), out);
        }
    }, bit => {
        let (yes, no) = (morsel.bits(then), morsel.bits(otherwise));
        for (k, word) in out.values_mut::<u64>(MORSEL_WORDS).iter_mut().enumerate() {
            *word = taken[k] & yes[k] | !taken[k] & no[k];
        }
    });
}

fn lookup(codes: Register, table: &Table, morsel: &Morsel<'_>, out: &mut RegisterValues) {
    let rows = morsel.rows();
    // A code outside the table is only possible in a null row.
    let bit =
        |words: &[u64], code: usize| words.get(code / 64).is_some_and(|word| word >> (code % 64) & 1 == 1);
    // A negative code can only stand under a null too, so the sign does not matter.
    dispatch_width!(morsel.storage(codes), T => {
        let codes = morsel.bytes_lane::<T>(codes);
        let code = |row: usize| codes.get(row) as usize;
        pack_words(rows, out.values_mut(MORSEL_WORDS), |row| bit(&table.bits, code(row)));
        if let Some(validity) = &table.validity {
            let mut valid = [0; MORSEL_WORDS];
            pack_words(rows, &mut valid, |row| bit(validity, code(row)));
            and_validity(out, &valid);
        }
    }, bit => {});
}
