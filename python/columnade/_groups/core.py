"""Groups of rows and bins of time that keep the frame, the keys and the columns that they are of.

The compiled classes have no such attributes. Those here take their place, and pass calls on.
"""

from __future__ import annotations

import builtins
import functools
from typing import TYPE_CHECKING

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Grouper, Index, Series
from .._common import _error, _expanded, _named, in_levels
from .._errors import make
from .._install import compiled, complete


_COMPILED = {name: getattr(native, name) for name in ("GroupBy", "SeriesGroupBy", "Resampler")}
_GROUP_BY = compiled(DataFrame, "group_by")
# Names of keys that are no labels of columns while groups are computed.
_HIDDEN = "key {} of the groups"


def _set(kind, **attributes):
    made = object.__new__(kind)
    for name, value in attributes.items():
        object.__setattr__(made, name, value)
    return made


def _is_label(key):
    return not isinstance(key, (Expr, Series, Grouper))


def _renamed_index(index, names):
    return index.rename(names[0] if builtins.len(names) == 1 else names)


def level_values(frame, level):
    """The values of a level of the row labels, in rows of the frame."""
    index = frame.index
    values = index.get_level_values(level) if index.nlevels > 1 else index
    return values.to_series().reset_index(drop=True).to_device(frame.device).with_index(index)


class _Base:
    """What groups of frames and of series share."""

    __slots__ = ()

    def __new__(cls, *args, **kwargs):
        raise make("TypeError", f"{cls.__name__} has no constructor: groupby and resample make them")

    def __setattr__(self, name, value):
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


class _FrameGroups(_Base):
    # The labels of columns of `_frame` have one level, and `_levels` are the names of those that they had.
    __slots__ = ("_native", "_frame", "_keys", "_options", "_chosen", "_names", "_own", "_by", "_levels")

    def __getitem__(self, key, /):
        if builtins.len(self._levels) > 1:
            key = self._of_levels(key)
        if isinstance(key, tuple) and key not in self._frame:
            raise _error("ValueError", "group_by", "several columns are chosen by a list of labels")
        if not isinstance(key, builtins.list) and hasattr(key, "tolist") and getattr(key, "shape", ()) != ():
            key = key.tolist()
        labels = key if isinstance(key, builtins.list) else [key]
        of = self
        # A key that is a value too would be there twice in results.
        if self._names is None and any(label in self._own_labels() for label in labels):
            of = self._hiding("group_by")
        made = of._native[key]
        chosen = _set(
            GroupBy, _native=made if isinstance(key, builtins.list) else of._native[labels], _frame=of._frame, _keys=of._keys,
            _options=of._options, _chosen=builtins.list(labels), _names=of._names, _own=of._own, _by=of._by, _levels=of._levels,
        )
        if isinstance(key, builtins.list):
            return chosen
        return _set(SeriesGroupBy, _native=made, _groups=chosen, _name=key)

    def _of_levels(self, key):
        """The whole labels that a label, or some, of the first levels stand for."""
        if isinstance(key, builtins.list):
            return _expanded(self._leveled(self._frame[:0]), key, "group_by")
        return key if key in self._frame else _expanded(self._leveled(self._frame[:0]), [key], "group_by")

    def _leveled(self, made):
        """Rows or a result with the levels of the labels of columns that the frame has."""
        if not isinstance(made, DataFrame):
            return made
        if builtins.len(self._levels) > 1:
            return in_levels(made, self._levels) if any(isinstance(label, tuple) for label in made.columns) else _named(made, [None])
        labels = made.columns
        if any(isinstance(label, tuple) for label in labels):
            is_new = all(isinstance(label, tuple) for label in labels) and not all(label in self._frame for label in labels)
            return in_levels(made, self._levels) if is_new else made
        if self._levels == [None]:
            return made
        own = self._own_labels()
        return in_levels(made, self._levels, all(label in self._frame or label in own for label in labels))

    def __iter__(self):
        return iter([(self._as_key(key), self._leveled(self._picked(part))) for key, part in self._narrow()])

    def _as_key(self, key):
        """A key as pandas gives it: of a list of one key a tuple."""
        return (key,) if self._by and self._by["is_list"] and not isinstance(key, tuple) else key

    def _own_labels(self):
        """The labels of keys that are columns."""
        if self._names is not None:
            return self._own
        made = []
        for key in self._keys:
            if isinstance(key, Series):
                continue
            made.append(key if _is_label(key) else _GROUP_BY(self._frame[:0], key).len().columns[0])
        return made

    def _columns(self):
        """The columns that were chosen, or those that are no keys."""
        if self._chosen is not None:
            return builtins.list(self._chosen)
        own = self._own_labels()
        return [label for label in self._frame.columns if label not in own]

    def _key_series(self, operation):
        """The keys as series, and their names."""
        keys, names = [], []
        for key in self._keys:
            if isinstance(key, Grouper):
                raise _error("NotImplementedError", operation, "bins of time as a key are not implemented here: make a column of them")
            if isinstance(key, Expr):
                made = self._frame.select(key)
                values = made[made.columns[0]]
            else:
                values = key if isinstance(key, Series) else self._frame[key]
            keys.append(values)
            names.append(values.name if isinstance(key, Series) else values.name)
        level = self._options["level"]
        for one in () if level is None else level if isinstance(level, builtins.list) else [level]:
            keys.append(level_values(self._frame, one))
            names.append(self._frame.index.names[one] if isinstance(one, int) else one)
        return keys, names

    def _hiding(self, operation):
        """The same groups by series of other names, so that a column may have the name of a key."""
        keys, names = self._key_series(operation)
        return grouped(self._frame, keys, self._options | {"level": None}, names, self._by, self._own_labels(), self._levels)

    def _compiled(self, frame):
        """Compiled groups of other columns, by the same keys."""
        options = self._options if self._names is None else self._options | {"as_index": True}
        return _GROUP_BY(frame, *self._keys, **options)

    def _narrow(self):
        """Compiled groups of no more columns than are chosen and the keys need."""
        if self._chosen is None or any(isinstance(key, (Expr, Grouper)) for key in self._keys):
            return self._native
        needed = dict.fromkeys([*self._chosen, *(key for key in self._keys if _is_label(key))])
        return self._compiled(self._frame[builtins.list(needed)])

    def _picked(self, made):
        """The chosen columns of rows."""
        return made if self._chosen is None else made[self._chosen]

    def _finished(self, made):
        """A result with the names of the keys."""
        if self._names is None and isinstance(made, (DataFrame, Series)):
            return self._without_name_of_bins(made)
        if self._names is None or not isinstance(made, (DataFrame, Series)):
            return made
        count = builtins.len(self._names)
        names = builtins.list(made.index.names)
        if names[:count] != [_HIDDEN.format(place) for place in builtins.range(count)]:
            return made
        made = made.with_index(_renamed_index(made.index, [*self._names, *names[count:]]))
        return made if self._options["as_index"] else self._with_keys(made, count)

    def _without_name_of_bins(self, made):
        """A result of `groupby`, whose bins of row labels without a name have none, as in pandas."""
        if not self._by or not self._options["as_index"] or made.index.names[: builtins.len(self._keys)].count("index") == 0:
            return made
        names = builtins.list(made.index.names)
        for place, key in enumerate(self._keys):
            if isinstance(key, Grouper) and key.key is None and names[place] == "index" and self._frame.index.names == [None]:
                names[place] = None
        return made if names == builtins.list(made.index.names) else made.with_index(_renamed_index(made.index, names))

    def _with_keys(self, made, count):
        """The keys as columns, where no column has their name."""
        index = made.index
        frame = made.to_frame() if isinstance(made, Series) else made
        columns = {}
        for place, name in enumerate(self._names):
            label = name if name is not None else "index" if count == 1 else f"level_{place}"
            if label not in frame:
                columns[label] = level_values(made, place).reset_index(drop=True)
        columns |= {label: frame[label].reset_index(drop=True) for label in frame.columns}
        rest = [index.get_level_values(place).to_series().reset_index(drop=True) for place in builtins.range(count, index.nlevels)]
        if not rest:
            return DataFrame(columns)
        names = index.names[count:]
        labels = Index(rest[0]).rename(names[0]) if builtins.len(rest) == 1 else Index.from_arrays(rest, builtins.list(names))
        return DataFrame(columns).with_index(labels)


class _ColumnGroups(_Base):
    __slots__ = ("_native", "_groups", "_name")

    def _finished(self, made):
        return self._groups._finished(made)


class _Bins(_Base):
    __slots__ = ("_native", "_source", "_arguments", "_chosen")

    def __getitem__(self, key, /):
        return _set(Resampler, _native=self._native[key], _source=self._source, _arguments=self._arguments, _chosen=key)

    def _finished(self, made):
        return self._source._finished(made) if isinstance(self._source, (GroupBy, SeriesGroupBy)) else made


def _public(name, base):
    """A class with the name and the text of a compiled one, whose methods its base passes on."""
    of_compiled = type(f"_Compiled{name}", (base,), {"__slots__": ()})
    return type(name, (of_compiled,), {"__slots__": (), "__module__": "columnade", "__doc__": _COMPILED[name].__doc__})


if TYPE_CHECKING:
    from .._columnade import GroupBy as GroupBy, Resampler as Resampler, SeriesGroupBy as SeriesGroupBy
else:
    GroupBy = _public("GroupBy", _FrameGroups)
    SeriesGroupBy = _public("SeriesGroupBy", _ColumnGroups)
    Resampler = _public("Resampler", _Bins)


def grouped(frame, keys, options, names=None, by=None, own=(), levels=None):
    """Groups of a frame: with `names` the keys are series, which have these names in results, and the columns `own` are no values.
    `by` says what pandas has besides, and `levels` the names of the levels of labels of columns, where the frame's are of one.
    """
    if levels is None:
        levels = builtins.list(frame._level_names)
        if builtins.len(levels) > 1:
            # Names of keys and of aggregates have other parts than labels of levels.
            frame = frame._with_level_names([None])
    if names is not None:
        keys = [key.rename(_HIDDEN.format(place)) for place, key in enumerate(keys)]
        made = _GROUP_BY(frame, *keys, **options | {"as_index": True, "level": None})
        if own:
            made = made[[label for label in frame.columns if label not in own]]
    else:
        made = _GROUP_BY(frame, *keys, **options)
    flat = []
    for key in keys:
        flat += key if isinstance(key, builtins.list) else [key]
    return _set(
        GroupBy, _native=made, _frame=frame, _keys=tuple(flat), _options=options, _chosen=None, _names=names,
        _own=builtins.list(own), _by=by or {}, _levels=levels,
    )


def stacked(groups, function):
    """The rows that a function makes of those of each group, one group after the other, under the keys."""
    if not isinstance(groups, GroupBy):
        made = _COMPILED["SeriesGroupBy"].apply(groups._native, function)
        return groups._finished(made.to_device(groups._groups._frame.device))
    made = _COMPILED["GroupBy"].apply(groups._narrow(), lambda rows: function(groups._leveled(rows)))
    return groups._finished(made.to_device(groups._frame.device))


def _like(method, passed, kind):
    """A function with the name, the signature and the text of a compiled method."""
    method.__name__, method.__qualname__, method.__doc__ = passed.__name__, f"{kind}.{passed.__name__}", passed.__doc__
    # A signature is read there when it is asked for: to parse all takes a third of the time of the package's import.
    method.__wrapped__ = passed
    return method


def _passed_on(kind, name, passed):
    def method(self, *args, **kwargs):
        return self._finished(passed(self._native, *args, **kwargs))

    return _like(method, passed, kind.__name__)


def _picking(kind, name, passed):
    """A method that returns rows: only their chosen columns."""

    def method(self, *args, **kwargs):
        return self._picked(self._finished(passed(self._narrow(), *args, **kwargs)))

    return _like(method, passed, kind.__name__)


def _windows(kind, passed):
    """Windows of groups, which know what they are of."""

    def method(self, *args, **kwargs):
        made = passed(self._native, *args, **kwargs)
        groups = self if isinstance(self, GroupBy) else self._groups
        if isinstance(self, GroupBy) and (self._chosen is not None or self._own):
            import inspect

            given = inspect.signature(passed).bind(self._native, *args, **kwargs).arguments
            made = made[[label for label in self._columns() if label != given.get("on") and label not in self._own]]
        made._groups, made._arguments = self, (passed.__name__, args, kwargs)
        if groups._names is not None or groups._levels != [None]:
            made._finish = lambda result: groups._leveled(groups._finished(result))
        return made

    return _like(method, passed, kind.__name__)


def bins_of(kind, passed):
    """Has a method make bins of time that know what they are of."""

    def method(self, *args, **kwargs):
        import inspect

        rows = self._native if isinstance(self, _Base) else self
        made = passed(rows, *args, **kwargs)
        given = inspect.signature(passed).bind(rows, *args, **kwargs)
        given.apply_defaults()
        arguments = dict(builtins.list(given.arguments.items())[1:])
        chosen = self._name if isinstance(self, SeriesGroupBy) else self._chosen if isinstance(self, GroupBy) else None
        if isinstance(self, GroupBy) and (chosen is not None or self._own):
            made = made[[label for label in self._columns() if label != arguments.get("on")]]
        return _set(Resampler, _native=made, _source=self, _arguments=arguments, _chosen=chosen)

    return _like(method, passed, kind.__name__)


def finishing(method):
    """Has windows of groups give their results the names of the keys."""

    @functools.wraps(method)
    def finished(self, *args, **kwargs):
        made = method(self, *args, **kwargs)
        finish = self.__dict__.get("_finish")
        return made if finish is None else finish(made)

    return finished


def _filter(self, condition):
    return self._picked(self._finished(_COMPILED["GroupBy"].filter(self._native, condition)))


def _passed(kind, name, method):
    """The method of groups or bins for one of the compiled class."""
    if name in ("rolling", "expanding"):
        return _windows(kind, method)
    if name == "resample":
        return bins_of(kind, method)
    if name == "filter" and kind is GroupBy:
        return _like(_filter, method, "GroupBy")
    if name in _ROWS and kind is GroupBy:
        return _picking(kind, name, method)
    return _passed_on(kind, name, method)


def _in_levels(self, made, method, args, kwargs):
    """A result of groups with the levels of labels of columns that their frame has."""
    if not isinstance(made, DataFrame):
        return made
    return self._leveled(made) if isinstance(self, GroupBy) else _of_one(self._groups, made)


def _of_one(groups, made):
    """A frame that groups of one column gave: its labels are names of aggregates, or those of the keys and the column."""
    own = groups._own_labels()
    return groups._leveled(made) if all(label in groups._frame or label in own for label in made.columns) else _named(made, [None])


_ROWS = ("head", "tail", "nth", "get_group", "sample")
for _kind in (GroupBy, SeriesGroupBy, Resampler):
    for _method, _compiled in builtins.list(vars(_COMPILED[_kind.__name__]).items()):
        if not _method.startswith("__"):
            setattr(_kind.__base__, _method, _passed(_kind, _method, _compiled))
    setattr(native, _kind.__name__, _kind)
del _kind, _method, _compiled
for _class in (GroupBy, SeriesGroupBy):
    complete(_class, None, _in_levels)
del _class
