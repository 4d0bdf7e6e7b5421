"""Arguments of pandas for groups of frames and of series: the same calls on both."""

import re

import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col

from beside import same

DATA = {
    "k": ["b", "a", "b", None, "a", "b", "c"], "n": [3.0, 1.0, None, 4.0, 5.0, 3.0, None], "x": [0.5, -1.5, 2.0, 2.0, 9.25, 0.25, 1.0],
}
LABELS = [3, 3, 4, 5, 7, 8, 9]


def spread(values):
    return values.max() - values.min() if values.count() else None


CALLS = {
    "cumcount": lambda f: f.dropna(subset=["k"]).groupby("k").cumcount(),
    "cumcount back": lambda f: f.dropna(subset=["k"]).groupby("k").cumcount(ascending=False),
    "cumcount back of a column": lambda f: f.dropna(subset=["k"]).groupby("k")["x"].cumcount(ascending=False),
    "ngroup back": lambda f: f.groupby("k").ngroup(ascending=False),
    "ngroup back of a column": lambda f: f.groupby("k")["x"].ngroup(False),
    "nth of several": lambda f: f.groupby("k").nth([0, -1]),
    "nth of a slice": lambda f: f.groupby("k")["x"].nth(slice(1, None)),
    "nth from the end": lambda f: f.groupby("k")["x"].nth(slice(-2, -1)),
    "nth by two": lambda f: f.groupby("k").nth(slice(None, None, 2)),
    "nth without nulls": lambda f: f.groupby("k").nth(1, dropna="any"),
    "nunique with nulls": lambda f: f.groupby("k").nunique(dropna=False),
    "nunique of a column with nulls": lambda f: f.groupby("k")["n"].nunique(dropna=False),
    **{f"{name} of enough": (lambda f, name=name: getattr(f.groupby("k"), name)(min_count=2)) for name in ("first", "last", "min", "max")},
    **{f"{name} of a column": (lambda f, name=name: getattr(f.groupby("k")["n"], name)(min_count=2)) for name in ("first", "last", "min", "max")},
    "min of numbers": lambda f: f.assign(s="t").groupby("k").min(numeric_only=True, min_count=1),
    "describe": lambda f: f.groupby("k").describe(percentiles=[0.1, 0.5]),
    "describe of some": lambda f: f.groupby("k").describe(include=["float64"]),
    "describe without some": lambda f: f.assign(i=1).groupby("k").describe(exclude="float64"),
    "describe of a column": lambda f: f.groupby("k")["x"].describe(percentiles=[0.9]),
    "shift": lambda f: f.groupby("k").shift(periods=-1),
    "shift with a value": lambda f: f.dropna(subset=["k"]).groupby("k")["x"].shift(1, fill_value=0.0),
    "shift by several": lambda f: f.dropna(subset=["k"]).groupby("k").shift([0, 1], suffix="_s"),
    "shift of a column by several": lambda f: f.groupby("k")["x"].shift(periods=[1, -1]),
    "diff": lambda f: f.groupby("k").diff(periods=2),
    "diff of a column": lambda f: f.groupby("k")["x"].diff(periods=-1),
    "pct_change": lambda f: f.groupby("k")["x"].pct_change(periods=1, fill_method=None),
    "rank": lambda f: f.groupby("k").rank(method="min", ascending=False, na_option="keep", pct=True),
    "rank with nulls first": lambda f: f.groupby("k").rank(na_option="top"),
    "rank with nulls last": lambda f: f.groupby("k")["x"].rank(na_option="bottom", ascending=False, method="min", pct=True),
    "rank of some with nulls": lambda f: f.groupby("k")[["x"]].rank("first", na_option="top"),
    "rank of groups with nulls": lambda f: f.groupby("k", dropna=False)["x"].rank(ascending=False, na_option="bottom"),
    "get_group": lambda f: f.groupby("k").get_group(name="a"),
    "get_group of a column": lambda f: f.groupby("k")["x"].get_group("b"),
    "filter": lambda f: f.groupby("k").filter(lambda rows: len(rows) > 1),
    "filter with nulls": lambda f: f.groupby("k").filter(lambda rows: rows["x"].sum() > 2, dropna=False),
    "filter with arguments": lambda f: f.groupby("k").filter(lambda rows, least: len(rows) >= least, True, 3),
    "filter of a column": lambda f: f.groupby("k")["x"].filter(lambda values: values.sum() > 2),
    "filter of a column with nulls": lambda f: f.groupby("k")["x"].filter(lambda values: len(values) > 1, dropna=False),
    "ohlc": lambda f: f.groupby("k").ohlc(),
    "ohlc of a column": lambda f: f.groupby("k")["x"].ohlc(),
    "indices": lambda f: {key: list(map(int, at)) for key, at in f.groupby("k").indices.items()},
    "indices of a column": lambda f: {key: list(map(int, at)) for key, at in f.groupby("k")["x"].indices.items()},
    "take": lambda f: f.dropna().groupby("k").take([0]),
    "take of a column": lambda f: f.groupby("k")["x"].take([0]),
    "groups of a column": lambda f: {key: list(labels) for key, labels in f.groupby("k")["x"].groups.items()},
    "iterated": lambda f: [(key, values.tolist()) for key, values in f.groupby("k")["x"]],
    "monotonic": lambda f: f.groupby("k")["x"].is_monotonic_increasing,
    "monotonic down": lambda f: f.groupby("k")["x"].is_monotonic_decreasing,
    "ndim": lambda f: [f.groupby("k").ndim, f.groupby("k")["x"].ndim],
    "agg of a function": lambda f: f.groupby("k").agg(spread),
    "agg of a named function": lambda f: f.groupby("k")["x"].agg(np.sum),
    "agg by name of functions": lambda f: f.groupby("k").agg(low=("x", "min"), wide=("x", spread), top=("n", max)),
    "agg of NamedAgg": lambda f: f.groupby("k").agg(low=pd.NamedAgg("x", "min"), wide=pd.NamedAgg("x", spread)),
    "agg of a column by name": lambda f: f.groupby("k")["x"].agg(low="min", wide=spread),
    "agg of a column, a list": lambda f: f.groupby("k")["x"].agg(["min", spread, lambda values: values.sum()]),
    "agg of a dictionary": lambda f: f.groupby("k").agg({"x": spread, "n": "count"}),
    "agg of a dictionary of one list": lambda f: f.groupby("k")[["x"]].agg({"x": ["min", "max"]}).set_axis(["a", "b"], axis=1),
    "agg of a dictionary of functions": lambda f: f.groupby("k").agg({"x": [spread, "max"]}).set_axis(["a", "b"], axis=1),
    "agg without labels": lambda f: f.groupby("k", as_index=False).agg(wide=("x", spread), low=("n", "min")),
    "transform of a named function": lambda f: f.dropna().groupby("k")["x"].transform(np.mean),
}


@pytest.mark.parametrize("name", CALLS)
def test_groups(name):
    ours, theirs = cn.DataFrame(DATA).with_index(cn.Index(LABELS)), pd.DataFrame(DATA, index=LABELS)
    # Columns under tuples have one level here.
    same(CALLS[name](ours), CALLS[name](theirs))


# Labels of one row each: series of two groups are put together by labels.
UNIQUE = {
    "corr": lambda f: f.groupby("k")["n"].corr(f["x"]),
    "corr by rank": lambda f: f.groupby("k")["n"].corr(f["x"] * f["n"], method="spearman"),
    "cov": lambda f: f.groupby("k")["n"].cov(f["x"], ddof=0),
    "corrwith": lambda f: f.groupby("k").corrwith(f["x"]),
    "corr of frames": lambda f: f.groupby("k").corr(method="spearman"),
}


@pytest.mark.parametrize("name", UNIQUE)
@pytest.mark.filterwarnings("ignore")
def test_pairs(name):
    data = {"k": list("abaabbb"), "n": [1.0, 2.0, 5.0, 3.0, None, 7.0, 1.5], "x": [2.0, 1.0, 4.0, 9.0, 1.0, 0.5, 3.0]}
    ours, theirs = cn.DataFrame(data).with_index(cn.Index(list("tuvwxyz"))), pd.DataFrame(data, index=list("tuvwxyz"))
    same(UNIQUE[name](ours), UNIQUE[name](theirs))


def test_groups_of_little():
    none = cn.DataFrame(DATA)[:0]
    groups = none.groupby("k")
    assert len(groups.cumcount(ascending=False)) == len(groups.nth([0])) == len(groups["x"].filter(lambda values: True)) == 0
    assert len(groups.ohlc()) == 0 and groups["x"].groups == groups.indices == {}
    no_key = cn.DataFrame({"k": [None], "x": [1]}).groupby("k")
    assert no_key[["x"]].apply(lambda rows: rows["x"].max()).columns == no_key.apply(lambda rows: rows).columns == ["x"]
    one = cn.DataFrame(DATA)[:1].groupby("k")
    assert one.nth(slice(0, 1)).shape == (1, 3) and one.ngroup(ascending=False).to_list() == [0]
    frame = cn.DataFrame(DATA)
    assert frame.groupby("k").filter(cn.len() > 2).equals(frame.groupby("k").filter(condition=cn.len() > 2))
    assert frame.groupby("k").sample(n=1, random_state=3).equals(frame.groupby("k").sample(n=1, seed=3))
    assert frame.groupby("k")["x"].dtype.to_list() == ["float64"] * 3
    assert frame.groupby("k").shift(n=1).equals(frame.groupby("k").shift(1))
    two = frame.with_columns(j=col("x") > 0).dropna().groupby(["k", "j"])
    assert list(two.indices) == list(two["x"].indices) == list(two["x"].groups)
    assert two["x"].get_group(("b", True)).to_list() == two.get_group(("b", True))["x"].to_list()


@pytest.mark.parametrize("call, kind, text", [
    (lambda g: g.cumcount(ascending=2), ValueError, "cumcount: ascending is True or False, not 2"),
    (lambda g: g.nth("a"), TypeError, "nth: n is an integer, a list of integers or a slice"),
    (lambda g: g.nth([0], dropna="any"), ValueError, "nth: dropna goes with one position"),
    (lambda g: g.nth(0, dropna="some"), ValueError, 'nth: dropna is None, "any" or "all"'),
    (lambda g: g.nunique(dropna=2), ValueError, "nunique: dropna is True or False"),
    (lambda g: g.first(min_count=1.5), TypeError, "first: min_count is an integer, not float"),
    (lambda g: g.shift(freq="D"), NotImplementedError, "shift: freq is not implemented"),
    (lambda g: g.shift(1, suffix="x"), ValueError, "shift: suffix goes with a list of periods"),
    (lambda g: g.diff(n=1, periods=1), TypeError, "diff: periods and n are the same argument"),
    (lambda g: g.pct_change(fill_method="ffill"), NotImplementedError, "pct_change: fill_method and freq are None"),
    (lambda g: g.rank(na_option="x"), ValueError, 'rank: na_option is "keep", "top" or "bottom"'),
    (lambda g: g.get_group("zz"), KeyError, "zz"),
    (lambda g: g.filter(3), TypeError, "filter: give a function"),
    (lambda g: g.filter(lambda part: "x"), TypeError, "filter: the function returns True or False for each group, not str"),
    (lambda g: g.describe(percentiles=[2]), ValueError, "describe: percentiles are a list of numbers from 0 to 1"),
])
def test_groups_refuse(call, kind, text):
    groups = cn.DataFrame(DATA).groupby("k")
    for of in (groups, groups["x"]):
        with pytest.raises(kind, match=re.escape(text)):
            call(of)


def test_one_kind_of_groups_refuses():
    groups = cn.DataFrame(DATA).assign(s="t").groupby("k")
    for call, kind, text in (
        (lambda: groups.describe(include="all"), NotImplementedError, "describe: columns that are no numbers are not implemented: ['s']"),
        (lambda: groups["x"].value_counts(bins=2), NotImplementedError, "value_counts: bins is not implemented"),
        (lambda: groups.corr(min_periods=3), NotImplementedError, "corr: min_periods above 1"),
        (lambda: groups.first(col("x"), min_count=1), NotImplementedError, "first: min_count of expressions"),
        (lambda: groups.agg(col("x").sum(), spread), TypeError, "agg: beside functions there are names, lists and dictionaries"),
        (lambda: groups.agg(a=spread), TypeError, "agg: a is a column and an aggregate"),
    ):
        with pytest.raises(kind, match=re.escape(text)):
            call()


def test_groups_in_the_order_of_rows_and_with_null_keys():
    frame = cn.DataFrame(DATA)
    for groups in (frame.group_by("k"), frame.group_by("k", dropna=False), frame.group_by("k", sort=True, dropna=False)):
        kept = groups.filter(lambda rows: rows["x"].sum() > 2)
        assert kept.equals(groups.filter(col("x").sum() > 2)) and len(kept) == 5
        assert [key for key, _ in groups] == list(groups["x"].groups) == list(groups.indices)
        for key, rows in groups:
            assert groups.indices[key].tolist() == rows.index.to_list() == groups["x"].groups[key]


@pytest.mark.parametrize("call", [
    lambda f: f.groupby("k")["s"].agg(", ".join),
    lambda f: f.groupby("k").agg({"s": ", ".join}),
    lambda f: f.groupby("k").agg(all=("s", "-".join)),
    lambda f: f.groupby("k")["s"].apply(", ".join),
    lambda f: f.groupby("k")["s"].transform(", ".join),
])
def test_join_of_a_text_goes_over_values(call):
    data = {"k": ["b", "a", "b"], "s": ["x", "y", "z"]}
    same(call(cn.DataFrame(data)), call(pd.DataFrame(data)))
