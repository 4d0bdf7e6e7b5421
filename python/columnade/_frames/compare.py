"""Values of two frames or series that differ."""

from __future__ import annotations

import builtins

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _axis, _error, _level, _parts, _plain
from .._install import methods


def _compared(label, ours, theirs, kept, keep_equal, names):
    """The values of two columns, null where they are equal unless those are kept."""
    if keep_equal:
        return {(*_parts(label), names[0]): ours, (*_parts(label), names[1]): theirs}
    return {(*_parts(label), names[0]): ours.where(kept), (*_parts(label), names[1]): theirs.where(kept)}


def _of_frames(self, other, keep_shape, keep_equal, result_names):
    """The values of two frames that differ, in columns of two levels."""
    if not isinstance(other, DataFrame):
        raise _error("TypeError", "compare", f"a frame is compared with a frame, not {type(other).__name__}")
    if self.columns != other.columns or not self.index.equals(other.index):
        raise _error("ValueError", "compare", "both frames have the same labels of rows and columns")
    differs = {label: ~self[label].eq_missing(other[label]) for label in self.columns}
    if not keep_shape:
        differs = {label: mask for label, mask in differs.items() if mask.any()}
    made = {}
    for label, mask in differs.items():
        made.update(_compared(label, self[label], other[label], mask, keep_equal, result_names))
    frame = DataFrame(made).with_index(self.index) if made else self[[]]
    if keep_shape or not differs:
        return frame if keep_shape else frame.head(0)
    rows = None
    for mask in differs.values():
        rows = mask if rows is None else rows | mask
    return frame[rows]


def _of_series(self, other, keep_shape, keep_equal, result_names):
    """The values of two series that differ, beside each other."""
    if not isinstance(other, Series):
        raise _error("TypeError", "compare", f"a series is compared with a series, not {type(other).__name__}")
    if not self.index.equals(other.index):
        raise _error("ValueError", "compare", "both series have the same row labels")
    differs = ~self.eq_missing(other)
    made = _compared("", self, other, differs, keep_equal, result_names)
    frame = DataFrame({name: values for (_, name), values in made.items()}).with_index(self.index)
    return frame if keep_shape else frame[differs]


def _alternating(parts, names, index):
    """Rows of two frames or series by turns, with a further level of labels."""
    rows = builtins.len(index)
    levels = [*(_level(index, at) for at in range(index.nlevels)), Series([names[0]] * rows, dtype="utf8")]
    other = [*levels[:-1], Series([names[1]] * rows, dtype="utf8")]
    order = [at for pair in zip(range(rows), range(rows, 2 * rows)) for at in pair]
    arrays = [native.concat([one, two], ignore_index=True).take(order) for one, two in zip(levels, other)]
    labels = Index.from_arrays(arrays, [*index.names, None])
    return native.concat([part.reset_index(drop=True) for part in parts], ignore_index=True).take(order).with_index(labels)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def compare(self, other, keep_shape=False, keep_equal=False, result_names=("self", "other"), align_axis=1):
        """The values that differ from those of another frame of the same labels, in columns of two levels, or with align_axis=0 in rows
        below each other.
        """
        made = _of_frames(self, other, keep_shape, keep_equal, result_names)
        if _axis(align_axis, "compare") == 1 or not made.columns:
            return made
        labels = [label for label in self.columns if (*_parts(label), result_names[0]) in made]
        parts = [DataFrame({label: _plain(made[(*_parts(label), name)]) for label in labels}) for name in result_names]
        return _alternating(parts, result_names, made.index)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def compare(self, other, keep_shape=False, keep_equal=False, result_names=("self", "other"), align_axis=1):
        """The values that differ from those of another series of the same labels, beside each other, or with align_axis=0 below each
        other.
        """
        made = _of_series(self, other, keep_shape, keep_equal, result_names)
        if _axis(align_axis, "compare") == 1:
            return made
        return _alternating([_plain(made[name]).rename(None) for name in result_names], result_names, made.index)
