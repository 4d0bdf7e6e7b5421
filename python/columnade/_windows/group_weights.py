"""Weights and functions of windows by group."""

from __future__ import annotations

import builtins
import math

from .. import _columnade as native
from .._columnade import DataFrame, col
from .._common import _error, _is_number, _parts, piped
from .._counts import counting
from .._groups.core import GroupBy, SeriesGroupBy, stacked
from .._install import install


_OPTIONS = ("com", "span", "halflife", "alpha", "min_periods", "adjust", "ignore_na")
_DECAYS = {
    "com": lambda com: 1 / (1 + com), "span": lambda span: 2 / (span + 1),
    "halflife": lambda halflife: 1 - math.exp(math.log(0.5) / halflife), "alpha": lambda alpha: alpha,
}


def _frame_groups(groups):
    return groups._groups if isinstance(groups, SeriesGroupBy) else groups


def weighted_sum(options, over=lambda values: values):
    """A function that gives the weighted sums of an expression, within groups where `over` says so."""
    if not options["adjust"]:
        raise _error("NotImplementedError", "sum", "adjust=False is not implemented")
    (name,) = [name for name in _DECAYS if options[name] is not None]
    alpha, least = _DECAYS[name](options[name]), builtins.max(options["min_periods"] or 0, 1)
    means = {"alpha": alpha, "adjust": True}

    def weighted(values):
        valid = values.is_not_null().cast("int64")
        so_far = over(valid.cum_sum())
        if options["ignore_na"]:
            # Weights fall from value to value.
            rows, mean = so_far, over(values.cast("float64").ewm_mean(**means, ignore_na=True))
        else:
            rows = over(native.row_number())
            mean = over(values.cast("float64").fill_null(0.0).ewm_mean(**means))
        weights = (1.0 - (1.0 - alpha) ** rows.cast("float64")) / alpha if alpha < 1 else native.lit(1.0)
        return native.when(so_far >= least).then(mean * weights).otherwise(None)

    return weighted


class GroupWeights:
    """Weights that fall from row to row of each group: results have the rows of one group after the other, under the keys."""

    __slots__ = ("_groups", "_options")

    def __init__(self, groups, options):
        given = [name for name in _DECAYS if options[name] is not None]
        if builtins.len(given) != 1:
            raise _error("ValueError", "ewm", "give one of com, span, halflife and alpha")
        self._groups, self._options = groups, options

    def __getitem__(self, key, /):
        return GroupWeights(self._groups[key], self._options)

    def _columns(self, operation):
        of = self._groups
        if isinstance(of, SeriesGroupBy):
            return [of._name]
        dtypes = of._frame[:0].dtypes
        labels = of._columns()
        for label in labels:
            if not _is_number(dtypes[label]):
                message = f"column {label!r} has dtype {dtypes[label]}, which is not supported: choose columns in brackets"
                raise _error("TypeError", operation, message)
        if not labels:
            raise _error("ValueError", operation, "there are no columns besides the keys")
        return labels

    def _order(self, operation):
        """The rows of one group after the other, and their labels under the keys."""
        groups = self._groups
        numbers = groups.ngroup().reset_index(drop=True)
        order = numbers.argsort().head(builtins.len(numbers) - numbers.null_count)
        labels = self._columns(operation)
        counts = (groups if isinstance(groups, SeriesGroupBy) else groups[labels[:1]]).expanding(1).count()
        return numbers, order.reset_index(drop=True), counts.index

    def _made(self, operation, make):
        """An expression of each column within the groups."""
        numbers, order, index = self._order(operation)
        labels = self._columns(operation)
        frame = _frame_groups(self._groups)._frame
        columns = {place: frame[label].reset_index(drop=True) for place, label in enumerate(labels)}
        rows = DataFrame({**columns, "group": numbers}).take(order)
        made = rows.select(*[make(col(place)).alias(place) for place in columns]).set_axis(labels, axis=1).with_index(index)
        return made[labels[0]] if isinstance(self._groups, SeriesGroupBy) else made

    def mean(self):
        """The weighted means."""
        return self._made("mean", lambda values: values.ewm_mean(**self._options).over("group"))

    def var(self, bias=False):
        """The weighted variances; `bias` leaves the correction for small samples out."""
        return self._made("var", lambda values: values.ewm_var(**self._options, bias=bias).over("group"))

    def std(self, bias=False):
        """The weighted standard deviations; `bias` leaves the correction for small samples out."""
        return self._made("std", lambda values: values.ewm_std(**self._options, bias=bias).over("group"))

    def sum(self):
        """The weighted sums."""
        return self._made("sum", weighted_sum(self._options, lambda values: values.over("group")))

    def _pairs(self, operation, other, pairwise, function):
        groups = self._groups
        if other is not None or pairwise is False:
            raise _error("NotImplementedError", operation, "other and pairwise=False of groups are not implemented")
        if not isinstance(groups, SeriesGroupBy):
            labels = self._columns(operation)
            return stacked(groups, lambda rows: getattr(rows[labels].ewm(**self._options), operation)())
        return self._made(operation, lambda values: getattr(values, function)(values, **self._options).over("group"))

    def cov(self, other=None, pairwise=None, bias=False):
        """The weighted covariances of each pair of columns."""
        if bias:
            raise _error("NotImplementedError", "cov", "bias=True is not implemented")
        return self._pairs("cov", other, pairwise, "ewm_cov")

    def corr(self, other=None, pairwise=None):
        """The weighted correlations of each pair of columns."""
        return self._pairs("corr", other, pairwise, "ewm_corr")

    def agg(self, func):
        """Aggregates by name: one, those of a list, or of a dictionary by column."""
        if isinstance(func, dict):
            parts = {}
            for label, names in func.items():
                for name in names if isinstance(names, builtins.list) else [names]:
                    parts[(*_parts(label), name) if isinstance(names, builtins.list) else label] = self[label].agg(name)
        elif isinstance(func, builtins.list):
            is_series = isinstance(self._groups, SeriesGroupBy)
            parts = {}
            for label in self._columns("agg"):
                of = self if is_series else self[label]
                parts |= {name if is_series else (*_parts(label), name): of.agg(name) for name in func}
        else:
            if not isinstance(func, builtins.str):
                raise _error("TypeError", "agg", f"the name of an aggregate is a string, not {type(func).__name__}")
            if func not in ("mean", "sum", "var", "std", "corr", "cov"):
                raise _error("ValueError", "agg", f'"{func}" is no aggregate; there are mean, sum, var, std, corr and cov')
            return getattr(self, func)()
        if not parts:
            raise _error("ValueError", "agg", "give the name of an aggregate")
        index = next(iter(parts.values())).index
        return DataFrame({label: part.reset_index(drop=True) for label, part in parts.items()}).with_index(index)

    aggregate = agg

    def pipe(self, func, *args, **kwargs):
        """What a function makes of them: `func(weights, …)`."""
        return piped(self, func, args, kwargs)


def ewm(
    self, com=None, span=None, halflife=None, alpha=None, min_periods=0, adjust=True, ignore_na=False, *, times=None, method="single",
):
    """Weights that fall from each row to the one before it in its group: by one of `com`, `span`, `halflife` and `alpha`."""
    if times is not None:
        raise _error("NotImplementedError", "ewm", "times is not implemented: weights fall from row to row")
    if method != "single":
        raise _error("NotImplementedError", "ewm", f'method is "single", not {method!r}')
    values = (com, span, halflife, alpha, 0 if min_periods is None else min_periods, adjust, ignore_na)
    return GroupWeights(self, dict(zip(_OPTIONS, values)))


for _kind in (GroupBy, SeriesGroupBy):
    install(_kind, "ewm", counting(ewm))
del _kind
