"""Names of pandas for groups that need no Rust, and functions of Python as aggregates.

They are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Series, col, concat
from ._pandas import _add, _error, _is_number

_SHARES = {"25%": 0.25, "50%": 0.5, "75%": 0.75}
_SUMMARY = ("count", "mean", "std", "min", *_SHARES, "max")


def _summary(label):
    """Expressions of what `describe` says about a column of numbers."""
    values = col(label)
    made = {"count": values.count().cast("float64"), "mean": values.mean(), "std": values.std(), "min": values.min()}
    made |= {name: values.quantile(share) for name, share in _SHARES.items()} | {"max": values.max()}
    return [part.alias((label, name)) for name, part in made.items()]


class _OfBothGroups:
    """Methods of groups of frames and of series."""

    @property
    def ngroups(self):
        """The number of groups."""
        return builtins.len(self.size())

    def pipe(self, func, *args, **kwargs):
        """What a function makes of the groups: `func(groups, …)`."""
        return func(self, *args, **kwargs)


class _OfGroups:
    """Methods of groups of frames."""

    @property
    def groups(self):
        """The row labels of each group, by key."""
        return {key: part.index.to_list() for key, part in self}

    def describe(self):
        """Number, mean, standard deviation, extremes and quartiles of each column of numbers by group, in columns of two levels."""
        first, keys = self.first(), self.len().columns[:-1]
        labels = [label for label, dtype in first.dtypes.items() if _is_number(dtype) and dtype != "bool" and label not in keys]
        if not labels:
            raise _error("ValueError", "describe", "there are no columns of numbers")
        return self.agg(*[part for label in labels for part in _summary(label)])


class _OfSeriesGroups:
    """Methods of groups of series."""

    def describe(self):
        """Number, mean, standard deviation, extremes and quartiles of each group."""
        made = {name: getattr(self, name)() for name in ("count", "mean", "std", "min")}
        made |= {name: self.quantile(share) for name, share in _SHARES.items()} | {"max": self.max()}
        made["count"] = made["count"].cast("float64")
        return DataFrame({name: made[name].reset_index(drop=True) for name in _SUMMARY}).with_index(made["mean"].index)


def _labels(groups, operation):
    """The columns of groups of a frame."""
    keys = groups.len().columns[:-1]
    labels = [label for label in groups.first().columns if label not in keys]
    if not labels:
        raise _error("ValueError", operation, "there are no columns besides the keys")
    return labels


def _aggregated(groups, function):
    """A value of each group that a function makes of its values."""

    def value(values):
        made = function(values)
        if isinstance(made, (DataFrame, Series)):
            raise _error("TypeError", "agg", "the function returns a value for each group; apply takes functions that return rows")
        return made

    if isinstance(groups, native.SeriesGroupBy):
        return groups.apply(value)
    made = {label: groups[label].apply(value) for label in _labels(groups, "agg")}
    index = next(iter(made.values())).index
    return DataFrame({label: values.reset_index(drop=True) for label, values in made.items()}).with_index(index)


def _transformed(groups, function):
    """Values of each row, or one for all of a group, that a function makes of the values of a group."""

    def rows(values):
        made = function(values)
        if not isinstance(made, Series):
            return Series([made] * builtins.len(values)).with_index(values.index)
        if builtins.len(made) != builtins.len(values):
            reason = f"the function returned {builtins.len(made)} values for {builtins.len(values)} rows"
            raise _error("ValueError", "transform", reason)
        return made

    if not isinstance(groups, native.SeriesGroupBy):
        made = {label: _transformed(groups[label], function) for label in _labels(groups, "transform")}
        index = next(iter(made.values())).index
        return DataFrame({label: values.reset_index(drop=True) for label, values in made.items()}).with_index(index)
    # One group after the other, each in the order of its rows; rows of no group come last.
    numbers = groups.ngroup()
    order = numbers.reset_index(drop=True).argsort()
    made = groups.apply(rows)
    values = made.reset_index(drop=True)
    missing = builtins.len(numbers) - builtins.len(values)
    if missing:
        values = concat([values, Series([None] * missing)], ignore_index=True)
    return values.take(order.argsort().to_list()).rename(made.name).with_index(numbers.index)


def _taking_functions(target, name, compute):
    """Has a method take a function of Python in place of aggregates."""
    of_aggregates = getattr(target, name)

    def method(self, *aggregates, **named):
        if builtins.len(aggregates) == 1 and not named and builtins.callable(aggregates[0]):
            return compute(self, aggregates[0])
        return of_aggregates(self, *aggregates, **named)

    method.__name__ = name
    method.__qualname__ = f"{target.__name__}.{name}"
    method.__doc__ = of_aggregates.__doc__
    setattr(target, name, method)


_add(_OfBothGroups, native.GroupBy, native.SeriesGroupBy)
_add(_OfGroups, native.GroupBy)
_add(_OfSeriesGroups, native.SeriesGroupBy)
for _kind in (native.GroupBy, native.SeriesGroupBy):
    _taking_functions(_kind, "agg", _aggregated)
    _taking_functions(_kind, "aggregate", _aggregated)
    _taking_functions(_kind, "transform", _transformed)
del _kind
