"""Operators that pandas has and the compiled part has not, keys of indexes, what is shown of groups and windows, and sentences for what
immutable values refuse.
"""

from __future__ import annotations

import builtins
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series
from .._common import _error, _is_number, _plain
from .._errors import make
from .._groups.core import GroupBy, Resampler, SeriesGroupBy
from .._install import compiled, install


def _set(kind, *methods):
    for method in methods:
        method.__qualname__ = f"{kind.__name__}.{method.__name__}"
        install(kind, method.__name__, method)


# Operators ---------------------------------------------------------------------------------------------------------------
def _is_refused(other):
    """Whether an operand is to answer itself, or to be refused by Python."""
    return isinstance(other, (builtins.str, bytes, dict, set)) or other is None


def _exclusive(frame, other):
    """The bits that one of two has, or whether one of two is true. An unknown operand is unknown, as in `&` and `|`."""
    either, both = frame | other, frame & other
    made = {}
    for label in either.columns:
        one, two = either[label].reset_index(drop=True), both[label].reset_index(drop=True)
        made[label] = one & ~two if one.dtype == "bool" else one - two
    return DataFrame(made).with_index(either.index) if made else either


def _by_column(operate):
    """An operator of frames that takes a value for each column in a list, a tuple or an array of one dimension."""
    own = compiled(DataFrame, operate)

    def method(self, other, /):
        is_list = type(other) in (builtins.list, tuple) or getattr(other, "ndim", None) == 1 and type(other).__module__ == "numpy"
        if not is_list or not self.columns:
            return own(self, other)
        values = builtins.list(other) if type(other) in (builtins.list, tuple) else other.tolist()
        if builtins.len(values) != builtins.len(self.columns):
            name = operate.strip("_")
            raise _error("ValueError", name, f"{builtins.len(values)} values for {builtins.len(self.columns)} columns")
        parts = DataFrame({label: [value] for label, value in zip(self.columns, values)})
        return _with_values(self, parts, operate)

    def power(self, other, modulo=None, /):
        return method(self, other) if modulo is None else own(self, other, modulo)

    made = power if operate in ("__pow__", "__rpow__") else method
    made.__name__, made.__qualname__, made.__doc__ = operate, f"DataFrame.{operate}", own.__doc__
    install(DataFrame, operate, made)


def _with_values(frame, values, operate):
    """What an operator makes of each column and a value."""
    made = {label: getattr(frame[label], operate)(values[label].to_list()[0]) for label in frame.columns}
    return DataFrame({label: _plain(part) for label, part in made.items()}).with_index(frame.index)._with_level_names(frame._level_names)


def _frame_operators():
    def __xor__(self, other, /):
        return NotImplemented if _is_refused(other) or isinstance(other, Expr) else _exclusive(self, other)

    def __rxor__(self, other, /):
        return NotImplemented if _is_refused(other) or isinstance(other, Expr) else _exclusive(self, other)

    def __rand__(self, other, /):
        return NotImplemented if _is_refused(other) else self & other

    def __ror__(self, other, /):
        return NotImplemented if _is_refused(other) else self | other

    def __pos__(self, /):
        for label, dtype in self.dtypes.items():
            _check_sign(label, dtype)
        return self

    _set(DataFrame, __xor__, __rxor__, __rand__, __ror__, __pos__)


_LISTED = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
for _name in (*_LISTED, "radd", "rsub", "rmul", "rtruediv", "rfloordiv", "rmod", "rpow", "eq", "ne", "lt", "le", "gt", "ge", "and", "or"):
    if hasattr(DataFrame, f"__{_name}__"):
        _by_column(f"__{_name}__")
del _name


def _check_sign(label, dtype):
    if not _is_number(dtype) and not builtins.str(dtype).startswith("duration"):
        column = None if label is None else builtins.str(label)
        what = "values" if label is None else f"column {label!r}"
        raise make("TypeError", f"pos: {what} of {dtype} have no sign", operation="pos", column=column, dtype=builtins.str(dtype))


def _series_operators(kind):
    def __pos__(self, /):
        if self.nlevels > 1 if isinstance(self, Index) else False:
            raise _error("TypeError", "pos", "row labels of several levels are tuples")
        _check_sign(self.name, self.dtype)
        return self

    _set(kind, __pos__)


def _divisions(kind):
    def __divmod__(self, other, /):
        return NotImplemented if _is_refused(other) else (self // other, self % other)

    def __rdivmod__(self, other, /):
        return NotImplemented if _is_refused(other) else (other // self, other % self)

    _set(kind, __divmod__, __rdivmod__)


def _array(other):
    """An operand of a matrix product as an array of numpy, None for what has labels."""
    if isinstance(other, (DataFrame, Series)):
        return None
    import numpy

    array = numpy.asarray(other)
    if array.ndim not in (1, 2):
        raise _error("ValueError", "matmul", f"an operand has one or two dimensions, not {array.ndim}")
    return array


def _products(kind):
    def __matmul__(self, other, /):
        if _is_refused(other) or not hasattr(other, "__len__"):
            return NotImplemented
        array = _array(other)
        if isinstance(self, Series) and array is not None and array.ndim == 2:
            columns = DataFrame(array).with_index(self.index) if builtins.len(array) == builtins.len(self) else DataFrame(array)
            if builtins.len(array) != builtins.len(self):
                raise _error("ValueError", "matmul", f"{builtins.len(self)} values and {builtins.len(array)} rows do not go together")
            return self.dot(columns).to_numpy()
        return self.dot(other if array is None else array)

    def __rmatmul__(self, other, /):
        if _is_refused(other) or not hasattr(other, "__len__"):
            return NotImplemented
        array = _array(other)
        if isinstance(self, Series):
            return self.dot(array) if array.ndim == 1 else self @ array.T
        if array.ndim == 1:
            if builtins.len(array) != builtins.len(self):
                raise _error("ValueError", "matmul", f"{builtins.len(array)} values and {builtins.len(self)} rows do not go together")
            return self.T.dot(array)
        return self.T.dot(array.T).T

    _set(kind, __matmul__, __rmatmul__)


def _rounding(kind):
    def __round__(self, ndigits=0, /):
        return self.round(0 if ndigits is None else ndigits)

    _set(kind, __round__)


_frame_operators()
_kind: Any
for _kind in (Series, Index):
    _series_operators(_kind)
for _kind in (DataFrame, Series, Index):
    _divisions(_kind)
for _kind in (DataFrame, Series):
    _products(_kind)
    _rounding(_kind)


# Keys of indexes ---------------------------------------------------------------------------------------------------------
_ITEM = compiled(Index, "__getitem__")


def _positions(index, key):
    """Positions of labels as a list, and a mask as a series."""
    operation = "getitem"
    if isinstance(key, Index):
        key = key.to_series()
    values = key.reset_index(drop=True) if isinstance(key, Series) else Series(key if hasattr(key, "dtype") else builtins.list(key))
    if not builtins.len(values):
        return []
    text = builtins.str(values.dtype)
    if text == "bool":
        if builtins.len(values) != builtins.len(index):
            reason = f"{operation}: a mask of {builtins.len(values)} values for {builtins.len(index)} labels"
            raise make("IndexError", reason, operation=operation, dtype=text)
        return values.fill_null(False) if values.null_count else values
    if not values.dtype.is_numeric or "int" not in text or values.null_count:
        reason = f"{operation}: a key of an index has positions or booleans, not {'nulls' if values.null_count else text}"
        raise make("IndexError", reason, operation=operation, dtype=text)
    return values.to_list()


def __getitem__(self, key, /):
    """A label by its position, or the labels of a slice, of a list of positions or of a mask."""
    is_one = isinstance(key, int) or hasattr(key, "__index__") and getattr(key, "shape", ()) == ()
    if isinstance(key, slice) or is_one and not isinstance(key, bool):
        return _ITEM(self, key)
    several = isinstance(key, (builtins.list, range, Series, Index)) or getattr(key, "shape", ()) != ()
    if not several:
        reason = f"getitem: a key of an index is a position, a slice, a list of positions or a mask, not {type(key).__name__}"
        raise make("IndexError", reason, operation="getitem")
    found = _positions(self, key)
    if isinstance(found, builtins.list):
        return self.take(found)
    rows = Series(builtins.range(builtins.len(self))).to_device(found.device)
    return rows.with_index(self)[found.with_index(self)].index


_set(Index, __getitem__)


# What is shown -----------------------------------------------------------------------------------------------------------
def _names_of_keys(groups):
    sizes = groups.size()
    return builtins.list(sizes.index.names if isinstance(sizes, Series) else sizes.columns[:-1])


def _shown(kind, text):
    def __repr__(self, /):
        try:
            return f"{kind.__name__}({text(self)})"
        except Exception:
            # What is shown of an object is no place for an error of its data.
            return f"<{kind.__name__}>"

    _set(kind, __repr__)


def _of_groups(groups):
    return f"keys={_names_of_keys(groups)!r}, {groups.ngroups} groups"


def _of_windows(windows):
    if not hasattr(windows, "_made_with"):
        return "of groups"
    options = {name: value for name, value in windows._made_with.items() if value is not None and value is not False}
    kind = options.pop("kind")
    return ", ".join([*(["expanding"] if kind == "expanding" else []), *(f"{name}={value!r}" for name, value in options.items())])


for _kind in (GroupBy, SeriesGroupBy):
    _shown(_kind, _of_groups)
for _kind in (native.Rolling, native.ExponentialMovingWindow):
    _shown(_kind, _of_windows)
_shown(Resampler, lambda bins: f"{bins.ngroups} bins")
_shown(native.When, lambda branch: builtins.str(branch.otherwise(None)).removesuffix(".otherwise(null)"))


# What is refused ---------------------------------------------------------------------------------------------------------
def _refusing(kind, what, instead_of_set, instead_of_delete):
    def __setitem__(self, key, value, /):
        raise _error("TypeError", "setitem", f"{what} does not change: use {instead_of_set}")

    def __delitem__(self, key, /):
        raise _error("TypeError", "delitem", f"{what} does not change: use {instead_of_delete}")

    _set(kind, __setitem__, __delitem__)


def _iterated(self, /):
    reason = f"iter: an expression has no values: compute them with select, as in frame.select({self})"
    raise make("TypeError", reason, operation="iter")


_COLUMN = "with_columns or assign, which return a new one that shares the other columns, or set_loc for some rows"
_refusing(DataFrame, "a frame", _COLUMN, "drop(columns=…), which returns a new one")
_refusing(Series, "a series", "set_loc, set_iloc or where, which return a new one", "drop(labels), which returns a new one")
_refusing(Index, "an index", "putmask or where, which return a new one", "delete(positions), which returns a new one")
for _kind in (native.Loc, native.At):
    _refusing(_kind, "a frame", "set_loc(rows, column, values), which returns a new one", "drop(index=…)")
for _kind in (native.Iloc, native.Iat):
    _refusing(_kind, "a frame", "set_iloc(rows, column, values), which returns a new one", "drop(index=…)")
for _kind in (native.SeriesLoc, native.SeriesAt):
    _refusing(_kind, "a series", "set_loc(rows, values), which returns a new one", "drop(labels)")
for _kind in (native.SeriesIloc, native.SeriesIat):
    _refusing(_kind, "a series", "set_iloc(rows, values), which returns a new one", "drop(labels)")
_iterated.__name__ = "__iter__"
_set(Expr, _iterated)
del _kind
