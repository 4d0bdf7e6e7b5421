//! Random key columns with their expected keys, for the tests of grouping and joining.

use crate::{Fixed, OffsetWidth, Storage, StringsView, View};
use columnade_buffers::{Buffer, Exec};
use columnade_tests::{Nulls, Rng, pack_bits};

/// The contents of a test column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Values of a fixed-width type.
    Fixed(Storage),
    /// Strings of up to 15 bytes, which are packed.
    ShortString,
    /// Strings of any length, with wide offsets.
    LongString,
    /// Up to so many bytes that need not be text, zeros among them.
    Bytes(u8),
}

/// Of an integer column the type, its least value, and how many values follow it.
type Range = (Storage, i128, i128);

/// A column on a device, and its rows as bytes that are equal exactly if the rows are equal keys.
pub(crate) struct TestColumn {
    kind: Kind,
    data: Buffer,
    offsets: Option<Buffer>,
    validity: Option<Buffer>,
    offset: usize,
    len: usize,
    /// The rows.
    pub(crate) rows: Vec<Option<Vec<u8>>>,
}

impl TestColumn {
    /// `n` rows at offset `offset` of the buffers, with at most `distinct` values besides null.
    pub(crate) fn random(
        kind: Kind,
        n: usize,
        offset: usize,
        nulls: Nulls,
        distinct: u64,
        rng: &mut Rng,
        exec: &Exec,
    ) -> Self {
        let total = offset + n;
        let mask = nulls.mask(total, rng);
        let validity = mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap());
        let choices: Vec<u64> = (0..total).map(|_| rng.below(distinct)).collect();
        let (data, offsets, rows): (Buffer, Option<Buffer>, Vec<Vec<u8>>) = match kind {
            Kind::Fixed(storage) => {
                let cells: Vec<(Vec<u8>, Vec<u8>)> =
                    choices.iter().map(|&choice| cell(storage, choice, rng)).collect();
                let data = match storage.width() {
                    None => pack_bits(&cells.iter().map(|(raw, _)| raw[0] == 1).collect::<Vec<_>>()),
                    Some(_) => cells.iter().flat_map(|(raw, _)| raw.clone()).collect(),
                };
                (
                    Buffer::from_slice(&data, exec).unwrap(),
                    None,
                    cells.into_iter().map(|(_, key)| key).collect(),
                )
            }
            Kind::ShortString | Kind::LongString | Kind::Bytes(_) => {
                let text = |choice: u64| match (kind, choice) {
                    (Kind::Bytes(most), choice) => short_bytes(choice, most.into()),
                    (_, 0) => Vec::new(),
                    (_, 1) => "é".into(),
                    (Kind::ShortString, c) => format!("{c}{}", "中".repeat(c as usize % 3)).into_bytes(),
                    (_, c) => format!("{c} und {}", "🦀ß".repeat(c as usize % 9)).into_bytes(),
                };
                let strings: Vec<Vec<u8>> = choices.iter().map(|&choice| text(choice)).collect();
                let mut ends = vec![0_i64];
                ends.extend(strings.iter().scan(0, |end, text| {
                    *end += text.len() as i64;
                    Some(*end)
                }));
                let offsets = if kind == Kind::LongString {
                    Buffer::from_slice(&ends, exec)
                } else {
                    Buffer::from_slice(&ends.iter().map(|&end| end as i32).collect::<Vec<_>>(), exec)
                };
                let data = Buffer::from_slice(&strings.concat(), exec).unwrap();
                (data, Some(offsets.unwrap()), strings)
            }
        };
        let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
        let rows =
            rows.into_iter().enumerate().map(|(row, key)| valid(row).then_some(key)).skip(offset).collect();
        Self { kind, data, offsets, validity, offset, len: n, rows }
    }

    /// The given values, at offset `offset` of the buffers.
    pub(crate) fn of_i64(values: &[i64], offset: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> Self {
        let values: Vec<i128> = values.iter().map(|&value| value.into()).collect();
        Self::of_integers(Storage::I64, &values, offset, nulls, rng, exec)
    }

    /// The given values of an integer type, at offset `offset` of the buffers.
    pub(crate) fn of_integers(
        storage: Storage,
        values: &[i128],
        offset: usize,
        nulls: Nulls,
        rng: &mut Rng,
        exec: &Exec,
    ) -> Self {
        let total = offset + values.len();
        let mask = nulls.mask(total, rng);
        let width = storage.width().unwrap();
        let bytes = |value: i128| value.to_le_bytes()[..width].to_vec();
        let data: Vec<u8> =
            vec![0; offset].into_iter().chain(values.iter().copied()).flat_map(bytes).collect();
        let is_valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[offset + row]);
        Self {
            kind: Kind::Fixed(storage),
            data: Buffer::from_slice(&data, exec).unwrap(),
            offsets: None,
            validity: mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
            offset,
            len: values.len(),
            rows: values
                .iter()
                .enumerate()
                .map(|(row, &value)| is_valid(row).then(|| bytes(value)))
                .collect(),
        }
    }

    /// Integer columns of several types whose ranges together take few bits, all bits of a word, or more, over `n` rows.
    pub(crate) fn of_ranges(
        n: usize,
        nulls: Nulls,
        rng: &mut Rng,
        exec: &Exec,
    ) -> Vec<(&'static str, Vec<Self>)> {
        let [least, greatest] = [i64::MIN, i64::MAX].map(i128::from);
        let cases: [(&str, &[Range]); 9] = [
            ("few bits", &[(Storage::I64, -5, 6), (Storage::I64, 1 << 40, 9)]),
            (
                "ends of types",
                &[
                    (Storage::I64, least, 4),
                    (Storage::U64, u64::MAX.into(), 0),
                    (Storage::I64, greatest - 3, 3),
                ],
            ),
            ("one value each", &[(Storage::I64, -1, 0), (Storage::I64, 77, 0)]),
            (
                "narrow and wide",
                &[
                    (Storage::I8, -128, 255),
                    (Storage::I64, -3, 8),
                    (Storage::U32, 3, 2),
                    (Storage::I32, -9, 20),
                ],
            ),
            (
                "three of 32 bits",
                &[
                    (Storage::I32, i32::MIN.into(), 3),
                    (Storage::U32, u32::MAX.into(), 0),
                    (Storage::I32, -1, 2),
                ],
            ),
            ("all values of a word", &[(Storage::I64, least, greatest - least)]),
            ("63 bits and one", &[(Storage::I64, 0, greatest - 1), (Storage::I64, 6, 1)]),
            ("63 bits and two", &[(Storage::I64, 0, greatest - 1), (Storage::I64, 6, 3)]),
            ("two words", &[(Storage::I64, least, greatest - least), (Storage::U64, 0, u64::MAX.into())]),
        ];
        let cases = cases.into_iter().map(|(name, columns)| {
            let columns = columns.iter().enumerate().map(|(k, &(storage, first, span))| {
                // Few values, the ends among them.
                let value = |choice: u64| match choice {
                    0 => first,
                    1 => first + span,
                    _ => first + i128::from(choice) % (span + 1),
                };
                let values: Vec<i128> = (0..n).map(|_| value(rng.below(7))).collect();
                Self::of_integers(storage, &values, [0, 3][k % 2], nulls, rng, exec)
            });
            (name, columns.collect())
        });
        cases.collect()
    }

    /// The column.
    pub(crate) fn view(&self) -> View<'_> {
        let (offset, len, validity) = (self.offset, self.len, self.validity.as_ref());
        match (self.kind, &self.offsets) {
            (Kind::Fixed(storage), _) => {
                View::Fixed(Fixed { storage, data: &self.data, validity, offset, len })
            }
            (kind, offsets) => View::String(StringsView {
                offsets: offsets.as_ref().unwrap(),
                offset_width: if kind == Kind::LongString { OffsetWidth::I64 } else { OffsetWidth::I32 },
                chars: &self.data,
                validity,
                offset,
                len,
            }),
        }
    }
}

/// At most `most` bytes, of which many share their first ones, or differ in zeros at the end alone.
fn short_bytes(choice: u64, most: u64) -> Vec<u8> {
    let (length, rest) = (choice % (most + 1), choice / (most + 1));
    (0..length).map(|k| [0, 0xff, b'a', 0x80][((rest >> k) % 4) as usize]).collect()
}

/// A value of a storage type for each choice: its bytes, and the bytes of its key.
fn cell(storage: Storage, choice: u64, rng: &mut Rng) -> (Vec<u8>, Vec<u8>) {
    let either = rng.below(2) == 0;
    let (raw, key) = match (storage, choice) {
        (Storage::F32, 0) => ((if either { 0.0_f32 } else { -0.0 }).to_bits().into(), 0),
        (Storage::F32, 1) => ((if either { f32::NAN } else { -f32::NAN }).to_bits().into(), 1),
        (Storage::F32, c) => ((c as f32 * -1.5).to_bits().into(), c.into()),
        (Storage::F64, 0) => ((if either { 0.0_f64 } else { -0.0 }).to_bits().into(), 0),
        (Storage::F64, 1) => ((if either { f64::NAN } else { -f64::NAN }).to_bits().into(), 1),
        (Storage::F64, c) => (u128::from((c as f64 * 1e300).to_bits()), c.into()),
        // Sometimes the ends of the range, so that the range cannot be narrowed.
        (Storage::I64, c) if c % 7 == 3 => {
            (i64::MIN as u128 + u128::from(c), i64::MIN as u128 + u128::from(c))
        }
        (Storage::I64, c) if c % 7 == 4 => ((i64::MAX - c as i64) as u128, (i64::MAX - c as i64) as u128),
        (Storage::I128, c) => (u128::from(c) << 77, u128::from(c) << 77),
        (Storage::Bit, c) => (u128::from(c % 2), u128::from(c % 2)),
        (_, c) => (u128::from(c), u128::from(c)),
    };
    let width = storage.width().unwrap_or(1);
    let raw = raw.to_le_bytes()[..width].to_vec();
    let key = if storage.is_integer() { raw.clone() } else { key.to_le_bytes().to_vec() };
    (raw, key)
}
