"""Text as labels that are times and durations, and values within labels that are intervals.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import datetime
import inspect
import re

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._errors import ColumnKeyError, ColumnValueError
from ._functions import _spans
from ._pandas import _error
from ._pandas_arguments import _UNSET, _axis, _plain

_TIME = re.compile(
    r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?|(\d{2})(\d{2}))?"
    r"(?:[T ]\s*(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?\s*"
)
_SLASHES = re.compile(r"\s*(\d{1,2})/(\d{1,2})/(\d{4})\s*")
# The units of a duration and their lengths, the largest first.
_LENGTHS = {"D": 86_400_000_000_000, "h": 3_600_000_000_000, "min": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1}


def time_text(text):
    """A time as the engine reads it, of text in the forms of ISO 8601 or month/day/year; None for other text."""
    found = _SLASHES.fullmatch(text)
    if found is not None:
        month, day, year = found.groups()
        return f"{year}-{int(month):02}-{int(day):02}" if 1 <= int(month) <= 12 and 1 <= int(day) <= 31 else None
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    year, month, day, short_month, short_day, hour, minute, second, fraction, offset = found.groups()
    if hour is not None and day is None and short_day is None:
        return None
    made = f"{year}-{int(month or short_month or 1):02}-{int(day or short_day or 1):02}"
    if hour is None:
        return made
    digits = (fraction or "").rstrip("0")
    made += f" {int(hour):02}:{minute or '00'}:{second or '00'}" + (f".{digits}" if digits else "")
    if offset is None or offset == "Z":
        return made + (offset or "")
    return f"{made}{offset[:3]}:{offset[3:].lstrip(':') or '00'}"


def _has_offset(text):
    return text.endswith("Z") or re.search(r"\d[+-]\d{2}:\d{2}$", text) is not None


def _kind(dtype):
    text = builtins.str(dtype)
    return "time" if text.startswith(("timestamp", "date32")) else "duration" if text.startswith("duration") else None


def read(texts, dtype):
    """Texts as times or durations of a dtype; None where one cannot be read. Those without an offset are local times of the zone."""
    try:
        if _kind(dtype) == "duration":
            made = _spans(Series(texts, dtype="utf8"), True)
            exact = made.cast(dtype)
            return exact if (exact.cast("duration[ns]") == made).fill_null(True).all() else None
        known = [text if text is None else time_text(text) for text in texts]
        if any(made is None and text is not None for made, text in zip(known, texts)):
            return None
        offsets = {_has_offset(text) for text in known if text is not None}
        if offsets != {True} and dtype.tz is not None and offsets != {True, False}:
            return Series(known, dtype="utf8").cast(f"timestamp[{dtype.unit}]").dt.tz_localize(dtype.tz)
        return Series(known, dtype="utf8").cast(dtype)
    except ColumnValueError:
        return None


def _texts_of(labels):
    """Labels that are all texts or null as a list, None for others."""
    if isinstance(labels, Index):
        if labels.nlevels != 1 or builtins.str(labels.dtype) != "utf8":
            return None
        return labels.to_list()
    if isinstance(labels, Series):
        return labels.to_list() if builtins.str(labels.dtype) == "utf8" else None
    if hasattr(labels, "tolist") and getattr(labels, "ndim", 0) == 1:
        labels = labels.tolist()
    if not isinstance(labels, (builtins.list, tuple)) or not labels:
        return None
    is_text = all(label is None or isinstance(label, builtins.str) for label in labels)
    return builtins.list(labels) if is_text and any(label is not None for label in labels) else None


def typed(index, labels):
    """Labels as those of an index of times or durations, where they are texts that can be read; the same otherwise."""
    if isinstance(labels, builtins.str) or index.nlevels != 1 or _kind(index.dtype) is None:
        return labels
    texts = _texts_of(labels)
    values = None if texts is None else read(texts, index.dtype)
    if values is None:
        return labels
    return Index(values).rename(labels.name if isinstance(labels, Index) else None)


def _value(index, text):
    """A text as the time or the duration that it is among labels of these; the same otherwise."""
    if index.nlevels != 1 or _kind(index.dtype) is None:
        return text
    values = read([text], index.dtype)
    return text if values is None else values.to_list()[0]


def _one(index, label, operation, is_end=False):
    """A text as one duration; with `is_end` the last one of the unit that the text is exact to."""
    if not isinstance(label, builtins.str) or index.nlevels != 1 or _kind(index.dtype) != "duration":
        return label
    found = read([label], native.DType("duration[ns]"))
    if found is None:
        raise _error("KeyError", operation, f"there is no row label {label!r}, which is no duration")
    length = found.cast("int64").to_list()[0]
    if is_end:
        unit = next((unit for unit in reversed(builtins.list(_LENGTHS)) if length % _next_length(unit)), "D")
        length += _LENGTHS[unit] - _LENGTHS[index.unit]
    # Durations of Python have microseconds.
    if length % 1000:
        return _exact(length)
    return datetime.timedelta(microseconds=length // 1000)


def _exact(length):
    import numpy

    return numpy.timedelta64(length, "ns")


def _next_length(unit):
    """The length of the next larger unit, of which a duration exact to it has a multiple."""
    units = builtins.list(_LENGTHS)
    place = units.index(unit)
    return _LENGTHS[units[place - 1]] if place else 1


def _bounds_of(index, key, operation):
    start, stop = _one(index, key.start, operation), _one(index, key.stop, operation, True)
    return slice(start, stop, key.step)


# Intervals ---------------------------------------------------------------------------------------------------------------


def _is_value(label):
    return label is not None and not (hasattr(label, "left") and hasattr(label, "right"))


def interval_locs(index, start, stop, operation):
    """The first position and the one after the last of the intervals from the one with a value to the one with another."""
    left, right, closed = _plain(index.left), _plain(index.right), index.closed
    rises = index.left.is_monotonic_increasing and index.right.is_monotonic_increasing
    falls = index.left.is_monotonic_decreasing and index.right.is_monotonic_decreasing
    count = builtins.len(index)
    if rises or falls:
        first, last = (left, right) if rises else (left.iloc[::-1], right.iloc[::-1])
        pairs = max(count - 1, 0)
        ends, starts = _plain(last).slice(0, pairs), _plain(_plain(first).slice(min(1, count), pairs))
        apart = ends < starts if closed == "both" else ends <= starts
    if not (rises or falls) or not apart.fill_null(False).all():
        raise _error("KeyError", operation, "slices by values need intervals that are sorted and do not overlap")
    open_left, open_right = closed in ("right", "neither"), closed in ("left", "neither")

    def rows(condition):
        return int(condition.cast("int64").sum() or 0)

    if rises:
        low = 0 if start is None else rows(right <= start if open_right else right < start)
        high = count if stop is None else rows(left < stop if open_left else left <= stop)
    else:
        low = 0 if start is None else rows(left >= start if open_left else left > start)
        high = count if stop is None else rows(right > stop if open_right else right >= stop)
    return low, max(low, high)


def _slice_of_values(index, key):
    if index.kind != "interval" or not isinstance(key, slice):
        return False
    bounds = [bound for bound in (key.start, key.stop) if bound is not None]
    return builtins.bool(bounds) and all(map(_is_value, bounds))


# Keys of `loc` and `at` --------------------------------------------------------------------------------------------------


class _Keys:
    """`loc` or `at` of labels that are times or durations, which texts name, or intervals, of which slices go by values."""

    def __init__(self, of, name):
        self._of, self._name = of, name

    def _before(self):
        return _PROPERTIES[type(self._of), self._name].__get__(self._of)

    def _rows(self, key):
        index, operation = self._of.index, self._name
        if isinstance(key, slice):
            return _bounds_of(index, key, operation) if _kind(index.dtype) == "duration" else key
        if isinstance(key, builtins.str):
            return _one(index, key, operation)
        # Columns of a tuple, and rows that a condition chooses, are no list of labels.
        made = key if isinstance(key, tuple) else typed(index, key)
        return made.to_series() if isinstance(made, Index) and made is not key else key

    def __getitem__(self, key):
        of = self._of
        has_columns = isinstance(of, DataFrame) and isinstance(key, tuple) and builtins.len(key) == 2
        rows = key[0] if has_columns else key
        if self._name == "loc" and _slice_of_values(of.index, rows):
            low, high = interval_locs(of.index, rows.start, rows.stop, "loc")
            made = of.iloc[low:high][:: rows.step] if rows.step is not None else of.iloc[low:high]
            return made.loc[:, key[1]] if has_columns else made
        rows = self._rows(rows)
        return self._before()[(rows, key[1]) if has_columns else rows]


_PROPERTIES = {(kind, name): getattr(kind, name) for kind in (DataFrame, Series) for name in ("loc", "at")}


def _keys(kind, name):
    before = _PROPERTIES[kind, name]

    def get(self):
        index = self.index
        return _Keys(self, name) if index.kind in ("datetime", "timedelta", "interval") else before.__get__(self)

    get.__doc__ = before.__doc__
    return property(get)


for _kind_of in (DataFrame, Series):
    for _name in ("loc", "at"):
        setattr(_kind_of, _name, _keys(_kind_of, _name))
del _kind_of, _name


# Methods -----------------------------------------------------------------------------------------------------------------


def _wrapped(of, name, change, errors=()):
    """Has a method take what `change` makes of its first argument."""
    compute = getattr(of, name)

    def method(self, *args, **kwargs):
        if args:
            args = (change(self, args[0], name), *args[1:])
        else:
            for argument in _FIRST.get(name, ()):
                if kwargs.get(argument) is not None:
                    kwargs[argument] = change(self, kwargs[argument], name)
        return compute(self, *args, **kwargs)

    method.__signature__ = inspect.signature(compute)
    method.__name__, method.__qualname__, method.__doc__ = name, f"{of.__name__}.{name}", compute.__doc__
    setattr(of, name, method)


_FIRST = {"get_indexer": ("target",), "get_indexer_non_unique": ("target",), "xs": ("key",), "asof": ("where",), "set_loc": ("rows",)}


def _labels(self, labels, operation):
    return typed(self if isinstance(self, Index) else self.index, labels)


def _label_or_labels(self, key, operation):
    index = self if isinstance(self, Index) else self.index
    if isinstance(key, builtins.str):
        return _one(index, key, operation)
    return typed(index, key)


def _label_of_time(self, where, operation):
    """A label of `asof`: also a text that is a time."""
    return _value(self.index, where) if isinstance(where, builtins.str) else typed(self.index, where)


def _rows_of_loc(self, rows, operation):
    index = self.index
    if index.nlevels != 1:
        return rows
    if isinstance(rows, slice):
        if _slice_of_values(index, rows):
            low, high = interval_locs(index, rows.start, rows.stop, operation)
            return index[low:high][:: rows.step] if rows.step is not None else index[low:high]
        return _bounds_of(index, rows, operation) if _kind(index.dtype) == "duration" else rows
    made = _label_or_labels(self, rows, operation)
    return made.to_list() if isinstance(made, Index) and made is not rows else made


for _of in (DataFrame, Series):
    _wrapped(_of, "xs", _label_or_labels)
    _wrapped(_of, "asof", _label_of_time)
    _wrapped(_of, "set_loc", _rows_of_loc)
for _name in ("get_indexer", "get_indexer_non_unique"):
    _wrapped(Index, _name, _labels)
del _of, _name

_BEFORE = {
    name: getattr(Index, name) for name in ("__contains__", "drop", "get_loc", "insert", "searchsorted", "slice_locs", "__eq__", "__ne__")
}


def _known(index, labels, operation):
    """Labels that are dropped, of which those that are texts are read."""
    given = [labels] if isinstance(labels, builtins.str) else labels
    made = typed(index, given)
    if made is given and index.nlevels == 1 and _kind(index.dtype) is not None and _texts_of(given) is not None:
        unread = [text for text in _texts_of(given) if text is not None and read([text], index.dtype) is None]
        raise _error("KeyError", operation, f"there are no row labels {unread}")
    return made if made is not given else labels


class _OfIndexes:
    """Methods of row labels."""

    def get_loc(self, key):
        """The position of a label. Text that is the month or the day of several times has a slice of positions."""
        operation = "get_loc"
        if not isinstance(key, builtins.str) or self.nlevels != 1 or _kind(self.dtype) is None:
            return _BEFORE[operation](self, key)
        if _kind(self.dtype) == "duration":
            return _BEFORE[operation](self, _one(self, key, operation))
        try:
            return _BEFORE[operation](self, key)
        except ColumnValueError:
            if time_text(key) is None:
                raise _error("KeyError", operation, f"there is no row label {key!r}, which is no time") from None
            if not self.is_monotonic_increasing:
                raise
            first, last = self.slice_locs(key, key)
            if first == last:
                raise _error("KeyError", operation, f"there is no row label {key!r}") from None
            return slice(first, last)

    def slice_locs(self, start=None, end=None, step=None):
        """The first position and the one after the last, from one label to another; with a negative step from the last to the first."""
        operation = "slice_locs"
        if self.nlevels == 1 and _kind(self.dtype) == "duration":
            start, end = _one(self, start, operation), _one(self, end, operation, True)
        elif _slice_of_values(self, slice(start, end)) and (step is None or step > 0):
            return interval_locs(self, start, end, operation)
        return _BEFORE[operation](self, start, end, step)

    def drop(self, labels, errors="raise"):
        """The labels without some; errors="ignore" leaves out those that are not there."""
        return _BEFORE["drop"](self, _known(self, labels, "drop") if errors == "raise" else typed(
            self, [labels] if isinstance(labels, builtins.str) else labels
        ), errors)

    def insert(self, loc=_UNSET, item=_UNSET, position=_UNSET, label=_UNSET):
        """The labels with one more before a position, which counts from the end where it is negative."""
        given = {"loc": loc, "item": item, "position": position, "label": label}
        given = {name: value for name, value in given.items() if value is not _UNSET}
        for name in ("item", "label"):
            if isinstance(given.get(name), builtins.str):
                given[name] = _value(self, given[name])
        return _BEFORE["insert"](self, **given)

    def searchsorted(self, value, side="left", sorter=None):
        """The position before which a value keeps sorted labels in order, or those of several values; `sorter` has the positions of the
        labels in order.
        """
        return _BEFORE["searchsorted"](self, _value(self, value) if isinstance(value, builtins.str) else typed(self, value), side, sorter)


def _contains(self, label, /):
    try:
        return _BEFORE["__contains__"](self, _one(self, label, "contains"))
    except ColumnKeyError:
        return False


def _compared(name):
    compute = _BEFORE[name]

    def method(self, other, /):
        return compute(self, _value(self, other) if isinstance(other, builtins.str) else other)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Index.{name}", compute.__doc__
    return method


_contains.__name__, _contains.__qualname__, _contains.__doc__ = "__contains__", "Index.__contains__", _BEFORE["__contains__"].__doc__
for _name in ("get_loc", "slice_locs", "drop", "insert", "searchsorted"):
    setattr(Index, _name, getattr(_OfIndexes, _name))
setattr(Index, "__contains__", _contains)
for _name in ("__eq__", "__ne__"):
    setattr(Index, _name, _compared(_name))
del _name


# `reindex` and `drop` ----------------------------------------------------------------------------------------------------


def _reindexed(kind):
    compute = getattr(kind, "reindex")
    signature = inspect.signature(compute)

    def reindex(self, *args, **kwargs):
        given = signature.bind(self, *args, **kwargs).arguments
        name = "index" if given.get("index") is not None else "labels"
        is_rows = name == "index" or given.get("axis") is None or _axis(given["axis"], "reindex") == 0
        labels = given.get(name) if is_rows else None
        made = typed(self.index, labels) if labels is not None else labels
        if made is labels:
            return compute(self, *args, **kwargs)
        given[name] = made
        found = compute(**given)
        # The labels are those that were asked for, which are texts.
        asked = labels if isinstance(labels, Index) else Index(_texts_of(labels)).rename(self.index.name)
        return found.with_index(asked)

    reindex.__signature__, reindex.__doc__, reindex.__qualname__ = signature, compute.__doc__, f"{kind.__name__}.reindex"
    return reindex


def _dropped(kind):
    compute = getattr(kind, "drop")
    signature = inspect.signature(compute)

    def drop(self, *args, **kwargs):
        bound = signature.bind(self, *args, **kwargs)
        given = bound.arguments
        if given.get("level") is not None or self.index.nlevels != 1 or _kind(self.index.dtype) is None:
            return compute(self, *args, **kwargs)
        names = ("index",)
        if kind is Series or given.get("axis") is not None and _axis(given["axis"], "drop") == 0:
            names = ("index", "labels")
            if given.get("names"):
                given["names"] = tuple(_dropped_labels(self, part, given) for part in given["names"])
        for name in names:
            if given.get(name) is not None:
                given[name] = _dropped_labels(self, given[name], given)
        return compute(*bound.args, **bound.kwargs)

    drop.__signature__, drop.__doc__, drop.__qualname__ = signature, compute.__doc__, f"{kind.__name__}.drop"
    return drop


def _dropped_labels(self, labels, given):
    made = typed(self.index, [labels] if isinstance(labels, builtins.str) else labels)
    if given.get("errors", "raise") == "raise":
        made = _known(self.index, labels, "drop")
    return made.to_list() if isinstance(made, Index) and made is not labels else made


for _of in (DataFrame, Series):
    setattr(_of, "reindex", _reindexed(_of))
    setattr(_of, "drop", _dropped(_of))
del _of
