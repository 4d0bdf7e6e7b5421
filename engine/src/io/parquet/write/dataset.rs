//! Folders of Parquet files by the values of columns.

use std::path::Path;

use columnade_columns::{DType, Error as ColumnError, Label, Scalar};
use columnade_ops::expression::len;

use super::ParquetWriteOptions;
use crate::dataframe::{DataFrame, SortBy};
use crate::error::{Error, InOperation, Result};
use crate::io::file::{PartialFolder, create_folders, read_dir};
use crate::io::hive;
use crate::io::parquet::error::ParquetError;

const OPERATION: &str = "write_dataset";
/// The name of the file in each folder.
const FILE: &str = "part-0.parquet";

impl DataFrame {
    /// Writes the frame as a folder of Parquet files: one for each combination of values of the columns `by`, which are in the
    /// names of folders, as Hive has them: `year=2026/city=Oslo/part-0.parquet`. Rows keep their order within a file.
    /// Where `by` has all columns, files have rows without columns.
    /// [`read_parquet`](crate::read_parquet) of the folder gives the columns `by` back, after the others: as `int64`, dates or
    /// timestamps where all texts are such values, and otherwise as strings. So text of digits comes back as integers, and booleans,
    /// floats, decimals, times of day, durations and timestamps with a zone as text, to be cast. 0.0 and −0.0 are one folder.
    ///
    /// A value is written as it is shown, percent-encoded; null is `__HIVE_DEFAULT_PARTITION__`. The folder appears under its
    /// name only when it is complete: on an error there is none. A frame without rows gives one file with all columns. Before, it is
    /// a hidden folder beside its place (`.columnade-….dataset.part`). If the process is killed that one is left, readers of
    /// folders and patterns ignore it, and the next `write_dataset` in the same place removes it.
    ///
    /// ```
    /// use columnade::{df, read_parquet};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let sales = folder.path().join("sales");
    /// df! { "year" => [2025, 2026], "units" => [3, 4] }?.write_dataset(&sales, ["year"])?;
    ///
    /// assert!(sales.join("year=2026/part-0.parquet").is_file());
    /// assert_eq!(read_parquet(&sales).read()?.columns(), ["units", "year"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Parquet`], naming the folder or a file in it, when the folder exists and is not empty,
    /// cannot be written to, or the disk is full, and as [`write_parquet`](Self::write_parquet);
    /// [`Error::Operation`] for a column `by` of lists, structs, intervals or binary, and when memory runs out.
    ///
    /// # Device
    /// A sort by the columns and a group-by of them; then the rows are copied to the host.
    ///
    /// # Source
    /// pandas `DataFrame.to_parquet` with `partition_cols`, pyarrow `write_dataset`.
    pub fn write_dataset<S: Into<String>>(
        &self,
        folder: impl AsRef<Path>,
        by: impl IntoIterator<Item = S>,
    ) -> Result<()> {
        self.write_dataset_with(folder, by, &ParquetWriteOptions::default())
    }

    /// [`write_dataset`](Self::write_dataset) with another layout of the files.
    ///
    /// # Errors
    /// Same as [`write_dataset`](Self::write_dataset).
    pub fn write_dataset_with<S: Into<String>>(
        &self,
        folder: impl AsRef<Path>,
        by: impl IntoIterator<Item = S>,
        options: &ParquetWriteOptions,
    ) -> Result<()> {
        let folder = folder.as_ref();
        let by: Vec<String> = by.into_iter().map(Into::into).collect();
        self.check_partitions(&by)?;
        let failed = |source: ParquetError| Error::parquet(OPERATION, folder, source);
        check_free(folder).map_err(failed)?;
        let part = PartialFolder::beside(folder).map_err(|error| failed(error.into()))?;
        let written = self.write_partitions(part.path(), &by, options);
        written.map_err(|error| in_target(error, part.path(), folder))?;
        part.rename(folder).map_err(|error| failed(error.into()))
    }

    fn check_partitions(&self, by: &[String]) -> Result<()> {
        let invalid = |reason: &str| {
            let error = ColumnError::InvalidArgument { name: "by", reason: reason.to_owned() };
            Err(error).operation(OPERATION)
        };
        if by.is_empty() {
            return invalid("no column is named; write_parquet writes one file");
        }
        if by.iter().enumerate().any(|(at, label)| label.is_empty() || by[..at].contains(label)) {
            return invalid("a column is named twice, or has an empty name");
        }
        self.frame().check_labels(OPERATION, by)?;
        for label in by {
            let dtype = self.column(label.as_str())?.dtype();
            if dtype.is_nested() || dtype == DType::Binary {
                let error = ColumnError::UnsupportedDType { dtype }.in_column(label);
                return Err(error).operation(OPERATION);
            }
        }
        Ok(())
    }

    fn write_partitions(&self, folder: &Path, by: &[String], options: &ParquetWriteOptions) -> Result<()> {
        if self.is_empty() {
            // No folder has the names of the columns `by`.
            let rows = self.without(OPERATION, by)?;
            let others = rows.columns().iter().cloned();
            let labels = others.chain(by.iter().map(|label| Label::from(label.as_str())));
            return self.select(labels)?.write_parquet_with(folder.join(FILE), options);
        }
        let keys = || by.iter().map(|label| SortBy::ascending(label.as_str()));
        let sorted = self.sort_values(keys())?;
        // The same order of the same keys: how many rows of the sorted frame each combination has.
        let count =
            (0..=by.len()).map(|n| format!("rows {n}")).find(|name| !by.contains(name)).unwrap_or_default();
        let groups = sorted
            .group_by(by.iter().map(String::as_str))
            .dropna(false)
            .agg(len().alias(count.as_str()))?
            .sort_values(keys())?;
        let values =
            by.iter().map(|label| groups.column(label.as_str())?.to_scalars()).collect::<Result<Vec<_>>>()?;
        let rows = sorted.without(OPERATION, by)?;
        let mut start = 0;
        for (group, count) in groups.column(count.as_str())?.to_scalars()?.iter().enumerate() {
            let count = count.to_string().parse::<usize>().unwrap_or(0);
            let mut place = folder.to_owned();
            for (label, values) in by.iter().zip(&values) {
                let value = values.get(group).filter(|value| !value.is_null()).map(Scalar::to_string);
                place.push(hive::folder(label, value.as_deref()));
            }
            create_folders(&place).map_err(|error| Error::parquet(OPERATION, &place, error.into()))?;
            rows.slice(start, count)?.write_parquet_with(place.join(FILE), options)?;
            start += count;
        }
        Ok(())
    }
}

/// An error of a file in `part`, with the path that it would have had in the folder.
fn in_target(error: Error, part: &Path, folder: &Path) -> Error {
    let Error::Parquet { path, source, .. } = error else { return error };
    let path = path.strip_prefix(part).map_or_else(|_| path.clone(), |rest| folder.join(rest));
    Error::parquet(OPERATION, &path, source)
}

/// Refuses a folder with files, and what is no folder.
fn check_free(folder: &Path) -> Result<(), ParquetError> {
    match read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            Some(_) => Err(ParquetError::FolderNotEmpty),
            None => Ok(()),
        },
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error.into()),
    }
}
