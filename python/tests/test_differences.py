"""Each row of the table of defaults in docs/pandas-and-polars.md, with pandas, Polars and this library side by side."""

import datetime as dt
import pathlib
import re

import columnade as cn
import numpy as np
import pandas as pd
import polars as pl
import pytest
from columnade import col

GUIDE = pathlib.Path(__file__).parents[2] / "docs" / "pandas-and-polars.md"
KEYS = {"k": ["b", None, "a", "b"], "n": [1, 2, 3, 4]}
CASES = {}


def case(*rows):
    """The test of rows of the table, which are named by their first cell."""

    def add(test):
        for row in rows:
            assert row not in CASES
            CASES[row] = test
        return test

    return add


def rows_of_table():
    text = GUIDE.read_text()
    table = text[text.index("| | pandas | Polars | Columnade |"):].split("\n\n")[0]
    return [re.split(r"(?<!\\)\|", line)[1].strip() for line in table.splitlines()[2:]]


def test_each_row_of_the_table_has_a_case():
    assert rows_of_table() == list(CASES)


@pytest.mark.parametrize("row", rows_of_table())
def test_row_of_the_table_is_true(row):
    CASES[row]()


def lists(frame):
    return frame.to_dict() if isinstance(frame, cn.DataFrame) else frame.to_dict(as_series=False)


@case("an aggregate in `select` or `filter`")
def _():
    assert pd.Series([1, 3])[lambda s: s > s.mean()].tolist() == [3]
    assert lists(pl.DataFrame({"a": [1, 3]}).select(pl.col("a").sum())) == {"a": [4]}
    assert lists(pl.DataFrame({"a": [1, 3]}).select("a", s=pl.col("a").sum())) == {"a": [1, 3], "s": [4, 4]}
    frame = cn.DataFrame({"a": [1, 3]})
    assert frame.select(col("a").sum())["a"].to_list() == [4, 4] and frame.agg(col("a").sum())["a"].to_list() == [4]
    assert frame.filter(col("a") > col("a").mean())["a"].to_list() == [3]


@case("label of `a * 2`")
def _():
    assert pl.DataFrame({"a": [1]}).select(pl.col("a") * 2).columns == ["a"]
    frame = cn.DataFrame({"a": [1]})
    assert frame.select(col("a") * 2).columns == ["(a * 2)"] and frame.select((col("a") * 2).alias("a")).columns == ["a"]


@case("rows with a null key in `over`")
def _():
    assert pd.DataFrame(KEYS).groupby("k")["n"].transform("sum").isna().tolist() == [False, True, False, False]
    assert pl.DataFrame(KEYS).select(pl.col("n").sum().over("k"))["n"].to_list() == [5, 2, 3, 5]
    frame = cn.DataFrame(KEYS)
    assert frame.select(col("n").sum().over("k"))["n"].to_list() == [5, None, 3, 5]
    assert frame.select(col("n").sum().over("k", dropna=False))["n"].to_list() == [5, 2, 3, 5]


@case("NaN in sorts")
def _():
    values = [float("nan"), 1.0, float("inf")]
    assert pd.Series(values).sort_values(ascending=False).index.tolist() == [2, 1, 0]
    assert np.isnan(pl.Series(values).sort(descending=True)[0])
    assert cn.Series(values).sort_values(ascending=False).index.to_list() == [0, 2, 1]


@case("a value at an edge of `hist`")
def _():
    assert np.histogram([0, 2, 5], [0, 2, 5])[0].tolist() == [1, 2]
    assert pl.Series([0, 2, 5]).hist([0, 2, 5])["count"].to_list() == [2, 1]
    assert cn.Series([0, 2, 5]).hist([0, 2, 5])["count"].to_list() == [2, 1]


@case("NaN == NaN")
def _():
    values = [float("nan")]
    assert (pd.Series(values) == pd.Series(values)).tolist() == [False]
    assert (pl.Series(values) == pl.Series(values)).to_list() == [True]
    assert (cn.Series(values) == cn.Series(values)).to_list() == [False]


@case("rows with a null key in a group-by")
def _():
    assert len(pd.DataFrame(KEYS).groupby("k").size()) == 2
    assert len(pl.DataFrame(KEYS).group_by("k").len()) == 3
    frame = cn.DataFrame(KEYS)
    assert len(frame.group_by("k").len()) == 2 and len(frame.group_by("k", dropna=False).len()) == 3


@case("order of the groups")
def _():
    assert pd.DataFrame(KEYS).groupby("k").size().index.tolist() == ["a", "b"]
    frame = cn.DataFrame(KEYS)
    assert frame.group_by("k").len()["k"].to_list() == ["b", "a"]
    assert frame.group_by("k", sort=True).len()["k"].to_list() == ["a", "b"]


@case("null keys in a join")
def _():
    assert len(pd.DataFrame(KEYS).merge(pd.DataFrame(KEYS), on="k")) == 6
    assert len(pl.DataFrame(KEYS).join(pl.DataFrame(KEYS), on="k")) == 5
    frame = cn.DataFrame(KEYS)
    assert len(frame.merge(frame, on="k")) == 6 and len(frame.merge(frame, on="k", nulls_equal=False)) == 5


LEFT, RIGHT = {"a": [2, 1], "v": [5, 6]}, {"b": [1, 3], "v": [7, 8]}


@case("keys that are called differently on both sides")
def _():
    assert pd.DataFrame(LEFT).merge(pd.DataFrame(RIGHT), left_on="a", right_on="b").columns.tolist() == ["a", "v_x", "b", "v_y"]
    left, right = pl.DataFrame(LEFT), pl.DataFrame(RIGHT)
    assert left.join(right, left_on="a", right_on="b").columns == ["a", "v", "v_right"]
    assert left.join(right, left_on="a", right_on="b", how="full").columns == ["a", "v", "b", "v_right"]
    left, right = cn.DataFrame(LEFT), cn.DataFrame(RIGHT)
    assert left.merge(right, left_on="a", right_on="b").columns == ["a", "v_x", "b", "v_y"]
    assert left.merge(right, left_on="a", right_on="b", coalesce=True).columns == ["a", "v_x", "v_y"]


@case("rows of an outer join")
def _():
    left, right = {"k": [3, 1]}, {"k": [0, 1]}
    assert pd.DataFrame(left).merge(pd.DataFrame(right), how="outer")["k"].tolist() == [0, 1, 3]
    left, right = cn.DataFrame(left), cn.DataFrame(right)
    assert left.merge(right, how="outer")["k"].to_list() == [3, 1, 0]
    assert left.merge(right, how="outer", maintain_order="right_left")["k"].to_list() == [0, 1, 3]


@case("an aggregate in the condition of a join")
def _():
    left, right = {"v": [1, 2]}, {"w": [2, 3]}
    condition = pl.col("v").sum() <= pl.col("w")
    assert lists(pl.DataFrame(left).join_where(pl.DataFrame(right), condition)) == {"v": [], "w": []}
    condition, mine, other = col("v").sum() <= col("w"), cn.DataFrame(left), cn.DataFrame(right)
    expected = {"v": [1, 2], "w": [3, 3]}
    assert lists(mine.join_where(other, condition)) == lists(mine.merge(other, condition=condition)) == expected


@case("suffixes of labels of both sides")
def _():
    data = {"k": [1], "v": [2]}
    assert pd.DataFrame(data).merge(pd.DataFrame(data), on="k").columns.tolist() == ["k", "v_x", "v_y"]
    assert pl.DataFrame(data).join(pl.DataFrame(data), on="k").columns == ["k", "v", "v_right"]
    frame = cn.DataFrame(data)
    assert frame.merge(frame, on="k").columns == ["k", "v_x", "v_y"]
    assert frame.merge(frame, on="k", suffixes=("", "_right")).columns == ["k", "v", "v_right"]


@case("nulls in a sort")
def _():
    values = [2, None, 1]
    assert pd.Series(values, dtype="Int64").sort_values().index.tolist() == [2, 0, 1]
    assert pl.Series(values).sort().to_list() == [None, 1, 2]
    assert cn.Series(values).sort_values().to_list() == [1, 2, None]
    assert cn.DataFrame({"a": values}).sort_values("a", nulls_first=True)["a"].to_list() == [None, 1, 2]


@case("order of equal rows in a sort")
def _():
    frame = cn.DataFrame({"a": [1, 0] * 500, "n": list(range(1000))}).sort_values("a")
    assert frame["n"].to_list() == list(range(1, 1000, 2)) + list(range(0, 1000, 2))


@case("a missing float")
def _():
    values = [1.0, float("nan")]
    assert pd.Series(values).isna().tolist() == [False, True]
    assert pl.Series(values).is_null().to_list() == [False, False]
    assert cn.Series(values).isna().to_list() == [False, False] and cn.Series([1.0, None]).isna().to_list() == [False, True]


@case("comparison with a missing value")
def _():
    assert (pd.Series([1.0, None]) > 0).tolist() == [True, False]
    assert (pl.Series([1.0, None]) > 0).to_list() == [True, None]
    series = cn.Series([1.0, None])
    assert (series > 0).to_list() == [True, None] and series.is_not_null().to_list() == [True, False]
    assert cn.DataFrame({"a": series}).filter(col("a") > 0)["a"].to_list() == [1.0]


@case("quotient of integers")
def _():
    assert (pd.Series([7]) / 2).tolist() == (pl.Series([7]) / 2).to_list() == (cn.Series([7]) / 2).to_list() == [3.5]
    assert (cn.Series([7]) // 2).to_list() == [3]


@case("remainder")
def _():
    assert (pd.Series([-7]) % 4).tolist() == (pl.Series([-7]) % 4).to_list() == (cn.Series([-7]) % 4).to_list() == [1]


@case("sum of booleans, `a + b`")
def _():
    assert (pd.Series([True, False]) + pd.Series([True, True])).tolist() == [True, True]
    summed = pl.Series([True, False]) + pl.Series([True, True])
    assert summed.dtype == pl.UInt32 and summed.to_list() == [2, 1]
    summed = cn.Series([True, False]) + cn.Series([True, True])
    assert summed.dtype == "int64" and summed.to_list() == [2, 1]
    assert (cn.Series([True, False]) | cn.Series([True, True])).to_list() == [True, True]


@case("a value that is no category, set in some rows")
def _():
    categories = pd.Series(["a", "b"], dtype="category")
    with pytest.raises(TypeError):
        categories.loc[0] = "z"
    extended = pl.Series(["a", "b"], dtype=pl.Categorical)
    extended[0] = "z"
    assert extended.to_list() == ["z", "b"]
    ours = cn.Series(["a", "b"]).cat.encode()
    with pytest.raises(cn.ColumnadeError, match="^set_loc: \"z\" is no category"):
        ours.set_loc(0, "z")
    assert ours.cat.add_categories(["z"]).set_loc(0, "z").cat.decode().to_list() == ["z", "b"]
    assert ours.set_loc(0, "b").cat.codes().to_list() == [1, 1]


MONDAY = [dt.datetime(2024, 1, 1)]


@case("day of the week of a Monday")
def _():
    assert pd.Series(MONDAY).dt.day_of_week.tolist() == [0] and pl.Series(MONDAY).dt.weekday().to_list() == [1]
    assert cn.Series(MONDAY).dt.weekday().to_list() == [0]


@case("an integer to negative integers of a column")
def _():
    with pytest.raises(ValueError, match="negative"):
        pd.Series([2, 3]) ** pd.Series([-1, 2])
    assert (cn.Series([2, 3]) ** cn.Series([-1, 2])).to_list() == [None, 9]
    with pytest.raises(ValueError, match="negative power of integers"):
        cn.Series([2]) ** -1
    assert (cn.Series([2]).cast("float64") ** -1).to_list() == [0.5]


@case("`dt.nanosecond`")
def _():
    time = pd.Series(pd.to_datetime(["2024-01-01 00:00:00.123456789"]).as_unit("ns"))
    assert time.dt.nanosecond.tolist() == [789] and pl.Series(time).dt.nanosecond().to_list() == [123456789]
    assert cn.from_pandas(time).dt.nanosecond().to_list() == [789]


@case("the time of a day")
def _():
    assert pd.Series(MONDAY).dt.time.dtype == "object" and pl.Series(MONDAY).dt.time().dtype == pl.Time
    times = cn.Series([dt.time(23, 30)])
    assert str(times.dtype) == "time64[us]" and (times + dt.timedelta(hours=1)).to_list() == [dt.time(0, 30)]
    assert (times.cast("duration[us]") + dt.timedelta(hours=1)).to_list() == [dt.timedelta(hours=24, minutes=30)]


@case("a time that clocks show twice or skip")
def _():
    skipped = [dt.datetime(2024, 3, 31, 2, 30)]
    with pytest.raises(ValueError):
        pd.Series(skipped).dt.tz_localize("Europe/Rome")
    with pytest.raises(pl.exceptions.ComputeError):
        pl.Series(skipped).dt.replace_time_zone("Europe/Rome")
    with pytest.raises(ValueError, match="does not exist"):
        cn.Series(skipped).dt.tz_localize("Europe/Rome")
    assert cn.Series(skipped).dt.tz_localize("Europe/Rome", nonexistent="null").to_list() == [None]


@case("such a time after `dt.floor`, `ceil`, `round`")
def _():
    for zone, clock, first, later in (
        # Shown twice, and skipped.
        ("America/Havana", dt.datetime(2024, 11, 3, 9), "2024-11-03 00:00:00-0400", "2024-11-03 00:00:00-0500"),
        ("America/Santiago", dt.datetime(2024, 9, 8, 5), "2024-09-08 01:00:00-0300", "2024-09-08 01:00:00-0300"),
    ):
        ours = cn.Series([clock]).dt.tz_localize("UTC").dt.tz_convert(zone)
        with pytest.raises(ValueError):
            pd.Series([clock]).dt.tz_localize("UTC").dt.tz_convert(zone).dt.floor("D")
        theirs = pl.Series([clock]).dt.replace_time_zone("UTC").dt.convert_time_zone(zone).dt.truncate("1d")
        assert theirs.dt.strftime("%F %T%z").to_list() == [later]
        assert ours.dt.floor("D").dt.strftime("%F %T%z").to_list() == [first]
        with pytest.raises(ValueError):
            ours.dt.floor("D", ambiguous="raise")
        assert ours.dt.floor("D", ambiguous="NaT", nonexistent="NaT").to_list() == [None]
    # The hour that clocks show twice stays the one that it was.
    twice = cn.Series([dt.datetime(2024, 10, 27, 1, 50)]).dt.tz_localize("UTC").dt.tz_convert("Europe/Rome")
    assert twice.dt.floor("h").dt.strftime("%F %T%z").to_list() == ["2024-10-27 02:00:00+0100"]


@case("nulls at the ends in `interpolate`")
def _():
    values = [None, 1.0, None, 3.0, None]
    assert pd.Series(values).interpolate().tolist()[1:] == [1.0, 2.0, 3.0, 3.0]
    assert pl.Series(values).interpolate().to_list() == [None, 1.0, 2.0, 3.0, None]
    made = cn.Series(values).interpolate()
    assert made.to_list() == [None, 1.0, 2.0, 3.0, None] and made.fill_forward().to_list() == [None, 1.0, 2.0, 3.0, 3.0]


@case("a quantile between two values")
def _():
    assert pd.Series([1, 2]).quantile(0.3) == pytest.approx(1.3) and pl.Series([1, 2]).quantile(0.3) in (1.0, 2.0)
    assert cn.Series([1, 2]).quantile(0.3) == pytest.approx(1.3) and cn.Series([1, 2]).quantile(0.3, "nearest") == 1


@case("first, last value of a group")
def _():
    data = {"k": ["a", "a"], "n": [None, 2.0]}
    assert pd.DataFrame(data).groupby("k")["n"].first().tolist() == [2.0]
    assert pl.DataFrame(data).group_by("k").agg(pl.col("n").first())["n"].to_list() == [None]
    groups = cn.DataFrame(data).group_by("k")
    assert groups.agg(col("n").first())["n"].to_list() == [2.0] and groups.agg(col("n").nth(0))["n"].to_list() == [None]


@case("nulls in the number of distinct values")
def _():
    values = [1, 1, None]
    assert pd.Series(values).nunique() == 1 and pl.Series(values).n_unique() == 2 and cn.Series(values).nunique() == 1


@case("rank in a centred window")
def _():
    values = [3.0, 1.0, 2.0, 5.0, 4.0]
    # The last window has 5 and 4, of which pandas ranks the 4 after the 2 of the window before.
    assert pd.Series(values).rolling(3, center=True, min_periods=1).rank().tolist() == [1, 2, 3, 2, 2]
    assert pl.Series(values).rolling_rank(3, min_samples=1, center=True).to_list() == [2, 1, 2, 3, 1]
    assert cn.Series(values).rolling(3, center=True, min_periods=1).rank().to_list() == [1, 2, 3, 2, 1]


@case("rank correlation of strings")
def _():
    numbers, words = [1, 2, 3], ["a", "b", "é"]
    with pytest.raises(ValueError, match="could not convert"):
        pd.Series(numbers).corr(pd.Series(words), method="spearman")
    theirs = pl.DataFrame({"n": numbers, "w": words}).select(pl.corr("n", "w", method="spearman"))
    assert theirs.item() == pytest.approx(1)
    for method in ("spearman", "kendall"):
        assert cn.Series(numbers).corr(cn.Series(words), method=method) == pytest.approx(1)


@case("mean and median of dates")
def _():
    days = [dt.date(2024, 1, 1), dt.date(2024, 1, 4)]
    assert pd.Series(days).dtype == "object" and pl.Series(days).mean() == dt.datetime(2024, 1, 2, 12)
    assert cn.Series(days).mean() == cn.Series(days).median() == dt.date(2024, 1, 2)
    assert cn.Series(days).cast("timestamp[s]").mean() == dt.datetime(2024, 1, 2, 12)


@case("a negative duration over an integer")
def _():
    spans = [dt.timedelta(microseconds=-3)]
    assert (pd.Series(spans).dt.as_unit("us") / 2).tolist() == [pd.Timedelta(microseconds=-1)]
    assert (pl.Series(spans) / 2).to_list() == [dt.timedelta(microseconds=-2)]
    assert (cn.Series(spans) / 2).to_list() == [dt.timedelta(microseconds=-1)]
    assert (cn.Series(spans) // 2).to_list() == [dt.timedelta(microseconds=-2)]


@case("`std` and `sem` of times")
def _():
    times = [dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 3)]
    assert isinstance(pd.Series(times).std(), pd.Timedelta)
    with pytest.raises(pl.exceptions.PolarsError):
        pl.DataFrame({"t": times}).select(pl.col("t").std()).item()
    with pytest.raises(TypeError):
        pd.Series(times).sem()
    assert cn.Series(times).std().days == 1 and isinstance(cn.Series(times).sem(), dt.timedelta)


@case("sum, mean of no values")
def _():
    assert pd.Series([], dtype=float).sum() == 0 and np.isnan(pd.Series([], dtype=float).mean())
    assert pl.Series([], dtype=pl.Float64).sum() == 0 and pl.Series([], dtype=pl.Float64).mean() is None
    empty = cn.Series([], dtype="float64")
    assert empty.sum() == 0 and empty.mean() is None


@case("explode of an empty list")
def _():
    data = {"l": [[1], []]}
    assert pd.DataFrame(data).explode("l")["l"].isna().tolist() == [False, True]
    frame = cn.DataFrame(data)
    assert frame.explode("l")["l"].to_list() == [1, None]
    assert frame.filter(col("l").list.len() > 0).explode("l")["l"].to_list() == [1]


@case("nulls within the lists and structs of a sort")
def _():
    data = {"l": [[1], [None], [2]]}
    assert pl.DataFrame(data).sort("l")["l"].to_list() == [[None], [1], [2]]
    frame = cn.DataFrame(data)
    assert frame.sort_values("l")["l"].to_list() == [[1], [2], [None]]
    assert frame.sort_values("l", nulls_first=True)["l"].to_list() == [[None], [1], [2]]


@case("distinct items of a list")
def _():
    values = [[1, 1, None]]
    assert pl.Series(values).list.n_unique().to_list() == [2]
    assert cn.Series(values).list.nunique().to_list() == [1] and len(cn.Series(values).list.unique()[0]) == 2


@case("categories of encoded values")
def _():
    values = ["b", "a"]
    assert pd.Series(values).astype("category").cat.categories.tolist() == ["a", "b"]
    assert cn.Series(values).cat.encode().cat.categories().to_list() == ["b", "a"]


@case("white space of `strip`, `split` and `isspace`")
def _():
    text = "\x1ca\u3000"
    assert pd.Series([text]).str.strip().tolist() == ["a"]
    assert pl.Series([text]).str.strip_chars().to_list() == cn.Series([text]).str.strip().to_list() == ["\x1ca"]
    assert pd.Series(["\x1c"]).str.isspace().tolist() == [True] and cn.Series(["\x1c"]).str.isspace().to_list() == [False]


@case("sorts, groups and comparisons of categories that are not ordered")
def _():
    keys = pd.Categorical(["b", "a", None, "b"], categories=["b", "a", "z"])
    theirs = pd.DataFrame({"k": keys, "n": [1, 2, 3, 4]})
    frame = cn.from_pandas(theirs)
    assert theirs.sort_values("k")["n"].tolist() == [1, 4, 2, 3] and frame.sort_values("k")["n"].to_list() == [2, 1, 4, 3]
    assert theirs.set_index("k").sort_index()["n"].tolist() == [1, 4, 2, 3]
    assert frame.set_index("k").sort_index()["n"].to_list() == [2, 1, 4, 3]
    assert theirs.groupby("k", observed=True)["n"].sum().to_dict() == {"b": 5, "a": 2}
    assert list(theirs.groupby("k", observed=True)["n"].sum().index) == ["b", "a"]
    assert frame.groupby("k")["n"].sum().index.to_list() == ["a", "b"]
    assert list(theirs.groupby("k", observed=False)["n"].sum().index) == ["b", "a", "z"]
    assert frame.groupby("k", observed=False)["n"].sum().index.to_list() == ["b", "a", "z"]
    wide = theirs.dropna().assign(row=[1, 1, 2]).set_index(["row", "k"])["n"]
    assert list(wide.unstack().columns) == ["b", "a"] and cn.from_pandas(wide).unstack().columns == ["a", "b"]
    for call in (lambda values: values.min(), lambda values: values.max(), lambda values: values < "b"):
        with pytest.raises(TypeError):
            call(theirs["k"])
    assert (frame["k"].min(), frame["k"].max(), (frame["k"] < "b").to_list()) == ("a", "b", [False, True, None, False])
    texts = pl.Series(["b", "a", None, "b"], dtype=pl.Categorical)
    assert texts.sort(nulls_last=True).to_list() == ["a", "b", "b", None]
    ordered = cn.from_pandas(theirs.assign(k=theirs["k"].cat.as_ordered()))
    assert ordered.sort_values("k")["n"].to_list() == [1, 4, 2, 3] and ordered["k"].min() == "b"
    assert ordered.groupby("k")["n"].sum().index.to_list() == ["b", "a"]
    assert frame.with_columns(k=frame["k"].cat.as_ordered()).sort_values("k")["n"].to_list() == [1, 4, 2, 3]


@case("null among the keys of `pivot`")
def _():
    data = {"i": [1, 1], "c": [None, "x"], "v": [5, 6]}
    assert pl.DataFrame(data).pivot("c", index="i", values="v").columns[-1] == "x"
    made = cn.DataFrame(data).pivot(index="i", columns="c", values="v")
    assert made.columns[0] == "x" and len(made.columns) == 2


@case("dtype of the ISO week")
def _():
    assert pd.Series(MONDAY).dt.isocalendar().week.dtype == "UInt32" and pl.Series(MONDAY).dt.week().dtype == pl.Int8
    assert str(cn.Series(MONDAY).dt.week().dtype) == "int32"


@case("sums, least and greatest values and numbers of values in windows of integers")
def _():
    numbers = [1, 2, 3]
    for name in ("sum", "min", "max", "count"):
        theirs, ours = (getattr(module.Series(numbers).rolling(2, min_periods=1), name)() for module in (pd, cn))
        assert theirs.dtype == "float64" and str(ours.dtype) == "int64" and theirs.tolist() == ours.to_list()
    assert pl.Series(numbers).rolling_sum(2).dtype == pl.Int64


@case("ranks that are whole (`min`, `max`, `first`, `dense`)")
def _():
    for name in ("min", "max", "first", "dense"):
        theirs, ours = (module.Series([5, 5, 7]).rank(method=name) for module in (pd, cn))
        assert theirs.dtype == "float64" and str(ours.dtype) == "int64" and theirs.tolist() == ours.to_list()
    assert pl.Series([5]).rank("min").dtype == pl.UInt32


TIMES = [dt.datetime(2024, 1, 1, hour) for hour in (3, 2, 0)]


@case("windows of time over times that descend")
def _():
    data = {"t": TIMES, "v": [1, 2, 4]}
    assert pd.DataFrame(data).set_index("t")["v"].rolling("2h").sum().tolist() == [1, 3, 4]
    with pytest.raises(pl.exceptions.InvalidOperationError):
        pl.DataFrame(data).rolling("t", period="2h").agg(pl.col("v").sum())
    assert pl.DataFrame(data).select(pl.col("v").rolling_sum_by("t", "2h"))["v"].to_list() == [3, 2, 4]
    frame = cn.DataFrame(data)
    for compute in (lambda: frame.rolling("2h", on="t").sum(), lambda: frame.select(col("v").rolling_sum_by("t", "2h"))):
        with pytest.raises(cn.ColumnValueError, match="do not ascend"):
            compute()


@case("the times `on` of `rolling` of a frame")
def _():
    data = {"k": [1, 1, 2], "t": TIMES[::-1], "v": [1, 2, 4]}
    theirs, ours = pd.DataFrame(data), cn.DataFrame(data)
    assert theirs[["t", "v"]].rolling("2h", on="t").sum().columns.tolist() == ["t", "v"]
    assert pl.DataFrame(data).rolling("t", period="2h").agg(pl.col("v").sum()).columns == ["t", "v"]
    assert ours[["t", "v"]].rolling("2h", on="t").sum().columns == ["v"]
    grouped = theirs.groupby("k").rolling("2h", on="t")["v"].sum().index
    assert grouped.tolist() == list(zip(data["k"], map(pd.Timestamp, data["t"])))
    assert ours.groupby("k").rolling("2h", on="t")["v"].sum().index.to_list() == [(1, 0), (1, 1), (2, 2)]


@case("weight of a value after nulls in `ewm(adjust=False)`")
def _():
    values = [1.0, 2.0, None, 4.0]
    assert pd.Series(values).ewm(span=3, adjust=False).mean().tolist()[-1] == pytest.approx(0.25 * 1.5 + 0.75 * 4)
    expected = (0.25 * 1.5 + 0.5 * 4) / 0.75
    assert cn.Series(values).ewm(span=3, adjust=False).mean().to_list()[-1] == pytest.approx(expected)
    assert pl.Series(values).ewm_mean(span=3, adjust=False, ignore_nulls=False).to_list()[-1] == pytest.approx(expected)
    ignoring = [module.Series(values).ewm(span=3, adjust=False, ignore_na=True).mean().tolist() for module in (pd, cn)]
    assert ignoring[0] == ignoring[1]


@case("categories without a value in `value_counts`")
def _():
    theirs, ours = (module.Series(["a"]).astype("category").cat.set_categories(["z", "a"]) for module in (pd, cn))
    assert theirs.value_counts().to_dict() == {"a": 1, "z": 0} and ours.value_counts().to_dict() == {"a": 1}
    assert pl.Series(["a"], dtype=pl.Enum(["z", "a"])).value_counts().height == 1
    assert ours.value_counts().reindex(["z", "a"], fill_value=0).to_list() == [0, 1]


@case("names of days and months")
def _():
    assert pd.Series(MONDAY).dt.day_name().dtype == "str" and pl.Series(MONDAY).dt.strftime("%A").dtype == pl.String
    made = cn.Series(MONDAY).dt.day_name()
    assert str(made.dtype).startswith("dictionary") and str(made.cast("utf8").dtype) == "utf8"


SALES = {"k": ["a", "a", "b"], "c": ["x", "y", "x"], "n": [1, 2, 3]}


@case("keys of `pivot_table`, `pivot`, `crosstab`")
def _():
    assert pd.DataFrame(SALES).pivot_table(index="k", columns="c", values="n", aggfunc="sum").index.name == "k"
    assert pl.DataFrame(SALES).pivot("c", index="k", values="n").columns == ["k", "x", "y"]
    made = cn.DataFrame(SALES).pivot(index="k", columns="c", values="n")
    assert made.columns == ["x", "y"] and made.index.name == "k"


@case("margin of keys that are no strings")
def _():
    data = {**SALES, "k": [1, 1, 2]}
    theirs = pd.DataFrame(data).pivot_table(index="k", columns="c", values="n", aggfunc="sum", margins=True)
    assert theirs.index.tolist() == [1, 2, "All"]
    made = cn.DataFrame(data).pivot_table(index="k", columns="c", values=col("n").sum(), margins="All")
    assert made.index.to_list() == [1, 2, None]


@case("rows of which a value is null, in the margins of `pivot_table`")
def _():
    data = {"k": ["a", "a"], "c": ["x", "x"], "n": [1.0, 2.0], "m": [None, 3.0]}
    theirs = pd.DataFrame(data).pivot_table(index="k", columns="c", values=["n", "m"], aggfunc="sum", margins=True)
    assert theirs[("n", "All")].tolist()[-1] == 2.0
    frame = cn.DataFrame(data)
    made = frame.pivot_table(index="k", columns="c", values=[col("n").sum(), col("m").sum()], margins="All")
    row = made.to_dicts()[-1]
    assert 3.0 in row.values() and 2.0 not in row.values()


@case("tuples in `columns=`, `index=` and `set_axis`")
def _():
    labels, rows = [("a", 1), ("b", 2)], [[1, 2], [3, 4]]
    theirs = [
        pd.DataFrame(rows, columns=labels).columns, pd.DataFrame(rows).set_axis(labels, axis=1).columns, pd.DataFrame(rows, index=labels).index,
    ]
    assert [index.nlevels for index in theirs] == [1, 1, 1]
    assert pd.DataFrame({label: [1] for label in labels}).columns.nlevels == 2
    with pytest.raises(TypeError):
        pl.DataFrame(rows, schema=labels)
    made = [cn.DataFrame(rows, columns=labels), cn.DataFrame(rows).set_axis(labels, axis=1), cn.DataFrame({label: [1] for label in labels})]
    assert all(frame["a"].columns == [1] for frame in made)
    assert cn.DataFrame(rows, index=labels).index.nlevels == 2
    both = [library.DataFrame(rows, columns=library.MultiIndex.from_tuples(labels))["a"] for library in (pd, cn)]
    assert [list(frame.columns) for frame in both] == [[1], [1]]


@case("keys of `wide_to_long`")
def _():
    wide, arguments = {"k": [1, 2], "v1": [3, 4], "v2": [5, 6]}, {"stubnames": "v", "i": "k", "j": "n"}
    theirs, ours = pd.wide_to_long(pd.DataFrame(wide), **arguments), cn.wide_to_long(cn.DataFrame(wide), **arguments)
    assert theirs.index.names == ["k", "n"] and ours.columns == ["k", "n", "v"]
    assert ours.set_index(["k", "n"])["v"].to_list() == theirs["v"].tolist()


@case("row labels of several levels as values (`idxmax`)")
def _():
    labels = [("x", 1), ("x", 2), ("y", 1)]
    theirs = pd.DataFrame({"a": [1, 5, 3], "b": [2, 1, 9]}, index=pd.MultiIndex.from_tuples(labels, names=["k", "n"]))
    ours = cn.from_pandas(theirs)
    assert theirs.idxmax().tolist() == [("x", 2), ("y", 1)]
    assert ours.idxmax().to_list() == [{"k": "x", "n": 2}, {"k": "y", "n": 1}]
    assert theirs["a"].idxmax() == ours["a"].idxmax() == ("x", 2)
    assert ours.loc[ours.idxmax()].to_dict("list") == theirs.loc[theirs.idxmax()].to_dict("list")


@case("row labels")
def _():
    left, right = pd.Series([1, 2], index=["a", "b"]), pd.Series([5, 6], index=["b", "a"])
    assert (left + right).tolist() == [7, 7]
    mine = cn.Series([1, 2], index=["a", "b"]) + cn.Series([5, 6], index=["b", "a"])
    assert mine.to_dict() == {"a": 7, "b": 7}
    frame = cn.DataFrame({"k": [1, 1]}, index=["x", "y"])
    assert frame.tail(1).index.to_list() == ["y"] and frame.tail(1).reset_index(drop=True).index.to_list() == [0]
    assert frame.merge(frame, on="k").index.to_list() == [0, 1, 2, 3] and frame.group_by("k").len().index.to_list() == [0]
