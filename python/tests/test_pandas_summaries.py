"""Results that pandas labels by row: the same calls on both, with values, dtypes, labels and their names compared."""

import re

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

DATA = {
    "k": ["a", "b", "a", "c", "b", "a"], "g": [1, 1, 2, 2, 1, 1], "x": [1.0, 2.0, None, 4.0, 2.0, 7.0], "y": [3, 1, 2, 5, 4, 9],
    "t": [True, False, True, True, False, False],
}
LABELS = list("pqrstu")


def ours():
    return cn.DataFrame(DATA).with_index(cn.Index(LABELS).rename("lab"))


def theirs():
    return pd.DataFrame(DATA).set_index(pd.Index(LABELS, name="lab"))


CALLS = {
    "value_counts": lambda f, m: f["k"].value_counts(),
    "value_counts as shares": lambda f, m: f["k"].value_counts(normalize=True),
    "value_counts with nulls": lambda f, m: f["x"].value_counts(dropna=False),
    "value_counts ascending": lambda f, m: f["g"].value_counts(ascending=True),
    "value_counts unsorted": lambda f, m: f["k"].value_counts(sort=False),
    "value_counts called count": lambda f, m: f["k"].rename("count").value_counts(),
    "value_counts without a name": lambda f, m: f["k"].rename(None).value_counts(),
    "value_counts of labels": lambda f, m: f.index.value_counts(),
    "value_counts of a frame": lambda f, m: f[["k", "g"]].value_counts(),
    "value_counts of rows as shares": lambda f, m: f[["k", "g"]].value_counts(normalize=True),
    "describe": lambda f, m: f.describe(),
    "describe numbers": lambda f, m: f.describe(include=["number"], percentiles=[0.1, 0.5]),
    "describe a label": lambda f, m: f.rename(columns={"x": "statistic", "y": "column"}).describe(),
    "describe a series": lambda f, m: f["x"].describe(),
    "describe integers": lambda f, m: f["y"].describe(percentiles=[0.5]),
    "describe groups": lambda f, m: f.groupby("k")[["x", "y"]].describe(),
    "describe a column of groups": lambda f, m: f.groupby("k")["y"].describe(),
    "corr": lambda f, m: f[["x", "y"]].corr(),
    "corr of numbers": lambda f, m: f[["k", "x", "y"]].corr(numeric_only=True),
    "corr by rank": lambda f, m: f[["x", "y", "g"]].corr("spearman"),
    "corr of few rows": lambda f, m: f[["x", "y"]].corr(min_periods=6),
    "corr of a label": lambda f, m: f[["x", "y"]].rename(columns={"x": "column"}).corr(),
    "corr of numbered columns": lambda f, m: f[["x", "y"]].rename(columns={"x": 3, "y": 1}).corr(),
    "corr of groups": lambda f, m: f.groupby("g")[["x", "y"]].corr(),
    "corr of groups by rank": lambda f, m: f.groupby("g")[["x", "y"]].corr(method="spearman"),
    "cov": lambda f, m: f[["x", "y"]].cov(),
    "cov ddof": lambda f, m: f[["y", "g"]].cov(ddof=0),
    "cov of groups": lambda f, m: f.groupby("g")[["y"]].cov(),
    "idxmax": lambda f, m: f[["x", "y"]].idxmax(),
    "idxmin": lambda f, m: f[["x", "y"]].idxmin(),
    "idxmax of numbers": lambda f, m: f[["k", "x", "y"]].idxmax(numeric_only=True),
    "idxmax by row": lambda f, m: f[["x", "y"]].idxmax(axis=1),
    "idxmin by row": lambda f, m: f[["g", "y", "x"]].idxmin(axis=1),
    "idxmax of a series": lambda f, m: f["x"].idxmax(),
    "quantiles": lambda f, m: f[["x", "y"]].quantile([0.25, 0.5]),
    "a quantile": lambda f, m: f[["x", "y"]].quantile(0.25),
    "the median": lambda f, m: f[["g", "y"]].quantile(),
    "quantiles of a series": lambda f, m: f["x"].quantile([0.25, 0.5]),
    "quantile of a series": lambda f, m: f["x"].quantile(0.25),
    "quantiles of groups": lambda f, m: f.groupby("k")[["x", "y"]].quantile([0.25, 0.5]),
    "quantiles of a column of groups": lambda f, m: f.groupby(["k", "g"])["y"].quantile([0.25, 0.5]),
    "mode": lambda f, m: f[["k", "g", "x"]].mode(),
    "mode of a series": lambda f, m: f["x"].mode(),
    "modes of a series": lambda f, m: f["y"].mode(),
    "nunique": lambda f, m: f.nunique(),
    "nunique with nulls": lambda f, m: f.nunique(dropna=False),
    "nunique by row": lambda f, m: f[["g", "y"]].nunique(axis=1),
    "nunique by row with nulls": lambda f, m: f[["x", "y"]].nunique(axis=1, dropna=False),
    "skew": lambda f, m: f[["x", "y"]].skew(),
    "kurt": lambda f, m: f[["x", "y"]].kurt(),
    "sem": lambda f, m: f[["x", "y"]].sem(),
    "number of nulls": lambda f, m: f.isna().sum(),
    "count": lambda f, m: f.count(),
    "any": lambda f, m: f[["t"]].any(),
    "all": lambda f, m: f[["t"]].all(),
    "all by row": lambda f, m: f[["t"]].all(axis=1),
    "agg of a list": lambda f, m: f[["x", "y"]].agg(["sum", "mean"]),
    "agg of a list of integers": lambda f, m: f[["g", "y"]].agg(["sum", "max"]),
    "agg of a name": lambda f, m: f[["x", "y"]].agg("sum"),
    "agg of a name with arguments": lambda f, m: f[["x", "y"]].agg("var", ddof=0),
    "agg by column": lambda f, m: f.agg({"x": "sum", "y": "max"}),
    "agg of integers by column": lambda f, m: f.agg({"g": "sum", "y": "max"}),
    "agg of lists by column": lambda f, m: f.agg({"x": ["sum", "min"], "y": ["max"]}),
    "agg of a list and a name": lambda f, m: f.agg({"y": "max", "x": ["sum", "min"]}),
    "agg by label": lambda f, m: f.agg(lo=("x", "min"), hi=("y", "max")),
    "agg of a NamedAgg": lambda f, m: f.agg(lo=m.NamedAgg("y", "min"), hi=m.NamedAgg("y", "max")),
    "agg of functions": lambda f, m: f[["x", "y"]].agg([np.sum, "mean"]),
    "agg of a function": lambda f, m: f[["x", "y"]].agg(lambda values: values.max()),
    "agg of functions of Python": lambda f, m: f[["x", "y"]].agg([lambda values: values.max(), "min"]),
    "agg by row": lambda f, m: f[["x", "y"]].agg("sum", axis=1),
    "agg of a list by row": lambda f, m: f[["x", "y"]].agg(["sum", "min"], axis=1),
    "agg of text": lambda f, m: f[["k"]].agg(["min", "max"]),
    "agg of a series": lambda f, m: f["x"].agg("sum"),
    "agg of a series by list": lambda f, m: f["x"].agg(["sum", "mean"]),
    "agg of a series by label": lambda f, m: f["x"].agg({"a": "sum", "b": "mean"}),
    "agg of a series of integers": lambda f, m: f["y"].agg(["min", "max"]),
    "agg of a series, two functions": lambda f, m: f["y"].agg([lambda values: values.max(), lambda values: values.min()]),
    "corrwith": lambda f, m: f[["x", "y"]].corrwith(f["y"]),
    "pivot of two": lambda f, m: f.pivot(index="y", columns="k", values=["x", "g"]),
    "pivot of all": lambda f, m: f.drop(columns="t").pivot(index="y", columns="k"),
    "pivot of two keys": lambda f, m: f.pivot(index=["y", "g"], columns="k", values="x"),
    "pivot of rows": lambda f, m: f.pivot(columns="k", values="x"),
    "pivot_table": lambda f, m: f.pivot_table(index="k", columns="g", values="y"),
    "pivot_table of two keys": lambda f, m: f.pivot_table(index=["k", "g"], values="y", aggfunc="sum"),
    "pivot_table of two": lambda f, m: f.pivot_table(index="k", values=["x", "y"], aggfunc="sum"),
    "pivot_table of two, sorted": lambda f, m: f.pivot_table(index="k", values=["y", "x"], aggfunc="sum"),
    "pivot_table of two, as given": lambda f, m: f.pivot_table(index="k", values=["y", "x"], aggfunc="sum", sort=False),
    "pivot_table of a dictionary, sorted": lambda f, m: f.pivot_table(index="k", aggfunc={"y": ["sum", "max"], "x": "mean"}),
    "pivot_table of columns, sorted": lambda f, m: f.pivot_table(index="k", columns="g", values=["y", "x"], aggfunc=["sum", "max"]),
    "pivot_table of lists": lambda f, m: f.pivot_table(index="k", columns="g", values="y", aggfunc=["sum", "max"]),
    "pivot_table without index": lambda f, m: f.pivot_table(columns="g", values="y", aggfunc="sum"),
    "pivot_table without index of two": lambda f, m: f.pivot_table(columns="g", values=["x", "y"], aggfunc="sum"),
    "pivot_table without index of a list": lambda f, m: f.pivot_table(columns="g", values=["x", "y"], aggfunc=["sum", "mean"]),
    "pivot_table without index of keys": lambda f, m: f.pivot_table(columns=["k", "g"], values="y", aggfunc="sum"),
    "pivot_table with margins": lambda f, m: f.pivot_table(index="k", columns="g", values="y", aggfunc="sum", margins=True),
    "crosstab": lambda f, m: m.crosstab(f["k"], f["g"]),
    "crosstab of several": lambda f, m: m.crosstab([f["k"], f["t"]], [f["g"], f["y"]]),
}


@pytest.mark.parametrize("name", CALLS)
def test_results_are_labelled_as_in_pandas(name):
    # Columns under tuples have one level here.
    same(CALLS[name](ours(), cn), CALLS[name](theirs(), pd))


def test_descriptions_of_text_are_text():
    made, expected = ours()["k"].describe(), theirs()["k"].describe()
    assert made.index.to_list() == list(expected.index) and made.to_list() == list(map(str, expected)) and made.name == "k"
    made, expected = ours().describe(include="all"), theirs().describe(include="all")
    assert made.index.to_list() == list(expected.index) and made.columns == list(expected.columns)


def test_bins_are_labels():
    made, expected = ours()["y"].value_counts(bins=3), theirs()["y"].value_counts(bins=3)
    assert [str(label) for label in made.index.to_list()] == [str(label) for label in expected.index]
    assert made.to_list() == expected.tolist() and made.index.name is None and made.name == "count"


def test_expressions_give_a_row():
    made = ours().agg(cn.col("x").sum(), top=cn.col("y").max())
    assert made.to_dict() == {"x": [16.0], "top": [9]}
    assert ours().agg([cn.col("x").sum()]).shape == (1, 1)


REFUSED = {
    "no common dtype": (lambda f: f[["k"]].agg(["count", "max"]), TypeError, "agg: column 'k': count int64, max utf8 have no common dtype"),
    "text beside numbers": (lambda f: f.agg({"k": "max", "y": "max"}), TypeError, "agg: values of several dtypes have no series: 'k' utf8, 'y' int64"),
    "no such column": (lambda f: f.agg({"zz": "sum"}), KeyError, "agg: there is no column 'zz'"),
    "no such name": (lambda f: f.agg(["nothing"]), ValueError, "agg: there is no aggregate 'nothing'"),
    "several values": (lambda f: f[["y"]].agg(["cumsum"]), NotImplementedError, "agg: cumsum gives several values"),
    "no tuple": (lambda f: f.agg(a="sum"), TypeError, "agg: a is a column and an aggregate, or an expression, not 'sum'"),
    "nothing": (lambda f: f.agg(), TypeError, "agg: give aggregates"),
    "corr of text": (lambda f: f.corr(), TypeError, "corr: expression k.corr(k): expression k: dtype utf8"),
    "skipna": (lambda f: f[["y"]].idxmax(skipna=False), NotImplementedError, "idxmax: skipna=False"),
    "rows of text": (lambda f: f.idxmax(axis=1), TypeError, "idxmax: axis=1 is of columns of numbers"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_say_why(name):
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=re.escape(text)) as found:
        call(ours())
    assert isinstance(found.value, cn.ColumnadeError)
