"""Edges where pandas has a rule: negative counts of rows, ranges beyond memory, nulls alone, breaks that descend, and the
names of operations in exceptions."""

import columnade as cn
import pandas as pd
import pytest

COUNTS = [0, 1, 2, 5, 99, -1, -2, -5, -99, 2**62, -(2**63)]


@pytest.mark.parametrize("n", COUNTS)
def test_head_and_tail_count_as_in_pandas(n):
    theirs = pd.DataFrame({"k": ["a", "b", "a", "a", "b"], "n": [1, 2, 3, 4, 5]}, index=[3, 1, 4, 1, 5])
    ours = cn.DataFrame(theirs)
    for name in ("head", "tail"):
        made, expected = getattr(ours, name)(n), getattr(theirs, name)(n)
        assert (made["n"].to_list(), made.index.to_list()) == (expected["n"].tolist(), expected.index.tolist())
        assert getattr(ours["n"], name)(n).to_list() == expected["n"].tolist()
        groups, expected = getattr(ours.groupby("k"), name)(n), getattr(theirs.groupby("k"), name)(n)
        assert groups["n"].to_list() == expected["n"].tolist(), f"groups {name} {n}"


@pytest.mark.parametrize("rows", [2**52, 2**62, 2**63 - 1])
def test_ranges_beyond_memory_are_exceptions(rows):
    index = cn.Index.range(0, rows)
    assert len(index) == rows and index[rows - 1] == rows - 1
    assert str(rows - 1) in repr(index)
    for make in (index.to_series, index.to_frame, index.to_list, lambda: cn.Series([1, 2]).reindex(index)):
        with pytest.raises((cn.ColumnMemoryError, cn.ColumnOverflowError)) as error:
            make()
        assert isinstance(error.value, cn.ColumnadeError)


def test_breaks_that_descend_are_refused_as_in_pandas():
    with pytest.raises(ValueError):
        pd.IntervalIndex.from_breaks([5, 2])
    with pytest.raises(cn.ColumnValueError, match="5 is followed by 2") as error:
        cn.Index.from_breaks([5, 2])
    assert error.value.operation == "from_breaks"
    assert len(cn.Index.from_breaks([2, 2, 5])) == len(pd.IntervalIndex.from_breaks([2, 2, 5])) == 2


@pytest.mark.parametrize("name, expected", [
    ("sum", 0), ("prod", 1), ("count", 0), ("nunique", 0), ("any", False), ("all", True), ("min", None), ("max", None),
    ("mean", None), ("median", None), ("std", None), ("var", None),
])
def test_aggregates_of_nulls_alone_are_those_of_pandas(name, expected):
    theirs = getattr(pd.Series([None, None], dtype="object"), name)()
    assert theirs == expected if expected is not None else pd.isna(theirs)
    ours = cn.Series([None, None])
    assert str(ours.dtype) == "null"
    assert getattr(ours, name)() == expected
    groups = cn.DataFrame({"k": [1, 1, 2], "x": [None, None, None]}).groupby("k").agg({"x": name})
    assert groups["x"].to_list() == [expected, expected]


def test_exceptions_name_the_operation_of_python():
    cases = [
        (lambda: cn.date_range("2024-01-01", periods=2, freq="3x"), "date_range"),
        (lambda: cn.date_range("2024-01-01", end="2024-01-02", freq="3x"), "date_range"),
        (lambda: cn.Series([1, 2]).quantile(2.0), "quantile"),
        (lambda: cn.Series(["a"]).quantile(0.5), "quantile"),
        (lambda: cn.DataFrame({"a": ["x"]}).quantile(0.5), "quantile"),
    ]
    for call, operation in cases:
        with pytest.raises(cn.ColumnadeError) as error:
            call()
        assert error.value.operation == operation and str(error.value).startswith(f"{operation}")
        assert "quantile_with" not in str(error.value) and "periods" not in str(error.value)
