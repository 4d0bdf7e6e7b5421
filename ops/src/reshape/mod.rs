//! Other shapes of the same values: rows repeated, columns that become rows, rows that become columns.

mod melt;
mod pivot;
mod repeat;
mod rows;
mod stack;
#[cfg(test)]
mod tests;

pub use melt::{Melted, label_columns, melt};
pub use pivot::{Pivoted, pivot};
pub use repeat::{RepeatCounts, repeat_rows, tile_rows};
pub use rows::{interleave, interleave_columns, repeat, tile, transpose};
pub use stack::{Stacked, stack};
