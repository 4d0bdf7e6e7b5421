"""Errors of aggregates and windows: typed ones, which name the method, the argument and the column that was given."""

import datetime as dt

import columnade as cn
import pandas as pd
import pytest
from columnade import col

FRAME = cn.DataFrame({"k": ["a", "a", "b"], "n": [1, 2, 3], "s": ["x", "y", "z"]})
SERIES = FRAME["n"]


@pytest.mark.parametrize("name, argument, call", [
    ("rolling_mean", "min_samples", lambda: FRAME.select(col("n").rolling_mean(2, min_samples=-1))),
    ("rolling_mean", "min_samples", lambda: FRAME.select(col("n").rolling_mean(2, -1))),
    ("rolling_sum", "min_samples", lambda: FRAME.select(col("n").rolling_sum(2, min_samples=2**70))),
    ("rolling_std", "window_size", lambda: FRAME.select(col("n").rolling_std(-2))),
    ("rolling_max", "window", lambda: FRAME.select(col("n").rolling_max(window=-2))),
    ("rolling_quantile", "min_samples", lambda: FRAME.select(col("n").rolling_quantile(0.5, window_size=2, min_samples=-1))),
    ("ewm_mean", "min_samples", lambda: FRAME.select(col("n").ewm_mean(com=1, min_samples=-1))),
    ("rolling_mean", "min_periods", lambda: SERIES.rolling_mean(2, min_periods=-1)),
    ("rolling_quantile", "window", lambda: SERIES.rolling_quantile(0.5, -1)),
    ("sort_head", "k", lambda: FRAME.sort_head(-1, "n")),
    ("top_k", "k", lambda: FRAME.top_k(-1, "n")),
    ("bottom_k", "k", lambda: FRAME.bottom_k(-2, by=["n", "k"])),
    ("top_k", "k", lambda: FRAME.select(col("n").top_k(-1))),
    ("bottom_k", "k", lambda: FRAME.select(col("n").bottom_k(k=-1))),
])
def test_numbers_of_rows_are_not_negative(name, argument, call):
    with pytest.raises(ValueError, match=f"^{name}: {argument} is (at least 0, and not -|too large: )") as raised:
        call()
    assert isinstance(raised.value, cn.ColumnadeError) and raised.value.operation == name


def test_errors_of_searches_name_the_search():
    FRAME_SEARCH = FRAME["n"].searchsorted
    for search in (FRAME_SEARCH, FRAME.index.searchsorted, cn.Index([1, 2]).searchsorted):
        for value in ("x", ["x"], cn.Series(["5"])):
            with pytest.raises(TypeError, match='^searchsorted: .*int64 and utf8 do not go together') as raised:
                search(value)
            assert raised.value.operation == "searchsorted" and str(raised.value.dtype) == "int64"
            assert raised.value.column == ("n" if search is FRAME_SEARCH else None)


@pytest.mark.parametrize("values, value", [
    (["5", "6"], 55), (["a", "b"], cn.Series([1, 2])), ([1, 20], "5"), ([dt.datetime(2024, 1, 1)], 5), ([b"a"], "a"), ([True], "true"), (["a"], b"a"),
    (["a"], dt.date(2024, 1, 1)),
])
def test_searches_of_another_kind_of_values_are_type_errors(device, values, value):
    for search in (cn.Series(values).searchsorted, cn.Index(values).searchsorted):
        with pytest.raises(cn.ColumnTypeError, match="^searchsorted: [^\"]* and [^\"]* do not go together") as raised:
            search(value)
        assert raised.value.column is None and raised.value.dtype == str(cn.Series(values).dtype)
    with pytest.raises(TypeError, match="^searchsorted: column \"s\": .* do not go together") as raised:
        cn.Series(values, name="s").searchsorted(value)
    assert raised.value.column == "s"


@pytest.mark.parametrize("name, call", [
    ("sort_values", lambda f, **flags: f.sort_values("n", **flags)), ("sort_head", lambda f, **flags: f.sort_head(1, "n", **flags)),
    ("is_sorted", lambda f, **flags: f.is_sorted("n", **flags)), ("argsort", lambda f, **flags: f.argsort("n", **flags)),
    ("search_sorted", lambda f, **flags: f.search_sorted("n", f, **flags)), ("merge_sorted", lambda f, **flags: cn.merge_sorted([f, f], "n", **flags)),
])
def test_directions_of_sorts_are_true_or_false(name, call):
    for wrong, kind in (("yes", "str"), (2, "int"), ([1], "int"), (["yes"], "str"), ([None], "NoneType")):
        for flag in ("ascending", "nulls_first"):
            with pytest.raises(TypeError, match=f"^{name}: {flag} ") as raised:
                call(FRAME, **{flag: wrong})
            assert raised.value.operation == name
            if flag == "ascending":
                assert str(raised.value) == f"{name}: ascending is True or False, or a list of them, not {kind}"
    for flag in ("ascending", "nulls_first"):
        with pytest.raises(ValueError, match=f"^{name}: {flag} has 2 values for 1 columns"):
            call(FRAME, **{flag: [True, False]})


def test_windows_of_series_are_those_of_expressions(device):
    series = cn.Series([1, None, 3, 7], name="n")
    theirs = pd.Series([1, None, 3, 7], dtype="Int64").rolling(2, min_periods=1).mean()
    expected = [None if pd.isna(value) else value for value in theirs.tolist()]
    made = [series.rolling_mean(2, 1), series.rolling_mean(window=2, min_periods=1)]
    made += [series.to_frame().select(col("n").rolling_mean(2, min_samples=1))["n"]]
    assert [one.to_list() for one in made] == [expected] * 3


@pytest.mark.parametrize("function", [["first", "nth"], "nth", {"n": "nth"}])
def test_aggregates_that_need_arguments_are_refused(function):
    groups = FRAME.groupby("k") if isinstance(function, dict) else FRAME.groupby("k")["n"]
    with pytest.raises(TypeError, match="^agg: 'nth' with these arguments: missing a required argument: 'n'") as raised:
        groups.agg(function)
    assert raised.value.operation == "agg"
    with pytest.raises(TypeError):
        pd.DataFrame({"k": ["a"], "n": [1]}).groupby("k")["n"].agg("nth")
    assert FRAME.groupby("k")["n"].agg("nth", 0).to_list() == [1, 3]


@pytest.mark.parametrize("values, dtype", [(["x", "y"], "utf8"), ([True, False], "bool")])
def test_bins_of_other_values_than_numbers_are_refused(values, dtype):
    with pytest.raises(TypeError, match=f"^value_counts: bins are of numbers, not of {dtype}") as raised:
        cn.Series(values, name="s").value_counts(bins=2)
    assert (raised.value.operation, raised.value.column, raised.value.dtype) == ("value_counts", "s", dtype)
    with pytest.raises(ValueError, match="^value_counts: bins: "):
        SERIES.value_counts(bins=0)


@pytest.mark.parametrize("call, column, dtype", [
    (lambda: FRAME.select(col("n").str.lower()), "n", "int64"),
    (lambda: FRAME.select(col("s").sqrt()), "s", "utf8"),
    (lambda: FRAME.with_columns(x=col("s").cast("int64")), "s", "int64"),
    (lambda: FRAME.filter(col("n")), "n", "int64"),
    (lambda: FRAME.groupby("k").agg(col("s").std()), "s", "utf8"),
    (lambda: FRAME.select(col("s") < col("n")), None, "utf8"),
])
def test_errors_of_expressions_name_the_column_that_they_read(call, column, dtype):
    with pytest.raises(cn.ColumnadeError) as raised:
        call()
    assert raised.value.column == column
    if dtype is not None:
        assert raised.value.dtype == dtype
