"""Names of Polars for times and texts that depend on dtypes and values: the same calls in both libraries."""

import datetime as dt
import random

import columnade as cn
import polars as pl
import pytest

from test_polars_names import same

DAYS = [dt.date(2024, 1, 1) + dt.timedelta(days=place) for place in range(-3, 12)]


def frames(rows=None):
    """Times of several dtypes, and texts."""
    data = {
        "d": [*DAYS, None, dt.date(1969, 12, 31)], "n": [*range(-8, 7), 3, None], "day": [*range(1, 16), 28, None],
        "t": [*(dt.datetime(2024, 1, day, day, 7, 9, day) for day in range(1, 16)), None, dt.datetime(1969, 12, 31, 23, 59, 59, 999_999)],
        "u": [*(dt.timedelta(hours=day, microseconds=-day) for day in range(15)), None, dt.timedelta(microseconds=-1)],
    }
    theirs = pl.DataFrame({name: pl.Series(values, dtype=pl.Int64 if name in ("n", "day") else None) for name, values in data.items()})
    theirs = theirs.with_columns(pl.col("t").dt.replace_time_zone("Europe/Rome").alias("z"), (pl.col("t").cast(pl.Datetime("ns")) + pl.duration(nanoseconds=7)).alias("ns"))
    theirs = theirs if rows is None else theirs[rows]
    return cn.from_arrow(theirs.to_arrow()), theirs


HOLIDAYS = [dt.date(2024, 1, 1), dt.date(2024, 1, 9), dt.date(2024, 1, 6), dt.date(2024, 1, 10), dt.date(2023, 12, 25)]
TIMES = {
    **{f"cast_time_unit {label} {unit}": lambda c, label=label, unit=unit: c(label).dt.cast_time_unit(unit) for label in "tz" for unit in ("ns", "us", "ms")},
    "replace day": lambda c: c("t").dt.replace(day=5),
    "replace year of dates": lambda c: c("d").dt.replace(year=2021, month=1),
    "replace time": lambda c: c("t").dt.replace(hour=1, minute=2, second=3, microsecond=4),
    "replace time of dates": lambda c: c("d").dt.replace(hour=5),
    "replace by columns": lambda c: c("t").dt.replace(day="day", month=1),
    "replace by an expression": lambda c: c("t").dt.replace(year=c("day") + 2000),
    "replace in a zone": lambda c: c("z").dt.replace(hour=2, month=7),
    "replace nanoseconds": lambda c: c("ns").dt.replace(hour=2),
    "replace microseconds of nanoseconds": lambda c: c("ns").dt.replace(microsecond=9),
    "replace nothing": lambda c: c("t").dt.replace(),
    **{
        f"add_business_days {n} {roll}": lambda c, n=n, roll=roll: c("d").dt.add_business_days(n, roll=roll)
        for n in (1, 0, -1, 7, -13) for roll in ("forward", "backward")
    },
    **{
        f"add_business_days holidays {n} {roll}": lambda c, n=n, roll=roll: c("d").dt.add_business_days(n, roll=roll, holidays=HOLIDAYS)
        for n in (1, 0, -1, 7, -13) for roll in ("forward", "backward")
    },
    "add_business_days mask": lambda c: c("d").dt.add_business_days(3, roll="forward", week_mask=[False, True, True, False, False, True, False]),
    "add_business_days column": lambda c: c("d").dt.add_business_days("n", roll="backward"),
    "add_business_days timestamps": lambda c: c("t").dt.add_business_days(4, roll="forward"),
}


@pytest.mark.parametrize("name", TIMES)
def test_times(device, name):
    for rows in (None, slice(0), slice(15, 16)):
        ours, theirs = frames(rows)
        same(ours.select(TIMES[name](cn.col)), theirs.select(TIMES[name](pl.col)))


def test_times_of_series(device):
    ours, theirs = frames()
    labelled = ours["t"].with_index(cn.Index([f"r{row}" for row in range(len(ours))]))
    made = labelled.dt.replace(day=ours["day"], hour=3)
    assert made.to_list() == theirs["t"].dt.replace(day=theirs["day"], hour=3).to_list()
    assert made.name == "t" and made.index.to_list()[0] == "r0"
    assert ours["d"].dt.add_business_days(2, roll="forward").to_list() == theirs["d"].dt.add_business_days(2, roll="forward").to_list()


WRONG_PARTS = {
    "day of a month": ({"month": 2}, "row 1: there is no date of year 2024, month 2, day 31"),
    "day of a year": ({"year": 2023}, "row 3: there is no date of year 2023, month 2, day 29"),
    "month": ({"month": 13}, "row 1: there is no date of year 2024, month 13, day 31"),
    "day": ({"day": 0}, "row 1: there is no date of year 2024, month 1, day 0"),
    "hour": ({"hour": 24}, "row 1: there is no time of day of hour 24, minute 6, second 0, microsecond 0"),
    "minute": ({"minute": -1}, "row 1: there is no time of day of hour 5, minute -1, second 0, microsecond 0"),
    "microsecond": ({"microsecond": 1_000_000}, "row 1: there is no time of day of hour 5, minute 6, second 0, microsecond 1000000"),
    "column": ({"month": "month"}, "row 3: there is no date of year 2024, month 0, day 29"),
}


@pytest.mark.parametrize("name", WRONG_PARTS)
def test_parts_of_no_time_are_an_error(device, name):
    parts, reason = WRONG_PARTS[name]
    times = [None, dt.datetime(2024, 1, 31, 5, 6), None, dt.datetime(2024, 2, 29, 7)]
    ours = cn.DataFrame({"t": times, "month": [13, 1, None, 0]})
    theirs = pl.DataFrame({"t": times, "month": [13, 1, None, 0]})
    is_date = not any(part in ("hour", "minute", "microsecond") for part in parts)
    dtypes = ["timestamp[us]", "timestamp[ns]", "timestamp[s]", "timestamp[ms, Europe/Rome]"] + ["date32"] * is_date
    for dtype in dtypes:
        frame = ours.with_columns(t=ours["t"].cast(dtype) if "Rome" not in dtype else ours["t"].dt.tz_localize("Europe/Rome").cast(dtype))
        series = {part: frame[value] if value == "month" else value for part, value in parts.items()}
        for call in (lambda: frame.select(cn.col("t").dt.replace(**parts)), lambda: frame["t"].dt.replace(**series)):
            with pytest.raises(cn.ColumnValueError) as caught:
                call()
            assert str(caught.value) == f"dt.replace: {reason}"
            assert (caught.value.operation, caught.value.column, caught.value.dtype) == ("dt.replace", "t", dtype)
        # Null times stay null, whatever the parts are.
        known = frame[frame["t"].is_null()]
        assert known.select(cn.col("t").dt.replace(**parts))["t"].to_list() == [None, None]
    with pytest.raises(pl.exceptions.ComputeError):
        theirs.select(pl.col("t").dt.replace(**parts))


def test_null_times_stay_null_where_all_parts_are_given(device):
    parts = {"year": 2024, "month": 2, "day": 3}
    assert cn.Series([None], dtype="date32").dt.replace(**parts).to_list() == pl.Series([None], dtype=pl.Date).dt.replace(**parts).to_list() == [None]
    parts |= {"hour": 1, "minute": 2, "second": 3, "microsecond": 4}
    assert cn.Series([None], dtype="timestamp[us]").dt.replace(**parts).to_list() == [None]


def test_parts_of_no_time_of_groups(device):
    ours = cn.DataFrame({"g": [1, 1, 2], "t": [dt.datetime(2024, 1, 5), dt.datetime(2024, 1, 31), dt.datetime(2024, 3, 30)]})
    first = cn.col("t").first().dt.replace(month=3)
    assert ours.group_by("g").agg(first)["t"].to_list() == [dt.datetime(2024, 3, 5), dt.datetime(2024, 3, 30)]
    with pytest.raises(cn.ColumnValueError, match="^dt.replace: there is no date of year 2024, month 2, day 30$"):
        ours.group_by("g").agg(cn.col("t").first().dt.replace(month=2))
    with pytest.raises(cn.ColumnValueError, match="^dt.replace: row 1: there is no date of year 2024, month 2, day 31$"):
        ours.group_by("g").agg(cn.col("t").dt.replace(month=2).first())
    levels = cn.DataFrame({("t", "x"): ours["t"]})
    assert levels.select(cn.col(("t", "x")).dt.replace(day=1)).to_dict() == {("t", "x"): [dt.datetime(2024, month, 1) for month in (1, 1, 3)]}
    with pytest.raises(cn.ColumnValueError, match="^dt.replace: row 1: "):
        levels.select(cn.col(("t", "x")).dt.replace(month=2))


def test_replaced_times_that_do_not_fit(device):
    times = cn.Series([dt.datetime(2024, 10, 27)], name="t")
    for own, parts, kind, text in [
        (times.cast("timestamp[ns]"), {"year": 9999}, cn.ColumnOverflowError, "row 0: 9999-10-27 00:00:00.000000 does not fit timestamp[ns]"),
        (times.dt.tz_localize("Europe/Rome"), {"hour": 2}, cn.ColumnValueError, "row 0: 2024-10-27 02:00:00.000000 is ambiguous in Europe/Rome"),
    ]:
        with pytest.raises(kind) as caught:
            own.dt.replace(**parts)
        assert str(caught.value).startswith(f"dt.replace: {text}")
        assert (caught.value.operation, caught.value.column, caught.value.dtype) == ("dt.replace", "t", str(own.dtype))


def test_durations_of_numbers_are_constants(device):
    ours, theirs = frames()
    for parts in [{"days": 30}, {"weeks": -1}, {"days": 2, "hours": -48}, {"days": 1, "minutes": 0}]:
        for label in ["d", "t"]:
            made, expected = (frame.select((mod.col(label) + mod.duration(**parts)).alias(label)) for frame, mod in [(ours, cn), (theirs, pl)])
            assert made[label].to_list() == expected[label].to_list(), (label, parts)
            assert str(made[label].dtype) == str(ours[label].dtype), (label, parts)
    assert ours.select(cn.duration(days=1)).columns == theirs.select(pl.duration(days=1)).columns == ["duration"]
    assert str(ours.select(d=cn.col("d") + cn.duration(days="n"))["d"].dtype) == "timestamp[us]"


def test_random_business_days(host):
    generator = random.Random(5)
    days = [dt.date(2020, 1, 1) + dt.timedelta(days=generator.randrange(2000)) for _ in range(100)]
    numbers = [generator.randrange(-400, 400) for _ in days]
    holidays = [dt.date(2020, 1, 1) + dt.timedelta(days=generator.randrange(2000)) for _ in range(12)]
    ours, theirs = cn.DataFrame({"d": days, "n": numbers}), pl.DataFrame({"d": days, "n": numbers})
    for roll in ("forward", "backward"):
        same(
            ours.select(cn.col("d").dt.add_business_days("n", roll=roll, holidays=holidays)),
            theirs.select(pl.col("d").dt.add_business_days("n", roll=roll, holidays=holidays)),
        )


PATTERNS = [["ab", "b", "c"], ["b", "ab"], ["abcd", "bc", "a"], ["ab", "abc"], ["abc", "ab"], ["a.c", "+"], ["bab", "b"], ["é", "a"], ["B", "c"]]


def texts():
    generator = random.Random(2)
    values = ["".join(generator.choice("aabbcdAB.+é") for _ in range(generator.randrange(12))) for _ in range(30)]
    return ["ab cab", None, "", "a.c", "abcd", "xAb", *values]


@pytest.mark.parametrize("leftmost", [False, True])
@pytest.mark.parametrize("ignores_case", [False, True])
@pytest.mark.parametrize("patterns", PATTERNS)
def test_many_patterns(device, patterns, ignores_case, leftmost):
    ours, theirs = cn.DataFrame({"s": texts()}), pl.DataFrame({"s": texts()})
    options = {"ascii_case_insensitive": ignores_case, "leftmost": leftmost}
    for call in (
        lambda c: c("s").str.replace_many(patterns, [f"<{place}$1>" for place in range(len(patterns))], **options),
        lambda c: c("s").str.replace_many(patterns, ["x"], **options),
        lambda c: c("s").str.replace_many({pattern: pattern * 2 for pattern in patterns}, **options),
        lambda c: c("s").str.extract_many(patterns, **options),
    ):
        same(ours.select(call(cn.col)), theirs.select(call(pl.col)))
    assert ours["s"].str.replace_many(patterns, "x").to_list() == theirs["s"].str.replace_many(patterns, ["x"]).to_list()


ERRORS = {
    "cast_time_unit": (ValueError, lambda c: c("t").dt.cast_time_unit("s"), "dt.cast_time_unit: time_unit is"),
    "cast_time_unit dates": (TypeError, lambda c: c("d").dt.cast_time_unit("ms"), "dt.cast_time_unit: 'd' is date32"),
    "replace durations": (TypeError, lambda c: c("u").dt.replace(day=1), "duration[us] is not supported"),
    "add_business_days": (ValueError, lambda c: c("d").dt.add_business_days(1), "dt.add_business_days: a date is no business day"),
    "add_business_days roll": (ValueError, lambda c: c("d").dt.add_business_days(1, roll="x"), "dt.add_business_days: roll is"),
    "add_business_days mask": (ValueError, lambda c: c("d").dt.add_business_days(1, week_mask=[True]), "dt.add_business_days: week_mask has seven"),
    "add_business_days holidays": (TypeError, lambda c: c("d").dt.add_business_days(1, holidays=[1]), "dt.add_business_days: holidays are dates"),
    "replace_many": (ValueError, lambda c: c("s").str.replace_many(["a", "b"], ["x", "y", "z"]), "str.replace_many: 3 texts for 2"),
    "replace_many nothing": (ValueError, lambda c: c("s").str.replace_many([""], ["x"]), "str.replace_many: '' is no pattern"),
    "replace_many texts": (TypeError, lambda c: c("s").str.replace_many(["a"]), "str.replace_many: give a dictionary"),
    "replace_many mark": (NotImplementedError, lambda c: c("mark").str.replace_many(["a"], ["b"]), "U+E000"),
    "extract_many": (NotImplementedError, lambda c: c("s").str.extract_many(["a"], overlapping=True), "str.extract_many: overlapping"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(device, name):
    kind, call, text = ERRORS[name]
    ours = frames()[0].with_columns(s=cn.lit("a"), mark=cn.lit("a\ue000"))
    with pytest.raises(kind) as error:
        ours.select(call(cn.col))
    assert text in str(error.value) and isinstance(error.value, cn.ColumnadeError), error.value


@pytest.mark.parametrize("period", ["7mo", "9mo", "3q", "3y", "4y", "100y"])
def test_several_months_and_years_are_counted_from_1970(device, period):
    days = [dt.date(2024, 2, 29), dt.date(1970, 1, 1), dt.date(1969, 12, 31), dt.date(1899, 3, 4), None]
    for cast in ("date32", "timestamp[us]"):
        ours = cn.Series(days).cast(cast)
        theirs = pl.Series(days).cast(pl.Date if cast == "date32" else pl.Datetime("us"))
        assert ours.dt.truncate(period).to_list() == theirs.dt.truncate(period).to_list()
        assert ours.dt.round(period).to_list() == theirs.dt.round(period).to_list()


@pytest.mark.parametrize("text", ["%S%.f", "%S|%3f", "%S|%6f", "%S|%9f", "%S%.3f", "%S%.6f", "%S%.9f"])
def test_fractions_of_seconds(device, text):
    times = [dt.datetime(2024, 1, 2, 3, 4, 5, part) for part in (0, 678901, 600000, 1)]
    form = f"%Y-%m-%d %H:%M:{text}"
    for unit in ("ms", "us", "ns"):
        ours, theirs = cn.Series(times).cast(f"timestamp[{unit}]"), pl.Series(times).dt.cast_time_unit(unit)
        written = ours.dt.strftime(form)
        assert written.to_list() == theirs.dt.strftime(form).to_list()
        read = pl.Series(written.to_list()).str.strptime(pl.Datetime(unit), form)
        assert written.str.to_datetime(form, f"timestamp[{unit}]").to_list() == read.to_list()
