"""Ranges of times, durations and intervals: the same calls on pandas."""

import datetime as dt

import columnade as cn
import pandas as pd
import pytest

from beside import same

DAY = dt.datetime(2024, 1, 31)
TIMES = {
    "minutes": dict(start="2024-01-01 01:00", periods=2),
    "T": dict(start="2024-01-01T01:00", periods=2, freq="h"),
    "hours": dict(start="2024-01-01 01", periods=2),
    "months": dict(start="2024-01", end="2024-03", freq="MS"),
    "years": dict(start="2024", end="2026", freq="YS"),
    "digits": dict(start="20240101", periods=2),
    "month first": dict(start="1/2/2024", periods=2),
    "both ends": dict(start="2024-01-01", end="2024-01-05", periods=3),
    "both ends unevenly": dict(start="2024-01-01", end="2024-01-02", periods=8),
    "one of both ends": dict(start="2024-01-01", end="2024-01-02", periods=1),
    "none of both ends": dict(start="2024-01-01", end="2024-01-02", periods=0),
    "ends that go down": dict(start="2024-01-05", end="2024-01-01", periods=4),
    "down": dict(start="2024-01-05", periods=3, freq="-1D"),
    "down by hours": dict(start="2024-01-05 03:30", periods=3, freq="-2h"),
    "down to an end": dict(start="2024-01-05", end="2024-01-02", freq="-2D"),
    "down to an end that is one": dict(start="2024-01-05", end="2024-01-01", freq="-2D"),
    "down before an end": dict(end="2024-01-05", periods=3, freq="-1D"),
    "down by months": dict(start="2024-03-31", periods=3, freq="-1ME"),
    "down to what is later": dict(start="2024-01-01", end="2024-01-05", freq="-1D"),
    "zone": dict(start="2024-03-30", periods=3, tz="Europe/Oslo"),
    "hours of a zone": dict(start="2024-03-31 00:00", periods=5, freq="h", tz="Europe/Oslo"),
    "ends of a zone": dict(start="2024-03-30", end="2024-04-02", periods=4, tz="Europe/Oslo"),
    "before an end of a zone": dict(end="2024-04-02", periods=4, tz="Europe/Oslo"),
    "time of a zone": dict(start=pd.Timestamp("2024-03-30", tz="Europe/Oslo"), periods=3),
    "dates": dict(start=dt.date(2024, 1, 1), end=DAY, freq="10D"),
    "name": dict(start=DAY, periods=2, name="t"),
    "left": dict(start="2024-01-01", end="2024-01-03", inclusive="left"),
    "right": dict(start="2024-01-01", periods=3, inclusive="right"),
    "neither": dict(end="2024-01-03", periods=4, inclusive="neither"),
    "ends that are none": dict(start="2024-01-01", end="2024-03-15", freq="ME", inclusive="neither"),
    "nanoseconds": dict(start="2024-01-01", periods=2, unit="ns"),
    "seconds of a zone": dict(start="2024-01-01", periods=2, unit="s", tz="UTC"),
    "end of months": dict(end="2024-03-15", periods=3, freq="ME"),
    "midnight": dict(start="2024-01-01 05:30", end=dt.datetime(2024, 1, 3, 5), normalize=True),
}


@pytest.mark.parametrize("name", TIMES)
def test_times(name):
    made, expected = cn.date_range(**TIMES[name]), pd.date_range(**TIMES[name])
    same(made, expected)
    assert (made.unit, made.tz) == (expected.unit, None if expected.tz is None else str(expected.tz))
    if "-" not in TIMES[name].get("freq", "") and expected.freq is not None and len(expected):
        assert made.freq == expected.freqstr


DURATIONS = {
    "periods": dict(start="1h", periods=3, freq="30min"),
    "both ends": dict(start="1h", end="4h", periods=4),
    "unevenly": dict(start="1h", end="2h", periods=8),
    "end": dict(end="1 day", periods=2),
    "end by hours": dict(end="1 day", periods=3, freq="2h"),
    "down": dict(start="4h", periods=3, freq="-1h"),
    "down to an end": dict(start="5h", end="1h", freq="-3h"),
    "left": dict(start="1 day", end="2 days", freq="6h", closed="left"),
    "right": dict(start="1 day", end="2 days", freq="6h", closed="right"),
    "name": dict(start=dt.timedelta(1), periods=2, name="d"),
    "seconds": dict(start="1h", periods=2, unit="s"),
}


@pytest.mark.parametrize("name", DURATIONS)
def test_durations(name):
    made, expected = cn.timedelta_range(**DURATIONS[name]), pd.timedelta_range(**DURATIONS[name])
    same(made, expected)
    assert made.unit == expected.unit


INTERVALS = {
    "numbers": dict(start=0, end=4),
    "length": dict(start=0, end=5, freq=2),
    "name": dict(start=0, end=4, name="n", freq=2),
    "closed": dict(start=0, end=2, closed="both"),
    "number": dict(start=0, periods=3),
    "before an end": dict(end=5, periods=2, freq=2),
    "evenly": dict(start=0, end=6, periods=4),
    "evenly whole": dict(start=0, end=6, periods=3),
    "floats": dict(start=0.0, end=2.0, freq=0.5),
    "floats of length 1": dict(start=0.5, periods=2),
    "float length": dict(start=0, end=1, freq=0.25),
    "no interval": dict(start=0, periods=0),
    "days": dict(start=pd.Timestamp("2024-01-01"), periods=2),
    "months": dict(start=pd.Timestamp("2024-01-01"), end=pd.Timestamp("2024-04-01"), freq="MS"),
    "times evenly": dict(start=pd.Timestamp("2024-01-01"), end=pd.Timestamp("2024-01-02"), periods=4),
    "times before an end": dict(end=pd.Timestamp("2024-01-10"), periods=2, freq="2D", closed="left"),
    "durations": dict(start=pd.Timedelta("1h"), end=pd.Timedelta("3h"), freq="1h"),
    "durations by number": dict(start=pd.Timedelta("1h"), periods=3, freq="90min"),
}


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals(name):
    made, expected = cn.interval_range(**INTERVALS[name]), pd.interval_range(**INTERVALS[name])
    same(made, expected)
    assert made.closed == expected.closed
    same(made.left, expected.left)
    same(made.right, expected.right)


REFUSED = {
    "text": (ValueError, lambda: cn.date_range("no time", periods=2), "no time"),
    "offset": (ValueError, lambda: cn.date_range("2024-01-01 00:00+02:00", periods=2), "has an offset"),
    "four": (ValueError, lambda: cn.date_range("2024-01-01", "2024-01-02", 2, "D"), "not both"),
    "two": (ValueError, lambda: cn.date_range("2024-01-01"), "end or periods"),
    "none": (ValueError, lambda: cn.date_range(periods=3), "start is missing"),
    "periods": (TypeError, lambda: cn.date_range("2024-01-01", periods=1.5), "whole number"),
    "negative periods": (ValueError, lambda: cn.date_range("2024-01-01", periods=-1), "at least 0"),
    "freq": (ValueError, lambda: cn.date_range("2024-01-01", periods=2, freq="-3x"), "3x"),
    "kinds": (TypeError, lambda: cn.interval_range(0, pd.Timestamp("2024-01-01")), "of one kind"),
    "length of numbers": (TypeError, lambda: cn.interval_range(0, 2, freq="D"), "a number"),
    "no length": (ValueError, lambda: cn.interval_range(0, 2, freq=0), "not 0"),
    "no end": (ValueError, lambda: cn.interval_range(periods=2), "start is missing"),
    "closed": (ValueError, lambda: cn.timedelta_range("1h", periods=2, closed="both"), "closed is"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_range_is_refused(name):
    error, call, words = REFUSED[name]
    with pytest.raises(error, match=words) as refused:
        call()
    assert isinstance(refused.value, cn.ColumnadeError)
