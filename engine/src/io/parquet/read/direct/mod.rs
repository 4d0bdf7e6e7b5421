//! Columns without nesting whose values are decoded straight into the memory of the whole column: numbers, times, decimals,
//! strings and binary values, plain and in dictionaries, and strings as dictionaries. Other encodings and damaged pages are
//! left to the Arrow decoder, which reports what is wrong.

mod codes;
mod dictionary;
mod fixed;
mod header;
mod memory;
mod pages;
mod strings;
#[cfg(test)]
mod tests;
mod unpack;

use std::ops::Range;
use std::sync::Arc;

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use arrow_schema::DataType;
use columnade_buffers::{Buffer, Exec};
use columnade_columns::arrow::field_dtype;
use columnade_columns::{
    BinaryColumn, CategoricalColumn, Column, DType, DatetimeColumn, DecimalColumn, NumericColumn,
    StringColumn,
};
use columnade_kernels::OffsetWidth;
use parquet::basic::Type as PhysicalType;

use self::dictionary::{CodedRows, Dictionary};
use self::fixed::{Fixed, number64, number128};
use self::memory::{Access, Memory};
use self::pages::{ColumnChunk, Sink};
use self::strings::{Space, Strings};
use super::plan::{Leaf, Plan, RowGroup};
use crate::io::parquet::error::{ParquetError, caught};

/// How the values of a column of a file become those of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Four bytes, unchanged.
    Four,
    /// Eight bytes, unchanged.
    Eight,
    /// A number of four bytes, widened to eight.
    FourToEight,
    /// A big-endian number of so many bytes, widened to eight.
    BytesToEight(usize),
    /// A big-endian number of so many bytes, widened to sixteen.
    BytesToSixteen(usize),
    /// Strings or binary values.
    Bytes,
    /// Strings that become codes into a dictionary.
    Codes,
}

impl Form {
    /// How values of a Parquet type become values of `planned`; `None` if they are not decoded here. `natural` is the Arrow type of the former.
    pub(super) fn new(
        physical: PhysicalType,
        length: i32,
        natural: &DataType,
        planned: &DataType,
    ) -> Option<Self> {
        if let (Some(digits), Some(kept)) = (digits(natural), digits(planned)) {
            let length = usize::try_from(length).unwrap_or(0);
            return match (physical, planned) {
                _ if digits != kept => None,
                (PhysicalType::INT64, DataType::Decimal64(..)) => Some(Form::Eight),
                (PhysicalType::INT32, DataType::Decimal64(..)) => Some(Form::FourToEight),
                (PhysicalType::FIXED_LEN_BYTE_ARRAY, DataType::Decimal64(..)) => {
                    (1..=8).contains(&length).then_some(Form::BytesToEight(length))
                }
                (PhysicalType::FIXED_LEN_BYTE_ARRAY, DataType::Decimal128(..)) => {
                    (1..=16).contains(&length).then_some(Form::BytesToSixteen(length))
                }
                _ => None,
            };
        }
        match (physical, natural, planned) {
            (
                PhysicalType::INT32,
                DataType::Int32 | DataType::UInt32 | DataType::Date32 | DataType::Time32(_),
                planned,
            )
            | (PhysicalType::FLOAT, DataType::Float32, planned) => (natural == planned).then_some(Form::Four),
            (PhysicalType::INT64, DataType::Timestamp(unit, _), DataType::Timestamp(kept, _)) => {
                (unit == kept).then_some(Form::Eight)
            }
            (PhysicalType::INT64, DataType::Int64 | DataType::UInt64 | DataType::Time64(_), planned)
            | (PhysicalType::DOUBLE, DataType::Float64, planned) => {
                (natural == planned).then_some(Form::Eight)
            }
            // Not those with wide offsets, which they keep.
            (PhysicalType::BYTE_ARRAY, DataType::Utf8, DataType::Utf8)
            | (PhysicalType::BYTE_ARRAY, DataType::Binary, DataType::Binary) => Some(Form::Bytes),
            (PhysicalType::BYTE_ARRAY, DataType::Utf8, DataType::Dictionary(codes, values)) => {
                (**codes == DataType::Int32 && **values == DataType::Utf8).then_some(Form::Codes)
            }
            _ => None,
        }
    }

    /// Bytes that a value takes in memory.
    fn width(self) -> usize {
        match self {
            Form::Four | Form::Bytes | Form::Codes => 4,
            Form::Eight | Form::FourToEight | Form::BytesToEight(_) => 8,
            Form::BytesToSixteen(_) => 16,
        }
    }
}

/// The digits of a decimal, and those after the point.
#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is Arrow's")]
fn digits(data_type: &DataType) -> Option<(u8, i8)> {
    match data_type {
        DataType::Decimal32(precision, scale)
        | DataType::Decimal64(precision, scale)
        | DataType::Decimal128(precision, scale)
        | DataType::Decimal256(precision, scale) => Some((*precision, *scale)),
        _ => None,
    }
}

/// A column of some row groups, which its chunks are decoded into.
pub(super) struct DirectColumn {
    /// Its position in the frame.
    pub(super) at: usize,
    dtype: DType,
    values: Values,
}

/// The values of a column, one row group after the other.
enum Values {
    Four(Memory<u32>),
    Eight(Memory<u64>),
    Sixteen(Memory<i128>),
    /// The offsets of the rows, from 0 on, and the bytes, of which each row group has so many.
    Whole(Memory<i32>, Memory<u8>, Vec<usize>),
    /// Where each row ends, in its row group. The bytes come with the chunks, since the footer does not say how many there are.
    Parts(Vec<i32>),
    /// The codes of the rows, into the dictionaries of their row groups.
    Codes(Memory<i32>),
}

/// Write access to [`Values`].
pub(super) enum Open<'a> {
    Four(Access<'a, u32>),
    Eight(Access<'a, u64>),
    Sixteen(Access<'a, i128>),
    Whole(Access<'a, i32>, Access<'a, u8>, &'a [usize]),
    Parts(&'a mut [i32]),
    Codes(Access<'a, i32>),
}

/// The part of a column that a row group has.
pub(super) enum Slot<'a> {
    Four(&'a mut [u32]),
    Eight(&'a mut [u64]),
    Sixteen(&'a mut [i128]),
    Whole { ends: &'a mut [i32], bytes: &'a mut [u8], base: i32 },
    Parts(&'a mut [i32]),
    Codes(&'a mut [i32]),
}

/// A decoded chunk; see [`Slot`] on where the values are.
pub(super) struct Filled {
    valid: Option<BooleanBuffer>,
    /// Of [`Slot::Parts`].
    bytes: Vec<u8>,
    /// Of [`Slot::Codes`].
    dictionary: Dictionary,
}

/// The columns of a range of the frame that are decoded here, for these row groups, with space for their values.
/// That is of `pool` where it has so much.
pub(super) fn columns(
    plan: &Plan,
    groups: &[RowGroup],
    range: Range<usize>,
    pool: Option<&Exec>,
) -> Vec<DirectColumn> {
    let rows: usize = groups.iter().map(RowGroup::rows).sum();
    let column = |at: usize| {
        let leaves = groups.iter().map(|group| plan.leaf(at, group)).collect::<Option<Vec<_>>>()?;
        let first = leaves.first()?;
        let is_alike = |leaf: &Leaf<'_>| {
            [Form::Bytes, Form::Codes].iter().all(|form| (leaf.form == *form) == (first.form == *form))
                && leaf.form.width() == first.form.width()
                && pages::is_decoded(leaf.stored)
        };
        if !leaves.iter().all(is_alike) {
            return None;
        }
        let values = match (first.form, first.form.width()) {
            (Form::Bytes, _) => string_values(&leaves, rows, pool),
            (Form::Codes, _) => Values::Codes(Memory::new(rows, pool)),
            (_, 4) => Values::Four(Memory::new(rows, pool)),
            (_, 8) => Values::Eight(Memory::new(rows, pool)),
            (..) => Values::Sixteen(Memory::new(rows, pool)),
        };
        Some(DirectColumn { at, dtype: field_dtype(&plan.fields()[at]).ok()?, values })
    };
    range.filter_map(column).collect()
}

/// Space for strings: for all of them if the footer says how many bytes they have.
fn string_values(leaves: &[Leaf<'_>], rows: usize, pool: Option<&Exec>) -> Values {
    let stated = |leaf: &Leaf<'_>| usize::try_from(leaf.stored.unencoded_byte_array_data_bytes()?).ok();
    let stated: Option<Vec<usize>> = leaves.iter().map(stated).collect();
    let sum = |parts: &Vec<usize>| parts.iter().try_fold(0_usize, |sum, &part| sum.checked_add(part));
    let total = stated.as_ref().and_then(sum).filter(|&total| i32::try_from(total).is_ok());
    match (stated, total) {
        (Some(parts), Some(total)) => {
            Values::Whole(Memory::new(rows + 1, pool), Memory::new(total, pool), parts)
        }
        _ => Values::Parts(vec![0; rows]),
    }
}

impl DirectColumn {
    pub(super) fn open<'a>(&'a mut self, exec: &'a Exec) -> columnade_columns::Result<Open<'a>> {
        Ok(match &mut self.values {
            Values::Four(values) => Open::Four(values.access(exec)?),
            Values::Eight(values) => Open::Eight(values.access(exec)?),
            Values::Sixteen(values) => Open::Sixteen(values.access(exec)?),
            Values::Whole(offsets, bytes, lengths) => {
                Open::Whole(offsets.access(exec)?, bytes.access(exec)?, lengths)
            }
            Values::Parts(ends) => Open::Parts(ends),
            Values::Codes(codes) => Open::Codes(codes.access(exec)?),
        })
    }

    /// The column from its decoded row groups, in one part or in several; `None` if one was not decoded.
    pub(super) fn column(
        self,
        groups: &[RowGroup],
        filled: Vec<Option<Filled>>,
        exec: &Exec,
    ) -> columnade_columns::Result<Option<Vec<Column>>> {
        let Some(filled) = filled.into_iter().collect::<Option<Vec<_>>>() else { return Ok(None) };
        let rows = groups.iter().map(RowGroup::rows).sum();
        let data = match self.values {
            Values::Four(values) => values.into_buffer(),
            Values::Eight(values) => values.into_buffer(),
            Values::Sixteen(values) => values.into_buffer(),
            Values::Whole(offsets, bytes, _) => {
                let (offsets, bytes) = (offsets.into_buffer(), bytes.into_buffer());
                return strings(&self.dtype, offsets, bytes, mask(groups, &filled), rows)
                    .map(|column| Some(vec![column]));
            }
            Values::Parts(ends) => return columns_of_parts(&self.dtype, &ends, groups, filled).map(Some),
            Values::Codes(codes) => {
                return coded(codes, groups, filled, exec).map(|column| column.map(|column| vec![column]));
            }
        };
        let mask = mask(groups, &filled);
        let column = if matches!(self.dtype, DType::Decimal { .. }) {
            Column::Decimal(DecimalColumn::new(&self.dtype, data, mask, 0, rows)?)
        } else if self.dtype.is_temporal() || matches!(self.dtype, DType::Time(_)) {
            Column::Datetime(DatetimeColumn::new(self.dtype, data, mask, 0, rows)?)
        } else {
            Column::Numeric(NumericColumn::new(self.dtype, data, mask, 0, rows)?)
        };
        Ok(Some(vec![column]))
    }
}

impl Open<'_> {
    /// The parts of the row groups.
    pub(super) fn slots(&mut self, groups: &[RowGroup]) -> Vec<Slot<'_>> {
        let rows = groups.iter().map(RowGroup::rows);
        match self {
            Open::Four(values) => parts(values.values(), rows).map(Slot::Four).collect(),
            Open::Eight(values) => parts(values.values(), rows).map(Slot::Eight).collect(),
            Open::Sixteen(values) => parts(values.values(), rows).map(Slot::Sixteen).collect(),
            Open::Whole(offsets, bytes, lengths) => {
                let mut base = 0;
                let bases = lengths.iter().map(move |length| {
                    let start = base;
                    base += length;
                    // Checked for their sum.
                    i32::try_from(start).unwrap_or(i32::MAX)
                });
                let Some((first, ends)) = offsets.values().split_first_mut() else { return Vec::new() };
                *first = 0;
                let slots = parts(ends, rows).zip(parts(bytes.values(), lengths.iter().copied())).zip(bases);
                slots.map(|((ends, bytes), base)| Slot::Whole { ends, bytes, base }).collect()
            }
            Open::Parts(ends) => parts(ends, rows).map(Slot::Parts).collect(),
            Open::Codes(codes) => parts(codes.values(), rows).map(Slot::Codes).collect(),
        }
    }
}

/// The slice in consecutive parts of these lengths, which add up to its own.
fn parts<T>(mut all: &mut [T], lengths: impl Iterator<Item = usize>) -> impl Iterator<Item = &mut [T]> {
    lengths.map(move |length| {
        let (part, rest) = std::mem::take(&mut all).split_at_mut(length);
        all = rest;
        part
    })
}

/// The mask of the column; `None` without nulls.
fn mask(groups: &[RowGroup], filled: &[Filled]) -> Option<Buffer> {
    if filled.iter().all(|filled| filled.valid.is_none()) {
        return None;
    }
    let mut all = BooleanBufferBuilder::new(groups.iter().map(RowGroup::rows).sum());
    for (group, filled) in groups.iter().zip(filled) {
        match &filled.valid {
            Some(valid) => all.append_buffer(valid),
            None => all.append_n(group.rows(), true),
        }
    }
    Some(Buffer::from_arrow(all.finish().into_inner()))
}

/// A column of each row group.
fn columns_of_parts(
    dtype: &DType,
    mut ends: &[i32],
    groups: &[RowGroup],
    filled: Vec<Filled>,
) -> columnade_columns::Result<Vec<Column>> {
    let part = |(group, filled): (&RowGroup, Filled)| {
        let (of_group, rest) = ends.split_at_checked(group.rows()).unwrap_or_default();
        ends = rest;
        let offsets: Vec<i32> = std::iter::once(0).chain(of_group.iter().copied()).collect();
        let mask = filled.valid.map(|valid| Buffer::from_arrow(valid.into_inner()));
        let [offsets, bytes] =
            [arrow_buffer::Buffer::from_vec(offsets), arrow_buffer::Buffer::from_vec(filled.bytes)]
                .map(Buffer::from_arrow);
        strings(dtype, offsets, bytes, mask, group.rows())
    };
    groups.iter().zip(filled).map(part).collect()
}

/// A dictionary of the values of all row groups, and its codes; `None` if that has too many values.
fn coded(
    mut codes: Memory<i32>,
    groups: &[RowGroup],
    mut filled: Vec<Filled>,
    exec: &Exec,
) -> columnade_columns::Result<Option<Column>> {
    let dictionaries: Vec<Dictionary> =
        filled.iter_mut().map(|filled| std::mem::take(&mut filled.dictionary)).collect();
    let Some((dictionary, maps)) = dictionary::union(&dictionaries) else { return Ok(None) };
    drop(dictionaries);
    let rows = groups.iter().map(RowGroup::rows);
    if maps.iter().any(Option::is_some) {
        dictionary::recode(parts(codes.access(exec)?.values(), rows.clone()), &maps);
    }
    let mask = mask(groups, &filled);
    let codes = NumericColumn::new(DType::Int32, codes.into_buffer(), mask, 0, rows.sum())?;
    let dictionary = Arc::new(dictionary.into_column()?);
    CategoricalColumn::new(&Column::Numeric(codes), dictionary)
        .map(|column| Some(Column::Categorical(column)))
}

fn strings(
    dtype: &DType,
    offsets: Buffer,
    bytes: Buffer,
    mask: Option<Buffer>,
    rows: usize,
) -> columnade_columns::Result<Column> {
    if *dtype == DType::Binary {
        return BinaryColumn::new(offsets, OffsetWidth::I32, bytes, mask, 0, rows).map(Column::Binary);
    }
    StringColumn::new(offsets, OffsetWidth::I32, bytes, mask, 0, rows).map(Column::String)
}

/// Decodes a chunk into its part of the column. `None` for an encoding that is not decoded here.
pub(super) fn fill(leaf: &Leaf<'_>, slot: Slot<'_>) -> Result<Option<Filled>, ParquetError> {
    let file = leaf.file.open()?;
    let chunk =
        ColumnChunk { file: &file, stored: leaf.stored, rows: leaf.rows, is_optional: leaf.is_optional };
    let filled = caught(|| match slot {
        Slot::Four(rows) => chunk.fixed(rows, u32::from_le_bytes),
        Slot::Eight(rows) => chunk.eight(rows, leaf.form),
        Slot::Sixteen(rows) => chunk.sixteen(rows, leaf.form),
        Slot::Whole { ends, bytes, base } => {
            chunk.string_values(Strings::new(ends, Space::Whole(bytes), base, leaf.is_utf8))
        }
        Slot::Parts(ends) => {
            chunk.string_values(Strings::new(ends, Space::Growing(Vec::new()), 0, leaf.is_utf8))
        }
        Slot::Codes(rows) => chunk.codes(CodedRows::new(rows)),
    });
    // The Arrow decoder reports what is wrong with the bytes.
    match filled {
        Err(ParquetError::Io(failure)) => Err(ParquetError::Io(failure)),
        filled => Ok(filled.ok().flatten()),
    }
}

impl ColumnChunk<'_> {
    fn values(&self, sink: &mut impl Sink) -> Result<Option<Filled>, ParquetError> {
        let valid = self.decode(sink)?;
        Ok(valid.map(|valid| Filled { valid, bytes: Vec::new(), dictionary: Dictionary::default() }))
    }

    fn fixed<T: Copy + Default, const WIDTH: usize>(
        &self,
        rows: &mut [T],
        of: impl Fn([u8; WIDTH]) -> T,
    ) -> Result<Option<Filled>, ParquetError> {
        let mut sink = Fixed::new(rows, of);
        let filled = self.values(&mut sink)?;
        Ok(filled.filter(|_| sink.finish().is_some()))
    }

    fn eight(&self, rows: &mut [u64], form: Form) -> Result<Option<Filled>, ParquetError> {
        match form {
            Form::Eight => self.fixed(rows, u64::from_le_bytes),
            Form::FourToEight => {
                self.fixed(rows, |bytes| i64::from(i32::from_le_bytes(bytes)).cast_unsigned())
            }
            Form::BytesToEight(1) => self.fixed(rows, number64::<1>),
            Form::BytesToEight(2) => self.fixed(rows, number64::<2>),
            Form::BytesToEight(3) => self.fixed(rows, number64::<3>),
            Form::BytesToEight(4) => self.fixed(rows, number64::<4>),
            Form::BytesToEight(5) => self.fixed(rows, number64::<5>),
            Form::BytesToEight(6) => self.fixed(rows, number64::<6>),
            Form::BytesToEight(7) => self.fixed(rows, number64::<7>),
            Form::BytesToEight(8) => self.fixed(rows, number64::<8>),
            Form::Four | Form::BytesToEight(_) | Form::BytesToSixteen(_) | Form::Bytes | Form::Codes => {
                Ok(None)
            }
        }
    }

    fn sixteen(&self, rows: &mut [i128], form: Form) -> Result<Option<Filled>, ParquetError> {
        macro_rules! by_length {
            ($($length:literal)*) => {
                match form {
                    $(Form::BytesToSixteen($length) => self.fixed(rows, number128::<$length>),)*
                    Form::Four
                    | Form::Eight
                    | Form::FourToEight
                    | Form::BytesToEight(_)
                    | Form::BytesToSixteen(_)
                    | Form::Bytes
                    | Form::Codes => Ok(None),
                }
            };
        }
        by_length!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
    }

    fn string_values(&self, mut values: Strings<'_>) -> Result<Option<Filled>, ParquetError> {
        let Some(filled) = self.values(&mut values)? else { return Ok(None) };
        Ok(values.finish().map(|bytes| Filled { bytes, ..filled }))
    }

    fn codes(&self, mut rows: CodedRows<'_>) -> Result<Option<Filled>, ParquetError> {
        let Some(filled) = self.values(&mut rows)? else { return Ok(None) };
        Ok(rows.finish().map(|dictionary| Filled { dictionary, ..filled }))
    }
}
