"""Series that become columns, conditions and replacements by row label, as in pandas.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from ._columnade import DataFrame, Expr, Series
from ._construct import _aligned, _is_labelled, _repeated, _values
from ._errors import under
from ._pandas import _add, _error
from ._pandas_arguments import _UNSET, _axis, _plain

_FRAME = {name: getattr(DataFrame, name) for name in ("insert", "isin", "join", "mask", "with_columns", "where")}
_SERIES = {name: getattr(Series, name) for name in ("mask", "where")}


def _rows(value, frame, operation, label):
    """What a column is made of: a series or a dictionary goes by row label, other values by position."""
    if isinstance(value, dict) or _is_labelled(value):
        values = _values(value, operation)
        if not frame.columns and not builtins.len(frame):
            return values
        if values.index.equals(frame.index):
            return values
        return _aligned(values, frame.index, operation, label).to_device(frame.device)
    if getattr(value, "shape", None) == () and hasattr(value, "dtype"):
        # A value of numpy has a dtype of its own.
        return _repeated(value, builtins.len(frame), operation).to_device(frame.device).with_index(frame.index)
    return value


def _with(frame, columns, operation):
    """The frame with columns by label, which may be values, series or expressions."""
    made = {label: _rows(value, frame, operation, label) for label, value in columns.items()}
    labelled = [value for value in made.values() if isinstance(value, Series)]
    with under(operation):
        if labelled and not frame.columns and not builtins.len(frame):
            return DataFrame(made)
        return _FRAME["with_columns"](frame, **made)


def _condition(cond, like, operation):
    """A condition of a function, a list or an array as a series or a frame of the same labels."""
    cond = cond(like) if callable(cond) and not isinstance(cond, (Expr, Series, DataFrame)) else cond
    if isinstance(cond, (DataFrame, Series)):
        return cond
    if _is_labelled(cond):
        return _values(cond, operation)
    if not isinstance(cond, (builtins.list, tuple)) and not hasattr(cond, "shape"):
        kinds = "a frame or a series of booleans, an array, a list or a function"
        raise _error("TypeError", operation, f"cond is {kinds}, not {type(cond).__name__}")
    is_table = getattr(cond, "ndim", 0) == 2 or builtins.len(cond) and isinstance(cond[0], (builtins.list, tuple))
    if is_table and isinstance(like, DataFrame):
        with under(operation):
            return DataFrame(cond, columns=builtins.list(like.columns)).with_index(like.index)
    if builtins.len(cond) != builtins.len(like):
        raise _error("ValueError", operation, f"cond has {builtins.len(cond)} values for {builtins.len(like)} rows")
    return Series(cond).to_device(like.device).with_index(like.index)


def _replacement(other, like, axis, operation):
    """What stands where a condition does not hold: a value, or a series or a frame by label."""
    if callable(other) and not isinstance(other, (Expr, Series, DataFrame)):
        other = other(like)
    if hasattr(other, "shape") and other.shape == ():
        return other.item()
    if isinstance(other, (builtins.list, tuple)) or hasattr(other, "shape") and not isinstance(other, (Series, DataFrame)):
        if isinstance(like, DataFrame) and getattr(other, "ndim", 2) == 2:
            with under(operation):
                return DataFrame(other, columns=builtins.list(like.columns)).with_index(like.index)
        if builtins.len(other) != builtins.len(like):
            raise _error("ValueError", operation, f"other has {builtins.len(other)} values for {builtins.len(like)} rows")
        return Series(other).to_device(like.device).with_index(like.index)
    if not isinstance(other, Series) or not isinstance(like, DataFrame):
        return other
    if axis is None:
        raise _error("ValueError", operation, "other is a series: give axis=0 for row labels, or axis=1 for those of columns")
    if _axis(axis, operation) == 0:
        values = _plain(_aligned(other, like.index, operation))
        return DataFrame(dict.fromkeys(like.columns, values)).with_index(like.index)
    known = dict(zip(other.index.to_list(), other.to_list()))
    columns = {label: Series([known.get(label)]).to_device(like.device).repeat(builtins.len(like)) for label in like.columns}
    return DataFrame({label: _plain(values) for label, values in columns.items()}).with_index(like.index)


def _chosen(self, name, cond, other, inplace, axis, level):
    if inplace:
        raise _error("NotImplementedError", name, "inplace=True: a frame does not change")
    if level is not None:
        raise _error("NotImplementedError", name, "level is not implemented")
    before = (_FRAME if isinstance(self, DataFrame) else _SERIES)[name]
    return before(self, _condition(cond, self, name), _replacement(other, self, axis, name))


class _OfBoth:
    """Methods of frames and series."""

    def where(self, cond, other=None, inplace=False, axis=None, level=None):
        """The values where a condition holds, `other` elsewhere; both go by label. They may be functions, lists and arrays. A series as
        `other` of a frame goes by the labels of rows with axis=0, by those of columns with axis=1.
        """
        return _chosen(self, "where", cond, other, inplace, axis, level)

    def mask(self, cond, other=None, inplace=False, axis=None, level=None):
        """The values where a condition does not hold, `other` where it does; see `where`."""
        return _chosen(self, "mask", cond, other, inplace, axis, level)


class _OfFrames:
    """Methods of frames."""

    def assign(self, **columns):
        """The frame with further columns: values, expressions, functions of the frame with the columns before, and series and
        dictionaries, which go by row label: rows that they do not have are null.
        """
        made = self
        for label, value in columns.items():
            made = _with(made, {label: value(made) if callable(value) and not isinstance(value, Expr) else value}, "assign")
        return made

    def with_columns(self, *columns, **named):
        """The frame with further columns, or with columns replaced. A named argument may also be a list, or a series, which goes by row
        label.
        """
        if not any(isinstance(value, dict) or _is_labelled(value) for value in named.values()):
            return _FRAME["with_columns"](self, *columns, **named)
        values = {label: _rows(value, self, "with_columns", label) for label, value in named.items()}
        return _FRAME["with_columns"](self, *columns, **values)

    def insert(
        self, loc=_UNSET, column=_UNSET, value=_UNSET, allow_duplicates=False, position=_UNSET, label=_UNSET, values=_UNSET,
    ):
        """A new frame with one more column at a position: of values, of a series by row label, or of one value in each row."""
        name = label if column is _UNSET else column
        value, values = (_rows(given, self, "insert", name) for given in (value, values))
        return _FRAME["insert"](self, loc, column, value, allow_duplicates, position, label, values)

    def isin(self, values):
        """Whether each value is one of these, or of those for its column in a dictionary; of a series or a frame whether it is the one of
        the same row label, and of the same column. Null is if None is one.
        """
        if not isinstance(values, (Series, DataFrame)):
            return _FRAME["isin"](self, values)
        if not values.index.is_unique:
            raise _error("ValueError", "isin", "the row labels of values come more than once")
        made = {}
        for label in self.columns:
            own = self[label]
            theirs = values if isinstance(values, Series) else values[label] if label in values else None
            same = None
            if theirs is not None and (own.dtype == theirs.dtype or own.dtype.is_numeric and theirs.dtype.is_numeric):
                same = _plain(own == _aligned(theirs, self.index, "isin")).fill_null(False)
            made[label] = _plain(own.is_null() & False) if same is None else same
        return DataFrame(made).with_index(self.index) if made else self

    def join(self, other, on=None, how="left", suffixes=None, lsuffix="", rsuffix="", sort=False, validate=None):
        """The columns of another frame, of a series with a name, or of several, in rows of the same label; with `on` the columns that have
        its labels.
        """
        several = other if isinstance(other, builtins.list) else [other]
        if builtins.len(several) > 1 and on is not None:
            raise _error("ValueError", "join", "several frames are joined by row labels: give no on")
        made = self
        for one in several:
            if isinstance(one, Series) and one.name is None:
                raise _error("ValueError", "join", "a series without a name is no column: rename it")
            right = one.to_frame() if isinstance(one, Series) else one
            made = _FRAME["join"](made, right, on, how, suffixes, lsuffix, rsuffix, sort, validate)
        return made


_add(_OfBoth, DataFrame, Series)
_add(_OfFrames, DataFrame)
