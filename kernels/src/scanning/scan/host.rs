//! Host twin of `scan`.

use super::{ScanOp, ScanRange, may_be_empty};
use crate::bits::BitSlice;
use crate::elementwise::cast::host::to_bits;
use crate::reduction::reduce::host::Extreme;
use crate::tuning::HOST_MORSEL_ROWS;
use crate::{Element, Error, Fixed, Result, Storage, View, morsel};
use columnade_buffers::{Buffer, Exec};

/// The buffers of a scan: values, and where anything had been seen when that may be nowhere.
type Scanned = (Buffer, Option<Buffer>);

#[expect(clippy::unnecessary_cast, reason = "the type of sums is among the integers")]
pub(super) fn scan(
    op: ScanOp,
    range: ScanRange,
    input: &Fixed<'_>,
    storage: Storage,
    exec: &Exec,
) -> Result<Scanned> {
    let guard = View::Fixed(*input).read(exec)?;
    let rows = Rows { valid: guard.validity(), range, exec };
    if input.storage == Storage::Bit {
        // Bits become bytes first: rare, and not worth loops of their own.
        let bits = guard.value_bits();
        let bytes: Vec<u8> = (0..input.len).map(|row| u8::from(bits.get(row))).collect();
        if op == ScanOp::Sum {
            let sums = rows.scan(&bytes, 0, i64::from, i64::wrapping_add, |sum| sum)?;
            return Ok((sums, None));
        }
        let (bytes, started) = rows.extreme::<u8>(op, &bytes)?;
        let bytes = bytes.read(exec)?;
        let bytes = bytes.as_slice::<u8>();
        let data = morsel::build_bits(input.len, exec, |rows, out| to_bits(&bytes[rows], out))?;
        return Ok((data, started));
    }
    let unsupported = Err(Error::UnsupportedStorage { storage });
    if op != ScanOp::Sum {
        return dispatch!(input.storage, T => rows.extreme::<T>(op, guard.values()), bit => unsupported);
    }
    let sums = match input.storage {
        Storage::F32 => rows.scan(guard.values::<f32>(), 0.0, f64::from, |a, b| a + b, |sum| sum as f32)?,
        Storage::F64 => rows.scan(guard.values::<f64>(), 0.0, |v| v, |a, b| a + b, |sum| sum)?,
        Storage::I128 => rows.scan(guard.values::<i128>(), 0, |v| v, i128::wrapping_add, |sum| sum)?,
        _ => dispatch_integer!(input.storage,
            // A sum of unsigned integers has the same bits.
            T => rows.scan(guard.values::<T>(), 0, |value| value as i64, i64::wrapping_add, |sum| sum)?,
            other => return unsupported),
    };
    Ok((sums, None))
}

/// Which rows enter a scan, and where.
struct Rows<'a> {
    valid: Option<BitSlice<'a>>,
    range: ScanRange,
    exec: &'a Exec,
}

impl Rows<'_> {
    fn is_valid(&self, row: usize) -> bool {
        self.valid.is_none_or(|valid| valid.get(row))
    }

    /// Two passes over the morsels: what each comes to, then its rows from what stands before it. The grouping is
    /// that of the morsels whatever the number of threads.
    fn scan<T: Element, A: Copy + Send + Sync, R: Element>(
        &self,
        values: &[T],
        start: A,
        of: impl Fn(T) -> A + Sync,
        merge: impl Fn(A, A) -> A + Sync,
        result: impl Fn(A) -> R + Sync,
    ) -> Result<Buffer> {
        let next = |sum: A, row: usize| if self.is_valid(row) { merge(sum, of(values[row])) } else { sum };
        let totals = morsel::map(values.len(), |rows| rows.fold(start, next));
        let mut before = start;
        let befores: Vec<A> = totals
            .into_iter()
            .map(|total| {
                let after = merge(before, total);
                std::mem::replace(&mut before, after)
            })
            .collect();
        morsel::build_values(values.len(), self.exec, |rows, out: &mut [R]| {
            let mut sum = befores[rows.start / HOST_MORSEL_ROWS];
            for (row, out) in rows.zip(out) {
                let after = next(sum, row);
                *out = result(if self.range == ScanRange::Inclusive { after } else { sum });
                sum = after;
            }
        })
    }

    fn extreme<T: Extreme>(&self, op: ScanOp, values: &[T]) -> Result<Scanned> {
        let data = match op {
            ScanOp::Min => {
                self.scan(values, T::GREATEST, |v| v.key(T::GREATEST), std::cmp::min, T::from_key)?
            }
            _ => self.scan(values, T::LEAST, |v| v.key(T::LEAST), std::cmp::max, T::from_key)?,
        };
        if !may_be_empty(op, self.range) {
            return Ok((data, None));
        }
        let first = (0..values.len()).find(|&row| self.is_valid(row)).unwrap_or(values.len());
        let started = morsel::build_bits(values.len(), self.exec, |rows, out| {
            for (start, word) in rows.step_by(64).zip(out) {
                let bits = (start..start + 64).enumerate();
                *word = bits.fold(0, |word, (k, row)| word | u64::from(row > first) << k);
            }
        })?;
        Ok((data, Some(started)))
    }
}
