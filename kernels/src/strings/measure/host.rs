//! Host implementation of `measure`.

use super::Measure;
use crate::strings::regex::Pattern;
use crate::strings::search::each_occurrence;
use crate::strings_view::{Texts, is_ascii};
use crate::{Error, Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::{Finder, FinderRev};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of characters of UTF-8: that of the bytes that begin one.
fn characters(text: &[u8]) -> i64 {
    let (words, rest) = text.as_chunks::<8>();
    // Bytes that continue a character have the bits 10 at the top.
    let continued = |word: u64| (word >> 7 & !(word >> 6) & 0x0101_0101_0101_0101).count_ones();
    let in_words: u32 = words.iter().map(|word| 8 - continued(u64::from_le_bytes(*word))).sum();
    i64::from(in_words) + rest.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as i64
}

pub(super) fn measure(measure: &Measure, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let strings = guard.strings();
    let each = |of_row: &(dyn Fn(&[u8]) -> i64 + Sync)| {
        morsel::build_values(input.len, exec, |rows, out| {
            for (out, row) in out.iter_mut().zip(rows) {
                *out = of_row(strings.get(row));
            }
        })
    };
    let bytes = |rows: Range<usize>, out: &mut [i64]| {
        let mut start = strings.start(rows.start);
        for (out, row) in out.iter_mut().zip(rows) {
            let end = strings.start(row + 1);
            *out = (end - start) as i64;
            start = end;
        }
    };
    match measure {
        Measure::Characters => morsel::build_values(input.len, exec, |rows, out| {
            if is_ascii(strings, &rows) {
                return bytes(rows, out);
            }
            for (out, row) in out.iter_mut().zip(rows) {
                *out = characters(strings.get(row));
            }
        }),
        Measure::Bytes => morsel::build_values(input.len, exec, bytes),
        Measure::Find(part) if part.is_empty() => each(&|_| 0),
        Measure::Find(part) => {
            let finder = Finder::new(part.as_bytes());
            morsel::build_values(input.len, exec, |rows, out: &mut [i64]| {
                let (first, is_ascii) = (rows.start, is_ascii(strings, &rows));
                out.fill(-1);
                each_occurrence(strings, rows, &finder, 1, &mut |row, found| {
                    let before = strings.bytes(strings.start(row), found);
                    out[row - first] = if is_ascii { before.len() as i64 } else { characters(before) };
                });
            })
        }
        Measure::RFind(part) => {
            let finder = FinderRev::new(part.as_bytes());
            each(&|text| finder.rfind(text).map_or(-1, |at| characters(&text[..at])))
        }
        Measure::Count(part) if part.is_empty() => each(&|text| characters(text) + 1),
        Measure::Count(part) => {
            let finder = Finder::new(part.as_bytes());
            morsel::build_values(input.len, exec, |rows, out: &mut [i64]| {
                let first = rows.start;
                out.fill(0);
                each_occurrence(strings, rows, &finder, usize::MAX, &mut |row, _| out[row - first] += 1);
            })
        }
    }
}

pub(super) fn count_matches(pattern: &Pattern, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let not_utf8 = AtomicBool::new(false);
    let counts = morsel::build_values(input.len, exec, |rows, out: &mut [i64]| {
        let texts = Texts::new(strings, valid, &rows);
        pattern.with(|regex| {
            for (out, row) in out.iter_mut().zip(rows) {
                let text = texts.get(row).unwrap_or_else(|| {
                    not_utf8.store(true, Ordering::Relaxed);
                    ""
                });
                *out = regex.find_iter(text).count() as i64;
            }
        });
    })?;
    if not_utf8.into_inner() {
        return Err(Error::InvalidArgument { name: "strings", reason: "a row is not UTF-8" });
    }
    Ok(counts)
}
