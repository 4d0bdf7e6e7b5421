"""`is_in` of a list, a series and a column of the frame: one rule, beside Polars and pandas, on every device."""

import datetime as dt
import math

import columnade as cn
import pandas as pd
import polars as pl
import pytest
from columnade import col, lit

NAN = math.nan
# The values, those that are looked for, and what is found.
FOUND = {
    "a null is left out": ([1, 2, None], [1, None], [True, False, None]),
    "only a null": ([1, 2, None], [None], [False, False, None]),
    "NaN": ([1.0, NAN, None], [NAN, 1.0], [True, True, None]),
    "only NaN": ([1.0, NAN, None], [NAN], [False, True, None]),
    "NaN of numbers that have none": ([1, 2, None], [NAN, 2.0], [False, True, None]),
    "texts and a null": (["a", "b", None], ["a", None], [True, False, None]),
    "more than are compared one by one": ([3, 99, None], [*range(40), None], [True, False, None]),
    "times and a null": ([dt.date(2024, 1, 1), dt.date(2024, 1, 2), None], [dt.date(2024, 1, 2), None], [False, True, None]),
}


@pytest.mark.parametrize("name", FOUND)
def test_lists_columns_and_series_are_alike(device, name):
    values, sought, expected = FOUND[name]
    frame = cn.DataFrame({"a": values})
    made = [
        frame.select(col("a").is_in(sought))["a"],
        frame.select((~(~col("a").is_in(sought))).alias("a"))["a"],
        frame.select(col("a").is_in(cn.Series(sought)))["a"],
        frame["a"].is_in(sought),
        frame["a"].is_in(cn.Series(sought)),
    ]
    assert [one.to_list() for one in made] == [expected] * len(made)
    assert len(frame.filter(col("a").is_in(sought))) == len(frame.filter(frame["a"].is_in(sought))) == expected.count(True)
    if name != "NaN of numbers that have none":
        assert pl.Series(values).is_in(sought).to_list() == expected


@pytest.mark.parametrize("sought", [[NAN], [NAN, 1.0], [1.0, None], [None]])
def test_isin_of_expressions_is_that_of_series(device, sought):
    values = [1.0, NAN, None, 2.0]
    frame = cn.DataFrame({"a": values})
    made = frame.select(col("a").isin(sought))["a"].to_list()
    assert made == frame["a"].isin(sought).to_list()
    # pandas holds NaN for null.
    assert made[0:2] == pd.Series(values[:2]).isin([value for value in sought if value is not None]).tolist()


@pytest.mark.parametrize("values, others", [
    ([1, 2, None, 2**53 + 1], [1.0, 2.5, NAN, float(2**53), math.inf, 1e300]),
    ([1.0, 2.5, None, NAN, 2.0**53], [1, 2, 2**53, 2**53 + 1, None]),
    ([0, 255, 7], [-1.0, 255.0, 256.0, 7.5]),
])
def test_whole_numbers_and_floats_are_compared_by_value_in_expressions(device, values, others):
    frame, sought = cn.DataFrame({"a": values}), cn.Series(others)
    expected = [None if value is None else value in [other for other in others if other is not None] for value in values]
    assert frame.select(col("a").is_in(sought))["a"].to_list() == expected
    assert frame["a"].is_in(sought).to_list() == expected
    if isinstance(values[0], int):
        for dtype in ("uint64", "int16") if max(value or 0 for value in values) < 300 else ("int64",):
            assert frame.select(col("a").cast(dtype).is_in(sought))["a"].to_list() == expected
    assert frame.filter((col("a") + 0).is_in(sought))["a"].to_list() == [value for value, found in zip(values, expected) if found]


@pytest.mark.parametrize("call", [
    lambda f: f.filter(col("a").is_in(cn.Series(["x"]))),
    lambda f: f["a"].is_in(["1"]),
    lambda f: f["a"].is_in(cn.Series(["x"])),
])
def test_texts_among_numbers_are_a_type_error_with_the_dtype(call):
    with pytest.raises(cn.ColumnTypeError) as raised:
        call(cn.DataFrame({"a": [1, 2]}))
    assert (raised.value.column, str(raised.value.dtype)) == ("a", "int64")


def test_values_of_an_expression_are_not_implemented_and_the_error_names_a_series():
    for name in ("is_in", "isin"):
        with pytest.raises(NotImplementedError, match=f"^{name}: values is a constant: a list, an array or a series") as error:
            getattr(col("a"), name)(col("b"))
        assert error.value.operation == name


def test_nulls_and_empty_lists_within_constants_have_the_dtype_of_the_column(device):
    lists = [[1], [], [None], None, [1, None]]
    frame = cn.DataFrame({"a": lists})
    for constant in ([], [None], [1, None]):
        expected = [None if value is None else value == constant for value in lists]
        for equals in (col("a") == lit(constant), lit(constant) == col("a")):
            assert frame.select(equals.alias("found"))["found"].to_list() == expected
        assert frame.select(col("a").is_in([constant]))["a"].to_list() == expected
        assert frame["a"].is_in([constant]).to_list() == expected
    structs = [{"x": 1, "y": "p"}, {"x": None, "y": "p"}, None]
    made = cn.Series(structs)
    assert made.is_in([{"x": None, "y": "p"}]).to_list() == [False, True, None]
    assert made.is_in([{"x": None, "y": None}]).to_list() == [False, False, None]
    nested = cn.Series([[[1]], [[]], [None]])
    assert [nested.is_in([one]).to_list() for one in ([[]], [None], [])] == [[False, True, False], [False, False, True], [False] * 3]
    for wrong in (["x"], [{"x": None}]):
        with pytest.raises(TypeError):
            frame.filter(col("a") == lit(wrong))


@pytest.mark.parametrize("how", ["inner", "left", "outer"])
def test_lists_of_nulls_are_keys_beside_typed_ones(device, how):
    left, right = {"k": [[], [None]], "v": [1, 2]}, {"k": [[1], [], [None], None], "w": [10, 20, 30, 40]}
    found = cn.DataFrame(left).merge(cn.DataFrame(right), on="k", how=how, sort=False)
    made = sorted(zip(map(repr, found["k"].to_list()), found["v"].to_list(), found["w"].to_list()), key=repr)
    both = [("[]", 1, 20), ("[None]", 2, 30)]
    rest = [("None", None, 40), ("[1]", None, 10)]
    assert made == sorted(both + (rest if how == "outer" else []), key=repr)
    assert str(found["k"].dtype) in ("list<int64>", "list<null>")


def test_structs_of_nulls_are_keys_beside_typed_ones(device):
    left = cn.DataFrame({"k": [{"x": None}], "v": [1]})
    right = cn.DataFrame({"k": [{"x": 1}, {"x": None}], "w": [1, 2]})
    assert left.merge(right, on="k")["w"].to_list() == [2]
    assert right.merge(left, on="k")["w"].to_list() == [2]
    with pytest.raises(TypeError):
        left.merge(cn.DataFrame({"k": [{"y": 1}]}), on="k")


@pytest.mark.parametrize("values, sought", [
    ([3, 1, None, 3], [3]), ([3, 1], [3.0, 1.5]), ([3, 1], ["3"]), ([3, 1, None], [None, 1]), ([3, 1], []), ([1.5, 2.0, None], [2, 1.5]),
    ([True, False, None], [True]), ([True, False], [1]), ([3, 1], [True, 3]), (["a", "b"], ["a", 3]),
])
def test_categories_of_any_dtype_are_found_by_isin(device, values, sought):
    ours, theirs = cn.Series(values).cat.encode(), pd.Series(pd.Categorical(values))
    expected = cn.Series(values).isin(sought).to_list()
    if True not in sought and 1 not in sought:
        # Booleans are no numbers here.
        assert expected == theirs.isin([pd.NA if value is None else value for value in sought]).tolist()
    for given in (sought, tuple(sought), set(sought)):
        assert ours.isin(given).to_list() == expected
        assert ours.to_frame("c").isin(given)["c"].to_list() == expected
        assert ours.to_frame("c").isin({"c": given})["c"].to_list() == expected
        assert list(cn.Index(ours).isin(given)) == expected
