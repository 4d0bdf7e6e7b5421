//! Frames copied.

use super::DataFrame;
use crate::error::Result;

impl DataFrame {
    /// The same columns, sharing memory until one of both is written.
    ///
    /// A column is copied at once while a foreign holder may write it, for good once it was exposed, and where
    /// copy-on-write is switched off (`COLUMNADE_COPY_ON_WRITE`). A clone is another handle of this frame, for which none
    /// of that counts.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas and cuDF `DataFrame.copy(deep=False)`.
    pub fn shallow_copy(&self) -> Result<Self> {
        self.indexed_frame().shallow_copy().map(Self::from_indexed)
    }

    /// The same columns in memory of their own. Dictionaries, which never change, are shared.
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
