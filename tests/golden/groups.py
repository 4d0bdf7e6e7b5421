"""Calls on groups, joins and shapes."""

import pandas as pd
import pyarrow as pa

from harness import missing, numeric, operation, result_dtype, some_rows, typed, whole

# Groups ----------------------------------------------------------------------------------------------------------------

GROUPED = ["sum", "min", "max", "mean", "count", "var", "std", "sem", "median", "nunique", "prod", "first", "last"]


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
