"""Shapes, axes and items of frames and series, and rows between labels and times of day."""

from __future__ import annotations

import builtins
import collections
import datetime

from .._columnade import DataFrame, Series
from .._common import _by_label, _error, piped
from .._install import methods
from .._times.labels import time_of


def _times(self, operation):
    index = self.index
    if index.kind != "datetime":
        raise _error("TypeError", operation, f"the row labels are times, not {index.dtype}")
    return Series(index.time)


def _time(value, operation):
    if isinstance(value, datetime.time):
        return value
    try:
        # Python wants two digits of the hour.
        return datetime.time.fromisoformat(value if value[1:2] != ":" else f"0{value}")
    except (TypeError, ValueError):
        raise _error("ValueError", operation, f'times of day are datetime.time or "9:30", not {value!r}') from None


def _kept(self, mask):
    return self[mask.with_index(self.index)]


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    def pipe(self, func, *args, **kwargs):
        """What a function makes of this: `func(self, …)`, or of a pair `(func, name)` with this as the argument of that name."""
        return piped(self, func, args, kwargs)

    def truncate(self, before=None, after=None):
        """The rows from one label to another, which both belong to it. The labels ascend or descend. A text is one time, as in pandas:
        "2024-01-02" is its midnight.
        """
        before, after = (time_of(self.index, one) if isinstance(one, builtins.str) else one for one in (before, after))
        if not self.index.is_monotonic_increasing and not self.index.is_monotonic_decreasing:
            raise _error("ValueError", "truncate", "the row labels are not sorted: call sort_index first")
        if before is not None and after is not None and before > after:
            raise _error("ValueError", "truncate", f"after, {after!r}, is less than before, {before!r}")
        if self.index.is_monotonic_decreasing and not self.index.is_monotonic_increasing:
            before, after = after, before
        return self.loc[before:after]

    def at_time(self, time):
        """The rows whose times have this time of day."""
        return _kept(self, _times(self, "at_time") == _time(time, "at_time"))

    def between_time(self, start_time, end_time, inclusive="both"):
        """The rows whose times of day are between two, which belong to it: inclusive is "both", "left", "right" or "neither". An end
        before the start is one after midnight.
        """
        operation = "between_time"
        if inclusive not in ("both", "left", "right", "neither"):
            raise _error("ValueError", operation, "inclusive is both, left, right or neither")
        times, start, end = _times(self, operation), _time(start_time, operation), _time(end_time, operation)
        after = times >= start if inclusive in ("both", "left") else times > start
        before = times <= end if inclusive in ("both", "right") else times < end
        return _kept(self, after & before if start <= end else after | before)

    def tz_localize(self, tz, ambiguous="raise", nonexistent="raise"):
        """The times of the row labels as local times of a zone, see `Index.tz_localize`."""
        return self.with_index(self.index.tz_localize(tz, ambiguous, nonexistent))

    def tz_convert(self, tz):
        """The times of the row labels in another zone."""
        return self.with_index(self.index.tz_convert(tz))


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @property
    def axes(self):
        """The row labels and those of the columns."""
        return [self.index, self.columns]

    def keys(self):
        """The labels of the columns."""
        return self.columns

    def product(self, axis=0, numeric_only=False, min_count=0):
        """The product of each column, by label; with axis=1 of each row."""
        return self.prod(axis, numeric_only, min_count=min_count)

    def squeeze(self, axis=None):
        """One column as a series, one row as a series by column under the row's label, and a single value as itself."""
        axis = {"rows": 0}.get(axis, axis) if isinstance(axis, builtins.str) else axis
        if axis not in (None, 0, 1, "index", "columns"):
            raise _error("ValueError", "squeeze", "axis is 0, 1 or None")
        rows, columns = self.shape
        if columns == 1 and axis in (None, 1, "columns"):
            column = self[self.columns[0]]
            return column.to_list()[0] if rows == 1 and axis is None else column
        if rows == 1 and axis in (None, 0, "index"):
            row = _by_label({label: self[label].to_list()[0] for label in self.columns})
            return row if columns == 1 else row.rename(self.index[0])
        return self

    def itertuples(self, index=True, name="Pandas"):
        """Each row as a named tuple, with its label first: for small results. Expressions are faster where there is one."""
        columns = ([self.index.to_list()] if index else []) + [self[label].to_list() for label in self.columns]
        labels = (["Index"] if index else []) + [builtins.str(label) for label in self.columns]
        if name is None:
            return zip(*columns)
        if not isinstance(name, builtins.str):
            raise _error("TypeError", "itertuples", f"name is a text or None, not {type(name).__name__}")
        named = collections.namedtuple
        row = named(name, labels, rename=True)
        return (row(*values) for values in zip(*columns))


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @property
    def axes(self):
        """The row labels."""
        return [self.index]

    @property
    def T(self):
        """The series itself."""
        return self

    def transpose(self):
        """The series itself."""
        return self

    @property
    def nbytes(self):
        """The bytes of the values."""
        return self.memory_usage(index=False)

    def keys(self):
        """The row labels."""
        return self.index

    def items(self):
        """Each label with its value."""
        return zip(self.index.to_list(), self.to_list())

    def get(self, key, default=None):
        """The value of a label, or `default` where it is not there."""
        return self.at[key] if key in self.index else default

    def item(self, index=None):
        """The only value, or that of a position, which counts from the end where it is negative."""
        if index is not None:
            if not -builtins.len(self) <= index < builtins.len(self):
                raise _error("IndexError", "item", f"there is no row {index}: there are {builtins.len(self)}")
            return self.take([index % builtins.len(self)]).to_list()[0]
        if builtins.len(self) != 1:
            raise _error("ValueError", "item", f"there are {builtins.len(self)} values, not one")
        return self.to_list()[0]

    def squeeze(self, axis=None):
        """A single value as itself, else the series."""
        return self.item() if builtins.len(self) == 1 else self
