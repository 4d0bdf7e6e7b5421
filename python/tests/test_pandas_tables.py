"""Arguments of pandas for pivot_table, pivot and crosstab: the same calls on both."""

import re

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col

DATA = {
    "a": ["y", "x", "x", None, "y", "x"], "b": ["q", "p", "q", "p", "q", "q"], "c": [2, 1, 2, 2, 1, 2],
    "n": [1, 2, 3, 4, 6, 7], "m": [1.5, 2.5, None, 4.5, 5.5, 8.0],
}


def table(ours, theirs, margin=False):
    """The cells of both, by the labels of rows and columns, and the names of the row labels."""
    assert list(ours.index.names) == list(theirs.index.names)
    rows = [key if isinstance(key, tuple) else (key,) for key in ours.index.to_list()]
    labels = [key if isinstance(key, tuple) else (key,) for key in theirs.index]
    labels = [tuple(None if part != part else part for part in label) for label in labels]
    if margin:
        # The name of a margin is in the first level; that of numbers is null.
        assert rows[-1][0] in ("All", "Sum", None)
        rows, labels = [*rows[:-1], "last"], [*labels[:-1], "last"]
    assert rows == labels
    assert ours.to_pandas().columns.names == theirs.columns.names
    columns = ours.columns
    assert [str(label) for label in sorted(map(str, columns))] == sorted(str(label) for label in theirs.columns)
    for label in columns:
        same(ours[label].to_list(), theirs[label].tolist())


TABLES = {
    "mean": dict(values="m", index="a", columns="b"),
    "no columns": dict(values="m", index="a"),
    "no index": dict(values="n", columns="b", aggfunc="sum"),
    "values left out": dict(index=["a", "b"], columns="c", aggfunc="max"),
    "a list of values": dict(values=["n"], index="a", columns="b", aggfunc="sum"),
    "several values": dict(values=["n", "m"], index="a", columns="b", aggfunc="sum"),
    "a list": dict(values="n", index="a", columns="b", aggfunc=["sum", "mean"]),
    "a list of one": dict(values="n", index="a", columns="b", aggfunc=["sum"]),
    "a list of values and a list": dict(values=["n", "m"], index="a", columns="b", aggfunc=["min", "max"]),
    "a list without columns": dict(values="n", index="a", aggfunc=["sum", "count"]),
    "a dictionary": dict(index="a", columns="b", aggfunc={"n": "sum", "m": "max"}),
    "a dictionary of lists": dict(index="a", columns="b", aggfunc={"n": ["sum", "mean"], "m": "max"}),
    "a dictionary without columns": dict(index="a", aggfunc={"n": ["sum", "mean"], "m": "max"}),
    "functions by name": dict(values="n", index="a", columns="b", aggfunc=[np.sum, len, max]),
    "a function": dict(values="n", index="a", columns="b", aggfunc=lambda values: values.max() - values.min()),
    "a function beside a name": dict(index="a", columns="b", aggfunc={"n": lambda values: values.max() * 2, "m": "sum"}),
    "std": dict(values="n", index="b", aggfunc="std"),
    "prod": dict(values="n", index="b", columns="c", aggfunc="prod"),
    "size": dict(values="n", index="b", columns="c", aggfunc="size"),
    "fill_value": dict(values="n", index="a", columns=["b", "c"], aggfunc="sum", fill_value=-1),
    "margins": dict(values="n", index="a", columns="b", aggfunc="sum", margins=True),
    "margins of a name": dict(values="n", index="a", columns="b", aggfunc="mean", margins=True, margins_name="Sum"),
    "margins of numbers": dict(values="n", index="c", columns="b", aggfunc="sum", margins=True),
    "margins of a list": dict(values="n", index="a", columns="b", aggfunc=["sum", "mean"], margins=True),
    "margins without columns": dict(values=["n"], index="a", aggfunc="sum", margins=True),
    "null keys": dict(values="n", index="a", columns="b", aggfunc="sum", dropna=False),
    "in order of rows": dict(values="n", index="a", columns="b", aggfunc="sum", sort=False),
    "in order of rows with margins": dict(values="n", index=["a", "c"], columns="b", aggfunc="sum", sort=False, margins=True),
    "several in order of rows": dict(values=["n", "m"], index="a", columns="b", aggfunc="sum", sort=False),
}


@pytest.mark.parametrize("name", TABLES)
def test_pivot_table(name):
    arguments = TABLES[name]
    ours, theirs = cn.DataFrame(DATA).pivot_table(**arguments), pd.DataFrame(DATA).pivot_table(**arguments)
    table(ours, theirs, margin="margins" in arguments)
    if arguments.get("sort") is False:
        assert [label for label in ours.columns if label in list(theirs.columns)] == list(theirs.columns)
    table(cn.pivot_table(cn.DataFrame(DATA), **arguments), theirs, margin="margins" in arguments)


def test_pivot_table_of_little():
    frame = cn.DataFrame(DATA)
    empty = frame[:0].pivot_table("n", "a", "b")
    assert empty.columns == [] and empty.index.names == ["a"]
    made = frame[:1].pivot_table("n", "a", "b", aggfunc="sum", margins=True)
    assert made.to_dict() == {"q": [1, 1], "All": [1, 1]} and made.index.to_list() == ["y", "All"]
    assert frame.pivot_table(col("n").sum(), "a", margins="All").equals(frame.pivot_table("n", "a", aggfunc="sum", margins=True))
    assert frame.pivot_table("n", "a", aggfunc=None).equals(frame.pivot_table("n", "a"))


@pytest.mark.parametrize("arguments, kind, text", [
    (dict(values="n", index="zz"), KeyError, "pivot_table: index: there is no column 'zz'"),
    (dict(values="zz", index="a"), KeyError, "pivot_table: values: there is no column 'zz'"),
    (dict(index="a", aggfunc={"zz": "sum"}), KeyError, "pivot_table: aggfunc: there is no column 'zz'"),
    (dict(values="n"), ValueError, "pivot_table: give index, columns or both"),
    (dict(values="n", index="a", aggfunc="mode"), ValueError, "pivot_table: aggfunc 'mode' is none of size, sum"),
    (dict(values="n", index="a", observed=False), NotImplementedError, "pivot_table: observed=False"),
    (dict(values="n", index="a", margins=3), ValueError, "pivot_table: margins is True, False or a name, not 3"),
    (dict(values="n", index="a", margins=True, margins_name=3), ValueError, "pivot_table: margins_name is a text, not 3"),
    (dict(values="n", index="a", dropna="x"), ValueError, "pivot_table: dropna is True or False"),
    (dict(values="n", index="a", aggfunc=lambda v: 1, margins=True), NotImplementedError, "pivot_table: margins of functions of Python"),
    (dict(values=col("n").sum(), index="a", aggfunc="sum"), ValueError, "pivot_table: aggfunc is for labels"),
    (dict(values="n", index=col("a")), NotImplementedError, "pivot_table: index are labels of columns"),
])
def test_pivot_table_refuses(arguments, kind, text):
    with pytest.raises(kind, match=re.escape(text)):
        cn.DataFrame(DATA).pivot_table(**arguments)


def test_pivot():
    ours, theirs = cn.DataFrame(DATA)[:3], pd.DataFrame(DATA)[:3]
    table(ours.pivot(index=["a", "c"], columns="b", values="n"), theirs.pivot(index=["a", "c"], columns="b", values="n"))
    table(ours.pivot(columns=["b", "c"], index="a", values=["n", "m"]), theirs.pivot(columns=["b", "c"], index="a", values=["n", "m"]))
    made, expected = ours.with_index(cn.Index([5, 6, 7])).pivot(columns="b", values="n"), theirs.set_axis([5, 6, 7]).pivot(columns="b", values="n")
    table(made, expected)
    assert made.index.to_list() == [5, 6, 7]
    table(ours.pivot(columns="b", values=["n", "m"]), theirs.pivot(columns="b", values=["n", "m"]))
    with pytest.raises(ValueError, match="pivot: the entry \\(1, q\\) occurs more than once"):
        ours.with_index(cn.Index([1, 1, 1])).pivot(columns="b", values="n")
    with pytest.raises(KeyError, match="pivot: columns: there is no column 'zz'"):
        ours.pivot(columns="zz")


# Keys that are in no order.
UNSORTED = pd.DataFrame({
    "i": ["y", "x", "y", "x"], "j": [2, 1, 1, 2], "k": ["q", "p", "q", "p"], "c": [1.0, 2.0, 3.0, 4.0], "d": [5.0, 6.0, 7.0, 8.0],
})
LEVELS = {
    "list of one": lambda f, m: f.pivot(index="i", columns="j", values=["c"]),
    "list of one of the package": lambda f, m: m.pivot(f, index="i", columns="j", values=["c"]),
    "list of one and several keys": lambda f, m: f.pivot(index=["i", "k"], columns=["j"], values=["c"]),
    "rest of one": lambda f, m: f[["i", "j", "c"]].pivot(index="i", columns="j"),
    "row labels": lambda f, m: f.pivot(columns="j", values=["c"]),
    "row labels in no order": lambda f, m: f.set_axis(["p", "o", "n", "m"]).pivot(columns="j", values="c"),
    "row labels that come twice": lambda f, m: f.set_index("i").pivot(columns="j", values="c"),
    "row labels that come twice and the rest": lambda f, m: f[["i", "j", "c"]].set_index("i").pivot(columns="j"),
    "row labels of several levels": lambda f, m: f.set_index(["i", "k"]).pivot(columns="j", values=["c", "d"]),
    "order of several keys": lambda f, m: f.pivot(index="i", columns=["j", "k"], values="c"),
    "order of several keys and values": lambda f, m: f.pivot(index="i", columns=["j", "k"], values=["c", "d"]),
    "table of the rest": lambda f, m: f[["i", "j", "c"]].pivot_table(index="i", columns="j"),
    "table of the rest with margins": lambda f, m: f[["i", "j", "c"]].pivot_table(index="i", columns="j", margins=True),
    "table of the rest by a function": lambda f, m: f[["i", "j", "c"]].pivot_table(index="i", columns="j", aggfunc=lambda values: values.max()),
    "table of a list of one": lambda f, m: f.pivot_table(index="i", columns=["j", "k"], values=["c"], aggfunc="sum"),
    "number of rows": lambda f, m: f.pivot_table(index="i", columns="j", aggfunc="size"),
    "number of rows of values": lambda f, m: f.pivot_table(index="i", columns="j", values=["c", "d"], aggfunc="size", fill_value=0),
    "number of rows without columns": lambda f, m: f.pivot_table(index=["i", "k"], aggfunc="size"),
    "keys that are booleans": lambda f, m: f.assign(b=f["c"] > 2).pivot_table(index="i", columns="b", values="d"),
    "keys that are booleans, and margins": lambda f, m: f.assign(b=f["c"] > 2).pivot_table(
        index="i", columns="b", values="d", aggfunc="sum", margins=True,
    ),
    "pivot by booleans": lambda f, m: f.assign(b=f["c"] > 2).pivot(index="c", columns="b", values="d"),
    "crosstab of booleans": lambda f, m: m.crosstab(f["i"], f["c"] > 2, colnames=["b"]),
    "crosstab of booleans on both sides": lambda f, m: m.crosstab(f["d"] > 6, f["c"] > 2, rownames=["a"], colnames=["b"]),
    "unstack of levels": lambda f, m: f.set_index(["i", "j", "k"]).unstack(["j", "k"]),
    "unstack of levels in another order": lambda f, m: f.set_index(["i", "j", "k"])[["c"]].unstack(["k", "j"]),
    "unstack of levels of a series": lambda f, m: f.set_index(["i", "j", "k"])["c"].unstack(["i", "k"]),
    "unstack of a list of one": lambda f, m: f.set_index(["i", "j"])[["c"]].unstack(["j"]),
}


@pytest.mark.parametrize("name", LEVELS)
def test_levels_and_order_of_labels_of_columns(name):
    same(LEVELS[name](cn.from_pandas(UNSORTED), cn), LEVELS[name](UNSORTED, pd), whole=True)


CROSSTABS = {
    "counts": lambda f, m: m.crosstab(f["a"], f["b"]),
    "arrays": lambda f, m: m.crosstab([1, 2, 1], ["x", "y", "x"]),
    "several": lambda f, m: m.crosstab([f["a"], f["c"]], f["b"]),
    "several columns": lambda f, m: m.crosstab(f["a"], [f["b"], f["c"]]),
    "rownames": lambda f, m: m.crosstab(f["a"], f["b"], rownames=["row"], colnames=["column"]),
    "the same name": lambda f, m: m.crosstab(f["b"], f["b"]),
    "values": lambda f, m: m.crosstab(f["a"], f["b"], values=f["n"], aggfunc="sum"),
    "values and a function": lambda f, m: m.crosstab(f["a"], f["b"], values=f["n"], aggfunc=lambda values: values.max()),
    "values and a name of numpy": lambda f, m: m.crosstab(f["a"], f["b"], values=f["n"], aggfunc=np.max),
    "null keys": lambda f, m: m.crosstab(f["c"], f["b"], dropna=False),
    **{f"shares of {kind}": (lambda f, m, kind=kind: m.crosstab(f["a"], f["b"], normalize=kind)) for kind in (True, "all", "index", "columns", 0, 1)},
    "shares of values": lambda f, m: m.crosstab(f["a"], f["b"], values=f["n"], aggfunc="mean", normalize="all"),
    "shares of several": lambda f, m: m.crosstab([f["a"], f["c"]], f["b"], normalize="columns"),
    "rows that both have": lambda f, m: m.crosstab(f["a"], f["b"][1:5]),
}
MARGINS = {
    "counts": lambda f, m: m.crosstab(f["a"], f["b"], margins=True),
    "a name": lambda f, m: m.crosstab(f["a"], f["b"], margins=True, margins_name="Sum"),
    "several": lambda f, m: m.crosstab([f["a"], f["c"]], f["b"], margins=True),
    "of numbers": lambda f, m: m.crosstab(f["c"], f["b"], margins=True),
    "values": lambda f, m: m.crosstab(f["a"], f["b"], values=f["n"], aggfunc="mean", margins=True),
    "shares of all": lambda f, m: m.crosstab(f["a"], f["b"], margins=True, normalize=True),
    "shares of values": lambda f, m: m.crosstab(f["a"], f["b"], values=f["n"], aggfunc="mean", margins=True, normalize="index"),
}


@pytest.mark.parametrize("name", CROSSTABS)
def test_crosstab(name):
    table(CROSSTABS[name](cn.DataFrame(DATA), cn), CROSSTABS[name](pd.DataFrame(DATA), pd))


@pytest.mark.parametrize("name", MARGINS)
def test_crosstab_with_margins(name):
    table(MARGINS[name](cn.DataFrame(DATA), cn), MARGINS[name](pd.DataFrame(DATA), pd), margin=True)


def test_shares_of_rows_and_columns_with_margins():
    for kind in ("index", "columns"):
        ours = cn.crosstab(cn.Series(DATA["a"]), cn.Series(DATA["b"]), margins=True, normalize=kind)
        theirs = pd.crosstab(pd.Series(DATA["a"]), pd.Series(DATA["b"]), margins=True, normalize=kind)
        table(ours, theirs, margin=kind == "index")


def test_crosstab_of_no_rows():
    none = cn.Series([], dtype="utf8")
    assert cn.crosstab(none, none, normalize=True).shape == cn.crosstab(none, none, margins=True, normalize="index").shape == (0, 0)


@pytest.mark.parametrize("arguments, kind, text", [
    (dict(values=cn.Series([1])), ValueError, "crosstab: values and aggfunc are given together"),
    (dict(normalize="rows"), ValueError, 'crosstab: normalize is True, False, "all", "index" or "columns", not \'rows\''),
    (dict(normalize=3), ValueError, "crosstab: normalize is True"),
    (dict(rownames=["a", "b"]), ValueError, "crosstab: rownames has 1 names, a list of them"),
    (dict(margins=3), ValueError, "crosstab: margins is True, False or a name, not 3"),
    (dict(values=cn.Series([1]), aggfunc=lambda v: 1, margins=True), NotImplementedError, "crosstab: margins of functions"),
])
def test_crosstab_refuses(arguments, kind, text):
    with pytest.raises(kind, match=re.escape(text)):
        cn.crosstab(cn.Series(["a"]), cn.Series(["b"]), **arguments)
