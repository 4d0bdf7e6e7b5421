//! Evaluation of whole expressions in one pass.
//!
//! A [`Program`] is an expression tree flattened into steps over registers; the layer above has determined
//! the storage types. The host runs it morsel by morsel, so that every intermediate stays in the cache. A
//! device runs consecutive steps as one kernel, whose intermediates stay in shared memory.

pub mod aggregate;
pub mod evaluate;
mod program;
#[cfg(test)]
mod test_programs;

pub use program::{Builder, Op, Program, Register, SharedKeys, Source, Step, Table};
