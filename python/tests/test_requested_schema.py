"""What a consumer of Arrow's interface asks for: the values are those that pyarrow's safe casts give, or an error."""

import datetime as dt
import decimal
import itertools
import math

import columnade as cn
import pyarrow as pa
import pytest

METHODS = ["__arrow_c_array__", "__arrow_c_stream__", "__arrow_c_device_array__", "__arrow_c_device_stream__"]


class Capsules:
    """What a method gave for a schema, as an object that offers the same."""

    def __init__(self, data, method, asked):
        made = getattr(data, method)(asked.__arrow_c_schema__())
        setattr(self, method, lambda requested_schema=None: made)


def exported(data, asked, method="__arrow_c_array__"):
    """The type that pyarrow finds in what is exported on the host, and the values."""
    if method == "__arrow_c_array__":
        made = pa.Array._import_from_c_capsule(*data.__arrow_c_array__(asked.__arrow_c_schema__()))
        return made.type, listed(made)
    return None, cn.Series.from_arrow(Capsules(data, method, asked)).to_device("host").to_list()


def listed(array):
    """The values, as numbers where Python has no such time."""
    try:
        return array.to_pylist()
    except (OverflowError, ValueError):
        return array.view(f"int{array.type.bit_width}").to_pylist()


TIME = dt.datetime(2024, 1, 2, 3, 4, 5, 678901)
VALUES = {
    "int8": ([1, -1, None], pa.int8()), "int64": ([300, 0, None], pa.int64()), "large": ([2**53 + 2], pa.int64()), "exact": ([2**53, -(2**24)], pa.int64()),
    "odd": ([2**24 + 1], pa.int32()), "unsigned": ([2**64 - 1, None], pa.uint64()), "float64": ([1.5, None, 2.0], pa.float64()),
    "whole": ([3.0, -0.0, None], pa.float64()), "nan": ([math.nan, math.inf], pa.float64()), "float32": ([0.1, math.nan], pa.float32()),
    "bool": ([True, False, None], pa.bool_()), "utf8": (["a", None, "bb"], pa.string()), "number": (["12", "1"], pa.string()),
    "decimal": ([decimal.Decimal("1.25"), None], pa.decimal128(5, 2)), "round": ([decimal.Decimal("3.00")], pa.decimal128(5, 2)),
    "us": ([TIME, None], pa.timestamp("us")), "seconds": ([TIME.replace(microsecond=0)], pa.timestamp("us")),
    "zoned": ([TIME.replace(tzinfo=dt.timezone.utc)], pa.timestamp("us", "Europe/Berlin")), "duration": ([dt.timedelta(microseconds=1500)], pa.duration("us")),
    "time": ([dt.time(1, 2, 3, 4)], pa.time64("us")), "date": ([dt.date(2024, 2, 29), None], pa.date32()),
    "list": ([[1, None], [300], None, []], pa.list_(pa.int64())), "floats": ([[], [0.0], [1.0, 2.5]], pa.list_(pa.float64())),
    "struct": ([{"x": 1.5, "y": "a"}, None], pa.struct([("x", pa.float64()), ("y", pa.string())])),
    "binary": ([b"a", None], pa.binary()),
}
ASKED = [
    pa.int8(), pa.int32(), pa.int64(), pa.uint8(), pa.uint64(), pa.float32(), pa.float64(), pa.string(), pa.large_string(), pa.string_view(),
    pa.decimal128(4, 1), pa.decimal128(30, 2), pa.timestamp("s"), pa.timestamp("ms"), pa.timestamp("ns"), pa.timestamp("ms", "UTC"), pa.timestamp("ns", "UTC"),
    pa.duration("ms"), pa.duration("ns"), pa.time32("s"), pa.time64("ns"), pa.date32(), pa.list_(pa.int8()), pa.list_(pa.float32()), pa.large_list(pa.int64()),
    pa.struct([("x", pa.int32()), ("y", pa.string())]), pa.struct([("x", pa.float64()), ("y", pa.large_string())]), pa.dictionary(pa.int32(), pa.string()),
    pa.large_binary(),
]


def outcome(array, asked):
    try:
        return listed(array.cast(asked))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError, KeyError):
        return None


def plain(values):
    """Values by which NaN equals itself, as do both zeros, and the text of times with a zone is that of UTC."""
    values = [value + 0.0 if isinstance(value, float) else value for value in values]
    return repr([value.astimezone(dt.timezone.utc) if isinstance(value, dt.datetime) and value.tzinfo else value for value in values])


@pytest.mark.parametrize("name", VALUES)
def test_values_are_those_of_safe_casts(device, name):
    values, kind = VALUES[name]
    array = pa.array(values, kind)
    series = cn.Series.from_arrow(array)
    for asked in ASKED:
        expected = outcome(array, asked)
        try:
            found, made = exported(series, asked)
        except ValueError as error:
            assert isinstance(error, cn.ColumnValueError) and error.operation == "__arrow_c_array__"
            # pyarrow takes parts out of timestamps, and times of day beyond a day, and makes large floats infinite.
            parts = pa.types.is_timestamp(kind) and pa.types.is_date(asked) or pa.types.is_time(asked)
            assert expected is None or parts or "inf" in plain(expected), (asked, error, expected)
            continue
        if found == asked or pa.types.is_string_view(asked) and pa.types.is_string(found):
            to_text = pa.types.is_string(found) or pa.types.is_large_string(found) or pa.types.is_dictionary(found)
            # Texts of times and floats have a form of their own.
            if expected is not None and not (to_text and (pa.types.is_temporal(kind) or pa.types.is_floating(kind))):
                assert plain(made) == plain(expected), asked
            elif not to_text:
                # Casts that pyarrow lacks, or refuses by dtype alone.
                back = cn.Series.from_arrow(Capsules(series, "__arrow_c_array__", asked)).cast(series.dtype).to_device("host")
                assert plain(back.to_list()) == plain(cn.Series.from_arrow(array).to_device("host").to_list()), asked
        else:
            # Left as it is, which the interface allows.
            assert plain(made) == plain(listed(array)), asked


LOST = {
    "fraction": ([1.0, None, 2.5], "float64", pa.int64(), "2.5", "int64"), "digits": ([decimal.Decimal("1.25")], None, pa.decimal128(5, 1), "1.25", "decimal128(5, 1)"),
    "decimal to int": ([decimal.Decimal("1.25")], None, pa.int64(), "1.25", "int64"), "range": ([1, 300], "int64", pa.int8(), "300", "int8"),
    "float64": ([2**53 + 1], "int64", pa.float64(), "9007199254740993", "float64"), "float32": ([2**24 + 2], "int64", pa.float32(), "16777218", "float32"),
    "infinite": ([1.0, 1e300], "float64", pa.float32(), "1e300", "float32"), "time": ([TIME], None, pa.timestamp("ms"), "678901", "timestamp[ms]"),
    "duration": ([dt.timedelta(microseconds=1)], None, pa.duration("s"), "00:00:00.000001", "duration[s]"), "day": ([TIME], None, pa.date32(), "2024-01-02", "date32"),
    "unsigned": ([-1], "int64", pa.uint64(), "-1", "uint64"), "nan": ([math.nan], "float64", pa.int64(), "NaN", "int64"),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", LOST)
def test_values_that_would_change_are_errors(device, name, method):
    values, dtype, asked, text, wanted = LOST[name]
    series = cn.Series(values, dtype=dtype, name="v", index=[str(row) for row in range(len(values))])
    for data, schema in ((series, asked), (series.to_frame(), pa.schema([("v", asked)]))):
        with pytest.raises(cn.ColumnValueError) as error:
            getattr(data, method)(schema.__arrow_c_schema__())
        assert (error.value.operation, error.value.column) == (method, "v")
        assert text.lower() in str(error.value).lower() and f"row {len(values) - 1}" in str(error.value)
        assert error.value.dtype.replace(" ", "") == wanted.replace(" ", "")


@pytest.mark.parametrize("method", METHODS)
def test_nested_values_that_would_change_are_errors(device, method):
    lists = cn.Series([[1.0], [], None, [2.0, 2.5]], name="v")
    with pytest.raises(cn.ColumnValueError, match="row 3: 2.5"):
        getattr(lists, method)(pa.list_(pa.int64()).__arrow_c_schema__())
    assert exported(lists, pa.list_(pa.float32()), method)[1] == [[1.0], [], None, [2.0, 2.5]]
    deep = cn.Series([{"x": [{"y": 1}]}, {"x": [{"y": 2**53 + 1}]}])
    for asked, is_error in ((pa.float64(), True), (pa.uint64(), False)):
        wanted = pa.struct([("x", pa.list_(pa.struct([("y", asked)])))])
        if is_error:
            with pytest.raises(cn.ColumnValueError, match="row 1: 9007199254740993"):
                getattr(deep, method)(wanted.__arrow_c_schema__())
        else:
            assert exported(deep, wanted, method)[1] == deep.to_device("host").to_list()


@pytest.mark.parametrize("method", METHODS)
def test_fields_in_another_order_are_given_in_it(device, method):
    frame = cn.DataFrame({"a": [1, 2], "b": ["x", None], "c": [0.5, 1.5]})
    for order in itertools.permutations("abc"):
        asked = pa.schema([(name, {"a": pa.int16(), "b": pa.large_string(), "c": pa.float32()}[name]) for name in order])
        made = cn.from_arrow(Capsules(frame, method, asked)).to_device("host")
        assert made.columns == list(order) and made.to_dict() == {name: frame[name].to_device("host").to_list() for name in order}


DIFFERENT = {
    "names": ([("a", pa.int64()), ("z", pa.string())], 'the frame has no "z"; the schema has no "b"'),
    "fewer": ([("a", pa.int64())], 'it has 1 fields, and the frame has 2; the schema has no "b"'),
    "more": ([("a", pa.int64()), ("b", pa.string()), ("c", pa.int8())], 'it has 3 fields, and the frame has 2; the frame has no "c"'),
    "twice": ([("a", pa.int64()), ("a", pa.int64())], 'the schema has no "b"'),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", DIFFERENT)
def test_fields_of_other_names_are_errors(device, name, method):
    fields, text = DIFFERENT[name]
    frame = cn.DataFrame({"a": [1], "b": ["x"]})
    with pytest.raises(cn.ColumnValueError) as error:
        getattr(frame, method)(pa.schema(fields).__arrow_c_schema__())
    assert text in str(error.value) and error.value.operation == method
    structs = cn.DataFrame({"s": [{"a": 1, "b": "x"}]})
    for data, asked in ((structs["s"], pa.struct(fields)), (structs, pa.schema([("s", pa.struct(fields))]))):
        with pytest.raises(cn.ColumnValueError) as error:
            getattr(data, method)(asked.__arrow_c_schema__())
        assert text.replace("the frame", "the series" if data is structs["s"] else "").split(";")[-1].strip() in str(error.value)


def test_fields_of_structs_in_another_order_keep_their_values(device):
    structs = cn.Series([{"a": 1, "b": "x"}, None])
    asked = pa.struct([("b", pa.string()), ("a", pa.int8())])
    assert exported(structs, asked) == (asked, [{"b": "x", "a": 1}, None])


def test_scans_are_asked_in_the_same_way(tmp_path):
    cn.DataFrame({"a": [1, 2], "b": [0.5, 1.5]}).write_parquet(tmp_path / "f")
    scan = lambda: cn.scan_parquet(tmp_path / "f", device="host")
    asked = pa.schema([("b", pa.float32()), ("a", pa.int8())])
    reader = pa.RecordBatchReader._import_from_c_capsule(scan().__arrow_c_stream__(asked.__arrow_c_schema__()))
    assert reader.read_all().to_pydict() == {"b": [0.5, 1.5], "a": [1, 2]} and reader.schema == asked
    with pytest.raises(cn.ColumnValueError, match='has no "z"'):
        scan().__arrow_c_stream__(pa.schema([("a", pa.int64()), ("z", pa.int64())]).__arrow_c_schema__())
    lossy = scan().__arrow_c_stream__(pa.schema([("a", pa.int64()), ("b", pa.int64())]).__arrow_c_schema__())
    with pytest.raises(Exception, match="0.5 does not fit int64"):
        pa.RecordBatchReader._import_from_c_capsule(lossy).read_all()


def test_a_capsule_of_another_kind_names_the_operation(device):
    frame = cn.DataFrame({"a": [1]})
    stream = frame.__arrow_c_stream__()
    for method in METHODS:
        with pytest.raises(cn.ColumnValueError, match="expected a capsule named arrow_schema") as error:
            getattr(frame, method)(stream)
        assert error.value.operation == method
