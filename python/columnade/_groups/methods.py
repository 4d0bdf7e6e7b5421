"""Methods of groups in the forms of pandas: rows, numbers of groups, descriptions, and functions of the rows of a group."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _columnade as native
from .._arguments import renamed
from .._columnade import DataFrame, Expr, Series, col
from .._common import _error, _is_kind, _is_number, _list, _parts, piped
from .._counts import at_least_none, counting, limited
from .core import GroupBy, SeriesGroupBy, stacked
from .._install import compiled, install, keep, like, methods


_SHARES = (0.25, 0.5, 0.75)
_ALL = 1 << 62


def _sample(self, /, n=None, frac=None, replace=False, weights=None, random_state=None):
    """The signature of `sample`."""


_KEPT = (
    "cumcount", "ngroup", "nth", "nunique", "first", "last", "min", "max", "shift", "rank", "pct_change",
)
for _class in (GroupBy, SeriesGroupBy):
    keep(_class, *_KEPT)
    install(_class, "diff", counting(renamed(compiled(_class, "diff"), lambda self, /, periods=1: None, periods="n")))
    install(_class, "sample", counting(renamed(compiled(_class, "sample"), _sample, random_state="seed")))
del _class
keep(GroupBy, "filter", "corr")
keep(SeriesGroupBy, "value_counts", "nlargest", "nsmallest")
keep(GroupBy, "value_counts")


def _shares(operation, percentiles):
    """Quantiles by the labels that `describe` gives them."""
    shares = _SHARES if percentiles is None else percentiles
    if not isinstance(shares, (builtins.list, tuple)) or not all(isinstance(share, (int, float)) and 0 <= share <= 1 for share in shares):
        raise _error("ValueError", operation, f"percentiles are a list of numbers from 0 to 1, not {percentiles!r}")
    return {f"{share * 100:g}%": share for share in sorted(set(shares))}


def _summary(label, shares):
    """Expressions of what `describe` says about a column of numbers."""
    values = col(label)
    made = {"count": values.count(), "mean": values.mean(), "std": values.std(), "min": values.min()}
    made |= {name: values.quantile(share) for name, share in shares.items()} | {"max": values.max()}
    return [part.cast("float64").alias((*_parts(label), name)) for name, part in made.items()]


def _keys(groups):
    """The key of each group, a tuple of several."""
    sizes = groups.size()
    if isinstance(sizes, Series):
        return sizes.index.to_list()
    keys = [sizes[label].to_list() for label in sizes.columns[:-1]]
    return keys[0] if builtins.len(keys) == 1 else builtins.list(zip(*keys))


def _rows(groups):
    """The rows of all groups, and the number of the group of each."""
    numbers, rows = groups.ngroup(), groups.head(_ALL)
    return rows, _picked(numbers, numbers.notna()).reset_index(drop=True).cast("int64")


def _picked(rows, mask):
    return rows[mask.with_index(rows.index)]


def _values(groups):
    """The values of each group of a column, in the order of the keys."""
    made = []
    groups.apply(lambda values: made.append(values) or 0)
    return made


def _label(groups):
    return groups._name


def _least(operation, groups, columns, numeric_only, min_count):
    """An aggregate of each column that is null for fewer values than `min_count`."""
    labels = builtins.list(columns) if columns else _labels(groups, operation)
    if any(isinstance(label, Expr) for label in labels):
        raise _error("NotImplementedError", operation, "min_count of expressions is not implemented: give labels of columns")
    if numeric_only:
        dtypes = groups.head(0).dtypes
        labels = [label for label in labels if _is_number(dtypes[label])]
    return groups.agg(*[_valid(operation, label, min_count) for label in labels])


def _valid(operation, label, min_count):
    values = col(label)
    return native.when(values.count() >= min_count).then(getattr(values, operation)()).otherwise(None).alias(label)


def _is_default(operation, min_count):
    if isinstance(min_count, bool) or not isinstance(min_count, int):
        raise _error("TypeError", operation, f"min_count is an integer, not {type(min_count).__name__}")
    return min_count < 1


def _flags(operation, flag, name):
    if not isinstance(flag, bool):
        raise _error("ValueError", operation, f"{name} is True or False, not {flag!r}")
    return flag


def _of_function(groups, func, args, kwargs, dropna):
    """The rows of the groups for which a function is true."""
    parts = _values(groups) if isinstance(groups, SeriesGroupBy) else [rows for _, rows in groups]
    flags = []
    for part in parts:
        made = func(part, *args, **kwargs)
        made = made.item() if hasattr(made, "item") and not isinstance(made, (DataFrame, Series)) else made
        if made is not None and not isinstance(made, bool):
            raise _error("TypeError", "filter", f"the function returns True or False for each group, not {type(made).__name__}")
        flags.append(bool(made))
    rows, numbers = _rows(groups)
    mask = Series(flags, dtype="bool").to_device(rows.device).take(numbers)
    kept = _picked(rows, mask)
    if _flags("filter", dropna, "dropna"):
        return kept
    whole = groups.ngroup()
    at = DataFrame({"of": whole.reset_index(drop=True)}).select(native.row_number().alias("place"))["place"]
    frame = kept.to_frame() if isinstance(kept, Series) else kept
    labels = [f"column {place}" for place in builtins.range(builtins.len(frame.columns))]
    named = frame.reset_index(drop=True).set_axis(labels, axis=1)
    places = _picked(_picked(at, whole.notna()).reset_index(drop=True), mask).reset_index(drop=True)
    made = at.to_frame().merge(named.with_columns(place=places), on="place", how="left").sort_values("place")[labels]
    made = made.set_axis(frame.columns, axis=1).with_index(whole.index)
    return made[made.columns[0]].rename(kept.name) if isinstance(kept, Series) else made


@methods(GroupBy, SeriesGroupBy)
class _OfBothGroups:
    """Methods of groups of frames and of series."""

    def __len__(self):
        return self.ngroups

    @property
    def groups(self):
        """The row labels of each group, by key."""
        return {key: part.index.to_list() for key, (_, part) in zip(_keys(self), self)}

    @property
    def ngroups(self):
        """The number of groups."""
        return builtins.len(self.size())

    @property
    def indices(self):
        """The positions of the rows of each group, by key: arrays of numpy."""
        import numpy

        numbers = self.ngroup()
        places = numpy.flatnonzero(numbers.notna().to_numpy())
        of = numbers.drop_nulls().to_numpy()
        return {key: places[of == number] for number, key in enumerate(_keys(self))}

    def pipe(self, func, *args, **kwargs):
        """What a function makes of the groups: `func(groups, …)`, or `func(…, name=groups)` of the pair `(func, "name")`."""
        return piped(self, func, args, kwargs)

    def cumcount(self, ascending=True):
        """The number of each row within its group, from 0; with `ascending=False` from the last row."""
        counts = self._cumcount()
        if _flags("cumcount", ascending, "ascending"):
            return counts
        frame = DataFrame({"group": self.ngroup().reset_index(drop=True), "count": counts.reset_index(drop=True)})
        made = frame.select((col("count").max().over("group") - col("count")).alias("made"))["made"]
        return made.rename(counts.name).with_index(counts.index)

    def ngroup(self, ascending=True):
        """The number of each row's group, from 0, or with `ascending=False` from the last group; null where a key is null."""
        numbers = self._ngroup()
        return numbers if _flags("ngroup", ascending, "ascending") else self.ngroups - 1 - numbers

    @limited
    def nth(self, n, dropna=None):
        """Row n of each group, from 0, or from the end if it is negative; the rows of a list of positions or of a slice. With
        dropna="any" or "all" among rows without nulls.
        """
        if dropna not in (None, False, "any", "all"):
            raise _error("ValueError", "nth", f'dropna is None, "any" or "all", not {dropna!r}')
        if dropna:
            if not isinstance(n, int):
                raise _error("ValueError", "nth", "dropna goes with one position")
            rows, numbers = _rows(self)
            valid = rows.notna() if isinstance(rows, Series) else None
            if valid is None:
                parts = rows.is_not_null()
                valid = parts.any(axis=1) if dropna == "all" else parts.all(axis=1)
            left, of = _picked(rows, valid), _picked(numbers, valid).reset_index(drop=True)
            frame = DataFrame({"group": of}).with_columns((native.row_number() - 1).alias("place"))
            return left.take(sorted(frame.group_by("group").nth(n)["place"].to_list()))
        if isinstance(n, int):
            return self._nth(n)
        rows, _ = _rows(self)
        numbers = self.ngroup()
        first, last = (_picked(self.cumcount(up), numbers.notna()) for up in (True, False))
        if isinstance(n, builtins.slice):
            return _picked(rows, _within(first, last, n))
        if not isinstance(n, (builtins.list, tuple)) or not all(isinstance(place, int) for place in n):
            raise _error("TypeError", "nth", f"n is an integer, a list of integers or a slice, not {n!r}")
        after, before = [place for place in n if place >= 0], [-1 - place for place in n if place < 0]
        return _picked(rows, first.isin(after) | last.isin(before))

    @counting
    def shift(self, periods=1, freq=None, fill_value=None, suffix=None, *, n=None):
        """The values `periods` rows before in the same group; with `fill_value` where there is no such row. Of a list of periods a
        frame with a column for each, called `label_period`, or `label` and `suffix` before it.
        """
        if freq is not None:
            raise _error("NotImplementedError", "shift", "freq is not implemented")
        periods = periods if n is None else n
        if not isinstance(periods, (builtins.list, tuple, builtins.range)):
            if suffix is not None:
                raise _error("ValueError", "shift", "suffix goes with a list of periods")
            return self._shift(periods, fill_value)
        made = {}
        for count in periods:
            part = self._shift(count, fill_value)
            columns = {_label(self): part} if isinstance(part, Series) else dict(part.items())
            made |= {f"{label}{suffix or ''}_{count}": values.reset_index(drop=True) for label, values in columns.items()}
        if not made:
            raise _error("ValueError", "shift", "periods is an integer or a list of some")
        return DataFrame(made).with_index(self.ngroup().index)

    @counting
    def pct_change(self, periods=1, fill_method=None, freq=None, *, n=None):
        """The change to the value `periods` rows before in the same group, as a share of that value."""
        if fill_method is not None or freq is not None:
            raise _error("NotImplementedError", "pct_change", "fill_method and freq are None")
        return self._pct_change(periods if n is None else n)

    def rank(self, method="average", ascending=True, na_option="keep", pct=False):
        """The rank of each value within its group. Nulls have none, or with na_option "top" or "bottom" the first or the last ones."""
        if na_option not in ("keep", "top", "bottom"):
            raise _error("ValueError", "rank", f'na_option is "keep", "top" or "bottom", not {na_option!r}')
        if na_option == "keep":
            return self._rank(method, ascending, pct)
        order = self._rank("dense", ascending, False)
        columns = [order] if isinstance(order, Series) else [order[label] for label in order.columns]
        if not columns:
            return order
        of_null = 0.0 if na_option == "top" else float(builtins.len(order) + 1)
        places = {at: values.reset_index(drop=True).fill_null(of_null) for at, values in enumerate(columns)}
        groups = DataFrame({**places, "group": self.ngroup().reset_index(drop=True)}).groupby("group")
        made = groups[builtins.list(places)]._rank(method, True, pct)
        if isinstance(order, Series):
            return made[0].rename(order.name).with_index(order.index)
        return made.set_axis(order.columns, axis=1).with_index(order.index)


def _within(first, last, part):
    """Whether the place of a row in its group is in a slice."""
    step = 1 if part.step is None else part.step
    if step < 1:
        raise _error("ValueError", "nth", f"the step of a slice is positive, not {step}")
    start = 0 if part.start is None else part.start
    mask = first >= start if start >= 0 else last < -start
    if part.stop is not None:
        mask = mask & (first < part.stop if part.stop >= 0 else last >= -part.stop)
    if step > 1:
        if start < 0:
            raise _error("NotImplementedError", "nth", "a step from a negative start is not implemented")
        mask = mask & ((first - start) % step == 0)
    return mask


@methods(GroupBy)
class _OfGroups:
    """Methods of groups of frames."""

    ndim = 2

    def describe(self, percentiles=None, include=None, exclude=None):
        """Number, mean, standard deviation, extremes and quantiles of each column of numbers by group, in columns of two levels:
        the quartiles, or those of `percentiles`; of columns of the dtypes `include`, or without those of `exclude`.
        """
        shares = _shares("describe", percentiles)
        dtypes = {label: dtype for label, dtype in self.head(0).dtypes.items() if label in _labels(self, "describe")}
        numbers = [label for label, dtype in dtypes.items() if _is_number(dtype) and dtype != "bool"]
        labels = numbers
        if include is not None or exclude is not None:
            labels = [
                label for label, dtype in dtypes.items()
                if (include is None or include == "all" or any(_is_kind(dtype, kind) for kind in _list(include)))
                and not (exclude is not None and any(_is_kind(dtype, kind) for kind in _list(exclude)))
            ]
            if not set(labels) <= set(numbers):
                others = [label for label in labels if label not in numbers]
                raise _error("NotImplementedError", "describe", f"columns that are no numbers are not implemented: {others}")
        if not labels:
            raise _error("ValueError", "describe", "there are no columns of numbers")
        return self.agg(*[part for label in labels for part in _summary(label, shares)])

    def nunique(self, *columns, numeric_only=False, dropna=True):
        """The number of distinct values of each column; with `dropna=False` nulls are one value."""
        if _flags("nunique", dropna, "dropna"):
            return self._nunique(*columns, numeric_only=numeric_only)
        made = self._nunique(*columns, numeric_only=numeric_only)
        labels = [label for label in made.columns if label in _labels(self, "nunique")]
        return self.agg(*[(col(label).nunique() + col(label).is_null().any().cast("int64")).alias(label) for label in labels])

    def filter(self, func=None, dropna=True, *args, condition=None, **kwargs):
        """The rows of the groups for which a function of their rows, or an aggregate, is true: `filter(cn.len() > 1)`. With
        `dropna=False` a function gives rows of nulls for the others.
        """
        func = func if condition is None else condition
        if isinstance(func, Expr):
            if not _flags("filter", dropna, "dropna"):
                raise _error("NotImplementedError", "filter", "dropna=False of an expression is not implemented: give a function")
            return self._filter(func)
        if not builtins.callable(func):
            raise _error("TypeError", "filter", "give a function or an expression")
        return _of_function(self, func, args, kwargs, dropna)

    def ohlc(self):
        """The first, the largest, the smallest and the last value of each column by group, in columns of two levels."""
        return self.agg(*[part.alias((*_parts(label), name)) for label in _labels(self, "ohlc") for name, part in _ohlc(label).items()])

    @counting
    def take(self, indices):
        """The rows at some positions of each group."""
        labels = _labels(self, "take")
        return stacked(self, lambda rows: rows[labels].take(builtins.list(indices)))

    def corrwith(self, other, drop=False, method="pearson", numeric_only=False):
        """The correlation of each column with a series, or with the column of a frame of that label, in each group."""
        labels = _labels(self, "corrwith")
        made = stacked(self, lambda rows: rows[labels].corrwith(other, method=method, numeric_only=numeric_only).rename("made"))
        if drop:
            made = made.drop_nulls()
        index = made.index
        return made.unstack()[[label for label in labels if label in set(key[-1] for key in index.to_list())]]


def _ohlc(label):
    return {"open": col(label).first(), "high": col(label).max(), "low": col(label).min(), "close": col(label).last()}


_GET_GROUP: Any = compiled(GroupBy, "get_group")


def _get_group(self, name):
    if self._by and builtins.len(_keys(self)[:1]) and not isinstance(_keys(self)[0], tuple):
        # Of a list of one key pandas takes a tuple, and of one key none.
        if self._by["is_list"] != isinstance(name, tuple):
            raise _error("KeyError", "get_group", f"there is no group {name!r}")
    return _GET_GROUP(self, name)


install(GroupBy, "get_group", like(_get_group, GroupBy, "get_group"))


@methods(SeriesGroupBy)
class _OfSeriesGroups:
    """Methods of groups of series."""

    ndim = 1

    def __iter__(self):
        return iter([(self._groups._as_key(key), values) for key, values in zip(_keys(self), _values(self))])

    @property
    def dtype(self):
        """The name of the dtype of each group."""
        name = builtins.str(self.head(0).dtype)
        return self.apply(lambda values: name)

    @property
    def is_monotonic_increasing(self):
        """Whether the values of each group do not fall."""
        return self.apply(lambda values: values.is_monotonic_increasing)

    @property
    def is_monotonic_decreasing(self):
        """Whether the values of each group do not rise."""
        return self.apply(lambda values: values.is_monotonic_decreasing)

    def describe(self, percentiles=None, include=None, exclude=None):
        """Number, mean, standard deviation, extremes and quantiles of each group: the quartiles, or those of `percentiles`."""
        if include is not None or exclude is not None:
            raise _error("ValueError", "describe", "include and exclude are about the columns of a frame")
        shares = _shares("describe", percentiles)
        made = {name: getattr(self, name)() for name in ("count", "mean", "std", "min")}
        made |= {name: self.quantile(share) for name, share in shares.items()} | {"max": self.max()}
        keys = {}
        if isinstance(made["mean"], DataFrame):
            # The keys are columns of each.
            keys = {label: made["mean"][label] for label in made["mean"].columns if label != self._name}
            made = {name: part[self._name] for name, part in made.items()}
        if _is_number(self.head(0).dtype):
            made = {name: part.cast("float64") for name, part in made.items()}
        columns = {name: part.reset_index(drop=True) for name, part in made.items()}
        return DataFrame(keys | columns).with_index(made["mean"].index)

    def nunique(self, dropna=True):
        """The number of distinct values of each group; with `dropna=False` nulls are one value."""
        if _flags("nunique", dropna, "dropna"):
            return self._nunique()
        label = _label(self)
        return self.agg((col(label).nunique() + col(label).is_null().any().cast("int64")).alias(label))

    def get_group(self, name):
        """The values of one group: of a key, or a tuple of keys."""
        return self._groups.get_group(name)[self._name]

    def filter(self, func, dropna=True, *args, **kwargs):
        """The values of the groups for which a function of their values is true; with `dropna=False` nulls for the others."""
        if not builtins.callable(func):
            raise _error("TypeError", "filter", "give a function")
        return _of_function(self, func, args, kwargs, dropna)

    def ohlc(self):
        """The first, the largest, the smallest and the last value of each group: columns open, high, low and close."""
        return self.agg(*[part.alias(name) for name, part in _ohlc(_label(self)).items()])

    @counting
    def take(self, indices):
        """The values at some positions of each group."""
        return stacked(self, lambda values: values.take(builtins.list(indices)))

    def corr(self, other, method="pearson", min_periods=None):
        """The correlation of the values of each group with those of a series, in rows of the same label."""
        if min_periods not in (None, 0, 1):
            raise _error("NotImplementedError", "corr", "min_periods above 1 is not implemented")
        return self.apply(lambda values: values.corr(other, method=method))

    def cov(self, other, min_periods=None, ddof=1):
        """The covariance of the values of each group with those of a series, in rows of the same label."""
        if min_periods not in (None, 0, 1):
            raise _error("NotImplementedError", "cov", "min_periods above 1 is not implemented")
        return self.apply(lambda values: values.cov(other, ddof=ddof))

    def value_counts(self, normalize=False, sort=True, ascending=False, bins=None, dropna=True):
        """The number of each value in each group, or its share."""
        if bins is not None:
            raise _error("NotImplementedError", "value_counts", "bins is not implemented: cut the values before, and group by both")
        return _counted(self, self._value_counts(normalize, sort, ascending, dropna))

    @at_least_none
    def nlargest(self, n=5, keep="first"):
        """The largest values of each group, in descending order under the keys; nulls fill up where there are fewer."""
        return _extremes(self, "nlargest", n, keep)

    @at_least_none
    def nsmallest(self, n=5, keep="first"):
        """The smallest values of each group, in ascending order under the keys; nulls fill up where there are fewer."""
        return _extremes(self, "nsmallest", n, keep)


def _extremes(groups, name, n, keep):
    if not groups._groups._frame[groups._name].null_count:
        return getattr(groups, f"_{name}")(n, keep)
    return stacked(groups, lambda values: getattr(values, name)(n, keep))


def _counted(groups, made):
    """Numbers of values under the keys, or with as_index=False beside them."""
    of = groups._groups if isinstance(groups, SeriesGroupBy) else groups
    return made.reset_index() if of._by and not of._options["as_index"] and made.index.nlevels > 1 else made


@methods(GroupBy)
class _OfFrames:
    """Methods of groups of frames."""

    def value_counts(self, subset=None, normalize=False, sort=True, ascending=False, dropna=True):
        """The number of rows of each group with the same values, or their share."""
        return _counted(self, self._value_counts(subset, normalize, sort, ascending, dropna))


def _labels(groups, operation):
    """The columns of groups of a frame."""
    labels = groups._columns()
    if not labels:
        raise _error("ValueError", operation, "there are no columns besides the keys")
    return labels
