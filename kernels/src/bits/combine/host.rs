//! Host implementation of `combine`.

use super::Combination;
use crate::bits::BitSlice;
use crate::{Bits, Result, morsel};
use columnade_buffers::{Buffer, Exec};

pub(super) fn combine(op: Combination, a: Bits<'_>, b: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    let (left, right) = (a.read(exec)?, b.read(exec)?);
    let left = BitSlice::new(left.as_slice(), a.offset, a.len);
    let right = BitSlice::new(right.as_slice(), b.offset, b.len);
    match op {
        Combination::And => words(left, right, |a, b| a & b, exec),
        Combination::Or => words(left, right, |a, b| a | b, exec),
        Combination::AndNot => words(left, right, |a, b| a & !b, exec),
        Combination::Not => words(left, left, |a, _| !a, exec),
        Combination::Copy => words(left, left, |a, _| a, exec),
    }
}

fn words(
    a: BitSlice<'_>,
    b: BitSlice<'_>,
    op: impl Fn(u64, u64) -> u64 + Sync,
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_bits(a.len(), exec, |rows, out| {
        let (a, b) = (a.slice(rows.start, rows.len()), b.slice(rows.start, rows.len()));
        for (word, out) in out.iter_mut().enumerate() {
            *out = op(a.word(word), b.word(word));
        }
    })
}
