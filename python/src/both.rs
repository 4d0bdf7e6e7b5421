//! Methods that an expression and a series have under one name: those of rows, and aggregates.

use columnade::expressions::{Interpolation, Rank, RankMethod, RollingWindow};
use columnade::{DType as InnerDType, ErrorKind};
use pyo3::prelude::*;

use crate::dtype::dtype_of;
use crate::expr::{Expr, expr_of};
use crate::series::{Series, frame_of};
use crate::values;
use crate::work::{argument, work, work_as};

/// Methods of expressions and series without arguments that need a conversion.
macro_rules! methods {
    ($($(#[$meta:meta])* $name:ident($($argument:ident: $ty:ty),*);)*) => {
        #[pymethods]
        impl $crate::expr::Expr {
            $($(#[$meta])* fn $name(&self, $($argument: $ty),*) -> Self {
                Self(self.0.clone().$name($($argument),*))
            })*
        }

        #[pymethods]
        impl $crate::series::Series {
            $($(#[$meta])* fn $name(&self, py: Python<'_>, $($argument: $ty),*) -> PyResult<Self> {
                $crate::work::work(py, || self.0.$name($($argument),*)).map(Self::from)
            })*
        }
    };
}

pub(crate) use methods;

methods! {
    /// e to the power of the value.
    exp();
    /// exp(x) - 1, exact for small x.
    expm1();
    /// The natural logarithm.
    ln();
    /// ln(1 + x), exact for small x.
    log1p();
    /// The logarithm to base 2.
    log2();
    /// The logarithm to base 10.
    log10();
    /// The logarithm to a base.
    log(base: f64);
    /// The square root.
    sqrt();
    /// The cube root.
    cbrt();
    /// The sine, of radians.
    sin();
    /// The cosine, of radians.
    cos();
    /// The tangent, of radians.
    tan();
    /// The inverse sine.
    asin();
    /// The inverse cosine.
    acos();
    /// The inverse tangent.
    atan();
    /// The hyperbolic sine.
    sinh();
    /// The hyperbolic cosine.
    cosh();
    /// The hyperbolic tangent.
    tanh();
    /// The inverse hyperbolic sine.
    asinh();
    /// The inverse hyperbolic cosine.
    acosh();
    /// The inverse hyperbolic tangent.
    atanh();
    /// The largest integer that is not greater.
    floor();
    /// The smallest integer that is not less.
    ceil();
    /// The integer part.
    trunc();
    /// -1, 0 or 1.
    sign();
    /// The bits inverted.
    bit_not();
    /// Whether the value is NaN.
    is_nan();
    /// Whether the value is neither infinite nor NaN.
    is_finite();
    /// Whether the value is infinite.
    is_infinite();
    /// The number of values up to here.
    cum_count();
}

/// Methods of two operands.
macro_rules! of_two {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])* fn $name(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
                Ok(Self(self.0.clone().$name(expr_of(stringify!($name), other)?)))
            })*
        }

        #[pymethods]
        impl Series {
            $($(#[$meta])* fn $name(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
                let py = other.py();
                if let Ok(other) = other.cast::<Series>() {
                    let other = &other.get().0;
                    return work(py, || self.0.$name(other)).map(Self::from);
                }
                let value = values::literal_of(stringify!($name), other)?;
                work(py, || self.0.$name(value)).map(Self::from)
            })*
        }
    };
}

of_two! {
    /// Raised to a power.
    pow;
    /// Bits that both have.
    bit_and;
    /// Bits that one of both has.
    bit_or;
    /// Bits that exactly one of both has.
    bit_xor;
    /// Bits moved to higher positions.
    shift_left;
    /// Bits moved to lower positions.
    shift_right;
    /// Whether both are equal, where nulls are equal to each other.
    eq_missing;
    /// Whether both are not equal, where nulls are equal to each other.
    ne_missing;
    /// The sum; an error instead of wrapping around.
    checked_add;
    /// The difference; an error instead of wrapping around.
    checked_sub;
    /// The product; an error instead of wrapping around.
    checked_mul;
    /// The quotient rounded down.
    floor_div;
}

/// Aggregates: an expression stays one, a series has a value.
macro_rules! aggregates {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])* fn $name(&self) -> Self {
                Self(self.0.clone().$name())
            })*
        }

        #[pymethods]
        impl Series {
            $($(#[$meta])* fn $name<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
                values::to_python(py, &work(py, || self.0.$name())?)
            })*
        }
    };
}

aggregates! {
    /// The sum; 0 without values.
    sum;
    /// The arithmetic mean.
    mean;
    /// The smallest value.
    min;
    /// The largest value.
    max;
    /// The standard error of the mean.
    sem;
    /// The skewness.
    skew;
    /// The excess kurtosis.
    kurt;
    /// The median.
    median;
    /// The most frequent value, the smallest of several.
    mode;
    /// Whether a value is true.
    any;
    /// Whether all values are true.
    all;
    /// The number of distinct values.
    nunique;
    /// The first value.
    first;
    /// The last value.
    last;
    /// The position of the smallest value.
    arg_min;
    /// The position of the largest value.
    arg_max;
}

/// How a quantile between two values is computed.
pub(crate) fn interpolation_of(py: Python<'_>, operation: &str, name: &str) -> PyResult<Interpolation> {
    Ok(match name {
        "linear" => Interpolation::Linear,
        "lower" => Interpolation::Lower,
        "higher" => Interpolation::Higher,
        "midpoint" => Interpolation::Midpoint,
        "nearest" => Interpolation::Nearest,
        _ => {
            let reason = format!("interpolation is linear, lower, higher, midpoint or nearest, not {name:?}");
            return Err(argument(py, ErrorKind::Value, operation, &reason));
        }
    })
}

/// How values are ranked.
pub(crate) fn rank_of(py: Python<'_>, method: &str, ascending: bool) -> PyResult<Rank> {
    let method = match method {
        "average" => RankMethod::Average,
        "min" => RankMethod::Min,
        "max" => RankMethod::Max,
        "dense" => RankMethod::Dense,
        "first" | "ordinal" => RankMethod::First,
        _ => {
            let reason = format!("method is average, min, max, dense or first, not {method:?}");
            return Err(argument(py, ErrorKind::Value, "rank", &reason));
        }
    };
    Ok(Rank { method, descending: !ascending, ..Rank::default() })
}

/// Whether two dtypes of a cast are checked, or values that do not fit become null.
fn cast_to(dtype: &Bound<'_, PyAny>) -> PyResult<InnerDType> {
    dtype_of("cast", dtype)
}

#[pymethods]
impl Expr {
    /// Values as those of another dtype. Strings that are no such value are an error, and integers that do not fit wrap
    /// around, as in numpy; with strict=False both are null.
    #[pyo3(signature = (dtype, strict = true))]
    fn cast(&self, dtype: &Bound<'_, PyAny>, strict: bool) -> PyResult<Self> {
        let (expr, dtype) = (self.0.clone(), cast_to(dtype)?);
        Ok(Self(if strict { expr.cast(dtype) } else { expr.try_cast(dtype) }))
    }

    /// The value below which a share `q` of the values lies.
    #[pyo3(signature = (q, interpolation = "linear"))]
    fn quantile(&self, py: Python<'_>, q: f64, interpolation: &str) -> PyResult<Self> {
        Ok(Self(self.0.clone().quantile_with(q, interpolation_of(py, "quantile", interpolation)?)))
    }

    /// The position of each value in the order of all.
    #[pyo3(signature = (method = "average", ascending = true))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool) -> PyResult<Self> {
        Ok(Self(self.0.clone().rank(rank_of(py, method, ascending)?)))
    }
}

#[pymethods]
impl Series {
    /// Values as those of another dtype. Strings that are no such value are an error, and integers that do not fit wrap
    /// around, as in numpy; with strict=False both are null.
    #[pyo3(signature = (dtype, strict = true))]
    fn cast(&self, dtype: &Bound<'_, PyAny>, strict: bool) -> PyResult<Self> {
        let (py, dtype) = (dtype.py(), cast_to(dtype)?);
        work(py, || if strict { self.0.cast(dtype) } else { self.0.try_cast(dtype) }).map(Self::from)
    }

    /// The value below which a share `q` of the values lies.
    #[pyo3(signature = (q = 0.5, interpolation = "linear"))]
    fn quantile<'py>(&self, py: Python<'py>, q: f64, interpolation: &str) -> PyResult<Bound<'py, PyAny>> {
        let interpolation = interpolation_of(py, "quantile", interpolation)?;
        values::to_python(py, &work_as(py, "quantile", || self.0.quantile_with(q, interpolation))?)
    }

    /// The position of each value in the order of all.
    #[pyo3(signature = (method = "average", ascending = true))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool) -> PyResult<Self> {
        let rank = rank_of(py, method, ascending)?;
        work(py, || self.0.rank(rank)).map(Self::from)
    }
}

/// The window that the arguments of a rolling aggregate say: a number of rows, or a duration of a column of times.
fn window_of(
    operation: &'static str,
    window: &Bound<'_, PyAny>,
    min_periods: Option<u64>,
    center: bool,
    by: Option<&Bound<'_, PyAny>>,
    closed: Option<&str>,
) -> PyResult<RollingWindow> {
    let mut rolling = match by {
        Some(by) => RollingWindow::time(
            crate::expr::column_expr_of(operation, by)?,
            values::literal_of(operation, window)?,
        ),
        None => RollingWindow::rows(window.extract::<u64>()?).center(center),
    };
    if let Some(min_periods) = min_periods {
        rolling = rolling.min_periods(min_periods);
    }
    if let Some(closed) = closed {
        rolling = rolling.closed(crate::rolling::closed_of(window.py(), operation, closed)?);
    }
    Ok(rolling)
}

macro_rules! rolling {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])*
            #[pyo3(signature = (window, min_periods = None, center = false, by = None, closed = None))]
            fn $name(
                &self,
                window: &Bound<'_, PyAny>,
                min_periods: Option<u64>,
                center: bool,
                by: Option<&Bound<'_, PyAny>>,
                closed: Option<&str>,
            ) -> PyResult<Self> {
                let window = window_of(stringify!($name), window, min_periods, center, by, closed)?;
                Ok(Self(self.0.clone().$name(window)))
            })*
        }

        #[pymethods]
        impl Series {
            $($(#[$meta])*
            #[pyo3(signature = (window, min_periods = None, center = false, closed = None))]
            fn $name(
                &self,
                window: &Bound<'_, PyAny>,
                min_periods: Option<u64>,
                center: bool,
                closed: Option<&str>,
            ) -> PyResult<Self> {
                let py = window.py();
                let window = window_of(stringify!($name), window, min_periods, center, None, closed)?;
                work(py, || self.0.$name(window)).map(Self::from)
            })*
        }
    };
}

rolling! {
    /// The sum of a window of rows that ends here.
    rolling_sum;
    /// The mean of a window of rows that ends here.
    rolling_mean;
    /// The smallest value of a window of rows that ends here.
    rolling_min;
    /// The largest value of a window of rows that ends here.
    rolling_max;
    /// The number of values in a window of rows that ends here.
    rolling_count;
    /// The sample variance of a window of rows that ends here.
    rolling_var;
    /// The sample standard deviation of a window of rows that ends here.
    rolling_std;
    /// The median of a window of rows that ends here.
    rolling_median;
}

/// Spreads, whose divisor is the number of values less `ddof`.
macro_rules! spreads {
    ($($(#[$meta:meta])* $name:ident => $with:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])* #[pyo3(signature = (ddof = 1))]
            fn $name(&self, ddof: u32) -> Self {
                Self(self.0.clone().$with(ddof))
            })*
        }

        #[pymethods]
        impl Series {
            $($(#[$meta])* #[pyo3(signature = (ddof = 1))]
            fn $name<'py>(&self, py: Python<'py>, ddof: u32) -> PyResult<Bound<'py, PyAny>> {
                values::to_python(py, &work_as(py, stringify!($name), || self.0.$with(ddof))?)
            })*
        }
    };
}

spreads! {
    /// The variance: the sum of squared deviations from the mean, divided by the number of values less `ddof`; null if that is
    /// not positive.
    var => var_ddof;
    /// The standard deviation, the square root of the variance.
    std => std_ddof;
}

#[pymethods]
impl Expr {
    /// The product; 1 without values.
    fn product(&self) -> Self {
        Self(self.0.clone().product())
    }
}

#[pymethods]
impl Series {
    /// The product; 1 without values.
    fn product<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let product = work_as(py, "product", || {
            let label = columnade::Label::from("values");
            let frame = frame_of(&self.0.rename(label.clone()))?;
            frame.agg([columnade::col(label.clone()).product().alias(label.clone())])?.column(label)?.get(0)
        })?;
        values::to_python(py, &product)
    }
}
