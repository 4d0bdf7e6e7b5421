"""Figures of the package: import, metadata, exchange of 100 columns, and work on many rows.

    cargo xtask python --release --features none --bench -- --rows 1e7 --json FILE
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time

import columnade as cn
import numpy as np
import pyarrow as pa


def best(work, runs, repeat=1):
    """Seconds of the fastest of several runs."""
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(repeat):
            work()
        seconds.append((time.perf_counter() - start) / repeat)
    return min(seconds)


def import_seconds(runs):
    """In a new process, without its start."""
    command = [sys.executable, "-c", "import time; t = time.perf_counter(); import columnade; print(time.perf_counter() - t)"]
    return min(float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(runs))




def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=float, default=1e6)
    parser.add_argument("--runs", type=int, default=5)
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
        "groupby_ms": best(lambda: data.group_by("k").agg(cn.col("x").sum(), m=cn.col("x").mean()), runs) * 1e3,
        "merge_ms": best(lambda: data.merge(other, on="id"), runs) * 1e3,
    }
    record = {
        "rows": rows, "runs": runs, "cores": os.cpu_count(), "python": platform.python_version(),
        "columnade": cn.__version__, "device": cn.default_device(),
        "figures": {name: float(f"{value:.4g}") for name, value in figures.items()},
    }
    print(json.dumps(record, indent=2))
    if options.json:
        with open(options.json, "w") as file:
            json.dump(record, file, indent=2)
            file.write("\n")


if __name__ == "__main__":
    main()
