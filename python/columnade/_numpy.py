"""What functions of numpy call: aggregates and methods of rows with numpy's keywords, and universal functions.

`np.sum(series)` calls `series.sum(axis=None, dtype=None, out=None)`. Keywords are accepted with the value that changes nothing.
"""

from __future__ import annotations

import builtins
import functools
import operator

from . import _columnade as native
from ._columnade import DataFrame, Series
from ._convert import _numpy, masked
from ._errors import make
from ._pandas import _is_number
from ._values import item

# What numpy passes for a keyword that was not given, besides None.
_NEUTRAL = {
    "axis": (None, 0, "index"), "dtype": (None,), "out": (None,), "keepdims": (None, False), "initial": (None,), "where": (None, True),
    "skipna": (True,), "numeric_only": (False,), "kind": (None, "quicksort", "stable"), "order": (None,), "stable": (None, True),
    "mode": (None, "raise"),
}


def _is_neutral(name, value):
    # numpy's own mark for no value.
    return type(value).__name__ == "_NoValueType" or any(value is known or (type(value) is type(known) and value == known) for known in _NEUTRAL[name])


def _check(operation, keywords):
    """Refuses a keyword that this library does not have, and a value of numpy's that would change the result."""
    for name, value in keywords.items():
        if name not in _NEUTRAL:
            raise make("TypeError", f"{operation}: there is no argument {name!r}", operation=operation)
        if not _is_neutral(name, value):
            known = " or ".join(repr(value) for value in _NEUTRAL[name])
            raise make("ValueError", f"{operation}: {name} is {known}, not {value!r}", operation=operation)


# Arguments of aggregates of one series or frame, beside those of numpy.
_OPTIONS = {"std": "ddof", "var": "ddof", "sem": "ddof", "sum": "min_count", "prod": "min_count", "product": "min_count"}


def _without_axis(name, method):
    def whole(self, axis=None, **numpy):
        _check(name, {"axis": axis, **numpy})
        return method(self)

    return whole


def _option(name, keywords):
    option = _OPTIONS.get(name)
    return {option: keywords.pop(option)} if option in keywords else {}


def _series_aggregate(name, method):
    if name not in _OPTIONS:

        def aggregate(self, axis=None, skipna=True, **numpy):
            _check(name, {"axis": axis, **numpy})
            # None is null.
            return method(self) if skipna or not self.null_count else None

        return aggregate

    def aggregate(self, axis=None, *positional, skipna=True, **numpy):
        options = dict(zip((_OPTIONS[name],), positional)) or _option(name, numpy)
        _check(name, {"axis": axis, **numpy})
        return method(self, **options) if skipna or not self.null_count else None

    return aggregate


def _frame_whole(name, method):
    def whole(self, axis=0, numeric_only=False, **numpy):
        _check(name, numpy)
        return method(self, axis, numeric_only)

    return whole


def _frame_aggregate(name, method):
    def aggregate(self, axis=0, numeric_only=False, skipna=True, **numpy):
        options = _option(name, numpy)
        _check(name, numpy)
        made = method(self, axis, numeric_only, **options)
        if skipna or not len(made):
            return made
        chosen = self.select([label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)])
        valid = _valid(chosen.is_not_null(), axis).with_index(made.index)
        return masked(made, valid).rename(made.name).with_index(made.index)

    return aggregate


def _as(new, old, name, of=Series):
    new.__name__, new.__qualname__ = name, f"{of.__name__}.{name}"
    new.__doc__ = f"{(old.__doc__ or '').rstrip('.')}. The keywords that functions of numpy pass are accepted with values that change nothing."
    setattr(of, name, new)


# Before it is wrapped.
_valid = DataFrame.all
for _name in ("any", "all", "argmax", "argmin"):
    _as(_without_axis(_name, getattr(Series, _name)), getattr(Series, _name), _name)
for _name in ("sum", "mean", "min", "max", "median", "prod", "product", "var", "std", "sem"):
    _as(_series_aggregate(_name, getattr(Series, _name)), getattr(Series, _name), _name)
for _name in ("any", "all"):
    _as(_frame_whole(_name, getattr(DataFrame, _name)), getattr(DataFrame, _name), _name, DataFrame)
for _name in ("sum", "mean", "min", "max", "median", "prod", "std", "var", "sem"):
    _as(_frame_aggregate(_name, getattr(DataFrame, _name)), getattr(DataFrame, _name), _name, DataFrame)
for _name in ("cumsum", "cumprod", "cummin", "cummax"):
    for _of in (Series, DataFrame):
        _as(_without_axis(_name, getattr(_of, _name)), getattr(_of, _name), _name, _of)


def _rounded(method, of):
    def round(self, decimals=0, **numpy):
        _check("round", numpy)
        return method(self, decimals)

    _as(round, method, "round", of)


def _clipped(method, of):
    def clip(self, lower=None, upper=None, **numpy):
        # numpy's names of the bounds.
        for name, other in (("min", "lower"), ("max", "upper")):
            bound = numpy.pop(name, None)
            if bound is not None and type(bound).__name__ != "_NoValueType":
                lower, upper = (bound, upper) if other == "lower" else (lower, bound)
        _check("clip", numpy)
        return method(self, lower, upper)

    _as(clip, method, "clip", of)


for _of in (Series, DataFrame):
    _rounded(_of.round, _of)
    _clipped(_of.clip, _of)


def _sorted(method):
    def argsort(self, ascending=True, nulls_first=False, axis=None, **numpy):
        # The last axis of numpy is the only one.
        _check("argsort", {"axis": None if axis == -1 else axis, **numpy})
        return method(self, ascending, nulls_first)

    return argsort


def _taken(method, of):
    def take(self, positions=None, axis=None, **numpy):
        positions = numpy.pop("indices", positions)
        _check("take", {"axis": axis, **numpy})
        return method(self, positions if isinstance(positions, builtins.list) else _numpy().asarray(positions).tolist())

    _as(take, method, "take", of)


_as(_sorted(Series.argsort), Series.argsort, "argsort")
for _of in (Series, DataFrame):
    _taken(_of.take, _of)


# Universal functions -----------------------------------------------------------------------------------------------------

_SAME_NAME = (
    "sqrt", "cbrt", "exp", "expm1", "log1p", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh", "floor", "ceil", "trunc", "sign",
)
_UNARY = {
    **{name: name for name in _SAME_NAME}, "log": "ln", "absolute": "abs", "fabs": "abs", "negative": "__neg__", "rint": "round",
    "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh",
    "isnan": "is_nan", "isfinite": "is_finite", "isinf": "is_infinite", "invert": "__invert__",
}
_BINARY = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv, "floor_divide": operator.floordiv,
    "remainder": operator.mod, "power": operator.pow, "equal": operator.eq, "not_equal": operator.ne, "less": operator.lt,
    "less_equal": operator.le, "greater": operator.gt, "greater_equal": operator.ge, "bitwise_and": operator.and_,
    "bitwise_or": operator.or_, "bitwise_xor": operator.xor,
}
_REDUCED = {"add": "sum", "multiply": "prod", "minimum": "min", "maximum": "max", "logical_and": "all", "logical_or": "any"}
_ACCUMULATED = {"add": "cumsum", "multiply": "cumprod", "minimum": "cummin", "maximum": "cummax"}
# numpy computes these of integers as they are, and series as floats or not at all.
_OF_FLOATS = ("rint", "isnan", "isfinite", "isinf", "fabs")
_AS_INTEGERS = ("floor", "ceil", "trunc")


def _unary(name, values):
    is_float = builtins.str(values.dtype).startswith("float")
    if not is_float and name in _AS_INTEGERS:
        return values
    if not is_float and values.dtype.is_numeric and name in _OF_FLOATS:
        values = values.cast("float64")
    return getattr(values, _UNARY[name])()


def _operand(value, like):
    """What an operator of a series or frame takes: an array of numpy is values under the same labels, a scalar one of Python."""
    if isinstance(value, builtins.list) or getattr(value, "ndim", 0) and not isinstance(value, (Series, DataFrame)):
        return Series(_numpy().asarray(value), device=like.device).with_index(like.index)
    if isinstance(value, (_numpy().generic, _numpy().ndarray)):
        # The operators of numpy's scalars are universal functions again, and comparisons have them as arrays without axes.
        from ._pandas_offsets import _exact, _whole

        value = value[()]
        return _whole(like, value) if isinstance(like, Series) and _exact(value) is not None else item(value)
    return value


def _by_numpy(function, like, inputs):
    """What numpy computes of values of the host; null where one is."""
    name = function.__name__
    series = [value for value in inputs if isinstance(value, Series)]
    if any(value.device != "host" for value in series):
        reason = f"{name}: series of a device do not have this function of numpy: use to_device('host')"
        raise make("NotImplementedError", reason, operation=name)
    if any(not value.index.equals(like.index) for value in series):
        raise make("ValueError", f"{name}: the series have different row labels: use align()", operation=name)
    made = function(*(value.to_numpy() if isinstance(value, Series) else value for value in inputs))
    valid = functools.reduce(operator.and_, [value.is_not_null() for value in series])

    def labelled(array):
        values = Series(array, device="host")
        values = values if valid.all() else masked(values, valid)
        return values.rename(like.name).with_index(like.index)

    return tuple(map(labelled, made)) if isinstance(made, tuple) else labelled(made)


def _universal(self, ufunc, method, *inputs, **keywords):
    name = ufunc.__name__
    if method in ("reduce", "accumulate"):
        known = (_REDUCED if method == "reduce" else _ACCUMULATED).get(name)
        if known is None or not isinstance(inputs[0], Series):
            raise make("TypeError", f"{name}.{method}: use to_numpy()", operation=name)
        out = keywords.pop("out", (None,))
        return getattr(inputs[0], known)(**keywords, out=out[0] if isinstance(out, tuple) else out)
    if method != "__call__":
        raise make("TypeError", f"{name}.{method}: use to_numpy()", operation=name)
    if keywords.pop("out", None) is not None:
        raise make("TypeError", f"{name}: out is not implemented: series and frames do not change", operation=name)
    _check(name, keywords)
    if name == "matmul":
        # The operator of an array is this function again.
        left, right = inputs
        return left @ right if isinstance(left, (DataFrame, Series)) else right.__rmatmul__(left)
    frame = next((value for value in inputs if isinstance(value, DataFrame)), None)
    if frame is not None:
        return _of_frame(ufunc, name, frame, inputs)
    like = next(value for value in inputs if isinstance(value, Series))
    if name == "positive":
        return like
    if name in _UNARY:
        return _unary(name, like)
    inputs = [_operand(value, like) for value in inputs]
    if name in _BINARY:
        return _BINARY[name](*inputs)
    if name == "divmod":
        return inputs[0] // inputs[1], inputs[0] % inputs[1]
    return _by_numpy(ufunc, like, inputs)


def _of_frame(ufunc, name, frame, inputs):
    if name in _BINARY:
        return _BINARY[name](*(_operand(value, frame) for value in inputs))
    if name == "divmod":
        left, right = (_operand(value, frame) for value in inputs)
        return left // right, left % right
    if sum(isinstance(value, (DataFrame, Series)) for value in inputs) > 1:
        raise make("TypeError", f"{name}: of frames only operators and functions of one frame are implemented", operation=name)

    def column(label):
        return ufunc(*(frame[label] if value is frame else value for value in inputs))

    return DataFrame({label: column(label) for label in frame.columns}).with_index(frame.index)


# Other functions ---------------------------------------------------------------------------------------------------------

_METHODS = ("linear", "lower", "higher", "nearest", "midpoint")


def _share_of(name, q, scale):
    """One share or a list of them, as `quantile` takes them."""
    q = _numpy().asarray(q, dtype="float64") / scale
    if q.ndim > 1:
        raise make("ValueError", f"{name}: q is a number or a list of numbers", operation=name)
    return q.tolist()


def _ordered(name, a, q, scale, method, numpy):
    _check(name, numpy)
    if method not in _METHODS:
        raise make("NotImplementedError", f"{name}: method is one of {', '.join(_METHODS)}, not {method!r}", operation=name)
    shares = _share_of(name, q, scale)
    found = a.quantile(shares, method)
    return found.to_numpy() if isinstance(shares, builtins.list) else found


def _median(a, axis=None, out=None, overwrite_input=False, **numpy):
    return _ordered("median", a, 0.5, 1, "linear", {"axis": axis, "out": out, **numpy})


def _quantile(a, q, axis=None, out=None, overwrite_input=False, method="linear", **numpy):
    return _ordered("quantile", a, q, 1, method, {"axis": axis, "out": out, **numpy})


def _percentile(a, q, axis=None, out=None, overwrite_input=False, method="linear", **numpy):
    return _ordered("percentile", a, q, 100, method, {"axis": axis, "out": out, **numpy})


# Functions that numpy computes of an array, where a null would be a NaN.
_OF_SERIES = {"median": _median, "quantile": _quantile, "percentile": _percentile}


def __array_function__(self, func, types, args, kwargs):
    """A function of numpy. Medians, quantiles and percentiles of a series are those of its values that are not null; of others
    numpy computes what it makes of the arrays.
    """
    own = _OF_SERIES.get(func.__name__) if func.__module__ == "numpy" else None
    if own is not None and args and isinstance(args[0], Series):
        return own(*args, **kwargs)
    return func._implementation(*args, **kwargs)


setattr(Series, "__array_function__", __array_function__)


def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
    """A universal function of numpy: `np.sqrt(series)`, `np.add(series, 1)`. Those that series have keep the device; of others
    numpy computes series of the host, and series of a device are a NotImplementedError.
    """
    return _universal(self, ufunc, method, *inputs, **keywords)


for _of in (Series, DataFrame):
    setattr(_of, "__array_ufunc__", __array_ufunc__)
