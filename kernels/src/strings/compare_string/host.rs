//! Host implementation of `compare` and `search`, and their inner loops.

use super::{Search, StringOperand, Test};
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
    // Equality compares bytes only if the lengths are equal; an ordering always must.
    match op {
        CompareOp::Eq => pairs(lhs, rhs, rows, out, |lhs, rhs| lhs == rhs),
        CompareOp::Ne => pairs(lhs, rhs, rows, out, |lhs, rhs| lhs != rhs),
        _ => pairs(lhs, rhs, rows, out, |lhs, rhs| op.holds(lhs.cmp(rhs))),
    }
}

fn search(how: Search, lhs: StringLane<'_>, rhs: StringLane<'_>, rows: Range<usize>, out: &mut [u64]) {
    pairs(lhs, rhs, rows, out, |string, part| how.holds(string, part));
}

#[inline]
fn pairs(
    lhs: StringLane<'_>,
    rhs: StringLane<'_>,
    rows: Range<usize>,
    out: &mut [u64],
    holds: impl Fn(&[u8], &[u8]) -> bool,
) {
    match (lhs, rhs) {
        (StringLane::Rows(lhs), StringLane::Rows(rhs)) => {
            pack_rows(rows, out, |row| holds(lhs.get(row), rhs.get(row)));
        }
        (StringLane::Rows(lhs), StringLane::Value(rhs)) => {
            pack_rows(rows, out, |row| holds(lhs.get(row), rhs));
        }
        (StringLane::Value(lhs), StringLane::Rows(rhs)) => {
            pack_rows(rows, out, |row| holds(lhs, rhs.get(row)));
        }
        (StringLane::Value(lhs), StringLane::Value(rhs)) => pack_rows(rows, out, |_| holds(lhs, rhs)),
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

pub(super) fn test(
    test: Test,
    lhs: &StringOperand<'_>,
    rhs: &StringOperand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let guards = read(lhs, rhs, exec)?;
    let (lhs, rhs) = (lane(lhs, guards[0].as_ref()), lane(rhs, guards[1].as_ref()));
    morsel::build_bits(len, exec, |rows, out| match test {
        Test::Compare(op) => apply(op, lhs, rhs, rows, out),
        Test::Search(how) => search(how, lhs, rhs, rows, out),
    })
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
