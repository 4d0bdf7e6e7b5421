//! Expressions over the columns of a frame: what a user writes, and how it becomes one program.
//!
//! [`Expr`] is untyped syntax. `resolve` gives it dtypes against a frame, `lower` turns the typed tree into a
//! [`Program`](columnade_kernels::expression::Program) over storage types, and the kernel runs it: in one pass over
//! morsels on the host, operation by operation on a device.

mod build;
mod decimal_text;
mod evaluate;
mod literal;
mod lower;
mod node;
mod schema;
#[cfg(test)]
mod tests;
mod typed;

pub use build::{When, col, count_rows, date, lit, lit_decimal, when};
pub use evaluate::{evaluate, evaluate_mask};
pub(crate) use evaluate::{evaluate_mask_rows, evaluate_rows};
pub use literal::Literal;
pub use node::{Aggregate, Arithmetic, Comparison, Expr, Match, Node, Part};
pub use schema::columns_of;

pub(crate) use lower::Lowered;
pub(crate) use typed::{Typed, adopt, aggregate_dtype, resolve, resolve_output};
