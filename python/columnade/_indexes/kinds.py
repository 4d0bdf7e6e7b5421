"""Kinds of row labels under the names of pandas: an index is an instance of the class of its kind, and calling the class makes one."""

from __future__ import annotations

import builtins
import operator
import re
from typing import Any

from .._columnade import DataFrame, DType, Index, Series
from .._common import _error
from .._convert import masked
from .._errors import make
from .._functions.frames import to_timedelta
from .._functions.values import Categorical, to_datetime
from .._values import zone_name


__all__ = ["CategoricalIndex", "DatetimeIndex", "IntervalIndex", "MultiIndex", "RangeIndex", "TimedeltaIndex"]

_UNSET: Any = type("Unset", (), {"__repr__": lambda self: "..."})()


class _Kind(type):
    """A class whose instances are the indexes of one kind."""

    _kind = ""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Index) and instance.kind == cls._kind


def _labels(data, operation):
    """Labels as a series, and the name that they have."""
    if data is None or isinstance(data, (builtins.str, bytes)) or not hasattr(data, "__iter__") and not hasattr(data, "__array__"):
        given = "None" if data is None else type(data).__name__
        raise _error("TypeError", operation, f"labels are a list, an array, a series or an index, not {given}")
    if isinstance(data, Index):
        if data.nlevels > 1:
            raise _error("TypeError", operation, "row labels of several levels are tuples: use get_level_values()")
        return data.to_series().reset_index(drop=True), data.name
    values = data if isinstance(data, Series) else Series(data if hasattr(data, "__array__") else builtins.list(data))
    return values.reset_index(drop=True), getattr(data, "name", None)


def _named(values, name, known, kind):
    index = values if isinstance(values, Index) else Index(values)
    if index.kind != kind:
        raise make("TypeError", f"{kind} labels: {index.dtype} is none of them", operation=kind, dtype=builtins.str(index.dtype))
    return index.rename(known if name is None else name)


def _whole(value, name):
    try:
        return operator.index(value)
    except TypeError:
        raise _error("TypeError", "RangeIndex", f"{name} is a whole number, not {type(value).__name__}") from None


class RangeIndex(metaclass=_Kind):
    """Row labels that are a range: `RangeIndex(5)`, `RangeIndex(2, 10, 4)`, `RangeIndex(range(3))`."""

    _kind = "range"

    def __new__(  # type: ignore[misc]
        cls, start: Any = None, stop: Any = None, step: Any = None, dtype: Any = None, copy: bool = False, name: Any = None,
    ) -> Index:
        operation = "RangeIndex"
        if dtype is not None and DType(dtype) != DType("int64"):
            raise _error("ValueError", operation, f"a range has the dtype int64, not {DType(dtype)}")
        if isinstance(start, RangeIndex):
            start, name = builtins.range(*start.bounds), start.name if name is None else name  # type: ignore[attr-defined]
        if isinstance(start, builtins.range):
            start, stop, step = start.start, start.stop, start.step
        if start is None and stop is None and step is None:
            raise _error("TypeError", operation, "give a stop, or start and stop")
        first = 0 if start is None else _whole(start, "start")
        last = None if stop is None else _whole(stop, "stop")
        if last is None:
            first, last = 0, first
        return Index.range(first, last, 1 if step is None else _whole(step, "step"), name=name)

    @staticmethod
    def from_range(data: builtins.range, name: Any = None, dtype: Any = None) -> Index:
        """Labels of a range of Python."""
        if not isinstance(data, builtins.range):
            raise _error("TypeError", "from_range", f"a range is given, not {type(data).__name__}")
        return Index.range(data.start, data.stop, data.step, name=name)


def _at_frequency(index, freq, made):
    """The labels with a frequency, which they have; "infer" takes the one that they have."""
    if freq is _UNSET or freq is None:
        return index
    wanted = index.inferred_freq if freq == "infer" and builtins.len(index) > 2 else None if freq == "infer" else freq
    if wanted is None or not builtins.len(index):
        return index
    found = made(index, wanted)
    if not found.equals(index):
        raise _error("ValueError", "freq", f"the labels have the frequency {index.inferred_freq}, not {freq}")
    return found.rename(index.name)


def _dates(index, freq):
    # The start is a local time.
    start = index[0] if index[0] is None else index[0].replace(tzinfo=None)
    return Index.date_range(start, periods=builtins.len(index), freq=freq, dtype=index.dtype)


def _spans(index, freq):
    return Index.timedelta_range(index[0], periods=builtins.len(index), freq=freq, unit=index.unit)


def _times_of(values, dayfirst, yearfirst):
    """Labels as times: text, numbers in nanoseconds and dates are converted."""
    text = builtins.str(values.dtype)
    if text.startswith("timestamp"):
        return values
    if not builtins.len(values) or values.null_count == builtins.len(values) and text == "null":
        return Series([None] * builtins.len(values), dtype="timestamp[s]")
    if text == "date32":
        return values.cast("timestamp[s]")
    return to_datetime(values, unit="ns" if values.dtype.is_numeric else None, dayfirst=dayfirst, yearfirst=yearfirst)


def _unit_and_zone(dtype):
    """The unit and the time zone of a dtype of timestamps, also as pandas writes it: "datetime64[ns, UTC]"."""
    found = re.fullmatch(r"datetime64\[(s|ms|us|ns), ?(.+)\]", builtins.str(dtype))
    if found:
        return found.groups()
    known = DType(dtype)
    if not builtins.str(known).startswith("timestamp"):
        raise make("TypeError", f"DatetimeIndex: labels are timestamps, not {known}", operation="DatetimeIndex", dtype=builtins.str(known))
    return known.unit, known.tz


class DatetimeIndex(metaclass=_Kind):
    """Row labels that are times, of times, text, dates or numbers of nanoseconds. `tz` is the zone of local times, or the one that times
    with a zone are shown in; `freq` is checked.
    """

    _kind = "datetime"

    def __new__(  # type: ignore[misc]
        cls, data: Any = None, freq: Any = _UNSET, tz: Any = _UNSET, ambiguous: str = "raise", dayfirst: bool = False,
        yearfirst: bool = False, dtype: Any = None, copy: bool = False, name: Any = None,
    ) -> Index:
        values, known = _labels(data, "DatetimeIndex")
        if freq is _UNSET and isinstance(data, Index) and data.kind == "datetime":
            freq = data.freq
        values = _times_of(values, dayfirst, yearfirst)
        unit, zone = (None, None) if dtype is None else _unit_and_zone(dtype)
        if tz is not _UNSET and tz is not None:
            if zone is not None and zone != zone_name(tz):
                raise _error("ValueError", "DatetimeIndex", f"tz is {tz}, and dtype has the zone {zone}")
            zone = zone_name(tz)
        if zone is not None:
            is_local = values.dtype.tz is None
            values = values.dt.tz_localize(zone, ambiguous=ambiguous) if is_local else values.dt.tz_convert(zone)
        if dtype is not None:
            values = values.cast(f"timestamp[{unit}, {zone}]" if zone is not None else f"timestamp[{unit}]")
        return _at_frequency(_named(values, name, known, "datetime"), freq, _dates)


class TimedeltaIndex(metaclass=_Kind):
    """Row labels that are durations, of durations, text or numbers of nanoseconds. `freq` is checked."""

    _kind = "timedelta"

    def __new__(  # type: ignore[misc]
        cls, data: Any = None, freq: Any = _UNSET, dtype: Any = None, copy: bool = False, name: Any = None,
    ) -> Index:
        values, known = _labels(data, "TimedeltaIndex")
        if freq is _UNSET and isinstance(data, Index) and data.kind == "timedelta":
            freq = data.freq
        if not builtins.len(values):
            values = Series([], dtype="duration[s]")
        if not builtins.str(values.dtype).startswith("duration"):
            values = to_timedelta(values)
        if dtype is not None:
            values = values.cast(dtype)
        return _at_frequency(_named(values, name, known, "timedelta"), freq, _spans)


class CategoricalIndex(metaclass=_Kind):
    """Row labels that are categories: those that are given, or the values in order."""

    _kind = "categorical"

    def __new__(  # type: ignore[misc]
        cls, data: Any = None, categories: Any = None, ordered: bool | None = None, dtype: Any = None, copy: bool = False, name: Any = None,
    ) -> Index:
        if hasattr(dtype, "categories"):
            if categories is not None or ordered is not None:
                raise _error("ValueError", "CategoricalIndex", "give dtype, or categories and ordered")
            categories, ordered = dtype.categories, dtype.ordered
        elif dtype is not None and dtype != "category":
            raise _error("ValueError", "CategoricalIndex", f'dtype is "category", not {dtype!r}')
        values, known = _labels(data, "CategoricalIndex")
        if not builtins.len(values) and not builtins.str(values.dtype).startswith("dictionary"):
            values = Series([], dtype="utf8")
        is_made = builtins.str(values.dtype).startswith("dictionary")
        if categories is not None:
            categories = _labels(categories, "CategoricalIndex")[0].to_list()
        elif not is_made:
            categories = values.drop_nulls().unique().sort_values().to_list() or None
        if not is_made:
            values = values.cast(f"dictionary<int32, {values.dtype}>")
        return _named(Categorical(values, categories, ordered), name, known, "categorical")


def _between(left, right, closed):
    """Intervals between ends; one of which both ends are null is null."""
    values = Series._intervals(left, right, closed)
    valid = left.is_not_null() & right.is_not_null()
    return values if valid.all() else masked(values, valid)


def _end(values, operation):
    return _labels(values, operation)[0].rename(None)


class IntervalIndex(metaclass=_Kind):
    """Row labels that are intervals, of a list of `Interval`, a series or an index of them."""

    _kind = "interval"

    def __new__(  # type: ignore[misc]
        cls, data: Any, closed: str | None = None, dtype: Any = None, copy: bool = False, name: Any = None, verify_integrity: bool = True,
    ) -> Index:
        operation = "IntervalIndex"
        if isinstance(data, (builtins.list, tuple)) and all(one is None or hasattr(one, "left") for one in data):
            sides = {one.closed for one in data if one is not None}
            if builtins.len(sides) > 1 and closed is None:
                raise _error("ValueError", operation, "intervals are closed at the same sides")
            ends = [Series([None if one is None else getattr(one, side) for one in data]) for side in ("left", "right")]
            values, known = _between(ends[0], ends[1], closed or (sides or {"right"}).pop()), None
        else:
            values, known = _labels(data, operation)
        if not builtins.str(values.dtype).startswith("interval"):
            reason = f"{operation}: labels are intervals, not {values.dtype}"
            raise make("TypeError", reason, operation=operation, dtype=builtins.str(values.dtype))
        if closed is not None:
            left, right, _ = values._interval_ends()
            values = _between(left, right, closed)
        return _named(values if dtype is None else values.cast(dtype), name, known, "interval")

    @staticmethod
    def from_breaks(breaks: Any, closed: str = "right", name: Any = None, copy: bool = False, dtype: Any = None) -> Index:
        """Intervals between neighbours of a list."""
        values = _end(breaks, "from_breaks")
        return IntervalIndex.from_arrays(values[:-1], values[1:], closed, name, copy, dtype)

    @staticmethod
    def from_arrays(left: Any, right: Any, closed: str = "right", name: Any = None, copy: bool = False, dtype: Any = None) -> Index:
        """Intervals between the values of two lists."""
        operation = "from_arrays"
        first, last = _end(left, operation), _end(right, operation)
        if builtins.len(first) != builtins.len(last):
            raise _error("ValueError", operation, f"left has {builtins.len(first)} ends and right {builtins.len(last)}")
        if first.dtype != last.dtype and first.dtype.is_numeric and last.dtype.is_numeric:
            first, last = first.cast("float64"), last.cast("float64")
        values = _between(first, last, closed)
        return _named(values if dtype is None else values.cast(dtype), name, None, "interval")

    @staticmethod
    def from_tuples(data: Any, closed: str = "right", name: Any = None, copy: bool = False, dtype: Any = None) -> Index:
        """Intervals of pairs of ends; None is a null."""
        rows = builtins.list(data)
        if any(row is not None and builtins.len(row) != 2 for row in rows):
            raise _error("ValueError", "from_tuples", "an interval has two ends")
        ends = [[None if row is None else row[side] for row in rows] for side in (0, 1)]
        return IntervalIndex.from_arrays(ends[0], ends[1], closed, name, copy, dtype)


def _level(values, codes, place):
    """The values at the codes of a level, null at -1."""
    labels, _ = _labels(values, "MultiIndex")
    numbers, _ = _labels(codes, "MultiIndex")
    numbers = numbers.cast("int64") if builtins.len(numbers) else Series([], dtype="int64")
    lowest, highest = (numbers.min(), numbers.max()) if builtins.len(numbers) else (0, -1)
    if numbers.null_count or lowest < -1 or highest >= builtins.len(labels):
        reason = f"codes of level {place} are -1 to {builtins.len(labels) - 1}, not {lowest} to {highest}"
        raise _error("ValueError", "MultiIndex", reason)
    if highest < 0:
        return Series([None] * builtins.len(numbers)).cast(labels.dtype)
    valid = numbers >= 0
    chosen = labels.take(numbers.clip(0).to_list()).reset_index(drop=True)
    return chosen if valid.all() else masked(chosen, valid)


def _level_names(names):
    return names if names is None or isinstance(names, builtins.list) else builtins.list(names)


class MultiIndex(metaclass=_Kind):
    """Row labels of several levels: of the values of each level and the codes that choose them, -1 for a null. Levels of one array are an
    index of one level, which is no MultiIndex here.
    """

    _kind = "multi"

    def __new__(  # type: ignore[misc]
        cls, levels: Any = None, codes: Any = None, sortorder: Any = None, names: Any = None, copy: bool = False, name: Any = None,
        verify_integrity: bool = True,
    ) -> Index:
        operation = "MultiIndex"
        if levels is None or codes is None:
            raise _error("TypeError", operation, "give levels and codes")
        values, chosen = builtins.list(levels), builtins.list(codes)
        if builtins.len(values) != builtins.len(chosen) or not values:
            raise _error("ValueError", operation, f"there are {builtins.len(values)} levels and codes of {builtins.len(chosen)}")
        lengths = {builtins.len(level) for level in chosen}
        if builtins.len(lengths) > 1:
            raise _error("ValueError", operation, f"codes have different lengths: {builtins.sorted(lengths)}")
        given = [getattr(level, "name", None) for level in values] if names is None and name is None else names if name is None else name
        parts = [_level(level, codes, place) for place, (level, codes) in enumerate(zip(values, chosen))]
        return Index.from_arrays(parts, names=_level_names(given))

    @staticmethod
    def from_arrays(arrays: Any, sortorder: Any = None, names: Any = None) -> Index:
        """Labels of the values of each level."""
        values = [_labels(level, "from_arrays") for level in arrays]
        known = [name for _, name in values] if names is None else _level_names(names)
        return Index.from_arrays([level for level, _ in values], names=known)

    @staticmethod
    def from_tuples(tuples: Any, sortorder: Any = None, names: Any = None) -> Index:
        """Labels that are tuples, one a row."""
        rows = builtins.list(tuples)
        if not rows:
            raise _error("ValueError", "from_tuples", "there are no tuples: the number of levels is not known")
        if any(not isinstance(row, (tuple, builtins.list)) or builtins.len(row) != builtins.len(rows[0]) for row in rows):
            raise _error("ValueError", "from_tuples", "labels are tuples of one length")
        return Index.from_arrays([Series(builtins.list(values)) for values in zip(*rows)], names=_level_names(names))

    @staticmethod
    def from_product(iterables: Any, sortorder: Any = None, names: Any = None) -> Index:
        """Each combination of the values of the levels."""
        values = builtins.list(iterables)
        known = [getattr(level, "name", None) for level in values] if names is None else _level_names(names)
        return Index.from_product([builtins.list(level.to_list() if hasattr(level, "to_list") else level) for level in values], names=known)

    @staticmethod
    def from_frame(df: DataFrame, sortorder: Any = None, names: Any = None) -> Index:
        """Labels whose levels are the columns of a frame."""
        made = Index.from_frame(df)
        return made if names is None else made.rename(_level_names(names))
