"""What frames, groups and functions have under a name of Polars does what Polars does: the same calls on both."""

import datetime as dt
import math

import columnade as cn
import numpy as np
import polars as pl
import pytest

from test_polars_names import close, same

DATA = {
    "k": ["b", "a", None, "b", "a", "b"], "n": [3, 1, None, 1, 5, 3], "x": [0.5, None, 2.0, -1.5, math.nan, 0.5],
    "p": [True, False, None, True, False, True], "q": [True, True, False, None, False, True],
    "t": [dt.datetime(2024, 1, day) for day in (1, 2, 4, 8, 9, 20)],
}
SCHEMA = pl.DataFrame(DATA).schema


def frames(rows=range(6)):
    data = {label: [values[row] for row in rows] for label, values in DATA.items()}
    theirs = pl.DataFrame(data, schema=SCHEMA)
    return cn.from_arrow(theirs.to_arrow()), theirs


def module(frame):
    return cn if isinstance(frame, cn.DataFrame) else pl


def right(frame):
    data = {"t": [dt.datetime(2024, 1, day) for day in (1, 5, 8, 9)], "n": [10, 20, 30, 40], "k": ["a", "b", "b", "a"]}
    return module(frame).DataFrame(data)


def compare(ours, theirs):
    if isinstance(theirs, pl.DataFrame):
        same(ours, theirs)
    elif isinstance(theirs, pl.Series):
        assert ours.name == theirs.name and len(ours) == len(theirs)
        assert all(close(one, other) for one, other in zip(ours.to_list(), theirs.to_list())), (ours, theirs)
    elif isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            compare(ours[key], theirs[key])
    elif isinstance(theirs, (list, tuple)):
        assert type(ours) is type(theirs) and len(ours) == len(theirs)
        for one, other in zip(ours, theirs):
            compare(one, other)
    else:
        assert close(ours, theirs), (ours, theirs)


CALLS = {
    "height": lambda f: [f.height, f.width, f.is_empty()],
    "schema": lambda f: list(f.schema),
    "n_unique": lambda f: [f.n_unique(), f.n_unique("k"), f.n_unique(["k", "n"])],
    "null_count": lambda f: f.null_count(),
    "filter of several": lambda f: f.filter(module(f).col("n") > 1, module(f).col("k") == "b"),
    "filter of values": lambda f: f.filter(k="b", n=3),
    "filter of both": lambda f: f.filter(module(f).col("n") > 1, p=True),
    "lazy": lambda f: f.lazy().filter(module(f).col("n") > 1).select("k", "n").collect(),
    "unique in order": lambda f: [f.select("k", "n").unique(keep=keep, maintain_order=True) for keep in ("first", "last", "any", "none")],
    "write_csv of text": lambda f: f.select("k", "n", "p").write_csv(),
    **{
        f"fill_null {strategy}": lambda f, strategy=strategy: [
            f.select("n", "x").fill_null(strategy=strategy), f.select(module(f).col("n").fill_null(strategy=strategy)),
            f["n"].fill_null(strategy=strategy),
        ]
        for strategy in ("forward", "backward", "min", "max", "zero", "one")
    },
    "fill_null limit": lambda f: f.select("k", "p", "n").fill_null(strategy="forward", limit=1),
    "fill_null zero": lambda f: f.select("k", "p", "n").fill_null(strategy="zero"),
    "fill_null max": lambda f: f.select("k", "p", "n", "t").fill_null(strategy="max"),
    "sort of a series": lambda f: [f["n"].sort(), f["n"].sort(descending=True, nulls_last=True), f["k"].sort(nulls_last=True)],
    "map_elements": lambda f: f["n"].map_elements(lambda value: value * 2, return_dtype=module(f).Int64 if module(f) is pl else "int64"),
    "concat vertical": lambda f: module(f).concat([f, f], how="vertical"),
    "concat horizontal": lambda f: module(f).concat([f.select("k"), f.select("n")], how="horizontal"),
    "concat diagonal": lambda f: module(f).concat([f.select("k", "n"), f.select("n", "x")], how="diagonal"),
    "is_duplicated": lambda f: f.is_duplicated().to_list(),
    "is_unique": lambda f: f.select("k", "n").is_unique().to_list(),
    "rows": lambda f: f.rows(),
    "rows named": lambda f: f.rows(named=True),
    "iter_rows": lambda f: list(f.iter_rows()),
    "iter_rows named": lambda f: list(f.iter_rows(named=True)),
    "iter_slices": lambda f: list(f.iter_slices(4)),
    "get_column": lambda f: f.get_column("n"),
    "get_column default": lambda f: f.get_column("z", default=None),
    "get_columns": lambda f: f.get_columns(),
    "iter_columns": lambda f: list(f.iter_columns()),
    "get_column_index": lambda f: f.get_column_index("x"),
    "to_series": lambda f: [f.to_series(), f.to_series(2), f.to_series(-1)],
    "partition_by": lambda f: f.partition_by("k"),
    "partition_by keys": lambda f: f.partition_by("k", "p", include_key=False),
    "partition_by as_dict": lambda f: f.partition_by("k", as_dict=True),
    "partition_by keys as_dict": lambda f: f.partition_by(["k", "p"], as_dict=True),
    "max_horizontal": lambda f: f.select("n", "x").max_horizontal().to_list(),
    "min_horizontal": lambda f: f.select("n", "x").min_horizontal().to_list(),
    "sum_horizontal": lambda f: f.select("n", "x").sum_horizontal().to_list(),
    "sum_horizontal of null": lambda f: f.select("n", "x").sum_horizontal(ignore_nulls=False).to_list(),
    "mean_horizontal": lambda f: f.select("n", "x").mean_horizontal().to_list(),
    "mean_horizontal of null": lambda f: f.select("n", "x").mean_horizontal(ignore_nulls=False).to_list(),
    "fold": lambda f: f.select("n", "x").fold(lambda a, b: a + b).to_list(),
    "sort": lambda f: f.sort("n", maintain_order=True) if module(f) is pl else f.sort("n"),
    "sort two": lambda f: f.sort("k", "t", descending=[False, True]),
    "sort nulls last": lambda f: f.sort(["n", "t"], descending=True, nulls_last=True),
    "sort nulls of each": lambda f: [
        f.sort(["n", "t"], descending=[a, b], nulls_last=[c, not c]) for a in (True, False) for b in (True, False) for c in (True, False)
    ],
    "sort expressions": lambda f: f.sort(-module(f).col("n"), module(f).col("t")),
    "sort descending": lambda f: f.sort(["n", "t"], descending=True),
    "top_k": lambda f: f.top_k(2, by="t"),
    "top_k of all": lambda f: f.top_k(20, by="t"),
    "top_k reverse": lambda f: f.top_k(4, by=["n", "t"], reverse=[False, True]),
    "bottom_k": lambda f: f.bottom_k(4, by=["n", "t"]),
    "bottom_k expression": lambda f: f.bottom_k(4, by=[-module(f).col("n"), "t"]),
    "unpivot": lambda f: f.unpivot(["n", "x"], index="k"),
    "unpivot all": lambda f: f.select("n", "x").unpivot(),
    "unpivot names": lambda f: f.select("k", "n", "x").unpivot(index=["k"], variable_name="which", value_name="what"),
    "with_row_index": lambda f: f.with_row_index(),
    "with_row_index offset": lambda f: f.with_row_index("row", offset=10),
    "join_asof": lambda f: f.join_asof(right(f), on="t"),
    "join_asof forward": lambda f: f.join_asof(right(f), on="t", strategy="forward", tolerance="1d"),
    "join_asof nearest": lambda f: f.join_asof(right(f), left_on="t", right_on="t", strategy="nearest", suffix="_other"),
    "join_asof keys": lambda f: f.join_asof(right(f).rename({"t": "u"}), left_on="t", right_on="u"),
    "join_asof by": lambda f: f.join_asof(right(f), on="t", by="k"),
    "join_asof by others": lambda f: f.join_asof(right(f).rename({"k": "h"}), on="t", by_left="k", by_right="h"),
    "join_asof by others that both have": lambda f: f.join_asof(right(f).rename({"k": "x"}), on="t", by_left="k", by_right="x"),
    "join_asof others": lambda f: f.join_asof(right(f), on="t", by="k", allow_exact_matches=False),
    "join_where": lambda f: f.join_where(
        right(f).rename({"n": "m"}), module(f).col("t") < module(f).col("t_right"), module(f).col("n") < 3
    ).sort("t", "t_right"),
    "hstack": lambda f: f.hstack([f["n"].rename("m"), f["k"].rename("j")]),
    "hstack a frame": lambda f: f.hstack(f.select(module(f).col("n").alias("m"))),
    "vstack": lambda f: f.vstack(f.head(2)),
    "extend": lambda f: f.clone().extend(f.head(2)),
    "limit": lambda f: [f.limit(), f.limit(2)],
    "reverse": lambda f: f.reverse(),
    "gather_every": lambda f: [f.gather_every(2), f.gather_every(4, offset=1)],
    "clone": lambda f: f.clone(),
    "clear": lambda f: [f.clear(), f.clear(2)],
    "insert_column": lambda f: f.clone().insert_column(1, f["n"].rename("m")),
    "insert_column last": lambda f: f.clone().insert_column(6, f["n"].rename("m")),
    "insert_column negative": lambda f: f.clone().insert_column(-1, f["n"].rename("m")),
    "insert_column expression": lambda f: f.clone().insert_column(0, (module(f).col("n") * 2).alias("m")),
    "replace_column": lambda f: f.clone().replace_column(1, f["x"].rename("m")),
    "replace_column negative": lambda f: f.clone().replace_column(-1, f["x"].rename("m")),
    "drop_nans": lambda f: [f.drop_nans(), f.drop_nans("x"), f.drop_nans(["x"])],
    "remove": lambda f: f.remove(module(f).col("n") > 1),
    "remove two": lambda f: f.remove(module(f).col("n") > 1, module(f).col("x") == 0.5),
    "merge_sorted": lambda f: f.merge_sorted(f, "t"),
    "map_groups": lambda f: f.drop_nulls("k").group_by("k", maintain_order=True).map_groups(lambda g: g.head(1)) if module(f) is pl
    else f.group_by("k").map_groups(lambda g: g.head(1)) if f.height else f,
    "all_horizontal": lambda f: f.select(module(f).all_horizontal("p", "q")),
    "any_horizontal": lambda f: f.select(module(f).any_horizontal(["p", "q"])),
    "sum_horizontal of columns": lambda f: f.select(module(f).sum_horizontal("n", "x")),
    "mean_horizontal of columns": lambda f: f.select(module(f).mean_horizontal("n", module(f).col("x") + 1)),
    "concat_str": lambda f: f.select(module(f).concat_str("k", "n", separator="-")),
    "concat_str without nulls": lambda f: f.select(module(f).concat_str(["k", "n", "p"], separator="-", ignore_nulls=True)),
    "format": lambda f: f.select(module(f).format("{}: {}!", "k", module(f).col("n") + 1)),
    "struct": lambda f: f.select(module(f).struct("k", m=module(f).col("n") + 1)),
    "arctan2": lambda f: f.select(module(f).arctan2("n", "x")),
    "duration": lambda f: f.select(module(f).duration(days="n", hours=2, milliseconds=module(f).col("n") * 3)),
    "datetime": lambda f: f.select(module(f).datetime(2024, "n", module(f).col("n") * 2, hour="n", microsecond=7)),
    "time": lambda f: f.select(module(f).time("n", 30, microsecond=5)),
    "int_range": lambda f: f.select(module(f).int_range(module(f).len()).alias("made")),
    "int_range from": lambda f: f.select(module(f).int_range(0, module(f).len()).over("q").alias("made"))[:1],
    "cum_sum": lambda f: f.select(module(f).cum_sum("n")),
}


@pytest.mark.parametrize("rows", [range(6), [2], []], ids=["rows", "one row", "empty"])
@pytest.mark.parametrize("name", CALLS)
def test_call_gives_what_polars_gives(device, name, rows):
    ours, theirs = frames(rows)
    if name == "map_groups" and rows != range(6):
        return
    compare(CALLS[name](ours), CALLS[name](theirs))


AGGREGATES = {
    **{name: lambda m, name=name: getattr(m, name)("n") for name in ("sum", "mean", "median", "min", "max", "first", "last", "count")},
    **{name: lambda m, name=name: getattr(m, name)("n") for name in ("n_unique", "std", "var")},
    "several": lambda m: m.sum("n", "x"),
    "std ddof": lambda m: m.std("n", ddof=0),
    "var ddof": lambda m: m.var("n", 0),
    "quantile": lambda m: m.quantile("n", 0.4),
    "quantile linear": lambda m: m.quantile("n", 0.4, "linear"),
    "corr": lambda m: m.corr("n", m.col("n") * m.col("n")),
    "corr spearman": lambda m: m.corr("n", m.col("n") * m.col("n"), method="spearman"),
    "cov": lambda m: m.cov("n", m.col("n") * 2, ddof=0),
}


@pytest.mark.parametrize("name", AGGREGATES)
def test_aggregates_of_columns(device, name):
    ours, theirs = frames()
    call = AGGREGATES[name]
    made = call(cn)
    compare(ours.agg(*(made if isinstance(made, list) else [made])), theirs.select(call(pl)))


def test_groups(device):
    ours, theirs = frames()
    same(ours.group_by("k", dropna=False).n_unique(), theirs.group_by("k", maintain_order=True).n_unique())


MADE = {
    "int_range": lambda m: m.int_range(5, eager=True),
    "int_range step": lambda m: m.int_range(5, 0, -2, eager=True),
    "repeat": lambda m: m.repeat("x", 3, eager=True),
    "repeat none": lambda m: m.repeat(1, 0, eager=True),
    "zeros": lambda m: m.zeros(2, eager=True).rename("z"),
    "ones": lambda m: m.ones(2, eager=True).rename("z"),
    "datetime_range": lambda m: m.datetime_range(dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 3), "12h", eager=True),
    "datetime_range dates": lambda m: m.datetime_range(dt.date(2024, 1, 1), dt.date(2024, 1, 3), "1d", closed="left", eager=True),
    "datetime_range none": lambda m: m.datetime_range(
        dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 3), dt.timedelta(hours=16), closed="none", eager=True
    ),
    "datetime_range months": lambda m: m.datetime_range(
        dt.datetime(2024, 1, 31), dt.datetime(2024, 5, 30), "1mo", closed="right", eager=True
    ),
    "select": lambda m: m.select(m.lit(1).alias("a"), b=m.lit("x")),
    "from_dict": lambda m: m.from_dict({"a": [1, 2], "b": ["x", None]}),
    "from_dict schema": lambda m: m.from_dict({"a": [1, 2], "b": [3, 4]}, schema=["c", "d"]),
    "from_dicts": lambda m: m.from_dicts([{"a": 1}, {"a": 2, "b": "x"}]),
    "from_dicts schema": lambda m: m.from_dicts([{"a": 1}, {"a": 2, "b": "x"}], schema=["b", "a"]),
    "from_records": lambda m: m.from_records([[1, 2], ["x", "y"]]),
    "from_records rows": lambda m: m.from_records([[1, "x"], [2, "y"]], schema=["a", "b"], orient="row"),
    "from_numpy": lambda m: m.from_numpy(np.array([[1, 2, 3], [4, 5, 6]]), orient="row"),
    "from_numpy columns": lambda m: m.from_numpy(np.array([[1, 2, 3], [4, 5, 6]]), schema=["a", "b"], orient="col"),
    "from_numpy one": lambda m: m.from_numpy(np.array([1.5, 2.5])),
    "item": lambda m: [m.DataFrame({"a": [7]}).item()],
    "item of a column": lambda m: [m.DataFrame({"a": [1, 2], "b": [3, 4]}).item(1, "b"), m.DataFrame({"a": [1, 2]}).item(-1, 0)],
}


@pytest.mark.parametrize("name", MADE)
def test_made(device, name):
    compare(MADE[name](cn), MADE[name](pl))


def test_rows_keep_their_labels(device):
    frame = frames()[0]
    assert frame.sort("t", descending=True).index.to_list() == [5, 4, 3, 2, 1, 0]
    assert frame.gather_every(4, 1).index.to_list() == [1, 5]
    # Row by row, whatever the labels are.
    assert frame.reverse().hstack([frame["n"].rename("m")])["m"].to_list() == frame["n"].to_list()


def test_estimated_size_and_glimpse(device, capsys):
    frame = cn.DataFrame({"a": [1, None], "long": ["x", "y"]})
    assert frame.estimated_size("kb") == frame.estimated_size() / 1024 == frame.memory_bytes / 1024
    text = "Rows: 2\nColumns: 2\n$ a    <int64> 1, null\n$ long <utf8> 'x', 'y'\n"
    assert frame.glimpse(return_type="string") == text
    assert frame.glimpse() is None and capsys.readouterr().out == text


def test_lines_of_json(tmp_path, device):
    frame = cn.DataFrame({"a": [1, None], "b": ["x", "y"]})
    frame.write_ndjson(tmp_path / "f.jsonl")
    same(cn.read_ndjson(str(tmp_path / "f.jsonl")), pl.read_ndjson(tmp_path / "f.jsonl"))


def test_days_that_there_are_not_are_null(device):
    frame = cn.DataFrame({"d": [29, 30, 0, None]})
    assert frame.select(made=cn.datetime(2024, 2, "d"))["made"].to_list() == [dt.datetime(2024, 2, 29), None, None, None]


def test_star_keeps_names_of_python():
    names = {}
    exec("from columnade import *", names)  # noqa: S102
    assert not {"sum", "min", "max", "format", "datetime", "time", "struct"} & set(names)


FRAME = cn.DataFrame({"a": [1, 2], "b": [3, 4]})
ERRORS = {
    "item": (ValueError, lambda: FRAME.item(), "item: there are 2 rows and 2 columns"),
    "item of one": (ValueError, lambda: FRAME.item(0), "item: give both"),
    "item of no row": (IndexError, lambda: FRAME.item(2, 0), "item: there is no row 2: there are 2"),
    "to_series": (IndexError, lambda: FRAME.to_series(2), "to_series: there is no column 2"),
    "get_column_index": (KeyError, lambda: FRAME.get_column_index("c"), "get_column_index: there is no column 'c'"),
    "estimated_size": (ValueError, lambda: FRAME.estimated_size("x"), "estimated_size: unit is"),
    "sort flags": (ValueError, lambda: FRAME.sort("a", descending=[True, False]), "sort: descending is a boolean"),
    "sort nulls": (ValueError, lambda: FRAME.sort("a", "b", nulls_last=[True]), "sort: "),
    "with_row_index": (ValueError, lambda: FRAME.with_row_index("a"), "with_row_index: there is a column 'a'"),
    "vstack": (ValueError, lambda: FRAME.vstack(FRAME[["a"]]), "vstack: the columns are"),
    "hstack": (ValueError, lambda: FRAME.hstack([cn.Series([1], name="c")]), "hstack: 1 values for 2 rows"),
    "gather_every": (ValueError, lambda: FRAME.gather_every(0), "gather_every: n is above 0"),
    "join_where": (NotImplementedError, lambda: FRAME.join_where(FRAME, cn.col("a") < 1, how="left"), "join_where: how='left'"),
    "remove": (ValueError, lambda: FRAME.remove(), "remove: give a condition"),
    "format": (ValueError, lambda: cn.format("{} {}", "a"), "format: 2 places for 1"),
    "sum": (ValueError, lambda: cn.sum(), "sum: give the label"),
    "int_range": (NotImplementedError, lambda: cn.int_range(0, cn.col("a")), "int_range: start and end are integers"),
    "zeros": (NotImplementedError, lambda: cn.zeros(2, eager=False), "zeros: expressions of a length"),
    "datetime_range": (ValueError, lambda: cn.datetime_range(dt.date(2024, 1, 1), dt.date(2024, 2, 1), "1mo1d"),
        "datetime_range: interval is"),
    "from_records": (ValueError, lambda: cn.from_records([[1]], orient="x"), "from_records: orient is"),
    "from_dict": (ValueError, lambda: cn.from_dict({"a": [1]}, schema=["a", "b"]), "from_dict: 2 labels for 1 columns"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call()
    assert str(error.value).startswith(text) and isinstance(error.value, cn.ColumnadeError)


REFUSED = {
    "a strategy and a value": lambda f: f["n"].fill_null(1, strategy="min"), "no such strategy": lambda f: f.fill_null(strategy="middle"),
    "limit alone": lambda f: f["n"].fill_null(limit=1), "other columns": lambda f: cn.concat([f.select("k"), f.select("n")], how="vertical"),
    "no such way": lambda f: cn.concat([f, f], how="crosswise"), "a condition and a text": lambda f: f.filter(cn.col("n") > 1, like="n", k="b"),
    "no such column": lambda f: f.filter(zz=1), "no function": lambda f: f["n"].map_elements(1), "the mean": lambda f: f["n"].fill_null(strategy="mean"),
    "no columns to pivot on": lambda f: f.pivot(index="k"), "both names": lambda f: f.pivot(on="k", columns="n"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_under_names_of_polars(case):
    with pytest.raises(cn.ColumnadeError) as error:
        REFUSED[case](frames()[0])
    assert error.value.operation in ("fill_null", "concat", "filter", "map_elements", "pivot", "join")


def test_pivot_on_a_column_has_the_keys_as_labels():
    data = {"r": ["a", "a", "b"], "c": ["p", "q", "p"], "v": [1, 2, 3]}
    ours = cn.DataFrame(data).pivot(on="c", index="r", values="v").reset_index()
    same(ours, pl.DataFrame(data).pivot(on="c", index="r", values="v"))


@pytest.mark.parametrize("indices", [[0, -1, 0], 2, [], [None, 1], pl.Series([2, None, -3]), pl.Series([1], dtype=pl.UInt8)])
def test_gather_of_values_on_another_device_than_the_default(device, indices):
    """Positions are those of `take`: they are copied to the device of the values."""
    values = [3, 1, None, 5]
    series, before = cn.Series(values, name="n"), cn.default_device()
    theirs, given = pl.Series("n", values), cn.from_arrow(indices.to_arrow()) if isinstance(indices, pl.Series) else indices
    expected = theirs.gather([indices] if isinstance(indices, int) else indices).to_list()
    cn.set_default_device("host")
    try:
        made = [series.gather(given), cn.DataFrame({"n": series}).gather(given)["n"], cn.DataFrame({"n": series}).select(cn.col("n").gather(given))["n"]]
        outside = series.gather([9, 0, -9], null_on_oob=True)
        empty = series[:0].gather([0], null_on_oob=True)
    finally:
        cn.set_default_device(before)
    for one in made:
        assert one.device == device and one.to_list() == expected
    assert (outside.to_list(), outside.device) == ([None, 3, None], device)
    assert (empty.to_list(), empty.device) == ([None], device)


@pytest.mark.parametrize("indices, text", [(["a"], '"a" is not a value of int64'), ([1.5], "values of float64 have fractions")])
def test_errors_of_positions_name_gather(indices, text):
    for call in (lambda given: FRAME["a"].gather(given), lambda given: FRAME.gather(given), lambda given: FRAME.select(cn.col("a").gather(given))):
        with pytest.raises(ValueError, match=text) as raised:
            call(indices)
        assert raised.value.operation == "gather"
        with pytest.raises(TypeError, match="gather: positions are integers, not (utf8|float64)"):
            call(cn.Series(indices))
