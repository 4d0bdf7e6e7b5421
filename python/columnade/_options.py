"""How frames and series are printed: options of pandas."""

from __future__ import annotations

import contextlib
import threading
from typing import Any, Iterator

from ._columnade import _default_display_options, _display_options, _set_display_options
from ._errors import make

_NAMES = (
    "display.max_rows", "display.min_rows", "display.max_columns", "display.max_colwidth", "display.width", "display.precision",
)
# Options that the layout in Python knows, with what they are at first.
_OWN: dict[str, Any] = {
    "display.show_dimensions": True, "display.multi_sparse": True, "display.float_format": None, "display.max_info_columns": 100,
}
_NONE: Any = type("Absent", (), {"__repr__": lambda self: "..."})()
_PRECISION = _NAMES.index("display.precision")


_thread = threading.local()


def _full(operation: str, name: str) -> str:
    full = name if name.startswith("display.") else f"display.{name}"
    if full not in _NAMES and full not in _OWN:
        known = ", ".join((*_NAMES, *_OWN))
        raise make("KeyError", f"{operation}: there is no option {name!r}; there are {known}", operation=operation)
    return full


def _place(operation: str, name: str) -> int:
    return _NAMES.index(_full(operation, name))


def _own() -> dict[str, Any]:
    """The options of this thread that the layout in Python knows."""
    return getattr(_thread, "options", _OWN)


def _set_own(operation: str, name: str, value: Any) -> None:
    kinds = {
        "display.show_dimensions": (isinstance(value, bool) or value == "truncate", 'True, False or "truncate"'),
        "display.multi_sparse": (isinstance(value, bool), "True or False"),
        "display.float_format": (value is None or callable(value), "a function of a float, or None"),
        "display.max_info_columns": (isinstance(value, int) and not isinstance(value, bool) and value >= 0, "a number from 0"),
    }
    is_known, words = kinds[name]
    if not is_known:
        raise make("TypeError", f"{operation}: {name} is {words}, not {value!r}", operation=operation)
    _thread.options = {**_own(), name: value}


def _named(operation: str, pat: str | None, name: str | None) -> str:
    if (pat is None) == (name is None):
        raise make("TypeError", f"{operation}: give the name of an option", operation=operation)
    return pat if pat is not None else str(name)


def get_option(pat: str | None = None, *, name: str | None = None) -> Any:
    """An option of tables that are printed: None for as many as there are."""
    name = _full("get_option", _named("get_option", pat, name))
    if name in _OWN:
        return _own()[name]
    place = _place("get_option", name)
    value = _display_options()[place]
    if value == 0:
        return None
    # No digits are a precision too.
    return value - 1 if place == _PRECISION else value


def set_option(pat: str | None = None, value: Any = _NONE, *more: Any, name: str | None = None) -> None:
    """Sets an option of the tables that this thread prints, by its name in pandas: "display.max_rows", rows with more are cut;
    "display.min_rows", the rows that are left of them; "display.max_columns"; "display.max_colwidth", the width of a cell;
    "display.width", that of a line, for which columns in the middle are left out; "display.precision", the digits after the point of
    floats. None is as many as there are. "display.show_dimensions" says whether the number of rows and columns follows, with "truncate"
    below tables that are cut; "display.multi_sparse", whether a label is left out that repeats the one above; "display.float_format", a
    function that writes floats; "display.max_info_columns", up to how many columns `info` lists. Further names and values may follow.
    """
    name = _named("set_option", pat, name)
    if value is _NONE or len(more) % 2:
        raise make("ValueError", "set_option: a name has no value", operation="set_option")
    for other, wanted in zip(more[::2], more[1::2]):
        _full("set_option", other)
    _set(name, value)
    for other, wanted in zip(more[::2], more[1::2]):
        _set(other, wanted)


def _set(name: str, value: Any) -> None:
    full = _full("set_option", name)
    if full in _OWN:
        _set_own("set_option", full, value)
        return
    place = _place("set_option", name)
    least = 0 if place == _PRECISION else 1
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise make("TypeError", f"set_option: {name} is a number or None, not {value!r}", operation="set_option")
    if value is not None and value < least:
        raise make("ValueError", f"set_option: {name} is at least {least}, or None for all, not {value}", operation="set_option")
    if value is not None and place == _PRECISION and value > 100:
        raise make("ValueError", f"set_option: {name} is at most 100, not {value}", operation="set_option")
    options = _display_options()
    options[place] = 0 if value is None else value + 1 if place == _PRECISION else value
    _set_display_options(options)


def reset_option(pat: str | None = None, *, name: str | None = None) -> None:
    """Sets an option to what it was at first."""
    name = _full("reset_option", _named("reset_option", pat, name))
    if name in _OWN:
        _thread.options = {**_own(), name: _OWN[name]}
        return
    place = _place("reset_option", name)
    options = _display_options()
    options[place] = _default_display_options()[place]
    _set_display_options(options)


@contextlib.contextmanager
def option_context(*pairs: Any) -> Iterator[None]:
    """Options within a `with`: names and values, one behind the other."""
    if len(pairs) % 2:
        raise make("ValueError", "option_context: a name has no value", operation="option_context")
    before, own = _display_options(), _own()
    try:
        for name, value in zip(pairs[::2], pairs[1::2]):
            set_option(name, value)
        yield
    finally:
        _set_display_options(before)
        _thread.options = own
