//! Element-wise operations: one output row from one row of each input.

pub mod binary;
pub mod cast;
pub mod compare;
pub mod compare_exact;
pub mod divide_decimals;
pub(crate) mod lane;
pub mod logical;
pub mod math;
pub mod mul_wide;
pub mod null_test;
pub(crate) mod number;
pub(crate) mod operand;
pub(crate) mod overflow;
pub mod rescale;
pub mod round;
#[cfg(test)]
mod test_wide;
pub mod unary;
pub(crate) mod validity;
pub(crate) mod wide;

pub use operand::Operand;
pub(crate) use operand::{BitLane, OperandGuard};
