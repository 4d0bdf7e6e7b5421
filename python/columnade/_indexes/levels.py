"""Row labels of several levels: labels made of tuples, their distinct ones and their dtypes."""

from __future__ import annotations

import builtins

from .._columnade import Index, Series
from .._common import _error, _level, _plain
from .._install import compiled, install, methods


_ASTYPE, _FACTORIZE = compiled(Index, "astype"), compiled(Index, "factorize")


def _from_tuples(tuples, names=None):
    """Row labels of several levels, of a tuple for each row."""
    rows = [tuple(row) for row in tuples]
    if not rows:
        if not isinstance(names, (builtins.list, tuple)):
            raise _error("TypeError", "from_tuples", "there are no tuples, which say the number of levels: give names")
        return Index.from_arrays([Series([], dtype="utf8") for _ in names], names=builtins.list(names))
    widths = {builtins.len(row) for row in rows}
    if builtins.len(widths) > 1:
        raise _error("ValueError", "from_tuples", f"tuples have one length, not {' and '.join(map(builtins.str, sorted(widths)))}")
    levels = [Series(builtins.list(values)) for values in zip(*rows)]
    return Index.from_arrays(levels, names=builtins.list(names) if isinstance(names, tuple) else names)


install(Index, "from_tuples", staticmethod(_from_tuples))


@methods(Index)
class _OfIndexes:
    """Methods of row labels."""

    def factorize(self, sort=False, use_na_sentinel=True):
        """The number of each label and the distinct labels, see `Series.factorize`."""
        if self.nlevels == 1:
            if not sort and use_na_sentinel:
                codes, distinct = _FACTORIZE(self)
            else:
                codes, distinct = _level(self, 0).factorize(sort, use_na_sentinel)
                codes, distinct = codes.rename(None), Index(distinct)
            return codes, distinct.rename(None)
        distinct = self.unique()
        if sort:
            distinct = distinct.sort_values()
        # Distinct labels have no names in pandas.
        return _plain(distinct.get_indexer(self)).rename(None), distinct.rename([None] * self.nlevels)

    def astype(self, dtype):
        """The labels in another dtype; those of several levels have the dtypes of these."""
        if self.nlevels == 1:
            return _ASTYPE(self, dtype)
        if dtype is object or dtype == "object":
            return self
        raise _error("TypeError", "astype", f"labels of several levels have no dtype {dtype!r}: make new ones with from_arrays")


def _part_of_intervals(name):
    before = compiled(Index, name)

    def get(self):
        return before.__get__(self).rename(None)

    get.__doc__ = before.__doc__
    return property(get)


for _name in ("left", "right", "mid", "length"):
    install(Index, _name, _part_of_intervals(_name))
del _name
