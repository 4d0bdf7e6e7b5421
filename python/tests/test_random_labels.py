"""Random frames with row labels, shapes, bins of time and files, against pandas and Polars. See `random_frames`."""

import copy
import datetime as dt
import operator
import pickle

import columnade as cn
import numpy as np
import pandas as pd
import polars as pl
import pytest
from random_frames import (
    DTYPES, INTS, ROUNDS, SEED, Values, both, check, check_labelled, ours_of, pandas_of, plain, polars_of, without_nan,
)

OPERATIONS = {}
KINDS = ["range", "int", "str", "repeated", "time"]


def operation(function):
    OPERATIONS[function.__name__] = function
    return function


def labelled(make, dtypes, kind, rows):
    """The same frame here and of pandas, with row labels of a kind."""
    # pandas makes NaN null in columns of Arrow's dtypes.
    choose, columns = make.random, make.columns(dtypes, rows, special=False)
    ours, theirs = ours_of(columns), pandas_of(columns)
    if kind == "range":
        return ours, theirs
    if kind == "int":
        labels, dtype, other = choose.sample(range(-3 * rows - 5, 3 * rows + 5), rows), "int64", "int64"
    elif kind == "time":
        hours = sorted(choose.sample(range(4 * rows + 4), rows))
        labels = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=hour) for hour in hours]
        dtype, other = "timestamp[us]", "datetime64[us]"
    else:
        labels = [f"é{number}" for number in choose.sample(range(5 * rows + 1), rows)] if kind == "str" else [choose.choice("abcd") for _ in range(rows)]
        dtype, other = "utf8", "object"
    theirs.index = pd.Index(labels, dtype=other)
    return ours.with_index(cn.Index(cn.Series(labels, dtype=dtype))), theirs


MISSING = {"range": -5, "int": 10**6, "str": "zz", "repeated": "z", "time": dt.datetime(2030, 1, 1)}


@operation
def positions(make):
    choose, rows = make.random, make.size()
    ours, theirs = labelled(make, {"a": "int64", "s": "utf8", "f": "float64"}, choose.choice(KINDS), rows)

    def end():
        return choose.choice([None, choose.randint(-rows - 2, rows + 2)])

    for _ in range(4):
        part = slice(end(), end(), choose.choice([None, 1, 2, -1, -3]))
        both(lambda: ours.iloc[part], lambda: theirs.iloc[part], f"iloc[{part}] of {rows}")
        both(lambda: ours[part], lambda: theirs[part], f"[{part}] of {rows}")
        both(lambda: ours["a"].iloc[part], lambda: theirs["a"].iloc[part], f"iloc[{part}] of a series of {rows}")
    chosen = [choose.randint(-rows - (choose.random() < 0.1), rows - 1) if rows else 0 for _ in range(choose.randint(0, 5))]
    both(lambda: ours.iloc[chosen], lambda: theirs.iloc[chosen], f"iloc[{chosen}] of {rows}")
    both(lambda: ours.take(chosen), lambda: theirs.take(chosen), f"take {chosen} of {rows}")
    both(lambda: ours.iloc[chosen, [1, 0]], lambda: theirs.iloc[chosen, [1, 0]], f"iloc[{chosen}, [1, 0]]")
    both(lambda: ours.iloc[:, 1:], lambda: theirs.iloc[:, 1:], "iloc[:, 1:]")
    row = choose.randint(-rows - 1, rows)
    both(lambda: ours.iat[row, 0], lambda: theirs.iat[row, 0], f"iat[{row}, 0] of {rows}")
    count = choose.randint(0, rows + 2)
    both(lambda: ours.head(count), lambda: theirs.head(count), f"head {count}")
    both(lambda: ours.tail(count), lambda: theirs.tail(count), f"tail {count}")


@operation
def labels(make):
    choose, rows, kind = make.random, make.size(), make.random.choice(KINDS)
    ours, theirs = labelled(make, {"a": "int64", "s": "utf8"}, kind, rows)
    known = plain(theirs.index)

    def label():
        return choose.choice(known) if known and choose.random() < 0.9 else MISSING[kind]

    if kind != "repeated":
        for _ in range(3):
            part = slice(choose.choice([None, label()]), choose.choice([None, label()]))
            both(lambda: ours.loc[part], lambda: theirs.loc[part], f"loc[{part}] of {kind}")
            both(lambda: ours["s"].loc[part], lambda: theirs["s"].loc[part], f"loc[{part}] of a series of {kind}")
        one = label()
        both(lambda: ours.at[one, "a"], lambda: theirs.at[one, "a"], f"at[{one}] of {kind}")
    chosen = [label() for _ in range(choose.randint(0, 4))]
    both(lambda: ours.loc[chosen], lambda: theirs.loc[chosen], f"loc[{chosen}] of {kind}")
    both(lambda: ours.loc[chosen, ["s"]], lambda: theirs.loc[chosen, ["s"]], f"loc[{chosen}, ['s']] of {kind}")
    if chosen:
        both(lambda: ours.drop(index=chosen), lambda: theirs.drop(index=chosen), f"drop {chosen} of {kind}")
    mask = [choose.random() < 0.5 for _ in range(rows)]
    both(lambda: ours.loc[cn.Series(mask, dtype="bool").with_index(ours.index)], lambda: theirs.loc[mask], "loc of a mask")
    both(lambda: ours.sort_index(), lambda: theirs.sort_index(kind="stable"), f"sort_index of {kind}")


@operation
def new_values(make):
    choose, kind = make.random, make.random.choice(KINDS)
    rows = make.size() or 1
    ours, theirs = labelled(make, {"a": "int64", "s": "utf8"}, kind, rows)
    chosen = list(dict.fromkeys(choose.randrange(rows) for _ in range(choose.randint(0, 4))))

    def changed(change):
        frame = theirs.copy()
        change(frame)
        return frame

    def set_one(frame):
        frame.iloc[chosen, 0] = 7

    def set_each(frame):
        frame.iloc[chosen, 0] = pd.array(range(len(chosen)), dtype="int64[pyarrow]")

    def set_labels(frame):
        frame.loc[[theirs.index[row] for row in chosen], "s"] = "new"

    def set_mask(frame):
        frame.loc[mask, "a"] = None

    both(lambda: ours.set_iloc(chosen, "a", 7), lambda: changed(set_one), f"set_iloc {chosen}")
    if chosen:
        both(lambda: ours.set_iloc(chosen, "a", list(range(len(chosen)))), lambda: changed(set_each), f"set_iloc of values {chosen}")
    if kind != "repeated":
        names = plain(theirs.index[chosen])
        both(lambda: ours.set_loc(names, "s", "new"), lambda: changed(set_labels), f"set_loc {names}")
    mask = [choose.random() < 0.5 for _ in range(rows)]
    both(lambda: ours.set_loc(cn.Series(mask, dtype="bool").with_index(ours.index), "a", None), lambda: changed(set_mask), "set_loc of a mask")


@operation
def alignment(make):
    kind = make.random.choice(["range", "int", "str", "time"])
    ours, theirs = labelled(make, {"a": "float64", "b": "float64"}, kind, make.size(10))
    # An empty frame leaves labels unsorted in pandas' combine_first.
    ours2, theirs2 = labelled(make, {"b": "float64", "c": "float64"}, kind, make.size(10) or 1)
    for name in ("add", "sub", "mul", "truediv"):
        compute = getattr(operator, name)
        both(lambda: compute(ours["a"], ours2["b"]), lambda: compute(theirs["a"], theirs2["b"]), f"{name} of series, {kind}")
        both(lambda: compute(ours, ours2), lambda: compute(theirs, theirs2), f"{name} of frames, {kind}")
    both(lambda: ours.combine_first(ours2), lambda: theirs.combine_first(theirs2), f"combine_first, {kind}")
    both(lambda: ours.reindex(ours2.index), lambda: theirs.reindex(theirs2.index), f"reindex, {kind}")
    for how in ("inner", "outer", "left", "right"):
        both(lambda: ours.align(ours2, how)[0], lambda: theirs.align(theirs2, how)[0], f"align {how}, {kind}")
        both(lambda: ours.align(ours2, how)[1], lambda: theirs.align(theirs2, how)[1], f"align {how}, {kind}")
        both(lambda: ours[["a"]].join(ours2[["c"]], how=how), lambda: theirs[["a"]].join(theirs2[["c"]], how=how), f"join {how}, {kind}")
    both(lambda: cn.concat([ours, ours2]), lambda: pd.concat([theirs, theirs2]), f"concat, {kind}")
    both(lambda: cn.concat([ours, ours2], join="inner", ignore_index=True), lambda: pd.concat([theirs, theirs2], join="inner", ignore_index=True), "concat inner")


@operation
def conditions(make):
    ours, theirs = labelled(make, {"a": "int64", "b": "int64"}, make.random.choice(["range", "int", "str"]), make.size())
    greater = theirs > 3
    both(lambda: ours.where(ours > 3), lambda: theirs.where(greater), "where")
    both(lambda: ours.mask(ours > 3, 0), lambda: theirs.mask(greater, 0), "mask")
    both(lambda: ours["a"].where(ours["b"] > 3, -1), lambda: theirs["a"].where(greater["b"], -1), "where of a series")
    both(lambda: ours.clip(-5, 5), lambda: theirs.clip(-5, 5), "clip")
    both(lambda: ours.dropna(), lambda: theirs.dropna(), "dropna")
    both(lambda: ours.fillna(3), lambda: theirs.fillna(3), "fillna")
    both(lambda: ours["a"].replace({1: 100, 2: 200}), lambda: theirs["a"].replace({1: 100, 2: 200}), "replace")
    both(lambda: ours.query("a > 3 and b != 0"), lambda: theirs[(greater["a"] & (theirs["b"] != 0)).fillna(False)], "query")


@operation
def shapes(make):
    choose, rows = make.random, make.size(12) or 1
    columns = {
        "a": ([choose.choice("abc") for _ in range(rows)], "utf8"), "b": ([choose.randint(0, 3) for _ in range(rows)], "int64"),
        "v": (make.of("float64", rows, special=False), "float64"),
    }
    ours, theirs = ours_of(columns), pd.DataFrame({label: values for label, (values, _) in columns.items()}).astype({"v": "float64"})
    melted = theirs.melt("a", ["b", "v"])
    made = ours.melt("a", ["b", "v"])
    assert made.columns == list(melted.columns)
    check(made["a"], melted["a"], "melt")
    check(without_nan(made["value"]), without_nan(melted["value"]), "melt")
    for name in ("sum", "mean", "count", "max"):
        expected = theirs.pivot_table("v", "a", "b", aggfunc=name)
        if len(expected):
            made = ours.pivot_table("v", "a", "b", aggfunc=name)
            for label in expected.columns:
                mine = made[label if label in made.columns else str(label)].loc[list(expected.index)]
                check(without_nan(mine), without_nan(expected[label]), f"pivot_table {name}", rel=1e-7)
    pd.testing.assert_frame_equal(cn.crosstab(ours["a"], ours["b"]).to_pandas(), pd.crosstab(theirs["a"], theirs["b"]), check_index_type=False)
    made = ours.unique(["a", "b"]).set_index(["a", "b"])["v"].unstack()
    expected = theirs.drop_duplicates(["a", "b"]).set_index(["a", "b"])["v"].unstack()
    assert [str(label) for label in made.columns] == [str(label) for label in expected.columns]
    check(made.index.to_list(), expected.index.tolist(), "labels of unstack")
    for at, label in enumerate(made.columns):
        check(without_nan(made[label]), without_nan(expected.iloc[:, at]), "unstack")
    check(without_nan(ours[["b", "v"]].stack()), without_nan(theirs[["b", "v"]].stack()), "stack")
    made, expected = ours.get_dummies(["a"]), pd.get_dummies(theirs, columns=["a"])
    assert sorted(made.columns) == sorted(expected.columns)
    for label in made.columns:
        check(without_nan(made[label]), without_nan(expected[label]), "get_dummies")


@operation
def summaries(make):
    rows, kind = make.size(), make.random.choice(["range", "int", "str"])
    ours, theirs = labelled(make, {"a": "int16", "b": "int32"}, kind, rows)
    floats = theirs.astype("float64")
    if any(column.count() < 2 for _, column in floats.items()):
        return
    for label in "ab":
        check(without_nan(ours.describe()[label]), floats.describe()[label].tolist(), "describe", rel=1e-7)
        check(without_nan(ours.quantile([0.1, 0.5])[label]), floats.quantile([0.1, 0.5])[label].tolist(), "quantile", rel=1e-7)
        check(without_nan(ours.corr()[label]), without_nan(floats.corr()[label]), "corr", rel=1e-6, absolute=1e-9)
        check([ours[label].idxmax(), ours[label].idxmin()], [theirs[label].idxmax(), theirs[label].idxmin()], "idxmax")
    for name in ("sum", "mean", "median", "std", "min", "max", "count", "nunique"):
        check(without_nan(getattr(ours, name)()), without_nan(getattr(floats, name)()), f"{name} of a frame", rel=1e-7)
    edges = sorted({make.random.randint(-60, 60) for _ in range(4)})
    if len(edges) > 1:
        expected = pd.cut(floats["a"], edges).cat.codes.tolist()
        check(ours["a"].cut(edges).cat.codes(), [None if code < 0 else code for code in expected], f"cut {edges}")


@operation
def bins_of_time(make):
    choose, rows = make.random, make.size() or 1
    start = dt.datetime(2024, choose.randint(1, 12), choose.randint(1, 28), choose.randint(0, 23), choose.randint(0, 59))
    days = choose.choice([1, 40])
    times = sorted(start + dt.timedelta(minutes=choose.randint(0, 60 * 24 * days)) for _ in range(rows))
    columns = {"t": (times, "timestamp[us]"), "v": (make.of("float64", rows, special=False), "float64")}
    ours, theirs = ours_of(columns), pd.DataFrame({"t": pd.Series(times, dtype="datetime64[us]"), "v": pd.Series(columns["v"][0], dtype="float64")})
    rule = choose.choice(["1h", "6h", "1D", "7D", "1ME", "1W", "QE", "MS", "90min", "W-WED"])
    options = {name: choose.choice(["left", "right"]) for name in ("closed", "label") if choose.random() < 0.5}
    for name in ("sum", "mean", "count", "min", "max", "first", "last", "std", "median", "nunique"):
        made = getattr(ours.resample(rule, on="t", **options)["v"], name)()
        expected = getattr(theirs.resample(rule, on="t", **options)["v"], name)()
        what = f"resample {rule} {options} {name}"
        check(without_nan(made), without_nan(expected), what, rel=1e-6, absolute=1e-9)
        check(made.index.to_list(), plain(expected.index), f"labels of {what}")
    check(ours.resample(rule, on="t", **options).size(), theirs.resample(rule, on="t", **options).size(), "size")
    window, closed = choose.choice(["1h", "90min", "1D"]), choose.choice(["right", "left", "both", "neither"])
    for name in ("sum", "mean", "count", "max"):
        made = getattr(ours.set_index("t")["v"].rolling(window, closed=closed), name)()
        expected = getattr(theirs.set_index("t")["v"].rolling(window, closed=closed), name)()
        check(without_nan(made), without_nan(expected), f"rolling {window} {closed} {name}", rel=1e-6, absolute=1e-6)


@operation
def files(make, folder):
    rows = make.size() or 1
    dtypes = {"i": make.random.choice(INTS), "f": "float64", "s": "utf8", "b": "bool", "d": "date32", "t": "timestamp[us]"}
    columns = make.columns(dtypes, rows, special=False)
    ours, polars = ours_of(columns), polars_of(columns)
    pandas, expected = polars.to_pandas(use_pyarrow_extension_array=True), {label: values for label, (values, _) in columns.items()}
    # pandas writes a null and an empty string alike in CSV.
    blank = {**expected, "s": [value or None for value in expected["s"]]}
    path = folder / "rows"
    pandas.to_parquet(path)
    check(cn.read_parquet(path), expected, "Parquet of pandas")
    pandas.to_feather(path)
    check(cn.read_ipc(path), expected, "Feather of pandas")
    pandas.to_json(path, orient="records", lines=True, date_format="iso", date_unit="us")
    # pandas writes dates as timestamps.
    read = cn.read_json(path, dtypes={**dtypes, "d": "timestamp[us]"})
    check(read.cast({"d": "date32"}), expected, "JSON of pandas")
    pandas.to_csv(path, index=False)
    read = cn.read_csv(path, dtypes=dtypes).to_dict()
    check({**read, "s": [value or None for value in read["s"]]}, blank, "CSV of pandas")
    ours.write_parquet(path)
    check(pl.read_parquet(path).to_dict(as_series=False), expected, "Parquet in Polars")
    check(cn.read_parquet(path), expected, "Parquet")
    ours.write_ipc(path)
    check(pl.read_ipc(path).to_dict(as_series=False), expected, "IPC in Polars")
    check(cn.read_ipc(path), expected, "IPC")
    ours.write_csv(path)
    read = pl.read_csv(path, schema=polars.schema).to_dict(as_series=False)
    check({**read, "s": [value or None for value in read["s"]]}, blank, "CSV in Polars")
    read = cn.read_csv(path, dtypes=dtypes).to_dict()
    check({**read, "s": [value or None for value in read["s"]]}, blank, "CSV")
    ours.write_json(path)
    check(cn.read_json(path, dtypes=dtypes), expected, "JSON")
    read = pd.read_json(path, lines=True, dtype=False)
    check([None if value is None or value != value else value for value in read["s"].tolist()], expected["s"], "JSON in pandas")


@operation
def exchange(make):
    dtypes = {label: make.random.choice(list(DTYPES)) for label in "abcd"}
    columns = make.columns(dtypes, make.size())
    ours, polars, expected = ours_of(columns), polars_of(columns), {label: values for label, (values, _) in columns.items()}
    start = make.random.randint(0, len(ours))
    check(cn.DataFrame(polars), expected, f"from Polars {dtypes}")
    check(pl.DataFrame(ours[start:]).to_dict(as_series=False), polars[start:].to_dict(as_series=False), f"to Polars {dtypes}")
    check(cn.from_arrow(ours.to_arrow()), expected, f"through pyarrow {dtypes}")
    check(cn.from_pandas(polars.to_pandas(use_pyarrow_extension_array=True)), expected, f"from pandas on Arrow {dtypes}")
    check(cn.from_pandas(ours.to_pandas(arrow=True)), expected, f"through pandas on Arrow {dtypes}")
    back = cn.from_pandas(ours.to_pandas())
    for label, dtype in dtypes.items():
        if (dtype in INTS or "float" in dtype) and None in expected[label]:
            check(without_nan(back[label]), without_nan(expected[label]), f"through pandas {dtype}", rel=1e-6)
        elif dtype != "date32":
            check(back[label], expected[label], f"through pandas {dtype}")


@operation
def copies(make):
    kind = make.random.choice(KINDS)
    ours, theirs = labelled(make, {"a": "int64", "s": "utf8", "t": "timestamp[us]"}, kind, make.size())
    for made in (pickle.loads(pickle.dumps(ours)), pickle.loads(pickle.dumps(ours, protocol=5)), copy.copy(ours), copy.deepcopy(ours), ours.copy()):
        assert made.equals(ours) and made.index.equals(ours.index), f"copy of {kind}"
        check_labelled(made, theirs, f"copy of {kind}")
    series = ours["s"]
    for made in (pickle.loads(pickle.dumps(series)), copy.copy(series), copy.deepcopy(series)):
        assert made.equals(series) and made.index.equals(series.index) and made.name == "s"
    for made in (pickle.loads(pickle.dumps(ours.index)), copy.copy(ours.index), copy.deepcopy(ours.index)):
        assert made.equals(ours.index)
    check_labelled(cn.from_pandas(theirs), theirs, f"from pandas {kind}")
    check_labelled(cn.from_pandas(ours.to_pandas(arrow=True)), theirs, f"through pandas {kind}")
    assert np.array_equal(np.asarray(ours["a"].fill_null(0)), [0 if value is None else value for value in ours["a"].to_list()])


@pytest.mark.parametrize("name", OPERATIONS)
def test_random_labels(name, tmp_path):
    for seed in range(SEED, SEED + ROUNDS):
        try:
            OPERATIONS[name](Values(f"{name}{seed}"), *([tmp_path] if name == "files" else []))
        except Exception as error:
            error.add_note(f"seed {seed} of {name}") if hasattr(error, "add_note") else None
            raise
