"""Arguments of pandas for methods that change the shape of frames: the same calls on both."""

import inspect

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import both, ours, same

TEXTS = pd.DataFrame({"a": ["x", "y", None], "b": ["u", "u", "v"], "n": [1, 2, 3]}, index=["r", "s", "t"])
DUMMIES = pd.DataFrame({"a_x": [1, 0, 0], "a_y": [0, 1, 0], "b_u": [1, 1, 0], "b_v": [0, 0, 1]}, index=["r", "s", "t"])
NUMBERS = pd.DataFrame({"a": [1.234, 5.678, 9.1], "b": [-1.25, None, 3.75]}, index=["r", "s", "t"])
BY_ROW = pd.Series([9.0, 6.0, 2.0], index=["t", "s", "r"])
BY_COLUMN = pd.Series([2.0, 1.0], index=["a", "b"])
LEVELS = pd.DataFrame({"v": [1, 2, 3, 4], "w": [5, 6, 7, 8]}, index=pd.MultiIndex.from_product([["a", "b"], ["p", "q"]], names=["k", "n"]))
ONE = pd.DataFrame({"v": [1, 2], "w": [3, 4]}, index=pd.Index(["r", "s"], name="k"))
TWO = pd.DataFrame(
    [[1, 2, 3], [4, 5, 6]], columns=pd.MultiIndex.from_tuples([("p", "x"), ("p", "y"), ("q", "x")], names=["of", "part"]),
)
LISTS = pd.DataFrame({"k": ["a", "b", "c"], "l": [[1, 2], [3], None]}, index=["r", "s", "t"])
FRAMES = {"f": TEXTS, "d": DUMMIES, "g": NUMBERS, "r": BY_ROW, "c": BY_COLUMN, "m": LEVELS, "o": ONE, "t": TWO, "l": LISTS}
CALLS = {
    "get_dummies": lambda m, f: m.get_dummies(f),
    "prefix": lambda m, f: m.get_dummies(f, prefix="P"),
    "prefix of each": lambda m, f: m.get_dummies(f, prefix=["A", "B"]),
    "prefix by label": lambda m, f: m.get_dummies(f, prefix={"a": "A", "b": "B"}),
    "prefix_sep": lambda m, f: m.get_dummies(f, prefix_sep=[".", "-"]),
    "dtype": lambda m, f: m.get_dummies(f, dtype="int8"),
    "dtype of Python": lambda m, f: m.get_dummies(f, dtype=float),
    "dummy_na": lambda m, f: m.get_dummies(f, dummy_na=True),
    "drop_first": lambda m, f: m.get_dummies(f, drop_first=True),
    "columns": lambda m, f: m.get_dummies(f, columns=["n"], prefix="N"),
    "from_dummies with a default": lambda m, d: m.from_dummies(d, sep="_", default_category="z"),
    "from_dummies with defaults": lambda m, d: m.from_dummies(d, sep="_", default_category={"a": "q", "b": "r"}),
    "from_dummies without sep": lambda m, d: m.from_dummies(d[["a_x", "a_y"]], default_category="k"),
    "clip by row": lambda m, g, r: g.clip(r, axis=0),
    "clip by row from above": lambda m, g, r: g.clip(upper=r, axis="index"),
    "clip by row and a value": lambda m, g, r: g.clip(r, 9, axis=0),
    "clip by column": lambda m, g, c: g.clip(lower=c, axis=1),
    "clip by column from above": lambda m, g, c: g.clip(upper=c, axis="columns"),
    "clip by a frame": lambda m, g: g.clip(g - 1, g - 0.5),
    "clip by a list": lambda m, g: g.clip([2.0, 1.0], axis=1),
    "clip by an array": lambda m, g: g.clip(upper=np.array([1.0, 2.0, 3.0]), axis=0),
    "round by column": lambda m, g: g.round({"a": 1}),
    "round by column to less": lambda m, g: g.round({"a": 0, "z": 2}),
    "round by a series": lambda m, g, c: g.round(c.astype("int64")),
    "shift of columns": lambda m, g: g.shift(1, axis=1),
    "shift of columns back": lambda m, g: g.shift(-1, axis="columns", fill_value=0.0),
    "shift of three columns": lambda m, g: g.assign(c=g["a"] * 2).shift(1, axis=1),
    "diff of three columns": lambda m, g: g.assign(c=g["a"] * 2).diff(2, axis=1),
    "shift beyond": lambda m, g: g.shift(5, axis=1),
    "diff of columns": lambda m, g: g.diff(axis=1),
    "suffix of rows": lambda m, g: g.add_suffix("_q", axis=0),
    "prefix of columns": lambda m, g: g.add_prefix("p_", axis=1),
    "unstack of one level": lambda m, o: o.unstack(),
    "unstack of columns with levels": lambda m, t: t.unstack(),
    "explode": lambda m, l: l.explode("l", ignore_index=True),
    "transpose": lambda m, o: o[["v"]].transpose(),
    "stack": lambda m, o: o.stack(),
    "stack of the last level": lambda m, t: t.stack(),
    "stack of a level": lambda m, t: t.stack("of"),
    "stack of all levels": lambda m, t: t.stack(["of", "part"]),
    "stack by position": lambda m, t: t.stack(0),
    "transpose of levels of columns": lambda m, t: t.T,
    "melt": lambda m, f: f.melt(id_vars="n", ignore_index=False),
    "melt of a level": lambda m, t: t.melt(col_level=0),
    "melt of a level by name": lambda m, t: t.melt(col_level="part", value_vars=["y"]),
    "melt of a level with names": lambda m, t: t.melt(col_level="part", id_vars=["y"], var_name="q", value_name="z"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("rows", [None, 0])
def test_shapes(name, rows):
    needs = [one for one in inspect.signature(CALLS[name]).parameters if one != "m"]
    if rows == 0 and ("array" in name or "dummies" in name or "l" in needs or "col_level" in name):
        pytest.skip("these say the number of rows, or pandas has other dtypes without rows")
    if rows == 0 and (name.startswith(("prefix", "dtype", "dummy_na", "drop_first", "columns", "unstack", "stack", "transpose", "melt"))):
        pytest.skip("pandas has other dtypes without rows")
    both(CALLS[name], **{one: FRAMES[one] if rows is None or one == "c" else FRAMES[one].iloc[:0] for one in needs})


@pytest.mark.parametrize("call", [
    lambda f: f.add_suffix("!", axis=0), lambda f: f.unstack("k"), lambda f: f.unstack(0), lambda f: f.unstack(["k", "n"]), lambda f: f.stack(),
    lambda f: f["v"].unstack("k"), lambda f: f.T.T,
])
def test_levels_of_rows(call):
    same(call(ours(LEVELS)), call(LEVELS))


def test_transpose_of_levels_of_rows():
    made, expected = ours(LEVELS).T, LEVELS.T
    same(made, expected)
    assert made["a"].columns == ["p", "q"]


WIDE = pd.DataFrame({"id": [1, 2], "A-one": [1, 2], "A-two": [3, 4], "B-one": [5, 6], "B-two": [7, 8], "z": [9, 9], "Az": [0, 1]})
NUMBERED = pd.DataFrame({"id": [1, 2], "A1.5": [1, 2], "A2": [3, 4]})


@pytest.mark.parametrize("frame, arguments", [
    (WIDE, dict(stubnames=["A", "B"], i="id", j="t", sep="-", suffix=r"\w+")), (WIDE, dict(stubnames=["A"], i="id", j="t", sep="-", suffix="(one)")),
    (NUMBERED, dict(stubnames="A", i="id", j="t", suffix=r"[\d.]+")), (NUMBERED, dict(stubnames="A", i="id", j="t")),
    (WIDE.iloc[:0], dict(stubnames=["A", "B"], i="id", j="t", sep="-", suffix=r"\w+")),
])
def test_wide_to_long(frame, arguments):
    expected = pd.wide_to_long(frame, **arguments).reset_index()
    same(cn.wide_to_long(ours(frame), **arguments), expected)


LEFT = pd.DataFrame({"t": [1, 5, 10], "g": ["a", "b", "a"], "lv": [1.0, 2.0, 3.0]}, index=["x", "y", "z"])
RIGHT = pd.DataFrame({"t": [1, 2, 3, 6, 7], "g": ["a", "a", "b", "b", "a"], "rv": [1, 2, 3, 6, 7]})
OTHER = RIGHT.rename(columns={"t": "u", "g": "h"})


@pytest.mark.parametrize("left, right, arguments", [
    (LEFT.set_index("t"), RIGHT.set_index("t"), dict(left_index=True, right_index=True)),
    (LEFT, RIGHT.set_index("t"), dict(left_on="t", right_index=True)),
    (LEFT.set_index("t"), OTHER, dict(left_index=True, right_on="u")),
    (LEFT, OTHER, dict(left_on="t", right_on="u", left_by="g", right_by="h")),
    (LEFT, RIGHT, dict(on="t", allow_exact_matches=False)),
    (LEFT, RIGHT, dict(on="t", suffixes=("_l", "_r"))),
    (LEFT.set_index("t"), RIGHT.set_index("t"), dict(left_index=True, right_index=True, by="g", direction="nearest")),
    (LEFT.set_index("t"), RIGHT.set_index("t"), dict(left_index=True, right_index=True, tolerance=1, direction="forward")),
    (LEFT.set_index("t").iloc[:0], RIGHT.set_index("t"), dict(left_index=True, right_index=True)),
])
def test_merge_asof(left, right, arguments):
    same(cn.merge_asof(ours(left), ours(right), **arguments), pd.merge_asof(left, right, **arguments))
    if "on" in arguments:
        same(cn.merge_asof(ours(left), ours(right), "t"), pd.merge_asof(left, right, "t"))


def test_sample_of_columns_and_by_a_column():
    frame = ours(pd.DataFrame({"a": [1, 2, 3], "b": [4, 5, 6], "w": [0.0, 1.0, 0.0]}))
    assert frame.sample(1, weights="w", random_state=3)["a"].to_list() == [2]
    made = frame.sample(2, axis=1, random_state=1)
    assert len(made.columns) == 2 and set(made.columns) <= set(frame.columns) and made[made.columns[0]].to_list() == frame[made.columns[0]].to_list()
    assert frame.sample(2, axis=1, random_state=1).columns == made.columns
    assert frame.sample(1, axis="columns", weights=[0, 0, 1], random_state=1).columns == ["w"]
    assert frame.sample(frac=1.0, axis=1, ignore_index=True, random_state=1).columns == [0, 1, 2]


REFUSED = {
    "prefix": (ValueError, lambda: ours(TEXTS).get_dummies(prefix=["A"]), "1 values for 2 columns"),
    "equal labels": (ValueError, lambda: cn.DataFrame({"a": ["x"], "b": ["x"]}).get_dummies(prefix="P"), "'P_x'"),
    "sep": (ValueError, lambda: ours(DUMMIES).from_dummies("!"), "no separator"),
    "no category": (ValueError, lambda: ours(DUMMIES).from_dummies("_"), "row 2"),
    "default": (ValueError, lambda: ours(DUMMIES).from_dummies("_", default_category={"a": "q"}), "none for 'b'"),
    "axis of clip": (ValueError, lambda: ours(NUMBERS).clip(ours(BY_ROW)), "axis=0 or axis=1"),
    "digits": (TypeError, lambda: ours(NUMBERS).round({"a": 1.5}), "whole number"),
    "transpose": (NotImplementedError, lambda: cn.DataFrame({"a": [1], 2: [3]}).T, "several kinds"),
    "stack": (KeyError, lambda: ours(TWO).stack("no"), "no level 'no'"),
    "order of levels": (NotImplementedError, lambda: ours(TWO).stack([1, 0]), "reorder_levels"),
    "suffix": (ValueError, lambda: ours(WIDE).wide_to_long(["A"], "id", "t", suffix="("), "cannot be read"),
    "keys": (ValueError, lambda: cn.merge_asof(ours(LEFT), ours(RIGHT), on="t", left_index=True), "no on"),
    "columns twice": (NotImplementedError, lambda: ours(NUMBERS).sample(3, axis=1, replace=True), "unique"),
    "values of two dtypes": (TypeError, lambda: ours(TEXTS[["a", "n"]]).unstack(), "utf8"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused(name):
    error, call, words = REFUSED[name]
    with pytest.raises(error, match=words) as refused:
        call()
    assert isinstance(refused.value, cn.ColumnadeError)
