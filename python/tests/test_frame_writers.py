"""Files that are written frame by frame, and empty strings in CSV; the oracles are pyarrow, Polars and pandas."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest

import columnade as cn
from columnade import _columnade as native


def part(first, rows):
    numbers = range(first, first + rows)
    return cn.DataFrame({
        "n": [n if n % 5 else None for n in numbers],
        "s": [None if n % 3 == 0 else "" if n % 3 == 1 else f"ü,{n}" for n in numbers],
    })


PARTS = [(0, 7), (7, 0), (7, 40), (47, 3)]
WHOLE = part(0, 50).to_dict("list")


def write(writer):
    frame = part(0, 50)
    with writer:
        for first, rows in PARTS:
            writer.append(frame.iloc[first:first + rows])
        assert writer.rows == 50


def test_files_are_those_of_other_libraries(device, tmp_path):
    write(native.ParquetWriter(tmp_path / "f.parquet", compression="zstd", row_group_rows=10))
    assert pq.read_table(tmp_path / "f.parquet").to_pydict() == WHOLE
    write(native.IpcWriter(tmp_path / "f.arrow", batch_rows=16))
    assert pa.ipc.open_file(tmp_path / "f.arrow").read_all().to_pydict() == WHOLE
    write(native.IpcWriter(tmp_path / "f.arrows", compression="lz4", format="stream"))
    assert pa.ipc.open_stream(tmp_path / "f.arrows").read_all().to_pydict() == WHOLE
    write(native.JsonWriter(tmp_path / "f.jsonl"))
    assert pl.read_ndjson(tmp_path / "f.jsonl").to_dict(as_series=False) == WHOLE
    write(native.JsonWriter(tmp_path / "f.json", orient="records"))
    assert pl.read_json(tmp_path / "f.json").to_dict(as_series=False) == WHOLE
    write(native.CsvWriter(tmp_path / "f.csv"))
    assert pl.read_csv(tmp_path / "f.csv").to_dict(as_series=False) == WHOLE


def test_dictionaries_of_parts_are_read_by_pyarrow(device, tmp_path):
    path = tmp_path / "f.arrow"
    parts = [["b", None, "a"], ["c", "a"], [None], ["d", "b"]]
    with native.IpcWriter(path) as writer:
        for words in parts:
            writer.append(cn.DataFrame({"k": cn.Series(words).astype("category")}))
    expected = [word for words in parts for word in words]
    assert pa.ipc.open_file(path).read_all()["k"].cast(pa.string()).to_pylist() == expected
    assert cn.read_ipc(path)["k"].cast("utf8").to_list() == expected


def test_exception_leaves_no_file(device, tmp_path):
    path = tmp_path / "f.parquet"
    with pytest.raises(ZeroDivisionError), native.ParquetWriter(path) as writer:
        writer.append(part(0, 5))
        1 / 0
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match="closed"):
        writer.append(part(0, 5))
    with pytest.raises(TypeError, match='"n" is float64, and int64') as raised, native.CsvWriter(path) as writer:
        writer.append(cn.DataFrame({"n": [1, 2]}))
        writer.append(cn.DataFrame({"n": [0.5]}))
    assert raised.value.column == "n" and not list(tmp_path.iterdir())
    writer = native.JsonWriter(path)
    writer.append(part(0, 2))
    writer.finish()
    writer.finish()
    assert writer.rows == 2 and path.exists()
    with pytest.raises(ValueError, match="layout"):
        native.JsonWriter(path, orient="split")


def test_quoted_empty_field_is_empty_string(device, tmp_path):
    path = tmp_path / "f.csv"
    path.write_text('a,b,n\n"",x,1\n,"",""\n"z",,3\n')
    dtypes = {"n": pl.Int64}
    theirs = pl.read_csv(path, schema_overrides=dtypes).to_dict(as_series=False)
    assert native.read_csv(path).to_dict("list") == theirs
    theirs = pl.read_csv(path, schema_overrides=dtypes, empty_string_is_null=False).to_dict(as_series=False)
    assert native.read_csv(path, empty_is_null=False).to_dict("list") == theirs
    assert next(native.scan_csv(path, empty_is_null=False)).to_dict("list") == theirs
    frame = native.read_csv(path)
    frame.write_csv(path)
    assert path.read_text() == 'a,b,n\n"",x,1\n,"",\nz,,3\n'
    assert pl.read_csv(path).to_dict(as_series=False) == frame.to_dict("list")
    frame.write_csv(path, quote_empty=False)
    assert path.read_text() == pd.DataFrame(frame.to_dict("list")).astype({"n": "Int64"}).to_csv(index=False)
