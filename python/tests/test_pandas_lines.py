"""Lines of pandas give the same with both libraries: the labels, the row labels and the values, null where pandas has a missing one."""

import datetime as dt
import math
import pathlib

import columnade as cn
import numpy as np
import pandas as pd
import pytest

DATA = {
    "k": ["b", "a", "c", "b", "a"], "g": [1, 1, 2, 2, 2], "n": [3, 1, 4, 1, 5], "x": [0.5, -1.5, None, 2.0, 3.25], "s": ["ab", "cde", None, "xyz", "ab"],
    "p": [True, False, True, True, False],
}
TIMES = ["2024-01-31 03:04:05", "2024-02-02 00:00:00", "2024-02-03 12:00:00", "2000-01-01 00:00:00", "2021-01-01 23:59:00"]
LINES = [
    'df[["n", "g"]].apply(sum)',
    'df[["n", "g"]].apply(max)',
    'df[["n", "g"]].apply(min, axis=1)',
    'm.Index([1, 2, 3], dtype="float64")',
    'm.Index([1, 2, 3], dtype="int32").dtype == "int32"',
    'm.Index(["2024-01-01"], dtype="datetime64[ns]")',
    'm.Index([1, 2], dtype=float)',
    'm.Index(["a", "b"], dtype="category")',
    'm.Index([1.0, 2.0], dtype=int)',
    'm.Index([1, 2], dtype="str")',
    'm.Index([1, 2], dtype="float64", name="q").name',
    'df["x"].ewm(alpha=0.5).sum()',
    'df["n"].ewm(span=3).sum()',
    'df[["n", "x"]].ewm(com=1).sum()',
    'df.groupby("g")["n"].ewm(alpha=0.5).sum()',
    'df["n"].rolling(2, step=2).sum()',
    'df["n"].rolling(2, min_periods=1, step=2).mean()',
    'df[["n", "x"]].rolling(2, step=2).max()',
    'df["n"].rolling(3, step=3, center=True).sum()',
    'df["x"].cumsum(skipna=False)',
    'df["x"].cumprod(skipna=False)',
    'df["x"].cummax(skipna=False)',
    'df["x"].cummin(skipna=False)',
    'df[["n", "x"]].cumsum(skipna=False)',
    'df[["n", "x"]].cumsum(axis=1)',
    'df[["n", "x"]].cummax(axis=1)',
    'df[["n", "x"]].rank(axis=1)',
    'df[["n", "x", "g"]].rank(axis=1, method="min", ascending=False)',
    'df[["n", "x", "g"]].rank(axis="columns", pct=True)',
    'td.dt.round("h")',
    'td.dt.floor("D")',
    'td.dt.ceil("min")',
    'td.dt.round("s")',
    'm.to_timedelta(["1 days 02:03:04"]).round("h")',
    'm.to_timedelta(["1 days 02:03:04"]).floor("D")',
    'ts.dt.tz_localize(None)',
    'ts.dt.tz_localize("Europe/Rome").dt.tz_localize(None)',
    'm.Series(pd.to_datetime(["2024-10-27 02:15", "2024-10-27 02:45", "2024-10-27 02:15", "2024-10-27 02:45", "2024-10-27 03:15"])).dt.tz_localize("Europe/Rome", ambiguous="infer")',
    'm.DatetimeIndex(["2024-10-27 02:15", "2024-10-27 02:45", "2024-10-27 02:15", "2024-10-27 02:45"]).tz_localize("Europe/Rome", ambiguous="infer")',
    'm.Series(pd.to_datetime(["2024-10-27 02:15", "2024-10-27 02:45"])).dt.tz_localize("Europe/Rome", ambiguous=[True, False])',
    'm.Series(pd.to_datetime(["2024-10-27 02:15", "2024-10-27 02:45"])).dt.tz_localize("Europe/Rome", ambiguous="NaT")',
    'm.Series(pd.to_datetime(["2024-03-31 02:15"])).dt.tz_localize("Europe/Rome", nonexistent="shift_forward")',
    'df.set_index("k").merge(other, left_on="k", right_on="k")',
    'df.set_index("k").merge(other.set_index("k"), left_on="k", right_on="k")',
    'df["s"].str.slice(-3, 5)',
    'df["s"].str.slice(-2)',
    'df["s"].str.slice(-2, -1)',
    'df["s"].str.slice(1, -1)',
    'df["s"].str.slice(-1, -3, -1)',
    'df["s"].str.slice(step=-1)',
    'df["s"].str[-2:]',
    'df["s"].str[::-1]',
    'df["s"].str[-1]',
    'df["s"].str[-3:5]',
    'df[["n", "x"]]+[1, 2]',
    'df[["n", "x"]]*(1, 2)',
    '[1, 2]+df[["n", "x"]]',
    'df[["n", "x"]]-np.array([1, 2])',
    'df[["n", "x"]]/m.Series([1, 2], index=["n", "x"])',
    'm.to_timedelta("-1 days +02:00:00")',
    'm.to_timedelta("P1DT2H")',
    'm.to_timedelta("PT30M")',
    'm.to_timedelta("P1DT2H3M4.5S")',
    'm.to_timedelta("-P1D")',
    'm.to_timedelta(["-1 days +02:00:00", "PT30M"])',
    'm.to_timedelta("1.5 hours")',
    'm.to_timedelta("1 day 2 hours 3 min")',
    'm.to_timedelta("1h30m")',
    'm.to_timedelta(5, unit="D")',
    'm.to_timedelta("15")',
    'm.to_datetime("2024-1-2")',
    'm.to_datetime(["2024-1-2", "2024-11-3"])',
    'm.to_datetime("2024-1-2 3:04")',
    'm.to_datetime("2024/1/2")',
    'm.to_datetime("20240102")',
    'm.to_datetime("2024-01")',
    'm.to_datetime("2024")',
    'm.to_datetime("Jan 2, 2024")',
    'm.to_datetime("2 January 2024")',
    'm.to_datetime("01/02/2024")',
    'm.to_datetime("01/02/2024", dayfirst=True)',
    'm.to_datetime(["13/02/2024"], dayfirst=True)',
    'm.to_datetime("2024-01-02T03:04:05Z")',
    'm.to_datetime(["2024-01-02", "bad"], errors="coerce")',
    '0.5 in m.IntervalIndex.from_breaks([0, 1, 2])',
    '1.5 in m.interval_range(0, 3)',
    '5 in m.IntervalIndex.from_breaks([0, 1, 2])',
    'm.IntervalIndex.from_breaks([0, 1, 2]).get_loc(0.5)',
    'df.groupby("g", as_index=False).value_counts()',
    'df.groupby("g", as_index=False)["k"].value_counts()',
    'df.groupby("g")["k"].value_counts()',
    'df.groupby("g")["k"].value_counts(normalize=True)',
    'df[["g", "k"]].groupby("g", as_index=False).value_counts(normalize=True)',
    'm.crosstab(df["g"], df["k"], dropna=False)',
    'm.crosstab(df["k"], df["p"])',
    'm.crosstab([df["g"], df["p"]], df["k"])',
    'm.crosstab(df["g"], df["k"], values=df["n"], aggfunc="sum")',
    'm.crosstab(df["g"], df["s"], dropna=False)',
    'df[["n", "x"]].apply(lambda x: x.name)',
    'df[["n", "x"]].apply(lambda c: c.max()-c.min())',
    'df[["n", "x"]].apply(np.sum)',
    'df[["n", "x"]].apply(lambda r: r["n"]+1, axis=1)',
    'df[["n", "g"]].apply(lambda r: r.sum(), axis=1)',
    'df[["n", "g"]].apply(lambda r: r.name, axis=1)',
    'df.groupby("g")["x"].nlargest(2)',
    'df.groupby("g")["x"].nlargest(5)',
    'df.groupby("g")["x"].nsmallest(2)',
    'df[["n", "x", "g"]].nunique(axis=1)',
    'df.nunique()',
    'df[["n", "g"]].T',
    'df[["n", "x"]].T',
    'df[["k", "s"]].T',
    'df["n"].agg(["sum", "mean"])',
    'df.rolling(2, on=None)["n"].agg(["sum", "mean"])',
    'df["n"].rolling(2).agg(["sum", "mean"])',
    'df[["n", "x"]].rolling(2).agg(["sum", "mean"])',
    'df[["n", "x"]].rolling(2).agg({"n":"sum", "x":"max"})',
    'df[["n", "x"]].rolling(2).agg({"n":["sum", "min"], "x":"max"})',
    'df["n"].rolling(2).agg([np.sum, np.mean])',
    'df["n"].rolling(2).agg([lambda v: v.max()])',
    'df["n"].rolling(2).agg(lambda v: v.max())',
    'df["n"].rolling(2).apply(lambda v: v.max()-v.min())',
    'df["n"].rolling(2).agg(["sum", lambda v: v.max()])',
    'df.groupby("g")["n"].rolling(2).agg(["sum", "mean"])',
    'df["n"].expanding().agg(["sum", "max"])',
    'df["n"].ewm(alpha=.5).agg(["mean", "std"])',
]


def plain(made):
    """What both libraries give, without their types."""
    if isinstance(made, (pd.DataFrame, cn.DataFrame)):
        columns = [made.iloc[:, place] for place in range(made.shape[1])] if isinstance(made, pd.DataFrame) else [made[label] for label in made.columns]
        return [plain(label) for label in made.columns], plain(made.index), [plain(values)[0] for values in columns]
    if isinstance(made, (pd.Series, cn.Series)):
        return [plain(value) for value in made.to_list()], plain(made.index), plain(made.name)
    if isinstance(made, (pd.Index, cn.Index)):
        return [plain(value) for value in (made.tolist() if isinstance(made, pd.Index) else made.to_list())]
    if isinstance(made, np.ndarray):
        return [plain(value) for value in made.tolist()]
    if isinstance(made, (list, tuple)):
        return tuple(plain(value) for value in made)
    if made is None or made is pd.NaT or made is pd.NA:
        return None
    if isinstance(made, pd.Timestamp):
        return made.to_pydatetime()
    if isinstance(made, pd.Timedelta):
        return made.to_pytimedelta()
    if isinstance(made, np.generic):
        return plain(made.item())
    if isinstance(made, float):
        return None if math.isnan(made) else round(made, 9)
    return made


def run(line, module):
    times = module.to_datetime(TIMES)
    names = {
        "m": module, "df": module.DataFrame(DATA), "other": module.DataFrame({"k": ["a", "b", "z"], "v": [10, 20, 30]}), "dt": dt, "np": np, "pd": pd,
        "ts": module.Series(times if module is pd else times.to_list()),
        "td": module.to_timedelta(module.Series(["1 days 02:03:04", "-1 days", "00:00:30.5"])),
    }
    return plain(eval(line, names))


@pytest.mark.parametrize("line", LINES)
def test_line_gives_what_pandas_gives(device, line):
    assert run(line, cn) == run(line, pd)


@pytest.mark.parametrize("how", ["left_anti", "right_anti"])
def test_rows_without_equal_keys_have_the_columns_of_both_frames(how):
    left, right = {"k": ["b", None, "a", "c"], "v": [1, 2, 3, 4]}, {"k": ["a", "z", "a"], "v": [5, 6, 7]}
    ours = cn.DataFrame(left).merge(cn.DataFrame(right), on="k", how=how)
    theirs = pd.DataFrame(left).merge(pd.DataFrame(right), on="k", how=how).reset_index(drop=True)
    assert plain(ours) == plain(theirs)


@pytest.mark.parametrize("method", ["average", "min", "max", "first", "dense"])
@pytest.mark.parametrize("na_option", ["keep", "top", "bottom"])
@pytest.mark.parametrize("options", [{}, {"ascending": False}, {"pct": True}], ids=str)
def test_ranks_of_rows(method, na_option, options):
    data = {"a": [1, 5, 2, 2], "b": [1.0, None, 2.0, 7.5], "c": [3.0, None, 2.0, -1.0], "d": [1, 5, 0, 2]}
    options = {"axis": 1, "method": method, "na_option": na_option, **options}
    assert plain(cn.DataFrame(data).rank(**options)) == plain(pd.DataFrame(data).rank(**options))


def test_clock_that_does_not_go_back_once_is_refused():
    times = pd.to_datetime(["2024-10-27 02:15", "2024-10-27 02:45"])
    for module in (cn, pd):
        with pytest.raises(ValueError):
            module.Series(times).dt.tz_localize("Europe/Rome", ambiguous="infer")
    with pytest.raises(ValueError, match="dt.tz_localize: the clock does not go back in rows 0 to 1"):
        cn.Series(times).dt.tz_localize("Europe/Rome", ambiguous="infer")
    with pytest.raises(ValueError, match="dt.tz_localize: ambiguous has 1 values for 2 times"):
        cn.Series(times).dt.tz_localize("Europe/Rome", ambiguous=[True])


def test_arguments_that_do_not_go_together_are_refused():
    frame = cn.DataFrame(DATA)
    with pytest.raises(ValueError, match="add: 3 values for 2 columns"):
        frame[["n", "x"]] + [1, 2, 3]
    with pytest.raises(NotImplementedError, match="rolling: step of windows of groups is not implemented"):
        frame.groupby("g").rolling(2, step=2)
    with pytest.raises(ValueError, match="rolling: step is at least 1"):
        frame.rolling(2, step=0)
    with pytest.raises(TypeError, match="rank: axis=1 is of columns of numbers, and 'k' is utf8"):
        frame.rank(axis=1)
    with pytest.raises(TypeError, match="sum: column 'k' has dtype utf8"):
        frame.ewm(alpha=0.5).sum()
    with pytest.raises(NotImplementedError, match="sum: adjust=False"):
        frame["n"].ewm(alpha=0.5, adjust=False).sum()
    with pytest.raises(ValueError, match="agg: two aggregates are called 'sum'"):
        frame["n"].rolling(2).agg(["sum", np.sum])
    with pytest.raises(ValueError, match="dt.round: 'MS' is no length of time|round"):
        cn.Series([dt.timedelta(1)]).dt.round("MS")


def test_paths_may_begin_with_the_folder_of_the_user(tmp_path, monkeypatch):
    monkeypatch.setattr("os.path.expanduser", lambda path: path.replace("~", str(tmp_path), 1))
    frame = cn.DataFrame({"a": [1, 2]})
    for write, read, name in (
        (frame.to_csv, cn.read_csv, "~/a.csv"), (frame.to_parquet, cn.read_parquet, "~/a.parquet"), (frame.write_ipc, cn.read_ipc, "~/a.arrow"),
        (frame.write_ndjson, cn.read_ndjson, "~/a.jsonl"), (frame.to_pickle, cn.read_pickle, "~/a.pickle"), (frame.to_json, cn.read_json, "~/a.json"),
        (frame.to_csv, cn.read_csv, pathlib.Path("~/b.csv")),
    ):
        write(name)
        assert (tmp_path / pathlib.Path(name).name).exists() and "a" in read(name).columns
    assert len(cn.read_parquet(["~/a.parquet", "~/a.parquet"])) == 4
    with pytest.raises(FileNotFoundError, match="nothing.csv"):
        cn.read_csv("~/nothing.csv")
