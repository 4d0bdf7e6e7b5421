"""Labels of columns of several levels, masks of columns and slices of rows: the same calls on pandas."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from beside import both, ours, same

ONE = pd.DataFrame({"x": [1, 2, 3], "y": [4.0, None, 6.0], "z": ["a", "b", None]}, index=["r", "s", "t"])
TWO = pd.DataFrame(
    [[1, 2, 3, 4], [5, 6, 7, 8]], index=["r", "s"],
    columns=pd.MultiIndex.from_tuples([("p", "x"), ("p", "y"), ("q", "x"), ("q", "z")], names=["of", "part"]),
)
THREE = pd.DataFrame(
    [[1, 2, 3]], columns=pd.MultiIndex.from_tuples([("p", "x", 1), ("p", "y", 2), ("q", "x", 1)], names=["a", None, "c"]),
)
EMPTY = pd.DataFrame([["e", 1]], columns=pd.MultiIndex.from_tuples([("k", ""), ("v", "sum")]))
CALLS = {
    "part": lambda m, f: f["p"],
    "list of parts": lambda m, f: f[["q"]],
    "loc part": lambda m, f: f.loc[:, "q"],
    "loc list of parts": lambda m, f: f.loc[["r"], ["p"]],
    "loc slice of parts": lambda m, f: f.loc[:, "p":"q"],
    "loc slice of a part": lambda m, f: f.loc[:, "q":],
    "xs": lambda m, f: f.xs("p", axis=1),
    "xs of a level": lambda m, f: f.xs("x", axis=1, level=1),
    "xs of a level by name": lambda m, f: f.xs("x", axis=1, level="part"),
    "xs that keeps levels": lambda m, f: f.xs("x", axis=1, level=1, drop_level=False),
    "xs of a label": lambda m, f: f.xs(("p", "x"), axis="columns"),
    "droplevel": lambda m, f: f[["p"]].droplevel(0, axis=1),
    "droplevel by name": lambda m, f: f[["p"]].droplevel("of", axis=1),
    "swaplevel": lambda m, f: f.swaplevel(axis=1),
    "swaplevel by name": lambda m, f: f.swaplevel("part", "of", axis=1),
    "reorder_levels": lambda m, f: f.reorder_levels([1, 0], axis=1),
    "reorder_levels by name": lambda m, f: f.reorder_levels(["part", "of"], axis=1),
    "get": lambda m, f: f.get("p"),
    "get of what is not there": lambda m, f: f.get("no", 7),
    "in": lambda m, f: ["p" in f, "x" in f, ("p", "x") in f, ("q", "y") in f],
    "drop": lambda m, f: f.drop(columns="p"),
    "drop of a level": lambda m, f: f.drop(columns="x", level=1),
    "drop of a level with axis": lambda m, f: f.drop(["x"], level="part", axis=1),
    "rename": lambda m, f: f.rename(columns={"x": "X", "p": "P"}),
    "rename of a level": lambda m, f: f.rename(columns={"x": "X", "p": "P"}, level=1),
    "rename by a function": lambda m, f: f.rename(columns=str.upper),
    "sort_index of a level": lambda m, f: f.sort_index(axis=1, level=1),
    "sort_index descending": lambda m, f: f.sort_index(axis=1, level="part", ascending=False),
    "sort_index of two orders": lambda m, f: f.sort_index(axis=1, level=[1, 0], ascending=[True, False]),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("rows", [2, 0])
def test_levels_of_columns(name, rows):
    both(CALLS[name], f=TWO.iloc[:rows] if rows or name != "loc list of parts" else TWO)


@pytest.mark.parametrize("call", [
    lambda m, f: f["p"], lambda m, f: f[("p", "y")], lambda m, f: f.xs(("p", 2), axis=1, level=[0, 2]),
    lambda m, f: f.xs(1, axis=1, level="c"), lambda m, f: f.reorder_levels([2, 0, 1], axis=1), lambda m, f: f.swaplevel(0, 2, axis=1),
    lambda m, f: f.drop(columns=[("p", "x")]), lambda m, f: f["q"],
])
def test_three_levels_of_columns(call):
    both(call, f=THREE)


def test_empty_levels_of_a_column():
    both(lambda m, f: f["k"], f=EMPTY)
    both(lambda m, f: f["v"], f=EMPTY)


@pytest.mark.parametrize("call", [
    lambda f: f.rename_axis(columns=["A", "B"]), lambda f: f.rename_axis(["A", "B"], axis=1), lambda f: f.rename_axis(columns={"of": "O"}),
    lambda f: f.rename_axis(columns=str.upper), lambda f: f["p"].rename_axis(columns="C"), lambda f: f["p"].rename_axis("C", axis="columns"),
    lambda f: f["p"].rename_axis(index="i", columns="C"), lambda f: f["p"].rename_axis(columns=None), lambda f: f["p"].rename_axis(columns="C").stack(),
    lambda f: f["p"].rename_axis(columns="C").T, lambda f: f.rename_axis(index="i")["q"].T, lambda f: f["p"].rename_axis(columns=None).stack(),
    lambda f: f["p"].rename_axis(columns="C").stack().unstack(),
])
def test_names_of_labels_of_columns(call):
    same(call(ours(TWO)), call(TWO))


ROWS = {
    "slice of labels": lambda m, f: f["r":"s"],
    "slice from a label": lambda m, f: f["s":],
    "slice to a label": lambda m, f: f[:"s"],
    "slice of positions": lambda m, f: f[1:3],
    "slice backwards": lambda m, f: f[::-1],
    "mask of columns": lambda m, f: f.loc[:, [True, False, True]],
    "array as a mask": lambda m, f: f.loc[["s"], np.array([True, False, True])],
    "no column of a mask": lambda m, f: f.loc[:, [False, False, False]],
    "iloc mask": lambda m, f: f.iloc[:, [False, True, True]],
    "mask of dtypes": lambda m, f: f.loc[:, f.notna().all()],
}


@pytest.mark.parametrize("name", ROWS)
def test_slices_and_masks(name):
    both(ROWS[name], f=ONE)


def test_slices_go_by_position_or_label():
    numbers = pd.DataFrame({"v": [1, 2, 3]}, index=[10, 11, 12])
    both(lambda m, f: f[1:3], f=numbers)
    floats = pd.DataFrame({"v": [1, 2, 3]}, index=[0.0, 1.0, 2.0])
    both(lambda m, f: f[0:1], f=floats)
    both(lambda m, f: f[0.5:2.0], f=floats)
    times = pd.DataFrame({"v": [1, 2, 3]}, index=pd.to_datetime(["2023-12-31", "2024-01-01", "2024-02-01"]))
    both(lambda m, f: f["2024-01":], f=times)
    both(lambda m, f: f["2024":"2024-01"], f=times)
    levels = pd.DataFrame({"v": [1, 2, 3, 4]}, index=pd.MultiIndex.from_product([["a", "b"], [1, 2]]))
    both(lambda m, f: f["b":], f=levels)


REFUSED = {
    "part": (KeyError, lambda f: f["no"], "'no'"),
    "loc": (KeyError, lambda f: f.loc[:, "no"], "'no'"),
    "list": (KeyError, lambda f: f[["p", "no"]], "'no'"),
    "xs": (KeyError, lambda f: f.xs("y", axis=1, level=0), "'y'"),
    "level": (KeyError, lambda f: f.xs("y", axis=1, level="no"), "no level 'no'"),
    "labels that would be equal": (ValueError, lambda f: f.droplevel(0, axis=1), "'x', and labels of columns are unique"),
    "all levels": (ValueError, lambda f: f.droplevel([0, 1], axis=1), "one must be left"),
    "order": (ValueError, lambda f: f.reorder_levels([0, 0], axis=1), "each of the 2 levels once"),
    "drop": (KeyError, lambda f: f.drop(columns="no"), "'no'"),
    "names": (ValueError, lambda f: f.rename_axis(columns=["a"]), "1 names for 2 levels"),
    "mask": (IndexError, lambda f: f.loc[:, [True]], "1 values for 4 columns"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_there_is_refused(name):
    kind, call, words = REFUSED[name]
    with pytest.raises(kind, match=words) as refused:
        call(cn.from_pandas(TWO))
    assert isinstance(refused.value, cn.ColumnadeError)


def assigned(rows, columns, values, by="loc"):
    made = ONE[["x", "y"]].astype(float).assign(z=0.0)
    expected, given = made.copy(), values
    getattr(expected, by)[rows, columns] = values
    same(getattr(ours(made), f"set_{by}")(rows, columns, ours(given)), expected)


TABLE = pd.DataFrame({"y": [1.0, 2.0], "x": [3.0, 4.0]}, index=["s", "r"])
ASSIGNED = {
    "value": (["r", "t"], ["x", "z"], 9.0),
    "row": ("s", ["x", "z"], 9.0),
    "all": (slice(None), slice(None), 0.0),
    "slice of columns": (["r"], slice("y", "z"), 5.0),
    "mask of columns": (slice(None), [True, False, True], 5.0),
    "one for each column": (["r", "s"], ["x", "y"], [7.0, 8.0]),
    "rows of values": (["r", "s", "t"], ["x", "y"], [[7.0, 8.0], [1.0, 2.0], [3.0, 4.0]]),
    "array": (["r", "s"], ["x", "y"], np.array([[7.0, 8.0], [1.0, 2.0]])),
    "frame": (["r", "s"], ["x", "y"], TABLE),
    "frame without a column": (["r", "s"], ["y", "z"], TABLE),
    "series by row": (["r", "s"], ["x", "y"], pd.Series([7.0, 8.0], index=["s", "r"])),
    "series by column": ("r", ["x", "y"], pd.Series([7.0, 8.0], index=["y", "x"])),
}


@pytest.mark.parametrize("name", ASSIGNED)
def test_values_of_several_columns(name):
    assigned(*ASSIGNED[name])


@pytest.mark.parametrize("rows, columns, values", [
    ([0, 2], [0, 2], 9.0), (slice(None), slice(1, 3), 4.0), ([1], [False, True, True], 4.0), ([0, 1], [0, 1], [[1.0, 2.0], [3.0, 4.0]]), (0, -1, 5.0),
])
def test_values_of_several_columns_by_position(rows, columns, values):
    assigned(rows, columns, values, "iloc")


def test_values_of_a_dictionary_go_by_column():
    frame = ours(ONE[["x", "y"]])
    made = frame.set_loc(["r", "t"], ["x", "y"], {"y": 0.5, "x": 9})
    assert made.to_dict() == {"x": [9, 2, 9], "y": [0.5, None, 0.5]}
    with pytest.raises(KeyError, match="none for column 'y'"):
        frame.set_loc(["r"], ["x", "y"], {"x": 9})
    with pytest.raises(KeyError, match="'no'"):
        frame.set_loc(["r"], ["x", "no"], 1)
    with pytest.raises(ValueError, match="3 values for 2 columns"):
        frame.set_loc(slice(None), ["x", "y"], [1, 2, 3])
    with pytest.raises(ValueError, match="chosen twice"):
        frame.set_iloc([0], ["x", "x"], 1)
    with pytest.raises(IndexError, match="no column at 5"):
        frame.set_iloc(0, [5], 1)
