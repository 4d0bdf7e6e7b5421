//! Labels made of other labels, and of tuples.

use columnade_columns::{Column, DType, IntoColumn, Label, Scalar};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::copying::take;
use columnade_ops::distinct::factorize;
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::missing::fill_null;
use columnade_ops::selection::range_labels;
use columnade_ops::strings::JoinNulls;

use super::Index;
use super::lookup::computed;
use crate::error::{Error, InOperation, Result};
use crate::expressions::RowKey;
use crate::options::default_exec_for;
use crate::series::Series;

impl Index {
    /// Each label of the first level with each of the second, and so on, the last level changing fastest; on the thread's
    /// default device.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let levels = [("city", Series::new(["Oslo", "Rome"])?), ("year", Series::new([1998, 2004])?)];
    /// let index = Index::from_product(levels)?;
    /// assert_eq!(index.len(), 4);
    /// assert_eq!(index.get_loc(("Rome", 1998))?, 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] without levels, for more labels than 63 bits count, and when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.from_product`.
    pub fn from_product<L: Into<Label>, C: IntoColumn>(
        levels: impl IntoIterator<Item = (L, C)>,
    ) -> Result<Self> {
        const OPERATION: &str = "from_product";
        let exec = default_exec_for(OPERATION)?;
        let (mut names, mut columns): (Vec<Label>, Vec<Column>) = (Vec::new(), Vec::new());
        for (name, values) in levels {
            names.push(name.into());
            columns.push(values.into_column(&exec).operation(OPERATION)?);
        }
        let mut sizes = columns.iter().map(|column| i64::try_from(column.size()).ok());
        let total = sizes.try_fold(1_i64, |total, size| total.checked_mul(size?));
        let Some((total, rows)) = total.and_then(|total| Some((total, usize::try_from(total).ok()?))) else {
            return Err(Error::argument(OPERATION, "levels", "there are more labels than 63 bits count"));
        };
        // Of each level a label comes as often in a row as there are labels of the levels after it.
        let mut repeats = total;
        let mut made = Vec::with_capacity(columns.len());
        for column in &columns {
            let size = i64::try_from(column.size()).unwrap_or(i64::MAX);
            repeats = repeats.checked_div(size).unwrap_or(0);
            let level = || {
                if rows == 0 {
                    return column.slice(0, 0);
                }
                let row = range_labels(0, 1, rows, &exec)?;
                let place = computed(&[("row", &row)], col("row").floor_div(repeats) % size, &exec)?;
                take(column, &place.without_mask(), &exec)
            };
            made.push(level().operation(OPERATION)?);
        }
        Self::of_columns(OPERATION, &names, &made, &exec)
    }

    /// An index of tuples, a level for each value of one; on the thread's default device. Values of a level have one dtype.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let index = Index::from_tuples([("Oslo", 1998), ("Rome", 2004)], ["city", "year"])?;
    /// assert_eq!(index.get_loc(("Rome", 2004))?, 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for tuples of another number of values than names, values of several dtypes in a level, and when
    /// memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.from_tuples`.
    pub fn from_tuples<L: Into<Label>>(
        tuples: impl IntoIterator<Item = impl Into<RowKey>>,
        names: impl IntoIterator<Item = L>,
    ) -> Result<Self> {
        const OPERATION: &str = "from_tuples";
        let exec = default_exec_for(OPERATION)?;
        let names: Vec<Label> = names.into_iter().map(Into::into).collect();
        let mut levels = vec![Vec::new(); names.len()];
        for tuple in tuples {
            let RowKey(values) = tuple.into();
            if values.len() != names.len() {
                let reason = format!("one has {} values for {} names", values.len(), names.len());
                return Err(Error::argument(OPERATION, "tuples", reason));
            }
            for (level, value) in levels.iter_mut().zip(values) {
                level.push(value);
            }
        }
        let columns = levels.iter().map(|values| {
            let dtypes = values.iter().map(Scalar::dtype);
            let dtype = dtypes.clone().find(|dtype| *dtype != DType::Null).unwrap_or(DType::Null);
            Column::from_scalars(&dtype, values, &exec)
        });
        let columns = columns.collect::<columnade_columns::Result<Vec<_>>>().operation(OPERATION)?;
        Self::of_columns(OPERATION, &names, &columns, &exec)
    }

    /// The distinct labels in order of first appearance, and the position of each label among them, `int64`, null for a null.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let (codes, labels) = Index::new(["b", "a", "b"])?.factorize()?;
    /// assert_eq!(codes.to_vec::<i64>()?, [0, 1, 0]);
    /// assert!(labels.equals(&Index::new(["b", "a"])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for several levels, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.factorize`, whose codes of missing values are −1.
    pub fn factorize(&self) -> Result<(Series, Index)> {
        const OPERATION: &str = "factorize";
        let exec = self.exec(OPERATION)?;
        let labels = self.only_level(OPERATION, &exec)?;
        let found = factorize(&labels, &exec).operation(OPERATION)?;
        let uniques = Self::of_owned(self.names(), vec![found.uniques], &exec);
        Ok((Series::unnamed(OPERATION, found.codes, exec)?, uniques))
    }

    /// The labels in another dtype: see [`Series::cast`]. The kind of the index follows.
    ///
    /// ```
    /// use columnade::{DType, Index};
    ///
    /// let days = Index::new(["2024-01-31"])?.cast(DType::Date32)?;
    /// assert!(matches!(days, Index::Datetime(_)));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for several levels, a pair of dtypes without a cast, a label that does not fit, and when memory runs
    /// out.
    ///
    /// # Source
    /// pandas `Index.astype`.
    #[expect(clippy::needless_pass_by_value, reason = "as `Series::cast` takes it")]
    pub fn cast(&self, dtype: DType) -> Result<Index> {
        const OPERATION: &str = "cast";
        let exec = self.exec(OPERATION)?;
        let made = cast(&self.only_level(OPERATION, &exec)?, &dtype, CastMode::Checked, &exec);
        Ok(Self::of_owned(self.names(), vec![made.operation(OPERATION)?], &exec))
    }

    /// The labels with nulls replaced by `value`. NaN is not null.
    ///
    /// # Errors
    /// [`Error::Operation`] for several levels, a value that the dtype does not have, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.fillna`.
    pub fn fill_null(&self, value: impl Into<Literal>) -> Result<Index> {
        const OPERATION: &str = "fill_null";
        let exec = self.exec(OPERATION)?;
        let made = fill_null(&self.only_level(OPERATION, &exec)?, &value.into(), &exec);
        Ok(Self::of_owned(self.names(), vec![made.operation(OPERATION)?], &exec))
    }

    /// The labels for which a condition is true, by position, and `other` in place of the others. The labels get a dtype that has
    /// `other` too, if theirs does not: integers with a fraction are `float64`.
    ///
    /// ```
    /// use columnade::{Index, Series};
    ///
    /// let labels = Index::new([1, 2, 3])?.where_(&Series::new([true, false, true])?, 0)?;
    /// assert!(labels.equals(&Index::new([1, 0, 3])?)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for several levels, a condition that is not boolean or of another length, a value that has no dtype
    /// in common with the labels, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.where`.
    pub fn where_(&self, condition: &Series, other: impl Into<Literal>) -> Result<Index> {
        const OPERATION: &str = "where_";
        let exec = self.exec(OPERATION)?;
        let labels = self.only_level(OPERATION, &exec)?;
        let made = || {
            let condition = condition.values().to_device(&exec)?;
            let other = other.into();
            let fitted = fitted(&labels.dtype(), &other, &exec)?;
            let other = fitted.clone().map_or(other, Literal::Scalar);
            let made = when(col("is")).then(col("x")).otherwise(lit(other));
            let made = computed(&[("x", &labels), ("is", &condition)], made, &exec)?;
            if fitted.is_some() { cast(&made, &labels.dtype(), CastMode::Checked, &exec) } else { Ok(made) }
        };
        Ok(Self::of_owned(self.names(), vec![made().operation(OPERATION)?], &exec))
    }

    /// The labels of all levels as texts between `prefix` and `suffix`. A null stays null.
    pub(crate) fn as_texts(
        &self,
        prefix: &str,
        suffix: &str,
        exec: &columnade_buffers::Exec,
    ) -> columnade_columns::Result<Index> {
        let levels = self.columns(exec)?;
        let made = levels.iter().map(|level| {
            let text = cast(level, &DType::Utf8, CastMode::Checked, exec)?;
            let made = lit(prefix).str().concat([col("label"), lit(suffix)], "", JoinNulls::Propagate);
            computed(&[("label", &text)], made, exec)
        });
        Ok(Self::of_owned(self.names(), made.collect::<columnade_columns::Result<_>>()?, exec))
    }

    /// The labels as a column; an error for several levels.
    pub(crate) fn only_level(
        &self,
        operation: &'static str,
        exec: &columnade_buffers::Exec,
    ) -> Result<Column> {
        match &*self.columns(exec).operation(operation)? {
            [column] => Ok(column.clone()),
            levels => {
                Err(Error::argument(operation, "row labels", format!("they have {} levels", levels.len())))
            }
        }
    }
}

/// A value as one of a dtype; `None` if the dtype does not have it.
fn fitted(
    dtype: &DType,
    value: &Literal,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<Option<Scalar>> {
    let none = Column::full_null(dtype, 1, exec)?;
    let value = when(col("x").is_null()).then(lit(value.clone())).otherwise(col("x"));
    let value = computed(&[("x", &none)], value, exec)?;
    let Ok(fitted) = cast(&value, dtype, CastMode::Checked, exec) else { return Ok(None) };
    let is_same = computed(&[("x", &value), ("y", &fitted)], col("x").eq_missing(col("y")), exec)?;
    if is_same.get(0)? == Scalar::Bool(true) { fitted.get(0).map(Some) } else { Ok(None) }
}
