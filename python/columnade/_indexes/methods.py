"""Order, sets, joins, arithmetic and comparisons of row labels, and what they say of themselves."""

from __future__ import annotations

import builtins
import operator
import re

from .._accessors.times import local_of_repeated
from .._arguments import renamed
from .._columnade import DataFrame, Index, Series
from .._common import _choice, _error, _is_first, _keyed, _level, _place, _plain
from .._install import compiled, install, like, methods
from .._times.offsets import _PLAIN, _exact, _is_offset, _moved
from .._times.labels import time_of
from .._frames.reindex import _of_level
from .._frames.sort import _order
from .._values import zone_of, zone_text


_INDEX = {
    name: compiled(Index, name) for name in (
        "difference", "intersection", "join", "sort_values", "symmetric_difference", "to_frame", "to_series", "union", "unique",
    )
}


_CONVERTED, _LOCAL = compiled(Index, "tz_convert"), compiled(Index, "tz_localize")


def _positions(index):
    """The positions of labels, under these."""
    return Series(builtins.list(range(builtins.len(index))), dtype="int64").with_index(index)


def _other(other, name=None):
    if isinstance(other, Index):
        return other
    made = Index(other)
    return made if made.nlevels > 1 else made.rename(name)


def _combined(self, name, other, sort):
    """Labels of two indexes, in order or in that of their first appearance."""
    _choice(sort, (None, False, True), "sort", name)
    if self.nlevels == 1:
        other = _other(other, self.name)
    made = _INDEX[name](self, other)
    if sort is None:
        return made
    if sort:
        return _INDEX["sort_values"](made, True, False)
    known = self.append(_other(other)).drop_duplicates()
    return made.take(_positions(known).reindex(made).argsort())


@methods(Index)
class _OfIndexes:
    """Methods of row labels."""

    def sort_values(self, ascending=True, nulls_first=None, return_indexer=False, na_position=None, key=None):
        """The labels in order, with null at the end or with na_position="first" at the start; with `return_indexer` a pair with their
        positions of before. `key` is a function of the labels.
        """
        operation = "sort_values"
        first = _is_first(na_position, nulls_first, operation)
        if key is None and not return_indexer:
            return _INDEX[operation](self, ascending, first)
        if key is None:
            keys = [_level(self, place) for place in range(self.nlevels)]
        else:
            made = key(self)
            keys = [_level(made, place) for place in range(made.nlevels)] if isinstance(made, Index) else [_keyed(None, made, operation)]
        if any(builtins.len(values) != builtins.len(self) for values in keys):
            raise _error("ValueError", operation, f"key gives {builtins.len(keys[0])} values for {builtins.len(self)} labels")
        order = _plain(_order(keys, ascending, first))
        return (self.take(order), order) if return_indexer else self.take(order)

    def union(self, other, sort=None):
        """The labels of both, in order; sort=False gives them in the order of their first appearance."""
        return _combined(self, "union", other, sort)

    def intersection(self, other, sort=False):
        """The labels that both have, in the order of these; sort=True sorts them, and sort=None unless both are equal."""
        other = _other(other, self.name) if self.nlevels == 1 else other
        made = _INDEX["intersection"](self, other)
        _choice(sort, (None, False, True), "sort", "intersection")
        is_sorted = sort or (sort is None and not self.equals(other))
        return _INDEX["sort_values"](made, True, False) if is_sorted else made

    def difference(self, other, sort=None):
        """The labels that the other does not have, in order; sort=False keeps the order of these."""
        return _combined(self, "difference", other, sort)

    def symmetric_difference(self, other, result_name=None, sort=None):
        """The labels that one of both has, in order; sort=False gives them in the order of their first appearance."""
        made = _combined(self, "symmetric_difference", other, sort)
        return made if result_name is None else made.rename(result_name)

    def join(self, other, how="left", level=None, return_indexers=False, sort=False):
        """The labels of a join of both; with `return_indexers` a tuple with their positions in each too. `sort` puts them in order."""
        if level is not None:
            raise _error("NotImplementedError", "join", "level is not implemented")
        names = builtins.list(other.names if how == "right" and isinstance(other, Index) else self.names)
        labels, left, right = _INDEX["join"](self, other, how)
        if labels.nlevels == builtins.len(names):
            labels = labels.rename(names)
        if sort:
            labels, order = labels.sort_values(return_indexer=True)
            left, right = (_plain(part.take(order)) for part in (left, right))
        return (labels, left, right) if return_indexers else labels

    def slice_indexer(self, start=None, end=None, step=None):
        """The slice of positions from one label to another, which both belong to it."""
        return slice(*self.slice_locs(start, end, step), step)

    def to_frame(self, index=True, name=None):
        """The labels as columns, one a level, with themselves as row labels or with index=False with 0, 1, …; `name` has other labels of
        the columns.
        """
        made = _INDEX["to_frame"](self)
        if name is not None:
            is_several = isinstance(name, builtins.list) or isinstance(name, tuple) and self.nlevels > 1
            names = builtins.list(name) if is_several else [name]
            if builtins.len(names) != self.nlevels:
                raise _error("ValueError", "to_frame", f"name has {builtins.len(names)} names for {self.nlevels} levels")
            made = DataFrame({new: _plain(made[old]) for new, old in zip(names, made.columns)}).with_index(made.index)
        return made if index else made.reset_index(drop=True)

    def to_series(self, index=None, name=None):
        """The labels as a series, with themselves or others as row labels."""
        made = _INDEX["to_series"](self)
        if index is not None:
            labels = _other(index)
            if builtins.len(labels) != builtins.len(self):
                raise _error("ValueError", "to_series", f"index has {builtins.len(labels)} labels for {builtins.len(self)} values")
            made = made.with_index(labels)
        return made if name is None else made.rename(name)

    def unique(self, level=None):
        """The distinct labels, or those of a level."""
        return _INDEX["unique"](self if level is None else self.get_level_values(_place(self, level, "unique")))

    def reindex(self, target, method=None, level=None, limit=None, tolerance=None):
        """Other labels, and their positions here, or None where they are the same. With `level` the labels whose label of a level is one
        of some.
        """
        if level is None or self.nlevels == 1:
            if level is not None:
                raise _error("NotImplementedError", "reindex", "level is not implemented")
            labels = _other(target, self.name if self.nlevels == 1 else None)
            if self.nlevels > 1 and labels.nlevels == self.nlevels and not isinstance(target, Index):
                labels = labels.rename(builtins.list(self.names))
            return labels, None if self.equals(labels) else self.get_indexer(labels, method, limit, tolerance)
        own = Series(Index.range(0, builtins.len(self)).to_series().reset_index(drop=True)).with_index(self)
        made = _of_level(own, target, level, "reindex")
        return made.index, _plain(made).rename(None)

    def groupby(self, values):
        """The labels by the value in the same place, as a dictionary."""
        keys = _plain(values)
        if builtins.len(keys) != builtins.len(self):
            raise _error("ValueError", "groupby", f"there are {builtins.len(keys)} values for {builtins.len(self)} labels")
        return {key: self.take(_plain(keys[keys == key].index)) for key in keys.drop_nulls().unique().sort_values().to_list()}

    def asof(self, label):
        """The last label that is not greater, or None."""
        if not self.is_monotonic_increasing:
            raise _error("ValueError", "asof", "the labels are not sorted")
        place = self.searchsorted(label, side="right")
        return self[place - 1] if place else None

    def get_slice_bound(self, label, side):
        """The position at which a slice from a label (side "left") starts, or one to it ("right") ends."""
        _choice(side, ("left", "right"), "side", "get_slice_bound")
        return self.slice_locs(label, None)[0] if side == "left" else self.slice_locs(None, label)[1]

    def is_(self, other):
        """Whether this is the same object."""
        return self is other

    def ravel(self):
        """The labels themselves."""
        return self

    def infer_objects(self, copy=True):
        """The labels themselves: they have a dtype."""
        return self

    def mean(self):
        """The mean of labels that are numbers or times."""
        return _level(self, 0).mean()

    def std(self, ddof=1):
        """The standard deviation of labels that are numbers or times."""
        return _level(self, 0).std(ddof=ddof)

    @property
    def asi8(self):
        """Labels that are times as an array of whole numbers in their unit."""
        if self.kind not in ("datetime", "timedelta"):
            raise AttributeError(f"labels of kind {self.kind} have no asi8")
        return _level(self, 0).cast("int64").to_numpy()

    @property
    def inferred_type(self):
        """The kind of the labels, as pandas calls it."""
        kinds = {"datetime": "datetime64", "timedelta": "timedelta64", "categorical": "categorical", "interval": "interval"}
        if self.nlevels > 1:
            return "mixed"
        if self.kind in kinds:
            return kinds[self.kind]
        words = {
            "utf8": "string", "bool": "boolean", "date32": "date", "float": "floating", "int": "integer", "uint": "integer",
            "decimal": "decimal", "dictionary": "categorical",
        }
        text = builtins.str(self.dtype)
        return next((word for start, word in words.items() if text.startswith(start)), "mixed")

    @property
    def tzinfo(self):
        """The zone of labels that are times, or None."""
        return None if self.tz is None else zone_of(self.tz)

    def tz_convert(self, tz):
        """The same instants in another zone; with None in UTC, without a zone."""
        if tz is None:
            return _CONVERTED(self, "UTC").tz_localize(None)
        return _CONVERTED(self, zone_text(tz))

    def tz_localize(self, tz, ambiguous="raise", nonexistent="raise"):
        """Local times as those of a zone; with None without their zone. Times that clocks show twice or skip are errors, or what
        `ambiguous` and `nonexistent` say.
        """
        if tz is None and self.kind == "datetime" and self.tz is None:
            return self
        if tz is not None and (ambiguous == "infer" if isinstance(ambiguous, builtins.str) else hasattr(ambiguous, "__len__")):
            made = local_of_repeated(_level(self, 0), zone_text(tz), ambiguous, "null" if nonexistent == "NaT" else nonexistent, "tz_localize")
            return Index(made).rename(self.name)
        ambiguous, nonexistent = ("null" if isinstance(given, builtins.str) and given == "NaT" else given for given in (ambiguous, nonexistent))
        return _LOCAL(self, None if tz is None else zone_text(tz), ambiguous, nonexistent)

    def to_pydatetime(self):
        """Labels that are times as an array of `datetime`."""
        import numpy

        if self.kind != "datetime":
            raise _error("TypeError", "to_pydatetime", f"the labels are times, not {self.dtype}")
        made = numpy.empty(builtins.len(self), dtype=object)
        made[:] = self.to_list()
        return made

    def as_unit(self, unit):
        """Labels that are times or durations in another unit: "s", "ms", "us" or "ns"."""
        _choice(unit, ("s", "ms", "us", "ns"), "unit", "as_unit")
        if self.kind not in ("datetime", "timedelta"):
            raise _error("TypeError", "as_unit", f"the labels are times or durations, not {self.dtype}")
        dtype = re.sub(r"\[\w+", f"[{unit}", builtins.str(self.dtype))
        return Index(_level(self, 0).cast(dtype)).rename(self.name)

    def indexer_at_time(self, time):
        """The positions of the times that have a time of day."""
        return _plain(_positions(self).at_time(time))

    def indexer_between_time(self, start_time, end_time, include_start=True, include_end=True):
        """The positions of the times whose times of day are between two."""
        inclusive = {(True, True): "both", (True, False): "left", (False, True): "right", (False, False): "neither"}
        return _plain(_positions(self).between_time(start_time, end_time, inclusive[bool(include_start), bool(include_end)]))


class _Strings:
    """Functions of strings of labels: what is as long as these are labels again, and truths are an array."""

    def __init__(self, index):
        self._index = index
        self._strings = _level(index, 0).str

    def __dir__(self):
        return dir(self._strings)

    def __getitem__(self, key):
        return _labels_or_truths(self._index, self._strings[key])

    def __getattr__(self, name):
        method = getattr(self._strings, name)

        def call(*arguments, **options):
            return _labels_or_truths(self._index, method(*arguments, **options))

        call.__name__, call.__doc__ = name, method.__doc__
        return call


def _labels_or_truths(index, made):
    if not isinstance(made, Series) or builtins.len(made) != builtins.len(index):
        return made
    return made.fill_null(False).to_numpy() if made.dtype == "bool" else Index(_plain(made)).rename(index.name)


def _operand(other):
    return _level(other, 0) if isinstance(other, Index) else _plain(other) if isinstance(other, Series) else other


# Operators that move times by an offset or a duration with nanoseconds.
_SIGNS = {"__add__": 1, "__radd__": 1, "__sub__": -1}


def _moved_by(index, other, sign, dunder):
    """Labels that are times moved by what moves them, None for other operands."""
    values = _level(index, 0)
    if _is_offset(other):
        return Index(_moved(values, other, sign, dunder.strip("_"))).rename(index.name)
    if _exact(other) is not None:
        return Index(values + other if sign > 0 else values - other).rename(index.name)
    return None


def _of_range(index, other, operate, is_reversed):
    """A range that a whole number is added to or taken from, or by which it is multiplied, as a range; None for what is none."""
    if index.kind != "range" or not isinstance(other, int) or operate not in (operator.add, operator.sub, operator.mul):
        return None
    start, stop, step = index.bounds
    if operate is operator.mul:
        made = (start * other, stop * other, step * other)
    elif operate is operator.add:
        made = (start + other, stop + other, step)
    else:
        made = (other - start, other - stop, -step) if is_reversed else (start - other, stop - other, step)
    # Beyond 64 bits labels wrap around, as those of other kinds do.
    return Index.range(*made).rename(index.name) if made[2] and all(-2**63 <= part < 2**63 for part in made) else None


def _operator(name, dunder, is_reversed):
    operate = getattr(operator, name)

    def method(self, other, /):
        range_of = _of_range(self, other, operate, is_reversed)
        if range_of is not None:
            return range_of
        sign = None if type(other) in _PLAIN or self.nlevels > 1 else _SIGNS.get(dunder)
        moved = None if sign is None else _moved_by(self, other, sign, dunder)
        if moved is not None:
            return moved
        if self.nlevels > 1 or isinstance(other, Index) and other.nlevels > 1:
            raise _error("TypeError", name, "labels of several levels have no arithmetic: take one with get_level_values")
        if isinstance(other, DataFrame):
            return NotImplemented
        left, right = _level(self, 0), _operand(other)
        made = operate(right, left) if is_reversed else operate(left, right)
        return Index(_plain(made)).rename(self.name) if isinstance(made, Series) else made

    method.__name__, method.__qualname__ = dunder, f"Index.{dunder}"
    method.__doc__ = f"`{name}` of the labels and a value, or of labels in the same place: labels."
    return method


def _comparison(name):
    compare = getattr(operator, name)

    def method(self, other, /):
        if self.nlevels > 1 or isinstance(other, Index) and other.nlevels > 1:
            raise _error("TypeError", name, "labels of several levels are compared by equals() or identical()")
        if isinstance(other, DataFrame):
            return NotImplemented
        if name in ("eq", "ne") and isinstance(other, builtins.str):
            other = time_of(self, other)
        values = other if isinstance(other, (Index, Series, builtins.list)) or (hasattr(other, "shape") and other.shape != ()) else None
        if values is not None and builtins.len(values) != builtins.len(self):
            raise _error("ValueError", name, f"{builtins.len(self)} and {builtins.len(values)} labels are not compared")
        made = compare(_level(self, 0), _plain(values) if values is not None else other)
        return made.fill_null(name == "ne").to_numpy()

    method.__name__, method.__qualname__ = f"__{name}__", f"Index.__{name}__"
    method.__doc__ = f"`{name}` of each label and a value, or of labels in the same place: an array. Null is unlike everything."
    return method


for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    install(Index, f"__{_name}__", _comparison(_name))
for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    install(Index, f"__{_name}__", _operator(_name, f"__{_name}__", False))
    install(Index, f"__r{_name}__", _operator(_name, f"__r{_name}__", True))
del _name


def _signed(name):
    operate = getattr(operator, name)

    def method(self):
        negative = _of_range(self, -1, operator.mul, False) if operate is operator.neg else None
        if negative is not None:
            return negative
        return Index(_plain(operate(_level(self, 0)))).rename(self.name)

    method.__name__, method.__qualname__ = f"__{name}__", f"Index.__{name}__"
    method.__doc__ = f"`{name}` of each label."
    return method


install(Index, "__neg__", _signed("neg"))
install(Index, "__abs__", _signed("abs"))
install(Index, "str", property(lambda self: _Strings(self), doc=_Strings.__doc__))
install(Index, "delete", renamed(compiled(Index, "delete"), lambda self, /, loc: None, loc="positions"))
install(Index, "rename", renamed(compiled(Index, "rename"), lambda self, /, name: None, name="names"))
_STRFTIME = compiled(Index, "strftime")


def _strftime(self, format):
    if not re.search("%[zZ]", format):
        return _STRFTIME(self, format)
    return Index(_level(self, 0).dt.strftime(format)).rename(self.name)


install(Index, "strftime", renamed(like(_strftime, Index, "strftime"), lambda self, date_format: None, date_format="format"))
