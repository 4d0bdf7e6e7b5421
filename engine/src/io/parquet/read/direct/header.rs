//! The headers of pages, which are structs of Thrift's compact protocol.

use crate::io::parquet::read::thrift::{FALSE, I32, Reader, STRUCT, TRUE};

/// Kinds of pages.
pub(super) const DATA: i32 = 0;
pub(super) const INDEX: i32 = 1;
pub(super) const DICTIONARY: i32 = 2;
pub(super) const DATA_V2: i32 = 3;

/// What a header says of its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) kind: i32,
    /// Bytes of the page without compression.
    pub(super) plain: usize,
    /// Bytes of the page in the file.
    pub(super) stored: usize,
    pub(super) values: usize,
    /// The number of the encoding of the values.
    pub(super) encoding: i32,
    /// The number of that of definition levels, in [`DATA`].
    pub(super) levels: i32,
    /// Values that are null, in [`DATA_V2`], and bytes of both kinds of levels.
    pub(super) nulls: usize,
    pub(super) definition_bytes: usize,
    pub(super) repetition_bytes: usize,
    /// Whether values are as they are in spite of the codec of the chunk, in [`DATA_V2`].
    pub(super) is_plain: bool,
}

/// How deep structs and lists may be in one another.
const DEPTH: usize = 8;

/// Takes a header off the bytes; `None` if it is damaged.
pub(super) fn header(bytes: &mut &[u8]) -> Option<Header> {
    let mut reader = Reader(bytes);
    let mut header = Header::default();
    reader.fields(DEPTH, &mut |reader, field, kind| {
        // Those of data, dictionaries and data of the second version are structs of their own.
        match (field, kind) {
            (1, I32) => header.kind = reader.int()?,
            (2, I32) => header.plain = reader.size()?,
            (3, I32) => header.stored = reader.size()?,
            (5 | 7 | 8, STRUCT) => reader.fields(DEPTH - 1, &mut |reader, inner, kind| {
                match (field, inner, kind) {
                    (_, 1, I32) => header.values = reader.size()?,
                    (5 | 7, 2, I32) | (8, 4, I32) => header.encoding = reader.int()?,
                    (5, 3, I32) => header.levels = reader.int()?,
                    (8, 2, I32) => header.nulls = reader.size()?,
                    (8, 5, I32) => header.definition_bytes = reader.size()?,
                    (8, 6, I32) => header.repetition_bytes = reader.size()?,
                    (8, 7, TRUE | FALSE) => header.is_plain = kind == FALSE,
                    _ => reader.skip(kind, DEPTH - 2)?,
                }
                Some(())
            })?,
            _ => reader.skip(kind, DEPTH - 1)?,
        }
        Some(())
    })?;
    *bytes = reader.0;
    Some(header)
}

#[cfg(test)]
mod tests {
    use super::{DATA, DATA_V2, Header, header};

    /// A page of the second version, with statistics and fields that no version has.
    #[test]
    fn fields_that_are_not_known_are_skipped() {
        let mut bytes = vec![0x15, 6, 0x15, 200, 1, 0x15, 100];
        // A field whose number is far from the one before, of a list of booleans, a map of none and a double.
        bytes.extend([0x09, 40, 0x31, 1, 2, 1, 0x17, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]);
        bytes.extend([0x0c, 16, 0x15, 20, 0x15, 4, 0x15, 20, 0x15, 16, 0x15, 8, 0x15, 0, 0x12]);
        // Statistics: a struct of bytes, with a struct in a list in it.
        bytes.extend([0x1c, 0x18, 2, 7, 7, 0x19, 0x1c, 0x16, 3, 0, 0, 0, 0, 99]);
        let mut rest = &bytes[..];
        let expected = Header {
            kind: DATA_V2,
            plain: 100,
            stored: 50,
            values: 10,
            encoding: 8,
            levels: 0,
            nulls: 2,
            definition_bytes: 4,
            repetition_bytes: 0,
            is_plain: true,
        };
        assert_eq!(header(&mut rest), Some(expected));
        assert_eq!(rest, [99]);
        for end in 0..bytes.len() - 1 {
            assert_eq!(header(&mut &bytes[..end]), None, "{end} bytes");
        }
    }

    #[test]
    fn damaged_headers_are_none() {
        // Lengths below zero, a number of eleven bytes, a kind that there is not, and structs without an end in one another.
        assert_eq!(header(&mut &[0x25, 1, 0][..]), None);
        assert_eq!(header(&mut &[&[0x15][..], &[0xff; 11], &[0]].concat()[..]), None);
        assert_eq!(header(&mut &[0x1e, 0, 0][..]), None);
        assert_eq!(header(&mut &[0x1c; 100][..]), None);
        assert_eq!(header(&mut &[0x19; 100][..]), None);
        let empty = Header { kind: DATA, ..Header::default() };
        assert_eq!(header(&mut &[0][..]), Some(empty));
    }
}
