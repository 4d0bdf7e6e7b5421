"""Exceptions by kind. Each is also the built-in exception of that kind, so that either name catches it."""

from __future__ import annotations

import errno as _errno

__all__ = [
    "ColumnadeError", "ColumnKeyError", "ColumnTypeError", "ColumnValueError", "ColumnIndexError",
    "ColumnOverflowError", "ColumnMemoryError", "ColumnOSError", "ColumnFileNotFoundError",
    "ColumnFileExistsError", "ColumnPermissionError", "DeviceError",
    "ColumnNotImplementedError", "InternalError", "MissingInterfaceError", "TensorError", "UnsupportedDeviceError",
]


class ColumnadeError(Exception):
    """An operation failed. The attributes say which, and on what.

    operation: the method that was called, or None.
    column: the label of the column that the error is about, or None.
    dtype: the name of its dtype, or None.
    path: the file, or None.
    line: the number of the line in the file, from 1, or None.
    row_group: the position of the row group in a Parquet file, or None.

    Errors of the system are OSErrors, with its number in `errno`.
    """

    operation: str | None = None
    column: str | None = None
    dtype: str | None = None
    path: str | None = None
    line: int | None = None
    row_group: int | None = None

    def __str__(self) -> str:
        # KeyError would quote it, and OSError put the number of the error before it.
        return str(self.args[-1]) if self.args else ""

    def __reduce__(self):
        facts = {name: getattr(self, name) for name in ("operation", "column", "dtype", "path", "line", "row_group")}
        return (type(self), self.args, facts)


class ColumnKeyError(ColumnadeError, KeyError):
    """There is no such column."""


class ColumnTypeError(ColumnadeError, TypeError):
    """The operation does not support a dtype, or an argument has the wrong type."""


class ColumnValueError(ColumnadeError, ValueError):
    """An argument or a value is invalid."""


class ColumnIndexError(ColumnadeError, IndexError):
    """A position is out of bounds."""


class ColumnOverflowError(ColumnadeError, OverflowError):
    """A value does not fit its dtype."""


class ColumnMemoryError(ColumnadeError, MemoryError):
    """Memory of the host or of a device ran out."""


class ColumnOSError(ColumnadeError, OSError):
    """A file cannot be read or written."""


class ColumnFileNotFoundError(ColumnOSError, FileNotFoundError):
    """There is no such file."""


class ColumnFileExistsError(ColumnOSError, FileExistsError):
    """There is a file of this name already."""


class ColumnPermissionError(ColumnOSError, PermissionError):
    """The file may not be read or written."""


class DeviceError(ColumnadeError, RuntimeError):
    """A device failed, or this build or machine does not have it."""


class ColumnNotImplementedError(ColumnadeError, NotImplementedError):
    """The feature is not implemented, or not on this device."""


class InternalError(ColumnadeError, RuntimeError):
    """A bug in this library."""


class TensorError(ColumnadeError, BufferError, ValueError):
    """Values cannot be exchanged as a tensor: there are nulls, DLPack has no type for the dtype, or a copy is forbidden."""


class MissingInterfaceError(ColumnadeError, TypeError, AttributeError):
    """An object does not have the methods of DLPack or of the CUDA Array Interface."""


class UnsupportedDeviceError(ColumnadeError, BufferError, TypeError):
    """A tensor is on a device that this build or machine does not have."""


# Errors of files whose number has a class of its own, as in Python.
_OF_SYSTEM = {
    _errno.ENOENT: ColumnFileNotFoundError, _errno.EEXIST: ColumnFileExistsError, _errno.EACCES: ColumnPermissionError,
    _errno.EPERM: ColumnPermissionError,
}
_KINDS = {
    "KeyError": ColumnKeyError,
    "TypeError": ColumnTypeError,
    "ValueError": ColumnValueError,
    "IndexError": ColumnIndexError,
    "OverflowError": ColumnOverflowError,
    "MemoryError": ColumnMemoryError,
    "OSError": ColumnOSError,
    "DeviceError": DeviceError,
    "NotImplementedError": ColumnNotImplementedError,
    "InternalError": InternalError,
    "TensorError": TensorError,
    "MissingInterfaceError": MissingInterfaceError,
    "UnsupportedDeviceError": UnsupportedDeviceError,
}


# The most characters of a message, which may show a value or the labels of a frame, and how many of them are those of the end.
_LONGEST, _END = 3000, 500


def make(kind, message, *, operation=None, column=None, dtype=None, path=None, line=None, row_group=None, errno=None):
    """The exception of a kind, as the compiled part raises it."""
    kind = _KINDS.get(kind, InternalError)
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST - _END]} … {message[-_END:]}"
    if kind is ColumnOSError:
        kind = _OF_SYSTEM.get(errno, kind)
        error = kind(message) if errno is None else kind(errno, message)
    else:
        error = kind(message)
    error.operation, error.column, error.dtype, error.path = operation, column, dtype, path
    error.line, error.row_group = line, row_group
    return error


class under:
    """Errors of methods that an operation calls name this operation, and a column where one is given."""

    __slots__ = ("_operation", "_column")

    def __init__(self, operation, column=None):
        self._operation, self._column = operation, column

    def __enter__(self):
        return None

    def __exit__(self, kind, error, traceback):
        if isinstance(error, ColumnadeError):
            rename(error, self._operation, self._column)
        return False


def rename(error, operation, column=None):
    """Has an error name another operation, and a column where it names none."""
    text = str(error)
    if error.operation and error.operation != operation:
        text = text.removeprefix(f"{error.operation}: ")
        error.args = (*error.args[:-1], f"{operation}: {text}")
        error.operation = operation
    if column is not None and error.column is None:
        error.column = str(column)
