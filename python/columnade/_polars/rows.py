"""Expressions with rows of another number or order than the frame: `sort`, `head`, `unique`, `drop_nulls` and others.

`select` computes their rows, and `agg` has them as a list for each group. What an aggregate makes of them is one value.
"""

from __future__ import annotations

import builtins
import functools

from .._columnade import DataFrame, Expr, Series, When, col, concat, lit, row_number, struct_of
from .._common import _error
from .._errors import under
from .._install import compiled, install, methods
from .columns import Choice, Columns, Context, Part, expression_of, of_all_rows, of_choice, root_of
from .group_rows import group_rows, group_rows_by

_VALUES = "\0values"
# Aggregates by what computes them here.
_AGGREGATES = {
    "first": lambda values: values.nth(0), "last": lambda values: values.nth(-1), "get": lambda values, index: values.nth(index),
    "item": lambda values: values.nth(0),
}
_OF_EXPRESSIONS = (
    "sum", "mean", "min", "max", "median", "std", "var", "count", "len", "n_unique", "nunique", "null_count", "has_nulls", "any", "all", "nth",
    "product", "prod", "quantile", "skew", "kurt", "kurtosis", "sem", "arg_max", "arg_min",
)


def _refused(context, name, of):
    raise _error("NotImplementedError", context.operation, f"{name} is not implemented {of}")


class Rows:
    """Rows that were computed: a series of their own length."""

    __slots__ = ("series",)

    def __init__(self, series):
        self.series = series.reset_index(drop=True)

    def called(self, context, label, path, args, kwargs):
        """What a method makes of the rows: other rows, or of an aggregate an expression of one value."""
        name = path[-1]
        if builtins.len(path) == 1 and name in _STEPS:
            return Rows(_STEPS[name](context, self.series, *args, **kwargs))
        if path == ("over",):
            _refused(context, "over", "of rows in another order or number")
        frame = self.series.rename(_VALUES).to_frame()
        if builtins.len(path) == 1 and (name in _AGGREGATES or name in _OF_EXPRESSIONS):
            make = _AGGREGATES.get(name) or getattr(Expr, name)
            return lit(frame.agg(make(col(_VALUES), *args, **kwargs).alias(_VALUES))[_VALUES])
        target = col(_VALUES)
        for part in path:
            target = getattr(target, part)
        made = target(*args, **kwargs)
        if isinstance(made, Columns):
            inner = Context(frame, context.operation)
            value = made._parts(inner)[0].value
            return value if not isinstance(value, Expr) else Rows(inner.values(value))
        return Rows(frame.select(made.alias(_VALUES))[_VALUES].rename(self.series.name))

    def operated(self, context, label, operate, other, is_swapped):
        """What an operator makes of the rows and a value."""
        frame, own = self.series.rename(_VALUES).to_frame(), col(_VALUES)
        made = operate(other, own) if is_swapped else operate(own, other)
        return Rows(frame.select(made.alias(_VALUES))[_VALUES].rename(self.series.name))

    def column(self, context, label):
        """The rows as a column of the frame, where there are as many."""
        if builtins.len(self.series) != builtins.len(context.frame):
            rows = f"{builtins.len(self.series)} rows of {label!r} and {builtins.len(context.frame)} do not go together"
            raise _error("ValueError", context.operation, rows)
        return context.column(self.series)


class Lists:
    """Rows of each group, as an expression of lists."""

    __slots__ = ("values", "lists")

    def __init__(self, values, lists=None):
        # The values of the rows, until they are picked or ordered, and the list of them.
        self.values, self.lists = values, lists

    def expression(self):
        """The lists as an aggregate."""
        return self.values.collect() if self.lists is None else self.lists

    def called(self, context, label, path, args, kwargs):
        """What a method makes of the rows of each group: other rows, or an expression of one value."""
        name = path[-1]
        if builtins.len(path) > 1:
            _refused(context, ".".join(path), f"of the rows of groups of {label!r}")
        if name in _LISTED:
            return _LISTED[name](context, self, *args, **kwargs)
        if name in _OF_LISTS:
            return _OF_LISTS[name](self.expression().list, *args, **kwargs)
        _refused(context, name, f"of the rows of groups of {label!r}")

    def operated(self, context, label, operate, other, is_swapped):
        """Rows of groups have no operators."""
        return self.column(context, label)

    def column(self, context, label):
        """Rows of groups are no column."""
        _refused(context, "an operator", f"of the rows of groups of {label!r}")


# Steps of rows ---------------------------------------------------------------------------------------------------------------
def _flag(value, name, operation):
    if not isinstance(value, bool):
        raise _error("TypeError", operation, f"{name} is True or False, not {value!r}")
    return value


def _in_order(values, keys, descending, nulls_last):
    """Values in the order of keys, which are series."""
    frame = DataFrame({"\0row": values, **{f"\0{place}": key for place, key in enumerate(keys)}})
    made = frame.sort([f"\0{place}" for place in range(builtins.len(keys))], descending=descending, nulls_last=nulls_last)["\0row"]
    # Labels are those of positions: series are put side by side by them.
    return made.reset_index(drop=True)


def _numbers(values):
    """The positions of values, or of the rows of a frame."""
    frame = values if isinstance(values, DataFrame) else values.rename(_VALUES).to_frame()
    return frame.select((row_number() - 1).alias(_VALUES))[_VALUES]


def _counted(context, values, sort=False, *, parallel=False, name=None, normalize=False):
    label = values.name if isinstance(values.name, builtins.str) and values.name != _VALUES else "value"
    count = ("proportion" if normalize else "count") if name is None else name
    if count == label:
        raise _error("ValueError", "value_counts", f"the column is called {count!r} too: give another name")
    made = values.rename(label).to_frame().group_by(label, dropna=False).len(count)
    made = made.sort(count, descending=True) if sort else made
    made = made.with_columns((col(count) / builtins.len(values)).alias(count)) if normalize else made
    return made.select(struct_of(label, count).alias(_VALUES))[_VALUES].rename(values.name)


def _gathered(context, values, indices, null_on_oob=False):
    if isinstance(indices, (Expr, Columns)):
        inner = Context(context.frame, context.operation)
        part, = inner.parts(indices)
        indices = inner.values(part.value) if isinstance(part.value, Expr) else part.value.series
        indices = indices.head(1) if isinstance(part.value, Expr) and root_of(part.value) is None else indices
    with under("gather"):
        return _at(values, _places(values, indices), null_on_oob)


def _places(values, indices):
    """Positions as a series of integers on the device of the values."""
    if not isinstance(indices, Series):
        indices = Series([indices] if isinstance(indices, int) else builtins.list(indices), dtype="int64")
    elif indices.dtype == "null":
        indices = indices.cast("int64")
    elif not indices.dtype.is_numeric or "int" not in builtins.str(indices.dtype):
        raise _error("TypeError", "gather", f"positions are integers, not {indices.dtype}")
    return indices.to_device(values.device)


def _at(values, places, null_on_oob):
    count = builtins.len(values)
    absent = ((places < -count) | (places >= count)).fill_null(False)
    if absent.any() and not null_on_oob:
        place = places[absent].to_list()[0]
        raise _error("IndexError", "gather", f"there is no row {place}: there are {count}")
    known = places.mask(absent | places.is_null(), None)
    known = known.where(~(known < 0).fill_null(False), known + count)
    if not count:
        return Series([None] * builtins.len(places), dtype=values.dtype, device=values.device).rename(values.name)
    return values.take(known.fill_null(0)).reset_index(drop=True).mask(known.is_null().reset_index(drop=True)).rename(values.name)


def _sliced(context, values, offset, length=None):
    count = builtins.len(values)
    start = offset if offset >= 0 else builtins.max(count + offset, 0)
    end = count if length is None else (offset if offset >= 0 else count + offset) + length
    return values.iloc[start : builtins.max(end, start)]


def _sampled(context, values, n=None, *, fraction=None, with_replacement=False, shuffle=False, seed=None):
    n = 1 if n is None and fraction is None else n
    return values.sample(n=n, frac=fraction, replace=with_replacement, random_state=seed)


def _appended(context, values, other):
    part, = context.parts(other)
    more = context.values(part.value) if isinstance(part.value, Expr) else part.value.series
    return concat([values, more.rename(values.name)], ignore_index=True)


def _every(context, values, n, offset=0):
    if n < 1 or offset < 0:
        raise _error("ValueError", "gather_every", "n is above 0, and offset is not negative")
    return values.iloc[offset::n]


_STEPS = {
    "sort": lambda context, values, descending=False, nulls_last=False: values.sort(descending=descending, nulls_last=nulls_last),
    "head": lambda context, values, n=10: values.head(n), "limit": lambda context, values, n=10: values.head(n),
    "tail": lambda context, values, n=10: values.tail(n), "slice": _sliced, "reverse": lambda context, values: values.iloc[::-1],
    "unique": lambda context, values, maintain_order=False: values.drop_duplicates(),
    "drop_nulls": lambda context, values: values.drop_nulls(),
    "drop_nans": lambda context, values: values[~values.is_nan().fill_null(False)] if builtins.str(values.dtype).startswith("float") else values,
    "value_counts": _counted, "gather": _gathered, "gather_every": _every, "append": _appended, "sample": _sampled,
    "explode": lambda context, values: values.explode(ignore_index=True),
    "arg_sort": lambda context, values, descending=False, nulls_last=False: _in_order(_numbers(values), [values], descending, nulls_last),
    "arg_unique": lambda context, values: _numbers(values)[~values.reset_index(drop=True).duplicated()],
    "arg_true": lambda context, values: _numbers(values)[values.fill_null(False)],
}


# The same in lists -------------------------------------------------------------------------------------------------------------
def _listed_sort(context, rows, descending=False, nulls_last=False):
    return Lists(None, rows.expression().list.sort(_flag(descending, "descending", "sort"), not _flag(nulls_last, "nulls_last", "sort")))


def _listed_head(context, rows, n=10):
    if n < 0:
        _refused(context, f"head({n})", "of the rows of groups")
    return Lists(None, rows.expression().list.head(n))


def _listed_tail(context, rows, n=10):
    if n < 0:
        _refused(context, f"tail({n})", "of the rows of groups")
    return Lists(None, rows.expression().list.tail(n))


def _listed_drop(context, rows):
    if rows.values is None:
        _refused(context, "drop_nulls", "of the rows of groups that were picked or sorted: drop nulls first")
    return Lists(rows.values.filter(rows.values.is_not_null()))


_LISTED = {
    "sort": _listed_sort, "head": _listed_head, "limit": _listed_head, "tail": _listed_tail, "drop_nulls": _listed_drop,
    "slice": lambda context, rows, offset, length=None: Lists(None, rows.expression().list.slice(offset, length)),
    "reverse": lambda context, rows: Lists(None, rows.expression().list.reverse()),
    "unique": lambda context, rows, maintain_order=False: Lists(None, rows.expression().list.unique()),
    "gather": lambda context, rows, indices, null_on_oob=False: Lists(None, rows.expression().list.take(
        [indices] if isinstance(indices, int) else indices, null_on_oob)),
    "implode": lambda context, rows: rows,
}
_OF_LISTS = {
    "first": lambda lists: lists.get(0), "last": lambda lists: lists.get(-1), "get": lambda lists, index: lists.get(index),
    "item": lambda lists: lists.get(0), "sum": lambda lists: lists.sum(), "mean": lambda lists: lists.mean(), "min": lambda lists: lists.min(),
    "max": lambda lists: lists.max(), "median": lambda lists: lists.median(), "len": lambda lists: lists.len(),
    "n_unique": lambda lists: lists.n_unique(),
}


# What expressions are resolved to ------------------------------------------------------------------------------------------
def rows_of(context, expression, name, args, kwargs):
    """The rows that a method makes of those of an expression."""
    if context.is_over:
        value = group_rows(context, expression)
    else:
        value = Lists(expression) if context.is_aggregate else Rows(context.values(expression).rename(expression.label))
    return [Part(expression.label, None, value.called(context, expression.label, (name,), args, kwargs))]


def sorted_by(context, expression, by, descending, nulls_last):
    """The rows of an expression in the order of others."""
    keys = [expression_of(part) for part in context.parts(by)]
    if context.is_over:
        return [Part(expression.label, None, group_rows_by(context, expression, keys, descending, nulls_last))]
    if context.is_aggregate:
        return [Part(expression.label, None, Lists(_sorted_in_groups(context, expression, keys, descending, nulls_last)))]
    values = _in_order(context.values(expression), [context.values(key) for key in keys], descending, nulls_last)
    return [Part(expression.label, None, Rows(values))]


def _sorted_in_groups(context, expression, keys, descending, nulls_last):
    """The values of an expression, the first of each group in the order of keys in its first row and so on."""
    values, order = context.values(expression), [context.values(key) for key in keys]
    groups = context.values(context.group()) if context.has_groups() else None
    flags = descending if isinstance(descending, builtins.list) else [descending] * builtins.len(order)
    if groups is not None:
        order, flags = [groups, *order], [False, *flags]
    made = _in_order(values, order, flags, nulls_last)
    if groups is None:
        return context.column(made)
    places = _in_order(_numbers(values), [groups], False, False)
    return context.column(_in_order(made, [places], False, False))


def in_order(context, order_by, descending, nulls_last):
    """The frame of a context in the order of columns or expressions, and the former position of each row."""
    order = [context.all_values(expression_of(part)) for part in context.parts(order_by)]
    places = _in_order(_numbers(order[0]), order, descending, nulls_last).reset_index(drop=True)
    return context.frame.take(places).reset_index(drop=True), places


def in_former_order(values, places):
    """Values of rows that were put in another order, in the order before."""
    return _in_order(values, [places], False, False)


def in_order_of(context, expression, keys, order_by, descending, nulls_last, dropna):
    """An expression over keys, computed with the rows in the order of others."""
    frame, places = in_order(context, order_by, descending, nulls_last)
    by = [expression_of(part) for part in context.parts(builtins.list(keys))]
    made = frame.select((expression.over(*by, dropna=dropna) if by else expression).alias(_VALUES))
    values = in_former_order(made[made.columns[0]].reset_index(drop=True), places)
    return [Part(expression.label, None, context.column(values), True)]


def backwards(context, expression, name):
    """A running aggregate from the last row on."""
    if context.has_groups() and not context.is_over:
        _refused(context, f"{name} with reverse", "in agg of groups: compute it over the keys before")
    last = context.column(_numbers(context.frame))
    part, = in_order_of(context, getattr(expression, name)(), [context.group()] if context.is_over else [], [last], True, False, True)
    return [part._replace(whole=context.whole)]


# What functions make of each value by itself.
_OF_EACH = ("map_elements", "inspect")


def mapped(context, expression, function, return_dtype, name):
    """What a function of a series makes of the values of an expression."""
    if context.is_over and name not in _OF_EACH:
        of_all_rows(context, expression.label)
    if context.has_groups() and name not in _OF_EACH:
        _refused(context, name, "in groups: use map_groups, or agg of a function")
    values = context.values(expression).rename(expression.label)
    made = function(values)
    if not isinstance(made, Series):
        made = made if hasattr(made, "__len__") and not isinstance(made, builtins.str) else [made]
        made = Series(made)
    made = made if return_dtype is None else made.cast(return_dtype)
    if builtins.len(made) == builtins.len(values):
        return [Part(expression.label, None, context.column(made), context.whole)]
    return [Part(expression.label, None, Rows(made))]


def _each_value(function, skip_nulls, values):
    return values.map(function, na_action="ignore" if skip_nulls else None)


_WHEN = {name: compiled(When, name) for name in ("then", "when", "otherwise")}


def _continued(choice, name, value):
    if not isinstance(value, Columns):
        return _WHEN[name](choice, value.otherwise(None) if isinstance(value, When) else value)
    return getattr(Choice(of_choice, choice), name)(value)


@methods(When)
class _OfChoices:
    """Methods of choices, whose conditions and values may be those of several columns."""

    def then(self, value):
        """The value of rows that meet the condition."""
        return _continued(self, "then", value)

    def when(self, condition):
        """A further condition, for rows that met none before."""
        return _continued(self, "when", condition)

    def otherwise(self, value):
        """The value of all other rows."""
        return _continued(self, "otherwise", value)


@methods(Expr)
class _OfExpressions:
    """Rows of expressions. What they give goes into `select`, `with_columns` and `agg`."""

    def sort(self, *, descending=False, nulls_last=False):
        """The values in order, nulls first, or last with `nulls_last`; equal ones keep their order."""
        return _of_rows(self, "sort", descending=_flag(descending, "descending", "sort"), nulls_last=_flag(nulls_last, "nulls_last", "sort"))

    def sort_by(self, by, *more_by, descending=False, nulls_last=False):
        """The values in the order of other columns or expressions, nulls first; equal ones keep their order."""
        by = [*(by if isinstance(by, (builtins.list, tuple)) else [by]), *more_by]
        return Columns(sorted_by, self, by, descending, nulls_last)

    def head(self, n=10):
        """The first values, or all but the last ones of a negative number."""
        return _of_rows(self, "head", n)

    def limit(self, n=10):
        """The first values, see `head`."""
        return _of_rows(self, "head", n)

    def tail(self, n=10):
        """The last values, or all but the first ones of a negative number."""
        return _of_rows(self, "tail", n)

    def slice(self, offset, length=None):
        """Values from a position on, which counts from the end where it is negative."""
        return _of_rows(self, "slice", offset, length)

    def reverse(self):
        """The values the other way round."""
        return _of_rows(self, "reverse")

    def unique(self, maintain_order=True):
        """The distinct values, of which null is one, in the order of their first rows in any case."""
        return _of_rows(self, "unique")

    def drop_nulls(self):
        """The values that are not null."""
        return _of_rows(self, "drop_nulls")

    def drop_nans(self):
        """The values that are not NaN. Nulls stay."""
        return _of_rows(self, "drop_nans")

    def value_counts(self, *, sort=False, name=None, normalize=False):
        """Each distinct value with its number, or its part of all with `normalize`, as a struct. They are in the order of their first rows,
        or with `sort` those of the greatest numbers come first.
        """
        return _of_rows(self, "value_counts", sort, name=name, normalize=normalize)

    def gather(self, indices, null_on_oob=False):
        """The values at positions, which count from the end where they are negative. Those that are not there are an error, or null."""
        return _of_rows(self, "gather", indices, null_on_oob)

    def gather_every(self, n, offset=0):
        """Every n-th value, from a position on."""
        return _of_rows(self, "gather_every", n, offset)

    def append(self, other):
        """The values and those of another column or expression behind them."""
        return _of_rows(self, "append", other)

    def sample(self, n=None, *, fraction=None, with_replacement=False, shuffle=False, seed=None):
        """Values at random: so many, or a part of all."""
        return _of_rows(self, "sample", n, fraction=fraction, with_replacement=with_replacement, seed=seed)

    def explode(self):
        """The items of lists, each in a row of its own; null for an empty list, which has no row in Polars."""
        return _of_rows(self, "explode")

    def arg_sort(self, *, descending=False, nulls_last=False):
        """The positions of the values in order, nulls first."""
        return _of_rows(self, "arg_sort", descending=descending, nulls_last=nulls_last)

    def arg_unique(self):
        """The positions of the first of each of the distinct values."""
        return _of_rows(self, "arg_unique")

    def arg_true(self):
        """The positions at which a condition holds."""
        return _of_rows(self, "arg_true")

    def map_batches(self, function, return_dtype=None):
        """What a function makes of the column, a series: values for all rows, or rows of another number."""
        return _of_function(self, function, return_dtype, "map_batches")

    def map_elements(self, function, return_dtype=None, *, skip_nulls=True):
        """What a function gives for each value, as a dtype where one is given; nulls stay null. Expressions are faster where there is one."""
        if not builtins.callable(function):
            raise _error("TypeError", "map_elements", f"function is a function, not {type(function).__name__}")
        return _of_function(self, functools.partial(_each_value, function, skip_nulls), return_dtype, "map_elements")

    def get(self, index):
        """The value of a row by its position, which counts from the end where it is negative: an aggregate. Null where there is no such
        row, which Polars refuses.
        """
        return self.nth(index)

    def over(self, *keys, dropna=True, order_by=None, descending=False, nulls_last=False):
        """The expression within the rows of equal keys; null for null keys, which are keys with dropna=False. With `order_by` the rows of
        each group are in the order of columns or expressions. Of `sort`, `head` and others an aggregate is computed: `sort().first()`.
        """
        if order_by is None and not _has_columns(keys):
            return _OVER(self, *keys, dropna=dropna)
        if order_by is None:
            return Columns(_over, self, keys, dropna)
        return Columns(in_order_of, self, _flat(keys), order_by, descending, nulls_last, dropna)


_OVER = compiled(Expr, "over")


def _has_columns(keys):
    return any(isinstance(key, Columns) or isinstance(key, builtins.list) and _has_columns(key) for key in keys)


def _flat(keys):
    return [one for key in keys for one in (key if isinstance(key, builtins.list) else [key])]


def _over(context, expression, keys, dropna):
    by = [expression_of(part) for part in context.parts(builtins.list(keys))]
    return [Part(expression.label, None, _OVER(expression, *by, dropna=dropna))]


def _of_rows(expression, step, /, *args, **kwargs):
    return Columns(rows_of, expression, step, args, kwargs)


def _of_function(expression, function, return_dtype, name):
    if not builtins.callable(function):
        raise _error("TypeError", name, f"function is a function, not {type(function).__name__}")
    return Columns(mapped, expression, function, return_dtype, name)


def _running(name, ours):
    compute = compiled(Expr, ours)

    def method(self, reverse=False):
        return Columns(backwards, self, ours) if _flag(reverse, "reverse", name) else compute(self)

    method.__name__, method.__qualname__ = name, f"Expr.{name}"
    method.__doc__ = f"{compute.__doc__.rstrip('.')}, or with `reverse` from the last row to each row."
    return method


for _name in ("cum_sum", "cum_max", "cum_min", "cum_count", "cum_product"):
    install(Expr, _name, _running(_name, _name))
install(Expr, "cum_prod", _running("cum_prod", "cum_product"))
del _name
