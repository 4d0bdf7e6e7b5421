"""Values where conditions hold, and whether values are among others."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Expr, Series, col
from .._common import _axis, _by_row_label, _error, _fits, _plain
from .._convert import foreign
from .construct import _aligned, _is_labelled, _values
from .mixed_keys import _is_float, _is_whole
from .._errors import ColumnadeError, ColumnOverflowError, ColumnTypeError, under
from .._install import compiled, methods, naming
from .._times.offsets import _exact_list, _whole


_CHOOSE = {(kind, name): compiled(kind, name) for kind in (DataFrame, Series) for name in ("where", "mask")}
_IS_IN = compiled(Series, "is_in")


def _condition(cond, like, operation):
    """A condition of a function, a list or an array as a series or a frame of the same labels."""
    cond = cond(like) if callable(cond) and not isinstance(cond, (Expr, Series, DataFrame)) else cond
    if isinstance(cond, (DataFrame, Series)):
        return cond
    of_other = foreign(cond)
    cond = cond if of_other is None else of_other.to_list()
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
    known = _by_row_label(other)
    columns = {label: Series([known.get(label)]).to_device(like.device).repeat(builtins.len(like)) for label in like.columns}
    return DataFrame({label: _plain(values) for label, values in columns.items()}).with_index(like.index)


def _of_categories(like, value):
    """A value, or nulls, for each row of a series of categories, with its categories, so that these stay."""
    nulls = _plain(like).head(0).reindex(range(builtins.len(like)))
    return (nulls if value is None else nulls.fillna(value)).with_index(like.index)


def _chosen(self, name, cond, other, inplace, axis, level):
    if inplace:
        raise _error("NotImplementedError", name, "inplace=True: a frame does not change")
    if level is not None:
        raise _error("NotImplementedError", name, "level is not implemented")
    if isinstance(self, Series):
        other = _whole(self, other)
        if builtins.str(self.dtype).startswith("dictionary") and (other is None or isinstance(other, builtins.str)):
            other = _of_categories(self, other)
    return _CHOOSE[type(self), name](self, _condition(cond, self, name), _replacement(other, self, axis, name))


@methods(DataFrame, Series)
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


def _of_same_kind(values, dtype):
    """The values that are whole numbers or floats as those of a dtype of the other kind, without those that it does not have exactly."""
    if not (_is_whole(dtype) and _is_float(values.dtype) or _is_float(dtype) and _is_whole(values.dtype)):
        return values
    made = values.cast(dtype if _is_whole(dtype) else "float64", strict=False)
    same = (made.cast(values.dtype, strict=False) == values).fill_null(False)
    return made[same | values.is_null()]


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def isin(self, values):
        """Whether each value is one of these, or of those for its column in a dictionary; of a series or a frame whether it is the one of
        the same row label, and of the same column. Null is if None is one.
        """
        if not isinstance(values, (Series, DataFrame)):
            of = values if isinstance(values, dict) else {label: values for label in self.columns}
            made = {label: self[label].isin(of.get(label, [])) for label in self.columns}
            return DataFrame(made).with_index(self.index)
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


def members(values, operation):
    """The only column of a frame whose values are looked for, and other values as they are."""
    if not isinstance(values, DataFrame):
        return values
    if builtins.len(values.columns) != 1:
        raise _error("TypeError", operation, f"values is a list, an array or a series, and not a frame of {builtins.len(values.columns)} columns")
    return _plain(values[values.columns[0]])


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @naming
    def isin(self, values):
        """Whether each value is one of these. Null is if None is one."""
        values = members(values, "isin")
        of_other = foreign(values)
        values = values if of_other is None else of_other.to_device(self.device)
        exact = _exact_list(builtins.list(values)) if isinstance(values, (builtins.list, tuple, set, frozenset)) else None
        if exact is not None:
            values = exact.to_device(self.device)
        if isinstance(values, Series):
            return self.is_in(values).fill_null(values.null_count > 0)
        if isinstance(values, (builtins.str, bytes)):
            raise _error("TypeError", "isin", f"values are a list or another sequence, not one {type(values).__name__}")
        values = builtins.list(values)
        # Categories are looked for as values of their own dtype.
        dtype = self.dtype.value_type if builtins.str(self.dtype).startswith("dictionary<") else self.dtype
        with_null, known = None in values, [value for value in values if value is not None and _fits(value, dtype)]
        if dtype.is_numeric and "int" in builtins.str(dtype):
            # A fraction is no integer.
            known = [int(value) for value in known if not isinstance(value, float) or value.is_integer()]
        elif "float" in builtins.str(dtype):
            known = [float(value) if isinstance(value, int) else value for value in known]
        return self.is_in(known).fill_null(with_null) if known else self.is_null() & with_null

    def is_in(self, values):
        """Whether each value is one of a list or of another series, null for null. Constants of a list are compared by value, and whole
        numbers with floats of a series.
        """
        values = members(values, "is_in")
        if isinstance(values, Series):
            values = _of_same_kind(values, self.dtype)
        try:
            return _IS_IN(self, values)
        except (ColumnOverflowError, ColumnTypeError) as error:
            if not isinstance(values, (builtins.list, tuple, set, frozenset)):
                raise
            try:
                made = self.rename("values").to_frame().select(col("values").is_in(builtins.list(values)))
            except ColumnadeError:
                raise error from None
        return made["values"].rename(self.name)

    def between(self, left, right, inclusive="both"):
        """Whether each value is between two, which belong to it: inclusive is "both", "left", "right" or "neither"."""
        if inclusive not in ("both", "left", "right", "neither"):
            raise _error("ValueError", "between", "inclusive is both, left, right or neither")
        low = self >= left if inclusive in ("both", "left") else self > left
        return low & (self <= right if inclusive in ("both", "right") else self < right)

    def case_when(self, caselist):
        """Other values where conditions hold, the first that does: pairs of a condition and a value, a series or a list."""
        made = self
        for condition, value in reversed(caselist):
            condition = condition(self) if callable(condition) else condition
            condition = condition if isinstance(condition, Series) else Series(condition).to_device(self.device).with_index(self.index)
            value = value(self) if callable(value) else value
            value = Series(value).to_device(self.device).with_index(self.index) if isinstance(value, builtins.list) else value
            made = made.mask(condition, value)
        return made
