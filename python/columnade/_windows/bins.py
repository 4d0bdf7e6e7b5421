"""Functions, groups and aggregates of bins of time, in the forms of pandas."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Grouper, Series, concat
from .._common import _error, _is_number, _name_of, _parts as _parts_of, _side_by_side
from .._counts import counting
from .._groups.core import GroupBy, Resampler, SeriesGroupBy, bins_of, stacked
from .._install import compiled, install, methods
from .._groups.agg import _names_of, _without_label
from .._times.offsets import takes_frequency
from .make import AGGREGATES, aggregated as _by_name


_BINS = Resampler
_SIZE, _ASFREQ, _QUANTILE = (compiled(_BINS, name) for name in ("size", "asfreq", "quantile"))
_AGGREGATES = ("sum", "mean", "median", "min", "max", "std", "var", "sem", "prod", "product", "first", "last", "count", "nunique")
_NOT_OF_NAMES = ("agg", "aggregate", "apply", "transform", "pipe", "groups", "indices")


def _is_of_groups(bins):
    return isinstance(bins._source, (GroupBy, SeriesGroupBy))


def _source(bins, operation):
    """The frame or series that bins are of."""
    if _is_of_groups(bins):
        raise _error("NotImplementedError", operation, "bins of groups do not have it: group by the keys and a Grouper")
    return bins._source


def _columns(bins):
    """The columns of bins of a frame; None of a series or of one column."""
    if isinstance(bins._source, (Series, SeriesGroupBy)) or bins._chosen is not None and not isinstance(bins._chosen, builtins.list):
        return None
    if isinstance(bins._chosen, builtins.list):
        return bins._chosen
    if _is_of_groups(bins):
        return [label for label in bins._source._columns() if label != bins._arguments["on"]]
    return [label for label in bins._source.columns if label != bins._arguments["on"]]


def _values(bins):
    """The rows of the chosen columns, or the values of one."""
    source = bins._source
    if isinstance(source, Series):
        return source
    labels = _columns(bins)
    return source[bins._chosen] if labels is None else source[labels]


def _rows(bins):
    """The rows with all columns, unless some were chosen."""
    return bins._source if bins._chosen is None else _values(bins)


def _all_bins(bins):
    return bins.size().index


def _numbers(bins, operation):
    """The number of the bin of each row, among those that have rows, and these bins among all."""
    source = _source(bins, operation)
    frame = source.to_frame("values") if isinstance(source, Series) else source
    given = bins._arguments
    by = Grouper(given["rule"], given["on"], given["closed"], given["label"], given["origin"], given["offset"])
    numbers = frame.group_by(by, sort=True, as_index=True).ngroup().reset_index(drop=True)
    sizes = bins.size()
    return numbers, sizes[sizes > 0].index


def _parts(bins, operation, values=None):
    """Each bin with its rows; bins without rows are there too."""
    numbers, _ = _numbers(bins, operation)
    values, order = _values(bins) if values is None else values, numbers.argsort()
    sizes = bins.size()
    ordered, made, start = values.take(order), [], 0
    for label, size in zip(sizes.index.to_list(), sizes.to_list()):
        made.append((label, ordered[start:start + size]))
        start += size
    return made


def _method(bins, name, operation):
    method = getattr(type(bins), name, None)
    if name.startswith("_") or name in _NOT_OF_NAMES or not builtins.callable(method):
        raise _error("ValueError", operation, f'"{name}" is no aggregate of bins')
    return getattr(bins, name)


def _named(function):
    if not builtins.callable(function):
        return function
    name = _name_of(function)
    return name if name in _AGGREGATES else function


def _series_of(made, bins, name):
    return Series(made).with_index(_all_bins(bins)).rename(name)


def _one(bins, function, args, kwargs):
    """One aggregate of bins: by name, or a function of the values of each."""
    function = _named(function)
    if isinstance(function, builtins.str):
        return _method(bins, function, "agg")(*args, **kwargs)
    if not builtins.callable(function):
        raise _error("TypeError", "agg", f"an aggregate is a name or a function, not {type(function).__name__}")
    if _is_of_groups(bins):
        return _of_groups(bins, lambda of: _one(of, function, args, kwargs))
    labels = _columns(bins)
    if labels is not None:
        return _side_by_side({label: _one(bins[label], function, args, kwargs) for label in labels})
    parts = _parts(bins, "agg")
    made = []
    for _, values in parts:
        value = _called(function, values, args, kwargs)
        if isinstance(value, (Series, DataFrame)):
            raise _error("TypeError", "agg", "the function returns a value for each bin; apply takes functions that return rows")
        made.append(value)
    return _series_of(made, bins, _values(bins).name).to_device(_values(bins).device)


def _called(function, values, args, kwargs):
    """What a function makes of the rows of a bin; null of no rows where it fails."""
    try:
        made = function(values, *args, **kwargs)
    except TypeError:
        # The largest value of none is None here, which functions do not compute with.
        if builtins.len(values):
            raise
        return None
    return made.item() if hasattr(made, "item") and hasattr(made, "dtype") and not isinstance(made, (Series, DataFrame)) else made


def _of_groups(bins, function):
    """What a function makes of such bins of the rows of each group."""
    groups, given = bins._source, bins._arguments
    labels = None if isinstance(groups, SeriesGroupBy) else groups._columns()

    def of_rows(rows):
        made = (rows if labels is None else rows[labels]).resample(**given)
        chosen = bins._chosen
        return function(made if labels is None or chosen is None or isinstance(chosen, builtins.list) else made[chosen])

    return stacked(groups, of_rows)


@methods(Resampler)
class _OfBins:
    """Methods of bins of time."""

    def __iter__(self):
        return iter(_parts(self, "iteration", _rows(self)))

    def __len__(self):
        return builtins.len(self.size())

    @property
    def groups(self):
        """The labels of the bins, each with the number of rows up to its end."""
        sizes = self.size() if not _is_of_groups(self) else _source(self, "groups")
        ends = sizes.cum_sum().to_list()
        return dict(zip(sizes.index.to_list(), ends))

    @property
    def indices(self):
        """The positions of the rows of each bin that has some: lists."""
        numbers, known = _numbers(self, "indices")
        made = {label: [] for label in known.to_list()}
        labels = builtins.list(made)
        for place, number in enumerate(numbers.to_list()):
            if number is not None:
                made[labels[number]].append(place)
        return made

    def get_group(self, name):
        """The rows of one bin, by its label."""
        numbers, known = _numbers(self, "get_group")
        labels = known.to_list()
        if isinstance(name, builtins.str):
            name = Series([name]).cast(known.to_series().dtype).to_list()[0]
        if name not in labels:
            raise _error("KeyError", "get_group", f"there is no bin with rows {name!r}")
        values = _rows(self)
        return values[(numbers == labels.index(name)).with_index(values.index)]

    def apply(self, func=None, *args, **kwargs):
        """What a function makes of the rows of each bin, or an aggregate by its name: values are a series by bin."""
        if not builtins.callable(func) or isinstance(func, Expr):
            return self.agg(func, *args, **kwargs)
        if _is_of_groups(self):
            return _of_groups(self, lambda of: of.apply(func, *args, **kwargs))
        if _columns(self) is not None:
            # As in pandas the function is one of columns, or else one of rows.
            try:
                return _one(self, func, args, kwargs)
            except (AttributeError, KeyError, TypeError):
                pass
        parts = [(label, _called(func, values, args, kwargs)) for label, values in _parts(self, "apply")]
        made = [part for _, part in parts]
        if not made or not all(isinstance(part, (Series, DataFrame)) for part in made):
            if any(isinstance(part, (Series, DataFrame)) for part in made):
                raise _error("TypeError", "apply", "the function returns rows for each bin, or a value for each")
            made = _series_of(made, self, None if _columns(self) is not None else _values(self).name)
            return made.to_device(_rows(self).device)
        if _columns(self) is not None and all(isinstance(part, Series) and part.index.equals(made[0].index) for part in made):
            # The same labels of each bin: a row of them for each.
            labels = made[0].index.to_list()
            whole, count = concat([part.rename(None) for part in made], ignore_index=True), builtins.len(labels)
            rows = builtins.range(builtins.len(made))
            columns = {label: whole.take([row * count + at for row in rows]) for at, label in enumerate(labels)}
            return _side_by_side({label: part.reset_index(drop=True) for label, part in columns.items()}).with_index(_all_bins(self))
        return concat(made)

    def size(self):
        """The number of rows of each bin."""
        made = _SIZE(self)
        name = None
        if isinstance(made, Series) and _columns(self) is None:
            name = self._source._name if isinstance(self._source, SeriesGroupBy) else _values(self).name
        return made.rename(name) if isinstance(made, Series) else made

    def transform(self, func, *args, **kwargs):
        """What a function, or an aggregate by its name, makes of each bin, in all rows of it."""
        func = _named(func)
        _source(self, "transform")
        labels = _columns(self)
        if labels is not None:
            return _side_by_side({label: self[label].transform(func, *args, **kwargs) for label in labels})
        numbers, known = _numbers(self, "transform")
        values = _values(self)
        frame = DataFrame({"value": values.reset_index(drop=True), "bin": numbers})
        made = frame.groupby("bin")["value"].transform(func, *args, **kwargs)
        return made.rename(values.name).with_index(values.index)

    @counting
    def nearest(self, limit=None):
        """The values of the nearest row at each time that a bin begins with."""
        _source(self, "nearest")
        if self._arguments["on"] is not None:
            raise _error("NotImplementedError", "nearest", "on is not implemented: make row labels of the times")
        return _values(self).reindex(self.asfreq().index, method="nearest", limit=limit)

    def asfreq(self, fill_value=None):
        """The rows whose times are those that bins begin with; nulls, or `fill_value`, where there are none."""
        made = _ASFREQ(self)
        if fill_value is None:
            return made
        _source(self, "asfreq")
        if self._arguments["on"] is not None:
            raise _error("NotImplementedError", "asfreq", "fill_value with on is not implemented")
        return _values(self).reindex(made.index, fill_value=fill_value)

    @counting
    def quantile(self, q=0.5, interpolation="linear"):
        """The value below which a share `q` of each bin lies; of a list of shares a row for each bin and share."""
        if not isinstance(q, (builtins.list, tuple)):
            return _QUANTILE(self, q, interpolation)
        parts = [_QUANTILE(self, share, interpolation) for share in q]
        if not parts:
            raise _error("ValueError", "quantile", "q is a share or a list of some")
        whole, count = concat([part.reset_index(drop=True) for part in parts], ignore_index=True), builtins.len(parts[0])
        order = [share * count + row for row in builtins.range(count) for share in builtins.range(builtins.len(parts))]
        index = parts[0].index
        if index.nlevels > 1:
            raise _error("NotImplementedError", "quantile", "a list of shares of bins of groups is not implemented")
        places = [row for row in builtins.range(count) for _ in parts]
        levels = [index.to_series().reset_index(drop=True).take(places).reset_index(drop=True), Series([*q] * count, dtype="float64")]
        return whole.take(order).with_index(native.Index.from_arrays(levels, [index.name, None]))

    def agg(self, *aggregates, **named):
        """Several aggregates: names, functions, lists of them, dictionaries by column, and `label=(column, name)`; of a column or a
        series a name gives a series.
        """
        if not aggregates and not named:
            raise _error("TypeError", "agg", "give an aggregate")
        values = [*aggregates, *named.values()]
        if any(isinstance(part, Expr) for value in values for part in (value if isinstance(value, builtins.list) else [value])):
            return _by_name(self, *aggregates, **named)
        if named and not aggregates:
            return _of_keywords(self, named)
        first, rest = aggregates[0], aggregates[1:]
        if isinstance(first, dict) and not rest and not named:
            return _of_dictionary(self, first)
        if isinstance(first, builtins.list) and not rest and not named:
            return _of_list(self, first)
        if isinstance(first, builtins.str) and any(isinstance(part, (builtins.str, builtins.list, dict)) for part in rest):
            return _by_name(self, *aggregates, **named)
        return _one(self, first, rest, named)

    aggregate = agg


def _of_list(bins, functions):
    # Those of a series are not numbered.
    names = [getattr(one, "__name__", one) for one in functions] if isinstance(bins._source, Series) else _names_of(functions)
    names = [name[0] if isinstance(name, tuple) else name for name in names]
    if builtins.len(set(names)) < builtins.len(names):
        names = _names_of(functions)
    if not names:
        raise _error("ValueError", "agg", "give an aggregate")
    functions = [_without_label(function) for function in functions]
    labels = _columns(bins)
    if labels is None:
        return _side_by_side({name: _one(bins, function, (), {}) for name, function in zip(names, functions)})
    return _together(bins, {(*_parts_of(label), name): (label, function) for label in labels for name, function in zip(names, functions)})


def _of_dictionary(bins, by_column):
    labels = _columns(bins)
    if isinstance(bins._source, Series):
        return _of_keywords(bins, by_column)
    if labels is None:
        raise _error("ValueError", "agg", "a dictionary is of the columns of a frame: new labels are given by keywords, label=name")
    for label in by_column:
        if label not in labels:
            raise _error("KeyError", "agg", f"there is no column {label!r}; there is {', '.join(map(repr, labels))}", label)
    if not by_column:
        raise _error("ValueError", "agg", "the dictionary of aggregates is empty")
    parts, has_lists = {}, any(isinstance(functions, builtins.list) for functions in by_column.values())
    for label, functions in by_column.items():
        several = functions if isinstance(functions, builtins.list) else [functions]
        for name, function in zip(_names_of(several), several):
            parts[(*_parts_of(label), name) if has_lists else label] = (label, _without_label(function))
    return _together(bins, parts)


def _of_keywords(bins, named):
    if _columns(bins) is None:
        return _side_by_side({label: _one(bins, part, (), {}) for label, part in named.items()})
    parts = {}
    for label, part in named.items():
        if type(part).__name__ == "NamedAgg":
            parts[label] = (part.column, part.aggfunc)
        elif isinstance(part, tuple) and builtins.len(part) == 2:
            parts[label] = part
        else:
            raise _error("TypeError", "agg", f"{label} is a column and an aggregate, not {part!r}")
    return _together(bins, parts)


def _together(bins, parts):
    """Aggregates of columns under labels: those by name at once."""
    parts = {label: (column, _named(function)) for label, (column, function) in parts.items()}
    if all(isinstance(function, builtins.str) and function in _AGGREGATES for _, function in parts.values()):
        made = _by_name(bins, **{f"aggregate {place}": part for place, part in enumerate(parts.values())})
        return _side_by_side({label: made[f"aggregate {place}"] for place, label in enumerate(parts)})
    return _side_by_side({label: _one(bins[column], function, (), {}) for label, (column, function) in parts.items()})


# The signatures that aggregates show.
_SHOWN: dict[str, Any] = {
    **dict.fromkeys(("mean", "median"), lambda self, /, *, numeric_only=False: None),
    **dict.fromkeys(("std", "var", "sem"), lambda self, ddof=1, *, numeric_only=False: None),
}


def _of_numbers(name):
    before = AGGREGATES.get(name) or compiled(Resampler, name)

    def method(self, *args, numeric_only=False, **options):
        if not isinstance(numeric_only, bool):
            raise _error("ValueError", name, f"numeric_only is True or False, not {numeric_only!r}")
        of = self
        if numeric_only and not _is_of_groups(self) and _columns(self) is not None:
            dtypes = self._source[:0].dtypes
            of = self[[label for label in _columns(self) if _is_number(dtypes[label]) or dtypes[label] == "bool"]]
        return before(of, *args, **options)

    method.__wrapped__ = _SHOWN[name] if name in _SHOWN else lambda self, min_count=0, *, numeric_only=False: None
    method.__name__, method.__qualname__, method.__doc__ = name, f"Resampler.{name}", before.__doc__
    install(Resampler, name, method)


for _name in ("sum", "mean", "median", "std", "var", "sem", "prod", "product", "min", "max", "first", "last"):
    _of_numbers(_name)
del _name
_kind: Any
for _kind in (DataFrame, Series):
    install(_kind, "resample", takes_frequency(bins_of(_kind, compiled(_kind, "resample")), "rule"))
for _kind in (GroupBy, SeriesGroupBy):
    install(_kind, "resample", takes_frequency(compiled(_kind, "resample"), "rule"))
del _kind
