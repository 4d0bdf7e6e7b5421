"""Options of readers and writers of files, beside what pandas and Polars make of the same files."""

import gzip
import io
import pathlib
import warnings

import columnade as cn
import pandas
import polars
import pyarrow.ipc
import pyarrow.parquet
import pytest

ROWS = "a,b\n1,x\n2,y\n"


def written(tmp_path, text, name="some.csv"):
    path = tmp_path / name
    path.write_text(text)
    return str(path)


def test_rows_that_do_not_fit_are_errors_or_skipped_with_a_warning(tmp_path):
    path = written(tmp_path, "a,b\n1,x\n2,y,z\n3,w\n4,v,u\n")
    with pytest.raises(Exception, match="line 3"):
        cn.read_csv(path)
    with pytest.warns(UserWarning, match="read_csv: 2 rows that do not fit were skipped"):
        frame = cn.read_csv(path, skip_bad_rows=True)
    assert frame.to_dict() == pandas.read_csv(path, on_bad_lines="skip").to_dict("list")
    lines = written(tmp_path, '{"a": 1}\n{"a": \n{"a": 3}\n', "some.json")
    with pytest.warns(UserWarning, match="read_json: 1 row that does not fit was skipped"):
        frame = cn.read_json(lines, skip_bad_rows=True)
    assert frame.to_dict() == {"a": [1, 3]}


def test_rows_that_lack_fields_are_padded(tmp_path):
    path = written(tmp_path, "a,b,c\n1,x,2.5\n2\n3,y\n")
    expected = pandas.read_csv(path)
    ours = cn.read_csv(path, pad_short_rows=True)
    assert ours.to_dict() == {"a": [1, 2, 3], "b": ["x", None, "y"], "c": [2.5, None, None]}
    assert ours["a"].to_list() == expected["a"].to_list() and ours["b"].isna().to_list() == expected["b"].isna().to_list()
    assert cn.concat(list(cn.scan_csv(path, pad_short_rows=True))).to_dict() == ours.to_dict()
    # Arguments of pandas beside it.
    assert cn.read_csv(path, pad_short_rows=True, usecols=["b"]).to_dict() == {"b": ["x", None, "y"]}
    with pytest.raises(cn.ColumnadeError, match="line 3"):
        cn.read_csv(path)


def test_no_warning_where_all_rows_fit(tmp_path):
    path = written(tmp_path, ROWS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert cn.read_csv(path, skip_bad_rows=True).to_dict() == {"a": [1, 2], "b": ["x", "y"]}


def test_layout_of_a_csv_file_is_that_which_is_said(tmp_path):
    path = written(tmp_path, "a comment\na;b\n1;'x;y'\n-;'z\\'s'\n")
    ours = cn.read_csv(path, delimiter=";", quote="'", escape="\\", skip_rows=1, null_values=["-"])
    theirs = pandas.read_csv(path, sep=";", quotechar="'", escapechar="\\", skiprows=1, na_values=["-"])
    assert ours.to_dict() == {"a": [1, None], "b": ["x;y", "z's"]}
    assert list(theirs["b"]) == ["x;y", "z's"] and theirs["a"].isna().tolist() == [False, True]
    for wrong in ({"delimiter": ";;"}, {"quote": ""}, {"escape": "é"}):
        with pytest.raises(ValueError, match=f"{next(iter(wrong))} is one ASCII character"):
            cn.read_csv(path, **wrong)


def test_dtypes_come_from_so_many_rows(tmp_path):
    path = written(tmp_path, "a\n1\n2\n2.5\n")
    assert cn.read_csv(path).to_dict() == {"a": [1.0, 2.0, 2.5]}
    assert cn.read_csv(path, dtypes={"a": "string"}).to_dict() == {"a": ["1", "2", "2.5"]}
    # The first row alone says integers; the third is none, and the column is widened.
    assert cn.read_csv(path, infer_rows=1).to_dict() == {"a": [1.0, 2.0, 2.5]}
    assert cn.read_csv(path, limit=1).to_dict() == {"a": [1]}


def test_names_that_a_header_has_twice(tmp_path):
    path = written(tmp_path, "a,b,a,a\n1,2,3,4\n")
    with pytest.raises(ValueError, match="the header has the name \"a\" twice; `duplicate_names`"):
        cn.read_csv(path)
    assert cn.read_csv(path, duplicate_names="point").columns == list(pandas.read_csv(path).columns)
    assert cn.read_csv(path, duplicate_names="duplicated").columns == polars.read_csv(path).columns
    assert next(iter(cn.scan_csv(path, duplicate_names="point")))["a.2"].to_list() == [4]
    odd = written(tmp_path, "a,a,a.1\n1,2,3\n", "odd.csv")
    assert cn.read_csv(odd, duplicate_names="point").columns == list(pandas.read_csv(odd).columns)
    with pytest.raises(ValueError, match='duplicate_names is error, point or duplicated, not "first"'):
        cn.read_csv(path, duplicate_names="first")


def test_large_integers_and_times_of_zones_in_csv(tmp_path):
    path = written(tmp_path, "n,t\n18446744073709551615,2024-07-01 12:00:00\n1,2024-07-01 12:00:00Z\n")
    frame = cn.read_csv(path, dtypes={"t": "timestamp[us, Europe/Berlin]"})
    assert frame["n"].to_list() == pandas.read_csv(path)["n"].tolist() and str(frame["n"].dtype) == "uint64"
    local = pandas.Timestamp("2024-07-01 12:00:00", tz="Europe/Berlin")
    assert [value.timestamp() for value in frame["t"].to_list()] == [local.timestamp(), local.timestamp() + 7200]


def test_times_with_an_offset_are_instants_as_in_pandas_and_polars(tmp_path):
    path = tmp_path / "f.csv"
    for times in (["2026-01-31T05:06:07Z", "2026-01-31T05:06:07+02:00"], ["2026-01-31T05:06:07", "2026-01-31T05:06:08"],
                  ["2026-01-31T05:06:07", "2026-01-31T05:06:07Z"]):
        path.write_text("\n".join(["t", *times]) + "\n")
        frame = cn.read_csv(path)
        theirs = polars.read_csv(path, try_parse_dates=True)["t"]
        assert frame["t"].to_list() == theirs.to_list()
        assert polars.DataFrame(frame)["t"].dtype == theirs.dtype
        frame.write_csv(path)
        assert cn.read_csv(path)["t"].dtype == frame["t"].dtype


def test_bytes_that_are_no_utf8_are_an_error_replaced_or_ignored_as_in_pandas(tmp_path):
    data = b"s,n\ncaf\xe9,1\n\xe6\x97,2\nna\xc3\xafve,3\n"
    path = tmp_path / "f.csv"
    path.write_bytes(data)
    for read in (cn.read_csv, lambda path, **options: cn.concat(list(cn.scan_csv(path, **options)))):
        for errors in ("replace", "ignore"):
            theirs = pandas.read_csv(path, encoding_errors=errors, keep_default_na=False)
            ours = read(path, encoding_errors=errors, empty_is_null=False)
            assert ours["s"].to_list() == theirs["s"].tolist() and ours["n"].to_list() == [1, 2, 3]
        with pytest.raises(ValueError, match="field 1 is not UTF-8"):
            read(path)
        assert read(path, encoding="windows-1252")["s"].to_list()[0] == "café"
    # Of a buffer, in parts, with arguments of pandas, and handlers that only Python knows.
    assert cn.read_csv(io.BytesIO(data), encoding_errors="ignore")["s"].to_list()[0] == "caf"
    assert next(cn.read_csv(path, encoding_errors="ignore", chunksize=1))["s"].to_list() == ["caf"]
    assert cn.read_csv(path, encoding_errors="replace", index_col="n")["s"].to_list()[0] == "caf\ufffd"
    assert cn.read_csv(path, encoding_errors="backslashreplace")["s"].to_list()[0] == "caf\\xe9"
    assert cn.read_csv(path, encoding="ascii", encoding_errors="ignore")["s"].to_list()[2] == "nave"
    for errors in ("lax", 3, "surrogateescape"):
        with pytest.raises(ValueError, match="read_csv: encoding_errors"):
            cn.read_csv(path, encoding_errors=errors)
    with pytest.raises(ValueError, match="scan_csv: encoding_errors is strict, replace or ignore"):
        cn.scan_csv(path, encoding_errors="lax")
    with pytest.raises(ValueError, match="there is no encoding"):
        cn.scan_csv(path, encoding="utf-9")


def test_bytes_of_json_that_are_no_utf8_are_replaced(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_bytes(b'{"s": "caf\xe9"}\n')
    with pytest.raises(ValueError):
        cn.read_json(path)
    assert cn.read_json(path, encoding_errors="replace")["s"].to_list() == ["caf\ufffd"]
    assert cn.read_json(path, encoding_errors="ignore")["s"].to_list() == ["caf"]
    with pytest.raises(NotImplementedError, match="one file"):
        cn.read_json([path, path], encoding_errors="ignore")


def test_compressed_text_is_read_by_its_name(tmp_path):
    path = tmp_path / "some.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write(ROWS)
    assert cn.read_csv(str(path)).to_dict() == pandas.read_csv(path).to_dict("list")


@pytest.mark.parametrize("compression", ["none", "snappy", "zstd", "gzip", "lz4", "brotli"])
def test_parquet_of_each_compression_is_read_by_polars(tmp_path, compression):
    values = {"a": list(range(1000)), "b": [f"text {row % 7}" for row in range(1000)]}
    path = str(tmp_path / "some.parquet")
    cn.DataFrame(values).write_parquet(path, compression=compression)
    assert polars.read_parquet(path).to_dict(as_series=False) == values
    assert cn.read_parquet(path).to_dict() == values


@pytest.mark.parametrize("compression", ["none", "lz4", "zstd"])
def test_ipc_of_each_compression_is_read_by_polars(tmp_path, compression):
    values = {"a": [1, None, 3], "b": ["x", "é", None]}
    path = str(tmp_path / "some.arrow")
    cn.DataFrame(values).write_ipc(path, compression=compression)
    assert polars.read_ipc(path).to_dict(as_series=False) == values
    for memory_map in (False, True):
        assert cn.read_ipc(path, memory_map=memory_map).to_dict() == values


def test_arrow_streams_are_written(tmp_path):
    path = tmp_path / "rows.arrows"
    frame = cn.DataFrame({"n": list(range(100)), "s": ["x", None] * 50})
    frame.write_ipc(path, format="stream", batch_rows=30)
    with pyarrow.ipc.open_stream(path) as stream:
        batches = list(stream)
    assert [len(batch) for batch in batches] == [30, 30, 30, 10]
    assert cn.read_ipc(path).to_dict() == frame.to_dict()
    with pytest.raises(ValueError, match="format is file or stream"):
        frame.write_ipc(path, format="feather")


def test_decoder_that_panics_is_silent(tmp_path, capfd):
    data = bytearray((pathlib.Path(__file__).parents[2] / "engine/tests/files/encodings.parquet").read_bytes())
    data[216] = 0x7F
    path = tmp_path / "f.parquet"
    path.write_bytes(data)
    with pytest.raises(OSError, match='the decoder failed in column "m"'):
        cn.read_parquet(path)
    assert capfd.readouterr().err == ""


def test_errors_of_files_say_where(tmp_path):
    csv = tmp_path / "f.csv"
    csv.write_text("a,b\n1,x\nsix,y\n")
    with pytest.raises(ValueError) as raised:
        cn.read_csv(csv, dtypes={"a": "int64"})
    assert (raised.value.column, raised.value.dtype, raised.value.line) == ("a", "int64", 3)
    parquet = tmp_path / "f.parquet"
    cn.DataFrame({"a": list(range(100)), "b": [1.5] * 100}).write_parquet(parquet, row_group_rows=50)
    column = pyarrow.parquet.ParquetFile(parquet).metadata.row_group(1).column(0)
    start = column.dictionary_page_offset or column.data_page_offset
    damaged = bytearray(parquet.read_bytes())
    damaged[start : start + column.total_compressed_size] = b"\xa5" * column.total_compressed_size
    parquet.write_bytes(damaged)
    with pytest.raises(OSError) as raised:
        cn.read_parquet(parquet)
    assert (raised.value.column, raised.value.row_group, raised.value.path) == ("a", 1, str(parquet))
    with pytest.raises(KeyError) as raised:
        cn.read_parquet(parquet, columns=["c"])
    assert raised.value.column == "c"
