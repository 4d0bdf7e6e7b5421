"""Arguments of pandas for row labels: the same calls on both."""

import datetime as dt

from beside import library_of, same
import columnade as cn
import pandas as pd
import pytest

DAYS = [dt.datetime(2024, 1, day, hour) for day, hour in ((1, 0), (2, 9), (3, 0), (5, 18), (9, 9))]


def index(i, values, name=None):
    return library_of(i).Index(values, name=name)


def numbers(made):
    """Positions, which are a series here and an array there."""
    return [int(at) for at in (made.to_list() if isinstance(made, cn.Series) else made)]


def coded(codes):
    return [-1 if code is None else int(code) for code in (codes.to_list() if isinstance(codes, cn.Series) else codes)]


CALLS = {
    "sort key": lambda i: i.sort_values(key=lambda labels: -labels),
    "sort indexer": lambda i: [i.sort_values(return_indexer=True)[0], numbers(i.sort_values(return_indexer=True, ascending=False)[1])],
    "sort nulls": lambda i: index(i, ["b", None, "a"]).sort_values(na_position="first"),
    "sort nulls last": lambda i: index(i, ["b", None, "a"]).sort_values(na_position="last", ascending=False),
    "union": lambda i: i.union(index(i, [9, 1]), sort=False),
    "union sorted": lambda i: i.union([9, 1], sort=True) if library_of(i) is pd else i.union([9, 1], sort=True),
    "union of duplicates": lambda i: index(i, [3, 1, 3]).union(index(i, [7, 3]), sort=False).sort_values(),
    "intersection": lambda i: i.intersection(index(i, [1, 3]), sort=False),
    "intersection sorted": lambda i: i.intersection(index(i, [3, 1]), sort=True),
    "difference": lambda i: i.difference(index(i, [1]), sort=False),
    "difference of text": lambda i: index(i, ["z", "a", "m"]).difference(["a"], sort=False),
    "symmetric difference": lambda i: i.symmetric_difference(index(i, [9, 1]), result_name="both"),
    "symmetric difference unsorted": lambda i: i.symmetric_difference(index(i, [9, 1, 0]), sort=False),
    "join": lambda i: i.join(index(i, [1, 9]), how="inner", return_indexers=False),
    "join sorted": lambda i: i.join(index(i, [1, 9]), how="left", sort=True, return_indexers=False),
    "get_indexer": lambda i: numbers(index(i, [1, 3, 5]).get_indexer([2, 3, 9], method="ffill", tolerance=1)),
    "get_indexer nearest": lambda i: numbers(index(i, [10, 30, 50]).get_indexer([12, 38, 49], method="nearest", tolerance=5)),
    "get_indexer limit": lambda i: numbers(index(i, [1, 5]).get_indexer([1, 2, 3, 4], method="ffill", limit=2)),
    "get_indexer of times": lambda i: numbers(index(i, DAYS).get_indexer([dt.datetime(2024, 1, 1, 5), dt.datetime(2024, 1, 8)], method="pad", tolerance=dt.timedelta(hours=12))),
    "get_loc": lambda i: i.get_loc(key=1),
    "insert": lambda i: i.insert(loc=-1, item=7),
    "insert first": lambda i: i.insert(0, 7),
    "delete": lambda i: i.delete(loc=[0, -1]),
    "drop": lambda i: i.drop([1, 77], errors="ignore"),
    "drop nothing": lambda i: i.drop([77], errors="ignore"),
    "rename": lambda i: i.rename(name="q"),
    "slice_locs": lambda i: [index(i, list("abcdd")).slice_locs("b", "d", step=1), index(i, list("abcdd")).slice_locs("d", "b", step=-1), index(i, list("abc")).slice_locs("c", "a", -2)],
    "slice_indexer": lambda i: list(range(5))[index(i, list("abcde")).slice_indexer("d", "b", -1)],
    "to_frame": lambda i: i.to_frame(index=False, name="v"),
    "to_frame of levels": lambda i: library_of(i).DataFrame({"a": [1], "b": [2], "c": [3]}).set_index(["a", "b"]).index.to_frame(index=False, name=["x", "y"]),
    "to_series": lambda i: i.to_series(index=list("abc"), name="v"),
    "to_series name": lambda i: i.to_series(name="v"),
    "factorize": lambda i: [coded(index(i, ["b", None, "a", "b"]).factorize(sort=True)[0]), index(i, ["b", None, "a"]).factorize(sort=True)[1]],
    "factorize null": lambda i: [coded(index(i, ["b", None, "a", "b"]).factorize(use_na_sentinel=False)[0]), index(i, ["b", None, "a"]).factorize(use_na_sentinel=False)[1]],
    "searchsorted": lambda i: int(i.searchsorted(2, sorter=[1, 2, 0])),
    "unique": lambda i: index(i, [2, 1, 2]).unique(),
    "unique of a level": lambda i: library_of(i).DataFrame({"a": [1, 1], "b": [2, 3], "c": [3, 3]}).set_index(["a", "b"]).index.unique(level="a"),
    "reindex": lambda i: [i.reindex([1, 9])[0], numbers(i.reindex([1, 9])[1]), i.reindex(i)[1]],
    "groupby": lambda i: [[key, found] for key, found in i.groupby(["x", "y", "x"]).items()],
    "asof": lambda i: [index(i, [1, 3, 5]).asof(4), index(i, [1, 3, 5]).asof(5)],
    "get_slice_bound": lambda i: [index(i, [1, 3, 5]).get_slice_bound(3, "left"), index(i, [1, 3, 3, 5]).get_slice_bound(3, "right"), index(i, [1, 3]).get_slice_bound(4, side="right")],
    "ravel": lambda i: [i.infer_objects(), i.is_(i), i.is_(index(i, [1]))],
    "asi8": lambda i: [stamp // 1000 if library_of(i) is pd and pd.DatetimeIndex(DAYS).unit == "ns" else stamp for stamp in index(i, DAYS).asi8.tolist()],
    "inferred_type": lambda i: [index(i, values).inferred_type for values in ([1], [1.5], ["a"], [True], DAYS, [dt.timedelta(1)])],
    "to_pydatetime": lambda i: index(i, DAYS).to_pydatetime(),
    "as_unit": lambda i: [index(i, DAYS).as_unit("ms").asi8.tolist(), index(i, [dt.timedelta(1)]).as_unit("s").asi8.tolist()],
    "mean": lambda i: [index(i, DAYS).mean(), index(i, [dt.timedelta(1), dt.timedelta(3)]).mean()],
    "strings": lambda i: [index(i, ["b", "A"], "k").str.upper(), index(i, ["b", "A"]).str.startswith("A")],
    "comparisons": lambda i: [i > 1, i >= 2, i < index(i, [4, 0, 2]), i <= [3, 0, 2]],
    "comparisons with null": lambda i: [index(i, [3.0, None]) > 1, index(i, [3.0, None]) <= 1],
    "comparisons of times": lambda i: [index(i, DAYS) > dt.datetime(2024, 1, 2), index(i, DAYS).year >= 2024],
    "arithmetic": lambda i: [i + 1, 1 - i, i * i, i / 2, i // 2, 7 % i, -i, abs(-i), i ** 2],
    "arithmetic of times": lambda i: [index(i, DAYS, "t") + dt.timedelta(1), index(i, DAYS) - dt.datetime(2024, 1, 1)],
    "rows by labels": lambda i: library_of(i).DataFrame({"n": [1, 2, 3]}, index=i)[i > 1],
    "strftime": lambda i: index(i, DAYS).strftime(date_format="%d.%m"),
    "indexer_at_time": lambda i: numbers(index(i, DAYS).indexer_at_time("9:00")),
    "indexer_between_time": lambda i: numbers(index(i, DAYS).indexer_between_time("9:00", "18:00", include_end=False)),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    same(CALLS[name](cn.Index([3, 1, 2], name="n")), CALLS[name](pd.Index([3, 1, 2], name="n")))


def test_what_is_there():
    labels = cn.Index([3, 1])
    assert labels.insert(position=0, label=9).to_list() == [9, 3, 1] and labels.delete(positions=0).to_list() == [1] and labels.rename(names="q").name == "q"
    assert labels.asof(3) == 3 if labels.is_monotonic_increasing else cn.Index([1, 3]).asof(0) is None
    joined, left, right = labels.join([1, 9], how="outer", sort=True, return_indexers=True)
    assert (joined.to_list(), left.to_list(), right.to_list()) == ([1, 3, 9], [1, 0, -1], [0, -1, 1])
    zoned = cn.Index(DAYS).tz_localize("Europe/Rome")
    assert str(zoned.tzinfo) == "Europe/Rome" and cn.Index(DAYS).tzinfo is None and str(zoned.as_unit("s").dtype) == "timestamp[s, Europe/Rome]"
    assert cn.Index([1, 2]).std() == pytest.approx(0.5**0.5)
    empty = cn.Index(cn.Series([], dtype="int64"))
    assert empty.sort_values(return_indexer=True)[1].to_list() == [] and empty.union([1], sort=False).to_list() == [1] and empty.drop([1], errors="ignore").to_list() == []
    levels = cn.Index.from_arrays([["b", "a"], [1, 2]], ["i", "j"])
    assert levels.sort_values(key=lambda labels: labels).to_list() == [("a", 2), ("b", 1)] and levels.unique(level=1).to_list() == [1, 2]
    assert levels.union(cn.Index.from_arrays([["A"], [0]], ["i", "j"]), sort=False).to_list() == [("b", 1), ("a", 2), ("A", 0)]


ERRORS = {
    "na_position": (ValueError, lambda i: i.sort_values(na_position="middle"), "na_position is"),
    "key": (ValueError, lambda i: i.sort_values(key=lambda labels: labels[:1]), "key gives 1 values for 3"),
    "sort": (ValueError, lambda i: i.union([1], sort="yes"), "union: sort is None, False or True"),
    "level": (NotImplementedError, lambda i: i.join([1], level=0), "level"),
    "tolerance": (ValueError, lambda i: i.get_indexer([1], tolerance=1), "go with a method"),
    "insert": (IndexError, lambda i: i.insert(-9, 1), "no position -9 in 3 labels"),
    "insert item": (TypeError, lambda i: i.insert(0), "item is missing"),
    "drop": (KeyError, lambda i: i.drop([77]), "77"),
    "drop errors": (ValueError, lambda i: i.drop([77], errors="maybe"), "errors is"),
    "name": (ValueError, lambda i: i.to_frame(name=["a", "b"]), "2 names for 1 levels"),
    "to_series": (ValueError, lambda i: i.to_series(index=[1]), "index has 1 labels for 3 values"),
    "groupby": (ValueError, lambda i: i.groupby([1]), "1 values for 3 labels"),
    "asof": (ValueError, lambda i: i.asof(1), "not sorted"),
    "side": (ValueError, lambda i: i.get_slice_bound(1, "middle"), "side is"),
    "unit": (ValueError, lambda i: cn.Index(DAYS).as_unit("D"), "unit is"),
    "as_unit": (TypeError, lambda i: i.as_unit("s"), "not int64"),
    "to_pydatetime": (TypeError, lambda i: i.to_pydatetime(), "times, not int64"),
    "comparison": (ValueError, lambda i: i < [1], "3 and 1 labels"),
    "level of unique": (KeyError, lambda i: i.unique(level="z"), "no level 'z'"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_argument(name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call(cn.Index([3, 1, 2], name="n"))
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value), str(error.value)


def test_labels_without_times_have_no_numbers():
    with pytest.raises(AttributeError, match="asi8"):
        cn.Index([1]).asi8
