"""Arguments of pandas for methods of series, for `replace`, `concat` and `date_range`.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import re
from typing import Any, Iterable, Literal, overload

from . import _columnade as native
from ._arguments import renamed
from ._columnade import DataFrame, Index, Series
from ._errors import ColumnadeError, ColumnValueError
from ._pandas import _add, _error, _fits, _keep
from ._pandas_arguments import (
    _SERIES, _UNSET, _choice, _filled, _filtered, _is_first, _is_items, _is_mapper, _keyed, _label_list, _order, _plain, _renumbered,
    _rows_only, _with_labels_renamed,
)


def _group_references(text):
    """A replacement of Python's regular expressions, as those of Rust have it."""

    def written(found):
        return f"${{{found[1] or found[2]}}}" if found[3] is None else found[3]

    return re.sub(r"\\(?:(\d+)|g<(\w+)>|(.))", written, text.replace("$", "$$"))


_FLAGS = {re.IGNORECASE: "i", re.MULTILINE: "m", re.DOTALL: "s", re.VERBOSE: "x"}


def _pattern(pattern):
    if not isinstance(pattern, re.Pattern):
        return pattern
    flags = "".join(letter for flag, letter in _FLAGS.items() if pattern.flags & flag)
    return f"(?{flags}){pattern.pattern}" if flags else pattern.pattern


def _replaced_parts(self, pairs):
    """Parts of strings that match regular expressions, replaced."""
    made = self
    for old, new in pairs:
        if not isinstance(old, (builtins.str, re.Pattern)):
            continue
        pattern = _pattern(old)
        matches = self.str.contains_regex(pattern).fill_null(False)
        if isinstance(new, builtins.str):
            made = made.str.replace_regex(pattern, _group_references(new)).where(matches, made)
        elif new is None:
            made = made.where(~matches)
        else:
            raise _error("NotImplementedError", "replace", f"regex=True replaces by text or None, not by {type(new).__name__}")
    return made


def _pairs(old, value):
    """Pairs of old and new values."""
    operation = "replace"
    if isinstance(old, Series):
        old = dict(zip(old.index.to_list(), old.to_list()))
    if isinstance(old, dict):
        if value is not _UNSET and value is not None:
            raise _error("TypeError", operation, "a dictionary has the new values: give no value")
        return builtins.list(old.items())
    if value is _UNSET:
        raise _error("ValueError", operation, "give value, or a dictionary")
    olds = builtins.list(old) if isinstance(old, (builtins.list, tuple)) else [old]
    if isinstance(value, (builtins.list, tuple)):
        if builtins.len(olds) != builtins.len(value) or not isinstance(old, (builtins.list, tuple)):
            raise _error("ValueError", operation, f"value has {builtins.len(value)} values for {builtins.len(olds)} in to_replace")
        return builtins.list(zip(olds, value))
    return [(one, value) for one in olds]


def _replace_arguments(to_replace, value, regex, pairs):
    operation = "replace"
    if pairs is not _UNSET:
        if to_replace is not _UNSET:
            raise _error("TypeError", operation, "to_replace and pairs are the same argument")
        to_replace = pairs
    if not isinstance(regex, bool):
        if to_replace is not _UNSET and to_replace is not None:
            raise _error("ValueError", operation, "give to_replace, or patterns as regex")
        to_replace, regex = regex, True
    if to_replace is _UNSET:
        raise _error("TypeError", operation, "to_replace is missing")
    return to_replace, value, regex


def _replaced(self, pairs, regex):
    if regex and self.dtype == "utf8":
        exact = [(old, new) for old, new in pairs if not isinstance(old, (builtins.str, re.Pattern))]
        made = _replaced_parts(self, pairs)
        return _replaced(made, exact, False) if exact else made
    known = {old: new for old, new in pairs if old is not None and _fits(old, self.dtype)}
    made = _SERIES["replace"](self, known) if known else self
    missing = [new for old, new in pairs if old is None]
    if not missing or missing[0] is None:
        return made
    # Values that become null are not those that were.
    return made.where(self.is_not_null(), missing[0]) if known else made.fill_null(missing[0])


class _OfSeries:
    """Methods of series."""

    def sort_values(self, ascending=True, nulls_first=None, axis=0, kind="quicksort", na_position=None, ignore_index=False, key=None):
        """The values in order, equal ones in that of before. Nulls stand at the end, or with na_position="first" at the start. `key` is
        a function of the series.
        """
        operation = "sort_values"
        _rows_only(axis, operation)
        first = _is_first(na_position, nulls_first, operation)
        if isinstance(ascending, builtins.list):
            if builtins.len(ascending) != 1:
                raise _error("ValueError", operation, f"ascending has {builtins.len(ascending)} values for one series")
            (ascending,) = ascending
        if key is None:
            return _renumbered(_SERIES[operation](self, ascending, first), ignore_index)
        return _renumbered(self.take(_order([_keyed(key, self, operation)], ascending, first)), ignore_index)

    def rename(self, index=None, axis=0, level=None, errors="ignore", name=None):
        """Another name, or with a dictionary or a function other row labels. Labels that a dictionary does not have stay; with
        errors="raise" those that are not there are an error.
        """
        _rows_only(axis, "rename")
        _choice(errors, ("ignore", "raise"), "errors", "rename")
        if index is not None and name is not None:
            raise _error("TypeError", "rename", "index and name are the same argument")
        if _is_mapper(index):
            return _with_labels_renamed(self, index, level, errors)
        return _SERIES["rename"](self, name if index is None else index)

    def drop(self, labels=None, index=None, axis=0, level=None, errors="raise"):
        """The values without those of some labels, or of some of a level; errors="ignore" leaves out labels that are not there."""
        _rows_only(axis, "drop")
        given = index if labels is None else labels
        if given is None:
            raise _error("ValueError", "drop", "give labels")
        frame = self.to_frame()
        return frame.drop(index=_label_list(given), level=level, errors=errors)[frame.columns[0]].rename(self.name)

    def drop_duplicates(self, keep="first", ignore_index=False):
        """Distinct values with their labels; with keep=False those that no other row repeats."""
        return _renumbered(self[~self.duplicated(_keep(keep, "drop_duplicates"))], ignore_index)

    def dropna(self, axis=0, how=None, ignore_index=False):
        """The values that are not null. NaN is a value."""
        _rows_only(axis, "dropna")
        _choice(how, (None, "any", "all"), "how", "dropna")
        return _renumbered(_SERIES["dropna"](self), ignore_index)

    def explode(self, ignore_index=False):
        """A row for each item of lists; an empty list is null."""
        return _renumbered(_SERIES["explode"](self), ignore_index)

    def filter(self, condition=None, items=None, like=None, regex=None, axis=0):
        """The values for which a condition holds; or those of some labels (`items`, or a list of labels instead of the condition), with a
        text in their labels (`like`), or whose labels match a regular expression (`regex`).
        """
        _rows_only(axis, "filter")
        if condition is not None and not _is_items(condition):
            if items is not None or like is not None or regex is not None:
                raise _error("TypeError", "filter", "give a condition or one of items, like and regex")
            return _SERIES["filter"](self, condition)
        return _filtered(self, items if condition is None else condition, like, regex, 0)

    def reset_index(self, level=None, drop=False, name=_UNSET, allow_duplicates=False):
        """A frame with the row labels, or some levels of them, as columns before the values, which are called `name`; with `drop` the
        series without them.
        """
        operation = "reset_index"
        if allow_duplicates:
            raise _error("NotImplementedError", operation, "allow_duplicates=True: labels of columns are unique")
        if drop and level is None:
            return _SERIES[operation](self, True)
        values = self if name is _UNSET else _SERIES["rename"](self, name)
        if level is None:
            return _SERIES[operation](values, False)
        frame = self.to_frame() if drop or name is _UNSET else values.to_frame()
        made = frame.reset_index(level=level, drop=drop)
        return _SERIES["rename"](made[frame.columns[0]], self.name) if drop else made

    def fillna(self, value, axis=0, limit=None):
        """Nulls replaced by a value, or by the values of a series or a dictionary in rows of the same label; at most the first `limit`
        of them. NaN is a value.
        """
        _rows_only(0 if axis is None else axis, "fillna")
        if isinstance(value, dict):
            if not value:
                return self
            value = Series(builtins.list(value.values())).with_index(Index(builtins.list(value)))
        return _SERIES["fillna"](self, value) if limit is None else _filled(self, value, limit, "fillna")

    def astype(self, dtype, errors="raise"):
        """The values in another dtype. Those that do not fit are an error, or with errors="ignore" leave the series as it is."""
        _choice(errors, ("raise", "ignore"), "errors", "astype")
        if errors == "raise":
            return _SERIES["astype"](self, dtype)
        try:
            return _SERIES["astype"](self, dtype)
        except ColumnadeError:
            return self

    def nunique(self, dropna=True):
        """The number of distinct values; dropna=False counts null as one."""
        made = _SERIES["nunique"](self)
        return made if dropna else made + int(self.null_count > 0)

    def modes(self, dropna=True):
        """All values that are the most frequent, in order; dropna=False counts nulls too."""
        made = _SERIES["modes"](self)
        if dropna or not self.null_count:
            return made
        first = made.to_list()[:1]
        most = (self == first[0]).sum() if first else 0
        missing = Series([None], dtype=self.dtype, name=self.name, device=self.device)
        if self.null_count < most:
            return made
        return missing if self.null_count > most else native.concat([made, missing], ignore_index=True).rename(self.name)

    def mode(self, dropna=True):
        """The smallest of the most frequent values; dropna=False counts nulls too."""
        return _SERIES["mode"](self) if dropna else next(iter(self.modes(dropna=False).to_list()), None)

    def factorize(self, sort=False, use_na_sentinel=True):
        """The number of each value and the distinct values, in the order of their first appearance or with `sort` in theirs. The number of
        null is null, or with use_na_sentinel=False that of a null among the distinct values.
        """
        codes, distinct = _SERIES["factorize"](self)
        if sort:
            codes = (self.rank("dense") - 1).cast("int64")
            distinct = _SERIES["sort_values"](distinct, True, False).reset_index(drop=True)
        if use_na_sentinel or not self.null_count:
            return codes, distinct
        place = builtins.len(distinct)
        if not sort:
            earlier = codes.head(_plain(self.is_null()).arg_max()).max()
            place = 0 if earlier is None else earlier + 1
        missing = Series([None], dtype=self.dtype, name=self.name, device=self.device)
        codes = (codes + (codes >= place).cast("int64")).fill_null(place)
        parts = [distinct.slice(0, place), missing, distinct.slice(place, builtins.len(distinct) - place)]
        return codes, native.concat(parts, ignore_index=True).rename(distinct.name)

    def nlargest(self, n=5, keep="first"):
        """The largest values, in descending order. Of equal ones at the end the first, the last or all are kept."""
        return _extreme(self, "nlargest", n, keep)

    def nsmallest(self, n=5, keep="first"):
        """The smallest values, in ascending order. Of equal ones at the end the first, the last or all are kept."""
        return _extreme(self, "nsmallest", n, keep)

    def replace(self, to_replace=_UNSET, value=_UNSET, regex=False, pairs=_UNSET):
        """Some values replaced by others: one or a list by one, a list by a list, or pairs of a dictionary. With `regex` parts of strings
        that match regular expressions.
        """
        to_replace, value, regex = _replace_arguments(to_replace, value, regex, pairs)
        return _replaced(self, _pairs(to_replace, value), regex)


def _extreme(self, name, n, keep):
    _choice(keep, ("first", "last", "all"), "keep", name)
    if keep == "first":
        return _SERIES[name](self, n)
    return _SERIES["rename"](getattr(self.to_frame("values"), name)(n, "values", keep)["values"], self.name)


class _OfFrames:
    """Methods of frames."""

    def replace(self, to_replace=_UNSET, value=_UNSET, regex=False, pairs=_UNSET):
        """`Series.replace` in each column that may have the values. A dictionary of dictionaries has pairs by column, and a dictionary
        beside a value the old values by column; a dictionary as the value has the new ones.
        """
        old, value, regex = _replace_arguments(to_replace, value, regex, pairs)
        by_column = {label: (old, value) for label in self.columns}
        if isinstance(old, dict) and old and all(isinstance(of, dict) for of in old.values()):
            by_column = {label: (of, _UNSET) for label, of in old.items()}
        elif isinstance(old, dict) and value is not _UNSET and value is not None:
            by_column = {label: (of, value.get(label, _UNSET) if isinstance(value, dict) else value) for label, of in old.items()}
        elif isinstance(value, dict):
            by_column = {label: (old, new) for label, new in value.items()}
        made = {}
        for label in self.columns:
            old, new = by_column.get(label, (_UNSET, _UNSET))
            is_pair = old is not _UNSET and (new is not _UNSET or isinstance(old, (dict, Series)) or label not in by_column)
            made[label] = _plain(_replaced(self[label], _pairs(old, new), regex) if is_pair or old is not _UNSET else self[label])
        return DataFrame(made).with_index(self.index) if made else self


_add(_OfSeries, Series)
_add(_OfFrames, DataFrame)
renamed(Series, "map", func="arg")
_BEFORE = {"map": DataFrame.map}


def _map(self, func, na_action=None):
    """What a function makes of each value of each column; na_action="ignore" leaves nulls out."""
    if na_action is None:
        return _BEFORE["map"](self, func)
    return DataFrame({label: _plain(self[label].map(func, na_action=na_action)) for label in self.columns}).with_index(self.index)


_map.__name__, _map.__qualname__ = "map", "DataFrame.map"
setattr(DataFrame, "map", _map)


# Functions ---------------------------------------------------------------------------------------------------------------


@overload  # type: ignore[overload-overlap]
def concat(
    objs: Iterable[Series | None] | dict[Any, Series] | None = None, ignore_index: bool = False, axis: Literal[0, "index"] = 0,
    join: str = "outer", *, keys: list[Any] | None = None, names: Any = None, sort: bool = False,
    verify_integrity: bool = False, copy: bool | None = None, frames: Any = None,
) -> Series: ...
@overload
def concat(
    objs: Iterable[Series | None] | dict[Any, Series] | None = None, ignore_index: bool = False, *, axis: Literal[1, "columns"],
    join: str = "outer", keys: list[Any] | None = None, names: Any = None, sort: bool = False, verify_integrity: bool = False,
    copy: bool | None = None, frames: Any = None,
) -> DataFrame: ...
@overload
def concat(
    objs: Iterable[Any] | dict[Any, Any] | None = None, ignore_index: bool = False, axis: int | str = 0, join: str = "outer", *,
    keys: list[Any] | None = None, names: Any = None, sort: bool = False, verify_integrity: bool = False, copy: bool | None = None,
    frames: Any = None,
) -> DataFrame: ...
def concat(
    objs: Any = None, ignore_index: bool = False, axis: Any = 0, join: str = "outer", *, keys: list[Any] | None = None, names: Any = None,
    sort: bool = False, verify_integrity: bool = False, copy: bool | None = None, frames: Any = None,
) -> Any:
    """Frames or series one below the other, or with axis=1 beside each other in rows of one label. Those of a dictionary are under its
    keys, and None is left out.
    """
    operation = "concat"
    if (objs is None) == (frames is None):
        raise _error("TypeError", operation, "give objs")
    given = frames if objs is None else objs
    if isinstance(given, (DataFrame, Series, builtins.str)):
        raise _error("TypeError", operation, f"objs is a list of frames or series, not one {type(given).__name__}")
    if isinstance(axis, builtins.str):
        axis = {"index": 0, "rows": 0, "columns": 1}.get(axis, axis)
    if isinstance(given, dict):
        if keys is not None:
            given, keys = {key: given[key] for key in keys}, None
        given = {key: one for key, one in given.items() if one is not None}
    else:
        given = builtins.list(given)
        if keys is not None and any(one is None for one in given):
            keys = [key for key, one in zip(keys, given) if one is not None]
        given = [one for one in given if one is not None]
    if axis == 1 and given and all(isinstance(one, Series) for one in (given.values() if isinstance(given, dict) else given)):
        # The keys are the labels of series, which have no label of a column to go before.
        if isinstance(given, dict):
            given, keys = [one.rename(key) for key, one in given.items()], None
        elif keys is not None and builtins.len(keys) == builtins.len(given):
            given, keys = [one.rename(key) for key, one in zip(keys, given)], None
    options: Any = {"keys": keys, "sort": sort, "verify_integrity": verify_integrity}
    try:
        return native.concat(given, ignore_index, axis, join, names=names, **options)
    except ColumnValueError:
        # Names of the keys and of the levels of before, which the native function does not take.
        if not isinstance(names, (builtins.list, tuple)) or axis != 0:
            raise
        made = native.concat(given, ignore_index, axis, join, **options)
        if made.index.nlevels != builtins.len(names):
            raise
        return made.with_index(made.index.rename(builtins.list(names)))
