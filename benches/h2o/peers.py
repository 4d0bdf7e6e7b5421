"""Times the questions of db-benchmark on DuckDB and Polars, tables in memory, and sets Columnade's figures beside them.

usage: python3 benches/h2o/peers.py DATA_DIR [--columnade FILE.json] [--questions g1,g2] [--runs N] [--threads N]
       [--peers duckdb,polars,polars-streaming] [--record FILE.json]

DATA_DIR holds g1.parquet for the group-by questions, and x, small, medium and big for the joins, as the example `h2o`
makes them. FILE.json is what that example wrote with --json on the same machine, just before. Needs duckdb and polars.
Every figure is the median of N warm runs after one that is not counted.
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

GROUP_BY = {
    "g1": "select id1, sum(v1) from g1 group by id1",
    "g2": "select id1, id2, sum(v1) from g1 group by id1, id2",
    "g3": "select id3, sum(v1), avg(v3) from g1 group by id3",
    "g4": "select id4, avg(v1), avg(v2), avg(v3) from g1 group by id4",
    "g5": "select id6, sum(v1), sum(v2), sum(v3) from g1 group by id6",
    "g6": "select id4, id5, quantile_cont(v3, 0.5), stddev(v3) from g1 group by id4, id5",
    "g7": "select id3, max(v1) - min(v2) from g1 group by id3",
    "g8": """select id6, v3 from (
        select id6, v3, row_number() over (partition by id6 order by v3 desc) as place from g1 where v3 is not null
        ) as ranked where place <= 2""",
    "g9": "select id2, id4, pow(corr(v1, v2), 2) from g1 group by id2, id4",
    "g10": "select id1, id2, id3, id4, id5, id6, sum(v3), count(*) from g1 group by id1, id2, id3, id4, id5, id6",
}
# The other table, the key, and the kind of join.
JOINS = {
    "j1": ("small", "id1", "inner"),
    "j2": ("medium", "id2", "inner"),
    "j3": ("medium", "id2", "left"),
    "j4": ("medium", "id5", "inner"),
    "j5": ("big", "id3", "inner"),
}


def tables_of(questions):
    tables = {"g1"} if any(question in GROUP_BY for question in questions) else set()
    for question in questions:
        if question in JOINS:
            tables |= {"x", JOINS[question][0]}
    return sorted(tables)


def duckdb_questions(data, questions, threads):
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"set threads={threads}")
    for table in tables_of(questions):
        connection.execute(f"create table {table} as select * from read_parquet('{data}/{table}.parquet')")

    def sql(question):
        if question in GROUP_BY:
            return GROUP_BY[question]
        table, key, kind = JOINS[question]
        others = [row[0] for row in connection.execute(f"describe {table}").fetchall() if row[0] != key]
        columns = ", ".join(f"{table}.{label} as {table}_{label}" for label in others)
        return f"select x.*, {columns} from x {kind} join {table} using ({key})"

    return {question: (lambda text=sql(question): connection.sql(text).to_arrow_table()) for question in questions}


def polars_questions(data, questions, engine):
    import polars

    frames = {table: polars.read_parquet(f"{data}/{table}.parquet") for table in tables_of(questions)}
    col = polars.col
    group_by = {
        "g1": (["id1"], [col("v1").sum()]),
        "g2": (["id1", "id2"], [col("v1").sum()]),
        "g3": (["id3"], [col("v1").sum(), col("v3").mean()]),
        "g4": (["id4"], [col("v1", "v2", "v3").mean()]),
        "g5": (["id6"], [col("v1", "v2", "v3").sum()]),
        "g6": (["id4", "id5"], [col("v3").median().alias("median"), col("v3").std().alias("sd")]),
        "g7": (["id3"], [(col("v1").max() - col("v2").min()).alias("range")]),
        "g8": (["id6"], [col("v3").top_k(2)]),
        "g9": (["id2", "id4"], [(polars.corr("v1", "v2") ** 2).alias("r2")]),
        "g10": (["id1", "id2", "id3", "id4", "id5", "id6"], [col("v3").sum(), polars.len().alias("count")]),
    }

    def query(question):
        if question in GROUP_BY:
            keys, aggregates = group_by[question]
            rows = frames["g1"].lazy()
            if question == "g8":
                return rows.drop_nulls("v3").group_by(keys).agg(aggregates).explode("v3")
            return rows.group_by(keys).agg(aggregates)
        table, key, kind = JOINS[question]
        return frames["x"].lazy().join(frames[table].lazy(), on=key, how=kind)

    return {question: (lambda lazy=query(question): lazy.collect(engine=engine)) for question in questions}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--columnade")
    parser.add_argument("--questions", default=",".join([*GROUP_BY, *JOINS]))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--peers", default="duckdb,polars,polars-streaming")
    parser.add_argument("--record")
    options = parser.parse_args()
    os.environ["POLARS_MAX_THREADS"] = str(options.threads)

    questions = options.questions.split(",")
    results = {question: {} for question in questions}
    if options.columnade:
        with open(options.columnade) as file:
            for row in json.load(file):
                if row["query"] in results:
                    warm = row["seconds"][1:] or row["seconds"]
                    results[row["query"]]["columnade"] = statistics.median(warm)
                    results[row["query"]]["columnade-first-run"] = row["seconds"][0]
    runners = {
        "duckdb": lambda: duckdb_questions(options.data, questions, options.threads),
        "polars": lambda: polars_questions(options.data, questions, "in-memory"),
        "polars-streaming": lambda: polars_questions(options.data, questions, "streaming"),
    }
    peers = options.peers.split(",")
    for name in peers:
        try:
            for question, run in runners[name]().items():
                results[question][name] = median(run, options.runs)
        except Exception as error:  # a peer that is not installed, or refuses a query, is left out and named
            print(f"{name}: {str(error).splitlines()[0]}")

    names = ["columnade", "columnade-first-run", *peers]
    print(f"{'question':>8}", *[f"{name:>19}" for name in names])
    for question, row in results.items():
        print(f"{question:>8}", *[f"{row[name]:>19.4f}" if name in row else f"{'-':>19}" for name in names])
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
