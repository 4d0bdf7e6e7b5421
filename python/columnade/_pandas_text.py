"""Names of pandas for functions of strings, times and durations that need no Rust.

They are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Series
from ._pandas import _add, _error, _names


class _OfStrings:
    """Methods of strings of series and of expressions."""

    def ljust(self, width, fillchar=" "):
        """Characters on the right of what is shorter."""
        return self.pad(width, "right", fillchar)

    def rjust(self, width, fillchar=" "):
        """Characters on the left of what is shorter."""
        return self.pad(width, "left", fillchar)

    def isascii(self):
        """Whether all characters are ASCII."""
        return self.is_ascii()


_DAYS = {"dayofyear": "day_of_year", "dayofweek": "weekday", "day_of_week": "weekday", "daysinmonth": "days_in_month"}
_NANOSECONDS = {"s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1}
_PARTS = ("days", "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds")


class _OfTimes:
    """Methods of times of series and of expressions."""

    def normalize(self):
        """The midnight before each time."""
        return self.floor("D")


class _OfSeriesTimes:
    """Methods of times of series."""

    @property
    def unit(self):
        """The unit of times and durations: "s", "ms", "us" or "ns"."""
        return _unit(self._series, "unit")

    @property
    def tz(self):
        """The time zone, or None."""
        text = builtins.str(self._series.dtype)
        return text[text.index(",") + 1 : -1].strip() if text.startswith("timestamp[") and "," in text else None

    def as_unit(self, unit):
        """Times or durations in another unit."""
        if unit not in _NANOSECONDS:
            raise _error("ValueError", "dt.as_unit", f'the unit is "s", "ms", "us" or "ns", not {unit!r}')
        values = self._series
        old = _unit(values, "dt.as_unit")
        return values.cast(builtins.str(values.dtype).replace(f"[{old}", f"[{unit}", 1))

    def isocalendar(self):
        """Year, week and day of the ISO calendar, Monday being 1: a frame."""
        own = self._series
        parts = {"year": self.iso_year(), "week": self.week(), "day": self.weekday() + 1}
        return DataFrame({name: part.reset_index(drop=True) for name, part in parts.items()}).with_index(own.index)

    @property
    def components(self):
        """Days, hours and so on that durations are made of: a frame. Those of a negative duration count from the day before."""
        own = self._series
        rest = own.cast("int64") * _NANOSECONDS[_unit(own, "dt.components")]
        made = {}
        for name, length in zip(_PARTS, (86_400_000_000_000, 3_600_000_000_000, 60_000_000_000, *_NANOSECONDS.values())):
            made[name] = rest // length
            rest = rest % length
        return DataFrame({name: part.reset_index(drop=True) for name, part in made.items()}).with_index(own.index)


def _unit(values, operation):
    text = builtins.str(values.dtype)
    if not text.startswith(("timestamp[", "duration[")):
        raise _error("TypeError", operation, f"of times and durations, not {text}")
    return text[text.index("[") + 1 : -1].split(",")[0]


_add(_OfStrings, native.StringNamespace, native.SeriesStringNamespace)
_add(_OfTimes, native.DatetimeNamespace, native.SeriesDatetimeNamespace)
_add(_OfSeriesTimes, native.SeriesDatetimeNamespace)
_names(native.DatetimeNamespace, **_DAYS)
_names(native.SeriesDatetimeNamespace, **_DAYS)
