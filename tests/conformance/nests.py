"""Random arrays of random types in each other, laid out in every way that Arrow allows."""

import datetime
from decimal import Decimal

import pyarrow as pa

TEXT = ["x", "ß", "a text that is longer than twelve", ""]
LEAVES = [
    (pa.int8(), lambda random: random.randrange(-128, 128)),
    (pa.uint64(), lambda random: random.randrange(2**64)),
    (pa.bool_(), lambda random: random.random() < 0.5),
    (pa.float16(), lambda random: random.randrange(100) / 4),
    (pa.float32(), lambda random: random.randrange(100) / 4),
    (pa.string(), lambda random: random.choice(TEXT)),
    (pa.large_string(), lambda random: random.choice(TEXT)),
    (pa.string_view(), lambda random: random.choice(TEXT)),
    (pa.binary_view(), lambda random: random.choice(TEXT).encode()),
    (pa.binary(4), lambda random: bytes([random.randrange(256)] * 4)),
    (pa.decimal32(5, 1), lambda random: Decimal(random.randrange(9999)) / 10),
    (pa.decimal128(6, 2), lambda random: Decimal(random.randrange(99999)) / 100),
    (pa.decimal128(30, 3), lambda random: Decimal(random.randrange(10**20)) / 1000),
    (pa.date32(), lambda random: datetime.date(2000, 1, 1) + datetime.timedelta(random.randrange(9999))),
    (pa.duration("ms"), lambda random: datetime.timedelta(milliseconds=random.randrange(9999))),
    (pa.timestamp("us"), lambda random: datetime.datetime(2000, 1, 1, microsecond=random.randrange(10**6))),
    (pa.null(), lambda random: None),
]
DICTIONARIES = [
    pa.array(["a", "b", "a", None]),
    pa.array([1, 2, 3], pa.int16()),
    pa.array(["q", "w"], pa.large_string()),
    pa.array([b"1", b"2"], pa.binary()),
    pa.array([1.5, 2.5]),
    pa.array(["v", "w longer than twelve bytes"], pa.string_view()),
]
CODES = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]


def nest(random, depth, rows):
    """An array of types within types, of so many levels at most."""
    makers = (_leaf, _leaf, _lists, _fixed_lists, _struct, _struct, _dictionary)
    return random.choice(makers if depth else makers[:1])(random, depth, rows)


def _mask(random, rows):
    if rows == 0 or random.random() < 0.4:
        return None
    return pa.array([random.random() < 0.2 for _ in range(rows)])


def _leaf(random, _depth, rows):
    given, value = random.choice(LEAVES)
    nulls = random.choice([0, 0.3, 1])
    return pa.array([None if random.random() < nulls else value(random) for _ in range(rows)], given)


def _lists(random, depth, rows):
    offsets = [random.randrange(3)]
    for _ in range(rows):
        offsets.append(offsets[-1] + random.randrange(4))
    items = nest(random, depth - 1, offsets[-1] + random.randrange(3))
    lists, width = random.choice([(pa.ListArray, pa.int32()), (pa.LargeListArray, pa.int64())])
    return lists.from_arrays(pa.array(offsets, width), items, mask=_mask(random, rows))


def _fixed_lists(random, depth, rows):
    length = random.randrange(4)
    if length == 0:
        return pa.array([[]] * rows, pa.list_(pa.int8(), 0))
    items = nest(random, depth - 1, rows * length)
    return pa.FixedSizeListArray.from_arrays(items, length, mask=_mask(random, rows))


def _struct(random, depth, rows):
    fields = random.randrange(4)
    if fields == 0:
        return pa.array([{} if random.random() < 0.8 else None for _ in range(rows)], pa.struct([]))
    children = []
    for _ in range(fields):
        # Fields that begin elsewhere than their struct.
        before = random.choice([0, random.randrange(5)])
        children.append(nest(random, depth - 1, rows + 5).slice(before, rows))
    return pa.StructArray.from_arrays(children, [f"f{at}" for at in range(fields)], mask=_mask(random, rows))


def _dictionary(random, _depth, rows):
    values = random.choice(DICTIONARIES)
    codes = [None if random.random() < 0.2 else random.randrange(len(values)) for _ in range(rows)]
    return pa.DictionaryArray.from_arrays(pa.array(codes, random.choice(CODES)), values)
