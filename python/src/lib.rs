//! The Python package `columnade`: classes over the public API.
//!
//! A method converts its arguments, does its work without Python's lock (`work`), and converts the result.
//! What needs no Rust (numpy, pandas, pickling) is in `python/columnade`. Pointers exist only in `arrow`, `dlpack` and
//! `cuda_array`, which read what other libraries put in capsules, and in `interrupt`, which handles a signal.

#![allow(
    clippy::unused_self,
    clippy::unnecessary_wraps,
    reason = "methods of Python have an instance and may fail"
)]
#![allow(
    clippy::fn_params_excessive_bools,
    clippy::too_many_arguments,
    reason = "keyword arguments of Python"
)]
#![allow(clippy::doc_markdown, reason = "documentation is read in Python")]

mod aggregates;
mod align;
mod arrow;
mod both;
mod columnwise;
mod concat;
mod construct;
mod csv;
mod cuda_array;
mod display;
mod dlpack;
mod dtype;
mod expr;
mod files;
mod filled;
mod frame;
mod group_summaries;
mod groupby;
mod index;
mod index_sets;
mod index_times;
mod index_values;
mod interrupt;
mod join;
mod label;
mod locate;
mod memory;
mod namespaces;
mod operators;
mod pairs;
mod pickle;
mod progress;
mod requested;
mod resample;
mod reshape;
mod rolling;
mod scan;
mod series;
mod strings;
mod summaries;
mod times;
mod values;
mod windows;
mod work;
mod writers;

use pyo3::prelude::*;

/// The compiled part of the package `columnade`.
#[pymodule]
mod _columnade {
    #[pymodule_export]
    use crate::arrow::is_struct;
    #[pymodule_export]
    use crate::columnwise::date_range;
    #[pymodule_export]
    use crate::concat::{concat, union_categoricals};
    #[pymodule_export]
    use crate::csv::{read_csv, scan_csv};
    #[pymodule_export]
    use crate::cuda_array::as_column;
    #[pymodule_export]
    use crate::display::{default_options, options as display_options, set_options as set_display_options};
    #[pymodule_export]
    use crate::dlpack::from_dlpack;
    #[pymodule_export]
    use crate::dtype::DType;
    #[pymodule_export]
    use crate::expr::{
        Expr, Then, When, coalesce, col, concat_list, date, lit, max_horizontal, min_horizontal, row_count,
        row_number, struct_of, when,
    };
    #[pymodule_export]
    use crate::files::{
        read_ipc, read_json, read_parquet, read_parquet_metadata, scan_ipc, scan_json, scan_parquet,
    };
    #[pymodule_export]
    use crate::frame::DataFrame;
    #[pymodule_export]
    use crate::groupby::{GroupBy, SeriesGroupBy};
    #[pymodule_export]
    use crate::index::Index;
    #[pymodule_export]
    use crate::join::merge_sorted;
    #[pymodule_export]
    use crate::locate::{At, Iat, Iloc, Loc, SeriesAt, SeriesIat, SeriesIloc, SeriesLoc};
    #[pymodule_export]
    use crate::memory::{MemoryReport, options, report, set_options};
    #[pymodule_export]
    use crate::pickle::{expr_from_bytes, from_bytes, to_bytes};
    #[pymodule_export]
    use crate::resample::{Grouper, Resampler};
    #[pymodule_export]
    use crate::reshape::crosstab;
    #[pymodule_export]
    use crate::rolling::{ExponentialMovingWindow, Rolling};
    #[pymodule_export]
    use crate::scan::Scan;
    #[pymodule_export]
    use crate::series::Series;
    #[pymodule_export]
    use crate::strings::hash_rows;
    #[pymodule_export]
    use crate::work::{available_devices, default_device, set_default_device};
    #[pymodule_export]
    use crate::writers::{CsvWriter, IpcWriter, JsonWriter, ParquetWriter};

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // This library has a panic hook of its own.
        columnade::files::silence_decoder_panics();
        crate::namespaces::classes(module)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
