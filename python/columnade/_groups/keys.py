"""Keys of groups as pandas takes them: labels, names of levels, functions of row labels, dictionaries, arrays and series.

`groupby` of frames and series is added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Expr, Grouper, Index, Series
from .._common import _error
from .core import grouped, level_values
from .._install import install, like, methods, naming
from .._polars.choose import keys_in
from .._polars.columns import Columns


_OPERATION = "groupby"
_BINS = (Expr, Grouper)


def _is_values(key):
    """Whether a key has a value for each row."""
    if isinstance(key, (Series, Index, builtins.list, builtins.range)):
        return True
    return not isinstance(key, (builtins.str, bytes, tuple)) and hasattr(key, "__len__") and hasattr(key, "dtype")


def _is_known(key):
    """Whether a key is no label, and not one of several values either."""
    return isinstance(key, (*_BINS, dict)) or builtins.callable(key) or _is_values(key)


def _names_of_levels(frame):
    return [name for name in frame.index.names if name is not None]


def _of_rows(values, frame, name):
    """Values by position as a series in the rows of a frame."""
    made = values if isinstance(values, Series) else Series(values)
    if builtins.len(made) != builtins.len(frame):
        reason = f"a key has {builtins.len(made)} values for {builtins.len(frame)} rows"
        raise _error("ValueError", _OPERATION, reason)
    return made.reset_index(drop=True).to_device(frame.device).with_index(frame.index).rename(name)


def _mapped(key, labels, frame):
    """What a dictionary or a function has for each row label."""
    values = labels.to_list()
    if isinstance(key, dict):
        made = [key.get(value) for value in values]
    else:
        made = [key(value) for value in values]
    return _of_rows(Series(made), frame, labels.name)


def _level_of(frame, level):
    """The position of a level of the row labels."""
    names, count = builtins.list(frame.index.names), frame.index.nlevels
    if isinstance(level, int) and not isinstance(level, bool) and level not in names:
        if not -count <= level < count:
            raise _error("IndexError", _OPERATION, f"level {level} is out of bounds: the row labels have {count} levels")
        return level % count
    if level not in names:
        kind = "KeyError" if count > 1 else "ValueError"
        raise _error(kind, _OPERATION, f"there is no level {level!r} of the row labels; there is {names}")
    return names.index(level)


def _is_own(key, frame, labels):
    """Whether a series is a column of the frame, which then is the key and no value."""
    if key.name not in labels or builtins.len(key) != builtins.len(frame):
        return False
    column = frame[key.name]
    return column.dtype == key.dtype and key.index.equals(frame.index) and column.equals(key)


def _key(key, frame, labels, level):
    """A key as a label, an expression, bins of time or a series, with the name that it has in results."""
    if isinstance(key, _BINS):
        return key, None
    if type(key).__module__.startswith("pandas.") and not isinstance(key, builtins.str) and hasattr(key, "to_numpy"):
        from .._convert import from_pandas

        key = from_pandas(key)
    if isinstance(key, Series):
        return (key.name, key.name) if _is_own(key, frame, labels) else (key, key.name)
    if isinstance(key, Index):
        if key.nlevels > 1:
            raise _error("NotImplementedError", _OPERATION, "labels of several levels are not implemented as one key: give level")
        return _of_rows(key.to_series(), frame, key.name), key.name
    if isinstance(key, dict) or builtins.callable(key):
        if level is None and frame.index.nlevels > 1:
            made = _mapped(key, _Tuples(frame.index), frame)
        else:
            place = 0 if level is None else _level_of(frame, level)
            values = frame.index if frame.index.nlevels == 1 else frame.index.get_level_values(place)
            made = _mapped(key, values, frame)
        return made, made.name
    if _is_values(key):
        return _of_rows(key, frame, None), None
    names = _names_of_levels(frame)
    if key in labels:
        if key in names:
            reason = f"{key!r} is both a level of the row labels and a column, which is ambiguous"
            raise _error("ValueError", _OPERATION, reason)
        return key, key
    if key in names:
        return level_values(frame, names.index(key) if frame.index.nlevels == 1 else key).rename(key), key
    known = ", ".join(map(repr, [*labels, *names]))
    raise _error("KeyError", _OPERATION, f"there is no column and no level of the row labels {key!r}; there is {known}", key)


class _Tuples:
    """Row labels of several levels, which have no name."""

    name = None

    def __init__(self, index):
        self.index = index

    def to_list(self):
        return self.index.to_list()


def _keys(by, level, frame, labels):
    """Keys of pandas, and their names in results."""
    names = _names_of_levels(frame)
    if isinstance(by, builtins.list):
        given = by
        is_several = builtins.len(by) == builtins.len(frame) and level is None and not any(_is_known(key) for key in by)
        if is_several and not all(key in labels or key in names for key in by):
            # As many values as rows, which are no labels, are the values of one key.
            given = [Series(by)]
            return [_of_rows(given[0], frame, None)], [None]
    else:
        given = [by]
    made = [_key(key, frame, labels, level) for key in given]
    return [key for key, _ in made], [name for _, name in made]


def _grouped(frame, by, level, options, labels, group_keys):
    """Groups of a frame by keys of pandas."""
    if by is None and level is None:
        raise _error("TypeError", _OPERATION, "give by or level")
    about = {"is_list": isinstance(by, builtins.list), "group_keys": group_keys}
    levels = [] if level is None else [_level_of(frame, one) for one in (level if isinstance(level, (builtins.list, tuple)) else [level])]
    if by is None:
        about["is_list"] = isinstance(level, (builtins.list, tuple))
        keys, names = [], []
    else:
        keys, names = _keys(by, level, frame, labels)
        if not keys:
            raise _error("ValueError", _OPERATION, "there is no key: by is an empty list")
        if any(isinstance(key, dict) or builtins.callable(key) and not isinstance(key, _BINS) for key in (by if about["is_list"] else [by])):
            # The function or dictionary is of the values of the level.
            levels = []
    for place in levels:
        name = frame.index.names[place]
        keys.append(level_values(frame, place).rename(name))
        names.append(name)
    is_plain = not any(isinstance(key, Series) for key in keys) and builtins.len(set(names)) == builtins.len(names)
    if is_plain or any(isinstance(key, Grouper) for key in keys):
        return grouped(frame, keys, options, None, about)
    series = []
    for place, key in enumerate(keys):
        if isinstance(key, Expr):
            made = frame.select(key)
            key, names[place] = made[made.columns[0]].reset_index(drop=True).with_index(frame.index), made.columns[0]
        series.append(key if isinstance(key, Series) else frame[key])
    # Keys that are columns are no values.
    own = [key for key in keys if not isinstance(key, (Series, Expr))]
    return grouped(frame, series, options, names, about, own)


def _group_by(
    self, /, *keys, sort=False, dropna=True, level=None, observed=True, as_index=False, maintain_order=True, **named,
):
    # Groups are in the order of their first rows unless they are sorted.
    if not isinstance(maintain_order, bool):
        raise _error("TypeError", "group_by", f"maintain_order is a boolean, not {type(maintain_order).__name__}")
    options = {"sort": sort, "dropna": dropna, "level": level, "observed": observed, "as_index": as_index}
    keys = keys_in(self, keys, "group_by")
    if named:
        for name, value in named.items():
            if not isinstance(value, (Expr, Columns)):
                raise _error("TypeError", "group_by", f"there is no argument {name!r}; a key of that label is an expression, not {type(value).__name__}")
            of_name = keys_in(self, [value.alias(name)], "group_by")
            if builtins.len(of_name) != 1:
                raise _error("ValueError", "group_by", f"{name!r} is one key, and {builtins.len(of_name)} are given")
            keys = [*keys, *of_name]
    return grouped(self, keys, options)


install(DataFrame, "group_by", like(_group_by, DataFrame, "group_by"))


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def groupby(self, by=None, level=None, as_index=True, sort=True, observed=True, dropna=True, group_keys=True):
        """`group_by` with the defaults of pandas: keys in order, and as row labels of results. Keys are labels of columns or levels,
        series, arrays and lists of values, and functions and dictionaries of row labels. With group_keys=False rows that `apply`
        returns are not under the keys.
        """
        options = {"sort": sort, "dropna": dropna, "level": None, "observed": observed, "as_index": as_index}
        return _grouped(self, by, level, options, self.columns, group_keys)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @naming
    def groupby(self, by=None, level=None, as_index=True, sort=True, observed=True, dropna=True, group_keys=True):
        """Groups of the values by series, arrays, functions and dictionaries of row labels, or by levels of them."""
        if not as_index:
            raise _error("TypeError", _OPERATION, "as_index=False is of frames")
        options = {"sort": sort, "dropna": dropna, "level": None, "observed": observed, "as_index": True}
        return _grouped(self._to_frame(), by, level, options, [], group_keys)[self.name]
