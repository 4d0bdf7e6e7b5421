"""Keys of rows and aggregates as pandas takes them: the same calls on both."""

import datetime as dt
import decimal
import pickle

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import same

DATA = {"k": ["x", "y", "x", None, "y", "x"], "j": [1, 1, 2, 2, 1, 2], "v": [3.0, None, 1.0, 4.0, -5.0, 3.0], "w": [1, 2, 3, 4, 5, 6]}
LABELS = list("abcdef")
SERIES = {
    "label": lambda f: f["w"]["c"],
    "labels": lambda f: f["w"][["a", "e"]],
    "slice of labels": lambda f: f["w"]["b":"d"],
    "result of groups": lambda f: f.groupby("k")["w"].sum()["x"],
    "isin of whole numbers": lambda f: f["v"].isin([3, 4]),
    "duplicated": lambda f: f["k"].duplicated(keep=False),
    "duplicated of columns": lambda f: f.duplicated(["k", "j"], keep=False),
    "best row of each group": lambda f: f.reset_index(drop=True).loc[f.reset_index(drop=True).groupby("j")["w"].idxmax()],
    "loc of an array": lambda f: f.loc[np.array(["f", "a"])],
    "loc of a range": lambda f: f.reset_index(drop=True).loc[range(2)],
    "loc of an array and columns": lambda f: f.loc[np.array(["f", "a"]), ["w"]],
    "loc of a condition": lambda f: f.loc[f["w"] > 3],
    "std of numpy": lambda f: f.groupby("j")["w"].agg(np.std),
    "join of texts": lambda f: f.dropna().groupby("j")["k"].agg(lambda values: ", ".join(values.tolist())),
    "number of groups": lambda f: [len(f.groupby("k")), len(f.groupby("k")["w"])],
    "transpose": lambda f: f[["w", "j"]].transpose(),
    "T twice": lambda f: f[["w", "j"]].T.T,
    "row of T": lambda f: f[["w", "j"]].T.loc[["j"]],
    "tolist": lambda f: f.index.tolist(),
}


@pytest.mark.parametrize("name", SERIES)
def test_keys(name):
    ours = cn.DataFrame(DATA).with_index(cn.Index(LABELS))
    theirs = pd.DataFrame(DATA, index=LABELS)
    made, expected = SERIES[name](ours), SERIES[name](theirs)
    same(made, expected if not isinstance(expected, np.generic) else expected.item())


def test_rows_of_one_label_are_converted():
    one = cn.DataFrame({"a": [1]})
    twice = cn.concat([one, one])
    assert twice.to_pandas().index.tolist() == twice.index.to_list() == [0, 0]
    assert pickle.loads(pickle.dumps(twice)).index.to_list() == [0, 0]


def test_labels_that_are_missing_are_named():
    ours = cn.DataFrame(DATA).with_index(cn.Index(LABELS))
    with pytest.raises(KeyError, match="z"):
        ours["w"]["z"]
    assert ours["w"][0] == 1 and ours["w"][:2].to_list() == [1, 2]


def test_series_are_among_constants_by_value():
    cases = [
        ([1, 2, None], [1.5, 2.0]), ([1.0, 2.5, None], [1, 2]), ([decimal.Decimal("1.50"), None], [1.5]),
        ([dt.date(2024, 1, 1), None, dt.date(2024, 1, 2)], ["2024-01-01"]), ([1, 2], [2**70, 2]), (["a", None], ["a", "b"]),
    ]
    for values, among in cases:
        series = cn.Series(values, name="v")
        of_frame = series.to_frame().select(cn.col("v").is_in(among))["v"]
        for given in (among, tuple(among), set(among)):
            made = series.is_in(given)
            assert made.to_list() == of_frame.to_list() and made.name == "v"
        # Text is no date for isin, as in pandas 3.
        expected = [value is True and not isinstance(values[0], dt.date) for value in of_frame.to_list()]
        assert series.isin(among).to_list() == expected
    with pytest.raises(cn.ColumnadeError, match="is_in"):
        cn.Series([1]).is_in(["x"])
    with pytest.raises(cn.ColumnTypeError, match="is_in"):
        cn.Series([1]).is_in(cn.Series(["x"]))
