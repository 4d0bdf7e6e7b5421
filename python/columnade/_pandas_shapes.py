"""Arguments of pandas for dummies, modes, extremes by row, merges, text of values and JSON, and errors that name what was called.

The methods wrap those of before, and are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import functools

from ._columnade import DataFrame, Index, Series
from ._errors import under
from ._pandas import _add, _error, _list
from ._pandas_arguments import _axis, _plain

_FRAME = {name: getattr(DataFrame, name) for name in ("astype", "drop", "get_dummies", "merge", "squeeze", "to_json")}
_SERIES = {name: getattr(Series, name) for name in ("astype", "get_dummies", "mode", "set_axis", "to_json")}


# Dummies -----------------------------------------------------------------------------------------------------------------


def _dummies(values, prefix, separator, dummy_na, drop_first, dtype):
    """A column for each value of a series, by the label that it gets."""
    flags = _SERIES["get_dummies"](_plain(values))
    distinct = values.cat.categories() if builtins.str(values.dtype).startswith("dictionary") else values.unique().drop_nulls()
    labels = distinct.to_list()
    if not builtins.str(values.dtype).startswith("dictionary"):
        labels = distinct.sort_values().to_list()
    if builtins.len(labels) != builtins.len(flags.columns):
        labels = builtins.list(flags.columns)
    columns = [_plain(flags[label]) for label in flags.columns]
    if dummy_na:
        labels.append(None)
        columns.append(_plain(values.is_null()))
    if prefix is not None:
        labels = [f"{prefix}{separator}{'nan' if label is None else builtins.str(label)}" for label in labels]
    first = 1 if drop_first else 0
    made = dict(zip(labels[first:], columns[first:]))
    return made if dtype is None else {label: flag.cast(dtype) for label, flag in made.items()}


def _by_column(given, labels, name, default):
    """A prefix or a separator of each column."""
    if given is None:
        return {label: default(label) for label in labels}
    if isinstance(given, dict):
        return {label: given.get(label, default(label)) for label in labels}
    if isinstance(given, (builtins.list, tuple)):
        if builtins.len(given) != builtins.len(labels):
            raise _error("ValueError", "get_dummies", f"{name} has {builtins.len(given)} values for {builtins.len(labels)} columns")
        return dict(zip(labels, given))
    return dict.fromkeys(labels, given)


def _dense(sparse):
    if sparse:
        raise _error("NotImplementedError", "get_dummies", "sparse=True: columns are not sparse")


class _DummiesOfFrames:
    def get_dummies(
        self, columns=None, prefix_sep="_", dummy_na=False, drop_first=False, prefix=None,
        dtype=None, sparse=False,
    ):
        """Boolean columns for the values of columns, those of strings and categories unless some are given. They are called after the
        column, or after `prefix`: a text, or one for each column. `dummy_na` adds one for null, and `drop_first` leaves the first out.
        """
        _dense(sparse)
        labels = _list(columns)
        if columns is None:
            labels = [label for label, of in self.dtypes.items() if builtins.str(of).startswith(("utf8", "dictionary"))]
        missing = [label for label in labels if label not in self]
        if missing:
            raise _error("KeyError", "get_dummies", f"there is no column {missing[0]!r}")
        prefixes = _by_column(prefix, labels, "prefix", lambda label: label)
        separators = _by_column(prefix_sep, labels, "prefix_sep", lambda label: "_")
        made = {label: _plain(self[label]) for label in self.columns if label not in labels}
        for label in labels:
            of_label = _dummies(self[label], prefixes[label], separators[label], dummy_na, drop_first, dtype)
            again = next((name for name in of_label if name in made), None)
            if again is not None:
                raise _error("ValueError", "get_dummies", f"two columns are called {again!r}: choose prefixes that differ")
            made.update(of_label)
        return DataFrame(made).with_index(self.index) if made else self[[]]


class _DummiesOfSeries:
    def get_dummies(
        self, prefix=None, prefix_sep="_", dummy_na=False, drop_first=False, dtype=None, sparse=False,
    ):
        """A boolean column for each value, called after it, and after `prefix` if that is given."""
        _dense(sparse)
        made = _dummies(self, prefix, prefix_sep, dummy_na, drop_first, dtype)
        return DataFrame(made).with_index(self.index) if made else self.to_frame("values")[[]]


# Modes and axes ------------------------------------------------------------------------------------------------


class _OfFrames:
    """Methods of frames."""

    def squeeze(self, axis=None):
        """One column as a series, one row as a series by column under the row's label, and a single value as itself."""
        axis = {"rows": 0}.get(axis, axis) if isinstance(axis, builtins.str) else axis
        made = _FRAME["squeeze"](self, axis)
        is_row = isinstance(made, Series) and self.shape[0] == 1 and axis in (None, 0, "index") and self.shape[1] != 1
        return made.rename(self.index[0]) if is_row else made

    def drop(self, *names, labels=None, columns=None, index=None, axis=None, level=None, errors="raise"):
        """The frame without columns, or without the rows of labels of `index`, of which the first of several levels are enough. Labels
        alone are those of columns unless `axis` or `level` says rows; `level` is the level of the row labels that has them.
        errors="ignore" leaves out labels that are not there.
        """
        options = {"labels": labels, "columns": columns, "index": index, "axis": axis, "level": level, "errors": errors}
        if level is not None and axis is None and index is None and columns is None:
            return _FRAME["drop"](self, *names, **{**options, "axis": 0})
        rows = None if index is None else builtins.list(index) if isinstance(index, (builtins.list, Series, Index)) else [index]
        if level is None and rows and self.index.nlevels > 1 and not any(isinstance(label, tuple) for label in rows):
            made = _FRAME["drop"](self, index=rows, level=0, errors=errors)
            rest = {**options, "index": None}
            return _FRAME["drop"](made, *names, **rest) if names or labels is not None or columns is not None else made
        return _FRAME["drop"](self, *names, **options)

    def merge(
        self, right, how="inner", on=None, left_on=None, right_on=None, suffixes=None, nulls_equal=None, validate=None, indicator=None,
        maintain_order=None, condition=None, coalesce=None, left_index=False, right_index=False, sort=False, copy=None,
    ):
        """The rows of two frames that have the same keys: columns, levels of row labels by their names, or with `left_index` and
        `right_index` the row labels. `sort` puts the rows in the order of the keys, and `indicator` adds a column, "_merge" or of that
        name, that says where a row is from. Whole numbers and floats are compared by value.
        """
        if suffixes is not None:
            if isinstance(suffixes, builtins.str) or builtins.len(suffixes) != 2:
                raise _error("ValueError", "merge", f"suffixes are two texts, not {suffixes!r}")
            suffixes = tuple("" if suffix is None else suffix for suffix in suffixes)
        options = {
            "suffixes": suffixes, "nulls_equal": nulls_equal, "validate": validate, "indicator": indicator,
            "maintain_order": maintain_order, "condition": condition, "coalesce": coalesce, "left_index": left_index,
            "right_index": right_index, "sort": sort, "copy": copy,
        }
        pairs = _mixed_keys(self, right, how, on, left_on, right_on, left_index or right_index)
        if not pairs:
            return _FRAME["merge"](self, right, how, on, left_on, right_on, **options)
        left = self.cast({one: "float64" for one, _ in pairs if self[one].dtype != "float64"})
        other = right.cast({two: "float64" for _, two in pairs if right[two].dtype != "float64"})
        made = _FRAME["merge"](left, other, how, on, left_on, right_on, **options)
        return made.cast(_key_dtypes(made, self, right, pairs, how))


def _is_whole(dtype):
    return dtype.is_numeric and "int" in builtins.str(dtype)


def _is_float(dtype):
    return builtins.str(dtype) in ("float32", "float64")


def _mixed_keys(left, right, how, on, left_on, right_on, by_labels):
    """Pairs of keys of which one is of whole numbers and the other of floats; all whole numbers are exact as floats."""
    if by_labels or how == "cross" or not isinstance(right, DataFrame):
        return []
    if on is None and left_on is None and right_on is None:
        sides = [[label for label in left.columns if label in right]] * 2
    else:
        sides = [_list(on if side is None else side) for side in (left_on, right_on)]
    pairs = []
    for one, two in zip(*sides):
        is_label = all(isinstance(label, (builtins.str, builtins.int, tuple)) for label in (one, two))
        if not is_label or one not in left or two not in right:
            continue
        kinds = left[one].dtype, right[two].dtype
        if _is_whole(kinds[0]) and _is_float(kinds[1]) or _is_float(kinds[0]) and _is_whole(kinds[1]):
            whole, label = (left, one) if _is_whole(kinds[0]) else (right, two)
            low, high = whole[label].min(), whole[label].max()
            if low is not None and (low < -(2**53) or high > 2**53):
                what = f"key {label!r} is {whole[label].dtype} with values that no float has exactly"
                reason = f"{what}, and the other is of floats: cast one"
                raise _error("TypeError", "merge", reason)
            pairs.append((one, two))
    return pairs


def _key_dtypes(made, left, right, pairs, how):
    """The dtypes that keys have after a merge of floats: those of before where a key is of one frame."""
    dtypes = {}
    for one, two in pairs:
        if one != two:
            dtypes.update({label: frame[label].dtype for label, frame in ((one, left), (two, right)) if label in made})
        elif one in made and how not in ("outer", "full"):
            dtypes[one] = (right if how == "right" else left)[one].dtype
    return {label: dtype for label, dtype in dtypes.items() if made[label].dtype != dtype}


class _OfSeries:
    """Methods of series."""

    def mode(self, dropna=True):
        """All values that are the most frequent, in order, with labels 0, 1, …; dropna=False counts nulls too."""
        return self.modes(dropna).reset_index(drop=True).rename(self.name)

    def set_axis(self, labels, axis=0):
        """Other row labels."""
        if _axis(axis, "set_axis") != 0:
            raise _error("ValueError", "set_axis", "a series has no columns: axis is 0")
        return _SERIES["set_axis"](self, builtins.list(labels) if isinstance(labels, range) else labels)

    def astype(self, dtype, errors="raise"):
        """The values in another dtype. Those that do not fit are an error, or with errors="ignore" leave the series as it is. Text is that
        of pandas: times without parts that none has, `True` and `1e+20`.
        """
        return _as_text(self) if errors in ("raise", "ignore") and _is_text(dtype) else _SERIES["astype"](self, dtype, errors)


# Text of values ----------------------------------------------------------------------------------------------------------


def _is_text(dtype):
    return dtype is builtins.str or builtins.str(dtype) in ("utf8", "str", "string")


def _times_as_text(values):
    """Times with the digits of a second that any of them has, as days where all are at midnight."""
    dtype = values.dtype
    local = values if dtype.tz is None else values.dt.tz_localize(None)
    ticks = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[dtype.unit]
    numbers = local.cast("int64")

    def all_have(step):
        return step <= 1 or not (numbers % step != 0).fill_null(False).any()

    if dtype.tz is None and all_have(86_400 * ticks):
        return values.dt.strftime("%Y-%m-%d")
    made = values.dt.strftime("%Y-%m-%d %H:%M:%S")
    if not all_have(ticks):
        digits = next(digits for digits in (3, 6, 9) if ticks <= 10**digits or all_have(ticks // 10**digits))
        rest = numbers % ticks * (10**9 // ticks) // 10 ** (9 - digits)
        made = made + "." + rest.cast("utf8").str.zfill(digits)
    return made if dtype.tz is None else made + _offset(values.dt.strftime("%z"))


def _offset(text):
    return text.str.slice(0, 3) + ":" + text.str.slice(3, 5)


def _exponents(text):
    """Exponents of floats with a sign and two digits or more, as Python writes them."""
    if not text.str.contains("e", regex=False).fill_null(False).any():
        return text
    for digit in "123456789":
        text = text.str.replace(f"e{digit}", f"e+{digit}")
    is_short = (text.str.slice(-3, -1) == "e-").fill_null(False)
    return text.where(~is_short, text.str.slice(0, -1) + "0" + text.str.slice(-1))


def _as_text(values):
    text = builtins.str(values.dtype)
    if text.startswith("timestamp") and builtins.len(values):
        made = _times_as_text(values)
    elif text == "bool":
        made = values.cast("utf8").str.capitalize()
    elif text.startswith("float"):
        made = _exponents(values.cast("utf8").str.replace("NaN", "nan"))
    else:
        return values.cast("utf8")
    return made.rename(values.name)


class _TextOfFrames:
    def astype(self, dtype, errors="raise"):
        """All columns in another dtype, or some as a dictionary says. Values that do not fit are an error, or with errors="ignore" leave
        their column as it is. Text is that of `Series.astype`.
        """
        dtypes = dtype if isinstance(dtype, dict) else dict.fromkeys(self.columns, dtype)
        texts = {label: self[label].astype("utf8") for label, kind in dtypes.items() if label in self and _is_text(kind)}
        rest = {label: kind for label, kind in dtypes.items() if label not in texts}
        made = _FRAME["astype"](self, rest, errors) if rest or not texts else self
        return made.with_columns(*[]) if not texts else DataFrame(
            {label: _plain(texts[label] if label in texts else made[label]) for label in made.columns}
        ).with_index(self.index)


def _one_line(text, orient, lines, indent):
    """JSON without line ends between rows, as in pandas; texts in it have none."""
    is_document = isinstance(text, builtins.str) and orient is not None and not lines and not indent
    return text.replace("\n", "") if is_document else text


class _JsonOfFrames:
    def to_json(
        self, path=None, *, path_or_buf=None, orient=None, date_format=None, double_precision=None, force_ascii=False, date_unit=None,
        lines=None, compression="infer", index=None, indent=None, mode="w",
    ):
        """Writes JSON, or returns its text where no path is given. Without `orient` it is lines, an object for each row; `orient` is
        "records", "index", "columns", "split" or "values", or "records" with lines=True. Times are text, as with
        date_format="iso"; with "epoch" they are numbers of `date_unit`. Floats have all digits unless `double_precision` is given.
        """
        options = {
            "path_or_buf": path_or_buf, "orient": orient, "date_format": date_format, "double_precision": double_precision,
            "force_ascii": force_ascii, "date_unit": date_unit, "lines": lines, "compression": compression, "index": index,
            "indent": indent, "mode": mode,
        }
        return _one_line(_FRAME["to_json"](self, path, **options), orient, lines, indent)


_add(_DummiesOfFrames, DataFrame)
_add(_DummiesOfSeries, Series)
_add(_OfFrames, DataFrame)
_add(_TextOfFrames, DataFrame)
_add(_JsonOfFrames, DataFrame)
_add(_OfSeries, Series)


# Errors name what was called -----------------------------------------------------------------------------------------------


def _named(of, name):
    call = getattr(of, name)

    @functools.wraps(call)
    def method(self, *arguments, **options):
        with under(name):
            return call(self, *arguments, **options)

    setattr(of, name, method)


for _name in (
    "reindex", "set_index", "isin", "assign", "with_columns", "fillna", "insert", "drop", "groupby", "join", "astype", "set_axis",
):
    for _of in (DataFrame, Series):
        if hasattr(_of, _name):
            _named(_of, _name)
for _name in ("sum", "prod", "mean", "min", "max", "median", "std", "var", "sem", "skew", "kurt", "any", "all", "update", "merge"):
    _named(DataFrame, _name)
del _name, _of
