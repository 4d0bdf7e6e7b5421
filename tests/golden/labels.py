"""Calls on rows by their labels."""

import numpy as np
import pandas as pd

from harness import operation, some_rows, whole

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


@operation("label_update", column=["i", "s", "f"])
def label_update(df, column):
    left, right = by_label(df)
    found, other = left[["j", column]].copy(), right[[column]]
    # The other frame has the values of the row before, and labels that this one does not have.
    other = pd.concat([other.shift(1), other.head(2).set_axis(pd.Index([1000, 1001][: len(other)], dtype=left.index.dtype))])
    found.update(other)
    return labelled(found.astype(left[["j", column]].dtypes))


@operation("label_unstack", level=["n", "k"], column=["i", "s"], rows=[3, 9], inputs=some_rows)
def label_unstack(df, level, column, rows):
    # Each label of one level with some of the other.
    index = pd.MultiIndex.from_arrays([df["n"].astype("int64") % rows, df["n"].astype("int64") // rows], names=["n", "k"])
    found = df[column].set_axis(index).unstack(level)
    return found.rename_axis(columns=None).reset_index()


PAIRED = {
    "rolling": lambda df: df.rolling(3), "rolling_min": lambda df: df.rolling(4, min_periods=2), "expanding": lambda df: df.expanding(),
    "ewm": lambda df: df.ewm(alpha=0.4), "ewm_recursive": lambda df: df.ewm(alpha=0.4, adjust=False, ignore_na=True),
}


@operation("label_pairs", nan_is_null=True, of=["cov", "corr"], window=list(PAIRED), columns=[["i", "j", "n"], ["j"]], inputs=some_rows)
def label_pairs(df, of, window, columns):
    values = pd.DataFrame({name: df[name].to_numpy(dtype="float64", na_value=np.nan) for name in columns})
    if "j" in columns:
        # Without windows of one value, in which pandas has what rounding leaves.
        values["j"] += df["n"].to_numpy(dtype="float64") ** 2
    found = getattr(PAIRED[window](values), of)().reset_index(drop=True)
    return found
