//! Compressed text, told by the end of the file's name or by its first bytes.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;

use crate::io::error::FileError;

/// How a file of text is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::io) enum TextCompression {
    None,
    Gzip,
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
            Ok(_) if first.starts_with(&[0x1F, 0x8B]) => Self::Gzip,
            Ok(_) if first == [0x28, 0xB5, 0x2F, 0xFD] => Self::Zstd,
            _ => Self::None,
        }
    }

    /// The text in `source`.
    pub(super) fn decompress(self, source: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::None => Box::new(source),
            Self::Gzip => Box::new(MultiGzDecoder::new(BufReader::new(source))),
            Self::Zstd => Box::new(zstd::Decoder::new(source)?),
        })
    }
}

/// Writes text to `sink` in compressed form: `write` gets a place to write to, whose end is written after it.
pub(in crate::io) fn compressed<W: Write>(
    compression: TextCompression,
    mut sink: W,
    write: impl FnOnce(&mut dyn Write) -> Result<(), FileError>,
) -> Result<W, FileError> {
    match compression {
        TextCompression::None => write(&mut sink).map(|()| sink),
        TextCompression::Gzip => {
            let mut encoder = GzEncoder::new(sink, flate2::Compression::default());
            write(&mut encoder)?;
            Ok(encoder.finish()?)
        }
        TextCompression::Zstd => {
            let mut encoder = zstd::Encoder::new(sink, zstd::DEFAULT_COMPRESSION_LEVEL)?;
            write(&mut encoder)?;
            Ok(encoder.finish()?)
        }
    }
}
