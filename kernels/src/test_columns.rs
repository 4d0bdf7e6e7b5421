//! Columns for the tests: random ones with their rows, and the rows of a result. A row is its bytes.

use crate::{ColumnData, Fixed, OffsetWidth, Storage, StringsView, View};
use columnade_buffers::{Buffer, Exec};
use columnade_tests::{Nulls, Rng, pack_bits};

/// The value of a row; `None` for a null.
pub(crate) type Row = Option<Vec<u8>>;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Fixed(Storage),
    String(OffsetWidth),
}

/// One type of each width.
pub(crate) const KINDS: [Kind; 8] = [
    Kind::Fixed(Storage::Bit),
    Kind::Fixed(Storage::I8),
    Kind::Fixed(Storage::U16),
    Kind::Fixed(Storage::F32),
    Kind::Fixed(Storage::I64),
    Kind::Fixed(Storage::I128),
    Kind::String(OffsetWidth::I32),
    Kind::String(OffsetWidth::I64),
];

/// A column on a device, and its rows.
pub(crate) struct TestColumn {
    pub(crate) rows: Vec<Row>,
    kind: Kind,
    offset: usize,
    data: Buffer,
    offsets: Option<Buffer>,
    validity: Option<Buffer>,
}

impl TestColumn {
    /// `n` random rows at offset `offset` of the buffers.
    pub(crate) fn random(
        kind: Kind,
        n: usize,
        offset: usize,
        nulls: Nulls,
        rng: &mut Rng,
        exec: &Exec,
    ) -> TestColumn {
        let values = (0..offset + n).map(|_| match kind {
            Kind::Fixed(Storage::Bit) => vec![u8::from(rng.below(2) == 1)],
            Kind::Fixed(storage) => rng.bytes(storage.bytes(1)),
            Kind::String(_) => {
                let longest = if rng.below(20) == 0 { 60 } else { 6 };
                rng.text(longest).into_bytes()
            }
        });
        let values: Vec<Vec<u8>> = values.collect();
        let mask = nulls.mask(offset + n, rng);
        Self::new(kind, &values, mask.as_deref(), offset, exec)
    }

    /// The column of `values` at offset `offset`.
    pub(crate) fn new(
        kind: Kind,
        values: &[Vec<u8>],
        mask: Option<&[bool]>,
        offset: usize,
        exec: &Exec,
    ) -> TestColumn {
        let bytes: Vec<u8> = match kind {
            Kind::Fixed(Storage::Bit) => pack_bits(&values.iter().map(|v| v[0] == 1).collect::<Vec<_>>()),
            _ => values.concat(),
        };
        // Strings that do not start at the first byte.
        let skipped = if matches!(kind, Kind::String(_)) { b"~~~".to_vec() } else { Vec::new() };
        let ends = values.iter().scan(skipped.len(), |end, value| {
            *end += value.len();
            Some(*end as i64)
        });
        let ends: Vec<i64> = std::iter::once(skipped.len() as i64).chain(ends).collect();
        let offsets = match kind {
            Kind::Fixed(_) => None,
            Kind::String(OffsetWidth::I32) => {
                Some(Buffer::from_slice(&ends.iter().map(|&end| end as i32).collect::<Vec<_>>(), exec))
            }
            Kind::String(OffsetWidth::I64) => Some(Buffer::from_slice(&ends, exec)),
        };
        let rows = (offset..values.len())
            .map(|row| mask.is_none_or(|mask| mask[row]).then(|| values[row].clone()))
            .collect();
        Self {
            rows,
            kind,
            offset,
            data: Buffer::from_slice(&[skipped, bytes].concat(), exec).unwrap(),
            offsets: offsets.transpose().unwrap(),
            validity: mask.map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
        }
    }

    pub(crate) fn view(&self) -> View<'_> {
        let (offset, len, validity) = (self.offset, self.rows.len(), self.validity.as_ref());
        match (self.kind, &self.offsets) {
            (Kind::String(offset_width), Some(offsets)) => {
                View::String(StringsView { offsets, offset_width, chars: &self.data, validity, offset, len })
            }
            (Kind::Fixed(storage), _) => {
                View::Fixed(Fixed { storage, data: &self.data, validity, offset, len })
            }
            (Kind::String(_), None) => unreachable!("strings have offsets"),
        }
    }
}

/// The rows of a result.
pub(crate) fn rows(column: &ColumnData, exec: &Exec) -> Vec<Row> {
    let bytes = |buffer: &Buffer| buffer.to_vec::<u8>(exec).unwrap();
    let (len, validity) = match column {
        ColumnData::Fixed(fixed) => (fixed.len, &fixed.validity),
        ColumnData::String(text) => (text.len, &text.validity),
    };
    let validity = validity.as_ref().map(|mask| {
        let mask = bytes(mask);
        assert_eq!(mask.len(), len.div_ceil(8), "bytes of a mask");
        mask
    });
    let values: Vec<Vec<u8>> = match column {
        ColumnData::Fixed(fixed) => {
            let data = bytes(&fixed.data);
            assert_eq!(data.len(), fixed.storage.bytes(len), "bytes of the values");
            (0..len)
                .map(|row| match fixed.storage.width() {
                    None => vec![data[row / 8] >> (row % 8) & 1],
                    Some(width) => data[row * width..][..width].to_vec(),
                })
                .collect()
        }
        ColumnData::String(text) => {
            let chars = bytes(&text.chars);
            let offsets: Vec<i64> = match text.offset_width {
                OffsetWidth::I32 => {
                    text.offsets.to_vec::<i32>(exec).unwrap().into_iter().map(i64::from).collect()
                }
                OffsetWidth::I64 => text.offsets.to_vec(exec).unwrap(),
            };
            assert_eq!((offsets.len(), offsets[0]), (len + 1, 0), "offsets");
            offsets.windows(2).map(|w| chars[w[0] as usize..w[1] as usize].to_vec()).collect()
        }
    };
    let valid = |row: usize| validity.as_ref().is_none_or(|mask| mask[row / 8] >> (row % 8) & 1 == 1);
    values.into_iter().enumerate().map(|(row, value)| valid(row).then_some(value)).collect()
}

/// Whether a result has a mask.
pub(crate) fn has_mask(column: &ColumnData) -> bool {
    match column {
        ColumnData::Fixed(fixed) => fixed.validity.is_some(),
        ColumnData::String(text) => text.validity.is_some(),
    }
}
