"""Series as columns, conditions and replacements by row label, and shapes, beside those of pandas."""

import datetime as dt

import columnade as cn
import pytest

from beside import both, both_refuse

BY_LABEL = [
    'f.assign(z=S([1,2,3,4],index=["d","c","b","a"]))',
    'f.assign(z=S([1,2],index=["d","q"]))',
    'f.assign(z=S([1,2,3,4]))',
    'f.assign(z=[1,2,3,4])',
    'f.assign(z=5)',
    'f.assign(z=None)',
    'f.assign(z=np.array([1,2,3,4]))',
    'f.assign(z=N([1,2,3,4]))',
    'f.assign(z=(1,2,3,4))',
    'f.assign(z=range(4))',
    'f.assign(z="k")',
    'f.assign(z=np.float32(1.5))',
    'f.assign(z=lambda q: q["x"]*2)',
    'f.assign(x=S([9],index=["b"]))',
    'g.assign(z=S([1,2,3],index=["a","b","d"]))',
    'g.assign(z=g["x"])',
    'f.assign(z={"a":1})',
    'f.assign(z=dt(2024,1,1))',
    'num.fillna(0)',
    'num.fillna(S([9.0],index=["x"]))',
    'num.fillna(num*0+7)',
    'num.fillna(F({"x":[9.0,8.0,7.0],"z":[6.0,5.0,4.0]},index=["c","b","a"]))',
    'num["x"].fillna(S([9.0],index=["c"]))',
    'num["x"].fillna(S([7.0,8.0,9.0],index=["c","b","a"]))',
    'num["x"].fillna({"c":5.0})',
    'num.fillna({"x":1.0,"q":2})',
    'num["x"].where(num["x"]>2)',
    'num["x"].where(S([True,True,True],index=["c","b","a"]), 0.0)',
    'num["x"].where(S([True,True],index=["c","b"]), 0.0)',
    'num["x"].where(S([False,False,False],index=["a","b","c"]), S([7.0,8.0,9.0],index=["c","b","a"]))',
    'num["x"].where([True,False,True], 0.0)',
    'num["x"].mask(S([True],index=["a"]), 0.0)',
    'num["x"].mask(num["x"]>2, S([7.0],index=["b"]))',
    'num.where(num>2, 0.0)',
    'num.where(num>2, num*10)',
    'num.mask(num>2)',
    'num.mask(S([True,False,True],index=["c","b","a"]), 0.0)',
    'num.where(num["x"]>2)',
    'num.where([[True,False],[False,True],[True,True]], 0.0)',
    'num.where(lambda q: q>2, 0.0)',
    'num.where(num>2, S([7.0,8.0,9.0],index=["c","b","a"]), axis=0)',
    'num.where(num["x"].notna(), F({"x":[1.0],"z":[2.0]},index=["c"]))',
    'num["x"].where(lambda q: q>2, lambda q: q*10)',
    'num.combine_first(F({"x":[7.0],"w":[1.0]},index=["c"]))',
    'num["x"].combine_first(S([7.0,8.0],index=["c","q"]))',
    'f.join(S([1,2],index=["a","q"],name="j"))',
    'num.join([S([1,2],index=["a","q"],name="j"), F({"w":[1]},index=["b"])])',
    'f.set_index(S([4,3,2,1],name="n"))',
    'f.sort_values("x",ascending=False).assign(k=f["y"])',
    'f["x"].isin(S([1,2]))',
    'f.isin({"x":[1]})',
    'f.isin(S([1,2],index=["a","c"]))',
    'f.isin(F({"x":[1,3],"y":["p","z"]},index=["a","b"]))',
    'f["x"].map(S(["one","two"],index=[1,2]))',
    'f["x"].clip(lower=S([2,2,2,2],index=["d","c","b","a"]))',
    'f["x"].clip(upper=S([1,2,3,4],index=["d","c","b","a"]))',
    'f.reindex(columns=["y","w"], fill_value=0)',
    'f.reindex(["a"], axis=0)',
    'f.reindex(index=["a","q"], columns=["x","w"])',
    'f.reindex(["x","w"], axis=1)',
]

SHAPES = [
    'f.drop(index=["a"])',
    'f.drop(index="a")',
    'f.drop(["x"],axis=1)',
    'f.drop("x",axis="columns")',
    'f.drop(index=["zz"],errors="ignore")',
    'f.drop(index=N(["a"]))',
    'f.drop(columns=["x"],index=["a"])',
    's.drop("a")',
    's.drop(["a","b"])',
    's.drop(index=["a"])',
    'g.drop(index="a")',
    'm.drop("a",level="k")',
    'm.drop(index="a")',
    'm.drop(index=("a",1))',
    'f.rename_axis("i")',
    'f.rename_axis(index="i")',
    'f.rename_axis(index={"q":"i"})',
    'm.rename_axis(["p","q"])',
    'm.rename_axis(index={"k":"p"})',
    's.rename_axis("i")',
    'f.rename_axis(None)',
    'f.set_axis(["p","q","r","s"])',
    'f.set_axis(["p","q"],axis=1)',
    'f.set_axis(["p","q"],axis="columns")',
    'f.set_axis(N(["p","q","r","s"],name="nn"),axis=0)',
    's.set_axis(["p","q","r","s"])',
    's.set_axis(range(4),axis=0)',
    'f.squeeze()',
    'f[["x"]].squeeze()',
    'f[["x"]].squeeze("columns")',
    'f.iloc[[0]][["x"]].squeeze()',
    'num.iloc[[0]].squeeze()',
    'num.iloc[[0]].squeeze("rows")',
    'num.iloc[[0]].squeeze(axis=1)',
    'num.iloc[[0]].squeeze(axis="index")',
    's.squeeze()',
    's.iloc[[0]].squeeze()',
    's.iloc[[0]].item()',
    'S([1,2,2,3,3]).mode()',
    'S(["a","b"]).mode()',
    'S([1.5,None,None]).mode()',
    'S([1,None,None]).mode(dropna=False)',
    'S([1,2,2],name="q").mode()',
    'S([],dtype="float64").mode()',
    'num.mode()',
    'num.idxmax(axis=1)',
    'num.idxmin(axis=1)',
    'num.idxmax()',
    'num.idxmin()',
    'num.idxmax(axis="columns")',
    'f[["x"]].idxmax(axis=1)',
    'num.fillna(0.0).idxmax(axis=1)',
    'num["x"].idxmax()',
    'L.get_dummies(S(["a","b","a",None]))',
    'L.get_dummies(S(["a","b","a"]),prefix="p")',
    'L.get_dummies(S(["a","b","a"]),prefix="p",prefix_sep=".")',
    'L.get_dummies(S(["a","b","a"]),drop_first=True)',
    'L.get_dummies(S(["a","b","a"]),dtype="int64")',
    'L.get_dummies(S(["a","b","a"]),dtype=float)',
    'L.get_dummies(S(["a","b","a"],name="nm"))',
    'L.get_dummies(["a","b"])',
    'L.get_dummies(f)',
    'L.get_dummies(f,prefix="q")',
    'L.get_dummies(f,prefix={"y":"q"})',
    'L.get_dummies(f,columns=["y"],dtype=int)',
    'L.get_dummies(f,columns=["x","y"])',
    'L.get_dummies(f,columns=["x","y"],prefix=["m","n"])',
    'L.get_dummies(f,columns=["x","y"],prefix=["m","n"],prefix_sep=["-","+"],drop_first=True)',
    'L.get_dummies(f,columns=["y"],dummy_na=True)',
    'L.get_dummies(S([1,2,1]))',
    'f.merge(f,on="x",suffixes=(None,"_c"))',
    'f.merge(f,on="x",suffixes=("","_r"))',
    'f.merge(f,on="x",suffixes=("_l",None))',
    'f.merge(f,left_on="x",right_on="x",suffixes=["_a","_b"])',
    'f.merge(F({"x":[1.0,2.0,2.5],"w":[1,2,3]}),on="x")',
    'f.merge(F({"x":[1.0,2.0,2.5],"w":[1,2,3]}),on="x",how="left")',
    'f.merge(F({"x":[1.0,2.0,2.5],"w":[1,2,3]}),on="x",how="right")',
    'f.merge(F({"q":[1.0,2.0,2.5],"w":[1,2,3]}),left_on="x",right_on="q")',
    'F({"x":[1.0,2.5],"w":[1,2]}).merge(f,on="x")',
    'f.merge(F({"x":np.array([1,2],dtype="int32"),"w":[1,2]}),on="x")',
    'S(["abc","b"]).str.replace("b", lambda q: q.group(0)*2, regex=True)',
    'S(["abc","b",None]).str.replace("[bc]", lambda q: q.group(0).upper(), regex=True)',
    'S(["abc","b",None]).str.replace("[bc]", lambda q: q.group(0).upper(), n=1, regex=True)',
    'f[["x"]].min()',
    'F({"x":[1,2],"y":[1.5,2.5]}).max()',
    'F({"a":["x","y"],"b":["z","w"]}).min()',
    'f.min(numeric_only=True)',
    'S(T).astype(str)',
    'S([dt(2024,1,1,5,6,7),None]).astype(str)',
    'S([dt(2024,1,1,5,6,7,123000),dt(2024,1,1)]).astype(str)',
    'S([dt(2024,1,1),dt(2024,1,2)]).astype(str)',
    'S([dt(2024,1,1,1),dt(2024,1,2)]).astype(str)',
    'F({"a":[dt(2024,1,1,1),dt(2024,1,2)]}).astype(str)',
    'S([1.5,2.0,None]).astype(str)',
    'S([True,False]).astype(str)',
    'S([1,2]).astype(str)',
    'S([1e20,1e-7,1.0]).astype(str)',
    'S([dt(2024,1,1,1)]).dt.strftime("%z")',
    'S([dt(2024,1,1,1)]).dt.strftime("%Z")',
    'S([dt(2024,1,1,1)]).dt.strftime("%Y %z|%Z|%%z")',
    'S([dt(2024,1,1,1)]).dt.tz_localize("UTC").dt.strftime("%H%z %Z")',
    'S([dt(2024,1,1,1), dt(2024,7,1,1)]).dt.tz_localize("Europe/Rome").dt.strftime("%Z%z %U %%Z")',
    'S([dt(2024,1,1,1), dt(2024,7,1,1)]).dt.tz_localize("Asia/Kolkata").dt.strftime("%Z")',
    'S([dt(2024,1,1,1), dt(2024,7,1,1)]).dt.tz_localize("America/Sao_Paulo").dt.strftime("%Z")',
    'N([dt(2024,1,1,1), dt(2024,7,1,1)]).tz_localize("Europe/Rome").strftime("%Z")',
    'S([dt(2024,1,1,1)]).dt.tz_localize("UTC").astype(str)',
    'N([1,2]).astype(str)',
    'ft.index.strftime("%Y%z")',
    'f.to_json(orient="records")',
    'f.to_json(orient="columns")',
    'f.to_json(orient="split")',
    'f.to_json(orient="index")',
    'f.to_json(orient="values")',
    'f.to_json(orient="records",lines=True)',
    's.to_json(orient="index")',
    's.to_json(orient="records")',
    's.to_json(orient="split")',
    'L.get_dummies(S(["a","b","a",None]),dummy_na=True)',
]

REFUSED = [
    ('f.assign(z=S([1, 2], index=["a", "a"]))', ValueError, "assign: row labels must be unique"),
    ('g.assign(z=S([1, 2, 3, 4], index=["d", "a", "b", "a"]))', ValueError, "assign: row labels"),
    ('f.assign(z=[1, 2])', ValueError, 'assign: column "z": expected 4 rows, found 2'),
    ('f.join(S([1, 2], index=["a", "q"]))', ValueError, "join: a series without a name"),
    ('f.isin(S([1, 2], index=["a", "a"]))', ValueError, "isin: the row labels"),
    ('num.where(num > 2, S([1.0], index=["a"]))', ValueError, "where: other is a series: give axis"),
    ('num.where([True, False], 0.0)', ValueError, "where: cond has 2 values for 3 rows"),
    ('g.reindex(["a"])', ValueError, "^reindex: row labels must be unique"),
    ('f.drop(index=["zz"])', KeyError, "drop: there is no row label zz"),
    ('f.set_index("q")', KeyError, "^.?set_index: "),
    ('f.set_axis(["p"], axis=0)', ValueError, "set_axis: expected 4 rows, found 1"),
    ('s.set_axis(["p"] * 4, axis=1)', ValueError, "set_axis: a series"),
    ('f.merge(f, on="x", suffixes=(None, None))', ValueError, "merge: duplicate column label"),
    ('f.merge(F({"x": ["1"]}), on="x")', (TypeError, ValueError), "merge: the key"),
    ('f.mean()', TypeError, "^mean: "),
    ('f.min(axis=1)', TypeError, "^min: .* do not go together"),
    ('S(["b"]).str.replace("b", lambda q: "x")', ValueError, "give regex=True"),
    ('L.get_dummies(f, columns=["q"])', KeyError, "get_dummies: there is no column 'q'"),
    ('L.get_dummies(f, columns=["x", "y"], prefix=["a"])', ValueError, "get_dummies: prefix has 1 values for 2"),
]


@pytest.mark.parametrize("call", BY_LABEL)
def test_by_label(device, call):
    both(call)


@pytest.mark.parametrize("call", SHAPES)
def test_shapes(device, call):
    both(call)


@pytest.mark.parametrize("call, kind, words", REFUSED)
def test_refused(call, kind, words):
    both_refuse(call, kind, words)


def test_columns_go_by_row_label_under_other_names(device):
    frame = cn.DataFrame({"x": [1, 2]}, index=["a", "b"])
    values = cn.Series([20, 10], index=["b", "a"])
    for made in (frame.with_columns(z=values), frame.insert(1, "z", values), frame.insert(loc=1, column="z", value=values)):
        assert made["z"].to_list() == [10, 20] and made.device == device
    assert frame.insert_column(1, values.rename("z"))["z"].to_list() == [20, 10]
    assert cn.DataFrame().assign(z=values).index.to_list() == ["b", "a"]


def test_what_no_series_has_is_refused():
    frame = cn.DataFrame({"x": [1, 2], "y": ["p", "q"]})
    for name in ("min", "max"):
        with pytest.raises(TypeError, match=f"{name}: column 'x' gives int64 and column 'y' utf8") as error:
            getattr(frame, name)()
        assert (error.value.operation, error.value.column) == (name, "y")
    assert frame.min(numeric_only=True).to_dict() == {"x": 1}
    with pytest.raises(TypeError, match="merge: key 'k' is int64 with values that no float has exactly"):
        cn.DataFrame({"k": [2**53 + 1]}).merge(cn.DataFrame({"k": [1.0]}), on="k")
    with pytest.raises(NotImplementedError, match="sparse=True"):
        frame.get_dummies(sparse=True)
    with pytest.raises(NotImplementedError, match="not for expressions"):
        cn.col("y").str.replace("p", len, regex=True)


def test_outer_merge_of_whole_numbers_and_floats():
    left, right = cn.DataFrame({"k": [1, 2]}), cn.DataFrame({"k": [2.0, 2.5], "w": ["a", "b"]})
    made = left.merge(right, on="k", how="outer")
    assert str(made["k"].dtype) == "float64" and sorted(made["k"].to_list()) == [1.0, 2.0, 2.5]
