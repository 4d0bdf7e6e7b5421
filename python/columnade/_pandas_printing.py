"""Arguments of pandas for tables as text, HTML, Markdown and LaTeX."""

from __future__ import annotations

import builtins
import sys

from . import _columnade as native
from ._columnade import DataFrame, Series
from ._common import _error, _list
from ._install import compiled, install, methods
from ._options import get_option, option_context
from ._files.delimited import _items, _text as _as_text
from ._files.encoded import _is_buffer
from ._files.formats import _put


_plain_html = compiled(DataFrame, "to_html")
_plain_markdown = compiled(DataFrame, "to_markdown")
_NULL = "<NA>"


def _emit(operation, buf, text):
    """Text into a buffer or a file, or returned where there is none."""
    if buf is None:
        return text
    if not hasattr(buf, "write") and not _is_buffer(buf):
        return _put(operation, buf, text, compression=None)
    buf.write(text)
    return None


def _value_text(values, na_rep, float_format, formatter=None):
    """Each value as text."""
    dtype = builtins.str(values.dtype)
    if formatter is not None:
        return [na_rep if value is None else builtins.str(formatter(value)) for value in values.to_list()]
    if dtype.startswith("float") and (float_format is not None or get_option("display.precision") is not None):
        if float_format is None:
            digits = get_option("display.precision")
            write = f"{{:.{digits}f}}".format
        else:
            write = float_format if callable(float_format) else lambda value: float_format % value
        return [na_rep if value is None else "NaN" if value != value else builtins.str(write(value)) for value in values.to_list()]
    try:
        made = values.cast("utf8").to_list()
    except (TypeError, ValueError, NotImplementedError):
        made = [None if value is None else builtins.str(value) for value in values.to_list()]
    return [na_rep if value is None else value for value in made]


def _is_right(values):
    dtype = builtins.str(values.dtype)
    return values.dtype.is_numeric or dtype.startswith("decimal")


class _Table:
    """Cells of a table as text, as the arguments of pandas ask for them."""

    def __init__(self, operation, frame, columns=None, header=True, index=True, na_rep=None, float_format=None, formatters=None,
                 max_rows=None, max_cols=None, index_names=True, sparsify=False, decimal="."):
        for name, value in (("max_rows", max_rows), ("max_cols", max_cols)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise _error("ValueError", operation, f"{name} is a number from 1, or None for all, not {value!r}")
        if float_format is not None and not callable(float_format):
            try:
                float_format % 1.5
            except (TypeError, ValueError):
                reason = f'float_format is a format such as "%.2f" or a function, not {float_format!r}'
                raise _error("ValueError", operation, reason) from None
        self.shape = frame.shape if columns is None else (builtins.len(frame), builtins.len(_list(columns)))
        self.frame = frame if columns is None else frame[_list(columns)]
        labels = builtins.list(self.frame.columns)
        titles = [builtins.str(label) if label is not None else "" for label in labels]
        if not isinstance(header, bool):
            titles = [builtins.str(title) for title in _items(operation, "header", header)]
            if builtins.len(titles) != builtins.len(labels):
                raise _error("ValueError", operation, f"header has {builtins.len(titles)} names for {builtins.len(labels)} columns")
        self.has_header, self.has_index, self.has_own_titles = header is not False, bool(index), header is True
        formatters = {} if formatters is None else formatters if isinstance(formatters, dict) else dict(zip(labels, formatters))
        self._cut(max_rows, max_cols, labels, titles)
        na_rep = _NULL if na_rep is None else _as_text(operation, na_rep, "na_rep")
        self.cells = [
            _value_text(self.frame[label], na_rep, float_format, formatters.get(label)) for label in self.frame.columns
        ]
        if decimal != ".":
            _as_text(operation, decimal, "decimal")
            is_float = [builtins.str(self.frame[label].dtype).startswith("float") for label in self.frame.columns]
            self.cells = [[part.replace(".", decimal) for part in cells] if kind else cells for cells, kind in zip(self.cells, is_float)]
        # What a function or a format has written stands without a blank before it.
        self.leads = [
            "" if label in formatters or float_format is not None and builtins.str(self.frame[label].dtype).startswith("float") else " "
            for label in self.frame.columns
        ]
        self.right = [_is_right(self.frame[label]) for label in self.frame.columns]
        levels = self.frame.index.to_frame()
        self.levels = [_value_text(levels[label], _NULL, float_format) for label in levels.columns] if index else []
        self.is_sparse = get_option("display.multi_sparse") if sparsify is None else bool(sparsify)
        self.right_levels = [_is_right(levels[label]) for label in levels.columns]
        names = self.frame.index.names
        self.names = ["" if name is None or not index_names else builtins.str(name) for name in names] if index else []
        self._elide()

    def _cut(self, max_rows, max_cols, labels, titles):
        """Leaves rows and columns in the middle out."""
        rows = builtins.len(self.frame)
        self.row_gap = self.column_gap = None
        if max_cols is not None and builtins.len(labels) > max_cols:
            first = (max_cols + 1) // 2
            kept = [*range(first), *range(builtins.len(labels) - (max_cols - first), builtins.len(labels))]
            self.frame, titles = self.frame[[labels[place] for place in kept]], [titles[place] for place in kept]
            self.column_gap = first
        if max_rows is not None and rows > max_rows:
            first = (max_rows + 1) // 2
            last = self.frame.tail(max_rows - first) if max_rows > first else self.frame.head(0)
            self.frame = native.concat([self.frame.head(first), last])
            self.row_gap = first
        self.titles = titles

    def _elide(self):
        """Dots where rows and columns are left out."""
        if self.row_gap is not None:
            for column in [*self.cells, *self.levels]:
                column.insert(self.row_gap, "...")
        self.rows = builtins.len(self.frame) + (self.row_gap is not None)
        if self.column_gap is not None:
            self.cells.insert(self.column_gap, ["..."] * self.rows)
            self.titles.insert(self.column_gap, "...")
            self.right.insert(self.column_gap, True)
            self.leads.insert(self.column_gap, " ")

    def repeats(self):
        """For each level the rows whose label repeats the one above, as those of the levels before do."""
        made, before = [], [True] * self.rows
        for place, level in enumerate(self.levels):
            is_last = place == builtins.len(self.levels) - 1
            before = [
                self.is_sparse and not is_last and row > 0 and before[row] and level[row] == level[row - 1] for row in range(self.rows)
            ]
            made.append(before)
        return made

    def lines(self):
        """The labels and values of each row."""
        return [[column[row] for column in (*self.levels, *self.cells)] for row in range(self.rows)]


def _text(table, justify=None, between="", col_space=None, line_width=None):
    """A table of text as pandas lays it out."""
    if not table.cells and not table.levels or not table.rows and not table.titles:
        return f"Empty DataFrame\nColumns: []\nIndex: {table.frame.index.to_list()}"
    columns = []
    has_names = table.has_header and any(table.names)
    repeats = table.repeats()
    for place, level in enumerate(table.levels):
        level = ["" if is_repeated else part for part, is_repeated in zip(level, repeats[place])]
        above = ["", table.names[place]] if has_names else [""] if table.has_header else []
        width = max(max(map(builtins.len, [*above, *level]), default=0), col_space if isinstance(col_space, int) else 0)
        columns.append([part.ljust(width) for part in [*above, *level]])
    spaces = _spaces(table, col_space)
    for title, lead, is_right, cells, space in zip(table.titles, table.leads, table.right, table.cells, spaces):
        above = ([title, ""] if has_names else [title]) if table.has_header else []
        if is_right and table.has_own_titles:
            # Labels of numbers begin where their digits do.
            above = [lead + part for part in above]
        lead = lead if table.has_index else ""
        width = max([*map(builtins.len, above), *(builtins.len(lead) + builtins.len(part) for part in cells)], default=0)
        width = max(width, space)
        titles = [{"left": part.ljust, "center": part.center}.get(justify, part.rjust)(width) for part in above]
        widest = max(map(builtins.len, cells), default=0)
        if justify == "left":
            cells = [(lead + part.rjust(widest)).ljust(width) for part in cells]
        columns.append([*titles, *(part.rjust(width) for part in cells)])
    levels = builtins.len(table.levels)
    # Levels of labels stand beside each other with one blank.
    labels = [[" ".join(parts) + between for parts in zip(*columns[:levels])]] if levels else []
    cells = columns[levels:]
    if line_width is None or not cells:
        return "\n".join(" ".join(parts) for parts in zip(*labels, *cells))
    return "\n\n".join("\n".join(" ".join(parts) for parts in zip(*labels, *block)) for block in _blocks(cells, labels, line_width))


def _spaces(table, col_space):
    """The least width of each column."""
    labels = builtins.list(table.frame.columns)
    if col_space is None or isinstance(col_space, int) and not isinstance(col_space, bool):
        return [col_space or 0] * builtins.len(table.titles)
    if isinstance(col_space, dict):
        made = [col_space.get(label, 0) for label in labels]
    else:
        made = builtins.list(_items("to_string", "col_space", col_space))
        if builtins.len(made) != builtins.len(labels):
            raise _error("ValueError", "to_string", f"col_space has {builtins.len(made)} values for {builtins.len(labels)} columns")
    if table.column_gap is not None:
        made.insert(table.column_gap, 0)
    return made


def _blocks(cells, labels, line_width):
    """Columns in blocks that fit a width; all but the last one end with a backslash."""
    width = line_width - (max(map(builtins.len, labels[0])) + 1 if labels else 0)
    bounds, used, last = [], 0, builtins.len(cells) - 1
    for place, column in enumerate(cells):
        own = max(map(builtins.len, column), default=0) + 1
        used += own
        if place and used + (1 if place == last else 2) > width:
            bounds.append(place)
            used = own
    made, start = [], 0
    for end in [*bounds, builtins.len(cells)]:
        rows = builtins.len(cells[0])
        is_last = end == builtins.len(cells)
        ends = [[" "] * rows if is_last else [" \\", *["  "] * (rows - 1)]] if bounds else []
        made.append([*cells[start:end], *ends])
        start = end
    return made


def _heads(table):
    """The rows above a table of HTML, of cells and their attributes: of labels of columns in several levels one for each level, and
    one with the names of the row labels, if they have some.
    """
    labels = builtins.list(table.frame.columns)
    if not table.has_own_titles or not labels or not isinstance(labels[0], tuple):
        return [[(part, "") for part in (*table.names, *table.titles)]]
    made, starts = [], {0}
    for level, name in enumerate(table.frame._level_names):
        parts = ["" if label[level] is None else builtins.str(label[level]) for label in labels]
        if table.column_gap is not None:
            parts.insert(table.column_gap, "...")
            starts |= {table.column_gap, table.column_gap + 1}
        # Labels that repeat the one before, as the levels above do, are one wide cell.
        is_wide = table.is_sparse and level + 1 < builtins.len(labels[0])
        starts = {at for at in range(builtins.len(parts)) if not is_wide or at in starts or parts[at] != parts[at - 1]}
        head = [("", "")] * (builtins.len(table.names) - 1) + [("" if name is None else builtins.str(name), "")] * bool(table.names)
        for at in sorted(starts):
            count = next((end for end in range(at + 1, builtins.len(parts)) if end in starts), builtins.len(parts)) - at
            head.append((parts[at], f' colspan="{count}" halign="left"' if count > 1 else ""))
        made.append(head)
    if any(table.names):
        made.append([(name, "") for name in table.names] + [("", "")] * builtins.len(table.titles))
    return made


def _html(table, classes, border, escape, table_id, bold_rows):
    import html

    write = html.escape if escape else builtins.str
    if classes is not None and not isinstance(classes, builtins.str):
        classes = map(builtins.str, _items("to_html", "classes", classes))
    if border is not None and not isinstance(border, int):
        raise _error("TypeError", "to_html", f"border is a number, not {border!r}")
    if table_id is not None:
        _as_text("to_html", table_id, "table_id")
    names = ["dataframe", *(classes.split() if isinstance(classes, builtins.str) else classes or [])]
    attributes = f'class="{" ".join(names)}"'
    attributes = attributes if not border else f'border="{int(border)}" {attributes}'
    lines = [f"<table {attributes}>" if table_id is None else f'<table {attributes} id="{html.escape(table_id)}">']
    if table.has_header:
        heads = ["".join(f"<th{span}>{write(part)}</th>" for part, span in head) for head in _heads(table)]
        lines += ["  <thead>", *(f"    <tr>{head}</tr>" for head in heads), "  </thead>"]
    lines.append("  <tbody>")
    levels = builtins.len(table.levels)
    tag = "th" if bold_rows else "td"
    repeats = table.repeats()
    for at, row in enumerate(table.lines()):
        cells = ""
        for place, part in enumerate(row[:levels]):
            if repeats[place][at]:
                continue
            count = 1
            while at + count < table.rows and repeats[place][at + count]:
                count += 1
            span = f' rowspan="{count}" valign="top"' if count > 1 else ""
            cells += f"<{tag}{span}>{write(part)}</{tag}>"
        lines.append(f"    <tr>{cells}{''.join(f'<td>{write(part)}</td>' for part in row[levels:])}</tr>")
    return "\n".join([*lines, "  </tbody>", "</table>"])


def _markdown(table):
    def write(parts):
        return "| " + " | ".join(part.replace("|", "\\|").replace("\n", "<br>") for part in parts) + " |"

    sides = [*(table.right_levels if table.has_index else []), *table.right]
    rule = "| " + " | ".join("---:" if is_right else ":---" for is_right in sides) + " |"
    return "\n".join([write([*table.names, *table.titles]), rule, *(write(row) for row in table.lines())])


_LATEX = {
    "\\": r"\textbackslash ", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde ",
    "^": r"\textasciicircum ",
}


def _latex(table, column_format, escape, caption, label, position):
    def write(parts):
        made = ["".join(_LATEX.get(mark, mark) for mark in part) if escape else part for part in parts]
        return " & ".join(made) + r" \\"

    sides = [*("r" if is_right else "l" for is_right in (table.right_levels if table.has_index else [])),
             *("r" if is_right else "l" for is_right in table.right)]
    lines = [f"\\begin{{tabular}}{{{column_format or ''.join(sides)}}}", r"\toprule"]
    if table.has_header:
        if any(table.names):
            lines += [write([*[""] * builtins.len(table.names), *table.titles]), write([*table.names, *[""] * builtins.len(table.titles)])]
        else:
            lines.append(write([*table.names, *table.titles]))
        lines.append(r"\midrule")
    lines += [*(write(row) for row in table.lines()), r"\bottomrule", r"\end{tabular}"]
    if caption is None and label is None and position is None:
        return "\n".join(lines) + "\n"
    head = [r"\begin{table}" + (f"[{position}]" if position is not None else "")]
    head += [f"\\caption{{{caption}}}"] if caption is not None else []
    head += [f"\\label{{{label}}}"] if label is not None else []
    return "\n".join([*head, *lines, r"\end{table}"]) + "\n"


def _whole(data, max_rows=None, max_cols=None):
    """The table that is printed, with all rows and columns or so many."""
    with option_context(
        "display.max_rows", max_rows, "display.min_rows", max_rows, "display.max_columns", max_cols, "display.max_colwidth", None,
        "display.width", None,
    ):
        return builtins.str(data)


def _info(data, verbose, show_counts, memory_usage):
    """The text of `info`, with the columns that are asked for."""
    lines = data._info().split("\n")
    at = next(place for place, line in enumerate(lines) if line.startswith("column "))
    titles = lines[at]
    # Columns of the text begin where their titles do.
    starts = [titles.index(title) for title in ("column", "not null", "dtype", "bytes")] + [None]
    shown = [0, *([1] if show_counts is not False else []), 2, *([3] if memory_usage is not False else [])]
    if verbose is False:
        kinds = {}
        for dtype in map(builtins.str, data.dtypes.values()) if isinstance(data, DataFrame) else [builtins.str(data.dtype)]:
            kinds[dtype] = kinds.get(dtype, 0) + 1
        counts = ", ".join(f"{dtype}({count})" for dtype, count in sorted(kinds.items()))
        return "\n".join([*lines[:at], f"dtypes: {counts}"])
    rows = ["".join(line[starts[part] : starts[part + 1]] for part in shown).rstrip() for line in lines[at:]]
    return "\n".join([*lines[:at], *rows])


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    def info(self, verbose=None, buf=None, max_cols=None, memory_usage=None, show_counts=None):
        """Writes the columns, their dtypes, values that are not null and bytes to `buf`, or to `sys.stdout`. verbose=False, or more
        columns than `max_cols`, leaves the columns out; memory_usage=False their bytes, and show_counts=False the values that are not null.
        """
        if memory_usage not in (None, True, False, "deep"):
            raise _error("ValueError", "info", f'memory_usage is True, False or "deep", not {memory_usage!r}')
        if max_cols is not None and (isinstance(max_cols, bool) or not isinstance(max_cols, int)):
            raise _error("TypeError", "info", f"max_cols is a number, not {max_cols!r}")
        max_cols = get_option("display.max_info_columns") if max_cols is None else max_cols
        if verbose is None and isinstance(self, DataFrame) and builtins.len(self.columns) > max_cols:
            verbose = False
        (sys.stdout if buf is None else buf).write(_info(self, verbose, show_counts, memory_usage) + "\n")

    def to_markdown(self, buf=None, mode="wt", index=True):
        """The rows as a table of Markdown, with the row labels unless index is False; into a file or buffer where one is given."""
        frame = self.to_frame() if isinstance(self, Series) else self
        text = _plain_markdown(frame) if index else _markdown(_Table("to_markdown", frame, index=False))
        if buf is None or hasattr(buf, "write"):
            return _emit("to_markdown", buf, text)
        return _put("to_markdown", buf, text, mode, compression=None)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def to_string(
        self, buf=None, columns=None, header=True, index=True, na_rep=None, formatters=None, float_format=None, index_names=True,
        justify=None, max_rows=None, max_cols=None, show_dimensions=False, sparsify=None, decimal=".", line_width=None, col_space=None,
    ):
        """The whole table as text, with every row and column; into a file or buffer where one is given. With other arguments than
        `buf`, `max_rows` and `max_cols` it is laid out as in pandas, without dtypes: `line_width` puts columns that do not fit a line
        below, `col_space` is the least width of a column, `decimal` stands for the point, and sparsify=False repeats labels of levels.
        """
        operation = "to_string"
        if justify not in (None, "left", "right", "center"):
            raise _error("ValueError", operation, f'justify is "left", "right" or "center", not {justify!r}')
        if line_width is not None and (isinstance(line_width, bool) or not isinstance(line_width, int)):
            raise _error("TypeError", operation, f"line_width is a number, not {line_width!r}")
        float_format = get_option("display.float_format") if float_format is None else float_format
        is_sparse = True if sparsify is None and get_option("display.multi_sparse") else None if sparsify is None else sparsify
        given = (columns, na_rep, formatters, float_format, justify, line_width, col_space, None if is_sparse else False)
        given = (*given, None if decimal == "." else decimal)
        table = _Table(
            operation, self, columns, header, index, na_rep, float_format, formatters, max_rows, max_cols, index_names, is_sparse, decimal,
        )
        if header is True and index is True and index_names and not show_dimensions and all(part is None for part in given):
            return _emit(operation, buf, _whole(self, max_rows, max_cols))
        text = _text(table, justify, "", col_space, line_width)
        if show_dimensions:
            text += f"\n\n[{table.shape[0]} rows x {table.shape[1]} columns]"
        return _emit(operation, buf, text)

    def to_html(
        self, buf=None, columns=None, header=True, index=True, na_rep=None, formatters=None, float_format=None, index_names=True,
        max_rows=None, max_cols=None, bold_rows=True, classes=None, escape=True, border=None, table_id=None, sparsify=None, decimal=".",
    ):
        """The rows as a table of HTML; into a file or buffer where one is given. A label of a level that repeats stands once, unless
        `sparsify` is False.
        """
        float_format = get_option("display.float_format") if float_format is None else float_format
        table = _Table(
            "to_html", self, columns, header, index, na_rep, float_format, formatters, max_rows, max_cols, index_names, sparsify, decimal,
        )
        return _emit("to_html", buf, _html(table, classes, border, escape, table_id, bold_rows))

    def to_latex(
        self, buf=None, columns=None, header=True, index=True, na_rep=None, formatters=None, float_format=None, index_names=True,
        column_format=None, escape=False, caption=None, label=None, position=None,
    ):
        """The rows as a table of LaTeX, for the package booktabs; into a file or buffer where one is given."""
        table = _Table("to_latex", self, columns, header, index, na_rep, float_format, formatters, None, None, index_names)
        return _emit("to_latex", buf, _latex(table, column_format, escape, caption, label, position))


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def to_string(
        self, buf=None, na_rep=None, float_format=None, header=True, index=True, length=False, dtype=False, name=False, max_rows=None,
    ):
        """All values as text; into a file or buffer where one is given. With other arguments than `buf` and `max_rows` they are laid
        out as in pandas; `length`, `dtype` and `name` add a line of them.
        """
        operation = "to_string"
        frame = self.rename("values").to_frame()
        table = _Table(operation, frame, None, header, index, na_rep, float_format, None, max_rows, None)
        given = na_rep is not None or float_format is not None or header is not True or index is not True or length or dtype or name
        if not given:
            return _emit(operation, buf, _whole(self, max_rows))
        has_names = table.has_header and any(table.names)
        table.has_header = False
        text = _text(table, None, "  ")
        if has_names:
            text = " ".join(table.names) + "\n" + text
        facts = [f"Name: {self.name}"] if name and self.name is not None else []
        facts += [f"Length: {builtins.len(self)}"] if length else []
        facts += [f"dtype: {self.dtype}"] if dtype else []
        return _emit(operation, buf, text + ("\n" + ", ".join(facts) if facts else ""))

    def to_html(self, buf=None, **options):
        """The rows as a table of HTML, see `DataFrame.to_html`."""
        return self.to_frame().to_html(buf, **options)

    def to_latex(self, buf=None, **options):
        """The rows as a table of LaTeX, see `DataFrame.to_latex`."""
        return self.to_frame().to_latex(buf, **options)


def _printed(kind):
    plain = compiled(kind, "__repr__")

    def shown(self):
        size, write = get_option("display.show_dimensions"), get_option("display.float_format")
        if write is None and get_option("display.multi_sparse") and size is True:
            return plain(self)
        frame = self if isinstance(self, DataFrame) else self.rename("values").to_frame()
        most, least, wide = (get_option(f"display.{name}") for name in ("max_rows", "min_rows", "max_columns"))
        is_long = most is not None and builtins.len(frame) > most
        is_cut = is_long or wide is not None and builtins.len(frame.columns) > wide
        if write is None and get_option("display.multi_sparse"):
            text = plain(self)
            # The last line is the size of the table.
            keeps = size == "truncate" and (is_cut or "…" in text.split("\n", 1)[0])
            return text if keeps else text.rsplit("\n", 1)[0]
        rows = builtins.min(most, least or most) if is_long else None
        table = _Table("repr", frame, None, isinstance(self, DataFrame), True, None, write, None, rows, wide, True, None)
        text = _text(table)
        if size is False or size == "truncate" and not is_cut:
            return text
        shape = f"{builtins.len(frame)} rows" + (f" x {builtins.len(frame.columns)} columns" if isinstance(self, DataFrame) else f", {self.dtype}")
        return f"{text}\n[{shape}]"

    shown.__name__, shown.__qualname__, shown.__doc__ = "__repr__", f"{kind.__name__}.__repr__", plain.__doc__
    return shown


for _kind in (DataFrame, Series):
    install(_kind, "__repr__", _printed(_kind))
    install(_kind, "__str__", lambda self: builtins.repr(self))
del _kind
