"""`select`, `with_columns`, `filter` and `agg` of several columns at once, and of rows of another number."""

from __future__ import annotations

import builtins
import functools
import operator

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Series
from .._common import _error
from .._install import compiled, methods
from .columns import Columns, Context, Part, expression_of, has_columns, is_dtype, is_pattern, root_of, wanted_labels
from .rows import Lists


_SELECT, _CAST = compiled(DataFrame, "select"), compiled(DataFrame, "cast")


def stands_for_several(value):
    """Whether something in place of a column or an expression is resolved with the frame."""
    if isinstance(value, builtins.str):
        return is_pattern(value)
    if isinstance(value, builtins.list):
        return any(map(stands_for_several, value))
    return isinstance(value, (Columns, native.When)) or isinstance(value, tuple) and any(isinstance(one, (Expr, Columns)) for one in value)


def has_several(values, named):
    """The same of all arguments."""
    return any(map(stands_for_several, values)) or any(isinstance(value, (Columns, native.When)) for value in named.values())


def _parts(context, values, named):
    made = [part for value in values for part in context.parts(value)]
    for label, value in named.items():
        if isinstance(value, (Columns, native.When, Expr)):
            found = context.parts(value)
            if builtins.len(found) != 1:
                raise _error("ValueError", context.operation, f"{label!r} is one column, and {builtins.len(found)} are given")
            made += [part._replace(label=label) for part in found]
        else:
            made.append(Part(label, None, native.lit(value)))
    return made


def expressions(frame, values, named, operation):
    """A context, and expressions over its frame, that arguments stand for."""
    context = Context(frame, operation)
    return context, [expression_of(part, context) for part in _parts(context, values, named)]


def selected(frame, values, named, operation="select"):
    """What `select` gives."""
    context = Context(frame, operation)
    parts = _parts(context, values, named)
    if all(isinstance(part.value, Expr) for part in parts):
        made = [expression_of(part) for part in parts]
        return _SELECT(context.frame, *made)
    return _of_rows(context, parts)


def _of_rows(context, parts):
    """Rows of one number, in which single values are repeated. They have new labels."""
    columns, lengths, single = {}, {}, []
    for label, _, value, _ in parts:
        if label in columns:
            raise _error("ValueError", context.operation, f"two columns are called {label!r}: give one of them another label with alias")
        if not isinstance(value, Expr):
            columns[label] = value.series
        elif _is_single(context, value):
            single.append(label)
            columns[label] = context.values(value) if builtins.len(context.frame) else _of_none(context, value)
            continue
        else:
            columns[label] = context.values(value)
        lengths[label] = builtins.len(columns[label])
    if builtins.len(set(lengths.values())) > 1:
        text = ", ".join(f"{label!r} {count}" for label, count in lengths.items())
        raise _error("ValueError", context.operation, f"columns have other numbers of rows: {text}")
    count = next(iter(lengths.values()))
    for label in single:
        columns[label] = columns[label].head(1).repeat(count).reset_index(drop=True)
    return DataFrame(columns)


def _is_single(context, expression):
    """Whether an expression is an aggregate or a constant."""
    try:
        context.frame[:0].agg(expression)
    except (TypeError, ValueError):
        return root_of(expression) is None and "row_number()" not in repr(expression)
    return True


def _of_none(context, expression):
    """The value of an aggregate or a constant where there are no rows."""
    if root_of(expression) is None and not repr(expression).startswith("len()"):
        return DataFrame({"": [0]}).select(expression.alias("\0"))["\0"]
    return context.frame.agg(expression.alias("\0"))["\0"]


def aggregates(frame, values, named, keys=None, own=()):
    """A frame, and aggregates over it, that arguments stand for. Of groups `keys` gives their numbers, and `own` are columns of keys."""
    context = Context(frame, "agg", keys, True, own)
    made = []
    for part in _parts(context, values, named):
        value = part.value.expression() if isinstance(part.value, Lists) else part.value
        made.append(expression_of(part._replace(value=value)))
    return context.frame, made


def labels_in(frame, value, operation):
    """Labels of columns for selectors and others, which are alone or in a list; anything else stays as it is."""
    if isinstance(value, Columns) or isinstance(value, builtins.list) and any(isinstance(one, Columns) for one in value):
        made = []
        for part in Context(frame, operation).parts(value):
            if part.root != part.label or part.label not in frame:
                raise _error("TypeError", operation, f"{part.label!r} is no column of the frame, but made of one")
            made.append(part.label)
        return made
    return value


def frame_and_keys(frame, values, operation):
    """A frame, and keys over it: labels, and expressions, each in place of one of several columns."""
    made, context = [], Context(frame, operation)
    for value in values:
        if has_columns((value,)):
            made += [part.label if part.label == part.root else expression_of(part, context) for part in context.parts(value)]
        else:
            made.append(value)
    return context.frame, made


def keys_in(frame, values, operation):
    """Keys with a label, an expression or a series for each of several columns."""
    whole, made = frame_and_keys(frame, values, operation)
    if whole is frame:
        return made
    # Those that are computed with all rows are columns of no frame that the caller has.
    return [values_of(whole, key).with_index(frame.index) if isinstance(key, Expr) else key for key in made]


def values_of(frame, key):
    """What a key is in the rows of a frame, under its label."""
    made = frame.select(key)
    return made[made.columns[0]].reset_index(drop=True)


def condition_of(frame, predicates, operation):
    """A context, and one condition over its frame for several."""
    context = Context(frame, operation)
    made = []
    for predicate in predicates:
        if isinstance(predicate, Series):
            raise _error("TypeError", operation, "a series is no condition beside several columns: give it in a call of its own")
        parts = context.parts(predicate)
        if builtins.len(parts) != 1:
            reason = f"a condition stands for {builtins.len(parts)} columns: say with all_horizontal or any_horizontal which of them are to hold"
            raise _error("ValueError", operation, reason)
        made.append(expression_of(parts[0], context))
    return context, functools.reduce(operator.and_, made)


def _dtypes_by_label(frame, dtypes):
    """Dtypes by label, of selectors and others that stand for several columns."""
    if not isinstance(dtypes, dict):
        return dict.fromkeys(frame.columns, dtypes)
    made, context = {}, Context(frame, "cast")
    for key, dtype in dtypes.items():
        labels = [part.root for part in context.parts(key)] if isinstance(key, Columns) else wanted_labels(context, [key]) if is_dtype(key) else [key]
        made |= dict.fromkeys(labels, dtype)
    return made


@methods(DataFrame)
class _Selection:
    """Methods of frames."""

    def select(self, *columns, **named):
        """Columns, by label or computed: `frame.select("a", col("b") * 2, total=col("c").sum())`. Selectors, patterns of labels such as
        "^a.*$" and `all()` stand for several. With `head`, `unique` and others there are as many rows as these have.
        """
        return selected(self, columns, named) if has_several(columns, named) else _SELECT(self, *columns, **named)

    def cast(self, dtypes, strict=True):
        """Columns in other dtypes, by label, by selector or by the dtype that they have; all columns in one that is given alone. Values that do
        not fit are an error, or null with strict=False.
        """
        made = _dtypes_by_label(self, dtypes)
        return _CAST(self, made, strict) if made or not isinstance(dtypes, dict) else self
