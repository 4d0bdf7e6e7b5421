//! Launcher of `unary.cu`.

use super::UnaryOp;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `unary`.
    pub struct UnaryArgs {
        pub input: ColumnDesc,
        /// A `UnaryOp`.
        pub op: i32,
        pub alloc: Alloc,
    }
    entry unary(UnaryArgs);
}

pub(super) fn unary(op: UnaryOp, input: &Fixed<'_>, exec: &Exec) -> Result<Buffer> {
    let entry = entries::unary(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let args = UnaryArgs { input: guard.desc(), op: op as i32, alloc: launch.alloc() };
    // SAFETY: the guard keeps the input readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
