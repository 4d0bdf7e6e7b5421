"""Memory that exports and imports leave behind, threads, and processes."""

import gc
import os
import resource
import subprocess
import sys
import textwrap
import threading

import columnade as cn
import numpy as np
import pyarrow as pa
import pytest


def test_many_exports_and_imports_leave_no_memory(device):
    table = pa.table({"a": list(range(1000)), "s": ["text"] * 1000})
    frame = cn.DataFrame(table)
    series = frame["a"]
    host = frame.to_device("host")

    def round_trip():
        cn.from_arrow(table)
        frame.__arrow_c_array__(), frame.__arrow_c_stream__(), frame.__arrow_c_device_array__()
        series.__arrow_c_device_stream__(), series.__arrow_c_schema__()
        cn.from_dlpack(series)
        series.__dlpack__(max_version=(1, 0)), series.__dlpack__()
        np.from_dlpack(host["a"])
        pa.table(host.to_arrow())
        if device != "host":
            cn.as_column(series)

    def level():
        gc.collect()
        report = cn.memory.report()
        return report.device_bytes, report.leased_bytes

    for _ in range(200):
        round_trip()
    before, resident = level(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Two imports of each kind of memory and nine exports a time.
    for _ in range(5000):
        round_trip()
    after = level()
    assert after[0] <= before[0] + 100_000 and after[1] <= before[1] + 20_000
    # Ten thousand imports and more exports, of 8 kB and more each, would be 80 MB.
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - resident < 40_000


def test_eight_threads_share_a_frame(device):
    rows = 20_000
    frame = cn.DataFrame({"k": [at % 7 for at in range(rows)], "x": list(range(rows))})
    expected = frame.group_by("k", sort=True).agg(cn.col("x").sum())["x"].to_list()
    failures = []

    def work(seed):
        try:
            cn.set_default_device(device)
            for _ in range(5):
                out = frame.group_by("k", sort=True).agg(cn.col("x").sum())
                assert out["x"].to_list() == expected
                part = frame[seed * 100:seed * 100 + 50].to_device("host")
                assert pa.table(part.to_arrow())["x"].to_pylist() == list(range(seed * 100, seed * 100 + 50))
                assert cn.from_dlpack(frame["x"]).sum() == rows * (rows - 1) // 2
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_other_threads_run_during_work():
    """Python runs in another thread while this one sorts."""
    frame = cn.DataFrame({"x": np.random.default_rng(1).random(2_000_000)}, device="host")
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    sys.setswitchinterval(1000)
    try:
        frame.sort_values("x")
        during = len(ticks)
    finally:
        sys.setswitchinterval(0.005)
        done.set()
        thread.join()
    assert during > 0


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120,
        env={**os.environ, **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_forked_children_work():
    assert run("""
        import os, columnade as cn
        frame = cn.DataFrame({"k": [at % 3 for at in range(100000)], "x": list(range(100000))}, device="host")
        expected = frame.group_by("k").agg(cn.col("x").sum())["x"].to_list()
        child = os.fork()
        if child == 0:
            os._exit(0 if frame.group_by("k").agg(cn.col("x").sum())["x"].to_list() == expected else 1)
        print(os.waitpid(child, 0)[1])
    """).strip() == "0"


def test_pool_of_forked_processes_takes_and_returns_frames():
    assert run("""
        import multiprocessing, columnade as cn
        frame = cn.DataFrame({"k": [at % 3 for at in range(100000)], "x": list(range(100000))}, device="host")
        frame.sort_values("x", ascending=False), frame.group_by("k").agg(cn.col("x").sum())

        def work(rows):
            made = frame.filter(cn.col("k") == rows["k"].to_list()[0]).group_by("k").agg(cn.col("x").sum())
            return cn.concat([rows.drop("x"), made.drop("k")], axis=1)

        with multiprocessing.get_context("fork").Pool(3) as pool:
            parts = pool.map(work, [frame[at:at + 1].reset_index(drop=True) for at in range(3)])
        print(cn.concat(parts)["x"].to_list() == [sum(range(at, 100000, 3)) for at in range(3)])
    """).strip() == "True"


def test_objects_alive_at_exit_do_no_harm():
    assert run("""
        import columnade as cn, pyarrow as pa, numpy as np
        held = cn.from_arrow(pa.table({"a": [1, 2, 3]}))
        tensor = cn.from_dlpack(np.arange(10))
        capsule = tensor.__dlpack__()
        print(held["a"].to_list())
    """).strip() == "[1, 2, 3]"


def test_package_imports_no_other_library():
    modules = run("import columnade, sys; print(*sorted(sys.modules))").split()
    assert not {"numpy", "pandas", "pyarrow", "polars"} & set(modules)


def test_errors_of_work_are_no_panics():
    for broken in (
        lambda: cn.Series([1]).slice(5, 5),
        lambda: cn.DataFrame({"a": [1]}).select(cn.col("a").cast("list<int64>")),
        lambda: cn.Series(["x"]).cast("int64"),
        lambda: cn.DataFrame({"a": [1]}).sort_head(-1, "a"),
    ):
        with pytest.raises((cn.ColumnadeError, OverflowError)) as error:
            broken()
        assert not isinstance(error.value, cn.InternalError) and isinstance(error.value, Exception)
