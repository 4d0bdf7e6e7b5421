//! Casts of a series.

use columnade_columns::DType;
use columnade_ops::expression::Expr;

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

impl Series {
    /// The values in another dtype; nulls stay null, and a series of the null dtype becomes nulls of any other. Of floats the fraction is cut, text is read and written as dates of ISO 8601
    /// and floats of the fewest digits: see [`Expr::cast`].
    ///
    /// ```
    /// use columnade::{DType, Series};
    ///
    /// let texts = Series::new(["7", "x"])?.rename("n");
    /// let error = texts.cast(DType::Int64).unwrap_err();
    /// assert_eq!(error.to_string(), "cast: column \"n\": row 1: \"x\" is not a value of int64");
    /// assert_eq!(texts.try_cast(DType::Int64)?.to_options::<i64>()?, [Some(7), None]);
    /// assert_eq!(Series::new([0.1, 1e22])?.cast(DType::Utf8)?.to_vec::<String>()?, ["0.1", "1e22"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a pair of dtypes without a cast; for a value that does not fit, integers, floats and NaN among them,
    /// with its row if it is text; and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.astype`, which wraps integers; Polars `Series.cast`, PyArrow `cast(safe=True)` but for fractions.
    pub fn cast(&self, dtype: DType) -> Result<Series> {
        self.computed("cast", |values| values.cast(dtype))
    }

    /// [`cast`](Self::cast), null for values that do not fit: see [`Expr::try_cast`].
    ///
    /// # Errors
    /// [`Error::Operation`] for a pair of dtypes without a cast, and when memory runs out; values that do not fit are none.
    ///
    /// # Source
    /// SQL `TRY_CAST`, pandas `to_numeric(errors="coerce")`.
    pub fn try_cast(&self, dtype: DType) -> Result<Series> {
        self.computed("try_cast", |values: Expr| values.try_cast(dtype))
    }
}
