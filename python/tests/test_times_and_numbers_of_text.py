"""Text as times, durations and numbers: what stands for a missing time in pandas, weeks, and numbers of 64 bits without a sign."""

import warnings

import columnade as cn
import pandas as pd
import pytest

MISSING = ["", "NaT", "nat", "NAT", "nan", "NaN", "NAN"]
warnings.simplefilter("ignore", pd.errors.Pandas4Warning)


def known(values):
    return [None if value is pd.NaT else value for value in values]


@pytest.mark.parametrize("missing", MISSING)
def test_missing_times(device, missing):
    for values in ([missing, "2024-01-01"], ["2024-01-01", missing], [missing], ["01/02/2024", missing, None]):
        for options in ({}, {"errors": "coerce"}, {"format": "mixed"}):
            assert known(cn.to_datetime(values, **options).to_list()) == known(pd.to_datetime(values, **options).tolist())
    values = [missing, "31.12.2023"]
    assert cn.to_datetime(cn.Series(values, name="t"), format="%d.%m.%Y").to_list() == known(pd.to_datetime(values, format="%d.%m.%Y").tolist())
    for values in ([missing, "1 days"], [missing], ["2h", missing]):
        assert cn.to_timedelta(values).to_list() == known(pd.to_timedelta(values).tolist())


@pytest.mark.parametrize("text", ["None", "null", " ", "N/A"])
def test_other_texts_are_errors(text):
    for read in (cn.to_datetime, cn.to_timedelta):
        with pytest.raises(cn.ColumnValueError):
            read(["2024-01-01" if read is cn.to_datetime else "1 days", text])


@pytest.mark.parametrize("text", ["1W", "2W 3D", "-1W", "1.5W", "1w"])
def test_weeks(text):
    assert cn.to_timedelta(text) == pd.to_timedelta(text)
    assert cn.to_timedelta([text]).to_list() == pd.to_timedelta([text]).tolist()


def test_weeks_of_iso_8601():
    assert cn.to_timedelta(["P2W", "P1WT3H"]).to_list() == [pd.Timedelta(days=14), pd.Timedelta(days=7, hours=3)]


@pytest.mark.parametrize("values", [["18446744073709551615"], ["9223372036854775808", " 1 "], ["1", "2"], ["1.5", "18446744073709551615"]])
def test_numbers_that_are_too_large_for_a_sign(device, values):
    made, wanted = cn.to_numeric(cn.Series(values)), pd.to_numeric(pd.Series(values))
    assert made.to_list() == wanted.tolist() and str(made.dtype) == str(wanted.dtype)
