"""Rows by positions of arrays and series, and values that a dictionary has for each, against pandas."""

import collections
import math

import numpy as np
import pandas as pd
import pytest

import columnade as cn

LABELS = ["a", "b", "c", "d"]


def frame(device):
    return cn.DataFrame({"n": [5, 6, 7, 8], "t": ["x", None, "é", ""]}, device=device).with_index(cn.Index(LABELS))


@pytest.mark.parametrize(
    "positions",
    [[3, -1, 0], (1, 1), range(3), [], np.array([2, -4, 2]), np.array([0, 3], dtype="uint8"), np.array([], dtype="int64")],
    ids=str,
)
def test_rows_at_positions_match_pandas(device, positions):
    ours, theirs = frame(device), pd.DataFrame({"n": [5, 6, 7, 8]}, index=LABELS)
    expected = theirs.take(positions)
    for made in (ours.take(positions), ours.take(cn.Series(list(positions), device=device).cast("int16")), ours.iloc[np.asarray(list(positions), dtype="int64")]):
        assert made["n"].to_list() == expected["n"].tolist() and made.index.to_list() == expected.index.tolist()
    assert ours["n"].take(positions).to_list() == expected["n"].tolist()
    assert ours["t"].iloc[cn.Series(list(positions), device=device).cast("int64")].index.to_list() == expected.index.tolist()


@pytest.mark.parametrize(
    "positions, error, text",
    [
        (np.array([0, 4]), IndexError, "position 4 is out of bounds for 4"),
        (np.array([-5]), IndexError, "position -5"),
        (np.array([2**64 - 1], dtype="uint64"), IndexError, "out of bounds"),
        (cn.Series([1, None]), ValueError, "null"),
        (cn.Series([True]), TypeError, "bool"),
        (np.array([1.5]), TypeError, "integer"),
    ],
    ids=str,
)
def test_other_positions_are_refused(positions, error, text):
    with pytest.raises(error, match=text):
        frame("host").take(positions)


class Squares(dict):
    def __missing__(self, key):
        return -1 if key is None else key * key


@pytest.mark.parametrize(
    "table",
    [{1: "a", 2: "b"}, {1: 2.5}, {}, {2: None, 3: True}, Squares({1: 7}), collections.defaultdict(int, {3: 4})],
    ids=str,
)
def test_dictionaries_map_each_value(device, table):
    values = [1, 2, 3, 1, 2, 9, 1] * 5
    ours = cn.Series(values, name="v", device=device).with_index(cn.Index(list(range(100, 135)))).map(table)
    theirs = pd.Series(values, dtype="Int64").map(dict(table) if type(table) is dict else table.copy() if type(table) is not Squares else Squares(table))
    assert ours.to_list() == [None if pd.isna(value) else value for value in theirs.tolist()]
    assert (ours.name, ours.index.to_list()) == ("v", list(range(100, 135)))


def test_dictionaries_map_nulls_times_and_texts(device):
    assert cn.Series([1, None, 2], device=device).map({None: 8, 1: 1}).to_list() == [1, 8, None]
    assert cn.Series(["x", "é", None], device=device).map({"é": 1}).to_list() == [None, 1, None]
    days = pd.to_datetime(["2026-01-01", "2026-01-02"])
    found = cn.Series(days, device=device).map({days[1].to_pydatetime(): "second"})
    assert found.to_list() == [None, "second"]


@pytest.mark.parametrize("values", [[1.5, 1e-7, -2.5e-10, 1e22, None, math.inf, 123456789.125], [1e-7, 1e300], [0.5, math.nan], [None, 2.0], []])
def test_texts_of_floats_are_those_of_python(device, values):
    ours = cn.Series(values, name="v", device=device, dtype="float64").with_index(cn.Index([f"r{row}" for row in range(len(values))]))
    made = ours.astype("string")
    assert made.to_list() == [None if value is None else str(value) for value in values]
    assert (made.name, made.index.to_list()) == ("v", ours.index.to_list())
