"""Times the functions of the bench `functions` on DuckDB, Polars and Columnade, in rounds.

usage: python3 benches/functions/peers.py [--columnade PROGRAM] [--rows N] [--rounds N] [--threads N] [--only PART]
       [--record FILE.json]

PROGRAM is the bench, as cargo has built it. PART is in the names of the functions. `benches/timing.py` says how rounds are
measured: the program's are all of its functions, before the others. Results are materialised in memory. DuckDB and Polars have
no functions of a dictionary's strings: theirs are those of the strings. Needs duckdb, polars and numpy.
"""

import os
import sys

sys.path.append(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import timing  # noqa: E402

WORDS = "quick Brown fox jumps over Lazy dog sphinx of black Quartz judge my vow pack Five".split()


def rows_of(count):
    """The rows of `data.rs`, by the same rules from another generator."""
    import numpy
    import polars

    random = numpy.random.default_rng(1)
    col, lit = polars.col, polars.lit

    def texts(count):
        words = numpy.array(WORDS)
        parts = polars.DataFrame({str(at): words[random.integers(0, 16, count)] for at in range(4)})
        parts = parts.with_columns(n=random.integers(0, 4, count), pad=random.integers(0, 4, count) == 0)
        shown = [polars.when(col("n") >= at).then(col(str(at))) for at in range(4)]
        text = polars.concat_str(shown, separator=" ", ignore_nulls=True)
        padded = polars.when("pad").then(polars.concat_str([lit(" "), text, lit(" ")])).otherwise(text)
        return parts.select(padded.alias("s"))["s"]

    seconds = random.integers(631_152_000, 631_152_000 + 1_262_304_000, count)
    lengths = random.integers(0, 5, count)
    ends = numpy.concatenate([[0], numpy.cumsum(lengths)])
    import pyarrow

    lists = pyarrow.LargeListArray.from_arrays(pyarrow.array(ends), pyarrow.array(numpy.arange(ends[-1])))
    frame = polars.DataFrame(
        {
            "t": (seconds * 1_000_000).astype("datetime64[us]"),
            "x": random.uniform(0.1, 100, count),
            "s": texts(count),
            "i": random.integers(-1_000_000_000, 1_000_000_000, count),
            "f": random.uniform(0, 10_000, count),
            "r": texts(1000)[random.integers(0, 1000, count)],
            "l": polars.from_arrow(lists),
            "word": numpy.array(WORDS)[random.integers(0, 16, count)],
            "k": random.integers(0, 1000, count),
            "v": random.integers(0, 10_000, count),
        }
    )
    return frame.with_columns(
        col("t").dt.date().alias("d"),
        col("t").dt.replace_time_zone("UTC").dt.convert_time_zone("Europe/Berlin").alias("z"),
        col("t").dt.strftime("%Y-%m-%d").alias("ds"),
        polars.format("{}{},{}", "word", "k", "v").alias("kv"),
        col("i").cast(polars.String),
        col("f").round(4).cast(polars.String),
    ).drop("word", "k", "v")


def of_strings(name, of):
    import polars

    s = polars.col(name)
    return {
        "len" + of: (s.str.len_chars(), f"length({name})"),
        "lower" + of: (s.str.to_lowercase(), f"lower({name})"),
        "strip" + of: (s.str.strip_chars(), f"trim({name})"),
        "contains" + of: (s.str.contains("quick", literal=True), f"contains({name}, 'quick')"),
        "contains regex" + of: (s.str.contains("qu[a-z]+ [a-m]"), f"regexp_matches({name}, 'qu[a-z]+ [a-m]')"),
        "replace" + of: (s.str.replace_all("o", "00", literal=True), f"replace({name}, 'o', '00')"),
        "slice" + of: (s.str.slice(2, 5), f"substr({name}, 3, 5)"),
    }


def questions():
    import polars

    t, d, z, x, s, i, f, l, kv, ds = (polars.col(name) for name in "t d z x s i f l kv ds".split())
    split = "split_part(kv, ',', 1) as a, split_part(kv, ',', 2)"
    return {
        **of_strings("s", ""),
        "replace regex": (s.str.replace_all("[aeiou]+", "*"), "regexp_replace(s, '[aeiou]+', '*', 'g')"),
        "concat": (polars.concat_str([s, i], separator="-"), "s || '-' || i"),
        "split to two columns": (kv.str.splitn(",", 2).struct.unnest(), split),
        "split to list": (kv.str.split(","), "string_split(kv, ',')"),
        "extract": (kv.str.extract("([0-9]+),", 1), "regexp_extract(kv, '([0-9]+),', 1)"),
        "string to integer": (i.cast(polars.Int64), "i::bigint"),
        "string to float": (f.cast(polars.Float64), "f::double"),
        "string to date": (ds.str.to_date("%Y-%m-%d"), "ds::date"),
        "string to timestamp": (ds.str.to_datetime("%Y-%m-%d"), "ds::timestamp"),
        "timestamp to string": (t.cast(polars.String), "t::varchar"),
        "float to string": (x.cast(polars.String), "x::varchar"),
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
        "list len": (l.list.len(), "len(l)"),
        "list sum": (l.list.sum(), "list_sum(l)"),
        "list get": (l.list.get(1, null_on_oob=True), "list_extract(l, 2)"),
        "list take": (l.list.gather([0, -1], null_on_oob=True), "list_select(l, [1, len(l)])"),
        "list index": (l.list.eval(polars.element().index_of(7)).list.first(), "list_position(l, 7)"),
        **of_strings("r", " of few values"),
        **of_strings("r", " of dictionary"),
        "explode": (l.explode(empty_as_null=True), "unnest(l)"),
    }


def part_of(options):
    import duckdb

    frame = rows_of(options.rows)
    connection = duckdb.connect()
    connection.execute(f"set threads={options.threads}")
    connection.execute("create table rows as select * from frame")

    # A function that a library refuses is left out: DuckDB needs an extension for time zones.
    def calls(expression, sql):
        query = f"create or replace temp table made as select {sql} as v from rows"
        return {"polars": lambda: frame.select(expression), "duckdb": lambda: connection.execute(query)}

    return {name: calls(expression, sql) for name, (expression, sql) in questions().items()}


def main():
    options = timing.options_of(__doc__)
    timing.operations(options, ["duckdb", "polars"], [lambda: part_of(options)])


if __name__ == "__main__":
    main()
