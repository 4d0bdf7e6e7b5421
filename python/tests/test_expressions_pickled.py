"""Expressions are pickled and copied, and parts of a pickle are refused."""

import copy
import datetime as dt
import pickle
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal
from multiprocessing import get_context

import columnade as cn
import pytest
from columnade import col, when

FRAME = {
    "n": [3, None, -1, 4],
    "x": [0.5, float("nan"), None, -0.0],
    "word": ["tea", None, "né", ""],
    "at": [dt.datetime(2024, 2, 29, 13), None, dt.datetime(1969, 12, 31), dt.datetime(2000, 1, 1)],
    "k": ["a", "b", "a", "b"],
}
EXPRESSIONS = [
    (col("n") + 1) * 2 // 3 - col("n") % 2,
    col("x").fill_nan(float("inf")).round(2),
    when(col("n") > 0).then(col("word")).otherwise("no"),
    (col("word") + "!").str.upper(),
    col("n").is_in(list(range(40))),
    col("at").dt.year() + col("at").dt.truncate("1mo").dt.month(),
    col("n").cum_sum().over("k"),
    col("n").rank("dense", ascending=False),
    col("n").sum().filter(col("x") > 0) / cn.len(),
    col("n").rolling_mean(2, min_periods=1),
    cn.lit(Decimal("1.25")) * col("n"),
    col("at") + dt.timedelta(days=1),
    cn.hash_rows("n", "word"),
]


@pytest.mark.parametrize("expr", EXPRESSIONS, ids=str)
def test_pickled_and_copied_expressions_compute_the_same(device, expr):
    frame = cn.DataFrame(FRAME)
    expected = frame.select(expr)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        back = pickle.loads(pickle.dumps(expr, protocol))
        assert str(back) == str(expr) and back.label == expr.label
        assert frame.select(back).equals(expected)
    for made in (copy.copy(expr), copy.deepcopy(expr)):
        assert frame.select(made).equals(expected)


def test_pickled_members_are_those_of_a_series(device):
    frame, expr = cn.DataFrame(FRAME), col("n").is_in(cn.Series([3, 4, None]))
    back = pickle.loads(pickle.dumps(expr))
    assert frame.select(back).equals(frame.select(expr)) and str(back) == str(expr)


def test_pickles_of_shared_parts_are_small():
    doubled = col("n")
    for _ in range(60):
        doubled = doubled + doubled
    assert len(pickle.dumps(doubled)) < 3000
    assert pickle.loads(pickle.dumps(doubled)).label == doubled.label


def label(expr):
    return str(expr)


def test_expressions_go_to_other_processes():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(label, EXPRESSIONS[:3])) == [str(expr) for expr in EXPRESSIONS[:3]]


def test_bytes_that_are_no_expression_are_refused():
    function, (data,) = (col("n") + 1).__reduce__()
    for end in range(len(data)):
        with pytest.raises(cn.ColumnadeError, match="^unpickle"):
            function(data[:end])
    with pytest.raises(cn.ColumnadeError, match="pickled by version 0.0.0"):
        function(b"\x050.0.0" + data[1 + data[0]:])
