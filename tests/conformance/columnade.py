"""The C library through ctypes, with the protocols by which Python's libraries exchange memory.

Nothing here knows of any of those libraries: they find `__arrow_c_array__` and its like, `__dlpack__` and its like.
"""

import ctypes
import errno
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_void_p

_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [c_void_p, c_char_p, c_void_p]
_python.PyCapsule_GetPointer.restype = c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, c_char_p]
_python.PyCapsule_SetName.argtypes = [ctypes.py_object, c_char_p]
# Destructors are given a capsule that no reference may be made to any more.
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", _python))
_pointer_of_dying = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _python))

_Release = ctypes.CFUNCTYPE(None, c_void_p)


class ArrowSchema(Structure):
    NAME = b"arrow_schema"
    _fields_ = [
        ("format", c_char_p),
        ("name", c_char_p),
        ("metadata", c_void_p),
        ("flags", c_int64),
        ("n_children", c_int64),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class ArrowArray(Structure):
    NAME = b"arrow_array"
    _fields_ = [
        ("length", c_int64),
        ("null_count", c_int64),
        ("offset", c_int64),
        ("n_buffers", c_int64),
        ("n_children", c_int64),
        ("buffers", POINTER(c_void_p)),
        ("children", c_void_p),
        ("dictionary", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class ArrowArrayStream(Structure):
    NAME = b"arrow_array_stream"
    _fields_ = [
        ("get_schema", c_void_p),
        ("get_next", c_void_p),
        ("get_last_error", c_void_p),
        ("release", c_void_p),
        ("private_data", c_void_p),
    ]


class ArrowDeviceArray(Structure):
    NAME = b"arrow_device_array"
    _fields_ = [
        *ArrowArray._fields_,
        ("device_id", c_int64),
        ("device_type", c_int32),
        ("sync_event", c_void_p),
        ("reserved", c_int64 * 3),
    ]


class DLTensor(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("dtype", c_uint32),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class DLManagedTensor(Structure):
    NAME, USED = b"dltensor", b"used_dltensor"
    _fields_ = [("dl_tensor", DLTensor), ("manager_ctx", c_void_p), ("deleter", c_void_p)]


class DLManagedTensorVersioned(Structure):
    NAME, USED = b"dltensor_versioned", b"used_dltensor_versioned"
    _fields_ = [
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager_ctx", c_void_p),
        ("deleter", c_void_p),
        ("flags", ctypes.c_uint64),
        ("dl_tensor", DLTensor),
    ]


class ImportOptions(Structure):
    _fields_ = [("size", c_size_t), ("copy", c_int32), ("validate", c_int32)]


class ExportOptions(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("offsets", c_int32),
        ("decimals", c_int32),
        ("handover", c_int32),
        ("null_counts", c_int32),
    ]


class TensorOptions(Structure):
    _fields_ = [("size", c_size_t), ("copy", c_int32), ("place", c_int32), ("stream", c_int64)]


COPY = {None: 0, False: 1, True: 2}
VALIDATE_FULL = 1
DECIMALS_128 = ExportOptions(ctypes.sizeof(ExportOptions), 0, 1, 0, 0)

# The structs that capsules point to, by their addresses.
_held = {}


def _capsule(struct):
    """A capsule that owns a filled struct of Arrow's: it releases what no consumer has moved out."""
    _held[ctypes.addressof(struct)] = struct
    return _python.PyCapsule_New(ctypes.addressof(struct), struct.NAME, ctypes.cast(_destroy, c_void_p))


@ctypes.PYFUNCTYPE(None, c_void_p)
def _destroy(capsule):
    for kind in (ArrowSchema, ArrowArray, ArrowArrayStream, ArrowDeviceArray):
        if _is_valid(capsule, kind.NAME):
            struct = _held.pop(_pointer_of_dying(capsule, kind.NAME))
            release(struct)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _destroy_tensor(capsule):
    for kind in (DLManagedTensor, DLManagedTensorVersioned):
        if _is_valid(capsule, kind.NAME):
            address = _pointer_of_dying(capsule, kind.NAME)
            _Release(kind.from_address(address).deleter)(address)


def release(struct):
    """Releases a struct of Arrow's unless that was done."""
    if struct.release:
        _Release(struct.release)(ctypes.addressof(struct))


def pointer(capsule, kind):
    """The address that a capsule holds."""
    return _python.PyCapsule_GetPointer(capsule, kind.NAME)


class Failure(Exception):
    """A function of the library that returned an error."""

    def __init__(self, code, text):
        super().__init__(f"{errno.errorcode.get(code, code)}: {text}")
        self.code, self.text = code, text


class Library:
    """The shared library; its functions without the common prefix raise what they return."""

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._library.columnade_last_error.restype = c_char_p
        self.options = ImportOptions(ctypes.sizeof(ImportOptions), 0, VALIDATE_FULL)

    def __getattr__(self, name):
        function = getattr(self._library, f"columnade_{name}")
        if name.endswith("_destroy"):
            function.restype = None
            function.argtypes = [c_void_p]
            return function

        def call(*arguments):
            code = function(*arguments)
            if code:
                raise Failure(code, self._library.columnade_last_error().decode())

        setattr(self, name, call)
        return call

    def column(self, source):
        """A column of whatever object exports an array, or a stream of arrays."""
        if hasattr(source, "__arrow_c_array__"):
            schema, array = source.__arrow_c_array__()
            return self._made(Column, "column_import", schema, pointer(array, ArrowArray))
        handle = c_void_p()
        stream = source.__arrow_c_stream__()
        self.column_import_stream(c_void_p(pointer(stream, ArrowArrayStream)), byref(self.options), byref(handle))
        return Column(self, handle)

    def column_of_device(self, source):
        schema, array = source.__arrow_c_device_array__()
        return self._made(Column, "column_import_device", schema, pointer(array, ArrowDeviceArray))

    def table(self, source):
        """A table of whatever object exports a stream, or an array of structs."""
        if hasattr(source, "__arrow_c_stream__"):
            handle = c_void_p()
            stream = source.__arrow_c_stream__()
            self.table_import_stream(c_void_p(pointer(stream, ArrowArrayStream)), byref(self.options), byref(handle))
            return Table(self, handle)
        schema, array = source.__arrow_c_array__()
        return self._made(Table, "table_import", schema, pointer(array, ArrowArray))

    def table_of_device(self, source):
        schema, array = source.__arrow_c_device_array__()
        return self._made(Table, "table_import_device", schema, pointer(array, ArrowDeviceArray))

    def _made(self, kind, function, schema, array):
        handle = c_void_p()
        getattr(self, function)(
            c_void_p(pointer(schema, ArrowSchema)), c_void_p(array), byref(self.options), byref(handle)
        )
        return kind(self, handle)

    def column_of_tensor(self, source, copy=None, **arguments):
        return self._of_tensor(Column, source, copy, arguments)

    def table_of_tensor(self, source, copy=None, **arguments):
        return self._of_tensor(Table, source, copy, arguments)

    def _of_tensor(self, kind, source, copy, arguments):
        capsule = source.__dlpack__(**arguments)
        is_versioned = _python.PyCapsule_IsValid(ctypes.py_object(capsule), DLManagedTensorVersioned.NAME)
        form, suffix = (DLManagedTensorVersioned, "_versioned") if is_versioned else (DLManagedTensor, "")
        handle = c_void_p()
        function = getattr(self, f"{kind.KIND}_import_dlpack{suffix}")
        function(c_void_p(pointer(capsule, form)), COPY[copy], byref(handle))
        # An adopted tensor is deleted by its new owner only.
        _python.PyCapsule_SetName(capsule, form.USED)
        return kind(self, handle)

    def concat(self, tables):
        handle = c_void_p()
        handles = (c_void_p * len(tables))(*(table.handle for table in tables))
        self.table_concat(handles, c_int64(len(tables)), byref(handle))
        return Table(self, handle)


class _Handle:
    """A handle of the library."""

    # How it is exported.
    export_options = None

    def __init__(self, library, handle):
        self.library, self.handle = library, handle

    def __del__(self):
        getattr(self.library, f"{self.KIND}_destroy")(self.handle)

    def _call(self, function, *arguments):
        return getattr(self.library, f"{self.KIND}_{function}")(self.handle, *arguments)

    def _made(self, kind, function, *arguments):
        handle = c_void_p()
        self._call(function, *arguments, byref(handle))
        return kind(self.library, handle)

    def _options(self):
        return self.export_options and byref(self.export_options)

    def slice(self, offset, rows):
        return self._made(type(self), "slice", c_int64(offset), c_int64(rows))

    def __len__(self):
        rows = c_int64()
        self._call("row_count", byref(rows))
        return rows.value

    def __arrow_c_schema__(self):
        return self.__arrow_c_array__()[0]

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = ArrowSchema(), ArrowArray()
        self._call("export", self._options(), byref(schema), byref(array))
        return _capsule(schema), _capsule(array)

    def __arrow_c_device_array__(self, requested_schema=None, **arguments):
        schema, array = ArrowSchema(), ArrowDeviceArray()
        self._call("export_device", self._options(), byref(schema), byref(array))
        return _capsule(schema), _capsule(array)

    # Rows of each array of a stream.
    stream_rows = 1 << 20

    def __arrow_c_stream__(self, requested_schema=None):
        stream = ArrowArrayStream()
        self._call("export_stream", c_int64(self.stream_rows), self._options(), byref(stream))
        return _capsule(stream)

    def __dlpack_device__(self):
        return (1, 0)

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        form = DLManagedTensorVersioned if max_version and max_version[0] >= 1 else DLManagedTensor
        suffix = "_versioned" if form is DLManagedTensorVersioned else ""
        options = TensorOptions(ctypes.sizeof(TensorOptions), COPY[copy], int(dl_device == (1, 0)), stream or 0)
        tensor = c_void_p()
        try:
            self._call(f"export_dlpack{suffix}", byref(options), byref(tensor))
        except Failure as failure:
            raise BufferError(str(failure)) from failure
        return _python.PyCapsule_New(tensor, form.NAME, ctypes.cast(_destroy_tensor, c_void_p))


class Column(_Handle):
    KIND = "column"


class Table(_Handle):
    KIND = "table"

    def __getitem__(self, position):
        return self._made(Column, "column_at", c_int64(position))

    def __arrow_c_schema__(self):
        schema = ArrowSchema()
        self._call("export_schema", self._options(), byref(schema))
        return _capsule(schema)
