"""Arrays of records of numpy as frames, and frames as such, beside pandas."""

import columnade as cn
import numpy as np
import pandas as pd
import pytest

KINDS = [("a", "i4"), ("b", "f8"), ("s", "U3"), ("t", "?"), ("d", "M8[s]"), ("u", ">u2"), ("m", "m8[ms]")]
ROWS = [
    (1, 2.0, "x", True, np.datetime64("2024-01-01"), 7, np.timedelta64(5, "ms")),
    (2, np.nan, "yy", False, np.datetime64("NaT"), 65535, np.timedelta64("NaT")),
    (-3, 3.5, "", True, np.datetime64("1969-12-31"), 0, np.timedelta64(-1, "ms")),
]
RECORDS = np.array(ROWS, dtype=KINDS)
ARRAYS = {
    "records": RECORDS, "every second": RECORDS[::2], "backwards": RECORDS[::-1], "none": RECORDS[:0],
    "recarray": RECORDS.view(np.recarray), "aligned": RECORDS.astype(np.dtype(KINDS, align=True)),
}


def values(frame):
    missing = [[None if pd.isna(value) and not isinstance(value, float) else repr(value) for value in frame[label]] for label in frame.columns]
    return list(frame.columns), frame.index.tolist(), missing, [str(dtype).replace(">u2", "uint16") for dtype in frame.dtypes]


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("options", [{}, {"columns": ["b", "a"]}, {"index": "s", "exclude": ["t"]}, {"index": ["a", "s"]}, {"nrows": 1}], ids=str)
def test_from_records_is_that_of_pandas(device, name, options):
    made = cn.DataFrame.from_records(ARRAYS[name], **options)
    expected = pd.DataFrame.from_records(ARRAYS[name], **options)
    assert made.device == device
    if name == "none" and options.keys() & {"columns", "index"}:
        # pandas takes neither of an array without records.
        assert len(made) == 0 and set(options.get("columns", ["b"])) <= set(made.columns)
        return
    assert values(made.to_pandas()) == values(expected)


def test_function_of_polars_reads_records(device):
    made = cn.from_records(RECORDS)
    assert made.equals(cn.DataFrame.from_records(RECORDS)) and made.columns == list(RECORDS.dtype.names)
    assert made.equals(cn.from_records(RECORDS, orient="row"))
    assert [str(dtype) for dtype in made.dtypes.values()] == [
        "int32", "float64", "utf8", "bool", "timestamp[s]", "uint16", "duration[ms]",
    ]
    assert cn.from_records(RECORDS[["a", "b"]], schema=["p", "q"]).columns == ["p", "q"]
    assert str(cn.from_records(RECORDS[:0])["s"].dtype) == "utf8"


def test_masks_are_nulls_and_records_in_records_structs():
    masked = np.ma.array(np.array([(1, 2.5), (2, 3.5)], dtype=[("a", "i8"), ("b", "f8")]), mask=[(0, 1), (1, 0)])
    assert cn.from_records(masked).to_dict() == {"a": [1, None], "b": [None, 3.5]}
    nested = np.array([(1, (2, 3.5)), (4, (5, 6.5))], dtype=[("a", "i4"), ("p", [("x", "i2"), ("y", "f4")])])
    made = cn.DataFrame.from_records(nested)
    assert str(made["p"].dtype) == "struct<x: int16, y: float32>"
    assert made["p"].to_list() == [{"x": 2, "y": 3.5}, {"x": 5, "y": 6.5}]


@pytest.mark.parametrize("read", [cn.from_records, cn.DataFrame.from_records])
def test_fields_that_are_no_columns_are_refused(read):
    with pytest.raises(cn.ColumnValueError, match="^from_records: field 'v' has 1 dimensions") as error:
        read(np.array([(1, [2, 3])], dtype=[("a", "i4"), ("v", "f4", (2,))]))
    assert (error.value.operation, error.value.column) == ("from_records", "v") and "f4" in error.value.dtype
    with pytest.raises(cn.ColumnTypeError, match="^from_records: field 'z' is complex128"):
        read(np.array([(1j,)], dtype=[("z", "c16")]))
    with pytest.raises(cn.ColumnValueError, match="has one dimension, not 2"):
        read(RECORDS.reshape(3, 1))
    with pytest.raises(cn.ColumnTypeError, match="one record is a row"):
        read(RECORDS[0])
    with pytest.raises(cn.ColumnKeyError, match="there is no field 'z'") as error:
        cn.DataFrame.from_records(RECORDS, columns=["a", "z"])
    assert error.value.column == "z"


def test_records_of_a_frame_are_read_again(device):
    frame = cn.DataFrame.from_records(RECORDS)
    made = frame.to_records(index=False)
    expected = pd.DataFrame.from_records(RECORDS).to_records(index=False)
    assert made.dtype.names == expected.dtype.names
    for name in ("a", "b", "t", "d", "u", "m"):
        assert made.dtype[name] == expected.dtype[name].newbyteorder("="), name
        assert repr(made[name].tolist()) == repr(expected[name].tolist())
    assert made["s"].tolist() == ["x", "yy", ""]
    again = cn.from_records(made)
    assert again.dtypes == frame.dtypes
    assert repr(again.to_dict()) == repr(frame.to_dict())
    labelled = frame.set_index("a").to_records()
    assert labelled.dtype.names[0] == "a" and labelled["a"].tolist() == [1, 2, -3]
