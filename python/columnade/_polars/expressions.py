"""Names of Polars for expressions that need no Rust, with Polars' defaults and Polars' labels: that of the first operand."""

from __future__ import annotations

import builtins
import datetime
import math
import operator
import re
from collections.abc import Callable
from typing import Any

from .. import _columnade as native
from .._columnade import Expr, Series, col, hash_rows, len as _rows, lit, max_horizontal, row_number, struct_of, when
from .._common import _UNSET, _error
from .._errors import under
from .._install import aliases, compiled, install, keep, methods, naming
from .._accessors.strings import _escaped, _side_of


keep(native.SeriesStringNamespace, "concat")
_STRICT = compiled(Expr, "replace_strict")
_CLOSED = ("both", "left", "right", "none")
_UNITS = {
    "ns": datetime.timedelta(microseconds=0.001), "us": datetime.timedelta(microseconds=1), "ms": datetime.timedelta(milliseconds=1),
    "s": datetime.timedelta(seconds=1), "m": datetime.timedelta(minutes=1), "h": datetime.timedelta(hours=1),
    "d": datetime.timedelta(days=1), "w": datetime.timedelta(weeks=1),
}
_MONTHS = {"mo": 1, "q": 3, "y": 12}


def _expression(value):
    """What Polars reads as a column or a literal: text is the label of a column."""
    return value if isinstance(value, Expr) else col(value) if isinstance(value, builtins.str) else lit(value)


def _literal(value):
    return value if isinstance(value, Expr) else lit(value)


def _parts(text, operation):
    """The sign of a duration such as "-3h30m", and its numbers with their units."""
    parts = re.findall(r"(\d+)(ns|us|ms|mo|s|m|h|d|w|q|y)", text) if isinstance(text, builtins.str) else []
    if not parts or "".join(number + unit for number, unit in parts) != text.removeprefix("-"):
        raise _error("ValueError", operation, f'a duration is a timedelta or text such as "1d12h" or "-3mo", not {text!r}')
    return "-" if text.startswith("-") else "", parts


def _span(text, operation):
    """The months and the rest of a duration such as "1mo2d" or "-3h30m"."""
    if isinstance(text, datetime.timedelta):
        return 0, text
    sign, parts = _parts(text, operation)
    sign = -1 if sign else 1
    months = builtins.sum(int(number) * _MONTHS.get(unit, 0) for number, unit in parts)
    if builtins.sum(int(number) for number, unit in parts if unit == "ns") % 1000:
        raise _error("NotImplementedError", operation, "nanoseconds that are no whole microseconds are not implemented")
    whole = [int(number) // 1000 * _UNITS["us"] if unit == "ns" else int(number) * _UNITS[unit] for number, unit in parts if unit in _UNITS]
    return sign * months, sign * builtins.sum(whole, datetime.timedelta(0))


def _window(text, operation):
    months, rest = _span(text, operation)
    if months or rest <= datetime.timedelta(0):
        raise _error("ValueError", operation, f"a window is above zero and has no months, not {text!r}")
    return rest


def _between(values, low, high, closed):
    lower = values >= low if closed in ("both", "left") else values > low
    return lower & (values <= high if closed in ("both", "right") else values < high)


@methods(Expr)
class _Operators:
    """Operators as methods: other operands are expressions or literals, and the label is that of the first one."""

    def and_(self, *others):
        """True where this and all others are, with null as an unknown value."""
        made = self
        for other in others:
            made = made & other
        return made.alias(self.label)

    def or_(self, *others):
        """True where this or one of the others is, with null as an unknown value."""
        made = self
        for other in others:
            made = made | other
        return made.alias(self.label)

    def not_(self):
        """Booleans the other way round, null where they are null."""
        return (~self).alias(self.label)

    def neg(self):
        """The numbers with the other sign."""
        return (-self).alias(self.label)


_OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "truediv", "floordiv": "floordiv", "mod": "mod", "eq": "eq", "ne": "ne",
    "lt": "lt", "le": "le", "gt": "gt", "ge": "ge", "xor": "xor",
}


def _operator(name):
    operate = getattr(operator, name)

    def method(self, other):
        return operate(self, other).alias(self.label)

    method.__name__ = name
    method.__qualname__ = f"Expr.{name}"
    method.__doc__ = f"The operator `{name}` of this and another expression or literal, under the label of this. Text is a literal."
    return method


@methods(Expr)
class _Values:
    """Methods of expressions that have a value for each row."""

    def is_between(self, lower_bound, upper_bound, closed="both"):
        """Whether each value is between two, which belong to it: closed is "both", "left", "right" or "none". Text as a bound is the
        label of a column.
        """
        if closed not in _CLOSED:
            raise _error("ValueError", "is_between", 'closed is "both", "left", "right" or "none"')
        return _between(self, _expression(lower_bound), _expression(upper_bound), closed).alias(self.label)

    def is_not_nan(self):
        """Whether each value is not NaN, null where it is null."""
        return (~self.is_nan()).alias(self.label)

    def degrees(self):
        """Radians as degrees."""
        return (self * (180 / math.pi)).alias(self.label)

    def radians(self):
        """Degrees as radians."""
        return (self * (math.pi / 180)).alias(self.label)

    def cot(self):
        """The cotangent of each angle in radians."""
        return (1 / self.tan()).alias(self.label)

    def is_close(self, other, abs_tol=0.0, rel_tol=1e-9, nans_equal=False):
        """Whether each number is at most `abs_tol`, or `rel_tol` of the larger one, away from the other. Null where one of them is null.
        An infinity is close to itself, and NaN to NaN with `nans_equal`.
        """
        if abs_tol < 0 or not 0 <= rel_tol < 1:
            raise _error("ValueError", "is_close", "abs_tol is not negative, and rel_tol is 0 or above and less than 1")
        ours, theirs = self.cast("float64"), _expression(other).cast("float64")
        limit = max_horizontal(max_horizontal(ours.abs(), theirs.abs()) * float(rel_tol), lit(float(abs_tol)))
        near = ours.is_finite() & theirs.is_finite() & ((ours - theirs).abs() <= limit)
        made = (ours == theirs) | near
        return (made | (ours.is_nan() & theirs.is_nan()) if nans_equal else made).alias(self.label)

    def replace_strict(self, old, new=None, default=_UNSET, return_dtype=None):
        """New values for old ones, given as a dictionary or as two lists, and `default`, an expression or a literal, for all others, null
        too where it is no old value. Without it another value is an error, and null stays null.
        """
        if isinstance(old, dict) != (new is None):
            raise _error("TypeError", "replace_strict", "give a dictionary, or old and new values")
        if not isinstance(old, dict):
            old = old if isinstance(old, builtins.list) else [old]
            new = new if isinstance(new, builtins.list) else [new] * builtins.len(old)
            if builtins.len(old) != builtins.len(new):
                raise _error("ValueError", "replace_strict", f"{builtins.len(new)} new values for {builtins.len(old)} old ones")
            old = dict(zip(old, new))
        known = {key: value for key, value in old.items() if key is not None}
        made = _STRICT(self, known) if default is _UNSET else self.replace_or(known, default)
        if None in old:
            made = when(self.is_null()).then(old[None]).otherwise(made)
        return (made if return_dtype is None else made.cast(return_dtype)).alias(self.label)

    def hash(self, seed=0):
        """The hash of each value, see `hash_rows`: other numbers than those of Polars, and the seed for null."""
        return hash_rows(self, seed=seed).alias(self.label)

    def is_duplicated(self):
        """Whether another row has the same value. Nulls are equal."""
        return (_rows().over(self, dropna=False) > 1).alias(self.label)

    def is_unique(self):
        """Whether no other row has the same value. Nulls are equal."""
        return (_rows().over(self, dropna=False) == 1).alias(self.label)

    def is_first_distinct(self):
        """Whether no row before has the same value. Nulls are equal."""
        return (row_number().over(self, dropna=False) == 1).alias(self.label)

    def is_last_distinct(self):
        """Whether no row after has the same value. Nulls are equal."""
        return (row_number().over(self, dropna=False) == _rows().over(self, dropna=False)).alias(self.label)

    def pipe(self, function, *args, **kwargs):
        """What a function makes of the expression: `function(self, …)`."""
        return function(self, *args, **kwargs)

    @property
    def name(self):
        """Other labels made of the label: `col("a").sum().name.suffix("_sum")`."""
        return ExprName(self)


@methods(Expr)
class _Aggregates:
    """Aggregates of expressions."""

    def n_unique(self):
        """The number of distinct values, of which null is one; `nunique` does not count it."""
        return (self.nunique() + self.is_null().any().cast("int64")).alias(self.label)

    def null_count(self):
        """The number of nulls."""
        return self.is_null().sum().alias(self.label)

    def has_nulls(self):
        """Whether there are nulls."""
        return self.is_null().any().alias(self.label)

    def len(self):
        """The number of rows, those of nulls too; `count` leaves them out."""
        return self.is_null().count().alias(self.label)

    def kurtosis(self, fisher=True, bias=True):
        """The fourth central moment over the square of the variance, less 3 with `fisher`; corrected for a bias with bias=False, as
        `kurt` is. NaN of equal values, null of none; `kurt` is null of both.
        """
        if not bias:
            made = self.kurt()
            return (made if fisher else made + 3.0).alias(self.label)
        apart = self - self.mean()
        made = (apart**4).mean() / (apart**2).mean() ** 2
        # Of equal values the mean may be rounded, so that they are apart from it.
        spread = self.max() > self.min()
        made = when(spread).then(made).when(spread.is_null()).then(None).otherwise(math.nan)
        return (made - 3.0 if fisher else made).alias(self.label)

    def dot(self, other):
        """The sum of the products with another expression or column, without rows where one of them is null."""
        return (self * _expression(other)).sum().alias(self.label)


class ExprName:
    """Other labels for an expression, made of its label. Operators have a label such as "(a * 2)" here, and "a" in Polars."""

    __slots__ = ("_expression",)

    def __init__(self, expression: Expr) -> None:
        self._expression = expression

    def keep(self) -> Expr:
        """The expression under the label of the first column that it is made of."""
        from .columns import root_of

        root = root_of(self._expression)
        return self._expression if root is None else self._expression.alias(root)

    def map(self, function: Callable[[Any], Any]) -> Expr:
        """The expression under the label that a function has for its label."""
        if not callable(function):
            raise _error("TypeError", "name.map", f"a function is given, not {type(function).__name__}")
        return self._expression.alias(function(self._expression.label))

    def prefix(self, prefix: str) -> Expr:
        """The expression under its label with a prefix."""
        return self._expression.alias(f"{prefix}{self._expression.label}")

    def suffix(self, suffix: str) -> Expr:
        """The expression under its label with a suffix."""
        return self._expression.alias(f"{self._expression.label}{suffix}")

    def to_lowercase(self) -> Expr:
        """The expression under its label in small letters."""
        return self._expression.alias(f"{self._expression.label}".lower())

    def to_uppercase(self) -> Expr:
        """The expression under its label in capital letters."""
        return self._expression.alias(f"{self._expression.label}".upper())


def _rolling(name, ours, samples):
    compute = getattr(Expr, ours)

    def method(self, by, window_size, min_samples=samples, closed="right"):
        return compute(self, _window(window_size, name), min_periods=min_samples, by=by, closed=_side(closed, name)).alias(self.label)

    method.__name__ = name
    method.__qualname__ = f"Expr.{name}"
    method.__doc__ = (
        f"`{ours}` in windows of time that end with each row: `window_size` is a timedelta or text such as \"1d\", `by` has the times.\n"
        "In Polars a window has all rows of the same time."
    )
    return method


def _side(closed, operation):
    if closed not in _CLOSED:
        raise _error("ValueError", operation, 'closed is "both", "left", "right" or "none"')
    return "neither" if closed == "none" else closed


@methods(Expr)
class _Windows:
    """Windows of time with arguments of their own."""

    def rolling_quantile_by(self, by, window_size, quantile, interpolation="nearest", min_samples=1, closed="right"):
        """A quantile in windows of time, see `rolling_sum_by`."""
        operation = "rolling_quantile_by"
        options = {"min_periods": min_samples, "by": by, "closed": _side(closed, operation)}
        return self.rolling_quantile(quantile, _window(window_size, operation), interpolation, **options).alias(self.label)

    def rolling_rank_by(self, by, window_size, method="average", min_samples=1, closed="right"):
        """The rank of each value in the window of time that ends with its row, see `rolling_sum_by`."""
        operation = "rolling_rank_by"
        options = {"min_periods": min_samples, "by": by, "closed": _side(closed, operation)}
        return self.rolling_rank(_window(window_size, operation), method, **options).alias(self.label)


_RENAMED = {
    "forward_fill": "fill_forward", "backward_fill": "fill_backward", "arccos": "acos", "arcsin": "asin",
    "arctan": "atan", "arccosh": "acosh", "arcsinh": "asinh", "arctanh": "atanh", "implode": "collect",
}
aliases(Expr, **_RENAMED)
for _name in _OPERATORS:
    install(Expr, _name, _operator(_name))
for _name in ("sum", "mean", "min", "max", "median", "std", "var"):
    install(Expr, f"rolling_{_name}_by", _rolling(f"rolling_{_name}_by", f"rolling_{_name}", 0 if _name == "sum" else 1))
del _name


# Text --------------------------------------------------------------------------------------------------------------------
def _text(value, operation, argument):
    if not isinstance(value, builtins.str):
        raise _error("TypeError", operation, f"{argument} is text, not {type(value).__name__}")
    return value


@methods(native.StringNamespace, native.SeriesStringNamespace)
class _Strings:
    """Methods of strings."""

    def strip_chars(self, characters=None, side="both"):
        """Without white space, or without some characters, at the side "left", "right" or "both"."""
        side = _side_of("str.strip_chars", side)
        if characters is not None:
            return self._strip_chars(characters, side)
        return {"both": self._strip, "left": self._lstrip, "right": self._rstrip}[side]()

    def strip_chars_start(self, characters=None):
        """The strings without these characters, or white space, at the start."""
        return self.lstrip() if characters is None else self.strip_chars(characters, "left")

    def strip_chars_end(self, characters=None):
        """The strings without these characters, or white space, at the end."""
        return self.rstrip() if characters is None else self.strip_chars(characters, "right")

    def pad_start(self, length, fill_char=" "):
        """The strings with a character before them, up to a length in characters."""
        return self.pad(length, "left", fill_char)

    def pad_end(self, length, fill_char=" "):
        """The strings with a character behind them, up to a length in characters."""
        return self.pad(length, "right", fill_char)

    def head(self, n):
        """The first n characters; with a negative n all but the last ones."""
        return self.slice(0, n) if n >= 0 else self.slice_replace(n, None, "")

    def tail(self, n):
        """The last n characters; with a negative n all but the first ones."""
        return self.slice(-n) if n else self.slice(0, 0)

    def replace_all(self, pattern, value, literal=False):
        """All matches of a pattern replaced; `$1` stands for a group. With `literal` both are taken as they are."""
        _text(pattern, "str.replace_all", "pattern"), _text(value, "str.replace_all", "value")
        return self.replace_regex(_escaped(pattern), value.replace("$", "$$")) if literal else self.replace_regex(pattern, value)

    def count_matches(self, pattern, literal=False):
        """The number of matches of a pattern, or of a text with `literal`."""
        return self.count_regex(_escaped(_text(pattern, "str.count_matches", "pattern")) if literal else pattern)

    def contains_any(self, patterns):
        """Whether one of several texts is in the string."""
        if not isinstance(patterns, builtins.list):
            raise _error("TypeError", "str.contains_any", f"patterns is a list of text, not {type(patterns).__name__}")
        # Of no patterns there is no match: not even the end of the text comes before its start.
        whole = "|".join(_escaped(_text(part, "str.contains_any", "each pattern")) for part in patterns)
        return self.contains_regex(whole if patterns else "[^\\s\\S]")

    def escape_regex(self):
        """The strings as patterns that match them alone."""
        # By literals, since devices have no groups of patterns; the backslash first.
        made = self._replace("\\", "\\\\")
        for character in ".+*?()|[]{}^$#&-~":
            made = made.str._replace(character, f"\\{character}")
        return made

    def strptime(self, dtype, format=None, strict=True):
        """Strings as dates, times or timestamps: in a format, or as ISO 8601 has them. With strict=False those that cannot be read
        are null.
        """
        return _read(self, "str.strptime", dtype, format, strict)

    def to_date(self, format=None, strict=True):
        """Strings as dates, see `strptime`."""
        return _read(self, "str.to_date", "date32", format, strict)

    def to_time(self, format=None, strict=True):
        """Strings as times of day in nanoseconds, see `strptime`."""
        return _read(self, "str.to_time", "time64[ns]", format, strict)

    def to_integer(self, base=10, dtype="int64", strict=True):
        """Strings as integers. With strict=False those that cannot be read are null. Other bases than 10 are not implemented."""
        if base != 10:
            raise _error("NotImplementedError", "str.to_integer", f"base {base!r} is not implemented: it is 10")
        return self.slice(0).cast(dtype, strict=strict)

    def to_decimal(self, scale):
        """Strings as decimals with this many digits behind the point; null where they cannot be read."""
        return self.slice(0).cast(f"decimal(38,{scale})", strict=False)


@methods(native.StringNamespace)
class _ExprStrings:
    """Methods of strings of expressions."""

    def split_exact(self, by, n):
        """The first n + 1 parts between separators as a struct with fields "field_0", …; null where there are fewer, and without what
        follows.
        """
        return _fields(self, [self.split_part(by, place) for place in range(_part_count("str.split_exact", n) + 1)])

    def splitn(self, by, n):
        """Up to n parts between separators as a struct with fields "field_0", …, of which the last has all that follows."""
        parts = self.split(by, _part_count("str.splitn", n) - 1) if n > 1 else None
        return _fields(self, [parts.list.get(place) for place in range(n)] if n > 1 else [self.slice(0)])

    def extract_groups(self, pattern):
        """What each group of a pattern matches, as a struct by the names or numbers of the groups; null where nothing matches."""
        try:
            read = re.compile(_text(pattern, "str.extract_groups", "pattern").replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!"))
        except re.error as error:
            raise _error("ValueError", "str.extract_groups", f"{pattern!r}: {error}") from None
        if not read.groups:
            raise _error("ValueError", "str.extract_groups", f"{pattern!r} has no group")
        names = {place: name for name, place in read.groupindex.items()}
        parts = [self.extract(pattern, place).alias(names.get(place, f"{place}")) for place in range(1, read.groups + 1)]
        values = self.slice(0)
        return when(values.is_not_null()).then(struct_of(*parts)).otherwise(None).alias(values.label)

    def join(self, delimiter="", ignore_nulls=True):
        """The strings of all rows as one, an aggregate. Nulls are left out; with ignore_nulls=False the result is null if one is null."""
        values = self.slice(0)
        made = values.collect().list.join(delimiter)
        return (made if ignore_nulls else when(values.is_null().any()).then(None).otherwise(made)).alias(values.label)


# Fields of a struct that one call makes at most: each is an expression.
_MOST_FIELDS = 10_000


def _part_count(operation, n):
    if isinstance(n, bool) or not isinstance(n, int) or not 0 <= n <= _MOST_FIELDS:
        raise _error("ValueError", operation, f"n is an integer from 0 to {_MOST_FIELDS:,}, not {n!r}")
    return n


def _fields(strings, parts):
    return struct_of(*(part.alias(f"field_{place}") for place, part in enumerate(parts))).alias(strings.slice(0).label)


_STRINGS = {
    "to_lowercase": "lower", "to_uppercase": "upper", "to_titlecase": "title", "len_bytes": "byte_count",
    "strip_prefix": "remove_prefix", "strip_suffix": "remove_suffix",
}
aliases(native.StringNamespace, **_STRINGS, len_chars="len")
aliases(native.SeriesStringNamespace, **_STRINGS)


# Times -------------------------------------------------------------------------------------------------------------------
_SECOND = datetime.timedelta(seconds=1)
_TICKS = {"ns": 1_000_000_000, "us": 1_000_000, "ms": 1000, "s": 1}


def _whole(floor, rest):
    """Numbers rounded towards zero that were rounded down, with what was left."""
    return floor + ((floor < 0) & (rest > 0)).cast("int64")


@methods(native.DatetimeNamespace, native.SeriesDatetimeNamespace)
class _Times:
    """Methods of times and durations, of which the namespace is what they know: each is made of other methods of it."""

    @naming
    def total_days(self, fractional=False):
        """Durations in whole days, rounded towards zero, or with `fractional` as floats."""
        rest = self.seconds() + self.microsecond() + self.nanosecond()
        return _named(self, self.total_seconds() / 86400 if fractional else _whole(self.days(), rest))

    @naming
    def total_hours(self, fractional=False):
        """Durations in whole hours, see `total_days`."""
        seconds = self.seconds()
        rest = seconds % 3600 + self.microsecond() + self.nanosecond()
        return _named(self, self.total_seconds() / 3600 if fractional else _whole(self.days() * 24 + seconds // 3600, rest))

    @naming
    def total_minutes(self, fractional=False):
        """Durations in whole minutes, see `total_days`."""
        seconds = self.seconds()
        rest = seconds % 60 + self.microsecond() + self.nanosecond()
        return _named(self, self.total_seconds() / 60 if fractional else _whole(self.days() * 1440 + seconds // 60, rest))

    @naming
    def total_milliseconds(self, fractional=False):
        """Durations in whole milliseconds, see `total_days`."""
        if fractional:
            return _named(self, self.total_seconds() * 1000)
        micros = self.microsecond()
        floor = (self.days() * 86400 + self.seconds()) * 1000 + micros // 1000
        return _named(self, _whole(floor, micros % 1000 + self.nanosecond()))

    @naming
    def total_microseconds(self, fractional=False):
        """Durations in whole microseconds, see `total_days`."""
        if fractional:
            return _named(self, self.total_seconds() * 1_000_000)
        floor = (self.days() * 86400 + self.seconds()) * 1_000_000 + self.microsecond()
        return _named(self, _whole(floor, self.nanosecond()))

    @naming
    def total_nanoseconds(self, fractional=False):
        """Durations in nanoseconds."""
        micros = (self.days() * 86400 + self.seconds()) * 1_000_000 + self.microsecond()
        made = micros * 1000 + self.nanosecond()
        return _named(self, made.cast("float64") if fractional else made)

    def timestamp(self, time_unit="us"):
        """Dates and timestamps as the number of "ns", "us" or "ms" since 1970 in UTC, rounded down."""
        if time_unit not in ("ns", "us", "ms"):
            raise _error("ValueError", "dt.timestamp", f'time_unit is "ns", "us" or "ms", not {time_unit!r}')
        with under("dt.timestamp"):
            return _ticks(self, time_unit)

    def epoch(self, time_unit="us"):
        """Dates and timestamps as the number of "ns", "us", "ms", "s" or "d" (days) since 1970 in UTC, rounded down."""
        if time_unit not in (*_TICKS, "d"):
            raise _error("ValueError", "dt.epoch", f'time_unit is "ns", "us", "ms", "s" or "d", not {time_unit!r}')
        with under("dt.epoch"):
            return _named(self, self.date().cast("int32")) if time_unit == "d" else _ticks(self, time_unit)

    @naming
    def convert_time_zone(self, time_zone):
        """The same times in another zone. Times without a zone are refused, where Polars takes them as those of UTC."""
        return _named(self, self.tz_convert(time_zone))

    @naming
    def replace_time_zone(self, time_zone, ambiguous="raise", non_existent="raise"):
        """The same local times in a zone, or without one. `ambiguous` is "raise", "earliest", "latest" or "null", and `non_existent` "raise"
        or "null".
        """
        local = self.tz_naive()
        return _named(self, local if time_zone is None else local.dt.tz_localize(time_zone, ambiguous, non_existent))

    @naming
    def offset_by(self, by):
        """Times and dates moved by a duration such as "1mo2d3h" or "-3h": by months, where days that a month does not have become its last
        one, then by days, then by the rest. With a time zone months and days move the local time, so that a day may have 23 hours.
        """
        if isinstance(by, datetime.timedelta):
            return _named(self, self.add_months(0) + by if by else self.add_months(0))
        sign, parts = _parts(by, "dt.offset_by")
        return _named(self, self._offset_by(sign + "".join(number + {"m": "min"}.get(unit, unit) for number, unit in parts)))

    @naming
    def ordinal_day(self):
        """The day of the year, from 1 on."""
        return _named(self, self.day_of_year())

    @naming
    def century(self):
        """The century of each year: 20 for 2000, 21 for 2001."""
        return _named(self, (self.year().cast("int64") - 1) // 100 + 1)

    @naming
    def millennium(self):
        """The millennium of each year: 2 for 2000, 3 for 2001."""
        return _named(self, (self.year().cast("int64") - 1) // 1000 + 1)

    @naming
    def to_string(self, format):
        """Times as text in a format, see `strftime`. Formats of Polars such as "iso" are refused."""
        if format is None or format in ("iso", "iso:strict", "polars"):
            raise _error("NotImplementedError", "dt.to_string", f'format {format!r} is not implemented: give one such as "%Y-%m-%d"')
        return _named(self, self.strftime(format))

    @naming
    def is_business_day(self, week_mask=(True, True, True, True, True, False, False), holidays=()):
        """Whether each date is on one of the days of the week that `week_mask` says, from Monday on, and is no holiday."""
        week_mask, holidays = builtins.list(week_mask), builtins.list(holidays)
        if builtins.len(week_mask) != 7 or not any(week_mask):
            raise _error("ValueError", "dt.is_business_day", "week_mask has seven booleans, one of which is true")
        made = self.weekday().is_in([day for day, works in enumerate(week_mask) if works])
        return _named(self, made & ~self.date().is_in(holidays) if holidays else made)

    @naming
    def combine(self, time, time_unit="us"):
        """The dates with a time of day, as timestamps of a unit."""
        if time_unit not in ("ns", "us", "ms"):
            raise _error("ValueError", "dt.combine", f'time_unit is "ns", "us" or "ms", not {time_unit!r}')
        dates = self.date().cast(f"timestamp[{time_unit}]")
        if isinstance(time, datetime.time):
            span = datetime.timedelta(hours=time.hour, minutes=time.minute, seconds=time.second, microseconds=time.microsecond)
            return _named(self, dates + (span if time_unit != "ms" else span // _UNITS["ms"] * _UNITS["ms"]))
        if not isinstance(time, (Expr, Series)):
            raise _error("TypeError", "dt.combine", f"time is a datetime.time or an expression, not {type(time).__name__}")
        return _named(self, dates + time.cast(f"duration[{time_unit}]"))


def _read(texts, operation, dtype, format, strict):
    with under(operation):
        return texts.slice(0).cast(dtype, strict=strict) if format is None else texts.to_datetime(format, dtype, strict=strict)


def _ticks(times, unit):
    # Dates become timestamps of seconds; those of other units, and with zones, keep them.
    values = times.add_months(0) + _SECOND - _SECOND
    ticks, wanted = (values + _SECOND - values).cast("int64"), _TICKS[unit]
    numbers = values.cast("int64")
    # One of the two factors is 1.
    return _named(times, numbers.checked_mul((wanted // ticks).clip(1, None)) // (ticks // wanted).clip(1, None))


def _named(times, made):
    """What was made, under the label or the name of the times."""
    if isinstance(made, Series):
        return made.rename(times._series.name)
    # It has the label of the times.
    return made.alias(times.tz_naive().label)


# Lists -------------------------------------------------------------------------------------------------------------------
@methods(native.ListNamespace, native.SeriesListNamespace)
class _Lists:
    """Methods of lists."""

    def n_unique(self):
        """The number of distinct items, of which null is one; `nunique` does not count it."""
        return self.unique().list.len()

    def gather(self, indices, null_on_oob=False):
        """The items at positions, which count from the end where they are negative. Positions that a list does not have are an error,
        or null.
        """
        return self.take(indices, null_on_oob)


def _position(lists, extreme):
    return when(extreme.is_not_null()).then(lists.index(extreme)).otherwise(None).alias(extreme.label)


@methods(native.ListNamespace)
class _ExprLists:
    """Methods of lists of expressions."""

    def arg_min(self):
        """The position of the least item, null where there is none."""
        return _position(self, self.min())

    def arg_max(self):
        """The position of the greatest item, null where there is none."""
        return _position(self, self.max())

    def concat(self, other):
        """The items of each list and of others behind them: expressions, labels or values."""
        others = other if isinstance(other, builtins.list) and other and isinstance(other[0], (Expr, builtins.str)) else [other]
        own = self.slice(0)
        return native.concat_list(own, *(_expression(part) for part in others)).alias(own.label)


@methods(native.SeriesListNamespace)
class _SeriesLists:
    """Methods of lists of series."""

    def arg_min(self):
        """The position of the least item, null where there is none."""
        return _of_lists(self, lambda lists: lists.arg_min())

    def arg_max(self):
        """The position of the greatest item, null where there is none."""
        return _of_lists(self, lambda lists: lists.arg_max())

    def concat(self, other):
        """The items of each list and of others behind them: series, by label, or values; several in a list of series. A text is `lit`
        of one: by itself it is the label of a column, which a series does not have.
        """
        several = isinstance(other, builtins.list) and other and all(isinstance(part, (Series, Expr)) for part in other)
        made = self._series
        for part in other if several else [other]:
            if isinstance(part, builtins.str):
                reason = f"{part!r} is the label of a column, which a series does not have: give lit({part!r}) or [{part!r}]"
                raise _error("TypeError", "list.concat", reason)
            appended = _beside_constant(made, part, lambda own, value: own.list.concat(value))
            made = made.list._concat(part) if appended is None else appended
        return made.rename(self._series.name)


@methods(native.SeriesStringNamespace)
class _SeriesStrings:
    """Methods of strings of series."""

    def concat(self, *others, separator=""):
        """The strings and those of other series by label, texts or `lit` of them, one after the other with a separator between them; null
        where one is.
        """
        made = self._series
        for part in others:
            appended = _beside_constant(made, part, lambda own, value: own.str.concat(value, separator=separator))
            made = made.str._concat(part, separator=separator) if appended is None else appended
        return made


def _beside_constant(own, value, make):
    """What a function makes of a series and an expression without columns, such as a literal; None for what is no such expression."""
    from .columns import root_of

    if not isinstance(value, Expr) or root_of(value) is not None:
        return None
    frame = own.rename("own").reset_index(drop=True).to_frame()
    return frame.select(make(col("own"), value).alias("own"))["own"].rename(own.name).with_index(own.index)


def _of_lists(lists, make):
    own = lists._series
    return own.rename("lists").to_frame().select(make(col("lists").list).alias("made"))["made"].rename(own.name)
