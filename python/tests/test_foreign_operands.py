"""Series and arrays of other libraries as operands, conditions and values: they have no labels, and go by position."""

import columnade as cn
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

MADE = {
    "polars": pl.Series, "pyarrow": pa.array, "chunks": lambda values: pa.chunked_array([values[:1], values[1:]]), "numpy": np.array, "pandas": pd.Series,
    "pandas array": pd.array, "pandas arrow": lambda values: pd.Series(pd.array(values, dtype=pd.ArrowDtype(pa.array(values).type))),
}
OWN, OTHER, FLAGS, LABELS = [5, 2, 7], [1, 2, 3], [True, False, True], ["x", "y", "z"]
OPERATORS = {
    "+": (lambda a, b: a + b, [6, 4, 10]), "-": (lambda a, b: a - b, [4, 0, 4]), "*": (lambda a, b: a * b, [5, 4, 21]), "//": (lambda a, b: a // b, [5, 1, 2]),
    "%": (lambda a, b: a % b, [0, 0, 1]), "**": (lambda a, b: a ** b, [5, 4, 343]), "==": (lambda a, b: a == b, [False, True, False]),
    "!=": (lambda a, b: a != b, [True, False, True]), "<": (lambda a, b: a < b, [False] * 3), ">=": (lambda a, b: a >= b, [True] * 3),
    "add": (lambda a, b: a.add(b), [6, 4, 10]), "eq": (lambda a, b: a.eq(b), [False, True, False]), "isin": (lambda a, b: a.isin(b), [False, True, False]),
}


@pytest.mark.parametrize("library", MADE)
@pytest.mark.parametrize("name", OPERATORS)
def test_operands_go_by_position(device, library, name):
    operate, expected = OPERATORS[name]
    made = operate(cn.Series(OWN, index=LABELS), MADE[library](OTHER))
    assert (made.to_list(), made.index.to_list(), made.device) == (expected, LABELS, device)


@pytest.mark.parametrize("library", MADE)
def test_conditions_go_by_position(device, library):
    flags = MADE[library](FLAGS)
    series, frame = cn.Series(OWN, index=LABELS), cn.DataFrame({"a": OWN, "b": LABELS}, index=LABELS)
    for kept in (series[flags], series.filter(flags), series.loc[flags], series.iloc[flags]):
        assert (kept.to_list(), kept.index.to_list()) == ([5, 7], ["x", "z"])
    for kept in (frame[flags], frame.loc[flags], frame.iloc[flags]):
        assert (kept.to_dict(), kept.index.to_list()) == ({"a": [5, 7], "b": ["x", "z"]}, ["x", "z"])
    both = cn.Series(FLAGS) & flags
    assert both.to_list() == FLAGS


@pytest.mark.parametrize("library", MADE)
def test_statistics_of_pairs_go_by_position(device, library):
    series, other = cn.Series(OWN, index=LABELS), MADE[library](OTHER)
    assert series.corr(other) == pytest.approx(np.corrcoef(OWN, OTHER)[0, 1])
    assert series.cov(other) == pytest.approx(np.cov(OWN, OTHER)[0, 1])
    assert series.corr(other, min_periods=4) is None


@pytest.mark.parametrize("index", [LABELS, [0, 2, 1], pd.RangeIndex(1, 4), pd.RangeIndex(3, name="n")])
def test_labels_of_pandas_are_not_ignored(index):
    series, other = cn.Series(OWN), pd.Series(OTHER, index=index)
    calls = [lambda: series + other, lambda: series == other, lambda: series.add(other), lambda: series.corr(other), lambda: series.filter(other > 1)]
    for call in calls:
        with pytest.raises(cn.ColumnTypeError, match="from_pandas") as error:
            call()
        assert error.value.operation in ("add", "eq", "corr", "filter")
    labelled = cn.from_pandas(pd.Series(OTHER, index=[2, 1, 0]))
    assert (series + labelled).sort_index().to_list() == [8, 4, 8]


def test_what_does_not_go_together_names_the_operation():
    series = cn.Series(OWN, name="v")
    for other in (pl.Series([1]), pa.array([1, 2]), np.array([1, 2, 3, 4]), pd.Series([1])):
        for call in (lambda other=other: series + other, lambda other=other: series.corr(other)):
            with pytest.raises(cn.ColumnadeError):
                call()
    for other in (pl.DataFrame({"a": OTHER}), pa.table({"a": OTHER}), pl.Series(["a", "b", "c"])):
        with pytest.raises(cn.ColumnTypeError, match="^add: "):
            series + other
    for other in (pl.Series(OTHER), pa.array(OTHER)):
        with pytest.raises(cn.ColumnTypeError, match="^add: "):
            cn.DataFrame({"a": OWN}) + other


def test_nulls_of_other_libraries_are_nulls(device):
    series = cn.Series([1, 2, 3])
    for other in (pl.Series([1, None, 3]), pa.array([1, None, 3]), pd.array([1, None, 3], dtype="Int64")):
        assert (series + other).to_list() == [2, None, 6] and (series == other).to_list() == [True, None, True]
