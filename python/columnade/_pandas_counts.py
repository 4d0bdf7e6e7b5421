"""Numbers of rows of any size as arguments: as pandas takes them, or an error that names the argument.

The methods wrap those of before, and are added to the classes when the package is imported.
"""

from __future__ import annotations

import builtins
import functools
import inspect
from typing import Any

from . import _columnade as native
from ._columnade import DataFrame, Series
from ._errors import ColumnadeError
from ._pandas import _error

_KINDS: Any = (DataFrame, Series, native.GroupBy, native.SeriesGroupBy)
# More rows than a frame has.
_MANY = 1 << 62
_LIMITED = ("head", "tail", "nth")
_AT_LEAST_NONE = ("nlargest", "nsmallest")
_TYPED = (
    "shift", "diff", "pct_change", "sample", "ffill", "bfill", "fill_forward", "fill_backward", "interpolate", "rolling", "expanding",
    "ewm", "take", "slice", "nearest", "quantile",
)


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _limited(before, least):
    """A method whose number of rows is no larger than that of any frame, and no smaller than `least`."""

    @functools.wraps(before)
    def method(self, *args, **kwargs):
        if args and _is_count(args[0]):
            args = (builtins.max(least, builtins.min(args[0], _MANY)), *args[1:])
        elif _is_count(kwargs.get("n")):
            kwargs["n"] = builtins.max(least, builtins.min(kwargs["n"], _MANY))
        return before(self, *args, **kwargs)

    return method


def _refused(name, before, self, args, kwargs):
    """The error of a number that an argument does not take."""
    try:
        given = inspect.signature(before).bind(self, *args, **kwargs).arguments
    except (TypeError, ValueError):
        given = {}
    numbers = []
    for argument, value in builtins.list(given.items())[1:]:
        several = value if isinstance(value, (builtins.list, tuple)) else value.values() if isinstance(value, dict) else [value]
        numbers += [(argument, one) for one in several if _is_count(one)]
    for argument, number in numbers:
        if not -(1 << 63) <= number < 1 << 63:
            return _error("OverflowError", name, f"{argument} is a number of at most 64 bits, not {number}")
    for argument, number in numbers:
        if number < 0:
            return _error("ValueError", name, f"{argument} is not negative, and not {number}")
    return _error("OverflowError", name, "a number does not fit an argument")


def _typed(name, before):
    @functools.wraps(before)
    def method(self, *args, **kwargs):
        try:
            return before(self, *args, **kwargs)
        except OverflowError as error:
            if isinstance(error, ColumnadeError):
                raise
            raise _refused(name, before, self, args, kwargs) from None

    return method


for _kind in (*_KINDS, native.Resampler):
    for _name in (*_LIMITED, *_AT_LEAST_NONE, *_TYPED):
        _before = getattr(_kind, _name, None)
        if _before is None:
            continue
        if _name in _LIMITED:
            setattr(_kind, _name, _limited(_before, -_MANY))
        elif _name in _AT_LEAST_NONE:
            setattr(_kind, _name, _limited(_before, 0))
        else:
            setattr(_kind, _name, _typed(_name, _before))
del _kind, _name, _before
