"""`group_by_dynamic` beside Polars."""

import datetime
import random

import columnade as cn
import polars as pl
import pytest

START = datetime.datetime(2024, 1, 1)


def both(data, index, *, keys=None, **options):
    """What this library and Polars make of the same windows: the rows with their labels and the values in them."""
    theirs = pl.DataFrame(data)
    mine = cn.from_arrow(theirs)
    expected = theirs.group_by_dynamic(index, group_by=keys, **options).agg(
        pl.col("n").alias("all"), pl.col("n").sum().alias("sum"), rows=pl.len())
    found = mine.group_by_dynamic(index, group_by=keys, **options).agg(
        cn.col("n").implode().alias("all"), cn.col("n").sum().alias("sum"), rows=cn.len())
    assert found.columns == expected.columns
    # Polars has the groups in any order.
    count = len(keys) if isinstance(keys, list) else int(keys is not None)
    by_keys = lambda row: [str(value) for value in row[:count]]
    if count:
        assert sorted(found.rows(), key=by_keys) == sorted(expected.rows(), key=by_keys), options
    else:
        assert found.rows() == expected.rows(), options
    types = {name: str(dtype) for name, dtype in found.dtypes.items()}
    assert types == {name: str(dtype) for name, dtype in cn.from_arrow(expected).dtypes.items()} | {"rows": types["rows"]}
    return found


def times(count, seed, step=3600 * 5):
    chance = random.Random(seed)
    at, made = START + datetime.timedelta(seconds=chance.randrange(step)), []
    for _ in range(count):
        at += datetime.timedelta(seconds=chance.choice([0, 60, 1800, chance.randrange(step)]))
        made.append(at)
    # Times at the edges of windows.
    made[count // 2:] = [time.replace(minute=0, second=0) for time in made[count // 2:]]
    return sorted(made)


FRAME = {"t": times(60, 1), "n": list(range(60))}


@pytest.mark.parametrize("closed", ["left", "right", "both", "none"])
@pytest.mark.parametrize("every", ["1h", "45m", "1d", "7d", "1w", "2w", "1h30m", "3h"])
@pytest.mark.parametrize("period", [None, "same", "30m", "5h", "2d"])
def test_windows_of_times_are_those_of_polars(every, period, closed):
    both(FRAME, "t", every=every, period=every if period == "same" else period, closed=closed, include_boundaries=True)


@pytest.mark.parametrize("offset", ["15m", "-15m", "2h", "-2h", "3h", "1d", "-1d2h", "50h"])
@pytest.mark.parametrize("closed", ["left", "right", "both", "none"])
@pytest.mark.parametrize("period", [None, "5h"])
def test_offsets_are_those_of_polars(offset, closed, period):
    both(FRAME, "t", every="2h", period=period, offset=offset, closed=closed, label="right", include_boundaries=True)


@pytest.mark.parametrize("label", ["left", "right", "datapoint"])
@pytest.mark.parametrize("start_by", ["window", "datapoint", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"])
@pytest.mark.parametrize("every", ["1w", "2w", "4h", "1d"])
def test_starts_and_labels_are_those_of_polars(every, start_by, label):
    data = {"t": times(80, 2, 3600 * 24), "n": list(range(80))}
    for closed in ("left", "right"):
        both(data, "t", every=every, start_by=start_by, label=label, closed=closed, include_boundaries=True)


@pytest.mark.parametrize("every", ["1mo", "2mo", "1q", "1y", "7mo", "3q", "3y"])
@pytest.mark.parametrize("period", [None, "10d", "3mo", "1y"])
@pytest.mark.parametrize("closed", ["left", "right", "both", "none"])
def test_windows_of_months_are_those_of_polars(every, period, closed):
    data = {"t": times(80, 3, 3600 * 24 * 20), "n": list(range(80))}
    data["t"] += [datetime.datetime(2026, month, 1) for month in range(1, 13)]
    data["t"].sort()
    data["n"] = list(range(len(data["t"])))
    both(data, "t", every=every, period=period, closed=closed, include_boundaries=True)
    both(data, "t", every=every, period=period, closed=closed, offset="5d3h", include_boundaries=True)


@pytest.mark.parametrize("closed", ["left", "right", "both", "none"])
@pytest.mark.parametrize("start_by", ["window", "datapoint"])
@pytest.mark.parametrize("keys", ["k", ["k", "b"]])
def test_groups_have_windows_of_their_own(start_by, closed, keys):
    chance = random.Random(5)
    data = FRAME | {"k": [chance.choice(["x", "y", None]) for _ in FRAME["n"]], "b": [chance.random() < 0.5 for _ in FRAME["n"]]}
    both(data, "t", keys=keys, every="2h", period="3h", closed=closed, start_by=start_by, include_boundaries=True)


@pytest.mark.parametrize("unit", ["ms", "us", "ns"])
@pytest.mark.parametrize("zone", [None, "Europe/Rome", "Asia/Kathmandu", "UTC"])
@pytest.mark.parametrize("every", ["1h", "6h", "1d", "1w", "1mo"])
def test_units_and_zones_are_those_of_polars(unit, zone, every):
    at = pl.Series("t", [START + datetime.timedelta(days=60, hours=hours) for hours in range(0, 24 * 60, 5)], dtype=pl.Datetime(unit))
    at = at.dt.replace_time_zone("UTC").dt.convert_time_zone(zone) if zone else at
    for closed in ("left", "right"):
        both({"t": at, "n": list(range(len(at)))}, "t", every=every, closed=closed)


@pytest.mark.parametrize("every", ["1d", "3d", "1w", "1mo", "1y"])
def test_dates_are_those_of_polars(every):
    days = [START.date() + datetime.timedelta(days=day) for day in range(0, 800, 3)]
    both({"t": days, "n": list(range(len(days)))}, "t", every=every, include_boundaries=True)


@pytest.mark.parametrize("dtype", [pl.Int32, pl.Int64])
@pytest.mark.parametrize("closed", ["left", "right", "both", "none"])
def test_whole_numbers_are_those_of_polars(dtype, closed):
    values = pl.Series("t", [-7, -7, -3, 0, 1, 2, 5, 6, 6, 20], dtype=dtype)
    for options in ({"every": "2i"}, {"every": "2i", "period": "3i"}, {"every": "5i", "period": "2i"}, {"every": "3i", "offset": "1i"},
                    {"every": "3i", "start_by": "datapoint"}):
        both({"t": values, "n": list(range(10))}, "t", closed=closed, include_boundaries=True, **options)


def test_lengths_are_timedeltas_too():
    both(FRAME, "t", every=datetime.timedelta(hours=2), period=datetime.timedelta(minutes=90), offset=datetime.timedelta(minutes=5))


def test_expressions_are_keys_and_index(device):
    frame = cn.DataFrame({"t": FRAME["t"], "n": FRAME["n"]}, index=[f"r{row}" for row in range(60)])
    found = frame.group_by_dynamic(cn.col("t").dt.offset_by("1h").alias("later"), every="1d", group_by=(cn.col("n") % 2).alias("odd")).agg(cn.col("n").max())
    theirs = pl.DataFrame(FRAME).group_by_dynamic(
        pl.col("t").dt.offset_by("1h").alias("later"), every="1d", group_by=(pl.col("n") % 2).alias("odd")).agg(pl.col("n").max())
    assert found.rows() == theirs.rows() and found.columns == theirs.columns and found.device == device
    # The index column may be aggregated too, under another name.
    last = frame.group_by_dynamic("t", every="1d").agg(cn.col("t").max().alias("last"))
    assert last.rows() == pl.DataFrame(FRAME).group_by_dynamic("t", every="1d").agg(pl.col("t").max().alias("last")).rows()
    assert frame.head(0).group_by_dynamic("t", every="1d").agg(cn.col("n").sum()).shape == (0, 2)


@pytest.mark.parametrize(("options", "kind", "text"), [
    ({"every": "0h"}, ValueError, "every is above zero"),
    ({"every": "-1h"}, ValueError, "every is above zero"),
    ({"every": "1h", "period": "-1h"}, ValueError, "period is above zero"),
    ({"every": "1x"}, ValueError, "a duration is a timedelta or text"),
    ({"every": "1i"}, ValueError, "a duration is a timedelta or text"),
    ({"every": 3}, ValueError, "a duration is a timedelta or text"),
    ({"every": "1ns"}, ValueError, "every='1ns' is no whole number of us"),
    ({"every": "1h", "closed": "middle"}, ValueError, "closed is one of left, right, both, none, not 'middle'"),
    ({"every": "1h", "label": "middle"}, ValueError, "label is one of left, right, datapoint"),
    ({"every": "1h", "start_by": "noon"}, ValueError, "start_by is one of window, datapoint, monday"),
    ({"every": "1mo", "start_by": "datapoint"}, NotImplementedError, "start_by='datapoint' is not implemented for months"),
    ({"every": "1mo", "offset": "-1d"}, NotImplementedError, "offset='-1d' is not implemented for months"),
    ({"every": "1mo2d"}, NotImplementedError, "every='1mo2d' of several units is not implemented"),
    ({"every": "1h", "group_by": "z"}, KeyError, "there is no column 'z'"),
])
def test_options_that_cannot_be_are_named(options, kind, text):
    with pytest.raises(kind, match=text) as error:
        cn.DataFrame(FRAME).group_by_dynamic("t", **options)
    assert isinstance(error.value, cn.ColumnadeError)


def test_columns_that_cannot_be_are_named():
    frame = cn.DataFrame({"t": [START, None], "back": [2, 1], "x": [0.5, 1.5], "s": ["a", "b"]})
    with pytest.raises(ValueError, match="the index column 't' has nulls or does not ascend: sort by it before"):
        frame.group_by_dynamic("t", every="1h").agg(cn.len())
    with pytest.raises(ValueError, match="the index column 'back' has nulls or does not ascend: sort"):
        frame.group_by_dynamic("back", every="1i").agg(cn.len())
    assert frame.group_by_dynamic("back", every="1i", group_by="s").agg(cn.len()).shape == (2, 3)
    for label in ("x", "s"):
        with pytest.raises(TypeError, match="the index column is a timestamp, a date or a whole number, and has dtype"):
            frame.group_by_dynamic(label, every="1h")
    with pytest.raises(KeyError, match="there is no column 'z'"):
        frame.group_by_dynamic("z", every="1h")
    windows = frame.sort_values("back").group_by_dynamic("back", every="1i")
    with pytest.raises(TypeError, match="agg: an aggregate of windows is an expression, not str"):
        windows.agg("sum")
    with pytest.raises(ValueError, match="there are two columns 'back'"):
        windows.agg(cn.col("back").max())
    with pytest.raises(TypeError, match="having: a condition of windows is an expression, not str"):
        windows.having("n")
    with pytest.raises(TypeError, match="map_groups: the function returns a frame"):
        windows.map_groups(len)
    with pytest.raises(NotImplementedError, match="map_groups: having goes with agg"):
        windows.having(cn.len() > 1).map_groups(lambda part: part)


@pytest.mark.parametrize("options", [{}, {"group_by": "k"}, {"label": "right"}, {"label": "datapoint"}, {"closed": "right"}], ids=str)
def test_windows_one_after_the_other_and_those_of_a_condition(device, options):
    data = {"t": [datetime.datetime(2024, 5, 1, 9, minute) for minute in (5, 20, 40, 41)], "k": ["a", "a", "b", "a"], "n": [1, 2, 4, 8]}
    given = {"every": "20m", "period": "30m", **options}
    ours, theirs = (module.DataFrame(data).group_by_dynamic("t", **given) for module in (cn, pl))
    for (key, part), (their_key, their_part) in zip(ours, theirs, strict=True):
        assert key == their_key and part.to_dict() == their_part.to_dict(as_series=False)
    made, wanted = (windows.map_groups(lambda part: part.head(1), **more) for windows, more in (
        (ours, {}), (pl.DataFrame(data).group_by_dynamic("t", **given), {"schema": None}),
    ))
    assert made.to_dict() == wanted.to_dict(as_series=False)
    made = ours.having(cn.col("n").sum() > 2, cn.len() < 3).agg(cn.col("n").sum(), cn.len())
    sums = pl.DataFrame(data).group_by_dynamic("t", **given).agg(pl.col("n").sum(), pl.len())
    assert made.to_dict() == sums.filter((pl.col("n") > 2) & (pl.col("len") < 3)).to_dict(as_series=False)
    assert ours.agg(cn.col("n").sort(descending=True).first()).columns == sums.columns[:-1]
