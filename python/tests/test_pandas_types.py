"""Dtypes and row labels of pandas there and back, compared by pandas' own assertions."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest

TIMES = pd.DatetimeIndex(["2024-03-30", "2024-03-31", "2024-05-01"])
SAME = {
    "intervals": pd.Series(pd.interval_range(0, 3), name="i"),
    "intervals of floats with nulls": pd.Series(pd.IntervalIndex.from_tuples([(0.0, 1.0), None, (2.0, 3.0)], closed="both")),
    "intervals of times": pd.Series(pd.IntervalIndex.from_breaks(TIMES, closed="neither")),
    "intervals of times of a zone": pd.Series(pd.IntervalIndex.from_breaks(TIMES.tz_localize("Europe/Oslo"), closed="left")),
    "intervals of durations, one missing": pd.Series(pd.IntervalIndex.from_breaks(pd.timedelta_range("1h", periods=4))).where([True, False, True]),
    "no intervals": pd.Series(pd.interval_range(0, 3))[:0].reset_index(drop=True),
    "rows of intervals": pd.Series([1, 2, 3], index=pd.interval_range(0, 3, closed="left", name="bin")),
    "intervals in a level": pd.Series([1, 2], index=pd.MultiIndex.from_arrays([pd.interval_range(0, 2), ["a", "b"]], names=["bin", None])),
    "ordered categories with nulls": pd.Series(pd.Categorical(["a", None, "b"], categories=["b", "a", "c"], ordered=True)),
    "categories of integers": pd.Series(pd.Categorical([3, 1, 3])),
    "categories without values": pd.Series(pd.Categorical([None, None], categories=["a"])),
    "rows of categories": pd.Series([1, 2], index=pd.CategoricalIndex(["a", "b"], name="q")),
    "times of a zone": pd.Series(TIMES.tz_localize("Europe/Berlin")),
    "nanoseconds with a null": pd.Series([pd.Timestamp("2024-01-01T00:00:00.000000001", tz="UTC"), pd.NaT]).dt.as_unit("ns"),
    "times of an offset": pd.Series(TIMES.tz_localize("+02:00")),
    "rows of times of a zone": pd.Series([1, 2, 3], index=TIMES.tz_localize("America/New_York").rename("t")),
    "strings": pd.Series(["a", None, "Größe", "🦀"]),
    "levels": pd.DataFrame({"x": [1.5, 2.5]}, index=pd.MultiIndex.from_tuples([("a", 1), ("b", 2)], names=["k", None])),
    "levels of columns": pd.DataFrame([[1, 2]], columns=pd.MultiIndex.from_tuples([("a", "x"), ("b", "y")])),
    "a range": pd.DataFrame({"a": [1, 2]}, index=pd.RangeIndex(5, 9, 2, name="r")),
}


def same(found, expected):
    check = pd.testing.assert_frame_equal if isinstance(expected, pd.DataFrame) else pd.testing.assert_series_equal
    check(found, expected)


@pytest.mark.parametrize("name", SAME)
def test_pandas_gets_back_what_it_gave(name):
    made = cn.from_pandas(SAME[name])
    same(made.to_pandas(), SAME[name])
    # Every other row, backwards.
    same(made.iloc[::-2].to_pandas(), SAME[name].iloc[::-2])


def test_missing_interval_is_null():
    assert cn.from_pandas(SAME["intervals of floats with nulls"]).to_list() == [cn.Interval(0.0, 1.0, "both"), None, cn.Interval(2.0, 3.0, "both")]
    assert cn.from_pandas(SAME["intervals of durations, one missing"]).is_null().to_list() == [False, True, False]


@pytest.mark.parametrize("index", [pd.interval_range(0, 3, name="z"), pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"]), pd.CategoricalIndex(["b", "a"])], ids=str)
def test_index_of_pandas_there_and_back(index):
    pd.testing.assert_index_equal(cn.from_pandas(index).to_pandas(), index)


@pytest.mark.parametrize("dtype", ["Int8", "Int64", "UInt32", "Float32", "Float64", "boolean", "string", "int64[pyarrow]", "bool[pyarrow]", "string[pyarrow]", "timestamp[us][pyarrow]"])
def test_nullable_dtypes_keep_values_and_nulls(dtype):
    values = ["a", None, "é"] if "string" in dtype else [1, None, 0]
    given = pd.Series(values, dtype=dtype)
    made = cn.from_pandas(given)
    assert made.null_count == 1
    back = made.to_pandas(arrow=True)
    assert isinstance(back.dtype, pd.ArrowDtype)
    same(back.astype(given.dtype), given)


def test_large_integers_beside_nulls_stay_exact():
    given = pd.Series([2**63 - 1, None, -(2**63)], dtype="Int64")
    assert cn.from_pandas(given).to_list() == [2**63 - 1, None, -(2**63)]
    same(cn.from_pandas(given).to_pandas(arrow=True).astype("Int64"), given)


def test_arrays_of_pandas_are_values():
    assert cn.Series(pd.array([1, None])).to_list() == [1, None]
    assert cn.Series(pd.arrays.IntervalArray.from_breaks([0, 1, 3])).to_list() == [cn.Interval(0, 1, "right"), cn.Interval(1, 3, "right")]


@pytest.mark.parametrize(
    "given",
    [pd.Series(pd.period_range("2024-01", periods=2, freq="M")), pd.Series([1, 2], index=pd.period_range("2024-01", periods=2, freq="M")), pd.period_range("2024-01", periods=2, freq="M")],
    ids=["values", "row labels", "index"],
)
def test_periods_are_refused_by_name(given):
    with pytest.raises(TypeError, match=r"from_pandas: period\[M\] is no dtype here: make timestamps of periods with to_timestamp\(\)") as caught:
        cn.from_pandas(given)
    assert (caught.value.operation, caught.value.dtype) == ("from_pandas", "period[M]")


def test_zone_without_a_name_is_refused():
    given = pd.Series(pd.date_range("2024", periods=2, tz="dateutil/Europe/Oslo"))
    with pytest.raises(ValueError, match="dateutil has no name"):
        cn.from_pandas(given)


def test_values_without_a_dtype_are_refused():
    for given in (pd.Series([1j]), pd.Series([{"a": 1}, [1]]), pd.Series([1, "a"], dtype=object)):
        with pytest.raises(TypeError):
            cn.from_pandas(given)
    assert cn.from_pandas(pd.Series([0, 0, 1]).astype("Sparse[int]")).to_list() == [0, 0, 1]
    assert np.array_equal(cn.from_pandas(pd.Series([1.5], dtype="float16")).to_numpy(), [1.5])
