"""Keys of rows as pandas takes them: labels in brackets of series, and labels of `loc` in series and arrays.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Expr, Index, Series
from ._pandas import _add
from ._pandas_labels import _keep

_LABELS = (builtins.str, bytes)
_TAKE = Series.__getitem__
_CHOOSE = DataFrame.__getitem__
_WHERE = {kind: {name: getattr(kind, name) for name in ("where", "mask")} for kind in (DataFrame, Series)}
_TRANSPOSE = DataFrame.transpose
_DUPLICATED = {kind: kind.duplicated for kind in (DataFrame, Series)}


def _of_labels(key):
    """Whether a key of a series is a label of text, a list of such, or a slice between such."""
    if isinstance(key, slice):
        return isinstance(key.start, _LABELS) or isinstance(key.stop, _LABELS)
    if isinstance(key, builtins.list):
        return builtins.bool(key) and all(isinstance(label, _LABELS) for label in key)
    return isinstance(key, _LABELS)


def _called(key, values):
    """What a function makes of the frame or series; other keys stay."""
    return key(values) if builtins.callable(key) and not isinstance(key, Expr) else key


def _column(self, key, /):
    return _CHOOSE(self, _called(key, self))


_column.__name__, _column.__qualname__, _column.__doc__ = "__getitem__", "DataFrame.__getitem__", _CHOOSE.__doc__
setattr(DataFrame, "__getitem__", _column)


def _item(self, key, /):
    key = _called(key, self)
    if not _of_labels(key):
        return _TAKE(self, key)
    found = self.loc[key]
    is_one = isinstance(key, _LABELS) and builtins.len(found) == 1 and self.index.kind != "datetime"
    return found.to_list()[0] if is_one else found


_item.__name__, _item.__qualname__, _item.__doc__ = "__getitem__", "Series.__getitem__", _TAKE.__doc__
setattr(Series, "__getitem__", _item)


def _labels_of(key):
    """Labels in a series, an array or a range as a list; what is a condition stays."""
    if isinstance(key, range):
        return builtins.list(key)
    if isinstance(key, Series):
        return key if builtins.str(key.dtype) == "bool" else key.to_list()
    if hasattr(key, "dtype") and hasattr(key, "tolist") and getattr(key, "shape", ()) != () and not isinstance(key, Index):
        return key if key.dtype == bool else key.tolist()
    return key


def _located(kind, is_of_labels):
    look_up = kind.__getitem__

    def method(self, key, /):
        if builtins.callable(key) or isinstance(key, tuple) and any(map(builtins.callable, key)):
            # All rows are the frame or series itself.
            values = look_up(self, slice(None))
            key = tuple(_called(part, values) for part in key) if isinstance(key, tuple) else _called(key, values)
        if not is_of_labels:
            return look_up(self, key)
        if isinstance(key, tuple) and builtins.len(key) == 2:
            return look_up(self, (_labels_of(key[0]), key[1]))
        return look_up(self, _labels_of(key))

    method.__name__, method.__qualname__, method.__doc__ = "__getitem__", f"{kind.__name__}.__getitem__", look_up.__doc__
    return method


for _kind, _is_of_labels in ((native.Loc, True), (native.SeriesLoc, True), (native.Iloc, False), (native.SeriesIloc, False)):
    setattr(_kind, "__getitem__", _located(_kind, _is_of_labels))
del _kind, _is_of_labels


def _conditional(kind, name):
    """`where` or `mask`, with functions of the values as the condition and the other values."""
    choose = _WHERE[kind][name]

    def method(self, cond, other=None):
        return choose(self, _called(cond, self), _called(other, self))

    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", choose.__doc__
    setattr(kind, name, method)


for _rows in (DataFrame, Series):
    for _name in ("where", "mask"):
        _conditional(_rows, _name)
del _rows, _name


class _OfFrames:
    """Methods of frames."""

    def transpose(self):
        """The rows as columns, under their labels; the labels of the columns are those of the rows. All columns have one dtype."""
        made = _TRANSPOSE(self)
        labels = builtins.list(self.columns)
        kinds = {type(label) for label in labels}
        return made.with_index(Index(labels)) if kinds in ({builtins.str}, {int}) else made

    def duplicated(self, subset=None, keep="first"):
        """Whether each row is a repetition of another in some columns: all but the first or the last one, with keep=False all."""
        return _DUPLICATED[DataFrame](self, subset, keep if keep == "none" else _keep(keep, "duplicated"))


class _OfSeries:
    """Methods of series."""

    def duplicated(self, keep="first"):
        """Whether each value is a repetition of another: all but the first or the last one, with keep=False all."""
        return _DUPLICATED[Series](self, keep if keep == "none" else _keep(keep, "duplicated"))


def _number_of_groups(self):
    return self.ngroups


setattr(native.GroupBy, "__len__", _number_of_groups)
setattr(native.SeriesGroupBy, "__len__", _number_of_groups)
_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
setattr(Index, "tolist", Index.to_list)
