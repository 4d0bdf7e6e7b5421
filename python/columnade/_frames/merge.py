"""Rows of two frames that have the same keys: columns, expressions of them, and levels of row labels."""

from __future__ import annotations

import builtins

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Series, col
from .._common import _error, _level, _list, _named, _plain
from .._errors import ColumnadeError, make
from .._install import compiled, methods, naming
from .._polars.choose import frame_and_keys, values_of
from .._polars.columns import has_columns
from .join_keys import _as_columns, _order_columns, _ordered
from .mixed_keys import by_value, mixed, with_one_column
from .pair_condition import PairCondition


_MERGE, _SET_INDEX, _INSERT, _DROP = (compiled(DataFrame, name) for name in ("merge", "set_index", "insert", "drop"))


def _merge_keys(self, keys):
    """Levels of the row labels that are keys, as columns; other labels are dropped."""
    names = builtins.list(self.index.names)
    levels = [key for key in keys if isinstance(key, (builtins.str, int)) and key in names and key not in self]
    if not levels:
        return self, []
    rest = [at for at, name in enumerate(names) if name not in levels]
    frame = self.reset_index(level=rest, drop=True) if rest else self
    return frame.reset_index(), levels


def _labels_as(frame, prefix):
    """The frame with the levels of its row labels as columns of their own, and the labels of these."""
    made = {f"\0{prefix}{at}": _level(frame.index, at).to_device(frame.device) for at in range(frame.index.nlevels)}
    columns = {label: _plain(frame[label]) for label in frame.columns}
    return DataFrame({**columns, **made}), builtins.list(made)


def _given_keys(on, side, operation):
    if on is None:
        raise _error("ValueError", operation, f"{side}_on is missing: labels of rows go with columns of the other frame")
    return _list(on)


def _merged_by_labels(left, right, left_index, right_index, left_on, right_on, how, sort, options):
    """A join of which keys are row labels. The labels of the result are those of the frame whose columns are keys, or the keys."""
    operation = "merge"
    if how in ("cross", "semi", "anti"):
        raise _error("ValueError", operation, f'left_index and right_index go with how "inner", "left", "right" or "outer", not {how!r}')
    left_names, right_names = builtins.list(left.index.names), builtins.list(right.index.names)
    left, left_on, left_made = (left, left_on, []) if left_on is None else _as_columns(left, _list(left_on), "kl")
    right, right_on, right_made = (right, right_on, []) if right_on is None else _as_columns(right, _list(right_on), "kr")
    if right_made and how in ("left", "outer"):
        # Keys that only the left frame has would be in no column.
        reason = f"right_on is a column with left_index and how={how!r}: make one of the expression with with_columns()"
        raise _error("NotImplementedError", operation, reason)
    mine, mine_labels = _labels_as(left, "l")
    other, other_labels = _labels_as(right, "r")
    mine, left_keys = (mine, mine_labels) if left_index else _copies(mine, _given_keys(left_on, "left", operation), "cl")
    other, right_keys = (other, other_labels) if right_index else _copies(other, _given_keys(right_on, "right", operation), "cr")
    if builtins.len(left_keys) != builtins.len(right_keys):
        numbers = f"{builtins.len(left_keys)} keys on the left and {builtins.len(right_keys)} on the right"
        raise _error("ValueError", operation, f"there are {numbers}")
    both = left_index and right_index
    mine = mine.with_columns(native.lit(True).alias(_IS_LEFT))
    columns = [] if both else _list(right_on if left_index else left_on)
    words = dict.fromkeys((*mine_labels, *other_labels)) | dict(zip(right_keys if left_index else left_keys, columns))
    try:
        made = mine.merge(other, how, left_on=left_keys, right_on=right_keys, coalesce=False, **options)
    except ColumnadeError as error:
        raise _in_words(error, words) from None
    keys = [f"\0k{at}" for at in builtins.range(builtins.len(left_keys))]
    made = made.with_columns(*[col(one).fill_null(col(two)).alias(key) for key, one, two in zip(keys, left_keys, right_keys)])
    if sort:
        made = made.sort_values(keys)
    if both:
        labels, names = keys, right_names if how == "right" else left_names
    else:
        labels, names = (other_labels, right_names) if left_index else (mine_labels, left_names)
        columns = [None if label in (*left_made, *right_made) else label for label in columns]
        made = _with_keys(made, columns, builtins.list(zip(keys, left_keys, right_keys)), left)
    made = _SET_INDEX(made, labels)
    hidden = {_IS_LEFT, *keys, *left_keys, *right_keys, *mine_labels, *other_labels, *left_made, *right_made}
    made = _DROP(made, *[label for label in made.columns if label in hidden])
    return made.with_index(made.index.rename(names))


# Orders of rows by the names of Polars: the order of one side alone does not say that of equal rows of the other one.
_SIDES = {"left_right": "left_right", "right_left": "right_left", "left": "left_right", "right": "right_left", "none": None}


def _sides_in_order(maintain_order, operation):
    if not isinstance(maintain_order, builtins.str):
        raise _error("TypeError", operation, f"maintain_order is a text, not {type(maintain_order).__name__}")
    if maintain_order not in _SIDES:
        known = ", ".join(f'"{name}"' for name in _SIDES)
        raise _error("ValueError", operation, f"maintain_order is one of {known}, not {maintain_order!r}")
    return _SIDES[maintain_order]


# Whether a row of a join is of the left frame, where it is not null.
_IS_LEFT = "\0left"


def _copies(frame, labels, prefix):
    """The frame with keys in columns of their own as well, which no column of the other frame is called like, and the labels of these."""
    for label in labels:
        if label not in frame:
            raise _error("KeyError", "merge", f"there is no column {label!r}; there is {frame.columns[: -frame.index.nlevels]}", label)
    copies = [f"\0{prefix}{at}" for at in builtins.range(builtins.len(labels))]
    return frame.with_columns(*[col(label).alias(copy) for copy, label in zip(copies, labels)]), copies


def _with_keys(made, columns, keys, left):
    """A join by the row labels of one frame with the keys of rows that only one frame has in the columns that are keys of the other. A
    label that both frames have is also that of a column of keys before those with suffixes.
    """
    for place, (label, (key, one, two)) in enumerate(zip(columns, keys)):
        if label is None:
            continue
        if label not in made:
            made = _INSERT(made, place, label, made[key])
            continue
        is_left = col(_IS_LEFT).is_not_null()
        own, other = (col(label), col(two)) if label in left else (col(one), col(label))
        values = native.when(is_left).then(own).otherwise(other)
        made = made.with_columns(values.alias(label))
    return made


def _in_words(error, words):
    """The error with labels of columns in place of those that keys have, or None for row labels."""
    text = builtins.str(error)
    for label, word in words.items():
        text = text.replace(f'"\\0{label[1:]}"', f'"{"row labels" if word is None else word}"')
    kinds = [kind.__name__ for kind in type(error).__mro__ if kind.__name__ in ("KeyError", "TypeError", "ValueError", "NotImplementedError")]
    if not kinds:
        return error
    return make(kinds[0], text, operation=error.operation, column=words.get(error.column, error.column), dtype=error.dtype)


def _check_repeated(left, right, how, keys, options):
    """Has keys that `validate` refuses be named as the frames have them, where they are compared as floats."""
    given = {name: options[name] for name in ("validate", "nulls_equal")}
    if given["validate"] is None or how in ("cross", "semi", "anti"):
        return
    _MERGE(left, left.head(0), "inner", None, keys[0], keys[0], **given)
    _MERGE(right.head(0), right, "inner", None, keys[1], keys[1], **given)


def _by_value(left, right, how, keys, options):
    """The frames and keys of a join that compares whole numbers with floats, or None for others."""
    on, left_on, right_on = keys
    if how == "cross" or not isinstance(right, DataFrame) or (left_on is None) != (right_on is None):
        return None
    if on is not None or left_on is not None:
        if on is not None and left_on is not None:
            return None
        sides = [_list(on if side is None else side) for side in (left_on, right_on)]
    elif options["condition"] is None:
        sides = [[label for label in left.columns if label in right]] * 2
    else:
        return None
    places = mixed(left, right, *sides)
    if not places or builtins.len(sides[0]) != builtins.len(sides[1]):
        return None
    _check_repeated(left, right, how, sides, options)
    coalesce = False if how in ("semi", "anti") else options["coalesce"]
    return by_value(left, right, *sides, places, coalesce, "merge")


def _merged(left, right, how, keys, by_labels, sort, options):
    """The rows of two frames that have the same keys, of one kind on both sides."""
    operation = "merge"
    (on, left_on, right_on), (left_index, right_index) = keys, by_labels
    if isinstance(right, Series):
        if right.name is None:
            raise _error("ValueError", operation, "a series without a name cannot be merged")
        right = right.to_frame()
    if left_index or right_index:
        if on is not None or (left_index and left_on is not None) or (right_index and right_on is not None):
            reason = "keys are columns or row labels: give left_index or left_on, right_index or right_on, and no on"
            raise _error("ValueError", operation, reason)
        if options["coalesce"] is not None or options["condition"] is not None:
            raise _error("ValueError", operation, "coalesce and condition do not go with left_index and right_index")
        options = {name: value for name, value in options.items() if name != "coalesce"}
        return _merged_by_labels(left, right, left_index, right_index, left_on, right_on, how, sort, options)
    sides = [on if side is None else side for side in (left_on, right_on)]
    left_keys, right_keys = ([] if side is None else _list(side) for side in sides)
    left, levels = _merge_keys(left, left_keys)
    if isinstance(right, DataFrame):
        right, other_levels = _merge_keys(right, right_keys)
    else:
        other_levels = []
    sort = sort and how != "cross" and isinstance(right, DataFrame)
    floats = _by_value(left, right, how, keys, options)
    if floats is not None:
        left, right, on, left_on, right_on = floats.left, floats.right, None, floats.left_on, floats.right_on
        options = {**options, "validate": None}
    if sort:
        if not left_keys:
            left_keys = right_keys = [label for label in left.columns if label in right]
        asked = (left_keys, right_keys) if floats is None else (left_on, right_on)
        left, right, left_labels, right_labels, added = _order_columns(left, right, *asked, options["coalesce"])
    made = _MERGE(left, right, how, on, left_on, right_on, **options)
    if floats is not None:
        made = with_one_column(made, floats, how)
    if sort:
        made = _ordered(made, added, left_labels, right_labels)
    # An expression has no truth value: only labels are compared.
    pairs = [(name, other) for name, other in zip(left_keys, right_keys) if not isinstance(name, Expr) and not isinstance(other, Expr)]
    shared = [name for name, other in pairs if name == other and name in levels and name in other_levels]
    return _SET_INDEX(made, shared) if shared else made


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def merge(
        self, right, how="inner", on=None, left_on=None, right_on=None, suffixes=None, nulls_equal=None, validate=None, indicator=None,
        maintain_order=None, condition=None, coalesce=None, left_index=False, right_index=False, sort=False, copy=None,
    ):
        """The rows of two frames that have the same keys: columns, levels of row labels by their names, or with `left_index` and
        `right_index` the row labels. `sort` puts the rows in the order of the keys, and `indicator` adds a column, "_merge" or of that
        name, that says where a row is from. Whole numbers and floats are compared by value. `maintain_order` has the
        names of Polars.
        """
        if how in ("left_anti", "right_anti"):
            return _anti(self, right, how, (on, left_on, right_on, left_index, right_index), suffixes, nulls_equal)
        if isinstance(condition, Series):
            raise _error("TypeError", "merge", "condition is an expression, not a series")
        maintain_order = None if maintain_order is None else _sides_in_order(maintain_order, "merge")
        if suffixes is not None:
            if isinstance(suffixes, builtins.str) or builtins.len(suffixes) != 2:
                raise _error("ValueError", "merge", f"suffixes are two texts, not {suffixes!r}")
            suffixes = tuple("" if suffix is None else suffix for suffix in suffixes)
        indicator = {True: "_merge", False: None}.get(indicator, indicator) if isinstance(indicator, bool) else indicator
        options = {
            "suffixes": suffixes, "nulls_equal": nulls_equal, "validate": validate, "indicator": indicator,
            "maintain_order": maintain_order, "condition": condition, "coalesce": coalesce,
        }
        keys, by_labels = (on, left_on, right_on), (left_index, right_index)
        if isinstance(right, DataFrame) and has_columns((condition,)):
            pairs = PairCondition(self, right, condition, keys, options)
            options = {**options, "condition": pairs.condition, "left_index": left_index, "right_index": right_index, "sort": sort}
            made = pairs.frames[0].merge(pairs.frames[1], how, *keys, **options)
            return made.drop(*[label for label in pairs.added if label in made])
        if any(has_columns((key,)) for key in keys):
            return _merged_by_columns(self, right, how, keys, {**options, "left_index": left_index, "right_index": right_index, "sort": sort})
        return _with_shared_names(_merged(self, right, how, keys, by_labels, sort, options), self, right)


def with_key_columns(frame, keys, prefix, operation):
    """A frame with a column for each key that is computed with all rows, the keys, and the labels of these columns."""
    if not has_columns((keys,)):
        return frame, keys, []
    whole, made = frame_and_keys(frame, _list(keys), operation)
    added = []
    for at, key in enumerate(made):
        if isinstance(key, Expr):
            label = f"\0{prefix}key{at}"
            frame, made[at] = frame.with_columns(**{label: values_of(whole, key).with_index(frame.index)}), col(label).alias(key.label)
            added.append(label)
    return frame, made, added


def _merged_by_columns(left, right, how, keys, options):
    """A join by expressions that are computed with all rows, which are columns of the frames meanwhile."""
    on, left_on, right_on = keys
    left, left_on, added = with_key_columns(left, on if left_on is None else left_on, "left", "merge")
    right, right_on, others = with_key_columns(right, on if right_on is None else right_on, "right", "merge")
    made = left.merge(right, how, left_on=left_on, right_on=right_on, **options)
    return made.drop(*[label for label in added + others if label in made])


def _anti(left, right, how, keys, suffixes, nulls_equal):
    """The rows of one frame that have no equal keys in the other one, with the columns of both, as pandas has them."""
    on, left_on, right_on, left_index, right_index = keys
    flag = "\0side"
    options = {"on": on, "left_on": left_on, "right_on": right_on, "left_index": left_index, "right_index": right_index}
    side = "left" if how == "left_anti" else "right"
    made = left.merge(right, how=side, indicator=flag, suffixes=suffixes, nulls_equal=nulls_equal, **options)
    kept = made[(made[flag].cast("utf8") == f"{side}_only").fill_null(False)].drop(flag)
    return kept if left_index or right_index else kept.reset_index(drop=True)


def _with_shared_names(made, left, right):
    """A merged frame with the names of levels of labels of columns that both frames have."""
    names = builtins.list(left._level_names)
    if not isinstance(right, DataFrame) or builtins.len(made._level_names) != builtins.len(names):
        return made
    return _named(made, names if builtins.list(right._level_names) == names else [None] * builtins.len(names))
