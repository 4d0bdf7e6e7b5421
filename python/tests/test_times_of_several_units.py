"""Joins, comparisons and members of times of several units, some beyond the range of the finer one, beside Python's integers."""

import datetime as dt

import columnade as cn
import pyarrow as pa
import pytest
from columnade import col

# Seconds, of which the third and the fourth are no nanoseconds in 64 bits.
SECONDS = [60, None, 253_402_214_400, -253_402_214_400, 0, -1]
NANOS = [0, 60 * 10**9, 2**63 - 1, None, -1, -(10**9)]


def frames():
    left = cn.from_arrow(pa.table({"k": pa.array(SECONDS, pa.timestamp("s")), "l": range(6)}))
    right = cn.from_arrow(pa.table({"k": pa.array(NANOS, pa.timestamp("ns")), "r": range(6)}))
    return left, right


PAIRS = [(0, 1), (4, 0), (5, 5)]


def pairs(frame):
    return sorted(zip(frame["l"].to_list(), frame["r"].to_list()), key=repr)


@pytest.mark.parametrize("how", ["inner", "left", "right", "semi", "anti"])
def test_times_beyond_the_range_match_nothing(device, how):
    left, right = frames()
    made = left.merge(right, on="k", how=how, nulls_equal=False)
    matched = [place for place, _ in PAIRS]
    if how in ("semi", "anti"):
        assert made["l"].to_list() == [row for row in range(6) if (row in matched) == (how == "semi")]
        assert str(made["k"].dtype) == "timestamp[s]"
        return
    alone = {"left": [(row, None) for row in range(6) if row not in matched], "right": [(None, row) for row in (2, 3, 4)], "inner": []}
    assert pairs(made) == sorted(PAIRS + alone[how], key=repr)
    assert str(made["k"].dtype) == ("timestamp[s]" if how == "left" else "timestamp[ns]")
    if how == "left":
        assert made.sort_values("l")["k"].cast("int64").to_list() == SECONDS


def test_times_of_one_column_have_to_be_in_the_finer_unit(device):
    left, right = frames()
    with pytest.raises(OverflowError, match="9999-12-31") as error:
        left.merge(right, on="k", how="outer")
    assert error.value.column == "k"
    made = left.filter(col("l").is_in([0, 4, 5])).merge(right, on="k", how="outer")
    assert str(made["k"].dtype) == "timestamp[ns]" and made["k"].len() == 6


def test_comparisons_and_members_are_exact(device):
    left, right = frames()
    beside = left.with_columns(o=right["k"])
    exact = [None if a is None or b is None else (a * 10**9 < b, a * 10**9 == b) for a, b in zip(SECONDS, NANOS)]
    assert beside.select(x=col("k") < col("o"))["x"].to_list() == [pair and pair[0] for pair in exact]
    assert beside.select(x=col("k") == col("o"))["x"].to_list() == [pair and pair[1] for pair in exact]
    found = left.select(x=col("k").is_in(right["k"]))["x"].to_list()
    assert found == [None if value is None else value * 10**9 in NANOS for value in SECONDS]


@pytest.mark.parametrize("days, last", [(None, 2), (200_000, None), (3_000_000, 2)])
def test_nearest_times_are_exact(device, days, last):
    left, right = (frame.filter(col("k").is_not_null()).sort_values("k") for frame in frames())
    made = left.join_asof(right, on="k", tolerance=days and dt.timedelta(days=days))
    assert made["l"].to_list() == [3, 5, 4, 0, 2]
    assert made["r"].to_list() == [None, 5, 0, 1, last]


def test_labels_beyond_the_range_are_not_equal(device):
    left, right = (cn.Index(frame["k"]) for frame in frames())
    assert not left.equals(right) and left.equals(left)
    near = [cn.Index(frame["k"].head(1)) for frame in frames()]
    assert not near[0].equals(near[1]) and near[1].equals(cn.Index(frames()[0]["k"].slice(4, 1)))
