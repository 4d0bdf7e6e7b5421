//! Floats that two ways of computing round differently.

/// Compares floats to 1e-12 of the expected ones, and nulls.
///
/// # Panics
/// With the first row that differs.
pub fn assert_near(found: &[Option<f64>], expected: &[Option<f64>], context: &str) {
    assert_eq!(found.len(), expected.len(), "{context}");
    for (row, pair) in found.iter().zip(expected).enumerate() {
        let is_equal = match pair {
            (Some(found), Some(expected)) => (found - expected).abs() <= 1e-12 * (1.0 + expected.abs()),
            (found, expected) => found == expected,
        };
        assert!(is_equal, "{context}, row {row}: {pair:?}");
    }
}
