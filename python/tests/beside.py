"""The same call on this library and on pandas: values, dtypes, labels and names of what both give."""

import collections
import dataclasses
import datetime
import decimal

import columnade as cn
import numpy as np
import pandas as pd
import pytest

Point = collections.namedtuple("Point", "x y")
TIMES = [datetime.datetime(2024, *day) for day in ((1, 1), (1, 15), (2, 1), (2, 20), (3, 5))]


@dataclasses.dataclass
class Item:
    x: int
    y: str


def names(library):
    """What calls may use: frames `f`, `g` (a label twice), `m`, `m3` (levels), `num` (nulls), and series of these."""
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


def value(of):
    """A value without the types of numpy and pandas; what is missing is None."""
    if isinstance(of, (tuple, list)):
        return [value(one) for one in of]
    if isinstance(of, np.ndarray):
        return [value(one) for one in of.tolist()]
    of = of.item() if isinstance(of, np.generic) else of.to_pydatetime() if isinstance(of, pd.Timestamp) else of
    return None if of is None or of is pd.NaT or of is pd.NA or of != of else of


def column(of):
    """The values of a column and the kind of its dtype. Whole numbers with null are floats in pandas."""
    values = [value(one) for one in of.to_list()]
    dtype = str(of.dtype)
    if dtype.startswith("int") and None in values:
        dtype = "float64"
    if dtype in ("object", "str", "string", "utf8", "category", "null"):
        dtype = "object"
    # A column of nulls alone has no kind here, and that of objects or of floats in pandas.
    has_kind = any(one is not None for one in values)
    return values, "time" if dtype.startswith(("datetime", "timestamp")) else dtype if has_kind else None


def plain(of):
    """Row labels and their names, columns with their values and dtypes."""
    if isinstance(of, (cn.Series, pd.Series)):
        return "series", value(of.name), value(list(of.index.tolist())), list(of.index.names), column(of)
    if isinstance(of, (cn.DataFrame, pd.DataFrame)):
        return "frame", value(list(of.index.tolist())), list(of.index.names), [(value(label), column(of[label])) for label in of.columns]
    if isinstance(of, (cn.Index, pd.Index)):
        return "index", value(list(of.tolist())), list(of.names)
    return value(of)


def made(call, library):
    return eval(call, names(library))


def same(call):
    ours, theirs = plain(made(call, cn)), plain(made(call, pd))
    assert ours == theirs, f"{call}\n{ours}\n{theirs}"


def both_refuse(call, kind, words):
    """pandas refuses a call, and this library too: the kind of its error and what this says."""
    with pytest.raises(Exception):
        made(call, pd)
    with pytest.raises(kind, match=words) as error:
        made(call, cn)
    assert isinstance(error.value, cn.ColumnadeError), type(error.value)
