"""Methods of pandas that fill, align, summarise and look up rows, and their arguments: the same calls on both."""

import datetime as dt

import columnade as cn
import numpy as np
import pandas as pd
import pytest

from test_pandas_arguments import both, frame, names_of, series, times, two
from beside import library_of, same

GAPS = [None, 1.0, None, None, 4.0, None, None, None, 9.0, None, None]
HOURS = [dt.datetime(2024, 1, 1) + dt.timedelta(hours=hour) for hour in (0, 1, 3, 4, 9, 10, 12, 13, 20, 21, 30)]
NUMBERS = {"a": [1.0, 2.0, None, 4.0, 7.0], "b": [2.0, 1.0, 3.0, 5.0, None], "c": [5, 3, 8, 1, 2]}


def gaps(f):
    return series(f, GAPS, HOURS)


def numbers(f, index=None):
    return frame(f, NUMBERS, index)


FILLS = {
    "ffill": lambda f: gaps(f).ffill(limit=1),
    "ffill inside": lambda f: gaps(f).ffill(limit_area="inside"),
    "ffill outside": lambda f: gaps(f).ffill(limit_area="outside"),
    "ffill inside and limit": lambda f: gaps(f).ffill(limit=2, limit_area="inside"),
    "bfill inside": lambda f: gaps(f).bfill(limit_area="inside", limit=1),
    "bfill outside": lambda f: gaps(f).to_frame("v").bfill(limit_area="outside"),
    "interpolate inside": lambda f: gaps(f).interpolate(limit_area="inside"),
    "interpolate limit inside": lambda f: gaps(f).interpolate(method="linear", limit=1, limit_area="inside"),
    "interpolate forward": lambda f: gaps(f).interpolate(limit_direction="forward"),
    "interpolate forward limit": lambda f: gaps(f).interpolate(limit_direction="forward", limit=1),
    "interpolate backward": lambda f: gaps(f).interpolate(limit_direction="backward"),
    "interpolate backward limit": lambda f: gaps(f).interpolate(limit_direction="backward", limit=2),
    "interpolate both": lambda f: gaps(f).interpolate(limit_direction="both"),
    "interpolate both limit": lambda f: gaps(f).interpolate(limit_direction="both", limit=1),
    "interpolate both inside": lambda f: gaps(f).interpolate(limit_direction="both", limit_area="inside", limit=1),
    "interpolate outside": lambda f: gaps(f).interpolate(limit_direction="both", limit_area="outside"),
    "interpolate outside forward": lambda f: gaps(f).interpolate(limit_direction="forward", limit_area="outside", limit=1),
    "interpolate time": lambda f: gaps(f).interpolate(method="time", limit_area="inside"),
    "interpolate time both": lambda f: gaps(f).interpolate(method="time", limit_direction="both"),
    "interpolate frame": lambda f: gaps(f).to_frame("v").interpolate("time", limit_direction="backward"),
    "interpolate index": lambda f: series(f, GAPS, [at * at for at in range(len(GAPS))]).interpolate(method="index", limit_area="inside"),
    "interpolate float32": lambda f: gaps(f).astype("float32").interpolate(limit_direction="both"),
    "interpolate nothing": lambda f: series(f, [1.0, 2.0]).interpolate(limit_direction="both"),
    "interpolate integers": lambda f: frame(f, {"n": [1, 2, 3]}).interpolate(limit_direction="both").astype("float64"),
}


@pytest.mark.parametrize("name", FILLS)
def test_fills(name):
    ours, theirs = both()
    same(FILLS[name](ours), FILLS[name](theirs))


def test_interpolation_of_floats_without_values():
    missing = cn.Series([None, None], dtype="float64")
    assert missing.interpolate(limit_direction="both").to_list() == [None, None] and missing.iloc[:0].interpolate(limit_direction="both").to_list() == []
    assert gaps(both()[0]).interpolate().to_list()[0] is None and gaps(both()[0]).interpolate().to_list()[-1] is None


def aligned(f, **options):
    left, right = numbers(f, ["p", "q", "r", "s", "t"])[["a", "c"]].align(numbers(f, ["q", "r", "x", "y", "z"])[["c", "b"]], **options)
    return [left, right]


@pytest.mark.parametrize("options", [{}, {"join": "inner"}, {"fill_value": 0}, {"join": "left", "fill_value": 7}, {"axis": 0, "fill_value": 1}, {"axis": "columns", "fill_value": 2}])
def test_align(options):
    ours, theirs = both()
    same(aligned(ours, **options), aligned(theirs, **options), whole=True)


ROWS = {
    "align of series": lambda f: f["n"].iloc[3:].align(series(f, [7], ["z"]), join="outer", fill_value=0)[1],
    "reindex labels": lambda f: numbers(f).reindex([3, 9]),
    "reindex columns by axis": lambda f: numbers(f).reindex(["c", "a", "z"], axis="columns"),
    "reindex rows by axis": lambda f: numbers(f).reindex([1, 7], axis=0, fill_value=0),
    "reindex labels and columns": lambda f: numbers(f).reindex([4, 0], columns=["b"]),
    "reindex index": lambda f: numbers(f).reindex(index=[4, 0], columns=["b", "z"], fill_value=1.5),
    "reindex tolerance": lambda f: numbers(f, [0.0, 1.0, 2.0, 3.0, 4.0]).reindex([0.1, 0.7, 9.0], method="nearest", tolerance=0.25),
    "reindex tolerance forward": lambda f: numbers(f, [0, 10, 20, 30, 40])["c"].reindex([0, 12, 19, 45], method="ffill", tolerance=5),
    "reindex tolerance fill": lambda f: numbers(f, [0, 10, 20, 30, 40])["c"].reindex([0, 12, 19, 45], method="bfill", tolerance=5, fill_value=0),
    "reindex tolerance of times": lambda f: numbers(f, HOURS[:5])[["c"]].reindex([HOURS[1] + dt.timedelta(minutes=20), HOURS[4] + dt.timedelta(hours=3)], method="ffill", tolerance=dt.timedelta(hours=1)),
    "reindex_like": lambda f: numbers(f).reindex_like(frame(f, {"c": [0, 0], "a": [1, 1]}, [1, 7]), method="ffill"),
    "reindex_like of series": lambda f: numbers(f)["c"].reindex_like(series(f, [0, 0], [2, 6]), method="ffill", limit=1),
    "xs": lambda f: two(f).xs("b", level="i", drop_level=False),
    "xs of levels": lambda f: two(f).xs(("b", 1), level=["i", "j"]),
    "xs of levels kept": lambda f: two(f)["n"].xs((1, "b"), level=("j", "i"), drop_level=False),
    "xs kept": lambda f: two(f).xs("a", drop_level=False),
    "xs column": lambda f: f.xs("n", axis=1),
    "compare": lambda f: numbers(f).compare(numbers(f).assign(c=[5, 0, 8, 1, 9], b=[2.0, 1.0, 3.5, 5.0, 6.0]), align_axis=0),
    "compare shape": lambda f: numbers(f)[["c"]].compare(numbers(f)[["c"]] + 1, align_axis="index", keep_shape=True, result_names=("left", "right")),
    "compare of series": lambda f: numbers(f)["c"].compare(series(f, [5, 0, 8, 1, 9]), align_axis=0),
    "asof list": lambda f: gaps(f).asof([HOURS[0], HOURS[2], HOURS[7] + dt.timedelta(minutes=1)]),
    "asof one": lambda f: [gaps(f).asof(HOURS[7]), gaps(f).asof(HOURS[10] + dt.timedelta(1))],
    "asof of a frame": lambda f: numbers(f).asof([2, 4]),
    "asof subset": lambda f: numbers(f).asof([2, 4], subset=["b"]),
    "asfreq": lambda f: times(f)[["n", "x"]].asfreq("D"),
    "asfreq of hours": lambda f: times(f)["n"].asfreq("12h", method="ffill"),
    "asfreq fill": lambda f: times(f)["x"].asfreq("D", fill_value=0.0),
    "asfreq backward": lambda f: times(f)[["n"]].asfreq(freq="D", method="bfill"),
    "infer_objects": lambda f: f.infer_objects(),
    "combine": lambda f: numbers(f)[["a", "c"]].combine(numbers(f)[["c", "a"]] * 2, lambda one, two: one + two),
    "combine fill": lambda f: numbers(f)[["a", "b"]].combine(numbers(f)[["a", "b"]] * 2, lambda one, two: one + two, fill_value=0),
    "combine of series": lambda f: series(f, [1, 2], ["x", "y"]).combine(series(f, [3, 4], ["y", "z"]), max, fill_value=0),
    "combine with a value": lambda f: f["n"].combine(3, lambda one, two: one - two),
    "dot": lambda f: numbers(f)[["c"]].dot(frame(f, {"x": [2], "y": [3]}, ["c"])),
    "dot two": lambda f: numbers(f)[["a", "c"]].dot(frame(f, {"x": [2, 3], "y": [0, 1]}, ["c", "a"])),
    "dot of a series": lambda f: numbers(f)[["a", "c"]].dot(series(f, [2, 3], ["a", "c"])),
    "dot of an array": lambda f: numbers(f)[["c", "a"]].dot(np.array([[1, 2, 3], [4, 5, 6]])),
    "dot of a vector": lambda f: numbers(f)[["c", "a"]].dot(np.array([1, 2])),
    "dot of series": lambda f: [numbers(f)["c"].dot(series(f, [1, 2, 3, 4, 5])), numbers(f)["c"].dot(np.arange(5)), numbers(f)["c"].dot([1, 1, 1, 1, 1])],
    "dot of a series and a frame": lambda f: numbers(f)["c"].dot(numbers(f)[["c"]]),
    "rpow": lambda f: numbers(f)[["b", "c"]].rpow(2),
    "pow fill": lambda f: numbers(f)["b"].pow(series(f, [1.0, 2.0], [0, 9]), fill_value=3.0),
    "pow fill of a value": lambda f: numbers(f)["b"].pow(2, fill_value=3.0) if library_of(f) is cn else numbers(f)["b"].fillna(3.0).pow(2),
    "rpow fill": lambda f: numbers(f)["b"].rpow(series(f, [1.0, 2.0], [0, 9]), fill_value=3.0),
    "rpow of a value": lambda f: numbers(f)["b"].rpow(2),
    "divmod": lambda f: f["n"].divmod(2)[0] + f["n"].divmod(2)[1] * 10,
    "rdivmod": lambda f: f["n"].rdivmod(17)[0] * 100 + f["n"].rdivmod(17)[1],
    "quantile numeric_only": lambda f: f.quantile([0.25, 0.5], numeric_only=True),
    "quantile": lambda f: numbers(f).quantile(q=[0.1], interpolation="lower", axis=0),
    "searchsorted": lambda f: numbers(f)["c"].searchsorted(value=[2, 9], sorter=np.array([3, 4, 1, 0, 2]), side="right").tolist(),
    "corr of series": lambda f: [numbers(f)["a"].corr(numbers(f)["b"], min_periods=3), numbers(f)["a"].cov(numbers(f)["b"], min_periods=2, ddof=0)],
    "corrwith drop": lambda f: numbers(f)[["a", "c"]].corrwith(numbers(f)[["a", "b"]], drop=True),
    "corrwith min_periods": lambda f: numbers(f).corrwith(numbers(f)["b"], min_periods=4),
    "iterrows": lambda f: [(label, row["n"], row["k"]) for label, row in f.iterrows()],
    "Series.dtypes": lambda f: [str(f["n"].dtypes), names_of(f)],
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(name):
    ours, theirs = both()
    expected = ROWS[name](theirs)
    if isinstance(expected, list):
        assert ROWS[name](ours) == (expected if not any(isinstance(value, float) for value in expected) else pytest.approx(expected))
        return
    same(ROWS[name](ours), expected, whole=name in ("align of series", "compare of series"))


@pytest.mark.parametrize("name", ["corr", "cov"])
@pytest.mark.parametrize("options", [{}, {"numeric_only": True}, {"min_periods": 4}, {"min_periods": 5}])
def test_pairs_of_columns(name, options):
    ours, theirs = both()
    ours, theirs = numbers(ours), numbers(theirs)
    if options.get("numeric_only"):
        ours, theirs = ours.assign(s=["x"] * 5), theirs.assign(s=["x"] * 5)
    same(getattr(ours, name)(**options), getattr(theirs, name)(**options))


@pytest.mark.parametrize("options", [{"include": ["number"]}, {"exclude": ["number"]}, {"include": "all"}, {"include": [np.number]}, {"include": ["str", "number"]}, {"exclude": ["int64"]}])
def test_describe(options):
    ours, theirs = both()
    made, expected = ours.describe(**options), theirs.describe(**{**options, **({"include": "all"} if options == {"include": ["str", "number"]} else {})})
    assert made.columns == list(expected.columns) and made.index.to_list() == list(expected.index)
    assert made["n"].to_list() == pytest.approx(expected["n"].tolist(), nan_ok=True) if "n" in expected and "top" not in expected.index else True


def test_update():
    ours, other = cn.DataFrame({"a": [1, None, 3], "b": [4, 5, None]}), cn.DataFrame({"b": [None, 50, 60], "a": [10, 20, None]})
    theirs, others = pd.DataFrame({"a": [1, None, 3], "b": [4, 5, None]}), pd.DataFrame({"b": [None, 50, 60], "a": [10, 20, None]})
    for options in ({}, {"overwrite": False}, {"filter_func": lambda values: values > 2}):
        expected = theirs.copy()
        expected.update(others, **options)
        same(ours.update(other, **options), expected, whole=True)
    with pytest.raises(ValueError, match="column 'a' has values in both frames"):
        ours.update(other, errors="raise")
    assert ours.update(cn.DataFrame({"b": [None, None, 9]}), errors="raise")["b"].to_list() == [4, 5, 9]


def test_new_frames_instead_of_changes():
    ours = both()[0]
    assert ours["n"].iloc[3:].pop("R")[0] == 1 and ours["n"].iloc[3:].pop("R")[1].to_dict() == {"o": 5}
    assert ours.isetitem(1, [0, 0, 0, 0, 9])["n"].to_list() == [0, 0, 0, 0, 9] and ours.isetitem(-1, "t").columns == ours.columns
    assert ours[["n"]].isetitem(0, 7)["n"].to_list() == [7] * 5 and ours["n"].to_list() == [3, 1, 4, 1, 5]
    made = ours.assign(y=ours["n"] * 1.0, z=ours["x"] + float("inf")).convert_dtypes()
    assert [str(dtype) for dtype in made.dtypes.values()] == ["utf8", "int64", "float64", "utf8", "int64", "float64"]
    assert str(cn.Series([1.0, None]).convert_dtypes().dtype) == "int64" and str(cn.Series([1.0]).convert_dtypes(convert_integer=False).dtype) == "float64"
    assert str(cn.Series([float("nan")]).convert_dtypes().dtype) == "float64" and str(cn.Series([1e300]).convert_dtypes().dtype) == "float64"


def test_asof_of_duplicates_and_of_one_label():
    ours = cn.Series([1, 2, None], index=[1, 1, 2])
    assert ours.asof(1) == 2 and ours.asof(5) == 2 and ours.asof(0) is None and ours.asof([0, 2]).to_list() == [None, 2]
    made = cn.DataFrame({"a": [1, None]}, index=[1, 2]).asof(2)
    assert made.index.to_list() == [2] and made["a"].to_list() == [1]


def test_combine_keeps_columns():
    made = cn.DataFrame({"a": [1], "b": [2]}).combine(cn.DataFrame({"a": [5]}), lambda one, two: two, overwrite=False)
    assert made.to_dict() == {"a": [5], "b": [2]}


ERRORS = {
    "limit_area": (ValueError, lambda f: f["x"].ffill(limit_area="middle"), "ffill: limit_area is None, 'inside' or 'outside'"),
    "method": (NotImplementedError, lambda f: f["x"].interpolate(method="cubic"), "not 'cubic'"),
    "method time": (ValueError, lambda f: f["x"].interpolate(method="time"), "times, not utf8"),
    "limit": (ValueError, lambda f: f["x"].interpolate(limit=0), "limit is at least 1"),
    "limit kind": (TypeError, lambda f: f["x"].interpolate(limit=1.5, limit_direction="both"), "limit is a whole number"),
    "direction": (ValueError, lambda f: f["x"].interpolate(limit_direction="up"), "limit_direction is"),
    "reindex axis": (TypeError, lambda f: f.reindex(index=[1], axis=0), "axis goes with labels"),
    "reindex twice": (TypeError, lambda f: f.reindex([1], index=[2]), "same argument"),
    "tolerance": (ValueError, lambda f: numbers(f).reindex([1], tolerance=1), "tolerance goes with a method"),
    "level": (NotImplementedError, lambda f: f.reindex([1], level=[0, 1]), "several levels"),
    "update join": (NotImplementedError, lambda f: f.update(f, join="outer"), "join is"),
    "update errors": (ValueError, lambda f: f.update(f, errors="maybe"), "errors is"),
    "xs": (KeyError, lambda f: two(f).xs(("z", 1), level=["i", "j"]), "no row"),
    "xs length": (ValueError, lambda f: two(f).xs("z", level=["i", "j"]), "1 labels for 2 levels"),
    "describe": (ValueError, lambda f: f.describe(include="all", exclude=["number"]), "exclude does not go"),
    "describe nothing": (ValueError, lambda f: f.describe(include=["timedelta"]), "no columns"),
    "quantile method": (NotImplementedError, lambda f: f.quantile(method="table"), "method is"),
    "quantile axis": (NotImplementedError, lambda f: f.quantile(axis=1), "axis=1"),
    "dot": (ValueError, lambda f: f[["n"]].dot(series(f, [1], ["z"])), "not the same"),
    "dot of an array": (ValueError, lambda f: f[["n"]].dot([1, 2]), "1 columns and 2 rows"),
    "dot of text": (TypeError, lambda f: f.dot("x"), "not str"),
    "dot of series": (ValueError, lambda f: f["n"].dot(series(f, [1] * 5)), "same row labels"),
    "pop": (KeyError, lambda f: f["n"].pop("zz"), "no row label 'zz'"),
    "isetitem": (IndexError, lambda f: f.isetitem(9, 1), "no column at 9"),
    "asof": (ValueError, lambda f: f["n"].asof("p"), "not sorted"),
    "asfreq": (TypeError, lambda f: f.asfreq("D"), "times, not utf8"),
    "searchsorted": (TypeError, lambda f: f["n"].searchsorted(), "give value"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_name_the_argument(name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call(both()[0])
    assert isinstance(error.value, cn.ColumnadeError) and text in str(error.value), str(error.value)


def test_searchsorted_of_ordered_categories_is_by_their_order(device):
    theirs = pd.Series(pd.Categorical(["lo", "lo", "mid", "hi"], ["lo", "mid", "hi"], ordered=True), name="size")
    ours = cn.from_pandas(theirs.to_frame())["size"]
    assert ours.searchsorted("hi") == theirs.searchsorted("hi") == 3
    for side in ("left", "right"):
        found = ours.searchsorted(["mid", "lo", "hi"], side=side)
        assert list(found) == list(theirs.searchsorted(["mid", "lo", "hi"], side=side))
        assert list(ours.searchsorted(cn.Series(["mid", "lo", "hi"]), side=side)) == list(found)
    with pytest.raises(TypeError, match="^searchsorted: 'x' is not a category") as raised:
        ours.searchsorted("x")
    assert raised.value.column == "size"
