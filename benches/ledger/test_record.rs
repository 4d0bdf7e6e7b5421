//! The record of the ledger: which counts differ from it, and that what is written is read.

#[path = "record.rs"]
mod record;

use record::{Record, differences, read, write};
use std::collections::BTreeMap;

type Result<T, E = Box<dyn std::error::Error>> = std::result::Result<T, E>;

/// A case: operation, rows, whether there are nulls, counts.
type Case<'a, N> = (&'a str, usize, bool, &'a [(N, u64)]);

fn record<N: Copy + Ord>(cases: &[Case<'_, N>]) -> Record<N> {
    let counts = |counts: &[(N, u64)]| counts.iter().copied().collect::<BTreeMap<_, _>>();
    cases.iter().map(|case| ((case.0.to_owned(), case.1, case.2), counts(case.3))).collect()
}

/// As it is read from a file.
fn recorded(cases: &[Case<'_, &str>]) -> Record<String> {
    let named =
        |counts: BTreeMap<&str, u64>| counts.into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
    record(cases).into_iter().map(|(case, counts)| (case, named(counts))).collect()
}

const JOIN: Case<'_, &str> = ("join", 1000, true, &[("launches", 3), ("syncs", 1)]);
const SORT: Case<'_, &str> = ("sort", 1000, false, &[("launches", 7)]);

#[test]
fn equal_counts_have_no_difference() {
    assert!(differences(&recorded(&[JOIN, SORT]), &record(&[JOIN, SORT]), "").is_empty());
    assert!(differences(&recorded(&[]), &record(&[]), "").is_empty());
}

#[test]
fn higher_and_lower_counts_are_differences() {
    for (found, line) in [(4, "launches 3 -> 4"), (2, "launches 3 -> 2"), (0, "launches 3 -> 0")] {
        let counts = [("launches", found), ("syncs", 1)];
        let found = record(&[("join", 1000, true, &counts[..]), SORT]);
        let lines = differences(&recorded(&[JOIN, SORT]), &found, "");
        assert_eq!(lines, [format!("join, 1000 rows, nulls: {line}")]);
    }
}

#[test]
fn rows_and_nulls_are_part_of_case() {
    let others = [("join", 100, true, JOIN.3), ("join", 1000, false, JOIN.3)];
    let lines = differences(&recorded(&[JOIN]), &record(&others), "");
    let expected = [
        "join, 100 rows, nulls: not in the record",
        "join, 1000 rows: not in the record",
        "join, 1000 rows, nulls: recorded, and not run",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn count_that_is_not_in_record_is_a_difference() {
    let found = [("launches", 3), ("syncs", 1), ("memsets", 0)];
    let lines = differences(&recorded(&[JOIN]), &record(&[("join", 1000, true, &found[..])]), "");
    assert_eq!(lines, ["join, 1000 rows, nulls: memsets is not in the record"]);
}

#[test]
fn cases_that_were_not_selected_are_no_difference() {
    assert!(differences(&recorded(&[JOIN, SORT]), &record(&[SORT]), "sor").is_empty());
    let lines = differences(&recorded(&[JOIN, SORT]), &record(&[SORT]), "o");
    assert_eq!(lines, ["join, 1000 rows, nulls: recorded, and not run"]);
}

#[test]
fn written_record_is_read_as_it_was() {
    let path = std::env::temp_dir().join(format!("columnade-ledger-{}.json", std::process::id()));
    for cases in [&[][..], &[JOIN], &[JOIN, SORT, ("a \"quoted\" name", 0, false, &[])]] {
        write(&path, &record(cases)).unwrap();
        assert_eq!(read(&path).unwrap(), recorded(cases));
    }
    std::fs::write(&path, "{\"cases\": [{\"operation\": \"join\"}]}").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("a case without its fields"));
    std::fs::write(&path, "{}").unwrap();
    assert!(read(&path).unwrap_err().to_string().contains("no list of cases"));
    std::fs::remove_file(&path).unwrap();
}
