"""Steps that change the number or the order of rows within `over`: random frames in both libraries."""

import datetime as dt
import math
import random

import columnade as cn
import polars as pl
import pytest
from columnade import col

from test_polars_names import close

SCHEMA = {
    "k": pl.String, "j": pl.Int64, "z": pl.Int64, "n": pl.Int64, "x": pl.Float64, "s": pl.String, "p": pl.Boolean, "t": pl.Int64, "d": pl.Date,
    "o": pl.Int64, "f": pl.Float64,
}
# Columns of each kind that aggregates take.
NUMBERS, OTHERS = ["n", "x", "t"], ["s", "p", "d"]


def data(generator, count):
    def some(make):
        return [None if generator.random() < 0.3 else make() for _ in range(count)]

    return {
        "k": [generator.choice("abc") for _ in range(count)], "j": [generator.randrange(2) for _ in range(count)],
        "z": some(lambda: generator.randrange(3)), "n": some(lambda: generator.randint(-3, 3)),
        "x": some(lambda: generator.choice([math.nan, 1.5, -2.0, 0.5, 3.0])), "s": some(lambda: generator.choice(["", "a", "b", "é"])),
        "p": some(lambda: generator.random() < 0.5), "t": generator.sample(range(100), count),
        "d": some(lambda: dt.date(2024, 1, generator.randint(1, 9))), "o": generator.sample(range(100), count),
        "f": [generator.uniform(-5, 5) for _ in range(count)],
    }


def frames(seed):
    """Both frames of random values: of no rows, one, or some."""
    theirs = pl.DataFrame(data(random.Random(seed), [0, 1, 9, 14, 25][seed % 5]), schema=SCHEMA)
    return cn.from_arrow(theirs.to_arrow()), theirs


def same(ours, theirs, what):
    ours, theirs = ours.to_list(), theirs.to_list()
    assert len(ours) == len(theirs), what
    for mine, expected in zip(ours, theirs):
        if isinstance(expected, list):
            assert len(mine) == len(expected) and all(map(close, mine, expected)), (what, ours, theirs)
        else:
            assert close(mine, expected), (what, ours, theirs)


def check(make, seed, keys=("k",)):
    """An expression, made of both modules, over keys: in `select`, in `with_columns` and in `filter`."""
    mine, theirs = frames(seed)
    nulls = any(theirs[key].null_count() for key in keys)
    ours, wanted = make(cn).over(*keys, dropna=not nulls).alias("q"), make(pl).over(*keys).alias("q")
    expected = theirs.select(wanted)["q"]
    same(mine.select(ours)["q"], expected, "select")
    assert mine.select("t", ours, cn.len()).shape == (len(theirs), 3)
    added = mine.with_columns(ours)
    assert added.columns == [*theirs.columns, "q"]
    same(added["q"], expected, "with_columns")
    same(mine.filter(ours.is_not_null())["t"], theirs.filter(wanted.is_not_null())["t"], "filter")
    if expected.dtype.is_integer():
        same(mine.filter(ours > 1)["t"], theirs.filter(expected > 1)["t"], "filter")
    if nulls:
        known = theirs.select(pl.all_horizontal(pl.col(key).is_not_null() for key in keys)).to_series()
        dropped = mine.select(make(cn).over(*keys).alias("q"))["q"]
        same(dropped, theirs.select(pl.when(known).then(expected))["q"] if len(theirs) else expected, "dropna")


STEPS = {
    "sort": lambda c, m: c.sort(), "sort descending": lambda c, m: c.sort(descending=True),
    "sort nulls last": lambda c, m: c.sort(descending=True, nulls_last=True),
    "sort_by": lambda c, m: c.sort_by("t"), "sort_by descending": lambda c, m: c.sort_by("t", descending=True),
    "sort_by several": lambda c, m: c.sort_by("n", "t", descending=[True, False]),
    "sort_by nulls last": lambda c, m: c.sort_by("n", "t", nulls_last=True),
    "sort_by expression": lambda c, m: c.sort_by(m.col("t") * -1),
    "sort_by of the group": lambda c, m: c.sort_by(m.col("f") * m.col("f").mean()),
    "head 1": lambda c, m: c.head(1), "head 2": lambda c, m: c.head(2), "head 0": lambda c, m: c.head(0),
    "limit": lambda c, m: c.limit(2), "tail 1": lambda c, m: c.tail(1), "tail 3": lambda c, m: c.tail(3),
    "slice": lambda c, m: c.slice(0, 1), "slice from 1": lambda c, m: c.slice(1), "slice 2": lambda c, m: c.slice(1, 2),
    "slice from the end": lambda c, m: c.slice(-2, 1), "slice to the end": lambda c, m: c.slice(-3),
    "unique": lambda c, m: c.unique(maintain_order=True), "drop_nulls": lambda c, m: c.drop_nulls(), "reverse": lambda c, m: c.reverse(),
    "gather": lambda c, m: c.gather([0]), "gather number": lambda c, m: c.gather(-1), "gather several": lambda c, m: c.gather([0, -1, 0]),
    "gather sorted": lambda c, m: c.sort().gather([0, -1]), "gather by": lambda c, m: c.gather(m.col("f").arg_sort()),
    "gather aggregate": lambda c, m: c.gather(m.col("f").len() - 1),
    "gather_every": lambda c, m: c.gather_every(2), "gather_every offset": lambda c, m: c.gather_every(3, 1),
    "arg_sort": lambda c, m: c.arg_sort(), "arg_sort descending": lambda c, m: c.arg_sort(descending=True, nulls_last=True),
    "arg_unique": lambda c, m: c.arg_unique(), "append": lambda c, m: c.append(c), "append shifted": lambda c, m: c.head(1).append(c.shift(1)),
    "append aggregate": lambda c, m: c.append(c.min()),
    "bottom_k_by": lambda c, m: c.bottom_k_by("t", 1), "top_k_by": lambda c, m: c.top_k_by("f", 2),
    "implode": lambda c, m: c.implode().explode(), "two steps": lambda c, m: c.sort(descending=True).head(2),
    "three steps": lambda c, m: c.drop_nulls().unique(maintain_order=True).sort().tail(2), "step of shift": lambda c, m: c.shift(1).reverse(),
    "step of fill": lambda c, m: c.fill_null(strategy="forward").sort().drop_nulls(), "shift of step": lambda c, m: c.sort_by("f").shift(1),
    "fill of step": lambda c, m: c.sort_by("t").fill_null(strategy="backward"),
}
OF_NUMBERS = {
    "running": lambda c, m: c.sort_by("t").cum_sum(), "product": lambda c, m: c.sort().head(2) * 3 + 1, "negative": lambda c, m: -c.sort(),
    "constant": lambda c, m: c.extend_constant(1, 2), "cast": lambda c, m: c.head(2).cast(pl.Float64),
    "differences": lambda c, m: (c - c.mean()).sort(), "differences in order": lambda c, m: (c - c.max()).sort_by("t"),
    "fill": lambda c, m: c.sort().fill_null(7), "drop_nans": lambda c, m: c.cast(pl.Float64).drop_nans(), "rank": lambda c, m: c.rank().sort(),
    "condition": lambda c, m: ((c - 1).abs() < 2).arg_true(), "unique_counts": lambda c, m: c.unique_counts().sort(),
}
ENDS = {
    "first": lambda c: c.first(), "last": lambda c: c.last(), "len": lambda c: c.len(), "count": lambda c: c.count(),
    "n_unique": lambda c: c.n_unique(), "null_count": lambda c: c.null_count(),
}
ENDS_OF_NUMBERS = {
    **ENDS, "sum": lambda c: c.sum(), "mean": lambda c: c.mean(), "min": lambda c: c.min(), "max": lambda c: c.max(), "median": lambda c: c.median(),
    "std": lambda c: c.std(), "var": lambda c: c.var(), "quantile": lambda c: c.quantile(0.25, "linear"), "product": lambda c: c.product(),
    "item": lambda c: c.head(1).item(allow_empty=True), "implode": lambda c: c.implode(), "has_nulls": lambda c: c.has_nulls(),
    "range": lambda c: c.max() - c.min(), "cast": lambda c: c.sum().cast(pl.Float64) / 2,
}


@pytest.mark.parametrize("step", [*STEPS, *OF_NUMBERS])
@pytest.mark.parametrize("end", ENDS_OF_NUMBERS)
def test_step_of_numbers_and_aggregate_over_keys_give_what_polars_gives(step, end):
    if step in ("differences in order", "sort_by of the group") and end == "item":
        pytest.skip("Polars gives other values than those of `first`: those of all rows")
    step = (STEPS | OF_NUMBERS)[step]
    for seed, label in ((3, "n"), (4, "x")):
        check(lambda m: ENDS_OF_NUMBERS[end](step(m.col(label), m)), seed)


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("label", OTHERS)
def test_step_of_other_values_and_aggregate_over_keys_give_what_polars_gives(step, label):
    for seed, end in enumerate(ENDS.values(), 3):
        check(lambda m: end(STEPS[step](m.col(label), m)), 4 + seed % 2 * 5)


@pytest.mark.parametrize("step", [*STEPS, *OF_NUMBERS])
def test_step_and_aggregate_over_keys_of_no_rows_and_one_give_what_polars_gives(device, step):
    step = (STEPS | OF_NUMBERS)[step]
    for end in ("first", "sum", "len", "implode"):
        for seed in (0, 1):
            check(lambda m: ENDS_OF_NUMBERS[end](step(m.col("n"), m)), seed)


SOME = {
    "sort": lambda m: m.col("n").sort().first(), "sort_by": lambda m: m.col("s").sort_by("t").last(), "head": lambda m: m.col("x").head(1).sum(),
    "unique": lambda m: m.col("n").unique(maintain_order=True).len(), "drop_nulls": lambda m: m.col("n").drop_nulls().sum(),
    "gather": lambda m: m.col("d").gather([0, -1]).last(), "append": lambda m: m.col("n").append(m.col("t")).max(),
    "arg_true": lambda m: m.col("p").arg_true().len(), "reverse": lambda m: m.col("n").reverse().implode(),
    "item": lambda m: m.col("t").tail(1).item(), "nan_max": lambda m: m.col("x").drop_nulls().nan_max(),
}
# Within `over`, or beside it.
TOGETHER = {
    "difference": lambda m: m.col("n") - m.col("n").sort().first(), "swapped": lambda m: 10 - m.col("n").sort().last(),
    "two": lambda m: m.col("n").sort_by("t").last() - m.col("n").sort_by("t").first(),
    "beside an aggregate": lambda m: m.col("n").sum() + m.col("t").sort().first(),
    "comparison": lambda m: m.col("t") == m.col("t").sort(descending=True).first(),
    "cast": lambda m: m.col("n").drop_nulls().first().cast(pl.Float64) / 2,
    "fill": lambda m: m.coalesce(m.col("n"), m.col("n").drop_nulls().first()), "nulls": lambda m: m.col("n").head(1).sum().is_null() | m.col("p"),
    "greatest": lambda m: m.max_horizontal(m.col("n").sort().last(), m.col("t").reverse().first()),
    "choice": lambda m: m.when(m.col("t") > m.col("t").sort().first()).then(m.col("n").sort_by("t").last()).otherwise(m.lit(-9)),
    "running": lambda m: m.col("n").cum_sum() - m.col("n").drop_nulls().len(), "name": lambda m: m.col("n").sort().first().name.suffix("_least"),
    "backwards": lambda m: m.col("n").cum_sum(reverse=True).max(), "row by row": lambda m: m.col("n").cum_max(reverse=True),
    "within": lambda m: m.col("t") - m.col("n").fill_null(0).cum_sum(reverse=True), "item of one": lambda m: m.col("j").unique().max() + m.col("n"),
}


@pytest.mark.parametrize("keys", [("k",), ("z",), ("k", "j"), ("z", "j"), ("z", "k", "j"), ("x",), ("t",), ("d",)])
@pytest.mark.parametrize("name", [*SOME, *TOGETHER])
def test_steps_over_keys_give_what_polars_gives(name, keys):
    is_of_rows = name in ("difference", "comparison", "fill", "nulls", "choice", "running", "within", "item of one", "greatest")
    if is_of_rows and set(keys) & {"z", "d", "x"}:
        pytest.skip("what has a value of each row has it in rows of null keys too")
    for seed in (0, 1, 2, 4):
        check((SOME | TOGETHER)[name], seed, keys)


@pytest.mark.parametrize("name", SOME)
def test_keys_may_be_expressions_and_lists(name):
    for seed in (0, 1, 2, 3):
        mine, theirs = frames(seed)
        for keys in (lambda m: [m.col("t") % 3], lambda m: [["k", "j"]], lambda m: ["k", m.col("t") > 50], lambda m: [m.col("n").is_null()]):
            same(mine.select(SOME[name](cn).over(*keys(cn)).alias("q"))["q"], theirs.select(SOME[name](pl).over(*keys(pl)).alias("q"))["q"], name)
        several = mine.select(SOME[name](cn).over(cn.col("k", "j")).alias("q"))["q"]
        same(several, theirs.select(SOME[name](pl).over("k", "j").alias("q"))["q"], "several")


@pytest.mark.parametrize("name", [name for name in [*SOME, *TOGETHER] if name not in ("greatest",)])
@pytest.mark.parametrize("descending", [False, True])
def test_rows_are_in_the_order_of_order_by(name, descending):
    make = (SOME | TOGETHER)[name]
    for seed in (0, 1, 2, 4):
        mine, theirs = frames(seed)
        ours = mine.select(make(cn).over("k", order_by="o", descending=descending).alias("q"))["q"]
        # The same with the rows in that order beforehand.
        expected = theirs.with_row_index("row").sort("o", descending=descending).with_columns(make(pl).over("k").alias("q")).sort("row")["q"]
        same(ours, expected, name)
        whole = mine.select(make(cn).over(order_by="o", descending=descending).alias("q"))["q"]
        expected = theirs.with_row_index("row").sort("o", descending=descending).with_columns(make(pl).over(pl.lit(1)).alias("q")).sort("row")["q"]
        same(whole, expected, "no keys")


def test_expressions_beside_over_and_several_columns():
    for seed in (0, 1, 2, 3):
        mine, theirs = frames(seed)
        lines = (
            lambda m: [m.col("n") - m.col("n").sort().first().over("k")], lambda m: [m.col("n", "x").sort_by("t").last().over("k")],
            lambda m: [m.col("n", "x").drop_nulls().len().over("k").name.suffix("_known")],
            lambda m: [m.col("t").sort().first().over("k").alias("a"), m.col("t").sort().first().over("j").alias("b"), m.col("t").sum().over("k")],
            lambda m: ["k", (m.col("t").head(1).sum().over("k") + m.col("t").tail(1).sum().over("j")).alias("q")],
            lambda m: [m.col("t").sort().first().over("k").max()], lambda m: [m.col("n").drop_nulls().first().over("k").fill_null(-1).alias("q")],
        )
        for make in lines:
            ours, wanted = mine.with_columns(*make(cn)), theirs.with_columns(*make(pl))
            assert ours.columns == wanted.columns
            for label in ours.columns:
                same(ours[label], wanted[label], label)
        keep = lambda m: m.col("t") == m.col("t").sort().first().over("k")
        assert mine.filter(keep(cn)).sort("k")["t"].to_list() == theirs.filter(keep(pl)).sort("k")["t"].to_list()


def test_negative_numbers_of_rows_leave_out_those():
    frame = cn.DataFrame({"k": list("xyxxy"), "a": [1, 2, 3, 4, 5]})
    assert frame.select(col("a").head(-1).sum().over("k"))["a"].to_list() == [4, 2, 4, 4, 2]
    assert frame.select(col("a").tail(-1).sum().over("k"))["a"].to_list() == [7, 5, 7, 7, 5]
    assert frame.select(col("a").head(-9).len().over("k"))["a"].to_list() == [0, 0, 0, 0, 0]


def test_extremes_positions_and_bits_of_rows_over_keys():
    frame = cn.DataFrame({"k": list("xyxxy"), "a": [4, 2, None, 1, 5]})
    found = lambda made: frame.select(made.over("k").alias("q"))["q"].to_list()
    assert found(col("a").drop_nulls().arg_max()) == [0, 1, 0, 0, 1] and found(col("a").reverse().arg_min()) == [0, 1, 0, 0, 1]
    assert found(col("a").drop_nulls().bitwise_or()) == [5, 7, 5, 5, 7] and found(col("a").sort().index_of(4)) == [2, None, 2, 2, None]
    assert found(col("a").gather([0, 2], null_on_oob=True).implode()) == [[4, 1], [2, None], [4, 1], [4, 1], [2, None]]
    assert found(col("a").extend_constant(None, 1).null_count()) == [2, 1, 2, 2, 1]


def test_rows_keep_labels_and_frame_its_columns():
    frame = cn.DataFrame({"k": ["x", "y", "x"], "a": [3, 2, 1]}, index=["r", "s", "r"])
    made = frame.with_columns(q=col("a").sort().first().over("k"))
    assert made.index.to_list() == ["r", "s", "r"] and made.to_dict() == {"k": ["x", "y", "x"], "a": [3, 2, 1], "q": [1, 2, 1]}
    assert frame.agg(col("a").sort().first().over("k").max()).to_dict() == {"a": [2]}
    assert frame.filter(col("a") == col("a").sort().first().over("k")).to_dict() == {"k": ["y", "x"], "a": [2, 1]}
    by_least = frame.group_by(col("a").sort().first().over("k").alias("g")).agg(col("a").sum())
    assert by_least.to_dict() == {"g": [1, 2], "a": [4, 2]}


def test_parts_of_each_row_within_over_are_those_of_the_groups():
    frame = cn.DataFrame({"k": ["x", "y", "x"], "a": [3, 2, 1], "l": [[1, 2], [3], []]})
    even = frame.select((col("a") + col("l").list.filter(cn.element() > 1).list.len()).sum().over("k").alias("q"))
    assert even["q"].to_list() == [5, 3, 5]
    assert frame.select(col("a").map_elements(lambda value: value + 1).sum().over("k"))["a"].to_list() == [6, 3, 6]
    once = cn.DataFrame({"k": ["x", "y"], "a": [3, 2]})
    assert once.select(col("a").item().over("k"))["a"].to_list() == [3, 2]
    with pytest.raises(ValueError, match="item: there are 2 values of 'a', not one"):
        frame.select(col("a").item().over("k"))
    with pytest.raises(ValueError, match="item: there are 0 values of 'a', not one"):
        frame.select(col("a").slice(1).item().over("k"))


@pytest.mark.parametrize(("make", "text"), [
    (lambda: col("a").sort(), "over is not implemented of rows in another order or number"),
    (lambda: col("a").head(1), "over is not implemented of rows in another order or number"),
    (lambda: col("a").unique() * 2, "over is not implemented of rows in another order or number"),
    (lambda: col("a").head(1).append(col("a").tail(1)).sum(), "an operator with 'a' is not implemented of rows in another order or number"),
    (lambda: (col("a").sort() - col("a").reverse()).sum(), "an operator with 'a' is not implemented of rows in another order or number"),
    (lambda: (col("a").sort() * col("f")).sum(), "an operator with columns is not implemented of rows in another order or number"),
    (lambda: col("a").sort().fill_null(col("f")).sum(), "fill_null with columns is not implemented of rows in another order or number"),
    (lambda: col("a").value_counts().len(), "value_counts is not implemented of rows in another order or number"),
    (lambda: col("a").sample(1).first(), "sample is not implemented of rows in another order or number"),
    (lambda: col("a").shuffle().first(), "shuffle is not implemented of rows in another order or number"),
    (lambda: col("a").rle().len(), "rle is not implemented of rows in another order or number"),
    (lambda: col("a").reshape((-1, 1)).len(), "reshape is not implemented of rows in another order or number"),
    (lambda: col("a").gather(col("f").arg_max()).sum(), "gather of arg_min and arg_max, which are positions in the frame, is not implemented"),
    (lambda: col("a").sort().is_sorted(), "is_sorted is not implemented"), (lambda: col("a").is_sorted(), "is_sorted is not implemented in groups"),
    (lambda: col("a") * col("a").is_sorted().cast("int64"), "is_sorted is not implemented in groups"),
    (lambda: col("f").qcut([0.5]), "qcut without labels is not implemented in groups: give labels"),
    (lambda: col("a").map_batches(lambda values: values.sum()).first(), "over of what was computed with all rows of 'a'"),
    (lambda: col("a").sum() + col("a").ewm_sum(alpha=0.5), "over of what was computed with all rows of 'a'"),
    (lambda: col("a").search_sorted(1), "search_sorted is not implemented in groups"),
    (lambda: col("a").interpolate_by("f"), "over of what was computed with all rows of 'a'"),
    (lambda: col("a").cum_sum().over("k", order_by="f"), "over of what was computed with all rows of 'a'"),
])
def test_what_is_not_computed_by_group_is_refused(make, text):
    frame = cn.DataFrame({"k": ["x", "y", "x"], "a": [3, 2, 1], "f": [0.5, 1.5, 2.5]})
    for call in (lambda made: frame.select(made.alias("q")), lambda made: frame.with_columns(made.alias("q")), lambda made: frame.filter(made == 1)):
        with pytest.raises(cn.ColumnNotImplementedError, match=text):
            call(make().over("k"))
        with pytest.raises(cn.ColumnNotImplementedError, match=text):
            call(make().over("k", order_by="f"))


def test_over_of_rows_in_aggregates_of_groups_is_refused():
    groups = cn.DataFrame({"k": ["x", "y", "x"], "a": [3, 2, 1], "f": [0.5, 1.5, 2.5]}).group_by("k")
    with pytest.raises(cn.ColumnNotImplementedError, match="agg: over of rows in another order or number is not implemented in groups"):
        groups.agg(col("a").sort().first().over("f").max())
    with pytest.raises(cn.ColumnNotImplementedError, match="agg: qcut without labels is not implemented in groups"):
        groups.agg(col("f").qcut([0.5]).first())
    with pytest.raises(cn.ColumnNotImplementedError, match="agg: ewm_sum is not implemented in groups"):
        groups.agg(col("a").ewm_sum(alpha=0.5).last())


IN_GROUPS = {
    "sort_by": lambda m: m.col("n").sort_by("t").last(), "sort_by of a group": lambda m: m.col("t").sort_by(m.col("f") * m.col("f").mean()).first(),
    "differences": lambda m: (m.col("t") - m.col("t").mean()).sort_by("f").first(), "running": lambda m: m.col("t").cum_sum().sort_by("f").last(),
    "descending": lambda m: m.col("s").sort_by("t", descending=True).head(2),
}


@pytest.mark.parametrize("make", IN_GROUPS.values(), ids=IN_GROUPS)
def test_order_of_others_in_groups_windows_and_lists_is_that_of_each(make):
    for seed in (1, 2, 3, 4):
        mine, theirs = frames(seed)
        same(mine.group_by("k").agg(make(cn).alias("q"))["q"], theirs.group_by("k", maintain_order=True).agg(make(pl).alias("q"))["q"], "agg")
        ours = mine.sort("o").group_by_dynamic("o", every="30i", period="50i").agg(make(cn).alias("q"))["q"]
        same(ours, theirs.sort("o").group_by_dynamic("o", every="30i", period="50i").agg(make(pl).alias("q"))["q"], "windows")
        lists = lambda m, frame: frame.group_by("k").agg(m.col("t").implode() if m is cn else m.col("t")).sort("k")
        in_order = lambda m: m.col("t").list.eval(m.element().sort_by(m.element() * -1))
        same(lists(cn, mine).select(in_order(cn))["t"], lists(pl, theirs).select(in_order(pl))["t"], "lists")


def test_positions_that_a_group_does_not_have_are_an_error():
    frame = cn.DataFrame({"k": ["x", "y", "x"], "a": [3, 2, 1]})
    with pytest.raises(IndexError, match="gather: there is no row 1: there are 1 in a group"):
        frame.select(col("a").gather([1]).sum().over("k"))
    with pytest.raises(TypeError, match="gather: positions are integers, not utf8"):
        frame.select(col("a").gather(col("k")).sum().over("k"))
    with pytest.raises(ValueError, match="gather_every: n is above 0"):
        frame.select(col("a").gather_every(0).sum().over("k"))
    with pytest.raises(TypeError, match="over"):
        frame.select(col("a").sort().first().over("k", nothing=1))


def test_labelled_quantiles_are_those_of_the_groups():
    frame = cn.DataFrame({"k": ["x", "y", "x", "y"], "f": [1.0, 9.0, 2.0, 20.0]})
    assert frame.select(col("f").qcut([0.5], labels=["low", "high"]).over("k"))["f"].to_list() == ["low", "low", "high", "high"]
