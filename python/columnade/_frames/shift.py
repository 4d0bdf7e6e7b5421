"""Values of other rows: `shift`, `diff` and `pct_change` of frames and series, along rows, columns and times."""

from __future__ import annotations

import builtins

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _UNSET, _axis, _error, _plain, _rows_only, _same, _steps
from .._counts import counting
from .._install import compiled, methods
from .._times.offsets import _is_offset

_SHIFT = {kind: compiled(kind, "shift") for kind in (DataFrame, Series)}
_DIFF = {kind: compiled(kind, "diff") for kind in (DataFrame, Series)}
_CHANGE = {kind: compiled(kind, "pct_change") for kind in (DataFrame, Series)}


def _moved(self, periods, freq):
    """The same rows under labels that are moved by a frequency."""
    index, operation = self.index, "shift"
    if index.kind not in ("datetime", "timedelta"):
        raise _error("TypeError", operation, f"freq moves labels that are times, not {index.dtype}")
    if freq == "infer":
        freq = index.freq or index.inferred_freq
        if freq is None:
            raise _error("ValueError", operation, "the row labels have no frequency")
    if isinstance(freq, builtins.str):
        return self.with_index(index.shift(periods, freq))
    return self.with_index(Index(_plain(index) + freq * periods).rename(index.name))


def _by_column(self, columns):
    return DataFrame(columns).with_index(self.index) if columns else self[[]]


def _by_several(self, periods, freq, fill_value, suffix):
    """A column of each of several numbers of rows."""
    frame = self if isinstance(self, DataFrame) else self.to_frame()
    made = {}
    for step in periods:
        moved = frame.shift(step, freq, 0, fill_value)
        if freq is not None:
            moved = moved.reindex(frame.index)
        made.update({f"{label}{suffix or ''}_{step}": moved[label] for label in frame.columns})
    if not made:
        raise _error("ValueError", "shift", "periods has no number")
    return DataFrame({label: _plain(values) for label, values in made.items()}).with_index(frame.index)


def _shifted(self, periods, freq, fill_value, suffix):
    """The values of other rows, or the same ones under labels that are moved by a frequency."""
    operation = "shift"
    if _is_offset(freq):
        return self.with_index(self.index.shift(periods, freq))
    if isinstance(periods, (builtins.list, tuple)):
        return _by_several(self, periods, freq, fill_value, suffix)
    if suffix is not None:
        raise _error("ValueError", operation, "suffix goes with a list of periods")
    steps = _steps(periods, operation)
    if freq is None:
        return _SHIFT[type(self)](self, steps, fill_value)
    if fill_value is not None:
        raise _error("ValueError", operation, "give freq or fill_value, not both")
    return _moved(self, steps, freq)


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    @counting
    def pct_change(self, periods=_UNSET, fill_method=None, freq=None, n=_UNSET):
        """The change from the row `periods` before, as a share of it; with `freq` from the row whose label is that much earlier."""
        operation = "pct_change"
        if fill_method is not None:
            raise _error("ValueError", operation, f"fill_method is None, not {fill_method!r}: fill before")
        steps = _same(periods, n, "periods", "n", 1, operation)
        if freq is None:
            return _CHANGE[type(self)](self, _steps(steps, operation))
        made = self / self.shift(steps, freq=freq) - 1
        labels = made.index
        return made[~labels.duplicated()].reindex(self.index)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @counting
    def shift(self, periods=_UNSET, freq=None, axis=0, fill_value=None, suffix=None, n=_UNSET):
        """The values `periods` rows further on, with axis=1 columns, with null or `fill_value` in those that get none. `freq` moves the row
        labels instead, which are times. A list of periods makes a column of each, with its number and `suffix` in the label.
        """
        operation = "shift"
        steps = _same(periods, n, "periods", "n", 1, operation)
        if _axis(axis, operation) == 0:
            return _shifted(self, steps, freq, fill_value, suffix)
        if freq is not None or suffix is not None or isinstance(steps, (builtins.list, tuple)):
            raise _error("ValueError", operation, "freq, suffix and a list of periods do not go with axis=1")
        steps, labels = _steps(steps, operation), builtins.list(self.columns)
        made = {}
        for at, label in enumerate(labels):
            if 0 <= at - steps < builtins.len(labels):
                made[label] = _plain(self.column(labels[at - steps]))
            elif fill_value is None:
                made[label] = Series([None] * builtins.len(self), dtype=self.column(label).dtype).to_device(self.device)
            else:
                made[label] = self.select(native.lit(fill_value).alias("value")).column("value")
        return _by_column(self, {label: _plain(values) for label, values in made.items()})

    @counting
    def diff(self, periods=_UNSET, axis=0, n=_UNSET):
        """Each value less the one `periods` rows before, with axis=1 columns."""
        operation = "diff"
        steps = _steps(_same(periods, n, "periods", "n", 1, operation), operation)
        if _axis(axis, operation) == 0:
            return _DIFF[DataFrame](self, steps)
        labels = builtins.list(self.columns)
        made = {}
        for at, label in enumerate(labels):
            values = _plain(self.column(label))
            if 0 <= at - steps < builtins.len(labels):
                made[label] = _plain(values - _plain(self.column(labels[at - steps])))
            else:
                made[label] = Series([None] * builtins.len(self), dtype=values.dtype).to_device(self.device)
        return _by_column(self, made)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @counting
    def shift(self, periods=_UNSET, freq=None, axis=0, fill_value=None, suffix=None, n=_UNSET):
        """The values `periods` rows further on, with null or `fill_value` in rows that get none. `freq` moves the row labels instead,
        which are times. A list of periods makes a column of each, with its number and `suffix` in the label.
        """
        _rows_only(axis, "shift")
        return _shifted(self, _same(periods, n, "periods", "n", 1, "shift"), freq, fill_value, suffix)

    @counting
    def diff(self, periods=_UNSET, axis=0, n=_UNSET):
        """Each value less the one `periods` rows before."""
        _rows_only(axis, "diff")
        return _DIFF[Series](self, _steps(_same(periods, n, "periods", "n", 1, "diff"), "diff"))
