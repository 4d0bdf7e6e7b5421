"""Writers of files that write to open files and buffers too."""

from __future__ import annotations

import functools
import io
import os

from .._columnade import DataFrame
from .._common import put
from .._install import compiled, methods
from .encoded import temporary_folder


def _some(path):
    """A path, which the compiled writer takes or refuses, or a buffer; None is neither."""
    return "" if path is None else path


def write_bytes(operation, target, name, write):
    """What `write` writes to a file: into a buffer, or returned as bytes."""
    if target is not None and not hasattr(target, "write"):
        return write(target)
    with temporary_folder() as folder:
        path = os.path.join(folder, name)
        write(path)
        with open(path, "rb") as file:
            data = file.read()
    if target is None:
        return data
    put(operation, target, data.decode() if isinstance(target, io.TextIOBase) else data)
    return None


_WRITE_IPC, _WRITE_JSON, _WRITE_PARQUET = (compiled(DataFrame, f"write_{name}") for name in ("ipc", "json", "parquet"))


@methods(DataFrame)
class _WritersOfFrames:
    def write_ipc(self, path, compression="none", batch_rows=None, format="file"):
        """Writes an Arrow IPC file, or the same to an open file or buffer; see the guide for `compression`. format="stream" is the
        format of streams.
        """
        write = functools.partial(_WRITE_IPC, compression=compression, batch_rows=batch_rows, format=format)
        return write_bytes("write_ipc", _some(path), "some.arrow", functools.partial(write, self))

    def write_json(self, path, skip_nulls=False, orient="lines"):
        """Writes a file of JSON lines, or the same to an open file or buffer; with orient="records" an array of objects."""
        write = functools.partial(_WRITE_JSON, skip_nulls=skip_nulls, orient=orient)
        return write_bytes("write_json", _some(path), "some.json", functools.partial(write, self))

    def write_parquet(
        self, path, compression="snappy", row_group_rows=None, bloom_filters=None, page_rows=None, plain_columns=None,
        metadata=None,
    ):
        """Writes a Parquet file, or the same to an open file or buffer: `row_group_rows` rows in each row group, pages of `page_rows`,
        Bloom filters for some columns, and `plain_columns` without a dictionary. `metadata` is a dictionary of text for the metadata
        of the file, see `read_parquet_metadata`.
        """
        write = functools.partial(
            _WRITE_PARQUET, compression=compression, row_group_rows=row_group_rows, bloom_filters=bloom_filters, page_rows=page_rows,
            plain_columns=plain_columns, metadata=metadata,
        )
        return write_bytes("write_parquet", _some(path), "some.parquet", functools.partial(write, self))
