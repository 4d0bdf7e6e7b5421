"""Values of the standard library for dtypes that Rust has no Python type for."""

from __future__ import annotations

from datetime import date as _date, datetime as _datetime, timedelta as _timedelta, timezone as _timezone, tzinfo as _tzinfo
from decimal import Decimal as _Decimal
from typing import Any, NamedTuple

from ._errors import make

_EPOCH = _datetime(1970, 1, 1)
_EPOCH_UTC = _datetime(1970, 1, 1, tzinfo=_timezone.utc)
_MICROSECOND = _timedelta(microseconds=1)
_zones: dict[str, Any] = {}


class Interval(NamedTuple):
    """All values between two; `closed` says which ends belong to it."""

    left: Any
    right: Any
    closed: str = "right"


def interval(left, right, closed):
    return Interval(left, right, closed)


def date(days):
    """The date so many days after 1970. Of years that Python does not have it is the error that timestamps are."""
    try:
        return _date.fromordinal(days + 719_163)
    except ValueError:
        raise OverflowError("date value out of range") from None


def zone_of(name):
    """The zone of a dtype by its name."""
    if name not in _zones:
        if name[:1] in "+-":
            sign = -1 if name[0] == "-" else 1
            hours, minutes = name[1:].split(":")
            _zones[name] = _timezone(sign * _timedelta(hours=int(hours), minutes=int(minutes)))
        elif name == "UTC":
            _zones[name] = _timezone.utc
        else:
            from zoneinfo import ZoneInfo

            try:
                _zones[name] = ZoneInfo(name)
            except (ValueError, LookupError) as error:
                reason = f"Python knows no time zone {name!r}: install tzdata, or choose another one with tz_convert"
                raise make("ValueError", reason) from error
    return _zones[name]


def zone_name(tz):
    """The name that a dtype has for a zone: its own, or the offset from UTC of a zone of `datetime.timezone` and of text such as
    "UTC+02:00", as pandas writes it. A zone that has neither is text as Python has it.
    """
    text = getattr(tz, "key", None) or getattr(tz, "zone", None) or str(tz)
    if text[:4] in ("UTC+", "UTC-"):
        return text[3:]
    offset = tz.utcoffset(None) if hasattr(tz, "utcoffset") and text != "UTC" else None
    if offset is None:
        return text
    minutes = abs(offset) // _timedelta(minutes=1)
    return f"{'-' if offset < _timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}" if offset else "UTC"


def zone_text(zone):
    """A zone as an argument, by its name, also one of `datetime`; what is none is left to be refused."""
    return zone_name(zone) if isinstance(zone, (str, _tzinfo)) else zone


def timestamp(value, per_second, zone):
    """The time at `value` units since 1970. Nanoseconds are cut to microseconds, which is what a datetime has."""
    micros = value * 1_000_000 // per_second
    if zone is None:
        return _EPOCH + _timedelta(microseconds=micros)
    return (_EPOCH_UTC + _timedelta(microseconds=micros)).astimezone(zone_of(zone))


def duration(value, per_second):
    return _timedelta(microseconds=value * 1_000_000 // per_second)


def time(value, per_second):
    """The time of day `value` units after midnight. Nanoseconds are cut to microseconds, which is what a time has."""
    return (_EPOCH + _timedelta(microseconds=value * 1_000_000 // per_second)).time()


def since_midnight(value):
    """The microseconds of a time of day."""
    return ((value.hour * 60 + value.minute) * 60 + value.second) * 1_000_000 + value.microsecond


def decimal(value, scale):
    return _Decimal((value < 0, tuple(map(int, str(abs(value)))), -scale))


def decimal_parts(value):
    """The digits of a decimal as an integer, and how many stand after the point; None for infinity and NaN."""
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        return None
    number = int("".join(map(str, digits)) or "0")
    if exponent > 0:
        number, exponent = number * 10**exponent, 0
    return (-number if sign else number), -exponent


def microseconds(value):
    return value // _MICROSECOND


def since_epoch(value):
    """Microseconds since 1970 and the name of the time zone, None without one."""
    if value.tzinfo is None:
        return (value.replace(tzinfo=None, fold=0) - _EPOCH) // _MICROSECOND, None
    micros = (value - _EPOCH_UTC) // _MICROSECOND
    name = getattr(value.tzinfo, "key", None) or getattr(value.tzinfo, "zone", None)
    return micros, name or zone_name(_timezone(value.utcoffset()))


def item(value):
    """The Python value of a numpy scalar; nanoseconds, which `item` gives as integers, are cut to microseconds."""
    kind = value.dtype.kind
    if kind in "mM":
        import numpy

        if numpy.isnat(value):
            return None
        if numpy.datetime_data(value.dtype)[0] in ("ns", "ps", "fs", "as"):
            value = value.astype(value.dtype.str.split("[")[0] + "[us]")
    return value.item()
