//! The run of each row.

mod host;
#[cfg(test)]
mod tests;

use crate::aggregation::Aggregation;
use crate::copying::scatter::scatter;
use crate::elementwise::cast::{CastMode, cast};
use crate::filling::fill::fill;
use crate::filling::sequence::sequence;
use crate::scanning::scan::{ScanRange, scan};
use crate::{ColumnData, Error, Fixed, FixedData, Result, RowMap, RowWidth, Storage, Value, View};
use columnade_buffers::{Device, Exec};

/// The number of the run that each of `rows` rows belongs to. Run `i` begins at row `starts[i]` and ends where the next one
/// begins, the last one at the end; several may begin at one row, of which all but the last are empty.
///
/// ```text
/// starts  0 2 2 5, 6 rows → 0 0 2 2 2 3
/// ```
///
/// # Shapes and units
/// starts: n rows of [`Storage::I64`] without nulls, ascending from 0 → `rows` rows of `storage`, [`Storage::I64`] or
/// [`Storage::U32`].
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::Memory`].
///
/// # Device
/// Host: each task searches its first run, and writes run after run. Elsewhere the number of a run is written where it
/// begins, and carried on by a running maximum: a fill, a sequence, a scatter and a scan.
///
/// # Source
/// `cudf/labeling/label_segments.cuh`.
pub fn run_numbers(starts: &Fixed<'_>, rows: usize, storage: Storage, exec: &Exec) -> Result<FixedData> {
    if starts.storage != Storage::I64 {
        return Err(Error::UnsupportedStorage { storage: starts.storage });
    }
    if !matches!(storage, Storage::I64 | Storage::U32) {
        return Err(Error::UnsupportedStorage { storage });
    }
    if exec.device() == Device::Host {
        return host::run_numbers(starts, rows, storage, exec);
    }
    let (zero, one) = (Value::I64(0), Value::I64(1));
    // A row more than there are: empty runs at the end are written there.
    let blank = fill(zero, rows.saturating_add(1), exec)?;
    let numbers = sequence(zero, one, starts.len, exec)?;
    let places = cast(starts, Storage::I64, CastMode::Wrap, exec)?;
    let places = RowMap { rows: places.data, width: RowWidth::U64, len: starts.len };
    let (numbers, blank) = (View::Fixed(numbers.view()), View::Fixed(blank.view()));
    let ColumnData::Fixed(begins) = scatter(&numbers, &places, &blank, exec)? else {
        return Err(Error::TypeMismatch);
    };
    let begins = Fixed { len: rows, ..begins.view() };
    let numbers = scan(Aggregation::Max, ScanRange::Inclusive, &begins, exec)?;
    if storage == Storage::I64 { Ok(numbers) } else { cast(&numbers.view(), storage, CastMode::Wrap, exec) }
}
