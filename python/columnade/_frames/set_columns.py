"""Values of several columns at once in `set_loc` and `set_iloc`."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index, Series
from .._common import _by_row_label, _depth, _error, _expanded
from .._install import compiled, install, like, methods
from .locate_columns import _between, _mask_of
from .._times.labels import rows_of_loc


_FRAME = {name: compiled(DataFrame, name) for name in ("set_iloc", "set_loc")}


def _is_several(self, column):
    """Whether a key is about several columns, and not the label of one."""
    if isinstance(column, (builtins.list, slice, Index, Series)) or getattr(column, "shape", ()) != ():
        return True
    if isinstance(column, tuple):
        return column not in self.columns and _depth(self) > 1
    return _depth(self) > 1 and column not in self.columns


def _places(labels, key, operation):
    """The columns at a position, or with a label."""
    if key in labels or isinstance(key, bool) or not hasattr(key, "__index__"):
        if key not in labels:
            raise _error("KeyError", operation, f"there is no column {key!r}", key)
        return labels[labels.index(key)]
    if not -builtins.len(labels) <= key < builtins.len(labels):
        raise _error("IndexError", operation, f"there is no column at {key}; there are {builtins.len(labels)}")
    return labels[key]


def _columns(self, column, operation):
    """The labels of the columns of a key."""
    labels = builtins.list(self.columns)
    places = _mask_of(column, self, operation)
    if places is not None:
        return [labels[at] for at in places]
    if isinstance(column, slice):
        is_place = all(bound is None or hasattr(bound, "__index__") for bound in (column.start, column.stop))
        return labels[column] if operation == "set_iloc" and is_place else _between(self, column, operation)
    keys = [column]
    if isinstance(column, (builtins.list, Index, Series)) or hasattr(column, "tolist"):
        keys = builtins.list(column.to_list() if isinstance(column, (Index, Series)) else getattr(column, "tolist", lambda: column)())
    made = [_places(labels, key, operation) for key in keys] if operation == "set_iloc" else _expanded(self, keys, operation)
    twice = next((label for at, label in enumerate(made) if label in made[:at]), None)
    if twice is not None:
        raise _error("ValueError", operation, f"column {twice!r} is chosen twice")
    return made


def _values_of(self, rows, labels, values, operation):
    """The values of each column: of a frame or a dictionary by label, of rows or of a value for each column by position."""
    if isinstance(values, DataFrame):
        return [values[label] if label in values else None for label in labels]
    if isinstance(values, dict):
        missing = [label for label in labels if label not in values]
        if missing:
            raise _error("KeyError", operation, f"the values have none for column {missing[0]!r}")
        return [values[label] for label in labels]
    if isinstance(values, Series):
        # Of one row the labels of a series are those of columns, of several those of rows.
        if not _is_one(rows):
            return [values] * builtins.len(labels)
        by_label = _by_row_label(values)
        return [by_label.get(label) for label in labels]
    if hasattr(values, "tolist") and getattr(values, "shape", ()) != ():
        values = values.tolist()
    if not isinstance(values, (builtins.list, tuple)):
        return [values] * builtins.len(labels)
    given = builtins.list(values)
    is_table = any(isinstance(row, (builtins.list, tuple)) for row in given)
    widths = {builtins.len(row) if isinstance(row, (builtins.list, tuple)) else 0 for row in given} if is_table else {builtins.len(given)}
    if widths != {builtins.len(labels)}:
        reason = f"there are {' or '.join(map(builtins.str, sorted(widths)))} values for {builtins.len(labels)} columns"
        raise _error("ValueError", operation, reason)
    return [[row[at] for row in given] for at in range(builtins.len(labels))] if is_table else given


def _is_one(rows):
    is_several = isinstance(rows, (builtins.list, slice, Index, Series)) or getattr(rows, "shape", ()) != () or hasattr(rows, "alias")
    return not is_several


def _assigned(self, rows, column, values, operation):
    method = _FRAME[operation]
    if not _is_several(self, column):
        if operation == "set_iloc" and column not in self.columns and hasattr(column, "__index__"):
            column = _places(builtins.list(self.columns), column, operation)
        return method(self, rows, column, values)
    labels, made = _columns(self, column, operation), self
    for label, of in zip(labels, _values_of(self, rows, labels, values, operation)):
        made = method(made, rows, label, of)
    return made


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def set_loc(self, rows, column, values):
        """A frame with other values in the rows of some labels: of a column, or of several, which a list, a slice or a mask chooses. These
        have one value, one for each column, those of a dictionary or a frame by label, or rows of values.
        """
        return _assigned(self, rows_of_loc(self, rows, "set_loc"), column, values, "set_loc")

    def set_iloc(self, rows, column, values):
        """A frame with other values in rows at some positions: of a column, or of several, by label or by position. These have one value,
        one for each column, those of a dictionary or a frame by label, or rows of values.
        """
        return _assigned(self, rows, column, values, "set_iloc")


_SET_LOC = compiled(Series, "set_loc")


def _set_loc(self, /, rows, values):
    return _SET_LOC(self, rows_of_loc(self, rows, "set_loc"), values)


install(Series, "set_loc", like(_set_loc, Series, "set_loc"))
