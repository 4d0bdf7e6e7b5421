"""Rows of another number or order within the groups of `over`: `sort`, `head`, `unique`, `drop_nulls` and others of the rows of equal keys.

They are columns of their own: the rows of all groups, each with the number of its group. What an aggregate makes of them is brought back to
the rows of the frame.
"""

from __future__ import annotations

import builtins

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Series, col, concat, row_number
from .._common import _error
from .._errors import under
from .columns import Columns, OverContext, root_of

_GROUP, _VALUES, _INDEX, _PLACE = "\0group", "\0values", "\0index", "\0place"
_G, _V = col(_GROUP), col(_VALUES)
# The position of each row in its group, and the number of its rows.
_AT, _COUNT = row_number().over(_GROUP) - 1, native.len().over(_GROUP)
_AGGREGATES = {
    "first": lambda values: values.nth(0), "last": lambda values: values.nth(-1), "get": lambda values, index: values.nth(index),
    "implode": lambda values: values.collect(),
}


def _refused(context, name):
    raise _error("NotImplementedError", context.operation, f"{name} is not implemented of rows in another order or number")


def _is_aggregate(frame, expression):
    """Whether an expression of the columns of a frame is one value of a group."""
    try:
        frame[:0].agg(expression)
    except (TypeError, ValueError):
        return False
    return root_of(expression) is not None


def _frame(groups, values, **more):
    """Rows of groups; those of no group are left out."""
    made = DataFrame({_GROUP: groups.reset_index(drop=True), _VALUES: values.reset_index(drop=True), **more})
    return made.filter(_G.is_not_null()).reset_index(drop=True) if made[_GROUP].null_count else made


class GroupRows:
    """Rows of groups that were computed: a frame with their groups and values, and the numbers of all groups, also of those without rows."""

    __slots__ = ("rows", "groups")

    def __init__(self, rows, groups):
        self.rows, self.groups = rows.reset_index(drop=True), groups

    def called(self, context, label, path, args, kwargs):
        """What a method makes of the rows: other rows, or of an aggregate an expression of one value of each group."""
        name = path[-1]
        if builtins.len(path) == 1 and name in _STEPS:
            return GroupRows(_STEPS[name](context, self, *args, **kwargs), self.groups)
        # `over` is that of the keys within which this is computed.
        if path == ("over",) or builtins.len(path) == 1 and name in _REFUSED:
            _refused(context, name)
        if any(isinstance(value, Expr) and root_of(value) is not None for value in (*args, *kwargs.values())):
            _refused(context, f"{name} with columns")
        if path == ("item",):
            return self._only(context, label, *args, **kwargs)
        if path in (("arg_min",), ("arg_max",)):
            # They are those in the rows, which have none in the frame.
            of = getattr(col(_PLACE), "min_by" if name == "arg_min" else "max_by")(_V)
            return self._aggregate(context, _placed(self), of.alias(_VALUES))
        if builtins.len(path) == 1 and name in _AGGREGATES:
            return self._made(context, label, _AGGREGATES[name](_V, *args, **kwargs))
        target = _V
        for part in path:
            target = getattr(target, part)
        return self._made(context, label, target(*args, **kwargs))

    def operated(self, context, label, operate, other, is_swapped):
        """What an operator makes of the rows and a constant."""
        if isinstance(other, Expr) and root_of(other) is not None:
            _refused(context, "an operator with columns")
        return self._made(context, label, operate(other, _V) if is_swapped else operate(_V, other))

    def column(self, context, label):
        """The rows have no places in the frame."""
        _refused(context, f"an operator with {label!r}")

    def _made(self, context, label, made):
        rows = self.rows
        if isinstance(made, Columns):
            inner = OverContext(context, rows, key=_G)
            part, = made._parts(inner)
            if not isinstance(part.value, Expr):
                return GroupRows(part.value.rows, self.groups)
            if part.whole:
                _refused(context, "what is computed with all rows")
            made, rows = part.value, inner.frame
        if isinstance(made, native.When):
            made = made.otherwise(None)
        if _is_aggregate(rows, made):
            return self._aggregate(context, rows, made.alias(_VALUES))
        values = rows.select(made.over(_G).alias(_VALUES))[_VALUES]
        return GroupRows(_frame(self.rows[_GROUP], values), self.groups)

    def _aggregate(self, context, rows, aggregate):
        """An aggregate of each group in all rows of it: of these the first is one value of the group again."""
        made = rows.group_by(_GROUP).agg(aggregate)
        without = self.groups[~self.groups.is_in(made[_GROUP])].reset_index(drop=True)
        if builtins.len(without):
            # An aggregate of no rows, such as 0 of `sum`.
            none = rows[:0].agg(aggregate)[_VALUES].repeat(builtins.len(without)).reset_index(drop=True)
            made = concat([made, DataFrame({_GROUP: without, _VALUES: none.cast(made[_VALUES].dtype)})], ignore_index=True)
        numbers = context.numbers().rename(_GROUP).to_frame()
        return context.column(numbers.merge(made, on=_GROUP, how="left")[_VALUES].reset_index(drop=True)).nth(0)

    def _only(self, context, label, *, allow_empty=False):
        counts = _counts(self)
        wrong = counts[(counts > 1) if allow_empty else (counts != 1)]
        if builtins.len(wrong):
            raise _error("ValueError", "item", f"there are {wrong.head(1).to_list()[0]} values of {label!r}, not one")
        return self._made(context, label, _V.nth(0))


def group_rows(context, expression):
    """The rows of an expression within groups; of an aggregate one of each group."""
    if _is_aggregate(context.frame, expression):
        key = context.group().label
        made = context.frame.group_by(key).agg(expression.alias(_VALUES))
        return GroupRows(_frame(made[key], made[_VALUES]), _groups(context))
    return GroupRows(_frame(context.numbers(), context.values(expression)), _groups(context))


def group_rows_by(context, expression, keys, descending, nulls_last):
    """The rows of an expression within groups, in the order of others."""
    order = {f"\0by{place}": context.values(key) for place, key in enumerate(keys)}
    rows = _frame(context.numbers(), context.values(expression), **order)
    flags = builtins.list(descending) if isinstance(descending, (builtins.list, tuple)) else [descending] * builtins.len(order)
    return GroupRows(_sorted(rows, builtins.list(order), flags, nulls_last)[[_GROUP, _VALUES]], _groups(context))


def _groups(context):
    return context.numbers().drop_nulls().drop_duplicates().reset_index(drop=True)


# Steps ---------------------------------------------------------------------------------------------------------------------
def _sorted(rows, labels, descending, nulls_last):
    return rows.sort([_GROUP, *labels], descending=[False, *descending], nulls_last=nulls_last).reset_index(drop=True)


def _placed(given):
    """Rows with the positions of them and the numbers of rows of their groups."""
    return given.rows.with_columns(**{_PLACE: _AT, _INDEX: _COUNT})


def _counts(given):
    """The number of rows of each group."""
    made = given.rows.group_by(_GROUP).len(_INDEX)
    return given.groups.rename(_GROUP).to_frame().merge(made, on=_GROUP, how="left")[_INDEX].reset_index(drop=True).fill_null(0)


def _head(context, given, n=10):
    return given.rows.filter(_AT < (n if n >= 0 else _COUNT + n))


def _tail(context, given, n=10):
    return given.rows.filter(_AT >= (_COUNT - n if n >= 0 else -n))


def _sliced(context, given, offset, length=None):
    start = offset if offset >= 0 else _COUNT + offset
    made = _AT >= start
    return given.rows.filter(made if length is None else made & (_AT < start + length))


def _positions(values):
    return lambda context, given, **options: values(_placed(given), **options).select(_GROUP, _V_OF_PLACE)


_V_OF_PLACE = col(_PLACE).alias(_VALUES)


def _every(context, given, n, offset=0):
    if n < 1 or offset < 0:
        raise _error("ValueError", "gather_every", "n is above 0, and offset is not negative")
    return given.rows.filter((_AT >= offset) & ((_AT - offset) % n == 0))


def _in_all_groups(given, values):
    """Each group with all of some values."""
    count = builtins.len(values)
    made = given.groups.repeat(count).reset_index(drop=True).rename(_GROUP).to_frame()
    if not builtins.len(made):
        return _frame(made[_GROUP], values[:0])
    return _frame(made[_GROUP], values.take(made.select(((row_number() - 1) % count).alias(_INDEX))[_INDEX]))


def _wanted(context, given, indices):
    """The positions that are asked for of each group."""
    if isinstance(indices, (Expr, Columns)):
        if ".arg_m" in repr(indices):
            _refused(context, "gather of arg_min and arg_max, which are positions in the frame,")
        return _of_argument(context, indices)
    if not isinstance(indices, Series):
        indices = Series([indices] if isinstance(indices, int) else builtins.list(indices), dtype="int64")
    elif indices.dtype == "null":
        indices = indices.cast("int64")
    return _in_all_groups(given, indices.to_device(given.rows.device))


def _of_argument(context, value):
    part, = context.parts(value)
    return (group_rows(context, part.value) if isinstance(part.value, Expr) else part.value).rows


def _gathered(context, given, indices, null_on_oob=False):
    wanted = _wanted(context, given, indices)
    with under("gather"):
        dtype = wanted[_VALUES].dtype
        if not dtype.is_numeric or "int" not in builtins.str(dtype):
            raise _error("TypeError", "gather", f"positions are integers, not {dtype}")
        sizes = DataFrame({_GROUP: given.groups, _INDEX: _counts(given)})
        asked = wanted.with_columns(**{_VALUES: _V.cast("int64")}).merge(sizes, on=_GROUP, how="left").reset_index(drop=True)
        absent = asked.filter((_V < -col(_INDEX)) | (_V >= col(_INDEX)))
        if builtins.len(absent) and not null_on_oob:
            place, count = absent[_VALUES].to_list()[0], absent[_INDEX].to_list()[0]
            raise _error("IndexError", "gather", f"there is no row {place}: there are {count} in a group")
        asked = asked.select(_GROUP, native.when(_V < 0).then(_V + col(_INDEX)).otherwise(_V).cast("int64").alias(_PLACE))
        own = given.rows.select(_GROUP, _AT.cast("int64").alias(_PLACE), _VALUES)
        return asked.merge(own, on=[_GROUP, _PLACE], how="left")[[_GROUP, _VALUES]]


def _appended(context, given, other):
    return concat([given.rows, _of_argument(context, other)], ignore_index=True)


def _constant(context, given, value, n):
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise _error("ValueError", "extend_constant", f"n is an integer that is not negative, not {n!r}")
    if isinstance(value, (Expr, Columns, Series)):
        raise _error("NotImplementedError", "extend_constant", "value is a constant: append takes expressions")
    values = given.rows[_VALUES]
    more = Series([value], dtype=values.dtype, device=values.device).repeat(n).reset_index(drop=True)
    return concat([given.rows, _in_all_groups(given, more)], ignore_index=True) if n else given.rows


def _without_nans(context, given):
    is_float = builtins.str(given.rows[_VALUES].dtype).startswith("float")
    return given.rows.filter(~_V.is_nan().fill_null(False)) if is_float else given.rows


_STEPS = {
    "sort": lambda context, given, descending=False, nulls_last=False: _sorted(given.rows, [_VALUES], [descending], nulls_last),
    "head": _head, "limit": _head, "tail": _tail, "slice": _sliced, "reverse": lambda context, given: given.rows.iloc[::-1],
    "unique": lambda context, given, maintain_order=True: given.rows.drop_duplicates(),
    "drop_nulls": lambda context, given: given.rows.filter(_V.is_not_null()), "drop_nans": _without_nans,
    "gather": _gathered, "gather_every": _every, "append": _appended, "extend_constant": _constant,
    "explode": lambda context, given: given.rows.explode(_VALUES, ignore_index=True),
    "arg_sort": _positions(lambda rows, descending=False, nulls_last=False: _sorted(rows, [_VALUES], [descending], nulls_last)),
    "arg_unique": _positions(lambda rows: rows.drop_duplicates([_GROUP, _VALUES])),
    "arg_true": _positions(lambda rows: rows.filter(_V.fill_null(False))),
    "unique_counts": lambda context, given: given.rows.group_by([_GROUP, _VALUES], dropna=False).len(_INDEX).select(
        _GROUP, col(_INDEX).alias(_VALUES)),
}
# Steps whose rows in groups are not implemented, and methods that need all rows.
_REFUSED = {"value_counts", "sample", "shuffle", "reshape", "rle", "map_batches", "is_sorted", "search_sorted"}
