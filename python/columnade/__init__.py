"""Dataframes for NVIDIA GPUs and the CPU.

    import columnade as cn

    orders = cn.DataFrame({"city": ["Turin", "Oslo", "Turin"], "units": [3, 1, 4]})
    orders.group_by("city").agg(cn.col("units").sum())

Frames and series exchange memory with pandas, Polars, pyarrow, DuckDB, numpy, torch, jax and others without a copy:
see docs/python.md.
"""

from __future__ import annotations

from . import memory
from ._columnade import (
    DataFrame, DType, ExponentialMovingWindow, Expr, GroupBy, Grouper, Index, Resampler, Rolling, Scan, Series, When, __version__, as_column, available_devices, coalesce, col, concat,
    concat_list, crosstab, date, default_device, from_dlpack, len, lit, max_horizontal, min_horizontal, read_csv, read_ipc,
    read_json, read_parquet, row_number, scan_csv, scan_ipc, scan_json, scan_parquet, set_default_device, struct_of, when,
)
from ._convert import from_arrow, from_pandas
from ._errors import (
    ColumnadeError, ColumnFileNotFoundError, ColumnIndexError, ColumnKeyError, ColumnMemoryError,
    ColumnNotImplementedError, ColumnOSError, ColumnOverflowError, ColumnTypeError, ColumnValueError, DeviceError,
    InternalError, MissingInterfaceError, TensorError, UnsupportedDeviceError,
)
from ._values import Interval

__all__ = [
    "ColumnFileNotFoundError", "ColumnIndexError", "ColumnKeyError", "ColumnMemoryError", "ColumnNotImplementedError",
    "ColumnOSError", "ColumnOverflowError", "ColumnTypeError", "ColumnValueError", "ColumnadeError", "DType",
    "DataFrame", "DeviceError", "ExponentialMovingWindow", "Expr", "GroupBy", "Grouper", "Index", "InternalError", "Interval", "MissingInterfaceError",
    "Resampler", "Rolling", "Scan", "Series", "TensorError",
    "UnsupportedDeviceError", "When", "__version__", "as_column", "available_devices", "coalesce", "col", "concat", "concat_list", "crosstab",
    "date", "default_device", "from_arrow", "from_dlpack", "from_pandas", "len", "lit", "max_horizontal", "memory", "min_horizontal",
    "read_csv", "read_ipc", "read_json", "read_parquet", "row_number", "scan_csv",
    "scan_ipc", "scan_json", "scan_parquet", "set_default_device", "struct_of", "when",
]
