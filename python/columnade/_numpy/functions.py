"""What functions of numpy call: aggregates and methods of rows with numpy's keywords, and universal functions.

`np.sum(series)` calls `series.sum(axis=None, dtype=None, out=None)`. Keywords are accepted with the value that changes nothing.
"""

from __future__ import annotations

import builtins
import functools
import operator

from .._columnade import DataFrame, Series
from .._convert import _numpy, masked
from .._errors import make
from .._install import install
from .keywords import _check
from .._values import item


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
        from .._times.offsets import _exact, _whole

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


install(Series, "__array_function__", __array_function__)


def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
    """A universal function of numpy: `np.sqrt(series)`, `np.add(series, 1)`. Those that series have keep the device; of others
    numpy computes series of the host, and series of a device are a NotImplementedError.
    """
    return _universal(self, ufunc, method, *inputs, **keywords)


for _of in (Series, DataFrame):
    install(_of, "__array_ufunc__", __array_ufunc__)
