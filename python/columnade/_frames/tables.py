"""Arguments of pandas for tables of groups: pivot_table, pivot and crosstab."""

from __future__ import annotations

import builtins
import functools
import operator
from typing import Any

from .. import _columnade as native
from .._columnade import DataFrame, Expr, Index, Series, col, concat
from .._common import _FUNCTIONS, _UNSET, _error, _is_number, _level, _named, _plain, _same
from .._install import compiled, methods


_AGGREGATES = {
    "sum": "sum", "mean": "mean", "min": "min", "max": "max", "count": "count", "median": "median", "first": "first", "last": "last",
    "nunique": "nunique", "std": "std", "var": "var", "sem": "sem", "prod": "product", "product": "product", "skew": "skew", "kurt": "kurt",
    "any": "any", "all": "all",
}
_NO_MARGINS = "margins of functions of Python are not implemented: give names of aggregates"
_pivot, _pivot_table = compiled(DataFrame, "pivot"), compiled(DataFrame, "pivot_table")


def _labels(operation, name, given, frame):
    """The labels of an argument that is one label or a list of them."""
    if given is None:
        return []
    labels = given if isinstance(given, builtins.list) else [given]
    for label in labels:
        if isinstance(label, (Series, Expr)):
            reason = f"{name} are labels of columns: make a column of the values before, by with_columns"
            raise _error("NotImplementedError", operation, reason)
        if label not in frame:
            raise _error("KeyError", operation, f"{name}: there is no column {label!r}; there are {frame.columns}", label)
    return labels


def _listed(given):
    return [] if given is None else given if isinstance(given, builtins.list) else [given]


def _is_level(key, frame):
    return not isinstance(key, (Series, Expr)) and key is not None and key in builtins.list(frame.index.names) and key not in frame


def _aggregate(operation, label, function):
    """An expression of an aggregate by name, or a function that has none."""
    if builtins.callable(function):
        name = _FUNCTIONS.get(function)
        if name is None and (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy":
            name = getattr(function, "__name__", None)
        if name not in _AGGREGATES and name != "size":
            return function
        function = name
    if function == "size":
        return native.len()
    if not isinstance(function, builtins.str) or function not in _AGGREGATES:
        raise _error("ValueError", operation, f"aggfunc {function!r} is none of size, {', '.join(_AGGREGATES)}, or a function")
    return getattr(col(label), _AGGREGATES[function])()


def _name(function):
    return function if isinstance(function, builtins.str) else getattr(function, "__name__", builtins.str(function))


def _parts(operation, values, is_one, has_columns, aggfunc):
    """What a table has: the label of each aggregate, and the aggregate."""
    if isinstance(aggfunc, dict):
        is_several = any(isinstance(functions, builtins.list) for functions in aggfunc.values())
        made = []
        for label, functions in aggfunc.items():
            for function in functions if isinstance(functions, builtins.list) else [functions]:
                made.append(((label, _name(function)) if is_several else label, _aggregate(operation, label, function)))
        return made
    if isinstance(aggfunc, builtins.list):
        names = [(function, _name(function)) for function in aggfunc]
        return [
            (name if is_one and has_columns else (name, label), _aggregate(operation, label, function))
            for function, name in names for label in values
        ]
    return [(label, _aggregate(operation, label, aggfunc)) for label in values]


def _of_functions(frame, keys, parts, dropna):
    """A row for each group with aggregates that functions of Python make, and expressions of these."""
    groups = frame.group_by(*keys, dropna=dropna, as_index=True)
    columns = {}
    for place, (_, aggregate, source) in enumerate(parts):
        made = groups.agg(aggregate.alias("made"))["made"] if isinstance(aggregate, Expr) else groups[source].agg(aggregate)
        columns[f"value {place}"] = made
    index = next(iter(columns.values())).index
    made = DataFrame({label: values.reset_index(drop=True) for label, values in columns.items()}).with_index(index).reset_index()
    return made, [(label, col(f"value {place}").first()) for place, (label, *_) in enumerate(parts)]


def _in_order(frame, table, index, columns, has_margins):
    """A table whose keys are in the order of their first rows."""
    rows = table.iloc[:-1] if has_margins else table
    if index:
        first = frame.select(*index).reset_index(drop=True)
        if columns:
            # Level by level, as in pandas, where rows are put together again from the groups.
            numbers = {f"number {place}": first.group_by(label, dropna=False).ngroup() for place, label in enumerate(index)}
            first = first.with_columns(**numbers).sort_values(builtins.list(numbers))[index].reset_index(drop=True)
        first = first.unique(index)
        keys = table.columns[: builtins.len(index)]
        rows = first.set_axis(keys, axis=1).merge(rows.reset_index(drop=True), on=keys, how="inner").reset_index(drop=True)
    if has_margins:
        rows = concat([rows, table.iloc[-1:]], ignore_index=True)
    if not columns:
        return rows
    places = [{value: place for place, value in enumerate(frame[label].unique().to_list())} for label in columns]
    prefixes = {}

    def place(label):
        parts = label if isinstance(label, tuple) else (label,)
        before = prefixes.setdefault(parts[: -builtins.len(columns)], builtins.len(prefixes))
        return before, [of.get(part, builtins.len(of)) for of, part in zip(places, parts[-builtins.len(columns) :])]

    keys = rows.columns[: builtins.len(index)]
    return rows[[*keys, *sorted(rows.columns[builtins.len(index) :], key=place)]]


def _checked(operation, frame, margins, margins_name, dropna, observed):
    """The name of margins, or None."""
    if observed is not True:
        raise _error("NotImplementedError", operation, "observed=False, rows of categories without values, is not implemented")
    if not isinstance(dropna, bool):
        raise _error("ValueError", operation, f"dropna is True or False, not {dropna!r}")
    if margins is None or margins is False:
        return None
    if isinstance(margins, builtins.str):
        return margins
    if margins is not True:
        raise _error("ValueError", operation, f"margins is True, False or a name, not {margins!r}")
    if not isinstance(margins_name, builtins.str):
        raise _error("ValueError", operation, f"margins_name is a text, not {margins_name!r}")
    return margins_name


def _labelled(table, names, across):
    """A table whose first columns, the keys, are row labels of these names, with the names of the levels of its columns."""
    count = builtins.len(names)
    # By position: a list of labels that are booleans chooses rows.
    made = table.iloc[:, count:]
    rest = builtins.list(made.columns)
    if count:
        keys = [table[label].reset_index(drop=True) for label in table.columns[:count]]
        made = made.with_index(Index(keys[0]).rename(names[0]) if count == 1 else Index.from_arrays(keys, builtins.list(names)))
    if not rest or not across:
        return made
    levels = builtins.len(rest[0]) if isinstance(rest[0], tuple) else 1
    return made._with_level_names([*[None] * (levels - builtins.len(across)), *across])


def _across(table):
    """A table of which the keys are row labels as one of which they are columns, and the values rows."""
    names = builtins.list(table.index.names)
    kinds = {builtins.str(dtype) for dtype in table.dtypes.values()}
    if builtins.len(kinds) > 1:
        if not all(_is_number(dtype) for dtype in table.dtypes.values()):
            raise _error("TypeError", "pivot_table", f"without index the aggregates have one dtype, not {table.dtypes}")
        table = table.cast({label: "float64" for label in table.columns})
    return table.transpose()._with_level_names(names)


@methods(DataFrame)
class _OfFrames:
    """Methods of frames."""

    def pivot(self, columns=_UNSET, index=None, values=None, *, on=_UNSET):
        """A row for each key in `index`, or for each row label, and a column for each key in `columns`, with the one value that has
        both. Keys that have two values are an error: `pivot_table` aggregates them. The keys in `index` are the row labels. `on` is `columns`.
        """
        columns = _same(columns, on, "columns", "on", _UNSET, "pivot")
        if columns is _UNSET:
            raise _error("TypeError", "pivot", "columns is missing")
        given = _labels("pivot", "columns", columns, self)
        if index is not None:
            names = _labels("pivot", "index", index, self)
            keys, frame = names, self
        else:
            # The row labels are keys, by names that no column has.
            names = builtins.list(self.index.names)
            keys = [f"\0{place}" for place in range(builtins.len(names))]
            levels = {key: _level(self.index, place).to_device(self.device) for place, key in enumerate(keys)}
            frame = DataFrame({**levels, **{label: _plain(self.column(label)) for label in self.columns}})
        others = [label for label in self.columns if label not in given and label not in names]
        chosen = others if values is None else _labels("pivot", "values", values, self)
        made = _pivot(frame, columns, keys, chosen)
        if builtins.len(chosen) == 1 and (values is None or isinstance(values, builtins.list)):
            made = _with_level(made, builtins.len(keys), chosen[0], builtins.len(given))
        made = _labelled(made, names, given)
        return in_order_of_rows(made, [frame[label] for label in given]) if builtins.len(given) > 1 else made

    def pivot_table(
        self, values=None, index=None, columns=None, aggfunc="mean", fill_value=None, margins=False, dropna=True, margins_name="All",
        observed=True, sort=True,
    ):
        """Aggregates of the values with each key in `index`, the row labels, and each in `columns`, the labels of columns.

        values: labels, by default those of all other columns; or aggregates as expressions, without aggfunc.
        aggfunc: the name of an aggregate, a function, a list of them, or a dictionary of them by column. "size" gives one number of rows
            for each entry, without columns a series.
        margins: whether there are a last row and a last column, called `margins_name`, of all rows and columns; or their name.
        sort: whether keys are in order; otherwise they come in the order of their first rows.
        """
        operation = "pivot_table"
        name = _checked(operation, self, margins, margins_name, dropna, observed)
        if any(isinstance(key, (Series, Index)) for key in [*_listed(index), *_listed(columns)]):
            options = {"margins": margins, "dropna": dropna, "margins_name": margins_name, "observed": observed, "sort": sort}
            return _of_series(self, values, _listed(index), _listed(columns), aggfunc, fill_value, options)
        levels = [key for key in [*_listed(index), *_listed(columns)] if _is_level(key, self)]
        if levels:
            # Levels of the row labels are keys by their names.
            options = {"margins": margins, "dropna": dropna, "margins_name": margins_name, "observed": observed, "sort": sort}
            return self.reset_index(level=levels).pivot_table(values, index, columns, aggfunc, fill_value, **options)
        rows, across = _labels(operation, "index", index, self), _labels(operation, "columns", columns, self)
        if not rows and not across:
            raise _error("ValueError", operation, "give index, columns or both")
        is_expression = isinstance(values, Expr) or isinstance(values, builtins.list) and any(isinstance(one, Expr) for one in values)
        if not rows and not is_expression:
            options = {"margins": margins, "dropna": dropna, "margins_name": margins_name, "observed": observed, "sort": sort}
            if isinstance(aggfunc, builtins.list):
                tables = [self.pivot_table(values, None, columns, one, fill_value, **options) for one in aggfunc]
                made = concat(tables, axis=1, keys=[_name(one) for one in aggfunc])
                return made._with_level_names([None, *tables[0]._level_names])
            return _across(self.pivot_table(values, across, None, aggfunc, fill_value, **options))
        keys, frame, is_size = [*rows, *across], self, isinstance(aggfunc, builtins.str) and aggfunc == "size"
        if values is None and rows and is_size and not is_expression:
            # The rows of each group, whatever columns there are.
            options = {"margins": margins, "dropna": dropna, "margins_name": margins_name, "observed": observed, "sort": sort}
            made = self.pivot_table(keys[0], rows, across, "size", fill_value, **options)
            return made if across or isinstance(made, Series) else made[made.columns[0]].rename(None)
        if not is_expression and (twice := _twice(keys, values, aggfunc)):
            options = {"margins": margins, "dropna": dropna, "margins_name": margins_name, "observed": observed, "sort": sort}
            chosen = [label for label in self.columns if label not in keys] if values is None and not isinstance(aggfunc, dict) else values
            return _of_copies(self, twice, chosen, rows, across, aggfunc, fill_value, options)
        if is_expression:
            if aggfunc not in (None, "mean"):
                raise _error("ValueError", operation, "aggfunc is for labels: values that are expressions are aggregates")
            table = _pivot_table(self, values, rows, across, None, fill_value, name, dropna)
        else:
            rest = [label for label in self.columns if label not in keys]
            chosen = rest if values is None else _labels(operation, "values", values, self)
            if values is None and not isinstance(aggfunc, dict) and not chosen:
                raise _error("ValueError", operation, "there are no columns besides the keys")
            if isinstance(aggfunc, dict):
                _labels(operation, "aggfunc", builtins.list(aggfunc), self)
            if sort:
                chosen, aggfunc = _in_label_order(chosen), _of_sorted_labels(aggfunc)
            is_one = values is not None and not isinstance(values, builtins.list)
            if is_size:
                # The number of rows is that of all columns.
                chosen = chosen[:1]
            parts = _parts(operation, chosen, is_one, bool(across), "mean" if aggfunc is None else aggfunc)
            is_of_one = is_one and isinstance(aggfunc, dict) and builtins.list(aggfunc) == [values]
            has_names = is_of_one and isinstance(aggfunc[values], builtins.list)
            if has_names:
                parts = [(label[-1], aggregate) for label, aggregate in parts]
            if any(not isinstance(aggregate, Expr) for _, aggregate in parts):
                if name is not None:
                    raise _error("NotImplementedError", operation, _NO_MARGINS)
                sources = _sources(chosen, aggfunc)
                frame, parts = _of_functions(self, keys, [(*part, source) for part, source in zip(parts, sources)], dropna)
            exprs = [aggregate.alias(label) for label, aggregate in parts]
            table = _pivot_table(frame, exprs, rows, across, None, fill_value, name, dropna)
            has_level = not is_one or has_names or isinstance(aggfunc, (builtins.list, dict)) and not is_of_one
            if across and builtins.len(parts) == 1 and not is_size and has_level:
                table = _with_level(table, builtins.len(rows), parts[0][0], builtins.len(across))
        made = _labelled(table if sort else _in_order(self, table, rows, across, name is not None), rows, across)
        return made[made.columns[0]].rename(None) if is_size and not across else made


def in_order_of_rows(table, levels):
    """A table whose last levels of labels of columns are those of series, in the order in which these have them, as in pandas."""
    depth = builtins.len(levels)
    rows = DataFrame({f"level {place}": _plain(level) for place, level in enumerate(levels)}).drop_duplicates()
    places = {row: place for place, row in enumerate(zip(*(rows[label].to_list() for label in rows.columns)))}
    firsts = {}
    for label in table.columns:
        firsts.setdefault(label[:-depth], builtins.len(firsts))
    order = sorted(table.columns, key=lambda label: (firsts[label[:-depth]], places.get(label[-depth:], builtins.len(places))))
    return table if order == table.columns else _named(table[order], table._level_names)


def _twice(keys, values, aggfunc):
    """The keys that are values too, or keys of rows and of columns."""
    used = builtins.list(aggfunc) if isinstance(aggfunc, dict) else _listed(values)
    return [key for key in dict.fromkeys(keys) if key in used or keys.count(key) > 1]


def _of_series(self, values, rows, across, aggfunc, fill_value, options):
    """A table of which some keys are series, which go by the labels of rows."""
    columns, names = {}, {}

    def labelled(keys):
        made = []
        for key in keys:
            if not isinstance(key, (Series, Index)):
                made.append(key)
                continue
            label = f"key {builtins.len(columns)} of the table"
            columns[label] = key if isinstance(key, Series) else key.to_series().reset_index(drop=True).with_index(self.index)
            names[label] = key.name
            made.append(label)
        return made

    rows, across = labelled(rows), labelled(across)
    if values is None and not isinstance(aggfunc, dict) and aggfunc != "size":
        values = [label for label in self.columns if label not in rows and label not in across]
    made = self.assign(**columns).pivot_table(values, rows, across, aggfunc, fill_value, **options)
    return _with_names(made, names, across)


def _with_names(made, names, across):
    """A table with other names of keys."""
    levels = [names.get(name, name) for name in made.index.names]
    made = made.with_index(made.index.rename(levels if builtins.len(levels) > 1 else levels[0]))
    return made._with_level_names([names.get(name, name) for name in made._level_names]) if across else made


def _of_copies(self, twice, values, rows, across, aggfunc, fill_value, options):
    """A table whose keys are copies of columns that are needed twice."""
    copies = {}

    def copied(side, keys):
        for key in keys:
            if key in twice:
                copies[side, key] = f"{side} {builtins.len(copies)} of the table"
        return [copies.get((side, key), key) for key in keys]

    row_keys, column_keys = copied("row", rows), copied("column", across)
    frame = self.with_columns(*(col(key).alias(copy) for (_, key), copy in copies.items()))
    made = frame.pivot_table(values, row_keys, column_keys, aggfunc, fill_value, **options)
    return _with_names(made, {copy: key for (_, key), copy in copies.items()}, column_keys)


def _in_label_order(labels, key=None):
    """Labels in order; those that have no order as they are."""
    try:
        return sorted(labels, key=key)
    except TypeError:
        return labels


def _of_sorted_labels(aggfunc):
    """Aggregates by column, with columns and the names of aggregates of one in order."""
    if not isinstance(aggfunc, dict):
        return aggfunc
    by_label = {label: aggfunc[label] for label in _in_label_order(builtins.list(aggfunc))}
    return {label: _in_label_order(of, _name) if isinstance(of, builtins.list) else of for label, of in by_label.items()}


def _sources(values, aggfunc):
    """The column that each part of a table is made of."""
    if isinstance(aggfunc, dict):
        return [
            label for label, functions in aggfunc.items() for _ in (functions if isinstance(functions, builtins.list) else [functions])
        ]
    return builtins.list(values) * (builtins.len(aggfunc) if isinstance(aggfunc, builtins.list) else 1)


def _with_level(table, keys, label, levels):
    """A table of one part, whose label comes before those of its columns."""
    before = label if isinstance(label, tuple) else (label,)
    labels = []
    for place, old in enumerate(table.columns):
        parts = old if isinstance(old, tuple) else (old,)
        labels.append((parts[0], *[""] * (builtins.len(before) + levels - 1)) if place < keys else (*before, *parts))
    return table.set_axis(labels, axis=1)


def _vectors(operation, given, names, kind, argument):
    """The series of an argument of crosstab, and their names."""
    given = given if isinstance(given, (builtins.list, tuple)) and given and all(
        isinstance(part, (Series, builtins.list, tuple)) or hasattr(part, "__array__") for part in given
    ) else [given]
    series = [part if isinstance(part, Series) else Series(builtins.list(part)) for part in given]
    if names is None:
        return series, [part.name if part.name is not None else f"{kind}_{place}" for place, part in enumerate(series)]
    if not isinstance(names, (builtins.list, tuple)) or builtins.len(names) != builtins.len(series):
        raise _error("ValueError", operation, f"{argument} has {builtins.len(series)} names, a list of them")
    return series, builtins.list(names)


def _together(parts):
    """Columns of the rows that all series have."""
    index = parts[0].index
    if all(index.equals(part.index) for part in parts):
        return DataFrame({f"part {place}": part.reset_index(drop=True) for place, part in enumerate(parts)})
    return concat([part.rename(f"part {place}") for place, part in enumerate(parts)], axis=1, join="inner").reset_index(drop=True)


def _shares(table, keys, normalize, has_margins):
    """A table of counts as shares, as pandas makes them."""
    names, labels = table.columns[:keys], table.columns[keys:]
    body, inner = (table.iloc[:-1], labels[:-1]) if has_margins else (table, labels)
    if not inner:
        return table
    body = body.with_columns(*[col(label).cast("float64").fill_null(0.0).alias(label) for label in labels])
    sums = {label: body[label].sum() for label in inner}
    whole = sum(sums.values())
    across = functools.reduce(operator.add, [col(label) for label in inner])

    def share(label):
        if normalize == "index":
            return native.when(across == 0).then(0.0).otherwise(col(label) / across)
        total = whole if normalize == "all" else sums[label]
        return col(label) / total if total else col(label) * 0.0

    exprs, kept, bottom = [share(label).alias(label) for label in inner], builtins.list(inner), {}
    if has_margins:
        side, end = labels[-1], {label: table[label].to_list()[-1] or 0 for label in inner}
        beside, below = body[side].sum(), sum(end.values())
        if normalize in ("all", "columns"):
            kept.append(side)
            exprs.append((col(side) / beside if beside else col(side) * 0.0).alias(side))
        if normalize in ("all", "index"):
            bottom = {label: value / below if below else 0.0 for label, value in end.items()}
        if normalize == "all":
            bottom[side] = 1.0
    upper = body.with_columns(*exprs)[[*names, *kept]]
    if not bottom:
        return upper
    last = table.iloc[-1:].with_columns(*[native.lit(value).alias(label) for label, value in bottom.items()])[[*names, *kept]]
    return concat([upper, last], ignore_index=True)


def crosstab(
    index: Any, columns: Any, values: Any = None, rownames: Any = None, colnames: Any = None, aggfunc: Any = None,
    margins: bool | str | None = False, margins_name: str = "All", dropna: bool = True, normalize: bool | str | int | None = False,
) -> DataFrame:
    """The number of rows with each value of one series, or of several, the row labels, and each value of others, the labels of columns.

    values, aggfunc: what is aggregated instead, and how, as in `pivot_table`.
    rownames: the names of the row labels.
    margins: whether there are a last row and a last column, called `margins_name`, of all rows and columns; or their name.
    normalize: whether values are shares: of all (True or "all"), of a row ("index") or of a column ("columns").
    """
    operation = "crosstab"
    if (values is None) != (aggfunc is None):
        raise _error("ValueError", operation, "values and aggfunc are given together")
    if normalize is None:
        normalize = False
    kinds = {True: "all", 0: "index", 1: "columns"} if not isinstance(normalize, builtins.str) else {}
    kind = {"all": "all", "index": "index", "columns": "columns"}.get(normalize) if isinstance(normalize, builtins.str) else (
        None if normalize is False else "all" if normalize is True else kinds.get(normalize)
    )
    if kind is None and normalize is not False:
        raise _error("ValueError", operation, f'normalize is True, False, "all", "index" or "columns", not {normalize!r}')
    rows, names = _vectors(operation, index, rownames, "row", "rownames")
    across, over = _vectors(operation, columns, colnames, "col", "colnames")
    beside = [] if values is None else [values if isinstance(values, Series) else Series(builtins.list(values))]
    frame, count = _together([*rows, *across, *beside]), builtins.len(rows)
    if builtins.len(set(over)) == builtins.len(over) and not any(builtins.str(label).startswith("part ") for label in over):
        # The labels of the columns that a table has across are the names of its levels.
        frame = frame.set_axis([*frame.columns[:count], *over, *frame.columns[count + builtins.len(over) :]], axis=1)
    name = _checked(operation, frame, margins, margins_name, dropna, True)
    keys, others = frame.columns[:count], frame.columns[count : count + builtins.len(across)]
    aggregate = native.len() if values is None else _aggregate(operation, frame.columns[-1], aggfunc)
    if not isinstance(aggregate, Expr):
        if name is not None:
            raise _error("NotImplementedError", operation, _NO_MARGINS)
        frame, parts = _of_functions(frame, [*keys, *others], [("value", aggregate, frame.columns[-1])], dropna)
        aggregate = parts[0][1]
    filler = 0 if values is None else None
    table = _pivot_table(frame, [aggregate.alias("part value")], keys, others, None, filler, name, dropna)
    return _labelled(table if kind is None else _shares(table, count, kind, name is not None), names, over)


setattr(native, "crosstab", crosstab)
