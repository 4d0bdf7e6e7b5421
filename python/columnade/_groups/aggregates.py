"""`numeric_only` and `skipna` of the aggregates of groups, and errors of columns that have no such aggregate."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _columnade as native
from .._columnade import col
from .._common import _error, _is_number, struct_labels
from .._counts import counting
from .._errors import ColumnTypeError, make
from .core import GroupBy, SeriesGroupBy, stacked
from .._install import compiled, install, like
from .methods import _is_default, _label, _labels, _least, _valid


_AGGREGATES = (
    "sum", "prod", "product", "mean", "median", "min", "max", "first", "last", "var", "std", "sem", "skew", "kurt", "any", "all",
)
# Those of frames that choose the columns of numbers here.
_OF_NUMBERS = (
    "cum_sum", "cumsum", "cum_product", "cumprod", "cum_min", "cummin", "cum_max", "cummax", "idxmin", "idxmax", "corr", "cov",
)
_NAMES = {"prod": "product"}
_PLACES = {"idxmax": "arg_max", "idxmin": "arg_min"}


def _flag(operation, name, value):
    if not isinstance(value, bool):
        raise _error("ValueError", operation, f"{name} is True or False, not {value!r}")
    return value


def _numbers(groups):
    """The same groups for the columns of numbers and booleans."""
    dtypes = groups._frame[:0].dtypes
    return groups[[label for label in groups._columns() if _is_number(dtypes[label]) or dtypes[label] == "bool"]]


def _refused(groups, operation, error):
    """The error of a column that has no such aggregate, with what to do."""
    is_series = isinstance(groups, SeriesGroupBy)
    if is_series:
        label, dtypes = groups._name, groups._groups._frame[:0].dtypes
        others = [label] if not _is_number(dtypes[label]) else []
    else:
        dtypes = groups._frame[:0].dtypes
        others = [label for label in groups._columns() if not _is_number(dtypes[label])]
        label = error.column if error.column in others else next(iter(others), None)
    if not others or "is not supported" not in builtins.str(error):
        return error
    advice = "" if is_series else ": choose columns in brackets, or give numeric_only=True"
    message = f"{operation}: column {label!r} has dtype {dtypes[label]}, which is not supported{advice}"
    return make("TypeError", message, operation=operation, column=label, dtype=builtins.str(dtypes[label]))


def _with_nulls(name, label, options):
    """An aggregate that is null where a value of the group is."""
    values = col(label)
    if name in ("first", "last"):
        # The first or last row of the group, whether it has a value or not.
        return values.nth(0 if name == "first" else -1)
    has_null = values.is_null().any()
    if name == "any":
        # A null is no zero, as NaN is in pandas.
        return values.any() | has_null
    if name == "all":
        return values.all()
    least = options.pop("min_count", 0)
    made = getattr(values, _NAMES.get(name, name))(**options)
    enough = ~has_null & (values.count() >= least) if least > 0 else ~has_null
    return native.when(enough).then(made).otherwise(None)


def _frames(name, before):
    def method(self, *columns, numeric_only=False, skipna=True, **options):
        groups = _numbers(self) if _flag(name, "numeric_only", numeric_only) and not columns else self
        try:
            if _flag(name, "skipna", skipna):
                return before(groups, *columns, **options)
            labels = [one for given in columns for one in (given if isinstance(given, builtins.list) else [given])] or groups._columns()
            return groups.agg(*[_with_nulls(name, label, dict(options)).alias(label) for label in labels])
        except ColumnTypeError as error:
            raise _refused(self, name, error) from None

    return method


def _number_only(groups, name, numeric_only):
    """Refuses `numeric_only=True` of a column that has no numbers."""
    if _flag(name, "numeric_only", numeric_only):
        dtype = groups._groups._frame[:0][groups._name].dtype
        if not _is_number(dtype) and dtype != "bool":
            message = f"{name}: numeric_only=True, and column {groups._name!r} has dtype {dtype}"
            raise make("TypeError", message, operation=name, column=groups._name, dtype=builtins.str(dtype))


def _series(name, before):
    def method(self, *args, numeric_only=False, skipna=True, **options):
        _number_only(self, name, numeric_only)
        try:
            if _flag(name, "skipna", skipna):
                return before(self, *args, **options)
            import inspect

            given = dict(inspect.signature(before).bind(self, *args, **options).arguments)
            given.pop("self", None)
            return self.agg(_with_nulls(name, self._name, given).alias(self._name))
        except ColumnTypeError as error:
            raise _refused(self, name, error) from None

    return method


def _of_numbers(name, before):
    """A method of groups of frames that takes `numeric_only`."""
    def method(self, *args, numeric_only=False, **options):
        groups = _numbers(self) if _flag(name, "numeric_only", numeric_only) else self
        try:
            return before(groups, *args, **options)
        except ColumnTypeError as error:
            raise _refused(self, name, error) from None

    return method


def _of_number(name, before):
    """A method of groups of one column that takes `numeric_only`."""
    def method(self, *args, numeric_only=False, **options):
        _number_only(self, name, numeric_only)
        return before(self, *args, **options)

    return method


def _extreme(kind, name, what):
    """An aggregate of groups with `min_count`."""

    def of_groups(self, *columns, numeric_only=False, min_count=-1):
        if _is_default(name, min_count):
            return getattr(self, f"_{name}")(*columns, numeric_only=numeric_only)
        return _least(name, self, columns, numeric_only, min_count)

    def of_series(self, min_count=-1):
        if _is_default(name, min_count):
            return getattr(self, f"_{name}")()
        return self.agg(_valid(name, _label(self), min_count))

    is_frame = kind is GroupBy
    method = of_groups if is_frame else of_series
    method.__doc__ = f"The {what} value of {'each column' if is_frame else 'each group'}; null for fewer than `min_count` values."
    return method


def _labels_of_extreme(name):
    """`idxmax` or `idxmin` of groups of frames, which gives labels of several levels as structs."""
    before, place = compiled(GroupBy, name), _PLACES[name]

    def method(self, *columns):
        index = self._frame.index
        if index.nlevels == 1:
            return before(self, *columns)
        labels = [one for given in columns for one in (given if isinstance(given, builtins.list) else [given])] or self._columns()
        made = self.agg(*[getattr(col(label), place)().alias(label) for label in labels])
        return _with_structs(made, index, labels)

    method.__doc__ = before.__doc__
    return method


def _label_of_extreme(name):
    """`idxmax` or `idxmin` of groups of a column."""
    before, place = compiled(SeriesGroupBy, name), _PLACES[name]

    def method(self):
        index = self._groups._frame.index
        if index.nlevels == 1:
            return before(self)
        made = self.agg(getattr(col(self._name), place)().alias(self._name))
        return struct_labels(index, made) if isinstance(made, native.Series) else _with_structs(made, index, [self._name])

    return like(method, SeriesGroupBy, name)


def _with_structs(made, index, labels):
    """A frame with labels in place of positions in some columns."""
    columns = {label: struct_labels(index, made[label]) if label in labels else made[label] for label in made.columns}
    return native.DataFrame({label: values.reset_index(drop=True) for label, values in columns.items()}).with_index(made.index)


def _correlated(self, method="pearson", min_periods=None):
    """The correlation of each pair of columns of numbers in each group."""
    if min_periods not in (None, 0, 1):
        raise _error("NotImplementedError", "corr", "min_periods above 1 is not implemented")
    if method == "pearson" and builtins.len(self._levels) == 1:
        return _with_names_of_columns(self, self._corr())
    dtypes = self.head(0).dtypes
    labels = [label for label in _labels(self, "corr") if _is_number(dtypes[label])]
    return _with_names_of_columns(self, stacked(self, lambda rows: rows[labels].corr(method)))


def _covariant(self, ddof=1):
    """The covariance of each pair of columns of numbers in each group."""
    if builtins.len(self._levels) == 1:
        return _with_names_of_columns(self, compiled(GroupBy, "cov")(self, ddof))
    labels = _labels(self, "cov")
    return _with_names_of_columns(self, stacked(self, lambda rows: rows[labels].cov(ddof=ddof)))


def _with_names_of_columns(groups, made):
    """A matrix of columns by columns in each group, whose last levels of row labels have the names of those of columns."""
    depth = builtins.len(groups._levels)
    if made.index.nlevels <= depth:
        return made
    return made.rename_axis([*made.index.names[:-depth], *groups._levels])


def _compiled_of(kind, name):
    return compiled(kind, _SOURCES.get(name, name))


def _install(kind, name, method, before, shown):
    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", before.__doc__
    # The signature is read there.
    method.__wrapped__ = shown
    install(kind, name, counting(method) if name == "quantile" else method)


_SOURCES = {
    "prod": "product", "cumsum": "cum_sum", "cumprod": "cum_product", "cummin": "cum_min", "cummax": "cum_max",
}
_EXTREMES = {"first": "first", "last": "last", "min": "smallest", "max": "largest"}
_SPREADS, _TOTALS = ("var", "std", "sem"), ("sum", "prod", "product")
# The signatures that aggregates of groups of frames and of series show.
_PLAIN: Any = (lambda self, /, *columns, numeric_only=False, skipna=True: None, lambda self, /, *, numeric_only=False, skipna=True: None)
_SHOWN: dict[str, Any] = {
    **dict.fromkeys(_TOTALS, (
        lambda self, /, *columns, numeric_only=False, min_count=0, skipna=True: None,
        lambda self, /, min_count=0, *, numeric_only=False, skipna=True: None,
    )),
    **dict.fromkeys(_EXTREMES, (
        lambda self, *columns, numeric_only=False, min_count=-1, skipna=True: None,
        lambda self, min_count=-1, *, numeric_only=False, skipna=True: None,
    )),
    **dict.fromkeys(_SPREADS, (
        lambda self, /, *columns, numeric_only=False, ddof=1, skipna=True: None,
        lambda self, /, ddof=1, *, numeric_only=False, skipna=True: None,
    )),
}
_SHOWN_OF_NUMBERS: dict[str, Any] = {
    "corr": lambda self, method="pearson", min_periods=None, *, numeric_only=False: None,
    "cov": lambda self, /, ddof=1, *, numeric_only=False: None,
    "quantile": lambda self, /, q=None, interpolation="linear", *, numeric_only=False: None,
}


_OWN = {
    "corr": _correlated, "cov": _covariant, "idxmax": _labels_of_extreme("idxmax"), "idxmin": _labels_of_extreme("idxmin"),
}


def _shown_of_numbers(self, /, *, numeric_only=False):
    """The signature of most methods of columns of numbers."""


for _name in _AGGREGATES:
    for _kind, _make, _shown in zip((GroupBy, SeriesGroupBy), (_frames, _series), _SHOWN.get(_name, _PLAIN)):
        _before = _extreme(_kind, _name, _EXTREMES[_name]) if _name in _EXTREMES else _compiled_of(_kind, _name)
        _install(_kind, _name, _make(_name, _before), _before, _shown)
for _name in _OF_NUMBERS:
    _before = _OWN.get(_name) or _compiled_of(GroupBy, _name)
    _install(GroupBy, _name, _of_numbers(_name, _before), _before, _SHOWN_OF_NUMBERS.get(_name, _shown_of_numbers))
for _name in ("cum_sum", "cumsum", "cum_product", "cumprod", "cum_min", "cummin", "cum_max", "cummax", "quantile"):
    _before = _compiled_of(SeriesGroupBy, _name)
    _install(SeriesGroupBy, _name, _of_number(_name, _before), _before, _SHOWN_OF_NUMBERS.get(_name, _shown_of_numbers))
for _name in ("idxmax", "idxmin"):
    install(SeriesGroupBy, _name, _label_of_extreme(_name))
del _name, _kind, _make, _before, _shown
