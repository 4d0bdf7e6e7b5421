//! Bits of the host, put together one by one.

use crate::Result;
use crate::column::rows::Rows;
use columnade_buffers::{Buffer, Exec};

/// Bits, least significant first.
#[derive(Default)]
pub(in crate::column) struct BitPacker {
    pub(in crate::column) bytes: Vec<u8>,
    pub(super) len: usize,
}

impl BitPacker {
    /// As many ones.
    fn ones(len: usize) -> Self {
        let mut bytes = vec![u8::MAX; len / 8];
        if !len.is_multiple_of(8) {
            bytes.push((1 << (len % 8)) - 1);
        }
        Self { bytes, len }
    }

    pub(in crate::column) fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        if let Some(last) = self.bytes.last_mut() {
            *last |= u8::from(bit) << (self.len % 8);
        }
        self.len += 1;
    }
}

/// The bits of truths, eight a byte.
pub(super) fn packed(values: &[bool]) -> Vec<u8> {
    values.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, &bit| byte << 1 | u8::from(bit))).collect()
}

/// A mask that comes to be only when a row is null.
#[derive(Default)]
pub(in crate::column) struct MaskBuilder {
    /// Empty before the first null.
    bits: BitPacker,
    len: usize,
    nulls: usize,
}

impl MaskBuilder {
    #[inline]
    pub(in crate::column) fn push(&mut self, valid: bool) {
        if !valid && self.nulls == 0 {
            self.bits = BitPacker::ones(self.len);
        }
        self.len += 1;
        self.nulls += usize::from(!valid);
        if self.nulls > 0 {
            self.bits.push(valid);
        }
    }

    pub(in crate::column) fn finish(self, exec: &Exec) -> Result<Rows> {
        let mask = if self.nulls > 0 { Some(Buffer::from_slice(&self.bits.bytes, exec)?) } else { None };
        Ok(Rows::new(mask, 0, self.len, exec.device())?.with_null_count(self.nulls))
    }
}
