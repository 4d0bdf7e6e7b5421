"""Calls on rows and on values, and statistics."""

import math

import numpy as np
import pandas as pd
import pyarrow as pa

from harness import missing, operation

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
