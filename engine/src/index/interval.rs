//! Labels that are intervals: their ends, and which of them a value is in.

use columnade_buffers::Exec;
use columnade_columns::{
    self as columns, Closed, Column, ColumnAccessor, DType, Error as ColumnError, IntervalColumn,
    IntervalScalar, Scalar,
};
use columnade_ops::expression::{Expr, col, lit};
use columnade_ops::join::{JoinKind, JoinMaps, JoinSide, NullEquality, PairCondition, join_rows_where};
use columnade_ops::selection::{Step, kept_rows, map_of_positions, range_labels};

use super::lookup::{computed, in_dtype};
use super::{Index, IntervalIndex};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

use crate::series::Series;

impl IntervalIndex {
    /// Which ends belong to the intervals.
    ///
    /// # Source
    /// pandas `IntervalIndex.closed`.
    pub fn closed(&self) -> Closed {
        if let [DType::Interval(interval)] = self.0.dtypes() { interval.closed } else { Closed::Right }
    }

    /// The lower ends; null for a null.
    ///
    /// ```
    /// use columnade::{Closed, Index};
    ///
    /// let index = Index::interval_range(0, 4, 2, Closed::Right)?;
    /// let intervals = index.as_interval().expect("intervals");
    /// assert!(intervals.left()?.equals(&Index::new([0_i64, 2])?)?);
    /// assert!(intervals.mid()?.equals(&Index::new([1.0, 3.0])?)?);
    /// assert_eq!(intervals.contains(2)?.to_vec::<bool>()?, [true, false]);
    /// assert_eq!(index.get_loc(3)?, 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `IntervalIndex.left`.
    pub fn left(&self) -> Result<Index> {
        self.labels("left", col(LEFT))
    }

    /// The upper ends; null for a null.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `IntervalIndex.right`.
    pub fn right(&self) -> Result<Index> {
        self.labels("right", col(RIGHT))
    }

    /// The middles: of numbers `float64`, of dates timestamps, of other times in their dtype; null for a null.
    ///
    /// # Errors
    /// [`Error::Operation`] when memory runs out.
    ///
    /// # Source
    /// pandas `IntervalIndex.mid`.
    pub fn mid(&self) -> Result<Index> {
        let is_number =
            matches!(self.0.dtypes(), [DType::Interval(interval)] if interval.values.is_numeric());
        let mid = if is_number {
            // The difference of two numbers may not fit their dtype.
            let half = |end: &str| col(end).cast(DType::Float64) * 0.5;
            half(LEFT) + half(RIGHT)
        } else {
            col(LEFT) + (col(RIGHT) - col(LEFT)) / 2
        };
        self.labels("mid", mid)
    }

    /// The differences of the ends; null for a null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a difference of integers or times that the dtype does not hold, and when memory runs out.
    ///
    /// # Device
    /// Two passes over the ends and one synchronisation.
    ///
    /// # Source
    /// pandas `IntervalIndex.length`.
    pub fn length(&self) -> Result<Index> {
        const OPERATION: &str = "length";
        let exec = self.0.exec();
        let length = self.evaluated(col(RIGHT) - col(LEFT), exec).operation(OPERATION)?;
        // Upper ends are not below lower ones: a negative difference has wrapped around.
        let wraps = computed(&[("x", &length)], col("x").lt(col("x") - col("x")), exec);
        let wraps = wraps.and_then(|wraps| kept_rows(&wraps, exec)).operation(OPERATION)?;
        if wraps.len > 0 {
            return Err(ColumnError::Overflow { dtype: length.dtype() }).operation(OPERATION);
        }
        Ok(Index::of_owned(self.0.names(), vec![length], exec))
    }

    /// For each interval whether a value is in it, `bool`; null for a null. Texts are times where the ends are.
    ///
    /// # Errors
    /// [`Error::Operation`] for a value that is not compared with the ends, and when memory runs out.
    ///
    /// # Source
    /// pandas `IntervalIndex.contains`.
    pub fn contains(&self, value: impl Into<Scalar>) -> Result<Series> {
        const OPERATION: &str = "contains";
        let exec = self.0.exec();
        let found = self.around(&value.into(), exec).operation(OPERATION)?;
        Series::unnamed(OPERATION, found, exec.clone())
    }

    /// For each interval whether it has a point in common with another one, `bool`; null for a null.
    ///
    /// ```
    /// use columnade::dtypes::IntervalScalar;
    /// use columnade::{Closed, Index};
    ///
    /// let index = Index::interval_range(0, 6, 2, Closed::Right)?;
    /// let other = IntervalScalar { left: 2_i64.into(), right: 3_i64.into(), closed: Closed::Both };
    /// let overlaps = index.as_interval().expect("intervals").overlaps(&other)?;
    /// assert_eq!(overlaps.to_vec::<bool>()?, [true, true, false]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for ends that are not compared with those of the intervals, and when memory runs out.
    ///
    /// # Source
    /// pandas `IntervalIndex.overlaps`.
    pub fn overlaps(&self, other: &IntervalScalar) -> Result<Series> {
        const OPERATION: &str = "overlaps";
        let exec = self.0.exec();
        let ((has_left, has_right), (other_left, other_right)) = (ends(self.closed()), ends(other.closed));
        let starts_before = up_to(col(LEFT), lit(other.right.clone()), has_left && other_right);
        let ends_after = up_to(lit(other.left.clone()), col(RIGHT), other_left && has_right);
        let found = self.evaluated(starts_before.and(ends_after), exec).operation(OPERATION)?;
        Series::unnamed(OPERATION, found, exec.clone())
    }

    /// The rows of the intervals that a value is in; `None` if there are none.
    pub(super) fn rows_around(&self, value: &Scalar, exec: &Exec) -> columns::Result<Option<Step>> {
        let map = kept_rows(&self.around(value, exec)?, exec)?;
        Ok((map.len > 0).then_some(Step::Rows { map, distinct: true, ordered: true }))
    }

    /// The rows of an interval, or of null; `None` if there are none. Ends are compared by value.
    pub(super) fn rows_of_label(&self, label: &Scalar, exec: &Exec) -> columns::Result<Option<Step>> {
        let is_label = if let Scalar::Interval(interval) = label {
            if interval.closed != self.closed() {
                return Ok(None);
            }
            col(LEFT).eq(lit(self.end(&interval.left)?)).and(col(RIGHT).eq(lit(self.end(&interval.right)?)))
        } else {
            col(LEFT).is_null()
        };
        let map = kept_rows(&self.evaluated(is_label, exec)?, exec)?;
        Ok((map.len > 0).then_some(Step::Rows { map, distinct: true, ordered: true }))
    }

    /// Each of `points` with the intervals that it is in, in their order: the maps of a left join.
    pub(super) fn joined_points(&self, points: &Column, exec: &Exec) -> columns::Result<JoinMaps> {
        let intervals = self.values(exec)?;
        let [left_rows, right_rows] = [points.size(), self.0.len()].map(|n| range_labels(0, 1, n, exec));
        let left = ColumnAccessor::from_columns([("row", left_rows?), ("x", points.clone())])?;
        let ends = [("row", right_rows?), (LEFT, intervals.left()?), (RIGHT, intervals.right()?)];
        let right = ColumnAccessor::from_columns(ends)?;
        let condition = PairCondition {
            predicate: is_in(&col("x"), self.closed()),
            columns: vec![("x".into(), 0, 1), (LEFT.into(), 1, 1), (RIGHT.into(), 1, 2)],
        };
        let side = |columns| JoinSide { columns, keys: &[], output: &[0] };
        let nulls = NullEquality::Equal;
        let found = join_rows_where(side(&left), side(&right), JoinKind::Left, nulls, &condition, exec)?;
        let map = |rows: Option<&ColumnAccessor>| {
            let rows = rows.and_then(|rows| rows.columns().first());
            map_of_positions(rows.ok_or(ColumnError::Internal { invariant: "both sides have rows" })?, exec)
        };
        Ok(JoinMaps { left: map(Some(&found.left))?, right: Some(map(found.right.as_ref())?) })
    }

    /// A value as the ends have it: texts become times.
    fn end(&self, value: &Scalar) -> columns::Result<Scalar> {
        match self.0.dtypes() {
            [DType::Interval(interval)] => in_dtype(value, &interval.values),
            _ => Ok(value.clone()),
        }
    }

    fn around(&self, value: &Scalar, exec: &Exec) -> columns::Result<Column> {
        self.evaluated(is_in(&lit(self.end(value)?), self.closed()), exec)
    }

    fn labels(&self, operation: &'static str, made: Expr) -> Result<Index> {
        let exec = self.0.exec();
        let made = self.evaluated(made, exec).operation(operation)?;
        Ok(Index::of_owned(self.0.names(), vec![made], exec))
    }

    /// An expression over both ends.
    fn evaluated(&self, expr: Expr, exec: &Exec) -> columns::Result<Column> {
        let intervals = self.values(exec)?;
        computed(&[(LEFT, &intervals.left()?), (RIGHT, &intervals.right()?)], expr, exec)
    }

    fn values(&self, exec: &Exec) -> columns::Result<IntervalColumn> {
        let labels = Index::Interval(self.clone()).columns(exec)?;
        let [Column::Interval(intervals)] = &*labels else {
            return Err(ColumnError::Internal { invariant: "labels of an interval index are intervals" });
        };
        Ok(intervals.clone())
    }
}

const LEFT: &str = "left";
const RIGHT: &str = "right";

/// Whether the lower and the upper end belong to intervals.
const fn ends(closed: Closed) -> (bool, bool) {
    (matches!(closed, Closed::Left | Closed::Both), matches!(closed, Closed::Right | Closed::Both))
}

/// Whether one value is less than another, or equal if that is said.
fn up_to(low: Expr, high: Expr, or_equal: bool) -> Expr {
    if or_equal { low.le(high) } else { low.lt(high) }
}

/// Whether a value is between the ends of an interval.
fn is_in(value: &Expr, closed: Closed) -> Expr {
    let (has_left, has_right) = ends(closed);
    up_to(col(LEFT), value.clone(), has_left).and(up_to(value.clone(), col(RIGHT), has_right))
}
