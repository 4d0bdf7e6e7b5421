"""Statistics, samples, bins, changes of columns, and labels as sets, against pandas."""

import datetime

import columnade as cn
import numpy as np
import pandas as pd
import pytest
from beside import same

FRAME = pd.DataFrame(
    {"a": [3.0, 1.0, np.nan, 4.0, 1.0, -5.0], "b": [2.0, 7.0, 1.0, 8.0, 2.0, 8.0], "s": list("xyzüxy")},
    index=["p", "q", "r", "ß", "t", "u"],
)
NUMBERS = FRAME[["a", "b"]]


@pytest.fixture
def frame(device):
    return cn.from_pandas(FRAME.astype({"a": "Float64"}))


def test_statistics_of_frames(frame):
    numbers = frame[["a", "b"]]
    same(numbers.corr(), NUMBERS.corr())
    same(numbers.cov(), NUMBERS.cov())
    same(numbers.idxmax(), NUMBERS.idxmax())
    same(numbers.idxmin(), NUMBERS.idxmin())
    assert numbers.mode()["a"].to_list() == [1.0, None]
    assert numbers.mode()["b"].to_list() == [2.0, 8.0]
    same(numbers.quantile([0.1, 0.75]), NUMBERS.quantile([0.1, 0.75]))
    same(numbers.quantile(0.3, "lower"), NUMBERS.quantile(0.3, interpolation="lower"))
    with pytest.raises(ValueError, match="interpolation is linear"):
        numbers.quantile(0.3, "up")
    with pytest.raises(ValueError):
        numbers.quantile(1.5)


def test_largest_rows(frame):
    for keep in ["first", "last", "all"]:
        same(frame[["a", "b"]].nlargest(2, "b", keep), NUMBERS.nlargest(2, "b", keep))
        same(frame[["a", "b"]].nsmallest(2, ["a", "b"], keep), NUMBERS.nsmallest(2, ["a", "b"], keep))
    with pytest.raises(ValueError, match="keep is first"):
        frame.nlargest(1, "b", "none")
    with pytest.raises(KeyError, match="zz"):
        frame.nlargest(1, "zz")


def test_statistics_of_series(frame):
    a, b = frame["a"], frame["b"]
    assert a.corr(b) == pytest.approx(FRAME["a"].corr(FRAME["b"]))
    assert a.cov(b) == pytest.approx(FRAME["a"].cov(FRAME["b"]))
    assert a.idxmax() == FRAME["a"].idxmax() and a.idxmin() == FRAME["a"].idxmin()
    same(a.clip(0, 3), FRAME["a"].clip(0, 3))
    same(a.clip(upper=2.5), FRAME["a"].clip(upper=2.5))
    same(a.clip(lower=0), FRAME["a"].clip(lower=0))
    same(b.replace({2.0: -1.0, 8.0: 0.5}), FRAME["b"].replace({2.0: -1.0, 8.0: 0.5}))
    assert frame["s"].replace({"x": "ÿ"}).to_list() == FRAME["s"].replace({"x": "ÿ"}).to_list()
    dummies = frame["s"].get_dummies()
    expected = pd.get_dummies(FRAME["s"])
    for label in expected.columns:
        assert dummies[label].to_list() == list(expected[label])


def test_samples(frame):
    made = frame.sample(3, seed=7)
    assert len(made) == 3 and len(set(made.index.to_list())) == 3
    assert made.index.to_list() == frame.sample(3, seed=7).index.to_list()
    rows = {label: row for label, row in zip(FRAME.index, FRAME.itertuples(index=False))}
    assert [row["s"] for row in made.to_dicts()] == [rows[label].s for label in made.index.to_list()]
    assert len(frame.sample(frac=0.5)) == 3 and len(frame["a"].sample()) == 1
    assert len(frame.sample(20, replace=True)) == 20
    weights = cn.Series([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    assert set(frame.reset_index(drop=True).sample(4, replace=True, weights=weights).index.to_list()) == {2}
    with pytest.raises(ValueError, match="not both"):
        frame.sample(1, 0.5)
    with pytest.raises(ValueError):
        frame.sample(7)


def test_changes_of_columns(frame):
    assert frame.insert(1, "n", list(range(6))).columns == ["a", "n", "b", "s"]
    labelled = cn.from_pandas(pd.Series([1, 2], index=["u", "q"], name="n"))
    assert frame.insert(0, "n", labelled)["n"].to_list() == [None, 2, None, None, None, 1]
    column, rest = frame.pop("a")
    assert column.name == "a" and rest.columns == ["b", "s"]
    assert frame.reorder(["s", "a", "b"]).columns == ["s", "a", "b"]
    other = pd.DataFrame({"a": [100.0, np.nan]}, index=["q", "r"])
    expected = NUMBERS.copy()
    expected.update(other)
    same(frame[["a", "b"]].update(cn.from_pandas(other)), expected)
    assert frame.sort_values("b").is_sorted("b") and not frame.is_sorted("b")
    with pytest.raises(IndexError, match="position 9"):
        frame.insert(9, "n", [1] * 6)
    with pytest.raises(ValueError):
        frame.insert(0, "a", [1] * 6)
    with pytest.raises(KeyError):
        frame.pop("zz")


def test_operators_of_frames(frame):
    numbers = frame[["a", "b"]]
    same(3 - numbers, 3 - NUMBERS)
    same(3 / numbers, 3 / NUMBERS)
    same(7 // numbers, 7 // NUMBERS)
    same(7 % numbers, 7 % NUMBERS)
    same(numbers**2, NUMBERS**2)
    same(2**numbers, 2**NUMBERS)
    same(-numbers, -NUMBERS)
    same(abs(numbers), abs(NUMBERS))
    filled, expected = numbers.fill_null(0.0), NUMBERS.fillna(0.0)
    for made, right in [
        (filled > 2, expected > 2), (filled <= 2, expected <= 2), (filled == 2, expected == 2), (filled != 2, expected != 2),
        (filled == filled, expected == expected), (filled < filled * 2, expected < expected * 2), (filled >= 8, expected >= 8),
    ]:
        assert {label: made[label].to_list() for label in made.columns} == {label: list(right[label]) for label in right}
    inverted = ~(filled > 2)
    assert inverted["b"].to_list() == list(~(expected["b"] > 2))
    with pytest.raises(ValueError, match="3 does not fit utf8"):
        3 - frame


def test_bins_of_values(frame):
    b = FRAME["b"]
    for bins in [3, [0, 2, 8], [0.5, 2.5, 8.0]]:
        made = frame["b"].cut(bins)
        expected = pd.cut(b, bins)
        assert made.to_list() == [None if pd.isna(value) else str(value) for value in expected]
    made = frame["b"].cut([0, 2, 8], right=False, labels=["low", "high"])
    assert made.to_list() == [None if pd.isna(value) else value for value in pd.cut(b, [0, 2, 8], right=False, labels=["low", "high"])]
    for options in ({"labels": False}, {"right": False, "labels": False}):
        made, edges = frame["b"].cut(3, retbins=True, **options)
        expected, theirs = pd.cut(b, 3, retbins=True, **options)
        assert made.to_list() == [None if pd.isna(value) else value for value in expected]
        assert edges == pytest.approx(list(theirs))
    named = {"labels": ["odd", "even", "odd"], "ordered": False}
    made = frame["b"].cut([0, 2, 5, 8], **named)
    assert made.to_list() == [None if pd.isna(value) else value for value in pd.cut(b, [0, 2, 5, 8], **named)]
    assert not made.cat.is_ordered()
    twice = [1.0, 1.0, 1.0, 2.0, 3.0]
    made, edges = cn.Series(twice).qcut([0, 0.25, 0.5, 1], retbins=True, duplicates="drop", labels=False)
    expected, theirs = pd.qcut(pd.Series(twice), [0, 0.25, 0.5, 1], retbins=True, duplicates="drop", labels=False)
    assert (made.to_list(), edges) == (expected.tolist(), list(theirs))
    assert cn.cut(cn.Series(twice), [0, 1, 1, 3], duplicates="drop").cat.codes().to_list() == [0, 0, 0, 1, 1]
    assert cn.Series([None, None]).cut([0, 1], labels=False).to_list() == [None, None]
    assert cn.Series([None, None]).hist([0, 1, 2])["count"].to_list() == [0, 0]
    with pytest.raises(ValueError, match="ordered: bins without an order have names"):
        frame["b"].cut(2, ordered=False)
    def texts(theirs):
        return [None if pd.isna(value) else str(value) for value in theirs]

    numbers = frame.select("b", (cn.col("b") * cn.col("b")).alias("square"), cn.col("b").alias("rest"))
    made = numbers.cut(["b", "square"], 3)
    assert made.columns == numbers.columns and made["rest"].to_list() == frame["b"].to_list()
    assert made["b"].to_list() == texts(pd.cut(b, 3)) and made["square"].to_list() == texts(pd.cut(b * b, 3))
    made = numbers.qcut(["b", "square"], 4, precision=2)
    assert made["square"].to_list() == texts(pd.qcut(b * b, 4, precision=2))
    assert numbers.cut("b", [0, 2, 8], right=False, labels=["low", "high"])["b"].to_list() == [
        None if pd.isna(value) else value for value in pd.cut(b, [0, 2, 8], right=False, labels=["low", "high"])
    ]
    with pytest.raises(ValueError, match="qcut: column \"b\": quantiles: ") as error:
        numbers.qcut("b", [0.5, 0.5])
    assert error.value.operation == "qcut"
    made = frame["b"].qcut(2, labels=["low", "high"])
    assert made.to_list() == list(pd.qcut(b, 2, labels=["low", "high"]))
    with pytest.raises(ValueError):
        frame["b"].cut([3, 2])


def test_searches(device):
    sorted_values = cn.Series([1, 3, 3, 9])
    for side in ["left", "right"]:
        expected = np.searchsorted([1, 3, 3, 9], [0, 3, 10], side)
        assert sorted_values.searchsorted([0, 3, 10], side).tolist() == list(expected)
    assert cn.Series(["a", "c"]).searchsorted("b") == pd.Series(["a", "c"]).searchsorted("b") == 1
    # By value, whatever the dtype of the needles.
    assert cn.Series([1, 2, 3]).searchsorted([1.5, 2.9]).tolist() == [1, 2]
    assert cn.Series([1, 2, 3], dtype="int8").searchsorted([300]).tolist() == [3]
    days = cn.Series([datetime.date(2024, 1, 1), datetime.date(2024, 1, 2)])
    assert days.searchsorted(datetime.datetime(2024, 1, 1, 12)) == 1
    assert days.searchsorted("2024-01-02") == 1
    assert cn.Series([False, True]).searchsorted([0, 1, 2]).tolist() == [0, 1, 2]
    assert cn.Series([b"a", b"c"]).searchsorted(b"b") == 1
    zones = ["Europe/Rome", "UTC", "America/Bogota"]
    instants = [datetime.datetime(2020, 1, day, tzinfo=datetime.timezone.utc) for day in (1, 3, 5)]
    ours, theirs = cn.Series(instants), pd.Series(pd.to_datetime(instants)).astype("datetime64[us, UTC]")
    needle = datetime.datetime(2020, 1, 2, 23, 30, tzinfo=datetime.timezone.utc)
    for zone in zones:
        own, other = ours.astype(f"timestamp[us, {zone}]"), theirs.dt.tz_convert(zone)
        assert own.searchsorted(needle) == other.searchsorted(pd.Timestamp(needle)) == 1
        assert own.searchsorted(ours.astype("timestamp[ms, Asia/Tokyo]"), "right").tolist() == [1, 2, 3]
        frame = cn.DataFrame({"t": own, "n": [1, 1, 1]})
        needles = cn.DataFrame({"t": ours, "n": [1, 0, 2]})
        assert frame.search_sorted(["t", "n"], needles).to_list() == [0, 1, 3]
    with pytest.raises(ValueError, match="side is left"):
        sorted_values.searchsorted([1], "up")


def test_labels_as_sets(device):
    a, b = pd.Index(["x", "y", "ü", "y"]), pd.Index(["y", "z"])
    left, right = cn.Index(list(a)), cn.Index(list(b))
    assert left.union(right).to_list() == sorted(a.union(b))
    assert left.intersection(right).to_list() == list(a.intersection(b))
    assert left.difference(right).to_list() == list(a.difference(b))
    assert left.symmetric_difference(right).to_list() == list(a.symmetric_difference(b))
    assert left.unique().to_list() == list(a.unique())
    assert left.duplicated().tolist() == list(a.duplicated())
    assert left.duplicated(keep=False).tolist() == list(a.duplicated(keep=False))
    assert left.insert(1, "ß").to_list() == list(a.insert(1, "ß"))
    assert left.delete([0, -1]).to_list() == list(a.delete([0, -1]))
    assert left.drop(["y"]).to_list() == list(a.drop("y"))
    joined, rows, others = cn.Index(["x", "y"]).join(right, "outer", return_indexers=True)
    assert joined.to_list() == ["x", "y", "z"] and rows.to_list() == [0, 1, -1] and others.to_list() == [-1, 0, 1]
    with pytest.raises(KeyError):
        left.drop(["zz"])
