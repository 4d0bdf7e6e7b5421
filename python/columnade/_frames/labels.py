"""Other labels of rows and columns, and other names and levels of these."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index, Series
from .._common import (
    _UNSET, _axis, _by_row_label, _choice, _depth, _error, _index_of, _is_mapper, _level, _level_place, _list, _named, _place, _plain,
    _relabelled, _rows_only, _same, _without_levels,
)
from .._install import compiled, methods, naming


_RENAME, _RENAME_AXIS, _RESET_INDEX = ({kind: compiled(kind, name) for kind in (DataFrame, Series)} for name in ("rename", "rename_axis", "reset_index"))
_SET_INDEX = compiled(DataFrame, "set_index")
_PREFIX, _SUFFIX = compiled(DataFrame, "add_prefix"), compiled(DataFrame, "add_suffix")
_DROP_LEVEL, _REORDER, _SWAP = (compiled(DataFrame, name) for name in ("droplevel", "reorder_levels", "swaplevel"))


def _renamed_labels(index, mapper, places, errors):
    """Row labels with others for some of them, by a dictionary, a series or a function."""
    operation = "rename"
    if isinstance(mapper, Series):
        mapper = _by_row_label(mapper)
    levels, known = [], set()
    for place in range(index.nlevels):
        values = _level(index, place)
        if place in places:
            labels = values.to_list()
            known.update(labels)
            made = [mapper.get(label, label) if isinstance(mapper, dict) else mapper(label) for label in labels]
            try:
                values = Series(made).to_device(values.device)
            except TypeError as error:
                kinds = sorted({type(label).__name__ for label in made if label is not None})
                if builtins.len(kinds) < 2:
                    raise
                reason = f"labels of rows have one dtype, and these would be {' and '.join(kinds)}: give others for all of them"
                raise _error("TypeError", operation, reason) from error
        levels.append(values)
    missing = [label for label in mapper if label not in known] if isinstance(mapper, dict) and errors == "raise" else []
    if missing:
        raise _error("KeyError", operation, f"there are no row labels {missing}")
    return _index_of(levels, index.names)


def _with_labels_renamed(self, mapper, level, errors):
    places = range(self.index.nlevels) if level is None else [_place(self.index, level, "rename")]
    return self.with_index(_renamed_labels(self.index, mapper, places, errors))


def _swapped(depth, one, other):
    order = builtins.list(range(depth))
    order[one], order[other] = order[other], order[one]
    return order


def _index_without(index, levels):
    """Labels without some levels, which are named before any is taken off."""
    places = [_place(index, level, "droplevel") for level in levels]
    kept = [place for place in range(index.nlevels) if place not in places]
    if not kept:
        raise _error("ValueError", "droplevel", f"the row labels have {index.nlevels} levels, and one must be left")
    names = [index.names[place] for place in kept]
    levels = [_level(index, place) for place in kept]
    return _index_of(levels, names)


def _text_labels(index, name, text):
    """Row labels as text with a prefix or a suffix."""
    return getattr(Series([0] * builtins.len(index), dtype="int64").with_index(index), name)(text).index


def _renamed(self, mapper, index, columns, axis, errors, level):
    """Other labels of columns and rows, each a whole one of columns."""
    operation = "rename"
    _choice(errors, ("ignore", "raise"), "errors", operation)
    if mapper is not None:
        if index is not None or columns is not None:
            raise _error("TypeError", operation, "give a mapper, or index and columns")
        index, columns = (mapper, None) if axis is not None and _axis(axis, operation) == 0 else (None, mapper)
    elif axis is not None:
        raise _error("TypeError", operation, "axis goes with a mapper")
    elif index is None and columns is None:
        raise _error("TypeError", operation, "give a mapper, index or columns")
    for name, given in (("index", index), ("columns", columns)):
        if given is not None and not _is_mapper(given):
            raise _error("TypeError", operation, f"{name} is a dictionary or a function, not {type(given).__name__}")
    made = self
    if columns is not None:
        if isinstance(columns, Series):
            columns = _by_row_label(columns)
        pairs = columns if isinstance(columns, dict) else {label: columns(label) for label in self.columns}
        if errors == "ignore":
            pairs = {old: new for old, new in pairs.items() if old in self}
        made = _RENAME[DataFrame](made, pairs) if pairs else made
    return made if index is None else _with_labels_renamed(made, index, level, errors)


def _rows_renamed(self, mapper, index, names):
    """Other names of the row labels."""
    operation = "rename_axis"
    given = [value for value in (mapper, index, names) if value is not _UNSET]
    if builtins.len(given) > 1:
        raise _error("TypeError", operation, "give one of mapper and index")
    if not given:
        raise _error("TypeError", operation, "give names of the row labels")
    (value,) = given
    known = builtins.list(self.index.names)
    if isinstance(value, dict):
        value = [value.get(name, name) for name in known]
    elif callable(value):
        value = [value(name) for name in known]
    elif value is None:
        value = [None] * builtins.len(known)
    return _RENAME_AXIS[type(self)](self, builtins.list(value) if isinstance(value, tuple) and self.index.nlevels > 1 else value)


def _label_of(name, default, depth, place, fill):
    """The label of a level of row labels among those of columns of several levels."""
    parts = builtins.list(name) if isinstance(name, tuple) else [default if name is None else name]
    if fill is None:
        if builtins.len(parts) not in (1, depth):
            raise _error("ValueError", "reset_index", f"col_fill=None goes with a whole name, not {name!r}")
        fill = parts[0]
    label = [*[fill] * place, *parts]
    if builtins.len(label) > depth:
        raise _error("ValueError", "reset_index", f"{name!r} has {builtins.len(label)} parts, and labels of columns {depth}")
    return (*label, *[fill] * (depth - builtins.len(label)))


def _with_levels_as_columns(frame, given, place, fill):
    """A frame, whose labels of columns have levels, with all or some levels of row labels as columns at the front."""
    index = frame.index
    places = range(index.nlevels) if given is None else [_place(index, one, "reset_index") for one in _list(given)]
    made = {}
    for at in sorted(places):
        default = "index" if index.nlevels == 1 and "index" not in frame else f"level_{at}"
        label = _label_of(index.names[at], default, _depth(frame), place, fill)
        if label in made or label in frame:
            raise _error("ValueError", "reset_index", f"there is a column {label!r} already")
        made[label] = _level(index, at).to_device(frame.device)
    columns = {label: _plain(frame.column(label)) for label in frame.columns}
    made = _named(DataFrame({**made, **columns}), frame._level_names)
    kept = [at for at in range(index.nlevels) if at not in places]
    return made.with_index(_index_of([_level(index, at) for at in kept], [index.names[at] for at in kept])) if kept else made


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

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
            return _renamed(self, mapper, index, columns, axis, errors, level)
        if isinstance(of_columns, Series):
            of_columns = _by_row_label(of_columns)
        depth = _depth(self)
        places = range(depth) if level is None else [_level_place(self, level, operation)]
        known = {label[place] for label in self.columns for place in places}
        missing = [key for key in of_columns if key not in known] if isinstance(of_columns, dict) and errors == "raise" else []
        if missing:
            raise _error("KeyError", operation, f"there are no labels {missing} of columns")

        def other(part):
            return of_columns.get(part, part) if isinstance(of_columns, dict) else of_columns(part)

        labels = builtins.list(self.columns)
        new = [tuple(other(part) if at in places else part for at, part in enumerate(label)) for label in labels]
        made = _relabelled(self, labels, new, builtins.list(self._level_names), operation)
        return made if index is None else _renamed(made, None, index, None, None, errors, level)

    def rename_axis(self, mapper=_UNSET, index=_UNSET, columns=_UNSET, axis=0, names=_UNSET):
        """Other names of the row labels, and with `columns` or axis=1 of those of columns: of each level a name, or a dictionary or a
        function of the names.
        """
        operation = "rename_axis"
        if columns is _UNSET and _axis(axis, operation) == 0:
            return _rows_renamed(self, mapper, index, names)
        if columns is not _UNSET and mapper is not _UNSET:
            raise _error("TypeError", operation, "give a mapper with axis, or index and columns")
        made = self
        if _axis(axis, operation) == 1:
            columns = mapper if columns is _UNSET else columns
            if columns is _UNSET:
                raise _error("TypeError", operation, "give names of the labels of columns")
        if index is not _UNSET or names is not _UNSET:
            made = _rows_renamed(made, _UNSET, index, names)
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

    def reset_index(self, level=_UNSET, drop=False, names=None, allow_duplicates=False, levels=_UNSET, *, col_level=0, col_fill=""):
        """The row labels, or some levels of them, as columns at the front, and labels 0, 1, … instead. `drop` leaves the labels out, and
        `names` are other names of the columns: of labels of several levels those of `col_level`, with `col_fill` in the others.
        """
        operation = "reset_index"
        if allow_duplicates:
            raise _error("NotImplementedError", operation, "allow_duplicates=True: labels of columns are unique")
        frame, given = self, _same(level, levels, "level", "levels", None, operation)
        if names is not None:
            known = builtins.list(names) if isinstance(names, (builtins.list, tuple)) and self.index.nlevels > 1 else _list(names)
            if builtins.len(known) != self.index.nlevels:
                raise _error("ValueError", operation, f"names has {builtins.len(known)} names for {self.index.nlevels} levels")
            if given is not None:
                places = [_place(self.index, one, operation) for one in _list(given)]
                given, kept = places, builtins.list(self.index.names)
                known = [name if at in places else kept[at] for at, name in enumerate(known)]
            frame = _RENAME_AXIS[DataFrame](frame, known)
        if _depth(self) == 1 or drop:
            return _RESET_INDEX[DataFrame](frame, given, drop)
        return _with_levels_as_columns(frame, given, _level_place(self, col_level, operation), col_fill)

    @naming
    def set_index(self, keys=_UNSET, drop=True, append=False, verify_integrity=False, labels=_UNSET):
        """Columns, and series, indexes or arrays beside them, as the levels of the row labels."""
        operation = "set_index"
        given = _same(keys, labels, "keys", "labels", None, operation)

        def is_values(key):
            return isinstance(key, (Series, Index, builtins.list)) or (hasattr(key, "shape") and hasattr(key, "tolist") and key.shape != ())

        parts = given if isinstance(given, builtins.list) else [given]
        if not any(map(is_values, parts)):
            return _SET_INDEX(self, given, drop, append, verify_integrity)
        frame, places, names = self, [], []
        levels = builtins.list(self._level_names)
        if builtins.len(levels) > 1:
            # Series beside have labels of one part.
            frame = self._with_level_names([None])
        for at, key in enumerate(parts):
            if not is_values(key):
                places.append(key)
                names.append(key)
                continue
            several = [_level(key, place) for place in range(key.nlevels)] if isinstance(key, Index) else [_plain(key)]
            for level, values in enumerate(several):
                if builtins.len(values) != builtins.len(self):
                    raise _error("ValueError", operation, f"keys have {builtins.len(values)} values for {builtins.len(self)} rows")
                label = f"\0{at} {level}"
                frame = frame.with_columns(**{label: values.with_index(self.index)})
                places.append(label)
                names.append(key.names[level] if isinstance(key, Index) else key.name if isinstance(key, Series) else None)
        made = _SET_INDEX(frame, places, True, append, verify_integrity)
        kept = [label for label in self.columns if drop is False and label in places]
        if kept:
            columns = {label: _plain(self[label]) for label in self.columns if label in made or label in kept}
            made = DataFrame(columns).with_index(made.index)
        return _named(made, levels).with_index(made.index.rename([*(self.index.names if append else []), *names]))

    @naming
    def set_axis(self, labels, axis=0):
        """Other labels of the rows, or with axis=1 of the columns."""
        if axis in (0, "index"):
            return self.with_index(labels if isinstance(labels, Index) else Index(labels))
        if axis not in (1, "columns"):
            raise _error("ValueError", "set_axis", "axis is 0 or 1")
        names = builtins.list(labels.names) if isinstance(labels, Index) else [None]
        labels = labels.to_list() if isinstance(labels, (Index, Series)) else builtins.list(labels)
        if builtins.len(labels) != builtins.len(self.columns):
            reason = f"{builtins.len(labels)} labels for {builtins.len(self.columns)} columns"
            raise _error("ValueError", "set_axis", reason)
        depths = {builtins.len(label) if isinstance(label, tuple) else 1 for label in labels}
        depth = depths.pop() if builtins.len(depths) == 1 else 1
        # `rename` is of whole labels, and of one level also of tuples.
        made = self if _depth(self) == 1 else self._with_level_names([None])
        made = made.rename(columns=dict(zip(self.columns, labels)))
        return _named(made, [*names, *[None] * (depth - builtins.len(names))])

    def add_prefix(self, prefix, axis=None):
        """The columns, with axis=0 the rows, under labels with a text before them."""
        if axis is None or _axis(axis, "add_prefix") == 1:
            return _PREFIX(self, prefix)
        return self.with_index(_text_labels(self.index, "add_prefix", prefix))

    def add_suffix(self, suffix, axis=None):
        """The columns, with axis=0 the rows, under labels with a text behind them."""
        if axis is None or _axis(axis, "add_suffix") == 1:
            return _SUFFIX(self, suffix)
        return self.with_index(_text_labels(self.index, "add_suffix", suffix))

    def droplevel(self, level, axis=0):
        """Without a level, or some, of the row labels, with axis=1 of the labels of columns."""
        operation = "droplevel"
        levels = builtins.list(level) if isinstance(level, (builtins.list, tuple)) else [level]
        if _axis(axis, operation) == 0:
            if builtins.len(levels) == 1:
                return _DROP_LEVEL(self, levels[0])
            return self.with_index(_index_without(self.index, levels))
        places = [_level_place(self, one, operation) for one in levels]
        if builtins.len(set(places)) >= _depth(self):
            raise _error("ValueError", operation, f"the labels of columns have {_depth(self)} levels, and one must be left")
        return _without_levels(self, builtins.list(self.columns), places, operation)

    def reorder_levels(self, order, axis=0):
        """The levels of the row labels, with axis=1 of the labels of columns, in another order."""
        operation = "reorder_levels"
        if _axis(axis, operation) == 0:
            return _REORDER(self, builtins.list(order))
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
            return _SWAP(self, i, j)
        if _depth(self) == 1:
            raise _error("TypeError", operation, "the labels of columns have one level")
        one, other = (_level_place(self, level, operation) for level in (i, j))
        return self.reorder_levels(_swapped(_depth(self), one, other), axis=1)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def rename(self, index=None, axis=0, level=None, errors="ignore", name=None):
        """Another name, or with a dictionary or a function other row labels. Labels that a dictionary does not have stay; with
        errors="raise" those that are not there are an error.
        """
        _rows_only(axis, "rename")
        _choice(errors, ("ignore", "raise"), "errors", "rename")
        if index is not None and name is not None:
            raise _error("TypeError", "rename", "index and name are the same argument")
        if _is_mapper(index):
            return _with_labels_renamed(self, index, level, errors)
        return _RENAME[Series](self, name if index is None else index)

    def rename_axis(self, mapper=_UNSET, index=_UNSET, columns=_UNSET, axis=0, names=_UNSET):
        """Other names of the row labels: of each level a name, or a dictionary or a function of the names. Labels of columns have no
        name.
        """
        if columns is not _UNSET and columns is not None:
            raise _error("NotImplementedError", "rename_axis", "labels of columns have no name")
        _rows_only(axis, "rename_axis")
        if columns is None and mapper is _UNSET and index is _UNSET and names is _UNSET:
            return self
        return _rows_renamed(self, mapper, index, names)

    def reset_index(self, level=None, drop=False, name=_UNSET, allow_duplicates=False):
        """A frame with the row labels, or some levels of them, as columns before the values, which are called `name`; with `drop` the
        series without them.
        """
        operation = "reset_index"
        if allow_duplicates:
            raise _error("NotImplementedError", operation, "allow_duplicates=True: labels of columns are unique")
        if drop and level is None:
            return _RESET_INDEX[Series](self, True)
        values = self if name is _UNSET else _RENAME[Series](self, name)
        if level is None:
            return _RESET_INDEX[Series](values, False)
        frame = self.to_frame() if drop or name is _UNSET else values.to_frame()
        made = frame.reset_index(level=level, drop=drop)
        return _RENAME[Series](made[frame.columns[0]], self.name) if drop else made

    @naming
    def set_axis(self, labels, axis=0):
        """Other row labels."""
        if _axis(axis, "set_axis") != 0:
            raise _error("ValueError", "set_axis", "a series has no columns: axis is 0")
        labels = builtins.list(labels) if isinstance(labels, range) else labels
        return self.with_index(labels if isinstance(labels, Index) else Index(labels))
# Text of values ----------------------------------------------------------------------------------------------------------
