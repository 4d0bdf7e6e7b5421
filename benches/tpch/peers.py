"""Times TPC-H on other libraries and Columnade, tables in memory, in rounds.

usage: python3 benches/tpch/peers.py DATA_DIR --queries FILE.json [--columnade PROGRAM] [--rounds N] [--threads N]
       [--peers duckdb,polars,polars-streaming,clickhouse,datafusion] [--record FILE.json]

DATA_DIR holds the eight tables as Parquet files, as the example `tpch` makes them. FILE.json is what that example, which is
PROGRAM, wrote with --json: the queries in it are run, as its SQL has them, with what `CHANGES` says. `benches/timing.py` says
how rounds are measured. Each library has a process with all tables; PROGRAM runs anew each round and reads the columns of the
query. Rows are compared with those of DuckDB; a library that differs, or refuses a query, is left out of it and named in the
record. Needs what `benches/requirements.txt` names. pandas has no SQL, and there are no queries for it here.
"""

import json
import math
import os
import statistics
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import timing  # noqa: E402

TABLES = "customer lineitem nation orders part partsupp region supplier".split()
# What a library writes otherwise, by query.
CHANGES = {
    "clickhouse": {
        # The bounds would be floats, of which one is a little more than 0.05.
        "6": [("0.06 - 0.01 and 0.06 + 0.01", "0.05 and 0.07")],
        # A quotient of decimals has the digits of the first one.
        "8": [("/ sum(volume)", "/ cast(sum(volume) as double)")],
    }
}


class DuckDB:
    def __init__(self, data, threads):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute(f"set threads={threads}")
        for table in TABLES:
            self.connection.execute(f"create table {table} as select * from read_parquet('{data}/{table}.parquet')")

    def run(self, sql):
        return self.connection.execute(sql).fetchall()

    def rows(self, sql):
        return self.run(sql)


class Polars:
    def __init__(self, data, engine):
        import polars

        frames = {table: polars.read_parquet(f"{data}/{table}.parquet").lazy() for table in TABLES}
        self.context, self.engine = polars.SQLContext(frames), engine

    def run(self, sql):
        return self.context.execute(sql).collect(engine=self.engine).rows()

    def rows(self, sql):
        return self.run(sql)


class ClickHouse:
    def __init__(self, data, threads):
        from chdb import session

        self.folder = tempfile.TemporaryDirectory()
        self.session = session.Session(self.folder.name)
        self.session.query(f"set max_threads={threads}, join_use_nulls=1")
        for table in TABLES:
            self.session.query(f"create table {table} engine=Memory as select * from file('{data}/{table}.parquet')")

    def run(self, sql):
        return self.session.query(sql, "ArrowTable")

    def rows(self, sql):
        return [tuple(row.values()) for row in self.run(sql).to_pylist()]


class DataFusion:
    def __init__(self, data, threads):
        import datafusion

        self.context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(threads))
        for table in TABLES:
            # As its own reader makes them, with string views, a share for each thread.
            batches = self.context.read_parquet(f"{data}/{table}.parquet").collect()
            shares = [batches[at::threads] for at in range(threads)]
            self.context.register_record_batches(table, [share for share in shares if share])

    def run(self, sql):
        return self.context.sql(sql).to_arrow_table()

    def rows(self, sql):
        table = self.run(sql)
        return list(zip(*[column.to_pylist() for column in table.columns])) if table.num_columns else []


class Served:
    """A library that answers with seconds, and with rows as JSON can have them."""

    def __init__(self, library):
        self.library = library

    def seconds(self, sql):
        return timing.timed(lambda: self.library.run(sql))

    def rows(self, sql):
        return [[plain(value) for value in row] for row in self.library.rows(sql)]


PEERS = {
    "duckdb": lambda options: DuckDB(options.data, options.threads),
    "polars": lambda options: Polars(options.data, "in-memory"),
    "polars-streaming": lambda options: Polars(options.data, "streaming"),
    "clickhouse": lambda options: ClickHouse(options.data, options.threads),
    "datafusion": lambda options: DataFusion(options.data, options.threads),
}


def plain(value):
    """A value as text, or a number as a float."""
    if value is None or isinstance(value, str):
        return value
    try:
        return float(value)
    except TypeError:
        return str(value)


def is_close(one, other):
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6, abs_tol=1e-6)
    return one == other


def difference(rows, reference):
    """Where rows differ from those of another library, without their order; `None` where they do not."""
    if len(rows) != len(reference):
        return f"{len(rows)} rows, not {len(reference)}"
    # Texts first: floats that differ by their rounding must not change the order.
    order = lambda row: ([str(value) for value in row if not isinstance(value, float)], [value for value in row if isinstance(value, float)])
    for row, expected in zip(sorted(rows, key=order), sorted(reference, key=order)):
        if len(row) != len(expected) or not all(map(is_close, row, expected)):
            return f"a row is {row}, not {expected}"
    return None


def changed(library, number, sql):
    for old, new in CHANGES.get(library, {}).get(number, []):
        if old not in sql:
            raise ValueError(f"query {number} has no {old!r}")
        sql = sql.replace(old, new)
    return sql


def main():
    parser = timing.parser_of(__doc__, __file__)
    parser.add_argument("data")
    parser.add_argument("--queries")
    parser.add_argument("--peers", default=",".join(PEERS))
    options = parser.parse_args()
    timing.limit_threads(options.threads)
    if options.serve:
        timing.serve(lambda: Served(PEERS[options.serve](options)))
        return
    if not options.queries:
        parser.error("--queries is needed")

    with open(options.queries) as file:
        queries = {str(row["query"]): row["sql"] for row in json.load(file)}
    rounds = timing.Rounds()
    peers = options.peers.split(",")
    arguments = [__file__, options.data, "--threads", str(options.threads), "--serve"]
    workers = {name: timing.Worker([*arguments, name]) for name in peers}

    def columnade(number, reference):
        """Its own `--verify` compares values; here only the number of rows is."""
        record = timing.example(options.columnade, ["--data", options.data, "--queries", number])[0]
        if reference is not None and record["rows"] != len(reference):
            raise ValueError(f"{record['rows']} rows, not {len(reference)}")
        return statistics.median(record["seconds"][1:])

    for number, sql in queries.items():
        texts, answers = {}, {}
        for library, worker in workers.items():
            try:
                texts[library] = changed(library, number, sql)
                answers[library] = worker.ask("rows", texts[library])
            except Exception as error:
                rounds.leave_out(library, number, timing.reason_of(error))
        reference = answers.get("duckdb")
        for library, rows in answers.items():
            found = difference(rows, reference) if reference is not None else None
            if found:
                rounds.leave_out(library, number, f"its result differs: {found}")
        runs = {"columnade": lambda: columnade(number, reference)} if options.columnade else {}
        for library, worker in workers.items():
            runs[library] = lambda library=library, worker=worker: worker.ask("seconds", texts[library])
        for _ in range(options.rounds):
            rounds.round(number, runs)
    for worker in workers.values():
        worker.close()
    order = (["columnade"] if options.columnade else []) + peers
    how = "the example once a round, before the others, as a process that reads the columns of the query"
    record = timing.record_of(options, order, rounds, how)
    record["changes_of_sql"] = {library: changes for library, changes in CHANGES.items() if library in peers}
    timing.publish(options, record)


if __name__ == "__main__":
    main()
