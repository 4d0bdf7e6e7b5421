//! Chunks of a text file that end where a row ends.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use columnade_buffers::system_has_memory;
use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::TextCompression;
use super::encoding::{self, EncodingFault, TextEncoding};
use crate::io::error::FileError;
use crate::io::file::{Position, SourceFile};

/// The bytes of text that one thread decodes at a time.
pub(super) const CHUNK: usize = 4 << 20;
/// The most bytes of one row. A file of which a quote is never closed is not read into memory as a whole.
const MAX_ROW: usize = 256 << 20;

/// What ends of lines within quotes, which do not end a row, depend on.
#[derive(Clone, Copy, Debug)]
pub(in crate::io) struct Quoting {
    pub(in crate::io) quote: u8,
    pub(in crate::io) delimiter: u8,
    pub(in crate::io) escape: Option<u8>,
}

/// Whole rows of a file.
#[derive(Debug)]
pub(in crate::io) struct Chunk {
    pub(in crate::io) bytes: Vec<u8>,
    /// The number of the line, from 1, that it begins with.
    pub(in crate::io) first_line: u64,
}

/// The text of a file.
pub(in crate::io) type TextSource = Box<dyn Read + Send>;

/// Reads a file chunk by chunk.
pub(in crate::io) struct Chunks {
    file: SourceFile,
    text: TextSource,
    read: Arc<AtomicU64>,
    quoting: Option<Quoting>,
    chunk: usize,
    /// The beginning of the next chunk.
    rest: Vec<u8>,
    line: u64,
    is_at_end: bool,
    /// Why the text does not go on, given after the rows before.
    fault: Option<FileError>,
}

impl Chunks {
    /// `compression`: told by the name or the first bytes if there is none.
    pub(in crate::io) fn open(
        path: &Path,
        compression: Option<TextCompression>,
        encoding: TextEncoding,
        quoting: Option<Quoting>,
    ) -> Result<Self, FileError> {
        Self::open_as(path, compression, encoding, quoting, |text| text)
    }

    /// [`open`](Self::open), of the text that `lines` makes of that of the file.
    pub(in crate::io) fn open_as(
        path: &Path,
        compression: Option<TextCompression>,
        encoding: TextEncoding,
        quoting: Option<Quoting>,
        lines: impl FnOnce(TextSource) -> TextSource,
    ) -> Result<Self, FileError> {
        let named = compression.map_or_else(|| TextCompression::of(path), Ok)?;
        let file = SourceFile::open(path).map_err(FileError::opening)?;
        let found = match named {
            TextCompression::None if compression.is_none() => TextCompression::of_bytes(file.position(0)),
            TextCompression::None | TextCompression::Gzip | TextCompression::Zstd => named,
        };
        let read = Arc::new(AtomicU64::new(0));
        let text = found.decompress(Counted { source: file.position(0), read: Arc::clone(&read) })?;
        let text = encoding::decoded(text, encoding).map_err(|error| FileError::reading(&file, error))?;
        let text = lines(text);
        let rest = Vec::new();
        Ok(Self { file, text, read, quoting, chunk: CHUNK, rest, line: 1, is_at_end: false, fault: None })
    }

    /// The text of a file, decompressed.
    pub(in crate::io) fn text(
        path: &Path,
        compression: Option<TextCompression>,
    ) -> Result<TextSource, FileError> {
        Ok(Self::open(path, compression, TextEncoding::default(), None)?.text)
    }

    /// With chunks of about this many bytes.
    pub(in crate::io) fn of_size(mut self, chunk: usize) -> Self {
        self.chunk = chunk;
        self
    }

    /// Without the first lines of the text.
    pub(in crate::io) fn skipping(mut self, lines: usize) -> Self {
        let mut missing = lines;
        while missing > 0 {
            let mut bytes = std::mem::take(&mut self.rest);
            let wanted = self.chunk.max(bytes.len() + 1);
            self.fill(&mut bytes, wanted);
            let mut ends = memchr_iter(line_end(&bytes), &bytes);
            if let Some(end) = ends.nth(missing - 1) {
                self.line += missing as u64;
                self.rest = bytes.split_off(end + 1);
                return self;
            }
            let skipped = memchr_iter(line_end(&bytes), &bytes).count();
            missing -= skipped;
            self.line += skipped as u64;
            if self.is_at_end {
                break;
            }
        }
        self
    }

    /// The bytes of the file, as it lies on disk.
    pub(in crate::io) fn file_bytes(&self) -> u64 {
        self.file.len()
    }

    /// The bytes of the file that were read so far.
    pub(in crate::io) fn bytes_read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// The next rows, none at the end of the file. An error comes after the rows that are before it.
    pub(in crate::io) fn next(&mut self) -> Result<Option<Chunk>, FileError> {
        let mut bytes = std::mem::take(&mut self.rest);
        let mut wanted = self.chunk.max(bytes.len() + self.chunk / 2);
        loop {
            self.fill(&mut bytes, wanted);
            let Ends { rows, open } = self.ends(&bytes);
            if self.is_at_end {
                if let (Some(quote), None) = (open, &self.fault) {
                    self.fault = Some(self.open_quote(&bytes, quote));
                }
                if self.fault.is_some() {
                    bytes.truncate(rows.unwrap_or(0));
                }
                break;
            }
            if let Some(end) = rows {
                self.rest = bytes.split_off(end);
                break;
            }
            if bytes.len() >= MAX_ROW {
                return Err(match open {
                    Some(quote) => self.open_quote(&bytes, quote),
                    None => FileError::Malformed {
                        line: self.line,
                        reason: format!("the row has more than {MAX_ROW} bytes"),
                    },
                });
            }
            wanted *= 2;
        }
        if bytes.is_empty() {
            return self.fault.take().map_or(Ok(None), Err);
        }
        let first_line = self.line;
        self.line += lines_before(bytes.len(), &bytes);
        Ok(Some(Chunk { bytes, first_line }))
    }

    /// Reads until there are `wanted` bytes or the text ends, at the end of the file or with a fault.
    fn fill(&mut self, bytes: &mut Vec<u8>, wanted: usize) {
        let missing = wanted.saturating_sub(bytes.len());
        if self.is_at_end || missing == 0 {
            return;
        }
        match self.read_more(bytes, missing) {
            Ok(count) => self.is_at_end = count < missing,
            Err(fault) => {
                self.is_at_end = true;
                self.fault = Some(fault);
            }
        }
    }

    /// Adds up to so many bytes; in front of an error, those that were read.
    fn read_more(&mut self, bytes: &mut Vec<u8>, missing: usize) -> Result<usize, FileError> {
        if !system_has_memory(missing) || bytes.try_reserve(missing).is_err() {
            let reason = format!("{missing} bytes of text could not be allocated");
            return Err(FileError::out_of_memory(reason));
        }
        let limit = u64::try_from(missing).unwrap_or(u64::MAX);
        let count = self.text.by_ref().take(limit).read_to_end(bytes);
        count.map_err(|error| {
            let fault = error.get_ref().and_then(|inner| inner.downcast_ref::<EncodingFault>());
            match fault {
                Some(fault) => {
                    let line = self.line + lines_before(bytes.len(), bytes);
                    FileError::Malformed { line, reason: fault.to_string() }
                }
                None => FileError::reading(&self.file, error),
            }
        })
    }

    /// Where rows end in `bytes`, which begin with a row.
    fn ends(&self, bytes: &[u8]) -> Ends {
        let Some(quoting) = self.quoting else { return Ends { rows: last_line_end(bytes), open: None } };
        let (mut end, mut at) = (None, 0);
        while let Some(found) = memchr(quoting.quote, &bytes[at..]) {
            let quote = at + found;
            if let Some(line) = last_line_end(&bytes[at..quote]) {
                end = Some(at + line);
            }
            // Within a field, a quote is a character like others.
            let opens = match quote.checked_sub(1).map(|before| bytes[before]) {
                None => true,
                Some(before) => before == quoting.delimiter || matches!(before, b'\n' | b'\r'),
            };
            if !opens {
                at = quote + 1;
                continue;
            }
            match closing_quote(bytes, quote, quoting) {
                Some(close) => at = close + 1,
                None => return Ends { rows: end, open: Some(quote) },
            }
        }
        Ends { rows: last_line_end(&bytes[at..]).map(|line| at + line).or(end), open: None }
    }

    fn open_quote(&self, bytes: &[u8], quote: usize) -> FileError {
        let line = self.line + lines_before(quote, bytes);
        FileError::Malformed { line, reason: "a quote is opened here and never closed".to_owned() }
    }
}

/// What is found of rows in some bytes.
struct Ends {
    /// The position after the last row that ends in them.
    rows: Option<usize>,
    /// The position of the quote that is open where they end.
    open: Option<usize>,
}

/// What lines of a text end with: a carriage return in one that has no line feed.
pub(in crate::io) fn line_end(text: &[u8]) -> u8 {
    if memchr(b'\n', text).is_some() { b'\n' } else { b'\r' }
}

/// The lines of a text that end before a position.
pub(in crate::io) fn lines_before(at: usize, text: &[u8]) -> u64 {
    memchr_iter(line_end(text), &text[..at]).count() as u64
}

/// The position after the last end of a line.
fn last_line_end(bytes: &[u8]) -> Option<usize> {
    memrchr(b'\n', bytes).map(|at| at + 1)
}

/// The position of the quote that closes the one at `open`.
fn closing_quote(bytes: &[u8], open: usize, quoting: Quoting) -> Option<usize> {
    let mut at = open + 1;
    loop {
        let found = match quoting.escape {
            Some(escape) => memchr2(quoting.quote, escape, &bytes[at..]),
            None => memchr(quoting.quote, &bytes[at..]),
        };
        let position = at + found?;
        let is_escaped = bytes[position] != quoting.quote || bytes.get(position + 1) == Some(&quoting.quote);
        if !is_escaped {
            return Some(position);
        }
        at = position + 2;
        if at > bytes.len() {
            return None;
        }
    }
}

/// Counts what is read.
struct Counted {
    source: Position,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let count = self.source.read(bytes)?;
        self.read.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl std::fmt::Debug for Chunks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Chunks").field("file", &self.file).field("line", &self.line).finish_non_exhaustive()
    }
}
