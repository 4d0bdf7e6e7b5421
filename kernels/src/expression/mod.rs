//! Whole expressions in one pass.
//!
//! A [`Program`] is an expression tree flattened into steps over registers, its storage types settled by the
//! layer above. The host runs it morsel by morsel, so that every intermediate stays in the cache; a device runs
//! it step by step with the element-wise kernels.

pub mod aggregate;
pub mod evaluate;
mod program;
#[cfg(test)]
mod test_programs;

pub use program::{Builder, Op, Program, Register, Source, Step, Table};
