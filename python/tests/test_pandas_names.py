"""Names of results, categories that are mapped, tables whose keys are values, and tuples: beside pandas."""

import operator

import columnade as cn
import pandas as pd
import polars as pl
import pytest

OPERATORS = ["add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge"]
NAMES = [("a", "a"), ("a", "b"), ("a", None), (None, "a"), (None, None), (1, 1), (1, 2), (("x", 1), ("x", 1)), (("x", 1), "x")]


@pytest.mark.parametrize("names", NAMES, ids=str)
@pytest.mark.parametrize("name", OPERATORS)
def test_operators_of_two_series_have_their_common_name(device, name, names):
    ours = [cn.Series([3, 1, 2], name=name) for name in names]
    theirs = [pd.Series([3, 1, 2], name=name) for name in names]
    operate = getattr(operator, name)
    assert operate(*ours).name == operate(*theirs).name
    assert getattr(ours[0], name)(ours[1]).name == getattr(theirs[0], name)(theirs[1]).name
    assert getattr(ours[0], name)(ours[1], fill_value=1).name == getattr(theirs[0], name)(theirs[1], fill_value=1).name
    if f"r{name}" in dir(pd.Series):
        assert getattr(ours[0], f"r{name}")(ours[1]).name == getattr(theirs[0], f"r{name}")(theirs[1]).name


@pytest.mark.parametrize("names", NAMES, ids=str)
def test_logic_of_two_series_has_their_common_name(device, names):
    ours = [cn.Series([True, False, True], name=name) for name in names]
    theirs = [pd.Series([True, False, True], name=name) for name in names]
    for operate in (operator.and_, operator.or_, operator.xor):
        assert operate(*ours).name == operate(*theirs).name


def test_operators_with_a_value_keep_the_name(device):
    import numpy as np

    series = cn.Series([1, 2], name="a")
    assert [(series + 1).name, (1 - series).name, (series > 1).name, (series + np.array([1, 2])).name] == ["a"] * 4
    # What joins strings keeps the name of the first, as in pandas.
    words = cn.Series(["x", "y"], name="w"), cn.Series(["1", "2"], name="v")
    theirs = pd.Series(["x", "y"], name="w"), pd.Series(["1", "2"], name="v")
    assert words[0].str.cat(words[1]).name == theirs[0].str.cat(theirs[1]).name == "w"
    assert (words[0] + words[1]).name is (theirs[0] + theirs[1]).name is None
    assert words[0].str.concat(words[1]).name == "w"


# Categories -------------------------------------------------------------------------------------------------------------
MAPPINGS = {
    "to others": {"a": "x", "b": "y", "c": "z"},
    "to numbers": {"a": 1, "b": 2, "c": 3},
    "some to the same": {"a": "x", "b": "x", "c": "z"},
    "some to none": {"a": "x", "b": "y"},
    "to numbers and none": {"a": 1, "b": 2},
    "to fractions": {"a": 1.5, "b": 2, "c": 0},
}
FUNCTIONS = {"to others": lambda value: value + "!", "to lengths": len, "to themselves": lambda value: value}


def categories(nulls, ordered=False):
    values = ["b", "a", None, "b"] if nulls else ["b", "a", "b"]
    theirs = pd.Series(pd.Categorical(values, categories=["a", "b", "c"], ordered=ordered), name="k", index=list("wxyz")[:len(values)])
    return cn.from_pandas(theirs), theirs


def same_mapped(ours, theirs):
    assert isinstance(theirs.dtype, pd.CategoricalDtype) == str(ours.dtype).startswith("dictionary")
    assert [None if pd.isna(value) else value for value in theirs] == ours.to_list()
    assert ours.name == theirs.name and ours.index.to_list() == theirs.index.to_list()
    if isinstance(theirs.dtype, pd.CategoricalDtype):
        assert ours.cat.categories().to_list() == theirs.cat.categories.tolist() and ours.cat.ordered == theirs.cat.ordered


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("name", MAPPINGS)
def test_dictionaries_map_categories(device, name, nulls, ordered):
    ours, theirs = categories(nulls, ordered)
    same_mapped(ours.map(MAPPINGS[name]), theirs.map(MAPPINGS[name]))
    assert ours.map(MAPPINGS[name]).device == device
    series = pd.Series(MAPPINGS[name])
    same_mapped(ours.map(cn.Series(MAPPINGS[name])), theirs.map(series))


@pytest.mark.parametrize("nulls", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_map_categories(name, nulls):
    ours, theirs = categories(nulls)
    same_mapped(ours.map(FUNCTIONS[name], na_action="ignore"), theirs.map(FUNCTIONS[name], na_action="ignore"))


def test_functions_are_called_once_for_each_category():
    ours, _ = categories(True)
    calls = []
    made = ours.map(lambda value: calls.append(value) or str(value).upper())
    # The null is a value of the function, and no category then.
    assert calls == ["a", "b", "c", None] and made.to_list() == ["B", "A", "NONE", "B"] and str(made.dtype) == "utf8"
    assert cn.Series(["a", None]).cat.encode().map({"a": "x", None: "y"}).to_list() == ["x", "y"]
    assert ours.map(lambda value: [value], na_action="ignore").to_list() == [["b"], ["a"], None, ["b"]]
    empty = cn.Series([None, None], dtype="utf8").cat.encode()
    assert empty.map({"a": 1}).to_list() == [None, None]


# Tables -----------------------------------------------------------------------------------------------------------------
ROWS = {"k": ["b", "a", "b", "c"], "j": ["x", "y", "y", "x"], "v": [1, 2, 3, 4], "w": [0.5, 1.5, 2.5, 3.5]}
TABLES = {
    "key and only value": {"index": "k", "values": "k", "aggfunc": "count"},
    "key among values": {"index": "k", "values": ["k", "v"], "aggfunc": "count"},
    "rows and columns": {"index": "k", "columns": "k", "values": "v", "aggfunc": "sum"},
    "rows are the value": {"index": "v", "columns": "k", "values": "v", "aggfunc": "sum"},
    "columns are the value": {"index": "k", "columns": "v", "values": "v", "aggfunc": "max"},
    "columns are one of values": {"index": "k", "columns": "j", "values": ["j", "v"], "aggfunc": "count"},
    "two keys, one a value": {"index": ["k", "v"], "columns": "j", "values": "v", "aggfunc": "sum"},
    "several aggregates": {"index": "v", "values": "v", "aggfunc": ["sum", "max"]},
    "aggregates by column": {"index": "k", "aggfunc": {"k": "count", "v": "sum"}},
    "columns alone": {"columns": "k", "values": "k", "aggfunc": "count"},
    "filled": {"index": "v", "columns": "k", "values": "v", "aggfunc": "sum", "fill_value": 0},
    "not sorted": {"index": "k", "columns": "j", "values": "j", "aggfunc": "count", "sort": False},
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_whose_keys_are_values_are_those_of_pandas(device, name):
    options = TABLES[name]
    used = [label for label in ROWS if f"'{label}'" in repr(options)]
    # pandas refuses these tables where the frame has a column that is not used.
    theirs = pd.DataFrame(ROWS)[used].pivot_table(**options)
    ours = cn.DataFrame(ROWS).pivot_table(**options)
    assert ours.device == device
    assert [label if isinstance(label, tuple) else label for label in ours.columns] == theirs.columns.tolist()
    assert list(ours.index.names) == list(theirs.index.names) and ours.index.to_list() == theirs.index.tolist()
    assert list(ours._level_names) == list(theirs.columns.names)
    for place, label in enumerate(ours.columns):
        assert ours[label].to_list() == [None if pd.isna(value) else value for value in theirs.iloc[:, place]]


def test_margins_of_tables_whose_keys_are_values():
    ours = cn.DataFrame(ROWS).pivot_table(index="k", columns="j", values="k", aggfunc="count", margins=True)
    assert ours.columns == ["x", "y", "All"] and ours.index.to_list() == ["a", "b", "c", "All"] and ours.index.name == "k"
    assert ours["All"].to_list() == [1, 2, 1, 4]


# Tuples -----------------------------------------------------------------------------------------------------------------
def test_tuples_are_lists_of_one_dtype(device):
    assert str(cn.Series([(1, 2), None, (3,)]).dtype) == "list<int64>"
    assert cn.Series([(1, 2), None, (3,)]).to_list() == pl.Series([(1, 2), None, (3,)]).to_list() == [[1, 2], None, [3]]
    for make in (lambda: cn.Series([(1, "a")]), lambda: cn.Series([[1, "a"]]), lambda: cn.DataFrame({"p": [(1, "a")]})):
        with pytest.raises(TypeError, match="item 1 is a value of utf8, and items before are of int64: a list or a tuple has items of one dtype, and a dictionary is a struct"):
            make()
    assert str(cn.Series([{"x": 1, "y": "a"}]).dtype) == "struct<x: int64, y: utf8>"


# Booleans ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("values", [[1, 0, 2, 1], [True, False, True, False], [1.0, 0.0, 2.5, 1.0]], ids=str)
@pytest.mark.parametrize("pairs", [{True: 7}, {1: 7}, {False: 7}, {0.0: 7}, {True: False}], ids=str)
def test_expressions_replace_booleans_and_numbers_as_pandas_does(device, values, pairs):
    theirs = pd.Series(values).replace(pairs).tolist()
    made = cn.DataFrame({"v": values}).select(cn.col("v").replace(pairs).alias("v"))["v"].to_list()
    assert made == theirs
    # In a column of booleans, pandas has objects where they become numbers, and here all of them do.
    kinds = {type(value) for value in theirs}
    assert len(kinds) > 1 or {type(value) for value in made} == kinds
    assert cn.Series(values).replace(pairs).to_list() == theirs


# Codecs -----------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("strings", [cn.col("s").str, cn.Series(["ab"]).str], ids=["expression", "series"])
def test_codecs_of_strings_say_what_to_do(strings):
    for name, arguments in (("encode", ["hex"]), ("encode", ["base64"]), ("encode", ["utf-8"]), ("decode", ["hex"]), ("decode", ["utf-8", "ignore"])):
        with pytest.raises(NotImplementedError, match=rf"^str\.{name}: strings are not encoded here: series\.map\(lambda") as error:
            getattr(strings, name)(*arguments)
        assert error.value.operation == f"str.{name}"
    text = cn.Series(["Zürich", None])
    coded = text.map(lambda text: text.encode().hex(), na_action="ignore")
    assert coded.to_list() == pl.Series(text.to_list()).str.encode("hex").to_list()
    assert coded.map(lambda text: bytes.fromhex(text).decode(), na_action="ignore").to_list() == text.to_list()


# Other everyday calls ---------------------------------------------------------------------------------------------------
def plain(made):
    """Values with their labels and name, nulls as None."""
    made = made.to_pandas() if hasattr(made, "to_pandas") else made
    clean = lambda value: None if pd.isna(value) else value
    if isinstance(made, pd.Series):
        return made.name, [str(label) for label in made.index], [clean(value) for value in made]
    if isinstance(made, pd.DataFrame):
        return [(label, plain(made[label])) for label in made.columns]
    return clean(made)


def both():
    import datetime

    at = [datetime.datetime(2024, 1, 1), datetime.datetime(2024, 1, 1, 12), datetime.datetime(2024, 1, 2, 6), datetime.datetime(2024, 1, 3, 12)]
    data = {"a": [1.0, 2.0, 4.0, 8.0], "g": ["x", "y", "x", "y"]}
    return [(lib.DataFrame(data, index=lib.DatetimeIndex(at)), lib) for lib in (cn, pd)]


CALLS = {
    "strings times a number": lambda f, m: f["g"] * 3,
    "a number times strings": lambda f, m: 2 * f["g"],
    "strings times none": lambda f, m: f["g"] * 0 + f["g"] * -1,
    "method of it": lambda f, m: f["g"].mul(2),
    "offset as text": lambda f, m: f[["a"]].resample("2D", offset="6h").sum(),
    "offset of a series": lambda f, m: f["a"].resample("D", offset="-90min").count(),
    "offset of a grouper": lambda f, m: f.groupby(m.Grouper(freq="D", offset="1h"))["a"].sum(),
    "explode without lists": lambda f, m: f["g"].explode(),
    "explode of numbers": lambda f, m: f["a"].explode(ignore_index=True),
    "explode of a frame without lists": lambda f, m: f.explode("g"),
    "explode of several": lambda f, m: f.explode(["g", "a"], ignore_index=True),
    "dot": lambda f, m: f["a"].dot(f["a"]),
    "dot with a null": lambda f, m: f["a"].where(f["a"] > 1).dot(f["a"]),
    "dot with a frame": lambda f, m: f["a"].where(f["a"] > 1).dot(f[["a"]]),
    "dot with values": lambda f, m: f["a"].where(f["a"] > 1).dot([1, 2, 3, 4]),
    "searchsorted of one": lambda f, m: f["a"].searchsorted(3.0),
    "searchsorted of one on the right": lambda f, m: f["a"].searchsorted(4, side="right"),
    "searchsorted of text": lambda f, m: f["g"].sort_values().searchsorted("y"),
    "bins between edges": lambda f, m: f["a"].value_counts(bins=[0, 2, 10]),
    "shares of bins": lambda f, m: f["a"].value_counts(bins=[0, 2, 10], normalize=True, sort=False),
}


MORE = {
    "categories of numbers": lambda f, m: f["a"].astype("category").astype("float64"),
    "sizes of groups": lambda f, m: f.pivot_table(index="g", aggfunc="size"),
    "sizes of two keys": lambda f, m: f.pivot_table(index=["g", "a"], aggfunc="size"),
    "sizes by columns": lambda f, m: f.pivot_table(index="a", columns="g", aggfunc="size", fill_value=0),
    "sizes by columns alone": lambda f, m: f[["g", "a"]].pivot_table(index="a", columns="g", aggfunc="size"),
    "a series as key": lambda f, m: f.pivot_table(index=f["a"] > 2, values="a", aggfunc="sum"),
    "a series of a name as key": lambda f, m: f.pivot_table(index="g", columns=(f["a"] > 2).rename("big"), values="a", aggfunc="sum"),
    "a series as key of all columns": lambda f, m: f[["a"]].pivot_table(index=(f["a"] * 2).rename("twice"), aggfunc="max"),
    "two series as keys": lambda f, m: f.pivot_table(index=["g", f["a"] > 1], values="a", aggfunc="count"),
    "sums across": lambda f, m: f.assign(b=f["a"].where(f["a"] > 1), c=3)[["a", "b", "c"]].cumsum(axis=1),
    "products across": lambda f, m: f.assign(b=f["a"].where(f["a"] > 1), c=3)[["a", "b", "c"]].cumprod(axis="columns"),
    "least values across": lambda f, m: f.assign(b=f["a"].where(f["a"] > 1), c=3)[["a", "b", "c"]].cummin(axis=1),
    "greatest values across": lambda f, m: f.assign(b=f["a"].where(f["a"] > 1), c=3)[["a", "b", "c"]].cummax(1),
    "methods of one value": lambda f, m: f["g"].transform(str.upper),
    "method with a null": lambda f, m: f["g"].where(f["a"] > 1).map(str.upper, na_action="ignore"),
    "function of windows": lambda f, m: f["a"].rolling(2).agg(lambda values: values.sum()),
    "function of windows so far": lambda f, m: f["a"].expanding().agg(lambda values: values.max()),
    "rows up to midnight": lambda f, m: f["a"].truncate(after="2024-01-02"),
    "rows from a month on": lambda f, m: f.truncate(before="2024-01", after="2024-01-02 06:00"),
    "rows between texts that are no times": lambda f, m: f.reset_index(drop=True).set_index("g").sort_index().truncate("x", "x"),
    "labels renamed": lambda f, m: f.reset_index(drop=True).rename(index={0: 9}),
    "all labels renamed": lambda f, m: f.reset_index(drop=True).rename(index={0: "p", 1: "q", 2: "r", 3: "s"}),
}
CALLS |= MORE


@pytest.mark.parametrize("name", CALLS)
def test_call_gives_what_pandas_gives(device, name):
    ours, theirs = (CALLS[name](*of) for of in both())
    assert plain(ours) == plain(theirs)
    assert isinstance(ours, int) == isinstance(theirs, (int, __import__("numpy").integer)) or isinstance(ours, (cn.Series, cn.DataFrame, float, type(None)))


def test_products_of_strings_and_other_values_are_refused():
    words = cn.Series(["a"])
    for other in (1.5, True, "b", cn.Series([2])):
        with pytest.raises(cn.ColumnadeError, match="^mul: "):
            words * other
    with pytest.raises(cn.ColumnValueError, match='^resample: offset is a duration such as "6h", not soon'):
        cn.DataFrame({"a": [1]}, index=cn.to_datetime(["2024-01-01"])).resample("D", offset="soon").sum()
    assert cn.Series([[1, 2], [3]]).explode().to_list() == [1, 2, 3]
    assert cn.Series([1, 3]).searchsorted([2]).tolist() == [1]


@pytest.mark.parametrize("values", [[3, 1, 10, None], [1.5, None], ["b", "a"], [True, False, True]], ids=str)
def test_categories_have_the_dtype_of_the_values(device, values):
    kind = str(cn.Series(values).dtype)
    frame = cn.DataFrame({"v": values, "w": values})
    for made in (cn.Series(values).astype("category"), cn.Series(values, dtype="category"), cn.Categorical(values),
                 frame.astype({"v": "category"})["v"], frame.astype("category")["w"], cn.DataFrame({"v": values}, dtype="category")["v"]):
        assert str(made.dtype) == f"dictionary<int32, {kind}>" and made.to_list() == values and made.device == device
        theirs = pd.Series(values, dtype=object).dropna().unique().tolist()
        assert made.cat.categories().to_list() == theirs
    assert str(frame.astype({"v": "category"})["w"].dtype) == kind
    assert cn.Series([3, 1, 10]).astype("category").cat.set_categories([3, 10, 1], ordered=True).max() == 1
    assert cn.Categorical([1, 2, 1], categories=[2, 1], ordered=True).max() == 1


def test_errors_say_what_to_do():
    frame = cn.DataFrame({"a": [1, 2]})
    with pytest.raises(TypeError, match="^rename: labels of rows have one dtype, and these would be int and str: give others for all of them"):
        frame.rename(index={0: "x"})
    with pytest.raises(KeyError, match="drop: there is no column 0, but a row: rows are dropped with index=0"):
        frame.drop([0])
    with pytest.raises(KeyError, match=r"drop: there is no column 0, but a row: rows are dropped with index=\[0, 1\]"):
        frame.drop([0, 1])
    with pytest.raises(KeyError, match="there is no column 7; there is"):
        frame.drop(7)
    with pytest.raises(NotImplementedError, match="^agg: functions are not implemented"):
        frame["a"].ewm(span=2).agg(["mean", lambda values: values.sum()])
    with pytest.raises(TypeError, match="^cumsum: axis=1 is of columns of numbers"):
        cn.DataFrame({"a": [1], "s": ["x"]}).cumsum(axis=1)


@pytest.mark.parametrize("values", [["b", "a", None, "b"], ["c"], [None, None]], ids=str)
@pytest.mark.parametrize("categories", [["a", "b", "c", "d"], ["d", "c", "b", "a"], [3, 1, 2]], ids=str)
@pytest.mark.parametrize("options", [{}, {"prefix": "k"}, {"dummy_na": True}, {"drop_first": True}, {"dtype": "int8"}], ids=str)
def test_categories_without_a_value_have_dummies(device, values, categories, options):
    if categories[0] == 3:
        values = [None if value is None else {"a": 1, "b": 3, "c": 2}[value] for value in values]
    theirs = pd.Series(pd.Categorical(values, categories=categories), name="v")
    ours = cn.from_pandas(theirs)
    made, expected = ours.get_dummies(**options), pd.get_dummies(theirs, **options)
    assert [None if label is None else label for label in made.columns] == [None if pd.isna(label) else label for label in expected.columns]
    for place, label in enumerate(made.columns):
        assert made[label].to_list() == expected.iloc[:, place].tolist()
    assert made.device == device
    frame = cn.get_dummies(ours.to_frame("v"))
    assert frame.columns == pd.get_dummies(theirs.to_frame("v")).columns.tolist()


def test_bins_of_row_labels_have_their_name(device):
    calls = {
        "sum": lambda g: g["a"].sum(), "sums": lambda g: g.sum(numeric_only=True), "size": lambda g: g.size(), "agg": lambda g: g.agg({"a": "sum"}),
        "list": lambda g: g["a"].agg(["sum", "max"]), "named": lambda g: g.agg(s=("a", "sum")), "first": lambda g: g[["a"]].first(),
        "mean": lambda g: g["a"].mean(), "apply": lambda g: g["a"].apply(lambda values: values.sum()),
    }
    for name in (None, "t", "index"):
        for keys in (lambda m: m.Grouper(freq="D"), lambda m: [m.Grouper(freq="D"), "g"], lambda m: ["g", m.Grouper(freq="D")]):
            for call, of in calls.items():
                ours, theirs = (of(frame.rename_axis(name).groupby(keys(lib))) for frame, lib in both())
                assert list(ours.index.names) == list(theirs.index.names), (name, call)
    frame, lib = both()[0]
    assert lib.Grouper(freq="D").key is None and lib.Grouper("D", "t").key == "t"
    # The names of Polars keep a label for the column of the keys.
    assert frame.group_by(lib.Grouper(freq="D")).agg(cn.col("a").sum()).columns == ["index", "a"]
