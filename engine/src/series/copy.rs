//! Copies of series.

use super::Series;
use crate::error::Result;

impl Series {
    /// A copy that shares memory until either of both is written.
    ///
    /// The values are copied at once if a consumer may write their memory, if they were ever exposed, or if copy-on-write
    /// is off (`COLUMNADE_COPY_ON_WRITE`).
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let first = Series::new([1_i64, 2, 3, 4])?;
    /// let second = first.shallow_copy()?;
    /// assert!(first.values().shares_memory(second.values()));
    ///
    /// let exec = second.exec().clone();
    /// let mut values = second.into_values();
    /// values.write(&exec)?.copy_from_slice(&[10_i64, 10, 3, 4])?;
    /// assert!(!first.values().shares_memory(&values));
    /// assert_eq!(first.to_scalars()?, [1_i64, 2, 3, 4].map(Into::into));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas and cuDF `Series.copy(deep=False)`.
    pub fn shallow_copy(&self) -> Result<Self> {
        self.inner.shallow_copy().map(Self::from_indexed)
    }

    /// A copy that shares no memory, except dictionaries, which are immutable.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas and cuDF `Series.copy(deep=True)`.
    pub fn deep_copy(&self) -> Result<Self> {
        self.inner.deep_copy().map(Self::from_indexed)
    }
}
