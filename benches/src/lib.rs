//! Columnade: benchmarks and their records.
//!
//! `cargo bench -p columnade-benches` times single operations, `tpch/peers.py` whole queries beside DuckDB and
//! Polars. `records/` holds what was measured, with device, date and commit.
