"""Names of Polars for expressions of one column: random values with nulls and NaN, of many dtypes, none and one among them, in both libraries."""

import datetime as dt
import math
import pickle
import random

import columnade as cn
import polars as pl
import pytest

from test_polars_names import same

SCHEMA = {
    "n": pl.Int64, "m": pl.Int64, "x": pl.Float64, "y": pl.Float64, "s": pl.String, "p": pl.Boolean, "v": pl.UInt64, "i": pl.Int8, "w": pl.UInt32,
    "u": pl.Int64, "k": pl.Int64, "t": pl.Datetime("us"), "d": pl.Date, "z": pl.Int64, "zx": pl.Float64, "zd": pl.Int64,
}


def data(generator, count):
    def some(make):
        return [None if generator.random() < 0.25 else make() for _ in range(count)]

    def ordered(values):
        known = sorted((value for value in values if value is not None), key=lambda value: (value != value, value))
        nulls = [None] * (count - len(known))
        return known + nulls if generator.random() < 0.5 else nulls + known

    places = generator.sample(range(100), count)
    floats = [math.nan, 1.5, -2.0, 0.5, 3.0]
    ascending = ordered(some(lambda: generator.randint(-5, 5)))
    return {
        "n": some(lambda: generator.randint(-5, 5)), "m": some(lambda: generator.randint(-3, 3)), "x": some(lambda: generator.choice(floats)),
        "y": some(lambda: round(generator.uniform(-5, 2000), 3)), "s": some(lambda: generator.choice("abc")),
        "p": some(lambda: generator.random() < 0.7), "v": some(lambda: generator.choice([0, 1, 2**64 - 1, 2**63, 2**63 - 1, 5])),
        "i": some(lambda: generator.choice([-128, 127, 0, -1, 3])), "w": some(lambda: generator.choice([0, 2**32 - 1, 2**31, 6])),
        "u": places, "k": [generator.randint(0, 3) for _ in range(count)],
        "t": [dt.datetime(2024, 1, 1) + dt.timedelta(hours=7 * place) for place in places],
        "d": [dt.date(2024, 1, 1) + dt.timedelta(days=place) for place in places],
        "z": ascending, "zx": ordered(some(lambda: generator.choice(floats))), "zd": ascending[::-1],
    }


def frames(seed):
    """Both frames of random values: of no rows, one, or some."""
    theirs = pl.DataFrame(data(random.Random(seed), [0, 1, 7, 12][seed % 4]), schema=SCHEMA)
    return cn.from_arrow(theirs.to_arrow()), theirs


BITS = {
    f"bitwise_{kind}_{bits} {label}": lambda c, kind=kind, bits=bits, label=label: getattr(c(label), f"bitwise_{kind}_{bits}")()
    for kind in ("count", "leading", "trailing") for bits in ("ones", "zeros") for label in "nvipw"
}
ROWS = {
    **BITS,
    "starts_with letters": lambda c: (c("s") + c("s").shift(2)).str.starts_with(c("s").shift(1)).alias("s"),
    "ends_with letters": lambda c: (c("s") + c("s").shift(2)).str.ends_with(c("s").shift(1)).alias("s"),
    "contains letters": lambda c: (c("s") + c("s").shift(2)).str.contains(c("s").shift(1), literal=True).alias("s"),
    "truncdiv": lambda c: c("n").truncdiv(c("m")),
    "truncdiv number": lambda c: c("n").truncdiv(3),
    "truncdiv floats": lambda c: c("x").truncdiv(2),
    "truncdiv by floats": lambda c: c("n").truncdiv(c("y")),
    "peak_max": lambda c: c("n").peak_max(),
    "peak_min": lambda c: c("n").peak_min(),
    "peak_max NaN": lambda c: c("x").peak_max(),
    "peak_min NaN": lambda c: c("x").peak_min(),
    "to_physical": lambda c: c("t").to_physical(),
    "to_physical dates": lambda c: c("d").to_physical(),
    "to_physical numbers": lambda c: c("x").to_physical(),
    "truncate": lambda c: c("y").truncate(1),
    "round_sig_figs": lambda c: c("y").round_sig_figs(2),
    "round_sig_figs NaN": lambda c: c("x").round_sig_figs(1),
    "reinterpret": lambda c: c("v").reinterpret(signed=True),
    "reinterpret unsigned": lambda c: c("n").reinterpret(signed=False),
    "reinterpret same": lambda c: c("n").reinterpret(signed=True),
    "reinterpret bytes": lambda c: c("i").reinterpret(dtype=pl.UInt8),
    "reinterpret 32 bits": lambda c: c("w").reinterpret(signed=True),
    "interpolate_by": lambda c: c("n").interpolate_by("u"),
    "interpolate_by expression": lambda c: c("y").interpolate_by(c("u") * 2),
    "interpolate_by times": lambda c: c("y").interpolate_by("t"),
    "interpolate_by dates": lambda c: c("y").interpolate_by("d"),
    "repeat_by": lambda c: c("n").repeat_by(c("k")),
    "repeat_by null": lambda c: c("s").repeat_by(c("n").abs()),
    "repeat_by number": lambda c: c("s").repeat_by(2),
    "ewm_sum": lambda c: c("m").ewm_sum(alpha=0.3),
    "ewm_sum ignore_nulls": lambda c: c("m").ewm_sum(com=2, ignore_nulls=True, min_samples=2),
    "rolling_kurtosis": lambda c: c("y").rolling_kurtosis(4, min_samples=1),
    "rolling_kurtosis without bias": lambda c: c("y").rolling_kurtosis(4, min_samples=4, bias=False),
    "rolling_kurtosis Pearson": lambda c: c("n").rolling_kurtosis(3, fisher=False),
    "rolling_kurtosis center": lambda c: c("n").rolling_kurtosis(5, center=True, min_samples=2),
    "rolling_map": lambda c: c("y").rolling_map(lambda values: values.sum(), 2, min_samples=1),
    "rolling_map of full windows": lambda c: c("y").rolling_map(lambda values: values.max(), 3),
    "top_k_by": lambda c: c("n").top_k_by("u", 3),
    "top_k_by all": lambda c: c("n").top_k_by(c("u") + 1, 30),
    "top_k_by several": lambda c: c("n").top_k_by(["m", "u"], 4, reverse=[True, False]),
    "top_k_by reverse": lambda c: c("s").top_k_by("u", 2, reverse=True),
    "bottom_k_by": lambda c: c("n").bottom_k_by("u", 30),
    "bottom_k_by several": lambda c: c("n").bottom_k_by(["m", "u"], 4, reverse=[True, False]),
    "unique_counts": lambda c: c("s").unique_counts(),
    "unique_counts NaN": lambda c: c("x").unique_counts(),
    "extend_constant": lambda c: c("n").extend_constant(7, 2),
    "extend_constant null": lambda c: c("s").extend_constant(None, 1),
    "extend_constant nothing": lambda c: c("s").extend_constant("x", 0),
    "reshape": lambda c: c("n").reshape((-1, 1)),
    "reshape to values": lambda c: c("n").reshape((-1,)),
    "rle": lambda c: c("k").rle(),
    "rle null": lambda c: c("p").rle(),
    **{f"search_sorted {side}": lambda c, side=side: c("z").search_sorted(c("n"), side) for side in ("left", "right")},
    **{f"search_sorted NaN {side}": lambda c, side=side: c("zx").search_sorted(c("x"), side) for side in ("left", "right")},
    **{f"search_sorted descending {side}": lambda c, side=side: c("zd").search_sorted(c("n"), side, descending=True) for side in ("left", "right")},
}
AGGREGATES = {
    **{f"bitwise_{kind} {label}": lambda c, kind=kind, label=label: getattr(c(label), f"bitwise_{kind}")() for kind in ("and", "or", "xor") for label in "nvip"},
    "nan_max": lambda c: c("x").nan_max(),
    "nan_min": lambda c: c("x").nan_min(),
    "nan_max integers": lambda c: c("n").nan_max(),
    "nan_max without NaN": lambda c: c("y").nan_max(),
    "nan_max text": lambda c: c("s").nan_max(),
    "max_by": lambda c: c("n").max_by("y"),
    "max_by NaN": lambda c: c("u").max_by(c("u") + c("x") * 0),
    "min_by": lambda c: c("x").min_by(c("u")),
    "min_by booleans": lambda c: c("s").min_by("p"),
    "max_by booleans": lambda c: c("s").max_by("p"),
    "index_of": lambda c: c("n").index_of(2),
    "index_of null": lambda c: c("n").index_of(None),
    "index_of NaN": lambda c: c("x").index_of(math.nan),
    "index_of text": lambda c: c("s").index_of("a"),
    "index_of nothing": lambda c: c("s").index_of("zzz"),
    "is_empty": lambda c: c("n").is_empty(),
    "is_empty ignore_nulls": lambda c: c("n").is_empty(ignore_nulls=True),
    "entropy": lambda c: (c("y").abs() + 1).alias("y").entropy(),
    "entropy negative": lambda c: c("n").entropy(base=10),
    "entropy as it is": lambda c: c("m").abs().entropy(2, normalize=False),
}
# Those that are computed with all rows.
WHOLE = {
    "lower_bound": lambda c: c("i").lower_bound(),
    "upper_bound": lambda c: c("v").upper_bound(),
    "upper_bound floats": lambda c: c("x").upper_bound(),
    **{
        f"search_sorted {side} {value}": lambda c, side=side, value=value: c("z").search_sorted(value, side)
        for side in ("left", "right") for value in (-1, 3, None)
    },
    "is_sorted": lambda c: c("z").is_sorted(),
    "is_sorted nulls_last": lambda c: c("z").is_sorted(nulls_last=True),
    "is_sorted descending": lambda c: c("zd").is_sorted(descending=True, nulls_last=True),
    "is_sorted NaN": lambda c: c("zx").is_sorted(nulls_last=True),
    "is_sorted of places": lambda c: c("u").is_sorted(),
}


@pytest.mark.parametrize("name", ROWS)
def test_rows(device, name):
    for seed in range(8):
        ours, theirs = frames(seed)
        same(ours.select(ROWS[name](cn.col)), theirs.select(ROWS[name](pl.col)))


@pytest.mark.parametrize("name", AGGREGATES | WHOLE)
def test_aggregates(device, name):
    call = (AGGREGATES | WHOLE)[name]
    for seed in range(8):
        ours, theirs = frames(seed)
        same(ours.agg(call(cn.col)), theirs.select(call(pl.col)))


@pytest.mark.parametrize("name", AGGREGATES)
def test_aggregates_of_groups(device, name):
    ours, theirs = frames(3)
    call = AGGREGATES[name]
    theirs = theirs.group_by("k", maintain_order=True).agg(call(pl.col).alias("made"))
    same(ours.group_by("k").agg(call(cn.col).alias("made")), theirs)


def test_struct_is_struct_(device):
    frame = cn.DataFrame({"a": [{"x": 1, "y": "b"}, None]})
    assert frame.select(cn.col("a").struct.field("y"))["y"].to_list() == ["b", None]
    assert frame["a"].struct.field("x").to_list() == [1, None]


def test_item(device):
    ours, theirs = cn.DataFrame({"g": [1, 2], "a": [5, None]}), pl.DataFrame({"g": [1, 2], "a": [5, None]})
    same(ours[1:].agg(cn.col("a").item()), theirs[1:].select(pl.col("a").item()))
    same(ours[:0].agg(cn.col("a").item(allow_empty=True)), theirs[:0].select(pl.col("a").item(allow_empty=True)))
    same(ours.group_by("g").agg(cn.col("a").item()), theirs.group_by("g", maintain_order=True).agg(pl.col("a").item()))
    for frame, text in ((ours, "there are 2 values"), (ours[:0], "there are 0 values")):
        with pytest.raises(ValueError, match=text):
            frame.agg(cn.col("a").item())
    with pytest.raises(ValueError, match="there are 2 values"):
        ours.with_columns(g=cn.lit(1)).group_by("g").agg(cn.col("a").item())


def test_round_sig_figs_rounds_integers(device):
    values = cn.DataFrame({"a": [123456, -987, 0, None], "x": [1e300, 5e-324, -0.00123, math.inf]})
    assert values.select(cn.col("a").round_sig_figs(1))["a"].to_list() == [100000, -1000, 0, None]
    assert values.select(cn.col("x").round_sig_figs(2))["x"].to_list() == [1e300, 5e-324, -0.0012, math.inf]
    # Halves are rounded away from 0.
    for halves in ([25, -25, 35, 15], [2.5, -2.5, 0.25, -35.0, 4.5]):
        assert cn.Series(halves).round_sig_figs(1).to_list() == pl.Series(halves).round_sig_figs(1).to_list()


def test_reshape_to_lists(device):
    values = cn.DataFrame({"a": [1, None, 3, 4], "l": [[1, 2], [], None, [3]]})
    assert values.select(cn.col("a").reshape((-1, 2)))["a"].to_list() == [[1, None], [3, 4]]
    assert values.select(cn.col("a").reshape((1, -1)))["a"].to_list() == [[1, None, 3, 4]]
    assert values.select(cn.col("l").reshape((-1,)))["l"].to_list() == [1, 2, 3]


def test_shuffle_keeps_the_values(device):
    ours, _ = frames(3)
    shuffled = ours.select(cn.col("u").shuffle(seed=1))["u"].to_list()
    assert sorted(shuffled) == sorted(ours["u"].to_list()) and shuffled != ours["u"].to_list()
    assert shuffled == ours.select(cn.col("u").shuffle(1))["u"].to_list()


def test_inspect_prints(device, capsys):
    frame = cn.DataFrame({"a": [1, 2]})
    assert frame.select(cn.col("a").inspect("seen: {}").sum())["a"].to_list() == [3, 3]
    assert capsys.readouterr().out == f"seen: {frame['a']}\n"


def test_to_physical_of_categories(device):
    values = cn.DataFrame({"a": cn.Series(["x", None, "x"]).cast("category")})
    assert values.select(cn.col("a").to_physical())["a"].to_list() == [0, None, 0]


def test_expressions_are_pickled_and_shown(device):
    made = cn.col("n").bitwise_count_ones(), cn.col("n").top_k_by("u", 2), cn.col("z").search_sorted(3)
    ours, _ = frames(3)
    for one in made:
        again = pickle.loads(pickle.dumps(one))
        assert repr(again) == repr(one)
        same(ours.select(again), ours.select(one))


def test_other_columns_are_arguments(device):
    ours, theirs = frames(3)
    same(ours.select(cn.col("n", "i").to_physical()), theirs.select(pl.col("n", "i").to_physical()))
    same(ours.select(cn.col("n", "m").truncdiv(2)), theirs.select(pl.col("n", "m").truncdiv(2)))


ERRORS = {
    "bits of floats": (TypeError, lambda c: c("x").bitwise_count_ones(), "bitwise_count_ones: 'x' is float64"),
    "bits of text": (TypeError, lambda c: c("s").bitwise_and(), "bitwise_and: 's' is utf8"),
    "round_sig_figs": (ValueError, lambda c: c("x").round_sig_figs(0), "round_sig_figs: digits is at least 1"),
    "reinterpret": (ValueError, lambda c: c("n").reinterpret(), "reinterpret: give one of"),
    "reinterpret dtype": (TypeError, lambda c: c("n").reinterpret(dtype="int8"), "reinterpret: 'n' is int64"),
    "reinterpret floats": (NotImplementedError, lambda c: c("n").reinterpret(dtype="float64"), "reinterpret: bits as float64"),
    "interpolate_by": (ValueError, lambda c: c("n").interpolate_by("m"), "interpolate_by: 'm' has nulls"),
    "repeat_by": (ValueError, lambda c: c("n").repeat_by(-1), "repeat_by: a number of times"),
    "search_sorted": (ValueError, lambda c: c("z").search_sorted(1, "middle"), "search_sorted: side is"),
    "extend_constant": (NotImplementedError, lambda c: c("n").extend_constant(c("m"), 1), "extend_constant: value is a constant"),
    "reshape": (ValueError, lambda c: c("n").reshape((-1, 5)), "reshape: 12 values have no shape of"),
    "reshape of three": (ValueError, lambda c: c("n").reshape((1, 2, 3)), "reshape: dimensions are"),
    "inspect": (TypeError, lambda c: c("n").inspect(1), "inspect: fmt is text"),
    "rolling_map": (TypeError, lambda c: c("n").rolling_map(1, 2), "rolling_map: function is"),
    "rolling_map weights": (NotImplementedError, lambda c: c("n").rolling_map(len, 2, [1.0, 2.0]), "rolling_map: weights"),
    "top_k_by": (ValueError, lambda c: c("n").top_k_by("u", -1), "top_k_by: k is at least 0"),
    "bounds": (TypeError, lambda c: c("p").upper_bound(), "upper_bound: 'p' is bool"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(device, name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        frames(3)[0].select(call(cn.col))
    assert text in str(error.value) and isinstance(error.value, cn.ColumnadeError), error.value




def test_results_are_on_the_device_of_the_frame(sim):
    frame = frames(3)[0]
    cn.set_default_device("host")
    for name, call in (ROWS | AGGREGATES | WHOLE).items():
        assert frame.select(call(cn.col)).device == "sim", name
    for made in (frame["n"].scatter([0, 1], [5, 6]), frame["n"].extend_constant(1, 2), frame["z"].search_sorted(frame["n"])):
        assert made.device == "sim"
    assert frame["z"].search_sorted(1) >= 0


def test_white_space_is_stripped_without_an_argument(device):
    values = ["  a b ", None, "x", "\t\n", "\u3000y"]
    ours, theirs = cn.Series(values, name="s"), pl.Series("s", values)
    assert ours.str.strip_chars().to_list() == theirs.str.strip_chars().to_list()
    assert ours.str.strip_chars("a ").to_list() == theirs.str.strip_chars("a ").to_list()
    made = ours.to_frame().select(cn.col("s").str.strip_chars())
    assert made.columns == ["s"] and made["s"].to_list() == theirs.str.strip_chars().to_list()
    for side, method in (("left", "lstrip"), ("right", "rstrip")):
        assert ours.str.strip_chars(side=side).to_list() == [None if value is None else getattr(value, method)() for value in values]
    with pytest.raises(cn.ColumnValueError, match="side is"):
        ours.str.strip_chars(side="up")


@pytest.mark.parametrize("sought", ["b", "", "é", "ab", "🙂"])
def test_texts_are_found_as_polars_finds_them(device, sought):
    values = ["äbc", "b", None, "x", "", "é🙂b", "aab"]
    ours, theirs = cn.Series(values, name="s"), pl.Series("s", values).str.find(sought, literal=True).to_list()
    assert ours.str.find(sought, literal=True).to_list() == theirs
    made = ours.to_frame().select(cn.col("s").str.find(sought, literal=True))
    assert made.columns == ["s"] and made["s"].to_list() == theirs
    assert ours.str.find(sought).to_list() == [None if value is None else value.find(sought) for value in values]


def test_arguments_of_find_that_do_not_go_together():
    strings = cn.Series(["a"]).str
    for arguments, kind in (({"literal": False}, NotImplementedError), ({"literal": True, "start": 1}, TypeError), ({"literal": 1}, TypeError)):
        with pytest.raises(kind, match="^str.find: "):
            strings.find("a", **arguments)
