"""Public methods and functions with arguments that make no sense: exceptions, and never a panic or the end of the process."""

import copy
import datetime as dt
import decimal
import inspect
import math
import random

import columnade as cn
import numpy as np
import pytest
from columnade import col
from random_frames import ROUNDS, SEED

# What would write files, change the process or take as much memory as it is told to.
LEFT_OUT = {
    "write_parquet", "write_csv", "write_ipc", "write_json", "write_dataset", "to_csv", "to_parquet", "to_json", "to_feather", "info",
    "set_default_device", "memory", "repeat", "tile", "pad", "zfill", "date_range",
}
OPERATORS = {
    "__getitem__", "__add__", "__sub__", "__mul__", "__truediv__", "__eq__", "__lt__", "__and__", "__pow__", "__mod__", "__floordiv__",
    "__contains__", "__radd__", "__array__", "__dlpack__", "__arrow_c_array__", "__arrow_c_stream__", "__arrow_c_device_array__",
    "_repr_html_",
}


class Hostile:
    """Looks like a sequence with any attribute, and has nothing."""

    def __len__(self):
        return 5

    def __getitem__(self, at):
        raise LookupError("nothing")

    def __getattr__(self, name):
        raise LookupError(name)


def frames():
    days = [dt.datetime(2024, 1, day) for day in (1, 2, 5)]
    return [
        cn.DataFrame(), cn.DataFrame({"a": []}), cn.DataFrame({"a": [1, 2, None], "b": ["x", None, "z"], "c": [0.5, math.nan, None]}),
        cn.DataFrame({"a": [1, 1, 2, 2], "k": ["u", "v", "u", None]}), cn.DataFrame({0: [1, 2], None: [3, 4]}),
        cn.DataFrame({("a", "x"): [1, 2], ("a", "y"): [3, 4]}), cn.DataFrame({"l": [[1], [2, None], None], "s": [{"x": 1}, {"x": 2}, None]}),
        cn.DataFrame({"t": [dt.datetime(2024, 1, 1), None], "d": [dt.date(2024, 1, 1), dt.date(1, 1, 1)]}),
        cn.DataFrame({"d": [decimal.Decimal("1.50"), None], "z": [b"x", b""]}), cn.DataFrame({"k": ["a", "b", "a"], "v": [1, 2, 3]}).set_index("k"),
        cn.DataFrame({"i": [1, 2, 3], "j": ["a", "b", "c"], "v": [1.0, 2.0, 3.0]}).set_index(["i", "j"]),
        cn.DataFrame({"t": days, "v": [1, 2, 3]}).set_index("t"), cn.DataFrame({"a": [1, 2, 3]})[5:], cn.DataFrame({"é🙂": ["é", "🙂", ""]}),
        cn.DataFrame({"b": [True, None, False]}), cn.DataFrame({"n": [None, None]}), cn.DataFrame({"c": ["a", "b", "a"]}).cast({"c": "category"}),
        cn.DataFrame({"u": [2**64 - 1, 0]}), cn.DataFrame({"i": [-(2**63), 2**63 - 1]}), cn.DataFrame({"x": [dt.timedelta(1), None]}),
        cn.DataFrame({"x": [dt.time(1), None]}), cn.DataFrame({"x": list(range(70)), "y": [str(row % 7) for row in range(70)]}),
    ]


def arguments():
    return [
        None, True, False, 0, 1, -1, 2, 5, 40, -40, 2**31, -(2**31), 2**63 - 1, -(2**63), 2**64, 2**200, 0.0, 0.5, -1.5, math.nan, math.inf,
        1e308, "", "a", "k", "x", "v", "t", "left", "inner", "outer", "first", "last", "sum", "mean", "int64", "utf8", "list<int64>", "category",
        "date32", "timestamp[us, Europe/Berlin]", "1h", "1D", "ME", "7", "é🙂", "\0", "a" * 300, "(", "[", "(a", "%Y-%q", "host", "nowhere", "a > 1",
        "@x", "a ==", b"", b"x", [], [None], ["a"], ["a", "b"], [1, 2, 3], [True, False, True], [1.5, None], ["a", 1], [[1], [2]], [0.1, 0.9], {},
        {"a": 1}, {"a": "sum"}, {"a": ["min", "max"]}, {1: 2}, {"a": "b"}, {"a": "int8"}, {None: None}, (), (1,), ("a", "x"), ("", ""), (1, 2, 3),
        slice(None), slice(0, 2), slice(5, -5, -2), slice(None, None, 0), slice("a", "b"), dt.date(2024, 1, 1), dt.datetime(2024, 1, 1),
        dt.datetime(2024, 1, 1, tzinfo=dt.timezone.utc), dt.timedelta(hours=1), dt.timedelta(0), dt.timedelta(-1), dt.time(1), decimal.Decimal("1.5"),
        decimal.Decimal("NaN"), 1j, object(), Hostile(), len, lambda *a, **k: None, lambda value: value, int, str, Exception, np.int64(3),
        np.float32(1.5), np.array([1, 2]), np.array([[1, 2], [3, 4]]), np.array(["a"]), np.array([1, "a"], dtype=object), np.array([1 + 2j]),
        np.datetime64("2024-01-01"), np.array([True, False]), np.array(5), np.zeros((2, 2, 2)), np.array([1.5], dtype="f2"), col("a"), col("nothing"),
        col("a") > 1, cn.lit(1), cn.lit(None), cn.len(), col("a").sum(), col("x").cum_sum().over("y"), cn.row_number(), col("c").str.upper(),
        col("a").rolling_sum(3), cn.DType("int8"), cn.Grouper("1D", key="t"), cn.Index([1, 2, 3]), cn.Index(["a", "b"]), cn.Index.range(0, 3),
    ]


class Calls:
    """Calls that a seed chooses."""

    def __init__(self, seed, frames, arguments):
        self.random, self.frames, self.arguments = random.Random(seed), frames, arguments
        self.columns = [frame[label] for frame in frames for label in frame.columns]

    def argument(self):
        kind = self.random.random()
        if kind < 0.25:
            return self.random.choice(self.columns)
        if kind < 0.35:
            return self.random.choice(self.frames)
        return self.random.choice(self.frames).index if kind < 0.4 else self.random.choice(self.arguments)

    def target(self):
        frame, series, choose = self.random.choice(self.frames), self.random.choice(self.columns), self.random.random
        groups = lambda: frame.group_by(*frame.columns[:1], sort=choose() < 0.5, dropna=choose() < 0.5, as_index=choose() < 0.3)
        return self.random.choice([
            lambda: frame, lambda: frame, lambda: frame, lambda: series, lambda: series, lambda: frame.index, lambda: series.str, lambda: series.dt,
            lambda: series.list, lambda: series.cat, lambda: series.struct_, lambda: col("a"), lambda: col("a").str, lambda: col("a").dt,
            lambda: cn.when(col("a") > 1), lambda: frame.loc, lambda: frame.iloc, lambda: frame.at, lambda: frame.iat, lambda: series.loc,
            lambda: series.iloc, lambda: series.at, groups, groups, lambda: groups()[frame.columns[-1]], lambda: groups().rolling(2),
            lambda: frame.rolling(2), lambda: series.rolling(2), lambda: frame.expanding(), lambda: series.ewm(alpha=0.5), lambda: frame.resample("1D"),
            lambda: series.resample("1D"), lambda: cn,
        ])()

    def make(self):
        """A call, and what it is."""
        target = self.target()
        names = cn.__all__ if target is cn else [name for name in dir(target) if not name.startswith("_") or name in OPERATORS]
        name = self.random.choice([name for name in names if name not in LEFT_OUT and not name.startswith("scan_")])
        called = getattr(target, name)
        if not callable(called):
            return f"{name}", called, (), {}
        try:
            parameters = list(inspect.signature(called).parameters.values())
        except (TypeError, ValueError):
            parameters = []
        places = [parameter for parameter in parameters if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)]
        needed = sum(parameter.default is parameter.empty for parameter in places)
        count = needed if self.random.random() < 0.8 else self.random.choice([0, 1, 2, 3, 4])
        given = tuple(self.argument() for _ in range(count))
        rest = [parameter.name for parameter in parameters if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)]
        rest = [name for name in rest if name not in [parameter.name for parameter in places[:count]]]
        named = {name: self.argument() for name in self.random.sample(rest, min(len(rest), self.random.choice([0, 0, 1, 2])))}
        return f"{type(target).__name__}.{name}(*{given!r:.500}, **{named!r:.300})", called, given, named


def look(made):
    """Reads what a call returned."""
    if isinstance(made, (cn.DataFrame, cn.Series)):
        repr(made), len(made)
        if len(made) < 10_000:
            made.to_dict()


@pytest.mark.parametrize("part", range(8))
def test_calls_with_odd_arguments_raise_or_return(part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made, values = frames(), arguments()
    seeds = range(SEED + part, SEED + 40 * ROUNDS * 8, 8)
    returned = 0
    for seed in seeds:
        what, called, given, named = "target", None, (), {}
        try:
            what, called, given, named = Calls(seed, made, values).make()
            look(called(*given, **named) if callable(called) else called)
            returned += 1
        except cn.InternalError as error:
            raise AssertionError(f"seed {seed}: {what}: {error}") from error
        except Exception as error:
            assert "Panic" not in type(error).__name__, f"seed {seed}: {what}: {error}"
        except BaseException as error:
            raise AssertionError(f"seed {seed}: {what}: {error!r}") from error
    # Some calls make sense.
    assert returned > len(seeds) // 50


def test_half_of_a_surrogate_pair_is_refused():
    for call in (lambda: cn.Series(["\ud800"]), lambda: cn.DataFrame({"\ud800": [1]}), lambda: cn.DataFrame({"a": [1]})["\udfff"]):
        with pytest.raises(ValueError, match="surrogate") as caught:
            call()
        assert isinstance(caught.value, cn.ColumnadeError) and caught.value.operation


def test_values_that_contain_themselves_are_refused():
    rows, fields, deep = [], {}, 1
    rows.append(rows)
    fields["a"] = fields
    for _ in range(60):
        deep = [deep]
    for values in ([rows], [fields], [[{"a": rows}]]):
        with pytest.raises(ValueError, match="more than 64 levels") as caught:
            cn.Series(values)
        assert caught.value.operation == "Series"
    assert cn.Series([deep]).to_list() == [deep]


def test_expressions_are_copied():
    for expr in (cn.col("a") + 1, cn.when(cn.col("a") > 1).then(2)):
        assert copy.copy(expr) is expr and copy.deepcopy([expr])[0] is expr
