//! Launcher of `utc_time.cu`.

use super::{Done, Rules};
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::overflow;
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `utc_time`. Output 1 is a word that is nonzero if a valid row is refused, output 2 those rows, output 3
    /// the rows that become null.
    pub struct UtcTimeArgs {
        pub input: ColumnDesc,
        /// The seconds from which the offsets hold, ascending; the first is the least number.
        pub starts: *const i64,
        /// In seconds.
        pub offsets: *const i32,
        pub count: i64,
        /// The second from which on the offsets repeat every 400 years.
        pub repeat_from: i64,
        pub per_second: i64,
        /// An `Ambiguous`.
        pub ambiguous: i32,
        /// A `Nonexistent`.
        pub nonexistent: i32,
        pub alloc: Alloc,
    }
    entry utc_time(UtcTimeArgs);
}

pub(super) fn utc_time(input: &Fixed<'_>, rules: &Rules<'_>, exec: &Exec) -> Result<Done> {
    let entry = entries::utc_time(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let (starts, offsets) = rules.zone.table();
    let count = starts.len() as i64;
    let (starts, offsets) = (Buffer::from_slice(starts, exec)?, Buffer::from_slice(offsets, exec)?);
    let (starts, offsets) = (starts.read(exec)?, offsets.read(exec)?);
    let mut launch = Launch::new(exec);
    let args = UtcTimeArgs {
        input: guard.desc(),
        starts: starts.as_ptr().cast(),
        offsets: offsets.as_ptr().cast(),
        count,
        repeat_from: rules.zone.repeat_from(),
        per_second: rules.unit.per_second(),
        ambiguous: rules.ambiguous as i32,
        nonexistent: rules.nonexistent as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the input and the table readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let (data, refused) = overflow::outputs(&mut launch, input.len, exec)?;
    let nulls =
        if rules.makes_nulls() { Some(launch.output(3)?.slice(0, input.len.div_ceil(8))) } else { None };
    Ok(Done { data, refused, nulls })
}
