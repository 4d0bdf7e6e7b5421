//! How pages are compressed, and what this build can decode.

use parquet::basic::{BrotliLevel, Compression as Codec, GzipLevel, ZstdLevel};

use super::error::ParquetError;

/// How the pages of a Parquet file are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// No compression.
    None,
    /// Snappy: fast to write and to read.
    #[default]
    Snappy,
    /// Zstandard at its first level: about a third smaller than Snappy. Needs the feature `zstd`, which is on by default.
    Zstd,
    /// gzip at its default level, for readers that know nothing else. Needs the feature `gzip`, which is on by default.
    Gzip,
    /// LZ4 blocks, the format's `LZ4_RAW`: faster to read than Snappy, and as large. Needs the feature `lz4`, which is on by
    /// default.
    Lz4,
    /// Brotli at its first level. Needs the feature `brotli`, which is on by default.
    Brotli,
}

impl Compression {
    #[cfg(test)]
    pub(super) const ALL: &[Self] = &[
        Compression::None,
        Compression::Snappy,
        Compression::Zstd,
        Compression::Gzip,
        Compression::Lz4,
        Compression::Brotli,
    ];

    /// Refuses what this build does not encode.
    pub(super) fn check(self) -> Result<(), ParquetError> {
        if is_supported(self.codec()) {
            return Ok(());
        }
        Err(ParquetError::UnsupportedCompression { codec: format!("{self:?}").to_uppercase() })
    }

    pub(super) fn codec(self) -> Codec {
        match self {
            Compression::None => Codec::UNCOMPRESSED,
            Compression::Snappy => Codec::SNAPPY,
            Compression::Zstd => Codec::ZSTD(ZstdLevel::default()),
            Compression::Gzip => Codec::GZIP(GzipLevel::default()),
            Compression::Lz4 => Codec::LZ4_RAW,
            Compression::Brotli => Codec::BROTLI(BrotliLevel::default()),
        }
    }
}

/// Whether this build encodes and decodes pages of the codec.
pub(super) fn is_supported(codec: Codec) -> bool {
    match codec {
        Codec::UNCOMPRESSED | Codec::SNAPPY => true,
        Codec::GZIP(_) => cfg!(feature = "gzip"),
        Codec::LZ4 | Codec::LZ4_RAW => cfg!(feature = "lz4"),
        Codec::ZSTD(_) => cfg!(feature = "zstd"),
        Codec::BROTLI(_) => cfg!(feature = "brotli"),
        Codec::LZO => false,
    }
}
