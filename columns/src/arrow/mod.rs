//! Arrow arrays of the host in and out, without a copy where memory allows.

mod batch;
mod export;
mod import;
#[cfg(test)]
mod round_trips;
mod schema;
#[cfg(test)]
mod tests;

pub use schema::{data_type, dtype, field_dtype};
