"""What has a name of Polars does what Polars does: the same calls on both, compared by labels, values and nulls."""

import datetime as dt
import math

import columnade as cn
import polars as pl
import pytest

TIMES = [dt.datetime(2024, 1, 31, 3, 4, 5, 678901), dt.datetime(2024, 2, 2), None, dt.datetime(1950, 12, 31, 23), dt.datetime(2000, 2, 29)]
SPANS = [
    dt.timedelta(days=1, hours=2, microseconds=7), dt.timedelta(hours=-30, microseconds=-1), None, dt.timedelta(0), dt.timedelta(days=-2),
]
DATA = {
    "k": ["b", "a", None, "b", "a"], "n": [3, 1, None, 1, 5], "m": [2, 2, 4, None, 5], "x": [0.5, -1.5, None, 2.0, math.nan],
    "y": [0.5, -1.5, 1.0, None, math.nan], "p": [True, False, None, True, False], "q": [True, True, False, None, False],
    "s": ["  Ab.c ", "ab-ab", None, "", "É x+y"], "w": ["7", "-12", None, "0", "x"], "l": [[3, 1, 1], [None, 2], None, [], [5]],
    "t": TIMES, "u": SPANS,
}


def plain(frame):
    """Labels and values."""
    columns = frame.columns
    return list(columns), [frame[label].to_list() for label in columns]


def close(mine, theirs):
    if isinstance(mine, float) and isinstance(theirs, float):
        return (math.isnan(mine) and math.isnan(theirs)) or mine == pytest.approx(theirs)
    if isinstance(mine, dict) and isinstance(theirs, dict):
        return list(mine) == list(theirs) and all(close(mine[key], theirs[key]) for key in mine)
    return type(mine) is type(theirs) and mine == theirs if not isinstance(mine, (int, float)) else mine == theirs


def same(ours, theirs):
    (labels, values), (their_labels, their_values) = plain(ours), plain(theirs)
    assert labels == their_labels
    for mine, expected in zip(values, their_values, strict=True):
        assert len(mine) == len(expected)
        assert all(close(one, other) for one, other in zip(mine, expected)), (mine, expected)


def frames(rows):
    """Both frames of some of the rows."""
    data = {label: [values[row] for row in rows] for label, values in DATA.items()}
    theirs = pl.DataFrame(data, schema=pl.DataFrame(DATA, strict=False).schema, strict=False)
    return cn.from_arrow(theirs.to_arrow()), theirs


PARTS = ("days", "hours", "minutes", "milliseconds", "microseconds", "nanoseconds")

# Of each row.
ROWS = {
    "add": lambda c: c("n").add(c("m")),
    "sub": lambda c: c("n").sub(1),
    "mul": lambda c: c("n").mul(c("x")),
    "truediv": lambda c: c("n").truediv(2),
    "floordiv": lambda c: c("n").floordiv(2),
    "mod": lambda c: c("n").mod(2),
    "eq": lambda c: c("n").eq(c("m")),
    "eq of text": lambda c: c("k").eq("a"),
    "ne": lambda c: c("n").ne(1),
    "lt": lambda c: c("n").lt(c("m")),
    "le": lambda c: c("n").le(3),
    "gt": lambda c: c("n").gt(c("m")),
    "ge": lambda c: c("n").ge(3),
    "and_": lambda c: c("p").and_(c("q"), c("n") > 1),
    "or_": lambda c: c("p").or_(c("q"), c("n") > 4),
    "xor": lambda c: c("p").xor(c("q")),
    "not_": lambda c: c("p").not_(),
    "neg": lambda c: c("n").neg(),
    "a chain": lambda c: c("n").add(1).mul(2).sub(c("m")),
    "is_between": lambda c: c("n").is_between(1, 3),
    "is_between left": lambda c: c("n").is_between(1, 3, closed="left"),
    "is_between right": lambda c: c("n").is_between(1, 3, closed="right"),
    "is_between none": lambda c: c("n").is_between(1, 5, closed="none"),
    "is_between columns": lambda c: c("n").is_between("m", c("m") + 1),
    "is_not_nan": lambda c: c("x").is_not_nan(),
    "degrees": lambda c: c("x").degrees(),
    "radians": lambda c: c("n").radians(),
    "cot": lambda c: c("x").cot(),
    "arccos": lambda c: c("x").arccos(),
    "arcsin": lambda c: c("x").arcsin(),
    "arctan": lambda c: c("x").arctan(),
    "arccosh": lambda c: c("n").arccosh(),
    "arcsinh": lambda c: c("x").arcsinh(),
    "arctanh": lambda c: c("x").arctanh(),
    "is_close": lambda c: c("x").is_close(c("y"), abs_tol=0.1),
    "is_close NaN": lambda c: c("x").is_close("y", nans_equal=True),
    "is_close integers": lambda c: c("n").is_close(c("m"), rel_tol=0.5),
    "replace_strict": lambda c: c("k").replace_strict({"a": 1}, default=0),
    "replace_strict null": lambda c: c("k").replace_strict({"a": "x", None: "none"}, default="other"),
    "replace_strict lists": lambda c: c("n").replace_strict([1, 3], [10, 30], default=c("m")),
    "replace_strict dtype": lambda c: c("n").replace_strict(
        [1, 3], 10, default=None, return_dtype=pl.Float64 if c is pl.col else "float64"
    ),
    "replace_strict all": lambda c: c("k").replace_strict({"a": 1, "b": 2, "c": 3}),
    "replace_strict all and null": lambda c: c("k").replace_strict({"a": 1, "b": 2, "c": 3, None: 4}),
    "is_duplicated": lambda c: c("k").is_duplicated(),
    "is_duplicated null": lambda c: c("n").is_duplicated(),
    "is_unique": lambda c: c("k").is_unique(),
    "is_first_distinct": lambda c: c("k").is_first_distinct(),
    "is_last_distinct": lambda c: c("k").is_last_distinct(),
    "pipe": lambda c: c("n").pipe(lambda e, by: e.add(by), by=2),
    "cum_prod": lambda c: c("n").cum_prod(),
    "forward_fill": lambda c: c("n").forward_fill(),
    "forward_fill limit": lambda c: c("n").forward_fill(limit=1),
    "backward_fill": lambda c: c("m").backward_fill(1),
    "name.suffix": lambda c: c("n").abs().name.suffix("_new"),
    "name.prefix": lambda c: c("n").add(1).name.prefix("new_"),
    "name.map": lambda c: c("n").name.map(lambda label: label * 2),
    "name.to_uppercase": lambda c: c("n").name.to_uppercase(),
    "name.to_lowercase": lambda c: c("n").alias("N").name.to_lowercase() if c is cn.col else c("n").name.to_lowercase(),
    "to_lowercase": lambda c: c("s").str.to_lowercase(),
    "to_uppercase": lambda c: c("s").str.to_uppercase(),
    "to_titlecase": lambda c: c("s").str.to_titlecase(),
    "len_chars": lambda c: c("s").str.len_chars(),
    "len_bytes": lambda c: c("s").str.len_bytes(),
    "strip_chars_start": lambda c: c("s").str.strip_chars_start(),
    "strip_chars_start of": lambda c: c("s").str.strip_chars_start(" a"),
    "strip_chars_end": lambda c: c("s").str.strip_chars_end(),
    "strip_chars_end of": lambda c: c("s").str.strip_chars_end(" b"),
    "strip_prefix": lambda c: c("s").str.strip_prefix("ab"),
    "strip_suffix": lambda c: c("s").str.strip_suffix("-ab"),
    "pad_start": lambda c: c("s").str.pad_start(6, "*"),
    "pad_end": lambda c: c("s").str.pad_end(6),
    "head": lambda c: c("s").str.head(2),
    "head 0": lambda c: c("s").str.head(0),
    "head negative": lambda c: c("s").str.head(-2),
    "head far negative": lambda c: c("s").str.head(-20),
    "tail": lambda c: c("s").str.tail(2),
    "tail 0": lambda c: c("s").str.tail(0),
    "tail negative": lambda c: c("s").str.tail(-2),
    "tail far": lambda c: c("s").str.tail(20),
    "replace_all": lambda c: c("s").str.replace_all("[a-b]", "<$0>"),
    "replace_all literal": lambda c: c("s").str.replace_all(".", "$1", literal=True),
    "count_matches": lambda c: c("s").str.count_matches("[ab]"),
    "count_matches literal": lambda c: c("s").str.count_matches("+", literal=True),
    "contains_any": lambda c: c("s").str.contains_any(["+", "ab"]),
    "escape_regex": lambda c: c("s").str.escape_regex(),
    "split_exact": lambda c: c("s").str.split_exact("a", 1),
    "splitn": lambda c: c("s").str.splitn("a", 2),
    "splitn one": lambda c: c("s").str.splitn("a", 1),
    "extract_groups": lambda c: c("s").str.extract_groups("(?<first>[a-z])(.)"),
    "to_integer": lambda c: c("w").str.to_integer(strict=False),
    "to_decimal": lambda c: c("w").str.to_decimal(scale=2),
    "strptime": lambda c: c("w").str.strptime(pl.Date if c is pl.col else "date32", "%Y", strict=False),
    "to_date": lambda c: c("t").dt.strftime("%d/%m/%Y").alias("t").str.to_date("%d/%m/%Y"),
    "to_date ISO": lambda c: c("t").dt.strftime("%Y-%m-%d").alias("t").str.to_date(),
    "to_time": lambda c: c("t").dt.strftime("%H.%M").alias("t").str.to_time("%H.%M"),
}
TIMES_AND_LISTS = {
    **{f"total_{name}": lambda c, name=name: getattr(c("u").dt, f"total_{name}")() for name in PARTS},
    **{f"total_{name} fractional": lambda c, name=name: getattr(c("u").dt, f"total_{name}")(fractional=True) for name in PARTS},
    **{f"timestamp {unit}": lambda c, unit=unit: c("t").dt.timestamp(unit) for unit in ("ns", "us", "ms")},
    **{f"epoch {unit}": lambda c, unit=unit: c("t").dt.epoch(unit) for unit in ("ns", "us", "ms", "s", "d")},
    "timestamp of dates": lambda c: c("t").dt.date().alias("t").dt.timestamp("ms"),
    "timestamp in a zone": lambda c: c("t").dt.replace_time_zone("Europe/Rome").dt.timestamp("ms"),
    "replace_time_zone": lambda c: c("t").dt.replace_time_zone("Europe/Rome"),
    "replace_time_zone None": lambda c: c("t").dt.replace_time_zone("Europe/Rome").dt.replace_time_zone(None),
    "replace_time_zone of another": lambda c: c("t").dt.replace_time_zone("Asia/Tokyo").dt.replace_time_zone("UTC"),
    "convert_time_zone": lambda c: c("t").dt.replace_time_zone("UTC").dt.convert_time_zone("Asia/Tokyo"),
    **{f"offset_by {by}": lambda c, by=by: c("t").dt.offset_by(by) for by in ("1mo", "-1y", "1d12h", "-3h5us", "1q1w", "2000ns")},
    "ordinal_day": lambda c: c("t").dt.ordinal_day(),
    "century": lambda c: c("t").dt.century(),
    "millennium": lambda c: c("t").dt.millennium(),
    "to_string": lambda c: c("t").dt.to_string("%d.%m.%Y"),
    "is_business_day": lambda c: c("t").dt.is_business_day(),
    "is_business_day holidays": lambda c: c("t").dt.is_business_day(week_mask=[True] * 6 + [False], holidays=[dt.date(2024, 1, 31)]),
    "combine": lambda c: c("t").dt.combine(dt.time(1, 2, 3, 4567)),
    "combine ms": lambda c: c("t").dt.combine(dt.time(1, 2, 3, 4567), "ms"),
    "combine times": lambda c: c("t").dt.combine(c("t").dt.time()),
    "list.n_unique": lambda c: c("l").list.n_unique(),
    "list.gather": lambda c: c("l").list.gather([0, -2], null_on_oob=True),
    "list.arg_min": lambda c: c("l").list.arg_min(),
    "list.arg_max": lambda c: c("l").list.arg_max(),
    "list.concat": lambda c: c("l").list.concat("l"),
    "list.concat others": lambda c: c("l").list.concat([c("l"), "l"]),
}
ROWS.update(TIMES_AND_LISTS)


@pytest.mark.parametrize("rows", [range(5), [2], []], ids=["rows", "a null", "empty"])
@pytest.mark.parametrize("name", ROWS)
def test_rows(device, name, rows):
    ours, theirs = frames(rows)
    call = ROWS[name]
    if device == "sim" and name == "extract_groups":
        with pytest.raises(NotImplementedError, match="group on this device"):
            ours.select(call(cn.col))
        return
    same(ours.select(call(cn.col)), theirs.select(call(pl.col)))


# One value, of all rows and of groups.
AGGREGATES = {
    "n_unique": lambda c: c("n").n_unique(),
    "n_unique without null": lambda c: c("q").is_null().n_unique().alias("z"),
    "n_unique of text": lambda c: c("k").n_unique(),
    "null_count": lambda c: c("n").null_count(),
    "has_nulls": lambda c: c("n").has_nulls(),
    "len": lambda c: c("n").len(),
    "dot": lambda c: c("n").dot("m"),
    "kurtosis": lambda c: c("m").kurtosis(),
    "kurtosis Pearson": lambda c: c("m").kurtosis(fisher=False),
    "kurtosis without bias": lambda c: c("m").kurtosis(bias=False),
    "implode": lambda c: c("n").implode(),
    "join": lambda c: c("k").str.join("-"),
    "join with nulls": lambda c: c("s").str.join("-", ignore_nulls=False),
}


@pytest.mark.parametrize("name", AGGREGATES)
def test_aggregates(device, name):
    ours, theirs = frames(range(5))
    call = AGGREGATES[name]
    same(ours.agg(call(cn.col)), theirs.select(call(pl.col)))
    grouped = ours.group_by("p", dropna=False).agg(call(cn.col).alias("made"))
    same(grouped, theirs.group_by("p", maintain_order=True).agg(call(pl.col).alias("made")))


def test_no_patterns_are_nowhere(device):
    assert frames(range(5))[0].select(cn.col("s").str.contains_any([]))["s"].to_list() == [False, False, None, False, False]


def test_methods_of_strings_of_series(device):
    ours, theirs = frames(range(5))
    for call in (
        lambda s: s.str.to_uppercase(), lambda s: s.str.pad_start(8), lambda s: s.str.replace_all("a", "b", literal=True),
        lambda s: s.str.head(2), lambda s: s.str.len_bytes(), lambda s: s.str.strip_prefix("ab"), lambda s: s.str.tail(-1),
    ):
        assert call(ours["s"]).to_list() == call(theirs["s"]).to_list()


ERRORS = {
    "is_between": (ValueError, lambda: cn.col("a").is_between(1, 2, "neither"), 'is_between: closed is "both"'),
    "is_close": (ValueError, lambda: cn.col("a").is_close(1, rel_tol=1.0), "is_close: abs_tol is not negative"),
    "replace_strict": (ValueError, lambda: cn.col("a").replace_strict([1, 2], [3]), "replace_strict: 1 new values for 2"),
    "replace_strict new": (TypeError, lambda: cn.col("a").replace_strict([1]), "replace_strict: give a dictionary"),
    "rolling": (ValueError, lambda: cn.col("a").rolling_sum_by("t", "1x"), "rolling_sum_by: a duration is"),
    "rolling months": (ValueError, lambda: cn.col("a").rolling_sum_by("t", "1mo"), "rolling_sum_by: a window is above zero"),
    "closed": (ValueError, lambda: cn.col("a").rolling_max_by("t", "1d", closed="x"), "rolling_max_by: closed is"),
    "to_integer": (NotImplementedError, lambda: cn.col("a").str.to_integer(base=2), "str.to_integer: base 2"),
    "contains_any": (TypeError, lambda: cn.col("a").str.contains_any("a"), "str.contains_any: patterns is a list"),
    "extract_groups": (ValueError, lambda: cn.col("a").str.extract_groups("a"), "str.extract_groups: 'a' has no group"),
    "timestamp": (ValueError, lambda: cn.col("a").dt.timestamp("s"), "dt.timestamp: time_unit is"),
    "epoch": (ValueError, lambda: cn.col("a").dt.epoch("h"), "dt.epoch: time_unit is"),
    "to_string": (NotImplementedError, lambda: cn.col("a").dt.to_string("iso"), "dt.to_string: format 'iso'"),
    "offset_by": (ValueError, lambda: cn.col("a").dt.offset_by("1d x"), "dt.offset_by: a duration is"),
    "is_business_day": (ValueError, lambda: cn.col("a").dt.is_business_day([True]), "dt.is_business_day: week_mask has seven"),
    "combine": (TypeError, lambda: cn.col("a").dt.combine(1), "dt.combine: time is"),
    "name.map": (TypeError, lambda: cn.col("a").name.map("x"), "name.map: a function"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call()
    assert str(error.value).startswith(text) and isinstance(error.value, cn.ColumnadeError)


@pytest.mark.parametrize("closed", ["left", "right", "both", "none"])
@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "median", "std", "var"])
def test_rolling_by(device, name, closed):
    data = {"t": [dt.datetime(2024, 1, day) for day in (1, 2, 3, 5, 9)], "x": [1.0, None, 4.0, 2.0, 7.0]}
    ours, theirs = cn.DataFrame(data), pl.DataFrame(data)

    def call(c):
        return getattr(c("x"), f"rolling_{name}_by")("t", "2d", min_samples=1, closed=closed)

    same(ours.select(call(cn.col)), theirs.select(call(pl.col)))


def test_rolling_quantile_and_rank_by(device):
    data = {"t": [dt.datetime(2024, 1, day) for day in (1, 2, 3, 5, 9)], "x": [1.0, 9.0, 4.0, 2.0, 7.0]}
    ours, theirs = cn.DataFrame(data), pl.DataFrame(data)
    for call in (
        lambda c: c("x").rolling_quantile_by("t", "3d", quantile=0.4), lambda c: c("x").rolling_rank_by("t", "3d"),
        lambda c: c("x").rolling_quantile_by("t", dt.timedelta(days=3), quantile=0.4, interpolation="linear"),
    ):
        same(ours.select(call(cn.col)), theirs.select(call(pl.col)))


def test_values_without_a_new_one_are_an_error_as_in_polars(device):
    series = cn.Series(["a", None, "b"], name="s")
    frame = cn.DataFrame({"s": series})
    for call in (lambda: series.replace_strict({"a": 1}), lambda: frame.select(cn.col("s").replace_strict({"a": 1}))):
        with pytest.raises(ValueError, match="row 2: b is none of the old values, and there is no default") as caught:
            call()
        assert (caught.value.column, caught.value.dtype) == ("s", "utf8")
    with pytest.raises(pl.exceptions.InvalidOperationError, match="incomplete mapping"):
        pl.Series(["a", None, "b"]).replace_strict({"a": 1})
    assert series.replace_strict({"a": 1, "b": None}).to_list() == [1, None, None]
    assert series.replace_strict({"a": 1}, default=None).to_list() == [1, None, None]
