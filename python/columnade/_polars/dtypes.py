"""Dtypes of Polars, and types of Python, in place of names of dtypes."""

from __future__ import annotations

import builtins

from .._columnade import DType
from .._common import _error


# What the names of all dtypes of a kind begin with, by types of Polars and Python that have no unit or items.
KINDS = {
    "Datetime": "timestamp", "datetime": "timestamp", "Duration": "duration", "timedelta": "duration", "Time": "time", "time": "time",
    "Categorical": "dictionary", "Enum": "dictionary", "Decimal": "decimal", "List": "list", "list": "list", "Struct": "struct",
}
_NAMES = {
    "String": "utf8", "Utf8": "utf8", "Boolean": "bool", "Date": "date32", "Binary": "binary", "Null": "null", "Categorical": "category",
    "Datetime": "timestamp[us]", "Duration": "duration[us]", "Time": "time64[ns]", "Decimal": "decimal(38,0)",
}


def is_of_polars(value):
    """Whether a value is a dtype of Polars, which is a class or an instance of one."""
    kind = value if isinstance(value, type) else type(value)
    return kind.__module__.partition(".")[0] == "polars" and hasattr(kind, "is_numeric")


def as_dtype(value):
    """A dtype of Polars as a name; anything else stays as it is."""
    if not is_of_polars(value):
        return value
    name = value.__name__ if isinstance(value, type) else type(value).__name__
    if not isinstance(value, type):
        if name == "Enum":
            raise _error("NotImplementedError", "dtype", f"{value!r}: columns have their own categories; cast to \"category\", and see cat.set_categories")
        if name == "Datetime":
            zone = "" if value.time_zone is None else f", {value.time_zone}"
            return f"timestamp[{value.time_unit}{zone}]"
        if name == "Duration":
            return f"duration[{value.time_unit}]"
        if name == "Decimal":
            return f"decimal({38 if value.precision is None else value.precision},{value.scale})"
        if name in ("Enum", "List", "Array"):
            return f"list<{DType(as_dtype(value.inner))}>"
        if name == "Struct":
            return "struct<" + ", ".join(f"{field.name}: {DType(as_dtype(field.dtype))}" for field in value.fields) + ">"
    if name in _NAMES:
        return _NAMES[name]
    if name in ("Enum", "List", "Array", "Struct", "Object", "Unknown", "Int128", "UInt128", "Float16"):
        raise _error("NotImplementedError", "dtype", f"{value!r} is no dtype here: there is no such one, or what it is of is missing")
    return name.lower()


def with_dtypes(value):
    """Dtypes of Polars, also in dictionaries and lists, as names."""
    if isinstance(value, dict):
        return {key: with_dtypes(one) for key, one in value.items()}
    if type(value) in (builtins.list, tuple):
        return type(value)(with_dtypes(one) for one in value)
    return as_dtype(value)
