"""What exceptions say of operation, column and dtype, and arguments that are taken as pandas takes them."""

import copy
import datetime
import decimal
import gc
import io
import pickle
import tempfile
import weakref

import columnade as cn
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest


class Described:
    """An object with a dictionary as its interface."""

    def __init__(self, **entries):
        self.__cuda_array_interface__ = entries


class Exporting:
    """An object that gives other capsules than it should."""

    def __init__(self, array=None, stream=None):
        if array is not None:
            self.__arrow_c_array__ = lambda requested_schema=None: array
        if stream is not None:
            self.__arrow_c_stream__ = lambda requested_schema=None: stream


FRAME = cn.DataFrame({"a": [1, 2, 3], "s": ["x", "y", "x"]}, device="host")


def test_capsules_of_another_name_name_the_operation():
    schema, array = FRAME.__arrow_c_array__()
    for source in (Exporting(array=(array, schema)), Exporting(stream=schema)):
        for read in (cn.from_arrow, cn.DataFrame.from_arrow):
            with pytest.raises(cn.ColumnValueError, match="^from_arrow: a capsule of Exporting") as error:
                read(source)
            assert error.value.operation == "from_arrow"
    assert cn.from_arrow(FRAME).equals(FRAME) and cn.Series.from_arrow(FRAME["a"]).to_list() == [1, 2, 3]


@pytest.mark.parametrize("typestr", ["<x9", "<c8", 7])
def test_types_of_arrays_are_named(typestr):
    with pytest.raises((cn.ColumnadeError, TypeError)) as error:
        cn.as_column(Described(shape=(3,), typestr=typestr, data=(64, False), version=3))
    if isinstance(typestr, str):
        assert (error.value.operation, error.value.dtype) == ("as_column", typestr)


def test_objects_are_named():
    array = np.array([1, "a"], dtype=object)
    with pytest.raises(cn.ColumnTypeError) as error:
        cn.DataFrame({"o": array})
    assert (error.value.column, error.value.dtype) == ("o", "object")
    for data in (pd.Series([{1: 2}]), pd.DataFrame({"d": [{1: 2}]})):
        with pytest.raises(cn.ColumnTypeError, match="^Series: ") as error:
            cn.from_pandas(data)
        assert (error.value.operation, error.value.dtype) == ("Series", "object")
    assert pickle.loads(pickle.dumps(error.value)).dtype == copy.copy(error.value).dtype == "object"


@pytest.mark.parametrize(("changes", "kind"), [({"device_limit": "x"}, cn.ColumnValueError), ({"spill": "x"}, cn.ColumnTypeError)])
def test_memory_options_name_the_operation(changes, kind):
    before = cn.memory.options()
    with pytest.raises(kind) as error:
        cn.memory.set_options(**changes)
    assert error.value.operation == "memory.set_options"
    assert cn.memory.options() == before


def test_datasets_are_written_by_one_label(tmp_path):
    FRAME.write_dataset(tmp_path / "one", "s")
    FRAME.write_dataset(tmp_path / "several", ["s"])
    one, several = (cn.read_parquet(tmp_path / name).sort_values("a")["a"].to_list() for name in ("one", "several"))
    assert one == several == [1, 2, 3] and (tmp_path / "one" / "s=x").is_dir()
    for by in (7, [7], None, {"s": 1}):
        with pytest.raises(cn.ColumnTypeError, match="^write_dataset: by is the label"):
            FRAME.write_dataset(tmp_path / "none", by)


CONDITIONS = {
    "list": [True, False, True], "tuple": (False, False, True), "array": np.array([True, True, False]), "function": lambda values: values > 1,
}


@pytest.mark.parametrize("name", CONDITIONS)
@pytest.mark.parametrize("method", ["where", "mask"])
def test_conditions_of_series_are_those_of_pandas(device, name, method):
    cond, labels = CONDITIONS[name], ["p", "q", "r"]
    made = getattr(cn.Series([1, 2, 3], index=labels, name="v"), method)(cond, 9)
    expected = getattr(pd.Series([1, 2, 3], index=labels, name="v"), method)(list(cond) if isinstance(cond, tuple) else cond, 9)
    assert (made.to_list(), made.index.to_list(), made.name) == (expected.to_list(), labels, "v")
    assert made.device == device


@pytest.mark.parametrize("method", ["where", "mask"])
def test_conditions_of_frames_are_those_of_pandas(device, method):
    data, labels = {"a": [1, 2], "b": [3, 4]}, ["p", "q"]
    for cond in (np.array([[True, False], [False, True]]), [[True, True], [False, True]], lambda frame: frame > 2):
        made = getattr(cn.DataFrame(data, index=labels), method)(cond, 0)
        expected = getattr(pd.DataFrame(data, index=labels), method)(cond, 0)
        assert made.to_dict() == expected.to_dict("list") and made.index.to_list() == labels


def test_conditions_of_another_size_are_refused():
    series = cn.Series([1, 2, 3], name="v")
    with pytest.raises(cn.ColumnValueError, match="^where: cond has 1 values for 3 rows") as error:
        series.where([True])
    assert error.value.operation == "where"
    for call in (lambda: series.where(7), lambda: series.mask("x"), lambda: FRAME.mask(None)):
        with pytest.raises(cn.ColumnTypeError, match="^(where|mask): cond is a frame or a series of booleans"):
            call()


OF_COLUMNS = {
    "sum": (lambda f: f["s"].sum(), "sum", "s", "utf8"), "mean": (lambda f: f["s"].mean(), "mean", "s", "utf8"), "neg": (lambda f: -f["u"], "neg", "u", "uint8"),
    "invert": (lambda f: ~f["s"], "not", "s", "utf8"), "abs": (lambda f: abs(f["s"]), "abs", "s", "utf8"), "constant": (lambda f: f["s"] + 1, "add", "s", None),
    "cast": (lambda f: f.cast({"s": "int64"}), "cast", "s", "int64"), "astype": (lambda f: f.astype({"s": "int64"}), "astype", "s", "int64"),
    "astype of all": (lambda f: f[["s"]].astype("int64"), "astype", "s", "int64"), "groupby": (lambda f: f.groupby("zz"), "groupby", "zz", None),
    "pivot": (lambda f: f.pivot(columns="zz"), "pivot", "zz", None), "pivot index": (lambda f: f.pivot(columns="s", index="zz"), "pivot", "zz", None),
    "pivot values": (lambda f: f.pivot(columns="s", values="zz"), "pivot", "zz", None),
    "get_dummies": (lambda f: cn.get_dummies(f, columns=["zz"]), "get_dummies", "zz", None),
}


@pytest.mark.parametrize("name", OF_COLUMNS)
def test_columns_are_named(device, name):
    call, *facts = OF_COLUMNS[name]
    frame = cn.DataFrame({"s": ["a", "b"], "u": cn.Series([1, 2], dtype="uint8"), "n": [1, 2]})
    with pytest.raises(cn.ColumnadeError) as error:
        call(frame)
    assert [error.value.operation, error.value.column, error.value.dtype] == facts


def test_errors_of_two_series_name_no_wrong_one():
    frame = cn.DataFrame({"s": ["a", "b"], "n": [1, 2]})
    for call in (lambda: frame["n"] + frame["s"], lambda: frame["n"].add(frame["s"])):
        with pytest.raises(cn.ColumnadeError) as error:
            call()
        assert error.value.column is None


@pytest.mark.parametrize("changes", [
    {"device_limit": -1}, {"pinned_limit": 2**70}, {"pageable_limit": -1}, {"disk_limit": -1}, {"watermarks": (2**70, 1)}, {"statistics": -1},
])
def test_memory_options_out_of_bounds_name_the_operation(changes):
    before = cn.memory.options()
    with pytest.raises(cn.ColumnValueError, match=f"^memory.set_options: .*{next(iter(changes))}") as error:
        cn.memory.set_options(**changes)
    assert error.value.operation == "memory.set_options" and cn.memory.options() == before


@pytest.mark.parametrize("keywords", [
    {"stream": "x"}, {"stream": 1.5}, {"stream": 2**70}, {"dl_device": "cpu"}, {"dl_device": 1}, {"dl_device": (1,)}, {"dl_device": (None, 0)},
    {"max_version": "1"}, {"max_version": 1}, {"max_version": (1, None)},
])
def test_arguments_of_dlpack_name_the_operation(keywords):
    for data in (FRAME["a"], FRAME[["a"]]):
        with pytest.raises(cn.ColumnTypeError, match=f"^__dlpack__: {next(iter(keywords))} is") as error:
            data.__dlpack__(**keywords)
        assert error.value.operation == "__dlpack__"


class OnDevice:
    """A tensor that says where it is."""

    def __init__(self, device):
        self._device = device

    def __dlpack_device__(self):
        return self._device

    def __dlpack__(self, **keywords):
        return np.arange(3).__dlpack__(**keywords)


@pytest.mark.parametrize("device", [(None, 0), "cpu", (1,), 1, None, (1, 0, 0), [1, 0]])
def test_devices_of_tensors_that_are_none_name_the_operation(device):
    with pytest.raises(cn.ColumnTypeError, match="^from_dlpack: __dlpack_device__ gave") as error:
        cn.from_dlpack(OnDevice(device))
    assert error.value.operation == "from_dlpack"
    assert cn.from_dlpack(OnDevice((1, 0))).to_list() == [0, 1, 2]


def test_devices_that_are_not_there_are_the_same_error_by_name_and_number():
    if any(name.startswith("cuda") for name in cn.available_devices()):
        pytest.skip("there is a GPU")
    texts = []
    for device in ("cuda:0", (2, 0)):
        with pytest.raises(cn.UnsupportedDeviceError) as error:
            cn.from_dlpack(np.arange(3), device=device)
        assert isinstance(error.value, BufferError) and error.value.operation == "from_dlpack"
        texts.append(str(error.value))
    assert texts[0] == texts[1]


def test_descriptions_for_the_host_say_what_is_missing():
    array = Described(shape=(3,), typestr="<i8", data=(64, False), version=3)
    has_others = len(cn.available_devices()) > 1
    with pytest.raises(BufferError, match="give its device" if has_others else "has no GPU"):
        cn.as_column(array, device="host")
    array.__cuda_array_interface__ = 3
    with pytest.raises(cn.ColumnTypeError, match="^as_column: __cuda_array_interface__ is a dictionary, not int"):
        cn.as_column(array)


READS = {"parquet": cn.read_parquet, "csv": cn.read_csv, "ipc": cn.read_ipc, "json": cn.read_json, "feather": cn.read_feather}


@pytest.mark.parametrize("name", READS)
def test_errors_of_buffers_name_no_temporary_file(name, tmp_path):
    with pytest.raises(cn.ColumnadeError, match="<buffer>") as error:
        READS[name](io.BytesIO(b'"a,b\n1,2,3'))
    assert error.value.path is None and tempfile.gettempdir() not in str(error.value)
    path = tmp_path / "file"
    path.write_bytes(b'"a,b\n1,2,3')
    with pytest.raises(cn.ColumnadeError) as error:
        READS[name](path)
    assert error.value.path == str(path) and str(path) in str(error.value)


def test_groups_are_copied():
    groups = FRAME.groupby("s")
    for copied in (copy.copy, copy.deepcopy):
        assert copied(groups)["a"].sum().to_list() == copied(groups["a"]).sum().to_list() == [4, 2]


def test_objects_have_weak_references():
    for make in (lambda: cn.DataFrame({"a": [1]}), lambda: cn.Series([1]), lambda: cn.Index([1]), lambda: cn.col("a") + 1):
        made = make()
        reference = weakref.ref(made)
        assert reference() is made
        del made
        gc.collect()
        assert reference() is None


def test_zones_that_python_does_not_know_are_named():
    series = cn.from_arrow(pa.array([0], pa.timestamp("us", "Mars/Base")))
    with pytest.raises(cn.ColumnValueError, match="Mars/Base"):
        series.to_list()


def _unlike_lists():
    return cn.DataFrame({"l": [[1, 2]], "m": [[1]]}).explode(["l", "m"])


OF_VALUES = [
    (lambda: cn.Series(["abc"], name="s").str.replace("(a)", r"\2", regex=True), "str.replace", "s", "utf8", "has 1 groups, and no group \"2\""),
    (lambda: cn.Series(["abc"], name="s").str.replace("(a)", r"\g<zz>", regex=True), "str.replace", "s", "utf8", 'no group "zz"'),
    (lambda: cn.Series(["abc"], name="s").str.replace_regex("(a)", "$1b"), "str.replace_regex", "s", "utf8", 'no group "1b"'),
    (lambda: cn.Series(["3000-01-01"], name="t").str.to_datetime("%Y-%m-%d", "timestamp[ns]"), "str.to_datetime", "t", "timestamp[ns]", "row 0: 3000-01-01 does not fit"),
    (lambda: cn.Series(["3000-01-01"], name="t").cast("timestamp[ns]"), "cast", "t", "timestamp[ns]", "row 0: 3000-01-01 does not fit"),
    (lambda: cn.to_timedelta(cn.Series(["1 days", "x"], name="t")), "to_timedelta", "t", "duration[ns]", 'row 1: "x"'),
    (lambda: AMBIGUOUS.dt.tz_localize("Europe/Rome"), "dt.tz_localize", "t", "timestamp[us]", "is ambiguous"),
    (lambda: cn.DataFrame({"t": AMBIGUOUS}).select(cn.col("t").dt.tz_localize("Europe/Rome")), "select", "t", "timestamp[us]", "is ambiguous"),
    (lambda: AMBIGUOUS.dt.tz_localize("Europe/Atlantis"), "dt.tz_localize", "t", "timestamp[us]", "Atlantis"),
    (lambda: AMBIGUOUS.dt.strftime("%Q"), "dt.strftime", "t", "timestamp[us]", "an unknown directive"),
    (lambda: cn.Series(["a"], name="s").str.contains("(", regex=True), None, "s", "utf8", "is invalid"),
    (lambda: cn.Series([[1]], name="l").list.get(3, null_on_oob=False), None, "l", "list<int64>", "out of bounds"),
    (lambda: PAIRS.group_by("k").agg(cn.col("x").quantile(1.2)), "agg", "x", "float64", "between 0 and 1"),
    (lambda: PAIRS.groupby("k")["x"].quantile(1.2), "quantile", "x", "float64", "between 0 and 1"),
    (lambda: PAIRS.rolling(0).sum(), "sum", "k", "int64", "at least one row"),
    (lambda: PAIRS["x"].rolling(0).sum(), "sum", "x", "float64", "at least one row"),
    (lambda: PAIRS.groupby("k").rolling(0).sum(), "sum", "x", "float64", "at least one row"),
    (lambda: cn.Series([1, 2], index=TIMES, name="n").rolling("1D").sum(), "sum", "row labels", None, "1 days 00:00:00, by row labels)"),
    (lambda: HUGE.describe(), "describe", "d", "decimal(38,0)", 'column "d"'),
    (_unlike_lists, "explode", "m", "list<int64>", "row 0 has 1 items, and 2 in"),
]
HUGE = cn.DataFrame({"d": cn.Series([decimal.Decimal("9" * 38), decimal.Decimal(1)], dtype="decimal(38,0)")})
PAIRS = cn.DataFrame({"k": [1, 1], "x": [0.5, 1.5]})
TIMES = [datetime.datetime(2024, 1, 2), datetime.datetime(2024, 1, 1)]
AMBIGUOUS = cn.Series([datetime.datetime(2024, 10, 27, 2, 30)], name="t")


@pytest.mark.parametrize("place", range(len(OF_VALUES)))
def test_errors_of_values_have_column_and_dtype(place):
    call, operation, column, dtype, text = OF_VALUES[place]
    with pytest.raises(cn.ColumnadeError) as caught:
        call()
    error = caught.value
    assert text in str(error) and (error.column, error.dtype) == (column, dtype), (str(error), error.column, error.dtype)
    assert operation is None or error.operation == operation


LONG = cn.DataFrame({"k": ["x" * 100_000] * 2, "n": [1, 2]})


@pytest.mark.parametrize("call, start, end", [
    (lambda: cn.DataFrame({f"c{place}": [1] for place in range(3000)}).select("zz"), 'select: there is no column "zz"; there is "c0", ', '"c2999"'),
    (lambda: LONG.set_index("k").join(LONG.set_index("k"), rsuffix="_", validate="1:1"), "join: the row labels of the left frame are", "more than once"),
])
def test_messages_have_an_end(call, start, end):
    with pytest.raises(cn.ColumnadeError) as error:
        call()
    text = str(error.value)
    assert text.startswith(start) and text.endswith(end) and 2900 < len(text) < 3100


def test_repeated_keys_are_shortened():
    with pytest.raises(cn.ColumnadeError) as error:
        LONG.merge(LONG, on="k", validate="1:1")
    assert str(error.value) == f'merge: the key "k" of the left frame is not unique: {"x" * 100}… occurs more than once'
    with pytest.raises(cn.ColumnadeError, match=f'not unique: {"é" * 100} occurs'):
        cn.DataFrame({"k": ["é" * 100] * 2}).merge(LONG, on="k", validate="1:1")
