"""A program that a type checker accepts, and that runs. Lines that end with `error` are those that it must refuse."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import columnade as cn
import columnade.selectors as cs
from columnade import col
from typing_extensions import assert_type

frame = cn.DataFrame({"k": ["a", "b", "a"], "n": [1, 2, 3], "x": [0.5, None, 1.5]})

assert_type(frame["n"], cn.Series)
assert_type(frame[["k", "n"]], cn.DataFrame)
assert_type(frame[frame["n"] > 1], cn.DataFrame)
assert_type(frame[col("n") > 1], cn.DataFrame)
assert_type(frame[1:], cn.DataFrame)
assert_type(frame.loc[0:1, "k":"n"], cn.DataFrame)
assert_type(frame["n"][::-1], cn.Series)
assert_type(frame.index[:2], cn.Index)
assert_type(frame.shape, tuple[int, int])
assert_type(frame["n"] * 2 + 1, cn.Series)
assert_type((col("n") + 1).sum().alias("total"), cn.Expr)
assert_type(cn.when(col("n") > 1).then(col("n")).otherwise(None), cn.Expr)
assert_type(col("k").str.upper(), cn.Expr)
assert_type(frame["k"].str.upper(), cn.Series)

groups = frame.group_by("k", sort=True)
assert_type(groups.agg(col("n").sum(), low=("x", "min")), cn.DataFrame)
assert_type(frame.merge(frame, on=["k"], suffixes=("_l", "_r")), cn.DataFrame)
assert_type(cn.concat([frame, frame], keys=["one", "two"]), cn.DataFrame)
assert_type(cn.concat([frame["n"], frame["n"]]), cn.Series)
assert_type(cn.concat([frame["n"], frame["x"]], axis=1), cn.DataFrame)
assert_type(frame.set_index("k")[["n", "x"]].stack(), cn.Series)
assert_type(frame["n"].rolling(2).mean(), Any)
assert_type(frame.to_dict(), dict[Any, list[Any]])
assert_type(frame.device, str)
assert_type(cn.memory.options(), dict[str, Any])
assert_type(frame.with_columns(cs.numeric() * 2, cn.exclude("k", "n", "x")), cn.DataFrame)
assert_type(frame.select(cs.string().str.to_uppercase(), col("n")), cn.DataFrame)
assert_type(frame.group_by(cs.string()).agg(cs.numeric().sum()), cn.DataFrame)
assert_type(frame.unique(cs.string()), cn.DataFrame)
assert_type(frame.select(cn.sum("n").alias("s"), cn.max("x"), cn.all_horizontal(col("n") > 0)), cn.DataFrame)
by_day = cn.DataFrame({"t": [dt.datetime(2024, 1, 1)], "n": [1]}).group_by_dynamic("t", every="1d")
assert_type(by_day.agg(col("n").sum()), cn.DataFrame)
times = cn.Series([dt.datetime(2024, 1, 1)], name="t")
assert_type(times.dt.year(), cn.Series)

try:
    frame["zz"]
except cn.ColumnadeError as problem:
    assert_type(problem.operation, str | None)

if TYPE_CHECKING:
    frame.head("5")  # error
    frame.group_by("k", sorted=True)  # error
    frame.sort_values()  # error
    col("n").sun()  # error
    frame["n"] = [1, 2, 3]  # error
    frame[{"k"}]  # error
    cn.Series([1], dtype="int8", size=3)  # error
    cn.read_parquet("x", limit=3)  # error

    class Other(cn.DataFrame):  # error
        pass
