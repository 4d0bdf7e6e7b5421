"""How functions of Python become methods of the compiled classes: each name of a class once, in whatever order modules are imported.

A method that computes something around the compiled one of the same name calls that as `compiled(DataFrame, "shift")`, which is always
the method of the compiled class.

When all modules are imported, `publish` puts the methods on the classes. Callers reach each public one through a single function, which
adds names of levels to the result where a class asks for it, and errors that name the method and the argument. What it does beyond the
call is on the path of errors.
"""

from __future__ import annotations

import types
from typing import Any, Callable, TypeVar

_Source = TypeVar("_Source", bound=type)
_ABSENT: Any = object()
# What each installed name was in the compiled class.
_installed: dict[tuple[Any, str], Any] = {}
# The methods that each class gets.
_methods: dict[Any, dict[str, Any]] = {}
# What completes the results of methods of a class, and the names of these, or None for all public ones.
_completing: dict[Any, tuple[Any, Any]] = {}
# The attributes that published classes had before.
_before: dict[Any, dict[str, Any]] = {}
# Names in the dictionary of every class of Python.
_OF_CLASSES = {*vars(type("_", (), {})), "__annotations__", "__firstlineno__", "__static_attributes__"}
_PLAIN = {types.FunctionType, types.MethodDescriptorType}
_WITHOUT_SELF = {staticmethod, classmethod}


def install(kind: Any, name: str, method: Any) -> None:
    """Gives a class an attribute, which no other call sets."""
    if (kind, name) in _installed:
        raise AssertionError(f"{kind.__name__}.{name} is installed twice: it has one definition, which calls compiled({kind.__name__}, {name!r})")
    _installed[kind, name] = getattr(kind, name, _ABSENT)
    _methods.setdefault(kind, {})[name] = method


def complete(kind: Any, names: Any, function: Any) -> None:
    """Has `function(self, result, method, args, kwargs)` make what methods of a class give: of these names, or all public ones. `self` is
    the first of `args` too.
    """
    if kind in _completing:
        raise AssertionError(f"results of {kind.__name__} are completed twice")
    _completing[kind] = (names, function)


def compiled(kind: Any, name: str) -> Any:
    """A method or a descriptor of the compiled class, also where one of Python stands for it."""
    if (kind, name) in _installed:
        found = _installed[kind, name]
        if found is _ABSENT:
            raise AttributeError(f"the compiled {kind.__name__} has no {name}")
        return found
    if kind in _before and name in _before[kind]:
        found = _before[kind][name]
        return found.__get__(None, kind) if hasattr(found, "__get__") else found
    return getattr(kind, name)


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


def naming(method: Any) -> Any:
    """Has errors of other methods that a method calls name this one."""
    method.names_errors = True
    return method


# What callers reach ------------------------------------------------------------------------------------------------------
def _public(call: Any, operation: str, completed: Any = None, module: str = "columnade._columnade") -> Any:
    """The function that callers reach in place of a method or a function of the package."""
    if completed is None:

        def method(*args, **kwargs):
            try:
                return call(*args, **kwargs)
            except Exception as error:
                again = _after(error, operation, call, args, kwargs)
                if again is None:
                    raise
            return again() if callable(again) else method(*again[0], **again[1])
    else:

        def method(*args, **kwargs):
            try:
                return completed(args[0], call(*args, **kwargs), call, args, kwargs)
            except Exception as error:
                again = _after(error, operation, call, args, kwargs)
                if again is None:
                    raise
            return again() if callable(again) else method(*again[0], **again[1])

    # Signatures are read there when they are asked for.
    method.__wrapped__ = call  # type: ignore[attr-defined]
    method.__name__, method.__qualname__, method.__doc__ = call.__name__, call.__qualname__, call.__doc__
    # Where `pickle` looks for it.
    method.__module__ = module
    return method


def _after(error, operation, call, args, kwargs):
    from ._argument_errors import after

    return after(error, operation, call, args, kwargs)


class _Unmade:
    """A method until it is first taken from its class: to make all of them is a tenth of the time of the package's import."""

    __slots__ = ("_kind", "_name", "_arguments")

    def __init__(self, kind, name, arguments):
        self._kind, self._name, self._arguments = kind, name, arguments

    def __get__(self, instance, owner=None):
        method = _public(*self._arguments)
        setattr(self._kind, self._name, method)
        return method.__get__(instance, owner)


def publish(prefixes: dict[Any, str]) -> None:
    """Puts the methods on their classes. Operations of public ones have these prefixes in errors, by class; other classes have none."""
    for kind, prefix in prefixes.items():
        before = _before[kind] = {}
        for base in kind.__mro__[-2::-1]:
            before.update(vars(base))
        names, function = _completing.get(kind, ((), None))
        for name, call in {**before, **_methods.get(kind, {})}.items():
            of = type(call)
            if name[0] == "_" or of not in _PLAIN and of not in _WITHOUT_SELF:
                continue
            if of in _WITHOUT_SELF:
                setattr(kind, name, of(_public(call.__func__, prefix + name)))
                continue
            completed = function if names is None or name in names else None
            setattr(kind, name, _Unmade(kind, name, (call, prefix + name, completed)))
    for kind, made in _methods.items():
        for name, method in made.items():
            if kind not in prefixes or name[0] == "_" or type(method) not in _PLAIN and type(method) not in _WITHOUT_SELF:
                setattr(kind, name, method)


def publish_functions(names: dict[str, Any]) -> None:
    """Does so with the functions of a module of this package, given by name."""
    for name, value in list(names.items()):
        if name[0] != "_" and type(value) in (types.FunctionType, types.BuiltinFunctionType):
            names[name] = _public(value, name, None, "columnade")
