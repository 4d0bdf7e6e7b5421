"""Texts as labels that are times and durations, and values as bounds of intervals: the same calls on pandas."""

import datetime as dt

import columnade as cn
import pandas as pd
import pytest

from beside import both, ours

DAYS = pd.DataFrame({"v": [1, 2, 3, 4]}, index=pd.date_range("2024-01-30", periods=4, name="day"))
ZONED = DAYS.tz_localize("Europe/Oslo")
SPANS = pd.DataFrame({"v": [1, 2, 3, 4]}, index=pd.to_timedelta(["1h", "2h", "1 days", "30h"]).rename("long"))
TIMES = {
    "reindex": lambda m, f: f.reindex(["2024-01-31", "2024-03-01"]),
    "reindex index": lambda m, f: f.reindex(index=["2024-02-02 00:00", "20240131"]),
    "reindex of a series": lambda m, f: f["v"].reindex(["2024-01-31"]),
    "reindex with a value": lambda m, f: f.reindex(["2024-01-31", "2024-03-01"], fill_value=0),
    "reindex near": lambda m, f: f["v"].reindex(["2024-01-31 05:00"], method="ffill"),
    "drop": lambda m, f: f.drop(index="2024-01-31"),
    "drop of several": lambda m, f: f.drop(index=["2024-01-31", "2024-02"]),
    "drop with axis": lambda m, f: f.drop("2024-01-31", axis=0),
    "drop of a series": lambda m, f: f["v"].drop("2024-01-31"),
    "drop that ignores": lambda m, f: f.drop(index=["2024-01-31", "2025-01-31"], errors="ignore"),
    "isin": lambda m, f: f.index.isin(["2024-01-31"]),
    "get_loc": lambda m, f: f.index.get_loc("2024-01-31"),
    "get_loc of a month": lambda m, f: f.index.get_loc("2024-01"),
    "get_indexer": lambda m, f: f.index.get_indexer(["2024-01-31", "2024-03-01"]),
    "get_indexer_for": lambda m, f: f.index.get_indexer_for(["2024-01-31"]),
    "labels dropped": lambda m, f: f.index.drop("2024-01-31"),
    "labels inserted": lambda m, f: f.index.insert(0, "2023-01-01"),
    "slice_locs": lambda m, f: f.index.slice_locs("2024-01-31", "2024-02-01"),
    "searchsorted": lambda m, f: f.index.searchsorted("2024-01-31"),
    "in": lambda m, f: ["2024-01-31" in f.index, "2024-03-31" in f.index],
    "at": lambda m, f: [f.at["2024-01-31", "v"], f["v"].at["2024-02-01"]],
    "list of loc": lambda m, f: f.loc[["2024-02-01", "2024-01-31"]],
    "slice of loc": lambda m, f: f.loc["2024-01-31":"2024-02"],
    "asof": lambda m, f: f["v"].asof("2024-01-31 05:00"),
    "equal": lambda m, f: f.index == "2024-01-31",
}


@pytest.mark.parametrize("zone", [None, "Europe/Oslo"])
@pytest.mark.parametrize("name", TIMES)
def test_texts_as_times(name, zone):
    if (name, zone) == ("asof", "Europe/Oslo"):
        pytest.skip("pandas compares a time without a zone here")
    both(TIMES[name], f=DAYS if zone is None else ZONED)


DURATIONS = {
    "slice of loc": lambda m, f: f.loc["2h":],
    "slice to a day": lambda m, f: f.loc[:"1 days"],
    "slice to an hour": lambda m, f: f["v"].loc["1h":"2h"],
    "list of loc": lambda m, f: f.loc[["1 days", "1h"]],
    "rows and columns": lambda m, f: f.loc["2h":"1 days", ["v"]],
    "brackets of a frame": lambda m, f: f["1h":"2h"],
    "brackets of a series": lambda m, f: f["v"]["1h"],
    "at": lambda m, f: [f.at["1 days", "v"], f["v"].at["2h"], f["v"].at[dt.timedelta(hours=1)]],
    "get_loc": lambda m, f: [f.index.get_loc("1 days"), f.index.get_loc(dt.timedelta(hours=2)), f.index.get_loc("120min")],
    "get_indexer": lambda m, f: f.index.get_indexer(["1h", "3h", "30 hours"]),
    "reindex": lambda m, f: f.reindex(["1h", "3h"]),
    "drop": lambda m, f: f.drop(index=["1h", "1 days"]),
    "drop of a series": lambda m, f: f["v"].drop("2h"),
    "labels dropped": lambda m, f: f.index.drop("1h"),
    "labels inserted": lambda m, f: f.index.insert(-1, "3h"),
    "isin": lambda m, f: f.index.isin(["1h"]),
    "in": lambda m, f: ["1h" in f.index, "5h" in f.index, "no" in f.index],
    "slice_locs": lambda m, f: f.index.slice_locs("1h", "1 day"),
    "searchsorted": lambda m, f: f.index.searchsorted("2h"),
    "equal": lambda m, f: [list(f.index == "1h"), list(f.index != "1 days")],
}


@pytest.mark.parametrize("unit", ["us", "ns", "s"])
@pytest.mark.parametrize("name", DURATIONS)
def test_texts_as_durations(name, unit):
    # A label inserted into labels of seconds makes them ones of microseconds.
    both(DURATIONS[name], {"label_dtypes": (name, unit) != ("labels inserted", "s")}, f=SPANS.set_axis(SPANS.index.as_unit(unit)))


def test_one_duration_has_rows():
    frame = ours(SPANS)
    assert frame.loc["1h"].to_dict() == {"v": [1]} and frame["v"].loc["30h"] == 4 and frame.xs("2h").to_dict() == {"v": [2]}
    assert frame.set_loc("1h", "v", 9)["v"].to_list() == [9, 2, 3, 4] and frame.set_loc(slice("2h", "1 days"), "v", 0)["v"].to_list() == [1, 0, 0, 0]


def intervals(closed, descending=False):
    index = pd.interval_range(0, 4, closed=closed)
    return pd.DataFrame({"v": [1, 2, 3, 4]}, index=index[::-1] if descending else index)


@pytest.mark.parametrize("closed", ["left", "right", "neither"])
@pytest.mark.parametrize("bounds", [(0.5, 1.5), (1.5, None), (None, 1.5), (1, 2), (0, 4), (9, None), (None, -1), (2, None), (None, 2)])
@pytest.mark.parametrize("descending", [False, True])
def test_intervals_between_values(closed, bounds, descending):
    low, high = bounds[::-1] if descending else bounds
    both(lambda m, f: f.loc[low:high], f=intervals(closed, descending))
    both(lambda m, f: f["v"].loc[low:high], f=intervals(closed, descending))
    both(lambda m, f: f.index.slice_locs(low, high), f=intervals(closed, descending))


def test_intervals_in_brackets():
    both(lambda m, f: f[0.5:2.5], f=intervals("right"))
    both(lambda m, f: f.loc[0.5:2.5, ["v"]], f=intervals("right"))
    both(lambda m, f: f[1:3], f=intervals("right"))


REFUSED = {
    "time": (KeyError, lambda: ours(DAYS).index.get_loc("no time")),
    "time that is dropped": (KeyError, lambda: ours(DAYS).drop(index="no time")),
    "time that is not there": (KeyError, lambda: ours(DAYS).drop(index="2025-01-01")),
    "text that is no time": (TypeError, lambda: ours(DAYS).reindex(["no time"])),
    "duration": (KeyError, lambda: ours(SPANS).loc["no duration"]),
    "duration of get_loc": (KeyError, lambda: ours(SPANS).index.get_loc("9 h")),
    "duration of at": (KeyError, lambda: ours(SPANS)["v"].at["9 h"]),
    "intervals that overlap": (KeyError, lambda: ours(pd.Series([1, 2], index=pd.IntervalIndex.from_tuples([(0, 2), (1, 3)]))).loc[0.5:1.5]),
    "intervals without order": (KeyError, lambda: ours(pd.Series([1, 2, 3], index=pd.IntervalIndex.from_tuples([(2, 3), (0, 1), (1, 2)]))).loc[0.5:]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_labels_that_are_not_there(name):
    kind, call = REFUSED[name]
    with pytest.raises(kind) as refused:
        call()
    assert isinstance(refused.value, cn.ColumnadeError)

