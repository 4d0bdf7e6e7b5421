//! Rounding and comparison of answers.

use columnade::{DataFrame, Scalar};

use super::{against_host, against_official, matches_string, round};

#[test]
fn decimals_round_half_away_from_zero() {
    for (value, scale, places, expected) in [
        (5_590_906_522_282_769_i128, 5, 2, "55909065222.83"),
        (125, 2, 1, "1.3"),
        (-125, 2, 1, "-1.3"),
        (124, 2, 1, "1.2"),
        (5, 1, 0, "1"),
        (-4, 1, 0, "0"),
        (7, 0, 2, "7.00"),
        (3, 2, 2, "0.03"),
        (12, -2, 1, "1200.0"),
    ] {
        assert_eq!(round(value, scale, places).as_deref(), Some(expected), "{value} e-{scale}");
    }
    assert_eq!(round(i128::MAX, 0, 2), None);
}

#[test]
fn values_match_official_answers() {
    let decimal = Scalar::Decimal { value: 1_234_565, precision: 15, scale: 4 };
    for (value, text, expected) in [
        (decimal.clone(), "123.46", true),
        (decimal, "123.45", false),
        (Scalar::Float64(25.522_005), "25.52", true),
        (Scalar::Int64(-7), "-7", true),
        (Scalar::Int64(7), "8", false),
        (Scalar::from("R"), "R", true),
        (Scalar::Date32(0), "1970-01-01", true),
    ] {
        assert_eq!(matches_string(&value, text), expected, "{value} and {text}");
    }
}

#[test]
fn differing_values_are_reported() {
    let frame = |value: i64| DataFrame::new([("revenue", vec![value])]).expect("one column");
    let differences = against_official(6, &frame(1)).expect("there is an answer");
    assert_eq!(differences, ["row 0, revenue: expected 123141078.23, found 1"]);
    let renamed = frame(1).rename([("revenue", "r")]).expect("a label");
    assert_eq!(against_official(6, &renamed).expect("there is an answer").len(), 1);
    let none = frame(1).head(0).expect("no rows");
    assert_eq!(against_official(6, &none).expect("there is an answer"), ["rows: expected 1, found 0"]);

    assert_eq!(against_host(&frame(1), &frame(1)).expect("readable"), Vec::<String>::new());
    assert_eq!(against_host(&frame(1), &frame(2)).expect("readable").len(), 1);
    assert_eq!(against_host(&frame(1), &renamed).expect("readable").len(), 1);
}
