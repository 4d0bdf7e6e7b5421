"""Reshaping, against pandas."""

import datetime as dt

import columnade as cn
import pandas as pd
import pytest
from columnade import col

DATA = pd.DataFrame({
    "k": ["a", "a", "b", "b", "c"], "l": ["x", "y", "x", "y", "x"], "v": [1, 2, 3, 4, 5], "w": [0.5, 1.5, 2.5, 3.5, 4.5],
})


def table(found, expected):
    """Compares with a frame of pandas, labels and their names too."""
    pd.testing.assert_frame_equal(found.to_pandas(), expected, check_dtype=False, check_column_type=False)


def test_pivot_is_that_of_pandas(device):
    table(cn.from_pandas(DATA).pivot("l", index="k", values="v"), DATA.pivot(columns="l", index="k", values="v"))
    with pytest.raises(ValueError, match="pivot"):
        cn.from_pandas(pd.concat([DATA, DATA])).pivot("l", index="k", values="v")


@pytest.mark.parametrize("aggfunc", ["sum", "mean", "min", "max", "count", "median", "nunique"])
def test_pivot_table_is_that_of_pandas(device, aggfunc):
    ours = cn.from_pandas(DATA).pivot_table("v", index="k", columns="l", aggfunc=aggfunc)
    table(ours, DATA.pivot_table(values="v", index="k", columns="l", aggfunc=aggfunc))
    expressions = cn.from_pandas(DATA).pivot_table(col("v").sum().alias("v"), index="k", columns="l", fill_value=0)
    table(expressions, DATA.pivot_table(values="v", index="k", columns="l", aggfunc="sum", fill_value=0))
    with pytest.raises(ValueError, match="aggfunc 'mode'|aggfunc \"mode\""):
        cn.from_pandas(DATA).pivot_table("v", index="k", aggfunc="mode")


def test_melt_and_wide_to_long_are_those_of_pandas(device):
    ours = cn.from_pandas(DATA).melt("k", ["v", "w"], var_name="name", value_name="value")
    theirs = DATA.melt("k", ["v", "w"], var_name="name", value_name="value")
    pd.testing.assert_frame_equal(ours.to_pandas(), theirs)
    wide = pd.DataFrame({"id": [1, 2], "a1": [10, 20], "a2": [30, 40]})
    long = cn.from_pandas(wide).wide_to_long("a", "id", "n").to_pandas()
    theirs = pd.wide_to_long(wide, "a", "id", "n").reset_index()
    pd.testing.assert_frame_equal(long, theirs[long.columns.tolist()], check_dtype=False)


def test_dummies_return(device):
    ours = cn.from_pandas(DATA[["k", "v"]]).get_dummies(["k"])
    pd.testing.assert_frame_equal(ours.to_pandas(), pd.get_dummies(DATA[["k", "v"]], columns=["k"]))
    assert ours.select("k_a", "k_b", "k_c").from_dummies("_")["k"].to_list() == DATA["k"].tolist()


def test_crosstab_is_that_of_pandas(device):
    ours = cn.from_pandas(DATA)
    table(cn.crosstab(ours["k"], ours["l"]), pd.crosstab(DATA["k"], DATA["l"]))
    shares = cn.crosstab(ours["k"], ours["l"], normalize="index")
    table(shares, pd.crosstab(DATA["k"], DATA["l"], normalize="index"))
    with pytest.raises(ValueError, match="normalize"):
        cn.crosstab(ours["k"], ours["l"], normalize="rows")


def test_transpose_tile_repeat_and_interleave(device):
    numbers = cn.DataFrame({"a": [1, 2], "b": [3, 4]})
    assert list(numbers.transpose().to_dict().values()) == [[1, 3], [2, 4]]
    assert numbers.tile(2)["a"].to_list() == [1, 2, 1, 2] and numbers.repeat(2)["b"].to_list() == [3, 3, 4, 4]
    assert numbers.interleave_columns().to_list() == [1, 3, 2, 4]


def test_json_lines_return(device, tmp_path):
    rows = cn.DataFrame({"a": [1, None], "s": ["x", "Zürich"], "l": [[1, 2], []]})
    rows.write_json(tmp_path / "rows.json")
    back = cn.read_json(tmp_path / "rows.json")
    assert back.device == device and back.to_dict() == rows.to_dict()
    assert pd.read_json(tmp_path / "rows.json", lines=True)["s"].tolist() == ["x", "Zürich"]
    rows.write_json(tmp_path / "short.json", skip_nulls=True)
    assert "null" not in (tmp_path / "short.json").read_text()
    assert cn.read_json(tmp_path / "rows.json", columns=["a"], dtypes={"a": "int8"}, limit=1).to_dict() == {"a": [1]}
    with pytest.raises(cn.ColumnFileNotFoundError):
        cn.read_json(tmp_path / "none.json")


def test_groups_are_those_of_pandas(device):
    ours = cn.from_pandas(DATA)
    theirs = DATA.groupby("k")
    for (key, rows), (expected, frame) in zip(ours.group_by("k", sort=True), theirs, strict=True):
        assert key == expected
        pd.testing.assert_frame_equal(rows.to_pandas(), frame)
    pairs = [(key, rows["v"].to_list()) for key, rows in ours.group_by("k", "l", sort=True)]
    assert pairs == [(key, frame["v"].tolist()) for key, frame in DATA.groupby(["k", "l"])]
    pd.testing.assert_frame_equal(ours.group_by("k").get_group("b").to_pandas(), theirs.get_group("b"))
    assert ours.group_by("k", "l").get_group(("a", "y"))["v"].to_list() == [2]
    pd.testing.assert_frame_equal(ours.group_by("k").nth(-1).to_pandas(), theirs.nth(-1))
    large = ours.group_by("k").filter(cn.len() > 1)
    pd.testing.assert_frame_equal(large.to_pandas(), theirs.filter(lambda group: len(group) > 1))
    with pytest.raises(KeyError, match="z"):
        ours.group_by("k").get_group("z")


def test_functions_of_groups_are_those_of_pandas(device):
    ours, theirs = cn.from_pandas(DATA), DATA.groupby("k")
    made = ours.group_by("k", sort=True).apply(lambda rows: rows.sort_values("v", ascending=False).head(1))
    expected = theirs[DATA.columns.tolist()].apply(lambda rows: rows.sort_values("v", ascending=False).head(1))
    pd.testing.assert_frame_equal(made.to_pandas(), expected)
    spread = ours.group_by("k", sort=True).apply(lambda rows, times, plus: rows["v"].max() * times + plus, 10, plus=1)
    expected = theirs["v"].apply(lambda values: values.max() * 10 + 1)
    assert spread.to_list() == expected.tolist() and spread.index.to_list() == expected.index.tolist()
    assert spread.index.name == "k"
    turned = ours[::-1].group_by("k", sort=True).apply(lambda rows: rows["v"].sum())
    assert turned.index.to_list() == ["a", "b", "c"] and turned.to_list() == [3, 7, 5]
    changes = ours.group_by("k", sort=True).apply(lambda rows: rows["v"].diff().drop_nulls())
    expected = theirs.apply(lambda rows: rows["v"].diff().dropna())
    assert changes.to_list() == expected.tolist() and changes.index.to_list() == expected.index.tolist()
    assert changes.name == "v" and changes.index.names == ["k", None]
    pairs = ours.group_by("l", "k").apply(len)
    assert pairs.index.to_list() == [("x", "a"), ("y", "a"), ("x", "b"), ("y", "b"), ("x", "c")] and pairs.to_list() == [1] * 5
    columns = ours.group_by("k").apply(lambda rows: rows.select("v") if rows["k"][0] == "a" else rows.select("w"))
    assert columns.columns == ["v", "w"] and columns["w"].null_count == 2


def test_functions_of_groups_that_fail():
    ours = cn.from_pandas(DATA)
    with pytest.raises(ZeroDivisionError):
        ours.group_by("k").apply(lambda rows: 1 // 0)
    with pytest.raises(TypeError, match="apply: the function returns a frame for each group, a series for each, or a value"):
        ours.group_by("k").apply(lambda rows: rows if rows["k"][0] == "a" else 1)
    with pytest.raises(TypeError, match="apply: .*value for each"):
        ours.group_by("k").apply(lambda rows: rows["v"] if rows["k"][0] == "a" else 1)
    with pytest.raises(TypeError):
        ours.group_by("k").apply(lambda rows: 1 if rows["k"][0] == "a" else "x")


def test_json_documents_are_those_of_pandas(device, tmp_path):
    frame = cn.DataFrame({"a": [1, None, 3], "b": ["x", "y, ]", None], "l": [[1], [], None]})
    expected = frame.to_dict()
    for orient in ["records", "index", "columns", "split"]:
        path = tmp_path / f"{orient}.json"
        frame.write_json(path, orient=orient)
        assert cn.read_json(path, orient=orient).to_dict() == expected
        parts = cn.scan_json(path, orient=orient)
        assert sum(len(part) for part in parts) == 3
        of_pandas = pd.read_json(path, orient=orient)
        assert of_pandas["a"].tolist()[::2] == [1, 3] and of_pandas["b"][1] == "y, ]"
        of_pandas.to_json(tmp_path / "pandas.json", orient=orient)
        assert cn.read_json(tmp_path / "pandas.json", orient=orient)["b"].to_list() == ["x", "y, ]", None]
    assert cn.read_json(tmp_path / "records.json").to_dict() == expected
    (tmp_path / "bad.json").write_text('[{"a": 1},\n{"a": }]')
    with pytest.raises(ValueError, match="row 2 of the document, line 2"):
        cn.read_json(tmp_path / "bad.json")
    with pytest.raises(ValueError, match="orient"):
        cn.read_json(tmp_path / "bad.json", orient="table")


def test_means_and_arithmetic_of_times_are_those_of_pandas(device):
    spans = pd.Series(pd.to_timedelta([7, -7, None, 2], unit="s").as_unit("s"))
    times = pd.Series(pd.to_datetime(["2024-01-01", "1969-12-31", "2020-02-02", None]).as_unit("us"))
    frame = cn.from_pandas(pd.DataFrame({"d": spans, "t": times}))
    for name, values in [("d", spans), ("t", times)]:
        for aggregate in ["mean", "median"] + ["std"] * (name == "d"):
            assert getattr(frame[name], aggregate)() == getattr(values, aggregate)(), (name, aggregate)
    found = frame.select(m=col("d") * 1.5, q=col("d") / 2, r=col("d") / col("d"), f=col("d") % 4)
    assert found["m"].to_list() == [None if pd.isna(v) else v.to_pytimedelta() for v in spans * 1.5]
    assert found["q"].to_list() == [None if pd.isna(v) else v.to_pytimedelta() for v in spans / 2]
    assert found["r"].to_list() == [1.0, 1.0, None, 1.0]
    # The remainder has the sign of the divisor, as that of integers; pandas 3.1.1 answers -3 for -7 % 4.
    assert found["f"].to_list() == [None if v is None else dt.timedelta(seconds=v) for v in [3, 1, None, 2]]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_dummies_have_a_column_for_nan(device, dtype):
    series = cn.Series([1.5, float("nan"), None], name="f").cast(dtype)
    made = series.get_dummies()
    assert made.shape == (3, 2)
    assert [made[label].to_list() for label in made.columns] == [[True, False, False], [False, True, False]]
    made = cn.DataFrame({"f": series}).get_dummies(["f"], dummy_na=True)
    assert [made[label].to_list() for label in made.columns] == [[True, False, False], [False, True, True]]
