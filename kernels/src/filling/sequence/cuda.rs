//! Launcher of `sequence.cu`.

use crate::abi::Alloc;
use crate::launch::Launch;
use crate::{Result, Value};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `sequence`.
    pub struct SequenceArgs {
        /// The values' bytes, little-endian.
        pub start: [u64; 2],
        pub step: [u64; 2],
        /// A `Storage`.
        pub storage: i32,
        pub rows: i64,
        pub alloc: Alloc,
    }
    entry sequence(SequenceArgs);
}

pub(super) fn sequence(start: Value, step: Value, len: usize, exec: &Exec) -> Result<Buffer> {
    let entry = entries::sequence(exec.device())?;
    let mut launch = Launch::new(exec);
    let args = SequenceArgs {
        start: bytemuck::cast(start.to_bytes()),
        step: bytemuck::cast(step.to_bytes()),
        storage: start.storage() as i32,
        rows: len as i64,
        alloc: launch.alloc(),
    };
    // SAFETY: the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
