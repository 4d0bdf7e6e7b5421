"""Columns of every dtype as Python values: the result that every exchange must give."""

import datetime
import math
from dataclasses import dataclass
from decimal import Decimal
from zoneinfo import ZoneInfo

import pyarrow as pa

ROWS = 160
BERLIN = "Europe/Berlin"
DAY = datetime.date(2024, 2, 29)
NOON = datetime.datetime(2024, 3, 31, 12, 0)
TEXT = ["", "ß", "zwei", "a text of more than twelve bytes", "中文", "naïve", "a\0b"]


@dataclass
class Case:
    """Values, the type that they are given, and the type that they come back in."""

    name: str
    given: pa.DataType
    values: list
    back: pa.DataType
    array: pa.Array = None

    def __post_init__(self):
        if self.array is None:
            self.array = pa.array(self.values, self.given)


def rows(value, null=(1, 4, 7)):
    """A value for each row, null where the row's number modulo 8 is one of those."""
    return [None if row % 8 in null else value(row) for row in range(ROWS)]


def cases():
    """Every dtype, in every layout that there is."""
    plain = [*_numbers(), *_texts(), *_times(), *_decimals()]
    return [*plain, *_dictionaries(), *_nested(), *_other_layouts(), *_without_values()]


def _case(given, values, back=None, name=None, array=None):
    return Case(name or str(given), given, values, back or given, array)


def _numbers():
    for bits in (8, 16, 32, 64):
        low, high = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1
        edges = [low, high, 0, -1, 1, 42]
        yield _case(getattr(pa, f"int{bits}")(), rows(lambda row, edges=edges: edges[row % 6]))
        edges = [0, 2**bits - 1, 1, 42]
        yield _case(getattr(pa, f"uint{bits}")(), rows(lambda row, edges=edges: edges[row % 4]))
    for given in (pa.float32(), pa.float64()):
        edges = [-0.0, math.inf, -math.inf, math.nan, 0.5, 2.0**-126]
        yield _case(given, rows(lambda row: edges[row % 6]))
    yield _case(pa.bool_(), rows(lambda row: row % 3 == 0))
    yield _case(pa.int64(), rows(lambda row: row, null=()), name="int64 without nulls")
    yield _case(pa.bool_(), rows(lambda row: row % 3 == 0, null=()), name="bool without nulls")


def _texts():
    text = rows(lambda row: TEXT[row % len(TEXT)])
    data = rows(lambda row: TEXT[row % len(TEXT)].encode() + b"\xff")
    yield _case(pa.string(), text)
    yield _case(pa.large_string(), text)
    yield _case(pa.string_view(), text, pa.string())
    yield _case(pa.binary(), data)
    yield _case(pa.large_binary(), data)
    yield _case(pa.binary_view(), data, pa.binary())
    yield _case(pa.binary(3), rows(lambda row: bytes([row, 0, 255])), pa.binary())
    yield _case(pa.string(), rows(lambda row: TEXT[row % len(TEXT)], null=()), name="string without nulls")


def _times():
    yield _case(pa.date32(), rows(lambda row: DAY + datetime.timedelta(days=1000 * (row - 80))))
    step, zone = datetime.timedelta(hours=37, seconds=1), ZoneInfo(BERLIN)
    for unit in ("s", "ms", "us", "ns"):
        yield _case(pa.timestamp(unit), rows(lambda row: NOON + (row - 80) * step))
        yield _case(pa.timestamp(unit, BERLIN), rows(lambda row: (NOON + row * step).replace(tzinfo=zone)))
        yield _case(pa.duration(unit), rows(lambda row: (row - 80) * step))
    for given in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")):
        yield _case(given, rows(lambda row: datetime.time(row % 24, row % 60, row % 7)))


def _decimals():
    for given in (pa.decimal32(9, 2), pa.decimal64(15, 2), pa.decimal128(12, 3), pa.decimal128(38, 5)):
        scale = Decimal(1).scaleb(-given.scale)
        yield _case(given, rows(lambda row, scale=scale: (row * row - 900) * scale))
    yield _case(pa.decimal128(38, -2), rows(lambda row: Decimal(row - 80).scaleb(2)))


def _dictionaries():
    words = ["x", "ß", "more than twelve bytes of it"]
    text = rows(lambda row: words[row % 3])
    widths = [("int8", "int8"), ("int16", "int16"), ("int32", "int32"), ("int64", "int64")]
    widths += [("uint8", "int16"), ("uint16", "int32"), ("uint32", "int32"), ("uint64", "int64")]
    for codes, back in widths:
        given, back = (pa.dictionary(getattr(pa, codes)(), pa.string()) for codes in (codes, back))
        yield _case(given, text, back)
    numbers = pa.dictionary(pa.int32(), pa.int64(), ordered=True)
    codes = pa.array(rows(lambda row: row % 3), pa.int32())
    array = pa.DictionaryArray.from_arrays(codes, pa.array([7, -1, 2**40]), ordered=True)
    yield _case(numbers, rows(lambda row: [7, -1, 2**40][row % 3]), array=array)
    # Nulls among the values, and a value twice.
    array = pa.DictionaryArray.from_arrays(codes, pa.array(["x", None, "x"]))
    values = [None if code is None or code == 1 else "x" for code in codes.to_pylist()]
    yield _case(array.type, values, name="dictionary with nulls among its values", array=array)


def _nested():
    number = rows(lambda row: row % 9 - 4)
    yield _case(pa.list_(pa.int64()), rows(lambda row: number[: row % 5]))
    yield _case(pa.large_list(pa.string()), rows(lambda row: TEXT[: row % 4]))
    yield _case(pa.list_(pa.int64(), 2), rows(lambda row: [row, None]), pa.list_(pa.int64()))
    yield _case(pa.list_(pa.list_(pa.bool_())), rows(lambda row: [[True] * (row % 3), None, [False]]))
    point = pa.struct([("x", pa.int32()), ("text", pa.string())])
    yield _case(point, rows(lambda row: {"x": number[row], "text": TEXT[row % 7]}))
    yield _case(pa.list_(point), rows(lambda row: [{"x": row, "text": None}] * (row % 3)))
    deep = pa.struct([("a", pa.struct([("b", pa.list_(pa.struct([("c", pa.string())])))]))])
    yield _case(deep, rows(lambda row: {"a": {"b": [{"c": TEXT[row % 7]}] * (row % 3)}}))
    words = pa.struct([("word", pa.dictionary(pa.int8(), pa.string()))])
    yield _case(words, rows(lambda row: {"word": TEXT[row % 3]}))


def _other_layouts():
    """Those that columns do not have: they come back in the layout that columns have."""
    days = rows(lambda row: DAY + datetime.timedelta(days=1000 * (row - 80)))
    times = [None if day is None else datetime.datetime.combine(day, datetime.time()) for day in days]
    yield _case(pa.date64(), times, pa.timestamp("ms"), array=pa.array(days, pa.date64()))
    scale = Decimal("0.01")
    wide = rows(lambda row: (row * row - 900) * scale)
    yield _case(pa.decimal256(50, 2), wide, pa.decimal128(38, 2))
    lists = rows(lambda row: [row, None][: row % 3])
    yield _case(pa.list_view(pa.int32()), lists, pa.list_(pa.int32()))
    yield _case(pa.large_list_view(pa.int32()), lists, pa.list_(pa.int32()))
    # Anywhere in the items, and some of them twice.
    starts, sizes = [row * 7 % 50 for row in range(ROWS)], [row % 5 for row in range(ROWS)]
    items = [TEXT[row % 7] for row in range(60)]
    values = rows(lambda row: items[starts[row] : starts[row] + sizes[row]])
    mask = pa.array([value is None for value in values])
    starts, sizes = (pa.array(numbers, pa.int32()) for numbers in (starts, sizes))
    array = pa.ListViewArray.from_arrays(starts, sizes, pa.array(items), mask=mask)
    yield _case(array.type, values, pa.list_(pa.string()), "list view in no order", array)
    entries = rows(lambda row: [(TEXT[key], row) for key in range(row % 4)])
    given = pa.map_(pa.string(), pa.int64())
    back = pa.list_(pa.struct([("key", pa.string()), ("value", pa.int64())]))
    pairs = [entry and [{"key": key, "value": value} for key, value in entry] for entry in entries]
    yield _case(given, pairs, back, array=pa.array(entries, given))
    runs = ["x", None, "ß", "", "a text of more than twelve bytes"]
    ends = [1, 33, 64, 65, ROWS]
    array = pa.RunEndEncodedArray.from_arrays(pa.array(ends, pa.int32()), pa.array(runs))
    values = [next(run for run, end in zip(runs, ends) if row < end) for row in range(ROWS)]
    yield _case(array.type, values, pa.string(), array=array)


def _without_values():
    yield _case(pa.null(), [None] * ROWS)
    yield _case(pa.struct([]), rows(lambda row: {}))


def same(found, expected):
    """Whether values are equal, NaN to NaN and zeros by their signs."""
    if isinstance(expected, float) and isinstance(found, float):
        if math.isnan(expected):
            return math.isnan(found)
        return found == expected and math.copysign(1, found) == math.copysign(1, expected)
    if isinstance(expected, list) and isinstance(found, (list, tuple)):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, dict) and isinstance(found, dict):
        return found.keys() == expected.keys() and all(same(found[key], expected[key]) for key in expected)
    return found == expected
