"""Names of Polars for times and texts whose work depends on the dtype or on the values."""

from __future__ import annotations

import builtins
import datetime
import operator
import re

from .. import _columnade as native
from .._columnade import DType, Expr, Series, coalesce, col, lit, row_number, when
from .._common import _error, across
from .._errors import ColumnOverflowError, ColumnValueError, make
from .._install import install, methods
from .columns import Columns, Part, is_pattern
from .expressions import _text
from .frames import _rows_of
from .functions import datetime as _timestamp
from .values import _dtype, _one

_EPOCH = datetime.date(1970, 1, 1)
_UNITS = ("ns", "us", "ms")
# The parts of dates, those of times of day with the greatest of each, and years beyond which there are none in any dtype.
_DATE, _TIME, _YEARS = ("year", "month", "day"), {"hour": 23, "minute": 59, "second": 59, "microsecond": 999_999}, 10**9


def of_times(context, times, name, args, kwargs):
    """What a method makes of times or texts when the frame is known."""
    made = _FUNCTIONS[name](context, times, _dtype(context, times), *args, **kwargs)
    return [Part(times.label, None, made.alias(times.label))]


def _later(namespace, name, *args, **kwargs):
    """A method of times or texts, of an expression or of a series, whose arguments may be series of as many rows."""
    own = getattr(namespace, "_series", None)
    if own is None:
        return Columns(of_times, _own(namespace), name, args, kwargs)
    # Errors name the column.
    label = own.name if isinstance(own.name, builtins.str) and not is_pattern(own.name) else "self"
    frame, given = own.rename(label).to_frame(), {}
    for place, value in enumerate([*args, *kwargs.values()]):
        if isinstance(value, Series):
            frame = frame.with_columns(**{f"\0{place}": _rows_of(frame, value, name)})
            value = col(f"\0{place}")
        given[place] = value
    values = builtins.list(given.values())
    count = builtins.len(args)
    made = frame.select(Columns(of_times, col(label), name, values[:count], dict(zip(kwargs, values[count:]))).alias(label))
    return made[label].rename(own.name)


def _own(namespace):
    """The expression of a namespace."""
    return namespace.slice(0) if isinstance(namespace, native.StringNamespace) else namespace.add_months(0)


# Times -------------------------------------------------------------------------------------------------------------------
def _in_unit(context, times, dtype, unit):
    if not builtins.str(dtype).startswith("timestamp"):
        raise _error("TypeError", "dt.cast_time_unit", f"{times.label!r} is {dtype}, which has no unit of time")
    return times.cast(f"timestamp[{unit}]" if dtype.tz is None else f"timestamp[{unit}, {dtype.tz}]")


def _replaced(context, times, dtype, ambiguous, parts):
    text = builtins.str(dtype)
    if not text.startswith(("timestamp", "date")):
        reason = f"dt.replace: {times.label!r} is {text}: dates and timestamps have parts"
        raise make("TypeError", reason, operation="dt.replace", column=builtins.str(times.label), dtype=text)
    is_date = text.startswith("date")
    zone, unit = (None, "us") if is_date else (dtype.tz, dtype.unit)
    # Columns of their own, which are used many times.
    own = times if zone is None else context.column(context.values(times.dt.tz_naive()))
    names = _DATE if is_date else (*_DATE, *_TIME)
    made = {name: getattr(own.dt, name)().cast("int64") for name in names}
    # Null times stay null, whatever their parts are.
    made |= {
        name: when(own.is_not_null()).then(coalesce(_one(context, value).cast("int64"), made[name])).otherwise(None)
        for name, value in parts.items() if name in made
    }
    if any(name in made for name in parts):
        _refuse_wrong_parts(context, made, times.label, text)
    whole = _timestamp(**made, time_unit="us" if unit not in _UNITS else unit)
    if unit == "ns" and "microsecond" not in parts:
        whole = whole + own.dt.nanosecond().cast("int64").cast("duration[ns]")
    whole = whole.cast(text if zone is None else f"timestamp[{unit}]")
    if zone is not None:
        whole = context.column(context.values(whole)).dt.tz_localize(zone, ambiguous)
    is_column = not context.is_aggregate and builtins.len(context.frame._level_names) < 2
    return _computed(context, whole, times.label, text) if is_column else whole


def _refuse_wrong_parts(context, parts, label, dtype):
    """Raises the error of the first row whose parts are those of no date, or of no time of day."""
    year, month, day = (parts[name] for name in _DATE)
    is_leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    days = when(month.is_in([4, 6, 9, 11])).then(30).when(month != 2).then(31).when(is_leap).then(29).otherwise(28)
    is_date = year.is_between(-_YEARS, _YEARS) & month.is_between(1, 12) & day.is_between(1, days)
    is_time = [parts[name].is_between(0, most) for name, most in _TIME.items() if name in parts]
    is_right = across(operator.and_, [is_date, *is_time])
    columns = {"is_date": is_date, "is_right": is_right, **parts}
    rows, are_rows = _in_rows_or_groups(context, {f"\0{name}": values for name, values in columns.items()})
    rows = rows.filter(~col("\0is_right")).head(1).to_dict()
    found = {name: rows[f"\0{name}"] for name in columns}
    if not found["is_right"]:
        return
    is_date = found["is_date"][0]
    given = ", ".join(f"{name} {found[name][0]}" for name in parts if (name in _DATE) != is_date)
    row = "row {}: ".format(*rows["\0row"]) if are_rows else ""
    reason = f"{row}there is no {'time of day' if is_date else 'date'} of {given}"
    raise make("ValueError", f"dt.replace: {reason}", operation="dt.replace", column=builtins.str(label), dtype=dtype)


def _in_rows_or_groups(context, columns):
    """What expressions are in the rows of the frame, with their numbers, or in its groups where they are aggregates; and which it is."""
    made = [expression.alias(label) for label, expression in columns.items()]
    if context.has_groups():
        key = context.group()
        try:
            return context.frame.group_by(key).agg(*made), False
        except ColumnValueError as error:
            if "is no aggregate" not in builtins.str(error):
                raise
    made = context.frame.select((row_number() - 1).alias("\0row"), *made)
    # Labels of several levels stay those of the frame.
    return made.set_axis(["\0row", *columns], axis=1), True


def _computed(context, expression, label, dtype):
    """A column of what an expression is in the rows of the frame. Errors of values say no more of it than the row."""
    try:
        return context.column(context.values(expression))
    except (ColumnValueError, ColumnOverflowError) as error:
        found = re.search(r"(?<=: )row \d+: .*", builtins.str(error), re.S)
        if found is None:
            raise
        kind = "OverflowError" if isinstance(error, ColumnOverflowError) else "ValueError"
        raise make(kind, f"dt.replace: {found[0]}", operation="dt.replace", column=builtins.str(label), dtype=dtype) from None


def _business(context, times, dtype, n, week_mask, holidays, roll):
    text = builtins.str(dtype)
    if not text.startswith(("timestamp", "date")):
        raise _error("TypeError", "dt.add_business_days", f"{times.label!r} is {text}: dates and timestamps are moved")
    works = [day for day in range(7) if week_mask[day]]
    per_week, before = builtins.len(works), [builtins.sum(week_mask[:day]) for day in range(7)]
    dates = times.dt.date().cast("int32").cast("int64") if text != "date32" else times.cast("int32").cast("int64")
    # 1970 began on a Thursday.
    week, weekday = (dates + 3) // 7, (dates + 3) % 7
    closed = sorted({(day - _EPOCH).days + 3 for day in holidays if week_mask[day.weekday()]})
    off = [day // 7 * per_week + before[day % 7] for day in closed]
    # The number of business days before each date, as if there were no holidays.
    number = week * per_week + weekday.replace_or(dict(enumerate(before)), None)
    is_open = weekday.is_in(works)
    at_work = is_open & ~(dates + 3).is_in(closed) if closed else is_open
    if roll == "raise":
        stays = context.values(at_work)
        if (~stays).fill_null(False).any():
            raise _error("ValueError", "dt.add_business_days", 'a date is no business day: roll="forward" and "backward" go to the next or last one')
    # Columns of their own, which are used many times.
    number = context.column(context.values(number))
    number = number - (~is_open).cast("int64") if roll == "backward" else number
    passed = [number > one if roll != "backward" else number >= one for one in off]
    number = number - across(operator.add, [flag.cast("int64") for flag in passed]) if passed else number
    number = context.column(context.values(number + _one(context, n).cast("int64")))
    if off:
        number = number + across(operator.add, [(number >= one - place).cast("int64") for place, one in enumerate(off)])
    made = number // per_week * 7 + (number % per_week).replace_or(dict(enumerate(works)), None) - 3
    if text == "date32":
        return made.cast("int32").cast("date32")
    return times + (made - dates).cast("int64") * lit(datetime.timedelta(days=1))


@methods(native.DatetimeNamespace, native.SeriesDatetimeNamespace)
class _Times:
    """Methods of times."""

    def replace(self, *, year=None, month=None, day=None, hour=None, minute=None, second=None, microsecond=None, ambiguous="raise"):
        """The times with other parts: numbers, columns or expressions, of which null changes nothing. Null times stay null. Times that there
        are not are an error, as in Polars; with a time zone the local time is changed.
        """
        given = dict(zip((*_DATE, *_TIME), (year, month, day, hour, minute, second, microsecond)))
        parts = {name: value for name, value in given.items() if value is not None}
        return _later(self, "replace", ambiguous, **{f"at_{name}": value for name, value in parts.items()})

    def add_business_days(self, n, *, week_mask=(True, True, True, True, True, False, False), holidays=(), roll="raise"):
        """The dates so many business days later, a number, a column or an expression: days of the week that `week_mask` says, from Monday on,
        but no holidays. Other days are an error, or go to the next one with roll="forward" and to the last one with "backward" before.
        """
        week_mask, holidays = builtins.list(week_mask), builtins.list(holidays)
        if builtins.len(week_mask) != 7 or not builtins.all(isinstance(flag, bool) for flag in week_mask) or not any(week_mask):
            raise _error("ValueError", "dt.add_business_days", "week_mask has seven booleans, one of which is true")
        if not builtins.all(isinstance(day, datetime.date) for day in holidays):
            raise _error("TypeError", "dt.add_business_days", "holidays are dates")
        if roll not in ("raise", "forward", "backward"):
            raise _error("ValueError", "dt.add_business_days", f'roll is "raise", "forward" or "backward", not {roll!r}')
        return _later(self, "add_business_days", n, week_mask=week_mask, holidays=holidays, roll=roll)


def cast_time_unit(self, time_unit):
    """Timestamps in another unit, "ns", "us" or "ms", rounded down. Durations are refused: `cast("duration[ms]")`."""
    if time_unit not in _UNITS:
        raise _error("ValueError", "dt.cast_time_unit", f'time_unit is "ns", "us" or "ms", not {time_unit!r}')
    return _later(self, "cast_time_unit", time_unit)


cast_time_unit.__qualname__ = "DatetimeNamespace.cast_time_unit"
install(native.DatetimeNamespace, "cast_time_unit", cast_time_unit)


# Texts -------------------------------------------------------------------------------------------------------------------
# What marks matches while they are replaced; texts that have these characters are refused.
_START, _END = "\ue000", "\ue001"


def _patterns(patterns, ascii_case_insensitive, leftmost, operation):
    """Patterns in the order in which they are to match, each with its place."""
    patterns = [patterns] if isinstance(patterns, builtins.str) else builtins.list(patterns)
    for one in patterns:
        if not _text(one, operation, "each pattern") or _START in one or _END in one:
            raise _error("ValueError", operation, f"{one!r} is no pattern")
    kept = [(place, one.lower() if ascii_case_insensitive else one) for place, one in enumerate(patterns)]
    if not leftmost:
        # A match that ends first is the one that counts: what another pattern is in, but not at the end of, never does.
        kept = [(place, one) for place, one in kept if not any(other in one[:-1] for _, other in kept)]
    return kept


def _regex(text, ascii_case_insensitive):
    escaped = re.sub(r"[\\.+*?()|\[\]{}^$#&~-]", r"\\\g<0>", text)
    return re.sub("[a-z]", lambda found: f"[{found[0]}{found[0].upper()}]", escaped) if ascii_case_insensitive else escaped


def _of_many(context, texts, dtype, kept, values, ascii_case_insensitive):
    marked = texts.str.contains_regex(f"[{_START}{_END}]")
    if context.values(marked).fill_null(False).any():
        raise _error("NotImplementedError", "str.replace_many", "texts with the characters U+E000 and U+E001 are not implemented")
    made = texts.str.replace_regex("|".join(_regex(one, ascii_case_insensitive) for _, one in kept), f"{_START}$0{_END}")
    for place, one in kept:
        made = made.str.replace_regex(_START + _regex(one, ascii_case_insensitive) + _END, values[place].replace("$", "$$"))
    return made


def _found(context, texts, dtype, kept, ascii_case_insensitive):
    return texts.str.extract_all("|".join(_regex(one, ascii_case_insensitive) for _, one in kept))


_FUNCTIONS = {
    "cast_time_unit": _in_unit, "add_business_days": _business, "replace_many": _of_many, "extract_many": _found,
    "replace": lambda context, times, dtype, ambiguous, **parts: _replaced(context, times, dtype, ambiguous, {
        name.removeprefix("at_"): value for name, value in parts.items()}),
}


@methods(native.StringNamespace, native.SeriesStringNamespace)
class _Strings:
    """Methods of strings."""

    def replace_many(self, patterns, replace_with=None, *, ascii_case_insensitive=False, leftmost=False):
        """Several texts, or the keys of a dictionary, replaced at once by one text each, or by one for all. Of matches that overlap the one that
        ends first counts, and with `leftmost` the one that starts first, of several ones the first pattern.
        """
        operation = "str.replace_many"
        if isinstance(patterns, dict) != (replace_with is None):
            raise _error("TypeError", operation, "give a dictionary, or patterns and what replaces them")
        values = builtins.list(patterns.values()) if isinstance(patterns, dict) else replace_with
        patterns = [patterns] if isinstance(patterns, builtins.str) else builtins.list(patterns)
        values = [values] if isinstance(values, builtins.str) else builtins.list(values)
        values = values * builtins.len(patterns) if builtins.len(values) == 1 else values
        if builtins.len(values) != builtins.len(patterns):
            raise _error("ValueError", operation, f"{builtins.len(values)} texts for {builtins.len(patterns)} patterns")
        for value in values:
            if _START in _text(value, operation, "what replaces a pattern") or _END in value:
                raise _error("NotImplementedError", operation, "the characters U+E000 and U+E001 are not implemented")
        kept = _patterns(patterns, ascii_case_insensitive, leftmost, operation)
        return _later(self, "replace_many", kept, values, ascii_case_insensitive) if kept else self.slice(0)

    def extract_many(self, patterns, *, ascii_case_insensitive=False, overlapping=False, leftmost=False):
        """The texts of several that are found in each one, as a list, see `replace_many`."""
        if overlapping:
            raise _error("NotImplementedError", "str.extract_many", "overlapping=True is not implemented")
        kept = _patterns(patterns, ascii_case_insensitive, leftmost, "str.extract_many")
        if not kept:
            raise _error("ValueError", "str.extract_many", "give a pattern")
        return _later(self, "extract_many", kept, ascii_case_insensitive)
