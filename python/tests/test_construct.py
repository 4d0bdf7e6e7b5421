"""Frames and series of what Python has, beside those of pandas."""

import datetime as dt
from decimal import Decimal as D

import columnade as cn
import numpy as np
import pyarrow as pa
import pytest

from beside import both, both_refuse

FRAMES = [
    'F({"a": S([1,2,3]), "b": S([1,2])})',
    'F({"a": S([1,2,3]), "b": S([1,2],index=[2,1])})',
    'F({"a": S([1,2,3]), "b": [7,8,9]})',
    'F({"a": S([1,2],index=["x","y"]), "b": S([1,2],index=["y","z"])})',
    'F({"a": S([1,2]), "b": 5})',
    'F({"a": S([1,2],index=["x","y"]), "b": "t", "c":[1.5,2.5]})',
    'F({"a": 1, "b": "x"}, index=[0,1])',
    'F({"a": 1, "b": "x"}, index=["p","q"])',
    'F({"a": {"x": 1, "y": 2}, "b": {"y": 3, "z": 4}})',
    'F({"a": {"x": 1, "y": 2}, "b": {"y": 3, "x": 4}})',
    'F({"a": {"x": 1, "y": 2}}, index=["y","w"])',
    'F({"a": [1,2], "b": 3, "c": None})',
    'F({"a": [1,2], "b": np.int64(3), "c": np.float32(1.5), "d": dt(2024,1,1), "e": True})',
    'F({"a": range(3), "b": (x for x in "abc"), "c": (4,5,6)})',
    'F({"a": np.array([1,2]), "b": [3,4]}, index=["x","y"])',
    'F({"a": None}, index=[1,2])',
    'F({"a": [1,2]}, index=["x","y"], columns=["b","a"])',
    'F({"a": [1,2], "b":[3,4]}, columns=["b"])',
    'F({"a": [1,2], "b":[3,4]}, columns=["b","a"])',
    'F({"a": [1,2], "b":[3,4]}, columns=["b","z"])',
    'F(columns=["a","b"])',
    'F(columns=["a","b"], index=[1,2])',
    'F(index=[1,2])',
    'F([], columns=["a","b"])',
    'F({}, columns=["a","b"])',
    'F({}, index=["a","b"])',
    'F([[1,"x"],[2,"y"]], columns=["n","s"])',
    'F([(1,"x"),(2,"y")], columns=["n","s"], index=["p","q"])',
    'F(((1,"x"),(2,"y")), columns=["n","s"])',
    'F([[1,2],[3]])',
    'F([[1,2],[3]], columns=["a","b"])',
    'F([1,2,3])',
    'F([1,2,3], columns=["a"])',
    'F(["x","y"], index=["a","b"])',
    'F(range(3))',
    'F((i for i in range(3)), columns=["k"])',
    'F(((i,i*2) for i in range(3)), columns=["k","l"])',
    'F(zip([1,2],[3,4]), columns=["k","l"])',
    'F([Point(1,2), Point(3,4)])',
    'F([Point(1,2), Point(3,4)], columns=["a","b"])',
    'F([Item(1,"a"), Item(2,"b")])',
    'F([Item(1,"a"), Item(2,"b")], index=["p","q"])',
    'F([{"a":1},{"b":2}])',
    'F([{"a":1},{"b":2}], index=["x","y"])',
    'F([S([1.0,2.0],index=["a","b"],name="r"), S([3.0,4.0],index=["b","c"],name="s")])',
    'F([S([1,2],index=["a","b"]), S([3,4],index=["a","b"])])',
    'F([S([1,2]), S([3,4])])',
    'F([S([1,2],name="r"), S([3,4])])',
    'F(np.array([[1,2],[3,4]]))',
    'F(np.array([[1,2],[3,4]]), columns=["a","b"], index=["x","y"])',
    'F(np.array([1,2,3]), columns=["a"])',
    'F(np.array([(1,"x"),(2,"y")], dtype=[("n","i4"),("s","U5")]))',
    'F(np.array([(1,"x"),(2,"y")], dtype=[("n","i4"),("s","U5")]), columns=["s"])',
    'F(np.array([(1,"x"),(2,"y")], dtype=[("n","i4"),("s","U5")]), index=["p","q"])',
    'F(np.zeros((0,2)), columns=["a","b"])',
    'F([[1,2],[3,4]], dtype="float64")',
    'F({"a":[1,2]}, dtype="float32")',
    'F({"a":["1","2"]}, dtype="int64")',
    'F({"a":[1,2]}, dtype=float)',
    'F({"a":[1,2]}, copy=True)',
    'F(F({"a":[1,2],"b":[3,4]}), columns=["b"])',
    'F(F({"a":[1,2],"b":[3,4]}), index=[1,2])',
    'F(S([1,2],name="q"))',
    'F(S([1,2]))',
    'F(S([1,2]), columns=["z"])',
    'F(S([1,2],name="q"), columns=["z"])',
    'F(S([1,2],name="q",index=["a","b"]), index=["b","c"])',
    'F(5, index=[1], columns=["a"])',
    'F("x", index=[1,2], columns=["a","b"])',
    'F({"a":S([1,2],index=["x","y"])}, index=["y","z","x"])',
    'F({"a":S([1,2],index=["x","x"]), "b":S([1,2],index=["x","x"])})',
    'F({"a":L.Index([1,2]), "b":[3,4]})',
    'F({("a","x"):[1,2], ("a","y"):[3,4]})',
    'F({"a":[1,2]}, index=L.Index([5,6],name="k"))',
    'F({"a":[1,2]}, index=S([5,6],name="k"))',
    'F({"a":[1,2]}, index=range(3,5))',
    'F({"a":[1,2]}, index=np.array([3,5]))',
    'F({"a":[1,2]}, index=(3,5))',
    'F(None)',
    'F(collections.OrderedDict(a=[1],b=[2]))',
    'F(collections.defaultdict(list,a=[1],b=[2]))',
    'F([[1,2],[3,4]], columns=range(2))',
    'F([[1,2],[3,4]], columns=L.Index(["a","b"]))',
    'F([[1,2],[3,4]], columns=np.array(["a","b"]))',
    'F({"a":[1,2],"b":[1,2]}, columns=L.Index(["b"]))',
    'F([[]])',
    'F([[],[]])',
    'F([None,None])',
    'F([[None,1],[2,None]])',
    'F.from_dict({"a":[1,2],"b":[3,4]})',
    'F.from_dict({"a":[1,2],"b":[3,4]}, orient="index")',
    'F.from_dict({"a":[1,2],"b":[3,4]}, orient="index", columns=["x","y"])',
    'F.from_dict({"a":{"x":1,"y":2},"b":{"y":3}}, orient="index")',
    'F.from_dict({"a":{"x":1,"y":2},"b":{"x":3}}, orient="columns")',
    'F.from_dict({"a":1,"b":2}, orient="index", columns=["v"])',
    'F.from_dict({"a":S([1,2]),"b":S([3,4])}, orient="index")',
    'F.from_dict({"a":[1,2],"b":[3]}, orient="index")',
    'F.from_dict({"index":["a","b"],"columns":["x"],"data":[[1],[2]],"index_names":[None],"column_names":[None]}, orient="tight")',
    'F.from_dict({"index":[("a",1),("b",2)],"columns":["x"],"data":[[1],[2]],"index_names":["p","q"],"column_names":[None]}, orient="tight")',
    'F.from_dict({"a":["1"]}, dtype="int64")',
    'F.from_dict({}, orient="index")',
    'F.from_records([(1,"a"),(2,"b")], columns=["n","s"])',
    'F.from_records([{"a":1},{"a":2,"b":3}])',
    'F.from_records([{"a":1},{"a":2,"b":3}], columns=["b","a"])',
    'F.from_records([(1,"a"),(2,"b")], columns=["n","s"], index="n")',
    'F.from_records([(1,"a"),(2,"b")], columns=["n","s"], index=["p","q"])',
    'F.from_records([(1,"a"),(2,"b")], columns=["n","s"], exclude=["s"])',
    'F.from_records(((i,i) for i in range(5)), columns=["a","b"], nrows=2)',
    'F.from_records(np.array([(1,"x"),(2,"y")], dtype=[("n","i4"),("s","U5")]))',
    'F.from_records(np.array([(1,"x"),(2,"y")], dtype=[("n","i4"),("s","U5")]), columns=["s"])',
    'F.from_records({"a":[1,2]})',
    'F.from_records([[D("1.5")],[D("2.5")]], columns=["a"], coerce_float=True)',
    'F.from_records(np.array([[1,2],[3,4]]))',
    'F.from_records([])',
    'F.from_records([], columns=["a"])',
    'F.from_records([(1,2),(3,)], columns=["a","b"])',
    'F.from_records([S([1,2],index=["a","b"])])',
    'F([{"a":1},{"b":2}], columns=["b","c"])',
    'F(F({"a":[1,2],"b":[3,4]}), columns=["b","z"])',
    'F({"c": S(["a","b"])}, index=TI(T))',
]

SERIES = [
    'S({"a":1,"b":2})',
    'S({"a":1,"b":2}, index=["b","a"])',
    'S({"a":1,"b":2}, index=["b","c"])',
    'S({})',
    'S({("a",1):1,("b",2):2})',
    'S({1:"x"}, name="n")',
    'S(5, index=["a","b"])',
    'S(5)',
    'S("text")',
    'S("text", index=[1,2])',
    'S(None, index=["a","b"])',
    'S(None, index=["a","b"], dtype="float64")',
    'S(None)',
    'S()',
    'S(dtype="float64")',
    'S(dtype="int64")',
    'S([], dtype="str")',
    'S(index=["a"])',
    'S(S([1,2],index=["a","b"]), index=["b","a"])',
    'S(S([1,2],index=["a","b"],name="q"), index=["b","z"])',
    'S(S([1,2],name="q"))',
    'S(S([1,2],name="q"), name="r")',
    'S([1,2], index=["a","b"])',
    'S([1,2], ["a","b"])',
    'S([1,2], ["a","b"], "float64")',
    'S(range(3))',
    'S((i for i in range(3)))',
    'S({"a":1}.values())',
    'S({"a":1}.keys())',
    'S(map(str,[1,2]))',
    'S([1,2], name=("a",1))',
    'S([1,2], name=5)',
    'S([1,2], name=None)',
    'S([1,2], name=1.5)',
    'S([1,2], name=dt(2024,1,1))',
    'S(np.array([1,2]), index=L.Index([3,4]))',
    'S(L.Index([3,4],name="i"))',
    'S(np.int64(5))',
    'S(np.float64(5), index=[1,2])',
    'S(dt(2024,1,1), index=[1,2])',
    'S(1.5, index=range(2), dtype="float32", name="x")',
    'S(["1","2"], dtype="int64")',
    'S([1,2], dtype=str)',
    'S([1,None], dtype="float64")',
    'S([1,2], copy=True)',
    'S(S([1,2]), dtype="float64", copy=False)',
    'S((1,2))',
    'S(True, index=[1])',
    'S({"a":1,"b":None})',
    'S({"a":1,"b":2}, dtype="float64")',
    'S("x", index=[])',
]

REFUSED = [
    ('F({"a": 1, "b": "x"})', ValueError, "DataFrame: all values are single ones: give index"),
    ('F({"a": {1, 2}})', TypeError, "DataFrame: a set has no order"),
    ('F({"a": [1, 2]}, index=["x"])', ValueError, "column a has 2 values, and there are 1 row labels"),
    ('F({"a": [1, 2], "b": [1]})', ValueError, 'column "b": expected 2 rows, found 1'),
    ('F({"a": S([1, 2], index=["x", "x"]), "b": S([1, 2], index=["x", "y"])})', ValueError, "x comes more than once"),
    ('F([[1, 2], [3, 4]], columns=["a"])', ValueError, "1 for 2 columns"),
    ('F([[1, 2], [3, 4]], columns="ab")', TypeError, "a list of labels"),
    ('F([[1, 2], [3, 4]], index=[1])', ValueError, "2 rows for 1 row labels"),
    ('F(np.zeros((2, 2, 2)))', ValueError, "3 dimensions"),
    ('F(np.zeros((2, 2)), columns=["a"])', ValueError, "1 for 2 columns"),
    ('F({"a": ["x"]}, dtype="int64")', ValueError, "DataFrame"),
    ('F(5)', TypeError, "not of int"),
    ('S({1, 2})', TypeError, "a set has no order"),
    ('S([1, 2], index=["a"])', ValueError, "2 values for 1 row labels"),
    ('S([1.5, 2.5], dtype="int64")', ValueError, "fractions"),
    ('S(F({"a": [1]}))', ValueError, "take one of its columns"),
    ('S(S([1, 2], index=["a", "a"]), index=["a", "b"])', ValueError, "Series: row labels must be unique"),
    ('S(np.zeros((2, 2)))', ValueError, "2 dimensions"),
    ('S([1], dtype="no such")', ValueError, "no such"),
]


@pytest.mark.parametrize("call", FRAMES)
def test_frames(device, call):
    both(call)


@pytest.mark.parametrize("call", SERIES)
def test_series(device, call):
    both(call)


@pytest.mark.parametrize("call, kind, words", REFUSED)
def test_refused(call, kind, words):
    both_refuse(call, kind, words)


def test_arrays_are_copied_on_request():
    array = np.array([1, 2])
    shared, own = cn.Series(array), cn.Series(array, copy=True)
    frame = cn.DataFrame({"a": array}, copy=True)
    array[0] = 9
    assert shared.to_list() == [9, 2] and own.to_list() == [1, 2] and frame["a"].to_list() == [1, 2]


def test_arrow_and_intervals_are_no_rows():
    import pyarrow

    table = pyarrow.StructArray.from_arrays([pyarrow.array([1, 2])], names=["a"])
    assert cn.DataFrame(table).to_dict("list") == {"a": [1, 2]}
    assert cn.DataFrame([cn.Interval(0, 1, "right")]).shape == (1, 1)
    assert len(cn.Series(cn.Interval(0, 1, "right"), index=["a", "b"])) == 2


def test_other_columns_go_where_the_first_series_is():
    if "sim" in cn.available_devices():
        values = cn.Series([1, 2], device="sim")
        made = cn.DataFrame({"b": [3, 4], "a": values, "c": 5, "d": (x for x in "xy")})
        assert made.device == "sim" and made.to_dict("list") == {"b": [3, 4], "a": [1, 2], "c": [5, 5], "d": ["x", "y"]}


def test_frames_stay_on_their_device(sim):
    values = cn.Series([1, 2], index=["a", "b"], device="sim")
    made = cn.DataFrame({"a": values, "b": 5, "c": {"b": 1}}, index=["b", "c"])
    assert made.device == "sim" and made.to_dict("list") == {"a": [2, None], "b": [5, 5], "c": [1, None]}
    assert cn.Series(values, index=["b"]).device == "sim"


@pytest.mark.parametrize("call", [
    'L.concat([L.Series([1, 2], name="p"), L.Series([3, 4], name="q")], axis=1, keys=["a", "b"])',
    'L.concat({"a": L.Series([1, 2], name="p"), "b": L.Series([3, 4], name="p")}, axis=1)',
    'L.DataFrame({"k": ["a", "b", "a"], "v": [1, 2, 3]}).pivot_table(index="k", values="v", aggfunc=eval("lambda v: v.max() - v.min()"))',
])
def test_columns_of_series_and_functions(device, call):
    both(call)


def test_lists_of_groups(device):
    frame = cn.DataFrame({"k": ["a", "b", "a"], "v": [1, None, 3]})
    assert frame.groupby("k")["v"].agg(list).to_dict() == {"a": [1, 3], "b": [None]}
    assert frame.groupby("k")["v"].apply(list).to_dict() == {"a": [1, 3], "b": [None]}
    assert frame.groupby("k").agg(vs=("v", list)).to_dict() == {"vs": [[1, 3], [None]]}


@pytest.mark.parametrize("unit", ["Y", "M"])
def test_durations_without_a_fixed_length_are_errors(unit):
    array = np.array([1], f"m8[{unit}]")
    for make in (cn.Series, lambda values: cn.DataFrame({"a": values})):
        with pytest.raises(cn.ColumnValueError, match="no fixed length") as error:
            make(array)
        assert error.value.dtype == f"timedelta64[{unit}]"
    assert cn.Series(np.array([2], "m8[D]")).to_list() == [dt.timedelta(2)]
    assert cn.Series(np.array(["2024-03"], "M8[M]")).to_list() == [dt.datetime(2024, 3, 1)]


DECIMALS = {
    "38 digits behind the point": ([D("0." + "1" * 38), D(0)], "decimal(38,38)"), "integers": ([1, D("1.5"), None], "decimal(10,2)"),
    "large integers": ([2**70, 1], "decimal(38,0)"), "one large integer": ([-(2**70)], "decimal(38,2)"),
    "38 digits": ([D("9" * 38), D("5.0")], "decimal(38,0)"),
}


@pytest.mark.parametrize("name", DECIMALS)
def test_numbers_without_a_common_dtype_are_decimals_of_the_one_that_is_given(device, name):
    values, dtype = DECIMALS[name]
    precision, scale = map(int, dtype[8:-1].split(","))
    wanted = pa.array(values, pa.decimal128(precision, scale)).to_pylist()
    for given in (values, tuple(values)):
        made = cn.Series(given, name="n", dtype=dtype)
        assert made.to_list() == wanted and made.dtype == dtype and made.name == "n"
    assert cn.Series([1.5, D("2.25")], dtype=dtype if scale > 1 and scale < 38 else "decimal(5,2)").to_list() == [D("1.5"), D("2.25")]


@pytest.mark.parametrize("values, dtype, kind", [
    ([1, "x"], "decimal(10,2)", TypeError), ([True, D(1), 1], "decimal(10,2)", TypeError), ([2**200], "decimal(38,0)", ValueError),
    ([float("inf"), D(1)], "decimal(5,1)", TypeError), ([1, D("1.5")], None, TypeError), ([2**70], "int64", OverflowError),
])
def test_others_are_refused_with_a_dtype_too(values, dtype, kind):
    with pytest.raises(kind) as error:
        cn.Series(values, dtype=dtype)
    assert isinstance(error.value, cn.ColumnadeError) and error.value.operation == "Series"
