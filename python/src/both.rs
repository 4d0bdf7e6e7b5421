//! Methods that an expression and a series have under one name: those of rows, and aggregates.

use columnade::expressions::{Interpolation, Rank, RankMethod, RollingWindow};
use columnade::{DType as InnerDType, ErrorKind, Scalar};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};

use crate::dtype::dtype_of;
use crate::expr::{Expr, expr_of};
use crate::series::Series;
use crate::values;
use crate::work::{argument, natural, work, work_as};

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
    /// The negative; an error instead of wrapping around.
    checked_neg();
    /// The magnitude; an error instead of wrapping around.
    checked_abs();
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
    /// The quotient rounded down; an error instead of wrapping around.
    checked_floor_div;
    /// The angle in radians of the point whose ordinate this is and whose abscissa is the other.
    atan2;
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
    /// The arithmetic mean.
    mean;
    /// The smallest value.
    min;
    /// The largest value.
    max;
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
pub(crate) fn rank_of(py: Python<'_>, method: &str, ascending: bool, pct: bool) -> PyResult<Rank> {
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
    Ok(Rank { method, descending: !ascending, pct })
}

/// Whether two dtypes of a cast are checked, or values that do not fit become null.
fn cast_to(dtype: &Bound<'_, PyAny>) -> PyResult<InnerDType> {
    dtype_of("cast", dtype)
}

#[pymethods]
impl Expr {
    /// Values as those of another dtype. Values that are none of it are an error; with strict=False they are null.
    #[pyo3(signature = (dtype, strict = true))]
    fn cast(&self, dtype: &Bound<'_, PyAny>, strict: bool) -> PyResult<Self> {
        let (expr, dtype) = (self.0.clone(), cast_to(dtype)?);
        Ok(Self(if strict { expr.cast(dtype) } else { expr.try_cast(dtype) }))
    }

    /// The value below which a share `q` of the values lies; of a list of shares the values as a list.
    #[pyo3(signature = (q, interpolation = "linear"))]
    fn quantile(&self, q: &Bound<'_, PyAny>, interpolation: &str) -> PyResult<Self> {
        let interpolation = interpolation_of(q.py(), "quantile", interpolation)?;
        Ok(Self(match q.extract::<f64>() {
            Ok(q) => self.0.clone().quantile_with(q, interpolation),
            Err(_) => self.0.clone().quantiles_with(q.extract::<Vec<f64>>()?, interpolation),
        }))
    }

    /// The position of each value in the order of all; with `pct` as a share of their number.
    #[pyo3(signature = (method = "average", ascending = true, pct = false))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool, pct: bool) -> PyResult<Self> {
        Ok(Self(self.0.clone().rank(rank_of(py, method, ascending, pct)?)))
    }

    /// The values `n` rows before; negative: after. Rows without one have `fill_value`, by default null.
    #[pyo3(signature = (n = 1, fill_value = None))]
    fn shift(&self, n: i64, fill_value: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let values = self.0.clone();
        Ok(Self(match fill_value {
            Some(fill) => values.shift_or(n, expr_of("shift", fill)?),
            None => values.shift(n),
        }))
    }

    /// Nulls between values replaced by values on the line between them, at most `limit` after each value.
    #[pyo3(signature = (limit = None))]
    fn interpolate(&self, limit: Option<u64>) -> Self {
        let values = self.0.clone();
        Self(match limit {
            Some(limit) => values.interpolate_limit(limit),
            None => values.interpolate(),
        })
    }

    /// The values with another one in place of NaN.
    fn fill_nan(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        Ok(Self(self.0.clone().fill_nan(expr_of("fill_nan", value)?)))
    }

    /// The quantile `q`, 0 to 1, of a window of rows that ends here.
    #[pyo3(signature = (
        q, window, interpolation = "linear", min_periods = None, center = false, by = None, closed = None
    ))]
    fn rolling_quantile(
        &self,
        q: f64,
        window: &Bound<'_, PyAny>,
        interpolation: &str,
        min_periods: Option<u64>,
        center: bool,
        by: Option<&Bound<'_, PyAny>>,
        closed: Option<&str>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "rolling_quantile";
        let interpolation = interpolation_of(window.py(), OPERATION, interpolation)?;
        let window = window_of(OPERATION, window, min_periods, center, by, closed)?;
        Ok(Self(self.0.clone().rolling_quantile(q, interpolation, window)))
    }

    /// The rank of this value in a window of rows that ends here.
    #[pyo3(signature = (
        window, method = "average", ascending = true, pct = false, min_periods = None, center = false, by = None, closed = None
    ))]
    fn rolling_rank(
        &self,
        window: &Bound<'_, PyAny>,
        method: &str,
        ascending: bool,
        pct: bool,
        min_periods: Option<u64>,
        center: bool,
        by: Option<&Bound<'_, PyAny>>,
        closed: Option<&str>,
    ) -> PyResult<Self> {
        let rank = rank_of(window.py(), method, ascending, pct)?;
        let window = window_of("rolling_rank", window, min_periods, center, by, closed)?;
        Ok(Self(self.0.clone().rolling_rank(rank, window)))
    }
}

#[pymethods]
impl Series {
    /// Values as those of another dtype. Values that are none of it are an error; with strict=False they are null.
    #[pyo3(signature = (dtype, strict = true))]
    fn cast(&self, dtype: &Bound<'_, PyAny>, strict: bool) -> PyResult<Self> {
        let (py, dtype) = (dtype.py(), cast_to(dtype)?);
        work_as(py, "cast", || if strict { self.0.cast(dtype) } else { self.0.try_cast(dtype) })
            .map(Self::from)
    }

    /// The value below which a share `q` of the values lies; of a list of shares a series, whose row labels are the shares.
    #[pyo3(signature = (q = None, interpolation = "linear"))]
    fn quantile<'py>(
        &self,
        py: Python<'py>,
        q: Option<&Bound<'_, PyAny>>,
        interpolation: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        const OPERATION: &str = "quantile";
        let interpolation = interpolation_of(py, OPERATION, interpolation)?;
        let one = match q {
            None => Some(0.5),
            Some(q) => q.extract::<f64>().ok(),
        };
        let shares = match (one, q) {
            (None, Some(q)) => q.extract::<Vec<f64>>()?,
            (one, _) => {
                let q = one.unwrap_or(0.5);
                let found = work_as(py, OPERATION, || self.0.quantile_with(q, interpolation))?;
                return values::to_python(py, &found);
            }
        };
        let found = work_as(py, OPERATION, || {
            let labels = columnade::Index::new(shares.clone())?;
            self.0.quantiles(shares, interpolation)?.with_index(&labels)
        })?;
        Ok(Bound::new(py, Self::from(found))?.into_any())
    }

    /// The position of each value in the order of all; with `pct` as a share of their number.
    #[pyo3(signature = (method = "average", ascending = true, pct = false))]
    fn rank(&self, py: Python<'_>, method: &str, ascending: bool, pct: bool) -> PyResult<Self> {
        let rank = rank_of(py, method, ascending, pct)?;
        work(py, || self.0.rank(rank)).map(Self::from)
    }

    /// The values `n` rows before; negative: after. Rows without one have `fill_value`, by default null.
    #[pyo3(signature = (n = 1, fill_value = None))]
    fn shift(&self, py: Python<'_>, n: i64, fill_value: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let fill = fill_value.map(|fill| values::literal_of("shift", fill)).transpose()?;
        work_as(py, "shift", || match fill {
            Some(fill) => self.0.shift_or(n, fill),
            None => self.0.shift(n),
        })
        .map(Self::from)
    }

    /// Nulls between values replaced by values on the line between them, at most `limit` after each value.
    #[pyo3(signature = (limit = None))]
    fn interpolate(&self, py: Python<'_>, limit: Option<u64>) -> PyResult<Self> {
        work_as(py, "interpolate", || match limit {
            Some(limit) => self.0.interpolate_limit(limit),
            None => self.0.interpolate(),
        })
        .map(Self::from)
    }

    /// The values with another one in place of NaN.
    fn fill_nan(&self, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (py, value) = (value.py(), values::literal_of("fill_nan", value)?);
        work(py, || self.0.fill_nan(value)).map(Self::from)
    }

    /// The number of values in each bin between two of `edges`, which ascend: a frame of the bins and the column "count".
    fn hist(&self, py: Python<'_>, edges: Vec<f64>) -> PyResult<crate::frame::DataFrame> {
        work(py, || self.0.hist(edges)).map(crate::frame::DataFrame)
    }

    /// The quantile `q`, 0 to 1, of a window of rows that ends here.
    #[pyo3(signature = (q, window, interpolation = "linear", min_periods = None, center = false, closed = None))]
    fn rolling_quantile(
        &self,
        q: f64,
        window: &Bound<'_, PyAny>,
        interpolation: &str,
        min_periods: Option<u64>,
        center: bool,
        closed: Option<&str>,
    ) -> PyResult<Self> {
        const OPERATION: &str = "rolling_quantile";
        let py = window.py();
        let interpolation = interpolation_of(py, OPERATION, interpolation)?;
        let window = window_of(OPERATION, window, min_periods, center, None, closed)?;
        work(py, || self.0.rolling_quantile(q, interpolation, window)).map(Self::from)
    }

    /// The rank of this value in a window of rows that ends here.
    #[pyo3(signature = (
        window, method = "average", ascending = true, pct = false, min_periods = None, center = false, closed = None
    ))]
    fn rolling_rank(
        &self,
        window: &Bound<'_, PyAny>,
        method: &str,
        ascending: bool,
        pct: bool,
        min_periods: Option<u64>,
        center: bool,
        closed: Option<&str>,
    ) -> PyResult<Self> {
        let py = window.py();
        let rank = rank_of(py, method, ascending, pct)?;
        let window = window_of("rolling_rank", window, min_periods, center, None, closed)?;
        work(py, || self.0.rolling_rank(rank, window)).map(Self::from)
    }
}

/// The number of rows of a window.
fn rows_of(operation: &'static str, window: &Bound<'_, PyAny>) -> PyResult<u64> {
    let is_span = window.is_instance_of::<PyString>()
        || matches!(values::scalar_of(operation, window), Ok(Some(Scalar::Duration(..))));
    let (kind, reason) = if window.is_instance_of::<PyBool>() {
        (ErrorKind::Value, format!("a window is a number of rows or a span of time, not {window}"))
    } else if is_span {
        let reason = "a window of a span of time needs times: by of an expression, row labels of rolling()";
        (ErrorKind::Type, reason.to_owned())
    } else {
        return window.extract();
    };
    Err(argument(window.py(), kind, operation, &reason))
}

/// The window that the arguments of a rolling aggregate say: a number of rows, or a duration of a column of times.
pub(crate) fn window_of(
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
        None => RollingWindow::rows(rows_of(operation, window)?),
    };
    rolling = rolling.center(center);
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
    /// The skewness of a window of rows that ends here, corrected for bias.
    rolling_skew;
    /// The excess kurtosis of a window of rows that ends here, corrected for bias.
    rolling_kurt;
    /// The median of a window of rows that ends here.
    rolling_median;
    /// The first value of a window of rows that ends here, of those that are not null.
    rolling_first;
    /// The last value of a window of rows that ends here, of those that are not null.
    rolling_last;
    /// The number of distinct values in a window of rows that ends here.
    rolling_nunique;
}

/// Aggregates with a count as an argument, which has a default.
macro_rules! aggregates_with {
    ($argument:ident: $ty:ty = $default:tt; $($(#[$meta:meta])* $name:ident => $of:path, $with:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])* #[pyo3(signature = ($argument = $default))]
            fn $name(&self, py: Python<'_>, $argument: i64) -> PyResult<Self> {
                let count: $ty = natural(py, stringify!($name), stringify!($argument), $argument)?;
                Ok(Self($of(self.0.clone(), count)))
            })*
        }

        #[pymethods]
        impl Series {
            $($(#[$meta])* #[pyo3(signature = ($argument = $default))]
            fn $name<'py>(&self, py: Python<'py>, $argument: i64) -> PyResult<Bound<'py, PyAny>> {
                let count: $ty = natural(py, stringify!($name), stringify!($argument), $argument)?;
                values::to_python(py, &work_as(py, stringify!($name), || self.0.$with(count))?)
            })*
        }
    };
}

aggregates_with! { ddof: u32 = 1;
    /// The variance: the sum of squared deviations from the mean, divided by the number of values less `ddof`; null if that is
    /// not positive.
    var => columnade::Expr::var_ddof, var_ddof;
    /// The standard deviation, the square root of the variance.
    std => columnade::Expr::std_ddof, std_ddof;
    /// The standard error of the mean: the standard deviation divided by the root of the number of values.
    sem => columnade::Expr::sem_ddof, sem_ddof;
}

aggregates_with! { min_count: u64 = 0;
    /// The sum; 0 without values, and null for fewer than `min_count`.
    sum => crate::aggregates::sum, sum_min_count;
    /// The product; 1 without values, and null for fewer than `min_count`.
    product => crate::aggregates::product, product_min_count;
}

/// Aggregates of all rows up to each, and with weights that fall from row to row.
macro_rules! up_to_each_row {
    ($($(#[$meta:meta])* $name:ident => $rolling:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])* #[pyo3(signature = (min_periods = 1))]
            fn $name(&self, min_periods: u64) -> Self {
                Self(self.0.clone().$rolling(RollingWindow::expanding().min_periods(min_periods)))
            })*
        }
    };
}

up_to_each_row! {
    /// The sum of the values up to each row; null for fewer than `min_periods`.
    expanding_sum => rolling_sum;
    /// The mean of the values up to each row.
    expanding_mean => rolling_mean;
    /// The smallest value up to each row.
    expanding_min => rolling_min;
    /// The largest value up to each row.
    expanding_max => rolling_max;
    /// The number of values up to each row.
    expanding_count => rolling_count;
    /// The sample variance of the values up to each row.
    expanding_var => rolling_var;
    /// The sample standard deviation of the values up to each row.
    expanding_std => rolling_std;
    /// The skewness of the values up to each row, corrected for bias.
    expanding_skew => rolling_skew;
    /// The excess kurtosis of the values up to each row, corrected for bias.
    expanding_kurt => rolling_kurt;
    /// The median of the values up to each row.
    expanding_median => rolling_median;
    /// The number of distinct values up to each row.
    expanding_nunique => rolling_nunique;
}

macro_rules! weighted {
    ($($(#[$meta:meta])* $name:ident;)*) => {
        #[pymethods]
        impl Expr {
            $($(#[$meta])*
            #[pyo3(signature = (
                com = None, span = None, halflife = None, alpha = None, min_periods = 0, adjust = true, ignore_na = false,
                bias = false
            ))]
            fn $name(
                &self,
                py: Python<'_>,
                com: Option<f64>,
                span: Option<f64>,
                halflife: Option<f64>,
                alpha: Option<f64>,
                min_periods: u64,
                adjust: bool,
                ignore_na: bool,
                bias: bool,
            ) -> PyResult<Self> {
                let window = crate::windows::window_of(py, stringify!($name), [com, span, halflife, alpha])?;
                let window = window.min_periods(min_periods).adjust(adjust).ignore_na(ignore_na).bias(bias);
                Ok(Self(self.0.clone().$name(window)))
            })*
        }
    };
}

weighted! {
    /// The mean of the values up to each row with weights that fall by one of `com`, `span`, `halflife` and `alpha`; see
    /// `DataFrame.ewm`.
    ewm_mean;
    /// The variance with these weights.
    ewm_var;
    /// The standard deviation with these weights.
    ewm_std;
}
