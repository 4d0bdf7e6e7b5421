//! Filling and dropping nulls.

use columnade_ops::expression::{Expr, Literal};
use columnade_ops::missing::{DropHow, fill_null, valid_rows};

use super::Series;
use crate::error::{InOperation, Result};

impl Series {
    /// The series with nulls replaced by `value`. NaN is not null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let series = Series::new([Some("tea"), None])?;
    /// assert_eq!(series.fill_null("rye")?.to_scalars()?, ["tea".into(), "rye".into()]);
    /// assert_eq!(series.drop_nulls()?.to_scalars()?, ["tea".into()]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for a value that the dtype does not have, for a nested dtype, and when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `Series.fillna(value)`.
    pub fn fill_null(&self, value: impl Into<Literal>) -> Result<Self> {
        const OPERATION: &str = "fill_null";
        let filled = fill_null(self.values(), &value.into(), self.exec())
            .map_err(|error| self.named(error))
            .operation(OPERATION)?;
        let frame = self.inner.frame();
        let mut columns = frame.accessor().clone();
        columns.set(self.name().clone(), filled).operation(OPERATION)?;
        Ok(Self { inner: self.inner.with_frame(frame.with_columns(columns)) })
    }

    /// Numbers with `value` in place of NaN; null stays null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let series = Series::new([Some(f64::NAN), None, Some(2.0)])?;
    /// assert_eq!(series.fill_nan(0.0)?.to_options::<f64>()?, [Some(0.0), None, Some(2.0)]);
    /// assert_eq!(series.nan_to_null()?.to_options::<f64>()?, [None, None, Some(2.0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for what is no number, and when memory runs out.
    ///
    /// # Source
    /// Polars `Series.fill_nan`.
    pub fn fill_nan(&self, value: impl Into<Expr>) -> Result<Self> {
        self.evaluated("fill_nan", |values| values.fill_nan(value))
    }

    /// Numbers with null in place of NaN.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) for what is no number, and when memory runs out.
    ///
    /// # Source
    /// cuDF `Series.nans_to_nulls`.
    pub fn nan_to_null(&self) -> Result<Self> {
        self.evaluated("nan_to_null", Expr::nan_to_null)
    }

    /// Whether each value is null, of every dtype. NaN is not null.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let series = Series::new([Some("tea"), None])?;
    /// assert_eq!(series.is_null()?.to_vec::<bool>()?, [false, true]);
    /// assert_eq!(series.is_not_null()?.to_vec::<bool>()?, [true, false]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `Series.isna`.
    pub fn is_null(&self) -> Result<Self> {
        self.evaluated("is_null", Expr::is_null)
    }

    /// Whether each value is not null, as [`is_null`](Self::is_null).
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `Series.notna`.
    pub fn is_not_null(&self) -> Result<Self> {
        self.evaluated("is_not_null", Expr::is_not_null)
    }

    /// The non-null values, in order. NaN is not null.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `Series.dropna()`.
    pub fn drop_nulls(&self) -> Result<Self> {
        const OPERATION: &str = "drop_nulls";
        let kept = valid_rows(self.inner.frame().accessor(), [self.name()], DropHow::Any, self.exec());
        self.inner.picked(OPERATION, kept.operation(OPERATION)?).map(Self::from_indexed)
    }
}
