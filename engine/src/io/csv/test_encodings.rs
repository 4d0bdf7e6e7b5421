//! CSV files in other encodings than UTF-8.

use std::fs;

use columnade_columns::{DType, ErrorKind};
use tempfile::tempdir;

use super::{CsvReader, read_csv};
use crate::dataframe::DataFrame;
use crate::error::Result;
use crate::io::EncodingErrors;
use crate::testing::values;

/// Reads `bytes` as a file.
fn read(bytes: &[u8], with: impl Fn(CsvReader<'static>) -> CsvReader<'static>) -> Result<DataFrame> {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv");
    fs::write(&path, bytes).expect("written");
    with(read_csv(&path)).read()
}

fn shown(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

/// Text as UTF-16 with a byte order mark.
fn utf16(text: &str, bytes_of: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes_of).collect()
}

#[test]
fn bytes_of_an_encoding_become_its_characters() {
    // What Python's codecs write for the same text.
    let cases: [(&str, &[u8], &str); 6] = [
        ("latin1", b"caf\xE9", "café"),
        ("windows-1252", b"\x80 5", "€ 5"),
        ("Shift_JIS", b"\x93\xFA\x96\x7B", "日本"),
        ("gbk", b"\xD6\xD0\xCE\xC4", "中文"),
        ("koi8-r", b"\xCD\xC9\xD2", "мир"),
        (" UTF-8 ", "naïve".as_bytes(), "naïve"),
    ];
    for (label, bytes, text) in cases {
        let file = [b"n,item\n1,".as_slice(), bytes, b"\n2,\"", bytes, b",x\"\n"].concat();
        let frame = read(&file, |reader| reader.encoding(label)).expect("a frame");
        assert_eq!(shown(&frame, "item"), [text.to_owned(), format!("{text},x")], "{label}");
        assert_eq!(frame.column("n").expect("numbers").dtype(), DType::Int64);
    }
}

#[test]
fn utf16_is_told_by_its_mark() {
    let text = "n,s\n1,Größe\r\n2,\"\u{1F980}\n\"\n";
    for bytes in [utf16(text, u16::to_le_bytes), utf16(text, u16::to_be_bytes)] {
        for label in [None, Some("utf-16"), Some("latin1")] {
            let frame = read(&bytes, |reader| match label {
                Some(label) => reader.encoding(label),
                None => reader,
            });
            assert_eq!(shown(&frame.expect("a frame"), "s"), ["Größe", "\u{1F980}\n"], "{label:?}");
        }
    }
    // Without a mark it is what the option says.
    let bytes = &utf16(text, u16::to_be_bytes)[2..];
    let frame = read(bytes, |reader| reader.encoding("utf-16be")).expect("a frame");
    assert_eq!(shown(&frame, "s"), ["Größe", "\u{1F980}\n"]);
}

#[test]
fn characters_that_lie_in_two_blocks_are_whole() {
    // Rows of odd and even lengths, so that blocks end within characters of two and four bytes.
    let rows: Vec<String> =
        (0..9000).map(|row| format!("{}\u{1F980}{}", "日本".repeat(row % 3), "x".repeat(row % 5))).collect();
    let text = rows.iter().fold("s\n".to_owned(), |text, row| text + row + "\n");
    for bytes in [utf16(&text, u16::to_le_bytes), utf16(&text, u16::to_be_bytes)] {
        for size in [1000, 1 << 16, 4 << 20] {
            let frame = read(&bytes, |reader| reader.chunk_size(size)).expect("a frame");
            assert_eq!(shown(&frame, "s"), rows, "{size}");
        }
    }
}

#[test]
fn bytes_that_are_no_character_are_an_error() {
    // The lead byte of two, and half of a pair of surrogates.
    let cut = [b"s\nab\n".as_slice(), b"\x93"].concat();
    let half = utf16("s\na", u16::to_le_bytes).into_iter().chain([0x3E, 0xD8, b'x', 0]).collect::<Vec<_>>();
    for (label, bytes, line, position) in [("shift_jis", cut, 3, 5), ("utf-16", half, 2, 8)] {
        let error = read(&bytes, |reader| reader.encoding(label)).expect_err("no character");
        assert_eq!(error.kind(), ErrorKind::Value);
        let part = format!("line {line}: the bytes from position {position} on are no character of ");
        assert!(error.to_string().contains(&part), "{error}");
    }
}

/// As `bytes.decode(…, errors=…)` of Python.
#[test]
fn bytes_that_are_no_character_are_replaced_or_ignored() {
    // A single byte, half of a character, one too long and a surrogate, and a character that ends with the file.
    let utf8: [(&[u8], &str, &str); 5] = [
        (b"a\xE9b", "a\u{FFFD}b", "ab"),
        (b"\xE6\x97,", "\u{FFFD},", ","),
        (b"\xC0\xAF", "\u{FFFD}\u{FFFD}", ""),
        (b"\xED\xA0\x80x", "\u{FFFD}\u{FFFD}\u{FFFD}x", "x"),
        ("é".as_bytes(), "é", "é"),
    ];
    let shift_jis: [(&[u8], &str, &str); 2] =
        [(b"\x93\xFA\xFF", "日\u{FFFD}", "日"), (b"\xFD\xFDa", "\u{FFFD}\u{FFFD}a", "a")];
    let cases =
        utf8.iter().map(|case| (None, case)).chain(shift_jis.iter().map(|case| (Some("shift_jis"), case)));
    for (label, (bytes, replaced, ignored)) in cases {
        let file = [b"n,s\n1,\"".as_slice(), bytes, b"\"\n2,x\n"].concat();
        for (errors, expected) in [(EncodingErrors::Replace, replaced), (EncodingErrors::Ignore, ignored)] {
            let reader = |reader: CsvReader<'static>| match label {
                Some(label) => reader.encoding(label).encoding_errors(errors),
                None => reader.encoding_errors(errors),
            };
            for size in [1, 1 << 20] {
                let frame = read(&file, |it| reader(it).chunk_size(size)).expect("a frame");
                assert_eq!(shown(&frame, "s"), [*expected, "x"], "{bytes:?} {errors:?}");
            }
        }
    }
    // In the header, and at the end of the file.
    let frame = read(b"n\xFF\n1\n\xE6", |it| it.encoding_errors(EncodingErrors::Replace)).expect("a frame");
    assert_eq!(shown(&frame, "n\u{FFFD}"), ["1", "\u{FFFD}"]);
}

/// Many of them, in several blocks of the decoder.
#[test]
fn many_bytes_that_are_no_character_are_replaced() {
    let file = [b"s\n".as_slice(), &b"\xE9x\n".repeat(100_000)].concat();
    for (errors, expected) in [(EncodingErrors::Replace, "\u{FFFD}x"), (EncodingErrors::Ignore, "x")] {
        let frame = read(&file, |it| it.encoding_errors(errors)).expect("a frame");
        let found = frame.column("s").and_then(|s| s.to_vec::<String>()).expect("text");
        assert_eq!(found.len(), 100_000);
        assert!(found.iter().all(|text| text == expected), "{errors:?}");
    }
}

#[test]
fn labels_of_no_encoding_are_refused() {
    for label in ["", "utf-9", "replacement", "latin1\0"] {
        let error = read(b"a\n1\n", |reader| reader.encoding(label)).expect_err("no encoding");
        assert!(error.to_string().contains(&format!("there is no encoding {label:?}")), "{error}");
    }
    let error = read(b"a\ncaf\xE9\n", |reader| reader).expect_err("not UTF-8");
    assert!(error.to_string().contains("`encoding` reads others"), "{error}");
}

#[test]
fn compressed_text_is_decoded_after_it() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.csv.zst");
    fs::write(&path, zstd::encode_all(b"s\ncaf\xE9\n".as_slice(), 1).expect("compressed")).expect("written");
    let frame = read_csv(&path).encoding("latin1").read().expect("a frame");
    assert_eq!(shown(&frame, "s"), ["café"]);
    let scanned = read_csv(&path).encoding("latin1").scan().expect("a scan");
    assert_eq!(scanned.map(|frame| frame.expect("a frame").len()).sum::<usize>(), 1);
}
