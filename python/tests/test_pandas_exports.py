"""Arguments of pandas for exports to Python and numpy, tables as text, functions of the module and `testing`: the same calls on both."""

import collections
import datetime as dt
import decimal
import io
import re

import columnade as cn
import numpy as np
import pandas as pd
import pytest

DATA = {"k": ["b", None, "b", "c"], "n": [3, 1, 4, 1], "x": [0.5, None, 2.0, -1.25]}
LABELS = [10, 20, 30, 40]


def both(data=None, labels=None):
    data = DATA if data is None else data
    theirs = pd.DataFrame(data) if labels is None else pd.DataFrame(data, index=labels)
    return cn.DataFrame(data, index=labels), theirs


def tidy(value):
    """What is missing as None, and values of numpy as those of Python, at any depth."""
    if isinstance(value, (cn.DataFrame, pd.DataFrame)):
        labels = value.index.to_list() if isinstance(value, cn.DataFrame) else value.index.tolist()
        return tidy([labels, list(value.index.names), list(value.columns), [value[label].to_list() for label in value.columns]])
    if isinstance(value, (cn.Series, pd.Series)):
        labels = value.index.to_list() if isinstance(value, cn.Series) else value.index.tolist()
        return tidy([labels, value.name, value.to_list()])
    if isinstance(value, (cn.Index, pd.Index)):
        return tidy([list(value.to_list()), list(value.names)])
    if isinstance(value, dict):
        return {tidy(key): tidy(of) for key, of in value.items()}
    if isinstance(value, tuple):
        return tuple(map(tidy, value))
    if isinstance(value, list):
        return [tidy(of) for of in value]
    if isinstance(value, np.ndarray):
        return [str(value.dtype), tidy(value.tolist())]
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    if isinstance(value, pd.Timedelta):
        return value.to_pytimedelta()
    if value is pd.NaT or value is pd.NA or isinstance(value, float) and value != value:
        return None
    return value


ORIENTS = ["list", "dict", "series", "records", "index", "split", "tight"]


@pytest.mark.parametrize("orient", ORIENTS)
@pytest.mark.parametrize("labels", [None, LABELS])
def test_to_dict(device, orient, labels):
    for rows in (4, 1, 0):
        ours, theirs = (frame.head(rows) for frame in both(labels=labels))
        made = ours.to_dict(orient)
        assert tidy(made) == tidy(theirs.to_dict(orient))
        ordered = ours.to_dict(orient=orient, into=collections.OrderedDict)
        assert tidy(ordered) == tidy(made)
        assert all(type(part) is collections.OrderedDict for part in (ordered if orient == "records" else [ordered]))
    ours, theirs = both(labels=labels)
    if orient in ("split", "tight"):
        assert tidy(ours.to_dict(orient, index=False)) == tidy(theirs.to_dict(orient, index=False))
        named = ours.set_index(["k", "n"]), theirs.set_index(["k", "n"])
        assert tidy(named[0].to_dict(orient)) == tidy(named[1].to_dict(orient))


def test_to_dict_of_series_and_into():
    ours, theirs = both(labels=LABELS)
    assert ours["n"].to_dict() == theirs["n"].to_dict()
    assert type(ours["n"].to_dict(into=collections.OrderedDict)) is collections.OrderedDict
    made = ours.to_dict("dict", into=collections.defaultdict(list))
    assert made["missing"] == [] and made["n"][20] == 1
    assert ours.to_dict() == {"k": ["b", None, "b", "c"], "n": [3, 1, 4, 1], "x": [0.5, None, 2.0, -1.25]}


def test_to_records(device):
    ours, theirs = both(labels=LABELS)
    for options in ({}, {"index": False}, {"column_dtypes": {"n": "int8"}}, {"index_dtypes": "int16"}):
        mine, expected = ours.to_records(**options), theirs.to_records(**options)
        assert mine.dtype == expected.dtype and isinstance(mine, np.recarray)
        assert tidy(mine.tolist()) == tidy(expected.tolist())
    mine, expected = (frame.set_index(["k", "n"]).to_records() for frame in (ours, theirs))
    assert mine.dtype.names == expected.dtype.names and tidy(mine.tolist()) == tidy(expected.tolist())
    assert ours.rename(columns={"n": "index"}).to_records(index=False).dtype.names == ("k", "index", "x")


ARRAYS = {
    "nothing": lambda f: f[["n", "x"]].to_numpy(),
    "dtype": lambda f: f["n"].to_numpy(dtype="float32"),
    "dtype of a frame": lambda f: f[["n"]].to_numpy(dtype=object),
    "text": lambda f: f["n"].to_numpy(dtype="str"),
    "copy": lambda f: f["n"].to_numpy(copy=True),
    "of no nulls": lambda f: f["n"].to_numpy(na_value=7),
    "of strings": lambda f: f["k"].to_numpy(na_value="?"),
    "na_value": lambda f: f["x"].to_numpy(na_value=0.0),
    "na_value of a frame": lambda f: f[["n", "x"]].to_numpy(na_value=-1.0),
    "an index": lambda f: f.set_index("n").index.to_numpy(dtype="float64"),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_to_numpy(device, name):
    ours, theirs = both(labels=LABELS)
    assert tidy(ARRAYS[name](ours)) == tidy(ARRAYS[name](theirs))


def test_to_numpy_of_nulls():
    numbers = cn.Series([1, None, 3])
    assert numbers.to_numpy(na_value=0).tolist() == [1, 0, 3] and numbers.to_numpy(na_value=0).dtype == "int64"
    assert numbers.to_numpy(na_value=0.0).dtype == "int64"
    assert np.isnan(numbers.to_numpy(na_value=float("nan"))[1]) and numbers.to_numpy(na_value=0.5).tolist() == [1.0, 0.5, 3.0]
    assert numbers.to_numpy(na_value=None).tolist() == [1, None, 3]
    assert numbers.to_numpy("int8", na_value=-1).tolist() == [1, -1, 3]
    assert cn.Index(["a", None]).to_numpy(na_value="-").tolist() == ["a", "-"]
    assert cn.Series([True, None]).to_numpy(bool, na_value=False).tolist() == [True, False]
    shared, copied = cn.Series([1, 2]).to_numpy(), cn.Series([1, 2]).to_numpy(copy=True)
    assert copied.flags.writeable and copied.tolist() == shared.tolist()
    with pytest.raises(ValueError, match="to_numpy: .*give na_value"):
        cn.Series(["a"]).to_numpy(dtype="int64")


MADE = {
    "columns": lambda of: of.from_dict({"a": [1, 2], "b": ["x", None]}),
    "dtype": lambda of: of.from_dict({"a": [1, 2], "b": [3, 4]}, dtype="float64"),
    "index": lambda of: of.from_dict({"p": [1, 2], "q": [3, 4]}, orient="index"),
    "index and columns": lambda of: of.from_dict({"p": [1, "x"], "q": [3, None]}, orient="index", columns=["a", "b"]),
    "index of dictionaries": lambda of: of.from_dict({"p": {"a": 1}, "q": {"a": 2}}, orient="index"),
    "tight": lambda of: of.from_dict({"index": [[1, "x"], [2, "y"]], "columns": ["a"], "data": [[5], [6]], "index_names": ["i", None], "column_names": [None]} if of is cn.DataFrame else {"index": [(1, "x"), (2, "y")], "columns": ["a"], "data": [[5], [6]], "index_names": ["i", None], "column_names": [None]}, orient="tight"),
    "records": lambda of: of.from_records([(1, "x"), (2, "y")], columns=["a", "b"]),
    "records without columns": lambda of: of.from_records([(1, "x"), (2, "y")]),
    "records of dictionaries": lambda of: of.from_records([{"a": 1, "b": 2}, {"a": 3, "b": None}]),
    "records and labels": lambda of: of.from_records([(1, "x"), (2, "y")], columns=["a", "b"], index="b"),
    "records and labels of a list": lambda of: of.from_records([(1, "x"), (2, "y")], columns=["a", "b"], index=[7, 8]),
    "records and two labels": lambda of: of.from_records([(1, "x", 5)], columns=["a", "b", "c"], index=["a", "b"]),
    "exclude": lambda of: of.from_records([(1, "x"), (2, "y")], columns=["a", "b"], exclude=["a"]),
    "coerce_float": lambda of: of.from_records([(decimal.Decimal("1.5"), 1)], columns=["a", "b"], coerce_float=True),
    "nrows": lambda of: of.from_records(((row, row * 2) for row in range(100)), columns=["a", "b"], nrows=3),
    "an array": lambda of: of.from_records(np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i8"), ("b", "f8")])),
    "an array and columns": lambda of: of.from_records(np.array([(1, 2.5), (3, 4.5)], dtype=[("a", "i8"), ("b", "f8")]), columns=["b"]),
    "named tuples": lambda of: of.from_records([collections.namedtuple("Row", "a b")(1, 2)]),
}


@pytest.mark.parametrize("name", MADE)
def test_frames_of_objects(device, name):
    assert tidy(MADE[name](cn.DataFrame)) == tidy(MADE[name](pd.DataFrame))


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda f: f.to_dict("rows"), ValueError, "to_dict: orient is list, dict"),
        (lambda f: f.to_dict("records", index=False), ValueError, "index=False"),
        (lambda f: f.to_dict(into=list), TypeError, "into"),
        (lambda f: f.to_dict(into=collections.defaultdict), TypeError, "defaultdict"),
        (lambda f: cn.concat([f, f]).to_dict("index"), ValueError, "unique"),
        (lambda f: f.to_records(column_dtypes={"k": "int8"}), ValueError, "to_records"),
        (lambda f: cn.DataFrame.from_dict({"a": [1]}, orient="tight"), ValueError, "index, columns"),
        (lambda f: cn.DataFrame.from_dict({"a": [1]}, columns=["b"]), ValueError, "columns are given"),
        (lambda f: cn.DataFrame.from_records([(1,)], columns=["a"], index="z"), KeyError, "index: there is no column 'z'"),
        (lambda f: cn.DataFrame.from_records([(1,)], columns=["a"], index=[1, 2]), ValueError, "2 labels for 1 rows"),
        (lambda f: cn.DataFrame.from_records([(1,)], nrows=-1), ValueError, "nrows"),
    ],
)
def test_bad_arguments_of_exports(call, kind, words):
    with pytest.raises(kind, match=words):
        call(both()[0])


# Tables ------------------------------------------------------------------------------------------------------------------

WORDS = {"s": ["ab", "y", "<x>"], "n": [1, 2, 300]}
STRINGS = [
    {"index": False}, {"header": False}, {"header": ["p", "q"]}, {"columns": ["n"]}, {"na_rep": "-"}, {"header": False, "index": False},
    {"columns": ["n", "s"], "index": False}, {"justify": "left"}, {"index": False, "show_dimensions": True}, {"formatters": {"n": "<{}>".format}},
    {"formatters": ["<{}>".format, hex]}, {"index_names": False},
]


@pytest.mark.parametrize("options", STRINGS, ids=" ".join)
def test_to_string(device, options):
    ours, theirs = both(WORDS)
    assert ours.to_string(**options) == theirs.to_string(**options)
    assert ours.tail(1).to_string(**options) == theirs.tail(1).to_string(**options)
    if not {"columns", "header", "formatters"} & set(options):
        ours, theirs = ours.set_index("s"), theirs.set_index("s")
        assert ours.to_string(**{"na_rep": "-", **options}) == theirs.to_string(**{"na_rep": "-", **options})


def test_to_string_of_long_labels():
    ours, theirs = both({"long name": ["a", "b"], "n": [1, 2], "another one": [1, 2], "s": ["abc", "d"]})
    for options in ({"na_rep": "-"}, {"index": False}, {"justify": "left"}, {"header": ["longer than others", "b", "c", "longer"]}):
        assert ours.to_string(**options) == theirs.to_string(**options)


def test_to_string_of_floats_and_nulls():
    ours, theirs = both()
    options = {"na_rep": "-", "float_format": "%.2f"}
    assert ours[["n", "x"]].to_string(**options) == theirs[["n", "x"]].to_string(**options)
    assert ours["x"].to_string(**options) == theirs["x"].to_string(**options)
    assert ours[["x"]].to_string(float_format="{:.1f}".format, index=False, na_rep="NaN") == theirs[["x"]].to_string(float_format="{:.1f}".format, index=False)
    assert ours["n"].to_string(name=True, length=True, dtype=True) == theirs["n"].to_string(name=True, length=True, dtype=True)
    assert ours["n"].to_string(index=False) == theirs["n"].to_string(index=False)
    named = ours.set_index("k")["n"], theirs.set_index("k")["n"]
    assert named[0].tail(2).to_string(header=True, length=True) == named[1].tail(2).to_string(header=True, length=True)
    assert "<NA>" in ours.to_string(index=False)


def test_rows_and_columns_in_the_middle_are_left_out():
    frame = cn.DataFrame({f"c{place}": list(range(9)) for place in range(6)})
    text = frame.to_string(max_rows=4, max_cols=3, index=False)
    assert text.splitlines()[0].split() == ["c0", "c1", "...", "c5"] and len(text.splitlines()) == 6
    assert [line.split()[0] for line in text.splitlines()] == ["c0", "0", "1", "...", "7", "8"]
    assert "[9 rows × 6 columns]" in frame.to_string(max_rows=2) and frame.to_string(max_rows=2).count("\n") == 5
    assert frame.to_string().count("\n") == 11
    assert frame["c0"].to_string(max_rows=2).count("\n") < 8
    assert frame.to_html(max_rows=3, max_cols=2).count("<tr>") == 5


def test_tables_go_to_buffers_and_files(tmp_path):
    frame = both()[0]
    for name in ("to_string", "to_html", "to_markdown", "to_latex"):
        buffer = io.StringIO()
        assert getattr(frame, name)(buffer) is None
        assert buffer.getvalue() == getattr(frame, name)()
        getattr(frame["n"], name)(tmp_path / "table.txt")
        assert (tmp_path / "table.txt").read_text() == getattr(frame["n"], name)()


def cells(text):
    rows = re.findall(r"<tr.*?>(.*?)</tr>", text, re.DOTALL)
    return [re.findall(r"<(t[hd]).*?>(.*?)</t[hd]>", row) for row in rows]


HTML = [
    {}, {"index": False}, {"header": False}, {"columns": ["n"]}, {"bold_rows": False}, {"escape": False},
    {"formatters": {"n": hex}},
]


@pytest.mark.parametrize("options", HTML, ids=" ".join)
def test_to_html(options):
    ours, theirs = both(WORDS)
    assert cells(ours.to_html(**options)) == cells(theirs.to_html(**options))


def test_attributes_of_html():
    ours, theirs = both(WORDS)
    for options in ({"classes": "a b", "border": 0}, {"classes": ["a"], "border": 2, "table_id": "t"}, {"border": 1}):
        assert ours.to_html(**options).split(">")[0] == theirs.to_html(**options).split(">")[0]
    assert cells(ours.to_html(header=["p", "q"]))[0] == [("th", ""), ("th", "p"), ("th", "q")]
    assert "<td>1.50</td>" in cn.DataFrame({"x": [1.5, None]}).to_html(float_format="%.2f") and "<td>-</td>" in cn.DataFrame({"x": [1.5, None]}).to_html(na_rep="-")


def test_markdown_and_latex():
    frame = both(WORDS)[0]
    assert frame.to_markdown(index=False).splitlines() == ["| s | n |", "| :--- | ---: |", "| ab | 1 |", "| y | 2 |", "| <x> | 300 |"]
    assert frame["n"].to_markdown(index=False) == frame[["n"]].to_markdown(index=False)
    lines = frame.to_latex(index=False).splitlines()
    assert lines == [r"\begin{tabular}{lr}", r"\toprule", r"s & n \\", r"\midrule", r"ab & 1 \\", r"y & 2 \\", r"<x> & 300 \\", r"\bottomrule", r"\end{tabular}"]
    text = cn.DataFrame({"a_b": ["5%", None]}).to_latex(escape=True, na_rep="-", caption="Of all", label="t:a", position="h", column_format="c|c")
    assert text.splitlines()[:4] == [r"\begin{table}[h]", r"\caption{Of all}", r"\label{t:a}", r"\begin{tabular}{c|c}"]
    assert r" & a\_b \\" in text and r"0 & 5\% \\" in text and r"1 & - \\" in text


def test_info(capsys):
    frame, buffer = both()[0], io.StringIO()
    frame.info()
    whole = capsys.readouterr().out
    frame.info(buf=buffer)
    assert buffer.getvalue() == whole and "not null" in whole and "bytes" in whole

    def text(**options):
        made = io.StringIO()
        frame.info(buf=made, **options)
        return made.getvalue()

    assert "bytes" not in text(memory_usage=False) and "not null" not in text(show_counts=False)
    assert text(memory_usage=False, show_counts=False).splitlines()[-1].split() == ["x", "float64"]
    assert text(verbose=False) == text(max_cols=2) and text(max_cols=3) == whole
    assert text(verbose=False).splitlines()[-1] == "dtypes: float64(1), int64(1), utf8(1)"
    with pytest.raises(ValueError, match="memory_usage"):
        frame.info(memory_usage="shallow")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda f: f.to_string(max_rows=0), "to_string: max_rows"),
        (lambda f: f.to_string(header=["a"]), "header has 1 names for 3 columns"),
        (lambda f: f.to_string(float_format="%q"), "float_format"),
        (lambda f: f.to_string(justify="middle"), "justify"),
        (lambda f: f.to_html(max_cols=-1), "to_html: max_cols"),
        (lambda f: f["n"].to_string(float_format="%q"), "float_format"),
        (lambda f: f.to_json(indent=1.5), "to_json: indent"),
    ],
)
def test_bad_arguments_of_tables(call, words):
    with pytest.raises(ValueError, match=words):
        call(both()[0])


# Functions ---------------------------------------------------------------------------------------------------------------


def seconds(made):
    """Times as whole microseconds since 1970, in a list."""
    values = made.to_list() if isinstance(made, (cn.Series, pd.Series)) else list(made)
    values = [tidy(value) for value in values]
    return [None if value is None else value.replace(tzinfo=None) - (value.utcoffset() or dt.timedelta()) for value in values]


TIMES = {
    "iso": (["2024-01-02", None, "2024-02-03"], {}),
    "iso with times": (["2024-01-02 03:04:05.25", "2024-01-02T03:04:05.500"], {"format": "ISO8601"}),
    "iso of zones": (["2024-01-02T03:04:05Z", "2024-01-02T03:04:05+02:00"], {"utc": True}),
    "month first": (["01/02/2024", "12/13/2024"], {}),
    "day first": (["01/02/2024", "13/12/2024"], {"dayfirst": True}),
    "day first with times": (["01.02.2024 03:04", None, "13.12.2024 23:59"], {"dayfirst": True}),
    "names of months": (["2 Jan 2024", "13 Feb 2024"], {}),
    "digits": (["20240102", "20241231"], {}),
    "numbers of a format": ([20240102, 20241231], {"format": "%Y%m%d"}),
    "slashes": (["2024/01/02 03:04:05"], {}),
    "half days": (["01/02/2024 03:04 PM"], {}),
    "mixed": (["2024-01-02", "01/02/2024", None, "2 Jan 2024 03:04:05"], {"format": "mixed"}),
    "mixed and day first": (["01/02/2024", "13 Feb 2024"], {"format": "mixed", "dayfirst": True}),
    "format": (["02|01|2024"], {"format": "%d|%m|%Y"}),
    "coerced": (["2024-01-02", "x", "2024-02-30"], {"errors": "coerce"}),
    "coerced format": (["01/02/2024", "30/30/2024"], {"errors": "coerce"}),
    "unit": ([1, 2], {"unit": "D"}),
    "unit of hours": ([1, 2], {"unit": "h"}),
    "unit and origin": ([1, 2], {"unit": "D", "origin": "2000-01-01"}),
    "unit and an origin of seconds": ([1, 2], {"unit": "s", "origin": dt.datetime(2000, 1, 1)}),
    "a number as origin": ([1, 2], {"unit": "D", "origin": 365}),
    "floats": ([1.5, 2.25], {"unit": "s"}),
    "floats of days": ([1.5, -2.25], {"unit": "D"}),
    "utc": (["2024-01-02"], {"utc": True}),
    "utc of numbers": ([86400], {"unit": "s", "utc": True}),
    "no values": ([], {}),
    "nulls": ([None, None], {}),
}


@pytest.mark.parametrize("name", TIMES)
def test_to_datetime(name):
    values, options = TIMES[name]
    ours = cn.to_datetime(cn.Series(values, device="host", dtype=None if values and values != [None, None] else "utf8"), **options)
    theirs = pd.to_datetime(pd.Series(values, dtype=None if values else "str"), **options)
    assert seconds(ours) == seconds(theirs)
    assert (ours.dtype.tz == "UTC") == bool(options.get("utc"))
    if values and values[0] is not None:
        assert seconds([cn.to_datetime(values[0], **options)]) == seconds([pd.to_datetime(values[0], **options)])


def test_to_datetime_of_frames_and_labels():
    parts = {"year": [2024, 2023], "month": [2, 12], "day": [29, 31]}
    for data in (parts, {**parts, "hour": [1, 23], "minute": [2, 59]}, {**parts, "hours": [1, 2], "s": [3, 4], "ms": [250, 0], "us": [1, 2]}):
        ours, theirs = cn.DataFrame(data, device="host"), pd.DataFrame(data)
        assert seconds(cn.to_datetime(ours)) == seconds(pd.to_datetime(theirs))
    frame = cn.DataFrame({**parts, "day": [30, 31]}, device="host")
    assert cn.to_datetime(frame, errors="coerce").to_list() == [None, dt.datetime(2023, 12, 31)]
    named = cn.Series(["2024-01-02"], name="t", index=[7], device="host")
    assert (cn.to_datetime(named).name, cn.to_datetime(named).index.to_list()) == ("t", [7])
    assert cn.to_datetime(cn.Series([dt.date(2024, 1, 2)])).to_list() == [dt.datetime(2024, 1, 2)]
    assert cn.to_datetime(None) is None


NUMBERS = {
    "integers": (["1", "-2"], {}),
    "floats": (["1.5", None, "-2e3"], {}),
    "blanks": ([" 1", "2 "], {}),
    "coerced": (["1", "x", None], {"errors": "coerce"}),
    "numbers": ([1.5, 2.0], {}),
    "integer": ([1, 2, 300], {"downcast": "integer"}),
    "signed": ([1, -2], {"downcast": "signed"}),
    "unsigned": ([1, 255], {"downcast": "unsigned"}),
    "unsigned of negatives": ([1, -2], {"downcast": "unsigned"}),
    "float": ([1.5, 2.25], {"downcast": "float"}),
    "float of integers": ([1, 2], {"downcast": "float"}),
    "integer of whole floats": ([1.0, 2.0], {"downcast": "integer"}),
    "integer of fractions": ([1.5, 2.0], {"downcast": "integer"}),
    "integer of strings": (["1", "70000"], {"downcast": "integer"}),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_to_numeric(name):
    values, options = NUMBERS[name]
    ours = cn.to_numeric(cn.Series(values, device="host"), **options)
    theirs = pd.to_numeric(pd.Series(values), **options)
    assert tidy(ours.to_list()) == tidy(theirs.to_list())
    if not theirs.isna().any():
        assert str(ours.dtype) == str(theirs.dtype)


def test_to_numeric_and_to_timedelta_of_one_value():
    assert cn.to_numeric("3") == pd.to_numeric("3") and cn.to_numeric("3.5") == 3.5
    assert cn.to_timedelta("1h") == pd.to_timedelta("1h") and cn.to_timedelta(2, "hours") == pd.to_timedelta(2, "h")
    assert cn.to_timedelta([1, 2], "days").to_list() == list(pd.to_timedelta([1, 2], unit="D").to_pytimedelta())
    assert cn.to_timedelta([1], "W").to_list() == [dt.timedelta(weeks=1)]
    assert cn.to_timedelta("x", errors="coerce") is None


def test_json_normalize():
    data = [
        {"id": 1, "at": {"city": "Oslo"}, "sales": [{"n": 1, "id": 7}, {"n": 2, "id": 8}]},
        {"id": 2, "sales": [{"n": 3, "id": 9}]},
    ]
    for options in (
        {"meta": ["id"], "meta_prefix": "m.", "record_prefix": "r."}, {"meta": ["id"], "record_prefix": "r_"},
        {"meta": [["at", "city"]], "errors": "ignore"},
    ):
        assert tidy(cn.json_normalize(data, record_path="sales", **options)) == tidy(pd.json_normalize(data, record_path="sales", **options))
    with pytest.raises(KeyError, match="at"):
        cn.json_normalize(data, record_path="sales", meta=[["at", "city"]])
    with pytest.raises(ValueError, match="meta_prefix"):
        cn.json_normalize(data, record_path="sales", meta=["id"])


LEFT = {"t": [1, 3, 5], "g": ["a", "a", "b"], "v": [10, 20, 30]}
RIGHT = {"t": [2, 3, 6], "w": [1.5, 2.5, 3.5]}
MERGES = [
    {"on": "t"}, {"on": "t", "how": "inner"}, {"on": "t", "fill_method": "ffill"}, {"on": "t", "left_by": "g"},
    {"on": "t", "left_by": "g", "fill_method": "ffill"}, {"left_on": "t", "right_on": "u"}, {"left_on": "t", "right_on": "u", "how": "left"},
]


@pytest.mark.parametrize("options", MERGES, ids=" ".join)
def test_merge_ordered(options):
    right = {("u" if key == "t" else key): values for key, values in RIGHT.items()} if "right_on" in options else RIGHT
    ours = cn.merge_ordered(cn.DataFrame(LEFT), cn.DataFrame(right), **options)
    theirs = pd.merge_ordered(pd.DataFrame(LEFT), pd.DataFrame(right), **options)
    assert tidy(ours) == tidy(theirs)
    if options.get("left_by"):
        swapped = {"right_by": "g", **{key: value for key, value in options.items() if key != "left_by"}}
        ours = cn.merge_ordered(cn.DataFrame(right), cn.DataFrame(LEFT), **swapped)
        theirs = pd.merge_ordered(pd.DataFrame(right), pd.DataFrame(LEFT), **swapped)
        assert tidy(ours[list(theirs.columns)]) == tidy(theirs)


def test_names_beside_functions():
    ours, theirs = both()
    named = ours.groupby("k").agg(total=cn.NamedAgg("n", "sum"), low=cn.NamedAgg(column="x", aggfunc="min"))
    assert tidy(named) == tidy(theirs.groupby("k").agg(total=pd.NamedAgg("n", "sum"), low=pd.NamedAgg(column="x", aggfunc="min")))
    assert cn.NA is None and cn.NaT is None and cn.Series([1, cn.NA]).null_count == 1
    assert tidy(ours.set_index("n").sort_index().loc[cn.IndexSlice[1:3]]) == tidy(theirs.set_index("n").sort_index().loc[pd.IndexSlice[1:3]])
    for name, data in [("from_tuples", [(1, "a"), (2, "b")]), ("from_arrays", [[1, 2], ["a", "b"]]), ("from_product", [[1, 2], ["a", "b"]])]:
        for names in (None, ["p", "q"]):
            assert tidy(getattr(cn.MultiIndex, name)(data, names=names)) == tidy(getattr(pd.MultiIndex, name)(data, names=names))
    frame = {"p": [1, 2], "q": ["a", "b"]}
    assert tidy(cn.MultiIndex.from_frame(cn.DataFrame(frame))) == tidy(pd.MultiIndex.from_frame(pd.DataFrame(frame)))
    made, expected = cn.Categorical(["b", "a", "z"], categories=["a", "b"], ordered=True), pd.Categorical(["b", "a", "z"], categories=["a", "b"], ordered=True)
    assert made.to_list() == tidy(expected.tolist()) and made.cat.categories().to_list() == list(expected.categories) and made.cat.is_ordered()
    assert cn.Categorical(["b", "a"]).cat.categories().to_list() == ["b", "a"]
    with pytest.raises(ValueError, match="one length"):
        cn.MultiIndex.from_tuples([(1, 2), (3,)])
    with pytest.raises(ValueError, match="no tuples"):
        cn.MultiIndex.from_tuples([])


def test_options_by_pat():
    before = cn.get_option("display.max_rows")
    try:
        cn.set_option("display.max_rows", 7, "display.precision", 3)
        assert (cn.get_option(pat="max_rows"), cn.get_option(name="precision")) == (7, 3)
        cn.set_option(pat="display.max_rows", value=8)
        assert cn.get_option("display.max_rows") == 8
        with pytest.raises(KeyError):
            cn.set_option("display.max_rows", 9, "display.unknown", 1)
        assert cn.get_option("display.max_rows") == 8
    finally:
        cn.reset_option(pat="display.max_rows")
        cn.reset_option("display.precision")
    assert cn.get_option("display.max_rows") == before
    for call in (cn.get_option, cn.reset_option):
        with pytest.raises(TypeError, match="name of an option"):
            call()
    with pytest.raises(ValueError, match="no value"):
        cn.set_option("display.max_rows")


@pytest.mark.parametrize(
    ("call", "kind", "words"),
    [
        (lambda: cn.to_datetime(["x"]), ValueError, "x"),
        (lambda: cn.to_datetime(["01/02/2024", "x"]), ValueError, 'to_datetime.*errors="coerce"'),
        (lambda: cn.to_datetime([1]), ValueError, "unit"),
        (lambda: cn.to_datetime([1], unit="Y"), ValueError, "unit"),
        (lambda: cn.to_datetime(["x"], errors="ignore"), ValueError, "errors"),
        (lambda: cn.to_datetime(["x"], exact=False), NotImplementedError, "exact=False"),
        (lambda: cn.to_datetime([1], unit="D", origin="julian"), ValueError, "origin"),
        (lambda: cn.to_datetime(cn.DataFrame({"year": [1]})), ValueError, "no column month, day"),
        (lambda: cn.to_datetime(cn.DataFrame({"year": [1], "z": [2]})), ValueError, "'z' is none of"),
        (lambda: cn.to_numeric(["x"]), ValueError, "x"),
        (lambda: cn.to_numeric([1], downcast="small"), ValueError, "downcast"),
        (lambda: cn.merge_ordered(cn.DataFrame(LEFT), cn.DataFrame(RIGHT), left_on="t"), ValueError, "left_on and right_on"),
        (lambda: cn.merge_ordered(cn.DataFrame(LEFT), cn.DataFrame(RIGHT), on="t", left_by="g", right_by="g"), ValueError, "not both"),
        (lambda: cn.json_normalize([{}], errors="coerce"), ValueError, "errors"),
    ],
)
def test_bad_arguments_of_functions(host, call, kind, words):
    with pytest.raises(kind, match=words):
        call()


# Assertions --------------------------------------------------------------------------------------------------------------

TABLE = {"k": ["a", "b", None], "x": [1.0, None, 3.0]}
EQUAL = {
    "same": (TABLE, TABLE, {}),
    "close": (TABLE, {**TABLE, "x": [1.0 + 1e-9, None, 3.0]}, {}),
    "within": (TABLE, {**TABLE, "x": [1.01, None, 3.0]}, {"atol": 0.1}),
    "within a share": (TABLE, {**TABLE, "x": [1.01, None, 3.0]}, {"rtol": 0.1}),
    "other columns": (TABLE, dict(reversed(TABLE.items())), {"check_like": True}),
    "other dtypes": ({"a": [1, 2]}, {"a": [1.0, 2.0]}, {"check_dtype": False}),
    "infinite": ({"a": [float("inf"), float("-inf"), float("nan")]}, {"a": [float("inf"), float("-inf"), float("nan")]}, {}),
    "no rows": ({"a": []}, {"a": []}, {}),
}
UNEQUAL = {
    "a value": (TABLE, {**TABLE, "k": ["a", "c", None]}, {}, r"column 'k': 1 of 3 values differ, the first one in row 1, label 1\n\[left\]:  'b'\n\[right\]: 'c'"),
    "a null": (TABLE, {**TABLE, "k": ["a", "b", "c"]}, {}, "row 2.*\n.*None"),
    "a float": (TABLE, {**TABLE, "x": [1.01, None, 3.0]}, {}, "column 'x': 1 of 3"),
    "an exact float": (TABLE, {**TABLE, "x": [1.0 + 1e-9, None, 3.0]}, {"check_exact": True}, "row 0"),
    "a null and a float": (TABLE, {**TABLE, "x": [1.0, 0.0, 3.0]}, {}, "row 1"),
    "dtypes": ({"a": [1, 2]}, {"a": [1.0, 2.0]}, {}, "column 'a': the dtypes differ"),
    "shapes": (TABLE, {"k": ["a"], "x": [1.0]}, {}, "the shapes differ"),
    "columns": (TABLE, {"k": ["a", "b", None], "y": [1.0, None, 3.0]}, {}, "DataFrame.columns: the labels differ"),
    "order of columns": (TABLE, dict(reversed(TABLE.items())), {}, "DataFrame.columns"),
    "infinite": ({"a": [float("inf")]}, {"a": [1.0]}, {}, "row 0"),
    "signs": ({"a": [float("inf")]}, {"a": [float("-inf")]}, {}, "row 0"),
}


@pytest.mark.parametrize("name", EQUAL)
def test_frames_that_are_equal(device, name):
    left, right, options = EQUAL[name]
    cn.testing.assert_frame_equal(cn.DataFrame(left), cn.DataFrame(right), **options)
    pd.testing.assert_frame_equal(pd.DataFrame(left), pd.DataFrame(right), **options)


@pytest.mark.parametrize("name", UNEQUAL)
def test_frames_that_differ(device, name):
    left, right, options, words = UNEQUAL[name]
    with pytest.raises(AssertionError, match=words):
        cn.testing.assert_frame_equal(cn.DataFrame(left), cn.DataFrame(right), **options)
    with pytest.raises(AssertionError):
        pd.testing.assert_frame_equal(pd.DataFrame(left), pd.DataFrame(right), **options)


def test_labels_and_names_of_assertions():
    equal, series, labels = cn.testing.assert_frame_equal, cn.testing.assert_series_equal, cn.testing.assert_index_equal
    left = cn.DataFrame({"n": [1, 2]}, index=["a", "b"])
    swapped = left.loc[["b", "a"]]
    equal(left, swapped, check_like=True)
    equal(left, cn.DataFrame({"n": [1, 2]}), check_index=False)
    for right, options, words in [
        (swapped, {}, r"DataFrame.index: 2 of 2 values differ, the first one in row 0"),
        (cn.DataFrame({"n": [1, 2]}), {}, "DataFrame.index: the dtypes differ"),
        (cn.DataFrame({"n": [1, 2]}, index=["a", "z"]), {"check_like": True}, "labels differ"),
        (left.with_index(left.index.rename("i")), {}, "DataFrame.index: the names differ"),
    ]:
        with pytest.raises(AssertionError, match=words):
            equal(left, right, **options)
    equal(left, left.with_index(left.index.rename("i")), check_names=False)
    series(left["n"], left["n"].rename("m"), check_names=False)
    series(cn.Series([1.0, float("nan"), None]), cn.Series([1.0, float("nan"), None]))
    for left_values, right_values, words in [
        (cn.Series([1], name="a"), cn.Series([1], name="b"), "the names differ\n.*'a'\n.*'b'"),
        (cn.Series([1.0, None]), cn.Series([1.0, float("nan")]), "row 1"),
        (cn.Series([1]), cn.Series([1, 2]), "the lengths differ"),
        (cn.Series(["a"]), cn.DataFrame({"a": [1]}), "right is a Series, not DataFrame"),
        (cn.Series(["a", "b"]).cast("category"), cn.Series(["b", "a"]).cast("category"), "categories differ"),
    ]:
        with pytest.raises(AssertionError, match=words):
            series(left_values, right_values)
    labels(cn.Index([0, 1, 2]), cn.DataFrame({"a": [1, 2, 3]}).index)
    labels(cn.Index([2, 1]), cn.Index([1, 2]), check_order=False)
    for one, other, options, words in [
        (cn.Index([0, 1]), cn.DataFrame({"a": [1, 2]}).index, {"exact": True}, "the kinds differ"),
        (cn.Index([1, 2]), cn.Index([2, 1]), {}, "2 of 2"),
        (cn.Index([1, 2]), cn.Index([1.0, 2.0]), {}, "dtypes"),
        (cn.Index([1]), cn.Index([1, 2]), {}, "lengths"),
        (cn.Index([1]), cn.MultiIndex.from_tuples([(1, 2)]), {}, "numbers of levels"),
        (cn.MultiIndex.from_tuples([(1, 3)]), cn.MultiIndex.from_tuples([(1, 2)]), {}, "Index level 1"),
    ]:
        with pytest.raises(AssertionError, match=words):
            labels(one, other, **options)
    with pytest.raises(ValueError, match="rtol"):
        equal(left, left, rtol=-1)


def test_levels_of_columns_without_columns_are_kept():
    frame = pd.DataFrame({"k": ["a"], "l": ["b"], "x": [1.0]})
    empty = cn.from_pandas(frame).iloc[:0]
    for made, expected in (
        (empty.set_index(["k", "l"]).T, frame.iloc[:0].set_index(["k", "l"]).T),
        (empty.pivot_table(values=["x"], index="k", columns="l", aggfunc=["sum", "count"]), None),
    ):
        columns = made.to_pandas().columns
        assert len(columns) == 0 and columns.nlevels == (3 if expected is None else 2) and list(columns.names)[-1] == "l"
        assert expected is None or list(columns.names) == list(expected.columns.names)
