"""`query` and `eval`: the same texts on both."""

import datetime
import re

from beside import same
import columnade as cn
import numpy as np
import pandas as pd
import pytest

DATA = {
    "a": [1, 2, 3, 4, 5, 6], "b": [1.5, 2.5, -1.0, 0.0, 5.0, 2.5], "s": ["Oslo", "Rome", "oslo", "Bern", "Rome", "x y"],
    "two words": [1, 0, 1, 0, 1, 0], "f": [True, False, True, True, False, False], "t-x": [3, 4, 5, 6, 7, 8],
    "d": [datetime.datetime(2024, 1, day) for day in range(1, 7)],
}
LABELS = {
    "numbers": (None, None),
    "one level": (lambda: cn.Index(list("pqrstu")).rename("lab"), lambda: pd.Index(list("pqrstu"), name="lab")),
    "no name": (lambda: cn.Index([9, 8, 7, 6, 5, 4]), lambda: pd.Index([9, 8, 7, 6, 5, 4])),
    "levels": tuple(
        (lambda of=of: of.from_tuples([(label, place % 2) for place, label in enumerate("ppqqrr")], names=["l", "n"]))
        for of in (cn.MultiIndex, pd.MultiIndex)
    ),
}
LIMIT, NAMES, LIMITS, WHEN = 3, ["Oslo", "Rome"], {"low": 2}, datetime.datetime(2024, 1, 3)


class Of:
    value = 4


OF = Of()


def both(labels="numbers"):
    ours, theirs = cn.DataFrame(DATA), pd.DataFrame(DATA)
    mine, other = LABELS[labels]
    return (ours, theirs) if mine is None else (ours.with_index(mine()), theirs.set_index(other()))


CONDITIONS = {"numbers": """
a > 2
a > 2 & b < 3
(a > 2) | (b < 0)
not a > 2
~f and a > 1
f == True
1 < a <= 4
1 < a < b
1 < a != 4 < 9
a in [1, 2]
a not in (1, 2)
a == [1, 3]
a != [1, 3]
[1, 3] == a
[1, 3] in a
s in @NAMES
s not in @NAMES
s == @NAMES
a in @NAMES
a in b
a not in b
s in s
a > @LIMIT
a > @LIMITS["low"]
a > @OF.value
@LIMIT < a
a + b > 4 and a ** 2 > 10
a % 2 == 0 or a // 2 == 1
-a < -3
`two words` == 1 and `t-x` > 3
`t-x` in [3, 5]
s.str.contains("o", case=False)
not s.str.startswith("R")
s.str.upper().str.startswith("O")
s.str.len() > 3
s.str[0] == "O"
s.str[0:2] == "Os"
s.str[-1] == "e"
a.isin([1, 2])
a.isin(@NAMES)
b.notna() and a.between(2, 4)
d > "2024-01-03"
d > @WHEN
d.dt.day > 3
d.dt.day_name() == "Monday"
a > a.mean()
a == a.max()
index > 2
index in [1, 2]
a > 1 and index < 4
abs(b) > 1
sqrt(a) > 1.5
log(a) + exp(b) > 2
arctan2(a, b) > 1
a.shift(1) > 2
a.cumsum() > 6
a.clip(2, 3) == 3
a.eq(2) | a.gt(4)
a >= 2 >= 1
s == 'Oslo' or s == "Rome"
""", "one level": """
lab > 'q'
lab == 'p' and a > 0
index == 'q'
lab in ['p', 'u']
lab.str.startswith('p')
""", "no name": """
index > 6
ilevel_0 > 6
index in [9, 4]
a + index == 10
index.isin([9])
""", "levels": """
l == 'p'
l == 'p' and n == 0
l in ['p', 'r'] and a > 1
a > n
"""}
CONDITIONS = [(labels, text) for labels, lines in CONDITIONS.items() for text in lines.strip().splitlines()]


@pytest.mark.parametrize("labels, text", CONDITIONS)
def test_query(labels, text):
    ours, theirs = both(labels)
    same(ours.query(text), theirs.query(text))


FORMULAS = [
    "a + b", "a * b - 2", "c = a + b", "c = a + b\nd2 = c * 2", "\nc = a + b\n\n d2 = c - a\n", "c = a > 2", "a = a * 2", "`two words` + 1",
    "new = `two words` * 2", "a > 2 and b < 3", "a > 2", "a.sum()", "a.mean() + 1", "a + a.mean()", "a + b.mean()", "sqrt(a)", "sqrt(a + b)",
    "exp(b) + log(a + 1)", "floor(b)", "a + @LIMIT", "@LIMIT + 1", "1 + 2", "s", "index + a", "c = index + a", "c = 1", "c = @LIMIT", "s + s",
    "-a", "~f", "not f", "f and f", "a.max()", "a == a.max()", "b.round()", "c = a.cumsum()", "d.dt.year", "c = d.dt.day\ne = c + 1", "s.str.upper()",
    "c = a.mean()", "c = a / a.sum()", "c = abs(b) + sqrt(a)", "a in [1, 2]", "1 < a < 4", "a < b", "s.str.len()", "s.str.count('o')",
]


@pytest.mark.parametrize("text", FORMULAS)
def test_eval(text):
    ours, theirs = both()
    same(ours.eval(text), theirs.eval(text))


def test_eval_with_levels():
    ours, theirs = both("levels")
    for text in ("c = a + n", "a + n", "c = l + 'x'"):
        if "x" not in text:
            same(ours.eval(text), theirs.eval(text))
    assert ours.eval("c = l + 'x'")["c"].to_list() == ["px", "px", "qx", "qx", "rx", "rx"]


def test_membership_knows_null():
    ours, theirs = cn.DataFrame({"a": ["x", None, "y"]}), pd.DataFrame({"a": ["x", None, "y"]})
    for text in ("a in ['x']", "a not in ['x']", "a not in []"):
        assert ours.query(text).index.to_list() == list(theirs.query(text).index), text


def test_variables_and_functions():
    ours, theirs = both()
    assert ours.query("a > @low", local_dict={"low": 4}).index.to_list() == list(theirs.query("a > @low", local_dict={"low": 4}).index)

    def over(values, limit):
        return values > limit

    assert ours.query("@over(a, 4)")["a"].to_list() == theirs.query("@over(a, 4)")["a"].tolist() == [5, 6]
    # A method that expressions do not have.
    assert ours.query("a.nlargest(6) > 5").columns == ours.columns


def test_numbers_of_numpy_are_compared():
    values = cn.Series([1.0, 2.0])
    assert (np.float64(1) < values).to_list() == [False, True] and (np.int64(2) == values).to_list() == [False, True]
    assert (np.int64(2) != cn.DataFrame({"a": [1, 2]})).to_dict() == {"a": [True, False]}


REFUSED = {
    "no column": ("zz > 1", KeyError, "query: there is no column 'zz'"), "no variable": ("a > @zz", ValueError, "there is no variable zz"),
    "no operator": ("a > ", ValueError, "it cannot be read"), "assignment": ("a = 3", ValueError, "one expression is given"),
    "no method": ("a.nothing() > 1", ValueError, "a column has no method nothing"), "is": ("a is 1", ValueError, "is and is not do not compare"),
    "no function": ("nothing(a) > 1", ValueError, '"nothing" is not a supported function'),
    "brackets": ("a[0] > 1", ValueError, "a[0] is not implemented"), "private": ("a.__class__ == 1", ValueError, "is a method"),
    "no parentheses": ("a.abs > 1", ValueError, "abs of a column is a method"), "no condition": ("1 + 1", ValueError, "has no column"),
    "one value": ("a in 3", ValueError, "values are a list, not int"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_errors_say_why(name):
    text, kind, reason = REFUSED[name]
    with pytest.raises(kind, match=re.escape(reason)) as found:
        both()[0].query(text)
    assert isinstance(found.value, cn.ColumnadeError)


def test_arguments_without_a_meaning_are_refused():
    frame = both()[0]
    for options in ({"inplace": True}, {"parser": "python"}, {"resolvers": [{}]}, {"engine": "other"}):
        with pytest.raises(NotImplementedError, match="query"):
            frame.query("a > 1", **options)
    with pytest.raises(ValueError, match="each of several lines is an assignment"):
        frame.eval("c = a\nc + 1")
