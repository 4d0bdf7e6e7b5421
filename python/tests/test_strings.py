"""Parts of strings, categories of expressions, hashes of rows and options of tables."""

import re
from random import Random

import columnade as cn
import pytest
from both_forms import both_forms
from columnade import col

WORDS = ["tea-1", "", None, "ü--x", "rye"]


def each(function):
    return [None if word is None else function(word) for word in WORDS]


def test_parts_of_strings(device):
    words = cn.Series(WORDS)
    assert both_forms(words, lambda s: s.str.split_regex("-+")) == each(lambda word: re.split("-+", word))
    assert both_forms(words, lambda s: s.str.split_regex("-", 1)) == each(lambda word: re.split("-", word, maxsplit=1))
    table = {"t": "T", ord("e"): None, "-": ord("_")}
    assert both_forms(words, lambda s: s.str.translate(table)) == each(lambda word: word.translate(str.maketrans({"t": "T", "e": None, "-": "_"})))
    assert both_forms(words, lambda s: s.str.slice_replace(offset=1, length=2, repl="<>")) == each(lambda word: word[:1] + "<>" + word[3:])
    assert both_forms(words, lambda s: s.str.slice_replace()) == each(lambda word: "")
    parts = words.rename("w").str.split_columns("-", 2)
    assert parts.columns == ["w_0", "w_1"] and parts["w_1"].to_list() == ["1", None, None, "-x", None]
    first, rest = col("w").str.split_columns("-", 2)
    made = cn.DataFrame({"w": words}).select(first.alias("a"), rest.alias("b"))
    assert made["a"].to_list() == parts["w_0"].to_list() and made["b"].to_list() == parts["w_1"].to_list()
    parts = words.rename("w").str.rsplit_columns("-", 2)
    split = each(lambda word: [*word.rsplit("-", 1), None][:2])
    assert [parts["w_0"].to_list(), parts["w_1"].to_list()] == [[part and part[at] for part in split] for at in (0, 1)]
    rest, last = col("w").str.rsplit_columns("-", 2)
    made = cn.DataFrame({"w": words}).select(rest.alias("a"), last.alias("b"))
    assert made["a"].to_list() == parts["w_0"].to_list() and made["b"].to_list() == parts["w_1"].to_list()


def test_patterns_of_sql_have_escapes(device):
    texts = cn.Series(["50%", "50x", None, "A_b", "a!B"])
    assert both_forms(texts, lambda s: s.str.like("%!%", escape="!")) == [True, False, None, False, False]
    assert both_forms(texts, lambda s: s.str.like("A_b", None)) == [False, False, None, True, False]
    assert both_forms(texts, lambda s: s.str.ilike("a!_B", "!")) == [False, False, None, True, False]
    assert both_forms(texts, lambda s: s.str.ilike("a!!b", escape="!")) == [False, False, None, False, True]
    assert both_forms(texts, lambda s: s.str.not_like("50_")) == [False, False, None, True, True]
    assert both_forms(texts, lambda s: s.str.not_like("50!%", escape="!")) == [False, True, None, True, True]
    assert both_forms(texts, lambda s: s.str.ilike("a_b")) == [False, False, None, True, True]


LETTERS = "aAbB%_!\\éÉßsK.*[](){}^$|?+\n 日"
SIZES = [0, 1, 31, 32, 33, 64, 65, 130]


def word(random, letters=LETTERS, most=6):
    return "".join(random.choice(letters) for _ in range(random.randint(0, most)))


def words_of(random, rows, *letters):
    """Words with nulls, as a slice of longer ones."""
    words = [None if random.random() < 0.15 else word(random, *letters) for _ in range(rows + 3)]
    return cn.Series(words, dtype="utf8", name="w").slice(3, rows).reset_index(drop=True), words[3:]


def as_regex(pattern, escape):
    """A pattern of SQL as one of `re`."""
    parts, characters = [], iter(pattern)
    for character in characters:
        if character == escape:
            parts.append(re.escape(next(characters)))
        else:
            parts.append({"%": ".*", "_": "."}.get(character) or re.escape(character))
    return "".join(parts)


@pytest.mark.parametrize("rows", SIZES)
def test_random_patterns_of_sql(device, rows):
    random = Random(rows)
    for _ in range(12):
        series, words = words_of(random, rows)
        escape = random.choice([None, None, "!", "\\", "é", "日", "."])
        pattern = "%".join(word(random, LETTERS, 2) for _ in range(random.randint(1, 4)))
        pattern = "".join(escape + random.choice(["%", "_", escape]) if one == escape else one for one in pattern)
        for name, flags in (("like", re.DOTALL), ("ilike", re.DOTALL | re.IGNORECASE)):
            regex = re.compile(as_regex(pattern, escape), flags)
            expected = [None if text is None else regex.fullmatch(text) is not None for text in words]
            assert both_forms(series, lambda s: getattr(s.str, name)(pattern, escape)) == expected, (name, pattern, escape)


@pytest.mark.parametrize("rows", SIZES)
def test_random_columns_of_parts(device, rows):
    random = Random(rows)
    for name, split in (("split_columns", str.split), ("rsplit_columns", str.rsplit)):
        for separator in ("-", "--", "é", "a-", "日", "xyz"):
            series, words = words_of(random, rows, "a-é日--", 9)
            n = random.randint(1, 5)
            parts = [[] if text is None else split(text, separator, n - 1) for text in words]
            expected = [[row[at] if at < len(row) else None for row in parts] for at in range(n)]
            made = getattr(series.str, name)(separator, n)
            assert made.columns == [f"w_{at}" for at in range(n)] and [made[label].to_list() for label in made.columns] == expected
            columns = [part.alias(str(at)) for at, part in enumerate(getattr(col("w").str, name)(separator, n))]
            made = series.to_frame().select(*columns)
            assert [made[label].to_list() for label in made.columns] == expected


@pytest.mark.parametrize("call, kind, text", [
    (lambda s: s.translate({"ab": "c"}), TypeError, "str.translate: a table has characters"),
    (lambda s: s.translate({"a": 1.5}), TypeError, "str.translate: a table has characters"),
    (lambda s: s.slice_replace(offset=0, length=-1, repl="x"), ValueError, "slice_replace: length is at least 0, and not -1"),
    (lambda s: s.split_regex("("), ValueError, "split_regex"),
    (lambda s: s.like("a", escape="ab"), ValueError, "str.like: escape is one character"),
    (lambda s: s.like("!a", escape="!"), ValueError, "str.like: .*the escape is not before %, _ or itself"),
    (lambda s: s.not_like("a", escape="ab"), ValueError, "str.not_like: escape is one character"),
    (lambda s: s.ilike("a!", escape="!"), ValueError, "nothing follows the escape"),
])
def test_arguments_of_strings_are_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call(cn.Series(["a"]).str)


def test_categories_of_expressions(device):
    frame = cn.DataFrame({"w": ["b", None, "a", "b"]})
    encoded = frame["w"].cat.encode()
    for call in (
        lambda c: c.add_categories(["z"]), lambda c: c.remove_categories(["a"]), lambda c: c.rename_categories(["x", "y"]),
        lambda c: c.reorder_categories(["a", "b"]), lambda c: c.set_categories(["a", "q"]), lambda c: c.set_categories(cn.Series(["a", "q"])),
    ):
        expected = call(encoded.cat)
        made = frame.select(call(col("w").cat.encode().cat).alias("w"))["w"]
        assert made.to_list() == expected.to_list() and made.cat.categories().to_list() == expected.cat.categories().to_list()
    with pytest.raises(TypeError, match="reorder_categories: categories are a list or a series, not str"):
        col("w").cat.reorder_categories("z")
    with pytest.raises(ValueError, match="categor"):
        frame.select(col("w").cat.encode().cat.add_categories(["a"]))


def test_hashes_of_rows(device):
    frame = cn.DataFrame({"a": [1, 2, 1, None], "b": ["x", "y", "x", "x"]})
    hashes = frame.hash_rows().to_list()
    assert hashes[0] == hashes[2] and len(set(hashes)) == 3
    assert frame.select(cn.hash_rows("a", col("b")).alias("h"))["h"].to_list() == hashes
    assert frame.hash_rows(seed=7).to_list() != hashes and len(set(frame.hash_rows("murmur3", 3).to_list())) == 3
    with pytest.raises(ValueError, match='hash_rows: function is xxhash64 or murmur3, not "md5"'):
        frame.hash_rows("md5")
    with pytest.raises(ValueError, match="hash_rows: seed is at least 0, and not -1"):
        cn.hash_rows("a", seed=-1)
    with pytest.raises(ValueError, match="hash_rows: seed is a number of 32 bits"):
        frame.hash_rows("murmur3", 2**40)


def test_options_of_tables():
    frame = cn.DataFrame({"n": list(range(100)), "word": ["a" * 80] * 100})
    before = [cn.get_option(name) for name in ("max_rows", "display.min_rows", "max_columns", "max_colwidth")]
    assert before == [60, 10, 20, 50] and len(repr(frame).splitlines()) < 20
    with cn.option_context("display.max_rows", None, "max_colwidth", 5):
        assert len(repr(frame).splitlines()) > 100 and "a" * 6 not in repr(frame) and cn.get_option("max_rows") is None
        assert frame._repr_html_().count("<tr>") > 100
    assert [cn.get_option(name) for name in ("max_rows", "min_rows", "max_columns", "max_colwidth")] == before
    cn.set_option("display.max_rows", 4)
    cn.set_option("display.min_rows", 2)
    try:
        assert "…" in repr(frame) and cn.get_option("display.max_rows") == 4
    finally:
        cn.reset_option("max_rows")
        cn.reset_option("min_rows")
    assert cn.get_option("max_rows") == 60
    floats = cn.DataFrame({name: [2 / 3, 1.5] for name in "abcdefgh"})
    with cn.option_context("display.precision", 2, "display.width", 30):
        lines = repr(floats).splitlines()
        assert lines[0].split()[0] == "a" and "…" in lines[0] and max(map(len, lines[:-1])) <= 30 and "0.67" in lines[2]
        assert (cn.get_option("precision"), cn.get_option("width")) == (2, 30) and "<td>0.67</td>" in floats._repr_html_()
    with cn.option_context("precision", 0):
        assert repr(floats).splitlines()[2].split()[1] == "1" and cn.get_option("precision") == 0
    assert cn.get_option("precision") is None and cn.get_option("width") is None and str(2 / 3) in repr(floats)
    for call, kind, text in (
        (lambda: cn.set_option("display.encoding", 3), KeyError, "set_option: there is no option 'display.encoding'; there are display.max_rows"),
        (lambda: cn.set_option("precision", -1), ValueError, "precision is at least 0"), (lambda: cn.set_option("precision", 101), ValueError, "at most 100"),
        (lambda: cn.get_option("encoding"), KeyError, "get_option"), (lambda: cn.set_option("max_rows", 0), ValueError, "at least 1"),
        (lambda: cn.set_option("max_rows", "all"), TypeError, "a number or None, not 'all'"), (lambda: cn.set_option("max_rows", True), TypeError, "not True"),
    ):
        with pytest.raises(kind, match=text):
            call()


@pytest.mark.parametrize("table", [
    {"ß": "ss"}, {"ß": "ss", "s": "ß"}, {"a": "bc", "b": "ca", "c": "\ue000\ue001", "\ue000": "a"}, {"a": "", "b": None, "c": 100},
    {97: "bb", "b": "a", 99: "\ue001"}, {"a": "aa"}, {}, {"\ue000": "\ue000\ue000", "b": "\ue001"}, {"a": "x" * 100, "x": "a"},
])
def test_translate_with_texts_of_any_length(device, table):
    words = ["", "abcabc", None, "ßs\ue000b\ue001\ue002", "\ue000\ue001\ue000", "aßx", "d"]
    expected = [None if word is None else word.translate(str.maketrans(table)) for word in words]
    assert both_forms(cn.Series(words, name="w"), lambda s: s.str.translate(table)) == expected
    categories = cn.Series(words, dtype="category").str.translate(table)
    assert str(categories.dtype).startswith("dictionary<") and categories.to_list() == expected


@pytest.mark.parametrize("table", [{"ab": "c"}, {"a": 1.5}, {"a": 0xD800}, {"a": -1}, {1.5: "a"}, {True: "a"}, [("a", "b")], None])
def test_tables_of_other_values_are_refused(table):
    for strings in (cn.Series(["a"]).str, cn.col("a").str):
        with pytest.raises(TypeError, match="str.translate: (a table has characters|the table is a dictionary)"):
            strings.translate(table)
