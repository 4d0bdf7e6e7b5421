//! Launcher of `matches.cu`.

use super::pattern::LikePattern;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Result, StringsView, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `matches`.
    pub struct MatchesArgs {
        pub input: ColumnDesc,
        /// The codes of a `LikePattern`.
        pub codes: *const u16,
        pub code_count: i64,
        /// Whether the pattern begins with a byte or a character, not with a run.
        pub anchored: i32,
        pub alloc: Alloc,
    }
    entry matches(MatchesArgs);
}

pub(super) fn matches(pattern: &LikePattern, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::matches(exec.device())?;
    let guard = View::String(*input).read(exec)?;
    let codes = Buffer::from_slice(pattern.codes(), exec)?;
    let codes_guard = codes.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = MatchesArgs {
        input: guard.desc(),
        codes: codes_guard.as_ptr().cast(),
        code_count: pattern.codes().len() as i64,
        anchored: i32::from(pattern.codes().first() != Some(&LikePattern::ANY_RUN)),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the pattern readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, input.len.div_ceil(8)))
}
