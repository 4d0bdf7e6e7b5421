"""Arguments of pandas: the same calls on frames and series of both."""

import datetime as dt

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import library_of, same

DATA = {
    "k": ["b", "A", "b", "c", "a"], "n": [3, 1, 4, 1, 5], "x": [0.5, None, 2.0, None, 9.25],
    "s": ["ab", None, "ba", "ab", "c1"],
}
LABELS = ["q", "p", "p", "R", "o"]
SIZES = {"many": slice(None), "one": slice(1, 2), "none": slice(0, 0)}


def labelled(f, index, names=None):
    """A frame or series with other row labels."""
    if library_of(f) is cn:
        made = cn.Index.from_arrays([list(level) for level in zip(*index)], names) if index and isinstance(index[0], tuple) else cn.Index(index)
        return f.with_index(made)
    made = pd.MultiIndex.from_tuples(index, names=names) if index and isinstance(index[0], tuple) else pd.Index(index)
    return f.set_axis(made)


def both(rows=slice(None)):
    data = {label: values[rows] for label, values in DATA.items()}
    dtypes = {"k": "utf8", "n": "int64", "x": "float64", "s": "utf8"}
    ours = cn.DataFrame({label: cn.Series(values, dtype=dtypes[label]) for label, values in data.items()}).with_index(cn.Index(cn.Series(LABELS[rows], dtype="utf8")))
    theirs = pd.DataFrame({label: pd.Series(values, dtype={"utf8": "str"}.get(dtypes[label], dtypes[label])) for label, values in data.items()})
    return ours, theirs.set_axis(pd.Index(LABELS[rows], dtype="str"))


def frame(f, data, index=None):
    made = library_of(f).DataFrame(data)
    return made if index is None else labelled(made, index)


def series(f, values, index=None):
    made = library_of(f).Series(values)
    return made if index is None else labelled(made, index)


def two(f):
    """The frame with labels of two levels, out of order."""
    labels = [("b", 2), ("a", 1), ("b", 1), ("a", 2), ("b", 0)][: len(f)]
    return labelled(f, labels, ["i", "j"]) if labels else f


def times(f):
    days = [dt.datetime(2024, 1, day) for day in (1, 2, 3, 5, 6)][: len(f)]
    return labelled(f, days) if days else f


def lower(values):
    return values.str.lower() if str(values.dtype) in ("utf8", "str", "object", "string") else -values


def names_of(f):
    return list(f.index.names)


SORTS = {
    "nulls first": lambda f: f.sort_values("x", na_position="first"),
    "nulls last": lambda f: f.sort_values("x", na_position="last", ascending=False),
    "numbers of rows": lambda f: f.sort_values("n", ignore_index=True),
    "key": lambda f: f.sort_values("k", key=lambda values: values.str.lower()),
    "key of two columns": lambda f: f.sort_values(["k", "n"], key=lower, ascending=[False, True]),
    "key and numbers of rows": lambda f: f.sort_values(["n"], key=lambda values: -values, ignore_index=True, kind="mergesort"),
    "list of ascending": lambda f: f.sort_values(["n", "k"], ascending=[True, False]),
    "by level": lambda f: two(f).sort_values(["i", "n"]) if len(f) else f,
    "by level with a key": lambda f: two(f).sort_values(["i", "n"], key=lambda values: -values if values.name == "n" else values)[["n"]] if len(f) else f,
    "series nulls first": lambda f: f["x"].sort_values(na_position="first", ascending=False),
    "series key": lambda f: f["k"].sort_values(key=lambda values: values.str.lower()),
    "series key nulls first": lambda f: f["s"].sort_values(key=lambda values: values.str.upper(), na_position="first", ignore_index=True),
    "series list of ascending": lambda f: f["n"].sort_values(ascending=[False], kind="stable", axis=0),
    "index": lambda f: f.sort_index(kind="stable"),
    "index key": lambda f: f.sort_index(key=lambda labels: labels.str.lower()),
    "index ignored": lambda f: f["n"].sort_index(ascending=False, ignore_index=True),
    "index levels": lambda f: two(f).sort_index(ascending=[False, True]) if len(f) else f,
    "index level by name": lambda f: two(f).sort_index(level="j") if len(f) else f,
    "index level alone": lambda f: two(f).sort_index(level="i", sort_remaining=False) if len(f) else f,
    "index level and the rest": lambda f: two(f)["n"].sort_index(level="i", ascending=False) if len(f) else f,
    "index levels as a list": lambda f: two(f).sort_index(level=["j", "i"], ascending=[False, True]) if len(f) else f,
    "columns": lambda f: f.sort_index(axis=1),
    "columns descending": lambda f: f.sort_index(axis="columns", ascending=False),
}
LABELLINGS = {
    "rename function": lambda f: f.rename(columns=str.upper),
    "rename what is not there": lambda f: f.rename(columns={"k": "key", "no": "yes"}),
    "rename rows": lambda f: f.rename(index={"q": "Q", "no": "yes"}),
    "rename rows by a function": lambda f: f.rename(index=str.upper, columns={"n": "m"}),
    "rename rows to numbers": lambda f: f.rename({label: at for at, label in enumerate("qpRo")}, axis="index") if len(f) else f,
    "rename mapper": lambda f: f.rename({"n": "m"}, axis=1, errors="raise"),
    "rename a level": lambda f: two(f).rename(index={1: 10, 2: 20}, level="j") if len(f) else f,
    "rename levels": lambda f: two(f).rename(index={"a": "z"}) if len(f) else f,
    "rename of a series": lambda f: f["n"].rename("m").to_frame(),
    "rename of a series to none": lambda f: f["n"].rename(None),
    "rename labels of a series": lambda f: f["n"].rename({"q": "Q"}),
    "rename labels of a series by a function": lambda f: f["n"].rename(lambda label: label * 2) if len(f) else f,
    "rename by a series": lambda f: f["n"].rename(series(f, ["Q", "P"], ["q", "p"])),
    "rename_axis": lambda f: names_of(f.rename_axis("a")) + names_of(f.rename_axis(index="b")) + names_of(f["n"].rename_axis("c").rename_axis(None)),
    "rename_axis levels": lambda f: [names_of(two(f).rename_axis(index={"i": "z"})), names_of(two(f).rename_axis(index=str.upper)), names_of(two(f).rename_axis(["a", "b"]))] if len(f) else [],
    "reset names": lambda f: f.reset_index(names="label"),
    "reset names of levels": lambda f: two(f).reset_index(names=["a", "b"]) if len(f) else f,
    "reset level": lambda f: two(f).reset_index(level="j") if len(f) else f,
    "reset level with names": lambda f: two(f).reset_index(level=1, names=["a", "b"]) if len(f) and False else f,
    "reset series name": lambda f: f["n"].reset_index(name="value"),
    "reset series level": lambda f: two(f)["n"].reset_index(level="i") if len(f) > 1 else f,
    "reset series level drop": lambda f: two(f)["n"].reset_index(level=0, drop=True) if len(f) else f,
    "set_index keys": lambda f: f.set_index(keys=["k", "n"]),
    "set_index series": lambda f: f.set_index(f["n"] * 2),
    "set_index of both": lambda f: f.set_index(["k", f["n"].rename("m")], append=True),
    "set_index array": lambda f: f.set_index(np.arange(len(f))),
    "set_index kept": lambda f: f.set_index(["k", np.arange(len(f))], drop=False),
    "set_index index": lambda f: f.set_index(library_of(f).Index(list(range(len(f))), name="z")) if len(f) else f,
    "set_index names": lambda f: names_of(f.set_index(["k", f["n"].rename("m"), np.arange(len(f))])),
    "filter items": lambda f: f.filter(["n", "no", "k"]),
    "filter items by name": lambda f: f.filter(items=["x"]),
    "filter like": lambda f: f.filter(like="k"),
    "filter regex": lambda f: f.filter(regex="^[nx]$"),
    "filter rows": lambda f: f.filter(like="p", axis=0),
    "filter rows regex": lambda f: f.filter(regex="[A-Z]", axis="index"),
    "filter rows items": lambda f: f.iloc[2:].filter(items=["o", "z", "p"], axis=0),
    "filter of a series": lambda f: f["n"].filter(like="p"),
    "filter of a series by labels": lambda f: f["n"].iloc[2:].filter(["o", "z"]),
    "drop rows by axis": lambda f: f.drop("p", axis=0, errors="ignore"),
    "drop an index": lambda f: f.drop(f.index[1:]), "drop an index by name": lambda f: f.drop(labels=f.index[:0]),
    "drop columns by axis": lambda f: f.drop(labels=["k", "x"], axis=1),
    "drop ignore": lambda f: f.drop(columns=["k", "no"], index=["z"], errors="ignore"),
    "drop nothing": lambda f: f.drop(columns=["no"], errors="ignore"),
    "drop level": lambda f: two(f).drop(index=["a"], level="i") if len(f) > 1 else f,
    "drop level ignore": lambda f: two(f).drop([1, 7], axis=0, level=1, errors="ignore") if len(f) else f,
    "drop of a series ignore": lambda f: f["n"].drop(["p", "z"], errors="ignore"),
    "drop of a series level": lambda f: two(f)["n"].drop("a", level="i") if len(f) > 1 else f,
    "insert": lambda f: inserted(f, 1, "z", list(range(len(f)))),
    "insert one value": lambda f: inserted(f, 0, "z", 1.5),
    "insert text": lambda f: inserted(f, loc=4, column="z", value="t", allow_duplicates=False),
}
VALUES = {
    "dropna of a series": lambda f: f["x"].dropna(how="any", ignore_index=True),
    "drop_duplicates of a series": lambda f: f["n"].drop_duplicates(keep="last", ignore_index=True),
    "explode": lambda f: frame(f, {"a": [[1, 2], [], [3]], "b": [[4, 5], [], [6]], "c": [7, 8, 9]}, ["x", "y", "z"]).explode(column=["a", "b"], ignore_index=True),
    "explode a column": lambda f: frame(f, {"a": [[1, 2], [3]], "c": [7, 8]}, ["x", "y"]).explode("a"),
    "explode of a series": lambda f: series(f, [[1, 2], [3]], ["x", "y"]).explode(ignore_index=True),
    "melt": lambda f: f[["k", "n", "x"]].melt("k", ignore_index=False),
    "melt of columns": lambda f: f.melt(["k"], ["n", "x"], "name", "value", ignore_index=True),
    "replace": lambda f: f[["n"]].replace(to_replace=1, value=9),
    "replace list": lambda f: f["n"].replace([1, 3], [10, 30]),
    "replace list by one": lambda f: f["n"].replace(to_replace=[1, 3], value=0),
    "replace dict": lambda f: f["k"].replace({"b": "a", "a": "b"}),
    "replace by column": lambda f: f.replace({"n": {1: 7}, "k": {"b": "z"}}),
    "replace by column and value": lambda f: f[["n", "x"]].replace({"n": 1, "x": 2.0}, 8),
    "replace by new values": lambda f: f[["n", "x"]].replace(2, {"x": 5.0}),
    "replace regex": lambda f: f["s"].replace("^a(.)", r"<\1>", regex=True),
    "replace regex dict": lambda f: f["s"].replace({"a": "b", "b$": "B"}, regex=True),
    "replace regex argument": lambda f: f.replace(regex="b", value="$"),
    "replace regex list": lambda f: f["s"].replace(regex=["^a", "^b"], value=["1", "2"]),
    "replace regex in columns": lambda f: f.replace({"s": {"a": "z"}}, regex=True),
    "fillna limit": lambda f: f["x"].fillna(0.5, limit=1),
    "fillna of frames limit": lambda f: f[["n", "x"]].fillna(0, limit=1),
    "fillna dict limit": lambda f: f.fillna({"x": 1.5, "no": 2}, limit=1),
    "fillna series by column": lambda f: f.fillna(series(f, [1.5], ["x"])),
    "fillna of nothing": lambda f: f.fillna({"no": 1}),
    "shift periods": lambda f: f.shift(periods=-1),
    "shift fill": lambda f: f["n"].shift(2, fill_value=0),
    "shift freq": lambda f: times(f)["n"].shift(2, freq="D") if len(f) else f,
    "shift freq of hours": lambda f: times(f)[["n"]].shift(periods=-3, freq="h") if len(f) else f,
    "shift freq of a duration": lambda f: times(f)[["n"]].shift(2, freq=dt.timedelta(hours=5)) if len(f) else f,
    "shift list": lambda f: f[["n", "x"]].shift([0, 1, -1]) if len(f) else f,
    "shift list with a suffix": lambda f: f[["n", "x"]].shift(periods=[1, 2], suffix="_by") if len(f) else f,
    "diff periods": lambda f: f[["n", "x"]].diff(periods=2),
    "diff of a series": lambda f: f["x"].diff(periods=-1),
    "pct_change periods": lambda f: f["n"].pct_change(periods=2, fill_method=None),
    "pct_change freq": lambda f: times(f)["n"].pct_change(freq="D") if len(f) else f,
    "pct_change freq of a frame": lambda f: times(f)[["n", "x"]].pct_change(freq="2D") if len(f) else f,
    "astype ignore": lambda f: f["n"].astype("float64", errors="ignore"),
    "nunique": lambda f: f.nunique(dropna=False),
    "nunique of a series": lambda f: [f["x"].nunique(dropna=False), f["x"].nunique(), f["n"].nunique(dropna=False)],
    "mode of numbers": lambda f: f[["n", "x"]].mode(numeric_only=True),
    "rank top": lambda f: f["x"].rank(na_option="top"),
    "rank bottom": lambda f: f["x"].rank(na_option="bottom", ascending=False, method="min"),
    "rank top descending": lambda f: f["x"].rank(na_option="top", ascending=False, method="dense"),
    "rank bottom in parts": lambda f: f["x"].rank(na_option="bottom", pct=True, method="max"),
    "rank first": lambda f: f["x"].rank(na_option="top", method="first"),
    "rank of frames": lambda f: f.rank(numeric_only=True, na_option="bottom"),
    "nlargest last": lambda f: f["n"].nsmallest(1, keep="last"),
    "nlargest all": lambda f: f["n"].nsmallest(1, keep="all"),
    "nlargest": lambda f: f["n"].nlargest(2, keep="first"),
    "map ignore": lambda f: f["s"].map(func=lambda value: value * 2, na_action="ignore") if len(f) > 1 else f,
    "map of frames ignore": lambda f: f[["k", "s"]].map(lambda value: value + "!", na_action="ignore") if len(f) > 1 else f,
}


def inserted(f, *arguments, **options):
    """pandas changes the frame."""
    if library_of(f) is cn:
        return f.insert(*arguments, **options)
    made = f.copy()
    made.insert(*arguments, **options)
    return made


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SORTS)
def test_sorts(name, size):
    ours, theirs = both(SIZES[size])
    same(SORTS[name](ours), SORTS[name](theirs))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", LABELLINGS)
def test_labels(name, size):
    ours, theirs = both(SIZES[size])
    same(LABELLINGS[name](ours), LABELLINGS[name](theirs))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", VALUES)
def test_values(name, size):
    ours, theirs = both(SIZES[size])
    # Ranks are whole numbers here where no mean is taken.
    same(VALUES[name](ours), VALUES[name](theirs), whole=name.startswith("rank"))


JOINS = {
    "sort": lambda f, g: f.merge(g, on="k", sort=True),
    "sort left": lambda f, g: f.merge(g, on="k", how="left", sort=True),
    "sort right": lambda f, g: f.merge(g, on=["k"], how="right", sort=True),
    "sort of other names": lambda f, g: f.merge(g, left_on="k", right_on="w", sort=True),
    "indicator": lambda f, g: f.merge(g, on="k", how="left", indicator=True).astype({"_merge": str}),
    "indicator by name": lambda f, g: f.merge(g, on="k", how="right", indicator="where").astype({"where": str}),
    "no indicator": lambda f, g: f.merge(g, on="k", indicator=False),
    "index": lambda f, g: f.merge(g, left_index=True, right_index=True),
    "index left": lambda f, g: f.merge(g, left_index=True, right_index=True, how="left"),
    "index right": lambda f, g: f.merge(g, left_index=True, right_index=True, how="right"),
    "index outer": lambda f, g: f.merge(g, left_index=True, right_index=True, how="outer", sort=True),
    "index suffixes": lambda f, g: f.merge(g, left_index=True, right_index=True, suffixes=("_l", "_r")),
    "index and column": lambda f, g: f.merge(g.set_index("k"), left_on="k", right_index=True),
    "index and column left": lambda f, g: f.merge(g.set_index("k"), left_on="k", right_index=True, how="left"),
    "index and column right": lambda f, g: f.merge(g.set_index("k"), left_on="k", right_index=True, how="right"),
    "column and index": lambda f, g: f.set_index("k").merge(g, left_index=True, right_on="k"),
    "column and index left": lambda f, g: f.set_index("k").merge(g, left_index=True, right_on="k", how="left"),
    "column and index right": lambda f, g: f.set_index("k").merge(g, left_index=True, right_on="k", how="right"),
    "column of both and index": lambda f, g: f.set_index("s").merge(g, left_index=True, right_on="k", how="right"),
    "level of both": lambda f, g: f.set_index("k").merge(g.set_index("k"), on="k"),
    "level on the left": lambda f, g: f.set_index("k").merge(g, on="k", how="left"),
    "level on the right": lambda f, g: f.merge(g.set_index("k"), on="k", how="left"),
    "level and column": lambda f, g: f.set_index("k").merge(g.assign(n=g["z"]).set_index("k"), on=["k", "n"], how="left"),
    "one level of two": lambda f, g: f.set_index(["k", "n"]).merge(g.set_index("k"), on="k"),
    "series": lambda f, g: f.merge(g["z"], left_index=True, right_index=True),
    "names of labels": lambda f, g: [list(made.index.names) for made in (
        f.set_index("k").merge(g, left_index=True, right_on="k"), f.merge(g.set_index("k"), left_on="k", right_index=True),
        f.set_index("k").merge(g.set_index("k"), left_index=True, right_index=True), f.set_index("k").merge(g.set_index("k"), on="k"),
        f.set_index("k").merge(g.set_index("w"), left_index=True, right_index=True),
        f.set_index("k").merge(g.set_index("w"), left_index=True, right_index=True, how="left"),
        f.set_index("k").merge(g.set_index("w"), left_index=True, right_index=True, how="right"),
        f.set_index("k").merge(g.set_index("w"), left_index=True, right_index=True, how="outer"))],
    "validate": lambda f, g: f.merge(g.drop_duplicates("k").set_index("k"), left_on="k", right_index=True, validate="m:1"),
    "join suffixes": lambda f, g: f[["n"]].join(g.rename(columns={"z": "n"})[["n"]], lsuffix="_l", rsuffix="_r"),
    "join one suffix": lambda f, g: f[["n"]].join(g.rename(columns={"z": "n"})[["n"]], rsuffix="_r"),
    "join sort": lambda f, g: f.join(g.set_index("k")[["z"]], on="k", sort=True),
    "join sort of labels": lambda f, g: f.join(g[["z"]], how="left", sort=True),
    "join validate": lambda f, g: f.join(g.drop_duplicates("k").set_index("k")[["z"]], on="k", validate="many_to_one"),
    "join inner": lambda f, g: f.join(g[["z"]], how="inner"),
}
OTHER = {"k": ["b", "a", "z", "b"], "z": [10, 1, 30, 4], "w": ["b", "c", "d", "A"]}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", JOINS)
def test_joins(name, size):
    ours, theirs = both(SIZES[size])
    labels = ["p", "q", "z", "y"]
    mine, other = cn.DataFrame(OTHER).with_index(cn.Index(labels)), pd.DataFrame(OTHER, index=labels)
    expected = JOINS[name](theirs, other)
    if isinstance(expected, pd.DataFrame) and expected.index.hasnans:
        expected.index = pd.Index([None if pd.isna(label) else label for label in expected.index], dtype=object)
    if size == "none" and name in ("names of labels", "index and column right"):
        # pandas takes labels of the other frame where there are no rows.
        return
    made = JOINS[name](ours, mine)
    if isinstance(expected, list):
        assert made == expected
    else:
        # Without rows pandas names the labels after a key that is a column.
        same(made, expected, names=(size, name) not in [("none", "index and column"), ("none", "validate")])


def test_labels_of_rows_that_are_only_on_the_right_are_null():
    left, right = cn.DataFrame({"k": ["a", "b"], "n": [1, 2]}, index=["x", "y"]), cn.DataFrame({"k": ["b", "c"], "m": [3, 4]}, index=["v", "w"])
    made = left.merge(right.set_index("k"), left_on="k", right_index=True, how="outer")
    assert made.index.to_list() == ["x", "y", None] and made.to_dict() == {"k": ["a", "b", "c"], "n": [1, 2, None], "m": [None, 3, 4]}
    made = left.set_index("k").merge(right, left_index=True, right_on="k", how="outer", indicator=True)
    assert made.index.to_list() == [None, "v", "w"] and made["k"].to_list() == ["a", "b", "c"]
    assert made["_merge"].astype(str).to_list() == ["left_only", "both", "right_only"]


CONCATS = {
    "objs": lambda m, f, g: m.concat(objs=[f, g]),
    "none": lambda m, f, g: m.concat([f, None, g], ignore_index=True),
    "keys": lambda m, f, g: m.concat([f, g], keys=["x", "y"], names=["side", "row"]),
    "dictionary": lambda m, f, g: m.concat({"x": f, "y": g}),
    "dictionary and keys": lambda m, f, g: m.concat({"x": f, "y": g}, keys=["y"]),
    "columns": lambda m, f, g: m.concat([f, g.rename(columns={"n": "m"})], axis="columns"),
    "rows": lambda m, f, g: m.concat([f["n"], g["n"]], axis="index"),
}


@pytest.mark.parametrize("name", CONCATS)
def test_concat(name):
    (ours, theirs), other = both(), {"n": [7, None]}
    ours, theirs = ours[["n"]].iloc[:1], theirs[["n"]].iloc[:1]
    same(CONCATS[name](cn, ours, cn.DataFrame(other).with_index(cn.Index(["q", "r"]))), CONCATS[name](pd, theirs, pd.DataFrame(other, index=["q", "r"])))


RANGES = {
    "tz": dict(start="2024-03-30", end="2024-04-02", tz="Europe/Rome"),
    "left": dict(start="2024-01-01", end="2024-01-04", inclusive="left"),
    "right": dict(start="2024-01-01", end="2024-01-04", inclusive="right"),
    "neither": dict(start="2024-01-01", periods=3, inclusive="neither"),
    "end": dict(end="2024-01-04", periods=3),
    "end of months": dict(end="2024-03-15", periods=3, freq="ME"),
    "end of a month": dict(end="2024-03-31", periods=3, freq="ME"),
    "hours before": dict(end="2024-03-15 05:00:00", periods=4, freq="2h"),
    "normalize": dict(start="2024-01-01 05:30:00", periods=2, normalize=True),
    "normalize of a time": dict(start=dt.datetime(2024, 1, 1, 5), end=dt.datetime(2024, 1, 3, 5), normalize=True),
    "unit": dict(start="2024-01-01", periods=2, unit="ns"),
}


@pytest.mark.parametrize("name", RANGES)
def test_date_range(name):
    made = cn.date_range(**RANGES[name], name="t")
    assert isinstance(made, cn.Index) and made.name == "t"
    expected = pd.date_range(**RANGES[name])
    assert [time.replace(tzinfo=None) for time in made.to_list()] == [time.to_pydatetime().replace(tzinfo=None) for time in expected]
    assert (made.tz_convert("UTC") if "tz" in RANGES[name] else made).to_list() == [
        time.to_pydatetime() for time in (expected.tz_convert("UTC") if "tz" in RANGES[name] else expected)
    ]
    assert str(made.dtype).startswith(f"timestamp[{RANGES[name].get('unit', 'us')}")


FACTORS = [["b", None, "a", "b", None], ["a"], [None, "b", "a"], [], [None]]


@pytest.mark.parametrize("values", FACTORS)
@pytest.mark.parametrize("options", [{}, {"sort": True}, {"use_na_sentinel": False}, {"sort": True, "use_na_sentinel": False}])
def test_factorize(values, options):
    codes, distinct = cn.Series(values, dtype="utf8").factorize(**options)
    expected, theirs = pd.Series(values, dtype="str").factorize(**options)
    assert codes.to_list() == [None if code == -1 else code for code in expected.tolist()]
    assert distinct.to_list() == [None if pd.isna(value) else value for value in theirs]
    assert distinct.index.to_list() == list(range(len(distinct)))


def test_modes_count_nulls():
    values = cn.Series([1, None, 1, None, 2], name="v")
    assert values.modes().to_list() == [1] and values.modes(dropna=False).to_list() == [1, None] and values.mode(dropna=False).to_list() == [1, None]
    assert cn.Series([1, None, None]).modes(dropna=False).to_list() == [None] and cn.Series([1, None, None]).mode(dropna=False).to_list() == [None]
    assert cn.Series([1, 1, None]).modes(dropna=False).to_list() == [1]
    made = cn.DataFrame({"a": [1, None, None], "b": [3, 3, 4], "c": ["x", "x", None]}).mode(dropna=False)
    assert made.to_dict() == {"a": [None], "b": [3], "c": ["x"]}
    assert cn.DataFrame({"a": [1, 2], "b": [3, 3]}).mode(dropna=False).to_dict() == {"a": [1, 2], "b": [3, None]}


def test_sample_takes_a_random_state():
    ours = both()[0]
    assert ours.sample(3, random_state=7).equals(ours.sample(3, seed=7))
    made = ours["n"].sample(frac=0.6, random_state=np.random.default_rng(1), ignore_index=True)
    assert made.index.to_list() == [0, 1, 2] and set(made.to_list()) <= {3, 1, 4, 5}
    assert len(ours.sample(2, random_state=np.random.RandomState(3))) == 2


def test_casts_that_fail_leave_what_is_there():
    ours = both()[0]
    made = ours.assign(x=ours["x"].fillna(1.0)).astype("int64", errors="ignore")
    assert {label: str(dtype) for label, dtype in made.dtypes.items()} == {"k": "utf8", "n": "int64", "x": "int64", "s": "utf8"}
    assert ours["k"].astype("int64", errors="ignore").dtype == "utf8"
    assert ours.astype({"n": "int8", "k": "int8"}, errors="ignore").dtypes["n"] == "int8"


def test_labels_keep_their_dtype():
    numbers = cn.Series([1, 2], index=[10, 20]).rename({10: 11})
    assert numbers.index.to_list() == [11, 20] and str(numbers.index.dtype) == "int64"
    assert both()[0].rename(columns={}).columns == ["k", "n", "x", "s"]
    made = two(both()[0]).rename(index={"a": "z"})
    assert made.index.names == ["i", "j"] and made.index.to_list()[1] == ("z", 1)


def test_old_names_of_arguments_stay():
    ours = both()[0]
    assert ours.sort_values("x", True, True)["x"].to_list()[:2] == [None, None] and ours.sort_values("x", nulls_first=True).equals(ours.sort_values("x", na_position="first"))
    assert ours.shift(n=1).equals(ours.shift(1)) and ours["n"].diff(n=2).equals(ours["n"].diff(2)) and ours["n"].pct_change(n=1).equals(ours["n"].pct_change())
    assert ours.rename({"n": "m"}).columns == ["k", "m", "x", "s"] and ours["n"].rename(name="m").name == "m"
    assert ours.insert(position=0, label="z", values=[1] * 5).columns[0] == "z" and ours.pop(item="k")[0].equals(ours.pop(label="k")[0])
    assert ours["n"].replace(pairs={3: 4}).to_list() == [4, 1, 4, 1, 5] and names_of(ours.rename_axis(names=["z"])) == ["z"]
    assert ours.reset_index(levels=None).columns[0] == "index" and ours.set_index(labels="k").index.names == ["k"]
    assert cn.concat(frames=[ours, ours]).shape == (10, 4)


ERRORS = {
    "na_position": (ValueError, lambda f: f.sort_values("n", na_position="middle"), "sort_values: na_position is 'first' or 'last', not 'middle'"),
    "na_position twice": (TypeError, lambda f: f["n"].sort_values(na_position="first", nulls_first=True), "same argument"),
    "sort axis": (NotImplementedError, lambda f: f.sort_values("n", axis=1), "axis=1"),
    "axis": (ValueError, lambda f: f.sort_index(axis=2), "axis is 0 or 1, not 2"),
    "key length": (ValueError, lambda f: f.sort_values("n", key=lambda values: values.head(1)), "key gives 1 values for 5"),
    "ascending of a series": (ValueError, lambda f: f["n"].sort_values(ascending=[True, False]), "ascending has 2"),
    "ascending of levels": (ValueError, lambda f: two(f).sort_index(ascending=[True]), "ascending has 1 values for 2 levels"),
    "level": (KeyError, lambda f: two(f).sort_index(level="z", sort_remaining=False), "there is no level 'z'"),
    "rename": (KeyError, lambda f: f.rename(columns={"no": "yes"}, errors="raise"), "no"),
    "rename rows": (KeyError, lambda f: f.rename(index={"no": "yes"}, errors="raise"), "no"),
    "rename twice": (TypeError, lambda f: f.rename({"n": "m"}, columns={}), "give a mapper"),
    "rename nothing": (TypeError, lambda f: f.rename(), "give a mapper"),
    "rename kind": (TypeError, lambda f: f.rename(columns="n"), "columns is a dictionary or a function, not str"),
    "rename errors": (ValueError, lambda f: f.rename(columns={}, errors="maybe"), "errors is 'ignore' or 'raise'"),
    "names": (ValueError, lambda f: f.reset_index(names=["a", "b"]), "names has 2 names for 1 levels"),
    "duplicates": (NotImplementedError, lambda f: f.reset_index(allow_duplicates=True), "allow_duplicates"),
    "keys": (ValueError, lambda f: f.set_index([np.arange(2)]), "keys have 2 values for 5 rows"),
    "insert duplicates": (NotImplementedError, lambda f: f.insert(0, "n", 1, allow_duplicates=True), "allow_duplicates"),
    "insert missing": (TypeError, lambda f: f.insert(0, "z"), "value is missing"),
    "insert twice": (ValueError, lambda f: f.insert(0, "n", 1), "duplicate"),
    "drop": (KeyError, lambda f: f.drop(columns="no"), "no"),
    "drop errors": (ValueError, lambda f: f.drop(columns="no", errors="coerce"), "errors is"),
    "drop level": (KeyError, lambda f: two(f).drop(index="z", level="i"), "z"),
    "filter": (TypeError, lambda f: f.filter(items=["n"], like="x"), "not items and like"),
    "filter nothing": (TypeError, lambda f: f["n"].filter(), "one of items, like and regex"),
    "filter regex": (ValueError, lambda f: f.filter(regex="("), "cannot be read"),
    "how of dropna": (ValueError, lambda f: f["n"].dropna(how="some"), "how is None, 'any' or 'all'"),
    "fill_method": (ValueError, lambda f: f["n"].pct_change(fill_method="ffill"), "fill_method is None"),
    "periods": (TypeError, lambda f: f["n"].diff(periods=1.5), "periods is a whole number"),
    "periods twice": (TypeError, lambda f: f["n"].shift(periods=1, n=1), "same argument"),
    "freq": (TypeError, lambda f: f.shift(1, freq="D"), "labels that are times, not utf8"),
    "freq and fill": (ValueError, lambda f: times(f).shift(1, freq="D", fill_value=0), "freq or fill_value"),
    "suffix": (ValueError, lambda f: f.shift(1, suffix="x"), "suffix goes with a list"),
    "limit": (ValueError, lambda f: f["x"].fillna(1, limit=0), "limit is at least 1"),
    "na_option": (ValueError, lambda f: f["x"].rank(na_option="middle"), "na_option is 'keep', 'top' or 'bottom'"),
    "keep": (ValueError, lambda f: f["n"].nlargest(1, keep="none"), "keep is 'first', 'last' or 'all'"),
    "replace": (ValueError, lambda f: f["n"].replace([1, 2], [3]), "value has 1 values for 2"),
    "replace value": (ValueError, lambda f: f["n"].replace(1), "give value"),
    "replace regex": (NotImplementedError, lambda f: f["s"].replace("a", 1, regex=True), "by text or None, not by int"),
    "random_state": (TypeError, lambda f: f.sample(1, random_state="x"), "random_state is a number"),
    "random_state twice": (TypeError, lambda f: f.sample(1, random_state=1, seed=1), "same argument"),
    "merge on and index": (ValueError, lambda f: f.merge(f, on="k", left_index=True), "no on"),
    "merge index alone": (ValueError, lambda f: f.merge(f, left_index=True), "right_on is missing"),
    "merge levels": (ValueError, lambda f: two(f).merge(f, left_index=True, right_on="k"), "2 keys on the left and 1 on the right"),
    "merge index cross": (ValueError, lambda f: f.merge(f, how="cross", left_index=True, right_index=True), "not 'cross'"),
    "join validate": (ValueError, lambda f: f[["n"]].join(f[["x"]], validate="1:1"), "not unique"),
    "join kind": (ValueError, lambda f: f[["n"]].join(f[["x"]], validate="2:1"), "validate is"),
    "join suffixes": (TypeError, lambda f: f.join(f, lsuffix="x", suffixes=("a", "b")), "give suffixes"),
    "concat": (TypeError, lambda f: cn.concat(f), "not one DataFrame"),
    "inclusive": (ValueError, lambda f: cn.date_range("2024-01-01", periods=2, inclusive="all"), "inclusive is"),
    "unit": (ValueError, lambda f: cn.date_range("2024-01-01", periods=2, unit="D"), "unit is 's', 'ms', 'us' or 'ns'"),
    "start": (ValueError, lambda f: cn.date_range(end="2024-01-01"), "start is missing"),
    "astype": (ValueError, lambda f: f.astype("int64", errors="coerce"), "errors is 'raise' or 'ignore'"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_argument(name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call(both()[0])
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value), str(error.value)
