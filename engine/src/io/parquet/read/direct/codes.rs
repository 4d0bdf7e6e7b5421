//! Run lengths and packed bits, which codes into dictionaries and definition levels are written in.

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};

/// Values that are unpacked at a time.
const BLOCK: usize = 32;

/// Some codes that follow each other.
pub(super) enum Run<'a> {
    /// One code, so many times.
    Repeated(u32, usize),
    /// Each by itself.
    Packed(&'a [u32]),
}

/// Codes of a page, which are read one run after the other.
pub(super) struct Codes<'a> {
    bytes: &'a [u8],
    width: usize,
    /// A code, and how many times it is left.
    repeated: (u32, usize),
    /// The codes of the run that are not unpacked yet.
    packed: usize,
    block: [u32; BLOCK],
    /// The next code in the block, and their number.
    at: usize,
    len: usize,
}

impl<'a> Codes<'a> {
    /// Codes of `width` bits; `None` for more than 32.
    pub(super) fn new(bytes: &'a [u8], width: usize) -> Option<Self> {
        let codes = Self { bytes, width, repeated: (0, 0), packed: 0, block: [0; BLOCK], at: 0, len: 0 };
        (width <= 32).then_some(codes)
    }

    /// Gives the next `count` codes to `take`; `None` if there are fewer, or where `take` gives it.
    pub(super) fn read(
        &mut self,
        mut count: usize,
        mut take: impl FnMut(Run<'_>) -> Option<()>,
    ) -> Option<()> {
        while count > 0 {
            let (code, left) = self.repeated;
            if left > 0 {
                let taken = left.min(count);
                take(Run::Repeated(code, taken))?;
                self.repeated.1 -= taken;
                count -= taken;
            } else if self.at < self.len {
                let taken = (self.len - self.at).min(count);
                take(Run::Packed(&self.block[self.at..self.at + taken]))?;
                self.at += taken;
                count -= taken;
            } else if self.packed > 0 {
                self.unpack()?;
            } else {
                match header(&mut self.bytes)? {
                    Header::Packed(groups) => self.packed = groups.checked_mul(8)?,
                    Header::Repeated(times) => {
                        let (code, rest) = self.bytes.split_at_checked(self.width.div_ceil(8))?;
                        self.bytes = rest;
                        let mut word = [0; 4];
                        word[..code.len()].copy_from_slice(code);
                        self.repeated = (u32::from_le_bytes(word), times);
                    }
                }
            }
        }
        Some(())
    }

    /// Unpacks the next block.
    fn unpack(&mut self) -> Option<()> {
        let values = self.packed.min(BLOCK);
        // Packed by eights, so these are whole bytes.
        let length = values * self.width / 8;
        let (packed, rest) = self.bytes.split_at_checked(length)?;
        if length == BLOCK / 8 * self.width {
            unpack(packed, self.width, &mut self.block);
        } else {
            let mut padded = [0; 4 * BLOCK];
            padded[..length].copy_from_slice(packed);
            unpack(&padded, self.width, &mut self.block);
        }
        self.bytes = rest;
        self.packed -= values;
        (self.at, self.len) = (0, values);
        Some(())
    }
}

/// What comes next.
enum Header {
    /// So many times eight packed values.
    Packed(usize),
    /// One value, so many times.
    Repeated(usize),
}

/// Takes a header off the bytes: a number in sevens of bits, the last of which is the kind.
fn header(bytes: &mut &[u8]) -> Option<Header> {
    let mut number = 0_u64;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            let count = usize::try_from(number >> 1).ok()?;
            return Some(if number & 1 == 1 { Header::Packed(count) } else { Header::Repeated(count) });
        }
    }
    None
}

/// Values of so many bits, from four bytes a bit on.
fn unpack(bytes: &[u8], width: usize, block: &mut [u32; BLOCK]) {
    macro_rules! by_width {
        ($($width:literal)*) => {
            match width {
                $($width => unpack_as::<$width>(bytes, block),)*
                _ => block.fill(0),
            }
        };
    }
    by_width!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
}

/// Without a loop, so that the compiler knows the shifts: about four instructions a value.
#[expect(clippy::cast_possible_truncation, reason = "masked")]
fn unpack_as<const WIDTH: usize>(bytes: &[u8], block: &mut [u32; BLOCK]) {
    let mut words = [0_u32; BLOCK + 1];
    for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0).take(WIDTH) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mask = u64::MAX >> (64 - WIDTH);
    macro_rules! each {
        ($($at:literal)*) => {
            $({
                const { assert!($at < BLOCK) };
                let bit = $at * WIDTH;
                let pair = u64::from(words[bit / 32]) | u64::from(words[bit / 32 + 1]) << 32;
                block[$at] = (pair >> (bit % 32) & mask) as u32;
            })*
        };
    }
    each!(0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
}

/// Whether each of `rows` rows has a value, by definition levels of one bit; the inner `None` if all do.
#[expect(clippy::option_option, reason = "levels that do not decode, and levels that say nothing")]
pub(super) fn validity(mut bytes: &[u8], rows: usize) -> Option<Option<BooleanBuffer>> {
    let mut valid: Option<BooleanBufferBuilder> = None;
    let mut row = 0;
    while row < rows {
        let left = rows - row;
        match header(&mut bytes)? {
            Header::Packed(groups) => {
                let (packed, rest) = bytes.split_at_checked(groups.min(left.div_ceil(8)))?;
                bytes = rest;
                let count = left.min(packed.len() * 8);
                let valid = valid.get_or_insert_with(|| all_valid(row, rows));
                valid.append_packed_range(0..count, packed);
                row += count;
            }
            Header::Repeated(times) => {
                let (&level, rest) = bytes.split_first()?;
                bytes = rest;
                let count = left.min(times);
                if level == 0 || valid.is_some() {
                    valid.get_or_insert_with(|| all_valid(row, rows)).append_n(count, level != 0);
                }
                row += count;
            }
        }
    }
    let valid = valid.map(|mut valid| valid.finish());
    Some(valid.filter(|valid| valid.count_set_bits() < rows))
}

/// So many valid rows, with space for all.
pub(super) fn all_valid(valid: usize, rows: usize) -> BooleanBufferBuilder {
    let mut builder = BooleanBufferBuilder::new(rows);
    builder.append_n(valid, true);
    builder
}
