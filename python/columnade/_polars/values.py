"""More names of Polars for expressions: aggregates, positions, bits and windows, of which many depend on the dtype that a frame tells."""

from __future__ import annotations

import builtins
import functools
import math

from .._columnade import DataFrame, DType, Expr, Index, Series, col, concat, lit, row_number, struct_of, when
from .._common import _error, across
from .._errors import under
from .._install import install, methods
from .columns import Columns, Part, expression_of, root_of
from .dtypes import as_dtype
from .expressions import _expression, _literal
from .rows import _STEPS, Rows, _flag, _numbers, _of_function, _of_rows, in_order_of

_AT, _ITEMS = "\0at", "\0items"


def computed(context, expression, name, args, kwargs):
    """What a method makes of an expression when the frame is known."""
    made, is_whole = _COMPUTED[name](context, expression, *args, **kwargs), name in _WHOLE or None
    return [Part(expression.label, None, made.alias(expression.label) if isinstance(made, Expr) else made, is_whole)]


def _later(expression, name, /, *args, **kwargs):
    return Columns(computed, expression, name, args, kwargs)


def _dtype(context, expression):
    return context.frame[:0].select(expression.alias("\0values"))["\0values"].dtype


def _bits(context, expression, operation):
    """The dtype of integers as text, and the number of their bits."""
    dtype = builtins.str(_dtype(context, expression))
    if dtype == "bool":
        return dtype, 1
    if not dtype.startswith(("int", "uint")):
        raise _error("TypeError", operation, f"{expression.label!r} is {dtype}, and has no bits: integers and booleans have")
    return dtype, int(dtype.lstrip("uint"))


def _one(context, value):
    """A column, an expression or a constant as an expression."""
    if isinstance(value, Columns):
        part, = context.parts(value)
        return expression_of(part, context)
    return _expression(value)


def _count(value, operation, argument, least=0):
    if isinstance(value, bool) or not isinstance(value, int):
        raise _error("TypeError", operation, f"{argument} is an integer, not {value!r}")
    if value < least:
        raise _error("ValueError", operation, f"{argument} is at least {least}, not {value}")
    return value


def _single(expression, value):
    """A known value as an aggregate of an expression."""
    return when(expression.len() >= 0).then(value).otherwise(None)


# Bits ------------------------------------------------------------------------------------------------------------------------
def _halves(values, dtype, width):
    """The upper and the lower 32 bits of integers."""
    if dtype == "uint64":
        low = values.bit_and(lit(2**32 - 1).cast("uint64")).cast("int64")
        return (values // lit(2**32).cast("uint64")).cast("int64"), low
    wide = values.cast("int64")
    return (wide.shift_right(32).bit_and(2**32 - 1) if width == 64 else lit(0)), wide.bit_and(2 ** builtins.min(width, 32) - 1)


def _ones(values):
    """The number of bits of 32 that are set."""
    made = values - values.shift_right(1).bit_and(0x55555555)
    made = made.bit_and(0x33333333) + made.shift_right(2).bit_and(0x33333333)
    made = (made + made.shift_right(4)).bit_and(0x0F0F0F0F)
    made = made + made.shift_right(8)
    return (made + made.shift_right(16)).bit_and(0x3F)


def _leading(values):
    """The number of bits of 32 up to the uppermost one that is set."""
    for step in (1, 2, 4, 8, 16):
        values = values.bit_or(values.shift_right(step))
    return _ones(values)


def _trailing(values):
    """The number of bits of 32 below the lowest one that is set, which there is."""
    return _ones(values.bit_and(-values) - 1)


def _counted_bits(context, expression, kind, is_set):
    dtype, width = _bits(context, expression, f"bitwise_{kind}_{'ones' if is_set else 'zeros'}")
    high, low = _halves(expression, dtype, width)
    if kind == "count":
        ones = _ones(high) + _ones(low)
        return ones if is_set else width - ones
    if is_set:
        high, low = (2**32 - 1 - high if width == 64 else high), 2 ** builtins.min(width, 32) - 1 - low
    if kind == "leading":
        return width - when(high > 0).then(32 + _leading(high)).otherwise(_leading(low))
    return when(low > 0).then(_trailing(low)).when(high > 0).then(32 + _trailing(high)).when(low.is_null()).then(None).otherwise(width)


def _reduced(context, expression, kind):
    dtype, width = _bits(context, expression, f"bitwise_{kind}")
    if dtype == "bool":
        numbers = expression.cast("int64")
        made = {"and": numbers.min(), "or": numbers.max(), "xor": numbers.sum() % 2}[kind] == 1
    else:
        high, low = _halves(expression, dtype, width)
        parts = []
        for place in range(width):
            bit = (high if place >= 32 else low).shift_right(place % 32).bit_and(1)
            bit = bit.min() if kind == "and" else bit.max() if kind == "or" else bit.sum() % 2
            last = place == width - 1 and dtype.startswith("int")
            if dtype == "uint64":
                parts.append(bit.cast("uint64") * lit(2**place).cast("uint64"))
            else:
                parts.append(-(2**place) * bit if last else bit * 2**place)
        made = across(Expr.__add__, parts).cast(dtype)
    return when(expression.count() > 0).then(made).otherwise(None)


def _reinterpreted(context, expression, signed, wanted=None):
    dtype, width = _bits(context, expression, "reinterpret")
    if dtype == "bool":
        raise _error("TypeError", "reinterpret", f"{expression.label!r} is bool: integers are reinterpreted")
    made = f"{'' if signed else 'u'}int{width}"
    if wanted not in (None, made):
        raise _error("TypeError", "reinterpret", f"{expression.label!r} is {dtype}, which has other bits than {wanted}")
    wanted = made
    if wanted == dtype:
        return expression
    if width < 64:
        made = expression.cast("int64").bit_and(2**width - 1)
        return (when(made >= 2 ** (width - 1)).then(made - 2**width).otherwise(made) if signed else made).cast(wanted)
    if signed:
        half = lit(2**63).cast("uint64")
        upper = when(expression >= half).then(expression - half).otherwise(None).cast("int64") - (2**63 - 1) - 1
        return when(expression >= half).then(upper).otherwise(when(expression < half).then(expression).otherwise(None).cast("int64"))
    low = when(expression < 0).then(expression - -(2**63)).otherwise(expression).cast("uint64")
    return when(expression < 0).then(low + lit(2**63).cast("uint64")).otherwise(low)


# Values ------------------------------------------------------------------------------------------------------------------------
_PHYSICAL = {"date32": "int32", "time32": "int32"}


def _physical(context, expression):
    dtype = builtins.str(_dtype(context, expression))
    if dtype.startswith("dictionary"):
        return expression.cat.codes().cast("uint32")
    kind = dtype.partition("[")[0]
    return expression.cast(_PHYSICAL.get(kind, "int64")) if kind in ("date32", "time32", "time64", "timestamp", "duration") else expression


def _extreme(context, expression, name):
    made = getattr(expression, name)()
    if not builtins.str(_dtype(context, expression)).startswith("float"):
        return made
    return when(expression.is_nan().any()).then(math.nan).otherwise(made)


def _cut(context, expression, other):
    other, dtypes = _one(context, other), [builtins.str(_dtype(context, expression))]
    dtypes.append(builtins.str(_dtype(context, other)))
    if any(dtype.startswith("float") for dtype in dtypes):
        return (expression / other).trunc()
    floor = expression // other
    return floor + ((floor < 0) & (expression % other != 0)).cast("int64")


def _rounded(values):
    """Numbers rounded to whole ones, halves away from 0 as in Polars."""
    whole = values.trunc()
    rest = values - whole
    return whole + (rest >= 0.5).cast("float64") - (rest <= -0.5).cast("float64")


def _significant(context, expression, digits):
    dtype = builtins.str(_dtype(context, expression))
    values = expression.cast("float64")
    away = values.abs().log10().floor() - (digits - 1)
    up, down = lit(10.0).pow((-away).clip(0, None)), lit(10.0).pow(away.clip(0, None))
    made = when(away > 0).then(_rounded(values / down) * down).otherwise(_rounded(values * up) / up)
    return when(made.is_finite()).then(made).otherwise(values).cast(dtype)


def _bound(context, expression, is_upper):
    dtype = builtins.str(_dtype(context, expression))
    if dtype.startswith("float"):
        return _single(expression, lit(math.inf if is_upper else -math.inf).cast(dtype))
    _, width = (None, 1) if dtype == "bool" else _bits(context, expression, "upper_bound" if is_upper else "lower_bound")
    if width == 1:
        raise _error("TypeError", "upper_bound" if is_upper else "lower_bound", f"{expression.label!r} is bool, which has no bounds")
    signed = dtype.startswith("int")
    return _single(expression, lit((2 ** (width - signed) - 1) if is_upper else -(2 ** (width - 1)) if signed else 0).cast(dtype))


def _between_known(context, expression, by):
    by, values = _one(context, by), expression.cast("float64")
    dtype = builtins.str(_dtype(context, by))
    places = by if "int" in dtype or dtype.startswith("float") else by.cast("int32" if dtype == "date32" else "int64")
    if context.values(by).null_count:
        raise _error("ValueError", "interpolate_by", f"{by.label!r} has nulls")
    places = places.cast("float64")
    known = when(values.is_not_null()).then(places).otherwise(None)
    first, last, start, end = known.fill_forward(), known.fill_backward(), values.fill_forward(), values.fill_backward()
    made = when(values.is_not_null()).then(values).otherwise(start + (places - first) * ((end - start) / (last - first)))
    return in_order_of(context, made, [], [by], False, False, True)[0].value


def _only(context, expression, allow_empty):
    counts = [builtins.len(context.frame)]
    if context.has_groups():
        counts = context.values(context.group()).value_counts().to_list()
    wrong = [count for count in counts if count != 1 and (count or not allow_empty)]
    if wrong:
        raise _error("ValueError", "item", f"there are {wrong[0]} values of {expression.label!r}, not one")
    return expression.nth(0)


def _is_sorted(context, expression, descending, nulls_last):
    if context.has_groups():
        raise _error("NotImplementedError", context.operation, "is_sorted is not implemented in groups")
    return _single(expression, context.values(expression).is_sorted(not descending, not nulls_last))


def _searched(context, expression, element, side, descending):
    if context.has_groups():
        raise _error("NotImplementedError", context.operation, "search_sorted is not implemented in groups")
    values = context.values(expression)
    if isinstance(element, Series):
        wanted, is_one = element.reset_index(drop=True), False
    elif isinstance(element, (Expr, Columns, builtins.str)) and not (isinstance(element, builtins.str) and builtins.str(values.dtype) == "utf8"):
        part, = context.parts(element)
        wanted, is_one = context.values(part.value) if isinstance(part.value, Expr) else part.value.series, False
        is_one = isinstance(part.value, Expr) and root_of(part.value) is None
        wanted = wanted.head(1) if is_one else wanted
    else:
        wanted, is_one = needles(element, values)
    made = positions(values.rename(expression.label), wanted, side, descending)
    return _single(expression, made.to_list()[0]) if is_one else Rows(made)


def needles(element, values):
    """What is searched among values, as a series, and whether it is one value. A list is one among lists, and several values among others."""
    several = isinstance(element, (Index, Series)) or getattr(element, "shape", ()) != () or hasattr(element, "__arrow_c_stream__")
    if isinstance(element, (builtins.list, tuple, range)) and not builtins.str(values.dtype).startswith("list<"):
        element, several = builtins.list(element), True
    # A series has one dimension: rows of arrays are lists.
    element = element.tolist() if builtins.len(getattr(element, "shape", ())) > 1 else element
    with under("search_sorted"):
        made = element if isinstance(element, Series) else Series(element if several else [element], device=values.device)
    return made.reset_index(drop=True), not several


def positions(values, wanted, side, descending):
    """The positions of wanted values among sorted ones, whose nulls are together at one of the ends. Nulls are equal, and NaN is the greatest.

    Nulls within lists and structs are at the end at which nulls are. Without these, they are where the values are in order: at the end, as
    `sort_values` puts them, unless the values are in order only with nulls first.
    """
    if side not in ("any", "left", "right"):
        raise _error("ValueError", "search_sorted", f'side is "any", "left" or "right", not {side!r}')
    nulls_first = not values.tail(1).null_count or bool(values.head(1).null_count)
    known, nulls = values.drop_nulls().reset_index(drop=True), values.null_count
    count = builtins.len(wanted)
    # Nulls, and empty lists, take the dtype of the others.
    if wanted.null_count == count or _is_like(wanted.dtype, known.dtype):
        wanted = wanted.cast(known.dtype)
    asked = wanted.rename("\0w").to_frame().select((row_number() - 1).alias("\0at"), "\0w").drop_nulls()
    wanted, side_of = asked["\0w"].reset_index(drop=True).rename(wanted.name), "right" if side == "right" else "left"
    with under("search_sorted"):
        found = _found(known, wanted, side_of, descending, nulls_first and nulls) if builtins.len(asked) else []
    found = Series(found, dtype="int64", device=values.device) + (nulls if nulls_first else 0)
    at_null = (0 if side != "right" else nulls) if nulls_first else (builtins.len(known) if side != "right" else builtins.len(values))
    whole = Series([at_null], dtype="int64", device=values.device).repeat(count).reset_index(drop=True)
    # The labels are the positions.
    return whole.set_iloc(asked["\0at"], found.with_index(Index(asked["\0at"]))) if builtins.len(asked) else whole


def _is_like(dtype, other):
    """Whether a dtype is another one but for what is null in it, as in empty lists."""
    if builtins.str(dtype) == "null" or dtype == other:
        return True
    if dtype.value_type is not None and other.value_type is not None:
        return _is_like(dtype.value_type, other.value_type)
    mine, others = dict(dtype.fields or ()), dict(other.fields or ())
    return bool(mine) and builtins.list(mine) == builtins.list(others) and all(_is_like(mine[name], others[name]) for name in mine)


def _found(known, wanted, side, descending, nulls_first):
    """The positions of values among sorted ones, of which none is null but within lists and structs."""
    if builtins.str(known.dtype).startswith(("list<", "struct<")):
        nulls_first = bool(nulls_first) or not known.is_sorted(not descending, False) and known.is_sorted(not descending, True)
        label = "self" if known.name is None else known.name
        return known.to_frame(label).search_sorted(label, wanted.to_frame(label), side, not descending, nulls_first)
    # Values of other dtypes, such as categories by their text, are searched by the method of pandas, in ascending order.
    if not descending:
        return known.searchsorted(wanted, side=side)
    return builtins.len(known) - known.iloc[::-1].searchsorted(wanted, side="left" if side == "right" else "right")


def _repeated(context, expression, by):
    values, counts = context.values(expression), context.values(_one(context, by)).cast("int64")
    if (counts < 0).fill_null(False).any():
        raise _error("ValueError", "repeat_by", "a number of times is not negative")
    times = counts.fill_null(0)
    items = values.repeat(times).reset_index(drop=True)
    return context.column(lists_of(_numbers(values).repeat(times).reset_index(drop=True), items, counts.is_null()))


def lists_of(rows, items, is_null):
    """Lists of items by the numbers of their rows, which ascend: empty where there is none, and null where `is_null` says so."""
    lists = DataFrame({_AT: rows, _ITEMS: items}).group_by(_AT).agg(col(_ITEMS).collect().alias(_ITEMS))
    made = _numbers(is_null).rename(_AT).to_frame().merge(lists, on=_AT, how="left")[_ITEMS]
    return made.reset_index(drop=True).fill_null([]).mask(is_null.reset_index(drop=True))


# Rows of another number ----------------------------------------------------------------------------------------------------
def _constant(context, values, value, n):
    n = _count(n, "extend_constant", "n")
    if isinstance(value, (Expr, Columns, Series)):
        raise _error("NotImplementedError", "extend_constant", "value is a constant: append takes expressions")
    more = Series([value], dtype=values.dtype, device=values.device).repeat(n).rename(values.name)
    return concat([values, more], ignore_index=True) if n else values


def _shaped(context, values, dimensions):
    dimensions = builtins.list(dimensions) if isinstance(dimensions, (builtins.list, tuple)) else [dimensions]
    if builtins.len(dimensions) not in (1, 2) or not all(isinstance(size, int) and size >= -1 for size in dimensions):
        raise _error("ValueError", "reshape", "dimensions are one or two integers, of which one may be -1")
    if builtins.str(values.dtype).startswith("list<"):
        values = values[(values.list.len() > 0).fill_null(False)].explode(ignore_index=True)
    count = builtins.len(values)
    if builtins.len(dimensions) == 1:
        if dimensions[0] not in (-1, count):
            raise _error("ValueError", "reshape", f"{count} values are not {dimensions[0]}")
        return values
    rows, width = dimensions
    width = count // rows if width == -1 and rows > 0 else width
    if width < 1 or rows * width != count if rows != -1 else width < 1 or count % width:
        raise _error("ValueError", "reshape", f"{count} values have no shape of {tuple(dimensions)}")
    return lists_of(_numbers(values) // width, values, Series([False], device=values.device).repeat(count // width).reset_index(drop=True))


def _runs(context, values):
    frame = values.rename(_ITEMS).to_frame().with_columns(col(_ITEMS).rle_id().alias(_AT))
    made = frame.group_by(_AT).agg(col(_AT).count().alias("len"), col(_ITEMS).nth(0).alias("value"))
    return made.select(struct_of("len", "value").alias(_ITEMS))[_ITEMS].rename(values.name)


_STEPS.update({
    "extend_constant": _constant, "reshape": _shaped, "rle": _runs,
    "shuffle": lambda context, values, seed=None: values.sample(frac=1.0, random_state=seed),
    "unique_counts": lambda context, values: values.rename(_ITEMS).to_frame().group_by(_ITEMS, dropna=False).len(_AT)[_AT].rename(values.name),
})
_COMPUTED = {
    "bitwise_count": _counted_bits, "bitwise": _reduced, "reinterpret": _reinterpreted,
    "to_physical": _physical, "nan_extreme": _extreme, "truncdiv": _cut, "round_sig_figs": _significant, "bound": _bound,
    "interpolate_by": _between_known, "item": _only, "is_sorted": _is_sorted, "search_sorted": _searched, "repeat_by": _repeated,
}
# What is computed with all rows.
_WHOLE = {"interpolate_by", "is_sorted", "search_sorted", "repeat_by"}


# What a function of a series makes -----------------------------------------------------------------------------------------
def _printed(fmt, values):
    print(fmt.format(values))
    return values


def _decayed(options, values):
    return values.ewm(**options).sum().mask(values.is_null())


def _of_windows(function, options, values):
    return values.rolling(**options).apply(function)


def _of_extreme(values, key, extreme):
    found, first = key == extreme, values.filter(key.is_not_null()).nth(0)
    # The extreme of NaN alone is equal to none of them.
    return when(found.any()).then(values.filter(found).nth(0)).otherwise(first).alias(values.label)


def _greater(values, other):
    """Whether numbers are greater than others, of which NaN is the greatest."""
    return (values > other) | (values.is_nan() & other.is_not_nan())


@methods(Expr)
class _OfExpressions:
    """Methods of expressions."""

    @property
    def struct(self):
        """Functions of structs, see `struct_`."""
        return self.struct_

    # Aggregates
    def max_by(self, by):
        """The value of the row in which another column or expression is greatest, of equal ones the first: an aggregate. Nulls of `by` are
        left out, and NaN where there are numbers; null where there is nothing else.
        """
        key = _expression(by)
        return _of_extreme(self, key, key.max())

    def min_by(self, by):
        """The value of the row in which another column or expression is least, see `max_by`."""
        key = _expression(by)
        return _of_extreme(self, key, key.min())

    def nan_max(self):
        """The greatest value, NaN where one is NaN; nulls are left out."""
        return _later(self, "nan_extreme", "max")

    def nan_min(self):
        """The least value, NaN where one is NaN; nulls are left out."""
        return _later(self, "nan_extreme", "min")

    def index_of(self, element):
        """The position of the first row with a value, which is an expression or a literal, or null where there is none. Nulls are equal, and
        NaN to NaN.
        """
        is_nan = isinstance(element, float) and math.isnan(element)
        found = self.is_nan().fill_null(False) if is_nan else self.eq_missing(_literal(element))
        return when(found.any()).then(found.cast("int8").collect().list.index(1)).otherwise(None).alias(self.label)

    def is_empty(self, *, ignore_nulls=False):
        """Whether there are no rows, or with `ignore_nulls` no values that are not null."""
        return ((self.count() if ignore_nulls else self.len()) == 0).alias(self.label)

    def item(self, *, allow_empty=False):
        """The only value: more of them, or none, are an error. With `allow_empty` it is null where there is none."""
        return _later(self, "item", _flag(allow_empty, "allow_empty", "item"))

    def is_sorted(self, *, descending=False, nulls_last=False):
        """Whether the values are in order, nulls before or with `nulls_last` behind them: an aggregate of all rows."""
        descending, nulls_last = _flag(descending, "descending", "is_sorted"), _flag(nulls_last, "nulls_last", "is_sorted")
        return _later(self, "is_sorted", descending, nulls_last)

    def entropy(self, base=math.e, *, normalize=True):
        """Minus the sum of the products of each number and its logarithm. With `normalize` the numbers are divided by their sum before. NaN
        where one is not above 0; nulls are left out. As in Polars it is 0 of one row.
        """
        values = self.cast("float64")
        parts = values / values.sum() if _flag(normalize, "normalize", "entropy") else values
        return when(self.len() == 1).then(0.0).otherwise(-(parts * parts.log(base)).sum()).alias(self.label)

    def bitwise_and(self):
        """The bits that are set in all integers, or whether all booleans are true. Nulls are left out; null where there is nothing else."""
        return _later(self, "bitwise", "and")

    def bitwise_or(self):
        """The bits that are set in one of the integers, or whether one of the booleans is true, see `bitwise_and`."""
        return _later(self, "bitwise", "or")

    def bitwise_xor(self):
        """The bits that are set in an odd number of the integers, or whether so many booleans are true, see `bitwise_and`."""
        return _later(self, "bitwise", "xor")

    # Values
    def peak_max(self):
        """Whether each number is greater than the one before and the one behind it; null where one of them is. As in Polars, the numbers
        before the first and behind the last row are 0. NaN is the greatest.
        """
        return (_greater(self, self.shift(1, 0)) & _greater(self, self.shift(-1, 0))).alias(self.label)

    def peak_min(self):
        """Whether each number is less than the one before and the one behind it, see `peak_max`."""
        return (_greater(self.shift(1, 0), self) & _greater(self.shift(-1, 0), self)).alias(self.label)

    def to_physical(self):
        """The integers that represent times, durations and categories; other values stay."""
        return _later(self, "to_physical")

    def truncdiv(self, other):
        """The quotient with a column, an expression or a number, rounded towards 0. Null where an integer is divided by 0."""
        return _later(self, "truncdiv", other)

    def truncate(self, decimals=0):
        """The numbers without the digits behind so many decimals."""
        factor = 10.0 ** _count(decimals, "truncate", "decimals")
        return ((self * factor).trunc() / factor).alias(self.label)

    def round_sig_figs(self, digits):
        """The numbers rounded to so many digits that are not zeros before the number. Integers are rounded to the next one, where Polars
        cuts what its floats have.
        """
        return _later(self, "round_sig_figs", _count(digits, "round_sig_figs", "digits", 1))

    def reinterpret(self, *, signed=None, dtype=None):
        """The bits of integers as those of signed or unsigned ones of as many bits: one of `signed` and `dtype` is given."""
        if (signed is None) == (dtype is None):
            raise _error("ValueError", "reinterpret", "give one of signed and dtype")
        if dtype is not None:
            text = builtins.str(DType(as_dtype(dtype)))
            if not text.startswith(("int", "uint")):
                raise _error("NotImplementedError", "reinterpret", f"bits as {text} are not implemented: they are those of integers")
            return _later(self, "reinterpret", text.startswith("int"), text)
        return _later(self, "reinterpret", _flag(signed, "signed", "reinterpret"))

    def lower_bound(self):
        """The least value of the dtype, of integers and floats."""
        return _later(self, "bound", False)

    def upper_bound(self):
        """The greatest value of the dtype, of integers and floats."""
        return _later(self, "bound", True)

    def interpolate_by(self, by):
        """Nulls replaced by floats on a straight line between the known values before and behind them, where `by`, a column or an expression
        without nulls, says how far away these are. Nulls at the ends stay.
        """
        return _later(self, "interpolate_by", by)

    def repeat_by(self, by):
        """Each value as a list of as many as a column, an expression or a number says; null where that is null."""
        return _later(self, "repeat_by", by)

    def inspect(self, fmt="{}"):
        """The expression itself, whose values are printed in place of `{}` when it is computed."""
        if not isinstance(fmt, builtins.str):
            raise _error("TypeError", "inspect", f"fmt is text, not {type(fmt).__name__}")
        return _of_function(self, functools.partial(_printed, fmt), None, "inspect")

    # Windows
    def ewm_sum(self, *, com=None, span=None, half_life=None, alpha=None, min_samples=1, ignore_nulls=False):
        """The sum of the values up to each row, of which older ones count for less: (1 - alpha) times with each row. Null where the value
        is; rows of nulls make others older, but not with `ignore_nulls`.
        """
        options = {"com": com, "span": span, "halflife": half_life, "alpha": alpha, "min_periods": min_samples, "ignore_na": ignore_nulls}
        return _of_function(self, functools.partial(_decayed, options), None, "ewm_sum")

    def rolling_kurtosis(self, window_size, *, fisher=True, bias=True, min_samples=None, center=False):
        """The kurtosis in windows of so many rows, see `kurtosis`; null where there are fewer than `min_samples` values."""
        options = {"min_samples": min_samples, "center": center}
        made = self.rolling_kurt(window_size, **options)
        if bias:
            count, spread = self.rolling_count(window_size, 0, center).cast("float64"), self.rolling_max(window_size, **options) > self.rolling_min(
                window_size, **options)
            wide = (made * (count - 2) * (count - 3) / (count - 1) - 6) / (count + 1)
            few = when(count == 3).then(-1.5).otherwise(-2.0)
            made = when(spread).then(when(count > 3).then(wide).otherwise(few)).when(spread.is_null()).then(None).otherwise(math.nan)
        return (made if fisher else made + 3.0).alias(self.label)

    def rolling_map(self, function, window_size, weights=None, *, min_samples=None, center=False):
        """What a function of a series makes of each window of so many rows, a float. Other methods are faster where there is one."""
        if weights is not None:
            raise _error("NotImplementedError", "rolling_map", "weights are not implemented")
        if not builtins.callable(function):
            raise _error("TypeError", "rolling_map", f"function is a function, not {type(function).__name__}")
        options = {"window": window_size, "min_periods": min_samples, "center": center}
        return _of_function(self, functools.partial(_of_windows, function, options), None, "rolling_map")

    # Rows of another number
    def search_sorted(self, element, side="any", *, descending=False):
        """The positions at which values go among these, which are sorted: before ("left", "any") or behind ("right") equal ones. `element` is
        a constant, for which there is one position, or a column or an expression, an array or a list of values: a list is one value among
        lists. Nulls are at one of the ends, and NaN is the greatest.
        """
        return _later(self, "search_sorted", element, side, _flag(descending, "descending", "search_sorted"))

    def top_k_by(self, by, k=5, *, reverse=False):
        """The values of the k rows in which columns or expressions are greatest, in order of them: least where `reverse` is true. Nulls of
        them come last.
        """
        return self.sort_by(by, descending=_swapped(reverse), nulls_last=True).head(_count(k, "top_k_by", "k"))

    def bottom_k_by(self, by, k=5, *, reverse=False):
        """The values of the k rows in which columns or expressions are least, see `top_k_by`."""
        return self.sort_by(by, descending=reverse, nulls_last=True).head(_count(k, "bottom_k_by", "k"))

    def unique_counts(self):
        """The number of each distinct value, in the order of their first rows. Nulls are equal."""
        return _of_rows(self, "unique_counts")

    def shuffle(self, seed=None):
        """The values in random order: other ones than those of Polars for the same seed."""
        return _of_rows(self, "shuffle", seed)

    def extend_constant(self, value, n):
        """The values with a constant n times behind them."""
        return _of_rows(self, "extend_constant", value, n)

    def reshape(self, dimensions):
        """The values, or the items of lists, in rows of lists: `(-1, 2)` has two in each, and `(-1,)` one value in each. Polars has arrays."""
        return _of_rows(self, "reshape", dimensions)

    def rle(self):
        """The runs of equal values as structs of their length "len" and their "value". Nulls are equal."""
        return _of_rows(self, "rle")


def _swapped(reverse):
    return [not flag for flag in reverse] if isinstance(reverse, (builtins.list, tuple)) else not _flag(reverse, "reverse", "top_k_by")


def _bit_count(kind, is_set, text):
    name = f"bitwise_{kind}_{'ones' if is_set else 'zeros'}"

    def method(self):
        return _later(self, "bitwise_count", kind, is_set)

    method.__name__, method.__qualname__ = name, f"Expr.{name}"
    method.__doc__ = f"The number of bits of each integer or boolean that are {'set' if is_set else 'not set'}{text}."
    return method


for _kind, _text in {"count": "", "leading": ", before the uppermost other one", "trailing": ", behind the lowest other one"}.items():
    for _is_set in (True, False):
        _method = _bit_count(_kind, _is_set, _text)
        install(Expr, _method.__name__, _method)
del _kind, _text, _is_set, _method
