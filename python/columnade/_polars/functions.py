"""Functions of Polars: of several columns, of a column by its label, and makers of values."""

from __future__ import annotations

import builtins
import operator
from datetime import date as _date, datetime as _datetime, timedelta as _timedelta
from typing import Any, Iterable

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Series, col, lit, row_number
from .._common import _error, across
from .columns import Choice, choices, column, has_columns, taking_columns
from .expressions import _CLOSED, _expression, _span
from .._files.scans import scan_json


_Column = Any
scan_ndjson = scan_json


def _expressions(values, operation):
    parts = []
    for value in values:
        parts += [_expression(part) for part in value] if isinstance(value, (builtins.list, tuple)) else [_expression(value)]
    if not parts:
        raise _error("ValueError", operation, "give a column or an expression")
    return parts


def _truths(parts):
    # & and | of integers are of their bits.
    return [part.cast("bool") for part in parts]


@taking_columns
def all_horizontal(*exprs: _Column) -> Expr:
    """Whether all values of each row are true; null where one is unknown and none is false. Of numbers 0 is false."""
    parts = _expressions(exprs, "all_horizontal")
    return across(operator.and_, _truths(parts)).alias(parts[0].label)


@taking_columns
def any_horizontal(*exprs: _Column) -> Expr:
    """Whether one of the values of each row is true; null where one is unknown and none is true. Of numbers 0 is false."""
    parts = _expressions(exprs, "any_horizontal")
    return across(operator.or_, _truths(parts)).alias(parts[0].label)


@taking_columns
def sum_horizontal(*exprs: _Column, ignore_nulls: bool = True) -> Expr:
    """The sum of the numbers of each row, 0 of nulls alone. With ignore_nulls=False it is null where a value is."""
    parts = _expressions(exprs, "sum_horizontal")
    return across(operator.add, [part.fill_null(0) if ignore_nulls else part for part in parts]).alias(parts[0].label)


@taking_columns
def mean_horizontal(*exprs: _Column, ignore_nulls: bool = True) -> Expr:
    """The mean of the numbers of each row, null of nulls alone. With ignore_nulls=False it is null where a value is."""
    parts = _expressions(exprs, "mean_horizontal")
    count = across(operator.add, [part.is_not_null().cast("int64") for part in parts])
    known = count > 0 if ignore_nulls else count == builtins.len(parts)
    return when(known).then(sum_horizontal(*parts) / count).otherwise(None).alias(parts[0].label)


@taking_columns
def concat_str(exprs: _Column, *more_exprs: _Column, separator: str = "", ignore_nulls: bool = False) -> Expr:
    """The values of each row as one text, null where one is. With `ignore_nulls` they are left out."""
    parts = _expressions([exprs, *more_exprs], "concat_str")
    made, *others = (part.cast("utf8") for part in parts)
    for other in others:
        whole = made + separator + other
        made = coalesce(whole, made, other) if ignore_nulls else whole
    return (made.fill_null("") if ignore_nulls else made).alias(parts[0].label)


@taking_columns
def format(f_string: str, *args: _Column) -> Expr:
    """A text with values of each row in place of `{}`, null where one is."""
    texts = f_string.split("{}")
    if builtins.len(texts) != builtins.len(args) + 1:
        raise _error("ValueError", "format", f"{builtins.len(texts) - 1} places for {builtins.len(args)} expressions")
    made = lit(texts[0])
    for value, text in zip(args, texts[1:]):
        made = made + _expression(value).cast("utf8") + text
    return made.alias(_expression(args[0]).label if args else "literal")


@taking_columns
def struct(*exprs: _Column, **named_exprs: _Column) -> Expr:
    """Columns as the fields of one column of structs, which has the label of the first one."""
    parts = [*(_expressions(exprs, "struct") if exprs else []), *(_expression(value).alias(name) for name, value in named_exprs.items())]
    if not parts:
        raise _error("ValueError", "struct", "give a column or an expression")
    return struct_of(*parts).alias(parts[0].label)


@taking_columns
def coalesce(exprs: _Column, *more_exprs: _Column) -> Expr:
    """The first value of each row that is not null, of labels, expressions and values."""
    return native.coalesce(*_expressions([exprs, *more_exprs], "coalesce"))


@taking_columns
def max_horizontal(*exprs: _Column) -> Expr:
    """The greatest value of each row, without nulls, of labels, expressions and values."""
    return native.max_horizontal(*_expressions(exprs, "max_horizontal"))


@taking_columns
def min_horizontal(*exprs: _Column) -> Expr:
    """The least value of each row, without nulls, of labels, expressions and values."""
    return native.min_horizontal(*_expressions(exprs, "min_horizontal"))


@taking_columns
def concat_list(exprs: _Column, *more_exprs: _Column) -> Expr:
    """The values, or the items of lists, of each row one behind the other: of labels, expressions and values."""
    return native.concat_list(*_expressions([exprs, *more_exprs], "concat_list"))


@taking_columns
def struct_of(*exprs: _Column) -> Expr:
    """Columns as the fields of one column of structs, see `struct`."""
    return native.struct_of(*_expressions(exprs, "struct_of"))


def when(*predicates: Any, **constraints: Any) -> native.When:
    """A choice: `when(condition).then(value).otherwise(value)`. Of several conditions all hold, and `name=value` is one too. Conditions may
    follow each other. Rows that meet none are null without `otherwise`.
    """
    conditions = [*_flat_conditions(predicates), *(col(name) == value for name, value in constraints.items())]
    if not conditions:
        raise _error("ValueError", "when", "give a condition")
    if has_columns(conditions):
        # It has the methods of a choice.
        return Choice(choices, conditions)  # type: ignore[return-value]
    return native.when(across(operator.and_, conditions))


def _flat_conditions(predicates):
    for one in predicates:
        if isinstance(one, (builtins.list, tuple)):
            yield from _flat_conditions(one)
        else:
            yield column(one) if isinstance(one, str) else one


def any(*names: Any, ignore_nulls: bool = True) -> Any:
    """Whether one of the values of a column is true; of several labels a list of expressions."""
    if not ignore_nulls:
        raise _error("NotImplementedError", "any", "ignore_nulls=False is not implemented")
    return _each(names, "any", lambda values: values.any())


def arg_where(condition: Expr) -> Any:
    """The positions of the rows for which a condition holds."""
    return condition.arg_true()


def arg_sort_by(exprs: Any, *more_exprs: Any, descending: Any = False, nulls_last: Any = False) -> Any:
    """The positions of the rows in order of columns or expressions, nulls first."""
    parts = _expressions([exprs, *more_exprs], "arg_sort_by")
    return (row_number() - 1).alias(parts[0].label).sort_by(parts, descending=descending, nulls_last=nulls_last)


def from_epoch(column: Any, time_unit: str = "s") -> Any:
    """Timestamps of numbers of "ns", "us", "ms" or "s" since 1970, or dates of numbers of days ("d"): of a column, or of a series."""
    if time_unit not in ("ns", "us", "ms", "s", "d"):
        raise _error("ValueError", "from_epoch", f'time_unit is "ns", "us", "ms", "s" or "d", not {time_unit!r}')
    values = column if isinstance(column, Series) else _expression(column)
    if time_unit == "d":
        return _same_name(values, values.cast("int32").cast("date32"))
    made = (values * 1_000_000).cast("timestamp[us]") if time_unit == "s" else values.cast("int64").cast(f"timestamp[{time_unit}]")
    return _same_name(values, made)


def _same_name(values, made):
    return made.rename(values.name) if isinstance(values, Series) else made.alias(values.label)


def arctan2(y: _Column, x: _Column) -> Expr:
    """The angle of each point in radians."""
    first = _expression(y)
    return first.atan2(_expression(x)).alias(first.label)


def corr(a: _Column, b: _Column, method: str = "pearson") -> Expr:
    """The correlation of two columns."""
    first = _expression(a)
    return first.corr(_expression(b), method).alias(first.label)


def cov(a: _Column, b: _Column, ddof: int = 1) -> Expr:
    """The covariance of two columns."""
    first = _expression(a)
    return first.cov(_expression(b), ddof).alias(first.label)


def _each(labels, operation, compute):
    if not labels:
        raise _error("ValueError", operation, "give the label of a column")
    made = [compute(column(label)) for label in labels]
    return made[0] if builtins.len(made) == 1 else made


def sum(*names: Any) -> Any:
    """The sum of a column; of several labels a list of expressions."""
    return _each(names, "sum", lambda column: column.sum())


def mean(*columns: Any) -> Any:
    """The mean of a column; of several labels a list of expressions."""
    return _each(columns, "mean", lambda column: column.mean())


def median(*columns: Any) -> Any:
    """The median of a column; of several labels a list of expressions."""
    return _each(columns, "median", lambda column: column.median())


def min(*names: Any) -> Any:
    """The least value of a column; of several labels a list of expressions."""
    return _each(names, "min", lambda column: column.min())


def max(*names: Any) -> Any:
    """The greatest value of a column; of several labels a list of expressions."""
    return _each(names, "max", lambda column: column.max())


def first(*columns: Any) -> Any:
    """The value of the first row, null where it is; `col(…).first()` leaves nulls out. Of several labels a list of expressions."""
    return _each(columns, "first", lambda column: column.nth(0))


def last(*columns: Any) -> Any:
    """The value of the last row, null where it is; `col(…).last()` leaves nulls out. Of several labels a list of expressions."""
    return _each(columns, "last", lambda column: column.nth(-1))


def count(*columns: Any) -> Any:
    """The number of values that are not null; of several labels a list of expressions."""
    return _each(columns, "count", lambda column: column.count())


def n_unique(*columns: Any) -> Any:
    """The number of distinct values, of which null is one; of several labels a list of expressions."""
    return _each(columns, "n_unique", lambda column: column.n_unique())


def cum_sum(*names: Any) -> Any:
    """The sums of a column up to each row; of several labels a list of expressions."""
    return _each(names, "cum_sum", lambda column: column.cum_sum())


def std(column: Any, ddof: int = 1) -> Expr:
    """The standard deviation of a column."""
    return col(column).std(ddof)


def var(column: Any, ddof: int = 1) -> Expr:
    """The variance of a column."""
    return col(column).var(ddof)


def quantile(column: Any, quantile: float, interpolation: str = "nearest") -> Expr:
    """A quantile of a column: the nearer value where it is between two."""
    return col(column).quantile(quantile, interpolation)


_LENGTHS = {
    "weeks": 604_800_000_000, "days": 86_400_000_000, "hours": 3_600_000_000, "minutes": 60_000_000, "seconds": 1_000_000,
    "milliseconds": 1000, "microseconds": 1,
}


def _label(value):
    """Polars' label of what is made of parts, of which this is the first one."""
    return _expression(value).label if isinstance(value, (Expr, str)) else "literal"


def _micros(parts):
    """The sum of parts by name, in microseconds."""
    spans = [(_expression(value) * _LENGTHS[name]).cast("int64") for name, value in parts.items() if value is not None]
    return across(operator.add, spans) if spans else lit(0)


def duration(
    *, weeks: Any = None, days: Any = None, hours: Any = None, minutes: Any = None, seconds: Any = None, milliseconds: Any = None,
    microseconds: Any = None, time_unit: str = "us",
) -> Expr:
    """Durations of their parts, which are columns, expressions or numbers; null where one is.

    One of whole numbers in microseconds is a constant: a date plus whole days stays a date, and a timestamp keeps its unit.
    """
    if time_unit not in ("ns", "us", "ms"):
        raise _error("ValueError", "duration", f'time_unit is "ns", "us" or "ms", not {time_unit!r}')
    parts = {
        "weeks": weeks, "days": days, "hours": hours, "minutes": minutes, "seconds": seconds, "milliseconds": milliseconds,
        "microseconds": microseconds,
    }
    given = {name: value for name, value in parts.items() if value is not None}
    if time_unit == "us" and given and all(isinstance(value, int) for value in given.values()):
        return lit(_timedelta(**given)).alias("duration")
    return _micros(parts).cast("duration[us]").cast(f"duration[{time_unit}]").alias(_label(weeks))


def datetime(
    year: Any, month: Any, day: Any, hour: Any = None, minute: Any = None, second: Any = None, microsecond: Any = None,
    time_unit: str = "us", time_zone: str | None = None,
) -> Expr:
    """Timestamps of their parts, which are columns, expressions or numbers; null where one is, and for a day that there is not,
    which Polars refuses.
    """
    if time_unit not in ("ns", "us", "ms"):
        raise _error("ValueError", "datetime", f'time_unit is "ns", "us" or "ms", not {time_unit!r}')
    years, months, days = (_expression(part).cast("int64") for part in (year, month, day))
    start = lit(_datetime(1970, 1, 1)).dt.add_months((years - 1970) * 12 + months - 1)
    span = _micros({"days": days - 1, "hours": hour, "minutes": minute, "seconds": second, "microseconds": microsecond})
    exists = (months >= 1) & (months <= 12) & (days >= 1) & (days <= start.dt.days_in_month().cast("int64"))
    made = when(exists).then(start + span.cast("duration[us]")).otherwise(None).cast(f"timestamp[{time_unit}]")
    return (made if time_zone is None else made.dt.tz_localize(time_zone)).alias(_label(year))


def time(hour: Any = None, minute: Any = None, second: Any = None, microsecond: Any = None) -> Expr:
    """Times of day of their parts, which are columns, expressions or numbers; null where one is."""
    parts = {"hours": hour, "minutes": minute, "seconds": second, "microseconds": microsecond}
    return _micros(parts).cast("time64[us]").alias("time")


def _eager(eager, operation):
    if not eager:
        raise _error("NotImplementedError", operation, "expressions of a length of their own are not implemented: eager is True")


def int_range(start: Any = 0, end: Any = None, step: int = 1, dtype: Any = "int64", eager: bool = True) -> Any:
    """The integers from one to another, without that: a series. `int_range(len())` is an expression, the number of each row from 0 on."""
    start, end = (0, start) if end is None else (start, end)
    if isinstance(end, Expr) and repr(end) == "len()" and isinstance(start, int) and step == 1:
        return (row_number() + (start - 1)).cast(dtype).alias("literal")
    if not (isinstance(start, int) and isinstance(end, int)):
        raise _error("NotImplementedError", "int_range", "start and end are integers, or end is len()")
    _eager(eager, "int_range")
    if step == 0:
        raise _error("ValueError", "int_range", "step is not 0")
    return Series(builtins.list(range(start, end, step)), name="literal", dtype=dtype)


def datetime_range(
    start: Any, end: Any, interval: Any = "1d", closed: str = "both", time_unit: str = "us", eager: bool = True,
) -> Series:
    """Timestamps at equal distances from one to another: closed is "both", "left", "right" or "none"."""
    _eager(eager, "datetime_range")
    if closed not in _CLOSED:
        raise _error("ValueError", "datetime_range", 'closed is "both", "left", "right" or "none"')
    months, rest = _span(interval, "datetime_range")
    if (months > 0) == (rest > _timedelta(0)) or months < 0 or rest < _timedelta(0):
        raise _error("ValueError", "datetime_range", f"interval is above zero, of months or of shorter units, not {interval!r}")
    first, final = (_datetime(value.year, value.month, value.day) if type(value) is _date else value for value in (start, end))
    if months:
        length = builtins.max((final.year - first.year) * 12 + final.month - first.month, -1) // months + 1
        numbers = DataFrame({"n": builtins.list(range(length))}).select(literal=lit(first).dt.add_months(col("n") * months))["literal"]
        made = numbers[numbers <= final]
    else:
        micros = rest // _timedelta(microseconds=1)
        length = builtins.max((final - first) // rest, -1) + 1
        moved = lit(first) + (col("n") * micros).cast("duration[us]")
        made = DataFrame({"n": builtins.list(range(length))}).select(literal=moved)["literal"]
    made = made if closed in ("both", "right") else made[made != final]
    made = made if closed in ("both", "left") else made[made != first]
    return made.reset_index(drop=True).cast(f"timestamp[{time_unit}]")


def repeat(value: Any, n: int, dtype: Any = None, eager: bool = True) -> Series:
    """A value n times."""
    _eager(eager, "repeat")
    return Series([value], name="literal", dtype=dtype).repeat(n).reset_index(drop=True)


def zeros(n: int, dtype: Any = "float64", eager: bool = True) -> Series:
    """Zero n times."""
    _eager(eager, "zeros")
    return Series([0], name="literal").cast(dtype).repeat(n).reset_index(drop=True)


def ones(n: int, dtype: Any = "float64", eager: bool = True) -> Series:
    """One n times."""
    _eager(eager, "ones")
    return Series([1], name="literal").cast(dtype).repeat(n).reset_index(drop=True)


def select(*exprs: Any, **named_exprs: Any) -> DataFrame:
    """A frame of one row of expressions that need no column, such as literals."""
    return DataFrame({"": [0]}).select(*exprs, **named_exprs)


def from_dict(data: dict[Any, Any], schema: Any = None) -> DataFrame:
    """A frame of columns by label. A schema has other labels for them, or dtypes by label."""
    return _with_schema(DataFrame(data), schema, "from_dict")


def from_dicts(data: Iterable[dict[Any, Any]], schema: Any = None) -> DataFrame:
    """A frame of rows by column; null where a row does not have one. A schema has the labels of the columns, or dtypes by label."""
    labels = None if schema is None else builtins.list(schema)
    made = DataFrame.from_records(builtins.list(data), columns=labels)
    return made.cast(schema) if isinstance(schema, dict) else made


def _with_schema(frame, schema, operation):
    if schema is None:
        return frame
    labels = builtins.list(schema)
    if builtins.len(labels) != builtins.len(frame.columns):
        raise _error("ValueError", operation, f"{builtins.len(labels)} labels for {builtins.len(frame.columns)} columns")
    made = frame.set_axis(labels, axis=1)
    return made.cast(schema) if isinstance(schema, dict) else made


def from_records(data: Any, schema: Any = None, orient: str = "col") -> DataFrame:
    """A frame of sequences, which are columns, or rows with orient="row"; the labels are "column_0", … without a schema. The fields of
    an array of records of numpy are columns.
    """
    if orient not in ("col", "row"):
        raise _error("ValueError", "from_records", 'orient is "col" or "row"')
    if getattr(getattr(data, "dtype", None), "names", None):
        return _with_schema(DataFrame.from_records(data), schema, "from_records")
    values = [builtins.list(part) for part in data]
    columns = values if orient == "col" else [builtins.list(part) for part in zip(*values)]
    return _with_schema(DataFrame({f"column_{place}": part for place, part in enumerate(columns)}), schema, "from_records")


def from_numpy(data: Any, schema: Any = None, orient: str = "row") -> DataFrame:
    """A frame of an array of one dimension, a column, or of two: its rows are rows, or columns with orient="col"."""
    if orient not in ("col", "row"):
        raise _error("ValueError", "from_numpy", 'orient is "col" or "row"')
    if data.ndim not in (1, 2):
        raise _error("ValueError", "from_numpy", f"the array has one or two dimensions, not {data.ndim}")
    columns = [data] if data.ndim == 1 else builtins.list(data.T if orient == "row" else data)
    return _with_schema(DataFrame({f"column_{place}": part.copy() for place, part in enumerate(columns)}), schema, "from_numpy")
