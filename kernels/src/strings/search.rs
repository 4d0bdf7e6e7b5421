//! Occurrences of a text in the rows of a morsel, on the host: the bytes of all rows are searched at once, since rows are short.

use crate::strings_view::Strings;
use memchr::memchr_iter;
use memchr::memmem::Finder;
use std::ops::Range;

/// Calls `each` with the row and the position in the characters of each occurrence of a text that is not empty, in order: in
/// each row those that do not overlap from left to right, at most `limit` of them.
pub(super) fn each_occurrence(
    strings: Strings<'_>,
    rows: Range<usize>,
    finder: &Finder<'_>,
    limit: usize,
    each: &mut dyn FnMut(usize, usize),
) {
    let (mut row, mut at) = (rows.start, strings.start(rows.start));
    let end = strings.start(rows.end);
    // Of this row.
    let mut count = 0;
    if limit == 0 {
        return;
    }
    if let [byte] = *finder.needle() {
        let first = at;
        for found in memchr_iter(byte, strings.bytes(at, end)) {
            let found = first + found;
            while strings.start(row + 1) <= found {
                (row, count) = (row + 1, 0);
            }
            if count < limit {
                each(row, found);
                count += 1;
            }
        }
        return;
    }
    let len = finder.needle().len();
    while let Some(found) = finder.find(strings.bytes(at, end)) {
        let found = at + found;
        while strings.start(row + 1) <= found {
            (row, count) = (row + 1, 0);
        }
        let row_end = strings.start(row + 1);
        let fits = found + len <= row_end;
        if fits {
            each(row, found);
            count += 1;
        }
        // An occurrence that ends in a later row, and all after it in this one, are none.
        at = if fits && count < limit { found + len } else { row_end };
    }
}
