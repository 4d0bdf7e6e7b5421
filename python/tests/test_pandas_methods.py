"""Methods of pandas that are written in Python: the same calls on both."""

import datetime as dt
import pickle

import columnade as cn
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from beside import library_of, same

DATA = {"k": ["b", "a", "b", "c", "a"], "n": [3, 1, 4, 1, 5], "x": [0.5, -1.5, 2.0, 2.0, 9.25]}
LABELS = [10, 20, 30, 40, 50]
OTHER = {"k": ["b", "z", "b", "c", "a"], "n": [3, 1, 7, 1, 5], "x": [0.5, -1.5, 2.0, 3.0, 9.25]}
TIMES = [dt.datetime(2026, 1, 1) + dt.timedelta(hours=7 * step) for step in range(9)]


def made(data, index=None):
    ours, theirs = cn.DataFrame(data), pd.DataFrame(data)
    return (ours, theirs) if index is None else (ours.with_index(cn.Index(index)), theirs.set_axis(index))


def double(values, by=2):
    return values * by


def other(f):
    return made(OTHER, LABELS)[0 if library_of(f) is cn else 1]


def series(f, values, index=None):
    return cn.Series(values).with_index(cn.Index(index)) if library_of(f) is cn and index is not None else library_of(f).Series(values, **({} if index is None else {"index": index}))


CALLS = {
    "pipe": lambda f: f[["n"]].pipe(double, by=3),
    "pipe by name": lambda f: f["n"].pipe((lambda by, values: values * by, "values"), 3),
    "get": lambda f: [f.get("n").to_list(), f.get("no"), f.get("no", 7), f["n"].get(20), f["n"].get(21, -1)],
    "get of a list": lambda f: f.get(["n", "x"]),
    "keys": lambda f: [list(f.keys()), [int(label) for label in f["n"].keys()]],
    "axes": lambda f: [len(f.axes), list(f.axes[1]), len(f["n"].axes)],
    "set_axis": lambda f: f.set_axis(list("abcde")),
    "set_axis of columns": lambda f: f.set_axis(["a", "b", "c"], axis=1),
    "set_axis of a series": lambda f: f["n"].set_axis(list("abcde")),
    "squeeze column": lambda f: f[["n"]].squeeze(),
    "squeeze row": lambda f: f[["n", "x"]].iloc[1:2].squeeze(),
    "squeeze value": lambda f: [f[["n"]].iloc[1:2].squeeze(), f["n"].iloc[1:2].squeeze(), f["n"].iloc[2:3].item()],
    "squeeze nothing": lambda f: f.squeeze(),
    "kurtosis": lambda f: f["x"].kurtosis(),
    "product": lambda f: f[["n", "x"]].product(),
    "subtract": lambda f: f["n"].subtract(f["x"]),
    "multiply": lambda f: f[["n", "x"]].multiply(2),
    "divide": lambda f: f["n"].divide(4),
    "radd": lambda f: f["n"].radd(1),
    "rsub": lambda f: f[["n", "x"]].rsub(10),
    "rmul": lambda f: f["x"].rmul(f["n"]),
    "rtruediv": lambda f: f["n"].rtruediv(1),
    "rdiv": lambda f: f["n"].rdiv(f["x"]),
    "rfloordiv": lambda f: f["n"].rfloordiv(17),
    "rmod": lambda f: f["n"].rmod(17),
    "rpow": lambda f: f["n"].rpow(2),
    "rsub with fill": lambda f: f["x"].rsub(series(f, [1.0, 2.0], [10, 60]), fill_value=0.5),
    "radd with fill": lambda f: f["x"].where(f["x"] > 0).radd(1, fill_value=100.0),
    "truncate": lambda f: f.truncate(20, 40),
    "truncate before": lambda f: f["n"].truncate(before=35),
    "truncate of descending labels": lambda f: f.iloc[::-1].truncate(15, 40),
    "items": lambda f: [(int(label), value) for label, value in f["x"].items()],
    "itertuples": lambda f: [tuple(row) for row in f.itertuples()],
    "itertuples by name": lambda f: [(row.Index, row.k, row.n) for row in f.itertuples()],
    "itertuples without labels": lambda f: [tuple(row) for row in f.itertuples(index=False, name=None)],
    "transform": lambda f: f[["n", "x"]].transform(double),
    "transform by name": lambda f: f[["n", "x"]].transform("cumsum"),
    "transform by column": lambda f: f.transform({"n": "cumsum", "x": double}),
    "transform of a series": lambda f: f["n"].transform(["cumsum", "cummax"]),
    "agg of a series": lambda f: [f["x"].agg("max"), f["x"].agg(lambda values: values.max() - values.min())],
    "agg of a list": lambda f: f["x"].agg(["min", "max", "mean"]),
    "agg of names": lambda f: f["x"].aggregate({"low": "min", "high": "max"}),
    "case_when": lambda f: f["n"].case_when([(f["n"] < 2, 0), (f["n"] > 3, f["n"] * 100)]),
    "case_when of a function": lambda f: f["x"].case_when([(lambda values: values < 0, -1.0)]),
    "compare": lambda f: f.compare(other(f)),
    "compare keep_equal": lambda f: f.compare(other(f), keep_equal=True),
    "compare keep_shape": lambda f: f[["n", "x"]].compare(other(f)[["n", "x"]], keep_shape=True),
    "compare of series": lambda f: f["n"].compare(other(f)["n"], result_names=("left", "right")),
    "corrwith": lambda f: f[["n", "x"]].corrwith(other(f)[["n", "x"]]),
    "corrwith a series": lambda f: f[["n", "x"]].corrwith(f["x"], method="spearman"),
    "drop of a series": lambda f: f["n"].drop([10, 50]),
    "drop one of a series": lambda f: f["n"].drop(index=30),
    "from_dict": lambda f: library_of(f).DataFrame.from_dict({"r1": [1, "a"], "r2": [2, "b"]}, orient="index", columns=["n", "s"]),
    "from_records": lambda f: library_of(f).DataFrame.from_records([(1, "a"), (2, "b")], columns=["n", "s"]),
    "from_records of dictionaries": lambda f: library_of(f).DataFrame.from_records([{"n": 1}, {"n": 2, "s": "b"}]),
    "from_records with labels": lambda f: library_of(f).DataFrame.from_records([{"n": 1, "s": "a"}, {"n": 2, "s": "b"}], index="n"),
    "to_csv of a series": lambda f: f["x"].to_csv(),
    "transpose of a series": lambda f: f["x"].T.transpose(),
}

# Arithmetic of series of two names, of which the left one stays.
NAME_OF_LEFT = {"subtract", "rmul", "rdiv"}


@pytest.mark.parametrize("name", CALLS)
def test_frames_and_series(name):
    ours, theirs = made(DATA, LABELS)
    same(CALLS[name](ours), CALLS[name](theirs), names=name not in NAME_OF_LEFT, whole=name == "compare of series")


TIMED = {
    "between_time": lambda f: f.between_time("6:00", "18:00"),
    "between_time over midnight": lambda f: f.between_time("20:00", "4:00")["n"],
    "between_time inclusive": lambda f: [len(f.between_time("7:00", "14:00", inclusive=kind)) for kind in ("both", "left", "right", "neither")],
    "at_time": lambda f: f["n"].at_time(dt.time(7)),
    "tz_localize": lambda f: [str(label) for label in f.tz_localize("Europe/Rome").index],
    "tz_convert": lambda f: [str(label) for label in f["n"].tz_localize("UTC").tz_convert("Asia/Tokyo").index],
}


@pytest.mark.parametrize("name", TIMED)
def test_times_as_row_labels(name):
    ours, theirs = made({"n": list(range(9))}, TIMES)
    if name.startswith("tz_"):
        zoned = {"tz_localize": lambda f: f.tz_localize("Europe/Rome"), "tz_convert": lambda f: f.tz_localize("UTC").tz_convert("Asia/Tokyo")}[name]
        assert zoned(ours).index.to_list() == [stamp.to_pydatetime() for stamp in zoned(theirs).index]
        assert zoned(ours["n"]).index.to_list() == zoned(ours).index.to_list()
        return
    same(TIMED[name](ours), TIMED[name](theirs))


WORDS = ["Tea", "", None, "Zürich", "a-b-a", "x|y", "y|x|x"]
STRINGS = {
    "center": lambda s: s.str.center(7),
    "center with stars": lambda s: s.str.center(8, "*"),
    "ljust": lambda s: s.str.ljust(6, "."),
    "rjust": lambda s: s.str.rjust(6),
    "match": lambda s: s.dropna().str.match("[Ta]"),
    "fullmatch": lambda s: s.dropna().str.fullmatch("T.a"),
    "findall": lambda s: s.dropna().str.findall("[a-z]").to_list(),
    "isascii": lambda s: s.dropna().str.isascii() if hasattr(s.str, "is_ascii") else s.dropna().map(str.isascii),
    "index": lambda s: s[s == "a-b-a"].str.index("a"),
    "rindex": lambda s: s[s == "a-b-a"].str.rindex("a"),
    "cat": lambda s: s.str.cat(sep="/"),
    "cat with na_rep": lambda s: s.str.cat(sep="/", na_rep="?"),
    "cat others": lambda s: s.str.cat(s, sep="+"),
    "cat a list": lambda s: s.str.cat(list("abcdefg"), sep="+", na_rep="-"),
    "cat several": lambda s: s.str.cat([s, s.str.lower()], sep=","),
    "get_dummies": lambda s: s[s != ""].dropna().str.get_dummies(),
    "get_dummies by": lambda s: s[s != ""].dropna().str.get_dummies("-"),
    "split at white space": lambda s: series(s, ["a b", " c  d e ", "", "é\tf"]).str.split().to_list(),
    "rsplit": lambda s: series(s, ["a-b-c", "d", "-e"]).str.rsplit("-", n=1).to_list(),
}


@pytest.mark.parametrize("name", STRINGS)
def test_strings(name):
    call, theirs = STRINGS[name], pd.Series(WORDS)
    same(call(cn.Series(WORDS)), call(theirs))


def test_partition():
    theirs = pd.Series(WORDS)
    for name in ("partition", "rpartition"):
        ours, expected = getattr(cn.Series(WORDS).str, name)("-"), getattr(theirs.str, name)("-")
        for place, label in enumerate(ours.columns):
            assert ours[label].to_list() == [None if pd.isna(value) else value for value in expected[place].tolist()], name
        parts = getattr(cn.col("w").str, name)("-")
        by_expression = cn.DataFrame({"w": WORDS}).select(*[part.alias(str(place)) for place, part in enumerate(parts)])
        assert [by_expression[label].to_list() for label in by_expression.columns] == [ours[label].to_list() for label in ours.columns]


def test_index_of_strings_without_one_names_the_row():
    with pytest.raises(ValueError, match="'q' is not in the string of row 10"):
        cn.Series(["a", "b"]).with_index(cn.Index([10, 20])).str.index("q")


def test_times():
    stamps = [dt.datetime(2024, 12, 30, 1, 2, 3, 456), None, dt.datetime(1969, 12, 31, 23, 59, 59)]
    ours, theirs = cn.Series(stamps), pd.Series(stamps)
    for name in ("dayofyear", "dayofweek", "day_of_week", "daysinmonth"):
        assert getattr(ours.dt, name)().to_list() == [None if pd.isna(value) else int(value) for value in getattr(theirs.dt, name)], name
    same(ours.dt.isocalendar(), theirs.dt.isocalendar(), dtypes=False)
    assert ours.dt.normalize().to_list() == [None if pd.isna(value) else value.to_pydatetime() for value in theirs.dt.normalize()]
    assert (ours.dt.unit, ours.dt.tz, ours.dt.tz_localize("Asia/Tokyo").dt.tz) == ("us", None, "Asia/Tokyo")
    assert str(ours.dt.as_unit("ms").dtype) == "timestamp[ms]"
    assert str(ours.dt.tz_localize("UTC").dt.as_unit("s").dtype) == "timestamp[s, UTC]"
    with pytest.raises(ValueError, match="minutes"):
        ours.dt.as_unit("minutes")
    spans = [dt.timedelta(days=3, hours=5, microseconds=1001), dt.timedelta(seconds=-1), None]
    same(cn.Series(spans).dt.components, pd.Series(spans).dt.components)
    with pytest.raises(TypeError, match="int64"):
        cn.Series([1]).dt.unit


INDEXES = {
    "numbers": [3, 1, 2, 3],
    "strings": ["b", "a", "c", "b"],
    "floats": [0.5, -1.0, 2.5, 2.5],
    "times": TIMES[:4],
}
OF_INDEXES = {
    "sizes": lambda i: [i.size, i.shape, i.ndim, i.empty, i.has_duplicates, i[:0].empty],
    "extremes": lambda i: [i.min(), i.max(), int(i.argmin()), int(i.argmax())],
    "nunique": lambda i: i.nunique(),
    "values": lambda i: [list(i.values), list(i.to_numpy()), list(i.T), list(i.transpose()), list(i.copy())],
    "isin": lambda i: i.isin([i[1], i[3]]).tolist(),
    "isna": lambda i: [i.isna().tolist(), i.notnull().tolist()],
    "dropna": lambda i: list(i.dropna()),
    "drop_duplicates": lambda i: [list(i.drop_duplicates(keep=keep)) for keep in ("first", "last", False)],
    "map": lambda i: list(i.map(lambda label: str(label) + "!")),
    "map a dictionary": lambda i: list(i.map({i[0]: "x", i[1]: "y", i[2]: "z"}).fillna("?")),
    "take": lambda i: list(i.take([2, 0, -1])),
    "set_names": lambda i: list(i.set_names("n").names),
    "item": lambda i: i[1:2].item(),
    "searchsorted": lambda i: int(i.sort_values().searchsorted(i[1])),
}


@pytest.mark.parametrize("kind", INDEXES)
@pytest.mark.parametrize("name", OF_INDEXES)
def test_indexes(name, kind):
    def plainly(value):
        if isinstance(value, (list, tuple)):
            return [plainly(part) for part in value]
        if isinstance(value, np.datetime64):
            value = pd.Timestamp(value)
        if isinstance(value, pd.Timestamp):
            return value.to_pydatetime()
        return value.item() if isinstance(value, np.generic) else value

    ours, theirs = OF_INDEXES[name](cn.Index(INDEXES[kind])), OF_INDEXES[name](pd.Index(INDEXES[kind]))
    assert plainly(ours) == plainly(theirs)


def test_indexes_of_ranges_and_levels():
    rows = cn.DataFrame({"a": [1, 2, 3]}).index
    assert (rows.start, rows.stop, rows.step, rows.memory_usage()) == (0, 3, 1, 0)
    with pytest.raises(AttributeError, match="single"):
        cn.Index([1]).start
    assert cn.Index([1, 2]).nbytes > 0
    pairs = [("a", 1), ("b", None), ("a", 1)]
    ours, theirs = cn.Index(pairs), pd.MultiIndex.from_tuples(pairs)
    assert ours.to_numpy().tolist()[0] == ("a", 1)
    assert ours.isin([("a", 1)]).tolist() == theirs.isin([("a", 1)]).tolist()
    assert len(ours.dropna()) == len(theirs.dropna()) == 2
    assert len(ours.dropna("all")) == 3
    assert ours.drop_duplicates().nlevels == 2
    assert list(ours.set_names("low", level=1).names) == [None, "low"]
    assert ours.min() == ours.max() == ("a", 1)
    with pytest.raises(TypeError, match="2 levels"):
        ours.argmin()
    with pytest.raises(ValueError, match="2 labels"):
        cn.Index([1, 2]).item()
    assert cn.Index(["a", "b", "a"]).get_indexer_for(["a"]).tolist() == [0, 2]
    assert cn.Index([1, 2, 5]).slice_indexer(2, 5) == pd.Index([1, 2, 5]).slice_indexer(2, 5)


def test_groups():
    ours, theirs = (frame.groupby("k") for frame in made(DATA, LABELS))
    assert ours.groups == {key: list(labels) for key, labels in theirs.groups.items()}
    assert ours.ngroups == theirs.ngroups == ours["n"].ngroups
    same(ours.pipe(lambda groups: groups["n"].max()), theirs["n"].max())
    # Columns under tuples have one level here.
    same(ours.describe(), theirs.describe())
    same(ours["x"].describe(), theirs["x"].describe())
    with pytest.raises(ValueError, match="describe"):
        cn.DataFrame({"k": ["a"], "s": ["b"]}).groupby("k").describe()


def test_functions():
    ours, theirs = made(DATA)
    same(cn.melt(ours, id_vars="k"), pd.melt(theirs, id_vars="k"))
    assert cn.pivot_table(ours, index="k", values="n", aggfunc="sum")["n"].to_list() == [6, 7, 1]
    codes, distinct = cn.factorize(ours["k"])
    expected = pd.factorize(theirs["k"])
    assert (codes.to_list(), distinct.to_list()) == (expected[0].tolist(), list(expected[1]))
    assert cn.isnull([1, None]).to_list() == [False, True] and cn.notnull([1, None]).to_list() == [True, False]
    assert cn.infer_freq(cn.Index(TIMES)) == pd.infer_freq(pd.DatetimeIndex(TIMES))
    assert list(cn.timedelta_range("1h", periods=3)) == list(pd.timedelta_range("1h", periods=3).to_pytimedelta())
    assert len(cn.interval_range(0, 5)) == 5
    left, right = {"t": [1, 3, 5], "a": [1, 2, 3]}, {"t": [2, 3], "b": [10, 20]}
    for fill in (None, "ffill"):
        same(
            cn.merge_ordered(cn.DataFrame(left), cn.DataFrame(right), on="t", fill_method=fill),
            pd.merge_ordered(pd.DataFrame(left), pd.DataFrame(right), on="t", fill_method=fill),
        )
    same(
        cn.merge_asof(cn.DataFrame(left), cn.DataFrame(right), on="t"), pd.merge_asof(pd.DataFrame(left), pd.DataFrame(right), on="t")
    )
    with pytest.raises(ValueError, match="no column in common"):
        cn.merge_ordered(cn.DataFrame({"a": [1]}), cn.DataFrame({"b": [1]}))


def test_durations():
    hour = dt.timedelta(hours=1)
    assert cn.to_timedelta([1, 2], "h").to_list() == [hour, 2 * hour]
    assert cn.to_timedelta([1.5], "min").to_list() == list(pd.to_timedelta([1.5], "min").to_pytimedelta())
    assert cn.to_timedelta([7, None], "ms").to_list() == [dt.timedelta(milliseconds=7), None]
    texts = ["1 days 02:00:00", "02:03:04.5"]
    assert cn.to_timedelta(texts).to_list() == list(pd.to_timedelta(texts).to_pytimedelta())
    words = ["1h", "2 days 3.5 hours", "-90s", "15min 1us", "1D2h"]
    assert cn.to_timedelta(words).to_list() == list(pd.to_timedelta(words).to_pytimedelta())
    assert cn.to_timedelta(["1h", None, "1 days 02:00:00", "h"], errors="coerce").to_list() == [hour, None, dt.timedelta(days=1, hours=2), None]
    assert cn.to_timedelta(["nonsense"], errors="coerce").to_list() == [None]
    with pytest.raises(ValueError, match="nonsense"):
        cn.to_timedelta(["nonsense"])
    with pytest.raises(ValueError, match="unit"):
        cn.to_timedelta([1], "fortnights")


def test_json_normalize():
    data = [{"id": 1, "name": {"first": "Ada", "last": "L"}, "tags": [1, 2]}, {"id": 2, "name": {"first": "Bo"}, "tags": []}]
    ours, theirs = cn.json_normalize(data), pd.json_normalize(data)
    assert ours.columns == list(theirs.columns)
    assert ours["name.last"].to_list() == ["L", None] and ours["tags"].to_list() == [[1, 2], []]
    assert cn.json_normalize(data, max_level=0).columns == list(pd.json_normalize(data, max_level=0).columns)
    parts = [{"shop": "a", "at": {"city": "Oslo"}, "sales": [{"n": 1}, {"n": 2, "x": {"y": 3}}]}, {"shop": "b", "at": {"city": "Bo"}, "sales": []}]
    same(
        cn.json_normalize(parts, record_path="sales", meta=["shop", ["at", "city"]], sep="_"),
        pd.json_normalize(parts, record_path="sales", meta=["shop", ["at", "city"]], sep="_"),
    )
    with pytest.raises(KeyError, match="no 'price'"):
        cn.json_normalize(parts, record_path="price")
    with pytest.raises(TypeError, match="dictionaries"):
        cn.json_normalize([1])


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda f: f.pipe((double, "by"), by=1), ValueError, "pipe: by is given twice"),
        (lambda f: f.set_axis([1], axis=1), ValueError, "1 labels for 3 columns"),
        (lambda f: f.set_axis([1, 2, 3], axis=2), ValueError, "axis is 0 or 1"),
        (lambda f: f["n"].item(), ValueError, "5 values"),
        (lambda f: f.between_time("6:00", "8:00"), TypeError, "int64"),
        (lambda f: f.truncate(40, 20), ValueError, "truncate: after, 20, is less than before, 40"),
        (lambda f: f.set_index("n").truncate(1, 2), ValueError, "sort_index"),
        (lambda f: f["n"].transform("max"), ValueError, "use agg"),
        (lambda f: f.compare(f[["n"]]), ValueError, "same labels"),
        (lambda f: f.compare(1), TypeError, "int"),
        (lambda f: f["n"].compare(f["n"].head(2)), ValueError, "same row labels"),
        (lambda f: f["n"].drop(), ValueError, "labels"),
        (lambda f: f["n"].drop(77), KeyError, "77"),
        (lambda f: cn.DataFrame.from_records([(1, 2), (3,)], columns=["a"]), ValueError, "1 for 2 columns"),
        (lambda f: cn.DataFrame.from_dict({}, orient="rows"), ValueError, "orient"),
    ],
)
def test_bad_calls_say_what_is_wrong(call, kind, words):
    with pytest.raises(kind, match=words):
        call(made(DATA, LABELS)[0])


def test_times_of_day_are_read():
    frame = cn.DataFrame({"n": [1, 2]}).with_index(cn.Index(TIMES[:2]))
    with pytest.raises(ValueError, match="'noon'"):
        frame.at_time("noon")
    with pytest.raises(ValueError, match="inclusive"):
        frame.between_time("1:00", "2:00", inclusive="all")


def test_to_string_is_the_whole_table():
    frame = cn.DataFrame({"n": list(range(500)), "s": ["x" * 90] * 500})
    text = frame.to_string()
    assert text.count("\n") >= 500 and "x" * 90 in text and "…" not in text
    assert cn.Series([1, 2]).to_string().splitlines()[-1] == "[2 rows, int64]"


GROUPS = {
    "value_counts": lambda g: g["n"].value_counts(),
    "value_counts of columns": lambda g: g.value_counts(["n", "x"]),
    "value_counts as shares": lambda g: g.value_counts(["x"], normalize=True, ascending=True),
    "value_counts with nulls": lambda g: g["x"].value_counts(dropna=False).rename("count").reset_index(),
    "nlargest": lambda g: g["n"].nlargest(2),
    "nlargest last": lambda g: g["n"].nlargest(1, keep="last"),
    "nsmallest all": lambda g: g["n"].nsmallest(1, keep="all"),
    "corr": lambda g: g[["n", "x"]].corr(),
    "cov": lambda g: g[["n", "x"]].cov(),
    # With nulls pandas takes no ddof.
    "cov ddof": lambda g: g[["n"]].cov(ddof=0),
    "unique": lambda g: [sorted(values) for values in g["n"].unique().to_list()],
    "sample of all": lambda g: g.sample(frac=1.0).sort_index(),
    "sample of a series": lambda g: sorted(g["n"].sample(frac=1.0).to_list()),
}


@pytest.mark.parametrize("call", GROUPS.values(), ids=GROUPS)
def test_groups_summarise_as_pandas(call):
    keys = ["b", "a", "b", "c", "a", "b", "a", "b"]
    data = {"k": keys, "n": [3, 1, 4, 1, 5, 4, 1, 4], "x": [0.5, -1.5, 2.0, 2.0, 9.25, None, 4.0, 0.5]}
    ours, theirs = made(data, [10, 20, 30, 40, 50, 60, 70, 80])
    # pandas sorts equal counts by their values, in order of appearance without a sort of the groups.
    same(call(ours.groupby("k", sort=True)), call(theirs.groupby("k", sort=True)))


FUNCTIONS = {
    "agg of a column": lambda g: g["n"].agg(lambda values: values.max() - values.min()),
    "agg of columns": lambda g: g[["n", "x"]].agg(lambda values: values.sum()),
    "aggregate": lambda g: g["x"].aggregate(lambda values: float(values.iat[0])),
    "transform of a column": lambda g: g["x"].transform(lambda values: values - values.mean()),
    "transform to one value": lambda g: g["n"].transform(lambda values: values.max()),
    "transform of columns": lambda g: g[["n", "x"]].transform(lambda values: values.cumsum()),
}


@pytest.mark.parametrize("sort", [True, False])
@pytest.mark.parametrize("call", FUNCTIONS.values(), ids=FUNCTIONS)
def test_groups_take_functions(call, sort):
    data = {"k": ["b", "a", None, "b", "c", "a"], "n": [3, 1, 9, 4, 1, 5], "x": [0.5, -1.5, 7.0, 2.0, 2.0, 9.25]}
    ours, theirs = made(data, [10, 20, 20, 30, 40, 50])
    same(call(ours.groupby("k", sort=sort)), call(theirs.groupby("k", sort=sort)))


def test_functions_of_groups_that_return_other_rows_are_refused():
    groups = cn.DataFrame(DATA).groupby("k")
    with pytest.raises(TypeError, match="agg: the function returns a value"):
        groups["n"].agg(lambda values: values)
    with pytest.raises(ValueError, match="transform: the function returned 1 values for 2 rows"):
        groups["n"].transform(lambda values: values.head(1))
    with pytest.raises(ValueError, match="agg: there are no columns"):
        cn.DataFrame({"k": [1]}).groupby("k").agg(lambda values: 1)


def test_unnamed_series():
    ours = cn.Series([1, 2])
    assert ours.name is None and ours.rename("n").rename(None).name is None
    assert (ours + ours.rename("n")).name is None
    assert list(ours.to_frame().columns) == list(pd.Series([1, 2]).to_frame().columns) == [0]
    assert ours.to_frame("n").columns == ours.rename("m").to_frame(name="n").columns == ["n"]
    assert cn.from_arrow(pa.array([1])).name is None and pa.array(ours).to_pylist() == [1, 2]
    assert ours.to_pandas().name is None and ours.rename("n").to_pandas().name == "n"
    assert cn.from_pandas(pd.Series(["a"], dtype="category")).name is None
    assert pickle.loads(pickle.dumps(ours)).name is None
    for series in ([ours, ours], [ours, ours.rename("b"), ours]):
        expected = pd.concat([pd.Series([1, 2], name=one.name) for one in series], axis=1)
        assert list(cn.concat(series, axis=1).columns) == list(expected.columns)
    assert cn.Series([1], name="").name == "" and pickle.loads(pickle.dumps(ours)).name is None
    assert ours.groupby(cn.Series(["a", "a"])).sum().name is None
    assert ours.to_pandas().name is None and "None" not in repr(ours) and "null" not in repr(ours)
