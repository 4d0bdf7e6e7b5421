//! Evaluates a program over whole columns.

mod decimal;
mod device;
mod host;
mod morsel;
mod steps;
#[cfg(test)]
mod tests;

pub(crate) use morsel::{MORSEL_ROWS, Morsel};

use super::{Program, Register, Source};
use crate::{Error, FixedData, Result, View};
use columnade_buffers::{Device, Exec};

/// The columns that the registers `outputs` of `program` hold, one row for each row of the inputs.
///
/// # Shapes and units
/// inputs: columns of `rows` rows each, of the kinds that the program names → `outputs.len()` columns of `rows`
/// rows. A result has a mask when an input that it depends on has one, or a step of it can make nulls.
///
/// # Errors
/// [`Error::LengthMismatch`] when an input has another number of rows; [`Error::Overflow`] when a decimal has
/// more than 38 digits; [`Error::Memory`].
///
/// # Device
/// Host: one parallel pass; each input is read once and each output written once, intermediates stay in the
/// cache. Elsewhere one launch a step.
///
/// # Source
/// cudf/transform.hpp `compute_column`; Neumann, "Efficiently compiling efficient query plans" (2011) for why.
pub fn evaluate(
    program: &Program,
    inputs: &[View<'_>],
    rows: usize,
    outputs: &[Register],
    exec: &Exec,
) -> Result<Vec<FixedData>> {
    check_inputs(program, inputs, rows)?;
    match exec.device() {
        Device::Host => host::evaluate(program, inputs, rows, outputs, exec),
        _ => device::evaluate(program, inputs, rows, outputs, exec),
    }
}

/// Whether the inputs are what the program says.
pub(crate) fn check_inputs(program: &Program, inputs: &[View<'_>], rows: usize) -> Result<()> {
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
                return Err(Error::NotImplemented { feature: "text as a fixed-width input" });
            }
        }
    }
    Ok(())
}
