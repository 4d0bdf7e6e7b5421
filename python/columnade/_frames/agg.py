"""`agg` of frames and series: names, functions, lists, dictionaries and named aggregates, labelled by row as in pandas."""

from __future__ import annotations

import builtins
import inspect

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series, col, concat
from .._common import _axis, _by_label, _error, _is_number, _name_of, _plain
from .._errors import make
from .._install import compiled, methods
from .._polars.choose import aggregates as aggregates_of
from .._polars.columns import Columns, has_columns as _has_columns
from .tables import _AGGREGATES


_AGG = compiled(DataFrame, "agg")


def _label_index(labels):
    """Labels of columns as row labels: tuples are those of several levels."""
    labels = builtins.list(labels)
    if labels and all(isinstance(label, tuple) for label in labels):
        return Index.from_arrays([Series(builtins.list(level)) for level in zip(*labels)], [None] * builtins.len(labels[0]))
    kinds = {type(label) for label in labels}
    return Index(labels if builtins.len(kinds) <= 1 else [builtins.str(label) for label in labels])


def _one_row(row):
    """The values of a frame of one row, by the labels of its columns."""
    labels = builtins.list(row.columns)
    if not labels:
        return _by_label({})
    kinds = {builtins.str(dtype) for dtype in row.dtypes.values()}
    if builtins.len(kinds) > 1 and not all(_is_number(dtype) for dtype in row.dtypes.values()):
        text = ", ".join(f"{label!r} {dtype}" for label, dtype in row.dtypes.items())
        raise _error("TypeError", "agg", f"values of several dtypes have no series: {text}; choose columns, or give expressions")
    if "bool" in kinds and builtins.len(kinds) > 1:
        raise _error("TypeError", "agg", f"booleans and numbers have no common dtype: choose columns among {labels}")
    common = "float64" if builtins.len(kinds) > 1 else None
    parts = [_plain(row[label]) if common is None else _plain(row[label]).cast(common) for label in labels]
    return concat([part.rename(None) for part in parts], ignore_index=True).with_index(_label_index(labels))


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def agg(self, func=None, *aggregates, axis=0, **named):
        """Aggregates of columns. Of a name or a function a series by column, of a list of them a frame with a row for each; of a dictionary
        by column a series, or a frame where a list is among its values, and of `label=(column, name)` a frame with a row for each label.
        Expressions, also as `label=expression`, give a frame of one row.
        """
        if isinstance(axis, (tuple, Expr)) or type(axis).__name__ == "NamedAgg":
            named, axis = {"axis": axis, **named}, 0
        if isinstance(func, tuple) and builtins.len(func) == 2 or type(func).__name__ == "NamedAgg" or isinstance(func, Expr) and not aggregates:
            if isinstance(func, Expr):
                return _AGG(self, func, **named)
            named, func = {"func": func, **named}, None
        return _aggregated(self, func, aggregates, axis, named)

    aggregate = agg


# Aggregates of frames ----------------------------------------------------------------------------------------------------
def _known(function):
    """The name of an aggregate of expressions for a name or a function, or None."""
    name = _name_of(function) if builtins.callable(function) else function
    return name if isinstance(name, builtins.str) and (name in _AGGREGATES or name == "size") else None


def _called(function):
    return function if isinstance(function, builtins.str) else getattr(function, "__name__", builtins.str(function))


def _called_by_name(values, name, args=(), kwargs=None):
    """What a method or a fact of a series or a frame is, by its name."""
    given = None if name.startswith("_") else inspect.getattr_static(type(values), name, None)
    made = None if given is None else getattr(values, name)
    if builtins.callable(made):
        return made(*args, **(kwargs or {}))
    # Namespaces, labels and the values themselves are no aggregates.
    if args or kwargs or not isinstance(made, (bool, int, float)):
        raise _error("ValueError", "agg", f"there is no aggregate {name!r}")
    return made


def _value(values, function):
    """What a function, or a method by its name, makes of a column: one value."""
    if isinstance(function, builtins.str):
        made = _called_by_name(values, function)
    elif builtins.callable(function):
        made = function(values)
    else:
        raise _error("TypeError", "agg", f"an aggregate is a name or a function, not {type(function).__name__}")
    if isinstance(made, (Series, DataFrame, Index)):
        raise _error("NotImplementedError", "agg", f"{_called(function)} gives several values of a column: use transform or apply")
    return made


def _row(frame, functions):
    """A frame of one row with an aggregate of each of some columns."""
    exprs, others = [], {}
    for label, function in functions.items():
        name = _known(function)
        if name is None:
            others[label] = _value(frame[label], function)
        else:
            exprs.append((native.len() if name == "size" else getattr(col(label), _AGGREGATES[name])()).alias(label))
    made = _AGG(frame, *exprs) if exprs else None
    columns = {}
    for label in functions:
        columns[label] = _plain(made[label]) if label not in others else Series([others[label]]).to_device(frame.device)
    return DataFrame(columns)


def _below(frame, rows):
    """Rows of aggregates one below the other, under the labels of a list of pairs; what a row does not have is null."""
    labels = [label for label in frame.columns if any(label in made for _, made in rows)]
    columns = {}
    for label in labels:
        parts = [_plain(made[label]) if label in made else None for _, made in rows]
        columns[label] = _column(label, parts, [name for name, _ in rows])
    return DataFrame(columns).with_index(_label_index(name for name, _ in rows))


def _column(label, parts, names):
    kinds = {builtins.str(part.dtype): part.dtype for part in parts if part is not None}
    if builtins.len(kinds) > 1:
        if not all(_is_number(dtype) for dtype in kinds.values()) or "bool" in kinds:
            text = ", ".join(f"{name} {part.dtype}" for name, part in zip(names, parts) if part is not None)
            reason = f"column {label!r}: {text} have no common dtype: ask for one after the other"
            raise make("TypeError", f"agg: {reason}", operation="agg", column=builtins.str(label))
        parts = [part if part is None else part.cast("float64") for part in parts]
    dtype = next(part.dtype for part in parts if part is not None)
    device = next(part.device for part in parts if part is not None)
    missing = Series([None], dtype=dtype).to_device(device)
    return concat([(missing if part is None else part).rename(None) for part in parts], ignore_index=True)


def _by_list(frame, functions):
    if not functions:
        raise _error("ValueError", "agg", "there are no aggregates")
    return _below(frame, [(_called(function), _row(frame, dict.fromkeys(frame.columns, function))) for function in functions])


def _by_dict(frame, functions):
    if not functions:
        raise _error("ValueError", "agg", "there are no aggregates")
    for label in functions:
        if label not in frame:
            raise make("KeyError", f"agg: there is no column {label!r}", operation="agg", column=builtins.str(label))
    if not any(isinstance(of, (builtins.list, tuple)) for of in functions.values()):
        return _one_row(_row(frame, functions))
    lists = {label: builtins.list(of) if isinstance(of, (builtins.list, tuple)) else [of] for label, of in functions.items()}
    names = dict.fromkeys(_called(function) for of in lists.values() for function in of)
    rows = []
    for name in names:
        asked = {label: function for label, of in lists.items() for function in of if _called(function) == name}
        rows.append((name, _row(frame, asked)))
    made = _below(frame[builtins.list(functions)], rows)
    return made[builtins.list(functions)]


def _named_aggregate(label, part):
    if type(part).__name__ == "NamedAgg":
        return part.column, part.aggfunc
    if isinstance(part, tuple) and builtins.len(part) == 2:
        return part
    raise _error("TypeError", "agg", f"{label} is a column and an aggregate, or an expression, not {part!r}")


def _is_native(part):
    """Whether an argument of `agg` is made of expressions."""
    if isinstance(part, builtins.list):
        return builtins.bool(part) and all(isinstance(one, Expr) for one in part)
    return isinstance(part, (Expr, native.When))


def _aggregated(frame, func, aggregates, axis, named):
    given = ([] if func is None else [func]) + builtins.list(aggregates)
    if _has_columns(given) or any(isinstance(value, Columns) for value in named.values()):
        frame, made = aggregates_of(frame, given, named)
        return _AGG(frame, *made)
    if given and all(map(_is_native, given)) or not given and named and all(map(_is_native, named.values())):
        return _AGG(frame, *given, **named)
    if aggregates and isinstance(aggregates[0], int) and builtins.len(aggregates) == 1 and not named:
        axis, given = aggregates[0], [func]
    if builtins.len(given) > 1 or any(map(_is_native, given)):
        raise _error("TypeError", "agg", "give expressions, or one name, function, list or dictionary")
    if _axis(axis, "agg") == 1:
        return _by_rows(frame, func, named)
    if func is None:
        if not named:
            raise _error("TypeError", "agg", "give aggregates")
        rows = []
        for label, part in named.items():
            column, function = _named_aggregate(label, part)
            if column not in frame:
                raise make("KeyError", f"agg: there is no column {column!r}", operation="agg", column=builtins.str(column))
            rows.append((label, _row(frame, {column: function})))
        order = dict.fromkeys(_named_aggregate(label, part)[0] for label, part in named.items())
        return _below(frame, rows)[builtins.list(order)]
    if isinstance(func, dict):
        return _by_dict(frame, func)
    if isinstance(func, (builtins.list, tuple)):
        return _by_list(frame, builtins.list(func))
    if isinstance(func, builtins.str):
        if func == "size":
            return frame.size
        if not func.startswith("_") and builtins.callable(getattr(frame, func, None)):
            return getattr(frame, func)(**named)
        return _one_row(_row(frame, dict.fromkeys(frame.columns, func)))
    if builtins.callable(func):
        if _known(func) is not None and not named:
            return _one_row(_row(frame, dict.fromkeys(frame.columns, func)))
        return frame.apply(func, **named)
    raise _error("TypeError", "agg", f"an aggregate is an expression, a name, a function, a list or a dictionary, not {type(func).__name__}")


def _by_rows(frame, func, named):
    """Aggregates of each row."""
    functions = func if isinstance(func, (builtins.list, tuple)) else [func]
    made = {}
    for function in functions:
        name = _known(function)
        name = {"product": "prod"}.get(name, name)
        if name is None or not hasattr(frame, name) or isinstance(func, dict):
            raise _error("NotImplementedError", "agg", f"axis=1 of {function!r} is not implemented: use apply with axis=1")
        made[_called(function)] = getattr(frame, name)(axis=1, **named)
    if functions is not func:
        return next(iter(made.values()))
    return DataFrame({label: _plain(values) for label, values in made.items()}).with_index(frame.index)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def agg(self, func=None, axis=0, *args, **kwargs):
        """An aggregate by its name, or what a function makes of the series; of a list or a dictionary of them, or of `label=name`, a series
        by name.
        """
        if func is None:
            if not kwargs:
                raise _error("TypeError", "agg", "give aggregates")
            func, kwargs = kwargs, {}
        if isinstance(func, (builtins.list, tuple, dict)):
            pairs = builtins.list(func.items()) if isinstance(func, dict) else [(_called(of), of) for of in func]
            rows = [_row(self.to_frame("value"), {"value": of}) for _, of in pairs]
            names = [name for name, _ in pairs]
            if not rows:
                raise _error("ValueError", "agg", "there are no aggregates")
            made = _column(self.name, [_plain(row["value"]) for row in rows], names)
            return made.rename(self.name).with_index(_label_index(names))
        if isinstance(func, builtins.str):
            return _called_by_name(self, func, args, kwargs)
        return func(self, *args, **kwargs)

    aggregate = agg
