"""Functions of pandas that make times, numbers and categories, and names that pandas' programs use beside them."""

from __future__ import annotations

import datetime as _dt
from typing import Any, NamedTuple

from .._columnade import DataFrame, Index, Series
from .._common import _error, _series
from .frames import _NUMBERS_OF_WORDS, microseconds, to_timedelta as _spans_of, without_missing
from .._files.delimited import _items, _text
from .._frames.dtypes import of_categories


__all__ = ["Categorical", "IndexSlice", "NA", "NaT", "NamedAgg", "to_datetime", "to_numeric", "to_timedelta"]

# A missing value is None here, of numbers, strings and times. NaN is a value of floats.
NA: None = None
NaT: None = None


class NamedAgg(NamedTuple):
    """A column and its aggregate, for `agg(label=NamedAgg("units", "sum"))`."""

    column: Any
    aggfunc: Any


class _Slices:
    """Slices of labels that are written in brackets: `frame.loc[IndexSlice["a":"b"]]`."""

    def __getitem__(self, key: Any) -> Any:
        return key


IndexSlice = _Slices()


def Categorical(values: Any, categories: Any = None, ordered: bool | None = None) -> Series:
    """A series of categories: those that are given, others being null, or the values in the order of their first appearance."""
    made = of_categories(_series(values))
    if categories is not None:
        made = made.cat.set_categories(_items("Categorical", "categories", categories))
    if ordered is None:
        return made
    return made.cat.as_ordered() if ordered else made.cat.as_unordered()


def _has_rows(arg):
    """Whether an argument has row labels, which its values keep: a series, a frame, or columns by label."""
    return isinstance(arg, (Series, DataFrame, dict)) or hasattr(arg, "iloc")


def _like(arg, made):
    """A series for values with row labels; for others, as lists, an index, which goes by position where it is assigned."""
    return made if _has_rows(arg) else Index(made)


# Times -------------------------------------------------------------------------------------------------------------------
_UNITS = {
    "D": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "min": 60_000_000_000, "s": 1_000_000_000, "ms": 1_000_000,
    "us": 1000, "ns": 1,
}
_MONTH_FIRST = ("%m/%d/%Y", "%m-%d-%Y", "%m.%d.%Y", "%m/%d/%y", "%m-%d-%y", "%m.%d.%y")
_DAY_FIRST = ("%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%d/%m/%y", "%d-%m-%y", "%d.%m.%y")
_YEAR_FIRST = ("%y/%m/%d", "%y-%m-%d", "%y.%m.%d")
_OTHERS = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d", "%Y-%m", "%Y/%m", "%Y", "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%B %d %Y", "%d-%b-%Y", "%d-%b-%y",
    "%d/%b/%Y", "%a %d %b %Y", "%a, %d %b %Y",
)
_CLOCKS = ("", " %H:%M:%S", " %H:%M", " %H:%M:%S.%f", " %I:%M %p", " %I:%M:%S %p", "T%H:%M:%S", "T%H:%M:%S.%f", "T%H:%M")


def _days(dayfirst, yearfirst):
    dates = (*_DAY_FIRST, *_MONTH_FIRST) if dayfirst else (*_MONTH_FIRST, *_DAY_FIRST)
    return (*(_YEAR_FIRST if yearfirst else ()), *_OTHERS, *dates, *_YEAR_FIRST)


def _iso(values):
    """Text as ISO 8601 has times, null where it is not: with a zone where an offset is there."""
    naive = values.cast("timestamp[us]", strict=False)
    if naive.null_count == values.null_count:
        return naive
    for dtype in ("timestamp[ns]", "timestamp[us, UTC]", "timestamp[ns, UTC]"):
        found = values.cast(dtype, strict=False)
        if found.null_count < naive.null_count:
            naive = found
        if naive.null_count == values.null_count:
            break
    return naive


def _guessed(values, dayfirst, yearfirst):
    """The format of the first value, None where none is known."""
    first = values.drop_nulls().head(1)
    for day in _days(dayfirst, yearfirst):
        for clock in _CLOCKS:
            if first.str.to_datetime(day + clock, strict=False).null_count == 0:
                return day + clock
    return None


def _read(values, format, strict, dayfirst, yearfirst):
    """Text as times."""
    operation = "to_datetime"
    if format == "mixed":
        made = _iso(values)
        if made.dtype.tz is not None:
            return made if not strict else _whole(values, made)
        while made.null_count > values.null_count:
            rest = values.mask(made.is_not_null())
            found = _guessed(rest, dayfirst, yearfirst)
            if found is None:
                break
            made = made.combine_first(rest.str.to_datetime(found, strict=False).cast(made.dtype)).rename(values.name)
            made = made.reindex(values.index) if values.index.is_unique else made
        return _whole(values, made) if strict else made
    if format is not None and format != "ISO8601":
        dtype = "timestamp[us, UTC]" if "%z" in format else None
        return values.str.to_datetime(format, dtype=dtype, strict=strict)
    made = _iso(values)
    if made.null_count == values.null_count or format == "ISO8601":
        return _whole(values, made) if strict else made
    if made.null_count < len(values) and made.head(len(values)).first_valid_index() == values.first_valid_index():
        # The first one is ISO 8601, and says what the others are.
        return _whole(values, made) if strict else made
    found = _guessed(values, dayfirst, yearfirst)
    if found is None:
        return _whole(values, made) if strict else made
    try:
        return values.str.to_datetime(found, strict=strict)
    except ValueError as error:
        reason = f'{error}: give format, with "mixed" for several, or errors="coerce"'
        raise _error("ValueError", operation, reason.removeprefix(f"{operation}: ")) from None


def _whole(values, made):
    """Times that are read, an error of the row that is none."""
    if made.null_count > values.null_count:
        return values.cast(made.dtype)
    return made


def _numbers(data, unit, origin):
    operation = "to_datetime"
    if unit not in _UNITS:
        raise _error("ValueError", operation, f'numbers have a unit: "D", "h", "min", "s", "ms", "us" or "ns", not {unit!r}')
    if str(data.dtype).startswith("float"):
        if (data.is_nan() if hasattr(data, "is_nan") else data != data).any():
            data = data.mask(data.is_nan())
        scale = _UNITS[unit] / 1000
        whole = data.floor()
        if unit == "ns":
            made = whole.cast("int64").cast("timestamp[ns]")
        else:
            parts = ((data - whole) * scale).round(0).cast("int64")
            made = (whole.cast("int64") * int(scale) + parts).cast("timestamp[us]")
    elif unit in ("s", "ms", "us", "ns"):
        made = data.cast("int64")
        # As in pandas, times of seconds and milliseconds have microseconds.
        if unit in ("s", "ms"):
            made = microseconds(operation, made, _UNITS[unit] // 1000, unit)
        made = made.cast("timestamp[ns]" if unit == "ns" else "timestamp[us]")
    elif unit == "D" and origin == "unix":
        made = data.cast("int32").cast("date32").cast("timestamp[us]")
    else:
        made = microseconds(operation, data.cast("int64"), _UNITS[unit] // 1000, unit).cast("timestamp[us]")
    if origin == "unix":
        return made
    start = origin
    if isinstance(origin, str):
        start = Series([origin]).cast("timestamp[us]", strict=False).to_list()[0]
    elif isinstance(origin, (int, float)) and not isinstance(origin, bool):
        start = _numbers(Series([origin]), unit, "unix").to_list()[0]
    elif isinstance(origin, _dt.date) and not isinstance(origin, _dt.datetime):
        start = _dt.datetime(origin.year, origin.month, origin.day)
    if not isinstance(start, _dt.datetime) or origin == "julian":
        raise _error("ValueError", operation, f'origin is "unix", a time or a number, not {origin!r}')
    return made + (start - _dt.datetime(1970, 1, 1))


_OF_FRAMES = ("year", "month", "day", "hour", "minute", "second", "ms", "us", "ns")
_SHORT = {"h": "hour", "m": "minute", "s": "second", "millisecond": "ms", "microsecond": "us", "nanosecond": "ns"}


def _assembled(frame, strict):
    """Times of columns of years, months, days and so on."""
    operation = "to_datetime"
    parts = {}
    for label in frame.columns:
        name = str(label).lower()
        name = name[:-1] if name not in ("s", "ms", "us", "ns") and name.endswith("s") else name
        name = _SHORT.get(name, name)
        if name not in _OF_FRAMES:
            raise _error("ValueError", operation, f"column {label!r} is none of {', '.join(_OF_FRAMES)}")
        parts[name] = frame[label]
    missing = [name for name in ("year", "month", "day") if name not in parts]
    if missing:
        raise _error("ValueError", operation, f"the frame has no column {', '.join(missing)}")

    def digits(name, width):
        values = parts[name]
        values = to_numeric(values) if str(values.dtype) == "utf8" else values
        return values.cast("int64").cast("utf8").str.zfill(width)

    text = digits("year", 4) + "-" + digits("month", 2) + "-" + digits("day", 2)
    clock = [name for name in ("hour", "minute", "second") if name in parts]
    if clock:
        # Made of a part, to be where the parts are.
        zero = (parts["day"].is_null().cast("int64") * 0).cast("utf8").str.zfill(2)
        hour, minute, second = (digits(name, 2) if name in parts else zero for name in ("hour", "minute", "second"))
        text = text + " " + hour + ":" + minute + ":" + second
    fine = [name for name in ("ms", "us", "ns") if name in parts]
    made = text.cast("timestamp[ns]" if "ns" in fine else "timestamp[us]", strict=strict)
    for name in fine:
        made = made + parts[name].cast("int64").cast(f"duration[{name}]")
    return made.rename(None)


def to_datetime(
    arg: Any, format: str | None = None, errors: str = "raise", unit: str | None = None, *, dayfirst: bool = False,
    yearfirst: bool = False, utc: bool = False, exact: bool = True, origin: Any = "unix",
) -> Any:
    """Strings, or numbers in a unit since `origin`, as timestamps: a series, or of one value a datetime. Without a format strings are
    as ISO 8601 has them, or as the first one is; "mixed" is a format for each, where `dayfirst` says what 1/2/2024 is. A frame has
    columns year, month, day and so on. errors="coerce" makes those that cannot be read null; `utc` gives times in UTC.
    """
    operation = "to_datetime"
    if errors not in ("raise", "coerce"):
        raise _error("ValueError", operation, 'errors is "raise" or "coerce"')
    for name, value in (("format", format), ("unit", unit)):
        if value is not None:
            _text(operation, value, name)
    if not exact:
        raise _error("NotImplementedError", operation, "exact=False is not implemented: extract the text of the time before")
    if arg is None:
        return None
    if isinstance(arg, (str, int, float, _dt.date)):
        return to_datetime(
            Series([arg]), format, errors, unit, dayfirst=dayfirst, yearfirst=yearfirst, utc=utc, origin=origin
        ).to_list()[0]
    if isinstance(arg, dict):
        arg = DataFrame(arg)
    strict = errors == "raise"
    from .._times.offsets import _exact_list

    known = _exact_list(arg) if isinstance(arg, (list, tuple)) else None
    data = known if known is not None else arg if isinstance(arg, DataFrame) else _series(arg)
    if isinstance(data, DataFrame):
        made = _assembled(data, strict)
    else:
        if str(data.dtype).startswith("dictionary"):
            data = data.cast("utf8")
        data = without_missing(data)
        if str(data.dtype) == "null" or data.null_count == len(data) and str(data.dtype) == "utf8":
            made = data.cast("timestamp[us]")
        elif data.dtype.is_numeric and format is not None and unit is None:
            # Digits such as 20240131.
            made = _read(data.cast("int64").cast("utf8"), format, strict, dayfirst, yearfirst)
        elif data.dtype.is_numeric:
            made = _numbers(data, unit, origin)
        elif str(data.dtype) == "utf8":
            made = _read(data, format, strict, dayfirst, yearfirst)
        else:
            made = data if str(data.dtype).startswith("timestamp") else data.cast("timestamp[us]", strict=strict)
        made = made.rename(data.name)
    if utc:
        made = made.dt.tz_localize("UTC") if made.dtype.tz is None else made.dt.tz_convert("UTC")
    return _like(arg, made)


def to_timedelta(arg: Any, unit: str | None = None, errors: str = "raise") -> Any:
    """Strings, or numbers of a unit, as durations: a series, or of one value a timedelta; errors="coerce" makes strings that cannot be
    read null.
    """
    if unit is not None:
        _text("to_timedelta", unit, "unit")
    if arg is None:
        return None
    unit = unit if unit is None else _NUMBERS_OF_WORDS.get(unit, unit)
    if isinstance(arg, (str, int, float, _dt.timedelta)):
        return _spans_of(Series([arg]), unit, errors).to_list()[0]
    if unit == "W":
        return _like(arg, _spans_of(_series(arg) * 7, "D", errors))
    return _like(arg, _spans_of(arg, unit, errors))


# Numbers -----------------------------------------------------------------------------------------------------------------
_SIGNED = ("int8", "int16", "int32", "int64")
_UNSIGNED = ("uint8", "uint16", "uint32", "uint64")


def _smaller(data, downcast):
    """Numbers in the smallest dtype of a kind that has all of them, or as they are."""
    dtype = str(data.dtype)
    if data.null_count == len(data) or dtype == "bool":
        return data
    if downcast == "float":
        if dtype == "float64":
            small = data.cast("float32")
            same = ((small.cast("float64") - data).abs() <= data.abs() * 1e-6) | (small.cast("float64") == data) | data.is_nan()
            return small if same.fill_null(True).all() else data
        return data.cast("float32")
    if dtype.startswith("float") and not (data.is_nan() | (data != data.floor())).fill_null(False).any() is False:
        return data
    low, high = data.min(), data.max()
    for name in _UNSIGNED if downcast == "unsigned" else _SIGNED:
        bits = int(name.lstrip("uint"))
        least, most = (0, 2**bits - 1) if downcast == "unsigned" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        if least <= low and high <= most:
            return data.cast(name)
    return data


def to_numeric(arg: Any, errors: str = "raise", downcast: str | None = None) -> Any:
    """Strings as integers, unsigned ones where they are too large, or else as floats: a series, or of one value a number; errors="coerce" makes those that cannot be read null.
    `downcast` is "integer", "signed", "unsigned" or "float": the smallest such dtype that has all values.
    """
    operation = "to_numeric"
    if errors not in ("raise", "coerce"):
        raise _error("ValueError", operation, 'errors is "raise" or "coerce"')
    if downcast not in (None, "integer", "signed", "unsigned", "float"):
        raise _error("ValueError", operation, f'downcast is "integer", "signed", "unsigned" or "float", not {downcast!r}')
    if arg is None:
        return None
    if isinstance(arg, (str, int, float)):
        return to_numeric(Series([arg]), errors).to_list()[0]
    data = _series(arg)
    if data.dtype.is_numeric or str(data.dtype) == "bool":
        made = data
    elif str(data.dtype).startswith(("timestamp", "duration")):
        made = data.cast("int64")
    else:
        made = data.cast("int64", strict=False)
        if made.null_count != data.null_count:
            # pandas allows blanks around numbers.
            text = data.cast("utf8").str.strip()
            made = text.cast("int64", strict=False)
            if made.null_count != data.null_count:
                made = text.cast("uint64", strict=False)
            if made.null_count != data.null_count:
                made = text.cast("float64", strict=errors == "raise")
    made = made if downcast is None else _smaller(made, downcast)
    return _like(arg, made) if isinstance(arg, Index) or _has_rows(arg) else made.to_numpy()
