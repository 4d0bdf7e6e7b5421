"""The progress of reads."""

import threading

import columnade as cn
import pytest

ROWS = 5000


@pytest.fixture
def files(tmp_path):
    frame = cn.DataFrame({"a": list(range(ROWS)), "s": ["Zürich"] * ROWS}, device="host")
    paths = {name: tmp_path / f"rows.{name}" for name in ("parquet", "csv", "json", "ipc")}
    frame.write_parquet(paths["parquet"], row_group_rows=500)
    frame.write_csv(paths["csv"])
    frame.write_json(paths["json"])
    frame.write_ipc(paths["ipc"], batch_rows=500)
    return paths


READS = {"parquet": cn.read_parquet, "csv": cn.read_csv, "json": cn.read_json, "ipc": cn.read_ipc}


@pytest.mark.parametrize("kind", READS)
def test_functions_are_called_up_to_all_bytes(files, device, kind):
    calls = []
    frame = READS[kind](files[kind], progress=lambda done, all_bytes: calls.append((done, all_bytes)))
    assert frame["a"].to_list() == list(range(ROWS))
    done = [call[0] for call in calls]
    assert done == sorted(done) and done[-1] > 0 and len({call[1] for call in calls}) == 1
    assert calls[-1][0] == calls[-1][1]
    if kind == "parquet":
        # Ten row groups; a thread may be overtaken.
        assert 1 <= len(calls) <= 10
    elif kind == "ipc":
        # Ten batches and the end of the file.
        assert 1 <= len(calls) <= 11
        assert calls[-1][1] == files[kind].stat().st_size
    else:
        assert calls[-1][1] == files[kind].stat().st_size


@pytest.mark.parametrize("kind", READS)
def test_true_writes_a_line(files, kind, capsys):
    READS[kind](files[kind], progress=True, device="host")
    written = capsys.readouterr().err
    assert written.startswith(f"\rread_{kind}: ") and written.endswith(" bytes\n") and "100 % of " in written
    for quiet in (False, None):
        READS[kind](files[kind], progress=quiet, device="host")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("kind", READS)
def test_exceptions_of_the_function_are_raised(files, kind):
    def fail(done, all_bytes):
        raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        READS[kind](files[kind], progress=fail, device="host")
    with pytest.raises(TypeError, match=f"read_{kind}: progress is"):
        READS[kind](files[kind], progress=3, device="host")
    # An error of the read is raised when the function has none.
    with pytest.raises(FileNotFoundError):
        READS[kind](str(files[kind]) + ".none", progress=print, device="host")


def test_reads_of_several_threads_report_each_to_its_function(files):
    seen = [[] for _ in range(8)]
    threads = [
        threading.Thread(target=lambda at=at: cn.read_parquet(
            files["parquet"], device="host", progress=lambda done, all_bytes: seen[at].append(done / all_bytes)))
        for at in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [calls[-1] for calls in seen] == [1.0] * 8


def test_writes_count_rows(files, tmp_path, capsys):
    frame = cn.read_parquet(files["parquet"], device="host")
    calls = []
    frame.write_csv(tmp_path / "a.csv", progress=lambda done, rows: calls.append((done, rows)))
    assert calls == [(ROWS, ROWS)]
    frame.write_csv(tmp_path / "a.csv", progress=True)
    assert capsys.readouterr().err == f"\rwrite_csv: 100 % of {ROWS} rows\n"


def test_dictionaries_of_files(files, device):
    read = cn.read_parquet(files["parquet"], dictionary=True)
    assert str(read["s"].dtype) == "dictionary<int32, utf8>" and read["s"].to_list() == ["Zürich"] * ROWS
    assert str(cn.read_parquet(files["parquet"], dictionary=["s"])["s"].dtype) == "dictionary<int32, utf8>"
    assert str(cn.read_parquet(files["parquet"], dictionary=False)["s"].dtype) == "utf8"


@pytest.mark.parametrize("after", [0, 2])
def test_writes_whose_function_raises_leave_the_old_file(tmp_path, after):
    path, calls = tmp_path / "a.csv", []
    path.write_text("old")
    frame = cn.DataFrame({"a": list(range(300_000)), "s": ["Zürich"] * 300_000}, device="host")

    def fail(done, rows):
        calls.append(done)
        if len(calls) > after:
            raise LookupError("no more")

    with pytest.raises(LookupError, match="no more"):
        frame.write_csv(path, progress=fail)
    assert path.read_text() == "old" and [file.name for file in tmp_path.iterdir()] == ["a.csv"]
    # The write ended at once.
    assert len(calls) == after + 1 and calls[-1] < 300_000
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(_raised(lambda: frame.write_csv(path, progress=fail))))
    thread.start()
    thread.join()
    assert outcome == ["LookupError"] and path.read_text() == "old"


def _raised(call):
    try:
        call()
    except BaseException as error:  # noqa: BLE001
        return type(error).__name__
    return None


@pytest.mark.parametrize("kind", READS)
def test_reads_whose_function_raises_end(files, kind):
    calls = []

    def fail(done, all_bytes):
        calls.append(done)
        raise LookupError("no more")

    for _ in range(2):
        with pytest.raises(LookupError, match="no more"):
            READS[kind](files[kind], progress=fail, device="host")
    assert len(calls) == 2
    assert READS[kind](files[kind], device="host")["a"].to_list() == list(range(ROWS))


def test_scans_of_text_tell_the_bytes_of_their_frames(tmp_path):
    rows = 2_000_000
    path = tmp_path / "rows.csv"
    cn.DataFrame({"a": range(rows), "b": range(rows)}, device="host").write_csv(path)
    size = path.stat().st_size
    calls, given = [], 0
    for frame in cn.scan_csv(path, batch_rows=250_000, device="host", progress=lambda done, all_bytes: calls.append((done, all_bytes))):
        given += len(frame)
        # One frame of the reader, of about 4 MiB, is decoded ahead.
        assert calls[-1][1] == size and abs(calls[-1][0] / size - given / rows) < 0.6
    assert calls[-1] == (size, size) and len(calls) >= 4
