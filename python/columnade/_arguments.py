"""Other names of arguments for methods of compiled classes, with signatures that show them."""

from __future__ import annotations

import inspect

from ._errors import make


def renamed(of, name, /, **names):
    """Has a method take arguments under other names: `renamed(Series, "shift", periods="n")`. It still takes the old ones."""
    compute = getattr(of, name)

    def method(self, *args, **kwargs):
        for new, old in names.items():
            if new in kwargs:
                if old in kwargs:
                    raise make("TypeError", f"{name}: {new} and {old} are the same argument", operation=name)
                kwargs[old] = kwargs.pop(new)
        return compute(self, *args, **kwargs)

    new_names = {old: new for new, old in names.items()}
    signature = inspect.signature(compute)
    parameters = [part.replace(name=new_names.get(part.name, part.name)) for part in signature.parameters.values()]
    method.__signature__ = signature.replace(parameters=parameters)
    method.__name__ = name
    method.__qualname__ = f"{of.__name__}.{name}"
    method.__doc__ = compute.__doc__
    setattr(of, name, method)
