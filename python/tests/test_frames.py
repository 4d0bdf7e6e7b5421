"""Construction, values, rows and columns."""

import copy
import datetime as dt
import math
from decimal import Decimal

import columnade as cn
import pandas as pd
import pytest

UTC = dt.timezone.utc

VALUES = {
    "int64": [1, None, -(2**63), 2**63 - 1],
    "uint64": [0, None, 2**64 - 1],
    "float64": [0.5, None, -0.0, math.inf, 1e308],
    "bool": [True, None, False],
    "utf8": ["a", None, "", "Zürich 🦀", "long " * 40],
    "binary": [b"a", None, b"", b"\x00\xff"],
    "date32": [dt.date(1970, 1, 1), None, dt.date(1, 1, 1), dt.date(9999, 12, 31)],
    "timestamp[us]": [dt.datetime(1969, 12, 31, 23, 59, 59, 999999), None, dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31)],
    "timestamp[us, UTC]": [dt.datetime(2024, 2, 29, 12, tzinfo=UTC), None],
    "time64[us]": [dt.time(23, 59, 59, 999999), None, dt.time(0)],
    "duration[us]": [dt.timedelta(days=-1, microseconds=1), None, dt.timedelta(days=106751)],
    "decimal(5,2)": [Decimal("1.25"), None, Decimal("-100"), Decimal("0.5")],
    "list<int64>": [[1, None], None, [], [3]],
    "list<list<utf8>>": [[["a"], None, []], None],
    "struct<x: int64, y: utf8>": [{"x": 1, "y": "a"}, None, {"x": None, "y": ""}],
    "null": [None, None],
}


@pytest.mark.parametrize("dtype", VALUES)
def test_series_of_python_values_returns_them(device, dtype):
    series = cn.Series(VALUES[dtype], name="x")
    assert str(series.dtype) == dtype
    assert series.device == device
    assert series.to_list() == VALUES[dtype]
    assert series.null_count == VALUES[dtype].count(None)
    assert [series[at] for at in range(len(series))] == VALUES[dtype]


def test_series_of_integers_and_floats_is_float():
    assert cn.Series([1, 2.5, None]).to_list() == [1.0, 2.5, None]
    assert cn.Series([1, 2**64 - 1]).dtype == "uint64"


def test_series_of_mixed_values_names_row_and_dtypes():
    with pytest.raises(TypeError, match="row 2 is a value of utf8, and rows before are of int64"):
        cn.Series([1, None, "a"])
    with pytest.raises(OverflowError, match="64 bits"):
        cn.Series([2**64])
    with pytest.raises(OverflowError, match="negative"):
        cn.Series([-1, 2**64 - 1])
    with pytest.raises(TypeError, match="object"):
        cn.Series([object()])


def test_series_with_dtype_is_cast():
    assert cn.Series([1, 2], dtype="int8").dtype == "int8"
    assert cn.Series([], dtype="utf8").to_list() == []
    assert cn.Series(["1", None], dtype=int).to_list() == [1, None]
    with pytest.raises(OverflowError) as error:
        cn.Series([300], name="x", dtype="int8")
    assert error.value.dtype == "int8"


def test_decimals_of_different_scales_share_the_widest():
    series = cn.Series([Decimal("1"), Decimal("0.001"), Decimal("1E+3")])
    assert series.dtype == "decimal(7,3)"
    assert series.to_list() == [1, Decimal("0.001"), 1000]


def test_nanoseconds_are_cut_to_microseconds():
    nanos = cn.Series([-1, 1999], dtype="int64").cast("timestamp[ns]")
    assert nanos.to_list() == [dt.datetime(1969, 12, 31, 23, 59, 59, 999999), dt.datetime(1970, 1, 1, 0, 0, 0, 1)]


def test_timestamps_with_zones_keep_them():
    from zoneinfo import ZoneInfo

    summer = dt.datetime(2024, 7, 1, 12, tzinfo=ZoneInfo("Europe/Berlin"))
    series = cn.Series([summer])
    assert series.dtype.tz == "Europe/Berlin" and series.to_list() == [summer]
    east = dt.datetime(2024, 7, 1, 12, tzinfo=dt.timezone(dt.timedelta(hours=-5, minutes=-30)))
    assert cn.Series([east]).to_list() == [east]


def test_series_of_pandas_in_a_dictionary_go_by_their_labels(device):
    import pandas

    values = {"a": pandas.Series([1, 2], index=["p", "q"]), "b": pandas.Series([5, 6], index=["q", "r"])}
    ours, theirs = cn.DataFrame(values), pandas.DataFrame(values)
    assert ours.index.to_list() == theirs.index.to_list() == ["p", "q", "r"]
    assert ours["a"].to_list() == [1, 2, None] and ours["b"].to_list() == [None, 5, 6]


def test_frame_of_dictionary_and_of_rows(device):
    by_column = cn.DataFrame({"a": [1, 2, None], "b": ["x", None, "z"]})
    by_row = cn.DataFrame([{"a": 1, "b": "x"}, {"a": 2}, {"b": "z"}])
    assert by_column.equals(by_row)
    assert by_column.shape == (3, 2) and by_column.columns == ["a", "b"] and by_column.device == device
    assert by_column.dtypes == {"a": "int64", "b": "utf8"}
    assert by_column.to_dicts() == [{"a": 1, "b": "x"}, {"a": 2, "b": None}, {"a": None, "b": "z"}]
    assert by_column.row(-1) == {"a": None, "b": "z"}


def test_frame_of_unequal_lengths_is_value_error():
    with pytest.raises(ValueError, match="expected 2 rows, found 1") as error:
        cn.DataFrame({"a": [1, 2], "b": [1]})
    assert error.value.operation == "DataFrame"


def test_labels_of_several_kinds_are_kept():
    frame = cn.DataFrame({1998: [1], None: [2], dt.date(2024, 1, 1): [3]})
    assert frame.columns == [1998, None, dt.date(2024, 1, 1)]
    assert frame[1998].to_list() == [1] and frame[None].name is None
    levels = cn.DataFrame({("tea", "price"): [1], ("tea", "units"): [2]})
    assert levels.columns == [("tea", "price"), ("tea", "units")]
    assert levels[("tea", "units")].to_list() == [2]


def test_getitem_selects_columns_and_rows(device):
    frame = cn.DataFrame({"a": list(range(10)), "b": [f"s{at}" for at in range(10)]})
    assert frame["a"].to_list() == list(range(10))
    assert frame[["b", "a"]].columns == ["b", "a"]
    rows = list(range(10))
    for key in [slice(None), slice(2, 5), slice(-3, None), slice(None, None, 3), slice(1, 9, 2), slice(5, 5), slice(8, 100),
                slice(None, None, -1), slice(7, 2, -2), slice(2, 7, -1)]:
        assert frame[key]["a"].to_list() == rows[key], key
        assert frame["a"][key].to_list() == rows[key], key
    assert frame[frame["a"] > 7]["b"].to_list() == ["s8", "s9"]
    assert frame[cn.col("a") > 7].equals(frame[frame["a"] > 7])
    assert "a" in frame and "c" not in frame
    with pytest.raises(ValueError, match="getitem: the step of a slice is 0"):
        frame[::0]
    with pytest.raises(IndexError, match="position 10"):
        frame["a"][10]


def test_missing_column_is_key_error_with_attributes():
    frame = cn.DataFrame({"a": [1]})
    with pytest.raises(KeyError, match="there is no column \"b\"; there is \"a\"") as error:
        frame["b"]
    assert isinstance(error.value, cn.ColumnadeError)
    assert (error.value.operation, error.value.column) == ("column", "b")
    with pytest.raises(cn.ColumnKeyError) as error:
        frame.select(cn.col("z") + 1)
    assert error.value.operation == "select"


def test_errors_name_operation_and_dtype():
    frame = cn.DataFrame({"a": ["x"], "b": [1]})
    with pytest.raises(TypeError) as error:
        frame.select(cn.col("a") + cn.col("b"))
    assert error.value.operation == "select" and error.value.dtype in ("utf8", "int64")
    with pytest.raises(TypeError) as error:
        frame["a"] + frame["b"]
    assert error.value.operation == "add"


def test_errors_survive_pickling():
    import pickle

    with pytest.raises(KeyError) as error:
        cn.DataFrame({"a": [1]})["b"]
    back = pickle.loads(pickle.dumps(error.value))
    assert type(back) is cn.ColumnKeyError and back.column == "b" and str(back) == str(error.value)


def test_frames_refuse_what_would_be_slow_or_ambiguous():
    frame = cn.DataFrame({"a": [1, 2]})
    for refused in (lambda: list(frame), lambda: list(frame["a"]), lambda: 1 in frame["a"]):
        with pytest.raises(TypeError, match="not|equals|defined"):
            refused()
    with pytest.raises(ValueError, match="truth value"):
        bool(frame["a"])
    with pytest.raises(TypeError, match="truth value"):
        bool(cn.col("a") > 1)
    with pytest.raises(TypeError, match="does not change"):
        frame["b"] = [1, 2]


def test_display_shows_first_and_last_rows():
    frame = cn.DataFrame({"a": list(range(100)), "<b>": ["x&y"] * 100})
    assert "99" in repr(frame) and "50" not in repr(frame)
    html = frame._repr_html_()
    assert "<th>&lt;b&gt;</th>" in html and "x&amp;y" in html and "100 rows × 2 columns" in html
    # Ten rows, one of ellipses and two of the head.
    assert html.count("<tr>") == 13
    assert html.count("<td>") == html.count("</td>") and html.count("<td>") == 2 + 10 * 2 + 3
    assert "<td>99</td>" in html and "<td>50</td>" not in html
    assert repr(cn.col("a") + 1) == "(a + 1)"
    assert cn.Series([1], name="n")._repr_html_().startswith("<table")
    assert "0 rows × 0 columns" in cn.DataFrame()._repr_html_()


def test_copies_have_equal_values(device):
    frame = cn.DataFrame({"a": [1, None], "b": ["x", "y"]})
    for other in (frame.copy(), frame.copy(deep=False), copy.copy(frame), copy.deepcopy(frame)):
        assert other.equals(frame)
    assert copy.deepcopy(frame["b"]).equals(frame["b"])


def test_dtypes_compare_with_names_of_other_libraries():
    import numpy
    import pyarrow

    series = cn.Series([1])
    assert series.dtype == "int64" and series.dtype == int and series.dtype == numpy.dtype("i8")
    assert series.dtype == pyarrow.int64() and series.dtype != "int32" and series.dtype != "no such dtype"
    assert cn.DType("list<int64>").value_type == "int64"
    assert dict(cn.DType("struct<x: int64>").fields) == {"x": "int64"}
    assert cn.DType("timestamp[ms, Europe/Berlin]").unit == "ms"
    assert hash(cn.DType("int64")) == hash(cn.DType(int))
    with pytest.raises(ValueError):
        cn.DType("int65")
    with pytest.raises(TypeError):
        cn.DType(3.5)


def test_devices_are_listed_and_checked():
    assert "host" in cn.available_devices()
    with pytest.raises(cn.ColumnadeError):
        cn.set_default_device("cuda:99")
    with pytest.raises(ValueError, match="toaster"):
        cn.Series([1], device="toaster")
    for device in cn.available_devices():
        series = cn.Series([1, 2], device=device)
        assert series.device == device and series.to_device("host").to_list() == [1, 2]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (["b", "a"], ["b", "a"]), (["b", "a"], ["a", "c"]), ([3, 1], [1, 2]), (["a", "b"], ["c"]), ([2, 4], None), (["a", "a"], ["a", "a"]),
    ],
)
def test_columns_that_are_series_go_by_their_labels(device, left, right):
    ours = {"x": cn.Series([1.0, 2.0], index=left, device=device)}
    theirs = {"x": pd.Series([1.0, 2.0], index=left)}
    values = [5.0, 6.0] if right is None else [5.0 + row for row in range(len(right))]
    ours["y"] = cn.Series(values, index=right, dtype="float64", device=device)
    theirs["y"] = pd.Series(values, index=right, dtype="float64")
    made, expected = cn.DataFrame(ours), pd.DataFrame(theirs)
    assert made.index.to_list() == expected.index.tolist()
    for label in ("x", "y"):
        wanted = [None if value != value else value for value in expected[label]]
        assert made[label].to_list() == wanted


def test_lists_beside_labelled_series_go_by_position(device):
    series = cn.Series([1, 2], index=["b", "a"], device=device)
    made = cn.DataFrame({"n": [7, 8], "x": series})
    assert made.index.to_list() == ["b", "a"] and made.to_dict() == {"n": [7, 8], "x": [1, 2]}
    with pytest.raises(ValueError):
        cn.DataFrame({"n": [7], "x": series})


def test_names_of_column_levels_are_kept():
    columns = pd.MultiIndex.from_tuples([("a", 1), ("a", 2)], names=["k", None])
    frame = pd.DataFrame([[1, 2]], columns=columns, index=["r"])
    back = cn.from_pandas(frame).to_pandas()
    assert back.columns.names == ["k", None] and back.index.tolist() == ["r"]
    named = pd.DataFrame({"a": [1]}).rename_axis(columns="k")
    assert cn.from_pandas(named).to_pandas().columns.names == ["k"]


def test_series_of_a_dictionary_go_to_the_labels_that_are_given(device):
    series, labels = cn.Series([1, 2, 3], index=["a", "b", "c"]), ["c", "z", "a"]
    made = cn.DataFrame({"s": series, "n": [7, 8, 9]}, index=labels)
    expected = pd.DataFrame({"s": pd.Series([1, 2, 3], index=["a", "b", "c"]), "n": [7, 8, 9]}, index=labels)
    assert made.index.to_list() == labels and made.device == device
    assert made["s"].to_list() == [3, None, 1]
    assert expected["s"].tolist()[::2] == [3, 1] and made["n"].to_list() == expected["n"].tolist()
    assert cn.DataFrame({"s": pd.Series([1, 2])}, index=[1, 0])["s"].to_list() == [2, 1]
    assert cn.DataFrame({}, index=["x", "y"]).shape == (2, 0)
    with pytest.raises(ValueError, match="DataFrame: column n has 2 values, and there are 3 row labels") as caught:
        cn.DataFrame({"s": series, "n": [7, 8]}, index=labels)
    assert caught.value.operation == "DataFrame"
    with pytest.raises(cn.ColumnadeError, match="DataFrame"):
        cn.DataFrame([{"n": 1}], index=["x", "y"])
