"""Joins of frames that are in order: `merge_sorted` and `merge_asof`, beside Polars and pandas."""

import datetime
import decimal
import itertools

import columnade as cn
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from columnade import col


def test_columns_that_only_later_frames_have_are_an_error():
    one, two = {"a": [1]}, {"a": [1], "b": [2]}
    with pytest.raises(pl.exceptions.SchemaError):
        pl.DataFrame(one).merge_sorted(pl.DataFrame(two), "a")
    for merged in (
        lambda: cn.merge_sorted([cn.DataFrame(one), cn.DataFrame(two)], "a"), lambda: cn.DataFrame(one).merge_sorted(cn.DataFrame(two), "a"),
        lambda: cn.merge_sorted([cn.DataFrame(one), cn.DataFrame(one), cn.DataFrame(two)], "a"),
    ):
        with pytest.raises(cn.ColumnKeyError, match="^merge_sorted: there is no column 'b' in the first frame") as error:
            merged()
        assert (error.value.operation, error.value.column) == ("merge_sorted", "b")
    with pytest.raises(cn.ColumnKeyError) as error:
        cn.merge_sorted([cn.DataFrame(two), cn.DataFrame(one)], "a")
    assert error.value.column == "b"


def test_nulls_are_where_the_frames_have_them(device):
    for one, two in itertools.product([[None, 1, 3], [1, 3], [None, None], []], repeat=2):
        mine = cn.DataFrame({"a": cn.Series(one, dtype="int64")}).merge_sorted(cn.DataFrame({"a": cn.Series(two, dtype="int64")}), "a")
        theirs = pl.DataFrame({"a": one}, schema={"a": pl.Int64}).merge_sorted(pl.DataFrame({"a": two}, schema={"a": pl.Int64}), "a")
        assert mine.to_dict("list") == theirs.to_dict(as_series=False)
    last, none = cn.DataFrame({"a": [1, None]}), cn.DataFrame({"a": [0, 2]})
    assert last.merge_sorted(none, "a")["a"].to_list() == none.merge_sorted(last, "a")["a"].to_list() == [0, 1, 2, None]


def test_dtypes_of_sorted_frames_are_widened_as_concat_does(device):
    one = cn.DataFrame({"a": [1, 4], "b": [1, 2]}).cast({"b": "int8"})
    two = cn.DataFrame({"b": [0.5, 1.5], "a": [2, 9]}).cast({"a": "int8"})
    made = cn.merge_sorted([one, two, one], "a")
    assert made.to_dict("list") == {"a": [1, 1, 2, 4, 4, 9], "b": [1.0, 1.0, 0.5, 2.0, 2.0, 1.5]}
    assert made.dtypes == cn.concat([one, two, one]).dtypes and made.device == device
    by_float = cn.merge_sorted([cn.DataFrame({"k": [3, 1]}), cn.DataFrame({"k": [2.5, None]})], "k", ascending=False)
    assert by_float["k"].to_list() == [3.0, 2.5, 1.0, None]
    with pytest.raises(cn.ColumnTypeError, match='^merge_sorted: column "a": int64 and utf8 do not go together') as error:
        cn.merge_sorted([cn.DataFrame({"a": [1]}), cn.DataFrame({"a": ["x"]})], "a")
    assert (error.value.operation, error.value.column, error.value.dtype) == ("merge_sorted", "a", "int64")


TIMES = [datetime.datetime(2024, 1, 1, 0, minute) for minute in (0, 3, 4, 20)]
LEFT = {"t": TIMES, "v": [1, 2, 3, 4]}
RIGHT = {"t": [TIMES[0], datetime.datetime(2024, 1, 1, 0, 2)], "w": [5, 6]}


@pytest.mark.parametrize("text", ["1m", "2m", "90s", "1m30s", "1h", "1d"])
def test_tolerances_are_texts(text):
    expected = pl.DataFrame(LEFT).join_asof(pl.DataFrame(RIGHT), on="t", tolerance=text)["w"].to_list()
    left, right = cn.DataFrame(LEFT), cn.DataFrame(RIGHT)
    assert left.merge_asof(right, on="t", tolerance=text)["w"].to_list() == expected
    assert cn.merge_asof(left, right, on="t", tolerance=text)["w"].to_list() == expected
    assert left.join_asof(right, on="t", tolerance=text)["w"].to_list() == expected
    labelled = left.set_index("t").merge_asof(right.set_index("t"), left_index=True, right_index=True, tolerance=text)
    assert labelled["w"].to_list() == expected


def test_tolerances_are_texts_of_pandas():
    for text in ("1min", "2 min", "1 day"):
        expected = pd.merge_asof(pd.DataFrame(LEFT), pd.DataFrame(RIGHT), on="t", tolerance=pd.Timedelta(text))["w"]
        made = cn.DataFrame(LEFT).merge_asof(cn.DataFrame(RIGHT), on="t", tolerance=text)["w"]
        assert made.to_list() == [None if value != value else value for value in expected]


@pytest.mark.parametrize("key, tolerance, reason", [
    ("t", 5, "tolerance is a duration such as \"5m\" or a timedelta for the key 't' of timestamp.us., not 5$"),
    ("t", "soon", "tolerance is a duration such as \"5m\" or a timedelta, not 'soon'$"), ("t", "1mo", "tolerance has no months"),
    ("v", datetime.timedelta(seconds=1), r"tolerance is a number for the key 'v' of int64, not datetime.timedelta\(seconds=1\)$"),
    ("v", "1m", "tolerance is a number for the key 'v' of int64, not '1m'$"),
])
def test_errors_of_tolerances_name_the_key(key, tolerance, reason):
    left, right = cn.DataFrame(LEFT), cn.DataFrame({**RIGHT, "v": [1, 2]})
    for name in ("merge_asof", "join_asof"):
        with pytest.raises(cn.ColumnValueError, match=f"^{name}: {reason}") as error:
            getattr(left, name)(right, on=key, tolerance=tolerance)
        assert (error.value.operation, error.value.column) == (name, key)
    with pytest.raises(cn.ColumnValueError, match="^merge_asof: tolerance is a number for row labels of int64"):
        left.merge_asof(right, left_index=True, right_index=True, tolerance=datetime.timedelta(1))


def test_whole_numbers_and_floats_are_near_by_value():
    left = {"t": [1, 4, 9], "g": [1, 2, 1]}
    right = {"t": [0.5, 1.0, 8.75], "g": [1.0, 2.0, 1.0], "w": [5, 6, 7]}
    floats = pd.DataFrame(left).astype({"t": "float64", "g": "float64"})
    for options in ({"on": "t"}, {"on": "t", "by": "g"}, {"on": "t", "by": "g", "tolerance": 1}, {"on": "t", "direction": "nearest"}):
        expected = pd.merge_asof(floats, pd.DataFrame(right), **options)
        made = cn.DataFrame(left).merge_asof(cn.DataFrame(right), **options)
        assert made.columns == list(expected.columns)
        assert made["w"].to_list() == [None if value != value else value for value in expected["w"]]
        assert str(made["t"].dtype) == "int64"
    renamed = cn.DataFrame(right).rename(columns={"t": "u", "g": "h"})
    made = cn.DataFrame(left).merge_asof(renamed, left_on="t", right_on="u", left_by="g", right_by="h")
    assert made.columns == ["t", "g", "u", "h", "w"]
    assert [str(dtype) for dtype in made.dtypes.values()] == ["int64", "int64", "float64", "float64", "int64"]
    assert made["w"].to_list() == [5, 6, 7]
    assert cn.DataFrame(left).merge_asof(renamed, left_on=col("t") * 1, right_on="u")["w"].to_list() == [6, 6, 7]


def test_errors_of_keys_name_the_frame():
    up, down = cn.DataFrame({"t": [1, 2]}), cn.DataFrame({"t": [2, 1]})
    for left, right, side in ((down, up, "left"), (up, down, "right"), (down, down, "left")):
        with pytest.raises(cn.ColumnValueError, match=f'^merge_asof: column "t" of the {side} frame: not sorted') as error:
            left.merge_asof(right, on="t")
        assert error.value.column == "t"
    with pytest.raises(cn.ColumnValueError, match="^merge_asof: column .* of the right frame: not sorted"):
        up.merge_asof(down.set_index("t"), left_on="t", right_index=True)
    with pytest.raises(cn.ColumnValueError, match='^merge_asof: duplicate column label "a_x"') as error:
        cn.DataFrame({"t": [1], "a": [1], "a_x": [1]}).merge_asof(cn.DataFrame({"t": [1], "a": [1]}), on="t")
    assert error.value.operation == "merge_asof"


WORDS = {"left": {"k": ["a", "c", "e"], "g": [1, 2, 1]}, "right": {"k": ["b", "c", "d"], "g": [1, 2, 1], "w": [1, 2, 3]}}
ORDERED = {
    "text": (lambda s: s, pl.String), "bytes": (lambda s: s.cast("binary"), pl.Binary),
    "categories": (lambda s: s.astype("category"), pl.String),
    "ordered": (lambda s: s.astype("category").cat.set_categories(list("abcde")).cat.as_ordered(), pl.Enum(list("abcde"))),
}


@pytest.mark.parametrize("kind", ORDERED)
def test_texts_and_categories_are_before_and_after_each_other(device, kind):
    make, dtype = ORDERED[kind]
    mine = [frame.assign(k=make(frame["k"])) for frame in map(cn.DataFrame, WORDS.values())]
    theirs = [pl.DataFrame(data).cast({"k": dtype}) for data in WORDS.values()]
    for strategy, exact, by in itertools.product(("backward", "forward"), (True, False), (None, "g")):
        options = {"on": "k", "by": by, "strategy": strategy, "allow_exact_matches": exact}
        made = mine[0].join_asof(mine[1], **options)
        assert made["w"].to_list() == theirs[0].join_asof(theirs[1], **options)["w"].to_list()
        assert made.dtypes["k"] == mine[0].dtypes["k"]
    for options in ({"direction": "nearest"}, {"tolerance": 1}):
        with pytest.raises(cn.ColumnTypeError, match='^merge_asof: column "k": .* has an order but no distances') as error:
            mine[0].merge_asof(mine[1], on="k", **options)
        assert (error.value.operation, error.value.column, error.value.dtype) == ("merge_asof", "k", str(mine[0].dtypes["k"]))


def test_categories_are_in_their_own_order(device):
    def frame(values, order):
        values = cn.Series(values).astype("category").cat.set_categories(order).cat.as_ordered()
        return cn.DataFrame({"k": values, "at": list(range(len(values)))})

    order = ["low", "mid", "high"]
    left, right = frame(["low", "mid", "high"], order), frame(["mid", "high"], order)
    assert left.merge_asof(right, on="k")["at_y"].to_list() == [None, 0, 1]
    assert left.merge_asof(right, on="k", direction="forward")["at_y"].to_list() == [0, 0, 1]
    with pytest.raises(cn.ColumnValueError, match='^merge_asof: column "k" of the right frame: not sorted'):
        left.merge_asof(frame(["high", "mid"], order), on="k")
    with pytest.raises(cn.ColumnValueError, match='^merge_asof: column "k": dictionaries: ordered dictionaries that differ') as error:
        left.merge_asof(frame(["high", "low"], order[::-1]), on="k")
    assert error.value.column == "k"
    text = cn.DataFrame({"k": ["high", "low"], "at": [0, 1]})
    for other in (text, text.assign(k=text["k"].astype("category"))):
        with pytest.raises(cn.ColumnTypeError, match='^merge_asof: column "k": .* do not go together') as error:
            left.merge_asof(other, on="k")
        assert error.value.column == "k"


def test_sorted_categories_are_merged_in_one_order(device):
    def frame(values, order=None):
        values = cn.Series(values).astype("category")
        return cn.DataFrame({"k": values if order is None else values.cat.set_categories(order).cat.as_ordered()})

    order = ["low", "mid", "high"]
    made = cn.merge_sorted([frame(["low", "high"], order), frame(["mid", "high"], order)], "k")
    assert made["k"].to_list() == ["low", "mid", "high", "high"] and str(made["k"].dtype) == "dictionary<int32, utf8, ordered>"
    assert cn.merge_sorted([frame(["b", "d"]), frame(["a", "b", "c"])], "k")["k"].to_list() == ["a", "b", "b", "c", "d"]
    with pytest.raises(cn.ColumnValueError, match='^merge_sorted: column "k": dictionaries: ordered dictionaries that differ') as error:
        cn.merge_sorted([frame(["low"], order), frame(["low"], order[::-1])], "k")
    assert error.value.column == "k"
    # As text the categories are in another order.
    for other in (frame(["high", "low"]), cn.DataFrame({"k": ["high", "low"]})):
        for frames in ([frame(["low", "high"], order), other], [other, frame(["low", "high"], order)]):
            with pytest.raises(cn.ColumnTypeError, match='^merge_sorted: column "k": .* do not go together') as error:
                cn.merge_sorted(frames, "k")
            assert error.value.column == "k"
    # Other columns than keys are widened.
    mine, other = (made.assign(n=list(range(len(made)))) for made in (frame(["low"], order), cn.DataFrame({"k": ["low"]})))
    assert cn.merge_sorted([mine, other], "n")["k"].to_list() == ["low", "low"]


def test_booleans_are_before_and_after_each_other(device):
    left, right = {"k": [False, True, True]}, {"k": [False, True], "w": [1, 2]}
    for strategy, exact in itertools.product(("backward", "forward"), (True, False)):
        options = {"on": "k", "strategy": strategy, "allow_exact_matches": exact}
        expected = pl.DataFrame(left).join_asof(pl.DataFrame(right), **options)["w"].to_list()
        assert cn.DataFrame(left).join_asof(cn.DataFrame(right), **options)["w"].to_list() == expected


def test_keys_are_computed_with_the_rows_of_their_frame(device):
    left, right = cn.DataFrame({"t": [10, 12, 15], "v": [1, 2, 3]}), cn.DataFrame({"t": [100, 103, 106], "w": [7, 8, 9]})
    expected = [7, 7, 8]
    assert left.merge_asof(right, on=col("t") - col("t").min())["w"].to_list() == expected
    assert left.join_asof(right, on=col("t") - col("t").min())["w"].to_list() == expected
    made = left.merge_asof(right, on=col("t").map_elements(lambda t: t % 100))
    assert made.to_dict("list") == {"t_x": [10, 12, 15], "v": [1, 2, 3], "t_y": [106] * 3, "w": [9] * 3}
    made = left.join_asof(right, left_on=col("t").map_elements(lambda t: t + 91), right_on="t")
    assert made["w"].to_list() == [7, 8, 9]
    by = {"left_by": "v", "right_by": col("w").map_elements(lambda w: w - 6)}
    made = left.merge_asof(right, left_on=col("t").map_elements(lambda t: t + 91), right_on="t", **by)
    assert made.to_dict("list") == {"t_x": [10, 12, 15], "v": [1, 2, 3], "t_y": [100, 103, 106], "w": [7, 8, 9]}
    labelled = left.set_index("t").merge_asof(right, left_index=True, right_on=col("t").map_elements(lambda t: t - 90))
    assert labelled["w"].to_list() == [7, 7, 8] and labelled.index.to_list() == [10, 12, 15]
    with pytest.raises(cn.ColumnValueError, match='^merge_asof: column "t" of the right frame: not sorted'):
        left.merge_asof(right, left_on="t", right_on=col("t").map_elements(lambda t: -t))
    with pytest.raises(cn.ColumnValueError, match="^merge_asof: give on, or left_on and right_on"):
        left.merge_asof(right, on=col("t").map_elements(abs), left_on="t")


def test_conditions_take_aggregates_of_one_frame(device):
    left, right = cn.DataFrame({"v": [1, 2, 3]}), cn.DataFrame({"w": [1, 3, 5]})
    pairs = itertools.product([1, 2, 3], [1, 3, 5])
    made = left.join_where(right, col("v") >= col("w").mean())
    assert list(zip(made["v"].to_list(), made["w"].to_list())) == [(v, w) for v, w in pairs if v >= 3]
    with pytest.raises(cn.ColumnValueError, match="^join_where: condition: .* reads columns of both$"):
        left.join_where(right, (col("v") + col("w")).sum() > 3)
    with pytest.raises(cn.ColumnValueError, match="^merge: condition: .* reads columns of none$"):
        left.merge(right, condition=cn.row_number() > col("w"))


CONDITIONS = {
    "map_elements": lambda c: c("v").map_elements(lambda v: v * 3) < c("w"),
    "both": lambda c: (c("v").map_elements(lambda v: v * 3) < c("w").map_elements(lambda w: -w)) | (c("v") == 3),
    "not": lambda c: ~(c("w") <= c("v").map_elements(lambda v: v * 3)) & (c("k") == c("k_right").map_elements(str.lower)),
    "picked": lambda c: c("w") > c("v") + c("v").sort().first(),
}


@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_may_be_computed_with_all_rows_of_a_frame(device, name):
    left, right = {"k": ["a", "b", "c"], "v": [1, 2, 3]}, {"k": ["A", "A", "B"], "w": [4, 5, -7]}
    mine, theirs = cn.DataFrame(left, index=[7, 8, 9]), pl.DataFrame(left)
    made = mine.join_where(cn.DataFrame(right), CONDITIONS[name](cn.col))
    expected = theirs.join_where(pl.DataFrame(right), CONDITIONS[name](pl.col)).sort("v", "w")
    assert made.sort_values(["v", "w"]).to_dict("list") == expected.to_dict(as_series=False)


def test_conditions_that_are_computed_go_with_keys_and_kinds_of_joins(device):
    left = cn.DataFrame({"k": [1, 1, 2], "v": [1, 5, 9]})
    right = cn.DataFrame({"k": [1, 2], "v": [2, 20]})
    condition = col("v_x").map_elements(lambda v: v * 2) > col("v_y")
    for options in ({"on": "k"}, {"left_on": "k", "right_on": "k"}, {"on": "k", "coalesce": False}, {"on": col("k").map_elements(lambda k: k)}):
        for how in ("inner", "left", "semi", "anti", "outer"):
            made = left.merge(right, how, condition=condition, **options)
            assert made.to_dict("list") == left.merge(right, how, condition=col("v_x") * 2 > col("v_y"), **options).to_dict("list")
    # A key that is one column is that of the left frame.
    made = left.merge(right, on="k", condition=col("k").map_elements(lambda k: k + 1) == col("v_y"))
    assert made.to_dict("list") == {"k": [1, 1], "v_x": [1, 5], "v_y": [2, 2]}
    with pytest.raises(cn.ColumnKeyError, match=r"^merge: there is no column 'v'; there is \['k_x', 'v_x', 'k_y', 'v_y'\]$") as error:
        left.merge(right, condition=col("v").map_elements(abs) > 1)
    assert (error.value.operation, error.value.column) == ("merge", "v")
    with pytest.raises(cn.ColumnNotImplementedError, match="^join_where: condition: .* reads columns of both frames") as error:
        left.join_where(right, (col("v") + col("v_right")).map_elements(abs) > 1)
    assert error.value.operation == "join_where"
    with pytest.raises(cn.ColumnValueError, match="^merge: condition: one column is expected, and 2 are given$"):
        left.merge(right, condition=col("k_x", "v_x").abs())


def test_merge_sorted_widens_decimals_of_any_storage(device):
    one = cn.DataFrame({"k": pa.array([decimal.Decimal(1), decimal.Decimal(3)], pa.decimal128(18, 0))})
    two = cn.DataFrame({"k": pa.array([2, 3], pa.uint16())})
    for frames in ([one, two], [two, one]):
        made = cn.merge_sorted(frames, "k")
        assert made["k"].to_list() == [1, 2, 3, 3] and made["k"].dtype == cn.concat(frames)["k"].dtype


def test_search_sorted_of_times_of_another_unit_is_exact(device):
    sorted_times = cn.Series(pa.array([0, 1], pa.timestamp("ns")))
    wanted = cn.Series(pa.array([10**10, -10**10, 0], pa.timestamp("s")))
    assert sorted_times.search_sorted(wanted).to_list() == [2, 0, 0]
    with pytest.raises(ValueError, match=r'search_sorted: column "when": row 0: "x" is not a value of timestamp\[ns\]') as raised:
        sorted_times.search_sorted(cn.Series(["x"], name="when"))
    assert raised.value.column == "when"
