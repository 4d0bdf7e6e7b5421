"""Rows and columns that are chosen: by labels, at random, without repetitions, the extremes, and at positions."""

from __future__ import annotations

import builtins
import functools
import operator
import re

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series, col
from .._common import _UNSET, _axis, _by_row_label, _choice, _error, _keep, _plain, _renumbered, _rows_only, _same
from .._convert import _numpy, operand, to_numpy
from .._counts import at_least_none, counting, limited
from .._install import compiled, install, methods
from .._numpy.keywords import _check
from .._polars.choose import condition_of, labels_in
from .._polars.columns import Columns, has_columns


_SAMPLE = {kind: compiled(kind, "sample") for kind in (DataFrame, Series)}
_EXPLODE = {kind: compiled(kind, "explode") for kind in (DataFrame, Series)}
_FILTER = {kind: compiled(kind, "filter") for kind in (DataFrame, Series)}
_DUPLICATED = {kind: compiled(kind, "duplicated") for kind in (DataFrame, Series)}
_RENAME, _FACTORIZE, _SORT = (compiled(Series, name) for name in ("rename", "factorize", "sort_values"))
_EXTREMES = {name: compiled(Series, name) for name in ("nlargest", "nsmallest")}


def _seed(seed, random_state):
    """The seed of a sample: a number, or the next one of a generator of numpy."""
    if random_state is None:
        return seed
    if seed is not None:
        raise _error("TypeError", "sample", "random_state and seed are the same argument")
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**32))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31))
    if not hasattr(random_state, "__index__") or isinstance(random_state, bool):
        raise _error("TypeError", "sample", f"random_state is a number or a generator of numpy, not {type(random_state).__name__}")
    return int(random_state)


def _matching(labels, like, regex, operation):
    """Which labels have a text in them, or match a regular expression."""
    if like is not None:
        return [like in builtins.str(label) for label in labels]
    try:
        pattern = re.compile(regex)
    except re.error as error:
        raise _error("ValueError", operation, f"regex {regex!r} cannot be read: {error}") from None
    return [pattern.search(builtins.str(label)) is not None for label in labels]


def _filtered(self, items, like, regex, axis):
    operation = "filter"
    given = [name for name, value in (("items", items), ("like", like), ("regex", regex)) if value is not None]
    if builtins.len(given) != 1:
        several = f", not {' and '.join(given)}" if given else ""
        raise _error("TypeError", operation, f"give a condition or one of items, like and regex{several}")
    for name, value in (("like", like), ("regex", regex)):
        if value is not None and not isinstance(value, builtins.str):
            raise _error("TypeError", operation, f"{name} is text, not {type(value).__name__}")
    if axis == 1:
        if items is not None:
            return self[[label for label in items if label in self]]
        return self[[label for label, kept in zip(self.columns, _matching(self.columns, like, regex, operation)) if kept]]
    if items is not None:
        return self.reindex([label for label in dict.fromkeys(items) if label in self.index])
    labels = self.index
    return self[_matching(labels.to_list(), like, regex, operation)] if builtins.len(labels) else self


def _is_items(condition):
    """Whether what stands for a condition is a list of labels."""
    if not isinstance(condition, builtins.list) or not condition:
        return False
    return not any(isinstance(one, bool) or hasattr(one, "dtype") for one in condition)


def _sampled(self, n, frac, replace, weights, seed, random_state, ignore_index=False):
    """Rows that a random generator chooses."""
    return _renumbered(_SAMPLE[type(self)](self, n, frac, replace, weights, _seed(seed, random_state)), ignore_index)


def _extreme(self, name, n, keep):
    _choice(keep, ("first", "last", "all"), "keep", name)
    if keep == "first":
        return _EXTREMES[name](self, n)
    return _RENAME(getattr(self.to_frame("values"), name)(n, "values", keep)["values"], self.name)


def _taken(kind):
    compute = compiled(kind, "take")

    def take(self, positions=None, axis=None, **numpy):
        positions = numpy.pop("indices", positions)
        _check("take", {"axis": axis, **numpy})
        is_ready = isinstance(positions, (builtins.list, Series))
        return compute(self, positions if is_ready else _numpy().asarray(positions))

    take.__qualname__ = f"{kind.__name__}.take"
    text = f"{(compute.__doc__ or '').rstrip('.')}. The keywords that functions of numpy pass are accepted with values that change nothing."
    take.__doc__ = text
    return take


for _kind in (DataFrame, Series):
    install(_kind, "take", counting(_taken(_kind)))
del _kind


def _is_list(values):
    return builtins.str(values.dtype).startswith("list<")


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def filter(self, condition=None, items=None, like=None, regex=None, axis=None, **equal):
        """The rows for which a condition holds, or each of several, or in which columns have some values (`name=value`); or the columns,
        with axis=0 the rows, of some labels (`items`, or a list of labels instead of the condition), with a text in their labels
        (`like`), or whose labels match a regular expression (`regex`).
        """
        if equal or isinstance(condition, (Expr, Columns)) and isinstance(items, (Expr, Columns)) or isinstance(condition, Columns):
            conditions = [one for one in (condition, items, like, regex, axis) if one is not None]
            if has_columns(conditions):
                context, whole = condition_of(self, [*conditions, *(col(label) == value for label, value in equal.items())], "filter")
                return context.cleared(_FILTER[DataFrame](context.frame, whole))
            if not all(isinstance(one, Expr) for one in conditions):
                raise _error("TypeError", "filter", "several conditions are expressions")
            conditions += [col(label) == value for label, value in equal.items()]
            return _FILTER[DataFrame](self, functools.reduce(operator.and_, conditions))
        if condition is not None and not _is_items(condition):
            if items is not None or like is not None or regex is not None:
                raise _error("TypeError", "filter", "give a condition or one of items, like and regex")
            return _FILTER[DataFrame](self, condition)
        items = items if condition is None else condition
        return _filtered(self, items, like, regex, 1 if axis is None else _axis(axis, "filter"))

    @counting
    def sample(self, n=None, frac=None, replace=False, weights=None, seed=None, random_state=None, ignore_index=False, axis=0):
        """Rows, or with axis=1 columns, that a random generator chooses: `n`, or a share of all. `weights` are values or the label of a
        column. `random_state` or `seed` fixes the choice, which is not that of pandas.
        """
        operation = "sample"
        if axis is None or _axis(axis, operation) == 0:
            if isinstance(weights, builtins.str):
                weights = self[weights]
            return _sampled(self, n, frac, replace, weights, seed, random_state, ignore_index)
        labels = builtins.list(self.columns)
        if isinstance(weights, builtins.str):
            raise _error("ValueError", operation, "weights of columns are values, not a label")
        if isinstance(weights, Series) and weights.index.kind != "range":
            by_label = _by_row_label(weights)
            weights = [by_label.get(label) or 0 for label in labels]
        if replace:
            raise _error("NotImplementedError", operation, "replace=True with axis=1: labels of columns are unique")
        places = DataFrame({"place": Index.range(0, builtins.len(labels))})
        chosen = _sampled(places, n, frac, False, weights, seed, random_state)["place"].to_list()
        made = self[[labels[at] for at in chosen]]
        if not ignore_index or not made.columns:
            return made
        return DataFrame({at: _plain(made.column(label)) for at, label in enumerate(made.columns)}).with_index(self.index)

    def drop_duplicates(self, subset=None, keep="first", ignore_index=False):
        """Distinct rows, of all columns or of a subset; with keep=False those that no other row repeats."""
        kept = self.unique(subset, _keep(keep, "drop_duplicates"))
        return kept.reset_index(drop=True) if ignore_index else kept

    def duplicated(self, subset=None, keep="first"):
        """Whether each row is a repetition of another in some columns: all but the first or the last one, with keep=False all."""
        return _DUPLICATED[DataFrame](self, subset, keep if keep == "none" else _keep(keep, "duplicated"))

    def explode(self, column=_UNSET, ignore_index=False, labels=_UNSET):
        """A row for each item of lists; an empty list is null. Several columns have lists of one length in each row. Columns without
        lists stay, as in pandas.
        """
        given = labels_in(self, _same(column, labels, "column", "labels", None, "explode"), "explode")
        given = builtins.list(given) if isinstance(given, tuple) and given not in self else given
        labels = given if isinstance(given, builtins.list) else [given]
        is_flat = bool(labels) and all(label in self and not _is_list(self[label]) for label in labels)
        return _renumbered(self if is_flat else _EXPLODE[DataFrame](self, given), ignore_index)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def filter(self, condition=None, items=None, like=None, regex=None, axis=0):
        """The values for which a condition holds; or those of some labels (`items`, or a list of labels instead of the condition), with a
        text in their labels (`like`), or whose labels match a regular expression (`regex`).
        """
        _rows_only(axis, "filter")
        if condition is not None and not _is_items(condition):
            if items is not None or like is not None or regex is not None:
                raise _error("TypeError", "filter", "give a condition or one of items, like and regex")
            by_position = None if isinstance(condition, Series) else operand(condition, "filter")
            return _FILTER[Series](self, condition) if by_position is None else self[to_numpy(by_position)]
        return _filtered(self, items if condition is None else condition, like, regex, 0)

    @counting
    def sample(self, n=None, frac=None, replace=False, weights=None, seed=None, random_state=None, ignore_index=False, axis=0):
        """Rows that a random generator chooses: `n`, or a share of all. `random_state` or `seed` fixes the choice, which is not that
        of pandas.
        """
        _rows_only(0 if axis is None else axis, "sample")
        return _sampled(self, n, frac, replace, weights, seed, random_state, ignore_index)

    def drop_duplicates(self, keep="first", ignore_index=False):
        """Distinct values with their labels; with keep=False those that no other row repeats."""
        return _renumbered(self[~self.duplicated(_keep(keep, "drop_duplicates"))], ignore_index)

    def duplicated(self, keep="first"):
        """Whether each value is a repetition of another: all but the first or the last one, with keep=False all."""
        return _DUPLICATED[Series](self, keep if keep == "none" else _keep(keep, "duplicated"))

    def explode(self, ignore_index=False):
        """A row for each item of lists; an empty list is null. Other values stay, as in pandas."""
        return _renumbered(_EXPLODE[Series](self) if _is_list(self) else self, ignore_index)

    @at_least_none
    def nlargest(self, n=5, keep="first"):
        """The largest values, in descending order. Of equal ones at the end the first, the last or all are kept."""
        return _extreme(self, "nlargest", n, keep)

    @at_least_none
    def nsmallest(self, n=5, keep="first"):
        """The smallest values, in ascending order. Of equal ones at the end the first, the last or all are kept."""
        return _extreme(self, "nsmallest", n, keep)

    @limited
    def nth(self, n):
        """The value of a row, from the end where n is negative; None where there is none."""
        if isinstance(n, bool) or not hasattr(n, "__index__"):
            raise _error("TypeError", "nth", f"n is a whole number, not {type(n).__name__}")
        place = int(n) + builtins.len(self) if n < 0 else int(n)
        return self.take([place]).to_list()[0] if 0 <= place < builtins.len(self) else None

    def factorize(self, sort=False, use_na_sentinel=True):
        """The number of each value and the distinct values, in the order of their first appearance or with `sort` in theirs. The number of
        null is null, or with use_na_sentinel=False that of a null among the distinct values.
        """
        codes, distinct = _FACTORIZE(self)
        if sort:
            codes = (self.rank("dense") - 1).cast("int64")
            distinct = _SORT(distinct, True, False).reset_index(drop=True)
        if use_na_sentinel or not self.null_count:
            return codes, distinct
        place = builtins.len(distinct)
        if not sort:
            earlier = codes.head(_plain(self.is_null()).arg_max()).max()
            place = 0 if earlier is None else earlier + 1
        missing = Series([None], dtype=self.dtype, name=self.name, device=self.device)
        codes = (codes + (codes >= place).cast("int64")).fill_null(place)
        parts = [distinct.slice(0, place), missing, distinct.slice(place, builtins.len(distinct) - place)]
        return codes, native.concat(parts, ignore_index=True).rename(distinct.name)
