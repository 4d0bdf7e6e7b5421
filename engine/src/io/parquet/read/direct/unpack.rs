//! Compressed pages, unpacked into memory that all pages of a chunk share: memory of their own would cost more than to unpack them.

use columnade_buffers::{Buffer, Exec, OwnedWriteGuard};
use parquet::basic::Compression;

/// Unpacks the pages of a chunk, one after the other.
pub(super) struct Unpacker {
    codec: Codec,
    /// For the page that is unpacked. It is held between pages: a worker must not wait until it is evicted.
    space: Option<OwnedWriteGuard>,
}

enum Codec {
    None,
    Snappy(Box<snap::raw::Decoder>),
    #[cfg(feature = "zstd")]
    Zstd(zstd::bulk::Decompressor<'static>),
}

impl Codec {
    #[cfg(feature = "zstd")]
    fn zstd() -> Option<Self> {
        Some(Codec::Zstd(zstd::bulk::Decompressor::new().ok()?))
    }

    #[cfg(not(feature = "zstd"))]
    fn zstd() -> Option<Self> {
        None
    }
}

impl Unpacker {
    /// `None` for a codec that the library unpacks.
    pub(super) fn new(codec: Compression) -> Option<Self> {
        #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is another library's")]
        let codec = match codec {
            Compression::UNCOMPRESSED => Codec::None,
            Compression::SNAPPY => Codec::Snappy(Box::default()),
            Compression::ZSTD(_) => Codec::zstd()?,
            _ => return None,
        };
        Some(Self { codec, space: None })
    }

    /// Gives `take` a page that has so many bytes without compression; `None` if it has not, where memory is refused, and where
    /// `take` gives it.
    pub(super) fn unpack<R>(
        &mut self,
        packed: &[u8],
        len: usize,
        take: impl FnOnce(&[u8]) -> Option<R>,
    ) -> Option<R> {
        if matches!(self.codec, Codec::None) {
            return take(packed).filter(|_| packed.len() == len);
        }
        if len == 0 {
            return take(&[]);
        }
        if self.space.as_ref().is_none_or(|space| space.len() < len) {
            self.space = None;
            self.space = Some(Buffer::uninit_write(len, &Exec::host()).ok()?);
        }
        let space = self.space.as_mut()?.as_mut_slice::<u8>().get_mut(..len)?;
        let unpacked = match &mut self.codec {
            Codec::None => return None,
            Codec::Snappy(decoder) => decoder.decompress(packed, space).ok()?,
            #[cfg(feature = "zstd")]
            Codec::Zstd(decoder) => decoder.decompress_to_buffer(packed, space).ok()?,
        };
        if unpacked == len { take(space) } else { None }
    }
}
