"""The modules whose methods are installed on compiled classes."""

from __future__ import annotations

from . import _columnade as native, _counts, _facts, _pandas_printing
from ._accessors import strings, times
from ._files import delimited, exports, formats, scans, writers
from ._frames import (
    agg, aggregates, apply, arithmetic, asof, assign, basics, bounds, choose, column_names, compare, concat, conditions, construct, drop,
    dtypes, dummies, join, join_keys, labels, locate, locate_columns, merge, nulls, operators, reindex, replace, reshape, rows, series,
    set_columns, shapes, shift, sort, statistics, tables,
)
from ._functions import frames, values
from ._groups import agg as groups_agg, aggregates as groups_aggregates, core, keys, methods
from ._indexes import arrays, basics as indexes_basics, kinds, levels, methods as indexes_methods, search
from ._install import publish
from ._numpy import functions, keywords
from ._polars import (
    arguments, choose as polars_choose, columns, dtypes as polars_dtypes, dynamic, expressions, frames as polars_frames, functions as polars_functions, rows as polars_rows,
    lists, series as polars_series, tables as polars_tables, times as polars_times, values as polars_values,
)
from ._times import labels as times_labels, offsets, ranges
from ._windows import bins, group_weights, make, rolling

# The classes with public methods, by what operations have before their names. Some are made when modules are imported.
_CLASSES = {
    "": (
        "DataFrame", "Series", "Expr", "Index", "GroupBy", "SeriesGroupBy", "Resampler", "Rolling", "ExponentialMovingWindow", "When", "Then",
        "Scan", "CsvWriter", "IpcWriter", "JsonWriter", "ParquetWriter",
    ),
    "str.": ("StringNamespace", "SeriesStringNamespace"), "dt.": ("DatetimeNamespace", "SeriesDatetimeNamespace"),
    "list.": ("ListNamespace", "SeriesListNamespace"), "cat.": ("CategoryNamespace", "SeriesCategoryNamespace"),
    "struct.": ("StructNamespace", "SeriesStructNamespace"),
}
publish({getattr(native, name): prefix for prefix, names in _CLASSES.items() for name in names})
