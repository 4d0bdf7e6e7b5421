"""Names that expressions have, for series and frames, and arguments of Polars for groups.

They are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import functools

from typing import Any

from . import _columnade as native
from ._columnade import DataFrame, Index, Series, col
from ._pandas import _add, _error

_COUNTS = Series.value_counts
_GROUP: Any = DataFrame.group_by


def _of_all(values, made):
    """What an aggregate makes of a series: a frame of one row and one column."""
    return DataFrame({"values": values.reset_index(drop=True)}).agg(made.alias("values"))["values"]


def _size(k, operation):
    if isinstance(k, bool) or not hasattr(k, "__index__") or k < 0:
        raise _error("ValueError", operation, f"k is a number of values from 0, not {k!r}")
    return int(k)


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

    def nth(self, n):
        """The value of a row, from the end where n is negative; None where there is none."""
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise _error("TypeError", "nth", f"n is a whole number, not {type(n).__name__}")
        place = int(n) + builtins.len(self) if n < 0 else int(n)
        return self.take([place]).to_list()[0] if 0 <= place < builtins.len(self) else None

    def row_number(self):
        """The numbers of the rows from 1."""
        rows = Series(builtins.range(1, builtins.len(self) + 1)).to_device(self.device)
        return rows.with_index(self.index).rename(self.name)

    def value_counts(self, normalize=False, sort=True, ascending=False, dropna=True, bins=None):
        """How often each value occurs, or how many values are in each bin: of a number of equal ones, or between edges."""
        if bins is None or isinstance(bins, int) and not isinstance(bins, bool):
            return _COUNTS(self, normalize, sort, ascending, dropna, bins)
        edges = bins.to_list() if isinstance(bins, (Index, Series)) else bins.tolist() if hasattr(bins, "tolist") else bins
        if not isinstance(edges, (builtins.list, tuple)):
            raise _error("TypeError", "value_counts", f"bins is a number or a list of edges, not {type(bins).__name__}")
        binned = self.reset_index(drop=True).cut(builtins.list(edges), include_lowest=True)
        categories = binned.cat.categories().to_list()
        codes = DataFrame({"code": binned.drop_nulls().cat.codes().reset_index(drop=True).cast("int64")})
        counted = codes.group_by("code").agg(native.len().alias("count"))
        all_bins = DataFrame({"code": Series(builtins.range(builtins.len(categories)), dtype="int64").to_device(self.device)})
        counts = all_bins.merge(counted, "left", on="code", maintain_order="left_right")["count"].fill_null(0)
        # As in pandas, where a null is in no bin but among the values of which a share is.
        name = "proportion" if normalize else "count"
        values = counts / builtins.len(self) if normalize and builtins.len(self) else counts
        bin_names = Series(categories).to_device(self.device).cast("category").cat.set_categories(categories, ordered=True)
        made = DataFrame({self.name: bin_names.reset_index(drop=True), name: values.reset_index(drop=True)})
        if dropna and not codes.shape[0]:
            return made.head(0)
        return made.sort_values(name, ascending=ascending, ignore_index=True) if sort else made


class _OfFrames:
    """Methods of frames."""

    def cum_count(self):
        """The number of values that are not null in each column up to each row."""
        made = {label: self[label].cum_count().reset_index(drop=True) for label in self.columns}
        return DataFrame(made).with_index(self.index) if made else self

    def argsort(self, by=None, ascending=True, nulls_first=False):
        """The positions of the rows in the order of columns, of all of them where none is given."""
        labels = builtins.list(self.columns) if by is None else by
        order = self.reset_index(drop=True).sort_values(labels, ascending, nulls_first).index
        return order.to_series().reset_index(drop=True).rename(None).to_device(self.device)


def _grouping(kind):
    group = kind.group_by

    @functools.wraps(group)
    def group_by(self, *keys, maintain_order=True, **options):
        # Groups are in the order of their first rows unless they are sorted.
        if not isinstance(maintain_order, bool):
            raise _error("TypeError", "group_by", f"maintain_order is a boolean, not {type(maintain_order).__name__}")
        return group(self, *keys, **options)

    group_by.__signature__ = _signature(group)  # type: ignore[attr-defined]
    setattr(kind, "group_by", group_by)


def _signature(group):
    import inspect

    known = inspect.signature(group)
    added = inspect.Parameter("maintain_order", inspect.Parameter.KEYWORD_ONLY, default=True)
    parameters = [*known.parameters.values()]
    return known.replace(parameters=[*parameters, added])


_add(_OfSeries, Series)
_add(_OfFrames, DataFrame)
_grouping(DataFrame)
