"""Names of pandas for row labels that need no Rust."""

from __future__ import annotations

import builtins

from .._columnade import DataFrame, Index
from .._common import _error, _keep
from .._install import aliases, compiled, methods

_DUPLICATED = compiled(Index, "duplicated")


def _values(index, operation):
    """The labels of one level, as a series with labels of its own."""
    if index.nlevels != 1:
        raise _error("TypeError", operation, f"the labels have {index.nlevels} levels: take one with get_level_values")
    return index.to_series().reset_index(drop=True)


def _index(values, index):
    return Index(values).rename(index.names[0])


def _end_of(index, operation, place):
    """The smallest (place 0) or the largest label (-1) that is not null; None without one."""
    if index.kind == "range" and builtins.len(index):
        # The last one of a range that goes down is the smallest.
        return index[place if index.step > 0 else -1 - place]
    if index.nlevels == 1:
        return getattr(_values(index, operation), operation)()
    kept = index.dropna()
    return kept.sort_values()[place] if builtins.len(kept) else None


def _bounds(index, place):
    if index.kind != "range":
        raise AttributeError(f"labels of kind {index.kind} have no start, stop and step")
    return index.bounds[place]


@methods(Index)
class _OfIndexes:
    """Methods of row labels."""

    @property
    def start(self):
        """The first label of a range."""
        return _bounds(self, 0)

    @property
    def stop(self):
        """The label after the last one of a range."""
        return _bounds(self, 1)

    @property
    def step(self):
        """The distance of the labels of a range."""
        return _bounds(self, 2)

    @property
    def values(self):
        """The labels as an array of numpy."""
        return self.to_numpy()

    @property
    def size(self):
        """The number of labels."""
        return builtins.len(self)

    @property
    def shape(self):
        """The number of labels, as a tuple."""
        return (builtins.len(self),)

    @property
    def ndim(self):
        """1."""
        return 1

    @property
    def empty(self):
        """Whether there are no labels."""
        return builtins.len(self) == 0

    @property
    def T(self):
        """The labels themselves."""
        return self

    @property
    def has_duplicates(self):
        """Whether a label comes twice."""
        return not self.is_unique

    @property
    def nbytes(self):
        """The bytes of the labels."""
        return self.memory_usage()

    def memory_usage(self, deep=False):
        """The bytes of the labels; those of a range are not kept."""
        return 0 if self.kind == "range" else builtins.sum(of.memory_usage(index=False) for _, of in self.to_frame().items())

    def transpose(self):
        """The labels themselves."""
        return self

    def copy(self, name=None, deep=False):
        """The labels, with another name where one is given. They do not change."""
        return self if name is None else self.rename(name)

    def item(self):
        """The only label."""
        if builtins.len(self) != 1:
            raise _error("ValueError", "item", f"there are {builtins.len(self)} labels, not one")
        return self.to_list()[0]

    def min(self):
        """The smallest label that is not null."""
        return _end_of(self, "min", 0)

    def max(self):
        """The largest label that is not null."""
        return _end_of(self, "max", -1)

    def argmin(self):
        """The position of the smallest label."""
        if self.kind == "range" and builtins.len(self):
            return 0 if self.step > 0 else builtins.len(self) - 1
        return _values(self, "argmin").arg_min()

    def argmax(self):
        """The position of the largest label."""
        if self.kind == "range" and builtins.len(self):
            return 0 if self.step < 0 else builtins.len(self) - 1
        return _values(self, "argmax").arg_max()

    def any(self):
        """Whether a label is true."""
        return _values(self, "any").cast("bool").any()

    def all(self):
        """Whether all labels are true."""
        return _values(self, "all").cast("bool").all()

    def nunique(self, dropna=True):
        """The number of distinct labels, nulls left out or as one."""
        kept = self.unique()
        return builtins.len(kept.dropna() if dropna else kept)

    def isin(self, values, level=None):
        """Whether each label, or that of a level, is one of these: an array."""
        if level is not None:
            return self.get_level_values(level).isin(values)
        if self.nlevels == 1 and isinstance(values, Index) and values.kind == "range" and values.step and self.dtype.is_numeric:
            own, (start, stop, step) = _values(self, "isin"), values.bounds
            is_between = (own >= start) & (own < stop) if step > 0 else (own <= start) & (own > stop)
            return (is_between & ((own - start) % step == 0)).fill_null(False).to_numpy()
        if self.nlevels == 1:
            return _values(self, "isin").isin(values.to_list() if isinstance(values, Index) else values).to_numpy()
        import numpy

        known = set(values.to_list() if isinstance(values, Index) else map(tuple, values))
        return numpy.array([label in known for label in self.to_list()], dtype=bool)

    def isna(self):
        """Whether each label is null: an array."""
        return _values(self, "isna").is_null().to_numpy()

    def notna(self):
        """Whether each label is not null: an array."""
        return _values(self, "notna").is_not_null().to_numpy()

    isnull, notnull = isna, notna

    def dropna(self, how="any"):
        """The labels without nulls; of several levels those without one, or with how="all" those that are not all null."""
        if how not in ("any", "all"):
            raise _error("ValueError", "dropna", 'how is "any" or "all"')
        if self.nlevels == 1:
            return self if not self.hasnans else _index(_values(self, "dropna").drop_nulls(), self)
        frame = self.to_frame().reset_index(drop=True)
        kept = frame.drop_nulls(how=how)
        return self if builtins.len(kept) == builtins.len(self) else Index.from_frame(kept)

    def duplicated(self, keep="first"):
        """Whether each label came before, with keep="last" whether it comes later, and with keep=False whether it is there twice: an
        array.
        """
        return _DUPLICATED(self, keep if keep == "none" else _keep(keep, "duplicated")).to_numpy()

    def drop_duplicates(self, keep="first"):
        """The distinct labels; with keep=False those that come once."""
        keep = _keep(keep, "drop_duplicates")
        if self.is_unique:
            return self
        frame = DataFrame({"": [0] * builtins.len(self)}).with_index(self)
        return frame[~_DUPLICATED(self, keep).with_index(self)].index

    def map(self, mapper, na_action=None):
        """What a dictionary, a series by its labels or a function has for each label: labels."""
        if self.nlevels == 1:
            return _index(_values(self, "map").map(mapper, na_action=na_action), self)
        call = mapper.get if isinstance(mapper, dict) else mapper
        return Index([call(label) for label in self.to_list()])

    def value_counts(self, normalize=False, sort=True, ascending=False, bins=None, dropna=True):
        """How often each label occurs, see `Series.value_counts`."""
        options = {"normalize": normalize, "sort": sort, "ascending": ascending, "bins": bins, "dropna": dropna}
        if self.nlevels == 1:
            return _values(self, "value_counts").value_counts(**options)
        if bins is not None:
            raise _error("TypeError", "value_counts", "labels of several levels have no bins")
        del options["bins"]
        levels = self.rename(builtins.list(range(self.nlevels))).to_frame().reset_index(drop=True)
        return levels.value_counts(**options).rename_axis(builtins.list(self.names))

    def take(self, indices):
        """The labels at some positions; negative ones count from the end."""
        return DataFrame({"": [0] * builtins.len(self)}).with_index(self).take(indices).index

    def set_names(self, names, level=None):
        """Other names of the levels, or of one of them."""
        if level is None:
            return self.rename(names)
        known = builtins.list(self.names)
        is_place = isinstance(level, int) and level not in known
        if not is_place and not any(level is name or (type(level) is type(name) and level == name) for name in known):
            raise _error("KeyError", "set_names", f"there is no level {level!r}")
        place = level if is_place else known.index(level)
        known[place] = names
        return self.rename(known if self.nlevels > 1 else known[0])

    def diff(self, periods=1):
        """Each label less the one before."""
        return _index(_values(self, "diff").diff(periods), self)

    def get_indexer_for(self, target):
        """The positions of other labels, whether or not these are unique."""
        return self.get_indexer(target) if self.is_unique else self.get_indexer_non_unique(target)[0]

    def to_flat_index(self):
        """The labels in one level: of several, tuples are not labels of one."""
        if self.nlevels > 1:
            raise _error("NotImplementedError", "to_flat_index", "labels that are tuples are not implemented")
        return self


aliases(Index, tolist="to_list")
