//! Host implementation of `fill`.

use crate::parallel::for_each_chunk;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, Value, morsel};
use columnade_buffers::{Buffer, Exec, Pod};

pub(super) fn fill(value: Value, len: usize, exec: &Exec) -> Result<Buffer> {
    dispatch_width!(value.storage(), T => {
        let value = bytemuck::pod_read_unaligned::<T>(&value.to_bytes()[..size_of::<T>()]);
        fill_values(value, len, exec)
    }, bit => morsel::build_bits(len, exec, |_, words| words.fill(u64::MAX)))
}

fn fill_values<T: Pod + Send + Sync>(value: T, len: usize, exec: &Exec) -> Result<Buffer> {
    morsel::build_values(len, exec, |_, out| out.fill(value))
}

/// Repeats `text`, which is not empty, `len` times.
pub(super) fn repeat(text: &[u8], len: usize, exec: &Exec) -> Result<Buffer> {
    let mut out = Buffer::uninit(text.len() * len, exec)?;
    let mut guard = out.write(exec)?;
    for_each_chunk(guard.as_mut_slice::<u8>(), HOST_MORSEL_ROWS * text.len(), |_, out| {
        for row in out.chunks_mut(text.len()) {
            row.copy_from_slice(&text[..row.len()]);
        }
    });
    drop(guard);
    Ok(out)
}
