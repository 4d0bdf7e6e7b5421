"""Frames and series by their labels, against pandas."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest
from beside import same

LEFT = pd.DataFrame({"n": [1.0, 2.0, 3.0], "m": [4.0, 5.0, 6.0]}, index=["b", "a", "ü"])
RIGHT = pd.DataFrame({"m": [10.0, np.nan, 30.0], "k": [7.0, 8.0, 9.0]}, index=["a", "c", "b"])


@pytest.fixture
def frames(device):
    return cn.from_pandas(LEFT), cn.from_pandas(RIGHT)


OPERATORS = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "//": lambda a, b: a // b, "%": lambda a, b: a % b,
}


@pytest.mark.parametrize("operator", OPERATORS)
def test_operators_go_by_label(frames, operator):
    left, right = frames
    apply = OPERATORS[operator]
    same(apply(left["m"], right["m"]), apply(LEFT["m"], RIGHT["m"]))
    made, expected = apply(left, right), apply(LEFT, RIGHT)
    same(made[list(expected.columns)], expected)
    same(apply(left, 2), apply(LEFT, 2))


def test_operators_with_a_value_on_the_left_and_of_equal_labels(frames):
    left, _ = frames
    same(3 + left, 3 + LEFT)
    same(3 * left, 3 * LEFT)
    same(left["n"] > left["m"] - 3, LEFT["n"] > LEFT["m"] - 3)
    with pytest.raises(TypeError):
        left + cn.col("n")
    same(3 - left, 3 - LEFT)


@pytest.mark.parametrize("join", ["outer", "inner", "left", "right"])
def test_align(frames, join):
    left, right = frames
    for made, expected in zip(left["m"].align(right["m"], join), LEFT["m"].align(RIGHT["m"], join)):
        same(made, expected)
    for made, expected in zip(left.align(right, join, axis=0), LEFT.align(RIGHT, join, axis=0)):
        same(made, expected)
    for made, expected in zip(left.align(right, join), LEFT.align(RIGHT, join)):
        same(made[list(expected.columns)], expected)


def test_reindex(frames):
    left, right = frames
    for labels in (["a", "x", "ü"], [], ["b", "b"]):
        same(left.reindex(cn.Index(cn.Series(labels, dtype="string"))), LEFT.reindex(labels))
    same(left.reindex(["x", "a"], fill_value=0), LEFT.reindex(["x", "a"], fill_value=0))
    same(left["n"].reindex(["x", "a"]), LEFT["n"].reindex(["x", "a"]))
    same(left.reindex(columns=["m", "z"]), LEFT.reindex(columns=["m", "z"]))
    same(left.reindex(["a"], ["m"]), LEFT.reindex(["a"], columns=["m"]))
    same(left.reindex_like(right), LEFT.reindex_like(RIGHT))
    same(left["n"].reindex_like(right["k"]), LEFT["n"].reindex_like(RIGHT["k"]))
    steps = pd.Series([1.0, 2.0, 3.0], index=[10, 20, 30])
    for method in ("pad", "bfill", "nearest"):
        same(cn.from_pandas(steps).reindex([5, 12, 29, 40], method=method), steps.reindex([5, 12, 29, 40], method=method))
    same(cn.from_pandas(steps).reindex([11, 12, 13], "ffill", 2), steps.reindex([11, 12, 13], method="ffill", limit=2))


def test_errors_of_labels_name_the_operation(frames):
    left, right = frames
    with pytest.raises(ValueError, match="reindex: method is pad"):
        left.reindex(["a"], method="next")
    with pytest.raises(ValueError, match="align: join is outer"):
        left.align(right, "cross")
    with pytest.raises(ValueError, match="align: axis is 0 or 1"):
        left.align(right, axis=2)
    with pytest.raises(ValueError, match="concat: join is outer or inner"):
        cn.concat([left, right], axis=1, join="left")
    with pytest.raises(ValueError, match="concat: axis is 0 for rows or 1"):
        cn.concat([left, right], axis=2)
    with pytest.raises(ValueError, match="concat: .*keys.*1 for 2 frames"):
        cn.concat([left, right], keys=["x"])
    with pytest.raises(ValueError, match="b"):
        cn.concat([left, right], verify_integrity=True)
    with pytest.raises(KeyError, match="zz"):
        left.stack().unstack("zz")
    with pytest.raises(ValueError, match="become labels of columns"):
        left["n"].unstack([-1])
    with pytest.raises(TypeError, match="where: other is a series or one value"):
        left["n"].where(left["n"] > 1, left)
    with pytest.raises(TypeError, match="mask: cond is a frame or a series"):
        left.mask(True)


def test_concat_of_columns(frames):
    left, right = frames
    right = right.select(["k"])
    for join in ("outer", "inner"):
        same(cn.concat([left, right], axis=1, join=join), pd.concat([LEFT, RIGHT[["k"]]], axis=1, join=join))
    same(cn.concat([left["n"], right["k"]], axis=1), pd.concat([LEFT["n"], RIGHT["k"]], axis=1))


@pytest.mark.parametrize("join", ["outer", "inner"])
@pytest.mark.parametrize("sort", [False, True])
def test_concat_of_rows_with_other_columns(frames, join, sort):
    left, right = frames
    turned, theirs = right[["k", "m"]], RIGHT[["k", "m"]]
    same(cn.concat([left, turned], join=join, sort=sort), pd.concat([LEFT, theirs], join=join, sort=sort))


def test_concat_under_keys(frames):
    left, right = frames
    made = cn.concat([left, right], keys=["x", "y"], names=["key"])
    expected = pd.concat([LEFT, RIGHT], keys=["x", "y"], names=["key"])
    same(made, expected)
    assert made.index.names == list(expected.index.names)
    same(cn.concat({"x": left, "y": right}), pd.concat({"x": LEFT, "y": RIGHT}))
    made = cn.concat({"x": left, "y": right}, axis=1)
    same(made, pd.concat({"x": LEFT, "y": RIGHT}, axis=1))
    series, expected = [left["n"], right["m"]], [LEFT["n"], RIGHT["m"]]
    same(cn.concat(series, keys=[1, 2]), pd.concat(expected, keys=[1, 2]))
    assert cn.concat(series).name is None and cn.concat([left["n"], left["n"]]).name == "n"
    same(cn.concat([left, right], axis=1, ignore_index=True), pd.concat([LEFT, RIGHT], axis=1, ignore_index=True))
    cn.concat([left, right.rename({"m": "o"})], axis=1, verify_integrity=True)


def test_combine_first_where_and_mask(frames):
    left, right = frames
    same(left["m"].combine_first(right["m"]), LEFT["m"].combine_first(RIGHT["m"]))
    made, expected = left.combine_first(right), LEFT.combine_first(RIGHT)
    same(made[list(expected.columns)], expected)
    same(left["n"].where(left["n"] > 1, 0), LEFT["n"].where(LEFT["n"] > 1, 0))
    same(left["n"].mask(left["n"] > 1), LEFT["n"].mask(LEFT["n"] > 1))
    same(left["n"].where(left["n"] > 1, left["m"]), LEFT["n"].where(LEFT["n"] > 1, LEFT["m"]))
    same(left.where(left["n"] > 1, -1), LEFT.where(LEFT["n"] > 1, -1))
    same(left.mask(left["n"] > 1), LEFT.mask(LEFT["n"] > 1))


def test_stack_and_unstack(frames):
    left, _ = frames
    made, expected = left.stack(), LEFT.stack()
    same(made, expected)
    back = made.unstack()
    assert sorted(back.columns) == ["m", "n"]
    same(back.reindex(list(LEFT.index))[["n", "m"]], LEFT)


def test_levels_are_stacked_and_unstacked(device):
    index = pd.MultiIndex.from_product([["Oslo", "Rome"], [5, 6]], names=["city", "month"])
    theirs = pd.DataFrame({"low": [1.0, 2.0, 3.0, 4.0], "high": [5.0, 6.0, 7.0, 8.0]}, index=index)[:3]
    ours = cn.from_pandas(theirs)
    for level in ["city", "month", 0, -1]:
        same(ours.unstack(level), theirs.unstack(level))
        same(ours["low"].unstack(level), theirs["low"].unstack(level))
        same(ours.unstack(level, fill_value=-1.0), theirs.unstack(level, fill_value=-1.0))
    wide = ours.unstack("month", fill_value=0.0)
    expected = theirs.unstack("month", fill_value=0.0).stack("month")
    same(wide.stack("month")[["low", "high"]], expected[["low", "high"]])
    same(wide.stack(-1)[["low", "high"]], expected[["low", "high"]])
    same(wide.stack()[["low", "high"]], expected[["low", "high"]])
    assert isinstance(wide.stack([0, 1]), cn.Series) and len(wide.stack([0, 1])) == 8
