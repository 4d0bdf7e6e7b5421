//! Writing Arrow IPC files.

use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions as Options, StreamWriter};
use arrow_schema::{Schema, SchemaRef};
use columnade_kernels::interrupt::Checkpoint;

use super::dictionaries::Dictionaries;
use super::message::check_codec;
use crate::dataframe::DataFrame;
use crate::error::{Error, Result};
use crate::io::appended::{AppendedColumns, conformed, nullable};
use crate::io::batches::Batches;
use crate::io::error::FileError;
use crate::io::file::{PartialFile, target};
use crate::io::nesting::{MOST_LEVELS, too_deep};

const OPERATION: &str = "write_ipc";

/// How the buffers of an Arrow IPC file are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IpcCompression {
    /// No compression.
    #[default]
    None,
    /// LZ4 frames. Needs the feature `lz4`, which is on by default.
    Lz4,
    /// Zstandard. Needs the feature `zstd`, which is on by default.
    Zstd,
}

impl IpcCompression {
    fn codec(self) -> Option<CompressionType> {
        match self {
            IpcCompression::None => None,
            IpcCompression::Lz4 => Some(CompressionType::LZ4_FRAME),
            IpcCompression::Zstd => Some(CompressionType::ZSTD),
        }
    }

    /// Refuses what this build does not have.
    pub(super) fn check(self) -> Result<(), FileError> {
        self.codec().map_or(Ok(()), check_codec)
    }
}

/// The two formats of Arrow IPC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum IpcFormat {
    /// A file, with the places of its batches at the end, so that any of them can be read alone; also Feather version 2.
    #[default]
    File,
    /// A stream, which is read from its beginning, as from a pipe or a socket.
    Stream,
}

/// How [`write_ipc`](crate::DataFrame::write_ipc) lays a file out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpcWriteOptions {
    compression: IpcCompression,
    format: IpcFormat,
    batch_rows: usize,
}

impl Default for IpcWriteOptions {
    fn default() -> Self {
        Self { compression: IpcCompression::None, format: IpcFormat::File, batch_rows: 1 << 20 }
    }
}

impl IpcWriteOptions {
    /// A file without compression, of batches of 2^20 rows.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the compression.
    #[must_use]
    pub fn compression(mut self, compression: IpcCompression) -> Self {
        self.compression = compression;
        self
    }

    /// Sets the format.
    #[must_use]
    pub fn format(mut self, format: IpcFormat) -> Self {
        self.format = format;
        self
    }

    /// Sets the rows of a batch, at least 1.
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows.max(1);
        self
    }
}

impl DataFrame {
    /// Writes the frame as an Arrow IPC file, which is also Feather version 2, without compression.
    ///
    /// The file appears under its name only when it is complete. On an error no file is left, and an existing file is
    /// unchanged.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to or the disk is full, and for labels that are not
    /// strings.
    ///
    /// # Source
    /// The Arrow columnar format, section IPC; pandas `DataFrame.to_feather`, Polars `write_ipc`.
    pub fn write_ipc(&self, path: impl AsRef<Path>) -> Result<()> {
        self.write_ipc_with(path, IpcWriteOptions::default())
    }

    /// [`write_ipc`](Self::write_ipc) with another layout.
    ///
    /// # Errors
    /// Same as [`write_ipc`](Self::write_ipc).
    pub fn write_ipc_with(&self, path: impl AsRef<Path>, options: IpcWriteOptions) -> Result<()> {
        let mut writer = IpcWriter::create(path, options)?;
        writer.is_whole = true;
        writer.append(self)?;
        writer.finish()
    }
}

/// Writes an Arrow IPC file or stream frame by frame, for tables larger than memory.
///
/// The columns are those of the first frame. A dictionary of a file gets the categories of later frames that are new, as delta
/// dictionaries, which pyarrow reads and Polars 2.1 does not; a stream has the categories of each frame. The bytes go to a
/// temporary file in the folder of the path, which takes its name in [`finish`](Self::finish). A writer that is dropped before, or that failed, leaves no file, and an existing file
/// unchanged. Without a frame the file has no columns.
///
/// ```
/// use columnade::ipc::{IpcWriteOptions, IpcWriter};
/// use columnade::{col, df, read_ipc, read_parquet};
///
/// let folder = tempfile::tempdir().unwrap();
/// let (from, to) = (folder.path().join("sales.parquet"), folder.path().join("large.arrow"));
/// df! { "id" => [1, 2, 3], "units" => [5, 70, 900] }?.write_parquet(&from)?;
///
/// let mut writer = IpcWriter::create(&to, IpcWriteOptions::new())?;
/// for part in read_parquet(&from).filter(col("units").gt(10)).scan()? {
///     writer.append(&part?)?;
/// }
/// writer.finish()?;
/// assert_eq!(read_ipc(&to).read()?.column("id")?.to_vec::<i32>()?, [2, 3]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// pyarrow `ipc.new_file` and `ipc.new_stream`, Polars `LazyFrame.sink_ipc`.
pub struct IpcWriter {
    path: PathBuf,
    target: PathBuf,
    options: IpcWriteOptions,
    /// None after a failure.
    encoder: Option<Encoder>,
    columns: AppendedColumns,
    /// Of the batches, once there is a frame.
    schema: Option<SchemaRef>,
    /// Whether there is one frame alone.
    is_whole: bool,
    rows: usize,
}

/// What the bytes of batches go through.
enum Encoder {
    /// Before the first frame.
    Unstarted(BufWriter<PartialFile>),
    File(FileWriter<BufWriter<PartialFile>>, Dictionaries),
    Stream(StreamWriter<BufWriter<PartialFile>>),
}

impl IpcWriter {
    /// Opens a writer.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, when the folder cannot be written to, or this build does not have the codec.
    pub fn create(path: impl AsRef<Path>, options: IpcWriteOptions) -> Result<Self> {
        let path = path.as_ref();
        let sink = || -> Result<_, FileError> {
            options.compression.check()?;
            let target = target(path)?.ok_or(FileError::NotAFile)?;
            let sink = PartialFile::beside(&target, ".arrow.part")?;
            Ok((BufWriter::new(sink), target))
        };
        let (sink, target) = sink().map_err(|source| Error::file(OPERATION, path, source))?;
        let (path, columns) = (path.to_owned(), AppendedColumns::default());
        let encoder = Some(Encoder::Unstarted(sink));
        Ok(Self { path, target, options, encoder, columns, schema: None, is_whole: false, rows: 0 })
    }

    /// Adds the rows of a frame, in batches.
    ///
    /// # Errors
    /// [`Error::File`], naming the file, for labels or dtypes that are not those of the first frame
    /// ([`SchemaDiffers`](FileError::SchemaDiffers), [`AppendedTypeDiffers`](FileError::AppendedTypeDiffers)), for categories of
    /// an ordered dictionary that are not those before or more ([`CategoriesDiffer`](FileError::CategoriesDiffer)), for a
    /// dictionary in structs or lists of a file whose categories are others than before, for labels that are not strings, and
    /// when the disk is full.
    pub fn append(&mut self, frame: &DataFrame) -> Result<()> {
        self.write(frame).map_err(|source| Error::file(OPERATION, &self.path, source))
    }

    /// The rows that were appended.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Writes the end and gives the file its name.
    ///
    /// # Errors
    /// [`Error::File`] when writing or renaming the file fails, or an append before has failed while it wrote.
    pub fn finish(self) -> Result<()> {
        let Self { path, target, options, encoder, .. } = self;
        let finished = encoder.ok_or_else(failed).and_then(|encoder| {
            let sink = encoder.started(&Schema::empty(), options)?.finish()?;
            let mut file = sink.into_inner().map_err(|error| FileError::Io(error.into_error()))?;
            Ok(file.rename(&target)?)
        });
        finished.map_err(|source| Error::file(OPERATION, &path, source))
    }

    fn write(&mut self, frame: &DataFrame) -> Result<(), FileError> {
        let batches = Batches::of(frame)?;
        if let Some(column) = too_deep(batches.schema()) {
            return Err(FileError::TooDeep { column: Some(column.to_owned()), limit: MOST_LEVELS });
        }
        self.columns.check(frame)?;
        self.columns.note(frame);
        let is_whole = self.is_whole;
        let of_frame = || if is_whole { Arc::clone(batches.schema()) } else { nullable(batches.schema()) };
        let schema = Arc::clone(self.schema.get_or_insert_with(of_frame));
        let mut encoder = self.encoder.take().ok_or_else(failed)?.started(&schema, self.options)?;
        write_batches(&batches, self.options.batch_rows, |batch| encoder.write(&conformed(batch, &schema)?))?;
        self.encoder = Some(encoder);
        self.rows += batches.rows();
        Ok(())
    }
}

impl Encoder {
    /// With the schema written, of the first frame.
    fn started(self, schema: &Schema, options: IpcWriteOptions) -> Result<Self, FileError> {
        let Encoder::Unstarted(sink) = self else { return Ok(self) };
        let layout = Options::default().try_with_compression(options.compression.codec())?;
        Ok(match options.format {
            IpcFormat::File => {
                let layout = layout.with_dictionary_handling(DictionaryHandling::Delta);
                let writer = FileWriter::try_new_with_options(sink, schema, layout)?;
                Encoder::File(writer, Dictionaries::default())
            }
            IpcFormat::Stream => Encoder::Stream(StreamWriter::try_new_with_options(sink, schema, layout)?),
        })
    }

    fn write(&mut self, batch: &RecordBatch) -> Result<(), FileError> {
        match self {
            Encoder::File(writer, dictionaries) => writer.write(&dictionaries.merged(batch)?)?,
            Encoder::Stream(writer) => writer.write(batch)?,
            Encoder::Unstarted(_) => {}
        }
        Ok(())
    }

    fn finish(self) -> Result<BufWriter<PartialFile>, FileError> {
        Ok(match self {
            Encoder::File(mut writer, _) => {
                writer.finish()?;
                writer.into_inner()?
            }
            Encoder::Stream(mut writer) => {
                writer.finish()?;
                writer.into_inner()?
            }
            Encoder::Unstarted(sink) => sink,
        })
    }
}

fn failed() -> FileError {
    FileError::Format("an append before has failed, and left no file".to_owned())
}

impl std::fmt::Debug for IpcWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IpcWriter")
            .field("path", &self.path)
            .field("options", &self.options)
            .field("rows", &self.rows)
            .finish_non_exhaustive()
    }
}

/// Gives the rows to `write`, so many at a time.
fn write_batches(
    batches: &Batches,
    rows: usize,
    mut write: impl FnMut(&RecordBatch) -> Result<(), FileError>,
) -> Result<(), FileError> {
    let checkpoint = Checkpoint::current();
    let rows = batches.step(rows)?;
    for start in (0..batches.rows()).step_by(rows) {
        checkpoint.check();
        write(&batches.slice(start, rows.min(batches.rows() - start))?)?;
    }
    Ok(())
}
