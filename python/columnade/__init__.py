"""Dataframes for NVIDIA GPUs and the CPU.

    import columnade as cn

    orders = cn.DataFrame({"city": ["Turin", "Oslo", "Turin"], "units": [3, 1, 4]})
    orders.group_by("city").agg(cn.col("units").sum())

Frames and series exchange memory with pandas, Polars, pyarrow, DuckDB, numpy, torch, jax and others without a copy:
see docs/python.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _install, _methods, memory, selectors, testing
from ._columnade import (
    CsvWriter, DType, DataFrame, ExponentialMovingWindow, Expr, Grouper, Index, IpcWriter, JsonWriter, ParquetWriter, Rolling, Scan,
    Series, Then, When, available_devices, date, default_device, from_dlpack, hash_rows, len, lit, row_number, set_default_device,
    union_categoricals, __version__,
)
from ._convert import from_arrow, from_pandas
from ._groups.core import GroupBy, Resampler
from ._functions.frames import (
    factorize, from_dummies, infer_freq, isnull, json_normalize, melt, merge_asof, merge_ordered, notnull, pivot, pivot_table,
    wide_to_long,
)
from ._frames.basics import cut, get_dummies, isna, merge, notna, qcut, unique
from ._errors import (
    ColumnadeError, ColumnFileExistsError, ColumnFileNotFoundError, ColumnIndexError, ColumnKeyError, ColumnMemoryError,
    ColumnNotImplementedError, ColumnOSError, ColumnOverflowError, ColumnPermissionError, ColumnTypeError, ColumnValueError, DeviceError,
    InternalError, MissingInterfaceError, TensorError, UnsupportedDeviceError,
)
from ._options import get_option, option_context, reset_option, set_option
from ._values import Interval
from ._functions.values import Categorical, IndexSlice, NA, NamedAgg, NaT, to_datetime, to_numeric, to_timedelta
from ._indexes.kinds import CategoricalIndex, DatetimeIndex, IntervalIndex, MultiIndex, RangeIndex, TimedeltaIndex
from ._files.delimited import read_csv, read_table
from ._files.scans import read_ipc, read_ndjson, scan_csv, scan_ipc, scan_json, scan_parquet
from ._files.formats import (
    read_feather, read_json, read_parquet, read_parquet_metadata, read_pickle, read_sql, read_sql_query, read_sql_table, to_pickle,
)
from ._facts import as_column
from ._times.ranges import date_range, interval_range, timedelta_range
from ._frames.concat import concat, merge_sorted
from ._times.offsets import Timedelta, Timestamp
from ._frames.tables import crosstab
from ._polars.columns import COL as col, Columns, all, exclude
from ._polars.lists import element
from ._polars.functions import (
    all_horizontal, any, any_horizontal, arctan2, arg_sort_by, arg_where, coalesce, concat_list, concat_str, corr, count, cov, cum_sum,
    datetime, datetime_range, duration, first, format, from_dict, from_dicts, from_epoch, from_numpy, from_records, int_range, last, max,
    max_horizontal, mean, mean_horizontal, median, min, min_horizontal, n_unique, ones, quantile, repeat, scan_ndjson, select, std, struct,
    struct_of, sum, sum_horizontal, time, var, when, zeros,
)

__all__ = [
    "Categorical", "CategoricalIndex", "ColumnFileExistsError", "ColumnFileNotFoundError", "ColumnIndexError", "ColumnKeyError", "ColumnMemoryError",
    "ColumnNotImplementedError", "ColumnOSError", "ColumnOverflowError", "ColumnPermissionError", "ColumnTypeError", "ColumnValueError",
    "ColumnadeError", "Columns", "CsvWriter", "DType", "DataFrame", "DatetimeIndex", "DeviceError",
    "ExponentialMovingWindow", "Expr", "GroupBy", "Grouper", "Index", "IndexSlice", "InternalError", "Interval",
    "IntervalIndex", "IpcWriter", "JsonWriter", "MissingInterfaceError", "MultiIndex", "NA", "NaT", "NamedAgg",
    "ParquetWriter", "RangeIndex", "Resampler", "Rolling", "Scan", "Series", "TensorError", "Then", "Timedelta", "TimedeltaIndex",
    "Timestamp", "UnsupportedDeviceError", "When", "__version__", "all_horizontal", "any_horizontal", "arctan2",
    "arg_sort_by", "arg_where", "as_column", "available_devices", "coalesce", "col", "concat", "concat_list", "concat_str",
    "corr", "count", "cov", "crosstab", "cum_sum", "cut", "date", "date_range", "datetime_range", "default_device",
    "duration", "element", "exclude", "factorize", "first", "from_arrow", "from_dict", "from_dicts", "from_dlpack",
    "from_dummies", "from_epoch", "from_numpy", "from_pandas", "from_records", "get_dummies", "get_option", "hash_rows",
    "infer_freq", "int_range", "interval_range", "isna", "isnull", "json_normalize", "last", "len", "lit", "max_horizontal",
    "mean", "mean_horizontal", "median", "melt", "memory", "merge", "merge_asof", "merge_ordered", "merge_sorted",
    "min_horizontal", "n_unique", "notna", "notnull", "ones", "option_context", "pivot", "pivot_table", "qcut", "quantile",
    "read_csv", "read_feather", "read_ipc", "read_json", "read_ndjson", "read_parquet", "read_parquet_metadata", "read_pickle", "read_sql",
    "read_sql_query", "read_sql_table", "read_table", "repeat", "reset_option", "row_number", "scan_csv", "scan_ipc",
    "scan_json", "scan_ndjson", "scan_parquet", "selectors", "set_default_device", "set_option", "std", "struct_of",
    "sum_horizontal", "testing", "timedelta_range", "to_datetime", "to_numeric", "to_pickle", "to_timedelta",
    "union_categoricals", "unique", "var", "when", "wide_to_long", "zeros",
]
if TYPE_CHECKING:
    # Type checkers know what is public by it. `from columnade import *` leaves functions and modules of Python under their names.
    __all__ += ["all", "any", "datetime", "format", "max", "min", "select", "struct", "sum", "time"]

_install.publish_functions(globals())
