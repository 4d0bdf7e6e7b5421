"""Keys that are computed with all rows, such as the items of lists: those of groups, orders and joins are as those of a column."""

import datetime as dt

import columnade as cn
from columnade import col, element
import pytest

DATA = {
    "a": [3, 1, 2, 1], "l": [[1], [2], None, [1]], "d": [dt.date(2024, 1, 5), dt.date(2024, 1, 8), None, dt.date(2024, 1, 5)],
    "s": ["ab", "b", "a", "ab"], "t": [dt.datetime(2024, 1, 5), dt.datetime(2024, 2, 8), None, dt.datetime(2024, 1, 5)],
}
KEYS = {
    "map_elements": lambda: col("a").map_elements(lambda value: value % 2, return_dtype="int64"),
    "list.eval": lambda: col("l").list.eval(element() + 1), "list.filter": lambda: col("l").list.filter(element() > 1),
    "add_business_days": lambda: col("d").dt.add_business_days(1, roll="forward"), "dt.replace": lambda: col("t").dt.replace(day=3),
    "replace_many": lambda: col("s").str.replace_many(["a"], ["x"]), "search_sorted": lambda: col("a").search_sorted(col("a")),
}


def frames(name):
    """A frame, and one that has the key as a column."""
    frame = cn.DataFrame(DATA).with_index(cn.Index(list("pqrs")))
    return frame, frame.with_columns(KEYS[name]().alias("key"))


@pytest.mark.parametrize("name", KEYS)
def test_keys_of_groups(device, name):
    frame, other = frames(name)
    for options in ({}, {"dropna": False}, {"sort": True, "as_index": True}):
        wanted = other.group_by("key", **options).agg(col("s").first().alias("first"), cn.len().alias("len"))
        for groups in (frame.group_by(KEYS[name]().alias("key"), **options), frame.group_by(key=KEYS[name](), **options)):
            made = groups.agg(col("s").first().alias("first"), cn.len().alias("len"))
            assert made.to_dict() == wanted.to_dict() and made.index.equals(wanted.index)
    label = frame.select(KEYS[name]()).columns[0]
    assert frame.group_by(KEYS[name]()).agg(cn.len().alias("len")).columns == [label, "len"]


@pytest.mark.parametrize("name", KEYS)
def test_orders_of_rows(device, name):
    frame, other = frames(name)
    for call in (
        lambda f, key: f.sort(key), lambda f, key: f.sort([key, "a"], descending=[True, False]), lambda f, key: f.sort_values(key),
        lambda f, key: f.sort_values(["s", key], ascending=[False, True]), lambda f, key: f.sort_values(key, na_position="first"),
        lambda f, key: f.top_k(2, by=key), lambda f, key: f.bottom_k(3, by=key),
    ):
        made, wanted = call(frame, KEYS[name]()), call(other, "key").drop("key")
        assert made.to_dict() == wanted.to_dict() and made.index.equals(wanted.index)
    assert frame.argsort(KEYS[name]()).to_list() == other.argsort("key").to_list()


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("how", ["inner", "left", "right", "outer", "semi", "anti"])
def test_keys_of_joins(device, name, how):
    frame, other = frames(name)
    key = KEYS[name]()
    right = other.iloc[1:3].rename(columns={label: f"{label}2" for label in DATA})
    wanted = other.merge(right, on="key", how=how).drop("key")
    made = frame.merge(right, left_on=key, right_on="key", how=how)
    assert (made.drop("key") if "key" in made else made).to_dict() == wanted.to_dict()
    if how in ("inner", "semi"):
        assert len(frame.merge(frame, on=key, how=how)) == len(other.merge(other, on="key", how=how))
        made = frame.join(frame, left_on=key, right_on=key, how=how, suffix="_r")
        assert len(made) == len(other.join(other, on="key", how=how, suffix="_r"))


def test_several_columns_are_several_keys(device):
    frame = cn.DataFrame(DATA)
    for several in (col("a", "s"), cn.selectors.by_name("a", "s")):
        assert frame.sort_values(several).to_dict() == frame.sort_values(["a", "s"]).to_dict()
        assert frame.merge(frame, on=several).to_dict() == frame.merge(frame, on=["a", "s"]).to_dict()
        with pytest.raises(cn.ColumnValueError, match="^group_by: 'k' is one key, and 2 are given$"):
            frame.group_by(k=several)
