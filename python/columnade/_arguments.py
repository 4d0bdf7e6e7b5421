"""Other names of arguments, with signatures that show them."""

from __future__ import annotations

from ._errors import make


def renamed(compute, shown, /, **names):
    """A method with arguments of other names: `renamed(shift, lambda self, /, periods=1: None, periods="n")`. It takes the old ones too, and
    `shown` has the signature that it shows.
    """
    name = compute.__name__

    def method(self, *args, **kwargs):
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
