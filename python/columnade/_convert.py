"""Conversion to and from numpy, pandas and pyarrow, which are imported when they are needed."""

from __future__ import annotations

import builtins
from typing import Any

from . import _columnade as native
from ._errors import ColumnValueError, ColumnadeError, make
from ._values import zone_name

_ARROW = ("__arrow_c_device_stream__", "__arrow_c_device_array__", "__arrow_c_stream__", "__arrow_c_array__")


def _is_arrow(data) -> bool:
    return any(hasattr(data, method) for method in _ARROW)


def _module(data) -> str:
    return type(data).__module__.partition(".")[0]


def _numpy():
    try:
        import numpy
    except ImportError:
        raise make("NotImplementedError", "to_numpy: numpy is not installed", operation="to_numpy") from None
    return numpy


def _pyarrow(operation):
    try:
        import pyarrow
    except ImportError:
        raise make("NotImplementedError", f"{operation}: pyarrow is not installed", operation=operation) from None
    return pyarrow


# What the constructors take ----------------------------------------------------------------------------------------------
def series(data):
    """A series of an object of another library; None for what is to be iterated."""
    if isinstance(data, (builtins.list, tuple, range, builtins.str, bytes, dict)) or data is None:
        return None
    if isinstance(data, native.Index):
        return data.to_series().reset_index(drop=True).rename(None) if data.nlevels == 1 else None
    if _module(data) == "pandas":
        return _from_pandas_values(data)
    if _module(data) == "numpy" and hasattr(data, "ndim"):
        return _from_numpy(data)
    if _is_arrow(data):
        return native.Series.from_arrow(data)
    if hasattr(data, "__cuda_array_interface__"):
        return native.as_column(data)
    if hasattr(data, "__dlpack__"):
        return native.Series._from_tensor(data)
    return None


def operand(data, operation):
    """The values of an array of numpy of one dimension, or of a series of another library, which go by position. None for others, which
    are one value or none of these. Labels of pandas are refused: they would be ignored.
    """
    if _module(data) not in ("numpy", "pandas"):
        return foreign(data)
    if getattr(data, "ndim", 0) != 1:
        return None
    if _module(data) == "pandas" and hasattr(data, "iloc") and not _is_default(data.index):
        reason = f"{operation}: a series of pandas with row labels does not go by position: make it one of Columnade with from_pandas"
        raise make("TypeError", reason, operation=operation)
    return series(data).reset_index(drop=True)


def foreign(data):
    """A series of another library than numpy and pandas, such as Polars and pyarrow, as one of this; None for others."""
    kind = type(data)
    if isinstance(data, (native.Series, native.DataFrame, native.Index)) or _module(data) in ("builtins", "numpy", "pandas"):
        return None
    is_series = any(hasattr(kind, method) for method in _ARROW) and not hasattr(kind, "columns")
    return native.Series.from_arrow(data) if is_series else None


def frame(data):
    """A frame of an object of another library, or of rows as lists; None for what is none."""
    if isinstance(data, (builtins.list, tuple)) and data and all(isinstance(row, (builtins.list, tuple)) for row in data):
        width = builtins.len(data[0])
        for at, row in enumerate(data):
            if builtins.len(row) != width:
                reason = f"DataFrame: row {at} has {builtins.len(row)} values, and those before have {width}"
                raise make("ValueError", reason, operation="DataFrame")
        return native.DataFrame({at: [row[at] for row in data] for at in range(width)})
    if _module(data) == "pandas" and hasattr(data, "columns"):
        return from_pandas(data)
    if isinstance(data, native.Index):
        return None
    if _is_arrow(data):
        return native.DataFrame.from_arrow(data)
    if _module(data) == "numpy" and getattr(data, "ndim", 0) == 2:
        return native.DataFrame({at: _from_numpy(data[:, at]) for at in range(data.shape[1])})
    if hasattr(data, "__dlpack__"):
        tensor = native.Series._from_tensor(data)
        return tensor if isinstance(tensor, native.DataFrame) else tensor.to_frame()
    return None


def from_arrow(data: Any, validate: str = "minimal") -> Any:
    """A frame of an object with Arrow's methods (`__arrow_c_stream__` and others): of pyarrow, Polars, pandas, DuckDB,
    cuDF and many others. Arrays that are no structs become a series. Memory is shared where that is possible; data of
    the host goes to the default device, and data of another device stays there.

    With `validate="full"` every row is checked (offsets, UTF-8, codes of dictionaries), which arrays from sources that are
    not trusted need: the others end the process or give wrong values if they lie.
    """
    if hasattr(data, "__arrow_c_schema__"):
        schema = data.__arrow_c_schema__()
    elif hasattr(data, "__arrow_c_array__"):
        capsules = data.__arrow_c_array__()
        schema = capsules[0] if isinstance(capsules, tuple) and capsules else None
    else:
        # A stream says what it is of when it is opened.
        try:
            return native.DataFrame.from_arrow(data, validate)
        except ColumnValueError as error:
            if "is no struct" not in str(error):
                raise
            return native.Series.from_arrow(data, validate)
    kind = native.DataFrame if schema is None or _is_struct(schema, data) else native.Series
    return kind.from_arrow(data, validate)


def _is_struct(schema, data):
    try:
        return native._is_struct(schema)
    except ValueError as error:
        if isinstance(error, ColumnadeError):
            raise
        reason = f"from_arrow: a capsule of {type(data).__name__} is no Arrow schema: {error}"
    raise make("ValueError", reason, operation="from_arrow")


def _from_numpy(array):
    numpy = _numpy()
    if array.ndim == 0:
        array = array.reshape(1)
    if array.ndim != 1:
        raise make("ValueError", f"Series: an array has {array.ndim} dimensions, a series one", operation="Series")
    if isinstance(array, numpy.ma.MaskedArray):
        return _masked(_from_numpy(array.data), ~numpy.ma.getmaskarray(array))
    kind = array.dtype.kind
    if kind in "mM":
        unit, count = numpy.datetime_data(array.dtype)
        if kind == "m" and unit in ("Y", "M"):
            reason = f"Series: {array.dtype}: years and months have no fixed length, as durations do"
            raise make("ValueError", reason, operation="Series", dtype=builtins.str(array.dtype))
        if unit == "generic" or count != 1 or unit not in ("s", "ms", "us", "ns"):
            # Days and longer units have seconds; finer ones nothing here.
            unit = "s" if unit in ("generic", "Y", "M", "W", "D", "h", "m", "s") else "ns"
            array = array.astype(f"{array.dtype.str[1]}8[{unit}]")
        dtype = f"timestamp[{unit}]" if kind == "M" else f"duration[{unit}]"
        numbers = _from_numpy(numpy.ascontiguousarray(array).view("i8"))
        missing = numpy.isnat(array)
        if missing.any():
            numbers = _masked(numbers, ~missing)
        return numbers.cast(dtype)
    if kind in "iufb":
        if not array.dtype.isnative:
            array = array.astype(array.dtype.newbyteorder("="))
        if array.dtype.itemsize > 8:
            array = array.astype("f8")
        if array.strides[0] % array.dtype.itemsize:
            # A field of records: DLPack counts strides in values.
            array = numpy.ascontiguousarray(array)
        return native.Series._from_tensor(array)
    if kind not in "OSUT":
        message = f"Series: there is no dtype for {array.dtype} of numpy"
        raise make("TypeError", message, operation="Series", dtype=builtins.str(array.dtype))
    return _of_objects(array.tolist(), builtins.str(array.dtype))


def _of_objects(values, dtype):
    """A series of Python's objects, of which an array of some dtype is."""
    try:
        return native.Series._from_values(values)
    except ColumnadeError as error:
        if error.dtype is None:
            error.dtype = dtype
        raise
    except TypeError as error:
        # Keys of a dictionary that are no text, of which there is no struct.
        reason = f"Series: {error}"
    raise make("TypeError", reason, operation="Series", dtype=dtype)


def columns_of_records(array, operation):
    """The fields of an array of records as series, by their names: records in records are structs."""
    if array.ndim != 1:
        raise make("ValueError", f"{operation}: an array of records has one dimension, not {array.ndim}", operation=operation)
    made = {}
    for name in array.dtype.names:
        field = array[name]
        facts = {"operation": operation, "column": name, "dtype": builtins.str(array.dtype[name])}
        if field.ndim != 1:
            raise make("ValueError", f"{operation}: field {name!r} has {field.ndim - 1} dimensions in each record, a column none", **facts)
        if field.dtype.names:
            parts = native.DataFrame(columns_of_records(field, operation))
            made[name] = parts.select(native.struct_of(*parts.columns).alias("struct"))["struct"].rename(None)
        elif field.dtype.kind in "cV":
            raise make("TypeError", f"{operation}: field {name!r} is {field.dtype}, for which there is no dtype", **facts)
        else:
            made[name] = _from_numpy(field)
            if not builtins.len(field) and field.dtype.kind in "UT":
                made[name] = made[name].cast("utf8")
    return made


def _masked(values, valid):
    """The values where a boolean array is true, null elsewhere."""
    return masked(values, _from_numpy(valid))


def masked(values, valid):
    """The values where a boolean series of the same device is true, null elsewhere."""
    both = native.DataFrame({"values": values.reset_index(drop=True), "valid": valid.reset_index(drop=True)})
    chosen = native.when(native.col("valid")).then(native.col("values")).otherwise(None)
    return both.select(chosen.alias("values"))["values"].rename(None)


# pandas ------------------------------------------------------------------------------------------------------------------
def from_pandas(data: Any) -> Any:
    """A frame of one of pandas, a series of a series, an index of an index, with their row labels. Numbers share memory;
    None, NaN of strings, NaT and NA are null, and NaN of floats stays NaN.
    """
    if hasattr(data, "nlevels") and not hasattr(data, "index"):
        return _from_pandas_index(data)
    if not hasattr(data, "columns"):
        return _from_pandas_values(data)
    columns = {label: _from_pandas_column(data[label]) for label in data.columns}
    frame = native.DataFrame(columns)
    if not columns:
        # Rows without columns.
        frame = native.DataFrame({"": [None] * builtins.len(data.index)}).drop("")
    if any(name is not None for name in data.columns.names):
        frame = frame._with_level_names(builtins.list(data.columns.names))
    return frame if _is_default(data.index) else frame.with_index(_from_pandas_index(data.index))


def _is_default(index):
    """Whether an index of pandas labels the rows 0, 1, … without a name."""
    return type(index).__name__ == "RangeIndex" and index.start == 0 and index.step == 1 and index.name is None


def _from_pandas_index(index):
    if type(index).__name__ == "RangeIndex":
        return native.Index.range(index.start, index.stop, index.step, name=index.name)
    levels = [index.get_level_values(level) for level in range(index.nlevels)]
    return native.Index.from_arrays([_from_pandas_array(level.to_series()) for level in levels], names=builtins.list(index.names))


def _from_pandas_column(data):
    if data.ndim == 2:
        raise make("ValueError", f"from_pandas: the column label {data.columns[0]!r} is repeated", operation="from_pandas")
    return _from_pandas_array(data)


def _from_pandas_values(data):
    """A series of a series or an array of pandas."""
    name = getattr(data, "name", None)
    converted = _from_pandas_array(data)
    index = getattr(data, "index", None)
    if index is not None and not _is_default(index):
        converted = converted.with_index(_from_pandas_index(index))
    return converted if name is None else converted.rename(name)


def _from_pandas_array(data):
    is_index = hasattr(data, "nlevels") and not hasattr(data, "index")
    if is_index or not hasattr(data, "array"):
        import pandas

        data = pandas.Series(data)
    dtype = data.dtype
    numpy_dtype = getattr(dtype, "kind", None)
    if type(dtype).__module__.startswith("numpy") and numpy_dtype in "iufbmM":
        return _from_numpy(data.to_numpy())
    kind = type(dtype).__name__
    if kind == "ArrowDtype" or kind == "StringDtype" or kind == "CategoricalDtype":
        try:
            import pyarrow
        except ImportError:
            pass
        else:
            return native.Series.from_arrow(_chunks(pyarrow, data))
    if kind == "PeriodDtype":
        reason = f"from_pandas: {dtype} is no dtype here: make timestamps of periods with to_timestamp()"
        raise make("TypeError", reason, operation="from_pandas", dtype=builtins.str(dtype))
    if kind == "IntervalDtype":
        return _from_pandas_intervals(data)
    if kind == "DatetimeTZDtype":
        if type(dtype.tz).__module__.startswith("dateutil") and dtype.tz.utcoffset(None) is None:
            reason = f"from_pandas: a time zone of dateutil has no name ({dtype.tz}): give it with tz_convert()"
            raise make("ValueError", reason, operation="from_pandas", dtype=builtins.str(dtype))
        naive = _from_numpy(data.dt.tz_convert("UTC").dt.tz_localize(None).to_numpy())
        return naive.cast("int64").cast(f"timestamp[{dtype.unit}, {zone_name(dtype.tz)}]")
    if hasattr(dtype, "numpy_dtype") and hasattr(data.array, "_mask"):
        # Masked integers, floats and booleans.
        values = _from_numpy(data.array._data)
        mask = data.array._mask
        return _masked(values, ~mask) if mask.any() else values
    missing = data.isna()
    values = [None if absent else value for value, absent in zip(data.tolist(), missing.tolist())]
    return _of_objects(values, builtins.str(dtype))


def _from_pandas_intervals(data):
    ends = [_from_pandas_array(end.to_series()) for end in (data.array.left, data.array.right)]
    missing = data.isna().to_numpy()
    if missing.any():
        # Of floats the ends of a missing interval are NaN, which is a value here.
        ends = [_masked(end, ~missing) for end in ends]
    return native.Series._intervals(*ends, data.array.closed)


def _chunks(pyarrow, data):
    array = pyarrow.Array.from_pandas(data)
    return array if isinstance(array, pyarrow.ChunkedArray) else pyarrow.chunked_array([array])


def series_to_pandas(values, arrow, nullable):
    converted = _values_to_pandas(values, arrow, _only_one(arrow, nullable))
    if not _is_numbered(values.index):
        converted.index = index_to_pandas(values.index)
    return converted


def _only_one(arrow, nullable):
    if arrow and nullable:
        reason = "to_pandas: arrow and nullable are two families of dtypes: choose one"
        raise make("ValueError", reason, operation="to_pandas")
    return nullable


def _is_numbered(index):
    return index.kind == "range" and index.bounds == (0, builtins.len(index), 1) and index.name is None


def index_to_pandas(index):
    import pandas

    if index.kind == "range":
        # A range of equal labels, such as that of rows of one label, has no step.
        is_one = index.bounds[2] == 0
        return pandas.Index(index.to_list(), name=index.name) if is_one else pandas.RangeIndex(*index.bounds, name=index.name)
    frame = index.to_frame()
    levels = [_values_to_pandas(frame[label], False).rename(None) for label in frame.columns]
    if index.kind == "multi":
        return pandas.MultiIndex.from_arrays(levels, names=index.names)
    labels = pandas.Index(levels[0], name=index.name)
    if index.freq is not None and isinstance(labels, (pandas.DatetimeIndex, pandas.TimedeltaIndex)):
        try:
            labels.freq = index.freq
        except ValueError:
            # pandas has no such frequency, or other times at it.
            pass
    return labels


def _nullable_array(values):
    """The values in an array of pandas with a mask, where NaN is no null; None for dtypes that have none."""
    import pandas

    text = builtins.str(values.dtype)
    if text == "utf8":
        return pandas.array([pandas.NA if value is None else value for value in values.to_list()], dtype="string")
    if text == "bool":
        make_array, filler = pandas.arrays.BooleanArray, False
    elif text.startswith(("int", "uint")) and text.removeprefix("u").removeprefix("int").isdigit():
        make_array, filler = pandas.arrays.IntegerArray, 0
    elif text in ("float32", "float64"):
        make_array, filler = pandas.arrays.FloatingArray, 0.0
    else:
        return None
    numpy = _numpy()
    # Arrays of pandas are written to, and memory that is shared is not.
    data = numpy.array(to_numpy(values.fill_null(filler) if values.null_count else values))
    return make_array(data, numpy.array(to_numpy(values.is_null())))


def _values_to_pandas(values, arrow, nullable=False):
    import pandas

    name = values.name
    if nullable:
        masked_values = _nullable_array(values)
        if masked_values is not None:
            return pandas.Series(masked_values, name=name)
    if arrow:
        return pandas.Series(series_to_arrow(values), dtype=pandas.ArrowDtype(series_to_arrow(values).type), name=name)
    dtype = values.dtype
    text = builtins.str(dtype)
    if dtype.tz is not None:
        utc = pandas.Series(_times(values)).dt.tz_localize("UTC")
        return utc.dt.tz_convert(dtype.tz).rename(name)
    if text.startswith("dictionary<"):
        categories = values.cat.categories()
        codes = values.cat.codes().fill_null(-1)
        return pandas.Series(
            pandas.Categorical.from_codes(
                to_numpy(codes), categories=pandas.Index(to_numpy(categories)), ordered=values.cat.is_ordered()
            ),
            name=name,
        )
    if text.startswith("interval<"):
        left, right, closed = values._interval_ends()
        valid = values.reset_index(drop=True).is_not_null() & left.is_not_null() & right.is_not_null()
        # pandas has missing intervals where both ends are missing.
        ends = [_values_to_pandas(masked(end, valid), False) for end in (left, right)]
        return pandas.Series(pandas.arrays.IntervalArray.from_arrays(*ends, closed=closed), name=name)
    if text == "utf8":
        return pandas.Series(values.to_list(), dtype="str", name=name)
    return pandas.Series(to_numpy(values), name=name)


def frame_to_pandas(data, arrow, nullable):
    import pandas

    nullable = _only_one(arrow, nullable)
    columns = {at: _values_to_pandas(data[label], arrow, nullable) for at, label in enumerate(data.columns)}
    frame = pandas.DataFrame(columns, index=pandas.RangeIndex(builtins.len(data)))
    if not _is_numbered(data.index):
        frame.index = index_to_pandas(data.index)
    labels = data.columns
    if labels and isinstance(labels[0], tuple):
        frame.columns = pandas.MultiIndex.from_tuples(labels)
    else:
        # Beside numbers None would become NaN.
        frame.columns = pandas.Index(labels, dtype=object) if None in labels else labels
    names = data._level_names
    if not labels and builtins.len(names) > 1:
        frame.columns = pandas.MultiIndex.from_arrays([[] for _ in names], names=names)
    elif any(name is not None for name in names):
        frame.columns.names = names
    return frame


# numpy -------------------------------------------------------------------------------------------------------------------
def _times(values):
    """Timestamps and durations as numpy has them, NaT for nulls."""
    numpy = _numpy()
    dtype = values.dtype
    numbers = values.cast("int64")
    code = "m8" if builtins.str(dtype).startswith("duration") else "M8"
    if numbers.null_count:
        numbers = numbers.fill_null(numpy.iinfo("i8").min)
    return to_numpy(numbers).view(f"{code}[{dtype.unit}]")


def to_numpy(values):
    numpy = _numpy()
    if values.device != "host":
        values = values.to_device("host")
    dtype = values.dtype
    text = builtins.str(dtype)
    if dtype.is_numeric or text == "bool":
        if not values.null_count:
            return numpy.from_dlpack(values)
        if text == "bool":
            return numpy.array(values.to_list(), dtype=object)
        floats = values if text.startswith("float") else values.cast("float64")
        return numpy.from_dlpack(floats.fill_null(float("nan")))
    if dtype.unit is not None and not text.startswith("time32") and not text.startswith("time64"):
        return _times(values)
    if text == "date32":
        return _times(values.cast("timestamp[s]")).astype("M8[D]")
    array = numpy.empty(builtins.len(values), dtype=object)
    array[:] = values.to_list()
    return array


def frame_to_numpy(data):
    numpy = _numpy()
    columns = [to_numpy(data[label]) for label in data.columns]
    if not columns:
        return numpy.empty((builtins.len(data), 0))
    return numpy.column_stack(columns)


def _without_copy(values):
    """The array that shares the memory of a series or of a frame, None where there is none."""
    if isinstance(values, native.DataFrame):
        made = _without_copy(values[values.columns[0]]) if builtins.len(values.columns) == 1 else None
        return None if made is None else made.reshape(-1, 1)
    # Booleans are bits here, times have NaT for null, and the memory of a device is none of numpy.
    shared = values.device == "host" and not values.null_count and values.dtype.is_numeric
    return to_numpy(values) if shared else None


def array_of(values, dtype=None, copy=None):
    """The array of a series or a frame, as `__array__` gives it: with copy=False one that shares the memory, or an error."""
    numpy = _numpy()
    if copy is False:
        array = _without_copy(values)
        if array is None:
            kind = values.dtype if isinstance(values, native.Series) else "a frame"
            place = "nulls" if isinstance(values, native.Series) and values.null_count else f"{kind} on {values.device}"
            raise make("ValueError", f"__array__: an array of {place} needs a copy", operation="__array__", **_facts(values))
    else:
        array = to_numpy(values) if isinstance(values, native.Series) else frame_to_numpy(values)
    wanted = array.dtype if dtype is None else numpy.dtype(dtype)
    if wanted != array.dtype:
        if copy is False:
            reason = f"__array__: {array.dtype} as {wanted} needs a copy"
            raise make("ValueError", reason, operation="__array__", **_facts(values))
        return array.astype(wanted)
    return array.copy() if copy else array


def _facts(values):
    """What an error says of a series."""
    if not isinstance(values, native.Series):
        return {}
    return {"column": None if values.name is None else builtins.str(values.name), "dtype": builtins.str(values.dtype)}


# The compiled part calls it.
to_array = array_of


# pyarrow -----------------------------------------------------------------------------------------------------------------
class _OfTheHost:
    """Only the methods of the host: pyarrow prefers those of devices, and its wheels import none."""

    def __init__(self, data):
        self._data = data

    def __arrow_c_schema__(self):
        return self._data.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema=None):
        return self._data.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._data.__arrow_c_stream__(requested_schema)


def series_to_arrow(values):
    return _pyarrow("to_arrow").array(_OfTheHost(values))


def frame_to_arrow(data):
    return _pyarrow("to_arrow").table(_OfTheHost(data))


# Pickling ----------------------------------------------------------------------------------------------------------------
def reduce(data):
    """Pickled as bytes of Arrow's IPC format, and unpickled on the default device."""
    if isinstance(data, native.Index):
        return _index_of_state, (_index_state(data),)
    index = None if _is_numbered(data.index) else _index_state(data.index)
    if isinstance(data, native.Series):
        return _series_of_bytes, (data.name, native._to_bytes(data.rename("values").to_frame()), index)
    labels = data.columns
    return _frame_of_bytes, (labels, native._to_bytes(_numbered(data)), index)


def _numbered(frame):
    """The columns under numbers: labels may be of any kind, and those of Arrow are strings."""
    return _named(frame, [builtins.str(at) for at in range(builtins.len(frame.columns))])


def _named(frame, labels):
    """The columns under other labels, in order."""
    columns = {label: frame.column(old).reset_index(drop=True) for label, old in zip(labels, frame.columns)}
    return native.DataFrame(columns) if columns else frame


def _index_state(index):
    if index.kind == "range" and index.bounds[2] != 0:
        return index.bounds, index.name
    state = index.names, native._to_bytes(_numbered(index.to_frame()))
    return state if index.freq is None else (*state, index.freq)


def _index_of_state(state):
    first, second, *freq = state
    if isinstance(first, tuple):
        return native.Index.range(*first, name=second)
    index = native.Index.from_frame(native._from_bytes(second)).rename(first)
    return index._with_freq(freq[0]) if freq else index


def _labelled(data, index):
    return data if index is None else data.with_index(_index_of_state(index))


def _series_of_bytes(name, data, index=None):
    return _labelled(native._from_bytes(data)["values"].rename(name), index)


def _frame_of_bytes(labels, data, index=None):
    return _labelled(_named(native._from_bytes(data), labels), index)
