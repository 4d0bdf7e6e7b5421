//! Dictionaries of a series.

use columnade_buffers::Exec;
use columnade_columns::{
    CategoricalColumn, Column, Error as ColumnError, IntoColumn, Result as ColumnResult,
};
use columnade_ops::categories;

use super::Series;
use crate::error::{Error, InOperation, Result};

/// The dictionary of a series: see [`Series::cat`].
///
/// # Source
/// pandas `Series.cat`, cuDF `CategoricalAccessor`.
#[derive(Clone, Copy, Debug)]
pub struct CategoricalAccessor<'a>(&'a Series);

impl Series {
    /// The operations on dictionaries. What changes no code shares memory, and takes no time that depends on the number of
    /// rows.
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
        Series::unnamed(OPERATION, values, self.0.exec().clone())
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

    fn changed(
        self,
        operation: &'static str,
        categories: impl IntoColumn,
        change: fn(&Column, &Column, &Exec) -> ColumnResult<Column>,
    ) -> Result<Series> {
        let exec = self.0.exec();
        let changed = categories.into_column(exec).and_then(|to| change(self.0.values(), &to, exec));
        self.0.with_values(operation, changed.map_err(|error| self.0.named(error)).operation(operation)?)
    }

    /// The values as codes into a dictionary of the distinct ones, in order of first appearance, with 32-bit codes. A
    /// dictionary stays as it is.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let sizes = Series::new(["low", "high", "low"])?.cat().encode()?;
    /// assert_eq!(sizes.cat().codes()?.to_vec::<i32>()?, [0, 1, 0]);
    /// assert_eq!(sizes.cat().decode()?.to_vec::<String>()?, ["low", "high", "low"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values and nulls, and when memory runs out.
    ///
    /// # Source
    /// pandas `astype("category")`, which sorts the categories.
    pub fn encode(&self) -> Result<Series> {
        self.0.evaluated("cat.encode", |values| values.cat().encode())
    }

    /// The values of the dictionary.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries, and when memory runs out.
    ///
    /// # Source
    /// cudf/dictionary/encode.hpp `decode`.
    pub fn decode(&self) -> Result<Series> {
        self.0.evaluated("cat.decode", |values| values.cat().decode())
    }

    /// The series with more categories, after those there are.
    ///
    /// # Errors
    /// [`Error::Operation`] for a category that is there already, twice, or null, for those of another dtype, for a dtype other
    /// than dictionaries, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.cat.add_categories`.
    pub fn add_categories(&self, categories: impl IntoColumn) -> Result<Series> {
        self.changed("cat.add_categories", categories, categories::add_categories)
    }

    /// The series without some categories: null where they were.
    ///
    /// # Errors
    /// [`Error::Operation`] for a category that is there already, twice, or null, for those of another dtype, for a
    /// dtype other than dictionaries, for a category that is not there, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.cat.remove_categories`.
    pub fn remove_categories(&self, categories: impl IntoColumn) -> Result<Series> {
        self.changed("cat.remove_categories", categories, categories::remove_categories)
    }

    /// The series without the categories that no row has.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype other than dictionaries, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.cat.remove_unused_categories`.
    pub fn remove_unused_categories(&self) -> Result<Series> {
        const OPERATION: &str = "cat.remove_unused_categories";
        let kept = categories::remove_unused_categories(self.0.values(), self.0.exec());
        self.0.with_values(OPERATION, kept.map_err(|error| self.0.named(error)).operation(OPERATION)?)
    }

    /// The series with other categories in place of those there are, as many, in order.
    ///
    /// ```
    /// use columnade::{Series, builders::categories};
    ///
    /// let sizes = Series::new(categories(["low", "high"]).among(["low", "mid", "high"]))?;
    /// let short = sizes.cat().rename_categories(["L", "M", "H"])?;
    /// assert_eq!(short.cat().decode()?.to_vec::<String>()?, ["L", "H"]);
    /// let fewer = sizes.cat().set_categories(["high", "huge"])?;
    /// assert_eq!(fewer.cat().codes()?.to_options::<i32>()?, [None, Some(0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a category that comes twice or is null, for another number of them, for a dtype other than
    /// dictionaries, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.cat.rename_categories` of a list.
    pub fn rename_categories(&self, categories: impl IntoColumn) -> Result<Series> {
        self.changed("cat.rename_categories", categories, categories::rename_categories)
    }

    /// The series with the same categories in another order.
    ///
    /// # Errors
    /// [`Error::Operation`] for a category that is there already, twice, or null, for those of another dtype, for a
    /// dtype other than dictionaries, for a category that is not there, for a category that is missing, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `Series.cat.reorder_categories`.
    pub fn reorder_categories(&self, categories: impl IntoColumn) -> Result<Series> {
        self.changed("cat.reorder_categories", categories, categories::reorder_categories)
    }

    /// The series with exactly these categories; null where the category is not among them.
    ///
    /// # Errors
    /// [`Error::Operation`] for a category that comes twice or is null, for those of another dtype, for a dtype other than
    /// dictionaries, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.cat.set_categories`.
    pub fn set_categories(&self, categories: impl IntoColumn) -> Result<Series> {
        self.changed("cat.set_categories", categories, categories::set_categories)
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

/// The rows of all series with one dictionary of all categories: in order of first appearance, or sorted. Ordered
/// dictionaries must be the same.
///
/// ```
/// use columnade::{Series, builders::categories, union_categoricals};
///
/// let (a, b) = (Series::new(categories(["y", "x"]))?, Series::new(categories(["x", "a"]))?);
/// let all = union_categoricals([&a, &b], false)?;
/// assert_eq!(all.cat().categories()?.to_vec::<String>()?, ["y", "x", "a"]);
/// assert_eq!(all.cat().codes()?.to_vec::<i32>()?, [0, 1, 1, 2]);
/// # Ok::<(), columnade::Error>(())
/// ```
///
/// # Errors
/// [`Error::Operation`] without series, for a dtype other than dictionaries, for categories of several dtypes, for ordered
/// categories that differ or are to be sorted, and when memory runs out.
///
/// # Source
/// pandas `union_categoricals`.
pub fn union_categoricals<'a>(
    series: impl IntoIterator<Item = &'a Series>,
    sort_categories: bool,
) -> Result<Series> {
    const OPERATION: &str = "union_categoricals";
    let series: Vec<&Series> = series.into_iter().collect();
    let Some(first) = series.first() else {
        return Err(Error::argument(OPERATION, "series", "there are none"));
    };
    let columns: Vec<&Column> = series.iter().map(|series| series.values()).collect();
    let names: Vec<_> = series.iter().map(|series| series.name()).collect();
    let joined = categories::union_categoricals(&columns, sort_categories, first.exec())
        .map_err(|error| error.with_key_labels(&names))
        .operation(OPERATION)?;
    Series::from_column(OPERATION, first.name().clone(), joined, first.exec().clone())
}
