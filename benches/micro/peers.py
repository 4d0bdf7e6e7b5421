"""Times the operations of the bench `micro` on other libraries and Columnade, tables in memory, in rounds.

usage: python3 benches/micro/peers.py [--columnade PROGRAM] [--rows N] [--rounds N] [--threads N] [--only PART]
       [--record FILE.json]

PROGRAM is the bench, as cargo has built it. PART is in the names of the operations. `benches/timing.py` says how rounds are
measured: the program's are all of its operations, before the others. Results are materialised in memory; a library whose result
has other numbers of rows, or that refuses an operation, is left out of it and named in the record. Rows have no order in
DataFusion, which has no windows over the rows as they come, nor functions of polars and pandas alone; pandas has no
decimals, and it leaves the strings of two frames where they are. Shares of the stream limit are of the bytes of the columns that an operation reads, once, and of its result. Needs
what `benches/requirements.txt` names.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import timing  # noqa: E402

GROUPS = 100_000


def facts_of(rows):
    """The columns of `frames.rs`, by the same rules from another generator."""
    import numpy
    import polars

    random = numpy.random.default_rng(3)
    units = random.random(rows)
    keys = {"k10": 10, "k1e3": 1000, "k1e4": 10_000, "k1e5": GROUPS, "k1e6": 1_000_000}
    bits = random.integers(0, 1 << 62, rows)
    return polars.DataFrame(
        {
            **{key: random.integers(0, min(bound, rows), rows) for key, bound in keys.items()},
            "u32": (bits >> 30).astype("uint32"),
            "i64": bits - (1 << 61),
            "i27": random.integers(0, 1 << 27, rows),
            "each": random.permutation(rows),
            "half": random.permutation(2 * rows)[:rows],
            "zipf": numpy.minimum((1 - units) ** (1 / (1 - 1.5)), 1e6).astype("int64"),
            "x": units,
        }
    ).with_columns(
        polars.format("id{}", polars.col("k1e5").cast(polars.String).str.zfill(8)).alias("name"),
        polars.when(polars.col("x") < 0.95).then("x").alias("partly"),
        (polars.col("k1e6").cast(polars.Decimal(12, 2)) / 100).cast(polars.Decimal(12, 2)).alias("money"),
    )


def one_each(key, count):
    import numpy
    import polars

    frame = polars.DataFrame({key: numpy.random.default_rng(4).permutation(count)})
    return frame.with_columns((polars.col(key) * by).alias(f"y{by}") for by in (1, 2, 3))


def times(rows, seed):
    import numpy

    return numpy.random.default_rng(seed).integers(0, 10, rows).cumsum()


def operation(polars, sql, reads, pandas=None, datafusion=True):
    """An operation: calls for Polars and pandas, a query for DuckDB, which `datafusion` replaces or `False` keeps to DuckDB.

    `reads` are the columns it reads, by table.
    """
    other = datafusion if isinstance(datafusion, str) else sql if datafusion else None
    return {"polars": polars, "duckdb": sql, "datafusion": other, "pandas": pandas, "reads": reads}


def frames(rows):
    """Frames by name, and the operations on them; pandas has its own ones, under the same names in `held`."""
    import numpy
    import pandas
    import polars

    col = polars.col
    facts = facts_of(rows)
    few, many, all_keys = (one_each(key, min(n, rows)) for key, n in (("k1e4", 10_000), ("k1e6", 1_000_000), ("each", rows)))
    repeated = polars.DataFrame({"k1e5": numpy.arange(10 * min(GROUPS, rows)) // 10})
    events = polars.DataFrame({"t": times(rows, 5)})
    quotes = polars.DataFrame({"t": times(rows, 6)}).with_columns(price=col("t") * 2)
    thousand = facts.select("k10", "x").head(1000)
    tables = {
        "facts": facts, "thousand": thousand, "few": few, "many": many, "all_keys": all_keys, "repeated": repeated, "events": events,
        "quotes": quotes, "columns": polars.DataFrame(numpy.random.default_rng(7).random((rows // 5_000, 300))),
    }
    held = pandas_of(tables, without="money")

    def sort(columns, by):
        keys = ", ".join(f"{key} nulls last" for key in by)
        return operation(
            lambda: facts.select(columns).sort(by, nulls_last=True),
            f"select {', '.join(columns)} from facts order by {keys}",
            {"facts": columns},
            lambda: held["facts"][columns].sort_values(by),
        )

    def group(key, expressions, sql, value="x", pandas=None, datafusion=True, table="facts"):
        frame = tables[table]
        of_group = pandas or (lambda groups: groups.sum())
        return operation(
            lambda: frame.group_by(key).agg(expressions),
            f"select {key}, {sql} from {table} group by {key}",
            {table: [key, value]},
            (lambda: of_group(held[table].groupby(key, sort=False)[value])) if value != "money" else None,
            f"select {key}, {datafusion} from {table} group by {key}" if isinstance(datafusion, str) else datafusion,
        )

    def join(other, name, key):
        return operation(
            lambda: facts.select(key).join(other, on=key),
            f"select * from (select {key} from facts) f join {name} using ({key})",
            {"facts": [key], name: other.columns},
            lambda: held["facts"][[key]].merge(held[name], on=key),
        )

    x = col("x")
    total = x.sum().alias("sum")
    eight = [x.sum().alias("a0"), x.mean().alias("a1"), x.min().alias("a2"), x.max().alias("a3"), x.var().alias("a4")]
    eight += [x.first().alias("a5"), x.last().alias("a6"), polars.len().alias("a7")]
    eight_sql = "sum(x), avg(x), min(x), max(x), var_samp(x), first(x), last(x), count(*)"
    eight_pandas = ["sum", "mean", "min", "max", "var", "first", "last", "size"]
    wide = ["half", "each", "x", "i64", "i27"]
    half = "(select half from facts)"
    named = all_keys.rename({"each": "half"})
    tenth = facts.select("k1e5", "x").head(rows // 10)
    half_reads = {"facts": ["half"], "all_keys": ["each"]}
    only_x = {"facts": ["x"]}
    series = held["facts"]["x"]
    return tables, {
        "sort of u32": sort(["u32"], ["u32"]),
        "sort of i64": sort(["i64"], ["i64"]),
        "sort of floats": sort(["x"], ["x"]),
        "sort of 27 bits": sort(["i27"], ["i27"]),
        "sort by two keys": sort(["k1e5", "i27"], ["k1e5", "i27"]),
        "sort of three columns": sort(["k1e6", "x", "i64"], ["k1e6"]),
        "sort by text and floats with nulls": sort(["name", "partly"], ["name", "partly"]),
        "group-by 10": group("k10", total, "sum(x)"),
        "group-by 1e3": group("k1e3", total, "sum(x)"),
        "group-by 1e5": group("k1e5", total, "sum(x)"),
        "group-by 1e6": group("k1e6", total, "sum(x)"),
        "group-by each": group("each", total, "sum(x)"),
        "group-by skewed": group("zipf", total, "sum(x)"),
        "decimals by 1e5": group("k1e5", col("money").sum(), "sum(money)", "money"),
        "eight aggregates by 1e5": group(
            "k1e5", eight, eight_sql,
            pandas=lambda groups: groups.agg(eight_pandas),
            datafusion=eight_sql.replace("first(", "first_value(").replace("last(", "last_value("),
        ),
        "group-by text": group("name", total, "sum(x)"),
        "group-by of a thousand rows": group("k10", total, "sum(x)", table="thousand"),
        "choice": operation(
            lambda: facts.select(polars.when(x > 0.5).then("i64").otherwise("i27")),
            "select case when x > 0.5 then i64 else i27 end from facts",
            {"facts": ["x", "i64", "i27"]},
            lambda: held["facts"]["i64"].where(series > 0.5, held["facts"]["i27"]),
        ),
        "rows without nulls": operation(
            lambda: facts.select("partly", "i64").drop_nulls(),
            "select partly, i64 from facts where partly is not null and i64 is not null",
            {"facts": ["partly", "i64"]},
            lambda: held["facts"][["partly", "i64"]].dropna(),
        ),
        "join with one row for each of k1e4": join(few, "few", "k1e4"),
        "join with one row for each of k1e6": join(many, "many", "k1e6"),
        "join with one row for each of each": join(all_keys, "all_keys", "each"),
        "join, half matched, four columns": operation(
            lambda: facts.select(wide).join(named, on="half"),
            f"select f.*, a.y1, a.y2, a.y3 from (select {', '.join(wide)} from facts) f join all_keys a on f.half = a.each",
            {"facts": wide, "all_keys": all_keys.columns},
            lambda: held["facts"][wide].merge(held["all_keys"], left_on="half", right_on="each"),
        ),
        "semi join, half matched": operation(
            lambda: facts.select("half").join(named, on="half", how="semi"),
            f"select * from {half} f semi join all_keys a on f.half = a.each",
            half_reads,
            lambda: held["facts"].loc[held["facts"]["half"].isin(held["all_keys"]["each"]), ["half"]],
            f"select * from {half} f left semi join all_keys a on f.half = a.each",
        ),
        "anti join, half matched": operation(
            lambda: facts.select("half").join(named, on="half", how="anti"),
            f"select * from {half} f anti join all_keys a on f.half = a.each",
            half_reads,
            lambda: held["facts"].loc[~held["facts"]["half"].isin(held["all_keys"]["each"]), ["half"]],
            f"select * from {half} f left anti join all_keys a on f.half = a.each",
        ),
        "join of ten rows a key": operation(
            lambda: tenth.join(repeated, on="k1e5"),
            f"select * from (select k1e5, x from facts limit {rows // 10}) t join repeated using (k1e5)",
            {"repeated": ["k1e5"]},
            lambda: held["facts"][["k1e5", "x"]].head(rows // 10).merge(held["repeated"], on="k1e5"),
        ),
        "asof join": operation(
            lambda: events.join_asof(quotes, on="t", strategy="backward"),
            "select * from events e asof left join quotes q on e.t >= q.t",
            {"events": ["t"], "quotes": ["t", "price"]},
            lambda: pandas.merge_asof(held["events"], held["quotes"], on="t"),
            datafusion=False,
        ),
        "rolling mean of 50": operation(
            lambda: facts.select(x.rolling_mean(50)),
            "select avg(x) over (rows between 49 preceding and current row) from facts",
            only_x,
            lambda: series.rolling(50).mean(),
            datafusion=False,
        ),
        "rolling skewness of 50": operation(
            lambda: facts.select(x.rolling_skew(50, bias=False)), None, only_x, lambda: series.rolling(50).skew()
        ),
        "rolling distinct values of 50": operation(
            None,
            "select count(distinct k10) over (rows between 49 preceding and current row) from facts",
            {"facts": ["k10"]},
            lambda: held["facts"]["k10"].rolling(50).nunique(),
            datafusion=False,
        ),
        "rolling rank of 50": operation(
            lambda: facts.select(x.rolling_rank(50)), None, only_x, lambda: series.rolling(50).rank()
        ),
        "correlations of 2 columns": operation(
            lambda: facts.select("x", "i27").corr(),
            "select corr(x, i27) from facts",
            {"facts": ["x", "i27"]},
            lambda: held["facts"][["x", "i27"]].corr(),
            datafusion=False,
        ),
        "correlations of 300 columns": operation(
            lambda: tables["columns"].corr(), None, {"columns": tables["columns"].columns}, lambda: held["columns"].corr()
        ),
        "cut of ten bins": operation(
            lambda: facts.select(x.cut([at / 10 for at in range(1, 10)])), None, only_x, lambda: pandas.cut(series, 10)
        ),
        "sum over 1e5": operation(
            lambda: facts.select(x.sum().over("k1e5")),
            "select sum(x) over (partition by k1e5) from facts",
            {"facts": ["k1e5", "x"]},
            lambda: held["facts"].groupby("k1e5")["x"].transform("sum"),
        ),
        "cumulative sum": operation(
            lambda: facts.select(x.cum_sum()),
            "select sum(x) over (rows unbounded preceding) from facts",
            only_x,
            lambda: series.cumsum(),
            datafusion=False,
        ),
        "rank": operation(
            lambda: facts.select(x.rank("min")),
            "select rank() over (order by x) from facts",
            only_x,
            lambda: series.rank(method="min"),
        ),
    }


def pandas_of(tables, without=()):
    """The frames for pandas, without columns that it has no dtype for."""
    return {name: frame.drop(without, strict=False).to_arrow().to_pandas() for name, frame in tables.items()}


def texts(rows, length):
    import numpy
    import polars

    random = numpy.random.default_rng(7)
    letters = numpy.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789", dtype="S1")
    values = letters[random.integers(0, 36, rows * length)].view(f"S{length}").astype(str)
    frame = polars.DataFrame({"s": values, "order": random.integers(0, 1 << 40, rows)})
    tables = {"texts": frame}
    held = pandas_of(tables)["texts"]
    s, both = polars.col("s"), {"texts": ["s", "order"]}

    def of_texts(polars, sql, pandas):
        return operation(polars, sql, {"texts": ["s"]}, pandas)

    operations = {
        "contains": of_texts(
            lambda: frame.select(s.str.contains("abc", literal=True)),
            "select contains(s, 'abc') from texts",
            lambda: held["s"].str.contains("abc", regex=False),
        ),
        "upper": of_texts(
            lambda: frame.select(s.str.to_uppercase()), "select upper(s) from texts", lambda: held["s"].str.upper()
        ),
        "concat": of_texts(
            lambda: frame.select(polars.concat_str([s, s], separator="-")),
            "select s || '-' || s from texts",
            lambda: held["s"] + "-" + held["s"],
        ),
        "encode": of_texts(
            lambda: frame.select(s.cast(polars.Categorical)), None, lambda: held["s"].astype("category")
        ),
        "sort by numbers": operation(
            lambda: frame.sort("order"), 'select * from texts order by "order"', both, lambda: held.sort_values("order")
        ),
        "sort": of_texts(
            lambda: frame.select("s").sort("s"), "select s from texts order by s", lambda: held["s"].sort_values()
        ),
        "two frames": operation(
            lambda: polars.concat([frame, frame], rechunk=True),
            "select * from texts union all select * from texts",
            both,
        ),
    }
    return tables, {f"{name} of {length} characters": calls for name, calls in operations.items()}


def sorts(rows):
    """Texts of several kinds, by the rules of `sorts.rs`."""
    import numpy
    import polars

    random = numpy.random.default_rng(8)
    number = lambda numbers: polars.select(polars.format("id{}", polars.Series(numbers).cast(str).str.zfill(10))).to_series()
    letters = numpy.frombuffer(b"abcdefghijklmnopqrstuvwxyz", dtype="S1")
    longest = polars.Series(letters[random.integers(0, 26, rows * 20)].view("S20").astype(str))
    address = polars.select(
        polars.format(
            "https://www.site{}.com/page/{}?id={}",
            polars.Series(random.integers(0, 1000, rows)),
            polars.Series(random.integers(0, GROUPS, rows)),
            polars.Series(random.integers(0, 1_000_000_000, rows)),
        )
    ).to_series()
    frame = polars.DataFrame(
        {
            "numbers that repeat": number(random.integers(0, GROUPS, rows)),
            "numbers": number(random.permutation(rows)),
            "letters": longest.str.slice(0, polars.Series(random.integers(5, 21, rows))),
            "addresses": address,
        }
    )

    tables = {"kinds": frame}
    held = pandas_of(tables)["kinds"]

    def sort(kind):
        return operation(
            lambda: frame.select(kind).sort(kind),
            f'select "{kind}" from kinds order by "{kind}"',
            {"kinds": [kind]},
            lambda: held[kind].sort_values(),
        )

    return tables, {f"sort of {kind}": sort(kind) for kind in frame.columns}


def rows_of(result):
    """Rows of a result of any library; DuckDB's is a table."""
    if isinstance(result, list):
        return sum(batch.num_rows for batch in result)
    return len(result)


def part_of(make, options):
    """Makes the data of a part, and gives for each operation what each library runs, and its bytes."""
    import datafusion
    import duckdb

    tables, operations = make()
    connection = duckdb.connect()
    connection.execute(f"set threads={options.threads}")
    context = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(options.threads))
    for name, frame in tables.items():
        connection.register("source", frame)
        connection.execute(f"create table {name} as select * from source")
        connection.unregister("source")
        # String views, in batches of the length that it has itself, a share for each thread.
        batches = frame.to_arrow(compat_level=newest()).to_batches(max_chunksize=8192)
        shares = [batches[at :: options.threads] for at in range(options.threads)]
        context.register_record_batches(name, [share for share in shares if share])

    def in_duckdb(sql):
        connection.execute(f"create or replace temp table made as {sql}")
        return connection.table("made")

    def calls(operation):
        runs = {"polars": operation["polars"], "pandas": operation["pandas"]}
        if operation["duckdb"]:
            runs["duckdb"] = lambda: in_duckdb(operation["duckdb"])
        if operation["datafusion"]:
            runs["datafusion"] = lambda: context.sql(operation["datafusion"]).collect()

        def size():
            read = [tables[name].select(columns).to_arrow() for name, columns in operation["reads"].items()]
            if operation["polars"]:
                result = operation["polars"]().to_arrow()
            else:
                result = runs["duckdb"]().to_arrow_table()
            return sum(map(timing.least_bytes, [*read, result]))

        return {**{library: run for library, run in runs.items() if run}, "bytes": size, "rows": rows_of}

    return {name: calls(operation) for name, operation in operations.items()}


def newest():
    import polars

    return polars.CompatLevel.newest()


def main():
    options = timing.options_of(__doc__)
    parts = [lambda: frames(options.rows), lambda: sorts(options.rows)]
    parts += [lambda at=at: texts(options.rows // (10 if at == 200 else 1), at) for at in (5, 20, 200)]
    order = ["duckdb", "polars", "datafusion", "pandas"]
    timing.operations(options, order, [lambda make=make: part_of(make, options) for make in parts])


if __name__ == "__main__":
    main()
