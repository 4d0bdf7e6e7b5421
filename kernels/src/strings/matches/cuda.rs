//! Launcher of `matches.cu`.

use super::pattern::LikePattern;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::strings::literal::{self, Literal};
use crate::{Result, StringsView, View};
use columnade_buffers::{Buffer, Exec};

policy! {
    /// Of `matches.cu`.
    pub struct MatchesPolicy {
        /// Codes of a pattern in shared memory; longer patterns stay in global memory.
        pub const SHARED_CODES: i32 = 256;
    }
}

abi! {
    /// Arguments of `matches`.
    pub struct MatchesArgs {
        pub input: ColumnDesc,
        /// The codes of a `LikePattern`, two bytes each.
        pub codes: [u64; 8],
        pub codes_far: *const u8,
        pub code_bytes: i64,
        /// Whether the pattern begins with a byte or a character, not with a run.
        pub anchored: i32,
        pub alloc: Alloc,
    }
    entry matches(MatchesArgs);
}

pub(super) fn matches(pattern: &LikePattern, input: &StringsView<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::matches(exec.device())?;
    let guard = View::String(*input).read(exec)?;
    let bytes: Vec<u8> = pattern.codes().iter().flat_map(|code| code.to_ne_bytes()).collect();
    let codes = Literal::new(&bytes, exec)?;
    let far = codes.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = MatchesArgs {
        input: guard.desc(),
        codes: codes.words,
        codes_far: literal::address(far.as_ref()),
        code_bytes: codes.bytes,
        anchored: i32::from(pattern.codes().first() != Some(&LikePattern::ANY_RUN)),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the column and the pattern readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, input.len.div_ceil(8)))
}
