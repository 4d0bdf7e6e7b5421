"""What brackets, `loc` and `iloc` give, as in pandas: one value, a series or a frame, with masks that go by row labels."""

from __future__ import annotations

import builtins
import datetime
import re

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series
from .._common import _depth, _error, _expanded, _index_of, _level, _matches, _parts, _plain, tuples_of
from .._convert import foreign, to_numpy
from .._errors import ColumnKeyError, ColumnTypeError
from .._install import compiled, install, like, methods
from .._values import zone_of
from .locate_columns import _partial, by_columns


_TEXT = (builtins.str, bytes)
_TIMES = (datetime.date, datetime.timedelta)
_TAKE = {
    kind: compiled(kind, "__getitem__")
    for kind in (DataFrame, Series, native.Loc, native.Iloc, native.SeriesLoc, native.SeriesIloc, native.At, native.SeriesAt)
}
_ALL = slice(None)


def _is_several(key):
    """Whether a key is several labels or positions, or a condition."""
    return isinstance(key, (builtins.list, slice, range, Series, Index, Expr, DataFrame)) or getattr(key, "shape", ()) != ()


def _is_mask(key):
    return isinstance(key, Series) and key.dtype == "bool"


def _resolved(key, whole):
    """What a function makes of the frame or the series, as a key; an expression stays."""
    return key(whole) if callable(key) and not isinstance(key, (Expr, type)) else key


def _labels_of(key):
    """Labels in a series, an array or a range as a list; what is a condition stays."""
    if isinstance(key, range):
        return builtins.list(key)
    if isinstance(key, Series):
        return key if key.dtype == "bool" else key.to_list()
    of_other = foreign(key)
    if of_other is not None:
        # Without labels, as an array.
        return of_other.to_list() if of_other.null_count or of_other.dtype != "bool" else to_numpy(of_other)
    if getattr(key, "shape", ()) != () and hasattr(key, "dtype") and hasattr(key, "tolist") and not isinstance(key, Index):
        return key if key.dtype == bool else key.tolist()
    return key


def _positions_of(key, whole):
    """Positions in a series, and a condition of the same row labels."""
    if foreign(key) is not None:
        return _labels_of(key)
    if _is_mask(key) and not key.index.equals(whole.index):
        reason = "a series of booleans has the row labels of the rows that it chooses: take to_list() to go by position"
        raise _error("ValueError", "iloc", reason)
    return key.to_list() if isinstance(key, (Series, Index)) and not _is_mask(key) else key


def _aligned(mask, index, operation):
    """Booleans by row label in the order of other labels."""
    if mask.index.equals(index):
        return mask
    reason = "the booleans do not have all row labels of the rows that they choose"
    if not mask.index.is_unique:
        raise _error("ValueError", operation, "the row labels of the booleans come more than once and are not those of the rows")
    try:
        places = _plain(mask.index.get_indexer(index))
    except ColumnTypeError:
        kinds = [", ".join(map(builtins.str, labels.dtypes)) for labels in (mask.index, index)]
        raise _error("KeyError", operation, f"{reason}: these are {kinds[0]} and those {kinds[1]}") from None
    if (places < 0).any():
        missing = index[builtins.int((places < 0).arg_max())]
        raise _error("KeyError", operation, f"there is no row label {missing} among those of the booleans")
    return mask.take(places).with_index(index)


# Times that are written as text --------------------------------------------------------------------------------------------
_WRITTEN = r"(\d{4})(?:-(\d\d?)(?:-(\d\d?)(?:[ T](\d\d?)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,6}))?)?)?)?)?)?"
_MICROSECONDS = (86_400_000_000, 3_600_000_000, 60_000_000, 1_000_000)


def _span(text, index):
    """The first and the last microsecond of a written time, and how many it has of those; None for what is not written as here.
    A year and a month have no number.
    """
    found = re.compile(_WRITTEN).fullmatch(text.strip()) if isinstance(text, builtins.str) else None
    if found is None:
        return None
    parts = [builtins.int(part) for part in found.groups()[:6] if part is not None]
    fraction = found[7]
    try:
        start = datetime.datetime(*(parts + [1, 1])[:3] if builtins.len(parts) < 3 else parts)
    except ValueError:
        return None
    if fraction is not None:
        start = start.replace(microsecond=builtins.int(fraction.ljust(6, "0")))
    if builtins.len(parts) == 1:
        length, end = None, start.replace(month=12, day=31, hour=23, minute=59, second=59, microsecond=999_999)
    elif builtins.len(parts) == 2:
        later = (start.replace(day=28) + datetime.timedelta(days=4)).replace(day=1)
        length, end = None, later - datetime.timedelta(microseconds=1)
    else:
        length = 10 ** (6 - builtins.len(fraction)) if fraction else _MICROSECONDS[builtins.len(parts) - 3]
        end = start + datetime.timedelta(microseconds=length - 1)
    if index.tz is not None:
        zone = zone_of(index.tz)
        start, end = start.replace(tzinfo=zone), end.replace(tzinfo=zone)
    return start, end, length


def _is_one_time(text, index):
    """Whether a written time is one label: no label has finer parts than it."""
    span = _span(text, index)
    if span is None or span[2] is None:
        return False
    times = _level(index, 0)
    local = times if index.tz is None else times.dt.tz_localize(None)
    ticks = {"s": 1, "ms": 1000, "us": 1_000_000, "ns": 1_000_000_000}[index.unit if hasattr(index, "unit") else times.dtype.unit]
    step = span[2] * ticks // 1_000_000
    return step <= 1 or not (local.cast("int64") % step != 0).fill_null(False).any()


def _is_between_texts(key):
    ends = [end for end in (key.start, key.stop) if end is not None]
    return builtins.bool(ends) and all(isinstance(end, builtins.str) for end in ends)


def _between(whole, key, operation):
    """The rows between written times where labels are in no order: by value, and both ends are labels. None for other slices."""
    index = whole.index
    if index.nlevels != 1 or index.kind != "datetime" or not _is_between_texts(key) or index.is_monotonic_increasing:
        return None
    spans = [None if end is None else _span(end, index) for end in (key.start, key.stop)]
    if any(span is None and end is not None for span, end in zip(spans, (key.start, key.stop))):
        return None
    times, kept, is_label = _level(index, 0), None, True
    for place, span in enumerate(spans):
        if span is not None:
            end = span[place]
            is_label = is_label and (times == end).fill_null(False).any()
            side = (times >= end if place == 0 else times <= end).fill_null(False)
            kept = side if kept is None else kept & side
    if not is_label:
        ends = " or ".join(repr(end) for end in (key.start, key.stop) if end is not None)
        reason = f"row labels are in no order, and {ends} is none of them: sort them with sort_index"
        raise _error("KeyError", operation, reason)
    made = _TAKE[type(whole)](whole, kept.to_device(whole.device).with_index(index))
    return made if key.step in (None, 1) else _TAKE[native.Iloc if isinstance(made, DataFrame) else native.SeriesIloc](
        made.iloc, slice(None, None, key.step)
    )


# Series ------------------------------------------------------------------------------------------------------------------
def _without_levels(made, places):
    """Rows whose labels have fewer levels."""
    index = made.index
    kept = [place for place in range(index.nlevels) if place not in places]
    if not kept or not places:
        return made
    levels, names = [_level(index, place) for place in kept], [index.names[place] for place in kept]
    return made.with_index(_index_of(levels, names))


def _is_row(key, index):
    """Whether a key is the whole label of a row."""
    if index.nlevels > 1:
        return isinstance(key, tuple) and builtins.len(key) == index.nlevels and not any(map(_is_several, key))
    return not _is_several(key) and not isinstance(key, tuple)


def _check_time(key, index, found):
    """Whether a key is one time; it is an error if no row has it."""
    if not isinstance(key, builtins.str) or index.kind != "datetime" or index.nlevels > 1:
        return True
    if not _is_one_time(key, index):
        return False
    if not builtins.len(found):
        raise _error("KeyError", "loc", f"there is no row label {key}")
    return True


def _of_row(found, key, index):
    """The value of a label that comes once, the rows of another."""
    return found.to_list()[0] if _is_row(key, index) and _check_time(key, index, found) and builtins.len(found) == 1 else found


def _series_loc(self, key, /):
    look_up = _TAKE[native.SeriesLoc]
    whole = look_up(self, _ALL)
    index = whole.index
    key = tuples_of(_labels_of(_resolved(key, whole)), index)
    if _is_mask(key):
        return look_up(self, _aligned(key, index, "loc"))
    if isinstance(key, slice):
        made = _between(whole, key, "loc")
        return look_up(self, key) if made is None else made
    if isinstance(key, tuple) and index.nlevels > 1 and any(isinstance(part, slice) for part in key):
        found = look_up(self, key)
        is_plain = all(part == _ALL if isinstance(part, slice) else not _is_several(part) for part in key)
        return _without_levels(found, [place for place, part in enumerate(key) if not _is_several(part)]) if is_plain else found
    return _of_row(look_up(self, key), key, index)


def _series_iloc(self, key, /):
    look_up = _TAKE[native.SeriesIloc]
    if isinstance(key, slice):
        return look_up(self, key)
    key = _labels_of(key) if foreign(key) is not None else key
    if not _is_several(key) and not callable(key) and not isinstance(key, tuple):
        return look_up(self, key).to_list()[0]
    whole = look_up(self, _ALL)
    key = _positions_of(_resolved(key, whole), whole)
    found = look_up(self, key)
    return found if _is_several(key) or isinstance(key, tuple) else found.to_list()[0]


def _is_label(key):
    """Whether a key of brackets is a label that is no number, or between such."""
    if isinstance(key, slice):
        return isinstance(key.start, (*_TEXT, *_TIMES)) or isinstance(key.stop, (*_TEXT, *_TIMES))
    if isinstance(key, builtins.list):
        return builtins.bool(key) and not all(isinstance(label, builtins.bool) for label in key)
    return isinstance(key, (*_TEXT, *_TIMES))


def _series_item(self, key, /):
    key = _labels_of(_resolved(key, self))
    if _is_mask(key):
        return _TAKE[Series](self, _aligned(key, self.index, "getitem"))
    if _is_label(key) or isinstance(key, tuple) and self.index.nlevels > 1:
        return self.loc[key]
    return _TAKE[Series](self, key)


# Frames ------------------------------------------------------------------------------------------------------------------
def _is_there(look_up, self, key):
    try:
        look_up(self, key)
    except (ColumnKeyError, ColumnTypeError):
        return False
    return True


def _split(look_up, self, key, whole):
    """The rows and the columns of a key of `loc`."""
    if not isinstance(key, tuple):
        return key, _ALL
    if whole.index.nlevels == 1 or builtins.len(key) != 2:
        # A tuple is a label of several levels.
        return key if builtins.len(key) == 2 and whole.index.nlevels == 1 else (key, _ALL)
    rows, columns = key
    if isinstance(rows, tuple) or _is_several(rows):
        return key
    if isinstance(columns, slice):
        return key if columns == _ALL else (key, _ALL)
    if callable(columns) or _is_several(columns):
        labels = _labels_of(columns)
        return key if callable(columns) or not isinstance(labels, builtins.list) or all(one in whole for one in labels) else (key, _ALL)
    return (key, _ALL) if _is_there(look_up, self, key) else key


def _columns_of(columns, whole):
    """The labels of columns as a list, and whether it is one label."""
    columns = _labels_of(columns)
    if isinstance(columns, Index):
        return columns.to_list(), False
    if isinstance(columns, Series) or getattr(columns, "shape", ()) != ():
        columns = [builtins.bool(one) for one in (columns.to_list() if isinstance(columns, Series) else columns.tolist())]
    if isinstance(columns, builtins.list):
        if columns and all(isinstance(one, builtins.bool) for one in columns) and not all(one in whole for one in columns):
            if builtins.len(columns) != builtins.len(whole.columns):
                raise _error("ValueError", "loc", f"there are {builtins.len(columns)} booleans for {builtins.len(whole.columns)} columns")
            columns = [label for label, kept in zip(whole.columns, columns) if kept]
        return columns, False
    return [columns], columns in whole


def _frame_loc(self, key, /):
    look_up = _TAKE[native.Loc]
    whole = look_up(self, _ALL)
    key = _resolved(key, whole)
    rows, columns = _split(look_up, self, key, whole)
    index, columns = whole.index, _resolved(columns, whole)
    rows = tuples_of(_labels_of(_resolved(rows, whole)), index)
    if _is_mask(rows):
        rows = _aligned(rows, index, "loc")
    is_one = False
    if not isinstance(columns, slice):
        columns, is_one = _columns_of(columns, whole)
    if isinstance(rows, slice):
        found = _between(whole, rows, "loc")
        if found is not None:
            made = found.loc[:, columns]
            return made[columns[0]] if is_one else made
    # With several levels, a label alone beside columns would be taken for one of two levels.
    wrapped = (rows,) if index.nlevels > 1 and not _is_several(rows) and not isinstance(rows, tuple) else rows
    found = look_up(self, rows) if columns == _ALL and not isinstance(rows, tuple) else look_up(self, (wrapped, columns))
    is_row = _is_row(rows, index) and _check_time(rows, index, found)
    if not is_one:
        return found
    values = found[columns[0]]
    return values.to_list()[0] if is_row and builtins.len(values) == 1 else values


def _frame_iloc(self, key, /):
    look_up = _TAKE[native.Iloc]
    if isinstance(key, slice):
        return look_up(self, key)
    whole = look_up(self, _ALL)
    key = _resolved(key, whole)
    if not isinstance(key, tuple) or builtins.len(key) != 2:
        return look_up(self, _positions_of(key, whole))
    rows, columns = (_resolved(part, whole) for part in key)
    rows = _positions_of(rows, whole)
    if isinstance(columns, Series) or getattr(columns, "shape", ()) != () and columns.dtype == bool:
        columns = columns.to_list() if isinstance(columns, Series) else columns.tolist()
    if isinstance(columns, builtins.list) and columns and all(isinstance(one, builtins.bool) for one in columns):
        if builtins.len(columns) != builtins.len(whole.columns):
            raise _error("ValueError", "iloc", f"there are {builtins.len(columns)} booleans for {builtins.len(whole.columns)} columns")
        columns = [place for place, kept in enumerate(columns) if kept]
    made = look_up(self, (rows, columns))
    if _is_several(columns) or isinstance(columns, tuple):
        return made
    values = made[made.columns[0]]
    return values if _is_several(rows) or isinstance(rows, tuple) else values.to_list()[0]


def _is_place(bound):
    return bound is None or hasattr(bound, "__index__")


def _of_other_key(self, key):
    """What brackets give for another key than a label, a list of labels or an expression."""
    key = _resolved(key, self)
    if isinstance(key, DataFrame):
        return self.where(key)
    if isinstance(key, slice) and _is_label(key):
        return self.loc[key]
    if isinstance(key, Index):
        return _TAKE[DataFrame](self, key.to_list())
    key = _labels_of(key)
    return _TAKE[DataFrame](self, _aligned(key, self.index, "getitem") if _is_mask(key) else key)


def _frame_item(self, key, /):
    if isinstance(key, slice) and not (_is_place(key.start) and _is_place(key.stop)):
        return self.loc[key]
    try:
        return _TAKE[DataFrame](self, key) if isinstance(key, (builtins.str, builtins.list, Expr)) else _of_other_key(self, key)
    except ColumnKeyError:
        if _depth(self) == 1 or isinstance(key, (Series, Expr)):
            raise
        if isinstance(key, builtins.list):
            return _TAKE[DataFrame](self, _expanded(self, key, "select"))
        return _partial(self, key, "column")


def _loc(self, key, /):
    return by_columns(_frame_loc, self, key, "loc")


def _iloc(self, key, /):
    return by_columns(_frame_iloc, self, key, "iloc")


def _label_at(self, key, /):
    """The value of a label, which a dictionary by level stands for too."""
    rows = key[0] if isinstance(key, tuple) and builtins.len(key) == 2 else key
    if isinstance(rows, dict):
        label = builtins.tuple(rows.values())
        key = (label, key[1]) if rows is not key else label
    return _TAKE[type(self)](self, key)


_CONTAINS = compiled(DataFrame, "__contains__")


def _contains(self, key, /):
    if _CONTAINS(self, key):
        return True
    if _depth(self) == 1 or key is None:
        return False
    parts = _parts(key)
    return builtins.len(parts) < _depth(self) and builtins.bool(_matches(self, parts, range(builtins.len(parts))))


for _kind, _method in (
    (native.SeriesLoc, _series_loc), (native.SeriesIloc, _series_iloc), (native.Loc, _loc), (native.Iloc, _iloc),
    (DataFrame, _frame_item), (Series, _series_item), (native.At, _label_at), (native.SeriesAt, _label_at),
):
    install(_kind, "__getitem__", like(_method, _kind, "__getitem__"))
install(DataFrame, "__contains__", like(_contains, DataFrame, "__contains__"))
del _kind, _method


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def get(self, key, default=None):
        """A column, or the columns whose labels begin with a key; what is not there is a default."""
        try:
            return self[key]
        except ColumnKeyError:
            return default
