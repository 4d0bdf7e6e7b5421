"""Operators of Python, keys of indexes, what is shown, and what immutable values refuse, beside pandas."""

import operator

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest
from columnade import col

NUMBERS = {"a": [1, -2, 7], "b": [3, 4, -6]}
FLAGS = {"p": [True, False, True], "q": [False, False, True]}
MORE = {"p": [True, True, False], "q": [False, True, True]}
MATRIX = np.array([[1, 2], [3, 4]])


def numbers(m):
    return m.DataFrame(NUMBERS, index=["x", "y", "z"])


def values(m, name="v"):
    return m.Series([5, -7, 3], index=["x", "y", "z"], name=name)


def flags(m, data=None):
    return m.DataFrame(FLAGS if data is None else data)


CALLS = {
    "xor of booleans": lambda m: flags(m) ^ flags(m, MORE), "xor with a boolean": lambda m: flags(m) ^ True, "boolean xor": lambda m: False ^ flags(m),
    "xor of integers": lambda m: numbers(m) ^ 5, "xor of frames": lambda m: numbers(m) ^ (numbers(m) + 3), "integer xor": lambda m: 5 ^ numbers(m),
    "xor with a row": lambda m: numbers(m) ^ m.Series([1, 6], index=["a", "b"]), "boolean and": lambda m: True & flags(m),
    "boolean or": lambda m: False | flags(m), "pos of a frame": lambda m: +numbers(m), "pos of a series": lambda m: +values(m),
    "pos of labels": lambda m: +m.Index([3, 1], name="k"), "divmod of a series": lambda m: divmod(values(m), 3), "divmod by a series": lambda m: divmod(17, values(m)),
    "divmod of two": lambda m: divmod(values(m), values(m) + 1), "divmod of a frame": lambda m: divmod(numbers(m), 4), "divmod by a frame": lambda m: divmod(9, numbers(m)),
    "divmod of labels": lambda m: divmod(m.Index([10, 21], name="k"), 4), "np.divmod": lambda m: np.divmod(values(m), 2), "np.divmod of a frame": lambda m: np.divmod(numbers(m), 2),
    "series @ series": lambda m: values(m) @ values(m), "series @ list": lambda m: values(m) @ [1, 2, 3], "list @ series": lambda m: [1, 2, 3] @ values(m),
    "array @ series": lambda m: np.array([1, 2, 3]) @ values(m), "series @ array": lambda m: values(m) @ np.array([1, 2, 3]),
    "series @ matrix": lambda m: values(m) @ np.array([[1, 2], [3, 4], [5, 6]]), "matrix @ series": lambda m: np.array([[1, 2, 3], [4, 5, 6]]) @ values(m),
    "frame @ frame": lambda m: numbers(m) @ m.DataFrame({"k": [1, 2]}, index=["a", "b"]), "frame @ list": lambda m: numbers(m) @ [1, 2],
    "frame @ matrix": lambda m: numbers(m) @ MATRIX, "frame @ series": lambda m: numbers(m) @ m.Series([1, 2], index=["a", "b"]),
    "series @ frame": lambda m: values(m) @ numbers(m), "matrix @ frame": lambda m: np.array([[1, 2, 3], [4, 5, 6]]) @ numbers(m),
    "list @ frame": lambda m: [1, 2, 3] @ numbers(m), "round of a series": lambda m: round(m.Series([1.26, -2.71], name="r"), 1),
    "round to whole": lambda m: round(m.Series([1.26, -2.71])), "round of a frame": lambda m: round(m.DataFrame({"f": [1.26, 2.71]}), 1),
}


@pytest.mark.parametrize("name", CALLS)
def test_operators_are_those_of_pandas(device, name):
    made, expected = CALLS[name](cn), CALLS[name](pd)
    same(made, expected)
    if isinstance(made, (cn.DataFrame, cn.Series)):
        assert made.device == device


def test_unknown_booleans_stay_unknown():
    made = cn.DataFrame({"p": [True, None]}) ^ cn.DataFrame({"p": [None, False]})
    assert made["p"].to_list() == [None, None]
    aligned = cn.DataFrame({"p": [True]}) ^ cn.DataFrame({"p": [True], "q": [True]}, index=[4])
    assert aligned.index.to_list() == [0, 4] and aligned.columns == ["p", "q"]


@pytest.mark.parametrize("call", [lambda m: +m.Series(["a"]), lambda m: +m.DataFrame({"s": ["a"]}), lambda m: numbers(m) ^ "x", lambda m: divmod(values(m), "x")])
def test_operators_of_text_are_refused(call):
    for module in (cn, pd):
        with pytest.raises(TypeError):
            call(module)


def test_sizes_of_products_are_checked():
    for call in (lambda: values(cn) @ [1, 2], lambda: [1, 2] @ numbers(cn), lambda: values(cn) @ MATRIX, lambda: numbers(cn) @ [1, 2, 3]):
        with pytest.raises(cn.ColumnValueError):
            call()
    with pytest.raises(TypeError):
        values(cn) @ 2


KEYS = {
    "positions": [2, 0], "negative positions": [-1, 0], "no positions": [], "array": np.array([1, 1]), "range": range(2), "mask": [True, False, True],
    "array of booleans": np.array([False, False, True]), "no true": [False] * 3,
}
LABELS = {
    "numbers": lambda m: m.Index([10, 20, 30], name="k"), "text": lambda m: m.Index(["a", "b", "c"]), "range": lambda m: m.RangeIndex(4, 10, 2, name="r"),
    "times": lambda m: m.DatetimeIndex(["2024-01-01", "2024-02-01", "2024-03-01"]), "categories": lambda m: m.CategoricalIndex(["b", "a", "b"]),
    "levels": lambda m: m.MultiIndex.from_tuples([(1, "a"), (2, "b"), (3, "c")], names=["x", "y"]),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("kind", LABELS)
def test_keys_of_indexes_are_those_of_pandas(device, kind, key):
    index, expected = LABELS[kind](cn), LABELS[kind](pd)
    made, wanted = index[KEYS[key]], expected[KEYS[key]]
    assert made.to_list() == [label.to_pydatetime() if isinstance(label, pd.Timestamp) else label for label in wanted.to_list()]
    assert made.names == list(wanted.names)
    assert made.kind in (index.kind, "single")
    given = cn.Series(np.asarray(KEYS[key])) if len(KEYS[key]) else []
    assert index[given].to_list() == made.to_list()


@pytest.mark.parametrize("key", [[5], [True], "a", 1.5, None, [1.5], ["a"], True], ids=str)
def test_keys_that_are_none_are_refused(key):
    with pytest.raises((IndexError, KeyError, ValueError)):
        pd.Index([10, 20, 30])[[True, False] if key is True else key]
    with pytest.raises(cn.ColumnIndexError) as error:
        cn.Index([10, 20, 30])[key]
    assert error.value.operation


def test_groups_and_windows_say_what_they_are():
    frame = cn.DataFrame({"k": ["x", "y", "x"], "t": [1, 1, 2], "n": [1, 2, 3]})
    days = cn.DataFrame({"n": [1, 2, 3]}, index=cn.Index.date_range("2024-01-01", periods=3))
    shown = {
        "GroupBy(keys=['k'], 2 groups)": frame.group_by("k"), "GroupBy(keys=['k', 't'], 3 groups)": frame.groupby(["k", "t"]),
        "SeriesGroupBy(keys=['k'], 2 groups)": frame.groupby("k")["n"], "Rolling(window=2, min_periods=1)": frame.rolling(2, min_periods=1),
        "Rolling(window=2, center=True)": frame["n"].rolling(2, center=True), "Rolling(expanding, min_periods=1)": frame["n"].expanding(),
        "Rolling(of groups)": frame.groupby("k").rolling(2), "ExponentialMovingWindow(span=3, min_periods=0, adjust=True)": frame["n"].ewm(span=3),
        "Resampler(2 bins)": days.resample("2D"), "When(when((n > 1)).then(null))": cn.when(col("n") > 1),
    }
    for text, value in shown.items():
        assert repr(value) == text


def test_what_does_not_change_says_what_to_write_instead():
    frame, series, index = numbers(cn), values(cn), cn.Index([1, 2])
    calls = {
        r"^setitem: a frame does not change: use with_columns": lambda: operator.setitem(frame, "a", 1),
        r"^delitem: a frame does not change: use drop\(columns=": lambda: operator.delitem(frame, "a"),
        r"^setitem: a series does not change: use set_loc, set_iloc or where": lambda: operator.setitem(series, 0, 1),
        r"^delitem: a series does not change: use drop": lambda: operator.delitem(series, 0),
        r"^setitem: an index does not change: use putmask": lambda: operator.setitem(index, 0, 1),
        r"^delitem: an index does not change: use delete": lambda: operator.delitem(index, 0),
        r"^setitem: a frame does not change: use set_loc\(rows, column": lambda: operator.setitem(frame.loc, ("x", "a"), 1),
        r"^setitem: a frame does not change: use set_iloc\(rows, column": lambda: operator.setitem(frame.iat, (0, 0), 1),
        r"^setitem: a series does not change: use set_loc\(rows, values": lambda: operator.setitem(series.at, "x", 1),
        r"^delitem: a series does not change: use drop\(labels": lambda: operator.delitem(series.iloc, 0),
        r"^iter: an expression has no values: .* frame.select\(\(a \+ 1\)\)": lambda: list(col("a") + 1),
    }
    for text, call in calls.items():
        with pytest.raises(cn.ColumnTypeError, match=text) as error:
            call()
        assert error.value.operation == text[1:].split(":")[0]
    assert frame.set_loc("x", "a", 9)["a"].to_list() == [9, -2, 7] and index.delete(0).to_list() == [2]
