//! Codecs and encodings that the library does not know. It refuses the whole footer that names one, and does not say of which column
//! it is.

use super::thrift::{BINARY, I32, LIST, Reader, STRUCT};
use crate::io::parquet::error::ParquetError;

/// How deep structs and lists may be in one another.
const DEPTH: usize = 16;

/// The error of the first column chunk whose codec or encoding is not known; `None` if there is none, or the footer is damaged.
pub(super) fn unknown(footer: &[u8]) -> Option<ParquetError> {
    let (mut found, mut row_group) = (None, 0);
    // It ends where one is found, and where the footer is damaged.
    let _ = Reader(footer).fields(DEPTH, &mut |reader, field, kind| match (field, kind) {
        (4, LIST) => reader.items(&mut |reader, kind| {
            in_row_group(reader, kind, row_group, &mut found)?;
            row_group += 1;
            found.is_none().then_some(())
        }),
        _ => reader.skip(kind, DEPTH - 1),
    });
    found
}

/// Puts the error of a row group into `found`, if there is one.
fn in_row_group(
    reader: &mut Reader<'_>,
    kind: u8,
    row_group: usize,
    found: &mut Option<ParquetError>,
) -> Option<()> {
    of_struct(reader, kind, &mut |reader, field, kind| match (field, kind) {
        (1, LIST) => reader.items(&mut |reader, kind| {
            of_struct(reader, kind, &mut |reader, field, kind| match (field, kind) {
                (3, STRUCT) => in_chunk(reader, row_group, found),
                _ => reader.skip(kind, DEPTH - 2),
            })
        }),
        _ => reader.skip(kind, DEPTH - 2),
    })
}

/// Puts the error of a column chunk into `found`, if it is the first, by its metadata.
fn in_chunk(reader: &mut Reader<'_>, row_group: usize, found: &mut Option<ParquetError>) -> Option<()> {
    let (mut path, mut codec, mut encoding) = (Vec::new(), None, None);
    let mut note = |number: i32| {
        if !(number == 0 || (2..=9).contains(&number)) {
            encoding.get_or_insert(number);
        }
    };
    reader.fields(DEPTH, &mut |reader, field, kind| match (field, kind) {
        (2, LIST) => reader.items(&mut |reader, kind| {
            note((kind == I32).then(|| reader.int()).flatten()?);
            Some(())
        }),
        (3, LIST) => reader.items(&mut |reader, kind| {
            path.push((kind == BINARY).then(|| reader.text()).flatten()?);
            Some(())
        }),
        (4, I32) => {
            codec = Some(reader.int()?).filter(|codec| !(0..=7).contains(codec));
            Some(())
        }
        // Statistics of pages, by their encodings.
        (13, LIST) => reader.items(&mut |reader, kind| {
            of_struct(reader, kind, &mut |reader, field, kind| match (field, kind) {
                (2, I32) => {
                    note(reader.int()?);
                    Some(())
                }
                _ => reader.skip(kind, DEPTH - 2),
            })
        }),
        _ => reader.skip(kind, DEPTH - 2),
    })?;
    let column = path.join(".");
    let error = match (codec, encoding) {
        (Some(codec), _) => {
            ParquetError::UnsupportedCodec { column, row_group, codec: format!("codec {codec}") }
        }
        (None, Some(encoding)) => ParquetError::UnsupportedEncoding { column, row_group, encoding },
        (None, None) => return Some(()),
    };
    found.get_or_insert(error);
    Some(())
}

fn of_struct(
    reader: &mut Reader<'_>,
    kind: u8,
    take: &mut dyn FnMut(&mut Reader<'_>, i32, u8) -> Option<()>,
) -> Option<()> {
    if kind != STRUCT {
        return None;
    }
    reader.fields(DEPTH, &mut |reader, field, kind| take(reader, field, kind))
}
