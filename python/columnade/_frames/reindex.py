"""Rows and columns in the order of other labels, and frames and series with the same labels."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index, Series
from .._common import _axis, _choice, _depth, _error, _level, _level_place, _named, _place, _plain, _rows_only
from .._install import compiled, methods, naming
from .._times.labels import texts_of, typed


_REINDEX = {kind: compiled(kind, "reindex") for kind in (DataFrame, Series)}
_REINDEX_LIKE = {kind: compiled(kind, "reindex_like") for kind in (DataFrame, Series)}
_ALIGN = {kind: compiled(kind, "align") for kind in (DataFrame, Series)}


def _with_columns(frame, columns, fill_value):
    """Some columns; those that are not there have one value."""
    other = Series([fill_value] * builtins.len(frame)).to_device(frame.device)
    made = {label: _plain(frame[label]) if label in frame else other for label in columns}
    return DataFrame(made).with_index(frame.index) if made else frame[[]]


def _within(self, made, index, method, tolerance, fill_value):
    """Rows of a reindexed frame or series whose labels are near those that they are from."""
    operation = "reindex"
    if method is None:
        raise _error("ValueError", operation, "tolerance goes with a method")
    if self.index.nlevels != 1:
        raise _error("NotImplementedError", operation, "tolerance with labels of several levels is not implemented")
    own = _plain(self.index).rename("label").with_index(self.index)
    source, target = _plain(_REINDEX[Series](own, index, method)), _plain(made.index)
    near = (source - target).abs() <= tolerance
    near = near.fill_null(False).with_index(made.index)
    return made.where(near) if fill_value is None else made.where(near, fill_value)


def _reindexed(self, index, method, limit, fill_value, tolerance):
    """`reindex` of rows."""
    index = index if isinstance(index, Index) else Index(index)
    made = _REINDEX[type(self)](self, index, method=method, limit=limit, fill_value=fill_value)
    return made if tolerance is None else _within(self, made, index, method, tolerance, fill_value)


def _with_fill(before, after, fill_value):
    """The labels of an aligned frame or series with a value for those that were not there."""
    if isinstance(before, DataFrame):
        frame = before if before.index.equals(after.index) else _REINDEX[DataFrame](before, after.index, None, None, None, fill_value)
        return _with_columns(frame, after.columns, fill_value)
    return after if before.index.equals(after.index) else _REINDEX[Series](before, after.index, None, None, fill_value)


def _runs_of(index, places):
    """The number of each row's run of rows with equal labels in some levels."""
    rows = builtins.len(index)
    if not places or not rows:
        return Series([0] * rows, dtype="int64")
    changed = None
    for place in places:
        values = _level(index, place)
        other = ~values.eq_missing(values.shift(1)).fill_null(False)
        changed = other if changed is None else changed | other
    return changed.cast("int64").cum_sum()


def _of_level(self, target, level, operation):
    """The rows whose label of a level is one of some, in the order of these within equal labels of the levels before."""
    place = _place(self.index, level, operation)
    labels = target if isinstance(target, Index) else Index(builtins.list(target))
    if labels.nlevels > 1:
        raise _error("TypeError", operation, "labels of several levels on both sides have no order by one level")
    if not labels.is_unique:
        raise _error("ValueError", operation, f"labels of level {level!r} are given more than once")
    values = _level(self.index, place)
    found = _plain(labels.get_indexer(Index(values))).rename("place").fill_null(-1).to_device("host")
    order = DataFrame({"run": _runs_of(self.index, range(place)).to_device("host"), "place": found, "row": Index.range(0, builtins.len(self))})
    kept = order[order["place"] >= 0].sort_values(["run", "place", "row"])
    return self.take(_plain(kept["row"]).to_device(self.device))


def _spread(self, target, level, operation, options):
    """The row of one label of a level for each row of labels of several levels."""
    values = Index(_level(target, _place(target, level, operation)))
    return _of_rows(self, values, **options).with_index(target)


def _by_level(self, target, level, operation, options):
    if isinstance(level, (builtins.list, tuple)):
        raise _error("NotImplementedError", operation, "several levels are not implemented: give one")
    if self.index.nlevels == 1 and isinstance(target, Index) and target.nlevels > 1:
        return _spread(self, target, level, operation, options)
    if self.index.nlevels == 1:
        _place(self.index, level, operation)
        return _of_rows(self, target, **options)
    return _of_level(self, target, level, operation)


def _matched(self, other, level, operation):
    """Two operands in the rows of the one with labels of several levels."""
    if self.index.nlevels > 1 and other.index.nlevels > 1:
        raise _error("TypeError", operation, "level goes with labels of several levels on one side")
    if self.index.nlevels > 1:
        return self, _spread(other, self.index, level, operation, {})
    if other.index.nlevels > 1:
        return _spread(self, other.index, level, operation, {}), other
    _place(self.index, level, operation)
    return self, other


def _joined_columns(frame, series, join):
    """The labels of columns of a frame and of rows of a series, as `align` of columns has them."""
    mine, theirs = builtins.list(frame.columns), series.index
    if theirs.nlevels > 1:
        raise _error("TypeError", "align", "the row labels of the series have several levels, and go by those of columns with axis=1")
    labels = theirs.to_list()
    if mine == labels or join == "left":
        return mine
    if join == "right":
        return labels
    if join == "inner":
        return [label for label in mine if label in labels]
    made = [*mine, *(label for label in labels if label not in mine)]
    try:
        return sorted(made)
    except TypeError:
        return made


def _null_column(frame, dtype):
    return Series([None] * builtins.len(frame), dtype=dtype).to_device(frame.device)


def _aligned(frame, series, join, axis, fill_value, operation, new_only=False):
    """A frame and a series with the same labels of rows, or those of the columns as labels of the series. All nulls are filled, or with
    `new_only` those of labels that were not there.
    """
    _choice(join, ("outer", "inner", "left", "right"), "join", operation)
    if axis == 1:
        if not series.index.is_unique:
            raise _error("ValueError", operation, "the row labels of the series are not unique, and go by those of columns")
        labels = _joined_columns(frame, series, join)
        # Columns that are not there have the dtype of the series.
        missing = {label: _null_column(frame, series.dtype) for label in labels if label not in frame}
        made = {label: missing[label] if label in missing else _plain(frame.column(label)) for label in labels}
        columns = DataFrame(made).with_index(frame.index) if made else frame[[]]
        rows = Index(labels) if labels else series.index.take([])
        other = _of_rows(series, rows)
        if fill_value is not None:
            columns, other = columns.fill_null(fill_value) if made else columns, other.fill_null(fill_value)
        return columns, other
    value = fill_value if new_only else None
    rows, table = _aligned_frames(frame, series.to_frame("values"), join, 0, value)
    other = table["values"].rename(series.name)
    if fill_value is not None and not new_only:
        rows, other = rows.fill_null(fill_value) if rows.columns else rows, other.fill_null(fill_value)
    return rows, other


def _of_rows(self, index, method=None, limit=None, fill_value=None, tolerance=None):
    """The rows of some labels, of which texts stand for times and durations."""
    asked = index
    index = typed(self.index, index)
    if tolerance is None:
        made = _REINDEX[type(self)](self, index, method=method, limit=limit, fill_value=fill_value)
    else:
        made = _reindexed(self, index, method, limit, fill_value, tolerance)
    made = _with_names(made, self, asked)
    return made if index is asked else _labelled_as(made, asked, self.index.name)


def _with_names(made, before, asked):
    """Rows of a list of labels of several levels, which have the names that they had."""
    is_list = before.index.nlevels > 1 and asked is not None and not isinstance(asked, Index)
    return made.with_index(made.index.rename(builtins.list(before.index.names))) if is_list and made.index.nlevels == before.index.nlevels else made


def _labelled_as(made, asked, name):
    """Rows under the labels that were asked for, which are texts."""
    return made.with_index(asked if isinstance(asked, Index) else Index(texts_of(asked)).rename(name))


def _aligned_frames(self, other, join, axis, fill_value):
    """Two frames with the same labels of rows and columns, or of one of both."""
    align = _ALIGN[DataFrame]
    if axis is not None and _axis(axis, "align") == 1:
        empty = [frame.head(0).reset_index(drop=True) for frame in (self, other)]
        labels = builtins.list(align(*empty, join)[0].columns)
        return tuple(frame.reindex(columns=labels, fill_value=fill_value) for frame in (self, other))
    made = align(self, other, join, None if axis is None else 0)
    if fill_value is None:
        return made
    return tuple(_with_fill(before, after, fill_value) for before, after in zip((self, other), made))


def _of_labels(self, index, columns, method, limit, fill_value, tolerance):
    """The rows and the columns of some labels."""
    if tolerance is None and (columns is None or fill_value is None):
        return _REINDEX[DataFrame](self, index, columns, method, limit, fill_value)
    if columns is not None:
        columns = columns.to_list() if isinstance(columns, (Index, Series)) else builtins.list(columns)
    frame = self if columns is None else self[[label for label in dict.fromkeys(columns) if label in self]]
    made = frame if index is None else _reindexed(frame, index, method, limit, fill_value, tolerance)
    return made if columns is None else _with_columns(made, columns, fill_value)


def _columns_by_level(self, target, level):
    """The columns whose label of a level is one of some, in the order of these within equal labels of the levels before."""
    place = _level_place(self, level, "reindex")
    labels = builtins.list(self.columns)
    if _depth(self) == 1:
        return self.reindex(columns=target)
    index = Index.from_arrays([Series(builtins.list(values)) for values in zip(*labels)], builtins.list(self._level_names))
    places = Series(builtins.list(range(builtins.len(labels)))).with_index(index)
    return self[[labels[at] for at in _by_level(places, target, place, "reindex", {}).to_list()]]


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def reindex(
        self, labels=None, columns=None, method=None, limit=None, fill_value=None, index=None, axis=None, tolerance=None, level=None,
        copy=None,
    ):
        """The rows, and the columns, of some labels. What is not there is null or `fill_value`, or by `method` a value of a row near it,
        which is at most `tolerance` away. With `level` the labels are those of a level of the rows or columns.
        """
        operation = "reindex"
        if level is not None:
            target = labels if index is None else index
            if columns is not None and target is None or axis is not None and _axis(axis, operation) == 1:
                return _columns_by_level(self, target if columns is None else columns, level)
            if target is None or columns is not None:
                raise _error("NotImplementedError", operation, "level goes with labels of rows or of columns")
            options = {"method": method, "limit": limit, "fill_value": fill_value, "tolerance": tolerance}
            return _by_level(self, target, level, operation, options)
        if axis is not None:
            if index is not None or columns is not None or labels is None:
                raise _error("TypeError", operation, "axis goes with labels")
            index, columns = (labels, None) if _axis(axis, operation) == 0 else (None, labels)
        elif labels is not None:
            if index is not None:
                raise _error("TypeError", operation, "labels and index are the same argument")
            index = labels
        asked = index
        index = None if index is None else typed(self.index, index)
        names = columns.names if isinstance(columns, Index) else None
        columns = columns.to_list() if isinstance(columns, Index) else columns
        made = _with_names(_of_labels(self, index, columns, method, limit, fill_value, tolerance), self, asked)
        if names is not None and builtins.len(names) == _depth(made):
            made = _named(made, names)
        return made if index is asked else _labelled_as(made, asked, self.index.name)

    def reindex_like(self, other, method=None, copy=None, limit=None, tolerance=None):
        """The rows and columns of the labels of another frame."""
        if method is None and tolerance is None:
            return _REINDEX_LIKE[DataFrame](self, other)
        return self.reindex(index=other.index, columns=builtins.list(other.columns), method=method, limit=limit, tolerance=tolerance)

    def align(self, other, join="outer", axis=None, fill_value=None, level=None):
        """Both with the same labels; values of labels that one does not have are null or `fill_value`. A series goes by the labels of rows
        with axis=0, of columns with axis=1. With `level` the rows of one side go by a level of those of the other.
        """
        operation = "align"
        if level is not None:
            if axis is not None and _axis(axis, operation) == 1:
                raise _error("NotImplementedError", operation, "level with axis=1 is not implemented")
            both = _matched(self, other, level, operation)
            return both if fill_value is None else tuple(side.fill_null(fill_value) for side in both)
        if not isinstance(other, Series):
            return _aligned_frames(self, other, join, axis, fill_value)
        if axis is None:
            raise _error("ValueError", operation, "give axis=0 or axis=1 with a series")
        return _aligned(self, other, join, _axis(axis, operation), fill_value, operation)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @naming
    def reindex(self, index, method=None, limit=None, fill_value=None, tolerance=None, axis=None, level=None, copy=None):
        """The values of some labels. What is not there is null or `fill_value`, or by `method` a value near it, which is at most
        `tolerance` away. With `level` the labels are those of a level of the rows.
        """
        if axis is not None:
            _rows_only(axis, "reindex")
        if level is not None:
            options = {"method": method, "limit": limit, "fill_value": fill_value, "tolerance": tolerance}
            return _by_level(self, index, level, "reindex", options)
        return _of_rows(self, index, method, limit, fill_value, tolerance)

    def reindex_like(self, other, method=None, copy=None, limit=None, tolerance=None):
        """The values of the labels of another series."""
        if method is None and tolerance is None:
            return _REINDEX_LIKE[Series](self, other)
        return self.reindex(other.index, method, limit, None, tolerance)

    def align(self, other, join="outer", axis=None, fill_value=None, level=None):
        """Both with the same labels; values of labels that one does not have are null or `fill_value`. With `level` the rows of one side go
        by a level of those of the other.
        """
        if isinstance(other, DataFrame):
            if level is not None or axis is None or _axis(axis, "align") == 1:
                raise _error("NotImplementedError", "align", "a series goes by the rows of a frame with axis=0")
            join = {"left": "right", "right": "left"}.get(join, join)
            return tuple(reversed(_aligned(other, self, join, 0, fill_value, "align", True)))
        if level is None:
            if axis is not None:
                _rows_only(axis, "align")
            made = _ALIGN[Series](self, other, join)
            return made if fill_value is None else tuple(_with_fill(before, after, fill_value) for before, after in zip((self, other), made))
        both = _matched(self, other, level, "align")
        return both if fill_value is None else tuple(side.fill_null(fill_value) for side in both)
