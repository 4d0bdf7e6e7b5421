//! Tests of the whole crate, on every device of the build. Tests of one module are in that module.

mod buffers;
mod copy_on_write;
mod devices;
mod failures;
mod foreign;
#[cfg(not(miri))]
mod forks;
pub(crate) mod own_process;
mod retry;
mod stress;

use crate::{Buffer, Device, Exec, Result};

/// Sizes in bytes around words, padding, pages and size classes.
#[rustfmt::skip]
const SIZES: &[usize] = &[
    0, 1, 7, 8, 31, 32, 33, 63, 64, 65, 127, 128, 255, 256, 257, 1023,
    #[cfg(not(miri))] 4095, #[cfg(not(miri))] 4097, #[cfg(not(miri))] 65_537, #[cfg(not(miri))] 131_073,
];

/// A context on each device.
pub(crate) fn execs() -> Vec<Exec> {
    Device::available().into_iter().map(|device| Exec::new(device).unwrap()).collect()
}

/// Bytes that differ from their neighbours.
pub(crate) fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| u8::try_from((at * 37 + at / 251) % 256).unwrap()).collect()
}

/// Writes a few bytes of a buffer and leaves the rest.
pub(crate) fn overwrite(buffer: &mut Buffer, at: usize, bytes: &[u8], exec: &Exec) -> Result<()> {
    let mut all = buffer.to_vec::<u8>(exec)?;
    all[at..at + bytes.len()].copy_from_slice(bytes);
    buffer.write(exec)?.copy_from_slice(&all)
}

pub(crate) fn address(buffer: &Buffer, exec: &Exec) -> *const u8 {
    buffer.read(exec).unwrap().as_ptr()
}
