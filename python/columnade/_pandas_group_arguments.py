"""`numeric_only` and `skipna` of the aggregates of groups, and errors of columns that have no such aggregate.

The methods wrap those of before, and are added to the classes of groups when the package is imported.
"""

from __future__ import annotations

import builtins
import inspect

from . import _columnade as native
from ._columnade import col
from ._errors import ColumnTypeError, make
from ._pandas import _error, _is_number

_AGGREGATES = (
    "sum", "prod", "product", "mean", "median", "min", "max", "first", "last", "var", "std", "sem", "skew", "kurt", "any", "all",
)
# Those of frames that choose the columns of numbers here.
_OF_NUMBERS = (
    "cum_sum", "cumsum", "cum_product", "cumprod", "cum_min", "cummin", "cum_max", "cummax", "idxmin", "idxmax", "corr", "cov",
)
_NAMES = {"prod": "product"}


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
    is_series = isinstance(groups, native.SeriesGroupBy)
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


def _frames(name):
    before = getattr(native.GroupBy, name)
    signature = inspect.signature(before)
    skipna_of = inspect.Parameter("skipna", inspect.Parameter.KEYWORD_ONLY, default=True)

    def method(self, *columns, numeric_only=False, skipna=True, **options):
        groups = _numbers(self) if _flag(name, "numeric_only", numeric_only) and not columns else self
        try:
            if _flag(name, "skipna", skipna):
                return before(groups, *columns, **options)
            labels = [one for given in columns for one in (given if isinstance(given, builtins.list) else [given])] or groups._columns()
            return groups.agg(*[_with_nulls(name, label, dict(options)).alias(label) for label in labels])
        except ColumnTypeError as error:
            raise _refused(self, name, error) from None

    method.__signature__ = signature.replace(parameters=[*signature.parameters.values(), skipna_of])
    return method, before


def _number_only(groups, name, numeric_only):
    """Refuses `numeric_only=True` of a column that has no numbers."""
    if _flag(name, "numeric_only", numeric_only):
        dtype = groups._groups._frame[:0][groups._name].dtype
        if not _is_number(dtype) and dtype != "bool":
            message = f"{name}: numeric_only=True, and column {groups._name!r} has dtype {dtype}"
            raise make("TypeError", message, operation=name, column=groups._name, dtype=builtins.str(dtype))


def _series(name):
    before = getattr(native.SeriesGroupBy, name)
    signature = inspect.signature(before)
    kind = inspect.Parameter.KEYWORD_ONLY
    more = [inspect.Parameter("numeric_only", kind, default=False), inspect.Parameter("skipna", kind, default=True)]

    def method(self, *args, numeric_only=False, skipna=True, **options):
        _number_only(self, name, numeric_only)
        try:
            if _flag(name, "skipna", skipna):
                return before(self, *args, **options)
            given = dict(signature.bind(self, *args, **options).arguments)
            given.pop("self", None)
            return self.agg(_with_nulls(name, self._name, given).alias(self._name))
        except ColumnTypeError as error:
            raise _refused(self, name, error) from None

    method.__signature__ = signature.replace(parameters=[*signature.parameters.values(), *more])
    return method, before


def _of_numbers(name):
    """A method of groups of frames that takes `numeric_only`."""
    before = getattr(native.GroupBy, name)
    signature = inspect.signature(before)
    more = inspect.Parameter("numeric_only", inspect.Parameter.KEYWORD_ONLY, default=False)

    def method(self, *args, numeric_only=False, **options):
        groups = _numbers(self) if _flag(name, "numeric_only", numeric_only) else self
        try:
            return before(groups, *args, **options)
        except ColumnTypeError as error:
            raise _refused(self, name, error) from None

    method.__signature__ = signature.replace(parameters=[*signature.parameters.values(), more])
    return method, before


def _of_number(name):
    """A method of groups of one column that takes `numeric_only`."""
    before = getattr(native.SeriesGroupBy, name)
    signature = inspect.signature(before)
    more = inspect.Parameter("numeric_only", inspect.Parameter.KEYWORD_ONLY, default=False)

    def method(self, *args, numeric_only=False, **options):
        _number_only(self, name, numeric_only)
        return before(self, *args, **options)

    method.__signature__ = signature.replace(parameters=[*signature.parameters.values(), more])
    return method, before


def _set(kind, name, made):
    method, before = made
    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", before.__doc__
    setattr(kind, name, method)


for _name in _AGGREGATES:
    _set(native.GroupBy, _name, _frames(_name))
    _set(native.SeriesGroupBy, _name, _series(_name))
for _name in _OF_NUMBERS:
    _set(native.GroupBy, _name, _of_numbers(_name))
for _name in ("cum_sum", "cumsum", "cum_product", "cumprod", "cum_min", "cummin", "cum_max", "cummax", "quantile"):
    _set(native.SeriesGroupBy, _name, _of_number(_name))
del _name
