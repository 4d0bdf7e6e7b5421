//! Builds bits on the host.

use super::finished;
use crate::Result;
use crate::column::rows::Rows;
use columnade_buffers::{Buffer, Exec};

/// Bits, least significant first.
#[derive(Default)]
pub(in crate::column) struct BitPacker {
    /// In words whose bytes are in the order of the bits: memory that is aligned as Arrow's masks are. Zeros beyond the
    /// last bit.
    words: Vec<u64>,
    pub(super) len: usize,
}

impl BitPacker {
    /// As many ones.
    fn ones(len: usize) -> Self {
        let mut words = vec![u64::MAX; len / 64];
        if !len.is_multiple_of(64) {
            words.push(((1_u64 << (len % 64)) - 1).to_le());
        }
        Self { words, len }
    }

    /// Those of truths.
    pub(super) fn of(values: &[bool]) -> Self {
        let word =
            |bits: &[bool]| bits.iter().rev().fold(0_u64, |word, &bit| word << 1 | u64::from(bit)).to_le();
        Self { words: values.chunks(64).map(word).collect(), len: values.len() }
    }

    #[inline]
    pub(in crate::column) fn push(&mut self, bit: bool) {
        if self.len.is_multiple_of(64) {
            self.words.push(0);
        }
        if let Some(last) = self.words.last_mut() {
            *last |= (u64::from(bit) << (self.len % 64)).to_le();
        }
        self.len += 1;
    }

    pub(in crate::column) fn finish(self, exec: &Exec) -> Result<Buffer> {
        Ok(finished(self.words, exec)?.slice(0, self.len.div_ceil(8)))
    }
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
        let mask = if self.nulls > 0 { Some(self.bits.finish(exec)?) } else { None };
        Ok(Rows::new(mask, 0, self.len, exec.device())?.with_null_count(self.nulls))
    }
}
