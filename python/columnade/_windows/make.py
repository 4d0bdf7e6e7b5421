"""Windows, weights and bins of time with the arguments of pandas, and their aggregates by name."""

from __future__ import annotations

import builtins
import types

from .. import _columnade as native
from .._columnade import DataFrame, Series, col
from .._common import _error, _is_number, _name_of, _parts, _plain, _side_by_side, is_unnamed, piped, with_names_of
from .._counts import counting
from .._groups.core import GroupBy, Resampler, SeriesGroupBy, finishing
from .._install import compiled, complete, install, keep, like, methods
from .._times.offsets import _frequency


_BY_NAME = {
    native.Rolling: (
        "sum", "mean", "median", "var", "std", "sem", "skew", "kurt", "min", "max", "count", "first", "last", "nunique", "rank",
    ),
    native.ExponentialMovingWindow: ("mean", "std", "sum", "var"),
    Resampler: (
        "sum", "mean", "median", "var", "std", "sem", "prod", "product", "min", "max", "count", "first", "last", "nunique", "size", "ohlc",
        "quantile",
    ),
}
install(native.Rolling, "_agg", finishing(compiled(native.Rolling, "agg")))
keep(Resampler, "agg", "std", "var", "sem", "sum", "product", "min", "max", "first", "last", "ohlc", "interpolate")


def _of_name(windows, name):
    """An aggregate by its name."""
    if builtins.callable(name) and isinstance(windows, native.Rolling):
        known = _name_of(name)
        return getattr(windows, known)() if known in _BY_NAME[native.Rolling] else windows.apply(name)
    if not isinstance(name, builtins.str):
        reason = "functions are not implemented: give the name of an aggregate" if builtins.callable(name) else f"{name!r} is no name"
        raise _error("NotImplementedError" if builtins.callable(name) else "TypeError", "agg", reason)
    known = _BY_NAME[type(windows)]
    if name not in known:
        raise _error("ValueError", "agg", f'"{name}" is no aggregate; there are {", ".join(known)}')
    return getattr(windows, name)()


@methods(native.Rolling, native.ExponentialMovingWindow, Resampler)
class _OfAll:
    """Methods of windows, weights and bins."""

    def pipe(self, func, *args, **kwargs):
        """What a function makes of them: `func(windows, …)`."""
        return piped(self, func, args, kwargs)


def aggregated(self, *aggregates, **named):
    """Several aggregates: names, lists of names, names by column, `label=(column, name)`, and expressions of aggregates; see
    `GroupBy.agg`. Of one column or a series, a name gives a series.
    """
    values = [*aggregates, *named.values()]
    nested = []
    for value in values:
        nested += value.values() if isinstance(value, dict) else value if isinstance(value, (builtins.list, tuple)) else [value]
    is_one = builtins.len(aggregates) == 1 and not named and builtins.callable(aggregates[0]) and not isinstance(aggregates[0], native.Expr)
    if is_one and isinstance(self, native.Rolling):
        return self.apply(aggregates[0])
    if any(map(_is_function, nested)):
        if isinstance(self, native.Rolling) and builtins.len(aggregates) == 1 and not named and isinstance(aggregates[0], (dict, builtins.list)):
            made = _of_lists(self, aggregates[0])
            if made is None and isinstance(aggregates[0], dict):
                made = _side_by_side({label: _of_name(self[label], part) for label, part in aggregates[0].items()})
            if made is not None:
                return made
        raise _error("NotImplementedError", "agg", "functions are not implemented: give the name of an aggregate")
    if builtins.len(aggregates) == 1 and not named and isinstance(aggregates[0], builtins.str):
        return _of_name(self, aggregates[0])
    names = aggregates[0] if builtins.len(aggregates) == 1 and isinstance(aggregates[0], builtins.list) and not named else []
    if isinstance(self, Resampler) and names and all(isinstance(name, builtins.str) for name in names):
        parts = {name: _of_name(self, name) for name in names}
        first = next(iter(parts.values()))
        if isinstance(first, Series) and not _is_column(self):
            return _side_by_side(parts)
    if builtins.len(aggregates) == 1 and not named and isinstance(self, native.Rolling) and _is_of_pandas(self):
        made = _of_lists(self, aggregates[0])
        if made is not None:
            return made
    return self._agg(*aggregates, **named)


def _is_of_pandas(windows):
    """Whether windows are not those of `group_by`, whose labels of aggregates are texts."""
    groups = windows.__dict__.get("_groups")
    groups = groups._groups if isinstance(groups, SeriesGroupBy) else groups
    return groups is None or builtins.bool(groups._by)


def _is_function(value):
    return builtins.callable(value) and not isinstance(value, native.Expr)


def _labels_of(names):
    """The labels of aggregates: their names, and those of functions."""
    made = [name if isinstance(name, builtins.str) else getattr(name, "__name__", "function") for name in names]
    twice = next((name for at, name in enumerate(made) if name in made[:at]), None)
    if twice is not None:
        raise _error("ValueError", "agg", f"two aggregates are called {twice!r}")
    return made


def _is_aggregate(value, windows):
    """Whether something of a list is an aggregate: a name, or of windows a function."""
    return isinstance(value, builtins.str) or isinstance(windows, native.Rolling) and _is_function(value)


def _of_lists(windows, given):
    """Aggregates of a list of names, or of lists of them by column, under labels with a level for the name; of one column under the names.
    None of other forms.
    """
    if isinstance(given, dict):
        if not any(isinstance(names, builtins.list) for names in given.values()):
            return None
        lists = {label: names if isinstance(names, builtins.list) else [names] for label, names in given.items()}
        if not all(_is_aggregate(name, windows) for names in lists.values() for name in names):
            return None
        return _side_by_side({
            (*_parts(label), shown): _of_name(windows[label], name)
            for label, names in lists.items() for shown, name in zip(_labels_of(names), names)
        })
    if not isinstance(given, builtins.list) or not given or not all(_is_aggregate(name, windows) for name in given):
        return None
    parts = {shown: _of_name(windows, name) for shown, name in zip(_labels_of(given), given)}
    first = next(iter(parts.values()))
    if isinstance(first, Series):
        return _side_by_side(parts)
    columns = {(*_parts(label), name): part[label].reset_index(drop=True) for label in first.columns for name, part in parts.items()}
    return DataFrame(columns).with_index(first.index)


for _name in ("agg", "aggregate"):
    install(native.Rolling, _name, aggregated)


def _with_names(self, made, method, args, kwargs):
    """A result of windows or bins with the names of the levels of the labels of columns; of windows of groups with those of the keys. Of
    windows with a step only rows at that are left, unless another method took them.
    """
    step = getattr(self, "_step", None)
    if step is not None and isinstance(made, (DataFrame, Series)) and builtins.len(made) == builtins.len(self._source):
        made = made.iloc[::step]
    if isinstance(method, types.MethodDescriptorType) and "_finish" in self.__dict__:
        made = self._finish(made)
    source = getattr(self, "_source", None)
    if not isinstance(made, DataFrame):
        return made
    if isinstance(source, GroupBy):
        return source._leveled(made)
    if not isinstance(source, DataFrame):
        return made
    if method.__name__ in ("corr", "cov"):
        known = source._level_names
        index = builtins.list(made.index.names)
        if any(name is not None for name in known) and is_unnamed(index[-builtins.len(known) :], builtins.len(known)):
            made = made.rename_axis([*index[: -builtins.len(known)], *known])
    return with_names_of(made, source)


for _windows in (native.Rolling, native.ExponentialMovingWindow, Resampler):
    complete(_windows, None, _with_names)
del _windows


def _is_column(bins):
    """Whether bins are those of a column of a frame, and not of a series."""
    return any(isinstance(label, tuple) for label in bins._ohlc().columns)


@methods(native.ExponentialMovingWindow)
class _OfWeights:
    """Methods of weights that fall from row to row."""

    def agg(self, aggregate):
        """Aggregates by name: of a series a series, of a list of names a frame with a column for each, whose labels have a level for the
        name where there are several columns; of a dictionary those of some columns.
        """
        if isinstance(aggregate, (dict, builtins.list)) and not aggregate:
            raise _error("ValueError", "agg", "give the name of an aggregate")
        made = _of_lists(self, aggregate)
        if made is not None:
            return made
        if isinstance(aggregate, builtins.list) and any(map(_is_function, aggregate)):
            raise _error("NotImplementedError", "agg", "functions are not implemented: give the name of an aggregate")
        if isinstance(aggregate, dict):
            return _side_by_side({label: _of_name(self[label], name) for label, name in aggregate.items()})
        return _of_name(self, aggregate)

    aggregate = agg

    def sum(self):
        """The weighted sums; at a null that of the values before."""
        from .group_weights import weighted_sum

        source, compute = self._source, weighted_sum(self._made_with)
        frame = source.to_frame("values") if isinstance(source, Series) else source
        labels = builtins.list(frame.columns)
        columns = {f"{place}": _plain(frame[label]) for place, label in enumerate(labels)}
        for label, values in zip(labels, columns.values()):
            if not _is_number(values.dtype):
                raise _error("TypeError", "sum", f"column {label!r} has dtype {values.dtype}, which is not supported: choose columns in brackets", label)
        made = DataFrame(columns).select(*(compute(col(name)).alias(name) for name in columns))
        parts = {label: made[name] for label, name in zip(labels, columns)}
        if isinstance(source, Series):
            return parts["values"].rename(source.name).with_index(source.index)
        return DataFrame(parts).with_index(source.index) if parts else source


def _of_columns(bins, make):
    """An aggregate of each column of bins of time."""
    known = bins.count()
    labels = [known.name] if isinstance(known, Series) else known.columns
    made = bins._agg(*[make(col(label)).alias(label) for label in labels])
    return made[labels[0]] if isinstance(known, Series) else made


def _integer(operation, name, value, least):
    if isinstance(value, bool) or not isinstance(value, int):
        raise _error("TypeError", operation, f"{name} is an integer, not {type(value).__name__}")
    if value < least:
        raise _error("ValueError", operation, f"{name} is at least {least}, and not {value}")
    return value


def _spread(name, what):
    def method(self, ddof=1):
        if _integer(name, "ddof", ddof, 0) == 1:
            return getattr(self, f"_{name}")()
        return _of_columns(self, lambda values: getattr(values, name)(ddof=ddof))

    method.__doc__ = f"The {what} of each bin, with the number of values less `ddof`."
    return method


def _least(name, what):
    def method(self, min_count=0):
        if _integer(name, "min_count", min_count, -1) < 1:
            return getattr(self, f"_{name}")()
        return _of_columns(
            self, lambda values: native.when(values.count() >= min_count).then(getattr(values, name)()).otherwise(None)
        )

    method.__doc__ = f"The {what} of each bin; null for fewer than `min_count` values."
    return method


# Aggregates of bins of time.
AGGREGATES = {
    "std": _spread("std", "standard deviation"), "var": _spread("var", "variance"), "sem": _spread("sem", "standard error of the mean"),
    "sum": _least("sum", "sum"), "product": _least("product", "product"), "prod": _least("product", "product"),
    "min": _least("min", "smallest value"), "max": _least("max", "largest value"),
    "first": _least("first", "first value that is not null"), "last": _least("last", "last value that is not null"),
}


@methods(Resampler)
class _OfBins:
    """Methods of bins of time."""

    @property
    def ngroups(self):
        """The number of bins."""
        return builtins.len(self.size())

    def ohlc(self):
        """The first, the largest, the smallest and the last value of each bin: columns open, high, low and close; of a frame for each
        of its columns, in columns of two levels.
        """
        made = self._ohlc()
        if not isinstance(self.count(), Series):
            return made
        return _side_by_side({label[-1] if isinstance(label, tuple) else label: made[label] for label in made.columns})

    @counting
    def interpolate(self, method="linear", *, limit=None, limit_direction="forward", limit_area=None):
        """As asfreq, with nulls in columns of numbers replaced by numbers on the line between the rows before and after, at most
        `limit` of them one after the other; those before the first value and after the last one stay null.
        """
        if method != "linear":
            raise _error("NotImplementedError", "interpolate", f'method is "linear", not {method!r}')
        if limit_direction not in (None, "forward") or limit_area not in (None, "inside"):
            raise _error("NotImplementedError", "interpolate", 'limit_direction is "forward", and limit_area "inside" or None')
        return self._interpolate() if limit is None else self.asfreq().interpolate(limit=limit)


def _single(operation, method):
    if method != "single":
        raise _error("NotImplementedError", operation, f'method is "single", not {method!r}')


def _remembering(made, source, kind, **options):
    """Windows that know what they are of. Those of groups know it otherwise."""
    if isinstance(source, (DataFrame, Series)):
        made._source, made._made_with = source, {"kind": kind, **options}
    return made


def _of_rows(kind):
    of_rows = compiled(kind, "rolling")

    def rolling(self, window, min_periods=None, center=False, on=None, closed=None, *, win_type=None, step=None, method="single"):
        if win_type is not None:
            raise _error("NotImplementedError", "rolling", f"win_type={win_type!r} is not implemented: all rows of a window weigh the same")
        if step is not None:
            _integer("rolling", "step", step, 1)
            if not isinstance(self, (DataFrame, Series)):
                raise _error("NotImplementedError", "rolling", "step of windows of groups is not implemented")
        _single("rolling", method)
        window = _frequency(window, "rolling")
        made = of_rows(self, window, min_periods, center, on, closed)
        if step not in (None, 1):
            made._step = step
        return _remembering(made, self, "rolling", window=window, min_periods=min_periods, center=center, on=on, closed=closed)

    return rolling


def _of_all(kind):
    of_all = compiled(kind, "expanding")

    def expanding(self, min_periods=1, *, method="single"):
        _single("expanding", method)
        return _remembering(of_all(self, min_periods), self, "expanding", min_periods=min_periods)

    return expanding


def _weighted(kind):
    weights = compiled(kind, "ewm")

    def ewm(
        self, com=None, span=None, halflife=None, alpha=None, min_periods=0, adjust=True, ignore_na=False, *, times=None,
        method="single",
    ):
        if times is not None:
            raise _error("NotImplementedError", "ewm", "times is not implemented: weights fall from row to row")
        _single("ewm", method)
        made = weights(self, com, span, halflife, alpha, 0 if min_periods is None else min_periods, adjust, ignore_na)
        options = {"com": com, "span": span, "halflife": halflife, "alpha": alpha, "min_periods": min_periods, "adjust": adjust}
        return _remembering(made, self, "ewm", **options, ignore_na=ignore_na)

    return ewm


for _kind in (DataFrame, Series, GroupBy, SeriesGroupBy):
    install(_kind, "rolling", counting(like(_of_rows(_kind), _kind, "rolling")))
    install(_kind, "expanding", counting(like(_of_all(_kind), _kind, "expanding")))
for _kind in (DataFrame, Series):
    install(_kind, "ewm", counting(like(_weighted(_kind), _kind, "ewm")))
del _kind, _name
