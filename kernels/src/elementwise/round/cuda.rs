//! Launcher of `round.cu`.

use super::{Scale, unit};
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::overflow;
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `round`. Integers set output 1, a word, and output 2, bits, for valid rows that overflow.
    pub struct RoundArgs {
        pub input: ColumnDesc,
        /// Integers: what they become multiples of; 0: zero.
        pub unit: [u64; 2],
        /// Floats: the bits of the power of ten.
        pub factor: u64,
        /// Whether floats are multiplied by it first.
        pub up: i32,
        pub alloc: Alloc,
    }
    entry round(RoundArgs);
}

pub(super) fn round(input: &Fixed<'_>, decimals: i32, exec: &Exec) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::round(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let scale = Scale::new(decimals);
    let args = RoundArgs {
        input: guard.desc(),
        unit: overflow::words(unit(decimals).unwrap_or(1)),
        factor: scale.factor.to_bits(),
        up: i32::from(scale.up),
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the input readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    if input.storage.is_float() {
        return Ok((launch.output(0)?, None));
    }
    overflow::outputs(&mut launch, input.len, exec)
}
