"""Functions of pandas that are methods here, and readers of records."""

from __future__ import annotations

import builtins
import re
from typing import Any, Iterable

from .._columnade import DataFrame, Index, Series, row_number
from .._common import _error, _list, _series
from .._errors import under
from .._frames.basics import isna as isnull, notna as notnull


__all__ = [
    "factorize", "from_dummies", "infer_freq", "isnull", "json_normalize", "melt", "merge_asof", "merge_ordered", "notnull", "pivot",
    "pivot_table", "to_timedelta", "wide_to_long",
]


def factorize(values: Any, **options: Any) -> Any:
    """The number of each value and the distinct values, see `Series.factorize`."""
    return (values if isinstance(values, Index) else _series(values)).factorize(**options)


def melt(frame: DataFrame, *arguments: Any, **options: Any) -> DataFrame:
    """Columns as rows, see `DataFrame.melt`."""
    return frame.melt(*arguments, **options)


def pivot(data: DataFrame, *arguments: Any, **options: Any) -> DataFrame:
    """Rows as columns, see `DataFrame.pivot`."""
    return data.pivot(*arguments, **options)


def pivot_table(data: DataFrame, *arguments: Any, **options: Any) -> DataFrame:
    """Aggregates of rows as columns, see `DataFrame.pivot_table`."""
    return data.pivot_table(*arguments, **options)


def wide_to_long(df: DataFrame, *arguments: Any, **options: Any) -> DataFrame:
    """Columns of several stubs as rows, see `DataFrame.wide_to_long`."""
    return df.wide_to_long(*arguments, **options)


def from_dummies(data: DataFrame, *arguments: Any, **options: Any) -> DataFrame:
    """Categories of columns of 0 and 1, see `DataFrame.from_dummies`."""
    return data.from_dummies(*arguments, **options)


def merge_asof(left: DataFrame, right: DataFrame, on: Any = None, **options: Any) -> DataFrame:
    """`left.merge_asof(right, …)`."""
    return left.merge_asof(right, on, **options)


def merge_ordered(
    left: DataFrame, right: DataFrame, on: Any = None, how: str = "outer", fill_method: str | None = None,
    suffixes: tuple[str, str] = ("_x", "_y"), *, left_on: Any = None, right_on: Any = None, left_by: Any = None, right_by: Any = None,
) -> DataFrame:
    """A join whose rows are in the order of the keys; with fill_method="ffill" rows that only one frame has take the values of the
    other one's row before. Nulls of the frames stay. With
    `left_by` each group of the left rows is joined with all right rows, and with `right_by` the other way round.
    """
    operation = "merge_ordered"
    if fill_method not in (None, "ffill"):
        raise _error("ValueError", operation, 'fill_method is "ffill" or None')
    if left_by is not None or right_by is not None:
        if left_by is not None and right_by is not None:
            raise _error("ValueError", operation, "give left_by or right_by, not both")
        return _merged_by(left, right, left_by, right_by, (on, how, fill_method, suffixes, left_on, right_on))
    if (left_on is None) != (right_on is None) or left_on is not None and on is not None:
        raise _error("ValueError", operation, "give on, or left_on and right_on")
    if left_on is None:
        keys = [label for label in left.columns if label in right] if on is None else _list(on)
        pairs = [(key, key) for key in keys]
    else:
        pairs = builtins.list(zip(_list(left_on), _list(right_on)))
    if not pairs:
        raise _error("ValueError", operation, "the frames have no column in common: give on")
    if fill_method is not None:
        left, right = left.with_columns(row_number().alias(_ROW_OF_LEFT)), right.with_columns(row_number().alias(_ROW_OF_RIGHT))
    if all(one == other for one, other in pairs):
        made = left.merge(right, on=[key for key, _ in pairs], how=how, suffixes=suffixes)
    else:
        made = left.merge(right, left_on=[key for key, _ in pairs], right_on=[key for _, key in pairs], how=how, suffixes=suffixes)
    values = [made[one] if one == other else made[one].combine_first(made[other]) for one, other in pairs]
    order = DataFrame(dict(enumerate(values)))
    rows = order.reset_index(drop=True).sort_values(builtins.list(order.columns)).index
    made = made.reset_index(drop=True).loc[rows].reset_index(drop=True)
    return _filled(made, left, right, pairs, suffixes) if fill_method == "ffill" else made


# Columns of the numbers of rows.
_ROW_OF_LEFT, _ROW_OF_RIGHT = "\0row of left", "\0row of right"


def _filled(made: DataFrame, left: DataFrame, right: DataFrame, pairs: Any, suffixes: Any) -> DataFrame:
    """The rows of a join, of which those that a frame does not have take its values of the row before."""
    shared = [one for one, other in pairs if one == other]
    rows = made[[_ROW_OF_LEFT, _ROW_OF_RIGHT]].ffill()
    columns = {label: made[label] for label in made.columns if label not in (_ROW_OF_LEFT, _ROW_OF_RIGHT)}
    for frame, other, row, suffix in ((left, right, _ROW_OF_LEFT, suffixes[0]), (right, left, _ROW_OF_RIGHT, suffixes[1])):
        values = rows[[row]].merge(frame.drop(*shared), on=row, how="left")
        for label in frame.columns:
            if label not in shared and label != row:
                columns[f"{label}{suffix or ''}" if label in other else label] = values[label]
    return DataFrame(columns)


def _merged_by(left: DataFrame, right: DataFrame, left_by: Any, right_by: Any, options: Any) -> DataFrame:
    """`merge_ordered` of each group of one side with the other."""
    from .. import _columnade as native

    by = _list(left_by if left_by is not None else right_by)
    grouped = left if left_by is not None else right
    parts = []
    for key in grouped.select(*by).unique().to_dicts():
        rows = grouped
        for label, value in key.items():
            rows = rows[(rows[label] == value).fill_null(False)] if value is not None else rows[rows[label].is_null()]
        rows = rows.drop(columns=[label for label in by if label not in _list(options[0] or [])])
        pair = (rows, right) if left_by is not None else (left, rows)
        on, how, fill_method, suffixes, left_on, right_on = options
        made = merge_ordered(*pair, on, how, fill_method, suffixes, left_on=left_on, right_on=right_on)
        values = {label: Series([value] * builtins.len(made), dtype=grouped[label].dtype) for label, value in key.items()}
        parts.append(made.with_columns(**values))
    made = native.concat(parts, ignore_index=True)
    first = [label for label in grouped.columns if label in made]
    others = [label for label in made.columns if label not in first]
    return made[[*first, *others] if left_by is not None else [*(label for label in left.columns if label in made), *(
        label for label in made.columns if label not in left.columns
    )]]


def _duration(value: Any) -> Any:
    return to_timedelta([value]).to_list()[0] if isinstance(value, str) else value


def infer_freq(index: Index | Series) -> str | None:
    """The frequency of times, or None."""
    return (Index(index) if isinstance(index, Series) else index).inferred_freq


_UNITS = {"D": 86_400_000_000_000, "h": 3_600_000_000_000, "m": 60_000_000_000, "min": 60_000_000_000, "s": 1_000_000_000}
_WORDS = {
    **_UNITS, **dict.fromkeys(("day", "days", "d"), _UNITS["D"]), **dict.fromkeys(("hour", "hours", "hr", "hrs"), _UNITS["h"]),
    **dict.fromkeys(("minute", "minutes"), _UNITS["m"]), **dict.fromkeys(("second", "seconds", "sec"), _UNITS["s"]), "ms": 1_000_000, "us": 1000,
    "ns": 1, **dict.fromkeys(("W", "w"), 7 * _UNITS["D"]),
}
# Units of numbers by the words for them.
_NUMBERS_OF_WORDS = {
    "days": "D", "day": "D", "d": "D", "hours": "h", "hour": "h", "hr": "h", "minutes": "min", "minute": "min",
    "seconds": "s", "second": "s", "sec": "s", "milliseconds": "ms", "millisecond": "ms", "milli": "ms", "millis": "ms", "microseconds": "us", "microsecond": "us",
    "micro": "us", "micros": "us", "nanoseconds": "ns", "nanosecond": "ns", "nano": "ns", "nanos": "ns",
}
_PART = r"\s*([0-9]+(?:\.[0-9]+)?)\s*([A-Za-z]+)"


_ISO = r"([+-]?)P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?"
_SIGNED_CLOCK = r"([+-]?\d+) days? ([+-])(\d{1,2}):(\d{2}):(\d{2}(?:\.\d+)?)"


def _nanoseconds(text: str) -> int | None:
    """Those of text such as "1h 30min", None for what is none."""
    from fractions import Fraction

    found = re.fullmatch(_ISO, text.strip())
    if found and found.end() > 2 and not text.strip().endswith("T"):
        parts = zip(found.groups()[1:], ("W", "D", "h", "min", "s"))
        made = builtins.sum((Fraction(number) * _WORDS[word] for number, word in parts if number), Fraction(0))
        return int(-made if found[1] == "-" else made)
    found = re.fullmatch(_SIGNED_CLOCK, text.strip())
    if found:
        # The days and the clock have signs of their own.
        days, sign, hours, minutes, seconds = found.groups()
        clock = (int(hours) * 60 + int(minutes)) * _WORDS["min"] + int(Fraction(seconds) * _WORDS["s"])
        return int(days) * _WORDS["D"] + (-clock if sign == "-" else clock)
    if re.fullmatch(r"[+-]?\d+", text.strip()):
        return int(text)
    sign, rest, sum_, place = (-1, text.strip()[1:], Fraction(0), 0) if text.strip().startswith("-") else (1, text.strip(), Fraction(0), 0)
    while place < builtins.len(rest):
        part = re.compile(_PART).match(rest, place)
        if part is None or part[2] not in _WORDS:
            return None
        sum_, place = sum_ + Fraction(part[1]) * _WORDS[part[2]], part.end()
    return sign * int(sum_) if place else None


def without_missing(texts: Series) -> Series:
    """Texts with null for those that stand for a missing time in pandas."""
    is_missing = texts.is_in(["", "NaT", "nat", "NAT", "nan", "NaN", "NAN"]).fill_null(False) if texts.dtype == "utf8" else None
    return texts if is_missing is None or not is_missing.any() else texts.mask(is_missing)


def _spans(texts: Series, strict: bool) -> Series:
    """Text as durations: as they are printed, or numbers with units."""
    texts = without_missing(texts)
    found = texts.cast("duration[ns]", strict=False)
    if found.null_count == texts.null_count:
        return found
    read = [None if text is None else _nanoseconds(text) for text in texts.to_list()]
    parts = Series(read, dtype="int64").cast("duration[ns]").with_index(texts.index)
    made = found.combine_first(parts).rename(texts.name)
    # The error of the cast names the row: of what is left, since it does not know all that is read here.
    return texts.where(made.is_null()).cast("duration[ns]") if strict and made.null_count > texts.null_count else made


def microseconds(operation: str, numbers: Series, length: int, unit: str) -> Series:
    """Whole numbers of a unit of some microseconds in microseconds."""
    most = (2**63 - 1) // length
    if not numbers.between(-most, most).fill_null(True).all():
        reason = f"numbers of the unit {unit!r} go from {-most} to {most}: others do not fit 64 bits of microseconds"
        raise _error("OverflowError", operation, reason)
    return numbers * length


def to_timedelta(arg: Any, unit: str | None = None, errors: str = "raise") -> Series:
    """Strings, or numbers of a unit, as durations; errors="coerce" makes strings that cannot be read null."""
    operation = "to_timedelta"
    if errors not in ("raise", "coerce"):
        raise _error("ValueError", operation, 'errors is "raise" or "coerce"')
    from .._times.offsets import _exact_list

    exact = _exact_list(arg) if isinstance(arg, (builtins.list, tuple)) else None
    data = _series(arg) if exact is None else exact
    if not data.dtype.is_numeric:
        if builtins.str(data.dtype).startswith("duration"):
            return data
        with under(operation):
            made = _spans(data, errors == "raise")
        # As in pandas, those of text have microseconds, unless one is not whole there.
        return made if (made.cast("int64") % 1000 != 0).any() else made.cast("duration[us]")
    unit = "ns" if unit is None else unit
    if unit not in _UNITS and unit not in ("ms", "us", "ns"):
        raise _error("ValueError", operation, 'numbers have a unit: "D", "h", "min", "s", "ms", "us" or "ns"')
    if "int" in builtins.str(data.dtype):
        data = data.cast("int64")
        if unit in ("us", "ns"):
            return data.cast(f"duration[{unit}]")
        return microseconds(operation, data, 1000 if unit == "ms" else _UNITS[unit] // 1000, unit).cast("duration[us]")
    length = _UNITS.get(unit, {"ms": 1_000_000, "us": 1000, "ns": 1}.get(unit, 1))
    return (data * length).round(0).cast("int64").cast("duration[ns]")


def _flat(record: dict[Any, Any], prefix: str, sep: str, levels: int | None) -> dict[str, Any]:
    made = {}
    # Those of the outermost record stand before what is within others, as in pandas.
    items = builtins.list(record.items())
    if not prefix:
        items.sort(key=lambda item: isinstance(item[1], dict) and levels != 0)
    for key, value in items:
        label = f"{prefix}{sep}{key}" if prefix else builtins.str(key)
        if isinstance(value, dict) and levels != 0:
            made.update(_flat(value, label, sep, None if levels is None else levels - 1))
        else:
            made[label] = value
    return made


def _at(record: Any, path: Any, errors: str = "raise") -> Any:
    for key in _list(path):
        if not isinstance(record, dict) or key not in record:
            if errors == "ignore":
                return None
            raise _error("KeyError", "json_normalize", f"there is no {key!r} in a record")
        record = record[key]
    return record


def json_normalize(
    data: dict[Any, Any] | Iterable[dict[Any, Any]], record_path: Any = None, meta: Any = None, sep: str = ".",
    max_level: int | None = None, *, meta_prefix: str | None = None, record_prefix: str | None = None, errors: str = "raise",
) -> DataFrame:
    """A frame of records as JSON has them, with a column for each value within others: `{"a": {"b": 1}}` has column `a.b`. Of a
    `record_path` the records are those of a list in each, with values of `meta` beside them, which errors="ignore" makes null where
    they are not there. `meta_prefix` and `record_prefix` stand before their labels.
    """
    for name, value in (("record_path", record_path), ("meta", meta)):
        if value is not None and not isinstance(value, (str, int, builtins.list)):
            raise _error("TypeError", "json_normalize", f"{name} is a name or a list of names, not {value!r}")
    if errors not in ("raise", "ignore"):
        raise _error("ValueError", "json_normalize", 'errors is "raise" or "ignore"')
    records = [data] if isinstance(data, dict) else builtins.list(data)
    if any(not isinstance(record, dict) for record in records):
        raise _error("TypeError", "json_normalize", "records are dictionaries")
    rows: list[tuple[dict[str, Any], dict[str, Any]]] = []
    before, within = meta_prefix or "", record_prefix or ""
    for record in records:
        if record_path is None:
            rows.append((_flat(record, "", sep, max_level), {}))
            continue
        paths = _list([] if meta is None else meta)
        beside = {before + sep.join(map(builtins.str, _list(path))): _at(record, path, errors) for path in paths}
        for part in _at(record, record_path):
            part = part if isinstance(part, dict) else {0: part}
            flat = _flat(part, "", sep, max_level)
            rows.append(({f"{within}{label}": value for label, value in flat.items()} if within else flat, beside))
    parts = dict.fromkeys(label for flat, _ in rows for label in flat)
    both = [label for label in parts if any(label in beside for _, beside in rows)]
    if both:
        raise _error("ValueError", "json_normalize", f"{both[0]!r} is of records and of meta: give meta_prefix or record_prefix")
    labels = [*parts, *dict.fromkeys(label for _, beside in rows for label in beside if label not in parts)]
    return DataFrame.from_records([{**flat, **beside} for flat, beside in rows], columns=labels)
