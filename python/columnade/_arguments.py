"""Other names of arguments, with signatures that show them."""

from __future__ import annotations

from ._errors import make


# Arguments that are numbers of rows.
_OF_ROWS = ("window_size", "window", "min_samples", "min_periods")


def _check(operation, shown, args, kwargs):
    """Refuses numbers of rows that are negative, or above 64 bits, under the name that was given."""
    code = shown.__code__
    given = {**dict(zip(code.co_varnames[1 : code.co_argcount], args)), **kwargs}
    for name in _OF_ROWS:
        value = given.get(name)
        if isinstance(value, int) and not 0 <= value < 2**64:
            reason = f"{name} is at least 0, and not {value}" if value < 0 else f"{name} is too large: {value}"
            raise make("ValueError", f"{operation}: {reason}", operation=operation)


def renamed(compute, shown, /, **names):
    """A method with arguments of other names: `renamed(shift, lambda self, /, periods=1: None, periods="n")`. It takes the old ones too, and
    `shown` has the signature that it shows.
    """
    name = compute.__name__

    def method(self, *args, **kwargs):
        _check(name, shown, args, kwargs)
        for new, old in names.items():
            if new in kwargs:
                if old in kwargs:
                    raise make("TypeError", f"{name}: {new} and {old} are the same argument", operation=name)
                kwargs[old] = kwargs.pop(new)
        return compute(self, *args, **kwargs)

    # Signatures are read there when they are asked for: to make one takes as long as to import a small module.
    method.__wrapped__ = shown
    method.__name__, method.__qualname__, method.__doc__ = name, compute.__qualname__, compute.__doc__
    return method
