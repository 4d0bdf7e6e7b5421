//! The layout of the key columns of a row in one integer.

use super::column::{Cells, KeyColumn, Offsets};
use super::{NullRows, PackedKey};
use crate::morsel;
use smallvec::SmallVec;

/// The integer type of a packed key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum KeyWidth {
    /// `u64`.
    Word,
    /// `u128`.
    Double,
    /// No integer type is wide enough: `u64` hashes, and comparison of rows.
    Hashed,
}

/// Where the key columns are in a packed key, measured on the columns that define the keys: those of a
/// group-by, or those of the build side of a join. Integers are stored as the difference to their minimum, in
/// the bits that their range needs; strings of up to 15 bytes as bytes and length; floats with normalised NaN
/// and zero. A null is the code after the largest.
#[derive(Clone, Debug)]
pub(crate) struct KeyLayout {
    pub(super) fields: SmallVec<[Field; 4]>,
    bits: Option<u32>,
    /// The largest key.
    largest: u128,
}

/// The place of one column in a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) coding: Coding,
    /// The lowest bit.
    pub(super) shift: u32,
    /// The code of a null; `None`: no null among the measured rows.
    pub(super) null: Option<u128>,
}

/// How a value is encoded.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coding {
    /// 0 or 1.
    Bit,
    /// The difference to `base`, at most `span`.
    Integer { base: i128, span: u128 },
    /// The bits of the number, with normalised NaN and zero.
    Float,
    /// The bytes, the first one lowest, and above `longest` bytes the length, unless all strings have the
    /// same length.
    String { shortest: usize, longest: usize },
}

/// Strings of at most this many bytes are packed.
const LONGEST_PACKED: usize = 15;

impl Coding {
    /// The largest code.
    fn largest(self, cells: &Cells<'_>) -> u128 {
        match self {
            Coding::Bit => 1,
            Coding::Integer { span, .. } => span,
            // Negative infinity has the largest code: the normalised NaN is positive.
            Coding::Float if matches!(cells, Cells::F32(_)) => u128::from(f32::NEG_INFINITY.to_bits()),
            Coding::Float => u128::from(f64::NEG_INFINITY.to_bits()),
            Coding::String { shortest, longest } => {
                let lengths = if shortest == longest { 1 } else { longest as u128 + 1 };
                (lengths << (8 * longest)) - 1
            }
        }
    }
}

impl KeyLayout {
    /// Measures the columns: one pass over integers and offsets.
    pub(crate) fn measure(columns: &[KeyColumn<'_>], nulls: NullRows) -> Self {
        let mut fields: SmallVec<[Field; 4]> = SmallVec::new();
        let (mut bits, mut miss_is_free, mut largest_key) = (Some(0), false, 0);
        for column in columns {
            let (Some(coding), Some(used)) = (measure(column), bits) else {
                bits = None;
                break;
            };
            let largest = coding.largest(&column.cells);
            let null =
                (column.validity.is_some() && nulls == NullRows::Keys).then(|| largest.saturating_add(1));
            let field_bits = u128::BITS - null.unwrap_or(largest).leading_zeros();
            if null.unwrap_or(largest).count_ones() < field_bits {
                miss_is_free = true;
            }
            let shift = if field_bits == 0 { 0 } else { used };
            largest_key |= null.unwrap_or(largest).checked_shl(shift).unwrap_or(0);
            fields.push(Field { coding, shift, null });
            // A range of all 128 bits has no code for a null.
            bits =
                bits.map(|bits| bits + field_bits).filter(|&bits| bits <= u128::BITS && largest < u128::MAX);
            if bits.is_none() {
                break;
            }
        }
        // All ones is the key of excluded rows.
        let bits =
            bits.map(|bits| if miss_is_free { bits } else { bits + 1 }).filter(|&bits| bits <= u128::BITS);
        Self { fields, bits, largest: largest_key }
    }

    /// The integer type of a key.
    pub(crate) fn width(&self) -> KeyWidth {
        match self.bits {
            Some(bits) if bits <= u64::BITS => KeyWidth::Word,
            Some(_) => KeyWidth::Double,
            None => KeyWidth::Hashed,
        }
    }

    /// All keys except a miss are less than this; `None` for hashed rows and if it does not fit in `usize`.
    pub(crate) fn bound(&self) -> Option<usize> {
        self.bits.and_then(|_| usize::try_from(self.largest).ok()?.checked_add(1))
    }

    /// All keys except a miss are less than 2^bits; 64 for hashed rows.
    pub(crate) fn bits(&self) -> u32 {
        self.bits.unwrap_or(u64::BITS)
    }
}

/// A type whose values have a minimum and a maximum.
trait Limit: Copy + Ord + Into<i128> + Send + Sync {}

impl<T: Copy + Ord + Into<i128> + Send + Sync> Limit for T {}

vectorised! {
    /// The minimum and the maximum of `values` and `first`.
    fn limits[T: Limit](first: T, values: &[T]) -> (T, T) {
        const LANES: usize = 16;
        let (mut low, mut high) = ([first; LANES], [first; LANES]);
        let (chunks, rest) = values.as_chunks::<LANES>();
        for chunk in chunks {
            for lane in 0..LANES {
                low[lane] = if chunk[lane] < low[lane] { chunk[lane] } else { low[lane] };
                high[lane] = if chunk[lane] > high[lane] { chunk[lane] } else { high[lane] };
            }
        }
        let ends = low.into_iter().zip(high).chain(rest.iter().map(|&v| (v, v)));
        ends.fold((first, first), |all, ends| (all.0.min(ends.0), all.1.max(ends.1)))
    }
}

/// The coding of a column; `None` if its strings are too long.
fn measure(column: &KeyColumn<'_>) -> Option<Coding> {
    fn range<T: Limit>(values: &[T]) -> Coding {
        let ends = morsel::map(values.len(), |rows| {
            let (low, high) = limits(values[rows.start], &values[rows]);
            (low.into(), high.into())
        });
        let ends = ends.into_iter().reduce(|a: (i128, i128), b| (a.0.min(b.0), a.1.max(b.1)));
        let (base, last) = ends.unwrap_or((0, 0));
        Coding::Integer { base, span: last.wrapping_sub(base) as u128 }
    }
    match &column.cells {
        Cells::Bit(_) => Some(Coding::Bit),
        Cells::F32(_) | Cells::F64(_) => Some(Coding::Float),
        Cells::I8(values) => Some(range(values)),
        Cells::I16(values) => Some(range(values)),
        Cells::I32(values) => Some(range(values)),
        Cells::I64(values) => Some(range(values)),
        Cells::I128(values) => Some(range(values)),
        Cells::U8(values) => Some(range(values)),
        Cells::U16(values) => Some(range(values)),
        Cells::U32(values) => Some(range(values)),
        Cells::U64(values) => Some(range(values)),
        Cells::String(strings) => match strings.offsets {
            Offsets::I32(offsets) => lengths(column, |row| (offsets[row + 1] - offsets[row]) as usize),
            Offsets::I64(offsets) => lengths(column, |row| (offsets[row + 1] - offsets[row]) as usize),
        },
    }
}

/// The coding of strings by their lengths; `None` if the longest is too long.
fn lengths(column: &KeyColumn<'_>, length: impl Fn(usize) -> usize + Sync) -> Option<Coding> {
    let ends = morsel::map(column.rows, |rows| {
        rows.filter(|&row| column.valid(row))
            .fold((usize::MAX, 0), |(low, high), row| (low.min(length(row)), high.max(length(row))))
    });
    let (shortest, longest) = ends.into_iter().fold((usize::MAX, 0), |a, b| (a.0.min(b.0), a.1.max(b.1)));
    (longest <= LONGEST_PACKED).then_some(Coding::String { shortest: shortest.min(longest), longest })
}

impl Field {
    /// The code of a null in its place; a miss if rows with nulls are excluded or no null was measured.
    pub(super) fn null_key<K: PackedKey>(&self) -> K {
        self.null.map_or(K::MISS, |code| K::from_wide(code) << self.shift)
    }
}
