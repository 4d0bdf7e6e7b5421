//! Columnade: benchmarks and their records.
//!
//! `cargo bench -p columnade-benches --bench micro` times single operations, `--bench disk` spilling to a file against
//! `dd`, `--bench boundary` Arrow's C interfaces and DLPack beside arrow-rs, `tpch/peers.py` whole queries beside DuckDB and
//! Polars. `records/` holds what was measured, with device, date and commit.
