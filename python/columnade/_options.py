"""How frames and series are printed: options of pandas."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator

from ._columnade import _default_display_options, _display_options, _set_display_options
from ._errors import make

_NAMES = ("display.max_rows", "display.min_rows", "display.max_columns", "display.max_colwidth")


def _place(operation: str, name: str) -> int:
    full = name if name.startswith("display.") else f"display.{name}"
    if full not in _NAMES:
        raise make("KeyError", f"{operation}: there is no option {name!r}; there are {', '.join(_NAMES)}", operation=operation)
    return _NAMES.index(full)


def get_option(name: str) -> int | None:
    """An option of tables that are printed: None for as many as there are."""
    return _display_options()[_place("get_option", name)] or None


def set_option(name: str, value: int | None) -> None:
    """Sets an option of the tables that this thread prints, by its name in pandas: "display.max_rows", rows with more are cut;
    "display.min_rows", the rows that are left of them; "display.max_columns"; "display.max_colwidth", the width of a cell. None is as
    many as there are.
    """
    place = _place("set_option", name)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise make("TypeError", f"set_option: {name} is a number or None, not {value!r}", operation="set_option")
    if value is not None and value < 1:
        raise make("ValueError", f"set_option: {name} is at least 1, or None for all, not {value}", operation="set_option")
    options = _display_options()
    options[place] = value or 0
    _set_display_options(options)


def reset_option(name: str) -> None:
    """Sets an option to what it was at first."""
    place = _place("reset_option", name)
    set_option(name, _default_display_options()[place])


@contextlib.contextmanager
def option_context(*pairs: Any) -> Iterator[None]:
    """Options within a `with`: names and values in turn."""
    if len(pairs) % 2:
        raise make("ValueError", "option_context: a name has no value", operation="option_context")
    before = _display_options()
    try:
        for name, value in zip(pairs[::2], pairs[1::2]):
            set_option(name, value)
        yield
    finally:
        _set_display_options(before)
