"""Joins whose rows are in the order of the keys, against pandas."""

from random import Random

import pandas as pd
import pytest

import columnade as cn


def frames(rng, left_key, right_key):
    """Two frames with sorted keys that repeat and are missing, one column of their own and one that both have."""
    def columns(key, own):
        n = rng.randrange(7)
        keys = sorted((rng.choice([0, 1, 2, 3, None]) for _ in range(n)), key=lambda value: (value is None, value))
        return {key: keys, own: [rng.choice([1, 2, None]) for _ in range(n)], "z": [rng.choice([5, 6, None]) for _ in range(n)]}

    return columns(left_key, "x"), columns(right_key, "y")


def both(columns):
    ours = cn.DataFrame({label: cn.Series(values, dtype="int64") for label, values in columns.items()})
    return ours, pd.DataFrame({label: pd.array(values, dtype="Int64") for label, values in columns.items()})


def of_pandas(frame):
    return {label: [None if value is pd.NA else int(value) for value in frame[label]] for label in frame.columns}


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
@pytest.mark.parametrize("keys", [{"on": "k"}, {"left_on": "k", "right_on": "j"}])
def test_rows_of_merge_ordered_take_values_of_the_row_before(device, how, keys):
    rng, filled = Random(3), 0
    for _ in range(40):
        left, right = frames(rng, "k", keys.get("right_on", "k"))
        (ours, theirs), (our_right, their_right) = both(left), both(right)
        expected = of_pandas(pd.merge_ordered(theirs, their_right, how=how, fill_method="ffill", **keys))
        plain = cn.merge_ordered(ours, our_right, how=how, **keys).to_dict("list")
        found = cn.merge_ordered(ours, our_right, how=how, fill_method="ffill", **keys).to_dict("list")
        assert found == expected
        filled += plain != found
    assert filled > 0 or how == "inner"


@pytest.mark.parametrize("how", ["left", "right", "inner", "outer"])
@pytest.mark.parametrize("keys", [{"on": "k"}, {"on": "k", "coalesce": False}, {"left_on": "k", "right_on": "j"}])
@pytest.mark.parametrize("suffixes", [("_x", "_y"), ("_l", None)])
def test_sorted_rows_of_merge_are_in_the_order_of_the_keys(device, how, keys, suffixes):
    rng = Random(4)
    for _ in range(20):
        left, right = frames(rng, "k", keys.get("right_on", "k"))
        if "right_on" in keys:
            # The key of the left has the label of another column of the right.
            right = {**right, "k": [9 - number for number in range(len(right["j"]))]}
        for columns in (left, right):
            rows = list(zip(*columns.values()))
            rng.shuffle(rows)
            columns.update(zip(columns, zip(*rows)))
        found = both(left)[0].merge(both(right)[0], how=how, suffixes=suffixes, sort=True, **keys)
        plain = both(left)[0].merge(both(right)[0], how=how, suffixes=suffixes, **keys)
        assert found.columns == plain.columns
        rows = [tuple(row.values()) for row in found.to_dicts()]
        assert sorted(rows, key=repr) == sorted((tuple(row.values()) for row in plain.to_dicts()), key=repr)
        labels = {"on": ["k"], "coalesce": [f"k{suffixes[0]}", f"k{suffixes[1] or ''}"], "left_on": [f"k{suffixes[0]}", "j"]}[list(keys)[-1 if "coalesce" in keys else 0]]
        order = [next((value for value in pair if value is not None), None) for pair in zip(*(found[label].to_list() for label in labels))]
        assert order == sorted(order, key=lambda value: (value is None, value))
