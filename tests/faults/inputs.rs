//! The operands: columns of many dtypes, sliced so that no buffer begins where its column does.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use columnade::{Column, ColumnAccessor, DType, DataFrame, Exec, Result, Scalar, TimeUnit};
use columnade_buffers::Buffer;
use columnade_columns::{self as columns, CategoricalColumn};
use columnade_kernels::{ColumnData, FixedData, TextData};
use columnade_ops::copying::RowMap;
use tempfile::TempDir;

/// Rows in front of the slice that operations see: a whole step of what slices narrow buffers by, and an odd rest.
const SKIPPED: usize = 525;
/// Rows of the frame: enough for several pieces of an operation that runs in pieces.
pub(crate) const ROWS: usize = 1550;
/// Rows of the other frame.
pub(crate) const OTHER_ROWS: usize = 700;

/// The operands on the host, whole, with memory that no trial counts.
pub(crate) struct Masters {
    frame: Vec<(&'static str, Column)>,
    other: Vec<(&'static str, Column)>,
    mask: Column,
    map: Vec<u32>,
    /// Whoever writes or reads files does so here.
    folder: TempDir,
    pub(crate) batch: RecordBatch,
}

/// The operands of one run, on its device.
pub(crate) struct Inputs {
    pub(crate) exec: Exec,
    pub(crate) frame: DataFrame,
    pub(crate) other: DataFrame,
    /// A third of it true, some of it null.
    pub(crate) mask: Column,
    /// Rows of the frame in no order, some of them none.
    pub(crate) map: RowMap,
    /// Columns of the host in Arrow's memory.
    pub(crate) batch: RecordBatch,
    /// A Parquet file of the frame, in several row groups.
    pub(crate) file: PathBuf,
    /// A file that is not there yet.
    pub(crate) target: PathBuf,
}

impl Masters {
    pub(crate) fn new() -> Result<Self> {
        let exec = Exec::host();
        let frame = table(SKIPPED + ROWS, 11, &exec)?;
        let other = table(SKIPPED + OTHER_ROWS, 101, &exec)?;
        let every = |n: u64| (0..).take(SKIPPED + ROWS).map(move |row: u64| row.is_multiple_of(n));
        let mask =
            every(3).zip(every(17)).map(|(is_true, is_null)| if is_null { None } else { Some(is_true) });
        let mask = Column::from_options(mask, &exec)?;
        let rows = u32::try_from(ROWS).unwrap_or(u32::MAX);
        let map =
            (0..rows).map(|row| if row % 19 == 3 { RowMap::NONE_U32 } else { row * 7 % rows }).collect();
        let whole = ColumnAccessor::from_columns(frame.clone())?.slice(SKIPPED, ROWS)?;
        let batch = whole.to_record_batch()?;
        let folder = tempfile::tempdir().map_err(|error| columns::Error::InvalidArgument {
            op: "faults",
            name: "folder",
            reason: error.to_string(),
        })?;
        let masters = Self { frame, other, mask, map, folder, batch };
        let options = columnade::ParquetWriteOptions::new().row_group_rows(600);
        DataFrame::from_accessor(whole, &exec).write_parquet_with(masters.file(), &options)?;
        Ok(masters)
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join("frame.parquet")
    }

    /// Whether nothing lies in the folder that is not to be there.
    pub(crate) fn folder_is_tidy(&self) -> bool {
        let entries = std::fs::read_dir(self.folder.path()).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).all(|path| path == self.file() || path == self.target())
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
            mask: copied(&self.mask, exec)?.slice(SKIPPED, ROWS)?,
            map: RowMap::from_u32(&self.map, exec).map_err(columns::Error::from)?,
            batch: self.batch.clone(),
            file: self.file(),
            target: self.target(),
        })
    }
}

impl Inputs {
    /// The columns of the frame.
    pub(crate) fn columns(&self) -> &ColumnAccessor {
        self.frame.frame().columns()
    }

    /// A column of the frame.
    pub(crate) fn column(&self, label: &str) -> Result<&Column> {
        Ok(self.columns().get(label)?)
    }

    /// A column of the other frame.
    pub(crate) fn other_column(&self, label: &str) -> Result<&Column> {
        Ok(self.other.frame().columns().get(label)?)
    }

    /// The bytes of every buffer, in a fixed order.
    pub(crate) fn bytes(&self) -> Result<Vec<Vec<u8>>> {
        let mut bytes = Vec::new();
        for columns in [self.columns(), self.other.frame().columns()] {
            for column in columns.columns() {
                append_bytes(column, &self.exec, &mut bytes)?;
            }
        }
        append_bytes(&self.mask, &self.exec, &mut bytes)?;
        bytes.push(self.map.rows.to_vec(&self.exec)?);
        Ok(bytes)
    }
}

fn append_bytes(column: &Column, exec: &Exec, bytes: &mut Vec<Vec<u8>>) -> Result<()> {
    bytes.push(column.data().to_vec(exec)?);
    if let Some(mask) = column.mask() {
        bytes.push(mask.to_vec(exec)?);
    }
    if let Column::String(text) = column {
        bytes.push(text.offsets().to_vec(exec)?);
    }
    column.children().iter().try_for_each(|child| append_bytes(child, exec, bytes))
}

/// The same values in memory of their own.
fn copied(column: &Column, exec: &Exec) -> columns::Result<Column> {
    let copy = |buffer: &Buffer| buffer.copy_to(exec);
    let (len, dtype) = (column.size(), column.dtype());
    let validity = column.mask().map(copy).transpose()?;
    let data = match column {
        Column::Categorical(categorical) => {
            let codes = copied(&categorical.codes(), exec)?;
            let dictionary = Arc::new(copied(categorical.dictionary(), exec)?);
            return CategoricalColumn::new(&codes, dictionary).map(Column::Categorical);
        }
        Column::String(text) => ColumnData::Text(TextData {
            len,
            offsets: copy(text.offsets())?,
            offset_width: text.offset_width(),
            chars: copy(text.chars())?,
            validity,
        }),
        _ => {
            let unsupported = columns::Error::UnsupportedDType { op: "faults", dtype: dtype.clone() };
            let storage = dtype.storage().ok_or(unsupported)?;
            ColumnData::Fixed(FixedData { storage, len, data: copy(column.data())?, validity })
        }
    };
    Column::from_data(dtype, data)
}

/// Columns of `rows` rows, of which one in `nulls` is null where some are.
///
/// The floats are sums of quarters: however an operation is cut into pieces, their sums are exact.
fn table(rows: usize, nulls: u64, exec: &Exec) -> Result<Vec<(&'static str, Column)>> {
    const WORDS: [&str; 8] =
        ["", "a", "ß", "naïve", "中文", "🦀 crab", "Zebra", "a longer word, of 31 bytes"];
    let numbers = || (0_u64..).take(rows);
    let mixed = |row: u64| row.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    let below = |row: u64, bound: u64| i32::try_from(mixed(row) % bound).unwrap_or(0);
    let there = |row: u64| row % nulls != 5;
    let float = |row: u64| match row % 97 {
        13 => f64::NAN,
        14 => -0.0,
        15 => f64::INFINITY,
        _ => f64::from(below(row, 4001) - 2000) / 4.0,
    };
    let word = |row: u64| {
        let word = usize::try_from(mixed(row) % 8).map_or("", |at| WORDS[at]);
        format!("{word}{}", mixed(row) % 50)
    };
    let n = numbers().map(|row| there(row).then(|| below(row, 500) - 250));
    let wide = numbers().map(|row| i64::from(below(row, 1 << 20)) * 4_000_000_007);
    let small = numbers().map(|row| there(row + 3).then(|| u16::try_from(mixed(row) % 40_000).unwrap_or(0)));
    let price = numbers().map(|row| there(row + 1).then(|| i64::from(below(row, 1_000_000)) - 1000));
    let decimal = |value| Scalar::Decimal { value, precision: 30, scale: 4 };
    let exact: Vec<Scalar> = numbers().map(|row| decimal(i128::from(mixed(row)) * 1_000_000_007)).collect();
    let day = numbers().map(|row| there(row + 2).then(|| below(row, 30_000)));
    let time = numbers().map(|row| i64::from(below(row, 1 << 22)) * 1_000_003);
    let dictionary = Arc::new(Column::from_values(["m", "ß", "a", "", "zz", "中"], exec)?);
    let codes = numbers().map(|row| there(row + 4).then(|| i8::try_from(mixed(row) % 6).unwrap_or(0)));
    let codes = Column::from_options(codes, exec)?;
    Ok(vec![
        ("n", Column::from_options(n, exec)?),
        ("wide", Column::from_values(wide, exec)?),
        ("small", Column::from_options(small, exec)?),
        ("float", Column::from_values(numbers().map(float), exec)?),
        ("single", Column::from_options(numbers().map(|row| there(row).then(|| row as f32 / 4.0)), exec)?),
        ("flag", Column::from_options(numbers().map(|row| there(row).then_some(row % 3 == 1)), exec)?),
        ("word", Column::from_options(numbers().map(|row| there(row + 5).then(|| word(row))), exec)?),
        ("price", Column::from_options(price, exec)?.reinterpret(&DType::decimal(15, 2)?)?),
        ("exact", Column::from_scalars(&DType::decimal(30, 4)?, &exact, exec)?),
        ("day", Column::from_options(day, exec)?.reinterpret(&DType::Date32)?),
        ("time", Column::from_values(time, exec)?.reinterpret(&DType::Timestamp(TimeUnit::Micro))?),
        ("kind", Column::Categorical(CategoricalColumn::new(&codes, dictionary)?)),
    ])
}
