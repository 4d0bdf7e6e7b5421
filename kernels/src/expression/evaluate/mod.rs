//! Evaluates a program over whole columns.

mod cuda;
mod decimal;
mod demand;
mod device;
mod fuse;
mod host;
mod morsel;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use demand::earlier;
pub(crate) use morsel::{MORSEL_ROWS, Morsel};

use super::{Program, Register, Source};
use crate::{Error, FixedData, Result, Storage, View};
use columnade_buffers::{Device, Exec};

/// Returns the registers `outputs` of `program` as columns, with one row for each row of the inputs.
///
/// # Shapes and units
/// inputs: columns of `rows` rows each, of the program's input types → `outputs.len()` columns of `rows`
/// rows. A result has a mask if an input that it depends on has one, or a step can produce nulls.
///
/// # Errors
/// [`Error::LengthMismatch`] if an input has another number of rows; [`Error::StepOverflow`] if a checked step overflows in
/// a row that counts; [`Error::Memory`]. A row counts if a result depends on it: a null of the step does not, nor does a row
/// of a branch that [`Op::Select`](super::Op::Select) does not take there. Of several steps the first is named.
///
/// # Device
/// Host: one parallel pass; each input is read once and each output written once, intermediates stay in the
/// cache. Device: one launch for consecutive steps of values up to 64 bits, with intermediates in shared memory; one or two
/// for each other step.
///
/// # Source
/// cudf/transform.hpp `compute_column`; the idea is from Neumann, "Efficiently compiling efficient query
/// plans" (2011).
pub fn evaluate(
    program: &Program,
    inputs: &[View<'_>],
    rows: usize,
    outputs: &[Register],
    exec: &Exec,
) -> Result<Vec<FixedData>> {
    evaluate_where(program, inputs, rows, outputs, None, exec)
}

/// [`evaluate`], where of all outputs but the filter only those rows count where it is true. The filter is among the outputs.
///
/// # Errors
/// Those of [`evaluate`]; [`Error::InvalidArgument`] for a filter that is no bits.
pub fn evaluate_where(
    program: &Program,
    inputs: &[View<'_>],
    rows: usize,
    outputs: &[Register],
    filter: Option<Register>,
    exec: &Exec,
) -> Result<Vec<FixedData>> {
    check_inputs(program, inputs, rows)?;
    if filter.is_some_and(|filter| program.storage(filter) != Some(Storage::Bit)) {
        return Err(Error::InvalidArgument { name: "filter", reason: "it is no bits" });
    }
    match exec.device() {
        Device::Host => host::evaluate(program, inputs, rows, outputs, filter, exec),
        _ => device::evaluate(program, inputs, rows, outputs, filter, exec),
    }
}

/// Checks that the program is valid, and that the inputs match its input types.
pub(crate) fn check_inputs(program: &Program, inputs: &[View<'_>], rows: usize) -> Result<()> {
    program.check()?;
    if program.inputs().len() != inputs.len() {
        return Err(Error::LengthMismatch { left: program.inputs().len(), right: inputs.len() });
    }
    for (source, view) in program.inputs().iter().zip(inputs) {
        if view.len() != rows {
            return Err(Error::LengthMismatch { left: rows, right: view.len() });
        }
        match (source, view) {
            (Source::Fixed(storage), View::Fixed(fixed)) if *storage == fixed.storage => {}
            (Source::String, View::String(_)) => {}
            (_, View::Fixed(fixed)) => {
                return Err(Error::UnsupportedStorage { storage: fixed.storage });
            }
            (_, View::String(_)) => {
                return Err(Error::UnsupportedStrings);
            }
        }
    }
    Ok(())
}
