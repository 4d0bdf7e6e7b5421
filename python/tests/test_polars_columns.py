"""Several columns at once, rows of another number or order, and arguments of Polars: the same lines with both libraries."""

import copy
import datetime as dt
import pickle

import columnade as cn
import columnade.selectors as our_selectors
import polars as pl
import polars.selectors as their_selectors
import pytest
from columnade import col

from test_polars_names import same

DATA = {
    "k": ["b", "a", None, "b", "a"], "g": [1, 1, 2, 2, 2], "n": [3, 1, None, 1, 5], "x": [0.5, -1.5, None, 2.0, 3.25],
    "s": ["ab", "cd", None, "xyz", "ab"], "p": [True, False, None, True, False],
    "d": [dt.date(2024, 1, 31), dt.date(2024, 2, 1), None, dt.date(2020, 5, 5), dt.date(2021, 1, 1)],
    "t": [dt.datetime(2024, 1, 31, 3, 4, 5), dt.datetime(2024, 2, 2), None, dt.datetime(2000, 1, 1), dt.datetime(2021, 1, 1)],
    "l": [[1, 2], [3], None, [], [4, 5]],
}
OTHER = {"k": ["a", "b", "c"], "v": [10, 20, 30]}

COLUMNS = [
    'df.select(m.all())',
    'df.select(m.exclude("k", "l"))',
    'df.select(m.exclude(["k", "l"]))',
    'df.select(m.all().exclude("k"))',
    'df.select(c("*"))',
    'df.select(c("*").exclude("l"))',
    'df.select(c("n", "x"))',
    'df.select(c(["n", "x"]))',
    'df.select(c("n", "x")*2)',
    'df.select(c("^n|x$"))',
    'df.select(c("n", "x").name.prefix("p_"))',
    'df.select("^n|x$")',
    'df.select(c(pl.Int64))',
    'df.select(c(pl.String, pl.Float64))',
    'df.select(cs.numeric())',
    'df.select(cs.string())',
    'df.select(cs.temporal())',
    'df.select(cs.by_dtype(pl.Int64))',
    'df.select(cs.starts_with("n", "x"))',
    'df.select(cs.ends_with("n"))',
    'df.select(cs.contains("n"))',
    'df.select(cs.matches("^[nx]$"))',
    'df.select(cs.exclude("l"))',
    'df.select(cs.numeric() - cs.by_name("g"))',
    'df.select(cs.numeric() | cs.string())',
    'df.select(cs.numeric() & cs.integer())',
    'df.select(~cs.numeric())',
    'df.select(cs.first())',
    'df.select(cs.last())',
    'df.select(cs.by_index(0, 2))',
    'df.select(cs.float(), cs.integer())',
    'df.select(cs.boolean(), cs.date(), cs.datetime())',
    'df.with_columns(cs.numeric()*2)',
    'df.with_columns(cs.numeric().fill_null(0))',
    'df.with_columns(cs.string().str.to_uppercase().name.suffix("_u"))',
    'df.with_columns(m.all().is_null().name.suffix("_null")).select(cs.ends_with("_null"))',
    'df.with_columns(c("n", "x").fill_null(strategy="forward"))',
    'df.select(c("n").clip(1, 3))',
    'df.select(c("n").clip(lower_bound=2))',
    'df.select(c("n").clip(upper_bound=2))',
    'df.select(c("n").clip(lower_bound=2, upper_bound=3))',
    'df.select(c("k").cast(pl.Categorical))',
    'df.select(c("n").cast(pl.Float64))',
    'df.select(c("n").cast(pl.String))',
    'df.select(c("n").cast(pl.Int32))',
    'df.select(c("n").cast(pl.Utf8))',
    'df.select(c("d").cast(pl.Datetime))',
    'df.select(c("d").cast(pl.Datetime("ms")))',
    'df.select(c("t").cast(pl.Date))',
    'df.select(c("n").cast(pl.Boolean))',
    'df.select(c("n").cast(pl.Decimal(10, 2)))',
    'df.select(c("l").cast(pl.List(pl.Float64)))',
    'df.select(c("n").cast(pl.Duration("us")))',
    'df.select(c("n").name.keep())',
    'df.select((c("n")*2).name.keep())',
    'df.select((c("n")*2).alias("q").name.keep())',
    'df.select(m.coalesce("n", "x"))',
    'df.select(m.coalesce(c("n"), 0))',
    'df.select(m.max_horizontal(c("n", "x")))',
    'df.select(m.sum_horizontal(cs.numeric()))',
    'df.select(m.mean_horizontal(cs.numeric()))',
    'df.select(m.any_horizontal(cs.boolean()))',
    'df.select(m.struct(m.all())).height',
    'df.select(m.concat_list("n", "g"))',
    'df.select(m.concat_list(["n", "g"]))',
    'df.select(c("n").replace([1, 3], [10, 30]))',
    'df.select(c("n").rank("ordinal", descending=True))',
    'df.select(c("n").qcut(2, labels=["lo", "hi"])).height',
    'df.select(c("n").cut([2], labels=["lo", "hi"]))',
    'df.select(c("n").fill_null(strategy="zero"))',
    'df.select(c("n").fill_null(strategy="backward"))',
    'df.select(c("n").rolling_mean(window_size=2, min_samples=1))',
    'df.select(c.n, c.x)',
    'df.select(m.from_epoch("g"))',
    'df.select(c("n").rle_id())',
    'df.select(c("n").set_sorted())',
    'df.select("n", "x").cast(pl.Float64)',
    'df.select(c("x").cut([0, 2]))',
    'df.select(c("x").cut([0, 2], left_closed=True))',
    'df.select(c("n").cut([1, 3], labels=["a", "b", "c"]))',
    'df.select(c("x").qcut([0.5], labels=["lo", "hi"]))',
    'df.select(c("x").qcut(2, labels=["lo", "hi"]))',
    'df.select(c("x").qcut([0.25, 0.75]))',
    'df.select((c("x").fill_null(float("nan"))).cut([0, 2], labels=["a", "b", "c"]).alias("z"))',
    'df.select((c("x") / 0 * 0).cut([0, 2], left_closed=True).alias("z"))',
    'df.select((c("x") / 0 * 0).cut([]).alias("z"))',
    'df.select(c("k").rle_id())',
    'df.select(c("n").replace(1, 100))',
    'df.select(c("n").rank("min", descending=True))',
    'df.select(c("x").log())',
    'df.select(c("n").rolling_sum(window_size=2))',
    'df.select(m.when(c("n")>1).then(cs.numeric()).otherwise(None))',
    'df.select(m.when(m.col("n", "x")>1).then(m.col("n", "x")).otherwise(m.lit(0)))',
    'df.select(m.max_horizontal(cs.numeric()).alias("m"))',
    'df.select(m.concat_str(c("k", "s"), separator="/").alias("z"))',
    'df.select(m.coalesce(cs.numeric()))',
    'df.select(m.struct(cs.numeric()).alias("z"))',
    'df.select(m.concat_list(cs.integer()).alias("z"))',
    'df.select(c("n")*cs.float())',
    'df.select(cs.numeric()/cs.numeric().sum())',
    'df.select(cs.numeric()-cs.numeric().mean())',
    'df.select(cs.integer()**2)',
    'df.select(-cs.integer())',
    'df.select(cs.boolean().as_expr()|True)',
    'df.select(~cs.boolean().as_expr())',
    'df.select(cs.datetime("us"))',
    'df.select(cs.datetime("ms"))',
    'df.select(cs.datetime(time_zone=None))',
    'df.select(cs.all()-cs.numeric())',
    'df.select(cs.numeric()^cs.integer())',
    'df.select(cs.exclude("^.$"))',
    'df.select(m.all().exclude(pl.Int64))',
    'df.select(m.all().exclude("^[gn]$"))',
    'df.select(m.exclude(pl.List))',
    'df.select(c(pl.Int64, pl.Float64).name.suffix("_z"))',
    'df.select(cs.by_index(-1))',
    'df.select(cs.by_name("n", "nope", require_all=False))',
    'df.select(cs.string().str.len_chars().name.map(lambda s: s+"_len"))',
    'df.select(cs.temporal().dt.year())',
    'df.select(cs.numeric().fill_null(strategy="min"))',
    'df.select(cs.numeric().is_between(1, 3))',
    'df.select("^[nx]$", "k")',
    'df.select(m.from_epoch(c("n"), "d"))',
    'df.select(m.from_epoch(c("n")))',
]

ROWS = [
    'df.select(c("n").sort())',
    'df.select(c("n").sort(descending=True))',
    'df.select(c("n").sort(descending=True, nulls_last=True))',
    'df.select(c("n").head(2))',
    'df.select(c("n").tail(2))',
    'df.select(c("n").limit(2))',
    'df.select(c("k").unique(maintain_order=True))',
    'df.select(c("k").value_counts(sort=True)).height',
    'df.select(c("n").reverse())',
    'df.select(m.all().reverse())',
    'df.select(m.all().head(2))',
    'df.select(m.all().sort_by("n"))',
    'df.select(c("n").sort_by("x"))',
    'df.select(c("n").sort_by("x", descending=True))',
    'df.select(c("n").drop_nulls())',
    'df.select(c("n").slice(1, 2))',
    'df.select(c("n").cum_sum(reverse=True))',
    'df.select(c("n").cum_max(reverse=True))',
    'df.select(c("n").cum_min(reverse=True))',
    'df.select(c("n").cum_prod(reverse=True))',
    'df.select(c("n").cum_count(reverse=True))',
    'df.select(c("x").cum_sum().over("g", order_by="n"))',
    'df.select(c("x").shift(1).over("g", order_by="n"))',
    'df.select(c("x").cum_sum().over("g", order_by="n", descending=True))',
    'df.select(m.arg_sort_by("n"))',
    'df.select(c("n").arg_sort())',
    'df.select(c("n").map_elements(lambda v:v+1, return_dtype=pl.Int64))',
    'df.select(c("n").map_batches(lambda s:s+1))',
    'df.select(c("n").append(c("g")))',
    'df.select(c("n").gather([0, 1]))',
    'df.select(c("g").value_counts(sort=True))',
    'df.select(c("g").value_counts(sort=True, name="N"))',
    'df.select(c("g").value_counts(sort=True, normalize=True))',
    'df.select(c("n").cum_sum(reverse=True).over("g"))',
    'df.select((c("n", "x").cum_max(reverse=True)).over("g"))',
    'df.select(c("n").sort().head(2)*10)',
    'df.select(c("n").drop_nulls().cum_sum())',
    'df.select(c("n").sort().first().alias("a"), c("n").head(3))',
    'df.select(c("n").head(3), c("x").sum())',
    'df.select(c("n").head(3), m.lit(7).alias("q"))',
    'df.select(c("n").head(3), m.len())',
    'df.select(c("n").unique(maintain_order=True).sum(), c("n").head(2).alias("h"))',
    'df.with_columns(c("n").sort().alias("z"))',
    'df.with_columns(m.all().reverse())',
    'df.with_columns(c("n").reverse().alias("r"), c("n").sort_by("x").alias("q"))',
    'df.select(c("n").sort_by("x", "g", descending=[True, False]))',
    'df.select(c("n").slice(1, 2), c("x").slice(-2))',
    'df.select(c("n").gather([0, -1]))',
    'df.select(c("n").gather(m.lit(2)))',
    'df.select(c("n").gather_every(2))',
    'df.select(m.arg_sort_by("g", "n", descending=[True, False]))',
    'df.select(m.arg_where(c("n")==1)).to_series().to_list()',
    'df.select(c("n").arg_unique())',
    'df.select(c("k").map_elements(lambda v: v*2, return_dtype=pl.String))',
    'df.select(c("n").map_batches(lambda s: s*2))',
    'df.select(c("n", "x").map_batches(lambda s: s.shift(1)))',
    'df.select(c("x").shift().over("g", order_by=["n"]))',
    'df.select(c("x").rank().over("g", order_by="n"))',
    'df.select(c("n").cum_sum().over(order_by="x"))',
    'df.with_columns(z=c("x").diff().over("g", order_by="t"))',
]

AGGREGATES = [
    'df.group_by("g", maintain_order=True).agg(cs.numeric().sum())',
    'df.group_by("g", maintain_order=True).agg(m.all().count())',
    'df.group_by("g", maintain_order=True).agg(c("n", "x").mean())',
    'df.group_by("g", maintain_order=True).agg(m.exclude("k", "l").max())',
    'df.group_by("g", maintain_order=True).agg(c("n").sort())',
    'df.group_by("g", maintain_order=True).agg(c("n").sort(descending=True))',
    'df.group_by("g", maintain_order=True).agg(c("n").sort_by("x"))',
    'df.group_by("g", maintain_order=True).agg(c("n").head(2))',
    'df.group_by("g", maintain_order=True).agg(c("n").tail(1))',
    'df.group_by("g", maintain_order=True).agg(c("n").unique(maintain_order=True))',
    'df.group_by("g", maintain_order=True).agg(cs.numeric().mean().name.suffix("_mean"))',
    'df.group_by("g", maintain_order=True).agg(c("n").sort_by("x", descending=True))',
    'df.group_by("g", maintain_order=True).agg(c("n").sort_by("x").first())',
    'df.group_by("g", maintain_order=True).agg(c("n").sort_by("x").last().alias("z"))',
    'df.group_by("g", maintain_order=True).agg(cs.numeric().sort_by("n").first())',
    'df.group_by("g", maintain_order=True).agg(c("n").drop_nulls().first())',
    'df.group_by("g", maintain_order=True).agg(c("n").drop_nulls().unique(maintain_order=True).len())',
    'df.group_by("g", maintain_order=True).agg(c("n").sort(descending=True, nulls_last=True).head(1))',
    'df.group_by("g", maintain_order=True).agg(c("n", "x").sort().reverse())',
    'df.group_by(big=c("n")>1, maintain_order=True).agg(m.len()).columns',
    'df.group_by(cs.by_name("g"), maintain_order=True).agg(m.len())',
]

FRAMES = [
    'df.cast({"n":pl.Float64})',
    'df.cast({cs.numeric():pl.Float64})',
    'df.unpivot(index="g", on=cs.numeric())',
    'df.filter(m.any_horizontal(cs.numeric()>2))',
    'df.filter(m.all_horizontal(m.exclude("l").is_not_null()))',
    'df.filter(m.all_horizontal(m.all().is_not_null()))',
    'df.filter(m.any_horizontal(m.all().is_null()))',
    'df.sort(cs.numeric())',
    'df.drop(cs.numeric())',
    'df.drop_nulls(cs.numeric())',
    'df.fill_null(strategy="forward")',
    'df.join(df2, on="k", how="anti")',
    'df.join(df2, on="k", how="semi")',
    'df.join(df2, on="k", how="full", coalesce=True).height',
    'df.join(df2, left_on="k", right_on="k", how="inner")',
    'df.to_dict(as_series=False)',
    'df.cast({pl.Int64:pl.Float64})',
    'df.join(df2, on="k", how="full")',
    'df.join(df2, on="k", how="full", coalesce=True)',
    'df.join(df2.rename({"k":"z"}), left_on="k", right_on="z", how="left")',
    'df.join(df2.rename({"v":"n"}), left_on="k", right_on="k", how="inner")',
    'df.join(df2.rename({"v":"n"}), left_on="k", right_on="k", how="inner", suffix="_r")',
    'df.join(df2, on="k", how="left", nulls_equal=True)',
    'df.filter(m.all_horizontal(cs.numeric()>0))',
    'df.sort(cs.by_name("g", "n"))',
    'df.sort(cs.by_name("g"), "x", descending=[True, False])',
    'df.drop(cs.numeric(), "k")',
    'df.drop(cs.temporal()|cs.list())',
    'df.unique(cs.by_name("g"), maintain_order=True)',
    'df.unpivot(cs.numeric(), index=cs.string())',
]

SERIES = [
    'df["n"].len()', 'df["n"].n_unique()', 'df["n"].is_empty()', 'df["n"].has_nulls()', 'df["n"].arg_sort().to_list()',
    'df["n"].arg_sort(descending=True, nulls_last=True).to_list()', 'df["n"].gather([0, -1]).to_list()', 'df["n"].gather_every(2, 1).to_list()',
    'df["n"].item(1)', 'df["n"].item(-1)', 'df["n"].reverse().to_list()', 'df["n"].limit(2).to_list()', 'df["n"].unique(maintain_order=True).to_list()',
    'df["n"].alias("z").name', 'df["k"].cast(pl.Categorical).to_list()', 'df.select("k", "n").write_csv(separator=";", null_value="-")',
    'df.select("k", "n").write_csv(include_header=False)', 'sorted(df.to_dummies("k").columns)', 'df.to_dummies(cs.by_name("k"))["k_a"].to_list()',
    'df.select("g").to_dummies(separator=":")["g:2"].to_list()', 'm.DataFrame({"a": [1, 2]}, schema={"a": pl.Float64})',
    'm.DataFrame({"a": [1, 2]}, schema_overrides={"a": pl.Int8})["a"].dtype == pl.Int8', 'm.DataFrame(schema={"a": pl.Int64}).height',
]


def run(line, module, selectors, rows):
    frame = pl.DataFrame(DATA)[rows]
    names = {
        "m": module, "cs": selectors, "c": module.col, "pl": pl, "df2": module.DataFrame(OTHER),
        "df": frame if module is pl else cn.from_arrow(frame.to_arrow()),
    }
    return eval(line, names)


def check(line, rows=slice(None)):
    ours, theirs = run(line, cn, our_selectors, rows), run(line, pl, their_selectors, rows)
    if isinstance(theirs, pl.DataFrame):
        same(ours, theirs)
    else:
        assert ours == theirs


@pytest.mark.filterwarnings("ignore::polars.exceptions.PolarsInefficientMapWarning")
@pytest.mark.parametrize("line", [*COLUMNS, *ROWS, *AGGREGATES, *FRAMES, *SERIES])
def test_line_gives_what_polars_gives(device, line):
    check(line)


@pytest.mark.parametrize("line", [*COLUMNS, *AGGREGATES, *FRAMES])
def test_line_of_no_rows_gives_what_polars_gives(line):
    check(line, slice(0, 0))


def test_several_columns_are_pickled_and_copied():
    frame = cn.DataFrame(DATA)
    cs = our_selectors
    for made in (
        cn.all(), cs.numeric() * 2, cs.string().str.to_uppercase().name.suffix("_u"), cn.col("^[nx]$").fill_null(0), cn.sum_horizontal(cs.numeric()),
        cs.numeric() | cs.string(), cn.col("n").sort(descending=True), cn.col("x").cum_sum().over("g", order_by="n"),
    ):
        wanted = frame.select(made)
        for other in (pickle.loads(pickle.dumps(made)), copy.copy(made), copy.deepcopy(made)):
            assert frame.select(other).equals(wanted)


def test_several_columns_are_shown():
    cs = our_selectors
    assert repr(cn.all().sum()) == "all().sum()"
    assert repr(cn.col("a", "b") * 2) == "(col('a', 'b') * 2)"
    assert repr(1 - cs.numeric()) == "(1 - numeric())"
    assert repr(cs.all() - cs.starts_with("a", "b")) == "(all() - starts_with('a', 'b'))"
    assert repr(~cs.by_dtype("int64")) == "~by_dtype('int64')"
    assert repr(cn.all().exclude("a").str.len_chars()) == "all().exclude('a').str.len_chars()"
    assert repr(cn.col("a").sort(descending=True)) == "a.sort(descending=True, nulls_last=False)"
    assert repr(cn.max_horizontal(cs.float())) == "max_horizontal(float())"


def test_several_columns_in_a_condition_or_of_other_numbers_are_refused():
    frame, cs = cn.DataFrame(DATA), our_selectors
    with pytest.raises(ValueError, match="filter: a condition stands for 3 columns: say with all_horizontal or any_horizontal"):
        frame.filter(cs.numeric() > 0)
    with pytest.raises(ValueError, match="select: 2 columns and 3 do not go together"):
        frame.select(cs.numeric() + cn.col("n", "x"))
    with pytest.raises(ValueError, match="select: columns have other numbers of rows: 'n' 2, 'x' 5"):
        frame.select(col("n").head(2), "x")
    with pytest.raises(ValueError, match="with_columns: 2 rows of 'n' and 5 do not go together"):
        frame.with_columns(col("n").head(2))
    with pytest.raises(ValueError, match="select: two columns are called 'n'"):
        frame.select(col("n").head(2), col("n").tail(2))
    with pytest.raises(TypeError, match="several expressions have no truth value"):
        bool(cs.numeric() > 0)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        cs.numeric().nothing
    with pytest.raises(KeyError, match="select: there is no column 'z'; there is 'k', 'g'"):
        frame.select(cs.by_name("n", "z"))
    with pytest.raises(IndexError, match="select: there is no column 20: there are 9"):
        frame.select(cs.by_index(20))
    with pytest.raises(ValueError, match=r"matches: '\(' is no pattern"):
        cs.matches("(")
    with pytest.raises(ValueError, match='"no" is no dtype'):
        frame.select(cs.by_dtype("no"))
    with pytest.raises(TypeError, match="col: give the label of a column"):
        cn.col()
    with pytest.raises(ValueError, match="with_columns: 'z' is one column, and 3 are given"):
        frame.with_columns(z=cs.numeric())
    with pytest.raises(KeyError, match='select: there is no column "zz"'):
        frame.select(cn.col("zz", "n"))


def test_columns_keep_row_labels_and_levels_of_labels():
    cs = our_selectors
    frame = cn.DataFrame({"g": [1, 1, 2], "n": [3, 1, 2], "x": [1.0, 2.0, None]}, index=["a", "a", "b"])
    for made in (frame.select(cn.all()), frame.with_columns(cs.numeric() * 2), frame.select(col("n").cum_sum().over("g", order_by="n"))):
        assert made.index.to_list() == ["a", "a", "b"]
    assert frame.select(col("n").sort()).index.to_list() == [0, 1, 2]
    assert frame.with_columns(col("n").sort_by("x").alias("q"))["q"].to_list() == [2, 3, 1]
    assert frame.groupby(["a", "b", "a"]).agg(col("n").sort_by("x").last()).to_dict() == {"n": [3, 1]}
    levels = cn.DataFrame({("p", "a"): [1, 2], ("p", "b"): [3, 4]})
    assert levels.with_columns(cs.integer() * 2).to_dict() == {("p", "a"): [2, 4], ("p", "b"): [6, 8]}


def test_choice_of_selectors_beside_others():
    cs = our_selectors
    frame = cn.DataFrame(DATA)
    assert frame.agg(cs.numeric().sum(), cn.len()).to_dict() == {"g": [8], "n": [10], "x": [4.25], "len": [5]}
    assert frame.select("n", cn.col("^[gx]$"), q=col("n").sum()).columns == ["n", "g", "x", "q"]
    assert frame.select(cn.when(col("n") > 1).then(cs.integer()).otherwise(0)).columns == ["g", "n"]
    with pytest.raises(TypeError, match="drop: 'g_x' is no column of the frame, but made of one"):
        frame.drop(cs.numeric().name.suffix("_x"))


def test_rows_that_groups_do_not_have_are_refused():
    groups = cn.DataFrame(DATA).group_by("g")
    with pytest.raises(NotImplementedError, match="agg: std is not implemented of the rows of groups of 'n'"):
        groups.agg(col("n").sort().std())
    with pytest.raises(NotImplementedError, match="agg: cum_sum with reverse is not implemented in agg of groups"):
        groups.agg(col("n").cum_sum(reverse=True).max())
    with pytest.raises(NotImplementedError, match="select: over of what was computed with all rows of 'n'"):
        cn.DataFrame(DATA).select(col("n").map_batches(lambda values: values).over("g"))
    with pytest.raises(IndexError, match="gather: there is no row 9: there are 5"):
        cn.DataFrame(DATA).select(col("n").gather([9]))


def test_dtypes_of_polars_are_dtypes():
    frame = cn.DataFrame({"n": [1], "s": ["1"]})
    for given, wanted in (
        (pl.Categorical, "dictionary<int32, utf8>"), (pl.Datetime("ms", "UTC"), "timestamp[ms, UTC]"), (pl.Duration, "duration[us]"), (pl.Date, "date32"),
        (pl.Decimal(10, 2), "decimal(10,2)"), (pl.List(pl.Int8), "list<int8>"), (pl.Struct({"a": pl.Date}), "struct<a: date32>"), (pl.UInt16, "uint16"),
    ):
        values = cn.Series([None], dtype=given)
        assert str(values.dtype) == wanted and values.dtype == cn.Series([None]).cast(given).dtype
    assert frame.cast({"s": pl.Int64}).dtypes["s"] == "int64" and frame.astype({"n": pl.Float32}).dtypes["n"] == "float32"
    with pytest.raises(NotImplementedError, match="Enum"):
        frame.cast({"s": pl.Enum(["1"])})


def test_expanded_selector_and_kind_of_selector():
    frame, cs = cn.DataFrame(DATA), our_selectors
    assert cs.expand_selector(frame, cs.numeric()) == ("g", "n", "x") and cs.is_selector(cs.first()) and not cs.is_selector(cn.all())
    assert frame.select(cs.by_dtype("float64", str)).columns == ["k", "x", "s"]
    assert frame.select(col("n"), cn.col.x).columns == ["n", "x"]
