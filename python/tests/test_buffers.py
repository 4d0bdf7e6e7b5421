"""Scans and reads of open files and buffers."""

import io
import pathlib
import tempfile

import columnade as cn
import polars as pl
import pytest

ROWS = cn.DataFrame({"n": list(range(1000)), "s": [f"Zürich {row % 7}" for row in range(1000)]}, device="host")
KINDS = ("parquet", "csv", "json", "ipc")


@pytest.fixture
def file(tmp_path):
    def write(kind):
        getattr(ROWS, f"write_{kind}")(tmp_path / f"rows.{kind}")
        return tmp_path / f"rows.{kind}"

    return write


@pytest.fixture(autouse=True)
def temporary(tmp_path_factory, monkeypatch):
    """A folder of temporary files that no other process has."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


def folders():
    return set(pathlib.Path(tempfile.gettempdir()).glob("*/buffer*"))


@pytest.mark.parametrize("kind", KINDS)
def test_scans_of_buffers_have_the_rows_of_the_file(device, file, kind):
    path, scan, before = file(kind), getattr(cn, f"scan_{kind}"), folders()
    with open(path, "rb") as opened:
        for source in (io.BytesIO(path.read_bytes()), opened):
            parts = list(scan(source, batch_rows=300))
            assert len(parts) >= 4 and all(len(part) <= 300 and part.device == device for part in parts)
            assert cn.concat(parts, ignore_index=True).to_dict() == ROWS.to_dict()
    both = scan([io.BytesIO(path.read_bytes()), path], columns=["n"])
    assert sum(len(part) for part in both) == 2000 and list(both) == []
    assert folders() == before
    left = scan(io.BytesIO(path.read_bytes()), batch_rows=300)
    next(left)
    assert folders() > before
    del left
    assert folders() == before
    assert sum(len(part) for part in scan(path)) == 1000 and isinstance(scan(path), cn.Scan)


@pytest.mark.parametrize("kind", ["csv", "json"])
def test_scans_of_buffers_of_text(file, kind):
    text = file(kind).read_text(encoding="utf-8")
    scan = getattr(cn, f"scan_{kind}")
    assert cn.concat(list(scan(io.StringIO(text))), ignore_index=True).to_dict() == ROWS.to_dict()
    source = io.StringIO("skipped\n" + text)
    source.readline()
    assert cn.concat(list(scan(source)), ignore_index=True).to_dict() == ROWS.to_dict()


def test_reads_of_buffers_of_arrow_files(device, file):
    data = file("ipc").read_bytes()
    for read in (cn.read_ipc, cn.read_feather):
        assert read(io.BytesIO(data)).to_dict() == ROWS.to_dict()
        assert read(io.BytesIO(data), columns=["n"]).columns == ["n"]
    assert cn.read_ipc(io.BytesIO(data), memory_map=True).to_dict() == pl.read_ipc(io.BytesIO(data)).to_dict(as_series=False)
    assert len(cn.read_ipc([io.BytesIO(data), file("ipc")])) == 2000
    text = file("json").read_text(encoding="utf-8")
    assert cn.read_ndjson(io.StringIO(text)).to_dict() == ROWS.to_dict()


def test_feather_shows_progress(file):
    calls = []
    assert len(cn.read_feather(file("ipc"), progress=lambda done, all_bytes: calls.append((done, all_bytes)))) == 1000
    assert calls and calls[-1][0] == calls[-1][1] == file("ipc").stat().st_size


def test_what_is_no_buffer_or_no_file_is_refused():
    class Numbers:
        def read(self, size=-1):
            return 7

    with pytest.raises(cn.ColumnTypeError, match="^scan_parquet: read\\(\\) of the buffer gives bytes or text, not int") as error:
        cn.scan_parquet(Numbers())
    assert error.value.operation == "scan_parquet"
    for read in (cn.read_ipc, cn.read_feather, cn.scan_parquet):
        with pytest.raises(cn.ColumnadeError):
            list(read(io.BytesIO(b"no such file")))
    before = folders()
    with pytest.raises(TypeError):
        cn.scan_csv(7)
    assert folders() == before


class Few(io.RawIOBase):
    """An open file without a buffer, which takes a few bytes at a time."""

    def __init__(self, most):
        self.most, self.data = most, b""

    def writable(self):
        return True

    def write(self, part):
        part = bytes(part[: self.most])
        self.data += part
        return len(part) if self.most else None


@pytest.mark.parametrize("name", ["write_csv", "write_json", "write_parquet", "write_ipc", "to_csv", "to_json", "to_parquet", "to_pickle"])
def test_files_without_a_buffer_take_all_bytes_or_an_error_is_raised(name):
    frame = cn.DataFrame({"n": [1, 2, 3], "s": ["x", "é" * 50, None]})
    whole, few = io.BytesIO(), Few(10)
    getattr(frame, name)(whole)
    getattr(frame, name)(few)
    assert few.data == whole.getvalue() != b""
    with pytest.raises(OSError, match="takes no more bytes"):
        getattr(frame, name)(Few(0))
