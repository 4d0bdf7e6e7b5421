"""Times, durations and offsets of pandas and numpy as operands and arguments: the same calls on both."""

import datetime as dt
import re

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

TIME, SPAN = pd.Timestamp("2024-01-31 10:00:00.123456789"), pd.Timedelta("1D 2h 3ns")
TIME64, SPAN64 = np.datetime64("2024-01-31T10:00:00.123456789"), np.timedelta64(93600000000003, "ns")
TIMES = pd.Series(pd.to_datetime(["2024-01-31 10:00:00.123456789", "2024-02-29", None, "2024-03-15 12:00"], format="mixed"), name="t")
SPANS = pd.Series(pd.to_timedelta(["1D 2h 3ns", "2D", None, "-1h"]), name="u")
DAYS = pd.Series([1, 2, 3, 4], index=pd.date_range("2024-01-31", periods=4, freq="D"))


def compared(made, expected, **options):
    """Null is null in results of comparisons, and False in pandas."""
    is_test = isinstance(expected, pd.Series) and expected.dtype == bool
    same(made.fill_null(cn.from_pandas(expected)) if is_test else made, expected, **options)


OPERANDS = {
    **{f"{name} {kind}": (lambda s, u, i, call=call, value=value: call(s, value)) for kind, value in (("time", TIME), ("numpy's", TIME64)) for name, call in {
        "equal": lambda s, value: s == value, "at least": lambda s, value: s >= value, "less": lambda s, value: s < value,
        "is in": lambda s, value: s.isin([value]), "filled": lambda s, value: s.fillna(value), "difference": lambda s, value: s - value,
        "between": lambda s, value: s.between(value, pd.Timestamp("2024-03-01")), "where": lambda s, value: s.where(s > value, value),
        "mask": lambda s, value: s.mask(s.isna(), value),
    }.items()},
    **{f"{name} {kind}": (lambda s, u, i, call=call, value=value: call(s, u, value)) for kind, value in (("span", SPAN), ("numpy's span", SPAN64)) for name, call in {
        "later": lambda s, u, value: s + value, "earlier": lambda s, u, value: s - value, "equal": lambda s, u, value: u == value,
        "sum": lambda s, u, value: u + value, "filled": lambda s, u, value: u.fillna(value), "is in": lambda s, u, value: u.isin([value]),
    }.items()},
    "reversed difference": lambda s, u, i: TIME - s, "reversed sum": lambda s, u, i: TIME + u, "quotient": lambda s, u, i: u / pd.Timedelta("1h"),
    "labels and a span": lambda s, u, i: i.index + pd.Timedelta("1D"), "labels and an offset": lambda s, u, i: i.index + pd.DateOffset(months=1),
    "labels and month ends": lambda s, u, i: i.index + pd.offsets.MonthEnd(), "loc": lambda s, u, i: i.loc[pd.Timestamp("2024-02-01"):],
    "shift by days": lambda s, u, i: i.shift(1, freq=pd.offsets.Day(2)), "shift by months": lambda s, u, i: i.shift(1, freq=pd.DateOffset(months=1)),
    "shift to month ends": lambda s, u, i: i.shift(1, freq=pd.offsets.MonthEnd()), "shift by a span": lambda s, u, i: i.shift(2, freq=pd.Timedelta("1h")),
    "resample": lambda s, u, i: i.resample(pd.offsets.Day(2)).sum(), "resample by a span": lambda s, u, i: i.resample(dt.timedelta(days=2)).sum(),
    "resample by months": lambda s, u, i: i.resample(pd.offsets.MonthEnd()).sum(), "rolling": lambda s, u, i: i.rolling(pd.offsets.Day(2)).sum(),
    "asfreq": lambda s, u, i: i.asfreq(pd.offsets.Hour(12)), "floor": lambda s, u, i: s.dt.floor(pd.Timedelta("1h")),
    "round": lambda s, u, i: s.dt.round(pd.offsets.Hour()), "floor of labels": lambda s, u, i: i.index.floor(pd.offsets.Hour(5)),
}


@pytest.mark.parametrize("name", OPERANDS)
def test_operands_and_arguments(name):
    call = OPERANDS[name]
    compared(call(*map(cn.from_pandas, (TIMES, SPANS, DAYS))), call(TIMES, SPANS, DAYS), whole=name == "rolling")


OFFSETS = [
    pd.DateOffset(months=1), pd.DateOffset(years=1, days=2), pd.DateOffset(days=2, hours=3), pd.DateOffset(2), pd.DateOffset(months=1, normalize=True),
    *(of(count) for of in (
        pd.offsets.MonthEnd, pd.offsets.MonthBegin, pd.offsets.QuarterEnd, pd.offsets.QuarterBegin, pd.offsets.YearEnd, pd.offsets.YearBegin,
        pd.offsets.BDay, pd.offsets.BMonthEnd, pd.offsets.Day, pd.offsets.Hour, pd.offsets.Minute, pd.offsets.Nano, pd.offsets.Week,
        pd.offsets.SemiMonthEnd,
    ) for count in (1, 2, 0, -3)),
    pd.offsets.Week(weekday=0), pd.offsets.YearEnd(month=6), pd.offsets.QuarterEnd(startingMonth=1), pd.offsets.MonthEnd(normalize=True),
]


@pytest.mark.parametrize("offset", OFFSETS, ids=str)
def test_offsets(offset):
    theirs = pd.Series(pd.date_range("2023-12-25 10:00:00.000000001", periods=100, freq="D"), name="t")
    theirs[7] = None
    ours = cn.from_pandas(theirs)
    compared(ours + offset, theirs + offset)
    compared(ours - offset, theirs - offset)
    compared(offset + ours, offset + theirs)


@pytest.mark.parametrize("offset", OFFSETS, ids=str)
def test_dates_that_are_moved_by_days_stay_dates(offset):
    days = [dt.date(2024, 1, 31), None, dt.date(2023, 12, 25)]
    theirs = pd.Series(pd.to_datetime(days))
    for made, wanted in ((cn.Series(days) + offset, theirs + offset), (cn.Series(days) - offset, theirs - offset)):
        is_date = made.dtype == "date32"
        is_part = any(of in type(offset).__name__ for of in ("Hour", "Minute", "Nano")) and offset.n or "hours" in offset.kwds
        assert is_date == (not is_part)
        wanted = [None if value is pd.NaT else value.date() if is_date else value for value in wanted]
        assert made.to_list() == wanted or "Nano" in type(offset).__name__


def test_offsets_in_a_zone_go_by_its_clocks():
    theirs = pd.Series(pd.date_range("2024-01-31 12:00", periods=3, tz="Europe/Rome"))
    ours = cn.from_pandas(theirs)
    for offset in (pd.DateOffset(months=2), pd.offsets.MonthEnd(3), pd.offsets.Day(70), pd.offsets.Hour(24 * 70)):
        assert (ours + offset).to_list() == (theirs + offset).tolist()


@pytest.mark.parametrize("freq", [pd.offsets.MonthEnd(), pd.Timedelta("2D"), dt.timedelta(days=2), pd.offsets.BDay(), pd.offsets.Hour(6)], ids=str)
def test_ranges(freq):
    assert cn.date_range("2024-01-01", periods=3, freq=freq).to_list() == list(pd.date_range("2024-01-01", periods=3, freq=freq))


def test_shift_keeps_the_time_of_day():
    theirs = pd.date_range("2024-01-30 10:00", periods=3)
    assert cn.Index(theirs.to_numpy()).shift(1, "ME").to_list() == theirs.shift(1, "ME").tolist()


@pytest.mark.filterwarnings("ignore:Non-vectorized")
@pytest.mark.parametrize("freq", ["W", "ME", "MS", "QE", "YS", "SME", "B", "BMS", "WOM-2TUE", "2MS"])
@pytest.mark.parametrize("periods", [1, -1, 2])
def test_shift_keeps_the_time_of_clocks_that_change(freq, periods):
    theirs = pd.DatetimeIndex(["2024-03-30 12:00", "2024-03-31 12:00", "2024-10-27 12:30:01"], tz="Europe/Rome")
    ours = cn.from_pandas(theirs)
    assert ours.shift(periods, freq=freq).to_list() == theirs.shift(periods, freq=freq).tolist()
    assert cn.Series([1, 2, 3], index=ours).shift(periods, freq=freq).index.to_list() == theirs.shift(periods, freq=freq).tolist()


@pytest.mark.parametrize("freq", ["h", "12h", "90min", "D", "2D", "W", "MS", "B"])
@pytest.mark.parametrize("zone", ["Europe/Rome", "America/New_York"])
def test_asfreq_in_a_zone(freq, zone):
    times = pd.date_range("2024-03-29", "2024-04-03", freq="7h", tz=zone).union(pd.date_range("2024-10-26 03:30", "2024-10-28", freq="5h", tz=zone))
    theirs = pd.Series(range(len(times)), index=times, name="n")
    ours = cn.from_pandas(theirs)
    same(ours.asfreq(freq, method="ffill"), theirs.asfreq(freq, method="ffill"))
    same(ours.to_frame().asfreq(freq), theirs.to_frame().asfreq(freq))
    # From an hour that clocks show twice.
    twice = pd.DatetimeIndex(["2024-10-27 00:30", "2024-10-27 01:30"], tz="UTC").tz_convert("Europe/Rome")
    theirs = pd.Series([1, 2], index=twice).asfreq("30min").index
    assert cn.Series([1, 2], index=cn.from_pandas(twice)).asfreq("30min").index.equals(cn.from_pandas(theirs))


@pytest.mark.parametrize("freq", ["2ME", "3MS", "2W", "2B", "2QS", "2YS", "2SME", "2WOM-2TUE", "3QE", "2D", "ME", "-2ME"])
@pytest.mark.parametrize("end", ["2024-02-28", "2024-03-01 13:30", "2024-12-31", "2024-01-06"])
def test_ranges_before_an_end(freq, end):
    for periods in (1, 3):
        assert cn.date_range(end=end, periods=periods, freq=freq).to_list() == list(pd.date_range(end=end, periods=periods, freq=freq))


def test_nanoseconds_of_lists():
    assert cn.to_datetime([TIME, None]).to_pandas().tolist()[0] == TIME and cn.to_timedelta([SPAN, dt.timedelta(1)]).to_pandas()[0] == SPAN
    assert cn.DataFrame({"a": [1, 2]}).assign(v=TIME)["v"].to_pandas().tolist() == [TIME, TIME]
    ours = cn.from_pandas(TIMES.to_frame())
    assert ours.filter(cn.col("t") == TIME).shape == (1, 1) and ours.query("t == @TIME").shape == (1, 1)
    assert ours.select((cn.col("t") + pd.offsets.Nano(1)).alias("t"))["t"].to_pandas()[0] == TIME + pd.offsets.Nano(1)


def test_times_and_durations_are_made():
    time = cn.Timestamp("2024-01-31 10:00:00.5")
    assert time == dt.datetime(2024, 1, 31, 10, 0, 0, 500000) and type(time) is dt.datetime
    assert cn.Timestamp("2024-01-31 10:00:00.123456789") == TIME64 == cn.Timestamp(TIME) and cn.Timestamp(TIME.value) == TIME64
    assert cn.Timestamp(1706659200, unit="s") == dt.datetime(2024, 1, 31) == cn.Timestamp(year=2024, month=1, day=31) == cn.Timestamp(dt.date(2024, 1, 31))
    assert cn.Timestamp("2024-07-01", tz="Europe/Rome").utcoffset() == dt.timedelta(hours=2)
    span = cn.Timedelta("1 day 2h")
    assert span == dt.timedelta(days=1, hours=2) == cn.Timedelta(days=1, hours=2) == cn.Timedelta(26, "h") and type(span) is dt.timedelta
    assert cn.Timedelta(SPAN) == SPAN64 == cn.Timedelta(SPAN.value)


TEXTS, NUMBERS = cn.from_pandas(TIMES), cn.Series([1, 2], name="n")
REFUSED = {
    "an offset of numbers": (lambda: NUMBERS + pd.offsets.MonthEnd(), TypeError, "add: <MonthEnd> moves times, not int64"),
    "a part of an offset": (lambda: TEXTS + pd.DateOffset(day=1), NotImplementedError, "add: day of DateOffset is not implemented"),
    "another offset": (lambda: TEXTS + pd.offsets.Easter(), NotImplementedError, "add: the offset <Easter"),
    "an expression": (lambda: cn.col("t") + pd.offsets.MonthEnd(), NotImplementedError, "use dt.add_months"),
    "a frequency of months": (lambda: cn.date_range("2024", periods=2, freq=pd.DateOffset(months=1)), NotImplementedError, "is no frequency"),
    "periods": (lambda: TEXTS.dt.to_period("M"), NotImplementedError, "dt.truncate"),
    "a period": (lambda: TEXTS == pd.Period("2024-01"), TypeError, "to_timestamp()"),
    "old values": (lambda: TEXTS.replace({TIME: TIME}), NotImplementedError, "replace: values with nanoseconds"),
    "keys of a map": (lambda: TEXTS.map({TIME: 1}), NotImplementedError, "map: values with nanoseconds"),
    "no time": (lambda: cn.Timestamp([1]), TypeError, "Timestamp: a time is text"), "no unit": (lambda: cn.Timestamp(1, unit="x"), ValueError, "unit is one of"),
    "no duration": (lambda: cn.Timedelta(weird=1), TypeError, "Timedelta: give a value"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_say_why(name):
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=re.escape(text)) as found:
        call()
    assert isinstance(found.value, cn.ColumnadeError)
