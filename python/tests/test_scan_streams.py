"""Scans as streams of Arrow: the readers of other libraries take the frames of a file one by one."""

import io
import os
import pickle
import threading
import warnings

import columnade as cn
import duckdb
import polars
import pyarrow as pa
import pyarrow.parquet
import pytest

KINDS = ["parquet", "csv", "json", "ipc"]
ROWS = 1000
DATA = {"n": list(range(ROWS)), "s": [f"name {row % 7}" for row in range(ROWS)], "x": [row / 4 for row in range(ROWS)]}


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


@pytest.fixture
def scan(kind, tmp_path):
    """A function that scans a file of these rows."""
    path = tmp_path / f"rows.{kind}"
    getattr(cn.DataFrame(DATA, device="host"), f"write_{kind}")(path)
    return lambda **options: getattr(cn, f"scan_{kind}")(path, **{"batch_rows": 300, **options})


def test_stream_has_the_batches_of_the_file(scan, device):
    reader = pa.RecordBatchReader.from_stream(scan())
    assert reader.schema.names == ["n", "s", "x"]
    batches = list(reader)
    assert all(0 < batch.num_rows <= 300 for batch in batches) and len(batches) >= 4
    assert pa.Table.from_batches(batches).to_pydict() == DATA
    assert pa.table(scan()).to_pydict() == DATA


def test_other_libraries_read_scans(scan):
    rows = scan()
    found = duckdb.sql("select sum(n) as n, count(*) as rows, max(s) as s from rows").fetchall()
    assert found == [(sum(DATA["n"]), ROWS, "name 6")]
    assert polars.DataFrame(scan()).to_dict(as_series=False) == DATA
    assert cn.from_arrow(scan()).to_dict() == DATA
    assert cn.DataFrame(scan()).to_dict() == DATA


def test_batches_are_read_on_demand(scan):
    rows = scan()
    reader = pa.RecordBatchReader.from_stream(rows)
    first = reader.read_next_batch()
    assert first["n"].to_pylist() == DATA["n"][:first.num_rows]
    # What the stream has not read is still in the scan.
    del reader
    rest = [value for frame in rows for value in frame["n"].to_list()]
    assert rest == DATA["n"][first.num_rows:]


def test_frames_that_were_taken_are_not_in_the_stream(scan):
    rows = scan()
    taken = len(next(rows))
    assert pa.table(rows)["n"].to_pylist() == DATA["n"][taken:]
    # Like a reader of pyarrow, a scan at its end has columns and no rows.
    assert pa.table(rows).shape == (0, 3) and pa.table(rows).schema.names == ["n", "s", "x"]
    assert list(rows) == []


def test_schema_takes_no_rows(scan):
    rows = scan()
    assert pa.schema(rows).names == ["n", "s", "x"] and pa.schema(rows).field("n").type == pa.int64()
    assert rows.__arrow_c_stream__() is not None
    assert sum(len(frame) for frame in rows) == ROWS


def test_schema_that_is_asked_for_is_met(scan):
    asked = pa.schema([("n", pa.int16()), ("s", pa.large_string()), ("x", pa.float32())])
    table = pa.RecordBatchReader.from_stream(scan(), schema=asked).read_all()
    assert table.schema.types == asked.types
    assert table["n"].to_pylist() == DATA["n"] and table["x"].to_pylist() == DATA["x"]
    with pytest.raises(ValueError, match="it has 1 fields, and the frame has 3"):
        scan().__arrow_c_stream__(pa.schema([("n", pa.int64())]).__arrow_c_schema__())
    # A cast that fails is an error of the stream.
    small = pa.schema([("n", pa.int8()), ("s", pa.string()), ("x", pa.float64())])
    reader = pa.RecordBatchReader.from_stream(scan(batch_rows=100), schema=small)
    assert reader.read_next_batch().num_rows == 100
    with pytest.raises((pa.ArrowException, OSError), match="does not fit int8"):
        reader.read_next_batch()


@pytest.mark.parametrize("kind", KINDS)
def test_files_without_rows_have_a_schema(kind, tmp_path):
    path = tmp_path / f"none.{kind}"
    frame = cn.DataFrame({"n": [1], "s": ["x"]}, device="host")
    getattr(frame if kind == "json" else frame.head(0), f"write_{kind}")(path)
    options = {"columns": ["n"]}
    if kind == "parquet":
        options["filter"] = cn.col("n") > 1
    elif kind == "json":
        options["limit"] = 0
    table = pa.table(getattr(cn, f"scan_{kind}")(path, **options))
    assert table.num_rows == 0 and table.schema.names == ["n"]


def test_errors_of_reading_are_those_of_the_stream(tmp_path):
    path = tmp_path / "rows.csv"
    # A part of the text is 4 MiB, and 16 of them are decoded at a time.
    part = "1234567\n" * (2**19)
    with open(path, "w") as file:
        file.write("n\n")
        for _ in range(20):
            file.write(part)
        file.write("x\n")
    reader = pa.RecordBatchReader.from_stream(cn.scan_csv(path, dtypes={"n": "int64"}))
    assert reader.read_next_batch().num_rows > 0
    with pytest.raises(pa.ArrowInvalid, match=r"rows\.csv.*line 10485762"):
        reader.read_all()
    rows = cn.scan_csv(path, dtypes={"n": "int64"})
    with pytest.raises(cn.ColumnadeError, match="line 10485762"):
        cn.from_arrow(rows)
    # After an error there is nothing left.
    with pytest.raises(ValueError, match="scan_csv: there are no frames after an error"):
        rows.__arrow_c_stream__()


def test_file_that_disappears_is_an_error_of_the_system(tmp_path):
    paths = [tmp_path / f"{name}.arrow" for name in "ab"]
    for path in paths:
        cn.DataFrame({"n": [1, 2, 3]}, device="host").write_ipc(path)
    # The second file is opened after the first one was read.
    reader = pa.RecordBatchReader.from_stream(cn.scan_ipc([paths[0]] * 4 + [paths[1]]))
    os.remove(paths[1])
    with pytest.raises(OSError, match=r"b\.arrow") as error:
        reader.read_all()
    assert not isinstance(error.value, cn.ColumnadeError)


def test_error_of_the_first_rows_is_an_exception_of_the_method(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("n\n1\nx\n")
    with pytest.raises(cn.ColumnadeError, match="line 3") as error:
        cn.scan_csv(path, dtypes={"n": "int64"}).__arrow_c_stream__()
    assert error.value.line == 3
    with pytest.raises(TypeError, match="__arrow_c_stream__: expected a capsule"):
        cn.scan_csv(path, dtypes={"n": "utf8"}).__arrow_c_stream__(7)


def test_skipped_rows_are_told_by_streams(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,x\n2\n3,y\n")
    with pytest.warns(UserWarning, match="scan_csv: 1 row that does not fit was skipped"):
        assert pa.table(cn.scan_csv(path, skip_bad_rows=True)).to_pydict() == {"a": [1, 3], "b": ["x", "y"]}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(pa.ArrowInvalid, match="UserWarning: scan_csv: 1 row"):
            pa.table(cn.scan_csv(path, skip_bad_rows=True))


@pytest.mark.parametrize("kind", KINDS)
def test_scans_of_buffers_are_streams_too(kind, tmp_path):
    path = tmp_path / "rows"
    getattr(cn.DataFrame(DATA, device="host"), f"write_{kind}")(path)
    rows = getattr(cn, f"scan_{kind}")(io.BytesIO(path.read_bytes()), batch_rows=400)
    assert isinstance(rows, type(getattr(cn, f"scan_{kind}")(path)))
    assert pa.table(rows).to_pydict() == DATA


def test_folder_of_a_buffer_is_gone_at_the_end(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rows = cn.scan_csv(io.BytesIO(b"n\n1\n2\n"))
    assert len(list(tmp_path.iterdir())) == 1
    assert pa.table(rows)["n"].to_pylist() == [1, 2]
    assert list(tmp_path.iterdir()) == []


def test_streams_of_threads_share_the_frames_of_a_scan(scan):
    rows = scan(batch_rows=10)
    found = [[] for _ in range(4)]
    threads = [
        threading.Thread(target=lambda at=at: found[at].extend(pa.table(rows)["n"].to_pylist()))
        for at in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(value for part in found for value in part) == DATA["n"]


def test_scans_are_not_pickled(scan):
    with pytest.raises(TypeError):
        pickle.dumps(scan())


def test_progress_is_told_with_each_frame(scan, kind, tmp_path, capsys):
    calls = []
    rows = scan(batch_rows=300, progress=lambda done, all_bytes: calls.append((done, all_bytes)))
    assert calls == []
    next(rows)
    assert len(calls) == 1
    assert sum(len(frame) for frame in rows) == ROWS - 300
    assert calls == sorted(set(calls)) and calls[-1][0] == calls[-1][1] > 0
    if kind != "parquet":
        assert calls[-1][1] == (tmp_path / f"rows.{kind}").stat().st_size
    assert sum(len(frame) for frame in scan(progress=True)) == ROWS
    written = capsys.readouterr().err
    assert written.startswith(f"\rscan_{kind}: ") and written.endswith(" bytes\n") and "100 % of " in written
    for quiet in (False, None):
        list(scan(progress=quiet))
    assert capsys.readouterr().err == ""
    # The line ends with a scan that is not read to its end.
    rows = scan(progress=True)
    next(rows)
    del rows
    assert capsys.readouterr().err.endswith("\n")


def test_progress_of_a_large_file_grows(tmp_path):
    path = tmp_path / "rows.parquet"
    pa.parquet.write_table(pa.table({"n": list(range(100_000))}), path, row_group_size=5000)
    calls = []
    rows = 0
    for frame in cn.scan_parquet(path, progress=lambda *bytes: calls.append(bytes), device="host"):
        rows += len(frame)
        assert calls[-1][0] >= calls[-1][1] * rows // 100_000 * 0.9
    assert len(calls) >= 2 and calls[-1][0] == calls[-1][1] and calls[0][0] < calls[0][1]
    # A function of several files counts the bytes of all of them.
    both = []
    for name in "ab":
        cn.DataFrame({"n": [1, 2, 3]}, device="host").write_ipc(tmp_path / f"{name}.arrow")
    list(cn.scan_ipc(tmp_path / "*.arrow", progress=lambda *bytes: both.append(bytes)))
    size = sum((tmp_path / f"{name}.arrow").stat().st_size for name in "ab")
    assert [call[1] for call in both] == [size] * len(both) and len(both) == 3 and both[-1][0] == size


def test_exceptions_of_progress_are_raised(scan, kind):
    def fail(done, all_bytes):
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        list(scan(progress=fail))
    with pytest.raises(TypeError, match=f"scan_{kind}: progress is"):
        scan(progress=3)
    reader = pa.RecordBatchReader.from_stream(scan(progress=fail))
    with pytest.raises(pa.ArrowInvalid, match="LookupError: no more"):
        reader.read_all()


def test_progress_of_streams(scan):
    calls = []
    assert pa.table(scan(progress=lambda *bytes: calls.append(bytes))).num_rows == ROWS
    assert calls and calls[-1][0] == calls[-1][1]
