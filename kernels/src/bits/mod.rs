//! Bits and null masks, least significant bit first as in Arrow.

pub mod combine;
pub mod count;
mod slice;

pub use slice::BitSlice;
