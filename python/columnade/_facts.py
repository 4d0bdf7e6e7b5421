"""What exceptions of the compiled part do not say of themselves: the operation, the dtype, and arguments that Python refuses."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import Any, TypeVar

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._common import _error
from ._errors import ColumnadeError, make
from ._install import compiled, install


_Function = TypeVar("_Function", bound=Callable[..., Any])


def _with_typestr(read: _Function) -> _Function:
    """Has errors about the type of an array's elements name it."""

    @functools.wraps(read)
    def method(obj, *args, **options):
        try:
            return read(obj, *args, **options)
        except ColumnadeError as error:
            interface = getattr(obj, "__cuda_array_interface__", None)
            if error.dtype is None and isinstance(interface, dict) and "typestr" in builtins.str(error):
                error.dtype = builtins.str(interface.get("typestr"))
            raise

    return method  # type: ignore[return-value]


as_column = _with_typestr(native.as_column)


def _of_capsules(kind):
    """Has `from_arrow` name itself where a capsule has another name than Arrow's."""
    read = compiled(kind, "from_arrow")

    @functools.wraps(read)
    def from_arrow(data, validate="minimal"):
        try:
            return read(data, validate)
        except ValueError as error:
            if isinstance(error, ColumnadeError) or "PyCapsule" not in builtins.str(error):
                raise
            reason = f"from_arrow: a capsule of {type(data).__name__} has another name than Arrow's, or was used: {error}"
        raise make("ValueError", reason, operation="from_arrow")

    install(kind, "from_arrow", staticmethod(from_arrow))


for _kind in (DataFrame, Series):
    _of_capsules(_kind)
del _kind


# Arguments ---------------------------------------------------------------------------------------------------------------
def _writing():
    write = compiled(DataFrame, "write_dataset")

    @functools.wraps(write)
    def write_dataset(self, folder, by, *args, **options):
        labels = by.to_list() if isinstance(by, (Index, Series)) else [by] if isinstance(by, builtins.str) else by
        if not isinstance(labels, (builtins.list, tuple)) or not all(isinstance(label, builtins.str) for label in labels):
            raise _error("TypeError", "write_dataset", f"by is the label of a column, which is text, or a list of such, not {by!r}")
        return write(self, folder, builtins.list(labels), *args, **options)

    install(DataFrame, "write_dataset", write_dataset)


_writing()
