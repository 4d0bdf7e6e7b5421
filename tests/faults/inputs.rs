//! The operands: columns of many dtypes, sliced so that no buffer begins where its column does.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use columnade::column::ColumnAccessor;
use columnade::{Column, DataFrame, Exec, Result};
use columnade_columns::{self as columns, CategoricalColumn};
use columnade_ops::copying::RowMap;
use tempfile::TempDir;

use crate::tables;

/// Rows in front of the slice that operations see: a whole step of what slices narrow buffers by, and an odd rest.
const SKIPPED: usize = 525;
/// Rows of the frame: enough for several chunks of an out-of-core operation.
pub(crate) const ROWS: usize = 1550;
/// Rows of the other frame.
pub(crate) const OTHER_ROWS: usize = 700;
/// Rows of the columns that few operations take.
const RARE_ROWS: usize = 600;

/// The operands on the host, whole, with memory that no trial counts.
pub(crate) struct Masters {
    frame: Vec<(&'static str, Column)>,
    other: Vec<(&'static str, Column)>,
    rare: Vec<(&'static str, Column)>,
    mask: Column,
    map: Vec<u32>,
    /// The folder of the files that operations write and read.
    folder: TempDir,
    pub(crate) batch: RecordBatch,
}

/// The operands of one run, on its device.
pub(crate) struct Inputs {
    pub(crate) exec: Exec,
    pub(crate) frame: DataFrame,
    pub(crate) other: DataFrame,
    /// Bytes, durations, intervals, lists and structs.
    pub(crate) rare: DataFrame,
    /// A third of it true, some of it null.
    pub(crate) mask: Column,
    /// Rows of the frame in no order, some of them none.
    pub(crate) map: RowMap,
    /// Columns of the host in Arrow's memory.
    pub(crate) batch: RecordBatch,
    /// A Parquet file of the frame, in several row groups.
    pub(crate) file: PathBuf,
    /// CSV, JSON and Arrow IPC files of some of its columns.
    pub(crate) csv: PathBuf,
    pub(crate) json: PathBuf,
    pub(crate) ipc: PathBuf,
    /// A file that is not there yet.
    pub(crate) target: PathBuf,
}

impl Masters {
    pub(crate) fn new() -> Result<Self> {
        let exec = Exec::host();
        let frame = tables::common(SKIPPED + ROWS, 11, &exec)?;
        let other = tables::common(SKIPPED + OTHER_ROWS, 101, &exec)?;
        let rare = tables::rare(SKIPPED + RARE_ROWS, &exec)?;
        let every = |n: u64| (0..).take(SKIPPED + ROWS).map(move |row: u64| row.is_multiple_of(n));
        let mask =
            every(3).zip(every(17)).map(|(is_true, is_null)| if is_null { None } else { Some(is_true) });
        let mask = Column::from_options(mask, &exec)?;
        let rows = u32::try_from(ROWS).unwrap_or(u32::MAX);
        let map =
            (0..rows).map(|row| if row % 19 == 3 { RowMap::NONE_U32 } else { row * 7 % rows }).collect();
        let whole = ColumnAccessor::from_columns(frame.clone())?.slice(SKIPPED, ROWS)?;
        let batch = whole.to_record_batch()?;
        let folder = tempfile::tempdir()
            .map_err(|error| columns::Error::InvalidArgument { name: "folder", reason: error.to_string() })?;
        let masters = Self { frame, other, rare, mask, map, folder, batch };
        let options = columnade::parquet::ParquetWriteOptions::new().row_group_rows(600);
        let whole = DataFrame::from_accessor(whole, &exec);
        whole.write_parquet_with(masters.file(), &options)?;
        let some = whole.select(["n", "word"])?;
        some.write_csv(masters.csv())?;
        some.write_json(masters.json())?;
        some.write_ipc_with(masters.ipc(), columnade::ipc::IpcWriteOptions::new().batch_rows(600))?;
        Ok(masters)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("frame.parquet")
    }

    /// Whether nothing lies in the folder that is not to be there.
    pub(crate) fn folder_is_tidy(&self) -> bool {
        let entries = std::fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        let known = [self.file(), self.csv(), self.json(), self.ipc(), self.target()];
        entries.map(|entry| entry.path()).all(|path| known.contains(&path))
    }

    fn csv(&self) -> PathBuf {
        self.folder.path().join("some.csv")
    }

    fn json(&self) -> PathBuf {
        self.folder.path().join("some.jsonl")
    }

    fn ipc(&self) -> PathBuf {
        self.folder.path().join("some.arrow")
    }

    fn target(&self) -> PathBuf {
        self.folder.path().join("made.parquet")
    }

    /// Copies of everything in memory of `exec`.
    pub(crate) fn upload(&self, exec: &Exec) -> Result<Inputs> {
        let rows = |table: &[(&'static str, Column)], len| {
            let copies = table.iter().map(|(label, column)| Ok((*label, copied(column, exec)?)));
            let columns = ColumnAccessor::from_columns(copies.collect::<columns::Result<Vec<_>>>()?)?;
            Ok::<_, columnade::Error>(DataFrame::from_accessor(columns.slice(SKIPPED, len)?, exec))
        };
        let _ = std::fs::remove_file(self.target());
        Ok(Inputs {
            exec: exec.clone(),
            frame: rows(&self.frame, ROWS)?,
            other: rows(&self.other, OTHER_ROWS)?,
            rare: rows(&self.rare, RARE_ROWS)?,
            mask: copied(&self.mask, exec)?.slice(SKIPPED, ROWS)?,
            map: RowMap::from_u32(&self.map, exec).map_err(columns::Error::from)?,
            batch: self.batch.clone(),
            file: self.file(),
            csv: self.csv(),
            json: self.json(),
            ipc: self.ipc(),
            target: self.target(),
        })
    }
}

impl Inputs {
    /// The columns of the frame.
    pub(crate) fn columns(&self) -> &ColumnAccessor {
        self.frame.frame().accessor()
    }

    /// A column of the frame.
    pub(crate) fn column(&self, label: &str) -> Result<&Column> {
        Ok(self.columns().get(label)?)
    }

    /// A column of the other frame.
    pub(crate) fn other_column(&self, label: &str) -> Result<&Column> {
        Ok(self.other.frame().accessor().get(label)?)
    }

    /// The bytes of every buffer, in a fixed order.
    pub(crate) fn bytes(&self) -> Result<Vec<Vec<u8>>> {
        let mut bytes = Vec::new();
        for frame in [&self.frame, &self.other, &self.rare] {
            for column in frame.frame().accessor().columns() {
                append_bytes(column, &self.exec, &mut bytes)?;
            }
        }
        append_bytes(&self.mask, &self.exec, &mut bytes)?;
        bytes.push(self.map.rows.to_vec(&self.exec)?);
        Ok(bytes)
    }
}

fn append_bytes(column: &Column, exec: &Exec, bytes: &mut Vec<Vec<u8>>) -> Result<()> {
    let offsets = column.offsets().map(|(offsets, _)| offsets);
    for buffer in [column.data(), column.mask(), offsets].into_iter().flatten() {
        bytes.push(buffer.to_vec(exec)?);
    }
    column.children().iter().try_for_each(|child| append_bytes(child, exec, bytes))
}

/// The same values in memory of their own.
fn copied(column: &Column, exec: &Exec) -> columns::Result<Column> {
    if column.device() != exec.device() {
        return column.to_device(exec);
    }
    let Column::Categorical(categorical) = column else { return column.deep_copy(exec) };
    // A deep copy shares the dictionary, which is never written.
    let dictionary = Arc::new(categorical.dictionary().deep_copy(exec)?);
    Ok(Column::Categorical(CategoricalColumn::new(&categorical.codes().deep_copy(exec)?, dictionary)?))
}
