//! Host twin of `fill`.

use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Result, Value, morsel};
use columnade_buffers::{Buffer, Exec, Pod};
use rayon::prelude::*;

pub(super) fn fill(value: Value, len: usize, exec: &Exec) -> Result<Buffer> {
    dispatch_width!(value.storage(), T => {
        let value = bytemuck::pod_read_unaligned::<T>(&value.to_bytes()[..size_of::<T>()]);
        fill_values(value, len, exec)
    }, bit => morsel::build_bits(len, exec, |_, words| words.fill(u64::MAX)))
}

fn fill_values<T: Pod + Send + Sync>(value: T, len: usize, exec: &Exec) -> Result<Buffer> {
    morsel::build_values(len, exec, |_, out| out.fill(value))
}

/// `text`, which is not empty, `len` times.
pub(super) fn repeat(text: &[u8], len: usize, exec: &Exec) -> Result<Buffer> {
    let mut out = Buffer::uninit(text.len() * len, exec)?;
    let mut guard = out.write(exec)?;
    let repeat = |out: &mut [u8]| {
        for row in out.chunks_mut(text.len()) {
            row.copy_from_slice(&text[..row.len()]);
        }
    };
    if len <= HOST_MORSEL_ROWS {
        repeat(guard.as_mut_slice());
    } else {
        guard.as_mut_slice::<u8>().par_chunks_mut(HOST_MORSEL_ROWS * text.len()).for_each(repeat);
    }
    drop(guard);
    Ok(out)
}
