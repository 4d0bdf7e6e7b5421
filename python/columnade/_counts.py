"""Numbers of rows of any size as arguments: as pandas takes them, or an error that names the argument."""

from __future__ import annotations

import builtins
import functools
from typing import Any, Callable, TypeVar

from ._columnade import DataFrame, Expr, Series
from ._common import _error
from ._errors import ColumnadeError
from ._groups.core import GroupBy, Resampler, SeriesGroupBy
from ._install import compiled, install


_Method = TypeVar("_Method", bound=Callable[..., Any])
# More rows than a frame has.
_MANY = 1 << 62


def _is_count(value):
    return isinstance(value, int) and not isinstance(value, bool)


def limited(method: _Method, least: int = -_MANY) -> _Method:
    """Has the number of rows that a method takes be no larger than that of any frame, and no smaller than `least`."""

    @functools.wraps(method)
    def limiting(self, *args, **kwargs):
        if args and _is_count(args[0]):
            args = (builtins.max(least, builtins.min(args[0], _MANY)), *args[1:])
        elif _is_count(kwargs.get("n")):
            kwargs["n"] = builtins.max(least, builtins.min(kwargs["n"], _MANY))
        return method(self, *args, **kwargs)

    return limiting  # type: ignore[return-value]


def at_least_none(method: _Method) -> _Method:
    """Has a method take a number of rows below 0 for none."""
    return limited(method, 0)


def _refused(name, method, self, args, kwargs):
    """The error of a number that an argument does not take."""
    import inspect

    try:
        given = inspect.signature(method).bind(self, *args, **kwargs).arguments
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
            return _error("ValueError", name, f"{argument} is at least 0, and not {number}")
    return _error("OverflowError", name, "a number does not fit an argument")


def counting(method: _Method, name: str | None = None) -> _Method:
    """Has a method name the argument whose number the compiled part does not take."""
    operation = method.__name__ if name is None else name

    @functools.wraps(method)
    def counted(self, *args, **kwargs):
        try:
            return method(self, *args, **kwargs)
        except OverflowError as error:
            if isinstance(error, ColumnadeError):
                raise
            raise _refused(operation, method, self, args, kwargs) from None

    return counted  # type: ignore[return-value]


_GROUPS: Any = (GroupBy, SeriesGroupBy)
# Methods that are the compiled ones otherwise, by their names there.
for _kind in (DataFrame, Series, *_GROUPS):
    for _name in ("head", "tail"):
        install(_kind, _name, limited(compiled(_kind, _name)))
    for _name in ("fill_forward", "fill_backward"):
        install(_kind, _name, counting(compiled(_kind, _name)))
install(DataFrame, "sort_head", counting(compiled(DataFrame, "sort_head")))
for _name in ("top_k", "bottom_k"):
    install(Expr, _name, counting(compiled(Expr, _name)))
for _name in ("nlargest", "nsmallest"):
    install(DataFrame, _name, at_least_none(compiled(DataFrame, _name)))
for _kind in (DataFrame, Series):
    install(_kind, "slice", counting(compiled(_kind, "slice")))
for _kind in (Series, GroupBy):
    install(_kind, "quantile", counting(compiled(_kind, "quantile")))
for _kind in _GROUPS:
    for _name, _source in (("ffill", "fill_forward"), ("bfill", "fill_backward")):
        install(_kind, _name, counting(compiled(_kind, _source), _name))
for _name in ("ffill", "bfill"):
    install(Resampler, _name, counting(compiled(Resampler, _name)))
del _kind, _name, _source
