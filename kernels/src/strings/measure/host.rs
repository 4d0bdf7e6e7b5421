//! Host implementation of `measure`.

use super::Measure;
use crate::strings::regex::Pattern;
use crate::{Error, Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::{Finder, FinderRev};
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of characters of UTF-8: that of the bytes that begin one.
fn characters(text: &[u8]) -> i64 {
    text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count() as i64
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
    match measure {
        Measure::Characters => each(&characters),
        Measure::Bytes => each(&|text| text.len() as i64),
        Measure::Find(part) => {
            let finder = Finder::new(part.as_bytes());
            each(&|text| finder.find(text).map_or(-1, |at| characters(&text[..at])))
        }
        Measure::RFind(part) => {
            let finder = FinderRev::new(part.as_bytes());
            each(&|text| finder.rfind(text).map_or(-1, |at| characters(&text[..at])))
        }
        Measure::Count(part) if part.is_empty() => each(&|text| characters(text) + 1),
        Measure::Count(part) => {
            let finder = Finder::new(part.as_bytes());
            each(&|text| finder.find_iter(text).count() as i64)
        }
    }
}

pub(super) fn count_matches(pattern: &Pattern, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    let not_utf8 = AtomicBool::new(false);
    let counts = morsel::build_values(input.len, exec, |rows, out: &mut [i64]| {
        pattern.with(|regex| {
            for (out, row) in out.iter_mut().zip(rows) {
                // A null row may hold anything.
                let is_null = valid.is_some_and(|bits| !bits.get(row));
                let bytes = if is_null { &[] } else { strings.get(row) };
                *out = std::str::from_utf8(bytes).map_or_else(
                    |_| {
                        not_utf8.store(true, Ordering::Relaxed);
                        0
                    },
                    |text| regex.find_iter(text).count() as i64,
                );
            }
        });
    })?;
    if not_utf8.into_inner() {
        return Err(Error::InvalidArgument { name: "strings", reason: "a row is not UTF-8" });
    }
    Ok(counts)
}
