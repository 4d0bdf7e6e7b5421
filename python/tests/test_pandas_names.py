"""What has a name of pandas does what pandas does: the same calls on both."""

import datetime as dt

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col

DATA = {"k": ["b", "a", "b", "c", "a"], "n": [3, 1, 4, 1, 5], "x": [0.5, -1.5, 2.0, 2.0, 9.25]}


def both():
    return cn.DataFrame(DATA), pd.DataFrame(DATA)


CALLS = {
    "shape": lambda f: [f.size, f.ndim, f.empty, f["n"].size, f["n"].ndim, f.head(0).empty],
    "values": lambda f: f[["n", "x"]].values.tolist(),
    "T": lambda f: list(f[["n", "x"]].T.shape),
    "items": lambda f: [(label, column.tolist()) for label, column in f.items()],
    "isna": lambda f: f.shift().isna(),
    "notnull": lambda f: f["k"].shift().notnull(),
    "drop columns": lambda f: f.drop(columns=["k"]),
    "drop rows": lambda f: f.drop(index=[1, 3]),
    "drop_duplicates": lambda f: f.drop_duplicates("k"),
    "drop_duplicates last": lambda f: f.drop_duplicates(["k"], keep="last", ignore_index=True),
    "drop_duplicates none": lambda f: f["k"].drop_duplicates(keep=False),
    "assign": lambda f: f.assign(y=lambda g: g["n"] * 2, z=lambda g: g["y"] + 1),
    "query": lambda f: f.query("n > 1 and k in ['a', 'b'] and not (x < 0)"),
    "query chain": lambda f: f.query("1 < n <= 4 | k == 'c'"),
    "query list": lambda f: f.query("k == ['a', 'c']"),
    "query not in": lambda f: f.query("k not in ['a']"),
    "query method": lambda f: f.query("k.str.startswith('a')"),
    "eval": lambda f: f.eval("n * x - 1"),
    "eval assignment": lambda f: f.eval("total = n + 2 * x"),
    "isin": lambda f: f.isin([1, 2.0])[["n", "x"]],
    "isin of columns": lambda f: f.isin({"n": [1], "k": ["a"]}),
    "between": lambda f: f["n"].between(1, 4, inclusive="left"),
    "replace": lambda f: f["n"].replace([1, 3], [10, 30]),
    "replace one": lambda f: f["k"].replace("a", "z"),
    "replace in a frame": lambda f: f.replace({"a": "z", "b": "y"}),
    "replace by column": lambda f: f.replace({"n": {1: 100}}),
    "map": lambda f: f["k"].map({"a": 1, "b": 2}),
    "map a function": lambda f: f["n"].map(lambda value: value * 10),
    "map a frame": lambda f: f[["n", "x"]].map(lambda value: value + 1),
    "apply to values": lambda f: f["k"].apply(str.upper),
    "apply to columns": lambda f: f[["n", "x"]].apply(lambda column: column.max()),
    "apply to rows": lambda f: f.apply(lambda row: row["k"] + str(row["n"]), axis=1),
    "select_dtypes": lambda f: f.select_dtypes("number"),
    "select_dtypes without": lambda f: f.select_dtypes(exclude=["number"]),
    "nunique": lambda f: f.nunique(),
    "count": lambda f: f.count(),
    "value_counts": lambda f: f["k"].to_frame().value_counts().to_dict() if isinstance(f, cn.DataFrame) else {key[0]: value for key, value in f[["k"]].value_counts().to_dict().items()},
    "cumsum": lambda f: f[["n", "x"]].cumsum(),
    "cummax": lambda f: f["x"].cummax(),
    "diff": lambda f: f[["n"]].diff(),
    "rank": lambda f: f[["n", "x"]].rank(),
    "clip": lambda f: f[["n", "x"]].clip(1, 3),
    "round": lambda f: f.round(1),
    "add_prefix": lambda f: f.add_prefix("old_"),
    "to_dict": lambda f: f["x"].to_dict(),
    "methods of arithmetic": lambda f: f["n"].add(f["x"]).mul(2).sub(1),
    "is_unique": lambda f: [f["n"].is_unique, f["n"].hasnans, f["n"].is_monotonic_increasing, f["n"].sort_values().is_monotonic_increasing],
    "startswith": lambda f: f["k"].str.startswith("a"),
    "groupby": lambda f: f.groupby("k").sum(),
    "groupby without index": lambda f: f.groupby("k", as_index=False).mean(),
    "groupby a column": lambda f: f.groupby("k")["n"].sum(),
    "groupby a column without index": lambda f: f.groupby("k", as_index=False)["n"].max(),
    "groupby columns": lambda f: f.groupby("k")[["x", "n"]].min(),
    "groupby in order of rows": lambda f: f.groupby("k", sort=False)["x"].mean(),
    "groupby agg by name": lambda f: f.groupby("k")["n"].agg("max"),
    "groupby agg by names": lambda f: f.groupby("k")["n"].agg(["min", "max"]),
    "groupby two keys": lambda f: f.groupby(["k", "n"])["x"].count(),
    "groupby size": lambda f: f.groupby("k").size(),
    "groupby size without index": lambda f: f.groupby("k", as_index=False).size(),
    "booleans": lambda f: f[[True, False, True, False, True]],
    "booleans of numpy": lambda f: f[np.array([True, False, True, False, True])],
    "booleans of a column": lambda f: f["n"][[True, False, True, False, True]],
    "booleans in loc": lambda f: f.set_index("k").loc[[True, False, True, False, True], ["n"]],
    "booleans in iloc": lambda f: f.iloc[[False, False, True, False, True]],
    "strings added": lambda f: "<" + f["k"] + "-" + f["k"] + ">",
    "groupby transform": lambda f: f.groupby("k")["n"].transform("sum"),
    "groupby cumsum": lambda f: f.groupby("k")["n"].cumsum(),
    "groupby shift": lambda f: f.groupby("k")[["n"]].shift(),
    "groupby diff": lambda f: f.groupby("k")["x"].diff(),
    "groupby rank": lambda f: f.groupby("k")["n"].rank(),
    "groupby apply": lambda f: f.groupby("k")["n"].apply(lambda values: values.max() - values.min()),
    "groupby of a series": lambda f: f["n"].groupby(f["k"]).sum(),
    "numeric_only": lambda f: f.assign(s="t").groupby("k").sum(numeric_only=True),
    "dropna of columns": lambda f: f.assign(y=f["n"].shift()).dropna(axis=1),
    "dropna": lambda f: f.assign(y=f["n"].shift()).dropna(ignore_index=True)[["k", "n"]],
}


@pytest.mark.parametrize("name", CALLS)
def test_call_gives_what_pandas_gives(device, name):
    ours, theirs = both()
    same(CALLS[name](ours), CALLS[name](theirs))


@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "median", "std", "var", "sem", "skew", "kurt"])
def test_aggregates_of_frames_are_by_label(device, name):
    ours, theirs = both()
    same(getattr(ours[["n", "x"]], name)(), getattr(theirs[["n", "x"]], name)())
    same(getattr(ours, name)(numeric_only=True), getattr(theirs, name)(numeric_only=True))
    same(getattr(ours[["n", "x"]], name)(axis=1), getattr(theirs[["n", "x"]], name)(axis=1))


def test_aggregates_of_frames_keep_the_dtype(device):
    frame = cn.DataFrame({"a": [1, 2], "b": [3, None]})
    assert frame.sum().dtype == "int64" and frame.sum().to_dict() == {"a": 3, "b": 3}
    assert frame.count().to_dict() == {"a": 2, "b": 1} and frame.count(axis=1).to_list() == [2, 1]
    assert frame.sum(axis=1).to_list() == [4, 2] and frame.mean(axis=1).to_list() == [2.0, 2.0]
    flags = cn.DataFrame({"a": [True, False], "b": [False, None]})
    assert flags.any().to_dict() == {"a": True, "b": False} and flags.all(axis=1).to_list() == [False, False]
    assert cn.DataFrame({"a": [None, None]}, columns=["a"]).cast({"a": "float64"}).mean().to_list() == [None]


def test_fillna_and_astype(device):
    frame = cn.DataFrame({"a": [1, None], "s": ["x", None]})
    assert frame.fillna({"a": 0, "s": "?"}).to_dict() == {"a": [1, 0], "s": ["x", "?"]}
    assert frame["a"].fillna(7).to_list() == [1, 7]
    assert frame["a"].fillna(cn.Series([8, 9])).to_list() == [1, 9]
    assert frame.astype({"a": "float32"}).dtypes["a"] == "float32"
    assert frame[["a"]].astype(float).dtypes["a"] == "float64" and frame["a"].astype("int8").dtype == "int8"
    with pytest.raises(OverflowError):
        cn.Series([300]).astype("int8")


def test_drop_of_row_labels_that_are_no_range(device):
    frame = cn.DataFrame({"n": [1, 2, 3]}, index=["x", "y", "z"])
    assert frame.drop(index="y").index.to_list() == ["x", "z"] and frame.drop("n", index=["x", "z"]).shape == (1, 0)
    with pytest.raises(KeyError, match="w"):
        frame.drop(index=["x", "w"])


def test_periods_of_one_unit_need_no_number(device):
    times = cn.Series([dt.datetime(2024, 5, 7, 9, 40)])
    assert times.dt.floor("h").to_list() == times.dt.truncate("1h").to_list() == [dt.datetime(2024, 5, 7, 9)]
    assert times.to_frame("t").select(x=col("t").dt.ceil("D"))["x"].to_list() == [dt.datetime(2024, 5, 8)]
    assert cn.Series([2, 3, None]).prod() == 6 and cn.DataFrame({"a": [2, 3]}).prod().to_list() == [6]


def test_query_reads_variables_and_quoted_labels(device):
    frame = cn.DataFrame({"unit price": [1.0, 2.0, 3.0], "n": [1, 2, None], "s": ["@n", "`n`", "x"]})
    limit, names = 1.5, ["x"]
    assert frame.query("`unit price` > @limit").index.to_list() == [1, 2]
    assert frame.query("s in @names").index.to_list() == [2]
    assert frame.query("s == '@n' or s == \"`n`\"").index.to_list() == [0, 1]
    assert frame.query("n.isnull()").index.to_list() == [2]
    for text, kind in [("n >", ValueError), ("m > 1", KeyError), ("n > @missing", ValueError), ("__import__('os')", ValueError),
                       ("n.__class__", ValueError), ("[n for n in s]", ValueError), ("1 + 1", ValueError), ("n = 1", ValueError)]:
        with pytest.raises(kind) as error:
            frame.query(text)
        assert isinstance(error.value, cn.ColumnadeError), text
    with pytest.raises(TypeError):
        frame.query(3)


def test_map_by_series_and_na_action(device):
    words = cn.Series(["tea", None, "oat"])
    prices = cn.Series([3, 4]).with_index(cn.Index(["rye", "tea"]))
    assert words.map(prices).to_list() == [4, None, None]
    assert words.map(lambda word: f"<{word}>").to_list() == ["<tea>", "<None>", "<oat>"]
    assert words.map(len, na_action="ignore").to_list() == [3, None, 3]
    with pytest.raises(TypeError):
        words.map(3)


def test_to_csv_writes_what_pandas_writes(device, tmp_path):
    ours, theirs = both()
    assert ours.to_csv() == theirs.to_csv()
    assert ours.to_csv(index=False, sep=";", columns=["k", "n"]) == theirs.to_csv(index=False, sep=";", columns=["k", "n"])
    ours.set_index("k").to_csv(tmp_path / "a.csv", header=False)
    theirs.set_index("k").to_csv(tmp_path / "b.csv", header=False)
    assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    ours.set_index("k").to_parquet(tmp_path / "a.parquet")
    assert cn.read_parquet(tmp_path / "a.parquet").columns == ["k", "n", "x"]
    ours.to_feather(tmp_path / "a.feather"), ours.to_json(tmp_path / "a.json")
    assert pd.read_feather(tmp_path / "a.feather").equals(theirs.astype({"k": "str"}))
    assert pd.read_json(tmp_path / "a.json", lines=True)["n"].tolist() == DATA["n"]


def test_functions_of_the_package(device):
    ours, theirs = both()
    assert cn.isna([1, None]).to_list() == [False, True] and cn.notna(cn.Series([None])).to_list() == [False]
    assert cn.merge(ours, ours, on="k", how="semi").shape == (5, 3)
    assert cn.cut(ours["n"], [0, 2, 9]).cat.codes().to_list() == pd.cut(theirs["n"], [0, 2, 9]).cat.codes.tolist()
    assert cn.qcut(ours["n"], 2).cat.codes().to_list() == pd.qcut(theirs["n"], 2).cat.codes.tolist()
    assert cn.get_dummies(ours["k"]).columns == ["b", "a", "c"] or cn.get_dummies(ours["k"]).columns == ["a", "b", "c"]
    assert cn.unique([2, 1, 2]).to_list() == [2, 1]
    assert cn.to_datetime([86400, None], unit="s").to_list() == [dt.datetime(1970, 1, 2), None]
    assert cn.to_datetime([1], unit="D").to_list() == [dt.datetime(1970, 1, 2)]


def test_strings_become_times_and_numbers():
    # On a device, casts of strings are not implemented.
    strings = lambda values: cn.Series(values, device="host")
    assert cn.to_datetime(strings(["2024-02-29 12:00:00"])).to_list() == [dt.datetime(2024, 2, 29, 12)]
    assert cn.to_datetime(strings(["29.02.2024"]), format="%d.%m.%Y").to_list() == [dt.datetime(2024, 2, 29)]
    assert cn.to_datetime(strings(["2024-02-30"]), errors="coerce").to_list() == [None]
    with pytest.raises(ValueError):
        cn.to_datetime(strings(["x"]))
    assert cn.to_numeric(strings(["1", "2"])).dtype == "int64" and cn.to_numeric(strings(["1.5", None])).to_list() == [1.5, None]
    assert cn.to_numeric(strings(["a", "2"]), errors="coerce").to_list() == [None, 2]
    with pytest.raises(ValueError):
        cn.to_numeric(strings(["a"]))


def test_date_ranges(device):
    for start, end, freq in [("2024-01-30", "2024-03-05", "ME"), ("2024-02-28", "2024-03-02", "D"), ("2024-01-01 06:00:00", "2024-01-02", "7h")]:
        assert cn.date_range(start, end, freq=freq).to_list() == pd.date_range(start, end, freq=freq).to_pydatetime().tolist()
    assert cn.date_range(dt.date(2024, 1, 1), periods=3).to_list() == [dt.datetime(2024, 1, day) for day in (1, 2, 3)]
    assert cn.date_range("2024-01-01", periods=2, dtype="date32").to_list() == [dt.date(2024, 1, 1), dt.date(2024, 1, 2)]
    for arguments in ({}, {"end": "2024-01-02", "periods": 2, "freq": "D"}):
        with pytest.raises(ValueError, match="end or periods"):
            cn.date_range("2024-01-01", **arguments)


def test_info_and_markup(capsys):
    frame = cn.DataFrame({"n": [1, None]}, device="host")
    frame.info()
    assert "int64" in capsys.readouterr().out
    assert frame.memory_usage().index.to_list() == ["Index", "n"]
    assert frame.to_markdown().count("\n") == 3 and frame.to_html().startswith("<table")
    assert (frame.first_valid_index(), frame.last_valid_index()) == (0, 0)
    assert cn.DataFrame({"n": [None]}).first_valid_index() is None


def test_columns_of_groups_that_are_not_there(device):
    frame = cn.DataFrame(DATA)
    for choose in ("z", ["n", "z"]):
        with pytest.raises(KeyError, match="z"):
            frame.groupby("k")[choose]
    with pytest.raises(TypeError):
        frame.groupby("n")["k"].mean()
    assert frame.group_by("k").agg(col("n").sum()).columns == ["k", "n"]


def test_names_of_pandas_on_expressions(device):
    frame = cn.DataFrame({"a": [1, None, 3]})
    made = frame.select(
        x=col("a").isin([1]), y=col("a").fillna(0), z=col("a").isna(), w=col("a").astype("float64"), c=col("a").cumsum(), f=col("a").ffill(),
    )
    assert made.to_dict() == {
        "x": [True, False, False], "y": [1, 0, 3], "z": [False, True, False], "w": [1.0, None, 3.0], "c": [1, None, 4], "f": [1, 1, 3],
    }
    assert np.array_equal(frame.fillna(0).values, [[1], [0], [3]])


def test_constructors_take_rows_and_row_labels(device):
    rows = [[1, "x"], (2, None)]
    ours = cn.DataFrame(rows, columns=["n", "s"], index=["a", "b"])
    same(ours, pd.DataFrame(rows, columns=["n", "s"], index=["a", "b"]))
    assert cn.DataFrame([(1, 2.5)]).columns == [0, 1]
    assert cn.Series([1, 2], index=[10, 20]).loc[[20]].to_list() == [2]
    for make in (lambda: cn.DataFrame({"a": [1]}, index=[1, 2]), lambda: cn.Series([1], index=[])):
        with pytest.raises(ValueError):
            make()


def test_booleans_of_another_length_are_refused(device):
    frame = cn.DataFrame(DATA)
    for rows in (frame, frame["n"], frame.loc, frame["n"].loc):
        with pytest.raises(ValueError, match="2 rows"):
            rows[[True, False]]
    assert frame.set_loc([True, False, False, False, True], "n", 0)["n"].to_list() == [0, 1, 4, 1, 0]


def test_null_is_in_values_with_none(device):
    series = cn.Series([1, None, 3])
    assert series.isin([1]).to_list() == [True, False, False] and series.isin([3, None]).to_list() == [False, True, True]
    assert series.isin([]).to_list() == [False] * 3 and series.isin(["a", None]).to_list() == [False, True, False]
    assert series.isin({np.int64(3)}).to_list() == series.isin(cn.Series([3])).to_list() == [False, False, True]
    times = cn.Series([dt.datetime(2024, 1, 1), None], dtype="timestamp[ns]")
    assert times.isin([dt.datetime(2024, 1, 1)]).to_list() == [True, False]
    with pytest.raises(TypeError, match="not one str"):
        cn.Series(["a"]).isin("a")


def test_strings_are_joined(device):
    frame = cn.DataFrame({"a": ["x", None], "b": ["é", "z"]})
    made = frame.select(x="<" + col("a") + ">", y=col("a").str.concat(col("b"), "!", separator="-"))
    assert made.to_dict() == {"x": ["<x>", None], "y": ["x-é-!", None]}
    assert frame["b"].str.concat(frame["a"], "!", separator="-").to_list() == ["é-x-!", None]
    with pytest.raises(ValueError, match="utf8"):
        frame["a"] + 1


def test_frames_of_pandas_without_columns_keep_their_rows(device):
    made = cn.from_pandas(pd.DataFrame(index=["x", "y"]))
    assert made.shape == (2, 0) and made.index.to_list() == ["x", "y"]
    assert list(cn.DataFrame({None: [1], 3: [2]}, device="host").to_pandas().columns) == [None, 3]


def test_values_that_are_no_sequence_are_refused():
    with pytest.raises(ValueError, match="give index") as error:
        cn.DataFrame({"a": 1})
    assert error.value.operation == "DataFrame" and error.value.column == "a"
