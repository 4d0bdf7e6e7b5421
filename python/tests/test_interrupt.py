"""Ctrl-C ends work that would take minutes, and leaves the process as it was."""

import pytest
from test_limits import run

# Each would take at least ten minutes, so that the time limit of `run` fails the test if Ctrl-C does not end the work.
WORK = {
    "join_by_condition": "rows.merge(others, how='inner', condition=cn.col('a') * cn.col('b') == -1)",
    "group_by": "[rows.group_by('a').agg(s=cn.col('a').sum()) for _ in range(1_000_000)]",
    "sort": "[rows.sort_values('a', ascending=False) for _ in range(1_000_000)]",
    "read": "[cn.read_parquet(path) for _ in range(1_000_000)]",
    "read_csv": "[cn.read_csv(path + '.csv') for _ in range(1_000_000)]",
    "scan": "[list(cn.scan_parquet(path, batch_rows=1000)) for _ in range(1_000_000)]",
}


@pytest.mark.parametrize("device", ["host", "sim"])
def test_ctrl_c_ends_one_long_operation(device):
    """Seen within the operation: Python itself sees a signal only after it."""
    import columnade as cn

    if device not in cn.available_devices():
        pytest.skip(f"the build has no {device}")
    out = run(f"""
        import os, signal, threading, columnade as cn, numpy as np
        cn.set_default_device({device!r})
        rows = cn.DataFrame({{"a": np.arange(300_000)}})
        others = cn.DataFrame({{"b": np.arange(300_000)}})
        for _ in range(2):
            threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                {WORK["join_by_condition"]}
                print("ended by itself")
            except KeyboardInterrupt:
                print("interrupted")
        print(rows.group_by("a").agg(cn.col("a").sum().alias("s"))["s"].sum())
    """)
    assert out.split() == ["interrupted", "interrupted", str(300_000 * 299_999 // 2)]


@pytest.mark.parametrize("work", ["group_by", "sort", "read", "read_csv", "scan"])
def test_ctrl_c_ends_loops_of_operations(work, tmp_path):
    out = run(f"""
        import os, signal, threading, columnade as cn, numpy as np
        path = {str(tmp_path / "rows")!r}
        rows = cn.DataFrame({{"a": np.arange(100_000)}}, device="host")
        rows.write_parquet(path), rows.write_csv(path + ".csv")
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            {WORK[work]}
        except KeyboardInterrupt:
            print("interrupted", cn.read_parquet(path)["a"].sum())
    """)
    assert out.split() == ["interrupted", str(100_000 * 99_999 // 2)]


def test_a_handler_of_the_program_is_called_and_the_work_is_lost():
    out = run(f"""
        import os, signal, threading, columnade as cn, numpy as np
        rows, others = (cn.DataFrame({{name: np.arange(300_000)}}, device="host") for name in "ab")
        cn.col("a")
        rows.sort_values("a")
        signal.signal(signal.SIGINT, lambda *_: print("handled"))
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            {WORK["join_by_condition"]}
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert out.split() == ["handled", "interrupted"]


def test_an_ignored_signal_stays_ignored():
    out = run("""
        import os, signal, threading, columnade as cn, numpy as np
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        rows = cn.DataFrame({"a": np.arange(2_000_000)}, device="host")
        timer = threading.Timer(0.01, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        print(rows.sort_values("a", ascending=False)["a"].sum())
        timer.join()
    """)
    assert out.split() == [str(2_000_000 * 1_999_999 // 2)]


@pytest.mark.parametrize("read", ["cn.from_arrow(reader)", "cn.DataFrame(reader)", "cn.DataFrame.from_arrow(reader)"])
def test_ctrl_c_ends_an_endless_producer_of_python(read):
    out = run(f"""
        import os, signal, threading, time, columnade as cn, pyarrow as pa

        def batches():
            while True:
                time.sleep(0.01)
                yield pa.record_batch({{"a": [1]}})

        cn.set_default_device("host")
        reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), batches())
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            {read}
            print("ended by itself")
        except KeyboardInterrupt:
            print("interrupted", cn.DataFrame({{"a": [1, 2]}})["a"].sum())
    """)
    assert out.split() == ["interrupted", "3"]


def test_errors_of_producers_stay_what_they_are():
    out = run("""
        import columnade as cn, pyarrow as pa

        def batches():
            yield pa.record_batch({"a": [1]})
            raise RuntimeError("no more")

        cn.set_default_device("host")
        reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.int64())]), batches())
        try:
            cn.from_arrow(reader)
        except cn.ColumnValueError as error:
            print("no more" in str(error))
    """)
    assert out.split() == ["True"]


@pytest.mark.parametrize("work", ["values.to_list()", "floats.to_list()", "cn.Series(items)"])
def test_signals_are_seen_in_loops_over_values(work):
    """Handlers run many times during one call; without a look at signals they would run once, after it."""
    out = run(f"""
        import signal, columnade as cn, numpy as np
        cn.set_default_device("host")
        values = cn.Series(np.arange(4_000_000))
        floats = values.cast("float64")
        items = list(range(3_000_000))
        seen = []
        signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
        signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
        {work}
        signal.setitimer(signal.ITIMER_REAL, 0)
        print(len(seen) > 5)
    """)
    assert out.split() == ["True"]
