"""Columns of groups, and aggregates of rows, beside pandas."""

from datetime import timedelta

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

ROWS = 40
RNG = np.random.default_rng(11)
DATA = pd.DataFrame(
    {
        "k": RNG.choice(["b", "a", "ü"], ROWS),
        "l": RNG.integers(0, 2, ROWS),
        "x": np.where(RNG.random(ROWS) < 0.2, None, RNG.integers(-5, 6, ROWS)).astype("object"),
        "y": RNG.integers(0, 9, ROWS).astype("float64"),
    },
    index=pd.Index(range(100, 100 + ROWS), name="row"),
).astype({"x": "Float64"})


@pytest.fixture
def ours():
    return cn.from_pandas(DATA)


COLUMNS = {
    "size": lambda column: column.size(),
    "head": lambda column: column.head(2),
    "head but some": lambda column: column.head(-3),
    "tail": lambda column: column.tail(2),
    "nth": lambda column: column.nth(1),
    "nth from the end": lambda column: column.nth(-2),
    "cumcount": lambda column: column.cumcount(),
    "ngroup": lambda column: column.ngroup(),
    "quantile": lambda column: column.quantile(),
    "quantile lower": lambda column: column.quantile(0.3, interpolation="lower"),
    "quantiles": lambda column: column.quantile([0.25, 0.75]),
    "idxmin": lambda column: column.idxmin(),
    "idxmax": lambda column: column.idxmax(),
    "rolling": lambda column: column.rolling(3, min_periods=1).sum(),
    "rolling std": lambda column: column.rolling(4).std(),
    "expanding": lambda column: column.expanding(2).max(),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize("keys", ["k", ["k", "l"]], ids=["one key", "two keys"])
@pytest.mark.parametrize("label", ["x", "y"])
def test_method_of_column_is_that_of_pandas(ours, name, keys, label):
    call = COLUMNS[name]
    same(call(ours.groupby(keys)[label]), call(DATA.groupby(keys)[label]))


def test_size_of_the_key_itself(ours):
    same(ours.groupby("k")["k"].size(), DATA.groupby("k")["k"].size())
    made = ours.groupby("k", as_index=False)["y"].size()
    assert made.to_dict() == DATA.groupby("k", as_index=False)["y"].size().to_dict("list")


@pytest.mark.parametrize("name", ["idxmin", "idxmax", "quantile"])
def test_method_of_groups_is_that_of_pandas(ours, name):
    same(getattr(ours.groupby("k")[["x", "y"]], name)(), getattr(DATA.groupby("k")[["x", "y"]], name)())


def test_quantiles_of_groups(ours):
    same(ours.groupby("k").quantile([0.1, 0.5], numeric_only=True), DATA.groupby("k").quantile([0.1, 0.5], numeric_only=True))
    flat = ours.groupby("k", as_index=False)[["y"]].quantile([0.5])
    assert flat.columns == ["k", "q", "y"] and flat["q"].to_list() == [0.5] * 3
    with pytest.raises(ValueError, match="quantile: .*between 0 and 1"):
        ours.groupby("k")["y"].quantile(1.5)
    with pytest.raises(cn.ColumnadeError, match="quantile"):
        ours.groupby("l").quantile()
    empty = ours.head(0).groupby("k")["y"]
    assert len(empty.quantile()) == len(empty.idxmin()) == len(empty.head()) == 0


def test_bins_of_column():
    times = pd.date_range("2024-01-01", periods=8, freq="6h")
    frame = pd.DataFrame({"k": list("abababab"), "n": range(8)}, index=times)
    made = cn.from_pandas(frame).groupby("k")["n"].resample("D").sum()
    expected = frame.groupby("k")["n"].resample("D").sum()
    assert made.to_list() == expected.tolist() and made.index.nlevels == 2 and made.name == "n"


BY_ROW = ("sum", "prod", "mean", "median", "var", "std", "sem", "min", "max", "skew", "kurt")


@pytest.mark.parametrize("name", BY_ROW)
@pytest.mark.parametrize("rows", [0, 1, 30])
def test_aggregate_of_rows_is_that_of_pandas(name, rows):
    rng = np.random.default_rng(3)
    data = pd.DataFrame(rng.integers(-4, 5, (rows, 5)), columns=list("abcde")).astype("Float64").mask(rng.random((rows, 5)) < 0.2)
    found = getattr(cn.from_pandas(data), name)(axis=1)
    expected = [getattr(row.dropna().astype("float64"), name)() for _, row in data.iterrows()]
    if name in ("sum", "prod"):
        assert found.to_list() == pytest.approx(expected)
    else:
        # What is not a number without enough values is null.
        clean = [None if value != value else value for value in expected]
        assert [None if value is None or value != value else value for value in found.to_list()] == pytest.approx(clean)


def test_options_of_aggregates_of_rows():
    frame, theirs = cn.DataFrame({"a": [1, 2], "b": [5, 2]}, index=["x", "y"]), pd.DataFrame({"a": [1, 2], "b": [5, 2]}, index=["x", "y"])
    for ddof in (0, 1, 2):
        made = frame.var(axis=1, ddof=ddof)
        assert made.index.to_list() == ["x", "y"]
        expected = theirs.var(axis=1, ddof=ddof).tolist()
        assert [np.nan if value is None else value for value in made.to_list()] == pytest.approx(expected, nan_ok=True)
    assert frame.prod(axis=1).to_list() == [5, 4] and str(frame.prod(axis=1).dtype) == "int64"
    assert frame.prod(axis=1, min_count=3).to_list() == [None, None]
    with pytest.raises(TypeError, match="std: axis=1 is of numbers, and column 'c' is utf8: give numeric_only=True"):
        frame.with_columns(c=["u", "v"]).std(axis=1)
    assert frame.with_columns(c=["u", "v"]).std(axis=1, numeric_only=True).to_list() == pytest.approx([2 * 2**0.5, 0.0])


def test_correlations_of_ranks():
    data = {"x": [1.0, 5.0, None, 2.0, 2.0, 9.0], "y": [2.0, 1.0, 7.0, None, 2.0, 30.0]}
    frame, theirs = cn.DataFrame(data), pd.DataFrame(data)
    expected = theirs.corr(method="spearman")
    found = frame.corr(method="spearman")
    assert found["y"].to_list() == pytest.approx(expected["y"].tolist())
    assert frame["x"].corr(frame["y"], method="spearman") == pytest.approx(expected.loc["x", "y"])
    assert frame.agg(cn.col("x").corr("y", method="spearman"))["x"].to_list() == pytest.approx([expected.loc["x", "y"]])
    for lag in (1, 2):
        assert frame["y"].autocorr(lag) == pytest.approx(theirs["y"].autocorr(lag))
    # pandas computes it with SciPy: the pairs of rows one by one.
    rows = [(x, y) for x, y in zip(data["x"], data["y"]) if x is not None and y is not None]
    pairs = [(np.sign(a[0] - b[0]), np.sign(a[1] - b[1])) for i, a in enumerate(rows) for b in rows[:i]]
    tau = sum(x * y for x, y in pairs) / (sum(x * x for x, _ in pairs) * sum(y * y for _, y in pairs)) ** 0.5
    assert frame.corr(method="kendall")["y"].to_list() == pytest.approx([tau, 1.0])
    assert frame["x"].corr(frame["y"], method="kendall") == pytest.approx(tau)
    assert frame.agg(cn.col("x").corr("y", method="kendall"))["x"].to_list() == pytest.approx([tau])
    with pytest.raises(ValueError, match='corr: method is pearson, spearman or kendall, not "cosine"'):
        frame["x"].corr(frame["y"], method="cosine")


@pytest.mark.parametrize("call", [
    lambda f: f["y"].std(ddof=-1), lambda f: f["y"].sem(ddof=-1), lambda f: cn.col("y").var(ddof=-1), lambda f: f.std(numeric_only=True, ddof=-1),
    lambda f: f["y"].cov(f["y"], ddof=-1), lambda f: f[["y"]].cov(ddof=-1), lambda f: f.groupby("k")["y"].var(ddof=-1),
    lambda f: f.groupby("k").std("y", ddof=-1), lambda f: f["y"].rolling(3).std(ddof=-1), lambda f: f["y"].var(ddof=2**40),
])
def test_ddof_that_does_not_count_is_named(ours, call):
    with pytest.raises(cn.ColumnadeError, match=": ddof is ") as caught:
        call(ours)
    assert isinstance(caught.value, ValueError) and caught.value.operation in ("std", "sem", "var", "cov")


@pytest.mark.parametrize("call", [
    lambda f: f["y"].sum(min_count=-1), lambda f: cn.col("y").prod(min_count=-2), lambda f: f.sum(numeric_only=True, min_count=-1),
    lambda f: f.groupby("k")["y"].sum(min_count=-1), lambda f: f.groupby("k").prod("y", min_count=-1),
])
def test_min_count_that_does_not_count_is_named(ours, call):
    with pytest.raises(ValueError, match="min_count is at least 0, and not -"):
        call(ours)


def test_levels_of_row_labels(ours):
    frame, theirs = ours.set_index(["k", "l"]), DATA.set_index(["k", "l"])
    for call in (
        lambda f: f.droplevel("k"), lambda f: f.droplevel(0), lambda f: f.droplevel(-1), lambda f: f.swaplevel(), lambda f: f.swaplevel(0, "l"),
        lambda f: f.reorder_levels(["l", "k"]), lambda f: f.reorder_levels([1, 0]),
    ):
        same(call(frame), call(theirs))
        same(call(frame["y"]), call(theirs["y"]))
    with pytest.raises(KeyError, match="droplevel: no level"):
        frame.droplevel("z")
    with pytest.raises(KeyError, match="swaplevel: no level"):
        frame["y"].swaplevel(0, 2)
    with pytest.raises(ValueError, match="reorder_levels: order"):
        frame.reorder_levels(["k"])


TRUTHS = {
    "i": [3, 0, 1, 13, None], "j": [4, 0, 2, 0, None], "f": [0.0, 0.0, float("nan"), 0.5, None], "b": [False, False, True, True, None],
    "n": [None] * 5,
}


@pytest.mark.parametrize("labels", ["ij", "if", "ib", "f", "i", "fb", "ijfbn", "n", "nb"])
def test_truth_of_rows_is_that_of_their_values(labels):
    frame = cn.DataFrame({label: TRUTHS[label] for label in labels}, index=list("abcde"))
    rows = list(zip(*(TRUTHS[label] for label in labels)))
    for name, function, known in (("any", any, True), ("all", all, False)):
        made = getattr(frame, name)(axis=1)
        assert str(made.dtype) == "bool" and made.index.to_list() == list("abcde")
        assert made.to_list() == [function(value for value in row if value is not None) for row in rows]
        # Null is unknown here, and does not count above.
        made = frame.select(x=getattr(cn, f"{name}_horizontal")(*labels))["x"].to_list()
        assert made == [
            known if any(value is not None and bool(value) is known for value in row) else None if None in row else not known for row in rows
        ]


def test_truth_of_rows_of_numbers_is_that_of_pandas():
    frame = pd.DataFrame({"x": [3, 0, 1, 13], "y": [4, 0, 2, 2], "z": [0.0, -0.0, -1.0, 1e-300]})
    for name in ("any", "all"):
        assert getattr(cn.from_pandas(frame), name)(axis=1).to_list() == getattr(frame, name)(axis=1).tolist()
    spans = cn.DataFrame({"d": [timedelta(0), timedelta(1), None], "i": [0, 0, 0]})
    assert spans.any(axis=1).to_list() == [False, True, False]
    with pytest.raises(TypeError, match="any: axis=1 is of numbers, booleans and durations, and column 's' is utf8: give numeric_only=True") as refused:
        spans.with_columns(s=["a", "b", "c"]).any(axis=1)
    assert refused.value.column == "s"
    assert spans.with_columns(s=["a", "b", "c"]).any(axis=1, numeric_only=True).to_list() == [False] * 3
