"""Reads, sorts, groups and joins tables larger than the memory a library may use: seconds of each step and the process's peak memory.

usage: peers.py [--limit-mb 200] [--factors 2,4,8] [--formats parquet,csv,json,ipc] [--rounds N] [--record FILE.json]

A table of `factor` times the limit is read from Parquet, sorted by a random key, grouped into a quarter as many groups and joined
with a table of these, once with the pairs alone and once with all rows of both; every result is kept. Tables of other formats are
only read. In a round each library does so once, in a process of its own with two threads and an
empty folder for what it moves to disk. Columnade is the Python package of this repository, DuckDB holds its tables in memory
(`:memory:`) and has a folder for temporary files; `duckdb-file` has them in a database file. The peak is that of the system (VmHWM).
"""

import os
import pathlib
import shutil
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import timing

LIBRARIES = ("columnade", "duckdb", "duckdb-file")
STEPS = ("read", "sort", "group", "join", "outer")
# Bytes of a row of facts: three numbers of 8 bytes, a text of 8 and its offset.
ROW_BYTES = 36
GROUPED = "select grp, sum(amount) as amount, min(key) as least, count(*) as n from facts group by grp"


def make(folder, rows):
    """Facts, and a row for each group, as files of Parquet. Keys come twice here and there."""
    import numpy
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = numpy.random.default_rng(1)
    groups = rows // 4
    facts = {
        "key": random.integers(0, rows, rows),
        "grp": random.integers(0, groups, rows),
        "amount": random.integers(0, 1_000_000, rows),
        "tag": pa.array(numpy.char.mod("%08x", random.integers(0, 1 << 32, rows, dtype="uint64")).astype(str)),
    }
    pq.write_table(pa.table(facts), os.path.join(folder, "facts.parquet"), compression="snappy")
    other = {"grp": random.permutation(groups), "rate": random.integers(0, 100, groups)}
    pq.write_table(pa.table(other), os.path.join(folder, "other.parquet"), compression="snappy")


def rewrite(folder, form):
    """Facts in a file of another format."""
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    facts = pq.ParquetFile(os.path.join(folder, "facts.parquet"))
    target = os.path.join(folder, f"facts.{form}")
    if form == "ipc":
        with pa.OSFile(target, "wb") as file, pa.ipc.new_file(file, facts.schema_arrow) as writer:
            for batch in facts.iter_batches(65536):
                writer.write_batch(batch)
        return
    source = os.path.join(folder, "facts.parquet")
    duckdb.sql(f"copy (select * from read_parquet('{source}')) to '{target}' (format {form})")


class Columnade:
    """Frames of the package, whose memory the environment limits."""

    def __init__(self, folder, limit_mb, spilled):
        os.environ["COLUMNADE_SPILL_DEVICE_LIMIT"] = f"{limit_mb}MB"
        os.environ["COLUMNADE_SPILL_FOLDER"] = spilled
        import columnade

        self.library, self.folder, self.kept = columnade, folder, []

    def read(self):
        self.facts = self.library.read_parquet(os.path.join(self.folder, "facts.parquet"))
        self.other = self.library.read_parquet(os.path.join(self.folder, "other.parquet"))
        return len(self.facts)

    def read_file(self, form):
        path = os.path.join(self.folder, f"facts.{form}")
        return self.keep(getattr(self.library, f"read_{form}")(path))

    def sort(self):
        return self.keep(self.facts.sort_values("key"))

    def group(self):
        named = {"amount": ("amount", "sum"), "least": ("key", "min"), "n": ("key", "count")}
        return self.keep(self.facts.groupby("grp", sort=False).agg(**named))

    def join(self):
        return self.keep(self.facts.merge(self.other, on="grp"))

    def outer(self):
        return self.keep(self.facts.merge(self.other, on="grp", how="outer"))

    def keep(self, frame):
        self.kept.append(frame)
        return len(frame)


class DuckDB:
    """Tables of a database in memory, or in a file."""

    def __init__(self, folder, limit_mb, spilled, database=":memory:"):
        import duckdb

        self.folder = folder
        self.connection = duckdb.connect(database)
        # The order of rows is no promise here; it costs DuckDB memory.
        options = f"set threads=2; set memory_limit='{limit_mb}MB'; set preserve_insertion_order=false"
        self.connection.execute(f"{options}; set temp_directory='{spilled}'")

    def read(self):
        for name in ("facts", "other"):
            self.table(name, f"select * from read_parquet('{os.path.join(self.folder, name)}.parquet')")
        return self.rows("facts")

    def read_file(self, form):
        if form == "ipc":
            raise NotImplementedError("no reader of Arrow IPC without an extension")
        return self.table("read", f"select * from read_{form}('{os.path.join(self.folder, 'facts')}.{form}')")

    def sort(self):
        return self.table("sorted", "select * from facts order by key")

    def group(self):
        return self.table("grouped", GROUPED)

    def join(self):
        return self.table("joined", "select * from facts join other using (grp)")

    def outer(self):
        return self.table("outer_joined", "select * from facts full join other using (grp)")

    def table(self, name, query):
        self.connection.execute(f"create table {name} as {query}")
        return self.rows(name)

    def rows(self, name):
        return self.connection.execute(f"select count(*) from {name}").fetchone()[0]


class Peer:
    """A library at work, behind `timing.serve`."""

    def __init__(self, library, folder, limit_mb, spilled):
        database = {} if library == "duckdb" else {"database": os.path.join(spilled, "tables.duckdb")}
        if library == "columnade":
            self.work = Columnade(folder, limit_mb, spilled)
        else:
            self.work = DuckDB(folder, limit_mb, spilled, **database)

    def step(self, name):
        start = time.perf_counter()
        rows = self.work.read_file(name.removeprefix("read ")) if name.startswith("read ") else getattr(self.work, name)()
        return {"seconds": time.perf_counter() - start, "rows": rows}

    def peak_mb(self):
        status = pathlib.Path("/proc/self/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmHWM:"))
        return round(int(line.split()[1]) / 1000)


def once(rounds, peaks, factor, library, folder, options, steps=STEPS, process=""):
    """The steps of one process of a library, once. A step that fails leaves out those after it."""
    spilled = tempfile.mkdtemp(prefix="spilled-", dir=options.folder)
    worker = timing.Worker([__file__, "--serve", library, folder, str(options.limit_mb), spilled])
    rows = []
    try:
        for step in steps:
            name = f"{factor}x {step}"
            if rounds.is_left_out(library, name):
                break
            try:
                answer = worker.ask("step", step)
            except RuntimeError as error:
                for later in steps[steps.index(step):]:
                    rounds.leave_out(library, f"{factor}x {later}", str(error))
                break
            rounds.add(library, name, answer["seconds"])
            rows.append(answer["rows"])
        peaks.setdefault(f"{factor}x{process}", {}).setdefault(library, []).append(worker.ask("peak_mb"))
    except RuntimeError as error:
        rounds.leave_out(library, f"{factor}x{process} peak", str(error))
    finally:
        worker.close()
        shutil.rmtree(spilled, ignore_errors=True)
    return rows


def main():
    if sys.argv[1:2] == ["--serve"]:
        library, folder, limit_mb, spilled = sys.argv[2:]
        return timing.serve(lambda: Peer(library, folder, int(limit_mb), spilled))
    parser = timing.parser_of(__doc__)
    parser.add_argument("--limit-mb", type=int, default=200)
    parser.add_argument("--factors", default="2,4,8")
    parser.add_argument("--formats", default="parquet,csv,json,ipc", help="of the files that are read")
    parser.add_argument("--folder", help="where data and what is moved to disk lie")
    options = parser.parse_args()
    timing.limit_threads(2)
    os.environ["RAYON_NUM_THREADS"] = "2"
    rounds, peaks = timing.Rounds(), {}
    for factor in options.factors.split(","):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            make(folder, int(factor) * options.limit_mb * 1_000_000 // ROW_BYTES)
            for form in options.formats.split(","):
                steps, process = (STEPS, "") if form == "parquet" else ((f"read {form}",), f" read {form}")
                if process:
                    rewrite(folder, form)
                for _ in range(options.rounds):
                    found = {
                        library: once(rounds, peaks, factor, library, folder, options, steps, process)
                        for library in LIBRARIES
                    }
                    whole = {library: rows for library, rows in found.items() if len(rows) == len(steps)}
                    if len({tuple(rows) for rows in whole.values()}) > 1:
                        raise SystemExit(f"{factor}x: the libraries differ in their rows: {found}")
                if process:
                    os.remove(os.path.join(folder, f"facts.{form}"))
    record = timing.record_of(options, list(LIBRARIES), rounds, "the Python package, built for release")
    record["runs_a_round"] = "one, in a new process for each library and factor"
    record["limit_mb"] = options.limit_mb
    record["peak_mb"] = {factor: {library: max(found) for library, found in row.items()} for factor, row in peaks.items()}
    timing.publish(options, record)
    for factor, row in record["peak_mb"].items():
        print(f"{factor} peak, MB", *[f"{library} {peak}" for library, peak in row.items()])
    return None


if __name__ == "__main__":
    main()
