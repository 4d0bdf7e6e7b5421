"""What modules of the package share: errors, arguments and labels."""

from __future__ import annotations

import builtins
import errno
import functools
import io

from . import _columnade as native
from ._columnade import DataFrame, Index, Series
from ._errors import make


def _list(labels):
    return labels if isinstance(labels, builtins.list) else [labels]


def _error(kind, operation, reason, column=None):
    return make(kind, f"{operation}: {reason}", operation=operation, column=None if column is None else builtins.str(column))


# Expressions that are combined one after the other; an expression has at most 5,000 levels.
_IN_ROW = 1000


def across(combine, parts):
    """Expressions as one, by a function of two: many of them in groups, so that the levels are few."""
    while builtins.len(parts) > _IN_ROW:
        parts = [functools.reduce(combine, parts[start : start + _IN_ROW]) for start in range(0, builtins.len(parts), _IN_ROW)]
    return functools.reduce(combine, parts)


def put(operation, target, data):
    """Writes all of a text or bytes to an open file. One without a buffer takes only a part at a time."""
    rest = data
    while rest:
        written = target.write(rest)
        if written is None and isinstance(target, io.RawIOBase):
            written = 0
        if not isinstance(written, builtins.int) or isinstance(rest, builtins.str):
            return
        if written <= 0:
            raise make("OSError", f"{operation}: the file takes no more bytes", operation=operation, errno=errno.EAGAIN)
        rest = memoryview(rest)[written:]


def piped(of, func, args, kwargs):
    """What `pipe` of an object gives: of a pair of a function and a name the object is the argument of that name."""
    if isinstance(func, tuple):
        if builtins.len(func) != 2 or not builtins.callable(func[0]):
            raise _error("TypeError", "pipe", "func is a function, or a pair of a function and the name of an argument")
        func, name = func
        if name in kwargs:
            raise _error("ValueError", "pipe", f"{name} is given twice")
        return func(*args, **kwargs, **{name: of})
    if not builtins.callable(func):
        raise _error("TypeError", "pipe", f"func is a function, not {type(func).__name__}")
    return func(of, *args, **kwargs)


def _is_kind(dtype, kind):
    text = builtins.str(dtype)
    kinds = {
        "number": dtype.is_numeric or text.startswith("decimal"), "datetime": text.startswith("timestamp"),
        "timedelta": text.startswith("duration"), "category": text.startswith("dictionary"), "string": text == "utf8",
        "integer": dtype.is_numeric and "int" in text, "floating": text.startswith("float"),
    }
    name = getattr(kind, "__name__", kind)
    return kinds[name] if isinstance(name, builtins.str) and name in kinds else dtype == kind


def _keep(keep, operation):
    if keep is False:
        return "none"
    if keep not in ("first", "last"):
        raise _error("ValueError", operation, 'keep is "first", "last" or False')
    return keep


def _by_label(values):
    """Values under the labels of columns."""
    if not values:
        return Series([], dtype="float64")
    return Series(builtins.list(values.values())).with_index(native.Index(builtins.list(values)))


def _fits(value, dtype):
    """Whether a column of the dtype may have a value."""
    if hasattr(value, "item") and not getattr(value, "shape", ()):
        value = value.item()
    if isinstance(value, bool):
        return dtype == "bool"
    if isinstance(value, (int, float)):
        return _is_number(dtype) and dtype != "bool"
    if isinstance(value, builtins.str):
        return dtype == "utf8" or builtins.str(dtype).startswith("dictionary<")
    return not _is_number(dtype) and dtype != "utf8"


def _is_number(dtype):
    return dtype.is_numeric or dtype == "bool" or builtins.str(dtype).startswith("decimal")


def _has_numbers(index):
    """Whether rows are labelled 0, 1, … without a name."""
    return index.kind == "range" and index.bounds == (0, builtins.len(index), 1) and index.name is None


def _side_by_side(parts):
    """Series of the same rows as columns."""
    index = next(iter(parts.values())).index
    return DataFrame({label: part.reset_index(drop=True) for label, part in parts.items()}).with_index(index)


def _index_of(levels, names):
    """Row labels of some levels."""
    return Index(levels[0]).rename(names[0]) if builtins.len(levels) == 1 else Index.from_arrays(levels, builtins.list(names))


def _by_row_label(values):
    """The values of a series in a dictionary by row label."""
    return dict(zip(values.index.to_list(), values.to_list()))


# Aggregates by the functions of Python that compute them.
_FUNCTIONS = {builtins.len: "size", builtins.sum: "sum", builtins.min: "min", builtins.max: "max", builtins.any: "any", builtins.all: "all"}


def _name_of(function):
    """The name of the aggregate that a function of Python or numpy computes, or None. numpy's `std` and `var` have a ddof of their own: they
    are called.
    """
    name = _FUNCTIONS.get(function)
    if name is None and (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy":
        name = getattr(function, "__name__", None)
        name = None if name in ("std", "var") else name
    return name


def _series(data):
    return data if isinstance(data, Series) else Series(data)


class _Unset:
    """What stands for an argument that is not given."""

    def __repr__(self):
        return "..."


_UNSET = _Unset()


def _axis(axis, operation):
    """0 for rows, 1 for columns."""
    if axis in (0, "index", "rows") and axis is not False:
        return 0
    if axis in (1, "columns") and axis is not True:
        return 1
    raise _error("ValueError", operation, f"axis is 0 or 1, not {axis!r}")


def _rows_only(axis, operation):
    if _axis(axis, operation) == 1:
        raise _error("NotImplementedError", operation, "axis=1 is not implemented")


def _choice(value, known, name, operation):
    if not any(value is one or (type(value) is type(one) and value == one) for one in known):
        raise _error("ValueError", operation, f"{name} is {', '.join(map(repr, known[:-1]))} or {known[-1]!r}, not {value!r}")
    return value


def _is_first(na_position, nulls_first, operation):
    """Where nulls stand in a sort."""
    if na_position is None:
        return False if nulls_first is None else nulls_first
    if nulls_first is not None:
        raise _error("TypeError", operation, "na_position and nulls_first are the same argument")
    return _choice(na_position, ("first", "last"), "na_position", operation) == "first"


def _renumbered(made, ignore_index):
    return made.reset_index(drop=True) if ignore_index else made


def _plain(values):
    """Values as a series with labels 0, 1, …"""
    if isinstance(values, Index):
        values = values.to_series()
    values = values if isinstance(values, Series) else Series(values)
    return values.reset_index(drop=True)


def _level(index, place):
    return _plain(index.get_level_values(place) if index.nlevels > 1 else index)


def struct_labels(index, places):
    """Labels of several levels at some positions, as structs with a field for each level; null where a position is."""
    names = builtins.list(index.names)
    is_plain = builtins.len(set(names)) == builtins.len(names) and all(isinstance(name, builtins.str) for name in names)
    fields = names if is_plain else builtins.list(map(builtins.str, builtins.range(index.nlevels)))
    levels = DataFrame({field: _level(index, at).to_device(places.device) for at, field in enumerate(fields)})
    labels = levels.select(native.struct_of(*map(native.col, fields)).alias("labels"))["labels"]
    rows = _plain(places)
    if not builtins.len(index):
        return Series([None] * builtins.len(rows), dtype=labels.dtype, name=places.name, device=places.device).with_index(places.index)
    return _plain(labels.take(rows.fill_null(0))).mask(rows.is_null()).rename(places.name).with_index(places.index)


def tuples_of(key, index):
    """The label that a dictionary by level stands for, where labels have several levels, or the labels of a list of them."""
    if index.nlevels > 1:
        if isinstance(key, dict) and builtins.len(key) == index.nlevels:
            return builtins.tuple(key.values())
        if isinstance(key, builtins.list) and key and all(isinstance(label, dict) for label in key):
            return [builtins.tuple(label.values()) for label in key]
    return key


def _place(index, level, operation):
    """The position of a level."""
    names = builtins.list(index.names)
    if level in names and not isinstance(level, bool):
        return names.index(level)
    if isinstance(level, int) and not isinstance(level, bool) and -index.nlevels <= level < index.nlevels:
        return level % index.nlevels
    raise _error("KeyError", operation, f"there is no level {level!r} of the row labels; there is {names}")


def _keyed(key, values, operation):
    """What a key function makes of values that are sorted."""
    made = values if key is None else key(values)
    if not isinstance(made, (Series, Index)):
        made = Series(made)
    if builtins.len(made) != builtins.len(values):
        raise _error("ValueError", operation, f"key gives {builtins.len(made)} values for {builtins.len(values)}")
    return _plain(made)


def _is_mapper(value):
    return isinstance(value, (dict, Series)) or callable(value)


def _steps(periods, operation):
    if isinstance(periods, bool) or not hasattr(periods, "__index__"):
        raise _error("TypeError", operation, f"periods is a whole number, not {type(periods).__name__}")
    return int(periods)


def _same(value, other, name, other_name, default, operation):
    """The value of an argument that has two names."""
    if value is not _UNSET and other is not _UNSET:
        raise _error("TypeError", operation, f"{name} and {other_name} are the same argument")
    return default if value is _UNSET and other is _UNSET else other if value is _UNSET else value


def _label_list(labels):
    return builtins.list(labels) if isinstance(labels, (builtins.list, Index, Series)) or hasattr(labels, "tolist") else [labels]


def _depth(self):
    """The number of levels of the labels of columns."""
    return builtins.len(self._level_names)


def _level_place(self, level, operation):
    """The position of a level of the labels of columns."""
    names, depth = builtins.list(self._level_names), _depth(self)
    if level in names and level is not None and not isinstance(level, bool):
        return names.index(level)
    if isinstance(level, int) and not isinstance(level, bool) and -depth <= level < depth:
        return level % depth
    raise _error("KeyError", operation, f"there is no level {level!r} of the labels of columns; there is {names}")


def _relabelled(self, labels, new, names, operation):
    """Some columns under other labels, which have levels of these names."""
    new = [label[0] if builtins.len(names) == 1 and isinstance(label, tuple) else label for label in new]
    twice = next((label for at, label in enumerate(new) if label in new[:at]), None)
    if twice is not None:
        raise _error("ValueError", operation, f"two columns would have the label {twice!r}, and labels of columns are unique")
    if not labels:
        return self[[]]
    made = DataFrame({label: _plain(self.column(old)) for old, label in zip(labels, new)}).with_index(self.index)
    return _named(made, names)


def _named(self, names):
    """The frame with names of the levels of its labels of columns."""
    names = builtins.list(names)
    return self if builtins.list(self._level_names) == names else self._with_level_names(names)


def in_levels(self, names, is_known=False):
    """A frame whose labels of several parts are labels of levels of these names, and of levels without one behind these. Labels of fewer
    parts have empty ones at the end. Other labels of one part than those of a frame with `names` have no name.
    """
    names, labels = builtins.list(names), builtins.list(self.columns)
    depth = max(builtins.len(_parts(label)) for label in labels) if labels else builtins.len(names)
    if depth == 1:
        return _named(self, names if is_known and builtins.len(names) == 1 else [None])
    padded = [(*_parts(label), *[""] * (depth - builtins.len(_parts(label)))) for label in labels]
    made = self
    if padded != labels:
        # Of a frame whose labels have one level: those of several have all their parts.
        made = DataFrame({new: _plain(self.column(old)) for new, old in zip(padded, labels)}).with_index(self.index)
    return _named(made, [*names, *[None] * (depth - builtins.len(names))])


def is_unnamed(names, depth):
    return builtins.len(names) == depth and not any(name is not None for name in names)


def with_names_of(made, frame):
    """A frame with the names of the levels of labels of columns of the one that it was made of: of columns with its labels, or with these
    and a level behind them.
    """
    names, depth = builtins.list(frame._level_names), _depth(frame)
    if is_unnamed(names, depth) or not any(is_unnamed(made._level_names, count) for count in (depth, depth + 1)):
        return made
    columns, more = set(frame.columns), _depth(made) - depth
    labels = [label[:depth] if depth > 1 else label[0] for label in made.columns] if more else made.columns
    return _named(made, [*names, *[None] * more]) if set(labels) <= columns else made


def _parts(key):
    return key if isinstance(key, tuple) else (key,)


def _matches(self, key, places):
    """The columns whose labels have the parts of a key in some levels."""
    return [label for label in self.columns if all(label[place] == part for place, part in zip(places, key))]


def _missing(key, operation):
    return _error("KeyError", operation, f"there is no column of {key!r}", key)


def _without_levels(self, labels, places, operation):
    """Some columns without some levels of their labels."""
    kept = [place for place in range(_depth(self)) if place not in places]
    names = [self._level_names[place] for place in kept]
    return _relabelled(self, labels, [tuple(label[place] for place in kept) for label in labels], names, operation)


def _expanded(self, keys, operation, ignore=False):
    """The labels of columns that keys stand for, each a label or the first parts of some."""
    labels, columns = [], self.columns
    for key in keys:
        found = [key] if key in columns else []
        if not found and _depth(self) > 1:
            parts = _parts(key)
            found = _matches(self, parts, range(builtins.len(parts))) if builtins.len(parts) <= _depth(self) else []
        if not found and not ignore:
            raise _missing(key, operation)
        labels += [label for label in found if label not in labels]
    return labels


def _by_columns(self, compute):
    """What a function makes of each column, in rows of the same labels."""
    made = {label: _plain(compute(self[label])) for label in self.columns}
    return DataFrame(made).with_index(self.index) if made else self
