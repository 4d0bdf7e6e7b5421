"""How functions of Python become methods of the compiled classes: each name of a class once, in whatever order modules are imported.

A method that computes something around the compiled one of the same name calls that as `compiled(DataFrame, "shift")`, which is always
the method of the compiled class.
"""

from __future__ import annotations

import types
from typing import Any, Callable, TypeVar

_Source = TypeVar("_Source", bound=type)
_ABSENT: Any = object()
# What each installed name was in the compiled class.
_installed: dict[tuple[Any, str], Any] = {}
# The methods of each class that have a guard.
_guarded: dict[Any, dict[str, Any]] = {}
# What finishes the results of methods of a class: the names of these, or None for all public ones, and the decorator.
_finishers: dict[Any, tuple[Any, Any]] = {}
# Methods of the compiled class whose results are finished.
_unfinished: dict[tuple[Any, str], Any] = {}
# Names in the dictionary of every class of Python.
_OF_CLASSES = {*vars(type("_", (), {})), "__annotations__", "__firstlineno__", "__static_attributes__"}


def install(kind: Any, name: str, method: Any) -> None:
    """Sets an attribute of a class, which no other call sets."""
    if (kind, name) in _installed:
        raise AssertionError(f"{kind.__name__}.{name} is installed twice: it has one definition, which calls compiled({kind.__name__}, {name!r})")
    _installed[kind, name] = _unfinished[kind, name] if (kind, name) in _unfinished else getattr(kind, name, _ABSENT)
    setattr(kind, name, _finished(kind, name, method))


def finish(kind: Any, names: Any, decorator: Any) -> None:
    """Decorates methods of a class, of these names or all public ones, whether they are installed before or after."""
    if kind in _finishers:
        raise AssertionError(f"results of {kind.__name__} are finished twice")
    _finishers[kind] = (names, decorator)
    for name in dir(kind):
        method = getattr(kind, name)
        made = _finished(kind, name, method)
        if made is method:
            continue
        if (kind, name) not in _installed:
            _unfinished[kind, name] = method
        setattr(kind, name, made)


def _finished(kind: Any, name: str, method: Any) -> Any:
    names, decorator = _finishers.get(kind, ((), None))
    is_one = not name.startswith("_") if names is None else name in names
    return decorator(method) if is_one and isinstance(method, (types.FunctionType, types.MethodDescriptorType)) else method


def guard(kind: Any, before: dict[str, Any], made: dict[str, Any]) -> None:
    """Has methods that call those of a class, once all are installed, in place of them."""
    _guarded[kind] = before
    for name, method in made.items():
        setattr(kind, name, method)


def compiled(kind: Any, name: str) -> Any:
    """A method or a descriptor of the compiled class, also where one of Python stands for it."""
    if (kind, name) not in _installed:
        if (kind, name) in _unfinished:
            return _unfinished[kind, name]
        return _guarded[kind][name].__get__(None, kind) if name in _guarded.get(kind, ()) else getattr(kind, name)
    found = _installed[kind, name]
    if found is _ABSENT:
        raise AttributeError(f"the compiled {kind.__name__} has no {name}")
    return found


def methods(*kinds: Any) -> Callable[[_Source], _Source]:
    """Has the attributes of a decorated class be those of compiled ones."""

    def installed(source: _Source) -> _Source:
        for name, method in vars(source).items():
            if name in _OF_CLASSES:
                continue
            if isinstance(method, types.FunctionType):
                method.__qualname__ = f"{kinds[0].__name__}.{name}"
            for kind in kinds:
                install(kind, name, method)
        return source

    return installed


def aliases(kind: Any, **names: str) -> None:
    """Other names of compiled methods: `aliases(Series, tolist="to_list")`."""
    for new, old in names.items():
        install(kind, new, compiled(kind, old))


def keep(kind: Any, *names: str) -> None:
    """Compiled methods under private names too, which methods of several classes call: `keep(Series, "rank")` for `self._rank()`."""
    for name in names:
        install(kind, f"_{name}", compiled(kind, name))


def like(method: Any, kind: Any, name: str) -> Any:
    """A function under the name and with the text of a compiled method."""
    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", compiled(kind, name).__doc__
    return method
