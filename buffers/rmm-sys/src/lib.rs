//! Columnade: RMM memory resources behind a C interface, opened at run time.
