"""Times as text in formats and back, and times that are moved, against Python's own, on every device."""

import datetime as dt
import zoneinfo

import columnade as cn
import pytest
from both_forms import both_forms
from columnade import col
from dateutil.relativedelta import relativedelta

TIMES = [
    dt.datetime(2024, 2, 29, 0, 5, 9, 7), dt.datetime(1999, 12, 31, 23, 59, 59, 999999), None, dt.datetime(2000, 1, 1),
    dt.datetime(1969, 7, 20, 12), dt.datetime(2021, 1, 3, 13, 1, 1), dt.datetime(2020, 12, 28, 1, 30), dt.datetime(2016, 1, 3, 11),
]
DIRECTIVES = "aAbBcCdDeFgGHIjklmMnpPrRStTuUVwWxXyYzZ%"
# Formats that are read back, and what Python calls directives that it does not read.
READ = [
    "%Y-%m-%d %H:%M:%S.%f", "%c", "%x %X", "%D %T", "%d/%m/%y %I:%M:%S %p", "%d %b %Y %r", "%d %B %Y %k:%M", "%d %B %Y %l:%M %P",
    "%Y-%j %R", "%G-W%V-%u", "%G-W%V-%u %H:%M", "%G %V %a", "%F%n%T%t", "%e.%m.%Y", "%h %d, %Y", "%A %d %B %Y", "%Y%m%d", "%y%j", "%%%Y",
]
IN_PYTHON = {
    "%P": "%p", "%k": "%H", "%l": "%I", "%r": "%I:%M:%S %p", "%D": "%m/%d/%y", "%T": "%H:%M:%S", "%R": "%H:%M", "%F": "%Y-%m-%d",
    "%e": "%d", "%h": "%b", "%n": " ", "%t": " ",
}


def each(values, function):
    return [None if value is None else function(value) for value in values]


@pytest.mark.parametrize("zone", [None, "UTC", "Europe/Berlin"])
def test_directives_write_what_python_writes(device, zone):
    series, times = cn.Series(TIMES), TIMES
    if zone:
        series, times = series.dt.tz_localize(zone), each(TIMES, lambda time: time.replace(tzinfo=zoneinfo.ZoneInfo(zone)))
    frame = series.rename("t").to_frame()
    for directive in DIRECTIVES:
        for text in (f"%{directive}", f"é%{directive}|%Y%{directive}"):
            expected = each(times, lambda time: time.strftime(text))
            assert frame.select(made=col("t").dt.strftime(text))["made"].to_list() == expected, text
            assert series.dt.strftime(text).to_list() == expected, text
    assert series.dt.strftime("%s").to_list() == each(times, lambda time: str(int((time if zone else time.replace(tzinfo=dt.UTC)).timestamp() // 1)))


@pytest.mark.parametrize("text", READ)
def test_formats_are_read_back(device, text):
    known = text
    for ours, theirs in IN_PYTHON.items():
        known = known.replace(ours, theirs)
    for rows in (0, 1, 32, 65):
        times = [TIMES[0], None, *(dt.datetime(2000 + row % 60, 1 + row % 12, 1 + row % 28, row % 24, row % 60, 7 * row % 60) for row in range(rows))][:rows]
        texts = each(times, lambda time: time.strftime(text))
        made = both_forms(cn.Series(texts, dtype="utf8"), lambda s: s.str.to_datetime(text, "timestamp[us]"))
        assert made == each(texts, lambda value: dt.datetime.strptime(value, known))


@pytest.mark.parametrize("text, dtype, values, expected", [
    ("%r", "time64[us]", ["12:00:00 AM", "01:02:03 pm", None, "12:59:59 PM"], [dt.time(0), dt.time(13, 2, 3), None, dt.time(12, 59, 59)]),
    ("%l:%M %P", "time32[s]", [" 1:05 am", "11:05 pm", "1:05 AM"], [dt.time(1, 5), dt.time(23, 5), dt.time(1, 5)]),
    ("%k:%M", "time64[ns]", [" 9:00", "23:00"], [dt.time(9), dt.time(23)]),
    ("%G-W%V-%u", "date32", ["0001-W01-1", "9999-W52-5", "2020-W53-7"], [dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(2021, 1, 3)]),
    ("%w %V %G", "date32", ["0 09 2024"], [dt.date(2024, 3, 3)]),
    ("%c", "date32", ["thu feb 29 00:05:09 2024"], [dt.date(2024, 2, 29)]),
])
def test_parts_of_times_are_read(device, text, dtype, values, expected):
    assert both_forms(cn.Series(values), lambda s: s.str.to_datetime(text, dtype)) == expected


@pytest.mark.parametrize("text, dtype, value", [
    ("%I:%M %p", "time64[us]", "13:00 PM"), ("%I:%M %p", "time64[us]", "00:00 AM"), ("%H:%M", "time64[us]", "24:00"),
    ("%X", "time64[us]", "23:59:60"), ("%Y-%m-%d", "date32", "2023-02-29"), ("%j %Y", "date32", "366 2023"), ("%j %Y", "date32", "0 2024"),
    ("%G-W%V-%u", "date32", "2021-W53-1"), ("%G-W%V-%u", "date32", "2020-W54-1"), ("%G-W%V-%u", "date32", "2020-W00-1"),
    ("%G-W%V-%u", "date32", "2020-W10-0"), ("%G-W%V-%u", "date32", "2020-W10-8"), ("%w %V %G", "date32", "7 09 2024"),
    ("%Y", "date32", "2024é"), ("%Y", "date32", "10000"),
])
def test_text_that_is_no_time_is_an_error_with_its_row(device, text, dtype, value):
    good = dt.datetime(2024, 2, 29, 11).strftime(text)
    series = cn.Series([good, None, value, value])
    with pytest.raises(ValueError) as error:
        series.str.to_datetime(text, dtype)
    assert isinstance(error.value, cn.ColumnadeError) and f'row 2: "{value}"' in str(error.value)
    assert series.str.to_datetime(text, dtype, strict=False).is_null().to_list() == [False, True, True, True]



@pytest.mark.parametrize("text, value", [("%G-W%V-%u", "1677-W01-1"), ("%F", "3000-01-01")])
def test_times_that_do_not_fit_the_unit_are_an_overflow_with_their_row(device, text, value):
    series = cn.Series([dt.datetime(2024, 2, 29, 11).strftime(text), None, value, value])
    with pytest.raises(cn.ColumnOverflowError, match=f"row 2: {value} does not fit timestamp"):
        series.str.to_datetime(text, "timestamp[ns]")
    assert series.str.to_datetime(text, "timestamp[ns]", strict=False).is_null().to_list() == [False, True, True, True]


MOVES = {
    "1mo2d3h": relativedelta(months=1, days=2, hours=3), "-1mo2d3h": relativedelta(months=-1, days=-2, hours=-3),
    "2y3mo1w1d1h1m1s1ms1us": relativedelta(years=2, months=3, weeks=1, days=1, hours=1, minutes=1, seconds=1, microseconds=1001),
    "-13mo": relativedelta(months=-13), "1q1d": relativedelta(months=3, days=1), "1d1mo": relativedelta(months=1, days=1), "0mo": relativedelta(),
}
STARTS = [
    dt.datetime(2024, 2, 29, 12), dt.datetime(2024, 1, 31, 23, 59, 59, 999999), None, dt.datetime(2023, 12, 31), dt.datetime(1900, 3, 1),
    dt.datetime(1969, 12, 31, 23), dt.datetime(2024, 5, 31), dt.datetime(2024, 3, 30, 2, 30), dt.datetime(2024, 10, 26, 2, 30), dt.datetime(2024, 10, 27, 3, 30),
]


@pytest.mark.parametrize("by", MOVES)
def test_times_are_moved_by_months_then_days_then_the_rest(device, by):
    series = cn.Series(STARTS)
    assert both_forms(series, lambda s: s.dt.offset_by(by)) == each(STARTS, lambda time: time + MOVES[by])
    assert both_forms(series, lambda s: s.dt.offset_by(by).dt.year()) == each(STARTS, lambda time: (time + MOVES[by]).year)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_days_and_months_move_the_clock_and_hours_the_instant(device, zone):
    clock = zoneinfo.ZoneInfo(zone)
    series = cn.Series(STARTS).dt.tz_localize(zone, ambiguous="earliest", nonexistent="shift_forward")
    starts = series.to_list()
    for by in ("1d", "-1d", "1mo", "1y"):
        made = series.dt.offset_by(by).dt.tz_naive().to_list()
        for start, end in zip(starts, made):
            if start is None:
                assert end is None
                continue
            span = relativedelta(**{{"d": "days", "o": "months", "y": "years"}[by[-1]]: -1 if by[0] == "-" else 1})
            wanted = (start.replace(tzinfo=None) + span).replace(tzinfo=clock)
            # A time that clocks skip becomes the one at which they are set.
            back = wanted.astimezone(dt.UTC).astimezone(clock).replace(tzinfo=None)
            assert end == wanted.replace(tzinfo=None) if back == wanted.replace(tzinfo=None) else end.minute in (0, 30) and end <= back, (start, by)
    utc = series.dt.tz_convert("UTC").to_list()
    for by, span in [("24h", dt.timedelta(hours=24)), ("-25h", dt.timedelta(hours=-25)), ("30m", dt.timedelta(minutes=30))]:
        assert series.dt.offset_by(by).dt.tz_convert("UTC").to_list() == each(utc, lambda time: time + span)


@pytest.mark.parametrize("dtype", ["date32", "timestamp[us]"])
def test_years_are_added_by_constants_and_by_row(device, dtype):
    starts = [dt.date(2024, 2, 29), None, dt.date(1900, 12, 31), dt.date(2000, 2, 29), dt.date(1999, 1, 28)]
    years = [1, 4, None, -100, -1]
    series = cn.Series(starts, dtype="date32").cast(dtype)
    starts = series.to_list()
    for number in (1, -1, 0, 4, 100):
        assert both_forms(series, lambda s: s.dt.add_years(number)) == each(starts, lambda time: time + relativedelta(years=number))
    expected = [None if time is None or number is None else time + relativedelta(years=number) for time, number in zip(starts, years)]
    frame = cn.DataFrame({"t": series, "n": years})
    assert frame.select(made=col("t").dt.add_years(col("n")))["made"].to_list() == expected
    assert series.dt.add_years(frame["n"]).to_list() == expected


def test_periods_until_count_what_begins_between(device):
    ends = [dt.datetime(2024, 3, 1), None, dt.datetime(1970, 1, 1), dt.datetime(2024, 2, 29, 11, 59), dt.datetime(2026, 1, 1)]
    starts = STARTS[:5]
    places = {
        "mo": lambda time: time.year * 12 + time.month, "q": lambda time: time.year * 4 + (time.month - 1) // 3, "y": lambda time: time.year,
        "d": lambda time: time.toordinal(), "w": lambda time: (time.toordinal() - 1) // 7, "h": lambda time: time.toordinal() * 24 + time.hour,
        "min": lambda time: (time.toordinal() * 24 + time.hour) * 60 + time.minute,
    }
    for period, place in places.items():
        expected = [None if a is None or b is None else place(b) - place(a) for a, b in zip(starts, ends)]
        assert cn.Series(starts).dt.periods_until(cn.Series(ends), period).to_list() == expected, period
        frame = cn.DataFrame({"a": starts, "b": ends})
        assert frame.select(made=col("a").dt.periods_until(col("b"), period))["made"].to_list() == expected, period
