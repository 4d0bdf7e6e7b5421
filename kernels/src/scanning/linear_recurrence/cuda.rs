//! Launcher of `linear_recurrence.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;

policy! {
    /// Of `linear_recurrence.cu`.
    pub struct RecurrencePolicy {
        /// Neighbouring rows of a thread: a tile has 18 KiB of shared memory.
        pub const THREAD_ROWS: i32 = 4;
    }
}

abi! {
    /// Arguments of `linear_recurrence`.
    pub struct LinearRecurrenceArgs {
        /// Of `F64`.
        pub scale: ColumnDesc,
        /// Of `F64`.
        pub shift: ColumnDesc,
        /// Of `I64`.
        pub starts: ColumnDesc,
        /// Output 0: the values.
        pub alloc: Alloc,
    }
    entry linear_recurrence(LinearRecurrenceArgs);
}

pub(super) fn linear_recurrence(
    scale: &Fixed<'_>,
    shift: &Fixed<'_>,
    starts: &Fixed<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::linear_recurrence(exec.device())?;
    let len = scale.len;
    let [scale, shift, starts] = [scale, shift, starts].map(|column| View::Fixed(*column).read(exec));
    let (scale, shift, starts) = (scale?, shift?, starts?);
    let mut launch = Launch::new(exec);
    let args = LinearRecurrenceArgs {
        scale: scale.desc(),
        shift: shift.desc(),
        starts: starts.desc(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the inputs readable, and the output is the launch's own.
    unsafe { launch.run(entry, &args)? };
    Ok(FixedData { storage: Storage::F64, len, data: launch.output(0)?, validity: None })
}
