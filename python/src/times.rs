//! Functions of dates and timestamps with arguments of several kinds.

use columnade::expressions::{Ambiguous, LocalTimes, Nonexistent};
use columnade::{ErrorKind, Expr as InnerExpr};
use pyo3::prelude::*;

use crate::expr::{Expr, expr_of};
use crate::namespaces::{DatetimeNamespace, SeriesDatetimeNamespace};
use crate::series::Series;
use crate::values;
use crate::work::{argument, work};

/// What becomes of local times that clocks show twice or skip.
pub(crate) fn rules_of(
    py: Python<'_>,
    operation: &str,
    ambiguous: &str,
    nonexistent: &str,
) -> PyResult<LocalTimes> {
    let invalid = |reason| argument(py, ErrorKind::Value, operation, reason);
    Ok(LocalTimes {
        ambiguous: match ambiguous {
            "raise" => Ambiguous::Raise,
            "earliest" => Ambiguous::Earliest,
            "latest" => Ambiguous::Latest,
            "null" => Ambiguous::Null,
            _ => return Err(invalid("ambiguous is \"raise\", \"earliest\", \"latest\" or \"null\"")),
        },
        nonexistent: match nonexistent {
            "raise" => Nonexistent::Raise,
            "shift_forward" => Nonexistent::ShiftForward,
            "shift_backward" => Nonexistent::ShiftBackward,
            "null" => Nonexistent::Null,
            _ => {
                let reason = "nonexistent is \"raise\", \"shift_forward\", \"shift_backward\" or \"null\"";
                return Err(invalid(reason));
            }
        },
    })
}

#[pymethods]
impl DatetimeNamespace {
    /// Local times as those of a zone.
    #[pyo3(signature = (zone, ambiguous = "raise", nonexistent = "raise"))]
    fn tz_localize(&self, py: Python<'_>, zone: &str, ambiguous: &str, nonexistent: &str) -> PyResult<Expr> {
        Ok(Expr(
            self.0.clone().dt().tz_localize(zone, rules_of(py, "dt.tz_localize", ambiguous, nonexistent)?),
        ))
    }
}

#[pymethods]
impl SeriesDatetimeNamespace {
    /// Local times as those of a zone.
    #[pyo3(signature = (zone, ambiguous = "raise", nonexistent = "raise"))]
    fn tz_localize(
        &self,
        py: Python<'_>,
        zone: &str,
        ambiguous: &str,
        nonexistent: &str,
    ) -> PyResult<Series> {
        let rules = rules_of(py, "dt.tz_localize", ambiguous, nonexistent)?;
        work(py, || self.0.dt().tz_localize(zone, rules)).map(Series::from)
    }
}

/// Methods that move times by numbers of a unit.
macro_rules! moved {
    ($($(#[$meta:meta])* $name:ident($number:ident) $operation:literal;)*) => {
        #[pymethods]
        impl DatetimeNamespace {
            $($(#[$meta])* fn $name(&self, $number: &Bound<'_, PyAny>) -> PyResult<Expr> {
                Ok(Expr(self.0.clone().dt().$name(expr_of($operation, $number)?)))
            })*
        }

        #[pymethods]
        impl SeriesDatetimeNamespace {
            $($(#[$meta])* fn $name(&self, $number: &Bound<'_, PyAny>) -> PyResult<Series> {
                let py = $number.py();
                if let Ok(numbers) = $number.cast::<Series>() {
                    let numbers = &numbers.get().0;
                    return work(py, || self.0.dt().$name(numbers)).map(Series::from);
                }
                let number = values::literal_of($operation, $number)?;
                work(py, || self.0.dt().$name(number)).map(Series::from)
            })*
        }
    };
}

moved! {
    /// The same day some months later; the last day of a shorter month.
    add_months(months) "dt.add_months";
    /// The same day some years later; of 29 February the 28th in other years.
    add_years(years) "dt.add_years";
}

#[pymethods]
impl DatetimeNamespace {
    /// How many periods, such as "1mo", begin after the time until another: a column, a time or a date. Negative if that is before.
    fn periods_until(&self, other: &Bound<'_, PyAny>, period: &str) -> PyResult<Expr> {
        let other = expr_of("dt.periods_until", other)?;
        Ok(Expr(self.0.clone().dt().periods_until(other, period_of(period).as_str())))
    }
}

#[pymethods]
impl SeriesDatetimeNamespace {
    /// How many periods, such as "1mo", begin after each time until that of the same label of a series, or a time or a date.
    /// Negative if that is before.
    fn periods_until(&self, other: &Bound<'_, PyAny>, period: &str) -> PyResult<Series> {
        let period = period_of(period);
        let make = |time: InnerExpr, other: InnerExpr| time.dt().periods_until(other, period.as_str());
        Series::from(self.0.clone()).combined("dt.periods_until", other, make)
    }
}

/// A period as text; of one unit the number may be left out, as in pandas.
pub(crate) fn period_of(text: &str) -> String {
    if text.starts_with(|first: char| first.is_ascii_alphabetic()) {
        format!("1{text}")
    } else {
        text.to_owned()
    }
}

/// Methods of a period.
macro_rules! periods {
    ($($(#[$meta:meta])* $python:literal $name:ident;)*) => {
        #[pymethods]
        impl DatetimeNamespace {
            $($(#[$meta])*
            #[pyo3(name = $python)]
            fn $name(&self, period: &str) -> Expr {
                Expr(self.0.clone().dt().$name(period_of(period).as_str()))
            })*
        }

        #[pymethods]
        impl SeriesDatetimeNamespace {
            $($(#[$meta])*
            #[pyo3(name = $python)]
            fn $name(&self, py: Python<'_>, period: &str) -> PyResult<Series> {
                work(py, || self.0.dt().$name(period_of(period).as_str())).map(Series::from)
            })*
        }
    };
}

periods! {
    /// Moved by months, then days, then the rest, such as "1mo2d3h" or "-1y".
    "_offset_by" offset_by;
    /// The start of the period, such as "h", "15min", "1d", "1w" or "1mo".
    "truncate" truncate;
    /// The start of the period.
    "floor" floor;
    /// The end of the period.
    "ceil" ceil;
    /// The nearest start of a period.
    "round" round;
}
