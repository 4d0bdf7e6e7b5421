"""Groups of rows by windows of time, or of whole numbers, which may overlap: `group_by_dynamic` of Polars."""

from __future__ import annotations

import builtins
import datetime
import math
import re
from collections.abc import Callable, Iterator
from typing import Any

from .._columnade import DataFrame, Expr, col, concat, lit, row_number, when
from .._common import _error
from .._install import methods
from .choose import aggregates
from .columns import Columns, has_columns
from .expressions import _parts


_OPERATION = "group_by_dynamic"
_CLOSED = ("left", "right", "both", "none")
_LABELS = ("left", "right", "datapoint")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_STARTS = ("window", "datapoint", *_DAYS)
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_MONTHS = {"mo": 1, "q": 3, "y": 12}
_DAY = 86_400
# Columns that no frame has.
_TIME, _START, _FIRST, _ROW, _GROUP, _POINT, _LABEL, _HAVING = (
    f"{name} of the windows" for name in ("time", "start", "first", "row", "group", "point", "label", "condition")
)


def _choice(value, choices, name):
    if value not in choices:
        raise _error("ValueError", _OPERATION, f"{name} is one of {', '.join(choices)}, not {value!r}")
    return value


class _Length:
    """A length such as "1mo" or "1h30m" of windows of an index column in a unit of time, or of whole numbers (None)."""

    def __init__(self, name, value, unit):
        self.name, self.given, self.unit = name, value, unit
        if isinstance(value, datetime.timedelta):
            value = f"{value // datetime.timedelta(microseconds=1)}us"
        if unit is None:
            found = re.fullmatch(r"(-?)(\d+)i", value) if isinstance(value, builtins.str) else None
            if not found:
                raise _error("ValueError", _OPERATION, f'{name} of an index column of whole numbers is text such as "10i", not {self.given!r}')
            sign, self.parts = found[1], [(found[2], "i")]
        else:
            sign, self.parts = _parts(value, _OPERATION)
        self.sign = -1 if sign else 1

    @property
    def months(self):
        return self.sign * builtins.sum(int(number) * _MONTHS.get(part, 0) for number, part in self.parts)

    def ticks(self, day=_DAY):
        """What is no month in the unit of the index column, if a day has so many seconds."""
        made = 0
        for number, part in self.parts:
            if part in _MONTHS:
                continue
            if part == "i":
                made += int(number)
                continue
            days = {"d": 1, "w": 7}.get(part, 0)
            one = days * day * 10**9 if days else _SECONDS[part] * 10**9 if part in _SECONDS else 10**9 // _PER_SECOND[part]
            whole, rest = divmod(int(number) * one * _PER_SECOND[self.unit], 10**9)
            if rest:
                reason = f"{self.name}={self.given!r} is no whole number of {self.unit}, the unit of the index column"
                raise _error("ValueError", _OPERATION, reason)
            made += whole
        return self.sign * made

    def bounds(self):
        """The least and the greatest number of ticks, where months and days differ in length."""
        day = _DAY if self.unit is None else _PER_SECOND[self.unit] * _DAY
        low, high = self.ticks(23 * 3600), self.ticks(25 * 3600)
        return low + self.months * 28 * day, high + self.months * 32 * day

    def is_above_zero(self):
        return self.months + self.ticks() > 0

    def text(self, times):
        """The length so many times, as `dt.offset_by` takes it."""
        sign = "-" if self.sign * times < 0 else ""
        return sign + "".join(f"{int(number) * abs(times)}{part}" for number, part in self.parts)


class _Windows:
    """How windows lie."""

    def __init__(self, dtype, every, period, offset, closed, start_by):
        text = builtins.str(dtype)
        found = re.match(r"timestamp\[(\w+)", text)
        if not found and text not in ("int32", "int64"):
            reason = f"the index column is a timestamp, a date or a whole number, and has dtype {text}"
            raise _error("TypeError", _OPERATION, reason)
        self.dtype, self.closed = dtype, closed
        unit = found[1] if found else None
        self.every = _Length("every", every, unit)
        self.period = self.every if period is None else _Length("period", period, unit)
        self.offset = _Length("offset", offset if offset is not None else "0i" if unit is None else "0s", unit)
        for length in (self.every, self.period):
            if not length.is_above_zero():
                raise _error("ValueError", _OPERATION, f"{length.name} is above zero, not {length.given!r}")
        # Days of the week take effect for weeks alone.
        is_of_weeks = any(part == "w" for _, part in self.every.parts)
        self.start_by = "window" if start_by in _DAYS and not is_of_weeks else start_by
        self.is_of_times = text.startswith("timestamp")
        # Months differ in length, and days where the clock of a zone is changed: such windows are not counted in ticks.
        lengths = (self.every, self.period, self.offset)
        calendar = (*_MONTHS, "d", "w") if text.count(",") == 1 else tuple(_MONTHS)
        self.is_on_calendar = self.is_of_times and any(part in calendar for length in lengths for _, part in length.parts)
        if self.is_on_calendar:
            self._check_calendar()

    def _check_calendar(self):
        refused = None
        if self.start_by != "window":
            refused = f"start_by={self.start_by!r}"
        elif builtins.len(self.every.parts) > 1:
            refused = f"every={self.every.given!r} of several units"
        elif self.offset.months or self.every.months and not 0 <= self.offset.ticks() < 28 * _DAY * _PER_SECOND[self.offset.unit]:
            # The days of months that have fewer would be others.
            refused = f"offset={self.offset.given!r}"
        if refused:
            raise _error("NotImplementedError", _OPERATION, f"{refused} is not implemented for months, nor for days of a zone")

    def moved(self, start, length, times):
        """Starts of windows by a multiple of a length later."""
        if not times or not (length.months or length.ticks()):
            return start
        return start.dt.offset_by(length.text(times)) if self.is_on_calendar else start + times * length.ticks()

    def time(self, values):
        """The index column as windows are computed with it."""
        return values if self.is_on_calendar else values.cast("int64")

    def value(self, start):
        """What was computed in the dtype of the index column."""
        return start if self.is_on_calendar else start.cast(self.dtype)

    def truncated(self, time):
        if self.is_on_calendar or self.is_of_times and builtins.len(self.every.parts) == 1:
            (number, part), = self.every.parts
            made = self.value(time).dt.truncate(f"{int(number)}{'min' if part == 'm' else part}")
            return self.time(made)
        return time // self.every.ticks() * self.every.ticks()

    def first(self, time):
        """Where the first window begins, from the first time."""
        if self.start_by == "datapoint":
            return time
        if self.start_by in _DAYS:
            day = _DAY * _PER_SECOND[self.every.unit]
            # The first day of 1970 was a Thursday.
            start = (time + 3 * day) // (7 * day) * (7 * day) + (_DAYS.index(self.start_by) - 3) * day
        else:
            start = self.moved(self.truncated(time), self.offset, 1)
        most = 1 + math.ceil(max(self.offset.bounds()[1], 0) / self.every.bounds()[0]) + (self.start_by in _DAYS)
        made = self.moved(start, self.every, -most)
        for times in builtins.range(most - 1, -1, -1):
            earlier = self.moved(start, self.every, -times)
            made = when(earlier < time if self.closed == "right" else earlier <= time).then(earlier).otherwise(made)
        return made

    def last(self, time):
        """Where the last window begins that begins at a time or before it."""
        if self.is_on_calendar:
            return self.moved(self.truncated(self.moved(time, self.offset, -1)), self.offset, 1)
        every = self.every.ticks()
        return col(_FIRST) + (time - col(_FIRST)) // every * every

    def reach(self):
        """How many windows before the last one a row may be in."""
        return math.ceil(self.period.bounds()[1] / self.every.bounds()[0]) + (self.is_on_calendar and self.period is self.every)

    def has(self, start, time):
        """Whether windows have times."""
        end = self.moved(start, self.period, 1)
        lower = time >= start if self.closed in ("left", "both") else time > start
        return lower & (time < end if self.closed in ("left", "none") else time <= end)


def _is_sorted(frame, keys):
    """Whether the times of each group ascend, without nulls."""
    before = col(_TIME).shift(1)
    made = frame.select(((before.over(keys, dropna=False) if keys else before) > col(_TIME)).any().alias("any"), col(_TIME).is_null().any().alias("null"))
    return not any(made[label].to_list()[:1] == [True] for label in ("any", "null"))


class DynamicGroupBy:
    """Rows by windows of an index column: `agg` gives a row for each window that has rows."""

    __slots__ = ("_frame", "_index", "_keys", "_windows", "_label", "_boundaries", "_dtype", "_having")

    def __init__(self, frame, index, keys, windows, label, boundaries, dtype):
        self._frame, self._index, self._keys, self._windows = frame, index, keys, windows
        self._label, self._boundaries, self._dtype, self._having = label, boundaries, dtype, ()

    def _rows(self):
        """Each row once for each window that it is in, in the order of groups and windows."""
        windows, keys = self._windows, self._keys
        first = (lambda values: values.first().over(keys, dropna=False)) if keys else (lambda values: values.first())
        frame = self._frame.with_columns(windows.time(col(_TIME)).alias(_TIME), row_number().alias(_ROW))
        if not _is_sorted(frame, keys):
            reason = f"the index column {self._index!r} has nulls or does not ascend{' in each group' if keys else ''}: sort by it before"
            raise _error("ValueError", _OPERATION, reason)
        frame = frame.with_columns(first(col(_ROW)).alias(_GROUP), first(col(_TIME)).alias(_FIRST))
        frame = frame.with_columns(windows.first(col(_FIRST)).alias(_FIRST))
        last, parts = windows.last(col(_TIME)), []
        for times in builtins.range(windows.reach() + 1):
            part = frame.with_columns(windows.moved(last, windows.every, -times).alias(_START))
            parts.append(part.filter(windows.has(col(_START), col(_TIME)) & (col(_START) >= col(_FIRST))))
        rows = concat(parts) if builtins.len(parts) > 1 else parts[0]
        return rows.sort_values([_GROUP, _START, _ROW])

    def agg(self, *aggs: Any, **named_aggs: Any) -> DataFrame:
        """Aggregates of the rows of each window: expressions, and `label=expression`. The keys come first, then the bounds where they
        are asked for, and the label of the window under the name of the index column.
        """
        windows = self._windows
        wanted = [*(one for given in aggs for one in (given if isinstance(given, (builtins.list, tuple)) else [given]))]
        wanted += [made.alias(name) for name, made in named_aggs.items()]
        for one in wanted:
            if not isinstance(one, (Expr, Columns)):
                raise _error("TypeError", "agg", f"an aggregate of windows is an expression, not {type(one).__name__}")
        by = [*self._keys, _GROUP, _START]
        rows, hidden = self._rows(), (_TIME, _START, _FIRST, _ROW, _GROUP, _POINT, self._index)
        if has_columns(wanted):
            rows, wanted = aggregates(rows, wanted, {}, lambda: rows.group_by(by, dropna=False).ngroup(), (*self._keys, *hidden))
        conditions = [condition.alias(f"{_HAVING} {place}") for place, condition in enumerate(self._having)]
        made = rows.group_by(by, dropna=False).agg(col(_POINT).first().alias(_POINT), *wanted, *conditions)
        for condition in conditions:
            made = made.filter(col(condition.label))
        made = made.drop([condition.label for condition in conditions]) if conditions else made
        lower, upper = windows.value(col(_START)), windows.value(windows.moved(col(_START), windows.period, 1))
        columns = [col(key) for key in self._keys]
        if self._boundaries:
            columns += [lower.alias("_lower_boundary"), upper.alias("_upper_boundary")]
        at = {"left": lower, "right": upper, "datapoint": col(_POINT)}[self._label]
        taken = [*self._keys, *(["_lower_boundary", "_upper_boundary"] if self._boundaries else [])]
        for name in (self._index, *made.columns[builtins.len(by) + 1:]):
            if name in taken:
                raise _error("ValueError", "agg", f"there are two columns {name!r}: give one of them another name")
            taken.append(name)
        return made.select(*columns, at.cast(self._dtype).alias(self._index), *(col(name) for name in made.columns[builtins.len(by) + 1:]))

    def having(self, *predicates: Expr) -> DynamicGroupBy:
        """Only the windows for which conditions of aggregates hold: `agg` leaves out all others."""
        for one in predicates:
            if not isinstance(one, Expr):
                raise _error("TypeError", "having", f"a condition of windows is an expression, not {type(one).__name__}")
        made = DynamicGroupBy(self._frame, self._index, self._keys, self._windows, self._label, self._boundaries, self._dtype)
        made._having = (*self._having, *predicates)
        return made

    def _each(self):
        """The key of each window and its rows."""
        rows, keys, own = self._rows(), self._keys, [label for label in self._frame.columns if label not in (_TIME, _POINT)]
        windows, by = self._windows, [*self._keys, _GROUP, _START]
        rows = rows.with_columns(windows.value(col(_START)).cast(self._dtype).alias(_LABEL))
        if self._label == "right":
            end = windows.value(windows.moved(col(_START), windows.period, 1))
            rows = rows.with_columns(end.cast(self._dtype).alias(_LABEL))
        elif self._label == "datapoint":
            rows = rows.with_columns(col(_POINT).first().over(by, dropna=False).cast(self._dtype).alias(_LABEL))
        for _, part in rows.group_by(by, dropna=False):
            yield (*(part[key].to_list()[0] for key in keys), part[_LABEL].to_list()[0]), part[own].reset_index(drop=True)

    def map_groups(self, function: Callable[[DataFrame], DataFrame], schema: Any = None) -> DataFrame:
        """What a function makes of the frame of each window, one behind the other."""
        if self._having:
            raise _error("NotImplementedError", "map_groups", "having goes with agg")
        made = [function(part) for _, part in self._each()]
        if not made or not all(isinstance(part, DataFrame) for part in made):
            raise _error("TypeError", "map_groups", "the function returns a frame, and there is a window")
        return concat(made, ignore_index=True)

    def __iter__(self) -> Iterator[tuple[tuple[Any, ...], DataFrame]]:
        return self._each()


def _with(frame, key):
    """A frame with a column that an expression makes, and its label."""
    if not isinstance(key, Expr):
        if key not in frame:
            raise _error("KeyError", _OPERATION, f"there is no column {key!r}", key)
        return frame, key
    label = frame[:0].select(key).columns[0]
    return frame.with_columns(key.alias(label)), label


@methods(DataFrame)
class _Dynamic:
    """Windows of Polars."""

    def group_by_dynamic(
        self, index_column, *, every, period=None, offset=None, include_boundaries=False, closed="left", label="left", group_by=None,
        start_by="window",
    ):
        """Groups of rows by windows of an index column that ascends: times, dates or whole numbers. `every` is the distance
        of windows, `period` their length, by default the same, and `offset` moves them. `closed` says which ends belong to a
        window, `label` whether its name is the left or the right end or the first value in it. Windows without rows are left out.
        """
        _choice(closed, _CLOSED, "closed"), _choice(label, _LABELS, "label"), _choice(start_by, _STARTS, "start_by")
        frame, keys = self.reset_index(drop=True), []
        for key in [] if group_by is None else group_by if isinstance(group_by, (builtins.list, tuple)) else [group_by]:
            frame, key = _with(frame, key)
            keys.append(key)
        frame, index = _with(frame, index_column)
        dtype = frame[index].dtype
        is_date = builtins.str(dtype) == "date32"
        frame = frame.with_columns(col(index).cast("timestamp[us]").alias(_TIME) if is_date else col(index).alias(_TIME), col(index).alias(_POINT))
        windows = _Windows(frame[_TIME].dtype, every, period, offset, closed, start_by)
        return DynamicGroupBy(frame, index, keys, windows, label, include_boundaries, dtype)
