//! Parquet files of which one column chunk cannot be decoded: errors name file, row group and column.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use std::fs;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, RecordBatch, StringArray};
use bytes::Bytes;
use columnade::parquet::ParquetError;
use columnade::{Error, ErrorKind, col, read_parquet};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::metadata::{
    ColumnChunkMetaData, ParquetMetaData, ParquetMetaDataReader, ParquetMetaDataWriter,
};
use parquet::file::properties::WriterProperties;

/// Two row groups of an integer, plain, and of text in a dictionary.
fn file() -> Vec<u8> {
    let ids: ArrayRef = Arc::new(Int64Array::from_iter_values(0..8));
    let names: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..8).map(|id| format!("name {}", id % 3))));
    let batch = RecordBatch::try_from_iter([("id", ids), ("name", names)]).expect("a batch");
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(4))
        .set_column_dictionary_enabled("id".into(), false)
        .build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).expect("a writer");
    writer.write(&batch).expect("written");
    writer.into_inner().expect("a file")
}

fn footer(bytes: &[u8]) -> ParquetMetaData {
    ParquetMetaDataReader::new().parse_and_finish(&Bytes::from(bytes.to_vec())).expect("a footer")
}

/// The file with another footer, in which one chunk is changed.
fn with_chunk(
    bytes: &[u8],
    (row_group, column): (usize, usize),
    change: impl Fn(ColumnChunkMetaData) -> ColumnChunkMetaData,
) -> Vec<u8> {
    let before = footer(bytes);
    let mut groups = before.row_groups().to_vec();
    let mut chunks = groups[row_group].columns().to_vec();
    chunks[column] = change(chunks[column].clone());
    groups[row_group] =
        groups[row_group].clone().into_builder().set_column_metadata(chunks).build().expect("a row group");
    let after = before.into_builder().set_row_groups(groups).build();
    let length = u32::from_le_bytes(bytes[bytes.len() - 8..][..4].try_into().expect("four bytes"));
    let mut changed = bytes[..bytes.len() - 8 - length as usize].to_vec();
    ParquetMetaDataWriter::new(&mut changed, &after).finish().expect("a footer");
    changed
}

/// The error of a read of the file, which is one of the column in the row group.
fn error_of(path: &Path, bytes: &[u8], column: &str, row_group: usize) -> ParquetError {
    fs::write(path, bytes).expect("written");
    let reads = [
        read_parquet(path).read(),
        read_parquet(path).columns([column]).read(),
        // Other columns and pages decode in another way.
        read_parquet(path).filter(col("id").ge(0)).rows(1..8).read(),
        read_parquet(path).scan().and_then(|mut frames| frames.next().expect("an error")),
    ];
    let mut first = None;
    for read in reads {
        let error = read.expect_err("a chunk that cannot be decoded");
        let text = error.to_string();
        assert!(text.contains(&path.display().to_string()), "{text}");
        let Error::Parquet { source, .. } = error else { unreachable!("{text}") };
        assert_eq!((source.column(), source.row_group()), (Some(column), Some(row_group)), "{text}");
        first = first.or(Some(source));
    }
    first.expect("an error")
}

#[test]
fn codec_that_is_not_built_is_named_with_column_and_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("lzo.parquet");
    let bytes = with_chunk(&file(), (1, 1), |chunk| {
        chunk.into_builder().set_compression(Compression::LZO).build().expect("a chunk")
    });
    let error = error_of(&path, &bytes, "name", 1);
    assert!(matches!(&error, ParquetError::UnsupportedCodec { codec, .. } if codec == "LZO"), "{error}");
    assert_eq!(error.kind(), ErrorKind::NotImplemented);
    assert!(error.to_string().contains("column \"name\", row group 1"), "{error}");
    // What is not read is no error.
    let read = read_parquet(&path).columns(["id"]).read().expect("the other column");
    assert_eq!(read.len(), 8);
}

#[test]
fn chunk_that_lies_nowhere_is_named_with_column_and_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("nowhere.parquet");
    for (column, name) in [(0, "id"), (1, "name")] {
        let bytes = with_chunk(&file(), (1, column), |chunk| {
            chunk.into_builder().set_total_compressed_size(-1).build().expect("a chunk")
        });
        let error = error_of(&path, &bytes, name, 1);
        assert!(matches!(error, ParquetError::Damaged { .. }), "{error}");
        assert_eq!(error.kind(), ErrorKind::Io);
    }
}

/// Bytes of pages: of a header, of an encoding, of a dictionary, and the place of a page.
#[test]
fn damaged_pages_are_named_with_column_and_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pages.parquet");
    let good = file();
    let metadata = footer(&good);
    for (column, name) in [(0, "id"), (1, "name")] {
        let chunk = metadata.row_group(1).column(column);
        let at = |offset: i64| usize::try_from(offset).expect("a position");
        let data = at(chunk.data_page_offset());
        let end = at(chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset()))
            + at(chunk.compressed_size());
        let with = |change: &dyn Fn(&mut [u8])| {
            let mut bytes = good.clone();
            change(&mut bytes);
            bytes
        };
        // The header of a page: of `DataPageHeader`, field 5 of it, the second field is the encoding.
        let header = good[data..end].windows(2).position(|bytes| bytes == [0x2C, 0x15]).expect("a header");
        let encoding = data + header + 4;
        assert!(good[encoding - 1] == 0x15 && good[encoding] <= 0x10, "the encoding of the page");
        let mut damaged = vec![
            with(&|bytes| bytes[data..data + 4].fill(0xFF)),
            with(&|bytes| bytes[encoding] = 0x7E),
            // Deltas of fixed length, which integers and text do not have.
            with(&|bytes| bytes[encoding] = 0x0C),
            with(&|bytes| bytes[end - 4..end].fill(0xFF)),
        ];
        if name == "id" {
            // Plain integers are right whatever their bytes are.
            damaged.pop();
        }
        if let Some(dictionary) = chunk.dictionary_page_offset().map(at) {
            damaged.push(with(&|bytes| bytes[dictionary..dictionary + 4].fill(0xFF)));
            // The length of the first text in the dictionary.
            let text = good[dictionary..].windows(4).position(|bytes| bytes == b"name").expect("a text");
            damaged.push(with(&|bytes| bytes[dictionary + text - 4..dictionary + text].fill(0x7F)));
            // Text that is not UTF-8.
            damaged.push(with(&|bytes| bytes[dictionary + text] = 0xFF));
        }
        for bytes in damaged {
            let error = error_of(&path, &bytes, name, 1);
            assert!(
                matches!(error, ParquetError::Damaged { .. } | ParquetError::DecoderFailed { .. }),
                "{error}"
            );
            assert_eq!(error.kind(), ErrorKind::Io);
            // The row group before is not damaged.
            assert_eq!(read_parquet(&path).rows(0..4).read().expect("four rows").len(), 4);
        }
    }
}

/// A footer with a codec or an encoding of the future, which the decoder refuses as a whole.
#[test]
fn numbers_in_footer_that_are_not_known_are_named_with_column_and_row_group() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("later.parquet");
    let good = file();
    // In the metadata of a chunk: the last encoding, then the path, a list of one text, then the codec.
    let field = [&[0x19, 0x18, 4][..], b"name", &[0x15]].concat();
    let places: Vec<usize> =
        (0..good.len() - field.len()).filter(|&at| good[at..].starts_with(&field)).collect();
    assert_eq!(places.len(), 2, "a chunk in each row group");
    for (row_group, at) in places.into_iter().enumerate() {
        let (encoding, codec) = (at - 1, at + field.len());
        for (place, number) in [(encoding, 42), (codec, 17)] {
            let mut bytes = good.clone();
            bytes[place] = 2 * number;
            fs::write(&path, bytes).expect("written");
            let error = read_parquet(&path).read().expect_err("an unknown number");
            let Error::Parquet { source, .. } = &error else { unreachable!("{error}") };
            assert_eq!((source.column(), source.row_group()), (Some("name"), Some(row_group)), "{error}");
            assert_eq!(error.kind(), ErrorKind::NotImplemented);
            assert!(error.to_string().contains(&number.to_string()), "{error}");
        }
    }
}
