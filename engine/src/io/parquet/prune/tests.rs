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
        "f" => range(Point::Float { value: -0.5, is_f32: true }, Point::Float { value: 2.5, is_f32: true }),
        "g" => range(Point::Float { value: -0.5, is_f32: false }, Point::Float { value: 0.1, is_f32: false }),
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
        assert_eq!(verdict(&col("s").str().starts_with(prefix)).0, possible, "{prefix:?}");
    }
    let hundredth = date("1970-04-11").expect("a date");
    assert_eq!(verdict(&col("day").eq(hundredth.clone())), (true, false));
    assert_eq!(verdict(&col("day").ne(hundredth)), (false, true));
    assert_eq!(verdict(&col("t").gt(Scalar::Timestamp(9, TimeUnit::Milli))), (false, true));
    assert_eq!(verdict(&col("t").gt(Scalar::Timestamp(9, TimeUnit::Second))), (false, true));
    assert_eq!(verdict(&col("t").gt(Scalar::Timestamp(8_999_999, TimeUnit::Nano))), (true, true));
    assert_eq!(verdict(&col("t").gt(Scalar::Timestamp(9_000_000, TimeUnit::Nano))), (false, true));
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
        col("n").gt("text"),
        col("elsewhere").gt(lit(1)),
        col("s").str().contains("z"),
        col("flag"),
    ] {
        assert_eq!(verdict(&expr), (true, true), "{expr}");
    }
}

#[test]
fn float_comparisons_prune_but_for_nan() {
    for (expr, expected) in [
        (col("f").gt(2.5), (false, true)),
        (col("f").ge(2.5), (true, true)),
        (col("f").lt(-0.5), (false, true)),
        (col("f").gt(3), (false, true)),
        (col("f").eq(lit_decimal("2.6").expect("a decimal")), (false, true)),
        (col("f").lt(1e300), (true, true)),
        (col("f").gt(1e300), (false, true)),
        (col("f").gt(f64::INFINITY), (false, true)),
        // NaN may be among the rows: it differs from every number, and is not less.
        (col("f").ne(5.0), (true, false)),
        (!col("f").lt(5.0), (true, true)),
        (col("f").eq(f64::NAN), (true, true)),
        (col("g").gt(0.1), (false, true)),
        (col("g").ge(0.1), (true, true)),
        (col("g").gt(Scalar::Float32(0.1)), (false, true)),
        (col("g").gt(i64::MAX), (true, true)),
        (col("n").gt(20.5), (false, true)),
        (col("n").gt(19.5), (true, true)),
        (col("n").eq(1e9), (false, true)),
        (col("n").lt(9.999), (false, true)),
        (col("n").gt(1e30), (true, true)),
        (col("d").gt(2.0), (false, true)),
        (col("d").lt(1.5), (false, true)),
        (col("d").lt(1.51), (true, true)),
    ] {
        assert_eq!(verdict(&expr), expected, "{expr}");
    }
}

#[test]
fn text_literals_prune_as_typed_ones() {
    // The day 100 is 1970-04-11; 5 to 9 ms after midnight of 1970-01-01.
    for (expr, expected) in [
        (col("day").eq("1970-04-11"), (true, false)),
        (col("day").gt("1970-04-11"), (false, true)),
        (col("day").lt("1970-04-12"), (true, false)),
        (lit("1970-04-11").lt(col("day")), (false, true)),
        (col("t").gt("1970-01-01 00:00:00.009"), (false, true)),
        (col("t").ge("1970-01-01 00:00:00.009"), (true, true)),
        (col("t").lt("1970-01-01"), (false, true)),
        (col("t").gt(date("1970-01-02").expect("a date")), (false, true)),
        (col("t").lt("no time"), (true, true)),
        (col("day").lt("no date"), (true, true)),
    ] {
        assert_eq!(verdict(&expr), expected, "{expr}");
    }
}
