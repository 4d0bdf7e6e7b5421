"""Columns and rows that are dropped by their labels."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index, Series
from .._common import _axis, _choice, _depth, _error, _expanded, _label_list, _level, _level_place, _missing, _place, _rows_only
from .._install import compiled, methods, naming
from .._polars.choose import labels_in
from .._times.labels import kind_of, known_labels, typed


_DROP = compiled(DataFrame, "drop")


def _labels_of(self, axis, names, columns, index, errors):
    """Labels of columns and of rows that are dropped, without those that are not there."""
    if axis is not None and names:
        if _axis(axis, "drop") == 0:
            names, index = [], [*names, *([] if index is None else _label_list(index))]
    labels = [*names, *([] if columns is None else _label_list(columns))]
    rows = None if index is None else _label_list(index)
    if errors == "ignore":
        labels = [label for label in labels if label in self]
        rows = None if rows is None else [label for label in rows if label in self.index]
    return labels, rows


def _without(self, names, columns=None, index=None, axis=None, level=None, errors="raise"):
    """The frame without columns and rows of whole labels, or of labels of a level of the row labels."""
    operation = "drop"
    _choice(errors, ("ignore", "raise"), "errors", operation)
    names = [label for given in names for label in _label_list(given)]
    labels, rows = _labels_of(self, axis, names, columns, index, "raise" if level is not None else errors)
    if level is None:
        are_rows = labels and rows is None and axis is None and columns is None and not any(label in self for label in labels)
        if are_rows and builtins.set(labels) <= builtins.set(self.index.to_list()):
            shown = labels[0] if builtins.len(labels) == 1 else labels
            raise _error("KeyError", operation, f"there is no column {labels[0]!r}, but a row: rows are dropped with index={shown!r}")
        if not labels and not rows and (errors == "ignore" or rows is not None):
            return self
        rows = rows or None
        return _DROP(self, *labels, **({} if rows is None else {"index": rows}))
    if rows is None:
        raise _error("ValueError", operation, "level goes with labels of rows")
    values = _level(self.index, _place(self.index, level, operation))
    missing = [label for label in rows if label not in Index(values)]
    if missing and errors == "raise":
        raise _error("KeyError", operation, f"there are no labels {missing} in level {level!r}")
    made = self[(~values.isin(rows)).with_index(self.index)]
    return _DROP(made, *labels) if labels else made


def _by_first_levels(self, names, columns, index, axis, level, errors):
    """`_without` where labels of rows may be those of the first level."""
    if level is not None and axis is None and index is None and columns is None:
        return _without(self, names, level=level, axis=0, errors=errors)
    rows = None if index is None else builtins.list(index) if isinstance(index, (builtins.list, Series, Index)) else [index]
    if level is None and rows and self.index.nlevels > 1 and not any(isinstance(label, tuple) for label in rows):
        made = _without(self, (), index=rows, level=0, errors=errors)
        return _without(made, names, columns, None, axis, None, errors) if names or columns is not None else made
    return _without(self, names, columns, index, axis, level, errors)


def _by_first_parts(self, names, columns, index, level, errors):
    """The frame without the columns whose labels of several levels begin with some."""
    operation = "drop"
    keys = [label for part in (*names, *([] if columns is None else [columns])) for label in _label_list(part)]
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
    return made if index is None else _by_first_levels(made, (), None, index, None, level, errors)


def _as_times(self, labels, errors):
    """Labels of rows that are texts as the times or durations that they are."""
    made = typed(self.index, [labels] if isinstance(labels, builtins.str) else labels)
    if errors == "raise":
        made = known_labels(self.index, labels, "drop")
    return made.to_list() if isinstance(made, Index) and made is not labels else made


def _has_times(self, level):
    return level is None and self.index.nlevels == 1 and kind_of(self.index.dtype) is not None


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def drop(self, *names, labels=None, columns=None, index=None, axis=None, level=None, errors="raise"):
        """The frame without columns, or without the rows of labels of `index`. Labels alone are those of columns unless `axis` says
        rows, or they are an index; `level` is the level of the labels that has them. errors="ignore" leaves out labels that are not there. The first levels
        of a label of columns stand for all that begin with them.
        """
        operation = "drop"
        names, labels, columns = (labels_in(self, given, operation) for given in (builtins.list(names), labels, columns))
        if axis is None and index is None and columns is None and builtins.len(names) + (labels is not None) == 1:
            # Row labels, as of a filtered frame: labels of columns are a list here.
            if isinstance(names[0] if names else labels, Index):
                axis = 0
        is_rows = axis is not None and _axis(axis, operation) == 0
        if _has_times(self, level):
            index = None if index is None else _as_times(self, index, errors)
            if is_rows:
                labels = None if labels is None else _as_times(self, labels, errors)
                names = tuple(_as_times(self, part, errors) for part in names)
        if labels is not None and names:
            _choice(errors, ("ignore", "raise"), "errors", operation)
            raise _error("TypeError", operation, "labels are given twice")
        names = names if labels is None else (labels,)
        if not is_rows and _depth(self) > 1:
            return _by_first_parts(self, names, columns, index, level, errors)
        return _by_first_levels(self, names, columns, index, axis, level, errors)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @naming
    def drop(self, labels=None, index=None, axis=0, level=None, errors="raise"):
        """The values without those of some labels, or of some of a level; errors="ignore" leaves out labels that are not there."""
        _rows_only(axis, "drop")
        given = index if labels is None else labels
        if given is None:
            raise _error("ValueError", "drop", "give labels")
        frame = self.to_frame()
        return frame.drop(index=_label_list(given), level=level, errors=errors)[frame.columns[0]].rename(self.name)
