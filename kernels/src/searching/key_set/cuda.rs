//! Launchers of `key_set.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `key_set`.
    pub struct KeySetArgs {
        pub keys: ColumnDesc,
        /// The key of bit 0.
        pub first: i64,
        /// 64-bit words of the set.
        pub words: i64,
        pub alloc: Alloc,
    }
    /// Arguments of `key_set_contains`.
    pub struct KeySetContainsArgs {
        pub values: ColumnDesc,
        pub bits: *const c_void,
        /// The key of bit 0.
        pub first: i64,
        /// The number of keys in the range.
        pub len: i64,
        pub alloc: Alloc,
    }
    entry key_set(KeySetArgs);
    entry key_set_contains(KeySetContainsArgs);
}

pub(super) fn bits(keys: &Fixed<'_>, first: i64, words: usize, exec: &Exec) -> Result<Buffer> {
    let entry = entries::key_set(exec.device())?;
    let guard = View::Fixed(*keys).read(exec)?;
    let mut launch = Launch::new(exec);
    let args = KeySetArgs { keys: guard.desc(), first, words: words as i64, alloc: launch.alloc() };
    // SAFETY: the guard keeps the keys readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}

pub(super) fn contains(
    first: i64,
    len: u64,
    bits: &Buffer,
    values: &Fixed<'_>,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::key_set_contains(exec.device())?;
    let guard = View::Fixed(*values).read(exec)?;
    let words = bits.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = KeySetContainsArgs {
        values: guard.desc(),
        bits: words.as_ptr().cast(),
        first,
        len: len as i64,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the values and the set readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, values.len.div_ceil(8)))
}
