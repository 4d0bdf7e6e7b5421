"""What we export read by others, and what they export read by us: `cargo xtask conformance` runs this.

usage: run.py LIBRARY [FILTER]
"""

import gc
import random
import sys
import traceback

import jax
import nanoarrow
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from columnade import DECIMALS_128, ArrowArray, DLManagedTensorVersioned, Failure, Library, pointer
from files import sweep
from pandas.core.arrays.arrow.extension_types import ArrowIntervalType
from nests import nest
from values import ROWS, cases, rows, same

try:
    import torch
except ImportError:
    torch = None

SLICES = [(0, ROWS), (1, 1), (3, 30), (31, 33), (64, 65), (7, 150), (0, 0), (ROWS, 0)]
NUMBERS = [f"{kind}{bits}" for kind in ("int", "uint") for bits in (8, 16, 32, 64)] + ["float32", "float64"]

TESTS = []


def test(function):
    """Registers a function; one with a parameter `case` is a test for every case."""
    TESTS.append(function)
    return function


def expect(found, expected):
    assert same(found, expected), f"found {str(found)[:300]}, expected {str(expected)[:300]}"


def read_by_pyarrow(exported, back, values):
    """What is exported is an array of that type with these values, and valid; `None` for any type."""
    array = pa.array(exported)
    array.validate(full=True)
    assert back in (None, array.type), f"type {array.type}, expected {back}"
    expect(array.to_pylist(), values)
    if not pa.types.is_null(array.type):
        assert array.null_count == values.count(None)


@test
def pyarrow_arrays(library, case):
    """Slices of theirs, and of ours."""
    whole = library.column(case.array)
    for offset, length in SLICES:
        values = case.values[offset : offset + length]
        read_by_pyarrow(library.column(case.array.slice(offset, length)), case.back, values)
        read_by_pyarrow(whole.slice(offset, length), case.back, values)
    for parts in ((13, 70), (31, 65)):
        inner = case.values[parts[0] : parts[0] + parts[1]][5:42]
        read_by_pyarrow(library.column(case.array.slice(*parts)).slice(5, 37), case.back, inner)


@test
def pyarrow_all_null(library, case):
    for rows in (1, 5, 64, 77):
        read_by_pyarrow(library.column(pa.nulls(rows, case.given)), case.back, [None] * rows)


@test
def pyarrow_empty(library, case):
    """Without rows from the start, and perhaps without buffers."""
    read_by_pyarrow(library.column(pa.array([], case.given)), case.back, [])


@test
def random_nests(library):
    """Whole and sliced, as columns, as columns of frames with rows that are null as a whole, and one after the other."""
    for seed in range(400):
        source = random.Random(seed)
        count = source.choice([0, 1, 5, 33, 70, 130])
        array = nest(source, 3, count)
        offset = source.randrange(count + 1)
        length = source.randrange(count - offset + 1)
        part = array.slice(offset, length)
        values = part.to_pylist()
        column = library.column(part)
        read_by_pyarrow(column, None, values)
        if length > 2:
            read_by_pyarrow(column.slice(1, length - 2), None, values[1:-1])
        masked = pa.StructArray.from_arrays(
            [array, pa.array(range(count), pa.int32())],
            ["x", "row"],
            mask=pa.array([row % 4 == 2 for row in range(count)], pa.bool_()),
        ).slice(offset, length)
        found = pa.record_batch(library.table(masked))
        found.validate(full=True)
        expect(found["x"].to_pylist(), [row and row["x"] for row in masked.to_pylist()])
        both = [library.table(pa.record_batch([one], ["x"])) for one in (part, array)]
        joined = pa.record_batch(library.concat(both))
        joined.validate(full=True)
        expect(joined["x"].to_pylist(), values + array.to_pylist())


@test
def nulls_that_hide_bytes(library):
    """Under a null may be what is no text."""
    data = pa.array([b"a", b"\xff\xfe", b"b", b"\xc3"])
    validity = pa.array([True, False, True, False]).buffers()[1]
    for text, data in ((pa.string(), data), (pa.large_string(), data.cast(pa.large_binary()))):
        array = pa.Array.from_buffers(text, 4, [validity, *data.buffers()[1:]])
        column = library.column(array)
        read_by_pyarrow(column, text, ["a", None, "b", None])
        read_by_pyarrow(column.slice(1, 2), text, [None, "b"])
        expect(pl.Series(column).to_list(), ["a", None, "b", None])


@test
def intervals(library):
    """As pandas writes them: structs of an extension type."""
    for closed in ("left", "right", "both", "neither"):
        for ends in (pa.int64(), pa.float64(), pa.timestamp("ns", "Europe/Berlin")):
            given = ArrowIntervalType(ends, closed)
            numbers = rows(lambda row: {"left": row, "right": row + 2})
            storage = pa.array(numbers, pa.struct([("left", pa.int64()), ("right", pa.int64())]))
            array = pa.ExtensionArray.from_storage(given, storage.cast(given.storage_type))
            whole, values = library.column(array), array.to_pylist()
            for offset, length in SLICES:
                expected = values[offset : offset + length]
                read_by_pyarrow(library.column(array.slice(offset, length)), given, expected)
                read_by_pyarrow(whole.slice(offset, length), given, expected)
            read_by_pyarrow(library.column(pa.nulls(5, given)), given, [None] * 5)
            read_by_pyarrow(library.column(array.slice(0, 0)), given, [])


@test
def calendar_intervals(library):
    """Columns do not have them: they become structs of their parts."""
    names = ("months", "days", "nanoseconds")
    given = [(1, -2, 3), None, (0, 0, -5), (2**31 - 1, -(2**31), 2**62)]
    array = pa.array([None if parts is None else pa.MonthDayNano(list(parts)) for parts in given])
    expected = [None if parts is None else dict(zip(names, parts, strict=True)) for parts in given]
    for offset, length in [(0, 4), (1, 3), (3, 1), (0, 0)]:
        read_by_pyarrow(library.column(array.slice(offset, length)), None, expected[offset : offset + length])


@test
def pyarrow_device_arrays(library, case):
    """As arrays of the CPU as a device."""
    column = library.column_of_device(case.array.slice(3, 99))
    schema, array = column.__arrow_c_device_array__()
    found = pa.Array._import_from_c_device_capsule(schema, array)
    found.validate(full=True)
    assert found.type == case.back
    expect(found.to_pylist(), case.values[3:102])


@test
def our_own_memory(library, case):
    """What our kernels have written: rows of several tables in one, with offsets of 32 bits where they suffice."""
    batch = pa.record_batch([case.array], ["c"])
    parts = [(0, 33), (33, 0), (33, 100), (133, 27)]
    table = library.concat([library.table(batch.slice(*part)) for part in parts])
    for offset, length in SLICES:
        read_by_pyarrow(table[0].slice(offset, length), None, case.values[offset : offset + length])


@test
def nanoarrow_arrays(library, case):
    values = case.values
    if pa.types.is_decimal(case.given):
        return "nanoarrow 0.9.0 reads no decimals of 64 bits, and loses the signs of others"
    if case.given == pa.struct([]):
        return "nanoarrow 0.9.0 reads no rows of structs without fields"
    expect(nanoarrow.Array(library.column(case.array)).to_pylist(), values)
    for count in (0, 1, 77):
        expect(nanoarrow.Array(library.column(pa.nulls(count, case.given))).to_pylist(), [None] * count)
    if case.given in (pa.string_view(), pa.binary_view()):
        # Exporting a view that it imported, it corrupts memory.
        return None
    column = library.column(nanoarrow.c_array(case.array.slice(3, 87)))
    expect(nanoarrow.Array(column).to_pylist(), values[3:90])
    read_by_pyarrow(column, case.back, values[3:90])
    return None


@test
def polars_series(library, case):
    if pa.types.is_decimal(case.given) and case.given.scale < 0:
        return "polars panics on decimals with a negative scale"
    column = library.column(case.array)
    for offset, length in SLICES:
        series = pl.Series(column.slice(offset, length))
        expect(series.to_list(), case.values[offset : offset + length])
        # Theirs come as streams, in layouts of their own.
        back = library.column(series)
        expect(pl.Series(back).to_list(), case.values[offset : offset + length])
        inner = slice(length // 3, length // 3 + length // 2)
        expect(pl.Series(back.slice(inner.start, length // 2)).to_list(), series[inner].to_list())
    for count in (0, 1, 77):
        series = pl.Series(library.column(pa.nulls(count, case.given)))
        expect(series.to_list(), [None] * count)
        expect(pl.Series(library.column(series)).to_list(), [None] * count)
    return None


@test
def pandas_columns(library, case):
    """As pandas reads the same from pyarrow, and back."""
    for array in (case.array, case.array.slice(7, 90), case.array.slice(0, 0), pa.nulls(5, case.given)):
        table = library.table(pa.record_batch([array], ["c"]))
        ours, theirs = pd.DataFrame.from_arrow(table), pd.DataFrame.from_arrow(pa.table(table))
        pd.testing.assert_frame_equal(ours, theirs)
        arrow = pa.table(ours)
        expect(pa.table(library.table(ours))["c"].to_pylist(), arrow["c"].to_pylist())


def frame():
    """All cases as one record batch."""
    return pa.record_batch({case.name: case.array for case in cases()})


@test
def pyarrow_frames(library):
    """Record batches with an offset of their own, and as arrays of a device."""
    batch = frame()
    for offset, length in SLICES:
        part = batch.slice(offset, length)
        structs = part.to_struct_array()
        for table in (library.table_of_device(part), library.table(pa.table(part)), library.table(structs)):
            schema, array = table.__arrow_c_device_array__()
            found = pa.RecordBatch._import_from_c_device_capsule(schema, array)
            found.validate(full=True)
            assert found.num_rows == length
            for case in cases():
                expect(found.column(case.name).to_pylist(), case.values[offset : offset + length])


@test
def nulls_of_a_frame_are_those_of_its_columns(library):
    rows = pa.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "z"}, {"a": 4, "b": None}])
    found = pa.record_batch(library.table(rows.slice(1)))
    assert found.to_pydict() == {"a": [None, None, 4], "b": [None, "z", None]}


@test
def pyarrow_streams(library):
    """Chunks of several lengths, none among them."""
    batch = frame()
    chunks = [batch.slice(0, 50), batch.slice(50, 0), batch.slice(50, 110)]
    reader = pa.RecordBatchReader.from_batches(batch.schema, chunks)
    table = library.table(reader)
    for table.stream_rows in (1, 37, ROWS, 10_000):
        found = pa.table(table)
        found.validate(full=True)
        assert max(map(len, found.to_batches())) == min(table.stream_rows, ROWS)
        for case in cases():
            expect(found.column(case.name).to_pylist(), case.values)
    empty = pa.table(library.table(pa.RecordBatchReader.from_batches(batch.schema, [])))
    assert empty.num_rows == 0 and empty.schema.names == batch.schema.names


@test
def pyarrow_chunks(library, case):
    """Streams of bare columns: chunks with offsets of their own, one of them empty, and no chunks at all."""
    for bounds in ([(3, 50), (53, 0), (53, 100)], [(0, ROWS)], []):
        chunks = pa.chunked_array([case.array.slice(*bound) for bound in bounds], case.given)
        found = pa.array(library.column(chunks))
        found.validate(full=True)
        expect(found.to_pylist(), [row for at, rows in bounds for row in case.values[at : at + rows]])


@test
def our_chunks(library, case):
    """Streams of ours: as chunks of pyarrow, and as a series of polars."""
    column = library.column(case.array.slice(3, 150))
    for column.stream_rows in (1, 37, 150, 10_000):
        found = pa.chunked_array(column)
        found.validate(full=True)
        assert found.type == case.back
        assert max(map(len, found.chunks)) == min(column.stream_rows, 150)
        expect(found.to_pylist(), case.values[3:153])
    empty = pa.chunked_array(library.column(case.array.slice(0, 0)))
    assert len(empty) == 0 and empty.type == case.back
    if not (pa.types.is_decimal(case.given) and case.given.scale < 0):
        column.stream_rows = 37
        expect(pl.Series(column).to_list(), case.values[3:153])


@test
def rows_without_columns(library):
    table = library.table(pa.record_batch([pa.array([1, 2, 3])], ["a"]).select([]))
    assert len(table) == 3
    schema, array = table.__arrow_c_device_array__()
    assert pa.RecordBatch._import_from_c_device_capsule(schema, array).num_rows == 3


@test
def polars_frames(library):
    known = [case for case in cases() if not (pa.types.is_decimal(case.given) and case.given.scale < 0)]
    frame = pl.DataFrame([pl.Series(library.column(case.array)).rename(case.name) for case in known])
    table = library.table(frame)
    # Version 2.1.0 misreads decimals of 64 bits in frames, those of pyarrow too.
    table.export_options = DECIMALS_128
    back = pl.DataFrame(table)
    assert back.columns == frame.columns
    for case in known:
        expect(back[case.name].to_list(), case.values)
    categories = pl.Series("c", ["b", "a", None, "b"], pl.Categorical)
    levels = pl.Series("e", ["low", None, "high", "low"], pl.Enum(["low", "high"]))
    back = pl.DataFrame(library.table(pl.DataFrame([categories, levels])))
    assert back.to_dict(as_series=False) == {"c": ["b", "a", None, "b"], "e": ["low", None, "high", "low"]}


@test
def pandas_frames(library):
    frame = pd.DataFrame(
        {
            "int": pd.array([1, None, 3], "Int64"),
            "float": [0.5, float("nan"), -0.0],
            "bool": [True, False, True],
            "text": ["a", None, "中"],
            "when": pd.to_datetime(["2024-02-29", None, "1969-12-31T23:59:59.999999999"], format="ISO8601"),
            "zone": pd.to_datetime(["2024-02-29", None, "1900-01-01"]).tz_localize("Europe/Berlin"),
            "category": pd.Categorical(["x", None, "y"], ["y", "x", "z"], ordered=True),
            "delta": pd.to_timedelta(["1D", None, "-1ns"]),
            "interval": pd.arrays.IntervalArray.from_breaks([0, 1, 2, 3], closed="left"),
        }
    )
    expected = pa.table(frame)
    found = pa.table(library.table(frame))
    assert found.schema.names == expected.schema.names
    for name in found.schema.names:
        expect(found[name].to_pylist(), expected[name].to_pylist())
    back = found.to_pandas()
    for name in ("bool", "text", "when", "zone", "category", "delta", "interval"):
        pd.testing.assert_series_equal(back[name], expected[name].to_pandas(), check_names=False)
    ours = pd.DataFrame.from_arrow(library.table(frame))
    pd.testing.assert_frame_equal(ours, pd.DataFrame.from_arrow(found))


@test
def categories_of_nothing(library):
    """What pandas makes of categories that no row has: dictionaries of floats, or of nulls, which are of text here."""
    no_type = pd.Index([], dtype=object)
    for values, categories, ordered in (
        ([], None, False),
        ([None, None], None, False),
        ([None], None, True),
        ([None, None], no_type, False),
        ([None], no_type, True),
    ):
        series = pd.Series(pd.Categorical(values, categories, ordered=ordered))
        array = pa.array(series)
        back = array.type
        if pa.types.is_null(back.value_type):
            back = pa.dictionary(back.index_type, pa.string(), ordered)
        read_by_pyarrow(library.column(array), back, values)
        frame = pd.DataFrame({"c": series})
        found = pa.table(library.table(frame)).to_pandas()["c"]
        assert found.cat.ordered == ordered and list(found.cat.categories) == []
        assert found.cat.codes.tolist() == [-1] * len(values)
    named = pa.DictionaryArray.from_arrays(pa.array([0, None, 0], pa.int32()), pa.nulls(1))
    read_by_pyarrow(library.column(named), pa.dictionary(pa.int32(), pa.string()), [None] * 3)
    read_by_pyarrow(library.column(named.slice(1, 1)), None, [None])


@test
def categories_of_floats(library):
    for values in ([1.5, None, 2.5, 1.5], [0.0, float("inf")]):
        array = pa.array(pd.Categorical(values))
        read_by_pyarrow(library.column(array), array.type, array.to_pylist())


@test
def half_floats(library):
    """They become float32, which represents all of them."""
    values = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    array = pa.array(values, mask=np.arange(1 << 16) % 5 == 2)
    for offset, length in [(0, len(array)), (1, 1), (7, 30_000), (65_000, 536), (0, 0)]:
        part = array.slice(offset, length)
        read_by_pyarrow(library.column(part), pa.float32(), part.to_pylist())
    read_by_pyarrow(library.column(pa.nulls(3, pa.float16())), pa.float32(), [None] * 3)
    if hasattr(pl, "Float16"):
        series = pl.Series([0.5, None, -2.0], dtype=pl.Float16)
        read_by_pyarrow(library.column(series), pa.float32(), series.to_list())


@test
def types_that_we_do_not_have(library):
    for given in (
        pa.UnionArray.from_sparse(pa.array([0], pa.int8()), [pa.array([1])]),
        pa.nulls(3, pa.decimal256(50, 45)),
    ):
        try:
            library.column(given)
        except Failure as failure:
            assert "not" in failure.text, failure
        else:
            raise AssertionError(f"{given.type} was taken")


@test
def memory_is_shared(library):
    """Both ways, and nothing is copied."""
    array = pa.array(range(1000), pa.int64())
    schema, exported = library.column(array.slice(100)).__arrow_c_array__()
    found = ArrowArray.from_address(pointer(exported, ArrowArray))
    address = found.buffers[1] + 8 * found.offset
    assert address == array.buffers()[1].address + 800
    del schema


def tensor_of(exported):
    """The versioned tensor of what is exported."""
    capsule = exported.__dlpack__(max_version=(1, 0))
    return capsule, DLManagedTensorVersioned.from_address(pointer(capsule, DLManagedTensorVersioned))


@test
def tensors_of_numpy(library):
    for name in NUMBERS:
        values = np.arange(100).astype(name)
        column = library.column_of_tensor(values)
        for offset, length in ((0, 100), (3, 90), (7, 0)):
            part = column.slice(offset, length)
            found = np.from_dlpack(part)
            np.testing.assert_array_equal(found, values[offset : offset + length])
            assert found.dtype == values.dtype
            assert length == 0 or not found.flags.writeable
            assert length == 0 or found.ctypes.data == values[offset:].ctypes.data
            copied = np.from_dlpack(part, copy=True)
            np.testing.assert_array_equal(copied, found)
            assert length == 0 or copied.ctypes.data != found.ctypes.data
        # At distances, backwards, and with an address that is no multiple of anything.
        for theirs in (values[::3], values[::-1], np.frombuffer(b"\0" + values.tobytes(), name, offset=1)):
            column = library.column_of_tensor(theirs, max_version=(1, 0))
            read_by_pyarrow(column, pa.array(values).type, theirs.tolist())
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    for theirs in (halves, halves[::3], halves[::-1]):
        found = np.from_dlpack(library.column_of_tensor(theirs, max_version=(1, 0)))
        np.testing.assert_array_equal(found, theirs.astype(np.float32))
        assert found.dtype == np.float32
    booleans = np.array([True, False, True])
    np.testing.assert_array_equal(np.from_dlpack(library.column_of_tensor(booleans)), booleans)


@test
def tensors_of_two_dimensions(library):
    for order in "CF":
        values = np.asarray(np.arange(60.0).reshape(20, 3), order=order)
        table = library.table_of_tensor(values, max_version=(1, 0))
        np.testing.assert_array_equal(np.from_dlpack(table), values)
        np.testing.assert_array_equal(np.from_dlpack(table.slice(3, 11)), values[3:14])
        assert (np.from_dlpack(table).ctypes.data == values.ctypes.data) == (order == "F")


@test
def tensors_of_jax(library):
    for name in [name for name in NUMBERS if "64" not in name]:
        values = np.arange(64).astype(name)
        column = library.column_of_tensor(values)
        np.testing.assert_array_equal(np.asarray(jax.dlpack.from_dlpack(column)), values)
        back = library.column_of_tensor(jax.numpy.asarray(values))
        np.testing.assert_array_equal(np.from_dlpack(back), values)


@test
def tensors_of_torch(library):
    if torch is None:
        return "torch is not installed"
    for name in NUMBERS:
        values = np.arange(64).astype(name)
        column = library.column_of_tensor(values)
        for offset, length in ((0, 64), (5, 41), (9, 0)):
            found = torch.from_dlpack(column.slice(offset, length))
            np.testing.assert_array_equal(found.numpy(), values[offset : offset + length])
        for theirs in (found, torch.arange(64).to(getattr(torch, name))[3::5]):
            back = library.column_of_tensor(theirs)
            np.testing.assert_array_equal(np.from_dlpack(back), theirs.numpy())
    table = library.table_of_tensor(torch.arange(12.0).reshape(4, 3))
    assert torch.from_dlpack(table).tolist() == torch.arange(12.0).reshape(4, 3).tolist()
    return None


@test
def tensors_of_pyarrow(library):
    """Producers without a version, and read-only."""
    array = pa.array([3, 1, 2], pa.int32())
    np.testing.assert_array_equal(np.from_dlpack(library.column_of_tensor(array)), [3, 1, 2])


@test
def tensors_that_cannot_be(library):
    refused = [
        pa.array([1, None]),
        pa.array(["a"]),
        pa.array([0], pa.timestamp("s")),
        pa.array([1], pa.decimal64(4, 1)),
    ]
    for array in refused:
        for consumer in filter(None, (np, jax.dlpack, torch)):
            try:
                consumer.from_dlpack(library.column(array))
            except BufferError:
                continue
            raise AssertionError(f"{consumer.__name__} was given {array.type}")
    capsule, tensor = tensor_of(library.column(pa.array([], pa.int64())))
    assert tensor.major == 1 and not tensor.dl_tensor.data and tensor.dl_tensor.strides
    del capsule


@test
def files_of_other_libraries(library):
    """Parquet and Arrow IPC files of pyarrow, Polars, DuckDB and pandas, by a seed."""
    sweep(library, random.Random, range(12))


@test
def capsules_that_no_consumer_takes(library):
    """Give back what they hold; one that was taken is empty."""
    before = pa.total_allocated_bytes()
    array = pa.array(range(10_000))
    column = library.column(array)
    column.__arrow_c_array__(), column.__arrow_c_device_array__(), column.__dlpack__()
    capsules = column.__arrow_c_array__()
    pa.Array._import_from_c_capsule(*capsules)
    try:
        pa.Array._import_from_c_capsule(*capsules)
    except pa.ArrowInvalid:
        pass
    else:
        raise AssertionError("an array was taken twice")
    del array, column, capsules
    gc.collect()
    assert pa.total_allocated_bytes() == before


def chosen(pattern):
    """The tests whose names have the pattern in them, with their arguments."""
    every = cases()
    for function in TESTS:
        takes_case = "case" in function.__code__.co_varnames[: function.__code__.co_argcount]
        for case in every if takes_case else [None]:
            name = f"conformance: {function.__name__}" + (f" {case.name}" if case else "")
            if pattern in name:
                yield name, function, [case] if case else []


def main(path, pattern=""):
    library = Library(path)
    tests = list(chosen(pattern))
    passed = failed = skipped = 0
    print(f"running {len(tests)} tests", flush=True)
    for name, function, arguments in tests:
        try:
            reason = function(library, *arguments)
        except Exception:
            failed += 1
            print(f"{name} ... FAILED")
            traceback.print_exc(file=sys.stdout, limit=-3)
        else:
            passed += reason is None
            skipped += reason is not None
            if reason:
                print(f"{name} ... skipped: {reason}")
    result = "FAILED" if failed else "ok"
    print(f"test result: {result}. {passed} passed; {failed} failed; {skipped} ignored", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
