"""Repetitions of rows, transposed frames and the number of groups as in pandas.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._pandas import _add
from ._pandas_labels import _keep

_TRANSPOSE = DataFrame.transpose
_DUPLICATED = {kind: kind.duplicated for kind in (DataFrame, Series)}


class _OfFrames:
    """Methods of frames."""

    def transpose(self):
        """The rows as columns, under their labels; the labels of the columns are those of the rows. All columns have one dtype."""
        made = _TRANSPOSE(self)
        labels = builtins.list(self.columns)
        kinds = {type(label) for label in labels}
        return made.with_index(Index(labels)) if kinds in ({builtins.str}, {int}) else made

    def duplicated(self, subset=None, keep="first"):
        """Whether each row is a repetition of another in some columns: all but the first or the last one, with keep=False all."""
        return _DUPLICATED[DataFrame](self, subset, keep if keep == "none" else _keep(keep, "duplicated"))


class _OfSeries:
    """Methods of series."""

    def duplicated(self, keep="first"):
        """Whether each value is a repetition of another: all but the first or the last one, with keep=False all."""
        return _DUPLICATED[Series](self, keep if keep == "none" else _keep(keep, "duplicated"))


def _number_of_groups(self):
    return self.ngroups


setattr(native.GroupBy, "__len__", _number_of_groups)
setattr(native.SeriesGroupBy, "__len__", _number_of_groups)
_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
setattr(Index, "tolist", Index.to_list)
