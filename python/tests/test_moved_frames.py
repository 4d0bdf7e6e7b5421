"""Methods in Python of frames that are not on the default device."""

import datetime

import columnade as cn
import numpy as np
import pytest

DATA = {"k": ["b", "a", None, "b"], "n": [3, 1, None, 4], "x": [0.5, -1.5, 2.0, 7.25], "l": [[3, 1], [2], None, [5, 6, 7]]}
TIMES = [datetime.datetime(2024, 1, day) for day in (1, 2, 3, 4)]
CALLS = {
    "nunique": lambda f: f.nunique(dropna=False),
    "rename": lambda f: f.rename(index={0: 10}),
    "reindex": lambda f: f.reindex(columns=["n", "z"], fill_value=1),
    "dot": lambda f: f[["n", "x"]].dot([1.0, None]),
    "combine": lambda f: f["x"].combine(2, max),
    "combine series": lambda f: f["x"].combine(f["x"], min),
    "transform": lambda f: f.groupby("k")["x"].transform(lambda values: values.max()),
    "compare": lambda f: f["x"].compare(f["x"] + 1, align_axis=0),
    "sort": lambda f: f.sort_values("x", key=abs, na_position="first"),
    "sort_index": lambda f: f.sort_index(ascending=False),
    "merge": lambda f: f.merge(f[["x"]], left_index=True, right_index=True),
    "fillna": lambda f: f["n"].fillna(0, limit=1),
    "replace": lambda f: f.replace({3: 5}),
    "shift": lambda f: f[["n", "x"]].shift(periods=1),
    "interpolate": lambda f: f["n"].interpolate(limit_direction="both"),
    "isin": lambda f: f["n"].isin([1, 4]),
    "isin of text": lambda f: f["k"].is_in(["b", None]),
    "isin of numpy": lambda f: f["n"].isin(np.array([1, 4])),
    "frame isin": lambda f: f.isin([1, "b"]),
    "searchsorted": lambda f: f["x"].sort_values().searchsorted([0.5, 9.0]),
    "nth": lambda f: f.groupby("k").nth([0, -1]),
    "factorize": lambda f: f["k"].factorize(use_na_sentinel=False)[0],
    "str.cat": lambda f: f["k"].str.cat(["x", "y", "z", None]),
    "asof": lambda f: f["x"].asof([1, 2]),
    "describe": lambda f: f.describe(include="number"),
    "pivot_table": lambda f: f.pivot_table(index="k", values="x", aggfunc=["sum", "max"]),
    "crosstab": lambda f: cn.crosstab(f["k"], f["n"], margins=True),
    "ngroup": lambda f: f.groupby("k").ngroup(ascending=False),
    "contains": lambda f: f["k"].str.contains("[ab]", na=False),
    "zfill": lambda f: f["k"].str.zfill(3),
    "to_dict": lambda f: f.to_dict("records"),
    "to_csv": lambda f: f.drop(columns="l").to_csv(index=False),
    "top_k": lambda f: f.top_k(2, by="x"),
    "with_row_index": lambda f: f.with_row_index(),
    "is_between": lambda f: f.select(cn.col("x").is_between(0, 3)),
    "to_datetime": lambda f: cn.to_datetime(f[["n"]].assign(year=2024, month=1, day=2, hour=3)[["year", "month", "day", "hour"]]),
    "list.gather": lambda f: f["l"].list.gather([[0], [0], [0], [1]]),
    "list.take": lambda f: f["l"].list.take([0]),
    "list.contains": lambda f: f["l"].list.contains(3),
    "sample": lambda f: f.sample(n=2, weights=[1, 0, 1, 0], random_state=1),
    "insert": lambda f: f.insert(1, "z", [1, 2, 3, 4]),
    "assign": lambda f: f.assign(z=[1, 2, 3, 4]),
    "set_categories": lambda f: f["k"].cat.encode().cat.set_categories(["b", "a", "c"]),
    "add_categories": lambda f: f["k"].cat.encode().cat.add_categories(["q"]),
    "rename_categories": lambda f: f["k"].cat.encode().cat.rename_categories({"a": "q"}),
    "remove_categories": lambda f: f["k"].cat.encode().cat.remove_categories(["a"]),
    "cut": lambda f: cn.cut(f["x"], [-2, 0, 10], labels=["low", "high"]),
    "frame isin by column": lambda f: f.isin({"n": [1]}),
    "fillna of a dictionary": lambda f: f["n"].fillna({2: 9}),
    "fillna by column": lambda f: f[["n", "x"]].fillna({"n": 9}),
    "fillna of a series": lambda f: f["n"].fillna(cn.Series([7, 7, 7, 7])),
    "fillna by labels of columns": lambda f: f[["n", "x"]].fillna(cn.Series([9, 8], index=["n", "x"])),
    "fillna of a frame": lambda f: f[["n"]].fillna(cn.DataFrame({"n": [7, 7, 7, 7]})),
    "map of a dictionary": lambda f: f["n"].map({3: 1, 1: 2}),
    "map of a series": lambda f: f["n"].map(cn.Series(["u", "v"], index=[1, 3])),
    "map of a function": lambda f: f["x"].map(lambda value: value + 1),
    "frame map": lambda f: f[["x"]].map(lambda value: value + 1),
    "where": lambda f: f["n"].where([True, False, True, False], [9, 9, 9, 9]),
    "case_when": lambda f: f["n"].case_when([([True, False, False, True], 9), ([False, True, False, False], [5, 6, 7, 8])]),
    "rows of booleans": lambda f: f[[True, False, True, False]],
    "loc": lambda f: f.loc[[0, 2], ["n"]],
    "iloc": lambda f: f.iloc[[0, 2]],
    "set_loc": lambda f: f.set_loc([0, 1], "n", [7, 8]),
    "set_index": lambda f: f.set_index([[1, 2, 3, 4]]),
    "replace lists": lambda f: f["n"].replace([3, 1], [5, 6]),
    "replace null": lambda f: f["k"].replace({None: "q", "b": "a"}),
    "numpy added": lambda f: f["x"] + np.array([1, 2, 3, 4]),
    "series dot": lambda f: f["x"].dot([1, 2, 3, 4]),
    "repeat": lambda f: f.repeat([1, 2, 0, 1]),
    "groupby of a list": lambda f: f.groupby([1, 1, 2, 2])["x"].sum(),
    "groupby of a dictionary": lambda f: f.groupby({0: 1, 1: 1, 2: 2, 3: 2})["x"].sum(),
    "groups agg": lambda f: f.groupby("k")[["n", "x"]].agg([lambda values: values.max(), "min"]),
    "groups apply": lambda f: f.groupby("k")["x"].apply(lambda values: values.max()),
    "groups filter": lambda f: f.groupby("k")["x"].filter(lambda values: values.max() > 0),
    "groups take": lambda f: f.groupby("k").take([0]),
    "bins apply": lambda f: f.set_index(cn.Index(TIMES)).resample("2D")["x"].apply(lambda values: values.sum()),
    "windows agg": lambda f: f[["n", "x"]].rolling(2).agg(["min", "max"]),
    "interpolate index": lambda f: f["x"].interpolate(method="index"),
    "idxmax of rows": lambda f: f[["n", "x"]].idxmax(axis=1),
    "levels as columns": lambda f: f.groupby("k").agg(["min"])[["n", "x"]].reset_index(),
}


# Series under the labels of columns are made of values, on the default device.
BY_COLUMN = ("nunique",)


def plain(made):
    if isinstance(made, (cn.DataFrame, cn.Series)):
        frame = made.to_frame("it") if isinstance(made, cn.Series) else made
        return made.index.to_list(), frame.columns, [frame[label].to_list() for label in frame.columns]
    return made.tolist() if hasattr(made, "tolist") else made


@pytest.mark.skipif("sim" not in cn.available_devices(), reason="the build has no simulator")
@pytest.mark.parametrize("name", CALLS)
def test_results_are_where_the_frame_is(name):
    call, here = CALLS[name], cn.DataFrame(DATA, device="host")
    made = call(here.to_device("sim"))
    if isinstance(made, (cn.DataFrame, cn.Series)) and name not in BY_COLUMN:
        assert made.device == "sim"
    assert plain(made) == plain(call(here))
