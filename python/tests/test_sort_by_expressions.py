"""Rows in the order of expressions: `sort_values`, beside Polars and pandas."""

import columnade as cn
import pandas as pd
import polars as pl
import pytest
from columnade import col

DATA = {"g": ["b", "a", "b", "a", "c"], "v": [3, None, 1, 3, 2], "w": [1, 2, 3, 4, 5]}


@pytest.mark.parametrize("ascending", [True, False])
def test_one_expression(device, ascending):
    frame, expected = cn.DataFrame(DATA), pl.DataFrame(DATA)
    for by, others in ((col("v") * -1, pl.col("v") * -1), (col("v"), pl.col("v")), (col("w") % 3, pl.col("w") % 3)):
        made = frame.sort_values(by, ascending=ascending)
        sorted_by = expected.sort(others, descending=not ascending, nulls_last=True, maintain_order=True)
        assert made.columns == frame.columns and made.device == device
        assert made.to_dict("list") == sorted_by.to_dict(as_series=False)
        first = frame.sort_values([by], ascending=ascending, na_position="first", ignore_index=True)
        assert first.to_dict("list") == expected.sort(others, descending=not ascending, maintain_order=True).to_dict(as_series=False)
        assert first.index.to_list() == [0, 1, 2, 3, 4]
    assert made.index.to_list() == [row - 1 for row in made["w"].to_list()]


def test_expressions_beside_columns():
    made = cn.DataFrame(DATA).sort_values(["g", col("w") * -1], ascending=[False, True])
    assert made["w"].to_list() == pl.DataFrame(DATA).sort("g", pl.col("w") * -1, descending=[True, False])["w"].to_list()


def test_expressions_beside_levels_and_functions():
    frame = cn.DataFrame(DATA).set_index("g")
    expected = pd.DataFrame(DATA).assign(by=lambda data: data["w"] % 2).set_index("g")
    assert frame.sort_values(["g", col("w") % 2])["w"].to_list() == expected.sort_values(["g", "by"], kind="stable")["w"].to_list()
    keyed = expected.sort_values(["by", "w"], key=lambda values: -values)
    assert frame.sort_values([col("w") % 2, "w"], key=lambda values: -values)["w"].to_list() == keyed["w"].to_list()


def test_errors_name_the_sort():
    with pytest.raises(cn.ColumnKeyError, match='^sort_values: there is no column "z"') as error:
        cn.DataFrame(DATA).sort_values(col("z") + 1)
    assert (error.value.operation, error.value.column) == ("sort_values", "z")


def test_nulls_of_each_column_stand_first_or_last():
    rows = [(a, b) for a in (None, 2, 1) for b in ("y", None, "x")]
    frame = cn.DataFrame({"a": [a for a, _ in rows], "b": [b for _, b in rows]})
    for first in ([True, False], [False, True], [True, True]):
        for ascending in ([True, False], [False, False]):
            # Rows in the order of the last key, then stably of the one before it.
            expected = rows
            for place in (1, 0):
                nulls = [row for row in expected if row[place] is None]
                values = sorted([row for row in expected if row[place] is not None], key=lambda row: row[place], reverse=not ascending[place])
                expected = nulls + values if first[place] else values + nulls
            made = frame.sort_values(["a", "b"], ascending, first)
            assert list(zip(made["a"].to_list(), made["b"].to_list())) == expected
    for wrong, kind in (([True], ValueError), ([True, 1], TypeError), ([True, None], TypeError)):
        with pytest.raises(kind, match="^sort_values: nulls_first has "):
            frame.sort_values(["a", "b"], nulls_first=wrong)


@pytest.mark.parametrize("first", [[True, False], [False, True], [True, True], [False, False]])
def test_nulls_within_lists_and_structs_stand_as_those_of_their_column(device, first):
    lists, structs = [[1], [None], [2], None], [{"x": 1}, {"x": None}, {"x": 2}, None]
    for values in (lists, structs):
        frame = cn.DataFrame({"k": values, "j": [1, 1, 1, 1]})
        expected = [values[3], values[1], values[0], values[2]] if first[0] else [values[0], values[2], values[1], values[3]]
        assert frame.sort_values(["k", "j"], nulls_first=first)["k"].to_list() == expected
        assert frame.sort_values(["j", "k"], nulls_first=first[::-1])["k"].to_list() == expected
        assert frame.sort_values("k", nulls_first=first[0])["k"].to_list() == expected


def test_nulls_of_each_key_in_all_sorts_beside_polars(device):
    data = {"a": [None, 2, 1, None, 2, 1], "b": ["y", None, "x", None, "x", "y"], "row": list(range(6))}
    frame, theirs = cn.DataFrame(data), pl.DataFrame(data)
    for first in ([True, False], [False, True]):
        for ascending in ([True, False], [False, True]):
            options = {"descending": [not up for up in ascending], "nulls_last": [not flag for flag in first], "maintain_order": True}
            expected = theirs.sort("a", "b", **options)["row"].to_list()
            assert frame.argsort(["a", "b"], ascending, first).to_list() == expected
            assert frame.sort_head(4, ["a", "b"], ascending, first)["row"].to_list() == expected[:4]
            assert frame.sort_values([col("a"), "b"], ascending, first)["row"].to_list() == expected
            assert frame.set_index("b").sort_values(["a", "b"], ascending, first)["row"].to_list() == expected
            rows = frame.take(expected)
            assert rows.is_sorted(["a", "b"], ascending, first) and not rows.is_sorted(["a", "b"], ascending, first[::-1])
            assert rows.search_sorted(["a", "b"], rows, "left", ascending, first).to_list() == list(range(6))
            made = cn.merge_sorted([rows.take([0, 2, 4]), rows.take([1, 3, 5])], ["a", "b"], ascending, first)
            assert made["row"].to_list() == expected
            keyed = frame.sort_values(["a", "b"], ascending, first, key=lambda values: values if values.name == "b" else values * -1)
            own = theirs.sort(pl.col("a") * -1, "b", **options)
            assert keyed["row"].to_list() == own["row"].to_list()
