"""Columns that a key of `loc`, `iloc` or brackets names: masks of columns, slices, and first parts of labels of several levels."""

from __future__ import annotations

import builtins

from .._columnade import Index, Series
from .._common import _depth, _error, _expanded, _label_list, _matches, _missing, _parts, _without_levels
from .._errors import ColumnadeError


def _partial(self, key, operation):
    """The columns whose labels begin with a key, without these levels; of one whose other levels are empty a series."""
    parts = _parts(key)
    places = range(builtins.len(parts))
    labels = _matches(self, parts, places) if builtins.len(parts) < _depth(self) else []
    if not labels:
        raise _missing(key, operation)
    if builtins.len(labels) == 1 and not any(labels[0][builtins.len(parts):]):
        return self.column(labels[0]).rename(key)
    return _without_levels(self, labels, places, operation)


# Columns of `loc` and `iloc` ---------------------------------------------------------------------------------------------
def _mask_of(key, frame, operation):
    """The columns that a list, an array or a series of booleans chooses, or None for other keys."""
    if isinstance(key, Series):
        flags = key.to_list() if builtins.str(key.dtype) == "bool" else None
        if flags is not None and key.index.kind != "range":
            by_label = dict(zip(key.index.to_list(), flags))
            missing = [label for label in frame.columns if label not in by_label]
            if missing:
                raise _error("KeyError", operation, f"the mask of columns has no value for {missing[0]!r}")
            flags = [by_label[label] for label in frame.columns]
    elif hasattr(key, "dtype") and hasattr(key, "tolist") and getattr(key, "shape", ()) != ():
        if hasattr(key, "reindex") and hasattr(key, "index") and builtins.str(key.dtype) in ("bool", "boolean"):
            return _mask_of(Series(key.tolist()).with_index(Index(builtins.list(key.index))), frame, operation)
        flags = key.tolist() if builtins.str(key.dtype) in ("bool", "boolean") else None
    else:
        is_mask = isinstance(key, builtins.list) and key and all(isinstance(flag, bool) for flag in key)
        flags = key if is_mask and not any(isinstance(label, bool) for label in frame.columns) else None
    if flags is None:
        return None
    labels = builtins.list(frame.columns)
    if builtins.len(flags) != builtins.len(labels):
        raise _error("IndexError", operation, f"a mask of columns has {builtins.len(flags)} values for {builtins.len(labels)} columns")
    return [at for at, flag in enumerate(flags) if flag]


def _between(frame, key, operation):
    """The columns from the first of one key to the last of another one."""
    labels = builtins.list(frame.columns)
    bounds = [None if bound is None else _expanded(frame, [bound], operation) for bound in (key.start, key.stop)]
    first = 0 if bounds[0] is None else labels.index(bounds[0][0])
    last = builtins.len(labels) if bounds[1] is None else labels.index(bounds[1][-1]) + 1
    return labels[first:last][:: key.step]


def _of_each_level(frame, key, operation):
    """The columns whose label of each level is one of a list, in a slice, or the one that a key has for it, in their order."""
    labels, kept = builtins.list(frame.columns), []
    if builtins.len(key) > _depth(frame):
        raise _missing(key, operation)
    for place, part in enumerate(key):
        known = [label[place] for label in labels]
        if isinstance(part, slice):
            if part.step is not None:
                raise _error("NotImplementedError", operation, "a step in a level of labels of columns is not implemented")
            try:
                kept.append([(part.start is None or part.start <= one) and (part.stop is None or one <= part.stop) for one in known])
            except TypeError:
                raise _error("TypeError", operation, f"labels of level {place} of columns are of other kinds than {part!r}") from None
            continue
        asked = _label_list(part)
        missing = [one for one in asked if one not in known]
        if missing:
            raise _missing(missing[0], operation)
        kept.append([one in asked for one in known])
    found = [label for at, label in enumerate(labels) if all(flags[at] for flags in kept)]
    if not found and not any(isinstance(part, slice) for part in key):
        raise _missing(key, operation)
    return found


def _is_of_levels(key):
    """Whether a key has lists or slices for levels."""
    return isinstance(key, tuple) and any(isinstance(part, (slice, builtins.list, Index, Series)) or hasattr(part, "tolist") for part in key)


def _chosen_columns(frame, key, operation):
    """The columns of `loc` for a key that the engine does not take: their labels, and the levels that the key takes off."""
    if _is_of_levels(key):
        # Beside lists the levels of single labels are taken off, beside slices none, as in pandas.
        off = [] if any(isinstance(part, slice) for part in key) else [at for at, part in enumerate(key) if not _is_of_levels((part,))]
        return _of_each_level(frame, key, operation), off
    if isinstance(key, slice):
        return _between(frame, key, operation), []
    if isinstance(key, (builtins.list, Index)) or hasattr(key, "tolist"):
        return _expanded(frame, _label_list(key), operation), []
    labels = _expanded(frame, [key], operation)
    return labels, range(builtins.len(_parts(key)))


def by_columns(look_up, self, key, operation):
    """What `loc` or `iloc` finds for rows and columns, of which columns may be a mask, or the first parts of labels of several levels."""
    if not isinstance(key, tuple) or builtins.len(key) != 2:
        return look_up(self, key)
    rows, columns = key
    if isinstance(columns, Series) or isinstance(columns, builtins.list) and columns and isinstance(columns[0], bool) or (
        hasattr(columns, "dtype") and hasattr(columns, "tolist")
    ):
        frame = look_up(self, slice(None))
        places = _mask_of(columns, frame, operation)
        if places is not None:
            columns = [frame.columns[at] for at in places] if operation == "loc" else places
            # Without columns there is no list of labels that the engine could find.
            return look_up(self, (rows, columns)) if columns else look_up(self, rows)[[]]
    try:
        return look_up(self, key)
    except ColumnadeError as error:
        if operation != "loc" or not isinstance(error, (KeyError, TypeError)):
            raise
        frame = look_up(self, slice(None))
        if _depth(frame) == 1:
            raise
        labels, off = _chosen_columns(frame, columns, operation)
        if not labels:
            return look_up(self, rows)[[]]
        made = look_up(self, (rows, labels))
        return _without_levels(made, labels, off, operation) if off else made
