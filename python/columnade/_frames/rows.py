"""Rows by their labels: cross sections, the last ones before times, regular times, and values of other frames under the same labels."""

from __future__ import annotations

import builtins
import functools
import operator

from .._arguments import renamed
from .._columnade import DataFrame, Index, Series
from .._common import (
    _UNSET, _axis, _choice, _depth, _error, _index_of, _label_list, _level, _level_place, _list, _matches, _missing, _parts, _place,
    _plain, _rows_only, _without_levels,
)
from .._install import compiled, install, methods, naming
from .._times.offsets import _frequency
from .._times.labels import label_of_time, label_or_labels


_CROSS = {kind: compiled(kind, "xs") for kind in (DataFrame, Series)}
_UPDATE, _SEARCH = compiled(DataFrame, "update"), compiled(Series, "searchsorted")
install(DataFrame, "pop", renamed(compiled(DataFrame, "pop"), lambda self, /, item: None, item="label"))


def _is_several(given):
    """Whether values are searched, and not one value."""
    return isinstance(given, (builtins.list, tuple, range, Index, Series)) or getattr(given, "shape", ()) != ()


def _codes_of(own, given):
    """Ordered categories and values to be searched in them, by their places in the order; else both as they are."""
    is_dictionary = builtins.str(getattr(given, "dtype", "")).startswith("dictionary")
    if is_dictionary or not builtins.str(own.dtype).startswith("dictionary") or not own.cat.is_ordered():
        return own, given
    places = {category: place for place, category in enumerate(own.cat.categories().to_list())}

    def place(value):
        if value not in places:
            raise _error("TypeError", "searchsorted", f"{value!r} is not a category", column=own.name)
        return places[value]

    values = given.to_list() if isinstance(given, (Index, Series)) else given
    return own.cat.codes().cast("int64"), [place(value) for value in values] if _is_several(given) else place(given)


def _at_steps(index, freq):
    """The times at equal distances from the first to the last one of labels, in their zone."""
    zone, dtype = index.tz, index.dtype
    if zone is not None:
        # Steps of hours and less are of instants, others of local times.
        is_elapsed = isinstance(freq, builtins.str) and freq.lstrip("0123456789") in ("h", "min", "s", "ms", "us", "ns")
        index = index.tz_convert(None) if is_elapsed else index.tz_localize(None)
        if is_elapsed:
            return Index.date_range(index.min(), index.max(), freq=freq, dtype=index.dtype).tz_localize("UTC").tz_convert(zone)
    return Index.date_range(index.min(), index.max(), freq=freq, dtype=dtype)


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    def asof(self, where, subset=None):
        """The last row without null at or before a label, or for each label of a list. Of a series and one label it is the value."""
        operation = "asof"
        where = label_of_time(self, where)
        if not self.index.is_monotonic_increasing:
            raise _error("ValueError", operation, "the row labels are not sorted: call sort_index first")
        several = isinstance(where, (builtins.list, tuple, Index, Series)) or getattr(where, "shape", ()) != ()
        if isinstance(self, Series):
            if subset is not None:
                raise _error("ValueError", operation, "subset goes with a frame")
            kept = self.drop_nulls()
        else:
            kept = self.drop_nulls(subset=subset)
        if builtins.len(kept):
            kept = kept[~kept.index.duplicated("last")]
        labels = where if isinstance(where, Index) else Index(builtins.list(where) if isinstance(where, tuple) else _label_list(where))
        made = kept.reindex(labels, method="ffill")
        return made if several or isinstance(made, DataFrame) else made.to_list()[0]

    def asfreq(self, freq, method=None, how=None, normalize=False, fill_value=None):
        """The rows at equal distances of time, from the first to the last label; what is not there is null or `fill_value`, or is filled
        by `method`.
        """
        operation = "asfreq"
        freq = _frequency(freq, operation)
        if how is not None:
            raise _error("NotImplementedError", operation, "how is about periods, which are not implemented")
        if self.index.kind != "datetime":
            raise _error("TypeError", operation, f"the row labels are times, not {self.index.dtype}")
        if not builtins.len(self):
            return self
        labels = _at_steps(self.index, freq).rename(self.index.name)
        made = self.reindex(labels, method=method, fill_value=fill_value) if isinstance(self, Series) else self.reindex(
            index=labels, method=method, fill_value=fill_value,
        )
        return made.with_index(made.index.normalize()) if normalize else made


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def update(self, other, join="left", overwrite=True, filter_func=None, errors="ignore"):
        """A new frame with the values of another one under the same labels, where these are not null; overwrite=False replaces nulls
        alone. `filter_func` is a function of each column that says which values are replaced. With errors="raise" two values of one row
        and column are an error.
        """
        operation = "update"
        if join != "left":
            raise _error("NotImplementedError", operation, f'join is "left", not {join!r}')
        _choice(errors, ("ignore", "raise"), "errors", operation)
        if overwrite and filter_func is None and errors == "ignore":
            return _UPDATE(self, other)
        theirs = other.reindex(index=self.index, columns=[label for label in self.columns if label in other])
        made = {}
        for label in self.columns:
            values = _plain(self[label])
            if label in theirs:
                new = _plain(theirs[label])
                if errors == "raise" and (values.is_not_null() & new.is_not_null()).any():
                    raise _error("ValueError", operation, f"column {label!r} has values in both frames")
                replaced = new.is_not_null()
                if filter_func is not None:
                    replaced = replaced & _plain(filter_func(self[label])).fill_null(False)
                elif not overwrite:
                    replaced = replaced & values.is_null()
                values = values.where(~replaced, new)
            made[label] = values
        return DataFrame(made).with_index(self.index)

    def xs(self, key, level=None, axis=0, drop_level=True):
        """The rows of a label, or of a label of some levels, without these levels unless drop_level=False. With axis=1 the columns, and
        for a whole label a series.
        """
        operation = "xs"
        key = label_or_labels(self, key, operation)
        if _axis(axis, operation) == 0:
            return _cross(self, key, level, drop_level)
        if level is None and drop_level:
            return self[key] if not isinstance(key, builtins.list) else self[tuple(key)]
        depth = _depth(self)
        levels = builtins.list(range(builtins.len(_parts(key)))) if level is None else _list(level)
        levels = builtins.list(level) if isinstance(level, tuple) else levels
        keys = builtins.list(key) if isinstance(level, (builtins.list, tuple)) and isinstance(key, builtins.list) else _parts(key)
        if builtins.len(keys) != builtins.len(levels):
            raise _error("ValueError", operation, f"key has {builtins.len(keys)} labels for {builtins.len(levels)} levels")
        places = [_level_place(self, one, operation) for one in levels]
        if depth == 1:
            return self[[keys[0]]] if not drop_level else self[keys[0]]
        labels = _matches(self, keys, places)
        if not labels:
            raise _missing(key, operation)
        if not drop_level or builtins.len(places) == depth:
            return self[labels]
        return _without_levels(self, labels, places, operation)

    def iterrows(self):
        """Each label with its row, a dictionary by column. Expressions are faster where there is one."""
        return zip(self.index.to_list(), self.to_dicts())

    def isetitem(self, loc, value):
        """A new frame with other values in the column at a position."""
        labels = builtins.list(self.columns)
        if not isinstance(loc, int) or isinstance(loc, bool):
            raise _error("TypeError", "isetitem", f"loc is a position, not {type(loc).__name__}")
        if not -builtins.len(labels) <= loc < builtins.len(labels):
            raise _error("IndexError", "isetitem", f"there is no column at {loc}; there are {builtins.len(labels)}")
        label = labels[loc]
        rest = self[[one for one in labels if one != label]] if builtins.len(labels) > 1 else self[[]]
        return rest.insert(loc % builtins.len(labels), label, value)


def _cross(self, key, level, drop_level):
    """The rows of a label of some levels."""
    operation = "xs"
    index = self.index
    if level is None and not drop_level and index.nlevels > 1:
        level = builtins.list(range(builtins.len(key) if isinstance(key, tuple) else 1))
    if level is None or (drop_level and not isinstance(level, (builtins.list, tuple))):
        return _CROSS[type(self)](self, key, level)
    levels = builtins.list(level) if isinstance(level, (builtins.list, tuple)) else [level]
    keys = builtins.list(key) if isinstance(key, (builtins.list, tuple)) else [key]
    if builtins.len(keys) != builtins.len(levels):
        raise _error("ValueError", operation, f"key has {builtins.len(keys)} labels for {builtins.len(levels)} levels")
    places = [_place(index, one, operation) for one in levels]
    rows = functools.reduce(operator.and_, [_level(index, place).eq_missing(label) for place, label in zip(places, keys)])
    if not rows.any():
        raise _error("KeyError", operation, f"there is no row of {key!r}")
    made = self[rows.to_device(self.device).with_index(index)]
    if not drop_level:
        return made
    kept = [place for place in range(index.nlevels) if place not in places]
    if not kept:
        return made
    levels = [_level(made.index, place) for place in kept]
    names = [index.names[place] for place in kept]
    return made.with_index(_index_of(levels, names))


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def xs(self, key, level=None, axis=0, drop_level=True):
        """The rows of a label, or of a label of some levels, without these levels unless drop_level=False."""
        key = label_or_labels(self, key, "xs")
        _rows_only(axis, "xs")
        return _cross(self, key, level, drop_level)

    @naming
    def searchsorted(self, value=_UNSET, side="left", sorter=None, values=_UNSET):
        """The position before which a value keeps the order of a sorted series, or those of several values; `sorter` has the positions of
        its values in order.
        """
        if (value is _UNSET) == (values is _UNSET):
            raise _error("TypeError", "searchsorted", "give value")
        given = values if value is _UNSET else value
        own = self if sorter is None else self.take(sorter)
        made = _SEARCH(*_codes_of(own, given), side)
        return made.to_numpy() if _is_several(given) else made.to_list()[0]

    def pop(self, item):
        """The value of a label, and the series without it."""
        if item not in self.index:
            raise _error("KeyError", "pop", f"there is no row label {item!r}")
        return self.at[item], self.drop(item)
