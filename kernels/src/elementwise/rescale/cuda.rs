//! Launcher of `rescale.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::overflow;
use crate::launch::Launch;
use crate::{Fixed, Result, Storage, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `rescale`. Output 1 is a word that is nonzero if a valid row overflows, output 2 those rows.
    pub struct RescaleArgs {
        pub input: ColumnDesc,
        /// The `Storage` of the result.
        pub to: i32,
        /// Whether to divide by the factor instead of multiplying.
        pub divide: i32,
        pub factor: [u64; 2],
        /// The magnitude that results must stay below.
        pub limit: [u64; 2],
        pub alloc: Alloc,
    }
    entry rescale(RescaleArgs);
}

pub(super) fn rescale(
    input: &Fixed<'_>,
    to: Storage,
    power: i32,
    digits: u32,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::rescale(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let args = RescaleArgs {
        input: guard.desc(),
        to: to as i32,
        divide: i32::from(power < 0),
        factor: power_of_ten(power.unsigned_abs()),
        limit: power_of_ten(digits),
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the input readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    overflow::outputs(&mut launch, input.len, exec)
}

/// The two halves of a power of ten that fits in 128 bits, low half first.
fn power_of_ten(digits: u32) -> [u64; 2] {
    let power = 10_u128.pow(digits);
    [power as u64, (power >> 64) as u64]
}
