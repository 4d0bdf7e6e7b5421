"""Arguments of pandas for parts of times and for categories: the same calls on both."""

import datetime as dt
import re

import columnade as cn
import pandas as pd
import pytest
from columnade import col

from beside import same
from both_forms import both_forms

TIMES = [dt.datetime(2024, 1, 7, 3, 31), None, dt.datetime(2023, 1, 1, 23, 59, 59), dt.datetime(2020, 12, 31, 12), dt.datetime(2022, 5, 2)]
DAY_TIMES = {
    "floor": lambda d: d.floor(freq="h"),
    "ceil": lambda d: d.ceil("h"),
    "round": lambda d: d.round(freq="D"),
    "strftime": lambda d: d.strftime(date_format="%d.%m.%y"),
    "weeks from Sunday": lambda d: d.strftime("%U"),
    "weeks among others": lambda d: d.strftime("%Y: %U %%U %W!"),
    "day_name": lambda d: d.day_name(locale=None),
    "month_name": lambda d: d.month_name(),
    "tz_localize": lambda d: d.tz_localize(tz="UTC").dt.tz_convert(tz="Asia/Tokyo").dt.tz_localize(None),
    "tz_convert to none": lambda d: d.tz_localize("Asia/Tokyo").dt.tz_convert(None),
}


@pytest.mark.parametrize("name", DAY_TIMES)
def test_times(name):
    call, series = DAY_TIMES[name], cn.Series(TIMES, name="t").with_index(cn.Index([1, 1, 2, 3, 4]))
    made, theirs = call(series.dt), call(pd.Series(TIMES, index=[1, 1, 2, 3, 4], name="t").dt)
    # Names of days and months are categories here.
    same(made, theirs, dtypes=name not in ("day_name", "month_name"))
    assert cn.DataFrame({"t": TIMES}).select(call(col("t").dt).alias("made"))["made"].to_list() == made.to_list()
    assert len(call(cn.Series([], dtype="timestamp[us]").dt)) == 0


def test_other_names_of_arguments():
    series = cn.Series(TIMES)
    assert series.dt.floor(period="h").equals(series.dt.floor("h")) and series.dt.strftime(format="%Y").equals(series.dt.strftime("%Y"))
    assert series.dt.tz_localize(zone="UTC").dt.tz_convert(zone="Asia/Tokyo").equals(series.dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"))
    assert series.dt.to_pydatetime() == TIMES
    twice = cn.Series([dt.datetime(2024, 10, 27, 2, 30)])
    assert twice.dt.tz_localize("Europe/Berlin", ambiguous="NaT").to_list() == [None]


CLOCK_CHANGES = {
    "Europe/Rome": ["2024-10-27 00:10", "2024-10-27 00:50", "2024-10-27 01:10", "2024-03-31 01:20", "2024-05-01 00:00"],
    # Midnight is skipped on 2024-09-08, and shown twice on 2024-11-03.
    "America/Santiago": ["2024-09-08 05:00", "2024-05-01 00:00"],
    "America/Havana": ["2024-11-03 09:00", "2024-05-01 00:00"],
}
CLOCK_OPTIONS = [
    {"ambiguous": "NaT", "nonexistent": "shift_forward"}, {"ambiguous": "raise"}, {"nonexistent": "raise"}, {"ambiguous": "NaT"},
    {"ambiguous": "NaT", "nonexistent": "NaT"}, {"ambiguous": "raise", "nonexistent": "raise"},
]


@pytest.mark.parametrize("options", CLOCK_OPTIONS)
@pytest.mark.parametrize("freq", ["h", "D", "30min"])
@pytest.mark.parametrize("name", ["floor", "ceil", "round"])
@pytest.mark.parametrize("zone", CLOCK_CHANGES)
def test_steps_at_changes_of_the_clock(zone, name, freq, options):
    theirs = pd.Series(pd.to_datetime(CLOCK_CHANGES[zone]).as_unit("us").tz_localize("UTC").tz_convert(zone), name="t")
    for rows in range(len(theirs)):
        one = theirs[rows:rows + 1]
        ours = cn.from_pandas(one.to_frame())["t"]
        try:
            expected = getattr(one.dt, name)(freq, **options)
        except ValueError:
            with pytest.raises(ValueError, match="row 0: .* (ambiguous|does not exist|skip)"):
                getattr(ours.dt, name)(freq, **options)
        else:
            assert getattr(ours.dt, name)(freq, **options).to_list() == [None if at is pd.NaT else at for at in expected]


def test_steps_of_times_without_a_zone_take_the_options_and_those_of_expressions_do_not():
    series = cn.Series(TIMES)
    assert series.dt.floor("h", ambiguous="raise", nonexistent="raise").equals(series.dt.floor("h"))
    with pytest.raises(NotImplementedError, match="dt.floor: ambiguous and nonexistent of expressions"):
        col("t").dt.floor("h", ambiguous="raise")


@pytest.mark.parametrize("call, kind, text", [
    (lambda d: d.floor(), TypeError, "dt.floor: give freq"),
    (lambda d: d.ceil("h", period="D"), TypeError, "dt.ceil: freq and period are the same argument"),
    (lambda d: d.day_name("de_DE"), NotImplementedError, "dt.day_name: locale is not implemented"),
    (lambda d: d.strftime(3), TypeError, "dt.strftime: date_format is a text, not int"),
    (lambda d: d.tz_convert("UTC", zone="UTC"), TypeError, "dt.tz_convert: tz and zone are the same argument"),
    (lambda d: d.tz_localize("UTC", ambiguous=True), NotImplementedError, "dt.tz_localize: ambiguous and nonexistent are texts"),
])
def test_times_refuse(call, kind, text):
    for times in (cn.Series(TIMES).dt, col("t").dt):
        with pytest.raises(kind, match=re.escape(text)):
            call(times)


CATEGORIES = {
    "add": lambda c: c.add_categories(new_categories=["z"]),
    "add one": lambda c: c.add_categories("z"),
    "remove": lambda c: c.remove_categories(removals=["a"]),
    "remove one": lambda c: c.remove_categories("a"),
    "rename": lambda c: c.rename_categories(["x", "y"]),
    "reorder": lambda c: c.reorder_categories(["b", "a"], ordered=True),
    "set": lambda c: c.set_categories(new_categories=["b", "q"], ordered=True),
}
OF_SERIES = {
    "rename by a dictionary": lambda c: c.rename_categories({"a": "x", "no": "y"}),
    "rename by a function": lambda c: c.rename_categories(str.upper),
    "set names": lambda c: c.set_categories(["x", "y"], rename=True),
    "set more names": lambda c: c.set_categories(["x", "y", "z"], rename=True, ordered=True),
    "set fewer names": lambda c: c.set_categories(["x"], rename=True, ordered=False),
}


@pytest.mark.parametrize("name", [*CATEGORIES, *OF_SERIES])
def test_categories(name):
    call, values = {**CATEGORIES, **OF_SERIES}[name], ["a", None, "b", "a"]
    ours, theirs = call(cn.Series(values).astype("category").cat), call(pd.Series(values, dtype="category").cat)
    same(ours, theirs)
    assert (ours.cat.categories().to_list(), ours.cat.ordered) == (list(theirs.cat.categories), theirs.cat.ordered)
    if name in CATEGORIES:
        made = cn.DataFrame({"k": values}).select(call(col("k").cat.encode().cat).alias("k"))["k"]
        assert (made.to_list(), made.cat.ordered) == (ours.to_list(), ours.cat.ordered)


@pytest.mark.parametrize("call, kind, text", [
    (lambda c: c.add_categories(), TypeError, "cat.add_categories: give new_categories"),
    (lambda c: c.remove_categories("a", categories=["a"]), TypeError, "cat.remove_categories: removals and categories are the same argument"),
    (lambda c: c.set_categories(["a"], ordered=3), ValueError, "cat.set_categories: ordered is True, False or None, not 3"),
])
def test_categories_refuse(call, kind, text):
    for categories in (cn.Series(["a", "b"]).astype("category").cat, col("k").cat):
        with pytest.raises(kind, match=re.escape(text)):
            call(categories)
    with pytest.raises(NotImplementedError, match="cat.set_categories: rename=True of an expression"):
        col("k").cat.set_categories(["a"], rename=True)
    with pytest.raises(NotImplementedError, match="cat.rename_categories: of an expression it takes a list"):
        col("k").cat.rename_categories({"a": "b"})


@pytest.mark.parametrize("unit", ["D", "h", "m", "s", "ms", "us", "ns"])
@pytest.mark.parametrize("name", ["to_datetime", "to_timedelta"])
def test_numbers_of_a_unit_have_the_unit_of_pandas(device, name, unit):
    for values in ([1, -3], [0, 10**5]):
        theirs = getattr(pd, name)(pd.Series(values), unit=unit)
        made = getattr(cn, name)(cn.Series(values), unit=unit)
        assert str(made.dtype).replace("timestamp", "datetime64").replace("duration", "timedelta64") == str(theirs.dtype)
        assert made.cast("int64").to_list() == theirs.astype("int64").tolist()
    if unit not in ("us", "ns"):
        with pytest.raises(OverflowError):
            getattr(cn, name)(cn.Series([10**17 if unit != "ms" else 10**18]), unit=unit)


def changed_categories(series, name, given):
    """The values and the categories that a change gives, of a series and of the column of a frame."""
    of_series = getattr(series.cat, name)(given)
    of_column = cn.DataFrame({"x": series}).select(getattr(col("x").cat, name)(given if isinstance(given, list) else []))["x"]
    assert of_column.to_list() == of_series.to_list() and of_column.dtype == of_series.dtype
    assert of_column.cat.categories().to_list() == of_series.cat.categories().to_list()
    return of_series.to_list(), of_series.cat.categories().to_list()


@pytest.mark.parametrize("values", [["a", "b", None], [3, 1, None], []])
def test_no_categories(device, values):
    theirs = pd.Series(values, dtype="category")
    labels = theirs.cat.categories.tolist()
    dtype = "dictionary<int32, utf8>" if values[:1] != [3] else "dictionary<int32, int64>"
    series = cn.Series(values).cast(dtype).cat.set_categories(labels) if values else cn.Series([], dtype=dtype)
    names = ["add_categories", "remove_categories", "set_categories"] + ([] if values else ["rename_categories", "reorder_categories"])
    for name in names:
        expected = getattr(theirs.cat, name)([])
        rows = [None if pd.isna(value) else value for value in expected.tolist()]
        for given in ([], cn.Series([])):
            assert changed_categories(series, name, given) == (rows, expected.cat.categories.tolist()), name
    made = series.cat.set_categories([], rename=True)
    assert made.to_list() == [None] * len(values) and made.cat.categories().to_list() == []
    with pytest.raises(TypeError, match="cat.add_categories: dtype utf8"):
        cn.Series(["a"]).cat.add_categories([])


SPANS = [dt.timedelta(hours=-1, minutes=-31), None, dt.timedelta(0), dt.timedelta(days=2, hours=1, minutes=30), dt.timedelta(minutes=30, microseconds=7)]


@pytest.mark.parametrize("name, freq", [("floor", "h"), ("ceil", "15min"), ("round", "h"), ("round", "D"), ("floor", "90s"), ("normalize", None)])
def test_durations_at_steps_of_a_frequency(device, name, freq):
    given = [] if freq is None else [freq]
    theirs = pd.Series(SPANS).dt.floor("D") if freq is None else getattr(pd.Series(SPANS).dt, name)(freq)
    expected = [None if pd.isna(span) else span.to_pytimedelta() for span in theirs]
    made = both_forms(cn.Series(SPANS, name="d"), lambda spans: getattr(spans.dt, name)(*given))
    assert made == expected


def test_times_without_a_zone_stay_as_they_are(device):
    times = cn.Series(TIMES, name="t")
    assert both_forms(times, lambda values: values.dt.tz_localize(None)) == TIMES
    zoned = times.dt.tz_localize("Asia/Tokyo")
    assert both_forms(zoned, lambda values: values.dt.tz_localize(None)) == TIMES
    with pytest.raises(TypeError, match="dtype date32 is not supported"):
        cn.DataFrame({"d": [dt.date(2024, 1, 1)]}).select(col("d").dt.tz_localize(None))


def test_another_number_of_categories_is_said():
    series = cn.Series(["a", None], dtype="category", name="c")
    for call in (lambda: series.cat.rename_categories(["x", "y"]), lambda: series.to_frame().select(col("c").cat.rename_categories(["x", "y"]))):
        with pytest.raises(ValueError, match="categories: 1 are there, 2 given"):
            call()


@pytest.mark.parametrize("name", ["floor", "ceil", "round"])
@pytest.mark.parametrize("freq", ["36500D", "1h", "3us", "7D"])
def test_durations_whose_steps_do_not_fit_are_refused(name, freq, device):
    step = {"36500D": 36500 * 86_400_000_000, "1h": 3_600_000_000, "3us": 3, "7D": 7 * 86_400_000_000}[freq]
    for ticks in [2**63 - 1, -(2**63) + 1, 106_741_482 * 86_400_000_000, step // 2 * 3, -step // 2 * 3]:
        low = ticks // step
        nearest = low + (2 * (ticks % step) > step or 2 * (ticks % step) == step and low % 2 == 1)
        exact = {"floor": low, "ceil": low + (ticks % step != 0), "round": nearest}[name] * step
        spans = cn.Series([ticks, None], dtype="int64").cast("duration[us]")
        if -(2**63) <= exact < 2**63:
            assert getattr(spans.dt, name)(freq).cast("int64").to_list() == [exact, None]
        else:
            with pytest.raises(cn.ColumnOverflowError, match=f"dt.{name}"):
                getattr(spans.dt, name)(freq)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("values", [
    ["2024-01-01", "2024-02-01", "2024-03-01"], ["2024-01-01 00:00", "2024-01-01 06:00", "2024-01-01 12:00"], ["2024-01-01", "2024-01-02"],
    ["2024-01-01", "2024-01-02", "2024-01-04"], ["2024-01-01", None, "2024-01-03"],
])
def test_frequency_of_times(values):
    theirs = pd.Series(pd.to_datetime(values))
    assert cn.Series(values).cast("timestamp[us]").dt.freq == theirs.dt.freq
    spans = theirs - pd.Timestamp("2024-01-01")
    assert cn.from_pandas(spans.to_frame("d"))["d"].dt.freq == spans.dt.freq


def test_times_of_the_day_with_a_zone_and_the_frequency_of_other_values_are_refused():
    for times in (cn.Series(TIMES).dt, col("t").dt):
        with pytest.raises(cn.ColumnNotImplementedError, match="dt.timetz: times of the day have no zone"):
            times.timetz
    with pytest.raises(TypeError, match="dt.freq: of times and durations"):
        cn.Series([1]).dt.freq
