"""Times TPC-H on DuckDB and Polars, tables in memory, and sets Columnade's figures beside them.

usage: python3 benches/tpch/peers.py DATA_DIR --columnade FILE.json [--runs N] [--threads N]
       [--peers duckdb,polars,polars-streaming] [--record FILE.json]

DATA_DIR holds the eight tables as Parquet files, as the example `tpch` makes them. FILE.json is what that example wrote with
--json on the same machine, just before: the queries in it are run, as its SQL has them. Needs duckdb and polars. Every figure
is the median of N warm runs after one that is not counted.
"""

import argparse
import datetime
import json
import os
import platform
import statistics
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from timing import median  # noqa: E402

TABLES = "customer lineitem nation orders part partsupp region supplier".split()


def duckdb_runner(data, threads):
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"set threads={threads}")
    for table in TABLES:
        connection.execute(f"create table {table} as select * from read_parquet('{data}/{table}.parquet')")
    return lambda sql: connection.execute(sql).fetchall()


def polars_runner(data, engine):
    import polars

    frames = {table: polars.read_parquet(f"{data}/{table}.parquet").lazy() for table in TABLES}
    context = polars.SQLContext(frames)
    return lambda sql: context.execute(sql).collect(engine=engine).rows()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--columnade", required=True)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--peers", default="duckdb,polars,polars-streaming")
    parser.add_argument("--record")
    options = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(options.threads)

    results, queries = {}, {}
    with open(options.columnade) as file:
        for row in json.load(file):
            warm = row["seconds"][1:] or row["seconds"]
            results[row["query"]] = {"columnade": statistics.median(warm)}
            queries[row["query"]] = row["sql"]
    runners = {
        "duckdb": lambda: duckdb_runner(options.data, options.threads),
        "polars": lambda: polars_runner(options.data, "in-memory"),
        "polars-streaming": lambda: polars_runner(options.data, "streaming"),
    }
    peers = options.peers.split(",")
    for name in peers:
        try:
            run = runners[name]()
        except Exception as error:  # a peer that is not installed is left out and named
            print(f"{name}: {str(error).splitlines()[0]}")
            continue
        for number, sql in queries.items():
            try:
                results[number][name] = median(lambda: run(sql), options.runs)
            except Exception as error:  # as is a query that a peer refuses
                print(f"{name}, query {number}: {str(error).splitlines()[0]}")

    names = ["columnade", *peers]
    print(f"{'query':>5}", *[f"{name:>17}" for name in names])
    for number, row in results.items():
        print(f"{number:>5}", *[f"{row[name]:>17.4f}" if name in row else f"{'-':>17}" for name in names])
    if options.record:
        record = {
            "date": datetime.date.today().isoformat(),
            "machine": platform.processor() or platform.machine(),
            "threads": options.threads,
            "runs": options.runs,
            "median_seconds": results,
        }
        with open(options.record, "w") as file:
            json.dump(record, file, indent=2)
            file.write("\n")


main()
