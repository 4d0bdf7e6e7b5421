"""Joins of frames that are in order: `merge_sorted` and `merge_asof`, beside Polars and pandas."""

import columnade as cn
import polars as pl
import pytest


def test_columns_that_only_later_frames_have_are_an_error():
    one, two = {"a": [1]}, {"a": [1], "b": [2]}
    with pytest.raises(pl.exceptions.SchemaError):
        pl.DataFrame(one).merge_sorted(pl.DataFrame(two), "a")
    for merged in (
        lambda: cn.merge_sorted([cn.DataFrame(one), cn.DataFrame(two)], "a"), lambda: cn.DataFrame(one).merge_sorted(cn.DataFrame(two), "a"),
        lambda: cn.merge_sorted([cn.DataFrame(one), cn.DataFrame(one), cn.DataFrame(two)], "a"),
    ):
        with pytest.raises(cn.ColumnKeyError, match="^merge_sorted: there is no column 'b' in the first frame") as error:
            merged()
        assert (error.value.operation, error.value.column) == ("merge_sorted", "b")
    with pytest.raises(cn.ColumnKeyError) as error:
        cn.merge_sorted([cn.DataFrame(two), cn.DataFrame(one)], "a")
    assert error.value.column == "b"


def test_dtypes_of_sorted_frames_are_widened_as_concat_does(device):
    one = cn.DataFrame({"a": [1, 4], "b": [1, 2]}).cast({"b": "int8"})
    two = cn.DataFrame({"b": [0.5, 1.5], "a": [2, 9]}).cast({"a": "int8"})
    made = cn.merge_sorted([one, two, one], "a")
    assert made.to_dict("list") == {"a": [1, 1, 2, 4, 4, 9], "b": [1.0, 1.0, 0.5, 2.0, 2.0, 1.5]}
    assert made.dtypes == cn.concat([one, two, one]).dtypes and made.device == device
    by_float = cn.merge_sorted([cn.DataFrame({"k": [3, 1]}), cn.DataFrame({"k": [2.5, None]})], "k", ascending=False)
    assert by_float["k"].to_list() == [3.0, 2.5, 1.0, None]
    with pytest.raises(cn.ColumnTypeError, match='^merge_sorted: column "a": int64 and utf8 do not go together') as error:
        cn.merge_sorted([cn.DataFrame({"a": [1]}), cn.DataFrame({"a": ["x"]})], "a")
    assert (error.value.operation, error.value.column, error.value.dtype) == ("merge_sorted", "a", "int64")
