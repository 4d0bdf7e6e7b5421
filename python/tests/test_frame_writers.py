"""Files that are written frame by frame, and empty strings in CSV; the oracles are pyarrow, Polars and pandas."""

import errno
import functools
import os

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


WRITERS = {
    "to_json": ("f.json", lambda frame, path: frame.to_json(path)),
    "to_json of rows": ("f.json", lambda frame, path: frame.to_json(path, orient="records", lines=True)),
    "to_csv of gzip": ("f.csv.gz", lambda frame, path: frame.to_csv(path, compression={"method": "gzip"})),
    "to_csv with quotes": ("f.csv", lambda frame, path: frame.to_csv(path, quoting=1)),
    "to_html": ("f.html", lambda frame, path: frame.to_html(path)),
    "to_string": ("f.txt", lambda frame, path: frame.to_string(path)),
    "to_markdown": ("f.md", lambda frame, path: frame.to_markdown(path)),
    "to_latex": ("f.tex", lambda frame, path: frame.to_latex(path)),
    "to_pickle": ("f.pickle", lambda frame, path: frame.to_pickle(path)),
    "cn.to_pickle": ("f.pickle", lambda frame, path: cn.to_pickle(frame, path)),
}


@pytest.fixture
def full_disk(monkeypatch):
    """The disk is full after some bytes."""
    write, left = os.write, [1000]

    def limited(handle, data):
        if not left[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        count = write(handle, data[: left[0]])
        left[0] -= count
        return count

    monkeypatch.setattr(os, "write", limited)


@pytest.fixture
def random_frame():
    return cn.DataFrame({"a": [value * 7919 % 100_003 for value in range(5000)]})


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("is_old", [True, False])
def test_a_file_that_cannot_be_written_whole_leaves_the_old_one(name, is_old, tmp_path, random_frame, full_disk):
    file, write = WRITERS[name]
    path = tmp_path / file
    if is_old:
        path.write_text("precious")
    with pytest.raises(cn.ColumnOSError) as raised:
        write(random_frame, path)
    assert raised.value.errno == errno.ENOSPC and str(path) in str(raised.value) and raised.value.path == str(path)
    assert [each.name for each in tmp_path.iterdir()] == ([file] if is_old else [])
    assert not is_old or path.read_text() == "precious"


@pytest.mark.parametrize("is_old", [True, False])
def test_rows_that_cannot_be_appended_whole_are_cut_off(is_old, tmp_path, random_frame, full_disk):
    path = tmp_path / "f.csv"
    if is_old:
        path.write_text("a\n1\n")
    for write in (random_frame.to_csv, functools.partial(random_frame.to_json, orient="records", lines=True)):
        with pytest.raises(cn.ColumnOSError):
            write(path, mode="a")
        assert path.read_text() == "a\n1\n" if is_old else not path.exists()


def test_files_that_are_replaced_keep_their_permissions_and_links(tmp_path):
    frame = cn.DataFrame({"a": [1]})
    path, link = tmp_path / "f.json", tmp_path / "link.json"
    frame.to_json(path)
    umask = os.umask(0)
    os.umask(umask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~umask
    path.chmod(0o640)
    link.symlink_to("f.json")
    frame.to_html(link)
    with pytest.raises(FileExistsError):
        frame.to_csv(link, quoting=1, mode="x")
    assert link.is_symlink() and path.read_text().startswith("<table") and path.stat().st_mode & 0o777 == 0o640
    with pytest.raises(FileExistsError):
        frame.to_csv(path, quoting=1, mode="x")
    frame.to_csv(tmp_path / "new.csv", quoting=1, mode="x")
    assert (tmp_path / "new.csv").read_text() == '"","a"\n"0","1"\n'
    with pytest.raises(FileNotFoundError):
        frame.to_json(tmp_path / "no" / "f.json")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["f.json", "link.json", "new.csv"]


def test_writes_to_devices_and_without_files_of_no_name(tmp_path, monkeypatch):
    frame = cn.DataFrame({"a": [1]})
    frame.to_json("/dev/null")
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    path = tmp_path / "f.json"
    for _ in range(2):
        frame.to_json(path)
    assert path.read_text() == '{"a":1}\n' and [each.name for each in tmp_path.iterdir()] == ["f.json"]


def test_errors_of_the_system_have_its_number(tmp_path):
    resource = pytest.importorskip("resource")
    frame = cn.DataFrame({"a": [value * 7919 % 100_003 for value in range(50_000)]}, device="host")
    writes = {
        "x.csv": frame.write_csv, "x.json": frame.write_json, "x.arrow": frame.write_ipc, "x.parquet": frame.write_parquet,
        "folder": lambda path: frame.write_dataset(path, ["a"]) if path.parent != tmp_path else None,
    }
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    for name, write in writes.items():
        with pytest.raises(FileNotFoundError) as raised:
            write(tmp_path / "missing" / name)
        assert raised.value.errno == errno.ENOENT and "missing" in raised.value.path
        if name == "folder":
            continue
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, before[1]))
        try:
            with pytest.raises(cn.ColumnOSError) as raised:
                write(tmp_path / name)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert raised.value.errno == errno.EFBIG, name
    for name, read in (("x.csv", cn.read_csv), ("x.parquet", cn.read_parquet)):
        with pytest.raises(FileNotFoundError) as raised:
            read(tmp_path / name)
        assert raised.value.errno == errno.ENOENT
    assert not list(tmp_path.iterdir())
    for options in ({"row_group_rows": 0}, {"page_rows": 0}):
        with pytest.raises(ValueError, match="write_parquet: .* is at least 1, and not 0"):
            frame.write_parquet(tmp_path / "x.parquet", **options)


def test_files_that_may_not_be_read_are_permission_errors(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("a\n1\n")
    error = cn._errors.make("OSError", "read_csv: denied", errno=errno.EACCES)
    assert isinstance(error, PermissionError) and isinstance(error, cn.ColumnOSError) and error.errno == errno.EACCES
    if os.geteuid() != 0:
        path.chmod(0)
        with pytest.raises(PermissionError):
            cn.read_csv(path)
