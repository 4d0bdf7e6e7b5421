//! Equality of frames.

use columnade_ops::comparing;

use super::DataFrame;
use crate::error::{InOperation, Result};

impl DataFrame {
    /// Whether both have the same labels in the same order, the same row labels, and columns of the same dtypes with
    /// the same values. Nulls are equal to nulls and NaNs to NaNs.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "x" => [Some(f64::NAN), None, Some(1.0)] }?;
    /// assert!(frame.equals(&frame.clone())?);
    /// assert!(!frame.equals(&frame.head(2)?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when the frames are on different devices, or one fails.
    ///
    /// # Source
    /// pandas `DataFrame.equals`.
    pub fn equals(&self, other: &DataFrame) -> Result<bool> {
        const OPERATION: &str = "equals";
        if self.columns() != other.columns()
            || !self.index().has_labels_of(other.index()).operation(OPERATION)?
        {
            return Ok(false);
        }
        for (left, right) in self.frame().accessor().iter().zip(other.frame().accessor().iter()) {
            let equal = comparing::equals(left.1, right.1, self.exec());
            if !equal.map_err(|error| error.in_column(left.0.clone())).operation(OPERATION)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
