"""Arguments of pandas for windows, weights and bins of time: the same calls on both."""

import datetime as dt
import re

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import same

TIMES = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=5 * step) for step in (0, 1, 2, 3, 5, 6, 12, 13)]
DATA = {"x": [1.0, None, 3.0, 4.5, 5.0, 6.0, None, 9.0], "y": [3, 1, 4, 1, 5, 9, 2, 6]}
CALLS = {
    "rolling agg": lambda f: f["x"].rolling(2, min_periods=1).agg("sum"),
    "rolling agg of a column": lambda f: f.rolling(2)["y"].aggregate("max"),
    "rolling agg of a frame": lambda f: f.rolling(2, min_periods=1, step=None, win_type=None).agg("mean"),
    "rolling agg of a list": lambda f: f["y"].rolling(2).agg(["sum", "max"]),
    "rolling pipe": lambda f: f.rolling(2).pipe(lambda windows: windows.min()),
    "expanding agg": lambda f: f["x"].expanding(2, method="single").aggregate("std"),
    "ewm agg": lambda f: f["x"].ewm(span=2, times=None).agg("mean"),
    "ewm agg of a list": lambda f: f["y"].ewm(alpha=0.5).aggregate(["mean", "std"]),
    **{
        f"ewm cov bias {options}": (lambda f, options=options: f["x"].ewm(**options).cov(f["y"], bias=True))
        for options in ({"alpha": 0.3}, {"span": 4, "adjust": False}, {"com": 1, "ignore_na": True}, {"alpha": 0.7, "min_periods": 3})
    },
    "ewm cov bias of a frame": lambda f: f.ewm(alpha=0.3).cov(f[["y", "x"]], bias=True, pairwise=False)[["x", "y"]],
    "ewm agg of a dictionary": lambda f: f.ewm(com=1, min_periods=None).agg({"y": "mean", "x": "var"}),
    **{f"{name} with ddof": (lambda f, name=name: getattr(f.resample("D"), name)(ddof=0)) for name in ("std", "var", "sem")},
    "std of a series": lambda f: f["x"].resample("D").std(ddof=2),
    **{
        f"{name} of enough": (lambda f, name=name: getattr(f.resample("D"), name)(min_count=3))
        for name in ("sum", "prod", "min", "max", "first", "last")
    },
    "sum of enough of a column": lambda f: f.resample("D")["x"].sum(min_count=3),
    "resample agg": lambda f: f["x"].resample("D").agg("sum"),
    "resample agg of a column": lambda f: f.resample("D")["x"].aggregate("mean"),
    "resample agg of a frame": lambda f: f.resample("D").agg("max"),
    "resample agg of a list": lambda f: f["x"].resample("D").agg(["sum", "mean"]),
    "resample agg of a dictionary": lambda f: f.resample("D").agg({"x": "sum", "y": "max"}),
    "resample pipe": lambda f: f.resample("D").pipe(lambda bins: bins.max()),
    "ohlc of a column": lambda f: f.resample("D")["y"].ohlc(),
    "ohlc of a series": lambda f: f["y"].resample("D").ohlc(),
    "ohlc": lambda f: f[["y"]].resample("D").ohlc(),
    "ngroups": lambda f: f.resample("D").ngroups,
    "interpolate": lambda f: f["y"].resample("5h").interpolate(method="linear", limit=1),
    "expanding of groups": lambda f: f["y"].groupby(f["y"] > 2).expanding(2, method="single").sum().reset_index(drop=True),
}


@pytest.mark.parametrize("name", CALLS)
def test_windows(name):
    ours, theirs = cn.DataFrame(DATA).with_index(cn.Index(TIMES)), pd.DataFrame(DATA, index=TIMES)
    same(CALLS[name](ours), CALLS[name](theirs))


def test_windows_of_little():
    one = cn.DataFrame(DATA).with_index(cn.Index(TIMES))[:1]
    assert one.resample("D")["x"].ohlc().columns == ["open", "high", "low", "close"]
    assert one.resample("D").std(ddof=0)["x"].to_list() == [0.0] and one["x"].resample("D").first(min_count=2).to_list() == [None]
    assert one.rolling(1)["x"].agg(["min", "max"]).columns == ["min", "max"]


@pytest.mark.parametrize("call, kind, text", [
    (lambda f: f.rolling(2, win_type="triang"), NotImplementedError, "rolling: win_type='triang' is not implemented"),
    (lambda f: f["x"].groupby(f["y"] > 2).rolling(2, step=2), NotImplementedError, "rolling: step of windows of groups is not implemented"),
    (lambda f: f.rolling(2, method="table"), NotImplementedError, "rolling: method is \"single\", not 'table'"),
    (lambda f: f.expanding(method="table"), NotImplementedError, 'expanding: method is "single"'),
    (lambda f: f.ewm(span=2, times=TIMES), NotImplementedError, "ewm: times is not implemented"),
    (lambda f: f.rolling(2).agg([lambda values: 1, 3]), NotImplementedError, "agg: functions are not implemented"),
    (lambda f: f.ewm(span=2).agg(max), NotImplementedError, "agg: functions are not implemented"),
    (lambda f: f.ewm(span=2).agg("max"), ValueError, 'agg: "max" is no aggregate; there are mean, std, sum, var'),
    (lambda f: f["x"].resample("D").agg("most"), ValueError, 'agg: "most" is no aggregate'),
    (lambda f: f.resample("D").std(ddof=-1), ValueError, "std: ddof is at least 0, and not -1"),
    (lambda f: f.resample("D").sum(min_count=1.5), TypeError, "sum: min_count is an integer, not float"),
    (lambda f: f.resample("D").interpolate("cubic"), NotImplementedError, "interpolate: method is \"linear\", not 'cubic'"),
    (lambda f: f.resample("D").interpolate(limit_direction="both"), NotImplementedError, "interpolate: limit_direction"),
])
def test_windows_refuse(call, kind, text):
    with pytest.raises(kind, match=re.escape(text)):
        call(cn.DataFrame(DATA).with_index(cn.Index(TIMES)))


AGGREGATES = {
    "sum": lambda v: v.sum(), "mean": lambda v: v.mean(), "min": lambda v: v.min(), "max": lambda v: v.max(), "count": lambda v: v.count(),
    "var": lambda v: v.var(), "std": lambda v: v.std(), "sem": lambda v: v.sem(), "median": lambda v: v.median(), "skew": lambda v: v.skew(),
    "kurt": lambda v: v.kurt(), "first": lambda v: v.first(), "last": lambda v: v.last(), "nunique": lambda v: v.nunique(),
}


@pytest.mark.parametrize("name", AGGREGATES)
def test_aggregates_by_expression_are_those_of_windows(name):
    data = pd.DataFrame({"k": list("abababab"), "v": [1.0, 4.0, None, 2.0, 8.0, 5.0, 7.0, 1.0]})
    # NaN is a value here, and not a null.
    frame = cn.DataFrame({"k": list("abababab"), "v": [None if v != v else v for v in data["v"]]})
    expr = AGGREGATES[name](cn.col("v"))
    for ours, theirs in (
        (frame.rolling(4, 2), data[["v"]].rolling(4, 2)), (frame.expanding(2), data[["v"]].expanding(2)),
        (frame.groupby("k").rolling(3, 1), data.groupby("k").rolling(3, 1)),
    ):
        expected = getattr(theirs, name)()["v"].tolist()
        made = ours.agg(x=expr)
        assert made.columns == ["x"]
        assert [np.nan if value is None else value for value in made["x"].to_list()] == pytest.approx(expected, nan_ok=True)
    of_series = frame["v"].rolling(4, 2).agg(x=expr)["x"].to_list()
    assert of_series == frame.rolling(4, 2).agg(x=expr)["x"].to_list()


def test_arithmetic_of_aggregates_of_windows():
    frame = cn.DataFrame({"v": [1, 5, 2, 9]})
    v = cn.col("v")
    made = frame.rolling(2).agg(range=v.max() - v.min(), twice=(v * 2).sum(), share=v.quantile(0.5) / v.sum())
    assert made["range"].to_list() == [None, 4, 3, 7] and made["twice"].to_list() == [None, 12, 14, 22]
    assert made["share"].to_list() == pytest.approx([None, 0.5, 0.5, 0.5])
    for expr, text in (
        (v, "v"), (v - v.mean(), "(v - v.mean())"), (v.mode(), "v.mode()"), ((v - v.mean()).sum(), "(v - v.mean()).sum()"), (cn.len(), "len()"),
        (v.filter(v > 1).sum(), "v.filter"), (v.kurtosis(), "v.mean()"),
    ):
        for windows in (frame.rolling(2), frame.expanding(), frame["v"].rolling(2), frame.groupby([1, 1, 2, 2]).rolling(2)):
            with pytest.raises(NotImplementedError, match="agg: the expression .* of windows is not implemented") as refused:
                windows.agg(x=expr)
            assert text in str(refused.value)


def test_windows_refuse_booleans_and_spans_without_times():
    frame = cn.DataFrame({"v": [1, 2], "s": ["a", "b"]})
    for windows in (lambda: frame.rolling(True), lambda: frame["v"].rolling_sum(True), lambda: frame.select(cn.col("v").rolling_sum(False))):
        with pytest.raises(ValueError, match="a window is a number of rows or a span of time, not (True|False)"):
            windows()
    for span in (pd.Timedelta("1D").to_pytimedelta(), "1d"):
        with pytest.raises(TypeError, match="rolling_sum: a window of a span of time needs times: by of an expression"):
            cn.col("v").rolling_sum(span)
    for name in ("var", "std", "sem"):
        with pytest.raises(TypeError) as refused:
            getattr(frame["s"].rolling(2), name)()
        assert refused.value.operation == name and "ddof" not in str(refused.value)
