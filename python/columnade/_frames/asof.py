"""`merge_asof`: rows with the nearest key of another frame."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Expr, Series, lit
from .._common import _error, _level, _list, _plain
from .._errors import ColumnadeError, ColumnValueError, make
from .._install import compiled, methods, naming
from .._polars.columns import has_columns
from .merge import _in_words, with_key_columns
from .mixed_keys import _dtype, by_value, mixed, with_one_column

_MERGE_ASOF = compiled(DataFrame, "merge_asof")
_TIMES = ("date", "duration", "time")


def _sides(both, left, right):
    """The keys of both frames, or None where the compiled method says what is wrong with them."""
    if both is not None:
        return (_list(both), _list(both)) if left is None and right is None else None
    if left is None and right is None:
        return [], []
    return None if left is None or right is None or builtins.len(_list(left)) != builtins.len(_list(right)) else (_list(left), _list(right))


def _label(key):
    return key.label if isinstance(key, Expr) else key


def _of_text(text, key, operation):
    """The duration of a text of Polars or pandas."""
    from .._polars.expressions import _span
    from .._times.offsets import Timedelta

    try:
        months, made = _span(text, operation)
    except ColumnValueError:
        try:
            return Timedelta(text)
        except ColumnadeError:
            raise _error("ValueError", operation, f'tolerance is a duration such as "5m" or a timedelta, not {text!r}', _label(key)) from None
    if months:
        raise _error("ValueError", operation, f"tolerance has no months, as {text!r} has", _label(key))
    return made


def _check_tolerance(tolerance, frame, key, operation):
    """Refuses a number for a key of times, and a duration for one of numbers."""
    if isinstance(tolerance, (Expr, Series)):
        return
    dtype = _dtype(frame, key)
    name, given = builtins.str(dtype), builtins.str(DataFrame({"": [0]}).select(lit(tolerance).alias("of"))["of"].dtype)
    if name.startswith(_TIMES):
        wanted, fits = 'a duration such as "5m" or a timedelta', given.startswith("duration")
    elif dtype is not None and dtype.is_numeric:
        wanted, fits = "a number", not given.startswith(("duration", "list", "utf8"))
    else:
        return
    if not fits:
        label = builtins.str(_label(key))
        # Row labels as a key have a label of their own, which callers do not know.
        where = "row labels" if label.startswith("\0") else f"the key {_label(key)!r}"
        reason = f"{operation}: tolerance is {wanted} for {where} of {name}, not {tolerance!r}"
        raise make("TypeError" if given.startswith("list") else "ValueError", reason, operation=operation, column=label, dtype=name)


def _naming_side(error, left, on):
    """An error about the order of a key that says of which frame it is."""
    text = builtins.str(error)
    if "not sorted in ascending order" not in text:
        return error
    key = on[0]
    values = (left.select(key.alias("\0key"))["\0key"] if isinstance(key, Expr) else left[key]).drop_nulls()
    side = "right" if values.is_sorted() else "left"
    made = make("ValueError", text.replace(": not sorted", f" of the {side} frame: not sorted"), operation=error.operation)
    made.column, made.dtype = error.column, error.dtype
    return made


def _merged(left, right, keys, by, options):
    """The compiled method for keys of any numbers, and with errors that name the frame."""
    (on, left_on, right_on), (both_by, left_by, right_by) = keys, by
    ordered, equal, floats = _sides(on, left_on, right_on), _sides(both_by, left_by, right_by), None
    if ordered and equal and builtins.len(ordered[0]) == 1 and isinstance(right, DataFrame):
        if isinstance(options["tolerance"], builtins.str):
            if builtins.str(_dtype(left, ordered[0][0])).startswith(_TIMES):
                options = {**options, "tolerance": _of_text(options["tolerance"], ordered[0][0], "merge_asof")}
        if options["tolerance"] is not None:
            _check_tolerance(options["tolerance"], left, ordered[0][0], "merge_asof")
        sides = [[*some, *one] for some, one in zip(equal, ordered)]
        places = mixed(left, right, *sides)
        if places:
            floats = by_value(left, right, *sides, places, None, "merge_asof")
            left, right, on, both_by = floats.left, floats.right, None, None
            left_on, right_on = floats.left_on[-1], floats.right_on[-1]
            left_by, right_by = (some[:-1] or None for some in (floats.left_on, floats.right_on))
    try:
        made = _MERGE_ASOF(left, right, on, left_on, right_on, by=both_by, left_by=left_by, right_by=right_by, **options)
    except ColumnValueError as error:
        raise (_naming_side(error, left, ordered[0]) if ordered else error) from None
    return made if floats is None else with_one_column(made, floats, "left")


def _merged_by_columns(left, right, keys, options):
    """A join by expressions that are computed with all rows, which are columns of the frames meanwhile."""
    added = []
    for both, mine, theirs in (("on", "left_on", "right_on"), ("by", "left_by", "right_by")):
        if has_columns((keys[both],)):
            if keys[mine] is not None or keys[theirs] is not None:
                raise _error("ValueError", "merge_asof", f"give {both}, or {mine} and {theirs}")
            keys = {**keys, both: None, mine: keys[both], theirs: keys[both]}
        left, keys[mine], made = with_key_columns(left, keys[mine], f"left{both}", "merge_asof")
        right, keys[theirs], others = with_key_columns(right, keys[theirs], f"right{both}", "merge_asof")
        added += made + others
    made = left.merge_asof(right, **keys, **options)
    return made.drop(*[label for label in added if label in made])


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def merge_asof(
        self, right, on=None, left_on=None, right_on=None, by=None, direction="backward", tolerance=None, allow_exact_matches=True,
        suffixes=None, left_by=None, right_by=None, nulls_equal=None, left_index=False, right_index=False,
    ):
        """Each row with the last row of another frame whose key is not greater, or by `direction` the next or the nearest one, among those
        with equal values of `by`. The keys are columns, or with `left_index` and `right_index` row labels; then the row labels stay.
        `tolerance` is a number, or for times a timedelta or a text such as "5m"; other keys, such as texts and ordered categories, have none,
        and no "nearest" one. Whole numbers and floats are compared by value. Keys may be expressions, of the rows of their frame.
        """
        operation = "merge_asof"
        options = {
            "direction": direction, "tolerance": tolerance, "allow_exact_matches": allow_exact_matches, "suffixes": suffixes,
            "nulls_equal": nulls_equal,
        }
        keys = {"on": on, "left_on": left_on, "right_on": right_on, "by": by, "left_by": left_by, "right_by": right_by}
        if isinstance(right, DataFrame) and has_columns(keys.values()):
            return _merged_by_columns(self, right, keys, {**options, "left_index": left_index, "right_index": right_index})
        if not left_index and not right_index:
            return _merged(self, right, (on, left_on, right_on), (by, left_by, right_by), options)
        if on is not None or left_index and left_on is not None or right_index and right_on is not None:
            raise _error("ValueError", operation, "keys are columns or row labels: give left_index or left_on, right_index or right_on, and no on")
        sides, keys = [self, right], [left_on, right_on]
        for at, (side, is_index) in enumerate(((self, left_index), (right, right_index))):
            if not is_index:
                continue
            if side.index.nlevels > 1:
                raise _error("ValueError", operation, f"a key is one level, and the row labels have {side.index.nlevels}")
            keys[at] = f"\0{at}"
            labels = _level(side.index, 0).to_device(side.device)
            sides[at] = DataFrame({**{label: _plain(side.column(label)) for label in side.columns}, keys[at]: labels})
        if any(key is None for key in keys):
            raise _error("ValueError", operation, f"{'left' if keys[0] is None else 'right'}_on is missing")
        try:
            made = _merged(*sides, (None, *keys), (by, left_by, right_by), options)
        except ColumnadeError as error:
            raise _in_words(error, {"\x000": None, "\x001": None}) from None
        made = made[[label for label in made.columns if label not in keys or label in self or label in right]]
        return made.reset_index(drop=True).with_index(self.index)
