//! Text files as frames of a part of their rows each.

use std::path::PathBuf;
use std::sync::Arc;

use arrow_array::RecordBatch;
use columnade_buffers::{Exec, return_freed_memory};

use super::read::{chunk_size, head};
use super::{Failed, ReportProgress, Rows, TextProgress, TextStatistics, Widening};
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::io::error::FileError;
use crate::io::frames::{Parts, on_device};
use crate::io::scan::{FrameSource, ScanStatistics};

/// The rows of text files, one part after the other.
pub(in crate::io) struct TextScan<'a, F> {
    operation: &'static str,
    files: Arc<[PathBuf]>,
    format: F,
    rows: Rows,
    /// Decoded rows, with the positions of their files.
    ready: std::vec::IntoIter<(usize, RecordBatch)>,
    /// How many rows were ready together, and the bytes that were read before them and with them.
    wave: (usize, u64, u64),
    chunk_size: Option<usize>,
    /// The most rows that are still to be read.
    limit: usize,
    has_frames: bool,
    is_at_end: bool,
    exec: Exec,
    report: Option<ReportProgress<'a>>,
    statistics: ScanStatistics,
}

impl<'a, F: Widening> TextScan<'a, F> {
    pub(in crate::io) fn new(
        operation: &'static str,
        files: Arc<[PathBuf]>,
        format: F,
        (limit, size): (Option<usize>, Option<usize>),
        exec: Exec,
        report: Option<ReportProgress<'a>>,
    ) -> Self {
        let chunk_size = size.or_else(|| chunk_size(limit, &exec));
        let rows = Rows::new(&files, chunk_size);
        let statistics = TextStatistics { files: files.len(), ..TextStatistics::default() };
        Self {
            operation,
            files,
            format,
            rows,
            ready: Vec::new().into_iter(),
            wave: (0, 0, 0),
            chunk_size,
            limit: limit.unwrap_or(usize::MAX),
            has_frames: false,
            is_at_end: false,
            exec,
            report,
            statistics: ScanStatistics::new(statistics.into()),
        }
    }

    pub(in crate::io) fn statistics(&self) -> ScanStatistics {
        Arc::clone(&self.statistics)
    }

    /// Decodes some more rows. Before the first frame, types that are too narrow are widened, and the rows read again.
    fn decode(&mut self) -> Result<()> {
        // Text and arrays of the rows before.
        return_freed_memory(&self.exec);
        let Self { operation, files, .. } = self;
        let failed = |(file, source): (usize, FileError)| Error::file(operation, &files[file], source);
        let Some(wave) = self.rows.next(&self.format, self.limit).map_err(failed)? else {
            self.is_at_end = true;
            return Ok(());
        };
        let (mut decoded, mut skipped) = (Vec::with_capacity(wave.len()), 0);
        let mut wider: Option<(usize, F::Types)> = None;
        for (file, chunk) in wave {
            match chunk {
                Ok(_) | Err(Failed::File(_)) if wider.is_some() => {}
                Ok(chunk) => {
                    skipped += chunk.skipped;
                    decoded.push((file, chunk.batch));
                }
                Err(Failed::Types(types)) => {
                    wider = Some(match wider {
                        None => (file, types),
                        Some((file, before)) => (file, F::joined(before, &types)),
                    });
                }
                Err(Failed::File(source)) => return Err(failed((file, source))),
            }
        }
        if let Some((file, types)) = wider {
            if self.has_frames {
                return Err(failed((file, self.format.too_narrow(&types))));
            }
            self.format.widen(types);
            self.rows = Rows::new(&self.files, self.chunk_size);
            return Ok(());
        }
        self.has_frames = true;
        let bytes = self.rows.bytes();
        {
            let mut statistics = self.statistics.lock();
            statistics.rows_skipped += skipped;
            statistics.bytes_read = bytes.done;
        }
        let decoded_bytes = self.rows.decoded_bytes().done;
        self.wave = (decoded.len(), self.wave.2.min(decoded_bytes), decoded_bytes);
        self.ready = decoded.into_iter();
        Ok(())
    }

    /// Reports how far the rows that were given are in the files: of chunks that were read together, each has the same share.
    fn report(&self) {
        let Some(report) = &self.report else { return };
        let (count, before, after) = self.wave;
        let left = (after - before) * self.ready.len() as u64 / (count as u64).max(1);
        let rows = self.statistics.lock().rows;
        report(TextProgress { bytes_done: after - left, bytes: self.rows.decoded_bytes().all, rows });
    }

    fn frame(&mut self, file: usize, batch: &RecordBatch) -> Result<DataFrame> {
        let batch = head(batch, self.limit);
        self.limit -= batch.num_rows();
        self.statistics.lock().rows += batch.num_rows();
        let mut parts = Parts::new(self.format.schema(), &self.exec);
        let failed = |source| Error::file(self.operation, &self.files[file], FileError::Column(source));
        parts.push(batch).map_err(failed)?;
        let columns = on_device(parts, &self.exec).operation(self.operation)?;
        Ok(DataFrame::from_accessor(columns, &self.exec))
    }
}

impl<F: Widening> FrameSource for TextScan<'_, F> {
    fn no_rows(&self) -> Result<DataFrame> {
        let parts = Parts::new(self.format.schema(), &self.exec);
        let columns = on_device(parts, &self.exec).operation(self.operation)?;
        Ok(DataFrame::from_accessor(columns, &self.exec))
    }
}

impl<F: Widening> Iterator for TextScan<'_, F> {
    type Item = Result<DataFrame>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_at_end && self.limit > 0 {
            let next = match self.ready.next() {
                Some((_, batch)) if batch.num_rows() == 0 => {
                    self.report();
                    continue;
                }
                Some((file, batch)) => {
                    let frame = self.frame(file, &batch);
                    self.report();
                    frame
                }
                None => match self.decode() {
                    Ok(()) => continue,
                    Err(error) => Err(error),
                },
            };
            self.is_at_end = next.is_err();
            return Some(next);
        }
        None
    }
}
