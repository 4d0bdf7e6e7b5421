"""Times the questions of db-benchmark on other libraries and Columnade, tables in memory, in rounds.

usage: python3 benches/h2o/peers.py DATA_DIR [--columnade PROGRAM] [--questions g1,g2] [--rounds N] [--threads N]
       [--peers duckdb,polars,polars-streaming,clickhouse,datafusion,pandas] [--record FILE.json]

DATA_DIR holds g1.parquet for the group-by questions, and x, small, medium and big for the joins, as the example `h2o` makes
them; PROGRAM is that example. `benches/timing.py` says how rounds are measured. Each library has a process with its tables;
PROGRAM runs anew each round, reads the columns of the question and runs it over them. Rows and sums of the results are compared
with those of DuckDB; a library that differs, or refuses a question, is left out of it and named in the record. Shares of the
stream limit are of the bytes of the question's columns, read once, and of DuckDB's result. Needs what
`benches/requirements.txt` names.
"""

import os
import statistics
import sys
import tempfile

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import timing  # noqa: E402

GROUP_BY = {
    "g1": "select id1, sum(v1) as v1 from g1 group by id1",
    "g2": "select id1, id2, sum(v1) as v1 from g1 group by id1, id2",
    "g3": "select id3, sum(v1) as v1, avg(v3) as v3 from g1 group by id3",
    "g4": "select id4, avg(v1) as v1, avg(v2) as v2, avg(v3) as v3 from g1 group by id4",
    "g5": "select id6, sum(v1) as v1, sum(v2) as v2, sum(v3) as v3 from g1 group by id6",
    "g6": "select id4, id5, median(v3) as median_v3, stddev(v3) as sd_v3 from g1 group by id4, id5",
    "g7": "select id3, max(v1) - min(v2) as range_v1_v2 from g1 group by id3",
    "g8": """select id6, v3 as largest2_v3 from (
        select id6, v3, row_number() over (partition by id6 order by v3 desc) as place from g1 where v3 is not null
        ) as ranked where place <= 2""",
    "g9": "select id2, id4, power(corr(v1, v2), 2) as r2 from g1 group by id2, id4",
    "g10": """select id1, id2, id3, id4, id5, id6, sum(v3) as v3, count(*) as count from g1
        group by id1, id2, id3, id4, id5, id6""",
}
# The other table, the key, and the kind of join.
JOINS = {
    "j1": ("small", "id1", "inner"),
    "j2": ("medium", "id2", "inner"),
    "j3": ("medium", "id2", "left"),
    "j4": ("medium", "id5", "inner"),
    "j5": ("big", "id3", "inner"),
}
# The columns of the results whose sums are compared, and those of g1 that a question reads; joins read all.
MEASURES = {
    "g1": ["v1"],
    "g2": ["v1"],
    "g3": ["v1", "v3"],
    "g4": ["v1", "v2", "v3"],
    "g5": ["v1", "v2", "v3"],
    "g6": ["median_v3", "sd_v3"],
    "g7": ["range_v1_v2"],
    "g8": ["largest2_v3"],
    "g9": ["r2"],
    "g10": ["v3", "count"],
    **{question: ["v1", "v2"] for question in JOINS},
}
READS = {
    "g1": ["id1", "v1"],
    "g2": ["id1", "id2", "v1"],
    "g3": ["id3", "v1", "v3"],
    "g4": ["id4", "v1", "v2", "v3"],
    "g5": ["id6", "v1", "v2", "v3"],
    "g6": ["id4", "id5", "v3"],
    "g7": ["id3", "v1", "v2"],
    "g8": ["id6", "v3"],
    "g9": ["id2", "id4", "v1", "v2"],
    "g10": ["id1", "id2", "id3", "id4", "id5", "id6", "v3"],
}
# What ClickHouse writes otherwise: its median does not interpolate, and its largest values of groups need no ranks.
CLICKHOUSE = {
    "g6": """select id4, id5, quantileExactInclusive(0.5)(v3) as median_v3, stddevSamp(v3) as sd_v3 from g1
        group by id4, id5""",
    "g8": """select id6, arrayJoin(arraySlice(arrayReverseSort(groupArray(v3)), 1, 2)) as largest2_v3 from g1
        where v3 is not null group by id6""",
}


def tables_of(question):
    return ["g1"] if question in GROUP_BY else ["x", JOINS[question][0]]


class Peer:
    """A library that holds the tables of the last question."""

    def __init__(self, options):
        self.data, self.threads = options.data, options.threads
        self.tables = {}

    def load(self, question):
        """Reads the tables that are not there, once those of other questions are gone."""
        wanted = tables_of(question)
        for table in [table for table in self.tables if table not in wanted]:
            self.drop(table)
            del self.tables[table]
        for table in wanted:
            if table not in self.tables:
                self.tables[table] = self.read(table, f"{self.data}/{table}.parquet")

    def drop(self, table):
        """Frees what `tables` does not own."""

    def seconds(self, question):
        """Of a round."""
        return timing.timed(self.run_of(question))

    def check(self, question):
        """Rows of the result, the sums of its measures without NaN, and its bytes."""
        import pyarrow.compute as compute

        table = self.arrow(self.run_of(question)())
        sums = []
        for measure in MEASURES[question]:
            values = table[measure].cast("float64")
            sums.append(compute.sum(values.filter(compute.is_finite(values))).as_py() or 0.0)
        return {"rows": table.num_rows, "sums": sums, "bytes": timing.least_bytes(table)}

    def columns_of(self, table):
        import pyarrow.parquet

        return pyarrow.parquet.read_schema(f"{self.data}/{table}.parquet").names

    def sql(self, question):
        if question in GROUP_BY:
            return GROUP_BY[question]
        table, key, kind = JOINS[question]
        others = [label for label in self.columns_of(table) if label != key]
        names = {label: label if label.startswith("v") else f"{table}_{label}" for label in others}
        ours = [f"x.{label} as {label}" for label in self.columns_of("x")]
        columns = ", ".join(ours + [f"{table}.{label} as {name}" for label, name in names.items()])
        return f"select {columns} from x {kind} join {table} on x.{key} = {table}.{key}"


class DuckDB(Peer):
    def __init__(self, options):
        import duckdb

        super().__init__(options)
        self.connection = duckdb.connect()
        self.connection.execute(f"set threads={options.threads}")

    def read(self, table, path):
        return self.connection.execute(f"create table {table} as select * from read_parquet('{path}')")

    def drop(self, table):
        self.connection.execute(f"drop table {table}")

    def run_of(self, question):
        sql = self.sql(question)
        return lambda: self.connection.sql(sql).to_arrow_table()

    def arrow(self, result):
        return result


class Polars(Peer):
    def __init__(self, options, engine):
        super().__init__(options)
        self.engine = engine

    def read(self, table, path):
        import polars

        return polars.read_parquet(path)

    def run_of(self, question):
        query = self.query(question)
        return lambda: query.collect(engine=self.engine)

    def query(self, question):
        import polars

        col = polars.col
        if question in JOINS:
            table, key, kind = JOINS[question]
            return self.tables["x"].lazy().join(self.tables[table].lazy(), on=key, how=kind)
        aggregates = {
            "g1": [col("v1").sum()],
            "g2": [col("v1").sum()],
            "g3": [col("v1").sum(), col("v3").mean()],
            "g4": [col("v1", "v2", "v3").mean()],
            "g5": [col("v1", "v2", "v3").sum()],
            "g6": [col("v3").median().alias("median_v3"), col("v3").std().alias("sd_v3")],
            "g7": [(col("v1").max() - col("v2").min()).alias("range_v1_v2")],
            "g8": [col("v3").top_k(2).alias("largest2_v3")],
            "g9": [(polars.corr("v1", "v2") ** 2).alias("r2")],
            "g10": [col("v3").sum(), polars.len().alias("count")],
        }
        keys = [label for label in READS[question] if label.startswith("id")]
        rows = self.tables["g1"].lazy()
        if question == "g8":
            return rows.drop_nulls("v3").group_by(keys).agg(aggregates[question]).explode("largest2_v3")
        return rows.group_by(keys).agg(aggregates[question])

    def arrow(self, result):
        return result.to_arrow()


class ClickHouse(Peer):
    """Results are tables in memory too: what the engine has made is not copied again."""

    def __init__(self, options):
        from chdb import session

        super().__init__(options)
        self.folder = tempfile.TemporaryDirectory()
        self.session = session.Session(self.folder.name)
        self.session.query("create database held engine=Atomic")

    def read(self, table, path):
        import pyarrow.parquet

        # Columns without nulls are not Nullable, which is faster.
        groups = pyarrow.parquet.read_metadata(path)
        parts = [groups.row_group(at).column(column) for at in range(groups.num_row_groups) for column in range(groups.num_columns)]
        has_nulls = any(part.statistics is None or part.statistics.null_count != 0 for part in parts)
        settings = f"schema_inference_make_columns_nullable={int(has_nulls)}"
        self.session.query(f"create table held.{table} engine=Memory as select * from file('{path}') settings {settings}")
        return table

    def drop(self, table):
        self.session.query(f"drop table held.{table} sync")

    def run_of(self, question):
        sql = CLICKHOUSE.get(question) or self.sql(question)
        for table in tables_of(question):
            sql = sql.replace(f"from {table}", f"from held.{table} as {table}")
            sql = sql.replace(f"join {table} ", f"join held.{table} as {table} ")
        settings = f"max_threads={self.threads}, join_use_nulls=1"
        return lambda: Made(self.session, f"create table held.made engine=Memory as {sql} settings {settings}")

    def arrow(self, result):
        return self.session.query("select * from held.made", "ArrowTable")


class Made:
    """A result of ClickHouse, which goes with it."""

    def __init__(self, session, sql):
        self.session = session
        session.query(sql)

    def __del__(self):
        self.session.query("drop table if exists held.made sync")


class DataFusion(Peer):
    def __init__(self, options):
        import datafusion

        super().__init__(options)
        self.context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(options.threads))

    def read(self, table, path):
        # As its own reader makes them, with string views, a share for each thread.
        batches = self.context.read_parquet(path).collect()
        shares = [batches[at :: self.threads] for at in range(self.threads)]
        self.context.register_record_batches(table, [share for share in shares if share])
        return table

    def drop(self, table):
        self.context.deregister_table(table)

    def run_of(self, question):
        sql = self.sql(question)
        return lambda: self.context.sql(sql).collect()

    def arrow(self, result):
        import pyarrow

        return pyarrow.Table.from_batches(result)


class Pandas(Peer):
    def read(self, table, path):
        import pandas

        return pandas.read_parquet(path)

    def groups(self, *keys):
        return self.tables["g1"].groupby(list(keys), as_index=False, sort=False, observed=True, dropna=False)

    def run_of(self, question):
        if question in GROUP_BY:
            return getattr(self, question)
        table, key, kind = JOINS[question]
        return lambda: self.tables["x"].merge(self.tables[table], on=key, how=kind, suffixes=("", "_right"))

    def g1(self):
        return self.groups("id1").agg({"v1": "sum"})

    def g2(self):
        return self.groups("id1", "id2").agg({"v1": "sum"})

    def g3(self):
        return self.groups("id3").agg({"v1": "sum", "v3": "mean"})

    def g4(self):
        return self.groups("id4").agg({"v1": "mean", "v2": "mean", "v3": "mean"})

    def g5(self):
        return self.groups("id6").agg({"v1": "sum", "v2": "sum", "v3": "sum"})

    def g6(self):
        return self.groups("id4", "id5").agg(median_v3=("v3", "median"), sd_v3=("v3", "std"))

    def g7(self):
        extremes = self.groups("id3").agg({"v1": "max", "v2": "min"})
        return extremes.assign(range_v1_v2=extremes["v1"] - extremes["v2"])[["id3", "range_v1_v2"]]

    def g8(self):
        valued = self.tables["g1"][["id6", "v3"]].dropna(subset="v3").sort_values("v3", ascending=False)
        largest = valued.groupby("id6", sort=False, dropna=False).head(2)
        return largest.rename(columns={"v3": "largest2_v3"})

    def g9(self):
        pairs = self.tables["g1"].groupby(["id2", "id4"], sort=False, observed=True, dropna=False)[["v1", "v2"]].corr()
        return (pairs.xs("v1", level=-1)["v2"] ** 2).rename("r2").reset_index()

    def g10(self):
        groups = self.groups("id1", "id2", "id3", "id4", "id5", "id6")
        return groups.agg(v3=("v3", "sum"), count=("v1", "size"))

    def arrow(self, result):
        import pyarrow

        return pyarrow.Table.from_pandas(result, preserve_index=False)


PEERS = {
    "duckdb": DuckDB,
    "polars": lambda options: Polars(options, "in-memory"),
    "polars-streaming": lambda options: Polars(options, "streaming"),
    "clickhouse": ClickHouse,
    "datafusion": DataFusion,
    "pandas": Pandas,
}


def bytes_read(data, question):
    """Bytes of the columns that a question reads."""
    import pyarrow.parquet

    tables = [pyarrow.parquet.ParquetFile(f"{data}/{table}.parquet") for table in tables_of(question)]
    columns = [(table, label) for table in tables for label in READS.get(question) or table.schema_arrow.names]
    return sum(timing.least_bytes(table.read(columns=[label])) for table, label in columns)


class Columnade:
    """The example, as a process that reads the columns of a question each round."""

    def __init__(self, options):
        self.options = options
        # Of each round, the run that is not counted, by question.
        self.firsts = {}

    def record(self, question):
        return timing.example(self.options.columnade, ["--data", self.options.data, "--questions", question])[0]

    def seconds(self, question):
        first, *counted = self.record(question)["seconds"]
        self.firsts.setdefault(question, []).append(first)
        return statistics.median(counted)

    def check(self, question):
        """Groups of g8 are lists: there are fewer rows."""
        record = self.record(question)
        return {"rows": None if question == "g8" else record["rows"], "sums": record["check"]}


def compare(rounds, question, checks):
    """Leaves out of a question the libraries whose result is not that of DuckDB, or of the first one without DuckDB."""
    reference = checks.get("duckdb") or next(iter(checks.values()), None)
    for library, check in checks.items():
        if not timing.agrees(check, reference):
            found = f"{check['rows']} rows, sums {check['sums']}"
            expected = f"{reference['rows']} rows, sums {reference['sums']}"
            rounds.leave_out(library, question, f"its result differs: {found}, not {expected}")


def main():
    parser = timing.parser_of(__doc__, __file__)
    parser.add_argument("data")
    parser.add_argument("--questions", default=",".join([*GROUP_BY, *JOINS]))
    parser.add_argument("--peers", default=",".join(PEERS))
    options = parser.parse_args()
    timing.limit_threads(options.threads)
    if options.serve:
        timing.serve(lambda: PEERS[options.serve](options))
        return

    rounds, sizes, ours = timing.Rounds(), {}, Columnade(options)
    peers = options.peers.split(",")
    arguments = [__file__, options.data, "--threads", str(options.threads), "--serve"]
    workers = {name: timing.Worker([*arguments, name]) for name in peers}
    order = (["columnade"] if options.columnade else []) + peers
    speed = timing.stream(options.threads)
    for question in options.questions.split(","):
        checks = {}
        for library in order:
            try:
                if library in workers:
                    workers[library].ask("load", question)
                checks[library] = workers[library].ask("check", question) if library in workers else ours.check(question)
            except Exception as error:
                rounds.leave_out(library, question, timing.reason_of(error))
        compare(rounds, question, checks)
        if "duckdb" in checks:
            sizes[question] = bytes_read(options.data, question) + checks["duckdb"]["bytes"]
        runs = {library: lambda peer=worker: peer.ask("seconds", question) for library, worker in workers.items()}
        if options.columnade:
            runs = {"columnade": lambda: ours.seconds(question), **runs}
        for _ in range(options.rounds):
            rounds.round(question, runs)
    for worker in workers.values():
        worker.close()
    speed = max(speed, timing.stream(options.threads))
    how = "the example once a round, before the others, as a process that reads the columns of the question"
    record = timing.record_of(options, order, rounds, how, speed, sizes)
    for question, firsts in ours.firsts.items():
        record["median_seconds"][question]["columnade-first-run"] = statistics.median(firsts)
    timing.publish(options, record)


if __name__ == "__main__":
    main()
