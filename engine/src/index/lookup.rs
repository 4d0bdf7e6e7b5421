//! Where labels are.

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{
    self as columns, Column, ColumnAccessor, DType, Error as ColumnError, Label, Scalar,
};
use columnade_ops::copying::{MapNulls, RowMap, concat, gather_column};
use columnade_ops::distinct::is_in;
use columnade_ops::expression::{Expr, col, evaluate, lit};
use columnade_ops::join::{JoinKind, JoinMaps, NullEquality, duplicate_key, hash_join};
use columnade_ops::selection::{Step, compose_maps, kept_rows, positions, repeated_rows};
use columnade_ops::sort::{NullOrder, Order, SearchSide, SortKey, search_sorted};

use super::Index;
use super::period::period;
use crate::error::{Error, InOperation, MOST_LABELS, Result};
use crate::locate::RowKey;
use crate::series::Series;

impl Index {
    /// The position of a label that comes once; of intervals also of the only one that a value is in.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// assert_eq!(Index::new(["a", "b"])?.get_loc("b")?, 1);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingLabels`]; [`Error::DuplicateLabels`] for a label that comes more than once, whose positions
    /// [`get_locs`](Self::get_locs) returns; [`Error::Operation`] for a value of another kind than the labels, for another
    /// number of values than of levels, for a value in several intervals, and when memory runs out.
    ///
    /// # Device
    /// Arithmetic for a range, a binary search in sorted labels, otherwise a pass over all labels.
    ///
    /// # Source
    /// pandas `Index.get_loc`, which returns a slice or a mask of several.
    pub fn get_loc(&self, label: impl Into<RowKey>) -> Result<usize> {
        const OPERATION: &str = "get_loc";
        self.row_of(OPERATION, &label.into(), &self.exec(OPERATION)?)
    }

    /// The only row of a whole label.
    pub(crate) fn row_of(&self, operation: &'static str, key: &RowKey, exec: &Exec) -> Result<usize> {
        if key.0.len() != self.level_count() {
            let reason = format!("{} values for {} levels", key.0.len(), self.level_count());
            return Err(Error::argument(operation, "label", reason));
        }
        let step = self.found(operation, key, exec)?;
        if step.len() > 1 {
            if let (Index::Interval(_), [value]) = (self, key.0.as_slice())
                && !matches!(value, Scalar::Interval(_) | Scalar::Null(_))
            {
                let reason = format!("{value} is in {} intervals", step.len());
                return Err(Error::argument(operation, "label", reason));
            }
            return Err(Error::DuplicateLabels { operation, label: key.0.clone() });
        }
        let rows = rows_of(&step, exec).and_then(|rows| rows.get(0));
        position(&rows.operation(operation)?).operation(operation)
    }

    /// The positions of all rows of a label, or of the first levels of one, in order, `int64`.
    ///
    /// # Errors
    /// [`Error::MissingLabels`]; [`Error::Operation`] for a value of another kind than the labels, for more values than
    /// levels, and when memory runs out.
    ///
    /// # Device
    /// Same as [`get_loc`](Self::get_loc).
    ///
    /// # Source
    /// pandas `Index.get_loc`, `MultiIndex.get_locs`.
    pub fn get_locs(&self, label: impl Into<RowKey>) -> Result<Series> {
        const OPERATION: &str = "get_locs";
        let exec = self.exec(OPERATION)?;
        let step = self.found(OPERATION, &label.into(), &exec)?;
        Series::unnamed(OPERATION, rows_of(&step, &exec).operation(OPERATION)?, exec)
    }

    /// Whether a label, or the first levels of one, is there.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// assert!(Index::of_rows(3).contains(2)?);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a value of another kind than the labels, for more values than levels, and when memory runs
    /// out.
    ///
    /// # Source
    /// pandas `Index.__contains__`.
    pub fn contains(&self, label: impl Into<RowKey>) -> Result<bool> {
        const OPERATION: &str = "contains";
        Ok(self.located(OPERATION, &label.into(), &self.exec(OPERATION)?)?.is_some())
    }

    /// For each label whether it is one of `values`, `bool`. Nulls are equal.
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of levels, values of another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.isin`.
    pub fn is_in(&self, values: &Index) -> Result<Series> {
        const OPERATION: &str = "is_in";
        let exec = self.exec(OPERATION)?;
        self.check_levels(OPERATION, values)?;
        if let Index::Range(range) = values
            && let [labels] = &*self.columns(&exec).operation(OPERATION)?
            && let Some(found) = range.has(labels, &exec).operation(OPERATION)?
        {
            return Series::unnamed(OPERATION, found, exec);
        }
        let (labels, among) = (self.to_series()?, values.renamed(self.names()).to_series()?);
        let found = is_in(labels.values(), among.values(), NullEquality::Equal, &exec);
        Series::unnamed(OPERATION, found.operation(OPERATION)?, exec)
    }

    /// The position of each label of `target`, −1 for one that is not there, `int64`. Nulls are equal, and NaNs are.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let found = Index::new(["a", "b", "c"])?.get_indexer(&Index::new(["c", "x"])?)?;
    /// assert_eq!(found.to_vec::<i64>()?, [2, -1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] unless the labels are unique; [`Error::Operation`] for another number of levels, labels of
    /// another kind, and when memory runs out.
    ///
    /// # Device
    /// A hash join of both; arithmetic for integers among a range.
    ///
    /// # Source
    /// pandas `Index.get_indexer`.
    pub fn get_indexer(&self, target: &Index) -> Result<Series> {
        const OPERATION: &str = "get_indexer";
        let exec = self.exec_with(OPERATION, target)?;
        self.check_unique(OPERATION, &exec)?;
        let maps = self.joined(OPERATION, target, &exec)?;
        let found = right_of(&maps).and_then(|right| positions(right, &exec));
        Series::unnamed(OPERATION, found.operation(OPERATION)?, exec)
    }

    /// The positions of each label of `target` one after the other, −1 for one that is not there, and which labels of
    /// `target` are not there, both `int64`.
    ///
    /// # Errors
    /// [`Error::Operation`] for another number of levels, labels of another kind, and when memory runs out.
    ///
    /// # Source
    /// pandas `Index.get_indexer_non_unique`.
    pub fn get_indexer_non_unique(&self, target: &Index) -> Result<(Series, Series)> {
        const OPERATION: &str = "get_indexer_non_unique";
        let exec = self.exec_with(OPERATION, target)?;
        let maps = self.joined(OPERATION, target, &exec)?;
        let made = || -> columns::Result<_> {
            let found = positions(right_of(&maps)?, &exec)?;
            let missing = compose_maps(&maps.left, &missing_rows(&found, &exec)?, &exec)?;
            Ok((found, positions(&missing, &exec)?))
        };
        let (found, missing) = made().operation(OPERATION)?;
        let missing = Series::unnamed(OPERATION, missing, exec.clone())?;
        Ok((Series::unnamed(OPERATION, found, exec)?, missing))
    }

    /// The rows of a label, or an error that names it.
    pub(crate) fn found(&self, operation: &'static str, key: &RowKey, exec: &Exec) -> Result<Step> {
        self.located(operation, key, exec)?
            .ok_or_else(|| Error::MissingLabels { operation, missing: vec![key.0.clone()] })
    }

    /// The rows of a label, or of the first levels of one; `None` if there are none.
    pub(crate) fn located(&self, operation: &'static str, key: &RowKey, exec: &Exec) -> Result<Option<Step>> {
        self.check_depth(operation, key)?;
        if let (Index::Range(range), [value]) = (self, key.0.as_slice())
            && let Some(label) = integer(value)
            && range.step() != 0
        {
            return Ok(range.position(label).map(|offset| Step::Slice { offset, len: 1 }));
        }
        self.rows_of_key(key, exec).operation(operation)
    }

    fn rows_of_key(&self, key: &RowKey, exec: &Exec) -> columns::Result<Option<Step>> {
        if let Some(period) = self.period_of(key)? {
            return self.rows_between(&period.start.into(), &period.end.into(), exec);
        }
        if let (Index::Interval(intervals), [value]) = (self, key.0.as_slice()) {
            if matches!(value, Scalar::Interval(_) | Scalar::Null(_)) {
                return intervals.rows_of_label(value, exec);
            }
            return intervals.rows_around(value, exec);
        }
        let needles = self.needles(&[key], exec)?;
        if let Some(order) = self.order()? {
            let offset = self.searched(&needles, order, SearchSide::Left, exec)?;
            let len = self.searched(&needles, order, SearchSide::Right, exec)? - offset;
            return Ok((len > 0).then_some(Step::Slice { offset, len }));
        }
        let labels = self.columns(exec)?;
        let (labels, needles): (Vec<_>, Vec<_>) = labels.iter().zip(&needles).unzip();
        let maps = with_retry_no_split(exec, |exec| {
            hash_join(&needles, &labels, JoinKind::Inner, NullEquality::Equal, exec)
        })?;
        let map = right_of(&maps)?.clone();
        Ok((map.len > 0).then_some(Step::Rows { map, distinct: true, ordered: true }))
    }

    /// The rows from one time to before another; `None` if all times are before or after. As pandas, none are found in between.
    fn rows_between(&self, start: &RowKey, end: &RowKey, exec: &Exec) -> columns::Result<Option<Step>> {
        let bounds = [self.needles(&[start], exec)?, self.needles(&[end], exec)?];
        if let Some(order) = self.order()? {
            let [from, to] = if order == Order::Ascending {
                [(0, SearchSide::Left), (1, SearchSide::Left)]
            } else {
                [(1, SearchSide::Right), (0, SearchSide::Right)]
            };
            let offset = self.searched(&bounds[from.0], order, from.1, exec)?;
            let len = self.searched(&bounds[to.0], order, to.1, exec)?.saturating_sub(offset);
            let is_outside = len == 0 && (offset == 0 || offset == self.len());
            return Ok((!is_outside).then_some(Step::Slice { offset, len }));
        }
        let (start, end) = (bounds[0][0].get(0)?, bounds[1][0].get(0)?);
        let keep = computed(
            &[("x", &self.columns(exec)?[0])],
            col("x").ge(lit(start)).and(col("x").lt(lit(end))),
            exec,
        )?;
        let map = kept_rows(&keep, exec)?;
        Ok((map.len > 0).then_some(Step::Rows { map, distinct: true, ordered: true }))
    }

    /// The rows of the only level whose label is neither before `start` nor after `end`, in any order.
    pub(crate) fn rows_from_to(
        &self,
        operation: &'static str,
        start: Option<&Scalar>,
        end: Option<&Scalar>,
        exec: &Exec,
    ) -> Result<Step> {
        let find = || -> columns::Result<Step> {
            let mut keep: Option<Expr> = None;
            for (bound, is_start) in [(start, true), (end, false)] {
                let Some(bound) = bound else { continue };
                let key = RowKey(vec![bound.clone()]);
                let value = |key: &RowKey| self.needles(&[key], exec)?[0].get(0);
                let is_kept = match (self.period_of(&key)?, is_start) {
                    (Some(period), true) => col("x").ge(lit(value(&period.start.into())?)),
                    (Some(period), false) => col("x").lt(lit(value(&period.end.into())?)),
                    (None, true) => col("x").ge(lit(value(&key)?)),
                    (None, false) => col("x").le(lit(value(&key)?)),
                };
                keep = Some(keep.map_or_else(|| is_kept.clone(), |keep| keep.and(is_kept.clone())));
            }
            let Some(keep) = keep else { return Ok(Step::Slice { offset: 0, len: self.len() }) };
            let map = kept_rows(&computed(&[("x", &self.columns(exec)?[0])], keep, exec)?, exec)?;
            Ok(Step::Rows { map, distinct: true, ordered: true })
        };
        find().operation(operation)
    }

    /// Whether a value of a level is a text that names several times: it is no label itself.
    pub(crate) fn is_period(&self, level: usize, value: &Scalar) -> bool {
        let dtypes = self.dtypes();
        match (value, dtypes.get(level)) {
            (Scalar::Utf8(text), Some(dtype)) => {
                Scalar::parse(dtype, text).is_err() && matches!(period(dtype, text), Ok(Some(_)))
            }
            _ => false,
        }
    }

    pub(crate) fn has_period(&self, key: &RowKey) -> bool {
        key.0.iter().enumerate().any(|(level, value)| self.is_period(level, value))
    }

    /// The rows of each of `needles` in their order, one column for each of the first levels; an error unless each is there.
    pub(crate) fn rows_of_all(
        &self,
        operation: &'static str,
        needles: &[Column],
        exec: &Exec,
    ) -> Result<Step> {
        let maps = with_retry_no_split(exec, |exec| self.left_join(needles, exec)).operation(operation)?;
        let missing = missing_labels(needles, &maps, exec).operation(operation)?;
        if !missing.is_empty() {
            return Err(Error::MissingLabels { operation, missing });
        }
        let map = right_of(&maps).operation(operation)?.clone();
        Ok(Step::Rows { map, distinct: false, ordered: false })
    }

    /// The rows of each label of `target` in their order, none for one that is not there.
    pub(crate) fn joined(&self, operation: &'static str, target: &Index, exec: &Exec) -> Result<JoinMaps> {
        self.check_levels(operation, target)?;
        let join = |exec: &Exec| self.left_join(&target.columns(exec)?, exec);
        with_retry_no_split(exec, join).operation(operation)
    }

    /// Each of `needles`, a column for each of the first levels, with the rows of its label; points are in intervals.
    fn left_join(&self, needles: &[Column], exec: &Exec) -> columns::Result<JoinMaps> {
        if let (Index::Interval(intervals), [points]) = (self, needles)
            && !matches!(points.dtype(), DType::Interval(_) | DType::Null)
        {
            return intervals.joined_points(points, exec);
        }
        if let (Index::Range(range), [integers]) = (self, needles)
            && let Some(maps) = range.joined(integers, exec)?
        {
            return Ok(maps);
        }
        let labels = self.columns(exec)?;
        let (labels, needles): (Vec<_>, Vec<_>) = labels.iter().zip(needles).unzip();
        hash_join(&needles, &labels, JoinKind::Left, NullEquality::Equal, exec)
            .map_err(|error| error.with_key_labels(&self.texts_of_levels()))
    }

    /// What errors call the levels.
    pub(crate) fn texts_of_levels(&self) -> Vec<String> {
        let text = |name: &Label| {
            if *name == Label::NULL { "row labels".to_owned() } else { format!("row labels {name}") }
        };
        self.names().iter().map(text).collect()
    }

    /// An error unless no label comes twice.
    pub(crate) fn check_unique(&self, operation: &'static str, exec: &Exec) -> Result<()> {
        if self.unique_labels().operation(operation)? {
            return Ok(());
        }
        let label = || {
            let columns = self.columns(exec)?;
            duplicate_key(&columns.iter().collect::<Vec<_>>(), NullEquality::Equal, exec)
        };
        let label = label().operation(operation)?.unwrap_or_default();
        Err(Error::DuplicateLabels { operation, label })
    }

    pub(crate) fn check_levels(&self, operation: &'static str, other: &Index) -> Result<()> {
        if self.level_count() == other.level_count() {
            return Ok(());
        }
        let reason = format!("of {} levels for those of {}", other.level_count(), self.level_count());
        Err(Error::argument(operation, "row labels", reason))
    }

    pub(super) fn check_depth(&self, operation: &'static str, key: &RowKey) -> Result<()> {
        if (1..=self.level_count()).contains(&key.0.len()) {
            return Ok(());
        }
        let reason = format!("{} values for {} levels", key.0.len(), self.level_count());
        Err(Error::argument(operation, "label", reason))
    }

    /// The context of the labels of both, on one device.
    fn exec_with(&self, operation: &'static str, other: &Index) -> Result<Exec> {
        if self.labels().is_none() { other.exec(operation) } else { self.exec(operation) }
    }

    /// The order in which labels can be searched; those of dictionaries have none, since they sort by code or by value.
    pub(super) fn order(&self) -> columns::Result<Option<Order>> {
        if self.dtypes().iter().any(|dtype| matches!(dtype, DType::Dictionary(_))) {
            return Ok(None);
        }
        if self.increasing_labels()? {
            return Ok(Some(Order::Ascending));
        }
        Ok(self.decreasing_labels()?.then_some(Order::Descending))
    }

    /// The position before or after the labels that are equal to the only row of `needles`.
    pub(super) fn searched(
        &self,
        needles: &[Column],
        order: Order,
        side: SearchSide,
        exec: &Exec,
    ) -> columns::Result<usize> {
        let labels = self.columns(exec)?;
        let keys: Vec<SortKey<'_>> = labels[..needles.len()]
            .iter()
            .map(|column| SortKey { column, order, nulls: NullOrder::Last })
            .collect();
        let found = search_sorted(&keys, &needles.iter().collect::<Vec<_>>(), side, exec)?;
        position(&found.get(0)?)
    }

    /// The period that a text stands for, where the labels are times.
    pub(super) fn period_of(&self, key: &RowKey) -> columns::Result<Option<super::period::Period>> {
        match (key.0.as_slice(), self.dtypes().as_slice()) {
            ([Scalar::Utf8(text)], [dtype]) => period(dtype, text),
            _ => Ok(None),
        }
    }

    /// A column of each of the first levels of `keys`, all of as many values.
    pub(crate) fn needles(&self, keys: &[&RowKey], exec: &Exec) -> columns::Result<Vec<Column>> {
        let depth = keys.first().map_or(self.level_count(), |key| key.0.len());
        let dtypes = self.dtypes();
        let mut needles = Vec::with_capacity(depth);
        for (level, dtype) in dtypes.iter().enumerate().take(depth) {
            let mut values = Vec::with_capacity(keys.len());
            for key in keys {
                let Some(value) = key.0.get(level).filter(|_| key.0.len() == depth) else {
                    let reason = format!("one has {} values and another {depth}", key.0.len());
                    return Err(ColumnError::InvalidArgument { name: "labels", reason });
                };
                if is_truth_for_number(value, dtype) {
                    let error = ColumnError::DTypeMismatch { left: value.dtype(), right: dtype.clone() };
                    let level = self.texts_of_levels().into_iter().nth(level).unwrap_or_default();
                    return Err(error.in_column(Label::from(level)));
                }
                values.push(in_dtype(value, dtype)?);
            }
            needles.push(column_of(&values, dtype, exec)?);
        }
        Ok(needles)
    }
}

/// Whether one of a value and labels is true or false and the other a number: they compare in expressions, and are no labels
/// of each other.
fn is_truth_for_number(value: &Scalar, dtype: &DType) -> bool {
    let given = value.dtype();
    let differ = given == DType::Bool && dtype.is_numeric() || *dtype == DType::Bool && given.is_numeric();
    differ && !matches!(value, Scalar::Null(_))
}

/// A value as labels of a dtype have it: texts become times.
pub(super) fn in_dtype(value: &Scalar, dtype: &DType) -> columns::Result<Scalar> {
    match (value, dtype) {
        (Scalar::Utf8(text), dtype) if dtype.is_temporal() => Scalar::parse(dtype, text),
        // A point of an interval.
        (Scalar::Utf8(_), DType::Interval(interval)) => in_dtype(value, &interval.values),
        (Scalar::Null(_), _) => Ok(Scalar::Null(dtype.clone())),
        (other, _) => Ok(other.clone()),
    }
}

/// A column of values for labels of a dtype: of one dtype if they are, otherwise of their common one.
fn column_of(values: &[Scalar], dtype: &DType, exec: &Exec) -> columns::Result<Column> {
    let first = values.iter().find(|value| !matches!(value, Scalar::Null(_)));
    let dtype = first.map_or_else(|| dtype.clone(), Scalar::dtype);
    let of_dtype = |value: &Scalar| {
        if matches!(value, Scalar::Null(_)) { Scalar::Null(dtype.clone()) } else { value.clone() }
    };
    let values: Vec<Scalar> = values.iter().map(of_dtype).collect();
    if values.iter().all(|value| value.is_of(&dtype)) {
        return Column::from_scalars(&dtype, &values, exec);
    }
    let columns = values.iter().map(|value| Column::from_scalar(value, 1, exec));
    let columns = columns.collect::<columns::Result<Vec<_>>>()?;
    concat(&columns.iter().collect::<Vec<_>>(), exec)
}

/// The integer that a value is.
#[expect(clippy::wildcard_enum_match_arm, reason = "other values are no integers of 64 bits")]
pub(super) fn integer(value: &Scalar) -> Option<i64> {
    match value {
        Scalar::Int8(value) => Some((*value).into()),
        Scalar::Int16(value) => Some((*value).into()),
        Scalar::Int32(value) => Some((*value).into()),
        Scalar::Int64(value) => Some(*value),
        Scalar::UInt8(value) => Some((*value).into()),
        Scalar::UInt16(value) => Some((*value).into()),
        Scalar::UInt32(value) => Some((*value).into()),
        _ => None,
    }
}

/// The values of an expression over columns.
pub(crate) fn computed(values: &[(&str, &Column)], expr: Expr, exec: &Exec) -> columns::Result<Column> {
    let columns = values.iter().map(|(label, column)| (*label, (*column).clone()));
    let frame = ColumnAccessor::from_columns(columns)?;
    Ok(evaluate(&[expr.alias("made")], &frame, exec)?.swap_remove(0).1)
}

/// The rows that a step takes, `int64`.
pub(crate) fn rows_of(step: &Step, exec: &Exec) -> columns::Result<Column> {
    match step {
        Step::Slice { offset, len } => {
            let start = i64::try_from(*offset).unwrap_or(i64::MAX);
            columnade_ops::selection::range_labels(start, 1, *len, exec)
        }
        Step::Mask { keep, .. } => positions(&kept_rows(keep, exec)?, exec),
        Step::Rows { map, .. } => positions(map, exec),
        Step::Repeat { begins, len } => positions(&repeated_rows(begins, *len, exec)?, exec),
    }
}

pub(crate) fn right_of(maps: &JoinMaps) -> columns::Result<&RowMap> {
    maps.right.as_ref().ok_or(ColumnError::Internal { invariant: "the join has right rows" })
}

pub(super) fn position(value: &Scalar) -> columns::Result<usize> {
    integer(value)
        .and_then(|row| usize::try_from(row).ok())
        .ok_or(ColumnError::Internal { invariant: "a position is an integer" })
}

/// Where positions are −1.
fn missing_rows(found: &Column, exec: &Exec) -> columns::Result<RowMap> {
    kept_rows(&computed(&[("row", found)], col("row").lt(0), exec)?, exec)
}

/// The first left rows of a join without a right row.
pub(crate) fn missing_labels(
    needles: &[Column],
    maps: &JoinMaps,
    exec: &Exec,
) -> columns::Result<Vec<Vec<Scalar>>> {
    let missing = missing_rows(&positions(right_of(maps)?, exec)?, exec)?;
    if missing.len == 0 {
        return Ok(Vec::new());
    }
    let rows = compose_maps(&maps.left, &missing, exec)?;
    let mut labels = vec![Vec::with_capacity(needles.len()); rows.len.min(MOST_LABELS)];
    for needle in needles {
        let values = gather_column(needle, &rows, MapNulls::Never, exec)?;
        for (label, value) in labels.iter_mut().zip(values.slice(0, rows.len.min(MOST_LABELS))?.to_scalars()?)
        {
            label.push(value);
        }
    }
    Ok(labels)
}
