"""`agg`, `transform` and `apply` of groups in the forms of pandas: names, functions, lists, pairs, dictionaries and named aggregates."""

from __future__ import annotations

import builtins
import inspect
import types
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Series, col, concat
from .._common import _error, _index_of, _name_of, _parts, _side_by_side
from .core import GroupBy, SeriesGroupBy, _COMPILED, grouped, stacked
from .._install import install, keep, like
from .._polars.choose import aggregates as aggregates_of
from .._polars.columns import has_columns


_KINDS: Any = (GroupBy, SeriesGroupBy)
# Aggregates that the engine computes together, by the name of pandas.
_TOGETHER = (
    "sum", "prod", "mean", "min", "max", "count", "var", "std", "sem", "skew", "kurt", "median", "nunique", "first", "last", "any", "all",
)
# Aggregates of expressions that groups have no method for, by their names there and in numpy.
_OF_EXPRESSIONS = {
    "arg_min": "arg_min", "arg_max": "arg_max", "argmin": "arg_min", "argmax": "arg_max", "len": "len", "n_unique": "n_unique",
    "null_count": "null_count", "has_nulls": "has_nulls", "collect_unique": "collect_unique",
}
# Aggregates of one column that `group_by` takes for all of them too.
_OF_COLUMNS = (*_OF_EXPRESSIONS, "idxmin", "idxmax", "quantile", "unique")
# Methods whose results have a row for each row of the frame.
_OF_ROWS = (
    "cumsum", "cumprod", "cummin", "cummax", "cumcount", "ngroup", "rank", "shift", "diff", "pct_change", "ffill", "bfill", "fillna",
    "cum_sum", "cum_product", "cum_min", "cum_max", "fill_forward", "fill_backward",
)
_NO_AGGREGATES = ("agg", "aggregate", "transform", "apply", "filter", "pipe", "rolling", "expanding", "ewm", "resample")
for _class in _KINDS:
    keep(_class, "agg", "transform")
del _class


def _is_series(groups):
    return isinstance(groups, SeriesGroupBy)


def _of_frame(groups):
    return groups._groups if _is_series(groups) else groups


def _is_of_pandas(groups):
    """Whether the groups are those of `groupby`, and not of `group_by`."""
    return builtins.bool(_of_frame(groups)._by)


def _is_function(value):
    return builtins.callable(value) and not isinstance(value, Expr)


def _is_aggregate(value):
    return isinstance(value, (builtins.str, builtins.list, tuple, dict, Expr)) or builtins.callable(value) or type(value).__name__ == "NamedAgg"


def _columns(groups, operation):
    labels = [groups._name] if _is_series(groups) else groups._columns()
    if not labels:
        raise _error("ValueError", operation, "there are no columns besides the keys")
    return labels


def _of_values(function):
    """A function of series: `", ".join` gets a list, since a series does not give its values one by one."""
    is_join = isinstance(getattr(function, "__self__", None), builtins.str) and getattr(function, "__name__", None) == "join"
    return (lambda values: function(values.to_list())) if is_join else function


def _aggregated(groups, function, args=(), kwargs=None):
    """A value of each group that a function makes of its values."""

    function = _of_values(function)

    def value(values):
        made = function(values, *args, **(kwargs or {}))
        if isinstance(made, (DataFrame, Series)):
            raise _error("TypeError", "agg", "the function returns a value for each group; apply takes functions that return rows")
        return made.item() if hasattr(made, "item") and hasattr(made, "dtype") and getattr(made, "shape", None) == () else made

    parts = {}
    for label in _columns(groups, "agg"):
        parts[label] = stacked(groups if _is_series(groups) else groups[label], value)
    of = _of_frame(groups)
    if of._options["as_index"] or of._names is not None:
        return parts[groups._name] if _is_series(groups) else _side_by_side(parts)
    return _with_keys(of, _side_by_side(parts))


def _with_keys(groups, made):
    """A row for each group with the keys as columns before the others."""
    sizes = groups.size()
    keys = {label: sizes[label].reset_index(drop=True) for label in sizes.columns[:-1] if label not in made}
    return DataFrame({**keys, **{label: made[label].reset_index(drop=True) for label in made.columns}})


def in_two_levels(groups, made):
    """Keys that are columns under labels of two levels, where the others have these."""
    if not _is_of_pandas(groups) or not any(isinstance(label, tuple) for label in made.columns):
        return made
    labels = [label if isinstance(label, tuple) else (label, "") for label in made.columns]
    columns = {label: made[old].reset_index(drop=True) for label, old in zip(labels, made.columns)}
    return made if labels == made.columns else DataFrame(columns).with_index(made.index)


def _transformed(groups, function):
    """Values of each row, or one for all of a group, that a function makes of the values of a group."""
    function = _of_values(function)

    def rows(values):
        made = function(values)
        if not isinstance(made, Series):
            return Series([made] * builtins.len(values)).to_device(values.device).with_index(values.index)
        if builtins.len(made) != builtins.len(values):
            reason = f"the function returned {builtins.len(made)} values for {builtins.len(values)} rows"
            raise _error("ValueError", "transform", reason)
        return made

    if not _is_series(groups):
        return _side_by_side({label: _transformed(groups[label], function) for label in _columns(groups, "transform")})
    # One group after the other, each in the order of its rows; rows of no group come last.
    numbers = groups.ngroup()
    order = numbers.reset_index(drop=True).argsort()
    made = _COMPILED["SeriesGroupBy"].apply(groups._native, rows)
    values = made.reset_index(drop=True)
    missing = builtins.len(numbers) - builtins.len(values)
    if missing:
        values = concat([values, Series([None] * missing).to_device(values.device)], ignore_index=True)
    return values.take(order.argsort().to_list()).rename(made.name).with_index(numbers.index)


def _named(function):
    """A function by its name, where it has one here."""
    if not _is_function(function):
        return function
    if function is builtins.list:
        return "collect"
    name = _name_of(function)
    known = (*("sum", "mean", "min", "max", "median", "std", "var", "prod", "any", "all"), "cumsum", "cumprod")
    return name if name in known else function


def _names_of(functions):
    """The label of each aggregate of a list, of which a pair has one."""
    names = []
    for function in functions:
        is_pair = isinstance(function, tuple) and builtins.len(function) == 2 and isinstance(function[0], builtins.str)
        names.append(function[0] if is_pair else function if isinstance(function, builtins.str) else getattr(function, "__name__", "function"))
    if builtins.len(names) > 1:
        places = iter(builtins.range(builtins.len(names)))
        names = [f"<lambda_{next(places)}>" if name == "<lambda>" else name for name in names]
    for name in names:
        if names.count(name) > 1:
            raise _error("ValueError", "agg", f"two aggregates are called {name!r}")
    return names


def _without_label(function):
    return function[1] if isinstance(function, tuple) and builtins.len(function) == 2 else function


def _has_functions(value):
    if isinstance(value, (builtins.list, tuple)):
        return any(_has_functions(part) for part in value)
    if isinstance(value, dict):
        return any(_has_functions(part) for part in value.values())
    return _is_function(value)


def _replaced(value):
    """Functions that have a name here, by it."""
    if isinstance(value, builtins.list):
        return [_replaced(part) for part in value]
    if type(value).__name__ == "NamedAgg":
        args, kwargs = getattr(value, "args", ()), getattr(value, "kwargs", {})
        function = value.aggfunc
        if args or kwargs:
            return (value.column, _Call(function, args, kwargs))
        return (value.column, _replaced(function))
    if isinstance(value, tuple):
        return tuple(_replaced(part) for part in value)
    if isinstance(value, dict):
        return {label: _replaced(part) for label, part in value.items()}
    return _named(value)


class _Call:
    """An aggregate with arguments."""

    def __init__(self, function, args, kwargs):
        self.function, self.args, self.kwargs = function, args, kwargs


def _method(groups, name, operation):
    """A method of groups by its name."""
    if name.startswith("_") or name in _NO_AGGREGATES or not isinstance(getattr(type(groups), name, None), types.FunctionType):
        raise _error("ValueError", operation, f"{name!r} is no aggregate of groups")
    return getattr(groups, name)


def _one(groups, function, args=(), kwargs=None):
    """One aggregate of groups: by name, or a function of the values of each group."""
    kwargs = kwargs or {}
    if isinstance(function, _Call):
        return _one(groups, function.function, function.args, function.kwargs)
    if isinstance(function, builtins.str):
        if not args and not kwargs and not hasattr(type(groups), function):
            if not _is_series(groups) and function in _OF_COLUMNS:
                return _of_dictionary(groups, dict.fromkeys(_columns(groups, "agg"), function))
            return groups._agg(_of_expression(groups._name, function) if _is_series(groups) else function)
        method = _method(groups, function, "agg")
        try:
            inspect.signature(method).bind(*args, **kwargs)
        except TypeError as error:
            raise _error("TypeError", "agg", f"{function!r} with these arguments: {error}") from None
        return method(*args, **kwargs)
    if isinstance(function, Expr):
        return groups._agg(function)
    if not builtins.callable(function):
        raise _error("TypeError", "agg", f"the name of an aggregate is a string, not {type(function).__name__}")
    return _aggregated(groups, function, args, kwargs)


def _of_expression(column, function):
    """An aggregate of a column by a name that expressions have, as one; others as they are."""
    name = _OF_EXPRESSIONS.get(function) if isinstance(function, builtins.str) else None
    return function if name is None else getattr(col(column), name)().alias(column)


def _together(groups, parts):
    """Aggregates as columns: those that the engine has at once, and each other one by itself."""
    names = {}
    for label, column, function in parts:
        if label in names:
            raise _error("ValueError", "agg", f"two aggregates are called {label!r}")
        names[label] = (column, function)
    frame_groups = _of_frame(groups)
    labels = frame_groups._frame.columns
    for _, column, _ in parts:
        if column not in labels:
            known = ", ".join(map(repr, labels))
            raise _error("KeyError", "agg", f"there is no column {column!r}; there is {known}", column)
    if not isinstance(groups, SeriesGroupBy) and frame_groups._names is None:
        own = frame_groups._own_labels()
        if any(column in own or label in own for label, column, _ in parts):
            # A key that is a value too has another name while the groups are computed.
            groups = frame_groups = frame_groups._hiding("agg")
    at_once = [
        native_of(function, column).alias(label) for label, (column, function) in names.items()
        if isinstance(function, builtins.str) and function in _TOGETHER
    ]
    others = {
        label: (column, function) for label, (column, function) in names.items()
        if not (isinstance(function, builtins.str) and function in _TOGETHER)
    }
    made = frame_groups._finished(_COMPILED["GroupBy"].agg(frame_groups._native, *at_once)) if at_once else None
    if not others:
        return made
    values, index, before = {}, None, {}
    for label, (column, function) in others.items():
        part = _one(groups if _is_series(groups) and groups._name == column else frame_groups[column], function)
        if isinstance(part, DataFrame):
            # The columns before the last one are keys.
            before = {key: part[key].reset_index(drop=True) for key in part.columns[:-1]}
            part = part[part.columns[-1]]
        values[label] = part.reset_index(drop=True)
        index = part.index if index is None or _is_function(function) else index
    keys = frame_groups._options["as_index"]
    if made is not None:
        first = {label: made[label].reset_index(drop=True) for label in made.columns}
        before = {label: part for label, part in first.items() if label not in names}
        values = before | {label: first[label] if label in first else values[label] for label in names}
        return DataFrame(values).with_index(made.index)
    frame = DataFrame({**({} if keys else before), **values}).with_index(index)
    return frame if keys or index.nlevels == 1 and index.kind == "range" and index.name is None else frame.reset_index()


def native_of(function, label):
    """An aggregate of the engine by name."""
    return getattr(col(label), function)()


def _of_list(groups, functions):
    """Aggregates of a list: of one column under their names, of several under the label of the column too."""
    names = _names_of(functions)
    functions = [_without_label(function) for function in functions]
    if _is_series(groups):
        return _together(groups, [(name, groups._name, function) for name, function in zip(names, functions)])
    parts = [
        (_two(groups, label, name), label, function)
        for label in _columns(groups, "agg") for name, function in zip(names, functions)
    ]
    return in_two_levels(groups, _together(groups, parts))


def _two(groups, label, name):
    return (*_parts(label), name) if _is_of_pandas(groups) else f"{label}_{name}"


def _of_dictionary(groups, by_column):
    """Aggregates by column: labels of two levels where one has a list."""
    if not by_column:
        raise _error("ValueError", "agg", "the dictionary of aggregates is empty")
    has_lists = _is_of_pandas(groups) and any(isinstance(functions, builtins.list) for functions in by_column.values())
    parts = []
    for label, functions in by_column.items():
        if isinstance(functions, dict):
            raise _error("ValueError", "agg", f"{label!r} has a dictionary: new labels are given by keywords, label=(column, name)")
        if isinstance(functions, builtins.list):
            for name, function in zip(_names_of(functions), functions):
                parts.append((_two(groups, label, name), label, _without_label(function)))
        else:
            parts.append(((*_parts(label), _names_of([functions])[0]) if has_lists else label, label, functions))
    return in_two_levels(groups, _together(groups, parts))


def _of_keywords(groups, named):
    """Aggregates under new labels."""
    parts = []
    for label, part in named.items():
        if _is_series(groups):
            parts.append((label, groups._name, part))
        elif isinstance(part, tuple) and builtins.len(part) == 2:
            parts.append((label, *part))
        else:
            raise _error("TypeError", "agg", f"{label} is a column and an aggregate, not {part!r}")
    return _together(groups, parts)


def _takes(method, keywords):
    """Whether keywords are arguments of a method."""
    import inspect

    try:
        parameters = inspect.signature(method).parameters
    except (TypeError, ValueError):
        return False
    return builtins.set(keywords) <= parameters.keys()


def _on(groups, frame):
    """The same groups of a frame with further columns, or of the columns that no key is."""
    if groups._frame is frame:
        return groups
    return grouped(frame, builtins.list(groups._keys), groups._options, groups._names, groups._by, groups._own, groups._levels)


def _agg(self, *aggregates, **named):
    for name in ("engine", "engine_kwargs"):
        if named.get(name, 0) is None:
            named.pop(name)
    if not aggregates and not named:
        if _is_of_pandas(self):
            raise _error("TypeError", "agg", "give an aggregate")
        return self._agg()
    if has_columns(aggregates) or has_columns(named.values()):
        of, keys = _of_frame(self), self.ngroup
        frame, made = aggregates_of(of._frame, aggregates, named, keys, of._own_labels())
        return _agg(_on(of, frame), *made)
    first, rest = (aggregates[0], aggregates[1:]) if aggregates else (None, ())
    if first is None and aggregates:
        return _agg(self, *rest, **named)
    if type(first).__name__ == "NamedAgg":
        raise _error("TypeError", "agg", "a NamedAgg is given by a keyword, label=NamedAgg(column, name)")
    if isinstance(first, builtins.str) and (named or rest):
        method = getattr(type(self), first, None)
        is_argument = not any(map(_is_aggregate, rest)) if rest else _takes(method, named)
        if method is not None and is_argument:
            return _method(self, first, "agg")(*rest, **named)
    if _is_function(first) and (rest or named):
        if not any(map(_is_aggregate, rest)) and not any(isinstance(part, tuple) for part in named.values()):
            return _aggregated(self, first, rest, named)
    aggregates = [_replaced(part) for part in aggregates]
    named = {label: _replaced(part) for label, part in named.items()}
    if builtins.len(aggregates) == 1 and not named:
        given = aggregates[0]
        if isinstance(given, builtins.str):
            if given in _OF_COLUMNS and not _is_of_pandas(self) and not _is_series(self):
                return _of_dictionary(self, dict.fromkeys(_columns(self, "agg"), given))
            return _one(self, given) if _is_of_pandas(self) or not isinstance(self, GroupBy) else self._agg(given)
        if _is_function(given):
            return _aggregated(self, given)
        if isinstance(given, dict) and _is_series(self):
            raise _error("ValueError", "agg", "a dictionary is of the columns of a frame: new labels are given by keywords, label=name")
        if isinstance(given, dict):
            return _of_dictionary(self, given)
        if isinstance(given, (builtins.list, tuple)) and given and not any(isinstance(part, Expr) for part in given):
            return _of_list(self, builtins.list(given))
    if not aggregates and not any(_has_expressions(part) for part in named.values()):
        return _of_keywords(self, named)
    if _has_functions(aggregates) or _has_functions(named):
        return _mixed(self, aggregates, named)
    is_known = lambda part: isinstance(part, tuple) and builtins.len(part) == 2 and part[1] in _OF_EXPRESSIONS
    return self._agg(*aggregates, **{label: _of_expression(*part) if is_known(part) else part for label, part in named.items()})


def _has_expressions(value):
    if isinstance(value, (builtins.list, tuple)):
        return any(_has_expressions(part) for part in value)
    return isinstance(value, Expr)


def _mixed(groups, aggregates, named):
    """Several aggregates, of which some are functions, as columns of one frame."""
    parts = []
    for given in aggregates:
        if isinstance(given, dict) and not _is_series(groups):
            by_column = given
        elif isinstance(given, builtins.list) or _is_function(given):
            by_column = {label: given for label in _columns(groups, "agg")}
        else:
            raise _error("TypeError", "agg", f"beside functions there are names, lists and dictionaries, not {given!r}")
        for label, functions in by_column.items():
            if not isinstance(functions, builtins.list):
                parts.append((label, label, functions))
                continue
            for name, function in zip(_names_of(functions), functions):
                parts.append((name if _is_series(groups) else _two(groups, label, name), label, _without_label(function)))
    for label, part in named.items():
        is_pair = isinstance(part, tuple) and builtins.len(part) == 2
        if not _is_series(groups) and not is_pair:
            raise _error("TypeError", "agg", f"{label} is a column and an aggregate, not {part!r}")
        parts.append((label, groups._name, part) if _is_series(groups) else (label, *part))
    return _together(groups, parts)


def to_rows(groups, made):
    """The value of each group in all rows of it."""
    if isinstance(made, DataFrame):
        own = _of_frame(groups)._columns()
        made = made[[label for label in made.columns if label in own]] if not _of_frame(groups)._options["as_index"] else made
        made = made[groups._name] if _is_series(groups) else made
    numbers = groups.ngroup()
    values = made.reset_index(drop=True)
    count = builtins.len(values)
    if count == 0:
        return values.with_index(numbers.index)
    if numbers.null_count:
        # Rows of no group take a row of nulls behind the others.
        values, numbers = concat([values, values.head(1).shift(1)], ignore_index=True), numbers.fill_null(count)
    return values.take(numbers.reset_index(drop=True)).with_index(numbers.index)


def _of_name(groups, name, args, kwargs):
    """`transform` of the name of a method."""
    if name in _OF_ROWS:
        return _method(groups, name, "transform")(*args, **kwargs)
    if name in _TOGETHER and not args and not kwargs:
        return groups._transform(name)
    if name == "size":
        return _sizes(groups)
    if not hasattr(type(groups), name):
        return groups._transform(name)
    if name in ("head", "tail", "nth", "take", "sample", "describe", "ohlc", "value_counts", "nlargest", "nsmallest", "unique", "get_group"):
        raise _error("ValueError", "transform", f"{name!r} has no value for each row or group")
    made = _method(groups, name, "transform")(*args, **kwargs)
    if not isinstance(made, (Series, DataFrame)):
        raise _error("ValueError", "transform", f"{name!r} has no value for each row or group")
    return to_rows(groups, made)


def _sizes(groups):
    """The number of rows of the group of each row."""
    numbers = groups.ngroup()
    frame = DataFrame({"group": numbers.reset_index(drop=True)})
    made = frame.select(native.when(col("group").is_null()).then(None).otherwise(native.len().over("group")).alias("size"))
    return made["size"].rename(groups._name if _is_series(groups) else None).with_index(numbers.index)


def _transform(self, *aggregates, **named):
    for name in ("engine", "engine_kwargs"):
        if named.get(name, 0) is None:
            named.pop(name)
    first, rest = (aggregates[0], aggregates[1:]) if aggregates else (None, ())
    first = _named(first)
    if isinstance(first, builtins.str) and not any(map(_is_aggregate, rest)) and not any(_has_expressions(part) for part in named.values()):
        if not any(isinstance(part, tuple) for part in named.values()):
            return _of_name(self, first, rest, named)
    if _is_function(first):
        function = first
        if rest or named:
            return _transformed(self, lambda values: function(values, *rest, **named))
        return _transformed(self, function)
    if isinstance(first, builtins.list) and builtins.len(aggregates) == 1 and not named and _is_of_pandas(self) and not _has_expressions(first):
        if _is_series(self):
            raise _error("NotImplementedError", "transform", "a list is of the columns of a frame: make one after the other")
        parts = {}
        for label in _columns(self, "transform"):
            for name, function in zip(_names_of(first), first):
                parts[(*_parts(label), name)] = _transform(self[label], _without_label(function))
        return _side_by_side(parts)
    return self._transform(*[_replaced(part) for part in aggregates], **named)


def _adding(target):
    def agg(self, *aggregates, **named):
        return _agg(self, *aggregates, **named)

    def transform(self, *aggregates, **named):
        return _transform(self, *aggregates, **named)

    for name, method in (("agg", agg), ("aggregate", agg), ("transform", transform)):
        install(target, name, like(method, target, method.__name__))


# Functions of the rows of each group ----------------------------------------------------------------------------------------
def _without_keys(groups, made, parts, before):
    """Rows that a function returned, without the keys before their labels; in the order of the frame where it kept the labels."""
    index, count = made.index, parts[0].index.nlevels
    first = index.nlevels - count
    levels = [index.get_level_values(place).to_series().reset_index(drop=True) for place in builtins.range(first, index.nlevels)]
    names = builtins.list(index.names[first:])
    made = made.with_index(_index_of(levels, names))
    if all(part.index.equals(rows.index) for part, rows in zip(parts, before)):
        numbers = groups.ngroup().reset_index(drop=True)
        numbers = numbers.drop_nulls().reset_index(drop=True)
        order = numbers.argsort().argsort()
        made = made.take(order)
    return made


def _wide(parts, keys):
    """A row for each group of series with the same labels."""
    labels = parts[0].index.to_list()
    whole, count = concat([part.reset_index(drop=True).rename(None) for part in parts], ignore_index=True), builtins.len(labels)
    places = builtins.range(builtins.len(parts))
    columns = {label: whole.take([place * count + at for place in places]).reset_index(drop=True) for at, label in enumerate(labels)}
    return DataFrame(columns).with_index(keys)


def _by_name(groups, function, args, kwargs):
    if kwargs.pop("include_groups", False):
        raise _error("ValueError", "apply", "include_groups is False: the keys are no columns of the rows")
    if function is builtins.list and _is_series(groups):
        return groups.agg("collect")
    if isinstance(function, builtins.str):
        return _method(groups, function, "apply")(*args, **kwargs)
    if not builtins.callable(function):
        raise _error("TypeError", "apply", f"function is a function or a name, not {type(function).__name__}")
    return None


def _applied(groups, native_groups, call):
    """What a function makes of each group, and the series or frames that it was called with and returned."""
    before, parts = [], []

    def collected(values):
        made = call(values)
        before.append(values)
        parts.append(made)
        return made

    made = _COMPILED[type(groups).__name__].apply(native_groups, collected)
    made = groups._finished(made.to_device(_of_frame(groups)._frame.device))
    return made, before, parts


def _are_rows(parts):
    return builtins.bool(parts) and all(isinstance(part, (Series, DataFrame)) for part in parts)


def _apply_of_frames(self, function, *args, **kwargs):
    kwargs = dict(kwargs)
    by_name = _by_name(self, function, args, kwargs)
    if by_name is not None:
        return by_name
    labels = self._columns() if self._by else self._chosen

    def call(rows):
        return function(self._leveled(rows if labels is None else rows[labels]), *args, **kwargs)

    made, before, parts = _applied(self, self._narrow(), call)
    if not self._by:
        return made
    if not parts and isinstance(made, DataFrame) and self._options["as_index"]:
        # Without a group the keys are row labels, and no values.
        return made[[label for label in labels if label in made]]
    if builtins.len(parts) and all(isinstance(part, Series) for part in parts):
        if all(part.index.equals(parts[0].index) for part in parts[1:]):
            # A function of each group that returns the same labels has a row of them for each group.
            sizes = self.size()
            frame = _wide(parts, sizes.index)
            if isinstance(sizes, DataFrame):
                keys = {label: sizes[label] for label in sizes.columns[:-1]}
                return DataFrame({**keys, **{label: frame[label].reset_index(drop=True) for label in frame.columns}})
            return frame
    if _are_rows(parts) and not self._by["group_keys"]:
        return _without_keys(self, made, parts, before)
    if not self._options["as_index"] and isinstance(made, Series) and not _are_rows(parts) and self._names is None:
        sizes = self.size()
        return DataFrame({**{label: sizes[label] for label in sizes.columns[:-1]}, None: made.reset_index(drop=True)})
    return made


def _apply_of_series(self, function, *args, **kwargs):
    kwargs = dict(kwargs)
    by_name = _by_name(self, function, args, kwargs)
    if by_name is not None:
        return by_name
    call = _of_values(function)
    made, before, parts = _applied(self, self._native, lambda values: call(values, *args, **kwargs))
    if _are_rows(parts) and self._groups._by and not self._groups._by["group_keys"]:
        return _without_keys(self, made, parts, before)
    if self._groups._by and not _are_rows(parts) and not self._groups._options["as_index"] and self._groups._names is None:
        return _with_keys(self._groups, made.to_frame())
    return made


for _kind, _method_of in ((GroupBy, _apply_of_frames), (SeriesGroupBy, _apply_of_series)):
    _adding(_kind)
    install(_kind, "apply", like(_method_of, _kind, "apply"))
del _kind, _method_of
