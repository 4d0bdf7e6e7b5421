"""Ranges of times, durations and intervals with the arguments of pandas."""

from __future__ import annotations

import builtins
import datetime
import re
from typing import Any

from .._columnade import Index, Series
from .._common import _choice, _error, _plain
from .._functions.frames import to_timedelta
from .._install import compiled, install, like
from .._values import zone_name
from .labels import time_text


_BACKWARDS = r"-(\d*)(.+)"
_UNITS = ("s", "ms", "us", "ns")


def _given(start, end, periods, freq, default, operation):
    """The frequency, or None where values are at equal distances between two; three of the four arguments say a range."""
    number = builtins.sum(value is not None for value in (start, end, periods, freq))
    if freq is None and (start is None or end is None or periods is None):
        freq, number = default, number + 1
    if number != 3:
        if start is None and end is None or start is None and periods is None:
            raise _error("ValueError", operation, "start is missing: give three of start, end, periods and freq")
        reason = "give end or periods with a freq, and not both" if number > 3 else "give end or periods"
        raise _error("ValueError", operation, reason)
    if periods is not None and (isinstance(periods, bool) or not hasattr(periods, "__index__")):
        raise _error("TypeError", operation, f"periods is a whole number, not {type(periods).__name__}")
    if periods is not None and periods < 0:
        raise _error("ValueError", operation, f"periods is at least 0, not {periods}")
    from .offsets import _frequency

    return _frequency(freq, operation)


def _evenly(start, end, periods):
    """Whole numbers at equal distances from one to another one, rounded down."""
    places = _plain(Index.range(0, periods))
    if periods < 2:
        return places + start
    steps = (places.cast("float64") * ((end - start) / (periods - 1))).floor().cast("int64") + start
    return steps.where(places != periods - 1, end)


def _descending(make, start, end, periods):
    """A range that goes down, of a function of start, end and periods that makes one that goes up."""
    if start is None:
        # It ends with the last one.
        return make(end, None, periods)[::-1]
    if periods is None:
        last = make(end, None, 1)[0]
        made = make(None, start, builtins.len(make(end, start, None)) + 1)[::-1]
        return made[: int((made >= last).sum())] if builtins.len(made) else made
    return make(None, start, periods)[::-1]


def _moment(value, operation, normalize):
    """A bound of times, and the zone that it is in."""
    zone = None
    if isinstance(value, builtins.str):
        known = time_text(value)
        if known is None or known.endswith("Z") or re.search(r"\d[+-]\d{2}:\d{2}$", known):
            reason = "is no time" if known is None else "has an offset: give a local time, and its zone as tz"
            raise _error("ValueError", operation, f"{value!r} {reason}")
        return known[:10] if normalize else known, None
    tzinfo = getattr(value, "tzinfo", None)
    if tzinfo is not None:
        zone = zone_name(tzinfo)
        value = value.replace(tzinfo=None)
    if normalize and hasattr(value, "year"):
        value = datetime.datetime(value.year, value.month, value.day)
    return value, zone


def _rolled_back(ends, step):
    """One time as the last one of the calendar that is not after it, where the frequency counts several of these."""
    found = re.compile(r"(\d+)([A-Z].*)").fullmatch(step) if isinstance(step, builtins.str) else None
    if found is None or found[1] == "1" or found[2] == "D":
        return ends
    before = ends.shift(-1, found[2])
    return ends if before.shift(1, found[2]).equals(ends) else before


def _without_ends(made, start, end, inclusive):
    if inclusive in ("right", "neither") and builtins.len(made) and start is not None and made[0] == start:
        made = made[1:]
    if inclusive in ("left", "neither") and builtins.len(made) and end is not None and made[-1] == end:
        made = made[:-1]
    return made


def date_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: str | None = None, dtype: Any = None, *, tz: str | None = None,
    normalize: bool = False, name: Any = None, inclusive: str = "both", unit: str | None = None,
) -> Index:
    """Times at equal distances as row labels: from a start to an end, or a number of times from a start or before an end; without a
    frequency a number of times from one to another. A frequency such as "-1D" goes down. `tz` is the zone of local times, `normalize`
    takes midnight of start and end, and `inclusive` says whether these belong to it.
    """
    operation = "date_range"
    _choice(inclusive, ("both", "left", "right", "neither"), "inclusive", operation)
    if unit is not None:
        _choice(unit, _UNITS, "unit", operation)
        if dtype is not None:
            raise _error("TypeError", operation, "give dtype or unit")
    freq = _given(start, end, periods, freq, "D", operation)
    (start, zone), (end, other) = (_moment(side, operation, normalize) for side in (start, end))
    if tz is None:
        tz = zone or other
    if tz is not None:
        if dtype is not None:
            raise _error("TypeError", operation, "give dtype or tz")
        dtype = f"timestamp[{unit or 'us'}, {zone_name(tz)}]"
    elif unit is not None:
        dtype = f"timestamp[{unit}]"

    def one(side):
        return None if side is None else Index.date_range(side, periods=1, freq="D", dtype=dtype)

    def upward(step):
        def make(first, last, count):
            if first is not None:
                return Index.date_range(first, last, count, step, dtype)
            ends = _rolled_back(one(last), step)
            begin = ends.shift(-count, step)[0]
            made = Index.date_range(_local(begin), _local(ends[0]), None, step, dtype)
            return made[builtins.max(builtins.len(made) - count, 0):]

        return make

    if freq is None:
        first, last = (_plain(one(side)).cast("int64").to_list()[0] for side in (start, end))
        kind = builtins.str(one(start).dtype)
        made = Index(_evenly(first, last, periods).cast(kind))
    elif isinstance(freq, builtins.str) and re.compile(_BACKWARDS).fullmatch(freq):
        step = freq[1:]
        made = _descending(upward(step), start, end, periods)
    else:
        made = upward(freq)(start, end, periods)
    if inclusive != "both":
        made = _without_ends(made, None if start is None else one(start)[0], None if end is None else one(end)[0], inclusive)
        if start is None or end is None:
            # Of a number of times the first and the last one are the ends.
            made = _without_ends(made, made[0] if start is None and len(made) else None, made[-1] if end is None and len(made) else None, inclusive)
    return made if name is None else made.rename(name)


def _local(value):
    return value.replace(tzinfo=None) if getattr(value, "tzinfo", None) is not None else value


def _span(value, operation):
    if not isinstance(value, builtins.str):
        return value
    return to_timedelta([value]).to_list()[0]


def _freq_span(freq, operation):
    """The length of a frequency of durations."""
    if isinstance(freq, builtins.str):
        text = freq if freq[:1].isdigit() else f"1{freq}"
        return to_timedelta([text]).to_list()[0]
    return freq


def timedelta_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Any = None, unit: str | None = None, name: Any = None,
    closed: str | None = None,
) -> Index:
    """Durations at equal distances as row labels: from a start to an end, or a number of them from a start or before an end; without a
    frequency a number of them from one to another. Start and end may be text such as "1 day", and `closed` says which of them belongs to
    it alone.
    """
    operation = "timedelta_range"
    _choice(closed, (None, "left", "right"), "closed", operation)
    if unit is not None:
        _choice(unit, _UNITS, "unit", operation)
    freq = _given(start, end, periods, freq, "D", operation)
    start, end = (_span(side, operation) for side in (start, end))
    options = {"unit": unit or "us"}

    def upward(step):
        def make(first, last, count):
            if first is not None:
                return Index.timedelta_range(first, last, count, step, **options)
            length = _freq_span(step, operation)
            return Index.timedelta_range(last - length * (count - 1), None, count, step, **options) if count else (
                Index.timedelta_range(last, None, 0, step, **options)
            )

        return make

    if freq is None:
        first, last = (_plain(Index.timedelta_range(side, periods=1, **options)).cast("int64").to_list()[0] for side in (start, end))
        made = Index(_evenly(first, last, periods).cast(f"duration[{options['unit']}]"))
    elif isinstance(freq, builtins.str) and re.compile(_BACKWARDS).fullmatch(freq):
        made = _descending(upward(freq[1:]), start, end, periods)
    else:
        made = upward(freq)(start, end, periods)
    if closed is not None:
        made = _without_ends(made, start, end, closed)
    return made if name is None else made.rename(name)


def _is_time(value):
    return value is not None and (hasattr(value, "year") or isinstance(value, builtins.str))


def _is_duration(value):
    return isinstance(value, datetime.timedelta)


def _is_whole(value):
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _numbers(start, end, periods, freq, operation):
    """The ends of intervals of numbers."""
    if freq is not None and not (_is_whole(freq) or isinstance(freq, float)):
        raise _error("TypeError", operation, f"freq of numbers is a number, not {type(freq).__name__}")
    if freq is not None and freq == 0:
        raise _error("ValueError", operation, "freq is not 0")
    whole = all(_is_whole(value) for value in (start, end, freq) if value is not None)
    if freq is None:
        step = (end - start) / periods if periods else 0
        places = _plain(Index.range(0, periods + 1)).cast("float64")
        made = places * step + start
        made = made.where(places != periods, float(end)) if periods else made
        return made.cast("int64") if whole and (made == made.round(0)).all() else made
    if end is None:
        end = start + periods * freq
    elif start is None:
        start = end - periods * freq
    count = builtins.max(int((end - start) / freq + 1e-9), 0) if periods is None else periods
    if whole:
        return _plain(Index.range(0, count + 1)) * freq + start
    return _plain(Index.range(0, count + 1)).cast("float64") * float(freq) + float(start)


def interval_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Any = None, name: Any = None, closed: str = "right",
) -> Index:
    """Intervals one behind the other as row labels, of numbers, times or durations: three of start, end, the number of intervals and
    their length say which. The length is 1 or "D" where none is given and one of the others is missing.
    """
    operation = "interval_range"
    _choice(closed, ("left", "right", "both", "neither"), "closed", operation)
    ends = [side for side in (start, end) if side is not None]
    if not ends:
        raise _error("ValueError", operation, "start is missing: give three of start, end, periods and freq")
    kinds = {"time" if _is_time(side) else "duration" if _is_duration(side) else "number" for side in ends}
    if builtins.len(kinds) > 1:
        raise _error("TypeError", operation, f"start and end are of one kind, not {start!r} and {end!r}")
    (kind,) = kinds
    if kind == "number" and any(not (_is_whole(side) or isinstance(side, float) or hasattr(side, "is_integer")) for side in ends):
        raise _error("TypeError", operation, f"start and end are numbers, times or durations, not {ends[0]!r}")
    freq = _given(start, end, periods, freq, 1 if kind == "number" else "D", operation)
    breaks: Any
    if kind == "number":
        breaks = _numbers(start, end, periods, freq, operation)
    else:
        make = date_range if kind == "time" else timedelta_range
        breaks = make(start, end, None if periods is None else periods + 1, freq)
    made = Index.from_breaks(Series(breaks) if isinstance(breaks, Series) else breaks, closed)
    return made if name is None else made.rename(name)


_OF_INTEGERS = compiled(Index, "interval_range")


def _interval_range(start, end, freq=1, closed="right"):
    if all(_is_whole(value) for value in (start, end, freq)):
        return _OF_INTEGERS(start, end, freq, closed)
    return interval_range(start, end, freq=freq, closed=closed)


install(Index, "interval_range", staticmethod(like(_interval_range, Index, "interval_range")))
