"""Operators of series, expressions and frames, beside pandas and Python's own numbers."""

import decimal
import operator
import pickle
from decimal import Decimal

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import polars as pl
import pytest
from columnade import col

NAMES = ["add", "sub", "mul", "truediv", "floordiv", "mod"]
COMPARED = ["eq", "ne", "lt", "le", "gt", "ge"]
LEFT = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [4.0, 5.0, 6.0]}, index=["x", "y", "z"])
RIGHT = pd.DataFrame({"b": [2.0, 4.0], "c": [1.0, 8.0]}, index=["z", "w"])


def test_strings_are_joined(device):
    words = cn.Series(["tea", None, "né"])
    assert (words + "!").to_list() == ["tea!", None, "né!"] and ("<" + words).to_list() == ["<tea", None, "<né"]
    assert (words + words).to_list() == ["teatea", None, "néné"]
    assert (words.cat.encode() + words).to_list() == ["teatea", None, "néné"]
    frame = cn.DataFrame({"w": words, "v": ["a", "b", None]})
    assert frame.select(x=col("w") + col("v"))["x"].to_list() == ["teaa", None, None]
    assert frame.select(x="<" + col("w") + ">")["x"].to_list() == ["<tea>", None, "<né>"]
    with pytest.raises(cn.ColumnadeError, match="^add: "):
        words + 1


def test_exclusive_or(device):
    flags, others = [True, False, None, True], [True, True, True, None]
    expected = [False, True, None, None]
    assert (cn.Series(flags) ^ cn.Series(others)).to_list() == expected
    frame = cn.DataFrame({"f": flags, "g": others, "n": [6, None, -1, 0]})
    assert frame.select(x=col("f") ^ col("g"))["x"].to_list() == expected
    assert frame.select(x=col("n") ^ 3)["x"].to_list() == [5, None, -4, 3]
    assert frame.select(x=3 ^ col("n"))["x"].to_list() == [5, None, -4, 3]
    assert (cn.Series([6, 1]) ^ 3).to_list() == (pd.Series([6, 1]) ^ 3).tolist()
    assert (cn.Series([6, 1]) & 3).to_list() == (pd.Series([6, 1]) & 3).tolist()
    assert (cn.Series([6, 1]) | cn.Series([8, 2])).to_list() == (pd.Series([6, 1]) | pd.Series([8, 2])).tolist()


def test_quotients_and_remainders_of_decimals_round_down(device):
    rng = np.random.default_rng(3)
    left = [Decimal(int(n)).scaleb(-2) for n in rng.integers(-(10**9), 10**9, 200)]
    right = [Decimal(int(n)).scaleb(-3) for n in rng.integers(-(10**4), 10**4, 200)]
    right[:2] = [Decimal("0.000"), None]
    frame = cn.DataFrame({"a": left, "b": right})
    made = frame.select(q=col("a") // col("b"), r=col("a") % col("b"))
    with decimal.localcontext(prec=60):
        for a, b, quotient, rest in zip(left, right, made["q"].to_list(), made["r"].to_list()):
            if not b:
                assert quotient is None and rest is None
                continue
            floor = (a / b).to_integral_value(decimal.ROUND_FLOOR)
            assert quotient == floor and rest == a - b * floor
    assert (cn.Series([Decimal("7.25")]) % 2).to_list() == [Decimal("1.25")]
    assert (cn.Series([Decimal("-7.25")]) // 2).to_list() == [Decimal("-4")]


@pytest.mark.parametrize("name", NAMES)
def test_arithmetic_of_frames_is_that_of_pandas(device, name):
    left, right = cn.from_pandas(LEFT), cn.from_pandas(RIGHT)
    operate = getattr(operator, name)
    same(operate(left, right), operate(LEFT, RIGHT))
    same(getattr(left, name)(right), getattr(LEFT, name)(RIGHT))
    same(getattr(left, name)(right, fill_value=2), getattr(LEFT, name)(RIGHT, fill_value=2))
    same(operate(left, 2), operate(LEFT, 2))
    same(operate(2, left), operate(2, LEFT))
    rows = pd.Series([1.0, 2.0, 4.0], index=["x", "y", "z"])
    same(getattr(left, name)(cn.Series(rows), axis="index"), getattr(LEFT, name)(rows, axis="index"))
    same(getattr(left, name)(2, fill_value=2), getattr(LEFT, name)(2, fill_value=2))


@pytest.mark.parametrize("name", COMPARED)
def test_comparisons_of_frames_are_those_of_pandas(device, name):
    left, operate = cn.from_pandas(LEFT), getattr(operator, name)
    same(operate(left, 3.0), operate(LEFT, 3.0))
    same(operate(left, cn.from_pandas(LEFT * 2 - 3)), operate(LEFT, LEFT * 2 - 3))
    same(getattr(left, name)(3.0), getattr(LEFT, name)(3.0))
    with pytest.raises(cn.ColumnadeError, match="truth"):
        bool(operate(left, 3.0))


def test_other_operators_of_frames_are_those_of_pandas(device):
    left = cn.from_pandas(LEFT)
    same(-left, -LEFT)
    same(left**2, LEFT**2)
    same((left > 1) & (left < 5), (LEFT > 1) & (LEFT < 5))
    same((left > 5) | (left < 2), (LEFT > 5) | (LEFT < 2))
    same(~(left > 2), ~(LEFT > 2))


@pytest.mark.parametrize("name", NAMES + COMPARED)
def test_operators_of_series_fill_missing_operands(device, name):
    left = pd.Series([1.0, 2.0, 3.0], index=["x", "y", "z"])
    right = pd.Series([4.0, 2.0], index=["z", "y"])
    ours = getattr(cn.Series(left), name)(cn.Series(right), fill_value=2)
    theirs = getattr(left, name)(right, fill_value=2)
    pd.testing.assert_series_equal(ours.to_pandas(), theirs, check_dtype=False, check_index_type=False)
    ours, theirs = getattr(cn.Series(left), name)(2, fill_value=2), getattr(left, name)(2, fill_value=2)
    pd.testing.assert_series_equal(ours.to_pandas(), theirs, check_dtype=False, check_index_type=False)


def test_expressions_of_two_columns(device):
    frame = pd.DataFrame({"x": [1.0, 2.0, 4.0, 3.0, 0.5], "y": [2.0, 1.0, 5.0, 3.0, 9.0]})
    ours = cn.from_pandas(frame).select(
        rolling_cov=col("x").rolling_cov("y", 3), rolling_corr=col("x").rolling_corr("y", 3, min_periods=2),
        ewm_cov=col("x").ewm_cov("y", com=1.0), ewm_corr=col("x").ewm_corr("y", span=3.0), angle=col("x").atan2(col("y")),
    )
    x, y = frame["x"], frame["y"]
    expected = pd.DataFrame({
        "rolling_cov": x.rolling(3).cov(y), "rolling_corr": x.rolling(3, min_periods=2).corr(y), "ewm_cov": x.ewm(com=1.0).cov(y),
        "ewm_corr": x.ewm(span=3.0).corr(y), "angle": np.arctan2(x, y),
    })
    pd.testing.assert_frame_equal(ours.to_pandas(), expected, check_exact=False)
    counts = cn.from_pandas(frame).agg(col("x").histogram([0.0, 1.0, 4.0]))
    assert counts["x"].to_list() == [[2, 3]]


def test_replace_or_and_modes(device):
    series = cn.Series([1, 2, 2, 1, 3])
    assert series.replace_or({1: 10, 2: 20}, 0).to_list() == [10, 20, 20, 10, 0]
    assert series.modes().to_list() == pd.Series([1, 2, 2, 1, 3]).mode().tolist()
    assert cn.DataFrame({"n": series}).select(col("n").replace_or({1: 10}, None))["n"].to_list() == [10, None, None, 10, None]
    with pytest.raises(cn.ColumnOverflowError):
        cn.Series([-(2**63)]).checked_floor_div(-1)
    assert cn.Series([-3, None]).checked_neg().to_list() == [3, None]
    assert cn.DataFrame({"n": [-3, 4]}).select(col("n").checked_abs())["n"].to_list() == [3, 4]
    with pytest.raises(cn.ColumnOverflowError):
        cn.Series([-(2**63)]).checked_abs()


def test_set_loc_of_series_is_that_of_pandas(device):
    theirs = pd.Series([1, 2, 3], index=["x", "y", "z"])
    ours = cn.Series(theirs)
    for rows, values in (("y", 9), (["z", "x"], [7, 8]), (slice("x", "y"), 0), ([True, False, True], 5)):
        expected = theirs.copy()
        expected.loc[rows] = values
        assert ours.set_loc(rows, values).to_list() == expected.tolist()
    assert ours.set_iloc(-1, 4).to_list() == [1, 2, 4] and ours.set_iloc([0, 1], [6, 5]).to_list() == [6, 5, 3]
    assert ours.to_list() == [1, 2, 3]
    sparse = cn.Series([None, 1, None], index=["x", "y", "z"])
    assert sparse.first_valid_index() == sparse.last_valid_index() == "y"


def test_parquet_options(tmp_path):
    import pyarrow.parquet as pq

    frame = cn.DataFrame({"n": list(range(1000)), "w": ["a", "b"] * 500})
    frame.write_parquet(tmp_path / "a.parquet", page_rows=100, plain_columns=["w"])
    group = pq.ParquetFile(tmp_path / "a.parquet").metadata.row_group(0)
    assert "RLE_DICTIONARY" in group.column(0).encodings and "RLE_DICTIONARY" not in group.column(1).encodings
    frame.write_dataset(tmp_path / "d", ["w"], page_rows=100, plain_columns=["n"])
    assert len(cn.read_parquet(tmp_path / "d")) == 1000
    import datetime as dt

    import pyarrow as pa

    times = pa.table({"t": pa.array([dt.datetime(2024, 1, 2, 3, 4, 5, 678)], pa.timestamp("us"))})
    pq.write_table(times, tmp_path / "t.parquet", use_deprecated_int96_timestamps=True, store_schema=False)
    assert cn.read_parquet(tmp_path / "t.parquet")["t"].dtype == "timestamp[us]"
    assert cn.read_parquet(tmp_path / "t.parquet", int96_unit="ns")["t"].dtype == "timestamp[ns]"
    (frame,) = cn.scan_parquet(tmp_path / "t.parquet", int96_unit="ns")
    assert frame["t"].dtype == "timestamp[ns]"
    for read in (cn.read_parquet, cn.scan_parquet):
        with pytest.raises(cn.ColumnValueError, match="int96_unit"):
            read(tmp_path / "t.parquet", int96_unit="days")


def test_frame_without_columns_is_an_empty_file(tmp_path):
    cn.DataFrame({}).write_csv(tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_bytes() == b""


def test_quantiles_of_nulls_are_null(device):
    assert cn.Series([None, None]).quantile([0.1, 0.5]).to_list() == [None, None]
    assert cn.DataFrame({"a": [None, None], "b": [1, 3]}).quantile([0.0, 0.5])["a"].to_list() == [None, None]


def test_parts_of_series_without_a_name_are_numbered(device):
    assert cn.Series(["a-b", "c"]).str.split_columns("-", 2).columns == [0, 1]
    assert cn.Series(["a-b"], name="x").str.split_columns("-", 2).columns == ["x_0", "x_1"]
    with pytest.raises(cn.ColumnValueError, match="separator"):
        cn.Series(["a-b"]).str.split_columns("", 2)


def test_series_or_frame_of_one_value_is_constant_of_other_frames(device):
    orders = cn.DataFrame({"total": [10, 40, 25], "at": ["b", "a", "c"]})
    data = cn.DataFrame({"spent": [20, 26, None], "name": ["a", "c", None]})
    mean = orders.agg(cn.col("total").mean())
    theirs = pl.DataFrame({"spent": [20, 26, None], "name": ["a", "c", None]})
    expected = theirs.select(x=pl.col("spent") - pl.lit(pl.Series([25.0])))["x"].to_list()
    assert data.select(x=cn.col("spent") - cn.lit(mean))["x"].to_list() == expected
    assert data.select(x=cn.col("spent") - cn.lit(mean["total"]))["x"].to_list() == expected
    assert data.filter(cn.col("name") == cn.lit(orders["at"].iloc[2:3])).shape == (1, 2)
    assert data.select(x=cn.lit(mean, "int8") + 0)["x"].dtype == "int8"
    expr = pickle.loads(pickle.dumps(cn.col("spent") - cn.lit(mean)))
    assert data.select(x=expr)["x"].to_list() == expected
    with pytest.raises(ValueError, match="3 rows"):
        cn.lit(orders["total"])
    with pytest.raises(ValueError, match="2 columns"):
        cn.lit(orders.head(1))


def test_shifts_of_uint64_take_numbers_and_other_integers(device):
    series = cn.Series([1, 2, 2**63], dtype="uint64")
    assert series.shift_left(1).to_list() == [2, 4, 0] and series.shift_right(1).to_list() == [0, 1, 2**62]
    assert series.shift_left(cn.Series([1, -1, 64], dtype="int32")).to_list() == [2, 0, 0]
    assert series.shift_left(1).dtype == "uint64"
    places = cn.Series([1, 2, 70], dtype="uint64")
    assert cn.Series([1, -8, -8]).shift_right(places).to_list() == [0, -2, -1]
