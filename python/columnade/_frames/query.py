"""Conditions and formulas as text, as pandas' `query` and `eval` have them, as expressions."""

from __future__ import annotations

import ast
import builtins
import operator
import re
from typing import Any

from .. import _columnade as native
from .._columnade import Expr, Index, Series
from .._errors import make

_BINARY: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}
_COMPARED: dict[Any, Any] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_UNARY: dict[Any, Any] = {ast.Not: operator.invert, ast.Invert: operator.invert, ast.USub: operator.neg, ast.UAdd: lambda value: value}


# Functions of a column, by the method of expressions.
_FUNCTIONS = (
    "sin", "cos", "tan", "exp", "log", "expm1", "log1p", "sqrt", "sinh", "cosh", "tanh", "arcsin", "arccos", "arctan", "arccosh", "arcsinh",
    "arctanh", "abs", "log10", "floor", "ceil",
)
_AGGREGATES = (
    "sum", "mean", "min", "max", "median", "std", "var", "sem", "skew", "kurt", "count", "nunique", "prod", "product", "any", "all",
    "quantile",
)
_NAMESPACES = ("str", "dt", "list", "cat", "struct_")
_DONE = (
    "arithmetic, comparisons, in, and, or, not, brackets of strings and variables, functions such as sqrt and abs, and methods are"
)


class _Text:
    """One text: `a > 1 and b in ["x", "y"] and c < @limit`, with labels in backticks where they are no names."""

    def __init__(self, text, frame, variables, operation):
        if not isinstance(text, builtins.str):
            raise make("TypeError", f"{operation}: a text is given, not {type(text).__name__}", operation=operation)
        self.text, self.frame, self.variables, self.operation = text, frame, variables, operation
        self.labels = builtins.list(frame.columns)
        self.quoted = []
        # Row labels, and values that methods of series make, as columns beside those of the frame.
        self.beside = {}

    def error(self, reason, kind="ValueError"):
        return make(kind, f"{self.operation}: {self.text!r}: {reason}", operation=self.operation)

    def tree(self, text):
        def quote(found):
            if found[1] is not None:
                self.quoted.append(found[1])
                return f"_quoted_{builtins.len(self.quoted) - 1}_"
            if found[2] is not None:
                return f"_variable_{found[2]}"
            # They bind as weakly as words do, as in pandas.
            return {"&": " and ", "|": " or "}.get(found[0], found[0])

        # Strings stay as they are.
        pattern = r"`([^`]*)`|@([A-Za-z_]\w*)|\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|&|\|"
        try:
            return ast.parse(re.sub(pattern, quote, text.strip().replace("\n", " ")), mode="exec").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            reason = error.msg if isinstance(error, SyntaxError) else error
            raise self.error(f"it cannot be read: {reason}") from None

    def label(self, name):
        """The label of a column that a name stands for."""
        return self.quoted[int(name[8:-1])] if name.startswith("_quoted_") and name.endswith("_") else name

    def level(self, name):
        """The position of a level of the row labels by its name, `index` or `ilevel_1`; None where there is none."""
        index = self.frame.index
        names = builtins.list(index.names)
        if name in names:
            return names.index(name)
        if name == "index" and index.nlevels == 1:
            return 0
        unnamed = re.fullmatch(r"ilevel_(\d+)", name)
        place = int(unnamed[1]) if unnamed else -1
        return place if 0 <= place < index.nlevels and names[place] is None else None

    def name(self, name):
        if name.startswith("_variable_"):
            name = name[10:]
            if name not in self.variables:
                raise self.error(f"there is no variable {name}")
            return self.variables[name]
        if name in ("True", "False", "None"):
            return {"True": True, "False": False, "None": None}[name]
        name = self.label(name)
        if name in self.labels:
            return native.col(name)
        place = self.level(name)
        if place is None:
            raise make("KeyError", f"{self.operation}: there is no column {name!r}", operation=self.operation, column=name)
        index = self.frame.index
        values = (index.get_level_values(place) if index.nlevels > 1 else index).to_series().reset_index(drop=True)
        return self.column(f"level {place}", values)

    def column(self, name, values):
        """Values of each row as a column beside those of the frame."""
        label = f"{name} of {self.operation}"
        while label in self.labels:
            label += "_"
        self.beside[label] = values.to_device(self.frame.device).with_index(self.frame.index)
        return native.col(label)

    def whole(self):
        """The frame with the columns beside."""
        return self.frame.with_columns(**self.beside) if self.beside else self.frame

    def series(self, value):
        """The values of an expression."""
        frame = self.whole()
        if isinstance(value, Expr):
            return _only(frame.select(value.alias("values"))).with_index(self.frame.index)
        return value

    def dtype(self, value):
        return _only(self.whole().head(0).select(value.alias("values"))).dtype

    def value(self, node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return _BINARY[type(node.op)](self.value(node.left), self.value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            operand = self.value(node.operand)
            if isinstance(node.op, ast.Not) and not isinstance(operand, Expr):
                return not operand
            return _UNARY[type(node.op)](operand)
        if isinstance(node, ast.BoolOp):
            join = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            whole = self.value(node.values[0])
            for part in node.values[1:]:
                whole = join(whole, self.value(part))
            return whole
        if isinstance(node, ast.Compare):
            return self.compared(node)
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return [self.value(item) for item in node.elts]
        if isinstance(node, ast.Call):
            return self.called(node)
        if isinstance(node, ast.Attribute):
            return self.attribute(node)
        if isinstance(node, ast.Subscript):
            return self.subscript(node)
        raise self.unknown(node)

    def unknown(self, node):
        return self.error(f"{ast.unparse(node)} is not implemented: {_DONE}")

    def member(self, target, name, of):
        """A method or an attribute."""
        if name.startswith("_") or not hasattr(target, name):
            raise self.error(f"{of} has no method {name}")
        return getattr(target, name)

    def attribute(self, node):
        """An attribute of a variable, or a method of times without arguments: `at.dt.day`."""
        target = self.value(node.value)
        if isinstance(target, Expr) or isinstance(node.value, ast.Attribute) and node.value.attr in _NAMESPACES:
            if node.attr in _NAMESPACES:
                return self.member(target, node.attr, "a column")
            if isinstance(node.value, ast.Attribute) and node.value.attr == "dt":
                return self.member(target, node.attr, "a column of times")()
            raise self.error(f"{node.attr} of a column is a method: it is called with parentheses")
        return self.member(target, node.attr, ast.unparse(node.value).replace("_variable_", "@"))

    def subscript(self, node):
        """A value of a variable, `@limits["low"]`, or characters of strings, `name.str[0]`."""
        key = node.slice
        if isinstance(node.value, ast.Attribute) and node.value.attr == "str":
            strings = self.value(node.value)
            if isinstance(key, ast.Slice):
                start, stop, step = (None if part is None else self.value(part) for part in (key.lower, key.upper, key.step))
                column = self.series(self.value(node.value.value))
                return self.column(f"value {builtins.len(self.beside)}", column.str.slice(start, stop, step).reset_index(drop=True))
            return strings.get(self.value(key))
        target = self.value(node.value)
        if isinstance(target, Expr) or isinstance(key, ast.Slice):
            raise self.unknown(node)
        return target[self.value(key)]

    def members(self, left, right):
        """Whether values are among those of a list or of a column, as `isin` has it."""
        if not isinstance(left, Expr):
            # pandas looks for the column in what is on the left too.
            left, right = right, left
        if not isinstance(left, Expr):
            raise self.error("what is looked for is a column")
        if isinstance(right, Index):
            right = right.to_list()
        elif isinstance(right, Expr):
            right = self.series(right)
        if isinstance(right, Series):
            right = right.reset_index(drop=True)
            dtypes = self.dtype(left), right.dtype
            if dtypes[0] != dtypes[1] and dtypes[0].is_numeric and dtypes[1].is_numeric:
                left, right = left.cast("float64"), right.cast("float64")
        elif isinstance(right, (builtins.str, bytes)) or not hasattr(right, "__iter__"):
            raise self.error(f"values are a list, not {type(right).__name__}")
        else:
            from .._common import _fits

            dtype = self.dtype(left)
            right = builtins.list(right)
            if dtype.is_numeric or dtype == "utf8" or dtype == "bool":
                # Values that a column cannot have are not in it.
                right = [one for one in right if one is None or _fits(one, dtype)]
                if "int" in builtins.str(dtype):
                    right = [one for one in right if not isinstance(one, float) or one.is_integer()]
                    right = [int(one) if isinstance(one, float) else one for one in right]
            if not [one for one in right if one is not None]:
                return left.is_null() & (None in right)
        return left.isin(right)

    def compared(self, node):
        whole, left = None, self.value(node.left)
        for how, right in zip(node.ops, node.comparators):
            right = self.value(right)
            is_list = isinstance(left, builtins.list) or isinstance(right, builtins.list)
            if isinstance(how, (ast.In, ast.NotIn)) or is_list and type(how) in (ast.Eq, ast.NotEq):
                # pandas reads == with a list as membership too.
                part = self.members(left, right)
                part = ~part if isinstance(how, (ast.NotIn, ast.NotEq)) else part
            elif type(how) in _COMPARED:
                part = _COMPARED[type(how)](left, right)
            else:
                raise self.error("is and is not do not compare columns: write == None as isnull()")
            whole, left = part if whole is None else whole & part, right
        return whole

    def called(self, node):
        """A method of a column, `name.str.contains("x")`, a function of one, `sqrt(a)`, or a function of Python, `@f(a)`."""
        arguments = [self.value(argument) for argument in node.args]
        keywords = {word.arg: self.value(word.value) for word in node.keywords if word.arg}
        if isinstance(node.func, ast.Name):
            return self.function(node, arguments, keywords)
        if not isinstance(node.func, ast.Attribute):
            raise self.unknown(node)
        name, of = node.func.attr, node.func.value
        target = self.value(of)
        in_namespace = isinstance(of, ast.Attribute) and of.attr in _NAMESPACES
        if not isinstance(target, Expr) and not in_namespace:
            if isinstance(of, (ast.Constant, ast.List)):
                raise self.error("only columns and variables have methods")
            return self.made(self.member(target, name, ast.unparse(of).replace("_variable_", "@")), arguments, keywords)
        if not name.startswith("_") and hasattr(target, name):
            if name == "isin" and not in_namespace and builtins.len(arguments) == 1:
                return self.members(target, arguments[0])
            return getattr(target, name)(*arguments, **keywords)
        if in_namespace or name.startswith("_") or not hasattr(Series, name):
            raise self.error(f"a column has no method {name}")
        # Expressions do not have it, series do.
        return self.made(getattr(self.series(target), name), arguments, keywords)

    def function(self, node, arguments, keywords):
        name = node.func.id
        if name.startswith("_variable_"):
            return self.made(self.name(name), arguments, keywords)
        if name == "arctan2" and builtins.len(arguments) == 2 and not keywords:
            from .._polars.functions import arctan2

            return arctan2(*arguments)
        if name not in _FUNCTIONS or builtins.len(arguments) != 1 or keywords:
            raise self.error(f'"{name}" is not a supported function of {builtins.len(arguments)} arguments: write @{name} for one of Python')
        if not isinstance(arguments[0], Expr):
            raise self.error(f"{name} is of a column")
        return arguments[0].ln() if name == "log" else getattr(arguments[0], name)()

    def made(self, function, arguments, keywords):
        """What a function makes of the values of columns."""
        if not builtins.callable(function):
            raise self.error(f"{function!r} is not called: it is no function")
        made = function(*map(self.series, arguments), **{name: self.series(value) for name, value in keywords.items()})
        if not isinstance(made, Series):
            return made
        if builtins.len(made) != builtins.len(self.frame):
            raise self.error(f"a function gives {builtins.len(made)} values for {builtins.len(self.frame)} rows")
        return self.column(f"value {builtins.len(self.beside)}", made.reset_index(drop=True))

    def names(self, node):
        """The labels of the columns that have a value for each row in an expression; row labels have none."""
        if isinstance(node, ast.Name):
            if node.id.startswith("_variable_") or node.id in ("True", "False", "None"):
                return set()
            label = self.label(node.id)
            return {label if label in self.labels or label in builtins.list(self.frame.index.names) else (None,)}
        parts = [node.func.value] if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) else []
        if parts and node.func.attr in _AGGREGATES and not (isinstance(parts[0], ast.Attribute) and parts[0].attr in _NAMESPACES):
            return set()
        parts = [*parts, *node.args] if isinstance(node, ast.Call) else ast.iter_child_nodes(node)
        return set().union(*map(self.names, parts))


def _only(frame):
    """The column of a frame of one, whose label has as many parts as those of the frame it was made of."""
    return frame.column(frame.columns[0])


def condition(text, frame, variables):
    """The frame with columns beside it, their labels, and the condition of a text."""
    read = _Text(text, frame, variables, "query")
    body = read.tree(text)
    if builtins.len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise read.error("one expression is given")
    made = read.value(body[0].value)
    if not isinstance(made, Expr):
        raise make("ValueError", f"query: {text!r} has no column", operation="query")
    return read.whole(), builtins.list(read.beside), made


def _of_one(text, line, frame, variables):
    """The label and the value of one line: a label and the frame with the column, or None and the value."""
    read = _Text(line, frame, variables, "eval")
    read.text = text
    body = read.tree(line)
    is_assignment = builtins.len(body) == 1 and isinstance(body[0], ast.Assign) and builtins.len(body[0].targets) == 1
    if is_assignment and isinstance(body[0].targets[0], ast.Name):
        label = read.label(body[0].targets[0].id)
        made = read.value(body[0].value)
        # An assigned value of every row, or an aggregate for all.
        return label, read.whole().with_columns(**{label: made}).drop(columns=builtins.list(read.beside))
    if builtins.len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise read.error("one expression or one assignment is given")
    made = read.value(body[0].value)
    if not isinstance(made, Expr):
        return None, made
    names = read.names(body[0].value)
    whole = read.whole()
    if not names:
        return None, _only(whole.agg(made.alias("values"))).to_list()[0]
    name = next(iter(names)) if builtins.len(names) == 1 else None
    name = None if name == (None,) else name
    return None, _only(whole.select(made.alias("values"))).rename(name).with_index(frame.index)


def evaluated(text, frame, variables):
    """What a text gives, or the frame with the columns that its lines assign."""
    if not isinstance(text, builtins.str):
        raise make("TypeError", f"eval: a text is given, not {type(text).__name__}", operation="eval")
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        raise make("ValueError", "eval: the text is empty", operation="eval")
    for line in lines:
        label, made = _of_one(text, line, frame, variables)
        if builtins.len(lines) == 1:
            return made
        if label is None:
            raise make("ValueError", f"eval: {text!r}: each of several lines is an assignment, not {line.strip()!r}", operation="eval")
        frame = made
    return frame
