"""Conversion to and from numpy and pandas."""

import datetime as dt

import columnade as cn
import numpy as np
import pandas as pd
import pytest

NUMBERS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]


@pytest.mark.parametrize("dtype", [*NUMBERS, "?"])
@pytest.mark.parametrize("rows", [0, 1, 31, 33, 64, 1000])
def test_numpy_arrays_return_unchanged(device, dtype, rows):
    array = np.arange(rows).astype(dtype)
    series = cn.Series(array)
    assert series.device == device and series.dtype == array.dtype
    back = series.to_numpy()
    assert back.dtype == array.dtype and np.array_equal(back, array)
    assert np.array_equal(np.asarray(series), array)


def test_host_arrays_share_memory():
    array = np.arange(1000.0)
    series = cn.Series(array)
    assert series.to_numpy().ctypes.data == array.ctypes.data
    assert not series.to_numpy().flags.writeable


def test_numpy_views_of_any_strides_are_imported(device):
    array = np.arange(100)
    for view in (array[3:], array[::3], array[::-1], array[50:20:-2], array.reshape(10, 10)[:, 3]):
        assert cn.Series(view).to_list() == view.tolist()
    assert cn.Series(array.astype(">i4")).to_list() == array.tolist()
    read_only = array.copy()
    read_only.flags.writeable = False
    assert cn.Series(read_only).to_list() == array.tolist()


def test_numpy_matrix_becomes_columns(device):
    matrix = np.arange(12.0).reshape(4, 3)
    for given in (matrix, np.asfortranarray(matrix), matrix[::2]):
        frame = cn.DataFrame(given)
        assert frame.columns == [0, 1, 2] and frame.device == device
        assert np.array_equal(frame.to_numpy(), given)
    named = cn.DataFrame(matrix, columns=["x", "y", "z"])
    assert named.columns == ["x", "y", "z"] and np.array_equal(np.asarray(named), matrix)
    with pytest.raises(ValueError, match="3 dimensions"):
        cn.Series(np.zeros((2, 2, 2)))


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_numpy_times_keep_units_and_nat(device, unit):
    times = np.array(["1969-12-31T23:59:59", "NaT", "2024-02-29T12:00:00"], dtype=f"M8[{unit}]")
    series = cn.Series(times)
    assert series.dtype == f"timestamp[{unit}]" and series.null_count == 1
    assert np.array_equal(series.to_numpy(), times, equal_nan=True) and series.to_numpy().dtype == times.dtype
    spans = np.array([-1, "NaT", 5], dtype=f"m8[{unit}]")
    assert np.array_equal(cn.Series(spans).to_numpy(), spans, equal_nan=True)


def test_numpy_days_masks_strings_and_objects(device):
    days = np.array(["2024-02-29", "NaT"], dtype="M8[D]")
    assert cn.Series(days).to_list() == [dt.datetime(2024, 2, 29), None]
    assert np.array_equal(cn.Series([dt.date(2024, 2, 29), None]).to_numpy(), days, equal_nan=True)
    assert cn.Series(np.ma.array([1, 2, 3], mask=[False, True, False])).to_list() == [1, None, 3]
    assert cn.Series(np.array(["a", "bc"])).to_list() == ["a", "bc"]
    assert cn.Series(np.array(["a", None], dtype=object)).to_list() == ["a", None]
    assert cn.Series([np.int64(3), np.float32(0.5), None]).to_list() == [3.0, 0.5, None]
    assert cn.Series([np.datetime64("2024-02-29T00:00:00", "ns"), np.timedelta64("NaT")]).to_list()[1] is None


def test_nulls_become_nan_and_objects(device):
    assert np.isnan(cn.Series([1, None]).to_numpy()[1])
    assert cn.Series([True, None]).to_numpy().tolist() == [True, None]
    assert cn.Series(["a", None]).to_numpy().tolist() == ["a", None]
    assert cn.Series([[1], None]).to_numpy().tolist() == [[1], None]


def test_array_honours_dtype_and_copy():
    series = cn.Series([1, 2])
    assert np.asarray(series, dtype="f4").dtype == np.float32
    copied = np.array(series, copy=True)
    copied[0] = 9
    assert series.to_list() == [1, 2]
    with pytest.raises(ValueError, match="needs a copy"):
        series.__array__(dtype="f4", copy=False)


def pandas_frame():
    return pd.DataFrame({
        "i": np.array([1, 2, 3], dtype="i4"),
        "f": [0.5, np.nan, -0.0],
        "b": [True, False, True],
        "s": ["a", None, "Zürich"],
        "t": pd.to_datetime(["2024-02-29", None, "1969-12-31"]),
        "z": pd.to_datetime(["2024-07-01", None, "2024-01-01"]).tz_localize("Europe/Berlin"),
        "d": pd.to_timedelta([1, None, -5], unit="s"),
        "c": pd.Categorical(["x", None, "y"], categories=["y", "x"], ordered=True),
        "n": pd.array([1, None, 3], dtype="Int16"),
    })


def test_pandas_frame_returns_with_its_values(device):
    frame = pandas_frame()
    ours = cn.from_pandas(frame)
    assert ours.device == device and ours.shape == frame.shape
    assert {label: str(dtype) for label, dtype in ours.dtypes.items()} == {
        "i": "int32", "f": "float64", "b": "bool", "s": "utf8", "t": f"timestamp[{frame.t.dt.unit}]",
        "z": f"timestamp[{frame.z.dt.unit}, Europe/Berlin]", "d": f"duration[{frame.d.dt.unit}]",
        "c": "dictionary<int8, utf8, ordered>", "n": "int16",
    }
    assert ours["n"].to_list() == [1, None, 3] and ours["c"].to_list() == ["x", None, "y"]
    assert ours["s"].to_list() == ["a", None, "Zürich"]
    back = ours.to_pandas()
    expected = frame.assign(n=frame["n"].astype("f8"))
    pd.testing.assert_frame_equal(back, expected)
    assert cn.DataFrame(frame).equals(ours)


def test_pandas_frame_of_arrow_dtypes(device):
    ours = cn.DataFrame({"a": [1, None], "s": ["x", None]})
    frame = ours.to_pandas(arrow=True)
    assert str(frame["a"].dtype) == "int64[pyarrow]" and frame["a"].isna().tolist() == [False, True]
    assert cn.from_pandas(frame).equals(ours)


def test_pandas_labels_are_kept():
    frame = pd.DataFrame({1: [1], "b": [2]})
    assert cn.from_pandas(frame).to_pandas().columns.tolist() == [1, "b"]
    levels = pd.DataFrame({("a", "x"): [1], ("a", "y"): [2]})
    assert cn.from_pandas(levels).to_pandas().columns.tolist() == [("a", "x"), ("a", "y")]
    series = cn.Series(pd.Series([1, 2], name="n"))
    assert series.name == "n" and series.to_pandas().name == "n"
    repeated = pd.DataFrame([[1, 2]], columns=["a", "a"])
    with pytest.raises(ValueError, match="repeated"):
        cn.from_pandas(repeated)


def test_constructors_of_pandas_take_values(device):
    # pandas asks objects of other libraries for an array alone, which has no labels.
    data = {"a": [1, 2, 3], "s": ["x", None, "z"], "t": [1.5, None, 2.5]}
    frame = cn.DataFrame(data, index=["p", "q", "r"])
    bare = pd.DataFrame(frame)
    assert list(bare.columns) == [0, 1, 2] and bare.index.tolist() == [0, 1, 2] and bare[0].tolist() == [1, 2, 3]
    labelled = pd.DataFrame(frame, index=frame.index, columns=frame.columns)
    assert list(labelled.columns) == list(data) and labelled.index.tolist() == ["p", "q", "r"]
    typed = pd.DataFrame(dict(frame.items()), index=frame.index)
    pd.testing.assert_frame_equal(typed, pd.DataFrame(data, index=["p", "q", "r"]))
    pd.testing.assert_frame_equal(typed, frame.to_pandas())
    series = frame["t"]
    assert pd.Series(series).index.tolist() == [0, 1, 2] and pd.Series(series).name is None
    pd.testing.assert_series_equal(pd.Series(series, index=series.index, name=series.name), series.to_pandas())
    if device == "host":
        rows = pd.DataFrame.from_arrow(frame)
        assert list(rows.columns) == list(data) and rows["a"].tolist() == [1, 2, 3]
