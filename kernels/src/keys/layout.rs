//! The layout of the key columns of a row in one integer.

use super::column::{Cells, KeyColumn};
use super::string_code::StringCode;
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
/// group-by, or those of the build side of a join. Each column has a code: integers the difference to their minimum,
/// strings of up to 16 bytes a number of [mixed radix](StringCode), floats their bits with normalised NaN and zero. A null
/// is the code after the largest. The codes of a row are the digits of its key, again in mixed radix.
#[derive(Clone, Debug)]
pub(crate) struct KeyLayout {
    pub(super) fields: SmallVec<[Field; 4]>,
    /// All keys are less; `None` if that is more than 128 bits hold.
    bound: Option<u128>,
}

/// The place of one column in a key.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub(super) coding: Coding,
    /// What its code is multiplied by.
    pub(super) weight: u128,
    /// The code of a null; `None`: no null among the measured rows.
    pub(super) null: Option<u128>,
}

/// How a value is encoded.
#[derive(Clone, Debug)]
pub(super) enum Coding {
    /// 0 or 1.
    Bit,
    /// The difference to `base`, at most `span`.
    Integer { base: i128, span: u128 },
    /// The bits of the number, with normalised NaN and zero.
    Float,
    /// The digits of a short string.
    String(Box<StringCode>),
}

impl Coding {
    /// The largest code.
    fn largest(&self, cells: &Cells<'_>) -> u128 {
        match self {
            Coding::Bit => 1,
            Coding::Integer { span, .. } => *span,
            // Negative infinity has the largest code: the normalised NaN is positive.
            Coding::Float if matches!(cells, Cells::F32(_)) => u128::from(f32::NEG_INFINITY.to_bits()),
            Coding::Float => u128::from(f64::NEG_INFINITY.to_bits()),
            Coding::String(code) => code.largest,
        }
    }
}

impl KeyLayout {
    /// Measures the columns: one pass over integers and short strings.
    pub(crate) fn measure(columns: &[KeyColumn<'_>], nulls: NullRows) -> Self {
        let mut layout = Self { fields: SmallVec::new(), bound: Some(1) };
        for column in columns {
            let Some(coding) = layout.bound.and_then(|_| measure(column)) else {
                return Self { bound: None, ..layout };
            };
            let largest = coding.largest(&column.cells);
            layout.add(coding, largest, column.validity.is_some() && nulls == NullRows::Keys);
        }
        layout
    }

    /// Adds a column of these codes, the last digit so far.
    fn add(&mut self, coding: Coding, largest: u128, has_null: bool) {
        let Some(weight) = self.bound else { return };
        // A range of all 128 bits has no code for a null, nor a number of codes.
        let null = if has_null { largest.checked_add(1) } else { Some(largest) };
        self.bound = null.and_then(|last| last.checked_add(1)?.checked_mul(weight));
        self.fields.push(Field { coding, weight, null: null.filter(|_| has_null) });
    }

    /// The integer type of a key. All ones is the key of excluded rows, and no other.
    pub(crate) fn width(&self) -> KeyWidth {
        match self.bound {
            Some(bound) if bound <= u128::from(u64::MAX) => KeyWidth::Word,
            Some(_) => KeyWidth::Double,
            None => KeyWidth::Hashed,
        }
    }

    /// All keys except a miss are less than this; `None` for hashed rows and if it does not fit in `usize`.
    pub(crate) fn bound(&self) -> Option<usize> {
        self.bound.and_then(|bound| usize::try_from(bound).ok())
    }

    /// All keys except a miss are less than 2^bits; 64 for hashed rows.
    pub(crate) fn bits(&self) -> u32 {
        self.bound.map_or(u64::BITS, |bound| u128::BITS - (bound - 1).leading_zeros())
    }
}

/// What is measured of key columns whose rows come in chunks.
#[derive(Clone, Debug, Default)]
pub(crate) struct KeyRanges {
    /// Of each column: its coding, the largest code, and whether it has a null.
    columns: SmallVec<[(Coding, u128, bool); 4]>,
}

impl KeyRanges {
    /// Measures the columns of one more chunk; `false` for strings, whose codes are made of all of them.
    pub(crate) fn add(&mut self, columns: &[KeyColumn<'_>]) -> bool {
        if columns.iter().any(|column| matches!(column.cells, Cells::String(_))) {
            return false;
        }
        if columns.first().is_none_or(|column| column.rows == 0) {
            return true;
        }
        for (position, column) in columns.iter().enumerate() {
            let Some(coding) = measure(column) else { return false };
            let (largest, has_null) = (coding.largest(&column.cells), column.validity.is_some());
            let Some((all, all_largest, any_null)) = self.columns.get_mut(position) else {
                self.columns.push((coding, largest, has_null));
                continue;
            };
            *any_null |= has_null;
            if let (Coding::Integer { base, span }, &Coding::Integer { base: other, span: other_span }) =
                (all, &coding)
            {
                let last = |base: i128, span: u128| base.wrapping_add(span.cast_signed());
                let end = last(*base, *span).max(last(other, other_span));
                *base = (*base).min(other);
                *span = end.wrapping_sub(*base).cast_unsigned();
                *all_largest = *span;
            }
        }
        true
    }

    /// The layout of keys of all chunks.
    pub(crate) fn layout(&self, nulls: NullRows) -> KeyLayout {
        let mut layout = KeyLayout { fields: SmallVec::new(), bound: Some(1) };
        for (coding, largest, has_null) in &self.columns {
            layout.add(coding.clone(), *largest, *has_null && nulls == NullRows::Keys);
        }
        layout
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
        Cells::String(strings) => {
            StringCode::measure(column, strings).map(|code| Coding::String(Box::new(code)))
        }
    }
}

impl Field {
    /// The code of a null in its place; a miss if rows with nulls are excluded or no null was measured.
    pub(super) fn null_key<K: PackedKey>(&self) -> K {
        self.null.map_or(K::MISS, |code| K::from_wide(code).times(K::from_wide(self.weight)))
    }
}
