//! Dates and times.

pub mod extract;
