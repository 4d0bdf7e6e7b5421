//! What an operation makes, and how two of them are compared.

use std::path::Path;

use arrow_array::{ArrayRef, RecordBatch};
use columnade::column::ColumnAccessor;
use columnade::errors::{ColumnError, DeviceError};
use columnade::files::FileError;
use columnade::parquet::ParquetError;
use columnade::{Column, DataFrame, Error, Exec, Result, Scalar, Series};
use columnade_columns::Label;
use columnade_columns::arrow::c::Violation;
use columnade_ops::copying::RowMap;

/// What an operation makes, still where it was made.
pub(crate) enum Made {
    Rows(ColumnAccessor),
    Column(Column),
    Maps(Vec<RowMap>),
    Scalars(Vec<Scalar>),
    Batch(RecordBatch),
    String(String),
    /// A Parquet file that is now there.
    File,
}

/// The values of what was made, on the host.
#[derive(PartialEq)]
pub(crate) struct Seen {
    columns: Vec<(String, ArrayRef)>,
    maps: Vec<Vec<Option<u64>>>,
    text: String,
}

impl Made {
    /// The values, read with no failure armed. A file is read and removed.
    pub(crate) fn see(&self, exec: &Exec, file: &Path) -> Result<Seen> {
        let mut seen = Seen { columns: Vec::new(), maps: Vec::new(), text: String::new() };
        match self {
            Self::Rows(columns) => seen.batch(&columns.to_record_batch()?),
            Self::Column(column) => {
                seen.batch(&ColumnAccessor::from_columns([("", column.clone())])?.to_record_batch()?);
            }
            Self::Maps(maps) => {
                let maps = maps.iter().map(|map| map.to_vec(exec));
                seen.maps = maps.collect::<Result<_, _>>().map_err(ColumnError::from)?;
            }
            // The last bits of sums of floats depend on the limit of memory.
            Self::Scalars(scalars) => {
                let text = |scalar: &Scalar| match scalar {
                    Scalar::Float64(value) => format!("Float64({value:.11e})"),
                    other => format!("{other:?}"),
                };
                seen.text = scalars.iter().map(text).collect::<Vec<_>>().join(", ");
            }
            Self::Batch(batch) => seen.batch(batch),
            Self::String(text) => seen.text.clone_from(text),
            Self::File => {
                let host = Exec::host();
                let head = std::fs::read(file).unwrap_or_default();
                let frame = if head.starts_with(b"PAR1") {
                    columnade::read_parquet(file).exec(&host).read()?
                } else if head.starts_with(b"ARROW1") {
                    columnade::read_ipc(file).exec(&host).read()?
                } else if head.starts_with(b"{") {
                    columnade::read_json(file).exec(&host).read()?
                } else {
                    columnade::read_csv(file).exec(&host).read()?
                };
                seen.batch(&frame.to_arrow()?);
                let _ = std::fs::remove_file(file);
            }
        }
        Ok(seen)
    }
}

impl Seen {
    fn batch(&mut self, batch: &RecordBatch) {
        let labels = batch.schema_ref().fields().iter().map(|field| field.name().clone());
        self.columns = labels.zip(batch.columns().iter().cloned()).collect();
        self.text = format!("{} rows", batch.num_rows());
    }

    /// What is not as in `expected`.
    pub(crate) fn difference(&self, expected: &Self) -> Option<String> {
        if self == expected {
            return None;
        }
        let columns = self.columns.iter().zip(&expected.columns).find(|(this, other)| this != other);
        Some(match columns {
            Some(((label, this), (_, other))) => {
                let differs = |row: &usize| this.slice(*row, 1) != other.slice(*row, 1);
                let row = (0..this.len().min(other.len())).find(differs).unwrap_or(0);
                let value = |array: &ArrayRef| {
                    format!("{:?} of {} rows", array.slice(row, usize::from(row < array.len())), array.len())
                };
                let text =
                    format!("the column {label:?} in row {row}: {}, not {}", value(this), value(other));
                text.split_whitespace().collect::<Vec<_>>().join(" ")
            }
            None if self.maps != expected.maps => "the row maps differ".to_owned(),
            None => format!("{} instead of {}", self.text, expected.text),
        })
    }
}

/// Whether the error says that memory, storage or a device failed, or which file it was that did.
pub(crate) fn names_failure(error: &Error) -> bool {
    match error {
        Error::Parquet { path, source: ParquetError::Io(_), .. } => !path.as_os_str().is_empty(),
        Error::File { path, source, .. } => match &**source {
            FileError::Io(_) => !path.as_os_str().is_empty(),
            FileError::Column(source) => in_columns(source),
            _ => false,
        },
        Error::Operation { source, .. }
        | Error::Value(source)
        | Error::Parquet { source: ParquetError::Column(source), .. } => in_columns(source),
        Error::Parquet { source: ParquetError::Values { source, .. }, .. } => in_columns(source),
        Error::Device(memory) => is_failure(memory),
        _ => false,
    }
}

fn in_columns(error: &ColumnError) -> bool {
    match error {
        ColumnError::Memory(memory) => is_failure(memory),
        ColumnError::Context { source, .. } => in_columns(source),
        // A C stream has a number and a text for what its producer met.
        ColumnError::ArrowInterface { violation: Violation::Producer { code, .. }, .. } => {
            [OUT_OF_MEMORY, INPUT_OR_OUTPUT].contains(code)
        }
        _ => false,
    }
}

/// The C library's `EIO`, of devices and files.
const INPUT_OR_OUTPUT: i32 = 5;
/// The C library's `ENOMEM`.
const OUT_OF_MEMORY: i32 = 12;

fn is_failure(memory: &DeviceError) -> bool {
    matches!(
        memory,
        DeviceError::OutOfMemory { .. } | DeviceError::Storage { .. } | DeviceError::Device { .. }
    )
}

impl From<ColumnAccessor> for Made {
    fn from(columns: ColumnAccessor) -> Self {
        Self::Rows(columns)
    }
}

impl From<Column> for Made {
    fn from(column: Column) -> Self {
        Self::Column(column)
    }
}

impl From<DataFrame> for Made {
    fn from(frame: DataFrame) -> Self {
        Self::Rows(frame.frame().accessor().clone())
    }
}

impl From<Series> for Made {
    fn from(series: Series) -> Self {
        Self::Column(series.values().clone())
    }
}

impl From<RowMap> for Made {
    fn from(map: RowMap) -> Self {
        Self::Maps(vec![map])
    }
}

impl From<Vec<(Label, Column)>> for Made {
    fn from(columns: Vec<(Label, Column)>) -> Self {
        // Labels of one evaluation are distinct.
        Self::Rows(ColumnAccessor::from_columns(columns).unwrap_or_default())
    }
}

impl From<Vec<Scalar>> for Made {
    fn from(scalars: Vec<Scalar>) -> Self {
        Self::Scalars(scalars)
    }
}

impl From<RecordBatch> for Made {
    fn from(batch: RecordBatch) -> Self {
        Self::Batch(batch)
    }
}
