//! Reading Parquet: plan from the footers, decode row groups in parallel, hand each column over once.

mod chunks;
mod columns;
mod dictionaries;
mod direct;
mod file;
mod footer;
mod int96;
mod plan;
mod scan;
#[cfg(test)]
mod test_datasets;
#[cfg(test)]
mod test_dictionaries;
#[cfg(test)]
mod test_fixed;
#[cfg(test)]
mod test_int96;
#[cfg(test)]
mod test_memory;
#[cfg(test)]
mod test_nested;
#[cfg(test)]
mod test_replaced;
#[cfg(test)]
mod tests;
mod thrift;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arrow_array::new_empty_array;
use columnade_buffers::{Exec, return_freed_memory};
use columnade_columns::{Column, ColumnAccessor, Error as ColumnError, TimeUnit};
use columnade_ops::expression::Expr;

use self::chunks::Ready;
pub(super) use self::dictionaries::is_kept_in_nests;
use self::file::Footers;
use self::plan::{Plan, Request, RowGroup};
pub use self::scan::ParquetScan;
use super::error::ParquetError;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::adopt;
use crate::io::paths::FilePaths;
use crate::options::default_exec_for;

const OPERATION: &str = "read_parquet";

/// The progress of a read; see [`ParquetReader::progress`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadProgress {
    /// Row groups decoded so far.
    pub row_groups_done: usize,
    /// Row groups to decode.
    pub row_groups: usize,
    /// Bytes of column chunks decoded so far.
    pub bytes_done: u64,
    /// Bytes of column chunks to decode.
    pub bytes: u64,
}

/// Statistics of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReadStatistics {
    /// Files read.
    pub files: usize,
    /// Row groups decoded.
    pub row_groups_read: usize,
    /// Row groups skipped since their statistics, their Bloom filters or the values in their path exclude the filter.
    pub row_groups_pruned: usize,
    /// Rows of the other row groups that are not decoded since the statistics of their pages exclude the filter.
    pub rows_pruned: usize,
    /// Bytes of the column chunks read, as they lie in the files.
    pub bytes_read: u64,
}

/// A read of Parquet files under construction, see [`read_parquet`].
#[must_use = "nothing is read before read"]
pub struct ParquetReader<'a> {
    paths: Vec<PathBuf>,
    columns: Option<Vec<String>>,
    dictionaries: Vec<String>,
    all_dictionaries: bool,
    filter: Option<Expr>,
    rows: Option<Range<usize>>,
    hive_partitions: bool,
    int96: Option<TimeUnit>,
    exec: Option<Exec>,
    progress: Option<Box<dyn Fn(ReadProgress) + Send + Sync + 'a>>,
}

/// Reads a Parquet file, the files of a folder in the order of their names, those that match a pattern as `data/*.parquet`, or
/// several of them, as one frame: see [`FilePaths`].
///
/// Files of one frame may have their columns in any order. A column that a file does not have is null in its rows, and integers
/// and floats of several widths become the narrowest dtype that represents all their values, in lists and structs too; a struct
/// has the fields of all files. Integers of 64 bits beside floats become `float64`, and a value that it does not represent is an
/// error. Other dtypes must agree. Below
/// a folder or a pattern, folders called `name=value` give a column to the files in them, see
/// [`hive_partitions`](ParquetReader::hive_partitions).
///
/// Lists, structs and maps of any depth are read, of files with an Arrow schema up to 60 levels; a map is a list of structs of its keys and values. Values of a fixed number of
/// bytes, UUIDs among them, are binary. A column of a type that
/// has no dtype, as intervals, is an error that names it; other columns of the file can be read.
///
/// Row groups are decoded in parallel. Under a memory budget only as many are decoded at a time as fit, so a file may be
/// larger than the device's memory. Decoded memory counts in the budget of the context and can be spilled. Strings are
/// read as `utf8`, decimals of at most 18 digits as 64-bit.
///
/// Dictionaries stay dictionaries. Ordered ones keep their order in files of [`write_parquet`](DataFrame::write_parquet), pyarrow
/// and Polars (`Enum`); those of other writers are read without, since Parquet has no place for it.
/// String dictionaries get 32-bit codes, others keep the codes of the file if these can
/// represent all values. In structs and lists, dictionary codes are 32-bit, and only strings, binary, integers, `float32`,
/// `float64`, dates and durations stay in dictionaries: other values are read as plain values.
///
/// 96-bit timestamps are read in microseconds, see [`int96_unit`](ParquetReader::int96_unit).
///
/// ```
/// use columnade::{DataFrame, col, lit, read_parquet};
///
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("numbers.parquet");
/// DataFrame::new([("n", (0..100_i64).collect::<Vec<_>>())])?.write_parquet(&path)?;
///
/// let late = read_parquet(&path).columns(["n"]).filter(col("n").ge(lit(90))).read()?;
/// assert_eq!(late.len(), 10);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Source
/// cuDF `read_parquet`.
pub fn read_parquet<'a>(paths: impl Into<FilePaths>) -> ParquetReader<'a> {
    let FilePaths(paths) = paths.into();
    ParquetReader {
        paths,
        columns: None,
        dictionaries: Vec::new(),
        all_dictionaries: false,
        filter: None,
        rows: None,
        hive_partitions: true,
        int96: None,
        exec: None,
        progress: None,
    }
}

impl<'a> ParquetReader<'a> {
    /// Reads only these columns, in this order. Default: all.
    pub fn columns<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.columns = Some(columns.into_iter().map(Into::into).collect());
        self
    }

    /// Reads these string columns as dictionaries, which is faster if values repeat. Default: none; see
    /// [`dictionaries`](Self::dictionaries) for all that files keep so.
    pub fn dictionary<S: Into<String>>(mut self, columns: impl IntoIterator<Item = S>) -> Self {
        self.dictionaries = columns.into_iter().map(Into::into).collect();
        self
    }

    /// Whether string columns are read as dictionaries where every file that has them says in its footer that all their pages
    /// are codes into a dictionary; the codes are then taken as they are. Default: false.
    ///
    /// Without this, and without [`dictionary`](Self::dictionary), a column has the dtype of its schema, whatever its pages are:
    /// a writer may give up a dictionary for a row group with many values, and the dtype would depend on values. Strings in
    /// dictionaries are then decoded by their codes.
    ///
    /// ```
    /// use columnade::{df, read_parquet};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("orders.parquet");
    /// df! { "city" => ["Turin", "Oslo", "Turin"] }?.write_parquet(&path)?;
    ///
    /// let plain = read_parquet(&path).read()?;
    /// let coded = read_parquet(&path).dictionaries(true).read()?;
    /// assert_eq!(plain.column("city")?.dtype().to_string(), "utf8");
    /// assert_eq!(coded.column("city")?.dtype().to_string(), "dictionary<int32, utf8>");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pyarrow `read_table` with `read_dictionary`, which takes names.
    pub fn dictionaries(mut self, dictionaries: bool) -> Self {
        self.all_dictionaries = dictionaries;
        self
    }

    /// Keeps only rows for which `predicate` is true. Row groups and pages whose statistics exclude that are not read, nor row
    /// groups whose Bloom filters do, nor files whose paths do. The predicate may use columns that are not selected.
    pub fn filter(mut self, predicate: Expr) -> Self {
        self.filter = Some(predicate);
        self
    }

    /// Reads only these rows of all rows of the files, before the filter; those beyond the last are none. Default: all.
    pub fn rows(mut self, rows: Range<usize>) -> Self {
        self.rows = Some(rows);
        self
    }

    /// Whether folders called `name=value`, below a folder that is read or matched by a pattern, are looked into and give a
    /// column `name` to the files in them, after the columns of the files and instead of one of the same name. The values are
    /// percent-decoded; `__HIVE_DEFAULT_PARTITION__` is null. The column is `int64` if all values are whole numbers without a plus
    /// sign or zeros in front, `date32` or `timestamp[us]` if all are dates or times in ISO 8601, else `utf8`, floats and booleans
    /// too: `code=01234` keeps its zero, as in DuckDB, and so does `month=01`, which pyarrow and Polars take for a number. Default:
    /// true.
    ///
    /// ```
    /// use columnade::{col, df, read_parquet};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let sales = folder.path().join("sales");
    /// df! { "year" => [2025, 2026, 2026], "units" => [3, 4, 5] }?.write_dataset(&sales, ["year"])?;
    ///
    /// // The file in the folder `year=2025` is not read.
    /// let read = read_parquet(&sales).filter(col("year").eq(2026)).read()?;
    /// assert_eq!(read.column("units")?.to_vec::<i32>()?, [4, 5]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pyarrow `dataset` with `partitioning="hive"`, Polars `scan_parquet` with `hive_partitioning`.
    pub fn hive_partitions(mut self, hive_partitions: bool) -> Self {
        self.hive_partitions = hive_partitions;
        self
    }

    /// Reads 96-bit timestamps (INT96, as Spark, Hive and Impala write them) in this unit, in every file. Default: the unit
    /// in the file's Arrow schema, if it has one; else microseconds. Nanoseconds represent the years 1678 to 2261 only.
    ///
    /// The values are exact: one that the unit does not represent is an error that names the column and the unit that does.
    ///
    /// ```
    /// use columnade::{TimeUnit, read_parquet};
    ///
    /// let reader = read_parquet("events.parquet").int96_unit(TimeUnit::Nano);
    /// ```
    ///
    /// # Source
    /// pyarrow `read_table` with `coerce_int96_timestamp_unit`.
    pub fn int96_unit(mut self, unit: TimeUnit) -> Self {
        self.int96 = Some(unit);
        self
    }

    /// Reads to the device of `exec`. Default: the thread's default device.
    pub fn exec(mut self, exec: &Exec) -> Self {
        self.exec = Some(exec.clone());
        self
    }

    /// Calls `report` after each row group, from the threads that decode.
    pub fn progress(mut self, report: impl Fn(ReadProgress) + Send + Sync + 'a) -> Self {
        self.progress = Some(Box::new(report));
        self
    }

    /// Reads the frame.
    ///
    /// # Errors
    /// [`Error::Parquet`], naming the file, when it is missing, not Parquet, truncated or damaged, no file has a column that is
    /// asked for, the dtypes of a column in several files have no common one, or it holds a 96-bit timestamp that its unit does not represent; [`Error::Operation`] when memory runs out or the filter does not support the
    /// dtypes.
    pub fn read(self) -> Result<DataFrame> {
        self.read_with_statistics().map(|(frame, _)| frame)
    }

    /// Reads the frame, and returns statistics of the read.
    ///
    /// # Errors
    /// Same as [`read`](Self::read).
    pub fn read_with_statistics(self) -> Result<(DataFrame, ReadStatistics)> {
        let exec = self.context()?;
        let plan = self.plan()?;
        // The next ones last.
        let mut batches = plan.batches(exec.budget());
        batches.reverse();
        let done = Done::default();
        let mut parts = Vec::with_capacity(batches.len());
        while let Some(groups) = batches.pop() {
            if let Err(source) = plan::check_memory(groups) {
                if groups.len() < 2 {
                    return Err(failure(&plan, ParquetError::Column(source.into())));
                }
                let (first, second) = groups.split_at(groups.len() / 2);
                batches.extend([second, first]);
                continue;
            }
            let columns = self.decode(&plan, groups, &done, &exec)?;
            parts.push(self.picked(&plan, columns, &exec)?.frame().accessor().clone());
        }
        let columns = ColumnAccessor::assemble(parts, &exec).operation(OPERATION)?;
        Ok((DataFrame::from_accessor(columns, &exec), plan.statistics()))
    }

    /// The keys and values in the metadata of the first file, in their order; a key without a value has an empty one. No rows are
    /// read.
    ///
    /// # Errors
    /// Those of [`read`](Self::read) about finding and opening the file.
    ///
    /// # Source
    /// pyarrow `ParquetFile.metadata.metadata`, Polars `read_parquet_metadata`.
    pub fn key_value_metadata(&self) -> Result<Vec<(String, String)>> {
        let footers = Footers { int96: None, page_index: false, partitions: self.hive_partitions };
        let file = file::first(&self.paths, footers)?;
        let pairs = file.metadata.metadata().file_metadata().key_value_metadata();
        let pairs = pairs.into_iter().flatten();
        Ok(pairs.map(|pair| (pair.key.clone(), pair.value.clone().unwrap_or_default())).collect())
    }

    fn context(&self) -> Result<Exec> {
        match &self.exec {
            Some(exec) => Ok(exec.clone()),
            None => default_exec_for(OPERATION),
        }
    }

    fn plan(&self) -> Result<Plan> {
        if let Some(predicate) = self.filter.as_ref().filter(|predicate| !predicate.is_row_wise()) {
            let reason = "it depends on other rows: read the file, then use DataFrame::filter".to_owned();
            let error = ColumnError::InvalidArgument { name: "filter", reason };
            return Err(error.in_expression(predicate)).operation(OPERATION);
        }
        let footers = Footers {
            int96: self.int96,
            page_index: self.filter.is_some(),
            partitions: self.hive_partitions,
        };
        let files = file::find(&self.paths, footers)?;
        let mut dictionaries = self.dictionaries.clone();
        if self.all_dictionaries {
            dictionaries.extend(dictionaries::in_files(&files));
        }
        let request = Request {
            columns: self.columns.as_deref(),
            dictionaries: &dictionaries,
            filter: self.filter.as_ref(),
            rows: self.rows.clone(),
        };
        Plan::new(files, &request)
    }

    /// The rows that pass the filter, without the columns that only the filter needs.
    fn picked(&self, plan: &Plan, columns: ColumnAccessor, exec: &Exec) -> Result<DataFrame> {
        let frame = DataFrame::from_accessor(columns, exec);
        let Some(predicate) = &self.filter else { return Ok(frame) };
        let rows = frame.filtered(OPERATION, predicate)?.ignore_index();
        let extra: Vec<&str> = plan.columns_for_filter().collect();
        if extra.is_empty() { Ok(rows) } else { rows.without(OPERATION, &extra) }
    }

    /// The planned columns of some of the planned row groups, in memory of `exec`.
    fn decode(&self, plan: &Plan, groups: &[RowGroup], done: &Done, exec: &Exec) -> Result<ColumnAccessor> {
        let ranges = plan.column_ranges(groups, exec.budget());
        let (mut columns, mut rows) = (Vec::with_capacity(plan.fields().len()), 0);
        for (number, range) in ranges.iter().enumerate() {
            let is_last = number + 1 == ranges.len();
            let report = |group: &RowGroup| {
                if is_last {
                    self.report(plan, group, done);
                }
            };
            let mut ready = chunks::decode(plan, groups, range.clone(), exec, &report)?;
            rows = ready.rows(groups);
            columns.extend(Self::taken(plan, &mut ready, range.clone(), exec)?);
            drop(ready);
            // Pages and arrays of the decoders.
            return_freed_memory(exec);
        }
        let mut accessor = ColumnAccessor::with_rows(rows);
        for (label, column) in columns {
            accessor.insert(label, column).map_err(|source| failure(plan, ParquetError::Column(source)))?;
        }
        Ok(accessor)
    }

    /// The decoded columns of a range, in memory of `exec`.
    fn taken(
        plan: &Plan,
        ready: &mut Ready,
        range: Range<usize>,
        exec: &Exec,
    ) -> Result<Vec<(String, Column)>> {
        // From the last column to the first: a column's arrays are let go as soon as it is built.
        let mut columns = Vec::with_capacity(range.len());
        let has_parts = ready.has_parts();
        for at in range.rev() {
            let field = &plan.fields()[at];
            let mut parts = ready.take(plan, at)?;
            let whole = || {
                if parts.is_empty() {
                    let none = new_empty_array(dictionaries::decoded(field).data_type());
                    parts.push(dictionaries::column(&none, field)?);
                }
                plan.ordered(at, adopt::column(parts, None, exec)?, exec)
            };
            let column = whole()
                .map_err(|source| failure(plan, ParquetError::Column(source.in_column(field.name()))))?;
            columns.push((field.name().clone(), column));
            if has_parts {
                return_freed_memory(exec);
            }
        }
        columns.reverse();
        Ok(columns)
    }

    /// Counts a row group as decoded, and reports that.
    fn report(&self, plan: &Plan, group: &RowGroup, done: &Done) {
        let statistics = plan.statistics();
        let row_groups_done = done.groups.fetch_add(1, Ordering::Relaxed) + 1;
        let bytes_done = done.bytes.fetch_add(group.bytes, Ordering::Relaxed) + group.bytes;
        if let Some(report) = &self.progress {
            report(ReadProgress {
                row_groups_done,
                row_groups: statistics.row_groups_read,
                bytes_done,
                bytes: statistics.bytes_read,
            });
        }
    }
}

/// What is decoded so far.
#[derive(Debug, Default)]
struct Done {
    groups: AtomicUsize,
    bytes: AtomicU64,
}

/// An error of all files together, which the first stands for.
fn failure(plan: &Plan, source: ParquetError) -> Error {
    Error::parquet(OPERATION, plan.first_path(), source)
}

impl std::fmt::Debug for ParquetReader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetReader")
            .field("paths", &self.paths)
            .field("columns", &self.columns)
            .field("dictionaries", &self.dictionaries)
            .field("all_dictionaries", &self.all_dictionaries)
            .field("filter", &self.filter)
            .field("rows", &self.rows)
            .field("hive_partitions", &self.hive_partitions)
            .field("int96", &self.int96)
            .finish_non_exhaustive()
    }
}
