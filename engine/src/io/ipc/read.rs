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
use columnade_columns::arrow::field_dtype;
use columnade_kernels::interrupt::Checkpoint;
use rayon::prelude::*;

use super::ENDINGS;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::error::{FileError, caught, check_unique, expand, expand_all};
use crate::io::file::SourceFile;
use crate::io::frames::{Parts, on_device};
use crate::io::paths::FilePaths;
use crate::options::default_exec_for;

pub(super) const OPERATION: &str = "read_ipc";
/// What a file begins and ends with.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";
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
        let exec = self.context()?;
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

    pub(super) fn context(&self) -> Result<Exec> {
        match &self.exec {
            Some(exec) => Ok(exec.clone()),
            None => default_exec_for(OPERATION),
        }
    }

    /// The files that are read.
    pub(super) fn files(&self) -> Result<Vec<PathBuf>> {
        expand_all(OPERATION, &self.paths, &ENDINGS)
    }

    /// The columns and batches of a file.
    fn batches(&self, path: &Path) -> Result<(SchemaRef, Vec<RecordBatch>), FileError> {
        let bytes = read_whole(path)?;
        caught(|| if bytes.starts_with(MAGIC) { self.of_file(&bytes) } else { self.of_stream(bytes) })
    }

    fn of_file(&self, bytes: &Buffer) -> Result<(SchemaRef, Vec<RecordBatch>), FileError> {
        let bytes_of = |at, length| Ok(bytes.slice_with_length(at, length));
        let OpenFile { schema, decoder, blocks } = self.opened(bytes.len(), &bytes_of)?;
        let checkpoint = Checkpoint::current();
        let decode = |block: &Block| {
            checkpoint.check();
            let (at, length) = range_of(block, bytes.len())?;
            decoder.read_record_batch(block, &bytes.slice_with_length(at, length)).map_err(damaged)
        };
        let batches = in_workers(|| blocks.par_iter().map(decode).collect::<Result<Vec<_>, _>>())?;
        Ok((schema, batches.into_iter().flatten().collect()))
    }

    /// What the footer of a file of `len` bytes says; `read` gives so many bytes from a position on, which are within the file.
    pub(super) fn opened(
        &self,
        len: usize,
        read: &dyn Fn(usize, usize) -> Result<Buffer, FileError>,
    ) -> Result<OpenFile, FileError> {
        let truncated = |reason| FileError::Damaged { reason };
        if len < SMALLEST {
            return Err(truncated(format!("it is truncated after {len} bytes")));
        }
        let end = len - 10;
        let trailer: [u8; 10] = read(end, 10)?.as_slice().try_into().map_err(damaged)?;
        if &trailer[4..] != MAGIC {
            return Err(truncated(format!("it is truncated: its {len} bytes do not end with ARROW1")));
        }
        let length = read_footer_length(trailer).map_err(damaged)?;
        let start = end.checked_sub(length).ok_or_else(|| damaged("its footer is longer than the file"))?;
        let footer = read(start, length)?;
        let footer = root_as_footer(&footer).map_err(damaged)?;
        let schema = footer.schema().ok_or_else(|| damaged("its footer has no schema"))?;
        let schema = Arc::new(try_fb_to_schema(schema).map_err(damaged)?);
        let positions = self.positions(&schema)?;
        // Columns come in the order of the projection.
        let mut decoder =
            FileDecoder::new(Arc::clone(&schema), footer.version()).with_projection(positions.clone());
        for block in footer.dictionaries().iter().flatten() {
            let (at, length) = range_of(block, len)?;
            decoder.read_dictionary(block, &read(at, length)?).map_err(damaged)?;
        }
        let blocks = footer.recordBatches().iter().flatten().copied().collect();
        Ok(OpenFile { schema: selected(&schema, &positions), decoder, blocks })
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
    pub(super) fn positions(&self, schema: &Schema) -> Result<Vec<usize>, FileError> {
        let names = || schema.fields().iter().map(|field| field.name());
        let asked: Vec<&String> = match &self.columns {
            Some(columns) => columns.iter().collect(),
            None => names().collect(),
        };
        check_unique(&asked)?;
        let missing: Vec<_> = asked
            .iter()
            .filter(|name| schema.column_with_name(name).is_none())
            .map(|name| (*name).into())
            .collect();
        if !missing.is_empty() {
            return Err(FileError::MissingColumns { missing, available: names().cloned().collect() });
        }
        let found: Vec<_> = asked.iter().filter_map(|name| schema.column_with_name(name)).collect();
        for (_, field) in &found {
            match field_dtype(field) {
                Err(ColumnError::NotImplemented { .. }) => {
                    let (column, data_type) = (field.name().clone(), field.data_type().to_string());
                    return Err(FileError::UnsupportedType { column, data_type });
                }
                Err(error) => return Err(FileError::Column(error.in_column(field.name()))),
                Ok(_) => {}
            }
        }
        Ok(found.into_iter().map(|(position, _)| position).collect())
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

/// A file whose footer and dictionaries are read.
pub(super) struct OpenFile {
    /// Of the columns that are read.
    pub(super) schema: SchemaRef,
    pub(super) decoder: FileDecoder,
    pub(super) blocks: Vec<Block>,
}

/// Where a block begins in a file of `len` bytes, and its length; a damaged footer may have it anywhere.
pub(super) fn range_of(block: &Block, len: usize) -> Result<(usize, usize), FileError> {
    let place = || {
        let offset = usize::try_from(block.offset()).ok()?;
        let body = usize::try_from(block.bodyLength()).ok()?;
        let length = usize::try_from(block.metaDataLength()).ok()?.checked_add(body)?;
        (offset.checked_add(length)? <= len).then_some((offset, length))
    };
    place().ok_or_else(|| damaged("a batch is said to lie beyond the end of the file"))
}

pub(super) fn selected(schema: &Schema, positions: &[usize]) -> SchemaRef {
    let fields: Vec<_> = positions.iter().map(|&at| Arc::clone(&schema.fields()[at])).collect();
    Arc::new(Schema::new(fields))
}

pub(super) fn check_same(expected: &Schema, found: &Schema) -> Result<(), FileError> {
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

pub(super) fn damaged(error: impl std::fmt::Display) -> FileError {
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
