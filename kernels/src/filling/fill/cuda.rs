//! Launchers of `fill.cu`.

use crate::abi::Alloc;
use crate::launch::Launch;
use crate::{Result, Value};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `fill`.
    pub struct FillArgs {
        /// The value's bytes, little-endian.
        pub value: [u64; 2],
        /// Bits of the value.
        pub bits: i32,
        pub rows: i64,
        pub alloc: Alloc,
    }
    /// Arguments of `repeat_string`.
    pub struct RepeatStringArgs {
        pub text: *const c_void,
        /// Bytes of the string, not zero.
        pub size: i64,
        pub rows: i64,
        pub alloc: Alloc,
    }
    entry fill(FillArgs);
    entry repeat_string(RepeatStringArgs);
}

pub(super) fn fill(value: Value, len: usize, exec: &Exec) -> Result<Buffer> {
    let entry = entries::fill(exec.device())?;
    let mut launch = Launch::new(exec);
    let args = FillArgs {
        value: bytemuck::cast(value.to_bytes()),
        bits: value.storage().bits() as i32,
        rows: len as i64,
        alloc: launch.alloc(),
    };
    // SAFETY: the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}

/// Repeats `text`, which is not empty, `len` times.
pub(super) fn repeat(text: &[u8], len: usize, exec: &Exec) -> Result<Buffer> {
    let entry = entries::repeat_string(exec.device())?;
    let buffer = Buffer::from_slice(text, exec)?;
    let guard = buffer.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = RepeatStringArgs {
        text: guard.as_ptr().cast(),
        size: text.len() as i64,
        rows: len as i64,
        alloc: launch.alloc(),
    };
    // SAFETY: `guard` keeps the string readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
