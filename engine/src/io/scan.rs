//! Files as frames of a part of their rows each, for files that are larger than memory.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

use super::text::TextStatistics;
use crate::dataframe::DataFrame;
use crate::error::Result;

/// Frames of the rows of files, one after the other, in the order of the rows: what `scan` of the readers gives. After an error
/// there are no more. Where there are no rows, as where a filter drops all, there is one frame without rows, so that what is made
/// of the frames has the columns.
#[must_use = "nothing is read before frames are asked for"]
pub struct FrameScan<'a> {
    source: Box<dyn FrameSource + Send + 'a>,
    batch_rows: Option<usize>,
    ready: VecDeque<DataFrame>,
    /// Whether a frame, or an error, was given.
    has_begun: bool,
    statistics: Option<ScanStatistics>,
}

/// What a scan of text has read so far, which it and its reader know.
pub(super) type ScanStatistics = Arc<Mutex<TextStatistics>>;

/// What gives the frames of a scan.
pub(super) trait FrameSource: Iterator<Item = Result<DataFrame>> {
    /// A frame of the columns without rows.
    fn no_rows(&self) -> Result<DataFrame>;
}

impl<'a> FrameScan<'a> {
    pub(super) fn new(source: impl FrameSource + Send + 'a) -> Self {
        Self {
            source: Box::new(source),
            batch_rows: None,
            ready: VecDeque::new(),
            has_begun: false,
            statistics: None,
        }
    }

    /// Of text, whose reader counts in `statistics`.
    pub(super) fn of_text(source: impl FrameSource + Send + 'a, statistics: ScanStatistics) -> Self {
        Self { statistics: Some(statistics), ..Self::new(source) }
    }
}

impl FrameScan<'_> {
    /// Makes frames of at most this many rows, at least 1; they share memory. Default: the rows that are decoded together.
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = Some(rows.max(1));
        self
    }

    /// Statistics of the rows of CSV or JSON that were decoded so far: at least those of the frames that were given, at the end all.
    /// `None` of other files.
    pub fn text_statistics(&self) -> Option<TextStatistics> {
        self.statistics.as_ref().map(|statistics| *statistics.lock())
    }

    /// A frame of the columns without rows, with the dtypes that the next frame has. Those of text may become wider until the
    /// first frame is given.
    ///
    /// ```
    /// use columnade::{df, read_csv};
    ///
    /// let folder = tempfile::tempdir().unwrap();
    /// let path = folder.path().join("numbers.csv");
    /// df! { "n" => [1, 2, 3] }?.write_csv(&path)?;
    ///
    /// let mut scan = read_csv(&path).scan()?;
    /// assert_eq!(scan.by_ref().count(), 1);
    /// assert_eq!(scan.no_rows()?.shape(), (0, 1));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pyarrow `RecordBatchReader.schema`.
    pub fn no_rows(&self) -> Result<DataFrame> {
        self.source.no_rows()
    }

    /// Cuts a frame into parts, and returns the first.
    fn first_of(&mut self, frame: DataFrame) -> Result<DataFrame> {
        let Some(rows) = self.batch_rows.filter(|&rows| rows < frame.len()) else { return Ok(frame) };
        for start in (rows..frame.len()).step_by(rows) {
            let part = frame.slice(start, rows.min(frame.len() - start))?;
            self.ready.push_back(part.ignore_index());
        }
        frame.head(rows)
    }
}

impl Iterator for FrameScan<'_> {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(frame) = self.ready.pop_front() {
            return Some(Ok(frame));
        }
        let frame = match self.source.next() {
            None if !self.has_begun => Some(self.no_rows()),
            frame => frame,
        };
        self.has_begun = true;
        Some(frame?.and_then(|frame| self.first_of(frame)))
    }
}

impl std::fmt::Debug for FrameScan<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrameScan").field("batch_rows", &self.batch_rows).finish_non_exhaustive()
    }
}
