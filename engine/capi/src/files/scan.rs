//! Files as tables of a part of their rows each.

use std::sync::{Mutex, PoisonError};

use columnade::DataFrame;
use columnade::files::FrameScan;
use columnade::parquet::ParquetScan;

use crate::error::Result;

/// The tables of a scan that were not given yet. One thread at a time uses it.
pub(crate) struct Scan(Mutex<Frames>);

enum Frames {
    Parquet(Box<ParquetScan<'static>>),
    Others(FrameScan<'static>),
}

impl Scan {
    /// Of tables of at most so many rows; 0: as they are decoded.
    pub(super) fn new(frames: FrameScan<'static>, batch_rows: usize) -> Self {
        let frames = if batch_rows == 0 { frames } else { frames.batch_rows(batch_rows) };
        Self(Mutex::new(Frames::Others(frames)))
    }

    /// [`new`](Self::new) of Parquet files.
    pub(super) fn of_parquet(frames: ParquetScan<'static>, batch_rows: usize) -> Self {
        let frames = if batch_rows == 0 { frames } else { frames.batch_rows(batch_rows) };
        Self(Mutex::new(Frames::Parquet(Box::new(frames))))
    }

    pub(super) fn next(&self) -> Result<Option<DataFrame>> {
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = match &mut *frames {
            Frames::Parquet(frames) => frames.next(),
            Frames::Others(frames) => frames.next(),
        };
        Ok(next.transpose()?)
    }

    /// The rows of text that were left out so far.
    pub(super) fn rows_skipped(&self) -> u64 {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Frames::Parquet(_) => 0,
            Frames::Others(frames) => {
                frames.text_statistics().map_or(0, |statistics| statistics.rows_skipped)
            }
        }
    }
}
