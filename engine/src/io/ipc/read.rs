//! Reading Arrow IPC: the batches of a file are decoded in parallel, where nothing is compressed without a copy.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{FileDecoder, read_footer_length};
use arrow_ipc::{Block, Footer, root_as_footer};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use columnade_buffers::{Device, Exec, MappedFile, in_workers, system_has_memory};
use columnade_columns::Error as ColumnError;
use columnade_columns::arrow::field_dtype;
use columnade_kernels::interrupt::Checkpoint;
use flatbuffers::InvalidFlatbuffer;
use rayon::prelude::*;

use super::ENDINGS;
use super::message::{ReadAt, Stream, check_block, schema_of_stream};
use super::scan::Reading;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::adopt;
use crate::io::error::{FileError, caught, check_known, check_unique, expand_all};
use crate::io::file::SourceFile;
use crate::io::frames::{Parts, on_device};
use crate::io::hive::Partitions;
use crate::io::merge::{self, Named, NamedFields, Source};
use crate::io::nesting::{MOST_LEVELS, is_too_deep};
use crate::io::paths::FilePaths;
use crate::io::wide_integers::{WideIntegers, wide_integers};
use crate::options::default_exec_for;

pub(super) const OPERATION: &str = "read_ipc";
/// What a file begins and ends with.
pub(super) const MAGIC: &[u8; 6] = b"ARROW1";
/// What a file of Feather version 1 begins and ends with.
const FEATHER_V1: &[u8] = b"FEA1";
/// The magic, padded, at the beginning; the length of the footer and the magic at the end.
const SMALLEST: usize = 18;

/// The progress of a read; see [`IpcReader::progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpcProgress {
    /// Bytes of the files whose batches are decoded so far.
    pub bytes_done: u64,
    /// Bytes of all files.
    pub bytes: u64,
}

/// Who is told of the progress of a read.
type ReportProgress<'a> = Box<dyn Fn(IpcProgress) + Send + Sync + 'a>;

/// A read of Arrow IPC files under construction, see [`read_ipc`].
#[must_use = "nothing is read before read"]
pub struct IpcReader<'a> {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    hive_partitions: bool,
    memory_map: bool,
    exec: Option<Exec>,
    pub(super) progress: Option<ReportProgress<'a>>,
}

/// Reads an Arrow IPC file or stream, the files of a folder in the order of their names (`.arrow`, `.feather`, `.ipc`,
/// `.arrows`), those that match a pattern, or several of them, as one frame: see [`FilePaths`]. Feather version 2 is the same format;
/// version 1 is another one, and an error that says so. Batches may be compressed with LZ4 or
/// Zstandard, and are decoded in parallel.
///
/// The columns are those of all files, by their names, in the order in which they are met, and then those in the names of folders,
/// see [`hive_partitions`](IpcReader::hive_partitions). A column that a file lacks is null in its rows; numbers of different dtypes
/// become the narrowest number with all their values, in lists and structs too; a struct has the fields of all files. Integers of 64
/// bits beside floats become `float64`, and a value that it does not represent is an error.
///
/// A file is read into memory as a whole, or mapped: see [`memory_map`](IpcReader::memory_map). Lengths,
/// offsets, codes and text are validated, but not whether times are within a day, or decimals within their digits.
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
pub fn read_ipc<'a>(paths: impl Into<FilePaths>) -> IpcReader<'a> {
    let FilePaths(paths) = paths.into();
    IpcReader { paths, columns: None, hive_partitions: true, memory_map: false, exec: None, progress: None }
}

impl<'a> IpcReader<'a> {
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

    /// Whether files are mapped into memory in place of reading them. Default: false.
    ///
    /// On the host, columns of a file of one batch without compression, and those of [`scan`](Self::scan), then lie in the mapped
    /// file, without a copy: no budget counts them, they are never spilled, and what writes to one copies it first. What is not
    /// aligned in the file, has to be decoded, or goes to a device, is copied as ever. The file stays mapped as long as one of
    /// its columns is there, even if it is deleted or another takes its name.
    ///
    /// Nothing guards a mapped file: values change with it if another program writes to it, and the system ends the process
    /// (`SIGBUS`) that looks at rows of a file that was truncated. Map only files that are replaced as a whole, as
    /// [`write_ipc`](DataFrame::write_ipc) does.
    ///
    /// # Source
    /// pyarrow `memory_map`, Polars `read_ipc` with `memory_map`.
    pub fn memory_map(mut self, memory_map: bool) -> Self {
        self.memory_map = memory_map;
        self
    }

    /// Whether files are looked for in folders of a folder that are called `name=value`, and such names in the path below it, or
    /// below a pattern's first wildcard, are columns at the end of the frame: see
    /// [`ParquetReader::hive_partitions`](crate::parquet::ParquetReader::hive_partitions). Default: true.
    pub fn hive_partitions(mut self, hive_partitions: bool) -> Self {
        self.hive_partitions = hive_partitions;
        self
    }

    /// Calls `report` after each batch, from the threads that decode. [`scan`](Self::scan) does not report.
    pub fn progress(mut self, report: impl Fn(IpcProgress) + Send + Sync + 'a) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Reads the frame.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when it is missing, of another format, truncated or damaged, lacks columns, has one
    /// whose dtype does not fit that of the files before, or a column of a type that frames do not have; [`Error::Operation`]
    /// when memory runs out.
    pub fn read(self) -> Result<DataFrame> {
        let exec = self.context()?;
        let Plan { schema, files } = self.plan()?;
        let mut parts = Parts::new(schema, &exec);
        let progress = Progress::new(self.progress, &files);
        let mut before = 0;
        // Under a limit of memory a file is not read as a whole.
        let at_a_time = adopt::at_a_time(&exec).filter(|_| !self.memory_map && exec.device() == Device::Host);
        let _reserved = at_a_time.and_then(|bytes| adopt::decoding(bytes, &exec));
        for file in &files {
            let failed = |source| Error::file(OPERATION, &file.path, source);
            let read = match at_a_time {
                Some(bytes) => file.read_some(bytes, &mut parts, &progress, before),
                None => file.read_whole(&mut parts, &progress),
            };
            read.map_err(failed)?;
            // What is no batch: dictionaries, and the footer.
            before += file.bytes;
            progress.reached(before);
        }
        let columns = match (on_device(parts, &exec), files.first()) {
            // Memory is no fault of the file.
            (Err(error @ ColumnError::Memory(_)), _) => Err(error).operation(OPERATION)?,
            (Err(source), Some(file)) => {
                return Err(Error::file(OPERATION, &file.path, FileError::Column(source)));
            }
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

    /// The columns of the frame, and where the files have them.
    pub(super) fn plan(&self) -> Result<Plan> {
        let found = expand_all(OPERATION, &self.paths, &ENDINGS, self.hive_partitions)?;
        let Some(first) = found.first() else {
            return Err(Error::file(OPERATION, "", FileError::NoPath));
        };
        let failed = |at: usize, source| Error::file(OPERATION, &found[at].path, source);
        let schemas = found
            .iter()
            .enumerate()
            .map(|(at, file)| caught(|| schema_of(&file.path)).map_err(|source| failed(at, source)));
        let (schemas, sizes): (Vec<_>, Vec<_>) = schemas.collect::<Result<Vec<_>>>()?.into_iter().unzip();
        let partitions = Partitions::new(found.iter().map(|file| file.partitions.as_slice()));
        let available = merge::labels(schemas.iter().map(AsRef::as_ref), &partitions);
        let labels = self.columns.as_ref().unwrap_or(&available);
        let checked = check_unique(labels).and_then(|()| check_known(labels, &available));
        checked.map_err(|source| Error::file(OPERATION, &first.path, source))?;
        let mut sources = Vec::with_capacity(found.len());
        for (at, schema) in schemas.iter().enumerate() {
            let named = NamedFields::of(schema);
            let of_file = |label: &String| match partitions.scalar(at, label) {
                Some(value) => Ok(Source::Path(value)),
                None => stored(&named, label),
            };
            let of_file = labels.iter().map(of_file).collect::<Result<Vec<_>, _>>();
            sources.push(of_file.map_err(|source| failed(at, source))?);
        }
        let fields = merge::fields(labels, &partitions, &mut sources)
            .map_err(|(at, fault)| failed(at, fault.into()))?;
        let files = found.into_iter().zip(sizes).zip(schemas).zip(sources);
        let files = files.map(|(((found, bytes), schema), sources)| {
            let positions = sources.iter().filter_map(Source::position).collect();
            PlannedFile {
                path: found.path,
                bytes,
                schema,
                positions,
                sources: sources.into(),
                memory_map: self.memory_map,
            }
        });
        Ok(Plan { schema: Arc::new(Schema::new(fields)), files: files.collect() })
    }
}

/// What is decoded of all files, and who is told.
pub(super) struct Progress<'a> {
    report: Option<ReportProgress<'a>>,
    done: AtomicU64,
    all: u64,
}

impl<'a> Progress<'a> {
    /// That of a read of these files.
    pub(super) fn new(report: Option<ReportProgress<'a>>, files: &[PlannedFile]) -> Self {
        let all = files.iter().map(|file| file.bytes).sum();
        Self { report, done: AtomicU64::new(0), all }
    }

    /// Reports that so many more bytes are decoded.
    fn decoded(&self, bytes: usize) {
        let bytes = bytes as u64;
        let done = self.done.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.report(done);
    }

    /// Reports that `done` bytes are.
    pub(super) fn reached(&self, done: u64) {
        self.done.store(done, Ordering::Relaxed);
        self.report(done);
    }

    fn report(&self, done: u64) {
        if let Some(report) = &self.report {
            // A damaged file may have a batch twice.
            report(IpcProgress { bytes_done: done.min(self.all), bytes: self.all });
        }
    }
}

/// What is to be read of several files.
pub(super) struct Plan {
    /// Of the frame.
    pub(super) schema: SchemaRef,
    pub(super) files: Vec<PlannedFile>,
}

/// A file whose columns are known.
#[derive(Clone, Debug)]
pub(super) struct PlannedFile {
    pub(super) path: PathBuf,
    /// Its size.
    pub(super) bytes: u64,
    /// Of all columns in it.
    schema: SchemaRef,
    /// Where it has the columns of the frame that it has.
    positions: Vec<usize>,
    pub(super) sources: Arc<[Source]>,
    pub(super) memory_map: bool,
}

impl PlannedFile {
    /// Adds the rows of the file to a frame: all of its batches are decoded at a time.
    fn read_whole(&self, parts: &mut Parts, progress: &Progress<'_>) -> Result<(), FileError> {
        let (batches, mapped) = self.batches(progress)?;
        for batch in batches {
            parts.push_of(batch, &self.sources, mapped.as_ref()).map_err(FileError::Column)?;
        }
        Ok(())
    }

    /// Adds the rows of the file to a frame: batches of about `bytes` bytes are decoded at a time. `before` bytes of other files
    /// were read before.
    fn read_some(
        &self,
        bytes: usize,
        parts: &mut Parts,
        progress: &Progress<'_>,
        before: u64,
    ) -> Result<(), FileError> {
        let mut reading = caught(|| Reading::of(self))?;
        while let Some(batches) = caught(|| reading.batches(self, bytes))? {
            progress.reached(before + reading.bytes_done);
            for batch in batches {
                parts.push_of(batch, &self.sources, None).map_err(FileError::Column)?;
            }
        }
        Ok(())
    }

    /// The batches of the file, of the columns that are read, and the mapping that they are in.
    fn batches(&self, progress: &Progress<'_>) -> Result<(Vec<RecordBatch>, Option<MappedFile>), FileError> {
        let file = SourceFile::open(&self.path).map_err(FileError::opening)?;
        let mapped = if self.memory_map { Some(file.mapped()?) } else { None };
        let bytes = match &mapped {
            Some(mapped) => mapped.to_arrow(),
            None => bytes_of_all(&file)?,
        };
        let batches = caught(|| {
            if bytes.starts_with(MAGIC) {
                self.of_file(&bytes, progress)
            } else {
                self.of_stream(&bytes, progress)
            }
        })?;
        Ok((batches, mapped))
    }

    fn of_file(&self, bytes: &Buffer, progress: &Progress<'_>) -> Result<Vec<RecordBatch>, FileError> {
        let bytes_of = |at, length| Ok(bytes.slice_with_length(at, length));
        let OpenFile { decoder, blocks } = self.opened(bytes.len(), &bytes_of)?;
        let checkpoint = Checkpoint::current();
        let decode = |(number, block): (usize, &Block)| {
            checkpoint.check();
            let failed = |error: FileError| error.in_batch(number);
            let (at, length) = range_of(block, bytes.len()).map_err(failed)?;
            let batch = caught(|| read_block(&decoder, block, &bytes.slice_with_length(at, length)));
            progress.decoded(length);
            batch.map_err(failed)
        };
        let decoded = || blocks.par_iter().enumerate().map(decode).collect::<Result<Vec<_>, _>>();
        let batches = in_workers(decoded)?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// What the footer of a file of `len` bytes says; `read` gives so many bytes from a position on, which are within the file.
    pub(super) fn opened(&self, len: usize, read: &ReadAt<'_>) -> Result<OpenFile, FileError> {
        let footer = footer_of(len, read)?;
        let footer = root_as_footer(&footer).map_err(invalid)?;
        self.check(&schema_in(&footer)?)?;
        let mut decoder = FileDecoder::new(Arc::clone(&self.schema), footer.version());
        // Columns come in the order of the projection, which takes time by the square of their number.
        if !self.positions.iter().copied().eq(0..self.schema.fields().len()) {
            decoder = decoder.with_projection(self.positions.clone());
        }
        for block in footer.dictionaries().iter().flatten() {
            let (at, length) = range_of(block, len)?;
            let bytes = read(at, length)?;
            check_block(&bytes, usize::try_from(block.metaDataLength()).map_err(damaged)?)?;
            decoder.read_dictionary(block, &bytes).map_err(damaged)?;
        }
        let blocks = footer.recordBatches().iter().flatten().copied().collect();
        Ok(OpenFile { decoder, blocks })
    }

    fn of_stream(&self, bytes: &Buffer, progress: &Progress<'_>) -> Result<Vec<RecordBatch>, FileError> {
        let (mut stream, mut batches) = (Stream::default(), Vec::new());
        let bytes_of = |at, length| Ok(bytes.slice_with_length(at, length));
        let mut before = stream.position();
        while let Some(batch) =
            stream.next(bytes.len(), &bytes_of).map_err(|error| error.in_batch(batches.len()))?
        {
            batches.push(self.projected(&batch)?);
            progress.decoded(stream.position() - before);
            before = stream.position();
        }
        Ok(batches)
    }

    /// The columns that are read of a batch of all.
    pub(super) fn projected(&self, batch: &RecordBatch) -> Result<RecordBatch, FileError> {
        self.check(batch.schema_ref())?;
        batch.project(&self.positions).map_err(damaged)
    }

    /// Refuses other columns than those that the file was found to have.
    fn check(&self, found: &Schema) -> Result<(), FileError> {
        if self.schema.fields() == found.fields() {
            return Ok(());
        }
        Err(damaged("its columns changed while it was read"))
    }
}

/// Where a file has a column that is not in its path.
fn stored(named: &NamedFields<'_>, label: &str) -> Result<Source, FileError> {
    let (position, field) = match named.get(label) {
        Named::Nowhere => return Ok(Source::Missing),
        Named::Twice => {
            return Err(FileError::Column(ColumnError::DuplicateLabel { label: label.into() }));
        }
        Named::At(position, field) => (position, field),
    };
    match field_dtype(field) {
        Err(ColumnError::NotImplemented { .. }) => {
            let (column, data_type) = (field.name().clone(), field.data_type().to_string());
            Err(FileError::UnsupportedType { column, data_type })
        }
        Err(error) => Err(FileError::Column(error.in_column(field.name()))),
        Ok(_) => Ok(Source::File { position, field: Arc::clone(field), is_widened: false }),
    }
}

/// The columns of a file, and its size.
fn schema_of(path: &Path) -> Result<(SchemaRef, u64), FileError> {
    let file = SourceFile::open(path).map_err(FileError::opening)?;
    let len = usize::try_from(file.len()).map_err(damaged)?;
    if is_file(&file)? {
        let footer = footer_of(len, &|at, length| bytes_of(&file, at, length))?;
        let schema = schema_in(&root_as_footer(&footer).map_err(invalid)?)?;
        return Ok((Arc::new(schema), file.len()));
    }
    if len == 0 {
        return Err(FileError::NotIpc { reason: "it is empty".to_owned() });
    }
    if len >= FEATHER_V1.len() && bytes_of(&file, 0, FEATHER_V1.len())?.as_slice() == FEATHER_V1 {
        return Err(FileError::FeatherV1);
    }
    let schema = schema_of_stream(len, &|at, length| bytes_of(&file, at, length))?;
    Ok((Arc::new(schema), file.len()))
}

/// A batch of a file.
pub(super) fn read_block(
    decoder: &FileDecoder,
    block: &Block,
    bytes: &Buffer,
) -> Result<Option<RecordBatch>, FileError> {
    check_block(bytes, usize::try_from(block.metaDataLength()).map_err(damaged)?)?;
    decoder.read_record_batch(block, bytes).map_err(damaged)
}

/// Whether it is a file of the format, not a stream.
pub(super) fn is_file(file: &SourceFile) -> Result<bool, FileError> {
    let has_magic = file.len() >= MAGIC.len() as u64;
    Ok(has_magic && bytes_of(file, 0, MAGIC.len())?.as_slice() == MAGIC)
}

/// The bytes of the footer of a file of `len` bytes.
fn footer_of(len: usize, read: &ReadAt<'_>) -> Result<Buffer, FileError> {
    if len < SMALLEST {
        return Err(damaged(format!("it is truncated after {len} bytes")));
    }
    let end = len - 10;
    let trailer: [u8; 10] = read(end, 10)?.as_slice().try_into().map_err(damaged)?;
    if &trailer[4..] != MAGIC {
        return Err(damaged(format!("it is truncated: its {len} bytes do not end with ARROW1")));
    }
    let length = read_footer_length(trailer).map_err(damaged)?;
    let start = end.checked_sub(length).ok_or_else(|| damaged("its footer is longer than the file"))?;
    read(start, length)
}

fn schema_in(footer: &Footer<'_>) -> Result<Schema, FileError> {
    to_arrow(footer.schema().ok_or_else(|| damaged("its footer has no schema"))?)
}

/// The columns that a schema of the format has.
pub(super) fn to_arrow(schema: arrow_ipc::Schema<'_>) -> Result<Schema, FileError> {
    if let Some(WideIntegers { column, data_type }) = wide_integers(&schema) {
        return Err(FileError::UnsupportedType { column, data_type });
    }
    try_fb_to_schema(schema).map_err(damaged)
}

/// Bytes of a file, which are within it unless it became shorter.
pub(super) fn bytes_of(file: &SourceFile, at: usize, length: usize) -> Result<Buffer, FileError> {
    let mut bytes = with_capacity(length)?;
    bytes.resize(length, 0_u8);
    file.read_exact_at(at as u64, &mut bytes)?;
    Ok(Buffer::from_vec(bytes))
}

fn with_capacity(length: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = Vec::new();
    if system_has_memory(length) && bytes.try_reserve_exact(length).is_ok() {
        return Ok(bytes);
    }
    let reason = format!("{length} bytes could not be allocated");
    Err(FileError::out_of_memory(reason))
}

fn bytes_of_all(file: &SourceFile) -> Result<Buffer, FileError> {
    let mut bytes = with_capacity(usize::try_from(file.len()).unwrap_or(usize::MAX))?;
    let read = file.position(0).take(file.len()).read_to_end(&mut bytes);
    read.map_err(|error| file.take_failure().unwrap_or(error))?;
    Ok(Buffer::from_vec(bytes))
}

/// A file whose footer and dictionaries are read.
pub(super) struct OpenFile {
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

/// The error of metadata that are not as they should be.
pub(super) fn invalid(error: InvalidFlatbuffer) -> FileError {
    if is_too_deep(&error) {
        return FileError::TooDeep { column: None, limit: MOST_LEVELS };
    }
    damaged(error)
}

pub(super) fn damaged(error: impl std::fmt::Display) -> FileError {
    FileError::Damaged { batch: None, reason: error.to_string() }
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

impl std::fmt::Debug for IpcReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IpcReader")
            .field("paths", &self.paths)
            .field("columns", &self.columns)
            .field("hive_partitions", &self.hive_partitions)
            .field("memory_map", &self.memory_map)
            .field("exec", &self.exec)
            .finish_non_exhaustive()
    }
}
