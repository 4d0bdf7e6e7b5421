//! Launcher of `count_ones.cu`.

use crate::abi::Alloc;
use crate::launch::Launch;
use crate::{Bits, Result};
use columnade_buffers::Exec;
use std::ffi::c_void;

policy! {
    /// Of `count.cu`.
    pub struct CountPolicy {
        /// Eight blocks on each of 132 multiprocessors, at most.
        pub const BLOCKS: u32 = 1024;
    }
}

abi! {
    /// Arguments of `count_ones`.
    pub struct CountOnesArgs {
        pub bits: *const c_void,
        pub offset: i64,
        pub rows: i64,
        /// Host memory for the result, written before the entry returns.
        pub ones: *mut i64,
        pub alloc: Alloc,
    }
    entry count_ones(CountOnesArgs);
}

pub(super) fn count_ones(bits: Bits<'_>, exec: &Exec) -> Result<usize> {
    let entry = entries::count_ones(exec.device())?;
    let guard = bits.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut ones = 0;
    let args = CountOnesArgs {
        bits: guard.as_ptr().cast(),
        offset: bits.offset as i64,
        rows: bits.len as i64,
        ones: &raw mut ones,
        alloc: launch.alloc(),
    };
    // SAFETY: `guard` keeps the bits readable; `ones` outlives the call, and the entry has synchronised by
    // then.
    unsafe { launch.run(entry, &args)? };
    Ok(ones as usize)
}
