"""Keys of joins of which one side is of whole numbers and the other of floats: they are compared by value, as floats."""

from __future__ import annotations

import builtins
from typing import NamedTuple

from .._columnade import DataFrame, Expr, col
from .._errors import ColumnadeError, make
from .._install import compiled

_DROP = compiled(DataFrame, "drop")
# Whole numbers up to this one are exact as floats.
_EXACT = 2**53


class Keys(NamedTuple):
    """Both frames, their keys, and what has to be done with the result of a join by them."""

    left: DataFrame
    right: DataFrame
    left_on: list
    right_on: list
    # The places of left columns that are one with a right one, and the labels that these have.
    ones: list
    # Labels of columns of the right frame that no result has.
    hidden: list


def _is_label(key):
    return isinstance(key, (builtins.str, builtins.int, tuple))


def _is_whole(dtype):
    return dtype is not None and dtype.is_numeric and "int" in builtins.str(dtype)


def _is_float(dtype):
    return builtins.str(dtype) in ("float32", "float64")


def _dtype(frame, key):
    """The dtype of a key, or None where the join says what is wrong with it."""
    if isinstance(key, Expr):
        try:
            return frame.head(0).select(key.alias("\0key"))["\0key"].dtype
        except ColumnadeError:
            return None
    return frame[key].dtype if _is_label(key) and key in frame else None


def mixed(left, right, left_keys, right_keys):
    """The places of pairs of keys of which one is of whole numbers and the other of floats, and whether the left one is that of whole
    numbers.
    """
    made = {}
    for place, (one, two) in enumerate(zip(left_keys, right_keys)):
        kind = _dtype(left, one)
        is_whole = _is_whole(kind)
        if is_whole or _is_float(kind):
            other = _dtype(right, two)
            if _is_float(other) if is_whole else _is_whole(other):
                made[place] = is_whole
    return made


def _check_exact(frame, key, operation):
    values = frame.select(key.alias("\0key"))["\0key"] if isinstance(key, Expr) else frame[key]
    low, high = values.min(), values.max()
    if low is not None and (low < -_EXACT or high > _EXACT):
        label = key.label if isinstance(key, Expr) else key
        what = f"key {label!r} is {values.dtype} with values that no float has exactly"
        reason = f"{operation}: {what}, and the other is of floats: cast one"
        raise make("TypeError", reason, operation=operation, column=builtins.str(label), dtype=builtins.str(values.dtype))


def _column(frame, key):
    """The label of the column that a key is, or None for what is computed."""
    if not isinstance(key, Expr):
        return key
    from .._polars.columns import root_of

    label = key.label
    return label if label in frame and repr(key) == repr(col(label)) and root_of(key) == builtins.str(label) else None


def _of_one_column(labels, coalesce):
    """The places of pairs of keys that are one column of the result, and of those that would be if a column of them were not one already."""
    first, others, used = [], [], (set(), set())
    for place, pair in enumerate(labels):
        if None in pair or not (pair[0] == pair[1] if coalesce is None else coalesce):
            continue
        if any(label in before for label, before in zip(pair, used)):
            others.append(place)
            continue
        first.append(place)
        for label, before in zip(pair, used):
            before.add(label)
    return first, others


def _as_float(key, dtype):
    key = key if isinstance(key, Expr) else col(key)
    return key if builtins.str(dtype) == "float64" else key.cast("float64")


def by_value(left, right, left_keys, right_keys, places, coalesce, operation):
    """Both frames with keys of floats in the pairs at some places. Floats are computed for the comparison, and the columns of the frames keep
    their dtypes. A right column that is one with a left one gets a label of its own, so that suffixes are those of other columns.
    """
    for place, is_whole in places.items():
        _check_exact(left if is_whole else right, (left_keys if is_whole else right_keys)[place], operation)
    labels = [(_column(left, one), _column(right, two)) for one, two in zip(left_keys, right_keys)]
    first, others = _of_one_column(labels, coalesce)
    moved, computed, ones, columns = {}, {}, [], builtins.list(left.columns)
    for place in first:
        if place in places:
            one, two = labels[place]
            moved[two] = (f"\0one{place}", *two[1:]) if isinstance(two, tuple) else f"\0one{place}"
            ones.append((columns.index(one), moved[two]))
    left_on, right_on = builtins.list(left_keys), builtins.list(right_keys)
    for place, (one, two) in enumerate(zip(left_keys, right_keys)):
        # Errors name the label of a key.
        names = [key.label if isinstance(key, Expr) else key for key in (one, two)]
        if labels[place][1] in moved:
            right_on[place] = col(moved[labels[place][1]]).alias(names[1])
        elif moved and labels[place][1] is None:
            # It may be of a column that is moved.
            computed[f"\0key{place}"] = two
            right_on[place] = col(f"\0key{place}").alias(names[1])
        if place in places:
            left_on[place] = _as_float(one, _dtype(left, one)).alias(names[0])
            right_on[place] = _as_float(right_on[place], _dtype(right, two)).alias(names[1])
        elif place in others:
            # As a computed key it is not one column with the other.
            left_on[place] = col(labels[place][0]).alias(names[0])
    if moved:
        added = [key.alias(label) for label, key in computed.items()] + [col(label).alias(new) for label, new in moved.items()]
        right = _DROP(right.with_columns(*added), *moved)
    return Keys(left, right, left_on, right_on, ones, [*computed, *moved.values()])


def with_one_column(made, keys, how):
    """The result of a join with the columns of keys that both frames have as one, and without the columns that were added for it."""
    columns = {}
    for place, other in keys.ones:
        label = made.columns[place]
        if how == "right":
            columns[label] = col(other)
        elif how in ("outer", "full"):
            columns[label] = col(label).cast("float64").fill_null(col(other).cast("float64"))
    if columns:
        made = made.with_columns(*[value.alias(label) for label, value in columns.items()])
    hidden = [label for label in keys.hidden if label in made]
    return _DROP(made, *hidden) if hidden else made
