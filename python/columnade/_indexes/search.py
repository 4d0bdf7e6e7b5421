"""Row labels that are found and dropped: whole ones, first parts of those of several levels, texts as times, and values within intervals."""

from __future__ import annotations

import builtins

from .._columnade import Index, Series
from .._common import _UNSET, _choice, _error, _label_list, _level, _place, _plain, _same
from .._errors import ColumnKeyError, ColumnValueError, ColumnadeError
from .._install import compiled, install, like, methods, naming
from .methods import _other, _positions
from .basics import _values
from .._times.labels import duration_of, interval_locs, kind_of, known_labels, slice_of_values, time_of, time_text, typed


_DROP, _GET_LOC, _GET_LOCS, _GET_INDEXER, _NON_UNIQUE, _INSERT, _SLICE_LOCS = (
    compiled(Index, name) for name in ("drop", "get_loc", "get_locs", "get_indexer", "get_indexer_non_unique", "insert", "slice_locs")
)
_CONTAINS = compiled(Index, "__contains__")


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


def _is_at(index, key):
    """Which labels a key stands for."""
    found = _plain(_GET_LOCS(index, key))
    return _plain(Index.range(0, builtins.len(index))).isin(found)


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


def _rows_where(index, kept):
    """The labels for which a condition holds."""
    return index.take(_plain(_plain(Index.range(0, builtins.len(index)))[_plain(kept)]))


def _position(index, key):
    """The position of a whole label, or a slice of those of text that is the month or the day of several times."""
    operation = "get_loc"
    if not isinstance(key, builtins.str) or index.nlevels != 1 or kind_of(index.dtype) is None:
        return _GET_LOC(index, key)
    if kind_of(index.dtype) == "duration":
        return _GET_LOC(index, duration_of(index, key, operation))
    try:
        return _GET_LOC(index, key)
    except ColumnValueError:
        if time_text(key) is None:
            raise _error("KeyError", operation, f"there is no row label {key!r}, which is no time") from None
        if not index.is_monotonic_increasing:
            return _as_loc(_is_at(index, key), False)
        first, last = index.slice_locs(key, key)
        if first == last:
            raise _error("KeyError", operation, f"there is no row label {key!r}") from None
        return slice(first, last)


def _without(index, labels, errors):
    """The labels without some whole ones."""
    labels = known_labels(index, labels, "drop") if errors == "raise" else typed(index, [labels] if isinstance(labels, builtins.str) else labels)
    given = _label_list(labels)
    if errors == "ignore":
        given = [label for label in given if label in index]
    return _DROP(index, given) if given else index


def _contains(self, label, /):
    if self.kind == "interval" and not hasattr(label, "closed_left") and not hasattr(label, "closed"):
        # Numbers are in intervals, and not among them: see `contains`.
        return False
    try:
        return _CONTAINS(self, duration_of(self, label, "contains"))
    except ColumnKeyError:
        return False


def _get_indexer_non_unique(self, /, target):
    return _NON_UNIQUE(self, typed(self, target))


install(Index, "__contains__", like(_contains, Index, "__contains__"))
install(Index, "get_indexer_non_unique", like(_get_indexer_non_unique, Index, "get_indexer_non_unique"))


@methods(Index)
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
                    return _position(self, key)
                except ColumnadeError as error:
                    if isinstance(error, KeyError) or self.is_unique:
                        raise
                return _as_loc(_rows_of_part(self, key, operation), self.is_monotonic_increasing)
            return _of_part(self, key, operation)
        try:
            return _position(self, key)
        except ColumnadeError as error:
            if self.kind == "interval" and isinstance(error, ValueError):
                try:
                    found = _plain(_GET_LOCS(self, key)).to_list()
                except ColumnadeError:
                    raise error from None
                return slice(found[0], found[-1] + 1) if found[-1] - found[0] < builtins.len(found) else _is_at(self, key).to_numpy()
            if self.kind not in ("range", "single", "categorical", "datetime", "timedelta") or self.is_unique or isinstance(error, KeyError):
                raise
            return _as_loc(_rows_of_part(self, key, operation), self.is_monotonic_increasing)

    def get_locs(self, label):
        """The positions of a label, or of the first parts of labels; of several levels a list or a tuple has a value, a list of values or
        a slice for each.
        """
        parts = tuple(label) if isinstance(label, (builtins.list, tuple)) else (label,)
        if self.nlevels == 1 or not any(isinstance(part, (slice, builtins.list)) for part in parts):
            return _GET_LOCS(self, parts if isinstance(label, builtins.list) and self.nlevels > 1 else label)
        if builtins.len(parts) > self.nlevels:
            raise _error("KeyError", "get_locs", f"{builtins.len(parts)} parts for {self.nlevels} levels")
        # A whole slice beside a label keeps the key from being one of a single row.
        found = _positions(self).loc[parts + (slice(None),) * (self.nlevels - builtins.len(parts))]
        return _plain(found).rename(None)

    def get_indexer(self, target, method=None, limit=None, tolerance=None):
        """The positions of other labels, -1 for those that are not there; `method` takes one near it, at most `tolerance` away, and for
        at most `limit` labels in a row.
        """
        operation = "get_indexer"
        target = typed(self, target)
        if limit is None and tolerance is None:
            return _GET_INDEXER(self, target, method)
        if method is None:
            raise _error("ValueError", operation, "limit and tolerance go with a method")
        own = _positions(self)
        made = own.reindex(_other(target), method=method, limit=limit, tolerance=tolerance)
        return _plain(made.fill_null(-1)).rename(None)

    def insert(self, loc=_UNSET, item=_UNSET, position=_UNSET, label=_UNSET):
        """The labels with one more before a position, which counts from the end where it is negative."""
        operation = "insert"
        place, value = (_same(*part, _UNSET, operation) for part in ((loc, position, "loc", "position"), (item, label, "item", "label")))
        if place is _UNSET or value is _UNSET:
            raise _error("TypeError", operation, f"{'loc' if place is _UNSET else 'item'} is missing")
        if isinstance(place, int) and place < 0:
            if place < -builtins.len(self):
                raise _error("IndexError", operation, f"there is no position {place} in {builtins.len(self)} labels")
            place += builtins.len(self)
        made = _INSERT(self, place, time_of(self, value) if isinstance(value, builtins.str) else value)
        if self.nlevels != 1 or made.dtype == self.dtype or kind_of(self.dtype) is None or kind_of(made.dtype) != kind_of(self.dtype):
            return made
        # The unit of the labels stays where the new one is whole in it.
        kept = made.astype(self.dtype)
        return kept if kept[place] == made[place] else made

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
            return _without(self, labels, errors)
        found = _plain(Series([False] * builtins.len(self), dtype="bool"))
        for label in given:
            try:
                found = found | _rows_of_part(self, label, operation)
            except ColumnKeyError:
                if errors == "raise":
                    raise
        return _rows_where(self, ~found)

    def slice_locs(self, start=None, end=None, step=None):
        """The first position and the one after the last, from one label to another; with a negative step from the last to the first."""
        operation = "slice_locs"
        if self.nlevels == 1 and kind_of(self.dtype) == "duration":
            start, end = duration_of(self, start, operation), duration_of(self, end, operation, True)
        elif slice_of_values(self, slice(start, end)) and (step is None or step > 0):
            return interval_locs(self, start, end, operation)
        if step is None or step >= 0:
            return _SLICE_LOCS(self, start, end)
        first, last = _SLICE_LOCS(self, end, start)
        return last - 1, first - 1 if first else -1 - builtins.len(self)

    @naming
    def searchsorted(self, value, side="left", sorter=None):
        """The position before which a value keeps sorted labels in order, or those of several values; `sorter` has the positions of the
        labels in order.
        """
        if self.kind == "range" and self.step > 0 and sorter is None and isinstance(value, int) and not isinstance(value, bool):
            _choice(side, ("left", "right"), "side", "searchsorted")
            return _SLICE_LOCS(self, value, None)[0] if side == "left" else _SLICE_LOCS(self, None, value)[1]
        value = time_of(self, value) if isinstance(value, builtins.str) else typed(self, value)
        index = self if sorter is None else self.take(sorter)
        return _values(index, "searchsorted").searchsorted(value, side=side)
