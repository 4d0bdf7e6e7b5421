//! Launcher of `hash_rows.cu`.

use super::HashFunction;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Error, Result, View};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `hash_rows`: one column.
    pub struct HashRowsArgs {
        pub input: ColumnDesc,
        /// The hashes of the columns before; null: the seed.
        pub seeds: *const c_void,
        pub seed: u64,
        /// 0: `MurmurHash3_x86_32`, 1: `XXH64`.
        pub function: i32,
        pub alloc: Alloc,
    }
    entry hash_rows(HashRowsArgs);
}

pub(super) fn hash_rows(
    function: HashFunction,
    columns: &[View<'_>],
    _len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::hash_rows(exec.device())?;
    let mut hashes: Option<Buffer> = None;
    let (function, seed) = match function {
        HashFunction::Murmur3(seed) => (0, seed.into()),
        HashFunction::XxHash64(seed) => (1, seed),
    };
    for column in columns {
        let guard = column.read(exec)?;
        let seeds = hashes.as_ref().map(|hashes| hashes.read(exec)).transpose()?;
        let mut launch = Launch::new(exec);
        let args = HashRowsArgs {
            input: guard.desc(),
            seeds: seeds.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
            seed,
            function,
            alloc: launch.alloc(),
        };
        // SAFETY: the guards keep the column and the hashes readable, and the launch owns the output.
        unsafe { launch.run(entry, &args)? };
        let made = launch.output(0)?;
        drop(seeds);
        hashes = Some(made);
    }
    hashes.ok_or(Error::Internal { invariant: "there is a column" })
}
