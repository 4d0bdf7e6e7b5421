//! Launcher of `copy_if_else.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Fixed, Result, View, access};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `copy_if_else`.
    pub struct CopyIfElseArgs {
        /// Bits.
        pub condition: ColumnDesc,
        pub then: ColumnDesc,
        pub otherwise: ColumnDesc,
        /// Host memory for the bytes of the strings, written before the entry returns; unused for fixed width.
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry copy_if_else(CopyIfElseArgs);
}

pub(super) fn copy_if_else(
    cond: &Fixed<'_>,
    then: &View<'_>,
    otherwise: &View<'_>,
    exec: &Exec,
) -> Result<ColumnData> {
    let entry = entries::copy_if_else(exec.device())?;
    let guards = access(&[View::Fixed(*cond), *then, *otherwise], exec)?;
    let mut launch = Launch::new(exec);
    let mut string_bytes = 0;
    let args = CopyIfElseArgs {
        condition: guards[0].desc(),
        then: guards[1].desc(),
        otherwise: guards[2].desc(),
        string_bytes: &raw mut string_bytes,
        alloc: launch.alloc(),
    };
    // SAFETY: `guards` keep the inputs readable, `string_bytes` outlives the call, and the launch owns the
    // outputs.
    unsafe { launch.run(entry, &args)? };
    launch.column(then, cond.len, string_bytes as usize)
}
