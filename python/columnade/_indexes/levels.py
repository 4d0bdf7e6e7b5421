"""Row labels of several levels: labels made of tuples, their distinct ones and their dtypes."""

from __future__ import annotations

import builtins

from .._columnade import Index, Series
from .._common import _error, _level, _plain
from .._install import compiled, install, methods
from .kinds import MultiIndex


_ASTYPE, _FACTORIZE, _SWAPLEVEL = (compiled(Index, name) for name in ("astype", "factorize", "swaplevel"))


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


def _place(index, level, operation):
    """The number of a level that is given by its name, or by a number, from the end if it is negative."""
    names = builtins.list(index.names)
    if level in names:
        return names.index(level)
    if isinstance(level, int) and not isinstance(level, bool) and -index.nlevels <= level < index.nlevels:
        return level % index.nlevels
    raise _error("KeyError", operation, f"no level is called {level!r}; they are called {names}")


def _with_parts(index, given, level, operation, part):
    """Labels of several levels with other values or codes, `part`, of one level, some or all."""
    if index.nlevels == 1:
        raise _error("TypeError", operation, "the labels have one level")
    levels, codes = builtins.list(index.levels), builtins.list(index.codes)
    parts = levels if part == "levels" else codes
    if level is None or isinstance(level, (builtins.list, tuple)):
        places = range(index.nlevels) if level is None else [_place(index, one, operation) for one in level]
        news = builtins.list(given)
    else:
        places, news = [_place(index, level, operation)], [given]
    if builtins.len(news) != builtins.len(places):
        raise _error("ValueError", operation, f"{part}: there are {builtins.len(news)} for {builtins.len(places)} levels")
    for place, new in zip(places, news):
        parts[place] = new
    return MultiIndex(levels, codes, names=builtins.list(index.names))


@methods(Index)
class _OfIndexes:
    """Methods of row labels."""

    def swaplevel(self, i=-2, j=-1):
        """The labels with two levels in each other's place, by default the last two."""
        if self.nlevels == 1:
            raise _error("TypeError", "swaplevel", "the labels have one level")
        return _SWAPLEVEL(self, *(_place(self, one, "swaplevel") for one in (i, j)))

    def sortlevel(self, level=0, ascending=True, sort_remaining=True):
        """The labels ordered by a level or several, then by the others, and their positions before."""
        operation = "sortlevel"
        if not isinstance(ascending, bool):
            raise _error("NotImplementedError", operation, f"ascending is True or False for all levels, not {ascending!r}")
        places = [_place(self, one, operation) for one in (level if isinstance(level, (builtins.list, tuple)) else [level])]
        order = places + [place for place in range(self.nlevels) if sort_remaining and place not in places]
        parts = [_level(self, place) for place in order]
        keys = Index(parts[0]) if builtins.len(parts) == 1 else Index.from_arrays(parts, names=[None] * builtins.len(parts))
        rows = keys.argsort(ascending)
        return self.take(rows), rows

    def set_levels(self, levels, *, level=None, verify_integrity=True):
        """Labels of several levels with other values in their place: of all levels, of one or of some."""
        return _with_parts(self, levels, level, "set_levels", "levels")

    def set_codes(self, codes, *, level=None, verify_integrity=True):
        """Labels of several levels with other codes, -1 for a null: of all levels, of one or of some."""
        return _with_parts(self, codes, level, "set_codes", "codes")

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
        if not builtins.len(self):
            return _plain(distinct.get_indexer(self)).rename(None), distinct
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
