"""Row labels of several levels: the same calls on pandas."""

import columnade as cn
import pandas as pd
import pytest

from beside import both, ours, same

SORTED = pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1), ("b", 3)], names=["k", "n"])
MIXED = pd.MultiIndex.from_tuples([("b", 1), ("a", 2), ("b", 3), ("b", 1)], names=["k", "n"])
MISSING = pd.MultiIndex.from_tuples([("b", 1), (None, 2), ("b", 3)], names=["k", "n"])
CALLS = {
    "drop of a level": lambda m, i: i.drop("a", level="k"),
    "drop of a level by position": lambda m, i: i.drop([1, 3], level=1),
    "drop of a part": lambda m, i: i.drop("a"),
    "drop of parts": lambda m, i: i.drop(["a"]),
    "drop that ignores": lambda m, i: i.drop("z", level="k", errors="ignore"),
    "part": lambda m, i: i.get_loc("b"),
    "part in a tuple": lambda m, i: i.get_loc(("b",)),
    "one of a part": lambda m, i: i.get_loc("a"),
    "factorize": lambda m, i: i.factorize(),
    "factorize in order": lambda m, i: i.factorize(sort=True),
    "astype": lambda m, i: i.astype("object"),
    "isin of a level": lambda m, i: i.isin(["a"], level="k"),
    "get_locs of a list": lambda m, i: i.sort_values().get_locs([["a"], slice(None)]).tolist(),
    "get_locs of a list in the second level": lambda m, i: i.sort_values().get_locs([slice(None), [1, 3]]).tolist(),
    "get_locs of a list and a value": lambda m, i: i.sort_values().get_locs([["a", "b"], 1]).tolist(),
    "get_locs of a slice": lambda m, i: i.sort_values().get_locs((slice("a", "b"), [1])).tolist(),
    "get_locs of values": lambda m, i: i.sort_values().get_locs(["a", 2]).tolist(),
    "get_locs of a part": lambda m, i: i.sort_values().get_locs(["a"]).tolist(),
    "reindex": lambda m, i: i.unique().reindex([("b", 3), ("z", 1)]),
    "min": lambda m, i: i.min(),
    "max": lambda m, i: i.max(),
    "value_counts": lambda m, i: i.value_counts(),
    "value_counts as parts": lambda m, i: i.value_counts(normalize=True, ascending=True),
    "get_indexer": lambda m, i: i.unique().get_indexer([("b", 3), ("z", 1)]),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("labels", [SORTED, MIXED])
def test_labels_of_several_levels(name, labels):
    both(CALLS[name], i=labels)


def test_labels_that_come_several_times():
    both(lambda m, i: i.get_loc(("b", 1)), i=MIXED)
    both(lambda m, i: i.get_loc(("b", 1)), i=MIXED.sort_values())
    both(lambda m, i: i.get_loc("b"), i=MISSING)
    both(lambda m, i: i.get_loc(2), i=pd.Index([1, 2, 2, 3]))
    both(lambda m, i: i.get_loc("b"), i=pd.Index(["b", "a", "b"]))
    both(lambda m, i: i.get_loc("a"), i=pd.Index(["b", "a", "b"]))


def test_get_loc_of_times_and_intervals_that_come_several_times():
    times = pd.to_datetime(["2024-03-01", "2025-01-01", "2024-02-01"])
    # pandas has the positions.
    assert cn.from_pandas(times).get_loc("2024").tolist() == [True, False, True] and times.get_loc("2024").tolist() == [0, 2]
    assert cn.from_pandas(times).get_loc("2025") == 1
    intervals = pd.IntervalIndex.from_tuples([(0, 2), (1, 3), (0, 2)])
    for key in (0.5, 1, 1.5, 3):
        both(lambda m, i: i.get_loc(key), i=intervals)
    both(lambda m, i: i.get_loc(m.Interval(0, 2)), i=intervals)
    with pytest.raises(KeyError, match="7"):
        cn.from_pandas(intervals).get_loc(7)


def test_no_labels_have_no_least_one():
    empty = cn.MultiIndex.from_arrays([[None, "a"], [1, None]])
    assert empty.min() is None and empty.max() is None
    with pytest.raises(TypeError, match="value_counts: labels of several levels have no bins"):
        empty.value_counts(bins=2)
    with pytest.raises(KeyError, match="get_locs: 3 parts for 2 levels"):
        empty.get_locs([["a"], [1], [2]])


@pytest.mark.parametrize("rows, names", [([("a", 1), ("b", 2)], ["p", "q"]), ([("a", 1, 2.5)], None), ([["a", None], [None, 2]], None)])
def test_from_tuples(rows, names):
    same(cn.Index.from_tuples(rows, names=names), pd.MultiIndex.from_tuples(rows, names=names))


REFUSED = {
    "level": (KeyError, lambda i: i.drop("z", level="k"), "'z'"),
    "no level": (KeyError, lambda i: i.drop("a", level="no"), "no level 'no'"),
    "part": (KeyError, lambda i: i.drop("z"), "'z'"),
    "get_loc": (KeyError, lambda i: i.get_loc("z"), "'z'"),
    "get_loc of another dtype": (KeyError, lambda i: i.get_loc(5), "5"),
    "get_loc of a tuple": (KeyError, lambda i: i.get_loc(("a", 9)), "9"),
    "too many": (KeyError, lambda i: i.get_loc(("a", 1, 2)), "3 labels for 2 levels"),
    "dtype": (TypeError, lambda i: i.astype("str"), "several levels"),
    "tuples": (ValueError, lambda i: cn.Index.from_tuples([(1, 2), (3,)]), "one length"),
    "no tuples": (TypeError, lambda i: cn.Index.from_tuples([]), "no tuples"),
    "no label twice": (KeyError, lambda i: cn.Index([1, 2, 2]).get_loc(7), "7"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_labels_that_are_not_there(name):
    error, call, words = REFUSED[name]
    with pytest.raises(error, match=words) as refused:
        call(ours(SORTED))
    assert isinstance(refused.value, cn.ColumnadeError)


ROWS = pd.DataFrame({"a": [1, 5, 3, 4], "b": [2.0, None, 9.0, 0.5], "g": ["p", "q", "p", "q"]}, index=SORTED)
EXTREMES = {
    "rows": lambda f: f.loc[f[["a", "b"]].idxmax()],
    "row and column": lambda f: f.loc[f[["a", "b"]].idxmax().iloc[0], "b"],
    "value": lambda f: f.at[f[["a", "b"]].idxmin()["b"], "a"],
    "rows of a series": lambda f: f["a"].loc[f[["a", "b"]].idxmin()],
    "value of a series": lambda f: f["a"].loc[f[["a", "b"]].idxmax()["b"]],
    "value of a series by at": lambda f: f["a"].at[f[["a", "b"]].idxmax()["b"]],
    "groups": lambda f: f.loc[f.groupby("g")["a"].idxmax()],
    "groups of a frame": lambda f: f.loc[f.groupby("g").idxmin()["b"]],
    "groups by a level": lambda f: f.loc[f.groupby(level="k")["a"].idxmax(), ["a"]],
}


@pytest.mark.parametrize("name", EXTREMES)
def test_labels_of_extremes_are_found(name):
    same(EXTREMES[name](ours(ROWS)), EXTREMES[name](ROWS))


def tuples(values):
    return [tuple(value.values()) if isinstance(value, dict) else value for value in values.to_list()]


@pytest.mark.parametrize("name", ["idxmax", "idxmin"])
def test_labels_of_extremes_are_structs(name):
    frame = ours(ROWS)
    assert tuples(getattr(frame[["a", "b"]], name)()) == getattr(ROWS[["a", "b"]], name)().tolist()
    for label in ("a", "b"):
        made, expected = getattr(frame.groupby("g"), name)(), getattr(ROWS.groupby("g"), name)()
        assert tuples(made[label]) == expected[label].tolist()
        assert tuples(getattr(frame.groupby("g")[label], name)()) == expected[label].tolist()
    made = getattr(frame.groupby("g", as_index=False)["a"], name)()
    assert made.columns == ["g", "a"] and tuples(made["a"]) == getattr(ROWS.groupby("g"), name)()["a"].tolist()


def test_labels_of_extremes_without_names_or_values():
    frame = ours(ROWS.rename_axis([None, None]))
    assert frame[["a"]].idxmax().to_list() == [{"0": "a", "1": 2}]
    assert frame[:0][["a", "b"]].idxmax().to_list() == [None, None]
    assert frame.set_loc(frame[["a"]].idxmax(), "a", 0)["a"].to_list() == [1, 0, 3, 4]
    assert frame.set_loc({"k": "a", "n": 2}, "a", 0)["a"].to_list() == [1, 0, 3, 4]


def test_factorize_of_no_labels_keeps_names():
    both(lambda m, i: i[:0].factorize()[1], i=SORTED)
