"""Frames beside series, alignment of both, and one level of the row labels: the same calls on pandas."""

import columnade as cn
import pandas as pd
import pytest

from beside import both, ours, same

FRAME = pd.DataFrame({"x": [1.0, 2.0, 3.0], "y": [3.0, 4.0, None]}, index=["r", "s", "t"])
ROWS = pd.Series([10.0, 20.0], index=["s", "u"], name="b")
COLUMNS = pd.Series([10.0, 20.0], index=["x", "z"])
MANY = pd.DataFrame({"v": [1, 2, 3, 4, 5]}, index=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 3), ("c", 1)], names=["k", "n"]))
FEW = pd.DataFrame({"v": [10.0, 20.0]}, index=pd.Index(["a", "b"], name="k"))
OPERATORS = ["add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "radd", "rsub", "rmul", "rtruediv", "rdiv", "rfloordiv", "rmod", "rpow"]


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("fill_value", [None, 1.0])
def test_frame_and_series(name, fill_value):
    if (name, fill_value) != ("pow", None):
        # 1 to the power of what is missing is 1 in pandas, and null here.
        both(lambda m, f, s: getattr(f, name)(s, axis=0, fill_value=fill_value), f=FRAME, s=ROWS)
    both(lambda m, f, s: getattr(f, name)(s, axis="columns", fill_value=fill_value), f=FRAME, s=COLUMNS)
    both(lambda m, f: getattr(f, name)(2.0, fill_value=fill_value), f=FRAME)
    both(lambda m, f: getattr(f["y"], name)(2.0, fill_value=fill_value), f=FRAME)


@pytest.mark.parametrize("name", [name for name in OPERATORS if "pow" not in name])
def test_no_rows(name):
    both(lambda m, f, s: getattr(f, name)(s, axis=0, fill_value=1.0), f=FRAME.iloc[:0], s=ROWS)
    both(lambda m, f, s: getattr(f, name)(s, fill_value=1.0), f=FRAME.iloc[:0], s=COLUMNS)


@pytest.mark.parametrize("join", ["outer", "inner", "left", "right"])
@pytest.mark.parametrize("fill_value", [None, 0.0])
def test_align_of_frame_and_series(join, fill_value):
    both(lambda m, f, s: f.align(s, axis=0, join=join, fill_value=fill_value), f=FRAME, s=ROWS)
    both(lambda m, f, s: f.align(s, axis=1, join=join, fill_value=fill_value), f=FRAME, s=COLUMNS)
    both(lambda m, f, s: s.align(f, axis=0, join=join, fill_value=fill_value), f=FRAME, s=ROWS)


def test_align_of_labels_that_repeat():
    # pandas refuses the frame, and aligns its columns.
    frame = FRAME.set_axis(["s", "u", "s"])
    left, right = ours(frame).align(ours(ROWS), axis=0)
    expected = frame["x"].align(ROWS)
    same(left["x"].rename(None), expected[0].rename(None))
    same(right, expected[1])


LEVELS = {
    "add": lambda m, f, g: f["v"].add(g["v"], level="k"),
    "add with a value": lambda m, f, g: f["v"].add(g["v"], level="k", fill_value=0),
    "sub by position": lambda m, f, g: f["v"].sub(g["v"], level=0),
    "the other way round": lambda m, f, g: g["v"].mul(f["v"], level="k"),
    "reflected": lambda m, f, g: f["v"].rsub(g["v"], level="k"),
    "frame and series": lambda m, f, g: f.add(g["v"], axis=0, level="k"),
    "frames": lambda m, f, g: f.mul(g, level="k"),
    "frames with a value": lambda m, f, g: f.sub(g, level="k", fill_value=100),
    "align": lambda m, f, g: f.align(g, level="k"),
    "align of series": lambda m, f, g: g["v"].align(f["v"], level="k"),
    "reindex to several": lambda m, f, g: g.reindex(f.index, level="k"),
    "reindex of a series to several": lambda m, f, g: g["v"].reindex(f.index, level="k"),
    "reindex of a level": lambda m, f, g: f.reindex(["b", "a"], level="k"),
    "reindex with one that is not there": lambda m, f, g: f["v"].reindex(["z", "c"], level=0),
    "reindex of an inner level": lambda m, f, g: f.reindex([3, 1, 2], level="n"),
    "labels": lambda m, f, g: f.index.reindex(["b"], level="k"),
}


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name):
    both(LEVELS[name], f=MANY, g=FEW)


def test_comparison_by_level():
    made = ours(MANY)["v"].lt(ours(FEW)["v"], level="k")
    assert made.to_list() == [True, True, True, True, None]


REFUSED = {
    "axis": (ValueError, lambda f, g: f.align(g["v"]), "axis=0 or axis=1"),
    "level": (KeyError, lambda f, g: f["v"].add(g["v"], level="no"), "no level 'no'"),
    "several levels on both sides": (TypeError, lambda f, g: f.add(f, level="k"), "on one side"),
    "number": (TypeError, lambda f, g: f["v"].add(1, level="k"), "another series"),
    "several levels": (NotImplementedError, lambda f, g: f.reindex(["a"], level=["k", "n"]), "several levels"),
    "twice": (ValueError, lambda f, g: f.reindex(["a", "a"], level="k"), "more than once"),
    "labels that repeat": (ValueError, lambda f, g: f.align(f.reset_index("n")["v"], axis=1), "not unique"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_done_is_refused(name):
    kind, call, words = REFUSED[name]
    with pytest.raises(kind, match=words) as refused:
        call(ours(MANY), ours(FEW))
    assert isinstance(refused.value, cn.ColumnadeError)
