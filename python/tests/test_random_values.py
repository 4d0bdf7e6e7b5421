"""Random frames: operations of values and rows against naive ones, pandas and Polars. See `random_frames`."""

import collections
import datetime as dt
import math
import operator
import re

import columnade as cn
import numpy as np
import pandas as pd
import polars as pl
import pytest
from columnade import col
from random_frames import (
    DTYPES, FLOATS, INTS, ROUNDS, SEED, SIZES, WORDS, Values, check, is_same, ours_of, polars_of, without_nan,
)

OPERATIONS = {}


def operation(function):
    OPERATIONS[function.__name__] = function
    return function


def frames(make, dtypes, rows, **options):
    columns = make.columns(dtypes, rows, **options)
    return ours_of(columns), polars_of(columns), {label: values for label, (values, _) in columns.items()}


@operation
def arithmetic(make):
    kind = make.random.choice(INTS + FLOATS)
    ours, theirs, data = frames(make, {"a": kind, "b": kind}, make.size())
    name = make.random.choice(["add", "sub", "mul", "truediv", "floordiv", "mod"])
    compute = getattr(operator, name)
    made, expected = compute(ours["a"], ours["b"]).to_list(), compute(theirs["a"], theirs["b"]).to_list()
    if kind in INTS and name in ("floordiv", "mod"):
        # Rows of a division by zero: null, as in Polars.
        pairs = [(x, y) for x, y, b in zip(made, expected, data["b"]) if b != 0]
        made, expected = [x for x, _ in pairs], [y for _, y in pairs]
    check(made, expected, f"{kind} {name}", rel=1e-6 if "32" in kind else 1e-9)


@operation
def comparison(make):
    kind = make.random.choice(INTS + FLOATS + ["bool", "utf8", "date32", "timestamp[us]", "duration[us]"])
    ours, _, data = frames(make, {"a": kind, "b": kind}, make.size())
    name = make.random.choice(["eq", "ne", "lt", "le", "gt", "ge"])
    compare = getattr(operator, name)
    expected = [None if a is None or b is None else compare(a, b) for a, b in zip(data["a"], data["b"])]
    check(compare(ours["a"], ours["b"]), expected, f"{kind} {name}")
    check(ours.select(x=compare(col("a"), col("b")))["x"], expected, f"{name} of expressions of {kind}")
    values = [value for value in data["b"] if value is not None]
    if values:
        value = make.random.choice(values)
        check(compare(ours["a"], value), [None if a is None else compare(a, value) for a in data["a"]], f"{kind} {name} {value!r}")
        check(compare(value, ours["a"]), [None if a is None else compare(value, a) for a in data["a"]], f"{value!r} {name} {kind}")


@operation
def logic(make):
    ours, theirs, _ = frames(make, {"a": "bool", "b": "bool"}, make.size())
    check(ours["a"] & ours["b"], theirs["a"] & theirs["b"], "and")
    check(ours["a"] | ours["b"], theirs["a"] | theirs["b"], "or")
    check(~ours["a"], ~theirs["a"], "not")
    made = ours.select(x=col("a") & col("b"), y=col("a") | ~col("b"))
    check(made, theirs.select(x=pl.col("a") & pl.col("b"), y=pl.col("a") | ~pl.col("b")), "expressions")
    check([ours["a"].any(), ours["a"].all()], [theirs["a"].any(), theirs["a"].all()], "any and all")


def statistic(name, values, kind):
    """An aggregate of values without nulls; "any" where rounding decides."""
    if name == "count":
        return len(values)
    if name == "nunique":
        return len({"nan" if value != value else value for value in values})
    if name in ("sum", "product") and kind in INTS:
        whole = sum(values) if name == "sum" else math.prod(values)
        return whole % 2**64 if kind[0] == "u" else (whole + 2**63) % 2**64 - 2**63
    if name == "sum":
        return sum(values, dt.timedelta()) if kind == "duration[us]" else math.fsum(values)
    if name == "product":
        return math.prod(values)
    if not values:
        return None
    if name in ("first", "last"):
        return values[0 if name == "first" else -1]
    if name in ("min", "max"):
        return min(values) if name == "min" else max(values)
    made = getattr(pd.Series([float(value) for value in values]), name)()
    return None if made != made else made


@operation
def aggregates(make):
    kind = make.random.choice(INTS + ["float64", "float32", "duration[us]"])
    values = make.of(kind, make.size(), small=kind.endswith("64"), special=False)
    series, valid = cn.Series(values, dtype=kind), [value for value in values if value is not None]
    names = ["sum", "min", "max", "count", "nunique"]
    if kind != "duration[us]":
        names += ["mean", "median", "std", "var", "sem", "skew", "kurt"]
    for name in names:
        expected = statistic(name, valid, kind)
        if expected != "any":
            check([getattr(series, name)()], [expected], f"{name} of {kind}", rel=1e-5 if kind == "float32" else 1e-7)
    if kind in INTS:
        q, how = make.random.choice([0, 0.1, 0.25, 0.5, 0.77, 1.0]), make.random.choice(["linear", "lower", "higher", "midpoint"])
        made = series.quantile(q, how)
        expected = float(np.quantile([float(value) for value in valid], q, method=how)) if valid else None
        check([None if made is None else float(made)], [expected], f"quantile {q} {how} of {kind}", rel=1e-7)


@operation
def groups(make):
    choose, rows = make.random, make.size()
    kinds = {"k": "utf8", "g": choose.choice(INTS), "b": "bool", "d": "date32"}
    keys = choose.sample(list(kinds), choose.randint(1, 3))
    kind = choose.choice(["float64", "int32", "int64", "uint16"])
    columns = make.columns({key: kinds[key] for key in keys}, rows, small=True)
    columns["v"] = (make.of(kind, rows, small=True), kind)
    sort, dropna = choose.random() < 0.5, choose.random() < 0.7
    of_key, values = collections.OrderedDict(), columns["v"][0]
    for row in range(rows):
        key = tuple(columns[label][0][row] for label in keys)
        if not (dropna and None in key):
            of_key.setdefault(key, []).append(row)
    order = list(of_key)
    if sort:
        order.sort(key=lambda key: tuple((part is None, 0 if part is None else part) for part in key))
    names = ["sum", "mean", "min", "max", "count", "var", "std", "median", "nunique", "first", "last", "product", "skew", "kurt", "sem"]
    names = choose.sample(names, choose.randint(1, 6))
    grouped = ours_of(columns).group_by(*keys, sort=sort, dropna=dropna)
    made = grouped.agg(len=cn.len(), rows=col("v").collect(), **{name: getattr(col("v"), name)() for name in names})
    what = f"{keys} sort={sort} dropna={dropna} of {kind}"
    for at, label in enumerate(keys):
        check(made[label], [key[at] for key in order], f"keys of {what}")
    check(made["len"], [len(of_key[key]) for key in order], f"len of {what}")
    check(made["rows"], [[values[row] for row in of_key[key]] for key in order], f"collect of {what}")
    for name in names:
        expected = [statistic(name, [values[row] for row in of_key[key] if values[row] is not None], kind) for key in order]
        pairs = [pair for pair in zip(made[name].to_list(), expected) if pair[1] != "any"]
        check([pair[0] for pair in pairs], [pair[1] for pair in pairs], f"{name} of {what}", rel=1e-7, absolute=1e-7)


@operation
def merges(make):
    choose = make.random
    kind = choose.choice(["utf8", "int8", "int64", "uint32", "date32", "bool", "float64"])
    other = choose.choice(INTS) if kind in INTS and choose.random() < 0.3 else kind
    how, nulls_equal = choose.choice(["inner", "left", "right", "outer", "semi", "anti"]), choose.random() < 0.5
    keys = ["k", "h"] if choose.random() < 0.4 else ["k"]

    def side(kind, rows, number):
        columns = {"k": (make.of(kind, rows, small=True), kind)}
        if "h" in keys:
            columns["h"] = (make.of("utf8", rows, small=True), "utf8")
        return {**columns, number: (list(range(rows)), "int64"), "z": (make.of("utf8", rows), "utf8")}

    left, right = side(kind, make.size(12), "l"), side(other, make.size(12), "r")

    def match(i, j):
        pairs = [(left[key][0][i], right[key][0][j]) for key in keys]
        return all(a == b if None not in (a, b) else nulls_equal and a is b for a, b in pairs)

    lefts, rights = range(len(left["k"][0])), range(len(right["k"][0]))
    hits = {i: [j for j in rights if match(i, j)] for i in lefts}
    if how == "right":
        pairs = [(i, j) for j in rights for i in [i for i in lefts if j in hits[i]] or [None]]
    else:
        alone = {"left": [None], "outer": [None], "anti": [None]}.get(how, [])
        found = {"semi": lambda j: [None] if j else [], "anti": lambda j: []}.get(how, lambda j: j)
        pairs = [(i, j) for i in lefts for j in (found(hits[i]) if hits[i] else alone)]
        if how == "outer":
            used = {j for found in hits.values() for j in found}
            pairs += [(None, j) for j in rights if j not in used]
    made = ours_of(left).merge(ours_of(right), how=how, on=keys, nulls_equal=nulls_equal)
    what = f"{how} of {kind} and {other}, {keys}, nulls_equal={nulls_equal}"
    check(made["l"], [i for i, _ in pairs], what)
    if how in ("semi", "anti"):
        return
    check(made["r"], [j for _, j in pairs], what)
    for key in keys:
        check(made[key], [right[key][0][j] if i is None else left[key][0][i] for i, j in pairs], f"{key} of {what}")
    check(made["z_x"], [None if i is None else left["z"][0][i] for i, _ in pairs], f"z_x of {what}")
    check(made["z_y"], [None if j is None else right["z"][0][j] for _, j in pairs], f"z_y of {what}")


@operation
def sorts(make):
    choose, rows = make.random, make.size()
    kinds = {label: choose.choice(list(DTYPES)) for label in "abc"}
    ours, theirs, _ = frames(make, kinds, rows, small=choose.random() < 0.6)
    ours = ours.with_columns(row=cn.Series(list(range(rows)), dtype="int64"))
    theirs = theirs.with_columns(row=pl.Series(range(rows), dtype=pl.Int64))
    by = choose.sample("abc", choose.randint(1, 3))
    ascending, first = [choose.random() < 0.5 for _ in by], choose.random() < 0.5
    each = [choose.random() < 0.5 for _ in by]
    expected = theirs.sort(by, descending=[not up for up in ascending], nulls_last=[not one for one in each], maintain_order=True)["row"]
    check(ours.sort_values(by, ascending, each)["row"], expected, f"sort_values of {[kinds[label] for label in by]} {ascending} nulls_first={each}")
    expected = theirs.sort(by, descending=[not up for up in ascending], nulls_last=not first, maintain_order=True)["row"]
    what = f"{[kinds[label] for label in by]} {ascending} nulls_first={first}"
    check(ours.sort_values(by, ascending, first)["row"], expected, f"sort_values of {what}")
    check(ours.sort_values(by, ascending, first).index.to_list(), expected, f"labels of {what}")
    k = choose.randint(0, rows + 1)
    check(ours.sort_head(k, by, ascending, first)["row"], expected.head(k), f"sort_head of {what}")
    expected = theirs.sort(by[0], descending=not ascending[0], nulls_last=not first, maintain_order=True)["row"]
    check(ours[by[0]].argsort(ascending[0], first), expected, f"argsort of {what}")


@operation
def distinct_rows(make):
    kinds = {label: make.random.choice(list(DTYPES)) for label in "ab"}
    ours, theirs, data = frames(make, kinds, make.size(), small=True)
    subset, keep = make.random.choice([None, ["a"], ["b", "a"]]), make.random.choice(["first", "last", "none"])
    expected = theirs.unique(subset, keep=keep, maintain_order=True)
    check(ours.unique(subset, keep), expected, f"unique of {kinds} {subset} {keep}")
    check(ours.drop_duplicates(subset, False if keep == "none" else keep), expected, f"drop_duplicates of {kinds} {subset} {keep}")
    check(ours["a"].unique(), theirs["a"].unique(maintain_order=True), f"unique of {kinds['a']}")
    codes, values = ours["a"].factorize()
    values = values.to_list()
    check([None if code is None or code < 0 else values[code] for code in codes.to_list()], data["a"], f"factorize of {kinds['a']}")


@operation
def value_counts(make):
    kind = make.random.choice(["utf8", "int8", "bool", "date32", "int64"])
    values = make.of(kind, make.size(), small=True)
    normalize, dropna, ascending, sort = (make.random.random() < 0.5 for _ in range(4))
    counts = collections.OrderedDict()
    for value in values:
        if not (dropna and value is None):
            counts[value] = counts.get(value, 0) + 1
    items, whole = list(counts.items()), sum(counts.values())
    if sort:
        items.sort(key=lambda item: item[1], reverse=not ascending)
    made = cn.Series(values, dtype=kind, name="v").value_counts(normalize, sort, ascending, dropna)
    what = f"{kind} normalize={normalize} sort={sort} ascending={ascending} dropna={dropna}"
    check(made, [count / whole if normalize else count for _, count in items], what)
    if not (sort and ascending):
        check(made.index.to_series(), [value for value, _ in items], what)


# A function here, and the same one on strings of Python.
STRINGS = {
    "len": (lambda s: s.len(), len), "byte_count": (lambda s: s.byte_count(), lambda v: len(v.encode())),
    "lower": (lambda s: s.lower(), str.lower), "upper": (lambda s: s.upper(), str.upper), "title": (lambda s: s.title(), str.title),
    "swapcase": (lambda s: s.swapcase(), str.swapcase), "capitalize": (lambda s: s.capitalize(), str.capitalize),
    "strip": (lambda s: s.strip(), str.strip), "lstrip": (lambda s: s.lstrip(), str.lstrip), "rstrip": (lambda s: s.rstrip(), str.rstrip),
    "reverse": (lambda s: s.reverse(), lambda v: v[::-1]), "zfill": (lambda s: s.zfill(5), lambda v: v.zfill(5)),
    "repeat": (lambda s: s.repeat(3), lambda v: v * 3), "starts_with": (lambda s: s.starts_with("a"), lambda v: v.startswith("a")),
    "ends_with": (lambda s: s.ends_with("c"), lambda v: v.endswith("c")), "contains": (lambda s: s.contains("b"), lambda v: "b" in v),
    "contains nothing": (lambda s: s.contains(""), lambda v: True), "find": (lambda s: s.find("b"), lambda v: v.find("b")),
    "rfind": (lambda s: s.rfind("b"), lambda v: v.rfind("b")), "count": (lambda s: s.count("b"), lambda v: v.count("b")),
    "find nothing": (lambda s: s.find(""), lambda v: v.find("")), "rfind nothing": (lambda s: s.rfind(""), lambda v: v.rfind("")),
    "count nothing": (lambda s: s.count(""), lambda v: v.count("")), "replace": (lambda s: s.replace("b", "ßß"), lambda v: v.replace("b", "ßß")),
    "replace nothing": (lambda s: s.replace("", "-"), lambda v: v.replace("", "-")),
    "remove_prefix": (lambda s: s.remove_prefix("a"), lambda v: v.removeprefix("a")),
    "remove_suffix": (lambda s: s.remove_suffix("c"), lambda v: v.removesuffix("c")),
    "slice": (lambda s: s.slice(offset=1, length=2), lambda v: v[1:3]), "slice from the end": (lambda s: s.slice(start=-2), lambda v: v[-2:]),
    "get": (lambda s: s.get(1), lambda v: v[1] if len(v) > 1 else None), "get from the end": (lambda s: s.get(-1), lambda v: v[-1] if v else None),
    "split": (lambda s: s.split("b"), lambda v: v.split("b")), "split once": (lambda s: s.split("-", 1), lambda v: v.split("-", 1)),
    "split_part": (lambda s: s.split_part("-", 1), lambda v: v.split("-")[1] if "-" in v else None),
    "pad": (lambda s: s.pad(6, "left", "*"), lambda v: v.rjust(6, "*")), "pad right": (lambda s: s.pad(6, "right", "é"), lambda v: v.ljust(6, "é")),
    "is_alpha": (lambda s: s.is_alpha(), str.isalpha), "is_numeric": (lambda s: s.is_numeric(), str.isnumeric),
    "is_decimal": (lambda s: s.is_decimal(), str.isdecimal), "is_alnum": (lambda s: s.is_alnum(), str.isalnum),
    "is_space": (lambda s: s.is_space(), str.isspace), "is_lower": (lambda s: s.is_lower(), str.islower),
    "is_upper": (lambda s: s.is_upper(), str.isupper), "is_title": (lambda s: s.is_title(), str.istitle),
    "is_ascii": (lambda s: s.is_ascii(), str.isascii),
    "contains_regex": (lambda s: s.contains_regex("[a-c]+X?"), lambda v: re.search("[a-c]+X?", v) is not None),
    "fullmatch_regex": (lambda s: s.fullmatch_regex("[a-z]*"), lambda v: re.fullmatch("[a-z]*", v) is not None),
    "match_regex": (lambda s: s.match_regex("a"), lambda v: re.match("a", v) is not None),
    "count_regex": (lambda s: s.count_regex("[a-z]"), lambda v: len(re.findall("[a-z]", v))),
    "replace_regex": (lambda s: s.replace_regex("[a-b]", "_"), lambda v: re.sub("[a-b]", "_", v)),
    "extract": (lambda s: s.extract("([a-z])-", 1), lambda v: (found := re.search("([a-z])-", v)) and found.group(1)),
    "strip_chars": (lambda s: s.strip_chars("ac ", "both"), lambda v: v.strip("ac ")),
}


@operation
def strings(make):
    values = make.of("utf8", make.size())
    if make.random.random() < 0.5:
        values = [None if value is None else value + make.random.choice(WORDS) + make.random.choice(WORDS) for value in values]
    series, start = cn.Series(values, dtype="utf8", name="s"), make.random.randint(0, len(values))
    for name, (ours, theirs) in make.random.sample(list(STRINGS.items()), 8):
        expected = [None if value is None else theirs(value) for value in values]
        check(ours(series.str), expected, name)
        check(series.to_frame().select(x=ours(col("s").str))["x"], expected, f"{name} of an expression")
        check(ours(series[start:].str), expected[start:], f"{name} of a slice")
        check(ours(series.cast("category").str), expected, f"{name} of a dictionary")


@operation
def times(make):
    kind = make.random.choice(["date32", "timestamp[us]"])
    values = make.of(kind, make.size())
    series, theirs = cn.Series(values, dtype=kind), pd.Series(pd.to_datetime(pd.Series(values, dtype=object)), dtype="datetime64[us]").dt
    expected = {
        name: getattr(theirs, name)
        for name in ["year", "month", "day", "quarter", "days_in_month", "is_leap_year", "is_month_start", "is_month_end", "is_quarter_start", "is_year_end"]
    }
    if kind != "date32":
        expected.update({name: getattr(theirs, name) for name in ["hour", "minute", "second"]})
    expected.update(
        weekday=theirs.day_of_week, day_of_year=theirs.day_of_year, week=theirs.isocalendar().week, iso_year=theirs.isocalendar().year,
        day_name=theirs.day_name(), month_name=theirs.month_name(),
    )
    for name, parts in expected.items():
        parts = [None if value is None else part for value, part in zip(values, parts.tolist())]
        check([part if part is None or isinstance(part, str) else int(part) for part in getattr(series.dt, name)().to_list()],
              [part if part is None or isinstance(part, str) else int(part) for part in parts], f"{name} of {kind}")
    if kind != "date32" and values:
        for period in ("h", "D", "min", "s"):
            for how in ("floor", "ceil", "round"):
                made = getattr(theirs, how)(period)
                check(getattr(series.dt, how)(period), [None if value is None else made[row].to_pydatetime() for row, value in enumerate(values)], f"{how} {period}")
        check(series.dt.strftime("%d.%m.%Y %H:%M:%S"), [None if value is None else f"{value:%d.%m.}{value.year:04}{value: %H:%M:%S}" for value in values], "strftime")


@operation
def rows_before(make):
    kind = make.random.choice(["float64", "int32", "int64"])
    ours, theirs, data = frames(make, {"a": kind}, make.size(), special=False, small=kind == "int64")
    series, polars, steps = ours["a"], theirs["a"], make.random.choice([1, 2, -1, 3, -5])
    check(series.shift(steps), polars.shift(steps), f"shift {steps}")
    check(series.diff(abs(steps)), polars.diff(abs(steps)), "diff")
    for name in ["cum_min", "cum_max"] + (["cum_sum"] if kind != "int32" else []):
        check(getattr(series, name)(), getattr(polars, name)(), name, rel=1e-7)
    for method in ("average", "min", "max", "dense", "first"):
        for up in (False, True):
            expected = polars.rank("ordinal" if method == "first" else method, descending=not up)
            check(without_nan(series.rank(method, up)), without_nan(expected.to_list()), f"rank {method} {up}")
    check(series.fill_forward(), polars.forward_fill(), "fill_forward")
    check(series.fill_backward(2), polars.backward_fill(2), "fill_backward")
    check(series.interpolate(), polars.interpolate(), "interpolate")


@operation
def windows(make):
    kind = make.random.choice(["float64", "int32", "uint8"])
    values, choose = make.of(kind, make.size(), special=False, small=kind == "int32"), make.random
    series, pandas = cn.Series(values, dtype=kind), pd.Series([None if value is None else float(value) for value in values], dtype="float64")
    size = choose.randint(1, 9)
    least, center = choose.randint(1, size), choose.random() < 0.3
    ours, theirs = series.rolling(size, least, center), pandas.rolling(size, least, center=center)
    for name in ("sum", "mean", "min", "max", "var", "std", "median", "count"):
        what = f"rolling {size} {least} {center} {name} of {kind}"
        check(without_nan(getattr(ours, name)()), without_nan(getattr(theirs, name)()), what, rel=1e-6, absolute=1e-6)
    q = choose.choice([0, 0.25, 0.6, 1])
    check(without_nan(series.rolling(size, least).quantile(q)), without_nan(pandas.rolling(size, least).quantile(q)), "rolling quantile", rel=1e-6)
    least = choose.randint(1, 4)
    for name in ("sum", "mean", "min", "max", "std", "count", "median"):
        made = getattr(series.expanding(least), name)()
        check(without_nan(made), without_nan(getattr(pandas.expanding(least), name)()), f"expanding {least} {name}", rel=1e-6, absolute=1e-6)
    for name in ("mean", "var", "std"):
        options = {
            "alpha": choose.choice([0.1, 0.5, 1.0]), "adjust": choose.random() < 0.5, "ignore_na": choose.random() < 0.5,
            "min_periods": choose.choice([0, 2]),
        }
        made, expected = getattr(series.ewm(**options), name)(), getattr(pandas.ewm(**options), name)()
        check(without_nan(made), without_nan(expected), f"ewm {options} {name}", rel=1e-6, absolute=1e-6)


@operation
def rows_of_groups(make):
    ours, theirs, data = frames(make, {"k": "utf8", "v": "float64"}, make.size(), small=True)
    exprs = {
        "sum": (col("v").sum(), pl.col("v").sum()), "mean": (col("v").mean(), pl.col("v").mean()), "max": (col("v").max(), pl.col("v").max()),
        "count": (col("v").count(), pl.col("v").count()), "cum_sum": (col("v").cum_sum(), pl.col("v").cum_sum()),
        "shift": (col("v").shift(1), pl.col("v").shift(1)), "rank": (col("v").rank("min"), pl.col("v").rank("min")),
    }
    for name, (mine, other) in exprs.items():
        expected = theirs.select(x=other.over("k"))["x"].to_list()
        expected = [None if key is None else value for key, value in zip(data["k"], expected)]
        check(ours.select(x=mine.over("k"))["x"], expected, f"{name} over", rel=1e-7)
        if name in ("cum_sum", "shift"):
            check(getattr(ours.groupby("k")["v"], name)(), expected, f"{name} of groups", rel=1e-7)
        elif name != "rank":
            check(ours.groupby("k")["v"].transform(name), expected, f"transform {name}", rel=1e-7)


@pytest.mark.parametrize("name", OPERATIONS)
def test_random_values(name):
    for seed in range(SEED, SEED + ROUNDS):
        try:
            OPERATIONS[name](Values(f"{name}{seed}"))
        except Exception as error:
            error.add_note(f"seed {seed} of {name}") if hasattr(error, "add_note") else None
            raise


def test_comparisons_of_this_module_see_differences():
    for left, right in [([1], [2]), ([1.0], [1.001]), ([None], [math.nan]), ([True], [1]), ([[1]], [[2]]), ([1], [1, 1])]:
        with pytest.raises(AssertionError):
            check(left, right, "values")
    assert is_same(1.0, 1.0 + 1e-12) and len(SIZES) == 16
