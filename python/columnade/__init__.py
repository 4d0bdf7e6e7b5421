"""Dataframes for NVIDIA GPUs and the CPU.

    import columnade as cn

    orders = cn.DataFrame({"city": ["Turin", "Oslo", "Turin"], "units": [3, 1, 4]})
    orders.group_by("city").agg(cn.col("units").sum())

Frames and series exchange memory with pandas, Polars, pyarrow, DuckDB, numpy, torch, jax and others without a copy:
see docs/python.md.
"""

from __future__ import annotations

# Before what takes its classes from the compiled module.
from . import _groups
from . import _construct, memory, testing
from ._columnade import (
    DType, DataFrame, ExponentialMovingWindow, Expr, GroupBy, Grouper, Index, Resampler, Rolling, Scan, Series,
    When, available_devices, coalesce, col, concat_list, date, default_device, from_dlpack, hash_rows, len, lit,
    max_horizontal, merge_sorted, min_horizontal, row_number, set_default_device, struct_of, union_categoricals, when,
    __version__,
)
from ._convert import from_arrow, from_pandas
from ._functions import (
    factorize, from_dummies, infer_freq, isnull, json_normalize, melt, merge_asof, merge_ordered, notnull, pivot, pivot_table,
    wide_to_long,
)
from ._pandas import cut, get_dummies, isna, merge, notna, qcut, unique
from ._errors import (
    ColumnadeError, ColumnFileNotFoundError, ColumnIndexError, ColumnKeyError, ColumnMemoryError,
    ColumnNotImplementedError, ColumnOSError, ColumnOverflowError, ColumnTypeError, ColumnValueError, DeviceError,
    InternalError, MissingInterfaceError, TensorError, UnsupportedDeviceError,
)
from ._options import get_option, option_context, reset_option, set_option
from ._values import Interval
from ._pandas_functions import Categorical, IndexSlice, NA, NamedAgg, NaT, to_datetime, to_numeric, to_timedelta
from ._index_kinds import CategoricalIndex, DatetimeIndex, IntervalIndex, MultiIndex, RangeIndex, TimedeltaIndex
from ._pandas_files import read_csv, read_table
from ._scans import read_ipc, scan_csv, scan_ipc, scan_json, scan_parquet
from ._pandas_writers import (
    read_feather, read_json, read_parquet, read_pickle, read_sql, read_sql_query, read_sql_table, to_pickle,
)
# After `_pandas`, whose names of methods they use; each wraps methods of those before.
from . import _pandas_frames, _pandas_keys, _pandas_groups, _pandas_aggregates, _pandas_group_arguments, _pandas_labels, _pandas_text
from . import _pandas_exports, _pandas_printing, _pandas_strings, _pandas_windows
from . import _numpy as _numpy_methods
from . import _pandas_arguments, _pandas_rows, _pandas_series, _pandas_label_arguments, _pandas_moving, _pandas_group_windows, _pandas_bins
from . import _pandas_selection, _pandas_locate
from . import _pandas_assign, _pandas_shapes
from . import _pandas_joins, _pandas_summaries, _pandas_apply, _pandas_offsets
from . import _pandas_columns, _pandas_set_columns, _pandas_time_labels, _pandas_levels, _pandas_index_levels
from . import _pandas_by_column, _pandas_reshape
from . import _index_arrays, _operators, _series_names
from ._facts import as_column
from ._pandas_ranges import date_range, interval_range, timedelta_range
from ._pandas_series import concat
from ._pandas_offsets import Timedelta, Timestamp
from ._pandas_tables import crosstab
from . import _polars, _polars_frames, _missing
# After all others: it wraps what they add.
from . import _pandas_counts
# Those that have names of built-in functions or of modules are not in `__all__`.
from ._polars_functions import (
    all_horizontal, any_horizontal, arctan2, concat_str, corr, count, cov, cum_sum, datetime, datetime_range, duration, first, format,
    from_dict, from_dicts, from_numpy, from_records, int_range, last, max, mean, mean_horizontal, median, min, n_unique, ones, quantile,
    read_ndjson, repeat, scan_ndjson, select, std, struct, sum, sum_horizontal, time, var, zeros,
)

__all__ = [
    "Categorical", "CategoricalIndex", "ColumnFileNotFoundError", "ColumnIndexError", "ColumnKeyError",
    "ColumnMemoryError", "ColumnNotImplementedError", "ColumnOSError", "ColumnOverflowError",
    "ColumnTypeError", "ColumnValueError", "ColumnadeError", "DType", "DataFrame", "DatetimeIndex",
    "DeviceError", "ExponentialMovingWindow", "Expr", "GroupBy", "Grouper", "Index", "IndexSlice",
    "InternalError", "Interval", "IntervalIndex", "MissingInterfaceError", "MultiIndex", "NA", "NaT",
    "NamedAgg", "RangeIndex", "Resampler", "Rolling", "Scan", "Series", "TensorError", "Timedelta", "TimedeltaIndex", "Timestamp",
    "UnsupportedDeviceError", "When", "__version__", "as_column", "available_devices", "coalesce", "col",
    "concat", "concat_list", "crosstab", "cut", "date", "date_range", "default_device", "factorize",
    "from_arrow", "from_dlpack", "from_dummies", "from_pandas", "get_dummies", "get_option", "hash_rows",
    "infer_freq", "interval_range", "isna", "isnull", "json_normalize", "len", "lit", "max_horizontal",
    "melt", "memory", "merge", "merge_asof", "merge_ordered", "merge_sorted", "min_horizontal", "notna",
    "notnull", "option_context", "pivot", "pivot_table", "qcut", "read_csv", "read_feather", "read_ipc",
    "read_json", "read_parquet", "read_pickle", "read_sql", "read_sql_query", "read_sql_table", "read_table",
    "reset_option", "row_number", "scan_csv", "scan_ipc", "scan_json", "scan_parquet", "set_default_device",
    "set_option", "struct_of", "testing", "timedelta_range", "to_datetime", "to_numeric", "to_pickle",
    "to_timedelta", "union_categoricals", "unique", "when", "wide_to_long",
]
