"""Text as labels that are times and durations, and values within labels that are intervals."""

from __future__ import annotations

import builtins
import datetime
import re

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _error, _plain, tuples_of
from .._errors import ColumnValueError
from .._functions.frames import _spans
from .._install import compiled, install
from .offsets import _NANOSECONDS


_TIME = (
    r"\s*(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?|(\d{2})(\d{2}))?"
    r"(?:[T ]\s*(\d{1,2})(?::?(\d{2})(?::?(\d{2})(?:\.(\d{1,9}))?)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?\s*"
)
_SLASHES = r"\s*(\d{1,2})/(\d{1,2})/(\d{4})\s*"


def time_text(text):
    """A time as the engine reads it, of text in the forms of ISO 8601 or month/day/year; None for other text."""
    found = re.compile(_SLASHES).fullmatch(text)
    if found is not None:
        month, day, year = found.groups()
        return f"{year}-{int(month):02}-{int(day):02}" if 1 <= int(month) <= 12 and 1 <= int(day) <= 31 else None
    found = re.compile(_TIME).fullmatch(text)
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


def kind_of(dtype):
    text = builtins.str(dtype)
    return "time" if text.startswith(("timestamp", "date32")) else "duration" if text.startswith("duration") else None


def read(texts, dtype):
    """Texts as times or durations of a dtype; None where one cannot be read. Those without an offset are local times of the zone."""
    try:
        if kind_of(dtype) == "duration":
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


def texts_of(labels):
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
    if isinstance(labels, builtins.str) or index.nlevels != 1 or kind_of(index.dtype) is None:
        return labels
    texts = texts_of(labels)
    values = None if texts is None else read(texts, index.dtype)
    if values is None:
        return labels
    return Index(values).rename(labels.name if isinstance(labels, Index) else None)


def time_of(index, text):
    """A text as the time or the duration that it is among labels of these; the same otherwise."""
    if index.nlevels != 1 or kind_of(index.dtype) is None:
        return text
    values = read([text], index.dtype)
    return text if values is None else values.to_list()[0]


def duration_of(index, label, operation, is_end=False):
    """A text as one duration; with `is_end` the last one of the unit that the text is exact to."""
    if not isinstance(label, builtins.str) or index.nlevels != 1 or kind_of(index.dtype) != "duration":
        return label
    found = read([label], native.DType("duration[ns]"))
    if found is None:
        raise _error("KeyError", operation, f"there is no row label {label!r}, which is no duration")
    length = found.cast("int64").to_list()[0]
    if is_end:
        unit = next((unit for unit in reversed(builtins.list(_NANOSECONDS)) if length % _next_length(unit)), "D")
        length += _NANOSECONDS[unit] - _NANOSECONDS[index.unit]
    # Durations of Python have microseconds.
    if length % 1000:
        return _exact_duration(length)
    return datetime.timedelta(microseconds=length // 1000)


def _exact_duration(length):
    import numpy

    return numpy.timedelta64(length, "ns")


def _next_length(unit):
    """The length of the next larger unit, of which a duration exact to it has a multiple."""
    units = builtins.list(_NANOSECONDS)
    place = units.index(unit)
    return _NANOSECONDS[units[place - 1]] if place else 1


def bounds_of(index, key, operation):
    start, stop = duration_of(index, key.start, operation), duration_of(index, key.stop, operation, True)
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


def slice_of_values(index, key):
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
            return bounds_of(index, key, operation) if kind_of(index.dtype) == "duration" else key
        if isinstance(key, builtins.str):
            return duration_of(index, key, operation)
        # Columns of a tuple, and rows that a condition chooses, are no list of labels.
        made = key if isinstance(key, tuple) else typed(index, key)
        return made.to_series() if isinstance(made, Index) and made is not key else key

    def __getitem__(self, key):
        of = self._of
        has_columns = isinstance(of, DataFrame) and isinstance(key, tuple) and builtins.len(key) == 2
        rows = key[0] if has_columns else key
        if self._name == "loc" and slice_of_values(of.index, rows):
            low, high = interval_locs(of.index, rows.start, rows.stop, "loc")
            made = of.iloc[low:high][:: rows.step] if rows.step is not None else of.iloc[low:high]
            return made.loc[:, key[1]] if has_columns else made
        rows = self._rows(rows)
        return self._before()[(rows, key[1]) if has_columns else rows]


_PROPERTIES = {(kind, name): compiled(kind, name) for kind in (DataFrame, Series) for name in ("loc", "at")}


def _keys(kind, name):
    before = _PROPERTIES[kind, name]

    def get(self):
        index = self.index
        return _Keys(self, name) if index.kind in ("datetime", "timedelta", "interval") else before.__get__(self)

    get.__doc__ = before.__doc__
    return property(get)


for _kind_of in (DataFrame, Series):
    for _name in ("loc", "at"):
        install(_kind_of, _name, _keys(_kind_of, _name))
del _kind_of, _name


# Methods -----------------------------------------------------------------------------------------------------------------
def label_or_labels(self, key, operation):
    index = self if isinstance(self, Index) else self.index
    if isinstance(key, builtins.str):
        return duration_of(index, key, operation)
    return typed(index, key)


def label_of_time(self, where):
    """A label of `asof`: also a text that is a time."""
    return time_of(self.index, where) if isinstance(where, builtins.str) else typed(self.index, where)


def rows_of_loc(self, rows, operation):
    index = self.index
    if index.nlevels != 1:
        return tuples_of(rows.to_list() if isinstance(rows, Series) and builtins.str(rows.dtype).startswith("struct") else rows, index)
    if isinstance(rows, slice):
        if slice_of_values(index, rows):
            low, high = interval_locs(index, rows.start, rows.stop, operation)
            return index[low:high][:: rows.step] if rows.step is not None else index[low:high]
        return bounds_of(index, rows, operation) if kind_of(index.dtype) == "duration" else rows
    made = label_or_labels(self, rows, operation)
    return made.to_list() if isinstance(made, Index) and made is not rows else made


def known_labels(index, labels, operation):
    """Labels that are dropped, of which those that are texts are read."""
    given = [labels] if isinstance(labels, builtins.str) else labels
    made = typed(index, given)
    if made is given and index.nlevels == 1 and kind_of(index.dtype) is not None and texts_of(given) is not None:
        unread = [text for text in texts_of(given) if text is not None and read([text], index.dtype) is None]
        raise _error("KeyError", operation, f"there are no row labels {unread}")
    return made if made is not given else labels
