//! Values of a fixed number of bytes: binary, UUIDs, halves, and what no column here has.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use columnade_buffers::{Device, Exec};
use columnade_columns::{DType, ErrorKind, Scalar};
use parquet::data_type::{ByteArray, FixedLenByteArray, FixedLenByteArrayType};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use tempfile::tempdir;

use crate::dataframe::DataFrame;
use crate::error::Error;
use crate::io::read_parquet;

/// A file of one column with values and nulls, without an Arrow schema, packed by a dictionary or not.
fn write(path: &Path, column: &str, rows: &[Option<&[u8]>], dictionary: bool) {
    let schema = format!("message m {{ optional fixed_len_byte_array{column}; }}");
    let schema = Arc::new(parse_message_type(&schema).expect("a schema"));
    let properties = WriterProperties::builder().set_dictionary_enabled(dictionary).build();
    let file = fs::File::create(path).expect("a file");
    let mut writer = SerializedFileWriter::new(file, schema, Arc::new(properties)).expect("a writer");
    let mut group = writer.next_row_group().expect("a group");
    let mut chunk = group.next_column().expect("no error").expect("a column");
    let values: Vec<FixedLenByteArray> =
        rows.iter().flatten().map(|bytes| ByteArray::from(bytes.to_vec()).into()).collect();
    let levels: Vec<i16> = rows.iter().map(|row| row.is_some().into()).collect();
    let typed = chunk.typed::<FixedLenByteArrayType>();
    typed.write_batch(&values, Some(&levels), None).expect("values");
    chunk.close().expect("closed");
    group.close().expect("closed");
    writer.close().expect("closed");
}

fn read(path: &Path, device: Device) -> Result<DataFrame, Error> {
    read_parquet(path).exec(&Exec::new(device).expect("a device")).read()
}

#[test]
fn fixed_bytes_and_uuids_are_binary() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("fixed.parquet");
    let uuid: [u8; 16] =
        [0x12, 0x3e, 0x45, 0x67, 0xe8, 0x9b, 0x12, 0xd3, 0xa4, 0x56, 0x42, 0x66, 0, 0, 0xFF, 0];
    let cases: [(&str, [Option<&[u8]>; 4]); 3] = [
        ("(3) x", [Some(b"abc"), None, Some(&[0, 0xFF, 0]), Some(b"abc")]),
        ("(1) x", [Some(&[0]), Some(&[0x80]), None, None]),
        ("(16) x (UUID)", [Some(&uuid), None, Some(&[0; 16]), Some(&uuid)]),
    ];
    for device in Device::available() {
        for (column, rows) in &cases {
            for dictionary in [false, true] {
                write(&path, column, rows, dictionary);
                let read = read(&path, device).expect("a frame");
                let values = read.column("x").expect("the column");
                assert_eq!(values.dtype(), DType::Binary, "{column} {device}");
                for (row, expected) in rows.iter().enumerate() {
                    let expected =
                        expected.map_or(Scalar::Null(DType::Binary), |bytes| Scalar::Binary(bytes.into()));
                    assert_eq!(values.get(row).expect("a row"), expected, "{column} row {row} {device}");
                }
            }
        }
    }
}

/// Numbers of 16 bits of IEEE 754 by their bits.
#[test]
fn halves_are_floats_of_32_bits() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("halves.parquet");
    let bits: [u16; 9] = [0x0000, 0x8000, 0x3C00, 0xC000, 0x7BFF, 0x0001, 0x7C00, 0xFC00, 0x3555];
    let expected: [f32; 9] =
        [0.0, -0.0, 1.0, -2.0, 65504.0, 5.960_464_5e-8, f32::INFINITY, f32::NEG_INFINITY, 0.333_251_95];
    let stored: Vec<[u8; 2]> = bits.iter().map(|bits| bits.to_le_bytes()).collect();
    let mut rows: Vec<Option<&[u8]>> = stored.iter().map(|bytes| Some(&bytes[..])).collect();
    rows.push(None);
    for device in Device::available() {
        for dictionary in [false, true] {
            write(&path, "(2) x (FLOAT16)", &rows, dictionary);
            let values = read(&path, device).expect("a frame").column("x").expect("the column");
            assert_eq!(values.dtype(), DType::Float32, "{device}");
            let found = values.to_options::<f32>().expect("floats");
            let found: Vec<_> = found.into_iter().map(|value| value.map(f32::to_bits)).collect();
            let bits = expected.iter().map(|value| Some(value.to_bits()));
            assert_eq!(found, bits.chain([None]).collect::<Vec<_>>(), "{device}");
        }
    }
}

/// Months, days and milliseconds: a decoder that knows days alone would lose the months.
#[test]
fn intervals_of_parquet_are_refused_by_name() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("interval.parquet");
    write(&path, "(12) gap (INTERVAL)", &[Some(&[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]), None], false);
    let error = read(&path, Device::Host).expect_err("a type without a dtype");
    assert_eq!(error.kind(), ErrorKind::NotImplemented);
    let text = error.to_string();
    assert!(text.contains("column \"gap\" is Interval") && text.contains("not supported"), "{text}");
}

/// Polars 2.1 writes them as 16 bytes that only its Arrow schema says are a number.
#[test]
fn integers_of_128_bits_of_polars_are_refused_by_name() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("wide.parquet");
    let files: [(&[u8], &str); 3] = [
        (include_bytes!("../../../../tests/files/polars-int128.parquet"), "column \"i\" is Int128 of Polars"),
        (
            include_bytes!("../../../../tests/files/polars-uint128.parquet"),
            "column \"u\" is UInt128 of Polars",
        ),
        (
            include_bytes!("../../../../tests/files/polars-struct-int128.parquet"),
            "column \"s\" is nested values of Int128 of Polars",
        ),
    ];
    for (bytes, expected) in files {
        fs::write(&path, bytes).expect("written");
        let error = read(&path, Device::Host).expect_err("a type without a dtype");
        assert_eq!(error.kind(), ErrorKind::NotImplemented, "{error}");
        assert!(error.to_string().contains(&format!("{expected}, which is not supported")), "{error}");
    }
}
