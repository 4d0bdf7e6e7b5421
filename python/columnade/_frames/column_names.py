"""Names of the levels of labels of columns in what methods make of a frame: of columns again, or of a value for each column."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index, Series
from .._common import _depth, is_unnamed, with_names_of
from .._install import complete


# Methods whose results have a column, or a row, for each column of the frame.
_OF_COLUMNS = (
    "agg", "aggregate", "all", "any", "apply", "asof", "clip", "compare", "corr", "corrwith", "count", "cov", "describe", "idxmax",
    "idxmin", "isin", "isna", "isnull", "kurt", "kurtosis", "map", "max", "mean", "median", "min", "mode",
    "n_unique", "notna", "notnull", "null_count", "nunique", "pivot_table", "prod", "product", "quantile", "rank", "replace", "round", "sem", "skew", "std", "sum",
    "transform", "var",
)
# Those whose rows are columns too.
_OF_PAIRS = ("corr", "cov")


def _with_names(self, made, method, args, kwargs):
    """A result with the names of the levels of the labels of columns."""
    names = self._level_names
    if not isinstance(made, (DataFrame, Series)) or is_unnamed(names, _depth(self)):
        return made
    columns = self.columns
    if isinstance(made, DataFrame):
        made = with_names_of(made, self)
    of_rows = isinstance(made, Series) and _axis_of(method, args, kwargs) not in (1, "columns") or method.__name__ in _OF_PAIRS
    if of_rows and is_unnamed(made.index.names, _depth(self)) and set(made.index.to_list()) <= set(columns):
        made = made.with_index(_renamed(made.index, names))
    return made


def _axis_of(method, args, kwargs):
    """The argument `axis` of a call."""
    import inspect

    given = inspect.signature(method).bind(*args, **kwargs).arguments
    return given.get("axis", given.get("kwargs", {}).get("axis", 0))


def _renamed(index: Index, names):
    return index.rename(names[0] if builtins.len(names) == 1 else builtins.list(names))


complete(DataFrame, _OF_COLUMNS, _with_names)
