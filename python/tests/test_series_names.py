"""Names of expressions for series and frames, beside pandas and Polars."""

import columnade as cn
import pandas as pd
import polars as pl
import pytest
from columnade import col

VALUES = [5, -7, None, 3, 40, 3]


def values():
    return cn.Series(VALUES, name="v", index=list("abcdef"))


@pytest.mark.parametrize("k", [0, 1, 3, 5])
def test_largest_and_smallest_values_are_those_of_polars(device, k):
    made, expected = values(), pl.Series(VALUES)
    assert made.top_k(k).to_list() == expected.top_k(k).sort(descending=True, nulls_last=True).to_list()
    assert made.bottom_k(k).to_list() == expected.bottom_k(k).sort(nulls_last=True).to_list()
    assert made.top_k(2).index.to_list() == ["e", "a"] and made.top_k(2).name == "v" and made.top_k(2).device == device
    assert values().top_k(9).to_list() == [40, 5, 3, 3, -7, None]


def test_values_as_lists_and_rows(device):
    made = values()
    assert made.collect().to_list() == [VALUES] == pl.Series(VALUES).implode().to_list()
    assert sorted(made.collect_unique().to_list()[0], key=str) == sorted(made.to_frame().agg(col("v").collect_unique())["v"].to_list()[0], key=str)
    assert [made.nth(n) for n in (0, 1, 2, -1, -6, 6, -7)] == [5, -7, None, 3, 5, None, None]
    assert made.row_number().to_list() == [1, 2, 3, 4, 5, 6] and made.row_number().index.to_list() == list("abcdef")
    assert made.collect().device == device and made.row_number().device == device
    for call in (lambda: made.top_k(-1), lambda: made.bottom_k("2"), lambda: made.top_k(True)):
        with pytest.raises(cn.ColumnValueError, match="^(top|bottom)_k: k is a number of values"):
            call()
    with pytest.raises(cn.ColumnTypeError, match="^nth: n is a whole number"):
        made.nth(1.5)


def test_frames_count_and_order_their_rows(device):
    data = {"a": [2, 1, None, 1], "b": ["x", None, "y", "w"]}
    frame = cn.DataFrame(data, index=list("pqrs"))
    assert frame.cum_count().to_dict() == pl.DataFrame(data).select(pl.all().cum_count()).to_dict(as_series=False)
    assert frame.cum_count().index.to_list() == list("pqrs")
    for by, ascending in (("a", True), ("a", False), (["a", "b"], [True, False])):
        order = frame.argsort(by, ascending)
        assert order.to_list() == frame.reset_index(drop=True).sort_values(by, ascending).index.to_list()
        assert frame.take(order.to_list()).to_dict() == frame.sort_values(by, ascending).to_dict() and order.device == device
    assert frame.argsort().to_list() == frame.argsort(["a", "b"]).to_list()
    assert frame.argsort("a", nulls_first=True).to_list()[0] == 2


def test_groups_are_in_the_order_of_their_rows():
    data = {"k": ["b", "a", "b", "c"], "n": [1, 2, 3, 4]}
    expected = pl.DataFrame(data).group_by("k", maintain_order=True).agg(pl.col("n").sum()).to_dict(as_series=False)
    for options in ({"maintain_order": True}, {"maintain_order": False}, {}):
        assert cn.DataFrame(data).group_by("k", **options).agg(col("n").sum()).to_dict() == expected
    with pytest.raises(cn.ColumnTypeError, match="^group_by: maintain_order is a boolean"):
        cn.DataFrame(data).group_by("k", maintain_order=1)


EDGES = {"four": [-10, 0, 4, 10, 50], "some values outside": [0, 4, 10], "an empty bin": [-10, 0, 1, 2, 100], "none": [100, 200]}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("options", [{}, {"sort": False}, {"normalize": True}, {"ascending": True}, {"dropna": False}], ids=str)
def test_bins_between_edges_are_counted_as_in_pandas(device, name, options):
    expected = pd.Series(VALUES, name="v").value_counts(bins=EDGES[name], **options)
    made = values().value_counts(bins=EDGES[name], **options)
    label = "proportion" if options.get("normalize") else "count"
    assert made.name == expected.name == label and made.index.name is expected.index.name is None
    pairs = list(zip(made.index.to_list(), made.to_list()))
    wanted = [(str(interval), value) for interval, value in expected.items()]
    assert sorted(pairs) == sorted(wanted)
    if options.get("sort") is False:
        assert pairs == wanted
    assert made.to_list() == expected.tolist() and made.device == device


def test_edges_are_checked():
    for bins in ("x", 1.5, {1, 2}):
        with pytest.raises((cn.ColumnTypeError, TypeError)):
            values().value_counts(bins=bins)
    assert len(values().value_counts(bins=2)) == 2
    assert values().value_counts(bins=cn.Series([0, 50])).to_list() == [4]
