//! Columnade: benchmarks and their records.
