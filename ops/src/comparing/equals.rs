//! Equality of two columns.

use crate::cast::decode;
use crate::copying::nested::Runs;
use crate::out_of_core::{Driver, MemoryEstimate, by_position};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, Result};
use columnade_kernels::bits::{combine, count::count_ones};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::compare::{CompareOp, compare};
use columnade_kernels::strings::compare_string::{self, StringOperand};
use columnade_kernels::{Bits, Fixed, FixedData, StringsView, View};

/// Whether two columns have the same dtype and equal values in every row. Nulls equal nulls only, NaNs equal
/// NaNs, −0.0 equals 0.0; the values of null rows are ignored.
///
/// The widths of offsets, decimals and codes may differ. Unordered dictionaries may differ if the codes have
/// the same values; ordered ones may not.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// One comparison per column and child, and a synchronisation for each of them and of their masks.
/// Comparisons after the first difference are skipped. Columns that exceed the budget are compared in chunks.
///
/// # Source
/// pandas `Series.equals`.
pub fn equals(left: &Column, right: &Column, exec: &Exec) -> Result<bool> {
    if left.size() != right.size() || !left.dtype().same_values(&right.dtype()) {
        return Ok(false);
    }
    let rows = left.size();
    let plan = Driver::new(exec).plan(rows, || {
        let input = left.row_bytes()? + right.row_bytes()?;
        // Bits of the rows that are equal, valid and both.
        Ok(MemoryEstimate::new(input, 4 * rows.div_ceil(8)))
    })?;
    if plan.len() >= rows {
        return equal_where(left, right, None, exec);
    }
    let columns = by_position([left, right], rows)?;
    for start in (0..rows).step_by(plan.len().max(1)) {
        let chunk = columns.slice(start, plan.len().min(rows - start))?.isolate(exec)?;
        let [left, right] = chunk.columns() else { return Ok(false) };
        if !equal_where(left, right, None, exec)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether the rows that are set in `parents`, bits from 0 on, are equal.
fn equal_where(left: &Column, right: &Column, parents: Option<&Buffer>, exec: &Exec) -> Result<bool> {
    let len = left.size();
    let valid = validity(left, parents, exec)?;
    if !same_bits(valid.as_ref(), validity(right, parents, exec)?.as_ref(), len, exec)? {
        return Ok(false);
    }
    let valid = valid.as_ref();
    match (left, right) {
        (Column::Null(_), Column::Null(_)) => Ok(true),
        (Column::Categorical(left), Column::Categorical(right)) => {
            if left.shares_dictionary(right) && left.codes_storage() == right.codes_storage() {
                return equal_where(&left.codes(), &right.codes(), valid, exec);
            }
            if left.is_ordered() && !equals(left.dictionary(), right.dictionary(), exec)? {
                return Ok(false);
            }
            equal_where(&decode(left, exec)?, &decode(right, exec)?, valid, exec)
        }
        (Column::Interval(left), Column::Interval(right)) => {
            Ok(equal_where(&left.left()?, &right.left()?, valid, exec)?
                && equal_where(&left.right()?, &right.right()?, valid, exec)?)
        }
        (Column::Struct(left), Column::Struct(right)) => {
            for (left, right) in left.fields()?.iter().zip(&right.fields()?) {
                if !equal_where(left, right, valid, exec)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Column::List(a), Column::List(b)) => {
            let a_runs = Runs::of(a, left.offset(), len, exec)?.where_valid(valid, exec)?;
            let b_runs = Runs::of(b, right.offset(), len, exec)?.where_valid(valid, exec)?;
            let (a_lengths, b_lengths) = (a_runs.lengths.view(), b_runs.lengths.view());
            if !all_set(&equal_bits(a_lengths, b_lengths, exec)?, None, exec)? {
                return Ok(false);
            }
            let (_, _, a_items) = a_runs.compact(a.items(), a.offset_width(), exec)?;
            let (_, _, b_items) = b_runs.compact(b.items(), b.offset_width(), exec)?;
            equal_where(&a_items, &b_items, None, exec)
        }
        (Column::Decimal(a), Column::Decimal(b)) if a.storage() != b.storage() => {
            let dtype = left.dtype().canonical();
            equal_where(&left.to_layout(&dtype, exec)?, &right.to_layout(&dtype, exec)?, parents, exec)
        }
        _ => {
            let equal = match (left.view()?, right.view()?) {
                (View::Fixed(left), View::Fixed(right)) if left.storage == right.storage => {
                    equal_bits(left, right, exec)?
                }
                (View::String(left), View::String(right)) => equal_texts(left, right, exec)?,
                _ => return Ok(false),
            };
            all_set(&equal, valid, exec)
        }
    }
}

/// The rows of `column` that are null neither in it nor in its parents, from bit 0 on; `None` for all.
fn validity(column: &Column, parents: Option<&Buffer>, exec: &Exec) -> Result<Option<Buffer>> {
    let len = column.size();
    let own = column.mask().map(|buffer| Bits { buffer, offset: column.offset(), len });
    let parents = parents.map(|buffer| Bits { buffer, offset: 0, len });
    Ok(match (own, parents) {
        (Some(own), Some(parents)) => Some(combine::and(own, parents, exec)?),
        (Some(bits), None) | (None, Some(bits)) => Some(combine::copy(bits, exec)?),
        (None, None) => None,
    })
}

/// Whether two masks are equal for `len` rows.
fn same_bits(left: Option<&Buffer>, right: Option<&Buffer>, len: usize, exec: &Exec) -> Result<bool> {
    let bits = |buffer| Bits { buffer, offset: 0, len };
    match (left, right) {
        (Some(left), Some(right)) => {
            let (more, less) = (
                combine::and_not(bits(left), bits(right), exec)?,
                combine::and_not(bits(right), bits(left), exec)?,
            );
            Ok(count_ones(bits(&combine::or(bits(&more), bits(&less), exec)?), exec)? == 0)
        }
        (Some(mask), None) | (None, Some(mask)) => Ok(count_ones(bits(mask), exec)? == len),
        (None, None) => Ok(true),
    }
}

/// Whether every bit that is set in `valid` is set in `found`.
fn all_set(found: &FixedData, valid: Option<&Buffer>, exec: &Exec) -> Result<bool> {
    let len = found.len;
    let bits = Bits { buffer: &found.data, offset: 0, len };
    match valid {
        None => Ok(count_ones(bits, exec)? == len),
        Some(valid) => {
            let wrong = combine::and_not(Bits { buffer: valid, offset: 0, len }, bits, exec)?;
            Ok(count_ones(Bits { buffer: &wrong, offset: 0, len }, exec)? == 0)
        }
    }
}

/// Which rows are equal, without the masks.
fn equal_bits(left: Fixed<'_>, right: Fixed<'_>, exec: &Exec) -> Result<FixedData> {
    let bare = |column| Operand::Column(Fixed { validity: None, ..column });
    let equal = compare(CompareOp::Eq, bare(left), bare(right), exec)?;
    if !left.storage.is_float() {
        return Ok(equal);
    }
    let left_nan = compare(CompareOp::Ne, bare(left), bare(left), exec)?;
    let right_nan = compare(CompareOp::Ne, bare(right), bare(right), exec)?;
    let both = combine::and(left_nan.view().data_bits(), right_nan.view().data_bits(), exec)?;
    let both = Bits { buffer: &both, offset: 0, len: equal.len };
    let data = combine::or(equal.view().data_bits(), both, exec)?;
    Ok(FixedData { data, ..equal })
}

fn equal_texts(left: StringsView<'_>, right: StringsView<'_>, exec: &Exec) -> Result<FixedData> {
    let bare = |column| StringOperand::Column(StringsView { validity: None, ..column });
    Ok(compare_string::compare(CompareOp::Eq, bare(left), bare(right), exec)?)
}
