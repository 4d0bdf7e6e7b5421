"""Slices of strings with positions from either end, of series and expressions, beside those of Python and pandas."""

import itertools

import columnade as cn
import pandas as pd
import pytest
from columnade import col

from both_forms import both_forms

# With the characters that mark positions within.
WORDS = ["abcde", "", "a", "ab|.", "..||.", "éaüß.", "|", "....", None, "abcabcab|..", "x\ny.\n."]
PLACES = [None, -(10**30), -12, -3, -1, 0, 1, 4, 10**30]


def each(function):
    return [None if word is None else function(word) for word in WORDS]


def test_slices_with_positions_from_both_ends(device):
    words = cn.Series(WORDS, name="w")
    for start, stop in itertools.product(PLACES, PLACES):
        expected = each(lambda word: word[start:stop])
        assert both_forms(words, lambda s: s.str.slice(start=start, stop=stop)) == expected, (start, stop)
        assert both_forms(words, lambda s: s.str[start:stop:-1]) == each(lambda word: word[start:stop:-1]), (start, stop)


def test_find_between_positions_from_both_ends(device):
    words = cn.Series(WORDS, name="w")
    for start, end in itertools.product([-(10**30), -3, -1, 0, 2, 6], [None, -12, -2, 0, 2, 5]):
        for sub, find in itertools.product(["", "a", "|", ".", "bc"], ["find", "rfind"]):
            expected = each(lambda word: getattr(word, find)(sub, start, end))
            assert both_forms(words, lambda s: getattr(s.str, find)(sub, start, end)) == expected, (find, sub, start, end)


def test_slice_replace_with_positions_from_both_ends(device):
    words, theirs = cn.Series(WORDS, name="w"), pd.Series(WORDS, dtype=object)
    for start, stop in itertools.product([None, -12, -3, 0, 2, 9], [None, -4, -1, 0, 4]):
        expected = theirs.str.slice_replace(start, stop, "X").tolist()
        assert both_forms(words, lambda s: s.str.slice_replace(start=start, stop=stop, repl="X")) == expected, (start, stop)


@pytest.mark.parametrize("step", [2, -3])
def test_steps_of_slices_of_series(device, step):
    words = cn.Series(WORDS, name="w").with_index(cn.Index(list(range(5, 16))))
    for start, stop in [(None, None), (1, -1), (-5, 4), (9, None), (-1, -4)]:
        made = words.str[start:stop:step]
        assert (made.to_list(), made.name, made.index.to_list()) == (each(lambda word: word[start:stop:step]), "w", list(range(5, 16)))
    assert cn.Series([], dtype="utf8").str.slice(None, None, step).to_list() == []
    assert cn.Series([None], dtype="utf8").str.slice(None, None, step).to_list() == [None]
    categories = cn.Series(["abc", "ab", "abc"], dtype="category").str[::2]
    assert (str(categories.dtype), categories.to_list()) == ("dictionary<int32, utf8>", ["ac", "a", "ac"])


@pytest.mark.parametrize("step", [2, 3, -2, -7])
def test_steps_of_slices_from_the_end(step):
    words = cn.Series(WORDS, name="w")
    for start, stop in itertools.product(PLACES, PLACES):
        assert both_forms(words, lambda s: s.str[start:stop:step]) == each(lambda word: word[start:stop:step]), (start, stop)


def test_a_slice_from_far_before_the_end_is_one_pass(device):
    text = "abc" * 1000
    words = cn.Series([text, "abcde", None], name="w")
    assert both_forms(words, lambda s: s.str.slice(start=-(10**7), stop=3)) == ["abc", "abc", None]
    assert both_forms(words, lambda s: s.str.slice(start=-2999, stop=2998)) == [text[-2999:2998], "abcde", None]
    plan = str(col("w").str[-(10**7) : 3])
    assert len(plan) < 300


def test_slices_of_categories_are_categories(device):
    words = cn.Series(["abc", "ab", "abc", None], dtype="category")
    for made in (words.str.slice(-2, 2), words.str.slice(0, 2), words.str.slice(-2)):
        assert str(made.dtype).startswith("dictionary<")
    assert words.str.slice(-2, 2).to_list() == ["b", "ab", "b", None]
