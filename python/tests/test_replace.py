"""`replace` of series by whole values: what is replaced, by dtype, as pandas and as the expression have it."""

import datetime as dt
from decimal import Decimal as D

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import ours, same

NAN = float("nan")
SERIES = {
    "int64": lambda: cn.Series([1, None, 2]), "float64": lambda: cn.Series([1.0, NAN, None]), "bool": lambda: cn.Series([True, None, False]),
    "utf8": lambda: cn.Series(["a", None, "b"]), "decimal": lambda: cn.Series([D("1.5"), None, D("2.50")]),
    "dictionary of text": lambda: cn.Series(["a", None, "b", "a"]).cat.encode(),
    "ordered": lambda: cn.Series(["a", None, "b", "a"]).cat.encode().cat.as_ordered(),
    "dictionary of int64": lambda: cn.Series([1, None, 2]).cast("dictionary<int8, int64>"),
    "dictionary of float64": lambda: cn.Series([1.0, NAN, None]).cast("dictionary<int8, float64>"),
    "timestamp": lambda: cn.Series([dt.datetime(2024, 1, 1), None]), "date": lambda: cn.Series([dt.date(2024, 1, 1), None]),
    "duration": lambda: cn.Series([dt.timedelta(1), None]), "zoned": lambda: cn.Series([dt.datetime(2024, 1, 1)]).dt.tz_localize("UTC"),
    "binary": lambda: cn.Series([b"a", None]), "time": lambda: cn.Series([dt.time(1), None]), "null": lambda: cn.Series([None, None]),
}
NUMBERS = [{1: 5}, {1: None}, {None: 1}, {1: 5, None: 1}, {1: 2, 2: 1}, {1.0: 9}, {pd.NA: 5}, {pd.NaT: 5}, {np.int64(1): 5}]
TEXT = [{"a": "zz"}, {"a": "b", None: "q"}, {"a": None}, {None: "zz", "b": "a"}, {pd.NA: "x"}]
MATCHING = {
    "int64": NUMBERS, "float64": [*NUMBERS, {NAN: 5.0}, {NAN: 5.0, None: 1.0}, {1.0: 1.5}], "dictionary of int64": NUMBERS,
    "dictionary of float64": [*NUMBERS, {NAN: 5.0}, {NAN: 5.0, None: 1.0}], "utf8": TEXT, "dictionary of text": TEXT, "ordered": TEXT,
    "decimal": [{D("1.5"): D("9.9")}, {D("1.5"): None}, {1.5: 2}, {None: D("0.5")}, {D("1.5"): D("2.5"), None: 1}],
    "bool": [{True: False}, {None: True}, {True: False, False: True}],
    "timestamp": [{dt.datetime(2024, 1, 1): dt.datetime(2025, 1, 1)}, {"2024-01-01": None}, {None: dt.datetime(2025, 1, 1)}],
    "date": [{dt.date(2024, 1, 1): dt.date(2025, 1, 1)}, {None: dt.date(2025, 1, 1)}],
    "duration": [{dt.timedelta(1): dt.timedelta(2)}, {None: dt.timedelta(2)}], "binary": [{b"a": b"b"}], "time": [{dt.time(1): dt.time(2)}],
}
# Old values that a column of the dtype does not have, whatever Python says of 1 and True.
OTHERS = {
    "int64": [{True: 9}, {"a": 1}, {NAN: 5.5}, {D("1"): 9}, {dt.date(2024, 1, 1): 1}, {b"a": 1}, {3: "x"}], "float64": [{True: 9}, {"a": 1}, {3: "x"}],
    "bool": [{1: 5}, {1.0: 9}, {"a": False}], "utf8": [{1: 5}, {True: 9}, {NAN: 5.0}, {dt.date(2024, 1, 1): "x"}, {"q": 1}],
    "timestamp": [{1: 5}, {"a": None}, {dt.date(2024, 1, 1): None}, {dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc): None}],
    "date": [{dt.datetime(2024, 1, 1): None}, {"2024-01-01": None}], "zoned": [{dt.datetime(2024, 1, 1): None}, {None: 1}],
    "duration": [{1: None}, {dt.datetime(2024, 1, 1): None}], "decimal": [{"1.5": 1}, {True: 1}], "dictionary of int64": [{True: 9}, {"1": 2}],
    "null": [{1: 2}, {None: None}, {"a": "b"}],
}
ONE_BY_ONE = [(name, pairs) for name, several in MATCHING.items() for pairs in several]


@pytest.mark.parametrize("name, pairs", ONE_BY_ONE)
@pytest.mark.parametrize("device", ["host", "sim"])
def test_series_and_expression(name, pairs, device):
    values = SERIES[name]().rename("v").to_device(device)
    made, expected = values.replace(pairs), values.to_frame().select(cn.col("v").replace(pairs))["v"]
    assert (made.dtype, made.name, made.device) == (expected.dtype, "v", values.device)
    assert repr(made.to_list()) == repr(expected.to_list()) and repr(made.to_list()) != repr(values.to_list())


@pytest.mark.parametrize("name, pairs", [(name, pairs) for name, several in OTHERS.items() for pairs in several])
def test_others_stay(name, pairs):
    values = SERIES[name]()
    made = values.replace(pairs)
    assert made.dtype == values.dtype and repr(made.to_list()) == repr(values.to_list())


PANDAS = {
    "int64": pd.Series([1, 3, 2], index=list("abc")), "float64": pd.Series([1.0, None, 2.5]), "utf8": pd.Series(["a", None, "b"], name="w"),
    "timestamp": pd.Series(pd.to_datetime(["2024-01-01", None])), "duration": pd.Series(pd.to_timedelta([1, 2], unit="D")),
    "bool": pd.Series([True, False]), "decimal": pd.Series([D("1.5"), D("2.5")]),
}


@pytest.mark.parametrize("name, pairs", [
    ("int64", {1: 5}), ("int64", {True: 7}), ("int64", {1: 3, 3: 1}), ("int64", {5: "x"}), ("int64", {"a": 1}), ("int64", {1: 1.5}),
    ("float64", {1.0: None}), ("float64", {D("2.5"): 7}), ("float64", {1: 2.5, 2.5: 1}), ("utf8", {None: "x"}),
    ("utf8", {pd.NaT: "x"}), ("utf8", {1: 2}), ("utf8", {"a": "b", "b": "a"}), ("timestamp", {"2024-01-01": None}),
    ("timestamp", {dt.date(2024, 1, 1): None}), ("timestamp", {None: pd.Timestamp("2025-01-01")}),
    ("timestamp", {pd.Timestamp("2024-01-01"): pd.Timestamp("2025-01-01")}), ("duration", {dt.timedelta(1): dt.timedelta(5)}),
    ("bool", {1: 7}), ("bool", {True: False}), ("decimal", {D("1.5"): D("9.9")}), ("decimal", {D("1.5"): None}), ("decimal", {1.5: D("7.0")}),
])
def test_as_pandas(name, pairs):
    same(ours(PANDAS[name]).replace(pairs), PANDAS[name].replace(pairs))


def test_lists_and_nulls():
    assert cn.Series([D("1.5"), None]).replace(D("1.5"), D("9.9")).to_list() == [D("9.9"), None]
    assert cn.Series([1, 2, 1]).replace([1, 1], [5, 6]).to_list() == pd.Series([1, 2, 1]).replace([1, 1], [5, 6]).tolist()
    made = cn.Series([None, None], name="n", index=["a", "b"]).replace({None: 1})
    assert (made.to_list(), str(made.dtype), made.name, made.index.to_list()) == ([1, 1], "int64", "n", ["a", "b"])
    frame = cn.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert frame.replace({None: "y"}).to_dict() == {"a": [1, 2], "b": ["x", "y"]}


@pytest.mark.parametrize("pairs, kind, words", [
    ({1: True}, TypeError, "replace: True is no number, and the column has dtype int64"),
    ({None: False}, TypeError, "replace: False is no number"), ({1: "x"}, ValueError, 'replace: .*"x" does not fit int64'),
])
def test_refused(pairs, kind, words):
    with pytest.raises(kind, match=words) as error:
        SERIES["int64"]().replace(pairs)
    assert isinstance(error.value, cn.ColumnadeError) and error.value.operation == "replace"
