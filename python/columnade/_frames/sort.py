"""Rows and columns in order: `sort_values`, `sort_index` and ranks of frames and series."""

from __future__ import annotations

import builtins
import functools
import operator

from .._columnade import DataFrame, Expr, Index, Series, col, lit, max_horizontal, when
from .._common import (
    _axis, _choice, _depth, _error, _is_first, _is_number, _keyed, _level, _level_place, _list, _parts, _place, _plain, _renumbered, _rows_only,
)
from .._install import compiled, methods
from .._polars.columns import Columns

_SORT = {kind: compiled(kind, "sort_values") for kind in (DataFrame, Series)}
_SORT_LABELS = {kind: compiled(kind, "sort_index") for kind in (DataFrame, Series)}
_RANK = compiled(Series, "rank")


def _order(keys, ascending, nulls_first):
    """The positions of rows in the order of keys."""
    frame = DataFrame(dict(enumerate(keys)))
    return _plain(_SORT[DataFrame](frame, builtins.list(frame.columns), ascending, nulls_first).index)


def _nulls_of_columns(nulls_first, by, na_position, operation):
    """Where the nulls of each column stand, as a list says."""
    if na_position is not None:
        raise _error("TypeError", operation, "give nulls_first or na_position")
    if builtins.len(nulls_first) != builtins.len(by):
        raise _error("ValueError", operation, f"nulls_first has {builtins.len(nulls_first)} values for {builtins.len(by)} columns")
    if not all(isinstance(first, bool) for first in nulls_first):
        raise _error("TypeError", operation, "nulls_first has true or false for each column")
    return nulls_first


def _label_values(self, label):
    """A column, or a level of the row labels of this name."""
    names = builtins.list(self.index.names)
    return _plain(self[label]) if label in self or label not in names else _level(self.index, names.index(label)).to_device(self.device)


def _sort_labels(self, level, ascending, nulls_first, sort_remaining, key):
    index, operation = self.index, "sort_index"
    places = [_place(index, one, operation) for one in _list(level)] if level is not None else builtins.list(range(index.nlevels))
    given = builtins.len(places)
    if isinstance(ascending, builtins.list) and builtins.len(ascending) != given:
        raise _error("ValueError", operation, f"ascending has {builtins.len(ascending)} values for {given} levels")
    if sort_remaining and not isinstance(ascending, builtins.list):
        places += [place for place in range(index.nlevels) if place not in places]
    keys = []
    for at, place in enumerate(places):
        labels = index.get_level_values(place) if index.nlevels > 1 else index
        keys.append(_keyed(key if at < given else None, labels, operation))
    return self.take(_order(keys, ascending, nulls_first))


def _rows_by_labels(self, level, ascending, first, sort_remaining, ignore_index, key):
    """The rows in the order of their labels."""
    if key is None and sort_remaining and not isinstance(ascending, builtins.list) and (level is None or self.index.nlevels == 1):
        made = _SORT_LABELS[type(self)](self, level, ascending, first)
    else:
        made = _sort_labels(self, level, ascending, first, sort_remaining, key)
    return _renumbered(made, ignore_index)


def _in_order(labels, keys, ascending):
    """The positions of labels of columns in the order of keys."""
    try:
        return sorted(labels, key=keys.__getitem__, reverse=not ascending)
    except TypeError as error:
        raise _error("TypeError", "sort_index", f"the labels of the columns have no order: {error}") from None


def _columns_by_labels(self, level, ascending, sort_remaining, key):
    """The columns in the order of their labels."""
    operation = "sort_index"
    depth, labels = _depth(self), builtins.list(self.columns)
    if level is None and not isinstance(ascending, builtins.list) and (key is None or depth == 1):
        keys = labels if key is None else _keyed(key, Index(labels), operation).to_list()
        return self[[labels[at] for at in _in_order(range(builtins.len(labels)), keys, ascending)]]
    places = builtins.list(range(depth)) if level is None else [_level_place(self, one, operation) for one in _list(level)]
    given = builtins.len(places)
    if isinstance(ascending, builtins.list) and builtins.len(ascending) != given:
        raise _error("ValueError", operation, f"ascending has {builtins.len(ascending)} values for {given} levels")
    orders = builtins.list(ascending) if isinstance(ascending, builtins.list) else [ascending] * given
    if sort_remaining and not isinstance(ascending, builtins.list):
        rest = [place for place in range(depth) if place not in places]
        places, orders = places + rest, orders + [ascending] * builtins.len(rest)
    order = builtins.list(range(builtins.len(labels)))
    for at in reversed(range(builtins.len(places))):
        values = [_parts(label)[places[at]] for label in labels]
        if key is not None and at < given:
            values = _keyed(key, Index(values), operation).to_list()
        # A stable sort by each level, the first one last.
        order = _in_order(order, values, orders[at])
    return self[[labels[at] for at in order]]


def _ranks_of_rows(frame, method, ascending, pct, na_option, numeric_only):
    """The ranks of the numbers of each row."""
    _choice(na_option, ("keep", "top", "bottom"), "na_option", "rank")
    _choice(method, ("average", "min", "max", "first", "dense"), "method", "rank")
    labels = [label for label, dtype in frame.dtypes.items() if not numeric_only or _is_number(dtype)]
    wrong = next((label for label in labels if not _is_number(frame.dtypes[label])), None)
    if wrong is not None:
        reason = f"axis=1 is of columns of numbers, and {wrong!r} is {frame.dtypes[wrong]}: choose columns, or numeric_only=True"
        raise _error("TypeError", "rank", reason, wrong)
    if not labels:
        return frame[[]]
    columns = {f"{place}": _plain(frame[label]).cast("float64") for place, label in enumerate(labels)}
    values = DataFrame(columns)
    ranks = {name: _rank_in_row(name, values.columns, method, ascending) for name in values.columns}
    if na_option == "keep":
        made = {name: when(col(name).is_null()).then(None).otherwise(rank) for name, rank in ranks.items()}
    else:
        count = functools.reduce(operator.add, [col(name).is_null().cast("int64") for name in values.columns])
        known = builtins.len(labels) - count
        if method == "dense":
            known = functools.reduce(max_horizontal, [when(col(name).is_null()).then(0).otherwise(rank) for name, rank in ranks.items()])
            count = (count > 0).cast("int64")
        of_nulls = {name: _rank_of_null(name, values.columns, method, count) for name in values.columns}
        start, shift = (known, 0) if na_option == "bottom" else (0, count)
        made = {name: when(col(name).is_null()).then(of_nulls[name] + start).otherwise(ranks[name] + shift) for name in values.columns}
    if pct:
        if method == "dense":
            total = functools.reduce(max_horizontal, made.values())
        else:
            total = functools.reduce(operator.add, [value.is_not_null().cast("int64") for value in made.values()])
        made = {name: value / total for name, value in made.items()}
    ranked = values.select(*(value.cast("float64").alias(name) for name, value in made.items()))
    return DataFrame({label: ranked[name] for label, name in zip(labels, ranked.columns)}).with_index(frame.index)


def _number_of(conditions):
    return functools.reduce(operator.add, [condition.fill_null(False).cast("int64") for condition in conditions])


def _rank_in_row(own, names, method, ascending):
    """The rank of a column among others in each row, without nulls."""
    value = col(own)
    before = [col(name) < value if ascending else col(name) > value for name in names]
    equal = [col(name) == value for name in names]
    if method == "dense":
        # Of equal values before it the first one counts.
        earlier = [
            functools.reduce(operator.or_, [(col(name) == col(other)).fill_null(False) for other in names[:place]], lit(False))
            for place, name in enumerate(names)
        ]
        return _number_of([one & ~again for one, again in zip(before, earlier)]) + 1
    if method == "first":
        return _number_of(before) + _number_of(equal[: names.index(own) + 1])
    if method == "min":
        return _number_of(before) + 1
    if method == "max":
        return _number_of(before) + _number_of(equal)
    return _number_of(before) + (_number_of(equal) + 1) / 2


def _rank_of_null(own, names, method, count):
    """The rank of a null among the nulls of a row."""
    if method == "first":
        return _number_of([col(name).is_null() for name in names[: names.index(own) + 1]])
    return {"average": (count + 1) / 2, "max": count}.get(method, lit(1))


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    def rank(self, method="average", ascending=True, pct=False, na_option="keep", axis=0, numeric_only=False):
        """The rank of each value, with axis=1 among those of its row. Nulls have none, or with na_option "top" or "bottom" the first or the
        last ones.
        """
        if isinstance(self, DataFrame) and _axis(axis, "rank") == 1:
            return _ranks_of_rows(self, method, ascending, pct, na_option, numeric_only)
        _rows_only(axis, "rank")
        _choice(na_option, ("keep", "top", "bottom"), "na_option", "rank")
        if isinstance(self, DataFrame):
            labels = [label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)]
            made = {label: self[label].rank(method, ascending, pct, na_option) for label in labels}
            return DataFrame({label: _plain(values) for label, values in made.items()}).with_index(self.index) if made else self[[]]
        if na_option == "keep" or not self.null_count:
            return _RANK(self, method, ascending, pct)
        order = _RANK(self, "dense", ascending)
        return _RANK(order.fill_null(0.0 if na_option == "top" else float(builtins.len(self) + 1)), method, True, pct)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def sort_values(
        self, by, ascending=None, nulls_first=None, axis=0, kind="quicksort", na_position=None, ignore_index=False, key=None,
    ):
        """The rows in the order of columns, expressions or levels of the row labels, ascending or as a list says for each. Equal rows keep
        their order. Nulls stand at the end, or with na_position="first" at the start, or as a list `nulls_first` says for each column.
        `key` is a function of each column, as a series.
        """
        operation = "sort_values"
        _rows_only(axis, operation)
        frame, labels = self, _list(by)
        if isinstance(nulls_first, builtins.list):
            first = _nulls_of_columns(nulls_first, labels, na_position, operation)
        else:
            first = _is_first(na_position, nulls_first, operation)
        if any(isinstance(label, (Expr, Columns)) for label in labels):
            from .._polars.frames import _keys

            frame, labels = _keys(self, labels, operation)
            by = labels
        names = builtins.list(self.index.names)
        if key is None and not any(isinstance(label, (builtins.str, int)) and label in names and label not in self for label in labels):
            made = _SORT[DataFrame](frame, by, ascending, first)
            return _renumbered(made if frame is self else made[self.columns], ignore_index)
        if not labels:
            return _renumbered(self, ignore_index)
        keys = [_keyed(key, _label_values(frame, label), operation) for label in labels]
        return _renumbered(self.take(_order(keys, ascending, first)), ignore_index)

    def sort_index(
        self, level=None, ascending=True, nulls_first=None, axis=0, kind="quicksort", na_position=None, sort_remaining=True,
        ignore_index=False, key=None,
    ):
        """The rows in the order of their labels, or of some levels of them, and with axis=1 the columns. Equal labels keep their order.
        Nulls stand at the end, or with na_position="first" at the start. `key` is a function of the labels of a level.
        """
        operation = "sort_index"
        first = _is_first(na_position, nulls_first, operation)
        if _axis(axis, operation) == 1:
            return _columns_by_labels(self, level, ascending, sort_remaining, key)
        return _rows_by_labels(self, level, ascending, first, sort_remaining, ignore_index, key)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def sort_values(self, ascending=True, nulls_first=None, axis=0, kind="quicksort", na_position=None, ignore_index=False, key=None):
        """The values in order, equal ones in that of before. Nulls stand at the end, or with na_position="first" at the start. `key` is
        a function of the series.
        """
        operation = "sort_values"
        _rows_only(axis, operation)
        first = _is_first(na_position, nulls_first, operation)
        if isinstance(ascending, builtins.list):
            if builtins.len(ascending) != 1:
                raise _error("ValueError", operation, f"ascending has {builtins.len(ascending)} values for one series")
            (ascending,) = ascending
        if key is None:
            return _renumbered(_SORT[Series](self, ascending, first), ignore_index)
        return _renumbered(self.take(_order([_keyed(key, self, operation)], ascending, first)), ignore_index)

    def sort_index(
        self, level=None, ascending=True, nulls_first=None, axis=0, kind="quicksort", na_position=None, sort_remaining=True,
        ignore_index=False, key=None,
    ):
        """The values in the order of their labels, or of some levels of them. Equal labels keep their order. Nulls stand at the end, or with na_position="first" at the start. `key` is a function of the labels of a level.
        """
        _rows_only(axis, "sort_index")
        first = _is_first(na_position, nulls_first, "sort_index")
        return _rows_by_labels(self, level, ascending, first, sort_remaining, ignore_index, key)
