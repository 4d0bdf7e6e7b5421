"""Libraries of arrays on GPUs share memory with series of a GPU. Skipped where there is none, or not the library."""

import columnade as cn
import pytest

GPUS = [device for device in cn.available_devices() if device.startswith("cuda")]

pytestmark = pytest.mark.skipif(not GPUS, reason="there is no GPU, or the build has no kernels for one")


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


@pytest.fixture
def gpu():
    before = cn.default_device()
    cn.set_default_device(GPUS[0])
    yield GPUS[0]
    cn.set_default_device(before)


def address(series):
    return series.__cuda_array_interface__["data"][0]


@pytest.mark.parametrize("dtype", ["int8", "uint16", "int64", "float32", "float64", "bool"])
def test_cupy_shares_memory_by_the_cuda_array_interface(gpu, dtype):
    cupy = library("cupy")
    series = cn.Series([1, 0, 3], dtype="int64").cast(dtype)
    array = cupy.asarray(series)
    assert array.data.ptr == address(series) and array.tolist() == series.to_list()
    made = cupy.arange(6, dtype="int32")[::2]
    # Strides are copied, consecutive values are shared.
    assert cn.as_column(made).to_list() == [0, 2, 4]
    whole = cupy.arange(6, dtype="int32")
    column = cn.as_column(whole)
    assert address(column) == whole.data.ptr and column.device == gpu and column.sum() == 15


def test_cupy_shares_memory_by_dlpack(gpu):
    cupy = library("cupy")
    series = cn.Series([1.5, 2.5, 3.5])
    array = cupy.from_dlpack(series)
    assert array.data.ptr == address(series) and float(array.sum()) == 7.5
    back = cn.from_dlpack(cupy.arange(4, dtype="float32"))
    assert back.device == gpu and back.to_list() == [0.0, 1.0, 2.0, 3.0]
    rows = cupy.from_dlpack(cn.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}))
    assert rows.tolist() == [[1.0, 3.0], [2.0, 4.0]]


def test_cupy_results_on_another_stream_are_waited_for(gpu):
    cupy = library("cupy")
    with cupy.cuda.Stream(non_blocking=True):
        array = cupy.full(1 << 24, 2, dtype="int64")
        array *= 3
        assert cn.as_column(array).sum() == 6 * (1 << 24)
        assert cn.from_dlpack(array).sum() == 6 * (1 << 24)


def test_numba_kernels_read_series(gpu):
    numba_cuda = library("numba.cuda")
    series = cn.Series([1, 2, 3, 4])
    array = numba_cuda.as_cuda_array(series)
    assert array.device_ctypes_pointer.value == address(series)
    out = numba_cuda.device_array(4, dtype="int64")

    @numba_cuda.jit
    def double(values, out):
        row = numba_cuda.grid(1)
        if row < values.size:
            out[row] = 2 * values[row]

    double[1, 32](array, out)
    assert cn.as_column(out).to_list() == [2, 4, 6, 8]


def test_masks_of_numba_are_bytes(gpu):
    numba_cuda = library("numba.cuda")
    series = cn.Series([1, None, 3])
    mask = numba_cuda.as_cuda_array(series.__cuda_array_interface__["mask"])
    assert mask.copy_to_host().tolist() == [True, False, True]


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_torch_shares_memory_both_ways(gpu, dtype):
    torch = library("torch")
    series = cn.Series([1, 2, 3], dtype="int64").cast(dtype)
    for tensor in (torch.from_dlpack(series), torch.as_tensor(series, device="cuda")):
        assert tensor.is_cuda and tensor.data_ptr() == address(series) and tensor.tolist() == [1, 2, 3]
    made = torch.arange(4, device="cuda")
    back = cn.from_dlpack(made)
    assert back.device == gpu and address(back) == made.data_ptr() and back.to_list() == [0, 1, 2, 3]
    assert cn.as_column(made).to_list() == [0, 1, 2, 3]


def test_nulls_and_strings_are_no_tensors(gpu):
    torch = library("torch")
    for series in (cn.Series([1, None]), cn.Series(["a"])):
        with pytest.raises(BufferError):
            torch.from_dlpack(series)
