//! Rows of given labels.

use columnade_buffers::Exec;
use columnade_columns::promote::common;
use columnade_columns::{self as columns, Column, ColumnAccessor, DType, IntoColumn, Label};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::copying::{MapNulls, take};
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::selection::{map_of_positions, positions};

use super::Take;
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::lookup::{computed, right_of};
use crate::index::{Index, IndexerMethod};
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoLabels;
use crate::selection::argument::{One, Values};
use crate::series::Series;

/// Row labels as methods take them: an [`Index`], or values as [`IntoColumn`] says, which get the names of the labels that are
/// there. The parameter is inferred.
pub trait IntoIndex<Kind> {
    #[doc(hidden)]
    fn into_index(self, operation: &'static str, like: &Index, exec: &Exec) -> Result<Index>;
}

impl IntoIndex<One> for &Index {
    fn into_index(self, operation: &'static str, _: &Index, exec: &Exec) -> Result<Index> {
        self.to_device(exec).operation(operation)
    }
}

impl<C: IntoColumn> IntoIndex<Values> for C {
    fn into_index(self, operation: &'static str, like: &Index, exec: &Exec) -> Result<Index> {
        let labels = self.into_column(exec).operation(operation)?;
        // Literals of Rust are `int32`, labels mostly `int64`. Booleans are no numbers.
        let is_number = labels.dtype() != DType::Bool;
        let labels = match like.dtypes().as_slice() {
            [dtype]
                if is_number
                    && labels.dtype() != *dtype
                    && common(&labels.dtype(), dtype).as_ref() == Ok(dtype) =>
            {
                cast(&labels, dtype, CastMode::Checked, exec).operation(operation)?
            }
            _ => labels,
        };
        let names = if like.level_count() == 1 { like.names().to_vec() } else { vec![Label::NULL] };
        Index::of_columns(operation, &names, &[labels], exec)
    }
}

/// How rows of labels that are not there are made: by [`DataFrame::reindex_with`].
///
/// # Source
/// pandas `reindex(method=…, limit=…, tolerance=…, fill_value=…)`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reindex {
    method: Option<IndexerMethod>,
    limit: Option<usize>,
    tolerance: Option<Literal>,
    fill_value: Option<Literal>,
}

impl Reindex {
    /// Labels that are not there have nulls.
    pub fn new() -> Self {
        Self::default()
    }

    /// The row of another label for one that is not there: see [`IndexerMethod`]. The labels must be sorted.
    #[must_use]
    pub fn method(self, method: IndexerMethod) -> Self {
        Self { method: Some(method), ..self }
    }

    /// The most labels that a method gives the row of one other label, those next to it. To the nearest label, these are those of
    /// either side; a label beyond those of one side has the other one. Both the labels and those that are asked for must be
    /// ascending.
    #[must_use]
    pub fn limit(self, labels: usize) -> Self {
        Self { limit: Some(labels), ..self }
    }

    /// How far a label may be from the one whose row a method gives it: a number, or a duration such as
    /// [`hours(1)`](crate::expressions::hours) for times.
    ///
    /// ```
    /// use columnade::expressions::IndexerMethod;
    /// use columnade::{Index, Reindex, Series};
    ///
    /// let series = Series::new([1, 2])?.with_index(&Index::new([10, 20])?)?;
    /// let near = Reindex::new().method(IndexerMethod::Nearest).tolerance(2);
    /// assert_eq!(series.reindex_with([9, 14, 22], near)?.to_options::<i32>()?, [Some(1), None, Some(2)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    #[must_use]
    pub fn tolerance(self, distance: impl Into<Literal>) -> Self {
        Self { tolerance: Some(distance.into()), ..self }
    }

    /// The value of labels that are not there, in place of null.
    #[must_use]
    pub fn fill_value(self, value: impl Into<Literal>) -> Self {
        Self { fill_value: Some(value.into()), ..self }
    }
}

impl IndexedFrame {
    /// The rows of the labels of `target`.
    pub(crate) fn reindexed(
        &self,
        operation: &'static str,
        target: &Index,
        options: &Reindex,
    ) -> Result<Self> {
        let exec = self.frame().exec();
        let take = match options.method {
            None if options.limit.is_some() => {
                return Err(Error::argument(operation, "limit", "it goes with a method"));
            }
            None if options.tolerance.is_some() => {
                return Err(Error::argument(operation, "tolerance", "it goes with a method"));
            }
            None => self.index().taken_by(operation, target, exec)?,
            Some(method) => self.index().nearest_taken(operation, target, method, options, exec)?,
        };
        let taken = self.taken(operation, &take, target)?;
        match (&options.fill_value, &take) {
            (Some(value), Take::Rows { map, nulls: MapNulls::Possible }) => {
                let rows = positions(map, exec).operation(operation)?;
                taken.filled_where_missing(operation, &rows, value)
            }
            _ => Ok(taken),
        }
    }

    /// The columns with `value` in rows without a position.
    fn filled_where_missing(&self, operation: &'static str, rows: &Column, value: &Literal) -> Result<Self> {
        let frame = self.frame();
        let mut columns = ColumnAccessor::with_levels(frame.len(), frame.accessor().levels().clone());
        for (label, column) in frame.accessor().iter() {
            let filled = when(col("row").lt(0)).then(lit(value.clone())).otherwise(col("x"));
            let filled = computed(&[("row", rows), ("x", column)], filled, frame.exec())
                .map_err(|error| error.without_context().in_column(label));
            columns.insert(label, filled.operation(operation)?).operation(operation)?;
        }
        Ok(self.with_frame(Frame::new(columns, frame.exec().clone())))
    }
}

impl Index {
    /// The row of each label of `target`, or of the one that `method` takes for it.
    fn nearest_taken(
        &self,
        operation: &'static str,
        target: &Index,
        method: IndexerMethod,
        options: &Reindex,
        exec: &Exec,
    ) -> Result<Take> {
        let limit = options.limit;
        self.check_levels(operation, target)?;
        self.check_unique(operation, exec)?;
        if limit.is_some() {
            let ascend = [self, target].map(Index::increasing_labels);
            let [labels, targets] = ascend;
            if !(labels.operation(operation)? && targets.operation(operation)?) {
                let reason = "the labels and those that are asked for must be ascending";
                return Err(Error::argument(operation, "limit", reason));
            }
        }
        let exact = |exec| {
            let maps = self.joined(operation, target, exec)?;
            right_of(&maps).and_then(|rows| positions(rows, exec)).operation(operation)
        };
        let exact = limit.map(|_| exact(exec)).transpose()?;
        let find = || {
            let of_method = |method| {
                let found = self.nearest_rows(target, method, exec)?;
                match (limit, &exact) {
                    (Some(limit), Some(exact)) => limited(&found, exact, method, limit, exec),
                    _ => Ok(found),
                }
            };
            let found = if method == IndexerMethod::Nearest && limit.is_some() {
                // The limit is that of either side.
                let [pad, backfill] = [IndexerMethod::Pad, IndexerMethod::Backfill].map(of_method);
                self.nearer(target, &pad?, &backfill?, exec)?
            } else {
                of_method(method)?
            };
            let found = match &options.tolerance {
                Some(tolerance) => self.within(&found, target, tolerance, exec)?,
                None => found,
            };
            map_of_positions(&found, exec).map(Take::rows)
        };
        find().operation(operation)
    }
}

impl Index {
    /// What a method found, −1 for labels that are farther away than `tolerance`.
    fn within(
        &self,
        found: &Column,
        target: &Index,
        tolerance: &Literal,
        exec: &Exec,
    ) -> columns::Result<Column> {
        let labels = take(&self.columns(exec)?[0], found, exec)?;
        let wanted = &target.columns(exec)?[0];
        // Differences of unsigned integers would wrap around.
        let distance =
            when(col("x").gt(col("label"))).then(col("x") - col("label")).otherwise(col("label") - col("x"));
        let is_near = distance.le(lit(tolerance.clone()));
        let near = when(is_near).then(col("found")).otherwise(lit(-1_i64));
        let columns = [("x", wanted), ("label", &labels), ("found", found)];
        let made = computed(&columns, near, exec).map_err(columns::Error::without_context)?;
        Ok(made.without_mask())
    }
}

/// What a method found, for at most `limit` labels of each row that are not there: `exact` is negative for them.
fn limited(
    found: &Column,
    exact: &Column,
    method: IndexerMethod,
    limit: usize,
    exec: &Exec,
) -> columns::Result<Column> {
    let is_made = col("exact").lt(0).and(col("found").ge(0));
    let made = when(is_made.clone()).then(lit(1_i64)).otherwise(lit(0_i64));
    let made = computed(&[("found", found), ("exact", exact)], made, exec)?;
    let values = [("found", found), ("exact", exact), ("made", &made)];
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    // Labels after a row count forwards, those before it backwards.
    let so_far = col("made").cum_sum().over("found");
    let nth = if method == IndexerMethod::Backfill {
        col("made").sum().over("found") - so_far + col("made")
    } else {
        so_far
    };
    let kept = when(is_made.and(nth.gt(limit))).then(lit(-1_i64)).otherwise(col("found"));
    Ok(computed(&values, kept, exec)?.without_mask())
}

macro_rules! reindex {
    ($($of:ident: $frame:expr;)*) => {
        $(
            impl $of {
                /// The rows of these labels, in their order; null for a label that is not there. A label that is asked for
                /// twice is there twice.
                ///
                /// ```
                /// use columnade::{Index, Series};
                ///
                /// let series = Series::new([1, 2])?.with_index(&Index::new(["a", "b"])?)?;
                /// assert_eq!(series.reindex(["b", "x"])?.to_options::<i32>()?, [Some(2), None]);
                /// # Ok::<(), columnade::Error>(())
                /// ```
                ///
                /// # Errors
                /// [`Error::DuplicateLabels`] unless the labels that are there are unique or equal to those asked for;
                /// [`Error::Operation`] for another number of levels, labels of another kind, and when memory runs out.
                ///
                /// # Device
                /// A hash join of both labels and one gather; arithmetic for ranges.
                ///
                /// # Source
                /// pandas `reindex`.
                pub fn reindex<K>(&self, labels: impl IntoIndex<K>) -> Result<Self> {
                    self.reindexed("reindex", labels, &Reindex::default())
                }

                /// [`reindex`](Self::reindex) as the options say.
                ///
                /// ```
                /// use columnade::expressions::IndexerMethod;
                /// use columnade::{Index, Reindex, Series};
                ///
                /// let series = Series::new([1, 2])?.with_index(&Index::new([10, 20])?)?;
                /// let before = Reindex::new().method(IndexerMethod::Pad);
                /// assert_eq!(series.reindex_with([15, 25], before)?.to_vec::<i32>()?, [1, 2]);
                /// let zero = Reindex::new().fill_value(0);
                /// assert_eq!(series.reindex_with([10, 15], zero)?.to_vec::<i32>()?, [1, 0]);
                /// # Ok::<(), columnade::Error>(())
                /// ```
                ///
                /// # Errors
                /// Same as [`reindex`](Self::reindex); [`Error::Operation`] for a method of labels that are not sorted, a limit
                /// of labels that do not ascend, and a value that a column cannot have.
                ///
                /// # Source
                /// pandas `reindex(method=…, limit=…, fill_value=…)`.
                pub fn reindex_with<K>(&self, labels: impl IntoIndex<K>, options: Reindex) -> Result<Self> {
                    self.reindexed("reindex_with", labels, &options)
                }

                pub(crate) fn reindexed<K>(
                    &self,
                    operation: &'static str,
                    labels: impl IntoIndex<K>,
                    options: &Reindex,
                ) -> Result<Self> {
                    let labels = labels.into_index(operation, self.index(), self.exec())?;
                    let frame: fn(&Self) -> &IndexedFrame = $frame;
                    frame(self).reindexed(operation, &labels, options).map(Self::from_indexed)
                }
            }
        )*
    };
}

reindex! {
    Series: |series| &series.inner;
    DataFrame: DataFrame::indexed_frame;
}

impl Series {
    /// The rows of the labels of another series.
    ///
    /// # Errors
    /// Same as [`reindex`](Self::reindex).
    ///
    /// # Source
    /// pandas `Series.reindex_like`.
    pub fn reindex_like(&self, other: &Series) -> Result<Self> {
        self.reindexed("reindex_like", other.index(), &Reindex::default())
    }
}

impl DataFrame {
    /// The rows and the columns of the labels of another frame. Columns that are not there are null, with the dtype that the
    /// other frame has.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1, 2] }?;
    /// let like = df! { "a" => [0], "b" => ["x"] }?;
    /// let frame = frame.reindex_like(&like)?;
    /// assert_eq!(frame.shape(), (1, 2));
    /// assert_eq!(frame.column("b")?.null_count()?, 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`reindex`](Self::reindex).
    ///
    /// # Source
    /// pandas `DataFrame.reindex_like`.
    pub fn reindex_like(&self, other: &DataFrame) -> Result<Self> {
        const OPERATION: &str = "reindex_like";
        let dtypes = other.indexed_frame().dtypes_by_label();
        let dtype = |label: &Label| dtypes.get(label).cloned().unwrap_or(DType::Null);
        let columns = self.indexed_frame().with_column_labels(OPERATION, other.columns(), dtype)?;
        let labels = other.index().to_device(self.exec()).operation(OPERATION)?;
        columns.reindexed(OPERATION, &labels, &Reindex::default()).map(Self::from_indexed)
    }

    /// The columns of these labels, in their order; of nulls, with the dtype null, for a label that is not there.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "a" => [1], "b" => [2] }?.reindex_columns(["b", "c"])?;
    /// assert_eq!(frame.columns(), ["b", "c"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a label given twice, and when memory runs out.
    ///
    /// # Source
    /// pandas `DataFrame.reindex(columns=…)`, which gives new columns the dtype `float64` or `object`.
    pub fn reindex_columns<A>(&self, labels: impl IntoLabels<A>) -> Result<Self> {
        let labels = labels.into_labels();
        let frame = self.indexed_frame().with_column_labels("reindex_columns", &labels, |_| DType::Null)?;
        Ok(Self::from_indexed(frame))
    }
}
