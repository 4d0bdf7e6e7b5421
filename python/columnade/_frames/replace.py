"""Values that are replaced: those that are equal or match regular expressions, and what a dictionary or a function has for each."""

from __future__ import annotations

import builtins
import datetime
import decimal
import re

from .._arguments import renamed
from .._columnade import DataFrame, Series
from .._common import _UNSET, _by_row_label, _error, _fits, _is_number, _plain
from .._errors import ColumnadeError, make
from .._install import compiled, install, methods
from .._times.offsets import refuse_nanoseconds


_REPLACE = compiled(Series, "replace")


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
        old = _by_row_label(old)
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
    known = _known(self, pairs)
    if not known:
        return self
    if builtins.str(self.dtype) == "null":
        made = Series([known[None]]).to_device(self.device).repeat(builtins.len(self))
        return made.rename(self.name).with_index(self.index)
    try:
        return _REPLACE(self, known)
    except ColumnadeError:
        # What no row has needs no value that the column may have.
        found = {old: new for old, new in known.items() if _REPLACE(self, {old: None}).null_count > self.null_count or old is None}
        if builtins.len(found) == builtins.len(known):
            raise
        return _REPLACE(self, found) if found else self


def _known(self, pairs):
    """The old values that a column may have, None for null, and the new ones."""
    known = {}
    for old, new in pairs:
        if _is_missing(old):
            if new is not None and self.null_count:
                known[None] = new
        elif _may_be(old, self.dtype):
            known[old] = new
    flag = next((new for new in known.values() if isinstance(new, bool)), None)
    if flag is not None and _is_number(_values_dtype(self.dtype)) and _values_dtype(self.dtype) != "bool":
        reason = f"{flag} is no number, and the column has dtype {self.dtype}: cast it, or give {int(flag)}"
        raise make("TypeError", f"replace: {reason}", operation="replace", column=self.name, dtype=builtins.str(self.dtype))
    return known


def _values_dtype(dtype):
    return dtype.value_type if builtins.str(dtype).startswith("dictionary<") else dtype


def _is_missing(value):
    """Whether a value stands for null: None, and NA and NaT of pandas."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def _may_be(value, dtype):
    """Whether a value is one of those that a column of a dtype may have. A boolean is no number, and a time of a zone none without."""
    kind = _values_dtype(dtype)
    text = builtins.str(kind)
    is_time = isinstance(value, datetime.datetime) or type(value).__name__ == "datetime64"
    if isinstance(value, builtins.str):
        if text.startswith(("timestamp", "duration")):
            return Series([value]).cast(kind, strict=False).null_count == 0
        return text == "utf8"
    if is_time:
        return text.startswith("timestamp") and (getattr(value, "tzinfo", None) is None) == (kind.tz is None)
    if isinstance(value, datetime.timedelta) or type(value).__name__ == "timedelta64":
        return text.startswith("duration")
    for kinds, start in ((datetime.date, "date"), (datetime.time, "time32 time64"), (bytes, "binary"), (decimal.Decimal, "decimal")):
        if isinstance(value, kinds):
            return text.startswith(tuple(start.split()))
    return _fits(value, kind) and (value == value or text.startswith("float"))


def _mapped(self, arg, na_action=None):
    """What a dictionary, a series by its labels or a function has for each value; null where there is nothing. A function is
    called with each value by itself: expressions are faster where there is one. `na_action="ignore"` leaves nulls out.
    """
    refuse_nanoseconds("map", arg)
    if isinstance(arg, Series):
        arg = _by_row_label(arg)
    if not isinstance(arg, dict) and not callable(arg):
        raise _error("TypeError", "map", f"a dictionary, a series or a function is given, not {type(arg).__name__}")
    if na_action not in (None, "ignore"):
        raise _error("ValueError", "map", 'na_action is None or "ignore"')
    is_table = isinstance(arg, dict)
    # A dictionary of its own kind may have values for what is missing.
    function = (arg.__getitem__ if hasattr(type(arg), "__missing__") else arg.get) if is_table else arg
    skip = na_action == "ignore" and not is_table
    text = builtins.str(self.dtype)
    if text.startswith("dictionary<"):
        return _mapped_categories(self, function, skip)
    if is_table and not text.startswith(("list", "struct", "null")):
        codes, distinct = self.factorize()
        return _picked(self, codes, [function(value) for value in distinct.to_list()], function(None) if self.null_count else None)
    made = [None if skip and value is None else function(value) for value in self.to_list()]
    return Series(made, name=self.name, device=self.device).with_index(self.index)


def _picked(self, codes, values, of_null):
    """The value of each code, and one for null, with the labels of the rows."""
    made = Series([*values, of_null] if self.null_count else values, device=self.device)
    return made.take(codes.fill_null(builtins.len(values))).rename(self.name).with_index(self.index)


def _mapped_categories(self, function, skip):
    """Categories that are mapped, each once: to categories where all become different ones, else to values."""
    categories = self.cat.categories().to_list()
    new = [function(category) for category in categories]
    of_null = function(None) if self.null_count and not skip else None
    if of_null is None and builtins.len(new) == builtins.len(builtins.set(map(builtins.repr, new))) and new:
        values = Series(new)
        if not builtins.str(values.dtype).startswith(("list", "struct")) and values.null_count == 0 and values.nunique() == builtins.len(new):
            return self.cat.rename_categories(values)
    return _picked(self, self.cat.codes(), new, of_null)


_mapped.__name__, _mapped.__qualname__ = "map", "Series.map"
install(Series, "map", renamed(_mapped, lambda self, func, na_action=None: None, func="arg"))


@methods(DataFrame)
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

    def map(self, func, na_action=None):
        """What a function makes of each value of each column; na_action="ignore" leaves nulls out."""
        made = {label: self[label].map(func, na_action=na_action) for label in self.columns}
        return DataFrame({label: _plain(values) for label, values in made.items()}).with_index(self.index)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def replace(self, to_replace=_UNSET, value=_UNSET, regex=False, pairs=_UNSET):
        """Some values replaced by others: one or a list by one, a list by a list, or pairs of a dictionary. With `regex` parts of strings
        that match regular expressions.
        """
        refuse_nanoseconds("replace", to_replace, value, pairs)
        to_replace, value, regex = _replace_arguments(to_replace, value, regex, pairs)
        return _replaced(self, _pairs(to_replace, value), regex)
