"""Functions of numpy on series and frames, compared with pandas."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest

FLOATS = [1.5, 2.5, -3.25, 4.0, 0.0, 9.0]
REDUCTIONS = ("sum", "mean", "max", "min", "std", "var", "prod", "any", "all", "median", "ptp", "argmax", "argmin")
OF_ROWS = ("cumsum", "cumprod", "abs", "exp", "floor", "ceil", "trunc", "rint", "sign", "isnan", "isfinite", "negative", "sin", "cosh", "square", "arctan", "positive")


def same(found, expected):
    np.testing.assert_allclose(np.asarray(found, dtype=float), np.asarray(expected, dtype=float), rtol=1e-12)


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("values", [FLOATS, [3, 1, 2], [7]], ids=["floats", "integers", "one"])
def test_reduction_of_series_is_that_of_pandas(name, values):
    same(getattr(np, name)(cn.Series(values)), getattr(np, name)(pd.Series(values)))


@pytest.mark.parametrize("name", OF_ROWS)
@pytest.mark.parametrize("values", [FLOATS, [3, -1, 2]], ids=["floats", "integers"])
def test_function_of_rows_keeps_labels_and_name(name, values):
    labels = list("abcdef")[: len(values)]
    series = cn.Series(values, name="x", index=labels)
    expected = pd.Series(values, name="x", index=labels)
    made = getattr(np, name)(series)
    assert isinstance(made, cn.Series) and made.index.to_list() == labels and made.name == "x"
    same(made, getattr(np, name)(expected))


def test_nulls_stay_null():
    series = cn.Series([1.0, None, 4.0])
    assert np.sqrt(series).to_list() == [1.0, None, 2.0]
    assert np.sum(series) == 5.0 and np.mean(series) == 2.5 and np.std(series) == 1.5
    # numpy computes it.
    assert np.heaviside(series, 0.5).to_list() == [1.0, None, 1.0]
    assert np.std(cn.Series([None], dtype="float64")) is None


def test_functions_of_two_operands():
    series = cn.Series([1.0, 2.0, 3.0], index=["a", "b", "c"])
    array = np.array([10.0, 20.0, 30.0])
    for made in (np.add(series, array), series + array, array + series):
        assert made.to_list() == [11.0, 22.0, 33.0] and made.index.to_list() == ["a", "b", "c"]
    assert (array - series).to_list() == [9.0, 18.0, 27.0]
    assert np.power(2, series).to_list() == [2.0, 4.0, 8.0]
    assert (np.float64(2) * series).to_list() == [2.0, 4.0, 6.0]
    assert np.less(series, 2).to_list() == [True, False, False]
    assert np.logical_and(series > 1, series < 3).to_list() == [False, True, False]
    assert np.maximum(series, 2).to_list() == [2.0, 2.0, 3.0]
    whole, fraction = np.divmod(cn.Series([7, 8]), 5)
    assert whole.to_list() == [1, 1] and fraction.to_list() == [2, 3]
    with pytest.raises(ValueError, match="the array has 2 values, and there are 3 rows"):
        series + np.arange(2.0)
    with pytest.raises(ValueError, match="align"):
        np.arctan2(series, cn.Series([1.0, 2.0, 3.0]))


def test_frames():
    frame, expected = cn.DataFrame({"a": [1.0, 4.0], "b": [9.0, 16.0]}), pd.DataFrame({"a": [1.0, 4.0], "b": [9.0, 16.0]})
    assert np.sqrt(frame).to_dict() == np.sqrt(expected).to_dict("list")
    assert np.add(frame, 1).to_dict() == (expected + 1).to_dict("list")
    assert np.arctan2(frame, 1.0).to_dict() == np.arctan2(expected, 1.0).to_dict("list")
    assert np.sum(frame, axis=0).to_dict() == {"a": 5.0, "b": 25.0}
    assert np.cumsum(frame, axis=0).to_dict() == {"a": [1.0, 5.0], "b": [9.0, 25.0]}
    assert np.round(frame, 0).to_dict() == frame.to_dict()
    assert np.clip(frame, 2, 10).to_dict() == {"a": [2.0, 4.0], "b": [9.0, 10.0]}


def test_keywords_of_numpy():
    series = cn.Series([1.25, 3.75, 2.0])
    assert np.round(series, 1).to_list() == [1.2, 3.8, 2.0]
    assert np.clip(series, 2, 3).to_list() == [2.0, 3.0, 2.0] == np.clip(series, min=2, max=3).to_list()
    assert np.clip(series, None, 2).to_list() == [1.25, 2.0, 2.0]
    assert np.argsort(series).to_list() == [0, 2, 1]
    assert np.take(series, [2, 0]).to_list() == [2.0, 1.25]
    assert series.sum(0) == series.sum(axis="index") == series.sum(skipna=True) == 7.0
    assert series.std(ddof=2) == pytest.approx(np.std([1.25, 3.75, 2.0], ddof=2))
    assert series.std(ddof=0) == pytest.approx(np.std([1.25, 3.75, 2.0])) and series.var(ddof=3) is None
    frame = cn.DataFrame({"a": [1.25, 3.75, 2.0], "b": [1, 2, 4], "c": ["x", "y", "z"]})
    expected = pd.DataFrame({"a": [1.25, 3.75, 2.0], "b": [1, 2, 4]})
    for ddof in (0, 1, 2):
        same(frame.std(numeric_only=True, ddof=ddof).to_list(), expected.std(ddof=ddof))
        same(frame.var(numeric_only=True, ddof=ddof).to_list(), expected.var(ddof=ddof))
        found = frame.select(cn.col("a").std(ddof).alias("s"), cn.col("b").var(ddof=ddof).alias("v"))
        same([found["s"][0], found["v"][0]], [expected["a"].std(ddof=ddof), expected["b"].var(ddof=ddof)])
    assert cn.Series([5]).var(ddof=0) == 0.0 and cn.Series([], dtype="float64").std(ddof=0) is None
    assert np.add.reduce(series) == 7.0 and np.add.accumulate(series).to_list() == [1.25, 5.0, 7.0]


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "nearest", "midpoint"])
def test_quantiles_skip_nulls_as_means_do(method):
    values = [4.0, None, 1.0, 9.0, 2.0]
    series, valid = cn.Series(values), np.array([value for value in values if value is not None])
    assert np.median(series) == np.median(valid) and np.median(cn.Series([None], dtype="float64")) is None
    for q in (0, 0.3, 1):
        assert np.quantile(series, q, method=method) == np.quantile(valid, q, method=method)
        assert np.percentile(series, 100 * q, method=method) == pytest.approx(np.percentile(valid, 100 * q, method=method))
    same(np.quantile(series, [0.1, 0.9], method=method), np.quantile(valid, [0.1, 0.9], method=method))
    assert isinstance(np.percentile(series, np.array([10, 20])), np.ndarray)
    assert np.median(cn.Series([np.inf, np.inf])) == np.inf and np.median(cn.Series([-1.7e308, 1.7e308])) == 0.0


def test_other_functions_of_numpy_take_arrays():
    series = cn.Series([3.0, 1.0, 2.0])
    same(np.sort(series), [1.0, 2.0, 3.0])
    same(np.concatenate([series, series]), [3.0, 1.0, 2.0] * 2)
    same(np.nanmedian(cn.Series([3.0, None, 1.0])), 2.0)
    assert np.array_equal(series, np.array([3.0, 1.0, 2.0])) and np.shape(series) == (3,)
    same(np.where(series > 1, series, 0), [3.0, 0.0, 2.0])


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda s: np.sum(s, axis=1), ValueError, "sum: axis is None or 0 or 'index', not 1"),
        (lambda s: np.sum(s, dtype="int32"), ValueError, "sum: dtype is None, not 'int32'"),
        (lambda s: np.sum(s, keepdims=True), ValueError, "sum: keepdims"),
        (lambda s: np.sum(s, initial=5), ValueError, "sum: initial"),
        (lambda s: np.max(s, out=np.zeros(1)), ValueError, "max: out is None"),
        (lambda s: np.mean(s, where=[True, False]), ValueError, "mean: where"),
        (lambda s: np.cumsum(s, axis=1), ValueError, "cumsum: axis"),
        (lambda s: np.round(s, out=np.zeros(2)), ValueError, "round: out"),
        (lambda s: np.sqrt(s, out=np.zeros(2)), TypeError, "sqrt: out"),
        (lambda s: np.sqrt(s, where=np.array([True, False])), ValueError, "sqrt: where"),
        (lambda s: np.add.outer(s, s), TypeError, "add.outer"),
        (lambda s: np.subtract.reduce(s), TypeError, "subtract.reduce"),
        (lambda s: s.sum(axes=0), TypeError, "sum: there is no argument 'axes'"),
        (lambda s: np.median(s, axis=1), ValueError, "median: axis"),
        (lambda s: np.quantile(s, 0.5, method="weibull"), NotImplementedError, "quantile: method is one of"),
        (lambda s: np.percentile(s, [[1.0]]), ValueError, "percentile: q is a number or a list"),
        (lambda s: np.quantile(s, 2.0), ValueError, "quantile: .*between 0 and 1"),
    ],
)
def test_keyword_that_changes_the_result_is_refused(call, kind, text):
    with pytest.raises(kind, match=text) as caught:
        call(cn.Series([1.0, 2.0]))
    assert isinstance(caught.value, cn.ColumnadeError) and caught.value.operation == text.split(":")[0].split(".")[0]


def test_function_without_a_kernel_is_refused_on_a_device(sim):
    series = cn.Series([1.0, 4.0])
    assert np.sqrt(series).device == "sim" and np.sqrt(series).to_list() == [1.0, 2.0]
    assert (series + np.array([1.0, 2.0])).device == "sim"
    with pytest.raises(NotImplementedError, match="arctan2: series of a device"):
        np.arctan2(series, 1.0)
    assert np.arctan2(series.to_device("host"), 1.0).device == "host"
