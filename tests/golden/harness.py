"""Inputs, operations and results of the calls on pandas."""

import itertools
import math
import random
import warnings

import numpy as np
import pandas as pd
import pyarrow as pa

warnings.simplefilter("ignore")
pd.set_option("future.distinguish_nan_and_na", True)

DTYPES = {
    "int64": pa.int64(), "int32": pa.int32(), "int8": pa.int8(), "uint8": pa.uint8(), "uint32": pa.uint32(),
    "float64": pa.float64(), "float32": pa.float32(), "bool": pa.bool_(), "utf8": pa.string(),
    "date32": pa.date32(), "timestamp[us]": pa.timestamp("us"), "duration[us]": pa.duration("us"),
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
NAMES.update({
    pa.large_string(): "utf8", pa.int16(): "int16", pa.uint16(): "uint16", pa.uint64(): "uint64",
    pa.timestamp("ns"): "timestamp[ns]", pa.timestamp("s"): "timestamp[s]", pa.timestamp("ms"): "timestamp[ms]",
    pa.duration("ns"): "duration[ns]", pa.null(): "null",
})

WORDS = ["tea", "Rye", "", "ß", "éa", "tea cup", "ZEBRA", "ab-cd", " x ", "日本", "a", "10"]


def inputs():
    """Frames of every size and pattern of nulls."""
    made = {}
    for size, nulls in itertools.product([0, 1, 8, 33, 65], ["none", "some", "all"]):
        if size == 0 and nulls != "none":
            continue
        name = f"{size} rows, {nulls} null"
        rng = random.Random(name)

        def column(dtype, draw):
            is_null = {"none": lambda: False, "some": lambda: rng.random() < 0.25, "all": lambda: True}[nulls]
            return dtype, [None if is_null() else draw() for _ in range(size)]

        made[name] = {
            "i": column("int64", lambda: rng.randint(-3, 4)),
            "j": ("int64", [rng.randint(-50, 50) for _ in range(size)]),
            "u": column("uint8", lambda: rng.randint(0, 9)),
            "f": column("float64", lambda: rng.choice([0.0, 1.5, -2.25, 3.0, 1e6, -0.1, 7.0])),
            "g": column("float64", lambda: rng.choice([0.5, math.nan, -2.0, math.inf, 3.25, -math.inf])),
            "s": column("utf8", lambda: rng.choice(WORDS)),
            "k": ("utf8", [rng.choice(["a", "b", "c"]) for _ in range(size)]),
            "b": column("bool", lambda: rng.random() < 0.5),
            "t": column("timestamp[us]", lambda: rng.randint(-(10**15), 2 * 10**15)),
            "d": column("date32", lambda: rng.randint(-2000, 20000)),
            "n": ("int64", list(range(size))),
        }
    return made


def frame_of(columns):
    arrays = {name: pa.array(values, DTYPES["int64" if is_time(dtype) else dtype]) for name, (dtype, values) in columns.items()}
    arrays = {
        name: array.cast(pa.int32()).cast(pa.date32()) if columns[name][0] == "date32"
        else array.cast(DTYPES[columns[name][0]]) for name, array in arrays.items()
    }
    return pd.DataFrame({name: pd.array(array, dtype=pd.ArrowDtype(array.type)) for name, array in arrays.items()})


def is_time(dtype):
    return dtype in ("date32", "timestamp[us]")


def number(value):
    if value is None:
        return None
    if isinstance(value, float):
        if math.isnan(value):
            return "NaN"
        if math.isinf(value):
            return "inf" if value > 0 else "-inf"
    return value


def column_of(label, values, nan_is_null):
    """A column of the result: its label, dtype and values."""
    if isinstance(values.dtype, pd.CategoricalDtype):
        values = values.astype(values.dtype.categories.dtype)
    if isinstance(values.dtype, pd.ArrowDtype):
        array = pa.chunked_array(pa.array(values.array)).combine_chunks()
    else:
        array = pa.array(values, from_pandas=nan_is_null or values.dtype == object)
    if isinstance(array, pa.ChunkedArray):
        array = array.combine_chunks()
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    dtype = NAMES[array.type]
    if dtype.startswith(("timestamp", "duration")):
        array = array.cast(pa.int64())
    elif dtype == "date32":
        array = array.cast(pa.int32())
    found = array.to_pylist()
    if nan_is_null and dtype.startswith("float"):
        found = [None if value is not None and math.isnan(value) else value for value in found]
    if isinstance(label, tuple):
        label = [plain(part) for part in label]
    return {"label": plain(label), "dtype": dtype, "values": [number(value) for value in found]}


def plain(label):
    if isinstance(label, np.generic):
        return label.item()
    if label is pd.NA or (isinstance(label, float) and math.isnan(label)):
        return None
    return label


OPERATIONS = []


def operation(name, nan_is_null=False, inputs=lambda name: True, errors=False, **options):
    """An operation: options are lists of arguments, of which each combination is a call; `errors` expects what pandas refuses to be
    refused."""
    def register(call):
        OPERATIONS.append((name, call, options, nan_is_null, inputs, errors))
        return call
    return register


def some_rows(name):
    return not name.startswith("0 rows")


def no_nulls(name):
    return name.endswith("none null")


def result_dtype(of, column):
    if of in ("count", "nunique", "size"):
        return "int64"
    if of in ("mean", "var", "std", "sem", "median"):
        return "float64"
    if of in ("sum", "prod"):
        return {"i": "int64", "j": "int64", "f": "float64", "u": "uint64", "n": "int64"}[column]
    return {"i": "int64", "j": "int64", "f": "float64", "u": "uint8", "s": "utf8", "n": "int64"}[column]


def typed(values, dtype):
    return values.astype(pd.ArrowDtype(DTYPES.get(dtype) or {"uint64": pa.uint64()}[dtype]))


def numeric(df, column):
    return df.assign(**{column: df[column].astype({"i": "Int64", "j": "Int64", "f": "Float64", "u": "UInt8"}[column])})


def whole(values, dtype="int64"):
    """Numbers that are NaN where they are missing, as integers."""
    return pd.Series([None if missing(value) else int(value) for value in values], dtype=f"{dtype}[pyarrow]")


def missing(value):
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def times(df):
    return pd.Series(pa.array(df["t"].array).to_numpy(zero_copy_only=False).astype("datetime64[us]"))


def columns_of(found, nan_is_null):
    if isinstance(found, pd.Series):
        found = found.rename("x").to_frame()
    return [column_of(label, found[label], nan_is_null) for label in found.columns]
