"""Values in other dtypes: `astype` and `convert_dtypes` of frames and series, and text as pandas writes it."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Series, concat
from .._common import _by_columns, _choice, _plain
from .._errors import ColumnadeError
from .._install import methods, naming


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
    """Exponents of floats with a sign and two digits or more, as Python writes them. Few texts have one."""
    has_one = text.str.contains("e", regex=False).fill_null(False)
    count = builtins.int(has_one.sum())
    if count in (0, builtins.len(text)):
        return _python_exponents(text) if count else text
    some = _python_exponents(text.filter(has_one))
    # Behind all texts are those with another exponent.
    of_some = has_one.cast("int64").cum_sum() + (builtins.len(text) - 1)
    rows = of_some.where(has_one, (has_one.cast("int64") * 0 + 1).cum_sum() - 1)
    return _plain(concat([_plain(text), _plain(some)])).take(rows).with_index(text.index)


def _python_exponents(text):
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
        made = values.cast("utf8")
        made = _exponents(made.str.replace("NaN", "nan") if values.is_nan().any() else made)
    else:
        return values.cast("utf8")
    return made.rename(values.name)


def _whole(values):
    if not builtins.str(values.dtype).startswith("float") or not builtins.len(values):
        return values
    finite = values.is_finite().fill_null(True)
    if not finite.all() or not (values == values.round(0)).fill_null(True).all() or (values.abs() >= 2.0**63).fill_null(False).any():
        return values
    return values.cast("int64")


def of_categories(values):
    """Values as categories of their own dtype."""
    text = builtins.str(values.dtype)
    return values if text.startswith("dictionary") else values.cast("category") if text in ("utf8", "null") else values.cat.encode()


def _is_category(dtype):
    return isinstance(dtype, builtins.str) and dtype == "category"


def _cast(frame, dtypes, errors):
    """Columns in other dtypes; with errors="ignore" those that do not fit stay."""
    _choice(errors, ("raise", "ignore"), "errors", "astype")
    categories = {label: of_categories(frame[label]) for label, kind in dtypes.items() if _is_category(kind) and label in frame}
    if categories:
        columns = {label: _plain(categories.get(label, frame[label])) for label in frame.columns}
        frame = DataFrame(columns).with_index(frame.index)._with_level_names(frame._level_names)
        dtypes = {label: kind for label, kind in dtypes.items() if label not in categories}
        if not dtypes:
            return frame
    if errors == "raise":
        return frame.cast(dtypes)
    made = frame
    for label, kind in dtypes.items():
        try:
            made = made.cast({label: kind})
        except ColumnadeError as error:
            if isinstance(error, KeyError):
                raise
    return made


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    def infer_objects(self, copy=None):
        """The same: all values have a dtype."""
        return self

    def convert_dtypes(self, infer_objects=True, convert_string=True, convert_integer=True, convert_boolean=True, convert_floating=True):
        """Floats without a fraction, and without NaN and infinity, as integers; other values have the dtype that fits them."""
        if not convert_integer:
            return self
        return _by_columns(self, _whole) if isinstance(self, DataFrame) else _whole(self)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    @naming
    def astype(self, dtype, errors="raise"):
        """All columns in another dtype, or some as a dictionary says. Values that do not fit are an error, or with errors="ignore" leave
        their column as it is. Text is that of `Series.astype`.
        """
        dtypes = dtype if isinstance(dtype, dict) else dict.fromkeys(self.columns, dtype)
        texts = {label: self[label].astype("utf8") for label, kind in dtypes.items() if label in self and _is_text(kind)}
        rest = {label: kind for label, kind in dtypes.items() if label not in texts}
        made = _cast(self, rest, errors) if rest or not texts else self
        return made.with_columns(*[]) if not texts else DataFrame(
            {label: _plain(texts[label] if label in texts else made[label]) for label in made.columns}
        ).with_index(self.index)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @property
    def dtypes(self):
        """The dtype."""
        return self.dtype

    @naming
    def astype(self, dtype, errors="raise"):
        """The values in another dtype. Those that do not fit are an error, or with errors="ignore" leave the series as it is. Text is that
        of pandas: times without parts that none has, `True` and `1e+20`.
        """
        if errors in ("raise", "ignore") and _is_text(dtype):
            return _as_text(self)
        _choice(errors, ("raise", "ignore"), "errors", "astype")
        try:
            return of_categories(self) if _is_category(dtype) else self.cast(dtype)
        except ColumnadeError:
            if errors == "raise":
                raise
            return self
