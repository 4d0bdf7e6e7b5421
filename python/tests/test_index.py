"""Row labels: kinds, names, frames that keep them, and pandas."""

import copy
import datetime as dt
import pickle

import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col


def frame():
    return cn.DataFrame({"city": ["Oslo", "Rome", "Bern"], "year": [2004, 1998, 2004], "n": [3, 1, 2]})


def test_kind_follows_from_dtype(device):
    kinds = {
        "single": [1, 2], "datetime": [dt.datetime(2024, 1, 1)], "timedelta": [dt.timedelta(days=1)], "multi": [(1, "a"), (2, "b")],
    }
    for kind, data in kinds.items():
        index = cn.Index(data)
        assert (index.kind, index.to_list(), len(index)) == (kind, data, len(data))
    categories = cn.DataFrame({"c": cn.Series(["b", "a"], dtype="dictionary<int8, utf8>")}).set_index("c").index
    assert categories.kind == "categorical" and categories.to_list() == ["b", "a"]
    assert frame().index.kind == "range" and frame().index.bounds == (0, 3, 1)


def test_range_is_that_of_python():
    for bounds in [(0, 0, 1), (3, 10, 4), (10, 3, -4), (5, 1, 1), (-3, 4, 7)]:
        index = cn.Index.range(*bounds, name="r")
        assert index.to_list() == list(range(*bounds)) and index.name == "r" and index.kind == "range"
    with pytest.raises(ValueError, match="step is 0"):
        cn.Index.range(0, 1, 0)


def test_slices_are_those_of_python(device):
    kinds = [
        cn.Index(["a", "b", "c", "ü"], name="n"), cn.Index.range(3, 15, 4, name="r"), cn.Index.range(5, 1, -1),
        cn.Index([(1, "a"), (1, "b"), (2, "a")], name=["i", None]), cn.Index([dt.datetime(2024, 1, day) for day in (3, 1, 2)]),
    ]
    for index in kinds:
        for rows in [slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(-1, 0, -2), slice(1, 9, 3), slice(2, 1), slice(9, 9, 2)]:
            part = index[rows]
            assert part.to_list() == index.to_list()[rows] and part.names == index.names
            if len(part):
                assert part.kind == index.kind
    with pytest.raises(ValueError, match="step"):
        kinds[0][::0]


def test_rows_keep_their_labels(device):
    cities = frame().set_index("city")
    assert cities.columns == ["year", "n"] and cities.index.name == "city"
    assert cities.filter(col("n") > 1).index.to_list() == ["Oslo", "Bern"]
    assert cities.sort_values("n").index.to_list() == ["Rome", "Bern", "Oslo"]
    assert cities["n"].index.to_list() == cities["n"][cities["n"] > 0].index.to_list() == ["Oslo", "Rome", "Bern"]
    assert cities["n"][cities["n"] > 1].index.to_list() == ["Oslo", "Bern"]
    assert cities[1:].index.to_list() == ["Rome", "Bern"] and cities[::2].index.to_list() == ["Oslo", "Bern"]
    assert cities.take([-1, 0]).index.to_list() == ["Bern", "Oslo"]
    assert cities.sort_index(ascending=False).index.to_list() == ["Rome", "Oslo", "Bern"]
    assert cities["n"].sort_index().to_list() == [2, 3, 1]
    assert cn.concat([cities, cities[:1]]).index.to_list() == ["Oslo", "Rome", "Bern", "Oslo"]
    assert cn.concat([cities, cities[:1]], ignore_index=True).index.bounds == (0, 4, 1)
    assert cities.reset_index().equals(frame()) and cities.reset_index(drop=True).columns == ["year", "n"]


def test_levels(device):
    both = frame().set_index(["year", "city"])
    index = both.index
    assert index.kind == "multi" and index.names == ["year", "city"] and index.nlevels == 2
    assert index[0] == (2004, "Oslo") and index[-1] == (2004, "Bern") and index[1:].to_list() == [(1998, "Rome"), (2004, "Bern")]
    assert index.get_level_values("city").to_list() == ["Oslo", "Rome", "Bern"]
    assert index.droplevel("year").name == "city" and index.swaplevel("year", "city").names == ["city", "year"]
    assert both.sort_index().index.to_list() == [(1998, "Rome"), (2004, "Bern"), (2004, "Oslo")]
    assert both.sort_index(level="city").index.get_level_values("city").to_list() == ["Bern", "Oslo", "Rome"]
    assert both.reset_index("city").columns == ["city", "n"] and both.reset_index("city").index.name == "year"
    assert both.reset_index("city", drop=True).columns == ["n"]
    assert both.rename_axis(["y", None]).index.names == ["y", None]
    assert frame().set_index("year", append=True).index.to_list() == [(0, 2004), (1, 1998), (2, 2004)]
    assert frame().set_index("year", drop=False).columns == ["city", "year", "n"]


def test_facts_and_comparisons(device):
    index = cn.Index([1, 2, 2], name="a")
    assert not index.is_unique and index.is_monotonic_increasing and not index.is_monotonic_decreasing
    other = cn.Index([1, 2, 2])
    assert index.equals(other) and not index.identical(other) and index.rename(None).identical(other)
    assert index.append([cn.Index([5])]).to_list() == [1, 2, 2, 5]
    assert cn.Index([2, 1]).sort_values().to_list() == [1, 2] and cn.Index([2, 1]).argsort().to_list() == [1, 0]
    assert (index == other).tolist() == [True] * 3 and (index != 2).tolist() == [True, False, False]
    assert (cn.Index(["b", None]) == "b").tolist() == [True, False] and (cn.Index(["b", None]) != "b").tolist() == [False, True]
    with pytest.raises(TypeError, match="equals"):
        cn.Index.from_arrays([index, index]) == 1
    with pytest.raises(ValueError, match="3 and 2 labels"):
        index == [1, 2]


def test_errors_name_labels():
    with pytest.raises(ValueError, match="2004"):
        frame().set_index("year", verify_integrity=True)
    with pytest.raises(KeyError, match="land"):
        frame().set_index("land")
    with pytest.raises(ValueError, match="2 names for 1 levels"):
        cn.Index.from_arrays([[1]], names=["a", "b"])
    with pytest.raises(Exception, match="length|rows"):
        frame().with_index(cn.Index([1]))


def test_labels_are_printed():
    cities = frame().set_index("city")
    assert "city" in repr(cities) and "Oslo" in repr(cities).splitlines()[2]
    html = cities._repr_html_()
    assert "<th>city</th>" in html and "<tr><th>Rome</th><td>1998</td>" in html
    levels = frame().set_index(["year", "city"])._repr_html_()
    assert "<tr><th>2004</th><th>Oslo</th><td>3</td>" in levels
    assert repr(cities.index) == "Index(['Oslo', 'Rome', 'Bern'], kind='single', dtypes=[utf8], names=['city'], 3 rows)"
    assert "0, 1, 2, 3, 4, …, 95, 96, 97, 98, 99" in repr(cn.Index.range(0, 100))


INDEXES = {
    "range": pd.RangeIndex(3),
    "named range": pd.RangeIndex(3, name="r"),
    "range with steps": pd.RangeIndex(9, 0, -3),
    "numbers": pd.Index([3, 1, 2], name="n"),
    "floats": pd.Index([0.5, np.nan, -0.0]),
    "strings": pd.Index(["a", None, "Zürich"], dtype="str"),
    "times": pd.DatetimeIndex(["2024-02-29", None, "1969-12-31"], name="t"),
    "zones": pd.DatetimeIndex(["2024-07-01", "2024-01-01", None]).tz_localize("Europe/Berlin"),
    "spans": pd.to_timedelta([1, None, -5], unit="s"),
    "categories": pd.CategoricalIndex(["x", None, "y"], categories=["y", "x"], ordered=True),
    "levels": pd.MultiIndex.from_tuples([(1, "a"), (1, "b"), (2, "a")], names=["i", None]),
}


@pytest.mark.parametrize("kind", INDEXES)
def test_pandas_labels_return(device, kind):
    index = INDEXES[kind]
    data = pd.DataFrame({"v": [1, 2, 3]}, index=index)
    ours = cn.from_pandas(data)
    assert ours.index.names == list(index.names)
    pd.testing.assert_frame_equal(ours.to_pandas(), data, check_freq=False)
    pd.testing.assert_series_equal(cn.from_pandas(data["v"]).to_pandas(), data["v"], check_freq=False)
    pd.testing.assert_index_equal(cn.from_pandas(index).to_pandas(), index)
    for back in (pickle.loads(pickle.dumps(ours)), copy.deepcopy(ours)):
        pd.testing.assert_frame_equal(back.to_pandas(), data, check_freq=False)
    pd.testing.assert_series_equal(pickle.loads(pickle.dumps(ours["v"])).to_pandas(), data["v"], check_freq=False)
    pd.testing.assert_index_equal(pickle.loads(pickle.dumps(ours.index)).to_pandas(), index)


@pytest.mark.parametrize("freq", ["ME", "2h", "W-SUN", "B", "QE", "MS", "YE", "30min", "D", "3D"])
def test_the_frequency_of_labels_is_kept(device, freq):
    index = cn.Index.date_range("2024-01-31", periods=4, freq=freq)
    frame = cn.DataFrame({"v": [1, 2, 3, 4]}).with_index(index)
    expected = pd.date_range("2024-01-31", periods=4, freq=freq)
    for moved in (lambda made: pickle.loads(pickle.dumps(made)), copy.copy, copy.deepcopy, lambda made: made.copy(), lambda made: made.copy(deep=True)):
        for made in (moved(index), moved(frame).index, moved(frame["v"]).index):
            assert made.freq == index.freq == expected.freqstr and made.equals(index) and made.name is None
    assert pickle.loads(pickle.dumps(index.rename("t"))).name == "t"
    plain = cn.Index(index.to_list())
    assert pickle.loads(pickle.dumps(plain)).freq is None


def test_pickles_without_a_frequency_are_read():
    """Those of versions before."""
    index = cn.Index.date_range("2024-01-31", periods=4, freq="ME")
    function, (state,) = index.__reduce__()
    assert function(state).freq == "ME" and function(state[:2]).freq is None and function(state[:2]).equals(index)
    with pytest.raises(cn.ColumnValueError, match="^unpickle: "):
        function((*state[:2], "nonsense"))
