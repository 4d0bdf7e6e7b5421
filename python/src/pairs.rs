//! Expressions of two columns over windows, bins of values, and replacements with a default.

use columnade::Expr as Inner;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::both::window_of;
use crate::expr::{Expr, column_expr_of, expr_of};
use crate::series::Series;
use crate::windows::window_of as weights_of;
use crate::work::work;

macro_rules! rolling {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])*
            #[pyo3(signature = (other, window, min_periods = None, center = false, by = None, closed = None))]
            fn $name(
                &self,
                other: &Bound<'_, PyAny>,
                window: &Bound<'_, PyAny>,
                min_periods: Option<u64>,
                center: bool,
                by: Option<&Bound<'_, PyAny>>,
                closed: Option<&str>,
            ) -> PyResult<Self> {
                let other = column_expr_of(stringify!($name), other)?;
                let window = window_of(stringify!($name), window, min_periods, center, by, closed)?;
                Ok(Self(self.0.clone().$name(other, window)))
            })*
        }
    };
}

rolling! {
    /// The covariance with another column over a window of rows that ends here, of rows in which neither is null.
    rolling_cov;
    /// The correlation with another column over a window of rows that ends here, of rows in which neither is null.
    rolling_corr;
}

macro_rules! weighted {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])*
            #[pyo3(signature = (
                other, com = None, span = None, halflife = None, alpha = None, min_periods = 0, adjust = true,
                ignore_na = false
            ))]
            fn $name(
                &self,
                other: &Bound<'_, PyAny>,
                com: Option<f64>,
                span: Option<f64>,
                halflife: Option<f64>,
                alpha: Option<f64>,
                min_periods: u64,
                adjust: bool,
                ignore_na: bool,
            ) -> PyResult<Self> {
                let window = weights_of(other.py(), stringify!($name), [com, span, halflife, alpha])?;
                let window = window.min_periods(min_periods).adjust(adjust).ignore_na(ignore_na);
                Ok(Self(self.0.clone().$name(column_expr_of(stringify!($name), other)?, window)))
            })*
        }
    };
}

weighted! {
    /// The covariance with another column up to each row, with exponentially falling weights; see `DataFrame.ewm`.
    ewm_cov;
    /// The correlation with another column up to each row, with exponentially falling weights; see `DataFrame.ewm`.
    ewm_corr;
}

/// Old and new values.
fn pairs_of(operation: &'static str, pairs: &Bound<'_, PyDict>) -> PyResult<Vec<(Inner, Inner)>> {
    pairs.iter().map(|(old, new)| Ok((expr_of(operation, &old)?, expr_of(operation, &new)?))).collect()
}

#[pymethods]
impl Expr {
    /// The number of values in each bin between two of `edges`, which ascend, as a list; see `Series.hist`.
    fn histogram(&self, edges: Vec<f64>) -> Self {
        Self(self.0.clone().histogram(edges))
    }

    /// Values replaced by others, as a dictionary says; those that it does not name by `default`.
    fn replace_or(&self, pairs: &Bound<'_, PyDict>, default: &Bound<'_, PyAny>) -> PyResult<Self> {
        let pairs = pairs_of("replace_or", pairs)?;
        Ok(Self(self.0.clone().replace_or(pairs, expr_of("replace_or", default)?)))
    }

    /// Values replaced by others, as a dictionary says, which has all of them; null stays null.
    fn replace_strict(&self, pairs: &Bound<'_, PyDict>) -> PyResult<Self> {
        Ok(Self(self.0.clone().replace_strict(pairs_of("replace_strict", pairs)?)))
    }
}

#[pymethods]
impl Series {
    /// Values replaced by others, as a dictionary says; those that it does not name by `default`.
    fn replace_or(&self, pairs: &Bound<'_, PyDict>, default: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, pairs, default) =
            (pairs.py(), pairs_of("replace_or", pairs)?, expr_of("replace_or", default)?);
        work(py, || self.0.replace_or(pairs, default)).map(Self::from)
    }

    /// The most frequent values, ascending: all of those that come equally often.
    fn modes(&self, py: Python<'_>) -> PyResult<Self> {
        work(py, || self.0.modes()).map(Self::from)
    }
}
