"""Nulls that are dropped and replaced, beside Polars."""

import columnade as cn
import numpy as np
import polars as pl
import pytest
from columnade import col

DATA = {"a": [1, None, 3, None], "s": ["x", None, None, None], "b": [1.5, None, 2.5, 0.5]}


@pytest.mark.parametrize("subset", [None, "a", ["a"], ["a", "s"], ["b"]], ids=str)
def test_drop_nulls_of_some_columns_is_that_of_polars(device, subset):
    made = cn.DataFrame(DATA).drop_nulls(subset)
    assert made.to_dict() == pl.DataFrame(DATA).drop_nulls(subset).to_dict(as_series=False)
    assert made.device == device
    assert made.equals(cn.DataFrame(DATA).drop_nulls(subset=subset))
    assert made.equals(cn.DataFrame(DATA).dropna(subset=subset))


def test_drop_nulls_takes_columns_and_counts():
    frame = cn.DataFrame(DATA)
    assert frame.drop_nulls(col("a"))["a"].to_list() == frame.drop_nulls(("a",))["a"].to_list() == [1, 3]
    assert len(frame.drop_nulls(how="all")) == 3 and len(frame.drop_nulls(thresh=2)) == 2
    assert len(frame.drop_nulls(["a", "s"], how="all")) == 2 and len(frame.drop_nulls(["a", "b"], thresh=2)) == 2
    assert frame.drop_nulls("a").index.to_list() == [0, 2]
    with pytest.raises(cn.ColumnKeyError, match="drop_nulls: there is no column \"q\""):
        frame.drop_nulls("q")
    with pytest.raises(cn.ColumnTypeError, match="^drop_nulls: subset has labels"):
        frame.drop_nulls((col("a") + 1).alias("a"))
    with pytest.raises(cn.ColumnKeyError, match="drop_nulls"):
        frame.drop_nulls(col("a") + 1)
    levels = cn.DataFrame({("x", 1): [1, None], ("y", 1): [None, 2]})
    assert len(levels.drop_nulls(("x", 1))) == 1


def test_fill_null_of_frames_is_strict_where_it_is_asked():
    frame = cn.DataFrame(DATA)
    assert frame.fill_null(0)["s"].null_count == 3
    with pytest.raises(cn.ColumnValueError, match=r"^fill_null: 0 does not fit the columns 's' \(utf8\)$") as error:
        frame.fill_null(0, strict=True)
    assert (error.value.operation, error.value.column, error.value.dtype) == ("fill_null", "s", "utf8")
    with pytest.raises(cn.ColumnValueError, match=r"columns 'a' \(int64\), 'b' \(float64\)$"):
        frame.fill_null("none", strict=True)
    numbers = frame[["a", "b"]]
    assert numbers.fill_null(7, strict=True).to_dict() == {"a": [1, 7, 3, 7], "b": [1.5, 7.0, 2.5, 0.5]}


@pytest.mark.parametrize(("dtype", "value"), [("int64", 2.5), ("int32", 2**40), ("int8", -200), ("uint8", 300), ("int16", 7)], ids=str)
def test_fill_null_of_series_has_the_dtype_of_the_expression(device, dtype, value):
    values = cn.Series([1, None, 3], name="n", index=["p", "q", "r"]).cast(dtype)
    expected = values.to_frame().select(col("n").fill_null(value).alias("n"))["n"]
    for made in (values.fill_null(value), values.fillna(value)):
        assert made.to_list() == [1, value, 3]
        assert (made.dtype, made.name, made.index.to_list()) == (expected.dtype, "n", ["p", "q", "r"])
        assert made.device == device


@pytest.mark.parametrize(("values", "value"), [([1, None], "x"), (["x", None], 1), ([True, None], 2), ([1, None], True)], ids=str)
def test_fill_null_of_series_refuses_values_of_another_kind(values, value):
    with pytest.raises(cn.ColumnadeError, match="^fill_null: column \"n\"") as error:
        cn.Series(values, name="n").fill_null(value)
    assert (error.value.operation, error.value.column) == ("fill_null", "n")


def test_nan_is_not_null():
    values = cn.Series([np.nan, None, 1.0])
    assert str(values.fill_null(5).to_list()) == "[nan, 5.0, 1.0]"
    assert len(values.to_frame().drop_nulls()) == 2
