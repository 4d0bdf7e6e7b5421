//! What functions make of groups.

use columnade_columns::{Column, DType, Label, Scalar};
use columnade_ops::copying::take;
use columnade_ops::expression::evaluate;

use super::DataFrame;
use super::groupby::GroupBy;
use crate::alignment::{Concat, concat_with};
use crate::error::{InOperation, Result};
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::series::Series;

const OPERATION: &str = "apply";

/// What a function of [`GroupBy::apply`] makes of a group: rows, values with labels, or one value.
///
/// | made of each group | together |
/// | --- | --- |
/// | a [`DataFrame`] | the rows of all frames with the columns of any, the keys as the first levels of their labels |
/// | a [`Series`] | the values of all series, with the keys as the first levels of their labels |
/// | a [`Scalar`] | a series with a value for each group, labelled by its keys |
pub trait GroupResult: Sized {
    /// What the results of all groups are together.
    type Together;

    /// The results of all groups together.
    #[doc(hidden)]
    fn together(groups: &GroupBy<'_>, keys: &[Vec<Scalar>], made: Vec<Self>) -> Result<Self::Together>;
}

impl GroupResult for DataFrame {
    type Together = DataFrame;

    fn together(groups: &GroupBy<'_>, keys: &[Vec<Scalar>], made: Vec<Self>) -> Result<DataFrame> {
        let rows = if made.is_empty() {
            groups.shown(OPERATION, groups.taking_part(OPERATION)?.head(0)?)?
        } else {
            concat_with(&made, &Concat::rows())?
        };
        let sizes: Vec<usize> = made.iter().map(DataFrame::len).collect();
        let index = groups.under_keys(keys, &sizes, Some(rows.index()))?;
        Ok(DataFrame::from_indexed(IndexedFrame::with_index(rows.frame().clone(), index)))
    }
}

impl GroupResult for Series {
    type Together = Series;

    fn together(groups: &GroupBy<'_>, keys: &[Vec<Scalar>], made: Vec<Self>) -> Result<Series> {
        let name = made.first().map_or(Label::NULL, |first| first.name().clone());
        let name = if made.iter().all(|series| *series.name() == name) { name } else { Label::NULL };
        let frames: Vec<DataFrame> = made.iter().map(|series| series.rename("values").to_frame()).collect();
        if frames.is_empty() {
            let none = Column::full_null(&DType::Null, 0, groups.all_rows().exec());
            let none = none.operation(OPERATION)?;
            let none = Series::unnamed(OPERATION, none, groups.all_rows().exec().clone())?;
            let index = groups.under_keys(keys, &[], Some(&groups.all_rows().head(0)?.index().clone()))?;
            return Ok(none.labelled_by(&index));
        }
        let together = DataFrame::together(groups, keys, frames)?;
        Ok(together.column("values")?.rename(name))
    }
}

impl GroupResult for Scalar {
    type Together = Series;

    fn together(groups: &GroupBy<'_>, keys: &[Vec<Scalar>], made: Vec<Self>) -> Result<Series> {
        let exec = groups.all_rows().exec();
        let dtypes = made.iter().map(Scalar::dtype);
        let dtype = dtypes.clone().find(|dtype| *dtype != DType::Null);
        let dtype = dtype.unwrap_or(DType::Null);
        let of_dtype =
            |value: Scalar| if value.dtype() == DType::Null { Scalar::Null(dtype.clone()) } else { value };
        let values: Vec<Scalar> = made.into_iter().map(of_dtype).collect();
        let sizes = vec![1; values.len()];
        let column = Column::from_scalars(&dtype, &values, exec).operation(OPERATION)?;
        let index = groups.under_keys(keys, &sizes, None)?;
        Ok(Series::unnamed(OPERATION, column, exec.clone())?.labelled_by(&index))
    }
}

impl GroupBy<'_> {
    /// What a function makes of each group, one after the other: rows, values or one value, as [`GroupResult`] says. The function
    /// gets the keys and the rows of a group. Without groups there are no rows; those of frames have the columns of this frame.
    ///
    /// ```
    /// use columnade::{DataFrame, Scalar, SortBy, df};
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 2, 3] }?;
    /// let largest = |_: &[Scalar], rows: &DataFrame| rows.sort_values(SortBy::descending("n"))?.head(1);
    /// let rows = frame.group_by("k").apply(largest)?;
    /// assert_eq!(rows.column("n")?.to_vec::<i32>()?, [3, 2]);
    /// assert_eq!(rows.at(("a", 2), "n")?, 3.into());
    ///
    /// let range = |_: &[Scalar], rows: &DataFrame| rows.column("n")?.sub(&rows.column("n")?.shift(1)?)?.max();
    /// assert_eq!(frame.group_by("k").apply(range)?.at("a")?, 2.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`groups`](Self::groups), of the function and of [`concat_with`];
    /// [`Error::Operation`](crate::Error::Operation) for values of several dtypes, and when memory runs out.
    ///
    /// # Device
    /// The function is called on this thread, once for each group: an aggregate or an expression with `over` is faster where
    /// there is one.
    ///
    /// # Source
    /// pandas `GroupBy.apply`.
    pub fn apply<R: GroupResult>(
        &self,
        mut make: impl FnMut(&[Scalar], &DataFrame) -> Result<R>,
    ) -> Result<R::Together> {
        let (keys, groups): (Vec<_>, Vec<_>) = self.groups()?.into_iter().unzip();
        let made = keys.iter().zip(&groups).map(|(key, rows)| make(key, rows));
        R::together(self, &keys, made.collect::<Result<Vec<_>>>()?)
    }

    /// The keys of each group, as often as it has rows, as labels, before those of an index if one is given.
    fn under_keys(&self, keys: &[Vec<Scalar>], sizes: &[usize], index: Option<&Index>) -> Result<Index> {
        let rows = self.all_rows();
        let exec = rows.exec();
        let made = || -> columnade_columns::Result<_> {
            let mut groups = Vec::with_capacity(sizes.iter().sum());
            for (group, size) in (0_i64..).zip(sizes) {
                groups.extend(std::iter::repeat_n(group, *size));
            }
            let groups = Column::from_slice(&groups, exec)?;
            let (mut names, mut levels) = (Vec::new(), Vec::new());
            // Without groups keys have a dtype too.
            for (at, (name, key)) in
                evaluate(self.keys(), &rows.frame().accessor().slice(0, 0)?, exec)?.into_iter().enumerate()
            {
                let values: Vec<Scalar> = keys.iter().map(|key| key[at].clone()).collect();
                names.push(name);
                levels.push(take(&Column::from_scalars(&key.dtype(), &values, exec)?, &groups, exec)?);
            }
            if let Some(index) = index {
                names.extend_from_slice(index.names());
                levels.extend_from_slice(&index.columns(exec)?);
            }
            Ok((names, levels))
        };
        let (names, levels) = made().operation(OPERATION)?;
        if levels.is_empty() {
            return Ok(Index::of_rows(sizes.iter().sum()));
        }
        Ok(Index::of_owned(&names, levels, exec))
    }
}
