//! Launcher of `slice.cu`.

use super::CharRange;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Error, Result, StringData, StringsView, View};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `slice`.
    pub struct SliceArgs {
        pub input: ColumnDesc,
        /// The first character; if negative, counted from the end.
        pub first: i64,
        /// Characters at most; negative: all.
        pub length: i64,
        /// Host memory for the bytes of the strings, written before the entry returns.
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry slice(SliceArgs);
}

pub(super) fn slice(input: &StringsView<'_>, range: CharRange, exec: &Exec) -> Result<StringData> {
    let entry = entries::slice(exec.device())?;
    let view = View::String(*input);
    let guard = view.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut string_bytes = 0;
    // No string has 2^63 characters.
    let length = range.length.map_or(-1, |length| i64::try_from(length).unwrap_or(-1));
    let args = SliceArgs {
        input: guard.desc(),
        first: range.offset,
        length,
        string_bytes: &raw mut string_bytes,
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the column readable, `string_bytes` outlives the call, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    match launch.column(&view, input.len, string_bytes as usize)? {
        ColumnData::String(strings) => Ok(strings),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "parts of strings are strings" }),
    }
}
