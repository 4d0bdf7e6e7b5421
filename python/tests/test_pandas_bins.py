"""Bins of time beside pandas: functions, forms of agg, groups and rows of bins."""

import datetime

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import same

TIMES = [datetime.datetime(2024, 1, 1, *at) for at in ((0, 10), (1, 20), (1, 40), (4, 5), (4, 6), (5, 59))]
DATA = {"a": [1.0, 2.0, None, 4.0, 5.0, 6.0], "b": [6, 5, 4, 3, 2, 1]}
AT = pd.Timestamp("2024-01-01 04:00")

BINS = {
    "frame": lambda f: f.resample("1h"),
    "column": lambda f: f.resample("1h")["a"],
    "series": lambda f: f["a"].resample("1h"),
    "right": lambda f: f.resample("2h", closed="right", label="right"),
    "on": lambda f: f.rename_axis("t").reset_index().resample("1h", on="t"),
}
CALLS = {
    "apply by name": lambda r: r.apply("sum"),
    "apply": lambda r: r.apply(lambda values: values.sum()),
    "apply with a null": lambda r: r.apply(lambda values: values.max() - values.min()),
    "apply with an argument": lambda r: r.apply(lambda values, n: len(values) + n, 2),
    "transform": lambda r: r.transform("sum"),
    "transform of rows": lambda r: r.transform("cumsum"),
    "transform of a function": lambda r: r.transform(lambda values: values - values.mean()),
    "groups": lambda r: {str(label): int(end) for label, end in r.groups.items()},
    "indices": lambda r: {str(label): [int(at) for at in places] for label, places in r.indices.items()},
    "iterated": lambda r: [[str(label), rows] for label, rows in r],
    "number": lambda r: [len(r), r.ngroups],
    "size": lambda r: r.size(),
    "pipe by name": lambda r: r.pipe((lambda n, bins: bins.sum(), "bins"), 1),
    "agg": lambda r: r.agg("sum"),
    "agg of sizes": lambda r: r.agg("size"),
    "agg with keywords": lambda r: r.agg("std", ddof=0),
    "agg of a function": lambda r: r.agg(lambda values: values.max()),
    "agg of numpy": lambda r: r.agg(np.mean),
    "agg of a list": lambda r: r.agg(["sum", "max"]),
    "quantiles": lambda r: r.quantile([0.25, 0.5]),
    "enough values": lambda r: r.sum(min_count=2),
}
OF_FRAMES = {
    "agg of pairs": lambda f: f.resample("1h").agg([("lo", "min"), ("hi", "max")]),
    "agg by column": lambda f: f.resample("1h").agg({"a": "sum", "b": "max"}),
    "agg of lists by column": lambda f: f.resample("1h").agg({"a": ["sum", "max"], "b": "max"}),
    "agg of functions by column": lambda f: f.resample("1h").agg({"a": lambda values: values.max()}),
    "agg under new labels": lambda f: f.resample("1h").agg(x=("a", "sum"), y=("b", lambda values: values.max())),
    "agg of NamedAgg": lambda f: f.resample("1h").agg(x=pd.NamedAgg("a", "sum")),
    "agg of a series under new labels": lambda f: f["a"].resample("1h").agg(x="sum", y="max"),
    "get_group": lambda f: f.resample("1h").get_group(AT),
    "get_group of a column": lambda f: f.resample("1h")["a"].get_group(AT),
    "numbers only": lambda f: f.assign(k=list("xyxyxx")).resample("1h").mean(numeric_only=True),
    "nearest": lambda f: f.resample("30min").nearest(),
    "asfreq with a value": lambda f: f.resample("1h").asfreq(fill_value=0),
    "a list of columns": lambda f: f.resample("1h")[["b"]].sum(),
    "of groups": lambda f: f.assign(k=list("xyxyxx")).groupby("k").resample("2h").max(),
    "of groups, a list": lambda f: f.assign(k=list("xyxyxx")).groupby("k")[["a"]].resample("2h").sum(),
    "of groups, a column": lambda f: f.assign(k=list("xyxyxx")).groupby("k")["a"].resample("2h").agg(["sum", "max"]),
    "of groups, sizes": lambda f: f.assign(k=list("xyxyxx")).groupby("k")["a"].resample("2h").size(),
    "of groups, a function": lambda f: f.assign(k=list("xyxyxx")).groupby("k")["a"].resample("2h").apply(lambda values: values.sum()),
}


def frames():
    ours = cn.DataFrame({"t": TIMES, **DATA}).set_index("t").rename_axis(None)
    return ours, pd.DataFrame(DATA, index=pd.DatetimeIndex(TIMES).as_unit("us"))


@pytest.mark.parametrize("bins", BINS)
@pytest.mark.parametrize("name", CALLS)
def test_bins(bins, name):
    ours, theirs = frames()
    same(CALLS[name](BINS[bins](ours)), CALLS[name](BINS[bins](theirs)))


@pytest.mark.parametrize("name", OF_FRAMES)
def test_frames(name):
    ours, theirs = frames()
    same(OF_FRAMES[name](ours), OF_FRAMES[name](theirs))


@pytest.mark.parametrize("call, kind, text", [
    (lambda f: f.resample("1h").agg(), TypeError, "agg: give an aggregate"),
    (lambda f: f.resample("1h").agg("nothing"), ValueError, 'agg: "nothing" is no aggregate of bins'),
    (lambda f: f.resample("1h").agg({"zz": "sum"}), KeyError, "agg: there is no column 'zz'"),
    (lambda f: f.resample("1h")["a"].agg({"a": "sum"}), ValueError, "agg: a dictionary is of the columns of a frame"),
    (lambda f: f.resample("1h").agg(x="sum"), TypeError, "agg: x is a column and an aggregate"),
    (lambda f: f.resample("1h")["a"].agg(lambda values: values), TypeError, "agg: the function returns a value for each bin"),
    (lambda f: f.resample("1h").get_group(datetime.datetime(2025, 1, 1)), KeyError, "get_group: there is no bin with rows"),
    (lambda f: f.groupby("b").resample("1h").transform("sum"), NotImplementedError, "transform: bins of groups do not have it"),
    (lambda f: f.resample("1h").quantile([]), ValueError, "quantile: q is a share or a list of some"),
    (lambda f: f.resample("1h").ffill(limit=-1), ValueError, "ffill: limit is at least 0, and not -1"),
])
def test_refused(call, kind, text):
    frame, _ = frames()
    with pytest.raises(kind) as error:
        call(frame)
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value)


@pytest.mark.parametrize("closed", ["left", "right", "both"])
def test_cut_by_intervals(closed):
    theirs = pd.Series([1.0, 3.0, None, 7.0, 0.0, 5.0], index=list("abcdef"), name="v")
    bins = pd.IntervalIndex.from_tuples([(3.5, 6.0), (0.0, 3.0)], closed=closed)
    expected = pd.cut(theirs, bins).map(str, na_action="ignore").astype(object)
    for given in (bins, cn.from_pandas(bins)):
        made = cn.cut(cn.from_pandas(theirs).nan_to_null(), given)
        assert made.cat.is_ordered() and made.name == "v" and made.index.to_list() == list("abcdef")
        # Categories are texts here.
        assert made.to_list() == [None if value != value else value for value in expected]
        assert made.cat.categories().to_list() == [str(interval) for interval in bins]
    made, same_bins = cn.cut([1, 4], cn.from_pandas(bins), retbins=True)
    assert isinstance(made, cn.CategoricalIndex) and same_bins.equals(cn.from_pandas(bins))


def test_cut_by_what_are_no_separate_intervals_is_refused():
    with pytest.raises(ValueError, match="cut: the intervals overlap"):
        cn.cut([1], cn.IntervalIndex.from_tuples([(1, 3), (0, 2)]))
    with pytest.raises(ValueError, match="cut: the intervals overlap"):
        cn.cut([1], cn.IntervalIndex.from_tuples([(0, 1), (1, 2)], closed="both"))
    with pytest.raises(TypeError, match="cut: bins in an index are intervals, not int64"):
        cn.cut([1], cn.Index([1, 2]))


NO_TIMES = {
    "resample": (lambda s: s.resample("D").sum(), "times are expected, not int64"),
    "rolling": (lambda s: s.rolling("2D").sum(), "times are expected, not int64"),
    "resample of a column": (lambda s: s.to_frame("v").resample("D", on="v").sum(), "times are expected, not int64"),
    "resample of groups": (lambda s: s.groupby([1, 1, 2]).resample("D").sum(), 'column "row labels": times are expected, not int64'),
    "Grouper": (lambda s: s.to_frame("v").groupby(cn.Grouper(freq="D")).sum(), 'column "row labels": times are expected, not int64'),
}


@pytest.mark.parametrize("name", NO_TIMES)
def test_bins_of_what_are_no_times_say_so(name):
    call, text = NO_TIMES[name]
    with pytest.raises(TypeError) as error:
        call(cn.Series([1, 2, 3]))
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value)


def test_windows_of_time_need_all_row_labels():
    with pytest.raises(ValueError, match="sum: row labels: one is null, and windows of time need all of them"):
        cn.Series([1, 2], index=cn.DatetimeIndex([None, "2024-01-01"])).rolling("2D").sum()
    with pytest.raises(KeyError, match="loc: row labels are in no order, and '2024' is none of them"):
        cn.Series([1, 2], index=cn.DatetimeIndex(["2024-03-01", "2024-02-01"])).loc["2024":]


def test_extreme_integers_are_in_bins_with_edges_beyond_them():
    least, most, inf = -(2**63), 2**63 - 1, float("inf")
    values = cn.Series([least, 0, 5])
    assert cn.cut(values, [-inf, 0, inf]).to_list() == ["(-inf, 0.0]", "(-inf, 0.0]", "(0.0, inf]"]
    counts = cn.DataFrame({"v": values}).select(h=cn.col("v").histogram([-inf, 0, inf]))["h"].to_list()[0]
    assert list(counts) == [2, 1]
    assert cn.cut(cn.Series([most, 0]), [-inf, 1, inf], right=False).to_list() == ["[1.0, inf)", "[-inf, 1.0)"]
    assert cn.Series([least, most, 0]).value_counts(bins=2).to_list() == [2, 1]
    unsigned = cn.Series([2**64 - 1, 2**53 + 1, 0], dtype="uint64")
    assert cn.cut(unsigned, [0, 2.0**53, 2.0**64], labels=False, right=False).to_list() == [1, 1, 0]
    assert cn.cut(unsigned, [-inf, 2.0**53, inf], labels=False).to_list() == [1, 1, 0]


def test_edges_of_histograms_are_not_rounded_to_float32():
    x = np.array([-4.4, 0.7, 1], "float32")
    expected = np.histogram(-x[::-1].astype("float64"), [-3, -0.7, 4.4])[0][::-1].tolist()
    made = cn.DataFrame({"x": x}).select(h=cn.col("x").histogram([-4.4, 0.7, 3.0]))["h"].to_list()[0]
    assert list(made) == expected == [1, 1]
