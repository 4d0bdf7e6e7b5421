"""Row labels as arrays of numpy and of Arrow, and what functions of numpy make of them."""

from __future__ import annotations

import builtins

from .._columnade import Index, Series
from .._convert import _OfTheHost, _pyarrow, array_of
from .._errors import make
from .._install import install, methods


# Functions of numpy that a series answers, of which nulls are left out.
_OF_SERIES = (
    "sum", "prod", "mean", "median", "std", "var", "min", "max", "amin", "amax", "any", "all", "quantile", "percentile",
)
# Those that give labels, and of them those that choose labels by their positions.
_MADE = ("round", "around", "cumsum", "cumprod", "clip")
_CHOSEN = ("repeat", "take", "delete", "flip")
_SAME = ("transpose", "squeeze")
# Universal functions that give arrays of booleans.
_CONDITIONS = (
    "equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or", "logical_xor",
)


def _labels(index, operation):
    """The labels of one level under the labels 0, 1, …"""
    if index.nlevels > 1:
        raise make("TypeError", f"{operation}: row labels of several levels are tuples: use get_level_values()", operation=operation)
    return index.to_series().reset_index(drop=True)


def _converted(value, convert):
    """An argument of numpy's functions, where indexes may stand in lists."""
    if isinstance(value, (builtins.list, tuple)) and any(isinstance(one, (Index, builtins.list, tuple)) for one in value):
        return type(value)([_converted(one, convert) for one in value])
    return convert(value) if isinstance(value, Index) else value


def _index_of(values, name):
    return Index(values.reset_index(drop=True)).rename(name) if isinstance(values, Series) else values


def _shared_name(inputs):
    """The name that all indexes among operands have."""
    names = [value.name for value in inputs if isinstance(value, Index)]
    return names[0] if all(name == names[0] for name in names) else None


def _carried_out(ufunc, inputs, keywords):
    name = ufunc.__name__
    given = [_labels(value, name) if isinstance(value, Index) else value for value in inputs]
    made = ufunc(*given, **keywords)
    if name in _CONDITIONS and isinstance(made, Series):
        return made.fill_null(name == "not_equal").to_numpy()
    label = _shared_name(inputs)
    return tuple(_index_of(one, label) for one in made) if isinstance(made, tuple) else _index_of(made, label)


@methods(Index)
class _OfIndexes:
    """Methods of row labels."""

    def to_arrow(self):
        """The labels of one level as an array of pyarrow, of several as one of structs."""
        return _pyarrow("to_arrow").array(_OfTheHost(self))


def __array__(self, dtype=None, copy=None):
    """The labels of one level as an array, of several as an array of tuples."""
    if self.nlevels == 1:
        return array_of(_labels(self, "__array__"), dtype, copy)
    array = self.to_numpy()
    if copy is False:
        raise make("ValueError", "__array__: an array of tuples needs a copy", operation="__array__")
    return array if dtype is None else array.astype(dtype)


def _exported(index):
    """What has Arrow's methods: a series, or of several levels a frame. Labels of its columns are names, or numbers of the levels."""
    if index.nlevels == 1:
        return _labels(index, "__arrow_c_array__")
    frame = index.rename([f"level_{at}" if name is None else name for at, name in enumerate(index.names)]).to_frame()
    return frame.reset_index(drop=True)


def __arrow_c_schema__(self):
    """The Arrow schema of the labels: of several levels a struct."""
    return _exported(self).__arrow_c_schema__()


def __arrow_c_array__(self, requested_schema=None):
    """The labels as an Arrow array: of several levels of structs."""
    return _exported(self).__arrow_c_array__(requested_schema)


def __arrow_c_stream__(self, requested_schema=None):
    """The labels as a stream of Arrow arrays."""
    return _exported(self).__arrow_c_stream__(requested_schema)


def __array_function__(self, func, types, args, kwargs):
    """A function of numpy of the labels. Aggregates are those of a series, and leave out nulls; what only chooses or rounds labels
    gives an index, and all else what numpy makes of the arrays.
    """
    name = func.__name__ if func.__module__ == "numpy" else ""
    first = args[0] if args and isinstance(args[0], Index) else None
    if first is not None and name in _SAME:
        return first
    if first is not None and name in _CHOSEN:
        import numpy

        positions = func(numpy.arange(builtins.len(first)), *_converted(args[1:], numpy.asarray), **kwargs)
        return first.take(positions.tolist()) if getattr(positions, "ndim", 0) == 1 else numpy.asarray(first)[positions]
    if first is not None and first.nlevels == 1 and name in (*_OF_SERIES, *_MADE):
        made = func(*_converted(args, lambda index: _labels(index, name)), **_converted_options(kwargs, name))
        return _index_of(made, first.name) if name in _MADE else made
    import numpy

    options = {key: _converted(value, numpy.asarray) for key, value in kwargs.items()}
    return func(*_converted(args, numpy.asarray), **options)


def _converted_options(options, name):
    return {key: _converted(value, lambda index: _labels(index, name)) for key, value in options.items()}


def __array_ufunc__(self, ufunc, method, *inputs, **keywords):
    """A universal function of numpy of the labels, which gives an index; comparisons give arrays."""
    import numpy

    name = ufunc.__name__
    if any(hasattr(value, "columns") or isinstance(value, Series) for value in inputs):
        return getattr(ufunc, method)(*(numpy.asarray(value) if isinstance(value, Index) else value for value in inputs), **keywords)
    if method == "__call__":
        return _carried_out(ufunc, inputs, keywords)
    if method == "reduce":
        return ufunc.reduce(_labels(self, name), *inputs[1:], **keywords)
    if method == "accumulate":
        return _index_of(ufunc.accumulate(_labels(self, name), *inputs[1:], **keywords), self.name)
    return getattr(ufunc, method)(*(numpy.asarray(value) if isinstance(value, Index) else value for value in inputs), **keywords)


for _method in (
    __array__, __arrow_c_schema__, __arrow_c_array__, __arrow_c_stream__, __array_function__, __array_ufunc__,
):
    _method.__qualname__ = f"Index.{_method.__name__}"
    install(Index, _method.__name__, _method)
del _method
