"""Degrees of freedom, counts that sums need, nulls that are not skipped, fills and windows, as pandas has them."""

import math

import pandas as pd
import pytest

import columnade as cn

DATA = {"k": ["b", "a", "b", "a", "b"], "x": [1.5, None, -2.0, 4.0, 0.25], "n": [3, 1, 4, 1, 5]}


@pytest.fixture
def frame(device):
    return cn.DataFrame(DATA, device=device)


@pytest.fixture
def expected():
    return pd.DataFrame(DATA)


def near(found, expected):
    found, expected = list(found), list(expected)
    assert len(found) == len(expected)
    for value, wanted in zip(found, expected):
        if wanted is None or isinstance(wanted, float) and math.isnan(wanted):
            assert value is None
        else:
            assert value == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["std", "var", "sem"])
@pytest.mark.parametrize("ddof", [0, 1, 2, 4])
def test_spreads_take_ddof(frame, expected, name, ddof):
    near(getattr(frame, name)(numeric_only=True, ddof=ddof).to_list(), getattr(expected, name)(numeric_only=True, ddof=ddof))
    near([getattr(frame["x"], name)(ddof=ddof)], [getattr(expected["x"], name)(ddof=ddof)])
    near(frame.select(getattr(cn.col("x"), name)(ddof))["x"].to_list()[:1], [getattr(expected["x"], name)(ddof=ddof)])
    groups, others = frame.group_by("k", sort=True), expected.groupby("k")
    made, wanted = getattr(groups, name)(ddof=ddof), getattr(others, name)(ddof=ddof)
    for label in ("x", "n"):
        near(made[label].to_list(), wanted[label])
    near(getattr(groups["x"], name)(ddof=ddof)["x"].to_list(), getattr(others["x"], name)(ddof=ddof))


@pytest.mark.parametrize("ddof", [0, 1, 3])
def test_covariances_take_ddof(frame, expected, ddof):
    near([frame["x"].cov(frame["n"], ddof=ddof)], [expected["x"].cov(expected["n"], ddof=ddof)])
    made, wanted = frame[["x", "n"]].cov(ddof=ddof), expected[["x", "n"]].cov(ddof=ddof)
    # pandas' matrix: of float columns with ddof, which it does not apply where nulls are.
    near([made["n"].to_list()[1]], [expected["n"].cov(expected["n"], ddof=ddof)])
    assert wanted.shape == (2, 2)


@pytest.mark.parametrize("name", ["sum", "prod"])
@pytest.mark.parametrize("min_count", [0, 1, 2, 4, 5, 6])
def test_sums_need_min_count(frame, expected, name, min_count):
    near(getattr(frame[["x", "n"]], name)(min_count=min_count).to_list(), getattr(expected[["x", "n"]], name)(min_count=min_count))
    near([getattr(frame["x"], name)(min_count=min_count)], [getattr(expected["x"], name)(min_count=min_count)])
    made = getattr(frame.group_by("k", sort=True), name)(min_count=min_count)
    wanted = getattr(expected.groupby("k"), name)(min_count=min_count)
    for label in ("x", "n"):
        near(made[label].to_list(), wanted[label])


@pytest.mark.parametrize("name", ["sum", "mean", "min", "max", "median", "std", "var", "sem", "prod"])
def test_nulls_that_are_not_skipped_make_null(frame, expected, name):
    for label in ("x", "n"):
        near([getattr(frame[label], name)(skipna=False)], [getattr(expected[label], name)(skipna=False)])
    made = getattr(frame, name)(numeric_only=True, skipna=False)
    near(made.to_list(), getattr(expected, name)(numeric_only=True, skipna=False))
    assert made.index.to_list() == ["x", "n"]
    if name in ("sum", "mean", "min", "max"):
        rows = getattr(frame[["x", "n"]], name)(axis=1, skipna=False)
        near(rows.to_list(), getattr(expected[["x", "n"]], name)(axis=1, skipna=False))


def test_spreads_of_rows_do_not_ignore_ddof(frame):
    with pytest.raises(NotImplementedError, match="min_count with axis=1"):
        frame[["x", "n"]].sum(axis=1, min_count=1)


@pytest.mark.parametrize("n", [0, 1, -2, 9])
def test_shifts_take_fill_value(frame, expected, n):
    assert frame["n"].shift(n, fill_value=7).to_list() == expected["n"].shift(n, fill_value=7).to_list()
    assert frame[["n"]].shift(n, fill_value=7)["n"].to_list() == expected["n"].shift(n, fill_value=7).to_list()
    assert frame.select(cn.col("n").shift(n, 7))["n"].to_list() == expected["n"].shift(n, fill_value=7).to_list()
    wanted = expected.groupby("k")["n"].shift(n, fill_value=7).to_list()
    assert frame.group_by("k").shift(n, fill_value=7)["n"].to_list() == wanted
    assert frame.group_by("k")["n"].shift(n, fill_value=7).to_list() == wanted


@pytest.mark.parametrize("limit", [None, 1, 2, 5])
def test_interpolation_takes_limit(device, limit):
    values = [None, 1.0, None, None, None, 9.0, None]
    wanted = pd.Series(values).interpolate(limit=limit, limit_area="inside")
    near(cn.Series(values, device=device).interpolate(limit).to_list(), wanted)
    near(cn.DataFrame({"a": values}, device=device).interpolate(limit=limit)["a"].to_list(), wanted)


def test_nan_and_null_are_told_apart(device):
    series = cn.Series([1.0, None, 2.0], device=device) * cn.Series([math.nan, 1.0, 1.0], device=device)
    assert series.nan_to_null().to_list() == [None, None, 2.0]
    assert series.fill_nan(5.0).to_list() == [5.0, None, 2.0]
    frame = cn.DataFrame({"a": series, "w": ["x", "y", "z"]})
    assert frame.fill_nan(0).to_dict() == {"a": [0.0, None, 2.0], "w": ["x", "y", "z"]}
    assert frame.nan_to_null().select(cn.col("a").fill_null(3))["a"].to_list() == [3.0, 3.0, 2.0]


def test_ranks_are_shares(frame, expected):
    for label in ("x", "n"):
        near(frame[label].rank(pct=True).to_list(), expected[label].rank(pct=True))
        near(frame.group_by("k")[label].rank(pct=True).to_list(), expected.groupby("k")[label].rank(pct=True))
    near(frame[["x"]].rank(pct=True)["x"].to_list(), expected["x"].rank(pct=True))


def test_several_quantiles(frame, expected):
    made, wanted = frame["n"].quantile([0.1, 0.9]), expected["n"].quantile([0.1, 0.9])
    near(made.to_list(), wanted)
    assert made.index.to_list() == [0.1, 0.9] and frame["n"].quantile() == 3.0
    assert frame.agg(cn.col("n").quantile([0.0, 1.0]))["n"].to_list() == [[1.0, 5.0]]
    assert frame["n"].hist([0, 2, 4, 6])["count"].to_list() == [2, 2, 1]


def test_windows_of_expressions(frame, expected):
    def column(expr):
        return frame.select(expr.alias("made"))["made"].to_list()

    x, theirs = cn.col("n"), expected["n"]
    near(column(x.rolling_quantile(0.25, 3)), theirs.rolling(3).quantile(0.25))
    near(frame["n"].rolling_quantile(0.25, 3).to_list(), theirs.rolling(3).quantile(0.25))
    near(column(x.rolling_first(2)), theirs.shift(1))
    near(frame["n"].rolling_last(1).to_list(), theirs)
    for name in ("sum", "mean", "min", "max", "count", "var", "std", "median"):
        near(column(getattr(cn.col("x"), f"expanding_{name}")()), getattr(expected["x"].expanding(), name)())
    for name in ("mean", "var", "std"):
        near(column(getattr(x, f"ewm_{name}")(span=3)), getattr(theirs.ewm(span=3), name)())
    with pytest.raises(ValueError, match="ewm_mean: give one of"):
        cn.col("x").ewm_mean()
    with pytest.raises(TypeError, match="rolling_sum: window_size is a span of time with by"):
        column(cn.col("x").rolling_sum(2, center=True, by="n"))


def test_null_keys_form_groups(device):
    frame = cn.DataFrame({"k": ["a", None, None], "n": [1, 2, 4]}, device=device)
    assert frame.select(cn.col("n").sum().over("k"))["n"].to_list() == [1, None, None]
    assert frame.select(cn.col("n").sum().over("k", dropna=False))["n"].to_list() == [1, 6, 6]


def test_joins_and_sorted_frames(device):
    left = cn.DataFrame({"a": [1, 2], "g": ["x", "y"]}, device=device)
    right = cn.DataFrame({"b": [2, 3], "h": ["x", "y"]}, device=device)
    merged = left.merge(right, left_on="a", right_on="b", coalesce=True)
    assert merged.columns == ["a", "g", "h"]
    near_by = left.merge_asof(right, left_on="a", right_on="b", left_by="g", right_by="h", direction="forward")
    assert near_by["b"].to_list() == [2, 3]
    with pytest.raises(ValueError, match="give by, or left_by and right_by"):
        left.merge_asof(right, left_on="a", right_on="b", left_by="g")
    sorted_frames = [cn.DataFrame({"t": values}, device=device) for values in ([1, 4], [], [2, 4, 5])]
    sorted_frames[1] = sorted_frames[0].head(0)
    assert cn.merge_sorted(sorted_frames, "t")["t"].to_list() == [1, 2, 4, 4, 5]
    assert sorted_frames[2].search_sorted("t", sorted_frames[0]).to_list() == [0, 1]
    assert sorted_frames[2].search_sorted("t", sorted_frames[0], side="right").to_list() == [0, 2]


def test_apply_without_groups_has_no_rows(frame):
    assert frame.head(0).group_by("k").apply(lambda rows: rows).to_dict() == {"k": [], "x": [], "n": []}


@pytest.mark.parametrize("ddof", [0, 1, 2])
def test_windows_take_ddof(frame, expected, ddof):
    for name in ("var", "std", "sem"):
        near(getattr(frame["n"].rolling(3), name)(ddof=ddof).to_list(), getattr(expected["n"].rolling(3), name)(ddof=ddof))
    near(frame["x"].expanding().std(ddof=ddof).to_list(), expected["x"].expanding().std(ddof=ddof))


def test_bins_have_products_and_standard_errors(device):
    times = pd.date_range("2024-01-01", periods=5, freq="20min")
    theirs = pd.Series([2.0, 3.0, 5.0, None, 7.0], index=times)
    ours = cn.Series(theirs.tolist()[:3] + [None, 7.0], index=cn.from_pandas(times), device=device)
    bins, expected = ours.resample("1h"), theirs.resample("1h")
    near(bins.prod().to_list(), expected.prod())
    near(bins.sem().to_list(), expected.sem())


@pytest.mark.parametrize("closed", ["right", "left", "both", "neither"])
def test_intervals_are_those_of_pandas(closed):
    index, theirs = cn.Index.interval_range(0, 8, 2, closed=closed), pd.interval_range(0, 8, freq=2, closed=closed)
    for name in ("left", "right", "mid", "length"):
        assert getattr(index, name).to_list() == list(getattr(theirs, name))
    assert index.closed == closed
    for value in (-1, 0, 1, 2, 3.5, 8):
        assert index.contains(value).to_list() == list(theirs.contains(value))
    for other in ("right", "left", "both", "neither"):
        expected = theirs.overlaps(pd.Interval(2, 4, closed=other))
        assert index.overlaps(cn.Interval(2, 4, other)).to_list() == list(expected)
    assert index.get_loc(3) == theirs.get_loc(3) == 1
    series = cn.Series([10, 20, 30, 40], index=index)
    assert series.at[3] == 20
    with pytest.raises(KeyError):
        index.get_loc(99)
    assert not hasattr(cn.Index([1]), "left")


def test_kurtosis_of_equal_values_is_not_a_number():
    frame = cn.DataFrame({"v": [0.1, 0.1, 0.1, 0.7, None], "k": ["a", "a", "a", "b", "c"]})
    made = frame.filter(cn.col("k") == "a").select(x=cn.col("v").kurtosis())["x"].to_list()
    assert all(value != value for value in made)
    a, b, c = frame.group_by("k", sort=True).agg(x=cn.col("v").kurtosis())["x"].to_list()
    assert a != a and b != b and c is None
    values = [0.3, 0.1, 2.5, -1.0]
    made = cn.DataFrame({"v": values}).select(x=cn.col("v").kurtosis())["x"].to_list()[0]
    apart = [value - sum(values) / 4 for value in values]
    assert made == pytest.approx(4 * sum(d**4 for d in apart) / sum(d**2 for d in apart) ** 2 - 3)


def test_quantiles_and_members_of_nulls_without_dtype():
    frame = cn.DataFrame({"n": [None] * 3, "i": [1, 2, None], "k": [1, 1, 2]})
    assert [list(row) for row in frame.group_by("k").agg(x=cn.col("n").quantile([0.5]))["x"].to_list()] == [[None], [None]]
    for members in (frame["i"], [1], ["a"], list(range(40))):
        assert frame.select(x=cn.col("n").is_in(members))["x"].to_list() == [None] * 3
