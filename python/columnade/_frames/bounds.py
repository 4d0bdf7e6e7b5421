"""Numbers within bounds and with fewer digits, of all columns or by column, with the keywords that functions of numpy pass."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index, Series
from .._common import _axis, _by_row_label, _error, _is_number, _plain
from .._errors import make
from .._install import compiled, install, methods
from .._numpy.keywords import _check


_CLIP = {kind: compiled(kind, "clip") for kind in (DataFrame, Series)}
_ROUND = {kind: compiled(kind, "round") for kind in (DataFrame, Series)}
_ARGSORT = compiled(Series, "argsort")
_OF_NUMPY = "The keywords that functions of numpy pass are accepted with values that change nothing."


def _clipped(self, lower, upper, numpy):
    """Values between two bounds, which functions of numpy call `min` and `max`."""
    for name, other in (("min", "lower"), ("max", "upper")):
        bound = numpy.pop(name, None)
        if bound is not None and type(bound).__name__ != "_NoValueType":
            lower, upper = (bound, upper) if other == "lower" else (lower, bound)
    _check("clip", numpy)
    if isinstance(lower, builtins.str) or isinstance(upper, builtins.str):
        for values in [self] if isinstance(self, Series) else map(self.column, self.columns):
            if _is_ordered(values.dtype):
                _check_categories(values, lower, upper)
    return _CLIP[type(self)](self, lower, upper)


def _is_ordered(dtype):
    return builtins.str(dtype).startswith("dictionary<") and builtins.str(dtype).endswith(", ordered>")


def _check_categories(values, *bounds):
    """Raises the error of texts that are no categories of ordered ones."""
    categories = values.cat.categories().to_list()
    for bound in bounds:
        if isinstance(bound, builtins.str) and bound not in categories:
            name, dtype = None if values.name is None else builtins.str(values.name), builtins.str(values.dtype)
            raise make("ValueError", f'clip: "{bound}" is no category', operation="clip", column=name, dtype=dtype)


def _rounded(self, decimals, numpy):
    _check("round", numpy)
    return _ROUND[type(self)](self, decimals)


def _made(self, columns):
    return DataFrame(columns).with_index(self.index) if columns else self[[]]


def _bounds(self, bound, axis, operation):
    """The bound of each column: a value, or values by row."""
    labels = builtins.list(self.columns)
    if isinstance(bound, DataFrame):
        rows = bound.reindex(index=self.index) if not bound.index.equals(self.index) else bound
        return {label: _plain(rows.column(label)) if label in rows else None for label in labels}
    if isinstance(bound, (builtins.list, tuple)) or getattr(bound, "shape", ()) != () and not isinstance(bound, Series):
        values = Series(builtins.list(bound) if isinstance(bound, tuple) else bound)
        if axis is None:
            raise _error("ValueError", operation, "give axis=0 or axis=1 with bounds of several values")
        known = Index(labels) if axis == 1 else self.index
        if builtins.len(values) != builtins.len(known):
            raise _error("ValueError", operation, f"there are {builtins.len(values)} bounds for {builtins.len(known)} labels")
        bound = values.with_index(known)
    if not isinstance(bound, Series):
        return dict.fromkeys(labels, bound)
    if axis is None:
        raise _error("ValueError", operation, "give axis=0 or axis=1 with bounds of several values")
    if axis == 1:
        by_label = _by_row_label(bound)
        return {label: by_label.get(label) for label in labels}
    rows = bound if bound.index.equals(self.index) else bound.reindex(self.index)
    return dict.fromkeys(labels, _plain(rows))


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def clip(self, lower=None, upper=None, axis=None, **numpy):
        """Values below a bound and above another one replaced by these: one value, those of a frame, or of a series by row with axis=0 and
        by column with axis=1.
        """
        operation = "clip"
        if all(not hasattr(bound, "__len__") or isinstance(bound, (builtins.str, bytes)) for bound in (lower, upper)):
            return _clipped(self, lower, upper, numpy if axis in (None, 0, 1, "index", "columns") else {**numpy, "axis": axis})
        if any(value is not None for value in numpy.values()):
            named = next(name for name, value in numpy.items() if value is not None)
            raise _error("ValueError", operation, f"{named} does not go with bounds of several values")
        axis = None if axis is None else _axis(axis, operation)
        low, high = (_bounds(self, bound, axis, operation) for bound in (lower, upper))
        return _made(self, {label: _plain(_plain(self.column(label)).clip(low[label], high[label])) for label in self.columns})

    def round(self, decimals=0, **numpy):
        """Numbers with so many digits behind the point; a dictionary or a series has those of each column, others stay."""
        operation = "round"
        if not isinstance(decimals, (dict, Series)):
            return _rounded(self, decimals, numpy)
        if isinstance(decimals, Series):
            if not decimals.index.is_unique:
                raise _error("ValueError", operation, "the row labels of decimals are not unique")
            decimals = _by_row_label(decimals)
        for label, digits in decimals.items():
            if isinstance(digits, bool) or not hasattr(digits, "__index__"):
                raise _error("TypeError", operation, f"the digits of column {label!r} are a whole number, not {digits!r}")
        made = {}
        for label in self.columns:
            values = _plain(self.column(label))
            is_rounded = label in decimals and _is_number(values.dtype) and values.dtype != "bool"
            made[label] = _plain(values.round(decimals[label])) if is_rounded else values
        return _made(self, made)


class _OfSeries:
    """Methods of series."""

    def clip(self, lower=None, upper=None, **numpy):
        return _clipped(self, lower, upper, numpy)

    def round(self, decimals=0, **numpy):
        return _rounded(self, decimals, numpy)

    def argsort(self, ascending=True, nulls_first=False, axis=None, **numpy):
        # The last axis of numpy is the only one.
        _check("argsort", {"axis": None if axis == -1 else axis, **numpy})
        return _ARGSORT(self, ascending, nulls_first)


for _name in ("clip", "round", "argsort"):
    _method = getattr(_OfSeries, _name)
    _method.__qualname__ = f"Series.{_name}"
    _method.__doc__ = f"{(compiled(Series, _name).__doc__ or '').rstrip('.')}. {_OF_NUMPY}"
    install(Series, _name, _method)
del _name, _method
