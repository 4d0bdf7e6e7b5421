//! The test toolbox: seeded data, sizes worth testing, null patterns, reference implementations. Knows only slices, so that
//! every crate may test with it.

mod data;
mod near;

pub use data::{Nulls, Rng, SIZES, pack_bits, unpack_bits};
pub use near::assert_near;
