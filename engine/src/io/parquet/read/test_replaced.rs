//! Files that another one replaces, or that change, while they are read.

use std::fs;
use std::path::Path;

use columnade_columns::ErrorKind;
use tempfile::tempdir;

use crate::dataframe::DataFrame;
use crate::io::{ParquetWriteOptions, read_parquet};

/// The number `n` in each of 40 rows, in row groups of ten.
fn write(path: &Path, n: i64) {
    let options = ParquetWriteOptions::new().row_group_rows(10);
    let frame = DataFrame::new([("n", vec![n; 40])]).expect("a column");
    frame.write_parquet_with(path, &options).expect("written");
}

#[test]
fn a_scan_goes_on_with_the_file_that_it_began_with() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("n.parquet");
    write(&path, 1);
    let mut scan = read_parquet(&path).scan().expect("a scan").batch_rows(10);
    let first = scan.next().expect("a part").expect("read");
    // As another program does it, and as this library does: under another name, then renamed.
    let other = folder.path().join("other");
    write(&other, 2);
    fs::rename(&other, &path).expect("renamed");
    let second = scan.next().expect("a part").expect("read");
    write(&path, 3);
    let rest: Vec<DataFrame> = scan.collect::<crate::Result<_>>().expect("read");
    let parts = [&[first, second], rest.as_slice()].concat();
    let numbers: Vec<i64> = parts
        .iter()
        .flat_map(|part| part.column("n").expect("n").to_vec::<i64>().expect("numbers"))
        .collect();
    assert_eq!(numbers, [1; 40]);
    assert_eq!(
        read_parquet(&path).read().expect("read").column("n").expect("n").to_vec::<i64>().expect("n"),
        [3; 40]
    );
}

#[test]
fn a_file_that_is_cut_or_replaced_is_an_error() {
    let folder = tempdir().expect("a folder");
    // More than stay open: the last one is opened again.
    let many: Vec<_> = (0..70).map(|file| folder.path().join(format!("{file:02}.parquet"))).collect();
    for path in &many {
        write(path, 1);
    }
    let mut scan = read_parquet(folder.path()).scan().expect("a scan");
    scan.next().expect("a part").expect("read");
    write(&many[69], 2);
    let error = scan.find_map(Result::err).expect("an error");
    assert_eq!(error.kind(), ErrorKind::Io);
    let text = error.to_string();
    assert!(text.contains("69.parquet") && text.contains("replaced or changed"), "{text}");

    let path = folder.path().join("00.parquet");
    let mut scan = read_parquet(&path).scan().expect("a scan").batch_rows(10);
    scan.next().expect("a part").expect("read");
    let len = fs::metadata(&path).expect("there").len();
    fs::OpenOptions::new().write(true).open(&path).expect("opened").set_len(len / 2).expect("cut");
    let text = scan.find_map(Result::err).expect("an error").to_string();
    assert!(text.contains("replaced or changed"), "{text}");
}
