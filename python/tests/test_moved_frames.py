"""Methods in Python of frames that are not on the default device."""

import columnade as cn
import numpy as np
import pytest

DATA = {"k": ["b", "a", None, "b"], "n": [3, 1, None, 4], "x": [0.5, -1.5, 2.0, 7.25]}
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
    "to_csv": lambda f: f.to_csv(index=False),
    "top_k": lambda f: f.top_k(2, by="x"),
    "with_row_index": lambda f: f.with_row_index(),
    "is_between": lambda f: f.select(cn.col("x").is_between(0, 3)),
    "to_datetime": lambda f: cn.to_datetime(f[["n"]].assign(year=2024, month=1, day=2, hour=3)[["year", "month", "day", "hour"]]),
}


# Series under the labels of columns are made of values, on the default device.
BY_COLUMN = ("nunique",)


def plain(made):
    if isinstance(made, (cn.DataFrame, cn.Series)):
        frame = made.to_frame("it") if isinstance(made, cn.Series) else made
        return made.index.to_list(), frame.columns, [frame[label].to_list() for label in frame.columns]
    return made


@pytest.mark.skipif("sim" not in cn.available_devices(), reason="the build has no simulator")
@pytest.mark.parametrize("name", CALLS)
def test_results_are_where_the_frame_is(name):
    call, here = CALLS[name], cn.DataFrame(DATA, device="host")
    made = call(here.to_device("sim"))
    if isinstance(made, (cn.DataFrame, cn.Series)) and name not in BY_COLUMN:
        assert made.device == "sim"
    assert plain(made) == plain(call(here))
