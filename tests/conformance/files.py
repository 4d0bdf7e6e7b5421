"""Files that other libraries write in every codec, layout and encoding, from random tables."""

import datetime
import tempfile
from ctypes import POINTER, Structure, byref, c_char_p, c_int32, c_int64, c_size_t, c_void_p, sizeof
from decimal import Decimal
from pathlib import Path

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.feather
import pyarrow.parquet as pq
from columnade import Failure, Table
from nests import nest
from values import same

WORDS = ["", "a", "Zürich", "中文", "a text of more than thirty-two bytes, for sure", "tab\tand \"quotes\", commas"]
DAY = datetime.date(1969, 7, 20)
NOON = datetime.datetime(1970, 1, 1, 12)


class ParquetOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("paths", POINTER(c_char_p)),
        ("path_count", c_int64),
        ("columns", POINTER(c_char_p)),
        ("column_count", c_int64),
        ("dictionary", POINTER(c_char_p)),
        ("dictionary_count", c_int64),
        ("filter", c_void_p),
        ("row_offset", c_int64),
        ("row_count", c_int64),
        ("partitions", c_int32),
        ("dictionaries", c_int32),
    ]


def flat(random, rows):
    """A table of plain columns: few and many values, runs, no, some and only nulls."""
    few, run = random.choice([2, 7, 300]), random.choice([1, 1, 20])

    def column(given, value):
        nulls = random.choice([0, 0, 0.1, 0.9, 1])
        kind = random.choice([lambda row: row // run % few, lambda row: row * 7919 % 100_003, lambda _row: 3])
        return pa.array([None if random.random() < nulls else value(kind(row)) for row in range(rows)], given)

    seconds, days = datetime.timedelta(seconds=1), datetime.timedelta(days=1)
    columns = {
        "i8": column(pa.int8(), lambda n: n % 256 - 128),
        "u16": column(pa.uint16(), lambda n: n % 65536),
        "i32": column(pa.int32(), lambda n: n * 21_000 - 2**30),
        "u32": column(pa.uint32(), lambda n: n * 42_000),
        "i64": column(pa.int64(), lambda n: (n - 500) << 40),
        "u64": column(pa.uint64(), lambda n: (n << 44) + 2**63),
        "f32": column(pa.float32(), lambda n: n / 4 if n % 5 else -0.0),
        "f64": column(pa.float64(), lambda n: n / 8 if n % 5 else float("nan")),
        "b": column(pa.bool_(), lambda n: n % 3 == 0),
        "s": column(pa.string(), lambda n: f"{WORDS[n % 6]}{n}"),
        "few": column(pa.string(), lambda n: WORDS[n % 6]),
        "large": column(pa.large_string(), lambda n: WORDS[n % 5] * (n % 3)),
        "bytes": column(pa.binary(), lambda n: bytes([n % 256, 0, 255])),
        "day": column(pa.date32(), lambda n: DAY + n % 30_000 * days),
        "ms": column(pa.timestamp("ms"), lambda n: NOON + n * seconds),
        "us": column(pa.timestamp("us", "UTC"), lambda n: NOON - n * seconds),
        "t": column(pa.time64("us"), lambda n: datetime.time(n % 24, n % 60, n % 60, n)),
        "d9": column(pa.decimal128(9, 2), lambda n: Decimal(n - 400) / 100),
        "d18": column(pa.decimal128(18, 3), lambda n: Decimal((n - 400) << 30) / 1000),
        "d38": column(pa.decimal128(38, 4), lambda n: Decimal((n - 400) << 60) / 10_000),
        "list": column(pa.list_(pa.int32()), lambda n: [n, None, -n][: n % 4]),
        "row": column(pa.struct([("x", pa.int64()), ("y", pa.string())]), lambda n: {"x": n, "y": WORDS[n % 6]}),
    }
    names = random.sample(list(columns), random.randrange(1, len(columns) + 1))
    return pa.table({name: columns[name] for name in names})


def by_pyarrow(random, table, path):
    has_dictionaries = random.random() < 0.6
    options = {
        "compression": random.choice(["none", "snappy", "gzip", "brotli", "zstd", "lz4"]),
        "use_dictionary": has_dictionaries,
        "data_page_version": random.choice(["1.0", "2.0"]),
        "version": random.choice(["1.0", "2.4", "2.6"]),
        "row_group_size": random.choice([50, 200, 10_000]),
        "data_page_size": random.choice([100, 1000, 1 << 20]),
        "write_batch_size": random.choice([10, 1000]),
        "dictionary_pagesize_limit": random.choice([100, 1 << 20]),
        "write_statistics": random.random() < 0.7,
        "store_schema": random.random() < 0.7,
        "write_page_index": random.random() < 0.5,
        "write_page_checksum": random.random() < 0.3,
        "use_compliant_nested_type": random.random() < 0.8,
        "store_decimal_as_integer": random.random() < 0.5,
    }
    if not has_dictionaries and random.random() < 0.7:
        options["column_encoding"] = {
            field.name: encoding
            for field in table.schema
            if (encoding := _encoding(random, field.type))
        }
    pq.write_table(table, path, **options)
    return options


def _encoding(random, given):
    types = pa.types
    if types.is_string(given) or types.is_large_string(given) or types.is_binary(given):
        return random.choice(["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"])
    if types.is_integer(given) or types.is_date(given) or types.is_timestamp(given):
        return random.choice(["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"])
    if types.is_floating(given):
        return random.choice(["PLAIN", "BYTE_STREAM_SPLIT"])
    if types.is_boolean(given):
        return random.choice(["PLAIN", "RLE"])
    return None


def by_polars(random, table, path):
    options = {
        "compression": random.choice(["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4"]),
        "row_group_size": random.choice([50, 200, None]),
        "data_page_size": random.choice([100, 1000, None]),
        "statistics": random.choice([True, False, "full"]),
    }
    pl.from_arrow(table).write_parquet(path, **options)
    return options


def by_duckdb(random, table, path):
    codec = random.choice(["uncompressed", "snappy", "gzip", "brotli", "zstd", "lz4_raw"])
    version = random.choice(["V1", "V2"])
    rows = random.choice([2048, 122_880])
    options = f"format parquet, codec '{codec}', parquet_version '{version}', row_group_size {rows}"
    connection = duckdb.connect()
    connection.register("source", table)
    connection.sql(f"copy source to '{path}' ({options})")
    return options


def by_pandas(random, table, path):
    frame = table.to_pandas()
    for name in table.column_names:
        if pa.types.is_string(table.schema.field(name).type) and random.random() < 0.5:
            frame[name] = frame[name].astype("category")
    options = {"compression": random.choice(["snappy", "gzip", "zstd", None]), "index": random.random() < 0.3}
    frame.to_parquet(path, **options)
    return options


def read(library, path, rows=None, dictionaries=0):
    options = ParquetOptions(size=sizeof(ParquetOptions), dictionaries=dictionaries)
    if rows:
        options.row_offset, options.row_count = rows[0], rows[1] - rows[0]
    handle = c_void_p()
    library.read_parquet(c_char_p(str(path).encode()), byref(options), byref(handle))
    return pa.table(Table(library, handle))


def read_ipc(library, path):
    handle = c_void_p()
    library.read_ipc(c_char_p(str(path).encode()), None, byref(handle))
    return pa.table(Table(library, handle))


def plain(value, given):
    """A value as frames have it: a map is a list of structs."""
    if value is None:
        return None
    if pa.types.is_map(given):
        key, item = given.key_type, given.item_type
        return [{"key": plain(k, key), "value": plain(v, item)} for k, v in value]
    if pa.types.is_struct(given):
        return {field.name: plain(value[field.name], field.type) for field in given}
    if pa.types.is_nested(given) and hasattr(given, "value_type"):
        return [plain(item, given.value_type) for item in value]
    return value


def assert_same(found, expected, what):
    assert found.column_names == expected.column_names, f"{what}: {found.column_names}"
    assert found.num_rows == expected.num_rows, f"{what}: {found.num_rows} rows, expected {expected.num_rows}"
    for name in expected.column_names:
        given = expected.schema.field(name).type
        theirs = [plain(value, given) for value in expected[name].to_pylist()]
        ours = found[name].to_pylist()
        if not same(ours, theirs):
            row = next(row for row, pair in enumerate(zip(ours, theirs)) if not same(*pair))
            raise AssertionError(
                f"{what}: column {name} of {given}, row {row}: found {ours[row]!r}, expected {theirs[row]!r}"
            )


def check_parquet(library, source, folder):
    """One random file of each writer: whole, by rows and with its dictionaries. Returns what was checked."""
    rows = source.choice([0, 1, 31, 33, 64, 65, 300, 1000])
    checked = []
    for writer in (by_pyarrow, by_polars, by_duckdb, by_pandas):
        table = flat(source, rows)
        if writer is by_pyarrow and source.random() < 0.5:
            table = table.append_column("nest", nest(source, 3, rows))
        path = Path(folder, f"{writer.__name__}.parquet")
        try:
            options = writer(source, table, path)
            expected = pq.read_table(path)
        except (pa.ArrowException, pl.exceptions.PolarsError, NotImplementedError, OSError) as error:
            checked.append(f"{writer.__name__} refuses: {str(error)[:100]}")
            continue
        what = f"{writer.__name__} {options}"
        assert_same(read(library, path), expected, what)
        first = source.randrange(rows + 1)
        last = source.randrange(first, rows + 1)
        if last > first:
            assert_same(read(library, path, (first, last)), expected.slice(first, last - first), f"{what} rows")
        assert_same(read(library, path, dictionaries=1), expected, f"{what} dictionaries")
        checked.append(what)
    return checked


def check_ipc(library, source, folder):
    """One random file of each writer."""
    rows = source.choice([0, 1, 31, 33, 64, 300])
    table = flat(source, rows).append_column("nest", nest(source, 3, rows))
    path = Path(folder, "f.arrow")
    codec = source.choice([None, "lz4", "zstd"])
    options = pa.ipc.IpcWriteOptions(compression=codec, unify_dictionaries=True)
    make = source.choice([pa.ipc.new_file, pa.ipc.new_stream])
    with make(path, table.schema, options=options) as writer:
        writer.write_table(table, source.choice([7, 50, 1000]))
    assert_same(read_ipc(library, path), table, f"{make.__name__} {codec}")
    frame = pl.from_arrow(flat(source, rows))
    compression = source.choice(["uncompressed", "lz4", "zstd"])
    level = source.choice([0, 1])
    frame.write_ipc(path, compression=compression, compat_level=pl.CompatLevel.oldest() if level == 0 else None)
    assert_same(read_ipc(library, path), pa.feather.read_table(path), f"polars {compression} {level}")


def sweep(library, source, seeds):
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            for check in (check_parquet, check_ipc):
                try:
                    check(library, source(f"{check.__name__} {seed}"), folder)
                except (AssertionError, Failure) as error:
                    raise AssertionError(f"seed {seed}: {error}") from error
