//! Host twin of `matches`, and its loops.

use super::pattern::Pattern;
use crate::strings::compare_string::host::pack_rows;
use crate::strings_view::Strings;
use crate::{Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::Finder;
use std::ops::Range;

/// Bit `i` of `out` tells whether row `rows.start + i` matches; the rest of the last word is zero.
pub(crate) fn apply(pattern: &Pattern, texts: Strings<'_>, rows: Range<usize>, out: &mut [u64]) {
    match pattern.needle() {
        Some(needle) => search(pattern, needle, texts, rows, out),
        None => pack_rows(rows, out, |row| pattern.is_match(texts.get(row))),
    }
}

/// Searches the bytes of all rows for what a match must hold, and looks only at rows where that is found.
fn search(pattern: &Pattern, needle: &Finder<'_>, texts: Strings<'_>, rows: Range<usize>, out: &mut [u64]) {
    out.fill(0);
    let (mut row, mut at) = (rows.start, texts.start(rows.start));
    let end = texts.start(rows.end);
    while let Some(found) = needle.find(texts.bytes(at, end)) {
        let found = at + found;
        while texts.start(row + 1) <= found {
            row += 1;
        }
        if found + needle.needle().len() > texts.start(row + 1) {
            // Part of the next row: not a match of this one, and perhaps the start of another find.
            at = found + 1;
            continue;
        }
        if pattern.is_match(texts.get(row)) {
            let bit = row - rows.start;
            out[bit / 64] |= 1 << (bit % 64);
        }
        row += 1;
        if row == rows.end {
            return;
        }
        at = texts.start(row);
    }
}

pub(super) fn matches(pattern: &Pattern, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let texts = guard.texts();
    morsel::build_bits(input.len, exec, |rows, out| apply(pattern, texts, rows, out))
}
