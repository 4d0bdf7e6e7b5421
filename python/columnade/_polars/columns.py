"""Several expressions under one name, of the columns that a frame has: `all()`, `col("a", "b")`, selectors and what is made of them.

What they are is known with the frame. Methods and operators keep the label of each column, as in Polars.
"""

from __future__ import annotations

import builtins
import functools
import operator
import re
from typing import TYPE_CHECKING, Any, NamedTuple, overload

from .. import _columnade as native
from .._columnade import DataFrame, DType, Expr, col
from .._common import _error
from .._errors import ColumnKeyError
from .._install import _public, compiled, install


class Part(NamedTuple):
    """One of several expressions: its label, the column that it is made of, and an expression, or rows of another number. What was computed
    with whole columns, as `whole` says, is not computed over keys.
    """

    label: Any
    root: Any
    value: Any
    whole: Any = None


def root_of(expression):
    """The first column of an expression by its label, or None where it has none."""
    try:
        _EMPTY.select(expression)
    except ColumnKeyError as error:
        return error.column
    return None


_EMPTY = DataFrame({"\0": [0]})[:0]


class Context:
    """What expressions are resolved with: a frame, the keys of groups, and the operation that errors name."""

    # Whether values are those within the rows of equal keys; of others parts are said to be computed with whole columns.
    is_over = False
    whole: Any = True

    def __init__(self, frame, operation, keys=None, is_aggregate=False, own=()):
        self.frame, self.operation, self.is_aggregate = frame, operation, is_aggregate
        # A function that gives a key of the groups as an expression, where there are groups.
        self._keys, self._key, self._added = keys, None, []
        # Columns that are keys are not among all.
        self.labels = [label for label in frame.columns if label not in own]
        self.dtypes = {label: dtype for label, dtype in frame.dtypes.items() if label not in own}

    def column(self, values):
        """An expression for a series of values by position, which is a column of the frame from here on."""
        label = f"\0{builtins.len(self._added)}"
        self._added.append(label)
        if builtins.len(self.frame._level_names) > 1:
            raise _error("NotImplementedError", self.operation, "labels of columns of several levels are not implemented here")
        self.frame = self.frame.with_columns(**{label: values.reset_index(drop=True).with_index(self.frame.index)})
        return col(label)

    def cleared(self, made):
        """A frame without the columns that were added for expressions."""
        return made.drop(self._added) if self._added else made

    def has_groups(self):
        """Whether rows are aggregated in groups."""
        return self._keys is not None

    def group(self):
        """An expression for the number of the group of each row."""
        if self._key is None:
            self._key = self.column(self._keys())
        return self._key

    def values(self, expression):
        """What an expression is in the rows of the frame, within their groups where there are some."""
        # Without a call it is a column or a literal, whose values do not depend on groups.
        return self.all_values(expression.over(self.group()) if self.has_groups() and "(" in repr(expression) else expression)

    def all_values(self, expression):
        """What an expression is in the rows of the frame, of which all are one group."""
        made = self.frame.select(expression.alias("\0values"))
        return made[made.columns[0]].reset_index(drop=True)

    def parts(self, value):
        """What an argument stands for: several expressions, one, a label or a pattern of labels, or a list of these."""
        if isinstance(value, Columns):
            return value._parts(self)
        if isinstance(value, (builtins.list, tuple)) and not (isinstance(value, tuple) and value in self.labels):
            return [part for one in value for part in self.parts(one)]
        if isinstance(value, builtins.str) and value not in self.labels and is_pattern(value):
            return [Part(label, label, col(label)) for label in labels_like(value, self.labels)]
        if isinstance(value, Expr):
            return [Part(value.label, None, value)]
        if isinstance(value, native.When):
            value = value.otherwise(None)
            return [Part(value.label, None, value)]
        return [Part(value, value, col(value))]


class OverContext(Context):
    """What expressions are resolved with within the rows of equal keys, or within those of equal numbers in a column `key`: values are those
    within these rows, and aggregates those of them.
    """

    is_over = True
    whole = None

    def __init__(self, context, frame, keys=(), dropna=True, key=None):
        super().__init__(frame, context.operation, is_aggregate=True)
        self.labels, self.dtypes, self._added = context.labels, context.dtypes, builtins.list(context._added)
        self._by, self._dropna, self._key = keys, dropna, key

    def has_groups(self):
        """Whether rows are aggregated in groups: they are."""
        return True

    def group(self):
        """An expression for the number of the group of each row, null for null keys."""
        if self._key is None:
            numbers = self.column(self.all_values(native.row_number()))
            key = numbers.min().over(*self._by, dropna=self._dropna) if self._by else numbers * 0
            self._key = self.column(self.all_values(key))
        return self._key

    def is_used(self):
        """Whether something was computed in groups."""
        return self._key is not None

    def numbers(self):
        """The number of the group of each row as a series."""
        return self.all_values(self.group())


def expression_of(part, context=None):
    """A part as an expression under its label. Rows of as many as the frame has are a column."""
    value = part.value
    if not isinstance(value, Expr):
        if context is None:
            raise _error("NotImplementedError", "select", f"{part.label!r} has rows of its own, which are not implemented here")
        value = value.column(context, part.label)
    return value if value.label == part.label else value.alias(part.label)


def is_pattern(label):
    """Whether a label stands for columns whose labels match it."""
    return label == "*" or builtins.len(label) > 1 and label[0] == "^" and label[-1] == "$"


def labels_like(pattern, labels):
    """The labels that match a pattern."""
    if pattern == "*":
        return builtins.list(labels)
    try:
        find = re.compile(pattern).search
    except re.error as error:
        raise _error("ValueError", "col", f"{pattern!r} is no pattern: {error}") from None
    return [label for label in labels if isinstance(label, builtins.str) and find(label)]


# What is made of several columns -------------------------------------------------------------------------------------------
def resolved(value, context, place, count):
    """An argument of one of several expressions: of several ones that at its place."""
    if isinstance(value, Columns):
        parts = value._parts(context)
        if builtins.len(parts) not in (1, count):
            raise _error("ValueError", context.operation, f"{builtins.len(parts)} columns and {count} do not go together")
        return expression_of(parts[0 if builtins.len(parts) == 1 else place], context)
    if isinstance(value, (builtins.list, tuple)) and has_columns(value):
        return type(value)(resolved(one, context, place, count) for one in value)
    return value


def _called(context, base, path, args, kwargs):
    """What a method, or one of a namespace, makes of each part."""
    if path == ("over",):
        return _over(context, base, *args, **kwargs)
    parts = base._parts(context)
    counts = [builtins.len(value._parts(context)) for value in (*args, *kwargs.values()) if isinstance(value, Columns)]
    if builtins.len(parts) == 1 and counts:
        parts = parts * max(counts)
    made = []
    for place, part in enumerate(parts):
        given = [resolved(value, context, place, builtins.len(parts)) for value in args]
        named = {name: resolved(value, context, place, builtins.len(parts)) for name, value in kwargs.items()}
        made += _of_one(context, part, path, given, named)
    return made


def _over(context, base, *keys, dropna=True, order_by=None, descending=False, nulls_last=False):
    """The parts within the rows of equal keys."""
    by = [expression_of(one) for one in context.parts(builtins.list(keys))]
    frame, places = context.frame, None
    if order_by is not None:
        from .rows import in_former_order, in_order

        frame, places = in_order(context, order_by, descending, nulls_last)
    inner = OverContext(context, frame, by, dropna)
    parts = base._parts(inner)
    for part in parts:
        if not isinstance(part.value, (Expr, native.When)):
            part.value.called(inner, part.label, ("over",), (), {})
        if part.whole:
            of_all_rows(context, part.label)
    if places is None:
        # The columns that were added are those of this frame too.
        context.frame, context._added = inner.frame, inner._added
    if places is None and not inner.is_used():
        return [made for part in parts for made in _of_one(context, part, ("over",), by, {"dropna": dropna})]
    if context.has_groups() and not context.is_over:
        raise _error("NotImplementedError", context.operation, "over of rows in another order or number is not implemented in groups")
    made = []
    for part in parts:
        value = part.value.otherwise(None) if isinstance(part.value, native.When) else part.value
        value = value.over(inner.group())
        if places is not None:
            value = context.column(in_former_order(inner.all_values(value), places))
        made.append(part._replace(value=value))
    return made


def of_all_rows(context, label):
    """Refuses what is not computed within the rows of equal keys."""
    raise _error("NotImplementedError", context.operation, f"over of what was computed with all rows of {label!r}: compute it over the keys")


def _of_one(context, part, path, args, kwargs):
    label, root, value, whole = part
    if path == ("alias",):
        return [Part(args[0], root, value, whole)]
    if path[0] == "name":
        root = root_of(value) if root is None and isinstance(value, Expr) else root
        return [Part(_NAMES[path[1]](label, root, *args, **kwargs), root, value, whole)]
    if isinstance(value, native.When):
        # The label of a choice is that of its first value.
        made = getattr(value, path[0])(*args, **kwargs)
        is_first = path == ("then",) and root is None and isinstance(args[0], Expr) and root_of(args[0]) is not None
        return [Part(args[0].label, args[0].label, made, whole and True) if is_first else Part(label, root, made, whole and True)]
    if not isinstance(value, Expr):
        made = value.called(context, label, path, args, kwargs)
    else:
        target = value
        for name in path:
            target = getattr(target, name)
        made = target(*args, **kwargs)
    if isinstance(made, native.When):
        made = made.otherwise(None)
    if isinstance(made, Columns):
        return [Part(label, root, one.value, one.whole or whole and True) for one in made._parts(context)]
    return [Part(args[0] if path == ("struct_", "field") else label, root, made, whole and True)]


_NAMES = {
    "keep": lambda label, root: root, "map": lambda label, root, function: function(label), "prefix": lambda label, root, prefix: f"{prefix}{label}",
    "suffix": lambda label, root, suffix: f"{label}{suffix}", "to_lowercase": lambda label, root: f"{label}".lower(),
    "to_uppercase": lambda label, root: f"{label}".upper(),
}


def _itself(context, expression):
    return context.parts(expression)


def called_with_columns(expression, name, args, kwargs):
    """A method of one expression whose arguments stand for several, or are computed with all rows."""
    return Columns(_called, Columns(_itself, expression), (name,), args, kwargs)


def _operated(context, base, name, other, is_swapped):
    """What an operator makes of each part and another operand."""
    operate = getattr(operator, name)
    parts = base._parts(context)
    if isinstance(other, Columns):
        others = other._parts(context)
        if builtins.len(parts) == 1 and builtins.len(others) > 1:
            parts = [parts[0]] * builtins.len(others)
    made = []
    for place, part in enumerate(parts):
        given = resolved(other, context, place, builtins.len(parts))
        value = part.value
        if not isinstance(value, Expr):
            made.append(Part(part.label, part.root, value.operated(context, part.label, operate, given, is_swapped), context.whole))
            continue
        label = given.label if is_swapped and isinstance(given, Expr) and root_of(given) is not None else part.label
        made.append(Part(label, part.root, operate(given, value) if is_swapped else operate(value, given), part.whole and True))
    return made


def _unary(context, base, name):
    made = []
    for part in base._parts(context):
        operate = getattr(operator, name)
        value = part.value
        value = operate(value) if isinstance(value, Expr) else value.operated(context, part.label, lambda own, _: operate(own), None, False)
        made.append(Part(part.label, part.root, value, part.whole and True))
    return made


def _together(context, function, args, kwargs):
    """What a function makes of all parts at once."""
    given = []
    for value in args:
        if has_columns((value,)):
            given += [expression_of(part, context) for part in context.parts(value)]
        else:
            given.append(value)
    named = {name: resolved(value, context, 0, 1) for name, value in kwargs.items()}
    made = function(*given, **named)
    return context.parts(made)


def _chosen(context, choose, args):
    """The columns that a function of the labels and dtypes of a frame chooses."""
    return [Part(label, label, col(label)) for label in choose(context, *args)]


def has_columns(values):
    """Whether several columns are among values, or in lists of them."""
    return any(isinstance(value, Columns) or isinstance(value, (builtins.list, tuple)) and has_columns(value) for value in values)


class _Namespace:
    """A namespace of several expressions, as `str`."""

    __slots__ = ("_columns", "_name")

    def __init__(self, columns, name):
        self._columns, self._name = columns, name

    def __getattr__(self, name):
        kind = _NAMESPACES.get(self._name) or type(col("").name)
        if name.startswith("_") or not hasattr(kind, name):
            raise AttributeError(f"{kind.__name__!r} object has no attribute {name!r}", name=name, obj=self)

        def method(*args, **kwargs):
            return Columns(_called, self._columns, (self._name, name), args, kwargs)

        method.__name__, method.__doc__ = name, getattr(kind, name).__doc__
        return method


class Columns:
    """Several expressions, one for each of some columns of a frame. They have the methods and operators of an expression, which apply to
    each of them and keep their labels.
    """

    __slots__ = ("_make", "_arguments")
    # numpy leaves operators to them.
    __array_ufunc__ = None

    def __init__(self, make: Any, *arguments: Any) -> None:
        self._make, self._arguments = make, arguments

    def _parts(self, context):
        return self._make(context, *self._arguments)

    def __reduce__(self) -> Any:
        return Columns, (self._make, *self._arguments)

    def __repr__(self) -> str:
        return described(self)

    def __bool__(self) -> bool:
        raise _error("TypeError", "bool", "several expressions have no truth value: combine conditions with & | ~, each in parentheses")

    def __getattr__(self, name: str) -> Any:
        if name in _NAMESPACES or name == "name":
            return _Namespace(self, name)
        if name.startswith("_") or not callable(getattr(Expr, name, None)):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

        def method(*args, **kwargs):
            return Columns(_called, self, (name,), args, kwargs)

        method.__name__, method.__doc__ = name, getattr(Expr, name).__doc__
        return method

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *(name for name in dir(Expr) if not name.startswith("_"))} - {"label"})

    def exclude(self, columns: Any, *more_columns: Any) -> Columns:
        """Without some columns, given by labels, patterns of labels such as "^a.*$", or dtypes."""
        return Columns(_without, self, (columns, *more_columns))

    def pipe(self, function: Any, *args: Any, **kwargs: Any) -> Any:
        """What a function makes of the expressions: `function(self, …)`."""
        return function(self, *args, **kwargs)

    if TYPE_CHECKING:
        def __add__(self, other: Any) -> Columns: ...
        def __radd__(self, other: Any) -> Columns: ...
        def __sub__(self, other: Any) -> Columns: ...
        def __rsub__(self, other: Any) -> Columns: ...
        def __mul__(self, other: Any) -> Columns: ...
        def __rmul__(self, other: Any) -> Columns: ...
        def __truediv__(self, other: Any) -> Columns: ...
        def __rtruediv__(self, other: Any) -> Columns: ...
        def __floordiv__(self, other: Any) -> Columns: ...
        def __rfloordiv__(self, other: Any) -> Columns: ...
        def __mod__(self, other: Any) -> Columns: ...
        def __rmod__(self, other: Any) -> Columns: ...
        def __pow__(self, other: Any) -> Columns: ...
        def __rpow__(self, other: Any) -> Columns: ...
        def __and__(self, other: Any) -> Columns: ...
        def __rand__(self, other: Any) -> Columns: ...
        def __or__(self, other: Any) -> Columns: ...
        def __ror__(self, other: Any) -> Columns: ...
        def __xor__(self, other: Any) -> Columns: ...
        def __rxor__(self, other: Any) -> Columns: ...
        def __eq__(self, other: Any) -> Columns: ...  # type: ignore[override]
        def __ne__(self, other: Any) -> Columns: ...  # type: ignore[override]
        def __lt__(self, other: Any) -> Columns: ...
        def __le__(self, other: Any) -> Columns: ...
        def __gt__(self, other: Any) -> Columns: ...
        def __ge__(self, other: Any) -> Columns: ...
        def __neg__(self) -> Columns: ...
        def __pos__(self) -> Columns: ...
        def __invert__(self) -> Columns: ...
        def __abs__(self) -> Columns: ...

    # Keys of dictionaries, as in `cast({numeric(): "float64"})`, although comparisons give expressions.
    __hash__ = object.__hash__


def _without(context, base, unwanted):
    wanted = wanted_labels(context, unwanted)
    return [part for part in base._parts(context) if part.root not in wanted]


def wanted_labels(context, given):
    """The labels that labels, patterns, dtypes and lists of them stand for."""
    made = []
    for one in given:
        if isinstance(one, (builtins.list, set, frozenset)) or isinstance(one, tuple) and one not in context.labels:
            made += wanted_labels(context, one)
        elif isinstance(one, Columns):
            made += [part.root for part in one._parts(context)]
        elif is_dtype(one):
            made += [label for label, dtype in context.dtypes.items() if matches(dtype, one)]
        elif isinstance(one, builtins.str) and one not in context.labels and is_pattern(one):
            made += labels_like(one, context.labels)
        else:
            made.append(one)
    return made


def is_dtype(value):
    """Whether something in place of a label is a dtype: one of this library or of another one, or a type of Python."""
    return isinstance(value, (DType, type)) or (getattr(type(value), "__module__", "") or "").partition(".")[0] in ("polars", "pyarrow")


def matches(dtype, wanted):
    """Whether a dtype is a wanted one. One without a unit, or without items, stands for all of its kind."""
    from .dtypes import KINDS, as_dtype

    kind = KINDS.get(getattr(wanted, "__name__", None)) if isinstance(wanted, type) else None
    if kind is not None:
        return builtins.str(dtype).startswith(kind)
    return dtype == DType(as_dtype(wanted))


_SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**", "and_": "&", "or_": "|", "xor": "^", "eq": "==",
    "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "neg": "-", "invert": "~", "pos": "+",
}


def described(columns):
    """A text for several expressions."""
    made, given = columns._make, columns._arguments
    if made is _called:
        base, path, args, kwargs = given
        return f"{base!r}.{'.'.join(path)}({_arguments(args, kwargs)})"
    if made is _operated:
        base, name, other, is_swapped = given
        first, second = (other, base) if is_swapped else (base, other)
        return f"({first!r} {_SIGNS[name]} {second!r})"
    if made is _unary:
        return f"{_SIGNS[given[1]]}{given[0]!r}" if given[1] in _SIGNS else f"{given[1]}({given[0]!r})"
    if made is _together:
        return f"{given[0].__name__}({_arguments(given[1], given[2])})"
    if made is _chosen:
        choose, args = given
        return getattr(choose, "shown", lambda *args: f"{choose.__name__.strip('_')}({_arguments(args)})")(*args)
    if made is _without:
        return f"{given[0]!r}.exclude({_arguments(given[1])})"
    if made.__name__ in ("rows_of", "computed"):
        return f"{given[0]!r}.{given[1]}({_arguments(*given[2:])})"
    return f"{made.__name__}({_arguments(given)})"


def _arguments(args, kwargs=None):
    return ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in (kwargs or {}).items())])


class Choice(Columns):
    """A choice between values for each of several columns, before or after its `otherwise`."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        if name not in ("then", "when", "otherwise"):
            return super().__getattr__(name)

        def method(value):
            kind = Columns if name == "otherwise" else Choice
            return kind(_called, self, (name,), (value,), {})

        return method

    def __reduce__(self) -> Any:
        return Choice, (self._make, *self._arguments)


def choices(context, conditions):
    """A choice for each of the conditions of several columns, or one."""
    parts = [context.parts(condition) for condition in conditions]
    count = max(map(builtins.len, parts))
    made = []
    for place in range(count):
        own = [expression_of(several[place if builtins.len(several) > 1 else 0], context) for several in parts]
        made.append(Part(parts[0][place if builtins.len(parts[0]) > 1 else 0].label, None, native.when(functools.reduce(operator.and_, own))))
    return made


def of_choice(context, choice):
    """A choice with a condition, whose values are those of several columns."""
    return [Part(choice.otherwise(None).label, None, choice)]


# Operators -----------------------------------------------------------------------------------------------------------------
_BINARY = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "truediv", "floordiv": "floordiv", "mod": "mod", "pow": "pow", "and": "and_",
    "or": "or_", "xor": "xor",
}
_COMPARED = ("eq", "ne", "lt", "le", "gt", "ge")
_UNARY = {"__neg__": "neg", "__invert__": "invert", "__pos__": "pos", "__abs__": "abs"}
_NAMESPACES = {
    "str": native.StringNamespace, "dt": native.DatetimeNamespace, "list": native.ListNamespace, "cat": native.CategoryNamespace,
    "struct_": native.StructNamespace,
}


def _binary(name, is_swapped=False):
    def method(self, other):
        return Columns(_operated, self, name, other, is_swapped)

    return method


def _of_unary(name):
    def method(self):
        return Columns(_unary, self, name)

    return method


def _passing(name):
    """An operator of expressions that leaves several of them to their own operator."""
    own = compiled(Expr, name)

    def method(self, other, /):
        return NotImplemented if isinstance(other, Columns) else own(self, other)

    method.__name__, method.__qualname__, method.__doc__ = name, f"Expr.{name}", own.__doc__
    return method


def _power(self, other, modulo=None, /):
    return NotImplemented if isinstance(other, Columns) else _POWER(self, other, modulo)


for _name, _function in _BINARY.items():
    setattr(Columns, f"__{_name}__", _binary(_function))
    setattr(Columns, f"__r{_name}__", _binary(_function, True))
    # The others leave several expressions alone where offsets of time are operands.
    if _name in ("mul", "and", "or"):
        install(Expr, f"__{_name}__", _passing(f"__{_name}__"))
for _name in _COMPARED:
    setattr(Columns, f"__{_name}__", _binary(_name))
for _name, _function in _UNARY.items():
    setattr(Columns, _name, _of_unary(_function))
_POWER = compiled(Expr, "__pow__")
_power.__name__, _power.__qualname__ = "__pow__", "Expr.__pow__"
install(Expr, "__pow__", _power)
del _name, _function


# Functions -----------------------------------------------------------------------------------------------------------------
def all(*names: Any) -> Any:
    """All columns; of labels whether all values of these are true."""
    return Columns(_chosen, _all, ()) if not names else column(*names).all()


def exclude(columns: Any, *more_columns: Any) -> Columns:
    """All columns but some, given by labels, patterns of labels such as "^a.*$", or dtypes."""
    return all().exclude(columns, *more_columns)


def _all(context):
    return context.labels


def _labels(context, *given):
    wanted = dict.fromkeys(wanted_labels(context, given))
    return [label for label in context.labels if label in wanted] if any(map(is_dtype, given)) else builtins.list(wanted)


_labels.shown = lambda *given: f"col({_arguments(given)})"  # type: ignore[attr-defined]


def column(name: Any, *more_names: Any) -> Any:
    """A column by its label. Of several labels, or a list of them, of "*", a pattern such as "^a.*$" or a dtype several columns."""
    if more_names or isinstance(name, builtins.list) or isinstance(name, builtins.str) and is_pattern(name) or is_dtype(name):
        return Columns(_chosen, _labels, (name, *more_names))
    return col(name)


class _Col:
    """Columns by their labels: `col("a")`, `col.a`, `col("a", "b")`, `col("^a.*$")`, `col("*")`."""

    __slots__ = ("_call",)

    def __init__(self, call):
        object.__setattr__(self, "_call", call)

    @overload
    def __call__(self, name: str | int | tuple[Any, ...] | None, /) -> Expr: ...
    @overload
    def __call__(self, name: Any, /, *more_names: Any) -> Any: ...
    def __call__(self, *names: Any) -> Any:
        """A column by its label. Of several labels, or a list of them, of "*", a pattern such as "^a.*$" or a dtype several columns."""
        if not names:
            raise _error("TypeError", "col", "give the label of a column")
        return object.__getattribute__(self, "_call")(*names)

    def __getattr__(self, name: str) -> Expr:
        if name.startswith("__"):
            raise AttributeError(f"col has no attribute {name!r}", name=name, obj=self)
        return col(name)

    def __repr__(self) -> str:
        return "col"

    def __reduce__(self) -> str:
        return "COL"


COL = _Col(_public(column, "col", None, "columnade"))


def taking_columns(function):
    """Has a function of expressions take several columns, with which it is called when the frame is known."""

    @functools.wraps(function)
    def method(*args, **kwargs):
        if not has_columns(args) and not has_columns(kwargs.values()):
            return function(*args, **kwargs)
        return Columns(_together, method, args, kwargs)

    return method
