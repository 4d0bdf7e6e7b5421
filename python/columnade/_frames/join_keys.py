"""Keys of joins that are expressions, for joins that need their values as columns."""

from __future__ import annotations

import builtins

from .._columnade import Expr, col


def _as_columns(frame, keys, prefix):
    """The frame with the values of keys that are expressions as columns of their own, the labels of all keys, and those of these."""
    labels = [f"\0{prefix}{at}" if isinstance(key, Expr) else key for at, key in enumerate(keys)]
    made = {label: key for label, key in zip(labels, keys) if isinstance(key, Expr)}
    return frame.with_columns(*[key.alias(label) for label, key in made.items()]) if made else frame, labels, builtins.list(made)


def _order_columns(left, right, left_keys, right_keys, coalesce):
    """Both frames with columns of the pairs of keys that are not one column of the result, the labels of all keys, and those of these."""
    def sides(mine, others):
        # Of rows that only one frame has the other key is null, which is why both are columns.
        def is_one_column(key, other):
            return not isinstance(key, Expr) and not isinstance(other, Expr) and key == other and coalesce is not False

        return [key if isinstance(key, Expr) or is_one_column(key, other) else col(key) for key, other in zip(mine, others)]

    left, left_labels, left_made = _as_columns(left, sides(left_keys, right_keys), "kl")
    right, right_labels, right_made = _as_columns(right, sides(right_keys, left_keys), "kr")
    return left, right, left_labels, right_labels, [*left_made, *right_made]


def _ordered(made, added, left_labels, right_labels):
    """The rows of a join in the order of its keys, without the columns that were added for it."""
    for key, other in zip(left_labels, right_labels):
        if key in added and other in made:
            made = made.with_columns(col(key).fill_null(col(other)).alias(key))
    made = made.sort_values(left_labels) if left_labels else made
    hidden = [label for label in added if label in made]
    return (made.drop(*hidden) if hidden else made).reset_index(drop=True)
