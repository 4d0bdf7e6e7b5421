"""Assertions that frames, series and indexes are equal, with the first difference in the text of the error."""

from __future__ import annotations

from typing import Any

from ._columnade import DataFrame, Index, Series
from ._errors import make

__all__ = ["assert_frame_equal", "assert_index_equal", "assert_series_equal"]


def _differ(what: str, where: str, left: Any, right: Any) -> None:
    raise AssertionError(f"{what}: {where}\n[left]:  {left}\n[right]: {right}")


def _is(kind: Any, left: Any, right: Any, operation: str) -> None:
    for side, value in (("left", left), ("right", right)):
        if not isinstance(value, kind):
            raise AssertionError(f"{operation}: {side} is a {kind.__name__}, not {type(value).__name__}")


def _options(operation: str, rtol: float, atol: float) -> None:
    for name, value in (("rtol", rtol), ("atol", atol)):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
            raise make("ValueError", f"{operation}: {name} is a number from 0, not {value!r}", operation=operation)


def _is_float(values: Series) -> bool:
    return str(values.dtype).startswith("float")


def _unequal(left: Series, right: Series, exact: bool, rtol: float, atol: float) -> Series:
    """Whether two values differ: NaN is NaN, and null is null alone."""
    if exact or not (_is_float(left) or _is_float(right)):
        kinds = {str(left.dtype), str(right.dtype)}
        if len(kinds) > 1 and not (left.dtype.is_numeric and right.dtype.is_numeric):
            return ~_same_objects(left, right)
        return ~left.eq_missing(right)
    left, right = left.cast("float64"), right.cast("float64")
    infinite = (left == float("inf")) | (left == float("-inf")) | (right == float("inf")) | (right == float("-inf"))
    close = ((left - right).abs() <= right.abs() * rtol + atol) & ~infinite | (left == right) | (left.is_nan() & right.is_nan())
    missing = left.is_null() & right.is_null()
    return ~(close.fill_null(False) | missing)


def _same_objects(left: Series, right: Series) -> Series:
    return Series([one == other for one, other in zip(left.to_list(), right.to_list())], dtype="bool")


def _values(left: Series, right: Series, what: str, labels: Any, exact: bool, rtol: float, atol: float) -> None:
    one, other = left.reset_index(drop=True), right.reset_index(drop=True)
    differs = _unequal(one, other, exact, rtol, atol)
    count = int(differs.cast("int64").sum()) if len(differs) else 0
    if count:
        row = differs.arg_max()
        at = "" if labels is None else f", label {labels[row]!r}"
        share = f"{count} of {len(one)} values differ, the first one in row {row}{at}"
        _differ(what, share, repr(one.to_list()[row]), repr(other.to_list()[row]))


def assert_index_equal(
    left: Index, right: Index, exact: bool | str = "equiv", check_names: bool = True, check_exact: bool = True,
    check_order: bool = True, rtol: float = 1e-05, atol: float = 1e-08, obj: str = "Index",
) -> None:
    """That two indexes have the same labels, in one order unless check_order is False, and the same names. `exact` is whether their
    dtypes are the same too; "equiv" takes a range of numbers for integers.
    """
    _is(Index, left, right, "assert_index_equal")
    _options("assert_index_equal", rtol, atol)
    if left.nlevels != right.nlevels:
        _differ(obj, "the numbers of levels differ", left.nlevels, right.nlevels)
    if len(left) != len(right):
        _differ(obj, "the lengths differ", len(left), len(right))
    if not check_order:
        left, right = left.sort_values(), right.sort_values()
    if exact is True and left.kind != right.kind:
        _differ(obj, "the kinds differ", left.kind, right.kind)
    ours, theirs = left.to_frame(), right.to_frame()
    for level, (one, other) in enumerate(zip(ours.columns, theirs.columns)):
        what = obj if left.nlevels == 1 else f"{obj} level {level}"
        if exact and ours[one].dtype != theirs[other].dtype:
            _differ(what, "the dtypes differ", ours[one].dtype, theirs[other].dtype)
        _values(ours[one], theirs[other], what, None, check_exact, rtol, atol)
    if check_names and list(left.names) != list(right.names):
        _differ(obj, "the names differ", list(left.names), list(right.names))


def _check_values(
    left: Series, right: Series, what: str, labels: Any, check_dtype: bool, check_exact: bool, rtol: float, atol: float,
    check_categorical: bool,
) -> None:
    kinds = [str(values.dtype) for values in (left, right)]
    are_categories = all(kind.startswith("dictionary") for kind in kinds)
    if check_dtype and left.dtype != right.dtype and (check_categorical or not are_categories):
        _differ(what, "the dtypes differ", left.dtype, right.dtype)
    if are_categories:
        if check_categorical and left.cat.categories().to_list() != right.cat.categories().to_list():
            _differ(what, "the categories differ", left.cat.categories().to_list(), right.cat.categories().to_list())
        left, right = left.cast("utf8"), right.cast("utf8")
    _values(left, right, what, labels, check_exact, rtol, atol)


def assert_series_equal(
    left: Series, right: Series, check_dtype: bool = True, check_index_type: bool | str = "equiv", check_names: bool = True,
    check_exact: bool = False, check_categorical: bool = True, rtol: float = 1e-05, atol: float = 1e-08, obj: str = "Series", *,
    check_index: bool = True, check_like: bool = False,
) -> None:
    """That two series have the same values, labels, names and dtypes. Floats are equal within `rtol` of the right one and `atol`, unless
    check_exact is given; NaN is equal to NaN, and null to null. `check_like` takes rows in any order.
    """
    _is(Series, left, right, "assert_series_equal")
    _options("assert_series_equal", rtol, atol)
    if len(left) != len(right):
        _differ(obj, "the lengths differ", len(left), len(right))
    if check_like:
        left = _ordered(left, right, obj)
    if check_index:
        assert_index_equal(left.index, right.index, exact=check_index_type, check_names=check_names, obj=f"{obj}.index")
    _check_values(left, right, obj, left.index, check_dtype, check_exact, rtol, atol, check_categorical)
    if check_names and left.name != right.name:
        _differ(obj, "the names differ", repr(left.name), repr(right.name))


def _ordered(left: Any, right: Any, what: str) -> Any:
    """The left rows in the order of the right labels, where both have the same ones."""
    if not left.index.is_unique or not right.index.is_unique or left.index.nlevels != right.index.nlevels:
        return left
    one, other = left.index.to_list(), right.index.to_list()
    if set(one) != set(other):
        missing = [label for label in other if label not in set(one)]
        _differ(f"{what}.index", "the labels differ", f"without {missing[:3]!r}", f"with {missing[:3]!r}")
    return left.loc[other]


def assert_frame_equal(
    left: DataFrame, right: DataFrame, check_dtype: bool = True, check_index_type: bool | str = "equiv",
    check_column_type: bool | str = "equiv", check_names: bool = True, check_exact: bool = False, check_like: bool = False,
    check_categorical: bool = True, rtol: float = 1e-05, atol: float = 1e-08, obj: str = "DataFrame", *, check_index: bool = True,
) -> None:
    """That two frames have the same columns in one order, values, row labels, names and dtypes, as `assert_series_equal` says of each
    column. `check_like` takes rows and columns in any order.
    """
    _is(DataFrame, left, right, "assert_frame_equal")
    _options("assert_frame_equal", rtol, atol)
    if left.shape != right.shape:
        _differ(obj, "the shapes differ", left.shape, right.shape)
    ours, theirs = list(left.columns), list(right.columns)
    if set(ours) != set(theirs) or not check_like and ours != theirs:
        _differ(f"{obj}.columns", "the labels differ", ours, theirs)
    if check_column_type is True and [type(label) for label in theirs] != [type(label) for label in left[theirs].columns]:
        _differ(f"{obj}.columns", "the types of the labels differ", ours, theirs)
    names = [getattr(frame, "_level_names") for frame in (left, right)]
    if check_names and names[0] != names[1]:
        _differ(f"{obj}.columns", "the names differ", *names)
    if check_like:
        left = _ordered(left[theirs], right, obj)
    if check_index:
        assert_index_equal(left.index, right.index, exact=check_index_type, check_names=check_names, obj=f"{obj}.index")
    for label in theirs:
        what = f"{obj}, column {label!r}"
        _check_values(left[label], right[label], what, left.index, check_dtype, check_exact, rtol, atol, check_categorical)
