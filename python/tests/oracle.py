"""The same call on pandas and on this library, and comparison of values, dtypes, labels and names of both."""

import math

import columnade as cn
import numpy as np
import pandas as pd


def plain(value):
    """A value as Python has it, None for what is missing."""
    if isinstance(value, (pd.Interval, cn.Interval)):
        return ("interval", plain(value.left), plain(value.right), value.closed)
    if isinstance(value, tuple):
        return tuple(plain(part) for part in value)
    if isinstance(value, (list, np.ndarray)):
        return [plain(part) for part in value]
    if value is None or value is pd.NA or value is pd.NaT or value is np.nan:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    if isinstance(value, pd.Timedelta):
        return value.to_pytimedelta()
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.12g}")
    return value


def kind(dtype):
    """The name of a dtype without what differs for missing values: integers with nulls are floats in pandas."""
    text = str(dtype)
    for start, name in (
        ("timestamp", "time"), ("datetime64", "time"), ("duration", "duration"), ("timedelta64", "duration"), ("utf8", "text"),
        ("str", "text"), ("dictionary", "category"), ("category", "category"), ("interval", "interval"), ("bool", "bool"),
    ):
        if text.startswith(start):
            return name
    return text


def index(made, expected, names=True):
    theirs = [plain(label) for label in expected]
    assert [plain(label) for label in made.to_list()] == theirs, (made.to_list(), theirs)
    if names:
        assert list(made.names) == list(expected.names), (made.names, expected.names)
    if made.nlevels == 1 and theirs and None not in theirs and expected.dtype != object:
        assert kind(made.dtype) == kind(expected.dtype), (made.dtype, expected.dtype)


def series(made, expected, names=True):
    ours, theirs = [plain(value) for value in made.to_list()], [plain(value) for value in expected.tolist()]
    assert ours == theirs, (ours, theirs)
    if None not in theirs and theirs and expected.dtype != object:
        assert kind(made.dtype) == kind(expected.dtype), (made.dtype, expected.dtype)
    if names:
        assert made.name == expected.name, (made.name, expected.name)


def same(made, expected, names=True):
    """Asserts that a result is that of pandas."""
    if isinstance(expected, pd.DataFrame):
        assert isinstance(made, cn.DataFrame), type(made)
        assert [plain(label) for label in made.columns] == [plain(label) for label in expected.columns], (made.columns, expected.columns)
        index(made.index, expected.index, names)
        for label, theirs in zip(made.columns, expected.columns):
            series(made.column(label), expected[theirs], names=False)
        if names:
            assert list(made._level_names) == list(expected.columns.names)
    elif isinstance(expected, pd.Series):
        assert isinstance(made, cn.Series), type(made)
        index(made.index, expected.index, names)
        series(made, expected, names)
    elif isinstance(expected, pd.Index):
        assert isinstance(made, cn.Index), type(made)
        index(made, expected, names)
    elif isinstance(expected, np.ndarray):
        made = made.to_list() if isinstance(made, (cn.Series, cn.Index)) else made
        assert plain(list(made)) == plain(list(expected)), (made, expected)
    elif isinstance(expected, tuple):
        assert len(made) == len(expected)
        for one, other in zip(made, expected):
            same(one, other, names)
    elif isinstance(expected, slice):
        assert made == slice(plain(expected.start), plain(expected.stop), plain(expected.step))
    else:
        assert plain(made) == plain(expected), (made, expected)


def ours(value):
    """A frame, a series or an index of pandas as ours, with null for what is missing."""
    made = cn.from_pandas(value) if isinstance(value, (pd.DataFrame, pd.Series, pd.Index)) else value
    if isinstance(made, cn.Index) and made.nlevels == 1 and str(made.dtype).startswith("float"):
        return cn.Index(made.to_series().nan_to_null()).rename(made.name)
    if isinstance(made, cn.Series):
        return made.nan_to_null() if str(made.dtype).startswith("float") else made
    if isinstance(made, cn.DataFrame):
        floats = [label for label, dtype in made.dtypes.items() if str(dtype).startswith("float")]
        return made.with_columns(*[cn.col(label).nan_to_null().alias(label) for label in floats]) if floats else made
    return made


def both(call, names=True, **inputs):
    """Calls a function with inputs of pandas and with the same as ours, and compares the results."""
    expected = call(pd, **inputs)
    same(call(cn, **{name: ours(value) for name, value in inputs.items()}), expected, names)
