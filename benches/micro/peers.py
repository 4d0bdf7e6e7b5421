"""Times the operations of the bench `micro` on DuckDB and Polars, and sets Columnade's figures beside them.

usage: python3 benches/micro/peers.py [--rows N] [--runs N] [--threads N] [--only PART] [--columnade FILE.json]
       [--record FILE.json]

FILE.json is what the bench wrote with --json on the same machine, just before. PART is in the names of the operations. Needs
duckdb, polars and numpy. Every figure is the median of N warm runs after one that is not counted, in milliseconds; results are
materialised in memory.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
from timing import Table, options_of  # noqa: E402

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


def frames(rows):
    """Frames by name, and for each operation the call for Polars and the query for DuckDB."""
    import numpy
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
        "quotes": quotes,
    }

    def sort(columns, by):
        keys = ", ".join(f"{key} nulls last" for key in by)
        run = lambda: facts.select(columns).sort(by, nulls_last=True)
        return run, f"select {', '.join(columns)} from facts order by {keys}"

    def group(key, expressions, sql):
        return lambda: facts.group_by(key).agg(expressions), f"select {key}, {sql} from facts group by {key}"

    def join(other, name, key):
        run = lambda: facts.select(key).join(other, on=key)
        return run, f"select * from (select {key} from facts) join {name} using ({key})"

    x = col("x")
    total = x.sum().alias("sum")
    eight = [x.sum().alias("a0"), x.mean().alias("a1"), x.min().alias("a2"), x.max().alias("a3"), x.var().alias("a4")]
    eight += [x.first().alias("a5"), x.last().alias("a6"), polars.len().alias("a7")]
    eight_sql = "sum(x), avg(x), min(x), max(x), var_samp(x), first(x), last(x), count(*)"
    wide = ["half", "each", "x", "i64", "i27"]
    half = "(select half from facts)"
    named = all_keys.rename({"each": "half"})
    tenth = facts.select("k1e5", "x").head(rows // 10)
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
        "decimals by 1e5": group("k1e5", col("money").sum(), "sum(money)"),
        "eight aggregates by 1e5": group("k1e5", eight, eight_sql),
        "group-by text": group("name", total, "sum(x)"),
        "group-by of a thousand rows": (
            lambda: thousand.group_by("k10").agg(total), "select k10, sum(x) from thousand group by k10",
        ),
        "choice": (
            lambda: facts.select(polars.when(x > 0.5).then("i64").otherwise("i27")),
            "select case when x > 0.5 then i64 else i27 end from facts",
        ),
        "rows without nulls": (
            lambda: facts.select("partly", "i64").drop_nulls(),
            "select partly, i64 from facts where partly is not null and i64 is not null",
        ),
        "join with one row for each of k1e4": join(few, "few", "k1e4"),
        "join with one row for each of k1e6": join(many, "many", "k1e6"),
        "join with one row for each of each": join(all_keys, "all_keys", "each"),
        "join, half matched, four columns": (
            lambda: facts.select(wide).join(named, on="half"),
            f"select f.*, a.y1, a.y2, a.y3 from (select {', '.join(wide)} from facts) f join all_keys a on f.half = a.each",
        ),
        "semi join, half matched": (
            lambda: facts.select("half").join(named, on="half", how="semi"),
            f"select * from {half} f semi join all_keys a on f.half = a.each",
        ),
        "anti join, half matched": (
            lambda: facts.select("half").join(named, on="half", how="anti"),
            f"select * from {half} f anti join all_keys a on f.half = a.each",
        ),
        "join of ten rows a key": (
            lambda: tenth.join(repeated, on="k1e5"),
            f"select * from (select k1e5, x from facts limit {rows // 10}) join repeated using (k1e5)",
        ),
        "asof join": (
            lambda: events.join_asof(quotes, on="t", strategy="backward"),
            "select * from events e asof left join quotes q on e.t >= q.t",
        ),
        "rolling mean of 50": (
            lambda: facts.select(x.rolling_mean(50)),
            "select avg(x) over (rows between 49 preceding and current row) from facts",
        ),
        "rolling skewness of 50": (lambda: facts.select(x.rolling_skew(50, bias=False)), None),
        "rolling distinct values of 50": (
            None,
            "select count(distinct k10) over (rows between 49 preceding and current row) from facts",
        ),
        "rolling rank of 50": (lambda: facts.select(x.rolling_rank(50)), None),
        "cut of ten bins": (lambda: facts.select(x.cut([at / 10 for at in range(1, 10)])), None),
        "sum over 1e5": (
            lambda: facts.select(x.sum().over("k1e5")),
            "select sum(x) over (partition by k1e5) from facts",
        ),
        "cumulative sum": (
            lambda: facts.select(x.cum_sum()),
            "select sum(x) over (rows unbounded preceding) from facts",
        ),
        "rank": (
            lambda: facts.select(x.rank("min")),
            "select rank() over (order by x) from facts",
        ),
    }


def texts(rows, length):
    import numpy
    import polars

    random = numpy.random.default_rng(7)
    letters = numpy.frombuffer(b"abcdefghijklmnopqrstuvwxyz0123456789", dtype="S1")
    values = letters[random.integers(0, 36, rows * length)].view(f"S{length}").astype(str)
    frame = polars.DataFrame({"s": values, "order": random.integers(0, 1 << 40, rows)})
    s = polars.col("s")
    operations = {
        "contains": (lambda: frame.select(s.str.contains("abc", literal=True)), "select contains(s, 'abc') from texts"),
        "upper": (lambda: frame.select(s.str.to_uppercase()), "select upper(s) from texts"),
        "concat": (lambda: frame.select(polars.concat_str([s, s], separator="-")), "select s || '-' || s from texts"),
        "encode": (lambda: frame.select(s.cast(polars.Categorical)), None),
        "sort by numbers": (lambda: frame.sort("order"), "select * from texts order by \"order\""),
        "sort": (lambda: frame.select("s").sort("s"), "select s from texts order by s"),
        "two frames": (
            lambda: polars.concat([frame, frame], rechunk=True),
            "select * from texts union all select * from texts",
        ),
    }
    return {"texts": frame}, {f"{name} of {length} characters": calls for name, calls in operations.items()}


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

    def sort(kind):
        run = lambda: frame.select(kind).sort(kind)
        return run, f'select "{kind}" from kinds order by "{kind}"'

    return {"kinds": frame}, {f"sort of {kind}": sort(kind) for kind in frame.columns}


def main():
    options = options_of(__doc__)
    import duckdb

    table = Table(options)
    parts = [lambda: frames(options.rows), lambda: sorts(options.rows)]
    parts += [lambda at=at: texts(options.rows // (10 if at == 200 else 1), at) for at in (5, 20, 200)]
    for part in parts:
        tables, operations = part()
        connection = duckdb.connect()
        connection.execute(f"set threads={options.threads}")
        for name, rows in tables.items():
            connection.register("source", rows)
            connection.execute(f"create table {name} as select * from source")
            connection.unregister("source")
        for name, (run, sql) in operations.items():
            runs = {"polars": run} if run else {}
            if sql:
                runs["duckdb"] = lambda: connection.execute(f"create or replace temp table made as {sql}")
            table.time(name, runs)
    table.write()


if __name__ == "__main__":
    main()
