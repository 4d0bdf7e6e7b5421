"""Kinds of row labels under the names of pandas: the same calls on both."""

import datetime as dt

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

KINDS = ("RangeIndex", "DatetimeIndex", "TimedeltaIndex", "CategoricalIndex", "IntervalIndex", "MultiIndex")
DAYS = ["2024-01-01", "2024-01-02", "2024-01-03"]
TIMES = [dt.datetime(2024, 3, day) for day in (29, 30, 31)]
SPANS = [dt.timedelta(days=day) for day in (1, 2, 3)]


CALLS = {
    "range of a stop": lambda m: m.RangeIndex(5, name="q"), "range of bounds": lambda m: m.RangeIndex(2, 11, 4),
    "range backwards": lambda m: m.RangeIndex(5, 0, -2), "range of a range": lambda m: m.RangeIndex(range(1, 7, 3)),
    "range of labels": lambda m: m.RangeIndex(m.RangeIndex(3, name="k")), "range of start": lambda m: m.RangeIndex(start=2, stop=4),
    "from_range": lambda m: m.RangeIndex.from_range(range(3), name="k"), "empty range": lambda m: m.RangeIndex(0),
    "times of text": lambda m: m.DatetimeIndex(DAYS, name="t"), "times": lambda m: m.DatetimeIndex(TIMES),
    "times at a frequency": lambda m: m.DatetimeIndex(DAYS, freq="D"), "no frequency": lambda m: m.DatetimeIndex(DAYS, freq=None),
    "inferred frequency": lambda m: m.DatetimeIndex(DAYS, freq="infer"), "local times": lambda m: m.DatetimeIndex(TIMES, tz="Europe/Berlin"),
    "local times at a frequency": lambda m: m.DatetimeIndex(TIMES, tz="Europe/Berlin", freq="D"),
    "times of a zone": lambda m: m.DatetimeIndex(["2024-01-01T12:00+00:00", "2024-07-01T12:00+00:00"], tz="Europe/Berlin"),
    "times of an array": lambda m: m.DatetimeIndex(np.array(DAYS, dtype="M8[s]")), "numbers": lambda m: m.DatetimeIndex([0, 10**9]),
    "times of labels": lambda m: m.DatetimeIndex(m.DatetimeIndex(DAYS, freq="D", name="t")),
    "times of a series": lambda m: m.DatetimeIndex(m.Series(TIMES, name="s")), "days first": lambda m: m.DatetimeIndex(["02/01/2024"], dayfirst=True),
    "times with a null": lambda m: m.DatetimeIndex([TIMES[0], None]), "unit": lambda m: m.DatetimeIndex(DAYS, dtype="datetime64[ns]"),
    "zone in the dtype": lambda m: m.DatetimeIndex(DAYS, dtype="datetime64[ns, UTC]"), "no times": lambda m: m.DatetimeIndex([]),
    "months": lambda m: m.DatetimeIndex(["2024-01-31", "2024-02-29", "2024-03-31"], freq="ME"),
    "spans": lambda m: m.TimedeltaIndex(SPANS, name="d"), "spans of text": lambda m: m.TimedeltaIndex(["1 days", "36 hours"]),
    "spans at a frequency": lambda m: m.TimedeltaIndex(SPANS, freq="D"), "numbers of spans": lambda m: m.TimedeltaIndex([1000, 2000]),
    "unit of spans": lambda m: m.TimedeltaIndex(SPANS, dtype="timedelta64[ms]"), "no spans": lambda m: m.TimedeltaIndex([]),
    "categories": lambda m: m.CategoricalIndex(["b", "a", "b"], name="c"), "known": lambda m: m.CategoricalIndex(["b", "a"], categories=["b", "a", "z"]),
    "ordered": lambda m: m.CategoricalIndex(["b", "a"], categories=["b", "a"], ordered=True), "no categories": lambda m: m.CategoricalIndex([]),
    "dtype of categories": lambda m: m.CategoricalIndex(["b", "a"], dtype=pd.CategoricalDtype(["b", "a"], ordered=True)),
    "categories of numbers": lambda m: m.CategoricalIndex([3, 1, 3]), "with a null": lambda m: m.CategoricalIndex(["b", None, "a"]),
    "labels of categories": lambda m: m.CategoricalIndex(m.CategoricalIndex(["b", "a"], categories=["b", "a"], name="c")),
    "numbers of categories": lambda m: m.CategoricalIndex([3, 1, 3], categories=[3, 1, 2]),
    "intervals": lambda m: m.IntervalIndex([m.Interval(1, 2, "right"), m.Interval(2, 5, "right")], name="i"),
    "closed": lambda m: m.IntervalIndex([m.Interval(1, 2, "right")], closed="left"),
    "breaks": lambda m: m.IntervalIndex.from_breaks([0, 1, 3], closed="both", name="i"),
    "ends": lambda m: m.IntervalIndex.from_arrays([1, 2], [2, 3], "left"), "pairs": lambda m: m.IntervalIndex.from_tuples([(1, 2), (2.5, 3)]),
    "levels": lambda m: m.MultiIndex(levels=[["a", "b"], [1, 2]], codes=[[0, 1, 0], [1, 0, 0]], names=["x", "y"]),
    "null levels": lambda m: m.MultiIndex([["a", "b"], [1, 2]], [[0, -1, 1], [-1, -1, 1]]),
    "arrays": lambda m: m.MultiIndex.from_arrays([["a", "b"], np.array([1, 2])], names=("x", "y")),
    "arrays with names": lambda m: m.MultiIndex.from_arrays([m.Series([1, 2], name="p"), m.Index(["a", "b"], name="q")]),
    "tuples": lambda m: m.MultiIndex.from_tuples([(1, "a"), (2, "b")], names=["x", None]),
    "product": lambda m: m.MultiIndex.from_product([[1, 2], m.Index(["a", "b"], name="q")]),
    "frame": lambda m: m.MultiIndex.from_frame(m.DataFrame({"p": [1, 2], "q": ["a", "b"]})),
    "frame with names": lambda m: m.MultiIndex.from_frame(m.DataFrame({"p": [1, 2], "q": ["a", "b"]}), names=["r", "s"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_constructors_are_those_of_pandas(device, name):
    made, expected = CALLS[name](cn), CALLS[name](pd)
    same(made, expected)
    for kind in KINDS:
        assert isinstance(made, getattr(cn, kind)) == isinstance(expected, getattr(pd, kind)), kind
    if isinstance(made, (cn.DatetimeIndex, cn.TimedeltaIndex)):
        assert made.freq == (expected.freqstr if name != "inferred frequency" else expected.inferred_freq)
    if isinstance(made, cn.DatetimeIndex):
        assert made.tz == (None if expected.tz is None else str(expected.tz))
    if name in ("unit", "zone in the dtype", "unit of spans"):
        assert made.unit == expected.unit
    if isinstance(made, cn.CategoricalIndex):
        assert made.to_series().cat.categories().to_list() == expected.categories.tolist() and made.ordered == expected.ordered


REFUSED = {
    "no bounds": lambda m: m.RangeIndex(), "a step of 0": lambda m: m.RangeIndex(0, 10, 0), "a fraction": lambda m: m.RangeIndex(1.5),
    "another dtype": lambda m: m.RangeIndex(3, dtype="float64"), "a list as a range": lambda m: m.RangeIndex.from_range([1]),
    "no data": lambda m: m.DatetimeIndex(), "one text": lambda m: m.DatetimeIndex("2024"), "text that is no time": lambda m: m.DatetimeIndex(["x"]),
    "another frequency": lambda m: m.DatetimeIndex(["2024-01-01", "2024-01-03"], freq="D"),
    "two zones": lambda m: m.DatetimeIndex(DAYS, tz="UTC", dtype="datetime64[ns, Europe/Berlin]"),
    "another frequency of spans": lambda m: m.TimedeltaIndex(["1 days", "3 days"], freq="D"),
    "dtype and categories": lambda m: m.CategoricalIndex(["a"], categories=["a"], dtype=pd.CategoricalDtype(["a"])),
    "numbers as intervals": lambda m: m.IntervalIndex([1, 2]), "ends of two lengths": lambda m: m.IntervalIndex.from_arrays([1], [2, 3]),
    "triples": lambda m: m.IntervalIndex.from_tuples([(1, 2, 3)]), "no levels": lambda m: m.MultiIndex(),
    "a code too high": lambda m: m.MultiIndex(levels=[["a"]], codes=[[0, 1]]),
    "codes of two lengths": lambda m: m.MultiIndex(levels=[["a"], ["b"]], codes=[[0, 0], [0]]),
    "levels without codes": lambda m: m.MultiIndex(levels=[["a"], ["b"]], codes=[[0]]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_pandas_refuses_is_a_typed_error(name):
    with pytest.raises((TypeError, ValueError)):
        REFUSED[name](pd)
    with pytest.raises((cn.ColumnTypeError, cn.ColumnValueError)) as error:
        REFUSED[name](cn)
    assert error.value.operation


def test_instances_are_of_their_kind_and_no_other():
    index = cn.Index([1, 2])
    assert not any(isinstance(index, getattr(cn, kind)) for kind in KINDS)
    assert not isinstance([1], cn.RangeIndex) and isinstance(cn.DataFrame({"a": [1]}).index, cn.RangeIndex)
    assert isinstance(cn.IntervalIndex.from_tuples([(1, 2), None]), cn.IntervalIndex)
    assert cn.IntervalIndex.from_tuples([(1, 2), None]).hasnans
    assert isinstance(cn.RangeIndex(3), cn.Index)
