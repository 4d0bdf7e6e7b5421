"""The same call on this library and on pandas: values, dtypes, labels and names of what both give."""

import collections
import dataclasses
import datetime
import decimal
import math
import re

import columnade as cn
import numpy as np
import pandas as pd
import pytest

Point = collections.namedtuple("Point", "x y")
TIMES = [datetime.datetime(2024, *day) for day in ((1, 1), (1, 15), (2, 1), (2, 20), (3, 5))]
# The names of dtypes in pandas: those that are not here are objects.
DTYPES = {
    r"u?int\d+|float\d+|bool": r"\g<0>", r"timestamp\[(.+)\]": r"datetime64[\1]", r"duration\[(.+)\]": r"timedelta64[\1]",
    r"utf8": "str", r"dictionary<.*>": "category",
}


@dataclasses.dataclass
class Item:
    x: int
    y: str


def shared(library):
    """What calls of text may use: frames `f`, `g` (a label twice), `m`, `m3` (levels), `num` (nulls), and series of these."""
    times = (lambda values: pd.DatetimeIndex(values)) if library is pd else (lambda values: cn.Index(cn.Series(values).cast("timestamp[us]")))
    frame, series, index = library.DataFrame, library.Series, library.Index
    mixed = [TIMES[at] for at in (2, 0, 4, 1, 3)]
    f = frame({"x": [1, 2, 3, 4], "y": ["p", "q", "r", "t"]}, index=index(["a", "b", "c", "d"]))
    levels = library.MultiIndex.from_tuples
    return {
        "L": library, "F": frame, "S": series, "N": index, "TI": times, "T": TIMES, "np": np, "dt": datetime.datetime,
        "D": decimal.Decimal, "Point": Point, "Item": Item, "collections": collections, "f": f, "s": f["x"],
        "g": frame({"x": [1, 2, 3, 4], "y": ["p", "q", "r", "t"]}, index=index(["a", "b", "a", "d"])),
        "num": frame({"x": [1.5, 2.5, None], "z": [4.0, None, 6.0]}, index=index(["a", "b", "c"])),
        "m": frame({"x": [1, 2, 3, 4], "y": [5, 6, 7, 8]}, index=levels([("a", 1), ("a", 2), ("b", 1), ("b", 2)], names=["k", "l"])),
        "m3": frame(
            {"x": [1, 2, 3, 4], "y": [5, 6, 7, 8]},
            index=levels([("a", 1, "u"), ("a", 2, "u"), ("b", 1, "v"), ("b", 2, "v")], names=["k", "l", "m"]),
        ),
        "t": series([1, 2, 3, 4, 5], index=times(TIMES)), "tu": series([1, 2, 3, 4, 5], index=times(mixed)),
        "ft": frame({"v": [1, 2, 3, 4, 5]}, index=times(TIMES)), "ftu": frame({"v": [1, 2, 3, 4, 5]}, index=times(mixed)),
        "th": series([1, 2, 3], index=times([datetime.datetime(2024, 1, 1, 5), datetime.datetime(2024, 1, 1, 6), datetime.datetime(2024, 1, 2, 5)])),
        "i": series([10, 20, 30], index=index([3, 1, 2])), "fi": frame({"x": [1, 2, 3]}),
    }


def library_of(value):
    """The module whose class a frame, a series or an index has."""
    return cn if isinstance(value, (cn.DataFrame, cn.Series, cn.Index)) else pd


def ours(value):
    """A frame, a series or an index of pandas as ours, with null for what is missing."""
    made = cn.from_pandas(value) if isinstance(value, (pd.DataFrame, pd.Series, pd.Index)) else value
    if isinstance(made, cn.Index) and made.nlevels == 1 and str(made.dtype).startswith("float"):
        return cn.Index(made.to_series().nan_to_null()).rename(made.name)
    if isinstance(made, cn.Series):
        return made.nan_to_null() if str(made.dtype).startswith("float") else made
    if isinstance(made, cn.DataFrame):
        floats = [label for label, dtype in made.dtypes.items() if str(dtype).startswith("float")]
        return made.with_columns(*[cn.col(label).nan_to_null().alias(label) for label in floats]) if floats else made
    return made


def plain(value):
    """A value as Python has it, None for what is missing."""
    if isinstance(value, (pd.Interval, cn.Interval)):
        return "interval", plain(value.left), plain(value.right), value.closed
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    if isinstance(value, (list, np.ndarray)):
        return [plain(part) for part in value]
    if isinstance(value, slice):
        return "slice", plain(value.start), plain(value.stop), plain(value.step)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    if isinstance(value, pd.Timedelta):
        # Rounded down, as here.
        return datetime.timedelta(microseconds=value.value // 1000) if value.unit == "ns" else value.to_pytimedelta()
    missing = value is None or value is pd.NA or value is pd.NaT or isinstance(value, float) and math.isnan(value)
    return None if missing else value


def values(of):
    """The values of a series or an index."""
    return [plain(value) for value in (of.to_list() if isinstance(of, (cn.Series, cn.Index)) else of.tolist())]


def is_equal(made, expected, rtol, atol):
    """Whether plain values are equal, numbers within a tolerance. A boolean is no number."""
    if isinstance(made, (list, tuple)) and type(made) is type(expected):
        return len(made) == len(expected) and all(is_equal(one, other, rtol, atol) for one, other in zip(made, expected))
    if isinstance(made, bool) != isinstance(expected, bool):
        return False
    if (rtol or atol) and isinstance(made, (int, float)) and isinstance(expected, (int, float)):
        return math.isclose(made, expected, rel_tol=rtol, abs_tol=atol)
    return made == expected


def kind(dtype, has_nulls=False):
    """The name in pandas of a dtype of this library: whole numbers with nulls are floats there, and booleans objects."""
    text = str(dtype)
    interval = re.fullmatch(r"interval<(.+), (\w+)>", text)
    if interval:
        return f"interval[{kind(interval[1])}, {interval[2]}]"
    name = next((re.sub(f"^(?:{ours})$", theirs, text) for ours, theirs in DTYPES.items() if re.fullmatch(ours, text)), "object")
    if has_nulls and "int" in name:
        return "float64"
    return "object" if has_nulls and name == "bool" else name


def of_objects(values, has_nulls):
    """The kind of objects that are all of one class, as a dtype of pandas."""
    classes = {type(value) for value in values if value is not None}
    name = {str: "str", int: "int64", float: "float64", bool: "bool"}.get(classes.pop(), "object") if len(classes) == 1 else "object"
    return {"int64": "float64", "bool": "object"}.get(name, name) if has_nulls else name


def kinds(made, expected, values):
    """The names of a dtype of this library and of one of pandas, which agree where the dtypes do."""
    has_nulls, name = None in values, str(expected)
    masked = re.fullmatch("(U?Int|Float)(\\d+)|boolean|string", name)
    if masked:
        return kind(made), {"boolean": "bool", "string": "str"}.get(name, name.lower())
    return kind(made, has_nulls), of_objects(values, has_nulls) if name == "object" else name


class Comparison:
    """What is compared, beside values and labels of rows and columns."""

    def __init__(self, names=True, column_names=True, dtypes=True, label_dtypes=True, whole=False, rtol=1e-12, atol=1e-14):
        self.names, self.column_names, self.dtypes, self.label_dtypes = names, column_names, dtypes, label_dtypes
        self.whole, self.rtol, self.atol = whole, rtol, atol

    def values(self, made, expected, dtypes):
        mine, theirs = values(made), values(expected)
        assert is_equal(mine, theirs, self.rtol, self.atol), (mine, theirs)
        if getattr(made, "nlevels", 1) == 1 and "[ns" in str(made.dtype) and "[ns" in str(expected.dtype):
            # Times of Python have no nanoseconds.
            counts = (made.to_series() if isinstance(made, cn.Index) else made).cast("int64").to_list()
            assert counts == [None if pd.isna(value) else value.value for value in expected], (made, expected)
        # Columns without a value have no kind in pandas.
        if dtypes and any(value is not None for value in theirs):
            mine, theirs = kinds(made.dtype, expected.dtype, theirs)
            is_whole = self.whole and "int" in mine and theirs == "float64"
            assert mine == theirs or is_whole, (made.dtype, expected.dtype)

    def index(self, made, expected):
        assert isinstance(made, cn.Index) and made.nlevels == expected.nlevels, type(made)
        if self.names:
            assert list(made.names) == list(expected.names), (made.names, expected.names)
        self.values(made, expected, self.label_dtypes and made.nlevels == 1)
        for level in range(made.nlevels if made.nlevels > 1 and self.label_dtypes else 0):
            self.values(made.get_level_values(level), expected.get_level_values(level), True)

    def series(self, made, expected):
        assert isinstance(made, cn.Series), type(made)
        self.index(made.index, expected.index)
        self.values(made, expected, self.dtypes)
        if self.names:
            assert plain(made.name) == plain(expected.name), (made.name, expected.name)

    def frame(self, made, expected):
        assert isinstance(made, cn.DataFrame), type(made)
        mine, theirs = plain(list(made.columns)), plain(list(expected.columns))
        assert is_equal(mine, theirs, 0, 0) and list(map(type, mine)) == list(map(type, theirs)), (mine, theirs)
        self.index(made.index, expected.index)
        for at, label in enumerate(made.columns):
            self.values(made.column(label), expected.iloc[:, at], self.dtypes)
        if self.names and self.column_names:
            assert list(made._level_names) == list(expected.columns.names), (made._level_names, expected.columns.names)

    def any(self, made, expected):
        if isinstance(expected, pd.DataFrame):
            self.frame(made, expected)
        elif isinstance(expected, pd.Series):
            self.series(made, expected)
        elif isinstance(expected, pd.Index):
            self.index(made, expected)
        elif isinstance(expected, (tuple, list)):
            assert type(made) is type(expected) and len(made) == len(expected), (made, expected)
            for one, other in zip(made, expected):
                self.any(one, other)
        elif isinstance(expected, dict):
            assert is_equal(plain(list(made)), plain(list(expected)), 0, 0), (made, expected)
            for one, other in zip(made.values(), expected.values()):
                self.any(one, other)
        elif isinstance(expected, np.ndarray):
            mine = values(made) if isinstance(made, (cn.Series, cn.Index)) else plain(list(made))
            assert is_equal(mine, plain(list(expected)), self.rtol, self.atol), (made, expected)
        else:
            assert is_equal(plain(made), plain(expected), self.rtol, self.atol), (made, expected)


def same(made, expected, **options):
    """Asserts that a result is that of pandas: of the same class, with the same values, dtypes, labels and names.

    Options say what differs: names of series and levels (`names=False`), those of levels of columns alone (`column_names=False`), dtypes
    of values or of row labels (`dtypes=False`, `label_dtypes=False`), whole numbers that pandas makes floats (`whole=True`), and numbers by
    more than rounding (`rtol`, `atol`).
    """
    Comparison(**options).any(made, expected)


def made(call, library, inputs):
    if isinstance(call, str):
        return eval(call, shared(library))
    return call(library, **(inputs if library is pd else {name: ours(value) for name, value in inputs.items()}))


def both(call, options=None, **inputs):
    """Makes a call on both libraries and compares the results: a text with the names of `shared`, whose numbers are exact, or a function
    of the library and of inputs of pandas.
    """
    exact = {"rtol": 0, "atol": 0} if isinstance(call, str) else {}
    same(made(call, cn, inputs), made(call, pd, inputs), **exact, **(options or {}))


def both_refuse(call, kind, words, **inputs):
    """pandas refuses a call, and this library too: the kind of its error and what this says."""
    with pytest.raises(Exception):
        made(call, pd, inputs)
    with pytest.raises(kind, match=words) as error:
        made(call, cn, inputs)
    assert isinstance(error.value, cn.ColumnadeError), type(error.value)
