//! Host implementations of `parse` and `format`.

mod format;
mod number;
mod parse;
mod time;

pub(crate) use format::PAIRS;
pub(super) use format::{format, format_zoned};
pub(super) use parse::parse;
