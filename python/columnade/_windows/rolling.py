"""Functions of Python over windows, windows of two series, and what windows were made with."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Series, col, row_number, when
from .._common import _error
from .._functions.frames import _duration
from .._groups.core import SeriesGroupBy, finishing, stacked
from .._install import compiled, install, like, methods


# Aggregates of the compiled class, of pairs of columns.
_PAIRS: dict[tuple[Any, str], Any] = {(native.Rolling, name): finishing(compiled(native.Rolling, name)) for name in ("corr", "cov")}
_PAIRS |= {(native.ExponentialMovingWindow, name): compiled(native.ExponentialMovingWindow, name) for name in ("corr", "cov")}
_WEIGHTS = ("com", "span", "halflife", "alpha", "min_periods", "adjust", "ignore_na")


def _source(windows, operation):
    """The frame or series that windows are of, and what they were made with."""
    if not hasattr(windows, "_source"):
        raise _error("NotImplementedError", operation, "windows of groups do not have it")
    return windows._source, windows._made_with


def _again(source, options):
    """Such windows of a series."""
    if options["kind"] == "expanding":
        return source.expanding(1)
    return source.rolling(options["window"], 1, options["center"], None, options["closed"])


def _bounds(source, options):
    """The first row of each window and the one after its last; of an empty window None twice."""
    rows = Series(builtins.list(range(builtins.len(source))), dtype="int64").to_device(source.device)
    if options["kind"] == "rolling" and options["on"] is not None:
        times = source[options["on"]].reset_index(drop=True)
        frame = DataFrame({"time": times, "row": rows})
        windows = frame.rolling(options["window"], 1, options["center"], "time", options["closed"])["row"]
    else:
        windows = _again(rows.with_index(source.index), options)
    return [(first, None if last is None else last + 1) for first, last in zip(windows.min().to_list(), windows.max().to_list())]


def _least(options):
    least = options["min_periods"]
    if least is None:
        return options["window"] if isinstance(options["window"], int) else 1
    return least


def _applied(values, bounds, least, function, raw):
    """What a function makes of the values of each window that has enough."""
    valid = values.is_not_null().to_list()
    so_far = [0]
    for one in valid:
        so_far.append(so_far[-1] + one)
    numbers = values.cast("float64").to_numpy() if raw else None
    made = []
    for first, end in bounds:
        first, end = (0, 0) if first is None else (first, end)
        if so_far[end] - so_far[first] < builtins.max(least, 1 if end == first else 0):
            made.append(None)
        else:
            made.append(function(numbers[first:end] if raw else values[first:end]))
    return Series([None if one is None else float(one) for one in made], dtype="float64").to_device(values.device)


def _other_columns(source, other, operation):
    """Pairs of series by label: each column and the series, or the columns of one label."""
    if isinstance(source, Series):
        if not isinstance(other, Series):
            raise _error("TypeError", operation, f"other is a series, not {type(other).__name__}")
        return None, [(source, other)]
    if isinstance(other, Series):
        return source.columns, [(source[label], other) for label in source.columns]
    if not isinstance(other, DataFrame):
        raise _error("TypeError", operation, f"other is a series or a frame, not {type(other).__name__}")
    labels = [label for label in source.columns if label in other]
    return labels, [(source[label], other[label]) for label in labels]


def _paired(windows, other, operation, compute):
    """An aggregate of pairs, of a series or of the columns of a frame."""
    source, options = _source(windows, operation)
    on = options.get("on")
    if on is not None:
        raise _error("NotImplementedError", operation, "other with on is not implemented: make row labels of the times")
    labels, pairs = _other_columns(source, other, operation)
    made = []
    for left, right in pairs:
        if not left.index.equals(right.index):
            left, right = left.align(right)
        plain = [side.reset_index(drop=True) for side in (left, right)]
        columns = {"x": plain[0], "y": plain[1]}
        if _is_of_time(options):
            columns["t"] = left.index.to_series().reset_index(drop=True).to_device(left.device)
        found = DataFrame(columns).select(compute(options, builtins.len(left)).alias("made"))["made"]
        made.append(found.rename(left.name if left.name == right.name else None).with_index(left.index))
    if labels is None:
        return made[0]
    return DataFrame({label: part.reset_index(drop=True) for label, part in zip(labels, made)}).with_index(made[0].index)


def _is_of_time(options):
    return options["kind"] == "rolling" and not isinstance(options["window"], int)


def _of_rows(name):
    def compute(options, rows):
        function = getattr(col("x"), f"rolling_{name}")
        if options["kind"] == "expanding":
            return function(col("y"), builtins.max(rows, options["min_periods"], 1), options["min_periods"])
        window, by = options["window"], None
        if _is_of_time(options):
            window, by = _duration(window), col("t")
        return function(col("y"), window, options["min_periods"], options["center"], by, options["closed"])

    return compute


@methods(native.Rolling)
class _OfWindows:
    """Methods of windows of rows."""

    def apply(self, func, raw=False, *, args=None, kwargs=None):
        """What a function makes of the values of each window, a series or with `raw` an array of numpy in which nulls are NaN: a
        number each. Null where fewer values than `min_periods` are not null. An aggregate by its name is faster.
        """
        if self.__dict__.get("_groups") is not None:
            return _applied_to_groups(self, func, raw, args, kwargs)
        source, options = _source(self, "apply")
        if not builtins.callable(func):
            raise _error("TypeError", "apply", f"func is a function, not {type(func).__name__}")
        bounds, least = _bounds(source, options), _least(options)

        def function(values):
            return func(values, *(args or ()), **(kwargs or {}))

        if isinstance(source, Series):
            return _applied(source, bounds, least, function, raw).with_index(source.index).rename(source.name)
        if "column" in options:
            made = _applied(source[options["column"]].reset_index(drop=True), bounds, least, function, raw)
            return made.with_index(source.index).rename(options["column"])
        labels = [label for label in source.columns if label != options.get("on")]
        made = {label: _applied(source[label].reset_index(drop=True), bounds, least, function, raw) for label in labels}
        return DataFrame(made).with_index(source.index)

    def corr(self, other=None, pairwise=None, ddof=1):
        """The correlations of each pair of columns, or with another series, or the columns of the same label of a frame."""
        if other is None:
            return _PAIRS[native.Rolling, "corr"](self)
        _one_by_one("corr", pairwise)
        return _paired(self, other, "corr", _of_rows("corr"))

    def cov(self, other=None, pairwise=None, ddof=1):
        """The covariances of each pair of columns, or with another series, or the columns of the same label of a frame."""
        if ddof != 1:
            raise _error("NotImplementedError", "cov", f"ddof={ddof!r} is not implemented: ddof is 1")
        if other is None:
            return _PAIRS[native.Rolling, "cov"](self)
        _one_by_one("cov", pairwise)
        return _paired(self, other, "cov", _of_rows("cov"))

    @property
    def window(self):
        """The rows or the time of a window; None for all rows so far."""
        return _source(self, "window")[1].get("window")

    @property
    def min_periods(self):
        """The least number of values of a window."""
        return _source(self, "min_periods")[1]["min_periods"]

    @property
    def center(self):
        """Whether a row is in the middle of its window."""
        return _source(self, "center")[1].get("center", False)

    @property
    def closed(self):
        """The ends that belong to a window, as they were given."""
        return _source(self, "closed")[1].get("closed")


def _one_by_one(operation, pairwise):
    if pairwise:
        raise _error("NotImplementedError", operation, "pairwise=True is not implemented: without other all pairs are there")


def _of_weights(name, bias=False):
    def compute(options, rows):
        given = {label: options[label] for label in _WEIGHTS}
        made = getattr(col("x"), f"ewm_{name}")(col("y"), **given)
        return made if not bias else _biased(made, given)

    return compute


def _biased(made, given):
    """Covariances without the correction for small samples, which depends on the weights alone: it is that of the variances of numbers of
    rows, of which no two are equal.
    """
    pairs = when(col("x").is_not_null() & col("y").is_not_null()).then(row_number().cast("float64")).otherwise(None)
    biased, corrected = (pairs.ewm_var(**given, bias=bias) for bias in (True, False))
    return when(biased == 0).then(0.0).otherwise(made * biased / corrected)


@methods(native.ExponentialMovingWindow)
class _OfWeights:
    """Methods of weights that fall from row to row."""

    def corr(self, other=None, pairwise=None):
        """The correlations of each pair of columns, or with another series, or the columns of the same label of a frame."""
        if other is None:
            return _PAIRS[native.ExponentialMovingWindow, "corr"](self)
        _one_by_one("corr", pairwise)
        return _paired(self, other, "corr", _of_weights("corr"))

    def cov(self, other=None, pairwise=None, bias=False):
        """The covariances of each pair of columns, or with another series, or the columns of the same label of a frame."""
        if bias and other is None:
            raise _error("NotImplementedError", "cov", "bias=True without other is not implemented")
        if other is None:
            return _PAIRS[native.ExponentialMovingWindow, "cov"](self)
        _one_by_one("cov", pairwise)
        return _paired(self, other, "cov", _of_weights("cov", bias))


def _window_of(rows, windows):
    """Such windows of the rows of one group."""
    name, args, kwargs = windows._arguments
    return getattr(rows, name)(*args, **kwargs)


def _applied_to_groups(windows, func, raw, args, kwargs):
    """What a function makes of the values of each window of windows of groups."""
    if not builtins.callable(func):
        raise _error("TypeError", "apply", f"func is a function, not {type(func).__name__}")
    groups, on = windows._groups, windows.__dict__.get("_on")
    labels = None if isinstance(groups, SeriesGroupBy) else groups._columns()

    def applied(rows):
        of_rows = _window_of(rows if labels is None else rows[labels], windows)
        if on is not None and windows.__dict__.get("_one") is not None:
            of_rows = of_rows[windows._one]
        return of_rows.apply(func, raw, args=args, kwargs=kwargs)

    return stacked(groups, applied)


def _chosen_source(windows, made, key):
    """Has windows of some columns know what they are of."""
    on = windows._made_with.get("on")
    if on is None or not isinstance(windows._source, DataFrame):
        made._source, made._made_with = windows._source[key], windows._made_with
    elif isinstance(key, builtins.list):
        made._source, made._made_with = windows._source[[*key, on]], windows._made_with
    else:
        made._source, made._made_with = windows._source[[key, on]], {**windows._made_with, "column": key}


def _chosen_groups(windows, made, key):
    """Has windows of some columns of groups know their groups."""
    groups = windows._groups
    name, args, kwargs = made._arguments = windows._arguments
    on = kwargs.get("on", args[3] if builtins.len(args) > 3 else None)
    if on is not None and not isinstance(groups, SeriesGroupBy):
        made._groups, made._on = groups[[*(key if isinstance(key, builtins.list) else [key]), on]], on
        made._one = None if isinstance(key, builtins.list) else key
    else:
        made._groups = groups if isinstance(groups, SeriesGroupBy) else groups[key]
    if "_finish" in windows.__dict__:
        made._finish = windows._finish


def _chosen(kind):
    choose = compiled(kind, "__getitem__")

    def method(self, key, /):
        made = choose(self, key)
        if "_step" in self.__dict__:
            made._step = self._step
        if hasattr(self, "_source"):
            _chosen_source(self, made, key)
        if self.__dict__.get("_groups") is not None:
            _chosen_groups(self, made, key)
        return made

    return like(method, kind, "__getitem__")


for _windows in (native.Rolling, native.ExponentialMovingWindow):
    install(_windows, "__getitem__", _chosen(_windows))
del _windows
