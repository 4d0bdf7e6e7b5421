"""DLPack as the array API standard 2025.12 words it: `from_dlpack`, `__dlpack__` and `__dlpack_device__`.

Written from the text of the standard. The suite `array-api-tests` is on no package index: where `ARRAY_API_TESTS_CHECKOUT` names a
checkout of it (with its submodule) its part about DLPack is run through `array_api_shim.py`, as on 2026-11-27 at its commit 55fcc60.
"""

import inspect
import os
import pathlib
import subprocess
import sys

import columnade as cn
import numpy as np
import pytest

from test_tensors import Producer, name_of

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]
CPU = (1, 0)


def array(dtype, rows=5):
    return cn.Series(np.arange(rows).astype(dtype))


def parameters(function):
    found = inspect.signature(function).parameters.values()
    return [(item.name, item.kind, item.default) for item in found if item.name != "self"]


def test_signatures():
    only, keyword, empty = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.empty
    assert parameters(cn.from_dlpack) == [("x", only, empty), ("device", keyword, None), ("copy", keyword, None)]
    names = ["stream", "max_version", "dl_device", "copy"]
    for kind in (cn.Series, cn.DataFrame):
        assert parameters(kind.__dlpack__) == [(name, keyword, None) for name in names]
        assert parameters(kind.__dlpack_device__) == []
    with pytest.raises(TypeError):
        array("int8").__dlpack__(None)


def test_device_is_a_type_and_a_number(device):
    kind, number = array("int8").__dlpack_device__()
    assert isinstance(kind, int) and isinstance(number, int)
    assert kind == {"host": 1, "sim": 12}.get(device, 2)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("copy", [None, True, False])
@pytest.mark.parametrize("rows", [0, 1, 33])
def test_arrays_return_with_dtype_values_and_device(device, dtype, copy, rows):
    x = array(dtype, rows)
    if dtype == "bool" and copy is False:
        # Bits here and bytes there.
        with pytest.raises(ValueError, match="a boolean becomes a byte"):
            cn.from_dlpack(x, copy=copy)
        return
    y = cn.from_dlpack(x, copy=copy)
    assert isinstance(y, cn.Series) and y.dtype == x.dtype and y.device == x.device == device and y.to_list() == x.to_list()


@pytest.mark.parametrize("max_version", [None, (0, 8), (1, 0), (1, 2), (2, 0)])
def test_version_is_at_most_what_the_consumer_takes(device, max_version):
    name = name_of(array("int8").__dlpack__(max_version=max_version))
    assert name == ("dltensor_versioned" if max_version and max_version >= (1, 0) else "dltensor")


def test_every_array_goes_to_the_host(device):
    x = array("int32")
    assert cn.from_dlpack(x, device="cpu").device == "host"
    assert np.array_equal(np.from_dlpack(x.to_device("host")), np.arange(5))
    x.__dlpack__(dl_device=CPU)
    x.__dlpack__(dl_device=CPU, copy=True)
    if device != "host":
        with pytest.raises(BufferError):
            x.__dlpack__(dl_device=CPU, copy=False)
        with pytest.raises(ValueError):
            cn.from_dlpack(x, device="cpu", copy=False)


def test_copy_never_is_an_error_where_a_copy_is_needed():
    strided = Producer(np.arange(10)[::2])
    with pytest.raises(ValueError):
        cn.from_dlpack(strided, copy=False)


@pytest.mark.parametrize("kind", [BufferError, MemoryError, RuntimeError])
@pytest.mark.parametrize("method", ["__dlpack__", "__dlpack_device__"])
def test_exceptions_of_the_producer_are_passed_on(kind, method):
    class Failing(Producer):
        pass

    def fail(self, **keywords):
        raise kind("as the producer says")

    setattr(Failing, method, fail)
    with pytest.raises(kind, match="as the producer says"):
        cn.from_dlpack(Failing(np.arange(3)))


def test_objects_without_the_methods_are_attribute_error():
    with pytest.raises(AttributeError, match="list has no __dlpack__") as error:
        cn.from_dlpack([1, 2])
    assert isinstance(error.value, TypeError) and error.value.operation == "from_dlpack"


def test_what_cannot_be_exported_is_buffer_error(device):
    for x in (cn.Series(["a"]), cn.Series([1, None]), cn.DataFrame({"a": [1], "b": [0.5]})):
        with pytest.raises(BufferError):
            x.__dlpack__()
        with pytest.raises(BufferError):
            cn.from_dlpack(x)


@pytest.mark.parametrize("stream", ["1", 1.5, object()])
def test_streams_are_integers(device, stream):
    with pytest.raises(TypeError):
        array("int8").__dlpack__(stream=stream)


def test_suite_of_the_standard():
    checkout = os.environ.get("ARRAY_API_TESTS_CHECKOUT")
    if not checkout:
        pytest.skip("ARRAY_API_TESTS_CHECKOUT names no checkout of array-api-tests")
    found = [str(pathlib.Path(cn.__file__).parents[1]), str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "ARRAY_API_TESTS_MODULE": "array_api_shim", "PYTHONPATH": os.pathsep.join(filter(None, found))}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "array_api_tests/test_dlpack.py"]
    made = subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=600)
    assert made.returncode == 0 and "3 passed" in made.stdout, made.stdout + made.stderr
