"""DLPack and the CUDA Array Interface, with producers and consumers written from the specifications."""

import ctypes
import gc
import weakref

import columnade as cn
import numpy as np
import pytest

from test_arrow import name_of, pointer


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Legacy(ctypes.Structure):
    pass


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
Legacy._fields_ = [("tensor", DLTensor), ("manager", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("manager", ctypes.c_void_p), ("deleter", DELETER),
        ("flags", ctypes.c_uint64), ("tensor", DLTensor),
    ]


READ_ONLY, IS_COPIED = 1, 2
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}


def new_capsule(address, name):
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return new(address, name, None)


class Producer:
    """A tensor of the host as any library may export it. Counts how often the deleter was called."""

    _alive = {}

    def __init__(self, array, *, versioned=True, device=(1, 0), flags=0, version=(1, 0), strides=True, code=None):
        self.array, self.versioned, self.device, self.asked, self.deleted = array, versioned, device, [], 0
        self.flags, self.version, self.strides, self.code = flags, version, strides, code

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **keywords):
        self.asked.append(keywords)
        array = self.array
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        strides = (ctypes.c_int64 * array.ndim)(*(stride // array.itemsize for stride in array.strides))
        struct = Versioned() if self.versioned else Legacy()
        struct.tensor = DLTensor(
            array.ctypes.data if array.size else None, *self.device, array.ndim,
            CODES[array.dtype.kind] if self.code is None else self.code, array.itemsize * 8, 1, shape,
            strides if self.strides else None, 0,
        )
        key = id(struct)

        def delete(_):
            self.deleted += 1
            Producer._alive.pop(key)

        struct.deleter = DELETER(delete)
        if self.versioned:
            struct.major, struct.minor = self.version
            struct.flags = self.flags
        Producer._alive[key] = (struct, shape, strides, array)
        return new_capsule(ctypes.addressof(struct), b"dltensor_versioned" if self.versioned else b"dltensor")


def tensor_of(capsule):
    name = name_of(capsule).encode()
    kind = Versioned if name == b"dltensor_versioned" else Legacy
    return kind.from_address(pointer(capsule, name))


@pytest.mark.parametrize("max_version, name", [
    (None, "dltensor"), ((0, 8), "dltensor"), ((1, 0), "dltensor_versioned"), ((1, 3), "dltensor_versioned"),
    ((2, 0), "dltensor_versioned"),
])
def test_capsule_form_follows_max_version(device, max_version, name):
    assert name_of(cn.Series([1, 2]).__dlpack__(max_version=max_version)) == name


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "?"])
@pytest.mark.parametrize("rows", [0, 1, 33, 1000])
def test_exported_tensor_describes_values(device, dtype, rows):
    array = (np.arange(rows) % 100).astype(dtype)
    series = cn.Series(array)
    struct = tensor_of(capsule := series.__dlpack__(max_version=(1, 0)))
    tensor = struct.tensor
    assert (struct.major, tensor.ndim, tensor.shape[0], tensor.strides[0]) == (1, 1, rows, 1)
    assert (tensor.code, tensor.bits, tensor.lanes) == (CODES[array.dtype.kind], array.itemsize * 8, 1)
    assert (tensor.device_type, tensor.device_id) == series.__dlpack_device__()
    assert tensor.byte_offset == 0 and bool(tensor.data) == (rows > 0)
    if rows and device == "host":
        raw = ctypes.string_at(tensor.data, array.nbytes)
        assert raw == array.tobytes()
    del capsule


def test_slices_are_exported_from_their_first_value(device):
    series = cn.Series(list(range(100)))[37:90]
    assert np.array_equal(np.from_dlpack(series.to_device("host")), np.arange(37, 90))
    back = cn.from_dlpack(series)
    assert back.device == device and back.to_list() == list(range(37, 90))


def test_flags_say_read_only_and_copied(device):
    series = cn.Series([1, 2, 3])
    assert tensor_of(series.__dlpack__(max_version=(1, 0))).flags == READ_ONLY
    first, second = series.__dlpack__(max_version=(1, 0)), series.__dlpack__(max_version=(1, 0), copy=True)
    assert tensor_of(second).flags & IS_COPIED
    assert tensor_of(first).tensor.data != tensor_of(second).tensor.data
    again = series.__dlpack__(max_version=(1, 0), copy=False)
    assert tensor_of(first).tensor.data == tensor_of(again).tensor.data


def test_export_to_the_host_copies_and_takes_no_stream(device):
    series = cn.Series([1, 2, 3])
    capsule = series.__dlpack__(max_version=(1, 0), dl_device=(1, 0))
    struct = tensor_of(capsule)
    assert struct.tensor.device_type == 1
    assert ctypes.string_at(struct.tensor.data, 24) == np.array([1, 2, 3]).tobytes()
    if device != "host":
        assert struct.flags & IS_COPIED
        with pytest.raises(BufferError):
            series.__dlpack__(max_version=(1, 0), dl_device=(1, 0), copy=False)
        with pytest.raises(ValueError, match="stream"):
            series.__dlpack__(max_version=(1, 0), dl_device=(1, 0), stream=1)
    with pytest.raises(BufferError):
        series.__dlpack__(dl_device=(7, 0))


def test_streams_of_each_device(device):
    series = cn.Series([1, 2, 3])
    if device == "host":
        for number in (-1, 1, 2, 4096):
            with pytest.raises((BufferError, ValueError)):
                series.__dlpack__(stream=number)
        series.__dlpack__(stream=None)
    else:
        for number in (None, -1, 1, 2):
            series.__dlpack__(stream=number)
    for number in (0, -2):
        with pytest.raises(ValueError, match="stream"):
            series.__dlpack__(stream=number)


def test_what_dlpack_cannot_represent_is_buffer_error(device):
    import datetime

    for values in ([1, None], ["a"], [datetime.date(2024, 1, 1)], [[1]], [b"x"]):
        with pytest.raises(BufferError) as error:
            cn.Series(values, name="x").__dlpack__()
        assert isinstance(error.value, ValueError) and not isinstance(error.value, TypeError)
        assert error.value.operation == "to_dlpack" and error.value.column == "x"
    with pytest.raises(BufferError, match="fill_null"):
        cn.Series([1, None]).__dlpack__()
    # A mask without nulls is no obstacle.
    assert cn.from_dlpack(cn.Series([1, None])[:1]).to_list() == [1]


def test_frames_of_one_dtype_are_matrices(device):
    frame = cn.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0], "z": [5.0, 6.0]})
    assert np.array_equal(np.from_dlpack(frame.to_device("host")), [[1, 3, 5], [2, 4, 6]])
    back = cn.from_dlpack(frame)
    assert back.device == device and back.columns == [0, 1, 2] and back[2].to_list() == [5.0, 6.0]
    with pytest.raises(BufferError):
        cn.DataFrame({"x": [1], "y": [1.0]}).__dlpack__()


@pytest.mark.parametrize("versioned", [True, False])
@pytest.mark.parametrize("strides", [True, False])
def test_import_shares_memory_and_deletes_once(versioned, strides):
    array = np.arange(64, dtype="i8")
    producer = Producer(array, versioned=versioned, strides=strides)
    series = cn.from_dlpack(producer)
    assert series.to_list() == list(range(64)) and producer.deleted == 0
    assert tensor_of(series.__dlpack__()).tensor.data == array.ctypes.data
    kept = series[10:20]
    del series
    gc.collect()
    assert producer.deleted == 0 and kept.to_list() == list(range(10, 20))
    del kept
    gc.collect()
    assert producer.deleted == 1


def test_import_asks_in_the_words_of_the_standard():
    producer = Producer(np.arange(3))
    cn.from_dlpack(producer, copy=True)
    assert producer.asked == [{"max_version": (1, 3), "copy": True}]


def test_producers_without_keywords_are_asked_again():
    class Old(Producer):
        def __dlpack__(self, stream=None):
            return super().__dlpack__(stream=stream)

    producer = Old(np.arange(3), versioned=False)
    assert cn.from_dlpack(producer).to_list() == [0, 1, 2]


def test_import_of_matrices_by_rows_and_columns(device):
    for array in (np.arange(6.0).reshape(3, 2), np.asfortranarray(np.arange(6.0).reshape(3, 2))):
        frame = cn.from_dlpack(Producer(array))
        assert frame.shape == (3, 2) and frame[1].to_list() == array[:, 1].tolist()
    with pytest.raises(BufferError):
        cn.from_dlpack(Producer(np.zeros((2, 2, 2))))


def test_import_to_another_device_copies(device):
    producer = Producer(np.arange(5))
    series = cn.from_dlpack(producer, device=device)
    assert series.device == device and series.to_list() == [0, 1, 2, 3, 4]
    assert cn.from_dlpack(series, device="cpu").device == "host"
    if device != "host":
        with pytest.raises(BufferError, match="copy"):
            cn.from_dlpack(producer, device=device, copy=False)


@pytest.mark.skipif("sim" not in cn.available_devices(), reason="the build has no simulator")
def test_import_from_a_device_that_is_not_the_default_one():
    assert cn.default_device() == "host"
    values = cn.Series([1, 2, 3], device="sim")
    table = cn.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}, device="sim")
    for _ in range(3):
        back = cn.from_dlpack(values)
        assert back.device == "sim" and (back + 1).to_list() == [2, 3, 4]
        assert cn.from_dlpack(values, device="cpu").device == "host"
        frame = cn.from_dlpack(table)
        assert frame.device == "sim" and frame.to_dict() == {0: [1.0, 2.0], 1: [3.0, 4.0]}
        assert cn.default_device() == "host"
        gc.collect()


def test_import_of_strided_memory_without_copy_is_buffer_error():
    array = np.arange(10)[::2]
    assert cn.from_dlpack(Producer(array)).to_list() == [0, 2, 4, 6, 8]
    refused = Producer(array)
    with pytest.raises(BufferError):
        cn.from_dlpack(refused, copy=False)
    assert refused.deleted == 1


@pytest.mark.parametrize("lie, match", [
    ({"device": (99, 0)}, "99"), ({"device": (2, 5)}, "device"), ({"code": 5}, "dtype|type"), ({"version": (2, 0)}, "2"),
])
def test_producers_that_cannot_be_understood_are_refused_and_released(lie, match):
    producer = Producer(np.arange(4), **lie)
    with pytest.raises(BufferError, match=match) as error:
        cn.from_dlpack(producer)
    if "device" in lie:
        assert isinstance(error.value, TypeError)
    assert producer.deleted == len(producer.asked)


def test_capsules_are_taken_once():
    capsule = cn.Series([1, 2]).__dlpack__(max_version=(1, 0))
    assert cn.from_dlpack(capsule).to_list() == [1, 2]
    assert name_of(capsule) == "used_dltensor_versioned"
    with pytest.raises(ValueError, match="once"):
        cn.from_dlpack(capsule)
    with pytest.raises(TypeError, match="no __dlpack__"):
        cn.from_dlpack([1, 2])


def test_unused_capsules_release_the_memory():
    producer = Producer(np.arange(8))
    series = cn.from_dlpack(producer)
    for max_version in (None, (1, 0)):
        capsule = series.__dlpack__(max_version=max_version)
    del capsule, series
    gc.collect()
    assert producer.deleted == 1


class CudaArray:
    """Memory of a device as any library may describe it: here that of a series, with entries replaced."""

    def __init__(self, owner, **entries):
        self.owner, self.entries = owner, entries

    @property
    def __cuda_array_interface__(self):
        return {**self.owner.__cuda_array_interface__, **self.entries}


def test_cuda_array_interface_of_the_host_is_attribute_error():
    assert not hasattr(cn.Series([1], device="host"), "__cuda_array_interface__")
    with pytest.raises(AttributeError, match="to_device"):
        cn.Series([1], device="host").__cuda_array_interface__


@pytest.mark.parametrize("dtype", ["|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4", "<u8", "<f4", "<f8", "|b1"])
def test_cuda_array_interface_has_the_entries_of_version_3(sim, dtype):
    series = cn.Series(np.array([1, 0, 1]).astype(dtype))
    described = series.__cuda_array_interface__
    assert described["shape"] == (3,) and described["typestr"] == dtype and described["version"] == 3
    address, read_only = described["data"]
    assert address > 0 and isinstance(read_only, bool)
    assert described["strides"] is None and described["mask"] is None
    assert described["descr"] == [("", dtype)]
    assert described["stream"] is None or described["stream"] not in (0,)
    # The same each time: the memory stays where it is.
    assert series.__cuda_array_interface__ == described


def test_cuda_array_of_times_and_other_dtypes(sim):
    assert cn.Series(np.array([1], dtype="M8[ns]")).__cuda_array_interface__["typestr"] == "<M8[ns]"
    for values in (["a"], [[1]], [b"x"]):
        assert not hasattr(cn.Series(values), "__cuda_array_interface__")
    assert cn.Series([], dtype="int64").__cuda_array_interface__["data"][0] == 0


def test_cuda_array_shares_memory(sim):
    series = cn.Series(list(range(100)))
    column = cn.as_column(series)
    assert column.device == "sim" and column.to_list() == list(range(100))
    assert column.__cuda_array_interface__["data"][0] == series.__cuda_array_interface__["data"][0]
    copied = cn.as_column(series, copy=True)
    assert copied.__cuda_array_interface__["data"][0] != series.__cuda_array_interface__["data"][0]
    assert cn.Series(CudaArray(series)).to_list() == list(range(100))


@pytest.mark.parametrize("entries", [
    {"data": (64, False)},
    {"shape": (1 << 40,)},
    {"strides": (1 << 40,)},
    {"data": (np.arange(100).ctypes.data, False)},
])
def test_cuda_array_of_memory_that_the_device_does_not_have_is_value_error(sim, entries):
    series = cn.Series(list(range(100)))
    with pytest.raises(ValueError, match="data") as error:
        cn.as_column(CudaArray(series, **entries))
    assert error.value.operation == "as_column"
    assert cn.as_column(CudaArray(series)).to_list() == list(range(100))


def test_cuda_array_producer_lives_as_long_as_the_series(sim):
    producer = CudaArray(cn.Series([1, 2, 3]))
    alive = weakref.ref(producer)
    column = cn.as_column(producer)
    del producer
    gc.collect()
    assert alive() is not None and column.to_list() == [1, 2, 3]
    del column
    gc.collect()
    assert alive() is None


def test_cuda_array_masks_are_bytes_for_each_row(sim):
    series = cn.Series([1, None, 3, None])
    mask = series.__cuda_array_interface__["mask"]
    described = mask.__cuda_array_interface__
    assert described["shape"] == (4,) and described["typestr"] in ("|b1", "|u1")
    assert cn.as_column(mask).to_list() in ([True, False, True, False], [1, 0, 1, 0])
    assert cn.as_column(CudaArray(series)).to_list() == [1, None, 3, None]


def test_cuda_array_masks_of_other_types(sim):
    data = cn.Series([1, 2, 3])
    for values in ([1, 0, 7], [1.0, 0.0, 0.5], [True, False, True]):
        mask = cn.Series(values)
        assert cn.as_column(CudaArray(data, mask=mask)).to_list() == [1, None, 3], values
    bits = cn.Series(np.array([0b101] + [0] * 63, dtype="u1"))
    assert cn.as_column(CudaArray(data, mask=bits), mask="bits").to_list() == [1, None, 3]
    for typestr in ("<t1", "|t1"):
        of_bits = CudaArray(bits, typestr=typestr, shape=(3,), descr=None)
        assert cn.as_column(CudaArray(data, mask=of_bits)).to_list() == [1, None, 3]
    with pytest.raises(ValueError):
        cn.as_column(CudaArray(data, mask=cn.Series([True, False])))
    with pytest.raises(ValueError, match="mask is"):
        cn.as_column(data, mask="maybe")


@pytest.mark.parametrize("length", [1, 2, 4, 64])
def test_cuda_array_masks_of_another_length_are_errors(sim, length):
    data = cn.Series([1, 2, 3])
    for dtype in ("u1", "?", "i4"):
        for layout in ("auto", "elements"):
            with pytest.raises(cn.TensorError, match="an element for each value"):
                cn.as_column(CudaArray(data, mask=cn.Series(np.ones(length, dtype))), mask=layout)


def test_cuda_array_strides(sim):
    data = cn.Series(list(range(10)))
    every_second = CudaArray(data, shape=(5,), strides=(16,))
    assert cn.as_column(every_second).to_list() == [0, 2, 4, 6, 8]
    with pytest.raises(BufferError):
        cn.as_column(every_second, copy=False)
    with pytest.raises(ValueError):
        cn.as_column(CudaArray(data, strides=(8, 8)))


def test_unknown_streams_are_errors(sim):
    data = cn.Series([1, 2, 3])
    for stream in (3, 12345, 2**63 - 1):
        with pytest.raises(cn.ColumnadeError, match="cudaErrorInvalidResourceHandle"):
            cn.as_column(CudaArray(data, stream=stream))
        with pytest.raises(cn.ColumnadeError, match="cudaErrorInvalidResourceHandle"):
            data.__dlpack__(stream=stream)
    assert cn.as_column(CudaArray(data)).to_list() == [1, 2, 3]


def test_mask_that_is_its_own_mask_is_an_error(sim):
    array = CudaArray(cn.Series([1, 2, 3]))
    array.entries["mask"] = array
    with pytest.raises(ValueError, match="the mask has a mask"):
        cn.as_column(array)


def test_cuda_array_streams_are_honoured(sim):
    data = cn.Series([1, 2, 3])
    own = data.__cuda_array_interface__["stream"]
    for stream in (None, own):
        assert cn.as_column(CudaArray(data, stream=stream)).to_list() == [1, 2, 3]
    # The simulator has no default streams.
    for stream in (1, 2):
        with pytest.raises(ValueError, match="no default streams"):
            cn.as_column(CudaArray(data, stream=stream))
    with pytest.raises(ValueError, match="stream"):
        cn.as_column(CudaArray(data, stream=0))
    assert cn.as_column(CudaArray(data, stream=1), stream="ignore").to_list() == [1, 2, 3]


@pytest.mark.parametrize("entries", [
    {"typestr": "<x9"}, {"typestr": ">i8"}, {"shape": (-1,)}, {"data": 3}, {"version": "three"}, {"shape": 3}, {"stream": "x"},
])
def test_invalid_descriptions_are_errors(sim, entries):
    with pytest.raises((ValueError, TypeError)) as error:
        cn.as_column(CudaArray(cn.Series([1, 2, 3]), **entries))
    assert isinstance(error.value, cn.ColumnadeError)


def test_objects_without_the_interface_are_type_error(sim):
    with pytest.raises(TypeError, match="has no __cuda_array_interface__"):
        cn.as_column([1, 2])


def test_import_to_a_device_as_the_array_api_names_it(device):
    series = cn.Series([1, 2, 3])
    host = cn.from_dlpack(series, device=(1, 0))
    assert host.device == "host" and host.to_list() == [1, 2, 3]
    own = series.__dlpack_device__()
    assert cn.from_dlpack(series, device=own).device == device
    assert cn.from_dlpack(np.arange(3), device=own).device == device
    frame = cn.from_dlpack(cn.DataFrame({"a": [1.0, 2.0], "b": [3.0, 4.0]}), device=(1, 0))
    assert frame.device == "host" and frame.to_dict() == {0: [1.0, 2.0], 1: [3.0, 4.0]}
    # numpy's has the same arguments.
    assert np.from_dlpack(np.arange(3), device="cpu").tolist() == cn.from_dlpack(np.arange(3), device=(1, 0)).to_list()


def test_import_to_the_host_copies_as_asked(device):
    array = np.arange(4)
    shared = cn.from_dlpack(array, device=(1, 0), copy=False)
    copied = cn.from_dlpack(array, device=(1, 0), copy=True)
    array[0] = 9
    assert shared.to_list() == [9, 1, 2, 3] and copied.to_list() == [0, 1, 2, 3]
    if device != "host":
        with pytest.raises(BufferError, match="copy"):
            cn.from_dlpack(cn.Series([1]), device=(1, 0), copy=False)


def test_producers_copy_to_the_host_themselves():
    """The build need not know a device whose producer copies."""

    class Elsewhere(Producer):
        def __dlpack_device__(self):
            return (10, 3)

        def __dlpack__(self, *, max_version=None, dl_device=None, copy=None):
            if dl_device != (1, 0):
                raise BufferError("only to the host")
            return super().__dlpack__(max_version=max_version, dl_device=dl_device, copy=copy)

    producer = Elsewhere(np.arange(4))
    assert cn.from_dlpack(producer, device=(1, 0)).to_list() == [0, 1, 2, 3]
    assert producer.asked[0]["dl_device"] == (1, 0) and producer.asked[0]["copy"] is None
    assert cn.from_dlpack(producer, device="cpu", copy=True).to_list() == [0, 1, 2, 3]
    for options in ({}, {"device": (1, 0), "copy": False}):
        with pytest.raises(BufferError):
            cn.from_dlpack(producer, **options)

    class Refuses(Elsewhere):
        def __dlpack__(self, **keywords):
            raise BufferError("nothing is copied")

    with pytest.raises(BufferError, match="nothing is copied"):
        cn.from_dlpack(Refuses(np.arange(4)), device=(1, 0))


@pytest.mark.parametrize("device", [(99, 0), (2, 64), (1, 5), (-1, 0)])
def test_devices_that_are_not_there_are_buffer_errors(device):
    with pytest.raises(BufferError) as error:
        cn.from_dlpack(np.arange(3), device=device)
    assert error.value.operation == "from_dlpack"


@pytest.mark.parametrize("device", [1, (1,), (1, 0, 0), ("cpu", 0), [1, 0], 1.5, (None, None)])
def test_what_is_no_device_is_a_type_error(device):
    with pytest.raises(TypeError, match="^from_dlpack: device is a name"):
        cn.from_dlpack(np.arange(3), device=device)
