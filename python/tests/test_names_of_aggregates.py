"""Aggregates by the names that expressions have, of groups, frames and series."""

import columnade as cn
from columnade import col
import pandas as pd
import pytest

DATA = {"k": [1, 1, 2, 1], "a": [3, 3, None, 1], "b": [1.5, 2.0, 3.0, None]}
NAMES = {
    "arg_min": "arg_min", "arg_max": "arg_max", "argmin": "arg_min", "argmax": "arg_max", "len": "len", "n_unique": "n_unique",
    "null_count": "null_count", "has_nulls": "has_nulls", "collect_unique": "collect_unique",
}


@pytest.mark.parametrize("name", NAMES)
def test_names_of_groups_are_those_of_expressions(device, name):
    frame = cn.DataFrame(DATA)
    by_label = {label: getattr(col(label), NAMES[name])().alias(label) for label in "ab"}
    for groups in (frame.group_by("k"), frame.groupby("k")):
        wanted = groups.agg(*by_label.values())
        values = wanted["a"].to_list()
        assert groups.agg(r=("a", name))["r"].to_list() == values
        assert groups.agg(r=cn.NamedAgg("a", name))["r"].to_list() == values
        assert groups.agg({"a": name})["a"].to_list() == values
        assert groups.agg(r=("a", name), s=("b", "sum"), t=("b", max))["r"].to_list() == values
        made = groups["a"].agg(name)
        assert (made["a"] if isinstance(made, cn.DataFrame) else made).to_list() == values
        assert groups.agg([name])[("a", name) if wanted.columns == ["a", "b"] else f"a_{name}"].to_list() == values
        if name != "len" or "k" in wanted.columns:
            # The length of groups of pandas is one column.
            assert groups.agg(name).to_dict() == wanted.to_dict()
    made = frame.group_by("k").agg(col("b").sum().alias("s"), r=("a", name), t=("a", "max"))
    assert made["r"].to_list() == wanted["a"].to_list() and made.columns == ["k", "s", "r", "t"]
    assert made["t"].to_list() == [3, None]


@pytest.mark.parametrize("name", ["unique", "idxmin", "idxmax", "quantile"])
def test_aggregates_of_one_column_are_those_of_all(name):
    frame = cn.DataFrame(DATA)
    for groups in (frame.group_by("k"), frame.groupby("k")):
        assert groups.agg(name).to_dict() == groups.agg({"a": name, "b": name}).to_dict()


def test_unique_values_of_all_columns_are_those_of_pandas():
    # pandas has them of each column, but has no name for all.
    made = cn.DataFrame(DATA).drop_nulls().groupby("k").agg("unique")
    wanted = pd.DataFrame(DATA).dropna().groupby("k").agg({"a": "unique", "b": "unique"})
    assert made.to_dict("list") == {label: [list(values) for values in wanted[label]] for label in wanted}


def test_facts_are_aggregates_of_series():
    series, theirs = cn.Series([1, None, 1]), pd.Series([1, None, 1])
    assert series.agg("size") == theirs.agg("size") == 3
    assert series.agg("null_count") == 1 and series.to_frame("a").agg({"a": "null_count"}).to_list() == [1]
    assert series.agg(["size", "null_count"]).to_list() == [3, 1]
    assert series.agg("quantile", q=1.0) == 1 and series.agg("sum") == 2


@pytest.mark.parametrize("name", ["histogram", "list", "str", "index", "values", "dtype", "__len__", "nothing"])
def test_others_are_refused(name):
    series = cn.Series([1, 2], name="a")
    for call in (series.agg, series.to_frame().agg, lambda name: series.agg([name]), lambda name: series.to_frame().agg({"a": name})):
        with pytest.raises(cn.ColumnValueError, match=f"^agg: there is no aggregate '{name}'$") as error:
            call(name)
        assert error.value.operation == "agg"
