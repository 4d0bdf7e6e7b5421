"""Names and arguments of pandas for functions of strings, times, durations and categories that need no Rust."""

from __future__ import annotations

import builtins
import re
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _error
from .._install import aliases, keep, methods
from .._times.offsets import _frequency
from .._values import zone_text


@methods(native.StringNamespace, native.SeriesStringNamespace)
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


_class: Any
for _class in (native.DatetimeNamespace, native.SeriesDatetimeNamespace):
    keep(_class, "floor", "ceil", "round", "day_name", "month_name", "strftime", "tz_convert", "tz_localize")
    aliases(_class, **_DAYS)
for _class in (native.CategoryNamespace, native.SeriesCategoryNamespace):
    keep(_class, "add_categories", "remove_categories", "rename_categories", "reorder_categories", "set_categories")
del _class

_LOCAL = {"raise": "raise", "NaT": "null", "null": "null"}


def spans_at_steps(spans, name, freq):
    """Durations at the steps of a frequency: the nearest one is even where two are as near."""
    from .._functions.frames import _nanoseconds

    text = freq if freq[:1].isdigit() else f"1{freq}"
    length, unit = _nanoseconds(text), spans.dtype.unit
    if not length:
        raise _error("ValueError", f"dt.{name}", f"{freq!r} is no length of time: durations have no months")
    if length % _NANOSECONDS[unit]:
        finer = spans.cast("duration[ns]")
        return spans_at_steps(finer, name, freq)
    step, ticks = length // _NANOSECONDS[unit], spans.cast("int64")
    low = ticks // step
    if name == "ceil":
        low = low + (ticks % step != 0).cast("int64")
    elif name == "round":
        # Twice the rest may not fit in 64 bits.
        below, above = ticks % step, step - ticks % step
        low = low + ((below > above) | (below == above) & (low % 2 == 1)).cast("int64")
    if not bool(low.between(-(2**63 // step), (2**63 - 1) // step).fill_null(True).all()):
        raise _error("OverflowError", f"dt.{name}", f"a multiple of {freq!r} does not fit {spans.dtype}")
    return (low * step).cast(spans.dtype).rename(spans.name)


def local_of_repeated(values, zone, ambiguous, nonexistent, operation):
    """Local times as those of a zone, of which those that clocks show twice are the first or the second ones: as booleans say, or with
    "infer" as the order of the rows does.
    """
    first, second = (values.dt._tz_localize(zone, which, nonexistent) for which in ("earliest", "latest"))
    repeated = (first != second).fill_null(False)
    if not isinstance(ambiguous, builtins.str):
        flags = builtins.list(ambiguous.to_list() if hasattr(ambiguous, "to_list") else ambiguous)
        if builtins.len(flags) != builtins.len(values):
            raise _error("ValueError", operation, f"ambiguous has {builtins.len(flags)} values for {builtins.len(values)} times")
        is_first = Series([bool(flag) for flag in flags], dtype="bool").to_device(values.device).with_index(values.index)
        return second.where(~(repeated & is_first), first)
    rows = [place for place, flag in enumerate(repeated.to_list()) if flag]
    ticks = values.cast("int64").to_list()
    runs = []
    for place in rows:
        if runs and runs[-1][-1] == place - 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    early = set()
    for run in runs:
        back = [at for at in range(1, builtins.len(run)) if ticks[run[at]] <= ticks[run[at - 1]]]
        if builtins.len(back) != 1:
            reason = "goes back more than once" if back else "does not go back"
            raise _error("ValueError", operation, f"the clock {reason} in rows {run[0]} to {run[-1]}, whose times it shows twice: give ambiguous")
        early |= set(run[: back[0]])
    is_first = Series([place in early for place in range(builtins.len(values))], dtype="bool").to_device(values.device).with_index(values.index)
    return second.where(~(repeated & is_first), first)


def _at_local_steps(times, name, period, ambiguous, nonexistent):
    """Times at steps of what clocks show, as those of their zone."""
    zone = times.dtype.tz if builtins.str(times.dtype).startswith("timestamp") else None
    if zone is None:
        return getattr(times.dt, f"_{name}")(period)
    local = getattr(times.dt.tz_naive().dt, f"_{name}")(period)
    return local.dt.tz_localize(zone, ambiguous, nonexistent)


def _steps(name, what):
    """Times at the steps of a frequency."""

    def method(self, freq=None, ambiguous=None, nonexistent=None, *, period=None):
        if (freq is None) == (period is None):
            raise _error("TypeError", f"dt.{name}", "give freq" if freq is None else "freq and period are the same argument")
        period = _frequency(period if freq is None else freq, f"dt.{name}")
        if not isinstance(period, builtins.str):
            raise _error("TypeError", f"dt.{name}", f"freq is a text or a duration, not {type(period).__name__}")
        if hasattr(self, "_series") and builtins.str(self._series.dtype).startswith("duration"):
            return spans_at_steps(self._series, name, period)
        if ambiguous is None and nonexistent is None:
            return getattr(self, f"_{name}")(period)
        if not hasattr(self, "_series"):
            reason = "ambiguous and nonexistent of expressions are not implemented: round dt.tz_naive() and give them to dt.tz_localize"
            raise _error("NotImplementedError", f"dt.{name}", reason)
        return _at_local_steps(self._series, name, period, ambiguous or "raise", nonexistent or "raise")

    method.__doc__ = (
        f"Times at {what} step of a frequency, such as \"15min\". Of a zone they are those of its clocks: of times that\n"
        "        these show twice the one it was or the first, and the next of those that they skip; or as in pandas, if `ambiguous` or\n"
        "        `nonexistent` is given, what `tz_localize` makes of them."
    )
    return method


def _without_locale(name, what):
    def method(self, locale=None):
        if locale is not None:
            raise _error("NotImplementedError", f"dt.{name}", "locale is not implemented: names are English")
        return getattr(self, f"_{name}")()

    method.__doc__ = f"The name of the {what}, in English."
    return method


def _week(times, first):
    """The number of the week of the year, as text of two digits: that of a Sunday or of a Monday begins it."""
    day = (times.weekday() + 1) % 7 if first == "U" else times.weekday()
    return ((times.day_of_year() + 6 - day) // 7).cast("int64").cast("utf8").str.zfill(2)


@methods(native.DatetimeNamespace, native.SeriesDatetimeNamespace)
class _OfTimes:
    """Methods of times of series and of expressions."""

    floor, ceil, round = _steps("floor", "the last"), _steps("ceil", "the next"), _steps("round", "the nearest")
    day_name, month_name = _without_locale("day_name", "day"), _without_locale("month_name", "month")

    def strftime(self, date_format=None, *, format=None):
        """As text in a format, such as "%Y-%m-%d"."""
        if (date_format is None) == (format is None):
            reason = "give date_format" if format is None else "date_format and format are the same argument"
            raise _error("TypeError", "dt.strftime", reason)
        date_format = format if date_format is None else date_format
        if not isinstance(date_format, builtins.str):
            raise _error("TypeError", "dt.strftime", f"date_format is a text, not {type(date_format).__name__}")
        if not date_format:
            return self._strftime("%%").str.replace("%", "")
        parts = re.split("(%%|%[UW])", date_format)
        if not {"%U", "%W"} & set(parts):
            return self._strftime(date_format)
        made = [_week(self, part[1]) if part in ("%U", "%W") else self._strftime(part) for part in parts if part]
        return made[0].str.concat(*made[1:]) if made[1:] else made[0]

    def tz_convert(self, tz=None, *, zone=None):
        """The same instants in another zone; with None in UTC, without a zone."""
        if tz is not None and zone is not None:
            raise _error("TypeError", "dt.tz_convert", "tz and zone are the same argument")
        if tz is None and zone is None:
            made = self._tz_convert("UTC").dt
            return made.tz_naive()
        return self._tz_convert(zone_text(zone if tz is None else tz))

    def tz_localize(self, tz=None, ambiguous="raise", nonexistent="raise", *, zone=None):
        """Local times as those of a zone; with None without their zone. Times that clocks show twice or skip are errors, or with "NaT"
        null, or what else `ambiguous` and `nonexistent` say.
        """
        if tz is not None and zone is not None:
            raise _error("TypeError", "dt.tz_localize", "tz and zone are the same argument")
        own = getattr(self, "_series", None)
        if tz is None and zone is None:
            is_naive = own is not None and builtins.str(own.dtype).startswith("timestamp") and own.dtype.tz is None
            return own if is_naive else self.tz_naive()
        is_by_row = ambiguous == "infer" if isinstance(ambiguous, builtins.str) else hasattr(ambiguous, "__len__")
        if is_by_row and own is not None and isinstance(nonexistent, builtins.str):
            return local_of_repeated(own, zone_text(zone if tz is None else tz), ambiguous, _LOCAL.get(nonexistent, nonexistent), "dt.tz_localize")
        if not isinstance(ambiguous, builtins.str) or not isinstance(nonexistent, builtins.str):
            reason = "ambiguous and nonexistent are texts: booleans for each row of expressions, and durations, are not implemented"
            raise _error("NotImplementedError", "dt.tz_localize", reason)
        return self._tz_localize(zone_text(zone if tz is None else tz), _LOCAL.get(ambiguous, ambiguous), _LOCAL.get(nonexistent, nonexistent))

    def microseconds(self):
        """The microseconds of a duration beside its days and seconds, 0 to 999,999."""
        return self.microsecond()

    def nanoseconds(self):
        """The nanoseconds of a duration beside its microseconds, 0 to 999."""
        return self.nanosecond()

    def normalize(self):
        """The midnight before each time."""
        return self.floor("D")

    @property
    def timetz(self):
        """Is not implemented: times of the day have no zone."""
        raise _error("NotImplementedError", "dt.timetz", "times of the day have no zone: dt.time() gives them without it")


@methods(native.SeriesDatetimeNamespace)
class _OfSeriesTimes:
    """Methods of times of series."""

    def to_pydatetime(self):
        """The times as `datetime` objects, None for null: a list."""
        _unit(self._series, "dt.to_pydatetime")
        return self._series.to_list()

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

    cast_time_unit = as_unit

    def isocalendar(self):
        """Year, week and day of the ISO calendar, Monday being 1: a frame."""
        own = self._series
        parts = {"year": self.iso_year(), "week": self.week(), "day": self.weekday() + 1}
        return DataFrame({name: part.reset_index(drop=True) for name, part in parts.items()}).with_index(own.index)

    @property
    def freq(self):
        """The frequency of times that come at regular steps, or None: that of labels, `Index.inferred_freq`."""
        _unit(self._series, "dt.freq")
        return None if self._series.null_count else Index(self._series.reset_index(drop=True)).inferred_freq

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


def _categories(operation, name, values, other, other_name="categories"):
    """The categories of an argument that has two names; one as a list."""
    if (values is None) == (other is None):
        raise _error("TypeError", f"cat.{operation}", f"give {name}" if other is None else f"{name} and {other_name} are the same argument")
    return other if values is None else values


def _one_or_several(values):
    return [values] if isinstance(values, (builtins.str, int, float)) else values


def _typed(namespace, values):
    """Categories as they are given; none of them, which have no dtype, as those of a series."""
    is_none = builtins.len(values) == 0 if isinstance(values, (builtins.list, Series)) else False
    if not is_none or isinstance(namespace, native.CategoryNamespace) or isinstance(values, Series) and values.dtype != "null":
        return values
    try:
        return namespace.categories().slice(0, 0)
    except TypeError:
        # Of a series of no categories, which the caller's own call refuses under its name.
        return values


def _in_an_order(made, operation, ordered):
    if ordered not in (None, True, False):
        raise _error("ValueError", f"cat.{operation}", f"ordered is True, False or None, not {ordered!r}")
    return made if ordered is None else made.cat.as_ordered() if ordered else made.cat.as_unordered()


@methods(native.CategoryNamespace, native.SeriesCategoryNamespace)
class _OfCategories:
    """Methods of categories of series and of expressions."""

    def add_categories(self, new_categories=None, *, categories=None):
        """The dictionary with one more category, or several."""
        new = _one_or_several(_categories("add_categories", "new_categories", new_categories, categories))
        return self._add_categories(_typed(self, new))

    def remove_categories(self, removals=None, *, categories=None):
        """The dictionary without a category, or several; their values are null."""
        old = _one_or_several(_categories("remove_categories", "removals", removals, categories))
        return self._remove_categories(_typed(self, old))

    def reorder_categories(self, new_categories=None, ordered=None, *, categories=None):
        """The same categories one behind the other in another way; `ordered` says whether they have an order."""
        new = _categories("reorder_categories", "new_categories", new_categories, categories)
        made = self._reorder_categories(_typed(self, new))
        return _in_an_order(made, "reorder_categories", ordered)


@methods(native.CategoryNamespace)
class _OfExpressionCategories:
    """Methods of categories of expressions."""

    def rename_categories(self, new_categories=None, *, categories=None):
        """The categories under other names, in the order of the old ones."""
        new = _categories("rename_categories", "new_categories", new_categories, categories)
        if isinstance(new, dict) or builtins.callable(new):
            raise _error("NotImplementedError", "cat.rename_categories", "of an expression it takes a list: its categories are not known")
        return self._rename_categories(new)

    def set_categories(self, new_categories=None, ordered=None, rename=False, *, categories=None):
        """The dictionary with these categories; values that are none of them are null."""
        if rename is not False:
            raise _error("NotImplementedError", "cat.set_categories", "rename=True of an expression is not implemented: rename_categories")
        made = self._set_categories(_categories("set_categories", "new_categories", new_categories, categories))
        return _in_an_order(made, "set_categories", ordered)


@methods(native.SeriesCategoryNamespace)
class _OfSeriesCategories:
    """Methods of categories of series."""

    @property
    def ordered(self):
        """Whether the categories have an order."""
        return self.is_ordered()

    def rename_categories(self, new_categories=None, *, categories=None):
        """The categories under other names: a list of all, a dictionary of some, or a function of each."""
        new = _categories("rename_categories", "new_categories", new_categories, categories)
        if isinstance(new, dict):
            new = [new.get(old, old) for old in self.categories().to_list()]
        elif builtins.callable(new):
            new = [new(old) for old in self.categories().to_list()]
        return self._rename_categories(_typed(self, new))

    def set_categories(self, new_categories=None, ordered=None, rename=False, *, categories=None):
        """The dictionary with these categories; values that are none of them are null. With `rename=True` they are names for the
        categories in their places.
        """
        new = _categories("set_categories", "new_categories", new_categories, categories)
        if rename not in (True, False):
            raise _error("ValueError", "cat.set_categories", f"rename is True or False, not {rename!r}")
        if not rename:
            return _in_an_order(self._set_categories(_typed(self, new)), "set_categories", ordered)
        new, old = new.to_list() if isinstance(new, Series) else builtins.list(new), self.categories().to_list()
        kept = builtins.len(old)
        if builtins.len(new) < kept:
            made = self._set_categories(_typed(self, old[: builtins.len(new)])).cat
            made = made._rename_categories(_typed(made, new))
        else:
            made = self._rename_categories(_typed(self, new[:kept]))
            made = made.cat._add_categories(new[kept:]) if new[kept:] else made
        return _in_an_order(made, "set_categories", ordered)
