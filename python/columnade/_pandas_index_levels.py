"""Row labels of several levels: labels made of tuples, and those found and dropped by part of a label or by a level.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from ._columnade import Index, Series
from ._errors import ColumnadeError, ColumnKeyError
from ._pandas import _add, _error
from ._pandas_arguments import _choice, _label_list, _level, _place, _plain

_BEFORE = {name: getattr(Index, name) for name in ("astype", "drop", "factorize", "get_loc")}


def _from_tuples(tuples, names=None):
    """Row labels of several levels, of a tuple for each row."""
    rows = [tuple(row) for row in tuples]
    if not rows:
        if not isinstance(names, (builtins.list, tuple)):
            raise _error("TypeError", "from_tuples", "there are no tuples, which say the number of levels: give names")
        return Index.from_arrays([Series([], dtype="utf8") for _ in names], names=builtins.list(names))
    widths = {builtins.len(row) for row in rows}
    if builtins.len(widths) > 1:
        raise _error("ValueError", "from_tuples", f"tuples have one length, not {' and '.join(map(builtins.str, sorted(widths)))}")
    levels = [Series(builtins.list(values)) for values in zip(*rows)]
    return Index.from_arrays(levels, names=builtins.list(names) if isinstance(names, tuple) else names)


setattr(Index, "from_tuples", staticmethod(_from_tuples))


def _rows_of_part(index, key, operation):
    """The positions of the labels that begin with a key."""
    parts = key if isinstance(key, tuple) else (key,)
    if builtins.len(parts) > index.nlevels:
        raise _error("KeyError", operation, f"{key!r} has {builtins.len(parts)} labels for {index.nlevels} levels")
    found = None
    for place, part in enumerate(parts):
        if isinstance(part, (slice, builtins.list)):
            raise _error("TypeError", operation, f"{key!r} has labels alone: get_locs takes lists and slices")
        try:
            level = _level(index, place)
            rows = level.is_null() if part is None else (level == part).fill_null(False)
        except ColumnadeError as error:
            if not isinstance(error, (TypeError, ValueError)):
                raise
            raise _error("KeyError", operation, f"there is no row label {key!r}") from None
        found = rows if found is None else found & rows
    if found is None or not found.any():
        raise _error("KeyError", operation, f"there is no row label {key!r}")
    return found


def _as_loc(found, is_sorted):
    """Rows of sorted labels as a slice, others as an array of booleans; the position of one."""
    count, first = int(found.sum()), found.arg_max()
    if count == 1:
        return first
    return slice(first, first + count) if is_sorted else found.to_numpy()


def _of_part(index, key, operation):
    """The rows of the first parts of labels, which are several also where there is one."""
    found = _rows_of_part(index, key, operation)
    parts = builtins.len(key) if isinstance(key, tuple) else 1
    if not _is_sorted(index, parts):
        return found.to_numpy()
    first = found.arg_max()
    return slice(first, first + int(found.sum()))


def _is_sorted(index, levels):
    """Whether labels are in the order of their first levels."""
    if levels == index.nlevels:
        return index.is_monotonic_increasing
    values = [_level(index, place) for place in range(levels)]
    return (Index(values[0]) if levels == 1 else Index.from_arrays(values)).is_monotonic_increasing


class _OfIndexes:
    """Methods of row labels."""

    def get_loc(self, key):
        """The position of a label. Of a label that comes several times, or is the first part of some, the positions: a slice where they
        are behind each other, else an array of booleans.
        """
        operation = "get_loc"
        if self.nlevels > 1:
            if isinstance(key, tuple) and builtins.len(key) == self.nlevels:
                try:
                    return _BEFORE[operation](self, key)
                except ColumnadeError as error:
                    if isinstance(error, KeyError) or self.is_unique:
                        raise
                return _as_loc(_rows_of_part(self, key, operation), self.is_monotonic_increasing)
            return _of_part(self, key, operation)
        try:
            return _BEFORE[operation](self, key)
        except ColumnadeError as error:
            if self.kind not in ("range", "single", "categorical", "datetime", "timedelta") or self.is_unique or isinstance(error, KeyError):
                raise
            return _as_loc(_rows_of_part(self, key, operation), self.is_monotonic_increasing)

    def drop(self, labels, level=None, errors="raise"):
        """The labels without some, or without those of some labels of a level; the first parts of labels stand for all that begin with
        them. errors="ignore" leaves out those that are not there.
        """
        operation = "drop"
        _choice(errors, ("raise", "ignore"), "errors", operation)
        if level is not None:
            values = _level(self, _place(self, level, operation))
            given = _label_list(labels)
            missing = [label for label in given if label not in Index(values)]
            if missing and errors == "raise":
                raise _error("KeyError", operation, f"there are no labels {missing} in level {level!r}")
            return _rows_where(self, ~values.isin([label for label in given if label not in missing])) if given else self
        given = _label_list(labels)
        if self.nlevels == 1 or all(isinstance(label, tuple) and builtins.len(label) == self.nlevels for label in given):
            return _BEFORE[operation](self, labels, errors)
        found = _plain(Series([False] * builtins.len(self), dtype="bool"))
        for label in given:
            try:
                found = found | _rows_of_part(self, label, operation)
            except ColumnKeyError:
                if errors == "raise":
                    raise
        return _rows_where(self, ~found)

    def factorize(self, sort=False, use_na_sentinel=True):
        """The number of each label and the distinct labels, see `Series.factorize`."""
        if self.nlevels == 1:
            codes, distinct = _BEFORE["factorize"](self, sort, use_na_sentinel)
            return codes, distinct.rename(None)
        distinct = self.unique()
        if sort:
            distinct = distinct.sort_values()
        # Distinct labels have no names in pandas.
        return _plain(distinct.get_indexer(self)).rename(None), distinct.rename([None] * self.nlevels)

    def astype(self, dtype):
        """The labels in another dtype; those of several levels have the dtypes of these."""
        if self.nlevels == 1:
            return _BEFORE["astype"](self, dtype)
        if dtype is object or dtype == "object":
            return self
        raise _error("TypeError", "astype", f"labels of several levels have no dtype {dtype!r}: make new ones with from_arrays")


def _rows_where(index, kept):
    """The labels for which a condition holds."""
    return index.take(_plain(_plain(Index.range(0, builtins.len(index)))[_plain(kept)]))


def _part_of_intervals(name):
    before = getattr(Index, name)

    def get(self):
        return before.__get__(self).rename(None)

    get.__doc__ = before.__doc__
    return property(get)


_add(_OfIndexes, Index)
for _name in ("left", "right", "mid", "length"):
    setattr(Index, _name, _part_of_intervals(_name))
del _name
