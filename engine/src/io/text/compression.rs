//! Compressed text, told by the end of the file's name or by its first bytes.

use std::io::{self, Read, Write};
#[cfg(feature = "gzip")]
use std::io::{BufRead, BufReader};
use std::path::Path;

#[cfg(feature = "gzip")]
use flate2::bufread::MultiGzDecoder;
#[cfg(feature = "gzip")]
use flate2::write::GzEncoder;

use super::TextSource;
use crate::io::error::FileError;

/// How a file of text is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TextCompression {
    /// No compression.
    None,
    /// gzip (`.gz`). Needs the feature `gzip`, which is on by default.
    Gzip,
    /// Zstandard (`.zst`). Needs the feature `zstd`, which is on by default.
    Zstd,
}

impl TextCompression {
    /// By the end of the name, as in pandas.
    pub(in crate::io) fn of(path: &Path) -> Result<Self, FileError> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let unsupported = |compression| Err(FileError::UnsupportedCompression { compression });
        match extension.to_ascii_lowercase().as_str() {
            "gz" => Ok(Self::Gzip),
            "zst" => Ok(Self::Zstd),
            "bz2" => unsupported("bzip2"),
            "xz" => unsupported("xz"),
            "zip" => unsupported("zip"),
            "lz4" => unsupported("lz4"),
            _ => Ok(Self::None),
        }
    }

    /// By the first bytes, where the name does not tell: neither begins text in UTF-8. Bytes that are not read tell nothing;
    /// the read of the text fails on them.
    pub(super) fn of_bytes(source: impl Read) -> Self {
        let mut first = Vec::new();
        match source.take(4).read_to_end(&mut first) {
            Ok(_) if first.starts_with(&GZIP) => Self::Gzip,
            Ok(_) if first == ZSTD => Self::Zstd,
            _ => Self::None,
        }
    }

    /// The text in `source`.
    pub(super) fn decompress(self, source: impl Read + Send + 'static) -> Result<TextSource, FileError> {
        Ok(match self {
            Self::None => Box::new(source),
            #[cfg(feature = "gzip")]
            Self::Gzip => Box::new(MultiGzDecoder::new(begun_gzip(source)?)),
            #[cfg(not(feature = "gzip"))]
            Self::Gzip => return Err(FileError::UnsupportedCompression { compression: "gzip" }),
            #[cfg(feature = "zstd")]
            Self::Zstd => Box::new(zstd::Decoder::new(source)?),
            #[cfg(not(feature = "zstd"))]
            Self::Zstd => return Err(FileError::UnsupportedCompression { compression: "Zstandard" }),
        })
    }
}

/// How compressed bytes begin (RFC 1952, RFC 8878).
const GZIP: [u8; 2] = [0x1F, 0x8B];
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The source of text that is compressed by gzip, if its first bytes say so.
#[cfg(feature = "gzip")]
fn begun_gzip<R: Read>(source: R) -> Result<BufReader<R>, FileError> {
    let mut source = BufReader::new(source);
    if source.fill_buf()?.starts_with(&GZIP) {
        return Ok(source);
    }
    let reason = "it is not compressed by gzip, which its name or the option says".to_owned();
    Err(FileError::Damaged { batch: None, reason })
}

/// What compressed files of text this build reads and writes, for an error about another one.
pub(in crate::io) fn known() -> &'static str {
    match (cfg!(feature = "gzip"), cfg!(feature = "zstd")) {
        (true, true) => "; gzip (.gz) and Zstandard (.zst) are",
        (true, false) => "; gzip (.gz) is",
        (false, true) => "; Zstandard (.zst) is",
        (false, false) => " by this build",
    }
}

/// A file whose text is compressed when it is written.
pub(in crate::io) enum TextSink<W: Write> {
    Plain(W),
    #[cfg(feature = "gzip")]
    Gzip(GzEncoder<W>),
    #[cfg(feature = "zstd")]
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> TextSink<W> {
    pub(in crate::io) fn new(compression: TextCompression, sink: W) -> Result<Self, FileError> {
        match compression {
            TextCompression::None => Ok(TextSink::Plain(sink)),
            #[cfg(feature = "gzip")]
            TextCompression::Gzip => Ok(TextSink::Gzip(GzEncoder::new(sink, flate2::Compression::default()))),
            #[cfg(not(feature = "gzip"))]
            TextCompression::Gzip => Err(FileError::UnsupportedCompression { compression: "gzip" }),
            #[cfg(feature = "zstd")]
            TextCompression::Zstd => {
                Ok(TextSink::Zstd(zstd::Encoder::new(sink, zstd::DEFAULT_COMPRESSION_LEVEL)?))
            }
            #[cfg(not(feature = "zstd"))]
            TextCompression::Zstd => Err(FileError::UnsupportedCompression { compression: "Zstandard" }),
        }
    }

    /// Writes the end, and gives the file back.
    pub(in crate::io) fn finish(self) -> io::Result<W> {
        match self {
            TextSink::Plain(sink) => Ok(sink),
            #[cfg(feature = "gzip")]
            TextSink::Gzip(encoder) => encoder.finish(),
            #[cfg(feature = "zstd")]
            TextSink::Zstd(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for TextSink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            TextSink::Plain(sink) => sink.write(bytes),
            #[cfg(feature = "gzip")]
            TextSink::Gzip(encoder) => encoder.write(bytes),
            #[cfg(feature = "zstd")]
            TextSink::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            TextSink::Plain(sink) => sink.flush(),
            #[cfg(feature = "gzip")]
            TextSink::Gzip(encoder) => encoder.flush(),
            #[cfg(feature = "zstd")]
            TextSink::Zstd(encoder) => encoder.flush(),
        }
    }
}
