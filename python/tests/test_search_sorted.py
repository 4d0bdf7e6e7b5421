"""`search_sorted` of series and expressions: what it takes as several values, and nulls within lists and structs."""

import functools
import itertools
import random

import columnade as cn
import numpy as np
import polars as pl
import pytest


@pytest.mark.parametrize("side", ["any", "left", "right"])
def test_arrays_and_lists_are_several_values(device, side):
    ours, theirs = cn.Series([1, 2, 2, 3], name="v"), pl.Series("v", [1, 2, 2, 3])
    for given in ([2, 3], [2.5, 0.0], [3], [], [None, 2]):
        wanted = theirs.search_sorted(pl.Series(given, dtype=None if given else pl.Int64), "left" if side == "any" else side).to_list()
        arrays = [] if None in given else [np.array(given), cn.Index(given), pl.Series(given), np.array(given, dtype="float32")]
        for several in (given, tuple(given), *arrays):
            made = ours.search_sorted(several, side)
            assert isinstance(made, cn.Series) and (made.name, made.to_list()) == ("v", wanted), several
            made = ours.to_frame().select(cn.col("v").search_sorted(several, side))
            assert made.to_dict() == {"v": wanted}, several
    assert ours.search_sorted(range(1, 4), side).to_list() == ours.search_sorted([1, 2, 3], side).to_list()
    for one in (np.int64(2), np.array(2), 2, 2.0):
        assert ours.search_sorted(one, side) == (3 if side == "right" else 1)


def test_texts_and_categories_in_lists(device):
    assert cn.Series(["a", "c"]).search_sorted(["b", "c", "z"]).to_list() == [1, 1, 2]
    sizes = cn.Series(["S", "L"]).astype("category").cat.set_categories(["S", "M", "L"]).cat.as_ordered()
    assert sizes.search_sorted(["M", "S", "L"], "right").to_list() == [1, 1, 2]


def test_a_list_is_one_value_among_lists(device):
    lists = cn.Series([[1], [2], [3]])
    assert lists.search_sorted([2]) == 1 and lists.search_sorted([]) == 0 and lists.search_sorted([2, 0], "right") == 2
    assert lists.search_sorted(cn.Series([[2], [3]])).to_list() == [1, 2]
    assert lists.search_sorted(np.array([[2], [3]])).to_list() == pl.Series([[1], [2], [3]]).search_sorted(np.array([[2], [3]])).to_list()
    # Nulls and empty lists take the dtype of the others.
    assert lists.search_sorted(cn.Series([[], None])).to_list() == [0, 0]
    assert lists.search_sorted(cn.Series([[None]])).to_list() == [3]
    structs = cn.Series([{"a": 1, "b": [1]}, {"a": 2, "b": [1]}])
    assert structs.search_sorted({"a": 2, "b": []}) == 1


ERRORS = {
    "list among numbers": ([1, 2], [["a"]], "int64", "list<utf8>"),
    "texts among numbers": ([1, 2], ["a"], "int64", "utf8"),
    "lists of lists among lists": ([[1]], cn.Series([[[]]]), "list<int64>", "list<list<null>>"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_operation_and_the_column(device, name):
    values, given, own, other = ERRORS[name]
    values = cn.Series(values, name="v")
    for call in (lambda: values.search_sorted(given), lambda: values.to_frame().select(cn.col("v").search_sorted(given))):
        with pytest.raises(cn.ColumnTypeError) as caught:
            call()
        assert str(caught.value) == f'search_sorted: column "v": {own} and {other} do not go together; cast one of them'
        assert (caught.value.operation, caught.value.column, caught.value.dtype) == ("search_sorted", "v", own)
    with pytest.raises(cn.ColumnTypeError) as caught:
        values.rename(None).search_sorted(given)
    assert caught.value.operation == "search_sorted" and "\0" not in str(caught.value)


def compared(left, right, descending, nulls_first):
    """The order of two values: lists and structs by their items."""
    if left is None or right is None:
        return ((left is not None) - (right is not None)) * (1 if nulls_first else -1)
    if isinstance(left, dict):
        left, right = list(left.values()), list(right.values())
    if isinstance(left, list):
        found = next((found for pair in zip(left, right) if (found := compared(*pair, descending, nulls_first))), 0)
        return found or (len(left) - len(right)) * (-1 if descending else 1)
    return ((left > right) - (left < right)) * (-1 if descending else 1)


LISTS = [list(items) for count in range(3) for items in itertools.product([None, 0, 1], repeat=count)]
VALUES = {"lists": LISTS, "structs": [{"a": a, "b": b} for a in (None, 0, 1) for b in (None, "x", "y")], "nested": [[None], *([one] for one in LISTS), []]}


@pytest.mark.parametrize("kind", VALUES)
@pytest.mark.parametrize("descending", [False, True])
def test_nulls_within_values(device, kind, descending):
    randoms = random.Random(f"{kind} {descending}")
    for nulls_first, with_nulls, _ in itertools.product([False, True], [False, True], range(12)):
        key = functools.cmp_to_key(functools.partial(compared, descending=descending, nulls_first=nulls_first))
        rows = sorted(randoms.choices(VALUES[kind], k=randoms.randrange(2, 12)), key=key)
        rows = ([None, None, *rows] if nulls_first else [*rows, None]) if with_nulls else rows
        own = cn.Series(rows, dtype=cn.Series(VALUES[kind]).dtype)
        assert own.is_sorted(not descending, nulls_first), rows
        other = sorted(rows, key=functools.cmp_to_key(functools.partial(compared, descending=descending, nulls_first=False)))
        if nulls_first and not with_nulls and rows == other:
            # Either position of nulls has these values in order, and that of `sort_values` counts.
            continue
        wanted = [None, *VALUES[kind]] if with_nulls else VALUES[kind]
        wanted = cn.Series(wanted, dtype=own.dtype)
        for side in ("left", "right"):
            before = (lambda order: order < 0) if side == "left" else (lambda order: order <= 0)
            expected = [sum(before(compared(row, one, descending, nulls_first)) for row in rows) for one in wanted.to_list()]
            assert own.search_sorted(wanted, side, descending=descending).to_list() == expected, (rows, nulls_first)
            found = own.to_frame("v").with_columns(w=own).select(cn.col("v").search_sorted("w", side, descending=descending))
            assert found["v"].to_list() == own.search_sorted(own, side, descending=descending).to_list()


@pytest.mark.parametrize("ascending", [True, False])
def test_positions_in_the_default_order_of_sort_values(device, ascending):
    for values in VALUES.values():
        own = cn.Series(values).sort_values(ascending=ascending, ignore_index=True)
        assert own.search_sorted(own, descending=not ascending).to_list() == list(range(len(own)))
        # With the values of one half only, too.
        half = own.iloc[::2].reset_index(drop=True)
        assert half.search_sorted(half, "right", descending=not ascending).to_list() == list(range(1, len(half) + 1))
