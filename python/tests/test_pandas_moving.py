"""Functions of Python over windows and windows of two series: the same calls on both."""

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

X = [0.5, -1.5, None, 7.25, 2.0, 2.0, 9.5, -3.0]
Y = [1.0, 4.0, 2.0, None, 0.5, 8.0, 3.0, 3.5]
TIMES = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-02", "2024-01-05", "2024-01-06", "2024-01-07", "2024-01-10", "2024-01-11"])


def both(rows=8):
    theirs = pd.DataFrame({"x": pd.array(X[:rows], dtype="float64"), "y": pd.array(Y[:rows], dtype="float64")}, index=TIMES[:rows])
    ours = cn.DataFrame({"x": X[:rows], "y": Y[:rows]}, index=list(TIMES[:rows].to_pydatetime()))
    return ours.cast({"x": "float64", "y": "float64"}), theirs


CALLS = {
    "apply": lambda f: f["x"].rolling(3).apply(lambda values: values.sum()),
    "apply raw": lambda f: f["y"].rolling(2).apply(np.max, raw=True),
    "apply of few": lambda f: f["x"].rolling(3, min_periods=1).apply(lambda values: len(values), raw=True),
    "apply centred": lambda f: f["y"].rolling(3, min_periods=2, center=True).apply(np.nansum, raw=True),
    "apply of time": lambda f: f["x"].rolling("3D").apply(np.nansum, raw=True),
    "apply of time, closed": lambda f: f["x"].rolling("3D", closed="left").apply(np.nansum, raw=True),
    "apply expanding": lambda f: f["x"].expanding(2).apply(np.nanmean, raw=True),
    "apply of a frame": lambda f: f.rolling(2).apply(np.min, raw=True),
    "apply of a column": lambda f: f.rolling(2)["y"].apply(np.min, raw=True),
    "apply with arguments": lambda f: f["y"].rolling(2).apply(lambda values, a, b: values[0] * a + b, raw=True, args=(2,), kwargs={"b": 1}),
    "corr": lambda f: f["x"].rolling(4, min_periods=2).corr(f["y"]),
    "cov": lambda f: f["x"].rolling(4, min_periods=2).cov(f["y"]),
    "cov of time": lambda f: f["x"].rolling("6D").cov(f["y"]),
    "cov of a frame": lambda f: f.rolling(4, min_periods=2).cov(f["y"]),
    "cov of two frames": lambda f: f.rolling(4, min_periods=2).cov(f * 2, pairwise=False),
    "cov expanding": lambda f: f["x"].expanding(3).cov(f["y"]),
    "ewm cov": lambda f: f["x"].ewm(span=3).cov(f["y"]),
    "ewm corr": lambda f: f["x"].ewm(alpha=0.5, min_periods=3).corr(f["y"]),
}


@pytest.mark.parametrize("rows", [8, 1], ids=["many", "one"])
@pytest.mark.parametrize("name", CALLS)
def test_windows(device, name, rows):
    ours, theirs = both(rows)
    same(CALLS[name](ours), CALLS[name](theirs))


def test_column_with_times_of_another(device):
    ours = cn.DataFrame({"t": list(TIMES.to_pydatetime()), "x": X})
    theirs = pd.DataFrame({"t": TIMES, "x": X})
    same(ours.rolling("3D", on="t")["x"].apply(np.nansum, raw=True), theirs.rolling("3D", on="t")["x"].apply(np.nansum, raw=True))


def test_windows_know_what_they_were_made_with():
    ours, theirs = both()
    for windows in (ours["x"].rolling(3, 2, center=True), theirs["x"].rolling(3, 2, center=True)):
        assert (windows.window, windows.min_periods, windows.center, windows.closed) == (3, 2, True, None)
    assert ours.rolling("3D", closed="both")["x"].closed == "both"


ERRORS = [
    (lambda f: f["x"].rolling(2).apply("sum"), TypeError, "func is a function"),
    (lambda f: f["x"].rolling(2).corr(3), TypeError, "other is a series"),
    (lambda f: f.rolling(2).cov(3), TypeError, "a series or a frame"),
    (lambda f: f.rolling(2).cov(f, pairwise=True), NotImplementedError, "pairwise"),
    (lambda f: f["x"].rolling(2).cov(f["y"], ddof=0), NotImplementedError, "ddof"),
    (lambda f: f["x"].ewm(span=2).cov(bias=True), NotImplementedError, "bias"),
    (lambda f: f.groupby("x")["y"].rolling(2).corr(f["y"]), NotImplementedError, "groups"),
]


@pytest.mark.parametrize("call, kind, words", ERRORS)
def test_errors(call, kind, words):
    with pytest.raises(kind, match=words):
        call(both()[0])
