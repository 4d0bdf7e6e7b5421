//! Labels as values.
