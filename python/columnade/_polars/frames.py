"""Names of Polars for frames and groups that need no Rust. Frames are immutable, and their rows keep their labels."""

from __future__ import annotations

import builtins
import functools
import operator

from .._columnade import DataFrame, Expr, Series, col, concat, max_horizontal, min_horizontal, row_number
from .._common import _error, _list, put
from .._errors import under
from .._frames.concat import merge_sorted
from .._groups.core import GroupBy
from .._install import compiled, methods, naming
from .._groups.methods import _labels
from .choose import frame_and_keys, labels_in
from .columns import Columns
from .functions import mean_horizontal, sum_horizontal


_SIZES = {"b": 0, "kb": 1, "mb": 2, "gb": 3, "tb": 4}


def _flags(value, count, operation, argument):
    """One boolean for each of several columns."""
    made = value if isinstance(value, builtins.list) else [value] * count
    if builtins.len(made) != count or not all(isinstance(flag, bool) for flag in made):
        raise _error("ValueError", operation, f"{argument} is a boolean, or one for each of the {count} columns")
    return made


def _keys(frame, by, operation):
    """A frame that has all columns to sort by, and their labels: those of expressions are new ones."""
    frame, keys = frame_and_keys(frame, by if isinstance(by, (builtins.list, tuple)) else [by], operation)
    made = {place: key for place, key in enumerate(keys) if isinstance(key, Expr)}
    if not keys:
        raise _error("ValueError", operation, "give a column")
    labels = [("by", place) if place in made else key for place, key in enumerate(keys)]
    with under(operation):
        return (frame.with_columns(*(key.alias(("by", place)) for place, key in made.items())) if made else frame), labels


def _position(frame, index, operation, last):
    """The place of a column, counted from the end where it is negative."""
    width = builtins.len(frame.columns)
    place = index + width + last if index < 0 else index
    if not 0 <= place < width + last:
        raise _error("IndexError", operation, f"there is no column {index}: there are {width}")
    return place


def _no_row(frame, row):
    raise _error("IndexError", "item", f"there is no row {row}: there are {frame.shape[0]}")


def _rows_of(frame, values, operation):
    """A series as a column of a frame, row by row."""
    if not isinstance(values, Series):
        raise _error("TypeError", operation, f"a series is given, not {type(values).__name__}")
    if frame.columns and builtins.len(values) != builtins.len(frame):
        raise _error("ValueError", operation, f"{builtins.len(values)} values for {builtins.len(frame)} rows")
    return values.reset_index(drop=True).with_index(frame.index) if frame.columns else values


def _horizontal(frame, compute, name, **options):
    if not frame.columns:
        raise _error("ValueError", f"{name}_horizontal", "there are no columns")
    return frame.select(compute(*frame.columns, **options).alias(name))[name]


@methods(DataFrame)
class _Shapes:
    """What frames are like."""

    @property
    def height(self):
        """The number of rows."""
        return self.shape[0]

    @property
    def width(self):
        """The number of columns."""
        return self.shape[1]

    @property
    def schema(self):
        """The dtype of each column, by label."""
        return self.dtypes

    def is_empty(self):
        """Whether there are no rows."""
        return self.shape[0] == 0

    def estimated_size(self, unit="b"):
        """The memory of the columns in "b" (bytes), "kb", "mb", "gb" or "tb", of 1024 each."""
        if unit not in _SIZES:
            raise _error("ValueError", "estimated_size", f'unit is "b", "kb", "mb", "gb" or "tb", not {unit!r}')
        return self.memory_bytes if unit == "b" else self.memory_bytes / 1024 ** _SIZES[unit]

    def n_unique(self, subset=None):
        """The number of distinct rows, or of distinct rows of some columns."""
        return builtins.len(self.unique(subset))

    def null_count(self):
        """The number of nulls of each column: a frame of one row."""
        return self.agg(*(col(label).is_null().sum().alias(label) for label in self.columns)) if self.columns else self

    def is_duplicated(self):
        """Whether there is another row like each one."""
        return self.duplicated(keep="none")

    def is_unique(self):
        """Whether there is no other row like each one."""
        return ~self.duplicated(keep="none")

    def glimpse(self, max_items_per_column=10, return_type=None):
        """Prints each column with its dtype and its first values; with return_type="string" the text is returned."""
        if return_type not in (None, "string"):
            raise _error("ValueError", "glimpse", 'return_type is "string" or None')
        rows, columns = self.shape
        names = [f"$ {label}" for label in self.columns]
        width, first = builtins.max((builtins.len(name) for name in names), default=0), self.head(max_items_per_column)
        lines = [f"Rows: {rows}", f"Columns: {columns}"]
        for name, (label, dtype) in zip(names, self.dtypes.items()):
            values = ", ".join("null" if value is None else repr(value) for value in first[label].to_list())
            lines.append(f"{name:{width}} <{dtype}> {values}")
        text = "\n".join(lines) + "\n"
        return text if return_type == "string" else print(text, end="")


@methods(DataFrame)
class _Parts:
    """Values, rows and columns of frames."""

    def item(self, row=None, column=None):
        """The only value, or the one of a row by its position and of a column by its position or label."""
        if row is None and column is None:
            if self.shape != (1, 1):
                raise _error("ValueError", "item", f"there are {self.height} rows and {self.width} columns, not one of both")
            row, column = 0, 0
        elif row is None or column is None:
            raise _error("ValueError", "item", "give both row and column")
        values = self.get_columns()[_position(self, column, "item", 0)] if isinstance(column, int) else self[column]
        return values.iloc[row : row + 1 or None].to_list()[0] if -self.height <= row < self.height else _no_row(self, row)

    def rows(self, named=False):
        """All rows as tuples, or as dictionaries by column with `named`: for small results."""
        return self.to_dicts() if named else builtins.list(self.iter_rows())

    def iter_rows(self, named=False):
        """Each row as a tuple, or as a dictionary by column with `named`: for small results. Expressions are faster where there is one."""
        return iter(self.to_dicts()) if named else zip(*(self[label].to_list() for label in self.columns))

    def iter_slices(self, n_rows=10_000):
        """Parts of this many rows, one behind the other."""
        if n_rows < 1:
            raise _error("ValueError", "iter_slices", f"n_rows is above 0, not {n_rows}")
        return (self.iloc[start : start + n_rows] for start in range(0, self.shape[0], n_rows))

    def get_column(self, name, **default):
        """The column of a label, or `default` where it is given and there is no such column."""
        if builtins.set(default) - {"default"}:
            raise _error("TypeError", "get_column", "the arguments are name and default")
        return default["default"] if default and name not in self else self[name]

    def get_columns(self):
        """All columns."""
        return [self[label] for label in self.columns]

    def iter_columns(self):
        """Each column."""
        return iter(self.get_columns())

    def get_column_index(self, name):
        """The position of a column."""
        if name not in self:
            raise _error("KeyError", "get_column_index", f"there is no column {name!r}", name)
        return self.columns.index(name)

    def to_series(self, index=0):
        """The column at a position, counted from the end where it is negative."""
        return self.get_columns()[_position(self, index, "to_series", 0)]

    def partition_by(self, by, *more_by, maintain_order=True, include_key=True, as_dict=False):
        """A frame of each group, or with `as_dict` a dictionary of them by tuples of keys. Nulls are a key. The order is always that of
        the first rows of the groups.
        """
        keys = [*_list(by), *more_by]
        parts = {key if isinstance(key, tuple) else (key,): part for key, part in self.group_by(keys, dropna=False)}
        if not include_key:
            parts = {key: part.drop(keys) for key, part in parts.items()}
        return parts if as_dict else builtins.list(parts.values())

    def fold(self, operation):
        """What a function makes of the first two columns, and then of that and each further one."""
        if not self.columns:
            raise _error("ValueError", "fold", "there are no columns")
        return functools.reduce(operation, self.get_columns())

    def max_horizontal(self):
        """The greatest value of each row, without nulls."""
        return _horizontal(self, max_horizontal, "max")

    def min_horizontal(self):
        """The least value of each row, without nulls."""
        return _horizontal(self, min_horizontal, "min")

    def sum_horizontal(self, ignore_nulls=True):
        """The sum of each row, 0 of nulls alone. With ignore_nulls=False it is null where a value is."""
        return _horizontal(self, sum_horizontal, "sum", ignore_nulls=ignore_nulls)

    def mean_horizontal(self, ignore_nulls=True):
        """The mean of each row, without nulls. With ignore_nulls=False it is null where a value is."""
        return _horizontal(self, mean_horizontal, "mean", ignore_nulls=ignore_nulls)


_DISTINCT = compiled(Series, "unique")
_UNIQUE, _WRITE_CSV = compiled(DataFrame, "unique"), compiled(DataFrame, "write_csv")


@methods(DataFrame)
class _Made:
    """Frames made of frames."""

    def lazy(self):
        """The frame itself: methods compute at once, so that a chain of Polars from `lazy()` to `collect()` gives the same."""
        return self

    def collect(self):
        """The frame itself, see `lazy`."""
        return self

    def unique(self, subset=None, keep="first", *, maintain_order=True):
        """The rows that differ in some columns, of equal ones the first or the last; "any" is the first, and "none" none. They keep their
        order in any case.
        """
        if not isinstance(maintain_order, bool):
            raise _error("TypeError", "unique", f"maintain_order is True or False, not {maintain_order!r}")
        subset = labels_in(self, subset, "unique")
        return _UNIQUE(self, subset, "first" if keep == "any" else keep)

    def to_dummies(self, columns=None, *, separator="_", drop_first=False, drop_nulls=False):
        """A column of 0 and 1 for each value of some columns, or of all, called after both, and for null where there is one. With `drop_first`
        the value of the first row that has one has no column, and null has none with `drop_nulls`.
        """
        labels = self.columns if columns is None else _list(labels_in(self, columns, "to_dummies"))
        parts, made = {}, {}
        for label in labels:
            has_nulls = self[label].null_count > 0 and not drop_nulls
            frame = self[label].cast("utf8").to_frame(label)
            of = frame.get_dummies([label], separator, dummy_na=has_nulls, dtype="uint8")
            of = of.rename({of.columns[-1]: f"{label}{separator}null"}) if has_nulls else of
            first = frame[label].drop_nulls().head(1).to_list() if drop_first else []
            left_out = [f"{label}{separator}{value}" for value in first]
            # In the order of their labels, as in Polars.
            parts[label] = of[sorted(name for name in of.columns if name not in left_out)]
        for label in self.columns:
            of = parts[label] if label in parts else self[[label]]
            made |= {name: of[name].reset_index(drop=True) for name in of.columns}
        return DataFrame(made).with_index(self.index) if made else self[[]]

    def write_csv(
        self, path=None, delimiter=",", has_header=True, null=None, progress=None, quote_empty=True, *, separator=None, include_header=None,
        null_value=None,
    ):
        """Writes a CSV file, or the same to an open file or buffer. Without a path the file is given as text. `separator`, `include_header`
        and `null_value` are the names of Polars for `delimiter`, `has_header` and `null`.
        """
        delimiter = delimiter if separator is None else separator
        has_header = has_header if include_header is None else include_header
        null = null if null_value is None else null_value
        if path is not None and not hasattr(path, "write"):
            return _WRITE_CSV(self, path, delimiter, has_header, null, progress, quote_empty)
        import io
        import os
        import tempfile

        # The compiled writer has no other target than files.
        with tempfile.TemporaryDirectory() as folder:
            written = os.path.join(folder, "frame.csv")
            _WRITE_CSV(self, written, delimiter, has_header, null, progress, quote_empty)
            with open(written, encoding="utf-8", newline="") as file:
                text = file.read()
        if path is None:
            return text
        put("write_csv", path, text if isinstance(path, io.TextIOBase) else text.encode())
        return None

    def sort(self, by, *more_by, descending=False, nulls_last=False):
        """The rows in order of columns or expressions. Nulls come first, ascending and descending; NaN is greater than all numbers. Equal
        rows keep their order.
        """
        frame, labels = _keys(self, [*_list(by), *more_by], "sort")
        descending = _flags(descending, builtins.len(labels), "sort", "descending")
        last = _flags(nulls_last, builtins.len(labels), "sort", "nulls_last")
        ascending = [not flag for flag in descending]
        return frame.sort_values(labels, ascending=ascending, nulls_first=[not flag for flag in last])[self.columns]

    @naming
    def top_k(self, k, by, reverse=False):
        """The k rows of the greatest values, in order of them: of the least ones for columns of which `reverse` is true. Nulls come
        last.
        """
        frame, labels = _keys(self, by, "top_k")
        return frame.sort_head(k, labels, _flags(reverse, builtins.len(labels), "top_k", "reverse"))[self.columns]

    @naming
    def bottom_k(self, k, by, reverse=False):
        """The k rows of the least values, in order of them: of the greatest ones for columns of which `reverse` is true. Nulls come
        last.
        """
        frame, labels = _keys(self, by, "bottom_k")
        reverse = _flags(reverse, builtins.len(labels), "bottom_k", "reverse")
        return frame.sort_head(k, labels, [not flag for flag in reverse])[self.columns]

    def unpivot(self, on=None, index=None, variable_name=None, value_name=None):
        """The columns `on`, all but those of `index` by default, as rows of their labels and values."""
        on, index = (labels_in(self, given, "unpivot") for given in (on, index))
        index = [] if index is None else _list(index)
        on = [label for label in self.columns if label not in index] if on is None else _list(on)
        variable_name = "variable" if variable_name is None else variable_name
        return self.melt(index, on, var_name=variable_name, value_name="value" if value_name is None else value_name)

    def with_row_index(self, name="index", offset=0):
        """The frame with the numbers of the rows, from `offset` on, as its first column."""
        if name in self:
            raise _error("ValueError", "with_row_index", f"there is a column {name!r} already")
        return self.with_columns((row_number() + (offset - 1)).alias(name))[[name, *self.columns]]

    @naming
    def join_asof(
        self, other, on=None, left_on=None, right_on=None, by=None, by_left=None, by_right=None, strategy="backward", suffix="_right",
        tolerance=None, allow_exact_matches=True,
    ):
        """Each row with the row of another frame that has the nearest key: "backward", not after it, "forward" or "nearest". Both are
        sorted by the key, `by` has keys that are equal, and `tolerance` is a number, a timedelta or text such as "2h". Of two keys that are
        as near, the lesser one is taken, and the greater one in Polars. Categories are compared as `sort` does.
        """
        keys = [key for some in (on, by, by_right) if some is not None for key in _list(some) if not isinstance(key, (Expr, Columns))]
        if isinstance(left_on, str) and isinstance(right_on, str) and left_on == right_on:
            on, left_on, right_on, keys = left_on, None, None, [*keys, left_on]
        made = self.merge_asof(
            other, on=on, left_on=left_on, right_on=right_on, by=by, left_by=by_left, right_by=by_right, direction=strategy,
            tolerance=tolerance, allow_exact_matches=allow_exact_matches, suffixes=("", suffix),
        )
        # The columns of the other frame in its order, as in Polars; those of keys that are equal are there once.
        theirs = [label if label not in self else f"{label}{suffix}" for label in other.columns if label not in keys]
        return made[[*self.columns, *theirs]] if builtins.set(theirs) <= builtins.set(made.columns) else made

    def join_where(self, other, *predicates, how="inner", suffix="_right"):
        """The pairs of rows for which all conditions hold. Columns of the other frame have the suffix where this frame has them too."""
        if how != "inner":
            raise _error("NotImplementedError", "join_where", f'how={how!r} is not implemented: it is "inner"')
        if not predicates:
            raise _error("ValueError", "join_where", "give a condition")
        if any(isinstance(predicate, Series) for predicate in predicates):
            raise _error("TypeError", "join_where", "predicates are expressions, not a series")
        with under("join_where"):
            return self.merge(other, condition=functools.reduce(operator.and_, predicates), suffixes=("", suffix))

    def hstack(self, columns):
        """The frame with further columns, row by row: those of a frame or a list of series."""
        columns = columns.get_columns() if isinstance(columns, DataFrame) else builtins.list(columns)
        made = self
        for values in columns:
            made = made.insert(builtins.len(made.columns), values.name, _rows_of(made, values, "hstack"))
        return made

    def vstack(self, other):
        """The rows of this frame and of another one that has the same columns."""
        if self.columns != other.columns:
            raise _error("ValueError", "vstack", f"the columns are {other.columns} and not {self.columns}: concat takes others too")
        return concat([self, other])

    def extend(self, other):
        """The rows of this frame and of another one that has the same columns; this frame stays as it is."""
        return self.vstack(other)

    def limit(self, n=5):
        """The first rows."""
        return self.head(n)

    def reverse(self):
        """The rows the other way round."""
        return self.iloc[::-1]

    def gather_every(self, n, offset=0):
        """Every n-th row, from a position on."""
        if n < 1 or offset < 0:
            raise _error("ValueError", "gather_every", "n is above 0, and offset is not negative")
        return self.iloc[offset::n]

    def clone(self):
        """The same frame: it shares the memory, which does not change."""
        return self.copy(deep=False)

    def clear(self, n=0):
        """A frame of the same columns without rows, or with this many of nulls."""
        if n < 0:
            raise _error("ValueError", "clear", f"n is at least 0, and not {n}")
        made = self.head(0).reset_index(drop=True)
        return made.reindex(index=range(n)) if n else made

    def insert_column(self, index, column):
        """A frame with a series, or an expression, as a further column at a position, counted from the end where it is negative."""
        values = self.select(column)[column.label] if isinstance(column, Expr) else _rows_of(self, column, "insert_column")
        name = column.label if isinstance(column, Expr) else column.name
        place = index if index < 0 else _position(self, index, "insert_column", 1)
        return self.insert(place if place >= 0 else _position(self, index, "insert_column", 0), name, values)

    def replace_column(self, index, column):
        """A frame with a series in place of the column at a position."""
        place = _position(self, index, "replace_column", 0)
        values = _rows_of(self, column, "replace_column")
        return self.drop(self.columns[place]).insert(place, column.name, values)

    def drop_nans(self, subset=None):
        """The rows without NaN, or without NaN in some columns. Nulls stay."""
        labels = self.columns if subset is None else _list(labels_in(self, subset, "drop_nans"))
        absent = [label for label in labels if label not in self]
        if absent:
            raise _error("KeyError", "drop_nans", f"there is no column {absent[0]!r}", absent[0])
        floats = [label for label in labels if builtins.str(self.dtypes[label]).startswith("float")]
        conditions = [~col(label).is_nan().fill_null(False) for label in floats]
        return self.filter(functools.reduce(operator.and_, conditions)) if conditions else self

    def remove(self, *predicates):
        """The rows for which not all conditions hold, those with null as an answer too."""
        if not predicates:
            raise _error("ValueError", "remove", "give a condition")
        return self.filter(~functools.reduce(operator.and_, predicates).fill_null(False))

    def merge_sorted(self, other, key):
        """The rows of two frames that are sorted by a column, sorted by it. Nulls come first, as `sort` puts them, unless those of one of
        the frames are last.
        """
        keys = [frame[key] for frame in (self, other) if isinstance(frame, DataFrame) and isinstance(key, builtins.str) and key in frame]
        are_last = any(values.tail(1).null_count and not values.head(1).null_count for values in keys)
        return merge_sorted([self, other], key, nulls_first=not are_last)

    def write_ndjson(self, file):
        """Writes JSON lines, see `write_json`."""
        self.write_json(file)


@methods(GroupBy)
class _Groups:
    """Methods of groups."""

    def n_unique(self):
        """The number of distinct values of each column, of which null is one; `nunique` does not count it."""
        return self.agg(*(col(label).n_unique() for label in _labels(self, "n_unique")))

    def map_groups(self, function):
        """What a function makes of the frame of each group, one behind the other."""
        made = [function(part) for _, part in self]
        if not made or not all(isinstance(part, DataFrame) for part in made):
            raise _error("TypeError", "map_groups", "the function returns a frame, and there is a group")
        return concat(made)


def _of_rows(series, expression):
    """The rows of an expression of a series, whose labels are new."""
    return series.rename("values").to_frame().select(expression.alias("values"))["values"].rename(series.name)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def sort(self, *, descending=False, nulls_last=False):
        """The values in order, nulls first, with `nulls_last` last; equal ones keep their order."""
        for name, flag in (("descending", descending), ("nulls_last", nulls_last)):
            if not isinstance(flag, bool):
                raise _error("TypeError", "sort", f"{name} is True or False, not {flag!r}")
        return self.sort_values(ascending=not descending, nulls_first=not nulls_last)

    def alias(self, name):
        """The series under another name."""
        return self.rename(name)

    def len(self):
        """The number of rows, those of nulls too."""
        return builtins.len(self)

    def n_unique(self):
        """The number of distinct values, of which null is one; `nunique` does not count it."""
        return self.nunique() + (self.null_count > 0)

    def is_empty(self):
        """Whether there are no rows."""
        return builtins.len(self) == 0

    def has_nulls(self):
        """Whether there are nulls."""
        return self.null_count > 0

    def unique(self, maintain_order=True):
        """The distinct values, of which null is one, in the order of their first rows in any case."""
        if not isinstance(maintain_order, bool):
            raise _error("TypeError", "unique", f"maintain_order is True or False, not {maintain_order!r}")
        return _DISTINCT(self)

    def arg_sort(self, *, descending=False, nulls_last=False):
        """The positions of the values in order, nulls first."""
        return _of_rows(self, col("values").arg_sort(descending=descending, nulls_last=nulls_last))

    def gather(self, indices, null_on_oob=False):
        """The values at positions, which count from the end where they are negative. Those that are not there are an error, or null."""
        return _of_rows(self, col("values").gather(indices, null_on_oob))

    def gather_every(self, n, offset=0):
        """Every n-th value, from a position on."""
        return _of_rows(self, col("values").gather_every(n, offset))

    def limit(self, n=10):
        """The first values."""
        return self.head(n)

    def reverse(self):
        """The values the other way round."""
        return self.iloc[::-1]

    def map_elements(self, function, return_dtype=None, *, skip_nulls=True):
        """What a function gives for each value, as a dtype where one is given; nulls stay null."""
        if not builtins.callable(function):
            raise _error("TypeError", "map_elements", f"function is a function, not {type(function).__name__}")
        made = self.map(function, na_action="ignore" if skip_nulls else None)
        return made if return_dtype is None else made.cast(return_dtype)
