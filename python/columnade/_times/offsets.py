"""Times, durations and offsets of pandas and numpy as operands and arguments, with their nanoseconds.

The compiled methods take times and durations of Python, which have microseconds.
"""

from __future__ import annotations

import builtins
import datetime
import functools
import operator
from typing import Any

from .. import _columnade as native
from .._columnade import Expr, Index, Series, col, lit
from .._common import _error
from .._errors import make
from .._polars.columns import Columns
from .._install import compiled, install, methods
from .._values import zone_name, zone_of


# The units of a duration and their lengths, the largest first.
_NANOSECONDS = {"D": 86_400_000_000_000, "h": 3_600_000_000_000, "min": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000, "us": 1000, "ns": 1}
_SPANS = {
    "weeks": 7 * _NANOSECONDS["D"], "days": _NANOSECONDS["D"], "hours": _NANOSECONDS["h"], "minutes": _NANOSECONDS["min"],
    "seconds": _NANOSECONDS["s"], "milliseconds": 1_000_000, "microseconds": 1000, "nanoseconds": 1,
}
_PLAIN = frozenset((builtins.int, builtins.float, builtins.str, builtins.bool, Series, Expr, type(None), datetime.timedelta, datetime.datetime))
_PERIOD = "periods have no dtype here: to_timestamp() of pandas makes times of them, and dt.truncate gives the start of a period"


def _of_pandas(value, name):
    """Whether a value is of this class of pandas, or of one derived from it."""
    return any(kind.__name__ == name and kind.__module__.startswith("pandas") for kind in type(value).__mro__)


def _nanoseconds(value):
    """Whether a value is a time ("M") or a duration ("m"), its nanoseconds and its zone; None for other values and for NaT."""
    if isinstance(value, (datetime.datetime, datetime.timedelta)):
        if not type(value).__module__.startswith("pandas") or value != value:
            return None
        is_time = isinstance(value, datetime.datetime)
        return ("M" if is_time else "m", int(value.as_unit("ns").value), value.tzinfo if is_time else None)
    dtype = getattr(value, "dtype", None)
    if dtype is None or getattr(dtype, "kind", "") not in ("M", "m") or getattr(value, "shape", None) != () or isinstance(value, (Series, Index)):
        return None
    import numpy

    if numpy.isnat(value):
        return None
    return dtype.kind, int(value.astype(f"{dtype.kind}8[ns]").astype("int64")), None


def _exact(value):
    """A series of one time or duration with nanoseconds, None for values that microseconds are enough for."""
    if type(value) in _PLAIN:
        return None
    read = _nanoseconds(value)
    return None if read is None or not read[1] % 1000 else _series([read])


def _series(read):
    """Times or durations with nanoseconds as a series; None is null."""
    kind, _, zone = next(one for one in read if one is not None)
    if any(one is not None and (one[0] != kind or (one[2] is None) != (zone is None)) for one in read):
        raise _error("TypeError", "Series", "times, durations and times of a zone do not go together")
    values = Series([None if one is None else one[1] for one in read], dtype="int64", device="host")
    if kind == "m":
        return values.cast("duration[ns]")
    values = values.cast("timestamp[ns]")
    name = getattr(zone, "key", None) or getattr(zone, "zone", None) or builtins.str(zone)
    return values if zone is None else values.dt.tz_localize("UTC").dt.tz_convert(name)


def _by_expression(self, compute):
    """What an expression makes of a series."""
    made = self.reset_index(drop=True).rename(None).to_frame("values").select(compute(col("values")).alias("values"))["values"]
    return made.rename(self.name).with_index(self.index)


# Offsets -----------------------------------------------------------------------------------------------------------------
def _is_offset(value):
    return _of_pandas(value, "BaseOffset")


def _fixed(offset):
    """The nanoseconds of an offset that is always as long, None for others."""
    if _of_pandas(offset, "Tick"):
        return int(offset.nanos)
    kind = type(offset).__name__
    if kind == "Day":
        return offset.n * _NANOSECONDS["D"]
    if kind == "Week" and offset.weekday is None:
        return offset.n * _SPANS["weeks"]
    if kind != "DateOffset":
        return None
    kwds = dict(offset.kwds) or {"days": 1}
    if not all(name in _SPANS and isinstance(count, int) for name, count in kwds.items()):
        return None
    return offset.n * builtins.sum(_SPANS[name] * count for name, count in kwds.items())


def _duration(nanoseconds):
    """A duration as an operand."""
    return lit(Series([nanoseconds], dtype="int64").cast("duration[ns]")) if nanoseconds % 1000 else datetime.timedelta(microseconds=nanoseconds // 1000)


def _with_days(self, freq, steps):
    """Times whose dates are moved by a frequency, with their time of day."""
    return Series(_SHIFT(Index(self.reset_index(drop=True)), steps, freq)).with_index(self.index).rename(self.name)


def _moved(self, offset, sign, operation):
    """A series of times moved by an offset, as pandas moves each."""
    dtype = builtins.str(self.dtype)
    is_time = dtype.startswith(("timestamp", "date"))
    # Dates stay dates where they are moved by days or more.
    is_date = dtype.startswith("date")
    if is_date:
        self, dtype = self.cast("timestamp[s]"), "timestamp[s]"
    fixed = _fixed(offset)
    if fixed is not None and dtype.startswith("duration"):
        return _by_expression(self, lambda values: values + _duration(sign * fixed))
    if not is_time:
        reason = f"{offset!r} moves times, not {dtype}"
        raise make("TypeError", f"{operation}: {reason}", operation=operation, column=None if self.name is None else builtins.str(self.name), dtype=dtype)
    zone = self.dt.tz
    # Clocks of a zone, but for hours and what is less.
    local = self if zone is None or _of_pandas(offset, "Tick") else self.dt.tz_naive()
    kwds = dict(offset.kwds) if type(offset).__name__ == "DateOffset" else {}
    if fixed is not None:
        made = _by_expression(local, lambda values: values + _duration(sign * fixed))
        is_date = is_date and fixed % _SPANS["days"] == 0
    elif kwds:
        unknown = [name for name in kwds if name not in _SPANS and name not in ("years", "months")]
        if unknown:
            raise _error("NotImplementedError", operation, f"{unknown[0]} of DateOffset is not implemented: years, months and shorter spans are")
        months = sign * offset.n * (12 * kwds.pop("years", 0) + kwds.pop("months", 0))
        rest = sign * offset.n * builtins.sum(_SPANS[name] * count for name, count in kwds.items())
        made = local.dt.add_months(months)
        made = _by_expression(made, lambda values: values + _duration(rest)) if rest else made
        is_date = is_date and rest % _SPANS["days"] == 0
    else:
        made = _anchored(local, offset, sign, operation)
    if getattr(offset, "normalize", False):
        made = made.dt.normalize()
    if is_date:
        return made.cast("date32")
    return made if zone is None or local is self else made.dt.tz_localize(zone)


def _anchored(self, offset, sign, operation):
    """Times moved to ends and starts of months, weeks and so on."""
    freq, steps = offset.base.freqstr, sign * offset.n
    try:
        if steps:
            return _with_days(self, freq, steps)
        # Those that are no such time go to the next one.
        later = _with_days(self, freq, 1)
        return self.where(_with_days(later, freq, -1) == self, later)
    except (ValueError, NotImplementedError):
        raise _error("NotImplementedError", operation, f"the offset {offset!r}, frequency {freq!r}, is not implemented") from None


# Operators ---------------------------------------------------------------------------------------------------------------
def _wrap_operator(kind, name, operate, is_reversed):
    compute = compiled(kind, name)

    def method(self, other, /):
        if type(other) in _PLAIN:
            return compute(self, other)
        if isinstance(other, Columns):
            return NotImplemented
        if _is_offset(other) and operate in (operator.add, operator.sub) and not (is_reversed and operate is operator.sub):
            if kind is Expr:
                return compute(self, _of_expression(other, operate.__name__))
            return _moved(self, other, 1 if operate is operator.add else -1, operate.__name__)
        if _of_pandas(other, "Period"):
            raise _error("TypeError", operate.__name__, _PERIOD)
        exact = _exact(other)
        if exact is None:
            return compute(self, other)
        literal = lit(exact)
        if kind is Expr:
            return compute(self, literal)
        return _by_expression(self, lambda values: operate(literal, values) if is_reversed else operate(values, literal))

    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", compute.__doc__
    install(kind, name, method)


def _of_expression(offset, operation):
    fixed = _fixed(offset)
    if fixed is None:
        raise _error("NotImplementedError", operation, f"{offset!r} is not as long everywhere: add it to a series, or use dt.add_months")
    return _duration(fixed)


def _wrap_operators(kind):
    for name in ("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "truediv", "floordiv", "mod"):
        _wrap_operator(kind, f"__{name}__", getattr(operator, name), False)
    for name in ("add", "sub"):
        _wrap_operator(kind, f"__r{name}__", getattr(operator, name), True)


_wrap_operators(Series)
_wrap_operators(Expr)


_SHIFT = compiled(Index, "shift")


def _shift(self, periods=1, freq=None):
    """The labels moved by steps of a frequency, by default their own."""
    if _is_offset(freq) and _fixed(freq) is None:
        return self + freq * periods
    return _SHIFT(self, periods, _frequency(freq, "shift"))


_shift.__name__, _shift.__qualname__ = "shift", "Index.shift"
install(Index, "shift", _shift)


# Frequencies -------------------------------------------------------------------------------------------------------------
def _text_of(nanoseconds):
    unit = next(unit for unit, length in _NANOSECONDS.items() if nanoseconds % length == 0)
    return f"{nanoseconds // _NANOSECONDS[unit]}{unit}"


def _frequency(value, operation):
    """A frequency as text: of an offset, or of a duration."""
    if value is None or isinstance(value, (builtins.str, builtins.int)):
        return value
    if _is_offset(value):
        fixed = _fixed(value)
        if fixed is not None:
            return _text_of(fixed)
        if type(value).__name__ == "DateOffset":
            raise _error("NotImplementedError", operation, f'{value!r} is no frequency: give text such as "MS" or "ME"')
        return value.freqstr
    if isinstance(value, datetime.timedelta) and not type(value).__module__.startswith("pandas"):
        return _text_of((value // datetime.timedelta(microseconds=1)) * 1000)
    read = _nanoseconds(value)
    return _text_of(read[1]) if read is not None and read[0] == "m" else value


def takes_frequency(method, argument):
    """Has a method take offsets and durations for its first argument."""
    name = method.__name__

    @functools.wraps(method)
    def taking(self, *args, **kwargs):
        if argument in kwargs:
            kwargs[argument] = _frequency(kwargs[argument], name)
        elif args:
            args = (_frequency(args[0], name), *args[1:])
        return method(self, *args, **kwargs)

    return taking


def _at_steps(name):
    compute = compiled(Index, name)

    def method(self, freq):
        if self.kind != "timedelta":
            return compute(self, freq)
        from .._accessors.times import spans_at_steps

        return Index(spans_at_steps(self.to_series().reset_index(drop=True), name, freq)).rename(self.name)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Index.{name}", f"{compute.__doc__.rstrip('.')}; of durations too."
    return method


for _name in ("floor", "ceil", "round"):
    install(Index, _name, takes_frequency(_at_steps(_name), "freq"))
del _name


# Values ------------------------------------------------------------------------------------------------------------------
def _exact_list(values):
    """Times and durations of which one has nanoseconds, as a series, or None. NaT and None are null."""
    first = next((one for one in values if one is not None), None)
    if first is None or type(first) in _PLAIN - {datetime.datetime, datetime.timedelta}:
        return None
    read = []
    for one in values:
        found = None
        if one is not None and one == one:
            found = _nanoseconds(one) or _of_python(one)
            if found is None:
                return None
        read.append(found)
    return _series(read) if any(one is not None and one[1] % 1000 for one in read) else None


def _of_python(value):
    """The nanoseconds of a time or duration of Python."""
    micro = datetime.timedelta(microseconds=1)
    if isinstance(value, datetime.timedelta):
        return "m", value // micro * 1000, None
    if not isinstance(value, datetime.datetime):
        return None
    zone = value.tzinfo
    epoch = datetime.datetime(1970, 1, 1, tzinfo=None if zone is None else datetime.timezone.utc)
    return "M", (value - epoch) // micro * 1000, zone


def _whole(self, value):
    """A value with nanoseconds in every row, or the value."""
    exact = _exact(value)
    return value if exact is None else _by_expression(self, lambda _: lit(exact))


def refuse_nanoseconds(operation, *arguments):
    """Refuses values with nanoseconds, which values of Python do not have."""
    for given in arguments:
        known = given if isinstance(given, (dict, builtins.list)) else [given]
        if any(type(one) not in _PLAIN and _exact(one) is not None for one in known):
            raise _error("NotImplementedError", operation, "values with nanoseconds are not implemented: use where or mask")


@methods(native.SeriesDatetimeNamespace, Index, Series, native.DataFrame)
class _OfTimes:
    """What periods would be."""

    def to_period(self, freq=None):
        """Periods, which are refused: `dt.truncate` gives the start of each."""
        raise _error("NotImplementedError", "to_period", _PERIOD)


# Constructors ------------------------------------------------------------------------------------------------------------
def _time(nanoseconds):
    import numpy

    if nanoseconds % 1000:
        return numpy.datetime64(nanoseconds, "ns")
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=nanoseconds // 1000)


def Timestamp(value: Any = None, unit: str | None = None, tz: str | None = None, **parts: int) -> Any:
    """A time: of text, a number of a unit since 1970 ("ns" by default), a time of Python, numpy or pandas, or of parts such as
    `year=2024, month=5, day=1`. It is a `datetime.datetime`, or a `numpy.datetime64` where it has nanoseconds.
    """
    operation = "Timestamp"
    if value is None:
        try:
            return datetime.datetime(**parts, tzinfo=_zone(tz))  # type: ignore[arg-type]
        except TypeError as error:
            raise _error("TypeError", operation, f"give a value, or year, month and day: {error}") from None
    if parts:
        raise _error("TypeError", operation, "parts do not go with a value")
    if isinstance(value, builtins.str):
        made = Series([value], device="host").cast("timestamp[ns]").cast("int64").to_list()[0]
    elif isinstance(value, (builtins.int, builtins.float)) and not isinstance(value, builtins.bool):
        made = int(value * _length(unit, operation))
    elif isinstance(value, datetime.datetime) and _nanoseconds(value) is None:
        return value if tz is None else value.replace(tzinfo=_zone(tz)) if value.tzinfo is None else value.astimezone(_zone(tz))
    elif isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day, tzinfo=_zone(tz))
    else:
        read = _nanoseconds(value)
        if read is None or read[0] != "M":
            raise _error("TypeError", operation, f"a time is text, a number or a time, not {type(value).__name__}")
        made = read[1]
        if read[2] is not None:
            if made % 1000:
                raise _error("NotImplementedError", operation, "nanoseconds of a time with a zone are not implemented")
            return value.to_pydatetime() if tz is None else value.to_pydatetime().astimezone(_zone(tz))
    time = _time(made)
    if tz is None:
        return time
    if not isinstance(time, datetime.datetime):
        raise _error("NotImplementedError", operation, "nanoseconds of a time with a zone are not implemented")
    return time.replace(tzinfo=_zone(tz))


def _zone(tz):
    return None if tz is None else zone_of(zone_name(tz))


def _length(unit, operation):
    length = {**_NANOSECONDS, "W": _SPANS["weeks"], "m": _NANOSECONDS["min"], None: 1}.get(unit)
    if length is None:
        raise _error("ValueError", operation, f"unit is one of W, {', '.join(_NANOSECONDS)}, not {unit!r}")
    return length


def Timedelta(value: Any = None, unit: str | None = None, **parts: float) -> Any:
    """A duration: of text such as "1 day 2h", a number of a unit ("ns" by default), a duration of Python, numpy or pandas, or of parts such
    as `days=1, hours=2`. It is a `datetime.timedelta`, or a `numpy.timedelta64` where it has nanoseconds.
    """
    from .._functions.frames import to_timedelta

    operation = "Timedelta"
    if value is None:
        unknown = [name for name in parts if name not in _SPANS]
        if unknown or not parts:
            raise _error("TypeError", operation, f"give a value, or {', '.join(_SPANS)}, not {unknown}")
        made = int(builtins.sum(_SPANS[name] * count for name, count in parts.items()))
    elif isinstance(value, builtins.str):
        made = to_timedelta([value]).cast("duration[ns]").cast("int64").to_list()[0]
    elif isinstance(value, (builtins.int, builtins.float)) and not isinstance(value, builtins.bool):
        made = int(value * _length(unit, operation))
    else:
        read = _nanoseconds(value) or _of_python(value)
        if read is None or read[0] != "m":
            raise _error("TypeError", operation, f"a duration is text, a number or a duration, not {type(value).__name__}")
        made = read[1]
    if made % 1000:
        import numpy

        return numpy.timedelta64(made, "ns")
    return datetime.timedelta(microseconds=made // 1000)
