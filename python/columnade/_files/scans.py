"""Readers of files that read open files and buffers too: their bytes are kept in a file of their own while it is read."""

from __future__ import annotations

import builtins
import functools
import os
from collections.abc import Callable
from typing import Any, TypeVar

from .. import _columnade as native
from .._errors import make
from .encoded import _is_buffer, temporary_folder

_Read = TypeVar("_Read", bound=Callable[..., Any])


def _has_buffer(source):
    return _is_buffer(source) or isinstance(source, (builtins.list, tuple)) and any(map(_is_buffer, source))


def _kept(operation, source, folder, place):
    """The path of a file with what is left in a buffer, or the path that is given."""
    import shutil

    if not _is_buffer(source):
        return source
    path = os.path.join(folder, f"buffer{place}")
    start = source.read(0)
    if not isinstance(start, (bytes, bytearray, str)):
        raise make("TypeError", f"{operation}: read() of the buffer gives bytes or text, not {type(start).__name__}", operation=operation)
    with open(path, "w", encoding="utf-8", newline="") if isinstance(start, str) else open(path, "wb") as file:
        shutil.copyfileobj(source, file)
    return path


def _paths(operation, source, folder):
    several = isinstance(source, (builtins.list, tuple))
    made = [_kept(operation, one, folder, place) for place, one in enumerate(source if several else [source])]
    return made if several else made[0]


def _reading(read: _Read) -> _Read:
    operation = read.__name__

    @functools.wraps(read)
    def method(paths, *args, **options):
        if not _has_buffer(paths):
            return read(paths, *args, **options)
        with temporary_folder() as folder:
            return read(_paths(operation, paths, folder), *args, **options)

    return method  # type: ignore[return-value]


def _scanning(scan: _Read) -> _Read:
    operation = scan.__name__

    @functools.wraps(scan)
    def method(paths, *args, **options):
        if not _has_buffer(paths):
            return scan(paths, *args, **options)
        folder = temporary_folder()
        made = scan(_paths(operation, paths, folder.name), *args, **options)
        # The bytes are on disk as long as the scan lives.
        made._then(folder.cleanup)
        return made

    return method  # type: ignore[return-value]


read_ipc, read_ndjson = _reading(native.read_ipc), _reading(native.read_json)
scan_csv, scan_ipc = _scanning(native.scan_csv), _scanning(native.scan_ipc)
scan_json, scan_parquet = _scanning(native.scan_json), _scanning(native.scan_parquet)
