"""The calls that `test_pandas_beside` makes on pandas and on this library."""

import datetime as dt

import pandas as pd

CAT = pd.CategoricalDtype(["a", "b", "z"], ordered=True)
FRAMES = {
    "f": pd.DataFrame({"k": ["x", "y", "x", "y"], "v": [1, 2, 3, 4], "w": [1.5, None, 3.5, 2.5]}, index=["a", "b", "c", "d"]),
    "r": pd.DataFrame({"u": [10, 20, 30]}, index=["b", "d", "e"]),
    "m": pd.DataFrame({"v": [1, 2, 3, 4]}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["k", "n"])),
    "n": pd.DataFrame({"q": [7, 8]}, index=pd.Index(["a", "b"], name="k")),
    "t": pd.DataFrame(
        {"v": [1.0, 2.0, 4.0, 8.0], "g": ["p", "p", "q", "q"]},
        index=pd.to_datetime(["2024-01-01 00:10", "2024-01-01 01:40", "2024-01-01 04:05", "2024-01-01 04:30"]),
    ),
    "c": pd.Series(["a", "b", None, "a"], name="c").astype(CAT),
    "s": pd.Series([3, 1, 2, 3], index=list("wxyz"), name="s"),
    "h": pd.Series([None, 1.0, None, 5.0, None], index=list("abcde"), name="h"),
    "p": pd.DataFrame({"v": [1, 2, 3]}, index=pd.to_timedelta(["1h", "2h", "1 days"])),
    "i": pd.DataFrame({"v": [1, 2, 3]}, index=pd.interval_range(0, 3)),
}


def case(call):
    """A call with the inputs that its parameters name."""
    names = call.__code__.co_varnames[1 : call.__code__.co_argcount]
    return call, names


def categories(m, values):
    return list(values.cat.categories) if m is pd else values.cat.categories().to_list()


CALLS = {name: case(call) for name, call in {
    "join": lambda m, f, r: f.join(r),
    "join inner": lambda m, f, r: f.join(r, how="inner"),
    "join outer": lambda m, f, r: f.join(r, how="outer"),
    "join right": lambda m, f, r: f.join(r, how="right"),
    "merge by row labels": lambda m, f, r: m.merge(f, r, left_index=True, right_index=True),
    "merge by a level": lambda m, m_, n: m.merge(m_, n, on="k"),
    "transpose": lambda m, r: r.T,
    "map of a dictionary": lambda m, s: s.map({1: 10.5, 3: 30.5}),
    "map of a function": lambda m, s: s.map(lambda value: value * 2),
    "replace": lambda m, s: s.replace(3, 9),
    "replace of several": lambda m, s: s.replace([1, 2], [5, 6]),
    "replace of a dictionary": lambda m, f: f.replace({"k": {"x": "z"}}),
    "idxmin": lambda m, s: s.idxmin(),
    "idxmax": lambda m, s: s.idxmax(),
    "first_valid_index": lambda m, h: [h.first_valid_index(), h.last_valid_index()],
    "get_group": lambda m, f: f.groupby("k").get_group("y"),
    "groups of an iteration": lambda m, f: [(key, len(rows), rows["v"].to_list()) for key, rows in f.groupby("k")],
    "apply of a value": lambda m, f: f.groupby("k")["v"].apply(lambda values: values.max() - values.min()),
    "resample of groups": lambda m, t: t.groupby("g").resample("1h")["v"].sum(),
    "asfreq": lambda m, t: t[["v"]].resample("1h").asfreq(),
    "resample ffill": lambda m, t: t[["v"]].resample("1h").ffill(),
    "resample bfill": lambda m, t: t[["v"]].resample("1h").bfill(),
    "resample interpolate": lambda m, t: t["v"].resample("5min").interpolate(),
    "label": lambda m, t: t["v"].resample("2h", label="right").sum(),
    "closed": lambda m, t: t["v"].resample("2h", closed="right").sum(),
    "closed and label": lambda m, t: t["v"].resample("2h", closed="right", label="right").max(),
    "origin": lambda m, t: t["v"].resample("2h", origin="start").sum(),
    "origin at the end": lambda m, t: t["v"].resample("2h", origin="end").sum(),
    "offset": lambda m, t: t["v"].resample("2h", offset=dt.timedelta(minutes=30)).sum(),
    "durations": lambda m, p: p.resample("12h").sum(),
    "duration labels": lambda m, p: p.shift(1),
    "sum of duration labels": lambda m, p: p.sort_index(ascending=False),
    "interval labels": lambda m, i: i.iloc[::-1].sort_index(),
    "codes": lambda m, c: c.cat.codes() if m.__name__ == "columnade" else c.cat.codes.where(c.notna()).rename("c"),
    "rename_categories": lambda m, c: c.cat.rename_categories(["A", "B", "Z"]).astype(str if m is pd else "utf8").where(c.notna()),
    "remove_unused": lambda m, c: categories(m, c.cat.remove_unused_categories()),
    "categories that are compared": lambda m, c: (c < "b").where(c.notna()),
    "sorted categories": lambda m, c: c.sort_values(ascending=False).astype(str if m is pd else "utf8").dropna(),
    "qcut": lambda m, s: m.qcut(s, 2, labels=["low", "high"]).astype(str if m is pd else "utf8"),
    "cut": lambda m, s: m.cut(s, [0, 1, 3], labels=["low", "high"]).astype(str if m is pd else "utf8"),
    "explode": lambda m, f: f.assign(l=f["v"]).groupby("k")["l"].sum(),
    "interpolate": lambda m, h: h.interpolate(limit_area="inside"),
    "ffill with a limit": lambda m, h: h.ffill(limit=1),
    "bfill with a limit": lambda m, h: h.bfill(limit=1),
}.items()}
# `m` is the module, and `m_` the frame of that letter.
CALLS["merge by a level"] = (lambda m, frame, n: m.merge(frame, n, on="k").reset_index(drop=True), ("frame", "n"))
FRAMES["frame"] = FRAMES["m"]
WITH_ROWS = {
    "get_group", "idxmin", "idxmax", "transpose", "apply of a value", "resample of groups", "qcut", "cut", "explode", "asfreq", "map of a function",
    "map of a dictionary", "codes", "rename_categories", "categories that are compared", "sorted categories",
}
INDEXES = {
    "i": pd.Index([3, 1, 2], name="i"),
    "j": pd.Index([2, 3, 5], name="i"),
    "t": pd.date_range("2024-01-01", periods=3, name="t"),
    "d": pd.to_timedelta(["1h", "2h", "3h"]).rename("d"),
    "v": pd.interval_range(0, 3, name="v"),
    "n": pd.Index([1.5, None, 2.5], name="n"),
    "s": pd.Index(["b", None, "a"], name="s"),
    "e": pd.Index([], dtype="int64", name="e"),
}
LABELS = {name: case(call) for name, call in {
    "insert": lambda m, i: i.insert(1, 9),
    "insert at the end": lambda m, i: i.insert(3, 9),
    "insert of a time": lambda m, t: t.insert(0, dt.datetime(2023, 1, 1)),
    "insert of a duration": lambda m, d: d.insert(1, dt.timedelta(hours=9)),
    "insert without labels": lambda m, e: e.insert(0, 1),
    "drop": lambda m, i: i.drop([1, 3]),
    "drop of a duration": lambda m, d: d.drop([dt.timedelta(hours=1)]),
    "where": lambda m, i: i.where([True, False, True], 7),
    "where of text": lambda m, s: s.where([True, True, False], "z"),
    "fillna": lambda m, n: n.fillna(0.5),
    "fillna of text": lambda m, s: s.fillna("z"),
    "astype": lambda m, i: i.astype("float64"),
    "astype of text": lambda m, i: i.astype("str"),
    "join left": lambda m, i, j: i.join(j, how="left"),
    "join inner": lambda m, i, j: i.join(j, how="inner"),
    "join right": lambda m, i, j: i.join(j, how="right"),
    "factorize": lambda m, i: i.factorize(),
    "factorize without labels": lambda m, e: e.factorize()[1],
    "union": lambda m, i, j: i.union(j),
    "difference": lambda m, i, j: i.difference(j),
    "duration and a number": lambda m, d: d * 2,
    "durations less one": lambda m, d: d - dt.timedelta(minutes=30),
    "times and a duration": lambda m, t: t + dt.timedelta(hours=1),
    "ends of intervals": lambda m, v: (v.left, v.right, v.mid, v.length),
    "interval of a value": lambda m, v: v.contains(0.5),
    "place of a value": lambda m, v: v.get_loc(1.5),
    "overlapping intervals": lambda m, v: v.overlaps(m.Interval(0.5, 1.5)),
    "slice": lambda m, t: t[1:],
    "unique": lambda m, i: i.append(i).unique(),
    "isin": lambda m, i: i.isin([1, 9]),
    "delete": lambda m, i: i.delete(1),
    "repeat": lambda m, v: v.repeat(2),
    "take": lambda m, d: d.take([2, 0]),
    "argsort": lambda m, i: i.argsort(),
    "min": lambda m, i, t, d: [i.min(), t.max(), d.min()],
}.items()}
