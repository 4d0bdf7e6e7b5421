"""Columns chosen by dtype and by label, for `select`, `with_columns`, `agg` and others: `import columnade.selectors as cs`.

    frame.select(cs.numeric() - cs.by_name("id"))
    frame.with_columns(cs.string().str.to_uppercase())
"""

from __future__ import annotations

import builtins
import re
from typing import Any

from ._columnade import DataFrame
from ._common import _error
from ._polars.columns import Columns, Context, _arguments, _chosen, matches as _matches, wanted_labels

__all__ = [
    "all", "binary", "boolean", "by_dtype", "by_index", "by_name", "categorical", "contains", "date", "datetime", "decimal", "duration",
    "ends_with", "exclude", "expand_selector", "first", "float", "integer", "is_selector", "last", "list", "matches", "nested", "numeric",
    "signed_integer", "starts_with", "string", "struct", "temporal", "time", "unsigned_integer",
]


class Selector(Columns):
    """Columns that are chosen by dtype or label. Of two selectors `|`, `&`, `-` and `^` are those of sets, and `~` has all other columns;
    with anything else operators are those of expressions.
    """

    __slots__ = ()

    def __reduce__(self) -> Any:
        return Selector, (self._make, *self._arguments)

    def __or__(self, other: Any) -> Any:
        return _of(_either, self, other) if isinstance(other, Selector) else super().__or__(other)

    def __and__(self, other: Any) -> Any:
        return _of(_both, self, other) if isinstance(other, Selector) else super().__and__(other)

    def __sub__(self, other: Any) -> Any:
        return _of(_less, self, other) if isinstance(other, Selector) else super().__sub__(other)

    def __xor__(self, other: Any) -> Any:
        return _of(_one_of, self, other) if isinstance(other, Selector) else super().__xor__(other)

    def __invert__(self) -> Any:
        return _of(_rest, self)

    def as_expr(self) -> Columns:
        """The columns as expressions, whose operators are not those of sets."""
        return Columns(self._make, *self._arguments)

    def exclude(self, columns: Any, *more_columns: Any) -> Selector:
        """Without some columns, given by labels, patterns of labels such as "^a.*$", dtypes or selectors."""
        return _of(_less, self, _standing_for(columns, *more_columns))


def _of(choose, *arguments):
    return Selector(_chosen, choose, arguments)


def labels_of(selector, context):
    """The labels of the columns that a selector has."""
    return [part.root for part in selector._parts(context)]


def _either(context, first, second):
    wanted = {*labels_of(first, context), *labels_of(second, context)}
    return [label for label in context.labels if label in wanted]


def _both(context, first, second):
    wanted = set(labels_of(second, context))
    return [label for label in labels_of(first, context) if label in wanted]


def _less(context, first, second):
    unwanted = set(labels_of(second, context))
    return [label for label in labels_of(first, context) if label not in unwanted]


def _one_of(context, first, second):
    return [label for label in context.labels if (label in labels_of(first, context)) != (label in labels_of(second, context))]


def _rest(context, selector):
    unwanted = set(labels_of(selector, context))
    return [label for label in context.labels if label not in unwanted]


# By dtype --------------------------------------------------------------------------------------------------------------------
_PREFIXES = {
    "integer": ("int", "uint"), "signed_integer": ("int",), "unsigned_integer": ("uint",), "float": ("float",), "decimal": ("decimal",),
    "numeric": ("int", "uint", "float", "decimal"), "string": ("utf8",), "boolean": ("bool",), "binary": ("binary",), "date": ("date",),
    "time": ("time32", "time64"), "temporal": ("timestamp", "date", "time32", "time64", "duration"), "categorical": ("dictionary",),
    "list": ("list",), "struct": ("struct",), "nested": ("list", "struct"), "datetime": ("timestamp",), "duration": ("duration",),
}


def _of_kind(context, kind):
    return [label for label, dtype in context.dtypes.items() if builtins.str(dtype).startswith(_PREFIXES[kind])]


def _by_kind(kind):
    return _of(_of_kind, kind)


def all() -> Selector:
    """All columns."""
    return _of(_everything)


def _everything(context):
    return context.labels


def numeric() -> Selector:
    """Columns of integers, floats and decimals."""
    return _by_kind("numeric")


def integer() -> Selector:
    """Columns of integers."""
    return _by_kind("integer")


def signed_integer() -> Selector:
    """Columns of integers with a sign."""
    return _by_kind("signed_integer")


def unsigned_integer() -> Selector:
    """Columns of integers without a sign."""
    return _by_kind("unsigned_integer")


def float() -> Selector:
    """Columns of floats."""
    return _by_kind("float")


def decimal() -> Selector:
    """Columns of decimals."""
    return _by_kind("decimal")


def string(*, include_categorical: bool = False) -> Selector:
    """Columns of strings, and of categories with `include_categorical`."""
    return _by_kind("string") | _by_kind("categorical") if include_categorical else _by_kind("string")


def categorical() -> Selector:
    """Columns of categories."""
    return _by_kind("categorical")


def boolean() -> Selector:
    """Columns of booleans."""
    return _by_kind("boolean")


def binary() -> Selector:
    """Columns of bytes."""
    return _by_kind("binary")


def date() -> Selector:
    """Columns of dates."""
    return _by_kind("date")


def time() -> Selector:
    """Columns of times of day."""
    return _by_kind("time")


def temporal() -> Selector:
    """Columns of dates, timestamps, durations and times of day."""
    return _by_kind("temporal")


def list() -> Selector:
    """Columns of lists."""
    return _by_kind("list")


def struct() -> Selector:
    """Columns of structs."""
    return _by_kind("struct")


def nested() -> Selector:
    """Columns of lists and structs."""
    return _by_kind("nested")


def datetime(time_unit: Any = None, time_zone: Any = ("*", None)) -> Selector:
    """Columns of timestamps, of some units ("ms", "us", "ns") and of some time zones: None is without one, "*" any."""
    return _of(_of_times, "datetime", _several(time_unit), _several(time_zone, True))


def duration(time_unit: Any = None) -> Selector:
    """Columns of durations, of some units ("ms", "us", "ns")."""
    return _of(_of_times, "duration", _several(time_unit), None)


def _several(value, has_none=False):
    if value is None and not has_none:
        return None
    return tuple(value) if isinstance(value, (builtins.list, tuple, set, frozenset)) else (value,)


def _of_times(context, kind, units, zones):
    made = []
    for label in _of_kind(context, kind):
        dtype = context.dtypes[label]
        if units is not None and dtype.unit not in units:
            continue
        if zones is not None and not (dtype.tz in zones or dtype.tz is not None and "*" in zones):
            continue
        made.append(label)
    return made


def by_dtype(*dtypes: Any) -> Selector:
    """Columns of some dtypes: names, types of Python, or dtypes of this library, Polars or numpy. A dtype of Polars without a unit or items
    stands for all of its kind.
    """
    return _of(_of_dtypes, _flat(dtypes, "by_dtype"))


def _flat(values, operation):
    made = []
    for value in values:
        made += value if isinstance(value, (builtins.list, tuple, set, frozenset)) else [value]
    if not made:
        raise _error("ValueError", operation, "give at least one")
    return tuple(made)


def _of_dtypes(context, dtypes):
    return [label for label, dtype in context.dtypes.items() if any(_matches(dtype, wanted) for wanted in dtypes)]


# By label --------------------------------------------------------------------------------------------------------------------
def by_name(*names: Any, require_all: bool = True) -> Selector:
    """Columns by their labels, in this order. A label that is not there is an error, or left out with require_all=False."""
    return _of(_of_names, _flat(names, "by_name"), require_all)


def _of_names(context, names, require_all):
    known = set(context.labels)
    for name in names:
        if require_all and name not in known:
            there = ", ".join(map(repr, context.labels))
            raise _error("KeyError", context.operation, f"there is no column {name!r}; there is {there}", name)
    return [name for name in dict.fromkeys(names) if name in known]


def by_index(*indices: Any, require_all: bool = True) -> Selector:
    """Columns by their positions, in this order: numbers, which count from the end where they are negative, and ranges."""
    made: builtins.list[Any] = []
    for index in indices:
        made += [index] if isinstance(index, int) else builtins.list(index)
    return _of(_of_places, tuple(made), require_all)


def _of_places(context, places, require_all):
    width, made = builtins.len(context.labels), []
    for place in places:
        if -width <= place < width:
            made.append(context.labels[place])
        elif require_all:
            raise _error("IndexError", context.operation, f"there is no column {place}: there are {width}")
    return builtins.list(dict.fromkeys(made))


def first() -> Selector:
    """The first column."""
    return by_index(0)


def last() -> Selector:
    """The last column."""
    return by_index(-1)


def matches(pattern: str) -> Selector:
    """Columns with a match of a pattern in their labels."""
    try:
        re.compile(pattern)
    except re.error as error:
        raise _error("ValueError", "matches", f"{pattern!r} is no pattern: {error}") from None
    return _of(_with_match, pattern)


def _with_match(context, pattern):
    return [label for label in context.labels if isinstance(label, str) and re.search(pattern, label)]


def _by_text(test, texts, operation):
    texts = _flat(texts, operation)
    for text in texts:
        if not isinstance(text, str):
            raise _error("TypeError", operation, f"a part of a label is text, not {type(text).__name__}")
    return _of(_with_text, test, texts)


def _with_text(context, test, texts):
    return [label for label in context.labels if isinstance(label, str) and any(_TESTS[test](label, text) for text in texts)]


_TESTS = {"starts": str.startswith, "ends": str.endswith, "contains": str.__contains__}


def starts_with(*prefix: str) -> Selector:
    """Columns whose labels start with one of some texts."""
    return _by_text("starts", prefix, "starts_with")


def ends_with(*suffix: str) -> Selector:
    """Columns whose labels end with one of some texts."""
    return _by_text("ends", suffix, "ends_with")


def contains(*substring: str) -> Selector:
    """Columns in whose labels one of some texts is."""
    return _by_text("contains", substring, "contains")


def exclude(columns: Any, *more_columns: Any) -> Selector:
    """All columns but some, given by labels, patterns of labels such as "^a.*$", dtypes or selectors."""
    return ~_standing_for(columns, *more_columns)


def _standing_for(columns, *more_columns):
    """Columns that labels, patterns, dtypes and selectors stand for."""
    return _of(_wanted, (columns, *more_columns))


def _wanted(context, given):
    wanted = set(wanted_labels(context, given))
    return [label for label in context.labels if label in wanted]


def is_selector(obj: Any) -> bool:
    """Whether an object is a selector."""
    return isinstance(obj, Selector)


def expand_selector(target: DataFrame, selector: Selector) -> tuple[Any, ...]:
    """The labels of the columns of a frame that a selector has."""
    return tuple(labels_of(selector, Context(target, "expand_selector")))


# What selectors are shown as.
_TEXTS = {"starts": "starts_with", "ends": "ends_with", "contains": "contains"}
_SHOWN: dict[Any, Any] = {
    _either: lambda first, second: f"({first!r} | {second!r})", _both: lambda first, second: f"({first!r} & {second!r})",
    _less: lambda first, second: f"({first!r} - {second!r})", _one_of: lambda first, second: f"({first!r} ^ {second!r})",
    _rest: lambda selector: f"~{selector!r}", _everything: lambda: "all()", _of_kind: lambda kind: f"{kind}()",
    _of_dtypes: lambda dtypes: f"by_dtype({_arguments(dtypes)})", _of_names: lambda names, require_all: f"by_name({_arguments(names)})",
    _of_places: lambda places, require_all: f"by_index({_arguments(places)})", _with_match: lambda pattern: f"matches({pattern!r})",
    _with_text: lambda test, texts: f"{_TEXTS[test]}({_arguments(texts)})", _wanted: lambda given: f"columns({_arguments(given)})",
    _of_times: lambda kind, units, zones: f"{kind}({units!r})" if zones is None else f"{kind}({units!r}, {zones!r})",
}
for _choose in _SHOWN:
    _choose.shown = _SHOWN[_choose]
del _choose
