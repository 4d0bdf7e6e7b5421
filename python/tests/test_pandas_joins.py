"""Joins by row labels: the same calls on both, with rows, labels and their names compared."""

import re

from beside import same
import columnade as cn
import pandas as pd
import pytest

HOW = ["left", "right", "inner", "outer"]


def frames(columns, labels, name="l"):
    ours = cn.DataFrame(columns).with_index(cn.Index(labels).rename(name))
    return ours, pd.DataFrame(columns).set_index(pd.Index(labels, name=name))


@pytest.mark.parametrize("sort", [False, True])
@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("labels", [("ppqr", "ppq"), ("qqpp", "qqpp"), ("ppp", "ppp"), ("qpqp", "qpqp"), ("pqrs", "pqrs"), ("pqrs", "qsx")])
@pytest.mark.parametrize("names", [("l", "l"), ("l", "m"), ("l", None), (None, "m")])
def test_rows_of_one_label(labels, names, how, sort):
    one = frames({"a": list(range(len(labels[0])))}, list(labels[0]), names[0])
    other = frames({"b": list(range(len(labels[1])))}, list(labels[1]), names[1])
    same(one[0].join(other[0], how=how, sort=sort), one[1].join(other[1], how=how, sort=sort))


@pytest.mark.parametrize("how", [*HOW, "cross"])
def test_suffixes_of_both(how):
    one, other = frames({"a": [1, 2, 3], "b": [4, 5, 6]}, list("ppq")), frames({"a": [7, 8, 9]}, list("ppq"))
    for options in ({"rsuffix": "_r"}, {"lsuffix": "_l"}, {"lsuffix": "_l", "rsuffix": "_r"}):
        same(one[0].join(other[0], how=how, **options), one[1].join(other[1], how=how, **options))


@pytest.mark.parametrize("how", HOW)
def test_several_frames(how):
    unique = [frames({"a": [1, 2, 3]}, list("pqr")), frames({"b": [1, 2]}, list("qp")), frames({"c": [1, 2]}, list("rx"))]
    repeated = [frames({"a": [1, 2, 3]}, list("ppq")), frames({"b": [1, 2]}, list("pp")), frames({"c": [1, 2]}, list("qp"))]
    for (one, *others) in (unique, repeated):
        same(one[0].join([ours for ours, _ in others], how=how), one[1].join([theirs for _, theirs in others], how=how), whole=True)


@pytest.mark.parametrize("how", HOW)
def test_labels_of_several_levels(how):
    labels = [("p", 1), ("p", 1), ("q", 2)]
    columns, others = {"a": [1, 2, 3]}, {"b": [4, 5, 6]}
    theirs = [pd.DataFrame(of, index=pd.MultiIndex.from_tuples(labels, names=["l", "n"])) for of in (columns, others)]
    ours = [cn.DataFrame(of).with_index(cn.MultiIndex.from_tuples(labels, names=["l", "n"])) for of in (columns, others)]
    same(ours[0].join(ours[1], how=how), theirs[0].join(theirs[1], how=how))


def test_levels_are_keys():
    labels = [("p", 1), ("q", 1), ("z", 2)]
    theirs = pd.DataFrame({"a": [1, 2, 3]}, index=pd.MultiIndex.from_tuples(labels, names=["l", "n"]))
    ours = cn.DataFrame({"a": [1, 2, 3]}).with_index(cn.MultiIndex.from_tuples(labels, names=["l", "n"]))
    other, others = frames({"b": [7, 8]}, list("qp"))
    same(ours.join(other, on="l"), theirs.join(others, on="l"))
    same(ours.sort_values(by="l", ascending=False), theirs.sort_values(by="l", ascending=False))
    same(ours.merge(other, on="l"), theirs.merge(others, on="l"))
    with pytest.raises(NotImplementedError, match="join: how='outer' on levels"):
        ours.join(other, on="l", how="outer")
    for frame in (ours, theirs):
        with pytest.raises(KeyError, match="l"):
            frame.drop_duplicates("l")


ONE, TWO = frames({"a": [1, 2, 3]}, list("ppq"))[0], frames({"a": [4, 5, 6]}, list("ppq"))[0]
REFUSED = {
    "a label of both": (lambda: ONE.join(TWO), ValueError, "join: column 'a' is in both frames"),
    "how": (lambda: ONE.join(TWO, how="full"), ValueError, "join: how='full' is of columns: give on"),
    "labels that repeat": (lambda: ONE.join(TWO, rsuffix="_", validate="1:1"), ValueError, "the row labels of the left frame are not unique: p occurs more than once"),
    "labels of several": (lambda: ONE.join([TWO]), ValueError, "join: column 'a' is in several frames"),
    "on of several": (lambda: ONE.join([TWO], on="a"), ValueError, "join: on goes with one frame"),
    "suffixes of several": (lambda: ONE.join([TWO], rsuffix="_"), ValueError, "join: suffixes go with one frame"),
    "no frame": (lambda: ONE.join(3), TypeError, "join: a frame, a series or a list of them is joined, not int"),
    "no name": (lambda: ONE.join(cn.Series([1])), ValueError, "join: a series without a name"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_say_why(name):
    call, kind, text = REFUSED[name]
    with pytest.raises(kind, match=re.escape(text)) as found:
        call()
    assert isinstance(found.value, cn.ColumnadeError)


LEFT_ROWS = {"a": [1, 2, 2, 5], "b": [1, 1, 2, 2], "v": [10.0, 20.0, 30.0, 40.0]}
RIGHT_ROWS = {"a": [7, 8, 9], "w": [1.0, 2.0, 3.0]}
BY_LABELS = {
    "column and labels": lambda f, g, how: f.merge(g, how, left_on="a", right_index=True),
    "labels and column": lambda f, g, how: g.merge(f, how, right_on="a", left_index=True),
    "suffixes": lambda f, g, how: f.merge(g, how, left_on="a", right_index=True, suffixes=("_l", "_r")),
    "suffixes of labels and column": lambda f, g, how: g.merge(f, how, right_on="a", left_index=True, suffixes=("_l", "_r")),
    "no suffix": lambda f, g, how: f.merge(g, how, left_on="a", right_index=True, suffixes=("", "_r")),
    "no suffix of labels and column": lambda f, g, how: g.merge(f, how, right_on="a", left_index=True, suffixes=("", "_r")),
    "order": lambda f, g, how: f.merge(g, how, left_on="a", right_index=True, sort=True),
    "order of labels and column": lambda f, g, how: g.merge(f, how, right_on="a", left_index=True, sort=True),
    "names": lambda f, g, how: f.rename_axis(index="p").merge(g.rename_axis(index="a"), how, left_on="a", right_index=True),
    "other labels of both": lambda f, g, how: f.rename(columns={"v": "w"}).merge(g, how, left_on="a", right_index=True),
    "indicator": lambda f, g, how: f.merge(g, how, left_on="a", right_index=True, indicator=True).astype({"_merge": str}),
    "one frame": lambda f, g, how: f.merge(g[["w"]], how, left_on="a", right_index=True),
    "one frame, labels and column": lambda f, g, how: g[["w"]].merge(f, how, right_on="a", left_index=True),
}


def cells(frame, how):
    """Labels of columns, and the rows with their labels: of an outer join in any order, as nulls and whole numbers."""
    def plain(value):
        return None if value != value else int(value) if isinstance(value, float) and value == int(value) else value

    labels = frame.index.tolist()
    rows = [(*map(plain, row), plain(label)) for row, label in zip(frame.to_numpy().tolist(), labels)]
    return list(frame.columns), list(frame.index.names), sorted(rows, key=repr) if how == "outer" else rows


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
@pytest.mark.parametrize("name", BY_LABELS)
def test_column_of_both_frames_with_row_labels(name, how):
    theirs = pd.DataFrame(LEFT_ROWS, index=[100, 101, 102, 103]), pd.DataFrame(RIGHT_ROWS, index=[2, 1, 6])
    mine = [cn.from_pandas(frame) for frame in theirs]
    assert cells(BY_LABELS[name](*mine, how), how) == cells(BY_LABELS[name](*theirs, how), how)


@pytest.mark.parametrize("how", ["inner", "left", "right", "outer"])
def test_columns_of_both_frames_with_row_labels_of_several_levels(how):
    rows = pd.MultiIndex.from_tuples([(2, 1), (1, 1), (6, 6)], names=["m", "n"])
    left, right = pd.DataFrame(LEFT_ROWS), pd.DataFrame(RIGHT_ROWS, index=rows)
    for call in (
        lambda f, g: f.merge(g, how, left_on=["a", "b"], right_index=True).reset_index(drop=True),
        lambda f, g: g.merge(f, how, left_index=True, right_on=["a", "b"]).reset_index(drop=True),
    ):
        made, expected = call(cn.from_pandas(left), cn.from_pandas(right)), call(left, right)
        # Rows of an outer join are in another order, and so have other labels.
        made, expected = (one.sort_values(["a", "b", "v"]).reset_index(drop=True) for one in (made, expected))
        assert cells(made, "inner") == cells(expected, "inner")


def test_errors_of_row_labels_as_keys_name_them():
    left, right = cn.DataFrame({"a": ["x"]}), cn.DataFrame({"w": [1]}, index=[5])
    with pytest.raises(TypeError, match='merge: the key "a" of the left frame is utf8, the key "row labels" of the right frame is int64'):
        left.merge(right, left_on="a", right_index=True)
    with pytest.raises(KeyError, match="merge: there is no column 'z'; there is \\['a'\\]") as error:
        left.merge(right, left_on="z", right_index=True)
    assert error.value.column == "z"
