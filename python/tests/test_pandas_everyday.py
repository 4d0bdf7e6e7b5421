"""Short calls of everyday work, on both: values, dtypes and labels of what they give."""

import columnade as cn
import pandas as pd
import pytest

from beside import same

DATA = {
    "k": ["a", "b", "a", "c", "b", "a"], "x": [1, 2, 3, 4, 5, 6], "y": [1.5, None, 2.5, 3.25, None, 0.5],
    "b": [True, False, True, True, False, False], "s": ["banana split", "apple pie", "fig", "Cherry", "banana bread", "date cake"],
}
CALLS = {
    "number of rows of groups with keys as columns": lambda f, m: f.groupby(["k", "b"], as_index=False).agg(n=("x", "size")),
    "number of rows by a dictionary": lambda f, m: f.groupby("k", as_index=False).agg({"x": "size"}),
    "number of rows beside a sum": lambda f, m: f.groupby("k", as_index=False).agg(n=("x", "sum"), m=("x", "size")),
    "number of rows as labels": lambda f, m: f.groupby("k").agg(n=("x", "size")),
    "means in place of nulls": lambda f, m: f[["x", "y"]].fillna(f[["x", "y"]].mean()),
    "numbers in place of nulls": lambda f, m: f[["x", "y"]].fillna({"x": 0.5, "y": 0.0}),
    "table of one column by a dictionary": lambda f, m: f.pivot_table(index="k", columns="b", values="x", aggfunc={"x": "max"}),
    "table of one column by names": lambda f, m: f.pivot_table(index="k", values="x", aggfunc={"x": ["min", "max"]}),
    "table of one column by names, with columns": lambda f, m: f.pivot_table(index="k", columns="b", values="x", aggfunc={"x": ["min", "max"]}),
    "table of a list by a name": lambda f, m: f.pivot_table(index="k", columns="b", values=["x"], aggfunc={"x": ["max"]}),
    "searchsorted of a value": lambda f, m: int(f["x"].searchsorted(3)),
    "searchsorted of a value in labels": lambda f, m: int(f.index.searchsorted(3)),
    "searchsorted of values": lambda f, m: [int(place) for place in f["x"].searchsorted([3, 1]).tolist()],
    "times of parts": lambda f, m: m.to_datetime({"year": [2024], "month": [2], "day": [3]}),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    same(CALLS[name](cn.DataFrame(DATA), cn), CALLS[name](pd.DataFrame(DATA), pd))
