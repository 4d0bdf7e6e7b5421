//! Packing of rows into keys.

use super::column::{Cells, KeyColumn, StringCells, normal32, normal64};
use super::layout::{Coding, Field};
use super::string_code::{Codes, StringCode};
use super::{KeyLayout, PackedKey};
use crate::bits::BitSlice;

/// Whether the rows to pack are those that the layout was measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The measured rows: every value has a code.
    Measured,
    /// Other rows: a value without a code makes its row a miss.
    Foreign,
}

/// Packs rows of `columns` with `layout`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packer<'a> {
    layout: &'a KeyLayout,
    columns: &'a [KeyColumn<'a>],
    origin: Origin,
}

impl<'a> Packer<'a> {
    /// A packer of `columns`, whose types are those that `layout` was measured on. The layout's width must
    /// not be
    /// [`super::KeyWidth::Hashed`].
    pub(crate) fn new(layout: &'a KeyLayout, columns: &'a [KeyColumn<'a>], origin: Origin) -> Self {
        Self { layout, columns, origin }
    }

    /// Writes the keys of the rows from `start`, as many as `out` has. `K` is at least as wide as the layout.
    pub(crate) fn pack<K: PackedKey>(&self, start: usize, out: &mut [K]) {
        out.fill(K::default());
        let is_hit =
            self.origin == Origin::Measured && self.columns.iter().all(|column| column.validity.is_none());
        for (field, column) in self.layout.fields.iter().zip(self.columns) {
            let batch = Batch {
                validity: column.validity.map(|bits| bits.slice(start, out.len())),
                null: field.null_key(),
                weight: K::from_wide(field.weight),
                origin: self.origin,
                is_hit,
                out: &mut *out,
            };
            batch.pack(field, &column.cells, start);
        }
    }
}

/// The weight of a field whose codes, of which `largest` is the greatest, and weight have 32 bits.
fn narrow<K: PackedKey>(largest: u64, weight: K) -> Option<u32> {
    u32::try_from(largest).ok()?;
    u32::try_from(weight.index()).ok()
}

/// A field of a batch of keys.
struct Batch<'a, K> {
    validity: Option<BitSlice<'a>>,
    null: K,
    weight: K,
    origin: Origin,
    /// Whether no row is a miss, nor has a null.
    is_hit: bool,
    out: &'a mut [K],
}

vectorised! {
    /// Adds the code of each value, where no key is a miss.
    fn add_codes[K: PackedKey, T: Copy, F: Fn(T) -> K](out: &mut [K], values: &[T], code: F) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = out.plus_hit(code(value));
        }
    }
}

impl<K: PackedKey> Batch<'_, K> {
    fn pack(mut self, field: &Field, cells: &Cells<'_>, start: usize) {
        let (rows, weight) = (start..start + self.out.len(), self.weight);
        match (&field.coding, cells) {
            (&Coding::Integer { base, span }, Cells::I128(values)) => {
                self.values(&values[rows], |value| {
                    let code = value.wrapping_sub(base) as u128;
                    if code > span { K::MISS } else { K::from_wide(code).times(weight) }
                });
            }
            (&Coding::Integer { base, span }, cells) => {
                let (base, span) = (base as u64, span as u64);
                match cells {
                    Cells::I8(values) => self.integers(&values[rows], |v| v as u64, base, span),
                    Cells::I16(values) => self.integers(&values[rows], |v| v as u64, base, span),
                    Cells::I32(values) => self.integers(&values[rows], |v| v as u64, base, span),
                    Cells::I64(values) => self.integers(&values[rows], |v| v as u64, base, span),
                    Cells::U8(values) => self.integers(&values[rows], u64::from, base, span),
                    Cells::U16(values) => self.integers(&values[rows], u64::from, base, span),
                    Cells::U32(values) => self.integers(&values[rows], u64::from, base, span),
                    Cells::U64(values) => self.integers(&values[rows], |v| v, base, span),
                    _ => self.out.fill(K::MISS),
                }
            }
            (Coding::Float, Cells::F32(values)) => {
                self.values(&values[rows], |v| K::from_word(u64::from(normal32(v))).times(weight));
            }
            (Coding::Float, Cells::F64(values)) => {
                self.values(&values[rows], |v| K::from_word(normal64(v)).times(weight));
            }
            (Coding::Bit, Cells::Bit(bits)) => {
                let bits = bits.slice(start, self.out.len());
                self.rows(|row| K::from_word(u64::from(bits.get(row))).times(weight));
            }
            (Coding::String(code), Cells::String(strings)) => self.strings(code, strings, start),
            _ => self.out.fill(K::MISS),
        }
    }

    fn integers<T: Copy>(&mut self, values: &[T], word: impl Fn(T) -> u64, base: u64, span: u64) {
        let weight = self.weight;
        match self.origin {
            Origin::Measured => match narrow(span, weight) {
                // A product of two words of 32 bits is one instruction of AVX2, that of longer ones seven.
                Some(weight) => self.values(values, |value| {
                    let code = word(value).wrapping_sub(base) as u32;
                    K::from_word(u64::from(code) * u64::from(weight))
                }),
                None => {
                    self.values(values, |value| K::from_word(word(value).wrapping_sub(base)).times(weight));
                }
            },
            Origin::Foreign => self.values(values, |value| {
                let code = word(value).wrapping_sub(base);
                if code > span { K::MISS } else { K::from_word(code).times(weight) }
            }),
        }
    }

    fn strings(self, code: &StringCode, strings: &StringCells<'_>, start: usize) {
        let Self { validity, null, weight, origin, is_hit, out } = self;
        let len = out.len();
        if is_hit {
            let narrow = narrow(u64::try_from(code.largest()).unwrap_or(u64::MAX), weight);
            return code.codes(strings, start, len, |first, codes| match (codes, narrow) {
                (Codes::Words(codes), Some(weight)) => add_codes(&mut out[first..], codes, |code| {
                    K::from_word(u64::from(code as u32) * u64::from(weight))
                }),
                (Codes::Words(codes), None) => {
                    add_codes(&mut out[first..], codes, |code| K::from_word(code).times(weight));
                }
                (Codes::Wide(code), _) => out[first] = out[first].plus_hit(K::from_wide(code).times(weight)),
            });
        }
        let mut add = |row: usize, key: K| {
            let valid = validity.is_none_or(|bits| bits.get(row));
            out[row] = out[row].plus(if valid { key } else { null });
        };
        match origin {
            Origin::Measured => code.codes(strings, start, len, |first, codes| match codes {
                Codes::Words(codes) => {
                    for (row, &code) in codes.iter().enumerate() {
                        add(first + row, K::from_word(code).times(weight));
                    }
                }
                Codes::Wide(code) => add(first, K::from_wide(code).times(weight)),
            }),
            Origin::Foreign => code.foreign_codes(strings, start, len, |row, code| {
                add(row, code.map_or(K::MISS, |code| K::from_wide(code).times(weight)));
            }),
        }
    }

    /// Adds the code of each value, or the code of a null.
    fn values<T: Copy>(&mut self, values: &[T], code: impl Fn(T) -> K) {
        if self.is_hit {
            return add_codes(self.out, values, code);
        }
        let Some(validity) = self.validity else {
            for (out, &value) in self.out.iter_mut().zip(values) {
                *out = out.plus(code(value));
            }
            return;
        };
        for ((out, values), word) in self.out.chunks_mut(64).zip(values.chunks(64)).zip(validity.words()) {
            for (row, (out, &value)) in out.iter_mut().zip(values).enumerate() {
                *out = out.plus(if word >> row & 1 == 1 { code(value) } else { self.null });
            }
        }
    }

    /// Adds the code of each row, or the code of a null.
    fn rows(&mut self, code: impl Fn(usize) -> K) {
        for (row, out) in self.out.iter_mut().enumerate() {
            let valid = self.validity.is_none_or(|bits| bits.get(row));
            *out = out.plus(if valid { code(row) } else { self.null });
        }
    }
}
