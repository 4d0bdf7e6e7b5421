"""Columns that are added and replaced: values, expressions, and series and dictionaries, which go by row label."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Expr, Series, When, lit
from .._common import _UNSET, _error, _same
from .construct import _aligned, _is_labelled, _repeated, _values
from .._errors import under
from .._install import compiled, methods, naming
from .._polars.choose import expressions, has_several
from .._polars.columns import Columns
from .._times.offsets import _exact


_WITH_COLUMNS, _INSERT = compiled(DataFrame, "with_columns"), compiled(DataFrame, "insert")


def _rows(value, frame, operation, label):
    """What a column is made of: a series or a dictionary goes by row label, other values by position."""
    if isinstance(value, dict) or _is_labelled(value):
        values = _values(value, operation)
        if not frame.columns and not builtins.len(frame):
            return values
        if values.index.equals(frame.index):
            return values
        return _aligned(values, frame.index, operation, label).to_device(frame.device)
    if getattr(value, "shape", None) == () and hasattr(value, "dtype"):
        # A value of numpy has a dtype of its own.
        return _repeated(value, builtins.len(frame), operation).to_device(frame.device).with_index(frame.index)
    return value


def _with(frame, columns, operation):
    """The frame with columns by label, which may be values, series or expressions."""
    made = {label: _rows(value, frame, operation, label) for label, value in columns.items()}
    labelled = [value for value in made.values() if isinstance(value, Series)]
    with under(operation):
        if labelled and not frame.columns and not builtins.len(frame):
            return DataFrame(made)
        return _WITH_COLUMNS(frame, **made)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def assign(self, **columns):
        """The frame with further columns: values, expressions, functions of the frame with the columns before, and series and
        dictionaries, which go by row label: rows that they do not have are null.
        """
        made = self
        for label, value in columns.items():
            exact = _exact(value)
            if type(getattr(value, "__self__", None)).__name__.endswith("Namespace"):
                # An attribute in pandas, and a method here as in Polars.
                raise _error("TypeError", "assign", f"{label} is a method, not its values: write {value.__name__}()", label)
            value = lit(exact) if exact is not None else value(made) if callable(value) and not isinstance(value, Expr) else value
            made = _with(made, {label: value}, "assign")
        return made

    @naming
    def with_columns(self, *columns, **named):
        """The frame with further columns, or with columns replaced. A named argument may also be a list, or a series, which goes by row
        label.
        """
        if has_several(columns, named):
            several = {label: named[label] for label in named if isinstance(named[label], (Columns, When))}
            context, made = expressions(self, columns, several, "with_columns")
            made = context.cleared(_WITH_COLUMNS(context.frame, *made))
            rest = {label: value for label, value in named.items() if label not in several}
            return made.with_columns(**rest) if rest else made
        if not any(isinstance(value, dict) or _is_labelled(value) for value in named.values()):
            return _WITH_COLUMNS(self, *columns, **named)
        values = {label: _rows(value, self, "with_columns", label) for label, value in named.items()}
        return _WITH_COLUMNS(self, *columns, **values)

    @naming
    def insert(
        self, loc=_UNSET, column=_UNSET, value=_UNSET, allow_duplicates=False, position=_UNSET, label=_UNSET, values=_UNSET,
    ):
        """A new frame with one more column at a position: of values, of a series by row label, or of one value in each row."""
        name = label if column is _UNSET else column
        value, values = (_rows(given, self, "insert", name) for given in (value, values))
        operation = "insert"
        parts = [("loc", loc, position, "position"), ("column", column, label, "label"), ("value", value, values, "values")]
        made = [_same(new, old, name, other, _UNSET, operation) for name, new, old, other in parts]
        for (name, *_), given in zip(parts, made):
            if given is _UNSET:
                raise _error("TypeError", operation, f"{name} is missing")
        place, label, given = made
        if label in self and allow_duplicates:
            raise _error("NotImplementedError", operation, "allow_duplicates=True: labels of columns are unique")
        if given is None or isinstance(given, (builtins.str, bytes)) or not hasattr(given, "__len__"):
            given = self.select(lit(given).alias("value"))["value"] if self.columns else [given] * builtins.len(self)
        return _INSERT(self, place, label, given)
