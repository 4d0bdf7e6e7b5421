"""Long and wide frames: `melt`, `stack`, `unstack`, `transpose`, and dummies as categories."""

from __future__ import annotations

import builtins
import re

from .. import _columnade as native
from .._columnade import DataFrame, Index, Series
from .._common import _UNSET, _depth, _error, _level, _level_place, _list, _matches, _named, _place, _plain, _relabelled, _same
from .._errors import ColumnadeError
from .._install import compiled, install, like, methods
from .tables import in_order_of_rows


# The compiled methods.
_FRAME = {
    name: compiled(DataFrame, name) for name in (
        "from_dummies", "melt", "stack", "transpose", "unstack", "wide_to_long",
    )
}


# Dummies -----------------------------------------------------------------------------------------------------------------
def _categories(self, sep, default):
    """The categories of columns of 0 and 1, whose labels begin with those of the result, or are of one."""
    operation = "from_dummies"
    labels = builtins.list(self.columns)
    if default is not None and not isinstance(default, (builtins.str, dict)):
        raise _error("TypeError", operation, f"default_category is a category or a dictionary, not {type(default).__name__}")
    if sep is None:
        if isinstance(default, dict):
            raise _error("TypeError", operation, "a dictionary of categories goes with sep")
        values = DataFrame({f"c\0{label}": _plain(self.column(label)) for label in labels})
        return DataFrame({"": _FRAME[operation](values, "\0", default).column("c")})
    if not isinstance(sep, builtins.str):
        raise _error("TypeError", operation, f"sep is text, not {type(sep).__name__}")
    without = [label for label in labels if sep not in builtins.str(label)]
    if without:
        raise _error("ValueError", operation, f"column {without[0]!r} has no separator {sep!r}")
    if not isinstance(default, dict):
        return _FRAME[operation](self, sep, default)
    parts = {}
    for label in labels:
        parts.setdefault(label.split(sep, 1)[0], []).append(label)
    missing = [name for name in parts if name not in default]
    if missing:
        raise _error("ValueError", operation, f"default_category has none for {missing[0]!r}")
    made = {}
    for name, of in parts.items():
        values = DataFrame({label: _plain(self.column(label)) for label in of})
        made[name] = _FRAME[operation](values, sep, default[name]).column(name)
    return DataFrame({name: _plain(values) for name, values in made.items()})


# Long and wide -----------------------------------------------------------------------------------------------------------
def _numbers_of(values):
    """Texts as numbers where all are, else as they are."""
    texts = values.unique().to_list()
    if builtins.str(values.dtype) != "utf8" or not texts:
        return values
    if all(re.fullmatch(r"[+-]?\d+", text or "") for text in texts):
        return values.cast("int64")
    if all(re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text or "") for text in texts):
        return values.cast("float64")
    return values


def _long(self, stubs, i, j, sep, suffix):
    operation = "wide_to_long"
    try:
        patterns = [re.compile(f"{re.escape(builtins.str(stub))}{re.escape(sep)}{suffix}") for stub in stubs]
    except re.error as error:
        raise _error("ValueError", operation, f"suffix {suffix!r} cannot be read: {error}") from None
    found = [label for label in self.columns if any(pattern.fullmatch(builtins.str(label)) for pattern in patterns)]
    if not found:
        return _FRAME[operation](self, stubs, i, j, sep)
    keys = _list(i)
    # The other columns are under labels that begin with no stub.
    hidden = {f"\0{at}": label for at, label in enumerate(self.columns) if label not in found and label not in keys}
    names = {label: hide for hide, label in hidden.items()}
    frame = DataFrame({names.get(label, label): _plain(self.column(label)) for label in self.columns})
    made = _FRAME[operation](frame, stubs, i, j, sep, True)
    columns = {hidden.get(label, label): made.column(label) for label in made.columns}
    columns[j] = _numbers_of(columns[j])
    return DataFrame({label: _plain(values) for label, values in columns.items()})


def _long_rows(self, id_vars, value_vars, var_name, value_name, ignore_index):
    """`melt` by whole labels."""
    made = _FRAME["melt"](self, id_vars, value_vars, var_name, value_name)
    rows = builtins.len(self)
    if ignore_index or not rows:
        return made
    return made.with_index(self.tile(builtins.len(made) // rows).index)


def _melted(self, id_vars, value_vars, var_name, value_name, col_level, ignore_index):
    """`melt` by one level of the labels of columns."""
    operation = "melt"
    place = _level_place(self, col_level, operation)
    chosen = {}
    for name, given in (("id_vars", id_vars), ("value_vars", value_vars)):
        labels = []
        for part in [] if given is None else _list(given):
            found = _matches(self, (part,), (place,))
            if not found:
                raise _error("KeyError", operation, f"there is no column whose label of level {col_level!r} is {part!r}")
            labels += found
        chosen[name] = labels
    parts = [label[place] for label in chosen["id_vars"]]
    if builtins.len(set(parts)) < builtins.len(parts):
        raise _error("ValueError", operation, "two columns of id_vars would have one label")
    values = chosen["value_vars"] if value_vars is not None else [label for label in self.columns if label not in chosen["id_vars"]]
    made = _long_rows(self, chosen["id_vars"] or None, values, None, None, ignore_index)
    first = builtins.len(parts)
    name = var_name if var_name is not None else self._level_names[place]
    labels = [*parts, "variable" if name is None else name, "value" if value_name is None else value_name]
    known = builtins.list(made.columns)
    kept = [*known[:first], known[first + place], known[-1]]
    return DataFrame({label: _plain(made.column(old)) for label, old in zip(labels, kept)}).with_index(made.index)


def _column_index(self, labels):
    """Labels of columns as labels of rows."""
    if _depth(self) > 1:
        levels = [Series(builtins.list(values)) for values in zip(*labels)]
        return Index.from_arrays(levels, names=builtins.list(self._level_names))
    try:
        return Index(builtins.list(labels)).rename(self._level_names[0])
    except (ColumnadeError, TypeError, ValueError):
        raise _error("NotImplementedError", "transpose", f"labels of columns of several kinds are no row labels: {labels}") from None


def _all_rows_of(self):
    """All values below each other, column by column, with the labels of columns before those of rows."""
    labels, rows = builtins.list(self.columns), builtins.len(self)
    values = native.concat([_plain(self.column(label)).rename(None) for label in labels], ignore_index=True)
    of_columns = _column_index(self, labels).repeat(rows)
    tiled = native.concat([Series([0] * rows, dtype="int64").with_index(self.index)] * builtins.len(labels)).index
    levels = [_level(index, place) for index in (of_columns, tiled) for place in range(index.nlevels)]
    return values.rename(None).with_index(Index.from_arrays(levels, names=[*of_columns.names, *tiled.names]))


# Methods -----------------------------------------------------------------------------------------------------------------
@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def from_dummies(self, sep=None, default=None, default_category=None):
        """The categories of columns of 0 and 1, in a column for each text before `sep` in their labels, or without it in one. Rows without
        a category have the default one, or that of a dictionary.
        """
        if default is not None and default_category is not None:
            raise _error("TypeError", "from_dummies", "default and default_category are the same argument")
        made = _categories(self, sep, default if default_category is None else default_category)
        return made.reset_index(drop=True).with_index(self.index)

    def wide_to_long(self, stubs=_UNSET, i=None, j=None, sep="", any_suffix=False, suffix=None, stubnames=_UNSET):
        """Columns of several stubs as rows: what is behind the stub and `sep` in their labels is in column `j`, and the columns `i` say the
        rows. `suffix` is a regular expression of it, digits unless it is given.
        """
        operation = "wide_to_long"
        given = _same(stubs, stubnames, "stubs", "stubnames", _UNSET, operation)
        if given is _UNSET or i is None or j is None:
            raise _error("TypeError", operation, "give stubnames, i and j")
        is_plain = suffix is None or suffix == r"\d+"
        made = _FRAME[operation](self, given, i, j, sep, any_suffix) if is_plain else _long(self, _list(given), i, j, sep, suffix)
        keys = [*_list(i), j]
        try:
            others = sorted(label for label in made.columns if label not in keys and label not in _list(given))
        except TypeError:
            return made
        return made[[*keys, *others, *_list(given)]]

    def melt(self, id_vars=None, value_vars=None, var_name=None, value_name=None, col_level=None, ignore_index=True):
        """Columns as rows: their labels in one column and their values in another. ignore_index=False repeats the row labels. `col_level`
        goes by one level of labels of several.
        """
        if col_level is None or _depth(self) == 1:
            if col_level is not None:
                _level_place(self, col_level, "melt")
            if isinstance(var_name, builtins.list) and _depth(self) > 1:
                if builtins.len(var_name) != _depth(self):
                    raise _error("ValueError", "melt", f"var_name has {builtins.len(var_name)} names for {_depth(self)} levels")
                return _long_rows(_named(self, var_name), id_vars, value_vars, None, value_name, ignore_index)
            return _long_rows(self, id_vars, value_vars, var_name, value_name, ignore_index)
        return _melted(self, id_vars, value_vars, var_name, value_name, col_level, ignore_index)

    def transpose(self):
        """The rows as columns, under their labels; the labels of the columns are those of the rows. All columns have one dtype."""
        index, labels = self.index, builtins.list(self.columns)
        made = _FRAME["transpose"](self)
        if labels:
            made = made.with_index(_column_index(self, labels))
        if index.nlevels == 1:
            return _named(made, index.names)
        if made.columns:
            made = _relabelled(made, builtins.list(made.columns), index.to_list(), builtins.list(index.names), "transpose")
        return made

    @property
    def T(self):
        """The rows as columns, see `transpose`."""
        return self.transpose()

    def stack(self, level=-1, dropna=None, sort=None, future_stack=True):
        """The labels of columns, or a level or some of them, as the last levels of the row labels; of all levels a series. It is that of
        pandas 3: rows of nulls stay, in the order of the columns.
        """
        operation, depth = "stack", _depth(self)
        if not future_stack or dropna is not None or sort is not None:
            raise _error("NotImplementedError", operation, "dropna, sort and future_stack=False are not implemented: call dropna() or sort_index() after")
        levels = builtins.list(level) if isinstance(level, (builtins.list, tuple)) else [level]
        if level is None or depth == 1 and levels == [-1]:
            return _FRAME[operation](self)
        places = [_level_place(self, one, operation) for one in levels]
        if builtins.len(set(places)) < builtins.len(places):
            raise _error("ValueError", operation, f"a level is given twice: {levels}")
        if builtins.len(places) < depth:
            return _FRAME[operation](self, places if builtins.len(places) > 1 else places[0])
        if places != sorted(places):
            raise _error("NotImplementedError", operation, "all levels in another order are not implemented: call reorder_levels(axis=1) before")
        return _FRAME[operation](self)

    def unstack(self, level=-1, fill_value=None):
        """A level of the row labels, or some, as the last levels of the labels of columns. Of all levels a series: the values below each
        other, column by column.
        """
        operation, index = "unstack", self.index
        level = -1 if level is None else level
        levels = builtins.list(level) if isinstance(level, (builtins.list, tuple)) else [level]
        places = [_place(index, one, operation) for one in levels]
        if builtins.len(set(places)) < index.nlevels:
            if builtins.len(places) == 1:
                return _FRAME[operation](self, places[0], fill_value)
            return in_order_of_rows(_FRAME[operation](self, places, fill_value), [_level(index, place) for place in places])
        if places != sorted(places):
            raise _error("NotImplementedError", operation, "all levels in another order are not implemented: call reorder_levels before")
        if not self.columns:
            raise _error("ValueError", operation, "there are no columns")
        return _all_rows_of(self)


_UNSTACK = compiled(Series, "unstack")


def _unstacked(self, level=None, fill_value=None):
    made, index = _UNSTACK(self, level, fill_value), self.index
    places = [_place(index, one, "unstack") for one in _list(-1 if level is None else level)]
    made = _named(made, [index.names[place] for place in places])
    return made if builtins.len(places) == 1 else in_order_of_rows(made, [_level(index, place) for place in places])


install(Series, "unstack", like(_unstacked, Series, "unstack"))
