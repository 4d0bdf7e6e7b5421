"""Keys of joins that are expressions, beside Polars, and beside pandas with the keys as columns."""

import columnade as cn
import pandas as pd
import polars as pl
import pytest
from columnade import col

LEFT = {"k": [3, 1, 2, None, 3], "x": [30, 10, 20, 40, 31]}
RIGHT = {"q": [4, 2, 1, 6, 4], "y": [0.1, 0.2, 0.3, 0.4, 0.5]}
HOWS = {"inner": "inner", "left": "left", "right": "right", "outer": "full", "semi": "semi", "anti": "anti"}


def rows(frame):
    made = frame.rows() if isinstance(frame, pl.DataFrame) else [tuple(row.values()) for row in frame.to_dicts()]
    return sorted(made, key=repr)


def polars(frame, other, how, **keys):
    coalesce = None if how in ("semi", "anti") else False
    return frame.join(other, how=HOWS[how], coalesce=coalesce, **keys)


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("how", HOWS)
def test_key_of_one_side_is_an_expression(device, how, sort):
    frame, other = cn.DataFrame(LEFT), cn.DataFrame(RIGHT)
    expected = polars(pl.DataFrame(LEFT), pl.DataFrame(RIGHT), how, left_on=pl.col("k") * 2, right_on="q")
    for left_on, right_on in ((col("k") * 2, "q"), ([col("k") * 2], ["q"]), (col("k") * 2, col("q")), (col("k") + col("k"), col("q") * 1)):
        made = frame.merge(other, how, left_on=left_on, right_on=right_on, sort=sort)
        assert made.columns == expected.columns
        assert rows(made) == rows(expected)
        assert made.device == device
    swapped = other.merge(frame, how, left_on="q", right_on=col("k") * 2, sort=sort)
    assert rows(swapped) == rows(polars(pl.DataFrame(RIGHT), pl.DataFrame(LEFT), how, left_on="q", right_on=pl.col("k") * 2))


@pytest.mark.parametrize("how", HOWS)
def test_one_expression_for_both_sides(how):
    other = {"k": [4, 2, 7, 3], "y": [1, 2, 3, 4]}
    expected = polars(pl.DataFrame(LEFT), pl.DataFrame(other), how, on=pl.col("k") % 3)
    for on in (col("k") % 3, [col("k") % 3]):
        made = cn.DataFrame(LEFT).merge(cn.DataFrame(other), how, on=on)
        assert made.columns == [label if label != "k" or how in ("semi", "anti") else "k_x" for label in expected.columns[:2]] + [
            {"k_right": "k_y"}.get(label, label) for label in expected.columns[2:]
        ]
        assert rows(made) == rows(expected)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_rows_in_the_order_of_keys_are_those_of_pandas(how):
    left = pd.DataFrame(LEFT).dropna().assign(key=lambda frame: frame["k"] * 2)
    expected = left.merge(pd.DataFrame(RIGHT).assign(key=lambda frame: frame["q"]), how, on="key", sort=True).drop(columns="key")
    frame = cn.DataFrame(LEFT).dropna(ignore_index=True)
    made = frame.merge(cn.DataFrame(RIGHT), how, left_on=col("k") * 2, right_on="q", sort=True)
    assert made.columns == list(expected.columns)
    assert made.index.to_list() == list(expected.index)
    for label in made.columns:
        assert made[label].to_list() == [None if value != value else value for value in expected[label].tolist()], label


def test_labels_and_expressions_together():
    left = {"g": ["a", "a", "b"], "k": [1, 2, 1], "x": [1, 2, 3]}
    right = {"g": ["b", "a", "a"], "k": [2, 4, 9], "y": [1, 2, 3]}
    expected = pl.DataFrame(left).join(pl.DataFrame(right), how="inner", left_on=["g", pl.col("k") * 2], right_on=["g", "k"]).drop("g_right")
    for sort in (False, True):
        made = cn.DataFrame(left).merge(cn.DataFrame(right), left_on=["g", col("k") * 2], right_on=["g", "k"], sort=sort)
        assert made.columns == ["g", "k_x", "x", "k_y", "y"]
        assert rows(made) == rows(expected)


def test_levels_of_row_labels_go_with_expressions():
    left, right = cn.DataFrame(LEFT).set_index("k"), cn.DataFrame(RIGHT)
    made = left.merge(right, left_on=["k"], right_on=[col("q") // 2])
    assert sorted(made["x"].to_list()) == [10, 20, 20, 30, 31]
    shared = left.merge(right.rename(columns={"q": "k"}).set_index("k"), on="k")
    assert shared.index.names == ["k"] and shared.columns == ["x", "y"]


@pytest.mark.parametrize("how", ["inner", "right"])
def test_row_labels_of_the_left_frame_with_an_expression(how):
    left, right = {"x": [1, 2, 3]}, {"q": [1, 3, 9], "y": [4, 5, 6]}
    expected = pd.DataFrame(left, index=[2, 6, 8]).merge(
        pd.DataFrame(right).assign(key=lambda frame: frame["q"] * 2), how, left_index=True, right_on="key",
    ).drop(columns="key")
    made = cn.DataFrame(left, index=[2, 6, 8]).merge(cn.DataFrame(right), how, left_index=True, right_on=col("q") * 2)
    assert made.columns == list(expected.columns)
    assert made.index.to_list() == list(expected.index)
    assert made["x"].to_list() == [None if value != value else value for value in expected["x"].tolist()]


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_row_labels_of_the_right_frame_with_an_expression(how):
    left, right = {"q": [1, 3, 9], "y": [4, 5, 6]}, {"x": [1, 2, 3]}
    expected = pd.DataFrame(left).assign(key=lambda frame: frame["q"] * 2).merge(
        pd.DataFrame(right, index=[2, 6, 8]), how, left_on="key", right_index=True,
    ).drop(columns="key")
    for sort in (False, True):
        made = cn.DataFrame(left).merge(cn.DataFrame(right, index=[2, 6, 8]), how, left_on=col("q") * 2, right_index=True, sort=sort)
        assert made.columns == list(expected.columns)
        assert sorted(map(repr, made["x"].to_list())) == sorted(repr(None if v != v else int(v)) for v in expected["x"].tolist())


@pytest.mark.parametrize("how", ["left", "outer"])
def test_labels_that_would_be_lost_are_refused(how):
    left, right = cn.DataFrame({"x": [1]}), cn.DataFrame({"q": [1]})
    with pytest.raises(cn.ColumnNotImplementedError, match="^merge: right_on is a column") as error:
        left.merge(right, how, left_index=True, right_on=col("q") * 2)
    assert error.value.operation == "merge"


JOIN = cn.DataFrame.join
REFUSED = {
    "a key": (lambda: JOIN(cn.DataFrame({"k": ["a", "a"]}), cn.DataFrame({"w": [1]}, index=["a"]), on="k", validate="1:1"),
              'the key "k" of the left frame is not unique: a occurs more than once', "k"),
    "keys": (lambda: JOIN(cn.DataFrame({"k": ["b", "a", "a"], "j": [1, 1, 1]}), cn.DataFrame({"w": [1]}, index=cn.Index.from_arrays([["a"], [1]])), on=["k", "j"], validate="1:m"),
             'the key "k", "j" of the left frame is not unique: (a, 1) occurs more than once', "k"),
    "a level": (lambda: JOIN(cn.DataFrame({"v": [1, 2]}, index=cn.Index([7, 7], name="g")), cn.DataFrame({"w": [1]}), on="g", validate="1:1"),
                'the key "g" of the left frame is not unique: 7 occurs more than once', "g"),
    "labels of the right": (lambda: JOIN(cn.DataFrame({"k": ["a"]}), cn.DataFrame({"w": [1, 2]}, index=["a", "a"]), on="k", validate="m:1"),
                            "the row labels of the right frame are not unique: a occurs more than once", None),
}


@pytest.mark.parametrize("name", REFUSED)
def test_joins_name_what_is_not_unique_as_merge_does(device, name):
    call, words, column = REFUSED[name]
    with pytest.raises(ValueError) as error:
        call()
    assert (str(error.value), error.value.column, error.value.operation) == (f"join: {words}", column, "join")


def test_joins_name_the_key_that_does_not_go_with_the_labels(device):
    other = cn.DataFrame({"w": [1]})
    frame = cn.DataFrame({"k": ["a"]}, index=cn.Index(["b"], name="g"))
    for key in ("k", "g"):
        with pytest.raises(TypeError, match=f'^join: column "{key}": utf8 and int64') as error:
            frame.join(other, on=key)
        assert (error.value.column, error.value.dtype) == (key, "utf8")
