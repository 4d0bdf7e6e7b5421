"""Names of Polars for lists: random lists with nulls, empty ones and null items, in both libraries."""

import math
import random

import columnade as cn
import polars as pl
import pytest

from test_polars_names import close, same

SCHEMA = {"k": pl.Int64, "l": pl.List(pl.Int64), "m": pl.List(pl.Int64), "x": pl.List(pl.Float64), "s": pl.List(pl.String)}


def data(generator, count):
    def some(make):
        def one():
            return None if generator.random() < 0.2 else make()

        return [None if generator.random() < 0.2 else [one() for _ in range(generator.choice([0, 1, 1, 3, 6]))] for _ in range(count)]

    return {
        "k": list(range(count)), "l": some(lambda: generator.randint(-2, 4)), "m": some(lambda: generator.randint(-2, 4)),
        "x": some(lambda: generator.choice([0.5, -1.5, 2.0, math.nan])), "s": some(lambda: generator.choice(["a", "b", "É"])),
    }


def frames(seed):
    theirs = pl.DataFrame(data(random.Random(seed), [0, 1, 3, 9][seed % 4]), schema=SCHEMA)
    return cn.from_arrow(theirs.to_arrow()), theirs


def length(element):
    """The number of items, by the library of `element()`."""
    return (pl if isinstance(element, pl.Expr) else cn).len()


CALLS = {
    "drop_nulls": lambda c, e: c("l").list.drop_nulls(),
    "drop_nulls text": lambda c, e: c("s").list.drop_nulls(),
    **{f"diff {n}": lambda c, e, n=n: c("l").list.diff(n) for n in (1, 2, -1)},
    **{f"diff drop {n}": lambda c, e, n=n: c("l").list.diff(n, "drop") for n in (1, 2, -1)},
    **{f"shift {n}": lambda c, e, n=n: c("s").list.shift(n) for n in (1, -2, 9, 0)},
    "std": lambda c, e: c("l").list.std(),
    "std NaN": lambda c, e: c("x").list.std(),
    "var": lambda c, e: c("l").list.var(0),
    **{f"agg {name}": lambda c, e, name=name: c("l").list.agg(getattr(e, name)()) for name in ("sum", "len", "max", "n_unique", "mean", "count")},
    **{f"eval {name}": lambda c, e, name=name: c("l").list.eval(getattr(e, name)()) for name in ("sum", "len", "max", "n_unique", "mean", "count")},
    **{f"{name} number of items": lambda c, e, name=name: getattr(c("l").list, name)(length(e)) for name in ("agg", "eval")},
    "eval twice the number of items": lambda c, e: c("x").list.eval(length(e) * 2),
    "eval items beside their number": lambda c, e: c("l").list.eval(e + length(e)),
    "filter by the number of items": lambda c, e: c("l").list.filter(length(e) > 1),
    "eval constant": lambda c, e: c("l").list.eval((pl if isinstance(e, pl.Expr) else cn).lit(5)),
    **{f"count_matches {item}": lambda c, e, item=item: c("x").list.count_matches(item) for item in (math.nan, 2.0, None)},
    "agg of rows": lambda c, e: c("l").list.agg(e * 2),
    "eval of rows": lambda c, e: c("l").list.eval(e * 2),
    "eval windows": lambda c, e: c("l").list.eval(e.cum_sum()),
    "eval rank": lambda c, e: c("l").list.eval(e.rank()),
    "eval difference": lambda c, e: c("l").list.eval(e - e.mean()),
    "eval is_null": lambda c, e: c("l").list.eval(e.is_null()),
    "eval text": lambda c, e: c("s").list.eval(e.str.to_lowercase()),
    "eval sort": lambda c, e: c("l").list.eval(e.sort()),
    "eval head": lambda c, e: c("l").list.eval(e.head(2)),
    "eval drop_nulls": lambda c, e: c("l").list.eval(e.drop_nulls()),
    "filter": lambda c, e: c("l").list.filter(e > 1),
    "filter mean": lambda c, e: c("l").list.filter(e > e.mean()),
    "filter null": lambda c, e: c("l").list.filter(e.is_null()),
    "to_struct": lambda c, e: c("l").list.to_struct(["a", "b"]),
    "count_matches": lambda c, e: c("l").list.count_matches(1),
    "count_matches null": lambda c, e: c("l").list.count_matches(None),
    "count_matches text": lambda c, e: c("s").list.count_matches("a"),
    "gather_every": lambda c, e: c("l").list.gather_every(2),
    "gather_every offset": lambda c, e: c("s").list.gather_every(3, 1),
    "item": lambda c, e: c("l").list.head(1).list.item(allow_empty=True),
    "explode": lambda c, e: c("l").list.explode(),
    "explode empty": lambda c, e: c("l").list.explode(empty_as_null=True, keep_nulls=False),
    "explode known": lambda c, e: c("s").list.explode(keep_nulls=False),
    "further": lambda c, e: c("l").list.drop_nulls().list.len() + 1,
    "of several": lambda c, e: c("l", "m").list.drop_nulls(),
}


@pytest.mark.parametrize("name", CALLS)
def test_lists(device, name):
    for seed in range(8):
        ours, theirs = frames(seed)
        same(ours.select(CALLS[name](cn.col, cn.element())), theirs.select(CALLS[name](pl.col, pl.element())))


SETS = {
    "columns": lambda c, name: getattr(c("l").list, f"set_{name}")("m"),
    "a list": lambda c, name: getattr(c("l").list, f"set_{name}")([1, 2]),
    "text": lambda c, name: getattr(c("s").list, f"set_{name}")(c("s").list.tail(2)),
    "NaN": lambda c, name: getattr(c("x").list, f"set_{name}")(c("x").list.head(1)),
}


def sorted_items(values):
    """Items in an order: that of Polars is not always the one of the lists."""
    return [None if items is None else sorted(map(repr, items)) for items in values.to_list()]


@pytest.mark.parametrize("of", SETS)
@pytest.mark.parametrize("name", ["union", "intersection", "difference", "symmetric_difference"])
def test_sets(device, name, of):
    for seed in range(1, 8):
        ours, theirs = frames(seed)
        if theirs.height:
            mine, expected = (m.select(SETS[of](c, name)) for m, c in ((ours, cn.col), (theirs, pl.col)))
            assert mine.columns == expected.columns
            assert sorted_items(mine[mine.columns[0]]) == sorted_items(expected.to_series()), seed
    empty = frames(0)[0].select(SETS[of](cn.col, name))
    assert len(empty) == 0


def test_items_of_sets_are_in_the_order_of_their_lists(device):
    frame = cn.DataFrame({"a": [[3, 1, 3, None]], "b": [[5, None, 1, 0]]})
    made = {name: getattr(frame["a"].list, f"set_{name}")(frame["b"]).to_list()[0] for name in ("union", "intersection", "difference", "symmetric_difference")}
    assert made == {"union": [3, 1, None, 5, 0], "intersection": [1, None], "difference": [3], "symmetric_difference": [3, 5, 0]}


@pytest.mark.parametrize("name", ["drop_nulls", "std", "filter", "agg sum", "gather_every", "diff 1", "count_matches", "item", "explode", "to_struct"])
def test_lists_of_series(device, name):
    for seed in range(8):
        ours, theirs = frames(seed)
        mine = CALLS[name](ours.__getitem__, cn.element())
        expected = CALLS[name](theirs.__getitem__, pl.element())
        assert mine.name == "l" and all(map(close, mine.to_list(), expected.to_list())), seed


def test_labels_of_rows_stay(device):
    lists = cn.Series([[1, None], None, []], name="l", index=["a", "b", "c"])
    for made in (lists.list.drop_nulls(), lists.list.std(), lists.list.set_union(lists), lists.list.shift(), lists.list.to_struct(["x"])):
        assert (made.index.to_list(), made.name) == (["a", "b", "c"], "l")
    assert lists.list.set_union(cn.Series([[2], [1], [3, 3]])).to_list() == [[1, None, 2], None, [3]]


def test_samples_of_lists(device):
    lists = cn.DataFrame({"l": [[1, 2, 3, 4], [5, 5], None, []]})
    made = lists.select(cn.col("l").list.sample(fraction=0.5, seed=3))["l"].to_list()
    assert [None if items is None else len(items) for items in made] == [2, 1, None, 0]
    assert set(made[0]) < {1, 2, 3, 4} and made[1] == [5]
    assert sorted(lists[:1].select(cn.col("l").list.sample(4, seed=1))["l"].to_list()[0]) == [1, 2, 3, 4]
    with pytest.raises(ValueError, match="list.sample: a list has fewer than 3 items"):
        lists.select(cn.col("l").list.sample(3))


ERRORS = {
    "item": (ValueError, lambda lists: lists.item(), "list.item: there are 2 items"),
    "diff": (ValueError, lambda lists: lists.diff(1, "x"), "list.diff: null_behavior is"),
    "shift": (TypeError, lambda lists: lists.shift("a"), "list.shift: n is an integer"),
    "shift by a column": (NotImplementedError, lambda lists: lists.shift(cn.col("k")), "list.shift: n is an integer"),
    "gather_every": (ValueError, lambda lists: lists.gather_every(0), "list.gather_every: n is at least 1"),
    "eval": (TypeError, lambda lists: lists.eval(1), "list.eval: an expression of element()"),
    "to_struct": (TypeError, lambda lists: lists.to_struct([]), "list.to_struct: fields is a list of names"),
    "sample": (NotImplementedError, lambda lists: lists.sample(1, with_replacement=True), "list.sample: with_replacement"),
    "count_matches": (NotImplementedError, lambda lists: lists.count_matches(cn.col("k")), "list.count_matches: element is a constant"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(device, name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        cn.DataFrame({"k": [1], "l": [[1, 2]]}).select(call(cn.col("l").list))
    assert text in str(error.value) and isinstance(error.value, cn.ColumnadeError), error.value


WORDS = {
    "list.std": (TypeError, lambda v: v.list.std(), "list.std: expression element().std(): dtype utf8 is not supported"),
    "list.diff": (TypeError, lambda v: v.list.diff(), "list.diff: expression (element() - element().shift(1)): dtype utf8"),
    "list.eval": (KeyError, lambda v: v.list.eval(cn.element() + cn.col("q")), 'list.eval: there is no column "q"; there is element()'),
    "list.filter": (ValueError, lambda v: v.list.filter(cn.element() > 1), "list.filter: expression (element() > 1): literal: 1 does not fit utf8"),
    "list.count_matches": (TypeError, lambda v: v.list.count_matches(math.nan), "list.count_matches: expression element().is_nan(): dtype utf8"),
}


@pytest.mark.parametrize("name", WORDS)
def test_errors_of_items_name_the_method_and_the_column_of_lists(device, name):
    kind, call, text = WORDS[name]
    frame = cn.DataFrame({"v": [["a"]]})
    for of, label in ((lambda: frame.select(call(cn.col("v"))), "v"), (lambda: call(frame["v"]), "v"), (lambda: call(frame["v"].rename(None)), "self")):
        with pytest.raises(kind) as error:
            of()
        assert isinstance(error.value, cn.ColumnadeError) and str(error.value).startswith(text), error.value
        assert (error.value.operation, error.value.column) == (name, "q" if kind is KeyError else label)


def test_values_that_are_no_lists_are_a_type_error(device):
    for values in (cn.Series([1], name="n"), cn.Series(["a"], name="n")):
        with pytest.raises(cn.ColumnTypeError, match="^list.std: .*is not supported$") as error:
            values.list.std()
        assert (error.value.operation, error.value.column, error.value.dtype) == ("list.std", "n", str(values.dtype))
    with pytest.raises(cn.ColumnValueError, match="^list.eval: expr is one expression, not 2$"):
        cn.Series([[1]]).list.eval(cn.all().sum())


def test_concat_of_a_text_is_that_of_a_literal(device):
    """A text by itself is the label of a column, as in Polars: of a series an error."""
    lists = cn.Series([["a"], [], None], name="l").with_index(cn.Index([5, 6, 7]))
    frame = cn.DataFrame({"l": lists})
    expected = [["a", "x"], ["x"], None]
    for value in (cn.lit("x"), [cn.lit("x")]):
        made = lists.list.concat(value)
        assert (made.to_list(), made.index.to_list(), made.name) == (expected, [5, 6, 7], "l")
        assert frame.select(cn.col("l").list.concat(value))["l"].to_list() == expected
    assert lists.list.concat(["x"]).to_list() == expected
    with pytest.raises(TypeError, match="list.concat: 'x' is the label of a column"):
        lists.list.concat("x")
    with pytest.raises(TypeError, match="list.concat: a series and an expression do not go together"):
        lists.list.concat(cn.col("l"))
    with pytest.raises(pl.exceptions.ColumnNotFoundError):
        pl.Series("l", [["a"]]).list.concat("x")


def test_strings_of_series_are_concatenated_with_literals(device):
    words = cn.Series(["a", None, "b"], name="w").with_index(cn.Index([5, 6, 7]))
    made = words.str.concat(cn.lit("x"), "y", words, separator="-")
    assert (made.to_list(), made.index.to_list(), made.name) == (["a-x-y-a", None, "b-x-y-b"], [5, 6, 7], "w")
    theirs = pl.DataFrame({"w": ["a", None, "b"]}).select(pl.concat_str("w", pl.lit("x"), pl.lit("y"), "w", separator="-"))["w"].to_list()
    assert made.to_list() == theirs
    assert words.str.concat(cn.lit(None, "utf8")).to_list() == [None, None, None]
    with pytest.raises(TypeError, match="concat: a series and an expression do not go together"):
        words.str.concat(cn.col("w"))
