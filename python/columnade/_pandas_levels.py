"""Arithmetic of frames with series, alignment of both, and labels of one level of the rows.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import inspect

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._pandas import _add, _error
from ._pandas_arguments import _axis, _choice, _level, _place, _plain

_ARITHMETIC = ("add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "subtract", "multiply", "divide")
_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_REFLECTED = {
    "radd": "add", "rsub": "sub", "rmul": "mul", "rtruediv": "truediv", "rdiv": "truediv", "rfloordiv": "floordiv", "rmod": "mod",
    "rpow": "pow",
}
_WRAPPED = (*_ARITHMETIC, *_COMPARISONS, *_REFLECTED, "align", "reindex")
_BEFORE = {(kind, name): getattr(kind, name) for kind in (DataFrame, Series) for name in _WRAPPED}
_INDEX = {"reindex": Index.reindex}


# Levels ------------------------------------------------------------------------------------------------------------------


def _runs_of(index, places):
    """The number of each row's run of rows with equal labels in some levels."""
    rows = builtins.len(index)
    if not places or not rows:
        return Series([0] * rows, dtype="int64")
    changed = None
    for place in places:
        values = _level(index, place)
        other = ~values.eq_missing(values.shift(1)).fill_null(False)
        changed = other if changed is None else changed | other
    return changed.cast("int64").cum_sum()


def _of_level(self, target, level, operation):
    """The rows whose label of a level is one of some, in the order of these within equal labels of the levels before."""
    place = _place(self.index, level, operation)
    labels = target if isinstance(target, Index) else Index(builtins.list(target))
    if labels.nlevels > 1:
        raise _error("TypeError", operation, "labels of several levels on both sides have no order by one level")
    if not labels.is_unique:
        raise _error("ValueError", operation, f"labels of level {level!r} are given more than once")
    values = _level(self.index, place)
    found = _plain(labels.get_indexer(Index(values))).rename("place").fill_null(-1).to_device("host")
    order = DataFrame({"run": _runs_of(self.index, range(place)).to_device("host"), "place": found, "row": Index.range(0, builtins.len(self))})
    kept = order[order["place"] >= 0].sort_values(["run", "place", "row"])
    return self.take(_plain(kept["row"]).to_device(self.device))


def _spread(self, target, level, operation, options):
    """The row of one label of a level for each row of labels of several levels."""
    values = Index(_level(target, _place(target, level, operation)))
    return _BEFORE[type(self), "reindex"](self, index=values, **options).with_index(target)


def _by_level(self, target, level, operation, options):
    if isinstance(level, (builtins.list, tuple)):
        raise _error("NotImplementedError", operation, "several levels are not implemented: give one")
    if self.index.nlevels == 1 and isinstance(target, Index) and target.nlevels > 1:
        return _spread(self, target, level, operation, options)
    if self.index.nlevels == 1:
        _place(self.index, level, operation)
        return _BEFORE[type(self), "reindex"](self, index=target, **options)
    return _of_level(self, target, level, operation)


def _matched(self, other, level, operation):
    """Two operands in the rows of the one with labels of several levels."""
    if self.index.nlevels > 1 and other.index.nlevels > 1:
        raise _error("TypeError", operation, "level goes with labels of several levels on one side")
    if self.index.nlevels > 1:
        return self, _spread(other, self.index, level, operation, {})
    if other.index.nlevels > 1:
        return _spread(self, other.index, level, operation, {}), other
    _place(self.index, level, operation)
    return self, other


# Frames with series ------------------------------------------------------------------------------------------------------


def _joined_columns(frame, series, join):
    """The labels of columns of a frame and of rows of a series, as `align` of columns has them."""
    mine, theirs = builtins.list(frame.columns), series.index
    if theirs.nlevels > 1:
        raise _error("TypeError", "align", "the row labels of the series have several levels, and go by those of columns with axis=1")
    labels = theirs.to_list()
    if mine == labels or join == "left":
        return mine
    if join == "right":
        return labels
    if join == "inner":
        return [label for label in mine if label in labels]
    made = [*mine, *(label for label in labels if label not in mine)]
    try:
        return sorted(made)
    except TypeError:
        return made


def _null_column(frame, dtype):
    return Series([None] * builtins.len(frame), dtype=dtype).to_device(frame.device)


def _aligned(frame, series, join, axis, fill_value, operation, new_only=False):
    """A frame and a series with the same labels of rows, or those of the columns as labels of the series. All nulls are filled, or with
    `new_only` those of labels that were not there.
    """
    _choice(join, ("outer", "inner", "left", "right"), "join", operation)
    if axis == 1:
        if not series.index.is_unique:
            raise _error("ValueError", operation, "the row labels of the series are not unique, and go by those of columns")
        labels = _joined_columns(frame, series, join)
        # Columns that are not there have the dtype of the series.
        missing = {label: _null_column(frame, series.dtype) for label in labels if label not in frame}
        made = {label: missing[label] if label in missing else _plain(frame.column(label)) for label in labels}
        columns = DataFrame(made).with_index(frame.index) if made else frame[[]]
        rows = Index(labels) if labels else series.index.take([])
        other = _BEFORE[Series, "reindex"](series, rows)
        if fill_value is not None:
            columns, other = columns.fill_null(fill_value) if made else columns, other.fill_null(fill_value)
        return columns, other
    value = fill_value if new_only else None
    rows, table = _BEFORE[DataFrame, "align"](frame, series.to_frame("values"), join, 0, value)
    other = table["values"].rename(series.name)
    if fill_value is not None and not new_only:
        rows, other = rows.fill_null(fill_value) if rows.columns else rows, other.fill_null(fill_value)
    return rows, other


def _as_frame(series, frame, axis):
    """A series as a frame of the columns of another one: in each column, or of a value for each."""
    if axis == 0:
        values = _plain(series)
        return DataFrame({label: values for label in frame.columns}).with_index(frame.index) if frame.columns else frame
    if not frame.columns:
        return frame
    values = series.to_list()
    made = frame.select(*[native.lit(value, series.dtype).alias(label) for label, value in zip(frame.columns, values)])
    return made.with_index(frame.index)


def _frames(self, other, axis, level, fill_value, operation):
    """A frame and another operand as two frames of the same labels."""
    axis = 1 if axis is None else _axis(axis, operation)
    if isinstance(other, DataFrame):
        return _matched(self, other, level, operation) if level is not None else (self, other)
    if level is not None:
        if axis == 1:
            raise _error("NotImplementedError", operation, "level of a series with axis=1 is not implemented: labels of columns have no levels here")
        left, right = _matched(self, other, level, operation)
    else:
        left, right = _aligned(self, other, "outer", axis, None, operation)
    return left, _as_frame(right, left, axis)


def _frame_operator(name):
    before, ours = _BEFORE[DataFrame, name], _REFLECTED.get(name, name)
    is_reflected, has_fill = name in _REFLECTED, name not in _COMPARISONS

    def compute(self, other, axis, fill_value, level):
        is_plain = not isinstance(other, Series) or level is None and fill_value is None and not is_reflected
        if is_plain and (level is None or not isinstance(other, DataFrame)):
            if fill_value is not None and not isinstance(other, DataFrame):
                return compute(self.fill_null(fill_value), other, axis, None, None)
            if is_reflected:
                return before(self, other) if fill_value is None else _BEFORE[DataFrame, ours](other, self, fill_value=fill_value)
            return before(self, other, axis, fill_value) if has_fill else before(self, other, axis)
        left, right = _frames(self, other, axis, level, fill_value, name)
        if is_reflected:
            left, right = right, left
        operate = _BEFORE[DataFrame, ours]
        return operate(left, right, fill_value=fill_value) if has_fill else operate(left, right)

    def arithmetic(self, other, axis=None, fill_value=None, level=None):
        return compute(self, other, axis, fill_value, level)

    def comparison(self, other, axis=None, level=None):
        return compute(self, other, axis, None, level)

    method = arithmetic if has_fill else comparison
    method.__name__, method.__qualname__, method.__doc__ = name, f"DataFrame.{name}", before.__doc__
    return method


def _series_operator(name):
    before = _BEFORE[Series, name]

    def method(self, other, fill_value=None, level=None, axis=0):
        if _axis(axis, name) == 1:
            raise _error("ValueError", name, "a series has rows alone")
        if level is not None:
            if not isinstance(other, Series):
                raise _error("TypeError", name, "level goes with another series")
            left, right = _matched(self, other, level, name)
            return before(left, right) if fill_value is None else before(left, right, fill_value)
        if fill_value is not None and not isinstance(other, (Series, DataFrame)):
            return before(self.fill_null(fill_value), other)
        return before(self, other) if fill_value is None else before(self, other, fill_value)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Series.{name}", before.__doc__
    return method


for _name in (*_ARITHMETIC, *_COMPARISONS, *_REFLECTED):
    setattr(DataFrame, _name, _frame_operator(_name))
    setattr(Series, _name, _series_operator(_name))
del _name


class _OfFrames:
    """Methods of frames."""

    def align(self, other, join="outer", axis=None, fill_value=None, level=None):
        """Both with the same labels; values of labels that one does not have are null or `fill_value`. A series goes by the labels of rows
        with axis=0, of columns with axis=1. With `level` the rows of one side go by a level of those of the other.
        """
        operation = "align"
        if level is not None:
            if axis is not None and _axis(axis, operation) == 1:
                raise _error("NotImplementedError", operation, "level with axis=1 is not implemented")
            left, right = _matched(self, other, level, operation)
            both = (left, right)
            return both if fill_value is None else tuple(side.fill_null(fill_value) for side in both)
        if not isinstance(other, Series):
            return _BEFORE[DataFrame, operation](self, other, join, axis, fill_value)
        if axis is None:
            raise _error("ValueError", operation, "give axis=0 or axis=1 with a series")
        return _aligned(self, other, join, _axis(axis, operation), fill_value, operation)


class _OfSeries:
    """Methods of series."""

    def align(self, other, join="outer", axis=None, fill_value=None, level=None):
        """Both with the same labels; values of labels that one does not have are null or `fill_value`. With `level` the rows of one side go
        by a level of those of the other.
        """
        if isinstance(other, DataFrame):
            if level is not None or axis is None or _axis(axis, "align") == 1:
                raise _error("NotImplementedError", "align", "a series goes by the rows of a frame with axis=0")
            join = {"left": "right", "right": "left"}.get(join, join)
            return tuple(reversed(_aligned(other, self, join, 0, fill_value, "align", True)))
        if level is None:
            return _BEFORE[Series, "align"](self, other, join, axis, fill_value)
        both = _matched(self, other, level, "align")
        return both if fill_value is None else tuple(side.fill_null(fill_value) for side in both)


def _reindex(kind):
    compute = _BEFORE[kind, "reindex"]
    signature = inspect.signature(compute)

    def reindex(self, *args, **kwargs):
        given = signature.bind(self, *args, **kwargs).arguments
        level = given.pop("level", None)
        if level is None:
            return compute(self, *args, **kwargs)
        target = given.get("index") if given.get("index") is not None else given.get("labels")
        if target is None or given.get("columns") is not None or given.get("axis") is not None and _axis(given["axis"], "reindex") == 1:
            raise _error("NotImplementedError", "reindex", "level goes with labels of rows")
        options = {name: value for name, value in given.items() if name not in ("self", "index", "labels", "axis", "copy")}
        return _by_level(self, target, level, "reindex", options)

    reindex.__signature__, reindex.__doc__, reindex.__qualname__ = signature, compute.__doc__, f"{kind.__name__}.reindex"
    return reindex


class _OfIndexes:
    """Methods of row labels."""

    def reindex(self, target, method=None, level=None, limit=None, tolerance=None):
        """Other labels, and their positions here, or None where they are the same. With `level` the labels whose label of a level is one
        of some.
        """
        if level is None or self.nlevels == 1:
            return _INDEX["reindex"](self, target, method, level, limit, tolerance)
        own = Series(Index.range(0, builtins.len(self)).to_series().reset_index(drop=True)).with_index(self)
        made = _of_level(own, target, level, "reindex")
        return made.index, _plain(made).rename(None)


_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
_add(_OfIndexes, Index)
for _of in (DataFrame, Series):
    setattr(_of, "reindex", _reindex(_of))
del _of
