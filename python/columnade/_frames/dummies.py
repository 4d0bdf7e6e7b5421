"""Boolean columns for the values of columns: `get_dummies` of frames and series."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Series
from .._common import _error, _list, _plain
from .._install import compiled, methods


_DUMMIES = compiled(Series, "get_dummies")


# Dummies -----------------------------------------------------------------------------------------------------------------
def _dummies(values, prefix, separator, dummy_na, drop_first, dtype):
    """A column for each value of a series, by the label that it gets."""
    if builtins.str(values.dtype).startswith("dictionary"):
        # Categories without a value have a column too.
        labels, codes = values.cat.categories().to_list(), _plain(values).cat.codes()
        columns = [_plain((codes == code).fill_null(False)) for code in builtins.range(builtins.len(labels))]
    else:
        flags = _DUMMIES(_plain(values))
        labels = values.unique().drop_nulls().sort_values().to_list()
        if builtins.len(labels) != builtins.len(flags.columns):
            labels = builtins.list(flags.columns)
        columns = [_plain(flags[label]) for label in flags.columns]
    if dummy_na:
        missing = _plain(values.is_null())
        if labels and labels[-1] != labels[-1]:
            # NaN is missing too, and would have a column of the same label.
            missing = missing | columns.pop()
            labels.pop()
        labels.append(None)
        columns.append(missing)
    if prefix is not None:
        labels = [f"{prefix}{separator}{'nan' if label is None else builtins.str(label)}" for label in labels]
    first = 1 if drop_first else 0
    made = dict(zip(labels[first:], columns[first:]))
    return made if dtype is None else {label: flag.cast(dtype) for label, flag in made.items()}


def _by_column(given, labels, name, default):
    """A prefix or a separator of each column."""
    if given is None:
        return {label: default(label) for label in labels}
    if isinstance(given, dict):
        return {label: given.get(label, default(label)) for label in labels}
    if isinstance(given, (builtins.list, tuple)):
        if builtins.len(given) != builtins.len(labels):
            raise _error("ValueError", "get_dummies", f"{name} has {builtins.len(given)} values for {builtins.len(labels)} columns")
        return dict(zip(labels, given))
    return dict.fromkeys(labels, given)


def _dense(sparse):
    if sparse:
        raise _error("NotImplementedError", "get_dummies", "sparse=True: columns are not sparse")


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def get_dummies(
        self, columns=None, prefix_sep="_", dummy_na=False, drop_first=False, prefix=None,
        dtype=None, sparse=False,
    ):
        """Boolean columns for the values of columns, those of strings and categories unless some are given. They are called after the
        column, or after `prefix`: a text, or one for each column. `dummy_na` adds one for null, and `drop_first` leaves the first out.
        """
        _dense(sparse)
        labels = _list(columns)
        if columns is None:
            labels = [label for label, of in self.dtypes.items() if builtins.str(of).startswith(("utf8", "dictionary"))]
        missing = [label for label in labels if label not in self]
        if missing:
            raise _error("KeyError", "get_dummies", f"there is no column {missing[0]!r}", missing[0])
        prefixes = _by_column(prefix, labels, "prefix", lambda label: label)
        separators = _by_column(prefix_sep, labels, "prefix_sep", lambda label: "_")
        made = {label: _plain(self[label]) for label in self.columns if label not in labels}
        for label in labels:
            of_label = _dummies(self[label], prefixes[label], separators[label], dummy_na, drop_first, dtype)
            again = next((name for name in of_label if name in made), None)
            if again is not None:
                raise _error("ValueError", "get_dummies", f"two columns are called {again!r}: choose prefixes that differ")
            made.update(of_label)
        return DataFrame(made).with_index(self.index) if made else self[[]]


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def get_dummies(
        self, prefix=None, prefix_sep="_", dummy_na=False, drop_first=False, dtype=None, sparse=False,
    ):
        """A boolean column for each value, called after it, and after `prefix` if that is given."""
        _dense(sparse)
        made = _dummies(self, prefix, prefix_sep, dummy_na, drop_first, dtype)
        return DataFrame(made).with_index(self.index) if made else self.to_frame("values")[[]]
