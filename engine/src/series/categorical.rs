//! Dictionaries of a series.

use columnade_columns::{CategoricalColumn, Column, Error as ColumnError};

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

/// The dictionary of a series: see [`Series::cat`].
///
/// # Source
/// pandas `Series.cat`, cuDF `CategoricalAccessor`.
#[derive(Clone, Copy, Debug)]
pub struct CategoricalAccessor<'a>(&'a Series);

impl Series {
    /// The operations on dictionaries. They share memory, and take no time that depends on the number of rows.
    ///
    /// ```
    /// use columnade::{Series, builders::categories};
    ///
    /// let sizes = Series::new(categories([Some("low"), Some("high"), None]).among(["low", "mid", "high"]))?;
    /// assert_eq!(sizes.cat().categories()?.to_vec::<String>()?, ["low", "mid", "high"]);
    /// assert_eq!(sizes.cat().codes()?.to_options::<i32>()?, [Some(0), Some(2), None]);
    /// assert!(sizes.cat().as_ordered()?.cat().is_ordered()?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn cat(&self) -> CategoricalAccessor<'_> {
        CategoricalAccessor(self)
    }
}

impl CategoricalAccessor<'_> {
    /// The categories, those without rows included, without a name.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.categories`.
    pub fn categories(&self) -> Result<Series> {
        const OPERATION: &str = "cat.categories";
        let values = Column::clone(self.column(OPERATION)?.dictionary());
        Series::from_column(OPERATION, "", values, self.0.exec().clone())
    }

    /// The position of each row's category, as signed integers of the width of the dictionary codes; null where the value
    /// is null, where pandas says −1.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.codes`.
    pub fn codes(&self) -> Result<Series> {
        const OPERATION: &str = "cat.codes";
        self.0.with_values(OPERATION, self.column(OPERATION)?.codes())
    }

    /// Whether the categories are ordered.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.ordered`.
    pub fn is_ordered(&self) -> Result<bool> {
        Ok(self.column("cat.is_ordered")?.is_ordered())
    }

    /// The series with ordered categories, as the dictionary has them.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.as_ordered`.
    pub fn as_ordered(&self) -> Result<Series> {
        const OPERATION: &str = "cat.as_ordered";
        self.0.with_values(OPERATION, Column::Categorical(self.column(OPERATION)?.as_ordered()))
    }

    /// The series with unordered categories.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries.
    ///
    /// # Source
    /// pandas `Series.cat.as_unordered`.
    pub fn as_unordered(&self) -> Result<Series> {
        const OPERATION: &str = "cat.as_unordered";
        self.0.with_values(OPERATION, Column::Categorical(self.column(OPERATION)?.as_unordered()))
    }

    fn column(&self, operation: &'static str) -> Result<&CategoricalColumn> {
        match self.0.values() {
            Column::Categorical(column) => Ok(column),
            other @ (Column::Numeric(_)
            | Column::Boolean(_)
            | Column::String(_)
            | Column::Binary(_)
            | Column::Datetime(_)
            | Column::Timedelta(_)
            | Column::Decimal(_)
            | Column::Interval(_)
            | Column::List(_)
            | Column::Struct(_)
            | Column::Null(_)) => {
                Err(self.0.named(ColumnError::UnsupportedDType { dtype: other.dtype() })).operation(operation)
            }
        }
    }
}
