//! Copies of frames.

use super::DataFrame;
use crate::error::Result;

impl DataFrame {
    /// A copy that shares memory until either of both is written.
    ///
    /// A column is copied at once if a consumer may write its memory, if it was ever exposed, or if copy-on-write is off
    /// (`COLUMNADE_COPY_ON_WRITE`). A clone, in contrast, is another handle and always shares.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas and cuDF `DataFrame.copy(deep=False)`.
    pub fn shallow_copy(&self) -> Result<Self> {
        self.indexed_frame().shallow_copy().map(Self::from_indexed)
    }

    /// A copy that shares no memory, except dictionaries, which are immutable.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas and cuDF `DataFrame.copy(deep=True)`.
    pub fn deep_copy(&self) -> Result<Self> {
        self.indexed_frame().deep_copy().map(Self::from_indexed)
    }
}
