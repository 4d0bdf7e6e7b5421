"""Joins with the arguments of Polars: the same calls on both, with rows in their order where it says one."""

import itertools

import columnade as cn
import polars as pl
import pytest

LEFT = {"k": [2, 1, 2, 5, 3], "x": [1, 2, 3, 4, 5]}
RIGHT = {"k": [1, 2, 4, 2, 1], "y": [6, 7, 8, 9, 10]}
ORDERS = ["left", "right", "left_right", "right_left", "none"]


def frames():
    return [(m.DataFrame(LEFT), m.DataFrame(RIGHT)) for m in (cn, pl)]


@pytest.mark.parametrize("options", [{}, {"suffix": "_r"}, {"suffix": "_r", "maintain_order": "left"}])
def test_cross(device, options):
    (ours, others), (theirs, them) = frames()
    assert ours.join(others, how="cross", **options).to_dict() == theirs.join(them, how="cross", **options).to_dict(as_series=False)
    assert ours.join(others[["y"]], how="cross").columns == ["k", "x", "y"]
    assert ours.join(others["k"], how="cross").columns == ["k", "x", "k_right"]


@pytest.mark.parametrize("how", ["inner", "left", "right", "full"])
@pytest.mark.parametrize("order", ORDERS)
def test_orders(device, how, order):
    (ours, others), (theirs, them) = frames()
    mine = ours.join(others, on="k", how=how, maintain_order=order, coalesce=True)
    wanted = theirs.join(them, on="k", how=how, maintain_order={"left": "left_right", "right": "right_left"}.get(order, order), coalesce=True)
    rows, others_rows = mine.to_dict("tight")["data"], [list(row) for row in wanted.select(mine.columns).rows()]
    assert rows == others_rows if order != "none" else sorted(map(str, rows)) == sorted(map(str, others_rows))
    if how != "full":
        assert ours.merge(others, on="k", how=how, maintain_order=order).to_dict() == mine.to_dict()


def test_orders_of_semi_and_anti_joins(device):
    (ours, others), (theirs, them) = frames()
    for how, order in itertools.product(("semi", "anti"), ("left", "left_right", "none")):
        mine = ours.join(others, on="k", how=how, maintain_order=order)
        assert mine.to_dict() == theirs.join(them, on="k", how=how, maintain_order=order).to_dict(as_series=False)


ERRORS = {
    "keys of all rows": (ValueError, lambda f, g: f.join(g, on="k", how="cross"), 'join: on does not go with how="cross"'),
    "keys of both sides of all rows": (ValueError, lambda f, g: f.join(g, left_on="k", how="cross"), 'join: left_on does not go with how="cross"'),
    "nulls of all rows": (ValueError, lambda f, g: f.join(g, how="cross", nulls_equal=True), "join: nulls_equal does not go"),
    "suffixes of all rows": (TypeError, lambda f, g: f.join(g, how="cross", suffix="_r", lsuffix="_l"), "join: give suffix, or"),
    "same labels": (ValueError, lambda f, g: f.join(g, how="cross", suffix=""), 'join: duplicate column label "k"'),
    "suffix without keys": (ValueError, lambda f, g: f.join(g, suffix="_r"), "join: suffix is of columns: give on"),
    "order": (ValueError, lambda f, g: f.join(g, on="k", maintain_order="up"), "join: maintain_order is one of"),
    "order of merge": (ValueError, lambda f, g: f.merge(g, on="k", maintain_order="up"), "merge: maintain_order is one of"),
    "no order": (TypeError, lambda f, g: f.merge(g, on="k", maintain_order=True), "merge: maintain_order is a text, not bool"),
    "series as a condition": (TypeError, lambda f, g: f.merge(g, on="k", condition=cn.Series([True])), "merge: condition is an expression, not a series"),
    "series as a predicate": (TypeError, lambda f, g: f.join_where(g, cn.Series([True])), "join_where: predicates are expressions, not a series"),
    "numbers as a predicate": (TypeError, lambda f, g: f.join_where(g, cn.col("x")), "join_where: expression x: a boolean is expected"),
    "missing column": (KeyError, lambda f, g: f.join_where(g, cn.col("z") > 1), 'join_where: there is no column "z"'),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(device, name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call(*frames()[0])
    assert isinstance(error.value, cn.ColumnadeError) and str(error.value).startswith(text), error.value
    assert error.value.operation == text.partition(":")[0]
