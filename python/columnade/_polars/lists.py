"""Names of Polars for lists that need their items in rows of their own: these are computed with all rows of a frame, list by list."""

from __future__ import annotations

import builtins
import contextlib

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Series, col, concat, lit, row_number, struct_of, when
from .._common import _error
from .._errors import ColumnadeError, rename
from .._install import methods
from .choose import _is_single, aggregates
from .columns import Columns, Context, Part, root_of
from .expressions import _of_lists
from .frames import _rows_of
from .rows import _STEPS, _flag, _numbers, _of_rows
from .values import _AT, _ITEMS, _count, _one, lists_of

_ITEM, _PLACE = col(_ITEMS), "\0place"
# The columns of items as errors list them.
_COLUMNS = '"\\0at", "\\0items"'


def element() -> Expr:
    """The items of lists in `list.eval`, `list.agg` and `list.filter`."""
    return col(_ITEMS)


def _items(lists):
    """The items of lists, with the number of the row that each is in."""
    lists = lists.reset_index(drop=True)
    frame = DataFrame({_AT: _numbers(lists), _ITEMS: lists}).filter(col(_ITEMS).list.len() > 0)
    return frame.explode(_ITEMS).reset_index(drop=True)


def _within(items, expression):
    """An expression over the items of each list."""
    return items.select(expression.over(_AT).alias(_ITEMS))[_ITEMS]


def _lists(lists, items):
    return lists_of(items[_AT], items[_ITEMS], lists.is_null())


def _values(lists, items, expression):
    """What an aggregate makes of the items of each list; null for null."""
    lists = lists.reset_index(drop=True)
    made = items.group_by(_AT).agg(expression.alias(_ITEMS))
    none = items[:0].agg(expression.alias(_ITEMS))[_ITEMS].to_list()[0]
    whole = DataFrame({_AT: _numbers(lists), _PLACE: lists.list.len() == 0}).merge(made, on=_AT, how="left")
    return whole.select(when(col(_PLACE)).then(none).otherwise(_ITEM).alias(_ITEMS))[_ITEMS] if none is not None else whole[_ITEMS]


def _is_aggregate(items, expression):
    # A constant has a value for each item, the number of items one for each list.
    has_column = root_of(expression) is not None or "len()" in repr(expression)
    return has_column and _is_single(Context(items, "list.eval"), expression)


def _evaluated(lists, expression, is_agg):
    items = _items(lists)
    if isinstance(expression, Columns):
        frame, parts = aggregates(items, [expression.alias(_ITEMS)], {}, lambda: items[_AT])
        if builtins.len(parts) != 1:
            raise _error("ValueError", "list.agg" if is_agg else "list.eval", f"expr is one expression, not {builtins.len(parts)}")
        made, = parts
        rows = frame.group_by(_AT).agg(made)
        whole = _numbers(lists).rename(_AT).to_frame().merge(rows, on=_AT, how="left")[_ITEMS]
        return whole.reset_index(drop=True).fill_null([]).mask(lists.is_null().reset_index(drop=True))
    if _is_aggregate(items, expression):
        made = _values(lists, items, expression)
        return made if is_agg else lists_of(_numbers(made), made, lists.is_null())
    return lists_of(items[_AT], _within(items, expression), lists.is_null())


def _filtered(lists, predicate):
    items = _items(lists)
    return _lists(lists, items[_within(items, predicate).fill_null(False)].reset_index(drop=True))


def _known(lists):
    return _filtered(lists, _ITEM.is_not_null())


def _differences(lists, n, null_behavior):
    items = _items(lists)
    made = items.with_columns(_ITEM.diff(n).over(_AT).alias(_ITEMS))
    if null_behavior == "drop":
        place, count = row_number().over(_AT), _ITEM.len().over(_AT)
        made = made.filter(place > n if n > 0 else place <= count + n)
    return _lists(lists, made.reset_index(drop=True))


def _shifted(lists, n):
    items = _items(lists)
    return lists_of(items[_AT], _within(items, _ITEM.shift(n)), lists.is_null())


def _every(lists, n, offset):
    items = _items(lists)
    place = row_number().over(_AT) - (1 + offset)
    return _lists(lists, items.filter((place >= 0) & (place % n == 0)).reset_index(drop=True))


def _aggregated(lists, name, *args):
    return _values(lists, _items(lists), getattr(_ITEM, name)(*args))


def _matches(lists, item):
    items = _items(lists)
    # NaN is equal to itself, as in `contains`.
    is_nan = isinstance(item, float) and item != item
    found = _ITEM.is_null() if item is None else _ITEM.is_nan().fill_null(False) if is_nan else _ITEM.eq_missing(item)
    return _values(lists, items, found.sum())


def _sampled(lists, n, fraction, seed):
    items = _items(lists)
    size = lists.reset_index(drop=True).list.len()
    if n is not None and (size < n).fill_null(False).any():
        raise _error("ValueError", "list.sample", f"a list has fewer than {n} items")
    mixed = items.sample(frac=1.0, random_state=seed).reset_index(drop=True).sort(_AT)
    count = lit(n) if n is not None else (_ITEM.len().over(_AT) * float(fraction)).floor()
    return _lists(lists, mixed.filter(row_number().over(_AT) <= count).reset_index(drop=True))


def _only(lists, allow_empty):
    size = lists.reset_index(drop=True).list.len().drop_nulls()
    wrong = size[(size > 1) if allow_empty else (size != 1)]
    if builtins.len(wrong):
        raise _error("ValueError", "list.item", f"there are {wrong.head(1).to_list()[0]} items in a list, not one")
    return lists.list.get(0)


_SETS = {
    "union": lambda ours, theirs: ours | theirs, "intersection": lambda ours, theirs: ours & theirs,
    "difference": lambda ours, theirs: ours & ~theirs, "symmetric_difference": lambda ours, theirs: ours ^ theirs,
}


def together(context, lists, other, kind):
    """The items of each list and of another one, each once, of which one of the sets says which stay."""
    values = context.values(lists)
    if isinstance(other, (Expr, Columns, builtins.str)):
        others = context.values(_one(context, other))
    else:
        item = values.dtype.value_type
        others = Series([builtins.list(other)], dtype=f"list<{item}>").to_device(values.device).repeat(builtins.len(values)).reset_index(drop=True)
    parts = [_items(part).with_columns(lit(is_ours).alias(_PLACE)) for part, is_ours in ((values, True), (others, False))]
    place = col(_PLACE)
    made = concat(parts, ignore_index=True).group_by([_AT, _ITEMS], dropna=False).agg(place.any().alias("ours"), (~place).any().alias("theirs"))
    made = made.filter(_SETS[kind](col("ours"), col("theirs"))).sort(_AT)
    is_null = values.is_null() | others.is_null()
    made = made.filter(~is_null.reset_index(drop=True).take(made[_AT]).reset_index(drop=True)) if builtins.len(made) else made
    return [Part(lists.label, None, context.column(lists_of(made[_AT], made[_ITEMS], is_null)), context.whole)]


@contextlib.contextmanager
def _in_words(name, lists, label):
    """Errors about the items of lists name the method, the column of lists, and the items as expressions do."""
    try:
        lists.head(0).list.len()
        yield
    except ColumnadeError as error:
        rename(error, f"list.{name}")
        text = builtins.str(error).replace(_COLUMNS, "element()").replace(_ITEMS, "element()")
        error.args = (*error.args[:-1], text)
        if error.column in (None, _ITEMS):
            error.column = builtins.str(label)
        raise


def of_lists(context, lists, name, args, kwargs):
    """What a method makes of lists, as a column."""
    if context.has_groups() and not context.is_over:
        raise _error("NotImplementedError", context.operation, f"list.{name} is not implemented in groups")
    values = context.values(lists)
    with _in_words(name, values, lists.label):
        made = _FUNCTIONS[name](values, *args)
    return [Part(lists.label, None, context.column(made), context.whole)]


_FUNCTIONS = {
    "drop_nulls": _known, "eval": lambda lists, expression: _evaluated(lists, expression, False),
    "agg": lambda lists, expression: _evaluated(lists, expression, True), "filter": _filtered, "diff": _differences, "shift": _shifted,
    "gather_every": _every, "std": lambda lists, ddof: _aggregated(lists, "std", ddof), "var": lambda lists, ddof: _aggregated(lists, "var", ddof),
    "count_matches": _matches, "sample": _sampled, "item": _only,
}


def _later(namespace, name, *args):
    """A method of lists, of an expression or of a series."""
    if isinstance(namespace, native.ListNamespace):
        return Columns(of_lists, namespace.slice(0), name, args, {})
    own = namespace._series
    with _in_words(name, own, "self" if own.name is None else own.name):
        made = _FUNCTIONS[name](own, *args)
    return made.rename(own.name).with_index(own.index)


def _set(namespace, other, kind):
    if isinstance(namespace, native.ListNamespace):
        return Columns(together, namespace.slice(0), other, kind)
    own = namespace._series
    frame = own.rename("lists").to_frame()
    frame = frame.with_columns(other=_rows_of(frame, other, f"list.set_{kind}")) if isinstance(other, Series) else frame
    made = frame.select(Columns(together, col("lists"), col("other") if isinstance(other, Series) else other, kind))
    return made["lists"].rename(own.name)


def _explode(context, values, empty_as_null, keep_nulls):
    count = values.list.len()
    stays = (count > 0).fill_null(keep_nulls)
    return values[stays | (count == 0).fill_null(False) if empty_as_null else stays].explode(ignore_index=True)


_STEPS["list.explode"] = _explode


@methods(native.ListNamespace, native.SeriesListNamespace)
class _Lists:
    """Methods of lists. Null lists give null."""

    def drop_nulls(self):
        """The lists without items that are null."""
        return _later(self, "drop_nulls")

    def eval(self, expr, *, parallel=False):
        """Each list as what an expression of `element()` makes of its items: as many items, or one of an aggregate."""
        return _later(self, "eval", _of_items(expr, "list.eval"))

    def agg(self, expr):
        """The value of an aggregate of `element()` for each list; other expressions give lists, as `eval` does."""
        return _later(self, "agg", _of_items(expr, "list.agg"))

    def filter(self, predicate):
        """The items of each list for which a condition of `element()` holds."""
        return _later(self, "filter", _of_items(predicate, "list.filter"))

    def diff(self, n=1, null_behavior="ignore"):
        """The difference of each item and the one n before it in the list: null where there is none, or without these with "drop"."""
        if null_behavior not in ("ignore", "drop"):
            raise _error("ValueError", "list.diff", f'null_behavior is "ignore" or "drop", not {null_behavior!r}')
        return _later(self, "diff", _integer(n, "list.diff"), null_behavior)

    def shift(self, n=1):
        """The items of each list n places further on, null where there is none to move in."""
        return _later(self, "shift", _integer(n, "list.shift"))

    def gather_every(self, n, offset=0):
        """Every n-th item of each list, from a position on."""
        return _later(self, "gather_every", _count(n, "list.gather_every", "n", 1), _count(offset, "list.gather_every", "offset"))

    def std(self, ddof=1):
        """The standard deviation of each list, without nulls; null where there are no more than `ddof` numbers."""
        return _later(self, "std", ddof)

    def var(self, ddof=1):
        """The variance of each list, see `std`."""
        return _later(self, "var", ddof)

    def count_matches(self, element):
        """The number of items that are equal to a constant, null too."""
        if isinstance(element, (Expr, Columns, Series)):
            raise _error("NotImplementedError", "list.count_matches", "element is a constant")
        element = element.item() if getattr(element, "shape", None) == () else element
        return _later(self, "count_matches", element)

    def item(self, *, allow_empty=False):
        """The only item of each list: more of them, or none, are an error. With `allow_empty` it is null where there is none."""
        return _later(self, "item", _flag(allow_empty, "allow_empty", "list.item"))

    def sample(self, n=None, *, fraction=None, with_replacement=False, shuffle=None, seed=None):
        """So many items of each list at random, or a part of them, rounded down: other ones than those of Polars for the same seed."""
        if with_replacement:
            raise _error("NotImplementedError", "list.sample", "with_replacement=True is not implemented")
        if n is not None and fraction is not None:
            raise _error("ValueError", "list.sample", "give n or fraction")
        n = 1 if n is None and fraction is None else n
        return _later(self, "sample", None if n is None else _count(n, "list.sample", "n"), fraction, seed)

    def set_union(self, other):
        """The items of each list and of another one, a column, an expression or a list, each once, those of this list first. Null and NaN
        are items.
        """
        return _set(self, other, "union")

    def set_intersection(self, other):
        """The items of each list that another one has too, each once, see `set_union`."""
        return _set(self, other, "intersection")

    def set_difference(self, other):
        """The items of each list that another one does not have, each once, see `set_union`."""
        return _set(self, other, "difference")

    def set_symmetric_difference(self, other):
        """The items that only one of both lists has, each once, see `set_union`."""
        return _set(self, other, "symmetric_difference")

    def to_struct(self, fields):
        """The first items of each list as the fields of a struct, by their names; null where a list is shorter."""
        fields = builtins.list(fields)
        if not fields or not all(isinstance(name, builtins.str) for name in fields):
            raise _error("TypeError", "list.to_struct", "fields is a list of names")
        if isinstance(self, native.SeriesListNamespace):
            return _of_lists(self, lambda lists: lists.to_struct(fields))
        own = self.slice(0)
        made = struct_of(*(self.get(place).alias(name) for place, name in enumerate(fields)))
        return when(own.is_not_null()).then(made).otherwise(None).alias(own.label)

    def explode(self, *, empty_as_null=False, keep_nulls=True):
        """The items of all lists, each in a row of its own. A null list is a row of null, but not with keep_nulls=False, and an empty one only
        with `empty_as_null`.
        """
        empty_as_null, keep_nulls = _flag(empty_as_null, "empty_as_null", "list.explode"), _flag(keep_nulls, "keep_nulls", "list.explode")
        if isinstance(self, native.ListNamespace):
            return _of_rows(self.slice(0), "list.explode", empty_as_null, keep_nulls)
        own = self._series
        return _explode(None, own, empty_as_null, keep_nulls).rename(own.name)


def _integer(value, operation):
    if isinstance(value, bool) or not isinstance(value, int):
        raise _error("NotImplementedError" if isinstance(value, (Expr, Columns)) else "TypeError", operation, f"n is an integer, not {value!r}")
    return value


def _of_items(expression, operation):
    if not isinstance(expression, (Expr, Columns)):
        raise _error("TypeError", operation, f"an expression of element() is given, not {type(expression).__name__}")
    return expression
