"""Calls on row labels of every kind: as sets, by levels, with time zones and categories; those that pandas refuses, too."""

import numpy as np
import pandas as pd

from harness import operation, some_rows, typed, whole

# Labels as sets ----------------------------------------------------------------------------------------------------------

ALL = slice(None)


def labels_of(df, family):
    """Labels of a kind, of which some come several times unless they are `n` or `times`."""
    numbers = {name: df[name].to_numpy(dtype="int64") for name in ("j", "n")}
    if family == "times":
        return pd.DatetimeIndex(np.datetime64("2024-02-20", "us") + numbers["n"] * np.timedelta64(31, "h"), name="x")
    if family == "levels":
        return pd.MultiIndex.from_arrays([df["k"].astype(object), numbers["n"] % 3], names=["x", "y"])
    if family == "text":
        return pd.Index(df["k"].astype(object), name="x")
    return pd.Index(numbers[family], name="x")


def texts(found):
    """Texts as such where there are none, too."""
    return found.astype({name: "string[pyarrow]" for name in found if found[name].dtype == object})


def shown(index):
    """The levels as columns."""
    return texts(index.to_frame(index=False))


@operation("index_set", errors=True, of=["union", "intersection", "difference", "symmetric_difference"], family=["j", "n", "text", "times", "levels"], sort=[None, False], inputs=some_rows)
def index_set(df, of, family, sort):
    index = labels_of(df, family)
    left, right = index[: len(index) * 2 // 3], index[::-2]
    if of == "union" and sort is False and not index.is_unique:
        return None
    return shown(getattr(left, of)(right, sort=sort))


@operation("index_of_set", of=["unique", "sort", "descending", "delete", "repeat_append"], family=["j", "text", "times", "levels"], inputs=some_rows)
def index_of_set(df, of, family):
    index = labels_of(df, family)
    if of == "unique":
        return shown(index.unique())
    if of == "delete":
        return shown(index.delete([0]))
    if of == "repeat_append":
        return shown(index.append(index[:2]))
    if family == "levels":
        # Stable, as for the other kinds.
        found = df.set_axis(index).sort_index(ascending=of == "sort", kind="stable")
        return shown(found.index)
    return shown(index.sort_values(ascending=of == "sort"))


@operation("index_find", errors=True, of=["indexer", "non_unique", "isin", "pad", "backfill", "nearest"], family=["j", "n", "text", "times"], inputs=some_rows)
def index_find(df, of, family):
    index = labels_of(df, family)
    target = index[::-2][:5].append({
        "text": pd.Index(["zz"]), "times": pd.DatetimeIndex(["2024-03-01 05:00"]).as_unit("us"),
    }.get(family, pd.Index([3, 1000])))
    if of == "isin":
        return pd.Series(index.isin(target), dtype="bool[pyarrow]")
    if of == "non_unique":
        return whole(index.get_indexer_non_unique(target)[0])
    if of == "indexer":
        return whole(index.get_indexer(target))
    if family == "text" and of == "nearest":
        return None
    return whole(index.get_indexer(target, method=of))


# Rows by labels ----------------------------------------------------------------------------------------------------------

ONE = {
    "one": 3, "missing": 1000, "list": [5, 0, 2], "list_missing": [1, 1000], "slice": slice(2, 6), "outside": slice(-9, 900),
    "reverse": slice(6, 2), "every": slice(1, 40, 3), "back": slice(40, 3, -2), "from": slice(4, None), "to": slice(None, 4),
}


@operation("loc_one", errors=True, rows=list(ONE), order=["rows", "reversed", "mixed"], inputs=some_rows)
def loc_one(df, rows, order):
    frame = df.set_axis(pd.Index(df["n"].to_numpy(dtype="int64"), name="n"))[["i", "s"]]
    frame = {"rows": frame, "reversed": frame[::-1], "mixed": pd.concat([frame[1::2], frame[::2]])}[order]
    found = frame.loc[ONE[rows]] if isinstance(ONE[rows], (list, slice)) else frame.loc[[ONE[rows]]]
    return found.reset_index()


LEVELS = {
    "list": (ALL, [1, 0]), "one_list": ("a", [2, 0]), "slice_one": (slice("a", "b"), 1), "one_slice": ("b", slice(0, 1)),
    "lists": (["c", "a"], [2, 0]), "two": ("a", 1), "all_one": (ALL, 1), "last": (ALL, ALL, [7, 3]), "first": (["b"],),
    "missing_list": (ALL, [1, 9]), "missing_one": ("z", [1]), "outside": ("b", slice(7, 9)), "from": (ALL, slice(1, None)),
    "to": (slice(None, "b"), slice(None, 1)), "three": ("a", [1, 0], slice(3, 40)), "key": ("a", 1, 4), "empty": (ALL, []),
}


@operation("loc_levels", errors=True, rows=list(LEVELS), order=["sorted", "rows"], inputs=some_rows)
def loc_levels(df, rows, order):
    numbers = df["n"].to_numpy(dtype="int64")
    index = pd.MultiIndex.from_arrays([df["k"].astype(object), numbers % 3, numbers], names=["k", "m", "n"])
    frame = df[["j"]].set_axis(index)
    frame = frame.sort_index() if order == "sorted" else frame
    if rows == "key":
        return texts(frame.loc[[LEVELS[rows]]].reset_index())
    return texts(frame.loc[LEVELS[rows], :].reset_index())


@operation("iloc", errors=True, rows=["every", "back", "tail", "list", "outside", "none"], inputs=some_rows)
def iloc(df, rows):
    chosen = {"every": slice(None, None, 3), "back": slice(None, None, -2), "tail": slice(-5, None), "list": [0, -1, 0], "outside": [0, 70], "none": slice(5, 2)}
    return df[["i", "s", "n"]].iloc[chosen[rows]]


# Levels ------------------------------------------------------------------------------------------------------------------


def levelled(df):
    numbers = df["n"].to_numpy(dtype="int64")
    return pd.MultiIndex.from_arrays([df["k"].astype(object), numbers], names=["k", "n"])


def right_levels(df, right):
    numbers = df["n"].to_numpy(dtype="int64")
    keys = df["k"].astype(object)
    if right == "one":
        return pd.Series([10, 20, 30], pd.Index(["b", "a", "z"], name="k"))
    if right == "repeated":
        return pd.Series([10, 20, 30], pd.Index(["b", "a", "a"], name="k"))
    if right == "unnamed":
        return pd.Series([10, 20, 30], pd.Index(["b", "a", "z"]))
    if right == "reordered":
        index = pd.MultiIndex.from_arrays([numbers, keys], names=["n", "k"])[::-2]
    elif right == "more":
        index = pd.MultiIndex.from_arrays([keys, numbers, numbers % 2], names=["k", "n", "m"])[::-3]
    else:
        index = pd.MultiIndex.from_arrays([keys, numbers % 2], names=["k", "m"])[::-3]
    return pd.Series(range(len(index)), index)


@operation("level_align", errors=True, right=["one", "repeated", "unnamed", "reordered", "more", "other"], how=["outer", "inner", "left", "right"], inputs=some_rows)
def level_align(df, right, how):
    left, right = df["j"].astype("int64").set_axis(levelled(df)).align(right_levels(df, right), join=how)
    # Labels that are equal keep the names of each side.
    index = texts((right if how == "right" else left).index.to_frame(index=False))
    integers = {name: whole(index[name]) for name in index if name != "k"}
    return index.assign(**integers, left=whole(left), right=whole(right))


@operation("level_sort", by=[["k"], ["m"], ["m", "k"], ["n"]], ascending=[True, False], inputs=some_rows)
def level_sort(df, by, ascending):
    numbers = df["n"].to_numpy(dtype="int64")
    index = pd.MultiIndex.from_arrays([df["k"].astype(object), numbers % 3, numbers], names=["k", "m", "n"])
    return df[["j"]].set_axis(index).sort_index(level=by, ascending=ascending).reset_index()


@operation("frame_arithmetic", op=["add", "sub", "mul"], fill=[None, 0], inputs=some_rows)
def frame_arithmetic(df, op, fill):
    left = df.set_index("n")[["j", "i"]]
    right = df.iloc[::-2].set_index("n")[["i", "j"]].rename(columns={"j": "u"})
    if fill is not None and op != "add":
        return None
    found = getattr(left, op)(right, fill_value=fill).rename_axis("n").reset_index()
    return found.assign(**{name: whole(found[name]) for name in ("i", "j", "u")})


@operation("concat_rows", join=["outer", "inner"], keys=[True, False], inputs=some_rows)
def concat_rows(df, join, keys):
    parts = [df.set_index("n")[["j", "s"]], df.iloc[:3].set_index("n")[["s", "i"]]]
    found = pd.concat(parts, join=join, keys=[1, 2] if keys else None, names=["part", "n"] if keys else None)
    found = found.rename_axis("n") if not keys else found
    return found.reset_index()


# Times in zones, and frequencies -----------------------------------------------------------------------------------------


def utc(times, name):
    """Instants as times without a zone."""
    return pd.Series(pd.DatetimeIndex(times).tz_convert("UTC").tz_localize(None).as_unit("us"), name=name).astype("timestamp[us][pyarrow]")


def zoned(df, zone):
    times = np.datetime64("2024-03-20", "us") + df["n"].to_numpy(dtype="int64") * np.timedelta64(7, "h")
    return pd.DatetimeIndex(times).tz_localize("UTC").tz_convert(zone)


ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kolkata"]


@operation("zone_resample", zone=ZONES, frequency=["D", "12h", "W", "ME", "B"], of=["sum", "count", "max"], inputs=some_rows)
def zone_resample(df, zone, frequency, of):
    values = pd.Series(df["j"].to_numpy(dtype="int64"), zoned(df, zone))
    if of == "max" and frequency == "12h":
        return None
    found = getattr(values.resample(frequency), of)()
    return pd.DataFrame({"t": utc(found.index, "t"), "x": whole(found.to_numpy())})


@operation("zone_loc", errors=True, zone=ZONES, rows=["2024-03-31", "2024-03", "2023", "2024-03-24:2024-03-31", "2024-04:"], inputs=some_rows)
def zone_loc(df, zone, rows):
    values = pd.Series(df["n"].to_numpy(dtype="int64"), zoned(df, zone))
    start, colon, end = rows.partition(":")
    found = values.loc[start : end or None] if colon else values.loc[start]
    return whole(found.to_numpy())


@operation("index_shift", frequency=["ME", "MS", "B", "2B", "QE-FEB", "W-TUE", "SMS", "BQE", "YS", "D", "36h", "WOM-3FRI"], periods=[1, -1, 3, -2, 0], inputs=some_rows)
def index_shift(df, frequency, periods):
    times = pd.DatetimeIndex(np.datetime64("2024-01-03", "us") + df["j"].to_numpy(dtype="int64") * np.timedelta64(53, "h"))
    return pd.Series(times.shift(periods, frequency).as_unit("us")).astype("timestamp[us][pyarrow]")


# Categories --------------------------------------------------------------------------------------------------------------


def categorized(df):
    return df["k"].astype(object).astype(pd.CategoricalDtype(["c", "z", "b", "a"], ordered=True))


@operation("category_group", observed=[True, False], of=["sum", "count", "min"], inputs=some_rows)
def category_group(df, observed, of):
    found = getattr(df.assign(k=categorized(df), j=df["j"].astype("int64")).groupby("k", observed=observed)["j"], of)()
    return texts(pd.DataFrame({"k": found.index.astype(object), "x": whole(found.to_numpy())}))


@operation("category_sort", ascending=[True, False], inputs=some_rows)
def category_sort(df, ascending):
    found = df.assign(k=categorized(df))[["k", "n"]].sort_values("k", ascending=ascending, kind="stable")
    return texts(found.assign(k=found["k"].astype(object)))


@operation("category_loc", errors=True, rows=["a", "q", ["b", "a"]], inputs=some_rows)
def category_loc(df, rows):
    frame = df[["n"]].set_axis(pd.CategoricalIndex(categorized(df), name="k"))
    return frame.loc[[rows] if isinstance(rows, str) else rows]


# Groups and windows ------------------------------------------------------------------------------------------------------


@operation("group_rows", of=["nth0", "nth-2", "head", "tail", "filter", "diff", "ffill", "bfill", "rank"], by=[["k"], ["k", "b"]], inputs=some_rows)
def group_rows(df, of, by):
    if of == "filter" and by == ["k", "b"]:
        return None
    rows = df.assign(i=df["i"].astype("Int64"), j=df["j"].astype("Int64"))
    grouped = rows.groupby(by, dropna=True)
    if of.startswith("nth"):
        return grouped[["n", "j"]].nth(int(of[3:])).astype("int64[pyarrow]")
    if of in ("head", "tail"):
        return getattr(grouped, of)(2)[["n", "j"]].astype("int64[pyarrow]")
    if of == "filter":
        return grouped[["n", "j", "k"]].filter(lambda rows: len(rows) > 3)[["n", "j"]].astype("int64[pyarrow]")
    valid = rows[by].notna().all(axis=1)
    if of == "rank":
        return typed(grouped["j"].rank(method="dense").where(valid), "int64")
    found = getattr(grouped["i"], of)() if of != "diff" else grouped["j"].diff()
    return typed(found.where(valid), "int64")


@operation("window_rows", nan_is_null=True, window=[1, 2, 5], min_periods=[None, 1, 2], of=["sum", "mean", "max", "count"], inputs=some_rows)
def window_rows(df, window, min_periods, of):
    if min_periods is not None and min_periods > window:
        return None
    values = pd.Series(df["i"].to_numpy(dtype="float64", na_value=np.nan))
    return getattr(values.rolling(window, min_periods=min_periods), of)()


@operation("window_center", nan_is_null=True, window=[2, 3, 6], min_periods=[None, 1], of=["sum", "min", "var"], inputs=some_rows)
def window_center(df, window, min_periods, of):
    values = pd.Series(df["i"].to_numpy(dtype="float64", na_value=np.nan))
    return getattr(values.rolling(window, center=True, min_periods=min_periods), of)()


@operation("window_closed", nan_is_null=True, window=[1, 2, 5], center=[False, True], closed=["left", "right", "both", "neither"], of=["sum", "min", "count"], inputs=some_rows)
def window_closed(df, window, center, closed, of):
    values = pd.Series(df["i"].to_numpy(dtype="float64", na_value=np.nan))
    return getattr(values.rolling(window, center=center, closed=closed, min_periods=1), of)()


@operation("window_time", nan_is_null=True, window=["31h", "3D"], closed=["left", "right", "both", "neither"], of=["sum", "max", "count"], inputs=some_rows)
def window_time(df, window, closed, of):
    values = pd.Series(df["i"].to_numpy(dtype="float64", na_value=np.nan), labels_of(df, "times"))
    return getattr(values.rolling(window, closed=closed), of)().reset_index(drop=True)
