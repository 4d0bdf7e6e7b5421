//! The source rows of runs of rows.

mod host;
#[cfg(test)]
mod tests;

use super::run_numbers::run_numbers;
use crate::copying::gather::{MapNulls, gather};
use crate::elementwise::Operand;
use crate::elementwise::binary::{BinaryOp, binary};
use crate::elementwise::cast::{CastMode, cast};
use crate::filling::sequence::sequence;
use crate::{ColumnData, Error, Fixed, Result, RowMap, RowWidth, Storage, Value, View};
use columnade_buffers::{Device, Exec};

/// A map of `rows` rows in runs of consecutive source rows. Run `i` begins at row `begins[i]` of the map and ends where the
/// next one begins, the last one at the end; its first row is the source row `sources[i]`, or no row if that is −1.
///
/// ```text
/// begins  0 2 3, sources 7 -1 0, 5 rows → 7 8 - 0 1
/// ```
///
/// # Shapes and units
/// begins, sources: n rows of [`Storage::I64`] without nulls; `begins` ascends from 0, and a run of no row (−1) has one
/// row at most → a map of `rows` rows, whose indices fit `width`.
///
/// # Errors
/// [`Error::UnsupportedStorage`]; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// Host: each task searches its first run, and writes run after run. Elsewhere
/// [`run_numbers`], a gather of how far each run moves, and a sum.
///
/// # Source
/// The gather maps of `cudf/lists/explode.hpp` and `cudf/lists/detail/gather.cuh`.
pub fn run_rows(
    begins: &Fixed<'_>,
    sources: &Fixed<'_>,
    rows: usize,
    width: RowWidth,
    exec: &Exec,
) -> Result<RowMap> {
    for input in [begins, sources] {
        if input.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: input.storage });
        }
    }
    if begins.len != sources.len {
        return Err(Error::LengthMismatch { left: begins.len, right: sources.len });
    }
    if exec.device() == Device::Host {
        return host::run_rows(begins, sources, rows, width, exec);
    }
    let numbers = run_numbers(begins, rows, Storage::I64, exec)?;
    let numbers = RowMap { rows: numbers.data, width: RowWidth::U64, len: rows };
    let moves = binary(BinaryOp::Sub, Operand::Column(*sources), Operand::Column(*begins), exec)?;
    let ColumnData::Fixed(moves) = gather(&View::Fixed(moves.view()), &numbers, MapNulls::Never, exec)?
    else {
        return Err(Error::TypeMismatch);
    };
    let places = sequence(Value::I64(0), Value::I64(1), rows, exec)?;
    let (places, moves) = (Operand::Column(places.view()), Operand::Column(moves.view()));
    // −1 has all bits set in either width, which is no row.
    let places = binary(BinaryOp::Add, places, moves, exec)?;
    let places = match width {
        RowWidth::U64 => places,
        RowWidth::U32 => cast(&places.view(), Storage::U32, CastMode::Wrap, exec)?,
    };
    Ok(RowMap { rows: places.data, width, len: rows })
}
