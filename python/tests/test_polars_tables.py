"""Further names of Polars for frames: the same calls in both libraries."""

import datetime as dt
import io

import columnade as cn
import columnade.selectors as cs
import polars as pl
import polars.selectors as their_selectors
import pytest

from test_polars_names import same

DATA = {"a": [1, 2, 1], "b": ["x", None, "z"], "c": [1.5, 2.5, None]}
TIMES = {"t": [dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 1, 1), dt.datetime(2024, 1, 1, 4)], "g": ["a", "b", "a"], "v": [1, 2, 3]}
MONTHS = {"t": [dt.date(2024, 1, 31), dt.date(2024, 4, 30)], "v": [1, 2]}
TWICE = {"t": [dt.date(2024, 1, 1), dt.date(2024, 1, 1), dt.date(2024, 1, 3)], "v": [1, 5, 2]}
CALLS = {
    "gather": lambda m, s, f: f.gather([0, -1]),
    "gather one": lambda m, s, f: f.gather(1),
    "gather null_on_oob": lambda m, s, f: f.gather([0, 9], null_on_oob=True),
    "gather null": lambda m, s, f: f.gather(m.Series([0, None])),
    "gather nothing": lambda m, s, f: f.gather([]),
    "select_seq": lambda m, s, f: f.select_seq("a", (m.col("c") * 2).alias("d")),
    "with_columns_seq": lambda m, s, f: f.with_columns_seq(d=m.col("a") + 1),
    "upsample": lambda m, s, f: m.DataFrame(TIMES).upsample("t", every="1h"),
    "upsample past the last": lambda m, s, f: m.DataFrame(TIMES).upsample("t", every="90m"),
    "upsample timedelta": lambda m, s, f: m.DataFrame(TIMES).upsample("t", every=dt.timedelta(hours=2)),
    "upsample groups": lambda m, s, f: m.DataFrame(TIMES).upsample("t", every="2h", group_by="g", maintain_order=True),
    "upsample months": lambda m, s, f: m.DataFrame(MONTHS).upsample("t", every="1mo"),
    "upsample equal times": lambda m, s, f: m.DataFrame(TWICE).upsample("t", every="1d"),
    "upsample one": lambda m, s, f: m.DataFrame(TIMES)[:1].upsample("t", every="1h"),
    "map_columns": lambda m, s, f: f.map_columns("a", lambda values: values + 1),
    "map_columns arguments": lambda m, s, f: f.map_columns(["a", "c"], lambda values, by: values * by, 2),
    "map_columns selector": lambda m, s, f: f.map_columns(s.numeric(), lambda values: values.cast(pl.Float64)),
    "map_columns name": lambda m, s, f: f.map_columns("a", lambda values: values.alias("q")),
    "map_rows": lambda m, s, f: f.map_rows(lambda row: row[0] * 2),
    "map_rows tuples": lambda m, s, f: f.map_rows(lambda row: (row[0] * 2, row[1])),
    "map_rows nulls": lambda m, s, f: f.map_rows(lambda row: row[2]),
    "match_to_schema": lambda m, s, f: f.match_to_schema({"c": pl.Float64, "b": pl.String, "a": pl.Int64}),
    "match_to_schema insert": lambda m, s, f: f.match_to_schema({"a": pl.Int64, "b": pl.String, "c": pl.Float64, "d": pl.Int8}, missing_columns="insert"),
    "match_to_schema expression": lambda m, s, f: f.match_to_schema(
        {"a": pl.Int64, "b": pl.String, "c": pl.Float64, "d": pl.Int8}, missing_columns={"d": m.col("a") * 3}),
    "match_to_schema ignore": lambda m, s, f: f.match_to_schema({"a": pl.Int64}, extra_columns="ignore"),
    "match_to_schema integers": lambda m, s, f: f.select(m.col("a").cast(pl.UInt8)).match_to_schema({"a": pl.Int64}, integer_cast="upcast"),
    "match_to_schema floats": lambda m, s, f: f.select(m.col("c").cast(pl.Float32)).match_to_schema({"c": pl.Float64}, float_cast="upcast"),
    "rechunk": lambda m, s, f: f.rechunk(),
    "shrink_to_fit": lambda m, s, f: f.shrink_to_fit(),
}


@pytest.mark.parametrize("name", CALLS)
def test_frames(device, name):
    mine, theirs = CALLS[name](cn, cs, cn.DataFrame(DATA)), CALLS[name](pl, their_selectors, pl.DataFrame(DATA))
    same(mine, theirs)
    assert list(mine.dtypes.values()) == [cn.DType(dtype) for dtype in cn.from_arrow(theirs.to_arrow()).dtypes.values()] or name == "match_to_schema expression"


@pytest.mark.parametrize("unique", [False, True])
@pytest.mark.parametrize("include_key", [False, True])
@pytest.mark.parametrize("named", [False, True])
@pytest.mark.parametrize("key", ["a", ["a"], ["a", "b"]])
def test_rows_by_key(device, key, named, include_key, unique):
    options = {"named": named, "include_key": include_key, "unique": unique}
    mine, theirs = cn.DataFrame(DATA).rows_by_key(key, **options), pl.DataFrame(DATA).rows_by_key(key, **options)
    assert mine == dict(theirs) and list(mine) == list(theirs)


def test_facts_of_frames(device, capsys):
    frame = cn.DataFrame(DATA)
    assert frame.collect_schema() == frame.dtypes and (frame.n_chunks(), frame.n_chunks("all")) == (1, [1, 1, 1])
    frame.show(2)
    frame.show(None)
    assert capsys.readouterr().out == f"{frame.head(2)}\n{frame}\n"
    again = eval(frame.to_init_repr(), {"cn": cn})
    assert again.equals(frame) and eval(frame.to_init_repr(1), {"cn": cn}).equals(frame.head(1))


def test_streams_are_read_by_polars(device, tmp_path):
    frame = cn.DataFrame(DATA)
    for compression in ("uncompressed", "lz4", "zstd"):
        same(frame, pl.read_ipc_stream(frame.write_ipc_stream(None, compression=compression).getvalue()))
    buffer = io.BytesIO()
    assert frame.write_ipc_stream(buffer) is None and frame.write_ipc_stream(str(tmp_path / "stream")) is None
    same(frame, pl.read_ipc_stream(buffer.getvalue()))
    same(frame, pl.read_ipc_stream(tmp_path / "stream"))


ERRORS = {
    "gather": (IndexError, lambda f: f.gather([9]), "there is no row 9: there are 3"),
    "rows_by_key": (KeyError, lambda f: f.rows_by_key("q"), "there is no column 'q'"),
    "upsample": (KeyError, lambda f: f.upsample("q", every="1d"), "upsample: there is no column 'q'"),
    "upsample unsorted": (ValueError, lambda f: cn.DataFrame(TIMES)[::-1].upsample("t", every="1h"), "upsample: 't' is not sorted"),
    "upsample empty": (ValueError, lambda f: cn.DataFrame(TIMES)[:0].upsample("t", every="1h"), "upsample: there are no times"),
    "upsample every": (ValueError, lambda f: cn.DataFrame(TIMES).upsample("t", every="1x"), "upsample: a duration is"),
    "map_columns": (TypeError, lambda f: f.map_columns("a", lambda values: 1), "map_columns: the function gives a series"),
    "map_columns function": (TypeError, lambda f: f.map_columns("a", 1), "map_columns: function is a function"),
    "map_rows": (TypeError, lambda f: f.map_rows(1), "map_rows: function is a function"),
    "map_rows nulls": (ValueError, lambda f: f.map_rows(lambda row: None), "map_rows: there are no values but null"),
    "match_to_schema missing": (ValueError, lambda f: f.match_to_schema({"q": "int64"}, extra_columns="ignore"), "match_to_schema: there is no column 'q'"),
    "match_to_schema extra": (ValueError, lambda f: f.match_to_schema({"a": "int64"}), "match_to_schema: there are other columns: ['b', 'c']"),
    "match_to_schema dtype": (TypeError, lambda f: f[["a"]].match_to_schema({"a": "int8"}, integer_cast="upcast"), "match_to_schema: 'a' is int64, not int8"),
    "match_to_schema signed": (
        TypeError, lambda f: f.select(cn.col("a").cast("int8")).match_to_schema({"a": "uint64"}, integer_cast="upcast"), "'a' is int8, not uint64"),
    "match_to_schema floats": (TypeError, lambda f: f[["a"]].match_to_schema({"a": "float64"}, integer_cast="upcast"), "'a' is int64, not float64"),
    "match_to_schema action": (ValueError, lambda f: f.match_to_schema({"a": "int64"}, extra_columns="x"), "match_to_schema: extra_columns is"),
    "n_chunks": (ValueError, lambda f: f.n_chunks("x"), "n_chunks: strategy is"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(device, name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call(cn.DataFrame(DATA))
    assert text in str(error.value) and isinstance(error.value, cn.ColumnadeError), error.value
