"""Files that cannot be read or written as asked: what errors say, beside what pyarrow, pandas, Polars and DuckDB make of them."""

import decimal
import io
import warnings

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import columnade as cn

FAR = 1 << 62


# Values that do not fit --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("write", ["write_parquet", "to_parquet", "write_csv", "to_csv", "write_json", "to_json"])
def test_time_beyond_those_of_a_file_is_an_overflow(tmp_path, write):
    path = tmp_path / "far"
    frame = cn.DataFrame({"id": [1, 2]}).with_columns(at=cn.Series([1, FAR]).cast("timestamp[s]"))
    with pytest.raises(OverflowError) as raised:
        getattr(frame, write)(path)
    error = raised.value
    assert isinstance(error, cn.ColumnOverflowError) and not isinstance(error, OSError)
    # The text of dates is that of a function of times.
    dtype = "date32" if write == "to_csv" else "timestamp[s]"
    assert (error.operation.split("_")[1], error.column, error.dtype) == (write.split("_")[1], "at", dtype), str(error)
    assert not path.exists()


def test_decimal_that_does_not_fit_names_its_row_group(tmp_path):
    values = [decimal.Decimal("1.25"), decimal.Decimal("2.50"), decimal.Decimal(10**39)]
    table = pa.table({"price": pa.array(values, pa.decimal256(50, 2))})
    pq.write_table(table, tmp_path / "wide.parquet", row_group_size=2)
    for read in (cn.read_parquet, lambda path: list(cn.scan_parquet(path))):
        with pytest.raises(OverflowError) as raised:
            read(tmp_path / "wide.parquet")
        error = raised.value
        assert (error.column, error.dtype, error.row_group) == ("price", "decimal(38,2)", 1), str(error)
        assert error.path == str(tmp_path / "wide.parquet")
    assert cn.read_parquet(tmp_path / "wide.parquet", rows=(0, 2))["price"].to_list() == values[:2]
    with pa.OSFile(str(tmp_path / "wide.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    with pytest.raises(OverflowError) as raised:
        cn.read_ipc(tmp_path / "wide.arrow")
    assert (raised.value.column, raised.value.dtype) == ("price", "decimal(38,2)")


def test_numbers_of_times_that_do_not_fit_their_unit_are_an_overflow():
    frame = cn.DataFrame({"at": cn.Series([FAR]).cast("timestamp[s]")})
    for options in ({"date_unit": "ns", "date_format": "epoch"}, {"date_unit": "ms", "date_format": "iso"}):
        with pytest.raises(OverflowError) as raised:
            frame.to_json(**options)
        assert not isinstance(raised.value, OSError) and raised.value.operation == "to_json"
        assert raised.value.column == "at", str(raised.value)
    with pytest.raises((OverflowError, ValueError)) as raised:
        frame.to_csv(date_format="%Y")
    assert not isinstance(raised.value, OSError)


# Leap seconds ------------------------------------------------------------------------------------------------------------
def test_leap_second_is_text_as_in_pandas_and_pyarrow(tmp_path):
    text = "id,at\n1,2016-12-31 23:59:59\n2,2016-12-31 23:59:60\n"
    (tmp_path / "leap.csv").write_text(text)
    assert pa.csv.read_csv(tmp_path / "leap.csv")["at"].type == pa.string()
    with pytest.raises(ValueError):
        pd.to_datetime(["2016-12-31 23:59:60"])
    read = cn.read_csv(tmp_path / "leap.csv")
    assert read["at"].to_list() == ["2016-12-31 23:59:59", "2016-12-31 23:59:60"]
    with pytest.raises(ValueError) as raised:
        cn.read_csv(tmp_path / "leap.csv", dtypes={"at": "timestamp[us]"})
    assert (raised.value.line, raised.value.column, raised.value.dtype) == (3, "at", "timestamp[us]")
    (tmp_path / "leap.jsonl").write_text('{"at": "23:59:59"}\n{"at": "23:59:60"}\n')
    with pytest.raises(ValueError) as raised:
        cn.read_json(tmp_path / "leap.jsonl", dtypes={"at": "time64[us]"})
    assert (raised.value.line, raised.value.column) == (2, "at")
    with pytest.raises(ValueError):
        cn.Series(["23:59:60"]).cast("time64[us]")


# Files that are something else -------------------------------------------------------------------------------------------
def test_feather_of_version_1_says_so(tmp_path):
    path = tmp_path / "old.feather"
    with warnings.catch_warnings():
        # It is deprecated in pyarrow.
        warnings.simplefilter("ignore")
        pa.feather.write_feather(pa.table({"a": [1]}), str(path), version=1)
    for read in (cn.read_feather, cn.read_ipc, lambda path: cn.scan_ipc(path)):
        with pytest.raises(NotImplementedError, match="Feather version 1"):
            read(path)


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
def test_text_in_utf_32_says_so_and_is_read_with_its_encoding(tmp_path, encoding):
    path = tmp_path / "wide.csv"
    path.write_bytes("\ufeffa,b\n1,é\n".encode(encoding))
    with pytest.raises(NotImplementedError, match=encoding.upper().replace("32-", "32")):
        cn.read_csv(path)
    assert cn.read_csv(path, encoding="utf-32").to_dict() == pl.DataFrame({"a": [1], "b": ["é"]}).to_dict(as_series=False)
    path.write_bytes('\ufeff{"a": 1}\n'.encode(encoding))
    with pytest.raises(NotImplementedError, match=encoding.upper().replace("32-", "32")):
        cn.read_json(path)
    assert cn.read_json(path, encoding="utf-32")["a"].to_list() == [1]


# Columns that are nested deeply ------------------------------------------------------------------------------------------
def test_columns_nested_too_deeply_name_the_limit(tmp_path):
    dtype, value = pa.int64(), 1
    for _ in range(61):
        dtype, value = pa.struct([("a", dtype)]), {"a": value}
    table = pa.table({"id": [1], "deep": pa.array([value], dtype)})
    pq.write_table(table, tmp_path / "deep.parquet")
    with pytest.raises(NotImplementedError, match='column "deep" is nested deeper than 60 levels') as raised:
        cn.read_parquet(tmp_path / "deep.parquet")
    assert raised.value.column == "deep"
    # Without an Arrow schema a file has no such limit.
    pq.write_table(table, tmp_path / "deep.parquet", store_schema=False)
    frame = cn.read_parquet(tmp_path / "deep.parquet")
    assert frame.shape == (1, 2)
    for write in (frame.write_parquet, frame.write_ipc):
        with pytest.raises(NotImplementedError, match='column "deep" is nested deeper than 60 levels'):
            write(tmp_path / "again")


# Rows without columns ----------------------------------------------------------------------------------------------------
def test_rows_without_columns_are_those_of_polars(tmp_path):
    ours = cn.DataFrame({"a": [1, 2, 3]}).drop("a")
    theirs = pl.DataFrame(height=3)
    for name, write, read in (("parquet", "write_parquet", pl.read_parquet), ("arrow", "write_ipc", pl.read_ipc)):
        path = tmp_path / f"rows.{name}"
        getattr(ours, write)(path)
        assert read(path).shape == (3, 0)
        if name == "parquet":
            assert pq.read_table(path).num_rows == 3 and pd.read_parquet(path).shape == (3, 0)
        assert getattr(cn, f"read_{'ipc' if name == 'arrow' else name}")(path).shape == (3, 0)
        getattr(theirs, write)(path)
        assert getattr(cn, f"read_{'ipc' if name == 'arrow' else name}")(path).shape == (3, 0)
    for write in ("write_csv", "write_json"):
        with pytest.raises(NotImplementedError, match="rows without columns"):
            getattr(ours, write)(tmp_path / "rows.txt")
    # The columns of folders alone.
    months = cn.DataFrame({"m": [1, 2, 1]})
    months.write_dataset(tmp_path / "months", "m")
    assert sorted(cn.read_parquet(tmp_path / "months")["m"].to_list()) == [1, 1, 2]
    assert sorted(pl.read_parquet(tmp_path / "months" / "*" / "*.parquet", hive_partitioning=True)["m"]) == [1, 1, 2]


# Integers and floats of several files ------------------------------------------------------------------------------------
def test_integers_and_floats_of_files_become_floats_as_in_duckdb(tmp_path):
    import duckdb

    whole, parts = pa.table({"x": pa.array([1, None, -(2**53)])}), pa.table({"x": pa.array([0.5])})
    for name, table in (("a", whole), ("b", parts)):
        pq.write_table(table, tmp_path / f"{name}.parquet")
    expected = duckdb.sql(f"SELECT x FROM read_parquet('{tmp_path}/*.parquet', union_by_name=true)").fetchall()
    joined = pa.concat_tables([whole, parts], promote_options="permissive")["x"].to_pylist()
    read = cn.read_parquet(tmp_path)["x"]
    assert str(read.dtype) == "float64" and read.to_list() == joined == [value for (value,) in expected]
    pq.write_table(pa.table({"x": [2**53, 2**53 + 1]}), tmp_path / "c.parquet")
    with pytest.raises(pa.ArrowInvalid):
        pa.concat_tables([parts, pq.read_table(tmp_path / "c.parquet")], promote_options="permissive")
    with pytest.raises(OverflowError) as raised:
        cn.read_parquet(tmp_path)
    error = raised.value
    assert (error.column, error.dtype, error.row_group) == ("x", "float64", 0)
    assert error.path == str(tmp_path / "c.parquet") and "9007199254740993" in str(error)


# Values of a fixed number of bytes ---------------------------------------------------------------------------------------
def test_uuids_are_their_bytes(tmp_path):
    import uuid

    ids = [uuid.uuid5(uuid.NAMESPACE_DNS, name) for name in ("a", "b")] + [None]
    stored = [None if one is None else one.bytes for one in ids]
    table = pa.table({"id": pa.array(stored, pa.uuid()), "key": pa.array([b"abc", b"xyz", None], pa.binary(3))})
    pq.write_table(table, tmp_path / "ids.parquet")
    assert pq.ParquetFile(tmp_path / "ids.parquet").schema.column(0).logical_type.type == "UUID"
    with pa.OSFile(str(tmp_path / "ids.arrow"), "wb") as sink, pa.ipc.new_file(sink, table.schema) as file:
        file.write_table(table)
    for read in (cn.read_parquet(tmp_path / "ids.parquet"), cn.read_ipc(tmp_path / "ids.arrow")):
        assert [str(read[label].dtype) for label in read.columns] == ["binary", "binary"]
        assert read["id"].to_list() == stored and read["key"].to_list() == [b"abc", b"xyz", None]
        assert [None if one is None else uuid.UUID(bytes=one) for one in read["id"].to_list()] == ids
    found = cn.read_parquet(tmp_path / "ids.parquet", filter=cn.col("key") == b"xyz")
    assert found["id"].to_list() == stored[1:2]


# Errors after the parse --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "options", [{"thousands": ","}, {"converters": {"a": str.upper}}, {"true_values": ["yes"]}, {"keep_default_na": False}, {"na_values": {"a": ["-"]}}],
)
def test_errors_after_the_parse_name_the_file_and_its_line(tmp_path, options):
    path = tmp_path / "orders.csv"
    path.write_text('# orders\n\na,n\nx,1\n"two\nlines",2\n\ny,three\n')
    for more in ({"skiprows": 1}, {"comment": "#"}):
        with pytest.raises(ValueError) as raised:
            cn.read_csv(path, dtypes={"n": "int64"}, **more, **options)
        error = raised.value
        assert (error.path, error.line, error.column) == (str(path), 8, "n"), str(error)
        assert f"{path}: line 8: " in str(error) and "<buffer>" not in str(error)
    with pytest.raises(ValueError) as raised:
        cn.read_csv(io.StringIO(path.read_text()), skiprows=1, dtypes={"n": "int64"}, **options)
    assert (raised.value.path, raised.value.line) == (None, 8) and "<buffer>: line 8: " in str(raised.value)
    parts = cn.read_csv(path, skiprows=1, dtypes={"n": "int64"}, chunksize=2, **options)
    assert next(parts)["n"].to_list() == [1, 2]
    with pytest.raises(ValueError) as raised:
        next(parts)
    assert (raised.value.path, raised.value.line) == (str(path), 8)
    # Of several files, and where rows are left out, the number of the row is known.
    with pytest.raises(ValueError) as raised:
        cn.read_csv([path, path], skiprows=1, dtypes={"n": "int64"}, **options)
    assert raised.value.line is None and "row 2: " in str(raised.value)


def test_column_that_a_document_has_twice_is_named():
    for orient, text in (("split", '{"columns": ["a", "a"], "data": [[1, 2]]}'), ("columns", '{"a": {"0": 1}, "a": {"0": 2}}')):
        with pytest.raises(ValueError) as raised:
            cn.read_json(io.StringIO(text), orient=orient)
        assert (raised.value.column, raised.value.line) == ("a", 1), orient
    with pytest.raises(ValueError) as raised:
        cn.read_csv(io.StringIO("a,b,a\n1,2,3\n"))
    assert raised.value.column == "a"
