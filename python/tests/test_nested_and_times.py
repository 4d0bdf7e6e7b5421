"""Lists of series, categories of several series, and times that are moved: expressions and series alike, on every device."""

import datetime as dt
import decimal
import fractions
import math
from random import Random

import pyarrow as pa
import pytest

import columnade as cn
from both_forms import both_forms
from columnade import col

LISTS = [[3, 1, None], [], None, [2, 2, 5]]


def test_lists_of_series_have_the_methods_of_expressions(device):
    lists = cn.Series(LISTS, name="l")
    frame = lists.to_frame()
    cases = [
        (lambda l: l.n_unique(), [3, 0, None, 2]),
        (lambda l: l.gather([0, -1], null_on_oob=True), [[3, None], [None, None], None, [2, 5]]),
        (lambda l: l.arg_min(), [1, None, None, 0]),
        (lambda l: l.arg_max(), [0, None, None, 2]),
        (lambda l: l.concat(7), [[3, 1, None, 7], [7], None, [2, 2, 5, 7]]),
    ]
    for call, expected in cases:
        assert call(lists.list).to_list() == expected
        assert frame.select(call(col("l").list).alias("made"))["made"].to_list() == expected
    both = lists.list.concat(lists)
    assert both.name == "l" and both.to_list() == [value and value * 2 if value is not None else None for value in LISTS]
    assert lists.list.concat([lists, cn.Series([1, 2, 3, None])]).to_list()[3] == [2, 2, 5, 2, 2, 5, None]
    with pytest.raises(IndexError, match="row 1: position 0 is out of bounds for 0"):
        lists.list.gather([0])


def test_columns_that_are_no_lists_are_joined(device):
    frame = cn.DataFrame({"a": [1, None], "b": [3, 4], "l": [[5], []]})
    made = frame.select(cn.concat_list("a", "b").alias("ab"), cn.concat_list("l", "a").alias("la"))
    assert made["ab"].to_list() == [[1, 3], [None, 4]] and made["la"].to_list() == [[5, 1], [None]]


def test_categories_of_several_series_are_united(device):
    a, b = cn.Series(["y", "x", None]).cat.encode(), cn.Series(["x", "a"]).cat.encode()
    made = cn.union_categoricals([a, b])
    assert made.to_list() == ["y", "x", None, "x", "a"] and made.cat.categories().to_list() == ["y", "x", "a"]
    assert cn.union_categoricals([a, b], sort_categories=True).cat.categories().to_list() == ["a", "x", "y"]
    for wrong, kind in [(a, TypeError), (1, TypeError), ([], ValueError), ([cn.Series([1])], TypeError)]:
        with pytest.raises(kind, match="union_categoricals") as error:
            cn.union_categoricals(wrong)
        assert isinstance(error.value, cn.ColumnadeError)


def test_times_are_moved_by_years_and_by_several_units(device):
    times = cn.Series([dt.datetime(2024, 2, 29, 12), None, dt.datetime(2023, 12, 31, 23)], name="t")
    frame = times.to_frame()
    cases = [
        (lambda t: t.add_years(1), [dt.datetime(2025, 2, 28, 12), None, dt.datetime(2024, 12, 31, 23)]),
        (lambda t: t.offset_by("1mo2d3h"), [dt.datetime(2024, 3, 31, 15), None, dt.datetime(2024, 2, 3, 2)]),
        (lambda t: t.offset_by("-1y30m"), [dt.datetime(2023, 2, 28, 11, 30), None, dt.datetime(2022, 12, 31, 22, 30)]),
        (lambda t: t.periods_until(dt.datetime(2024, 3, 1), "mo"), [1, None, 3]),
    ]
    for call, expected in cases:
        assert call(times.dt).to_list() == expected
        assert frame.select(call(col("t").dt).alias("made"))["made"].to_list() == expected
    later = cn.Series([dt.datetime(2024, 3, 1), None, dt.datetime(2024, 1, 1)])
    assert times.dt.periods_until(later, "1d").to_list() == [1, None, 1]
    # The night before clocks are set forward has 23 hours.
    berlin = cn.Series([dt.datetime(2024, 3, 30, 12)]).dt.tz_localize("Europe/Berlin")
    moved = (berlin.dt.offset_by("1d") - berlin).dt.total_seconds().to_list()
    assert moved == [23 * 3600] and (berlin.dt.offset_by("24h") - berlin).dt.total_seconds().to_list() == [24 * 3600]


def test_parts_of_durations_have_the_names_of_pandas(device):
    spans = cn.Series([dt.timedelta(days=1, microseconds=12), None])
    assert spans.dt.microseconds().to_list() == [12, None] and spans.dt.nanoseconds().to_list() == [0, None]


def test_casts_that_fail_name_the_row_and_the_value(device):
    numbers = cn.Series([1, None, 300], name="q")
    for call in (lambda: numbers.cast("int8"), lambda: numbers.to_frame().select(col("q").cast("int8"))):
        with pytest.raises(OverflowError, match="row 2: 300 does not fit int8"):
            call()


@pytest.mark.parametrize("call, text", [
    (lambda c: c.str.find(col("w")), "str.find"),
    (lambda c: c.str.remove_suffix(col("w")), "str.remove_suffix: suffix is a constant"),
    (lambda c: c.str.contains(col("w")), "str.contains: pat is a constant"),
    (lambda c: c.str.split_part(col("w"), 1), "str.split_part: separator is a constant"),
    (lambda c: c.is_in(col("w")), "is_in: values is a constant"),
])
def test_expressions_in_place_of_constants_are_not_implemented_by_name(call, text):
    for of in (col("w"), cn.Series(["a"])):
        with pytest.raises(NotImplementedError) as error:
            call(of)
        assert isinstance(error.value, cn.ColumnNotImplementedError)
        assert str(error.value).startswith(text) and "is a constant" in str(error.value)


def test_nulls_of_series_are_filled_from_series(device):
    numbers = cn.Series([1, None, None], index=[7, 8, 9], name="n")
    made = numbers.fill_null(cn.Series([80, 70, 60], index=[8, 7, 6]))
    assert made.to_list() == [1, 80, None] and made.name == "n" and made.index.to_list() == [7, 8, 9]


def test_replaced_nulls_and_nan(device):
    frame = cn.DataFrame({"x": [1.5, None, float("nan")], "k": cn.Series(["a", None, "b"]).cat.encode()})
    made = frame.select(col("x").replace({None: 7.0, float("nan"): 8.0}), col("k").replace({"a": "c", None: "d"}))
    assert made["x"].to_list() == [1.5, 7.0, 8.0] and made["k"].to_list() == ["c", "d", "b"]
    assert made["k"].dtype == frame["k"].dtype


def test_times_are_interpolated(device):
    times = cn.Series([dt.datetime(2024, 1, 1), None, dt.datetime(2024, 1, 3)])
    assert times.interpolate().to_list() == [dt.datetime(2024, 1, day) for day in (1, 2, 3)]
    assert cn.Series([1.0, None, 2.0]).cast("float32").interpolate().dtype == "float32"


def test_least_and_greatest_text_of_each_row(device):
    frame = cn.DataFrame({"a": ["x", None, "b"], "b": ["y", "a", None]})
    made = frame.select(cn.min_horizontal("a", "b").alias("low"), cn.max_horizontal("a", "b").alias("high"))
    assert made["low"].to_list() == ["x", "a", "b"] and made["high"].to_list() == ["y", "a", "b"]


def test_casts_of_frames_may_give_nulls(device):
    frame = cn.DataFrame({"a": ["1", "x"], "b": [True, False], "c": [1.5, None]})
    made = frame.cast({"a": "int64", "b": "decimal(3,1)", "c": "duration[s]"}, strict=False)
    assert made["a"].to_list() == [1, None] and made["c"].to_list() == [dt.timedelta(seconds=1), None]
    assert cn.DType("list<string>") == "list<utf8>" and cn.DType("struct<a: string>") == "struct<a: utf8>"
    with pytest.raises(ValueError, match="row 1"):
        frame.cast({"a": "int64"})


SIZES = [0, 1, 31, 33, 64, 65, 200]
NAN = float("nan")
ITEMS = {
    "int64": [None, 0, 1, 2, -5, 2**62], "float64": [None, 0.0, 1.5, -1.5, math.inf], "utf8": [None, "", "a", "é", "aa", "日" * 20],
    "bool": [None, True, False], "date32": [None, dt.date(2024, 1, 1), dt.date(1950, 1, 1)],
}


def lists_of(random, dtype, rows):
    """Lists of none to four items, and nulls, as a slice of more."""
    values = [None if random.random() < 0.2 else random.choices(ITEMS[dtype], k=random.randint(0, 4)) for _ in range(rows + 3)]
    return cn.Series(values, dtype=f"list<{dtype}>", name="l").slice(3, rows).reset_index(drop=True), values[3:]


def place(items, choose):
    valid = [item for item in items if item is not None]
    return items.index(choose(valid)) if valid else None


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("dtype", ITEMS)
def test_lists_of_every_dtype_against_lists_of_python(device, dtype, rows):
    random = Random(rows)
    series, values = lists_of(random, dtype, rows)

    def each(function):
        return [None if items is None else function(items) for items in values]

    assert both_forms(series, lambda l: l.list.n_unique()) == each(lambda items: len(set(items)))
    assert both_forms(series, lambda l: l.list.arg_min()) == each(lambda items: place(items, min))
    assert both_forms(series, lambda l: l.list.arg_max()) == each(lambda items: place(items, max))
    for at in ([0], [0, -1], [-1, 1, 5], [], [0, 0, 0]):
        expected = each(lambda items: [items[one] if -len(items) <= one < len(items) else None for one in at])
        assert both_forms(series, lambda l: l.list.gather(at, null_on_oob=True)) == expected
    others, more = lists_of(random, dtype, rows)
    plain = random.choices(ITEMS[dtype], k=rows)
    frame = cn.DataFrame({"a": series, "b": others, "p": cn.Series(plain, dtype=dtype)})
    expected = [None if a is None or b is None else a + b for a, b in zip(values, more)]
    assert series.list.concat(others).to_list() == frame.select(x=col("a").list.concat("b"))["x"].to_list() == expected
    made = frame.select(x=cn.concat_list("a", "p"), y=cn.concat_list("p", "p"), z=cn.concat_list("p", "a", "p")).to_dict()
    assert made["x"] == [None if items is None else [*items, one] for items, one in zip(values, plain)]
    assert made["y"] == [[one, one] for one in plain]
    assert made["z"] == [None if items is None else [one, *items, one] for items, one in zip(values, plain)]


@pytest.mark.parametrize("sort", [False, True])
def test_categories_of_random_series_are_united(device, sort):
    random = Random(8)
    for _ in range(12):
        parts = [random.choices(["a", "b", "é", None, "", "zz", *map(str, range(20))], k=random.choice(SIZES)) for _ in range(random.randint(1, 4))]
        made = cn.union_categoricals([cn.Series(part, dtype="utf8").cat.encode() for part in parts], sort_categories=sort)
        values = [value for part in parts for value in part]
        categories = list(dict.fromkeys(value for value in values if value is not None))
        assert made.to_list() == values and made.cat.categories().to_list() == (sorted(categories) if sort else categories)
    ordered = [cn.Series(part).cat.encode().cat.as_ordered() for part in (["b", "a"], ["b", "a", "b"], ["a", "b"])]
    assert cn.union_categoricals(ordered[:2]).dtype == "dictionary<int32, utf8, ordered>"
    with pytest.raises(ValueError, match="union_categoricals: dictionaries: ordered dictionaries that differ"):
        cn.union_categoricals(ordered)
    with pytest.raises(ValueError, match="union_categoricals: sort_categories"):
        cn.union_categoricals(ordered[:2], sort_categories=True)
    narrow = [cn.Series([str(row) for row in range(at, at + 100)]).cast("dictionary<int8, utf8>") for at in (0, 100)]
    assert cn.union_categoricals(narrow).cat.categories().to_list() == [str(row) for row in range(200)]


POOLS = {"int64": [None, 0, 1, 2, -1, 2**62], "float64": [None, NAN, 0.0, 1.5, math.inf], "utf8": ITEMS["utf8"]}


@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("dtype", POOLS)
def test_random_keys_are_replaced(device, dtype, rows):
    random = Random(rows)
    for _ in range(4):
        values = random.choices(POOLS[dtype], k=rows + 5)
        pairs = {random.choice(POOLS[dtype]): random.choice(POOLS[dtype]) for _ in range(random.randint(1, 4))}
        series = cn.Series(values, dtype=dtype, name="l").slice(5, rows).reset_index(drop=True)
        # NAN is one object, which a dictionary finds.
        expected = repr([pairs.get(value, value) for value in values[5:]])
        frame = series.to_frame()
        assert repr(series.replace(pairs).to_list()) == repr(frame.select(col("l").replace(pairs))["l"].to_list()) == expected, pairs
        if dtype == "utf8":
            made = frame.select(col("l").cat.encode().replace(pairs))["l"]
            assert repr(made.to_list()) == expected and made.dtype == "dictionary<int32, utf8>", pairs


@pytest.mark.parametrize("rows", SIZES)
def test_least_and_greatest_text_of_random_rows(device, rows):
    random = Random(rows)
    words = ["", "a", "b", "é", "日", "A", "aa", None, "z" * 40, "\x00", "😀"]
    columns = [random.choices(words, k=rows + 3)[3:] for _ in range(3)]
    frame = cn.DataFrame({label: cn.Series(values, dtype="utf8") for label, values in zip("abc", columns)})
    for function, choose in ((cn.min_horizontal, min), (cn.max_horizontal, max)):
        def best(*texts):
            return choose((text for text in texts if text is not None), key=str.encode, default=None)

        made = frame.select(x=function("a", "b", "c"), y=function("a", cn.lit("b")), z=function("a")).to_dict()
        assert made == {"x": [best(*row) for row in zip(*columns)], "y": [best(text, "b") for text in columns[0]], "z": columns[0]}


def interpolated(values):
    """Each null between two values as a fraction, those outside of all as null."""
    made, last = list(values), None
    for row, value in enumerate(values):
        if value is None:
            continue
        for between in range(row if last is None else last + 1, row):
            made[between] = values[last] + fractions.Fraction((value - values[last]) * (between - last), row - last)
        last = row
    return made


@pytest.mark.parametrize("dtype", ["date32", "timestamp[s]", "timestamp[ns]", "timestamp[us, Europe/Berlin]", "duration[us]", "time32[s]"])
def test_times_between_others_are_rounded_down(device, dtype):
    random = Random(5)
    for rows in SIZES:
        share = random.choice([0.1, 0.5, 0.9])
        counts = [None if random.random() < share else random.randint(0 if dtype == "time32[s]" else -100, 100) for _ in range(rows)]
        series = cn.Series(counts, dtype="int64").cast(dtype)
        for made in (series.interpolate(), series.to_frame("l").select(col("l").interpolate())["l"]):
            assert made.dtype == dtype
            assert made.cast("int64").to_list() == [None if value is None else math.floor(value) for value in interpolated(counts)]
    near = cn.Series([2**63 - 10, None, None, 2**63 - 1]).cast(dtype).interpolate() if dtype == "timestamp[ns]" else None
    assert near is None or near.cast("int64").to_list() == [2**63 - 10, 2**63 - 7, 2**63 - 4, 2**63 - 1]


def test_float32_is_interpolated_as_float32(device):
    series = cn.Series([0.1, None, None, 0.4, None], dtype="float32")
    assert series.interpolate().to_list() == cn.Series([0.1, 0.2, 0.3, 0.4, None]).cast("float32").to_list()
    assert cn.Series([-3.4e38, None, 3.4e38], dtype="float32").interpolate().to_list()[1] == 0.0


@pytest.mark.parametrize("untyped, typed", [
    ([[], None, [None], []], [[1, 2], None, [], [3]]),
    ([[], None, [None], []], [["ß"], None, [None], []]),
    ([[[]], None, [None], []], [[["a"], []], None, [[]], [None]]),
    ([{"x": None, "y": 1}, None, {"x": None, "y": None}], [{"x": "a", "y": 1}, None, {"x": None, "y": 2}]),
])
def test_nulls_within_lists_and_structs_have_the_dtype_of_the_other_side(device, untyped, typed):
    for left, right in [(untyped, typed), (typed, untyped)]:
        a, b = cn.Series(left, name="a"), cn.Series(right, name="b")
        frame = cn.DataFrame({"a": a, "b": b})
        both = cn.concat([a, b.rename("a")])
        assert both.to_list() == left + right
        assert both.dtype == cn.Series(typed).dtype
        assert frame.select(x=col("a").fill_null(col("b")))["x"].to_list() == [b if a is None else a for a, b in zip(left, right)]
        assert a.fill_null(right[0]).to_list() == [right[0] if value is None else value for value in left]
        chosen = frame.select(x=cn.when(col("a") == col("b")).then(col("a")).otherwise(col("b")))["x"].to_list()
        assert chosen == right
        found = frame.select(x=col("a").is_in(b))["x"].to_list()
        assert found == [None if value is None else value in right for value in left]
    # As pyarrow does.
    tables = [pa.table({"v": pa.array(values)}) for values in (untyped, typed)]
    if not isinstance(untyped[0], dict) and not any(untyped[0]):
        assert pa.concat_tables(tables, promote_options="permissive")["v"].to_pylist() == untyped + typed


@pytest.mark.parametrize("narrow, wide, values", [
    (pa.list_(pa.int32()), pa.list_(pa.int64()), ([[1, 2], None, [None], []], [[2], [1, 2], None, [None]])),
    (pa.struct({"x": pa.int8()}), pa.struct({"x": pa.int64()}), ([{"x": 1}, None, {"x": None}], [{"x": 2}, {"x": 1}, None])),
    (pa.list_(pa.timestamp("s")), pa.list_(pa.timestamp("us")), ([[dt.datetime(2024, 5, 6)], []], [[], [dt.datetime(2024, 5, 6)]])),
])
def test_items_of_lists_and_structs_have_the_common_dtype(device, narrow, wide, values):
    tables = [pa.table({"v": pa.array(rows, dtype)}) for rows, dtype in zip(values, (narrow, wide))]
    frames = [cn.DataFrame(table) for table in tables]
    both = cn.concat(frames, ignore_index=True)
    # As pyarrow does.
    assert both.to_arrow() == pa.concat_tables(tables, promote_options="permissive")
    left, right = values
    pair = cn.DataFrame({"a": frames[0]["v"], "b": frames[1]["v"]})
    equal = pair.select(x=col("a") == col("b"))["x"].to_list()
    assert equal == [None if a is None or b is None else a == b for a, b in zip(left, right)]
    found = frames[0].select(x=col("v").is_in(frames[1]["v"]))["x"].to_list()
    assert found == [None if value is None else value in right for value in left]
    joined = frames[0].with_columns(n=cn.row_number()).merge(frames[1].with_columns(m=cn.row_number()), on="v")
    # Rows are counted from 1, and nulls match.
    expected = [(n, right.index(value) + 1) for n, value in enumerate(left, 1) if value in right]
    assert sorted(zip(joined["n"].to_list(), joined["m"].to_list())) == expected


@pytest.mark.parametrize("values", [
    [fractions.Fraction(1), fractions.Fraction(3)], [dt.datetime(2024, 5, 6), None], [dt.date(2024, 5, 6)] * 2, [dt.timedelta(1), None],
    [1, 2], [1.5, None], ["a", "ß"], [b"a", b""], [True, None], [[1], None], [{"x": 1}, {"x": None}], [None, None],
], ids=lambda values: type(values[0]).__name__)
def test_comparisons_with_nulls_without_a_dtype_are_null(device, values):
    if isinstance(values[0], fractions.Fraction):
        values = pa.array([decimal.Decimal(int(value)) for value in values], pa.decimal128(18, 0))
    frame = cn.DataFrame({"a": cn.Series(values), "null": cn.Series([None, None])})
    frame = frame.with_columns(category=cn.Series(["a", "b"]).cast("category"))
    null = cn.lit(frame.select("null").head(1))
    for label in ("a", "category"):
        value = col(label)
        for compared in [value == col("null"), col("null") == value, value < col("null"), col("null") >= value, value != null, null > value]:
            assert frame.select(x=compared)["x"].to_list() == [None, None]
            assert len(frame.filter(compared)) == 0
        assert frame.select(x=value.between(col("null"), value))["x"].to_list() == [None, None]
        missing = [value is None for value in frame[label].to_list()]
        assert frame.select(x=value.eq_missing(col("null")))["x"].to_list() == missing
        pairs = frame.select(a=value).merge(frame.select(b=col("null")), condition=col("a") != col("b"))
        assert pairs.shape == (0, 2)
