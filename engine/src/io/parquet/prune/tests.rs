//! Verdicts of predicates from statistics, against every row of the chunk.

use columnade_columns::{Label, Scalar, TimeUnit};
use columnade_ops::expression::{Expr, Literal, col, date, lit, lit_decimal};

use super::range::{ChunkRange, Point};
use super::{Outcomes, outcomes};

fn number(value: i128, scale: i8) -> Point {
    Point::Number { value, scale }
}

/// `n`: 10 to 20; `d`: 1.50 to 2.00; `s`: "b" to "d"; `none`: only nulls; `day`: one day; all but `none` without nulls.
fn ranges(label: &Label) -> Option<ChunkRange> {
    let range = |min, max| Some(ChunkRange::of(Some(min), Some(max), Some(0), 100));
    match label.as_text()? {
        "n" => range(number(10, 0), number(20, 0)),
        "d" => range(number(150, 2), number(200, 2)),
        "s" => range(Point::String(b"b".to_vec()), Point::String(b"d".to_vec())),
        "day" => range(Point::Date(100), Point::Date(100)),
        "t" => range(Point::Timestamp(5, TimeUnit::Milli), Point::Timestamp(9, TimeUnit::Milli)),
        "none" => Some(ChunkRange::of(None, None, Some(100), 100)),
        "unknown" => Some(ChunkRange::of(None, None, None, 100)),
        _ => None,
    }
}

fn verdict(expr: &Expr) -> (bool, bool) {
    let Outcomes { can_be_true, can_be_false } = outcomes(expr, &ranges);
    (can_be_true, can_be_false)
}

#[test]
fn integer_comparisons_prune_by_statistics() {
    let (min, max) = (10, 20);
    for value in 8..=22_i64 {
        let n = || col("n");
        let literal = || lit(value);
        assert_eq!(verdict(&n().lt(literal())), (min < value, max >= value), "n < {value}");
        assert_eq!(verdict(&n().le(literal())), (min <= value, max > value), "n <= {value}");
        assert_eq!(verdict(&n().gt(literal())), (max > value, min <= value), "n > {value}");
        assert_eq!(verdict(&n().ge(literal())), (max >= value, min < value), "n >= {value}");
        let inside = min <= value && value <= max;
        assert_eq!(verdict(&n().eq(literal())), (inside, true), "n == {value}");
        assert_eq!(verdict(&n().ne(literal())), (true, inside), "n != {value}");
        assert_eq!(verdict(&literal().gt(n())), verdict(&n().lt(literal())), "{value} > n");
        assert_eq!(verdict(&!n().lt(literal())), verdict(&n().ge(literal())), "not n < {value}");
    }
}

#[test]
fn decimal_comparisons_prune_across_scales() {
    let decimal = |text| lit_decimal(text).expect("a decimal");
    assert_eq!(verdict(&col("d").gt(decimal("2.0"))), (false, true));
    assert_eq!(verdict(&col("d").ge(decimal("2.000"))), (true, true));
    assert_eq!(verdict(&col("d").lt(lit(2))), (true, true));
    assert_eq!(verdict(&col("d").lt(lit(1))), (false, true));
    assert_eq!(verdict(&col("n").eq(decimal("20.5"))), (false, true));
    let huge = Literal::Decimal { value: i128::MAX, scale: 0 };
    assert_eq!(verdict(&col("d").lt(huge)), (true, true), "too large to compare");
}

#[test]
fn string_date_and_timestamp_comparisons_prune() {
    assert_eq!(verdict(&col("s").eq("a")), (false, true));
    assert_eq!(verdict(&col("s").eq("c")), (true, true));
    assert_eq!(verdict(&col("s").gt("d")), (false, true));
    for (prefix, possible) in [
        ("", true),
        ("a", false),
        ("b", true),
        ("bz", true),
        ("cc", true),
        ("d", true),
        ("da", false),
        ("e", false),
    ] {
        assert_eq!(verdict(&col("s").starts_with(prefix)).0, possible, "{prefix:?}");
    }
    let hundredth = date("1970-04-11").expect("a date");
    assert_eq!(verdict(&col("day").eq(hundredth.clone())), (true, false));
    assert_eq!(verdict(&col("day").ne(hundredth)), (false, true));
    assert_eq!(verdict(&col("t").gt(Scalar::Timestamp(9, TimeUnit::Milli))), (false, true));
    assert_eq!(verdict(&col("t").gt(Scalar::Timestamp(9, TimeUnit::Second))), (true, true), "another unit");
}

#[test]
fn null_tests_prune_by_null_count() {
    assert_eq!(verdict(&col("none").eq(lit(1))), (false, false));
    assert_eq!(verdict(&!col("none").eq(lit(1))), (false, false));
    assert_eq!(verdict(&col("none").is_null()), (true, false));
    assert_eq!(verdict(&col("n").is_null()), (false, true));
    assert_eq!(verdict(&col("n").is_not_null()), (true, false));
    assert_eq!(verdict(&col("unknown").is_null()), (true, true));
    assert_eq!(verdict(&col("n").eq(Literal::Null)), (false, false));
}

#[test]
fn logical_connectives_prune_by_three_valued_logic() {
    let (never, maybe) = (col("n").gt(lit(20)), col("n").gt(lit(15)));
    assert_eq!(verdict(&never.clone().and(maybe.clone())), (false, true));
    assert_eq!(verdict(&never.clone().or(maybe.clone())), (true, true));
    assert_eq!(verdict(&never.clone().or(never.clone())), (false, true));
    assert_eq!(verdict(&!(!never.clone()).and(lit(true))), (false, true));
    assert_eq!(verdict(&never.alias("x")), (false, true));
}

#[test]
fn unsupported_predicates_may_match() {
    for expr in [
        (col("n") + lit(1)).gt(lit(100)),
        col("n").gt(col("d")),
        col("n").gt(lit(1e9)),
        col("n").gt("text"),
        col("elsewhere").gt(lit(1)),
        col("s").contains("z"),
        col("flag"),
    ] {
        assert_eq!(verdict(&expr), (true, true), "{expr}");
    }
}
