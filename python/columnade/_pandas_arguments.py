"""Arguments of pandas for methods of frames and series: order, labels, joins, missing values and rows.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import re

from . import _columnade as native
from ._arguments import renamed
from ._columnade import DataFrame, Expr, Index, Series, col
from ._errors import ColumnadeError
from ._pandas import _add, _error, _is_number, _list
from ._pandas_join_keys import _as_columns, _order_columns, _ordered

# The methods that are wrapped.
_FRAME = {
    name: getattr(DataFrame, name) for name in (
        "astype", "drop", "drop_duplicates", "explode", "fillna", "filter", "insert", "join", "melt", "merge", "mode", "nunique",
        "pct_change", "rank", "rename", "rename_axis", "replace", "reset_index", "sample", "set_index", "shift", "diff", "sort_index",
        "sort_values",
    )
}
_SERIES = {
    name: getattr(Series, name) for name in (
        "astype", "diff", "drop", "drop_duplicates", "dropna", "explode", "factorize", "fillna", "filter", "mode", "modes", "nlargest",
        "nsmallest", "nunique", "pct_change", "rank", "rename", "rename_axis", "replace", "reset_index", "sample", "shift", "sort_index",
        "sort_values",
    )
}


class _Unset:
    """What stands for an argument that is not given."""

    def __repr__(self):
        return "..."


_UNSET = _Unset()


def _before(self, name):
    """The method of before the wrapping."""
    return (_FRAME if isinstance(self, DataFrame) else _SERIES)[name]


def _axis(axis, operation):
    """0 for rows, 1 for columns."""
    if axis in (0, "index", "rows") and axis is not False:
        return 0
    if axis in (1, "columns") and axis is not True:
        return 1
    raise _error("ValueError", operation, f"axis is 0 or 1, not {axis!r}")


def _rows_only(axis, operation):
    if _axis(axis, operation) == 1:
        raise _error("NotImplementedError", operation, "axis=1 is not implemented")


def _choice(value, known, name, operation):
    if not any(value is one or (type(value) is type(one) and value == one) for one in known):
        raise _error("ValueError", operation, f"{name} is {', '.join(map(repr, known[:-1]))} or {known[-1]!r}, not {value!r}")
    return value


def _is_first(na_position, nulls_first, operation):
    """Where nulls stand in a sort."""
    if na_position is None:
        return False if nulls_first is None else nulls_first
    if nulls_first is not None:
        raise _error("TypeError", operation, "na_position and nulls_first are the same argument")
    return _choice(na_position, ("first", "last"), "na_position", operation) == "first"


def _renumbered(made, ignore_index):
    return made.reset_index(drop=True) if ignore_index else made


def _plain(values):
    """Values as a series with labels 0, 1, …"""
    if isinstance(values, Index):
        values = values.to_series()
    values = values if isinstance(values, Series) else Series(values)
    return values.reset_index(drop=True)


def _level(index, place):
    return _plain(index.get_level_values(place) if index.nlevels > 1 else index)


def _place(index, level, operation):
    """The position of a level."""
    names = builtins.list(index.names)
    if level in names and not isinstance(level, bool):
        return names.index(level)
    if isinstance(level, int) and not isinstance(level, bool) and -index.nlevels <= level < index.nlevels:
        return level % index.nlevels
    raise _error("KeyError", operation, f"there is no level {level!r} of the row labels; there is {names}")


def _keyed(key, values, operation):
    """What a key function makes of values that are sorted."""
    made = values if key is None else key(values)
    if not isinstance(made, (Series, Index)):
        made = Series(made)
    if builtins.len(made) != builtins.len(values):
        raise _error("ValueError", operation, f"key gives {builtins.len(made)} values for {builtins.len(values)}")
    return _plain(made)


def _order(keys, ascending, nulls_first):
    """The positions of rows in the order of keys."""
    frame = DataFrame(dict(enumerate(keys)))
    return _plain(_FRAME["sort_values"](frame, builtins.list(frame.columns), ascending, nulls_first).index)


def _label_values(self, label):
    """A column, or a level of the row labels of this name."""
    names = builtins.list(self.index.names)
    return _plain(self[label]) if label in self or label not in names else _level(self.index, names.index(label)).to_device(self.device)


def _sort_labels(self, level, ascending, nulls_first, sort_remaining, key):
    index, operation = self.index, "sort_index"
    places = [_place(index, one, operation) for one in _list(level)] if level is not None else builtins.list(range(index.nlevels))
    given = builtins.len(places)
    if isinstance(ascending, builtins.list) and builtins.len(ascending) != given:
        raise _error("ValueError", operation, f"ascending has {builtins.len(ascending)} values for {given} levels")
    if sort_remaining and not isinstance(ascending, builtins.list):
        places += [place for place in range(index.nlevels) if place not in places]
    keys = []
    for at, place in enumerate(places):
        labels = index.get_level_values(place) if index.nlevels > 1 else index
        keys.append(_keyed(key if at < given else None, labels, operation))
    return self.take(_order(keys, ascending, nulls_first))


def _renamed_labels(index, mapper, places, errors):
    """Row labels with others for some of them, by a dictionary, a series or a function."""
    operation = "rename"
    if isinstance(mapper, Series):
        mapper = dict(zip(mapper.index.to_list(), mapper.to_list()))
    levels, known = [], set()
    for place in range(index.nlevels):
        values = _level(index, place)
        if place in places:
            labels = values.to_list()
            known.update(labels)
            made = [mapper.get(label, label) if isinstance(mapper, dict) else mapper(label) for label in labels]
            values = Series(made).to_device(values.device)
        levels.append(values)
    missing = [label for label in mapper if label not in known] if isinstance(mapper, dict) and errors == "raise" else []
    if missing:
        raise _error("KeyError", operation, f"there are no row labels {missing}")
    return Index(levels[0]).rename(index.names[0]) if index.nlevels == 1 else Index.from_arrays(levels, builtins.list(index.names))


def _with_labels_renamed(self, mapper, level, errors):
    places = range(self.index.nlevels) if level is None else [_place(self.index, level, "rename")]
    return self.with_index(_renamed_labels(self.index, mapper, places, errors))


def _is_mapper(value):
    return isinstance(value, (dict, Series)) or callable(value)


def _seed(seed, random_state):
    """The seed of a sample: a number, or the next one of a generator of numpy."""
    if random_state is None:
        return seed
    if seed is not None:
        raise _error("TypeError", "sample", "random_state and seed are the same argument")
    if hasattr(random_state, "integers"):
        return int(random_state.integers(2**32))
    if hasattr(random_state, "randint"):
        return int(random_state.randint(2**31))
    if not hasattr(random_state, "__index__") or isinstance(random_state, bool):
        raise _error("TypeError", "sample", f"random_state is a number or a generator of numpy, not {type(random_state).__name__}")
    return int(random_state)


def _matching(labels, like, regex, operation):
    """Which labels have a text in them, or match a regular expression."""
    if like is not None:
        return [like in builtins.str(label) for label in labels]
    try:
        pattern = re.compile(regex)
    except re.error as error:
        raise _error("ValueError", operation, f"regex {regex!r} cannot be read: {error}") from None
    return [pattern.search(builtins.str(label)) is not None for label in labels]


def _filtered(self, items, like, regex, axis):
    operation = "filter"
    given = [name for name, value in (("items", items), ("like", like), ("regex", regex)) if value is not None]
    if builtins.len(given) != 1:
        several = f", not {' and '.join(given)}" if given else ""
        raise _error("TypeError", operation, f"give a condition or one of items, like and regex{several}")
    for name, value in (("like", like), ("regex", regex)):
        if value is not None and not isinstance(value, builtins.str):
            raise _error("TypeError", operation, f"{name} is text, not {type(value).__name__}")
    if axis == 1:
        if items is not None:
            return self[[label for label in items if label in self]]
        return self[[label for label, kept in zip(self.columns, _matching(self.columns, like, regex, operation)) if kept]]
    if items is not None:
        return self.reindex([label for label in dict.fromkeys(items) if label in self.index])
    labels = self.index
    return self[_matching(labels.to_list(), like, regex, operation)] if builtins.len(labels) else self


def _is_items(condition):
    """Whether what stands for a condition is a list of labels."""
    if not isinstance(condition, builtins.list) or not condition:
        return False
    return not any(isinstance(one, bool) or hasattr(one, "dtype") for one in condition)


def _steps(periods, operation):
    if isinstance(periods, bool) or not hasattr(periods, "__index__"):
        raise _error("TypeError", operation, f"periods is a whole number, not {type(periods).__name__}")
    return int(periods)


def _moved(self, periods, freq):
    """The same rows under labels that are moved by a frequency."""
    index, operation = self.index, "shift"
    if index.kind not in ("datetime", "timedelta"):
        raise _error("TypeError", operation, f"freq moves labels that are times, not {index.dtype}")
    if freq == "infer":
        freq = index.freq or index.inferred_freq
        if freq is None:
            raise _error("ValueError", operation, "the row labels have no frequency")
    if isinstance(freq, builtins.str):
        return self.with_index(index.shift(periods, freq))
    return self.with_index(Index(_plain(index) + freq * periods).rename(index.name))


class _OfBoth:
    """Methods of frames and series."""

    def sort_index(
        self, level=None, ascending=True, nulls_first=None, axis=0, kind="quicksort", na_position=None, sort_remaining=True,
        ignore_index=False, key=None,
    ):
        """The rows in the order of their labels, or of some levels of them, and with axis=1 the columns of a frame. Equal labels keep
        their order. Nulls stand at the end, or with na_position="first" at the start. `key` is a function of the labels of a level.
        """
        operation = "sort_index"
        first = _is_first(na_position, nulls_first, operation)
        if isinstance(self, DataFrame) and _axis(axis, operation) == 1:
            if level is not None or isinstance(ascending, builtins.list):
                raise _error("NotImplementedError", operation, "level and a list of ascending with axis=1 are not implemented")
            labels = builtins.list(self.columns)
            keys = labels if key is None else _keyed(key, Index(labels), operation).to_list()
            try:
                order = sorted(range(builtins.len(labels)), key=keys.__getitem__, reverse=not ascending)
            except TypeError as error:
                raise _error("TypeError", operation, f"the labels of the columns have no order: {error}") from None
            return self[[labels[at] for at in order]]
        _rows_only(axis, operation)
        if key is None and sort_remaining and not isinstance(ascending, builtins.list) and (level is None or self.index.nlevels == 1):
            made = _before(self, operation)(self, level, ascending, first)
        else:
            made = _sort_labels(self, level, ascending, first, sort_remaining, key)
        return _renumbered(made, ignore_index)

    def sample(self, n=None, frac=None, replace=False, weights=None, seed=None, random_state=None, ignore_index=False, axis=0):
        """Rows that a random generator chooses: `n`, or a share of all. `random_state` or `seed` fixes the choice, which is not that
        of pandas.
        """
        _rows_only(0 if axis is None else axis, "sample")
        return _renumbered(_before(self, "sample")(self, n, frac, replace, weights, _seed(seed, random_state)), ignore_index)

    def rename_axis(self, mapper=_UNSET, index=_UNSET, columns=_UNSET, axis=0, names=_UNSET):
        """Other names of the row labels: of each level a name, or a dictionary or a function of the names. Labels of columns have no
        name.
        """
        operation = "rename_axis"
        given = [value for value in (mapper, index, names) if value is not _UNSET]
        if columns is not _UNSET and columns is not None:
            raise _error("NotImplementedError", operation, "labels of columns have no name")
        _rows_only(axis, operation)
        if builtins.len(given) > 1:
            raise _error("TypeError", operation, "give one of mapper and index")
        if not given:
            if columns is None:
                return self
            raise _error("TypeError", operation, "give names of the row labels")
        (value,) = given
        known = builtins.list(self.index.names)
        if isinstance(value, dict):
            value = [value.get(name, name) for name in known]
        elif callable(value):
            value = [value(name) for name in known]
        elif value is None:
            value = [None] * builtins.len(known)
        return _before(self, operation)(self, builtins.list(value) if isinstance(value, tuple) and self.index.nlevels > 1 else value)

    def pct_change(self, periods=_UNSET, fill_method=None, freq=None, n=_UNSET):
        """The change from the row `periods` before, as a share of it; with `freq` from the row whose label is that much earlier."""
        operation = "pct_change"
        if fill_method is not None:
            raise _error("ValueError", operation, f"fill_method is None, not {fill_method!r}: fill before")
        steps = _same(periods, n, "periods", "n", 1, operation)
        if freq is None:
            return _before(self, operation)(self, _steps(steps, operation))
        made = self / self.shift(steps, freq=freq) - 1
        labels = made.index
        return made[(~labels.duplicated()).to_device(made.device).with_index(labels)].reindex(self.index)

    def diff(self, periods=_UNSET, axis=0, n=_UNSET):
        """Each value less the one `periods` rows before."""
        _rows_only(axis, "diff")
        return _before(self, "diff")(self, _steps(_same(periods, n, "periods", "n", 1, "diff"), "diff"))

    def shift(self, periods=_UNSET, freq=None, axis=0, fill_value=None, suffix=None, n=_UNSET):
        """The values `periods` rows further on, with null or `fill_value` in rows that get none. `freq` moves the row labels instead,
        which are times. A list of periods makes a column of each, with its number and `suffix` in the label.
        """
        operation = "shift"
        # The second argument of before is the value.
        _rows_only(axis, operation)
        steps = _same(periods, n, "periods", "n", 1, operation)
        if isinstance(steps, (builtins.list, tuple)):
            frame = self if isinstance(self, DataFrame) else self.to_frame()
            made = {}
            for step in steps:
                moved = frame.shift(step, freq, axis, fill_value)
                if freq is not None:
                    moved = moved.reindex(frame.index)
                made.update({f"{label}{suffix or ''}_{step}": moved[label] for label in frame.columns})
            if not made:
                raise _error("ValueError", operation, "periods has no number")
            return DataFrame({label: _plain(values) for label, values in made.items()}).with_index(frame.index)
        if suffix is not None:
            raise _error("ValueError", operation, "suffix goes with a list of periods")
        steps = _steps(steps, operation)
        if freq is None:
            return _before(self, operation)(self, steps, fill_value)
        if fill_value is not None:
            raise _error("ValueError", operation, "give freq or fill_value, not both")
        return _moved(self, steps, freq)

    def rank(self, method="average", ascending=True, pct=False, na_option="keep", axis=0, numeric_only=False):
        """The rank of each value. Nulls have none, or with na_option "top" or "bottom" the first or the last ones."""
        _rows_only(axis, "rank")
        _choice(na_option, ("keep", "top", "bottom"), "na_option", "rank")
        if isinstance(self, DataFrame):
            labels = [label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)]
            made = {label: self[label].rank(method, ascending, pct, na_option) for label in labels}
            return DataFrame({label: _plain(values) for label, values in made.items()}).with_index(self.index) if made else self[[]]
        rank = _SERIES["rank"]
        if na_option == "keep" or not self.null_count:
            return rank(self, method, ascending, pct)
        order = rank(self, "dense", ascending)
        return rank(order.fill_null(0.0 if na_option == "top" else float(builtins.len(self) + 1)), method, True, pct)


def _same(value, other, name, other_name, default, operation):
    """The value of an argument that has two names."""
    if value is not _UNSET and other is not _UNSET:
        raise _error("TypeError", operation, f"{name} and {other_name} are the same argument")
    return default if value is _UNSET and other is _UNSET else other if value is _UNSET else value


def _filled(values, filler, limit, operation):
    """Nulls replaced, the first `limit` of them."""
    if isinstance(limit, bool) or not hasattr(limit, "__index__"):
        raise _error("TypeError", operation, f"limit is a whole number, not {type(limit).__name__}")
    if limit < 1:
        raise _error("ValueError", operation, f"limit is at least 1, not {limit}")
    missing = values.is_null()
    filled = _SERIES["fillna"](values, filler)
    return filled.where(~missing | (missing.cast("int64").cum_sum() <= limit))


def _label_list(labels):
    return builtins.list(labels) if isinstance(labels, (builtins.list, Index, Series)) or hasattr(labels, "tolist") else [labels]


def _dropped(self, axis, names, columns, index, errors):
    """Labels of columns and of rows that are dropped, without those that are not there."""
    if axis is not None and names:
        if _axis(axis, "drop") == 0:
            names, index = [], [*names, *([] if index is None else _label_list(index))]
    labels = [*names, *([] if columns is None else _label_list(columns))]
    rows = None if index is None else _label_list(index)
    if errors == "ignore":
        labels = [label for label in labels if label in self]
        rows = None if rows is None else [label for label in rows if label in self.index]
    return labels, rows


class _OfFrames:
    """Methods of frames."""

    def sort_values(
        self, by, ascending=None, nulls_first=None, axis=0, kind="quicksort", na_position=None, ignore_index=False, key=None,
    ):
        """The rows in the order of columns or of levels of the row labels, ascending or as a list says for each. Equal rows keep their
        order. Nulls stand at the end, or with na_position="first" at the start. `key` is a function of each column, as a series.
        """
        operation = "sort_values"
        _rows_only(axis, operation)
        first = _is_first(na_position, nulls_first, operation)
        labels = _list(by)
        names = builtins.list(self.index.names)
        if key is None and not any(isinstance(label, (builtins.str, int)) and label in names and label not in self for label in labels):
            return _renumbered(_FRAME[operation](self, by, ascending, first), ignore_index)
        if not labels:
            return _renumbered(self, ignore_index)
        keys = [_keyed(key, _label_values(self, label), operation) for label in labels]
        return _renumbered(self.take(_order(keys, ascending, first)), ignore_index)

    def rename(self, mapper=None, index=None, columns=None, axis=None, errors="ignore", level=None):
        """Other labels of columns, and with `index` of rows: a dictionary or a function of the labels. A mapper alone is one of columns
        unless `axis` says rows. Labels that a dictionary does not have stay; those that are not there are left out, or with
        errors="raise" an error.
        """
        operation = "rename"
        _choice(errors, ("ignore", "raise"), "errors", operation)
        if mapper is not None:
            if index is not None or columns is not None:
                raise _error("TypeError", operation, "give a mapper, or index and columns")
            index, columns = (mapper, None) if axis is not None and _axis(axis, operation) == 0 else (None, mapper)
        elif axis is not None:
            raise _error("TypeError", operation, "axis goes with a mapper")
        elif index is None and columns is None:
            raise _error("TypeError", operation, "give a mapper, index or columns")
        for name, given in (("index", index), ("columns", columns)):
            if given is not None and not _is_mapper(given):
                raise _error("TypeError", operation, f"{name} is a dictionary or a function, not {type(given).__name__}")
        made = self
        if columns is not None:
            if isinstance(columns, Series):
                columns = dict(zip(columns.index.to_list(), columns.to_list()))
            pairs = columns if isinstance(columns, dict) else {label: columns(label) for label in self.columns}
            if errors == "ignore":
                pairs = {old: new for old, new in pairs.items() if old in self}
            made = _FRAME[operation](made, pairs) if pairs else made
        return made if index is None else _with_labels_renamed(made, index, level, errors)

    def drop(self, *names, labels=None, columns=None, index=None, axis=None, level=None, errors="raise"):
        """The frame without columns, or without the rows of labels of `index`. Labels alone are those of columns unless `axis` says
        rows; `level` is the level of the row labels that has them. errors="ignore" leaves out labels that are not there.
        """
        operation = "drop"
        _choice(errors, ("ignore", "raise"), "errors", operation)
        if labels is not None:
            if names:
                raise _error("TypeError", operation, "labels are given twice")
            names = (labels,)
        names = [label for given in names for label in _label_list(given)]
        labels, rows = _dropped(self, axis, names, columns, index, "raise" if level is not None else errors)
        if level is None:
            if not labels and not rows and (errors == "ignore" or rows is not None):
                return self
            rows = rows or None
            return _FRAME[operation](self, *labels, **({} if rows is None else {"index": rows}))
        if rows is None:
            raise _error("ValueError", operation, "level goes with labels of rows")
        values = _level(self.index, _place(self.index, level, operation))
        missing = [label for label in rows if label not in Index(values)]
        if missing and errors == "raise":
            raise _error("KeyError", operation, f"there are no labels {missing} in level {level!r}")
        made = self[(~values.isin(rows)).with_index(self.index)]
        return _FRAME[operation](made, *labels) if labels else made

    def explode(self, column=_UNSET, ignore_index=False, labels=_UNSET):
        """A row for each item of lists; an empty list is null. Several columns have lists of one length in each row."""
        given = _same(column, labels, "column", "labels", None, "explode")
        given = builtins.list(given) if isinstance(given, tuple) and given not in self else given
        return _renumbered(_FRAME["explode"](self, given), ignore_index)

    def melt(self, id_vars=None, value_vars=None, var_name=None, value_name=None, col_level=None, ignore_index=True):
        """Columns as rows: their labels in one column and their values in another. ignore_index=False repeats the row labels."""
        if col_level is not None:
            raise _error("NotImplementedError", "melt", "col_level is not implemented")
        made = _FRAME["melt"](self, id_vars, value_vars, var_name, value_name)
        rows = builtins.len(self)
        if ignore_index or not rows:
            return made
        return made.with_index(self.tile(builtins.len(made) // rows).index)

    def filter(self, condition=None, items=None, like=None, regex=None, axis=None):
        """The rows for which a condition holds; or the columns, with axis=0 the rows, of some labels (`items`, or a list of labels
        instead of the condition), with a text in their labels (`like`), or whose labels match a regular expression (`regex`).
        """
        if condition is not None and not _is_items(condition):
            if items is not None or like is not None or regex is not None:
                raise _error("TypeError", "filter", "give a condition or one of items, like and regex")
            return _FRAME["filter"](self, condition)
        items = items if condition is None else condition
        return _filtered(self, items, like, regex, 1 if axis is None else _axis(axis, "filter"))

    def reset_index(self, level=_UNSET, drop=False, names=None, allow_duplicates=False, levels=_UNSET):
        """The row labels, or some levels of them, as columns at the front, and labels 0, 1, … instead. `drop` leaves the labels out, and
        `names` are other names of the columns.
        """
        operation = "reset_index"
        if allow_duplicates:
            raise _error("NotImplementedError", operation, "allow_duplicates=True: labels of columns are unique")
        frame, given = self, _same(level, levels, "level", "levels", None, operation)
        if names is not None:
            known = builtins.list(names) if isinstance(names, (builtins.list, tuple)) and self.index.nlevels > 1 else _list(names)
            if builtins.len(known) != self.index.nlevels:
                raise _error("ValueError", operation, f"names has {builtins.len(known)} names for {self.index.nlevels} levels")
            if given is not None:
                places = [_place(self.index, one, operation) for one in _list(given)]
                given, kept = places, builtins.list(self.index.names)
                known = [name if at in places else kept[at] for at, name in enumerate(known)]
            frame = _FRAME["rename_axis"](frame, known)
        return _FRAME[operation](frame, given, drop)

    def set_index(self, keys=_UNSET, drop=True, append=False, verify_integrity=False, labels=_UNSET):
        """Columns, and series, indexes or arrays beside them, as the levels of the row labels."""
        operation = "set_index"
        given = _same(keys, labels, "keys", "labels", None, operation)

        def is_values(key):
            return isinstance(key, (Series, Index, builtins.list)) or (hasattr(key, "shape") and hasattr(key, "tolist") and key.shape != ())

        parts = given if isinstance(given, builtins.list) else [given]
        if not any(map(is_values, parts)):
            return _FRAME[operation](self, given, drop, append, verify_integrity)
        frame, places, names = self, [], []
        for at, key in enumerate(parts):
            if not is_values(key):
                places.append(key)
                names.append(key)
                continue
            several = [_level(key, place) for place in range(key.nlevels)] if isinstance(key, Index) else [_plain(key)]
            for level, values in enumerate(several):
                if builtins.len(values) != builtins.len(self):
                    raise _error("ValueError", operation, f"keys have {builtins.len(values)} values for {builtins.len(self)} rows")
                label = f"\0{at} {level}"
                frame = frame.with_columns(**{label: values.with_index(self.index)})
                places.append(label)
                names.append(key.names[level] if isinstance(key, Index) else key.name if isinstance(key, Series) else None)
        made = _FRAME[operation](frame, places, True, append, verify_integrity)
        kept = [label for label in self.columns if drop is False and label in places]
        if kept:
            columns = {label: _plain(self[label]) for label in self.columns if label in made or label in kept}
            made = DataFrame(columns).with_index(made.index)
        return made.with_index(made.index.rename([*(self.index.names if append else []), *names]))

    def insert(self, loc=_UNSET, column=_UNSET, value=_UNSET, allow_duplicates=False, position=_UNSET, label=_UNSET, values=_UNSET):
        """A new frame with one more column at a position: of values, or of one value in each row."""
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
            given = self.select(native.lit(given).alias("value"))["value"] if self.columns else [given] * builtins.len(self)
        return _FRAME[operation](self, place, label, given)

    def fillna(self, value, axis=0, limit=None):
        """Nulls replaced by a value, or by one for each column as a dictionary or a series by column says, or by the values of a frame
        under the same labels; at most the first `limit` nulls of each column. NaN is a value.
        """
        _rows_only(0 if axis is None else axis, "fillna")
        if isinstance(value, Series):
            value = {label: filler for label, filler in zip(value.index.to_list(), value.to_list()) if filler is not None}
        if isinstance(value, DataFrame):
            value = {label: value[label] for label in value.columns}
        by_series = isinstance(value, dict) and any(isinstance(filler, Series) for filler in value.values())
        if limit is None and not by_series:
            return _FRAME["fillna"](self, value) if not isinstance(value, dict) or any(label in self for label in value) else self
        made = {}
        for label in self.columns:
            filler = value.get(label) if isinstance(value, dict) else value
            kept = self[label]
            if filler is not None:
                kept = kept.fillna(filler) if limit is None else _filled(kept, filler, limit, "fillna")
            made[label] = _plain(kept)
        return DataFrame(made).with_index(self.index) if made else self

    def astype(self, dtype, errors="raise"):
        """All columns in another dtype, or some as a dictionary says. Values that do not fit are an error, or with errors="ignore"
        leave their column as it is.
        """
        _choice(errors, ("raise", "ignore"), "errors", "astype")
        if errors == "raise":
            return _FRAME["astype"](self, dtype)
        dtypes = dtype if isinstance(dtype, dict) else {label: dtype for label in self.columns}
        made = self
        for label, kind in dtypes.items():
            try:
                made = _FRAME["astype"](made, {label: kind})
            except ColumnadeError as error:
                if isinstance(error, KeyError):
                    raise
        return made

    def nunique(self, axis=0, dropna=True):
        """The number of distinct values of each column, by label; dropna=False counts null as one."""
        _rows_only(axis, "nunique")
        made = _FRAME["nunique"](self)
        if dropna or not builtins.len(made):
            return made
        nulls = Series([int(self[label].null_count > 0) for label in self.columns]).to_device(made.device)
        return made + nulls.with_index(made.index)

    def mode(self, axis=0, numeric_only=False, dropna=True):
        """The most frequent values of each column, with nulls below those of which there are fewer; dropna=False counts nulls too."""
        _rows_only(axis, "mode")
        frame = self[[label for label, dtype in self.dtypes.items() if _is_number(dtype)]] if numeric_only else self
        if dropna or not frame.columns:
            return _FRAME["mode"](frame)
        made = {label: frame[label].modes(dropna=False) for label in frame.columns}
        rows = Index.range(0, max(builtins.len(values) for values in made.values()))
        return DataFrame({label: values.reindex(rows) for label, values in made.items()})


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
    left_keys = mine_labels if left_index else _given_keys(left_on, "left", operation)
    right_keys = other_labels if right_index else _given_keys(right_on, "right", operation)
    if builtins.len(left_keys) != builtins.len(right_keys):
        numbers = f"{builtins.len(left_keys)} keys on the left and {builtins.len(right_keys)} on the right"
        raise _error("ValueError", operation, f"there are {numbers}")
    both = left_index and right_index
    made = mine.merge(other, how, left_on=left_keys, right_on=right_keys, coalesce=not left_index or both, **options)
    suffix = (options.get("suffixes") or ("_x", "_y"))[1]
    if left_index and not both:
        # The columns of the right frame have the keys of all rows; those of a label of both frames stand at the front.
        for key, label in reversed(builtins.list(zip(left_keys, right_keys))):
            if label in left:
                values = made.select(col(f"{label}{suffix}").fill_null(col(key)).alias("key"))["key"]
                made = _FRAME["insert"](made, 0, label, values)
            else:
                made = made.with_columns(col(label).fill_null(col(key)).alias(label))
        labels, names = other_labels, right_names
    else:
        labels, names = mine_labels, left_names
        if both and how == "right":
            names = right_names
    if sort:
        made = made.sort_values(left_keys)
    made = _FRAME["set_index"](made, labels)
    hidden = [label for label in made.columns if label in (*mine_labels, *other_labels, *left_made, *right_made)]
    made = _FRAME["drop"](made, *hidden) if hidden else made
    return made.with_index(made.index.rename(names))


def _merge(
    self, right, how="inner", on=None, left_on=None, right_on=None, suffixes=None, nulls_equal=None, validate=None, indicator=None,
    maintain_order=None, condition=None, coalesce=None, left_index=False, right_index=False, sort=False, copy=None,
):
    """The rows of two frames that have the same keys: columns, levels of row labels by their names, or with `left_index` and
    `right_index` the row labels. `sort` puts the rows in the order of the keys, and `indicator` adds a column, "_merge" or of that name,
    that says where a row is from.
    """
    operation = "merge"
    indicator = {True: "_merge", False: None}.get(indicator, indicator) if isinstance(indicator, bool) else indicator
    options = {
        "suffixes": suffixes, "nulls_equal": nulls_equal, "validate": validate, "indicator": indicator, "maintain_order": maintain_order,
        "condition": condition, "coalesce": coalesce,
    }
    if isinstance(right, Series):
        if right.name is None:
            raise _error("ValueError", operation, "a series without a name cannot be merged")
        right = right.to_frame()
    if left_index or right_index:
        if on is not None or (left_index and left_on is not None) or (right_index and right_on is not None):
            reason = "keys are columns or row labels: give left_index or left_on, right_index or right_on, and no on"
            raise _error("ValueError", operation, reason)
        if coalesce is not None or condition is not None:
            raise _error("ValueError", operation, "coalesce and condition do not go with left_index and right_index")
        del options["coalesce"]
        return _merged_by_labels(self, right, left_index, right_index, left_on, right_on, how, sort, options)
    sides = [on if side is None else side for side in (left_on, right_on)]
    left_keys, right_keys = ([] if side is None else _list(side) for side in sides)
    left, levels = _merge_keys(self, left_keys)
    if isinstance(right, DataFrame):
        right, other_levels = _merge_keys(right, right_keys)
    else:
        other_levels = []
    sort = sort and how != "cross" and isinstance(right, DataFrame)
    if sort:
        if not left_keys:
            left_keys = right_keys = [label for label in left.columns if label in right]
        left, right, left_labels, right_labels, added = _order_columns(left, right, left_keys, right_keys)
    made = _FRAME[operation](left, right, how, on, left_on, right_on, **options)
    if sort:
        made = _ordered(made, added, left_labels, right_labels, (suffixes or ("_x", "_y"))[0])
    # An expression has no truth value: only labels are compared.
    pairs = [(name, other) for name, other in zip(left_keys, right_keys) if not isinstance(name, Expr) and not isinstance(other, Expr)]
    shared = [name for name, other in pairs if name == other and name in levels and name in other_levels]
    return _FRAME["set_index"](made, shared) if shared else made


def _check_unique(self, keys, side, validate):
    values = self.index if keys is None else Index.from_frame(self[keys].reset_index(drop=True))
    if not values.is_unique:
        raise _error("ValueError", "join", f"validate={validate!r}: the keys on the {side} are not unique")


def _join(self, other, on=None, how="left", suffixes=None, lsuffix="", rsuffix="", sort=False, validate=None):
    """The columns of another frame, or of several, in rows of the same label; with `on` the columns that have its labels."""
    operation = "join"
    if lsuffix or rsuffix:
        if suffixes is not None:
            raise _error("TypeError", operation, "give suffixes, or lsuffix and rsuffix")
        suffixes = (lsuffix, rsuffix)
    keys = None if on is None else _list(on)
    if validate is not None:
        kinds = {
            "1:1": "lr", "one_to_one": "lr", "1:m": "l", "one_to_many": "l", "m:1": "r", "many_to_one": "r", "m:m": "", "many_to_many": "",
        }
        if validate not in kinds:
            raise _error("ValueError", operation, f"validate is {', '.join(map(repr, kinds))}, not {validate!r}")
        if "l" in kinds[validate]:
            _check_unique(self, keys, "left", validate)
        if "r" in kinds[validate]:
            for right in _list(other):
                _check_unique(right, None, "right", validate)
    made = _FRAME[operation](self, other, on, how, suffixes)
    if not sort:
        return made
    return made.sort_index() if keys is None else made.sort_values(keys)


_merge.__name__, _merge.__qualname__, _join.__name__, _join.__qualname__ = "merge", "DataFrame.merge", "join", "DataFrame.join"
setattr(DataFrame, "merge", _merge)
setattr(DataFrame, "join", _join)
_add(_OfBoth, DataFrame, Series)
_add(_OfFrames, DataFrame)
renamed(DataFrame, "pop", item="label")
