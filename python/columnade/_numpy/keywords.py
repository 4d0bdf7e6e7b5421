"""Keywords that functions of numpy pass: `np.sum(series)` calls `series.sum(axis=None, dtype=None, out=None)`. They are accepted with the
values that change nothing.
"""

from __future__ import annotations


from .._errors import make
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


def _option(name, keywords):
    option = _OPTIONS.get(name)
    return {option: keywords.pop(option)} if option in keywords else {}
