"""Arithmetic and comparisons of frames and series as methods, with values for what one side does not have, and products of matrices."""

from __future__ import annotations

import builtins
import functools
import operator

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series, col
from .._common import _axis, _by_label, _error, _plain
from .._install import compiled, install, methods
from .reindex import _aligned, _matched

_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
# Methods by the name of the compiled one of frames.
_COMPILED = {
    "add": "add", "sub": "sub", "mul": "mul", "div": "div", "truediv": "div", "floordiv": "floor_div", "mod": "rem", "pow": "pow",
    "subtract": "sub", "multiply": "mul", "divide": "div", **{name: name for name in _COMPARISONS},
}
_REFLECTED = {
    "radd": "add", "rsub": "sub", "rmul": "mul", "rtruediv": "truediv", "rdiv": "truediv", "rfloordiv": "floordiv", "rmod": "mod",
    "rpow": "pow",
}
# Operators by the names of methods.
_OPERATORS = {name: getattr(operator, {"div": "truediv", "divide": "truediv", "subtract": "sub", "multiply": "mul"}.get(name, name)) for name in _COMPILED}
_FRAMES = {name: compiled(DataFrame, source) for name, source in _COMPILED.items()}


# Frames ------------------------------------------------------------------------------------------------------------------
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


def _plain_frame(self, other, name, axis, fill_value):
    """A frame with a frame or a single value."""
    if fill_value is not None and not isinstance(other, DataFrame):
        self, fill_value = self.fill_null(fill_value), None
    if name in _REFLECTED:
        ours = _REFLECTED[name]
        return _OPERATORS[ours](other, self) if fill_value is None else _FRAMES[ours](other, self, fill_value=fill_value)
    return _FRAMES[name](self, other, axis) if name in _COMPARISONS else _FRAMES[name](self, other, axis, fill_value)


def _with_frame(self, other, name, axis, fill_value, level):
    is_reflected = name in _REFLECTED
    is_plain = not isinstance(other, Series) or level is None and fill_value is None and not is_reflected
    if is_plain and (level is None or not isinstance(other, DataFrame)):
        return _plain_frame(self, other, name, axis, fill_value)
    left, right = _frames(self, other, axis, level, fill_value, name)
    if is_reflected:
        left, right = right, left
    operate = _FRAMES[_REFLECTED.get(name, name)]
    return operate(left, right) if name in _COMPARISONS else operate(left, right, fill_value=fill_value)


def _frame_operator(name):
    def arithmetic(self, other, axis=None, fill_value=None, level=None):
        return _with_frame(self, other, name, axis, fill_value, level)

    def comparison(self, other, axis=None, level=None):
        return _with_frame(self, other, name, axis, None, level)

    return comparison if name in _COMPARISONS else arithmetic


# Series ------------------------------------------------------------------------------------------------------------------
_POW = compiled(Series, "pow")


def _power(self, other, name, fill_value):
    operate = _POW if name == "pow" else lambda base, exponent: operator.pow(exponent, base)
    if fill_value is None:
        return operate(self, other)
    if isinstance(other, Series):
        left, right = self.align(other)
        # Null stays where both sides have it.
        both = left.is_null() & right.is_null()
        return operate(left.fill_null(fill_value), right.fill_null(fill_value)).mask(both)
    return operate(self.fill_null(fill_value), other)


def _filled(self, other, name, fill_value):
    """Two series, with a value for what one of them does not have."""
    if name in ("pow", "rpow"):
        of_other = name == "rpow" and isinstance(other, Series)
        return _power(other, self, "pow", fill_value) if of_other else _power(self, other, name, fill_value)
    if name in _REFLECTED:
        return getattr(other, _REFLECTED[name])(self, fill_value=fill_value)
    if not isinstance(other, Series):
        raise _error("TypeError", _COMPILED[name], "fill_value stands for values that one of two series does not have")
    return self._filled(_COMPILED[name], other, fill_value)


def _with_series(self, other, name):
    if name in _REFLECTED:
        return _OPERATORS[_REFLECTED[name]](other, self)
    return _POW(self, other) if name == "pow" else _OPERATORS[name](self, other)


def _series_operator(name):
    def method(self, other, fill_value=None, level=None, axis=0):
        if _axis(axis, name) == 1:
            raise _error("ValueError", name, "a series has rows alone")
        if level is not None:
            if not isinstance(other, Series):
                raise _error("TypeError", name, "level goes with another series")
            self, other = _matched(self, other, level, name)
        if fill_value is not None and not isinstance(other, (Series, DataFrame)):
            self, fill_value = self.fill_null(fill_value), None
        return _with_series(self, other, name) if fill_value is None else _filled(self, other, name, fill_value)

    return method


# Texts of methods that have none of the compiled part.
_TEXTS = {
    (DataFrame, "rpow"): "The other operand to the power of this one, with `fill_value` for values that are missing.",
    (Series, "pow"): "To the power of another operand, with `fill_value` for what one of two series does not have.",
    (Series, "rpow"): "The other operand to the power of this one, with `fill_value` for what one of two series does not have.",
}


def _install(kind, name, method):
    operate = _OPERATORS[_REFLECTED.get(name, name)].__name__
    text = _TEXTS.get((kind, name))
    if text is None and name in _REFLECTED:
        text = f"`{operate}` of the other operand and this one, with `fill_value` for values that are missing."
    elif text is None and kind is DataFrame:
        text = _FRAMES[name].__doc__
    elif text is None:
        text = f"`{operate}` of operators, with `fill_value` for what one of two series does not have."
    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", text
    install(kind, name, method)


for _name in (*_COMPILED, *_REFLECTED):
    _install(DataFrame, _name, _frame_operator(_name))
    _install(Series, _name, _series_operator(_name))
del _name


# Products and functions of pairs -----------------------------------------------------------------------------------------
def _matrix(self, other, operation):
    """The values of a factor by row and column, whose rows are the columns of this one."""
    labels = builtins.list(self.columns)
    if isinstance(other, DataFrame):
        if sorted(map(builtins.repr, other.index.to_list())) != sorted(map(builtins.repr, labels)):
            raise _error("ValueError", operation, "the columns of the one and the row labels of the other are not the same")
        other = other.reindex(Index(labels))
        return {label: other[label].to_list() for label in other.columns}
    rows = other.tolist()
    if builtins.len(rows) != builtins.len(labels):
        raise _error("ValueError", operation, f"{builtins.len(labels)} columns and {builtins.len(rows)} rows do not go together")
    return {at: [row[at] for row in rows] for at in range(builtins.len(rows[0]) if rows else 0)}


def _weighted(self, weights):
    """The sum of the columns, each times a number."""
    labels = builtins.list(self.columns)
    if not labels:
        return Series([0] * builtins.len(self)).to_device(self.device).with_index(self.index)
    if any(weight is None for weight in weights):
        return Series([None] * builtins.len(self), dtype="float64").to_device(self.device).with_index(self.index)
    total = functools.reduce(operator.add, [col(label) * weight for label, weight in zip(labels, weights)])
    return self.select(total.alias("sum"))["sum"].rename(None)


def _whole_sum(products):
    """The sum of products, null where one is."""
    return None if products.null_count else products.sum()


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def dot(self, other):
        """The matrix product with a frame, whose row labels are the columns of this one, a series or an array."""
        operation = "dot"
        if isinstance(other, Series):
            if sorted(map(builtins.repr, other.index.to_list())) != sorted(map(builtins.repr, self.columns)):
                raise _error("ValueError", operation, "the columns of the frame and the row labels of the series are not the same")
            return _weighted(self, other.reindex(Index(builtins.list(self.columns))).to_list())
        if isinstance(other, builtins.list) or (hasattr(other, "shape") and not isinstance(other, DataFrame)):
            import numpy

            other = numpy.asarray(other)
            if other.ndim == 1:
                if other.shape[0] != builtins.len(self.columns):
                    reason = f"{builtins.len(self.columns)} columns and {other.shape[0]} rows do not go together"
                    raise _error("ValueError", operation, reason)
                return _weighted(self, other.tolist())
        elif not isinstance(other, DataFrame):
            raise _error("TypeError", operation, f"a factor is a frame, a series or an array, not {type(other).__name__}")
        made = {label: _plain(_weighted(self, weights)) for label, weights in _matrix(self, other, operation).items()}
        return DataFrame(made).with_index(self.index) if made else self[[]]

    def combine(self, other, func, fill_value=None, overwrite=True):
        """What a function makes of each column and the one of the same label in another frame, in rows of both. `fill_value` stands for
        nulls; columns of this frame alone are null unless overwrite=False.
        """
        left, right = self.align(other)
        made = {}
        for label in left.columns:
            one, two = left[label], right[label]
            if fill_value is not None:
                one, two = one.fill_null(fill_value), two.fill_null(fill_value)
            made[label] = _plain(left[label] if not overwrite and label not in other else func(one, two))
        return DataFrame(made).with_index(left.index) if made else left


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def divmod(self, other, fill_value=None):
        """The quotient rounded down and the remainder."""
        return self.floordiv(other, fill_value), self.mod(other, fill_value)

    def rdivmod(self, other, fill_value=None):
        """The quotient of the other operand by this one, rounded down, and the remainder."""
        return self.rfloordiv(other, fill_value), self.rmod(other, fill_value)

    def dot(self, other):
        """The sum of the products with a series of the same labels or an array; of a frame one for each column."""
        operation = "dot"
        if isinstance(other, DataFrame):
            return _by_label({label: self.dot(other[label]) for label in other.columns}).rename(self.name)
        if isinstance(other, Series):
            if builtins.len(other) != builtins.len(self) or not other.index.isin(self.index).all():
                raise _error("ValueError", operation, "both series have the same row labels")
            return _whole_sum(self * other)
        other = Series(other).to_device(self.device)
        if builtins.len(other) != builtins.len(self):
            raise _error("ValueError", operation, f"{builtins.len(self)} and {builtins.len(other)} values do not go together")
        return _whole_sum(_plain(self) * _plain(other))

    def combine(self, other, func, fill_value=None):
        """What a function makes of each value and the one of the same label in another series, or a single value. `fill_value` stands
        for labels that one does not have.
        """
        if not isinstance(other, Series):
            made = Series([func(value, other) for value in self.to_list()], name=self.name)
            return made.to_device(self.device).with_index(self.index)
        left, right = self.align(other, fill_value=fill_value)
        made = Series([func(one, two) for one, two in zip(left.to_list(), right.to_list())]).to_device(self.device)
        return made.with_index(left.index).rename(self.name if self.name == other.name else None)
