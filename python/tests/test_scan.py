"""Files part by part, and folders of Parquet files."""

import os
import time

import columnade as cn
import pyarrow.dataset
import pyarrow.parquet
import pytest
from columnade import col

ROWS = cn.DataFrame({"n": list(range(1000)), "s": [f"name {row % 7}" for row in range(1000)]})


def write(kind, path):
    getattr(ROWS, f"write_{kind}")(path)
    return path


@pytest.mark.parametrize("kind", ["parquet", "csv", "json", "ipc"])
def test_scan_has_the_rows_of_the_file(device, tmp_path, kind):
    path = write(kind, tmp_path / "rows")
    scan = getattr(cn, f"scan_{kind}")
    frames = list(scan(path, batch_rows=300))
    assert all(len(frame) <= 300 and frame.device == device for frame in frames) and len(frames) >= 4
    assert cn.concat(frames, ignore_index=True).to_dict() == ROWS.to_dict()
    assert sum(len(frame) for frame in scan([path, path], columns=["n"])) == 2000
    ended = scan(path)
    assert len(list(ended)) >= 1 and list(ended) == []


def test_scan_filters_and_reads_ranges(tmp_path):
    path = write("parquet", tmp_path / "rows.parquet")
    found = cn.concat(list(cn.scan_parquet(path, columns=["n"], filter=col("n") % 2 == 0, rows=(10, 20))))
    assert found["n"].to_list() == [10, 12, 14, 16, 18]
    assert cn.read_parquet(path, rows=(995, 2000))["n"].to_list() == [995, 996, 997, 998, 999]


@pytest.mark.parametrize("kind", ["parquet", "csv", "json", "ipc"])
@pytest.mark.parametrize("rows", [0, -1])
def test_batch_of_no_rows_is_refused(tmp_path, kind, rows):
    path = write(kind, tmp_path / "rows")
    with pytest.raises(ValueError, match=f"scan_{kind}: batch_rows is at least 1, and not {rows}"):
        getattr(cn, f"scan_{kind}")(path, batch_rows=rows)
    with pytest.raises(ValueError, match="write_ipc: batch_rows is at least 1"):
        ROWS.write_ipc(tmp_path / "other", batch_rows=rows)


def test_errors_of_scans_are_exceptions(tmp_path):
    with pytest.raises(FileNotFoundError):
        cn.scan_parquet(tmp_path / "none.parquet")
    path = tmp_path / "rows.csv"
    path.write_text("n\n1\n2\nx\n")
    scan = cn.scan_csv(path, dtypes={"n": "int64"})
    with pytest.raises(cn.ColumnadeError, match="line 4"):
        list(scan)
    assert list(scan) == []


def test_scan_that_is_dropped_ends_its_thread(tmp_path):
    path = write("parquet", tmp_path / "rows.parquet")
    before = len(os.listdir("/proc/self/task")) if os.path.isdir("/proc/self/task") else None
    for _ in range(20):
        next(cn.scan_parquet(path, batch_rows=10))
    if before is not None:
        end = time.monotonic() + 20
        while len(os.listdir("/proc/self/task")) > before + 8 and time.monotonic() < end:
            time.sleep(0.01)
        assert len(os.listdir("/proc/self/task")) <= before + 8


def test_dataset_is_read_by_others(tmp_path):
    sales = cn.DataFrame({"year": [2025, 2026, 2026], "city": ["Oslo", "Rome", "Zürich"], "n": [1, 2, 3]})
    folder = tmp_path / "sales"
    sales.write_dataset(folder, ["year", "city"], compression="zstd", bloom_filters=["n"])
    theirs = pyarrow.dataset.dataset(folder, partitioning="hive").to_table().sort_by("n")
    assert theirs["n"].to_pylist() == [1, 2, 3] and theirs["year"].to_pylist() == [2025, 2026, 2026]
    assert theirs["city"].to_pylist() == ["Oslo", "Rome", "Zürich"]
    ours = cn.read_parquet(folder, filter=col("year") == 2026)
    assert sorted(ours["city"].to_list()) == ["Rome", "Zürich"]
    pattern = str(folder / "year=2026" / "*" / "*.parquet")
    assert sorted(cn.read_parquet(pattern)["n"].to_list()) == [2, 3]
    assert cn.read_parquet(pattern, hive_partitions=False).columns == ["n"]
    with pytest.raises(cn.ColumnadeError, match="empty"):
        sales.write_dataset(folder, ["year"])


def test_scan_tells_of_rows_that_it_skips(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n1,x\n2\n3,y\n")
    with pytest.warns(UserWarning, match="scan_csv: 1 row that does not fit was skipped"):
        frames = list(cn.scan_csv(path, skip_bad_rows=True))
    assert cn.concat(frames).to_dict() == {"a": [1, 3], "b": ["x", "y"]}
    lines = tmp_path / "rows.jsonl"
    lines.write_text('{"a": 1}\n{"a":\n[]\n{"a": 4}\n')
    with pytest.warns(UserWarning, match="scan_json: 2 rows that do not fit were skipped"):
        assert len(cn.concat(list(cn.scan_json(lines, skip_bad_rows=True)))) == 2
