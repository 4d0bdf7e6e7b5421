"""Labels of columns: those of several levels by part of a label, masks of columns, and rows of a slice in brackets.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._errors import ColumnadeError, ColumnKeyError
from ._pandas import _add, _error, _list
from ._pandas_arguments import _UNSET, _axis, _is_first, _keyed, _label_list, _plain

# The methods that are wrapped.
_FRAME = {
    name: getattr(DataFrame, name) for name in (
        "__getitem__", "drop", "droplevel", "get", "rename", "rename_axis", "reorder_levels", "sort_index", "swaplevel", "xs",
    )
}


def _depth(self):
    """The number of levels of the labels of columns."""
    return builtins.len(self._level_names)


def _level_place(self, level, operation):
    """The position of a level of the labels of columns."""
    names, depth = builtins.list(self._level_names), _depth(self)
    if level in names and level is not None and not isinstance(level, bool):
        return names.index(level)
    if isinstance(level, int) and not isinstance(level, bool) and -depth <= level < depth:
        return level % depth
    raise _error("KeyError", operation, f"there is no level {level!r} of the labels of columns; there is {names}")


def _relabelled(self, labels, new, names, operation):
    """Some columns under other labels, which have levels of these names."""
    new = [label[0] if builtins.len(names) == 1 and isinstance(label, tuple) else label for label in new]
    twice = next((label for at, label in enumerate(new) if label in new[:at]), None)
    if twice is not None:
        raise _error("ValueError", operation, f"two columns would have the label {twice!r}, and labels of columns are unique")
    if not labels:
        return self[[]]
    made = DataFrame({label: _plain(self.column(old)) for old, label in zip(labels, new)}).with_index(self.index)
    return _named(made, names)


def _named(self, names):
    """The frame with names of the levels of its labels of columns."""
    names = builtins.list(names)
    return self if builtins.list(self._level_names) == names else self._with_level_names(names)


def _parts(key):
    return key if isinstance(key, tuple) else (key,)


def _matches(self, key, places):
    """The columns whose labels have the parts of a key in some levels."""
    return [label for label in self.columns if all(label[place] == part for place, part in zip(places, key))]


def _missing(key, operation):
    return _error("KeyError", operation, f"there is no column of {key!r}")


def _without_levels(self, labels, places, operation):
    """Some columns without some levels of their labels."""
    kept = [place for place in range(_depth(self)) if place not in places]
    names = [self._level_names[place] for place in kept]
    return _relabelled(self, labels, [tuple(label[place] for place in kept) for label in labels], names, operation)


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


def _expanded(self, keys, operation, ignore=False):
    """The labels of columns that keys stand for, each a label or the first parts of some."""
    labels, columns = [], self.columns
    for key in keys:
        found = [key] if key in columns else []
        if not found and _depth(self) > 1:
            parts = _parts(key)
            found = _matches(self, parts, range(builtins.len(parts))) if builtins.len(parts) <= _depth(self) else []
        if not found and not ignore:
            raise _missing(key, operation)
        labels += [label for label in found if label not in labels]
    return labels


def _is_place(bound):
    return bound is None or hasattr(bound, "__index__")


def _item(self, key, /):
    if isinstance(key, slice) and not (_is_place(key.start) and _is_place(key.stop)):
        return self.loc[key]
    try:
        return _FRAME["__getitem__"](self, key)
    except ColumnKeyError:
        if _depth(self) == 1 or isinstance(key, (Series, native.Expr)):
            raise
        if isinstance(key, builtins.list):
            return _FRAME["__getitem__"](self, _expanded(self, key, "select"))
        return _partial(self, key, "column")


_item.__name__, _item.__qualname__ = "__getitem__", "DataFrame.__getitem__"
_item.__doc__ = _FRAME["__getitem__"].__doc__
setattr(DataFrame, "__getitem__", _item)


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


def _chosen_columns(frame, key, operation):
    """The columns of `loc` for a key that the engine does not take: their labels, and how many levels the key takes off."""
    if isinstance(key, slice):
        return _between(frame, key, operation), 0
    if isinstance(key, (builtins.list, Index)) or hasattr(key, "tolist"):
        return _expanded(frame, _label_list(key), operation), 0
    labels = _expanded(frame, [key], operation)
    return labels, builtins.len(_parts(key))


def _looked_up(kind):
    look_up, operation = kind.__getitem__, kind.__name__.lower()

    def method(self, key, /):
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
            made = look_up(self, (rows, labels))
            return _without_levels(made, labels, range(off), operation) if off else made

    method.__name__, method.__qualname__, method.__doc__ = "__getitem__", f"{kind.__name__}.__getitem__", look_up.__doc__
    return method


for _kind in (native.Loc, native.Iloc):
    setattr(_kind, "__getitem__", _looked_up(_kind))
del _kind


# Methods -----------------------------------------------------------------------------------------------------------------


def _swapped(depth, one, other):
    order = builtins.list(range(depth))
    order[one], order[other] = order[other], order[one]
    return order


class _OfFrames:
    """Methods of frames."""

    def get(self, key, default=None):
        """A column, or the columns whose labels begin with a key; what is not there is a default."""
        try:
            return self[key]
        except ColumnKeyError:
            return default

    def xs(self, key, level=None, axis=0, drop_level=True):
        """The rows of a label, or of a label of some levels, without these levels unless drop_level=False. With axis=1 the columns, and
        for a whole label a series.
        """
        operation = "xs"
        if _axis(axis, operation) == 0:
            return _FRAME[operation](self, key, level, axis, drop_level)
        if level is None and drop_level:
            return self[key] if not isinstance(key, builtins.list) else self[tuple(key)]
        depth = _depth(self)
        levels = builtins.list(range(builtins.len(_parts(key)))) if level is None else _list(level)
        levels = builtins.list(level) if isinstance(level, tuple) else levels
        keys = builtins.list(key) if isinstance(level, (builtins.list, tuple)) and isinstance(key, builtins.list) else _parts(key)
        if builtins.len(keys) != builtins.len(levels):
            raise _error("ValueError", operation, f"key has {builtins.len(keys)} labels for {builtins.len(levels)} levels")
        places = [_level_place(self, one, operation) for one in levels]
        if depth == 1:
            return self[[keys[0]]] if not drop_level else self[keys[0]]
        labels = _matches(self, keys, places)
        if not labels:
            raise _missing(key, operation)
        if not drop_level or builtins.len(places) == depth:
            return self[labels]
        return _without_levels(self, labels, places, operation)

    def droplevel(self, level, axis=0):
        """Without a level, or some, of the row labels, with axis=1 of the labels of columns."""
        operation = "droplevel"
        levels = builtins.list(level) if isinstance(level, (builtins.list, tuple)) else [level]
        if _axis(axis, operation) == 0:
            if builtins.len(levels) == 1:
                return _FRAME[operation](self, levels[0])
            return self.with_index(_index_without(self.index, levels))
        places = [_level_place(self, one, operation) for one in levels]
        if builtins.len(set(places)) >= _depth(self):
            raise _error("ValueError", operation, f"the labels of columns have {_depth(self)} levels, and one must be left")
        return _without_levels(self, builtins.list(self.columns), places, operation)

    def reorder_levels(self, order, axis=0):
        """The levels of the row labels, with axis=1 of the labels of columns, in another order."""
        operation = "reorder_levels"
        if _axis(axis, operation) == 0:
            return _FRAME[operation](self, builtins.list(order))
        if _depth(self) == 1:
            raise _error("TypeError", operation, "the labels of columns have one level")
        places = [_level_place(self, one, operation) for one in order]
        if sorted(places) != builtins.list(range(_depth(self))):
            raise _error("ValueError", operation, f"order has each of the {_depth(self)} levels once, not {builtins.list(order)}")
        labels, names = builtins.list(self.columns), builtins.list(self._level_names)
        new = [tuple(label[place] for place in places) for label in labels]
        return _relabelled(self, labels, new, [names[place] for place in places], operation)

    def swaplevel(self, i=-2, j=-1, axis=0):
        """The row labels, with axis=1 the labels of columns, with two levels in each other's place."""
        operation = "swaplevel"
        if _axis(axis, operation) == 0:
            return _FRAME[operation](self, i, j)
        if _depth(self) == 1:
            raise _error("TypeError", operation, "the labels of columns have one level")
        one, other = (_level_place(self, level, operation) for level in (i, j))
        return self.reorder_levels(_swapped(_depth(self), one, other), axis=1)

    def drop(self, *names, labels=None, columns=None, index=None, axis=None, level=None, errors="raise"):
        """The frame without columns, or without the rows of labels of `index`. Labels alone are those of columns unless `axis` says
        rows; `level` is the level of the labels that has them. errors="ignore" leaves out labels that are not there. The first levels
        of a label of columns stand for all that begin with them.
        """
        operation = "drop"
        of_columns = axis is None or _axis(axis, operation) == 1
        if _depth(self) > 1 and of_columns:
            given = [*names, *([] if labels is None else [labels]), *([] if columns is None else [columns])]
            keys = [label for part in given for label in _label_list(part)]
            ignore = errors == "ignore"
            if level is not None and keys:
                place = _level_place(self, level, operation)
                known = {label[place] for label in self.columns}
                missing = [key for key in keys if key not in known]
                if missing and not ignore:
                    raise _missing(missing[0], operation)
                dropped, level = [label for label in self.columns if label[place] in keys], level if index is not None else None
            else:
                dropped = _expanded(self, keys, operation, ignore)
            made = self[[label for label in self.columns if label not in dropped]] if dropped else self
            return made if index is None else _FRAME[operation](made, index=index, level=level, errors=errors)
        return _FRAME[operation](self, *names, labels=labels, columns=columns, index=index, axis=axis, level=level, errors=errors)

    def rename(self, mapper=None, index=None, columns=None, axis=None, errors="ignore", level=None):
        """Other labels of columns, and with `index` of rows: a dictionary or a function of the labels. A mapper alone is one of columns
        unless `axis` says rows. Labels that a dictionary does not have stay; those that are not there are left out, or with
        errors="raise" an error. Of labels of several levels it is about those of each level, or of `level`.
        """
        operation = "rename"
        of_columns = columns
        if mapper is not None and columns is None and index is None and (axis is None or _axis(axis, operation) == 1):
            of_columns = mapper
        is_whole = isinstance(of_columns, dict) and any(isinstance(key, tuple) for key in of_columns)
        if of_columns is None or _depth(self) == 1 or is_whole or not (isinstance(of_columns, (dict, Series)) or callable(of_columns)):
            return _FRAME[operation](self, mapper, index, columns, axis, errors, level)
        if isinstance(of_columns, Series):
            of_columns = dict(zip(of_columns.index.to_list(), of_columns.to_list()))
        depth = _depth(self)
        places = range(depth) if level is None else [_level_place(self, level, operation)]
        known = {label[place] for label in self.columns for place in places}
        missing = [key for key in of_columns if key not in known] if isinstance(of_columns, dict) and errors == "raise" else []
        if missing:
            raise _error("KeyError", operation, f"there are no labels {missing} of columns")

        def renamed(part):
            return of_columns.get(part, part) if isinstance(of_columns, dict) else of_columns(part)

        labels = builtins.list(self.columns)
        new = [tuple(renamed(part) if at in places else part for at, part in enumerate(label)) for label in labels]
        made = _relabelled(self, labels, new, builtins.list(self._level_names), operation)
        return made if index is None else _FRAME[operation](made, index=index, errors=errors, level=level)

    def rename_axis(self, mapper=_UNSET, index=_UNSET, columns=_UNSET, axis=0, names=_UNSET):
        """Other names of the row labels, and with `columns` or axis=1 of those of columns: of each level a name, or a dictionary or a
        function of the names.
        """
        operation = "rename_axis"
        if columns is _UNSET and _axis(axis, operation) == 0:
            return _FRAME[operation](self, mapper, index, _UNSET, axis, names)
        if columns is not _UNSET and mapper is not _UNSET:
            raise _error("TypeError", operation, "give a mapper with axis, or index and columns")
        made = self
        if _axis(axis, operation) == 1:
            columns = mapper if columns is _UNSET else columns
            if columns is _UNSET:
                raise _error("TypeError", operation, "give names of the labels of columns")
        if index is not _UNSET or names is not _UNSET:
            made = _FRAME[operation](made, index=index, names=names)
        known = builtins.list(made._level_names)
        if isinstance(columns, dict):
            new = [columns.get(name, name) for name in known]
        elif callable(columns):
            new = [columns(name) for name in known]
        elif columns is None:
            new = [None] * builtins.len(known)
        else:
            new = builtins.list(columns) if isinstance(columns, (builtins.list, tuple)) else [columns]
        if builtins.len(new) != builtins.len(known):
            raise _error("ValueError", operation, f"there are {builtins.len(new)} names for {builtins.len(known)} levels of labels of columns")
        return _named(made, new)

    def sort_index(
        self, level=None, ascending=True, nulls_first=None, axis=0, kind="quicksort", na_position=None, sort_remaining=True,
        ignore_index=False, key=None,
    ):
        """The rows in the order of their labels, or of some levels of them, and with axis=1 the columns. Equal labels keep their order.
        Nulls stand at the end, or with na_position="first" at the start. `key` is a function of the labels of a level.
        """
        operation = "sort_index"
        is_plain = level is None and not isinstance(ascending, builtins.list) and (key is None or _depth(self) == 1)
        if _axis(axis, operation) == 0 or is_plain:
            return _FRAME[operation](self, level, ascending, nulls_first, axis, kind, na_position, sort_remaining, ignore_index, key)
        _is_first(na_position, nulls_first, operation)
        depth, labels = _depth(self), builtins.list(self.columns)
        places = builtins.list(range(depth)) if level is None else [_level_place(self, one, operation) for one in _list(level)]
        given = builtins.len(places)
        if isinstance(ascending, builtins.list) and builtins.len(ascending) != given:
            raise _error("ValueError", operation, f"ascending has {builtins.len(ascending)} values for {given} levels")
        orders = builtins.list(ascending) if isinstance(ascending, builtins.list) else [ascending] * given
        if sort_remaining and not isinstance(ascending, builtins.list):
            rest = [place for place in range(depth) if place not in places]
            places, orders = places + rest, orders + [ascending] * builtins.len(rest)
        order = builtins.list(range(builtins.len(labels)))
        for at in reversed(range(builtins.len(places))):
            values = [_parts(label)[places[at]] for label in labels]
            if key is not None and at < given:
                values = _keyed(key, Index(values), operation).to_list()
            try:
                # A stable sort by each level, the first one last.
                order.sort(key=values.__getitem__, reverse=not orders[at])
            except TypeError as error:
                raise _error("TypeError", operation, f"the labels of the columns have no order: {error}") from None
        return self[[labels[at] for at in order]]


def _index_without(index, levels):
    """Labels without some levels, which are named before any is taken off."""
    from ._pandas_arguments import _level, _place

    places = [_place(index, level, "droplevel") for level in levels]
    kept = [place for place in range(index.nlevels) if place not in places]
    if not kept:
        raise _error("ValueError", "droplevel", f"the row labels have {index.nlevels} levels, and one must be left")
    names = [index.names[place] for place in kept]
    levels = [_level(index, place) for place in kept]
    return Index(levels[0]).rename(names[0]) if builtins.len(kept) == 1 else Index.from_arrays(levels, names)


_add(_OfFrames, DataFrame)


def _contains(self, key, /):
    if _CONTAINS(self, key):
        return True
    if _depth(self) == 1 or key is None:
        return False
    parts = _parts(key)
    return builtins.len(parts) < _depth(self) and builtins.bool(_matches(self, parts, range(builtins.len(parts))))


_CONTAINS = DataFrame.__contains__
_contains.__name__, _contains.__qualname__, _contains.__doc__ = "__contains__", "DataFrame.__contains__", _CONTAINS.__doc__
setattr(DataFrame, "__contains__", _contains)
