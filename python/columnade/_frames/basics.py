"""What frames and series say of themselves, other names of compiled methods, `query` and `eval`, and functions that call methods."""

from __future__ import annotations

import builtins
import functools
import operator
import os
import sys
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series
from .._common import _error, _is_kind, _list, _plain, _series
from .._groups.core import GroupBy
from .._install import aliases, compiled, install, like, methods, naming
from .conditions import members


_ROWS = {
    "cumsum": "cum_sum", "cummin": "cum_min", "cummax": "cum_max", "cumprod": "cum_product", "ffill": "fill_forward",
    "bfill": "fill_backward",
}
_NULLS = {"isna": "is_null", "isnull": "is_null", "notna": "is_not_null", "notnull": "is_not_null"}
_STRINGS = {
    "removeprefix": "remove_prefix", "removesuffix": "remove_suffix",
    "isalpha": "is_alpha", "isnumeric": "is_numeric", "isdecimal": "is_decimal", "isalnum": "is_alnum", "isspace": "is_space",
    "islower": "is_lower", "isupper": "is_upper", "istitle": "is_title",
}

aliases(DataFrame, **_NULLS)
aliases(Series, **_NULLS, tolist="to_list")


aliases(Expr, **_ROWS, **_NULLS, fillna="fill_null", astype="cast", prod="product")
aliases(native.StringNamespace, **_STRINGS)
aliases(native.SeriesStringNamespace, **_STRINGS)


_PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep


def _caller(level):
    """The frame that called a method of this package, or one of those that called it."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    for _ in range(level):
        if frame.f_back is None:
            raise _error("ValueError", "query", f"level is {level!r}, and there are not so many callers")
        frame = frame.f_back
    return frame


def _variables(level, local_dict, global_dict):
    """The variables of the caller of a method, or those that are given instead."""
    frame = _caller(level)
    variables = frame.f_globals if global_dict is None else global_dict
    return {**variables, **(frame.f_locals if local_dict is None else local_dict)}


def _check_text(operation, inplace, parser, engine, resolvers, target):
    if inplace:
        raise _error("NotImplementedError", operation, "inplace=True is not implemented: frames do not change")
    if parser != "pandas" or engine not in (None, "python", "numexpr"):
        raise _error("NotImplementedError", operation, f'parser is "pandas", and engine has no effect, not {parser!r} and {engine!r}')
    if resolvers or target is not None:
        raise _error("NotImplementedError", operation, "resolvers and target are not implemented")


def _made(values, like, name):
    made = Series(values, name=name)
    return made.with_index(like.index)


@methods(DataFrame, Series)
class _OfBoth:
    """Methods of frames and series."""

    @property
    def values(self):
        """The values as an array of numpy, as `to_numpy` makes it."""
        return self.to_numpy()

    @property
    def size(self):
        """The number of values, nulls among them."""
        return functools.reduce(operator.mul, self.shape)

    @property
    def ndim(self):
        """2 for a frame, 1 for a series."""
        return builtins.len(self.shape)

    @property
    def empty(self):
        """Whether there are no values."""
        return 0 in self.shape


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def items(self):
        """The label and the values of each column."""
        return ((label, self[label]) for label in self.columns)

    def select_dtypes(self, include=None, exclude=None):
        """The columns of some dtypes, or without some: names of dtypes, "number", "string", "datetime", "timedelta", "category"
        and "bool".
        """
        if include is None and exclude is None:
            raise _error("ValueError", "select_dtypes", "give include or exclude")

        def matches(dtype, kinds):
            return any(_is_kind(dtype, kind) for kind in _list(kinds))

        return self[[
            label for label, dtype in self.dtypes.items()
            if (include is None or matches(dtype, include)) and not (exclude is not None and matches(dtype, exclude))
        ]]

    def query(
        self, expr, inplace=False, parser="pandas", engine=None, local_dict=None, global_dict=None, resolvers=(), level=0, target=None,
    ):
        """The rows for which a condition holds: `query("units > 2 and city in ['Oslo', @other]")`. Names are columns, names of levels of
        the row labels, `index`, and after @ variables of the caller; labels that are no names are written in backticks.
        """
        from . import query

        _check_text("query", inplace, parser, engine, resolvers, target)
        frame, beside, condition = query.condition(expr, self, _variables(level, local_dict, global_dict))
        made = frame.filter(condition)
        return made.drop(columns=beside) if beside else made

    def eval(
        self, expr, inplace=False, parser="pandas", engine=None, local_dict=None, global_dict=None, resolvers=(), level=0, target=None,
    ):
        """The values of a formula, `eval("units * price")`, or the frame with them as a column, `eval("total = units * price")`; several
        lines assign one after the other. Names are those of `query`.
        """
        from . import query

        _check_text("eval", inplace, parser, engine, resolvers, target)
        return query.evaluated(expr, self, _variables(level, local_dict, global_dict))


@methods(Series)
class _OfSeries:
    """Methods of series."""

    @property
    def is_unique(self):
        """Whether no value comes twice."""
        return not self.duplicated().any()

    @property
    def hasnans(self):
        """Whether there are nulls."""
        return self.null_count > 0

    @property
    def is_monotonic_increasing(self):
        """Whether no value is less than the one before."""
        return self.null_count == 0 and self.is_sorted()

    @property
    def is_monotonic_decreasing(self):
        """Whether no value is greater than the one before."""
        return self.null_count == 0 and self.is_sorted(ascending=False)


@methods(Expr)
class _OfExpressions:
    """Methods of expressions."""

    @naming
    def isin(self, values):
        """Whether each value is one of these. Null is if None is one."""
        values = members(values, "isin")
        if isinstance(values, Series):
            return self.is_in(values).fill_null(values.null_count > 0)
        return self.is_in(values).fill_null(None in values)


@methods(GroupBy)
class _OfGroups:
    """Methods of groups."""

    def size(self):
        """The number of rows of each group: a series, or a frame with the keys where these are no row labels."""
        made = self.len("size")
        return made if "size" in made.columns[1:] else made["size"].rename(None)


for _of in (Expr, native.When, GroupBy, native.SeriesGroupBy):
    # They do not change.
    install(_of, "__copy__", lambda self: self)
    install(_of, "__deepcopy__", lambda self, memo: self)
del _of


# Functions ---------------------------------------------------------------------------------------------------------------
def _is_one(obj: Any) -> bool:
    """Whether an object is one value, and no list, array or column."""
    return not hasattr(obj, "__iter__") and not getattr(obj, "shape", ()) or isinstance(obj, (builtins.str, bytes))


def _is_missing(value: Any) -> bool:
    """Whether a value is None, or what other libraries have for it: NA and NaT, which are not NaN and equal nothing."""
    return value is None or type(value).__name__ in ("NAType", "NaTType")


def isna(obj: Any) -> Any:
    """Whether values of a frame, a series or a list are null, or one value is. NaN is not."""
    if obj is None or not isinstance(obj, (DataFrame, Series)) and _is_one(obj):
        return _is_missing(obj)
    return (obj if isinstance(obj, (DataFrame, Series)) else Series(obj)).is_null()


def notna(obj: Any) -> Any:
    """Whether values of a frame, a series or a list are not null, or one value is not."""
    if obj is None or not isinstance(obj, (DataFrame, Series)) and _is_one(obj):
        return not _is_missing(obj)
    return (obj if isinstance(obj, (DataFrame, Series)) else Series(obj)).is_not_null()


def merge(left: DataFrame, right: Any, **options: Any) -> DataFrame:
    """`left.merge(right, …)`."""
    return left.merge(right, **options)


def _binned(x, made):
    """Bins of what has no row labels: an index of categories, or an array of numbers."""
    if isinstance(x, Series) or hasattr(x, "iloc"):
        return made
    if isinstance(made, tuple):
        return (_binned(x, made[0]), *made[1:])
    return made.to_numpy() if made.dtype.is_numeric else Index(made)


_CUT = compiled(Series, "cut")


def _cut(self, bins, right=True, labels=None, retbins=False, precision=3, include_lowest=False, duplicates="raise", ordered=True):
    if type(bins).__name__ == "IntervalIndex" and not isinstance(bins, Index):
        from .._convert import from_pandas

        bins = from_pandas(bins)
    if not isinstance(bins, Index):
        return _CUT(self, bins, right, labels, retbins, precision, include_lowest, duplicates, ordered)
    if bins.kind != "interval":
        raise _error("TypeError", "cut", f"bins in an index are intervals, not {bins.dtype}")
    made = _of_intervals(self, bins)
    return (made, bins) if retbins else made


def _of_intervals(values, bins):
    """The interval that each value is in, as categories with the texts of these; null where it is in none."""
    from .._functions.values import Categorical

    order = _plain(bins.left).argsort()
    ends, starts = _plain(bins.right).take(order)[:-1].reset_index(drop=True), _plain(bins.left).take(order)[1:].reset_index(drop=True)
    if ((starts <= ends) if bins.closed == "both" else (starts < ends)).any() or not bins.is_unique:
        raise _error("ValueError", "cut", "the intervals overlap, so that a value may be in several of them")
    before, after = "[" if bins.closed in ("left", "both") else "(", "]" if bins.closed in ("right", "both") else ")"
    names = Series([None if one is None else f"{before}{one.left}, {one.right}{after}" for one in bins.to_list()], dtype="utf8")
    places = _plain(bins.get_indexer(Index(_plain(values))))
    found = _plain(Series(names.to_list() + [None], dtype="utf8").take(places.where(places >= 0, builtins.len(bins))))
    return Categorical(found.cast("dictionary<int32, utf8>"), names.to_list(), True).with_index(values.index).rename(values.name)


install(Series, "cut", like(_cut, Series, "cut"))


def cut(x: Any, bins: Any, *arguments: Any, **options: Any) -> Any:
    """The bin of each value, see `Series.cut`."""
    return _binned(x, _series(x).cut(bins, *arguments, **options))


def qcut(x: Any, q: Any, *arguments: Any, **options: Any) -> Any:
    """The bin of each value between quantiles, see `Series.qcut`."""
    return _binned(x, _series(x).qcut(q, *arguments, **options))


def get_dummies(
    data: Any, prefix: Any = None, prefix_sep: Any = "_", dummy_na: bool = False, columns: Any = None, sparse: bool = False,
    drop_first: bool = False, dtype: Any = None,
) -> DataFrame:
    """A boolean column for each value of columns, those of strings and categories unless some are given, or of a series or a list."""
    options: Any = {"prefix_sep": prefix_sep, "dummy_na": dummy_na, "drop_first": drop_first, "prefix": prefix, "dtype": dtype, "sparse": sparse}
    if isinstance(data, DataFrame):
        return data.get_dummies(columns, **options)
    if columns is not None:
        raise _error("ValueError", "get_dummies", "columns are those of a frame")
    return _series(data).get_dummies(**options)


def unique(values: Any) -> Series:
    """The distinct values in the order of their first appearance."""
    return _series(values).unique()
