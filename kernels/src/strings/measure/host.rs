//! Host implementation of `measure`.

use super::Measure;
use crate::{Result, StringsView, View, morsel};
use columnade_buffers::{Buffer, Exec};
use memchr::memmem::Finder;

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
    }
}
