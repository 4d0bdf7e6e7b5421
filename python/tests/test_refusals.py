"""Arguments that lie or do not fit: an exception of the right class that says what is wrong, and memory is given back."""

import ctypes

import columnade as cn
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from test_arrow import ArrowArray, ArrowDeviceArray, Producer as ArrowProducer, pointer
from test_tensors import CudaArray, Producer, tensor_of


class Liar(Producer):
    """A tensor with fields replaced after it was described."""

    def __init__(self, array, **lies):
        super().__init__(array)
        self.lies = lies

    def __dlpack__(self, **keywords):
        capsule = super().__dlpack__(**keywords)
        tensor = tensor_of(capsule).tensor
        for name, value in self.lies.items():
            if name.endswith("0"):
                getattr(tensor, name[:-1])[0] = value
            else:
                setattr(tensor, name, value)
        return capsule


@pytest.mark.parametrize("lie, match", [
    ({"lanes": 4}, "dimensions"), ({"bits": 7}, "int7"), ({"bits": 128}, "int128"), ({"code": 5}, "complex"), ({"code": 99}, "99"),
    ({"ndim": -1}, "-1 dimensions"), ({"ndim": 3}, "3 dimensions"), ({"data": None}, "data: it is null"),
    ({"shape": None}, "shape: it is null"), ({"shape0": -1}, "negative"), ({"shape0": 2**62}, "more than any memory"),
    ({"strides0": 2**62}, "strides"), ({"strides0": -(2**62)}, "strides"), ({"byte_offset": 2**64 - 1}, "byte_offset"),
    ({"device_type": 2}, "device type 2"), ({"device_type": 77}, "77"),
])
def test_tensors_whose_description_lies(lie, match):
    producer = Liar(np.arange(4), **lie)
    with pytest.raises(BufferError, match=match) as error:
        cn.from_dlpack(producer)
    assert isinstance(error.value, cn.ColumnadeError) and error.value.operation == "from_dlpack"
    assert producer.deleted == len(producer.asked) == 1


@pytest.mark.parametrize("entries, match", [
    ({"data": (0, False)}, "data: it is null"), ({"shape": (2**62,)}, "more than any memory"), ({"strides": (3,)}, "strides"),
    ({"strides": "x"}, "strides"), ({"shape": (3, 3)}, "2 dimensions"), ({"stream": -5}, "stream"), ({"stream": 2**70}, "stream"),
    ({"mask": 3}, "int has no __cuda_array_interface__"), ({"version": 9}, "version"), ({"typestr": "<U4"}, "U4"),
])
def test_arrays_whose_description_lies(sim, entries, match):
    with pytest.raises((ValueError, TypeError), match=match) as error:
        cn.as_column(CudaArray(cn.Series([1, 2, 3]), **entries))
    assert isinstance(error.value, cn.ColumnadeError) and error.value.operation == "as_column"


def test_producers_that_fail_say_why(sim):
    class Failing:
        @property
        def __cuda_array_interface__(self):
            raise RuntimeError("the device is lost")

    with pytest.raises(RuntimeError, match="the device is lost"):
        cn.as_column(Failing())
    with pytest.raises(AttributeError, match="Series has no __cuda_array_interface__") as error:
        cn.as_column(cn.Series([1], device="host"))
    assert "to_device" in str(error.value.__cause__)


def test_masks_of_another_length_or_dtype(device):
    frame = cn.DataFrame({"a": [1, 2, 3]})
    for mask in (cn.Series([True]), cn.Series([True] * 4)):
        for use in (lambda: frame.filter(mask), lambda: frame["a"].filter(mask)):
            with pytest.raises(ValueError, match=f"filter: the condition has {len(mask)} rows, and there are 3") as error:
                use()
            assert error.value.operation == "filter"
        with pytest.raises(ValueError, match="iloc: a series of booleans has the row labels"):
            frame.iloc[mask]
    with pytest.raises(ValueError, match="the condition has 1 rows"):
        frame.filter([True])
    # By label: what the mask does not say is an error, what it says about other rows is not.
    for use in (lambda mask: frame.loc[mask], lambda mask: frame[mask], lambda mask: frame["a"][mask]):
        with pytest.raises(KeyError, match="no row label 1 among"):
            use(cn.Series([True]))
    assert frame.loc[cn.Series([True, False, True, True])]["a"].to_list() == [1, 3]
    for mask in (cn.Series([1, 0, 1]), cn.Series(["x", "y", "z"])):
        with pytest.raises(TypeError, match=f"filter: a condition is boolean, not {mask.dtype}"):
            frame.filter(mask)
        # In brackets they are labels of columns.
        with pytest.raises(KeyError, match="no column"):
            frame[mask]
        with pytest.raises(TypeError, match="where: .*boolean"):
            frame["a"].where(mask)


def test_object_arrays_and_dtypes_of_numpy_that_there_are_not(device):
    for array in (np.array([object()], dtype=object), np.array([1j]), np.zeros(2, dtype=[("a", "i4")]), np.zeros(2, dtype="V4")):
        with pytest.raises(TypeError) as error:
            cn.Series(array)
        assert error.value.operation == "Series"
        with pytest.raises(TypeError) as error:
            cn.DataFrame({"b": [1] * len(array), "a": array})
        assert error.value.column == "a"
    with pytest.raises(TypeError, match="no dtype for complex128 of numpy") as error:
        cn.Series(np.array([1j]))
    assert error.value.dtype == "complex128"
    mixed = np.array([1, "x"], dtype=object)
    for make in (lambda: cn.Series(mixed), lambda: cn.from_pandas(pd.Series(mixed)), lambda: cn.DataFrame(mixed.reshape(2, 1))):
        with pytest.raises(TypeError, match="row 1 is a value of utf8, and rows before are of int64"):
            make()


def test_exports_of_what_was_asked_for_in_other_types():
    series = cn.Series([1, 2])
    for keywords in ({"dl_device": 3}, {"max_version": "1.0"}, {"max_version": (1, 0, 0)}, {"copy": 3}):
        with pytest.raises((TypeError, ValueError)):
            series.__dlpack__(**keywords)


def test_iteration_and_assignment_are_refused_in_a_sentence():
    frame = cn.DataFrame({"a": [1]})
    for refused, sentence in [
        (lambda: list(frame), "a frame is not iterated: use columns"), (lambda: list(frame["a"]), "not iterated value by value: use to_list"),
        (lambda: 1 in frame["a"], "use .series == value..any"), (lambda: frame.__setitem__("b", 1), "use with_columns"),
    ]:
        with pytest.raises(TypeError, match=sentence):
            refused()


class Lie:
    """An array of three values, whose struct has another value in a field as long as this is open."""

    def __init__(self, field, value):
        self.field, self.value = field, value

    def __enter__(self):
        schema, array = self.capsules = pa.array([1, None, 3]).__arrow_c_array__()
        self.array = ArrowArray.from_address(pointer(array, b"arrow_array"))
        self.before = getattr(self.array, self.field)
        setattr(self.array, self.field, self.value)
        return ArrowProducer(__arrow_c_array__=(schema, array))

    def __exit__(self, *_):
        # Its release callback believes it.
        setattr(self.array, self.field, self.before)


def strings_of(position, offset=None, byte=None):
    """Three strings of two bytes, with one offset or byte replaced."""
    schema, array = pa.array(["ab", "cd", "ef"]).__arrow_c_array__()
    described = ArrowArray.from_address(pointer(array, b"arrow_array"))
    _, offsets, text = ctypes.cast(described.buffers, ctypes.POINTER(ctypes.c_void_p))[:3]
    if offset is not None:
        ctypes.cast(offsets, ctypes.POINTER(ctypes.c_int32))[position] = offset
    if byte is not None:
        ctypes.cast(text, ctypes.POINTER(ctypes.c_uint8))[position] = byte
    return ArrowProducer(__arrow_c_array__=(schema, array))


@pytest.mark.parametrize("field, value, match", [
    ("n_buffers", 7, "buffers"), ("length", -1, "negative"), ("offset", -1, "negative"), ("n_children", 2, "children"),
    ("buffers", None, "buffers"), ("length", 2**62, "length|rows|memory"), ("offset", 2**62, "offset|length|rows|memory"),
])
def test_arrays_of_arrow_whose_description_lies(device, field, value, match):
    with Lie(field, value) as producer, pytest.raises((ValueError, OverflowError), match=match) as error:
        cn.Series.from_arrow(producer)
    assert isinstance(error.value, cn.ColumnadeError)


@pytest.mark.parametrize("lie", [{"offset": 5, "position": 1}, {"offset": -3, "position": 1}, {"offset": -1, "position": 0}, {"byte": 0xFF, "position": 2}])
def test_strings_of_arrow_whose_offsets_or_bytes_lie(device, lie):
    for load in (cn.from_arrow, cn.Series.from_arrow):
        with pytest.raises(ValueError) as error:
            load(strings_of(**lie), validate="full")
        assert isinstance(error.value, cn.ColumnadeError)


def test_validation_is_minimal_or_full(device):
    assert cn.from_arrow(strings_of(0), validate="full").to_list() == ["ab", "cd", "ef"]
    with pytest.raises(ValueError, match="validate is .minimal. or .full."):
        cn.from_arrow(strings_of(0), validate="some")


def test_null_counts_of_arrow_are_counted(device):
    for said in (3, -1):
        with Lie("null_count", said) as producer:
            assert cn.Series.from_arrow(producer).null_count == 1


def test_devices_of_arrow_that_are_not_there():
    schema, capsule = cn.Series([1, 2], device="host").__arrow_c_device_array__()
    described = ArrowDeviceArray.from_address(pointer(capsule, b"arrow_device_array"))
    for kind, number in ((99, 0), (2, 7)):
        described.device_type, described.device_id = kind, number
        with pytest.raises((ValueError, RuntimeError, NotImplementedError), match=f"{kind}|cuda:{number}") as error:
            cn.Series.from_arrow(ArrowProducer(__arrow_c_device_array__=(schema, capsule)))
        assert isinstance(error.value, cn.ColumnadeError)
    # Nothing was taken out of the capsule.
    described.device_type, described.device_id = 1, -1
    assert cn.Series.from_arrow(ArrowProducer(__arrow_c_device_array__=(schema, capsule))).to_list() == [1, 2]


def test_numbers_that_no_memory_holds_are_refused():
    numbers, words = cn.Series([1, 2, 3]), cn.Series(["a,b"])
    for call, kind, said in [
        (lambda: cn.cut(numbers, 10**12), ValueError, "cut: bins: 1000000000000"),
        (lambda: numbers.value_counts(bins=10**12), ValueError, "1000000000000"),
        (lambda: words.str.split_columns(",", 10**12), ValueError, "str.split_columns: n is 1 to 65536, and not 1000000000000"),
        (lambda: cn.col("w").str.split_columns(",", 10**12), ValueError, "n is 1 to 65536"),
        (lambda: cn.date_range("2024-01-01", periods=10**13), (MemoryError, OverflowError), "date_range"),
    ]:
        with pytest.raises(kind, match=said):
            call()


def test_errors_of_lists_name_the_methods_of_python():
    lists = cn.Series([[1], []], name="l")
    for call, said in [
        (lambda: lists.list.get(5, null_on_oob=False), "^list.get:"),
        (lambda: lists.list.take([5], null_on_oob=False), "^list.take:"),
        (lambda: cn.to_datetime(cn.Series(["x"]), format="%Y"), "^str.to_datetime:"),
    ]:
        with pytest.raises((IndexError, ValueError), match=said):
            call()
