"""Names of Polars for series: the values that Polars has, under the name of the series and the labels of rows that stay."""

import columnade as cn
import polars as pl
import pytest

from test_polars_names import close
from test_polars_values import frames

# The column, and a call on it that may take others.
PLAIN = {
    "arccos": "x", "arccosh": "n", "arcsin": "x", "arcsinh": "x", "arctan": "x", "arctanh": "y", "backward_fill": "n", "forward_fill": "n",
    "cot": "y", "cum_prod": "n", "degrees": "y", "radians": "y", "drop_nans": "x", "is_duplicated": "n", "is_first_distinct": "s",
    "is_last_distinct": "s", "is_not_nan": "x", "not_": "p", "rle_id": "k", "rle": "k", "arg_true": "p", "arg_unique": "s", "peak_max": "n",
    "peak_min": "n", "to_physical": "t", "unique_counts": "s", "bitwise_count_ones": "i", "bitwise_leading_zeros": "w", "bitwise_and": "n",
    "bitwise_or": "n", "bitwise_xor": "p", "entropy": "m", "nan_max": "x", "nan_min": "x", "shrink_dtype": "n", "clear": "n", "clone": "n",
    "n_chunks": "n", "chunk_lengths": "n", "rechunk": "n", "shrink_to_fit": "n", "implode": "n", "set_sorted": "n", "to_dummies": "p",
}
CALLS = {
    **{name: (label, lambda s, r, name=name: getattr(s, name)()) for name, label in PLAIN.items()},
    "ewm_sum": ("m", lambda s, r: s.ewm_sum(alpha=0.5)),
    "is_between": ("n", lambda s, r: s.is_between(-1, 2)),
    "is_between series": ("n", lambda s, r: s.is_between(r["m"], 3)),
    "is_between text": ("s", lambda s, r: s.is_between("a", "b", closed="left")),
    "is_close": ("y", lambda s, r: s.is_close(r["x"], abs_tol=500)),
    "is_close number": ("x", lambda s, r: s.is_close(1.4, rel_tol=0.5)),
    "replace_strict": ("n", lambda s, r: s.replace_strict({1: 5}, default=0)),
    "extend_constant": ("n", lambda s, r: s.extend_constant(3, 2)),
    "round_sig_figs": ("y", lambda s, r: s.round_sig_figs(2)),
    "search_sorted": ("z", lambda s, r: s.search_sorted(2, "left")),
    "search_sorted null": ("z", lambda s, r: s.search_sorted(None, "right")),
    "search_sorted series": ("z", lambda s, r: s.search_sorted(r["n"], "right")),
    "interpolate_by": ("y", lambda s, r: s.interpolate_by(r["u"])),
    "repeat_by": ("n", lambda s, r: s.repeat_by(r["k"])),
    "rolling_kurtosis": ("y", lambda s, r: s.rolling_kurtosis(3)),
    "rolling_map": ("n", lambda s, r: s.rolling_map(lambda part: part.sum(), 2)),
    "rolling_sum_by": ("y", lambda s, r: s.rolling_sum_by(r["sorted"], "2d")),
    "rolling_max_by": ("y", lambda s, r: s.rolling_max_by(r["sorted"], "2d")),
    "top_k_by": ("n", lambda s, r: s.top_k_by(r["u"], 3)),
    "bottom_k_by": ("n", lambda s, r: s.bottom_k_by(r["u"], 3, reverse=True)),
    "index_of": ("n", lambda s, r: s.index_of(2)),
    "max_by": ("n", lambda s, r: s.max_by(r["u"])),
    "forward_fill limit": ("n", lambda s, r: s.forward_fill(1)),
    "cum_prod reverse": ("n", lambda s, r: s.cum_prod(reverse=True)),
    "reinterpret": ("n", lambda s, r: s.reinterpret(signed=False)),
    "clear nulls": ("n", lambda s, r: s.clear(2)),
    "append": ("n", lambda s, r: s.clone().append(r["m"])),
    "extend": ("n", lambda s, r: s.clone().extend(r["m"])),
    "zip_with": ("n", lambda s, r: s.zip_with(r["p"], r["m"])),
    "set": ("n", lambda s, r: s.set(r["p"], 9)),
    "set null": ("n", lambda s, r: s.set(r["p"], None)),
    "to_dummies separator": ("s", lambda s, r: s.to_dummies(separator=":")),
    "to_dummies drop_nulls": ("n", lambda s, r: s.to_dummies(drop_nulls=True)),
    "to_dummies drop_first": ("s", lambda s, r: s.to_dummies(drop_first=True)),
}


def plain(made):
    if isinstance(made, (pl.DataFrame, cn.DataFrame)):
        return [(label, made[label].to_list()) for label in made.columns]
    return (made.name, made.to_list()) if isinstance(made, (pl.Series, cn.Series)) else made


def agree(mine, theirs):
    if isinstance(mine, (list, tuple)):
        return len(mine) == len(theirs) and all(map(agree, mine, theirs))
    return close(mine, theirs)


@pytest.mark.parametrize("name", CALLS)
def test_series(device, name):
    label, call = CALLS[name]
    for seed in range(8):
        ours, theirs = ({label: frame[label] for label in frame.columns} | {"sorted": frame["t"].sort()} for frame in frames(seed))
        mine = call(ours[label], ours)
        assert agree(plain(mine), plain(call(theirs[label], theirs))), seed
        if isinstance(mine, cn.Series) and name.split()[0] not in ("reinterpret", "extend_constant"):
            assert mine.device == ours[label].device


def test_labels_stay_where_rows_do(device):
    values = cn.Series([3.0, None, 1.0, 2.0], name="v", index=["a", "b", "c", "d"])
    by = cn.Series([1, 2, 3, 4])
    for made in (
        values.degrees(), values.is_between(1, 2), values.forward_fill(), values.interpolate_by(by), values.peak_max(), values.round_sig_figs(1),
        values.is_close(by), values.set(values > 2, 0.0), values.scatter([0], 5.0), values.zip_with(values > 2, by), values.to_physical(),
        values.ewm_sum(alpha=0.5), values.shrink_dtype(), values.cum_prod(reverse=True), values.repeat_by(by),
    ):
        assert (made.index.to_list(), made.name) == (["a", "b", "c", "d"], "v")


@pytest.mark.parametrize("indices, values", [([0, 2], 9), ([0, 2], [7, None]), (-1, 8), ([3, 0], [1, 2]), ([], [])])
def test_scatter(device, indices, values):
    given = [3, 1, None, 1, 5]
    made = cn.Series(given).scatter(indices, values)
    assert made.to_list() == pl.Series(given).scatter(indices, values).to_list()
    assert cn.Series(given).scatter(cn.Series(indices, dtype="int64") if isinstance(indices, list) else indices, values).to_list() == made.to_list()


def test_shrink_dtype(device):
    for values, dtype in (
        ([300, 2], "int64"), ([128], "int64"), ([127, -128], "int64"), ([2, 3], "uint64"), ([-129], "int64"), ([2**40], "int64"), ([], "int64"), ([None], "int32"), ([255], "uint16"),
        ([256], "uint16"), ([1.5], "float64"), (["a"], "utf8"),
    ):
        theirs = pl.Series(values, dtype=getattr(pl, {"utf8": "String"}.get(dtype, dtype.title().replace("Ui", "UI")))).shrink_dtype()
        made = cn.Series(values, dtype=dtype).shrink_dtype()
        assert (made.to_list(), made.dtype) == (theirs.to_list(), cn.DType({"String": "utf8"}.get(str(theirs.dtype), str(theirs.dtype).lower())))


def test_one_value_many_times(device):
    values = cn.Series([3, 1, None], name="v")
    assert values.new_from_index(1, 3).to_list() == [1, 1, 1] and values.new_from_index(-1, 2).to_list() == [None, None]
    assert values.new_from_index(0, 0).to_list() == []


def test_facts_of_memory(device):
    values = cn.Series([3, 1, None], name="v")
    assert values.get_chunks()[0].to_list() == [3, 1, None]
    assert values.estimated_size() == values.to_frame("v").estimated_size() and values.estimated_size("kb") == values.estimated_size() / 1024
    assert sorted(cn.Series([1, 2, 3]).shuffle(seed=1).to_list()) == [1, 2, 3]
    assert cn.Series([1, 2]).hash().to_list() == cn.DataFrame({"a": [1, 2]}).select(cn.col("a").hash())["a"].to_list()


def test_code_that_makes_a_series(device):
    values = cn.Series([3, None], name="v", dtype="int32")
    again = eval(values.to_init_repr(), {"cn": cn})
    assert (again.to_list(), again.name, again.dtype) == ([3, None], "v", values.dtype)
    assert cn.Series([1, 2, 3]).to_init_repr(1) == "cn.Series([1], name=None, dtype='int64')"


def test_dummies_of_frames(device):
    for values in ([], [2, 1, None], [None, 2, 1], [2, 1, 3]):
        for options in ({}, {"drop_first": True}, {"drop_nulls": True}, {"drop_first": True, "drop_nulls": True}):
            ours, theirs = (m.DataFrame({"n": m.Series(values, dtype=dtype)}) for m, dtype in ((cn, "int64"), (pl, pl.Int64)))
            assert plain(ours.to_dummies(**options)) == plain(theirs.to_dummies(**options)), (values, options)


ERRORS = {
    "append": (TypeError, lambda s: s.append([1]), "append: other is a series, not list"),
    "clear": (ValueError, lambda s: s.clear(-1), "clear: n is an integer that is not negative"),
    "new_from_index": (IndexError, lambda s: s.new_from_index(9, 1), "new_from_index: there is no row 9: there are 3"),
    "estimated_size": (ValueError, lambda s: s.estimated_size("x"), "estimated_size: unit is"),
    "scatter": (IndexError, lambda s: s.scatter([3], 1), "scatter: there are 3 rows"),
    "scatter values": (ValueError, lambda s: s.scatter([0, 1, 2], [1, 2]), "scatter: 2 values for 3 rows"),
    "is_close": (ValueError, lambda s: s.is_close(cn.Series([1])), "is_close: 1 values for 3 rows"),
    "is_between": (ValueError, lambda s: s.is_between(1, 2, closed="x"), "is_between: closed is"),
    "bits": (TypeError, lambda s: s.cast("float64").bitwise_and(), "bitwise_and: 'values' is float64"),
    "zip_with": (TypeError, lambda s: s.zip_with([True], s), "zip_with: mask and other are series"),
    "set": (TypeError, lambda s: s.set([True, False, True], 1), "set: filter is a series"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors(device, name):
    kind, call, text = ERRORS[name]
    with pytest.raises(kind) as error:
        call(cn.Series([3, 1, None]))
    assert text in str(error.value) and isinstance(error.value, cn.ColumnadeError), error.value
