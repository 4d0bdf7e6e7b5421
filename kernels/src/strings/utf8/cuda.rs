//! Launcher of `utf8.cu`.

use super::Utf8;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Error, Result, StringsView, View};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `utf8`.
    pub struct Utf8Args {
        pub input: ColumnDesc,
        /// Host memory for the first row that is valid and not UTF-8, negative if there is none; for whether any row is not
        /// UTF-8; and for the bytes of the strings, which are built only then.
        pub failed: *mut i64,
        pub any: *mut i64,
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry utf8(Utf8Args);
}

pub(super) fn utf8(input: &StringsView<'_>, exec: &Exec) -> Result<Utf8> {
    let entry = entries::utf8(exec.device())?;
    let view = View::String(*input);
    let guard = view.read(exec)?;
    let mut launch = Launch::new(exec);
    let (mut failed, mut any, mut string_bytes) = (-1, 0, 0);
    let args = Utf8Args {
        input: guard.desc(),
        failed: &raw mut failed,
        any: &raw mut any,
        string_bytes: &raw mut string_bytes,
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the column readable, the numbers outlive the call, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let failed = usize::try_from(failed).ok();
    if any == 0 {
        return Ok(Utf8 { strings: None, failed });
    }
    match launch.column(&view, input.len, string_bytes as usize)? {
        ColumnData::String(strings) => Ok(Utf8 { strings: Some(strings), failed }),
        ColumnData::Fixed(_) => Err(Error::Internal { invariant: "bytes become strings" }),
    }
}
