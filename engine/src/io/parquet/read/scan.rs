//! Parquet files as frames of a part of their rows each, for files that are larger than memory.

use std::collections::VecDeque;

use columnade_buffers::{Exec, worker_threads};

use super::plan::{self, Plan};
use super::{Done, ParquetReader, ReadStatistics, failure};
use crate::dataframe::DataFrame;
use crate::error::Result;
use crate::io::parquet::error::ParquetError;

impl<'a> ParquetReader<'a> {
    /// Reads the rows part by part: an iterator of frames, in the order of the rows. The footers are read here, and rows when
    /// frames are asked for. After an error there are no more frames.
    ///
    /// Row groups are decoded in parallel, one for each thread, and under a memory budget as many at a time as fit a quarter
    /// of it; so a frame has the rows of some row groups, without those that the filter drops. Frames without rows are left
    /// out, but for one where there are no rows at all. See [`ParquetScan::batch_rows`] for smaller frames.
    ///
    /// ```
    /// use columnade::{df, read_parquet};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("numbers.parquet");
    /// df! { "n" => (0..1000_i64).collect::<Vec<_>>() }?.write_parquet(&path)?;
    ///
    /// let mut sum = 0;
    /// for frame in read_parquet(&path).scan()?.batch_rows(300) {
    ///     sum += frame?.column("n")?.to_vec::<i64>()?.iter().sum::<i64>();
    /// }
    /// assert_eq!(sum, 499_500);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`read`](Self::read) that footers tell; the others come with the frames.
    ///
    /// # Source
    /// pyarrow `ParquetFile.iter_batches`, cuDF `ChunkedParquetReader`.
    pub fn scan(self) -> Result<ParquetScan<'a>> {
        let exec = self.context()?;
        let plan = self.plan()?;
        let frames = VecDeque::new();
        let done = Done::default();
        Ok(ParquetScan {
            reader: self,
            plan,
            exec,
            next: 0,
            batch_rows: None,
            frames,
            has_begun: false,
            done,
        })
    }
}

/// Frames of the rows of Parquet files, one after the other: see [`ParquetReader::scan`].
#[must_use = "nothing is read before frames are asked for"]
pub struct ParquetScan<'a> {
    reader: ParquetReader<'a>,
    plan: Plan,
    exec: Exec,
    /// The first row group that is not decoded yet.
    next: usize,
    batch_rows: Option<usize>,
    /// Decoded.
    frames: VecDeque<DataFrame>,
    /// Whether a frame, or an error, was given.
    has_begun: bool,
    done: Done,
}

impl ParquetScan<'_> {
    /// Makes frames of at most this many rows, at least 1. They share the memory of the row groups that they are of. Default: the
    /// rows of the row groups that are decoded together.
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = Some(rows.max(1));
        self
    }

    /// Statistics of the whole read, as they are planned.
    pub fn statistics(&self) -> ReadStatistics {
        self.plan.statistics()
    }

    /// A frame of the columns without rows, with the dtypes of the frames.
    ///
    /// # Errors
    /// Those of [`read`](ParquetReader::read) without rows.
    ///
    /// # Source
    /// pyarrow `ParquetFile.schema_arrow`.
    pub fn no_rows(&self) -> Result<DataFrame> {
        let columns = self.reader.decode(&self.plan, &[], &Done::default(), &self.exec)?;
        self.reader.picked(&self.plan, columns, &self.exec)
    }

    /// The rows of the next row groups; `None` at the end.
    fn decode(&mut self) -> Result<Option<DataFrame>> {
        let rest = &self.plan.row_groups()[self.next..];
        if rest.is_empty() {
            return Ok(None);
        }
        let limit =
            self.exec.budget().map_or(u64::MAX, |budget| u64::try_from(budget / 4).unwrap_or(u64::MAX));
        let mut count = plan::fitting(rest, limit).min(worker_threads());
        while let Err(source) = plan::check_memory(&rest[..count]) {
            if count < 2 {
                return Err(failure(&self.plan, ParquetError::Column(source.into())));
            }
            count /= 2;
        }
        let columns = self.reader.decode(&self.plan, &rest[..count], &self.done, &self.exec)?;
        self.next += count;
        self.reader.picked(&self.plan, columns, &self.exec).map(Some)
    }

    fn split(&mut self, frame: DataFrame) -> Result<()> {
        let Some(rows) = self.batch_rows.filter(|&rows| rows < frame.len()) else {
            self.frames.push_back(frame);
            return Ok(());
        };
        for start in (0..frame.len()).step_by(rows) {
            let part = frame.slice(start, rows.min(frame.len() - start))?;
            self.frames.push_back(part.ignore_index());
        }
        Ok(())
    }
}

impl Iterator for ParquetScan<'_> {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(frame) = self.frames.pop_front() {
                self.has_begun = true;
                return Some(Ok(frame));
            }
            let decoded = match self.decode() {
                Ok(None) if self.has_begun => return None,
                Ok(None) => {
                    self.has_begun = true;
                    return Some(self.no_rows());
                }
                Ok(Some(frame)) if frame.is_empty() => continue,
                Ok(Some(frame)) => self.split(frame),
                Err(error) => Err(error),
            };
            if let Err(error) = decoded {
                self.has_begun = true;
                self.next = self.plan.row_groups().len();
                return Some(Err(error));
            }
        }
    }
}

impl std::fmt::Debug for ParquetScan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetScan")
            .field("reader", &self.reader)
            .field("next", &self.next)
            .field("batch_rows", &self.batch_rows)
            .finish_non_exhaustive()
    }
}
