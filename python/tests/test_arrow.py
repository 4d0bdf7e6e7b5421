"""Arrow's PyCapsule interface, in both directions."""

import ctypes
import datetime as dt
import gc
from decimal import Decimal

import columnade as cn
import duckdb
import nanoarrow
import pandas
import polars
import pyarrow as pa
import pytest


def host_only(data):
    """pyarrow prefers the methods of devices, and its wheels cannot import those of the simulator."""
    from columnade._convert import _OfTheHost

    return _OfTheHost(data)


ARRAYS = {
    "bool": pa.array([True, None, False] * 30),
    "int8": pa.array([1, None, -128], pa.int8()),
    "uint64": pa.array([2**64 - 1, None, 0], pa.uint64()),
    "float32": pa.array([0.5, None, -0.0], pa.float32()),
    "utf8": pa.array(["", None, "Zürich", "x" * 100]),
    "large_utf8": pa.array(["", None, "Zürich", "x" * 100], pa.large_string()),
    "binary": pa.array([b"", None, b"\x00\xff"]),
    "date32": pa.array([dt.date(2024, 2, 29), None]),
    "timestamp": pa.array([dt.datetime(2024, 2, 29), None], pa.timestamp("ns")),
    "zoned": pa.array([dt.datetime(2024, 2, 29), None], pa.timestamp("ms", "Europe/Berlin")),
    "duration": pa.array([dt.timedelta(seconds=5), None], pa.duration("s")),
    "time32s": pa.array([dt.time(23, 59, 59), None], pa.time32("s")),
    "time32": pa.array([dt.time(12, 34, 56, 789000), None], pa.time32("ms")),
    "time64": pa.array([dt.time(12, 34, 56, 789001), None], pa.time64("us")),
    "time64ns": pa.array([dt.time(0), None], pa.time64("ns")),
    "decimal128": pa.array([Decimal("1.25"), None], pa.decimal128(30, 2)),
    "dictionary": pa.array(["a", None, "b", "a"]).dictionary_encode(),
    "list": pa.array([[1, None], None, [], [2]]),
    "struct": pa.array([{"x": 1, "y": "a"}, {"x": None, "y": None}]),
    "null": pa.nulls(5),
    "empty": pa.array([], pa.string()),
}


@pytest.mark.parametrize("kind", ARRAYS)
@pytest.mark.parametrize("offset", [0, 1])
def test_array_of_pyarrow_returns_unchanged(device, kind, offset):
    array = ARRAYS[kind][offset:]
    series = cn.Series.from_arrow(array)
    assert series.device == device and len(series) == len(array)
    back = pa.array(host_only(series))
    back.validate(full=True)
    assert back.type == array.type and back.equals(array)


def test_frame_exchanged_with_each_library(device):
    table = pa.table({"n": pa.array([1, None, 3]), "s": pa.array(["a", "b", None]), "f": pa.array([0.5, 1.5, 2.5])})
    frame = cn.from_arrow(table)
    expected = table.to_pydict()
    assert frame.to_dict() == expected
    assert frame.to_arrow().equals(table)
    assert polars.DataFrame(frame).to_dict(as_series=False) == expected
    assert polars.from_arrow(pa.table(host_only(frame))).equals(polars.DataFrame(frame))
    assert cn.DataFrame(polars.from_arrow(table)).to_dict() == expected
    assert cn.Series(polars.Series("x", ["a", None])).to_list() == ["a", None]
    assert nanoarrow.Array(host_only(frame["n"])).to_pylist() == expected["n"]
    assert cn.Series.from_arrow(nanoarrow.Array([1, None, 2], nanoarrow.int32())).to_list() == [1, None, 2]
    assert duckdb.sql("select sum(n) as total from frame").fetchall() == [(4,)]
    assert cn.from_arrow(duckdb.sql("select 42 as answer").to_arrow_table())["answer"].to_list() == [42]
    assert pandas.DataFrame.from_arrow(host_only(frame))["f"].tolist() == expected["f"]


def test_host_memory_is_shared_both_ways():
    array = pa.array(list(range(1000)))
    series = cn.Series.from_arrow(array)
    back = pa.array(host_only(series))
    assert back.buffers()[1].address == array.buffers()[1].address


def test_tables_of_several_chunks_become_one_column(device):
    chunks = pa.chunked_array([[1, 2], [], [None, 4]])
    assert cn.Series.from_arrow(chunks).to_list() == [1, 2, None, 4]
    assert cn.Series(chunks).to_list() == [1, 2, None, 4]
    reader = pa.RecordBatchReader.from_batches(
        pa.schema([("a", pa.int64())]), [pa.record_batch({"a": [1]}), pa.record_batch({"a": [2]})]
    )
    assert cn.from_arrow(reader)["a"].to_list() == [1, 2]


def test_from_arrow_of_an_array_is_a_series():
    assert isinstance(cn.from_arrow(pa.array([1])), cn.Series)
    assert isinstance(cn.from_arrow(polars.Series([1])), cn.Series)
    assert isinstance(cn.from_arrow(pa.array([{"a": 1}])), cn.DataFrame)
    assert isinstance(cn.from_arrow(pa.record_batch({"a": [1]})), cn.DataFrame)


def name_of(capsule):
    ctypes.pythonapi.PyCapsule_GetName.restype = ctypes.c_char_p
    ctypes.pythonapi.PyCapsule_GetName.argtypes = [ctypes.py_object]
    return ctypes.pythonapi.PyCapsule_GetName(capsule).decode()


@pytest.mark.parametrize("data", [cn.DataFrame({"a": [1]}), cn.Series([1])])
def test_capsules_have_the_names_of_the_interface(data):
    assert name_of(data.__arrow_c_schema__()) == "arrow_schema"
    assert [name_of(capsule) for capsule in data.__arrow_c_array__()] == ["arrow_schema", "arrow_array"]
    assert [name_of(capsule) for capsule in data.__arrow_c_device_array__()] == ["arrow_schema", "arrow_device_array"]
    assert name_of(data.__arrow_c_stream__()) == "arrow_array_stream"
    assert name_of(data.__arrow_c_device_stream__()) == "arrow_device_array_stream"


class ArrowArray(ctypes.Structure):
    _fields_ = [
        *((name, ctypes.c_int64) for name in ("length", "null_count", "offset", "n_buffers", "n_children")),
        *((name, ctypes.c_void_p) for name in ("buffers", "children", "dictionary", "release", "private_data")),
    ]


class ArrowDeviceArray(ctypes.Structure):
    _fields_ = [
        ("array", ArrowArray), ("device_id", ctypes.c_int64), ("device_type", ctypes.c_int32),
        ("sync_event", ctypes.c_void_p), ("reserved", ctypes.c_int64 * 3),
    ]


def pointer(capsule, name):
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get(capsule, name)


def test_device_array_names_its_device(device):
    _, capsule = cn.Series([1, None, 3]).__arrow_c_device_array__()
    array = ArrowDeviceArray.from_address(pointer(capsule, b"arrow_device_array"))
    assert array.array.length == 3 and list(array.reserved) == [0, 0, 0]
    if device == "host":
        assert (array.device_type, array.device_id, array.sync_event) == (1, -1, None)
    else:
        # The simulator is a device of the kind "ext dev".
        assert array.device_type == {"sim": 12}.get(device, 2) and array.device_id == 0 and array.sync_event
    assert array.array.null_count in (1, -1)


class Producer:
    """An object with some of Arrow's methods, as any library may have."""

    def __init__(self, **methods):
        for name, result in methods.items():
            setattr(self, name, lambda requested_schema=None, result=result: result() if callable(result) else result)


def test_device_arrays_stay_on_their_device(device):
    frame = cn.DataFrame({"a": [1, None], "s": ["x", "y"]})
    cn.set_default_device("host")
    for method in ("__arrow_c_device_array__", "__arrow_c_device_stream__"):
        back = cn.from_arrow(Producer(**{method: getattr(frame, method)}))
        assert back.device == device and back.to_device("host").to_dict() == {"a": [1, None], "s": ["x", "y"]}


def test_methods_that_are_not_implemented_are_passed_over():
    def refused():
        raise NotImplementedError("no stream of this device")

    frame = cn.DataFrame({"a": [1]})
    producer = Producer(__arrow_c_device_stream__=refused, __arrow_c_array__=frame.__arrow_c_array__)
    assert cn.from_arrow(producer).equals(frame)
    with pytest.raises(NotImplementedError, match="no stream"):
        cn.from_arrow(Producer(__arrow_c_device_stream__=refused))


def test_capsule_used_twice_is_value_error(device):
    series = cn.Series([1, 2])
    for method in ("__arrow_c_array__", "__arrow_c_stream__", "__arrow_c_device_array__", "__arrow_c_device_stream__"):
        capsules = getattr(series, method)()
        producer = Producer(**{method: capsules})
        assert cn.Series.from_arrow(producer).to_device("host").to_list() == [1, 2]
        with pytest.raises(ValueError, match="used before"):
            cn.Series.from_arrow(producer)


def test_what_is_no_capsule_is_type_error():
    with pytest.raises(TypeError, match="two capsules"):
        cn.from_arrow(Producer(__arrow_c_array__=3))
    with pytest.raises(TypeError, match="expected a capsule, found int"):
        cn.from_arrow(Producer(__arrow_c_stream__=3))
    with pytest.raises(TypeError, match="none of Arrow's methods"):
        cn.DataFrame.from_arrow(3)
    wrong = cn.Series([1]).__arrow_c_schema__()
    with pytest.raises(ValueError):
        cn.from_arrow(Producer(__arrow_c_stream__=wrong))


def test_failed_import_leaves_the_source():
    array = pa.UnionArray.from_sparse(pa.array([0], "int8"), [pa.array([1])])
    capsules = array.__arrow_c_array__()
    producer = Producer(__arrow_c_array__=capsules)
    with pytest.raises(NotImplementedError, match="union"):
        cn.Series.from_arrow(producer)
    assert pa.Array._import_from_c_capsule(*capsules).equals(array)


def test_producer_that_lies_about_lengths_is_value_error():
    schema, array = pa.array([1, 2, 3]).__arrow_c_array__()
    view = ArrowArray.from_address(pointer(array, b"arrow_array"))
    view.n_buffers = 7
    with pytest.raises(ValueError, match="buffers"):
        cn.Series.from_arrow(Producer(__arrow_c_array__=(schema, array)))
    view.n_buffers, view.length = 2, -3
    with pytest.raises(ValueError, match="negative"):
        cn.Series.from_arrow(Producer(__arrow_c_array__=(schema, array)))
    view.length = 3
    assert cn.Series.from_arrow(Producer(__arrow_c_array__=(schema, array))).to_list() == [1, 2, 3]


def test_unknown_keywords_are_refused_unless_none(device):
    for data in (cn.Series([1]), cn.DataFrame({"a": [1]})):
        for method in (data.__arrow_c_device_array__, data.__arrow_c_device_stream__):
            method(None, later=None)
            with pytest.raises(NotImplementedError, match="later, other|other, later"):
                method(later=1, other=2, third=None)


def test_requested_schema_is_honoured(device):
    frame = cn.DataFrame({"a": [1, None], "s": ["x", "y"]})
    asked = pa.schema([("a", pa.float64()), ("s", pa.large_string())])
    table = pa.RecordBatchReader._import_from_c_capsule(frame.__arrow_c_stream__(asked.__arrow_c_schema__())).read_all()
    assert table.schema == asked and table.to_pydict() == {"a": [1.0, None], "s": ["x", "y"]}
    array = pa.Array._import_from_c_capsule(*frame["a"].__arrow_c_array__(pa.int16().__arrow_c_schema__()))
    assert array.type == pa.int16()
    # Decimals as wide as asked, and strings as small.
    decimals = cn.Series([Decimal("1.5")])
    array = pa.Array._import_from_c_capsule(*decimals.__arrow_c_array__(pa.decimal128(2, 1).__arrow_c_schema__()))
    assert array.type == pa.decimal128(2, 1) and array.to_pylist() == [Decimal("1.5")]


def test_requested_schema_that_cannot_be_met():
    frame = cn.DataFrame({"a": [1, 2]})
    with pytest.raises(ValueError, match="2 fields, and the frame has 1"):
        frame.__arrow_c_array__(pa.schema([("a", pa.int64()), ("b", pa.int64())]).__arrow_c_schema__())
    with pytest.raises(ValueError, match="struct"):
        frame.__arrow_c_array__(pa.int64().__arrow_c_schema__())
    # Types without a dtype here, and without a cast: the values as they are, which the interface allows.
    for impossible in (pa.month_day_nano_interval(), pa.list_(pa.int8())):
        array = pa.Array._import_from_c_capsule(*frame["a"].__arrow_c_array__(impossible.__arrow_c_schema__()))
        assert array.type == pa.int64()
    with pytest.raises(ValueError, match="300 does not fit int8"):
        cn.Series([300]).__arrow_c_array__(pa.int8().__arrow_c_schema__())
    with pytest.raises(TypeError, match="capsule"):
        frame.__arrow_c_array__("int64")


def test_labels_that_are_no_strings_are_type_error():
    with pytest.raises(TypeError, match="not a string") as error:
        cn.DataFrame({1: [1]}).__arrow_c_array__()
    assert error.value.column == "1"


def test_arrays_outlive_frames_and_capsules():
    table = pa.table(host_only(cn.DataFrame({"a": list(range(100)), "s": ["x"] * 100})))
    gc.collect()
    assert table["a"].to_pylist() == list(range(100)) and set(table["s"].to_pylist()) == {"x"}
    series = cn.Series.from_arrow(pa.array([1, 2, 3]))
    gc.collect()
    assert series.to_list() == [1, 2, 3]


def test_frames_without_columns_or_rows_are_exchanged():
    batch = pa.RecordBatch.from_struct_array(pa.array([{}] * 5, pa.struct([])))
    assert cn.from_arrow(batch).shape == (5, 0)
    empty = cn.DataFrame({"a": cn.Series([], dtype="utf8"), "l": cn.Series([], dtype="list<int64>")})
    for back in (empty.to_arrow(), pa.record_batch(host_only(empty)), polars.DataFrame(empty)):
        assert len(back) == 0
    assert cn.from_arrow(empty.to_arrow()).dtypes == {"a": "utf8", "l": "list<int64>"}
