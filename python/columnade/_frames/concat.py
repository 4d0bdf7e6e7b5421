"""`concat` of frames and series, and `merge_sorted`."""

from __future__ import annotations

import builtins
from typing import Any, Iterable, Literal, overload

from .. import _columnade as native
from .._columnade import DataFrame, Series
from .._common import _choice, _error, _list, _named
from .._errors import ColumnTypeError, ColumnValueError, under


# Functions ---------------------------------------------------------------------------------------------------------------
@overload  # type: ignore[overload-overlap]
def concat(
    objs: Iterable[Series | None] | dict[Any, Series] | None = None, ignore_index: bool = False, axis: Literal[0, "index"] = 0,
    join: str = "outer", *, keys: list[Any] | None = None, names: Any = None, sort: bool = False,
    verify_integrity: bool = False, copy: bool | None = None, frames: Any = None, how: str | None = None,
) -> Series: ...
@overload
def concat(
    objs: Iterable[Series | None] | dict[Any, Series] | None = None, ignore_index: bool = False, *, axis: Literal[1, "columns"],
    join: str = "outer", keys: list[Any] | None = None, names: Any = None, sort: bool = False, verify_integrity: bool = False,
    copy: bool | None = None, frames: Any = None, how: str | None = None,
) -> DataFrame: ...
@overload
def concat(
    objs: Iterable[Any] | dict[Any, Any] | None = None, ignore_index: bool = False, axis: int | str = 0, join: str = "outer", *,
    keys: list[Any] | None = None, names: Any = None, sort: bool = False, verify_integrity: bool = False, copy: bool | None = None,
    frames: Any = None, how: str | None = None,
) -> DataFrame: ...
def concat(
    objs: Any = None, ignore_index: bool = False, axis: Any = 0, join: str = "outer", *, keys: list[Any] | None = None, names: Any = None,
    sort: bool = False, verify_integrity: bool = False, copy: bool | None = None, frames: Any = None, how: str | None = None,
) -> Any:
    """Frames or series one below the other, or with axis=1 beside each other in rows of one label. Those of a dictionary are under its
    keys, and None is left out. `how` is "vertical", "diagonal" (the columns of all) or "horizontal" (beside each other), as in Polars.
    """
    operation = "concat"
    if how is not None:
        axis = 1 if _choice(how, ("vertical", "diagonal", "horizontal"), "how", operation) == "horizontal" else 0
        ignore_index = ignore_index or how != "horizontal"
    if (objs is None) == (frames is None):
        raise _error("TypeError", operation, "give objs")
    given = frames if objs is None else objs
    if isinstance(given, (DataFrame, Series, builtins.str)):
        raise _error("TypeError", operation, f"objs is a list of frames or series, not one {type(given).__name__}")
    if isinstance(axis, builtins.str):
        axis = {"index": 0, "rows": 0, "columns": 1}.get(axis, axis)
    if isinstance(given, dict):
        if keys is not None:
            given, keys = {key: given[key] for key in keys}, None
        given = {key: one for key, one in given.items() if one is not None}
    else:
        given = builtins.list(given)
        if keys is not None and any(one is None for one in given):
            keys = [key for key, one in zip(keys, given) if one is not None]
        given = [one for one in given if one is not None]
    if how == "vertical":
        frames = [one for one in (given.values() if isinstance(given, dict) else given) if isinstance(one, DataFrame)]
        other = next((one for one in frames if one.columns != frames[0].columns), None)
        if other is not None:
            reason = f'how="vertical" is of frames with the same columns, not {other.columns} and {frames[0].columns}: see "diagonal"'
            raise _error("ValueError", operation, reason)
    if axis == 1 and given and all(isinstance(one, Series) for one in (given.values() if isinstance(given, dict) else given)):
        # The keys are the labels of series, which have no label of a column to go before.
        if isinstance(given, dict):
            given, keys = [one.rename(key) for key, one in given.items()], None
        elif keys is not None and builtins.len(keys) == builtins.len(given):
            given, keys = [one.rename(key) for key, one in zip(keys, given)], None
    parts = builtins.list(given.values()) if isinstance(given, dict) else given
    made = _joined(given, ignore_index, axis, join, keys, names, sort, verify_integrity)
    if not isinstance(made, DataFrame) or ignore_index and axis == 1:
        return made
    return _with_column_names(made, [one for one in parts if isinstance(one, DataFrame)], axis, names)


def _with_column_names(made, frames, axis, names):
    """A frame with the names of levels of labels of columns that all frames have, behind those of the keys of columns."""
    known = [builtins.list(frame._level_names) for frame in frames]
    if axis == 1 and not frames and names is not None and builtins.len(made._level_names) == builtins.len(_list(names)):
        return _named(made, _list(names))
    if not known or any(builtins.len(one) != builtins.len(known[0]) for one in known):
        return made
    # Behind keys they are those of the first frame.
    shared, count = known[0], builtins.len(made._level_names) - builtins.len(known[0])
    if count < 0:
        return made
    if count == 0 and any(one != shared for one in known):
        shared = [None] * builtins.len(shared)
    before = builtins.list(made._level_names)
    behind = [old if old is not None and count else new for old, new in zip(before[count:], shared)]
    return _named(made, [*before[:count], *behind])


def _joined(
    given: Any, ignore_index: bool, axis: Any, join: str, keys: Any, names: Any, sort: bool, verify_integrity: bool,
) -> Any:
    options: Any = {"keys": keys, "sort": sort, "verify_integrity": verify_integrity}
    try:
        return native.concat(given, ignore_index, axis, join, names=names, **options)
    except ColumnValueError:
        # Names of the keys and of the levels of before, which the native function does not take.
        if not isinstance(names, (builtins.list, tuple)) or axis != 0:
            raise
        made = native.concat(given, ignore_index, axis, join, **options)
        if made.index.nlevels != builtins.len(names):
            raise
        return made.with_index(made.index.rename(builtins.list(names)))


def _has_two_orders(frames, by):
    """Whether a key is of ordered categories in some of the frames alone. As text these have another order."""
    for label in _list(by):
        dtypes = [builtins.str(frame.dtypes[label]) for frame in frames if isinstance(label, (builtins.str, int, tuple)) and label in frame]
        if builtins.len({dtype.endswith(", ordered>") for dtype in dtypes}) > 1:
            return True
    return False


def merge_sorted(
    frames: list[DataFrame], by: Any, ascending: bool | list[bool] | None = None, nulls_first: bool | list[bool] | None = None,
) -> DataFrame:
    """The rows of all frames, each of which is sorted by some columns, in that order; of equal rows those of earlier frames first.
    Whether the frames are sorted is not checked. The frames have the same columns, and their dtypes are widened as `concat` does. Ordered
    categories that they are sorted by are the same in all frames.
    """
    operation = "merge_sorted"
    given: Any = builtins.list(frames) if isinstance(frames, (builtins.list, tuple)) else frames
    if not isinstance(given, builtins.list) or not all(isinstance(frame, DataFrame) for frame in given):
        return native.merge_sorted(given, by, ascending, nulls_first)
    for frame in given[1:]:
        label = next((label for label in frame.columns if label not in given[0]), None)
        if label is not None:
            raise _error("KeyError", operation, f"there is no column {label!r} in the first frame; there is {given[0].columns}", label)
    try:
        return native.merge_sorted(given, by, ascending, nulls_first)
    except ColumnTypeError:
        if _has_two_orders(given, by) or all(frame.dtypes == given[0].dtypes for frame in given):
            raise
    with under(operation):
        dtypes = native.concat([frame.head(0) for frame in given], True).dtypes
        # Decimals of one precision are equal dtypes, and may be stored in more bytes.
        wide = [
            frame.cast({label: dtype for label, dtype in dtypes.items() if builtins.str(frame.dtypes[label]) != builtins.str(dtype)})
            for frame in given
        ]
    return native.merge_sorted(wide, by, ascending, nulls_first)
