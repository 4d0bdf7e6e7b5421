//! Bits and null masks, least significant bit first as in Arrow.

mod slice;

pub use slice::BitSlice;
