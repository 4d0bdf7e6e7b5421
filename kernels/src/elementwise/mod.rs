//! Element-wise operations: one output row from one row of each input.

pub mod binary;
pub mod cast;
pub mod compare;
pub(crate) mod lane;
pub mod logical;
pub mod mul_wide;
pub mod null_test;
pub(crate) mod number;
mod operand;
pub mod rescale;
pub mod unary;
pub(crate) mod validity;

pub use operand::Operand;
pub(crate) use operand::{BitLane, OperandGuard};
