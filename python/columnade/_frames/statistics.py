"""Statistics of frames and series: counts, descriptions, correlations, quantiles, extremes and modes, labelled by row as in pandas."""

from __future__ import annotations

import builtins
import functools

from .. import _columnade as native
from .agg import _label_index, _one_row
from .aggregates import _of_rows
from .._columnade import DataFrame, Index, Series, col, concat
from .._common import _axis, _by_label, _error, _is_kind, _is_number, _list, _plain, _rows_only, struct_labels
from .._convert import operand
from .._counts import counting
from .._errors import ColumnadeError, make, under
from .._install import compiled, methods
from .._groups.methods import _flags


_DESCRIBE, _QUANTILE, _MODE = (compiled(DataFrame, name) for name in ("describe", "quantile", "mode"))
_PAIRS = {name: compiled(DataFrame, name) for name in ("corr", "cov")}
_EXTREMES = {name: compiled(DataFrame, name) for name in ("idxmax", "idxmin")}
_PLACES = {"idxmax": "arg_max", "idxmin": "arg_min"}
_LABEL_OF = {name: compiled(Series, name) for name in ("idxmax", "idxmin")}
_DESCRIBE_SERIES, _COUNTS = compiled(Series, "describe"), compiled(Series, "value_counts")
_CORR, _COV, _DISTINCT, _MODES = (compiled(Series, name) for name in ("corr", "cov", "nunique", "modes"))
_KINDS = ("KeyError", "TypeError", "ValueError", "IndexError", "OverflowError", "NotImplementedError")


def _chosen(self, numeric_only):
    return self[[label for label, dtype in self.dtypes.items() if _is_number(dtype)]] if numeric_only else self


def _numbered(frame):
    """The frame under labels that no statistic has, and its own labels."""
    labels = builtins.list(frame.columns)
    return frame.set_axis([f"column {place}" for place in range(builtins.len(labels))], axis=1), labels


def _with_first_as_labels(made, labels):
    """A table whose first column has the row labels, under other labels of the columns."""
    index = Index(_plain(made[made.columns[0]])).rename(None)
    return made[made.columns[1:]].set_axis(labels, axis=1).with_index(index)


def _enough(self, made, min_periods):
    """A table of pairs of columns, null for those of which fewer rows have both values."""
    if min_periods is None or min_periods <= 1:
        return made
    labels = [label for label in made.columns if label in self]
    flags = {label: _plain(self[label]).is_not_null() for label in labels}
    known = {label: [(flags[label] & flags[other]).sum() >= min_periods for other in labels] for label in labels}
    columns = {label: made[label].where(Series(known[label])) if label in known else made[label] for label in made.columns}
    return DataFrame({label: _plain(values) for label, values in columns.items()}).with_index(made.index)


def _beside(values, other, operation):
    """Another series: one of another library and an array go by position."""
    if isinstance(other, Series):
        return other
    found = operand(other, operation)
    if found is None:
        return other
    if builtins.len(found) != builtins.len(values):
        raise _error("ValueError", operation, f"other has {builtins.len(found)} values, and there are {builtins.len(values)} rows")
    return found.to_device(values.device).with_index(values.index)


def _pairs_of(self, other):
    """The number of labels with a value on both sides."""
    left, right = self.align(other, join="inner")
    return builtins.int((_plain(left).is_not_null() & _plain(right).is_not_null()).sum())


def _described(self, percentiles, include, exclude):
    """What `describe` says about columns of some dtypes, in a column of what it is and one for each."""
    if exclude is None and (include is None or include == "all"):
        return _DESCRIBE(self, percentiles, include)
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
    return _DESCRIBE(frame, percentiles, None if all(numbers) or not any(numbers) else "all")


def _of_pairs(self, name, numeric_only, options):
    if numeric_only:
        self = self[[label for label, dtype in self.dtypes.items() if _is_number(dtype)]]
    frame, labels = _numbered(self)
    try:
        of, least = options
        made = _enough(frame, _PAIRS[name](frame, of), least)
    except ColumnadeError as error:
        raise _in_words(error, frame.columns, labels) from None
    return made[made.columns[1:]].set_axis(labels, axis=1).with_index(_label_index(labels))


def _in_words(error, numbered, labels):
    """The error with the labels of the frame in place of those of its columns by number."""
    names = dict(zip(numbered, map(builtins.str, labels)))
    text = builtins.str(error)
    for label in reversed(builtins.list(names)):
        text = text.replace(label, names[label])
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in _KINDS]
    column = names.get(error.column, error.column)
    return make(kinds[0] if kinds else "ValueError", text, operation=error.operation, column=column, dtype=error.dtype)


def _of_extreme(self, name, axis, skipna, numeric_only):
    if not _flags(name, skipna, "skipna"):
        raise _error("NotImplementedError", name, "skipna=False is not implemented: nulls are left out")
    frame = self[[label for label, dtype in self.dtypes.items() if _is_number(dtype)]] if numeric_only else self
    if _axis(axis, name) == 0:
        if frame.index.nlevels > 1 and frame.columns:
            places = [getattr(frame[label], _PLACES[name])() for label in frame.columns]
            numbers = Series(places, dtype="int64").to_device(frame.device).with_index(_label_index(frame.columns))
            return struct_labels(frame.index, numbers)
        return _one_row(_EXTREMES[name](frame)) if frame.columns else _by_label({})
    labels = builtins.list(frame.columns)
    is_mixed = any(isinstance(label, tuple) for label in labels) and not all(isinstance(label, tuple) for label in labels)
    if is_mixed:
        reason = "axis=1 gives labels of columns as values, and tuples beside others have no dtype: rename them before"
        raise _error("NotImplementedError", name, reason)
    if not labels or not all(_is_number(dtype) for dtype in frame.dtypes.values()):
        raise _error("TypeError", name, f"axis=1 is of columns of numbers, not {frame.dtypes}: give numeric_only=True")
    pick = native.max_horizontal if name == "idxmax" else native.min_horizontal
    # Integers and floats in one dtype, NaN as a value that is missing, as null is.
    parts = [col(label).cast("float64") for label in labels]
    parts = [native.when(part.is_nan()).then(None).otherwise(part) for part in parts]
    best = functools.reduce(pick, parts)
    made = native.lit(None)
    for place, part in reversed(builtins.list(enumerate(parts))):
        made = native.when(part == best).then(place).otherwise(made)
    places = frame.reset_index(drop=True).select(made.alias("made"))["made"]
    index = _label_index(labels)
    if index.nlevels > 1:
        return struct_labels(index.rename(builtins.list(self._level_names)), places.rename(None).with_index(self.index))
    names = _plain(index).to_device(self.device)
    return names.take(places.fill_null(0)).mask(_plain(places.is_null())).rename(None).with_index(self.index)


def _label_at(self, name, place_of):
    if self.index.nlevels == 1:
        return _LABEL_OF[name](self)
    place = place_of()
    return None if place is None else self.index.take([place]).to_list()[0]


def _distinct(self, dropna):
    """The number of distinct values of each column, by label."""
    made = _by_label({label: self[label].nunique() for label in self.columns})
    if dropna or not builtins.len(made):
        return made
    nulls = Series([int(self[label].null_count > 0) for label in self.columns]).to_device(made.device)
    return made + nulls.with_index(made.index)


def _correlations(self, other, method, numeric_only):
    """The correlation of each column with the one of the same label, or with a series."""
    labels = [label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)]
    made = {}
    for label in labels:
        theirs = other if isinstance(other, Series) else other[label] if label in other else None
        made[label] = None if theirs is None else self[label].corr(theirs.reindex(self.index), method=method)
    return Series([None if value is None else float(value) for value in made.values()], dtype="float64").with_index(
        Index(builtins.list(made))
    )


def _counted_in_bins(self, bins, normalize, sort, ascending, dropna):
    """How many values are between edges: as a series by bin."""
    edges = bins.to_list() if isinstance(bins, (Index, Series)) else bins.tolist() if hasattr(bins, "tolist") else bins
    if not isinstance(edges, (builtins.list, tuple)):
        raise _error("TypeError", "value_counts", f"bins is a number or a list of edges, not {type(bins).__name__}")
    binned = self.reset_index(drop=True).cut(builtins.list(edges), include_lowest=True)
    categories = binned.cat.categories().to_list()
    codes = DataFrame({"code": binned.drop_nulls().cat.codes().reset_index(drop=True).cast("int64")})
    counted = codes.group_by("code").agg(native.len().alias("count"))
    all_bins = DataFrame({"code": Series(builtins.range(builtins.len(categories)), dtype="int64").to_device(self.device)})
    counts = all_bins.merge(counted, "left", on="code", maintain_order="left_right")["count"].fill_null(0)
    # As in pandas, where a null is in no bin but among the values of which a share is.
    name = "proportion" if normalize else "count"
    values = counts / builtins.len(self) if normalize and builtins.len(self) else counts
    bin_names = Series(categories).to_device(self.device).cast("category").cat.set_categories(categories, ordered=True)
    made = values.reset_index(drop=True).rename(name).with_index(Index(bin_names.reset_index(drop=True)).rename(None))
    if dropna and not codes.shape[0]:
        return made.head(0)
    return made.sort_values(ascending=ascending) if sort else made


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def describe(self, percentiles=None, include=None, exclude=None):
        """Number, mean, deviation, extremes and quantiles of columns of numbers, in rows of these labels; number, distinct values and the
        most frequent one of others. `include` and `exclude` are "all" or dtypes and kinds of dtypes, as of `select_dtypes`.
        """
        frame, labels = _numbered(self)
        try:
            made = _described(frame, percentiles, include, exclude)
        except ColumnadeError as error:
            raise _in_words(error, frame.columns, labels) from None
        kept = [labels[frame.columns.index(label)] for label in made.columns[1:]]
        return _with_first_as_labels(made, kept)

    def corr(self, method="pearson", min_periods=1, numeric_only=False):
        """The correlation of each pair of columns, whose labels those of rows and columns are; null for those of which fewer than
        `min_periods` rows have both values.
        """
        return _of_pairs(self, "corr", numeric_only, (method, min_periods))

    def cov(self, ddof=1, min_periods=None, numeric_only=False):
        """The covariance of each pair of columns, whose labels those of rows and columns are; null for those of which fewer than
        `min_periods` rows have both values.
        """
        return _of_pairs(self, "cov", numeric_only, (ddof, min_periods))

    def idxmax(self, axis=0, skipna=True, numeric_only=False):
        """The row label of the largest value of each column, by label; with axis=1 the label of the column for each row."""
        return _of_extreme(self, "idxmax", axis, skipna, numeric_only)

    def idxmin(self, axis=0, skipna=True, numeric_only=False):
        """The row label of the smallest value of each column, by label; with axis=1 the label of the column for each row."""
        return _of_extreme(self, "idxmin", axis, skipna, numeric_only)

    @counting
    def quantile(self, q=0.5, interpolation="linear", axis=0, numeric_only=False, method="single"):
        """A quantile of each column, by label, or a row for each share of a list."""
        _rows_only(axis, "quantile")
        if method != "single":
            raise _error("NotImplementedError", "quantile", f'method is "single", not {method!r}')
        made = _QUANTILE(_chosen(self, numeric_only), builtins.list(q) if isinstance(q, tuple) else q, interpolation)
        return made if isinstance(q, (builtins.list, tuple)) or hasattr(q, "__len__") else _one_row(made).rename(q)

    def nunique(self, axis=0, dropna=True):
        """The number of distinct values of each column, by label, or with axis=1 of each row; dropna=False counts null as one."""
        if _axis(axis, "nunique") == 0:
            return _distinct(self, dropna)
        kinds = builtins.list(self.dtypes.values())
        if not kinds or any(kind != kinds[0] for kind in kinds) and not all(_is_number(kind) for kind in kinds):
            raise _error("TypeError", "nunique", f"axis=1 is of columns of one dtype or of numbers, not {self.dtypes}")
        cast = (lambda values: values) if all(kind == kinds[0] for kind in kinds) else (lambda values: values.cast("float64"))
        rows = native.row_number().alias("row")
        parts = [self.reset_index(drop=True).select(rows, cast(col(label)).alias("value")) for label in self.columns]
        values = col("value").nunique()
        if not _flags("nunique", dropna, "dropna"):
            values = values + col("value").is_null().any().cast("int64")
        parts = [part.set_axis(["row", "value"], axis=1) for part in parts]
        made = concat(parts, ignore_index=True).group_by("row", sort=True).agg(values.alias("made"))["made"]
        return made.rename(None).with_index(self.index)

    def corrwith(self, other, method="pearson", numeric_only=False, axis=0, drop=False, min_periods=None):
        """The correlation of each column with the one of the same label in another frame, or with a series, by row labels. `drop` leaves
        out columns that are null, and so are those of which fewer than `min_periods` rows have both values.
        """
        _rows_only(axis, "corrwith")
        made = _correlations(self, other, method, numeric_only)
        if min_periods is not None:
            labels = made.index.to_list()
            theirs = dict.fromkeys(labels, other)
            if not isinstance(other, Series):
                theirs = {label: other[label] for label in labels if label in other}
            enough = [label in theirs and _pairs_of(self[label], theirs[label]) >= min_periods for label in labels]
            made = made.where(Series(enough, dtype="bool").with_index(made.index))
        return made.drop_nulls() if drop else made

    def mode(self, axis=0, numeric_only=False, dropna=True):
        """The most frequent values of each column, with nulls below those of which there are fewer; dropna=False counts nulls too."""
        _rows_only(axis, "mode")
        frame = self[[label for label, dtype in self.dtypes.items() if _is_number(dtype)]] if numeric_only else self
        if dropna or not frame.columns:
            return _MODE(frame)
        made = {label: frame[label].modes(dropna=False) for label in frame.columns}
        rows = Index.range(0, max(builtins.len(values) for values in made.values()))
        return DataFrame({label: values.reindex(rows) for label, values in made.items()})

    def count(self, axis=0):
        """The number of values of each column that are not null, by label; with axis=1 of each row."""
        if axis in (1, "columns"):
            return _of_rows(self, "count", self.columns, {})
        return _by_label({label: self[label].count() for label in self.columns})

    def value_counts(self, subset=None, normalize=False, sort=True, ascending=False, dropna=True):
        """How often each row occurs, of all columns or of a subset; the row labels are the values."""
        labels = self.columns if subset is None else _list(subset)
        name = "proportion" if normalize else "count"
        made = self.group_by(*labels, dropna=dropna, as_index=True).agg(**{name: native.len()})
        counts = made[name]
        if normalize:
            counts = counts / counts.sum()
        return counts.sort_values(ascending=ascending) if sort else counts


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def value_counts(self, normalize=False, sort=True, ascending=False, dropna=True, bins=None):
        """How often each value occurs, or how many values are in each bin: of a number of equal ones, or between edges."""
        if bins is None or isinstance(bins, int) and not isinstance(bins, bool):
            if bins is not None and (self.dtype == "bool" or not _is_number(self.dtype)):
                raise make(
                    "TypeError", f"value_counts: bins are of numbers, not of {self.dtype}", operation="value_counts",
                    column=None if self.name is None else builtins.str(self.name), dtype=builtins.str(self.dtype),
                )
            with under("value_counts"):
                made = _COUNTS(self.rename("value"), normalize, sort, ascending, dropna, bins).set_index("value")
            return made[made.columns[0]].with_index(made.index.rename(self.name if bins is None else None))
        return _counted_in_bins(self, bins, normalize, sort, ascending, dropna)

    def describe(self, percentiles=None, include=None, exclude=None):
        """Number, mean, deviation, extremes and quantiles of numbers; number, distinct values and the most frequent one of others: a series
        with these labels. Of other values than numbers it is text. `include` and `exclude` are about frames.
        """
        made = _DESCRIBE_SERIES(self.rename("value"), percentiles)
        made = _with_first_as_labels(made, ["value"])["value"].rename(self.name)
        # Times have no deviation in pandas' table.
        return made.drop("std") if builtins.str(self.dtype).startswith(("timestamp", "date")) else made

    def idxmax(self):
        """The label of the row with the largest value, of labels of several levels a tuple."""
        return _label_at(self, "idxmax", self.arg_max)

    def idxmin(self):
        """The label of the row with the smallest value, of labels of several levels a tuple."""
        return _label_at(self, "idxmin", self.arg_min)

    def mode(self, dropna=True):
        """The most frequent values, in order; dropna=False counts nulls too."""
        return self.modes(dropna)

    def modes(self, dropna=True):
        """All values that are the most frequent, in order; dropna=False counts nulls too."""
        made = _MODES(self)
        if dropna or not self.null_count:
            return made
        first = made.to_list()[:1]
        most = (self == first[0]).sum() if first else 0
        missing = Series([None], dtype=self.dtype, name=self.name, device=self.device)
        if self.null_count < most:
            return made
        return missing if self.null_count > most else native.concat([made, missing], ignore_index=True).rename(self.name)

    def nunique(self, dropna=True):
        """The number of distinct values; dropna=False counts null as one."""
        made = _DISTINCT(self)
        return made if dropna else made + int(self.null_count > 0)

    def corr(self, other, method="pearson", min_periods=None):
        """The correlation with another series, by row labels; None where fewer than `min_periods` rows have both values."""
        other = _beside(self, other, "corr")
        made = _CORR(self, other, method)
        return None if min_periods is not None and _pairs_of(self, other) < min_periods else made

    def cov(self, other, ddof=1, min_periods=None):
        """The covariance with another series, by row labels; None where fewer than `min_periods` rows have both values."""
        other = _beside(self, other, "cov")
        made = _COV(self, other, ddof)
        return None if min_periods is not None and _pairs_of(self, other) < min_periods else made
