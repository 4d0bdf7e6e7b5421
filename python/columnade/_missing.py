"""Nulls that are dropped and replaced with the arguments of Rust and Polars.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import decimal

from ._columnade import DataFrame, Expr, Index, Series, col
from ._errors import ColumnOverflowError, ColumnTypeError, ColumnValueError, make
from ._pandas import _add, _error, _is_number

_DROP, _FILL, _FILL_SERIES = DataFrame.drop_nulls, DataFrame.fill_null, Series.fill_null
# What a value that does not fit a column raises.
_UNFIT = (ColumnValueError, ColumnOverflowError, ColumnTypeError)


def _labels(frame, subset):
    """Labels of columns: one, a list of them, or expressions of nothing but a column."""
    if isinstance(subset, (Index, Series)):
        subset = subset.to_list()
    several = isinstance(subset, (builtins.list, set, frozenset)) or isinstance(subset, tuple) and subset not in frame
    made = []
    for one in builtins.list(subset) if several else [subset]:
        if isinstance(one, Expr) and builtins.str(one) != builtins.str(one.label):
            raise _error("TypeError", "drop_nulls", f"subset has labels of columns, not expressions such as {one}")
        made.append(one.label if isinstance(one, Expr) else one)
    return made


class _OfFrames:
    """Methods of frames."""

    def drop_nulls(self, subset=None, how="any", thresh=None):
        """The rows without nulls in some columns, or in all; with how="all" those that have a value, with `thresh` those that have so many.
        NaN is a value.
        """
        return _DROP(self, how, None if subset is None else _labels(self, subset), thresh)

    def fill_null(self, value, strict=False):
        """Nulls replaced by a value in columns that it fits; others stay as they are, or with `strict` are an error that names them. NaN is
        no null.
        """
        if not strict:
            return _FILL(self, value)
        unfit, reason = [], None
        for label in self.columns:
            try:
                _FILL_SERIES(self[label], value)
            except _UNFIT as error:
                unfit.append(label)
                reason = reason or error
        if not unfit:
            return _FILL(self, value)
        named = ", ".join(f"{label!r} ({self[label].dtype})" for label in unfit)
        text, first = f"fill_null: {value!r} does not fit the columns {named}", unfit[0]
        facts = {"column": builtins.str(first), "dtype": builtins.str(self[first].dtype)}
        raise make("ValueError", text, operation="fill_null", **facts) from reason


class _OfSeries:
    """Methods of series."""

    def fill_null(self, value):
        """Nulls replaced by a value. A number that the dtype does not have gives the values the dtype that has both."""
        try:
            return _FILL_SERIES(self, value)
        except _UNFIT:
            is_number = isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool)
            if not is_number or not _is_number(self.dtype) or self.dtype == "bool":
                raise
            frame = DataFrame({"values": self.reset_index(drop=True)})
            try:
                made = frame.select(col("values").fill_null(value).alias("values"))["values"]
            except _UNFIT:
                made = None
            if made is None:
                raise
        return made.rename(self.name).with_index(self.index)


_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
