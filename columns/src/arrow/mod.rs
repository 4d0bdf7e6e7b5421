//! Arrow arrays of the host in and out, without a copy where memory allows.

mod batch;
#[expect(unsafe_code, reason = "structs of C are pointers; each block argues for itself")]
pub mod c;
mod calendar;
mod export;
pub(crate) mod half;
mod import;
#[expect(unsafe_code, reason = "a part of memory does not say what it is a part of")]
mod preceding;
mod schema;
mod spread;
#[cfg(test)]
mod test_round_trips;
#[cfg(test)]
mod tests;

pub use schema::{data_type, dtype, field_dtype};
