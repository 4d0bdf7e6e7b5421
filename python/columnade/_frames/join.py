"""Columns of other frames in rows of the same label, and levels of the row labels and columns as keys."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Expr, Index, Series, concat
from .._common import _error, _level, _list
from .._errors import ColumnadeError, under
from .._install import compiled, methods, naming
from .._polars.columns import Columns
from .merge import _merged_by_labels, _sides_in_order, _with_shared_names

_JOIN = compiled(DataFrame, "join")
_HOW = ("left", "right", "inner", "outer", "cross")
_KEY = "\0level"
# Which sides have keys that come once.
_VALIDATED = {
    "1:1": "lr", "one_to_one": "lr", "1:m": "l", "one_to_many": "l", "m:1": "r", "many_to_one": "r", "m:m": "", "many_to_many": "",
}


def _check_unique(self, keys, side):
    """Has keys, or row labels, that come more than once be an error like that of `merge`."""
    values = self.index if keys is None else Index.from_frame(self[keys].reset_index(drop=True))
    if values.is_unique:
        return
    names = [] if keys is None else [builtins.str(key).removeprefix(_KEY) for key in keys]
    noun = "the key " + ", ".join(f'"{name}"' for name in names) if names else "the row labels"
    twice = values[Series(values.duplicated()).arg_max()]
    twice = f"({', '.join(map(builtins.str, twice))})" if isinstance(twice, tuple) else twice
    reason = f"{noun} of the {side} frame {'is' if names else 'are'} not unique: {twice} occurs more than once"
    raise _error("ValueError", "join", reason, column=names[0] if names else None)


def _with_key(error, keys):
    """Has an error of row labels that are compared with keys name the key: the labels are called after it."""
    for key in keys:
        if error.column == f"row labels {key}":
            name = builtins.str(key).removeprefix(_KEY)
            shown = error.column.replace("\0", "\\0")
            error.args = (builtins.str(error).replace(f'"{shown}"', f'"{name}"'), *error.args[1:])
            error.column = name


def _frame(other):
    if isinstance(other, Series):
        if other.name is None:
            raise _error("ValueError", "join", "a series without a name cannot be joined")
        return other.to_frame()
    if not isinstance(other, DataFrame):
        raise _error("TypeError", "join", f"a frame, a series or a list of them is joined, not {type(other).__name__}")
    return other


def _of_several(self, others, how, sort, validate):
    """The columns of several frames in rows of the same label."""
    frames = [self, *map(_frame, others)]
    labels = [label for frame in frames for label in frame.columns]
    twice = next((label for label in labels if labels.count(label) > 1), None)
    if twice is not None:
        raise _error("ValueError", "join", f"column {twice!r} is in several frames, which have no suffixes: rename it before")
    if how in ("inner", "outer") and all(frame.index.is_unique for frame in frames):
        return concat(frames, axis=1, join=how, sort=sort)
    if how == "right" and all(frame.index.is_unique for frame in frames):
        # All rows of the last frame, with what any of the others has for them.
        made = concat(frames, axis=1, join="outer").reindex(frames[-1].index)
        return made.sort_index() if sort else made
    made = self
    for frame in frames[1:]:
        made = made.join(frame, how=how, sort=sort, validate=validate)
    return made


def _named(made, left, right, how):
    """The name of the labels: the left one, and of a right join that of the right frame."""
    names, others = builtins.list(left.index.names), builtins.list(right.index.names)
    if made.index.nlevels != 1 or builtins.len(names) != 1 or builtins.len(others) != 1 or names == others:
        return made
    return made.with_index(made.index.rename(others[0] if how == "right" else names[0]))


def _joined(self, other, on, how, suffixes, lsuffix, rsuffix, sort, validate):
    """The columns of another frame in rows of the same label, or with `on` of the columns that have its labels."""
    operation = "join"
    if lsuffix or rsuffix:
        if suffixes is not None:
            raise _error("TypeError", operation, "give suffixes, or lsuffix and rsuffix")
        suffixes = (lsuffix, rsuffix)
    keys = None if on is None else _list(on)
    if validate is not None:
        if validate not in _VALIDATED:
            raise _error("ValueError", operation, f"validate is {', '.join(map(repr, _VALIDATED))}, not {validate!r}")
        if "l" in _VALIDATED[validate]:
            _check_unique(self, keys, "left")
        if "r" in _VALIDATED[validate]:
            _check_unique(other, None, "right")
    try:
        made = _JOIN(self, other, on, how, suffixes)
    except ColumnadeError as error:
        _with_key(error, keys or [])
        raise
    if not sort:
        return made
    return made.sort_index() if keys is None else made.sort_values(keys)


def _on_keys(self, other, on, how, suffixes, lsuffix, rsuffix, sort, validate):
    """A join by columns and levels of the row labels that have the labels of another frame."""
    operation = "join"
    levels = [key for key in _list(on) if key not in self and key in builtins.list(self.index.names)]
    if not levels:
        return _joined(self, other, on, how, suffixes, lsuffix, rsuffix, sort, validate)
    if how not in ("left", "inner"):
        raise _error("NotImplementedError", operation, f"how={how!r} on levels of the row labels is not implemented: reset_index before")
    keys = {key: f"{_KEY}{key}" for key in levels}
    names = builtins.list(self.index.names)
    values = {label: _level(self.index, names.index(key)).to_device(self.device) for key, label in keys.items()}
    left = self.with_columns(**{label: part.with_index(self.index) for label, part in values.items()})
    asked = [keys.get(key, key) for key in _list(on)]
    made = _joined(left, other, asked, how, suffixes, lsuffix, rsuffix, sort, validate)
    return made.drop(columns=builtins.list(keys.values()))


def _of_repeated(self, other, given, how, suffixes, has_suffix, sort, validate):
    """A join by labels that come several times on both sides, each with each."""
    operation = "join"
    # The compiled method pairs rows of equal labels one by one.
    shared = [label for label in self.columns if label in other]
    if shared and given[0] == given[1]:
        raise _error("ValueError", operation, f"column {shared[0]!r} is in both frames: give lsuffix or rsuffix")
    if suffixes is not None and has_suffix:
        raise _error("TypeError", operation, "give suffixes, or lsuffix and rsuffix")
    if validate in ("1:1", "one_to_one", "1:m", "one_to_many"):
        _check_unique(self, None, "left")
    elif validate in ("m:1", "many_to_one"):
        _check_unique(other, None, "right")
    elif validate not in (None, "m:m", "many_to_many"):
        raise _error("ValueError", operation, f"validate is '1:1', '1:m', 'm:1' or 'm:m', not {validate!r}")
    made = _merged_by_labels(self, other, True, True, None, None, how, sort or how == "outer", {"suffixes": given})
    return _named(made, self, other, how)


def _of_columns(self, other, how, keys, suffix, coalesce, nulls_equal, validate, maintain_order):
    """Rows of two frames that have the same values in columns, as Polars joins them."""
    on, left_on, right_on = (None if key is None else [key] if isinstance(key, (builtins.str, Expr, Columns)) else builtins.list(key) for key in keys)
    if on is not None:
        if left_on is not None or right_on is not None:
            raise _error("TypeError", "join", "give on, or left_on and right_on")
        left_on, right_on = on, on
    if left_on is None or right_on is None:
        raise _error("TypeError", "join", "keys are missing: give on, or left_on and right_on")
    how = "outer" if how == "full" else how
    order = None if maintain_order is None else _sides_in_order(maintain_order, "join")
    if how in ("semi", "anti"):
        # The rows are those of the left frame, in its order.
        return self.merge(other, how=how, left_on=left_on, right_on=right_on, nulls_equal=nulls_equal)
    options = {"nulls_equal": nulls_equal, "validate": validate, "suffixes": ("", suffix), "maintain_order": order}
    is_one = (how != "outer") if coalesce is None else coalesce
    if is_one:
        return self.merge(other, how=how, left_on=left_on, right_on=right_on, coalesce=True, **options)
    theirs = other.rename(columns={label: f"{label}{suffix}" for label in other.columns if label in self.columns})
    right_on = [f"{label}{suffix}" if label in self.columns else label for label in right_on]
    return self.merge(theirs, how=how, left_on=left_on, right_on=right_on, coalesce=False, **options)


def _crossed(self, other, keys, suffixes, suffix, maintain_order):
    """All rows with all of another frame."""
    for name, given in keys.items():
        if given is not None:
            raise _error("ValueError", "join", f'{name} does not go with how="cross", which has no keys')
    if suffixes and suffix is not None:
        raise _error("TypeError", "join", "give suffix, or suffixes, or lsuffix and rsuffix")
    # Columns of one label have no name in pandas, and this one in Polars.
    suffixes = suffixes or ("", "_right" if suffix is None else suffix)
    with under("join"):
        return self.merge(other, how="cross", suffixes=suffixes, maintain_order=maintain_order)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def join(
        self, other, on=None, how="left", suffixes=None, lsuffix="", rsuffix="", sort=False, validate=None, *, left_on=None, right_on=None,
        suffix=None, coalesce=None, nulls_equal=None, maintain_order=None,
    ):
        """The columns of another frame, or of several, in rows of the same label, each with each where labels repeat; with `on` the columns
        or levels of the row labels that have its labels. With how="semi", "anti" or "full", or with `left_on` and `right_on`, `suffix`,
        `coalesce`, `nulls_equal` or `maintain_order`, keys are columns of both frames, as in Polars.
        """
        operation = "join"
        if how == "cross" and not isinstance(other, (builtins.list, tuple)):
            keys = {"on": on, "left_on": left_on, "right_on": right_on, "coalesce": coalesce, "nulls_equal": nulls_equal}
            return _crossed(self, _frame(other), keys, suffixes or (lsuffix or rsuffix) and (lsuffix, rsuffix), suffix, maintain_order)
        of_columns = {
            "left_on": left_on, "right_on": right_on, "suffix": suffix, "coalesce": coalesce, "nulls_equal": nulls_equal,
            "maintain_order": maintain_order,
        }
        if how in ("semi", "anti", "full") or any(given is not None for given in of_columns.values()):
            if on is None and left_on is None and right_on is None:
                named = next((name for name, given in of_columns.items() if given is not None), None)
                reason = f"how={how!r}" if how in ("semi", "anti", "full") else named
                raise _error("ValueError", operation, f"{reason} is of columns: give on, or left_on and right_on")
            if suffixes is not None or lsuffix or rsuffix or sort:
                raise _error("TypeError", operation, "keys that are columns go with suffix, and without sort: merge has these")
            return _of_columns(self, other, how, (on, left_on, right_on), suffix or "_right", coalesce, nulls_equal or False, validate, maintain_order)
        if how not in _HOW:
            reason = f"how is {', '.join(map(repr, _HOW[:-1]))} or {_HOW[-1]!r}, not {how!r}"
            of_merge = how in ("semi", "anti", "full")
            raise _error("ValueError", operation, f"{reason}: join goes by row labels, and merge by columns" if of_merge else reason)
        if isinstance(other, (builtins.list, tuple)):
            if on is not None:
                raise _error("ValueError", operation, "on goes with one frame: several are joined by their row labels")
            if suffixes is not None or lsuffix or rsuffix:
                raise _error("ValueError", operation, "suffixes go with one frame")
            return _of_several(self, other, how, sort, validate)
        other = _frame(other)
        given = (lsuffix, rsuffix) if suffixes is None else suffixes
        if on is not None:
            return _with_shared_names(_on_keys(self, other, on, how, suffixes, lsuffix, rsuffix, sort, validate), self, other)
        if self.index.is_unique or not self.index.equals(other.index):
            made = _named(_joined(self, other, None, how, suffixes, lsuffix, rsuffix, sort, validate), self, other, how)
        else:
            made = _of_repeated(self, other, given, how, suffixes, lsuffix or rsuffix, sort, validate)
        return _with_shared_names(made, self, other)
