"""Conditions of joins with parts that are computed with all rows of one frame, which are columns of that frame meanwhile."""

from __future__ import annotations

import builtins
import operator

from .._columnade import Expr, col
from .._common import _error, _list
from .._errors import ColumnKeyError
from .._polars.choose import values_of
from .._polars.columns import Columns, Context, _operated, _unary, expression_of


def _suffixed(label, suffix):
    return (f"{label[0]}{suffix}", *label[1:]) if isinstance(label, tuple) else f"{label}{suffix}"


def _pair_labels(left, right, keys, coalesce, suffixes):
    """The labels that the columns of both frames have in a pair of rows, by their own ones."""
    on, left_on, right_on = (None if side is None else _list(side) for side in keys)
    pairs = zip(on, on) if on is not None else zip(left_on or [], right_on or [])
    pairs = [pair for pair in pairs if not any(isinstance(key, (Expr, Columns)) for key in pair)]
    ones = {two for one, two in pairs if (one == two if coalesce is None else coalesce)}
    others = [label for label in right.columns if label not in ones]
    mine = {label: _suffixed(label, suffixes[0]) if label in others else label for label in left.columns}
    return mine, {label: _suffixed(label, suffixes[1]) if label in left else label for label in others}


class PairCondition:
    """Both frames with the columns that the parts of a condition are, the condition over these, and their labels."""

    def __init__(self, left, right, condition, keys, options):
        self.frames, self.added = [left, right], []
        self._labels = _pair_labels(left, right, keys, options["coalesce"], options["suffixes"] or ("_x", "_y"))
        self.condition = self._expression(condition)

    def _expression(self, value):
        """An expression over the columns of a pair. What is computed with all rows is so with those of one frame."""
        if not isinstance(value, Columns):
            return value
        if value._make is _operated:
            base, name, other, is_swapped = value._arguments
            operands = self._expression(base), self._expression(other)
            return getattr(operator, name)(*(reversed(operands) if is_swapped else operands))
        if value._make is _unary:
            base, name = value._arguments
            return getattr(operator, name)(self._expression(base))
        errors = []
        for side in (0, 1):
            try:
                return self._column(side, value)
            except ColumnKeyError as error:
                errors.append(error)
        missing, (mine, others) = errors[0].column, ([*labels.values()] for labels in self._labels)
        if missing not in map(builtins.str, others):
            raise _error("KeyError", "merge", f"there is no column {missing!r}; there is {mine + others}", missing) from None
        reason = "condition: a part that is computed with all rows reads columns of both frames: with_columns makes a column of what one has"
        raise _error("NotImplementedError", "merge", reason) from None

    def _column(self, side, value):
        """The column of a frame that a part of the condition is."""
        frame, labels = self.frames[side], self._labels[side]
        context = Context(frame[[*labels]].rename(columns=labels), "merge")
        parts = context.parts(value)
        if builtins.len(parts) != 1:
            raise _error("ValueError", "merge", f"condition: one column is expected, and {builtins.len(parts)} are given")
        made = expression_of(parts[0], context)
        label = f"\0condition{builtins.len(self.added)}"
        self.frames[side] = frame.with_columns(**{label: values_of(context.frame, made).with_index(frame.index)})
        self.added.append(label)
        return col(label)
