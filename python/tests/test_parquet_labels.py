"""Row labels in Parquet files, to and from pandas."""

import io
import json

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

import columnade as cn

LABELS = {
    "named text": pd.Index(["x", "y", "z"], name="k"),
    "unnamed text": pd.Index(["x", "y", "z"]),
    "unnamed numbers": pd.Index([5, 7, 6]),
    "a name that is a number": pd.Index([5, 7, 6], name=3),
    "the name of a column": pd.Index([5, 7, 6], name="n"),
    "two levels": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["k", "m"]),
    "two levels without names": pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)]),
    "times": pd.DatetimeIndex(["2026-01-01", "2026-01-02", "2026-01-05"], name="t"),
    "times of a zone": pd.DatetimeIndex(["2026-01-01", "2026-01-02", "2026-01-05"], tz="Europe/Berlin", name="t"),
    "durations": pd.to_timedelta(["1h", "2h", "3h"]),
    "categories": pd.CategoricalIndex(["lo", "hi", "lo"], categories=["lo", "hi"], ordered=True, name="level"),
    "a range": pd.RangeIndex(3),
    "a range from 5": pd.RangeIndex(5, 11, 2),
    "a range with a name": pd.RangeIndex(3, name="row"),
    "floats": pd.Index([0.5, 1.5, -2.0], name="f"),
    "booleans": pd.Index([True, False, True], name="b"),
}
FRAME = pd.DataFrame({"n": [1, 2, 3], "s": ["a", None, "c"], "t": pd.to_datetime(["2026-01-01"] * 3)})


def theirs(name):
    return FRAME.set_index(LABELS[name])


def assert_same(ours, expected, name):
    ours = ours if isinstance(ours, pd.DataFrame) else ours.to_pandas()
    assert ours.index.names == expected.index.names, name
    assert ours.index.tolist() == expected.index.tolist(), name
    assert list(ours.columns) == list(expected.columns), name
    assert ours["n"].tolist() == expected["n"].tolist(), name


@pytest.mark.parametrize("index", [None, True, False])
@pytest.mark.parametrize("name", LABELS)
def test_labels_that_pandas_wrote_are_read(name, index):
    data = io.BytesIO()
    theirs(name).to_parquet(data, index=index)
    expected = pd.read_parquet(io.BytesIO(data.getvalue()))
    read = cn.read_parquet(io.BytesIO(data.getvalue()), index=True)
    assert_same(read, expected, name)
    kinds = {"DatetimeIndex": "datetime", "RangeIndex": "range", "MultiIndex": "multi", "CategoricalIndex": "categorical"}
    kind = type(expected.index).__name__
    if kind in kinds:
        assert read.index.kind == kinds[kind], (name, read.index.kind)
    # Without it they are columns, as they are for Polars.
    plain = cn.read_parquet(io.BytesIO(data.getvalue()))
    assert plain.columns == pq.read_schema(io.BytesIO(data.getvalue())).names and plain.index.to_list() == [0, 1, 2]


@pytest.mark.parametrize("index", [None, True, False])
@pytest.mark.parametrize("name", LABELS)
def test_labels_that_are_written_are_those_of_pandas(name, index):
    expected = theirs(name)
    data = cn.from_pandas(expected).to_parquet(index=index)
    if index is False:
        expected = expected.reset_index(drop=True)
    for read in (pd.read_parquet(io.BytesIO(data)), cn.read_parquet(io.BytesIO(data), index=True)):
        assert_same(read, expected, name)
    has_columns = index or index is None and name != "a range"
    columns = pq.read_schema(io.BytesIO(data)).names
    assert len(columns) == 3 + (expected.index.nlevels if has_columns else 0)
    # pandas tells the same columns to be the same.
    read = pd.read_parquet(io.BytesIO(data))
    assert read["t"].tolist() == expected["t"].tolist() and read["s"].isna().tolist() == [False, True, False]


def test_labels_come_with_the_columns_that_are_read(tmp_path):
    path = tmp_path / "some.parquet"
    theirs("two levels").to_parquet(path)
    for columns in (["n"], ["n", "m"], ["s"], []):
        expected = pd.read_parquet(path, columns=columns)
        read = cn.read_parquet(path, columns=columns, index=True)
        assert read.columns == list(expected.columns) and read.index.to_list() == expected.index.tolist(), columns
        assert cn.read_parquet(path, columns=columns).columns == columns
    read = cn.read_parquet(path, index=True, filters=[("n", ">", 1)])
    assert read.index.to_list() == pd.read_parquet(path, filters=[("n", ">", 1)]).index.tolist()
    theirs("a range from 5").to_parquet(path)
    read, expected = cn.read_parquet(path, index=True, filters=[("n", ">", 1)]), pd.read_parquet(path, filters=[("n", ">", 1)])
    assert read.index.to_list() == expected.index.tolist()
    # Several files have the labels that the first one says.
    theirs("named text").to_parquet(path)
    read = cn.read_parquet([path, path], index=True)
    assert read.index.to_list() == ["x", "y", "z"] * 2 and read.index.name == "k"
    cn.from_pandas(theirs("named text")).to_parquet(tmp_path / "folder", partition_cols=["n"])
    read = cn.read_parquet(tmp_path / "folder", index=True).sort_values("n")
    assert read.index.to_list() == ["x", "y", "z"] == pd.read_parquet(tmp_path / "folder").sort_values("n").index.tolist()


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "7", '{"index_columns": 3, "columns": []}', '{"index_columns": ["k"]}', '{"index_columns": ["k"], "columns": [3]}',
        '{"index_columns": ["missing"], "columns": []}', '{"index_columns": [{"kind": "range", "start": 0, "stop": 9, "step": 1}], "columns": []}',
        '{"index_columns": [{"kind": "range", "start": 0, "stop": 2, "step": 0}], "columns": []}',
        '{"index_columns": [{"kind": "range", "start": 1e300, "stop": 2, "step": 1}], "columns": []}',
        '{"index_columns": [{"kind": "range", "start": 0, "stop": 340282366920938463463374607431768211456, "step": 1}], "columns": []}',
        '{"index_columns": [{"kind": "other"}], "columns": []}', '{"index_columns": [["k"]], "columns": []}', "[" * 100_000,
    ],
)
def test_metadata_that_says_no_labels_gives_columns(tmp_path, text):
    path = tmp_path / "odd.parquet"
    cn.DataFrame({"k": ["a", "b"]}).write_parquet(path, metadata={"pandas": text})
    read = cn.read_parquet(path, index=True)
    assert read.columns == ["k"] and read.index.to_list() == [0, 1]


def test_labels_of_old_files_are_read(tmp_path):
    """Without `field_name`, as pandas wrote it before 0.22."""
    path = tmp_path / "old.parquet"
    described = {"index_columns": ["__index_level_0__"], "columns": [{"name": "n"}, {"name": "__index_level_0__"}]}
    frame = cn.DataFrame({"n": [1, 2], "__index_level_0__": ["a", "b"]})
    frame.write_parquet(path, metadata={"pandas": json.dumps(described)})
    read = cn.read_parquet(path, index=True)
    assert (read.columns, read.index.to_list(), read.index.name) == (["n"], ["a", "b"], None)


def test_metadata_of_files(tmp_path):
    path = tmp_path / "some.parquet"
    cn.DataFrame({"n": [1]}).write_parquet(path, metadata={"origin": "shop 7", "empty": ""})
    stored = pq.read_schema(path).metadata
    assert stored[b"origin"] == b"shop 7" and stored[b"empty"] == b""
    found = cn.read_parquet_metadata(path)
    assert found["origin"] == "shop 7" and found["empty"] == "" and "ARROW:schema" in found
    assert cn.read_parquet_metadata(io.BytesIO(path.read_bytes())) == found
    assert cn.read_parquet_metadata([path, path]) == found == cn.read_parquet_metadata(tmp_path)
    with pytest.raises(FileNotFoundError) as raised:
        cn.read_parquet_metadata(tmp_path / "none.parquet")
    assert raised.value.operation == "read_parquet_metadata"
    with pytest.raises(FileNotFoundError) as raised:
        cn.read_parquet(tmp_path / "none.parquet", index=True)
    assert raised.value.operation == "read_parquet"
    with pytest.raises(TypeError):
        cn.DataFrame({"n": [1]}).write_parquet(path, metadata={"n": 1})
    assert np.array_equal(cn.read_parquet(path)["n"].to_numpy(), [1])
