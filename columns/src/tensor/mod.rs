//! What DLPack and the CUDA Array Interface have in common: values of one type at regular distances in memory.
//!
//! Neither supports nulls, nor values of one bit: a boolean is a byte there.

mod fault;
mod grid;
mod plain;

pub use fault::TensorFault;
pub(crate) use fault::{Interface, unsupported_dtype};
pub(crate) use grid::{Grid, to_bits};
pub(crate) use plain::{Elements, Plain, require_no_nulls, stored_as};
