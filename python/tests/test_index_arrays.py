"""Row labels as arrays of numpy and of Arrow, beside pandas, and arrays that share memory or say that they cannot."""

import datetime as dt

import columnade as cn
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

LABELS = {
    "integers": [3, 1, 2], "floats": [0.5, -1.0, 4.0], "text": ["b", "a", "c"], "booleans": [True, False, True],
    "times": [dt.datetime(2024, 1, day) for day in (3, 1, 2)], "spans": [dt.timedelta(hours=hour) for hour in (5, 1, 9)],
}
LEVELS = [(1, "a"), (2, "b"), (1, "c")]


def ours(kind, name="k"):
    return cn.Index(LABELS[kind], name=name)


def theirs(kind, name="k"):
    return pd.Index(LABELS[kind], name=name)


@pytest.mark.parametrize("kind", LABELS)
def test_arrays_are_those_of_pandas(device, kind):
    made, expected = np.asarray(ours(kind)), np.asarray(theirs(kind))
    assert made.tolist() == expected.tolist() and made.ndim == 1
    if kind != "text":
        assert made.dtype == expected.dtype
    assert np.array(ours(kind), dtype=object).tolist() == np.array(theirs(kind), dtype=object).tolist()


def test_arrays_of_several_levels_have_tuples(device):
    made = np.asarray(cn.MultiIndex.from_tuples(LEVELS, names=["x", None]))
    assert made.dtype == object and made.tolist() == np.asarray(pd.MultiIndex.from_tuples(LEVELS)).tolist()
    assert np.asarray(cn.Index.range(2, 9, 3)).tolist() == [2, 5, 8]
    assert np.asarray(cn.Index([1, None, 3])).tolist()[::2] == [1.0, 3.0]


FUNCTIONS = {
    "sum": lambda index: np.sum(index), "prod": lambda index: np.prod(index), "max": lambda index: np.max(index),
    "mean": lambda index: np.mean(index), "std": lambda index: np.std(index), "median": lambda index: np.median(index),
    "percentile": lambda index: np.percentile(index, 25), "unique": lambda index: np.unique(index), "sort": lambda index: np.sort(index),
    "argsort": lambda index: np.argsort(index), "concatenate": lambda index: np.concatenate([index, index]),
    "append": lambda index: np.append(index, [7]), "diff": lambda index: np.diff(index), "isin": lambda index: np.isin(index, [1]),
    "where": lambda index: np.where(index == 1, index, 0), "searchsorted": lambda index: np.searchsorted(np.sort(index), 2),
    "repeat": lambda index: np.repeat(index, 2), "take": lambda index: np.take(index, [2, 0]), "delete": lambda index: np.delete(index, 1),
    "flip": lambda index: np.flip(index), "round": lambda index: np.round(index), "cumsum": lambda index: np.cumsum(index),
    "clip": lambda index: np.clip(index, 1, 2), "sqrt": lambda index: np.sqrt(np.abs(index)), "add": lambda index: np.add(index, 1),
    "add of an array": lambda index: np.array([1, 2, 3]) + index, "multiply": lambda index: np.array([1, 2, 3]) * index,
    "equal": lambda index: np.array([3, 1, 9]) == index, "greater": lambda index: np.greater(index, 1), "isnan": lambda index: np.isnan(index),
    "divmod": lambda index: np.divmod(index, 2), "reduce": lambda index: np.add.reduce(index), "outer": lambda index: np.add.outer(index, [1, 2]),
    "accumulate": lambda index: np.maximum.accumulate(index), "intersect1d": lambda index: np.intersect1d(index, [1, 2]),
    "array_equal": lambda index: np.array_equal(index, index), "transpose": lambda index: np.transpose(index),
}


def plain(value):
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, (cn.Index, pd.Index)):
        return "index", value.name, [float(one) for one in value]
    assert not isinstance(value, cn.Series)
    made = np.asarray(value)
    return "array", made.shape, np.asarray(made, dtype="f8").round(12).tolist()


@pytest.mark.parametrize("kind", ["integers", "floats"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_numpy_are_those_of_pandas(device, name, kind):
    assert plain(FUNCTIONS[name](ours(kind))) == plain(FUNCTIONS[name](theirs(kind)))


def test_functions_of_numpy_leave_nulls_and_levels():
    labels = cn.Index([4.0, None, 9.0], name="k")
    assert np.sum(labels) == 13.0 and np.max(labels) == 9.0
    assert np.sqrt(labels).to_list() == [2.0, None, 3.0]
    assert np.repeat(cn.Index(["a", None]), 2).to_list() == ["a", "a", None, None]
    levels = cn.MultiIndex.from_tuples(LEVELS)
    assert np.flip(levels).to_list() == LEVELS[::-1]
    with pytest.raises(cn.ColumnTypeError, match="^sqrt: row labels of several levels"):
        np.sqrt(levels)
    assert np.add(ours("integers"), ours("integers", "other")).name is None
    np.testing.assert_array_equal(ours("integers"), [3, 1, 2])
    made = np.add(cn.Series([1, 2, 3]), ours("integers"))
    assert isinstance(made, cn.Series) and made.to_list() == [4, 3, 5]


@pytest.mark.parametrize("kind", LABELS)
def test_other_libraries_take_labels(device, kind):
    index = ours(kind)
    assert pl.Series(index).to_list() == LABELS[kind] and pl.Series(index).name == "k"
    assert pa.array(index).to_pylist() == LABELS[kind]
    assert index.to_arrow().to_pylist() == LABELS[kind]
    assert pl.DataFrame({"a": index})["a"].to_list() == LABELS[kind]
    assert pd.Index(index).tolist() == theirs(kind).tolist()
    assert cn.Series(index).to_list() == LABELS[kind]


def test_other_libraries_take_levels_as_structs(device):
    index = cn.MultiIndex.from_tuples(LEVELS, names=["x", None])
    rows = [{"x": x, "level_1": y} for x, y in LEVELS]
    assert pl.Series(index).to_list() == rows
    assert pa.array(index).to_pylist() == rows and index.to_arrow().to_pylist() == rows
    assert pa.schema(index).names == ["x", "level_1"]
    assert pa.chunked_array(index).to_pylist() == rows


def test_arrays_without_a_copy_share_memory():
    for values in (cn.Series([1, 2, 3]), cn.Series([1.5, 2.5]), cn.Index([1, 2]), cn.DataFrame({"a": [1, 2]})):
        first, second = np.asarray(values, copy=False), np.asarray(values, copy=False)
        assert np.shares_memory(first, second) and first.tolist() == np.asarray(values).tolist()
        copied = np.array(values, copy=True)
        assert not np.shares_memory(first, copied) and copied.flags.writeable


REFUSED = {
    "nulls": lambda: cn.Series([1, None], name="n"), "booleans": lambda: cn.Series([True, False], name="n"),
    "text": lambda: cn.Series(["a"], name="n"), "times": lambda: cn.Series(LABELS["times"], name="n"),
    "a frame": lambda: cn.DataFrame({"a": [1, 2], "b": [3, 4]}), "a frame with nulls": lambda: cn.DataFrame({"a": [1, None]}),
    "labels of text": lambda: cn.Index(["a"]), "levels": lambda: cn.MultiIndex.from_tuples(LEVELS),
}


@pytest.mark.parametrize("name", REFUSED)
def test_arrays_that_need_a_copy_are_refused_without_one(name):
    values = REFUSED[name]()
    with pytest.raises(ValueError, match="^__array__: .* needs a copy") as error:
        np.asarray(values, copy=False)
    assert error.value.operation == "__array__"
    if isinstance(values, cn.Series):
        assert (error.value.column, error.value.dtype) == ("n", str(values.dtype))
    assert len(np.asarray(values)) == len(values)
    with pytest.raises(ValueError, match="needs a copy"):
        np.asarray(cn.Series([1, 2]), dtype="f8", copy=False)


def test_arrays_of_a_device_need_a_copy(device):
    values = cn.Series([1, 2])
    if device == "host":
        assert np.asarray(values, copy=False).tolist() == [1, 2]
        return
    with pytest.raises(ValueError, match=f"an array of int64 on {device} needs a copy"):
        np.asarray(values, copy=False)
    assert np.asarray(values).tolist() == [1, 2]
