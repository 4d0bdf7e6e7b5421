"""Methods of groups of some columns, of one column and of a key, beside pandas: values, dtypes, labels and names."""

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col

DATA = {
    "k": ["b", "a", "b", "a", "b", "c"], "w": [3.0, 1.0, None, 5.0, 3.0, 2.0], "a": [1, 2, 3, 5, 6, 7], "b": [7, 6, 5, 3, 2, 1],
}
LABELS = list("uvwxyz")


CHOICES = {
    "all": lambda f: f.groupby("k"),
    "a list of one": lambda f: f.groupby("k")[["w"]],
    "a list": lambda f: f.groupby("k")[["a", "b"]],
    "a column": lambda f: f.groupby("k")["w"],
    "integers": lambda f: f.groupby("k")["b"],
}
CALLS = {
    **{name: (lambda g, name=name: getattr(g, name)()) for name in (
        "head", "tail", "count", "sum", "mean", "median", "min", "max", "first", "last", "std", "var", "sem", "skew", "nunique", "size",
        "ngroup", "cumcount", "cumsum", "cumprod", "cummin", "cummax", "rank", "shift", "diff", "pct_change", "ffill", "bfill",
        "quantile", "idxmin", "idxmax", "any", "all", "ohlc", "prod", "describe",
    )},
    "head but one": lambda g: g.head(-1),
    "head of many": lambda g: g.head(10**30),
    "tail but two": lambda g: g.tail(-2),
    "nth": lambda g: g.nth(0),
    "nth from the end": lambda g: g.nth(-1),
    "nth beyond": lambda g: g.nth(10**30),
    "nth of several": lambda g: g.nth([0, -1]),
    "nth of a slice": lambda g: g.nth(slice(1, None)),
    "nth without nulls": lambda g: g.nth(0, dropna="any"),
    "get_group": lambda g: g.get_group("a"),
    "filter": lambda g: g.filter(lambda rows: len(rows) > 1),
    "iterated": lambda g: [[key, rows] for key, rows in g],
    "groups": lambda g: {key: list(labels) for key, labels in g.groups.items()},
    "apply": lambda g: g.apply(len),
    "apply of rows": lambda g: g.apply(lambda rows: rows.head(1)),
    "apply of sums": lambda g: g.apply(lambda rows: rows.sum()),
    "apply by name": lambda g: g.apply("max"),
    "transform of sizes": lambda g: g.transform("size"),
    **{f"transform {name}": (lambda g, name=name: g.transform(name)) for name in (
        "sum", "mean", "count", "max", "first", "nunique", "cumsum", "cumprod", "cummin", "cummax", "rank", "ffill", "bfill", "shift",
        "diff", "pct_change", "cumcount", "ngroup", "std", "idxmax", "quantile",
    )},
    "transform with arguments": lambda g: g.transform("shift", 2),
    "transform with keywords": lambda g: g.transform("shift", periods=-1, fill_value=0),
    "transform with ddof": lambda g: g.transform("std", ddof=0),
    "transform of a function": lambda g: g.transform(lambda values: values - values.mean()),
    "transform of a function with an argument": lambda g: g.transform(lambda values, n: values * n, 3),
    "agg": lambda g: g.agg("sum"),
    "agg with keywords": lambda g: g.agg("std", ddof=0),
    "agg with arguments": lambda g: g.agg("quantile", 0.25),
    "agg with min_count": lambda g: g.agg("sum", min_count=3),
    "agg of a list": lambda g: g.agg(["sum", "max"]),
    "agg of a list with a function": lambda g: g.agg(["sum", lambda values: values.max()]),
    "agg of functions of numpy": lambda g: g.agg([np.mean, "max"]),
    "agg of pairs": lambda g: g.agg([("lo", "min"), ("hi", "max")]),
    "agg of a function": lambda g: g.agg(lambda values: values.max() - values.min()),
    "agg of a function with an argument": lambda g: g.agg(lambda values, n: values.max() + n, 2),
    "agg of sizes": lambda g: g.agg("size"),
    "agg of positions": lambda g: g.agg("idxmax"),
    "agg of rows": lambda g: g.agg("cumsum"),
    "pipe": lambda g: g.pipe(lambda groups: groups.sum()),
    "pipe by name": lambda g: g.pipe((lambda n, groups: groups.head(n), "groups"), 1),
    "quantiles": lambda g: g.quantile([0.25, 0.75]),
    "with nulls": lambda g: g.sum(skipna=False),
    "enough with nulls": lambda g: g.sum(skipna=False, min_count=2),
    "smallest with nulls": lambda g: g.max(skipna=False),
    "first row": lambda g: g.first(skipna=False),
    "numbers only": lambda g: g.mean(numeric_only=True),
    "running numbers": lambda g: g.cumsum(numeric_only=True),
    "rolling": lambda g: g.rolling(2, min_periods=1).mean(),
    "rolling apply": lambda g: g.rolling(2, min_periods=1).apply(lambda values: values.sum()),
    "expanding": lambda g: g.expanding().mean(),
    "ewm": lambda g: g.ewm(alpha=0.5).mean(),
    "ewm sum": lambda g: g.ewm(com=1, ignore_na=True).sum(),
    "ewm var": lambda g: g.ewm(span=3, min_periods=2).var(),
    "ewm std": lambda g: g.ewm(halflife=2, adjust=False).std(bias=True),
    "ewm cov": lambda g: g.ewm(alpha=0.5).cov(),
    "number": lambda g: [len(g), g.ngroups, g.ndim],
}


def frames():
    return cn.DataFrame(DATA).with_index(cn.Index(LABELS)), pd.DataFrame(DATA, index=LABELS)


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("name", CALLS)
@pytest.mark.filterwarnings("ignore")
def test_calls(choice, name):
    ours, theirs = frames()
    same(CALLS[name](CHOICES[choice](ours)), CALLS[name](CHOICES[choice](theirs)))


KEYS = {
    "count": lambda f: f.groupby("k")["k"].count(),
    "a list": lambda f: f.groupby("k")[["k", "a"]].count(),
    "of two": lambda f: f.groupby(["k", "a"])["k"].count(),
    "first": lambda f: f.groupby("k")["k"].first(),
    "head": lambda f: f.groupby("k")["k"].head(1),
    "transform": lambda f: f.groupby("k")["k"].transform("count"),
    "rolling": lambda f: f.groupby("a")["a"].rolling(1).count().astype("float64"),
    "agg": lambda f: f.groupby("k").agg({"k": "count", "a": "sum"}),
    "agg of a list": lambda f: f.groupby("k")["k"].agg(["count", "first"]),
    "agg under the name of the key": lambda f: f.groupby("k").agg(k=("k", "count"), s=("a", "sum")),
    "agg of NamedAgg": lambda f: f.groupby("k").agg(s=cn.NamedAgg("a", "sum") if isinstance(f, cn.DataFrame) else pd.NamedAgg("a", "sum")),
    "agg of lists by column": lambda f: f.groupby("k").agg({"a": ["min", "max"], "w": "count"}),
    "keys as columns": lambda f: f.groupby("k", as_index=False)["k"].count(),
    "lists of keys as columns": lambda f: f.groupby("k", as_index=False)[["a"]].agg(["min", "max"]),
    "a function of keys as columns": lambda f: f.groupby("k", as_index=False)["a"].agg(lambda values: values.max()),
    "rows of keys as columns": lambda f: f.groupby("k", as_index=False)["w"].transform("size"),
    "describe of keys as columns": lambda f: f.groupby("k", as_index=False)["w"].describe(),
}


@pytest.mark.parametrize("name", KEYS)
def test_keys_are_values(name):
    ours, theirs = frames()
    same(KEYS[name](ours), KEYS[name](theirs))


@pytest.mark.parametrize("name", [
    "transform sum", "transform size", "transform quantile", "transform cumsum", "transform with ddof", "head", "nth", "apply of rows",
    "ewm", "ewm sum", "agg of a list", "filter", "transform of a function",
])
@pytest.mark.filterwarnings("ignore")
def test_rows_without_a_key(name):
    data = DATA | {"k": ["b", "a", None, "a", "b", None]}
    ours, theirs = cn.DataFrame(data).with_index(cn.Index(LABELS)), pd.DataFrame(data, index=LABELS)
    for choice in ("a list of one", "a column"):
        call = CALLS.get(name) or (lambda groups: groups.transform(name.split()[1]))
        same(call(CHOICES[choice](ours)), call(CHOICES[choice](theirs)))


def test_group_by_keeps_its_forms():
    frame, _ = frames()
    assert frame.group_by("k").agg({"a": ["min", "max"]}).columns == ["k", "a_min", "a_max"]
    assert frame.group_by("k")[["w"]].agg(low=col("a").min()).columns == ["k", "low"]
    assert frame.group_by("k").apply(lambda rows: rows.head(1)).columns == ["k", "w", "a", "b"]
    assert frame.group_by("k")[["w"]].filter(cn.len() > 1).columns == ["w"]
    assert frame.group_by("k")[["w"]].sample(n=1, seed=1).columns == ["w"]
    assert frame.groupby("k")["k"].value_counts().to_list() == [2, 3, 1]


@pytest.mark.parametrize("call, kind, text", [
    (lambda f: f.groupby("a").sum(), TypeError, "sum: column 'k' has dtype utf8, which is not supported: choose columns in brackets, or give"),
    (lambda f: f.groupby("a")["k"].mean(), TypeError, "mean: column 'k' has dtype utf8, which is not supported"),
    (lambda f: f.groupby("a")["k"].sum(numeric_only=True), TypeError, "sum: numeric_only=True, and column 'k' has dtype utf8"),
    (lambda f: f.groupby("k").mean(numeric_only=1), ValueError, "mean: numeric_only is True or False, not 1"),
    (lambda f: f.groupby("k").sum(skipna=None), ValueError, "sum: skipna is True or False"),
    (lambda f: f.groupby("k").agg(), TypeError, "agg: give an aggregate"),
    (lambda f: f.groupby("k").agg("nothing"), ValueError, '"nothing" is no aggregate here'),
    (lambda f: f.groupby("k")["w"].agg({"w": "sum"}), ValueError, "agg: a dictionary is of the columns of a frame"),
    (lambda f: f.groupby("k").agg({"w": {"low": "min"}}), ValueError, "agg: 'w' has a dictionary"),
    (lambda f: f.groupby("k").agg({"zz": "min"}), KeyError, "agg: there is no column 'zz'"),
    (lambda f: f.groupby("k").agg(["min", "min"]), ValueError, "agg: two aggregates are called 'min'"),
    (lambda f: f.groupby("k").agg("pipe"), ValueError, "agg: 'pipe' is no aggregate of groups"),
    (lambda f: f.groupby("k")["w"].transform("head"), ValueError, "transform: 'head' has no value for each row or group"),
    (lambda f: f.groupby("k").transform("describe"), ValueError, "transform: 'describe' has no value"),
    (lambda f: f.groupby("k")["w"].transform(["sum"]), NotImplementedError, "transform: a list is of the columns of a frame"),
    (lambda f: f.groupby("k").apply(3), TypeError, "apply: function is a function or a name, not int"),
    (lambda f: f.groupby("k").apply(len, include_groups=True), ValueError, "apply: include_groups is False"),
    (lambda f: f.groupby("k").get_group(("a",)), KeyError, "get_group: there is no group ('a',)"),
    (lambda f: f.groupby(["k"]).get_group("a"), KeyError, "get_group: there is no group 'a'"),
    (lambda f: f.groupby("k")["w"].ewm(), ValueError, "ewm: give one of com, span, halflife and alpha"),
    (lambda f: f.groupby("a").ewm(alpha=0.5).mean(), TypeError, "mean: column 'k' has dtype utf8"),
    (lambda f: f.groupby("k")["w"].ewm(alpha=0.5, adjust=False).sum(), NotImplementedError, "sum: adjust=False is not implemented"),
    (lambda f: f.groupby("k")["w"].ewm(alpha=0.5).cov(f["a"]), NotImplementedError, "cov: other and pairwise=False of groups"),
    (lambda f: f.groupby("k")["w"].ewm(alpha=0.5).agg("max"), ValueError, 'agg: "max" is no aggregate; there are mean'),
    (lambda f: f.groupby("k")["w"].ewm(alpha=0.5, times=[1]), NotImplementedError, "ewm: times is not implemented"),
    (lambda f: f.groupby("k").shift(10**30), OverflowError, "shift: periods is a number of at most 64 bits"),
    (lambda f: f.shift(-10**30), OverflowError, "shift: periods is a number of at most 64 bits"),
    (lambda f: f["a"].diff(10**30), OverflowError, "diff: periods is a number of at most 64 bits"),
    (lambda f: f.sample(-1), ValueError, "sample: n is at least 0, and not -1"),
    (lambda f: f.groupby("k").ffill(limit=-1), ValueError, "ffill: limit is at least 0, and not -1"),
    (lambda f: f.rolling(2, min_periods=10**30), OverflowError, "rolling: min_periods is a number of at most 64 bits"),
    (lambda f: f.pipe((1, "x")), TypeError, "pipe: func is a function, or a pair"),
    (lambda f: cn.GroupBy(), TypeError, "GroupBy has no constructor"),
])
def test_refused(call, kind, text):
    frame, _ = frames()
    with pytest.raises(kind) as error:
        call(frame)
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value)


ROWS = {
    "brackets": lambda f: f[lambda rows: rows["a"] > 2],
    "brackets of a column": lambda f: f["a"][lambda values: values > 2],
    "loc": lambda f: f.loc[lambda rows: rows["a"] > 2],
    "loc of a column": lambda f: f.loc[lambda rows: rows["a"] > 2, lambda rows: ["a", "w"]],
    "loc of a series": lambda f: f["a"].loc[lambda values: values > 2],
    "iloc": lambda f: f.iloc[lambda rows: [0, len(rows) - 1]],
    "iloc of a series": lambda f: f["a"].iloc[lambda values: [1, 2]],
    "assign": lambda f: f.assign(x=lambda rows: rows["a"] + 1, y=lambda rows: rows["x"] * 2),
    "where": lambda f: f[["a", "b"]].where(lambda rows: rows > 2, lambda rows: -rows),
    "mask": lambda f: f["a"].mask(lambda values: values > 2, 0),
    "pipe by name": lambda f: f.pipe((lambda n, rows: rows.head(n), "rows"), 2),
    "head": lambda f: f.head(10**30),
    "head but all": lambda f: f.head(-10**30),
    "tail": lambda f: f["a"].tail(-2),
    "none of the largest": lambda f: f["a"].nlargest(-1),
    "largest": lambda f: f.nlargest(10**30, "a"),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    ours, theirs = frames()
    same(ROWS[name](ours), ROWS[name](theirs))


def test_results_stay_on_the_device():
    frame = cn.DataFrame(DATA).to_device("sim")
    groups = frame.groupby("k")
    for made in (
        groups[["w"]].head(1), groups["k"].count(), groups["w"].transform("quantile"), groups["w"].ewm(alpha=0.5).mean(),
        groups[["a"]].agg(["min", "max"]), groups.transform("size"), frame.groupby([1, 2, 1, 2, 1, 2])["a"].sum(),
    ):
        assert made.device == "sim"
