//! Launcher of `local_time.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::datetime::extract::TimeUnit;
use crate::datetime::zone::ZoneOffsets;
use crate::elementwise::overflow;
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `local_time`. Output 1 is a word that is nonzero if the local time of a valid row overflows,
    /// output 2 those rows.
    pub struct LocalTimeArgs {
        pub input: ColumnDesc,
        /// The seconds from which the offsets hold, ascending; the first is the least number.
        pub starts: *const i64,
        /// In seconds.
        pub offsets: *const i32,
        pub count: i64,
        /// The second from which on the offsets repeat every 400 years.
        pub repeat_from: i64,
        pub per_second: i64,
        pub alloc: Alloc,
    }
    entry local_time(LocalTimeArgs);
}

pub(super) fn local_time(
    input: &Fixed<'_>,
    unit: TimeUnit,
    zone: &ZoneOffsets,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::local_time(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let (starts, offsets) = zone.table();
    let count = starts.len() as i64;
    let (starts, offsets) = (Buffer::from_slice(starts, exec)?, Buffer::from_slice(offsets, exec)?);
    let (starts, offsets) = (starts.read(exec)?, offsets.read(exec)?);
    let mut launch = Launch::new(exec);
    let args = LocalTimeArgs {
        input: guard.desc(),
        starts: starts.as_ptr().cast(),
        offsets: offsets.as_ptr().cast(),
        count,
        repeat_from: zone.repeat_from(),
        per_second: unit.per_second(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the input and the table readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    overflow::outputs(&mut launch, input.len, exec)
}
