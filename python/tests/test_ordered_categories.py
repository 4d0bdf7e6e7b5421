"""Bounds of ordered categories, which are compared by their order."""

import itertools

import columnade as cn
from columnade import col
import pytest

CATEGORIES = ["lo", "mid", "hi"]
VALUES = ["hi", "lo", None, "mid", "lo"]


def categories(values=VALUES, name="c"):
    return cn.Series(values, name=name).astype("category").cat.set_categories(CATEGORIES).cat.as_ordered()


@pytest.mark.parametrize("lower, upper", [
    (lower, upper) for lower, upper in itertools.product([None, *CATEGORIES], repeat=2) if None in (lower, upper) or CATEGORIES.index(lower) <= CATEGORIES.index(upper)
])
def test_clip_goes_by_the_order_of_categories(device, lower, upper):
    own, places = categories(), {category: place for place, category in enumerate(CATEGORIES)}
    low, high = places.get(lower, 0), places.get(upper, 2)
    expected = [None if value is None else CATEGORIES[min(max(places[value], low), high)] for value in VALUES]
    made = own.clip(lower, upper)
    assert made.to_list() == expected and made.dtype == own.dtype
    assert made.name == "c" and made.index.equals(own.index)
    frame = own.to_frame().with_columns(d=categories(VALUES[::-1]))
    made = frame.clip(lower, upper)
    assert made.to_dict("list") == {"c": expected, "d": expected[::-1]}
    assert frame.select(col("c").clip(lower, upper))["c"].to_list() == expected
    if None not in (lower, upper):
        assert frame.select(col("c").clip(lower_bound=lower, upper_bound=upper))["c"].to_list() == expected


def test_clip_of_texts_goes_by_these(device):
    texts = ["c", "a", None, "q", "é"]
    made = cn.Series(texts).clip("b", "d").to_list()
    assert made == [None if text is None else min(max(text, "b"), "d") for text in texts]
    assert cn.DataFrame({"s": texts}).select(col("s").clip("b", "d"))["s"].to_list() == made


def test_bounds_that_are_no_categories_are_an_error(device):
    for call in (lambda: categories().clip("none"), lambda: categories().clip("lo", "none"), lambda: categories().to_frame().clip("none", "hi")):
        with pytest.raises(cn.ColumnValueError, match='^clip: "none" is no category$') as error:
            call()
        assert (error.value.operation, error.value.column, error.value.dtype) == ("clip", "c", "dictionary<int32, utf8, ordered>")


def test_category_of_another_frame_is_compared_by_the_order(device):
    frame, other = categories().to_frame(), categories(["lo", "mid"]).to_frame()
    highest = cn.lit(other.agg(col("c").max()))
    places = [None if value is None else CATEGORIES.index(value) for value in VALUES]
    for made, expected in [
        (col("c") >= highest, lambda place: place >= 1),
        (highest > col("c"), lambda place: place < 1),
        (col("c") == highest, lambda place: place == 1),
        (col("c") < cn.lit(other["c"].head(1)), lambda place: False),
        (col("c") <= cn.lit(cn.Series(["mid"])), lambda place: place <= 1),
    ]:
        assert frame.select(x=made)["x"].to_list() == [None if place is None else expected(place) for place in places]
    assert frame.filter(col("c") >= highest)["c"].to_list() == ["hi", "mid"]
    kept = frame.select(x=highest)["x"]
    assert kept.dtype == frame["c"].dtype and kept.to_list() == ["mid"] * len(VALUES)
    assert frame.select(x=col("c").fill_null(highest))["x"].to_list() == [value or "mid" for value in VALUES]


def test_category_of_another_order_is_no_bound(device):
    frame = categories().to_frame()
    other = categories(["lo"]).cat.set_categories(CATEGORIES[::-1])
    with pytest.raises(ValueError, match="only if their categories are the same"):
        frame.filter(col("c") >= cn.lit(other))
