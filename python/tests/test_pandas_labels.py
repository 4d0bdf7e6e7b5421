"""Names of pandas about rows, labels and what `to_pandas` keeps, beside pandas itself."""

import io
from contextlib import redirect_stdout

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest


def both(data, index=None, **keywords):
    theirs = pd.Series(data, index=index, **keywords)
    return cn.Series(theirs), theirs


@pytest.mark.parametrize("index", [None, ["a", "b", "c"], [3, 3, 1], pd.MultiIndex.from_tuples([("x", 1), ("y", 2), ("x", 3)])])
def test_repeat_tile_prefix_and_suffix(device, index):
    ours, theirs = both([7, 8, 9], index)
    for counts in (0, 1, 3, [2, 0, 1]):
        same(ours.repeat(counts), theirs.repeat(counts))
        assert ours.index.repeat(counts).to_list() == theirs.index.repeat(counts).tolist()
        rows = ours.rename("n").to_frame().repeat(counts)
        same(rows["n"], theirs.rename("n").repeat(counts))
    same(ours.repeat(cn.Series([0, 2, 1])), theirs.repeat([0, 2, 1]))
    same(ours.tile(2), pd.concat([theirs, theirs]))
    assert ours.to_frame().tile(2).index.to_list() == pd.concat([theirs, theirs]).index.tolist()
    same(ours.add_prefix("p_"), theirs.add_prefix("p_"))
    same(ours.add_suffix("_s"), theirs.add_suffix("_s"))


@pytest.mark.parametrize("counts", [-1, [1, -1, 1], [1, 2], [1.5, 1, 1], [None, 1, 1], "x"])
def test_counts_that_are_none_are_refused(counts):
    for data in (cn.Series([1, 2, 3]), cn.DataFrame({"n": [1, 2, 3]}), cn.Index([1, 2, 3])):
        with pytest.raises((cn.ColumnValueError, cn.ColumnTypeError)) as error:
            data.repeat(counts)
        assert error.value.operation == "repeat"


@pytest.mark.parametrize("q", [2, 4, 10, [0, 0.2, 0.9, 1]])
def test_qcut_is_that_of_pandas(device, q):
    values = np.random.default_rng(5).integers(0, 1000, 211).tolist()
    ours, theirs = cn.Series(values).qcut(q), pd.qcut(pd.Series(values), q)
    assert ours.cat.codes().to_list() == theirs.cat.codes.tolist()
    assert ours.to_list()[:20] == [str(value) for value in theirs[:20]]
    assert cn.qcut(cn.Series(values), q).to_list() == ours.to_list()
    with pytest.raises(cn.ColumnadeError) as error:
        cn.Series(["a"]).qcut(q)
    assert error.value.operation == "qcut"


PARTS = [
    "year", "quarter", "month", "day", "hour", "minute", "second", "microsecond", "nanosecond", "weekday", "dayofweek",
    "day_of_week", "dayofyear", "day_of_year", "days_in_month", "daysinmonth", "is_leap_year", "is_month_start",
    "is_month_end", "is_quarter_start", "is_quarter_end", "is_year_start", "is_year_end", "date", "time",
]


@pytest.mark.parametrize("zone", [None, "Europe/Berlin"])
def test_parts_of_times_are_those_of_datetime_index(device, zone):
    theirs = pd.date_range("2023-12-30 23:59:58.000123", periods=90, freq="31h", tz=zone, name="t")
    ours = cn.Index(theirs)
    for part in PARTS:
        found = getattr(ours, part)
        assert isinstance(found, cn.Index) and found.name == "t", part
        assert found.to_list() == list(getattr(theirs, part)), part
    assert ours.day_name().to_list() == theirs.day_name().tolist()
    assert ours.month_name().to_list() == theirs.month_name().tolist()
    assert ours.strftime("%d.%m.%y %H").to_list() == theirs.strftime("%d.%m.%y %H").tolist()
    if zone is None:
        for name in ("floor", "ceil", "round"):
            assert getattr(ours, name)("D").to_list() == getattr(theirs, name)("D").to_pydatetime().tolist()
        assert ours.normalize().to_list() == theirs.normalize().to_pydatetime().tolist()
        zoned, expected = ours.tz_localize("Asia/Tokyo"), theirs.tz_localize("Asia/Tokyo")
        assert zoned.tz_convert("UTC").hour.to_list() == expected.tz_convert("UTC").hour.tolist()
        assert zoned.tz_localize(None).hour.to_list() == expected.tz_localize(None).hour.tolist()


def test_parts_of_durations_are_those_of_timedelta_index():
    theirs = pd.timedelta_range("-3h", periods=9, freq="1h7s")
    ours = cn.Index(theirs)
    for part in ("days", "seconds", "microseconds", "nanoseconds"):
        assert getattr(ours, part).to_list() == getattr(theirs, part).tolist(), part
    assert ours.total_seconds().to_list() == theirs.total_seconds().tolist()


def test_labels_that_are_no_times_have_no_parts():
    for index in (cn.Index([1, 2]), cn.Index(["a"]), cn.Index.range(0, 3)):
        assert not hasattr(index, "year") and not hasattr(pd.Index([1, 2]), "year")
        with pytest.raises(AttributeError, match="no times"):
            index.day_name()
    # A date has no hour.
    with pytest.raises(cn.ColumnTypeError) as error:
        cn.Index(cn.Series([1, 2]).cast("date32")).hour
    assert error.value.operation == "hour"


def test_series_have_the_text_and_the_sizes_of_frames():
    series = cn.Series([1, None, 3], name="n")
    assert series.to_html() == series.to_frame().to_html()
    assert series.to_markdown() == series.to_frame().to_markdown()
    with redirect_stdout(io.StringIO()) as text:
        series.info()
    assert text.getvalue().startswith("3 rows\n") and "int64" in text.getvalue()
    plain = cn.Series([1, 2, 3])
    assert plain.memory_usage() == pd.Series([1, 2, 3]).memory_usage(index=False) == 24
    labelled = plain.with_index(cn.Index([7, 8, 9]))
    assert (labelled.memory_usage(), labelled.memory_usage(index=False, deep=True)) == (48, 24)
    frame = cn.DataFrame({"a": [1, 2], "b": [1.0, 2.0]})
    assert frame.memory_usage().to_list() == [0, 16, 16]
    assert frame.memory_usage(index=False, deep=True).to_list() == [16, 16]
    assert frame.memory_usage(index=False).index.to_list() == ["a", "b"]


@pytest.mark.parametrize("freq", ["D", "2h", "ME", "MS", "W", "QE", "YS", "B", "30min"])
def test_to_pandas_keeps_the_frequency(freq):
    index = cn.Index.date_range("2024-01-01", periods=5, freq=freq, name="t")
    made = index.to_pandas()
    expected = pd.date_range("2024-01-01", periods=5, freq=freq, name="t")
    assert made.freq == expected.freq and made.equals(expected) and made.name == "t"
    frame = cn.DataFrame({"n": [1, 2, 3, 4, 5]}).with_index(index).to_pandas()
    assert frame.index.freq == expected.freq and frame["n"].index.freq == expected.freq
    assert cn.Index(expected.tolist()).to_pandas().freq is None
    spans = cn.Index.timedelta_range(pd.Timedelta("1h").to_pytimedelta(), periods=3, freq="30min")
    assert spans.to_pandas().freq == pd.timedelta_range("1h", periods=3, freq="30min").freq


def test_to_pandas_keeps_the_names_of_levels_of_columns():
    theirs = pd.DataFrame({"k": ["a", "a", "b"], "c": ["x", "y", "x"], "v": [1, 2, 3]})
    made = cn.DataFrame(theirs).set_index(["k", "c"])["v"].unstack("c").to_pandas()
    expected = theirs.set_index(["k", "c"])["v"].unstack("c")
    assert made.columns.tolist() == expected.columns.tolist()
    assert list(made.columns.names) == list(expected.columns.names) == ["c"]


NULLABLE = {
    "int8": "Int8", "int16": "Int16", "int32": "Int32", "int64": "Int64", "uint8": "UInt8", "uint16": "UInt16",
    "uint32": "UInt32", "uint64": "UInt64", "float32": "Float32", "float64": "Float64", "bool": "boolean", "utf8": "string",
}


@pytest.mark.parametrize("dtype, expected", NULLABLE.items())
def test_nullable_dtypes_of_pandas(device, dtype, expected):
    values = {"bool": [True, None, False], "utf8": ["a", None, ""]}.get(dtype, [1, None, 3])
    for data in (values, values[:1], [None, None], []):
        ours = cn.Series(data, name="n", dtype=dtype)
        made = ours.to_pandas(nullable=True)
        pd.testing.assert_series_equal(made, pd.Series(data, dtype=expected, name="n"))
        assert cn.Series(made).to_list() == data and str(cn.Series(made).dtype) == dtype
        frame = cn.DataFrame({"n": ours}).to_pandas(nullable=True)
        assert str(frame["n"].dtype) == expected
        if len(made):
            made.iloc[0] = pd.NA
            assert ours.to_list() == data, "memory is not shared with what may be written to"


def test_nullable_keeps_nan_apart_from_null_and_other_dtypes_as_they_are():
    made = cn.Series(pa.array([1.0, float("nan"), None])).to_pandas(nullable=True)
    assert made.isna().tolist() in ([False, False, True], [False, True, True])
    assert np.isnan(made.array._data[1]) and made.array._mask.tolist() == [False, False, True]
    times = cn.Series(pd.Series(pd.to_datetime(["2024-01-01", None])))
    assert times.to_pandas(nullable=True).dtype == times.to_pandas().dtype
    both = cn.DataFrame({"i": [1, None], "d": pd.Series(["x", "y"], dtype="category")}).to_pandas(nullable=True)
    assert both.dtypes.astype(str).tolist() == ["Int64", "category"]
    for data in (cn.Series([1]), cn.DataFrame({"a": [1]})):
        with pytest.raises(cn.ColumnValueError, match="choose one") as error:
            data.to_pandas(arrow=True, nullable=True)
        assert error.value.operation == "to_pandas"
