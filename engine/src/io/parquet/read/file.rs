//! Finding files, and telling what is wrong with one that does not open.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_ipc::root_as_message;
use arrow_schema::{Fields, Schema};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use columnade_columns::TimeUnit;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::arrow::{ARROW_SCHEMA_META_KEY, parquet_to_arrow_schema};
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaDataReader};

use super::{OPERATION, footer, int96};
use crate::error::{Error, Result};
use crate::io::file::{KeptFile, SourceFile};
use crate::io::nesting::{self, MOST_LEVELS, is_too_deep};
use crate::io::parquet::error::{ParquetError, caught};
use crate::io::parquet::order::{self, Orders};
use crate::io::parquet::{has_order, unordered};
use crate::io::paths::{FoundFile, PathFault, Wanted};
use crate::io::wide_integers::{WideIntegers, wide_integers};

/// What a Parquet file begins and ends with.
const MAGIC: &[u8; 4] = b"PAR1";
/// What a Parquet file with an encrypted footer begins and ends with.
const ENCRYPTED_MAGIC: &[u8; 4] = b"PARE";
/// Files that stay open from their footer to their last row, so that one of its name that takes its place is not read: of more
/// files the others are opened again, and must be the same ones.
const MOST_OPEN: usize = 64;
/// The length of the footer and the magic after it.
const TAIL: u64 = 8;
/// Both magics and the length of the footer.
const SMALLEST: u64 = 12;

/// A file and its footer.
#[derive(Debug)]
pub(super) struct ParquetFile {
    pub(super) file: KeptFile,
    /// The names and values of the folders `name=value` that it was found through.
    pub(super) partitions: Vec<(String, Option<String>)>,
    pub(super) metadata: ArrowReaderMetadata,
    /// The categories of its ordered dictionaries, where their order is known.
    pub(super) orders: Orders,
}

/// What of files is read first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footers {
    /// The unit of 96-bit timestamps, if given.
    pub(super) int96: Option<TimeUnit>,
    /// Whether pages are looked up.
    pub(super) page_index: bool,
    /// Whether the names of folders have values.
    pub(super) partitions: bool,
}

/// The files that the paths stand for, with their footers.
pub(super) fn find(paths: &[PathBuf], footers: Footers) -> Result<Vec<ParquetFile>> {
    let files = found(paths, footers)?.into_iter().enumerate();
    files.map(|(place, file)| opened(file, place < MOST_OPEN, footers)).collect()
}

/// The first of the files that the paths stand for.
pub(super) fn first(paths: &[PathBuf], footers: Footers) -> Result<ParquetFile> {
    let file = found(paths, footers)?.into_iter().next();
    let none = || Error::parquet(OPERATION, Path::new(""), ParquetError::NoPath);
    opened(file.ok_or_else(none)?, true, footers)
}

fn found(paths: &[PathBuf], footers: Footers) -> Result<Vec<FoundFile>> {
    if paths.is_empty() {
        return Err(Error::parquet(OPERATION, Path::new(""), ParquetError::NoPath));
    }
    let mut files = Vec::new();
    for path in paths {
        let found = expand(path, footers.partitions);
        files.extend(found.map_err(|source| Error::parquet(OPERATION, path, source))?);
    }
    Ok(files)
}

fn opened(
    FoundFile { path, partitions }: FoundFile,
    stays_open: bool,
    footers: Footers,
) -> Result<ParquetFile> {
    match open(&path, stays_open, footers) {
        Ok((file, metadata, orders)) => Ok(ParquetFile { file, partitions, metadata, orders }),
        Err(source) => Err(Error::parquet(OPERATION, &path, source)),
    }
}

/// The files that a path stands for: of a folder the `.parquet` files.
fn expand(path: &Path, partitions: bool) -> Result<Vec<FoundFile>, ParquetError> {
    let wanted = Wanted { files: &|name| name.ends_with(".parquet"), partitions };
    wanted.find(path).map_err(|fault| match fault {
        PathFault::NotFound => ParquetError::NotFound,
        PathFault::NotAFile => ParquetError::NotAFile,
        PathFault::Empty => ParquetError::EmptyFolder,
        PathFault::NoMatch => ParquetError::NoMatch,
        PathFault::Pattern(reason) => ParquetError::Format(format!("this is no pattern: {reason}")),
        PathFault::Io(error) => ParquetError::Io(error),
    })
}

/// A file, its footer, and the categories of ordered dictionaries.
fn open(
    path: &Path,
    stays_open: bool,
    footers: Footers,
) -> Result<(KeptFile, ArrowReaderMetadata, Orders), ParquetError> {
    let file = SourceFile::open(path).map_err(system)?;
    let kept = KeptFile::new(path, &file, stays_open)?;
    check_ends(&file)?;
    let pages = if footers.page_index { PageIndexPolicy::Optional } else { PageIndexPolicy::Skip };
    caught(|| {
        let decoding = |error| ParquetError::decoding(&file, error);
        let options = ArrowReaderOptions::new().with_page_index_policy(pages);
        let footer = ArrowReaderMetadata::load(&file, options)
            .map_err(|error| refused(&file).or_else(|| unknown(&file)).unwrap_or_else(|| decoding(error)))?;
        let orders = order::of_file(&file, &footer)?;
        let footer = without_order(footer).and_then(|footer| int96::in_unit(footer, footers.int96));
        Ok((kept, footer.map_err(decoding)?, orders))
    })
}

/// The error of a file whose footer names a codec or an encoding that is not known.
fn unknown(file: &SourceFile) -> Option<ParquetError> {
    let end = file.len().checked_sub(TAIL)?;
    let mut length = [0; 4];
    file.read_exact_at(end, &mut length).ok()?;
    let length = u32::from_le_bytes(length);
    let mut bytes = vec![0; usize::try_from(length).ok()?];
    file.read_exact_at(end.checked_sub(length.into())?, &mut bytes).ok()?;
    footer::unknown(&bytes)
}

/// The error of a file whose Arrow schema has a type that Arrow does not, or is nested too deeply.
fn refused(file: &SourceFile) -> Option<ParquetError> {
    let footer = ParquetMetaDataReader::new().parse_and_finish(file).ok()?;
    let pairs = footer.file_metadata().key_value_metadata()?;
    let encoded = pairs.iter().find(|pair| pair.key == ARROW_SCHEMA_META_KEY)?.value.as_ref()?;
    let message = BASE64_STANDARD.decode(encoded).ok()?;
    // The bytes before the message are its length, and in files that are not old what says so.
    let message = message.strip_prefix(&[0xFF; 4]).and_then(|message| message.get(4..)).unwrap_or(&message);
    let message = match root_as_message(message) {
        Ok(message) => message,
        Err(error) if is_too_deep(&error) => {
            let schema = footer.file_metadata().schema_descr();
            // Without what its Arrow schema says.
            let natural = parquet_to_arrow_schema(schema, None).ok();
            let column = natural.as_ref().and_then(nesting::too_deep).map(ToOwned::to_owned);
            return Some(ParquetError::TooDeep { column, limit: MOST_LEVELS });
        }
        Err(_) => return None,
    };
    let WideIntegers { column, data_type } = wide_integers(&message.header_as_schema()?)?;
    Some(ParquetError::UnsupportedType { column, data_type })
}

/// The footer with dictionaries without an order, wherever they are: decoded, one has its values as they came. The order of
/// their categories is made [afterwards](order::ordered).
fn without_order(footer: ArrowReaderMetadata) -> parquet::errors::Result<ArrowReaderMetadata> {
    let schema = footer.schema();
    if !schema.fields().iter().any(|field| has_order(field)) {
        return Ok(footer);
    }
    let fields: Fields = schema.fields().iter().map(unordered).collect();
    let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
    ArrowReaderMetadata::try_new(Arc::clone(footer.metadata()), ArrowReaderOptions::new().with_schema(schema))
}

/// Tells a file of another format from a truncated one before the decoder guesses.
fn check_ends(file: &SourceFile) -> Result<(), ParquetError> {
    let len = file.len();
    let mut head = [0; 4];
    let head = if len < 4 { &[][..] } else { file.read_exact_at(0, &mut head).map(|()| &head[..])? };
    if head == ENCRYPTED_MAGIC {
        return Err(ParquetError::Format("encrypted Parquet files are not supported".to_owned()));
    }
    if head != MAGIC {
        let reason =
            if len == 0 { "it is empty".to_owned() } else { "it does not begin with PAR1".to_owned() };
        return Err(ParquetError::NotParquet { reason });
    }
    if len < SMALLEST {
        return Err(ParquetError::Truncated { reason: format!("it has {len} bytes") });
    }
    let mut tail = [0; 8];
    file.read_exact_at(len - tail.len() as u64, &mut tail)?;
    let [a, b, c, d, magic @ ..] = tail;
    if magic != *MAGIC {
        return Err(ParquetError::Truncated { reason: format!("its {len} bytes do not end with PAR1") });
    }
    let footer = u64::from(u32::from_le_bytes([a, b, c, d]));
    if footer + SMALLEST > len {
        let reason = format!("its footer has {footer} bytes, the file only {len}");
        return Err(ParquetError::Truncated { reason });
    }
    Ok(())
}

fn system(error: std::io::Error) -> ParquetError {
    if error.kind() == ErrorKind::NotFound { ParquetError::NotFound } else { ParquetError::Io(error) }
}
