"""Casts: the first row that does not fit is named in every form of a cast, and what each pair of dtypes makes, on every device."""

import datetime as dt
import decimal

import columnade as cn
import polars as pl
import pytest
from columnade import col, lit, when

DECIMAL = decimal.Decimal

FORMS = {
    "series": lambda frame: frame["a"].cast("int8"),
    "pandas": lambda frame: frame["a"].astype("int8"),
    "frame": lambda frame: frame.cast({"a": "int8"}),
    "select": lambda frame: frame.select(col("a").cast("int8")),
    "with_columns": lambda frame: frame.with_columns(z=col("a").cast("int8")),
    "fused": lambda frame: frame.select(b=(col("a") * 1).cast("int8") * 2 - 1),
    "filter": lambda frame: frame.filter(col("a").cast("int8") > 0),
    "sum": lambda frame: frame.agg(col("a").cast("int8").sum().alias("b")),
    "groups": lambda frame: frame.group_by("a").agg(b=col("a").cast("int8").sum()),
    "cumulative": lambda frame: frame.select(b=col("a").cast("int8").cum_sum()),
    "branch": lambda frame: frame.select(b=when(col("a").is_not_null()).then(col("a").cast("int8")).otherwise(lit(0))),
    "text": lambda frame: frame.select(b=col("a").cast("utf8").cast("int64").cast("int8")),
}

NESTED = {
    "list<int64>": ("list<int8>", lambda value: [1, value]),
    "list<list<int64>>": ("list<list<int8>>", lambda value: [[], [1], [2, value]]),
    "struct<x: int64>": ("struct<x: int8>", lambda value: {"x": value}),
    "struct<x: list<int64>>": ("struct<x: list<int8>>", lambda value: {"x": [value]}),
}


def rows_of(rows, bad):
    """Nulls and numbers that fit, then 300, then numbers of which some do not fit either."""
    return [(None, 1, 2, 100)[row % 4] for row in range(bad)] + [300] + [(None, 1, 301, -999)[row % 4] for row in range(rows - bad - 1)]


def cut(values, dtype, offset, wrong):
    """Values as a slice, before and behind which there is what does not fit."""
    whole = cn.Series([wrong] * offset + values + [wrong] * 2, dtype=dtype)
    return whole.slice(offset, len(values)).reset_index(drop=True)


@pytest.mark.parametrize("rows, bad, offset", [(1, 0, 0), (31, 30, 1), (33, 0, 7), (65, 64, 33), (1025, 1000, 1)])
def test_first_row_that_does_not_fit_is_named_in_every_form(device, rows, bad, offset):
    frame = cn.DataFrame({"a": cut(rows_of(rows, bad), "int64", offset, 1000)})
    for name, call in FORMS.items():
        with pytest.raises(OverflowError) as error:
            call(frame)
        assert isinstance(error.value, cn.ColumnadeError) and error.value.dtype == "int8", name
        assert str(error.value).endswith(f"row {bad}: 300 does not fit int8"), (name, str(error.value))


@pytest.mark.parametrize("dtype", NESTED)
def test_rows_of_nested_values_are_those_of_the_whole(device, dtype):
    to, make = NESTED[dtype]
    for rows, bad, offset in [(1, 0, 3), (33, 32, 1), (64, 0, 0), (65, 40, 7)]:
        values = [None if value is None else make(value) for value in rows_of(rows, bad)]
        series = cut(values, dtype, offset, make(1000)).rename("a")
        for call in (lambda: series.cast(to), lambda: series.to_frame().select(b=col("a").cast(to))):
            with pytest.raises(OverflowError, match=f"row {bad}: 300 does not fit int8"):
                call()
        made = series.cast(to, strict=False)
        assert made.dtype == to and made.null_count == values.count(None)


PAIRS = [
    ("bool", "decimal(3,1)", [True, False, None], [DECIMAL("1.0"), DECIMAL("0.0"), None]),
    ("bool", "decimal(38,37)", [True], [DECIMAL(1)]),
    ("bool", "decimal(2,2)", [False, True], "row 1: true does not fit decimal(2,2)"),
    ("decimal(3,1)", "bool", [DECIMAL("0.1"), DECIMAL("0.0"), DECIMAL("-0.5"), None], [True, False, True, None]),
    ("decimal(4,2)", "decimal(3,1)", [DECIMAL("99.94"), DECIMAL("99.99")], "row 1: 99.99 does not fit decimal(3,1)"),
    ("decimal(38,10)", "int64", [DECIMAL("1.5"), DECIMAL("123456789012345678901.5")], "row 1: 123456789012345678901.5000000000 does not fit int64"),
    ("float64", "duration[s]", [1.9, -1.9, 0.0, None], [dt.timedelta(seconds=1), dt.timedelta(seconds=-1), dt.timedelta(0), None]),
    ("float64", "duration[s]", [1.5, float("nan"), float("inf")], "row 1: NaN does not fit duration[s]"),
    ("float64", "date32", [0.5, -0.5, 19782.9], [dt.date(1970, 1, 1), dt.date(1970, 1, 1), dt.date(2024, 2, 29)]),
    ("float64", "timestamp[ns]", [9223372036854774784.0, 2.0**63], "row 1: 9.223372036854776e18 does not fit timestamp[ns]"),
    ("float64", "time32[s]", [86399.99, -0.5, 86400.0], "row 2: 86400.0 does not fit time32[s]"),
    ("float64", "uint8", [-0.9, 255.9, -1.0], "row 2: -1.0 does not fit uint8"),
    ("date32", "float64", [dt.date(1970, 1, 2), None], [1.0, None]),
    ("date32", "decimal(2,1)", [dt.date(1970, 1, 2), dt.date(1970, 1, 11)], "row 1: 1970-01-11 does not fit decimal(2,1)"),
    ("timestamp[us]", "decimal(11,0)", [dt.datetime(1970, 1, 2)], [DECIMAL(86400000000)]),
    ("timestamp[us]", "decimal(10,0)", [dt.datetime(1970, 1, 2)], "row 0: 1970-01-02 00:00:00.000000 does not fit decimal(10,0)"),
    ("date32", "timestamp[ns]", [None, dt.date(9999, 12, 31)], "row 1: 9999-12-31 does not fit timestamp[ns]"),
    ("time64[us]", "timestamp[s]", [dt.time(23, 59, 59, 999999), None], [dt.datetime(1970, 1, 1, 23, 59, 59), None]),
    ("duration[us]", "time32[s]", [dt.timedelta(hours=23, microseconds=1), None], [dt.time(23), None]),
    ("duration[us]", "time64[ns]", [dt.timedelta(0), dt.timedelta(days=1)], "row 1: 1 days 00:00:00.000000 does not fit time64[ns]"),
    ("duration[us]", "time64[us]", [dt.timedelta(hours=-1)], "row 0: -01:00:00.000000 does not fit time64[us]"),
    ("utf8", "int8", [None, "7", "é\n", "300"], 'row 2: "é\\n" is not a value of int8'),
    ("list<utf8>", "list<int8>", [["1"], None, ["2", "x"]], 'row 2: "x" is not a value of int8'),
]


@pytest.mark.parametrize("dtype, to, values, expected", PAIRS)
def test_pairs_of_dtypes(device, dtype, to, values, expected):
    series = cn.Series(values, dtype=dtype, name="a")
    frame = series.to_frame()
    forms = [
        lambda strict: series.cast(to, strict=strict),
        lambda strict: frame.cast({"a": to}, strict=strict)["a"],
        lambda strict: frame.select(col("a").cast(to, strict=strict))["a"],
    ]
    for form in forms:
        loose = form(False)
        assert loose.dtype == to and len(loose) == len(values)
        if isinstance(expected, list):
            assert form(True).dtype == to and form(True).to_list() == loose.to_list() == expected
            continue
        with pytest.raises(ValueError if dtype.endswith(("utf8", "utf8>")) else OverflowError) as error:
            form(True)
        assert isinstance(error.value, cn.ColumnadeError) and str(error.value).endswith(expected), str(error.value)
        # Each row alone is the same value, or null where it is refused; of lists, the item is.
        alone = [series.slice(row, 1).cast(to, strict=False).to_list()[0] for row in range(len(values))]
        assert loose.to_list() == alone and (dtype.startswith("list") or None in alone)


@pytest.mark.parametrize("text", ["1e2", "1E2", "1e-7", "-1.5E+3", ".5e1", "1.e2", "1e+02", "12345e-4", "1e-400", "0e400", "1e400", "1e", "e5", "1e+", "1e5.0"])
def test_text_with_an_exponent_is_a_decimal(device, text):
    ours, theirs = cn.Series([text]), pl.Series([text])
    try:
        expected = theirs.cast(pl.Decimal(18, 10)).to_list()
    except pl.exceptions.InvalidOperationError:
        with pytest.raises(ValueError, match="row 0"):
            ours.cast("decimal(18,10)")
    else:
        assert ours.cast("decimal(18,10)").to_list() == expected
