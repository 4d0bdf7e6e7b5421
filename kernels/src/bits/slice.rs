//! Bits in host memory, read as 64-bit words at any offset.

/// `len` bits from bit `offset` of `bytes`.
#[derive(Clone, Copy, Debug)]
pub struct BitSlice<'a> {
    bytes: &'a [u8],
    offset: usize,
    len: usize,
}

impl<'a> BitSlice<'a> {
    /// The bits `offset .. offset + len`.
    ///
    /// # Panics
    /// If `bytes` is too short for them.
    pub fn new(bytes: &'a [u8], offset: usize, len: usize) -> Self {
        assert!(
            bytes.len() * 8 >= offset + len,
            "{} bytes hold no {len} bits from bit {offset}",
            bytes.len()
        );
        let skipped = offset / 8;
        // Bytes past the last bit are excluded: their contents are unspecified.
        let bytes = if len == 0 { &[] } else { &bytes[skipped..(offset + len).div_ceil(8)] };
        Self { bytes, offset: offset % 8, len }
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bit `row`.
    ///
    /// # Panics
    /// If `row` is out of range.
    #[inline]
    pub fn get(&self, row: usize) -> bool {
        debug_assert!(row < self.len);
        let bit = self.offset + row;
        self.bytes[bit / 8] >> (bit % 8) & 1 != 0
    }

    /// The 64 bits from bit `64 * word`, zeros beyond the last bit.
    #[inline]
    pub fn word(&self, word: usize) -> u64 {
        let first = self.offset + word * 64;
        let rest = self.len.saturating_sub(word * 64);
        if rest == 0 {
            return 0;
        }
        let tail = &self.bytes[first / 8..];
        let shift = first % 8;
        let mut value = if let Some(chunk) = tail.first_chunk::<8>() {
            u64::from_le_bytes(*chunk)
        } else {
            let mut chunk = [0; 8];
            chunk[..tail.len()].copy_from_slice(tail);
            u64::from_le_bytes(chunk)
        } >> shift;
        if shift != 0
            && let Some(&ninth) = tail.get(8)
        {
            value |= u64::from(ninth) << (64 - shift);
        }
        if rest < 64 { value & ((1 << rest) - 1) } else { value }
    }

    /// All words; see [`BitSlice::word`].
    pub fn words(&self) -> impl ExactSizeIterator<Item = u64> + '_ {
        (0..self.len.div_ceil(64)).map(|word| self.word(word))
    }

    /// The bits `start .. start + len`.
    ///
    /// # Panics
    /// If they are out of range.
    #[must_use]
    pub fn slice(&self, start: usize, len: usize) -> BitSlice<'a> {
        assert!(start + len <= self.len);
        BitSlice::new(self.bytes, self.offset + start, len)
    }

    /// The number of set bits.
    pub fn count_ones(&self) -> usize {
        self.words().map(|word| word.count_ones() as usize).sum()
    }
}
