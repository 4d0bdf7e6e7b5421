//! Producers that are made of bytes, and what must hold for whatever they hand over: it is read or refused with an error,
//! nothing crashes, and everything is released exactly once.
//!
//! The interfaces do not tell how large a buffer is. So that what is found is a fault of the consumer, a buffer is real
//! memory of the size that its array claims; lies are everything that a consumer can find out: shapes, counts, null
//! pointers, lengths beyond any memory, what offsets, codes and text say.

#![expect(clippy::unwrap_used, reason = "tests, whose errors are findings")]

mod arrays;
mod input;
mod ledger;
mod read;
mod streams;
mod tensors;
mod types;

use columnade_buffers::{Device, Exec};
use std::sync::LazyLock;

/// The simulator, where there is one: its memory is the host's, so a producer's may pass for it. Not where kernels are
/// nvcc's code, which may access nothing but the simulator's own allocations.
fn simulator() -> Option<&'static Exec> {
    static SIM: LazyLock<Option<Exec>> = LazyLock::new(|| {
        let has_bounds = std::env::var_os("COLUMNADE_SIM_FLAVOUR").is_some_and(|flavour| flavour == "ptx");
        if has_bounds { None } else { Exec::new(Device::Sim).ok() }
    });
    SIM.as_ref()
}

pub(crate) use arrays::array;
pub(crate) use streams::stream;
pub(crate) use tensors::tensor;
