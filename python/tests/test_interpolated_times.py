"""`interpolate` of times with directions and areas, as pandas has them; of dates and times of day, which pandas has not, as of timestamps."""

import itertools

import columnade as cn
import pandas as pd
import pytest

from beside import ours, same

COUNTS = [None, 0, None, None, 10, None, -7, None, None]
TIMES = {
    "timestamps": pd.Series([pd.NaT if count is None else pd.Timestamp(count, unit="us") for count in COUNTS], name="t"),
    "durations": pd.Series([pd.NaT if count is None else pd.Timedelta(count, unit="us") for count in COUNTS], index=list("abcdefghi")),
    "zoned": pd.Series([pd.NaT if count is None else pd.Timestamp(count * 10**6, unit="us", tz="Europe/Rome") for count in COUNTS]),
}
OPTIONS = [
    dict(limit_direction=direction, limit_area=area, limit=limit)
    for direction, area, limit in itertools.product(["forward", "backward", "both"], [None, "inside", "outside"], [None, 1, 2])
]


@pytest.mark.parametrize("name", TIMES)
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_as_pandas(name, options):
    same(ours(TIMES[name]).interpolate(**options), TIMES[name].interpolate(**options))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_frames(options):
    frame = pd.DataFrame({"t": TIMES["timestamps"], "v": [None if count is None else float(count) for count in COUNTS]})
    same(ours(frame).interpolate(**options), frame.interpolate(**options))


@pytest.mark.parametrize("dtype", ["date32", "time64[us]", "timestamp[s]", "duration[ns]", "time32[s]"])
@pytest.mark.parametrize("device", ["host", "sim"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_other_dtypes(dtype, device, options):
    counts = [None if count is None else count + 7 for count in COUNTS]
    whole = {"date32": "int32", "time32[s]": "int32"}.get(dtype, "int64")
    made = cn.Series(counts, dtype=whole).cast(dtype).to_device(device).interpolate(**options)
    expected = ours(pd.Series([pd.NaT if count is None else pd.Timestamp(count, unit="us") for count in counts])).interpolate(**options)
    assert (str(made.dtype), made.device) == (dtype, cn.Series([1]).to_device(device).device)
    assert made.cast(whole).to_list() == expected.cast("int64").to_list()


def test_area_outside_without_direction():
    assert ours(TIMES["timestamps"]).interpolate(limit_area="outside").cast("int64").to_list() == [None, 0, None, None, 10, None, -7, -7, -7]


@pytest.mark.parametrize("method", ["index", "time"])
def test_labels_as_places_are_refused(method):
    labels = pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-05"])
    theirs = pd.Series(pd.to_datetime(["2024-01-01", None, "2024-01-03"]), index=labels, name="t")
    with pytest.raises(NotImplementedError):
        theirs.interpolate(method=method)
    with pytest.raises(cn.ColumnNotImplementedError, match=f"interpolate: method '{method}' of dtype timestamp") as error:
        ours(theirs).interpolate(method=method)
    assert (error.value.operation, error.value.column) == ("interpolate", "t")
