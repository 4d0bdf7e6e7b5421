//! Host implementation of `utf8`.

use super::Utf8;
use crate::strings_view::{Span, build_strings};
use crate::{Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use std::str::from_utf8;

pub(super) fn utf8(input: &StringsView<'_>, exec: &Exec) -> Result<Utf8> {
    let guard = View::String(*input).read(exec)?;
    let (strings, valid) = (guard.strings(), guard.validity());
    // The rows of a morsel at once: they are text where the whole is, and begins with characters.
    let are_text = morsel::map(input.len, |rows| {
        let (start, end) = (strings.start(rows.start), strings.start(rows.end));
        let whole = from_utf8(strings.bytes(start, end)).ok();
        whole
            .is_some_and(|text| rows.into_iter().all(|row| text.is_char_boundary(strings.start(row) - start)))
    });
    if !are_text.contains(&false) {
        return Ok(Utf8 { strings: None, failed: None });
    }
    let is_null = |row: usize| valid.is_some_and(|valid| !valid.get(row));
    let failed = morsel::map(input.len, |rows| {
        rows.into_iter().find(|&row| !is_null(row) && from_utf8(strings.get(row)).is_err())
    });
    let mut bits = vec![0_u64; input.len.div_ceil(64)];
    let is_text = |row: usize| !is_null(row) && from_utf8(strings.get(row)).is_ok();
    for row in (0..input.len).filter(|&row| is_text(row)) {
        bits[row / 64] |= 1 << (row % 64);
    }
    let validity = Buffer::from_slice(&bits, exec)?.slice(0, input.len.div_ceil(8));
    let built = build_strings(input.len, Some(validity), exec, |row| {
        if bits[row / 64] >> (row % 64) & 1 == 1 { strings.span(row) } else { Span::default() }
    })?;
    Ok(Utf8 { strings: Some(built), failed: failed.into_iter().flatten().next() })
}
