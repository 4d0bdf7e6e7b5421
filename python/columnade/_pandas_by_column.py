"""Bounds, digits and rows that are given by column, and moves along the columns.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._pandas import _add, _error, _is_number
from ._pandas_arguments import _UNSET, _axis, _plain, _same, _steps

# The methods that are wrapped.
_FRAME = {name: getattr(DataFrame, name) for name in ("add_prefix", "add_suffix", "clip", "diff", "round", "sample", "shift")}


def _made(self, columns):
    return DataFrame(columns).with_index(self.index) if columns else self[[]]


def _bounds(self, bound, axis, operation):
    """The bound of each column: a value, or values by row."""
    labels = builtins.list(self.columns)
    if isinstance(bound, DataFrame):
        rows = bound.reindex(index=self.index) if not bound.index.equals(self.index) else bound
        return {label: _plain(rows.column(label)) if label in rows else None for label in labels}
    if isinstance(bound, (builtins.list, tuple)) or getattr(bound, "shape", ()) != () and not isinstance(bound, Series):
        values = Series(builtins.list(bound) if isinstance(bound, tuple) else bound)
        if axis is None:
            raise _error("ValueError", operation, "give axis=0 or axis=1 with bounds of several values")
        known = Index(labels) if axis == 1 else self.index
        if builtins.len(values) != builtins.len(known):
            raise _error("ValueError", operation, f"there are {builtins.len(values)} bounds for {builtins.len(known)} labels")
        bound = values.with_index(known)
    if not isinstance(bound, Series):
        return dict.fromkeys(labels, bound)
    if axis is None:
        raise _error("ValueError", operation, "give axis=0 or axis=1 with bounds of several values")
    if axis == 1:
        by_label = dict(zip(bound.index.to_list(), bound.to_list()))
        return {label: by_label.get(label) for label in labels}
    rows = bound if bound.index.equals(self.index) else bound.reindex(self.index)
    return dict.fromkeys(labels, _plain(rows))


def _text_labels(index, name, text):
    """Row labels as text with a prefix or a suffix."""
    return getattr(Series([0] * builtins.len(index), dtype="int64").with_index(index), name)(text).index


class _OfFrames:
    """Methods of frames."""

    def clip(self, lower=None, upper=None, axis=None, **numpy):
        """Values below a bound and above another one replaced by these: one value, those of a frame, or of a series by row with axis=0 and
        by column with axis=1.
        """
        operation = "clip"
        if all(not hasattr(bound, "__len__") or isinstance(bound, (builtins.str, bytes)) for bound in (lower, upper)):
            return _FRAME[operation](self, lower, upper, **({} if axis in (None, 0, 1, "index", "columns") else {"axis": axis}), **numpy)
        if any(value is not None for value in numpy.values()):
            named = next(name for name, value in numpy.items() if value is not None)
            raise _error("ValueError", operation, f"{named} does not go with bounds of several values")
        axis = None if axis is None else _axis(axis, operation)
        low, high = (_bounds(self, bound, axis, operation) for bound in (lower, upper))
        return _made(self, {label: _plain(_plain(self.column(label)).clip(low[label], high[label])) for label in self.columns})

    def round(self, decimals=0, **numpy):
        """Numbers with so many digits behind the point; a dictionary or a series has those of each column, others stay."""
        operation = "round"
        if not isinstance(decimals, (dict, Series)):
            return _FRAME[operation](self, decimals, **numpy)
        if isinstance(decimals, Series):
            if not decimals.index.is_unique:
                raise _error("ValueError", operation, "the row labels of decimals are not unique")
            decimals = dict(zip(decimals.index.to_list(), decimals.to_list()))
        for label, digits in decimals.items():
            if isinstance(digits, bool) or not hasattr(digits, "__index__"):
                raise _error("TypeError", operation, f"the digits of column {label!r} are a whole number, not {digits!r}")
        made = {}
        for label in self.columns:
            values = _plain(self.column(label))
            is_rounded = label in decimals and _is_number(values.dtype) and values.dtype != "bool"
            made[label] = _plain(values.round(decimals[label])) if is_rounded else values
        return _made(self, made)

    def sample(self, n=None, frac=None, replace=False, weights=None, seed=None, random_state=None, ignore_index=False, axis=0):
        """Rows, or with axis=1 columns, that a random generator chooses: `n`, or a share of all. `weights` are values or the label of a
        column. `random_state` or `seed` fixes the choice, which is not that of pandas.
        """
        operation = "sample"
        if axis is None or _axis(axis, operation) == 0:
            if isinstance(weights, builtins.str):
                weights = self[weights]
            return _FRAME[operation](self, n, frac, replace, weights, seed, random_state, ignore_index)
        labels = builtins.list(self.columns)
        if isinstance(weights, builtins.str):
            raise _error("ValueError", operation, "weights of columns are values, not a label")
        if isinstance(weights, Series) and weights.index.kind != "range":
            by_label = dict(zip(weights.index.to_list(), weights.to_list()))
            weights = [by_label.get(label) or 0 for label in labels]
        if replace:
            raise _error("NotImplementedError", operation, "replace=True with axis=1: labels of columns are unique")
        places = DataFrame({"place": Index.range(0, builtins.len(labels))})
        chosen = _FRAME[operation](places, n, frac, False, weights, seed, random_state)["place"].to_list()
        made = self[[labels[at] for at in chosen]]
        return _made(self, {at: _plain(made.column(label)) for at, label in enumerate(made.columns)}) if ignore_index else made

    def shift(self, periods=_UNSET, freq=None, axis=0, fill_value=None, suffix=None, n=_UNSET):
        """The values `periods` rows further on, with axis=1 columns, with null or `fill_value` in those that get none. `freq` moves the row
        labels instead, which are times. A list of periods makes a column of each, with its number and `suffix` in the label.
        """
        operation = "shift"
        if _axis(axis, operation) == 0:
            return _FRAME[operation](self, periods, freq, 0, fill_value, suffix, n)
        steps = _same(periods, n, "periods", "n", 1, operation)
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
        return _made(self, {label: _plain(values) for label, values in made.items()})

    def diff(self, periods=_UNSET, axis=0, n=_UNSET):
        """Each value less the one `periods` rows before, with axis=1 columns."""
        operation = "diff"
        if _axis(axis, operation) == 0:
            return _FRAME[operation](self, periods, 0, n)
        steps, labels = _steps(_same(periods, n, "periods", "n", 1, operation), operation), builtins.list(self.columns)
        made = {}
        for at, label in enumerate(labels):
            values = _plain(self.column(label))
            if 0 <= at - steps < builtins.len(labels):
                made[label] = _plain(values - _plain(self.column(labels[at - steps])))
            else:
                made[label] = Series([None] * builtins.len(self), dtype=values.dtype).to_device(self.device)
        return _made(self, made)

    def add_prefix(self, prefix, axis=None):
        """The columns, with axis=0 the rows, under labels with a text before them."""
        if axis is None or _axis(axis, "add_prefix") == 1:
            return _FRAME["add_prefix"](self, prefix)
        return self.with_index(_text_labels(self.index, "add_prefix", prefix))

    def add_suffix(self, suffix, axis=None):
        """The columns, with axis=0 the rows, under labels with a text behind them."""
        if axis is None or _axis(axis, "add_suffix") == 1:
            return _FRAME["add_suffix"](self, suffix)
        return self.with_index(_text_labels(self.index, "add_suffix", suffix))


_add(_OfFrames, DataFrame)
