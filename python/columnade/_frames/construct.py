"""What the constructors of frames and series take: columns, rows, single values and their labels, as in pandas.

The constructors of the compiled classes read columns of one length.
"""

from __future__ import annotations

import builtins
import datetime
import decimal
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _by_row_label, _error, _has_numbers
from .._convert import _is_arrow, _module, series as _converted
from .._errors import ColumnOverflowError, ColumnTypeError, make, under
from .._install import install
from .._polars.dtypes import as_dtype
from .._values import Interval
from .dtypes import _is_category, of_categories


_SINGLE = (
    builtins.str, bytes, builtins.bool, int, float, datetime.date, datetime.time, datetime.timedelta, decimal.Decimal, type(None), Interval,
)


def _is_single(value):
    """Whether a value stands for one row."""
    return isinstance(value, _SINGLE) or getattr(value, "shape", None) == () or hasattr(value, "closed_left")


def _is_labelled(value):
    """Whether values have row labels: a series here or of pandas."""
    return isinstance(value, Series) or (_module(value) == "pandas" and hasattr(value, "iloc") and not hasattr(value, "columns"))


def _index(labels):
    return labels if isinstance(labels, Index) else Index(labels if hasattr(labels, "__len__") else builtins.list(labels))


def _plain(values):
    return values if _has_numbers(values.index) else values.reset_index(drop=True)


def _repeated(value, rows, operation):
    """A value in each of some rows."""
    made = _converted(value)
    made = Series._from_values([value]) if made is None else made
    if rows == 1:
        return made
    return made.repeat(rows).reset_index(drop=True) if rows else made.head(0)


def _aligned(values, index, operation, column=None):
    """The values of a series in rows of some labels."""
    if values.index.equals(index):
        return values
    try:
        with under(operation, column):
            return values.reindex(index)
    except ColumnTypeError:
        # Labels of another kind are none of these.
        if values.index.nlevels != index.nlevels or values.index.dtypes == index.dtypes or not values.index.is_unique:
            raise
        return _nulls(values.dtype, builtins.len(index)).to_device(values.device).rename(values.name).with_index(index)


def _cast(values, dtype, operation):
    if values.dtype == dtype:
        return values
    text = builtins.str(values.dtype)
    with under(operation):
        if text == "null":
            made = Series._from_values([]).cast(dtype) if not builtins.len(values) else _nulls(dtype, builtins.len(values))
            return made.to_device(values.device).rename(values.name).with_index(values.index)
        made = values.cast(dtype)
    if text.startswith("float") and "int" in builtins.str(made.dtype) and (values != values.trunc()).fill_null(False).any():
        reason = f"values of {text} have fractions, which {made.dtype} does not have"
        raise make("ValueError", f"{operation}: {reason}", operation=operation, dtype=builtins.str(made.dtype))
    return made


def _nulls(dtype, rows):
    """Rows of null of a dtype."""
    if builtins.str(dtype).startswith("dictionary"):
        return _nulls(dtype.value_type, rows).cast(dtype)
    return DataFrame({"": [0] * rows}).select(native.lit(None, dtype).alias("nulls"))["nulls"].rename(None)


# Series ------------------------------------------------------------------------------------------------------------------
def _values(data, operation):
    """Values that are not single as a series, with the labels that they have."""
    if isinstance(data, Series):
        return data
    if isinstance(data, builtins.list):
        return Series._from_values(data)
    if isinstance(data, (set, frozenset)):
        raise _error("TypeError", operation, f"a {type(data).__name__} has no order: give a list")
    if isinstance(data, DataFrame):
        raise _error("ValueError", operation, "a frame is no series: take one of its columns")
    if isinstance(data, Index) and data.nlevels == 1:
        values = data.to_series().reset_index(drop=True)
        return values.rename(data.name)
    if isinstance(data, dict):
        return Series._from_values(builtins.list(data.values())).with_index(Index(builtins.list(data)))
    made = _converted(data)
    return Series._from_values(data) if made is None else made


def _texts_of_numbers(data):
    """Numbers that have no dtype in common as texts, which are read as decimals of a dtype that is given; None for others."""
    if not isinstance(data, (builtins.list, tuple)):
        return None
    texts = []
    for value in data:
        is_number = isinstance(value, (int, float, decimal.Decimal)) and not isinstance(value, bool)
        if value is not None and not (is_number and decimal.Decimal(value).is_finite()):
            return None
        texts.append(None if value is None else format(value, "f") if isinstance(value, decimal.Decimal) else builtins.repr(value))
    return Series._from_values(texts)


def _is_labels(value):
    """Whether an argument is labels of rows, where a name may be too."""
    return isinstance(value, (builtins.list, range, Index, Series)) or getattr(value, "shape", ()) != () or _is_labelled(value)


def _new_series(
    cls, data: Any = None, name: Any = None, dtype: Any = None, device: builtins.str | None = None, *, index: Any = None,
    copy: builtins.bool | None = None,
) -> Series:
    operation = "Series"
    if _is_labels(name):
        # The second argument of pandas is the labels.
        if index is not None:
            raise _error("TypeError", operation, f"a name is one label, not {type(name).__name__}")
        name, index = None, name
    if copy and _module(data) == "numpy":
        data = data.copy()
    labels = None if index is None else _index(index)
    is_category = _is_category(dtype)
    dtype = dtype if dtype is None else _dtype(dtype, operation)
    if data is None and labels is not None:
        made = _nulls("float64" if dtype is None else dtype, builtins.len(labels)).with_index(labels)
    elif data is None:
        made = Series._from_values([])
    elif _is_single(data):
        made = _repeated(data, 1 if labels is None else builtins.len(labels), operation)
    else:
        try:
            made = _values(data, operation)
        except (ColumnTypeError, ColumnOverflowError):
            made = _texts_of_numbers(data) if builtins.str(dtype).startswith("decimal") else None
            if made is None:
                raise
        if labels is not None and (isinstance(data, dict) or _is_labelled(data)):
            made = _aligned(made, labels, operation).with_index(labels)
            labels = None
    if is_category:
        made = of_categories(made)
    elif dtype is not None:
        made = _cast(made, dtype, operation)
    if name is not None:
        with under(operation):
            made = made.rename(name)
    if labels is not None:
        if builtins.len(labels) != builtins.len(made):
            raise _error("ValueError", operation, f"there are {builtins.len(made)} values for {builtins.len(labels)} row labels")
        made = made.with_index(labels)
    if device is not None:
        with under(operation):
            made = made.to_device(device)
    return made


def _dtype(dtype, operation):
    if isinstance(dtype, native.DType):
        return dtype
    with under(operation):
        return native.DType(as_dtype(dtype))


def _index_of(data, name):
    """Row labels of values: tuples are those of several levels."""
    if isinstance(data, Index):
        return data if name is None else data.rename(name)
    if isinstance(data, builtins.list) and data and all(isinstance(row, tuple) and not isinstance(row, Interval) for row in data):
        depth = builtins.len(data[0])
        if any(builtins.len(row) != depth for row in data):
            raise _error("ValueError", "Index", "the tuples have different lengths")
        return Index.from_arrays([builtins.list(level) for level in zip(*data)], name)
    if getattr(data, "nlevels", 1) > 1:
        # An index of pandas of several levels.
        from .._convert import from_pandas

        return from_pandas(data)
    values = data if isinstance(data, Series) else Series._from_values(data)
    known = values.name
    if known is None and hasattr(data, "dtype") and not callable(getattr(data, "name", None)):
        # Series and indexes of other libraries have names too.
        known = getattr(data, "name", None)
    return Index.from_arrays([values], [known if name is None else name])


def _new_index(cls, data: Any, name: Any = None, *, dtype: Any = None, copy: builtins.bool | None = None) -> Index:
    operation = "Index"
    if dtype is None or dtype is object or builtins.str(dtype) in ("object", "O"):
        with under(operation):
            return _index_of(data, name)
    values = data.to_series() if isinstance(data, Index) else data if isinstance(data, Series) else Series(data)
    kind = _dtype(dtype, operation)
    values = _plain(values)
    if _is_category(dtype):
        values = of_categories(values)
    elif builtins.str(values.dtype) == "utf8" and builtins.str(kind).startswith(("timestamp", "duration")):
        from .._functions.values import to_datetime, to_timedelta

        values = (to_datetime if builtins.str(kind).startswith("timestamp") else to_timedelta)(values).cast(kind)
    else:
        values = _cast(values, kind, operation)
    return Index.from_arrays([values], [getattr(data, "name", None) if name is None else name])


# Frames ------------------------------------------------------------------------------------------------------------------
def _read(data):
    """The frame that the compiled part makes of columns of one length, rows of dictionaries or objects of other libraries."""
    return native.concat([data])


def _labels(columns):
    """Labels of columns as a list."""
    if isinstance(columns, builtins.str) or not hasattr(columns, "__iter__") and not isinstance(columns, (Index, Series)):
        raise _error("TypeError", "DataFrame", f"columns are a list of labels, not {columns!r}")
    if isinstance(columns, (Index, Series)):
        labels = columns.to_list()
    else:
        labels = columns.tolist() if hasattr(columns, "tolist") else builtins.list(columns)
    if builtins.len(set(labels)) < builtins.len(labels):
        again = next(label for at, label in enumerate(labels) if label in labels[:at])
        raise _error("ValueError", "DataFrame", f"the column label {again!r} is repeated")
    return labels


def _column(label, value):
    """A column as values that have a length or labels; a single value stays."""
    operation = "DataFrame"
    if isinstance(value, (builtins.list, Series)) or _is_single(value):
        return value
    if isinstance(value, dict):
        return _new_series(Series, value)
    if isinstance(value, (tuple, range)):
        return Series._from_values(value)
    with under(operation, label):
        return _values(value, operation)


def _union(labelled, of_dicts):
    """The labels of all series: their order is that of the first appearance where all are dictionaries."""
    first = labelled[0].index
    if all(values.index.equals(first) for values in labelled[1:]):
        return first
    if all(_has_numbers(values.index) for values in labelled):
        return Index.range(0, max(builtins.len(values) for values in labelled))
    if of_dicts:
        return Index(builtins.list(dict.fromkeys(label for values in labelled for label in values.index.to_list())))
    # The compiled part joins the labels in order.
    named = {at: values.rename(None) for at, values in enumerate(labelled)}
    return _read(named).index


def _of_columns(data, columns, index):
    """A frame of columns by label."""
    operation = "DataFrame"
    absent = builtins.object()
    if columns is not None:
        data = {label: data.get(label, absent) for label in columns}
    made = {label: None if value is absent else _column(label, value) for label, value in data.items()}
    singles = [label for label, value in made.items() if _is_single(value)]
    labelled = [value for label, value in made.items() if isinstance(value, Series) and _is_labelled_column(data[label])]
    if index is None:
        rows = None
        if labelled:
            index = _union(labelled, all(isinstance(data[label], dict) for label, value in made.items() if isinstance(value, Series)))
            rows = builtins.len(index)
        else:
            for label, value in made.items():
                if label not in singles:
                    rows = builtins.len(value)
                    break
        if rows is None:
            if any(data[label] is not absent for label in singles):
                raise _error("ValueError", operation, "all values are single ones: give index", singles[0])
            rows = 0
    else:
        rows = builtins.len(index)
    for label, value in made.items():
        if label in singles:
            made[label] = _repeated(value, rows, operation)
        elif _is_labelled_column(data[label]):
            made[label] = _plain(value if index is None else _aligned(value, index, operation, label))
        elif builtins.len(value) != rows:
            what = f"{rows} row labels" if index is not None else f"{rows} in the first column"
            if index is None:
                raise _error("ValueError", operation, f'column "{label}": expected {rows} rows, found {builtins.len(value)}', label)
            raise _error("ValueError", operation, f"column {label} has {builtins.len(value)} values, and there are {what}", label)
    # What is not a series goes where the first one is.
    device = next((value.device for label, value in made.items() if isinstance(data[label], Series)), None)
    if device is not None:
        made = {label: (value if isinstance(value, Series) else Series._from_values(value)) for label, value in made.items()}
        made = {label: value if value.device == device else value.to_device(device) for label, value in made.items()}
    frame = _read(made)
    if not made and index is not None:
        return DataFrame({"": [None] * rows}).drop("").with_index(index)
    return frame if index is None else frame.with_index(index)


def _is_labelled_column(value):
    return isinstance(value, dict) or _is_labelled(value)


def _is_row(value):
    """Whether an item of a list is a row of several values."""
    if isinstance(value, Interval):
        return False
    is_array = getattr(value, "shape", ()) != ()
    return isinstance(value, (builtins.list, tuple, range, Index)) or is_array or _is_labelled(value)


def _rows_of_series(rows, columns):
    """Rows that are series: their labels are those of columns, their names those of rows."""
    items = [_by_row_label(row) for row in map(_values, rows, ["DataFrame"] * builtins.len(rows))]
    names = [row.name for row in rows]
    columns = builtins.list(dict.fromkeys(label for row in items for label in row)) if columns is None else columns
    index = None
    if any(name is not None for name in names):
        unnamed = iter(range(builtins.len(names)))
        index = Index([f"Unnamed {next(unnamed)}" if name is None else name for name in names])
    return {label: [row.get(label) for row in items] for label in columns}, index


def _of_rows(rows, columns, index):
    """A frame of rows, or of the values of one column."""
    operation = "DataFrame"
    first = rows[0] if rows else None
    if not rows:
        made = {label: [] for label in columns or []}
        return _of_columns(made if index is None else dict.fromkeys(made), columns, index)
    if all(isinstance(row, dict) for row in rows):
        labels = builtins.list(dict.fromkeys(label for row in rows for label in row)) if columns is None else columns
        return _with_rows({label: [row.get(label) for row in rows] for label in labels}, builtins.len(rows), index)
    if all(map(_is_labelled, rows)):
        made, names = _rows_of_series(rows, columns)
        return _with_rows(made, builtins.len(rows), names if index is None else index)
    if hasattr(type(first), "__dataclass_fields__"):
        import dataclasses

        names = [field.name for field in dataclasses.fields(first)]
        made = {label: [getattr(row, label, None) for row in rows] for label in (names if columns is None else columns)}
        return _with_rows(made, builtins.len(rows), index)
    if not any(map(_is_row, rows)):
        if columns is not None and builtins.len(columns) != 1:
            raise _error("ValueError", operation, f"labels: {builtins.len(columns)} for 1 columns")
        return _with_rows({0 if columns is None else columns[0]: rows}, builtins.len(rows), index)
    if not all(map(_is_row, rows)):
        raise _error("TypeError", operation, "a list has rows or values of one column, not both")
    if columns is None and hasattr(first, "_fields"):
        columns = builtins.list(first._fields)
    items = [row.tolist() if hasattr(row, "tolist") else builtins.list(row) for row in rows]
    width = max(map(builtins.len, items))
    labels = builtins.list(range(width)) if columns is None else columns
    if builtins.len(labels) != width and (width or builtins.len(labels)):
        raise _error("ValueError", operation, f"labels: {builtins.len(labels)} for {width} columns")
    items = [row + [None] * (width - builtins.len(row)) if builtins.len(row) < width else row for row in items]
    columns = builtins.list(zip(*items)) if width else []
    return _with_rows({label: builtins.list(values) for label, values in zip(labels, columns)}, builtins.len(rows), index)


def _with_rows(columns, rows, index):
    """A frame of columns, which may be none, and of a number of rows."""
    if index is not None and builtins.len(index) != rows:
        raise _error("ValueError", "DataFrame", f"there are {rows} rows for {builtins.len(index)} row labels")
    made = _of_columns(columns, None, None) if columns else DataFrame({"": [None] * rows}).drop("")
    return made if index is None else made.with_index(index)


def _of_array(array, columns, index):
    """A frame of an array of numpy."""
    operation = "DataFrame"
    if array.dtype.names:
        names = builtins.list(array.dtype.names)
        return _of_columns({name: array[name] for name in names}, columns, index)
    if array.ndim > 2:
        raise _error("ValueError", operation, f"an array has {array.ndim} dimensions, a frame two")
    parts = [array] if array.ndim == 1 else [array[:, at] for at in range(array.shape[1])]
    labels = builtins.list(range(builtins.len(parts))) if columns is None else columns
    if builtins.len(labels) != builtins.len(parts):
        raise _error("ValueError", operation, f"labels: {builtins.len(labels)} for {builtins.len(parts)} columns")
    return _with_rows(dict(zip(labels, parts)), array.shape[0], index)


def _relabelled(frame, columns, index):
    """The rows and columns of a frame that have some labels."""
    if columns is not None:
        known = [label for label in columns if label in frame]
        if known != builtins.list(frame.columns) or builtins.len(known) != builtins.len(columns):
            frame = frame.reindex(columns=columns)
    if index is not None and not frame.index.equals(index):
        with under("DataFrame"):
            frame = frame.reindex(index=index)
    return frame if index is None else frame.with_index(index)


def _of_other(data, columns, index):
    """A frame of what is no dictionary of columns."""
    operation = "DataFrame"
    if isinstance(data, DataFrame):
        return _relabelled(data, columns, index)
    if _is_labelled(data) or isinstance(data, Index):
        values = _values(data, operation)
        name = values.name
        if columns is None or name is None:
            label = (0 if name is None else name) if columns is None else columns[0]
            if columns is not None and builtins.len(columns) != 1:
                raise _error("ValueError", operation, f"labels: {builtins.len(columns)} for 1 columns")
            return _relabelled(values.to_frame(label), None, index)
        return _of_columns({name: values}, columns, index)
    if _module(data) == "numpy" and getattr(data, "ndim", 0):
        return _of_array(data, columns, index)
    if _is_single(data) and index is not None and columns is not None:
        return _of_columns(dict.fromkeys(columns, data), None, index)
    is_other = _is_single(data) or _is_arrow(data) or hasattr(data, "columns") or hasattr(data, "__dlpack__")
    if not is_other and hasattr(data, "__iter__"):
        return _of_rows(data if isinstance(data, builtins.list) else builtins.list(data), columns, index)
    made = _read(data)
    if _module(data) == "pandas":
        return _relabelled(made, columns, index)
    if columns is not None:
        if builtins.len(columns) != builtins.len(made.columns):
            raise _error("ValueError", operation, f"labels: {builtins.len(columns)} for {builtins.len(made.columns)} columns")
        made = DataFrame({label: made[old] for label, old in zip(columns, made.columns)})
    if index is not None and builtins.len(index) != builtins.len(made):
        raise _error("ValueError", operation, f"there are {builtins.len(made)} rows for {builtins.len(index)} row labels")
    return made if index is None else made.with_index(index)


def _copied(data):
    """Arrays of numpy in memory of their own."""
    if _module(data) == "numpy":
        return data.copy()
    return {label: _copied(values) for label, values in data.items()} if isinstance(data, dict) else data


def _of_schema(frame, schema, overrides):
    """A frame with the dtypes of a schema of Polars: a dictionary of dtypes by label, where None leaves a column as it is, or labels."""
    dtypes = {**(schema if isinstance(schema, dict) else {}), **(overrides or {})}
    dtypes = {label: as_dtype(dtype) for label, dtype in dtypes.items() if dtype is not None}
    return frame.cast(dtypes) if dtypes else frame


def _new_frame(
    cls, data: Any = None, columns: Any = None, device: builtins.str | None = None, *, index: Any = None, dtype: Any = None,
    copy: builtins.bool | None = None, schema: Any = None, schema_overrides: Any = None,
) -> DataFrame:
    operation = "DataFrame"
    if schema is not None or schema_overrides is not None:
        if dtype is not None or schema is not None and columns is not None:
            raise _error("TypeError", operation, "schema has the labels of columns and their dtypes: give it, or columns and dtype")
        return _of_schema(_new_frame(cls, data, columns if schema is None else builtins.list(schema), device, index=index, copy=copy),
                          schema, schema_overrides)
    if copy:
        data = _copied(data)
    names = columns.names if isinstance(columns, Index) and columns.nlevels > 1 else None
    columns = None if columns is None else _labels(columns)
    index = None if index is None else _index(index)
    if isinstance(data, dict):
        made = _of_columns(data, columns, index)
    elif data is None:
        made = _of_columns({}, columns, index)
    else:
        made = _of_other(data, columns, index)
    if names is not None and any(name is not None for name in names):
        made = made._with_level_names(builtins.list(names))
    if dtype is not None:
        kind = _dtype(dtype, operation)
        is_category = _is_category(dtype)
        cast = {label: _plain(of_categories(made[label]) if is_category else _cast(made[label], kind, operation)) for label in made.columns}
        made = _read(cast).with_index(made.index) if cast else made
    if device is not None:
        with under(operation):
            made = made.to_device(device)
    return made


def _set(of, make_one, text):
    make_one.__name__, make_one.__qualname__, make_one.__doc__ = "__new__", f"{of.__name__}.__new__", text
    install(of, "__new__", make_one)


_set(Series, _new_series, """A series of values: a sequence, one value, or a dictionary by row label; of a series the rows of `index`.""")
_set(Index, _new_index, """Row labels of some values, with a name, and of some dtype where one is given.""")
_set(DataFrame, _new_frame, """A frame of columns by label, of rows, or of an array; series and dictionaries go by the labels of rows.""")
