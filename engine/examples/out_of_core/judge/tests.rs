use columnade::{DataFrame, Exec, df, set_default_exec};

use super::*;

/// Of two numbers, 500 rows.
const CHUNK_BYTES: usize = 500 * 16 + 7;

const GOOD: Verdict = Verdict { difference: None, peak: 1000, limit: 1000 };

#[test]
fn peak_up_to_five_percent_over_limit_passes() {
    for (peak, code) in [(0, 0), (1000, 0), (1050, 0), (1051, 1), (4000, 1)] {
        assert_eq!(exit_code(&[GOOD, Verdict { peak, ..GOOD }, GOOD]), code, "{peak}");
    }
    assert_eq!(exit_code(&[]), 0);
}

#[test]
fn differing_result_fails() {
    let differs = Verdict { difference: Some("a column".to_owned()), ..GOOD };
    assert_eq!(exit_code(&[GOOD, differs.clone(), GOOD]), 1);
    assert_eq!(differs.fault().unwrap(), "the result differs: a column");
    let passes = Verdict { peak: 1051, ..GOOD };
    assert_eq!(passes.fault().unwrap(), "a peak of 1051 bytes passes the limit of 1000 by more than 5 %");
    assert_eq!(GOOD.fault(), None);
}

#[test]
fn first_difference_names_column_and_rows() -> Result<()> {
    for device in Device::available() {
        set_default_exec(Exec::new(device)?);
        let rows = 1003;
        let numbers =
            |changed: i64| -> Vec<i64> { (0..rows).map(|row| row + i64::from(row == changed)).collect() };
        let frame = |label: &str, changed| DataFrame::new([("a", numbers(-1)), (label, numbers(changed))]);
        let expected = frame("b", -1)?;
        assert_eq!(first_difference(&frame("b", -1)?, &expected, CHUNK_BYTES)?, None);
        let differences = [
            (frame("b", 0)?, "column \"b\" differs in rows 0 to 500"),
            (frame("b", rows - 1)?, "column \"b\" differs in rows 1000 to 1003"),
            (expected.head(5)?, "5 rows, expected 1003"),
            (frame("c", -1)?, "columns "),
            (df! { "a" => [1_i64], "b" => [1_i32] }?, "columns "),
        ];
        for (found, text) in differences {
            let difference = first_difference(&found, &expected, CHUNK_BYTES)?.unwrap_or_default();
            assert!(difference.starts_with(text), "{difference}, not {text}");
        }
    }
    Ok(())
}
