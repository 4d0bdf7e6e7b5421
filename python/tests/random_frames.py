"""Frames of random values, and comparisons of results with naive ones and with those of pandas and Polars.

`COLUMNADE_TEST_SEED` is the first seed, `COLUMNADE_TEST_ROUNDS` the number of cases of each operation.
"""

import datetime as dt
import math
import os
import random

import columnade as cn
import numpy as np
import pandas as pd
import polars as pl

SEED = int(os.environ.get("COLUMNADE_TEST_SEED", "0"))
ROUNDS = int(os.environ.get("COLUMNADE_TEST_ROUNDS", "12"))
SIZES = [0, 1, 2, 3, 5, 8, 17, 31, 32, 33, 63, 64, 65, 100, 129, 257]
WORDS = [
    "", "a", "b", "Zürich", "straße", "ÅNGSTRÖM", "a b", " x ", "foo-bar-baz", "0012", "-7", "tea\ttime", "日本語", "é", "ABC",
    "abc", "aXbXc", "🙂🙃", "\n",
]
# What Polars calls the dtypes.
DTYPES = {
    "int8": pl.Int8, "int16": pl.Int16, "int32": pl.Int32, "int64": pl.Int64, "uint8": pl.UInt8, "uint16": pl.UInt16,
    "uint32": pl.UInt32, "uint64": pl.UInt64, "float32": pl.Float32, "float64": pl.Float64, "bool": pl.Boolean,
    "utf8": pl.String, "date32": pl.Date, "timestamp[us]": pl.Datetime("us"), "duration[us]": pl.Duration("us"),
}
INTS = [name for name in DTYPES if "int" in name]
FLOATS = ["float32", "float64"]


class Values:
    """Random values of a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def size(self, most=len(SIZES)):
        return self.random.choice(SIZES[:most])

    def of(self, dtype, rows, small=False, special=True):
        """Values of a dtype, none, some or all of them null; `small` ones repeat, and `special` floats are infinite or NaN."""
        choose = self.random
        share = choose.choice([0, 0, 0.1, 0.5, 1.0] if choose.random() < 0.3 else [0, 0.2])
        return [None if choose.random() < share else self.one(dtype, small, special) for _ in range(rows)]

    def one(self, dtype, small, special):
        choose = self.random
        if "int" in dtype:
            bits = int(dtype.split("int")[1])
            low, high = (0, 2**bits - 1) if dtype[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            if not small and choose.random() < 0.05:
                return choose.choice([low, high])
            return choose.randint(max(low, -5), 6) if small else choose.randint(max(low, -50), 50)
        if dtype == "float32":
            return float(np.float32(round(choose.uniform(-50, 50), 2)))
        if dtype == "float64":
            if small:
                return choose.choice([0.0, 0.5, -1.5, 2.0, 3.25])
            if special and choose.random() < 0.12:
                return choose.choice([math.nan, math.inf, -math.inf, -0.0, 0.0, 1e300, 5e-324])
            return round(choose.uniform(-50, 50), 3)
        if dtype == "bool":
            return choose.random() < 0.5
        if dtype == "utf8":
            return choose.choice(["a", "b", "ç", "dd"] if small else WORDS)
        if dtype == "date32":
            return dt.date(1970, 1, 1) + dt.timedelta(days=choose.randint(0, 5) if small else choose.randint(-40_000, 40_000))
        if dtype == "timestamp[us]":
            if small:
                return dt.datetime(2024, 1, 1, choose.randint(0, 23))
            micros = choose.choice([0, 1, 999_999, 123_456])
            return dt.datetime(1970, 1, 1) + dt.timedelta(seconds=choose.randint(-(3 * 10**9), 3 * 10**9), microseconds=micros)
        return dt.timedelta(days=choose.randint(-3, 3), seconds=choose.randint(0, 86_399), microseconds=choose.choice([0, 5]))

    def columns(self, dtypes, rows, **options):
        return {label: (self.of(dtype, rows, **options), dtype) for label, dtype in dtypes.items()}


def ours_of(columns):
    return cn.DataFrame({label: cn.Series(values, dtype=dtype) for label, (values, dtype) in columns.items()})


def polars_of(columns):
    return pl.DataFrame({label: pl.Series(label, values, dtype=DTYPES[dtype]) for label, (values, dtype) in columns.items()})


def pandas_of(columns):
    """A frame of pandas on dtypes of Arrow, which have nulls."""
    names = {"float64": "double", "utf8": "string", "bool": "bool", "date32": "date32"}
    return pd.DataFrame({
        label: pd.Series(values, dtype=f"{names.get(dtype, dtype)}[pyarrow]") for label, (values, dtype) in columns.items()
    })


def is_same(left, right, rel=1e-9, absolute=1e-12):
    if left is None or right is None:
        return left is right
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        return len(left) == len(right) and all(is_same(*pair, rel, absolute) for pair in zip(left, right))
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    if isinstance(left, float) or isinstance(right, float):
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return left == right or abs(left - right) <= rel * max(abs(left), abs(right)) + absolute
    return left == right


def plain(values):
    """Values of a series of any library as Python has them, NA and NaT as None."""
    if not isinstance(values, (pd.Series, pd.Index)):
        return values if isinstance(values, list) else values.to_list()
    convert = {pd.Timestamp: pd.Timestamp.to_pydatetime, pd.Timedelta: pd.Timedelta.to_pytimedelta}
    return [
        None if value is pd.NA or value is pd.NaT or value is None else convert.get(type(value), lambda value: value)(value)
        for value in values.tolist()
    ]


def without_nan(values):
    """NaN as None, where pandas has NaN for null; numbers as floats."""
    return [None if value is None or value != value else float(value) for value in plain(values)]


def null(values):
    """Values of pandas, None for NaN, which stands for null in columns that alignment adds."""
    return [None if isinstance(value, float) and value != value else value for value in plain(values)]


def check(ours, theirs, what, rel=1e-9, absolute=1e-12):
    """Values, and of frames the labels of columns, are equal; floats up to rounding."""
    if isinstance(ours, (cn.DataFrame, dict)):
        ours = ours.to_dict() if isinstance(ours, cn.DataFrame) else ours
        theirs = theirs.to_dict(as_series=False) if isinstance(theirs, pl.DataFrame) else theirs
        assert list(ours) == list(theirs), f"{what}: columns"
        for label in ours:
            check(ours[label], theirs[label], f"{what}[{label!r}]", rel, absolute)
        return
    ours, theirs = plain(ours), plain(theirs)
    assert len(ours) == len(theirs), f"{what}: {len(ours)} rows, expected {len(theirs)}"
    for row, pair in enumerate(zip(ours, theirs)):
        assert is_same(*pair, rel, absolute), f"{what}: row {row}: {pair[0]!r}, expected {pair[1]!r}"


def check_labelled(ours, theirs, what):
    """A frame or a series and one of pandas: labels of rows and columns, and values."""
    check(ours.index.to_list(), plain(theirs.index), f"{what}: row labels")
    if isinstance(theirs, pd.Series):
        check(ours, null(theirs), what)
        return
    assert ours.columns == list(theirs.columns), f"{what}: columns"
    for at, label in enumerate(theirs.columns):
        check(ours[label], null(theirs.iloc[:, at]), f"{what}[{label!r}]")


def both(ours, theirs, what):
    """Two calls that give the same, or are both refused; here with an exception of this package or of Python's own."""
    try:
        expected = theirs()
    except Exception:
        try:
            made = ours()
        except cn.InternalError:
            raise
        except (cn.ColumnadeError, TypeError, ValueError, KeyError, IndexError, OverflowError):
            return
        raise AssertionError(f"{what}: refused by pandas, here\n{made}")
    made = ours()
    if isinstance(expected, (pd.DataFrame, pd.Series)):
        check_labelled(made, expected, what)
    else:
        check([made], pd.Series([expected], dtype=object), what)
