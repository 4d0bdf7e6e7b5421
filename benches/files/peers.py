"""Reads the files of the benchmark `files` with Polars, DuckDB and pyarrow: the median seconds of each, as JSON lines.

usage: peers.py [--repeats N] FILE...
"""

import argparse
import json
import time

import duckdb
import polars as pl
import pyarrow.csv
import pyarrow.parquet


def readers(path):
    if path.endswith(".csv"):
        yield "polars", lambda: pl.read_csv(path)
        yield "duckdb", lambda: table(f"read_csv('{path}')")
        yield "pyarrow", lambda: pyarrow.csv.read_csv(path)
    else:
        yield "polars", lambda: pl.read_parquet(path)
        yield "duckdb", lambda: table(f"read_parquet('{path}')")
        yield "pyarrow", lambda: pyarrow.parquet.read_table(path)


def table(source):
    """Into a table in memory, as the other libraries read; the connection frees it."""
    connection = duckdb.connect()
    connection.sql(f"create table t as select * from {source}")
    return connection


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    for path in options.files:
        for library, read in readers(path):
            seconds = []
            for _ in range(options.repeats + 1):
                start = time.perf_counter()
                result = read()
                seconds.append(time.perf_counter() - start)
                del result
            # The first fills the cache of the system.
            median = sorted(seconds[1:])[options.repeats // 2]
            print(json.dumps({"library": library, "file": path, "seconds": round(median, 3)}))


if __name__ == "__main__":
    main()
