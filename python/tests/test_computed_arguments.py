"""Arguments that are expressions of several columns, or of rows that are sorted or picked, and frames and expressions in place of others."""

import columnade as cn
from columnade import col
import polars as pl
import pytest

DATA = {"k": ["x", "y", "x", "y"], "a": [3, 2, 1, 5], "b": [1, None, 0, 9]}
CALLS = {
    "fill_null": lambda c: c("b").fill_null(c("a").sort().first()),
    "clip": lambda c: c("b").clip(c("a").sort().first(), 8),
    "filter": lambda c: c("b").filter(c("b") < c("a").sort().last()).sum(),
    "eq_missing": lambda c: c("b").eq_missing(c("b").drop_nulls().first()),
    "of several": lambda c: c("a").pow(c("a").sort().first()).alias("z"),
}


@pytest.mark.parametrize("name", CALLS)
def test_methods_of_expressions_take_them(device, name):
    ours, theirs = cn.DataFrame(DATA), pl.DataFrame(DATA)
    mine, wanted = ours.with_columns(CALLS[name](cn.col)), theirs.with_columns(CALLS[name](pl.col))
    assert mine.to_dict("list") == wanted.to_dict(as_series=False)


def test_aggregates_of_groups_take_them(device):
    made = cn.DataFrame(DATA).group_by("k").agg(col("b").fill_null(col("a").sort().first()).sum())
    assert made.to_dict("list") == {"k": ["x", "y"], "b": [1, 11]}
    wanted = pl.DataFrame(DATA).group_by("k", maintain_order=True).agg(pl.col("b").fill_null(pl.col("a").sort().first()).sum())
    assert made.to_dict("list") == wanted.to_dict(as_series=False)


REFUSED = {
    "transform": lambda f, one: f.group_by("k").transform(one), "filter": lambda f, one: f.group_by("k").filter(one > 2),
    "sort_head": lambda f, one: f.sort_head(1, one), "assign": lambda f, one: f.assign(z=one),
}


@pytest.mark.parametrize("name", REFUSED)
def test_other_methods_say_what_is_not_implemented(name):
    with pytest.raises(cn.ColumnNotImplementedError, match=f"^{name}: .*with_columns makes columns of them$") as error:
        REFUSED[name](cn.DataFrame(DATA), col("a").sort().first())
    assert error.value.operation == name and "Columns" not in str(error.value)


@pytest.mark.parametrize("name", ["is_in", "isin"])
def test_members_may_be_the_column_of_a_frame(device, name):
    frame = cn.DataFrame({"s": ["a", "b", None], "t": ["b", "c", "b"]})
    expected = getattr(frame["s"], name)(frame["t"]).to_list()
    assert getattr(frame["s"], name)(frame[["t"]]).to_list() == expected
    assert frame.select(getattr(col("s"), name)(frame[["t"]]))["s"].to_list() == expected
    for call in (lambda: getattr(frame["s"], name)(frame), lambda: getattr(col("s"), name)(frame)):
        with pytest.raises(cn.ColumnTypeError, match=f"^{name}: values is a list, an array or a series, and not a frame of 2 columns$"):
            call()


BY = {
    "sort_head": lambda f, by: f.sort_head(1, by), "is_sorted": lambda f, by: f.is_sorted(by), "search_sorted": lambda f, by: f.search_sorted(by, f),
    "merge_sorted": lambda f, by: cn.merge_sorted([f, f], by), "nlargest": lambda f, by: f.nlargest(1, by),
}


@pytest.mark.parametrize("name", BY)
def test_expressions_in_place_of_labels_are_not_implemented(name):
    with pytest.raises(cn.ColumnNotImplementedError, match=f"^{name}: .* is a label or a list of them: with_columns makes a column") as error:
        BY[name](cn.DataFrame(DATA), -col("a"))
    assert error.value.operation == name


@pytest.mark.parametrize("values", [[], [None], ["Aß", None]])
def test_functions_of_python_give_text_where_there_is_none(device, values):
    strings = cn.Series(values, dtype="utf8")
    for made in (strings.str.casefold(), strings.str.normalize("NFC"), strings.str.wrap(3)):
        assert made.dtype == "utf8" and len(made) == len(values)


@pytest.mark.parametrize("name, call", [
    ("str.wrap", lambda s: s.str.wrap(3)), ("str.normalize", lambda s: s.str.normalize("NFC")), ("str.casefold", lambda s: s.str.casefold()),
    ("str.replace", lambda s: s.str.replace("a", lambda found: "b", regex=True)),
])
def test_functions_of_python_refuse_values_that_are_no_text(device, name, call):
    for values in ([1], [[1]], [1.5, None]):
        series = cn.Series(values, name="n")
        with pytest.raises(cn.ColumnTypeError, match=f"^{name}: .*is not supported$") as error:
            call(series)
        assert (error.value.operation, error.value.column, error.value.dtype) == (name, "n", str(series.dtype))
