//! Dates and times.

pub mod extract;
pub mod local_time;
pub mod zone;
