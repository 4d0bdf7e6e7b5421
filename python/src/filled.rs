//! Arithmetic and comparisons of frames and series by name, with a value in place of missing operands.

use columnade::ErrorKind;
use columnade::expressions::FrameOperand;
use pyo3::prelude::*;

use crate::align::combined;
use crate::frame::DataFrame;
use crate::series::{Series, named_as_both};
use crate::values::literal_of;
use crate::work::{argument, work, work_as};

/// Whether a series goes by the labels of rows.
fn is_by_rows(py: Python<'_>, operation: &str, axis: &Bound<'_, PyAny>) -> PyResult<bool> {
    match axis.str()?.to_cow()?.as_ref() {
        "columns" | "1" => Ok(false),
        "index" | "rows" | "0" => Ok(true),
        _ => Err(argument(py, ErrorKind::Value, operation, "axis is \"columns\" or \"index\"")),
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident $with:ident;)*) => {
        #[pymethods]
        impl DataFrame {
            $($(#[$doc])*
            #[pyo3(signature = (other, axis = None, fill_value = None))]
            fn $name(
                &self,
                other: &Bound<'_, PyAny>,
                axis: Option<&Bound<'_, PyAny>>,
                fill_value: Option<&Bound<'_, PyAny>>,
            ) -> PyResult<Self> {
                const OPERATION: &str = stringify!($name);
                let py = other.py();
                if let Some(fill) = fill_value {
                    let Ok(other) = other.cast::<DataFrame>() else {
                        let reason = "fill_value stands for values that one of two frames does not have";
                        return Err(argument(py, ErrorKind::Type, OPERATION, reason));
                    };
                    let (other, fill) = (&other.get().0, literal_of(OPERATION, fill)?);
                    return work_as(py, OPERATION, || self.0.$with(other, fill)).map(Self);
                }
                let by_rows = axis.map_or(Ok(false), |axis| is_by_rows(py, OPERATION, axis))?;
                if let (true, Ok(series)) = (by_rows, other.cast::<Series>()) {
                    let series = &series.get().0;
                    return work(py, || self.0.$name(FrameOperand::Rows(series))).map(Self);
                }
                combined(OPERATION, other, |other| self.0.$name(other))
            })*
        }
    };
}

operations! {
    /// Sums of the values of the same labels; with `fill_value` for those that one of two frames does not have. A series goes by
    /// the labels of columns, with axis="index" by those of rows.
    add add_with;
    /// Differences, as `add`.
    sub sub_with;
    /// Products, as `add`.
    mul mul_with;
    /// Quotients, as `add`.
    div div_with;
    /// Quotients rounded down, as `add`.
    floor_div floor_div_with;
    /// Remainders with the sign of the divisor, as `add`.
    rem rem_with;
    /// Powers, as `add`.
    pow pow_with;
}

macro_rules! comparisons {
    ($($(#[$doc:meta])* $name:ident;)*) => {
        #[pymethods]
        impl DataFrame {
            $($(#[$doc])*
            #[pyo3(signature = (other, axis = None))]
            fn $name(&self, other: &Bound<'_, PyAny>, axis: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
                const OPERATION: &str = stringify!($name);
                let py = other.py();
                let by_rows = axis.map_or(Ok(false), |axis| is_by_rows(py, OPERATION, axis))?;
                if let (true, Ok(series)) = (by_rows, other.cast::<Series>()) {
                    let series = &series.get().0;
                    return work(py, || self.0.$name(FrameOperand::Rows(series))).map(Self);
                }
                combined(OPERATION, other, |other| self.0.$name(other))
            })*
        }
    };
}

comparisons! {
    /// Whether values of the same labels are equal; null where either is null. A series goes by the labels of columns, with
    /// axis="index" by those of rows.
    eq;
    /// Whether values differ, as `eq`.
    ne;
    /// Whether values are less, as `eq`.
    lt;
    /// Whether values are less or equal, as `eq`.
    le;
    /// Whether values are greater, as `eq`.
    gt;
    /// Whether values are greater or equal, as `eq`.
    ge;
}

#[pymethods]
impl DataFrame {
    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("and", other, |other| self.0.and(other))
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        combined("or", other, |other| self.0.or(other))
    }
}

/// Which series are added with a value in place of missing operands: `_pandas.py` has the names of pandas.
macro_rules! filled {
    ($($name:literal => $with:ident;)*) => {
        #[pymethods]
        impl Series {
            /// The result of an operator with another series, with a value for operands that only one of both has.
            fn _filled(&self, name: &str, other: &Self, fill_value: &Bound<'_, PyAny>) -> PyResult<Self> {
                let (py, fill) = (fill_value.py(), literal_of("fill_value", fill_value)?);
                match name {
                    $($name => work_as(py, $name, || self.0.$with(&other.0, fill)).map(|made| {
                        named_as_both(Self::from(made), &self.0, &other.0)
                    }),)*
                    _ => Err(argument(py, ErrorKind::Value, "fill_value", "this operator has none")),
                }
            }
        }
    };
}

filled! {
    "add" => add_with;
    "sub" => sub_with;
    "mul" => mul_with;
    "div" => div_with;
    "floor_div" => floor_div_with;
    "rem" => rem_with;
    "pow" => pow_with;
    "eq" => eq_with;
    "ne" => ne_with;
    "lt" => lt_with;
    "le" => le_with;
    "gt" => gt_with;
    "ge" => ge_with;
}
