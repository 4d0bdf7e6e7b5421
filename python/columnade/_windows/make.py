"""Windows, weights and bins of time with the arguments of pandas, and their aggregates by name."""

from __future__ import annotations

import builtins
import types

from .. import _columnade as native
from .._columnade import DataFrame, Series, col
from .._common import _error, _parts, _side_by_side, is_unnamed, piped, with_names_of
from .._counts import counting
from .._groups.core import GroupBy, Resampler, SeriesGroupBy, finishing
from .._install import compiled, complete, install, keep, like, methods
from .._times.offsets import _frequency


_BY_NAME = {
    native.Rolling: (
        "sum", "mean", "median", "var", "std", "sem", "skew", "kurt", "min", "max", "count", "first", "last", "nunique", "rank",
    ),
    native.ExponentialMovingWindow: ("mean", "std", "var"),
    Resampler: (
        "sum", "mean", "median", "var", "std", "sem", "prod", "product", "min", "max", "count", "first", "last", "nunique", "size", "ohlc",
        "quantile",
    ),
}
install(native.Rolling, "_agg", finishing(compiled(native.Rolling, "agg")))
keep(Resampler, "agg", "std", "var", "sem", "sum", "product", "min", "max", "first", "last", "ohlc", "interpolate")


def _of_name(windows, name):
    """An aggregate by its name."""
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
    """Several aggregates: names, lists of names, names by column, and `label=(column, name)`; see `GroupBy.agg`. Of one column or
    a series, a name gives a series.
    """
    values = [*aggregates, *named.values()]
    nested = []
    for value in values:
        nested += value.values() if isinstance(value, dict) else value if isinstance(value, (builtins.list, tuple)) else [value]
    is_one = builtins.len(aggregates) == 1 and not named and builtins.callable(aggregates[0]) and not isinstance(aggregates[0], native.Expr)
    if is_one and isinstance(self, native.Rolling):
        return self.apply(aggregates[0])
    if any(builtins.callable(part) and not isinstance(part, native.Expr) for part in nested):
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


def _of_lists(windows, given):
    """Aggregates of a list of names, or of lists of them by column, under labels with a level for the name; of one column under the names.
    None of other forms.
    """
    if isinstance(given, dict):
        if not any(isinstance(names, builtins.list) for names in given.values()):
            return None
        lists = {label: names if isinstance(names, builtins.list) else [names] for label, names in given.items()}
        if not all(isinstance(name, builtins.str) for names in lists.values() for name in names):
            return None
        return _side_by_side({(*_parts(label), name): _of_name(windows[label], name) for label, names in lists.items() for name in names})
    if not isinstance(given, builtins.list) or not given or not all(isinstance(name, builtins.str) for name in given):
        return None
    twice = next((name for at, name in enumerate(given) if name in given[:at]), None)
    if twice is not None:
        raise _error("ValueError", "agg", f"two aggregates are called {twice!r}")
    parts = {name: _of_name(windows, name) for name in given}
    first = parts[given[0]]
    if isinstance(first, Series):
        return _side_by_side(parts)
    columns = {(*_parts(label), name): part[label].reset_index(drop=True) for label in first.columns for name, part in parts.items()}
    return DataFrame(columns).with_index(first.index)


for _name in ("agg", "aggregate"):
    install(native.Rolling, _name, aggregated)


def _with_names(self, made, method, args, kwargs):
    """A result of windows or bins with the names of the levels of the labels of columns; of windows of groups with those of the keys."""
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
        if isinstance(aggregate, dict):
            return _side_by_side({label: _of_name(self[label], name) for label, name in aggregate.items()})
        return _of_name(self, aggregate)

    aggregate = agg


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
        if step not in (None, 1):
            raise _error("NotImplementedError", "rolling", f"step={step!r} is not implemented: take rows of the result, `iloc[::{step}]`")
        _single("rolling", method)
        window = _frequency(window, "rolling")
        made = of_rows(self, window, min_periods, center, on, closed)
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
