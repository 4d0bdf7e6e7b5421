"""A value of a wrong type in place of an argument is an error of this package, of all methods."""

import ast
import contextlib
import datetime as dt
import io
import math
import operator
import pathlib
import pickle

import columnade as cn
import pandas as pd
import pytest
from columnade import _columnade, col

from beside import same

STUB = ast.parse((pathlib.Path(cn.__file__).parent / "_columnade.pyi").read_text())


def objects():
    text = cn.Series(["a-b", "c"], name="w")
    times = cn.Series([dt.datetime(2024, 1, 1), dt.datetime(2024, 1, 2)], name="w")
    numbers = cn.Series([1, 2], name="w")
    frame = cn.DataFrame({"w": [1, 2], "a": ["x", "y"], "t": times})
    return {
        "StringNamespace": col("w").str, "SeriesStringNamespace": text.str, "DatetimeNamespace": col("w").dt,
        "SeriesDatetimeNamespace": times.dt, "ListNamespace": col("w").list,
        "SeriesListNamespace": cn.Series([[1, 2], [3]], name="w").list, "CategoryNamespace": col("w").cat,
        "SeriesCategoryNamespace": cn.Series(["a", "b"], name="w").cat.encode().cat, "StructNamespace": col("w").struct_,
        "SeriesStructNamespace": cn.Series([{"x": 1}, {"x": 2}], name="w").struct_, "Series": numbers, "Expr": col("w"),
        "DataFrame": frame, "GroupBy": frame.groupby("a"), "SeriesGroupBy": frame.groupby("a")["w"], "Rolling": numbers.rolling(2),
        "ExponentialMovingWindow": numbers.ewm(span=2), "Index": cn.Index([1, 2], name="w"), "When": cn.when(col("w") > 1),
        "Resampler": cn.DataFrame({"w": [1, 2]}).with_index(cn.Index(times)).resample("1D"),
    }


BY_NAME = {
    **dict.fromkeys(("freq", "period", "every", "rule"), "1d"), **dict.fromkeys(("time_zone", "tz", "zone"), "UTC"), "dtype": "int64",
    **dict.fromkeys(("left_on", "right_on", "on", "subset", "columns", "column", "key", "labels", "keys", "id_vars", "values", "name"), "w"),
}


def fitting(argument, of, folder):
    """A value that an argument may have."""
    kind = ast.unparse(argument.annotation) if argument.annotation else "Any"
    name = argument.arg
    if name in ("path", "buf", "excel_writer", "path_or_buf", "con", "sink"):
        return str(folder / "file")
    if name in ("by", "offset"):
        return "1d" if "Datetime" in of else "w" if "int" not in kind else 1
    if name in ("other", "right"):
        return cn.DataFrame({"w": [1, 2], "b": [1, 2]}) if of == "DataFrame" else 1
    if name in BY_NAME:
        return BY_NAME[name]
    if name == "func" or "Callable" in kind:
        return lambda value: value
    kinds = {"Pattern": "a", "int": 1, "str": "a", "bool": False, "dict": {"a": "b"}, "list": ["a"]}
    return next((value for part, value in kinds.items() if part in kind), 1)


def methods(of):
    """The public methods of a class in the stub: their names, and their arguments by kind."""
    [found] = [node for node in STUB.body if isinstance(node, ast.ClassDef) and node.name == of]
    for method in found.body:
        if not isinstance(method, ast.FunctionDef) or method.name.startswith("_"):
            continue
        marks = {ast.unparse(mark).rpartition(".")[2] for mark in method.decorator_list}
        if marks & {"property", "overload", "setter"}:
            continue
        given = method.args
        own = (given.posonlyargs + given.args)[0 if "staticmethod" in marks else 1:]
        required = own[:len(own) - len(given.defaults)]
        required += [one for one, default in zip(given.kwonlyargs, given.kw_defaults) if default is None]
        yield method.name, own + given.kwonlyargs, required, [one.arg for one in given.posonlyargs]


@pytest.mark.parametrize("of", list(objects()))
@pytest.mark.filterwarnings("ignore")
def test_values_of_wrong_types_are_errors_of_this_package(of, tmp_path):
    wrong = {"an expression": col("w"), "a series": cn.Series(["q"], name="w"), "an object": object(), "a number": 1.5}
    bare = []
    calls = 0
    for name, arguments, required, by_place in methods(of):
        for argument in arguments:
            called = objects()[of]
            for kind, value in wrong.items():
                given = {one.arg: fitting(one, of, tmp_path) for one in required} | {argument.arg: value}
                places = [given.pop(one) for one in by_place if one in given]
                calls += 1
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        getattr(called, name)(*places, **given)
                except cn.ColumnadeError as error:
                    if "is a constant" in str(error):
                        assert error.operation.endswith(name), (name, argument.arg, kind, error)
                        assert str(error).startswith(f"{error.operation}: "), (name, argument.arg, kind, error)
                except Exception as error:
                    # What a function of the caller gives may be what does not fit.
                    if any(callable(one) for one in given.values()):
                        continue
                    # Methods of some labels alone are as absent from others as in pandas.
                    if (of, name) == ("Index", "contains") and isinstance(error, AttributeError):
                        continue
                    bare.append((name, argument.arg, kind, f"{type(error).__name__}: {error}"))
    assert calls and not bare, bare[:20]


def text():
    return cn.Series(["a"], name="a")


CASES = {
    "a number or a list": (lambda: cn.Series([1]).quantile("a"), cn.ColumnTypeError, "quantile: q is a number or a list of them, not str"),
    "None for a text": (lambda: cn.Series([1]).rank(method=None), cn.ColumnTypeError, "rank: method is a text, not NoneType"),
    "a method": (lambda: text().str.like("a", 1), cn.ColumnTypeError, "str.like: escape is a text, not int"),
    "of expressions": (lambda: col("w").str.ilike("a", b"x"), cn.ColumnTypeError, "str.ilike: escape is a text, not bytes"),
    "an expression": (lambda: text().str.like(col("w")), NotImplementedError, "str.like: pattern is a constant: an expression or a series"),
    "another method inside": (lambda: text().str.strptime("date32", col("w")), NotImplementedError, "str.strptime: format is a constant"),
    "an argument of another name inside": (
        lambda: text().str.pad_start(3, col("w")), NotImplementedError, "str.pad_start: fill_char is a constant",
    ),
    "a text's method": (lambda: text().str.cat(sep=col("w")), NotImplementedError, "str.cat: sep is a constant"),
    "a dictionary's key": (lambda: cn.Series([dt.datetime(2024, 1, 1)]).dt.as_unit(col("w")), NotImplementedError, "unit is a constant"),
    "a cast": (lambda: text().cast("utf8", strict=1), cn.ColumnTypeError, "cast: strict is True or False, not int"),
    "of an expression": (lambda: col("w").cast("utf8", strict=1), cn.ColumnTypeError, "cast: strict is True or False, not int"),
    "of a frame": (lambda: text().to_frame().drop_nulls(how=1), cn.ColumnTypeError, "drop_nulls: how"),
    "groups": (lambda: text().to_frame().groupby("a").count(numeric_only=1.5), cn.ColumnTypeError, "count: numeric_only is True or False, not"),
    "a static method": (lambda: cn.Index.range(0, "a"), cn.ColumnTypeError, "range: stop is a whole number, not str"),
    "a function": (lambda: cn.union_categoricals([text()], sort_categories="x"), cn.ColumnTypeError, "union_categoricals: sort_categories is"),
    "a condition": (lambda: text().to_frame().sum(numeric_only=col("w")), NotImplementedError, "sum: numeric_only is a constant"),
    "a large number": (lambda: text().str.split_columns("-", 2**70), OverflowError, "str.split_columns: n: 1180591620717411303424 is out of bounds"),
    "no such argument": (lambda: text().head(q=1), cn.ColumnTypeError, "head: there is no argument 'q'"),
    "a method that is not called": (
        lambda: cn.DataFrame({"a": [1]}).assign(m=cn.Series([dt.date(2024, 1, 1)]).dt.month), cn.ColumnTypeError, r"assign: m is a method, .* month\(\)",
    ),
    "too few": (lambda: text().str.like(), cn.ColumnTypeError, "str.like: .*missing 1 required positional argument: 'pattern'"),
}


@pytest.mark.parametrize("case", CASES)
def test_errors_name_the_method_and_the_argument(case):
    call, kind, expected = CASES[case]
    with pytest.raises(kind, match=expected) as error:
        call()
    assert isinstance(error.value, cn.ColumnadeError)
    assert error.value.operation and str(error.value).startswith(error.value.operation)


def test_errors_of_functions_of_callers_stay_as_they_are():
    numbers = cn.Series([1, 2], name="n")

    def fails(value):
        return value.missing

    for call in (numbers.apply, numbers.to_frame().apply, numbers.to_frame().pipe, numbers.to_frame().groupby("n")["n"].apply):
        with pytest.raises(AttributeError) as error:
            call(fails)
        assert not isinstance(error.value, cn.ColumnadeError)
    with pytest.raises(AttributeError):
        cn.Series(["a"]).apply(operator.attrgetter("missing"))
    with pytest.raises(OverflowError, match="^math range error$"):
        cn.Series([1000.0]).apply(math.exp)
    # Of a method that such a function calls the error names that method.
    with pytest.raises(cn.ColumnTypeError, match="^head: n is a whole number, not float"):
        numbers.to_frame().pipe(lambda frame: frame.head(1.5))


def test_guarded_methods_have_signatures_and_texts_and_are_pickled():
    import inspect

    for call in (cn.DataFrame.head, cn.Series.to_list, _columnade.StringNamespace.like, cn.GroupBy.agg, cn.concat, cn.union_categoricals):
        assert pickle.loads(pickle.dumps(call)) is call
        assert call.__doc__ and inspect.signature(call) is not None
    assert list(inspect.signature(cn.Series([""]).str.like).parameters) == ["pattern", "escape"]
    assert inspect.signature(cn.DataFrame.head).parameters["n"].default == 5
    assert pd.Series([1]).head.__name__ == cn.Series([1]).head.__name__


IN_PLACE = {
    "sort_values": lambda f, **options: f.sort_values("x", **options), "drop": lambda f, **options: f.drop(columns="x", **options),
    "fillna": lambda f, **options: f["x"].fillna(0, **options), "rename": lambda f, **options: f.rename(columns={"x": "z"}, **options),
    "reset_index": lambda f, **options: f.reset_index(drop=True, **options), "dropna": lambda f, **options: f.dropna(**options),
    "set_index": lambda f, **options: f.set_index("x", **options), "replace": lambda f, **options: f["x"].replace(1, 5, **options),
    "drop_duplicates": lambda f, **options: f.drop_duplicates(**options), "ffill": lambda f, **options: f.ffill(**options),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_nothing_is_done_in_place(name):
    ours, theirs = (module.DataFrame({"x": [2.0, 1.0, 1.0], "y": ["a", "b", "b"]}) for module in (cn, pd))
    same(IN_PLACE[name](ours, inplace=False), IN_PLACE[name](theirs, inplace=False))
    with pytest.raises(cn.ColumnNotImplementedError, match=f"^{name}: inplace=True is not implemented"):
        IN_PLACE[name](ours, inplace=True)
    with pytest.raises(cn.ColumnTypeError, match="^head: there is no argument 'inplace'"):
        ours.head(inplace=False)


@pytest.mark.parametrize("value", [None, 1, "a", b"a", 1.5, pd.NA, pd.NaT, dt.datetime(2024, 1, 1), True])
def test_one_value_is_null_or_not(value):
    assert cn.isna(value) is cn.isnull(value) is pd.isna(value) and cn.notna(value) is cn.notnull(value) is pd.notna(value)
