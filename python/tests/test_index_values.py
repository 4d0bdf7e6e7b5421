"""Row labels by level, their values, and labels of times and of intervals, compared with pandas."""

from datetime import datetime, timedelta

import columnade as cn
import numpy as np
import pandas as pd
import pytest

Index = cn.Index


@pytest.fixture
def levels():
    """Labels of two levels here and in pandas."""
    rows = [("b", 2), ("a", 1), ("b", 1), ("a", 3)]
    index = Index(rows, name=["k", "n"])
    return index, pd.MultiIndex.from_tuples(rows, names=["k", "n"])


def test_levels_and_codes_are_those_of_pandas(levels):
    index, expected = levels
    assert [level.to_list() for level in index.levels] == [level.to_list() for level in expected.levels]
    assert [codes.to_list() for codes in index.codes] == [list(codes) for codes in expected.codes]
    assert index.reorder_levels(["n", "k"]).to_list() == expected.reorder_levels(["n", "k"]).to_list()
    one = Index([1, 2])
    assert not hasattr(one, "levels") and not hasattr(one, "codes") and not hasattr(index, "dtype")
    with pytest.raises(TypeError, match=r"codes: the labels have one level: see factorize\(\)"):
        _ = one.codes
    with pytest.raises(cn.ColumnadeError):
        index.reorder_levels(["n"])


def test_product():
    expected = pd.MultiIndex.from_product([["a", "b"], [1, 2, 3]], names=["k", "n"])
    made = Index.from_product([["a", "b"], [1, 2, 3]], names=["k", "n"])
    assert (made.to_list(), made.names) == (expected.to_list(), ["k", "n"])
    assert Index.from_product([["a"], [1]]).names == [None, None]
    with pytest.raises(ValueError, match="from_product: 1 names for 2 levels"):
        Index.from_product([["a"], [1]], names=["k"])


def test_xs_and_loc_by_level(levels):
    index, expected = levels
    frame = cn.DataFrame({"v": [1, 2, 3, 4]}).with_index(index)
    pandas = pd.DataFrame({"v": [1, 2, 3, 4]}, index=expected)
    for key, level in [("a", None), ("b", "k"), (1, "n")]:
        for mine, theirs in [(frame.xs(key, level=level), pandas.xs(key, level=level)), (frame["v"].xs(key, level), pandas["v"].xs(key, level=level))]:
            pd.testing.assert_index_equal(mine.index.to_pandas(), theirs.index)
            assert mine.to_pandas().to_numpy().tolist() == theirs.to_numpy().tolist()
    with pytest.raises(KeyError, match="xs"):
        frame.xs("c", "k")
    with pytest.raises(KeyError, match="xs"):
        frame.xs(1, "no")
    frame, pandas = frame.sort_index(), pandas.sort_index()
    for rows in [(slice(None), [1, 3]), ("a", slice(None)), (slice("a", "b"), 1), (["b", "a"], slice(2, None)), (slice(None), slice(None, 1))]:
        mine, theirs = frame.loc[rows, :]["v"].to_list(), pandas.loc[rows, :]["v"].to_list()
        assert sorted(mine) == sorted(theirs) and frame["v"].loc[rows].to_list() == mine, rows
    with pytest.raises(ValueError, match="loc: a slice of a level has no step"):
        frame.loc[(slice(None, None, 2), 1), :]


def test_values_of_labels():
    index, expected = Index(["b", "a", "b", None]), pd.Index(["b", "a", "b", None])
    codes, labels = index.factorize()
    assert (codes.fill_null(-1).to_list(), labels.to_list()) == (expected.factorize()[0].tolist(), expected.factorize()[1].tolist())
    assert index.hasnans and not index.fillna("n").hasnans
    assert index.fillna("n").to_list() == expected.fillna("n").tolist()
    keep = [True, False, True, True]
    assert index.where(keep, "z").to_list() == ["b", "z", "b", None] and index.where(keep).to_list() == ["b", None, "b", None]
    assert index.putmask([True, None, False, True], "q").to_list() == ["q", "a", "b", "q"]
    numbers = Index([1, 2], name="n").astype("float64")
    assert (numbers.to_list(), str(numbers.dtype), numbers.name) == ([1.0, 2.0], "float64", "n")
    with pytest.raises(ValueError, match="where"):
        index.where([True], "z")
    with pytest.raises(TypeError, match="where"):
        index.where([1, 2, 3, 4], "z")
    with pytest.raises(cn.ColumnadeError, match="astype"):
        index.astype("int64")


@pytest.mark.parametrize("method", [None, "pad", "ffill", "backfill", "bfill", "nearest"])
def test_indexer_is_that_of_pandas(method):
    labels, target = [10, 20, 30], [5, 10, 14, 26, 99]
    assert Index(labels).get_indexer(target, method).to_list() == pd.Index(labels).get_indexer(target, method=method).tolist()


def test_indexer_of_labels_that_come_twice():
    mine, theirs = Index([1, 1, 2]).get_indexer_non_unique([2, 1, 7]), pd.Index([1, 1, 2]).get_indexer_non_unique([2, 1, 7])
    assert [rows.to_list() for rows in mine] == [rows.tolist() for rows in theirs]
    with pytest.raises(ValueError, match="get_indexer: method is pad"):
        Index([1]).get_indexer([1], "near")
    with pytest.raises(ValueError, match="get_indexer"):
        Index([1, 1]).get_indexer([1])


def test_times():
    index, expected = Index.date_range("2024-01-30", periods=3, freq="D", name="d"), pd.date_range("2024-01-30", periods=3, freq="D", name="d")
    assert (index.kind, index.name, index.unit, index.tz) == ("datetime", "d", "us", None)
    assert index.to_list() == list(expected.to_pydatetime())
    assert index.freq == expected.freqstr == index.inferred_freq and Index(["a"]).freq is None
    assert index.shift(2).to_list() == list(expected.shift(2).to_pydatetime())
    assert index.shift(-1, "ME").to_list() == list(expected.shift(-1, "ME").to_pydatetime())
    assert Index.date_range("2024-01-30", "2024-02-02").to_list()[-1] == pd.Timestamp("2024-02-02")
    zoned = Index.date_range("2024-03-30", periods=3, dtype="timestamp[us, Europe/Oslo]")
    assert zoned.tz == "Europe/Oslo"
    steps = Index.timedelta_range(timedelta(hours=1), timedelta(hours=3), freq="1h", unit="s")
    assert (steps.to_list(), steps.unit) == ([timedelta(hours=hours) for hours in (1, 2, 3)], "s")
    with pytest.raises(ValueError, match="date_range: give end or periods"):
        Index.date_range("2024-01-01")
    with pytest.raises(ValueError, match="shift"):
        Index(["a"]).shift(1)
    with pytest.raises(ValueError, match="timedelta_range: unit is"):
        Index.timedelta_range(timedelta(1), periods=1, unit="D")


def test_intervals():
    pd.testing.assert_index_equal(Index.interval_range(0, 6, 2).to_pandas(), pd.interval_range(0, 6, freq=2))
    pd.testing.assert_index_equal(Index.from_breaks([1.0, 2.0, 5.0], "left").to_pandas(), pd.IntervalIndex.from_breaks([1.0, 2.0, 5.0], closed="left"))
    with pytest.raises(ValueError, match="from_breaks: closed is right, left, both or neither"):
        Index.from_breaks([1, 2], "open")
    pd.testing.assert_index_equal(Index.interval_range(0, 1.5, 0.5).to_pandas(), pd.interval_range(0, 1.5, freq=0.5))
    days = pd.Timestamp("2024-01-01"), pd.Timestamp("2024-01-03")
    pd.testing.assert_index_equal(Index.interval_range(*days, "D", "left").to_pandas(), pd.interval_range(*days, freq="D", closed="left"))
    with pytest.raises(ValueError, match="interval_range"):
        Index.interval_range(0, 6, 0)


def label(left, right, closed="right"):
    return cn.Interval(left, right, closed)


@pytest.mark.parametrize("of_pandas", [False, True], ids=["own", "of pandas"])
def test_interval_is_a_label(of_pandas):
    index, expected = Index.interval_range(0, 6, 2), pd.interval_range(0, 6, freq=2)
    frame, theirs = cn.DataFrame({"n": [10, 20, 30]}).with_index(index), pd.DataFrame({"n": [10, 20, 30]}, index=expected)
    make = pd.Interval if of_pandas else label
    middle, none = make(2, 4), make(2, 6)
    assert index.get_loc(middle) == expected.get_loc(pd.Interval(2, 4)) == 1
    assert middle in index and none not in index and make(2, 4, "left") not in index
    assert frame.loc[middle]["n"].to_list() == [20] and frame.at[middle, "n"] == 20
    assert frame.loc[[make(4, 6), make(0, 2)]]["n"].to_list() == [30, 10]
    assert index.get_indexer([make(4, 6), make(0, 2), none]).to_list() == [2, 0, -1]
    assert index.overlaps(make(3, 5)).to_list() == expected.overlaps(pd.Interval(3, 5)).tolist()
    assert index.get_indexer([1, 6, 9]).to_list() == expected.get_indexer([1, 6, 9]).tolist()
    assert frame.loc[[5, 1]]["n"].to_list() == theirs.loc[[5, 1]]["n"].tolist()
    with pytest.raises(KeyError, match="loc"):
        frame.loc[none]
    with pytest.raises(KeyError, match="loc"):
        frame.loc[[1, 9]]
    assert cn.Series([middle, None]).to_list() == [label(2, 4), None]
    assert index[1] in index and index.get_loc(index[2]) == 2


@pytest.mark.parametrize("wrong", [5, "x", None, (1, 2), [1, 2]])
def test_overlaps_of_no_interval_is_refused(wrong):
    with pytest.raises(TypeError, match="overlaps: an interval is expected, not "):
        Index.interval_range(0, 6, 2).overlaps(wrong)


def test_interval_without_ends_is_refused():
    with pytest.raises(TypeError, match="get_loc: an end of an interval is None"):
        Index.interval_range(0, 6, 2).get_loc(label(None, 2))
    with pytest.raises(ValueError, match="get_loc: closed is right"):
        Index.interval_range(0, 6, 2).get_loc(label(0, 2, "open"))
    with pytest.raises(OverflowError, match="length"):
        Index.from_breaks([-(2**63), 2**63 - 1]).length


def test_labels_get_the_dtype_of_what_replaces_them():
    index, expected = Index([1, 2, 3], name="n"), pd.Index([1, 2, 3], name="n")
    keep = [True, False, True]
    for other in (9.5, 7, 9.0, None, float("nan")):
        made, theirs = index.where(keep, other), expected.where(keep, np.nan if other is None else other)
        assert [value if value == value else None for value in made.to_list()] == [None if value != value else value for value in theirs.tolist()]
        assert index.putmask([False, True, False], other).to_list()[::2] == [1, 3]
    assert (str(index.where(keep, 9.5).dtype), str(index.where(keep, 7).dtype)) == ("float64", "int64")
    assert index.putmask([False, True, False], 2.5).to_list() == expected.putmask([False, True, False], 2.5).tolist()
    with pytest.raises(cn.ColumnadeError, match="where"):
        index.where(keep, "x")


def test_categories():
    index = cn.Series(["a", "b"], dtype="category")
    assert cn.DataFrame({"k": index, "v": [1, 2]}).set_index("k").index.ordered is False
    ordered = cn.from_pandas(pd.CategoricalIndex(["a", "b"], ordered=True))
    assert ordered.kind == "categorical" and ordered.ordered


@pytest.mark.parametrize("label", ["3h", timedelta(hours=3), None])
def test_inserted_durations_keep_the_unit(device, label):
    theirs = pd.to_timedelta(["1h", "2h"]).as_unit("s")
    made = cn.from_pandas(theirs).insert(-1, label)
    assert str(made.dtype) == "duration[s]" and made.to_list() == cn.from_pandas(theirs.insert(-1, label)).to_list()


def test_inserted_times_keep_the_unit_where_they_are_whole_in_it(device):
    theirs = pd.to_datetime(["2024-01-01"]).as_unit("s")
    ours = cn.from_pandas(theirs)
    for label in ("2024-01-02", datetime(2024, 1, 2)):
        assert theirs.insert(0, label).dtype == "datetime64[s]"
        made = ours.insert(0, label)
        assert str(made.dtype) == "timestamp[s]" and made.to_list()[0] == datetime(2024, 1, 2)
    exact = datetime(2024, 1, 2, 0, 0, 0, 1)
    assert ours.insert(0, exact).to_list()[0] == exact


@pytest.mark.parametrize("texts", [["1 days"], ["1us"], ["1h", "2ns"], [None, "1h"], ["1 days 00:00:00.0000001"]])
def test_durations_of_text_have_the_unit_of_pandas(device, texts):
    made = cn.to_timedelta(texts)
    assert str(made.dtype).replace("duration", "timedelta64") == str(pd.to_timedelta(texts).dtype)
    assert made.to_series().cast("duration[ns]").cast("int64").drop_nulls().to_list() == pd.to_timedelta(texts).dropna().as_unit("ns").asi8.tolist()


RANGES = [pd.RangeIndex(5, name="n"), pd.RangeIndex(9, -3, -3), pd.RangeIndex(2, 3, 7)]
OF_RANGES = {
    "max": lambda i: i.max(), "min": lambda i: i.min(), "argmax": lambda i: i.argmax(), "argmin": lambda i: i.argmin(),
    "add": lambda i: i + 1, "radd": lambda i: 1 + i, "sub": lambda i: i - 2, "rsub": lambda i: 2 - i, "mul": lambda i: i * -2,
    "rmul": lambda i: 3 * i, "neg": lambda i: -i, "no step": lambda i: i * 0, "float": lambda i: i * 2.0, "truth": lambda i: i + True,
    "sorted": lambda i: i.sort_values(), "sorted down": lambda i: i.sort_values(ascending=False), "steps": lambda i: i[::2],
    "delete": lambda i: i.delete(0), "delete the last": lambda i: i.delete(-1), "drop": lambda i: i.drop([i[0]]), "distinct": lambda i: i.drop_duplicates(),
}


@pytest.mark.parametrize("name", OF_RANGES)
@pytest.mark.parametrize("theirs", RANGES, ids=str)
def test_ranges_stay_ranges(theirs, name):
    made, expected = OF_RANGES[name](cn.from_pandas(theirs)), OF_RANGES[name](theirs)
    if not isinstance(expected, pd.Index):
        assert made == expected
        return
    assert made.to_list() == expected.tolist() and made.name == expected.name
    assert made.kind == "range" or not isinstance(expected, pd.RangeIndex) or len(made) < 2


def test_ranges_without_memory():
    many = cn.RangeIndex(4_000_000_000)
    assert (many.max(), many.argmax(), (many + 1).min(), (many * 2)[-1]) == (3_999_999_999, 3_999_999_999, 1, 7_999_999_998)
    assert many.sort_values(ascending=False).kind == many.drop([0]).kind == many.delete(-1).kind == "range"
    assert [many.searchsorted(value, side) for value in (-1, 5, 5_000_000_000) for side in ("left", "right")] == [0, 0, 5, 6, len(many), len(many)]
    assert many.intersection([5, 7, -1]).to_list() == [5, 7]
    assert cn.Index([5, -1]).isin(many).tolist() == cn.Index([5.0, 0.5]).isin(many).tolist() == [True, False]
    assert cn.Index([5, 4]).isin(cn.RangeIndex(9, 0, -2)).tolist() == [True, False]
    with pytest.raises(ValueError, match="side"):
        many.searchsorted(1, "both")


def test_rows_at_steps_have_ranges():
    theirs = pd.DataFrame({"n": range(5)})
    ours = cn.from_pandas(theirs)
    for key in (slice(None, None, 2), slice(None, None, -1), slice(3, 0, -2), slice(9, None, 2)):
        assert ours.iloc[key].index.kind == ours["n"].iloc[key].index.kind == "range"
        assert ours.iloc[key].index.to_list() == theirs.iloc[key].index.tolist()


@pytest.mark.parametrize("labels", [[1, 2], [1.0, 2.0], range(3)])
def test_truths_are_no_labels_that_are_numbers(labels):
    series = cn.Series(list(range(len(labels))), index=cn.Index(labels) if isinstance(labels, list) else None)
    assert 1 in series.index
    for call in (lambda: True in series.index, lambda: series.index.get_loc(True), lambda: series.loc[True], lambda: series.at[True], lambda: series.loc[False:True]):
        with pytest.raises((TypeError, KeyError), match="bool"):
            call()
    truths = cn.Series([1, 2], index=[True, False])
    assert truths.loc[True] == 1
    for call in (lambda: truths.loc[1], lambda: 1 in truths.index):
        with pytest.raises(TypeError, match="bool"):
            call()


@pytest.mark.parametrize("name", ["first_valid_index", "last_valid_index"])
def test_valid_labels_of_several_levels_are_tuples(name):
    theirs = pd.Series([None, 1.0, 2.0, None], index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "k"]))
    ours = cn.from_pandas(theirs).nan_to_null()
    assert getattr(ours, name)() == getattr(theirs, name)() == getattr(ours.to_frame("v"), name)()
    assert getattr(ours.iloc[:0], name)() is None


@pytest.mark.parametrize("options", [{"ambiguous": "NaT"}, {"nonexistent": "NaT"}, {"ambiguous": "NaT", "nonexistent": "shift_forward"}])
def test_times_that_a_zone_has_not_are_null(options):
    theirs = pd.DatetimeIndex(["2024-03-31 02:30" if "nonexistent" in options else "2024-10-27 02:30", "2024-05-01"])
    expected = theirs.tz_localize("Europe/Rome", **options)
    assert cn.from_pandas(theirs).tz_localize("Europe/Rome", **options).equals(cn.from_pandas(expected))


def test_join_of_labels_gives_labels():
    left, right = pd.Index([3, 1, 2], name="k"), pd.Index([2, 5, 3], name="k")
    ours = [cn.from_pandas(part) for part in (left, right)]
    for how in ("left", "right", "inner", "outer"):
        assert ours[0].join(ours[1], how=how).to_list() == left.join(right, how=how).tolist()
    labels, *rows = ours[0].join(ours[1], return_indexers=True)
    assert labels.to_list() == [3, 1, 2] and [part.to_list() for part in rows] == [[0, 1, 2], [2, -1, 0]]
