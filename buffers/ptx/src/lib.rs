//! Columnade: executes the PTX that nvcc makes of the kernels, warp by warp on the host.
//!
//! This is the machine behind the simulator's flavour `ptx`. The kernels and launchers are compiled by nvcc as
//! for a GPU, real CUB included; the objects register their PTX when a program starts, and the simulator's
//! runtime (`buffers/sim-sys`) hands launches to this crate. Memory, streams and events are the simulator's.
//!
//! In the other flavours the crate has only the counts, which stay empty: its build script asks
//! `COLUMNADE_SIM_FLAVOUR`.
//!
//! | module | holds |
//! | --- | --- |
//! | `parser` | PTX text to a module; whatever it does not know is an error that names its line |
//! | `program` | a decoded module: instructions whose operands are slots of 32 lanes |
//! | `arithmetic` | what the instructions compute that look at each lane by itself |
//! | `flow` | where lanes that branched apart meet, and which registers share a slot |
//! | `machine` | blocks, warps, barriers, collectives, memory accesses |
//! | `memory` | the allocations that launches may touch |
//! | `traffic`, `counts` | what requests cost, and the counts of each kernel |
//! | `ordering` | the check that accesses of different threads are ordered |
//! | `runtime` | the C interface for the simulator's runtime: objects, launches, options |
//!
//! # What it checks
//! Every access lies in one allocation, in the block's shared memory, or in the thread's local memory, and is
//! aligned. Barriers and collectives that not all threads reach, traps and launches that hang are faults, and
//! so are unordered accesses with `COLUMNADE_SIM_CHECK_ORDER=1`. A report names the kernel, the instruction
//! and its source line.
//!
//! # What it does not show
//! PTX is not SASS: ptxas may merge, move or predicate instructions, and spills registers. Requests and
//! sectors are those of the PTX before any cache; time is not modelled. Execution is sequentially consistent.
//! Approximate instructions are computed exactly. Lanes that branched apart meet at the immediate
//! post-dominator, which hardware does not promise.

#[cfg(any(test, columnade_ptx))]
mod arithmetic;
mod counts;
#[cfg(any(test, columnade_ptx))]
mod flow;
#[cfg(any(test, columnade_ptx))]
mod machine;
#[cfg(any(test, columnade_ptx))]
mod memory;
#[cfg(any(test, columnade_ptx))]
mod ordering;
#[cfg(any(test, columnade_ptx))]
mod parser;
#[cfg(any(test, columnade_ptx))]
mod program;
#[cfg(any(test, columnade_ptx))]
mod runtime;
#[cfg(test)]
mod testing;
#[cfg(any(test, columnade_ptx))]
mod traffic;

pub use counts::{BankRequests, Counts, Requests, snapshot, take};
#[cfg(any(test, columnade_ptx))]
pub use runtime::{Coverage, coverage};
