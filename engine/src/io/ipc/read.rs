//! Reading Arrow IPC: the batches of a file are decoded in parallel, where nothing is compressed without a copy.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, StreamDecoder, read_footer_length};
use arrow_ipc::{Block, root_as_footer};
use arrow_schema::{ArrowError, Field, Schema, SchemaRef};
use columnade_buffers::{Exec, in_workers};
use columnade_columns::Error as ColumnError;
use rayon::prelude::*;

use super::ENDINGS;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::error::{FileError, caught, expand};
use crate::io::file::SourceFile;
use crate::io::frames::{Parts, on_device};
use crate::io::paths::FilePaths;
use crate::options::default_exec_for;

const OPERATION: &str = "read_ipc";
/// What a file begins and ends with.
const MAGIC: &[u8; 6] = b"ARROW1";
/// The magic, padded, at the beginning; the length of the footer and the magic at the end.
const SMALLEST: usize = 18;

/// A read of Arrow IPC files under construction, see [`read_ipc`].
#[derive(Debug)]
#[must_use = "nothing is read before read"]
pub struct IpcReader {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    exec: Option<Exec>,
}

/// Reads an Arrow IPC file or stream, the files of a folder in the order of their names (`.arrow`, `.feather`, `.ipc`,
/// `.arrows`), or several of them, as one frame. Feather version 2 is the same format. Batches may be compressed with LZ4 or
/// Zstandard, and are decoded in parallel.
///
/// A file is read into memory as a whole. All values are validated.
///
/// ```
/// use columnade::{df, read_ipc};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("cities.arrow");
/// df! { "city" => ["Turin", "Oslo"], "since" => [1861, 1048] }?.write_ipc(&path)?;
///
/// let cities = read_ipc(&path).columns(["since"]).read()?;
/// assert_eq!(cities.column("since")?.to_vec::<i32>()?, [1861, 1048]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// The Arrow columnar format, section IPC; pandas `read_feather`, Polars `read_ipc`.
pub fn read_ipc(paths: impl Into<FilePaths>) -> IpcReader {
    let FilePaths(paths) = paths.into();
    IpcReader { paths, columns: None, exec: None }
}

impl IpcReader {
    /// Reads only these columns, in this order. Default: all.
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// Reads to the device of `exec`. Default: the thread's default device.
    pub fn exec(mut self, exec: &Exec) -> Self {
        self.exec = Some(exec.clone());
        self
    }

    /// Reads the frame.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when it is missing, of another format, truncated or damaged, lacks columns or has
    /// other columns than the first, or a column of a type that frames do not have; [`Error::Operation`] when memory runs out.
    pub fn read(self) -> Result<DataFrame> {
        let exec = match &self.exec {
            Some(exec) => exec.clone(),
            None => default_exec_for(OPERATION)?,
        };
        let mut parts: Option<(SchemaRef, Parts)> = None;
        let mut first = None;
        for path in &self.paths {
            let files = expand(path, &ENDINGS).map_err(|source| Error::file(OPERATION, path, source))?;
            for file in files {
                let failed = |source| Error::file(OPERATION, &file, source);
                let (schema, batches) = self.batches(&file).map_err(failed)?;
                let (expected, parts) = parts
                    .get_or_insert_with(|| (Arc::clone(&schema), Parts::new(Arc::clone(&schema), &exec)));
                check_same(expected, &schema).map_err(failed)?;
                for batch in batches {
                    parts.push(batch).map_err(|source| failed(FileError::Column(source)))?;
                }
                first.get_or_insert(file);
            }
        }
        let Some((_, parts)) = parts else {
            return Err(Error::file(OPERATION, "", FileError::NoPath));
        };
        let columns = on_device(parts, &exec);
        let columns = match (columns, first) {
            // Memory is no fault of the file.
            (Err(error @ ColumnError::Memory(_)), _) => Err(error).operation(OPERATION)?,
            (Err(source), Some(file)) => return Err(Error::file(OPERATION, file, FileError::Column(source))),
            (columns, _) => columns.operation(OPERATION)?,
        };
        Ok(DataFrame::from_accessor(columns, &exec))
    }

    /// The columns and batches of a file.
    fn batches(&self, path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>), FileError> {
        let bytes = read_whole(path)?;
        caught(|| if bytes.starts_with(MAGIC) { self.of_file(&bytes) } else { self.of_stream(bytes) })
    }

    fn of_file(&self, bytes: &Buffer) -> Result<(SchemaRef, Vec<RecordBatch>), FileError> {
        let trailer: Option<[u8; 10]> = bytes
            .len()
            .checked_sub(10)
            .filter(|_| bytes.len() >= SMALLEST)
            .and_then(|at| bytes[at..].try_into().ok());
        let Some(trailer) = trailer else {
            return Err(FileError::Damaged {
                reason: format!("it is truncated after {} bytes", bytes.len()),
            });
        };
        if &trailer[4..] != MAGIC {
            let reason = format!("it is truncated: its {} bytes do not end with ARROW1", bytes.len());
            return Err(FileError::Damaged { reason });
        }
        let length = read_footer_length(trailer).map_err(damaged)?;
        let end = bytes.len() - 10;
        let start = end.checked_sub(length).ok_or_else(|| damaged("its footer is longer than the file"))?;
        let footer = root_as_footer(&bytes[start..end]).map_err(damaged)?;
        let schema = footer.schema().ok_or_else(|| damaged("its footer has no schema"))?;
        let schema = Arc::new(try_fb_to_schema(schema).map_err(damaged)?);
        let positions = self.positions(&schema)?;
        // Columns come in the order of the projection.
        let mut decoder =
            FileDecoder::new(Arc::clone(&schema), footer.version()).with_projection(positions.clone());
        for block in footer.dictionaries().iter().flatten() {
            decoder.read_dictionary(block, &block_of(bytes, block)?).map_err(damaged)?;
        }
        let blocks: Vec<&Block> = footer.recordBatches().iter().flatten().collect();
        let decode =
            |block: &&Block| decoder.read_record_batch(block, &block_of(bytes, block)?).map_err(damaged);
        let batches = in_workers(|| blocks.par_iter().map(decode).collect::<Result<Vec<_>, _>>())?;
        Ok((selected(&schema, &positions), batches.into_iter().flatten().collect()))
    }

    fn of_stream(&self, mut bytes: Buffer) -> Result<(SchemaRef, Vec<RecordBatch>), FileError> {
        if bytes.is_empty() {
            return Err(FileError::NotIpc { reason: "it is empty".to_owned() });
        }
        let mut decoder = StreamDecoder::new();
        let mut batches = Vec::new();
        while !bytes.is_empty() {
            match decoder.decode(&mut bytes) {
                Ok(batch) => batches.extend(batch),
                Err(error) if decoder.schema().is_none() => {
                    return Err(FileError::NotIpc { reason: error.to_string() });
                }
                Err(error) => return Err(damaged(error)),
            }
        }
        let Some(schema) = decoder.schema() else {
            return Err(FileError::NotIpc { reason: "it has no schema".to_owned() });
        };
        decoder.finish().map_err(damaged)?;
        let positions = self.positions(&schema)?;
        let batches = batches.iter().map(|batch| batch.project(&positions).map_err(damaged));
        Ok((selected(&schema, &positions), batches.collect::<Result<_, _>>()?))
    }

    /// The positions of the columns that were asked for.
    fn positions(&self, schema: &Schema) -> Result<Vec<usize>, FileError> {
        let names = || schema.fields().iter().map(|field| field.name());
        let twice = |names: &[&String]| {
            let twice = names.iter().enumerate().find(|(k, name)| names[..*k].contains(name));
            twice.map(|(_, name)| FileError::Column(ColumnError::DuplicateLabel { label: (*name).into() }))
        };
        let asked: Vec<&String> = match &self.columns {
            Some(columns) => columns.iter().collect(),
            None => names().collect(),
        };
        if let Some(error) = twice(&asked) {
            return Err(error);
        }
        let missing: Vec<_> = asked
            .iter()
            .filter(|name| schema.column_with_name(name).is_none())
            .map(|name| (*name).into())
            .collect();
        if !missing.is_empty() {
            return Err(FileError::MissingColumns { missing, available: names().cloned().collect() });
        }
        Ok(asked.iter().filter_map(|name| Some(schema.column_with_name(name)?.0)).collect())
    }
}

fn read_whole(path: &Path) -> Result<Buffer, FileError> {
    let file = SourceFile::open(path).map_err(FileError::opening)?;
    let mut bytes = Vec::new();
    let length = usize::try_from(file.len()).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(length).map_err(|_| {
        let reason = format!("{length} bytes could not be allocated");
        FileError::Io(std::io::Error::new(std::io::ErrorKind::OutOfMemory, reason))
    })?;
    let read = file.position(0).take(file.len()).read_to_end(&mut bytes);
    read.map_err(|error| file.take_failure().unwrap_or(error))?;
    Ok(Buffer::from_vec(bytes))
}

/// The bytes of a block, which a damaged footer may have anywhere.
fn block_of(bytes: &Buffer, block: &Block) -> Result<Buffer, FileError> {
    let place = || {
        let offset = usize::try_from(block.offset()).ok()?;
        let body = usize::try_from(block.bodyLength()).ok()?;
        let length = usize::try_from(block.metaDataLength()).ok()?.checked_add(body)?;
        (offset.checked_add(length)? <= bytes.len()).then_some((offset, length))
    };
    let (offset, length) =
        place().ok_or_else(|| damaged("a batch is said to lie beyond the end of the file"))?;
    Ok(bytes.slice_with_length(offset, length))
}

fn selected(schema: &Schema, positions: &[usize]) -> SchemaRef {
    let fields: Vec<_> = positions.iter().map(|&at| Arc::clone(&schema.fields()[at])).collect();
    Arc::new(Schema::new(fields))
}

fn check_same(expected: &Schema, found: &Schema) -> Result<(), FileError> {
    let same = |(a, b): (&Arc<Field>, &Arc<Field>)| a.name() == b.name() && a.data_type() == b.data_type();
    let fields = || expected.fields().iter().zip(found.fields());
    if expected.fields().len() == found.fields().len() && fields().all(same) {
        return Ok(());
    }
    let names = |schema: &Schema| {
        let fields = schema.fields().iter().map(|field| format!("{} {}", field.name(), field.data_type()));
        fields.collect::<Vec<_>>().join(", ")
    };
    Err(FileError::SchemaDiffers { expected: names(expected), found: names(found) })
}

fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Damaged { reason: error.to_string() }
}

impl From<ArrowError> for FileError {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is another library's")]
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, source) => FileError::Io(source),
            other => FileError::Format(other.to_string()),
        }
    }
}
