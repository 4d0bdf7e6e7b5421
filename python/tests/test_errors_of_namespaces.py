"""Errors of methods of strings, times and lists: typed ones, which name the method that was called."""

import datetime as dt

import columnade as cn
import pandas as pd
import pytest
from columnade import col

WORDS = cn.Series(["a", "b"], name="s")
TIMES = cn.Series([dt.datetime(2024, 1, 1)], name="t")
SPANS = cn.Series([dt.timedelta(1)], name="d")
LISTS = cn.Series([[1, 2]], name="l")
FAR = cn.Series([2**60]).cast("timestamp[us]")


@pytest.mark.parametrize("operation, kind, call", [
    ("str.pad", ValueError, lambda: WORDS.str.pad(5, side="up")),
    ("str.pad", ValueError, lambda: col("s").str.pad(5, side="up")),
    ("str.strip_chars", ValueError, lambda: WORDS.str.strip_chars("a", "up")),
    ("str.strip_chars", ValueError, lambda: col("s").str.strip_chars(side="up")),
    ("str.to_time", ValueError, lambda: WORDS.str.to_time("%H")),
    ("str.to_date", ValueError, lambda: WORDS.str.to_date("%Y-%m-%d")),
    ("str.to_date", ValueError, lambda: WORDS.str.to_date()),
    ("str.strptime", ValueError, lambda: WORDS.str.strptime("date32", "%Y-%m-%d")),
    ("dt.epoch", OverflowError, lambda: FAR.dt.epoch("ns")),
    ("dt.epoch", OverflowError, lambda: cn.Series([2**55]).cast("timestamp[s]").dt.epoch("ns")),
    ("dt.timestamp", OverflowError, lambda: FAR.dt.timestamp("ns")),
    ("dt.floor", TypeError, lambda: SPANS.dt.floor([])),
    ("dt.ceil", TypeError, lambda: TIMES.dt.ceil([])),
    ("dt.round", TypeError, lambda: col("t").dt.round(1)),
    ("str.wrap", ValueError, lambda: WORDS.str.wrap(0)),
    ("str.wrap", TypeError, lambda: WORDS.str.wrap("3")),
    ("str.wrap", ValueError, lambda: WORDS.str.wrap(3, max_lines=1, placeholder=" and so on")),
    ("str.len", TypeError, lambda: WORDS.str.len(1)),
    ("str.isascii", TypeError, lambda: col("s").str.isascii(1)),
    ("list.arg_max", TypeError, lambda: LISTS.list.arg_max(1)),
    ("list.arg_max", TypeError, lambda: col("l").list.arg_max(1)),
    ("dt.century", TypeError, lambda: TIMES.dt.century(1)),
    ("dt.century", TypeError, lambda: col("t").dt.century(x=1)),
    ("clone", TypeError, lambda: WORDS.clone(1)),
    ("to_list", OverflowError, lambda: cn.Series([-(10**6)]).cast("int32").cast("date32").to_list()),
    ("to_list", OverflowError, lambda: cn.Series([10**7]).cast("int32").cast("date32").to_list()),
    ("to_list", OverflowError, lambda: FAR.to_list()),
])
def test_error_names_the_method(operation, kind, call):
    with pytest.raises(cn.ColumnadeError) as raised:
        call()
    assert isinstance(raised.value, kind)
    assert raised.value.operation == operation
    assert str(raised.value).startswith(f"{operation}: ")


def test_epoch_of_expressions_does_not_wrap(device):
    """Numbers that 64 bits do not have are an error, in place of others."""
    frame = cn.DataFrame({"t": [None, dt.datetime(3111, 9, 16)]})
    with pytest.raises(OverflowError, match="does not fit int64"):
        frame.select(col("t").dt.epoch("ns"))
    expected = (dt.datetime(3111, 9, 16) - dt.datetime(1970, 1, 1)) // dt.timedelta(microseconds=1)
    assert frame.select(col("t").dt.epoch("us"))["t"].to_list() == [None, expected]


@pytest.mark.parametrize("freq", ["2h", dt.timedelta(hours=2), pd.Timedelta(hours=2), pd.offsets.Hour(2)])
def test_floor_takes_lengths_of_every_type(freq):
    times = [dt.datetime(2024, 1, 1, 3, 30), dt.datetime(2024, 1, 1, 4)]
    assert cn.Series(times).dt.floor(freq).to_list() == pd.Series(times).dt.floor(freq).tolist()


@pytest.mark.parametrize("name, call", [
    ("str.contains", lambda s: s.str.contains("é(")), ("str.count", lambda s: s.str.count("é(")), ("str.match", lambda s: s.str.match("é(")),
    ("str.fullmatch", lambda s: s.str.fullmatch("é(")), ("str.replace", lambda s: s.str.replace("é(", "x", regex=True)),
    ("str.split", lambda s: s.str.split("é(", regex=True)), ("str.like", lambda s: s.str.like("é(!", escape="!")),
    ("str.ilike", lambda s: s.str.ilike("é(!", escape="!")),
])
def test_errors_of_wrong_patterns_name_the_method_that_was_called(device, name, call):
    for label, column in ((None, None), ("s", "s")):
        with pytest.raises(cn.ColumnValueError, match=f"^{name}: .*is invalid at character") as error:
            call(cn.Series(["é(", "b"], name=label))
        assert (error.value.operation, error.value.column) == (name, column)
        assert "self" not in str(error.value)


@pytest.mark.parametrize("name", ["century", "millennium", "total_hours", "total_days", "ordinal_day"])
def test_errors_of_times_name_the_method_that_was_called(device, name):
    with pytest.raises(cn.ColumnTypeError, match=f"^dt.{name}: .*dtype int64 is not supported$") as error:
        getattr(cn.Series([1], name="n").dt, name)()
    assert (error.value.operation, error.value.column, error.value.dtype) == (f"dt.{name}", "n", "int64")


def test_series_of_no_text_among_others_are_named(device):
    for others in (cn.Series([1], name="n"), [cn.Series(["a"]), cn.Series([1], name="n")]):
        with pytest.raises(cn.ColumnTypeError, match='^str.cat: .*dtype int64 is not supported$') as error:
            cn.Series(["a"]).str.cat(others)
        assert (error.value.operation, error.value.column, error.value.dtype) == ("str.cat", "n", "int64")


def test_wrong_patterns_of_ilike_are_shown_as_such():
    frame = cn.DataFrame({"s": ["a"]})
    with pytest.raises(cn.ColumnValueError, match=r'^filter: expression s\.str\(\)\.ilike_escape\("A!", ' + "'!'") as error:
        frame.filter(cn.col("s").str.ilike("A!", escape="!"))
    assert error.value.column == "s"


def test_errors_of_constants_of_frames_name_lit():
    frame = cn.DataFrame({"a": [1, 2]})
    for given in (frame, frame["a"]):
        with pytest.raises(cn.ColumnValueError, match="^lit: ") as error:
            cn.lit(given)
        assert error.value.operation == "lit"
    with pytest.raises(TypeError, match="DataFrame: take its only value with `lit`$"):
        frame.filter(cn.col("a") > frame.head(1))
