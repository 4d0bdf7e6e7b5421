//! How pages are compressed, and what this build can decode.

#[cfg(feature = "brotli")]
use parquet::basic::BrotliLevel;
use parquet::basic::{Compression as Codec, GzipLevel, ZstdLevel};

/// How the pages of a Parquet file are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// No compression.
    None,
    /// Snappy: fast to write and to read.
    #[default]
    Snappy,
    /// Zstandard at its first level: about a third smaller than Snappy.
    Zstd,
    /// gzip at its default level, for readers that know nothing else.
    Gzip,
    /// LZ4 blocks, the format's `LZ4_RAW`: faster to read than Snappy, and as large.
    Lz4,
    /// Brotli at its first level. Needs the feature `brotli`, which is on by default.
    #[cfg(feature = "brotli")]
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
        #[cfg(feature = "brotli")]
        Compression::Brotli,
    ];

    pub(super) fn codec(self) -> Codec {
        match self {
            Compression::None => Codec::UNCOMPRESSED,
            Compression::Snappy => Codec::SNAPPY,
            Compression::Zstd => Codec::ZSTD(ZstdLevel::default()),
            Compression::Gzip => Codec::GZIP(GzipLevel::default()),
            Compression::Lz4 => Codec::LZ4_RAW,
            #[cfg(feature = "brotli")]
            Compression::Brotli => Codec::BROTLI(BrotliLevel::default()),
        }
    }
}

/// Whether this build decodes pages of the codec.
pub(super) fn is_supported(codec: Codec) -> bool {
    match codec {
        Codec::UNCOMPRESSED
        | Codec::SNAPPY
        | Codec::GZIP(_)
        | Codec::LZ4
        | Codec::LZ4_RAW
        | Codec::ZSTD(_) => true,
        Codec::BROTLI(_) => cfg!(feature = "brotli"),
        Codec::LZO => false,
    }
}
