#!/usr/bin/env python3
"""Writes golden.json: what pandas answers to the questions that golden.rs asks of a ColumnAccessor.

Run it with the pandas that is named below: python golden.py > golden.json

A frame here has one row, which holds the positions 0, 1, ... of its columns: so an answer tells where each of its
columns came from. A label is a list of parts. A part is null, a boolean, an integer, text, or {"float": text},
{"timestamp": nanoseconds}, {"duration": nanoseconds}; {"any": true} stands for slice(None).
"""

import json
import warnings

import numpy as np
import pandas as pd

PANDAS = "2.3.3"
NAN = float("nan")
ANY = slice(None)


def part(value):
    if value is None:
        return None
    if isinstance(value, slice):
        assert value == ANY
        return {"any": True}
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return {"float": repr(float(value))}
    if isinstance(value, pd.Timestamp):
        return {"timestamp": value.as_unit("ns").value}
    if isinstance(value, pd.Timedelta):
        return {"duration": value.as_unit("ns").value}
    assert isinstance(value, str), value
    return value


def label(value):
    return [part(level) for level in value] if isinstance(value, tuple) else [part(value)]


def labels(index):
    return [label(value) for value in index.tolist()] if not isinstance(index, list) else [label(v) for v in index]


def frame(index):
    return pd.DataFrame(np.arange(len(index)).reshape(1, -1), columns=index)


def flat(values, name=None):
    """Labels of one level, whatever they are."""
    return pd.Index(values, dtype=object, name=name, tupleize_cols=False)


def multi(values, names=None):
    return pd.MultiIndex.from_tuples(values, names=names)


def answer(make):
    """The columns of a frame or a series, or the kind of the error."""
    try:
        made = make()
    except (KeyError, IndexError, ValueError, TypeError) as error:
        return {"error": "ValueError" if isinstance(error, ValueError) else type(error).__name__}
    if isinstance(made, pd.Series):
        made = made.to_frame()
    index = made.columns
    return {
        "labels": labels(index),
        "from": [int(value) for value in made.iloc[0]],
        "levels": index.nlevels,
        "names": [None if name is None else part(name) for name in index.names],
    }


FRAMES = []
CASES = []


def case(operation, index, make, **arguments):
    names = [None if name is None else part(name) for name in index.names]
    described = {"labels": labels(index), "names": names}
    if described not in FRAMES:
        FRAMES.append(described)
    number = FRAMES.index(described)
    CASES.append({"operation": operation, "frame": number, **arguments, "answer": answer(lambda: make(frame(index)))})


SINGLE = [
    flat(["d", "b", "c", "a"], "name"),
    flat([1, "a", NAN, 2.5, None, "true"]),
    flat([("a", NAN), ("a", "x"), "b"]),
    flat([pd.Timestamp("2020-01-01"), pd.Timedelta("1s"), -1, 0]),
    flat([]),
]
DEEP = [
    multi([("a", "x"), ("a", "y"), ("b", "x"), ("b", "z")], ["upper", "lower"]),
    multi([("b", 1), ("a", 1), ("b", 2), ("a", NAN)], ["upper", None]),
    multi([("a", "x", 1), ("a", "x", 2), ("a", "y", 1), ("b", "x", 1)], ["one", "two", "three"]),
]


def get():
    for index in SINGLE + DEEP:
        wanted = index.tolist() + ["d", "missing", 1, 1.0, True, NAN, None, ("a", "x"), ("a", NAN), pd.Timestamp("2020")]
        for key in wanted:
            # pandas gives groups for short keys, and parts of labels for long ones: that is select_grouped.
            if index.nlevels > 1 and (not isinstance(key, tuple) or len(key) != index.nlevels):
                continue
            made = lambda df, key=key: df.iloc[:, [df.columns.get_loc(key)]]
            case("get", index, made, key=label(key))


def grouped():
    for index in DEEP:
        for key in ["a", "b", "missing", ("a",), ("a", "x"), ("a", "missing"), ("b", "x"), ("b", 1), ("b", "x", 1)]:
            if isinstance(key, tuple) and len(key) == index.nlevels:
                continue  # pandas drops the label of one column that it gives as a series
            if isinstance(key, tuple) and len(key) > index.nlevels:
                continue  # a KeyError there, a ValueError here
            case("select_grouped", index, lambda df: df[key], key=label(key))


def lists():
    for index in SINGLE[:1]:
        for keys in [["a", "d"], ["b"], [], ["a", "missing"]]:
            case("select", index, lambda df: df[keys], keys=[label(key) for key in keys])
    for index in DEEP[:1]:
        for keys in [["a"], ["b", "a"], ["missing"], [("b", "z"), ("a", "x")], []]:
            case("select", index, lambda df: df[keys], keys=[label(key) for key in keys])
    for index in SINGLE[:1] + DEEP[:1]:
        for keys in [["a"], ["a", "b"], ["missing"]]:
            case("without", index, lambda df: df.drop(columns=keys), keys=[label(key) for key in keys])


def masks():
    for index in SINGLE[:1] + DEEP[:1]:
        for mask in [[True, False, False, True], [False] * 4, [True] * 4, [True] * 3, [True] * 5]:
            case("select_mask", index, lambda df: df.loc[:, mask], mask=mask)


def slices():
    ends = [None, "a", "b", "c", "d", "missing"]
    for first in ends:
        for last in ends:
            made = lambda df: df.loc[:, first:last]
            case("select_slice", SINGLE[0], made, **ends_of(first, last))
    ends = [None, "a", "b", ("a", "x"), ("a", "y"), ("b", "x"), ("b", "z")]
    for first in ends:
        for last in ends:
            made = lambda df: df.loc[:, first:last]
            case("select_slice", DEEP[0], made, **ends_of(first, last))
    ends = [None, "a", "b", ("a", "x"), ("a", "y"), ("a", "x", 2), ("b", "x", 1)]
    for first in ends:
        for last in ends:
            made = lambda df: df.loc[:, first:last]
            case("select_slice", DEEP[2], made, **ends_of(first, last))


def ends_of(first, last):
    return {
        "first": None if first is None else label(first),
        "last": None if last is None else label(last),
    }


def wildcards():
    for index, patterns in [
        (DEEP[0], [(ANY, "x"), (ANY, "z"), ("b", ANY), (ANY, ANY), (ANY,)]),
        (DEEP[2], [(ANY, "x"), (ANY, ANY, 1), (ANY, "x", 1), ("a", ANY, 1), ("a", ANY), (ANY,)]),
    ]:
        for pattern in patterns:
            case("select_matching", index, lambda df: df.loc[:, pattern], pattern=label(pattern))


def positions():
    for index in SINGLE[:1] + DEEP[:1]:
        for at in range(-5, 5):
            case("select_by_index", index, lambda df: df.iloc[:, [at]], one=at)
        for at in [[], [0], [3, 0], [-1, 1], [0, 4], [-5]]:
            case("select_by_index", index, lambda df: df.iloc[:, at], list=at)
        for mask in [[True, False, True, False], [True]]:
            case("select_by_index", index, lambda df: df.iloc[:, mask], mask=mask)
    ends = [None, -9, -4, -1, 0, 3, 4, 9]
    for start in ends:
        for stop in ends:
            for step in [1, 2, -1, -3]:
                made = lambda df: df.iloc[:, start:stop:step]
                case("select_by_index", SINGLE[0], made, slice=[start, stop, step])
    case("select_by_index", SINGLE[0], lambda df: df.iloc[:, 0:2:0], slice=[0, 2, 0])


def changed(df, change):
    change(df)
    return df


def changes():
    new = 99
    for index in SINGLE[:1] + DEEP:
        for at in [0, 1, 4, 5]:
            for key in ["new", "a", ("a", "x"), ("new", "x"), ("a", ""), ("b", "q", 7)]:
                if index.nlevels == 1 and isinstance(key, tuple):
                    continue  # pandas makes an index of tuples of it
                if isinstance(key, tuple) and len(key) < index.nlevels:
                    continue  # pandas pads scalars only
                if key == "a" and index.nlevels > 1:
                    continue  # pandas has a group of that label and refuses; here it is the label ("a", "")
                if at > len(index) and key != "new":
                    continue  # which of two errors comes first
                made = lambda df: changed(df, lambda df: df.insert(at, key, new))
                case("insert", index, made, at=at, key=label(key))
        for key in ["new", "d", ("a", "x"), ("new", "x"), ("b", "q", 7), ("a", "x", 1)]:
            if index.nlevels == 1 and isinstance(key, tuple):
                continue
            if isinstance(key, tuple) and len(key) < index.nlevels:
                continue  # pandas replaces every column of the group, or refuses what is no scalar
            made = lambda df: changed(df, lambda df: df.__setitem__(key, new))
            case("set", index, made, key=label(key))
        for key in index.tolist() + ["missing"]:
            made = lambda df: changed(df, lambda df: df.__delitem__(key))
            case("remove", index, made, key=label(key))


def levels():
    for index in DEEP:
        keys = list(range(-index.nlevels - 1, index.nlevels + 1)) + ["upper", "two", "missing"]
        for a in keys:
            for b in keys:
                case("swaplevel", index, lambda df: df.swaplevel(a, b, axis=1), a=a, b=b)
    wide = multi([("a", "x", 1), ("a", "y", 2), ("b", "x", 3)], ["one", "two", "three"])
    for index in DEEP + [wide]:
        for level in list(range(-index.nlevels - 1, index.nlevels + 1)) + ["upper", "two", "missing"]:
            case("droplevel", index, lambda df: df.droplevel(level, axis=1), level=level)
    case("droplevel", SINGLE[0], lambda df: df.droplevel(0, axis=1), level=0)
    twice = multi([("a", "x"), ("b", "y")], ["name", "name"])
    case("droplevel", twice, lambda df: df.droplevel("name", axis=1), level="name")
    maps = [[["a", "q"]], [["x", "y"]], [["a", "b"], ["b", "a"]], [["missing", "q"]], [["x", 5], ["a", NAN]]]
    for index in SINGLE[:1] + DEEP:
        for pairs in maps:
            for level in [None, 0, 1, -1, "lower", "missing"]:
                if index.nlevels == 1 and level not in (None, 0):
                    continue
                made = lambda df: df.rename(columns=dict(pairs), level=level)
                case("rename_levels", index, made, map=[[part(a), part(b)] for a, b in pairs], level=level)


def equality():
    """Whether two labels are one."""
    time = pd.Timestamp("2020-01-01")
    values = [0, 1, -1, 1.0, 0.0, -0.0, 1.5, 2**63, 2.0**63, True, False, NAN, None, "", "1", "a", float("inf")]
    values += [time, time.value, pd.Timedelta(0), ("a", NAN), ("a", 1), ("a", True), ("a", None), ("a", "a"), ("a",) * 3]
    rows = [[not flat([a, b]).is_unique for b in values] for a in values]
    return {"labels": [label(value) for value in values], "equal": rows}


def dtypes():
    """The dtype that labels have in common."""
    names = {"object": None, "datetime64[ns]": "timestamp[ns]", "timedelta64[ns]": "duration[ns]"}
    made = []
    for values in [
        [1, 2], [1, 2.5], [1, NAN], [NAN], [2, True], ["a", 1], [1, 2**63], [-1, 2**63], [1.5, 2**63], [True, False],
        [pd.Timestamp("2020-01-01"), pd.Timestamp("2021-01-01")], [pd.Timedelta("1s")], [pd.Timestamp(0), 1],
        [pd.Timestamp(0), pd.Timedelta(0)],
    ]:  # fmt: skip
        dtype = str(pd.Index(values).dtype)
        made.append({"labels": [label(value) for value in values], "dtype": names.get(dtype, dtype)})
    return made


def ranges():
    """Which labels are a range."""
    made = []
    for values in [range(5), range(4, -1, -2), range(3, 4), range(0), range(1, 9, 3)]:
        index = pd.RangeIndex(values)
        made.append({"labels": labels(index), "range": [index.start, index.stop, index.step]})
        if len(index) > 1:
            assert not isinstance(index.insert(len(index), 77), pd.RangeIndex)
            made.append({"labels": labels(index.insert(len(index), 77)), "range": None})
    return made


def inserted():
    """The dtype of labels of one, after another label."""
    made = []
    for dtype, values, new in [
        ("int8", [1, 2], 5), ("int8", [1, 2], 500), ("int8", [1, 2], "a"), ("float32", [1.0], 0.5), ("uint8", [1], -1),
    ]:  # fmt: skip
        after = pd.Index(values, dtype=dtype).insert(len(values), new)
        # Where a dtype does not hold the label, pandas takes the next that does; here the labels decide anew.
        kept = str(after.dtype) == dtype
        made.append({"dtype": dtype, "labels": [label(v) for v in values], "new": label(new), "kept": kept})
    return made


def main():
    warnings.simplefilter("ignore")
    assert pd.__version__ == PANDAS, f"this is pandas {pd.__version__}, the answers are of {PANDAS}"
    for ask in (get, grouped, lists, masks, slices, wildcards, positions, changes, levels):
        ask()
    lines = ",\n".join(json.dumps(case, ensure_ascii=False, allow_nan=False) for case in CASES)
    rest = {"frames": FRAMES, "equality": equality(), "dtypes": dtypes(), "ranges": ranges(), "inserted": inserted()}
    others = ",\n".join(f"{json.dumps(name)}: {json.dumps(value, allow_nan=False)}" for name, value in rest.items())
    print(f'{{"pandas": "{PANDAS}",\n{others},\n"cases": [\n{lines}\n]}}')


main()
