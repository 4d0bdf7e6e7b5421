"""Arguments of pandas for readers and writers of files: the same calls on both."""

import bz2
import csv
import datetime as dt
import gzip
import io
import json
import sqlite3
import warnings
import zipfile

from beside import same
import columnade as cn
import pandas as pd
import pytest

TEXT = 'k,n,x\na,1,0.5\nb,,-\n"c,d",3,1e3\n'
DATA = {"k": ["a", None, "c,d", 'q"r'], "n": [1, 2, 3, 4], "x": [0.5, None, 2.25, -1.0]}


READS = {
    "na_values": (TEXT, {"na_values": "-"}),
    "na_values in a list": (TEXT, {"na_values": ["-", 1]}),
    "na_values and others": ("a,b\nNA,null\n-,x\n", {"na_values": "-", "keep_default_na": True}),
    "na_values by column": (TEXT, {"na_values": {"x": ["-"]}}),
    "na_values of a number": ("a,b\n1,-9\n-9.0,2\n", {"na_values": -9}),
    "na_values alone": ("a,b\nNA,\n-,x\n", {"na_values": ["-"], "keep_default_na": False}),
    "na_values by column alone": ("a,b\nNA,\n-,x\n", {"na_values": {"a": ["-"]}, "keep_default_na": False}),
    "no nulls": ("a,b\nNA,\n-,x\n", {"keep_default_na": False}),
    "no filter": ("a,b\n1,\n,x\n", {"na_filter": False}),
    "no filter of numbers": ("a,b\n1,2\n3,4\n", {"na_filter": False}),
    "header none": (TEXT, {"header": None}),
    "header none and names": (TEXT, {"header": None, "names": ["p", "q", "r"]}),
    "header none and numbers": ("1,2\n3,4\n", {"header": None, "names": [7, 8]}),
    "header 0 and names": (TEXT, {"header": 0, "names": ("p", "q", "r")}),
    "header 2": ("x\n\ny\na,b\n1,2\n", {"header": 2}),
    "usecols": (TEXT, {"usecols": ["x", "k"]}),
    "usecols by position": (TEXT, {"usecols": [0, 2]}),
    "usecols by function": (TEXT, {"usecols": lambda label: label != "n"}),
    "usecols of no header": ("1,2,3\n", {"header": None, "usecols": [0, 2]}),
    "index_col": (TEXT, {"index_col": "k"}),
    "index_col by position": (TEXT, {"index_col": 0}),
    "index_col of no name": (",a\n5,1\n6,2\n", {"index_col": 0}),
    "index_col of no header": ("1,2\n3,4\n", {"header": None, "index_col": 0}),
    "index_col among usecols": (TEXT, {"index_col": 0, "usecols": [1, 2]}),
    "index_col of two": ("k,l,v\na,1,2\nb,3,4\n", {"index_col": ["k", "l"]}),
    "index_col false": (TEXT, {"index_col": False}),
    "dtype": (TEXT, {"dtype": str}),
    "dtype by column": (TEXT, {"dtype": {"n": "float64", "x": "str"}}),
    "dtype by position": ("1,2\n", {"header": None, "dtype": {0: "float64"}}),
    "nrows": (TEXT, {"nrows": 1, "usecols": ["k", "n"]}),
    "nrows 0": (TEXT, {"nrows": 0}),
    "skiprows": ("one\ntwo\n" + TEXT, {"skiprows": 2}),
    "skiprows in a list": (TEXT, {"skiprows": [1]}),
    "skiprows by function": (TEXT, {"skiprows": lambda row: row == 2}),
    "skiprows of quoted lines": ('a,b\n"x\ny",1\n2,"z"\n', {"skiprows": [1]}),
    "skipfooter": (TEXT, {"skipfooter": 1, "engine": "python"}),
    "comment": ("# of all\na,b\n1,2 # of one\n#\n3,4# x\n", {"comment": "#"}),
    "comment in quotes": ('a,b\n"x#y",2\n', {"comment": "#"}),
    "thousands": ("a;b\n1,234;x\n22,000;y,z\n", {"sep": ";", "thousands": ","}),
    "decimal": ("a;b\n1.234,5;x\n2,5;1,5\n", {"sep": ";", "decimal": ",", "thousands": "."}),
    "decimal and a point": ("a;b\n1.5;x\n2,5;1,5\n", {"sep": ";", "decimal": ","}),
    "true_values": ("a,b,c\nyes,1,x\nno,2,yes\n", {"true_values": ["yes"], "false_values": ["no"]}),
    "sep of tabs": ("a\tb\n1\tx y\n", {"sep": "\t"}),
    "sep of blanks": ("a  b\n1   2\n 3 4\n", {"sep": r"\s+"}),
    "sep of blanks and quotes": ('a  b\n1   "x  y"\n', {"sep": r"\s+"}),
    "sep of two": ("a||b\n1||2\n", {"sep": r"\|\|", "engine": "python"}),
    "sep found": ("a|b\n1|2\n3|4\n", {"sep": None, "engine": "python"}),
    "delimiter": ("a~b\n1~2\n", {"delimiter": "~"}),
    "skipinitialspace": ('a, b\n1, "x, y"\n2,   z\n', {"skipinitialspace": True}),
    "blank lines": ("a,b\n\n1,2\n", {"skip_blank_lines": False}),
    "blank lines of one column": ("a\n1\n\n2\n", {"skip_blank_lines": False}),
    "quotechar": ("a,b\n1,'x,y'\n", {"quotechar": "'"}),
    "escapechar": ('a,b\n1,"x\\"y"\n', {"escapechar": "\\"}),
    "quoting none": ('a,b\n1,"x\n', {"quoting": csv.QUOTE_NONE}),
    "quoting all": ('"a","b"\n"1","x"\n', {"quoting": csv.QUOTE_ALL}),
    "lineterminator": ("a,b;1,2;3,4", {"lineterminator": ";"}),
    "converters": ("a,b\n1,2\n,4\n", {"converters": {"a": lambda text: text + "!"}}),
    "parse_dates": ("a,d\n1,2024-01-02\n2,\n", {"parse_dates": ["d"]}),
    "parse_dates by position": ("d,a\n2024-01-02 03:04:05,1\n", {"parse_dates": [0]}),
    "parse_dates and dayfirst": ("a,d\n1,01/02/2024\n2,13/02/2024\n", {"parse_dates": ["d"], "dayfirst": True}),
    "parse_dates and a format": ("a,d\n1,20240102\n", {"parse_dates": ["d"], "date_format": "%Y%m%d"}),
    "parse_dates of no dates": ("a,d\n1,x\n", {"parse_dates": ["d"]}),
    "parse_dates of labels": ("d,a\n2024-01-02,1\n", {"parse_dates": True, "index_col": "d"}),
    "no parse_dates": ("a,d\n1,2024-01-02\n", {"parse_dates": False}),
    "one row": ("a,b\n1,2\n", {"header": 0}),
    "no rows": ("a,b\n", {"index_col": "a"}),
}


@pytest.mark.parametrize("name", READS)
def test_read_csv_gives_what_pandas_gives(device, name):
    text, options = READS[name]
    same(cn.read_csv(io.StringIO(text), **options), pd.read_csv(io.StringIO(text), **options))


@pytest.mark.parametrize("name", [name for name, (text, _) in READS.items() if text == TEXT])
def test_read_csv_of_files_is_that_of_buffers(tmp_path, name):
    path = tmp_path / "some.csv"
    path.write_text(TEXT)
    options = READS[name][1]
    same(cn.read_csv(path, **options), pd.read_csv(path, **options))
    same(cn.read_csv(filepath_or_buffer=str(path), **options), pd.read_csv(path, **options))
    with open(path, "rb") as file:
        same(cn.read_csv(file, **options), pd.read_csv(path, **options))
    same(cn.read_csv(io.BytesIO(TEXT.encode()), **options), pd.read_csv(path, **options))


def test_dtypes_of_reads():
    made = cn.read_csv(io.StringIO("a,b,c\n1,2,x\n"), dtype={"a": "int8", "b": "Int64", "c": "category"})
    assert [str(dtype) for dtype in made.dtypes.values()] == ["int8", "int64", "dictionary<int32, utf8>"]
    assert cn.read_csv(io.StringIO("a\n1,5\n"), sep=";", decimal=",", dtype={"a": "float32"})["a"].dtype == "float32"
    assert str(cn.read_csv(io.StringIO("d\n2024-01-02\n"), parse_dates=["d"])["d"].dtype) == "timestamp[us]"
    # Times are found without parse_dates, and NA is text: the defaults of this library stay.
    plain_read = cn.read_csv(io.StringIO("d,t\n2024-01-02,NA\n"))
    assert plain_read.to_dict() == {"d": [dt.date(2024, 1, 2)], "t": ["NA"]}


def test_words_for_nulls_are_those_of_pandas():
    words = ["#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
    text = "a,b\n" + "".join(f"{word},x\n" for word in [*words, "none", "Null", "nil"])
    same(cn.read_csv(io.StringIO(text), keep_default_na=True), pd.read_csv(io.StringIO(text), keep_default_na=True))
    assert cn.read_csv(io.StringIO(text), keep_default_na=True)["a"].null_count == len(words)


def test_encodings_and_compressions_of_csv(tmp_path):
    text = "k,n\nÄrger,1\nß,2\n"
    expected = {"k": ["Ärger", "ß"], "n": [1, 2]}
    (tmp_path / "latin.csv").write_bytes(text.encode("latin-1"))
    assert cn.read_csv(tmp_path / "latin.csv", encoding="latin-1").to_dict() == expected
    (tmp_path / "wide.csv").write_bytes(text.encode("utf-16"))
    assert cn.read_csv(tmp_path / "wide.csv", encoding="utf-16").to_dict() == expected
    (tmp_path / "mark.csv").write_bytes(text.encode("utf-8-sig"))
    assert cn.read_csv(tmp_path / "mark.csv", encoding="utf-8-sig").to_dict() == expected
    assert cn.read_csv(io.BytesIO(text.encode("utf-8-sig")), comment="#").to_dict() == expected
    with pytest.raises(ValueError, match="read_csv: the file is not utf-8"):
        cn.read_csv(tmp_path / "latin.csv", comment="#")
    assert cn.read_csv(tmp_path / "latin.csv", encoding="ascii", encoding_errors="replace", comment="#")["n"].to_list() == [1, 2]
    for name, data in [("a.csv.gz", gzip.compress(text.encode())), ("a.csv.bz2", bz2.compress(text.encode()))]:
        (tmp_path / name).write_bytes(data)
        assert cn.read_csv(tmp_path / name).to_dict() == cn.read_csv(tmp_path / name, header=0).to_dict() == expected
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.csv", text)
    assert cn.read_csv(tmp_path / "a.zip").to_dict() == expected
    (tmp_path / "packed").write_bytes(gzip.compress(text.encode()))
    assert cn.read_csv(tmp_path / "packed", compression="gzip").to_dict() == expected
    assert cn.read_csv(io.BytesIO(gzip.compress(text.encode())), compression={"method": "gzip"}).to_dict() == expected


def test_parts_of_csv_files(tmp_path):
    text = "a,b\n" + "".join(f"{row},x{row}\n" for row in range(7))
    path = tmp_path / "some.csv"
    path.write_text(text)
    for source in (lambda: path, lambda: io.StringIO(text)):
        for options in ({"chunksize": 3}, {"chunksize": 3, "index_col": "b"}, {"chunksize": 2, "nrows": 5}, {"chunksize": 10}):
            ours, theirs = list(cn.read_csv(source(), **options)), list(pd.read_csv(source(), **options))
            assert len(ours) == len(theirs)
            for mine, expected in zip(ours, theirs):
                same(mine, expected)
    with cn.read_csv(path, iterator=True) as parts:
        assert parts.get_chunk(2)["a"].to_list() == [0, 1]
        assert parts.get_chunk(1).index.to_list() == [2]
        assert parts.read()["a"].to_list() == [3, 4, 5, 6]
        with pytest.raises(StopIteration):
            parts.get_chunk(1)


def test_rows_that_do_not_fit():
    text = "a,b\n1,x\n2,y,z\n3,w\n"
    with pytest.raises(ValueError, match="line 3"):
        cn.read_csv(io.StringIO(text), on_bad_lines="error")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        same(cn.read_csv(io.StringIO(text), on_bad_lines="skip"), pd.read_csv(io.StringIO(text), on_bad_lines="skip"))
    with pytest.warns(UserWarning, match="1 row"):
        assert len(cn.read_csv(io.StringIO(text), on_bad_lines="warn")) == 2


def test_read_table():
    same(cn.read_table(io.StringIO("a\tb\n1\t2\n")), pd.read_table(io.StringIO("a\tb\n1\t2\n")))


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"header": [0, 1]}, NotImplementedError, "read_csv: header"),
        ({"header": -1}, ValueError, "header is a number of rows"),
        ({"header": "first"}, ValueError, "header"),
        ({"sep": ";", "delimiter": "|"}, TypeError, "sep and delimiter are the same"),
        ({"sep": 3}, TypeError, "sep is text"),
        ({"nrows": -1}, ValueError, "nrows"),
        ({"nrows": 1, "limit": 2}, TypeError, "nrows and limit"),
        ({"nrows": 1, "skipfooter": 1}, ValueError, "skipfooter does not go with nrows"),
        ({"usecols": ["z"]}, KeyError, "usecols: there is no column 'z'"),
        ({"usecols": "k"}, TypeError, "usecols is a list"),
        ({"index_col": 9}, KeyError, "index_col: there is no column 9"),
        ({"dtype": {"z": "int8"}}, KeyError, "dtype: there is no column 'z'"),
        ({"skiprows": "a"}, TypeError, "skiprows"),
        ({"quoting": 7}, NotImplementedError, "quoting is 0 to 3"),
        ({"doublequote": False}, NotImplementedError, "doublequote"),
        ({"comment": "//"}, ValueError, "comment is one character"),
        ({"decimal": ""}, ValueError, "decimal is one character"),
        ({"on_bad_lines": "fix"}, ValueError, "on_bad_lines is 'error' or 'warn' or 'skip'"),
        ({"on_bad_lines": print}, NotImplementedError, "function"),
        ({"compression": "rar"}, ValueError, "compression is"),
        ({"encoding": "klingon"}, ValueError, "no encoding 'klingon'"),
        ({"chunksize": 0}, ValueError, "chunksize"),
        ({"parse_dates": {"t": ["k", "n"]}}, NotImplementedError, "parse_dates"),
        ({"parse_dates": ["z"]}, KeyError, "parse_dates: there is no column 'z'"),
        ({"sep": "((", "engine": "python"}, ValueError, "regular expression"),
        ({"wrong": 1}, TypeError, "wrong"),
        ({"names": 3}, TypeError, "read_csv: names is a list, not 3"),
        ({"quotechar": "''"}, ValueError, "quotechar is one character"),
        ({"true_values": "yes"}, TypeError, "true_values is a list"),
        ({"converters": [str]}, TypeError, "converters"),
        ({"na_values": print}, TypeError, "na_values is a list"),
    ],
)
def test_bad_arguments_of_read_csv(options, kind, words):
    with pytest.raises(kind, match=words):
        cn.read_csv(io.StringIO(TEXT), **options)


def test_files_that_are_not_there(tmp_path):
    for read in (cn.read_csv, cn.read_json):
        with pytest.raises(FileNotFoundError, match="none.x"):
            read(tmp_path / "none.x", encoding="latin-1")
    with pytest.raises(TypeError, match="path of a file"):
        cn.read_csv()
    with pytest.raises(NotImplementedError, match="folders"):
        cn.read_csv(tmp_path, comment="#")


# Writers -----------------------------------------------------------------------------------------------------------------

TIMES = [dt.datetime(2024, 1, 2), dt.datetime(2024, 1, 3), None, dt.datetime(2024, 1, 5)]
CLOCKS = [dt.datetime(2024, 1, 2, 3, 4, 5), dt.datetime(2024, 1, 3), None, dt.datetime(2024, 1, 5)]
WRITES = {
    "nothing": {},
    "sep": {"sep": ";"},
    "na_rep": {"na_rep": "NULL"},
    "float_format": {"float_format": "%.2f"},
    "float_format by function": {"float_format": "<{:.1f}>".format},
    "columns": {"columns": ["x", "k"]},
    "no header": {"header": False},
    "header": {"header": ["p", "q", "r"]},
    "no index": {"index": False},
    "index_label": {"index_label": "row"},
    "index_label in a list": {"index_label": ["row"]},
    "index_label false": {"index_label": False},
    "quoting all": {"quoting": csv.QUOTE_ALL},
    "quoting strings": {"quoting": csv.QUOTE_NONNUMERIC},
    "quotechar": {"quotechar": "'"},
    "escapechar": {"quoting": csv.QUOTE_NONE, "escapechar": "\\"},
    "escapechar alone": {"doublequote": False, "escapechar": "\\"},
    "lineterminator": {"lineterminator": "\r\n"},
    "decimal": {"decimal": ",", "sep": ";"},
    "decimal and format": {"decimal": ",", "sep": ";", "float_format": "%.3f"},
}


def frames(data, labels=None):
    return cn.DataFrame(data, index=labels), pd.DataFrame({key: pd.Series(values, dtype=None) for key, values in data.items()}).set_axis(labels or range(len(next(iter(data.values()), []))))


@pytest.mark.parametrize("name", WRITES)
def test_to_csv_writes_what_pandas_writes(device, tmp_path, name):
    options = WRITES[name]
    ours, theirs = frames(DATA)
    expected = theirs.to_csv(**options)
    assert ours.to_csv(**options) == expected
    assert ours.to_csv(tmp_path / "a.csv", **options) is None
    assert (tmp_path / "a.csv").read_bytes() == expected.encode()
    buffer = io.StringIO()
    ours.to_csv(path_or_buf=buffer, **options)
    assert buffer.getvalue() == expected
    if not isinstance(options.get("header"), list) and "columns" not in options:
        assert ours["x"].to_csv(**options) == theirs["x"].to_csv(**options)
        assert ours.head(0).to_csv(**options) == theirs.head(0).to_csv(**options)
        assert ours.tail(1).to_csv(**options) == theirs.tail(1).to_csv(**options)


def test_to_csv_of_other_values_and_labels(device):
    values = {"t": TIMES, "u": CLOCKS, "b": [True, False, True, True]}
    ours, theirs = frames(values)
    theirs = theirs.astype({"t": "datetime64[us]", "u": "datetime64[us]"})
    assert ours.to_csv() == theirs.to_csv()
    assert ours.to_csv(date_format="%d.%m.%y") == theirs.to_csv(date_format="%d.%m.%y")
    named = theirs.set_index("t")
    assert ours.set_index("t").to_csv() == named.to_csv()
    ours, theirs = frames(DATA)
    assert ours.set_index(["k", "n"]).to_csv(index_label=["p", "q"]) == theirs.set_index(["k", "n"]).to_csv(index_label=["p", "q"])
    wide = {("a", "x"): [1, 2], ("b", "y"): [3, 4]}
    assert cn.DataFrame(wide).to_csv() == pd.DataFrame(wide).to_csv()
    assert cn.DataFrame(wide).to_csv(index=False) == pd.DataFrame(wide).to_csv(index=False)
    assert cn.DataFrame({0: [1], 1: [2]}).to_csv() == pd.DataFrame({0: [1], 1: [2]}).to_csv()
    assert cn.DataFrame({"n": [1]}, index=[5]).rename(columns={"n": "index"}).to_csv() == ",index\n5,1\n"
    # NaN is a value, and null is not.
    assert cn.DataFrame({"x": [float("nan"), None]}).to_csv(na_rep="-") == ",x\n0,NaN\n1,-\n"


def test_modes_encodings_and_compressions_of_to_csv(tmp_path):
    frame = cn.DataFrame({"k": ["Ä", "b"]})
    path = tmp_path / "a.csv"
    frame.to_csv(path, index=False)
    frame.to_csv(path, index=False, header=False, mode="a")
    assert path.read_text() == "k\nÄ\nb\nÄ\nb\n"
    with pytest.raises(OSError, match="a.csv"):
        frame.to_csv(path, mode="x")
    frame.to_csv(path, encoding="latin-1", index=False)
    assert path.read_bytes() == "k\nÄ\nb\n".encode("latin-1")
    for name in ("a.csv.gz", "a.csv.bz2", "a.csv.xz", "a.csv.zip"):
        frame.to_csv(tmp_path / name)
        pd.testing.assert_frame_equal(pd.read_csv(tmp_path / name, index_col=0), pd.read_csv(io.StringIO(frame.to_csv()), index_col=0))
        assert cn.read_csv(tmp_path / name, index_col=0).to_dict() == frame.to_dict()
    frame.to_csv(tmp_path / "packed", compression="gzip")
    assert gzip.decompress((tmp_path / "packed").read_bytes()).decode() == frame.to_csv()
    buffer = io.BytesIO()
    frame.to_csv(buffer)
    assert buffer.getvalue().decode() == frame.to_csv()


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"sep": ";;"}, ValueError, "to_csv: sep is one character"),
        ({"header": ["a"]}, ValueError, "header has 1 names for 3 columns"),
        ({"index_label": ["a", "b"]}, ValueError, "index_label has 2 names for 1 levels"),
        ({"float_format": "%q"}, ValueError, "float_format"),
        ({"quoting": csv.QUOTE_NONE}, ValueError, "escape"),
        ({"quoting": 99}, ValueError, "to_csv"),
        ({"encoding": "klingon"}, ValueError, "encoding"),
        ({"chunksize": 3}, TypeError, "chunksize"),
        ({"na_rep": None}, TypeError, "na_rep is text"),
        ({"header": 3}, TypeError, "header is a list"),
        ({"columns": ["z"]}, KeyError, "z"),
    ],
)
def test_bad_arguments_of_to_csv(options, kind, words):
    with pytest.raises(kind, match=words):
        cn.DataFrame(DATA).to_csv(**options)
    with pytest.raises(ValueError, match="mode"):
        cn.DataFrame(DATA).to_csv("somewhere", mode="r")


# JSON --------------------------------------------------------------------------------------------------------------------

JSON = {"k": ["a", None, "ä/"], "n": [1, 2, 3], "x": [0.5, None, 1.25], "b": [True, False, True]}


@pytest.mark.parametrize("orient", ["records", "index", "columns", "split", "values"])
@pytest.mark.parametrize("labels", [None, ["p", "q", "r"]])
def test_to_json_has_what_pandas_has(device, tmp_path, orient, labels):
    ours, theirs = frames(JSON, labels)
    expected = json.loads(theirs.to_json(orient=orient))
    assert json.loads(ours.to_json(orient=orient)) == expected
    ours.to_json(tmp_path / "a.json", orient=orient)
    assert json.loads((tmp_path / "a.json").read_text()) == expected
    assert json.loads(ours.head(0).to_json(orient=orient)) == json.loads(theirs.head(0).to_json(orient=orient))
    if orient != "columns":
        assert json.loads(ours["x"].to_json(orient=orient)) == json.loads(theirs["x"].to_json(orient=orient))
    back = cn.read_json(io.StringIO(theirs.to_json(orient=orient)), orient=orient)
    assert list(back[back.columns[1]].to_list()) == [1, 2, 3]


def test_arguments_of_to_json(tmp_path):
    ours, theirs = frames(JSON)
    lines = ours.to_json(orient="records", lines=True)
    assert [json.loads(line) for line in lines.splitlines()] == json.loads(theirs.to_json(orient="records"))
    assert ours.to_json() == lines
    ours.to_json(tmp_path / "a.json.gz")
    assert gzip.decompress((tmp_path / "a.json.gz").read_bytes()).decode() == lines
    ours.to_json(tmp_path / "b.json", orient="records", lines=True)
    ours.to_json(tmp_path / "b.json", orient="records", lines=True, mode="a")
    assert cn.read_json(tmp_path / "b.json", lines=True)["n"].to_list() == [1, 2, 3] * 2
    small = {"n": [1], "s": ["x"]}
    for indent in (2, 4):
        assert cn.DataFrame(small).to_json(orient="records", indent=indent) == pd.DataFrame(small).to_json(orient="records", indent=indent)
    assert "ä" in ours.to_json(orient="split") and ours.to_json(orient="split", force_ascii=True).isascii()
    assert json.loads(ours.to_json(orient="split", index=False)) == json.loads(theirs.to_json(orient="split", index=False))
    third = cn.DataFrame({"x": [1 / 3]})
    assert third.to_json(orient="values", double_precision=3) == "[[0.333]]" and "3333333333333" in third.to_json()
    for orient in ("index", "columns", "split"):
        by_time = {"n": [1, 2]}, [dt.datetime(2024, 1, 2), dt.datetime(2024, 1, 3)]
        mine, expected = cn.DataFrame(by_time[0], index=by_time[1]), pd.DataFrame(by_time[0], index=pd.DatetimeIndex(by_time[1]).as_unit("us"))
        for date_format in ("epoch", "iso"):
            assert json.loads(mine.to_json(orient=orient, date_format=date_format)) == json.loads(expected.to_json(orient=orient, date_format=date_format))
        assert json.loads(mine.iloc[[1]]["n"].to_json(date_format="epoch")) == json.loads(expected.iloc[[1]]["n"].to_json(date_format="epoch"))
    times = {"t": [dt.datetime(2024, 1, 2, 3, 4, 5, 678000), None]}
    ours, theirs = cn.DataFrame(times), pd.DataFrame(times)
    for options in ({"date_format": "epoch"}, {"date_format": "epoch", "date_unit": "s"}, {"date_format": "iso"}, {"date_format": "iso", "date_unit": "us"}):
        assert json.loads(ours.to_json(orient="records", **options)) == json.loads(theirs.to_json(orient="records", **options))
    days = cn.DataFrame({"d": [dt.date(1970, 1, 2)]})
    assert days.to_json(orient="values", date_format="epoch") == "[[86400000]]" and days.to_json(orient="values") == '[["1970-01-02"]]'


def test_arguments_of_read_json(tmp_path):
    text = '{"a": 1, "t": 86400000}\n{"a": 2, "t": 0}\n'
    assert cn.read_json(io.StringIO(text), lines=True, nrows=1).to_dict() == {"a": [1], "t": [86400000]}
    assert cn.read_json(io.BytesIO(text.encode()), convert_dates=["t"])["t"].to_list() == [dt.datetime(1970, 1, 2), dt.datetime(1970, 1, 1)]
    assert cn.read_json(path_or_buf=io.StringIO(text), dtype={"a": "int8"})["a"].dtype == "int8"
    assert [part["a"].to_list() for part in cn.read_json(io.StringIO(text), lines=True, chunksize=1)] == [[1], [2]]
    (tmp_path / "a.json").write_bytes('{"a": "ä"}\n'.encode("latin-1"))
    assert cn.read_json(tmp_path / "a.json", encoding="latin-1")["a"].to_list() == ["ä"]
    for values in (pd.Series([1, 2], index=[3, 4]), pd.Series(["x"], index=["k"])):
        made = cn.read_json(io.StringIO(values.to_json()), typ="series")
        assert (made.to_list(), made.index.to_list()) == (values.tolist(), list(values.index))
    assert cn.read_json(io.StringIO("[1, 2]"), typ="series").to_list() == [1, 2]
    assert cn.read_json(io.StringIO("[[1, 2], [3, 4]]"), orient="values").to_dict() == {0: [1, 3], 1: [2, 4]}


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda f: f.to_json(orient="table"), ValueError, "to_json: orient"),
        (lambda f: f.to_json(orient="split", lines=True), ValueError, "lines=True goes with"),
        (lambda f: f.to_json(orient="records", index=True), ValueError, "index=True does not go with"),
        (lambda f: f.to_json(orient="index", index=False), ValueError, "index=False"),
        (lambda f: f.to_json(orient="split", mode="a"), ValueError, 'mode="a"'),
        (lambda f: f.to_json(date_format="us"), ValueError, "date_format"),
        (lambda f: f.to_json(date_unit="h"), ValueError, "date_unit"),
        (lambda f: f.to_json(double_precision=16), ValueError, "double_precision"),
        (lambda f: cn.concat([f, f]).to_json(orient="index"), ValueError, "unique"),
        (lambda f: f["n"].to_json(orient="columns"), ValueError, "orient"),
        (lambda f: cn.read_json(io.StringIO("{"), typ="series"), ValueError, "not JSON"),
        (lambda f: cn.read_json(io.StringIO("3"), typ="series"), ValueError, "an object or a list"),
        (lambda f: cn.read_json(io.StringIO("{}"), typ="list"), ValueError, "typ"),
        (lambda f: cn.read_json(io.StringIO("{}"), orient="split", lines=True), ValueError, "lines=True"),
        (lambda f: cn.read_json(io.StringIO('{"a": 1}'), convert_dates=["z"]), KeyError, "convert_dates"),
    ],
)
def test_bad_arguments_of_json(call, kind, words):
    with pytest.raises(kind, match=words):
        call(cn.DataFrame(JSON))


# Parquet, Feather, pickles and databases ---------------------------------------------------------------------------------


def test_parquet_of_buffers_filters_and_folders(device, tmp_path):
    ours, theirs = frames({"k": ["a", "b", "b", None], "n": [1, 2, 3, 4]})
    path = tmp_path / "some.parquet"
    ours.to_parquet(path, compression=None)
    filters = [
        [("n", ">", 1)], [("n", ">=", 2), ("k", "==", "b")], [[("n", "=", 1)], [("n", "==", 4)]], [("k", "in", ["a"])],
        [("n", "not in", [1, 2])], [("n", "!=", 2), ("n", "<", 4)], [("n", "<=", 2)],
    ]
    for conditions in filters:
        expected = pd.read_parquet(path, filters=conditions)
        assert cn.read_parquet(path, filters=conditions)["n"].to_list() == expected["n"].tolist(), conditions
    assert cn.read_parquet(path=path, filters=[("n", ">", 1)], filter=cn.col("n") < 4)["n"].to_list() == [2, 3]
    data = ours.to_parquet()
    assert pd.read_parquet(io.BytesIO(data))["n"].tolist() == [1, 2, 3, 4]
    assert cn.read_parquet(io.BytesIO(data), columns=["k"]).to_dict() == {"k": ["a", "b", "b", None]}
    buffer = io.BytesIO()
    ours.set_index("k").to_parquet(buffer, index=False)
    assert cn.read_parquet(io.BytesIO(buffer.getvalue())).columns == ["n"]
    assert cn.read_parquet(io.BytesIO(ours.to_parquet(index=True))).columns == ["index", "k", "n"]
    ours.dropna().to_parquet(tmp_path / "folder", partition_cols=["k"])
    assert sorted(pd.read_parquet(tmp_path / "folder")["n"]) == [1, 2, 3]
    for conditions, kind in [([], ValueError), ([("n", "~", 1)], ValueError), ([("n", ">")], ValueError), ([("z", ">", 1)], KeyError)]:
        with pytest.raises(kind):
            cn.read_parquet(path, filters=conditions)
    with pytest.raises(ValueError, match="partition_cols"):
        ours.to_parquet(partition_cols=["k"])


def test_feather_and_pickles(tmp_path):
    frame = cn.DataFrame({"k": ["a", None], "n": [1, 2]})
    frame.to_feather(tmp_path / "a.feather")
    assert cn.read_feather(tmp_path / "a.feather", columns=["n"]).to_dict() == {"n": [1, 2]}
    assert cn.read_feather(io.BytesIO(frame.to_feather(compression="lz4"))).to_dict() == frame.to_dict()
    labelled = frame.set_index("k")
    for name in ("a.pkl", "a.pkl.gz"):
        labelled.to_pickle(tmp_path / name)
        assert cn.read_pickle(tmp_path / name).equals(labelled)
    buffer = io.BytesIO()
    cn.to_pickle(frame["n"], buffer)
    assert cn.read_pickle(io.BytesIO(buffer.getvalue())).to_list() == [1, 2]


def test_databases():
    ours, theirs = frames({"k": ["a", None, "c"], "n": [1, 2, 3], "x": [0.5, None, 2.0]})
    con, other = sqlite3.connect(":memory:"), sqlite3.connect(":memory:")
    assert ours.to_sql("t", con) == theirs.to_sql("t", other) == 3
    assert con.execute("select * from t").fetchall() == other.execute("select * from t").fetchall()
    with pytest.raises(ValueError, match="there is a table 't'"):
        ours.to_sql("t", con)
    assert ours["n"].to_sql("n", con) == theirs["n"].to_sql("n", other) == 3
    assert con.execute("select * from n").fetchall() == other.execute("select * from n").fetchall()
    ours.to_sql("t", con, if_exists="append", chunksize=2)
    assert len(cn.read_sql("select * from t", con)) == 6
    ours.to_sql("t", con, if_exists="delete_rows", index_label="index")
    assert len(cn.read_sql("t", con)) == 3
    ours.set_index("k").to_sql("t", con, if_exists="replace")
    same(cn.read_sql_query("select * from t where n > ?", con, index_col="k", params=(1,)), pd.DataFrame({"n": [2, 3], "x": [None, 2.0]}, index=pd.Index([None, "c"], name="k", dtype=object)))
    assert cn.read_sql_table("t", con, columns=["n"]).to_dict() == {"n": [1, 2, 3]}
    assert [len(part) for part in cn.read_sql("select * from t", con, chunksize=2)] == [2, 1]
    times = cn.DataFrame({"t": [dt.datetime(2024, 1, 2, 3, 4, 5), None], "b": [True, False]})
    times.to_sql("times", con, index=False)
    assert con.execute("select * from times").fetchall() == [("2024-01-02 03:04:05", 1), (None, 0)]
    assert cn.read_sql("times", con, parse_dates=["t"], dtype={"b": "int8"})["t"].to_list() == times["t"].to_list()
    for call, kind, words in [
        (lambda: ours.to_sql("t", "file.db"), TypeError, "connection"),
        (lambda: ours.to_sql("t", con, if_exists="drop"), ValueError, "if_exists"),
        (lambda: cn.read_sql("select 1 as a, 2 as a", con), ValueError, "same name"),
        (lambda: cn.read_sql("select 1 as a", con, columns=["a"]), ValueError, "columns"),
    ]:
        with pytest.raises(kind, match=words):
            call()


def test_arguments_of_how_pandas_reads_change_nothing(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n1,x\n2,\n")
    made = cn.read_csv(path, low_memory=False, memory_map=True, engine="c")
    assert made.equals(cn.read_csv(path)) and made.to_dict("list") == {"a": [1, 2], "b": ["x", None]}


BAD_ROWS = {
    "comment": ("#c\n#d\na,b\n1,2\n3,4,5\n", {"comment": "#"}, 5),
    "skiprows": ("no\na,b\n1,2\n3,4,5\n", {"skiprows": [0]}, 4),
    "skiprows within": ("a,b\n1,2\n1\n\"x\ny\",2\n3,4,5\n", {"skiprows": [2]}, 6),
    "skipfooter": ("\na,b\n\n1,2\n3,4,5\nend\n", {"skipfooter": 1}, 5),
    "header": ("no\n\nno\na,b\n1,2\n3,4,5\n", {"header": 2}, 6),
    "sep": ("#c\na::b\n1::2\n3::4::5\n", {"sep": "::", "comment": "#"}, 4),
    "encoding": ("é,b\n1,2\n3,4,5\n", {"encoding": "cp1252"}, 3),
    "lineterminator": ("a,b;1,2;3,4,5;", {"lineterminator": ";"}, 3),
    "blank lines": ("a,b\n\n1,2\n3,4,5\n", {"skip_blank_lines": False}, 4),
}


@pytest.mark.parametrize("name", BAD_ROWS)
def test_errors_of_read_csv_name_the_file_that_was_given_and_its_line(tmp_path, name):
    text, options, line = BAD_ROWS[name]
    path = tmp_path / "x.csv"
    path.write_text(text, encoding=options.get("encoding", "utf-8"))
    reads = [lambda: cn.read_csv(path, **options)]
    if name != "skipfooter":
        reads.append(lambda: list(cn.read_csv(path, chunksize=1, **options)))
    for read in reads:
        with pytest.raises(ValueError) as raised:
            read()
        assert str(raised.value).endswith(f" {path}: line {line}: 3 fields where 2 are expected")
        assert (raised.value.path, raised.value.line) == (str(path), line)
    source = io.BytesIO(path.read_bytes())
    with pytest.raises(ValueError, match=f"<buffer>: line {line}: 3 fields") as raised:
        cn.read_csv(source, **options)
    assert (raised.value.path, raised.value.line) == (None, line)


def test_errors_of_read_csv_name_which_of_several_files(tmp_path):
    for name, text in (("a", "#\n1,2\n"), ("b", "no\n1,2\n1,x\n")):
        (tmp_path / f"{name}.csv").write_text(text)
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    with pytest.raises(ValueError) as raised:
        cn.read_csv(paths, skiprows=[0], header=None, names=["a", "b"], dtype={"b": "int64"})
    assert (raised.value.path, raised.value.line) == (str(paths[1]), 3)
    with pytest.raises(KeyError) as raised:
        cn.read_csv(paths[0], comment="#", columns=["z"])
    assert raised.value.path == str(paths[0]) and str(paths[0]) in str(raised.value)
    (tmp_path / "x.json").write_text('{"a": 1}\n{"a": 2', encoding="cp1252")
    with pytest.raises(ValueError) as raised:
        cn.read_json(tmp_path / "x.json", encoding="cp1252")
    assert (raised.value.path, raised.value.line) == (str(tmp_path / "x.json"), 2)


def test_compressions_that_are_given_and_bytes_that_are_not_compressed_so(tmp_path):
    path = tmp_path / "x.csv.zst"
    cn.DataFrame({"a": [1, 2]}).write_csv(path)
    other = path.rename(tmp_path / "noext")
    for source in (other, io.BytesIO(other.read_bytes())):
        assert cn.read_csv(source, compression="zstd").to_dict("list") == {"a": [1, 2]}
    cn.DataFrame({"a": [1, 2]}).write_json(tmp_path / "y.json.zst")
    assert cn.read_json((tmp_path / "y.json.zst").rename(tmp_path / "y"), compression="zstd").to_dict("list") == {"a": [1, 2]}
    other.write_text("a\n1\n")
    for compression in ("gzip", "bz2", "xz", "zip"):
        with pytest.raises(OSError, match=f"read_csv {other}: the bytes are not {compression}: ") as raised:
            cn.read_csv(other, compression=compression)
        assert raised.value.path == str(other)
        with pytest.raises(OSError, match=f"read_csv <buffer>: the bytes are not {compression}: "):
            cn.read_csv(io.BytesIO(b"a"), compression=compression)
