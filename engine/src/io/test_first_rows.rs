//! Files of text that are wrong after the rows that are asked for.

use std::fs;
use std::path::Path;

use columnade_columns::DType;
use tempfile::tempdir;

use super::{BadRows, CsvReader, JsonReader, read_csv, read_json};
use crate::dataframe::DataFrame;
use crate::error::Result;
use crate::testing::{has_codec, values};

/// Rows that are right, before others.
const ROWS: usize = 200;
const LIMITS: [usize; 4] = [1, 2, 199, ROWS];
const CHUNKS: [usize; 4] = [1, 64, 700, 1 << 20];

/// The values of `n` in all frames.
fn numbers(frames: &[DataFrame]) -> Vec<String> {
    frames.iter().flat_map(|frame| values(frame, "n")).map(|value| value.to_string()).collect()
}

fn all(frames: impl Iterator<Item = Result<DataFrame>>) -> Result<Vec<DataFrame>> {
    frames.collect()
}

fn csv(path: &Path, chunk: usize) -> CsvReader<'_> {
    read_csv(path).chunk_size(chunk).infer_rows(10)
}

fn json(path: &Path, chunk: usize) -> JsonReader<'_> {
    read_json(path).chunk_size(chunk).infer_rows(10)
}

/// Reads of one file by `read` and by `scan`, given a limit and the size of chunks.
type Read = fn(&Path, usize, usize) -> [Result<Vec<DataFrame>>; 2];

fn check(name: &str, text: &[u8], read: Read) {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("written");
    let expected: Vec<String> = (0..ROWS).map(|n| n.to_string()).collect();
    let context = String::from_utf8_lossy(&text[text.len().saturating_sub(40)..]).into_owned();
    for chunk in CHUNKS {
        for limit in LIMITS {
            for frames in read(&path, limit, chunk) {
                let frames = frames.unwrap_or_else(|error| panic!("{context:?}, {limit}, {chunk}: {error}"));
                assert_eq!(numbers(&frames), expected[..limit], "{context:?}, chunks of {chunk}");
                assert_eq!(frames[0].column("n").expect("a column").dtype(), DType::Int64, "{context:?}");
            }
        }
        for result in read(&path, ROWS + 1, chunk) {
            assert!(result.is_err(), "{context:?}, chunks of {chunk}");
        }
    }
}

#[test]
fn limit_of_csv_ends_before_what_is_wrong() {
    let good = (0..ROWS).fold("n,s\n".to_owned(), |text, n| format!("{text}{n},\"two\nlines {n}\"\n"));
    // A row that lacks a field, one of another dtype, a quote that is not closed, and bytes that are no text.
    let wrong: [&[u8]; 5] = [b"7\n", b"x,y\n", b"7,\"y\n8,z\n", b"7,\xFF\n", b"7,y,z"];
    for (at, wrong) in wrong.into_iter().enumerate() {
        let text = [good.as_bytes(), wrong].concat();
        if at == 1 {
            check("f.csv", &text, |path, limit, chunk| {
                let reader = || csv(path, chunk).limit(limit).dtype("n", DType::Int64);
                [reader().read().map(|frame| vec![frame]), reader().scan().and_then(all)]
            });
            continue;
        }
        check("f.csv", &text, |path, limit, chunk| {
            let reader = || csv(path, chunk).limit(limit);
            [reader().read().map(|frame| vec![frame]), reader().scan().and_then(all)]
        });
    }
    // Bytes that are no character of the encoding.
    let text = [good.as_bytes(), b"7,\x81\n"].concat();
    check("f.csv", &text, |path, limit, chunk| {
        let reader = || csv(path, chunk).limit(limit).encoding("shift_jis");
        [reader().read().map(|frame| vec![frame]), reader().scan().and_then(all)]
    });
}

/// A later row that would make a column wider does not.
#[test]
fn limit_of_csv_keeps_the_dtype_of_rows_before() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    fs::write(&path, "n\n".to_owned() + &"7\n".repeat(ROWS) + "x\n").expect("written");
    for chunk in CHUNKS {
        let frame = csv(&path, chunk).limit(ROWS).read().expect("a frame");
        assert_eq!((frame.len(), frame.dtypes()), (ROWS, vec![DType::Int64]));
        let frame = csv(&path, chunk).read().expect("a frame");
        assert_eq!((frame.len(), frame.dtypes()), (ROWS + 1, vec![DType::Utf8]));
    }
}

/// Rows that are left out do not count.
#[test]
fn limit_counts_the_rows_that_are_kept() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    let lines = |n: i32| format!("{n},a\nx,a\n{n}\n");
    fs::write(&path, (0..100).fold("n,s\n".to_owned(), |text, n| text + &lines(n))).expect("written");
    for chunk in CHUNKS {
        for limit in [1, 2, 50, 100, 101] {
            let reader = csv(&path, chunk).limit(limit).dtype("n", DType::Int64).bad_rows(BadRows::Skip);
            let frame = reader.read().expect("a frame");
            let expected: Vec<String> = (0..limit.min(100)).map(|n| n.to_string()).collect();
            assert_eq!(numbers(&[frame]), expected, "chunks of {chunk}");
        }
    }
}

#[test]
fn limit_of_json_ends_before_what_is_wrong() {
    let good: Vec<String> = (0..ROWS).map(|n| format!("{{\"n\": {n}, \"s\": \"a b\"}}")).collect();
    // No JSON, no object, a value of another dtype, a new column of a scan, and bytes that are no text.
    let wrong: [&[u8]; 4] = [b"{\"n\": }", b"[7]", b"{\"n\": \"x\"}", b"{\"n\": 7, \"s\": \"\xFF\"}"];
    let read: Read = |path, limit, chunk| {
        let reader = || json(path, chunk).limit(limit).dtype("n", DType::Int64);
        [reader().read().map(|frame| vec![frame]), reader().scan().and_then(all)]
    };
    for wrong in wrong {
        check("f.jsonl", &[good.join("\n").as_bytes(), b"\n\n", wrong, b"\n"].concat(), read);
        check("f.json", &[b"[\n", good.join(",\n").as_bytes(), b",\n", wrong, b"]"].concat(), read);
    }
    // Documents that go on wrongly: an object is missing, or the end of the array.
    for wrong in [",,{}]", ",]", "}", ", {\"n\": 7"] {
        check(
            "f.json",
            format!("[{}, {{\"n\": 7}}{wrong}", good.join(",")).as_bytes(),
            |path, limit, chunk| {
                // There is one more row that is right.
                let limit = if limit > ROWS { ROWS + 2 } else { limit };
                let reader = || json(path, chunk).limit(limit);
                [reader().read().map(|frame| vec![frame]), reader().scan().and_then(all)]
            },
        );
    }
}

#[test]
fn limit_ends_before_bytes_that_do_not_decompress() {
    if !has_codec("gzip") {
        return;
    }
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv.gz");
    // Numbers that do not repeat, so that the file is large.
    let text: String = (0..300_000_u64).fold(String::new(), |text, n| {
        let m = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        text + &format!("{n},{m}\n")
    });
    let frame = {
        let plain = folder.path().join("f.csv");
        fs::write(&plain, "n,m\n".to_owned() + &text).expect("written");
        read_csv(&plain).read().expect("a frame")
    };
    frame.write_csv(&path).expect("written");
    let bytes = fs::read(&path).expect("bytes");
    fs::write(&path, &bytes[..bytes.len() / 2]).expect("cut");
    let first = csv(&path, 1 << 16).limit(3).read().expect("a frame");
    assert_eq!(numbers(&[first]), ["0", "1", "2"]);
    assert!(csv(&path, 1 << 16).read().is_err());
}

/// Of a large file, no more than a few chunks are read for a few rows.
#[test]
fn few_rows_read_a_part_of_the_file() {
    let folder = tempdir().expect("a folder");
    let rows = 400_000_i64;
    let csv = folder.path().join("f.csv");
    let json = folder.path().join("f.json");
    let lines = |line: &dyn Fn(i64) -> String| (0..rows).map(line).collect::<String>();
    fs::write(&csv, format!("n,s\n{}", lines(&|n| format!("{n},{n:040}\n")))).expect("written");
    fs::write(&json, lines(&|n| format!("{{\"n\":{n},\"s\":\"{n:040}\"}}\n"))).expect("written");
    let (frame, read) = read_csv(&csv).limit(3).read_with_statistics().expect("a frame");
    assert_eq!((frame.len(), read.rows), (3, 3));
    let (frame, of_json) = read_json(&json).limit(3).read_with_statistics().expect("a frame");
    assert_eq!(frame.len(), 3);
    for (read, path) in [(read, &csv), (of_json, &json)] {
        let all = fs::metadata(path).expect("a file").len();
        assert!(read.bytes_read <= all / 4, "{} of {all}", read.bytes_read);
    }
}
