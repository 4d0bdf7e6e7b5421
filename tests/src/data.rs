//! Seeded test data.

/// Row counts at the edges of a warp, a mask word and a block, and one of many blocks.
pub const SIZES: [usize; 14] = [0, 1, 7, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1023, 5000];

/// `SplitMix64` (Steele, Lea, Flood 2014): small, seeded, the same on every machine.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator of its own sequence for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    #[expect(
        clippy::should_implement_trait,
        reason = "a generator never ends, and is asked for one number at a time"
    )]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not zero.
    ///
    /// # Panics
    /// When `bound` is zero.
    pub fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
        let numerator = (self.next() >> 11) as f64;
        numerator / 9_007_199_254_740_992.0
    }

    /// `n` random bytes.
    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// A string of up to `max` characters, some of them not ASCII.
    ///
    /// # Panics
    /// Never: the alphabet is not empty.
    pub fn text(&mut self, max: u64) -> String {
        const ALPHABET: [&str; 12] = ["a", "b", "c", "x", "Z", " ", "%", "é", "ß", "中", "🦀", "0"];
        let n = self.below(max + 1);
        (0..n).map(|_| ALPHABET[usize::try_from(self.below(12)).unwrap_or(0)]).collect()
    }
}

/// A pattern of nulls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nulls {
    /// No mask at all.
    NoMask,
    /// A mask without a null.
    NoNulls,
    /// A third of the rows.
    Some,
    /// Every row.
    All,
}

impl Nulls {
    /// Every pattern.
    pub const ALL: [Nulls; 4] = [Nulls::NoMask, Nulls::NoNulls, Nulls::Some, Nulls::All];

    /// The validity of `n` rows, true = valid.
    pub fn mask(self, n: usize, rng: &mut Rng) -> Option<Vec<bool>> {
        match self {
            Nulls::NoMask => None,
            Nulls::NoNulls => Some(vec![true; n]),
            Nulls::Some => Some((0..n).map(|_| rng.below(3) > 0).collect()),
            Nulls::All => Some(vec![false; n]),
        }
    }
}

/// Bits as bytes, least significant bit first.
pub fn pack_bits(bits: &[bool]) -> Vec<u8> {
    bits.chunks(8)
        .map(|byte| byte.iter().enumerate().fold(0, |packed, (k, &bit)| packed | u8::from(bit) << k))
        .collect()
}

/// The first `n` bits of `bytes`.
///
/// # Panics
/// When there are fewer.
pub fn unpack_bits(bytes: &[u8], n: usize) -> Vec<bool> {
    (0..n).map(|i| bytes[i / 8] >> (i % 8) & 1 == 1).collect()
}
