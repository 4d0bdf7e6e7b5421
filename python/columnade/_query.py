"""Conditions and formulas as text, as pandas' `query` and `eval` have them, as expressions."""

from __future__ import annotations

import ast
import builtins
import operator
import re
from typing import Any

from . import _columnade as native
from ._errors import make

_BINARY: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
}
_COMPARED: dict[Any, Any] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_UNARY: dict[Any, Any] = {ast.Not: operator.invert, ast.Invert: operator.invert, ast.USub: operator.neg, ast.UAdd: lambda value: value}


class _Text:
    """One text: `a > 1 and b in ["x", "y"] and c < @limit`, with labels in backticks where they are no names."""

    def __init__(self, text, labels, variables, operation):
        if not isinstance(text, builtins.str):
            raise make("TypeError", f"{operation}: a text is given, not {type(text).__name__}", operation=operation)
        self.text, self.labels, self.variables, self.operation = text, labels, variables, operation
        self.quoted = []

    def error(self, reason):
        return make("ValueError", f"{self.operation}: {self.text!r}: {reason}", operation=self.operation)

    def tree(self):
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
            return ast.parse(re.sub(pattern, quote, self.text.strip().replace("\n", " ")), mode="exec").body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise self.error(f"it cannot be read: {error}") from None

    def name(self, name):
        if name.startswith("_quoted_") and name.endswith("_"):
            name = self.quoted[int(name[8:-1])]
        elif name.startswith("_variable_"):
            name = name[10:]
            if name not in self.variables:
                raise self.error(f"there is no variable {name}")
            value = self.variables[name]
            return value
        elif name in ("True", "False", "None"):
            return {"True": True, "False": False, "None": None}[name]
        if name not in self.labels:
            raise make("KeyError", f"{self.operation}: there is no column {name!r}", operation=self.operation, column=name)
        return native.col(name)

    def value(self, node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.BinOp) and type(node.op) in _BINARY:
            return _BINARY[type(node.op)](self.value(node.left), self.value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in _UNARY:
            operand = self.value(node.operand)
            if isinstance(node.op, ast.Not) and not isinstance(operand, native.Expr):
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
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(item) for item in node.elts]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            return self.called(node)
        raise self.error(f"{ast.unparse(node)} is not implemented: arithmetic, comparisons, in, and, or, not and methods are")

    def compared(self, node):
        whole, left = None, self.value(node.left)
        for how, right in zip(node.ops, node.comparators):
            right = self.value(right)
            if isinstance(how, (ast.In, ast.NotIn)) or isinstance(right, builtins.list) and type(how) in (ast.Eq, ast.NotEq):
                # pandas reads == with a list as membership too.
                if not isinstance(left, native.Expr):
                    raise self.error("what is looked for is a column")
                part = left.is_in(right)
                part = ~part if isinstance(how, (ast.NotIn, ast.NotEq)) else part
            elif type(how) in _COMPARED:
                part = _COMPARED[type(how)](left, right)
            else:
                raise self.error("is and is not do not compare columns: write == None as isnull()")
            whole, left = part if whole is None else whole & part, right
        return whole

    def called(self, node):
        """A method of a column: `name.str.contains("x")`, `a.isnull()`."""
        names, of = [node.func.attr], node.func.value
        while isinstance(of, ast.Attribute):
            names.append(of.attr)
            of = of.value
        target = self.value(of)
        if not isinstance(target, native.Expr):
            raise self.error("only columns have methods")
        for name in reversed(names):
            if name.startswith("_") or not hasattr(target, name):
                raise self.error(f"a column has no method {name}")
            target = getattr(target, name)
        keywords = {word.arg: self.value(word.value) for word in node.keywords if word.arg}
        return target(*(self.value(argument) for argument in node.args), **keywords)


def expression(text, labels, variables, operation="query"):
    """The expression of a text, or its value where it has no column."""
    read = _Text(text, labels, variables, operation)
    body = read.tree()
    if builtins.len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise read.error("one expression is given")
    return read.value(body[0].value)


def assignment(text, labels, variables):
    """The label of `label = expression`, or None, and the expression."""
    read = _Text(text, labels, variables, "eval")
    body = read.tree()
    if builtins.len(body) == 1 and isinstance(body[0], ast.Assign) and builtins.len(body[0].targets) == 1:
        target = body[0].targets[0]
        if isinstance(target, ast.Name):
            name = target.id
            if name.startswith("_quoted_"):
                name = read.quoted[int(name[8:-1])]
            return name, read.value(body[0].value)
    if builtins.len(body) != 1 or not isinstance(body[0], ast.Expr):
        raise read.error("one expression or one assignment is given")
    return None, read.value(body[0].value)
