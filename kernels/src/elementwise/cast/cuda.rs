//! Launcher of `cast.cu`.

use super::CastMode;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::overflow;
use crate::launch::Launch;
use crate::{Fixed, Result, Storage, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `cast`.
    pub struct CastArgs {
        pub input: ColumnDesc,
        /// The `Storage` of the result.
        pub to: i32,
        /// Whether to check for values that do not fit: output 1 is a word that is nonzero if there is one,
        /// output 2 the rows.
        pub checked: i32,
        pub alloc: Alloc,
    }
    entry cast(CastArgs);
}

pub(super) fn cast(
    input: &Fixed<'_>,
    to: Storage,
    mode: CastMode,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::cast(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let args = CastArgs { input: guard.desc(), to: to as i32, checked: mode as i32, alloc: launch.alloc() };
    // SAFETY: the guard keeps the input readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let (data, rows) = match mode {
        CastMode::Checked => overflow::outputs(&mut launch, input.len, exec)?,
        CastMode::Wrap => (launch.output(0)?, None),
    };
    Ok((data.slice(0, to.bytes(input.len)), rows))
}
