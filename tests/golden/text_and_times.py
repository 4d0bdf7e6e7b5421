"""Calls on strings and times."""

import numpy as np
import pandas as pd
import pyarrow as pa

from harness import missing, operation, some_rows, times, whole

# Strings and times -----------------------------------------------------------------------------------------------------

TEXT = {
    "len": lambda s: whole(s.str.len()), "lower": lambda s: s.str.lower(), "upper": lambda s: s.str.upper(),
    "capitalize": lambda s: s.str.capitalize(), "title": lambda s: s.str.title(), "swapcase": lambda s: s.str.swapcase(),
    "strip": lambda s: s.str.strip(), "lstrip": lambda s: s.str.lstrip(), "rstrip": lambda s: s.str.rstrip(),
    "contains": lambda s: s.str.contains("a", regex=False), "starts_with": lambda s: s.str.startswith("t"),
    "ends_with": lambda s: s.str.endswith("a"), "find": lambda s: whole(s.str.find("e")),
    "replace": lambda s: s.str.replace("a", "oo", regex=False), "slice": lambda s: s.str.slice(1, 3),
    "zfill": lambda s: s.str.zfill(4), "repeat": lambda s: s.str.repeat(2), "is_alpha": lambda s: s.str.isalpha(),
    "is_digit": lambda s: s.str.isdigit(), "is_upper": lambda s: s.str.isupper(), "is_lower": lambda s: s.str.islower(),
    "is_space": lambda s: s.str.isspace(), "remove_prefix": lambda s: s.str.removeprefix("te"),
    "remove_suffix": lambda s: s.str.removesuffix("p"), "pad": lambda s: s.str.pad(5, side="left", fillchar="*"),
}


@operation("text", of=list(TEXT))
def text(df, of):
    # Python's functions of strings, by object: Arrow's differ for some characters.
    values = TEXT[of](pd.Series(df["s"].astype(object).where(df["s"].notna(), None), dtype=object))
    if of in ("contains", "starts_with", "ends_with") or of.startswith("is_"):
        values = pd.Series([None if missing(value) else bool(value) for value in values], dtype="bool[pyarrow]")
    elif of not in ("len", "find"):
        values = values.astype(pd.ArrowDtype(pa.string()))
    return values


PARTS = [
    "year", "month", "day", "hour", "minute", "second", "microsecond", "dayofweek", "dayofyear", "quarter", "days_in_month",
    "is_leap_year", "is_month_start", "is_month_end", "is_quarter_start", "is_quarter_end", "is_year_start", "is_year_end", "week",
]


@operation("time_part", of=PARTS)
def time_part(df, of):
    found = times(df)
    values = found.dt.isocalendar().week if of == "week" else getattr(found.dt, of)
    if of.startswith("is_"):
        return values.astype("bool[pyarrow]").where(found.notna())
    return whole(values, "int32")


@operation("time_round", of=["floor", "ceil", "round"], frequency=["D", "h", "15min", "7s", "250ms"])
def time_round(df, of, frequency):
    return getattr(times(df).dt, of)(frequency).astype(pd.ArrowDtype(pa.timestamp("us")))


@operation("strftime", format=["%Y-%m-%d", "%d.%m.%y %H:%M", "%j %A %b"])
def strftime(df, format):
    return times(df).dt.strftime(format).astype(pd.ArrowDtype(pa.string()))


@operation("interpolate", inputs=some_rows, nan_is_null=True)
def interpolate(df):
    return pd.Series(df["f"].to_numpy(dtype="float64", na_value=np.nan)).interpolate(limit_area="inside")
