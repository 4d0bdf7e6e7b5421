"""Figures of the package: import, metadata, exchange of 100 columns, and work on many rows.

    cargo xtask python --release --features none --bench -- --rows 1e7 --json FILE

Python and Rust take turns with the work on many rows, since other processes of the machine slow down one or the other.
"""

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import columnade as cn
import numpy as np
import pyarrow as pa


def seconds(work, runs, repeat=1):
    """Seconds of several runs."""
    taken = []
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(repeat):
            work()
        taken.append((time.perf_counter() - start) / repeat)
    return taken


def best(work, runs, repeat=1):
    return min(seconds(work, runs, repeat))


def import_seconds(runs):
    """In a new process, without its start."""
    command = [sys.executable, "-c", "import time; t = time.perf_counter(); import columnade; print(time.perf_counter() - t)"]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(runs))


def compared(data, other, program, rounds, runs):
    """Milliseconds of groupby and merge: the median and the least of the runs here, and of a program of Rust."""
    with tempfile.TemporaryDirectory() as folder:
        data.write_ipc(os.path.join(folder, "data.arrow"))
        other.write_ipc(os.path.join(folder, "other.arrow"))
        # Both read the files, so that their columns lie in memory alike.
        data, other = (cn.read_ipc(os.path.join(folder, name)) for name in ("data.arrow", "other.arrow"))
        work = {
            "groupby_ms": lambda: data.group_by("k").agg(cn.col("x").sum(), m=cn.col("x").mean()),
            "merge_ms": lambda: data.merge(other, on="id"),
        }
        here, there = {name: [] for name in work}, {name: [] for name in work}
        for _ in range(rounds):
            for name, measured in work.items():
                here[name] += [taken * 1e3 for taken in seconds(measured, runs)]
            if program:
                done = subprocess.run([program, folder, str(runs)], capture_output=True, text=True, check=True)
                for name, taken in json.loads(done.stdout).items():
                    there[name] += taken
    figures = {}
    for name in work:
        figures[name] = {"python_median": statistics.median(here[name]), "python_least": min(here[name])}
        if program:
            median, least = statistics.median(there[name]), min(there[name])
            figures[name] |= {
                "rust_median": median, "rust_least": least, "ratio_median": statistics.median(here[name]) / median,
                "ratio_least": min(here[name]) / least,
            }
    return figures


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(item) for name, item in value.items()}
    return float(f"{value:.4g}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, default=1e6)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3, help="turns of Python and Rust")
    parser.add_argument("--rust", help="the program `figures` of Rust, to compare with")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    rows, runs = int(options.rows), options.runs

    wide = pa.table({f"c{at}": np.arange(1000) for at in range(100)})
    frame = cn.from_arrow(wide)
    batch = wide.to_batches()[0]
    generator = np.random.default_rng(1)
    data = cn.DataFrame({
        "k": generator.integers(0, 1000, rows), "id": generator.permutation(rows), "x": generator.random(rows),
    })
    other = cn.DataFrame({"id": generator.permutation(rows), "y": generator.random(rows)})

    figures = {
        "import_ms": import_seconds(runs) * 1e3,
        "metadata_us": best(lambda: frame.shape, runs, 10_000) * 1e6,
        "column_us": best(lambda: frame["c50"], runs, 10_000) * 1e6,
        "export_100_columns_us": best(frame.__arrow_c_array__, runs, 1000) * 1e6,
        "import_100_columns_us": best(lambda: cn.DataFrame.from_arrow(batch), runs, 300) * 1e6,
        "dlpack_export_us": best(frame["c1"].__dlpack__, runs, 1000) * 1e6,
        **compared(data, other, options.rust, options.rounds, runs),
    }
    record = {
        "rows": rows, "runs": runs, "cores": os.cpu_count(), "python": platform.python_version(),
        "columnade": cn.__version__, "device": cn.default_device(), "load": rounded(os.getloadavg()[0]),
        "figures": rounded(figures),
    }
    print(json.dumps(record, indent=2))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(record, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
