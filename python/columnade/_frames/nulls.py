"""Nulls of frames and series that are dropped and replaced: by a value, by those of other rows, or on lines between these."""

from __future__ import annotations

import builtins
import decimal
import functools

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series, col, lit
from .._common import _by_columns, _choice, _error, _is_number, _plain, _renumbered, _rows_only
from .._counts import counting
from .._errors import ColumnOverflowError, ColumnTypeError, ColumnValueError, make
from .._install import compiled, methods, naming
from .._polars.choose import labels_in
from .._times.offsets import _by_expression, _exact


_DROP, _FILL, _FILL_SERIES = compiled(DataFrame, "drop_nulls"), compiled(DataFrame, "fill_null"), compiled(Series, "fill_null")
_FILL_EXPR = compiled(Expr, "fill_null")
_FORWARD = {kind: compiled(kind, "fill_forward") for kind in (DataFrame, Series)}
_BACKWARD = {kind: compiled(kind, "fill_backward") for kind in (DataFrame, Series)}
_INTERPOLATE = {kind: compiled(kind, "interpolate") for kind in (DataFrame, Series)}
# What a value that does not fit a column raises.
_UNFIT = (ColumnValueError, ColumnOverflowError, ColumnTypeError)


def _labels(frame, subset):
    """Labels of columns: one, a list of them, or expressions of nothing but a column."""
    subset = labels_in(frame, subset, "drop_nulls")
    if isinstance(subset, (Index, Series)):
        subset = subset.to_list()
    several = isinstance(subset, (builtins.list, set, frozenset)) or isinstance(subset, tuple) and subset not in frame
    made = []
    for one in builtins.list(subset) if several else [subset]:
        if isinstance(one, Expr) and builtins.str(one) != builtins.str(one.label):
            raise _error("TypeError", "drop_nulls", f"subset has labels of columns, not expressions such as {one}")
        made.append(one.label if isinstance(one, Expr) else one)
    return made


def _exactly_filled(values, value):
    """Nulls of a series replaced by a value that the dtype has."""
    exact = _exact(value)
    if exact is None:
        return _FILL_SERIES(values, value)
    return _by_expression(values, lambda own: native.when(own.is_null()).then(lit(exact)).otherwise(own))


def _filled_by(values, filler):
    """Nulls replaced by a value, or by those of a series in rows of the same label."""
    return values.combine_first(filler).reindex(values.index) if isinstance(filler, Series) else values.fill_null(filler)


def _first_filled(values, filler, limit, operation):
    """Nulls replaced, the first `limit` of them."""
    _count(limit, operation)
    missing = values.is_null()
    return _filled_by(values, filler).where(~missing | (missing.cast("int64").cum_sum() <= limit))


def _count(limit, operation):
    if isinstance(limit, bool) or not hasattr(limit, "__index__"):
        raise _error("TypeError", operation, f"limit is a whole number, not {type(limit).__name__}")
    if limit < 1:
        raise _error("ValueError", operation, f"limit is at least 1, not {limit}")
    return int(limit)


def _runs(missing):
    """The number of nulls up to each row since the last value."""
    count = missing.cast("int64").cum_sum()
    return count - count.where(~missing).fill_forward().fill_null(0)


def _backwards(values):
    return _plain(values.iloc[::-1])


def _filled_area(self, name, limit, limit_area):
    _choice(limit_area, (None, "inside", "outside"), "limit_area", name)
    forward, backward = _FORWARD[Series], _BACKWARD[Series]
    made = (forward if name == "ffill" else backward)(self, limit)
    if limit_area is None:
        return made
    beyond = (backward if name == "ffill" else forward)(self).is_not_null()
    return made.where(self.is_not_null() | (beyond if limit_area == "inside" else ~beyond))


def _fill(self, name, limit, limit_area, axis):
    _rows_only(0 if axis is None else axis, name)
    if limit_area is None:
        return (_FORWARD if name == "ffill" else _BACKWARD)[type(self)](self, limit)
    if isinstance(self, DataFrame):
        return _by_columns(self, lambda values: _filled_area(values, name, limit, limit_area))
    return _filled_area(self, name, limit, limit_area)


def _on_lines(values, places):
    """Nulls between two values, on the line between these by places of the rows."""
    known = values.is_not_null()
    at = places.where(known)
    before, after = values.fill_forward(), values.fill_backward()
    start, end = at.fill_forward(), at.fill_backward()
    return values.where(known, before + (after - before) * ((places - start) / (end - start)))


def _places(index, method, device):
    """The row labels as numbers, on a device."""
    operation = "interpolate"
    if method == "time" and index.kind not in ("datetime", "timedelta"):
        raise _error("ValueError", operation, f'method "time" goes by labels that are times, not {index.dtype}')
    if index.nlevels != 1:
        raise _error("ValueError", operation, f"method {method!r} goes by labels of one level")
    values = _plain(index).to_device(device)
    if index.kind in ("datetime", "timedelta"):
        values = values.cast("int64")
    if not _is_number(values.dtype) or values.null_count:
        raise _error("ValueError", operation, f"method {method!r} goes by labels that are numbers or times without null, not {index.dtype}")
    if not values.is_sorted():
        raise _error("ValueError", operation, f"method {method!r}: the row labels are not sorted")
    return (values - values.min()).cast("float64") if builtins.len(values) else values.cast("float64")


def _interpolated(self, method, limit, direction, area):
    if not _is_number(self.dtype) or self.dtype == "bool":
        # Times as they are, since floats have not all of them; of other dtypes it is an error.
        values = _plain(self)
        if method != "linear" and builtins.str(self.dtype).startswith(("timestamp", "duration", "date", "time")):
            reason = f'method {method!r} of dtype {self.dtype} is not implemented: it is "linear"'
            raise make("NotImplementedError", f"interpolate: {reason}", operation="interpolate", column=self.name, dtype=builtins.str(self.dtype))
    else:
        values = _plain(self) if self.dtype == "float32" and method == "linear" else _plain(self).cast("float64")
    made = _INTERPOLATE[Series](values) if method == "linear" else _on_lines(values, _places(self.index, method, self.device))
    missing = values.is_null()
    forward, backward = _runs(missing), _backwards(_runs(_backwards(missing)))
    ahead, behind = values.fill_forward(), values.fill_backward()
    # The ends have values on one side alone.
    if direction is not None and area != "inside" or area == "outside":
        if direction in (None, "forward", "both"):
            made = made.where(behind.is_not_null(), ahead)
        if direction in ("backward", "both"):
            made = made.where(ahead.is_not_null(), behind)
    if limit is not None:
        # No value before the first one goes forward, and none behind the last one backward.
        forward, backward = forward.where(ahead.is_not_null(), limit + 1), backward.where(behind.is_not_null(), limit + 1)
        near = {None: forward, "forward": forward, "backward": backward, "both": _smaller(forward, backward)}[direction] <= limit
        made = made.where(~missing | near)
    if area == "outside":
        made = made.where(~missing | ahead.is_null() | behind.is_null())
    return made.rename(self.name).with_index(self.index)


def _smaller(left, right):
    return left.where(left <= right, right)


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    @counting
    def ffill(self, limit=None, limit_area=None, axis=0):
        """Nulls replaced by the value before, at most `limit` in a row. `limit_area` "inside" leaves out those behind the last value,
        "outside" all others.
        """
        return _fill(self, "ffill", limit, limit_area, axis)

    @counting
    def bfill(self, limit=None, limit_area=None, axis=0):
        """Nulls replaced by the value behind, at most `limit` in a row. `limit_area` "inside" leaves out those before the first value,
        "outside" all others.
        """
        return _fill(self, "bfill", limit, limit_area, axis)

    @counting
    def interpolate(self, limit=None, method="linear", axis=0, limit_direction=None, limit_area=None):
        """Nulls between two values on the line between these: by rows, or with method "index" or "time" by the row labels. Nulls at the
        ends stay, unless `limit_direction` or limit_area="outside" is given: then they become the last or the first value.
        """
        operation = "interpolate"
        if isinstance(limit, builtins.str):
            # The first argument of pandas is the method.
            limit, method = None, limit
        _rows_only(0 if axis is None else axis, operation)
        if method not in ("linear", "index", "values", "time"):
            raise _error("NotImplementedError", operation, f'method is "linear", "index", "values" or "time", not {method!r}')
        _choice(limit_direction, (None, "forward", "backward", "both"), "limit_direction", operation)
        _choice(limit_area, (None, "inside", "outside"), "limit_area", operation)
        limit = None if limit is None else _count(limit, operation)
        if method == "linear" and limit_direction is None and limit_area != "outside":
            return _INTERPOLATE[type(self)](self, limit)
        compute = functools.partial(_interpolated, method=method, limit=limit, direction=limit_direction, area=limit_area)
        if not isinstance(self, DataFrame):
            return compute(self)
        return _by_columns(self, compute)


def by_strategy(of, value, strategy, limit):
    """Nulls of a series or an expression replaced as a strategy of Polars says."""
    operation, known = "fill_null", ("forward", "backward", "min", "max", "zero", "one")
    if strategy is None:
        raise _error("ValueError", operation, "limit goes with the strategies forward and backward")
    if value is not None:
        raise _error("ValueError", operation, "give a value or a strategy, not both")
    if strategy == "mean":
        raise _error("NotImplementedError", operation, 'strategy="mean" is not implemented: give the mean as the value')
    _choice(strategy, known, "strategy", operation)
    if strategy in ("forward", "backward"):
        return of.fill_forward(limit) if strategy == "forward" else of.fill_backward(limit)
    if limit is not None:
        raise _error("ValueError", operation, "limit goes with the strategies forward and backward")
    if strategy in ("zero", "one"):
        # Of text, zero is the empty one.
        is_text, is_one = isinstance(of, Series) and of.dtype == "utf8", strategy == "one"
        return of.fill_null("" if is_text and not is_one else is_one if isinstance(of, Series) and of.dtype == "bool" else int(is_one))
    return of.fill_null(getattr(of, strategy)())


@methods(Expr)
class _OfExprs:
    """Methods of expressions."""

    def fill_null(self, value=None, *, strategy=None, limit=None):
        """Nulls replaced by a value, or by another expression. Instead of a value `strategy` is "forward", "backward", "min", "max",
        "zero" or "one".
        """
        return _FILL_EXPR(self, value) if strategy is None and limit is None else by_strategy(self, value, strategy, limit)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def drop_nulls(self, subset=None, how="any", thresh=None):
        """The rows without nulls in some columns, or in all; with how="all" those that have a value, with `thresh` those that have so many.
        NaN is a value.
        """
        return _DROP(self, how, None if subset is None else _labels(self, subset), thresh)

    def fill_null(self, value=None, strict=False, *, strategy=None, limit=None):
        """Nulls replaced by a value in columns that it fits; others stay as they are, or with `strict` are an error that names them. NaN is
        no null. Instead of a value `strategy` is "forward", "backward", "min", "max", "zero" or "one".
        """
        if strategy is not None or limit is not None:
            return _by_columns(self, lambda values: values.fill_null(value, strategy=strategy, limit=limit))
        if not strict:
            return _FILL(self, value)
        unfit, reason = [], None
        for label in self.columns:
            try:
                _exactly_filled(self[label], value)
            except _UNFIT as error:
                unfit.append(label)
                reason = reason or error
        if not unfit:
            return _FILL(self, value)
        named = ", ".join(f"{label!r} ({self[label].dtype})" for label in unfit)
        text, first = f"fill_null: {value!r} does not fit the columns {named}", unfit[0]
        facts = {"column": builtins.str(first), "dtype": builtins.str(self[first].dtype)}
        raise make("ValueError", text, operation="fill_null", **facts) from reason

    def dropna(self, axis=0, how="any", thresh=None, subset=None, ignore_index=False):
        """The rows without nulls, see `drop_nulls`; with axis=1 the columns."""
        if axis in (1, "columns"):
            rows = builtins.len(self)
            least = thresh if thresh is not None else {"any": rows, "all": 1}.get(how)
            if least is None:
                raise _error("ValueError", "dropna", 'how is "any" or "all"')
            return self[[label for label in self.columns if self[label].count() >= least]]
        kept = self.drop_nulls(how=how, subset=subset, thresh=thresh)
        return kept.reset_index(drop=True) if ignore_index else kept

    @naming
    def fillna(self, value, axis=0, limit=None):
        """Nulls replaced by a value, or by one for each column as a dictionary or a series by column says, or by the values of a frame
        under the same labels; at most the first `limit` nulls of each column. NaN is a value.
        """
        _rows_only(0 if axis is None else axis, "fillna")
        if isinstance(value, Series):
            value = {label: filler for label, filler in zip(value.index.to_list(), value.to_list()) if filler is not None}
        if isinstance(value, DataFrame):
            value = {label: value[label] for label in value.columns}
        by_series = isinstance(value, dict) and any(
            isinstance(filler, Series) or label in self and builtins.str(self.column(label).dtype).startswith("dictionary")
            for label, filler in value.items()
        )
        if limit is None and not by_series:
            if not isinstance(value, dict):
                return self.fill_null(value)
            # A column without nulls keeps its dtype.
            known = {label: filler for label, filler in value.items() if label in self and self.column(label).null_count}
            return self.with_columns(*[col(label).fill_null(filler).alias(label) for label, filler in known.items()]) if known else self
        made = {}
        for label in self.columns:
            filler = value.get(label) if isinstance(value, dict) else value
            kept = self[label]
            if filler is not None:
                kept = kept.fillna(filler) if limit is None else _first_filled(kept, filler, limit, "fillna")
            made[label] = _plain(kept)
        return DataFrame(made).with_index(self.index) if made else self


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def fill_null(self, value=None, *, strategy=None, limit=None):
        """Nulls replaced by a value. A number that the dtype does not have gives the values the dtype that has both. Instead of a value
        `strategy` is "forward", "backward", "min", "max", "zero" or "one".
        """
        if strategy is not None or limit is not None:
            return by_strategy(self, value, strategy, limit)
        try:
            return _exactly_filled(self, value)
        except _UNFIT:
            is_number = isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool)
            if not is_number or not _is_number(self.dtype) or self.dtype == "bool":
                raise
            frame = DataFrame({"values": self.reset_index(drop=True)})
            try:
                made = frame.select(col("values").fill_null(value).alias("values"))["values"]
            except _UNFIT:
                made = None
            if made is None:
                raise
        return made.rename(self.name).with_index(self.index)

    def dropna(self, axis=0, how=None, ignore_index=False):
        """The values that are not null. NaN is a value."""
        _rows_only(axis, "dropna")
        _choice(how, (None, "any", "all"), "how", "dropna")
        return _renumbered(self.drop_nulls(), ignore_index)

    @naming
    def fillna(self, value, axis=0, limit=None):
        """Nulls replaced by a value, or by the values of a series or a dictionary in rows of the same label; at most the first `limit`
        of them. NaN is a value.
        """
        _rows_only(0 if axis is None else axis, "fillna")
        if isinstance(value, dict):
            if not value:
                return self
            value = Series(builtins.list(value.values())).with_index(Index(builtins.list(value)))
        value = value.to_device(self.device) if isinstance(value, Series) else value
        return _filled_by(self, value) if limit is None else _first_filled(self, value, limit, "fillna")
