"""Values without row labels, which go by position where they are assigned, and values as other libraries have them."""

import datetime as dt
import io
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import columnade as cn

ROWS = {"v": [10, 20, 30]}
LABELS = [1, 1, 0]


def test_duplicated_labels_are_an_array(device):
    ours, theirs = cn.DataFrame(ROWS, index=LABELS), pd.DataFrame(ROWS, index=LABELS)
    for keep in ("first", "last", False):
        mask = ours.index.duplicated(keep=keep)
        assert isinstance(mask, np.ndarray) and mask.tolist() == theirs.index.duplicated(keep=keep).tolist()
        assert ours[~mask]["v"].to_list() == theirs[~theirs.index.duplicated(keep=keep)]["v"].tolist()
    assert ours.index.drop_duplicates(keep=False).to_list() == [0]


@pytest.mark.parametrize(
    "name, arguments",
    [
        ("to_datetime", (["2024-01-01", None, "2024-01-03"],)),
        ("to_timedelta", (["1 day", "2h", None],)),
        ("to_timedelta", ([1, 2, 3], "W")),
        ("to_numeric", (["1", "2.5", "3"],)),
        ("cut", ([1, 5, 9], 2, True, False)),
        ("qcut", ([1, 5, 9], 2, False)),
    ],
)
def test_results_for_lists_go_by_position(device, name, arguments):
    for of in (list, np.array, lambda values: cn.Index(values)):
        values = [value for value in arguments[0] if value is not None] if of is np.array else arguments[0]
        made = getattr(cn, name)(of(values), *arguments[1:])
        assert not isinstance(made, cn.Series), type(made)
        index = [5, 6, 7][: len(values)]
        theirs = getattr(pd, name)(values, *arguments[1:])
        frame = cn.DataFrame({"a": values}, index=index).assign(x=made)
        expected = pd.Series(theirs).tolist()
        got = frame["x"].to_list()
        assert [None if value is None else value for value in got] == [None if pd.isna(value) else value for value in expected]
    labelled = getattr(cn, name)(cn.Series(arguments[0]).with_index(cn.Index([5, 6, 7])), *arguments[1:])
    assert isinstance(labelled, cn.Series) and labelled.index.to_list() == [5, 6, 7]


def test_positions_of_searches_are_an_array(device):
    frame = cn.DataFrame({"a": [1, 2]}, index=[5, 6])
    assert frame.assign(x=cn.Series([1, 2, 3]).searchsorted([2, 9]))["x"].to_list() == [1, 3]


def test_labels_of_several_levels_of_pandas(device):
    index = pd.MultiIndex.from_product([["a"], [1, 2]], names=["p", "q"])
    for made in (cn.Index(index), cn.DataFrame({"x": [1, 2]}, index=index).index, cn.Series([1, 2], index=index).index):
        assert made.to_list() == index.tolist() and made.names == ["p", "q"]


@pytest.mark.parametrize("columns", [["a", "a"], pd.Index(["a", "a"])])
def test_repeated_columns_are_refused(device, columns):
    with pytest.raises(ValueError, match="the column label 'a' is repeated"):
        cn.DataFrame([[1, 2]], columns=columns)


@pytest.mark.parametrize("missing", [np.nan, float("nan")])
@pytest.mark.parametrize("value", ["x", True, dt.date(2024, 1, 1), dt.datetime(2024, 1, 1, 2), [1, 2], b"x"])
def test_nan_beside_other_values_is_null(device, value, missing):
    for values in ([value, missing, None], [missing, value]):
        assert cn.Series(values).to_list() == [value if one is value else None for one in values]
    assert cn.Series([1, missing]).is_nan().to_list() == [False, True]
    assert cn.Series(["a", "b"]).map({"a": missing, "b": "z"}).to_list() == [None, "z"]


def test_categories_of_numbers_stay_numbers(device):
    for values in ([10, 9, 1, None], [dt.date(2024, 1, 2), dt.date(2023, 1, 1)], [1.5, 0.5]):
        made = cn.Series(values).astype("category")
        assert str(made.dtype).startswith("dictionary<int32, ") and "utf8" not in str(made.dtype)
        assert made.to_list() == values
        assert cn.DataFrame({"c": values}).astype({"c": "category"})["c"].dtype == made.dtype
    numbers = cn.Series([10, 9, 1]).astype("category")
    assert numbers.sort_values().to_list() == pd.Series([10, 9, 1]).astype("category").sort_values().tolist()
    assert (numbers == 10).to_list() == [True, False, False]


def test_nulls_of_ordered_categories_are_filled(device):
    theirs = pd.Series(pd.Categorical(["lo", None], ["lo", "mid"], ordered=True))
    ours = cn.from_pandas(theirs)
    frame = cn.DataFrame({"c": ours})
    for made in (ours.fillna("mid"), frame.fillna("mid")["c"], frame.fillna({"c": "mid"})["c"]):
        assert made.to_list() == theirs.fillna("mid").tolist() and made.dtype == ours.dtype
    with pytest.raises(ValueError, match="zzz is not in the dictionary"):
        ours.fillna("zzz")


def test_fixed_offsets_are_zones(device):
    theirs = pd.Series(pd.to_datetime(["2024-01-02 03:04:05+02:00", None]))
    ours = cn.from_pandas(theirs)
    assert str(ours.dtype).endswith(", +02:00]")
    assert ours.to_list() == [theirs[0].to_pydatetime(), None]
    assert ours.dt.hour().to_list() == [3, None] and cn.Index(ours).tzinfo.utcoffset(None) == dt.timedelta(hours=2)
    assert ours.to_numpy(dtype=object).tolist() == ours.to_list()
    zone = dt.timezone(-dt.timedelta(hours=3, minutes=30))
    for tz in (zone, "UTC-03:30", "-03:30"):
        assert ours.dt.tz_convert(tz).to_list()[0] == theirs.dt.tz_convert(zone)[0]
        assert cn.date_range("2024-01-01", periods=2, tz=tz).to_list() == list(pd.date_range("2024-01-01", periods=2, tz=zone))
    assert cn.Series(["2024-01-02"], dtype="timestamp[us]").dt.tz_localize(dt.timezone.utc).dt.tz == "UTC"


def test_days_of_truncate_are_midnights(device):
    times = pd.date_range("2024-01-01", periods=6, freq="12h")
    ours = cn.from_pandas(pd.Series(range(6), index=times))
    for ends in ({"after": "2024-01-02"}, {"before": "2024-01-02"}, {"before": "2024-01-02", "after": "2024-01-03"}):
        assert ours.truncate(**ends).to_list() == pd.Series(range(6), index=times).truncate(**ends).tolist()


def test_one_text_is_no_list_of_values():
    with pytest.raises(TypeError, match="is_in: values are a list, an array or a series, not one text"):
        cn.col("s").is_in("abc")


@pytest.mark.parametrize("name, read", [("parquet", cn.read_parquet), ("ipc", cn.read_ipc), ("json", cn.read_json), ("csv", cn.read_csv)])
def test_writers_take_open_files(device, name, read, tmp_path):
    frame = cn.DataFrame({"n": [1, None], "s": ["é", "x"]})
    buffer = io.BytesIO()
    assert getattr(frame, f"write_{name}")(buffer) is None
    buffer.seek(0)
    assert read(buffer).to_dict() == frame.to_dict()
    with open(tmp_path / "file", "wb") as file:
        getattr(frame, f"write_{name}")(file)
    assert (tmp_path / "file").read_bytes() == buffer.getvalue()
    if name in ("json", "csv"):
        text = io.StringIO()
        getattr(frame, f"write_{name}")(text)
        assert text.getvalue() == buffer.getvalue().decode()
    with pytest.raises((TypeError, OSError)):
        getattr(frame, f"write_{name}")(5)


@pytest.mark.parametrize("text", ['a,b\n"x\r\ny",1\n', 'a,b\r\n"x\r\ny",1\r\n', 'a,b\n"x\ry",1\n'])
def test_ends_of_lines_within_quotes_stay(device, text, tmp_path):
    path = tmp_path / "f.csv"
    path.write_bytes(text.encode())
    expected = pd.read_csv(path)["a"].tolist()
    for source in (path, io.BytesIO(text.encode()), io.StringIO(text, newline="")):
        assert cn.read_csv(source)["a"].to_list() == expected
    assert cn.read_csv(io.BytesIO(text.replace(",", ";").encode()), sep=";", comment="#")["a"].to_list() == expected
    assert cn.read_csv(io.BytesIO(b"# 1\n" + text.encode()), skiprows=1)["a"].to_list() == expected


def test_decimals_are_exported_with_128_bits(device):
    frame = cn.DataFrame({"d": [Decimal("1.5"), None], "l": [[Decimal("2.25")], []], "s": [{"x": Decimal("1.1")}, None]})
    narrow = pa.schema([("d", pa.decimal64(3, 1)), ("l", pa.list_(pa.decimal128(3, 2))), ("s", pa.struct([("x", pa.decimal128(2, 1))]))])
    wide = {"d": pa.decimal128(2, 1), "l": pa.list_(pa.decimal128(3, 2)), "s": pa.struct([("x", pa.decimal128(2, 1))])}
    for schema in (pa.schema(frame), pa.table(frame).schema):
        assert {field.name: field.type for field in schema} == wide
    assert pa.chunked_array(frame["d"]).type == wide["d"]
    assert pa.RecordBatchReader.from_stream(frame, schema=narrow).schema.field("d").type == pa.decimal64(3, 1)
    there = pl.DataFrame(frame)
    assert there.to_arrow()["d"].to_pylist() == [Decimal("1.5"), None]
    assert cn.from_arrow(there).to_dict() == frame.to_dict()


OPERANDS = {
    "sum": lambda s: s + [1, 2, 3], "difference": lambda s: [9, 8, 7] - s, "product": lambda s: s * [2.5, None, 1], "equal": lambda s: s == [10, 0, 30],
    "less": lambda s: s < [20, 20, 20], "method": lambda s: s.add([1, 2, 3]),
}


@pytest.mark.parametrize("name", OPERANDS)
def test_lists_are_operands_by_position(device, name):
    ours, theirs = OPERANDS[name](cn.Series(ROWS["v"], index=LABELS)), OPERANDS[name](pd.Series(ROWS["v"], index=LABELS))
    assert ours.index.to_list() == LABELS and ours.device == device
    assert [None if value is None else value for value in ours.to_list()] == [None if pd.isna(value) else value for value in theirs]


def test_lists_of_another_length_are_refused(device):
    with pytest.raises(ValueError, match="add: the list has 2 values, and there are 3 rows"):
        cn.Series(ROWS["v"]) + [1, 2]
    # Of lists, one is a value.
    assert (cn.Series([[1, 2], [3]]) == cn.Series([[1, 2], [4]])).to_list() == [True, False]


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("other", [None, "mid", "lo"])
@pytest.mark.parametrize("name", ["where", "mask"])
def test_conditions_keep_categories(device, name, other, ordered):
    theirs = pd.Series(pd.Categorical(["lo", None, "mid", "lo"], ["lo", "mid", "hi"], ordered=ordered), index=[5, 5, 6, 7])
    ours, cond = cn.from_pandas(theirs), [False, True, False, True]
    made, expected = getattr(ours, name)(cond, other), getattr(theirs, name)(np.array(cond), other)
    assert made.dtype == ours.dtype and made.device == device and made.index.to_list() == [5, 5, 6, 7]
    assert made.to_list() == [None if pd.isna(value) else value for value in expected]
    assert made.cat.categories().to_list() == ["lo", "mid", "hi"]
    if ordered:
        with pytest.raises(ValueError, match="zzz is not in the dictionary"):
            getattr(ours, name)(cond, "zzz")


def test_zones_of_labels(device):
    theirs = pd.date_range("2024-01-01", periods=2, tz="Europe/Rome")
    ours = cn.date_range("2024-01-01", periods=2, tz="Europe/Rome")
    fixed = dt.timezone(dt.timedelta(hours=-5))
    for zone in (None, "UTC", fixed, "Asia/Tokyo"):
        assert ours.tz_convert(zone).to_list() == theirs.tz_convert(zone).to_pydatetime().tolist()
        assert ours.tz_localize(None).tz_localize(zone).to_list() == theirs.tz_localize(None).tz_localize(zone).to_pydatetime().tolist()
    assert cn.Series([1, 2], index=ours).tz_convert(None).index.tz is None
    with pytest.raises(TypeError, match="tz_convert"):
        ours.tz_convert(5)
