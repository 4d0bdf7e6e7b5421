//! Host implementation of `matches`, and its inner loops.

use super::pattern::LikePattern;
use crate::strings::compare_string::host::pack_rows;
use crate::strings_view::Strings;
use crate::{Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::Finder;
use std::ops::Range;

/// Bit `i` of `out` is whether row `rows.start + i` matches; the rest of the last word is zero.
pub(crate) fn apply(pattern: &LikePattern, strings: Strings<'_>, rows: Range<usize>, out: &mut [u64]) {
    match pattern.needle() {
        Some(needle) => search(pattern, needle, strings, rows, out),
        None => pack_rows(rows, out, |row| pattern.is_match(strings.get(row))),
    }
}

/// Searches the bytes of all rows for a segment that every match contains, and tests only rows where it is
/// found.
fn search(
    pattern: &LikePattern,
    needle: &Finder<'_>,
    strings: Strings<'_>,
    rows: Range<usize>,
    out: &mut [u64],
) {
    out.fill(0);
    let (mut row, mut at) = (rows.start, strings.start(rows.start));
    let end = strings.start(rows.end);
    while let Some(found) = needle.find(strings.bytes(at, end)) {
        let found = at + found;
        while strings.start(row + 1) <= found {
            row += 1;
        }
        if found + needle.needle().len() > strings.start(row + 1) {
            // The find is partly in the next row: not a match, but the next one may overlap it.
            at = found + 1;
            continue;
        }
        if pattern.is_match(strings.get(row)) {
            let bit = row - rows.start;
            out[bit / 64] |= 1 << (bit % 64);
        }
        row += 1;
        if row == rows.end {
            return;
        }
        at = strings.start(row);
    }
}

pub(super) fn matches(pattern: &LikePattern, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let strings = guard.strings();
    morsel::build_bits(input.len, exec, |rows, out| apply(pattern, strings, rows, out))
}
