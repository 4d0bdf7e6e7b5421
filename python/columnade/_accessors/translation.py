"""Other texts in place of characters of strings, and what functions of Python make of strings."""

from __future__ import annotations

import builtins

from .._common import _error
from .._errors import under


def _character(value):
    """A character that is given as such or as its code point; None for what is neither."""
    if isinstance(value, builtins.str):
        return value if builtins.len(value) == 1 else None
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return None
    code = value.__index__()
    return chr(code) if 0 <= code < 0xD800 or 0xE000 <= code <= 0x10FFFF else None


def table_of(table):
    """The characters of a table by the texts in their place; None for none."""
    made = {}
    for key, value in table.items():
        old = _character(key)
        new = "" if value is None else value if isinstance(value, builtins.str) else _character(value)
        if old is None or new is None:
            reason = "a table has characters, or their code points, and for each a text, a code point or None"
            raise _error("TypeError", "str.translate", reason)
        made[old] = new or None
    return made


def translated(own, table):
    """Texts in place of characters, all at once: a text may have characters that have others in their place."""
    texts = {old: new for old, new in table.items() if new is not None and builtins.len(new) > 1}
    single = {old: new for old, new in table.items() if old not in texts}
    if table.keys().isdisjoint("".join(texts.values())):
        for old, new in texts.items():
            own = own.str._replace(old, new)
        return own.str._translate(single) if single else own
    # Each of these characters becomes a pair, of a mark that no text has and a number; the mark itself becomes one too.
    used = {*table, *"".join(new for new in table.values() if new is not None)}
    free = (chr(code) for code in range(0xE000, 0x110000) if chr(code) not in used)
    mark, itself, *numbers = (next(free) for _ in range(builtins.len(texts) + 2))
    own = own.str._replace(mark, mark + itself)
    for old, number in zip(texts, numbers):
        own = own.str._replace(old, mark + number)
    own = own.str._translate(single) if single else own
    for new, number in zip(texts.values(), numbers):
        own = own.str._replace(mark + number, new)
    return own.str._replace(mark + itself, mark)


def check_text(strings, operation):
    """Raises the error of values that are no strings, and no nulls either."""
    if strings.dtype != "null":
        with under(operation):
            strings.head(0).str.lower()


def each_text(strings, operation, function):
    """What a function makes of each string; strings also where there is none."""
    check_text(strings, operation)
    made = strings.map(function, na_action="ignore")
    return made.cast("utf8") if made.dtype == "null" else made
