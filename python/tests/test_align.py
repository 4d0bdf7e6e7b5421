"""Frames and series by their labels, against pandas."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest

LEFT = pd.DataFrame({"n": [1.0, 2.0, 3.0], "m": [4.0, 5.0, 6.0]}, index=["b", "a", "ü"])
RIGHT = pd.DataFrame({"m": [10.0, np.nan, 30.0], "k": [7.0, 8.0, 9.0]}, index=["a", "c", "b"])


def same(made, expected):
    """The labels of rows and columns, and values, of which those that are missing are NaN."""
    assert made.index.to_list() == list(expected.index)
    if isinstance(expected, pd.Series):
        assert np.array_equal(made.to_pandas().to_numpy(float), expected.to_numpy(float), equal_nan=True)
        return
    assert made.columns == list(expected.columns)
    for label in expected.columns:
        made_values = made[label].to_pandas().to_numpy(dtype=float, na_value=np.nan)
        assert np.array_equal(made_values, expected[label].to_numpy(float), equal_nan=True), label


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
    with pytest.raises(ValueError, match="align: axis is None"):
        left.align(right, axis=1)
    with pytest.raises(ValueError, match="concat: join is outer or inner"):
        cn.concat([left, right], axis=1, join="left")
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
