"""Keys of groups beside pandas: functions, dictionaries, arrays, series, levels of row labels and mixtures of them."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import same

DATA = {
    "k": ["b", "a", "b", "a", "b", "c"], "w": [3.0, 1.0, None, 5.0, 3.0, 2.0], "a": [1, 2, 3, 5, 6, 7], "b": [7, 6, 5, 3, 2, 1],
}
LABELS = ["x1", "y1", "x2", "y2", "z1", "x3"]
NUMBERS = [1, 2, 1, 2, 1, 2]
NAMES = {"x1": "X", "x2": "X", "y1": "Y", "z1": "Z"}


def series(frame, values, index, name=None):
    return (cn.Series(values, name=name).with_index(cn.Index(index)) if isinstance(frame, cn.DataFrame) else pd.Series(values, index=index, name=name))


def first(label):
    return label[0]


CALLS = {
    "function": lambda f: f.groupby(first)["a"].sum(),
    "function of named labels": lambda f: f.rename_axis("L").groupby(first)["a"].sum(),
    "function, all columns": lambda f: f.groupby(len).count(),
    "function, in the order of rows": lambda f: f.groupby(first, sort=False)["a"].max(),
    "function, keys as columns": lambda f: f.groupby(first, as_index=False)["a"].sum(),
    "function, apply": lambda f: f.groupby(first).apply(lambda rows: rows["a"].sum()),
    "function, transform": lambda f: f.groupby(first)["w"].transform("mean"),
    "function, groups": lambda f: {key: list(labels) for key, labels in f.groupby(first).groups.items()},
    "function, value_counts": lambda f: f.groupby(first)["k"].value_counts(),
    "function, describe": lambda f: f.groupby(first)["w"].describe(),
    "function, corr": lambda f: f.groupby(first)[["a", "b"]].corr(),
    "function, rolling": lambda f: f.groupby(first)["w"].rolling(1).sum(),
    "function, rolling of a list": lambda f: f.groupby(first)[["w"]].rolling(1).max(),
    "function, quantiles": lambda f: f.groupby(first)["a"].quantile([0.25, 0.5]),
    "function, largest": lambda f: f.groupby(first)["a"].nlargest(1),
    "dictionary": lambda f: f.groupby(NAMES)["a"].sum(),
    "dictionary, named labels": lambda f: f.rename_axis("L").groupby(NAMES)["a"].sum(),
    "dictionary, all columns": lambda f: f.groupby(NAMES).max(),
    "array": lambda f: f.groupby(np.array(NUMBERS))["a"].sum(),
    "array, head": lambda f: f.groupby(np.array(NUMBERS)).head(1),
    "list of values": lambda f: f.groupby(list("ppqqpp"))["a"].sum(),
    "list of numbers": lambda f: f.groupby(NUMBERS)[["a", "b"]].mean(),
    "own series": lambda f: f.groupby(f["k"]).sum(),
    "own series as a value": lambda f: f.groupby(f["a"])["a"].sum(),
    "own series, iterated": lambda f: [[key, rows] for key, rows in f.groupby(f["k"])],
    "computed": lambda f: f.groupby(f["a"] > 2)["w"].sum(),
    "computed, all columns": lambda f: f.groupby(f["a"] > 2).sum(numeric_only=True),
    "computed, keys as columns": lambda f: f.groupby(f["a"] > 2, as_index=False)["w"].sum(),
    "computed, of its own column": lambda f: f.groupby(f["k"].str.upper())["k"].count(),
    "without a name": lambda f: f.groupby(series(f, NUMBERS, LABELS))["a"].sum(),
    "in another order": lambda f: f.groupby(series(f, NUMBERS, LABELS[::-1], "g"))["a"].sum(),
    "of some rows": lambda f: f.groupby(series(f, [1, 2], LABELS[:2], "g"))["a"].sum(),
    "index": lambda f: f.groupby(f.index)["a"].sum(),
    "series and label": lambda f: f.groupby([f["a"] > 2, "k"])["w"].sum(),
    "array and label": lambda f: f.groupby([np.array(NUMBERS), "k"]).sum(),
    "array and label, keys as columns": lambda f: f.groupby([np.array(NUMBERS), "k"], as_index=False)["a"].sum(),
    "two arrays": lambda f: f.groupby([np.array(NUMBERS), np.array(list("ababab"))])["w"].sum(),
    "function and label": lambda f: f.groupby([first, "k"])["w"].sum(),
    "list of one, iterated": lambda f: [[key, rows] for key, rows in f.groupby(["k"])],
    "list of one, a column": lambda f: [[key, rows] for key, rows in f.groupby(["k"])["w"]],
    "list of one, a group": lambda f: f.groupby(["k"]).get_group(("a",)),
    "level by its name": lambda f: f.set_index(["k", "b"]).groupby(level="k").sum(),
    "level by its number": lambda f: f.set_index(["k", "b"]).groupby(level=-1)["a"].sum(),
    "levels": lambda f: f.set_index(["k", "b"]).groupby(level=["b", "k"])["a"].sum(),
    "level as a key": lambda f: f.set_index(["k", "b"]).groupby("k").sum(),
    "level as a key, head": lambda f: f.set_index(["k", "b"]).groupby("k").head(1),
    "level as a key, transform": lambda f: f.set_index(["k", "b"]).groupby("k")["w"].transform("sum"),
    "label and level": lambda f: f.set_index(["k", "b"]).groupby(["a", "k"])["w"].sum(),
    "level and label": lambda f: f.set_index(["k", "b"]).groupby(["k", "a"])["w"].sum(),
    "level beside a column of its name": lambda f: f.rename_axis("k").groupby(level="k")["k"].count(),
    "function of a level": lambda f: f.set_index(["k", "b"]).groupby(str.upper, level="k")["a"].sum(),
    "dictionary of a level": lambda f: f.set_index(["k", "b"]).groupby({"a": "A", "b": "A"}, level="k")["a"].sum(),
    "without keys of groups": lambda f: f.groupby("k", group_keys=False).apply(lambda rows: rows.head(1)),
    "without keys of groups, same rows": lambda f: f.groupby("k", group_keys=False)[["a", "b"]].apply(lambda rows: rows * 2),
    "without keys of groups, a column": lambda f: f.groupby("k", group_keys=False)["a"].apply(lambda values: values * 2),
    "rows of series": lambda f: f.groupby("k").apply(lambda rows: rows[["a", "b"]].sum()),
    "values, keys as columns": lambda f: f.groupby("k", as_index=False)["a"].apply(lambda values: values.max()),
    "series by function": lambda f: f["a"].groupby(first).sum(),
    "series by list": lambda f: f["a"].groupby(NUMBERS).mean(),
    "series by series": lambda f: f["a"].groupby([f["k"], f["b"] > 3]).sum(),
    "series by itself": lambda f: f["k"].groupby(f["k"]).count(),
    "series by level": lambda f: f.set_index(["k", "b"])["a"].groupby("k").sum(),
}


def frames():
    return cn.DataFrame(DATA).with_index(cn.Index(LABELS)), pd.DataFrame(DATA, index=LABELS)


@pytest.mark.parametrize("name", CALLS)
def test_keys(name):
    ours, theirs = frames()
    same(CALLS[name](ours), CALLS[name](theirs), whole=name == "of some rows")


@pytest.mark.parametrize("call, kind, text", [
    (lambda f: f.groupby(), TypeError, "groupby: give by or level"),
    (lambda f: f.groupby([]), ValueError, "groupby: there is no key"),
    (lambda f: f.groupby("zz"), KeyError, "groupby: there is no column and no level of the row labels 'zz'"),
    (lambda f: f.groupby(("k", "a")), KeyError, "('k', 'a')"),
    (lambda f: f.groupby(["k", "zz"]), KeyError, "'zz'"),
    (lambda f: f.groupby(np.array([1, 2])), ValueError, "groupby: a key has 2 values for 6 rows"),
    (lambda f: f.groupby([[1, 2]]), ValueError, "groupby: a key has 2 values for 6 rows"),
    (lambda f: f.rename_axis("k").groupby("k"), ValueError, "groupby: 'k' is both a level of the row labels and a column"),
    (lambda f: f.groupby(level="zz"), ValueError, "groupby: there is no level 'zz' of the row labels"),
    (lambda f: f.groupby(level=7), IndexError, "groupby: level 7 is out of bounds"),
    (lambda f: f["a"].groupby("a"), KeyError, "'a'"),
    (lambda f: f["a"].groupby(NUMBERS, as_index=False), TypeError, "groupby: as_index=False is of frames"),
])
def test_refused(call, kind, text):
    ours, theirs = frames()
    with pytest.raises(kind) as error:
        call(ours)
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value)
    with pytest.raises(Exception):
        call(theirs).sum()
