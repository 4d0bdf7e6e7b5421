"""`apply`, `map` and `transform`: the same calls on both, with values, labels and their names compared."""

import re

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

DATA = {"g": [1, 1, 2, 2, 1, 1], "x": [1.0, 2.0, None, 4.0, 2.0, 7.0], "y": [3, 1, 2, 5, 4, 9]}


CALLS = {
    "a value": lambda f, m: f.apply(lambda c: c.max()), "values": lambda f, m: f.apply(lambda c: c * 2), "a name": lambda f, m: f.apply("sum"),
    "a name by row": lambda f, m: f.apply("sum", axis=1), "numpy": lambda f, m: f.apply(np.sum), "a ufunc": lambda f, m: f.apply(np.sqrt),
    "a list": lambda f, m: f.apply(["sum", "max"]), "a dictionary": lambda f, m: f.apply({"x": "sum", "y": "max"}),
    "a row": lambda f, m: f[["g", "y"]].apply(lambda r: r["g"] + r["y"], axis=1), "attributes": lambda f, m: f[["g", "y"]].apply(lambda r: r.g + r.y, axis="columns"),
    "the label of a row": lambda f, m: f.apply(lambda r: r.name * 2, axis=1), "a method of a row": lambda f, m: f[["g", "y"]].apply(lambda r: r.max(), axis=1),
    "expand": lambda f, m: f[["g", "y"]].apply(lambda r: [r["g"], r["y"]], axis=1, result_type="expand"),
    "expand tuples": lambda f, m: f[["g", "y"]].apply(lambda r: (r["g"], r["y"]), axis=1, result_type="expand"),
    "expand dictionaries": lambda f, m: f[["g", "y"]].apply(lambda r: {"a": r["g"]}, axis=1, result_type="expand"),
    "expand values": lambda f, m: f[["g", "y"]].apply(lambda r: r["g"], axis=1, result_type="expand"),
    "broadcast": lambda f, m: f[["g", "y"]].apply(lambda r: [r["g"], r["y"] * 2], axis=1, result_type="broadcast"),
    "broadcast a value": lambda f, m: f[["g", "y"]].apply(lambda r: r["g"], axis=1, result_type="broadcast"),
    "reduce": lambda f, m: f[["g", "y"]].apply(lambda r: r["g"], axis=1, result_type="reduce"),
    "series of rows": lambda f, m: f[["g", "y"]].apply(lambda r: m.Series([r["g"], r["y"]], index=["p", "q"]), axis=1),
    "some rows": lambda f, m: f[["g", "y"]].apply(lambda c: c.head(2)), "other rows": lambda f, m: f[["g", "y"]].apply(lambda c: c[c > 2 - (c.max() > 5)]),
    "other labels": lambda f, m: f[["g", "y"]].apply(lambda c: c.value_counts()), "lists": lambda f, m: f[["g", "y"]].apply(lambda c: [1, 2]),
    "arguments": lambda f, m: f[["g", "y"]].apply(lambda c, k, more: c.sum() + k + more, args=(3,), more=4),
    "raw": lambda f, m: f[["g", "y"]].apply(lambda c: c.sum(), raw=True), "raw by row": lambda f, m: f[["g", "y"]].apply(lambda r: r.sum(), axis=1, raw=True),
    "max by row": lambda f, m: f[["g", "y"]].apply(max, axis=1), "sum by row": lambda f, m: f[["g", "y"]].apply(sum, axis=1),
    "text": lambda f, m: f[["g", "y"]].apply(lambda r: "z", axis=1), "a series": lambda f, m: f["y"].apply(lambda v: v + 1),
    "a series by name": lambda f, m: f["y"].apply("sum"), "a series by list": lambda f, m: f["y"].apply(["min", "max"]),
    "a series by numpy": lambda f, m: f["y"].apply(np.sqrt), "a series with arguments": lambda f, m: f["y"].apply(lambda v, k: v + k, args=(2,)),
    "a series of series": lambda f, m: f["y"].apply(lambda v: m.Series([v, v * 2], index=["a", "b"])), "map": lambda f, m: f[["g", "y"]].map(lambda v: v * 2),
    "map of a series": lambda f, m: f["y"].map({3: 30, 9: 90}), "transform": lambda f, m: f[["g", "y"]].transform(lambda c: c - c.mean()),
    "transform by name": lambda f, m: f[["g", "y"]].transform("cumsum"), "transform by list": lambda f, m: f[["g", "y"]].transform(["cumsum", "cummax"]),
    "transform by column": lambda f, m: f[["g", "y"]].transform({"g": "cumsum", "y": "cummax"}), "transform with arguments": lambda f, m: f[["g", "y"]].transform("clip", lower=2),
    "transform of a series by list": lambda f, m: f["y"].transform(["cumsum", "cummax"]),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_are_shaped_as_in_pandas(name):
    labels = list("pqrstu")
    ours, theirs = cn.DataFrame(DATA).with_index(cn.Index(labels).rename("lab")), pd.DataFrame(DATA).set_index(pd.Index(labels, name="lab"))
    same(CALLS[name](ours, cn), CALLS[name](theirs, pd))


FRAME = cn.DataFrame({"a": [1, 2], "b": [3, 4]})
REFUSED = {
    "result_type": (lambda: FRAME.apply(len, result_type="x"), ValueError, "apply: result_type is None, 'expand'"),
    "engine": (lambda: FRAME.apply(len, engine="numba"), NotImplementedError, "apply: engine"),
    "broadcast": (lambda: FRAME.apply(lambda r: [1], axis=1, result_type="broadcast"), ValueError, "a value for each of 2 columns, not 1"),
    "axis": (lambda: FRAME.apply(len, axis=2), ValueError, "apply: axis is 0 or 1"),
    "transform by row": (lambda: FRAME.transform("cumsum", axis=1), NotImplementedError, "transform: axis=1"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_say_why(name):
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=re.escape(text)) as found:
        call()
    assert isinstance(found.value, cn.ColumnadeError)
