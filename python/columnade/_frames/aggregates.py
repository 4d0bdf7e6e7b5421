"""Aggregates of frames and series, cumulative ones among them, with the keywords that functions of numpy pass."""

from __future__ import annotations

import builtins
import operator

from .. import _columnade as native
from .._columnade import DataFrame, Series, col, max_horizontal, min_horizontal, when
from .._common import _by_label, _error, _is_number, _plain, across
from .._convert import masked
from .._errors import make
from .._install import aliases, compiled, install, naming
from .._numpy.keywords import _OPTIONS, _check, _option


# Aggregates that take the values of a row together.
_BY_ROW = ("prod", "median", "var", "std", "sem", "skew", "kurt")


def _by_row(self, name, labels, options):
    """Aggregates of each row, which is a group of the values of all columns one below the other."""
    for label in labels:
        if not _is_number(self[label].dtype):
            reason = f"axis=1 is of numbers, and column {label!r} is {self[label].dtype}: give numeric_only=True"
            raise make("TypeError", f"{name}: {reason}", operation=name, column=builtins.str(label), dtype=builtins.str(self[label].dtype))
    kinds = [builtins.str(self[label].dtype) for label in labels]
    is_whole = name == "prod" and all("int" in kind or kind == "bool" for kind in kinds)
    common = "int64" if is_whole and "uint64" not in kinds else "float64"
    parts = [self.select(native.row_number().alias("row"), col(label).cast(common).alias("value")) for label in labels]
    method = {"prod": "product"}.get(name, name)
    parts = [part.set_axis(["row", "value"], axis=1) for part in parts]
    groups = native.concat(parts).group_by("row", sort=True)
    made = groups.agg(getattr(col("value"), method)(**options).alias("value"))
    return made["value"].rename(None).with_index(self.index)


def _truths(self, name, labels):
    """Whether the values of columns are true, or not zero, as expressions."""
    for label in labels:
        dtype = self[label].dtype
        kind = builtins.str(dtype).split("[")[0]
        if kind == "duration":
            yield col(label).cast("int64") != 0
        elif _is_number(dtype) or kind == "null":
            yield col(label).cast("bool")
        else:
            reason = f"axis=1 is of numbers, booleans and durations, and column {label!r} is {dtype}: give numeric_only=True"
            raise make("TypeError", f"{name}: {reason}", operation=name, column=builtins.str(label), dtype=builtins.str(dtype))


def _of_rows(self, name, labels, options):
    if not labels:
        raise _error("ValueError", name, "there are no columns")
    columns = [col(label) for label in labels]
    valid = across(operator.add, [column.is_not_null().cast("int64") for column in columns])

    def total():
        return across(operator.add, [column.fill_null(0) for column in columns])

    if name in _BY_ROW:
        return _by_row(self, name, labels, options)
    made = {
        "count": lambda: valid,
        "sum": total,
        "mean": lambda: total() / native.when(valid > 0).then(valid).otherwise(None),
        "min": lambda: native.min_horizontal(*columns),
        "max": lambda: native.max_horizontal(*columns),
        "any": lambda: across(operator.or_, [truth.fill_null(False) for truth in _truths(self, name, labels)]),
        "all": lambda: across(operator.and_, [truth.fill_null(True) for truth in _truths(self, name, labels)]),
    }[name]
    made = self.select(made().alias("values"))
    return made.column(made.columns[0]).rename(None).with_index(self.index)


def _check_common(name, made):
    """Values of columns that become one series have one kind of dtype."""
    kinds = {"numbers" if _is_number(dtype) else builtins.str(dtype).split("[")[0]: label for label, dtype in made.dtypes.items()}
    if builtins.len(kinds) > 1:
        first, second = builtins.list(kinds.values())[:2]
        dtypes = f"column {first!r} gives {made[first].dtype} and column {second!r} {made[second].dtype}"
        reason = f"{dtypes}, which no series has together: choose columns, or give numeric_only=True"
        raise make("TypeError", f"{name}: {reason}", operation=name, column=builtins.str(second), dtype=builtins.str(made[second].dtype))


def _of_columns(self, name, method, labels, options):
    """An aggregate of each of some columns, by label."""
    made = self.agg(*[getattr(col(label), method)(**options).alias(label) for label in labels])
    kinds = builtins.list(made.dtypes.values())
    _check_common(name, made)
    by_label = _by_label({label: made[label].to_list()[0] for label in labels})
    if kinds and all(kind == kinds[0] for kind in kinds) and by_label.dtype != kinds[0]:
        by_label = Series(by_label, dtype=kinds[0])
    return by_label


def _aggregated(self, name, method, axis, numeric_only, options):
    labels = [label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)]
    if axis in (1, "columns"):
        if options and name not in _BY_ROW:
            named = next(iter(options))
            raise make("NotImplementedError", f"{name}: {named} with axis=1 is not implemented", operation=name)
        return _of_rows(self, name, labels, options)
    if axis not in (0, "index", None):
        raise _error("ValueError", name, "axis is 0 or 1")
    return _of_columns(self, name, method, labels, options)


def _of_all_values(name, method):
    """An aggregate of a frame that leaves out nulls."""

    def aggregate(self, axis=0, numeric_only=False, **numpy):
        _check(name, numpy)
        return _aggregated(self, name, method, axis, numeric_only, {})

    return aggregate


def _skipping(name, method):
    """An aggregate of a frame that may be null where a value is."""

    def aggregate(self, axis=0, numeric_only=False, skipna=True, **numpy):
        options = _option(name, numpy)
        _check(name, numpy)
        made = _aggregated(self, name, method, axis, numeric_only, options)
        if skipna or not builtins.len(made):
            return made
        chosen = self.select([label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)])
        valid = _aggregated(chosen.is_not_null(), "all", "all", axis, False, {}).with_index(made.index)
        return masked(made, valid).rename(made.name).with_index(made.index)

    return aggregate


def _with_options(name, method):
    def aggregate(self, axis=0, numeric_only=False, **options):
        return _aggregated(self, name, method, axis, numeric_only, options)

    return aggregate


def _install(kind, name, method, text):
    method.__name__, method.__qualname__, method.__doc__ = name, f"{kind.__name__}.{name}", text
    install(kind, name, naming(method) if kind is DataFrame else method)


_OF_NUMPY = "The keywords that functions of numpy pass are accepted with values that change nothing."
_FRAMES = {
    "sum": "The sum", "prod": "The product", "mean": "The mean", "min": "The smallest value", "max": "The largest value",
    "median": "The median", "std": "The sample standard deviation", "var": "The sample variance", "sem": "The standard error of the mean",
    "skew": "The skewness", "kurt": "The kurtosis", "any": "Whether a value is true", "all": "Whether all values are true",
}
_METHODS = {"prod": "product", "cumsum": "cum_sum", "cumprod": "cum_product", "cummin": "cum_min", "cummax": "cum_max"}
for _name, _what in _FRAMES.items():
    _text = f"{_what} of each column, by label; with axis=1 of each row. numeric_only leaves out other columns than those of numbers and booleans."
    _make = _of_all_values if _name in ("any", "all") else _with_options if _name in ("skew", "kurt") else _skipping
    _method = _make(_name, _METHODS.get(_name, _name))
    _install(DataFrame, _name, _method, _text if _make is _with_options else f"{_text} {_OF_NUMPY}")
    if _name == "kurt":
        install(DataFrame, "kurtosis", naming(_method))


# Series and rows so far --------------------------------------------------------------------------------------------------
_RUNNING = {"cumsum": (operator.add, 0), "cumprod": (operator.mul, 1), "cummin": (min_horizontal, None), "cummax": (max_horizontal, None)}


def _across(frame, name):
    """An aggregate of the columns so far in each row; nulls are left out."""
    if not all(_is_number(dtype) for dtype in frame.dtypes.values()):
        raise _error("TypeError", name, f"axis=1 is of columns of numbers, not {frame.dtypes}")
    step, start = _RUNNING[name]
    running, made = None, []
    for label in frame.columns:
        value = col(label) if start is None else col(label).fill_null(start)
        running = value if running is None else step(running, value)
        made.append(when(col(label).is_null()).then(None).otherwise(running).alias(label))
    return frame.select(*made).with_index(frame.index)._with_level_names(frame._level_names) if made else frame


def _null_from_first(before, made):
    """Running aggregates that are null from the first null of a column on."""
    if isinstance(before, DataFrame):
        columns = {label: _plain(_null_from_first(before[label], made[label])) for label in made.columns}
        return DataFrame(columns).with_index(made.index)._with_level_names(made._level_names) if columns else made
    return made.mask(before.is_null().cast("int64").cum_sum() > 0) if before.null_count else made


def _running(name, compute):
    def whole(self, axis=None, skipna=True, **numpy):
        if axis in (1, "columns") and axis is not True and isinstance(self, DataFrame):
            _check(name, {"skipna": skipna, **numpy})
            return _across(self, name)
        _check(name, {"axis": axis, **numpy})
        if not isinstance(skipna, bool):
            raise _error("TypeError", name, f"skipna is True or False, not {type(skipna).__name__}")
        return compute(self) if skipna else _null_from_first(self, compute(self))

    return whole


def _without_axis(name, compute):
    def whole(self, axis=None, **numpy):
        _check(name, {"axis": axis, **numpy})
        return compute(self)

    return whole


def _of_series(name, compute):
    if name not in _OPTIONS:

        def aggregate(self, axis=None, skipna=True, **numpy):
            _check(name, {"axis": axis, **numpy})
            # None is null.
            return compute(self) if skipna or not self.null_count else None

        return aggregate

    def aggregate(self, axis=None, *positional, skipna=True, **numpy):
        options = dict(zip((_OPTIONS[name],), positional)) or _option(name, numpy)
        _check(name, {"axis": axis, **numpy})
        return compute(self, **options) if skipna or not self.null_count else None

    return aggregate


def _of_compiled(kind, name, source, make):
    compute = compiled(kind, source)
    method = make(name, compute)
    method.__name__, method.__qualname__ = name, f"{kind.__name__}.{name}"
    method.__doc__ = f"{(compute.__doc__ or '').rstrip('.')}. {_OF_NUMPY}"
    install(kind, name, method)


for _name, _source in (("any", "any"), ("all", "all"), ("argmax", "arg_max"), ("argmin", "arg_min")):
    _of_compiled(Series, _name, _source, _without_axis)
for _name in ("sum", "mean", "min", "max", "median", "prod", "product", "var", "std", "sem"):
    _of_compiled(Series, _name, _METHODS.get(_name, _name), _of_series)
for _name in ("cumsum", "cumprod", "cummin", "cummax"):
    for _kind in (Series, DataFrame):
        _of_compiled(_kind, _name, _METHODS[_name], _running)
aliases(Series, kurtosis="kurt")
del _name, _what, _text, _make, _method, _source, _kind
