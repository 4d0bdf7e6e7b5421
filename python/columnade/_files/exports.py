"""Arguments of pandas for what is made of Python's objects, and for exports to them and to arrays of numpy."""

from __future__ import annotations

import builtins
import collections
import decimal
import itertools

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _error, _fits, _level, _list
from .._frames.construct import _is_row
from .._convert import columns_of_records
from .._errors import make, under
from .._install import compiled, methods


_lists_of = compiled(DataFrame, "to_dict")
_array_of_frame, _array_of_series = compiled(DataFrame, "to_numpy"), compiled(Series, "to_numpy")
_ABSENT = type("Absent", (), {"__repr__": lambda self: "..."})()


def _mapping(operation, into):
    """Makes a dictionary of a class, or of the class of one that is given, of pairs."""
    if into is dict:
        return dict
    if isinstance(into, collections.defaultdict):
        return lambda pairs: collections.defaultdict(into.default_factory, pairs)
    if into is collections.defaultdict:
        raise _error("TypeError", operation, "give an instance of defaultdict: what it makes is not known of the class")
    kind = into if isinstance(into, type) else type(into)
    if not issubclass(kind, collections.abc.MutableMapping):
        raise _error("TypeError", operation, f"into is a class of dictionaries, not {into!r}")
    return kind


def _level_names(names):
    return builtins.list(names)


@methods(DataFrame)
class _DictOfFrames:
    def to_dict(self, orient=None, *, into=dict, index=True, as_series=None):
        """The values as lists of Python by column. `orient` is "list", which that is; "dict", by row label; "series", series by
        column; "records", a dictionary for each row; "index", these by row label; "split" and "tight", labels and rows. `into` is the
        class of dictionaries; index=False leaves row labels out of "split" and "tight". as_series=True is "series", and False "list".
        """
        operation = "to_dict"
        if as_series is not None:
            if orient is not None:
                raise _error("TypeError", operation, "give orient or as_series")
            orient = "series" if as_series else "list"
        make = _mapping(operation, into)
        orient = "list" if orient is None else orient
        known = ("list", "dict", "series", "records", "index", "split", "tight")
        if orient not in known:
            raise _error("ValueError", operation, f"orient is {', '.join(known)}, not {orient!r}")
        if not index and orient not in ("split", "tight"):
            raise _error("ValueError", operation, 'index=False goes with orient="split" or "tight"')
        labels = builtins.list(self.columns)
        if orient == "series":
            return make((label, self[label]) for label in labels)
        columns = _lists_of(self)
        if orient == "list":
            return columns if make is dict else make(columns.items())
        rows = builtins.list(zip(*columns.values())) if labels else [()] * len(self)
        if orient == "records":
            return [make(zip(labels, row)) for row in rows]
        if orient in ("split", "tight"):
            made = {"index": self.index.to_list()} if index else {}
            made.update({"columns": labels, "data": [builtins.list(row) for row in rows]})
            if orient == "tight":
                made.update({"index_names": _level_names(self.index.names)} if index else {})
                made["column_names"] = _level_names(self._level_names)
            return make(made.items())
        keys = self.index.to_list()
        if orient == "dict":
            return make((label, make(zip(keys, values))) for label, values in columns.items())
        if not self.index.is_unique:
            raise _error("ValueError", operation, 'row labels are unique with orient="index"')
        return make((key, make(zip(labels, row))) for key, row in zip(keys, rows))

    def to_records(self, index=True, column_dtypes=None, index_dtypes=None):
        """The rows as an array of records of numpy, with the row labels first."""
        import numpy

        names, arrays, dtypes = [], [], []
        if index:
            levels = self.index.to_frame()
            several = self.index.nlevels > 1
            for place, (name, label) in enumerate(zip(self.index.names, levels.columns)):
                name = (f"level_{place}" if several else "index") if name is None else builtins.str(name)
                names.append(name)
                arrays.append(levels[label].to_numpy())
                dtypes.append(_record_dtype(index_dtypes, name, place))
        for place, label in enumerate(self.columns):
            names.append(builtins.str(label))
            arrays.append(self[label].to_numpy())
            dtypes.append(_record_dtype(column_dtypes, label, place))
        try:
            arrays = [array if dtype is None else array.astype(dtype) for array, dtype in zip(arrays, dtypes)]
        except (TypeError, ValueError) as error:
            raise _error("ValueError", "to_records", builtins.str(error)) from None
        formats = [array.dtype for array in arrays]
        if builtins.len(set(names)) < builtins.len(names):
            raise _error("ValueError", "to_records", "two fields have the same name: give index=False or rename a column")
        return numpy.rec.fromarrays(arrays, dtype={"names": names, "formats": formats}) if names else numpy.rec.array(
            numpy.empty(builtins.len(self), dtype=[])
        )


def _record_dtype(dtypes, label, place):
    if isinstance(dtypes, dict):
        return dtypes.get(label, dtypes.get(place))
    return dtypes


@methods(Series)
class _DictOfSeries:
    def to_dict(self, *, into=dict):
        """The values by their labels, in a dictionary or in one of another class."""
        return _mapping("to_dict", into)(zip(self.index.to_list(), self.to_list()))


# Arrays ------------------------------------------------------------------------------------------------------------------
def _cast(operation, array, dtype, copy, before):
    if dtype is not None:
        import numpy

        try:
            array = array.astype(numpy.dtype(dtype), copy=False)
        except (TypeError, ValueError) as error:
            raise _error("ValueError", operation, f"{error}: give na_value for nulls, or another dtype") from None
    return array.copy() if copy and array is before else array


def _filled(values, na_value):
    """The values as an array, with a value for nulls."""
    if not values.null_count:
        return _array_of_series(values)
    if na_value is not None and not isinstance(na_value, float) and _fits(na_value, values.dtype) or (
        isinstance(na_value, float) and (builtins.str(values.dtype).startswith("float") or na_value == na_value and na_value.is_integer())
    ):
        whole = int(na_value) if isinstance(na_value, float) and "int" in builtins.str(values.dtype) else na_value
        try:
            return _array_of_series(values.fill_null(whole))
        except (TypeError, ValueError, OverflowError):
            pass
    if isinstance(na_value, float) and values.dtype.is_numeric:
        return _array_of_series(values.cast("float64").fill_null(na_value))
    import numpy

    array = numpy.empty(builtins.len(values), dtype=object)
    array[:] = [na_value if value is None else value for value in values.to_list()]
    return array


@methods(DataFrame)
class _ArrayOfFrames:
    def to_numpy(self, dtype=None, copy=False, na_value=_ABSENT):
        """The values as an array of two dimensions. Nulls of numbers are NaN, those of other values None, or `na_value`."""
        if na_value is _ABSENT:
            array = _array_of_frame(self)
        else:
            import numpy

            columns = [_filled(self[label], na_value) for label in self.columns]
            array = numpy.column_stack(columns) if columns else _array_of_frame(self)
        return _cast("to_numpy", array, dtype, copy, array)


@methods(Series)
class _ArrayOfSeries:
    def to_numpy(self, dtype=None, copy=False, na_value=_ABSENT):
        """The values as an array, which shares their memory where it can. Nulls of numbers are NaN, those of other values None, or
        `na_value`.
        """
        if na_value is not _ABSENT:
            array = _filled(self, na_value)
        elif dtype in (object, "object", "O") and self.dtype.unit is not None:
            import numpy

            # numpy's own times have no zone, and those with nanoseconds become integers.
            array = numpy.empty(builtins.len(self), dtype=object)
            array[:] = self.to_list()
        else:
            array = _array_of_series(self)
        return _cast("to_numpy", array, dtype, copy, array)


def _array_of_labels(self):
    """The labels of one level as an array, of several as an array of tuples."""
    if self.nlevels == 1:
        return _level(self, 0).to_numpy()
    import numpy

    labels = self.to_list()
    array = numpy.empty(builtins.len(labels), dtype=object)
    array[:] = labels
    return array


@methods(native.Index)
class _ArrayOfIndexes:
    def to_numpy(self, dtype=None, copy=False, na_value=_ABSENT):
        """The labels of one level as an array, of several as an array of tuples. `na_value` stands for nulls."""
        if na_value is _ABSENT or self.nlevels > 1:
            array = _array_of_labels(self)
        else:
            labels = self.to_frame()
            array = _filled(labels[labels.columns[0]], na_value)
        return _cast("to_numpy", array, dtype, copy, array)


# Frames of Python's objects ----------------------------------------------------------------------------------------------
def _floats(values):
    """Decimals as floats."""
    if any(isinstance(value, decimal.Decimal) for value in values):
        return [float(value) if isinstance(value, decimal.Decimal) else value for value in values]
    return values


def _without_decimals(row):
    if isinstance(row, dict):
        return dict(zip(row, _floats(builtins.list(row.values()))))
    return _floats(builtins.list(row)) if type(row) in (builtins.list, tuple) else row


def _tight(cls, data):
    missing = [name for name in ("index", "columns", "data", "index_names", "column_names") if name not in data]
    if missing:
        raise _error("ValueError", "from_dict", f'with orient="tight" the dictionary has {", ".join(missing)} too')
    labels = [tuple(label) if isinstance(label, builtins.list) else label for label in data["columns"]]
    frame = cls({label: [row[place] for row in data["data"]] for place, label in enumerate(labels)})
    if any(name is not None for name in data["column_names"]):
        frame = frame._with_level_names(builtins.list(data["column_names"]))
    if builtins.len(data["index_names"]) > 1:
        rows = builtins.list(zip(*data["index"]))
        index = Index.from_arrays([Series(builtins.list(values)) for values in rows], names=builtins.list(data["index_names"]))
    else:
        index = Index(builtins.list(data["index"]), name=data["index_names"][0])
    return frame.with_index(index)


@methods(DataFrame)
class _Makers:
    @classmethod
    def from_dict(cls, data, orient="columns", columns=None, *, dtype=None):
        """A frame of a dictionary: of columns by label, or with orient="index" of rows by label, or with "tight" of what
        `to_dict("tight")` gives. `dtype` is that of all columns.
        """
        if orient not in ("columns", "index", "tight"):
            raise _error("ValueError", "from_dict", 'orient is "columns", "index" or "tight"')
        if columns is not None and orient != "index":
            raise _error("ValueError", "from_dict", 'columns are given with orient="index"')
        if orient == "columns":
            made = cls(data)
        elif orient == "tight":
            made = _tight(cls, data)
        elif data and not any(map(_is_row, data.values())) and not isinstance(next(iter(data.values())), dict):
            made = cls.from_records([(value,) for value in data.values()], columns=columns).with_index(Index(builtins.list(data)))
        else:
            with under("from_dict"):
                made = cls(builtins.list(data.values()), columns=columns, index=Index(builtins.list(data)))
        return made if dtype is None else made.astype(dtype)

    @classmethod
    def from_records(cls, data, columns=None, index=None, *, exclude=None, coerce_float=False, nrows=None):
        """A frame of rows: dictionaries by column, or sequences in the order of `columns`, or an array of records of numpy. `index` is a
        column, or columns, that has the labels, or a list of labels; `exclude` are columns to leave out. `coerce_float` makes floats of
        decimals. Of an iterator, only the first `nrows` are read.
        """
        operation = "from_records"
        if nrows is not None and (isinstance(nrows, bool) or not isinstance(nrows, int) or nrows < 0):
            raise _error("ValueError", operation, f"nrows is a number of rows from 0, not {nrows!r}")
        fields = getattr(getattr(data, "dtype", None), "names", None)
        if isinstance(data, DataFrame):
            made = {label: data[label] for label in data.columns}
        elif fields:
            made = _of_records(data, columns, operation)
        elif isinstance(data, dict):
            made = data if columns is None else {label: data[label] for label in _list(columns)}
        else:
            rows = builtins.list(data if nrows is None else itertools.islice(data, nrows))
            made = _of_rows(operation, builtins.list(map(_without_decimals, rows)) if coerce_float else rows, columns)
        if coerce_float:
            made = {label: _floats(values) if isinstance(values, builtins.list) else values for label, values in made.items()}
        frame = cls(made)
        return _labelled(operation, frame, index, exclude)


def _of_records(data, columns, operation):
    """The fields of an array of records: all, those that `columns` has, or all under other labels."""
    if getattr(data, "shape", None) == ():
        raise _error("TypeError", operation, "one record is a row: give an array of records")
    made = columns_of_records(data, operation)
    if columns is None:
        return made
    labels = columns if isinstance(columns, builtins.list) else [columns] if isinstance(columns, builtins.str) else builtins.list(columns)
    if builtins.len(labels) == builtins.len(made) and not set(labels) <= set(made):
        return dict(zip(labels, made.values()))
    missing = [label for label in labels if label not in made]
    if missing:
        text = f"{operation}: there is no field {missing[0]!r}; there are {builtins.list(made)}"
        raise make("KeyError", text, operation=operation, column=builtins.str(missing[0]))
    return {label: made[label] for label in labels}


def _of_rows(operation, rows, columns):
    if columns is not None and not hasattr(columns, "__iter__"):
        raise _error("TypeError", operation, f"columns is a list, not {columns!r}")
    labels = None if columns is None else builtins.list(columns) if not isinstance(columns, (builtins.str, tuple)) else _list(columns)
    if not rows:
        return {label: [] for label in labels or []}
    with under(operation):
        # Named tuples are rows without labels here, unlike in the constructor.
        made = DataFrame([tuple(row) if hasattr(row, "_fields") else row for row in rows], columns=labels)
    return {label: made[label].reset_index(drop=True) for label in made.columns}


def _labelled(operation, frame, index, exclude):
    """A frame with the labels of columns or of a list, without some columns."""
    if index is not None:
        keys = _list(index)
        if not keys and builtins.len(frame):
            raise _error("ValueError", operation, f"index has 0 labels for {builtins.len(frame)} rows")
        if isinstance(index, (Index, Series)) or not all(_is_column(frame, key) for key in keys):
            if isinstance(index, builtins.str):
                raise _error("KeyError", operation, f"index: there is no column {index!r}", index)
            labels = index if isinstance(index, Index) else Index(index)
            if builtins.len(labels) != builtins.len(frame):
                raise _error("ValueError", operation, f"index has {builtins.len(labels)} labels for {builtins.len(frame)} rows")
            frame = frame.with_index(labels)
        else:
            frame = frame.set_index(keys if builtins.len(keys) > 1 else keys[0])
    gone = [] if exclude is None else [label for label in _list(exclude) if label in frame]
    return frame.drop(columns=gone) if gone else frame


def _is_column(frame, key):
    return isinstance(key, (builtins.str, int, tuple)) and key in frame.columns
