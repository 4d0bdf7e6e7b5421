"""Operations of frames against naive ones and against known answers of pandas and Polars."""

import datetime as dt
import math
import pickle

import columnade as cn
import polars as pl
import pytest
from columnade import col, lit, when


def frame():
    return cn.DataFrame({
        "k": ["b", "a", None, "b", "a", "c"],
        "n": [1, 2, 3, None, 5, -6],
        "f": [0.5, math.nan, None, -0.0, 2.5, 1e300],
    })


def test_arithmetic_of_expressions_and_series_agree(device):
    data = cn.DataFrame({"a": [7, -7, None, 3], "b": [2, 2, 2, -4]})
    makes = {
        "a + b": (lambda a, b: a + b, [9, -5, None, -1]),
        "a - 1": (lambda a, b: a - 1, [6, -8, None, 2]),
        "10 - a": (lambda a, b: 10 - a, [3, 17, None, 7]),
        "a * b": (lambda a, b: a * b, [14, -14, None, -12]),
        "a / b": (lambda a, b: a / b, [3.5, -3.5, None, -0.75]),
        "a // b": (lambda a, b: a // b, [3, -4, None, -1]),
        "a % b": (lambda a, b: a % b, [1, 1, None, -1]),
        "100 // a": (lambda a, b: 100 // a, [14, -15, None, 33]),
        "-a": (lambda a, b: -a, [-7, 7, None, -3]),
        "abs(a)": (lambda a, b: abs(a), [7, 7, None, 3]),
        "a > b": (lambda a, b: a > b, [True, False, None, True]),
        "a == 3": (lambda a, b: a == 3, [False, False, None, True]),
        "2 < a": (lambda a, b: 2 < a, [True, False, None, True]),
        "~(a != 3)": (lambda a, b: ~(a != 3), [False, False, None, True]),
        "(a > 0) & (b > 0)": (lambda a, b: (a > 0) & (b > 0), [True, False, None, False]),
        "(a > 0) | (b > 0)": (lambda a, b: (a > 0) | (b > 0), [True, True, True, True]),
    }
    for name, (make, expected) in makes.items():
        assert data.select(out=make(col("a"), col("b")))["out"].to_list() == expected, name
        assert make(data["a"], data["b"]).to_list() == expected, name
    assert (data["a"] ** 2).to_list() == [49, 49, None, 9] == data.select(x=col("a") ** 2)["x"].to_list()


def test_series_of_unequal_lengths_are_aligned_and_expressions_refused():
    assert (cn.Series([1, 2]) + cn.Series([1])).to_list() == [2, None]
    with pytest.raises(TypeError, match="expression"):
        cn.Series([1, 2]) + col("a")
    with pytest.raises(TypeError, match="as a column"):
        col("a") + cn.Series([1])


def test_functions_of_rows_agree_with_polars(device):
    values = [0.25, 1.0, None, 2.5, 100.0]
    data, theirs = cn.DataFrame({"x": values}), pl.DataFrame({"x": values})
    for name in ["exp", "ln" if hasattr(pl.Expr, "ln") else "log", "log1p", "sqrt", "cbrt", "sin", "cos", "tan", "floor", "ceil", "sign"]:
        ours = data.select(out=getattr(col("x"), "ln" if name == "log" else name)())["out"].to_list()
        expected = theirs.select(out=getattr(pl.col("x"), name)())["out"].to_list()
        assert [value is None for value in ours] == [value is None for value in expected], name
        pairs = [(value, want) for value, want in zip(ours, expected) if want is not None]
        assert all(value == pytest.approx(want, rel=1e-14) for value, want in pairs), name
    for name in ["cum_sum", "cum_min", "cum_max"]:
        ours = getattr(cn.Series([1, None, 3, -2]), name)().to_list()
        assert ours == getattr(pl.Series([1, None, 3, -2]), name)().to_list(), name
    assert cn.Series([1, 2, 4]).shift().to_list() == [None, 1, 2]
    assert cn.Series([1, 2, 4]).diff(2).to_list() == [None, None, 3]
    assert cn.Series([None, 1, None, None]).fill_forward(1).to_list() == [None, 1, 1, None]
    assert cn.Series([2.345]).round(1).to_list() == [2.3]
    assert data.select(out=col("x").clip(0.5, 2))["out"].to_list() == [0.5, 1.0, None, 2.0, 2.0]


def test_choices_constants_and_membership(device):
    data = frame()
    chosen = data.select(
        out=when(col("n") > 2).then("big").when(col("n").is_null()).then("none").otherwise("small"),
        one=lit(1, "int8"),
        known=col("k").is_in(["a", "c"]),
        range=col("n").between(1, 3),
        first=cn.coalesce("n", col("f").cast("int64", strict=False)),
    )
    assert chosen["out"].to_list() == ["small", "small", "big", "none", "big", "small"]
    choice = when(col("n") > 2).then("big")
    assert isinstance(choice, cn.Expr) and choice.when(col("n") < 2).then("small").otherwise("two").alias("x").label == "x"
    without = data.select(choice.alias("out"), low=when(col("n") < 0).then(col("n").abs()).when(col("n") > 4).then(0) + 1)
    polars = pl.DataFrame({"n": data["n"].to_list()})
    expected = polars.select(
        pl.when(pl.col("n") > 2).then(pl.lit("big")).alias("out"), low=pl.when(pl.col("n") < 0).then(pl.col("n").abs()).when(pl.col("n") > 4).then(0) + 1
    )
    assert without.to_dict("list") == expected.to_dict(as_series=False)
    assert chosen["one"].dtype == "int8" and set(chosen["one"].to_list()) == {1}
    assert chosen["known"].to_list() == [False, True, None, False, True, True]
    assert chosen["range"].to_list() == [True, True, True, None, False, False]
    assert chosen["first"].to_list() == [1, 2, 3, 0, 5, -6]
    assert data["n"].is_in(cn.Series([5, 1])).to_list()[:2] == [True, False]
    assert data.select(x=col("n").replace({1: 10, 5: 50}))["x"].to_list() == [10, 2, 3, None, 50, -6]


def test_with_columns_takes_expressions_series_and_lists(device):
    data = frame().with_columns((col("n") * 2).alias("n2"), one=1, s=cn.Series(list("uvwxyz")), l=[1, 2, 3, 4, 5, 6])
    assert data.columns == ["k", "n", "f", "n2", "one", "s", "l"]
    assert data["n2"].to_list() == [2, 4, 6, None, 10, -12] and data["one"].to_list() == [1] * 6
    assert data["s"].to_list() == list("uvwxyz") and data["l"].to_list() == [1, 2, 3, 4, 5, 6]
    with pytest.raises(ValueError):
        frame().with_columns(x=[1])


def test_columns_are_dropped_renamed_and_cast(device):
    data = frame()
    assert data.drop("k", "f").columns == ["n"] and data.drop(["n"]).columns == ["k", "f"]
    assert data.rename({"k": "key"}).columns == ["key", "n", "f"]
    assert data.cast({"n": "float32"}).dtypes["n"] == "float32"
    with pytest.raises(KeyError):
        data.drop("z")


def test_filter_keeps_rows_that_meet_conditions(device):
    data = frame()
    assert data.filter(col("n") > 1)["k"].to_list() == ["a", None, "a"]
    assert data.filter(data["n"] > 1)["n"].to_list() == [2, 3, 5]
    assert data["k"].filter(data["n"] > 1).to_list() == ["a", None, "a"]
    with pytest.raises(TypeError):
        data.filter(col("n"))


def naive_groups(data, key, value, aggregate):
    groups = {}
    for row in data.to_dicts():
        if row[key] is not None:
            groups.setdefault(row[key], []).append(row[value])
    return {key: aggregate([value for value in values if value is not None]) for key, values in groups.items()}


def test_group_by_agrees_with_naive_groups(device):
    data = frame()
    out = data.group_by("k").agg(total=col("n").sum(), least=col("n").min(), rows=cn.len(), values=col("n").count())
    assert out["k"].to_list() == ["b", "a", "c"]
    assert dict(zip(out["k"].to_list(), out["total"].to_list())) == naive_groups(data, "k", "n", sum)
    assert out["least"].to_list() == [1, 2, -6] and out["rows"].to_list() == [2, 2, 1] and out["values"].to_list() == [1, 2, 1]
    assert data.group_by("k", sort=True).sum("n")["k"].to_list() == ["a", "b", "c"]
    assert data.group_by("k", dropna=False).len()["len"].to_list() == [2, 2, 1, 1]
    assert data.group_by("k").max().columns == ["k", "n", "f"]
    assert data.group_by(col("n") % 2).agg(cn.len().alias("rows"))["rows"].to_list() == [3, 2]
    assert data.group_by("k").head(1)["n"].to_list() == [1, 2, -6]
    assert data.agg(col("n").mean().alias("m"), s=col("n").sum()).to_dicts() == [{"m": 1.0, "s": 5}]


def test_aggregates_of_series_are_values(device):
    series = cn.Series([3, None, 1, 2, 2])
    expected = {"sum": 8, "mean": 2.0, "min": 1, "max": 3, "median": 2.0, "nunique": 3, "first": 3, "last": 2,
                "var": pytest.approx(2 / 3), "std": pytest.approx(math.sqrt(2 / 3)), "arg_min": 2, "arg_max": 0}
    for name, value in expected.items():
        assert getattr(series, name)() == value, name
    assert series.count() == 4 and series.null_count == 1 and series.mode().to_list() == [2]
    assert series.quantile(0.25) == 1.75 and series.quantile(0.25, "lower") == 1
    assert cn.Series([True, False]).any() is True and cn.Series([True, False]).all() is False
    assert cn.Series([], dtype="int64").sum() == 0 and cn.Series([], dtype="int64").max() is None
    assert cn.Series([dt.date(2024, 1, 2), dt.date(2024, 1, 1)]).min() == dt.date(2024, 1, 1)
    with pytest.raises(ValueError, match="interpolation"):
        series.quantile(0.5, "cubic")


def test_windows_and_rolling_aggregates(device):
    data = cn.DataFrame({"g": ["a", "a", "b", "a"], "x": [1, 2, 10, 4]})
    out = data.select("g", total=col("x").sum().over("g"), rank=col("x").rank("first", ascending=False), r=col("x").rolling_sum(2))
    assert out["total"].to_list() == [7, 7, 10, 7] and out["rank"].to_list() == [4, 3, 1, 2]
    assert out["r"].to_list() == [None, 3, 12, 14]
    assert data["x"].rolling_mean(2, min_periods=1).to_list() == [1.0, 1.5, 6.0, 7.0]
    times = cn.DataFrame({"t": [dt.datetime(2024, 1, 1, hour) for hour in (0, 1, 5)], "x": [1, 2, 4]})
    assert times.select(r=col("x").rolling_sum(dt.timedelta(hours=2), by="t"))["r"].to_list() == [1, 3, 4]


def test_sorting_distinct_and_missing(device):
    data = frame()
    assert data.sort_values("n")["n"].to_list() == [-6, 1, 2, 3, 5, None]
    assert data.sort_values(["k", "n"], ascending=[False, True])["n"].to_list() == [-6, 1, None, 2, 5, 3]
    assert data.sort_values("n", nulls_first=True)["n"].to_list()[0] is None
    assert data.sort_head(2, "n", ascending=False)["n"].to_list() == [5, 3]
    assert cn.Series([2, None, 1]).sort_values(ascending=False).to_list() == [2, 1, None]
    assert cn.Series([2, None, 1]).argsort().to_list() == [2, 0, 1]
    assert data.unique("k")["k"].to_list() == ["b", "a", None, "c"]
    assert data.unique("k", keep="none")["k"].to_list() == [None, "c"]
    assert data.duplicated("k").to_list() == [False, False, False, True, True, False]
    assert cn.Series([1, 2, 1, None]).unique().to_list() == [1, 2, None]
    assert data.fill_null(0)["n"].to_list() == [1, 2, 3, 0, 5, -6]
    assert len(data.drop_nulls()) == 4 and len(data.drop_nulls(subset="n")) == 5 and len(data.drop_nulls(thresh=2)) == 5
    assert len(data.drop_nulls(how="all")) == 6
    with pytest.raises(ValueError, match="2 values for 1 columns"):
        data.sort_values("k", ascending=[True, False])
    with pytest.raises(ValueError, match="keep"):
        data.unique("k", keep="sometimes")


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer", "semi", "anti", "cross"])
def test_merge_agrees_with_polars(device, how):
    left = {"k": [1, 2, 2, None, 4], "x": list("abcde")}
    right = {"k": [2, 4, 4, 5, None], "y": [10, 20, 30, 40, 50]}
    ours = cn.DataFrame(left).merge(cn.DataFrame(right), how=how, **({} if how == "cross" else {"on": "k"}), nulls_equal=False) if how != "cross" else cn.DataFrame(left).merge(cn.DataFrame(right), how=how)
    if how == "cross":
        assert len(ours) == 25
        return
    theirs = pl.DataFrame(left).join(pl.DataFrame(right), on="k", how={"outer": "full"}.get(how, how), coalesce=True)
    columns = ours.columns
    key = lambda row: [(value is None, value) for value in row]
    assert sorted(ours.to_arrow().to_pylist(), key=lambda row: key([row[name] for name in columns])) == sorted(
        theirs.select(columns).to_dicts(), key=lambda row: key([row[name] for name in columns]))


def test_merge_options(device):
    left, right = cn.DataFrame({"k": [1, 2], "v": [1, 2]}), cn.DataFrame({"key": [2, 2], "v": [5, 6]})
    out = left.merge(right, left_on="k", right_on="key", suffixes=("_l", "_r"))
    assert out["v_l"].to_list() == [2, 2] and out["v_r"].to_list() == [5, 6]
    with pytest.raises(ValueError, match="not unique"):
        left.merge(right, left_on="k", right_on="key", validate="1:1")
    marked = left.merge(cn.DataFrame({"k": [2, 3]}), how="outer", indicator="where")
    assert [str(value) for value in marked["where"].to_list()] == ["left_only", "both", "right_only"]
    with pytest.raises(ValueError, match="in common"):
        left.select("k").merge(right.select("key"))
    with pytest.raises(ValueError, match="give on"):
        left.merge(right, on="v", left_on="k")
    with pytest.raises(TypeError) as error:
        left.merge(cn.DataFrame({"k": ["2"]}), on="k")
    assert error.value.operation == "merge" and error.value.column == "k"


def test_merge_asof_finds_the_nearest_key(device):
    left, right = cn.DataFrame({"t": [1, 5, 10]}), cn.DataFrame({"t": [1, 2, 3, 6, 7], "v": [1, 2, 3, 6, 7]})
    assert left.merge_asof(right, on="t")["v"].to_list() == [1, 3, 7]
    assert left.merge_asof(right, on="t", direction="forward")["v"].to_list() == [1, 6, None]
    assert left.merge_asof(right, on="t", tolerance=1, direction="nearest")["v"].to_list() == [1, 6, None]
    for tolerance in (-1, -0.5):
        with pytest.raises(ValueError, match=f"merge_asof: tolerance: {tolerance} is negative"):
            left.merge_asof(right, on="t", tolerance=tolerance)


def test_concat_of_frames_and_series(device):
    data = frame()
    assert cn.concat([data, data[:2]])["n"].to_list() == data["n"].to_list() + [1, 2]
    assert cn.concat([cn.Series([1], name="s"), cn.Series([None, 3])]).to_list() == [1, None, 3]
    with pytest.raises(cn.ColumnadeError):
        cn.concat([])


def test_describe_and_value_counts(device):
    described = frame().describe()
    assert "n" in described.columns and 5.0 in described["n"].to_list()
    counts = cn.Series(["a", "b", "a", None], name="x").value_counts()
    assert counts.to_dict() == {"a": 2, "b": 1} and (counts.name, counts.index.name) == ("count", "x")
    assert len(cn.Series([1, 2, 3, 4]).value_counts(bins=2)) == 2


def test_string_functions_agree_with_python(device):
    values = ["Hello World", "straße", "", None, "  x ", "ABC-12"]
    data = cn.DataFrame({"s": values})
    series = data["s"]
    cases = {
        "lower": ((), str.lower), "strip": ((), str.strip), "starts_with": (("He",), lambda s: s.startswith("He")),
        "contains": (("-",), lambda s: "-" in s), "len": ((), len), "byte_count": ((), lambda s: len(s.encode())),
        "find": (("o",), lambda s: s.find("o")), "replace": (("l", "L"), lambda s: s.replace("l", "L")),
        "reverse": ((), lambda s: s[::-1]), "slice": ((0, 3), lambda s: s[:3]), "split": (("-",), lambda s: s.split("-")),
        "zfill": ((8,), lambda s: s.zfill(8)), "is_alpha": ((), str.isalpha), "count": (("l",), lambda s: s.count("l")),
        "pad": ((8, "left", "*"), lambda s: s.rjust(8, "*")), "strip_chars": (("Hx ",), lambda s: s.strip("Hx ")),
        "contains_regex": ((r"\d+",), lambda s: any(c.isdigit() for c in s)),
    }
    for name, (arguments, expected) in cases.items():
        want = [None if value is None else expected(value) for value in values]
        assert getattr(series.str, name)(*arguments).to_list() == want, name
        assert data.select(o=getattr(col("s").str, name)(*arguments))["o"].to_list() == want, name
    if device == "host":
        assert series.str.extract(r"(\d+)", 1).to_list()[-1] == "12"
    else:
        with pytest.raises(NotImplementedError, match="of a group on this device is not implemented"):
            series.str.extract(r"(\d+)", 1)
    if device == "host":
        assert cn.Series(["29.02.2024"]).str.to_datetime("%d.%m.%Y", "date32").to_list() == [dt.date(2024, 2, 29)]
    with pytest.raises(TypeError) as error:
        cn.Series([1], name="n").str.lower()
    assert error.value.operation == "str.lower"


def test_time_functions_agree_with_python(device):
    times = [dt.datetime(2024, 2, 29, 13, 45, 10, 123456), None, dt.datetime(1969, 12, 31, 23, 59, 59)]
    data = cn.DataFrame({"t": times})
    parts = {"year": "year", "month": "month", "day": "day", "hour": "hour", "minute": "minute", "second": "second"}
    for name, attribute in parts.items():
        want = [None if time is None else getattr(time, attribute) for time in times]
        assert getattr(data["t"].dt, name)().to_list() == want
        assert data.select(o=getattr(col("t").dt, name)())["o"].to_list() == want
    assert data["t"].dt.weekday().to_list() == [3, None, 2]
    assert data["t"].dt.truncate("1h").to_list()[0] == dt.datetime(2024, 2, 29, 13)
    assert data["t"].dt.date().to_list() == [dt.date(2024, 2, 29), None, dt.date(1969, 12, 31)]
    assert data["t"].dt.add_months(12).to_list()[0] == dt.datetime(2025, 2, 28, 13, 45, 10, 123456)


def test_time_zones_and_formats(host):
    times = cn.Series([dt.datetime(2024, 7, 1, 12)])
    berlin = times.dt.tz_localize("Europe/Berlin")
    assert berlin.to_list()[0].utcoffset() == dt.timedelta(hours=2)
    assert berlin.dt.tz_convert("UTC").to_list()[0].hour == 10
    assert times.dt.strftime("%Y-%m").to_list() == ["2024-07"]
    with pytest.raises(ValueError, match="ambiguous"):
        times.dt.tz_localize("Europe/Berlin", ambiguous="never")


def test_list_struct_and_category_functions(device):
    lists = cn.Series([[3, 1, None], [], None, [2]])
    assert lists.list.len().to_list() == [3, 0, None, 1]
    assert lists.list.sum().to_list()[0] == 4 and lists.list.get(-1).to_list() == [None, None, None, 2]
    assert lists.list.sort().to_list()[0] == [1, 3, None]
    assert lists.list.contains(3).to_list()[0] is True
    assert cn.DataFrame({"l": lists}).explode("l")["l"].to_list() == [3, 1, None, None, None, 2]
    structs = cn.Series([{"x": 1, "y": "a"}, None])
    assert structs.struct_.field("x").to_list() == [1, None] and structs.struct_.names == ["x", "y"]
    assert cn.DataFrame({"s": structs}).unnest("s").columns == ["x", "y"]
    coded = cn.Series(["b", "a", "b", None]).cat.encode()
    assert coded.cat.categories().to_list() == ["b", "a"] and coded.cat.codes().to_list() == [0, 1, 0, None]
    assert coded.cat.decode().to_list() == ["b", "a", "b", None]
    assert coded.cat.rename_categories(["x", "y"]).to_list() == ["x", "y", "x", None]


def test_positions_in_lists_agree_with_polars(device):
    values = [[3, 1, None, 1], [], None, [5], [None], [2, 2, -7]]
    wanted = [[0, -1, None, 4], [0], [0, 1], [], None, [-3, -4, 2]]
    at = [0, 0, 1, -1, None, -3]
    ours, theirs = cn.Series(values), pl.Series(values)
    frame, other = cn.DataFrame({"l": values, "w": wanted, "at": at}), pl.DataFrame({"l": values, "w": wanted, "at": at})
    assert ours.list.take(cn.Series(wanted)).to_list() == other.select(pl.col("l").list.gather("w", null_on_oob=True))["l"].to_list()
    assert frame.select(col("l").list.take(col("w")))["l"].to_list() == ours.list.take(cn.Series(wanted)).to_list()
    assert ours.list.take([0, -1]).to_list() == theirs.list.gather([0, -1], null_on_oob=True).to_list()
    assert frame.select(col("l").list.take([0, -1]))["l"].to_list() == ours.list.take([0, -1]).to_list()
    assert ours.list.get(cn.Series(at)).to_list() == other.select(pl.col("l").list.get("at", null_on_oob=True))["l"].to_list()
    assert frame.select(col("l").list.get(col("at")))["l"].to_list() == ours.list.get(cn.Series(at)).to_list()
    assert ours.list.get(1, default=8).to_list() == [1, 8, None, 8, 8, 2]
    assert ours.list.get(cn.Series(at), default=8).to_list() == [3, 8, None, 5, None, 2]
    assert frame.select(col("l").list.get(1, default=col("at")))["l"].to_list() == [1, 0, None, -1, None, 2]
    assert ours.list.index(1).to_list() == [1, -1, None, -1, -1, -1]
    assert ours.list.index(cn.Series([1, 1, 1, 5, None, -7])).to_list() == [1, -1, None, 0, 0, 2]
    assert frame.select(col("l").list.index(col("at")))["l"].to_list() == [-1, -1, None, -1, 0, -1]
    assert ours.list.contains(cn.Series([1, 1, 1, 5, None, 0])).to_list() == [True, False, None, True, True, False]
    assert cn.Series([[["a", None], ["é"]], None, [[], ["b"]]]).list.leaves().to_list() == ["a", None, "é", "b"]
    for call, kind, text in (
        (lambda: ours.list.get(1, null_on_oob=False), IndexError, "list.get: expression"),
        (lambda: ours.list.take([0], null_on_oob=False), IndexError, "position 0 is out of bounds for 0"),
        (lambda: ours.list.take(cn.Series(wanted), null_on_oob=False), IndexError, "position 4 is out of bounds for 4"),
        (lambda: ours.list.get(cn.Series(at), null_on_oob=False), IndexError, "position 0 is out of bounds for 0"),
        (lambda: ours.list.get(0, default=1, null_on_oob=False), ValueError, "list.get: there is a default"),
    ):
        with pytest.raises(kind, match=text):
            call()


def test_files_are_read_back(device, tmp_path):
    data = frame()
    data.write_parquet(tmp_path / "a.parquet")
    assert cn.read_parquet(tmp_path / "a.parquet").equals(data)
    assert cn.read_parquet([tmp_path / "a.parquet"], columns=["n"], filter=col("n") > 2)["n"].to_list() == [3, 5]
    data.write_ipc(tmp_path / "a.arrow", compression="zstd")
    assert cn.read_ipc(str(tmp_path / "a.arrow")).equals(data)
    data.write_csv(tmp_path / "a.csv")
    back = cn.read_csv(tmp_path / "a.csv", dtypes={"n": "int64"})
    assert back["k"].to_list() == data["k"].to_list() and back["n"].to_list() == data["n"].to_list()
    assert pl.read_parquet(tmp_path / "a.parquet")["n"].to_list() == data["n"].to_list()
    assert cn.read_csv(tmp_path / "a.csv", columns=["k"], limit=2).shape == (2, 1)


def test_missing_files_are_file_not_found(tmp_path):
    for read in (cn.read_parquet, cn.read_csv, cn.read_ipc):
        with pytest.raises(FileNotFoundError) as error:
            read(tmp_path / "none.file")
        assert error.value.operation == read.__name__ and "none.file" in error.value.path
        assert isinstance(error.value, cn.ColumnadeError)
    (tmp_path / "bad.parquet").write_bytes(b"no parquet at all")
    with pytest.raises(cn.ColumnadeError, match="read_parquet"):
        cn.read_parquet(tmp_path / "bad.parquet")
    with pytest.raises(ValueError, match="compression"):
        frame().write_parquet(tmp_path / "x.parquet", compression="rar")


def test_pickled_frames_return(device):
    data = frame().with_columns(l=cn.Series([[1], None, [], [2], [3], [4]]), d=cn.Series(list("abcabc")).cat.encode())
    back = pickle.loads(pickle.dumps(data))
    assert back.equals(data) and back.device == device
    series = cn.Series([1, None], name=("a", 1))
    again = pickle.loads(pickle.dumps(series))
    assert again.equals(series) and again.name == ("a", 1)
    labels = cn.DataFrame({1: [1], None: [2]})
    assert pickle.loads(pickle.dumps(labels)).columns == [1, None]
    assert pickle.loads(pickle.dumps(cn.DType("list<utf8>"))) == "list<utf8>"


def test_memory_options_and_report(device):
    before = cn.memory.options()
    try:
        cn.memory.set_options(spill=True, statistics=1, device_limit="512MiB")
        changed = cn.memory.options()
        assert changed["spill"] is True and changed["device_limit"] == 512 * 2**20 and changed["statistics"] == 1
        kept = cn.Series(list(range(1000)))
        report = cn.memory.report()
        assert report.device_bytes >= 8000 and report.device_peak >= report.device_bytes
        assert report._repr_svg_().startswith("<svg") and '"version"' in report.to_json()
        assert str(device) in str(report) and len(kept) == 1000
        with pytest.raises(ValueError, match="no option"):
            cn.memory.set_options(speed=11)
        with pytest.raises(ValueError):
            cn.memory.set_options(device_limit="many")
    finally:
        cn.memory.set_options(**before)
