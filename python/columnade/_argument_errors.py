"""Errors of arguments: what Python and the compiled part say of a value of a wrong type becomes an error of this package, which names the
method and the argument.

Functions that callers reach (`_install.publish`) call `after` with what went wrong. Errors of functions that a caller gave stay as they are.
"""

from __future__ import annotations

import os
import re

from ._columnade import DataFrame, Expr, Series
from ._errors import ColumnIndexError, ColumnNotImplementedError, ColumnTypeError, ColumnValueError, ColumnadeError, make, rename

_PACKAGE = os.path.dirname(__file__) + os.sep
_STANDARD = os.path.dirname(os.__file__) + os.sep
_PACKAGES = f"{os.sep}site-packages{os.sep}"
# Libraries that this one calls. Errors of other modules are those of functions that a caller gave.
_CALLED = tuple(_PACKAGES + name + os.sep for name in ("numpy", "pandas", "pyarrow", "polars"))
_PROCESSED = r"while processing '(\w+)'"
_NO_CONDITION = ("an expression has no truth value", "an expression has no values", "a series has no truth value")
_BY_ROW = "is a constant: an expression or a series of them is not implemented"
_NO_VALUE = "a column does not hold values of the type "
_NO_DTYPE = ("is no dtype", "a dtype is a name, a type or a dtype")
_UNKNOWN = "got an unexpected keyword argument '{}'"
# What is said of several expressions in place of one.
_COLUMNS = re.compile(r"(not|type) Columns\b|'Columns' object|give a function or an expression")
# Methods that take `inplace` in pandas.
_IN_PLACE = {
    "bfill", "clip", "drop", "drop_duplicates", "dropna", "ffill", "fillna", "interpolate", "rename", "rename_axis", "replace", "reset_index",
    "set_index", "set_names", "sort_index", "sort_values",
}
# What Python and PyO3 say of a value of a wrong type: what is given, and what is expected.
_TEXTS = (
    r"'(?P<given>[\w.]+)' object is not an instance of '(?P<wanted>\w+)'",
    r"'(?P<given>[\w.]+)' is not an instance of '(?P<wanted>\w+)'",
    r"Can't extract `(?P<given>[\w.]+)` to `(?P<wanted>\w+)`",
    r"'(?P<given>[\w.]+)' object cannot be interpreted as an (?P<wanted>integer)",
    r"'(?P<given>[\w.]+)' object is not (?P<wanted>iterable|callable|a mapping|subscriptable)",
    r"argument of type '(?P<given>[\w.]+)' is not (?P<wanted>iterable)",
    r"Value after \* must be an (?P<wanted>iterable), not (?P<given>[\w.]+)",
    r"must be (?P<wanted>real number), not (?P<given>[\w.]+)",
    r"expected (?P<wanted>str, bytes or os\.PathLike) object, not (?P<given>[\w.]+)",
    r"object of type '(?P<given>[\w.]+)' has no (?P<wanted>len)\(\)",
    r"(?P<wanted>unhashable) type: '(?P<given>[\w.]+)'",
)
_WANTED = {
    "str": "a text", "bytes": "bytes", "bool": "True or False", "int": "a whole number", "integer": "a whole number", "float": "a number",
    "real number": "a number", "dict": "a dictionary", "list": "a list", "tuple": "a tuple", "Sequence": "a list", "iterable": "a list",
    "Vec": "a number or a list of them", "callable": "a function", "a mapping": "a dictionary", "subscriptable": "a list", "str, bytes or os.PathLike": "a path or an open file",
    "len": "a list", "unhashable": "one value",
}


def _is_of_library(path):
    """Whether errors of a module are of this package, which called it, and not of a function that a caller gave."""
    if path.startswith(_PACKAGE):
        return True
    return any(part in path for part in _CALLED) if _PACKAGES in path else path.startswith((_STANDARD, "<frozen"))


def _given(call, args, kwargs):
    """The arguments of a call, by name. Those of several values under one name follow with it."""
    import inspect

    try:
        signature = inspect.signature(call)
        bound = signature.bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return dict(kwargs)
    made = {}
    for position, (name, value) in enumerate(bound.items()):
        kind = signature.parameters[name].kind
        if kind is inspect.Parameter.VAR_KEYWORD:
            made.update(value)
        elif position or name not in ("self", "cls"):
            made[name] = value
    return made


def _holds(value, wrong):
    return value is wrong or (isinstance(value, (list, tuple)) and any(part is wrong for part in value))


def _of_type(text, given):
    """The argument whose type a text is of, or None: one that is of no constant before others."""
    form = next((found for found in (re.search(form, text) for form in _TEXTS) if found), None)
    text = form["given"] if form else text
    parts = [(name, part) for name, value in given.items() for part in (value if isinstance(value, (list, tuple)) else [value])]
    named = [(name, part) for name, part in parts if part is not None and re.search(rf"\b{re.escape(type(part).__name__)}\b", text)]
    return min(named, key=lambda pair: type(pair[1]).__module__ == "builtins" and type(pair[1]) is not object, default=None)


def _argument(error, text, given):
    """The name and the value of the argument that an error is of, or None."""
    known = getattr(error, "_argument", None)
    if known is not None and known[0] is not None:
        for name, value in given.items():
            if _holds(value, known[1]):
                return name, known[1]
        return (known[0], given[known[0]]) if known[0] in given else None
    if isinstance(error, AttributeError):
        # Of another object than an argument it is an error of this package.
        return next(((name, value) for name, value in given.items() if value is error.obj), None)
    for note in getattr(error, "__notes__", ()):
        found = re.fullmatch(_PROCESSED, note)
        if found and found[1] in given:
            return found[1], given[found[1]]
    return _of_type(text, given)


def _reason(error, text, name, value):
    """What is wrong with a value, and the kind of the error."""
    found = next((found for found in (re.fullmatch(form, text) for form in _TEXTS) if found), None)
    is_of_value = found or not isinstance(error, TypeError) or any(part in text for part in (*_NO_CONDITION, _NO_VALUE))
    if isinstance(value, (Expr, Series)) and is_of_value and name in ("by", "columns"):
        return "NotImplementedError", f"{name} is a label or a list of them: with_columns makes a column of an expression or a series before"
    if isinstance(value, (Expr, Series)) and is_of_value:
        return "NotImplementedError", f"{name} {_BY_ROW}"
    if found:
        return "TypeError", f"{name} is {_WANTED.get(found['wanted'], found['wanted'])}, not {type(value).__name__}"
    return "TypeError", f"{name}: {text}"


def _is_of_argument(error, operation):
    """Whether an error is of this package and names no argument of the method: of what was given in place of a condition, a list or a value."""
    if isinstance(error, ColumnNotImplementedError):
        return error.operation != operation and _BY_ROW in str(error)
    return isinstance(error, ColumnTypeError) and any(part in str(error) for part in (*_NO_CONDITION, _NO_VALUE))


def _typed(error, operation, call, args, kwargs):
    """An error that names the method and the argument, or None where the error stays as it is."""
    known = getattr(error, "_argument", None)
    is_own = isinstance(error, ColumnadeError) and known is None
    if is_own and not _is_of_argument(error, operation):
        return None
    trace = error.__traceback__.tb_next
    while trace is not None:
        if not _is_of_library(trace.tb_frame.f_code.co_filename):
            return None
        trace = trace.tb_next
    text = str(error) if known is None else known[2]
    given = _given(call, args, kwargs)
    # Before Python 3.11, which has notes, the name stands in the text.
    named = re.fullmatch(r"argument '(\w+)': (.*)", text, re.S)
    if named:
        text = named[2]
        error.__notes__ = [f"while processing '{named[1]}'"]
    if is_own:
        # What the text is of is there as "an expression" or by its type.
        wrong = [] if _NO_VALUE in text else [(name, value) for name, value in given.items() if isinstance(value, (Expr, Series))]
        found = wrong[0] if len(wrong) == 1 else _of_type(text.rpartition(_NO_VALUE)[2], given)
        if found is None:
            return None
        text = text.removeprefix(f"{error.operation}: ")
    else:
        found = _argument(error, text, given)
    unknown = re.search(_UNKNOWN.format(r"(\w+)"), text)
    if unknown and unknown[1] in kwargs:
        found, text = None, f"there is no argument {unknown[1]!r}"
    elif found is None and (isinstance(error, AttributeError) or any(callable(value) for value in given.values())):
        # A function of C that a caller gave has no frame.
        return None
    if isinstance(error, OverflowError):
        kind, reason = "OverflowError", text if found is None else f"{found[0]}: {found[1]!r} is out of bounds"
    elif found is None:
        kind, reason = "NotImplementedError" if isinstance(error, NotImplementedError) else "TypeError", text
    else:
        kind, reason = _reason(error, text, *found)
    made = make(kind, f"{operation}: {reason}", operation=operation, column=getattr(error, "column", None), dtype=getattr(error, "dtype", None))
    made._argument = (*(found or (None, None)), text)
    return made


def _name_series(error, args, kwargs):
    """Has an error about a dtype or a value name the series that the method is of, where it can be of no other."""
    own, others = args[:1], (*args[1:], *kwargs.values())
    if own and isinstance(own[0], Series) and own[0].name is not None and not any(isinstance(other, (Expr, Series)) for other in others):
        error.column = str(own[0].name)


def _source(own):
    """The frame or the series of groups and windows."""
    own = getattr(own, "_groups", own)
    return getattr(own, "_frame", getattr(own, "_source", own))


def _name_dtype(error, args, kwargs):
    """Has an error about values say the dtype of its column of the frame, or of the series, that the method is of."""
    given = getattr(args[0], "_series", args[0]) if args else None
    own = _source(given)
    if own is not given and error.column is None:
        # About the times of windows, or keys.
        return
    if isinstance(own, DataFrame):
        found = [dtype for label, dtype in own.dtypes.items() if error.column is not None and str(label) == error.column]
        error.dtype = str(found[0]) if found else None
    elif isinstance(own, Series) and error.column in (None, str(own.name)) and not any(isinstance(other, (Expr, Series)) for other in (*args[1:], *kwargs.values())):
        error.dtype = str(own.dtype)


def _without_inplace(operation, kwargs):
    """The arguments of a method of pandas that is given inplace=False, which changes nothing here."""
    if operation not in _IN_PLACE:
        raise make("TypeError", f"{operation}: there is no argument 'inplace'", operation=operation) from None
    if kwargs["inplace"] is not False:
        reason = "inplace=True is not implemented: frames and series do not change, and the result is a new one"
        raise make("NotImplementedError", f"{operation}: {reason}", operation=operation) from None
    return {name: value for name, value in kwargs.items() if name != "inplace"}


def _at_home(args, kwargs):
    """The arguments with the folder of a user for `~` at the start of paths, or None where there is none. A file or folder that is called
    so comes first.
    """

    def expanded(value):
        if type(value) in (list, tuple):
            return type(value)(map(expanded, value))
        if isinstance(value, str) or isinstance(value, os.PathLike):
            path = os.fspath(value)
            return os.path.expanduser(path) if isinstance(path, str) and path.startswith("~") else value
        return value

    made = tuple(map(expanded, args)), {name: expanded(value) for name, value in kwargs.items()}
    changed = [old is not new and old != new for old, new in zip((*args, *kwargs.values()), (*made[0], *made[1].values())) if isinstance(old, (str, list, tuple, os.PathLike))]
    return made if any(changed) else None


def _with_dtypes(args, kwargs):
    """The arguments with names for dtypes of Polars, or None where there are none."""
    from ._polars.dtypes import is_of_polars, with_dtypes

    def has_any(value):
        if isinstance(value, dict):
            return any(map(has_any, value.values()))
        return any(map(has_any, value)) if type(value) in (list, tuple) else is_of_polars(value)

    if not has_any(args) and not has_any(kwargs):
        return None
    return tuple(map(with_dtypes, args)), with_dtypes(kwargs)


def _of_columns(error, operation, call, args, kwargs):
    """A call of a method of an expression with arguments that are computed when the frame is known. Other methods refuse them."""
    from ._polars.columns import called_with_columns, has_columns

    if not has_columns((*args[1:], *kwargs.values())):
        return None
    if isinstance(args[0], Expr):
        return lambda: called_with_columns(args[0], call.__name__, args[1:], kwargs)
    name = next((name for name, value in _given(call, args, kwargs).items() if has_columns((value,))), "an argument")
    reason = f"{name}: expressions of several columns, or of rows that are sorted or picked, are not implemented here: with_columns makes columns of them"
    raise make("NotImplementedError", f"{operation}: {reason}", operation=operation) from error


def after(error, operation, call, args, kwargs):
    """Raises the error of a call that names the method and the argument, gives the arguments of another call, a function that makes the
    result, or None where the error stays.
    """
    if isinstance(error, TypeError) and _COLUMNS.search(str(error)):
        made = _of_columns(error, operation, call, args, kwargs)
        if made is not None:
            return made
    if isinstance(error, ColumnadeError):
        if getattr(call, "names_errors", False):
            rename(error, operation)
        if error.column is None and error.dtype is not None:
            _name_series(error, args, kwargs)
        elif error.dtype is None and isinstance(error, (ColumnValueError, ColumnIndexError)):
            _name_dtype(error, args, kwargs)
    if isinstance(error, (ColumnTypeError, ColumnValueError)) and any(part in str(error) for part in _NO_DTYPE):
        return _with_dtypes(args, kwargs)
    if isinstance(error, FileNotFoundError) or isinstance(error, OSError) and "No such file or directory" in str(error):
        return _at_home(args, kwargs)
    if not isinstance(error, (TypeError, AttributeError, OverflowError, NotImplementedError)):
        return None
    if "inplace" in kwargs and _UNKNOWN.format("inplace") in str(error):
        return args, _without_inplace(operation, kwargs)
    made = _typed(error, operation, call, args, kwargs)
    if made is not None:
        raise made from (error.__cause__ if isinstance(error, ColumnadeError) else error)
    return None
