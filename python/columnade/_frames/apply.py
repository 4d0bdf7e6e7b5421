"""`apply` and `transform` as pandas shapes their results."""

from __future__ import annotations

import builtins
import operator
import types

from .agg import _aggregated, _called, _known
from .._columnade import DataFrame, Series
from .._common import _axis, _by_label, _by_row_label, _choice, _error, _parts, _plain
from .._install import methods


class _Row(dict):
    """The values of a row by column: `row["a"]` and `row.a`, the row label as `name`, and methods of a series of the values."""

    name = None

    def __getattr__(self, name):
        if not name.startswith("_") and hasattr(Series, name):
            return getattr(_by_label(dict(self)), name)
        if name in self:
            return self[name]
        raise AttributeError(f"a row has no column and no method {name}")


def _rows_of(frame):
    labels = frame.index.to_list()
    for label, values in zip(labels, frame.to_dicts()):
        row = _Row(values)
        row.name = label
        yield row


def _is_list(value):
    return isinstance(value, (builtins.list, tuple)) or hasattr(value, "__array__") and getattr(value, "ndim", 0) == 1


def _below(rows, like):
    """A frame of dictionaries by column, one for each row."""
    labels = builtins.list(dict.fromkeys(label for row in rows for label in row))
    made = {label: Series([row.get(label) for row in rows]).to_device(like.device) for label in labels}
    return DataFrame(made).with_index(like.index)


def _of_rows(frame, func, raw, result_type, args, kwargs):
    rows = frame.to_numpy() if raw else _rows_of(frame)
    made = [func(row, *args, **kwargs) for row in rows]
    made = [builtins.list(one) if hasattr(one, "__array__") and getattr(one, "ndim", 0) == 1 and not isinstance(one, Series) else one for one in made]
    if result_type == "broadcast":
        return _broadcast(frame, made)
    if made and all(isinstance(one, Series) for one in made) and result_type != "reduce":
        return _below([_by_row_label(one) for one in made], frame)
    if made and result_type == "expand" and all(isinstance(one, dict) or _is_list(one) for one in made):
        return _below([one if isinstance(one, dict) else dict(enumerate(one)) for one in made], frame)
    values = [builtins.list(one) if isinstance(one, tuple) else one.to_list() if isinstance(one, Series) else one for one in made]
    return Series(values).to_device(frame.device).with_index(frame.index)


def _broadcast(frame, made):
    """The results under the labels of the frame: one value for all columns, or a list with one for each."""
    labels, rows = builtins.list(frame.columns), []
    for one in made:
        values = builtins.list(one) if _is_list(one) else one.to_list() if isinstance(one, Series) else [one] * builtins.len(labels)
        if builtins.len(values) != builtins.len(labels):
            raise _error("ValueError", "apply", f'result_type="broadcast" has a value for each of {builtins.len(labels)} columns, not {builtins.len(values)}')
        rows.append(dict(zip(labels, values)))
    return _below(rows, frame) if rows else frame


def _of_columns(frame, func, raw, args, kwargs):
    made = {label: func(frame[label].to_numpy() if raw else frame[label], *args, **kwargs) for label in frame.columns}
    values = builtins.list(made.values())
    if values and all(isinstance(one, Series) for one in values):
        index = values[0].index
        if all(one.index.equals(index) for one in values):
            return DataFrame({label: _plain(one) for label, one in made.items()}).with_index(index)
        return DataFrame(made)
    if values and all(_is_list(one) for one in values) and builtins.len({builtins.len(one) for one in values}) == 1:
        return DataFrame({label: Series(builtins.list(one)).to_device(frame.device) for label, one in made.items()})
    return _by_label(made)


_OF_VALUES = (builtins.sum, builtins.min, builtins.max, builtins.any, builtins.all)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def apply(self, func, axis=0, raw=False, result_type=None, args=(), by_row="compat", engine="python", engine_kwargs=None, **kwargs):
        """What a function makes of each column, a series, or with axis=1 of each row, a dictionary with the label of the row as `name` and
        the values as attributes too. Of values a series, of series a frame. With axis=1 `result_type` is "expand" for lists as columns,
        "broadcast" for the columns of before, or "reduce" for a series. `raw` gives arrays of numpy. Names, lists and dictionaries are
        those of `agg`.
        """
        _choice(result_type, (None, "expand", "reduce", "broadcast"), "result_type", "apply")
        if engine not in (None, "python") or engine_kwargs or by_row not in ("compat", False):
            raise _error("NotImplementedError", "apply", "engine, engine_kwargs and by_row are not implemented")
        place = _axis(axis, "apply")
        if isinstance(func, (builtins.str, builtins.list, dict)):
            return _aggregated(self, func, (), place, kwargs)
        if place == 1:
            name = _known(func)
            # A dictionary is iterated by its keys, which functions such as max would take for the values.
            if name is not None and name != "size" and not raw and not args and not kwargs and result_type in (None, "reduce"):
                return _aggregated(self, name, (), 1, {})
            return _of_rows(self, func, raw, result_type, args, kwargs)
        if any(func is one for one in _OF_VALUES) and not raw:
            # They take values one by one, which a series does not give.
            func = operator.methodcaller(func.__name__)
        if result_type == "broadcast":
            made = {label: func(self[label], *args, **kwargs) for label in self.columns}
            return DataFrame({
                label: _plain(one) if isinstance(one, Series) else Series([one] * builtins.len(self)).to_device(self.device) for label, one in made.items()
            }).with_index(self.index)
        return _of_columns(self, func, raw, args, kwargs)

    def transform(self, func, axis=0, *args, **kwargs):
        """What functions make of each column, as long as it: a function or its name, by column as a dictionary says, or a list of them, which
        gives columns of two levels.
        """
        if _axis(axis, "transform") == 1:
            raise _error("NotImplementedError", "transform", "axis=1 is not implemented")
        if isinstance(func, builtins.list) or isinstance(func, dict) and any(isinstance(of, builtins.list) for of in func.values()):
            by_column = func if isinstance(func, dict) else {label: func for label in self.columns}
            made = {}
            for label, of in by_column.items():
                for one in of if isinstance(of, builtins.list) else [of]:
                    made[(*_parts(label), _called(one))] = _plain(self[label].transform(one, *args, **kwargs))
            return DataFrame(made).with_index(self.index)
        by_column = func if isinstance(func, dict) else {label: func for label in self.columns}
        values = {label: self[label].transform(of, *args, **kwargs) for label, of in by_column.items()}
        return DataFrame({label: _plain(one) for label, one in values.items()} if args or kwargs else values).with_index(self.index)


@methods(Series)
class _OfSeries:
    """Methods of series."""

    def apply(self, func, args=(), by_row="compat", **kwargs):
        """What a function makes of each value, called with each by itself, or with by_row=False of the series; of series a frame. Names,
        lists and dictionaries are those of `agg`.
        """
        if isinstance(func, (builtins.str, builtins.list, dict)):
            return self.agg(func, 0, *args, **kwargs)
        if by_row is False or type(func).__name__ == "ufunc":
            return func(self, *args, **kwargs)
        made = [func(value, *args, **kwargs) for value in self.to_list()]
        if made and all(isinstance(one, Series) for one in made):
            return _below([_by_row_label(one) for one in made], self)
        return Series(made, name=self.name).to_device(self.device).with_index(self.index)

    def transform(self, func, *args, **kwargs):
        """What a function, or a method by its name, makes of the series, which is as long as it; of a list a frame of them."""
        if isinstance(func, builtins.list):
            return DataFrame({_called(of): self.transform(of) for of in func}).with_index(self.index)
        if isinstance(func, types.MethodDescriptorType):
            # A method of one value, as `str.lower`.
            return self.map(lambda value: func(value, *args, **kwargs), na_action="ignore")
        made = getattr(self, func)(*args, **kwargs) if isinstance(func, builtins.str) else func(self, *args, **kwargs)
        if not isinstance(made, Series) or builtins.len(made) != builtins.len(self):
            raise _error("ValueError", "transform", "the function does not give a value for each row: use agg")
        return made
