//! Bytes as choices.

use columnade_columns::arrow::c::{CopyPolicy, ImportOptions, Validation};

/// Choices made by bytes, from the first to the last; zeros follow, which choose what is right.
pub(super) struct Input<'a> {
    bytes: &'a [u8],
    /// Whether what no structure shows may be wrong too: only a full validation finds that.
    pub(super) contents_lie: bool,
}

impl<'a> Input<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, contents_lie: false }
    }

    pub(super) fn byte(&mut self) -> u8 {
        match self.bytes.split_first() {
            Some((&first, rest)) => {
                self.bytes = rest;
                first
            }
            None => 0,
        }
    }

    /// One of `choices`.
    pub(super) fn pick<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[usize::from(self.byte()) % choices.len()].clone()
    }

    /// A number below `bound`, which is at most 256.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        usize::from(self.byte()) % bound
    }

    /// Now and then.
    pub(super) fn seldom(&mut self) -> bool {
        self.byte() >= 0xf0
    }

    /// Some of the bytes as they are.
    pub(super) fn raw(&mut self, most: usize) -> Vec<u8> {
        let len = self.below(most + 1);
        (0..len).map(|_| self.byte()).collect()
    }

    /// A number of either sign: small, at some edge, or anything.
    pub(super) fn number(&mut self) -> i64 {
        match self.byte() {
            small @ 0..0x80 => i64::from(small),
            0x80..0xa0 => self.pick(&EDGES),
            0xa0..0xc0 => self.pick(&EDGES).wrapping_add(i64::from(self.byte().cast_signed())),
            0xc0..0xe0 => i64::from(i32::from_ne_bytes([self.byte(), self.byte(), self.byte(), self.byte()])),
            _ => i64::from_ne_bytes(std::array::from_fn(|_| self.byte())),
        }
    }

    /// How to import; says whether contents may lie.
    pub(super) fn options(&mut self) -> ImportOptions {
        let choice = self.byte();
        self.contents_lie = choice & 0x80 != 0;
        let validate = if choice & 0xc0 == 0 { Validation::Minimal } else { Validation::Full };
        let copy =
            [CopyPolicy::IfNeeded, CopyPolicy::Never, CopyPolicy::Always][usize::from(choice & 0x3f) % 3];
        ImportOptions { copy, validate }
    }
}

/// Numbers at which arithmetic goes wrong.
const EDGES: [i64; 12] = [
    -1,
    i64::MAX,
    i64::MIN,
    i64::MAX / 64,
    i64::MAX / 64 + 1,
    i64::MAX / 8,
    i64::MAX / 16 + 1,
    1 << 31,
    (1 << 31) - 1,
    1 << 32,
    1 << 62,
    1 << 40,
];
