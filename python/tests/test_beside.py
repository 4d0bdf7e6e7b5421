"""The comparison with pandas of the tests: it sees each difference, and options allow one kind of them."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest
from beside import ours, same

SERIES = pd.Series([1.5, 2.5, None], index=pd.Index(["a", "b", "c"], name="k"), name="x")
FRAME = pd.DataFrame(
    {"n": [1, 2, 3], "x": [1.5, None, 2.5], "s": ["p", None, "q"], "t": pd.to_datetime(["2024-01-01", None, "2024-01-03"])},
    index=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["k", "l"]),
)
TIMES = pd.Series(pd.to_datetime(["2024-01-01 00:00:00.000000001", None]).as_unit("ns"))
WIDE = FRAME[["n", "x"]].set_axis(pd.MultiIndex.from_tuples([("p", "n"), ("p", "x")], names=["u", "v"]), axis=1)
# A result of pandas, one that differs from it, and the option that allows this.
DIFFERENCES = {
    "name of a series": (SERIES, SERIES.rename("y"), "names"),
    "no name": (SERIES, SERIES.rename(None), "names"),
    "name of labels": (SERIES, SERIES.rename_axis("l"), "names"),
    "name of a level": (FRAME, FRAME.rename_axis(index=["k", None]), "names"),
    "name of labels of columns": (WIDE, WIDE.rename_axis(columns=["u", "w"]), "column_names"),
    "dtype": (FRAME, FRAME.astype({"n": "int32"}), "dtypes"),
    "unit": (FRAME, FRAME.astype({"t": "datetime64[ms]"}), "dtypes"),
    "text and categories": (FRAME, FRAME.astype({"s": "category"}), "dtypes"),
    "floats": (FRAME, FRAME.astype({"n": "float64"}), "dtypes"),
    "dtype of labels": (SERIES.set_axis([1, 2, 3]), SERIES.set_axis([1.0, 2.0, 3.0]), "label_dtypes"),
    "dtype of a level": (FRAME, FRAME.set_axis(FRAME.index.set_levels([1.0, 2.0], level=1)), "label_dtypes"),
    "value": (SERIES, SERIES.replace(1.5, 1.25), None),
    "small difference": (SERIES, SERIES + 1e-9, "rtol"),
    "null": (SERIES, SERIES.fillna(0.0), None),
    "text": (FRAME, FRAME.assign(s=["p", None, "r"]), None),
    "nanosecond": (TIMES, TIMES + pd.Timedelta(1, "ns"), None),
    "label": (SERIES, SERIES.rename({"a": "z"}), None),
    "order of rows": (SERIES, SERIES.iloc[[1, 0, 2]], None),
    "label of a column": (FRAME, FRAME.rename(columns={"n": "m"}), None),
    "order of columns": (FRAME, FRAME[["x", "n", "s", "t"]], None),
    "kind of a label": (FRAME[["n"]].set_axis([1], axis=1), FRAME[["n"]].set_axis(["1"], axis=1), None),
    "number of a label": (FRAME[["n"]].set_axis([1], axis=1), FRAME[["n"]].set_axis([1.0], axis=1), None),
    "rows": (SERIES, SERIES.iloc[:2], None),
    "level": (FRAME, FRAME.droplevel("l"), None),
    "class": (SERIES, SERIES.to_frame(), None),
    "labels alone": (SERIES.index, SERIES.index.rename("l"), "names"),
    "closed ends": (pd.Index(pd.interval_range(0, 2)), pd.Index(pd.interval_range(0, 2, closed="left")), None),
}
ALLOWED = {"rtol": {"rtol": 1e-6}, None: {"names": False, "dtypes": False, "label_dtypes": False, "column_names": False}}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences_are_seen(name):
    expected, other, option = DIFFERENCES[name]
    same(ours(expected), expected)
    with pytest.raises(AssertionError):
        same(ours(other), expected)
    allowed = ALLOWED.get(option, {option: False})
    if option is not None:
        same(ours(other), expected, **allowed)
        return
    with pytest.raises(AssertionError):
        same(ours(other), expected, **allowed)


def test_other_results():
    whole = pd.Series([1.0, 2.0])
    with pytest.raises(AssertionError):
        same(cn.Series([1, 2]), whole)
    same(cn.Series([1, 2]), whole, whole=True)
    with pytest.raises(AssertionError):
        same(ours(whole), pd.Series([1, 2]), whole=True)
    for made, expected in [
        (1, 2), (True, 1), (None, 0.0), ("a", None), ((1, 2), (1, 3)), ([1], [1, 2]), ([1, 2], (1, 2)), (cn.Series([1, 2]), np.array([1, 3])),
        (slice(0, 2), slice(0, 3)), ({"a": 1}, {"b": 1}), ({"a": ours(SERIES)}, {"a": SERIES.rename("y")}), ([ours(SERIES)], [SERIES + 1]),
        (cn.Index([1, 2]), pd.Series([1, 2])), (cn.Series([1, 2]), pd.Index([1, 2])), (cn.DataFrame({"a": [1]}), pd.Series([1], name="a")),
    ]:
        with pytest.raises(AssertionError):
            same(made, expected)
    same([None, 1.0, (2, "a")], [float("nan"), 1.0 + 1e-15, (2, "a")])
    same({"a": ours(FRAME), "b": [ours(SERIES)]}, {"a": FRAME, "b": [SERIES]})
    same(cn.Series([1, None, 2]), pd.Series([1, None, 2]))
    same(cn.Series([True, None]), pd.Series([True, None]))
