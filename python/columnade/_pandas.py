"""Names of pandas for what frames, series and expressions have under another one, and methods that need no Rust.

They are added to the compiled classes when the package is imported.
"""

from __future__ import annotations

import builtins
import functools
import operator
import sys
from typing import Any

from . import _columnade as native
from ._columnade import DataFrame, Expr, Series, col
from ._errors import make


def _names(of, **names):
    """The methods `of` has, under other names too."""
    for new, old in names.items():
        setattr(of, new, getattr(of, old))


def _add(source, *targets):
    """The methods and properties of a class, to others too."""
    for name, method in vars(source).items():
        if not name.startswith("__"):
            for target in targets:
                setattr(target, name, method)


def _list(labels):
    return labels if isinstance(labels, builtins.list) else [labels]


def _error(kind, operation, reason):
    return make(kind, f"{operation}: {reason}", operation=operation)


def piped(of, func, args, kwargs):
    """What `pipe` of an object gives: of a pair of a function and a name the object is the argument of that name."""
    if isinstance(func, tuple):
        if builtins.len(func) != 2 or not builtins.callable(func[0]):
            raise _error("TypeError", "pipe", "func is a function, or a pair of a function and the name of an argument")
        func, name = func
        if name in kwargs:
            raise _error("ValueError", "pipe", f"{name} is given twice")
        return func(*args, **kwargs, **{name: of})
    if not builtins.callable(func):
        raise _error("TypeError", "pipe", f"func is a function, not {type(func).__name__}")
    return func(of, *args, **kwargs)


_ROWS = {
    "cumsum": "cum_sum", "cummin": "cum_min", "cummax": "cum_max", "cumprod": "cum_product", "ffill": "fill_forward",
    "bfill": "fill_backward",
}
_NULLS = {"isna": "is_null", "isnull": "is_null", "notna": "is_not_null", "notnull": "is_not_null"}
_OPERATORS = {
    "add": "add", "sub": "sub", "mul": "mul", "truediv": "div", "floordiv": "floor_div", "mod": "rem", "eq": "eq", "ne": "ne",
    "lt": "lt", "le": "le", "gt": "gt", "ge": "ge",
}
_STRINGS = {
    "startswith": "starts_with", "endswith": "ends_with", "removeprefix": "remove_prefix", "removesuffix": "remove_suffix",
    "isalpha": "is_alpha", "isnumeric": "is_numeric", "isdecimal": "is_decimal", "isalnum": "is_alnum", "isspace": "is_space",
    "islower": "is_lower", "isupper": "is_upper", "istitle": "is_title",
}

_names(DataFrame, **_ROWS, **_NULLS, aggregate="agg")
_names(Series, **_ROWS, **_NULLS, tolist="to_list", argmax="arg_max", argmin="arg_min", prod="product")
_names(DataFrame, truediv="div", floordiv="floor_div", mod="rem")


def _operator(name, ours):
    operate = getattr(operator, name)

    def method(self, other, fill_value=None):
        if fill_value is None:
            return operate(self, other)
        if not isinstance(other, Series):
            raise _error("TypeError", ours, "fill_value stands for values that one of two series does not have")
        return self._filled(ours, other, fill_value)

    method.__name__, method.__doc__ = name, f"`{name}` of operators, with `fill_value` for what one of two series does not have."
    return method


for _name, _ours in _OPERATORS.items():
    setattr(Series, _name, _operator(_name, _ours))
setattr(Series, "div", Series.truediv)
_names(Expr, **_ROWS, **_NULLS, fillna="fill_null", astype="cast", prod="product")
_names(native.Resampler, prod="product")
_names(native.GroupBy, **_ROWS, prod="product", aggregate="agg")
_names(native.SeriesGroupBy, **_ROWS, prod="product", aggregate="agg")
_names(native.StringNamespace, **_STRINGS)
_names(native.SeriesStringNamespace, **_STRINGS)


def _is_kind(dtype, kind):
    text = builtins.str(dtype)
    kinds = {
        "number": dtype.is_numeric or text.startswith("decimal"), "datetime": text.startswith("timestamp"),
        "timedelta": text.startswith("duration"), "category": text.startswith("dictionary"), "string": text == "utf8",
        "integer": dtype.is_numeric and "int" in text, "floating": text.startswith("float"),
    }
    name = getattr(kind, "__name__", kind)
    return kinds[name] if isinstance(name, builtins.str) and name in kinds else dtype == kind


def _keep(keep, operation):
    if keep is False:
        return "none"
    if keep not in ("first", "last"):
        raise _error("ValueError", operation, 'keep is "first", "last" or False')
    return keep


def _caller(depth):
    frame = sys._getframe(depth + 1)
    return {**frame.f_globals, **frame.f_locals}


def _variables(level, local_dict, global_dict):
    """The variables of the caller of a method, or those that are given instead."""
    if local_dict is None and global_dict is None:
        return _caller(2 + level)
    frame = sys._getframe(2 + level)
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


def _by_label(values):
    """Values under the labels of columns."""
    if not values:
        return Series([], dtype="float64")
    return Series(builtins.list(values.values())).with_index(native.Index(builtins.list(values)))


def _fits(value, dtype):
    """Whether a column of the dtype may have a value."""
    if hasattr(value, "item") and not getattr(value, "shape", ()):
        value = value.item()
    if isinstance(value, bool):
        return dtype == "bool"
    if isinstance(value, (int, float)):
        return _is_number(dtype) and dtype != "bool"
    if isinstance(value, builtins.str):
        return dtype == "utf8" or builtins.str(dtype).startswith("dictionary<")
    return not _is_number(dtype) and dtype != "utf8"


# Aggregates that take the values of a row together.
_BY_ROW = ("prod", "median", "var", "std", "sem", "skew", "kurt")


def _by_row(self, name, labels, options):
    """Aggregates of each row, which is a group of the values of all columns one below the other."""
    for label in labels:
        if not _is_number(self[label].dtype):
            reason = f"axis=1 is of numbers, and column {label!r} is {self[label].dtype}: give numeric_only=True"
            raise make("TypeError", f"{name}: {reason}", operation=name, column=builtins.str(label), dtype=builtins.str(self[label].dtype))
    kinds = [builtins.str(self[label].dtype) for label in labels]
    is_whole = name == "prod" and all("int" in kind or kind == "bool" for kind in kinds)
    common = "int64" if is_whole and "uint64" not in kinds else "float64"
    parts = [self.select(native.row_number().alias("row"), col(label).cast(common).alias("value")) for label in labels]
    method = {"prod": "product"}.get(name, name)
    groups = native.concat(parts).group_by("row", sort=True)
    made = groups.agg(getattr(col("value"), method)(**options).alias("value"))
    return made["value"].rename(None).with_index(self.index)


def _of_rows(self, name, labels, options):
    if not labels:
        raise _error("ValueError", name, "there are no columns")
    columns = [col(label) for label in labels]
    valid = functools.reduce(operator.add, [column.is_not_null().cast("int64") for column in columns])

    def total():
        return functools.reduce(operator.add, [column.fill_null(0) for column in columns])

    if name in _BY_ROW:
        return _by_row(self, name, labels, options)
    made = {
        "count": lambda: valid,
        "sum": total,
        "mean": lambda: total() / native.when(valid > 0).then(valid).otherwise(None),
        "min": lambda: native.min_horizontal(*columns),
        "max": lambda: native.max_horizontal(*columns),
        "any": lambda: functools.reduce(operator.or_, [column.fill_null(False) for column in columns]),
        "all": lambda: functools.reduce(operator.and_, [column.fill_null(True) for column in columns]),
    }[name]
    return self.select(made().alias("values")).column("values").rename(None).with_index(self.index)


def _is_number(dtype):
    return dtype.is_numeric or dtype == "bool" or builtins.str(dtype).startswith("decimal")


def _check_common(name, made):
    """Values of columns that become one series have one kind of dtype."""
    kinds = {"numbers" if _is_number(dtype) else builtins.str(dtype).split("[")[0]: label for label, dtype in made.dtypes.items()}
    if builtins.len(kinds) > 1:
        first, second = builtins.list(kinds.values())[:2]
        dtypes = f"column {first!r} gives {made[first].dtype} and column {second!r} {made[second].dtype}"
        reason = f"{dtypes}, which no series has together: choose columns, or give numeric_only=True"
        raise make("TypeError", f"{name}: {reason}", operation=name, column=builtins.str(second), dtype=builtins.str(made[second].dtype))


def _aggregate(name, method, what):
    def aggregate(self, axis=0, numeric_only=False, **options):
        labels = [label for label, dtype in self.dtypes.items() if not numeric_only or _is_number(dtype)]
        if axis in (1, "columns"):
            if options and name not in _BY_ROW:
                named = next(iter(options))
                raise make("NotImplementedError", f"{name}: {named} with axis=1 is not implemented", operation=name)
            return _of_rows(self, name, labels, options)
        if axis not in (0, "index", None):
            raise _error("ValueError", name, "axis is 0 or 1")
        made = self.agg(*[getattr(col(label), method)(**options).alias(label) for label in labels])
        kinds = builtins.list(made.dtypes.values())
        _check_common(name, made)
        values = {label: made[label].to_list()[0] for label in labels}
        by_label = _by_label(values)
        if kinds and all(kind == kinds[0] for kind in kinds) and by_label.dtype != kinds[0]:
            by_label = Series(by_label, dtype=kinds[0])
        return by_label

    aggregate.__name__ = aggregate.__qualname__ = name
    aggregate.__doc__ = (
        f"{what} of each column, by label; with axis=1 of each row. numeric_only leaves out other columns than those of "
        "numbers and booleans."
    )
    setattr(DataFrame, name, aggregate)


for _name, _method, _what in [
    ("sum", "sum", "The sum"), ("prod", "product", "The product"), ("mean", "mean", "The mean"), ("min", "min", "The smallest value"),
    ("max", "max", "The largest value"), ("median", "median", "The median"), ("std", "std", "The sample standard deviation"),
    ("var", "var", "The sample variance"), ("sem", "sem", "The standard error of the mean"), ("skew", "skew", "The skewness"),
    ("kurt", "kurt", "The kurtosis"), ("any", "any", "Whether a value is true"), ("all", "all", "Whether all values are true"),
]:
    _aggregate(_name, _method, _what)


def _with_labels(frame):
    index = frame.index
    is_default = index.kind == "range" and index.bounds == (0, builtins.len(index), 1) and index.name is None
    return frame if is_default else frame.reset_index()


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


class _OfFrames:
    """Methods of frames."""

    @property
    def T(self):
        """The rows as columns, see `transpose`."""
        return self.transpose()

    def items(self):
        """The label and the values of each column."""
        return ((label, self[label]) for label in self.columns)

    def astype(self, dtype):
        """All columns in another dtype, or some as a dictionary says. Values that do not fit are an error."""
        return self.cast(dtype if isinstance(dtype, dict) else {label: dtype for label in self.columns})

    def fillna(self, value):
        """Nulls replaced by a value, or by one for each column as a dictionary says. NaN is a value."""
        if not isinstance(value, dict):
            return self.fill_null(value)
        known = {label: filler for label, filler in value.items() if label in self}
        return self.with_columns(*[col(label).fill_null(filler).alias(label) for label, filler in known.items()])

    def dropna(self, axis=0, how="any", thresh=None, subset=None, ignore_index=False):
        """The rows without nulls, see `drop_nulls`; with axis=1 the columns."""
        if axis in (1, "columns"):
            rows = builtins.len(self)
            least = thresh if thresh is not None else {"any": rows, "all": 1}.get(how)
            if least is None:
                raise _error("ValueError", "dropna", 'how is "any" or "all"')
            return self[[label for label in self.columns if self[label].count() >= least]]
        kept = self.drop_nulls(how=how, subset=subset, thresh=thresh)
        return kept.reset_index(drop=True) if ignore_index else kept

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

    def drop_duplicates(self, subset=None, keep="first", ignore_index=False):
        """Distinct rows, of all columns or of a subset; with keep=False those that no other row repeats."""
        kept = self.unique(subset, _keep(keep, "drop_duplicates"))
        return kept.reset_index(drop=True) if ignore_index else kept

    def assign(self, **columns):
        """The frame with further columns: values, expressions, or functions of the frame with the columns before."""
        from ._pandas_offsets import _exact

        made = self
        for label, value in columns.items():
            value = value(made) if callable(value) else value
            exact = _exact(value)
            made = made.with_columns(**{label: value if exact is None else native.lit(exact)})
        return made

    def query(
        self, expr, inplace=False, parser="pandas", engine=None, local_dict=None, global_dict=None, resolvers=(), level=0, target=None,
    ):
        """The rows for which a condition holds: `query("units > 2 and city in ['Oslo', @other]")`. Names are columns, names of levels of
        the row labels, `index`, and after @ variables of the caller; labels that are no names are written in backticks.
        """
        from . import _query

        _check_text("query", inplace, parser, engine, resolvers, target)
        frame, beside, condition = _query.condition(expr, self, _variables(level, local_dict, global_dict))
        made = frame.filter(condition)
        return made.drop(columns=beside) if beside else made

    def eval(
        self, expr, inplace=False, parser="pandas", engine=None, local_dict=None, global_dict=None, resolvers=(), level=0, target=None,
    ):
        """The values of a formula, `eval("units * price")`, or the frame with them as a column, `eval("total = units * price")`; several
        lines assign one after the other. Names are those of `query`.
        """
        from . import _query

        _check_text("eval", inplace, parser, engine, resolvers, target)
        return _query.evaluated(expr, self, _variables(level, local_dict, global_dict))

    def map(self, func):
        """What a function makes of each value of each column."""
        return DataFrame({label: self[label].map(func) for label in self.columns}).with_index(self.index)

    def apply(self, func, axis=0, args=(), **kwargs):
        """What a function makes of each column, a series, or with axis=1 of each row, a dictionary. Of values a series, of series
        of one length a frame.
        """
        if axis in (1, "columns"):
            return _made([func(row, *args, **kwargs) for row in self.to_dicts()], self, None)
        made = {label: func(self[label], *args, **kwargs) for label in self.columns}
        if made and all(isinstance(values, Series) for values in made.values()):
            frame = DataFrame(made)
            first = next(iter(made.values()))
            return frame.with_index(first.index)
        return _by_label(made)

    def isin(self, values):
        """Whether each value is one of these, or of those for its column in a dictionary. Null is if None is one."""
        of = values if isinstance(values, dict) else {label: values for label in self.columns}
        made = {label: self[label].isin(of.get(label, [])) for label in self.columns}
        return DataFrame(made).with_index(self.index)

    def replace(self, pairs, value=None):
        """`Series.replace` in the columns that have values of the kind, or in those that a dictionary of dictionaries names."""
        if isinstance(pairs, dict) and pairs and all(isinstance(of, dict) for of in pairs.values()):
            made = {label: self[label].replace(of) for label, of in pairs.items()}
        else:
            old = builtins.list(pairs) if isinstance(pairs, (dict, builtins.list)) else [pairs]
            made = {label: self[label].replace(pairs, value) for label, dtype in self.dtypes.items() if all(_fits(value, dtype) for value in old)}
        return self.with_columns(*[]) if not made else DataFrame({label: made.get(label, self[label]) for label in self.columns}).with_index(self.index)

    def nunique(self):
        """The number of distinct values of each column, by label."""
        return _by_label({label: self[label].nunique() for label in self.columns})

    def count(self, axis=0):
        """The number of values of each column that are not null, by label; with axis=1 of each row."""
        if axis in (1, "columns"):
            return _of_rows(self, "count", self.columns, {})
        return _by_label({label: self[label].count() for label in self.columns})

    def value_counts(self, subset=None, normalize=False, sort=True, ascending=False, dropna=True):
        """How often each row occurs, of all columns or of a subset; the row labels are the values."""
        labels = self.columns if subset is None else _list(subset)
        name = "proportion" if normalize else "count"
        made = self.group_by(*labels, dropna=dropna, as_index=True).agg(**{name: native.len()})
        counts = made[name]
        if normalize:
            counts = counts / counts.sum()
        return counts.sort_values(ascending=ascending) if sort else counts


class _OfSeries:
    """Methods of series."""

    def isin(self, values):
        """Whether each value is one of these. Null is if None is one."""
        if isinstance(values, Series):
            return self.is_in(values).fill_null(values.null_count > 0)
        if isinstance(values, (builtins.str, bytes)):
            raise _error("TypeError", "isin", f"values are a list or another sequence, not one {type(values).__name__}")
        values = builtins.list(values)
        with_null, known = None in values, [value for value in values if value is not None and _fits(value, self.dtype)]
        if self.dtype.is_numeric and "int" in builtins.str(self.dtype):
            # A fraction is no integer.
            known = [int(value) for value in known if not isinstance(value, float) or value.is_integer()]
        elif "float" in builtins.str(self.dtype):
            known = [float(value) if isinstance(value, int) else value for value in known]
        return self.is_in(known).fill_null(with_null) if known else self.is_null() & with_null

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

    def astype(self, dtype):
        """The values in another dtype. Values that do not fit are an error."""
        return self.cast(dtype)

    def fillna(self, value):
        """Nulls replaced by a value, or by the values of a series in rows of the same label. NaN is a value."""
        return self.combine_first(value).reindex(self.index) if isinstance(value, Series) else self.fill_null(value)

    def dropna(self):
        """The values that are not null."""
        return self.drop_nulls()

    def drop_duplicates(self, keep="first"):
        """Distinct values with their labels; with keep=False those that no other row repeats."""
        return self[~self.duplicated(_keep(keep, "drop_duplicates"))]

    def map(self, arg, na_action=None):
        """What a dictionary, a series by its labels or a function has for each value; null where there is nothing. A function is
        called with each value by itself: expressions are faster where there is one. `na_action="ignore"` leaves nulls out.
        """
        if isinstance(arg, Series):
            arg = dict(zip(arg.index.to_list(), arg.to_list()))
        values = self.to_list()
        if isinstance(arg, dict):
            return _made([arg.get(value) for value in values], self, self.name)
        if not callable(arg):
            raise _error("TypeError", "map", f"a dictionary, a series or a function is given, not {type(arg).__name__}")
        if na_action not in (None, "ignore"):
            raise _error("ValueError", "map", 'na_action is None or "ignore"')
        skip = na_action == "ignore"
        return _made([None if skip and value is None else arg(value) for value in values], self, self.name)

    def apply(self, func, args=(), **kwargs):
        """What a function makes of each value, called with each by itself."""
        return _made([func(value, *args, **kwargs) for value in self.to_list()], self, self.name)

    def between(self, left, right, inclusive="both"):
        """Whether each value is between two, which belong to it: inclusive is "both", "left", "right" or "neither"."""
        if inclusive not in ("both", "left", "right", "neither"):
            raise _error("ValueError", "between", "inclusive is both, left, right or neither")
        low = self >= left if inclusive in ("both", "left") else self > left
        return low & (self <= right if inclusive in ("both", "right") else self < right)


class _OfExpressions:
    """Methods of expressions."""

    def isin(self, values):
        """Whether each value is one of these. Null is if None is one."""
        if isinstance(values, Series):
            return self.is_in(values).fill_null(values.null_count > 0)
        return self.is_in(values).fill_null(None in values)


class _OfGroups:
    """Methods of groups."""

    def size(self):
        """The number of rows of each group: a series, or a frame with the keys where these are no row labels."""
        made = self.len("size")
        return made if "size" in made.columns[1:] else made["size"].rename(None)


_add(_OfBoth, DataFrame, Series)
_add(_OfFrames, DataFrame)
_add(_OfSeries, Series)
_add(_OfExpressions, Expr)
_add(_OfGroups, native.GroupBy)


for _of in (Expr, native.When):
    # They do not change.
    setattr(_of, "__copy__", lambda self: self)
    setattr(_of, "__deepcopy__", lambda self, memo: self)


# Functions ---------------------------------------------------------------------------------------------------------------


def _series(data):
    return data if isinstance(data, Series) else Series(data)


def isna(obj: Any) -> Any:
    """Whether values of a frame, a series or a list are null."""
    return (obj if isinstance(obj, (DataFrame, Series)) else Series(obj)).is_null()


def notna(obj: Any) -> Any:
    """Whether values of a frame, a series or a list are not null."""
    return (obj if isinstance(obj, (DataFrame, Series)) else Series(obj)).is_not_null()


def merge(left: DataFrame, right: Any, **options: Any) -> DataFrame:
    """`left.merge(right, …)`."""
    return left.merge(right, **options)


def cut(x: Any, bins: Any, *arguments: Any, **options: Any) -> Any:
    """The bin of each value, see `Series.cut`."""
    return _series(x).cut(bins, *arguments, **options)


def qcut(x: Any, q: Any, *arguments: Any, **options: Any) -> Any:
    """The bin of each value between quantiles, see `Series.qcut`."""
    return _series(x).qcut(q, *arguments, **options)


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
