"""Methods of expressions with the arguments of Polars beside those of pandas, and those that are made of others."""

from __future__ import annotations

import builtins
import functools
import math

from .._arguments import renamed
from .._columnade import Expr, Series, lit, row_number, when
from .._common import _UNSET, _error, _same
from .._frames.conditions import members
from .._install import compiled, install, methods
from .columns import Columns
from .expressions import _window


_LOG, _RANK, _REPLACE = (compiled(Expr, name) for name in ("log", "rank", "replace"))
_WINDOWS = ("sum", "mean", "min", "max", "median", "std", "var", "skew", "kurt", "quantile")


@methods(Expr)
class _OfExpressions:
    """Methods of expressions."""

    def log(self, base=math.e):
        """The logarithm, the natural one unless a base is given."""
        return _LOG(self, base)

    def rank(self, method="average", ascending=_UNSET, pct=False, *, descending=_UNSET):
        """The rank of each value, from 1 on, null for nulls: `method` says that of equal ones. With descending=True, which is
        ascending=False, the greatest value is the first.
        """
        if ascending is not _UNSET and descending is not _UNSET:
            raise _error("TypeError", "rank", "ascending and descending are the same argument")
        return _RANK(self, method, (True if ascending is _UNSET else ascending) if descending is _UNSET else not descending, pct)

    def replace(self, old=_UNSET, new=_UNSET, *, pairs=_UNSET):
        """New values for old ones, given as a dictionary or as two lists; other values stay."""
        old = _same(old, pairs, "old", "pairs", _UNSET, "replace")
        if old is _UNSET:
            raise _error("TypeError", "replace", "give a dictionary, or old and new values")
        if new is _UNSET:
            return _REPLACE(self, old)
        return _REPLACE(self, _pairs(old, new, "replace")).alias(self.label)

    def cut(self, breaks, *, labels=None, left_closed=False):
        """The interval between breaks in which each number is, as a category: "(1, 3]", or "[1, 3)" with `left_closed`, or one of
        `labels`, one more than there are breaks.
        """
        breaks = builtins.list(breaks)
        names = _names_of(breaks, labels, left_closed, "cut")
        return _between(self, breaks, names, left_closed)

    def qcut(self, quantiles, *, labels=None, left_closed=False):
        """The interval between quantiles in which each number is, as a category: between some of 0 to 1, or of so many intervals of as
        many values. Labels are one more than there are breaks.
        """
        if isinstance(quantiles, int):
            quantiles = [place / quantiles for place in range(1, quantiles)]
        if labels is None:
            return Columns(_cut_by_quantiles, self, builtins.list(quantiles), left_closed)
        breaks = [self.quantile(part, "linear") for part in quantiles]
        return _between(self, breaks, _names_of(breaks, labels, left_closed, "qcut"), left_closed)

    def rle_id(self):
        """The number of the run of equal values that each row is in, from 0 on."""
        starts = self.ne_missing(self.shift(1)) & (row_number() > 1)
        return starts.cast("int64").cum_sum().alias(self.label)

    def set_sorted(self, *, descending=False):
        """The expression itself: whether values are sorted is found out where it is of use."""
        return self


def _cut_by_quantiles(context, expression, quantiles, left_closed):
    if context.has_groups():
        raise _error("NotImplementedError", context.operation, "qcut without labels is not implemented in groups: give labels")
    breaks = [context.frame.agg(expression.quantile(part, "linear").alias("\0"))["\0"].to_list()[0] for part in quantiles]
    return context.parts(expression.cut(breaks, left_closed=left_closed))


def _pairs(old, new, operation):
    old = builtins.list(old) if isinstance(old, (builtins.list, tuple)) else [old]
    new = builtins.list(new) if isinstance(new, (builtins.list, tuple)) else [new] * builtins.len(old)
    if builtins.len(old) != builtins.len(new):
        raise _error("ValueError", operation, f"{builtins.len(new)} new values for {builtins.len(old)} old ones")
    return dict(zip(old, new))


def _shown(value):
    text = repr(value)
    return text.removesuffix(".0") if isinstance(value, float) else text


def _names_of(breaks, labels, left_closed, operation):
    if labels is not None:
        labels = builtins.list(labels)
        if builtins.len(labels) != builtins.len(breaks) + 1:
            raise _error("ValueError", operation, f"{builtins.len(labels)} labels for {builtins.len(breaks) + 1} intervals")
        return labels
    edges = ["-inf", *map(_shown, breaks), "inf"]
    opening, end = ("[", ")") if left_closed else ("(", "]")
    return [f"{opening}{low}, {high}{end}" for low, high in zip(edges, edges[1:])]


def _between(values, breaks, names, left_closed):
    # NaN is in no interval: it is not beyond the last break, and not equal to itself.
    is_last = values == values if not breaks else values >= breaks[-1] if left_closed else values > breaks[-1]
    made = when(is_last).then(lit(names[-1])).otherwise(None)
    for edge, name in zip(reversed(breaks), reversed(names[:-1])):
        made = when(values < edge if left_closed else values <= edge).then(lit(name)).otherwise(made)
    known = when(values.is_null()).then(None).otherwise(made)
    return known.cast("category").alias(values.label)


def _with_spans(compute, place):
    """A method of windows whose size may be a text such as "2h" where `by` has the times."""

    @functools.wraps(compute)
    def method(self, *args, **kwargs):
        is_first = builtins.len(args) > place
        window = args[place] if is_first else kwargs.get("window")
        # The times are the third argument behind the window, and the fourth one behind that of quantiles.
        times = 2 * place + 3
        by = args[times] if builtins.len(args) > times else kwargs.get("by")
        if by is None or isinstance(window, bool) or not isinstance(window, (int, builtins.str)):
            return compute(self, *args, **kwargs)
        if isinstance(window, int):
            raise _error("TypeError", compute.__name__, f'window_size is a span of time with by, such as "2h", not {window!r}')
        span = _window(window, compute.__name__)
        return compute(self, *args[:place], span, *args[place + 1 :], **kwargs) if is_first else compute(self, *args, **{**kwargs, "window": span})

    return method


def _windows(name, leading=""):
    shown = {
        "quantile": lambda self, /, q, window_size, interpolation="linear", min_samples=None, center=False, by=None, closed=None: None,
    }.get(name, lambda self, /, window_size, min_samples=None, center=False, by=None, closed=None: None)
    compute = _with_spans(compiled(Expr, f"rolling_{name}"), 1 if name == "quantile" else 0)
    install(Expr, f"rolling_{name}", renamed(compute, shown, window_size="window", min_samples="min_periods"))
    # Series have the names of the compiled method alone.
    of_series = {
        "quantile": lambda self, /, q, window, interpolation="linear", min_periods=None, center=False, closed=None: None,
    }.get(name, lambda self, /, window, min_periods=None, center=False, closed=None: None)
    install(Series, f"rolling_{name}", renamed(compiled(Series, f"rolling_{name}"), of_series))


for _name in _WINDOWS:
    _windows(_name)
def _clip():
    compute = compiled(Expr, "clip")

    @functools.wraps(compute)
    def clip(self, lower=None, upper=None):
        if isinstance(lower, builtins.str) and isinstance(upper, builtins.str):
            # Bounds of ordered categories are compared with these; what the first bound makes of them is text.
            return when(self < lower).then(lit(lower)).when(self > upper).then(lit(upper)).otherwise(self).alias(self.label)
        return compute(self, lower, upper)

    return clip


def _among():
    compute = compiled(Expr, "is_in")

    @functools.wraps(compute)
    def is_in(self, values):
        return compute(self, members(values, "is_in"))

    return is_in


install(Expr, "is_in", _among())
install(Expr, "clip", renamed(_clip(), lambda self, /, lower_bound=None, upper_bound=None: None, lower_bound="lower", upper_bound="upper"))
for _name in ("ewm_mean", "ewm_std", "ewm_var"):
    install(Expr, _name, renamed(
        compiled(Expr, _name),
        lambda self, /, com=None, span=None, halflife=None, alpha=None, min_samples=0, adjust=True, ignore_na=False, bias=False: None,
        min_samples="min_periods", half_life="halflife", ignore_nulls="ignore_na",
    ))
del _name
