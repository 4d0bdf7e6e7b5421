//! Host implementation of `compare`, and its inner loops.

use super::StringOperand;
use crate::elementwise::compare::CompareOp;
use crate::strings_view::Strings;
use crate::{Result, View, ViewGuard, morsel};
use columnade_buffers::{Buffer, Exec};
use std::ops::Range;

/// The strings of one input: one per row, or the same in every row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StringLane<'a> {
    /// One string per row.
    Rows(Strings<'a>),
    /// One string for all rows.
    Value(&'a [u8]),
}

/// Bit `i` of `out` is `lhs op rhs` for row `rows.start + i`; the rest of the last word is zero.
pub(crate) fn apply(
    op: CompareOp,
    lhs: StringLane<'_>,
    rhs: StringLane<'_>,
    rows: Range<usize>,
    out: &mut [u64],
) {
    match (lhs, rhs) {
        (StringLane::Rows(lhs), StringLane::Rows(rhs)) => {
            pairs(op, rows, out, |row| lhs.get(row), |row| rhs.get(row));
        }
        (StringLane::Rows(lhs), StringLane::Value(rhs)) => pairs(op, rows, out, |row| lhs.get(row), |_| rhs),
        (StringLane::Value(lhs), StringLane::Rows(rhs)) => pairs(op, rows, out, |_| lhs, |row| rhs.get(row)),
        (StringLane::Value(lhs), StringLane::Value(rhs)) => pairs(op, rows, out, |_| lhs, |_| rhs),
    }
}

#[inline]
fn pairs<'a>(
    op: CompareOp,
    rows: Range<usize>,
    out: &mut [u64],
    lhs: impl Fn(usize) -> &'a [u8],
    rhs: impl Fn(usize) -> &'a [u8],
) {
    // Equality compares bytes only if the lengths are equal; an ordering always must.
    match op {
        CompareOp::Eq => pack_rows(rows, out, |row| lhs(row) == rhs(row)),
        CompareOp::Ne => pack_rows(rows, out, |row| lhs(row) != rhs(row)),
        _ => pack_rows(rows, out, |row| op.holds(lhs(row).cmp(rhs(row)))),
    }
}

/// Bit `i` of `out` is `bit(rows.start + i)`.
#[inline]
pub(crate) fn pack_rows(rows: Range<usize>, out: &mut [u64], bit: impl Fn(usize) -> bool) {
    for (start, word) in rows.clone().step_by(64).zip(out) {
        let end = rows.end.min(start + 64);
        *word = (start..end).enumerate().fold(0, |word, (k, row)| word | u64::from(bit(row)) << k);
    }
}

pub(super) fn compare(
    op: CompareOp,
    lhs: &StringOperand<'_>,
    rhs: &StringOperand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let guards = read(lhs, rhs, exec)?;
    let (lhs, rhs) = (lane(lhs, guards[0].as_ref()), lane(rhs, guards[1].as_ref()));
    morsel::build_bits(len, exec, |rows, out| apply(op, lhs, rhs, rows, out))
}

/// The guards of the operands that are columns.
pub(super) fn read<'a>(
    lhs: &StringOperand<'a>,
    rhs: &StringOperand<'a>,
    exec: &'a Exec,
) -> Result<[Option<ViewGuard<'a>>; 2]> {
    let view = |operand: &StringOperand<'a>| match operand {
        StringOperand::Column(column) => Some(View::String(*column)),
        StringOperand::Value(_) | StringOperand::Null => None,
    };
    let views = [view(lhs), view(rhs)];
    let mut guards = crate::access(&views.iter().flatten().copied().collect::<Vec<_>>(), exec)?.into_iter();
    Ok(views.map(|view| view.and_then(|_| guards.next())))
}

fn lane<'a>(operand: &'a StringOperand<'_>, guard: Option<&'a ViewGuard<'_>>) -> StringLane<'a> {
    match (operand, guard) {
        (_, Some(guard)) => StringLane::Rows(guard.strings()),
        (StringOperand::Value(value), None) => StringLane::Value(value),
        (StringOperand::Column(_) | StringOperand::Null, None) => StringLane::Value(&[]),
    }
}
