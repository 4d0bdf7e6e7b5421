"""What the scripts that time other libraries share."""

import argparse
import json
import os
import statistics
import time


def median(run, runs):
    """Seconds: the median of so many runs after one that is not counted."""
    run()
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def options_of(doc):
    """The options of a script that sets operations of a bench beside other libraries."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="")
    parser.add_argument("--columnade")
    parser.add_argument("--record")
    options = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(options.threads)
    return options


class Table:
    """Milliseconds of operations by library, printed as they come."""

    def __init__(self, options):
        self.options = options
        self.rows = {}
        self.ours = {}
        if options.columnade:
            with open(options.columnade) as file:
                figures = json.load(file)["figures"]
            self.ours = {name.removesuffix(", ms"): value for name, value in figures.items() if name.endswith(", ms")}
        print(f"{'ms':<42} {'polars':>8} {'duckdb':>8} {'ours':>8} {'ratio':>6}", flush=True)

    def time(self, name, runs):
        """Times what `runs` has for each library, unless the operation is not asked for."""
        if self.options.only not in name:
            return
        row = {library: median(run, self.options.runs) * 1000 for library, run in runs.items()}
        best = min(row.values())
        if name in self.ours:
            row["columnade"] = self.ours[name]
        self.rows[name] = row
        shown = [row.get(library, float("nan")) for library in ("polars", "duckdb", "columnade")]
        print(f"{name:<42}", *[f"{value:>8.1f}" for value in shown], f"{shown[2] / best:>6.2f}", flush=True)

    def write(self):
        """Writes the record that was asked for."""
        if self.options.record:
            with open(self.options.record, "w") as file:
                json.dump({"rows": self.options.rows, "median_milliseconds": self.rows}, file, indent=1)
                file.write("\n")
