"""Arguments of pandas for methods that fill, align, summarise and look up rows, and methods of pandas that were missing.

The methods are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import functools
import operator

from . import _columnade as native
from ._columnade import DataFrame, Index, Series, col
from ._pandas import _add, _by_label, _error, _is_kind, _is_number, _list
from ._pandas_arguments import _UNSET, _axis, _choice, _label_list, _level, _place, _plain, _rows_only

# The methods that are wrapped.
_FRAME = {
    name: getattr(DataFrame, name) for name in (
        "align", "bfill", "compare", "corr", "corrwith", "cov", "describe", "ffill", "interpolate", "quantile", "reindex", "reindex_like",
        "update", "xs",
    )
}
_SERIES = {
    name: getattr(Series, name) for name in (
        "align", "bfill", "compare", "corr", "cov", "ffill", "interpolate", "pow", "reindex", "reindex_like", "rpow", "searchsorted", "xs",
    )
}


def _before(self, name):
    return (_FRAME if isinstance(self, DataFrame) else _SERIES)[name]


def _by_columns(self, compute):
    """What a function makes of each column, in rows of the same labels."""
    made = {label: _plain(compute(self[label])) for label in self.columns}
    return DataFrame(made).with_index(self.index) if made else self


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
    made = _SERIES[name](self, limit)
    if limit_area is None:
        return made
    beyond = _SERIES["bfill" if name == "ffill" else "ffill"](self).is_not_null()
    return made.where(self.is_not_null() | (beyond if limit_area == "inside" else ~beyond))


def _fill(self, name, limit, limit_area, axis):
    _rows_only(0 if axis is None else axis, name)
    if limit_area is None:
        return _before(self, name)(self, limit)
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


def _places(index, method):
    """The row labels as numbers."""
    operation = "interpolate"
    if method == "time" and index.kind not in ("datetime", "timedelta"):
        raise _error("ValueError", operation, f'method "time" goes by labels that are times, not {index.dtype}')
    if index.nlevels != 1:
        raise _error("ValueError", operation, f"method {method!r} goes by labels of one level")
    values = _plain(index)
    if index.kind in ("datetime", "timedelta"):
        values = values.cast("int64")
    if not _is_number(values.dtype) or values.null_count:
        raise _error("ValueError", operation, f"method {method!r} goes by labels that are numbers or times without null, not {index.dtype}")
    if not values.is_sorted():
        raise _error("ValueError", operation, f"method {method!r}: the row labels are not sorted")
    return (values - values.min()).cast("float64") if builtins.len(values) else values.cast("float64")


def _interpolated(self, method, limit, direction, area):
    if not _is_number(self.dtype) or self.dtype == "bool":
        return _SERIES["interpolate"](self)
    values = _plain(self).cast("float64")
    made = _SERIES["interpolate"](values) if method == "linear" else _on_lines(values, _places(self.index, method))
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


def _with_columns(frame, columns, fill_value):
    """Some columns; those that are not there have one value."""
    other = Series([fill_value] * builtins.len(frame)).to_device(frame.device)
    made = {label: _plain(frame[label]) if label in frame else other for label in columns}
    return DataFrame(made).with_index(frame.index) if made else frame[[]]


def _within(self, made, index, method, tolerance, fill_value):
    """Rows of a reindexed frame or series whose labels are near those that they are from."""
    operation = "reindex"
    if method is None:
        raise _error("ValueError", operation, "tolerance goes with a method")
    if self.index.nlevels != 1:
        raise _error("NotImplementedError", operation, "tolerance with labels of several levels is not implemented")
    own = _plain(self.index).rename("label").with_index(self.index)
    source, target = _plain(_SERIES["reindex"](own, index, method)), _plain(made.index)
    near = (source - target).abs() <= tolerance
    near = near.fill_null(False).with_index(made.index)
    return made.where(near) if fill_value is None else made.where(near, fill_value)


def _reindexed(self, index, method, limit, fill_value, tolerance):
    """`reindex` of rows."""
    index = index if isinstance(index, Index) else Index(index)
    made = _before(self, "reindex")(self, index, method=method, limit=limit, fill_value=fill_value)
    return made if tolerance is None else _within(self, made, index, method, tolerance, fill_value)


class _OfBoth:
    """Methods of frames and series."""

    def ffill(self, limit=None, limit_area=None, axis=0):
        """Nulls replaced by the value before, at most `limit` in a row. `limit_area` "inside" leaves out those behind the last value,
        "outside" all others.
        """
        return _fill(self, "ffill", limit, limit_area, axis)

    def bfill(self, limit=None, limit_area=None, axis=0):
        """Nulls replaced by the value behind, at most `limit` in a row. `limit_area` "inside" leaves out those before the first value,
        "outside" all others.
        """
        return _fill(self, "bfill", limit, limit_area, axis)

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
            return _before(self, operation)(self, limit)
        compute = functools.partial(_interpolated, method=method, limit=limit, direction=limit_direction, area=limit_area)
        if not isinstance(self, DataFrame):
            return compute(self)
        return _by_columns(self, compute)

    def asof(self, where, subset=None):
        """The last row without null at or before a label, or for each label of a list. Of a series and one label it is the value."""
        operation = "asof"
        if not self.index.is_monotonic_increasing:
            raise _error("ValueError", operation, "the row labels are not sorted: call sort_index first")
        several = isinstance(where, (builtins.list, tuple, Index, Series)) or getattr(where, "shape", ()) != ()
        if isinstance(self, Series):
            if subset is not None:
                raise _error("ValueError", operation, "subset goes with a frame")
            kept = self.drop_nulls()
        else:
            kept = self.drop_nulls(subset=subset)
        if builtins.len(kept):
            kept = kept[(~kept.index.duplicated("last")).to_device(self.device).with_index(kept.index)]
        labels = where if isinstance(where, Index) else Index(builtins.list(where) if isinstance(where, tuple) else _label_list(where))
        made = kept.reindex(labels, method="ffill")
        return made if several or isinstance(made, DataFrame) else made.to_list()[0]

    def asfreq(self, freq, method=None, how=None, normalize=False, fill_value=None):
        """The rows at equal distances of time, from the first to the last label; what is not there is null or `fill_value`, or is filled
        by `method`.
        """
        operation = "asfreq"
        if how is not None:
            raise _error("NotImplementedError", operation, "how is about periods, which are not implemented")
        if self.index.kind != "datetime":
            raise _error("TypeError", operation, f"the row labels are times, not {self.index.dtype}")
        if not builtins.len(self):
            return self
        first, last = self.index.min(), self.index.max()
        labels = Index.date_range(first, last, freq=freq, dtype=self.index.dtype).rename(self.index.name)
        made = self.reindex(labels, method=method, fill_value=fill_value) if isinstance(self, Series) else self.reindex(
            index=labels, method=method, fill_value=fill_value,
        )
        return made.with_index(made.index.normalize()) if normalize else made

    def infer_objects(self, copy=None):
        """The same: all values have a dtype."""
        return self

    def convert_dtypes(self, infer_objects=True, convert_string=True, convert_integer=True, convert_boolean=True, convert_floating=True):
        """Floats without a fraction, and without NaN and infinity, as integers; other values have the dtype that fits them."""
        if not convert_integer:
            return self
        return _by_columns(self, _whole) if isinstance(self, DataFrame) else _whole(self)


def _whole(values):
    if not builtins.str(values.dtype).startswith("float") or not builtins.len(values):
        return values
    finite = values.is_finite().fill_null(True)
    if not finite.all() or not (values == values.round(0)).fill_null(True).all() or (values.abs() >= 2.0**63).fill_null(False).any():
        return values
    return values.cast("int64")


def _chosen(self, numeric_only):
    return self[[label for label, dtype in self.dtypes.items() if _is_number(dtype)]] if numeric_only else self


def _enough(self, made, min_periods, operation):
    """A table of pairs of columns, null for those of which fewer rows have both values."""
    if min_periods is None or min_periods <= 1:
        return made
    labels = [label for label in made.columns if label in self]
    flags = {label: _plain(self[label]).is_not_null() for label in labels}
    known = {label: [(flags[label] & flags[other]).sum() >= min_periods for other in labels] for label in labels}
    columns = {label: made[label].where(Series(known[label])) if label in known else made[label] for label in made.columns}
    return DataFrame({label: _plain(values) for label, values in columns.items()}).with_index(made.index)


def _pairs_of(self, other):
    """The number of labels with a value on both sides."""
    left, right = self.align(other, join="inner")
    return builtins.int((_plain(left).is_not_null() & _plain(right).is_not_null()).sum())


def _matrix(self, other, operation):
    """The values of a factor by row and column, whose rows are the columns of this one."""
    labels = builtins.list(self.columns)
    if isinstance(other, DataFrame):
        if sorted(map(builtins.repr, other.index.to_list())) != sorted(map(builtins.repr, labels)):
            raise _error("ValueError", operation, "the columns of the one and the row labels of the other are not the same")
        other = other.reindex(Index(labels))
        return {label: other[label].to_list() for label in other.columns}
    rows = other.tolist()
    if builtins.len(rows) != builtins.len(labels):
        raise _error("ValueError", operation, f"{builtins.len(labels)} columns and {builtins.len(rows)} rows do not go together")
    return {at: [row[at] for row in rows] for at in range(builtins.len(rows[0]) if rows else 0)}


def _weighted(self, weights):
    """The sum of the columns, each times a number."""
    labels = builtins.list(self.columns)
    if not labels:
        return Series([0] * builtins.len(self)).to_device(self.device).with_index(self.index)
    if any(weight is None for weight in weights):
        return Series([None] * builtins.len(self), dtype="float64").to_device(self.device).with_index(self.index)
    total = functools.reduce(operator.add, [col(label) * weight for label, weight in zip(labels, weights)])
    return self.select(total.alias("sum"))["sum"].rename(None)


def _alternating(parts, names, index):
    """Rows of two frames or series by turns, with a further level of labels."""
    rows = builtins.len(index)
    levels = [*(_level(index, at) for at in range(index.nlevels)), Series([names[0]] * rows, dtype="utf8")]
    other = [*levels[:-1], Series([names[1]] * rows, dtype="utf8")]
    order = [at for pair in zip(range(rows), range(rows, 2 * rows)) for at in pair]
    arrays = [native.concat([one, two], ignore_index=True).take(order) for one, two in zip(levels, other)]
    labels = Index.from_arrays(arrays, [*index.names, None])
    return native.concat([part.reset_index(drop=True) for part in parts], ignore_index=True).take(order).with_index(labels)


class _OfFrames:
    """Methods of frames."""

    def align(self, other, join="outer", axis=None, fill_value=None):
        """Both frames with the same labels; values of labels that one does not have are null or `fill_value`."""
        if axis is not None and _axis(axis, "align") == 1:
            empty = [frame.head(0).reset_index(drop=True) for frame in (self, other)]
            labels = builtins.list(_FRAME["align"](*empty, join)[0].columns)
            return tuple(frame.reindex(columns=labels, fill_value=fill_value) for frame in (self, other))
        made = _FRAME["align"](self, other, join, None if axis is None else 0)
        if fill_value is None:
            return made
        return tuple(_with_fill(before, after, fill_value) for before, after in zip((self, other), made))

    def reindex(
        self, labels=None, columns=None, method=None, limit=None, fill_value=None, index=None, axis=None, tolerance=None, level=None,
        copy=None,
    ):
        """The rows, and the columns, of some labels. What is not there is null or `fill_value`, or by `method` a value of a row near it,
        which is at most `tolerance` away.
        """
        operation = "reindex"
        if level is not None:
            raise _error("NotImplementedError", operation, "level is not implemented")
        if axis is not None:
            if index is not None or columns is not None or labels is None:
                raise _error("TypeError", operation, "axis goes with labels")
            index, columns = (labels, None) if _axis(axis, operation) == 0 else (None, labels)
        elif labels is not None:
            if index is not None:
                raise _error("TypeError", operation, "labels and index are the same argument")
            index = labels
        if tolerance is None and (columns is None or fill_value is None):
            return _FRAME[operation](self, index, columns, method, limit, fill_value)
        if columns is not None:
            columns = columns.to_list() if isinstance(columns, (Index, Series)) else builtins.list(columns)
        frame = self if columns is None else self[[label for label in dict.fromkeys(columns) if label in self]]
        made = frame if index is None else _reindexed(frame, index, method, limit, fill_value, tolerance)
        return made if columns is None else _with_columns(made, columns, fill_value)

    def reindex_like(self, other, method=None, copy=None, limit=None, tolerance=None):
        """The rows and columns of the labels of another frame."""
        if method is None and tolerance is None:
            return _FRAME["reindex_like"](self, other)
        return self.reindex(index=other.index, columns=builtins.list(other.columns), method=method, limit=limit, tolerance=tolerance)

    def update(self, other, join="left", overwrite=True, filter_func=None, errors="ignore"):
        """A new frame with the values of another one under the same labels, where these are not null; overwrite=False replaces nulls
        alone. `filter_func` is a function of each column that says which values are replaced. With errors="raise" two values of one row
        and column are an error.
        """
        operation = "update"
        if join != "left":
            raise _error("NotImplementedError", operation, f'join is "left", not {join!r}')
        _choice(errors, ("ignore", "raise"), "errors", operation)
        if overwrite and filter_func is None and errors == "ignore":
            return _FRAME[operation](self, other)
        theirs = other.reindex(index=self.index, columns=[label for label in self.columns if label in other])
        made = {}
        for label in self.columns:
            values = _plain(self[label])
            if label in theirs:
                new = _plain(theirs[label])
                if errors == "raise" and (values.is_not_null() & new.is_not_null()).any():
                    raise _error("ValueError", operation, f"column {label!r} has values in both frames")
                replaced = new.is_not_null()
                if filter_func is not None:
                    replaced = replaced & _plain(filter_func(self[label])).fill_null(False)
                elif not overwrite:
                    replaced = replaced & values.is_null()
                values = values.where(~replaced, new)
            made[label] = values
        return DataFrame(made).with_index(self.index)

    def xs(self, key, level=None, axis=0, drop_level=True):
        """The rows of a label, or of a label of some levels, without these levels unless drop_level=False; with axis=1 a column."""
        if _axis(axis, "xs") == 1:
            if level is not None:
                raise _error("NotImplementedError", "xs", "level with axis=1 is not implemented")
            return self[key]
        return _cross(self, key, level, drop_level)

    def describe(self, percentiles=None, include=None, exclude=None):
        """Number, mean, deviation, extremes and quantiles of columns of numbers; number, distinct values and the most frequent one of
        others. `include` and `exclude` are "all" or dtypes and kinds of dtypes, as of `select_dtypes`.
        """
        if exclude is None and (include is None or include == "all"):
            return _FRAME["describe"](self, percentiles, include)
        if include == "all":
            raise _error("ValueError", "describe", 'exclude does not go with include="all"')

        def kinds(names):
            if names is None:
                return None
            known = [(getattr(name, "__name__", name), name) for name in _list(names)]
            return ["string" if word in ("object", "str") else name for word, name in known]

        frame = self.select_dtypes(kinds(include), kinds(exclude))
        if not frame.columns:
            raise _error("ValueError", "describe", "there are no columns of these dtypes")
        numbers = [_is_kind(dtype, "number") for dtype in frame.dtypes.values()]
        return _FRAME["describe"](frame, percentiles, None if all(numbers) or not any(numbers) else "all")

    def corr(self, method="pearson", min_periods=1, numeric_only=False):
        """The correlation of each pair of columns; null for those of which fewer than `min_periods` rows have both values."""
        frame = _chosen(self, numeric_only)
        return _enough(frame, _FRAME["corr"](frame, method), min_periods, "corr")

    def cov(self, ddof=1, min_periods=None, numeric_only=False):
        """The covariance of each pair of columns; null for those of which fewer than `min_periods` rows have both values."""
        frame = _chosen(self, numeric_only)
        return _enough(frame, _FRAME["cov"](frame, ddof), min_periods, "cov")

    def corrwith(self, other, method="pearson", numeric_only=False, axis=0, drop=False, min_periods=None):
        """The correlation of each column with the one of the same label in another frame, or with a series, by row labels. `drop` leaves
        out columns that are null, and so are those of which fewer than `min_periods` rows have both values.
        """
        _rows_only(axis, "corrwith")
        made = _FRAME["corrwith"](self, other, method, numeric_only)
        if min_periods is not None:
            labels = made.index.to_list()
            theirs = dict.fromkeys(labels, other)
            if not isinstance(other, Series):
                theirs = {label: other[label] for label in labels if label in other}
            enough = [label in theirs and _pairs_of(self[label], theirs[label]) >= min_periods for label in labels]
            made = made.where(Series(enough, dtype="bool").with_index(made.index))
        return made.drop_nulls() if drop else made

    def compare(self, other, keep_shape=False, keep_equal=False, result_names=("self", "other"), align_axis=1):
        """The values that differ from those of another frame of the same labels, in columns of two levels, or with align_axis=0 in rows
        below each other.
        """
        made = _FRAME["compare"](self, other, keep_shape, keep_equal, result_names)
        if _axis(align_axis, "compare") == 1 or not made.columns:
            return made
        labels = builtins.list(dict.fromkeys(label for label, _ in made.columns))
        parts = [DataFrame({label: _plain(made[(label, name)]) for label in labels}) for name in result_names]
        return _alternating(parts, result_names, made.index)

    def quantile(self, q=0.5, interpolation="linear", axis=0, numeric_only=False, method="single"):
        """Quantiles of each column, in a row for each share."""
        _rows_only(axis, "quantile")
        if method != "single":
            raise _error("NotImplementedError", "quantile", f'method is "single", not {method!r}')
        return _FRAME["quantile"](_chosen(self, numeric_only), builtins.list(q) if isinstance(q, tuple) else q, interpolation)

    def iterrows(self):
        """Each label with its row, a dictionary by column. Expressions are faster where there is one."""
        return zip(self.index.to_list(), self.to_dicts())

    def isetitem(self, loc, value):
        """A new frame with other values in the column at a position."""
        labels = builtins.list(self.columns)
        if not isinstance(loc, int) or isinstance(loc, bool):
            raise _error("TypeError", "isetitem", f"loc is a position, not {type(loc).__name__}")
        if not -builtins.len(labels) <= loc < builtins.len(labels):
            raise _error("IndexError", "isetitem", f"there is no column at {loc}; there are {builtins.len(labels)}")
        label = labels[loc]
        rest = self[[one for one in labels if one != label]] if builtins.len(labels) > 1 else self[[]]
        return rest.insert(loc % builtins.len(labels), label, value)

    def dot(self, other):
        """The matrix product with a frame, whose row labels are the columns of this one, a series or an array."""
        operation = "dot"
        if isinstance(other, Series):
            if sorted(map(builtins.repr, other.index.to_list())) != sorted(map(builtins.repr, self.columns)):
                raise _error("ValueError", operation, "the columns of the frame and the row labels of the series are not the same")
            return _weighted(self, other.reindex(Index(builtins.list(self.columns))).to_list())
        if isinstance(other, builtins.list) or (hasattr(other, "shape") and not isinstance(other, DataFrame)):
            import numpy

            other = numpy.asarray(other)
            if other.ndim == 1:
                if other.shape[0] != builtins.len(self.columns):
                    reason = f"{builtins.len(self.columns)} columns and {other.shape[0]} rows do not go together"
                    raise _error("ValueError", operation, reason)
                return _weighted(self, other.tolist())
        elif not isinstance(other, DataFrame):
            raise _error("TypeError", operation, f"a factor is a frame, a series or an array, not {type(other).__name__}")
        made = {label: _plain(_weighted(self, weights)) for label, weights in _matrix(self, other, operation).items()}
        return DataFrame(made).with_index(self.index) if made else self[[]]

    def combine(self, other, func, fill_value=None, overwrite=True):
        """What a function makes of each column and the one of the same label in another frame, in rows of both. `fill_value` stands for
        nulls; columns of this frame alone are null unless overwrite=False.
        """
        left, right = self.align(other)
        made = {}
        for label in left.columns:
            one, two = left[label], right[label]
            if fill_value is not None:
                one, two = one.fill_null(fill_value), two.fill_null(fill_value)
            made[label] = _plain(left[label] if not overwrite and label not in other else func(one, two))
        return DataFrame(made).with_index(left.index) if made else left

    def rpow(self, other, axis=None, fill_value=None):
        """The other operand to the power of this one, with `fill_value` for values that are missing."""
        if isinstance(other, DataFrame):
            return other.pow(self, fill_value=fill_value)
        if isinstance(other, Series):
            raise _error("NotImplementedError", "rpow", "a series to the power of a frame is not implemented")
        return operator.pow(other, self if fill_value is None else self.fill_null(fill_value))


def _with_fill(before, after, fill_value):
    """The labels of an aligned frame or series with a value for those that were not there."""
    if isinstance(before, DataFrame):
        frame = before if before.index.equals(after.index) else _FRAME["reindex"](before, after.index, None, None, None, fill_value)
        return _with_columns(frame, after.columns, fill_value)
    return after if before.index.equals(after.index) else _SERIES["reindex"](before, after.index, None, None, fill_value)


def _cross(self, key, level, drop_level):
    """The rows of a label of some levels."""
    operation = "xs"
    index = self.index
    if level is None and not drop_level and index.nlevels > 1:
        level = builtins.list(range(builtins.len(key) if isinstance(key, tuple) else 1))
    if level is None or (drop_level and not isinstance(level, (builtins.list, tuple))):
        return _before(self, operation)(self, key, level)
    levels = builtins.list(level) if isinstance(level, (builtins.list, tuple)) else [level]
    keys = builtins.list(key) if isinstance(key, (builtins.list, tuple)) else [key]
    if builtins.len(keys) != builtins.len(levels):
        raise _error("ValueError", operation, f"key has {builtins.len(keys)} labels for {builtins.len(levels)} levels")
    places = [_place(index, one, operation) for one in levels]
    rows = functools.reduce(operator.and_, [_level(index, place).eq_missing(label) for place, label in zip(places, keys)])
    if not rows.any():
        raise _error("KeyError", operation, f"there is no row of {key!r}")
    made = self[rows.to_device(self.device).with_index(index)]
    if not drop_level:
        return made
    kept = [place for place in range(index.nlevels) if place not in places]
    if not kept:
        return made
    levels = [_level(made.index, place) for place in kept]
    names = [index.names[place] for place in kept]
    return made.with_index(Index(levels[0]).rename(names[0]) if builtins.len(kept) == 1 else Index.from_arrays(levels, names))


def _power(self, other, name, fill_value):
    operate = _SERIES[name]
    if fill_value is None:
        return operate(self, other)
    if isinstance(other, Series):
        left, right = self.align(other)
        # Null stays where both sides have it.
        both = left.is_null() & right.is_null()
        return operate(left.fill_null(fill_value), right.fill_null(fill_value)).mask(both)
    return operate(self.fill_null(fill_value), other)


class _OfSeries:
    """Methods of series."""

    @property
    def dtypes(self):
        """The dtype."""
        return self.dtype

    def align(self, other, join="outer", axis=None, fill_value=None):
        """Both series with the same labels; values of labels that one does not have are null or `fill_value`."""
        if axis is not None:
            _rows_only(axis, "align")
        made = _SERIES["align"](self, other, join)
        return made if fill_value is None else tuple(_with_fill(before, after, fill_value) for before, after in zip((self, other), made))

    def reindex(self, index, method=None, limit=None, fill_value=None, tolerance=None, axis=None, level=None, copy=None):
        """The values of some labels. What is not there is null or `fill_value`, or by `method` a value near it, which is at most
        `tolerance` away.
        """
        if level is not None:
            raise _error("NotImplementedError", "reindex", "level is not implemented")
        if axis is not None:
            _rows_only(axis, "reindex")
        if tolerance is None:
            return _SERIES["reindex"](self, index, method, limit, fill_value)
        return _reindexed(self, index, method, limit, fill_value, tolerance)

    def reindex_like(self, other, method=None, copy=None, limit=None, tolerance=None):
        """The values of the labels of another series."""
        if method is None and tolerance is None:
            return _SERIES["reindex_like"](self, other)
        return self.reindex(other.index, method, limit, None, tolerance)

    def xs(self, key, level=None, axis=0, drop_level=True):
        """The rows of a label, or of a label of some levels, without these levels unless drop_level=False."""
        _rows_only(axis, "xs")
        return _cross(self, key, level, drop_level)

    def corr(self, other, method="pearson", min_periods=None):
        """The correlation with another series, by row labels; None where fewer than `min_periods` rows have both values."""
        made = _SERIES["corr"](self, other, method)
        return None if min_periods is not None and _pairs_of(self, other) < min_periods else made

    def cov(self, other, ddof=1, min_periods=None):
        """The covariance with another series, by row labels; None where fewer than `min_periods` rows have both values."""
        made = _SERIES["cov"](self, other, ddof)
        return None if min_periods is not None and _pairs_of(self, other) < min_periods else made

    def compare(self, other, keep_shape=False, keep_equal=False, result_names=("self", "other"), align_axis=1):
        """The values that differ from those of another series of the same labels, beside each other, or with align_axis=0 below each
        other.
        """
        made = _SERIES["compare"](self, other, keep_shape, keep_equal, result_names)
        if _axis(align_axis, "compare") == 1:
            return made
        return _alternating([_plain(made[name]).rename(None) for name in result_names], result_names, made.index)

    def searchsorted(self, value=_UNSET, side="left", sorter=None, values=_UNSET):
        """The positions before which values keep the order of a sorted series; `sorter` has the positions of its values in order."""
        if (value is _UNSET) == (values is _UNSET):
            raise _error("TypeError", "searchsorted", "give value")
        given = values if value is _UNSET else value
        return _SERIES["searchsorted"](self if sorter is None else self.take(sorter), given, side)

    def pow(self, other, fill_value=None):
        """To the power of another operand, with `fill_value` for what one of two series does not have."""
        return _power(self, other, "pow", fill_value)

    def rpow(self, other, fill_value=None):
        """The other operand to the power of this one, with `fill_value` for what one of two series does not have."""
        if isinstance(other, Series):
            return _power(other, self, "pow", fill_value)
        return _power(self, other, "rpow", fill_value)

    def divmod(self, other, fill_value=None):
        """The quotient rounded down and the remainder."""
        return self.floordiv(other, fill_value), self.mod(other, fill_value)

    def rdivmod(self, other, fill_value=None):
        """The quotient of the other operand by this one, rounded down, and the remainder."""
        return self.rfloordiv(other, fill_value), self.rmod(other, fill_value)

    def dot(self, other):
        """The sum of the products with a series of the same labels or an array; of a frame one for each column."""
        operation = "dot"
        if isinstance(other, DataFrame):
            return _by_label({label: self.dot(other[label]) for label in other.columns}).rename(self.name)
        if isinstance(other, Series):
            if builtins.len(other) != builtins.len(self) or not other.index.isin(self.index).all():
                raise _error("ValueError", operation, "both series have the same row labels")
            return (self * other).sum()
        other = Series(other)
        if builtins.len(other) != builtins.len(self):
            raise _error("ValueError", operation, f"{builtins.len(self)} and {builtins.len(other)} values do not go together")
        return (_plain(self) * _plain(other)).sum()

    def combine(self, other, func, fill_value=None):
        """What a function makes of each value and the one of the same label in another series, or a single value. `fill_value` stands
        for labels that one does not have.
        """
        if not isinstance(other, Series):
            made = Series([func(value, other) for value in self.to_list()], name=self.name)
            return made.to_device(self.device).with_index(self.index)
        left, right = self.align(other, fill_value=fill_value)
        made = Series([func(one, two) for one, two in zip(left.to_list(), right.to_list())]).to_device(self.device)
        return made.with_index(left.index).rename(self.name if self.name == other.name else None)

    def pop(self, item):
        """The value of a label, and the series without it."""
        if item not in self.index:
            raise _error("KeyError", "pop", f"there is no row label {item!r}")
        return self.at[item], self.drop(item)


_add(_OfBoth, DataFrame, Series)
_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
