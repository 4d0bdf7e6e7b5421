//! Instants in CSV: times with an offset from UTC, beside local times.

use std::fs;
use std::path::PathBuf;

use columnade_columns::{DType, TimeUnit, TimeZone};
use tempfile::{TempDir, tempdir};

use super::{CsvReader, read_csv};
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::testing::{on_every_device, values};

fn file(text: &str) -> (TempDir, PathBuf) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    fs::write(&path, text).expect("written");
    (folder, path)
}

fn read(text: &str, with: impl Fn(CsvReader<'static>) -> CsvReader<'static>) -> Result<DataFrame> {
    let (_folder, path) = file(text);
    with(read_csv(&path)).read()
}

fn shown(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

fn instants(unit: TimeUnit) -> DType {
    DType::TimestampTz(unit, TimeZone::utc())
}

#[test]
fn times_with_offsets_alone_are_instants() {
    let (micro, nano) = (TimeUnit::Micro, TimeUnit::Nano);
    let cases: [(&[&str], DType, &[&str]); 9] = [
        (
            &["2026-01-31T05:06:07Z", "", "2026-01-31 05:06:07.5+02:00", "2026-01-31 05:06:07 -0130"],
            instants(micro),
            &[
                "2026-01-31 05:06:07.000000Z",
                "<NA>",
                "2026-01-31 03:06:07.500000Z",
                "2026-01-31 06:36:07.000000Z",
            ],
        ),
        // Blanks, and no seconds: the library's patterns do not know these.
        (
            &[" 2026-01-31 05:06z", "2026-01-31T05:06+01 "],
            instants(micro),
            &["2026-01-31 05:06:00.000000Z", "2026-01-31 04:06:00.000000Z"],
        ),
        (
            &["2026-01-31 05:06:07.123456789Z", "2026-01-31 05:06:07Z"],
            instants(nano),
            &["2026-01-31 05:06:07.123456789Z", "2026-01-31 05:06:07.000000000Z"],
        ),
        (&["2026-01-31 05:06:07.000000000Z"], instants(nano), &["2026-01-31 05:06:07.000000000Z"]),
        (
            &["2026-01-31 05:06:07", "2026-01-31 05:06:07"],
            DType::Timestamp(micro),
            &["2026-01-31 05:06:07.000000", "2026-01-31 05:06:07.000000"],
        ),
        // Not comparable with each other.
        (
            &["2026-01-31 05:06:07", "2026-01-31 05:06:07Z"],
            DType::Utf8,
            &["2026-01-31 05:06:07", "2026-01-31 05:06:07Z"],
        ),
        (
            &["2026-01-31 05:06+02:00", "2026-01-31 05:06"],
            DType::Utf8,
            &["2026-01-31 05:06+02:00", "2026-01-31 05:06"],
        ),
        (&["2026-01-31", "2026-01-31 05:06:07Z"], DType::Utf8, &["2026-01-31", "2026-01-31 05:06:07Z"]),
        (&["2026-01-31 05:06:07Z", "soon"], DType::Utf8, &["2026-01-31 05:06:07Z", "soon"]),
    ];
    on_every_device(|_| {
        for (fields, expected, shows) in &cases {
            let text = fields.iter().fold("t,n\n".to_owned(), |text, field| text + field + ",1\n");
            for (size, rows) in [(1, 1), (1, 10_000), (1 << 20, 1), (1 << 20, 10_000)] {
                let frame = read(&text, |reader| reader.chunk_size(size).infer_rows(rows)).expect("a frame");
                let found = frame.column("t").expect("a column").dtype();
                assert_eq!((&found, size, rows), (expected, size, rows), "{fields:?}");
                assert_eq!(shown(&frame, "t"), *shows, "{fields:?}");
            }
        }
    });
}

/// Polars 2.1.0 `read_csv(try_parse_dates=True)` and pandas 3.1.1 `parse_dates` find the same dtypes; so they do for mixtures.
#[test]
fn written_instants_are_read_with_their_dtype() {
    let zone = |name: &str| TimeZone::new(name).expect("a zone");
    for (dtype, expected) in [
        (instants(TimeUnit::Micro), instants(TimeUnit::Micro)),
        (instants(TimeUnit::Nano), instants(TimeUnit::Micro)),
        (instants(TimeUnit::Second), instants(TimeUnit::Micro)),
        (DType::TimestampTz(TimeUnit::Micro, zone("Europe/Berlin")), instants(TimeUnit::Micro)),
        (DType::Timestamp(TimeUnit::Micro), DType::Timestamp(TimeUnit::Micro)),
    ] {
        let text = "t,n\n2026-01-31 05:06:07,1\n,2\n2026-07-31 00:00:00,3\n";
        let frame = read(text, |reader| reader.dtype("t", dtype.clone())).expect("a frame");
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("g.csv");
        frame.write_csv(&path).expect("written");
        let again = read_csv(&path).read().expect("a frame");
        let found = again.column("t").expect("a column");
        assert_eq!(found.dtype(), expected, "{dtype}");
        // The zone is not in the file, and is given to have it again.
        let exact = read_csv(&path).dtype("t", dtype.clone()).read().expect("a frame");
        assert!(exact.equals(&frame).expect("compared"), "{dtype}");
    }
}

/// A given dtype takes both kinds: local times are those of its zone.
#[test]
fn given_dtypes_take_instants_and_local_times() {
    let text = "t\n2026-01-31 05:06:07\n2026-01-31 05:06:07+02:00\n2026-01-31\n";
    for (dtype, shows) in [
        (
            instants(TimeUnit::Second),
            ["2026-01-31 05:06:07Z", "2026-01-31 03:06:07Z", "2026-01-31 00:00:00Z"],
        ),
        (
            DType::Timestamp(TimeUnit::Second),
            ["2026-01-31 05:06:07", "2026-01-31 03:06:07", "2026-01-31 00:00:00"],
        ),
    ] {
        let frame = read(text, |reader| reader.dtype("t", dtype.clone())).expect("a frame");
        assert_eq!(shown(&frame, "t"), shows, "{dtype}");
    }
}

#[test]
fn scan_whose_later_times_are_of_another_kind_names_the_column() {
    let early = "2026-01-31 05:06:07Z,1\n".repeat(400);
    let (_folder, path) = file(&format!("t,n\n{early}2026-01-31 05:06:07,2\n"));
    let scan = read_csv(&path).chunk_size(64).infer_rows(10).scan().expect("a scan");
    let error = scan.collect::<Result<Vec<_>>>().err();
    let Some(Error::File { source, .. }) = &error else { panic!("{error:?}") };
    assert_eq!(source.column(), Some("t"));
    assert!(source.to_string().contains("utf8"), "{source}");
}
