//! Evaluation of whole expressions in one pass.
//!
//! A [`Program`] is an expression tree flattened into steps over registers; the layer above has determined
//! the storage types. The host runs it morsel by morsel, so that every intermediate stays in the cache. A
//! device runs it step by step with the element-wise kernels.

pub mod aggregate;
pub mod evaluate;
mod program;
#[cfg(test)]
mod test_programs;

pub use program::{Builder, Op, Program, Register, SharedKeys, Source, Step, Table};
