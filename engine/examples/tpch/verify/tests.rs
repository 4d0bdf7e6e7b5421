//! Rounding and comparison of answers.

use columnade::{DataFrame, Scalar};

use super::{against_host, against_official, duckdb, is_misprint, matches_string, round};
use serde_json::json;

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
        (Scalar::Decimal { value: 1_234_550, precision: 15, scale: 4 }, "123.46", true),
        (Scalar::Decimal { value: 1_234_550, precision: 15, scale: 4 }, "123.45", true),
        (Scalar::Decimal { value: 1_234_551, precision: 15, scale: 4 }, "123.45", false),
        (Scalar::Decimal { value: -1_234_550, precision: 15, scale: 4 }, "-123.45", true),
        (Scalar::from("ends with spaces "), "ends with spaces", true),
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
fn misprints_of_answers_are_known_by_query_column_and_value() {
    let key = |value: i64| Scalar::Int64(value);
    for (query, name, found, expected, is_known) in [
        (11, "ps_partkey", key(129_760), "1297", true),
        (11, "ps_partkey", key(1297), "1297", false),
        (11, "ps_partkey", key(139_760), "1297", false),
        (2, "ps_partkey", key(129_760), "1297", false),
        (17, "avg_yearly", Scalar::Float64(348_406.054), "348406.02", true),
        (17, "avg_yearly", Scalar::Float64(348_406.034), "348406.02", false),
    ] {
        assert_eq!(is_misprint(query, name, &found, expected), is_known, "{query} {name} {found} {expected}");
    }
}

#[test]
fn answers_of_duckdb_are_compared_by_their_types() {
    let frame = DataFrame::new([("share", vec![0.25_f64])]).expect("one column");
    let answer = |dtype: &str, value: &str| json!({"columns": ["x"], "types": [dtype], "rows": [[value]]});
    for (value, differences) in [("0.25", 0), ("0.25000000001", 0), ("0.2501", 1)] {
        let found = duckdb::against(&answer("DOUBLE", value), &frame).expect("readable");
        assert_eq!(found.len(), differences, "{value}: {found:?}");
    }
    let keys = DataFrame::new([("k", vec![7_i64])]).expect("one column");
    assert!(duckdb::against(&answer("BIGINT", "7"), &keys).expect("readable").is_empty());
    assert_eq!(duckdb::against(&answer("BIGINT", "8"), &keys).expect("readable").len(), 1);
    let none = json!({"columns": ["k"], "types": ["BIGINT"], "rows": []});
    assert_eq!(duckdb::against(&none, &keys).expect("readable"), ["rows: expected 0, found 1"]);
    let two = json!({"columns": ["k", "l"], "types": ["BIGINT", "BIGINT"], "rows": []});
    assert_eq!(duckdb::against(&two, &keys).expect("readable").len(), 1);
}

#[test]
fn queries_of_duckdb_are_one_statement_with_all_parameters() {
    for query in 1..=22 {
        let sql = duckdb::sql(query).expect("a query");
        assert!(!sql.contains(';') && sql.contains("select"), "Q{query}: {sql}");
        let is_parameter = |at: usize| sql[at + 1..].starts_with(|next: char| next.is_ascii_digit());
        assert!(!sql.match_indices(':').any(|(at, _)| is_parameter(at)), "Q{query}: {sql}");
    }
    assert!(duckdb::sql(15).expect("a query").starts_with("with revenue (supplier_no, total_revenue) as ("));
    assert!(duckdb::sql(16).expect("a query").contains("(49, 14, 23, 45, 19, 3, 36, 9)"));
    assert!(duckdb::sql(23).is_err());
    // Without tables there is no answer, with Python or without.
    let folder = tempfile::tempdir().expect("a folder");
    assert!(!matches!(duckdb::answer(6, folder.path()), Ok(Some(_))));
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
