"""Runs calls on pandas and writes inputs, calls and results as JSON lines.

    python generate.py OUTPUT [--small]

The first lines are inputs, each a frame; then follow calls: an operation, an input, arguments, and the columns of the result.
Columns are of ArrowDtype, with nulls apart from NaN. Times are whole units since 1970, floats are written so that they are read
back bit by bit. `--small` writes one call in `SMALL`, which the repository keeps for the tests.
"""

import itertools
import json
import math
import random
import sys
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa

SMALL = 61
warnings.simplefilter("ignore")
pd.set_option("future.distinguish_nan_and_na", True)

DTYPES = {
    "int64": pa.int64(), "int32": pa.int32(), "int8": pa.int8(), "uint8": pa.uint8(), "uint32": pa.uint32(),
    "float64": pa.float64(), "float32": pa.float32(), "bool": pa.bool_(), "utf8": pa.string(),
    "date32": pa.date32(), "timestamp[us]": pa.timestamp("us"), "duration[us]": pa.duration("us"),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
NAMES.update({
    pa.large_string(): "utf8", pa.int16(): "int16", pa.uint16(): "uint16", pa.uint64(): "uint64",
    pa.timestamp("ns"): "timestamp[ns]", pa.timestamp("s"): "timestamp[s]", pa.timestamp("ms"): "timestamp[ms]",
    pa.duration("ns"): "duration[ns]", pa.null(): "null",
})

WORDS = ["tea", "Rye", "", "ß", "éa", "tea cup", "ZEBRA", "ab-cd", " x ", "日本", "a", "10"]


def inputs():
    """Frames of every size and pattern of nulls."""
    made = {}
    for size, nulls in itertools.product([0, 1, 8, 33, 65], ["none", "some", "all"]):
        if size == 0 and nulls != "none":
            continue
        name = f"{size} rows, {nulls} null"
        rng = random.Random(name)

        def column(dtype, draw):
            is_null = {"none": lambda: False, "some": lambda: rng.random() < 0.25, "all": lambda: True}[nulls]
            return dtype, [None if is_null() else draw() for _ in range(size)]

        made[name] = {
            "i": column("int64", lambda: rng.randint(-3, 4)),
            "j": ("int64", [rng.randint(-50, 50) for _ in range(size)]),
            "u": column("uint8", lambda: rng.randint(0, 9)),
            "f": column("float64", lambda: rng.choice([0.0, 1.5, -2.25, 3.0, 1e6, -0.1, 7.0])),
            "g": column("float64", lambda: rng.choice([0.5, math.nan, -2.0, math.inf, 3.25, -math.inf])),
            "s": column("utf8", lambda: rng.choice(WORDS)),
            "k": ("utf8", [rng.choice(["a", "b", "c"]) for _ in range(size)]),
            "b": column("bool", lambda: rng.random() < 0.5),
            "t": column("timestamp[us]", lambda: rng.randint(-(10**15), 2 * 10**15)),
            "d": column("date32", lambda: rng.randint(-2000, 20000)),
            "n": ("int64", list(range(size))),
        }
    return made


def frame_of(columns):
    arrays = {name: pa.array(values, DTYPES["int64" if is_time(dtype) else dtype]) for name, (dtype, values) in columns.items()}
    arrays = {
        name: array.cast(pa.int32()).cast(pa.date32()) if columns[name][0] == "date32"
        else array.cast(DTYPES[columns[name][0]]) for name, array in arrays.items()
    }
    return pd.DataFrame({name: pd.array(array, dtype=pd.ArrowDtype(array.type)) for name, array in arrays.items()})


def is_time(dtype):
    return dtype in ("date32", "timestamp[us]")


def number(value):
    if value is None:
        return None
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
    return value


def column_of(label, values, nan_is_null):
    """A column of the result: its label, dtype and values."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(values.dtype.categories.dtype)
    if isinstance(values.dtype, pd.ArrowDtype):
        array = pa.chunked_array(pa.array(values.array)).combine_chunks()
    else:
        array = pa.array(values, from_pandas=nan_is_null or values.dtype == object)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    dtype = NAMES[array.type]
    if dtype.startswith(("timestamp", "duration")):
        array = array.cast(pa.int64())
    elif dtype == "date32":
        array = array.cast(pa.int32())
    found = array.to_pylist()
    if nan_is_null and dtype.startswith("float"):
        found = [None if value is not None and math.isnan(value) else value for value in found]
    if isinstance(label, tuple):
        label = [plain(part) for part in label]
    return {"label": plain(label), "dtype": dtype, "values": [number(value) for value in found]}


def plain(label):
    if isinstance(label, np.generic):
        return label.item()
    if label is pd.NA or (isinstance(label, float) and math.isnan(label)):
        return None
    return label


OPERATIONS = []


def operation(name, nan_is_null=False, inputs=lambda name: True, loose=False, **options):
    """An operation: options are lists of arguments, of which each combination is a call."""
    def register(call):
        OPERATIONS.append((name, call, options, nan_is_null, inputs, loose))
        return call
    return register


def some_rows(name):
    return not name.startswith("0 rows")


def no_nulls(name):
    return name.endswith("none null")


# Rows ------------------------------------------------------------------------------------------------------------------

COMPARISONS = {"lt": "__lt__", "le": "__le__", "eq": "__eq__", "ne": "__ne__", "gt": "__gt__", "ge": "__ge__"}


@operation("filter", column=["i", "f", "s", "u"], by=list(COMPARISONS))
def filter_rows(df, column, by):
    value = {"i": 1, "f": 1.5, "s": "tea", "u": 4}[column]
    return df[getattr(df[column], COMPARISONS[by])(value).fillna(False)]


@operation("sort_values", by=[["i"], ["s", "i"], ["f"], ["b", "d"], ["t"], ["u", "s"]], ascending=[True, False], first=[True, False])
def sort_values(df, by, ascending, first):
    return df.sort_values(by, ascending=ascending, na_position="first" if first else "last", kind="stable")


@operation("drop_duplicates", by=[["i"], ["k", "b"], ["s"], ["u", "k"]], keep=["first", "last", "none"])
def drop_duplicates(df, by, keep):
    return df.drop_duplicates(by, keep=False if keep == "none" else keep)


@operation("duplicated", by=[["i"], ["k", "b"], ["s"]], keep=["first", "last", "none"])
def duplicated(df, by, keep):
    return df.duplicated(by, keep=False if keep == "none" else keep)


@operation("dropna", by=[["i"], ["i", "s"], None], how=["any", "all"])
def dropna(df, by, how):
    return df.dropna(subset=by, how=how)


@operation("dropna_thresh", thresh=[0, 3, 8, 11])
def dropna_thresh(df, thresh):
    return df.dropna(thresh=thresh)


@operation("head", n=[0, 1, 5, 100])
def head(df, n):
    return df.head(n)


@operation("tail", n=[0, 1, 5, 100])
def tail(df, n):
    return df.tail(n)


@operation("nlargest", column=["j", "n"], n=[0, 1, 4], keep=["first", "last", "all"])
def nlargest(df, column, n, keep):
    return df.nlargest(n, column, keep=keep)


@operation("nsmallest", column=["j", "n"], n=[1, 4], keep=["first", "last", "all"])
def nsmallest(df, column, n, keep):
    return df.nsmallest(n, column, keep=keep)


@operation("concat")
def concat(df):
    return pd.concat([df, df.tail(3)])


@operation("tile", n=[0, 1, 3])
def tile(df, n):
    return pd.concat([df] * n) if n else df.head(0)


@operation("repeat", n=[0, 1, 3])
def repeat(df, n):
    return df.loc[df.index.repeat(n)]


# Elements --------------------------------------------------------------------------------------------------------------

ARITHMETIC = {
    "add": lambda a, b: a + b, "sub": lambda a, b: a - b, "mul": lambda a, b: a * b, "div": lambda a, b: a / b,
}


@operation("arithmetic", op=list(ARITHMETIC), left=["i", "f", "j"], right=["j", "f", 3, 2.5])
def arithmetic(df, op, left, right):
    other = df[right] if isinstance(right, str) else right
    if op == "div":
        # Integers divided by 0 are infinite or NaN, as those of numpy; Arrow refuses them.
        a = df[left].astype("float64[pyarrow]")
        other = other.astype("float64[pyarrow]") if isinstance(other, pd.Series) else float(other)
        return (a / other)
    return ARITHMETIC[op](df[left], other)


@operation("floor_div", left=["i", "j"], right=[3, -2])
def floor_div(df, left, right):
    return df[left] // right


@operation("modulo", left=["i", "j"], right=[3, -2])
def modulo(df, left, right):
    values = df[left].astype("Int64") % right
    return values.astype("int64[pyarrow]")


@operation("compare", op=list(COMPARISONS), left=["i", "f", "s", "t"], right=["same", "other"])
def compare(df, op, left, right):
    other = {"i": "j", "f": "i", "s": "k", "t": "t"}[left] if right == "other" else left
    return getattr(df[left], COMPARISONS[op])(df[other].shift(1) if left == "t" else df[other])


@operation("logic", op=["and", "or", "not"])
def logic(df, op):
    a, b = df["b"], df["i"] > 0
    return {"and": a & b, "or": a | b, "not": ~a}[op]


@operation("fillna", column=["i", "f", "s", "b", "g"])
def fillna(df, column):
    return df[column].fillna({"i": 7, "f": 0.25, "s": "none", "b": True, "g": 1.0}[column])


@operation("ffill", column=["i", "s", "f", "t"], limit=[None, 1])
def ffill(df, column, limit):
    return df[column].ffill(limit=limit)


@operation("bfill", column=["i", "s", "f", "t"], limit=[None, 1])
def bfill(df, column, limit):
    return df[column].bfill(limit=limit)


@operation("isna", column=["i", "s", "g"])
def isna(df, column):
    return df[column].isna() if column != "g" else pd.Series(pa.array(df[column].array).is_null().to_numpy(zero_copy_only=False))


@operation("is_in", column=["i", "s"])
def is_in(df, column):
    values = {"i": [1, 2, 9], "s": ["tea", "", "ß"]}[column]
    return df[column].isin(values)


@operation("between", column=["i", "f"])
def between(df, column):
    return df[column].between(0, 3)


@operation("clip", column=["i", "f"])
def clip(df, column):
    return df[column].clip(-1, 2)


@operation("abs", column=["i", "f"])
def absolute(df, column):
    return df[column].abs()


@operation("round", decimals=[0, 1, -1])
def rounded(df, decimals):
    return (df["f"] * 1.375).round(decimals)


@operation("where", column=["i", "s", "f"])
def where(df, column):
    condition = (df["j"] > 0)
    return df[column].where(condition, df[column].shift(1))


@operation("shift", column=["i", "s", "b", "t"], n=[0, 1, -2, 100])
def shift(df, column, n):
    return df[column].shift(n)


@operation("diff", column=["i", "f", "j"], n=[1, -1, 3])
def diff(df, column, n):
    return df[column].diff(n)


@operation("pct_change", column=["f"], n=[1, 2])
def pct_change(df, column, n):
    return df[column] / df[column].shift(n) - 1


# Statistics ------------------------------------------------------------------------------------------------------------

AGGREGATES = ["sum", "min", "max", "mean", "count", "var", "std", "sem", "median", "nunique", "prod"]


@operation("aggregate", nan_is_null=True, column=["i", "f", "j", "u"], of=AGGREGATES + ["skew", "kurt"])
def aggregate(df, column, of):
    values = df[column]
    if of in ("skew", "kurt", "sem", "var", "std", "median", "mean"):
        values = values.astype("Float64")
    value = getattr(values, of)()
    dtype = {"count": "int64", "nunique": "int64"}.get(of)
    if dtype is None:
        floats = of in ("mean", "var", "std", "sem", "median", "skew", "kurt") or column == "f"
        dtype = "float64" if floats else "int64" if of in ("sum", "prod") and column != "u" else None
        dtype = dtype or ("uint64" if of in ("sum", "prod") else {"i": "int64", "j": "int64", "u": "uint8"}[column])
    missing = value is pd.NA or value is None or (isinstance(value, float) and math.isnan(value))
    return pd.Series([None if missing else value], dtype=f"{dtype}[pyarrow]")


@operation("aggregate_bool", of=["any", "all"])
def aggregate_bool(df, of):
    return pd.Series([bool(getattr(df["b"], of)())], dtype="bool[pyarrow]")


@operation("quantile", nan_is_null=True, column=["i", "f"], q=[0.0, 0.1, 0.5, 0.77, 1.0], interpolation=["linear", "lower", "higher", "nearest", "midpoint"])
def quantile(df, column, q, interpolation):
    # As of numpy: pandas computes those of nullable columns from floats as well.
    value = df[column].astype("Float64").quantile(q, interpolation=interpolation)
    dtype = "float64" if interpolation in ("linear", "midpoint") or column == "f" else "int64"
    missing = value is pd.NA or (isinstance(value, float) and math.isnan(value))
    return pd.Series([None if missing else value], dtype=f"{dtype}[pyarrow]")


CUMULATIVE = ["cumsum", "cummin", "cummax", "cumprod"]


@operation("cumulative", of=CUMULATIVE, column=["i", "j"])
def cumulative(df, of, column):
    return getattr(df[column], of)()


@operation("cumulative_float", of=["cumsum", "cummin", "cummax"])
def cumulative_float(df, of):
    return getattr(df["f"], of)()


@operation("rank", nan_is_null=True, column=["i", "f", "j", "s"], method=["average", "min", "max", "dense", "first"], ascending=[True, False], pct=[False, True])
def rank(df, column, method, ascending, pct):
    values = df[column] if column == "s" else df[column].astype("Float64")
    ranks = values.rank(method=method, ascending=ascending, pct=pct).astype("float64[pyarrow]")
    return ranks if pct or method == "average" else ranks.astype("int64[pyarrow]")


@operation("rolling", nan_is_null=True, of=["sum", "mean", "min", "max", "count", "var", "std", "median"], window=[1, 3, 10], min_periods=[None, 1], center=[False, True])
def rolling(df, of, window, min_periods, center):
    values = df["f"].astype("float64[pyarrow]").to_numpy(dtype="float64", na_value=np.nan)
    windows = pd.Series(values).rolling(window, min_periods=min_periods, center=center)
    if of in ("var", "std"):
        # The variance of each window by itself: that of pandas carries the rounding of earlier rows.
        found = windows.apply(lambda rows: getattr(pd.Series(rows), of)(), raw=True)
    else:
        found = getattr(windows, of)()
    if of == "count":
        return found.astype("float64[pyarrow]").where(found.notna()).astype("int64[pyarrow]")
    return found


@operation("expanding", nan_is_null=True, of=["sum", "mean", "min", "max", "count", "var"], min_periods=[1, 3])
def expanding(df, of, min_periods):
    values = df["f"].to_numpy(dtype="float64", na_value=np.nan)
    found = getattr(pd.Series(values).expanding(min_periods), of)()
    return found.astype("float64[pyarrow]").where(found.notna()).astype("int64[pyarrow]") if of == "count" else found


@operation("value_counts", column=["i", "s", "b", "k", "d"], normalize=[False, True], dropna=[True, False], ascending=[False, True])
def value_counts(df, column, normalize, dropna, ascending):
    counts = df[column].value_counts(normalize=normalize, dropna=dropna, ascending=ascending)
    return counts.reset_index()


@operation("describe", nan_is_null=True)
def describe(df):
    numbers = df[["i", "f", "j"]].astype("Float64").astype("float64")
    return numbers.describe().reset_index(drop=True)


@operation("mode", column=["i", "s", "j"])
def mode(df, column):
    return df[column].mode()


@operation("factorize", column=["i", "s", "k"])
def factorize(df, column):
    codes, _ = pd.factorize(df[column])
    codes = pd.Series(codes, dtype="int64[pyarrow]")
    return codes.where(codes >= 0)


@operation("cut_codes", bins=[[-4, -1, 0, 2, 4], [0, 1]], right=[True, False], lowest=[False, True])
def cut_codes(df, bins, right, lowest):
    codes = pd.Series(pd.cut(df["i"].astype("Float64").astype("float64"), bins, right=right, include_lowest=lowest).cat.codes)
    codes = codes.astype("int64[pyarrow]")
    return codes.where(codes >= 0)


@operation("corr", nan_is_null=True, of=["corr", "cov"], inputs=lambda name: not name.startswith("1 row"))
def corr(df, of):
    a, b = (df[column].astype("Float64").astype("float64") for column in ("f", "j"))
    return pd.Series([getattr(a, of)(b)], dtype="float64")


@operation("search_sorted", side=["left", "right"])
def search_sorted(df, side):
    return pd.Series(np.sort(df["j"].to_numpy(dtype="int64")).searchsorted([-60, -3, 0, 17, 60], side=side), dtype="int64[pyarrow]")


# Groups ----------------------------------------------------------------------------------------------------------------

GROUPED = ["sum", "min", "max", "mean", "count", "var", "std", "sem", "median", "nunique", "prod", "first", "last"]


def result_dtype(of, column):
    if of in ("count", "nunique", "size"):
        return "int64"
    if of in ("mean", "var", "std", "sem", "median"):
        return "float64"
    if of in ("sum", "prod"):
        return {"i": "int64", "j": "int64", "f": "float64", "u": "uint64", "n": "int64"}[column]
    return {"i": "int64", "j": "int64", "f": "float64", "u": "uint8", "s": "utf8", "n": "int64"}[column]


def typed(values, dtype):
    return values.astype(pd.ArrowDtype(DTYPES.get(dtype) or {"uint64": pa.uint64()}[dtype]))


def numeric(df, column):
    return df.assign(**{column: df[column].astype({"i": "Int64", "j": "Int64", "f": "Float64", "u": "UInt8"}[column])})


@operation("groupby_agg", nan_is_null=True, by=[["k"], ["i"], ["s", "b"], ["d"]], column=["f", "j", "u"], of=GROUPED, dropna=[True, False])
def groupby_agg(df, by, column, of, dropna):
    grouped = numeric(df, column).groupby(by, dropna=dropna, sort=True)[column]
    found = getattr(grouped, of)().rename("x").reset_index()
    found["x"] = typed(found["x"], result_dtype(of, column))
    return found


@operation("groupby_size", by=[["k"], ["i"], ["s", "b"]], dropna=[True, False], sort=[True, False])
def groupby_size(df, by, dropna, sort):
    found = df.groupby(by, dropna=dropna, sort=sort).size().rename("x").reset_index()
    found["x"] = typed(found["x"], "int64")
    return found


@operation("groupby_text", of=["min", "max", "first", "last", "count", "nunique"], by=["k", "i"])
def groupby_text(df, of, by):
    found = getattr(df.groupby(by)["s"], of)().rename("x").reset_index()
    found["x"] = typed(found["x"], result_dtype(of, "s"))
    return found


@operation("groupby_quantile", nan_is_null=True, q=[0.0, 0.3, 0.5, 1.0], by=["k", "b"])
def groupby_quantile(df, q, by):
    found = numeric(df, "f").groupby(by)["f"].quantile(q).rename("x").reset_index()
    found["x"] = typed(found["x"], "float64")
    return found


@operation("transform", nan_is_null=True, of=["sum", "mean", "min", "max", "count"], by=["k", "i"], column=["j", "f"])
def transform(df, of, by, column):
    found = numeric(df, column).groupby(by)[column].transform(of)
    # Rows of a null key are null.
    return typed(found.where(df[by].notna()), result_dtype(of, column))


@operation("groupby_cumulative", of=["cumsum", "cummin", "cummax"], by=["k", "i"], column=["j", "i"])
def groupby_cumulative(df, of, by, column):
    found = getattr(numeric(df.assign(key=df[by]), column).groupby("key")[column], of)()
    return typed(found.where(df[by].notna()), "int64")


@operation("groupby_shift", by=["k", "i"], column=["j", "s"], n=[1, -1, 2])
def groupby_shift(df, by, column, n):
    found = df.groupby(by)[column].shift(n)
    return typed(found.where(df[by].notna()), {"j": "int64", "s": "utf8"}[column])


@operation("groupby_rank", nan_is_null=True, by=["k"], method=["average", "min", "dense", "first"])
def groupby_rank(df, by, method):
    found = df.assign(j=df["j"].astype("int64")).groupby(by)["j"].rank(method=method)
    return typed(found, "float64" if method == "average" else "int64")


@operation("groupby_head", by=["k", "i"], n=[1, 2], of=["head", "tail"])
def groupby_head(df, by, n, of):
    return getattr(df.groupby(by), of)(n)


@operation("cumcount", by=["k"], ascending=[True])
def cumcount(df, by, ascending):
    return typed(df.groupby(by).cumcount(ascending=ascending), "int64")


@operation("ngroup", by=["k", "i", "s"], dropna=[True, False], sort=[True, False])
def ngroup(df, by, dropna, sort):
    numbers = df.groupby(by, dropna=dropna, sort=sort).ngroup()
    return whole(numbers.where(df[by].notna(), None) if dropna else numbers)


@operation("groupby_rolling", nan_is_null=True, of=["sum", "mean", "max"], window=[2, 3])
def groupby_rolling(df, of, window):
    found = getattr(df.assign(j=df["j"].astype("float64")).groupby("k")["j"].rolling(window), of)()
    found = found.droplevel(0).sort_index() if len(df) else pd.Series([], dtype="float64")
    return found if of == "mean" else whole(found)


# Joins and shapes ------------------------------------------------------------------------------------------------------


def right_of(df):
    """The right side of joins: every other row, reversed."""
    return df.iloc[::-2][["i", "k", "s", "j"]].rename(columns={"j": "w"})


@operation("merge", how=["inner", "left", "right", "outer"], on=[["i"], ["k"], ["i", "k"], ["s"]], inputs=lambda name: not name.startswith("65"))
def merge(df, how, on):
    left, right = df[["i", "k", "s", "n"]], right_of(df)
    right = right[on + ["w"]]
    found = left.merge(right, on=on, how=how)
    return found.sort_values(["n", "w"] + on, kind="stable")


@operation("merge_cross", inputs=lambda name: not name.startswith("65"))
def merge_cross(df):
    return df[["n", "s"]].merge(df[["k"]].head(3), how="cross")


@operation("merge_semi", on=["i", "k", "s"], anti=[False, True])
def merge_semi(df, on, anti):
    found = df[on].isin(right_of(df)[on])
    return df[~found if anti else found]


@operation("melt", ids=[[], ["k"], ["k", "s"]], values=[["i", "j"], ["f", "i"], ["u", "f", "j"], ["b"]])
def melt(df, ids, values):
    found = df.melt(id_vars=ids, value_vars=values)
    found["variable"] = found["variable"].astype("string[pyarrow]").astype(pd.ArrowDtype(pa.string()))
    return found


@operation("pivot", index=["n"], columns=["k", "u", "s", "b"], values=["j", "s", "f", "t"], inputs=lambda name: some_rows(name) and "all" not in name)
def pivot(df, index, columns, values):
    found = df.pivot(index=index, columns=columns, values=values).reset_index()
    # A null key comes last here, as in sorts.
    return found.iloc[:, sorted(range(found.shape[1]), key=lambda position: missing(found.columns[position]))]


@operation("pivot_table", nan_is_null=True, index=[["i"], ["s", "u"]], columns=["k"], of=["sum", "mean", "min", "count"], fill=[None, 0], values=["j", "f"], inputs=lambda name: some_rows(name) and "all" not in name)
def pivot_table(df, index, columns, of, fill, values):
    found = numeric(df, values).pivot_table(index=index, columns=columns, values=values, aggfunc=of, fill_value=fill)
    for column in found.columns:
        found[column] = typed(found[column], result_dtype(of, values))
    # pandas leaves keys out of order where it drops one.
    return found.reset_index().sort_values(index)


@operation("pivot_table_margins", nan_is_null=True, index=["s"], columns=["k"], of=["sum", "mean", "max"], inputs=lambda name: some_rows(name) and "all" not in name)
def pivot_table_margins(df, index, columns, of):
    found = df.assign(j=df["j"].astype("Int64")).pivot_table(index=index, columns=columns, values="j", aggfunc=of, margins=True)
    for column in found.columns:
        found[column] = typed(found[column], result_dtype(of, "j"))
    return found.reset_index()


@operation("crosstab", index=["s", "i", "u"], columns=["k"], normalize=[None, "all", "index", "columns"], inputs=lambda name: some_rows(name) and "all" not in name)
def crosstab(df, index, columns, normalize):
    return pd.crosstab(df[index], df[columns], normalize=normalize or False).reset_index()


@operation("get_dummies", column=["s", "k", "i"], first=[False, True])
def get_dummies(df, column, first):
    return pd.get_dummies(df[["n", column]], columns=[column], drop_first=first)


@operation("wide_to_long")
def wide_to_long(df):
    wide = df[["n", "i", "j", "f"]].rename(columns={"i": "x1", "j": "x2", "f": "y2"})
    return pd.wide_to_long(wide, ["x", "y"], i="n", j="w").reset_index() if len(df) else None


# Strings and times -----------------------------------------------------------------------------------------------------

TEXT = {
    "len": lambda s: whole(s.str.len()), "lower": lambda s: s.str.lower(), "upper": lambda s: s.str.upper(),
    "capitalize": lambda s: s.str.capitalize(), "title": lambda s: s.str.title(), "swapcase": lambda s: s.str.swapcase(),
    "strip": lambda s: s.str.strip(), "lstrip": lambda s: s.str.lstrip(), "rstrip": lambda s: s.str.rstrip(),
    "contains": lambda s: s.str.contains("a", regex=False), "starts_with": lambda s: s.str.startswith("t"),
    "ends_with": lambda s: s.str.endswith("a"), "find": lambda s: whole(s.str.find("e")),
    "replace": lambda s: s.str.replace("a", "oo", regex=False), "slice": lambda s: s.str.slice(1, 3),
    "zfill": lambda s: s.str.zfill(4), "repeat": lambda s: s.str.repeat(2), "is_alpha": lambda s: s.str.isalpha(),
    "is_digit": lambda s: s.str.isdigit(), "is_upper": lambda s: s.str.isupper(), "is_lower": lambda s: s.str.islower(),
    "is_space": lambda s: s.str.isspace(), "remove_prefix": lambda s: s.str.removeprefix("te"),
    "remove_suffix": lambda s: s.str.removesuffix("p"), "pad": lambda s: s.str.pad(5, side="left", fillchar="*"),
}


@operation("text", of=list(TEXT))
def text(df, of):
    # Python's functions of strings, by object: Arrow's differ for some characters.
    values = TEXT[of](pd.Series(df["s"].astype(object).where(df["s"].notna(), None), dtype=object))
    if of in ("contains", "starts_with", "ends_with") or of.startswith("is_"):
        values = pd.Series([None if missing(value) else bool(value) for value in values], dtype="bool[pyarrow]")
    elif of not in ("len", "find"):
        values = values.astype(pd.ArrowDtype(pa.string()))
    return values


PARTS = [
    "year", "month", "day", "hour", "minute", "second", "microsecond", "dayofweek", "dayofyear", "quarter", "days_in_month",
    "is_leap_year", "is_month_start", "is_month_end", "is_quarter_start", "is_quarter_end", "is_year_start", "is_year_end", "week",
]


def whole(values, dtype="int64"):
    """Numbers that are NaN where they are missing, as integers."""
    return pd.Series([None if missing(value) else int(value) for value in values], dtype=f"{dtype}[pyarrow]")


def missing(value):
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def times(df):
    return pd.Series(pa.array(df["t"].array).to_numpy(zero_copy_only=False).astype("datetime64[us]"))


@operation("time_part", of=PARTS)
def time_part(df, of):
    found = times(df)
    values = found.dt.isocalendar().week if of == "week" else getattr(found.dt, of)
    if of.startswith("is_"):
        return values.astype("bool[pyarrow]").where(found.notna())
    return whole(values, "int32")


@operation("time_round", of=["floor", "ceil", "round"], frequency=["D", "h", "15min", "7s", "250ms"])
def time_round(df, of, frequency):
    return getattr(times(df).dt, of)(frequency).astype(pd.ArrowDtype(pa.timestamp("us")))


@operation("strftime", format=["%Y-%m-%d", "%d.%m.%y %H:%M", "%j %A %b"])
def strftime(df, format):
    return times(df).dt.strftime(format).astype(pd.ArrowDtype(pa.string()))


@operation("interpolate", inputs=some_rows, nan_is_null=True)
def interpolate(df):
    return pd.Series(df["f"].to_numpy(dtype="float64", na_value=np.nan)).interpolate(limit_area="inside")


# Rows by their labels ----------------------------------------------------------------------------------------------------


def by_label(df):
    """Rows with unique labels, and every other one of them, reversed."""
    return df.set_index("n"), df.iloc[::-2].set_index("n")


def labelled(found):
    """The labels as a column, before the values."""
    found = found.rename("x").to_frame() if isinstance(found, pd.Series) else found
    return found.rename_axis("n").reset_index()


@operation("label_arithmetic", op=["add", "sub", "mul"], fill=[None, 0])
def label_arithmetic(df, op, fill):
    left, right = by_label(df)
    return labelled(getattr(left["j"], op)(right["i"], fill_value=fill))


@operation("label_align", how=["outer", "inner", "left", "right"])
def label_align(df, how):
    left, right = by_label(df)
    left, right = left["s"].align(right["f"], join=how)
    return labelled(pd.DataFrame({"s": left, "f": right}))


@operation("label_reindex", method=[None, "pad", "backfill"], limit=[None, 1, 3])
def label_reindex(df, method, limit):
    if method is None and limit is not None:
        return None
    # A method needs an index that is not of Arrow.
    frame = df.set_index(pd.Index(df["n"].astype("int64"), name="n"))[["i", "s"]]
    found = frame.reindex(pd.Index([-3, -1, 0, 2, 7, 8, 9, 10, 33, 70], name="n"), method=method, limit=limit)
    return labelled(found)


@operation("label_combine_first", column=["i", "s", "f"])
def label_combine_first(df, column):
    left, right = by_label(df)
    return labelled(right[column].combine_first(left[column]))


@operation("label_where", of=["where", "mask"], column=["i", "s"])
def label_where(df, of, column):
    left, right = by_label(df)
    return labelled(getattr(left[column], of)(left["j"] > 0, left[column].shift(1)))


@operation("label_concat", how=["outer", "inner"], column=["i", "s"])
def label_concat(df, how, column):
    left, right = by_label(df)
    return labelled(pd.concat([left[["j"]], right[[column]]], axis=1, join=how))


@operation("label_stack", columns=[["i", "j"], ["j", "i"], ["j"]], inputs=some_rows)
def label_stack(df, columns):
    found = df.set_index("n")[columns].stack(future_stack=True)
    return found.rename("x").reset_index().rename(columns={"level_1": "c"}).astype({"c": "string[pyarrow]"})[["n", "x"]]


@operation("label_xs", key=["a", "b", "c"], column=["i", "s"], inputs=some_rows)
def label_xs(df, key, column):
    if key not in list(df["k"]):
        return None
    return labelled(df.set_index(["k", "n"])[[column]].xs(key, level="k"))


@operation("label_resample", nan_is_null=True, of=["sum", "min", "max", "count", "first", "last"], frequency=["W", "ME", "10D", "QS"], inputs=some_rows)
def label_resample(df, of, frequency):
    index = pd.DatetimeIndex(np.datetime64("2024-01-01", "us") + df["j"].to_numpy(dtype="int64") * np.timedelta64(36, "h"))
    values = pd.Series(df["i"].to_numpy(dtype="float64", na_value=np.nan), index)
    return whole(getattr(values.resample(frequency), of)())


@operation("label_ewm", nan_is_null=True, of=["mean", "var", "std"], alpha=[0.25, 0.8], adjust=[True, False], ignore_na=[True, False])
def label_ewm(df, of, alpha, adjust, ignore_na):
    values = pd.Series(df["i"].to_numpy(dtype="float64", na_value=np.nan))
    return getattr(values.ewm(alpha=alpha, adjust=adjust, ignore_na=ignore_na), of)()


# ----------------------------------------------------------------------------------------------------------------------


def columns_of(found, nan_is_null):
    if isinstance(found, pd.Series):
        found = found.rename("x").to_frame()
    return [column_of(label, found[label], nan_is_null) for label in found.columns]


def main():
    target, small = sys.argv[1], "--small" in sys.argv[2:]
    frames = inputs()
    with open(target, "w", encoding="utf-8") as out:
        def write(line):
            json.dump(line, out, ensure_ascii=False, separators=(",", ":"))
            out.write("\n")

        for name, columns in frames.items():
            columns = [{"label": label, "dtype": dtype, "values": [number(v) for v in values]} for label, (dtype, values) in columns.items()]
            write({"input": name, "columns": columns})
        count = 0
        for name, call, options, nan_is_null, wanted, _ in OPERATIONS:
            for values in itertools.product(*options.values()):
                arguments = dict(zip(options, values))
                for frame, columns in frames.items():
                    if not wanted(frame):
                        continue
                    count += 1
                    if small and count % SMALL:
                        continue
                    try:
                        found = call(frame_of(columns), **arguments)
                    except Exception as error:  # pandas refuses; what we do is tested elsewhere.
                        if "--errors" in sys.argv:
                            print(name, arguments, frame, type(error).__name__, error, file=sys.stderr)
                        continue
                    if found is None:
                        continue
                    write({"op": name, "frame": frame, "args": arguments, "expect": columns_of(found, nan_is_null)})


if __name__ == "__main__":
    main()
