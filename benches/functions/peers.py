"""Times the functions of the bench `functions` on DuckDB and Polars, and sets Columnade's figures beside them.

usage: python3 benches/functions/peers.py [--rows N] [--runs N] [--threads N] [--columnade FILE.json]

FILE.json is what the bench wrote with --json on the same machine, just before. Needs duckdb, polars and numpy. Every figure
is the median of N warm runs after one that is not counted, in milliseconds; results are materialised in memory.
"""

import argparse
import json
import os
import statistics
import time


def median(run, runs):
    run()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--columnade")
    options = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(options.threads)
    import duckdb
    import numpy
    import polars

    random = numpy.random.default_rng(1)
    seconds = random.integers(631_152_000, 631_152_000 + 1_262_304_000, options.rows)
    frame = polars.DataFrame({"t": (seconds * 1_000_000).astype("datetime64[us]"), "x": random.uniform(0.1, 100, options.rows)})
    t, d, z, x = (polars.col(name) for name in "tdzx")
    frame = frame.with_columns(t.dt.date().alias("d"), t.dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Berlin").alias("z"))
    questions = {
        "year": (t.dt.year(), "year(t)"),
        "year of date": (d.dt.year(), "year(d)"),
        "truncate to month": (t.dt.truncate("1mo"), "date_trunc('month', t)"),
        "truncate date to month": (d.dt.truncate("1mo"), "date_trunc('month', d)"),
        "truncate to hour": (t.dt.truncate("1h"), "date_trunc('hour', t)"),
        "add a month to date": (d.dt.offset_by("1mo"), "(d + interval 1 month)::date"),
        "format of date": (d.dt.strftime("%Y-%m-%d"), "strftime(d, '%Y-%m-%d')"),
        "local time of zone": (z.dt.replace_time_zone(None), "timezone('Europe/Berlin', z)"),
        "pow 2.5": (x.pow(2.5), "pow(x, 2.5)"),
        "exp": (x.exp(), "exp(x)"),
        "ln": (x.log(), "ln(x)"),
        "round 2": (x.round(2), "round(x, 2)"),
    }
    connection = duckdb.connect()
    connection.execute(f"set threads={options.threads}")
    connection.execute("create table rows as select * from frame")
    ours = {}
    if options.columnade:
        with open(options.columnade) as file:
            ours = {name.removesuffix(", ms"): value for name, value in json.load(file)["figures"].items()}
    print(f"{'ms':<24} {'polars':>8} {'duckdb':>8} {'ours':>8} {'ratio':>6}")
    for name, (expression, sql) in questions.items():
        of_polars = median(lambda: frame.select(expression), options.runs)
        try:
            of_duckdb = median(
                lambda: connection.execute(f"create or replace temp table made as select {sql} as v from rows"), options.runs
            )
        except duckdb.Error:
            # DuckDB needs an extension for time zones.
            of_duckdb = float("nan")
        mine = ours.get(name, float("nan"))
        best = min(value for value in (of_polars, of_duckdb) if value == value)
        print(f"{name:<24} {of_polars:>8.1f} {of_duckdb:>8.1f} {mine:>8.1f} {mine / best:>6.2f}")


if __name__ == "__main__":
    main()
