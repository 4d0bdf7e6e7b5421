//! Host implementation of `parse`: one pass, which also writes the validity.

use super::{number, time};
use crate::bits::BitSlice;
use crate::parallel::for_each_part;
use crate::strings::convert::{Meaning, Parsed};
use crate::strings_view::Strings;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Error, FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Buffer, Exec, Pod};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The rows that are read.
struct Rows<'a> {
    strings: Strings<'a>,
    valid: Option<BitSlice<'a>>,
    len: usize,
    /// The first row without a value.
    failed: AtomicUsize,
}

impl Rows<'_> {
    /// Reads a row; `None` for a null, or a string without a value.
    #[inline]
    fn value<T>(&self, row: usize, read: &impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        if self.valid.is_some_and(|bits| !bits.get(row)) {
            return None;
        }
        let value = read(self.strings.get(row));
        if value.is_none() {
            self.failed.fetch_min(row, Ordering::Relaxed);
        }
        value
    }

    /// The values and the validity, by words of 64 rows.
    fn each<T: Pod + Send>(
        &self,
        exec: &Exec,
        read: impl Fn(&[u8]) -> Option<T> + Sync,
    ) -> Result<(Buffer, Buffer)> {
        let mut values = Buffer::uninit(self.len * size_of::<T>(), exec)?;
        let mut validity = Buffer::uninit(self.len.div_ceil(64) * 8, exec)?;
        if self.len > 0 {
            let (mut values, mut validity) = (values.write(exec)?, validity.write(exec)?);
            let values = values.as_mut_slice::<T>().chunks_mut(HOST_MORSEL_ROWS);
            let words = validity.as_mut_slice::<u64>().chunks_mut(HOST_MORSEL_ROWS / 64);
            for_each_part(values.zip(words), |morsel, (values, words): (&mut [T], &mut [u64])| {
                let mut row = morsel * HOST_MORSEL_ROWS;
                for (values, word) in values.chunks_mut(64).zip(words) {
                    let mut bits = 0;
                    for (bit, out) in values.iter_mut().enumerate() {
                        let value = self.value(row, &read);
                        bits |= u64::from(value.is_some()) << bit;
                        *out = value.unwrap_or_else(T::zeroed);
                        row += 1;
                    }
                    *word = bits;
                }
            });
        }
        Ok((values, validity))
    }

    /// [`each`](Self::each) for results of one bit.
    fn bits(&self, exec: &Exec) -> Result<(Buffer, Buffer)> {
        crate::morsel::build_bit_pairs(self.len, exec, &|rows, values, validity| {
            values.fill(0);
            validity.fill(0);
            let first = rows.start;
            for row in rows {
                if let Some(value) = self.value(row, &number::boolean) {
                    let (word, bit) = ((row - first) / 64, (row - first) % 64);
                    values[word] |= u64::from(value) << bit;
                    validity[word] |= 1 << bit;
                }
            }
        })
    }
}

pub(in crate::strings::convert) fn parse(
    input: &StringsView<'_>,
    meaning: Meaning,
    exec: &Exec,
) -> Result<Parsed> {
    let guard = View::String(*input).read(exec)?;
    let rows = Rows {
        strings: guard.strings(),
        valid: guard.validity(),
        len: input.len,
        failed: AtomicUsize::new(usize::MAX),
    };
    let storage = meaning.storage();
    let (data, validity) = match meaning {
        Meaning::Bool => rows.bits(exec)?,
        Meaning::Date => rows.each(exec, time::parse_day)?,
        Meaning::Time { digits } => rows.each(exec, |text| time::parse_time(text, digits))?,
        Meaning::Zoned { digits } => rows.each(exec, |text| time::parse_zoned(text, digits))?,
        Meaning::Duration { digits } => rows.each(exec, |text| time::parse_duration(text, digits))?,
        Meaning::Clock { digits: digits @ 0..=3 } => rows
            .each(exec, |text| time::parse_clock(text, digits).and_then(|units| i32::try_from(units).ok()))?,
        Meaning::Clock { digits } => rows.each(exec, |text| time::parse_clock(text, digits))?,
        Meaning::Integer(_) => match storage {
            Storage::I8 => rows.each(exec, |text| i8::try_from(number::integer(text)?).ok())?,
            Storage::I16 => rows.each(exec, |text| i16::try_from(number::integer(text)?).ok())?,
            Storage::I32 => rows.each(exec, |text| i32::try_from(number::integer(text)?).ok())?,
            Storage::I64 => rows.each(exec, |text| i64::try_from(number::integer(text)?).ok())?,
            Storage::U8 => rows.each(exec, |text| u8::try_from(number::integer(text)?).ok())?,
            Storage::U16 => rows.each(exec, |text| u16::try_from(number::integer(text)?).ok())?,
            Storage::U32 => rows.each(exec, |text| u32::try_from(number::integer(text)?).ok())?,
            Storage::U64 => rows.each(exec, |text| u64::try_from(number::integer(text)?).ok())?,
            Storage::Bit | Storage::I128 | Storage::F32 | Storage::F64 => {
                return Err(Error::UnsupportedStorage { storage });
            }
        },
        Meaning::Float(Storage::F32) => rows.each(exec, number::single)?,
        Meaning::Float(Storage::F64) => rows.each(exec, number::double)?,
        Meaning::Decimal { precision, scale, .. } => {
            let read = |text: &[u8]| number::decimal(text, precision, scale);
            match storage {
                Storage::I32 => rows.each(exec, |text| i32::try_from(read(text)?).ok())?,
                Storage::I64 => rows.each(exec, |text| i64::try_from(read(text)?).ok())?,
                Storage::I128 => rows.each(exec, read)?,
                _ => return Err(Error::UnsupportedStorage { storage }),
            }
        }
        Meaning::Float(_) => return Err(Error::UnsupportedStorage { storage }),
    };
    let failed = Some(rows.failed.into_inner()).filter(|row| *row != usize::MAX);
    let has_nulls = failed.is_some() || rows.valid.is_some();
    let validity = has_nulls.then(|| validity.slice(0, input.len.div_ceil(8)));
    Ok(Parsed { data: FixedData { storage, len: input.len, data, validity }, failed })
}
