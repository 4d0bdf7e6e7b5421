"""Names of Polars for series: methods of expressions over a frame of one column, which keep the name, and the labels of rows where these stay."""

from __future__ import annotations

import builtins

from .._columnade import Expr, Index, Series, col, concat, lit, when
from .._common import _error
from .._errors import ColumnadeError, rename
from .._install import _methods, compiled, install, methods
from . import arguments, rows, values  # noqa: F401, whose methods are among those here
from .frames import _SIZES, _rows_of

_OWN = "values"


def _of_expressions(series, make, values, operation):
    """What a function makes of the values and of others: series of as many rows, row by row, or constants."""
    others = {place: value for place, value in enumerate(values) if isinstance(value, Series)}
    frame = series.rename(_OWN).to_frame()
    if others:
        frame = frame.with_columns(**{f"\0{place}": _rows_of(frame, other, operation) for place, other in others.items()})
    given = [col(f"\0{place}") if place in others else value for place, value in enumerate(values)]
    return frame, make(col(_OWN), *given)


def _computed(series, make, *values, operation=None):
    frame, made = _of_expressions(series, make, values, operation)
    return frame.select(made.alias(_OWN))[_OWN].rename(series.name)


def _method(name, is_value):
    """A method as that of expressions: text is a constant."""
    of = _methods.get(Expr, {}).get(name) or compiled(Expr, name)

    def method(self, *args, **kwargs):
        if name in ("is_between", "is_close"):
            args, kwargs = [_constant(value) for value in args], {key: value if key in _OPTIONS else _constant(value) for key, value in kwargs.items()}
        values, count = [*args, *kwargs.values()], builtins.len(args)
        frame, made = _of_expressions(self, lambda own, *given: getattr(own, name)(*given[:count], **dict(zip(kwargs, given[count:]))), values, name)
        try:
            if is_value:
                return frame.agg(made.alias(_OWN))[_OWN].to_list()[0]
            return frame.select(made.alias(_OWN))[_OWN].rename(self.name)
        except ColumnadeError as error:
            rename(error, name)
            if error.column == _OWN:
                error.column = None if self.name is None else builtins.str(self.name)
            raise

    method.__wrapped__ = of
    method.__name__, method.__qualname__, method.__doc__ = name, f"Series.{name}", of.__doc__
    return method


_OPTIONS = ("closed", "abs_tol", "rel_tol", "nans_equal")


def _constant(value):
    return value if isinstance(value, (Expr, Series, bool, float, int)) else lit(value)


_ROWS = (
    "arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctanh", "backward_fill", "forward_fill", "cot", "cum_prod", "degrees", "radians",
    "drop_nans", "ewm_mean", "ewm_std", "ewm_var", "ewm_sum", "hash", "is_between", "is_close", "is_duplicated", "is_first_distinct",
    "is_last_distinct", "is_not_nan", "not_", "replace_strict", "rle_id", "rle", "shuffle", "arg_true", "arg_unique", "extend_constant", "peak_max",
    "peak_min", "round_sig_figs", "to_physical", "unique_counts", "interpolate_by", "repeat_by", "reshape", "reinterpret", "rolling_kurtosis",
    "rolling_map", "rolling_quantile_by", "rolling_rank_by", "top_k_by", "bottom_k_by",
    *(f"rolling_{kind}_by" for kind in ("sum", "mean", "min", "max", "median", "std", "var")),
    *(f"bitwise_{kind}_{bits}" for kind in ("count", "leading", "trailing") for bits in ("ones", "zeros")),
)
_VALUES = (
    "bitwise_and", "bitwise_or", "bitwise_xor", "entropy", "index_of", "max_by", "min_by", "nan_max", "nan_min", "lower_bound", "upper_bound",
)
for _name in _ROWS:
    install(Series, _name, _method(_name, False))
for _name in _VALUES:
    install(Series, _name, _method(_name, True))
del _name


def _labelled(values, at):
    """Values of rows, under the labels that positions have."""
    return values.with_index(Index(at)) if isinstance(values, Series) else values


def _smallest(values, dtype):
    """The dtype of fewest bits that has all of some integers."""
    is_signed = dtype.startswith("int")
    low, high = values.min(), values.max()
    for bits in (8, 16, 32):
        least, most = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if is_signed else (0, 2**bits - 1)
        if low is None or least <= low and high <= most:
            return f"{'' if is_signed else 'u'}int{bits}"
    return dtype


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @property
    def struct(self):
        """Functions of structs, see `struct_`."""
        return self.struct_

    def implode(self):
        """All values as a list, in a series of one row."""
        return self.collect()

    def search_sorted(self, element, side="any", *, descending=False):
        """The position at which a value goes among these, which are sorted, or those of the values of a series, an array or a list: before
        ("left", "any") or behind ("right") equal ones. A list is one value among lists. Nulls are at one of the ends, and NaN is the greatest.
        """
        wanted, is_one = values.needles(element, self)
        made = values.positions(self, wanted, side, rows._flag(descending, "descending", "search_sorted"))
        return made.to_list()[0] if is_one else made.rename(self.name)

    def append(self, other):
        """The values and those of another series behind them, with new labels; this series stays as it is."""
        if not isinstance(other, Series):
            raise _error("TypeError", "append", f"other is a series, not {type(other).__name__}")
        return concat([self, other.rename(self.name)], ignore_index=True)

    def extend(self, other):
        """The values and those of another series behind them, see `append`."""
        return self.append(other)

    def clone(self):
        """The same series: it shares the memory, which does not change."""
        return self.copy(deep=False)

    def clear(self, n=0):
        """A series of the same name and dtype without rows, or with this many of nulls."""
        if isinstance(n, bool) or not isinstance(n, int) or n < 0:
            raise _error("ValueError", "clear", f"n is an integer that is not negative, not {n!r}")
        made = self.head(0).reset_index(drop=True)
        return made.reindex([0]).new_from_index(0, n) if n else made

    def new_from_index(self, index, length):
        """The value of a row by its position, this many times."""
        if not -builtins.len(self) <= index < builtins.len(self):
            raise _error("IndexError", "new_from_index", f"there is no row {index}: there are {builtins.len(self)}")
        start = index % builtins.len(self)
        return self.iloc[start : start + 1].repeat(length).reset_index(drop=True)

    def estimated_size(self, unit="b"):
        """The memory of the values in "b" (bytes), "kb", "mb", "gb" or "tb", of 1024 each."""
        if unit not in _SIZES:
            raise _error("ValueError", "estimated_size", f'unit is "b", "kb", "mb", "gb" or "tb", not {unit!r}')
        return self.reset_index(drop=True).to_frame("values").estimated_size(unit)

    def n_chunks(self):
        """The number of parts in memory, which is 1."""
        return 1

    def chunk_lengths(self):
        """The number of rows of each part in memory, which is one."""
        return [builtins.len(self)]

    def get_chunks(self):
        """The parts in memory: the series itself."""
        return [self]

    def rechunk(self, *, in_place=False):
        """The series itself, which is one part in memory."""
        return self

    def shrink_to_fit(self, *, in_place=False):
        """The series itself, which has no memory to spare."""
        return self

    def set_sorted(self, *, descending=False):
        """The series itself: whether values are sorted is found out where it is of use."""
        return self

    def shrink_dtype(self):
        """Integers in the dtype of fewest bits that has all of them, floats in 32 bits, and other values as they are."""
        dtype = builtins.str(self.dtype)
        if dtype.startswith(("int", "uint")):
            return self.cast(_smallest(self, dtype))
        return self.cast("float32") if dtype == "float64" else self

    def to_dummies(self, *, separator="_", drop_first=False, drop_nulls=False):
        """A column of 0 and 1 for each value, called after the series and it, see `to_dummies` of frames."""
        frame = self.to_frame("" if self.name is None else self.name)
        return frame.to_dummies(separator=separator, drop_first=drop_first, drop_nulls=drop_nulls)

    def zip_with(self, mask, other):
        """The values where a series of booleans is true, and those of another series where it is false or null, row by row."""
        if not isinstance(mask, Series) or not isinstance(other, Series):
            raise _error("TypeError", "zip_with", "mask and other are series")
        return _computed(self, lambda own, mask, other: when(mask.fill_null(False)).then(own).otherwise(other), mask, other, operation="zip_with")

    def set(self, filter, value):
        """A value where a series of booleans is true, row by row; this series stays as it is."""
        if not isinstance(filter, Series):
            raise _error("TypeError", "set", f"filter is a series, not {type(filter).__name__}")
        return _computed(self, lambda own, filter: when(filter.fill_null(False)).then(value).otherwise(own).cast(self.dtype), filter, operation="set")

    def scatter(self, indices, values):
        """Values at positions, which count from the end where they are negative: one for all, or one for each. This series stays as it is."""
        at = indices if isinstance(indices, Series) else Series([indices] if isinstance(indices, int) else builtins.list(indices), dtype="int64", device=self.device)
        count = builtins.len(self)
        if ((at < -count) | (at >= count)).any():
            raise _error("IndexError", "scatter", f"there are {count} rows")
        at = at.where(at >= 0, at + count).reset_index(drop=True)
        if isinstance(values, (builtins.list, tuple)):
            values = Series(builtins.list(values), dtype=self.dtype, device=self.device)
        if isinstance(values, Series) and builtins.len(values) not in (1, builtins.len(at)):
            raise _error("ValueError", "scatter", f"{builtins.len(values)} values for {builtins.len(at)} rows")
        if isinstance(values, Series) and builtins.len(values) == 1:
            values = values.to_list()[0]
        made = self.reset_index(drop=True)
        return made.set_iloc(at, _labelled(values, at)).with_index(self.index) if builtins.len(at) else self

    def to_init_repr(self, n=1000):
        """The code that makes the first n values as a series."""
        return f"cn.Series({self.head(n).to_list()!r}, name={self.name!r}, dtype={builtins.str(self.dtype)!r})"
