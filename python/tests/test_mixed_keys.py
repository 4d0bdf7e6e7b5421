"""Joins by whole numbers on one side and floats on the other, beside pandas and Polars."""

import columnade as cn
import pandas as pd
import polars as pl
import pytest
from columnade import col

WHOLE = {"a": [3, 1, 2, None, 2], "x": [30, 10, 20, 40, 21]}
FLOATS = {"b": [2.0, 2.5, 3.0, 1e300], "y": [1, 2, 3, 4]}
HOWS = ["inner", "left", "right", "outer"]


def rows(frame):
    made = frame.rows() if isinstance(frame, pl.DataFrame) else [tuple(row.values()) for row in frame.to_dicts()]
    return sorted(made, key=repr)


def dtypes(frame):
    return {label: str(dtype) for label, dtype in frame.dtypes.items()}


def polars(left, right, how, left_on, right_on, **options):
    """The join of Polars by floats, with the columns of the frames beside them."""
    left = pl.DataFrame(left).with_columns(key=pl.col(left_on).cast(pl.Float64))
    right = pl.DataFrame(right).with_columns(key=pl.col(right_on).cast(pl.Float64))
    made = left.join(right, how={"outer": "full"}.get(how, how), on="key", coalesce=True, **options)
    return made


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("how", HOWS)
def test_one_column_of_both_keys_has_the_values_of_both(device, how, sort):
    expected = polars(WHOLE, FLOATS, how, "a", "b").select("key", "x", "y")
    left, right = cn.DataFrame(WHOLE), cn.DataFrame(FLOATS)
    kind = "int64" if how in ("inner", "left") else "float64"
    of_one = left.merge(right.rename(columns={"b": "a"}), how, on="a", sort=sort)
    for made in (
        left.merge(right, how, left_on="a", right_on="b", coalesce=True, sort=sort),
        left.merge(right, how, left_on=col("a"), right_on=col("b"), coalesce=True, sort=sort), of_one,
    ):
        assert made.columns == ["a", "x", "y"] and made.device == device
        assert str(made["a"].dtype) == kind
        assert rows(made.cast({"a": "float64"})) == rows(expected)
        if sort:
            assert made["a"].to_list() == made["a"].sort_values().to_list()
    swapped = right.merge(left, how, left_on="b", right_on="a", coalesce=True)
    assert rows(swapped.cast({"b": "float64"})) == rows(polars(FLOATS, WHOLE, how, "b", "a").select("key", "y", "x"))


@pytest.mark.parametrize("how", ["left", "right", "full"])
def test_join_gives_the_column_of_merge(how):
    left, right = cn.DataFrame({"a": [1, 2]}), cn.DataFrame({"b": [2.0, 2.5]})
    made = left.join(right, left_on="a", right_on="b", how=how, coalesce=True)
    assert rows(made.cast({"a": "float64"})) == rows(polars({"a": [1, 2]}, {"b": [2.0, 2.5]}, how, "a", "b").select("key"))


def test_nan_and_numbers_beyond_the_dtype_are_keys():
    left, right = cn.DataFrame({"a": [1]}), cn.DataFrame({"b": [float("nan"), 1e300, None]})
    for how, first in (("outer", ["1.0"]), ("right", [])):
        made = left.merge(right, how, left_on="a", right_on="b", coalesce=True)
        assert list(map(str, made["a"].to_list())) == [*first, "nan", "1e+300", "None"]


@pytest.mark.parametrize("how", HOWS)
def test_conditions_see_the_columns_of_the_frames(how):
    left, right = cn.DataFrame({"a": [3, 7], "x": [1, 2]}), cn.DataFrame({"b": [3.0, 7.0], "h": [2, 9]})
    expected = {
        "inner": [(3, 1, 3.0, 2)], "left": [(3, 1, 3.0, 2), (7, 2, None, None)], "right": [(3, 1, 3.0, 2), (None, None, 7.0, 9)],
        "outer": [(3, 1, 3.0, 2), (7, 2, None, None), (None, None, 7.0, 9)],
    }
    for condition in (col("a").cast("utf8") == "3", (col("a") & 2) == col("h")):
        made = left.merge(right, how, left_on="a", right_on="b", condition=condition)
        assert rows(made) == sorted(expected[how], key=repr)
    coalesced = left.merge(right, how, left_on="a", right_on="b", condition=col("a").cast("utf8") == "3", coalesce=True)
    assert rows(coalesced) == sorted({(b if a is None else a, x, h) for a, x, b, h in expected[how]}, key=repr)


def test_columns_that_are_shared_are_no_keys_of_a_condition():
    left, right = cn.DataFrame({"a": [1, 2]}), cn.DataFrame({"a": [1.5, 2.5]})
    made = left.merge(right, condition=(col("a_x") & 1) == 1)
    assert rows(made) == [(1, 1.5), (1, 2.5)]
    assert dtypes(made) == {"a_x": "int64", "a_y": "float64"}


@pytest.mark.parametrize("how", HOWS)
def test_keys_with_suffixes_keep_their_dtypes(how):
    left, right = {"a": [1, 2]}, {"b": [2.0, 2.5], "a": ["x", "y"]}
    made = cn.DataFrame(left).merge(cn.DataFrame(right), how, left_on="a", right_on="b")
    expected = pd.DataFrame(left).merge(pd.DataFrame(right), how, left_on="a", right_on="b")
    assert made.columns == list(expected.columns)
    assert dtypes(made) == {"a_x": "int64", "b": "float64", "a_y": "utf8"}
    assert rows(made) == sorted([tuple(None if value != value else value for value in row) for row in expected.itertuples(index=False)], key=repr)
    both = cn.DataFrame(left).merge(cn.DataFrame({"a": [2.0, 2.5]}), how, on="a", coalesce=False)
    assert dtypes(both) == {"a_x": "int64", "a_y": "float64"}
    one = cn.DataFrame(left).merge(cn.DataFrame(right), how, left_on="a", right_on="b", coalesce=True)
    assert one.columns == ["a_x", "a_y"]


def test_expressions_and_levels_are_compared_by_value():
    left, right = cn.DataFrame({"k": [1, 2]}), cn.DataFrame({"k": [1.0, 2.5], "y": [5, 6]})
    assert rows(left.merge(right, left_on=col("k") + 0, right_on="k")) == [(1, 1.0, 5)]
    assert rows(right.merge(left, left_on="k", right_on=[col("k") + 1], how="left")) == [(1.0, 5, None), (2.5, 6, None)]
    assert rows(left.merge(right, on=[col("k") * 2], how="semi")) == [(1,)]
    assert rows(left.merge(right, on=[col("k") * 2], how="anti")) == [(2,)]
    labelled = left.with_columns(x=col("k") * 10).set_index("k")
    assert rows(labelled.merge(right, on="k")) == [(1, 10, 5)]
    assert labelled.merge(right.set_index("k"), on="k").index.names == ["k"]
    assert rows(left.merge(right["k"], on="k")) == [(1,)]


def test_a_column_that_is_a_key_twice_is_one_with_the_first():
    left, right = {"k": [1, 2], "j": [1, 3]}, {"b": [1.0, 3.0]}
    made = cn.DataFrame(left).merge(cn.DataFrame(right), "outer", left_on=["k", "j"], right_on=["b", "b"], coalesce=True)
    assert rows(made) == [(1.0, 1), (2.0, 3), (3.0, None)]
    computed = cn.DataFrame(left).merge(cn.DataFrame(right), "outer", left_on=["k", "j"], right_on=["b", col("b") + 0], coalesce=True)
    assert rows(computed) == rows(made)
    whole = cn.DataFrame({"k": [1], "f": [1.0]}).merge(cn.DataFrame(right), "outer", left_on=["k", "f"], right_on=["b", "b"], coalesce=True)
    assert rows(whole) == [(1.0, 1.0), (3.0, None)]


def test_errors_name_the_key_as_it_is():
    with pytest.raises(cn.ColumnTypeError, match="^merge: key 'k' is int64 with values that no float has") as error:
        cn.DataFrame({"k": [2**53 + 1]}).merge(cn.DataFrame({"k": [1.0]}), on="k")
    assert (error.value.operation, error.value.column, error.value.dtype) == ("merge", "k", "int64")
    twice, once = cn.DataFrame({"k": [1, 1]}), cn.DataFrame({"q": [1.0]})
    with pytest.raises(cn.ColumnValueError, match='"k" of the left frame is not unique: 1 occurs') as error:
        twice.merge(once, left_on="k", right_on="q", validate="1:1")
    assert error.value.column == "k"
    with pytest.raises(cn.ColumnValueError, match='"k" of the right frame is not unique: 1 occurs'):
        once.merge(twice, left_on="q", right_on="k", validate="1:1", coalesce=True)
    assert rows(twice.merge(once, left_on="k", right_on="q", validate="m:1")) == [(1, 1.0), (1, 1.0)]


@pytest.mark.parametrize("whole", ["int64", "int8", "uint64"])
@pytest.mark.parametrize("floats", ["float32", "float64"])
def test_series_are_among_values_of_the_other_kind(device, whole, floats):
    numbers, values = [1, 2, 3, None, 100], [1.0, 2.5, -3.0, 1e30, 100.0, float("inf"), float("nan")]
    series, others = cn.Series(numbers, dtype=whole), cn.Series(values, dtype=floats)
    expected = [None if number is None else number in values for number in numbers]
    assert series.is_in(others).to_list() == expected
    assert series.isin(others).to_list() == [found or False for found in expected]
    assert others.is_in(series).to_list() == others.is_in(cn.Series([1.0, 2.0, 3.0, None, 100.0])).to_list()
    labelled = others.with_index(cn.Index(["a", "a", "b", "c", "c", "d", "d"]))
    assert series.is_in(labelled).to_list() == expected


def test_large_numbers_are_among_values_that_are_equal():
    big = [2**53, 2**53 + 1, 2**63 - 1]
    assert cn.Series(big).is_in(cn.Series([2.0**53, 2.0**63])).to_list() == [True, False, False]
    assert cn.Series([2.0**53, 2.0**63]).is_in(cn.Series(big[1:])).to_list() == [False, False]
