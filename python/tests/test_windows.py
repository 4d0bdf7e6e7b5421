"""Windows, bins of time and groups by name, against pandas."""

import datetime

import columnade as cn
import pandas as pd
import pytest
from beside import same

TIMES = pd.to_datetime([
    "2024-01-01 00:10", "2024-01-01 00:40", "2024-01-01 01:05", "2024-01-01 03:20", "2024-01-02 05:00", "2024-01-02 05:30",
])
FRAME = pd.DataFrame(
    {
        "k": ["b", "a", "b", "b", "a", "ü"],
        "n": pd.array([1, 5, None, 2, -3, 4], dtype="Int64"),
        "x": [0.5, -1.25, 3.0, 0.0, 8.0, 2.5],
    },
    index=pd.DatetimeIndex(TIMES, name="t"),
)
AGGREGATES = ["sum", "mean", "min", "max", "count", "var", "std", "first", "last"]


@pytest.fixture
def frame(device):
    return cn.from_pandas(FRAME)


@pytest.mark.parametrize("aggregate", AGGREGATES)
@pytest.mark.parametrize("window", [2, "1h", datetime.timedelta(hours=3)])
def test_rolling(frame, window, aggregate):
    expected = getattr(FRAME[["n", "x"]].rolling(window), aggregate)()
    same(getattr(frame.rolling(window)[["n", "x"]], aggregate)(), expected, whole=True)
    same(getattr(frame.rolling(window)["x"], aggregate)(), expected["x"], whole=True)
    same(getattr(frame["x"].rolling(window), aggregate)(), expected["x"], whole=True)


@pytest.mark.parametrize("options", [{"min_periods": 1}, {"center": True}, {"min_periods": 1, "center": True}])
def test_rolling_options(frame, options):
    same(frame["x"].rolling(3, **options).sum(), FRAME["x"].rolling(3, **options).sum())


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("window", ["1h", "45min", "3h"])
@pytest.mark.parametrize("closed", ["right", "left", "both", "neither"])
def test_rolling_closed(frame, closed, window, center):
    options = {"closed": closed, "center": center}
    expected = FRAME[["x"]].rolling(window, **options).sum()
    same(frame.rolling(window, **options)[["x"]].sum(), expected)
    column = frame.reset_index()
    made = column.rolling(window, on="t", **options)["x"].sum()
    same(made, expected["x"].reset_index(drop=True))
    span = pd.Timedelta(window).to_pytimedelta()
    made = column.select(y=cn.col("x").rolling_sum(span, by="t", min_periods=1, **options))["y"]
    same(made, expected["x"].rename("y").reset_index(drop=True))
    # A span may be a text.
    text, spans = window.replace("min", "m"), {"min_periods": 1, "by": "t", **options}
    for calls in (
        (cn.col("x").rolling_sum(text, **spans), cn.col("x").rolling_sum(window_size=text, **spans), cn.col("x").rolling_sum(text, 1, center, "t", closed)),
        (cn.col("x").rolling_quantile(0.5, text, **spans), cn.col("x").rolling_quantile(0.5, span, **spans)),
    ):
        made, *others = [column.select(y=call)["y"].to_list() for call in calls]
        assert all(other == made for other in others)


@pytest.mark.parametrize("window, kind, text", [
    (2, TypeError, 'window_size is a span of time with by, such as "2h", not 2'), ("x", ValueError, "a duration is a timedelta or text"),
    ("-1h", ValueError, "a window is above zero"), ("1mo", ValueError, "a window is above zero and has no months"),
])
def test_spans_that_are_none_are_refused(window, kind, text):
    for name, call in {"rolling_sum": lambda: cn.col("x").rolling_sum(window, by="t"), "rolling_quantile": lambda: cn.col("x").rolling_quantile(0.5, window, by="t")}.items():
        with pytest.raises(kind, match=f"^{name}: {text}") as error:
            call()
        assert isinstance(error.value, cn.ColumnadeError) and error.value.operation == name


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("closed", ["right", "left", "both", "neither"])
def test_rolling_rows_closed(frame, closed, center):
    options = {"closed": closed, "center": center, "min_periods": 1}
    same(frame["x"].rolling(2, **options).sum(), FRAME["x"].rolling(2, **options).sum())
    same(frame["x"].rolling_max(2, **options), FRAME["x"].rolling(2, **options).max())
    made = frame.select(y=cn.col("x").rolling_mean(3, **options))["y"]
    same(made, FRAME["x"].rolling(3, **options).mean().rename("y"))
    made = frame.group_by("k", sort=True).rolling(2, **options)["x"].sum()
    same(made, FRAME.groupby("k").rolling(2, **options)["x"].sum())
    # Without a last row a window of three has two rows at most.
    made = frame["x"].rolling(3, closed="neither").count()
    same(made, FRAME["x"].rolling(3, closed="neither").count(), whole=True)


@pytest.mark.parametrize("aggregate", AGGREGATES)
def test_expanding(frame, aggregate):
    expected = getattr(FRAME[["n", "x"]].expanding(), aggregate)()
    same(getattr(frame.expanding()[["n", "x"]], aggregate)(), expected, whole=True)
    if aggregate != "count":
        expected = getattr(FRAME["x"].expanding(3), aggregate)()
        same(getattr(frame["x"].expanding(3), aggregate)(), expected)


SHAPED = pd.DataFrame({
    "k": ["b", "a", "b", "b", "a", "b", "a", "a", "b", "b", "a", "b"],
    "x": pd.array([0.5, -1.25, 3.0, None, 8.0, 2.5, 2.5, 2.5, 2.5, 2.5, -4.0, 1.0], dtype="Float64"),
    "t": pd.date_range("2024-01-01", periods=12, freq="20min"),
})


@pytest.mark.parametrize("aggregate", ["skew", "kurt"])
def test_shapes_of_windows(device, aggregate):
    frame, theirs = cn.from_pandas(SHAPED), SHAPED.set_index("t")
    ours = frame.set_index("t")
    for window, options in [(3, {}), (4, {}), (5, {"min_periods": 1}), (6, {"min_periods": 2, "center": True}), ("90min", {})]:
        expected = getattr(theirs["x"].rolling(window, **options), aggregate)()
        same(getattr(ours["x"].rolling(window, **options), aggregate)(), expected)
        same(getattr(ours.rolling(window, **options)[["x"]], aggregate)(), expected.to_frame())
    same(ours["x"].rolling(5).agg([aggregate]), theirs["x"].rolling(5).agg([aggregate]))
    same(getattr(ours["x"].expanding(), aggregate)(), getattr(theirs["x"].expanding(), aggregate)())
    made = getattr(frame.group_by("k", sort=True).rolling(4, min_periods=3)["x"], aggregate)()
    same(made, getattr(SHAPED.groupby("k")["x"].rolling(4, min_periods=3), aggregate)())
    window = {"skew": "rolling_skew", "kurt": "rolling_kurt"}[aggregate]
    expected = getattr(SHAPED["x"].rolling(5, min_periods=3), aggregate)()
    same(getattr(frame["x"], window)(5, min_periods=3), expected)
    made = frame.select(y=getattr(cn.col("x"), window)(5, min_periods=3))["y"]
    same(made, expected.rename("y"))
    span = datetime.timedelta(minutes=90)
    made = frame.select(y=getattr(cn.col("x"), window)(span, by="t"))["y"]
    same(made, getattr(theirs["x"].rolling("90min"), aggregate)().rename("y").reset_index(drop=True))
    made = frame.select(y=getattr(cn.col("x"), "expanding_" + aggregate)(4))["y"]
    same(made, getattr(SHAPED["x"].expanding(4), aggregate)().rename("y"))


def test_shape_after_a_huge_value_is_that_of_the_window(device):
    values = [1e12, 1.0, 2.0, 4.0, 8.0, 3.0]
    made = cn.Series(values).rolling(4).kurt()
    expected = [pd.Series(values[row - 3:row + 1]).kurt() for row in range(4, 6)]
    assert made.to_list()[4:] == pytest.approx(expected, rel=1e-12)


def test_median_and_quantile_of_windows(host):
    frame = cn.from_pandas(FRAME)
    same(frame["x"].rolling(3).median(), FRAME["x"].rolling(3).median())
    for interpolation in ["linear", "lower", "higher", "nearest", "midpoint"]:
        made = frame["x"].rolling(3).quantile(0.3, interpolation)
        same(made, FRAME["x"].rolling(3).quantile(0.3, interpolation))


@pytest.mark.parametrize("window, options", [(3, {}), (3, {"min_periods": 1}), (4, {"min_periods": 2})])
def test_distinct_values_and_ranks_of_windows(frame, window, options):
    ours, theirs = frame.rolling(window, **options), FRAME[["n", "x"]].astype("float64").rolling(window, **options)
    for label in ("n", "x"):
        same(ours[label].nunique(), theirs[label].nunique(), whole=True)
        for method in ("average", "min", "max"):
            for ascending in (True, False):
                for pct in (True, False):
                    how = {"method": method, "ascending": ascending, "pct": pct}
                    same(ours[label].rank(**how), theirs[label].rank(**how), whole=True)
    # Of centred windows whose end stays while their start moves, pandas has the rank before the start moved.
    centred = frame["x"].rolling(4, min_periods=2, center=True).rank()
    assert centred.to_list() == [1.0, 3.0, 2.0, 4.0, 2.0, 2.0]
    groups = frame.groupby("k").rolling(2, min_periods=1)["n"]
    assert groups.nunique().to_list() == [1, 2, 1, 1, 1, 1]
    series = frame["x"]
    assert series.rolling_rank(2).to_list() == series.rolling(2).rank().to_list()
    made = frame.select(cn.col("x").rolling_nunique(2).alias("u"), cn.col("x").rolling_rank(2, pct=True).alias("r"))
    assert made["u"].to_list() == [None, 2, 2, 2, 2, 2] and made["r"].to_list() == [None, 0.5, 1.0, 0.5, 1.0, 0.5]
    assert frame.select(cn.col("k").expanding_nunique())["k"].to_list() == [1, 2, 2, 2, 2, 3]
    with pytest.raises(NotImplementedError, match="dense ranks of windows"):
        series.rolling_rank(2, method="dense")


def test_rolling_agg(frame):
    made = frame.rolling(2).agg({"n": "sum", "x": ["min", "max"]})
    same(made, FRAME.rolling(2).agg({"n": "sum", "x": ["min", "max"]}), whole=True)
    made = frame.rolling(2).agg(low=("x", "min"))
    same(made["low"], FRAME["x"].rolling(2).min().rename("low"))
    assert frame.rolling(2)[["n", "x"]].agg("mean").columns == ["n", "x"]
    same(frame.rolling(2)["x"].agg(["min", "max"]), FRAME.rolling(2)["x"].agg(["min", "max"]))


def test_rolling_of_groups(frame):
    made = frame.group_by("k", sort=True).rolling(2, min_periods=1)["x"].sum()
    expected = FRAME.groupby("k").rolling(2, min_periods=1)["x"].sum()
    same(made, expected)
    made = frame.group_by("k", sort=True).expanding()["x"].max()
    same(made, FRAME.groupby("k").expanding()["x"].max())


def test_rolling_errors(frame):
    with pytest.raises(ValueError, match="-1 rows"):
        frame.rolling(-1)
    with pytest.raises(TypeError, match="not float"):
        frame.rolling(1.5)
    with pytest.raises(ValueError, match="no fixed length"):
        frame["x"].rolling("1ME").sum()
    with pytest.raises(ValueError, match="closed is right"):
        frame.rolling("1h", closed="up")
    with pytest.raises(ValueError, match="rolling_sum.*closed is right"):
        frame["x"].rolling_sum(2, closed="up")
    with pytest.raises(KeyError, match="zz"):
        frame.rolling(2)["zz"].sum()
    with pytest.raises(TypeError, match="no columns"):
        frame["x"].rolling(2)["x"]
    with pytest.raises(TypeError, match="rolling: on names a column"):
        frame["x"].rolling("1h", on="t")
    with pytest.raises(TypeError, match="resample: on names a column"):
        frame["x"].resample("1h", on="t")
    with pytest.raises(ValueError, match='"total" is no aggregate'):
        frame.rolling(2).agg("total")
    with pytest.raises(ValueError, match="ascend"):
        frame.sort_index(ascending=False)["x"].rolling("1h").sum()


# Not a span of 3: pandas 3.1.1 takes its com of 1 without adjust for the one that it uses with times.
@pytest.mark.parametrize("weights", [{"com": 1.5}, {"span": 4}, {"halflife": 2}, {"alpha": 0.4}])
@pytest.mark.parametrize("options", [{}, {"adjust": False}, {"ignore_na": True}, {"min_periods": 3}])
def test_ewm(frame, weights, options):
    numbers = FRAME[["n", "x"]].astype("Float64").astype(float)
    expected = numbers.ewm(**weights, **options)
    made = frame[["n", "x"]].ewm(**weights, **options)
    for aggregate in ["mean", "var", "std"]:
        same(getattr(made, aggregate)(), getattr(expected, aggregate)())
    same(made["x"].var(bias=True), expected["x"].var(bias=True))
    same(frame["x"].ewm(**weights, **options).mean(), expected["x"].mean())


def test_ewm_errors(frame):
    with pytest.raises(ValueError, match="one of com"):
        frame.ewm()
    with pytest.raises(ValueError, match="one of com"):
        frame.ewm(com=1, span=2)
    with pytest.raises(ValueError):
        frame.ewm(alpha=1.5)["x"].mean()


RULES = ["1h", "30min", "D", "2h", "W-MON", "ME"]


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("aggregate", ["sum", "mean", "min", "max", "count", "first", "last", "median", "nunique"])
def test_resample(frame, rule, aggregate):
    expected = getattr(FRAME[["n", "x"]].resample(rule), aggregate)()
    same(getattr(frame.resample(rule)[["n", "x"]], aggregate)(), expected)
    same(getattr(frame["x"].resample(rule), aggregate)(), expected["x"])


@pytest.mark.parametrize("options", [
    {"closed": "right"}, {"label": "right"}, {"origin": "start"}, {"origin": "epoch"}, {"origin": "end"},
    {"offset": datetime.timedelta(minutes=15)}, {"origin": datetime.datetime(2024, 1, 1, 0, 5)},
])
def test_resample_options(frame, options):
    expected = FRAME[["x"]].resample("1h", **options).sum()
    same(frame.resample("1h", **options)[["x"]].sum(), expected)
    column = frame.reset_index().resample("1h", on="t", **options)["x"].sum()
    same(column, expected["x"])


def test_resample_other_results(frame):
    same(frame["x"].resample("1h").ohlc(), FRAME["x"].resample("1h").ohlc())
    same(frame.resample("1h").size(), FRAME.resample("1h").size())
    same(frame["x"].resample("1h").quantile(0.25), FRAME["x"].resample("1h").quantile(0.25))
    made = frame.resample("1D").agg({"n": "sum", "x": ["min", "max"]})
    same(made, FRAME.resample("1D").agg({"n": ["sum"], "x": ["min", "max"]}))
    same(frame.resample("1D").agg(total=("x", "sum"), low=cn.col("x").min()).select("total", "low"),
         FRAME.resample("1D").agg(total=("x", "sum"), low=("x", "min")))


def test_resample_to_more_rows(frame):
    for name in ["asfreq", "ffill", "bfill"]:
        same(getattr(frame[["x"]].resample("30min"), name)(), getattr(FRAME[["x"]].resample("30min"), name)())
    same(frame[["x"]].resample("30min").ffill(limit=1), FRAME[["x"]].resample("30min").ffill(limit=1))
    same(frame["x"].resample("30min").interpolate(), FRAME["x"].resample("30min").interpolate(limit_area="inside"))


def test_resample_errors(frame):
    with pytest.raises(ValueError, match="origin is start_day"):
        frame.resample("1h", origin="noon")
    with pytest.raises(ValueError, match="closed is left or right"):
        frame.resample("1h", closed="both")
    with pytest.raises(ValueError):
        frame.resample("1 fortnight")["x"].sum()
    with pytest.raises(TypeError):
        frame.reset_index().resample("1h")["x"].sum()


def test_groups_by_bins_of_time(frame):
    made = frame.group_by("k", cn.Grouper("1D"), sort=True, as_index=True).agg(total=("x", "sum"))
    expected = FRAME.groupby(["k", pd.Grouper(freq="1D")]).agg(total=("x", "sum"))
    same(made, expected)
    column = frame.reset_index().group_by("k", cn.Grouper("1D", key="t"), sort=True).sum("x")
    assert column.columns == ["k", "t", "x"]
    same(column["x"], expected["total"].rename("x").reset_index(drop=True))


def test_groups_by_level_and_series(frame):
    indexed = FRAME.set_index("k")
    made = cn.from_pandas(indexed).group_by(level="k", sort=True, as_index=True).agg("sum")
    same(made, indexed.groupby(level="k").sum())
    side = cn.Series([1, 2, 1, 2, 1, 2])
    rows = frame.reset_index(drop=True)
    made = rows[["x"]].group_by(side, sort=True).sum()
    same(made["x"], FRAME["x"].groupby([1, 2, 1, 2, 1, 2]).sum().reset_index(drop=True))


def test_group_aggregates_by_name(frame):
    groups, expected = frame.group_by("k", sort=True, as_index=True), FRAME.groupby("k")
    for name in ["sum", "mean", "min", "max", "count", "var", "std", "median", "nunique", "first", "last"]:
        same(groups.agg(name), expected.agg(name))
    for name in ["product", "sem", "skew", "kurt"]:
        made = getattr(groups, name)("x")
        same(made, getattr(expected[["x"]], {"product": "prod"}.get(name, name))())
    made = groups.agg({"n": "sum", "x": ["min", "max"]}, mean=("x", "mean"), range=cn.col("x").max() - cn.col("x").min())
    assert made.columns == ["n", "x_min", "x_max", "mean", "range"]
    same(made["range"], (expected["x"].max() - expected["x"].min()).rename("range"))
    same(frame.agg({"x": ["min", "max"]}), FRAME.agg({"x": ["min", "max"]}))
    same(groups.agg(["min", "max"]).select("n_min", "x_max"), expected.agg(n_min=("n", "min"), x_max=("x", "max")))


def test_numbers_of_groups_and_rows(frame):
    groups, expected = frame.group_by("k", sort=True), FRAME.groupby("k")
    assert groups.ngroup().to_list() == expected.ngroup().to_list()
    assert groups.cumcount().to_list() == expected.cumcount().to_list()


def test_group_errors(frame):
    with pytest.raises(ValueError, match='"total" is no aggregate here; there are sum'):
        frame.group_by("k").agg("total")
    with pytest.raises(TypeError, match="name of an aggregate is a string"):
        frame.group_by("k").agg({"x": 1})
    with pytest.raises(KeyError, match="zz"):
        frame.group_by("k").agg({"zz": "sum"})
    with pytest.raises(ValueError, match="no key"):
        frame.group_by()
    with pytest.raises(KeyError):
        frame.group_by(level="zz")


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
def test_join(device, how):
    left = pd.DataFrame({"n": [1, 2, 3], "m": [4, 5, 6]}, index=["b", "a", "ü"])
    right = pd.DataFrame({"m": [10, 20, 30]}, index=["a", "c", "b"])
    made = cn.from_pandas(left).join(cn.from_pandas(right), how=how, suffixes=("_l", "_r"))
    same(made, left.join(right, how=how, suffixes=("_l", "_r")))


def test_join_on_a_column(device):
    left = pd.DataFrame({"key": ["a", "a", "x"], "n": [1, 2, 3]})
    right = pd.DataFrame({"m": [10.0, 20.0]}, index=["a", "c"])
    made = cn.from_pandas(left).join(cn.from_pandas(right), on="key")
    expected = left.join(right, on="key")
    same(made, expected)
    with pytest.raises(ValueError, match="m"):
        cn.from_pandas(right).join(cn.from_pandas(right))
    with pytest.raises(ValueError, match="how is 'left'"):
        cn.from_pandas(right).join(cn.from_pandas(right), how="up")


def test_windows_of_no_rows_and_one(device):
    for rows in [0, 1]:
        small = FRAME[["n", "x"]].iloc[:rows]
        frame = cn.from_pandas(small)
        same(frame.rolling(2, min_periods=1)["x"].sum(), small["x"].rolling(2, min_periods=1).sum())
        same(frame.expanding()["x"].mean(), small["x"].expanding().mean())
        assert frame.ewm(alpha=0.5)["x"].mean().to_list() == list(small["x"].ewm(alpha=0.5).mean())
        assert frame.resample("1h")["x"].sum().to_list() == list(small["x"].resample("1h").sum())


def test_pairs_of_windows(frame):
    numbers = FRAME[["n", "x"]].astype("Float64").astype(float).fillna(2.5)
    windows = cn.from_pandas(numbers)
    for name in ["cov", "corr"]:
        for made, expected in [
            (windows.rolling(3), numbers.rolling(3)), (windows.expanding(2), numbers.expanding(2)),
            (windows.ewm(alpha=0.4), numbers.ewm(alpha=0.4)),
        ]:
            made, expected = getattr(made, name)(), getattr(expected, name)()
            same(made, expected, rtol=1e-9, atol=1e-12)
    with pytest.raises(TypeError, match="pairs are of the columns"):
        windows["x"].rolling(2).cov()


def test_resample_of_groups(frame):
    made = frame.group_by("k", sort=True).resample("1D")["x"].sum()
    same(made, FRAME.groupby("k").resample("1D")["x"].sum())


def test_aggregates_of_windows_of_series_by_name(device):
    for name in ("x", None):
        theirs = pd.Series([1.0, 4.0, 2.0, 8.0], name=name)
        ours = cn.Series([1.0, 4.0, 2.0, 8.0], name=name) if name else cn.Series([1.0, 4.0, 2.0, 8.0])
        for made, expected in [(ours.rolling(2), theirs.rolling(2)), (ours.expanding(), theirs.expanding())]:
            same(made.agg(["sum", "max"]), expected.agg(["sum", "max"]))
