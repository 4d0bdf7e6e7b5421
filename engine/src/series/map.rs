//! Values by the values of a series.

use columnade_buffers::Device;
use columnade_columns::{ColumnValue, Error as ColumnError, Label, RowValue};
use columnade_ops::expression::{Expr, Literal, lit};

use super::Series;
use crate::alignment::Reindex;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::index::Index;
use crate::selection::argument::{Computed, Many, One};

const OPERATION: &str = "map";

/// What [`Series::map`] takes: pairs of a value and what takes its place, a series whose labels are the values, or a function
/// of Rust. The parameter is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no mapping of values",
    label = "expected pairs, a series or a function",
    note = "the function's parameter has the type of the values: `|n: i64| n + 1`"
)]
pub trait IntoMapping<Kind> {
    #[doc(hidden)]
    fn mapped(self, series: &Series) -> Result<Series>;
}

impl<K: Into<Expr>, V: Into<Expr>, I: IntoIterator<Item = (K, V)>> IntoMapping<Many> for I {
    fn mapped(self, series: &Series) -> Result<Series> {
        series.evaluated(OPERATION, |values| values.replace_or(self, lit(Literal::Null)))
    }
}

impl IntoMapping<One> for &Series {
    fn mapped(self, series: &Series) -> Result<Series> {
        let target = std::slice::from_ref(series.values());
        let target = Index::of_columns(OPERATION, &[Label::NULL], target, series.exec())?;
        let found = self.inner.reindexed(OPERATION, &target, &Reindex::default());
        series.with_values(OPERATION, Series::from_indexed(found?).into_values())
    }
}

impl<T: RowValue, U: ColumnValue, F: FnMut(T) -> U> IntoMapping<(Computed, T, U)> for F {
    fn mapped(mut self, series: &Series) -> Result<Series> {
        if series.device() != Device::Host {
            let feature = format!("a function of Rust for each value on {}", series.device());
            return Err(ColumnError::NotImplemented { feature }).operation(OPERATION);
        }
        let values = series.values().to_options::<T>().map_err(|error| series.named(error));
        let values = values.operation(OPERATION)?.into_iter().map(|value| value.map(&mut self));
        let made = U::column(values, series.exec()).map_err(|error| series.named(error));
        series.with_values(OPERATION, made.operation(OPERATION)?)
    }
}

impl Series {
    /// What takes the place of each value: of pairs the second where the first is the value; of a series its value in the row
    /// that the value labels; of a function what it returns. Null for a value without one, and for null.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let words = Series::new([Some("tea"), Some("oat"), None])?;
    /// let prices = Series::new([3, 4])?.with_index(&Index::new(["rye", "tea"])?)?;
    /// assert_eq!(words.map(&prices)?.to_options::<i32>()?, [Some(4), None, None]);
    /// let short = words.map([("tea", "t"), ("oat", "o")])?;
    /// assert_eq!(short.to_options::<String>()?, [Some("t".into()), Some("o".into()), None]);
    /// # use columnade::Device;
    /// # let words = words.to_device(Device::Host)?;
    /// let lengths = words.map(|word: String| word.len() as i64)?;
    /// assert_eq!(lengths.to_options::<i64>()?, [Some(3), Some(3), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for a series whose labels are not unique; [`Error::Operation`] for pairs and labels that do
    /// not compare with the values, for a function whose parameter is not the Rust type of the values, for a function where
    /// the values are on a device ([`NotImplemented`](columnade_columns::Error::NotImplemented)), and when memory runs out.
    ///
    /// # Device
    /// Pairs are compared one after the other, a series is joined by its labels; a function runs on this thread.
    ///
    /// # Source
    /// pandas `Series.map`; a function with `na_action="ignore"`.
    pub fn map<A>(&self, by: impl IntoMapping<A>) -> Result<Series> {
        by.mapped(self)
    }
}
