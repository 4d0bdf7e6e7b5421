"""Methods of series and frames under the names that expressions have."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Series, col
from .._common import _error
from .._errors import under
from .._install import methods


def _of_all(values, made):
    """What an aggregate makes of a series: a frame of one row and one column."""
    return DataFrame({"values": values.reset_index(drop=True)}).agg(made.alias("values"))["values"]


def _size(k, operation):
    if isinstance(k, bool) or not hasattr(k, "__index__") or k < 0:
        raise _error("ValueError", operation, f"k is a number of values from 0, not {k!r}")
    return int(k)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def top_k(self, k=5):
        """The k largest values with their labels, the largest one first. Nulls are the last ones."""
        return self.sort_values(ascending=False, na_position="last").head(_size(k, "top_k"))

    def bottom_k(self, k=5):
        """The k smallest values with their labels, the smallest one first. Nulls are the last ones."""
        return self.sort_values(na_position="last").head(_size(k, "bottom_k"))

    def collect(self):
        """All values as a list, in a series of one row."""
        return _of_all(self, col("values").collect()).rename(self.name)

    def collect_unique(self):
        """The distinct values as a list, in a series of one row."""
        return _of_all(self, col("values").collect_unique()).rename(self.name)

    def row_number(self):
        """The numbers of the rows from 1."""
        rows = Series(builtins.range(1, builtins.len(self) + 1)).to_device(self.device)
        return rows.with_index(self.index).rename(self.name)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def cum_count(self):
        """The number of values that are not null in each column up to each row."""
        made = {label: self[label].cum_count().reset_index(drop=True) for label in self.columns}
        return DataFrame(made).with_index(self.index) if made else self

    def argsort(self, by=None, ascending=True, nulls_first=False):
        """The positions of the rows in the order of columns, of all of them where none is given."""
        labels = builtins.list(self.columns) if by is None else by
        with under("argsort"):
            order = self.reset_index(drop=True).sort_values(labels, ascending, nulls_first).index
        return order.to_series().reset_index(drop=True).rename(None).to_device(self.device)
