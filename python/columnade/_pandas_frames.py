"""Names of pandas for frames and series that need no Rust: operands the other way round, rows between labels and times of day,
comparisons, and shapes.

They are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import collections
import datetime
import operator

from . import _columnade as native
from ._columnade import DataFrame, Series
from ._pandas import _add, _by_label, _error, _is_number, _list, _names, piped

_names(DataFrame, subtract="sub", multiply="mul", divide="div", kurtosis="kurt")
_names(Series, subtract="sub", multiply="mul", divide="div", kurtosis="kurt")


def _reversed(name, ours):
    operate = getattr(operator, name)

    def method(self, other, fill_value=None):
        if fill_value is None:
            return operate(other, self)
        if isinstance(other, (DataFrame, Series)):
            return getattr(other, ours)(self, fill_value=fill_value)
        return operate(other, self.fill_null(fill_value))

    method.__name__ = method.__qualname__ = f"r{name}"
    method.__doc__ = f"`{name}` of the other operand and this one, with `fill_value` for values that are missing."
    return method


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    for _of in (DataFrame, Series):
        if _name != "pow":
            setattr(_of, f"r{_name}", _reversed(_name, _name))
setattr(Series, "rpow", lambda self, other: operator.pow(other, self))
_names(DataFrame, rdiv="rtruediv")
_names(Series, rdiv="rtruediv")


def _times(self, operation):
    index = self.index
    if index.kind != "datetime":
        raise _error("TypeError", operation, f"the row labels are times, not {index.dtype}")
    return Series(index.time)


def _time(value, operation):
    if isinstance(value, datetime.time):
        return value
    try:
        # Python wants two digits of the hour.
        return datetime.time.fromisoformat(value if value[1:2] != ":" else f"0{value}")
    except (TypeError, ValueError):
        raise _error("ValueError", operation, f'times of day are datetime.time or "9:30", not {value!r}') from None


def _kept(self, mask):
    return self[mask.with_index(self.index)]


class _OfBoth:
    """Methods of frames and series."""

    def pipe(self, func, *args, **kwargs):
        """What a function makes of this: `func(self, …)`, or of a pair `(func, name)` with this as the argument of that name."""
        return piped(self, func, args, kwargs)

    def truncate(self, before=None, after=None):
        """The rows from one label to another, which both belong to it. The labels ascend or descend."""
        if not self.index.is_monotonic_increasing and not self.index.is_monotonic_decreasing:
            raise _error("ValueError", "truncate", "the row labels are not sorted: call sort_index first")
        if before is not None and after is not None and before > after:
            raise _error("ValueError", "truncate", f"after, {after!r}, is less than before, {before!r}")
        if self.index.is_monotonic_decreasing and not self.index.is_monotonic_increasing:
            before, after = after, before
        return self.loc[before:after]

    def at_time(self, time):
        """The rows whose times have this time of day."""
        return _kept(self, _times(self, "at_time") == _time(time, "at_time"))

    def between_time(self, start_time, end_time, inclusive="both"):
        """The rows whose times of day are between two, which belong to it: inclusive is "both", "left", "right" or "neither". An end
        before the start is one after midnight.
        """
        operation = "between_time"
        if inclusive not in ("both", "left", "right", "neither"):
            raise _error("ValueError", operation, "inclusive is both, left, right or neither")
        times, start, end = _times(self, operation), _time(start_time, operation), _time(end_time, operation)
        after = times >= start if inclusive in ("both", "left") else times > start
        before = times <= end if inclusive in ("both", "right") else times < end
        return _kept(self, after & before if start <= end else after | before)

    def tz_localize(self, tz, ambiguous="raise", nonexistent="raise"):
        """The times of the row labels as local times of a zone, see `Index.tz_localize`."""
        return self.with_index(self.index.tz_localize(tz, ambiguous, nonexistent))

    def tz_convert(self, tz):
        """The times of the row labels in another zone."""
        return self.with_index(self.index.tz_convert(tz))


def _compared(label, ours, theirs, kept, keep_equal, names):
    """The values of two columns, null where they are equal unless those are kept."""
    if keep_equal:
        return {(label, names[0]): ours, (label, names[1]): theirs}
    return {(label, names[0]): ours.where(kept), (label, names[1]): theirs.where(kept)}


class _OfFrames:
    """Methods of frames."""

    @property
    def axes(self):
        """The row labels and those of the columns."""
        return [self.index, self.columns]

    def keys(self):
        """The labels of the columns."""
        return self.columns

    def get(self, key, default=None):
        """A column, or columns of a list, or `default` where one is not there."""
        labels = key if isinstance(key, builtins.list) else [key]
        return self[key] if all(label in self for label in labels) else default

    def product(self, axis=0, numeric_only=False, min_count=0):
        """The product of each column, by label; with axis=1 of each row."""
        return self.prod(axis, numeric_only, min_count=min_count)

    def set_axis(self, labels, axis=0):
        """Other labels of the rows, or with axis=1 of the columns."""
        if axis in (0, "index"):
            return self.with_index(labels if isinstance(labels, native.Index) else native.Index(labels))
        if axis not in (1, "columns"):
            raise _error("ValueError", "set_axis", "axis is 0 or 1")
        labels = builtins.list(labels)
        if builtins.len(labels) != builtins.len(self.columns):
            reason = f"{builtins.len(labels)} labels for {builtins.len(self.columns)} columns"
            raise _error("ValueError", "set_axis", reason)
        if any(isinstance(label, tuple) for label in self.columns) and not any(isinstance(label, tuple) for label in labels):
            # `rename` keeps the levels of the labels.
            columns = {label: self[old].reset_index(drop=True) for label, old in zip(labels, self.columns)}
            if builtins.len(columns) == builtins.len(labels):
                return DataFrame(columns).with_index(self.index)
        return self.rename(columns=dict(zip(self.columns, labels)))

    def squeeze(self, axis=None):
        """One column as a series, one row as a series by column, and a single value as itself."""
        if axis not in (None, 0, 1, "index", "columns"):
            raise _error("ValueError", "squeeze", "axis is 0, 1 or None")
        rows, columns = self.shape
        if columns == 1 and axis in (None, 1, "columns"):
            column = self[self.columns[0]]
            return column.to_list()[0] if rows == 1 and axis is None else column
        if rows == 1 and axis in (None, 0, "index"):
            return _by_label({label: self[label].to_list()[0] for label in self.columns})
        return self

    def itertuples(self, index=True, name="Pandas"):
        """Each row as a named tuple, with its label first: for small results. Expressions are faster where there is one."""
        columns = ([self.index.to_list()] if index else []) + [self[label].to_list() for label in self.columns]
        labels = (["Index"] if index else []) + [builtins.str(label) for label in self.columns]
        if name is None:
            return zip(*columns)
        named = collections.namedtuple
        row = named(name, labels, rename=True)
        return (row(*values) for values in zip(*columns))

    def transform(self, func):
        """What functions make of each column, as long as it: a function or its name, or by column as a dictionary says."""
        by_column = func if isinstance(func, dict) else {label: func for label in self.columns}
        made = {label: self[label].transform(of) for label, of in by_column.items()}
        return DataFrame(made).with_index(self.index)

    def compare(self, other, keep_shape=False, keep_equal=False, result_names=("self", "other")):
        """The values that differ from those of another frame of the same labels, in columns of two levels."""
        if not isinstance(other, DataFrame):
            raise _error("TypeError", "compare", f"a frame is compared with a frame, not {type(other).__name__}")
        if self.columns != other.columns or not self.index.equals(other.index):
            raise _error("ValueError", "compare", "both frames have the same labels of rows and columns")
        differs = {label: ~self[label].eq_missing(other[label]) for label in self.columns}
        if not keep_shape:
            differs = {label: mask for label, mask in differs.items() if mask.any()}
        made = {}
        for label, mask in differs.items():
            made.update(_compared(label, self[label], other[label], mask, keep_equal, result_names))
        frame = DataFrame(made).with_index(self.index) if made else self[[]]
        if keep_shape or not differs:
            return frame if keep_shape else frame.head(0)
        rows = None
        for mask in differs.values():
            rows = mask if rows is None else rows | mask
        return frame[rows]

    def corrwith(self, other, method="pearson", numeric_only=False):
        """The correlation of each column with the one of the same label in another frame, or with a series, by row labels."""
        labels = [label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)]
        made = {}
        for label in labels:
            theirs = other if isinstance(other, Series) else other[label] if label in other else None
            made[label] = None if theirs is None else self[label].corr(theirs.reindex(self.index), method=method)
        return Series([None if value is None else float(value) for value in made.values()], dtype="float64").with_index(
            native.Index(builtins.list(made))
        )


class _OfSeries:
    """Methods of series."""

    @property
    def axes(self):
        """The row labels."""
        return [self.index]

    @property
    def T(self):
        """The series itself."""
        return self

    def transpose(self):
        """The series itself."""
        return self

    @property
    def nbytes(self):
        """The bytes of the values."""
        return self.memory_usage(index=False)

    def keys(self):
        """The row labels."""
        return self.index

    def items(self):
        """Each label with its value."""
        return zip(self.index.to_list(), self.to_list())

    def get(self, key, default=None):
        """The value of a label, or `default` where it is not there."""
        return self.at[key] if key in self.index else default

    def item(self):
        """The only value."""
        if builtins.len(self) != 1:
            raise _error("ValueError", "item", f"there are {builtins.len(self)} values, not one")
        return self.to_list()[0]

    def squeeze(self, axis=None):
        """A single value as itself, else the series."""
        return self.item() if builtins.len(self) == 1 else self

    def set_axis(self, labels):
        """Other row labels."""
        return self.with_index(labels if isinstance(labels, native.Index) else native.Index(labels))

    def drop(self, labels=None, index=None):
        """The values without those of some labels."""
        labels = index if labels is None else labels
        if labels is None:
            raise _error("ValueError", "drop", "give labels")
        frame = self.to_frame()
        return frame.drop(index=labels)[frame.columns[0]]

    def transform(self, func, *args, **kwargs):
        """What a function, or a method by its name, makes of the series, which is as long as it; of a list a frame of them."""
        if isinstance(func, builtins.list):
            return DataFrame({_called(of): self.transform(of) for of in func}).with_index(self.index)
        made = getattr(self, func)(*args, **kwargs) if isinstance(func, builtins.str) else func(self, *args, **kwargs)
        if not isinstance(made, Series) or builtins.len(made) != builtins.len(self):
            raise _error("ValueError", "transform", "the function does not give a value for each row: use agg")
        return made

    def agg(self, func, *args, **kwargs):
        """An aggregate by its name, or what a function makes of the series; of a list of them a series by name."""
        if isinstance(func, (builtins.list, dict)):
            named = func if isinstance(func, dict) else {_called(of): of for of in func}
            return _by_label({name: self.agg(of) for name, of in named.items()}).rename(self.name)
        return getattr(self, func)(*args, **kwargs) if isinstance(func, builtins.str) else func(self, *args, **kwargs)

    def case_when(self, caselist):
        """Other values where conditions hold, the first that does: pairs of a condition and a value, a series or a list."""
        made = self
        for condition, value in reversed(caselist):
            condition = condition(self) if callable(condition) else condition
            condition = condition if isinstance(condition, Series) else Series(condition).with_index(self.index)
            value = value(self) if callable(value) else value
            made = made.mask(condition, Series(value).with_index(self.index) if isinstance(value, builtins.list) else value)
        return made

    def compare(self, other, keep_shape=False, keep_equal=False, result_names=("self", "other")):
        """The values that differ from those of another series of the same labels, beside each other."""
        if not isinstance(other, Series):
            raise _error("TypeError", "compare", f"a series is compared with a series, not {type(other).__name__}")
        if not self.index.equals(other.index):
            raise _error("ValueError", "compare", "both series have the same row labels")
        differs = ~self.eq_missing(other)
        made = _compared("", self, other, differs, keep_equal, result_names)
        frame = DataFrame({name: values for (_, name), values in made.items()}).with_index(self.index)
        return frame if keep_shape else frame[differs]


def _called(func):
    return func if isinstance(func, builtins.str) else getattr(func, "__name__", builtins.str(func))


_add(_OfBoth, DataFrame, Series)
_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
_names(Series, aggregate="agg")
