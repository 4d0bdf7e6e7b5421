//! Launcher of `combine.cu`.

use super::Combination;
use crate::abi::Alloc;
use crate::launch::Launch;
use crate::{Bits, Result};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `combine`.
    pub struct CombineArgs {
        pub left: *const c_void,
        pub right: *const c_void,
        pub left_offset: i64,
        pub right_offset: i64,
        pub rows: i64,
        /// A `Combination`.
        pub op: i32,
        pub alloc: Alloc,
    }
    entry combine(CombineArgs);
}

pub(super) fn combine(op: Combination, a: Bits<'_>, b: Bits<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::combine(exec.device())?;
    let guards = exec.access(&[a.buffer, b.buffer], [])?;
    let mut launch = Launch::new(exec);
    let args = CombineArgs {
        left: guards.reads[0].as_ptr().cast(),
        right: guards.reads[1].as_ptr().cast(),
        left_offset: a.offset as i64,
        right_offset: b.offset as i64,
        rows: a.len as i64,
        op: op as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: `guards` keep both inputs readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, a.len.div_ceil(8)))
}
