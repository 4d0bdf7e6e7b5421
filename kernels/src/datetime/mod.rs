//! Dates and times.

pub mod add_months;
pub mod extract;
pub mod local_time;
pub mod time_format;
pub mod utc_time;
pub mod zone;
