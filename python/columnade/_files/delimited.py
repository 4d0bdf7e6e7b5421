"""Arguments of pandas for `read_csv`, which gives what they say to the reader of CSV, or does it before and after the parse."""

from __future__ import annotations

import bisect
import io
import itertools
import os
import re
import warnings
from typing import Any, Iterator, Literal

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _error, _list
from .._errors import ColumnadeError
from .encoded import _is_buffer, _one_of, bytes_of, codec_of, compression_of, errors_of, hide, temporary_folder, text_of


__all__ = ["read_csv", "read_table"]

# What an argument is that was not given, where None is a value of it.
_ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "..."})()

NULLS = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA", "NULL", "NaN", "None",
    "n/a", "nan", "null",
)
# What the reader does with bytes that are no UTF-8; the codecs of Python know more.
_ERRORS = ("strict", "replace", "ignore")


def _is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def _count(operation, name, value):
    """An argument that is a number of rows."""
    if not _is_whole(value) or value < 0:
        raise _error("ValueError", operation, f"{name} is a number of rows from 0, not {value!r}")
    return value


def _text(operation, value, *names):
    """An argument that is text."""
    if not isinstance(value, str):
        raise _error("TypeError", operation, f"{' or '.join(names)} is text, not {value!r}")
    return value


def _items(operation, name, value):
    """An argument that is a list or another sequence."""
    if isinstance(value, (str, bytes)) or not hasattr(value, "__iter__"):
        raise _error("TypeError", operation, f"{name} is a list, not {value!r}")
    return list(value)


# The reader of CSV -------------------------------------------------------------------------------------------------------
def _records(text, quote, escape):
    """Lines, with those that a quoted line break parts as one."""
    lines = io.StringIO(text).readlines()
    if quote is None or quote not in text:
        return lines
    made, open_, parts = [], False, []
    for line in lines:
        marks = line.count(quote) - (line.count(escape + quote) if escape else 0)
        parts.append(line)
        open_ ^= marks % 2 == 1
        if not open_:
            made.append("".join(parts))
            parts = []
    return made + (["".join(parts)] if parts else [])


def _starts(records):
    """The number of the line that each record begins on, from 1."""
    return list(itertools.accumulate((record.count("\n") for record in records[:-1]), initial=1)) if records else []


def _outside(quote, pattern, replaced, text):
    """A regular expression replaced where it is not between quotes."""
    if quote is None or quote not in text:
        return re.sub(pattern, lambda found: replaced, text)
    mark = re.escape(quote)
    return re.sub(f"({mark}[^{mark}]*{mark})|(?:{pattern})", lambda found: found[1] if found[1] is not None else replaced, text)


class _Csv:
    """A read with arguments of pandas."""

    def __init__(self, operation, options):
        self.operation = operation
        self.options = options
        if options["names"] is not None:
            options["names"] = _items(operation, "names", options["names"])
        self.source = self._alias("paths", "filepath_or_buffer", None)
        if self.source is None:
            raise _error("TypeError", operation, "give the path of a file")
        self.skiprows = self._alias("skip_rows", "skiprows", 0)
        self.nrows = self._alias("limit", "nrows", None)
        self.quote = self._alias("quote", "quotechar", '"')
        self.escape = self._alias("escape", "escapechar", None)
        self.separator = self._separator()
        self._check()
        self.folder = None
        self.has_text = self._needs_text()
        self.has_header = options["has_header"]
        self.first = 0
        header = options["header"]
        if header is None:
            self.has_header = False
        elif header not in (_ABSENT, "infer"):
            if not _is_whole(header):
                kind = "NotImplementedError" if isinstance(header, (list, tuple)) else "ValueError"
                raise _error(kind, operation, f"header is the number of a line or None, not {header!r}")
            self.has_header, self.first = True, _count(operation, "header", header)
            self.edits = self.edits or header > 0
            self.has_text = self.has_text or self.edits

    def _alias(self, ours, theirs, default):
        old, new = self.options[ours], self.options[theirs]
        if new is _ABSENT:
            return old
        if old != default:
            raise _error("TypeError", self.operation, f"{theirs} and {ours} are the same argument")
        return new

    def _separator(self):
        sep, delimiter = self.options["sep"], self.options["delimiter"]
        if sep is _ABSENT:
            return "," if delimiter is None else _text(self.operation, delimiter, "delimiter")
        if delimiter not in (",", None):
            raise _error("TypeError", self.operation, "sep and delimiter are the same argument")
        if sep is not None and (not isinstance(sep, str) or not sep):
            raise _error("TypeError", self.operation, f"sep is text or None, not {sep!r}")
        return sep

    def _check(self):
        import csv

        operation, options = self.operation, self.options
        if options["quoting"] not in range(4):
            raise _error("NotImplementedError", operation, f"quoting is 0 to 3, as the constants of csv, not {options['quoting']!r}")
        if options["quoting"] == csv.QUOTE_NONE:
            self.quote = None
        if not options["doublequote"]:
            raise _error("NotImplementedError", operation, "doublequote=False is not implemented: give escapechar")
        if options["on_bad_lines"] is not _ABSENT:
            if callable(options["on_bad_lines"]):
                raise _error("NotImplementedError", operation, "on_bad_lines as a function is not implemented")
            _one_of(operation, "on_bad_lines", options["on_bad_lines"], ("error", "warn", "skip"))
        for name in ("comment", "thousands", "decimal", "lineterminator"):
            value = options[name]
            if value is not None and (not isinstance(value, str) or len(value) != 1):
                raise _error("ValueError", operation, f"{name} is one character, not {value!r}")
        if options["dtypes"] is not None and options["dtype"] is not None:
            raise _error("TypeError", operation, "dtype and dtypes are the same argument")
        if options["usecols"] is not None and options["columns"] is not None:
            raise _error("TypeError", operation, "usecols and columns are the same argument")
        for name, value in (("quotechar", self.quote), ("escapechar", self.escape)):
            if value is not None and len(_text(operation, value, name)) != 1:
                raise _error("ValueError", operation, f"{name} is one character, not {value!r}")
        for name in ("true_values", "false_values"):
            if options[name] is not None:
                _items(operation, name, options[name])
        if options["usecols"] is not None and not callable(options["usecols"]):
            _items(operation, "usecols", options["usecols"])
        if options["converters"] is not None and not isinstance(options["converters"], dict):
            raise _error("TypeError", operation, "converters is a dictionary of functions by column")
        given = options["na_values"]
        if given is not None and not isinstance(given, (str, int, float, dict)):
            _items(operation, "na_values", given)
        if self.nrows is not None:
            _count(operation, "nrows", self.nrows)
        _count(operation, "skipfooter", options["skipfooter"])
        if options["skipfooter"] and (self.nrows is not None or options["chunksize"] is not None or options["iterator"]):
            raise _error("ValueError", operation, "skipfooter does not go with nrows, chunksize or iterator")
        if options["chunksize"] is not None and (not _is_whole(options["chunksize"]) or options["chunksize"] < 1):
            raise _error("ValueError", operation, f"chunksize is a number of rows from 1, not {options['chunksize']!r}")
        if isinstance(options["parse_dates"], dict) or any(isinstance(part, list) for part in self._dates()):
            raise _error("NotImplementedError", operation, "parse_dates that joins columns is not implemented: join them with +")

    def _dates(self):
        dates = self.options["parse_dates"]
        return [] if dates in (None, True, False) else list(dates) if isinstance(dates, (list, tuple)) else [dates]

    def _needs_text(self):
        options = self.options
        self.skips = None if _is_whole(self.skiprows) else self.skiprows
        if self.skips is None:
            _count(self.operation, "skiprows", self.skiprows)
        elif not callable(self.skips) and not isinstance(self.skips, (list, tuple, set, range)):
            raise _error("TypeError", self.operation, f"skiprows is a number, a list or a function, not {self.skips!r}")
        codec = codec_of(self.operation, options["encoding"])
        self.errors = errors_of(self.operation, options["encoding_errors"])
        # The reader tells Zstandard by the first bytes.
        explicit = options["compression"] not in ("infer", "zstd") or not _is_buffer(self.source) and compression_of(
            self.operation, "infer", self.source
        ) in ("bz2", "zip", "xz")
        self.edits = bool(
            codec not in ("utf-8", "utf-8-sig") or self.errors not in _ERRORS or explicit or self.skips is not None
            or options["skipfooter"] or options["comment"] or options["skipinitialspace"] or options["lineterminator"]
            or not options["skip_blank_lines"] or self.separator is None or len(self.separator) > 1
        )
        return self.edits or _is_buffer(self.source)

    # Before the parse.

    def _prepare(self):
        """Files with what is to be parsed alone."""
        import glob

        sources = self.source if isinstance(self.source, (list, tuple)) else [self.source]
        self.folder = temporary_folder()
        # Of each file in the folder the path that was given, and where its lines come from.
        self.origins = {}
        paths = []
        for place, source in enumerate(sources):
            name = "buffer" if _is_buffer(source) else os.path.basename(os.fspath(source)).split(".")[0]
            if not _is_buffer(source) and not os.path.exists(source) and glob.glob(os.fspath(source)):
                raise _error("NotImplementedError", self.operation, "these arguments are for files, not for a pattern")
            path = os.path.join(self.folder.name, f"{place}-{name}.csv")
            how = [self.options[name] for name in ("encoding", "encoding_errors", "compression")]
            self.lines = None
            data = self._prepared(text_of(self.operation, source, *how)) if self.edits else bytes_of(self.operation, source)
            self.origins[path] = (None if _is_buffer(source) else os.fspath(source), self.lines)
            with open(path, "wb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
            paths.append(path)
        self.source = paths
        if self.edits:
            self.skiprows = 0

    def _prepared(self, text):
        """The text of the lines that are read. `lines` has the numbers that they have in the file."""
        options, quote = self.options, self.quote
        text = text.removeprefix("\ufeff")
        if options["lineterminator"]:
            text = text.replace(options["lineterminator"], "\n")
        if "\r" in text:
            text = _outside(quote, r"\r\n?", "\n", text)
        records = _records(text, quote, self.escape)
        records = list(zip(records, _starts(records)))
        if self.skips is None:
            records = records[self.skiprows :]
        elif callable(self.skips):
            records = [record for place, record in enumerate(records) if not self.skips(place)]
        else:
            skipped = set(self.skips)
            records = [record for place, record in enumerate(records) if place not in skipped]
        if options["comment"]:
            mark = options["comment"]
            cut = [
                _outside(quote, re.escape(mark) + r"[^\n]*", "", record) if mark in record else record for record, _ in records
            ]
            # A line of a comment alone is none.
            records = [(now, line) for now, (before, line) in zip(cut, records) if now.strip() or not before.strip()]
        if options["skip_blank_lines"]:
            blank = "\n " if self.separator in ("\t", " ") else " \t\n"
            records = [record for record in records if record[0].strip(blank)]
        records = records[self.first :]
        if options["skipfooter"]:
            records = records[: -options["skipfooter"]]
        text = self._separated([record for record, _ in records])
        made = _starts(_records(text, quote, self.escape))
        # A separator that is a regular expression may have joined lines.
        self.lines = list(zip(made, (line for _, line in records))) if len(made) == len(records) else None
        return text

    def locate(self, error):
        """Has an error of a file in the folder name the file that was given, and its line."""
        if self.folder is None or error.path not in self.origins:
            return
        source, lines = self.origins[error.path]
        line = None
        if lines and error.line is not None:
            made, first = lines[max(bisect.bisect_right(lines, (error.line, float("inf"))) - 1, 0)]
            line = first + error.line - made
        hide(error, self.folder.name, source, line)

    def _separated(self, records):
        """Text whose separator is one character."""
        import csv

        if self.separator is None:
            try:
                self.separator = csv.Sniffer().sniff("".join(records[:20]), ",;\t| ").delimiter
            except csv.Error:
                raise _error("ValueError", self.operation, "no separator is found: give sep") from None
        sep = self.separator
        if len(sep) > 1:
            if sep == r"\s+":
                records = [record.strip(" \t\n") + "\n" for record in records]
                sep = r"[ \t]+"
            try:
                text = _outside(self.quote, sep, "\x1f", "".join(records))
            except re.error as error:
                raise _error("ValueError", self.operation, f"sep is no regular expression: {error}") from None
            self.field = "\x1f"
            records = _records(text, self.quote, self.escape)
        else:
            self.field = sep
        text = "".join(records)
        if self.options["skipinitialspace"]:
            text = _outside(self.quote, f"(?<={re.escape(self.field)}) +|(?m:^) +", "", text)
        if not self.options["skip_blank_lines"] and records:
            width = records[0].count(self.field)
            blank = '""' + self.field * width + "\n"
            records = _records(text, self.quote, self.escape)
            text = "".join(record if record.strip("\n") else blank for record in records)
        return text

    # The parse.

    def _base(self):
        options = self.options
        names = options["names"]
        bad = options["on_bad_lines"]
        made = {
            "has_header": self.has_header, "names": None if names is None else [str(name) for name in names],
            "delimiter": self.field, "quote": self.quote, "skip_rows": self.skiprows, "infer_rows": options["infer_rows"],
            "skip_bad_rows": options["skip_bad_rows"] if bad is _ABSENT else bad != "error", "device": options["device"],
            "hive_partitions": options["hive_partitions"] and self.folder is None, "escape": self.escape,
            "duplicate_names": options["duplicate_names"], "empty_is_null": options["empty_is_null"], "null_values": self._nulls(),
            "pad_short_rows": options["pad_short_rows"], "encoding_errors": "strict" if self.edits else self.errors,
        }
        return {name: value for name, value in made.items() if value is not None or name == "quote"}

    def _nulls(self):
        """Texts that are null in all columns."""
        options = self.options
        given = options["na_values"]
        texts = list(options["null_values"] or [])
        if self.keeps_empty:
            # They are found in the text, where empty values are told from them.
            return None
        if options["keep_default_na"] is True:
            texts += NULLS
        if given is not None and not isinstance(given, dict):
            texts += _texts(given)
        return list(dict.fromkeys(texts)) or None

    def start(self):
        self.field = self.separator
        if self.has_text:
            self._prepare()
        options = self.options
        self.keeps_empty = options["keep_default_na"] is False or not options["na_filter"]
        self.base = self._base()
        self.through_text = bool(
            isinstance(options["na_values"], dict) or self.keeps_empty or options["thousands"] or options["decimal"] != "."
            or options["true_values"] or options["false_values"] or options["converters"] or options["parse_dates"] is False
            or options["comment"]
        )
        # Names that pandas has where a file has none.
        self.labels = {}
        self.known = self._known()
        self.columns = self._columns()
        self.dtypes = self._dtypes()
        self.index = self._index_labels()
        self.times = [self._label("parse_dates", part) for part in self._dates()]
        if options["parse_dates"] is True:
            self.times = list(self.index)

    def _known(self):
        """The names of the columns of the file."""
        options = self.options
        has_names = options["names"] is not None
        asked = (
            options["usecols"], options["index_col"], options["parse_dates"], options["dtype"], options["converters"],
            None if options["header"] is not None or has_names else True,
            None if not has_names or _are_strings(options["names"]) else True,
        )
        if all(part is None or part is False for part in asked) and not self.through_text:
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known = native.read_csv(self.source, limit=0, **self.base).columns
        if not self.has_header and not has_names and options["header"] is None:
            self.labels = {name: place for place, name in enumerate(known) if name == f"column_{place + 1}"}
        if has_names:
            self.labels = {str(name): name for name in options["names"] if not isinstance(name, str)}
        return known

    def _label(self, argument, key):
        """The name that the reader has for a column, by name or by position."""
        known = self.known
        if key in known:
            return key
        if _is_whole(key) and -len(known) <= key < len(known):
            return known[key]
        raise _error("KeyError", self.operation, f"{argument}: there is no column {key!r}; there are {', '.join(map(repr, known))}", key)

    def _columns(self):
        options = self.options
        if options["usecols"] is None:
            return options["columns"]
        if callable(options["usecols"]):
            return [name for name in self.known if options["usecols"](self.labels.get(name, name))]
        wanted = {self._label("usecols", key) for key in options["usecols"]}
        return [name for name in self.known if name in wanted]

    def _dtypes(self):
        options = self.options
        if options["dtype"] is None:
            return dict(options["dtypes"] or {})
        if not isinstance(options["dtype"], dict):
            return {name: options["dtype"] for name in (self.columns or self.known)}
        made = {self._label("dtype", key): dtype for key, dtype in options["dtype"].items()}
        return {name: dtype for name, dtype in made.items() if self.columns is None or name in self.columns}

    def _index_labels(self):
        given = self.options["index_col"]
        if given is None or given is False:
            return []
        # Positions are those among the columns that are read.
        kept = self.columns if self.columns is not None else self.known
        made = []
        for key in _list(given) if not isinstance(given, tuple) else list(given):
            if _is_whole(key) and -len(kept) <= key < len(kept):
                made.append(kept[key])
            elif key in kept:
                made.append(key)
            else:
                raise _error("KeyError", self.operation, f"index_col: there is no column {key!r}; there are {', '.join(map(repr, kept))}", key)
        return made

    def arguments(self):
        """What the compiled reader is given."""
        made = {**self.base}
        kept = self.columns if self.columns is not None else self.known
        if self.through_text:
            made["dtypes"] = {name: "utf8" for name in kept}
        else:
            made["dtypes"] = {**self.dtypes, **{name: "utf8" for name in self.times if name in kept}}
        if self.columns is not None:
            made["columns"] = self.columns
        return made

    # After the parse.

    def finish(self, frame, start=0):
        """The rows as pandas gives them, which begin with a row of the file."""
        if self.through_text:
            frame = self._converted(frame, start)
        times = {name: self._parsed(frame[name]) for name in self.times if name in frame}
        if times:
            frame = _with(frame, times)
        if self.labels:
            frame = frame.rename(columns={name: label for name, label in self.labels.items() if name in frame})
        if not self.index:
            return frame.with_index(Index.range(start, start + len(frame), 1)) if start else frame
        index = [self.labels.get(name, name) for name in self.index]
        frame = frame.set_index(index if len(index) > 1 else index[0])
        # A column of labels that pandas wrote has no name.
        names = [None if name == "" else name for name in frame.index.names]
        return frame.with_index(frame.index.rename(names if len(names) > 1 else names[0]))

    def _parsed(self, values):
        """Text as times, or as it is where it is none."""
        from .._functions.values import to_datetime

        try:
            return to_datetime(values, format=self.options["date_format"], dayfirst=self.options["dayfirst"])
        except ValueError:
            return values

    def _converted(self, text, start):
        options = self.options
        changed = {}
        converters = {self._label("converters", key): function for key, function in (options["converters"] or {}).items()}
        nulls = options["na_values"] if isinstance(options["na_values"], dict) and options["na_filter"] else {}
        nulls = {self._label("na_values", key): _texts(given) for key, given in nulls.items()}
        for name in text.columns:
            if name in converters:
                continue
            values = text[name]
            if self.keeps_empty:
                values = self._emptied(values, nulls.get(name))
            elif name in nulls:
                values = values.mask(values.isin(nulls[name]))
            changed[name] = self._booleans(self._numbers(values))
        before = _with(text, changed)
        inferred = [name for name in before.columns if name not in converters]
        made = self._again(before[inferred], {name: dtype for name, dtype in self.dtypes.items() if name in inferred}, start)
        for name in inferred:
            dtype = str(made[name].dtype)
            is_time = options["parse_dates"] is False and dtype.startswith(("timestamp", "date", "time"))
            has_empty = self.keeps_empty and bool((before[name] == "").any())
            if dtype == "utf8" or name not in self.dtypes and (is_time or has_empty or name in self.times):
                made = _with(made, {name: before[name]})
        for name, function in converters.items():
            if name in text:
                values = text[name].fill_null("").to_list()
                made = made.with_columns(**{name: Series([function(value) for value in values])})
        return made[text.columns]

    def _again(self, text, dtypes, start):
        """Columns of text in the dtypes that a reader of CSV infers."""
        if not text.columns:
            return text
        null = "\ue000null"
        with temporary_folder() as folder:
            path = os.path.join(folder, "again.csv")
            text.write_csv(path, null=null)
            try:
                return native.read_csv(path, dtypes=dtypes, null_values=[null], device=self.options["device"])
            except ColumnadeError as error:
                if error.path == path and error.line is not None:
                    self._locate_row(error, path, start)
                raise

    def _locate_row(self, error, path, start):
        """Has an error of a row of text name the file that was given, and its line there."""
        with open(path, encoding="utf-8", newline="") as file:
            made = _starts(_records(file.read(), '"', None))
        # The first line has the names.
        row = bisect.bisect_right(made, error.line) - 2 + start
        source, line = self._line_of(row)
        text = str(error).replace(f"{path}: line {error.line}: ", f"{path}: " + (f"row {row}: " if line is None else f"line {line}: "), 1)
        error.args = (*error.args[:-1], text.replace(path, "<buffer>" if source is None else source, 1))
        error.path, error.line = source, line

    def _line_of(self, row):
        """The file that a row is in, and the number of its line there; None of what is not known."""
        given = self.options["paths"] if self.options["filepath_or_buffer"] is _ABSENT else self.options["filepath_or_buffer"]
        paths = self.source if isinstance(self.source, (list, tuple)) else [self.source]
        several = len(paths) > 1 or not os.path.isfile(paths[0])
        whole = os.fspath(given) if isinstance(given, (str, os.PathLike)) else None
        if several or self.base.get("skip_bad_rows"):
            # The files of a folder, and rows that are left out, are not known here.
            return whole, None
        path = paths[0]
        origin, lines = self.origins.get(path, (whole, None)) if self.folder is not None else (os.fspath(path), None)
        try:
            text = text_of(self.operation, path, None, "replace", "infer" if self.folder is None else None)
        except (ColumnadeError, OSError, ValueError):
            return origin, None
        records = _records(re.sub(r"\r\n?", "\n", text) if "\r" in text else text, self.quote, self.escape)
        records = list(zip(records, _starts(records)))
        if self.folder is None or not self.edits:
            records = [record for record in records if record[1] > self.skiprows]
        records = [line for record, line in records if record.strip("\n")][1 if self.has_header else 0 :]
        if row >= len(records):
            return origin, None
        line = records[row]
        if lines:
            made, first = lines[max(bisect.bisect_right(lines, (line, float("inf"))) - 1, 0)]
            line = first + line - made
        return origin, line

    def _emptied(self, values, own):
        """Values whose empty ones are text, and null only where `na_values` has them."""
        given = self.options["na_values"]
        if own is None:
            own = [] if given is None or isinstance(given, dict) or not self.options["na_filter"] else _texts(given)
        own = [*own, *(self.options["null_values"] or [])]
        values = values.fill_null("")
        return values.mask(values.isin(own)) if own else values

    def _numbers(self, values):
        """Numbers as Python writes them, where all values are such as `thousands` and `decimal` say."""
        thousands, decimal = self.options["thousands"], self.options["decimal"]
        if thousands is None and decimal == "." and self.options["comment"] is None:
            return values
        within = f"[0-9{re.escape(thousands)}]" if thousands else "[0-9]"
        point = re.escape(decimal)
        pattern = rf"\s*[+-]?([0-9]{within}*({point}[0-9]*)?|{point}[0-9]+)([eE][+-]?[0-9]+)?\s*"
        if not values.drop_nulls().str.fullmatch(pattern).all():
            return values
        # Blanks before a comment are not part of a number.
        values = values.str.strip()
        if thousands:
            values = values.str.replace(thousands, "")
        return values.str.replace(decimal, ".") if decimal != "." else values

    def _booleans(self, values):
        true, false = (list(map(str, self.options[name] or [])) for name in ("true_values", "false_values"))
        if not true and not false:
            return values
        true, false = [*true, "True", "TRUE", "true"], [*false, "False", "FALSE", "false"]
        if values.null_count == len(values) or not values.drop_nulls().isin(true + false).all():
            return values
        return values.isin(true).mask(values.is_null()).cast("utf8")


def _texts(values):
    """Values as a file has them: of a number with and without a point."""
    made = []
    for value in [values] if isinstance(values, (str, int, float)) else list(values):
        made.append(str(value))
        if isinstance(value, float) and value.is_integer():
            made.append(str(int(value)))
        elif _is_whole(value):
            made.append(f"{value}.0")
    return made


def _with(frame, changed):
    """A frame with other values in some columns, which stay where they are."""
    made = {name: changed.get(name, frame[name]) for name in frame.columns}
    return DataFrame({name: values.reset_index(drop=True) for name, values in made.items()})


class _Chunks:
    """The rows of a CSV file by parts of some rows. It is an iterator, and a context that ends with it."""

    def __init__(self, reading: Any, size: int | None) -> None:
        self._reading, self._size, self._start = reading, size, 0
        self._left = reading.nrows
        self._rest: DataFrame | None = None
        arguments = reading.arguments()
        try:
            self._scan: Any = iter(native.scan_csv(reading.source, batch_rows=size or 65536, **arguments))
        except ColumnadeError as error:
            reading.locate(error)
            raise

    def _rows(self, size: int | None) -> DataFrame | None:
        parts = [] if self._rest is None else [self._rest]
        while self._scan is not None and (size is None or sum(map(len, parts)) < size):
            try:
                part = next(self._scan, None)
            except ColumnadeError as error:
                self._reading.locate(error)
                raise
            if part is None:
                self._scan = None
            else:
                parts.append(part)
        if not parts:
            return None
        rows = parts[0] if len(parts) == 1 else native.concat(parts, ignore_index=True)
        if size is None:
            self._rest = None
            return rows
        self._rest = rows[size:].reset_index(drop=True) if len(rows) > size else None
        return rows[:size]

    def get_chunk(self, size: int | None = None) -> DataFrame:
        """The next rows, at most so many; `StopIteration` after the last."""
        size = self._size if size is None else size
        if self._left is not None:
            size = self._left if size is None else min(size, self._left)
        rows = None if size == 0 else self._rows(size)
        if rows is None or len(rows) == 0 and self._start > 0:
            self.close()
            raise StopIteration
        start, self._start = self._start, self._start + len(rows)
        if self._left is not None:
            self._left -= len(rows)
        return self._reading.finish(rows.reset_index(drop=True), start)

    def read(self, nrows: int | None = None) -> DataFrame:
        """The next rows, or all that are left."""
        if nrows is not None:
            return self.get_chunk(nrows)
        self._size = None
        return self.get_chunk()

    def close(self) -> None:
        """Ends the reading."""
        self._scan, self._rest, self._left = None, None, 0
        if self._reading.folder is not None:
            self._reading.folder.cleanup()
            self._reading.folder = None

    def __iter__(self) -> Iterator[DataFrame]:
        return self

    def __next__(self) -> DataFrame:
        return self.get_chunk()

    def __enter__(self) -> _Chunks:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_NATIVE = (
    "paths", "columns", "dtypes", "has_header", "names", "delimiter", "quote", "null_values", "skip_rows", "limit", "infer_rows",
    "skip_bad_rows", "device", "progress", "hive_partitions", "escape", "duplicate_names", "empty_is_null", "pad_short_rows",
)


def read_csv(
    paths: Any = None, columns: list[str] | None = None, dtypes: dict[str, Any] | None = None, has_header: bool = True,
    names: Any = None, delimiter: str | None = ",", quote: str | None = '"', null_values: list[str] | None = None,
    skip_rows: int = 0, limit: int | None = None, infer_rows: int | None = None, skip_bad_rows: bool = False,
    device: str | None = None, progress: Any = None, hive_partitions: bool = True, escape: str | None = None,
    duplicate_names: Literal["error", "point", "duplicated"] = "error", empty_is_null: bool = True, pad_short_rows: bool = False,
    *, filepath_or_buffer: Any = _ABSENT, sep: Any = _ABSENT, header: Any = _ABSENT, index_col: Any = None, usecols: Any = None, dtype: Any = None, converters: Any = None,
    true_values: Any = None, false_values: Any = None, skipinitialspace: bool = False, skiprows: Any = _ABSENT, skipfooter: int = 0,
    nrows: Any = _ABSENT, na_values: Any = None, keep_default_na: bool | None = None, na_filter: bool = True,
    skip_blank_lines: bool = True, parse_dates: Any = None, date_format: Any = None, dayfirst: bool = False, iterator: bool = False,
    chunksize: int | None = None, compression: Any = "infer", thousands: str | None = None, decimal: str = ".",
    lineterminator: str | None = None, quotechar: Any = _ABSENT, quoting: int = 0, doublequote: bool = True, escapechar: Any = _ABSENT,
    comment: str | None = None, encoding: str | None = None, encoding_errors: str | None = "strict", on_bad_lines: Any = _ABSENT,
    engine: Any = None, low_memory: Any = None, memory_map: Any = None,
) -> Any:
    """Reads CSV files: one, several, those of a folder or of a pattern, or an open file or buffer. Dtypes are inferred from the
    first `infer_rows` rows, times among them; `dtypes` says those of columns by name. Rows that do not fit are errors; with
    `skip_bad_rows` they are left out, and a `UserWarning` says how many. Rows of fewer fields than the header do not fit, unless
    `pad_short_rows` makes the fields that they lack null. A name that the header has twice is an error; with
    `duplicate_names="point"` the second column is called `a.1`, with "duplicated" `a_duplicated_0`. `progress` is that of
    `read_parquet`.

    The arguments after these are those of pandas, and act where they are given. Only empty values are null: `na_values` has
    further ones, and keep_default_na=True those that pandas has ("NA", "NULL", "nan" and others); with False, or with
    na_filter=False, empty values of strings are text. `names` replace those of a header; give header=None for files without one,
    whose columns are then called 0, 1, … unless named. Times are parsed without `parse_dates`, which with a list parses these
    columns by `date_format` or `dayfirst`, and with False leaves all as text. With `chunksize` or `iterator` the result is an
    iterator of frames. `skiprows` in a list or as a function, `comment`, `skipfooter`, `sep` of several characters, other
    encodings and buffers are read into memory as text before the parse. `engine`, `low_memory` and `memory_map` change nothing.
    """
    options = dict(locals())
    plain = {name: options.pop(name) for name in _NATIVE}
    if plain["delimiter"] is None:
        plain["delimiter"] = ","
    theirs = {name: value for name, value in options.items() if name not in _UNUSED and not _is_default(name, value)}
    if not theirs and not _is_buffer(paths) and paths is not None and _are_strings(names):
        if not isinstance(paths, (str, os.PathLike)) or compression_of("read_csv", "infer", paths) not in ("bz2", "zip", "xz"):
            return native.read_csv(**plain)
    reading = _Csv("read_csv", {**plain, **options})
    try:
        reading.start()
    except ColumnadeError as error:
        reading.locate(error)
        raise
    if chunksize is not None or iterator:
        if progress is not None:
            raise _error("NotImplementedError", "read_csv", "progress with chunksize or iterator is not implemented")
        return _Chunks(reading, chunksize)
    try:
        arguments = reading.arguments()
        if reading.nrows is not None:
            arguments["limit"] = reading.nrows
        with warnings.catch_warnings():
            if on_bad_lines == "skip":
                warnings.simplefilter("ignore", UserWarning)
            return reading.finish(native.read_csv(reading.source, progress=progress, **arguments))
    except ColumnadeError as error:
        reading.locate(error)
        raise
    finally:
        if reading.folder is not None:
            reading.folder.cleanup()


def _are_strings(names):
    return names is None or isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)


_DEFAULTS = {
    "skipinitialspace": False, "skipfooter": 0, "na_filter": True, "skip_blank_lines": True, "dayfirst": False, "iterator": False,
    "compression": "infer", "decimal": ".", "quoting": 0, "doublequote": True, "encoding_errors": "strict",
}


# How pandas reads, and not what.
_UNUSED = ("engine", "low_memory", "memory_map")

# Arguments of which None is a value.
_WITH_NONE = ("filepath_or_buffer", "sep", "header", "nrows", "quotechar", "escapechar")


def _is_default(name, value):
    if value is _ABSENT or name in _WITH_NONE:
        return value is _ABSENT
    return value == _DEFAULTS[name] if name in _DEFAULTS else value is None


def read_table(filepath_or_buffer: Any, *, sep: Any = "\t", **options: Any) -> Any:
    """`read_csv` of values between tabs."""
    return read_csv(filepath_or_buffer, sep=sep, **options)
