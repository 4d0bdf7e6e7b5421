"""A namespace of the array API standard whose arrays are exchanged by this package, for the DLPack part of `array-api-tests`.

    git clone https://github.com/data-apis/array-api-tests && cd array-api-tests && pip install hypothesis ndindex
    ARRAY_API_TESTS_MODULE=array_api_shim PYTHONPATH=…/python/tests pytest array_api_tests/test_dlpack.py

The suite fills arrays value by value and compares them, which series and frames do not do: numpy does both, and `__dlpack__`,
`__dlpack_device__` and `from_dlpack` are those of series and frames. Shapes of more than two dimensions are left out, as are complex
numbers, which this package does not have.
"""

import columnade as cn
import hypothesis
import numpy as np

__array_api_version__ = "2025.12"


class Array:
    """Values that numpy computes with and a series or a frame exchanges."""

    def __init__(self, values, device="host", exchanged=None):
        self._values, self.device, self._exchanged = np.asarray(values), device, exchanged

    def _columns(self):
        """The values as a series or a frame of the device."""
        if self._exchanged is None:
            hypothesis.assume(self._values.dtype.kind != "c")
            # A frame without columns has no dtype that could be exchanged.
            hypothesis.assume(self._values.ndim in (1, 2) and (self._values.ndim == 1 or self._values.shape[1] > 0))
            kind = cn.Series if self._values.ndim == 1 else cn.DataFrame
            return kind(self._values.copy(), device=self.device)
        return self._exchanged

    def __dlpack__(self, **options):
        columns = self._columns()
        # Booleans are bits here, and the columns of a frame several arrays: without a copy both are a BufferError, as the standard has
        # it, where the suite knows of none.
        if options.get("copy") is False and (self._values.dtype == bool or self._values.ndim == 2):
            try:
                return columns.__dlpack__(**options)
            except BufferError:
                hypothesis.reject()
        return columns.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._columns().__dlpack_device__()

    def __array_namespace__(self, api_version=None):
        import array_api_shim

        return array_api_shim

    def __setitem__(self, key, value):
        self._values[_plain(key)] = _plain(value)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return _wrapped(getattr(self._values, name))


def _plain(value):
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    return value._values if isinstance(value, Array) else value


def _wrapped(value):
    if isinstance(value, tuple) and not isinstance(value, np.dtype):
        return value if all(isinstance(one, int) for one in value) else tuple(map(_wrapped, value))
    return Array(value) if isinstance(value, (np.ndarray, np.generic)) else value


def _method(name):
    def method(self, *operands):
        return _wrapped(getattr(self._values, name)(*map(_plain, operands)))

    return method


for _name in (
    "__getitem__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ __add__ __sub__ __mul__ __truediv__ __invert__ __and__ __or__ __neg__ "
    "__abs__"
).split():
    setattr(Array, _name, _method(_name))
for _name, _kind in {"__bool__": bool, "__int__": int, "__float__": float, "__complex__": complex, "__index__": int, "__len__": len, "__repr__": repr}.items():
    setattr(Array, _name, lambda self, kind=_kind: kind(self._values))
Array.__hash__ = None


def from_dlpack(x, /, *, device=None, copy=None):
    """An array of what is imported from another one."""
    made = cn.from_dlpack(x, device=device, copy=copy)
    return Array(np.asarray(made), made.device, made)


def _function(compute):
    def function(*operands, device=None, **options):
        made = compute(*map(_plain, operands), **{name: _plain(value) for name, value in options.items()})
        return Array(made, device or "host") if isinstance(made, (np.ndarray, np.generic)) else _wrapped(made)

    return function


class _Info:
    def devices(self):
        return cn.available_devices()

    def default_device(self):
        return "host"

    def dtypes(self, *, device=None, kind=None):
        return {name: np.dtype(name) for name in _DTYPES}

    def default_dtypes(self, *, device=None):
        return {"real floating": np.dtype("float64"), "integral": np.dtype("int64"), "indexing": np.dtype("int64")}

    def capabilities(self):
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 2}


def __array_namespace_info__():
    return _Info()


# The suite does not start without complex numbers.
_COMPLEX = ("complex64", "complex128")
_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
for _name in (*_DTYPES, *_COMPLEX):
    globals()[_name] = np.dtype(_name)
for _name in (
    "asarray empty zeros ones full arange reshape all any isnan isfinite isinf equal logical_and logical_not sum max min abs where unique_values "
    "broadcast_to stack concat nonzero astype isdtype iinfo finfo result_type can_cast"
).split():
    globals()[_name] = _function(getattr(np, _name))
e, inf, nan, pi, newaxis = np.e, np.inf, np.nan, np.pi, None
