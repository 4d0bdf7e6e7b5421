"""Rows by labels and positions, against pandas."""

import datetime as dt

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col

DATA = pd.DataFrame({"a": [5, 7, 2, 9], "b": ["x", "y", None, "ü"]}, index=pd.Index(["k", "l", "m", "n"], name="i"))
LEVELS = pd.DataFrame(
    {"n": [1, 2, 3, 4]}, index=pd.MultiIndex.from_tuples([("Oslo", 1), ("Oslo", 2), ("Rome", 1), ("Rome", 2)], names=["c", "y"])
)


LABELS = {
    "list": ["n", "k", "n"],
    "slice": slice("l", "m"),
    "slice from": slice("m", None),
    "slice to": slice(None, "l"),
    "slice of all": slice(None),
}


@pytest.mark.parametrize("rows", LABELS)
def test_loc_is_that_of_pandas(device, rows):
    ours, rows = cn.from_pandas(DATA), LABELS[rows]
    same(ours.loc[rows], DATA.loc[rows])
    same(ours.loc[rows, ["b", "a"]], DATA.loc[rows, ["b", "a"]])
    same(ours.loc[rows, :], DATA.loc[rows, :])
    pd.testing.assert_series_equal(ours["a"].loc[rows].to_pandas(), DATA["a"].loc[rows])


def test_loc_takes_labels_masks_indexes_and_conditions(device):
    ours = cn.from_pandas(DATA)
    same(ours.loc["l"], DATA.loc[["l"]])
    assert ours.loc["l", "a"] == DATA.loc["l", "a"]
    same(ours.loc[ours["a"] > 4], DATA.loc[DATA["a"] > 4])
    same(ours.loc[col("a") > 4, ["b"]], DATA.loc[DATA["a"] > 4, ["b"]])
    same(ours.loc[cn.Index(["m", "k"])], DATA.loc[["m", "k"]])
    with pytest.raises(KeyError, match="row label z"):
        ours.loc[["k", "z"]]
    with pytest.raises(ValueError, match="step of a slice is 0"):
        ours.loc["k":"m":0]
    with pytest.raises(KeyError, match="^.?loc: ") as error:
        ours.loc["z", "a"]
    assert error.value.operation == "loc"
    with pytest.raises(KeyError, match="^.?loc: ") as error:
        ours.loc["k", "z"]
    assert error.value.operation == "loc" and error.value.column == "z"


STEPS = [
    slice("k", "n", 2), slice(None, None, 3), slice("l", None, 2), slice(None, None, -1), slice("m", "k", -1), slice("n", "k", -2),
    slice("k", "m", -1), slice(None, "l", -1), slice("m", None, -5),
]


@pytest.mark.parametrize("rows", STEPS, ids=str)
def test_loc_of_slices_with_steps_is_that_of_pandas(device, rows):
    ours = cn.from_pandas(DATA)
    same(ours.loc[rows], DATA.loc[rows])
    same(ours.loc[rows, "b":], DATA.loc[rows, "b":])
    pd.testing.assert_series_equal(ours["a"].loc[rows].to_pandas(), DATA["a"].loc[rows])


def test_loc_takes_slices_of_columns(device):
    theirs = pd.DataFrame([[1, 2, 3, 4]] * 3, columns=["a", "b", "ü", "d"])
    ours = cn.from_pandas(theirs)
    for columns in [slice("a", "ü"), slice("b", None), slice(None, "b"), slice("a", None, 2), slice(None, None, -1), slice("d", "b", -2)]:
        same(ours.loc[:, columns], theirs.loc[:, columns])
        same(ours.loc[1:, columns], theirs.loc[1:, columns])
    assert ours.loc[:, "ü":"a"].columns == [] and len(ours.loc[:, "ü":"a"]) == 3
    with pytest.raises(KeyError, match="zz") as error:
        ours.loc[:, "a":"zz"]
    assert error.value.column == "zz"
    with pytest.raises(ValueError, match="step"):
        ours.loc[:, ::0]
    levels = cn.DataFrame({("a", "x"): [1], ("a", "y"): [2], ("b", "x"): [3]})
    assert levels.loc[:, ("a", "y"):("b", "x")].columns == [("a", "y"), ("b", "x")]


def test_loc_of_levels_is_that_of_pandas(device):
    ours = cn.from_pandas(LEVELS)
    same(ours.loc["Oslo"], LEVELS.loc["Oslo"])
    assert ours.loc["Rome", 1]["n"].to_list() == [LEVELS.loc[("Rome", 1), "n"]]
    same(ours.loc[[("Rome", 2), ("Oslo", 1)]], LEVELS.loc[[("Rome", 2), ("Oslo", 1)]])
    same(ours.loc[[("Rome", 2)], ["n"]], LEVELS.loc[[("Rome", 2)], ["n"]])
    assert ours.at[("Oslo", 2), "n"] == LEVELS.at[("Oslo", 2), "n"]


def test_times_are_found_by_period(device):
    times = pd.date_range("2024-01-30", periods=5, freq="D")
    theirs = pd.DataFrame({"n": range(5)}, index=times)
    ours = cn.from_pandas(theirs)
    same(ours.loc["2024-01"], theirs.loc["2024-01"])
    same(ours.loc["2024-01-31":"2024-02-01"], theirs.loc["2024-01-31":"2024-02-01"])
    assert ours.loc[dt.datetime(2024, 2, 2)]["n"].to_list() == [3]


POSITIONS = {
    "list": [3, 0, -1],
    "slice": slice(1, 3),
    "negative": slice(-3, -1),
    "steps": slice(None, None, 2),
    "reverse": slice(None, None, -1),
    "backwards": slice(2, 0, -1),
    "beyond": slice(2, 99),
    "none": slice(3, 1),
}


@pytest.mark.parametrize("rows", POSITIONS)
def test_iloc_is_that_of_pandas(device, rows):
    ours, rows = cn.from_pandas(DATA), POSITIONS[rows]
    same(ours.iloc[rows], DATA.iloc[rows])
    same(ours.iloc[rows, [1, 0]], DATA.iloc[rows, [1, 0]])
    same(ours.iloc[rows, ::-1], DATA.iloc[rows, ::-1])
    pd.testing.assert_series_equal(ours["a"].iloc[rows].to_pandas(), DATA["a"].iloc[rows])


def test_iloc_takes_positions_and_masks(device):
    ours = cn.from_pandas(DATA)
    same(ours.iloc[-1], DATA.iloc[[-1]])
    assert ours.iloc[1, -1] == DATA.iloc[1, -1]
    same(ours.iloc[ours["a"] > 4], DATA.iloc[(DATA["a"] > 4).to_numpy()])
    for wrong in (4, [-5]):
        with pytest.raises(IndexError):
            ours.iloc[wrong]
    with pytest.raises(IndexError, match="2 columns"):
        ours.iloc[0, 2]
    with pytest.raises(ValueError, match="step"):
        ours.iloc[::0]


def test_values_are_found(device):
    ours = cn.from_pandas(DATA)
    assert ours.at["m", "a"] == 2 and ours.at["m", "b"] is None and ours["a"].at["n"] == 9
    assert ours.iat[-1, 1] == "ü" and ours["b"].iat[-1] == "ü" and ours["a"].iat[0] == 5
    with pytest.raises(IndexError, match="iat: position 4"):
        ours["a"].iat[4]
    with pytest.raises(KeyError):
        ours.at["z", "a"]
    with pytest.raises(TypeError, match="row and a column"):
        ours.at["m"]


def test_values_are_set(device):
    ours = cn.from_pandas(DATA)
    assert ours.set_loc(["k", "n"], "a", 0)["a"].to_list() == [0, 7, 2, 0]
    assert ours.set_loc(slice("l", "m"), "a", [1, 2])["a"].to_list() == [5, 1, 2, 9]
    assert ours.set_loc(ours["a"] > 4, "b", None)["b"].to_list() == [None] * 4
    turned = cn.Series([1, 2], name="a").with_index(cn.Index(["m", "l"]))
    assert ours.set_loc(["l", "m"], "a", turned)["a"].to_list() == [5, 2, 1, 9]
    assert ours.set_iloc(slice(None, None, -2), "a", [0, 1])["a"].to_list() == [5, 1, 2, 0]
    with pytest.raises(cn.ColumnadeError, match="set_loc"):
        ours.set_loc(["k", "n"], "a", [1, 2, 3])
    for rows in STEPS:
        expected = DATA.copy()
        expected.loc[rows, "a"] = np.arange(len(DATA.loc[rows]))
        count = len(DATA.loc[rows])
        same(ours.set_loc(rows, "a", list(range(count))), expected)
        expected.loc[rows, "a"] = 7
        same(ours.set_loc(rows, "a", 7), expected)
        aligned = cn.Series([10, 20, 30, 40], name="a").with_index(cn.Index(["n", "m", "l", "k"]))
        expected.loc[rows, "a"] = pd.Series([10, 20, 30, 40], index=["n", "m", "l", "k"])
        same(ours.set_loc(rows, "a", aligned), expected)
    assert ours.set_loc(["l", "n"], "a", [None, None])["a"].to_list() == [5, None, 2, None]
    assert ours.set_iloc([], "b", [])["b"].to_list() == ["x", "y", None, "ü"]
    with pytest.raises(cn.ColumnadeError, match="^set_loc") as error:
        ours.set_loc(slice("k", "n", 2), "a", [1, 2, 3])
    assert error.value.operation == "set_loc"
    with pytest.raises(ValueError, match="step of a slice is 0"):
        ours.set_loc(slice("k", "m", 0), "a", 0)
    assert ours["a"].to_list() == [5, 7, 2, 9]


def test_lookups_are_those_of_pandas(device):
    theirs = pd.Index([3, 1, 5], name="n")
    ours = cn.from_pandas(theirs)
    assert (3 in ours, 4 in ours) == (True, False) and ours.get_loc(5) == theirs.get_loc(5)
    with pytest.raises(KeyError, match="4"):
        ours.get_loc(4)
    target = pd.Index([5, 9, 3])
    assert ours.get_indexer(cn.from_pandas(target)).to_list() == theirs.get_indexer(target).tolist()
    assert ours.is_in(cn.from_pandas(target)).to_list() == theirs.isin(target).tolist()
    ordered = pd.Index([1, 3, 3, 5])
    assert cn.from_pandas(ordered).slice_locs(2, 4) == ordered.slice_locs(2, 4)
    assert cn.from_pandas(ordered).get_locs(3).to_list() == [1, 2]
    assert ("Oslo", 2) in cn.from_pandas(LEVELS).index and cn.from_pandas(LEVELS).index.get_locs("Rome").to_list() == [2, 3]


@pytest.mark.parametrize("wrong, kind", [
    ("p", "str"), (1.0, "float"), (True, "bool"), (None, "NoneType"), ([1.0], "those with a float"), ([True, 1], "those with a bool"),
    (["p"], "those with a str"), ({"a": 1}, "dict"), (np.array([0.5]), "those with a float64"), (object(), "object"),
])
def test_what_is_no_position_is_refused_in_a_sentence(wrong, kind):
    frame = cn.DataFrame({"a": [4, 5, 6]})
    for call in (lambda: frame.iloc[wrong], lambda: frame["a"].iloc[wrong], lambda: frame.iloc[0, wrong], lambda: frame.iloc[wrong, 0]):
        with pytest.raises(TypeError, match=f"iloc: a position is an integer, .*, not {kind}") as caught:
            call()
        assert isinstance(caught.value, cn.ColumnadeError) and caught.value.operation == "iloc"
    with pytest.raises(TypeError, match="set_iloc: a position is an integer"):
        frame.set_iloc(wrong, "a", 1)


def test_positions_of_other_libraries():
    frame = cn.DataFrame({"a": [4, 5, 6]})
    assert frame.iloc[np.int8(-1)]["a"].to_list() == [6] and frame.iloc[np.array([2, 0])]["a"].to_list() == [6, 4]
    assert frame.iloc[(2, 0), :]["a"].to_list() == [6, 4] and frame.iloc[range(2)]["a"].to_list() == [4, 5]
    assert frame.iloc[np.array([True, False, True])]["a"].to_list() == [4, 6] and frame.iloc[[]]["a"].to_list() == []
    with pytest.raises(IndexError, match="iloc: position 1000000000000000000000 is beyond 64 bits"):
        frame.iloc[10**21]
    with pytest.raises(TypeError, match="iat: the position of a column is an integer, not 'a'"):
        frame.iat[0, "a"]
    assert frame.iat[-1, 0] == 6
