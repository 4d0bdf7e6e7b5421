"""Arguments of pandas for windows, weights and bins of time.

They are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins

from . import _columnade as native
from ._columnade import DataFrame, Series, col
from ._pandas import _add, _error, piped

_BY_NAME = {
    native.Rolling: (
        "sum", "mean", "median", "var", "std", "sem", "skew", "kurt", "min", "max", "count", "first", "last", "nunique", "rank",
    ),
    native.ExponentialMovingWindow: ("mean", "std", "var"),
    native.Resampler: (
        "sum", "mean", "median", "var", "std", "sem", "prod", "product", "min", "max", "count", "first", "last", "nunique", "size", "ohlc",
        "quantile",
    ),
}
for _class in (native.Rolling, native.Resampler):
    setattr(_class, "_agg", getattr(_class, "agg"))
for _name in ("std", "var", "sem", "sum", "product", "min", "max", "first", "last", "ohlc", "interpolate"):
    setattr(native.Resampler, f"_{_name}", getattr(native.Resampler, _name))
del _class, _name


def _of_name(windows, name):
    """An aggregate by its name."""
    if not isinstance(name, builtins.str):
        reason = "functions are not implemented: give the name of an aggregate" if builtins.callable(name) else f"{name!r} is no name"
        raise _error("NotImplementedError" if builtins.callable(name) else "TypeError", "agg", reason)
    known = _BY_NAME[type(windows)]
    if name not in known:
        raise _error("ValueError", "agg", f'"{name}" is no aggregate; there are {", ".join(known)}')
    return getattr(windows, name)()


def _side_by_side(parts):
    """Series as columns of a frame."""
    index = next(iter(parts.values())).index
    return DataFrame({label: part.reset_index(drop=True) for label, part in parts.items()}).with_index(index)


class _OfAll:
    """Methods of windows, weights and bins."""

    def pipe(self, func, *args, **kwargs):
        """What a function makes of them: `func(windows, …)`."""
        return piped(self, func, args, kwargs)


class _OfWindows:
    """Methods of windows and of bins of time."""

    def agg(self, *aggregates, **named):
        """Several aggregates: names, lists of names, names by column, and `label=(column, name)`; see `GroupBy.agg`. Of one column or
        a series, a name gives a series.
        """
        values = [*aggregates, *named.values()]
        nested = []
        for value in values:
            nested += value.values() if isinstance(value, dict) else value if isinstance(value, (builtins.list, tuple)) else [value]
        if any(builtins.callable(part) and not isinstance(part, native.Expr) for part in nested):
            raise _error("NotImplementedError", "agg", "functions are not implemented: give the name of an aggregate")
        if builtins.len(aggregates) == 1 and not named and isinstance(aggregates[0], builtins.str):
            return _of_name(self, aggregates[0])
        names = aggregates[0] if builtins.len(aggregates) == 1 and isinstance(aggregates[0], builtins.list) and not named else []
        if isinstance(self, native.Resampler) and names and all(isinstance(name, builtins.str) for name in names):
            parts = {name: _of_name(self, name) for name in names}
            first = next(iter(parts.values()))
            if isinstance(first, Series) and not _is_column(self):
                return _side_by_side(parts)
        return self._agg(*aggregates, **named)

    aggregate = agg


def _is_column(bins):
    """Whether bins are those of a column of a frame, and not of a series."""
    return any(isinstance(label, tuple) for label in bins._ohlc().columns)


class _OfWeights:
    """Methods of weights that fall from row to row."""

    def agg(self, aggregate):
        """Aggregates by name: of a series a series, of a list of names a frame with a column for each, called by `label_name` where
        there are several columns; of a dictionary those of some columns.
        """
        if isinstance(aggregate, dict):
            parts = {}
            for label, names in aggregate.items():
                for name in names if isinstance(names, builtins.list) else [names]:
                    parts[f"{label}_{name}" if isinstance(names, builtins.list) else label] = _of_name(self[label], name)
        elif isinstance(aggregate, builtins.list):
            parts = {}
            for name in aggregate:
                made = _of_name(self, name)
                parts |= {name: made} if isinstance(made, Series) else {f"{label}_{name}": part for label, part in made.items()}
        else:
            return _of_name(self, aggregate)
        if not parts:
            raise _error("ValueError", "agg", "give the name of an aggregate")
        return _side_by_side(parts)

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


class _OfBins:
    """Methods of bins of time."""

    std, var, sem = _spread("std", "standard deviation"), _spread("var", "variance"), _spread("sem", "standard error of the mean")
    sum, product, prod = _least("sum", "sum"), _least("product", "product"), _least("product", "product")
    min, max = _least("min", "smallest value"), _least("max", "largest value")
    first, last = _least("first", "first value that is not null"), _least("last", "last value that is not null")

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

    def interpolate(self, method="linear", *, limit=None, limit_direction="forward", limit_area=None):
        """As asfreq, with nulls in columns of numbers replaced by numbers on the line between the rows before and after, at most
        `limit` of them one after the other; those before the first value and after the last one stay null.
        """
        if method != "linear":
            raise _error("NotImplementedError", "interpolate", f'method is "linear", not {method!r}')
        if limit_direction not in (None, "forward") or limit_area not in (None, "inside"):
            raise _error("NotImplementedError", "interpolate", 'limit_direction is "forward", and limit_area "inside" or None')
        return self._interpolate() if limit is None else self.asfreq().interpolate(limit=limit)


def _windows(kind):
    """Arguments of `rolling`, `expanding` and `ewm` of a class."""
    of_rows, of_all = kind.rolling, kind.expanding

    def rolling(self, window, min_periods=None, center=False, on=None, closed=None, *, win_type=None, step=None, method="single"):
        if win_type is not None:
            raise _error("NotImplementedError", "rolling", f"win_type={win_type!r} is not implemented: all rows of a window weigh the same")
        if step not in (None, 1):
            raise _error("NotImplementedError", "rolling", f"step={step!r} is not implemented: take rows of the result, `iloc[::{step}]`")
        _single("rolling", method)
        return of_rows(self, window, min_periods, center, on, closed)

    def expanding(self, min_periods=1, *, method="single"):
        _single("expanding", method)
        return of_all(self, min_periods)

    methods = [(rolling, of_rows), (expanding, of_all)]
    if hasattr(kind, "ewm"):
        weights = kind.ewm

        def ewm(
            self, com=None, span=None, halflife=None, alpha=None, min_periods=0, adjust=True, ignore_na=False, *, times=None,
            method="single",
        ):
            if times is not None:
                raise _error("NotImplementedError", "ewm", "times is not implemented: weights fall from row to row")
            _single("ewm", method)
            return weights(self, com, span, halflife, alpha, 0 if min_periods is None else min_periods, adjust, ignore_na)

        methods.append((ewm, weights))
    for method, compute in methods:
        method.__qualname__, method.__doc__ = f"{kind.__name__}.{method.__name__}", compute.__doc__
        setattr(kind, method.__name__, method)


def _single(operation, method):
    if method != "single":
        raise _error("NotImplementedError", operation, f'method is "single", not {method!r}')


_add(_OfAll, native.Rolling, native.ExponentialMovingWindow, native.Resampler)
_add(_OfWindows, native.Rolling, native.Resampler)
_add(_OfWeights, native.ExponentialMovingWindow)
_add(_OfBins, native.Resampler)
for _kind in (DataFrame, Series, native.GroupBy, native.SeriesGroupBy):
    _windows(_kind)
del _kind
