"""Arguments of pandas for writers of files, and readers and writers of JSON, Parquet, Feather, pickles and databases."""

from __future__ import annotations

import functools
import io
import os
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _error, _has_numbers, _list, put
from .._errors import under
from .._install import methods
from .delimited import _count, _items, _text
from .encoded import (
    _is_buffer, _one_of, bytes_of, codec_of, compressed, compression_of, errors_of, temporary_folder, text_of, write_file,
)
from .pandas_metadata import Labels, labelled
from .scans import read_ipc
from .writers import write_bytes


__all__ = [
    "read_feather", "read_json", "read_parquet", "read_parquet_metadata", "read_pickle", "read_sql", "read_sql_query", "read_sql_table", "to_pickle",
]


def _target(operation, path, path_or_buf):
    if path_or_buf is None:
        return path
    if path is not None:
        raise _error("TypeError", operation, "path_or_buf and path are the same argument")
    return path_or_buf


# Text of columns ---------------------------------------------------------------------------------------------------------
def _formatted(operation, values, float_format):
    """Floats as text of a format: "%.2f" or a function."""
    if callable(float_format):
        made = [None if value is None else str(float_format(value)) for value in values.to_list()]
    else:
        try:
            made = [None if value is None else float_format % value for value in values.to_list()]
        except (TypeError, ValueError):
            raise _error("ValueError", operation, f'float_format is a format such as "%.2f" or a function, not {float_format!r}') from None
    return Series(made, dtype="utf8")


def _time_text(values):
    """Times as pandas writes them: of midnights the date alone, and as many digits of seconds as are needed."""
    dtype = str(values.dtype)
    unit = dtype[dtype.index("[") + 1 : -1].split(",")[0]
    if "," in dtype:
        return values.cast("utf8")
    numbers = values.cast("int64")
    per_second = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}[unit]
    if not (numbers % (86_400 * per_second) != 0).any():
        return values.dt.strftime("%Y-%m-%d")
    if not (numbers % per_second != 0).any():
        return values.dt.strftime("%Y-%m-%d %H:%M:%S")
    return values.cast("utf8")


def _texts(operation, values, float_format, decimal, date_format):
    """Values as `to_csv` writes them, where the writer of CSV has another form."""
    dtype = str(values.dtype)
    if dtype in ("float16", "float32", "float64"):
        if float_format is not None:
            values = _formatted(operation, values, float_format)
        if decimal != ".":
            values = values.cast("utf8").str.replace(".", decimal)
    elif dtype == "bool":
        values = values.cast("utf8").str.title()
    elif dtype.startswith("timestamp"):
        values = _time_text(values) if date_format is None else values.dt.strftime(date_format)
    elif dtype == "date32" and date_format is not None:
        values = values.dt.strftime(date_format)
    return values


def _levels(operation, frame, index_label):
    """The row labels as columns, and what they are called."""
    names = list(frame.index.names)
    if index_label is False:
        names = []
    elif index_label is not None:
        names = _list(index_label) if not isinstance(index_label, tuple) else list(index_label)
        if len(names) != frame.index.nlevels:
            raise _error("ValueError", operation, f"index_label has {len(names)} names for {frame.index.nlevels} levels")
    labels = frame.index.to_frame()
    return ["" if name is None else str(name) for name in names], [labels[label] for label in labels.columns]


def _headers(frame, names, header):
    """The lines above the rows."""
    if header is False:
        return []
    if header is not True:
        return [[*names, *map(str, header)]]
    labels = list(frame.columns)
    if not labels or not isinstance(labels[0], tuple):
        return [[*names, *("" if label is None else str(label) for label in labels)]]
    lines = []
    for level, name in enumerate(frame._level_names):
        beside = ["" if name is None else str(name)] + [""] * (len(names) - 1) if names else []
        lines.append([*beside, *(str(label[level]) for label in labels)])
    return lines + ([[*names, *[""] * len(labels)]] if any(names) else [])


def _csv_text(columns, lines, na_rep, options):
    """The text that the module csv of Python writes."""
    import csv

    buffer = io.StringIO()
    try:
        writer = csv.writer(buffer, **options)
    except TypeError as error:
        raise _error("ValueError", "to_csv", str(error)) from None
    is_number = options["quoting"] == csv.QUOTE_NONNUMERIC
    lists = []
    for values in columns:
        whole = is_number and values.dtype.is_numeric
        made = values.to_list() if whole else values.cast("utf8").to_list()
        lists.append([na_rep if value is None else value for value in made] if values.null_count else made)
    try:
        writer.writerows(lines)
        writer.writerows(zip(*lists))
    except csv.Error as error:
        raise _error("ValueError", "to_csv", f"{error}: give escapechar or another quoting") from None
    return buffer.getvalue()


def _native_text(columns, lines, na_rep, sep):
    import csv

    frame = DataFrame({f"{place}": values.reset_index(drop=True) for place, values in enumerate(columns)})
    header = _csv_text([], lines, "", {"delimiter": sep, "lineterminator": "\n", "quoting": csv.QUOTE_MINIMAL})
    with temporary_folder() as folder:
        path = os.path.join(folder, "text.csv")
        frame.write_csv(path, delimiter=sep, has_header=False, null=na_rep, quote_empty=False)
        with open(path, encoding="utf-8", newline="") as file:
            return header + file.read()


def _is_written(path, columns, lines, na_rep, sep):
    """Writes a file without its text in memory, where the names of the columns allow it."""
    names = lines[0] if lines else [str(place) for place in range(len(columns))]
    if len(lines) > 1 or len(names) != len(columns) or len(set(names)) < len(names):
        return False
    frame = DataFrame({name: values.reset_index(drop=True) for name, values in zip(names, columns)})
    frame.write_csv(path, delimiter=sep, has_header=bool(lines), null=na_rep, quote_empty=False)
    return True


def _put(operation, target, text, mode="w", encoding=None, compression="infer", errors="strict"):
    """Text into a file or a buffer; returned where there is none."""
    if target is None:
        return text
    if mode not in ("w", "a", "x", "wb", "ab", "xb", "wt", "at", "xt"):
        raise _error("ValueError", operation, f'mode is "w", "a" or "x", not {mode!r}')
    if _is_buffer(target) or hasattr(target, "write"):
        is_text = isinstance(target, io.TextIOBase) or "b" not in getattr(target, "mode", "b") and not isinstance(target, io.RawIOBase)
        name = compression_of(operation, None if compression == "infer" else compression, None)
        if is_text and name is None:
            put(operation, target, text)
        else:
            put(operation, target, compressed(operation, text.encode(codec_of(operation, encoding), errors), name, None))
        return None
    name = compression_of(operation, compression, target)
    data = compressed(operation, text.encode("utf-8" if encoding is None else encoding, errors), name, target)
    write_file(operation, target, data, mode[0])
    return None


@methods(DataFrame)
class _CsvOfFrames:
    def to_csv(
        self, path=None, sep=",", na_rep="", columns=None, header=True, index=True, *, path_or_buf=None, float_format=None,
        index_label=None, mode="w", encoding=None, compression="infer", quoting=None, quotechar='"', lineterminator=None,
        date_format=None, decimal=".", doublequote=True, escapechar=None, errors="strict",
    ):
        """Writes a CSV file, or to an open file or buffer, with the row labels, or returns its text where no path is given. Nulls
        are `na_rep`, NaN is "NaN". Files are compressed as their ending says.
        """
        import csv

        operation = "to_csv"
        target = _target(operation, path, path_or_buf)
        frame = self if columns is None else self[_list(columns)]
        _text(operation, na_rep, "na_rep")
        if not isinstance(header, bool):
            header = _items(operation, "header", header)
            if len(header) != len(frame.columns):
                raise _error("ValueError", operation, f"header has {len(header)} names for {len(frame.columns)} columns")
        if not isinstance(sep, str) or len(sep) != 1:
            raise _error("ValueError", operation, f"sep is one character, not {sep!r}")
        codec_of(operation, encoding)
        names, parts = _levels(operation, frame, index_label) if index else ([], [])
        lines = _headers(frame, names if index_label is not False else [], header)
        labels = [*frame.index.names[: len(parts)], *frame.columns]
        made = []
        for label, values in zip(labels, [*parts, *(frame[label] for label in frame.columns)]):
            with under(operation, label):
                made.append(_texts(operation, values, float_format, decimal, date_format))
        parts = made
        is_plain = quoting in (None, csv.QUOTE_MINIMAL) and quotechar == '"' and doublequote and escapechar is None
        is_plain = is_plain and lineterminator in (None, "\n") and sep.isascii() and bool(parts)
        is_whole = mode in ("w", "wt") and codec_of(operation, encoding) == "utf-8" and isinstance(target, (str, os.PathLike))
        is_whole = is_whole and compression_of(operation, compression, target) is None
        if is_plain and is_whole and _is_written(target, parts, lines, na_rep, sep):
            return None
        if is_plain:
            text = _native_text(parts, lines, na_rep, sep)
        else:
            text = _csv_text(parts, lines, na_rep, {
                "delimiter": sep, "quoting": csv.QUOTE_MINIMAL if quoting is None else quoting, "quotechar": quotechar,
                "lineterminator": "\n" if lineterminator is None else lineterminator, "doublequote": doublequote, "escapechar": escapechar,
            })
        return _put(operation, target, text, mode, encoding, compression, errors)


@methods(Series)
class _CsvOfSeries:
    def to_csv(
        self, path=None, sep=",", na_rep="", header=True, index=True, *, path_or_buf=None, float_format=None, index_label=None,
        mode="w", encoding=None, compression="infer", quoting=None, quotechar='"', lineterminator=None, date_format=None, decimal=".",
        doublequote=True, escapechar=None, errors="strict",
    ):
        """Writes a CSV file, or to an open file or buffer, with the row labels, see `DataFrame.to_csv`; or returns its text where no
        path is given.
        """
        return self.to_frame().to_csv(
            path, sep, na_rep, None, header, index, path_or_buf=path_or_buf, float_format=float_format, index_label=index_label, mode=mode,
            encoding=encoding, compression=compression, quoting=quoting, quotechar=quotechar, lineterminator=lineterminator,
            date_format=date_format, decimal=decimal, doublequote=doublequote, escapechar=escapechar, errors=errors,
        )


# JSON --------------------------------------------------------------------------------------------------------------------
_PER = ("s", "ms", "us", "ns")


def _json_values(operation, values, date_format, date_unit, double_precision):
    """Values as JSON is to have them."""
    dtype = str(values.dtype)
    if dtype in ("float32", "float64") and double_precision is not None:
        return values.round(double_precision)
    if dtype == "date32" and date_format == "epoch":
        values, dtype = values.cast("timestamp[ms]"), "timestamp[ms]"
    if not dtype.startswith(("timestamp", "duration")) or date_format is None and date_unit is None:
        return values
    unit = date_unit or "ms"
    if date_format == "epoch":
        bare = values.cast("int64").cast(f"{dtype[: dtype.index('[')]}[{values.dtype.unit}]")
        return bare.cast(f"{dtype[: dtype.index('[')]}[{unit}]").cast("int64")
    if dtype.startswith("duration"):
        return values
    suffix = "" if values.dtype.tz is None else "Z"
    bare = values.cast("int64").cast(f"timestamp[{values.dtype.unit}]").cast(f"timestamp[{unit}]")
    text = bare.cast("utf8").str.replace(" ", "T")
    return text + suffix if suffix else text


def _json_frame(operation, frame, date_format, date_unit, double_precision):
    if date_format not in (None, "epoch", "iso"):
        raise _error("ValueError", operation, f'date_format is "epoch" or "iso", not {date_format!r}')
    if date_unit is not None:
        _one_of(operation, "date_unit", date_unit, _PER)
    if double_precision is not None and (not isinstance(double_precision, int) or not 0 <= double_precision <= 15):
        raise _error("ValueError", operation, f"double_precision is a number from 0 to 15, not {double_precision!r}")
    labels = list(frame.columns)
    names = [str(label) for label in labels]
    if len(set(names)) < len(names):
        raise _error("ValueError", operation, "two labels of columns are the same text")
    made = {}
    for name, label in zip(names, labels):
        with under(operation, label):
            made[name] = _json_values(operation, frame[label], date_format, date_unit, double_precision).reset_index(drop=True)
    return (DataFrame(made) if made else frame).with_index(frame.index)


def _native_json(frame, orient):
    with temporary_folder() as folder:
        path = os.path.join(folder, "text.json")
        frame.write_json(path, orient=orient)
        with open(path, encoding="utf-8") as file:
            return file.read()


def _json_text(value, indent, force_ascii):
    import json

    return json.dumps(value, ensure_ascii=bool(force_ascii), indent=indent or None, separators=(",", ":"))


def _json_labels(operation, index, date_format, date_unit):
    """The row labels as JSON has them."""
    import json

    if index.nlevels > 1:
        return [list(map(str, label)) for label in index.to_list()]
    levels = index.to_frame()
    values = levels[levels.columns[0]].rename("labels").reset_index(drop=True)
    made = _json_values(operation, values, date_format, date_unit, None).to_frame()
    return [row[0] for row in json.loads(_native_json(made, "split"))["data"]]


def _labelled(rows, orient, labels):
    """JSON whose row labels are those that are given, not the numbers of rows."""
    import json

    if orient == "split":
        return {**rows, "index": labels}
    keys = ["null" if label is None else label if isinstance(label, str) else json.dumps(label) for label in labels]
    if orient == "index":
        return dict(zip(keys, rows.values()))
    return {name: dict(zip(keys, values.values())) for name, values in rows.items()}


def _json_mode(operation, mode, lines, orient, indent):
    if indent is not None and (isinstance(indent, bool) or not isinstance(indent, int) or indent < 0):
        raise _error("ValueError", operation, f"indent is a number of blanks, not {indent!r}")
    if mode not in ("w", "a"):
        raise _error("ValueError", operation, f'mode is "w" or "a", not {mode!r}')
    if mode == "a" and not (lines and orient == "records"):
        raise _error("ValueError", operation, 'mode="a" goes with orient="records" and lines=True')


def _one_line(text, orient, lines, indent):
    """JSON without line ends between rows, as in pandas; texts in it have none."""
    is_document = isinstance(text, str) and orient is not None and not lines and not indent
    return text.replace("\n", "") if is_document else text


@methods(DataFrame)
class _JsonOfFrames:
    def to_json(
        self, path=None, *, path_or_buf=None, orient=None, date_format=None, double_precision=None, force_ascii=False, date_unit=None,
        lines=None, compression="infer", index=None, indent=None, mode="w",
    ):
        """Writes JSON, or returns its text where no path is given. Without `orient` it is lines, an object for each row; `orient` is
        "records", "index", "columns", "split" or "values", or "records" with lines=True. Times are text, as with
        date_format="iso"; with "epoch" they are numbers of `date_unit`. Floats have all digits unless `double_precision` is given.
        """
        import json

        operation = "to_json"
        target = _target(operation, path, path_or_buf)
        if orient is None:
            orient, lines = "records", True if lines is None else lines
        _one_of(operation, "orient", orient, ("records", "index", "columns", "split", "values"))
        if lines and orient != "records":
            raise _error("ValueError", operation, 'lines=True goes with orient="records"')
        if index is not None and not (index or orient == "split") or index is True and orient in ("records", "values"):
            raise _error("ValueError", operation, f'index={index} does not go with orient="{orient}"')
        if orient in ("index", "columns") and not self.index.is_unique:
            raise _error("ValueError", operation, f'row labels are unique with orient="{orient}"')
        _json_mode(operation, mode, lines, orient, indent)
        frame = _json_frame(operation, self, date_format, date_unit, double_precision)
        text = _native_json(frame, "lines" if lines else "split" if orient == "values" else orient)
        has_labels = orient in ("index", "columns", "split") and index is not False and not _has_numbers(self.index)
        if orient == "values" or index is False or indent or has_labels or (force_ascii and not text.isascii()):
            rows = [json.loads(line) for line in text.splitlines()] if lines else json.loads(text)
            if orient == "values":
                rows = rows["data"]
            elif index is False:
                del rows["index"]
            elif has_labels:
                rows = _labelled(rows, orient, _json_labels(operation, self.index, date_format, date_unit))
            text = "".join(_json_text(row, None, force_ascii) + "\n" for row in rows) if lines else _json_text(rows, indent, force_ascii)
        elif not lines:
            text = text.removesuffix("\n")
        return _one_line(_put(operation, target, text, mode, None, compression), orient, lines, indent)


@methods(Series)
class _JsonOfSeries:
    def to_json(
        self, path=None, *, path_or_buf=None, orient=None, date_format=None, double_precision=None, force_ascii=False, date_unit=None,
        lines=False, compression="infer", index=None, indent=None, mode="w",
    ):
        """Writes JSON, or returns its text where no path is given: with orient="index", the default, an object of the values by their
        labels; "records" or "values" a list of values; "split" the name, labels and values. Other arguments are those of
        `DataFrame.to_json`.
        """
        import json

        operation = "to_json"
        orient = "index" if orient is None else _one_of(operation, "orient", orient, ("index", "records", "split", "values"))
        if lines and orient != "records":
            raise _error("ValueError", operation, 'lines=True goes with orient="records"')
        if index is not None and not (index or orient == "split"):
            raise _error("ValueError", operation, f'index={index} does not go with orient="{orient}"')
        if orient == "index" and not self.index.is_unique:
            raise _error("ValueError", operation, 'row labels are unique with orient="index"')
        _json_mode(operation, mode, lines, orient, indent)
        frame = _json_frame(operation, self.rename("values").to_frame(), date_format, date_unit, double_precision)
        made = json.loads(_native_json(frame, "columns" if orient == "index" else "split"))
        has_labels = orient in ("index", "split") and index is not False and not _has_numbers(self.index)
        if has_labels:
            made = _labelled(made, "columns" if orient == "index" else orient, _json_labels(operation, self.index, date_format, date_unit))
        if orient == "index":
            made = made.get("values", {})
        else:
            values = [row[0] for row in made["data"]]
            labels = {} if index is False else {"index": made["index"]}
            made = {"name": self.name, **labels, "data": values} if orient == "split" else values
        text = "".join(_json_text(value, None, force_ascii) + "\n" for value in made) if lines else _json_text(made, indent, force_ascii)
        return _put(operation, _target(operation, path, path_or_buf), text, mode, None, compression)


def _local(operation, source, folder, name, encoding=None, errors="strict", compression="infer"):
    """A file with what a buffer, or a file that is to be decoded, has."""
    if isinstance(source, (list, tuple)):
        raise _error("NotImplementedError", operation, "encodings and compressions are of one file, not of a list of files")
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text_of(operation, source, encoding, errors, compression))
    return path


def read_json(
    paths: Any = None, columns: list[str] | None = None, dtypes: dict[str, Any] | None = None, limit: int | None = None,
    infer_rows: int | None = None, skip_bad_rows: bool = False, device: str | None = None, progress: Any = None,
    hive_partitions: bool = True, orient: str | None = None, *, path_or_buf: Any = None, typ: str = "frame", dtype: Any = None,
    convert_dates: Any = None, date_unit: str | None = None, encoding: str | None = None, encoding_errors: str | None = "strict",
    lines: bool | None = None, chunksize: int | None = None, compression: Any = "infer", nrows: int | None = None,
) -> Any:
    """Reads files of JSON: one, several, or those of a folder, or an open file or buffer. What begins with `[` is an array of
    objects, anything else has an object a line; `orient` names another layout: "lines", "records", "index", "columns", "split" or
    "values". Row labels are 0, 1, …. Dtypes are inferred from the first `infer_rows` rows; `dtypes` says those of columns by name.
    Columns in `convert_dates` are times, of numbers in `date_unit`. With typ="series" the result is a series of an object or a
    list. With `chunksize` it is an iterator of frames.
    """
    operation = "read_json"
    source = _target(operation, paths, path_or_buf)
    if source is None:
        raise _error("TypeError", operation, "give the path of a file")
    _one_of(operation, "typ", typ, ("frame", "series"))
    if dtype is not None and dtype is not True:
        if dtypes is not None:
            raise _error("TypeError", operation, "dtype and dtypes are the same argument")
        if not isinstance(dtype, dict):
            raise _error("NotImplementedError", operation, "dtype is a dictionary by the name of a column")
        dtypes = dtype
    if nrows is not None:
        if limit is not None:
            raise _error("TypeError", operation, "nrows and limit are the same argument")
        limit = _count(operation, "nrows", nrows)
    if lines:
        if orient not in (None, "records", "lines"):
            raise _error("ValueError", operation, 'lines=True goes with orient="records"')
        orient = "lines"
    with temporary_folder(source) as folder:
        others = (
            encoding is not None or errors_of(operation, encoding_errors) != "strict" or compression not in ("infer", "zstd") or not isinstance(source, (list, tuple)) and _is_buffer(source)
        )
        if typ == "series" or orient == "values":
            return _small_json(operation, text_of(operation, source, encoding, encoding_errors, compression), typ, orient, columns)
        if others:
            source = _local(operation, source, folder, "buffer.json", encoding, encoding_errors, compression)
        options: dict[str, Any] = {
            "columns": columns, "dtypes": dtypes, "limit": limit, "infer_rows": infer_rows, "skip_bad_rows": skip_bad_rows,
            "device": device, "hive_partitions": hive_partitions and not others, "orient": orient,
        }
        if chunksize is not None:
            if isinstance(chunksize, bool) or not isinstance(chunksize, int) or chunksize < 1:
                raise _error("ValueError", operation, f"chunksize is a number of rows from 1, not {chunksize!r}")
            made: Any = iter(native.scan_json(source, batch_rows=chunksize, **options))
            if others:
                made = iter(list(made))
            return (_dated(operation, part, convert_dates, date_unit) for part in made)
        return _dated(operation, native.read_json(source, progress=progress, **options), convert_dates, date_unit)


def _dated(operation, frame, labels, unit):
    if labels is None or isinstance(labels, bool):
        return frame
    from .._functions.values import to_datetime

    made = {}
    for label in _list(labels):
        if label not in frame:
            raise _error("KeyError", operation, f"convert_dates: there is no column {label!r}", label)
        made[label] = to_datetime(frame[label], unit=(unit or "ms") if frame[label].dtype.is_numeric else None)
    return frame.with_columns(**made) if made else frame


def _small_json(operation, text, typ, orient, columns):
    import json

    try:
        data = json.loads(text)
    except ValueError as error:
        raise _error("ValueError", operation, f"not JSON: {error}") from None
    if typ == "frame":
        return DataFrame.from_records(data, columns=columns) if data else DataFrame({})
    if isinstance(data, dict) and (orient == "split" or set(data) == {"name", "index", "data"}):
        return Series(data["data"], name=data.get("name")).with_index(Index(data["index"]))
    if not isinstance(data, (dict, list)):
        raise _error("ValueError", operation, "a series is an object or a list")
    if isinstance(data, list):
        return Series(data)
    labels = [int(key) if key.lstrip("-").isdecimal() else key for key in data]
    labels = labels if all(isinstance(label, int) for label in labels) else list(data)
    return Series(list(data.values())).with_index(Index(labels))


# Parquet, Feather and pickles --------------------------------------------------------------------------------------------
@methods(DataFrame)
class _FilesOfFrames:
    def to_parquet(self, path=None, compression="snappy", *, index=None, partition_cols=None, engine=None):
        """Writes a Parquet file, see `write_parquet`, or to a buffer, or returns its bytes where no path is given. Row labels that are
        not 0, 1, … are columns of it; with index=True all are, with False none. The metadata of the file says which columns are
        labels, as that of pandas does, so that pandas and `read_parquet` with index=True make them labels again. `partition_cols` writes a folder,
        see `write_dataset`.
        """
        frame, metadata = labelled(self, index)
        compression = "none" if compression is None else compression
        write = functools.partial(frame.write_parquet, compression=compression, metadata=metadata)
        if partition_cols is None:
            return write_bytes("to_parquet", path, "some.parquet", write)
        if path is None or hasattr(path, "write"):
            raise _error("ValueError", "to_parquet", "partition_cols are written to a folder: give its path")
        return frame.write_dataset(path, _list(partition_cols), compression=compression, metadata=metadata)

    def to_feather(self, path=None, compression="none"):
        """Writes an Arrow IPC file, see `write_ipc`, or to a buffer, or returns its bytes where no path is given."""
        compression = "none" if compression is None else compression
        return write_bytes("to_feather", path, "some.feather", functools.partial(self.write_ipc, compression=compression))

    def to_sql(self, name, con, *, schema=None, if_exists="fail", index=True, index_label=None, chunksize=None):
        """Writes the rows to a table of a connection of DB-API, such as `sqlite3.connect(…)`; returns their number. `if_exists` is
        "fail", "replace", "append" or "delete_rows".
        """
        return _to_sql(self, name, con, schema, if_exists, index, index_label, chunksize)


@methods(Series)
class _FilesOfSeries:
    def to_sql(self, name, con, *, schema=None, if_exists="fail", index=True, index_label=None, chunksize=None):
        """Writes the values to a table of a connection of DB-API, see `DataFrame.to_sql`."""
        return _to_sql(self.to_frame(), name, con, schema, if_exists, index, index_label, chunksize)


@methods(DataFrame, Series)
class _FilesOfBoth:
    def to_pickle(self, path, compression="infer", protocol=5):
        """Writes a pickle, which `read_pickle` reads."""
        to_pickle(self, path, compression, protocol)


def to_pickle(obj: Any, filepath_or_buffer: Any, compression: Any = "infer", protocol: int = 5) -> None:
    """Writes a pickle of an object to a file or a buffer."""
    import pickle

    operation = "to_pickle"
    data = pickle.dumps(obj, protocol)
    if hasattr(filepath_or_buffer, "write"):
        put(operation, filepath_or_buffer, data)
        return
    name = compression_of(operation, compression, filepath_or_buffer)
    write_file(operation, filepath_or_buffer, compressed(operation, data, name, filepath_or_buffer))


def read_pickle(filepath_or_buffer: Any, compression: Any = "infer") -> Any:
    """What a pickle has. Only read pickles of your own: they can run anything."""
    import pickle

    return pickle.loads(bytes_of("read_pickle", filepath_or_buffer, compression))


def _binary(operation, source, folder):
    path = os.path.join(folder, "buffer")
    with open(path, "wb") as file:
        file.write(bytes_of(operation, source, None))
    return path


_TESTS = {
    "==": "__eq__", "=": "__eq__", "!=": "__ne__", "<": "__lt__", "<=": "__le__", ">": "__gt__", ">=": "__ge__",
}


def _condition(part):
    operation = "read_parquet"
    if not isinstance(part, (tuple, list)) or len(part) != 3:
        raise _error("ValueError", operation, f"filters are (column, operator, value), not {part!r}")
    label, test, value = part
    if test in ("in", "not in"):
        found = native.col(label).is_in(list(value))
        return ~found if test == "not in" else found
    if test not in _TESTS:
        raise _error("ValueError", operation, f"the operator of a filter is {', '.join(_TESTS)}, in or not in, not {test!r}")
    return getattr(native.col(label), _TESTS[test])(value)


def _filter(filters):
    """An expression of pandas' filters: a list of conditions that hold together, or a list of such lists of which one holds."""
    if not isinstance(filters, (list, tuple)) or not filters:
        raise _error("ValueError", "read_parquet", "filters is a list of (column, operator, value), or a list of such lists")
    if isinstance(filters[0], (tuple, list)) and filters[0] and isinstance(filters[0][0], (tuple, list)):
        return functools.reduce(lambda one, other: one | other, [_filter(part) for part in filters])
    return functools.reduce(lambda one, other: one & other, [_condition(part) for part in filters])


def read_parquet(
    paths: Any = None, columns: list[str] | None = None, filter: Any = None, dictionary: list[str] | bool | None = None,
    rows: tuple[int, int] | None = None, hive_partitions: bool = True, device: str | None = None, progress: Any = None,
    int96_unit: str | None = None, *, path: Any = None, filters: Any = None, engine: Any = None, index: bool = False,
) -> DataFrame:
    """Reads Parquet files: one, several, those of a folder or of a pattern, or an open file or buffer. Row groups, pages and files
    that no row of `filter` can be in are not read; `filters` are conditions of pandas, such as `[("units", ">", 2)]`. `rows` is the
    first row and the one after the last; folders `name=value` give columns. `dictionary` has the string columns that are read as
    dictionaries; with True they are those that the files keep in dictionaries alone. `progress=True` writes a line to
    `sys.stderr`; a function is called with the bytes that are done and all bytes. `int96_unit` is the unit of timestamps of 96
    bits, as Spark writes them: "s", "ms", "us", which is the default, or "ns". With index=True the columns that the metadata of the
    file says are row labels, as pandas and `to_parquet` write it, become these, whatever `columns` are, as in pandas.
    """
    source = _target("read_parquet", paths, path)
    if source is None:
        raise _error("TypeError", "read_parquet", "give the path of a file")
    if filters is not None:
        filter = _filter(filters) if filter is None else _filter(filters) & filter
    read = functools.partial(
        native.read_parquet, filter=filter, dictionary=dictionary, rows=rows, hive_partitions=hive_partitions, device=device,
        progress=progress, int96_unit=int96_unit,
    )
    if not _is_buffer(source):
        return _read_labelled(source, columns, read, index)
    with temporary_folder() as folder:
        return _read_labelled(_binary("read_parquet", source, folder), columns, read, index)


def _read_labelled(source, columns, read, index):
    """A read whose row labels are those that the files say to have."""
    labels = Labels(source) if index else None
    if labels is None or not labels.levels:
        return read(source, columns=columns)
    if columns is not None:
        columns = labels.among(columns, lambda: native.read_parquet(source, rows=(0, 0)).columns)
    return labels.restored(read(source, columns=columns))


def read_parquet_metadata(source: Any) -> dict[str, str]:
    """The keys and values in the metadata of a Parquet file, or of an open file or buffer; of several files those of the first."""
    if not _is_buffer(source):
        return dict(native.read_parquet_metadata(source))
    with temporary_folder() as folder:
        return dict(native.read_parquet_metadata(_binary("read_parquet_metadata", source, folder)))


def read_feather(path: Any, columns: list[str] | None = None, *, progress: Any = None) -> DataFrame:
    """Reads a Feather file, which is one of Arrow IPC, see `read_ipc`; or an open file or buffer. `progress=True` writes a line to
    `sys.stderr`; a function is called with the bytes that are done and all bytes.
    """
    return read_ipc(path, columns=columns, progress=progress)


# Databases ---------------------------------------------------------------------------------------------------------------
def _quoted(name):
    return '"' + str(name).replace('"', '""') + '"'


def _sql_type(dtype):
    text = str(dtype)
    if dtype.is_numeric and "int" in text or text == "bool":
        return "INTEGER"
    if text.startswith("float"):
        return "REAL"
    return "TIMESTAMP" if text.startswith("timestamp") else "DATE" if text == "date32" else "TEXT"


def _sql_values(values):
    """Values that a driver takes: times as text."""
    dtype = str(values.dtype)
    if dtype.startswith(("timestamp", "date", "time", "duration", "decimal", "dictionary")):
        return (_time_text(values) if dtype.startswith("timestamp") else values.cast("utf8")).to_list()
    return values.to_list()


def _connection(operation, con):
    if not hasattr(con, "cursor"):
        raise _error("TypeError", operation, f"con is a connection of DB-API, such as sqlite3.connect(…), not {type(con).__name__}")
    return con


def _has_table(cursor, table):
    try:
        cursor.execute(f"SELECT * FROM {table} WHERE 1 = 0")
    except Exception:
        return False
    return True


def _to_sql(frame, name, con, schema, if_exists, index, index_label, chunksize):
    operation = "to_sql"
    _one_of(operation, "if_exists", if_exists, ("fail", "replace", "append", "delete_rows"))
    _text(operation, name, "name")
    if schema is not None:
        _text(operation, schema, "schema")
    _connection(operation, con)
    names, parts = [], []
    if index:
        names, parts = _levels(operation, frame, index_label)
        several = len(names) > 1
        names = [text or (f"level_{place}" if several else "index") for place, text in enumerate(names)]
    names = [*names, *map(str, frame.columns)]
    parts = [*parts, *(frame[label] for label in frame.columns)]
    if len(set(names)) < len(names):
        raise _error("ValueError", operation, "two columns have the same name: give index_label or index=False")
    table = _quoted(name) if schema is None else f"{_quoted(schema)}.{_quoted(name)}"
    cursor = con.cursor()
    exists = _has_table(cursor, table)
    if exists and if_exists == "fail":
        raise _error("ValueError", operation, f"there is a table {name!r}: give if_exists")
    if exists and if_exists == "replace":
        cursor.execute(f"DROP TABLE {table}")
    elif exists and if_exists == "delete_rows":
        cursor.execute(f"DELETE FROM {table}")
    if not exists or if_exists == "replace":
        columns = ", ".join(f"{_quoted(label)} {_sql_type(values.dtype)}" for label, values in zip(names, parts))
        cursor.execute(f"CREATE TABLE {table} ({columns})")
    rows = list(zip(*map(_sql_values, parts)))
    into = f"INSERT INTO {table} ({', '.join(map(_quoted, names))}) VALUES ({', '.join('?' * len(names))})"
    size = max(len(rows), 1) if chunksize is None else _count(operation, "chunksize", chunksize) or 1
    for start in range(0, len(rows), size):
        cursor.executemany(into, rows[start : start + size])
    con.commit()
    return len(rows)


def _query_rows(cursor, rows, index_col, parse_dates, dtype, names):
    frame = DataFrame({label: [row[place] for row in rows] for place, label in enumerate(names)})
    if dtype is not None:
        frame = frame.astype(dtype)
    dates = parse_dates if isinstance(parse_dates, dict) else dict.fromkeys(_list(parse_dates or []))
    if dates:
        from .._functions.values import to_datetime

        ways = {label: {"unit": how} if how in _PER or how == "D" else {"format": how} for label, how in dates.items()}
        made = {label: to_datetime(frame[label], **way) for label, way in ways.items()}
        frame = frame.with_columns(**made)
    return frame if index_col is None else frame.set_index(index_col)


def read_sql_query(
    sql: str, con: Any, index_col: Any = None, *, params: Any = None, parse_dates: Any = None, chunksize: int | None = None,
    dtype: Any = None,
) -> Any:
    """The rows of a query to a connection of DB-API, such as `sqlite3.connect(…)`. With `chunksize` an iterator of frames."""
    operation = "read_sql"
    cursor = _connection(operation, con).cursor()
    if params is None:
        cursor.execute(sql)
    else:
        cursor.execute(sql, params)
    names = [column[0] for column in cursor.description]
    if len(set(names)) < len(names):
        raise _error("ValueError", operation, "two columns of the query have the same name: name them with AS")
    finish = functools.partial(_query_rows, cursor, index_col=index_col, parse_dates=parse_dates, dtype=dtype, names=names)
    if chunksize is None:
        return finish(cursor.fetchall())
    if _count(operation, "chunksize", chunksize) < 1:
        raise _error("ValueError", operation, "chunksize is a number of rows from 1")
    return (finish(rows) for rows in iter(lambda: cursor.fetchmany(chunksize), []))


def read_sql_table(
    table_name: str, con: Any, schema: str | None = None, index_col: Any = None, *, parse_dates: Any = None, columns: Any = None,
    chunksize: int | None = None, dtype: Any = None,
) -> Any:
    """The rows of a table of a connection of DB-API, or some columns of it."""
    what = "*" if columns is None else ", ".join(map(_quoted, _list(columns)))
    table = _quoted(table_name) if schema is None else f"{_quoted(schema)}.{_quoted(table_name)}"
    query = f"SELECT {what} FROM {table}"
    return read_sql_query(query, con, index_col, parse_dates=parse_dates, chunksize=chunksize, dtype=dtype)


def read_sql(
    sql: str, con: Any, index_col: Any = None, *, params: Any = None, parse_dates: Any = None, columns: Any = None,
    chunksize: int | None = None, dtype: Any = None,
) -> Any:
    """The rows of a query, or of a table by its name, of a connection of DB-API."""
    _connection("read_sql", con)
    if not any(part.isspace() for part in sql) and _has_table(con.cursor(), _quoted(sql)):
        return read_sql_table(sql, con, None, index_col, parse_dates=parse_dates, columns=columns, chunksize=chunksize, dtype=dtype)
    if columns is not None:
        raise _error("ValueError", "read_sql", "columns are those of a table: name them in the query")
    return read_sql_query(sql, con, index_col, params=params, parse_dates=parse_dates, chunksize=chunksize, dtype=dtype)
