"""Arguments of pandas for strings: the same calls on both, of series and of expressions."""

import re
import unicodedata

import columnade as cn
import pandas as pd
import pytest
from columnade import col

from beside import same

WORDS = ["Tea", "", None, "Zürich ab", "a-b-A", "x.y", "x-1-y-22", "  pad\n", "ＡＢ", "++a"]
LABELS = [3, 3, 5, 7, 9, 9, 11, 12, 13, 14]

# Null stays null here, where pandas 3 says False.
OF_BOTH = {
    "contains": lambda s: s.contains("[ab]-", na=False),
    "contains a point": lambda s: s.contains("x.", na=True),
    "contains as it is": lambda s: s.contains("x.", regex=False, na=False),
    "contains in any case": lambda s: s.contains("TEA", case=False, na=False),
    "contains as it is in any case": lambda s: s.contains("A.", case=False, regex=False, na=False),
    "contains flags": lambda s: s.contains("^T|z.*B$", flags=re.IGNORECASE, na=False),
    "contains over lines": lambda s: s.contains("d.", flags=re.DOTALL, na=False),
    "contains by line": lambda s: s.contains("^$", flags=re.MULTILINE, na=False),
    "contains compiled": lambda s: s.contains(re.compile("A-?", re.I), na=False),
    "count": lambda s: s.count("[a-z]"),
    "count a text": lambda s: s.count("-"),
    "count flags": lambda s: s.count("a", flags=re.IGNORECASE),
    "count a point": lambda s: s.count("."),
    "match": lambda s: s.match("t|A", case=False, na=False),
    "match flags": lambda s: s.match("T.A", flags=re.I, na=True),
    "fullmatch": lambda s: s.fullmatch("t.a", case=False, na=False),
    "fullmatch flags": lambda s: s.fullmatch(".*", flags=re.S, na=False),
    "startswith": lambda s: s.startswith(("T", "x"), na=False),
    "startswith nothing": lambda s: s.startswith((), na=False),
    "endswith": lambda s: s.endswith("a", na=True),
    "endswith several": lambda s: s.endswith(("A", "y"), na=False),
    "replace": lambda s: s.replace("-", "+"),
    "replace the first": lambda s: s.replace("-", "$1", n=1),
    "replace a point": lambda s: s.replace(".", "!"),
    "replace in any case": lambda s: s.replace("A", "_", case=False),
    "replace by regex": lambda s: s.replace(r"(\w)-(\w)", r"\2$\1", regex=True),
    "replace by name": lambda s: s.replace("(?P<first>[a-z])-", r"<\g<first>>", regex=True, n=1),
    "replace by regex with flags": lambda s: s.replace("A|t", "", regex=True, flags=re.I),
    "replace compiled": lambda s: s.replace(re.compile("TEA", re.I), "coffee", regex=True),
    "strip": lambda s: s.strip(),
    "strip characters": lambda s: s.strip("xTy "),
    "lstrip characters": lambda s: s.lstrip(to_strip="a+"),
    "rstrip characters": lambda s: s.rstrip("Aab"),
    "pad": lambda s: s.pad(6, side="both", fillchar="*"),
    "pad of a negative width": lambda s: s.pad(-1),
    "center": lambda s: s.center(-3),
    "zfill": lambda s: s.zfill(5),
    "zfill of a negative width": lambda s: s.zfill(-5),
    "repeat": lambda s: s.repeat(repeats=2),
    "get": lambda s: s.get(1),
    "get from the end": lambda s: s.get(i=-1),
    "find": lambda s: s.find("-", 2),
    "find before": lambda s: s.find("-", start=1, end=3),
    "find from the end": lambda s: s.find("a", start=-2),
    "find to the end": lambda s: s.find("a", 0, -1),
    "rfind": lambda s: s.rfind("-", 0, 4),
    "rfind of sub": lambda s: s.rfind(sub="b", start=1),
    "slice by name": lambda s: s.slice(start=1, stop=3),
    "slice from the end": lambda s: s.slice(start=-3),
    "slice between ends": lambda s: s.slice(start=-3, stop=-1),
    "slice to the end": lambda s: s.slice(start=1, stop=-1),
    "slice back": lambda s: s.slice(step=-1),
    "slice back by two": lambda s: s.slice(start=3, stop=0, step=-2),
    "slice by two": lambda s: s.slice(start=0, stop=5, step=2),
    "brackets": lambda s: s[0],
    "brackets of a slice": lambda s: s[1:3],
    "brackets back": lambda s: s[::-1],
    "slice_replace": lambda s: s.slice_replace(start=1, stop=3, repl="<>"),
    "slice_replace from the end": lambda s: s.slice_replace(start=-2, repl="!"),
    "slice_replace between": lambda s: s.slice_replace(start=1, stop=-1, repl="!"),
    "slice_replace nothing": lambda s: s.slice_replace(start=3, stop=1, repl="!"),
    "isdigit": lambda s: s.isdigit(),
    "split": lambda s: s.split("-", n=1),
    "split at all": lambda s: s.split("-", n=0),
    "split by regex": lambda s: s.split("[-.]", regex=True),
    "split at several characters": lambda s: s.split("b?-", n=1),
    "split as it is": lambda s: s.split(".y", regex=False),
    "split compiled": lambda s: s.split(re.compile("-A", re.I), regex=True),
    "split at white space": lambda s: s.split(),
    "rsplit": lambda s: s.rsplit("-", n=1),
    "findall": lambda s: s.findall("A", flags=re.I),
    "findall of a group": lambda s: s.findall(r"-(\d)"),
}


def null_of(values):
    return [None if value is None or value is pd.NA or (isinstance(value, float) and value != value) else value for value in values]


@pytest.mark.parametrize("name", OF_BOTH)
def test_series_and_expressions(name):
    call = OF_BOTH[name]
    theirs = call(pd.Series(WORDS, index=LABELS, dtype=object if "findall" in name or "split" in name else "str").str)
    series = cn.Series(WORDS, name="w").with_index(cn.Index(LABELS))
    made = call(series.str)
    assert (made.name, made.index.to_list()) == ("w", LABELS)
    expected = null_of(theirs.tolist())
    if name in ("isdigit", "startswith nothing"):
        expected[2] = made.to_list()[2]
    assert made.to_list() == expected
    assert cn.DataFrame({"w": WORDS}).select(call(col("w").str).alias("made"))["made"].to_list() == expected
    assert len(call(cn.Series([], dtype="utf8").str)) == 0
    assert call(cn.Series([None], dtype="utf8").str).to_list()[0] in (None, False, True)


OF_SERIES = {
    "slice": lambda s: s.slice(1, 3),
    "slice with a step": lambda s: s.slice(0, 5, 2),
    "slice_replace": lambda s: s.slice_replace(1, 3, "<>"),
    "split expand": lambda s: s.split("-", expand=True),
    "split expand n": lambda s: s.split("-", n=1, expand=True),
    "rsplit expand": lambda s: s.rsplit("-", n=1, expand=True),
    "split expand at white space": lambda s: s.split(expand=True),
    "partition": lambda s: s.partition("-"),
    "partition at spaces": lambda s: s.partition(),
    "rpartition": lambda s: s.rpartition(sep="-"),
    "extract": lambda s: s.extract("([a-z])-"),
    "extract several": lambda s: s.extract(r"(x)?.?(\d)"),
    "extract names": lambda s: s.extract(r"(?P<letter>[a-z])-(?P<rest>.)"),
    "extract one and a name": lambda s: s.extract(r"([a-z])-(?P<rest>.)"),
    "extract flags": lambda s: s.extract("-(a)", flags=re.I),
    "extract a series": lambda s: s.extract(r"-(\d)", expand=False),
    "extract escaped": lambda s: s.extract(r"([(\]]|[a-z]\.)(?:\(|y)", expand=True),
    "extractall": lambda s: s.extractall(r"(?P<part>[a-z])-"),
    "extractall several": lambda s: s.extractall(r"([a-z])(\d)?"),
    "extractall of nothing": lambda s: s.extractall("(Q)"),
    "casefold": lambda s: s.casefold(),
    "normalize": lambda s: s.normalize("NFKC"),
    "wrap": lambda s: s.wrap(3),
    "join": lambda s: s.join("-$"),
}


@pytest.mark.parametrize("name", OF_SERIES)
def test_series(name):
    theirs = OF_SERIES[name](pd.Series(WORDS, index=LABELS).str)
    made = OF_SERIES[name](cn.Series(WORDS).with_index(cn.Index(LABELS)).str)
    assert type(made).__name__ == type(theirs).__name__
    same(made, theirs)
    assert list(made.index.names) == list(theirs.index.names)


def test_parts_of_no_rows_and_names():
    none = cn.Series([], dtype="utf8", name="w")
    assert none.str.split("-", expand=True).shape == (0, 0)
    assert cn.Series([None, None], dtype="utf8").str.split("-", expand=True)[0].to_list() == [None, None]
    assert none.str.extract("(?P<a>x)(y)").columns == ["a", 1]
    words = cn.Series(["a-b", None], name="w")
    assert words.str.partition("-").columns == [0, 1, 2]
    assert words.str.partition("-", expand=False).to_list() == [["a", "-", "b"], None]
    assert words.str.extract("(?P<a>.)-", expand=False).name == "a" and words.str.extract("(.)-", expand=False).name == "w"
    # The names of arguments that Polars and Rust have, and the number of a group.
    assert words.str.contains(part="a-").to_list() == words.str.contains("a-", literal=True).to_list() == [True, None]
    assert words.str.extract("(.)-(.)", 2).to_list() == words.str.extract(pattern="(.)-(.)", group=2).to_list() == ["b", None]
    assert words.str.slice(offset=1, length=1).to_list() == ["-", None]
    assert words.str.replace(old="-", new="+").to_list() == ["a+b", None] and words.str.split(separator="-b").to_list() == [["a", ""], None]
    frame = cn.DataFrame({"w": words})
    made = frame.select(
        col("w").str.slice(1, 1).alias("a"), col("w").str.extract("(.)-(.)", 2).alias("b"), col("w").str.slice_replace(0, 2, "x").alias("c"),
        col("w").str.extract("A-(.)", re.I).alias("d"), col("w").str.partition("-", expand=False).alias("e"),
    )
    assert made.to_dicts()[0] == {"a": "-", "b": "b", "c": "xb", "d": "b", "e": ["a", "-", "b"]}
    assert words.str.replace({"a": "b", "b": "c"}).to_list() == pd.Series(["a-b"]).str.replace({"a": "b", "b": "c"}).tolist() + [None]


def test_lists():
    lists = cn.Series([["a", "b"], [], None])
    theirs = pd.Series([["a", "b"], [], None])
    assert lists.str.join("-").to_list() == null_of(theirs.str.join("-"))
    assert lists.str[0].to_list() == lists.str.get(0).to_list() == null_of(theirs.str[0])
    assert lists.str[1:].to_list() == [["b"], [], None] and lists.str[0:1].to_list() == [["a"], [], None]
    assert lists.str.len().to_list() == [2, 0, None]
    with pytest.raises(TypeError):
        iter(lists.str)


@pytest.mark.parametrize("join", ["left", "right", "outer", "inner"])
def test_cat_by_labels(join):
    one, two, three = [["a", "b", "c"], [1, 2, 3]], [["x", None, "z"], [2, 3, 4]], [["p", "q", "r"], [4, 3, 2]]
    ours = [cn.Series(values).with_index(cn.Index(labels)) for values, labels in (one, two, three)]
    theirs = [pd.Series(values, index=labels) for values, labels in (one, two, three)]
    same(ours[0].str.cat(ours[1], sep="-", join=join), theirs[0].str.cat(theirs[1], sep="-", join=join))
    same(ours[0].str.cat(ours[1:], na_rep="?", join=join), theirs[0].str.cat(theirs[1:], na_rep="?", join=join))


def test_words_of_python():
    words = ["Straße", None, "ﬁne", "é"]
    ours = cn.Series(words)
    assert ours.str.casefold().to_list() == [None if word is None else word.casefold() for word in words]
    assert ours.str.normalize("NFD").to_list() == [None if word is None else unicodedata.normalize("NFD", word) for word in words]
    digits = ["12", "³", "Ⅷ", "½", "", "a1", "٣", None]
    assert cn.Series(digits).str.isdigit().to_list() == [None if word is None else word.isdigit() for word in digits]
    dummies = cn.Series(["a|b", "b", None]).with_index(cn.Index([4, 4, 4])).str.get_dummies(dtype="bool")
    same(dummies, pd.Series(["a|b", "b", None], index=[4, 4, 4]).str.get_dummies(dtype=bool))
    assert dummies["a"].dtype == "bool"
    for name in ("index", "rindex"):
        same(getattr(cn.Series(["a-b-", "--b"]).str, name)("-", 1, 3), getattr(pd.Series(["a-b-", "--b"]).str, name)("-", 1, 3))


@pytest.mark.parametrize("call, kind, text", [
    (lambda s: s.contains("a", flags=re.ASCII), ValueError, "str.contains: flags are re.IGNORECASE"),
    (lambda s: s.contains("a", flags=re.I, regex=False), ValueError, "str.contains: flags and compiled patterns are of regular expressions"),
    (lambda s: s.contains(1), TypeError, "str.contains: pat is a text or a compiled pattern of text, not int"),
    (lambda s: s.contains(), TypeError, "str.contains: give pat"),
    (lambda s: s.contains("a", part="b"), TypeError, "str.contains: pat and part are the same argument"),
    (lambda s: s.contains("a", na="x"), ValueError, "str.contains: na is True, False or None"),
    (lambda s: s.contains("a", case="x"), ValueError, "str.contains: case is True or False"),
    (lambda s: s.match(re.compile("a"), case=False), ValueError, "str.match: a compiled pattern has flags of its own"),
    (lambda s: s.startswith(["a"]), TypeError, "str.startswith: pat is a text or a tuple of texts, not list"),
    (lambda s: s.replace("a", lambda found: "b"), ValueError, "str.replace: repl is a function: give regex=True"),
    (lambda s: s.replace("a", "b", n=1.5), TypeError, "str.replace: n is an integer, not float"),
    (lambda s: s.replace({"a": "b"}, "c"), ValueError, "str.replace: repl is not given where pat is a dictionary"),
    (lambda s: s.replace("a", r"\q", regex=True), ValueError, "str.replace: repl has the escape"),
    (lambda s: s.replace(re.compile("a"), "b"), ValueError, "str.replace: a compiled pattern is given with regex=True"),
    (lambda s: s.split("a", separator="b"), TypeError, "str.split: pat and separator are the same argument"),
    (lambda s: s.split("a", expand=2), ValueError, "str.split: expand is True or False"),
    (lambda s: s.partition("a", expand=2), ValueError, "str.partition: expand is True or False"),
    (lambda s: s.findall("(a)(b)"), NotImplementedError, "str.findall: of several groups"),
    (lambda s: s.find(1), TypeError, "str.find: sub is a text, not int"),
    (lambda s: s.slice(step=0), ValueError, "str.slice: step is not 0"),
    (lambda s: s.slice(start=1, offset=1), TypeError, "str.slice: give"),
    (lambda s: s.slice_replace(start=1, length=1), TypeError, "str.slice_replace: give"),
    (lambda s: s.repeat(-1), ValueError, "str.repeat: repeats is at least 0, and not -1"),
    (lambda s: s.repeat([1]), NotImplementedError, "str.repeat: repeats for each row"),
    (lambda s: s.strip(1), TypeError, "str.strip: to_strip is a text, not int"),
])
def test_arguments_are_refused(call, kind, text):
    for strings in (cn.Series(["a"]).str, col("w").str):
        with pytest.raises(kind, match=re.escape(text)):
            call(strings)


@pytest.mark.parametrize("call, kind, text", [
    (lambda s: s.extract("a"), ValueError, "str.extract: the regular expression has no group"),
    (lambda s: s.extractall("a"), ValueError, "str.extractall: the regular expression has no group"),
    (lambda s: s.extract("(a)", expand=2), ValueError, "str.extract: expand is True or False"),
    (lambda s: s.cat(["b"], join="up"), ValueError, 'str.cat: join is "left"'),
    (lambda s: s.normalize("X"), ValueError, "str.normalize: form is"),
    (lambda s: s.wrap(3, color=1), TypeError, "str.wrap: "),
    (lambda s: s.get_dummies(dtype="utf8"), ValueError, "str.get_dummies: dtype is one of numbers or bool"),
    (lambda s: s.index("a", 1), ValueError, "str.index: 'a' is not in the string of row 0"),
])
def test_arguments_of_series_are_refused(call, kind, text):
    with pytest.raises(kind, match=re.escape(text)):
        call(cn.Series(["a"]).str)
    with pytest.raises(NotImplementedError, match="str.split: expand=True of an expression"):
        col("w").str.split("-", expand=True)


@pytest.mark.parametrize("values", [[""], [None, ""], []])
def test_get_dummies_without_parts_has_rows(values):
    labels = cn.Index(cn.Series(list("ab")[: len(values)], dtype="utf8"))
    made = cn.Series(values, dtype="utf8", index=labels).str.get_dummies("-")
    # Nothing between separators is no part, as in pandas for objects.
    assert made.columns == [] and made.index.equals(labels)
