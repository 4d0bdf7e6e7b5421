"""Further names of Polars for frames."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, DType, Expr, Series, col, concat, lit
from .._common import _error, _list
from .._install import methods
from .choose import labels_in
from .columns import Columns
from .dtypes import as_dtype
from .expressions import _span
from .functions import datetime_range

_ACTIONS = {"missing_columns": ("insert", "raise"), "extra_columns": ("ignore", "raise"), "integer_cast": ("upcast", "forbid"), "float_cast": ("upcast", "forbid")}


def _bits(dtype):
    return int(dtype.lstrip("uintfloa"))


def _is_wider(dtype, wanted):
    """Whether a numeric dtype has all values of another one of its kind."""
    if dtype.startswith("float") and wanted.startswith("float"):
        return _bits(dtype) < _bits(wanted)
    if not dtype.startswith(("int", "uint")) or not wanted.startswith(("int", "uint")):
        return False
    return _bits(dtype) < _bits(wanted) and (dtype[0] == wanted[0] or dtype[0] == "u")


def _upsampled(frame, time_column, every):
    times = frame[time_column]
    if builtins.len(frame) and times.null_count == builtins.len(frame) or not builtins.len(frame):
        raise _error("ValueError", "upsample", f"there are no times in {time_column!r}")
    known = times.drop_nulls()
    if not times.reset_index(drop=True).is_sorted(nulls_first=True):
        raise _error("ValueError", "upsample", f"{time_column!r} is not sorted: sort the rows by it")
    first, last = known.head(1).to_list()[0], known.tail(1).to_list()[0]
    whole = datetime_range(first, last, every).cast(times.dtype).to_device(frame.device)
    return whole.rename(time_column).to_frame().merge(frame.reset_index(drop=True), on=time_column, how="left")[frame.columns]


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def collect_schema(self):
        """The dtype of each column, by label."""
        return self.dtypes

    def select_seq(self, *exprs, **named_exprs):
        """Columns, by label or computed, see `select`."""
        return self.select(*exprs, **named_exprs)

    def with_columns_seq(self, *exprs, **named_exprs):
        """The frame with further columns, see `with_columns`."""
        return self.with_columns(*exprs, **named_exprs)

    def gather(self, indices, *, null_on_oob=False):
        """The rows at positions, which count from the end where they are negative, with new labels. Those that are not there are an error,
        or nulls. A null position gives a row of nulls.
        """
        return self.select(*(col(label).gather(indices, null_on_oob) for label in self.columns)) if self.columns else self

    def rows_by_key(self, key, *, named=False, include_key=False, unique=False):
        """The rows as tuples, or as dictionaries with `named`, in a dictionary of lists by the values of some columns, tuples of several. Other
        columns than these are in them, or all with `include_key`. With `unique` there is one row for each key, the last: for small results.
        """
        keys = _list(labels_in(self, key, "rows_by_key"))
        missing = [label for label in keys if label not in self]
        if missing or not keys:
            raise _error("KeyError", "rows_by_key", f"there is no column {missing[0]!r}" if missing else "give a column", *missing[:1])
        labels = self.columns if include_key else [label for label in self.columns if label not in keys]
        rows = self[labels].rows(named) if labels else [{} if named else ()] * builtins.len(self)
        values = self[keys[0]].to_list() if builtins.len(keys) == 1 else self[keys].rows()
        if unique:
            return dict(zip(values, rows))
        made = {}
        for value, row in zip(values, rows):
            made.setdefault(value, []).append(row)
        return made

    def show(self, limit=5):
        """Prints the first rows, or all of them with limit=None."""
        print(self if limit is None else self.head(limit))

    def upsample(self, time_column, *, every, group_by=None, maintain_order=False):
        """The rows at equal distances of a column of sorted times, from the first to the last one: null where there is none. `every` is a
        timedelta or text such as "1h" or "1mo". With `group_by` each group of rows, in the order of the first ones, has its own times.
        """
        if time_column not in self:
            raise _error("KeyError", "upsample", f"there is no column {time_column!r}", time_column)
        months, rest = _span(every, "upsample")
        if not months and not rest:
            raise _error("ValueError", "upsample", "every is above zero")
        if group_by is None:
            return _upsampled(self, time_column, every)
        keys, parts = _list(group_by), []
        for value, part in self.group_by(keys, dropna=False):
            made = _upsampled(part, time_column, every)
            values = dict(zip(keys, value if isinstance(value, tuple) else (value,)))
            parts.append(made.with_columns(*(lit(one).cast(self.dtypes[key]).alias(key) for key, one in values.items())))
        return concat(parts, ignore_index=True) if parts else self

    def map_columns(self, column_names, function, *args, **kwargs):
        """The frame with what a function of a series makes of some columns, given by labels or selectors, in place of these."""
        if not builtins.callable(function):
            raise _error("TypeError", "map_columns", f"function is a function, not {type(function).__name__}")
        labels = _list(labels_in(self, column_names, "map_columns"))
        made = {}
        for label in labels:
            values = function(self[label], *args, **kwargs)
            if not isinstance(values, Series) or builtins.len(values) != builtins.len(self):
                raise _error("TypeError", "map_columns", f"the function gives a series of as many rows, not {type(values).__name__}", label)
            made[label] = values.reset_index(drop=True).with_index(self.index)
        return self.with_columns(**made)

    def map_rows(self, function, return_dtype=None):
        """What a function makes of each row, a tuple: a column "map" of values, of a dtype where one is given, or of tuples the columns
        "column_0", …. Expressions are faster where there is one.
        """
        if not builtins.callable(function):
            raise _error("TypeError", "map_rows", f"function is a function, not {type(function).__name__}")
        made = [function(row) for row in self.iter_rows()]
        known = [one for one in made if one is not None]
        if known and all(isinstance(one, tuple) for one in known):
            width = builtins.len(known[0])
            if any(builtins.len(one) != width for one in known):
                raise _error("ValueError", "map_rows", "the function gives tuples of other lengths")
            columns = zip(*(one or (None,) * width for one in made))
            return DataFrame({f"column_{place}": builtins.list(values) for place, values in enumerate(columns)}, device=self.device)
        if not known and return_dtype is None:
            raise _error("ValueError", "map_rows", "there are no values but null: give return_dtype")
        return Series(made, name="map", dtype=return_dtype, device=self.device).to_frame("map")

    def match_to_schema(self, schema, *, missing_columns="raise", extra_columns="raise", integer_cast="forbid", float_cast="forbid"):
        """The columns of a schema, dtypes by label, in its order. Other columns are an error, or left out with extra_columns="ignore"; missing
        ones are an error, or nulls with missing_columns="insert", or by label what an expression gives. Another dtype is an error, or becomes
        a wider one with integer_cast="upcast" and float_cast="upcast".
        """
        operation, schema = "match_to_schema", {label: DType(as_dtype(dtype)) for label, dtype in schema.items()}
        for name, value in (("missing_columns", missing_columns), ("extra_columns", extra_columns), ("integer_cast", integer_cast), ("float_cast", float_cast)):
            if value not in _ACTIONS[name] if isinstance(value, builtins.str) else name != "missing_columns" or not isinstance(value, dict):
                raise _error("ValueError", operation, f'{name} is "{_ACTIONS[name][0]}" or "{_ACTIONS[name][1]}"')
        extra = [label for label in self.columns if label not in schema]
        if extra and extra_columns == "raise":
            raise _error("ValueError", operation, f"there are other columns: {extra}")
        made = []
        for label, dtype in schema.items():
            if label not in self:
                action = missing_columns.get(label, "raise") if isinstance(missing_columns, dict) else missing_columns
                if isinstance(action, builtins.str) and action == "raise":
                    raise _error("ValueError", operation, f"there is no column {label!r}", label)
                made.append((action if isinstance(action, (Expr, Columns)) else lit(None).cast(dtype)).alias(label))
                continue
            own, wanted = builtins.str(self.dtypes[label]), builtins.str(dtype)
            may = float_cast if own.startswith("float") else integer_cast
            if own != wanted and not (may == "upcast" and _is_wider(own, wanted)):
                raise _error("TypeError", operation, f"{label!r} is {own}, not {wanted}", label)
            made.append(col(label) if own == wanted else col(label).cast(dtype))
        return self.select(*made)

    def n_chunks(self, strategy="first"):
        """The number of parts of the first column in memory, or with "all" of each one: 1."""
        if strategy not in ("first", "all"):
            raise _error("ValueError", "n_chunks", f'strategy is "first" or "all", not {strategy!r}')
        return 1 if strategy == "first" else [1] * builtins.len(self.columns)

    def rechunk(self):
        """The frame itself, of which each column is one part in memory."""
        return self

    def shrink_to_fit(self, *, in_place=False):
        """The frame itself, which has no memory to spare."""
        return self

    def to_init_repr(self, n=1000):
        """The code that makes the first n rows as a frame."""
        parts = ", ".join(f"{label!r}: {values.to_init_repr()}" for label, values in self.head(n).reset_index(drop=True).items())
        return f"cn.DataFrame({{{parts}}})"

    def write_ipc_stream(self, file, *, compression="uncompressed"):
        """Writes an Arrow IPC stream to a file, or to an open file or buffer; `compression` is "uncompressed", "lz4" or "zstd". With None in
        place of a file a buffer is returned.
        """
        import io

        target = io.BytesIO() if file is None else file
        self.write_ipc(target, "none" if compression == "uncompressed" else compression, format="stream")
        return target if file is None else None
