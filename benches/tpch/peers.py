"""Times TPC-H Q1, Q3 and Q6 on DuckDB and Polars, tables in memory, and sets Columnade's figures beside them.

usage: python3 benches/tpch/peers.py DATA_DIR [--columnade FILE.json] [--runs N] [--threads N] [--record FILE.json]

DATA_DIR holds customer.parquet, orders.parquet and lineitem.parquet, as the example `tpch` makes them.
FILE.json is what that example wrote with --json on the same machine, just before. Needs duckdb and polars.
Every figure is the median of N warm runs after one that is not counted.
"""

import argparse
import datetime
import json
import os
import platform
import statistics
import time

QUERIES = {
    1: """
        select l_returnflag, l_linestatus, sum(l_quantity), sum(l_extendedprice),
               sum(l_extendedprice * (1 - l_discount)), sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)),
               avg(l_quantity), avg(l_extendedprice), avg(l_discount), count(*)
        from lineitem where l_shipdate <= date '1998-09-02'
        group by l_returnflag, l_linestatus order by l_returnflag, l_linestatus""",
    3: """
        select l_orderkey, sum(l_extendedprice * (1 - l_discount)) as revenue, o_orderdate, o_shippriority
        from customer, orders, lineitem
        where c_mktsegment = 'BUILDING' and c_custkey = o_custkey and l_orderkey = o_orderkey
          and o_orderdate < date '1995-03-15' and l_shipdate > date '1995-03-15'
        group by l_orderkey, o_orderdate, o_shippriority order by revenue desc, o_orderdate limit 10""",
    6: """
        select sum(l_extendedprice * l_discount) from lineitem
        where l_shipdate >= date '1994-01-01' and l_shipdate < date '1995-01-01'
          and l_discount between 0.05 and 0.07 and l_quantity < 24""",
}
TABLES = ["customer", "orders", "lineitem"]


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


def median_seconds(run, sql, runs):
    run(sql)
    seconds = []
    for _ in range(runs):
        start = time.perf_counter()
        run(sql)
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--columnade")
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--record")
    options = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(options.threads)

    results = {number: {} for number in QUERIES}
    if options.columnade:
        with open(options.columnade) as file:
            for row in json.load(file):
                if row["query"] in results:
                    results[row["query"]]["columnade"] = statistics.median(row["seconds"])
    runners = {
        "duckdb": lambda: duckdb_runner(options.data, options.threads),
        "polars": lambda: polars_runner(options.data, "in-memory"),
        "polars-streaming": lambda: polars_runner(options.data, "streaming"),
    }
    for name, start in runners.items():
        try:
            run = start()
            for number, sql in QUERIES.items():
                results[number][name] = median_seconds(run, sql, options.runs)
        except Exception as error:  # a peer that is not installed, or refuses a query, is left out and named
            print(f"{name}: {str(error).splitlines()[0]}")

    names = ["columnade", *runners]
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
